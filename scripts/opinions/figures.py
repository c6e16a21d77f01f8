"""How good answers and their certainty are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wekaconf.evaluation.ranking import auroc
from wekaconf.evaluation.risk_coverage import risk_coverage

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
