"""Any classifier pooled with opinions of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, _name_estimators, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import enumeration
from wekaconf.base.rounding import most_probable
from wekaconf.data import folds_of
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.measures import checked_weights
from wekaconf.methods.second_opinion import FEWEST_ROWS, FEWEST_WRONG, OutOfFold, logarithms, pooled
from wekaconf.methods.second_opinion import SecondOpinion as SecondOpinionMethod
from wekaconf.sklearn._classifier_answers import check_classifier, labels_and_certainty
from wekaconf.sklearn._held_out import fit_on, params_of, row_keys, rows_of
from wekaconf.sklearn._reading import check_labels, exact_labels, labels_of

Answers = Literal["likeliest", "estimator"]
OWN = "estimator"


class SecondOpinion(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier and opinions of others each give probabilities; the answer is their weighted pool.

    p(c) ∝ Π_s p_s(c)^w_s over the members s. The weights are those under which the classes of the training instances
    are most likely, each instance told by members that were fitted without it. This is `wekaconf.SecondOpinion` for any
    classifier instead of a tree, and any opinions.

    Parameters
    ----------
    estimator : classifier
        Any that has ``predict_proba``.
    opinions : sequence of classifiers, optional
        As many as you like, all with ``predict_proba``. None: Gaussian naive Bayes, and a logistic regression on scaled
        columns, which take numbers only.
    answers : {"likeliest", "estimator"}
        `predict` gives the largest class of the pool, or what the estimator answers.
    folds : int
        Number of folds, at least 2, on which the weights are learned; instances with equal cells share one.
    penalty : float
        Half of it times the squared distance from equal weights of sum 1 counts as loss.
    seed : int
        Draws the folds.
    n_jobs : int, optional
        Number of fits on folds that run at the same time.

    Attributes
    ----------
    estimator_ : classifier
        Fitted on all of the training data.
    opinions_ : tuple of classifiers
        The same; none with a single class.
    weights_ : (1 + n_opinions,) float64
        In [0, ∞): that of the estimator, then those of the opinions; empty where the estimator answers alone.
    classes_ : (n_classes,) array
        The distinct labels, sorted.
    n_features_in_, feature_names_in_
        Those of ``estimator_``.

    Notes
    -----
    A member gives a class at least 0.001, so that none alone rules a class out. A fold without some class in its
    training rows lets members give it nothing, and with one class alone nobody is asked. With fewer than 30 instances,
    or fewer than 5 wrong answers of the estimator out of fold, the estimator answers alone, and a `wekaconf.Note` says
    so.

    Weights of instances go to members that take them, at the end of a pipeline and inside a search, too; a note names
    the others. They count in the learning of the pool in any case, and instances of weight 0 are left out. With
    metadata routing members get what they request. Parameters of an opinion are reached by the name that
    `make_pipeline` would give it, as ``gaussiannb__var_smoothing``.

    Cost: ``folds`` + 1 fits of each member; answering asks each member once.

    References
    ----------
    Genest and Zidek: Combining probability distributions: a critique and an annotated bibliography, Statistical Science
    1, 1986 (the logarithmic opinion pool). Wolpert: Stacked generalization, Neural Networks 5, 1992 (learning from
    answers out of fold).
    """

    estimator_: Any
    opinions_: tuple[Any, ...]
    weights_: FloatArray
    classes_: NDArray[Any]

    def __init__(
        self,
        estimator: Any,
        opinions: Sequence[Any] | None = None,
        *,
        answers: Answers = "likeliest",
        folds: int = 3,
        penalty: float = 1.0,
        seed: int = 1,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.opinions = opinions
        self.answers = answers
        self.folds = folds
        self.penalty = penalty
        self.seed = seed
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None, **params: Any) -> Self:
        """Fit the estimator and the opinions, and learn their weights.

        Parameters
        ----------
        X : (n_instances, n_features)
            What all members take.
        y : (n_instances,) array-like
        sample_weight : (n_instances,) array-like of float, optional
        **params
            With metadata routing: what members request for their ``fit``.

        Raises
        ------
        OptionError
            A parameter is out of range, or a member is no classifier with ``predict_proba``.
        """
        members = self._checked_members()
        learned_as = SecondOpinionMethod(folds=self.folds, penalty=self.penalty, seed=self.seed)
        X, y = indexable(X, exact_labels(y))
        labels = labels_of(y, warn=True)
        check_labels(labels)
        y = labels if np.ndim(y) > 1 else y  # so that members do not warn again
        weights = checked_weights(sample_weight, len(labels), "sample_weight")
        of_members = self._params_of_members(members, None if sample_weight is None else weights, params)
        if not weights.any():
            raise OptionError(parameter="sample_weight", expected="a positive weight somewhere", got="only zeros")
        if (weights == 0).any():
            counted = np.flatnonzero(weights)
            of_members = {name: params_of(given, counted, len(labels)) for name, given in of_members.items()}
            (X, y), labels, weights = rows_of(X, y, counted), labels[counted], weights[counted]
        self.estimator_ = clone(self.estimator).fit(X, y, **of_members[OWN])
        self.classes_ = self.estimator_.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        self.opinions_, self.weights_ = (), np.zeros(0)
        if len(self.classes_) == 1:  # from which many opinions do not learn
            return self
        self.opinions_ = tuple(
            clone(member).fit(X, y, **of_members[name]) for name, member in members.items() if name != OWN
        )
        task = _Task(X, y, np.searchsorted(self.classes_, labels), self.classes_, of_members)
        told = self._out_of_fold(members, task, weights)
        if told.is_poor:
            tell(
                f"SecondOpinion: too little to learn from: expected {FEWEST_ROWS} instances and {FEWEST_WRONG} wrong "
                "answers of the estimator out of fold; the estimator answers alone"
            )
            return self
        self.weights_ = told.fitted_weights(learned_as.penalty)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """(n_instances,) array: the labels."""
        proba = self.predict_proba(X)  # of all members, so that none takes X only where it is not asked
        if self.answers == "estimator" or not len(self.weights_):
            return labels_and_certainty(self.estimator_, X)[0]
        return self.classes_[most_probable(proba)]

    def predict_proba(self, X: Any) -> FloatArray:
        """(n_instances, n_classes) float64: the pool, in the order of ``classes_``."""
        check_is_fitted(self)
        said = [_probabilities(member, X, self.classes_) for member in (self.estimator_, *self.opinions_)]
        return pooled(logarithms(np.stack(said)), self.weights_) if len(self.weights_) else said[0]

    def _out_of_fold(self, members: Mapping[str, Any], task: _Task, weights: FloatArray) -> OutOfFold:
        """What the members say of rows that they were not fitted on."""
        n, n_classes = len(task.actual), len(task.classes)
        keys = np.empty(n, dtype=object)
        keys[:] = row_keys(task.X)
        fold = folds_of(keys, task.actual, self.folds, np.random.default_rng((self.seed, 0)))
        numbers = np.unique(fold)
        if n < FEWEST_ROWS or len(numbers) < 2:
            nobody = np.zeros(0, dtype=np.int64)
            return OutOfFold(np.zeros((len(members), 0, n_classes)), nobody, nobody, np.zeros(0))
        parts = Parallel(n_jobs=self.n_jobs)(
            delayed(_answer_fold)(member, name, task, np.flatnonzero(fold != one), np.flatnonzero(fold == one))
            for one in numbers
            for name, member in members.items()
        )
        proba, of_estimator = np.empty((len(members), n, n_classes)), np.empty(n, dtype=np.int64)
        for number, (rows, of_rows, answered) in enumerate(parts):
            proba[number % len(members), rows] = of_rows
            if number % len(members) == 0:
                of_estimator[rows] = answered
        return OutOfFold(logarithms(proba), of_estimator, task.actual, weights)

    def _members(self) -> dict[str, Any]:
        """The estimator and the opinions by name."""
        opinions = _default_opinions() if self.opinions is None else self.opinions
        return {OWN: self.estimator, **dict(_name_opinions(opinions))}

    def _checked_members(self) -> dict[str, Any]:
        """The same; OptionError unless all are classifiers with ``predict_proba``."""
        if self.answers not in get_args(Answers):
            raise OptionError(parameter="answers", expected="'likeliest' or 'estimator'", got=repr(self.answers))
        opinions = _default_opinions() if self.opinions is None else self.opinions
        if not isinstance(opinions, list | tuple) or not opinions:
            raise OptionError(
                parameter="opinions", expected="a list of classifiers, such as [GaussianNB()]", got=repr(opinions)
            )
        for member in (self.estimator, *opinions):
            check_classifier(member, "SecondOpinion", "GaussianNB()", OWN if member is self.estimator else "opinions")
        return self._members()

    def _params_of_members(
        self, members: Mapping[str, Any], weights: FloatArray | None, params: dict[str, Any]
    ) -> dict[str, dict[str, Any]]:
        """What each member's ``fit`` is given, by its name."""
        if get_config()["enable_metadata_routing"]:
            given = params if weights is None else {"sample_weight": weights, **params}
            routed = process_routing(self, "fit", **given)
            return {name: dict(routed[name].fit) for name in members}
        if params:
            raise OptionError(
                f"SecondOpinion: fit got {enumeration(sorted(params))}; only sample_weight is given to members without "
                "metadata routing; enable it, and let members request the others",
                value_of="params",
            )
        found = {name: {} if weights is None else _weights_for(member, weights) for name, member in members.items()}
        lacking = [type(members[name]).__name__ for name, given in found.items() if not given]
        if weights is not None and lacking:
            tell(f"SecondOpinion: {enumeration(lacking)} takes no sample_weight, so it learns without")
        return found

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, with ``deep`` also those of the members."""
        found: dict[str, Any] = super().get_params(deep)
        for name, opinion in _name_opinions(self.opinions) if deep else ():
            found |= {name: opinion, **{f"{name}__{key}": value for key, value in opinion.get_params().items()}}
        return found

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also of members, or an opinion by its name."""
        if "opinions" in params:
            self.opinions = params.pop("opinions")
        named = _name_opinions(self.opinions)
        if any(name in params for name, _ in named):
            self.opinions = tuple(params.pop(name, opinion) for name, opinion in named)
        super().set_params(**params)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """The routing of the metadata that `fit` gets."""
        to_fit = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=type(self).__name__).add(**self._members(), method_mapping=to_fit)

    def __sklearn_tags__(self) -> Any:
        """The input tags of the estimator; missing values and sparse X where all members take them."""
        tags = super().__sklearn_tags__()
        of_members = [get_tags(member).input_tags for member in self._members().values()]
        tags.input_tags = of_members[0]
        tags.input_tags.allow_nan = all(each.allow_nan for each in of_members)
        tags.input_tags.sparse = all(each.sparse for each in of_members)
        return tags


