"""Rows as numbers of about the same size: scaled numbers, and cells of nominal values."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.methods.second_opinion._side import inputs
from wekaconf.methods.second_opinion._terms import cells_of, deviations

LARGEST_NUMBER = 1e150
"""Larger numbers count as this one, so that their squares are finite."""
ROUNDING = 1e-9
"""A standard deviation that is a smaller share of the largest number is rounding."""


class Scale(NamedTuple):
    """Numbers less their mean, in standard deviations of the training instances, at most ten; 0 where missing.

    Parameters
    ----------
    center, spread : (n_attributes,) float64
        0 and 1 of what is no number.
    """

    center: FloatArray
    spread: FloatArray

    @classmethod
    def of(cls, train: Dataset) -> Self:
        """Mean and standard deviation of the known numbers, by the weights of the instances."""
        center, spread = np.zeros(len(train.attributes)), np.ones(len(train.attributes))
        for column in inputs(train.header, "numeric", "date"):
            is_known = np.isfinite(train.values[:, column])
            if not is_known.any():
                continue
            known = np.clip(train.values[is_known, column], -LARGEST_NUMBER, LARGEST_NUMBER)
            weights = train.weights[is_known] / train.weights[is_known].sum()
            center[column] = weights @ known
            deviation = np.sqrt(weights @ (known - center[column]) ** 2)
            if deviation > ROUNDING * np.abs(known).max():
                spread[column] = deviation
        return cls(center, spread)

    def __call__(self, column: int, values: FloatArray) -> FloatArray:
        """(n,) float64 in [-10, 10]: the numbers of an attribute, scaled."""
        return deviations(values, float(self.center[column]), float(self.spread[column]))


def nominal_cells(header: Header, column: int, values: FloatArray) -> Int64Array:
    """(n,) int64: the index of each nominal value, and the number of declared values where it is missing."""
    return cells_of(values, None, len(header.attributes[column].values))
