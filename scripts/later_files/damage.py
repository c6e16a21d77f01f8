"""Twelve kinds of damage to the rows of a file, each in three sizes that were fixed before anything was measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import wekaconf as wc
from wekaconf.data.arrays import FloatArray
from wekaconf.data.training_summary import counted_as

SIZES = ("small", "medium", "large")
FEWEST_VALUES, LARGEST_VALUE, LEAST_VALUE = 3, 0.5, 0.1
"""A column is damaged if it has so many different values, none of them in more than this share of the rows; a nominal
one only if some value is in at least a tenth, so that it is no identifier."""
Damager = Callable[[FloatArray, float, np.random.Generator], FloatArray]
"""Takes the known cells of a column, the size and a generator, and makes other cells."""


def _some(change: Callable[[FloatArray], FloatArray | float]) -> Damager:
    """The damage that changes a share of the cells, drawn at random."""

    def damaged(cells: FloatArray, share: float, rng: np.random.Generator) -> FloatArray:
        return np.where(rng.random(len(cells)) < share, change(cells), cells)

    return damaged


def _value_of(cells: FloatArray, place: Callable[[NDArray[np.int64]], np.intp]) -> float:
    """The most or the least frequent value, by `numpy.argmax` or `numpy.argmin`."""
    values, counts = np.unique(cells, return_counts=True)
    return float(values[place(counts)])


@dataclass(frozen=True)
class Damage:
    """One kind of damage.

    Parameters
    ----------
    name : str
    column : {"numeric", "nominal", "any"}
        The kind of column that it hits.
    sizes : tuple of float
        Small, medium, large.
    of : str
        What the sizes are.
    apply : Damager
    selects_rows : bool
        Whether rows are left out instead of cells changed: those for which ``apply`` gives NaN.
    """

    name: str
    column: Literal["numeric", "nominal", "any"]
    sizes: tuple[float, float, float]
    of: str
    apply: Damager
    selects_rows: bool = False


DAMAGES = (
    Damage("too large", "numeric", (0.02, 0.1, 0.5), "of the rows, at ten ranges above the greatest",
           _some(lambda cells: cells.max() + 10 * (np.ptp(cells) or 1.0))),
    Damage("too small", "numeric", (0.02, 0.1, 0.5), "of the rows, at a range below the least",
           _some(lambda cells: cells.min() - (np.ptp(cells) or 1.0))),
    Damage("another unit", "numeric", (10.0, 100.0, 1000.0), "times as much", lambda cells, factor, _: cells * factor),
    Damage("moved", "numeric", (0.25, 0.5, 1.0), "standard deviations",
           lambda cells, size, _: cells + size * cells.std()),
    Damage("spread", "numeric", (1.25, 1.5, 3.0), "times the deviations from the median",
           lambda cells, factor, _: np.median(cells) + factor * (cells - np.median(cells))),
    Damage("noise", "numeric", (0.25, 0.5, 2.0), "standard deviations",
           lambda cells, size, rng: cells + size * cells.std() * rng.normal(size=len(cells))),
    Damage("saturated", "numeric", (0.1, 0.25, 0.5), "of the rows, cut off at the top",
           lambda cells, share, _: np.minimum(cells, np.quantile(cells, 1 - share))),
    Damage("stuck", "any", (0.1, 0.25, 0.75), "of the rows, with the most frequent value",
           _some(lambda cells: _value_of(cells, np.argmax))),
    Damage("other mix", "nominal", (0.1, 0.25, 0.75), "of the rows, with the least frequent value",
           _some(lambda cells: _value_of(cells, np.argmin))),
    Damage("a value lost", "nominal", (0.1, 0.25, 1.0), "of the rows, in which the most frequent value is lost",
           _some(lambda cells: np.where(cells == _value_of(cells, np.argmax), np.nan, cells))),
    Damage("missing", "any", (0.05, 0.2, 0.8), "of the rows", _some(lambda cells: np.full(len(cells), np.nan))),
    Damage("part of the rows", "numeric", (0.1, 0.25, 0.5), "of the rows left out, those with the least values",
           lambda cells, share, _: np.where(cells < np.quantile(cells, share), np.nan, cells), selects_rows=True),
)  # fmt: skip


def columns_for(damage: Damage, data: wc.Dataset) -> list[int]:
    """The columns that can be damaged so."""
    found = []
    for column in range(len(data.attributes)):
        kind, cells = counted_as(data.header, column), data.values[:, column]
        _, counts = np.unique(cells[~np.isnan(cells)], return_counts=True)
        most, n_known = counts.max(initial=0), counts.sum()
        is_varied = len(counts) >= FEWEST_VALUES and most <= LARGEST_VALUE * len(data) < n_known
        is_identifier = kind == "nominal" and most < LEAST_VALUE * len(data)
        if is_varied and not is_identifier and kind and damage.column in (kind, "any"):
            found.append(column)
    return found


def damaged(damage: Damage, size: str, data: wc.Dataset, column: int, rng: np.random.Generator) -> wc.Dataset:
    """The data with one column damaged, or without the rows that the damage leaves out."""
    values = data.values.copy()
    known = np.flatnonzero(~np.isnan(values[:, column]))
    values[known, column] = damage.apply(values[known, column], damage.sizes[SIZES.index(size)], rng)
    if not damage.selects_rows:
        return wc.Dataset(data.header, values)
    is_kept: NDArray[np.bool_] = ~(np.isnan(values[:, column]) & ~np.isnan(data.values[:, column]))
    return data.take(is_kept)
