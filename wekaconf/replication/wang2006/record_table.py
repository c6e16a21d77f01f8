"""The records of Wang and Zhang 2006 by table, column and reading, and the comparisons of Tables 1 and 2."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from statistics import fmean
from types import MappingProxyType

import numpy as np

from wekaconf.evaluation.statistics import paired_t
from wekaconf.replication._cells import Published, Repeated
from wekaconf.replication._runner import Record
from wekaconf.replication.wang2006.measurement import COLUMNS, FOLDS, KEYS, PRINTED_RUNS, Column, Reading, printed_name

OTHER_READINGS: dict[str, tuple[Reading, ...]] = {
    "table": ("table",),
    "text": ("text", "honest", "table"),
    "honest": ("honest", "table"),
}
"""The readings to look in for a column, in order; a method whose text leaves nothing open has a figure in one only."""
Further = Mapping[tuple[str, int, str, str], Sequence[float]]
LEVEL = 0.05
RATIO = 1 / (FOLDS - 1)
"""Test instances over training instances of a fold."""
PARTS = {"table 1": 3, "table 2": 4}
"""The number of the table whose figures each part compares."""
SWAPPED = {"S": "W", "W": "S"}
FIRST = ("C", "S", "W", "own", "M")
"""The columns that the paper describes completely."""
Folds = Mapping[str, Sequence[float]]
"""The figures of a column on the folds of each data set, by the name of the set."""
Triple = tuple[int, int, int]
"""Wins, ties and losses."""


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


def wins(first: Folds, second: Folds) -> Triple:
    """Numbers of data sets on which the first column is significantly better, neither is, and the second is.

    The test is Weka's corrected resampled t-test, two-sided, at the level .05 on each data set, without correction for
    their number, as ``PairedCorrectedTTester`` of ``weka.experiment``.
    """
    signs = [paired_t(first[name], second[name], test_train_ratio=RATIO).sign(LEVEL) for name in first]
    return signs.count(1), signs.count(0), signs.count(-1)


def pairs() -> list[tuple[str, str]]:
    """Row and column of each entry, as keys of the columns."""
    return [(row, column) for i, row in enumerate(KEYS) for column in KEYS[:i]]


def keys_of(part: str, names: tuple[str, str]) -> tuple[str, str]:
    """The keys of two columns by their printed names."""
    by_name = {printed_name(PARTS[part], key): key for key in KEYS}
    return by_name[names[0]], by_name[names[1]]


def entries(part: str, folds: Mapping[tuple[int, str], Folds], *, swapped: bool) -> dict[tuple[str, str], Triple]:
    """The entries of Table 1 or 2 by their printed row and column.

    Parameters
    ----------
    part : {"table 1", "table 2"}
    folds : mapping of (table, key) to folds
    swapped : bool
        Whether the labels S and W stand for one another.
    """
    table = PARTS[part]
    key_of: Callable[[str], str] = (lambda key: SWAPPED.get(key, key)) if swapped else (lambda key: key)
    return {
        (printed_name(table, row), printed_name(table, column)): wins(
            folds[table, key_of(row)], folds[table, key_of(column)]
        )
        for row, column in pairs()
    }


def printed_figures(cells: Sequence[Published], part: str) -> dict[str, dict[str, float]]:
    """The figures of Table 3 or 4 by the names of their columns and data sets."""
    columns: dict[str, dict[str, float]] = {}
    for cell in cells:
        if cell.part == part and isinstance(cell.value, float):
            columns.setdefault(cell.column, {})[cell.row] = cell.value
    return columns


def contradictions(cells: Sequence[Published], part: str, *, swapped: bool = False) -> list[str]:
    """Clauses on the entries of Table 1 or 2 that contradict the paper's Table 3 or 4.

    A column cannot be significantly better on more data sets than those on which its printed figure is higher.

    Parameters
    ----------
    cells : sequence of Published
        All figures that the paper prints.
    part : {"table 1", "table 2"}
    swapped : bool
        Whether the labels S and W of the part stand for one another.
    """
    table = PARTS[part]
    figures = printed_figures(cells, f"table {table}")
    clauses = []
    for cell in cells:
        if cell.part != part or not isinstance(cell.value, tuple):
            continue
        row, column = keys_of(part, (cell.row, cell.column))
        if swapped:
            row, column = SWAPPED.get(row, row), SWAPPED.get(column, column)
        ours, theirs = figures[printed_name(table, row)], figures[printed_name(table, column)]
        higher = sum(ours[name] > theirs[name] for name in ours)
        lower = sum(ours[name] < theirs[name] for name in ours)
        claims = ((cell.row, cell.value[0], cell.column, higher), (cell.column, cell.value[2], cell.row, lower))
        clauses += [
            f"{winner} wins on {n} sets against {loser} and has the higher figure on {most}"
            for winner, n, loser, most in claims
            if n > most
        ]
    return clauses
