"""What a format holds of a model: a tree whose leaves answer, and the thresholds; and which models are that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import alternatives
from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.header import Attribute, Header
from wekaconf.evaluation.reject_costs import expected_savings
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.methods.smoothing.base import NodeMethod
from wekaconf.model.export.tested_column import TestedColumn, bins, tested_columns
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import available_methods, label_of
from wekaconf.tree.forest import Forest
from wekaconf.tree.kinds import NOMINAL_EACH, NOMINAL_EQUALS, NUMERIC_LT
from wekaconf.tree.mirror import TreeMirror

Operator = Literal["<", "<=", "in", "bins"]
Division = Literal["mean", "sum", "counts"]
"""How the parts of an instance with missing values answer together: the mean of their distributions, weighted by share;
the sum of these; or the sum of class weights, normalised after a correction."""


class Split(NamedTuple):
    """The test of an inner node.

    Parameters
    ----------
    column : int
        Index into `ExportedTree.columns`.
    operator : {"<", "<=", "in", "bins"}
        Of a number: branch 0 if it is < or <= ``point``, which may be infinite; if that is NaN, always branch 1.
        "in": a nominal value takes its ``branch_of_value``. "bins": the ``branch_of_value`` of as many ``points`` as
        are smaller than the number.
    point : float
    points : tuple of float
        Ascending; empty but for "bins".
    branch_of_value : tuple of int
        For each declared value or each bin; empty for "<" and "<=".
    branches : tuple of int
        The nodes that the branches lead to.
    shares : tuple of float
        The share of an instance with a missing value that takes each branch; 0: none enters.
    """

    column: int
    operator: Operator
    point: float
    points: tuple[float, ...]
    branch_of_value: tuple[int, ...]
    branches: tuple[int, ...]
    shares: tuple[float, ...]

    @property
    def limit(self) -> float:
        """The largest number that takes branch 0; NaN if none does."""
        return float(np.nextafter(self.point, -np.inf)) if self.operator == "<" else self.point


class Node(NamedTuple):
    """A node: its test, and its answer where an instance may stop there.

    Parameters
    ----------
    split : Split or None
        None: a leaf.
    answer : tuple of float
        The distribution for an instance that stops here; empty where none does. An inner node has one if an instance
        with a missing value stops there, since no branch takes a share.
    part : tuple of float
        What a part of an instance adds here, times its share; class weights if the division is "counts".
    """

    split: Split | None
    answer: tuple[float, ...]
    part: tuple[float, ...]


@dataclass(frozen=True)
class ExportedTree:
    """A tree whose leaves answer as a model does.

    Parameters
    ----------
    header : Header
        Of the training data, before the filters.
    learner, method : str
        As they are written on the command line, for the record.
    columns : tuple of Attribute
        Those that the tree tests, as they are before the filters.
    fills : tuple of float
        For each column the cell that stands for a missing one; NaN: it stays missing.
    nodes : tuple of Node
        Breadth-first, the root first; only what an instance can reach.
    division : Division
    correction : float
        Is added to every class weight if the division is "counts".
    thresholds : tuple of float or None
        For each class the certainty below which an answer that predicts it is rejected; ∞ rejects all, −∞ none. None:
        no answer is rejected.
    savings : tuple of tuple of float, or None
        Where costs decide the answer: for each actual class the share of the largest cost that each answer saves. The
        answer is the class that is expected to save most, and what it saves is the certainty. None: the answer is the
        most probable class, and the certainty its probability.
    """

    header: Header
    learner: str
    method: str
    columns: tuple[Attribute, ...]
    fills: tuple[float, ...]
    nodes: tuple[Node, ...]
    division: Division
    correction: float
    thresholds: tuple[float, ...] | None
    savings: tuple[tuple[float, ...], ...] | None = None

    def __repr__(self) -> str:
        """The numbers of nodes and columns."""
        return f"ExportedTree({self.method} on {self.learner}, {len(self.nodes)} nodes, {len(self.columns)} columns)"

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The nodes without a split."""
        return tuple(i for i, node in enumerate(self.nodes) if node.split is None)

    @property
    def class_names(self) -> tuple[str, ...]:
        """The declared classes."""
        return self.header.class_names

    def decided(self, proba: FloatArray) -> tuple[Int64Array, FloatArray]:
        """(n,) int64 and (n,) float64: the answers to distributions, and their certainties."""
        scores = proba if self.savings is None else expected_savings(np.array(self.savings), proba)
        return most_probable(scores), np.asarray(scores.max(axis=1, initial=0.0))


LEFT_OUT = (
    "the reasons of answers",
    "values outside those of training",
    "class sets",
    "what a promise was calibrated on",
)
"""What of a model no format holds."""


