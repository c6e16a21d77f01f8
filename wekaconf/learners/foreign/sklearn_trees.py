"""Mirrors of scikit-learn's trees and forests.

scikit-learn is imported only when one of its estimators is mirrored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import HeaderMismatchError, NotFittedError, OptionError
from wekaconf.base.naming import name_list
from wekaconf.data import Attribute, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.tree import Forest, Routing, TreeMirror, binary_tree

TREES = ("DecisionTreeClassifier", "ExtraTreeClassifier")
FORESTS = ("RandomForestClassifier", "ExtraTreesClassifier", "BaggingClassifier")
READ = f"{', '.join(TREES)}, {', '.join(FORESTS[:-1])} and {FORESTS[-1]} of such trees"
ADDS_SCORES = "its leaves hold scores that are added up, not class weights"
REASONS = {
    "GradientBoostingClassifier": "its members are regression trees, whose leaves hold no class weights",
    "HistGradientBoostingClassifier": ADDS_SCORES,
    "AdaBoostClassifier": "its members answer with weights of their own, and no tree answers for all of them",
    "IsolationForest": "its trees isolate instances and have no classes",
    "RandomTreesEmbedding": "its trees have no classes",
}
ELSEWHERE = {"xgboost": "XGBoost", "lightgbm": "LightGBM", "catboost": "CatBoost"}
"""Packages whose trees have leaves without class weights."""
NEIGHBOURS = 4096
"""Number of doubles on either side of a node's weight that are tried as a total that gives the fractions exactly."""


def is_estimator(thing: object) -> bool:
    """Whether an object is an estimator of scikit-learn, or of a package that follows its interface."""
    return hasattr(thing, "get_params") and hasattr(thing, "fit") and not isinstance(thing, type)


def mirror(estimator: Any, header: Header | None = None) -> TreeMirror | Forest:
    """The mirror of a fitted classifier of scikit-learn.

    Parameters
    ----------
    estimator : estimator
        A tree, a forest, or a Pipeline that ends in one.
    header : Header, optional
        The header of the training data; left out: made from the estimator. See `wekaconf.mirror`.

    Raises
    ------
    OptionError
        The estimator cannot be mirrored; the message says why.
    NotFittedError
    HeaderMismatchError
        The header does not have the estimator's columns, or its classes.
    """
    estimator = _last_step(estimator)
    name = type(estimator).__name__
    _check_kind(estimator)
    if not hasattr(estimator, "classes_"):
        raise NotFittedError(f"{name} is not fitted; call its fit(X, y) first")
    if getattr(estimator, "n_outputs_", 1) != 1:
        raise OptionError(
            f"{name} answers for {estimator.n_outputs_} classes at once, and a mirror has one; fit one tree per class",
            value_of="tree",
        )
    mapping = _HeaderMapping.of(estimator, header)
    options = _options(estimator)
    if name in TREES:
        return replace(_tree(estimator, mapping), learner=name, options=options)
    trees = tuple(replace(_tree(*member), learner=type(member[0]).__name__) for member in _members(estimator, mapping))
    return Forest(trees, votes="average", learner=name, options=options)


def _last_step(estimator: Any) -> Any:
    while type(estimator).__name__ == "Pipeline" and getattr(estimator, "steps", None):
        estimator = estimator.steps[-1][1]
    return estimator


