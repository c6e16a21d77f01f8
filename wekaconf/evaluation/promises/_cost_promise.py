"""Thresholds whose mean cost per row holds with a confidence: learn, then test.

A threshold t answers the rows whose certainty is at least t, each at the cost of its answer, and rejects the others,
each at the cost of a rejection. The calibration rows took no part in anything else and are drawn as the rows that are
to be answered, so their costs at t are independent and lie between 0 and the largest cost: `bounds.mean_tail` of their
mean is a p-value of the hypothesis that t costs more than the target. `promise_cost` tries many thresholds as
`wekaconf.evaluation.promises._promise` does; other than there, every row counts at every threshold.

A cost takes more than two values, so no binomial tail is exact. Hoeffding's and Bentkus's p-value is one formula of the
mean alone: a model file needs one sum per threshold, and anybody can check it. Betting bounds (Waudby-Smith and Ramdas
2024) are tighter where costs vary little, but depend on every single cost and on the order of the rows, which a file
would have to keep, or be believed. The largest cost is that which the costs allow, not the largest seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.evaluation.aims import RejectCosts
from wekaconf.evaluation.measures import levels_of
from wekaconf.evaluation.promises._bounds import N_HALVINGS, mean_bound, mean_tail
from wekaconf.evaluation.promises._promise import (
    MOST_CANDIDATES,
    N_LEVELS,
    best_bound,
    check_counts,
    n_passing,
    spread,
    surest,
)

CLOSE = 1e-9
"""The relative rounding error of a sum of costs."""
TINY = 1e-300
"""Keeps a division from 0."""


class CostedRows(NamedTuple):
    """Rows whose class is known.

    Parameters
    ----------
    certainty : (n_rows,) float64
    correct : (n_rows,) bool
    cost : (n_rows,) float64
        What the answer costs if it is given.
    """

    certainty: FloatArray
    correct: BoolArray
    cost: FloatArray


class CostLevel(NamedTuple):
    """A threshold, how many calibration rows it answers, and wrongly, and what all rows cost together."""

    threshold: float
    answered: int
    wrong: int
    cost: float


@dataclass(frozen=True)
class CostPromise:
    """A threshold that keeps a mean cost per row with a confidence, and the sums that this rests on.

    Parameters
    ----------
    target : float
        The largest mean cost per row, in the unit of the costs.
    delta : float
        The largest probability, over the draw of the calibration rows, that the promise is broken, in (0, 1).
    costs : RejectCosts
        What answers and rejections cost.
    threshold : float
        In the certainty's unit; ∞: no threshold could be shown to keep the target, and every answer is rejected.
    answered, wrong : int
        How many calibration rows are answered at the threshold, and how many of them wrongly.
    cost : float
        What all calibration rows cost together at the threshold.
    n, n_wrong : int
        Number of calibration rows, and of those that would be answered wrongly.
    levels : tuple of CostLevel
        Up to 20 thresholds, descending. With a probability of at least 1 − δ the `bounds` of all hold at once.
    """

    target: float
    delta: float
    costs: RejectCosts
    threshold: float
    answered: int
    wrong: int
    cost: float
    n: int
    n_wrong: int
    levels: tuple[CostLevel, ...] = field(repr=False)

    class_name = ""
    """The promise is about all rows."""

    def __post_init__(self) -> None:
        """Check that the sums are possible, and that they show what is promised."""
        if not (0 < self.target < math.inf and 0 < self.delta < 1):
            raise ValueError(f"promise: expected a cost and a probability, got {self.target!r} and {self.delta!r}")
        chosen = CostLevel(self.threshold, self.answered, self.wrong, self.cost)
        check_counts(chosen[:3], [level[:3] for level in self.levels], self.n, self.n_wrong)
        steps = pairwise(sorted({self._none, *self.levels, chosen}, reverse=True))
        if not all(self._is_step(high, low) for high, low in steps):
            raise ValueError(
                f"promise: the costs at the thresholds are not those of {self.n} rows whose answers cost up to "
                f"{self.costs.largest:g} each"
            )
        if self.is_reached and self._tail(self.cost, self.target) > self.delta:
            raise ValueError(
                f"promise: {self.n} rows at {self.cost:g} do not show a mean cost of at most {self.target:g}"
            )

    def _is_step(self, high: CostLevel, low: CostLevel) -> bool:
        """Whether the rows that only the lower of two thresholds answers can cost what it costs more."""
        n_further = low.answered - high.answered
        further_cost = low.cost - high.cost + n_further * self.costs.rejection
        slack = CLOSE * self.n * self.costs.largest
        return -slack <= further_cost <= n_further * self.costs.largest + slack

    def _tail(self, cost: float, target: float) -> float:
        return float(mean_tail(cost / (max(self.n, 1) * self.costs.largest), self.n, target / self.costs.largest))

    @property
    def is_reached(self) -> bool:
        """Whether anything is answered."""
        return self.threshold < math.inf

    @property
    def bounds(self) -> FloatArray:
        """(n_levels,) float64: mean costs that, with a probability of 1 − δ, are exceeded at no level."""
        mean = np.array([level.cost for level in self.levels]) / (max(self.n, 1) * self.costs.largest)
        return self.costs.largest * mean_bound(mean, self.n, self.delta / max(len(self.levels), 1))

    def of_target(self, target: float) -> CostPromise:
        """The promise for another target: the lowest of the ``levels`` whose bound is no larger."""
        if target == self.target:
            return self
        kept = np.flatnonzero(self.bounds <= target)
        level = self.levels[kept[-1]] if len(kept) else self._none
        return replace(self, target=target, **level._asdict())

    @property
    def _none(self) -> CostLevel:
        """The threshold that rejects everything."""
        return CostLevel(math.inf, 0, 0, self.n * self.costs.rejection)

    @property
    def best(self) -> tuple[float, float] | None:
        """The smallest of the ``bounds``, and the share of the rows answered there; None if no bound is informative."""
        return best_bound(self.bounds, [level.answered for level in self.levels], self.n, self.costs.largest)

    def as_record(self) -> dict[str, Any]:
        """The promise, but for its costs, as a mapping that JSON can hold; `of_record` reads it."""
        names = ("target", "delta", "threshold", "answered", "wrong", "cost", "n", "n_wrong", "levels")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def of_record(cls, record: Mapping[str, Any], costs: RejectCosts) -> Self:
        """The promise in a record from `as_record`; ValueError, KeyError or TypeError if its sums do not show it."""
        levels = tuple(
            CostLevel(float(threshold), answered, wrong, float(cost))
            for threshold, answered, wrong, cost in record["levels"]
        )
        target, delta, threshold, cost = (float(record[name]) for name in ("target", "delta", "threshold", "cost"))
        answered, wrong, n, n_wrong = (record[name] for name in ("answered", "wrong", "n", "n_wrong"))
        return cls(target, delta, costs, threshold, answered, wrong, cost, n, n_wrong, levels)


@dataclass(frozen=True, eq=False)
class CostPlan:
    """The tests of a mean cost, planned before any calibration row is answered.

    Parameters
    ----------
    target, delta, costs
        See `CostPromise`.
    threshold : (n_candidates,) float64
        The candidates that are tested, in this order, descending.
    kept : (n_levels,) float64
        The thresholds whose sums are kept for other targets, descending.
    """

    target: float
    delta: float
    costs: RejectCosts
    threshold: FloatArray
    kept: FloatArray

    @classmethod
    def of(
        cls, target: float, delta: float, costs: RejectCosts, reference: CostedRows, n: int, *, optimism: float
    ) -> Self:
        """The plan for ``n`` calibration rows; see `promise_cost`."""
        scale = costs.largest
        expected = _Expected.of(reference, costs, optimism)
        tried = expected.take(MOST_CANDIDATES)

        from scipy.special import ndtr

        room = (_largest_passing_mean(n, target / scale, delta) - tried.mean) * math.sqrt(n)
        chance = np.where(tried.deviation > 0, ndtr(room / np.maximum(tried.deviation, TINY)), room >= 0)
        return cls(target, delta, costs, tried.threshold[surest(chance) :], expected.take(N_LEVELS).threshold)

    def promise(self, rows: CostedRows) -> CostPromise:
        """Carry the tests out; the last candidate that passes is the threshold."""
        n, scale = len(rows.certainty), self.costs.largest
        found, kept = _levels(rows, self.costs, self.threshold, self.kept)
        mean = np.array([level.cost for level in found]) / (max(n, 1) * scale)
        n_passed = n_passing(mean_tail(mean, n, self.target / scale), self.delta)
        chosen = found[n_passed - 1] if n_passed else CostLevel(math.inf, 0, 0, n * self.costs.rejection)
        return CostPromise(self.target, self.delta, self.costs, *chosen, n, int((~rows.correct).sum()), kept)


def promise_cost(
    target: float, delta: float, costs: RejectCosts, rows: CostedRows, reference: CostedRows, *, optimism: float
) -> CostPromise:
    """The lowest threshold that can be shown to keep a mean cost per row.

    Candidates and the order of their tests follow from the reference rows as in
    `wekaconf.evaluation.promises._promise`. That a candidate passes is estimated from the mean and the variance of the
    costs of the reference rows by a normal distribution.

    Parameters
    ----------
    target : float
        The largest mean cost per row, more than 0, in the unit of the costs.
    delta : float
        In (0, 1); 1 − δ is the confidence.
    costs : RejectCosts
    rows : CostedRows
        The calibration rows, of equal weights.
    reference : CostedRows
        Of the rows that tell candidates and order: others than the calibration rows.
    optimism : float
        The factor by which the reference rows may err too seldom, at least 1.

    Returns
    -------
    CostPromise
        Cost: time O(n log n) for n rows of either kind, memory O(n).

    References
    ----------
    A. N. Angelopoulos et al. (2021), "Learn then test". S. Bates et al. (2021): the p-values, see `bounds.mean_tail`.
    """
    return CostPlan.of(target, delta, costs, reference, len(rows.certainty), optimism=optimism).promise(rows)


class _Expected(NamedTuple):
    """The costs that reference rows let expect of thresholds, descending; as shares of the largest one."""

    threshold: FloatArray
    answered: FloatArray
    mean: FloatArray
    deviation: FloatArray

    @classmethod
    def of(cls, reference: CostedRows, costs: RejectCosts, optimism: float) -> _Expected:
        """The expectation at each certainty; errors count ``optimism`` times, and one of largest cost is added."""
        n = len(reference.certainty)
        threshold, answered, _ = levels_of(reference.certainty, reference.correct, np.ones(n))
        cost, rejection = reference.cost / costs.largest, costs.rejection / costs.largest
        factor = np.where(reference.correct, 1.0, optimism)

        moments = _summed(reference.certainty, factor * cost, factor * cost**2)
        mean, square = (
            np.minimum((given + (n - answered) * rejection**power + 1) / (n + 1), 1.0)
            for power, given in enumerate(moments, start=1)
        )
        return cls(threshold, answered, mean, np.sqrt(np.maximum(square - mean**2, 0.0)))

    def take(self, most: int) -> _Expected:
        """At most so many of them, spread evenly over what they answer."""
        kept = spread(self.answered, most)
        return _Expected(*(values[kept] for values in self))


def _summed(certainty: FloatArray, *values: FloatArray) -> list[FloatArray]:
    """Each of the values summed from the highest certainty down to each distinct one."""
    level = np.unique(-certainty, return_inverse=True)[1]
    return [np.bincount(level, each).cumsum() for each in values]


def _levels(rows: CostedRows, costs: RejectCosts, *thresholds: FloatArray) -> list[tuple[CostLevel, ...]]:
    """The effect of thresholds on rows, for each of several lists of thresholds."""
    n, [given] = len(rows.certainty), _summed(rows.certainty, rows.cost)
    level, answered, wrong = levels_of(rows.certainty, rows.correct, np.ones(n))
    cost = np.append(n * costs.rejection, given + (n - answered) * costs.rejection)
    counts = [np.append(0, count).astype(np.int64) for count in (answered, wrong)]
    places = [np.searchsorted(-level, -each, side="right") for each in thresholds]
    return [
        tuple(map(CostLevel, each.tolist(), *(sums[place].tolist() for sums in (*counts, cost))))
        for each, place in zip(thresholds, places, strict=True)
    ]


def _largest_passing_mean(n: int, target: float, level: float) -> float:
    """The largest mean of n losses in [0, 1] that shows at a level that its expectation is at most the target.

    −1 if none does.
    """
    if float(mean_tail(0.0, n, target)) > level:
        return -1.0
    low, high = 0.0, min(target, 1.0)
    for _ in range(N_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if float(mean_tail(middle, n, target)) <= level else (low, middle)
    return low
