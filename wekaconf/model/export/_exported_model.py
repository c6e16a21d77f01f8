"""What a format holds of a model: tree, sides that answer, their pool, and thresholds; and of which models.

Methods tell their answers at the nodes themselves (`Method.answers_at`), so no formula is written twice; a
method that has none is refused. A filter that fills missing values is a fill of the column, not a share at each node,
so that a filled row is whole in every format.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import alternatives, enumeration
from wekaconf.base.rounding import SCALE
from wekaconf.data import Attribute, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.aims import RejectCosts
from wekaconf.methods.contract import Method
from wekaconf.methods.second_opinion import LEAST, MethodKind, Neighbours, OfTree, SecondOpinion, Side, Sum, sides_of
from wekaconf.methods.smoothing import NodeMethod
from wekaconf.model.export._exported_parts import (
    Layout,
    LeafSide,
    SumSide,
    TestedColumn,
    bins,
    columns_read_by,
    tested_columns,
)
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import available_methods, label_of
from wekaconf.tree import NOMINAL_EACH, NOMINAL_EQUALS, NUMERIC_LT, Forest, TreeMirror

Operator = Literal["<", "<=", "in", "bins"]


class Split(NamedTuple):
    """The test of an inner node.

    Parameters
    ----------
    column : int
        Index into `ExportedModel.columns`.
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


class Pool(NamedTuple):
    """The logarithmic opinion pool of the sides: p(c) ∝ Π_s max(p_s(c), least)^w_s.

    Parameters
    ----------
    sides : tuple of str
        The names of the sides.
    weights : tuple of float
        For each side.
    least : float
        The probability that a side gives a class at least.
    """

    sides: tuple[str, ...]
    weights: tuple[float, ...]
    least: float


