"""The confidence intervals of ConfDTree and the weights of its routes, learned from the instances of each node."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import sums_are_exact
from wekaconf.base.stored import stored
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, frozen
from wekaconf.tree import NodeInstances, SplitKind, TreeMirror, keep_last_result

KOLMOGOROV_SMIRNOV = 1.628
"""Critical value of D (√n + .12 + .11/√n) at the level .01 (Stephens 1974, case 0)."""

INSTANCES_AT_A_TIME = 1 << 16
"""Number of instances, counted at each node that they reach, whose statistics are computed at a time."""


BOUND = stored(np.float64, "n_nodes", "n_classes", allows_nan=True, allows_inf=True)
"""An end of the interval of each class at each node; NaN: no value is inside."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """The intervals and route weights learned at every node, by class.

    Parameters
    ----------
    present : (n_nodes, n_classes) bool
        Whether the class has training instances at the node.
    is_active : (n_nodes,) bool
        Whether values are compared with the intervals of the node.
    assigned_low, assigned_high : (n_nodes, n_classes) float64
        The interval of the class for when it leads, in the unit of the split attribute.
    other_low, other_high : (n_nodes, n_classes) float64
        The narrower interval for when another class leads; ``other_low`` is NaN if no branch has weight for the class.
    route_weight : (n_nodes, n_classes) float64
        See `route_weights`.
    """

    present: Annotated[NDArray[np.bool_], stored(np.bool_, "n_nodes", "n_classes")]
    is_active: Annotated[NDArray[np.bool_], stored(np.bool_, "n_nodes")]
    assigned_low: Annotated[FloatArray, BOUND]
    assigned_high: Annotated[FloatArray, BOUND]
    other_low: Annotated[FloatArray, BOUND]
    other_high: Annotated[FloatArray, BOUND]
    route_weight: Annotated[FloatArray, stored(np.float64, "n_nodes", "n_classes", low=0, high=1e150)]

    @cached_property
    def n_active(self) -> int:
        """Number of nodes whose intervals are used: the most events that an instance can have."""
        return int(self.is_active.sum())

    @cached_property
    def present_classes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The beginning of each node's classes, (n_nodes + 1,), and the classes present, node by node."""
        begin = np.concatenate(([0], np.cumsum(self.present.sum(axis=1))))
        return begin, np.ascontiguousarray(np.nonzero(self.present)[1])

    def check(self, tree: TreeMirror) -> None:
        """Raise ValueError unless the arrays can be intervals of this tree."""
        is_numeric = np.isin(tree.split_kind, (SplitKind.NUMERIC_LE, SplitKind.NUMERIC_LT))
        if (self.is_active & ~is_numeric).any():
            raise ValueError("is_active: expected no intervals at nodes without a numeric split")
        is_open = np.isnan(self.assigned_low) | np.isnan(self.assigned_high)
        if (is_open & self.present)[self.is_active].any():
            raise ValueError("assigned_low, assigned_high: expected an interval for every class present")
        node, class_index = np.nonzero(~np.isnan(self.other_low))
        opens = is_numeric[node] & self.present[node, class_index]
        if not (opens.all() and has_route_weight(tree, self.route_weight, node, class_index).all()):
            raise ValueError("other_low: expected NaN for classes that are absent or lead nowhere")


class ClassStatistics(NamedTuple):
    """Statistics of the split attribute's values, for each class present at an inner node with a numeric split.

    Parameters
    ----------
    node, class_index : (n_present,) int64
        Ordered by node, then by class.
    n_instances : (n_present,) int64
        Those that reach the node whole and with a known value.
    mean, deviation : (n_present,) float64
        Weighted; the deviation is computed with n − 1 and is 0 for one instance; NaN for values near the
        largest double.
    distance : (n_present,) float64
        Kolmogorov-Smirnov distance D between the values and the normal distribution of that mean and deviation, in
        [0, 1]; ∞ if all values are equal, since a single point is not normally distributed.
    """

    node: NDArray[np.int64]
    class_index: NDArray[np.int64]
    n_instances: NDArray[np.int64]
    mean: FloatArray
    deviation: FloatArray
    distance: FloatArray


