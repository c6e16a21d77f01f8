"""Rounding before comparisons: numbers that agree in 12 decimals count as equal.

Sums of the same shares in another order differ in their last digits. So the choice of the most probable class, and the
areas and bins that order certainties, round first, with the functions below. Thresholds do not: an answer is rejected
if its certainty is below the threshold to the last bit, and risk-coverage curves show what thresholds can do.

Two methods that answer alike may differ in the last digit of an area on every fold to the same side, which a test would
call significant; so differences of results that are below a unit count as 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

SCALE = 1e12
"""Number of units in 1; rounded numbers are whole multiples of a unit, 1e-12."""

FROM_HERE_COARSER = 8192.0
"""From this size on, neighbouring doubles differ by more than a unit."""


LARGEST_WHOLE = 2.0**53
"""Whole numbers below are exact in float64."""


def sums_are_exact(weights: NDArray[np.float64]) -> bool:
    """Whether the weights are whole numbers, none negative, whose sums are exact and so the same in any order."""
    return bool((weights == np.rint(weights)).all()) and bool(weights.sum() < LARGEST_WHOLE)


def in_units(numbers: ArrayLike) -> NDArray[np.float64]:
    """(…) float64: the numbers in units of 1e-12, rounded to integers, halves to even."""
    return np.rint(np.asarray(numbers, dtype=np.float64) * SCALE)


def rounded(numbers: ArrayLike) -> NDArray[np.float64]:
    """(…) float64: the numbers rounded to 12 decimals; ±∞, and numbers too large for 12 decimals, unchanged."""
    numbers = np.asarray(numbers, dtype=np.float64)
    with np.errstate(over="ignore"):
        return np.where(np.abs(numbers) < FROM_HERE_COARSER, in_units(numbers) / SCALE, numbers)


def most_probable(proba: NDArray[np.float64]) -> NDArray[np.int64]:
    """(n_instances,) int64: the most probable class after rounding to 12 decimals, ties to the lowest index."""
    return in_units(proba).argmax(axis=1)
