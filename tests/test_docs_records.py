"""Tables and sentences of the docs that come from docs/records/, and what DECISIONS.md may be."""

import re

import docs_records
import pytest

from wekaconf.replication.papers import PAPERS, study_of
from wekaconf.replication.writing import CELLS, ENVIRONMENT, FINDINGS, RECORDS

DECISIONS = (docs_records.ROOT / "DECISIONS.md").read_text(encoding="utf-8")
RECORDED = [paper for paper in PAPERS if (docs_records.RECORDS / paper).is_dir()]


@pytest.mark.parametrize("page", docs_records.PAGES, ids=lambda page: page.name)
def test_a_page_says_what_the_records_say(page):
    text = page.read_text(encoding="utf-8")
    assert docs_records.rewritten(text) == text, "python scripts/docs_records.py --write"


@pytest.mark.parametrize("paper", RECORDED)
def test_records_are_small_and_whole(paper):
    """Every printed figure has its verdict, the sentences and the command are there, and the page uses them."""
    folder = docs_records.RECORDS / paper
    assert {CELLS, f"{RECORDS}.gz", FINDINGS, ENVIRONMENT} <= {path.name for path in folder.iterdir()}
    assert {row["part"] for row in docs_records.rows(paper, CELLS)} <= set(study_of(paper).parts)
    assert sum(path.stat().st_size for path in folder.iterdir()) < 2_000_000
    page = docs_records.ROOT / "docs" / "papers" / f"{paper}.md"
    assert f"<!-- records: {paper} verdicts -->" in page.read_text(encoding="utf-8")


def test_records_together_are_below_five_megabytes():
    assert sum(path.stat().st_size for path in docs_records.RECORDS.rglob("*") if path.is_file()) < 5_000_000


@pytest.mark.parametrize("what", ["wang2006 findings table 9", "wang2006 cells table 9", "wang2006 beside Nothing"])
def test_what_the_records_have_not(what):
    with pytest.raises(ValueError, match="there is no such thing in"):
        docs_records.written(what)


def test_a_figure_that_was_changed_by_hand_is_noticed():
    page = next(page for page in docs_records.PAGES if page.name == "wang2006.md")
    text = page.read_text(encoding="utf-8")
    assert text.count("| table 1 |") == 1
    changed = text.replace("| table 1 |", "| table 1 | 99")
    assert docs_records.rewritten(changed) == text


# -- decisions --


def test_decisions_are_few_and_short():
    """They bind the whole; the reason for one place stands there, as a comment."""
    assert len(re.findall(r"^## ", DECISIONS, re.MULTILINE)) <= 12
    assert len(DECISIONS.split()) <= 2000


def test_files_that_decisions_name_exist():
    names = set(re.findall(r"`([\w/]+(?:/|\.(?:py|pyi|arff|js)))`", DECISIONS))
    assert {"base/stored.py", "tree/"} <= names
    places = (docs_records.ROOT, docs_records.ROOT / "wekaconf")
    assert not [name for name in names if not any((place / name).exists() for place in places)]