@keep_last_result
def class_statistics(tree: TreeMirror, train: Dataset) -> ClassStatistics:
    """The statistics of a tree; read-only, since all variants of the method share them."""
    instances = NodeInstances.of(tree, train)
    nodes = np.flatnonzero((tree.split_kind != SplitKind.LEAF) & ~np.isnan(tree.split_point))
    reached = np.cumsum(instances.end[nodes] - instances.begin[nodes], dtype=np.int64)
    parts = [
        _statistics(tree, train, instances, batch)
        for batch in np.split(nodes, np.flatnonzero(np.diff(reached // INSTANCES_AT_A_TIME)) + 1)
    ]
    return ClassStatistics(*map(frozen, map(np.concatenate, zip(*parts, strict=True))))


def _statistics(tree: TreeMirror, train: Dataset, instances: NodeInstances, nodes: NDArray[np.intp]) -> ClassStatistics:
    """The statistics of these nodes."""
    size = instances.end[nodes] - instances.begin[nodes]
    place = np.arange(size.sum()) + np.repeat(instances.begin[nodes] - (np.cumsum(size) - size), size)
    row, node_of = instances.order[place], np.repeat(nodes, size)
    values = train.values[row, tree.split_attribute[node_of]]
    known = np.flatnonzero(~np.isnan(values))
    key = node_of[known] * np.int64(train.n_classes) + train.class_values[row[known]]
    order = np.argsort(key, kind="stable")
    by_class, key = known[order], key[order]
    begin = np.flatnonzero(np.diff(key, prepend=-1))
    n_instances = np.diff(begin, append=len(key))
    moments = _describe(values[by_class], train.weights[row[by_class]], begin, n_instances)
    node, class_index = np.divmod(key[begin], train.n_classes)
    return ClassStatistics(node, class_index, n_instances, *moments)


@np.errstate(all="ignore")  # values near the largest double
def _describe(
    values: FloatArray, weights: FloatArray, begin: NDArray[np.int64], n: NDArray[np.int64]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean, deviation and distance of each part; part i is ``values[begin[i] : begin[i] + n[i]]``."""
    from scipy.special import ndtr

    total = np.add.reduceat(weights, begin)
    low, high = np.minimum.reduceat(values, begin), np.maximum.reduceat(values, begin)
    mean = np.add.reduceat(weights * values, begin) / total
    squares = np.add.reduceat(weights * (values - np.repeat(mean, n)) ** 2, begin)
    deviation = np.sqrt(squares / total * n / (n - 1))
    part = np.repeat(np.arange(len(n)), n)
    order = np.lexsort((values, part))
    normal = ndtr((values[order] - mean[part]) / deviation[part])
    weight = weights[order]
    above = weight.cumsum()
    if sums_are_exact(weight):
        above -= (above[begin] - weight[begin])[part]
    else:  # sums of fractions depend in their last digits on where they begin
        for first, end in itertools.pairwise([*begin.tolist(), len(weight)]):
            weight[first:end].cumsum(out=above[first:end])
    above /= total[part]
    below = above - weight / total[part]
    distance = np.maximum(np.maximum.reduceat(above - normal, begin), np.maximum.reduceat(normal - below, begin))
    # The paper is silent. A point is no normal distribution, but its t interval, a point as well, is there for COMB and
    # TDIST.
    is_point = low == high
    is_spread = (deviation > 0) & np.isfinite(deviation)
    fails = (total <= 0) | ~np.isfinite(low) | ~np.isfinite(high) | ~(is_point | is_spread)
    for array, point_value in ((mean, low), (deviation, 0.0), (distance, np.inf)):
        np.copyto(array, point_value, where=is_point)
        array[fails] = np.nan
    return mean, deviation, distance


def passes_normality(distance: FloatArray, count: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each class's values may be normal: D times a function of n is at most the critical value."""
    root = np.sqrt(np.maximum(count, 1))
    return np.asarray(distance * (root + 0.12 + 0.11 / root) <= KOLMOGOROV_SMIRNOV)


def t_quantile(level: float, count: NDArray[np.int64]) -> FloatArray:
    """Two-sided quantile of Student's t with count − 1 degrees of freedom; 0 for one instance."""
    from scipy.special import stdtrit

    freedom = np.maximum(count - 1, 1)
    quantile = stdtrit(freedom, (1 + level) / 2) if level < 1 else np.inf  # older versions of scipy give less for 1
    return np.where(count > 1, quantile, 0.0)


def has_route_weight(
    tree: TreeMirror, route_weight: FloatArray, node: NDArray[np.int64], class_index: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """(n,) bool: whether a branch of each node, all of them with numeric splits, has route weight for the class."""
    first = tree.first_child[node]
    return (route_weight[first, class_index] > 0) | (route_weight[first + 1, class_index] > 0)


def route_weights(tree: TreeMirror, train: Dataset) -> FloatArray:
    """(n_nodes, n_classes) float64: √n_c · n_c / T of the branch that leads to each node, 0 for an empty branch."""
    by_class, total = tree.branch_class_weight, tree.branch_weight
    if not tree.routing.is_j48:
        by_class = np.zeros(tree.class_weight.shape)
        for node, rows in NodeInstances.of(tree, train).at_splits(tree, train):
            taken = tree.router.branches(np.full(len(rows), node), train.values[rows, tree.split_attribute[node]])
            np.add.at(by_class, (tree.first_child[node] + taken, train.class_values[rows]), train.weights[rows])
        total = by_class.sum(axis=1)
    branch, class_index = np.nonzero(by_class)
    is_filled = (branch > 0) & (total[branch] > 0)
    branch, class_index = branch[is_filled], class_index[is_filled]
    class_weight = by_class[branch, class_index]
    weight = np.zeros(by_class.shape)
    weight[branch, class_index] = np.sqrt(class_weight) * (class_weight / total[branch])
    return weight
