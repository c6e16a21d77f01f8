"""Rejecting what is answered with too little certainty: choosing the threshold, and what it brings.

Every function takes the same arrays: ``certainty`` (n_instances,) float64, larger is surer, infinite values allowed;
``correct`` (n_instances,) bool, whether the answer is the actual class; ``weights`` (n_instances,) float64 in [0, ∞),
dimensionless, all 1 when left out. An instance is **accepted** when its certainty is at least the threshold, else
**rejected**; the threshold ∞ rejects everything, even a certainty of ∞. Instances of weight 0 count nowhere. Leave
instances whose class is missing out beforehand. Shares are in [0, 1], NaN where they divide by nothing; functions
that say percent mean [0, 100].

A NaN among the certainties, a weight that is negative or not finite, or arrays of different lengths are an
`OptionError`.

References
----------
C. K. Chow (1970). On optimum recognition error and reject tradeoff. IEEE Transactions on Information Theory 16,
41-46.
R. El-Yaniv and Y. Wiener (2010). On the foundations of noise-free selective classification. Journal of Machine
Learning Research 11, 1605-1641.
Y. Geifman and R. El-Yaniv (2017). Selective classification for deep neural networks. Advances in Neural
Information Processing Systems 30.
Y. Geifman, G. Uziel and R. El-Yaniv (2019). Bias-reduced uncertainty estimation for deep neural classifiers.
International Conference on Learning Representations.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.dataset import FloatArray, name_list
from wekaconf.errors import OptionError
from wekaconf.evaluation.metrics import areas_under_roc
from wekaconf.postprocessor import is_rejected

BoolArray = NDArray[np.bool_]

LARGEST = float(np.finfo(np.float64).max)
"""The threshold that accepts certainties of ∞ only; ∞ itself rejects everything."""
TOLERANCE = 1e-12
"""What rounding may take from a share before it counts as missed."""
SHARES = ("keep", "error", "coverage")
COSTS = ("cost", "chow")
KINDS = ("below", *SHARES, *COSTS)
"""What an aim can be; see `Aim`."""
COVERAGES = (0.95, 0.9, 0.8, 0.5)
"""Where `reject_summary` reads the risk-coverage curve."""
PROBABILITY_RANGE = "[1/n_classes, 1]"
"""``certainty_range`` of the methods whose certainty is the largest class probability."""


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


def check_aim(aim: Aim, method: str, certainty_range: str) -> None:
    """Raise OptionError when an aim makes no sense for a method's certainties.

    Parameters
    ----------
    aim : Aim
    method : str
        Its name, for the message.
    certainty_range : str
        The method's own; Chow's rule needs probabilities, ``"[1/n_classes, 1]"``.
    """
    if aim.kind == "chow" and certainty_range != PROBABILITY_RANGE:
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
        return _share(self.accepted, self.n)

    @property
    def error(self) -> float:
        """Share of the accepted that is wrong; NaN when none is accepted."""
        return _share(self.wrong, self.accepted)

    @property
    def error_without_rejecting(self) -> float:
        """Share of all instances that is wrong."""
        return _share(self.wrong + self.rejected_wrong, self.n)

    @property
    def kept_correct(self) -> float:
        """Share of the correct that is accepted."""
        return _share(self.correct, self.correct + self.rejected_correct)

    @property
    def caught_wrong(self) -> float:
        """Share of the wrong that is rejected."""
        return _share(self.rejected_wrong, self.wrong + self.rejected_wrong)

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


@dataclass(frozen=True, eq=False)
class RiskCoverage:
    """How error falls as less is answered: one point a distinct certainty, from the most certain down.

    Parameters
    ----------
    threshold : (n_points,) float64
        Distinct certainties, descending; as thresholds they accept what the point counts.
    accepted : (n_points,) float64
        Summed weights of the accepted.
    wrong : (n_points,) float64
        Of them the wrong ones.
    aurc : float
        Area under the risk-coverage curve, in [0, 1]; see `risk_coverage`.
    excess_aurc : float
        What ``aurc`` is above that of the same answers with every correct one before every wrong one; in [0, 1].
    """

    threshold: FloatArray
    accepted: FloatArray
    wrong: FloatArray
    aurc: float
    excess_aurc: float

    def __len__(self) -> int:
        """Number of points."""
        return len(self.threshold)

    @property
    def coverage(self) -> FloatArray:
        """(n_points,) float64 in (0, 1]: share accepted."""
        return self.accepted / self.accepted[-1:]

    @property
    def error(self) -> FloatArray:
        """(n_points,) float64 in [0, 1]: share of the accepted that is wrong, the selective risk."""
        return self.wrong / self.accepted

    @property
    def accuracy(self) -> FloatArray:
        """(n_points,) float64 in [0, 1]: share of the accepted that is correct."""
        return 1.0 - self.error

    @property
    def kept_correct(self) -> FloatArray:
        """(n_points,) float64 in [0, 1]: share of the correct that is accepted; NaN when none is correct."""
        correct = self.accepted - self.wrong
        return np.divide(correct, correct[-1:], out=np.full(len(self), np.nan), where=correct[-1:] > 0)

    def error_at(self, coverage: float) -> float:
        """`errors_at` of one share."""
        return float(self.errors_at([coverage])[0])

    def errors_at(self, coverage: ArrayLike) -> FloatArray:
        """Expected error among the most certain share of the instances, equal certainties in random order.

        Parameters
        ----------
        coverage : (n_shares,) float64
            In (0, 1]; a share that ends within an instance counts it in part.

        Returns
        -------
        (n_shares,) float64
            In [0, 1]; NaN without instances.
            Cost: time O(n_points + n_shares · log n_points), memory O(n_points + n_shares).

        Raises
        ------
        OptionError
            A share is not in (0, 1].
        """
        shares = np.asarray(coverage, dtype=np.float64)
        outside = ~((shares > 0) & (shares <= 1))
        if outside.any():
            raise OptionError(f"coverage must be in (0, 1], got {shares[outside][0]:g}")
        if not len(self):
            return np.full(shares.shape, np.nan)
        weight = shares * self.accepted[-1]
        return np.interp(weight, np.append(0.0, self.accepted), np.append(0.0, self.wrong)) / weight


class Outcome(NamedTuple):
    """How the instances of a class fared, in percent of their weight ``n``."""

    class_name: str
    n: float
    correct: float
    missed: float
    rejected: float
    is_foreign: bool


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
    rows = _checked(certainty, correct, weights)
    fixed = aim.fixed_threshold
    if fixed is not None:
        return Choice(aim, fixed, figures(*rows, fixed), is_reached=True)
    threshold, accepted, wrong = _levels(*rows)
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
    certainty, correct, weights = _checked(certainty, correct, weights)
    accepted = _accepted(certainty, threshold)
    return Figures(
        correct=float(weights[accepted & correct].sum()),
        wrong=float(weights[accepted & ~correct].sum()),
        rejected_correct=float(weights[~accepted & correct].sum()),
        rejected_wrong=float(weights[~accepted & ~correct].sum()),
    )


def risk_coverage(certainty: ArrayLike, correct: ArrayLike, weights: ArrayLike | None = None) -> RiskCoverage:
    """The risk-coverage curve of answers, and the area under it.

    With the instances from the most certain down and e_i = 1 for a wrong one, the selective risk at rank i is
    r_i = Σ_{j ≤ i} w_j e_j / Σ_{j ≤ i} w_j and

        AURC = Σ_i w_i r_i / Σ_i w_i,

    for unit weights the mean over the instances of the selective risk at their rank. Among instances of equal
    certainty the wrong weight is spread evenly, w_j e_j standing for w_j times the group's own error: for unit
    weights exactly the expectation over all orders of the group. They are taken in ascending order of weight, so that
    the order in which instances are given changes nothing.

    Parameters
    ----------
    certainty, correct, weights
        See the module.

    Returns
    -------
    RiskCoverage
        Without points, and with NaN as its areas, when no instance has a weight.
        Cost: time O(n log n), memory O(n).

    References
    ----------
    R. El-Yaniv and Y. Wiener (2010): the curve. Y. Geifman and R. El-Yaniv (2017): selective risk and coverage of a
    certainty. Y. Geifman et al. (2019): AURC, and what of it is in excess of the best order.
    """
    certainty, correct, weights = _checked(certainty, correct, weights)
    aurc = _area(certainty, correct, weights)
    best = _area(correct.astype(np.float64), correct, weights)
    return RiskCoverage(*_levels(certainty, correct, weights), aurc, aurc - best)


def auroc(certainty: ArrayLike, positive: ArrayLike, weights: ArrayLike | None = None) -> float:
    """How well certainty tells two kinds of instances apart.

    The weighted share of the pairs of a positive and another instance in which the positive one is more certain,
    ties counting ½.

    Parameters
    ----------
    certainty, weights
        See the module.
    positive : (n_instances,) bool
        Those that ought to be more certain: the correct ones, or those of known classes.

    Returns
    -------
    float
        In [0, 1]; NaN when one kind is absent.
    """
    certainty, positive, weights = _checked(certainty, positive, weights)
    columns = np.column_stack((certainty, -certainty))
    return float(areas_under_roc(columns, np.where(positive, 0, 1), weights)[0])


def outcome_counts(
    correct: ArrayLike, rejected: ArrayLike, is_foreign: ArrayLike, weights: ArrayLike | None = None
) -> dict[str, dict[str, float]]:
    """How known and foreign instances fared.

    Parameters
    ----------
    correct : (n_instances,) bool
        Of an instance whose class the training data did not have it is not looked at.
    rejected : (n_instances,) bool
    is_foreign : (n_instances,) bool
        Whether the training data did not have the instance's class.
    weights
        See the module.

    Returns
    -------
    dict
        ``"known"`` and ``"foreign"``, each of ``n`` (summed weight) and ``correct``, ``missed``, ``rejected`` in
        percent of it, NaN without instances; a foreign instance is never correct.

    References
    ----------
    P. Davidsson (1996), Tables 1 and 2.
    """
    is_foreign = _flags("is_foreign", is_foreign)
    weights = _weights(weights, len(is_foreign))
    correct = _flags("correct", correct, len(is_foreign)) & ~is_foreign
    rejected = _flags("rejected", rejected, len(is_foreign))
    groups = {"known": ~is_foreign, "foreign": is_foreign}
    return {
        group: dict(
            zip(("n", "correct", "missed", "rejected"), _outcome(correct, rejected, weights, chosen), strict=True)
        )
        for group, chosen in groups.items()
    }


def outcomes_by_class(
    actual: NDArray[np.int64],
    predicted: NDArray[np.int64],
    rejected: ArrayLike,
    is_foreign: ArrayLike,
    weights: ArrayLike | None,
    class_names: Sequence[str],
) -> list[Outcome]:
    """How the instances of each class fared.

    Parameters
    ----------
    actual, predicted : (n_instances,) int64
        Index into ``class_names``; −1 in ``actual`` for a missing class, which is left out.
    rejected, is_foreign, weights
        See `outcome_counts`.
    class_names : sequence of str

    Returns
    -------
    list of Outcome
        Classes with instances, in the order of the names: first where they were known, then where they were foreign.
        A class that was foreign in some folds only has a line for each.
    """
    rejected = _flags("rejected", rejected, len(actual))
    is_foreign = _flags("is_foreign", is_foreign, len(actual))
    weights = _weights(weights, len(actual))
    correct = (predicted == actual) & ~is_foreign
    rows = []
    for foreign in (False, True):
        for c, name in enumerate(class_names):
            chosen = (actual == c) & (is_foreign == foreign)
            outcome = _outcome(correct, rejected, weights, chosen)
            if outcome[0] > 0:
                rows.append(Outcome(name, *outcome, foreign))
    return rows


def reject_summary(
    certainty: ArrayLike,
    correct: ArrayLike,
    is_foreign: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    threshold: float | FloatArray | None = None,
) -> dict[str, Any]:
    """What a record tells of a method's certainties.

    Parameters
    ----------
    certainty, correct, weights
        See the module.
    is_foreign : (n_instances,) bool, optional
        Whether the training data did not have the instance's class; none when left out.
    threshold : float or (n_instances,) float64, optional
        Below it an instance is rejected.

    Returns
    -------
    dict
        ``aurc``, ``excess_aurc``, ``auroc_correct`` (correct over wrong) and ``error_at``, a dict of the coverages
        ``"0.95"``, ``"0.9"``, ``"0.8"``, ``"0.5"`` to the expected error, all over the known instances;
        ``auroc_known`` (known over foreign instances). With a threshold also what `Figures` tells of the known
        instances, by name, and ``outcomes``, see `outcome_counts`.
    """
    certainty, correct, weights = _checked(certainty, correct, weights)
    is_foreign = (
        np.zeros(len(certainty), dtype=np.bool_)
        if is_foreign is None
        else _flags("is_foreign", is_foreign, len(certainty))
    )
    known = ~is_foreign
    rows = certainty[known], correct[known], weights[known]
    curve = risk_coverage(*rows)
    summary: dict[str, Any] = {
        "aurc": curve.aurc,
        "excess_aurc": curve.excess_aurc,
        "auroc_correct": auroc(*rows),
        "auroc_known": auroc(certainty, known, weights),
        "error_at": {f"{coverage:g}": curve.error_at(coverage) for coverage in COVERAGES},
    }
    if threshold is not None:
        rejected = ~_accepted(certainty, threshold)
        summary |= figures(*rows, np.broadcast_to(threshold, certainty.shape)[known]).as_dict()
        summary["outcomes"] = outcome_counts(correct, rejected, is_foreign, weights)
    return summary


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
        name: _mean(getattr(choice.figures, name) for choice in choices)
        for name in ("coverage", "error", "kept_correct")
        if choices[0].aim.fixed_threshold is None
    }
    return {
        "aim": str(choices[0].aim),
        "threshold": _mean(thresholds),
        "threshold_min": min(thresholds),
        "threshold_max": max(thresholds),
        **means,
        "n_choices": len(choices),
        "n_unreached": sum(not choice.is_reached for choice in choices),
    }


def _levels(
    certainty: FloatArray, correct: BoolArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Thresholds at the distinct certainties, descending; weight of what is at least as certain, and of the wrong."""
    counted = weights > 0
    certainty, correct, weights = certainty[counted], correct[counted], weights[counted]
    descending, level = np.unique(-certainty, return_inverse=True)
    accepted = np.bincount(level, weights, minlength=len(descending)).cumsum()
    wrong = np.bincount(level, weights * ~correct, minlength=len(descending)).cumsum()
    return np.minimum(0.0 - descending, LARGEST), accepted, wrong


