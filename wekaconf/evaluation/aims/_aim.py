"""The aim of a threshold on the certainty."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any, Self, cast

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list, nearest, quoted
from wekaconf.base.words import Argument
from wekaconf.data import value_text
from wekaconf.data.wording import as_number, as_share, percent
from wekaconf.evaluation.aims._reject_costs import RejectCosts, is_matrix
from wekaconf.evaluation.measures import is_number
from wekaconf.methods.contract import Answer, CertaintyRange

SHARES = ("keep", "error", "coverage")

COSTS = ("cost", "chow")

FIXED = ("below", "chow")
"""The kinds of aim whose threshold needs no instances."""

ESTIMATED = ("below", *SHARES, *COSTS)
"""The kinds of aim that need no confidence."""
PROMISED = ("error", "mean_cost")
"""The kinds of aim that can be promised with a confidence."""
KINDS = (*ESTIMATED, "mean_cost")
"""The kinds of aim; see `Aim`."""
NAMES = {"error": "target_error", "coverage": "target_coverage", "mean_cost": "target_cost"}
"""The kinds of aim whose argument, or option, has another name."""
TARGET_ERROR = Argument("target_error")
TARGET_COST = Argument("target_cost")


def argument_of(kind: str) -> Argument:
    """The argument that gives the value of an aim of this kind."""
    return Argument(NAMES.get(kind, kind))


@dataclass(frozen=True)
class Aim:
    """The aim that a threshold on the certainty is to reach.

    Parameters
    ----------
    kind : {"below", "keep", "error", "coverage", "cost", "chow", "mean_cost"}
        ``below``: reject below a fixed certainty. ``keep``: the share of the correct answers to keep. ``error``: the
        largest share of wrong answers among the accepted. ``coverage``: the share of answers to accept. ``cost``: the
        least mean cost on the instances that the threshold is chosen on, or of a matrix of costs by the probabilities:
        the answer of least expected cost, rejected where even that costs more than a rejection. ``chow``: Chow's rule,
        reject if 1 − certainty is more than the cost of a rejection divided by the cost of an error; for certainties
        that are probabilities.
        ``mean_cost``: the largest mean cost per instance, rejected ones included; always with a confidence.
    value : float, pair of float, or RejectCosts
        ``below``: in the certainty's unit; ``keep``, ``error``, ``coverage``: in [0, 1]; ``cost``, ``chow``: the cost
        of an error, > 0, and of a rejection, ≥ 0, in the same unit; for ``cost`` also a matrix of what every answer
        costs in place of the first, which is kept as RejectCosts. With a confidence ``error`` may also be a mapping
        from class names to shares, one target for the answers that predict each of them; it is kept as pairs.
        ``mean_cost``: more than 0, in the unit of ``reject_costs``, and no more than a rejection costs.
    confidence : float, optional
        In (0, 1), for ``error`` and ``mean_cost``: the target is promised, with this probability over the draw of the
        calibration rows; see `wekaconf.evaluation.promises`. Left out: the target
        is met on the rows that the threshold is chosen on.
    reject_costs : RejectCosts, optional
        For ``mean_cost``: what answers and rejections cost; a matrix of costs decides the label, too.

    Raises
    ------
    OptionError
        The kind is unknown, or the value or the confidence is out of range.
    """

    kind: str
    value: float | tuple[float, float] | tuple[tuple[str, float], ...] | RejectCosts
    confidence: float | None = None
    reject_costs: RejectCosts | None = None

    def __post_init__(self) -> None:
        """Check kind, value and confidence, and convert the value to floats."""
        if self.kind not in KINDS:
            raise OptionError(
                f"an aim must be one of {name_list(KINDS)}, got '{self.kind}'{nearest(self.kind, KINDS)}",
                value_of="kind",
            )
        if (self.reject_costs is None) == (self.kind == "mean_cost"):
            raise OptionError(
                Argument("reject_costs"),
                " and ",
                TARGET_COST,
                " need one another: the first says what errors and "
                "rejections cost, such as RejectCosts(10, 1), the second what a row may cost at most",
                value_of="reject_costs",
            )
        if self.confidence is None and self.kind == "mean_cost":
            raise OptionError(TARGET_COST, " is a promise, so it needs ", Argument("confidence"), ", such as 0.95")
        if self.confidence is None and self.kind == "error" and isinstance(self.value, Mapping | tuple):
            raise OptionError(
                TARGET_ERROR,
                " of single classes is a promise, so it needs ",
                Argument("confidence"),
                ", such as 0.95",
            )
        if self.confidence is None:
            object.__setattr__(self, "value", _checked_value(self.kind, self.value))
            return
        object.__setattr__(self, "confidence", _checked_confidence(self.kind, self.confidence))
        if self.kind == "mean_cost":
            assert self.reject_costs is not None
            object.__setattr__(self, "value", _checked_mean_cost(self.value, self.reject_costs.rejection))
            return
        targets = _pairs(self.value) if isinstance(self.value, Mapping | tuple) else (("", self.value),)
        checked = tuple((name, _checked_promise(target)) for name, target in targets)
        object.__setattr__(self, "value", checked if isinstance(self.value, Mapping | tuple) else checked[0][1])

    @classmethod
    def parse(
        cls, kind: str, text: str, confidence: float | None = None, reject_costs: RejectCosts | None = None
    ) -> Self:
        """An aim from the command line: a number, or the costs of an error and of a rejection, such as ``10:1``.

        The first of two costs may be a matrix of what every answer costs, see `RejectCosts.parse`.

        An error may also be one share per class, such as ``yes=0.02,no=0.1``; a class with a comma is in double quotes.

        Raises
        ------
        OptionError
            The text cannot be read, or its value is out of range.
        """
        if kind == "error" and "=" in text:
            return cls(kind, tuple(by_class(text).items()), confidence)
        parts = text.split(":")
        try:
            numbers = tuple(float(part) for part in parts)
        except ValueError:
            numbers = ()
        if kind == "cost" and len(numbers) != 2 and ":" in text:
            return cls(kind, RejectCosts.parse(text, kind), confidence, reject_costs)
        if kind in COSTS and len(numbers) != 2:
            raise OptionError(
                argument_of(kind), f" expects the cost of an error and that of a rejection, such as 10:1, got '{text}'"
            )
        if kind not in COSTS and len(numbers) != 1:
            examples = {"below": "a certainty, such as 0.5", "mean_cost": "a cost, such as 0.5"}
            example = examples.get(kind, "a share in [0, 1], such as 0.93")
            raise OptionError(argument_of(kind), f" expects {example}, got '{text}'{as_number(text)}")
        value = (numbers[0], numbers[1]) if len(numbers) == 2 else numbers[0]
        return cls(kind, value, confidence, reject_costs)

    @classmethod
    def only(
        cls, values: Mapping[str, Any], confidence: float | None = None, reject_costs: RejectCosts | None = None
    ) -> Self:
        """The one aim among values by kind, where None is no value; OptionError unless there is exactly one."""
        chosen = {kind: value for kind, value in values.items() if value is not None}
        if len(chosen) != 1:
            known, given = (name_list([argument_of(kind).name for kind in kinds]) for kinds in (ESTIMATED, chosen))
            raise OptionError(
                f"a threshold has one aim: give exactly one of {known}; got {given or 'none'}", value_of="keep"
            )
        return cls(*next(iter(chosen.items())), confidence, reject_costs)

    @property
    def fixed_threshold(self) -> float | None:
        """The threshold of an aim that needs no instances to find it (below, chow, a matrix of costs); else None."""
        if self.kind == "below":
            return self.number
        if isinstance(self.value, RejectCosts):
            return self.value.threshold
        if self.kind == "chow":
            error, rejection = self.costs
            return (error - rejection) / error
        return None

    @property
    def number(self) -> float:
        """The value of an aim that has one number."""
        assert isinstance(self.value, float)
        return self.value

    @property
    def costs(self) -> tuple[float, float]:
        """The cost of an error and that of a rejection, where these are the aim's value."""
        error, rejection = cast(tuple[float, float], self.value)
        return error, rejection

    @property
    def counted_costs(self) -> RejectCosts | None:
        """What answers and rejections cost, where the aim says it; else None."""
        if isinstance(self.value, RejectCosts):
            return self.value
        return RejectCosts(*self.costs) if self.kind in COSTS else self.reject_costs

    @property
    def decides(self) -> bool:
        """Whether a matrix of costs decides the label."""
        return (costs := self.counted_costs) is not None and costs.decide

    def decided(self, answer: Answer) -> Answer:
        """A method's answers, those of least expected cost where a matrix of costs decides; see `RejectCosts`."""
        if (costs := self.counted_costs) is None:
            return answer
        self.check_costs(answer.class_names)
        return costs.decided(answer)

    def check_costs(self, class_names: Sequence[str]) -> None:
        """Raise OptionError unless a matrix of costs is that of these classes, in their order if it names them."""
        if (costs := self.counted_costs) is not None:
            costs.check_classes(class_names, "cost" if self.kind == "cost" else "reject_costs")

    @property
    def targets(self) -> tuple[tuple[str, float], ...]:
        """Pairs of a class and the largest error of the answers that predict it; "" stands for all answers."""
        if isinstance(self.value, tuple):
            return cast(tuple[tuple[str, float], ...], self.value)
        assert not isinstance(self.value, RejectCosts)
        return (("", self.value),)

    @property
    def delta(self) -> float:
        """The largest probability that one of the promises is broken: 1 − ``confidence``."""
        assert self.confidence is not None
        return 1 - self.confidence

    def __str__(self) -> str:
        """The aim in words."""
        match self.kind:
            case "below":
                return f"certainty at least {self.number:g}"
            case "keep":
                return f"keep {percent(self.number, 6)} of the correct"
            case "error":
                parts = ", ".join(
                    f"{percent(target, 6)}{f' of {quoted(name)}' if name else ''}" for name, target in self.targets
                )
                return f"error at most {parts}" + (
                    "" if self.confidence is None else f" with confidence {percent(self.confidence, 6)}"
                )
            case "coverage":
                return f"coverage at least {percent(self.number, 6)}"
            case "mean_cost":
                assert self.confidence is not None
                costs = f"{self.number:g} with confidence {percent(self.confidence, 6)}, costs {self.reject_costs}"
                return f"mean cost at most {costs}"
        if isinstance(self.value, RejectCosts):
            return f"least expected cost, costs {self.value}"
        error, rejection = self.costs
        return f"{'Chow: ' if self.kind == 'chow' else ''}error costs {error:g}, rejection {rejection:g}"


