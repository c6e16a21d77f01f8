"""What counts as equal: answers and certainties that agree in 12 decimals.

Sums of the same shares in another order differ in their last digits. So whatever compares them (which class is the most
probable, which of two answers is more certain) rounds first, and here is how.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

SCALE = 1e12
"""Units in 1: what is compared are whole multiples of its inverse."""

FROM_HERE_COARSER = 8192.0
"""Neighbouring doubles of at least this size differ by more than a unit."""


def in_units(numbers: ArrayLike) -> NDArray[np.float64]:
    """(…) float64: the numbers in units of 1e-12, rounded to whole ones, halves to the even one."""
    return np.rint(np.asarray(numbers, dtype=np.float64) * SCALE)


def rounded(numbers: ArrayLike) -> NDArray[np.float64]:
    """(…) float64: the numbers rounded to 12 decimals; those too large to have so many, and ±∞, as they are."""
    numbers = np.asarray(numbers, dtype=np.float64)
    with np.errstate(over="ignore"):
        return np.where(np.abs(numbers) < FROM_HERE_COARSER, in_units(numbers) / SCALE, numbers)


def most_probable(proba: NDArray[np.float64]) -> NDArray[np.int64]:
    """(n_instances,) int64: the class of largest probability after rounding to 12 decimals, ties to the lowest."""
    return in_units(proba).argmax(axis=1)
