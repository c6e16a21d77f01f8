"""Tables and sentences of the pages on papers are those of the committed records."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

import docs_records

PAPERS = sorted(path.name for path in docs_records.RECORDS.iterdir())


def test_the_pages_are_as_the_records_say():
    script = [sys.executable, docs_records.ROOT / "scripts" / "docs_records.py", "--check"]
    finished = subprocess.run(script, capture_output=True, text=True, check=False)
    assert (finished.returncode, finished.stdout) == (0, "every page is as its records say\n"), finished.stdout


def test_a_page_that_says_something_else_is_found_and_rewritten(tmp_path, monkeypatch, capsys):
    text = (docs_records.PAGES / "toth2006.md").read_text(encoding="utf-8")
    (tmp_path / "page.md").write_text(text.replace("| experiment 2 | 699", "| experiment 2 | 698"), encoding="utf-8")
    monkeypatch.setattr(docs_records, "PAGES", tmp_path)
    assert docs_records.main(["--check"]) == 1
    assert capsys.readouterr().out == "page.md: differ from the records\n"
    assert docs_records.main([]) == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == text
    with pytest.raises(SystemExit, match="nothing on 'section 9'"):
        docs_records.renewed("<!-- records: toth2006 beside section 9 -->\n<!-- end of records -->")


@pytest.mark.parametrize("paper", PAPERS)
def test_records_are_small_and_say_how_they_were_made(paper):
    folder = docs_records.RECORDS / paper
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1_000_000
    environment = json.loads((folder / "environment.json").read_text(encoding="utf-8"))
    assert environment["command"][:3] == ["wekaconf", "replicate", paper]
    assert {"wekaconf", "weka", "numpy", "python"} <= environment["versions"].keys()
    with open(folder / "records.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {"dataset", "seed"} <= rows[0].keys()


@pytest.mark.parametrize("paper", PAPERS)
def test_every_published_figure_has_its_verdict_in_the_records(paper):
    recorded = {(row["part"], row["row"], row["column"]): row for row in docs_records.rows_of(paper, "cells.csv")}
    for cell in docs_records.cells_of(paper):
        row = recorded[cell.published.place]
        assert (row["verdict"], row["remark"]) == (cell.verdict, cell.remark), cell.published.place
        assert cell.ours is not None
        assert cell.verdict == "match" or cell.remark
