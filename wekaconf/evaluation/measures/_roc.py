"""The ROC curve of one class against the rest, with its blocks of equal scores."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from wekaconf.data.arrays import FloatArray

SMALLEST_BLOCK = 0.005
"""The smallest area, of a square of 1, for which a block of equal scores gets a box."""


@dataclass(frozen=True, eq=False)
class Roc:
    """The ROC curve of one class against the rest.

    Parameters
    ----------
    false, true : (n_points,) float64
        Share of the other instances and of those of the class whose score is at least that of the point; from 0 to 1.
        Instances of equal score are one step: the line between its ends is where they are in random order.
    n_others, n_of_class : float
        Summed weights.
    """

    false: FloatArray
    true: FloatArray
    n_others: float
    n_of_class: float

    @property
    def area(self) -> float:
        """Area below the curve, ties counting ½."""
        return float(np.diff(self.false) @ (self.true[1:] + self.true[:-1]) / 2)

    @property
    def bounds(self) -> tuple[float, float]:
        """The area with ties counting 0, and counting 1: the worst and the best order of equal scores."""
        steps = np.diff(self.false)
        return float(steps @ self.true[:-1]), float(steps @ self.true[1:])

    @property
    def blocks(self) -> list[tuple[float, float, float, float]]:
        """Corners of the blocks of equal scores that hold both kinds of instances, the largest first."""
        corners = zip(pairwise(self.false), pairwise(self.true), strict=True)
        large_blocks = [(a, b, c, d) for (a, c), (b, d) in corners if (c - a) * (d - b) >= SMALLEST_BLOCK]
        return sorted(large_blocks, key=lambda box: (box[0] - box[2]) * (box[3] - box[1]))


def roc_curve(score: FloatArray, is_of_class: FloatArray, weights: FloatArray) -> Roc:
    """The ROC curve of scores.

    Parameters
    ----------
    score, is_of_class, weights : (n_instances,) float64
        Both kinds of instances must be present.
    """
    _, level = np.unique(-score, return_inverse=True)
    positives = np.bincount(level, weights * is_of_class).cumsum()
    others = np.bincount(level, weights * (1.0 - is_of_class)).cumsum()
    return Roc(
        np.append(0.0, others / others[-1]), np.append(0.0, positives / positives[-1]), others[-1], positives[-1]
    )  # fmt: skip