class _Task(NamedTuple):
    """What members are fitted on.

    Parameters
    ----------
    X, y
    actual : (n_instances,) int64
        The indices of the labels.
    classes : (n_classes,) array
    params : mapping
        What each member's ``fit`` is given, by its name.
    """

    X: Any
    y: Any
    actual: Int64Array
    classes: NDArray[Any]
    params: Mapping[str, dict[str, Any]]


def _default_opinions() -> tuple[Any, ...]:
    """Gaussian naive Bayes, and a logistic regression on scaled columns."""
    return GaussianNB(), make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))


def _name_opinions(opinions: Any) -> list[tuple[str, Any]]:
    """The opinions with their names; none where no estimators are given."""
    if not isinstance(opinions, list | tuple) or not all(hasattr(each, "get_params") for each in opinions):
        return []
    return list(_name_estimators(list(opinions)))


def _weights_for(member: Any, weights: FloatArray) -> dict[str, Any]:
    """How ``fit`` of a classifier is given weights of instances; nothing if it takes none."""
    if isinstance(member, Pipeline):
        name, last = member.steps[-1]
        return {f"{name}__{key}": value for key, value in _weights_for(last, weights).items()}
    if hasattr(member, "refit"):  # a search, which hands them on
        return _weights_for(member.estimator, weights)
    return {"sample_weight": weights} if has_fit_parameter(member, "sample_weight") else {}


