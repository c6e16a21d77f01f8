"""The tables of a replication in LaTeX."""

import re
from pathlib import Path

import pytest
from support.csv_rows import rows_in

from wekaconf.replication._cells import Cell, Published, Repeated
from wekaconf.replication._study import Finding, Request, Results
from wekaconf.replication.costa2013.study import STUDY
from wekaconf.replication.papers import PAPERS
from wekaconf.replication.wang2006.study import STUDY as WITH_READINGS
from wekaconf.replication.writing import as_latex
from wekaconf.report._table_formats import escape_latex

RECORDS = Path(__file__).resolve().parents[2] / "docs" / "records"


def cell(part, row, column, text, ours, kind="result"):
    return Cell(Published(part, row, column, text, "p. 1", kind, "", ""), ours)


def test_a_table_per_part_with_the_protocol_in_its_caption():
    cells = [
        cell("table 1", "K&K", "p", "<0.0001", 0.25), cell("table 1", "K&K", "AUC", "0.81", Repeated.of([0.5, 0.6])),
        cell("table 1", "plain", "AUC", "0.9", None), cell("table 2", "a_b", "wins", "1/2/3", (3, 2, 1)),
        cell("table 2", "a_b", "sum", "6", 6.0, "arithmetic"),
    ]  # fmt: skip
    results = Results([], cells, findings=[Finding("", "Seeds 1 to 5, p ≤ 5 %."), Finding("table 1", "Other.")])
    first, second = as_latex(STUDY, Request(), results).split("\n\n")
    captions = [re.search(r"\\caption\{(.*)\}", table)[1] for table in (first, second)]
    paper = "Costa, Verwer and Blockeel 2013, Estimating Prediction Certainty in Decision Trees"
    assert captions == [
        rf"Table 1 of {paper}; published (ours). --: not computed. Seeds 1 to 5, p $\leq$ 5 \%.",
        rf"Table 2 of {paper}; published (ours). In brackets: what follows from other figures in print. Seeds 1 to 5, "
        r"p $\leq$ 5 \%.",
    ]
    assert r"K\&K & \textless{}0.0001 (0) & 0.81 (0.55) \\" in first and r"plain &  & 0.9 (--) \\" in first
    assert r"a\_b & 1/2/3 (3/2/1) & 6 [6] \\" in second
    assert first.count(r"\begin{tabular}{lrr}") == 1 and r"\bottomrule" in first


@pytest.mark.parametrize(("reading", "told"), [(None, "table"), ("honest", "honest")])
def test_a_caption_names_the_reading_and_a_trial(reading, told):
    results = Results([], [cell("table 3", "iris", "C45", "98.99", 98.9)])
    table = as_latex(WITH_READINGS, Request(reading=reading, quick=True), results)
    trial = "Trial: only a part of the data sets, or fewer runs; the figures are not the paper's."
    assert f"; published (ours). {trial} Reading: {told}.}}" in table


def test_marks_that_pdflatex_does_not_know_are_written_in_mathematics():
    assert escape_latex("at α 0.05, z > √3, 5 × 10") == r"at $\alpha$ 0.05, z \textgreater{} $\surd$3, 5 $\times$ 10"


@pytest.mark.parametrize("paper", PAPERS)
def test_committed_figures_have_no_mark_that_latex_would_stumble_over(paper):
    """Letters with accents and what a plain installation of LaTeX prints as it is may stand in what is escaped."""
    rows = rows_in(RECORDS / paper / "cells.csv")
    texts = " ".join(row[name] for row in rows for name in ("row", "column", "published", "ours"))
    assert {mark for mark in escape_latex(texts) if not mark.isascii()} <= {*"óéü"}
