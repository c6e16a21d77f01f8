"""The answers that a threshold is chosen on: out of fold, in training, or held out for a promise.

Out of fold by default: on the training rows, where the papers choose, a tree is too sure of itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wekaconf import bridge
from wekaconf.base.errors import OptionError
from wekaconf.base.words import Setting
from wekaconf.data import Dataset
from wekaconf.data.arrays import BoolArray
from wekaconf.data.wording import as_share
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.measures import is_correct, is_number
from wekaconf.evaluation.thresholds._choice import Choice, choose, thin_out_levels
from wekaconf.evaluation.thresholds._promised_choice import (
    OPTIMISM,
    AnsweredRows,
    Order,
    choose_promised,
    count_by_class,
    draw_growing_rows,
)
from wekaconf.methods.contract import Answer, LeavesOneOut, Method
from wekaconf.methods.second_opinion import SecondOpinion
from wekaconf.tree import Forest, TreeMirror, with_trees

Grow = Callable[[Dataset], TreeMirror | Forest]

Begin = Callable[[Dataset], Callable[[], TreeMirror | Forest]]
"""A function that begins to grow a tree; calling its result waits for the tree."""

Split = tuple[NDArray[Any], NDArray[Any]]
"""Rows to train on and rows to answer for."""

Weigh = Callable[[Dataset], Dataset]
"""A function that gives training instances the weights with which they train a tree and its methods."""

ThresholdFrom = Literal["out-of-fold", "training"]
INNER_FOLDS = 10
"""The number of folds of a training set, out of which a threshold is chosen."""
ORDER_FOLDS = 5
"""The number of folds out of which rows are answered to order the tests of a promise."""

CALIBRATE = 0.3
"""The share of the training rows that is held out for a promise unless the user says another."""


@dataclass(frozen=True)
class Rejection:
    """The rule by which a rejection threshold is chosen, separately for every split.

    Parameters
    ----------
    aim : Aim
        The aim that the threshold is to reach.
    folds : callable, optional
        Splits a training set; the threshold is then chosen on answers of trees grown without the instances they
        answer for. Left out: it is chosen on answers for the tree's own training instances. Of a promise, which other
        rows show, these answers tell in which order thresholds are tested.
    calibrate : float
        The share of each training set that is held out to calibrate a promise; no tree grows on it.
    """

    aim: Aim
    folds: Callable[[Dataset], Sequence[Split]] | None = None
    calibrate: float = 0.0


def check_calibrate(share: object) -> None:
    """Raise OptionError unless this is a share of rows that leaves some to train on."""
    if not (is_number(share) and 0 < share < 1):
        raise OptionError(
            parameter="calibrate",
            expected="a share of the training rows, more than 0 and less than 1",
            got=f"{share:g}{as_share(float(share))}" if is_number(share) else repr(share),
        )


def rejection_of(aim: Aim, threshold_from: ThresholdFrom, calibrate: float = CALIBRATE, *, seed: int = 1) -> Rejection:
    """The rejection for an aim; OptionError if ``threshold_from`` or ``calibrate`` is not valid. See `Protocol`.

    ``seed`` draws the folds of a training set.
    """
    check_threshold_from(threshold_from)
    is_out_of_fold = threshold_from == "out-of-fold" and aim.fixed_threshold is None
    if aim.confidence is None:
        return Rejection(aim, partial(_inner_folds, n_folds=INNER_FOLDS, seed=seed) if is_out_of_fold else None)
    check_calibrate(calibrate)
    return Rejection(aim, partial(_inner_folds, n_folds=ORDER_FOLDS, seed=seed) if is_out_of_fold else None, calibrate)


def check_threshold_from(threshold_from: object) -> None:
    """Raise OptionError unless the value is "out-of-fold" or "training"."""
    if threshold_from not in ("out-of-fold", "training"):
        raise OptionError(parameter="threshold_from", expected="'out-of-fold' or 'training'", got=f"'{threshold_from}'")


def _inner_folds(train: Dataset, n_folds: int, seed: int) -> list[Split]:
    if len(train) < 2:
        raise OptionError(
            f"a threshold cannot be chosen out of fold on fewer than 2 training instances, and '{train.relation}' has "
            f"{len(train)}; give more, or choose it on the training rows with ",
            Setting("threshold_from", "training"),
            value_of="threshold_from",
        )
    return list(bridge.folds(train, min(n_folds, len(train)), seed))


def choices(
    rejection: Rejection,
    methods: Sequence[Method],
    train: Dataset | None,
    calibration: Dataset | None = None,
    *,
    grow: Grow | None = None,
    weigh: Weigh | None = None,
    begin: Begin | None = None,
    has_class: BoolArray | None = None,
    answers: Sequence[Answer] | None = None,
    seed: int = 1,
    keeps_curve: bool = False,
) -> list[Choice]:
    """The threshold of each fitted method: whoever fits, for a model or for a split, chooses it here.

    Parameters
    ----------
    rejection : Rejection
        With an aim that has a confidence, the calibration rows show it; else the training instances do.
    methods : sequence of Method
        Fitted on ``train``.
    train : Dataset or None
        With the weights that count in the choice. None: which rows grew the trees is not known.
    calibration : Dataset, optional
        Rows that took no part in anything else.
    grow, weigh, begin
        See `answers_to_choose_on`; ``grow`` is not called without folds, nor where all methods know answers out of
        fold.
    has_class : (n_calibration,) bool, optional
        Which rows have a class; where it is missing in ``calibration`` it is not declared, and every answer is wrong.
        Left out: those whose class is not missing.
    answers : sequence of Answer, optional
        What each method answers for ``calibration``, where that is known; as the costs of the aim decide it.
    seed : int
        Draws the growing rows that are answered, and calibration rows that do not count; see `choose_promised`.
    keeps_curve : bool
        Whether a choice out of fold, or on calibration rows, keeps the effect of other thresholds; see `Choice`.

    Raises
    ------
    OptionError
        See `choose_promised`.
    """
    if calibration is not None:
        known: Sequence[Answer | None] = answers or [None] * len(methods)
        told = find_orders(rejection, methods, train, grow, weigh=weigh, begin=begin, seed=seed)
        return [
            _choose_calibrated(method, rejection.aim, calibration, order, has_class, answer, seed, keeps_curve)
            for method, answer, order in zip(methods, known, told, strict=True)
        ]
    assert train is not None and (grow is not None or rejection.folds is None)
    chosen = []
    for rows in answers_to_choose_on(rejection, methods, grow, train, weigh, begin):
        of_all = rows.predicting(None)
        choice = choose(rejection.aim, *of_all)
        if keeps_curve and rejection.folds is not None:
            curve = thin_out_levels(*of_all, choice.threshold)
            by_class = count_by_class(rows, [level[0] for level in curve], train.n_classes)
            choice = replace(choice, curve=curve, class_curve=by_class)
        chosen.append(choice)
    return chosen


def find_orders(
    rejection: Rejection,
    methods: Sequence[Method],
    train: Dataset | None,
    grow: Grow | None,
    *,
    weigh: Weigh | None = None,
    begin: Begin | None = None,
    seed: int = 1,
) -> list[Order | None]:
    """Answer growing rows, which tell in which order to test each method's thresholds; None where that is impossible.

    The parameters are those of `choices`.
    """
    aim = rejection.aim
    found: list[Order | None] = [None] * len(methods)
    if not aim.decides:  # else what a method knows are other answers
        found = [None if (known := out_of_fold(method)) is None else Order(known, 1) for method in methods]
    # A method that grows trees for each answer would grow some for each growing row.
    lacking = [i for i, method in enumerate(methods) if found[i] is None and not isinstance(method, LeavesOneOut)]
    if train is None or not lacking:
        return found
    if grow is None:
        rejection = replace(rejection, folds=None)
    is_drawn = draw_growing_rows(len(train), seed)
    told = answers_to_choose_on(rejection, [methods[i] for i in lacking], grow, train, weigh, begin, is_drawn)
    for i, rows in zip(lacking, told, strict=True):
        found[i] = Order(rows, OPTIMISM if rejection.folds is None else 1)
    return found


def _choose_calibrated(
    method: Method,
    aim: Aim,
    calibration: Dataset,
    order: Order | None,
    has_class: BoolArray | None,
    answer: Answer | None,
    seed: int,
    keeps_curve: bool,
) -> Choice:
    """The thresholds of a fitted method that keep the promises of an aim."""
    known = calibration.class_values >= 0 if has_class is None else has_class
    if answer is None:
        rows = _answer(method, aim, calibration.take(known))
    else:
        rows = _with_classes(answer, calibration).take(known)
    return choose_promised(aim, rows, order, calibration.class_names, seed=seed, keeps_curve=keeps_curve)


def out_of_fold(method: Method) -> AnsweredRows | None:
    """The answers for its growing rows that a fitted method knows from trees that grew without them; None: it does not.

    The certainty is that of its final weights.
    """
    if not isinstance(method, SecondOpinion) or method.held_out is None:
        return None
    certainty, predicted, actual, weights = method.held_out
    return AnsweredRows(certainty, predicted == actual, weights, predicted, actual)


def answers_to_choose_on(
    rejection: Rejection,
    methods: Sequence[Method],
    grow: Grow | None,
    train: Dataset,
    weigh: Weigh | None = None,
    begin: Begin | None = None,
    asked: BoolArray | None = None,
) -> list[AnsweredRows]:
    """The answers that a threshold is chosen on, for each method.

    Parameters
    ----------
    rejection : Rejection
    methods : sequence of Method
        Fitted on ``train``.
    grow : callable or None
        Grows a tree on a training set; called once per fold of the rejection, so not needed without folds.
    train : Dataset
        With the weights that count in the choice.
    weigh : callable, optional
        Gives the training instances of a fold the weights with which they train.
    begin : callable, optional
        See `CrossValidation`.
    asked : (n_train,) bool, optional
        The instances that are answered, as far as they have a class; left out: all of them.
    """
    is_known = train.class_values >= 0
    is_asked = is_known if asked is None else is_known & asked
    if rejection.folds is None:
        rows = train.take(is_asked)
        return [_answer(method, rejection.aim, rows) for method in methods]
    assert grow is not None
    train, is_asked = train.take(is_known), is_asked[is_known]
    splits = rejection.folds(train)

    def training_and_held_out() -> Iterator[tuple[Dataset, Dataset]]:
        for inner_rows, held_out in splits:
            inner = train.take(inner_rows)
            yield inner if weigh is None else weigh(inner), train.take(held_out[is_asked[held_out]])

    by_method: list[list[AnsweredRows]] = [[] for _ in methods]
    for (inner, held_out), tree in with_trees(training_and_held_out(), lambda fold: fold[0], grow, begin):
        for method, parts in zip(methods, by_method, strict=True):
            parts.append(_answer(method.unfitted().fit(tree, inner), rejection.aim, held_out))
    return [AnsweredRows(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True))) for parts in by_method]


def _answer(method: Method, aim: Aim, data: Dataset) -> AnsweredRows:
    """The answers of a fitted method for instances that have a class, perhaps an undeclared one, which is missing."""
    return _with_classes(aim.decided(method.answer(data)), data)


def _with_classes(answer: Answer, data: Dataset) -> AnsweredRows:
    correct = is_correct(answer.proba, data.class_values, answer.predicted)
    return AnsweredRows(answer.certainty, correct, data.weights, answer.predicted, data.class_values)
