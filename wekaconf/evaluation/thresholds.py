"""Thresholds of a certainty: which one reaches what is aimed at.

The arrays are those that `wekaconf.evaluation.accepting` describes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.data.dataset import FloatArray
from wekaconf.evaluation.accepting import Figures, figures
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.arguments import BoolArray, checked, mean_of

LARGEST = float(np.finfo(np.float64).max)
"""The threshold that accepts certainties of ∞ only; ∞ itself rejects everything."""

TOLERANCE = 1e-12
"""What rounding may take from a share before it counts as missed."""


@dataclass(frozen=True)
class Reachable:
    """The best that a threshold does where none reaches what is wanted.

    Parameters
    ----------
    threshold : float
        In the certainty's unit.
    figures : Figures
        What it does to the instances that the choice was made on.
    """

    threshold: float
    figures: Figures


@dataclass(frozen=True)
class Choice:
    """A threshold and what it reaches on the instances it was chosen on.

    Parameters
    ----------
    aim : Aim
    threshold : float
        In the certainty's unit; ∞ rejects every instance.
    figures : Figures
        On the instances it was chosen on.
    is_reached : bool
        Whether the instances allowed the aim. Where not (no threshold makes the error that small; no instances; none
        correct of which to keep a share), the threshold is ∞.
    reachable : Reachable or None
        Where an error is wanted that no threshold makes as small: the smallest error, at its largest coverage. None
        where the aim is reached, or nothing comes near it.
    """

    aim: Aim
    threshold: float
    figures: Figures
    is_reached: bool
    reachable: Reachable | None = None

    def as_record(self) -> dict[str, Any]:
        """All of it as JSON can hold it; `of_record` reads it."""
        best = self.reachable
        return {
            "aim": [self.aim.kind, self.aim.value],
            "threshold": self.threshold,
            "figures": astuple(self.figures),
            "is_reached": self.is_reached,
            "reachable": None if best is None else [best.threshold, *astuple(best.figures)],
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """What `as_record` was made of.

        Raises
        ------
        OptionError, ValueError, KeyError, TypeError
            It is not such a record.
        """
        kind, value = record["aim"]
        threshold, figures = _numbers([record["threshold"], *record["figures"]])
        best = None if record["reachable"] is None else Reachable(*_numbers(record["reachable"]))
        return cls(Aim(kind, value), threshold, figures, bool(record["is_reached"]), best)


def _numbers(given: Sequence[Any]) -> tuple[float, Figures]:
    """A threshold and the four weights of its figures; ValueError where they are none."""
    if not all(isinstance(number, int | float) for number in given):
        raise ValueError(f"expected a threshold and four weights, got {given}")
    threshold, *weights = map(float, given)
    if math.isnan(threshold) or len(weights) != 4 or not all(0 <= weight < math.inf for weight in weights):
        raise ValueError(f"expected a threshold and four weights, got {given}")
    return threshold, Figures(*weights)


def choose_threshold(
    certainty: ArrayLike,
    correct: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    keep: float | None = None,
    error: float | None = None,
    coverage: float | None = None,
    cost: tuple[float, float] | None = None,
    chow: tuple[float, float] | None = None,
    below: float | None = None,
) -> Choice:
    """The certainty below which to reject, chosen on instances whose answers are known to be right or wrong.

    Take instances that neither the tree nor the method was fitted on: answers of cross-validation, or held out ones.

    Parameters
    ----------
    certainty, correct, weights
        See `wekaconf.evaluation.accepting`.
    keep : float, optional
        Share of the correct answers to keep, in [0, 1]: the **largest** threshold that keeps as much. 1: the smallest
        certainty of a correct answer; 0: ∞.
    error : float, optional
        Largest error among the accepted, in [0, 1]: the **smallest** threshold, so the largest coverage, whose error
        is no more.
    coverage : float, optional
        Share to accept, in [0, 1]: the **largest** threshold that accepts as much.
    cost : pair of float, optional
        Cost of an error and of a rejection: the threshold of least mean cost, of equal ones the smallest.
    chow : pair of float, optional
        Cost of an error and of a rejection: 1 − rejection / error, Chow's rule; certainties must be probabilities.
    below : float, optional
        The threshold itself, to see what it does.

    Returns
    -------
    Choice
        Candidates are the distinct certainties and ∞; only ``chow`` and ``below`` give another. Ties jump: the share
        reached stands in ``figures``. Without instances ∞, and ``is_reached`` is False. Where no threshold makes the
        error that small, ``reachable`` has the one that makes it least.
        Cost: time O(n log n), memory O(n).

    Raises
    ------
    OptionError
        Not exactly one aim, one out of range, or as the module says.

    References
    ----------
    N. Tóth and B. Pataki (2006), section 3: the threshold that keeps a share of the correctly classified.
    C. K. Chow (1970): the rule of ``chow``, optimal where the probabilities are true.
    """
    given = {"below": below, "keep": keep, "error": error, "coverage": coverage, "cost": cost, "chow": chow}
    return choose(Aim.only(given), certainty, correct, weights)


def choose(aim: Aim, certainty: ArrayLike, correct: ArrayLike, weights: ArrayLike | None = None) -> Choice:
    """The threshold for an aim; see `choose_threshold`."""
    rows = checked(certainty, correct, weights)
    fixed = aim.fixed_threshold
    if fixed is not None:
        return Choice(aim, fixed, figures(*rows, fixed), is_reached=True)
    threshold, accepted, wrong = levels_of(*rows)
    threshold, accepted, wrong = np.append(np.inf, threshold), np.append(0.0, accepted), np.append(0.0, wrong)
    total, right = accepted[-1], accepted - wrong
    reachable = None
    match aim.kind:
        case "keep":
            place = int(np.argmax(right >= (aim.number - TOLERANCE) * right[-1]))
            is_reached = right[-1] > 0
        case "coverage":
            place = int(np.argmax(accepted >= (aim.number - TOLERANCE) * total))
            is_reached = total > 0
        case "error":
            fitting = np.flatnonzero((wrong <= (aim.number + TOLERANCE) * accepted) & (accepted > 0))
            place = int(fitting[-1]) if len(fitting) else 0
            is_reached = len(fitting) > 0
            if not is_reached and total > 0:
                error = wrong[1:] / accepted[1:]
                best = float(threshold[1:][np.flatnonzero(error <= error.min() + TOLERANCE)[-1]])
                reachable = Reachable(best, figures(*rows, best))
        case _:
            ratio = aim.costs[1] / aim.costs[0]
            cost = wrong + ratio * (total - accepted)
            place = int(np.flatnonzero(cost <= cost.min() + TOLERANCE * max(1.0, ratio) * total)[-1])
            is_reached = total > 0
    chosen = float(threshold[place])
    return Choice(aim, chosen, figures(*rows, chosen), bool(is_reached), reachable)


def choices_summary(choices: Sequence[Choice]) -> dict[str, Any]:
    """What a record tells of the thresholds that were chosen for a method.

    Parameters
    ----------
    choices : sequence of Choice
        One a fold, at least one, all of one aim.

    Returns
    -------
    dict
        ``aim`` in words; ``threshold``, ``coverage``, ``error`` and ``kept_correct``, on the instances that the
        thresholds were chosen on, as means over the choices where they are defined, left out where the aim is a fixed
        threshold; ``threshold_min`` and ``threshold_max``; ``n_choices`` and ``n_unreached``, how many of them did not
        reach the aim; where some of these have something `Reachable`, its mean ``error`` and ``coverage`` under
        "reachable".
    """
    thresholds = [choice.threshold for choice in choices]
    means = {
        name: mean_of(getattr(choice.figures, name) for choice in choices)
        for name in ("coverage", "error", "kept_correct")
        if choices[0].aim.fixed_threshold is None
    }
    nearest = [choice.reachable.figures for choice in choices if choice.reachable is not None]
    reachable = {name: mean_of(getattr(one, name) for one in nearest) for name in ("error", "coverage")}
    return {
        "aim": str(choices[0].aim),
        "threshold": mean_of(thresholds),
        "threshold_min": min(thresholds),
        "threshold_max": max(thresholds),
        **means,
        "n_choices": len(choices),
        "n_unreached": sum(not choice.is_reached for choice in choices),
        **({"reachable": reachable} if nearest else {}),
    }


def levels_of(
    certainty: FloatArray, correct: BoolArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Thresholds at the distinct certainties, descending; weight of what is at least as certain, and of the wrong."""
    counted = weights > 0
    certainty, correct, weights = certainty[counted], correct[counted], weights[counted]
    descending, level = np.unique(-certainty, return_inverse=True)
    accepted = np.bincount(level, weights, minlength=len(descending)).cumsum()
    wrong = np.bincount(level, weights * ~correct, minlength=len(descending)).cumsum()
    return np.minimum(0.0 - descending, LARGEST), accepted, wrong
