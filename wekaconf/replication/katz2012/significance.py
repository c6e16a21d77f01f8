"""The tests of Table II, and those of our own sentences."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wekaconf.data.dataset import FloatArray

LEVEL = 0.05
DECIMALS = 9
"""Figures that agree after rounding to this many decimals are a tie."""


class Pair(NamedTuple):
    """A test's statistic and its two-sided p."""

    statistic: float
    p: float


def difference(first: FloatArray, second: FloatArray) -> FloatArray:
    """``first − second``, 0 where they agree in `DECIMALS` decimals."""
    return np.asarray((first - second).round(DECIMALS))


def wilcoxon_z(first: FloatArray, second: FloatArray) -> Pair | None:
    """Wilcoxon's signed-rank test with the normal approximation, as SPSS prints it: z of the smaller sum, so never > 0.

    Pairs without a difference are left out; no correction for continuity. None if nothing is left.
    """
    from scipy import stats

    gap = difference(first, second)
    gap = gap[gap != 0]
    if not len(gap):
        return None
    found = stats.wilcoxon(gap, correction=False, method="approx")
    return Pair(-abs(float(found.zstatistic)), float(found.pvalue))


def paired_t(first: FloatArray, second: FloatArray) -> Pair | None:
    """The paired t-test of ``first − second``; None if the difference is the same everywhere."""
    from scipy import stats

    gap = difference(first, second)
    if len(gap) < 2 or np.ptp(gap) == 0:
        return None
    found = stats.ttest_1samp(gap, 0.0)
    return Pair(float(found.statistic), float(found.pvalue))


def wilcoxon_p(gap: FloatArray) -> float:
    """The p of Wilcoxon's two-sided signed-rank test of differences; 1 if all are zero.

    Zeros are left out; exact for up to 50 others of different sizes, as ``scipy.stats.wilcoxon`` chooses.
    """
    from scipy import stats

    gap = gap.round(DECIMALS)
    gap = gap[gap != 0]
    if not len(gap):
        return 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it says that the sample is small, which the sentence shows
        return float(stats.wilcoxon(gap).pvalue)


def holm(p: Sequence[float]) -> list[float]:
    """The p of a family of tests, adjusted by Holm's method."""
    order = np.argsort(p)
    adjusted = np.maximum.accumulate(np.asarray(p)[order] * np.arange(len(p), 0, -1)).clip(max=1)
    result = np.empty(len(p))
    result[order] = adjusted
    return result.tolist()


def half_width(numbers: FloatArray, *, of_next: bool = False) -> float:
    """Half of the 95 % interval of Student's t for the mean, or for one more number from the same source.

    NaN for fewer than two numbers.
    """
    from scipy import stats

    n = len(numbers)
    if n < 2:
        return float("nan")
    return float(stats.t.ppf(0.975, n - 1) * numbers.std(ddof=1) * np.sqrt(1 / n + of_next))


def trend(sizes: Sequence[float], gains: FloatArray) -> str:
    """Whether gains fall or rise with the size, by Kendall's test at the level .05."""
    from scipy import stats

    found = stats.kendalltau(sizes, gains)
    if not found.pvalue < LEVEL:  # NaN if all gains are equal
        return "no trend"
    return "falls" if found.statistic < 0 else "rises"
