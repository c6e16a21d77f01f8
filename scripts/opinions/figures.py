"""How good answers and their certainty are."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.evaluation.measures import auroc, risk_coverage

TARGET_ERROR = 0.05
ROUNDING = 1e-9
"""What a probability may lie outside [0, 1]."""
SMALLER_IS_BETTER = frozenset({"error", "aurc", "brier"})


@dataclass(frozen=True)
class Figures:
    """How well a certainty tells right from wrong answers.

    Parameters
    ----------
    auroc : float
        The area under the ROC curve of right against wrong answers; a tie counts one half.
    aurc : float
        The area under the risk-coverage curve; answers of equal certainty are given together.
    coverage : float
        The largest share of the rows that a threshold answers with 5 % wrong answers.
    brier : float
        The mean squared difference of the certainty from 1 where the answer is right, from 0 where it is wrong; NaN of
        what is no probability.
    error : float
        The share of wrong answers.
    """

    auroc: float
    aurc: float
    coverage: float
    brier: float
    error: float

    @classmethod
    def of(cls, certainty: NDArray[np.float64], right: NDArray[np.bool_]) -> Figures:
        """The figures of some answers."""
        curve = risk_coverage(certainty, right)
        is_share = certainty.min() >= -ROUNDING and certainty.max() <= 1 + ROUNDING
        return cls(
            auroc(certainty, right),
            float(np.diff(curve.accepted, prepend=0) @ curve.error / curve.accepted[-1]),
            float(curve.coverage[curve.error <= TARGET_ERROR].max(initial=0.0)),
            float(np.mean((certainty - right) ** 2)) if is_share else math.nan,
            float(np.mean(~right)),
        )


def figures_of(
    proba: NDArray[np.float64], of_tree: NDArray[np.int64], actual: NDArray[np.int64], *, is_tree: bool
) -> dict[str, float]:
    """The figures of answers from distributions: their most probable classes, or those of the tree.

    The Brier score is that of all classes; ``own`` is the share of answers that are the tree's.
    """
    predicted = of_tree if is_tree else most_probable(proba)
    found = asdict(Figures.of(proba[np.arange(len(proba)), predicted], predicted == actual))
    found["brier"] = float(((proba - np.eye(proba.shape[1])[actual]) ** 2).sum(axis=1).mean())
    return found | {"own": float((predicted == of_tree).mean())}
