"""The records of Tóth and Pataki 2006 as the paper's figures, and beside them the figures out of fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from wekaconf.replication.cells import Figure, Place
from wekaconf.replication.records import pick
from wekaconf.replication.runner import Record
from wekaconf.replication.study import Beside
from wekaconf.replication.toth2006.measurement import EXPERIMENTS

COLUMNS = {
    "wrong": "wrong",
    "error": "error (%)",
    "kept_correct": "kept of the correct (%)",
    "caught_wrong": "caught of the wrong (%)",
    "n_caught": "caught of the wrong",
    "answered": "answered",
    "answered_share": "answered (%)",
    "rejected": "rejected",
    "rejected_share": "rejected (%)",
    "answered_wrong": "wrong among the answered",
    "error_answered": "error of the answered (%)",
}
"""Columns of `cells.csv` by the keys of the records."""
BESIDE_COLUMNS = ("error", "kept_correct", "rejected_share", "error_answered")
"""The columns of the tables beside the paper's figures."""
COUNTS_ROW = "the paper's own counts"


def mean(records: Sequence[Record], figure: str) -> float:
    """Mean of a figure over records."""
    return fmean(record[figure] for record in records)


def ours(records: Sequence[Record]) -> dict[Place, Figure | None]:
    """Our figure for each that the paper prints, as far as it was measured, and those that follow from its counts."""
    figures: dict[Place, Figure | None] = dict(figures_of_counts())
    if planes := pick(records, part="section 3.1", rows="training"):
        figures["section 3.1", "points", "2-D data"] = mean(planes, "n")
        figures["section 3.1", "correct", "2-D data"] = mean(planes, "n") - mean(planes, "wrong")
        figures["figure 10", COLUMNS["kept_correct"], "2-D data"] = mean(planes, "kept_correct")
        for key, column in COLUMNS.items():
            figures["section 3.1", column, "2-D data"] = mean(planes, key)
    for record in pick(records, part="section 3.2", rows="training"):
        name = record["experiment"]
        words = {"rule": "at least", "nearest": "nearly"}[record["choice"]]
        row = f"{name}, threshold that keeps {words} {100 * record['keep']:.0f} %"
        for figure, column in (("n", "points"), ("wrong", "wrong"), ("error", "error (%)")):
            figures["section 3.2", name, column] = float(record[figure])
        for figure in ("kept_correct", "rejected_share", "error_answered"):
            figures["section 3.2", row, COLUMNS[figure]] = record[figure]
        if name == EXPERIMENTS[0].name:
            figures["figure 12", row, COLUMNS["caught_wrong"]] = record["caught_wrong"]
    return figures


def figures_of_counts() -> Iterator[tuple[Place, float]]:
    """The percentages that follow from the counts that the paper prints."""
    n, wrong, caught, answered, answered_wrong = 1354, 106, 96, 960, 10
    for figure, share in (
        ("error", wrong / n),
        ("caught_wrong", caught / wrong),
        ("answered_share", answered / n),
        ("rejected_share", (n - answered) / n),
        ("kept_correct", (answered - answered_wrong) / (n - wrong)),
        ("error_answered", answered_wrong / answered),
    ):
        yield ("section 3.1", COLUMNS[figure], COUNTS_ROW), 100 * share
    n, wrong = 699, 33
    answered = round(n * (1 - 0.127))
    yield ("section 3.2", f"{COUNTS_ROW}, experiment 1", "error (%)"), 100 * wrong / n
    yield ("section 3.2", f"{COUNTS_ROW}, experiment 2", "error (%)"), 100 * 23 / n
    yield (
        ("figure 12", f"{COUNTS_ROW}, experiment 1", COLUMNS["caught_wrong"]),
        100 * (1 - round(0.015 * answered) / wrong),
    )


def beside(records: Sequence[Record]) -> Iterator[Beside]:
    """Tables of figures on rows that the tree was not grown on, which the paper does not have."""
    columns = [COLUMNS[figure] for figure in BESIDE_COLUMNS]
    planes = pick(records, part="section 3.1")
    rows: dict[str, Sequence[Figure | None]] = {}
    for shape in dict.fromkeys(record["dataset"] for record in planes):
        for kind in ("training", "new"):
            shape_records = pick(planes, dataset=shape, rows=kind)
            rows[f"{shape}, {kind} points"] = [mean(shape_records, figure) for figure in BESIDE_COLUMNS]
    if rows:
        yield Beside("section 3.1", "synthetic sets, means over the seeds", columns, rows, 1)
    folds = pick(records, part="section 3.2", rows="out-of-fold")
    rows = {}
    for experiment in dict.fromkeys(record["experiment"] for record in folds):
        for choice in dict.fromkeys(record["choice"] for record in folds):
            chosen = pick(folds, experiment=experiment, choice=choice)
            threshold = choice.removeprefix("rule, ").replace("training", "the training rows")
            rows[f"{experiment}, threshold from {threshold}"] = [mean(chosen, figure) for figure in BESIDE_COLUMNS]
    if rows:
        yield Beside("section 3.2", "breast-w out of fold, means over the seeds", columns, rows, 1)
