"""The outcomes for instances of an open set: correct, missed (answered wrongly), or rejected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.evaluation.measures._arguments import checked_flags, checked_weights, ratio


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
