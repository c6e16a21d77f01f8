"""Statistics of the paper, and of our own sentences, that `wekaconf.evaluation.statistics` does not have."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from wekaconf.base.rounding import rounded
from wekaconf.data.arrays import FloatArray

LEVEL = 0.05
# A trend that rises and then falls has no test, and so no verdict.
FEWEST_SIZES = 5
"""With fewer training sizes Kendall's test cannot find a trend at `LEVEL`."""
MOST_ORDERED = 8
"""All orders of up to this many numbers are counted, 40,320; of more, Student's t is a good approximation."""


class SignedRank(NamedTuple):
    """Wilcoxon's z and its two-sided p."""

    z: float
    p_value: float


def wilcoxon_z(first: FloatArray, second: FloatArray) -> SignedRank:
    """Wilcoxon's signed-rank test by the normal approximation, as SPSS prints it and Table II has it.

    z is that of the smaller sum of ranks, so never above 0; pairs without a difference are left out; no correction for
    continuity. NaN if nothing is left.
    """
    from scipy import stats

    difference = rounded(first - second)
    if not difference.any():
        return SignedRank(np.nan, np.nan)
    test = stats.wilcoxon(difference, zero_method="wilcox", method="approx")
    return SignedRank(-abs(float(test.zstatistic)), float(test.pvalue))


class Correlation(NamedTuple):
    """Spearman's correlation in [−1, 1] and its two-sided p."""

    rho: float
    p_value: float


def rank_correlation(first: FloatArray, second: FloatArray) -> Correlation:
    """Spearman's rank correlation; its p counts the orders of up to `MOST_ORDERED` numbers, else it is Student's t.

    For few numbers Student's t is too often significant: for four numbers in the same order it gives p = 0, although 2
    of the 24 orders are as far from chance. NaN where all numbers of a row are equal.
    """
    from scipy import stats

    a, b = (stats.rankdata(row) - (len(row) + 1) / 2 for row in (first, second))
    if not (a.any() and b.any()):
        return Correlation(np.nan, np.nan)
    if len(a) > MOST_ORDERED:
        test = stats.spearmanr(first, second)
        return Correlation(float(test.statistic), float(test.pvalue))
    rho = np.array([*permutations(b)]) @ a / np.sqrt((a @ a) * (b @ b))  # the order itself comes first
    return Correlation(float(rho[0]), float((np.abs(rho) >= abs(rho[0]) - 1e-12).mean()))


def half_width(numbers: FloatArray, *, of_next: bool = False) -> float:
    """Half of the 95 % interval of Student's t for the mean, or for one more number from the same source.

    NaN for fewer than two numbers.
    """
    from scipy import stats

    n = len(numbers)
    if n < 2:
        return np.nan
    return float(stats.t.ppf(0.975, n - 1) * numbers.std(ddof=1) * np.sqrt(1 / n + of_next))


def trend(sizes: Sequence[float], gains: FloatArray) -> str:
    """Whether gains fall or rise with the size of the training set, by Kendall's test at `LEVEL`."""
    from scipy import stats

    test = stats.kendalltau(sizes, gains)
    if not test.pvalue < LEVEL:  # NaN if all gains are equal
        return "no trend"
    return "falls" if test.statistic < 0 else "rises"
