"""Fitting: hold rows out, filter, grow a tree, fit a method on it, choose a threshold, and remember what was seen."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.words import Argument, Setting
from wekaconf.data import CostMatrix, Dataset, header_of
from wekaconf.evaluation.aims import Aim, check_aim
from wekaconf.evaluation.promises import check_coverage
from wekaconf.evaluation.summaries import Majority
from wekaconf.evaluation.thresholds import (
    CALIBRATE,
    Choice,
    Rejection,
    ThresholdFrom,
    check_threshold_from,
    choices,
    choose,
    rejection_of,
    tell_not_reached,
)
from wekaconf.methods.contract import Method
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model._training import Calibration, HeldOut, Training, check_calibration, hold_out, prepare_training
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import learner_of, parse_method
from wekaconf.tree import Forest, Learner, TreeMirror

__all__ = ["Training", "fit", "prepare_training", "threshold"]

Tree = TreeMirror | Forest | Model
"""A tree that is grown already; of a model its tree and the filters before it."""
TREE_GIVEN = "the tree is grown already, and which rows grew it is not known, so "
"""The beginning of what is refused."""
TRAINING = Argument("train", python="data")


def fit(
    data: Dataset | None,
    method: str | Method = "leaf_frequency",
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
) -> Model:
    """Grow a tree, fit a method on it, and choose the threshold that an aim asks for: a model to save and to ask.

    ``wekaconf fit`` does the same and writes the same file. Of the answers given, at most 5 % are to be wrong::

        known = wc.load_table("known.csv", id="patient")        # the class is the last column, or class_attribute=
        model = wc.fit(known, "m_branch", aim=wc.Aim("error", 0.05, confidence=0.95))
        model.save("model.wct")                                 # wc.load reads it
        new, later = (wc.load_table(path, header=model) for path in ("new.csv", "later.csv"))
        answer = model.answer(new)
        answer.labels, answer.certainty, answer.is_rejected, answer.reason(0), answer.outside
        print(model.compare(new))                               # is it like the training data?
        print(model.check(later))                               # with classes by now: was the promise kept?
        model.export("model.sql")                               # also .py, .json, .onnx, .pmml

    Parameters
    ----------
    data : Dataset
        The training data, from `load_table`, `load_arff` or ``Dataset.from_pandas(frame, class_attribute=…)``. None:
        only beside a tree, for a method that learns from the tree alone.
    method : Method or str
        A method, or as it is written on the command line, ``"confdtree:variant=tdist"``; `available_methods` lists
        them. A copy of it is fitted. leaf_frequency has few different certainties, so it often promises nothing where
        others do; leaf_frequency, m_branch, shrinkage, curtailment and second_opinion can be exported.
    learner : str, sequence of str, Learner, TreeMirror, Forest or Model, optional
        The learner that grows the tree, ``"CART"`` or ``"J48"``, see `grow`. Left out: the learner that the method's
        paper uses, or J48. Weka's FilteredClassifier and CostSensitiveClassifier stand for ``filters`` and
        ``cost_matrix``. Or a tree that is grown already: `mirror` makes one of a tree of scikit-learn or Weka; of a
        model its tree and filters are taken, and without an aim the costs that decide its answers.
    options : str or sequence of str
        The learner's options.
    aim : Aim, optional
        What the threshold on the certainty is to reach, with a confidence what it is to promise. Left out: every row is
        answered; only the methods id3_max and id3_sd reject, by the rule of their paper. Where no threshold
        reaches the aim, every answer is rejected, ``model.choice.is_reached`` is False, and a `NotReached` note says
        what can be reached.
    calibrate : float, (n_instances,) bool, Dataset or DataFrame
        The rows on which the promise is tested, and from which class sets are made: a share in (0, 1) of the data,
        drawn at random; a mask, True for the rows of the data that are held out; or other rows, with their class.
        Nothing else is learned from them. Not used without a confidence or ``class_sets``.
    class_sets : float, optional
        In (0, 1): `Model.predict_set` gives the classes that cannot be excluded; for this share of the rows, in the
        mean, the right class is among them.
    class_sets_for : {"rows", "classes"}
        Whether the coverage is kept among all rows, or among those of each class.
    preprocess : str, optional
        A preprocessing, see `fit_preprocessing`, fitted on the rows that grow the tree.
    filters : sequence of str
        Weka's filters with their options, ``["weka.filters.unsupervised.attribute.Discretize -B 5"]``, fitted on the
        preprocessed rows, as FilteredClassifier does.
    cost_matrix : CostMatrix, optional
        The costs that weigh the rows that grow the tree.
    threshold_from : {"out-of-fold", "training"}
        Which answers choose the threshold: those of trees that grow without the row; or those of the tree itself for
        the rows that it grew on, which needs no further trees. A promise is tested on rows that are held out; there
        these answers tell only which threshold is tested first, and it holds either way.
    seed : int
        In [0, 2³¹): draws the rows that are held out, and the folds.
    summary : bool
        Whether the model keeps what the training data were like, so that later rows are compared with them. With
        held-out rows it also keeps a digest of each row that it has seen, so that `Model.check` recognises it.

    Returns
    -------
    Model
        Cost: that of growing the tree and of fitting. With an aim it grows ten more trees to choose the threshold; with
        a confidence five, and answers for the rows that calibrate and for up to 2000 of those that grew the tree.

    Raises
    ------
    OptionError
        A name or a value is unknown, nothing can be learned from the data, the aim does not fit the method's certainty,
        there are no rows to calibrate, rows that calibrate also grew the tree, or a tree was given without the data
        that the method or the aim needs.
    HeaderMismatchError
        The data do not have the columns of the tree, or the rows that calibrate not those of the data.
    BridgeError
        The learner or a filter is Weka's, and there is no usable Java or Weka failed.

    Notes
    -----
    It may be called in several threads or processes at once. Choose method and seed before you look at what is
    promised: whoever tries several until one promise is kept has a smaller confidence than the model says.

    References
    ----------
    Those of promises stand at `wekaconf.evaluation.promises._promise`, those of class sets at
    `wekaconf.evaluation.promises.ClassSets`.
    """
    _check_arguments(method, aim, class_sets, class_sets_for, filters, cost_matrix, threshold_from, seed)
    unfitted = parse_method(method) if isinstance(method, str) else method.unfitted()
    aim = _find_aim(aim, learner)
    promise = None if aim is None or aim.confidence is None else aim
    if aim is not None and data is not None:
        aim.check_costs(header_of(data).class_names)
    wanted = None
    if promise is not None or class_sets is not None:
        check_calibration(calibrate)
        wanted = calibrate
    if isinstance(learner, TreeMirror | Forest | Model):
        grown = _fit_on_tree(learner, unfitted, data, wanted, seed)
    elif data is None:
        raise OptionError("expected the rows to grow a tree on; only a tree that is grown needs none", value_of="data")
    else:
        rows = hold_out(data, wanted, header_of(data), seed)
        assert rows.growing is not None
        training = prepare_training(
            rows.growing, unfitted, learner, options, preprocess=preprocess, filters=filters, cost_matrix=cost_matrix
        )
        fitted = unfitted.fit(training.learner.grow(training.weighed), training.weighed)
        grown = _Grown(Model(fitted, training.filters), rows, training.instances, training)
    calibration = grown.rows.calibration
    grown.model.note_dates()
    model = replace(
        grown.model,
        majority=Majority.of(
            grown.rows.growing,
            None if calibration is None else calibration.data,
            None if calibration is None else calibration.has_class,
        ),
    )
    if data is not None and data.reading is not None:
        model = replace(model, reading=replace(data.reading, is_inferred=False))
    if summary:
        model = replace(model, summary=grown.rows.summary(), seen=grown.rows.seen)
    if calibration is not None:
        rejection = None if promise is None else rejection_of(promise, threshold_from, seed=seed)
        model = _calibrate(model, grown, rejection, class_sets, class_sets_for, seed)
    if aim is not None and promise is None:
        model = replace(model, choice=_choose(grown, aim, threshold_from, seed))
    if model.choice is not None:
        tell_not_reached(model.choice)
    return model


def _check_arguments(
    method: object, aim: object, class_sets: float | None, class_sets_for: object, filters: object, cost_matrix: object,
    threshold_from: ThresholdFrom, seed: object,
) -> None:  # fmt: skip
    """Raise OptionError for an argument that is of another kind than `fit` takes, before any work is done."""
    if not isinstance(method, str | Method):
        raise OptionError(parameter="method", expected="a name such as 'confdtree', or ConfDTree()", got=repr(method))
    if aim is not None and not isinstance(aim, Aim):
        raise OptionError(
            parameter="aim", expected="an Aim, such as Aim('error', 0.05, confidence=0.95)", got=repr(aim)
        )
    if class_sets is not None:
        check_coverage(class_sets)
    if class_sets_for not in ("rows", "classes"):
        raise OptionError(parameter="class_sets_for", expected="'rows' or 'classes'", got=repr(class_sets_for))
    if cost_matrix is not None and not isinstance(cost_matrix, CostMatrix):
        raise OptionError(
            parameter="cost_matrix",
            expected="a CostMatrix, such as CostMatrix([[0, 1], [5, 0]])",
            got=repr(cost_matrix),
        )
    check_threshold_from(threshold_from)
    if isinstance(filters, str):
        raise OptionError(
            parameter="filters", expected="a list of texts", got=repr(filters), advice=f"write [{filters!r}]"
        )
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or not 0 <= seed < 2**31:
        raise OptionError(parameter="seed", expected="a whole number of at least 0 and less than 2**31", got=repr(seed))


def _find_aim(aim: Aim | None, learner: object) -> Aim | None:
    """The aim, or else the costs that decide the answers of a model whose tree is taken."""
    if not isinstance(learner, Model) or learner.choice is None or not learner.choice.aim.decides:
        return aim
    if aim is not None:
        tell(f"the costs {learner.choice.aim.counted_costs}, by which the model decides, are left out beside an aim")
    return aim or learner.choice.aim


class _Grown(NamedTuple):
    """A fitted method, the rows of its model, and those among them that it learned from, behind the filters.

    Without ``instances`` the growing rows are not known; without a ``training`` the tree was given.
    """

    model: Model
    rows: HeldOut
    instances: Dataset | None
    training: Training | None


def _fit_on_tree(tree: Tree, method: Method, data: Dataset | None, calibrate: Calibration | None, seed: int) -> _Grown:
    """A method fitted on a tree that is grown already, behind the filters of its model."""
    if isinstance(calibrate, numbers.Real):
        raise OptionError(
            TREE_GIVEN, "no share of the rows can be held out; give other rows by ", Argument("calibrate"),
            value_of="calibrate",
        )  # fmt: skip
    if calibrate is not None and not isinstance(calibrate, np.ndarray):
        tell(TREE_GIVEN, "what is promised holds if none of the calibration rows did")
    rows = hold_out(data, calibrate, tree.header, seed)
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


def _calibrate(
    model: Model,
    grown: _Grown,
    rejection: Rejection | None,
    class_sets: float | None,
    class_sets_for: Literal["rows", "classes"],
    seed: int,
) -> Model:
    """The model with what the calibration rows show: its class sets, and the promises of an aim."""
    assert grown.rows.calibration is not None
    loaded = grown.rows.calibration
    calibration = model.conform(loaded.data, what=loaded.data.relation)
    answer = model.method.answer(calibration)
    if rejection is not None:
        answer = rejection.aim.decided(answer)
    model = model.with_answer_shares(answer, calibration, loaded.has_class)
    if class_sets is not None:
        is_per_class = class_sets_for == "classes"
        model = model.with_class_sets(
            calibration, class_sets, is_per_class=is_per_class, has_class=loaded.has_class, answer=answer
        )
    if rejection is None:
        return model
    training = grown.training
    grow, begin = (training.learner.grow_without_notes, training.learner.ahead()) if training else (None, None)
    weigh = training.costs.weigh if training and training.costs else None
    [choice] = choices(
        rejection, [model.method], grown.instances, calibration, grow=grow, weigh=weigh, begin=begin,
        has_class=loaded.has_class, answers=[answer], seed=seed, keeps_curve=True,
    )  # fmt: skip
    return replace(model, choice=choice)


def _choose(grown: _Grown, aim: Aim, threshold_from: ThresholdFrom, seed: int) -> Choice:
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
    return choose(aim, [], [])


def threshold(
    fitted: Method,
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
    fitted : Method
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
        [choice] = choices(
            rejection, [fitted], train, grow=grower.grow_without_notes, weigh=weigh, begin=grower.ahead(),
            keeps_curve=True,
        )  # fmt: skip
        return choice
    if rejection.folds is not None:
        raise OptionError(
            TREE_GIVEN, "no further trees can be grown to choose a threshold out of fold; give the threshold, or ",
            Setting("threshold_from", "training"), value_of="threshold_from",
        )  # fmt: skip
    [choice] = choices(rejection, [fitted], train)
    return choice
