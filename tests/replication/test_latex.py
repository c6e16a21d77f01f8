"""The tables of a replication in LaTeX."""

import re

from wekaconf.replication.cells import Cell, Published, Repeated
from wekaconf.replication.costa2013.study import STUDY
from wekaconf.replication.study import Finding, Results
from wekaconf.replication.writing import as_latex


def cell(part, row, column, text, ours, kind="result"):
    return Cell(Published(part, row, column, text, "p. 1", kind, "", ""), ours)


def test_a_table_per_part_with_the_protocol_in_its_caption():
    cells = [
        cell("table 1", "K&K", "p", "<0.0001", 0.25), cell("table 1", "K&K", "AUC", "0.81", Repeated.of([0.5, 0.6])),
        cell("table 1", "plain", "AUC", "0.9", None), cell("table 2", "a_b", "wins", "1/2/3", (3, 2, 1)),
        cell("table 2", "a_b", "sum", "6", 6.0, "arithmetic"),
    ]  # fmt: skip
    results = Results([], cells, findings=[Finding("", "Seeds 1 to 5, p ≤ 5 %."), Finding("table 1", "Other.")])
    first, second = as_latex(STUDY, results).split("\n\n")
    captions = [re.search(r"\\caption\{(.*)\}", table)[1] for table in (first, second)]
    assert all(text.endswith(r"published (ours). Seeds 1 to 5, p $\leq$ 5 \%.") for text in captions)
    assert "Table 1, published" in captions[0] and "Table 2, published" in captions[1]
    assert r"K\&K & \textless{}0.0001 (0) & 0.81 (0.55) \\" in first and r"plain &  & 0.9 (--) \\" in first
    assert r"a\_b & 1/2/3 (3/2/1) & 6 ([6]) \\" in second
    assert first.count(r"\begin{tabular}{lrr}") == 1 and r"\bottomrule" in first