def _check_kind(estimator: Any, ensemble: str = "") -> None:
    """Raise OptionError unless the estimator has a mirror; ``ensemble`` is the name of its ensemble, if any."""
    import sklearn.ensemble
    import sklearn.tree
    from sklearn.base import is_regressor

    name, package = type(estimator).__name__, type(estimator).__module__.partition(".")[0]
    mirrored = {getattr(sklearn.tree, tree): tree for tree in TREES}
    if not ensemble:
        mirrored |= {getattr(sklearn.ensemble, forest): forest for forest in FORESTS}
    if type(estimator) in mirrored:
        return
    base = next((mirrored[base] for base in type(estimator).__mro__ if base in mirrored), "")
    if package == "wekaconf":
        reason = "the tree_ of a fitted classifier of wekaconf is a mirror already"
    elif base:
        reason = f"it is derived from {base} and may answer otherwise; give a {base}"
    elif package in ELSEWHERE:
        reason = f"{ELSEWHERE[package]}: {ADDS_SCORES}"
    elif hasattr(estimator, "__sklearn_tags__") and is_regressor(estimator):
        reason = "it predicts numbers, and its leaves hold no class weights"
    elif hasattr(estimator, "best_estimator_"):
        reason = "it searches for an estimator; give its best_estimator_"
    else:
        reason = REASONS.get(
            name, f"only {READ} are read" if not ensemble else f"its members must be {' or '.join(TREES)}"
        )
    raise OptionError(
        f"{ensemble or name}: {'members of ' + name + ': ' if ensemble else ''}cannot be mirrored: {reason}",
        value_of="tree",
    )


def _options(estimator: Any) -> str:
    """The estimator's parameters that are not at their defaults, as Python writes them."""
    defaults = signature(type(estimator)).parameters
    texts = []
    for name, value in estimator.get_params(deep=False).items():
        text = type(value).__name__ if hasattr(value, "get_params") else repr(value)
        if name in defaults and text != repr(defaults[name].default) and " at 0x" not in text:
            texts.append(f"{name}={' '.join(text.split())}")
    return " ".join(texts)


@dataclass(frozen=True, eq=False)
class _HeaderMapping:
    """The positions of an estimator's features and classes in a header.

    Parameters
    ----------
    header : Header
    column : (n_features,) intp
        The attribute of each feature.
    class_index : (n_classes of the estimator,) intp
        The declared class of each of ``classes_``.
    """

    header: Header
    column: NDArray[np.intp]
    class_index: NDArray[np.intp]

    @classmethod
    def of(cls, estimator: Any, header: Header | None) -> _HeaderMapping:
        names = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
        labels = [str(label) for label in estimator.classes_.tolist()]
        if header is None:
            header = _header(type(estimator).__name__, names, estimator.n_features_in_, labels)
        inputs = np.delete(np.arange(len(header.attributes)), header.class_index)
        header.check_nominal_class()
        present = [header.attributes[column].name for column in inputs]
        if len(inputs) != estimator.n_features_in_ or (names and sorted(present) != sorted(names)):
            hint = name_list(names) if names else "without names"
            raise HeaderMismatchError(
                f"{type(estimator).__name__}: expected a header with {estimator.n_features_in_} attributes ({hint}) "
                f"and a class, got {name_list(present)}; give the header of the data that the estimator was fitted on"
            )
        if not_numeric := [a.describe() for a in map(header.attributes.__getitem__, inputs) if a.kind not in NUMBERS]:
            raise HeaderMismatchError(
                f"{type(estimator).__name__}: expected numeric attributes, since scikit-learn compares numbers, got "
                f"{', '.join(not_numeric[:3])}"
            )
        column = inputs[[present.index(name) for name in names]] if names else inputs
        return cls(header, column, _class_index(estimator, labels, header))

    def for_member(self, features: NDArray[Any] | slice, classes: NDArray[Any]) -> _HeaderMapping:
        """The mapping of an ensemble's member, which has some of the features and classes, given by their numbers."""
        return _HeaderMapping(self.header, self.column[features], self.class_index[classes.astype(np.intp)])


NUMBERS = ("numeric", "date")


def _header(relation: str, feature_names: list[str], n_features: int, labels: list[str]) -> Header:
    names = feature_names or [f"x{i}" for i in range(1, n_features + 1)]
    target = "class"
    while target in names:
        target += "_"
    for kind, texts in (("classes", labels), ("features", names)):
        if len(set(texts)) < len(texts):
            raise OptionError(
                f"{relation}: two of its {kind} read the same as text ({name_list(texts)}); rename one", value_of="tree"
            )
    attributes = (*map(Attribute, names), Attribute(target, "nominal", tuple(labels)))
    return Header(relation, attributes, len(names), is_named=bool(feature_names))


