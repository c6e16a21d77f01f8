"""Exact bounds on the probability of an error, from counts: tails of binomial distributions.

``wrong`` and ``answered`` are counts of independent answers, as whole numbers or arrays of them, 0 ≤ wrong ≤ answered.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.data.arrays import FloatArray


def tail(wrong: ArrayLike, answered: ArrayLike, error: float) -> FloatArray:
    """P(X ≤ wrong) for X ~ Bin(answered, error): how likely so few errors are if each answer errs with ``error``.

    It is a p-value of the hypothesis that the error is larger than ``error``.
    """
    from scipy.special import bdtr

    return np.asarray(bdtr(wrong, answered, error), dtype=np.float64)


def upper_bound(wrong: ArrayLike, answered: ArrayLike, delta: float) -> FloatArray:
    """The largest error for which `tail` is at least ``delta``, by Clopper and Pearson; 1 without a right answer.

    The error of the population exceeds it with a probability of at most ``delta``.
    """
    from scipy.special import betaincinv

    wrong, right = np.asarray(wrong, dtype=np.float64), np.subtract(answered, wrong).astype(np.float64)
    return np.where(right > 0, betaincinv(wrong + 1, np.maximum(right, 1), 1 - delta), 1.0)


def intervals(wrong: ArrayLike, answered: ArrayLike, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """The ends of the intervals of Clopper and Pearson for the error; 0 and 1 without an answer."""
    delta = (1 - confidence) / 2
    return 1 - upper_bound(np.subtract(answered, wrong), answered, delta), upper_bound(wrong, answered, delta)


def interval(wrong: int, answered: int, confidence: float = 0.95) -> tuple[float, float]:
    """`intervals` of one pair of counts."""
    low, high = intervals(wrong, answered, confidence)
    return float(low), float(high)


def least_answers(error: float, delta: float) -> int | None:
    """The least number of answers that show, with no error among them, an error of at most ``error``; None: no number.

    (1 − error)ⁿ ≤ delta.
    """
    if error <= 0:
        return None
    if error >= 1:
        return 1
    n = max(math.ceil(math.log(delta) / math.log1p(-error)) - 1, 1)  # one less, for the logarithms are rounded
    return n if (1 - error) ** n <= delta else n + 1
