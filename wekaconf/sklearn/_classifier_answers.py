"""The answers of any classifier, and their certainties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_regressor
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_consistent_length

from wekaconf.base.errors import OptionError
from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.evaluation.aims import SAVED, RejectCosts, decision
from wekaconf.evaluation.thresholds import AnsweredRows, out_of_fold
from wekaconf.methods.contract import Answer, CertaintyRange, LeavesOneOut
from wekaconf.sklearn._base import TreeClassifier
from wekaconf.sklearn._reading import labels_of

PROBABILITY = CertaintyRange(0.0, is_probability=True, meaning="the probability of the label that is given")


def labels_and_certainty(estimator: Any, X: Any, costs: RejectCosts | None = None) -> tuple[NDArray[Any], FloatArray]:
    """The labels that a fitted classifier answers with, none of them rejected, and the certainty of each answer.

    wekaconf's estimators have a certainty of their own, also at the end of a pipeline or inside a search or a
    `RejectOption`. That of other classifiers is the probability of the label that is given, which is not the largest
    where a threshold was moved.

    A matrix of costs, ``costs`` or those of a `RejectOption`, decides both by the probabilities, see
    `wekaconf.evaluation.aims`, whatever the classifier itself would answer.

    Raises
    ------
    OptionError
        The classifier has no ``predict_proba``, answers with something else than a label per row, a column of them
        will do, or with a label that is none of ``classes_``.
    """
    if costs is None and (rejecting := reject_option_in(estimator)) is not None:
        costs = rejecting.choice_.aim.counted_costs
    estimator, X = _innermost_with_rows(estimator, X)
    if isinstance(estimator, TreeClassifier):
        answer = _answer(estimator, X, costs)
        return estimator.classes_[answer.predicted], answer.certainty
    check_has_certainty(estimator)
    proba = np.asarray(estimator.predict_proba(X), dtype=np.float64)
    if costs is not None and costs.decide and proba.ndim == 2:
        predicted, certainty = decision(proba, costs)
        return np.asarray(estimator.classes_)[predicted], certainty
    labels = np.asarray(estimator.predict(X))
    if proba.ndim != 2 or labels.shape not in ((len(proba),), (len(proba), 1)):
        raise OptionError(
            f"expected a label and a row of probabilities for each instance, got arrays of shape {labels.shape} and "
            f"{proba.shape} from {type(estimator).__name__}; wrap it in a classifier that answers so",
            value_of="estimator",
        )
    labels = labels.ravel()
    return labels, proba[np.arange(len(proba)), _places(labels, estimator)]


def _places(labels: NDArray[Any], estimator: Any) -> NDArray[np.intp]:
    """The column of ``predict_proba`` of each label."""
    classes = np.asarray(estimator.classes_)
    order = np.argsort(classes)
    place = order[np.searchsorted(classes, labels, sorter=order).clip(max=len(classes) - 1)]
    if (strange := labels[classes[place] != labels]).size:
        raise OptionError(
            f"{type(estimator).__name__} answers {strange.tolist()[0]!r}, which is none of its classes_, so no "
            "probability belongs to it; wrap the classifier that gives the probabilities",
            value_of="estimator",
        )
    return place


def check_classifier(estimator: Any, owner: str, example: str, value_of: str = "estimator") -> None:
    """Raise OptionError unless the owner's argument is a classifier with ``predict_proba``, fitted or not."""
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        raise OptionError(f"{owner}: expected a classifier, such as {example}, got {estimator!r}", value_of=value_of)
    if is_regressor(estimator):
        raise OptionError(
            f"{owner}: expected a classifier, got the regressor {type(estimator).__name__}", value_of=value_of
        )
    check_has_certainty(estimator)


def check_has_certainty(estimator: Any) -> None:
    """Raise OptionError if a classifier, fitted or not, has no ``predict_proba``."""
    if not hasattr(estimator, "predict_proba"):
        if hasattr(estimator, "__sklearn_tags__") and is_regressor(estimator):
            raise OptionError(
                f"expected a classifier, got the regressor {type(estimator).__name__}", value_of="estimator"
            )
        raise OptionError(
            f"{type(estimator).__name__} has no predict_proba, so there is no certainty; wrap it in scikit-learn's "
            "CalibratedClassifierCV, which gives it one",
            value_of="estimator",
        )