def _class_index(estimator: Any, labels: list[str], header: Header) -> NDArray[np.intp]:
    """The declared class of each label: of that name, or else, for whole numbers, of that index."""
    index = header.class_attribute.value_index
    if all(label in index for label in labels):
        return np.array([index[label] for label in labels], dtype=np.intp)
    numbers = estimator.classes_
    if numbers.dtype.kind in "iu" and numbers.min() >= 0 and numbers.max() < header.n_classes:
        return np.asarray(numbers, dtype=np.intp)
    raise HeaderMismatchError(
        f"{type(estimator).__name__}: its classes are {name_list(labels)}, and '{header.class_attribute.name}' "
        f"declares {name_list(header.class_names)}; they must be those names, or indices of declared classes"
    )


def _members(estimator: Any, mapping: _HeaderMapping) -> Iterator[tuple[Any, _HeaderMapping]]:
    features = getattr(estimator, "estimators_features_", [slice(None)] * len(estimator.estimators_))
    for member, member_features in zip(estimator.estimators_, features, strict=True):
        _check_kind(member, type(estimator).__name__)
        yield member, mapping.for_member(member_features, member.classes_)


def _tree(estimator: Any, mapping: _HeaderMapping) -> TreeMirror:
    tree = estimator.tree_
    left, right = tree.children_left, tree.children_right
    inner = left != right
    weight, total = _class_weight(tree.value[:, 0, :], tree.weighted_n_node_samples, estimator)
    class_weight = np.zeros((tree.node_count, mapping.header.n_classes))
    class_weight[:, mapping.class_index] = weight
    share = np.full(tree.node_count, np.nan)
    share[left[inner]], share[right[inner]] = tree.missing_go_to_left[inner], 1 - tree.missing_go_to_left[inner]
    return binary_tree(
        mapping.header, Routing.CART, left, right, split_point=tree.threshold, class_weight=class_weight, total=total,
        split_attribute=mapping.column.take(tree.feature, mode="clip"),  # leaves have a feature below 0
        branch_weight=share, learner="",
    )  # fmt: skip


def _class_weight(fraction: FloatArray, total: FloatArray, estimator: Any) -> tuple[FloatArray, FloatArray]:
    """Class weights and totals whose quotients are scikit-learn's fractions to the last bit.

    scikit-learn keeps fractions and the weight of each node. The weights of classes are whole numbers if these give the
    fraction, else one of the numbers next to the product. Where none does, as after a monotonic constraint has clipped
    the fractions, the total moves by a relative 1e-12 at most.
    """
    if not ((fraction >= 0).all() and (total > 0).all()):
        raise OptionError(
            f"{type(estimator).__name__}: some class weights of its nodes are negative, so they are no frequencies; "
            "fit it with weights of at least 0",
            value_of="tree",
        )
    weight, is_exact = _quotients(fraction, total)
    total = total.copy()
    steps = np.argsort(np.abs(np.arange(-NEIGHBOURS, NEIGHBOURS + 1)), kind="stable") - NEIGHBOURS
    for node in np.flatnonzero(~is_exact):
        candidates = total[node] + steps * np.spacing(total[node])
        rows, fits = _quotients(np.broadcast_to(fraction[node], (len(candidates), fraction.shape[1])), candidates)
        if not fits.any():
            raise OptionError(
                f"{type(estimator).__name__}: no class weights give the fractions of a node exactly", value_of="tree"
            )
        weight[node], total[node] = rows[fits.argmax()], candidates[fits.argmax()]
    return weight, total


def _quotients(fraction: FloatArray, total: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Weights that give the fractions when divided by the totals, and whether all weights of a row do so exactly."""
    divisor = total[:, None]
    weight = np.rint(fraction * divisor)
    product = fraction * divisor
    up, down = np.nextafter(product, np.inf), np.nextafter(product, -np.inf)
    for candidate in (product, up, down, np.nextafter(up, np.inf), np.nextafter(down, -np.inf)):
        weight = np.where(weight / divisor == fraction, weight, candidate)
    return weight, np.asarray((weight / divisor == fraction).all(axis=1))
