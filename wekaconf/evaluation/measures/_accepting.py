"""The effect of a threshold on the certainty: which answers it accepts and rejects, and the outcomes by class.

``certainty`` is (n_instances,) float64, ±∞ allowed; ``correct`` is (n_instances,) bool, whether each answer is right;
``weights`` is (n_instances,) float64 in [0, 1e100], dimensionless, 1 when left out. A NaN, or arrays of different
lengths, raise an OptionError.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.words import Argument
from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.evaluation.measures._arguments import checked, checked_flags, checked_weights, ratio, share_of
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


class Outcome(NamedTuple):
    """The outcomes for the instances of a class, in percent of their weight ``n``."""

    class_name: str
    n: float
    correct: float
    missed: float
    rejected: float
    is_foreign: bool


class Predicted(NamedTuple):
    """Answers that predict a class: the summed weights of those given, of the wrong ones among these, and of others."""

    class_name: str
    answered: float
    wrong: float
    rejected: float


def outcome_counts(
    correct: ArrayLike, rejected: ArrayLike, is_foreign: ArrayLike, weights: ArrayLike | None = None
) -> dict[str, dict[str, float]]:
    """The outcomes for instances of known and of unknown classes.

    Parameters
    ----------
    correct : (n_instances,) bool
        Whether each answer is correct; ignored where ``is_foreign``.
    rejected : (n_instances,) bool
    is_foreign : (n_instances,) bool
        Whether the instance's class was absent from the training data.
    weights : (n_instances,) float64, optional
        In [0, 1e100], dimensionless; 1 when left out.

    Returns
    -------
    dict
        ``"known"`` and ``"foreign"``, each a dict of ``n`` (summed weight) and of ``correct``, ``missed`` and
        ``rejected`` in percent of ``n``, NaN without instances; an instance of an unknown class is never correct.

    References
    ----------
    P. Davidsson (1996), Tables 1 and 2.
    """
    is_foreign = checked_flags("is_foreign", is_foreign)
    weights = checked_weights(weights, len(is_foreign))
    correct = checked_flags("correct", correct, len(is_foreign)) & ~is_foreign
    rejected = checked_flags("rejected", rejected, len(is_foreign))
    n, percent = _by_group(correct, rejected, weights, is_foreign.astype(np.intp), 2)
    return {
        group: dict(zip(("n", "correct", "missed", "rejected"), (float(n[i]), *percent[i].tolist()), strict=True))
        for i, group in enumerate(("known", "foreign"))
    }


def outcomes_by_class(
    actual: NDArray[np.int64],
    correct: ArrayLike,
    rejected: ArrayLike,
    is_foreign: ArrayLike,
    weights: ArrayLike | None,
    class_names: Sequence[str],
) -> list[Outcome]:
    """The outcomes for the instances of each class.

    Parameters
    ----------
    actual : (n_instances,) int64
        Index into ``class_names``; −1: the class is missing and the instance is left out.
    correct, rejected, is_foreign, weights
        See `outcome_counts`.
    class_names : sequence of str

    Returns
    -------
    list of Outcome
        Classes with instances, in the order of the names: first where they were known, then where they were unknown.
        A class that was unknown in some folds only is listed twice.
    """
    rejected = checked_flags("rejected", rejected, len(actual))
    is_foreign = checked_flags("is_foreign", is_foreign, len(actual))
    weights = checked_weights(weights, len(actual))
    correct = checked_flags("correct", correct, len(actual)) & ~is_foreign
    n_classes, chosen = len(class_names), actual >= 0
    group = (actual + n_classes * is_foreign)[chosen]
    n, percent = _by_group(correct[chosen], rejected[chosen], weights[chosen], group, 2 * n_classes)
    rows = []
    for g in np.flatnonzero(n > 0).tolist():
        right, missed, unanswered = percent[g].tolist()
        rows.append(Outcome(class_names[g % n_classes], float(n[g]), right, missed, unanswered, g >= n_classes))
    return rows


def predicted_by_class(
    predicted: NDArray[np.int64],
    correct: BoolArray,
    rejected: BoolArray,
    weights: FloatArray,
    class_names: Sequence[str],
) -> list[Predicted]:
    """The outcomes of the answers that predict each class, given or rejected; all classes, in their order.

    Parameters
    ----------
    predicted : (n_instances,) int64
        Index into ``class_names``.
    correct, rejected : (n_instances,) bool
    weights : (n_instances,) float64
    class_names : sequence of str
    """
    columns = (
        np.bincount(predicted, weights * flags, minlength=len(class_names)).tolist()
        for flags in (~rejected, ~rejected & ~correct, rejected)
    )
    return list(map(Predicted, class_names, *columns))


def _by_group(
    correct: BoolArray, rejected: BoolArray, weights: FloatArray, group: NDArray[np.integer[Any]], n_groups: int
) -> tuple[FloatArray, FloatArray]:
    """(n_groups,) weight of each group, and (n_groups, 3) the percentages that are correct, missed and rejected."""
    part = np.where(rejected, 2, np.where(correct, 0, 1))
    summed = np.bincount(3 * group + part, weights, minlength=3 * n_groups).reshape(-1, 3)
    n = np.bincount(group, weights, minlength=n_groups).astype(np.float64)  # the same to the last bit for all methods
    return n, 100.0 * ratio(summed, np.broadcast_to(n[:, None], summed.shape))
