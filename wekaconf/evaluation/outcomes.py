"""How instances of an open set were answered: correctly, wrongly (missed), or not at all (rejected)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.arguments import BoolArray, checked_flags, checked_weights, share_of


class Outcome(NamedTuple):
    """How the instances of a class fared, in percent of their weight ``n``."""

    class_name: str
    n: float
    correct: float
    missed: float
    rejected: float
    is_foreign: bool


def outcome_counts(
    correct: ArrayLike, rejected: ArrayLike, is_foreign: ArrayLike, weights: ArrayLike | None = None
) -> dict[str, dict[str, float]]:
    """How known and foreign instances fared.

    Parameters
    ----------
    correct : (n_instances,) bool
        Whether each answer is correct; ignored where ``is_foreign``.
    rejected : (n_instances,) bool
    is_foreign : (n_instances,) bool
        Whether the instance's class was absent from the training data.
    weights : (n_instances,) float64, optional
        In [0, ∞), dimensionless; 1 when left out.

    Returns
    -------
    dict
        ``"known"`` and ``"foreign"``, each a dict of ``n`` (summed weight) and of ``correct``, ``missed`` and
        ``rejected`` in percent of ``n``, NaN without instances; a foreign instance is never correct.

    References
    ----------
    P. Davidsson (1996), Tables 1 and 2.
    """
    is_foreign = checked_flags("is_foreign", is_foreign)
    weights = checked_weights(weights, len(is_foreign))
    correct = checked_flags("correct", correct, len(is_foreign)) & ~is_foreign
    rejected = checked_flags("rejected", rejected, len(is_foreign))
    groups = {"known": ~is_foreign, "foreign": is_foreign}
    return {
        group: dict(
            zip(("n", "correct", "missed", "rejected"), _outcome(correct, rejected, weights, chosen), strict=True)
        )
        for group, chosen in groups.items()
    }


def outcomes_by_class(
    actual: NDArray[np.int64],
    correct: ArrayLike,
    rejected: ArrayLike,
    is_foreign: ArrayLike,
    weights: ArrayLike | None,
    class_names: Sequence[str],
) -> list[Outcome]:
    """How the instances of each class fared.

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
        Classes with instances, in the order of the names: first where they were known, then where they were foreign.
        A class that was foreign in some folds only is listed twice.
    """
    rejected = checked_flags("rejected", rejected, len(actual))
    is_foreign = checked_flags("is_foreign", is_foreign, len(actual))
    weights = checked_weights(weights, len(actual))
    correct = checked_flags("correct", correct, len(actual)) & ~is_foreign
    group = np.where(actual < 0, -1, actual + len(class_names) * is_foreign)
    rows = []
    for foreign, c in (divmod(each, len(class_names)) for each in np.unique(group[group >= 0]).tolist()):
        outcome = _outcome(correct, rejected, weights, group == c + len(class_names) * foreign)
        if outcome[0] > 0:
            rows.append(Outcome(class_names[c], *outcome, bool(foreign)))
    return rows


def _outcome(
    correct: BoolArray, rejected: BoolArray, weights: FloatArray, chosen: BoolArray
) -> tuple[float, float, float, float]:
    """Weight of the chosen instances, and the percentages of it that are correct, missed and rejected."""
    correct, rejected, weights = correct[chosen], rejected[chosen], weights[chosen]
    n = float(weights.sum())
    parts = (correct & ~rejected, ~correct & ~rejected, rejected)
    right, missed, unanswered = (100.0 * share_of(float(weights[part].sum()), n) for part in parts)
    return n, right, missed, unanswered