def exported_tree(model: Model) -> ExportedTree:
    """The tree that a format holds.

    Raises
    ------
    OptionError
        The model has a forest, or a filter that is no map of single columns, or its method answers by more than the
        leaf.
    """
    method, tree = model.method, model.method.tree_
    if isinstance(tree, Forest):
        raise OptionError(
            f"a format holds one tree, and this model is a forest of {len(tree.trees)}; export a model of a "
            "learner that grows one tree, such as J48",
            value_of="model",
        )
    stops = np.flatnonzero(tree.router.stops).astype(np.int32)
    found = method.answers_at(stops)
    if found is None:
        raise OptionError(_refusal(method), value_of="model")
    thresholds = model.thresholds_by_class
    costs = None if model.choice is None else model.choice.aim.counted_costs
    answers = np.zeros((tree.n_nodes, tree.header.n_classes))
    answers[stops] = found
    tested = sorted({int(column) for column in tree.router.attribute if column >= 0})
    seen = tested_columns(model.header, model.column_maps)
    columns = [seen[column] for column in tested]
    division: Division = "mean"
    parts, correction = answers, 0.0
    if isinstance(method, LeafFrequency):
        router = (tree if method.laplace is None else tree.with_laplace(method.laplace)).router
        division = "counts" if tree.routing.adds_counts else "sum"
        parts, correction = router.part, max(router.correction, 0.0)
    return ExportedTree(
        header=model.header,
        learner=f"{tree.learner} {tree.options}".strip(),
        method=label_of(method),
        columns=tuple(column.attribute for column in columns),
        fills=tuple(column.fill for column in columns),
        nodes=_nodes(tree, answers, parts, dict(zip(tested, columns, strict=True)), division),
        division=division,
        correction=correction,
        thresholds=None if thresholds is None else tuple(thresholds.tolist()),
        savings=tuple(map(tuple, costs.savings.tolist())) if costs is not None and costs.decide else None,
    )


def _refusal(method: PostProcessor) -> str:
    """Why a method cannot be exported, and which can."""
    able = [name for name, known in available_methods().items() if known.answers_at is not PostProcessor.answers_at]
    near = "shrinkage" if isinstance(method, NodeMethod) else "leaf_frequency"
    others = alternatives([name for name in able if name not in (near, method.name)])
    return (
        f"{label_of(method)} answers by the values of each instance, not by the leaf alone, so no format holds it; the "
        f"nearest that can be exported is {near}, others are {others}"
    )


def _nodes(
    tree: TreeMirror, answers: FloatArray, parts: FloatArray, tested: dict[int, TestedColumn], division: Division
) -> tuple[Node, ...]:
    """The nodes that an instance can reach; those below a node where all stop are left out."""
    router, reached, places = tree.router, [0], [*tested]
    number = {0: 0}
    shares = np.where(router.enters & (router.down * router.up > 0), router.down * router.up, 0.0)
    nodes = []
    for node in reached:
        first, n_branches = int(tree.first_child[node]), int(tree.n_branches[node])
        split = None
        if router.attribute[node] >= 0:
            children = range(first, first + n_branches)
            number.update({child: len(reached) + i for i, child in enumerate(children)})
            reached.extend(children)
            column, branches = int(router.attribute[node]), tuple(number[child] for child in children)
            test = _test(tree, node, tested[column].cuts)
            split = Split(places.index(column), *test, branches, tuple(shares[first : first + n_branches].tolist()))
        has_answer = split is None or (router.keeps_missing[node] and division == "mean")
        answer, part = (tuple(array[node].tolist()) if has_answer else () for array in (answers, parts))
        nodes.append(Node(split, answer, part))
    return tuple(nodes)


def _test(
    tree: TreeMirror, node: int, cuts: FloatArray | None
) -> tuple[Operator, float, tuple[float, ...], tuple[int, ...]]:
    """Operator, point, points and branches of values; see `Split`."""
    n_values = int(tree.header.n_values[tree.split_attribute[node]])
    if not n_values or np.isnan(tree.router.equals[node]):
        if tree.split_kind[node] == NUMERIC_LT and tree.split_point[node] > -np.inf:
            return "<", float(tree.split_point[node]), (), ()
        return "<=", float(tree.router.limit[node]), (), ()
    value, kind = int(tree.split_value[node]), tree.split_kind[node]
    if kind == NOMINAL_EACH:
        branch_of_value = tuple(range(n_values))
    elif kind == NOMINAL_EQUALS:
        branch_of_value = tuple(int(index != value) for index in range(n_values))
    else:
        branch_of_value = tuple(int(not flag) for flag in tree.split_subset[value : value + n_values].tolist())
    if cuts is None:
        return "in", float("nan"), (), branch_of_value
    return "bins", float("nan"), *bins(cuts, branch_of_value)
