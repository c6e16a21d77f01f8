"""The records of Wang and Zhang 2006, by table, column and reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from statistics import fmean
from types import MappingProxyType

import numpy as np

from wekaconf.replication._cells import Repeated
from wekaconf.replication._runner import Record
from wekaconf.replication.wang2006.columns import COLUMNS, KEYS, Column, Reading, printed_name
from wekaconf.replication.wang2006.comparing import Folds
from wekaconf.replication.wang2006.measurement import FOLDS, PRINTED_RUNS

OTHER_READINGS: dict[str, tuple[Reading, ...]] = {
    "table": ("table",),
    "text": ("text", "honest", "table"),
    "honest": ("honest", "table"),
}
"""The readings to look in for a column, in order; a method whose text leaves nothing open has a figure in one only."""
Further = Mapping[tuple[str, int, str, str], Sequence[float]]


class Measured:
    """The records for Tables 3 and 4, by column.

    Parameters
    ----------
    records : sequence of dict
        See `wekaconf.replication.wang2006.measurement.measure`.
    further : mapping of (dataset, table, column, reading) to sequence of float
        Figures of repetitions whose folds were not kept, in percent.
    """

    def __init__(
        self,
        records: Sequence[Record],
        further: Mapping[tuple[str, int, str, str], Sequence[float]] = MappingProxyType({}),
    ) -> None:
        self.records, self.further = records, further
        self.names = list(dict.fromkeys(str(record["dataset"]) for record in records))

    @cached_property
    def _by_column(self) -> dict[tuple[int, str, str], dict[str, Record]]:
        by_column: dict[tuple[int, str, str], dict[str, Record]] = {}
        for record in self.records:
            key = record["table"], record["column"], record["reading"]
            by_column.setdefault(key, {})[record["dataset"]] = record
        return by_column

    def of(self, column: Column) -> Mapping[str, float]:
        """The figure of a column on each data set, in percent."""
        records = self._by_column.get((column.table, column.name, column.reading), {})
        return {name: record["measured"] for name, record in records.items()}

    def repeated(self, column: Column) -> Mapping[str, Repeated]:
        """The figure of a column on each data set, repeated: means of `PRINTED_RUNS` cross-validations in a row."""
        place = column.table, column.name, column.reading
        return {
            name: repeated(values, self.further.get((name, *place), ())) for name, values in self.folds(column).items()
        }

    def between_runs(self, column: Column) -> Mapping[str, tuple[float, float]]:
        """The lowest and the highest single cross-validation of a column on each data set, in percent."""
        by_run = {name: np.reshape(values, (-1, FOLDS)).mean(axis=1) for name, values in self.folds(column).items()}
        return {name: (float(means.min()), float(means.max())) for name, means in by_run.items()}

    def folds(self, column: Column) -> Folds:
        """The figures of a column on each fold of each data set, in percent."""
        records = self._by_column.get((column.table, column.name, column.reading), {})
        return {name: record["fold_values"] for name, record in records.items()}

    def mean(self, column: Column) -> float:
        """The mean of a column over the data sets."""
        return fmean(self.of(column).values())


def repeated(fold_values: Sequence[float], further: Sequence[float] = ()) -> Repeated:
    """The repetitions of what the paper prints, and further ones; fewer runs than it has are one repetition."""
    n = FOLDS * PRINTED_RUNS
    blocks = [fold_values[i : i + n] for i in range(0, len(fold_values) - n + 1, n)]
    return Repeated.of([*map(fmean, blocks or [fold_values]), *further])


def column_of(table: int, key: str, reading: str) -> Column:
    """The column that stands for a printed one in a reading."""
    by_place = {(column.table, column.key, column.reading): column for column in COLUMNS if column.key}
    return next(by_place[table, key, each] for each in OTHER_READINGS[reading] if (table, key, each) in by_place)


def printed_columns(table: int, reading: str) -> dict[str, Column]:
    """The columns of a table by their printed names, in the paper's order."""
    return {printed_name(table, key): column_of(table, key, reading) for key in KEYS}


def controls(table: int) -> list[Column]:
    """The columns measured on the trees of a table that the paper does not have."""
    return [column for column in COLUMNS if column.table == table and not column.key]
