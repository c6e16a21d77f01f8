"""Bases of the estimators: X and y become a data set, a learner grows a tree, a method reads it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from wekaconf.base.errors import OptionError, one_line, words_of_notes
from wekaconf.base.parameters import Parametrised, parameters
from wekaconf.base.words import (
    Argument,
    IgnoreColumn,
    Owner,
    SetOption,
    SetParameter,
    Setting,
    Term,
    UseFilter,
    UseLearner,
    worded,
)
from wekaconf.data import Attribute, Dataset, Header, Loaded, Outside, TrainingSummary, UnseenValues, value_text
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.aims import Aim, check_aim
from wekaconf.evaluation.checks import Drift, compare_rows
from wekaconf.evaluation.promises import AnswerShares
from wekaconf.methods.contract import Answer, Explanation, Method, is_rejected
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model.fit import fit
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import learner_for, method
from wekaconf.sklearn._constructor import LEARNER, set_constructor
from wekaconf.sklearn._reading import (
    cells_to_answer,
    classes_to_fit,
    columns_to_fit,
    exact_labels,
    is_missing_label,
    labels_of,
    weights_to_fit,
)
from wekaconf.sklearn._rejecting import find_reject_label, mark_rejected
from wekaconf.tree import Forest, Learner, TreeMirror, importances

_CONVERSIONS = {"nominal": "str", "numeric": "float"}
"""How a column of X becomes what an argument of `Dataset.from_pandas` reads it as."""
_REMEDIES = {"weka.filters.unsupervised.attribute.Discretize": "as pandas.cut does"}
"""What Python does in place of one of Weka's filters."""