def _area(certainty: FloatArray, correct: BoolArray, weights: FloatArray) -> float:
    """AURC as `risk_coverage` defines it."""
    order = np.lexsort((weights, -certainty))
    order = order[weights[order] > 0]
    if not len(order):
        return math.nan
    certainty, correct, weights = certainty[order], correct[order], weights[order]
    level = np.append(0, np.cumsum(certainty[1:] != certainty[:-1]))
    group, group_wrong = np.bincount(level, weights), np.bincount(level, weights * ~correct)
    risk = np.cumsum((group_wrong / group)[level] * weights) / np.cumsum(weights)
    return float(weights @ risk / weights.sum())


def _accepted(certainty: FloatArray, threshold: float | FloatArray) -> BoolArray:
    threshold = np.asarray(threshold, dtype=np.float64)
    if threshold.shape not in ((), certainty.shape) or np.isnan(threshold).any():
        raise OptionError(
            f"threshold must be a number, or one for each of the {len(certainty)} instances, and not NaN; "
            f"got {_told(threshold)}"
        )
    return ~is_rejected(certainty, threshold)


def _told(threshold: FloatArray) -> str:
    return f"{len(threshold)} numbers, {np.isnan(threshold).sum()} of them NaN" if threshold.ndim else f"{threshold:g}"


