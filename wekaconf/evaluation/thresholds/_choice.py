"""The choice of a threshold on the certainty that reaches an aim.

The arrays are those that `wekaconf.evaluation.measures` describes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.measures import Figures, checked, figures, levels_of, mean_of
from wekaconf.evaluation.promises import CostPromise, Promise
from wekaconf.methods.contract import Thresholds

TOLERANCE = 1e-12
"""The rounding error of a share that does not count as missing the aim."""


MOST_LEVELS = 200
"""The largest number of thresholds in the curve of a choice, not counting the chosen one."""


@dataclass(frozen=True)
class Reachable:
    """The best threshold, where none reaches the aim.

    Parameters
    ----------
    threshold : float
        In the certainty's unit.
    figures : Figures
        The effect of the threshold on the instances that the choice was made on.
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
        The effect of the threshold on the instances it was chosen on.
    is_reached : bool
        Whether the aim is reached on these instances. If it is not (no threshold makes the error that small, there are
        no instances, or there is no correct answer to keep), the threshold is ∞.
    reachable : Reachable or None
        If no threshold makes the error as small as the aim wants: the smallest error that one makes, at the largest
        coverage that has it. None if the aim is reached, is not an error, or
        is a promise, whose ``best`` says it; or if there are no instances.
    curve : tuple of tuples
        The effect of other thresholds, see `thin_out_levels`; kept only for the out-of-fold thresholds of models.
    class_curve : tuple of tuples
        The effect of other thresholds on the answers that predict each class, see `count_by_class`; kept only for the
        thresholds of models that are chosen out of fold, or on calibration rows.
    promises : tuple of Promise or CostPromise
        What is promised where the aim has a confidence: one promise for all answers, or one per class.
    class_thresholds : tuple of float
        Where the promises are for classes, a threshold for every declared class, −∞ for those without a promise;
        ``threshold`` is then the smallest of those with one. Empty: one threshold for all answers.
    """

    aim: Aim
    threshold: float
    figures: Figures
    is_reached: bool
    reachable: Reachable | None = None
    # Some 200 points, a few kilobytes, and so in models only: in evaluations every fold would have them. A threshold
    # chosen on the training rows has none, since its figures would be too good.
    curve: tuple[tuple[float, float, float], ...] = field(default=(), compare=False, repr=False)
    class_curve: tuple[tuple[float, ...], ...] = field(default=(), compare=False, repr=False)
    promises: tuple[Promise | CostPromise, ...] = ()
    class_thresholds: tuple[float, ...] = ()

    @property
    def thresholds(self) -> Thresholds:
        """The threshold, or (n_classes,) float64: one for the answers that predict each class."""
        return np.array(self.class_thresholds) if self.class_thresholds else self.threshold

    def check_promises(self) -> None:
        """Raise ValueError unless the promises are those of the aim, and the thresholds theirs."""
        promised = tuple((promise.class_name, promise.target) for promise in self.promises)
        if promised != (() if self.aim.confidence is None else self.aim.targets):
            raise ValueError(f"expected promises of '{self.aim}', got {len(promised)} others")
        if not promised:
            if self.class_thresholds:
                raise ValueError("expected one threshold, got one per class")
            return
        if max(promise.delta for promise in self.promises) > self.aim.delta / len(promised) * (1 + 1e-12):
            raise ValueError(f"expected promises of '{self.aim}', got some of a smaller confidence")
        thresholds = {promise.threshold for promise in self.promises}
        is_by_class = bool(promised[0][0])
        if self.threshold != min(thresholds) or bool(self.class_thresholds) != is_by_class:
            raise ValueError("expected the thresholds of the promises")
        if is_by_class and set(self.class_thresholds) | {-math.inf} != thresholds | {-math.inf}:
            raise ValueError("expected the thresholds of the promises of each class")
        if self.is_reached != all(promise.is_reached for promise in self.promises):
            raise ValueError(f"expected is_reached as the thresholds of the promises say, got {self.is_reached}")
        if self.figures != figures_of(self.promises):
            raise ValueError("expected the figures of the promises")

    def as_record(self) -> dict[str, Any]:
        """The choice as a mapping that JSON can hold; `of_record` reads it."""
        best, value = self.reachable, self.aim.value
        return {
            "aim": [self.aim.kind, value.as_record() if isinstance(value, RejectCosts) else value],
            "threshold": self.threshold,
            "figures": astuple(self.figures),
            "is_reached": self.is_reached,
            "reachable": None if best is None else [best.threshold, *astuple(best.figures)],
            **({"curve": self.curve} if self.curve else {}),
            **({"class_curve": self.class_curve} if self.class_curve else {}),
            **({"confidence": self.aim.confidence} if self.promises else {}),
            **({"reject_costs": self.aim.reject_costs.as_record()} if self.aim.reject_costs else {}),
            **({"promises": [promise.as_record() for promise in self.promises]} if self.promises else {}),
            **({"class_thresholds": self.class_thresholds} if self.class_thresholds else {}),
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """The choice that a record from `as_record` describes.

        Raises
        ------
        OptionError, ValueError, KeyError, TypeError
            ``record`` is not such a record.
        """
        kind, value = record["aim"]
        confidence = record.get("confidence")
        threshold, figures = _numbers([record["threshold"], *record["figures"]])
        best = None if record["reachable"] is None else Reachable(*_numbers(record["reachable"]))
        curve: Any = tuple(_point("curve", values) for values in record.get("curve", ()))
        class_curve = tuple(_point("class_curve", values) for values in record.get("class_curve", ()))
        if not all(len(point) == 3 and point[1] > 0 for point in curve):
            raise ValueError(f"curve: expected a threshold and two weights each, got {curve}")
        if max(len(curve), len(class_curve)) > MOST_LEVELS + 1 or len({len(point) for point in class_curve}) > 1:
            raise ValueError(f"curve: expected at most {MOST_LEVELS + 1} thresholds, got {len(curve)}")
        if confidence is not None and isinstance(value, list):
            value = tuple(map(tuple, value))
        costs = RejectCosts.of_record(record["reject_costs"]) if "reject_costs" in record else None
        promises = tuple(
            Promise.of_record(promise) if costs is None else CostPromise.of_record(promise, costs)
            for promise in record.get("promises", ())
        )
        by_class = tuple(map(float, record.get("class_thresholds", ())))
        aim, is_reached = Aim(kind, value, confidence, costs), bool(record["is_reached"])
        choice = cls(aim, threshold, figures, is_reached, best, curve, class_curve, promises, by_class)
        choice.check_promises()
        return choice


def figures_of(promises: Sequence[Promise | CostPromise]) -> Figures:
    """The effect of the promises together on the calibration rows that they are about."""
    answered, wrong, n, n_wrong = (
        float(sum(getattr(promise, name) for promise in promises)) for name in ("answered", "wrong", "n", "n_wrong")
    )
    return Figures(answered - wrong, wrong, (n - n_wrong) - (answered - wrong), n_wrong - wrong)


def class_thresholds_of(promises: Sequence[Promise | CostPromise], class_names: Sequence[str]) -> tuple[float, ...]:
    """A threshold for each class, −∞ for one without a promise; empty if the promises are not of single classes."""
    by_class = {promise.class_name: promise.threshold for promise in promises if promise.class_name}
    return tuple(by_class.get(name, -math.inf) for name in class_names) if by_class else ()


def _numbers(values: Sequence[Any]) -> tuple[float, Figures]:
    """A threshold and the four weights of its figures; ValueError if the values are not that."""
    if not all(isinstance(number, int | float) for number in values):
        raise ValueError(f"expected a threshold and four weights, got {values}")
    threshold, *weights = map(float, values)
    if math.isnan(threshold) or len(weights) != 4 or not all(0 <= weight < math.inf for weight in weights):
        raise ValueError(f"expected a threshold and four weights, got {values}")
    return threshold, Figures(*weights)


def _point(name: str, values: Sequence[Any]) -> tuple[float, ...]:
    """A threshold, and pairs of weights: of accepted answers and of wrong ones among them; ValueError for others."""
    if not all(isinstance(number, int | float) for number in values) or len(values) % 2 == 0:
        raise ValueError(f"{name}: expected a threshold and pairs of weights, got {values}")
    threshold, *weights = map(float, values)
    pairs = zip(weights[::2], weights[1::2], strict=True)
    if math.isnan(threshold) or not all(0 <= wrong <= accepted < math.inf for accepted, wrong in pairs):
        raise ValueError(f"{name}: expected a threshold and pairs of weights, got {values}")
    return threshold, *weights


def choose_threshold(
    certainty: ArrayLike,
    correct: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    keep: float | None = None,
    target_error: float | None = None,
    target_coverage: float | None = None,
    cost: tuple[float, float] | None = None,
    chow: tuple[float, float] | None = None,
    below: float | None = None,
) -> Choice:
    """The certainty below which to reject, chosen on instances whose answers are known to be right or wrong.

    Use instances that neither the tree nor the method was fitted on: from cross-validation, or held out. For promises,
    and targets of classes, see `wekaconf.Scores`.

    Parameters
    ----------
    certainty, correct, weights
        See `wekaconf.evaluation.measures`.
    keep : float, optional
        Share of the correct answers to keep, in [0, 1]: the **largest** threshold that keeps at least this share. For 1
        that is the smallest certainty of a correct answer, for 0 it is ∞.
    target_error : float, optional
        Largest error among the accepted, in [0, 1]: the **smallest** threshold, and so the largest coverage, with at
        most this error.
    target_coverage : float, optional
        Share to accept, in [0, 1]: the **largest** threshold that accepts at least this share.
    cost : pair of float, optional
        Cost of an error and of a rejection: the threshold of least mean cost, the smallest one in case of ties.
    chow : pair of float, optional
        Cost of an error and of a rejection: 1 − rejection / error, Chow's rule; certainties must be probabilities.
    below : float, optional
        The threshold itself, to see what it does.

    Returns
    -------
    Choice
        Candidates are the distinct certainties and ∞; only ``chow`` and ``below`` give other thresholds. Equal
        certainties are accepted or rejected together, so a share may be exceeded; ``figures`` has what is reached.
        Without instances the threshold is ∞ and ``is_reached`` is False. If no threshold makes the error that small,
        ``reachable`` has the threshold that makes it smallest.
        Cost: time O(n log n), memory O(n).

    Raises
    ------
    OptionError
        There is not exactly one aim, its value is out of range, or the arrays are not as the module says.

    References
    ----------
    N. Tóth and B. Pataki (2006), section 3: the threshold that keeps a share of the correctly classified instances.
    C. K. Chow (1970): the rule of ``chow``, optimal if the probabilities are true.
    """
    aims = {
        "below": below, "keep": keep, "error": target_error, "coverage": target_coverage, "cost": cost, "chow": chow,
    }  # fmt: skip
    return choose(Aim.only(aims), certainty, correct, weights)


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
    """The summary, in a record, of the thresholds that were chosen for a method.

    Parameters
    ----------
    choices : sequence of Choice
        At least one, one per fold, all of the same aim.

    Returns
    -------
    dict
        ``aim`` in words; ``threshold``, mean over the choices; ``coverage``, ``error`` and ``kept_correct`` on the
        instances that the thresholds were chosen on, means over the choices where they are defined, absent if the aim
        is a fixed threshold; ``threshold_min`` and ``threshold_max``; ``n_choices``, and ``n_unreached``, the number of
        choices that missed the aim; where some of these have a `Reachable`, the means of its ``error`` and ``coverage``
        under "reachable"; where some missed the target of a class, the number of these under "unreached_classes", by
        class.
    """
    thresholds = [choice.threshold for choice in choices]
    means = {
        name: mean_of(getattr(choice.figures, name) for choice in choices)
        for name in ("coverage", "error", "kept_correct")
        if choices[0].aim.fixed_threshold is None
    }
    nearest = [choice.reachable.figures for choice in choices if choice.reachable is not None]
    reachable = {name: mean_of(getattr(best, name) for best in nearest) for name in ("error", "coverage")}
    missed = Counter(
        promise.class_name
        for choice in choices
        for promise in choice.promises
        if promise.class_name and not promise.is_reached
    )
    return {
        "aim": str(choices[0].aim),
        "threshold": mean_of(thresholds),
        "threshold_min": min(thresholds),
        "threshold_max": max(thresholds),
        **means,
        "n_choices": len(choices),
        "n_unreached": sum(not choice.is_reached for choice in choices),
        **({"reachable": reachable} if nearest else {}),
        **({"unreached_classes": dict(missed)} if missed else {}),
    }


def thin_out_levels(
    certainty: FloatArray, correct: BoolArray, weights: FloatArray, chosen: float
) -> tuple[tuple[float, float, float], ...]:
    """About 200 thresholds, spread evenly over the coverage, each with the weights of accepted and of wrong answers.

    The highest and the lowest are among them, and the lowest that is no lower than the chosen one.
    """
    threshold, accepted, wrong = levels_of(certainty, correct, weights)
    if len(threshold) > MOST_LEVELS:
        evenly = np.searchsorted(accepted, np.linspace(0, accepted[-1], MOST_LEVELS))
        last_accepted = np.searchsorted(-threshold, -chosen, side="right") - 1
        kept = np.unique(np.append(evenly, last_accepted).clip(0, len(threshold) - 1))
        threshold, accepted, wrong = threshold[kept], accepted[kept], wrong[kept]
    return tuple(zip(threshold.tolist(), accepted.tolist(), wrong.tolist(), strict=True))