class TreeClassifier(ClassifierMixin, BaseEstimator):
    """Base of the estimators; see `wekaconf.sklearn._classifiers`."""

    declares: ClassVar[type[Parametrised]]
    """The class that declares the parameters."""
    classes_: NDArray[Any]
    model_: Model
    tree_: TreeMirror | Forest
    method_: Method
    summary_: TrainingSummary
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    # -- for the user --

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Grow a tree and fit the method on it.

        Parameters
        ----------
        X : (n_instances, n_features) array, list, sparse matrix or array, pandas or polars DataFrame
            What is sparse is made dense: 8 bytes per cell, zero or not, and up to six times that while the tree grows.
        y : (n_instances,) array-like
            Labels, all texts, all whole numbers or all booleans.
        sample_weight : (n_instances,) array-like of float, optional
            In [0, 1e100], dimensionless.

        Returns
        -------
        The estimator itself.

        Raises
        ------
        OptionError
            A parameter is out of range, a label is missing, or the method cannot read such data; like every error
            about X and y, it is a ValueError.
        BridgeError
            The learner is Weka's, and there is no usable Java or Weka failed.
        """
        return self._fit(X, y, sample_weight)

    def _fit(self, X: Any, y: Any, sample_weight: ArrayLike | None, **wanted: Any) -> Self:
        """Fit a model that keeps what is ``wanted``: the aim, calibration rows and class sets of `wekaconf.fit`."""
        with self._in_arguments():
            method, learner = self._method(), self._learner()
            attributes, cells = columns_to_fit(self, X)
        self.classes_, target = classes_to_fit(y)
        weights = weights_to_fit(sample_weight, cells, target)
        class_attribute = Attribute(
            _class_name(y, attributes), "nominal", tuple(map(value_text, self.classes_.tolist()))
        )
        is_named = hasattr(self, "feature_names_in_")
        header = Header("X", (*attributes, class_attribute), len(attributes), is_named)
        train = Dataset(header, np.column_stack((cells, target)), weights, reading=Reading(is_inferred=True))
        if isinstance(wanted.get("calibrate"), tuple | list):
            wanted["calibrate"] = self._labelled(header, *wanted["calibrate"])
        with self._in_arguments():
            grows = learner if train.n_classes > 1 else _of_one_class(learner, train)
            self.model_ = fit(train, method, learner=grows, **wanted)
        tree: Any = self.model_.method.tree_
        self.method_, self.tree_ = self.model_.method, tree
        assert self.model_.summary is not None
        self.summary_ = self.model_.summary
        return self

    def predict(self, X: Any, reject_below: float | None = None, reject_label: Any = None) -> NDArray[Any]:
        """The most probable class of each instance, or ``reject_label`` where the answer is too uncertain.

        Parameters
        ----------
        X : (n_instances, n_features)
            As for `fit`; the columns of a DataFrame must have the same names in the same order.
        reject_below : float, optional
            Reject answers with a `certainty` below this. Left out: the rule of the method's own paper if
            ``reject_label`` is given, else nothing is rejected.
        reject_label : object, optional
            What stands for a rejected answer: no label of `classes_`. Left out beside ``reject_below``, it is the
            default of `RejectOption`, such as "unknown" or −1.

        Returns
        -------
        (n_instances,) array
            Labels; of dtype object if ``reject_label`` is of another kind than they, whole numbers if it is one among
            booleans, floats if it is a whole number among floats.

        Raises
        ------
        OptionError
            ``reject_below`` is no certainty; ``reject_label`` is a class, or left out among labels that have no
            default; or the method has no rule of its own for rejecting.
        """
        answer = self.answer(X)
        labels = self.classes_[answer.predicted]
        if reject_below is None and reject_label is None:
            return labels
        if reject_below is not None:
            self._check_below(reject_below)
        threshold = self.method_.threshold if reject_below is None else reject_below
        if threshold is None:
            raise OptionError(
                f"{self.method_.name} has no rule of its own for rejecting; give a certainty in "
                f"{self.method_.certainty_range}, or let RejectOption choose one",
                parameter="reject_below",
            )
        label_of_rejected = find_reject_label(self.classes_, reject_label)
        return mark_rejected(labels, is_rejected(answer.certainty, threshold), label_of_rejected)

    def predict_proba(self, X: Any) -> FloatArray:
        """(n_instances, n_classes) float64: the class distributions, in the order of `classes_`."""
        return self.answer(X).proba

    def predict_log_proba(self, X: Any) -> FloatArray:
        """(n_instances, n_classes) float64: the logarithms of `predict_proba`, −∞ where it is 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def certainty(self, X: Any) -> FloatArray:
        """(n_instances,) float64: how far each answer can be trusted, in ``method_.certainty_range``."""
        return self.answer(X).certainty

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Share of the instances that are answered with the label in ``y``."""
        return float(super().score(X, exact_labels(y), sample_weight))

    def explain(self, X: Any) -> Explanation:
        """The steps of the method for each instance; ``explanation[i]`` are the events of instance i."""
        return self.answer(X).explanation

    def answer(self, X: Any) -> Answer:
        """Everything that the method says about instances, computed in one pass; the classes are indices."""
        data = self._instances(X)
        return self.method_.answer(data)

    def outside(self, X: Any) -> Outside:
        """What of each instance lies beyond the X of `fit`; see its ``rows`` and ``texts``.

        A number lies outside beyond the least or greatest of its column, a text if the column had not had it.
        """
        unseen = UnseenValues()
        data = self._instances(X, unseen)
        return self.summary_.outside(data.values, unseen.cells)

    def compare(self, X: Any, answer_shares: AnswerShares | None = None) -> Drift:
        """In what the instances, all together, are not like the X of `fit`; ``told`` are the changes that matter.

        Parameters
        ----------
        X : (n_instances, n_features)
            As for `predict`.
        answer_shares : AnswerShares, optional
            Certainties and predicted classes of the instances that calibrated a promise, which those of ``X`` are
            compared with; left out: there is no promise, and answers are not compared.

        Returns
        -------
        Drift
            Cost: O(n_instances · n_features).
        """
        rows = self.outside(X)
        return compare_rows(
            rows, answer_shares, lambda: self.answer(X), self.tree_.header.class_names,
            promises=answer_shares is not None,
        )  # fmt: skip

    # -- the shape of the tree, and where instances go in it --

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        check_is_fitted(self)
        return len(self.classes_)

    @property
    def feature_importances_(self) -> FloatArray:
        """(n_features,) float64: the share of each column in the decrease of impurity; see `importances`."""
        check_is_fitted(self)
        return importances(self.tree_)[:-1]

    def get_depth(self) -> int:
        """The largest number of tests between the root and a leaf.

        Raises
        ------
        OptionError
            The estimator grew a forest.
        """
        return int(self._one_tree("get_depth").depth.max())

    def get_n_leaves(self) -> int:
        """Number of leaves. OptionError if the estimator grew a forest."""
        return self._one_tree("get_n_leaves").n_leaves

    def apply(self, X: Any) -> Int32Array:
        """The node of the tree where each instance ends, −1 if a missing value divides it.

        Returns
        -------
        (n_instances,) int32
            For a forest (n_instances, n_trees).
        """
        data = self._instances(X)
        if isinstance(self.tree_, Forest):
            return np.column_stack([tree.apply(data) for tree in self.tree_.trees])
        return self.tree_.apply(data)

    def decision_path(self, X: Any) -> Any:
        """Every node that each instance, or a part of it that a missing value sends there, reaches.

        Returns
        -------
        (n_instances, n_nodes) sparse matrix of int64, in rows
            1 where the node is reached. For a forest a tuple: the matrices of its trees side by side, and
            (n_trees + 1,) int64, where the columns of each tree begin. Cost: O(n_instances · depth).
        """
        data = self._instances(X)
        if not isinstance(self.tree_, Forest):
            return _reached(self.tree_, data)
        reached = [_reached(tree, data) for tree in self.tree_.trees]
        begin = np.cumsum([0, *(each.shape[1] for each in reached)])
        return sparse.hstack(reached, format="csr"), begin

    # -- for a subclass --

    def _instances(self, X: Any, unseen_values: UnseenValues | None = None) -> Dataset:
        """X as the method reads it; texts that were not learned are collected, or else missing with a `Note`."""
        check_is_fitted(self)
        header, unseen = self.tree_.header, UnseenValues() if unseen_values is None else unseen_values
        cells = cells_to_answer(self, header.attributes[:-1], X, unseen)
        if unseen_values is None:
            unseen.tell()
        values = np.full((len(cells), len(header.attributes)), np.nan)
        values[:, :-1] = cells
        return Dataset(header, values, unseen=unseen.cells)

    def _one_tree(self, asked: str) -> TreeMirror:
        check_is_fitted(self)
        if isinstance(self.tree_, Forest):
            n_trees = len(self.tree_.trees)
            told = f"{asked}: the estimator grew a forest of {n_trees} trees; ask those of tree_.trees"
            raise OptionError(told, parameter="learner")
        return self.tree_

    def _labelled(self, header: Header, X: Any, y: Any) -> Loaded:
        """Further rows whose label may be missing, or be none of `classes_`."""
        labels, unseen = labels_of(y), UnseenValues()
        cells = cells_to_answer(self, header.attributes[:-1], X, unseen)
        is_class, is_missing = np.isin(labels, self.classes_), is_missing_label(labels)
        values = np.full((len(cells), len(header.attributes)), np.nan)
        values[:, :-1] = cells
        values[is_class, -1] = np.searchsorted(self.classes_, labels[is_class])
        return Loaded(Dataset(header, values, unseen=unseen.cells), is_undeclared=~is_class & ~is_missing)

    @abstractmethod
    def _method(self) -> Method:
        """The method, with the estimator's parameters."""

    @abstractmethod
    def _learner(self) -> Learner[TreeMirror]:
        """The learner, with the estimator's parameters."""

    def _in_arguments(self) -> AbstractContextManager[None]:
        """Let errors in the block name the estimator's arguments."""
        return in_arguments(type(self).__name__, self.declares.name, has_learner=hasattr(self, "learner"))

    def _check_below(self, reject_below: float) -> None:
        """Raise OptionError unless the threshold lies where the method's certainties may lie."""
        try:
            check_aim(Aim("below", reject_below), type(self).__name__, self.method_.certainty_range)
        except OptionError as error:
            raise OptionError(Argument("reject_below"), *error.text[1:]) from None

    def _declared(self) -> dict[str, Any]:
        """The declared parameters and their values."""
        return {name: getattr(self, name) for name in parameters(self.declares)}

    def __sklearn_tags__(self) -> Any:
        """The estimator's tags: it reads text, missing values and sparse matrices."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        tags.input_tags.string = tags.input_tags.categorical = True
        return tags


class LearnerClassifier(TreeClassifier):
    """Base of the estimators that are a learner; its tree answers."""

    declares: ClassVar[type[Learner[TreeMirror]]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "declares" in vars(cls):
            set_constructor(cls, cls.declares)
        super().__init_subclass__(**kwargs)

    def _method(self) -> Method:
        return LeafFrequency()

    def _learner(self) -> Learner[TreeMirror]:
        return self.declares(**self._declared())


class MethodClassifier(TreeClassifier):
    """Base of the estimators that are a method, which reads the tree of a learner."""

    learner: str | Learner[TreeMirror] | LearnerClassifier | None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "declares" in vars(cls):
            set_constructor(cls, cls.declares, LEARNER)
        super().__init_subclass__(**kwargs)

    def _method(self) -> Method:
        return method(self.declares.name, **self._declared())

    def set_params(self, **params: Any) -> Self:
        """Set parameters, as scikit-learn does; OptionError for one of a learner that is no estimator."""
        learner = params.get("learner", self.learner)
        nested = next((name for name in params if name.startswith("learner__")), None)
        if nested is not None and not hasattr(learner, "set_params"):
            raise OptionError(
                Argument(nested),
                f" is a parameter of the learner, and learner={learner!r} has none that can be set; give "
                f"{type(self).__name__} an estimator, such as learner=J48Classifier()",
            )
        return super().set_params(**params)

    def _learner(self) -> Learner[TreeMirror]:
        learner = self.learner
        if isinstance(learner, LearnerClassifier):
            learner = learner._learner()
        if not isinstance(learner, str | Sequence | Learner | None):
            raise OptionError(
                f"{type(self).__name__}: learner must be an estimator, J48Classifier() or CARTClassifier(), a name "
                f"such as 'J48 -C 0.1', or a learner such as wekaconf.CART(), got {learner!r}",
                value_of="learner",
            )
        return learner_for(self._method(), learner)


def _of_one_class(learner: Learner[Any], train: Dataset) -> Any:
    """The tree or forest that a learner grows on data that declare only one class, which Weka refuses.

    The learner gets a second class without instances, which is taken out of every tree, so that the trees answer by the
    learner's own rules.
    """
    header, target = train.header, train.header.class_attribute
    two = replace(target, values=(*target.values, f"not {target.values[0]}"))
    attributes = (*header.attributes[: header.class_index], two, *header.attributes[header.class_index + 1 :])
    widened = Dataset(replace(header, attributes=attributes), train.values, train.weights)
    tree: TreeMirror | Forest = learner.grow(widened)
    if isinstance(tree, Forest):
        return replace(tree, trees=tuple(_of_first_class(member, header) for member in tree.trees))
    return _of_first_class(tree, header)


def _of_first_class(tree: TreeMirror, header: Header) -> TreeMirror:
    """The tree without its second class, which no instance has; the header is that of one class."""
    tables = ("class_weight", "branch_class_weight", "grown_class_weight", "held_out_class_weight")
    return replace(tree, header=header, **{name: getattr(tree, name)[:, :1] for name in tables})


def _class_name(y: Any, attributes: tuple[Attribute, ...]) -> str:
    """The name of y, or "class"; made longer if a column has that name."""
    name = getattr(y, "name", None)
    name = name if isinstance(name, str) and name else "class"
    taken = {attribute.name for attribute in attributes}
    while name in taken:
        name += "_"
    return name


@contextmanager
def in_arguments(estimator: str, declares: str, *, has_learner: bool) -> Iterator[None]:
    """Let errors and notes of a method or a learner in the block name arguments of the estimator.

    Parameters
    ----------
    estimator : str
        The name of the estimator's class.
    declares : str
        The name of the method or the learner that the estimator stands for.
    has_learner : bool
        Whether the estimator has a parameter for the learner that grows the tree.
    """

    def words(term: Term) -> str:
        match term:
            case Owner(name) if name == declares:
                return estimator
            case Setting(name, value, of) if of:
                return f"{name}={value!r}"
            case Setting(name, (column,)) if name in _CONVERSIONS:
                return f"X[{column!r}].astype({_CONVERSIONS[name]})"
            case SetParameter(of, name, value) | SetOption(of, name, value) if of == declares:
                return f"write {estimator}({name}={value!r})"
            case SetOption(of, name, value):
                return f"give learner='{of} {name}={value}'"
            case UseLearner(name):
                return f"give learner={name!r}" if has_learner else f"use {name}Classifier"
            case UseFilter(name) if name in _REMEDIES:
                return _REMEDIES[name]
            case IgnoreColumn(name):
                return f"X.drop(columns=[{name!r}]) leaves it out"
        return str(term)

    before = words_of_notes.set(words)
    try:
        yield
    except OptionError as error:
        error.args = (one_line(worded(error.parts, words)),)
        raise
    finally:
        words_of_notes.reset(before)


def _reached(tree: TreeMirror, data: Dataset) -> Any:
    """See `TreeClassifier.decision_path`."""
    row, node, _ = tree.router.paths(data.values)
    rows, nodes = [row], [node.astype(np.int64)]
    while len(row):
        is_below = node > 0
        row, node = row[is_below], tree.parent[node[is_below]]
        rows.append(row)
        nodes.append(node.astype(np.int64))
    cells = np.unique(np.concatenate(rows) * np.int64(tree.n_nodes) + np.concatenate(nodes))
    places = np.divmod(cells, tree.n_nodes)
    return sparse.csr_matrix((np.ones(len(cells), dtype=np.int64), places), shape=(len(data), tree.n_nodes))
