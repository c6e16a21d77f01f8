"""Thresholds of a certainty: what is aimed at, and which threshold reaches it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.answer import CertaintyRange, is_rejected
from wekaconf.data.dataset import FloatArray, name_list
from wekaconf.errors import OptionError
from wekaconf.evaluation.arguments import BoolArray, checked, mean_of, share_of

LARGEST = float(np.finfo(np.float64).max)
"""The threshold that accepts certainties of ∞ only; ∞ itself rejects everything."""

TOLERANCE = 1e-12
"""What rounding may take from a share before it counts as missed."""

SHARES = ("keep", "error", "coverage")

COSTS = ("cost", "chow")

KINDS = ("below", *SHARES, *COSTS)
"""What an aim can be; see `Aim`."""


@dataclass(frozen=True)
class Aim:
    """What a threshold is to reach.

    Parameters
    ----------
    kind : {"below", "keep", "error", "coverage", "cost", "chow"}
        ``below``: a fixed certainty, below which is rejected. ``keep``: the share of the correct answers to keep.
        ``error``: the largest share of wrong answers among the accepted. ``coverage``: the share to accept.
        ``cost``: the least mean cost on the given instances. ``chow``: Chow's rule, reject when 1 − certainty is
        more than the cost of a rejection by that of an error; for certainties that are probabilities.
    value : float or pair of float
        ``below``: in the certainty's unit; ``keep``, ``error``, ``coverage``: in [0, 1]; ``cost``, ``chow``: the cost
        of an error, > 0, and of a rejection, ≥ 0, in one unit.

    Raises
    ------
    OptionError
        Another kind, or a value out of range.
    """

    kind: str
    value: float | tuple[float, float]

    def __post_init__(self) -> None:
        """Check, and turn the value into floats."""
        if self.kind not in KINDS:
            raise OptionError(f"an aim must be one of {name_list(KINDS)}, got '{self.kind}'")
        object.__setattr__(self, "value", _checked_value(self.kind, self.value))

    @classmethod
    def parse(cls, kind: str, text: str) -> Self:
        """An aim as the command line has it: a number, or error cost and rejection cost as ``10:1``.

        Raises
        ------
        OptionError
            The text cannot be read, or as for the class.
        """
        parts = text.split(":")
        try:
            numbers = tuple(float(part) for part in parts)
        except ValueError:
            numbers = ()
        if kind in COSTS and len(numbers) != 2:
            raise OptionError(
                f"{kind} expects the cost of an error and that of a rejection, such as 10:1, got '{text}'"
            )
        if kind not in COSTS and len(numbers) != 1:
            example = "a certainty, such as 0.5" if kind == "below" else "a share in [0, 1], such as 0.93"
            raise OptionError(f"{kind} expects {example}, got '{text}'")
        return cls(kind, (numbers[0], numbers[1]) if len(numbers) == 2 else numbers[0])

    @classmethod
    def only(cls, given: Mapping[str, Any]) -> Self:
        """The one aim among values by kind, None where not given; OptionError when there is not exactly one."""
        chosen = {kind: value for kind, value in given.items() if value is not None}
        if len(chosen) != 1:
            got = f"got {name_list(chosen)}" if chosen else "got none"
            raise OptionError(f"a threshold has one aim: give exactly one of {name_list(KINDS)}; {got}")
        return cls(*next(iter(chosen.items())))

    @property
    def fixed_threshold(self) -> float | None:
        """The threshold, where no instances are needed to tell it (below, chow); else None."""
        if self.kind == "below":
            return self._number
        if self.kind == "chow":
            error, rejection = self._costs
            return (error - rejection) / error
        return None

    @property
    def _number(self) -> float:
        assert isinstance(self.value, float)
        return self.value

    @property
    def _costs(self) -> tuple[float, float]:
        assert isinstance(self.value, tuple)
        return self.value

    def __str__(self) -> str:
        """The aim as one would say it."""
        match self.kind:
            case "below":
                return f"certainty at least {self._number:g}"
            case "keep":
                return f"keep {100 * self._number:g} % of the correct"
            case "error":
                return f"error at most {100 * self._number:g} %"
            case "coverage":
                return f"coverage at least {100 * self._number:g} %"
        error, rejection = self._costs
        return f"{'Chow: ' if self.kind == 'chow' else ''}error costs {error:g}, rejection {rejection:g}"


def _checked_value(kind: str, value: Any) -> float | tuple[float, float]:
    if kind in COSTS:
        pair = value if isinstance(value, list | tuple) and len(value) == 2 else (math.nan, math.nan)
        if not all(map(_is_number, pair)) or not (0 < pair[0] < math.inf and 0 <= pair[1] < math.inf):
            raise OptionError(
                f"{kind} must be the cost of an error, more than 0, and that of a rejection, at least 0, "
                f"such as (10, 1); got {value!r}"
            )
        return float(pair[0]), float(pair[1])
    if not _is_number(value) or math.isnan(value):
        raise OptionError(f"{kind} must be a number, got {value!r}")
    if kind in SHARES and not 0 <= value <= 1:
        hint = f"; write {value / 100:g} for {value:g} %" if 1 < value <= 100 else ""
        raise OptionError(f"{kind} must be a share in [0, 1], got {value:g}{hint}")
    return float(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def check_aim(aim: Aim, method: str, certainty_range: CertaintyRange) -> None:
    """Raise OptionError when an aim makes no sense for a method's certainties.

    Parameters
    ----------
    aim : Aim
    method : str
        Its name, for the message.
    certainty_range : CertaintyRange
        The method's own; Chow's rule needs probabilities, and a fixed threshold must lie in it.
    """
    if aim.kind == "below" and not certainty_range.allows(aim._number):
        raise OptionError(
            f"below must be a certainty of {method}, which lies in {certainty_range}, got {aim._number:g}; 0 rejects "
            "nothing, inf everything"
        )
    if aim.kind == "chow" and not certainty_range.is_probability:
        raise OptionError(
            f"Chow's rule compares costs with the probability of an error, and the certainty of {method} is no "
            f"probability but in {certainty_range}; give cost instead, which finds the threshold on instances"
        )


@dataclass(frozen=True)
class Figures:
    """What a threshold did, in summed weights; the shares follow from them.

    Parameters
    ----------
    correct, wrong : float
        Among the accepted.
    rejected_correct, rejected_wrong : float
        Among the rejected.
    """

    correct: float
    wrong: float
    rejected_correct: float
    rejected_wrong: float

    @property
    def n(self) -> float:
        """All instances."""
        return self.accepted + self.rejected

    @property
    def accepted(self) -> float:
        """Answered instances."""
        return self.correct + self.wrong

    @property
    def rejected(self) -> float:
        """Instances left unanswered."""
        return self.rejected_correct + self.rejected_wrong

    @property
    def coverage(self) -> float:
        """Share of the instances that is accepted."""
        return share_of(self.accepted, self.n)

    @property
    def error(self) -> float:
        """Share of the accepted that is wrong; NaN when none is accepted."""
        return share_of(self.wrong, self.accepted)

    @property
    def error_without_rejecting(self) -> float:
        """Share of all instances that is wrong."""
        return share_of(self.wrong + self.rejected_wrong, self.n)

    @property
    def kept_correct(self) -> float:
        """Share of the correct that is accepted."""
        return share_of(self.correct, self.correct + self.rejected_correct)

    @property
    def caught_wrong(self) -> float:
        """Share of the wrong that is rejected."""
        return share_of(self.rejected_wrong, self.wrong + self.rejected_wrong)

    def as_dict(self) -> dict[str, float]:
        """All of it by name."""
        names = ("n", "accepted", "rejected", "correct", "wrong", "rejected_correct", "rejected_wrong", "coverage")
        shares = ("error", "error_without_rejecting", "kept_correct", "caught_wrong")
        return {name: getattr(self, name) for name in (*names, *shares)}


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
    """

    aim: Aim
    threshold: float
    figures: Figures
    is_reached: bool

    def as_record(self) -> dict[str, Any]:
        """All of it as JSON can hold it; `of_record` reads it."""
        return {
            "aim": [self.aim.kind, self.aim.value],
            "threshold": self.threshold,
            "figures": [
                self.figures.correct,
                self.figures.wrong,
                self.figures.rejected_correct,
                self.figures.rejected_wrong,
            ],
            "is_reached": self.is_reached,
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
        numbers = [float(number) for number in (record["threshold"], *record["figures"])]
        if any(map(math.isnan, numbers)) or len(numbers) != 5 or min(numbers[1:]) < 0:
            raise ValueError("choice: expected a threshold and four weights")
        return cls(Aim(kind, value), numbers[0], Figures(*numbers[1:]), bool(record["is_reached"]))


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
        See the module.
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
        reached stands in ``figures``. Without instances ∞, and ``is_reached`` is False.
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
    match aim.kind:
        case "keep":
            place = int(np.argmax(right >= (aim._number - TOLERANCE) * right[-1]))
            is_reached = right[-1] > 0
        case "coverage":
            place = int(np.argmax(accepted >= (aim._number - TOLERANCE) * total))
            is_reached = total > 0
        case "error":
            fitting = np.flatnonzero((wrong <= (aim._number + TOLERANCE) * accepted) & (accepted > 0))
            place = int(fitting[-1]) if len(fitting) else 0
            is_reached = len(fitting) > 0
        case _:
            ratio = aim._costs[1] / aim._costs[0]
            cost = wrong + ratio * (total - accepted)
            place = int(np.flatnonzero(cost <= cost.min() + TOLERANCE * max(1.0, ratio) * total)[-1])
            is_reached = total > 0
    chosen = float(threshold[place])
    return Choice(aim, chosen, figures(*rows, chosen), bool(is_reached))


def figures(
    certainty: ArrayLike, correct: ArrayLike, weights: ArrayLike | None, threshold: float | FloatArray
) -> Figures:
    """What a threshold does to instances.

    Parameters
    ----------
    certainty, correct, weights
        See the module.
    threshold : float or (n_instances,) float64
        One for all, or one for each, as folds have different ones.

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
        reach the aim.
    """
    thresholds = [choice.threshold for choice in choices]
    means = {
        name: mean_of(getattr(choice.figures, name) for choice in choices)
        for name in ("coverage", "error", "kept_correct")
        if choices[0].aim.fixed_threshold is None
    }
    return {
        "aim": str(choices[0].aim),
        "threshold": mean_of(thresholds),
        "threshold_min": min(thresholds),
        "threshold_max": max(thresholds),
        **means,
        "n_choices": len(choices),
        "n_unreached": sum(not choice.is_reached for choice in choices),
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


def accepted_at(certainty: FloatArray, threshold: float | FloatArray) -> BoolArray:
    """(n,) bool: whether each instance is answered; OptionError for a threshold that is none."""
    threshold = np.asarray(threshold, dtype=np.float64)
    if threshold.shape not in ((), certainty.shape) or np.isnan(threshold).any():
        raise OptionError(
            f"threshold must be a number, or one for each of the {len(certainty)} instances, and not NaN; "
            f"got {_told(threshold)}"
        )
    return ~is_rejected(certainty, threshold)


def _told(threshold: FloatArray) -> str:
    return f"{len(threshold)} numbers, {np.isnan(threshold).sum()} of them NaN" if threshold.ndim else f"{threshold:g}"
