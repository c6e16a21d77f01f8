"""Tables and sentences of the docs that come from docs/records/, and the index of DECISIONS.md."""

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


def test_decisions_are_in_the_order_of_the_rooms():
    sections = re.findall(r"^## (.+)$", DECISIONS, re.MULTILINE)
    assert sections == ["The whole", *(f"`{folder.name}/`" for folder in docs_records.room_folders())]


def test_each_decision_has_a_link_that_works_on_github_and_in_mkdocs():
    """Which name a heading alike if it is of plain characters and no two blanks are left side by side."""
    titles = re.findall(r"^##+ (.+)$", DECISIONS, re.MULTILINE)
    anchors = [docs_records.anchor(title) for title in titles]
    assert len(set(anchors)) == len(anchors)
    assert not [name for name in anchors if not re.fullmatch(r"\w+(-\w+)*", name, re.ASCII)]


def test_files_that_decisions_name_exist():
    names = set(re.findall(r"`([\w/]+(?:/|\.(?:py|pyi|arff|js)))`", DECISIONS))
    assert len(names) > 20
    places = (docs_records.ROOT, docs_records.ROOT / "wekaconf")
    assert not [name for name in names if not any((place / name).exists() for place in places)]


def test_index_of_a_page():
    text = "# Page\n\n## `tree/`\n\nText.\n\n### It's *one*, not 2\n\n#### Left out\n"
    assert docs_records.decisions(text) == "* [`tree/`](#tree)\n    * [It's *one*, not 2](#its-one-not-2)"
