"""A threshold on the certainty of any classifier, chosen for an aim on instances that the classifier has not seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch, _safe_indexing, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.words import Argument
from wekaconf.data import Outside, TrainingSummary, value_text
from wekaconf.data.arrays import BoolArray, FloatArray, Int64Array, as_rows, texts_of
from wekaconf.evaluation.aims import KINDS, NAMES, Aim, RejectCosts, check_aim
from wekaconf.evaluation.checks import Drift, compare_rows
from wekaconf.evaluation.measures import checked_weights
from wekaconf.evaluation.promises import AnswerShares, ClassSets
from wekaconf.evaluation.thresholds import CALIBRATE, Choice, choose, tell_not_reached
from wekaconf.methods.contract import answer_texts, is_rejected, thresholds_at, verdict
from wekaconf.model.fitted import Model
from wekaconf.sklearn._base import TreeClassifier
from wekaconf.sklearn._classifier_answers import (
    certainty_range,
    check_classifier,
    grounds_of,
    is_correct,
    labels_and_certainty,
    needs_training_rows,
)
from wekaconf.sklearn._held_out import check_held_out, fit_on, hold_out, is_labelled
from wekaconf.sklearn._reading import check_labels, exact_labels, labels_of, rows_outside, summary_of
from wekaconf.sklearn._rejecting import find_reject_label, mark_rejected

OWNER = "RejectOption: "
OWN = {"reject_costs": "costs", "chow": "costs"}
"""The arguments of an aim that have another name here."""
COVERAGE = 0.9
"""The coverage of class sets, where none is given."""


class _Answers(NamedTuple):
    """Certainties, and the indices of the predicted classes."""

    certainty: FloatArray
    predicted: Int64Array


class RejectOption(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier that leaves its least certain answers to somebody else.

    The threshold on the certainty is chosen for one aim: copies of the classifier are fitted on all folds but one and
    answer for the fold that is left out, and `wekaconf.choose_threshold` finds the threshold on these answers. It is
    what the command line chooses for the same certainties.

    Parameters
    ----------
    estimator : classifier
        Any that has ``predict_proba``. The certainty is the probability of the label that it gives, also where a
        threshold was moved (`FixedThresholdClassifier`, `TunedThresholdClassifierCV`); wekaconf's estimators have one
        of their own, also at the end of a pipeline or inside a search.
    below, keep, target_error, target_coverage, cost, costs, target_cost : optional
        The aim, exactly one, but for ``costs`` beside ``target_cost``. ``below``: reject below this certainty.
        ``keep``: keep this share of the correct answers. ``target_error``: allow at most this share of errors among the
        answers. ``target_coverage``: answer at least this share. ``cost``: find the threshold of least cost, given that
        of an error and that of a rejection as a pair. See `wekaconf.choose_threshold`. ``costs``: with ``reject_cost``,
        reject where the answer is expected to cost more than a rejection. ``target_cost``: promise that a row, rejected
        ones included, costs at most this in the mean; with ``costs``, ``reject_cost`` and ``confidence``. With
        ``confidence`` the target error may be a mapping from labels to shares, one for the answers of each label.
    costs : float or (n_classes, n_classes) array-like, optional
        What an error costs: then answers are rejected by Chow's rule, below the certainty 1 − reject_cost / costs. Or
        what every answer costs, a row per actual and a column per predicted label, in the order of ``classes_``, which
        the columns of a data frame must have as names. Such a matrix decides the label, too: the answer is the one of
        least expected cost by the classifier's probabilities, whatever the classifier itself would answer, and the
        certainty is the share of the largest cost that the answer is expected to save.
    reject_cost : float, optional
        What a rejection costs, in the unit of ``costs``.
    confidence : float, optional
        Promise the target error or cost, instead of meeting it out of fold: over the draw of the calibration rows, with
        this probability, at most that share of the answers to rows drawn as these is wrong. Not with ``cv``.
    calibrate : float, pair (X, y) or "prefit"
        The calibration rows of a promise, which take no part in anything else: this share of the training rows, drawn
        at random, so that ``estimator_`` is fitted without them; or rows of your own; or "prefit": the estimator is
        fitted already, and the rows that `fit` gets calibrate. If the estimator chooses among models, it does so
        without them. Rows without a label do not calibrate.
    reject_label : object, optional
        What `predict` returns for a rejected answer: one text, number or the like that is no class. Left out, it is of
        the classes' kind, so that scikit-learn's metrics, which sort labels, can be asked: among texts "unknown";
        among whole numbers −1, or the least class less 1 if −1 is a class; among floats the same as a float; among
        booleans −1, so that the labels are 1, 0 and −1. If "unknown" is a class, and among labels of other kinds, such
        as dates, it must be given.
    threshold_from : {"out-of-fold", "training"}
        Choose the threshold as described, or, much too optimistically, on the training instances themselves. Of a
        promise it tells in which order thresholds are tested: as answers out of five folds let expect, which costs five
        further fits and can promise more, or as those for the training instances do, which costs none. The promise
        holds either way.
    cv : int, splitter or iterable of (train, test)
        The folds, as for scikit-learn's ``cross_val_score``; of a whole number there are at most as many as instances
        of the largest class.
    n_jobs : int, optional
        Number of folds that are fitted at the same time.

    Attributes
    ----------
    estimator_ : classifier
        Fitted on all of the training data, but for the rows that calibrate.
    choice_ : Choice
        The threshold, and what it reaches out of fold, or on the training instances if the threshold does not depend
        on instances (``below``, ``costs``); ``choice_.is_reached`` says whether the aim is reached there.
    threshold_ : float
        Answers of a certainty below it are rejected; ∞ rejects all.
    thresholds_ : dict
        The threshold of each label's answers; the same for all, unless the target error is one per label.
    model_ : Model
        If the estimator is one of wekaconf's: a model to save, check and export.
    class_sets_ : ClassSets
        With a promise: the scores of the calibration rows, see `predict_set`.
    summary_ : TrainingSummary or None
        What the columns of X were like; None if the classifier, one of wekaconf's, keeps that, or there are none.
    answer_shares_ : AnswerShares
        With a promise: what the answers for the calibration rows were like, counted.
    reject_label_ : object
        ``reject_label``, as a float if it is a whole number among floats; or what stands for it if it is left out.
    classes_, n_features_in_, feature_names_in_
        Those of ``estimator_``.

    References
    ----------
    C. K. Chow (1970): the rule of ``costs``. C. Elkan (2001): the answer of least expected cost. Y. Geifman and R.
    El-Yaniv (2017): coverage and selective risk.
    """

    estimator_: Any
    choice_: Choice
    threshold_: float
    thresholds_: dict[Any, float]
    reject_label_: Any
    summary_: TrainingSummary | None
    classes_: NDArray[Any]

    def __init__(
        self,
        estimator: Any,
        *,
        below: float | None = None,
        keep: float | None = None,
        target_error: float | Mapping[Any, float] | None = None,
        target_coverage: float | None = None,
        cost: tuple[float, float] | None = None,
        costs: float | ArrayLike | None = None,
        reject_cost: float | None = None,
        target_cost: float | None = None,
        confidence: float | None = None,
        calibrate: float | tuple[Any, ArrayLike] | Literal["prefit"] = CALIBRATE,
        reject_label: Any = None,
        threshold_from: Literal["out-of-fold", "training"] = "out-of-fold",
        cv: int | Any | Iterable[tuple[ArrayLike, ArrayLike]] = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.below = below
        self.keep = keep
        self.target_error = target_error
        self.target_coverage = target_coverage
        self.cost = cost
        self.costs = costs
        self.reject_cost = reject_cost
        self.target_cost = target_cost
        self.confidence = confidence
        self.calibrate = calibrate
        self.reject_label = reject_label
        self.threshold_from = threshold_from
        self.cv = cv
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None, **params: Any) -> Self:
        """Fit the classifier, and choose the threshold.

        Parameters
        ----------
        X : (n_instances, n_features)
            What the classifier takes. wekaconf's own make sparse X dense.
        y : (n_instances,) array-like
        sample_weight : (n_instances,) array-like of float, optional
            Given to the classifier, and counted in the choice of the threshold.
        **params
            Further arguments for the classifier's ``fit``, or with metadata routing also for the splitter.

        Raises
        ------
        OptionError
            There is not exactly one aim, its value is out of range, the classifier has no certainty, or
            ``reject_label`` is a class, or left out among labels that have no default.
        """
        aim = self._aim()
        check_classifier(self.estimator, "RejectOption", "J48Classifier()")
        X, y = indexable(X, exact_labels(y))
        labels = labels_of(y, warn=True)
        y = labels if np.ndim(y) > 1 else y  # so that the classifier does not warn again
        is_known = (
            is_labelled(labels) if isinstance(self.calibrate, str) and self.confidence is not None else slice(None)
        )
        check_labels(exact_labels(labels[is_known]))
        weights = checked_weights(sample_weight, len(labels), "sample_weight")
        if sample_weight is not None:
            params["sample_weight"] = weights
        routed = Bunch(estimator=Bunch(fit=params))
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **params)
        split_params = routed.get("splitter", Bunch(split={})).split  # a number of folds takes none
        if aim.confidence is not None:
            return self._fit_promise(X, y, weights, aim, routed.estimator.fit)
        self._take(clone(self.estimator).fit(X, y, **routed.estimator.fit), X)
        costs = aim.counted_costs
        with _in_own_words():
            check_aim(aim, type(self.estimator).__name__, certainty_range(self.estimator_, costs))
        self._check_costs(aim)
        folds = self._folds(X, labels, aim, split_params)
        answers = Parallel(n_jobs=self.n_jobs)(
            delayed(_answer_fold)(self.estimator, X, y, train, test, routed.estimator.fit) for train, test in folds
        )
        if answers:
            rows, predicted, certainty = map(np.concatenate, zip(*answers, strict=True))
        else:
            rows = np.arange(len(labels))
            predicted, certainty = labels_and_certainty(self.estimator_, X, costs)
        correct = predicted == labels[rows]
        choice = choose(aim, certainty, correct, weights[rows])
        tell_not_reached(choice, OWNER)
        return self._choose(choice)

    def _take(self, fitted: Any, X: Any) -> None:
        """Take the fitted classifier, its classes and its features, and what X was like unless it knows that itself."""
        self.estimator_ = fitted
        self.summary_ = None if hasattr(fitted, "compare") else summary_of(X)
        self.classes_ = fitted.classes_
        self.reject_label_ = find_reject_label(self.classes_, self.reject_label)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))

    def _choose(self, choice: Choice) -> Self:
        """Take the choice of the threshold."""
        self.choice_ = choice
        self.threshold_ = choice.threshold
        thresholds = np.broadcast_to(choice.thresholds, len(self.classes_))
        self.thresholds_ = dict(zip(self.classes_.tolist(), thresholds.tolist(), strict=True))
        return self

    def _fit_promise(self, X: Any, y: Any, weights: FloatArray, aim: Aim, params: dict[str, Any]) -> Self:
        """Fit the classifier on the rows that do not calibrate, and choose the thresholds on those that do."""
        if isinstance(self.estimator, TreeClassifier) and not isinstance(self.calibrate, str):
            return self._fit_model(X, y, aim, params)
        held = hold_out(self.estimator, self.calibrate, X, y, weights, params)._replace(costs=aim.counted_costs)
        if self.threshold_from == "training":
            held = held._replace(refit=None)
        self._take(held.fitted, X)
        _check_several(self.classes_)
        self._check_costs(aim)
        answered = held.answered()
        self.answer_shares_ = AnswerShares.of(
            answered.certainty, answered.predicted, ~answered.correct, len(self.classes_)
        )
        with _in_own_words():
            choice = held.choice(aim, answered, self.n_jobs)
        tell_not_reached(choice, OWNER)
        self._choose(choice)
        if not needs_training_rows(self.estimator_):
            proba = self.estimator_.predict_proba(held.calibration[0])
            self.class_sets_ = ClassSets.of(proba, answered.actual, COVERAGE)
        return self

    def _fit_model(self, X: Any, y: Any, aim: Aim, params: dict[str, Any]) -> Self:
        """The same for an estimator of wekaconf's, whose model promises it as `wekaconf.fit` does."""
        _check_several(np.unique(labels_of(y)))
        with _in_own_words():
            fitted = clone(self.estimator)._fit(
                X, y, params.get("sample_weight"), aim=aim, calibrate=self.calibrate, class_sets=COVERAGE,
                threshold_from=self.threshold_from,
            )  # fmt: skip
        self._take(fitted, X)
        model = fitted.model_
        self.answer_shares_ = model.answer_shares
        if not needs_training_rows(fitted):
            self.class_sets_ = model.class_sets
        return self._choose(model.choice)

    @property
    def model_(self) -> Model:
        """The model of an estimator of wekaconf's with the threshold, to save, check and export; else AttributeError.

        With calibration rows it is what ``wekaconf fit`` makes with ``--class-sets 0.9``.
        """
        check_is_fitted(self)
        model = getattr(self.estimator_, "model_", None)
        if not isinstance(model, Model):
            raise AttributeError(f"{type(self.estimator_).__name__} has no model; those of wekaconf.sklearn have one")
        return model if model.choice is self.choice_ else replace(model, choice=self.choice_)

    def predict(self, X: Any) -> NDArray[Any]:
        """(n_instances,) array: the labels, ``reject_label_`` where the answer is rejected.

        Of dtype object if ``reject_label_`` is of another kind than the labels; whole numbers if it is one among
        booleans.
        """
        check_is_fitted(self)
        labels, certainty = self._labels_and_certainty(X)
        return mark_rejected(labels, self._is_rejected(labels, certainty), self.reject_label_)

    def predict_proba(self, X: Any) -> FloatArray:
        """(n_instances, n_classes) float64: the classifier's probabilities, whatever is answered, and if it is."""
        check_is_fitted(self)
        proba: FloatArray = self.estimator_.predict_proba(X)
        return proba

    def certainty(self, X: Any) -> FloatArray:
        """(n_instances,) float64: the certainties, which the threshold is compared with."""
        check_is_fitted(self)
        return self._labels_and_certainty(X)[1]

    def reject(self, X: Any) -> BoolArray:
        """(n_instances,) bool: which answers are rejected."""
        check_is_fitted(self)
        return self._is_rejected(*self._labels_and_certainty(X))

    def explain(self, X: Any) -> list[str]:
        """What to do with each instance, its label, and why, in a sentence.

        Such as ``answered yes (83 %): leaf of 12 instances, …``, or ``rejected, refer to a human; yes (61 %) would be
        the answer, but the certainty 0.61 is below the threshold 0.75``. wekaconf's estimators say why, also at the end
        of a pipeline or inside a search; of other classifiers only the probability is known. At last stands what lies
        `outside`, if that is known: ``outside training: ward 'A9', not seen in training``.

        Warns
        -----
        Note
            The rows, if there are several, are not like those that were learned; see `compare`.
        """
        check_is_fitted(self)
        labels, certainty = self._labels_and_certainty(X)
        predicted = np.searchsorted(self.classes_, labels)
        thresholds = np.broadcast_to(thresholds_at(self.choice_.thresholds, predicted), len(labels))
        names = tuple(map(value_text, self.classes_.tolist()))
        answers = answer_texts(names, self.predict_proba(X), predicted)
        given = as_rows(is_rejected(certainty, thresholds), certainty, thresholds)
        verdicts = [verdict(text, *row) for text, row in zip(answers, given, strict=True)]
        grounds = grounds_of(self.estimator_, X, self.choice_.aim.counted_costs)
        if grounds is not None:
            verdicts = [f"{begun}: {ground}" for begun, ground in zip(verdicts, grounds, strict=True)]
        if self.summary_ is None and not hasattr(self.estimator_, "outside"):
            return verdicts
        if len(labels) > 1 and (warning := self.compare(X).warning("X")):
            tell(warning)
        texts = texts_of(verdicts)
        self.outside(X).add_to_reasons(texts, np.arange(len(texts)))
        return texts.tolist()

    def predict_set(self, X: Any, coverage: float = COVERAGE, *, is_per_class: bool = False) -> BoolArray:
        """Which classes cannot be excluded, with a promise only: its calibration rows tell.

        Parameters
        ----------
        X : (n_instances, n_features)
        coverage : float
            In (0, 1): the share of the rows whose set holds their own class, on average over draws of the calibration
            rows. That is no promise of an error among answers.
        is_per_class : bool
            Whether that share is kept among the rows of each class; else among all rows.

        Returns
        -------
        (n_instances, n_classes) bool
            In the order of ``classes_``.

        Raises
        ------
        OptionError
            There is no promise, the classifier grows trees for each answer, or ``coverage`` is out of range.
        """
        check_is_fitted(self)
        if not hasattr(self, "class_sets_"):
            raise OptionError(
                "RejectOption: there are no scores of calibration rows; give confidence, and a classifier that answers "
                "without its training rows",
                value_of="confidence",
            )
        return self.class_sets_.at(coverage, is_per_class=is_per_class).contains(self.estimator_.predict_proba(X))

    def outside(self, X: Any) -> Outside:
        """What of each instance lies beyond the X that the classifier was fitted on.

        A number lies outside beyond the least or greatest of its column, a text if the column had not had it.

        Raises
        ------
        OptionError
            The X of `fit` had no columns of numbers, texts or dates, or was sparse.
        """
        check_is_fitted(self)
        if hasattr(self.estimator_, "outside"):
            outside: Outside = self.estimator_.outside(X)
            return outside
        if self.summary_ is None:
            raise OptionError(
                "RejectOption: it was fitted on sparse X, or X without columns of numbers, texts or dates, so there is "
                "nothing to compare with; fit it on a DataFrame or a two-dimensional array, made sparse in a pipeline",
                value_of="X",
            )
        return rows_outside(self, X)

    def compare(self, X: Any) -> Drift:
        """In what the instances, all together, are not like those that were learned.

        With a promise, certainties and predicted classes are compared with those of the calibration rows.

        Raises
        ------
        OptionError
            See `outside`.
        """
        check_is_fitted(self)
        shares = getattr(self, "answer_shares_", None)
        if hasattr(self.estimator_, "compare"):
            drift: Drift = self.estimator_.compare(X, shares)
            return drift._replace(promises=self._promises)
        names = [str(label) for label in self.classes_.tolist()]
        return compare_rows(self.outside(X), shares, lambda: self._answers(X), names, promises=self._promises)

    @property
    def _promises(self) -> bool:
        """Whether something is promised of the answers, and can be kept."""
        return any(promise.is_reached for promise in self.choice_.promises)

    def _answers(self, X: Any) -> _Answers:
        labels, certainty = self._labels_and_certainty(X)
        return _Answers(certainty, np.searchsorted(self.classes_, labels))

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Share of all instances that are answered, and correctly; see `ErrorAtCoverageScorer` for other measures."""
        check_is_fitted(self)
        labels, certainty = self._labels_and_certainty(X)
        is_right = is_correct(labels, y) & ~self._is_rejected(labels, certainty)
        return float(np.average(is_right, weights=checked_weights(sample_weight, len(is_right), "sample_weight")))

    def _labels_and_certainty(self, X: Any) -> tuple[NDArray[Any], FloatArray]:
        return labels_and_certainty(self.estimator_, X, self.choice_.aim.counted_costs)

    def _is_rejected(self, labels: NDArray[Any], certainty: FloatArray) -> BoolArray:
        """(n_instances,) bool: which answers are below their threshold."""
        predicted = np.searchsorted(self.classes_, labels)
        return is_rejected(certainty, thresholds_at(self.choice_.thresholds, predicted))

    def get_metadata_routing(self) -> MetadataRouter:
        """The routing of the metadata that `fit` gets."""
        to_fit = MethodMapping().add(caller="fit", callee="fit")
        to_split = MethodMapping().add(caller="fit", callee="split")
        router = MetadataRouter(owner=type(self).__name__).add(estimator=self.estimator, method_mapping=to_fit)
        return router.add(splitter=self.cv, method_mapping=to_split) if hasattr(self.cv, "split") else router

    def _aim(self) -> Aim:
        """The aim; OptionError unless there is exactly one."""
        if self.threshold_from not in ("out-of-fold", "training"):
            raise OptionError(
                parameter="threshold_from", expected="'out-of-fold' or 'training'", got=repr(self.threshold_from)
            )
        values = {kind: getattr(self, NAMES.get(kind, kind)) for kind in KINDS if kind != "chow"}
        chosen = [NAMES.get(kind, kind) for kind, value in values.items() if value is not None]
        if (self.costs is None) != (self.reject_cost is None):
            raise OptionError(
                "RejectOption: costs and reject_cost need one another: what answers cost, and what a rejection costs",
                value_of="costs",
            )
        is_aim = self.costs is not None and self.target_cost is None
        if len(chosen) + is_aim != 1:
            got = " and ".join((*chosen, *(["costs"] if is_aim else [])))
            raise OptionError(
                f"RejectOption: expected one aim, such as target_error=0.05, got {got or 'none'}",
                value_of="target_error",
            )
        self._check_calibrate()
        with _in_own_words():
            costs = None if self.costs is None else RejectCosts(self.costs, self.reject_cost)  # type: ignore[arg-type]
            if costs is None or not is_aim:
                return Aim.only(values, self.confidence, costs)
            kind = "cost" if costs.decide else "chow"
            return Aim(kind, costs, self.confidence)

    def _check_costs(self, aim: Aim) -> None:
        """Raise OptionError unless a matrix of costs is that of ``classes_``."""
        with _in_own_words():
            aim.check_costs([value_text(label) for label in self.classes_.tolist()])

    def _check_calibrate(self) -> None:
        """Raise OptionError unless the calibration rows are said in one of the ways, and no folds beside them."""
        if self.confidence is None:
            return
        if not (isinstance(self.cv, int) and self.cv == 10):
            raise OptionError(
                "RejectOption: cv excludes confidence: a promise is shown on rows held out, see calibrate",
                value_of="cv",
            )
        check_held_out(self.calibrate)

    def _folds(self, X: Any, labels: NDArray[Any], aim: Aim, params: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
        """The folds on which the threshold is chosen; none if it is fixed, or chosen on the training instances."""
        if aim.fixed_threshold is not None or self.threshold_from == "training":
            return iter(())
        cv = self.cv
        if isinstance(cv, int | np.integer):
            largest = int(np.unique(labels, return_counts=True)[1].max())
            if largest < 2:
                raise OptionError(
                    "RejectOption: to choose a threshold out of fold, expected 2 instances of some class, got at most "
                    f"one of each (n_samples = {len(labels)}); give more instances, or the threshold by below",
                    value_of="y",
                )
            cv = min(int(cv), largest)
        folds: Iterator[tuple[Any, Any]] = check_cv(cv, labels, classifier=True).split(X, labels, **params)
        return folds

    def __sklearn_tags__(self) -> Any:
        """The input tags of the classifier."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags


def _check_several(classes: NDArray[Any]) -> None:
    """Raise OptionError unless there are several classes."""
    if len(classes) < 2:
        raise OptionError(
            f"RejectOption: there is only one class, {classes.tolist()[0]!r}, so no answer can be wrong and a promise "
            "says nothing; give instances of others",
            value_of="y",
        )


@contextmanager
def _in_own_words() -> Iterator[None]:
    """Let errors in the block call arguments as they are called here."""
    try:
        yield
    except OptionError as error:
        parts = [
            Argument(OWN.get(each.name, each.name)) if isinstance(each, Argument) else each for each in error.parts
        ]
        raise OptionError(OWNER, *parts, value_of=OWN.get(error.parameter, error.parameter)) from error


def _answer_fold(
    estimator: Any,
    X: Any,
    y: Any,
    train: NDArray[Any],
    test: NDArray[Any],
    params: dict[str, Any],
) -> tuple[NDArray[Any], NDArray[Any], FloatArray]:
    """The rows of a fold, and the labels and certainties of a copy that was fitted on the other folds."""
    fitted = fit_on(estimator, X, y, train, params)
    rows = np.arange(len(labels_of(y)))[test]
    return rows, *labels_and_certainty(fitted, _safe_indexing(X, rows))