def _outcome(
    correct: BoolArray, rejected: BoolArray, weights: FloatArray, chosen: BoolArray
) -> tuple[float, float, float, float]:
    """Weight of the chosen, and what percent of it is correct, missed and rejected."""
    n = float(weights[chosen].sum())
    parts = (correct & ~rejected, ~correct & ~rejected, rejected)
    right, missed, unanswered = (100.0 * _share(float(weights[chosen & part].sum()), n) for part in parts)
    return n, right, missed, unanswered


def _checked(
    certainty: ArrayLike, correct: ArrayLike, weights: ArrayLike | None
) -> tuple[FloatArray, BoolArray, FloatArray]:
    certainty = np.asarray(certainty, dtype=np.float64)
    if certainty.ndim != 1:
        raise OptionError(f"certainty must be one number an instance, got an array of shape {certainty.shape}")
    unknown = np.flatnonzero(np.isnan(certainty))
    if len(unknown):
        raise OptionError(
            f"certainty is NaN at instance {unknown[0]} and {len(unknown) - 1} others; a certainty is a number or "
            "infinite: leave these instances out, or give them -inf to have them rejected"
        )
    return certainty, _flags("correct", correct, len(certainty)), _weights(weights, len(certainty))


def _flags(name: str, flags: ArrayLike, n: int | None = None) -> BoolArray:
    flags = np.asarray(flags)
    if flags.ndim != 1 or (n is not None and len(flags) != n) or not np.isin(flags, (0, 1)).all():
        expected = "instance" if n is None else f"of the {n} instances"
        raise OptionError(f"{name} must be true or false for each {expected}, got {flags.dtype} of shape {flags.shape}")
    return flags.astype(np.bool_)


def _weights(weights: ArrayLike | None, n: int) -> FloatArray:
    if weights is None:
        return np.ones(n)
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (n,) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise OptionError(f"weights must be a finite number of at least 0 for each of the {n} instances")
    return weights


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan


def _mean(numbers: Iterable[float]) -> float:
    """Mean of those that are defined."""
    defined = [number for number in numbers if not math.isnan(number)]
    return _share(sum(defined), len(defined))
