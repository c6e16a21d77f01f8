"""Forms in which sides become one certainty: a logistic regression with non-negative weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MOST_STEPS = 200
SMALLEST_DECREASE = 1e-12
FEWEST_ROWS, FEWEST_OF_EACH = 30, 5
"""With fewer rows, or fewer right or wrong answers out of fold, there is nothing to learn."""


def mid_ranks(reference: Floats, values: Floats) -> Floats:
    """(n, n_sides) float64 in [0, 1]: the share of the reference below each value, and half of that equal to it."""
    ranks = np.empty(values.shape)
    for column, (known, asked) in enumerate(zip(reference.T, values.T, strict=True)):
        ordered = np.sort(known)
        ranks[:, column] = (np.searchsorted(ordered, asked) + np.searchsorted(ordered, asked, "right")) / 2 / len(known)
    return ranks


def normal_scores(reference: Floats, values: Floats) -> Floats:
    """(n, n_sides) float64: the log-odds of the mid-ranks, which half a row keeps away from 0 and 1."""
    share = (mid_ranks(reference, values) * len(reference) + 0.5) / (len(reference) + 1)
    return np.asarray(np.log(share / (1 - share)))


def log_odds(reference: Floats, values: Floats) -> Floats:
    """(n, n_sides) float64: the log-odds of sides in [0, 1], the logarithm of others, scaled by the reference."""
    is_share = (reference >= 0).all(axis=0) & (reference <= 1).all(axis=0)

    def scores(sides: Floats) -> Floats:
        share = np.clip(sides, 0.001, 0.999)
        return np.where(is_share, np.log(share / (1 - share)), np.log(np.clip(sides, 1e-6, 1e6)))

    known = scores(reference)
    spread = known.std(axis=0)
    return np.asarray((scores(values) - known.mean(axis=0)) / np.where(spread > 0, spread, 1))


FORMS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "ranks": mid_ranks, "log-odds of ranks": normal_scores, "log-odds": log_odds,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Weights:
    """A logistic regression: log-odds of a right answer are the intercept and the weighted sum of the sides."""

    intercept: float
    weights: Floats

    def log_odds(self, sides: Floats) -> Floats:
        """(n,) float64."""
        return np.asarray(self.intercept + sides @ self.weights)


def fitted(sides: Floats, right: NDArray[np.bool_], l2: float) -> Weights:
    """The weights, none below 0, that minimise the logistic loss and l2/2 times their squares.

    Newton's steps in the weights that are above 0 or would rise, each cut where it falls below 0 and halved until the
    loss falls (Bertsekas 1982).
    """
    design = np.column_stack((np.ones(len(sides)), sides))
    penalty = np.r_[0.0, np.full(sides.shape[1], l2)]
    low = np.r_[-np.inf, np.zeros(sides.shape[1])]

    def loss(point: Floats) -> float:
        margin = np.where(right, 1, -1) * (design @ point)
        return float(np.logaddexp(0, -margin).sum() + penalty @ point**2 / 2)

    point = np.zeros(design.shape[1])
    now = loss(point)
    for _ in range(MOST_STEPS):
        share = 1 / (1 + np.exp(-(design @ point)))
        slope = design.T @ (share - right) + penalty * point
        is_free = (point > low) | (slope < 0)
        free = design[:, is_free]
        curvature = (free.T * (share * (1 - share))) @ free + np.diag(penalty[is_free] + 1e-9)
        step = np.zeros_like(point)
        step[is_free] = np.linalg.solve(curvature, slope[is_free])
        before, scale = now, 1.0
        while scale > 1e-9:
            moved = np.maximum(point - scale * step, low)
            if (now := loss(moved)) < before:
                point = moved
                break
            now, scale = before, scale / 2
        if before - now <= SMALLEST_DECREASE * max(before, 1):
            break
    return Weights(float(point[0]), point[1:])
