"""The study's results in few numbers: what docs/which-method.md is written from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evidence.study import CLOSED, MEASURES, OPEN, PLAIN, RIVALS_PART
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.statistics import paired_t
from wekaconf.evaluation.summary import mean_of
from wekaconf.experiments.advising.purposes import PURPOSES

FACTS = ("data_set", "n_instances", "n_classes", "protocol", "learner", "method")
DECIDING = {CLOSED: [p.measure for p in PURPOSES.values() if p.name != "foreign"], OPEN: [PURPOSES["foreign"].measure]}
"""The measures that are tested on each data set, by protocol."""
COLUMNS = (
    *FACTS,
    *dict.fromkeys(name for measures in MEASURES.values() for name in measures),
    *(f"{name}.{what}" for measures in DECIDING.values() for name in measures for what in ("gain", "p")),
    "fit_seconds",
    "answer_seconds",
    "left_out",
)
"""``gain`` is the mean difference from the plain J48 tree, ``p`` the p-value of the corrected resampled t-test."""


class Scheme(NamedTuple):
    """A method on a learner, or a rival."""

    learner: str
    method: str

    def __str__(self) -> str:
        """The method alone on J48, and for a rival its name."""
        if self.learner in ("J48", RIVALS_PART):
            return self.method
        return f"{self.method} on {self.learner}"


BASE = Scheme("J48", PLAIN)


def compact(records: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """One row per record of `evidence.study.measure_all`, with the `COLUMNS`; empty without a number."""
    records = list(records)
    base = {
        (record["data_set"], record["protocol"]): record
        for record in records
        if (record["learner"], record["method"]) == BASE and record["left_out"] is None
    }
    return [_row(record, base.get((record["data_set"], record["protocol"]))) for record in records]


def _row(record: Mapping[str, Any], base: Mapping[str, Any] | None) -> dict[str, str]:
    row = {name: str(record[name]) for name in FACTS} | {"left_out": record["left_out"] or ""}
    if record["left_out"] is None:
        row |= {name: _text(mean_of(_numbers(values))) for name, values in record["values"].items()}
        row |= {name: _text(_number(record[name]), 2) for name in ("fit_seconds", "answer_seconds")}
    if record["left_out"] is None and base is not None:
        for name in DECIDING[record["protocol"]]:
            own, plain = (_numbers(each["values"][name]) for each in (record, base))
            test = paired_t(own, plain, test_train_ratio=base["test_train_ratio"])
            row |= {f"{name}.gain": _text(test.effect), f"{name}.p": _text(test.p_value, 3)}
    return {name: row.get(name, "") for name in COLUMNS}


def number(row: Mapping[str, str], column: str) -> float:
    """A number in a row; NaN where there is none."""
    return float(row[column]) if row[column] else math.nan


def _numbers(values: Sequence[float | None]) -> FloatArray:
    return np.array([_number(value) for value in values], dtype=np.float64)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _text(value: float, n_digits: int = 5) -> str:
    return "" if math.isnan(value) else f"{value:.{n_digits}g}"
