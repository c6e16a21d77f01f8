"""The effect of a threshold on the certainty: which answers it accepts and rejects.

``certainty`` is (n_instances,) float64, ±∞ allowed; ``correct`` is (n_instances,) bool, whether each answer is right;
``weights`` is (n_instances,) float64 in [0, 1e100], dimensionless, 1 when left out. A NaN, or arrays of different
lengths, raise an OptionError.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.base.errors import OptionError
from wekaconf.base.words import Argument
from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.evaluation.measures._arguments import checked, share_of
from wekaconf.methods.contract import is_rejected

LARGEST = float(np.finfo(np.float64).max)
"""The threshold that accepts only certainties of ∞; ∞ itself rejects everything."""


class Certainties(NamedTuple):
    """The certainty, correct and weights of instances; see the module."""

    certainty: FloatArray
    correct: BoolArray
    weights: FloatArray


@dataclass(frozen=True)
class Figures:
    """The effect of a threshold, in summed weights; the shares follow from these.

    Parameters
    ----------
    correct, wrong : float
        Weight of the correct and of the wrong answers that are accepted.
    rejected_correct, rejected_wrong : float
        Weight of the correct and of the wrong answers that are rejected.
    """

    correct: float
    wrong: float
    rejected_correct: float
    rejected_wrong: float

    @property
    def n(self) -> float:
        """Weight of all instances."""
        return self.accepted + self.rejected

    @property
    def accepted(self) -> float:
        """Weight of the instances that are answered."""
        return self.correct + self.wrong

    @property
    def rejected(self) -> float:
        """Weight of the instances that are left unanswered."""
        return self.rejected_correct + self.rejected_wrong

    @property
    def coverage(self) -> float:
        """Share of the instances that is accepted."""
        return share_of(self.accepted, self.n)

    @property
    def error(self) -> float:
        """Share of the accepted answers that is wrong; NaN if none is accepted."""
        return share_of(self.wrong, self.accepted)

    @property
    def error_without_rejecting(self) -> float:
        """Share of all answers that is wrong, rejected ones included."""
        return share_of(self.wrong + self.rejected_wrong, self.n)

    @property
    def kept_correct(self) -> float:
        """Share of the correct answers that is accepted."""
        return share_of(self.correct, self.correct + self.rejected_correct)

    @property
    def caught_wrong(self) -> float:
        """Share of the wrong answers that is rejected."""
        return share_of(self.rejected_wrong, self.wrong + self.rejected_wrong)

    def as_dict(self) -> dict[str, float]:
        """All figures by name."""
        names = ("n", "accepted", "rejected", "correct", "wrong", "rejected_correct", "rejected_wrong", "coverage")
        shares = ("error", "error_without_rejecting", "kept_correct", "caught_wrong")
        return {name: getattr(self, name) for name in (*names, *shares)}


def figures(
    certainty: ArrayLike, correct: ArrayLike, weights: ArrayLike | None, threshold: float | FloatArray
) -> Figures:
    """The effect of a threshold on instances.

    Parameters
    ----------
    certainty, correct, weights
        See the module.
    threshold : float or (n_instances,) float64
        One threshold for all instances, or one per instance, since folds have different thresholds.

    Returns
    -------
    Figures
    """
    certainty, correct, weights = checked(certainty, correct, weights)
    accepted = accepted_at(certainty, threshold)
    return Figures(
        correct=float(weights[accepted & correct].sum()),
        wrong=float(weights[accepted & ~correct].sum()),
        rejected_correct=float(weights[~accepted & correct].sum()),
        rejected_wrong=float(weights[~accepted & ~correct].sum()),
    )


def accepted_at(certainty: FloatArray, threshold: float | FloatArray) -> BoolArray:
    """(n,) bool: whether each instance is answered; OptionError if the threshold is NaN or of the wrong shape."""
    threshold = np.asarray(threshold, dtype=np.float64)
    if threshold.shape not in ((), certainty.shape) or np.isnan(threshold).any():
        raise OptionError(
            Argument("threshold"),
            f" must be a number, or one for each of the {len(certainty)} instances, and not NaN; "
            f"got {_threshold_text(threshold)}",
        )
    return ~is_rejected(certainty, threshold)


def _threshold_text(threshold: FloatArray) -> str:
    return f"{len(threshold)} numbers, {np.isnan(threshold).sum()} of them NaN" if threshold.ndim else f"{threshold:g}"


def levels_of(
    certainty: FloatArray, correct: BoolArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Thresholds at the distinct certainties, descending, and the weights of all and of the wrong answers accepted."""
    has_weight = weights > 0
    certainty, correct, weights = certainty[has_weight], correct[has_weight], weights[has_weight]
    descending, level = np.unique(-certainty, return_inverse=True)
    accepted = np.bincount(level, weights).cumsum()
    wrong = np.bincount(level, weights * ~correct).cumsum()
    return np.minimum(0.0 - descending, LARGEST), accepted, wrong
