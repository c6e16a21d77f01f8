"""What is learned from the sides of rows out of fold: quantiles, weights, and an intercept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.stored import stored
from wekaconf.data.arrays import FloatArray, Int64Array

MOST_QUANTILES = 200
FEWEST_ROWS, FEWEST_OF_EACH = 30, 5
"""With fewer rows, or fewer right or wrong answers out of fold, there is nothing to learn."""
MOST_STEPS = 200
SMALLEST_DECREASE = 1e-12
"""Newton's steps end when the loss falls by a smaller share."""
LARGEST_WEIGHT = 1e6
TIE = 1e-12
"""Sides whose difference is a smaller share of them count as equal: programs round sums differently."""


@dataclass(frozen=True, eq=False)
class WeightedRanks:
    """A logistic regression on the log-odds of the sides' ranks; without sides where nothing could be learned.

    Parameters
    ----------
    quantiles : (n_quantiles, n_sides) float64
        Of the sides of the training instances, ascending in each column.
    weights : (n_sides,) float64
        In [0, ∞).
    mean : (n_sides,) float64
        The mean of `scaled` over the training instances.
    intercept : (1,) float64
        The log-odds of a right answer whose sides are at their means.
    """

    quantiles: Annotated[FloatArray, stored(np.float64, "n_quantiles", "n_sides", allows_inf=True)]
    weights: Annotated[FloatArray, stored(np.float64, "n_sides", low=0, high=LARGEST_WEIGHT)]
    mean: Annotated[FloatArray, stored(np.float64, "n_sides", low=-LARGEST_WEIGHT, high=LARGEST_WEIGHT)]
    intercept: Annotated[FloatArray, stored(np.float64, "1", low=-LARGEST_WEIGHT, high=LARGEST_WEIGHT)]

    @classmethod
    def nothing(cls) -> WeightedRanks:
        """What is learned from too few rows."""
        return cls(np.zeros((0, 0)), np.zeros(0), np.zeros(0), np.zeros(1))

    @classmethod
    def of(
        cls, sides: FloatArray, right: NDArray[np.bool_], instance_weights: FloatArray, penalty: float
    ) -> WeightedRanks:
        """Learn from the sides out of fold and whether the tree was right.

        Parameters
        ----------
        sides : (n, n_sides) float64
        right : (n,) bool
        instance_weights : (n,) float64
            How much each row counts, in (0, ∞); only their proportions matter.
        penalty : float
            Half of it times the squares of the weights counts beside the loss of n rows.
        """
        is_poor = len(right) < FEWEST_ROWS or min(right.sum(), (~right).sum()) < FEWEST_OF_EACH
        if is_poor or (sides == sides[:1]).all():
            return cls.nothing()
        n = min(len(sides), MOST_QUANTILES)
        quantiles = np.quantile(sides, (np.arange(n) + 0.5) / n, axis=0, method="inverted_cdf")
        ranks = scaled(sides, quantiles)
        share = instance_weights / instance_weights.sum()
        mean = share @ ranks
        intercept, weights = fitted(ranks - mean, right, share * len(right), penalty)
        return cls(quantiles, weights, mean, np.array([intercept]))

    def __bool__(self) -> bool:
        """Whether anything was learned."""
        return bool(len(self.weights))

    def places(self, sides: FloatArray) -> Int64Array:
        """(n, n_sides) int64: see `places`."""
        return places(sides, self.quantiles)

    @cached_property
    def part_of_place(self) -> FloatArray:
        """(2 n_quantiles + 1, n_sides) float64: what a side at each place adds to the log-odds."""
        n = len(self.quantiles)
        return (log_odds_of(np.arange(2 * n + 1)[:, None], n) - self.mean) * self.weights

    def parts(self, at: Int64Array) -> FloatArray:
        """(n, n_sides) float64: what each side adds to the log-odds at its place."""
        return np.take_along_axis(self.part_of_place, at, axis=0)

    def certainty(self, sides: FloatArray) -> FloatArray:
        """(n,) float64 in [0, 1]: the probability that the tree is right."""
        return self.certainty_of(self.parts(self.places(sides)))

    def certainty_of(self, parts: FloatArray) -> FloatArray:
        """(n,) float64 in [0, 1]: the probability that the tree is right, by what each side adds."""
        total = np.full(len(parts), self.intercept[0])
        for part in parts.T:  # in the order in which an account adds up
            total += part
        return logistic(total)


def places(sides: FloatArray, quantiles: FloatArray) -> Int64Array:
    """(n, n_sides) int64: twice the mid-rank of each side, in [0, ∞], among the quantiles of it."""
    found = np.empty(sides.shape, dtype=np.int64)
    for column, (known, asked) in enumerate(zip(quantiles.T, sides.T, strict=True)):
        with np.errstate(over="ignore"):  # above the largest number is ∞
            above = asked * (1 + TIE)
        found[:, column] = np.searchsorted(known, asked * (1 - TIE)) + np.searchsorted(known, above, "right")
    return found


def log_odds_of(at: Int64Array, n: int) -> FloatArray:
    """The log-odds of places among n quantiles, half a rank from 0 and 1."""
    return np.asarray(np.log((at / 2 + 0.5) / (n + 0.5 - at / 2)))


def scaled(sides: FloatArray, quantiles: FloatArray) -> FloatArray:
    """(n, n_sides) float64: the log-odds of each side's place among the quantiles."""
    return log_odds_of(places(sides, quantiles), len(quantiles))


def logistic(log_odds: FloatArray) -> FloatArray:
    """(n,) float64 in [0, 1]."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-log_odds)))


def fitted(
    sides: FloatArray, right: NDArray[np.bool_], instance_weights: FloatArray, penalty: float
) -> tuple[float, FloatArray]:
    """The intercept and the weights, none below 0, that minimise the logistic loss and penalty/2 times their squares.

    Newton's steps in the weights that are above 0 or would rise, each cut where it falls below 0 and halved until the
    loss falls (Bertsekas 1982, Projected Newton methods).
    """
    design = np.column_stack((np.ones(len(sides)), sides))
    penalties = np.append(0.0, np.full(sides.shape[1], penalty))
    low = np.append(-np.inf, np.zeros(sides.shape[1]))
    sign = np.where(right, 1.0, -1.0)

    def loss(point: FloatArray) -> float:
        return float(instance_weights @ np.logaddexp(0, -sign * (design @ point)) + penalties @ point**2 / 2)

    point, before = np.zeros(design.shape[1]), np.inf
    now = loss(point)
    for _ in range(MOST_STEPS):
        share = logistic(design @ point)
        slope = design.T @ (instance_weights * (share - right)) + penalties * point
        is_free = (point > low) | (slope < 0)
        free = design[:, is_free]
        curvature = (free.T * (instance_weights * share * (1 - share))) @ free + np.diag(penalties[is_free] + 1e-9)
        step = np.zeros_like(point)
        step[is_free] = np.linalg.solve(curvature, slope[is_free])
        before, scale = now, 1.0
        while scale > 1e-9 and not (now := loss(moved := np.maximum(point - scale * step, low))) < before:
            scale /= 2
        if not now < before - SMALLEST_DECREASE * before:
            break
        point = moved
    return float(point[0]), point[1:]