def _checked_value(kind: str, value: Any) -> float | tuple[float, float] | RejectCosts:
    if kind == "cost" and isinstance(value, list | tuple) and len(value) == 2 and is_matrix(value[0]):
        value = RejectCosts(*value)
    if kind == "cost" and isinstance(value, RejectCosts) and value.decide:
        return value
    if kind in COSTS:
        value = (value.answers, value.rejection) if isinstance(value, RejectCosts) else value
        pair = value if isinstance(value, list | tuple) and len(value) == 2 else (math.nan, math.nan)
        if not all(map(is_number, pair)) or not (0 < pair[0] < math.inf and 0 <= pair[1] < math.inf):
            are_numbers = pair is value and all(map(is_number, pair))
            example, got = "(10, 1)", repr(value)
            if are_numbers:
                example, got = "10:1", ":".join(f"{cost:g}" for cost in pair)
            raise OptionError(
                argument_of(kind),
                " must be the cost of an error, more than 0, and that of a rejection, at least 0, such as "
                f"{example}; got {got}",
            )
        return float(pair[0]), float(pair[1])
    if not is_number(value) or math.isnan(value):
        raise OptionError(argument_of(kind), f" must be a number, got {value!r}")
    if kind in SHARES and not 0 <= value <= 1:
        raise OptionError(argument_of(kind), f" must be a share in [0, 1], got {value:g}{as_share(value)}")
    return float(value)