def _answer_fold(
    member: Any, name: str, task: _Task, train: NDArray[np.intp], rows: NDArray[np.intp]
) -> tuple[NDArray[np.intp], FloatArray, Int64Array]:
    """The rows that are asked about, the distributions of a copy that was fitted on others, and its answers."""
    present = np.unique(task.actual[train])
    if len(present) == 1:  # from which many classifiers do not learn
        return rows, np.eye(len(task.classes))[np.repeat(present, len(rows))], np.repeat(present, len(rows))
    fitted = fit_on(member, task.X, task.y, train, task.params[name])
    asked = _safe_indexing(task.X, rows)
    proba = _probabilities(fitted, asked, task.classes)
    if name != OWN:
        return rows, proba, most_probable(proba)
    return rows, proba, np.searchsorted(task.classes, labels_and_certainty(fitted, asked)[0])


def _probabilities(fitted: Any, X: Any, classes: NDArray[Any]) -> FloatArray:
    """(n_instances, n_classes) float64: a classifier's probabilities, 0 for classes that it has not seen."""
    own = np.asarray(fitted.predict_proba(X), dtype=np.float64)
    places = np.searchsorted(classes, fitted.classes_)
    if own.ndim != 2 or own.shape[1] != len(places):
        raise OptionError(
            f"SecondOpinion: expected a probability per class and instance, got an array of shape {own.shape} from "
            f"{type(fitted).__name__}; wrap it in a classifier that answers so",
            value_of=OWN,
        )
    found = np.zeros((len(own), len(classes)))
    found[:, places] = own
    return found
