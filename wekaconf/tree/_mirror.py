"""A finished decision tree: its arrays, the checks that they fit one another, and its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import counted
from wekaconf.base.stored import arrays_of, declared, stored
from wekaconf.base.words import Owner
from wekaconf.data import Dataset, Header, header_of
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.tree._annotation import Annotate
from wekaconf.tree._kinds import (
    LEAF,
    NOMINAL_EACH,
    NOMINAL_EQUALS,
    NOMINAL_SUBSET,
    NUMERIC_LE,
    NUMERIC_LT,
    Routing,
    SplitKind,
)
from wekaconf.tree._router import Router, normalised, sequential_sum, single_precision_limit, strict_winner

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COUNTED = stored(np.float64, "n_counted", "n_classes", is_optional=True)


@dataclass(frozen=True, eq=False)
class TreeMirror:
    """A tree as read-only arrays, which answers exactly as the learner's own tree does.

    Nodes are numbered breadth-first: the root is 0, ``parent[i] < i``, and siblings are contiguous.

    Parameters
    ----------
    header : Header
        Header of the training data.
    routing : Routing
        The rules by which the tree answers.
    learner, options, weka_version : str
        The learner that grew the tree, for the record; ``weka_version`` is empty for learners that are not Weka's.
    parent : (n_nodes,) int32
        −1 at the root.
    first_child, n_branches : (n_nodes,) int32
        Branch b leads to ``first_child + b``; −1 and 0 at leaves.
    split_kind : (n_nodes,) uint8
        A `SplitKind`.
    split_attribute : (n_nodes,) int32
        Column of the header; −1 at leaves.
    split_point : (n_nodes,) float64
        In the attribute's unit; NaN at leaves and nominal splits, and where Weka's midpoint of −∞ and ∞ is NaN, so that
        every known value goes to branch 1.
    split_value : (n_nodes,) int32
        NOMINAL_EQUALS: value index; NOMINAL_SUBSET: where its flags begin in ``split_subset``; else −1.
    class_weight : (n_nodes, n_classes) float64
        J48, RandomTree: summed instance weights by class, as Weka stored them; REPTree: the distribution it
        stored; CART, COUNTS: summed instance weights by class. Dimensionless, at least 0.
    total : (n_nodes,) float64
        J48: Weka's own total of ``class_weight``; CART, COUNTS: the sum of ``class_weight``; else 1.
    branch_weight : (n_nodes,) float64
        For the branch that leads to the node: the instance weight (J48; Weka's perBag), or the share in [0, 1] of an
        instance with a missing value that takes the branch (others). CART: 1 for one branch, 0 for the other; COUNTS:
        the shares of a node sum to 1. NaN at the root.
    branch_class_weight : (n_nodes, n_classes) float64
        J48: the same by class (perClassPerBag), NaN at the root; else NaN.
    is_empty : (n_nodes,) bool
        J48: Weka's m_isEmpty; else whether the node has no class weights of its own.
    split_subset : (n_flags,) bool
        For every NOMINAL_SUBSET one flag per declared value of its attribute: whether the value leads to branch 0.
    grown_class_weight, held_out_class_weight : (n_counted, n_classes) float64
        REPTree: summed weights, by class, of the instances that the node was grown on, and of the instances held out
        for pruning; Weka prints these. n_counted is n_nodes, or 0 if they are unknown.

    Raises
    ------
    ValueError
        The arrays contradict one another.
    """

    header: Header
    routing: Routing
    parent: Annotated[Int32Array, stored(np.int32, "n_nodes", low=-1, below="n_nodes")]
    first_child: Annotated[Int32Array, stored(np.int32, "n_nodes", low=-1, below="n_nodes")]
    n_branches: Annotated[Int32Array, stored(np.int32, "n_nodes", low=0)]
    split_kind: Annotated[NDArray[np.uint8], stored(np.uint8, "n_nodes", high=max(SplitKind))]
    split_attribute: Annotated[Int32Array, stored(np.int32, "n_nodes", low=-1)]
    split_point: Annotated[FloatArray, stored(np.float64, "n_nodes", allows_nan=True, allows_inf=True)]
    split_value: Annotated[Int32Array, stored(np.int32, "n_nodes", low=-1)]
    class_weight: Annotated[FloatArray, stored(np.float64, "n_nodes", "n_classes")]
    total: Annotated[FloatArray, stored(np.float64, "n_nodes")]
    branch_weight: Annotated[FloatArray, stored(np.float64, "n_nodes", allows_nan=True)]
    branch_class_weight: Annotated[FloatArray, stored(np.float64, "n_nodes", "n_classes", allows_nan=True)]
    is_empty: Annotated[NDArray[np.bool_], stored(np.bool_, "n_nodes")]
    split_subset: Annotated[NDArray[np.bool_], stored(np.bool_, "n_flags")] = field(
        default_factory=lambda: np.zeros(0, dtype=np.bool_), kw_only=True
    )
    # REPTree answers from proportions, and prints these counts. They do not follow from the proportions, and only
    # Weka's shuffle knows which instances were held out. Only the printed tree reads them.
    grown_class_weight: Annotated[FloatArray, COUNTED] = field(default_factory=lambda: np.zeros(0), kw_only=True)
    held_out_class_weight: Annotated[FloatArray, COUNTED] = field(default_factory=lambda: np.zeros(0), kw_only=True)
    learner: str = field(default="J48", kw_only=True)
    options: str = field(default="", kw_only=True)
    weka_version: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        for name, declaration in declared(type(self)).items():
            array = np.array(getattr(self, name), dtype=declaration.dtypes[0], order="C")
            if declaration is COUNTED and not array.size:
                array = array.reshape(0, self.header.n_classes)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        object.__setattr__(self, "routing", Routing(self.routing))
        check_texts(learner=self.learner, options=self.options, weka_version=self.weka_version)
        self._validate()

    def _validate(self) -> None:
        n, sizes = self.n_nodes, {"n_classes": self.header.n_classes}
        for name, declaration in declared(type(self)).items():
            array = getattr(self, name)
            declaration.check_layout(name, array.dtype, array.shape, sizes)
        if sizes["n_counted"] not in (0, n):
            raise ValueError("grown_class_weight, held_out_class_weight: expected one row per node, or none")
        is_leaf = self.split_kind == LEAF
        inner = np.flatnonzero(~is_leaf)
        expected_first = 1 + np.concatenate(([0], np.cumsum(self.n_branches[inner])))
        if n == 0 or expected_first[-1] != n or not np.array_equal(self.first_child[inner], expected_first[:-1]):
            raise ValueError("first_child, n_branches: the nodes are not numbered breadth-first")
        if not np.array_equal(self.parent[1:], np.repeat(inner, self.n_branches[inner])) or self.parent[0] != -1:
            raise ValueError("parent: does not agree with first_child and n_branches")
        if self.n_branches[is_leaf].any() or not (self.n_branches[inner] > 0).all():
            raise ValueError("n_branches: expected 0 at leaves and more at all other nodes")
        if (self.first_child[is_leaf] != -1).any() or (self.split_attribute[is_leaf] != -1).any():
            raise ValueError("first_child, split_attribute: expected −1 at a leaf")
        if not (self.parent < np.arange(n)).all():
            raise ValueError("parent: a node comes before its parent")
        column = self.split_attribute[inner]
        if ((column < 0) | (column >= len(self.header.attributes)) | (column == self.header.class_index)).any():
            raise ValueError("split_attribute: a node splits on something that is not an attribute, or on the class")
        self._validate_splits(inner)
        self._validate_values()
        if self.routing.adds_counts:
            self._validate_counts()

    def _validate_values(self) -> None:
        is_equals = self.split_kind == NOMINAL_EQUALS
        is_subset = self.split_kind == NOMINAL_SUBSET
        value, n_declared = self.split_value.astype(np.int64), self.header.n_values[self.split_attribute]
        if (value[~is_equals & ~is_subset] != -1).any():
            raise ValueError("split_value: expected −1 at nodes that do not test for a value")
        if ((value < 0) | (value >= n_declared))[is_equals].any():
            raise ValueError("split_value: a node tests for a value that its attribute does not declare")
        if ((value < 0) | (value + n_declared > len(self.split_subset)))[is_subset].any():
            raise ValueError("split_value: the flags of a subset are not within split_subset")
        is_numeric = (self.split_kind == NUMERIC_LE) | (self.split_kind == NUMERIC_LT)
        if not np.isnan(self.split_point[~is_numeric]).all():
            raise ValueError("split_point: expected NaN at nodes without a numeric split")

    def _validate_counts(self) -> None:
        has_weight = self.class_weight.sum(axis=1) > 0
        if not has_weight[0] or (has_weight == self.is_empty).any():
            raise ValueError("is_empty: expected true exactly at nodes without class weights; the root must have some")
        self.check_shares()

    def check_shares(self) -> None:
        """Raise ValueError unless the shares of a node's branches sum to 1; J48 keeps weights instead."""
        share = self.branch_weight[1:]
        sums = self.over_branches(share)[self.first_child >= 0]
        if not (share >= 0).all() or not (np.abs(sums - 1) <= 1e-9).all():
            raise ValueError("branch_weight: expected shares that sum to 1 over the branches of a node")

    def over_branches(self, values: FloatArray) -> FloatArray:
        """(n_nodes,) float64: for each node the sum of ``values``, one per node except the root, over its branches."""
        return np.bincount(self.parent[1:], values, self.n_nodes).astype(np.float64)

    def _validate_splits(self, inner: NDArray[np.intp]) -> None:
        column, kind, n_branches = self.split_attribute[inner], self.split_kind[inner], self.n_branches[inner]
        is_each = kind == NOMINAL_EACH
        is_numeric = (kind == NUMERIC_LE) | (kind == NUMERIC_LT)
        is_known = is_numeric | is_each | (kind == NOMINAL_EQUALS) | (kind == NOMINAL_SUBSET)
        fits = is_known & np.where(is_numeric, self.header.is_ordered[column], self.header.is_nominal[column])
        fits &= n_branches == np.where(is_each, self.header.n_values[column], 2)
        for node in inner[~fits][:1].tolist():
            attribute = self.header.attributes[self.split_attribute[node]]
            raise ValueError(f"node {node}: split of kind {self.split_kind[node]} does not fit {attribute.describe()}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy by the arrays, so that these come back read-only."""
        record, arrays = self.to_arrays()
        return type(self).from_arrays, (self.header, record, arrays)

    @cached_property
    def router(self) -> Router:
        """The arrays that the routing kernels read."""
        return router_of(self)

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.parent)

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones included."""
        return int((self.split_kind == LEAF).sum())

    @property
    def class_names(self) -> tuple[str, ...]:
        """The declared classes."""
        return self.header.class_names

    @cached_property
    def levels(self) -> tuple[tuple[int, int], ...]:
        """For each depth the first node and the node after the last; nodes of equal depth have consecutive numbers."""
        bounds = [0, 1]
        while (end := int(np.searchsorted(self.parent, bounds[-1]))) > bounds[-1]:
            bounds.append(end)
        return tuple(pairwise(bounds))

    @cached_property
    def depth(self) -> Int32Array:
        """(n_nodes,) int32: number of splits above each node."""
        sizes = [end - begin for begin, end in self.levels]
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)

    @cached_property
    def preorder(self) -> tuple[Int32Array, Int32Array]:
        """(n_nodes,) int32 each: rank of each node in preorder, and number of nodes of its subtree."""
        parent, size = self.parent.tolist(), [1] * self.n_nodes
        for node in range(self.n_nodes - 1, 0, -1):
            size[parent[node]] += size[node]
        rank, following = [0] * self.n_nodes, [1] * self.n_nodes  # the rank of the next child
        for node in range(1, self.n_nodes):
            above = parent[node]
            rank[node] = following[above]
            following[above] += size[node]
            following[node] = rank[node] + 1
        return np.array(rank, dtype=np.int32), np.array(size, dtype=np.int32)

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """The record (JSON types) and the arrays from which `from_arrays` makes the tree again."""
        record = {name: str(getattr(self, name)) for name in ("routing", "learner", "options", "weka_version")}
        return record, arrays_of(self)

    @classmethod
    def from_arrays(cls, header: Header, record: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The tree that `to_arrays` gave the arrays of; arrays that are not `REQUIRED` may be absent."""
        parts: dict[str, Any] = {name: arrays[name] for name in declared(cls) if name in arrays or name in REQUIRED}
        return cls(header=header, **record, **parts)

    def __repr__(self) -> str:
        """Learner, data and number of nodes."""
        return (
            f"TreeMirror({self.learner} {self.options!r} on {self.header.relation!r}: {counted(self.n_nodes, 'node')})"
        )

    def _repr_html_(self) -> str:
        return _html_writers[-1](self)

    def plot(self, ax: Axes | None = None, *, annotate: Annotate | None = None, max_depth: int | None = None) -> Axes:
        """Draw the tree, the root at the top.

        Parameters
        ----------
        ax : Axes, optional
            Left out: new ones, so large that the texts can be read.
        annotate : callable, optional
            The annotation of each node: the ``annotation`` of a fitted method that annotates nodes.
        max_depth : int, optional
            Draw nodes down to this depth. Left out: as deep as the texts can be read, with a `wekaconf.Note` if that is
            not the whole tree.

        Returns
        -------
        Axes

        Raises
        ------
        OptionError
            matplotlib is not installed.
        """
        return _plotters[-1](self, ax, annotate=annotate, max_depth=max_depth)

    def with_laplace(self, laplace: bool) -> TreeMirror:
        """The same tree with or without Laplace's correction at the leaf.

        Raises
        ------
        OptionError
            The tree stores no class counts (REPTree, RandomTree).
        """
        if not self.routing.keeps_counts:
            raise OptionError(Owner(self.learner), " stores no class counts, so its leaves cannot be smoothed; use J48")
        return self if laplace == self.routing.is_laplace else self._laplace_twin

    @cached_property
    def _laplace_twin(self) -> TreeMirror:
        return replace(self, routing=self.routing.laplace_twin)

    def predict_proba(self, data: Dataset) -> FloatArray:
        """Class distributions, bit for bit Weka's ``distributionForInstance``; CART: scikit-learn's ``predict_proba``.

        COUNTS: see `Routing`.

        Parameters
        ----------
        data : Dataset
            With the header of the training data; the class is ignored.

        Returns
        -------
        (n_instances, n_classes) float64
            Rows sum to 1 and are at least 0, apart from Weka's own rounding. Cost: O(depth) per instance, more with
            missing values.

        Raises
        ------
        HeaderMismatchError
            The attributes of the data are not those of the training data.
        """
        self.header.check_same(header_of(data))
        return self.router.distributions(data.values)

    def predict(self, data: Dataset) -> NDArray[np.int64]:
        """(n_instances,) int64: the most probable class, ties to the lowest index, as in Weka's Evaluation."""
        return self.predict_proba(data).argmax(axis=1)

    def classify(self, data: Dataset) -> NDArray[np.int64]:
        """(n_instances,) int64: Weka's ``classifyInstance``, which is not always the most probable class.

        J48's ignores ``-A`` and lets a later class win only by more than 1e-6. RandomTree's gives −1 for an all-zero
        answer. CART, COUNTS, and a J48 inside AttributeSelectedClassifier: the most probable class, ties to the lowest
        index.
        """
        self.header.check_same(header_of(data))
        if not self.routing.is_j48 or self.learner == "AttributeSelectedClassifier":
            return strict_winner(self.router.distributions(data.values))
        plain = self.with_laplace(False).router.distributions(data.values)
        winner = np.zeros(len(plain), dtype=np.int64)
        best = np.full(len(plain), -1.0)
        for c in range(plain.shape[1]):
            wins = plain[:, c] - best > 1e-6
            winner[wins] = c
            best[wins] = plain[wins, c]
        return winner

    def apply(self, data: Dataset) -> Int32Array:
        """(n_instances,) int32: the node where each instance ends, −1 if a missing value divides it."""
        self.header.check_same(header_of(data))
        return self.router.terminal_nodes(data.values)


EXPORTED = {name: declaration for name, declaration in declared(TreeMirror).items() if name != "split_subset"}
"""The declarations of the arrays of Weka's trees that Java exports."""
REQUIRED = tuple(name for name, declaration in EXPORTED.items() if not declaration.is_optional)
"""The arrays that every tree has."""


def check_texts(**parts: object) -> None:
    """Raise ValueError unless all ``parts`` are texts."""
    for name, part in parts.items():
        if not isinstance(part, str):
            raise ValueError(f"{name}: expected text, got {part!r}")


def router_of(tree: TreeMirror) -> Router:
    """The router of a tree."""
    limit = single_precision_limit(tree.split_point) if tree.routing.is_cart else tree.split_point
    with np.errstate(over="ignore"):
        limit = np.where(tree.split_kind == NUMERIC_LT, np.nextafter(tree.split_point, -np.inf), limit)
    equals = np.where(tree.split_kind >= NOMINAL_EACH, tree.split_value, np.nan)
    equals = np.where(tree.split_kind == NOMINAL_SUBSET, -2 - equals, equals)
    stops = (tree.split_kind == LEAF) | (tree.is_empty if tree.routing.is_j48 else False)
    stops[0] = tree.split_kind[0] == LEAF
    share = tree.branch_weight
    if tree.routing.is_j48:
        with np.errstate(invalid="ignore", divide="ignore"):
            share = share / tree.total[tree.parent]
    enters = ~(tree.is_empty & stops)
    if tree.routing.is_cart:
        enters &= share != 0
    if tree.routing.adds_counts:
        enters = share > 0
        part, correction = _with_inherited(tree.class_weight.copy(), tree), float(tree.routing.is_laplace)
        answer = normalised(part, correction)
    else:
        answer = part = _answers(tree)
        correction = -1.0
    ones = np.ones(tree.n_nodes)
    return Router(
        n_classes=tree.header.n_classes,
        attribute=np.where(stops, np.int32(-1), tree.split_attribute).astype(np.int32),
        limit=limit,
        equals=equals,
        in_subset=tree.split_subset,
        first_child=tree.first_child,
        n_branches=tree.n_branches,
        enters=enters,
        down=share if tree.routing.is_j48 else ones,
        up=ones if tree.routing.is_j48 else share,
        answer=answer,
        part=part,
        correction=correction,
    )


def _divide(weights: FloatArray, total: FloatArray, laplace: bool) -> FloatArray:
    if laplace:
        return (weights + 1.0) / (total + weights.shape[1])[:, None]
    return weights / total[:, None]


def _answers(tree: TreeMirror) -> FloatArray:
    if tree.routing.is_j48:
        return _j48_answers(tree)
    return _frequencies(tree) if tree.routing.is_cart else _stored_answers(tree)


def _frequencies(tree: TreeMirror) -> FloatArray:
    """The answers of CART's leaves; an empty leaf, which no grown tree has, has that of its nearest ancestor."""
    with np.errstate(invalid="ignore", divide="ignore"):
        answer = _divide(tree.class_weight, tree.total, tree.routing.is_laplace)
    return _with_inherited(answer, tree)


def _with_inherited(answer: FloatArray, tree: TreeMirror) -> FloatArray:
    """The same answers, in place, with each empty node's replaced by that of its parent."""
    for node in np.flatnonzero(tree.is_empty):
        if node:
            answer[node] = answer[tree.parent[node]]
    return answer


def _j48_answers(tree: TreeMirror) -> FloatArray:
    """Weka's Distribution.prob and laplaceProb; an empty child answers with its branch, or with its parent."""
    laplace = tree.routing.is_laplace
    with np.errstate(invalid="ignore", divide="ignore"):
        node_answer = _divide(tree.class_weight, tree.total, laplace)
        branch_answer = _divide(tree.branch_class_weight, tree.branch_weight, laplace)
    if not laplace:
        node_answer[np.abs(tree.total) < 1e-6] = 0.0
    empty = 1 + np.flatnonzero(tree.is_empty[1:])
    has_branch = (tree.branch_weight[empty] > 1e-6)[:, None]
    answer = node_answer.copy()
    answer[empty] = np.where(has_branch, branch_answer[empty], node_answer[tree.parent[empty]])
    return answer


def _stored_answers(tree: TreeMirror) -> FloatArray:
    """The answers of REPTree's and RandomTree's leaves; a leaf without one has that of its nearest ancestor."""
    answer = tree.class_weight.copy()
    if tree.routing != Routing.REPTREE:
        sums = sequential_sum(answer)
        answer[sums != 0] /= sums[sums != 0, None]
    return answer if tree.routing == Routing.RANDOMTREE_UNCLASSIFIED else _with_inherited(answer, tree)


_plotters: list[Callable[..., Any]] = []
_html_writers: list[Callable[..., str]] = []


def render_trees_with(*, plot: Callable[..., Any], html: Callable[..., str]) -> None:
    """Let trees be drawn, and shown in notebooks, by these functions, which read trees and so stand above them."""
    _plotters.append(plot)
    _html_writers.append(html)