def _checked_mean_cost(value: Any, rejection: float) -> float:
    if not is_number(value) or not 0 < value < math.inf:
        got = f"{value:g}" if is_number(value) else repr(value)
        raise OptionError(TARGET_COST, f" must be a cost of more than 0, got {got}")
    if value > rejection:
        raise OptionError(
            TARGET_COST,
            f" must be at most {rejection:g}, which rejecting every row costs, since a promise of more says nothing; "
            f"got {value:g}",
        )
    return float(value)


def _checked_confidence(kind: str, confidence: Any) -> float:
    if kind not in PROMISED:
        raise OptionError(
            Argument("confidence"),
            " belongs to ",
            TARGET_ERROR,
            " and ",
            TARGET_COST,
            f": an aim of the kind {kind} is an estimate",
        )
    if not is_number(confidence) or not 0 < confidence < 1:
        got = f"{confidence:g}{as_share(confidence)}" if is_number(confidence) else repr(confidence)
        raise OptionError(Argument("confidence"), f" must be more than 0 and less than 1, such as 0.95; got {got}")
    return float(confidence)


def _checked_promise(target: Any) -> float:
    share = _checked_value("error", target)
    assert isinstance(share, float)
    if not 0 < share < 1:
        raise OptionError(
            TARGET_ERROR, f" must be more than 0 and less than 1 where it is to be promised, got {share:g}"
        )
    return share


