"""The rows whose answers a threshold is chosen on: out of fold, in training, or held out for a promise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.accepting import Certainties
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.promised_choice import AnsweredRows, choose_promised
from wekaconf.evaluation.scoring import is_correct
from wekaconf.evaluation.split_answers import Begin, Grow, Split, Weigh
from wekaconf.evaluation.thresholds import Choice
from wekaconf.evaluation.trees_ahead import with_trees
from wekaconf.methods.contract.leaves_one_out import LeavesOneOut
from wekaconf.methods.contract.postprocessor import PostProcessor


@dataclass(frozen=True)
class Rejection:
    """The rule by which a rejection threshold is chosen, separately for every split.

    Parameters
    ----------
    aim : Aim
        The aim that the threshold is to reach.
    folds : callable, optional
        Splits a training set; the threshold is then chosen on answers of trees grown without the instances they
        answer for. Left out: it is chosen on answers for the tree's own training instances.
    calibrate : float
        The share of each training set that is held out to calibrate a promise; no tree grows on it.
    """

    aim: Aim
    folds: Callable[[Dataset], Sequence[Split]] | None = None
    calibrate: float = 0.0


MOST_REFERENCE = 2000
"""The largest number of growing rows that are answered to order the candidates of a promise."""
SET_ASIDE = 0.2
"""The share of the calibration rows that order the candidates where growing rows cannot."""
OPTIMISM = 3
"""The factor by which rows that a tree grew on are taken to err too seldom."""


def calibration_rows(n: int, share: float) -> NDArray[np.bool_]:
    """(n,) bool: which of so many rows are held out to calibrate, a simple random draw of this share of them."""
    is_held_out = np.zeros(n, dtype=np.bool_)
    is_held_out[np.random.RandomState(1).permutation(n)[: round(share * n)]] = True
    return is_held_out


def calibrate(method: PostProcessor, aim: Aim, calibration: Dataset, grown_on: Dataset | None) -> Choice:
    """The thresholds that keep the promises of an aim.

    The growing rows, up to 2000 of them, tell candidates and their order, with their errors taken to be three times as
    many; see `promise`. Where there are none, or the method needs its training rows to answer, a fifth of the
    calibration rows do, which then are not counted.

    Parameters
    ----------
    method : PostProcessor
        Fitted.
    aim : Aim
        With a confidence.
    calibration : Dataset
        Rows that took no part in growing the tree, fitting the method or its filters, or choosing them.
    grown_on : Dataset or None
        The rows that the tree was grown on.

    Raises
    ------
    OptionError
        See `choose_promised`.
    """
    rows, optimism = _answered(method, calibration), OPTIMISM
    if grown_on is None or isinstance(method, LeavesOneOut):
        is_reference = calibration_rows(len(rows.certainty), SET_ASIDE)
        reference, rows, optimism = rows.take(is_reference), rows.take(~is_reference), 1
    else:
        some = calibration_rows(len(grown_on), min(MOST_REFERENCE / max(len(grown_on), 1), 1))
        reference = _answered(method, grown_on.take(some))
    return choose_promised(aim, rows, reference, calibration.class_names, optimism=optimism)


def certainties(
    rejection: Rejection,
    methods: Sequence[PostProcessor],
    grow: Grow,
    train: Dataset,
    weigh: Weigh | None = None,
    begin: Begin | None = None,
) -> list[Certainties]:
    """The certainties that a threshold is chosen on, for each method.

    Parameters
    ----------
    rejection : Rejection
    methods : sequence of PostProcessor
        Fitted on ``train``.
    grow : callable
        Grows a tree on a training set; called once per fold of the rejection.
    train : Dataset
        With the weights that count in the choice.
    weigh : callable, optional
        Gives the training instances of a fold the weights with which they train.
    begin : callable, optional
        See `cross_validate`.
    """
    train = train.take(train.class_values >= 0)
    if rejection.folds is None:
        return [_certainties(method, train) for method in methods]
    by_method: list[list[Certainties]] = [[] for _ in methods]
    folds = _inner_folds(rejection.folds(train), train, weigh)
    for (inner, held_out), tree in with_trees(folds, lambda fold: fold[0], grow, begin):
        assert tree is not None
        for method, parts in zip(methods, by_method, strict=True):
            fold_method = method.unfitted()
            fold_method.fit(tree, inner)
            parts.append(_certainties(fold_method, held_out))
    return [Certainties(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True))) for parts in by_method]


def _inner_folds(folds: Sequence[Split], train: Dataset, weigh: Weigh | None) -> Iterator[tuple[Dataset, Dataset]]:
    for inner_rows, rows in folds:
        inner = train.take(inner_rows)
        yield inner if weigh is None else weigh(inner), train.take(rows)


def _answered(method: PostProcessor, data: Dataset) -> AnsweredRows:
    """The answers of a fitted method for the instances that have a class."""
    data = data.take(data.class_values >= 0)
    answer = method.answer(data)
    correct = is_correct(answer.proba, data.class_values)
    return AnsweredRows(answer.certainty, correct, data.weights, answer.predicted)


def _certainties(method: PostProcessor, data: Dataset) -> Certainties:
    """The certainties of a fitted method for the instances that have a class."""
    answer = method.answer(data)
    return Certainties(answer.certainty, is_correct(answer.proba, data.class_values), data.weights)
