"""Files of the measures of each method on each fold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.summaries import MEASURES, fold_values
from wekaconf.report.csv_files import write_rows
from wekaconf.report.titles import way_of

PLACES = ("dataset", "method", "learner", "options", "protocol", "run", "fold", "train_weight", "test_weight")
"""The columns before the measures: names, run and fold from 1, and the summed weights of the instances."""


def per_fold_rows(results: Iterable[tuple[Mapping[str, Any], Answers]]) -> Iterator[dict[str, Any]]:
    """One row per data set, method, run and fold: `PLACES`, then every measure of `fold_values`; NaN where undefined.

    The column of the method holds its label, that of the protocol filters, costs and thresholds, too.
    """
    for record, answers in results:
        folds = fold_values(answers, MEASURES)
        place = {
            "dataset": record["dataset"],
            "method": record["label"],
            **{name: record[name] for name in ("learner", "options")},
            "protocol": way_of(record),
        }
        columns = (folds.run + 1, folds.fold + 1, folds.train_weight, folds.test_weight, *folds.values.values())
        names = (*PLACES[5:], *folds.values)
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield place | dict(zip(names, row, strict=True))


def write_per_fold(results: Iterable[tuple[Mapping[str, Any], Answers]], file: IO[str]) -> None:
    """Write `per_fold_rows` as CSV; an undefined measure is an empty cell."""
    write_rows(file, [[*PLACES, *MEASURES]])
    write_rows(file, (row.values() for row in per_fold_rows(results)))
