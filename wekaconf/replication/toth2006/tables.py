"""The records of Tóth and Pataki 2006 as the paper's figures, and beside them the figures out of fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, median

from wekaconf.replication._cells import Figure, Place, Repeated
from wekaconf.replication._runner import Record, pick
from wekaconf.replication._study import Beside
from wekaconf.replication.toth2006.measurement import EXPERIMENTS, FILLED, LEFT_OUT, PRUNE_BY, Experiment

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
DESCRIBED_COLUMNS = (
    "different trees", "wrong, median (range)", "seeds with the paper's errors", "seeds that reject nothing",
    "the same, rows with missing cells left out", "rejected (%), median", "error of the answered (%), median",
)  # fmt: skip
COUNTS_ROW = "the paper's own counts"
READINGS = {"at-least": "rule", "nearest": "nearest"}
"""The readings of the threshold, and their choice in the records."""


def mean(records: Sequence[Record], figure: str) -> float:
    """Mean of a figure over records."""
    return fmean(record[figure] for record in records)


def our_figures(records: Sequence[Record], reading: str) -> dict[Place, Figure | Repeated | None]:
    """Our figure for each that the paper prints, as far as it was measured, and those that follow from its counts.

    Nothing is drawn on the training rows of breast-w, so their figures have no repetitions.
    """
    figures: dict[Place, Figure | Repeated | None] = dict(figures_of_counts())
    if planes := pick(records, part="section 3.1", rows="training"):
        for key in ("n", "wrong", "n_caught", "answered"):
            row = COLUMNS.get(key, "points")
            figures["section 3.1", row, "2-D data"] = Repeated.of([record[key] for record in planes])
    for record in pick(records, part="section 3.2", rows="training", choice=READINGS[reading]):
        name = record["experiment"]
        row = f"{name}, threshold"
        figures["section 3.2", "breast-w", "points"] = float(record["n"])
        figures["section 3.2", name, "wrong"] = float(record["wrong"])
        for figure in ("kept_correct", "rejected_share", "error_answered"):
            figures["section 3.2", row, COLUMNS[figure]] = record[figure]
        if name == EXPERIMENTS[0].name:
            figures["figure 12", row, COLUMNS["caught_wrong"]] = record["caught_wrong"]
    return figures


def pick_described(records: Sequence[Record], prune_by: str, experiment: Experiment, missing: str) -> list[Record]:
    """The records of the trees that the paper's rule chooses, one per seed."""
    rule = {"rows": "as described", "experiment": experiment.name}
    return pick(pick(records, part="section 3.2", **rule), prune_by=prune_by, missing=missing)


def has_printed_errors(record: Record, experiment: Experiment) -> bool:
    """Whether a tree errs as often as the paper's."""
    return bool(record["wrong"] == experiment.printed[0])


def count_without_rejection(seeds: Sequence[Record]) -> str:
    """The number of seeds at which the threshold rejects no row, of all."""
    return f"{sum(record['rejected'] == 0 for record in seeds)} of {len(seeds)}"


def figures_of_counts() -> Iterator[tuple[Place, float]]:
    """The figures that follow from others that the paper prints."""
    n, wrong, caught, answered = 1354, 106, 96, 960
    answered_wrong = wrong - caught
    kept = 100 * (answered - answered_wrong) / (n - wrong)
    for row, figure in (
        ("correct", float(n - wrong)),
        (COLUMNS["rejected"], float(n - answered)),
        (COLUMNS["answered_wrong"], float(answered_wrong)),
        (COLUMNS["error"], 100 * wrong / n),
        (COLUMNS["caught_wrong"], 100 * caught / wrong),
        (COLUMNS["answered_share"], 100 * answered / n),
        (COLUMNS["rejected_share"], 100 * (n - answered) / n),
        (COLUMNS["kept_correct"], kept),
        (COLUMNS["error_answered"], 100 * answered_wrong / answered),
    ):
        yield ("section 3.1", row, COUNTS_ROW), figure
    yield ("figure 10", COLUMNS["kept_correct"], COUNTS_ROW), kept
    for experiment, n_wrong in (("experiment 1", 33), ("experiment 2", 23)):
        yield ("section 3.2", f"{COUNTS_ROW}, {experiment}", COLUMNS["error"]), 100 * n_wrong / 699


def tables_beside(records: Sequence[Record]) -> Iterator[Beside]:
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
    training = pick(records, part="section 3.2", rows="training")
    rows = {}
    for experiment in EXPERIMENTS:
        for prune_by in PRUNE_BY:
            if seeds := pick_described(records, prune_by, experiment, FILLED):
                wrong = [record["wrong"] for record in seeds]
                same = sum(has_printed_errors(record, experiment) for record in seeds)
                rows[f"{experiment.name}, pruned by {prune_by}"] = [
                    str(len({(record["leaves"], record["wrong"]) for record in seeds})),
                    f"{median(wrong):g} ({min(wrong):g} to {max(wrong):g})", f"{same} of {len(seeds)}",
                    count_without_rejection(seeds),
                    count_without_rejection(pick_described(records, prune_by, experiment, LEFT_OUT)),
                    median(record["rejected_share"] for record in seeds),
                    median(record["error_answered"] for record in seeds),
                ]  # fmt: skip
    if rows:
        yield Beside("section 3.2", "breast-w as the paper describes it", list(DESCRIBED_COLUMNS), rows, 1)
    rows = {
        f"{record['experiment']}, {record['choice']}": [record[key] for key in BESIDE_COLUMNS] for record in training
    }
    if rows:
        yield Beside("section 3.2", "breast-w, training rows, either reading of the threshold", columns, rows, 1)
    rows = {}
    for experiment in dict.fromkeys(record["experiment"] for record in folds):
        for choice in dict.fromkeys(record["choice"] for record in folds):
            chosen = pick(folds, experiment=experiment, choice=choice)
            threshold = choice.removeprefix("rule, ").replace("training", "the training rows")
            rows[f"{experiment}, threshold from {threshold}"] = [mean(chosen, figure) for figure in BESIDE_COLUMNS]
    if rows:
        yield Beside("section 3.2", "breast-w out of fold, means over the seeds", columns, rows, 1)
