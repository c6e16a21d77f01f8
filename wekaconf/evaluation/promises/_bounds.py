"""Bounds on the probability of an error, exact, from counts, and on the mean of a loss between 0 and 1.

``wrong`` and ``answered`` are counts of independent answers, as whole numbers or arrays of them, 0 ≤ wrong ≤ answered.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.data.arrays import FloatArray

ROUNDING = 1e-9
"""The rounding error of a sum of losses that does not count as a further loss."""
N_HALVINGS = 60
"""The number of bisections that find a bound to the last digit."""


def tail(wrong: ArrayLike, answered: ArrayLike, error: float) -> FloatArray:
    """P(X ≤ wrong) for X ~ Bin(answered, error): how likely so few errors are if each answer errs with ``error``.

    It is a p-value of the hypothesis that the error is larger than ``error``.
    """
    from scipy.special import bdtr

    return np.asarray(bdtr(wrong, np.asarray(answered, dtype=np.int64), error))


def upper_tail(wrong: ArrayLike, answered: ArrayLike, error: float) -> FloatArray:
    """P(X ≥ wrong) for X ~ Bin(answered, error), exact also where it is tiny; a p-value of a smaller or equal error."""
    from scipy.special import bdtrc

    return np.asarray(bdtrc(np.subtract(wrong, 1), np.asarray(answered, dtype=np.int64), error))


def upper_bound(wrong: ArrayLike, answered: ArrayLike, delta: float) -> FloatArray:
    """The largest error for which `tail` is at least ``delta``, by Clopper and Pearson; 1 without a right answer.

    The error of the population exceeds it with a probability of at most ``delta``.
    """
    from scipy.special import betaincinv

    wrong, right = np.asarray(wrong), np.subtract(answered, wrong)
    return np.where(right > 0, betaincinv(wrong + 1, np.maximum(right, 1), 1 - delta), 1.0)


def interval(wrong: int, answered: int, confidence: float = 0.95) -> tuple[float, float]:
    """The ends of the interval of Clopper and Pearson for the error; 0 and 1 without an answer."""
    delta = (1 - confidence) / 2
    return float(1 - upper_bound(answered - wrong, answered, delta)), float(upper_bound(wrong, answered, delta))


def least_answers(error: float, delta: float) -> int:
    """The least number of answers that show, with no error among them, an error of at most ``error``, in (0, 1).

    (1 − error)ⁿ ≤ delta.
    """
    n = max(math.ceil(math.log(delta) / math.log1p(-error)) - 1, 1)  # one less, for the logarithms are rounded
    return n if (1 - error) ** n <= delta else n + 1


def mean_tail(mean: ArrayLike, n: int, largest: ArrayLike) -> FloatArray:
    """A p-value of the hypothesis that the mean of a loss in [0, 1] is more than ``largest``, by Hoeffding and Bentkus.

    P(the mean of n independent losses ≤ ``mean``) is at most this if their expectation is ``largest``. It is 0 where
    ``largest`` is 1 or more.

    References
    ----------
    S. Bates et al. (2021), "Distribution-free, risk-controlling prediction sets", (9) and proposition 7. W. Hoeffding
    (1963), theorem 1. V. Bentkus (2004): the binomial tail times e.
    """
    from scipy.special import bdtr, kl_div

    mean, largest = np.broadcast_arrays(mean, largest)
    limit = np.clip(largest, 0.0, 1.0)
    below = np.minimum(mean, limit)
    with np.errstate(invalid="ignore"):  # ∞ − ∞ where the limit is 0 or 1
        hoeffding = np.exp(-n * (kl_div(below, limit) + kl_div(1 - below, 1 - limit)))
    bentkus = np.e * bdtr(np.minimum(np.ceil(mean * n - ROUNDING), n), n, limit)
    return np.where(largest >= 1, 0.0, np.where(largest <= 0, 1.0, np.minimum(hoeffding, bentkus).clip(max=1.0)))


def mean_bound(mean: ArrayLike, n: int, delta: float) -> FloatArray:
    """The largest expectation of a loss in [0, 1] for which `mean_tail` is at least ``delta``; 1 without a loss."""
    low = np.array(mean, dtype=np.float64)
    high = np.ones_like(low)
    if not n:
        return high
    for _ in range(N_HALVINGS):
        middle = (low + high) / 2
        is_possible = mean_tail(mean, n, middle) >= delta
        low, high = np.where(is_possible, middle, low), np.where(is_possible, high, middle)
    return high