def is_correct(answered: ArrayLike, y: ArrayLike) -> BoolArray:
    """(n_instances,) bool: which answers are the labels in y.

    Raises
    ------
    OptionError
        The labels are of another sort than the answers.
    ValueError
        There are not as many labels as answers.
    """
    check_consistent_length(answered, y)
    answers, labels = labels_of(answered), labels_of(y)
    check_same_sort(labels, answers)
    correct: BoolArray = answers == labels
    return correct


def check_same_sort(labels: NDArray[Any], classes: NDArray[Any]) -> None:
    """Raise OptionError if all labels are texts and all classes numbers, or the other way round."""
    if len(labels) and len(classes) and not _are_texts(labels) & _are_texts(classes):
        expected, got = f"labels such as {classes.tolist()[0]!r}", repr(labels.tolist()[0])
        advice = "give them as the classifier was fitted on them"
        raise OptionError(parameter="y", expected=expected, got=got, advice=advice)


def _are_texts(labels: NDArray[Any]) -> set[bool]:
    """Whether labels are texts; both values if some are, as when -1 stands for a rejected answer."""
    return (
        {isinstance(label, str) for label in labels.tolist()}
        if labels.dtype.kind == "O"
        else {labels.dtype.kind in "UT"}
    )


def innermost(estimator: Any) -> tuple[Any, list[Pipeline]]:
    """The classifier that answers in the end, and the pipelines that X goes through before it."""
    layers = list(_layers(estimator))
    return layers[-1], [each[:-1] for each in layers if isinstance(each, Pipeline) and len(each) > 1]


def reject_option_in(estimator: Any) -> Any:
    """The fitted `RejectOption` that decides what is rejected; None: there is none."""
    return next((each for each in _layers(estimator) if hasattr(each, "choice_")), None)


def _layers(estimator: Any) -> Iterator[Any]:
    """The classifier, what it wraps, and so on, down to the one that answers in the end."""
    while True:
        yield estimator
        if isinstance(estimator, Pipeline):
            estimator = estimator[-1]
        elif hasattr(estimator, "best_estimator_"):  # a fitted search
            estimator = estimator.best_estimator_
        elif hasattr(estimator, "choice_"):  # a RejectOption
            estimator = estimator.estimator_
        else:
            return


def grounds_of(estimator: Any, X: Any, costs: RejectCosts | None = None) -> list[str] | None:
    """Why a fitted classifier answers each instance so, in a sentence; None: it does not tell."""
    estimator, X = _innermost_with_rows(estimator, X)
    return _answer(estimator, X, costs).grounds[:] if isinstance(estimator, TreeClassifier) else None


def _innermost_with_rows(estimator: Any, X: Any) -> tuple[Any, Any]:
    """The classifier that answers in the end, and X as the pipelines before it give it."""
    estimator, pipelines = innermost(estimator)
    for pipeline in pipelines:
        X = pipeline.transform(X)
    return estimator, X


def _answer(estimator: TreeClassifier, X: Any, costs: RejectCosts | None) -> Answer:
    """The answer of one of wekaconf's estimators, that of least expected cost where costs decide."""
    answer = estimator.answer(X)
    return answer if costs is None else costs.decided(answer)


def needs_training_rows(estimator: Any) -> bool:
    """Whether a fitted classifier needs the rows that it was fitted on for each answer."""
    estimator, _ = innermost(estimator)
    return isinstance(estimator, TreeClassifier) and isinstance(estimator.method_, LeavesOneOut)


def answered_out_of_fold(estimator: Any) -> AnsweredRows | None:
    """See `out_of_fold`; None also of other programs' classifiers."""
    estimator, _ = innermost(estimator)
    return out_of_fold(estimator.method_) if isinstance(estimator, TreeClassifier) else None


def name_of_class(estimator: Any) -> str:
    """The name of the class of the classifier that answers in the end."""
    return type(innermost(estimator)[0]).__name__


def certainty_range(estimator: Any, costs: RejectCosts | None) -> CertaintyRange:
    """The range of the certainties of a fitted classifier."""
    if costs is not None and costs.decide:
        return SAVED
    estimator, _ = innermost(estimator)
    if isinstance(estimator, TreeClassifier):
        return estimator.method_.certainty_range
    return PROBABILITY
