"""How much better a scheme is than another over data sets, in rows of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from _records import FOLDER, Row
from _resampling import interval
from numpy.typing import NDArray

from opinions.figures import SMALLER_IS_BETTER
from wekaconf.evaluation.statistics import holm, signed_rank

RECORDED = FOLDER / "second-opinion-rivals.csv.gz"
"""Rivals on J48's splits of the judged half, measured at 2d62a167c8: gradient boosting, and `combined`.

`combined`, a method that was here before, learned from five methods how probable it is that the tree is right, and
answered as the tree does.
"""
LEVEL = 0.05


class Gain(NamedTuple):
    """How much better a figure is than another on the same sets, in the mean and with its bootstrap interval.

    Parameters
    ----------
    mean, low, high : float
        Positive where the first is better, whether the figure is to be large or small.
    better, worse : int
        On how many sets.
    p_value : float
        Of Wilcoxon's signed-rank test, not corrected.
    """

    mean: float
    low: float
    high: float
    better: int
    worse: int
    p_value: float

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ({self.low:+.3f} to {self.high:+.3f}; {self.better}, {self.worse})"


def by_set(rows: Sequence[Row], figure: str, **wanted: str) -> dict[str, float]:
    """A figure by data set, of the rows with these values; NaN where it is undefined.

    Parameters
    ----------
    rows : sequence of mapping
    figure : str
        A column.
    **wanted
        Values by column, such as ``scheme="combined"``.
    """
    chosen = (row for row in rows if all(row[name] == value for name, value in wanted.items()))
    return {row["data_set"]: float(row[figure] or "nan") for row in chosen}


def gain(ours: Mapping[str, float], theirs: Mapping[str, float], figure: str) -> Gain:
    """How much better a scheme is than another on the sets that both have.

    Parameters
    ----------
    ours, theirs : mapping of str to float
        See `by_set`.
    figure : str
        The column, which says whether it is to be large or small.
    """
    found: NDArray[np.float64] = np.array([ours[name] - theirs[name] for name in ours if name in theirs])
    found = -found if figure in SMALLER_IS_BETTER else found
    p_value = signed_rank(found, np.zeros(len(found))).p_value
    return Gain(float(found.mean()), *interval(found), int((found > 0).sum()), int((found < 0).sum()), p_value)


def corrected(gains: Sequence[Gain]) -> list[float]:
    """The p-values after Holm's correction for all of them."""
    return list(map(float, holm([each.p_value for each in gains])))


def verdict_of(is_met: bool) -> str:
    """Whether something that was wanted holds."""
    return "**It holds**" if is_met else "**It does not hold**"