def _pairs(targets: Mapping[str, Any] | tuple[Any, ...]) -> tuple[tuple[str, Any], ...]:
    """The targets by class as pairs; OptionError if they are not that, or if there are none."""
    pairs = tuple(targets.items() if isinstance(targets, Mapping) else targets)
    if isinstance(targets, Mapping):  # labels of y may be numbers or truth values
        pairs = tuple(
            (value_text(label) if isinstance(label, Number | np.bool_) else label, target) for label, target in pairs
        )
    are_pairs = all(isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[0], str) for pair in pairs)
    if not pairs or not are_pairs or len({name for name, _ in pairs}) < len(pairs) or "" in dict(pairs):
        raise OptionError(
            TARGET_ERROR,
            f" must be a share, or one for each of some classes, such as {{'yes': 0.02}}; got {targets!r}",
        )
    return tuple((name, target) for name, target in pairs)


def by_class(text: str, kind: str = "error", noun: str = "share") -> dict[str, float]:
    """The numbers by class in a text such as ``yes=0.02,no=0.1``; ``noun`` says in messages what they are."""
    numbers: dict[str, float] = {}
    for part in next(csv.reader([text], skipinitialspace=True)):
        name, _, number = part.rpartition("=")
        name = name.strip()
        if not name or name in numbers:
            wrong = f"class {quoted(name)} has two targets" if name else f"'{part}' names no class"
            raise OptionError(
                argument_of(kind),
                f": {wrong}; expected one {noun} per class, such as yes=0.02,no=0.1, a name with a comma or quotes in "
                f"double quotes, got '{text}'",
            )
        try:
            numbers[name] = float(number)
        except ValueError:
            raise OptionError(
                argument_of(kind),
                f" expects a {noun}, or one per class, such as yes=0.02,no=0.1; got '{text}'",
                as_number(number),
            ) from None
    return numbers


def check_aim(aim: Aim, method: str, certainty_range: CertaintyRange) -> None:
    """Raise OptionError when an aim makes no sense for a method's certainties.

    Parameters
    ----------
    aim : Aim
    method : str
        Its name, for the message.
    certainty_range : CertaintyRange
        The range of its certainties. Chow's rule needs probabilities; a fixed threshold must lie in the range.
    """
    if aim.kind == "below" and not certainty_range.allows(aim.number):
        raise OptionError(
            Argument("below"),
            f" must be a certainty of {method}, which lies in {certainty_range}, got {aim.number:g}"
            f"{as_share(aim.number) if certainty_range.high == 1 else ''}; 0 rejects nothing, inf everything",
        )
    if aim.kind == "chow" and not certainty_range.is_probability:
        raise OptionError(
            Argument("chow"),
            f" compares costs with the probability of an error, and the certainty of {method} is no probability but in "
            f"{certainty_range}; take ",
            Argument("cost"),
            " instead, which finds the threshold on instances",
        )
