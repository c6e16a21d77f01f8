"""Tables 1 and 2 of Wang and Zhang 2006: numbers of data sets on which one column is significantly better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wekaconf.evaluation.statistics import paired_t
from wekaconf.replication._cells import Published
from wekaconf.replication.wang2006.columns import KEYS, printed_name
from wekaconf.replication.wang2006.measurement import FOLDS

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
