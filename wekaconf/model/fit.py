"""Fitting: hold rows out, filter, grow a tree, fit a method on it, choose a threshold, and remember what was seen."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.words import Argument, Setting
from wekaconf.data.cost_matrix import CostMatrix
from wekaconf.data.dataset import Dataset, header_of
from wekaconf.evaluation.aim import Aim, check_aim
from wekaconf.evaluation.class_sets import check_coverage
from wekaconf.evaluation.protocol.rejecting import CALIBRATE, ThresholdFrom, rejection_of
from wekaconf.evaluation.rejection import calibrate as calibrated
from wekaconf.evaluation.rejection import certainties
from wekaconf.evaluation.thresholds import Choice, choose, few_levels
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import learner_of, parse_method
from wekaconf.model.training import Calibration, HeldOut, Training, held_out, training_of
from wekaconf.tree.forest import Forest
from wekaconf.tree.learner import Learner
from wekaconf.tree.mirror import TreeMirror

Tree = TreeMirror | Forest | Model
"""A tree that is grown already; of a model its tree and the filters before it."""
TREE_GIVEN = "the tree is grown already, and which rows grew it is not known, so "
"""The beginning of what is refused."""
TRAINING = Argument("train", python="data")


def fit(
    data: Dataset | None,
    method: str | PostProcessor = "leaf_frequency",
    *,
    learner: str | Sequence[str] | Learner[Any] | Tree | None = None,
    options: str | Sequence[str] = "",
    aim: Aim | None = None,
    calibrate: Calibration = CALIBRATE,
    class_sets: float | None = None,
    class_sets_for: Literal["rows", "classes"] = "rows",
    preprocess: str | None = None,
    filters: Sequence[str] = (),
    cost_matrix: CostMatrix | None = None,
    threshold_from: ThresholdFrom = "out-of-fold",
    seed: int = 1,
    summary: bool = True,
    before_growing: Callable[[Training], object] = lambda _: None,
) -> Model:
    """Grow a tree, fit a method on it, and choose the threshold that an aim asks for: a model to save and to ask.

    ``model = fit(known, "confdtree", aim=Aim("error", 0.05, confidence=0.95))`` is what ``wekaconf fit`` does, and
    ``model.save("model.wct")`` writes the same file.

    Parameters
    ----------
    data : Dataset
        The training data. None: only beside a tree, for a method that learns from the tree alone.
    method : str or PostProcessor
        A method, or as it is written on the command line, ``"confdtree:variant=tdist"``. A copy of it is fitted.
    learner : str, sequence of str, Learner, TreeMirror, Forest or Model, optional
        The learner that grows the tree, see `grow`, or Weka's FilteredClassifier or CostSensitiveClassifier, which
        brings filters or costs. Left out: the learner that the method's paper uses, or J48. Or a tree that is grown
        already, such as `mirror` gives.
    options : str or sequence of str
        The learner's options.
    aim : Aim, optional
        What the threshold is to reach, with a confidence what it is to promise. Left out: the method's own rule.
    calibrate : float, (n_instances,) bool, Dataset or DataFrame
        The rows that show a promise, or give class sets: a share in (0, 1) of the data, drawn at random; which rows of
        the data; or other rows. Nothing else is learned from them. Not used without a confidence or ``class_sets``.
    class_sets : float, optional
        In (0, 1): the model also gives the sets of classes that cannot be excluded, with this coverage.
    class_sets_for : {"rows", "classes"}
        Whether the coverage is kept among all rows, or among those of each class.
    preprocess : str, optional
        A preprocessing, see `fit_preprocessing`, fitted on the rows that grow the tree.
    filters : sequence of str
        Weka's filters with their options, fitted after it, as FilteredClassifier does.
    cost_matrix : CostMatrix, optional
        The costs that weigh the rows that grow the tree.
    threshold_from : {"out-of-fold", "training"}
        Without a confidence: choose the threshold on answers for folds of the training data, by trees that grow without
        them, or on the answers for the rows that the tree grew on.
    seed : int
        Draws the rows that are held out, and the folds.
    summary : bool
        Whether the model keeps what the training data were like, so that later rows are compared with them, and digests
        by which it recognises a row that it has seen.
    before_growing : callable
        Called with the rows and the learner before the tree grows.

    Returns
    -------
    Model
        Cost: that of growing the tree and of fitting; with an aim without confidence ten times as much, with one a
        method's answers for the rows that calibrate and for 2000 others.

    Raises
    ------
    OptionError
        A name or a value is unknown, nothing can be learned from the data, the aim does not fit the method's certainty,
        rows that calibrate have grown the tree, or a tree that is grown needs what cannot be known about it.
    HeaderMismatchError
        The data do not have the columns of the tree, or the rows that calibrate not those of the data.
    BridgeError
        The learner or a filter is Weka's, and there is no usable Java or Weka failed.

    References
    ----------
    Of a promise `wekaconf.evaluation.promise.promise`, of class sets `wekaconf.evaluation.class_sets.ClassSets`.
    """
    unfitted = parse_method(method) if isinstance(method, str) else method.unfitted()
    promises = aim is not None and aim.confidence is not None
    if class_sets is not None:
        check_coverage(class_sets)
    wanted = calibrate if promises or class_sets is not None else None
    if isinstance(learner, TreeMirror | Forest | Model):
        grown = _on_tree(learner, unfitted, data, wanted, seed)
    elif data is None:
        raise OptionError("expected the rows to grow a tree on; only a tree that is grown needs none", value_of="data")
    else:
        rows = held_out(data, wanted, header_of(data), seed)
        assert rows.growing is not None
        training = training_of(
            rows.growing, unfitted, learner, options, preprocess=preprocess, filters=filters, cost_matrix=cost_matrix
        )
        before_growing(training)
        fitted = unfitted.fit(training.learner.grow(training.weighed), training.weighed)
        grown = _Grown(Model(fitted, training.filters), rows, training.instances, training)
    model = grown.model
    if data is not None and data.reading is not None:
        model = replace(model, reading=replace(data.reading, is_inferred=False))
    if summary:
        model = replace(model, summary=grown.rows.summary(), seen=grown.rows.seen)
    if grown.rows.calibration is not None:
        model = _calibrated(model, grown, aim if promises else None, class_sets, class_sets_for, seed)
    if aim is None or promises:
        return model
    return replace(model, choice=_choice(grown, aim, threshold_from, seed))


class _Grown(NamedTuple):
    """A fitted method, the rows of its model, and those among them that it learned from, behind the filters.

    Without ``instances`` the growing rows are not known; without a ``training`` the tree was given.
    """

    model: Model
    rows: HeldOut
    instances: Dataset | None
    training: Training | None


def _on_tree(
    tree: Tree, method: PostProcessor, data: Dataset | None, calibrate: Calibration | None, seed: int
) -> _Grown:
    """A method fitted on a tree that is grown already, behind the filters of its model."""
    if isinstance(calibrate, numbers.Real):
        raise OptionError(
            TREE_GIVEN, "no share of the rows can be held out; give other rows by ", Argument("calibrate"),
            value_of="calibrate",
        )  # fmt: skip
    if calibrate is not None and not isinstance(calibrate, np.ndarray):
        tell(TREE_GIVEN, "what is promised holds if none of the rows that calibrate did")
    rows = held_out(data, calibrate, tree.header, seed)
    model = tree if isinstance(tree, Model) else Model(LeafFrequency.restore({}, tree, {}))
    grown = model.method.tree_
    if rows.growing is not None:
        instances = model.conform(rows.growing, what=rows.growing.relation)
        return _Grown(Model(method.fit(grown, instances), model.filters), rows, instances, None)
    if method.reads_train:
        raise OptionError(
            f"{method.name} learns from training data, too, and a tree keeps none; give them by ",
            TRAINING,
            ", or use the method leaf_frequency",
            value_of="data",
        )
    return _Grown(Model(type(method).restore(method.params, grown, {}), model.filters), rows, None, None)


def _calibrated(
    model: Model,
    grown: _Grown,
    aim: Aim | None,
    class_sets: float | None,
    class_sets_for: Literal["rows", "classes"],
    seed: int,
) -> Model:
    """The model with what the calibration rows show: its class sets, and the promises of an aim."""
    assert grown.rows.calibration is not None
    loaded = grown.rows.calibration
    calibration = model.conform(loaded.data, what=loaded.data.relation)
    answer = model.method.answer(calibration)
    model = model.with_answer_shares(answer)
    if class_sets is not None:
        is_per_class = class_sets_for == "classes"
        model = model.with_class_sets(
            calibration, class_sets, is_per_class=is_per_class, has_class=loaded.has_class, answer=answer
        )
    if aim is None:
        return model
    choice = calibrated(
        model.method, aim, calibration, grown.instances, has_class=loaded.has_class, answer=answer, seed=seed
    )
    return replace(model, choice=choice)


def _choice(grown: _Grown, aim: Aim, threshold_from: ThresholdFrom, seed: int) -> Choice:
    """The threshold for an aim that promises nothing."""
    method, training = grown.model.method, grown.training
    if grown.instances is not None:
        return threshold(
            method, grown.instances, aim, learner=None if training is None else training.learner,
            cost_matrix=None if training is None else training.costs, threshold_from=threshold_from, seed=seed,
        )  # fmt: skip
    if aim.fixed_threshold is None:
        raise OptionError(
            TREE_GIVEN, "no threshold can be chosen on them; give the threshold, or training data by ", TRAINING,
            value_of="aim",
        )  # fmt: skip
    check_aim(aim, method.name, method.certainty_range)
    return choose(aim, [], [])


def threshold(
    fitted: PostProcessor,
    train: Dataset,
    aim: Aim,
    *,
    learner: str | Sequence[str] | Learner[Any] | None = "J48",
    cost_matrix: CostMatrix | None = None,
    threshold_from: ThresholdFrom = "out-of-fold",
    seed: int = 1,
) -> Choice:
    """The certainty below which a fitted method is to reject.

    Parameters
    ----------
    fitted : PostProcessor
    train : Dataset
        The data that the method was fitted on, with their weights before the costs are applied.
    aim, threshold_from, seed
        See `fit`.
    learner : str, sequence of str or Learner, optional
        The learner that grew its tree, see `grow`; None: no further trees can be grown.
    cost_matrix : CostMatrix, optional
        The costs that weigh the training instances of each fold.

    Raises
    ------
    OptionError
        The aim does not fit the method's certainty or has a confidence, or there are too few instances for folds.
    """
    check_aim(aim, fitted.name, fitted.certainty_range)
    if aim.confidence is not None:
        raise OptionError("a promise needs rows that took no part in training; use wekaconf.fit", value_of="confidence")
    rejection = rejection_of(aim, threshold_from, seed=seed)
    if learner is not None:
        grower, weigh = learner_of(learner), None if cost_matrix is None else cost_matrix.weigh
        [rows] = certainties(rejection, [fitted], grower.grow_without_notes, train, weigh, grower.ahead())
    elif rejection.folds is None:
        [rows] = certainties(rejection, [fitted], lambda _: fitted.tree_, train)
    else:
        raise OptionError(
            TREE_GIVEN, "no further trees can be grown to choose a threshold out of fold; give the threshold, or ",
            Setting("threshold_from", "training"), value_of="threshold_from",
        )  # fmt: skip
    choice = choose(aim, *rows)
    return choice if rejection.folds is None else replace(choice, curve=few_levels(*rows, choice.threshold))
