"""The terms of a sum: what the values of one attribute add to each class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wekaconf.data.arrays import FloatArray, Int64Array

FURTHEST = 10.0
"""In standard deviations: what lies further out tells no more."""


class Cells(NamedTuple):
    """A row for each nominal value or interval of numbers.

    Parameters
    ----------
    ends : (n_ends,) float64 or None
        The largest number of each interval, ascending; the last interval has none. None: the values are nominal.
    adds : (n_cells + 1, n_classes) float64
        The last row is that of a missing value.
    """

    ends: FloatArray | None
    adds: FloatArray

    def __call__(self, values: FloatArray) -> FloatArray:
        """(n, n_classes) float64: what values, NaN where they are missing, add to each class."""
        return np.asarray(self.adds[self.cells(values)])

    def cells(self, values: FloatArray) -> Int64Array:
        """(n,) int64: the row of each value."""
        return cells_of(values, self.ends, len(self.adds) - 1)


class Line(NamedTuple):
    """The number itself, in standard deviations from its mean, times a number per class; see `deviations`.

    Parameters
    ----------
    center, spread : float
    slope : (n_classes,) float64
    """

    center: float
    spread: float
    slope: FloatArray

    def __call__(self, values: FloatArray) -> FloatArray:
        """(n, n_classes) float64: what values, NaN where they are missing, add to each class."""
        return np.asarray(deviations(values, self.center, self.spread)[:, None] * self.slope)


Term = Cells | Line


def cells_of(values: FloatArray, ends: FloatArray | None, n_cells: int) -> Int64Array:
    """(n,) int64: the interval or nominal value of each, and ``n_cells`` where it is missing."""
    if ends is None:
        return np.where(np.isnan(values), n_cells, values).astype(np.int64)
    cells = np.searchsorted(ends, values)
    cells[np.isnan(values)] = n_cells
    return cells


def deviations(values: FloatArray, center: float, spread: float) -> FloatArray:
    """(n,) float64 in [-10, 10]: numbers less their mean, in standard deviations; 0 where they are missing."""
    with np.errstate(over="ignore"):
        found = (values - center) / spread
    found = np.clip(found, -FURTHEST, FURTHEST)
    found[np.isnan(found)] = 0.0
    return np.asarray(found)