@dataclass(frozen=True)
class ExportedModel:
    """A tree, and what answers.

    Parameters
    ----------
    header : Header
        Of the training data, before the filters.
    learner, method : str
        As they are written on the command line, for the record.
    columns : tuple of Attribute
        Those that the tree tests or a sum adds up, as they are before the filters.
    fills : tuple of float
        For each column the cell that stands for a missing one; NaN: it stays missing.
    nodes : tuple of Split or None
        Breadth-first, the root first; only what an instance can reach. None: a leaf.
    sides : tuple of LeafSide or SumSide
        Each gives a distribution.
    pool : Pool or None
        None: the distribution is that of the only side.
    decider : LeafSide or None
        Whose most probable class is the answer, its probability in the distribution being the certainty. None: the
        distribution decides.
    thresholds : tuple of float or None
        For each class the certainty below which an answer that predicts it is rejected; ∞ rejects all, −∞ none. None:
        no answer is rejected.
    costs : RejectCosts or None
        The costs that decide the answer. None: the answer is the most probable class, and the certainty its
        probability.
    """

    header: Header
    learner: str
    method: str
    columns: tuple[Attribute, ...]
    fills: tuple[float, ...]
    nodes: tuple[Split | None, ...]
    sides: tuple[LeafSide | SumSide, ...]
    pool: Pool | None
    decider: LeafSide | None
    thresholds: tuple[float, ...] | None
    costs: RejectCosts | None = None

    def __repr__(self) -> str:
        """The numbers of nodes and columns."""
        return f"ExportedModel({self.method} on {self.learner}, {len(self.nodes)} nodes, {len(self.columns)} columns)"

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The nodes without a split."""
        return tuple(i for i, split in enumerate(self.nodes) if split is None)

    @property
    def lookup(self) -> LeafSide | None:
        """The side that alone says which class the model answers at each leaf; None: it does more than look up."""
        side = self.sides[0]
        return side if self.pool is None and self.decider is None and isinstance(side, LeafSide) else None

    @property
    def savings(self) -> tuple[tuple[float, ...], ...] | None:
        """Where costs decide: for each actual class the share of the largest cost that each answer saves."""
        return None if self.costs is None else tuple(map(tuple, self.costs.savings.tolist()))

    @property
    def class_names(self) -> tuple[str, ...]:
        """The declared classes."""
        return self.header.class_names


LEFT_OUT = (
    "the reasons of answers",
    "values outside those of training",
    "class sets",
    "what a promise was calibrated on",
)
"""What of a model no format holds."""


def can_export(method: Method) -> bool:
    """Whether a format holds a method, fitted or not, on a single tree."""
    return not _unexportable(method)


def _unexportable(method: Method) -> list[str]:
    """The name of the method, or of those of its sides, that no format holds."""
    if not isinstance(method, SecondOpinion):
        return [] if _answers_by_leaf(method) else [method.name]
    return [
        name
        for name, kind in sides_of(method.sides, method.name).items()
        if not (
            can_export(kind.method)
            if isinstance(kind, MethodKind)
            else isinstance(kind, type) and issubclass(kind, OfTree | Sum)
        )
    ]


def _answers_by_leaf(method: Method) -> bool:
    """Whether the distribution follows from the node at which an instance stops; what is fitted says so."""
    if type(method).answers_at is Method.answers_at:
        return False
    is_fitted = isinstance(getattr(method, "tree_", None), TreeMirror)
    return not is_fitted or method.answers_at(np.zeros(0, dtype=np.int32)) is not None


def exported_model(model: Model) -> ExportedModel:
    """What a format holds.

    Raises
    ------
    OptionError
        The model has a forest, or a filter that is no map of single columns, or its method, or a side of it, answers by
        more than a leaf and sums. The message names all of these.
    """
    method, tree = model.method, model.method.tree_
    if obstacles := _obstacles(model):
        whys, steps = zip(*obstacles, strict=True)
        raise OptionError(
            f"no format holds this model: {'; '.join(whys)}; to export one, {' and '.join(steps)}", value_of="model"
        )
    costs = None if model.choice is None or not model.choice.aim.decides else model.choice.aim.counted_costs
    assert isinstance(tree, TreeMirror)
    members = _members(method, tree)
    keeps_class = isinstance(method, SecondOpinion) and method.answers == "tree" and costs is None
    asks_tree = keeps_class or not members or not all(isinstance(side, Sum) for side in members.values())
    used = {int(column) for column in tree.router.attribute if column >= 0 and asks_tree}
    used |= {column for side in members.values() if isinstance(side, Sum) for column in columns_read_by(side)}
    seen = tested_columns(model.header, model.column_maps)
    places = {column: place for place, column in enumerate(sorted(used))}
    nodes, splits = _nodes(tree, seen, places) if asks_tree else ((0,), (None,))
    layout = Layout(tree, nodes, seen, places)
    sides = _sides(method, members, layout)
    pool = None
    if isinstance(method, SecondOpinion) and method.members_:
        pool = Pool(tuple(method.members_), tuple(method.weights_.tolist()), LEAST)
    return ExportedModel(
        header=model.header,
        learner=f"{tree.learner} {tree.options}".strip(),
        method=label_of(method),
        columns=tuple(seen[column].attribute for column in places),
        fills=tuple(seen[column].fill for column in places),
        nodes=splits,
        sides=sides,
        pool=pool,
        decider=layout.of_tree(tree) if keeps_class else None,
        thresholds=_thresholds(model, is_computed=pool is not None or keeps_class),
        costs=costs,
    )


def _thresholds(model: Model, *, is_computed: bool) -> tuple[float, ...] | None:
    """The thresholds; a unit lower where the runtime computes the certainty, whose last digits may be others there.

    Runtimes differ in their logarithms, and one of PMML in the shares of a leaf. A threshold is the certainty of some
    row, which is then answered everywhere.
    """
    thresholds = model.thresholds_by_class
    if thresholds is None:
        return None
    return tuple((thresholds - 1 / SCALE if is_computed else thresholds).tolist())


def _members(method: Method, tree: TreeMirror) -> dict[str, Side]:
    """The sides of a second opinion, the tree where it answers alone; none of another method."""
    return (method.members_ or {"laplace": OfTree(tree)}) if isinstance(method, SecondOpinion) else {}


def _sides(method: Method, members: dict[str, Side], layout: Layout) -> tuple[LeafSide | SumSide, ...]:
    """What gives distributions."""
    found = [layout.of_side(side) for side in members.values()] or [layout.of_method(method)]
    return tuple(side for side in found if side is not None)


def _obstacles(model: Model) -> list[tuple[str, str]]:
    """Why no format holds the model, and what to change, for each reason."""
    method, tree = model.method, model.method.tree_
    found = []
    if isinstance(tree, Forest):
        found.append(
            (f"it is a forest of {len(tree.trees)} trees, of which a format holds one", "grow one, as J48 does")
        )
    try:
        tested_columns(model.header, model.column_maps)
    except OptionError as error:
        why, _, step = str(error).rpartition("; ")
        found.append((why, step))
    if isinstance(method, SecondOpinion):
        found += _obstacles_of_sides(method)
    elif not can_export(method):
        near = "shrinkage" if isinstance(method, NodeMethod) else "leaf_frequency"
        able = [name for name, known in available_methods().items() if known.answers_at is not Method.answers_at]
        others = alternatives([name for name in [*able, SecondOpinion.name] if name != near])
        why = f"{label_of(method)} answers by the values of each instance, not by the leaf alone"
        found.append((why, f"fit {near}, which is nearest, or {others}"))
    return found


def _obstacles_of_sides(method: SecondOpinion) -> list[tuple[str, str]]:
    """The sides that no format holds, and others."""
    kinds = sides_of(method.sides, method.name)
    lacking = _unexportable(method)
    if not lacking:
        return []
    whys = {
        name: "keeps training instances" if kinds[name] is Neighbours else "answers by more than leaves and sums"
        for name in lacking
    }
    whys |= {"random_forest": "is trees of its own"} if "random_forest" in lacking else {}
    kept = [name for name in kinds if name not in lacking]
    kept = kept if len(kept) > 1 else ["laplace", "naive_bayes", "logistic"]
    told = enumeration([f"{name} {why}" for name, why in whys.items()])
    return [(f"of {label_of(method)}, {told}", f"fit it with sides={'+'.join(kept)}")]


def _nodes(
    tree: TreeMirror, seen: list[TestedColumn], places: dict[int, int]
) -> tuple[tuple[int, ...], tuple[Split | None, ...]]:
    """The nodes that an instance can reach, and their tests; those below a node where all stop are left out."""
    router, reached = tree.router, [0]
    number = {0: 0}
    shares = np.where(router.enters & (router.down * router.up > 0), router.down * router.up, 0.0)
    splits = []
    for node in reached:
        first, n_branches = int(tree.first_child[node]), int(tree.n_branches[node])
        split = None
        if router.attribute[node] >= 0:
            children = range(first, first + n_branches)
            number.update({child: len(reached) + i for i, child in enumerate(children)})
            reached.extend(children)
            column, branches = int(router.attribute[node]), tuple(number[child] for child in children)
            test = _test(tree, node, seen[column].cuts)
            split = Split(places[column], *test, branches, tuple(shares[first : first + n_branches].tolist()))
        splits.append(split)
    return tuple(reached), tuple(splits)


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
