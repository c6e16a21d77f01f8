"""The choice of a threshold, or of one per class, that keeps an error target with a confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list, nearest, quoted
from wekaconf.base.words import Argument, Phrase
from wekaconf.data.arrays import BoolArray, FloatArray, Int64Array
from wekaconf.evaluation.aims import TARGET_ERROR, Aim, RejectCosts
from wekaconf.evaluation.measures import Certainties
from wekaconf.evaluation.promises import CostedRows, CostPromise, Promise, promise, promise_cost
from wekaconf.evaluation.thresholds._choice import Choice, class_thresholds_of, figures_of

MOST_GROWING = 2000
"""The largest number of growing rows that are answered to order the candidates of a promise."""
SET_ASIDE = 0.2
"""The share of the calibration rows that order the candidates where there are no growing rows."""
OPTIMISM = 3
"""The factor by which rows that a classifier was fitted on are taken to be answered wrongly too seldom."""
MOST_CLASSES = 30
"""The largest number of classes whose answers are counted at each threshold."""


def draw_rows(n: int, share: float, seed: int = 1) -> BoolArray:
    """(n,) bool: a simple random draw of this share of so many rows, the same in every call with the same seed."""
    is_drawn = np.zeros(n, dtype=np.bool_)
    is_drawn[np.random.RandomState(seed).permutation(n)[: round(share * n)]] = True
    return is_drawn


def draw_growing_rows(n: int, seed: int = 1) -> BoolArray:
    """(n,) bool: the growing rows, at most 2000, that `choose_promised` needs answers for."""
    return draw_rows(n, min(MOST_GROWING / max(n, 1), 1), seed)


class AnsweredRows(NamedTuple):
    """Answers for rows whose class is known.

    Parameters
    ----------
    certainty : (n_rows,) float64
    correct : (n_rows,) bool
    weights : (n_rows,) float64
    predicted, actual : (n_rows,) int64
        The indices of the predicted and of the actual class; −1: no class of the classifier's.
    """

    certainty: FloatArray
    correct: BoolArray
    weights: FloatArray
    predicted: Int64Array
    actual: Int64Array

    def take(self, rows: BoolArray) -> AnsweredRows:
        """Some of the rows."""
        certainty, correct, weights, predicted, actual = self
        return AnsweredRows(certainty[rows], correct[rows], weights[rows], predicted[rows], actual[rows])

    def predicting(self, index: int | None) -> Certainties:
        """The rows whose answer is this class; None: all."""
        chosen = slice(None) if index is None else self.predicted == index
        return Certainties(self.certainty[chosen], self.correct[chosen], self.weights[chosen])

    def costed(self, costs: RejectCosts) -> CostedRows:
        """The rows with what each answer costs."""
        return CostedRows(self.certainty, self.correct, costs.of_answers(self.actual, self.predicted))


class Order(NamedTuple):
    """Answers for rows that do not calibrate, which tell which thresholds are tested, and in which order.

    Parameters
    ----------
    rows : AnsweredRows
    optimism : float
        The rows are taken to be answered wrongly so many times as often as they are: 1 for answers out of fold,
        `OPTIMISM` for rows that the classifier was fitted on.
    """

    rows: AnsweredRows
    optimism: float


def choose_promised(
    aim: Aim,
    rows: AnsweredRows,
    order: Order | None,
    class_names: Sequence[str],
    *,
    seed: int = 1,
    keeps_curve: bool = False,
) -> Choice:
    """The thresholds that keep the promises of an aim, each the lowest that can be shown to do so.

    Parameters
    ----------
    aim : Aim
        With a confidence. Of several classes each gets an equal share of δ.
    rows : AnsweredRows
        The calibration rows: drawn as the instances that are to be answered, without a part in anything else.
    order : Order or None
        Left out, a fifth of the calibration rows tell the order, and do not count.
    class_names : sequence of str
    seed : int
        Draws the calibration rows that do not count.
    keeps_curve : bool
        Whether a choice of one threshold keeps what others do to the answers of each class; see `Choice`.

    Raises
    ------
    OptionError
        A class of the aim is not declared, there is no calibration row, or they have different weights.
    """
    check_classes(aim, class_names)
    rows = rows.take(rows.weights > 0)
    if not len(rows.certainty):
        raise OptionError(
            "there is no calibration row whose class is known, so nothing can be promised; hold out more rows, or give "
            "others",
            value_of="calibrate",
        )
    if np.ptp(rows.weights) > 0:
        raise OptionError(
            "the calibration rows have different weights, and a promise counts rows: the number of errors among "
            "weighted rows is not binomial; give rows of equal weight, or ",
            Phrase.ESTIMATE,
            value_of="confidence",
        )
    if order is None:
        is_set_aside = draw_rows(len(rows.certainty), SET_ASIDE, seed)
        order, rows = Order(rows.take(is_set_aside), 1), rows.take(~is_set_aside)
    reference, optimism = order
    promises: list[Promise | CostPromise] = []
    if aim.reject_costs is not None:
        costs, given = aim.reject_costs, rows.costed(aim.reject_costs)
        promises.append(promise_cost(aim.number, aim.delta, costs, given, reference.costed(costs), optimism=optimism))
    else:
        for name, target in aim.targets:
            index = list(class_names).index(name) if name else None
            of_rows, of_reference = rows.predicting(index), reference.predicting(index)
            delta = aim.delta / len(aim.targets)
            promises.append(promise(target, delta, of_rows, of_reference, optimism=optimism, class_name=name))
    choice = make_choice(aim, promises, class_names)
    return _with_class_curve(choice, rows, len(class_names)) if keeps_curve else choice


def _with_class_curve(choice: Choice, rows: AnsweredRows, n_classes: int) -> Choice:
    """The choice with its `Choice.class_curve`, at the levels of its promise, unless it has a threshold per class."""
    if choice.class_thresholds:
        return choice
    thresholds = {level.threshold for level in choice.promises[0].levels} | {choice.threshold, -np.inf}
    places = sorted(thresholds - {np.inf}, reverse=True)
    return replace(choice, class_curve=count_by_class(rows, places, n_classes))


def count_by_class(rows: AnsweredRows, thresholds: Sequence[float], n_classes: int) -> tuple[tuple[float, ...], ...]:
    """Count, at each threshold, the accepted and the wrong answers that predict each class.

    Returns
    -------
    tuple of tuples
        Each threshold, and then for every class the weights of its accepted and of its wrong answers; empty if there
        are more than 30 classes. Cost: time O(n log n).
    """
    if n_classes > MOST_CLASSES:
        return ()
    counts = np.zeros((len(thresholds), n_classes, 2))
    for c in range(n_classes):
        certainty, correct, weights = rows.predicting(c)
        descending = np.argsort(-certainty, kind="stable")
        n_accepted = np.searchsorted(-certainty[descending], -np.asarray(thresholds), side="right")
        for place, weight in enumerate((weights, weights * ~correct)):
            counts[:, c, place] = np.append(0.0, np.cumsum(weight[descending]))[n_accepted]
    table = np.column_stack((thresholds, counts.reshape(len(thresholds), 2 * n_classes)))
    return tuple(map(tuple, table.tolist()))


def check_classes(aim: Aim, class_names: Sequence[str]) -> None:
    """Raise OptionError unless the classes of an aim are declared, and its costs are theirs."""
    if aim.reject_costs is not None:
        aim.check_costs(class_names)
        return
    for name, _ in aim.targets:
        if name and name not in class_names:
            raise OptionError(
                TARGET_ERROR,
                f": no class {quoted(name)}{nearest(name, class_names)}; there are {name_list(class_names, name)}",
            )


def make_choice(aim: Aim, promises: Sequence[Promise | CostPromise], class_names: Sequence[str]) -> Choice:
    """The choice of promises; its figures are those of the calibration rows that something is promised of."""
    return Choice(
        aim,
        min(promise.threshold for promise in promises),
        figures_of(promises),
        is_reached=all(promise.is_reached for promise in promises),
        promises=tuple(promises),
        class_thresholds=class_thresholds_of(promises, class_names),
    )


def change_targets(choice: Choice, aim: Aim, class_names: Sequence[str]) -> Choice:
    """The choice for other targets than those that a model was calibrated for, by the counts that it holds.

    Of targets for classes those that the aim does not name stay what they are.

    Raises
    ------
    OptionError
        The choice promises nothing, or nothing of these classes, or with another confidence.
    """
    if not choice.promises:
        raise OptionError(
            "the model has no calibration rows' counts, so it cannot promise anything; fit it with ",
            Argument("confidence"),
            value_of="confidence",
        )
    if aim.confidence not in (None, choice.aim.confidence):
        raise OptionError(
            f"the model was calibrated for the confidence {choice.aim.confidence:g}, and another needs another "
            f"calibration; got {aim.confidence:g}",
            parameter="confidence",
        )
    check_kind(choice, aim.kind)
    if aim.reject_costs not in (None, choice.aim.reject_costs):
        raise OptionError(
            f"the model was calibrated for the costs {choice.aim.reject_costs}, and others need another calibration; "
            f"got {aim.reject_costs}",
            parameter="reject_costs",
        )
    held = {promise.class_name: promise for promise in choice.promises}
    targets = dict(aim.targets)
    missing = targets.keys() - held.keys()
    if missing:
        is_of = "all answers together" if "" in held else f"answers of {name_list(held)}"
        raise OptionError(
            TARGET_ERROR, f": the model was calibrated for {is_of}; other targets need another calibration"
        )
    promises = [promise.of_target(targets.get(name, promise.target)) for name, promise in held.items()]
    kept = tuple((promise.class_name, promise.target) for promise in promises)
    aim = replace(choice.aim, value=aim.value if "" in held else kept)
    return replace(make_choice(aim, promises, class_names), class_curve=choice.class_curve)


def check_kind(choice: Choice, kind: str) -> None:
    """Raise OptionError unless a choice that promises something is of this kind of aim."""
    if kind != choice.aim.kind:
        raise OptionError(
            f"the model was calibrated for another kind of target ({choice.aim}); other kinds need another calibration",
            value_of="confidence",
        )
