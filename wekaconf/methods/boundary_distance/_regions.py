"""The regions of a tree as boxes, and the distance to the nearest box of another class, found by comparing them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.tree import SplitKind, TreeMirror

CELLS = 2**16
"""Number of instances times regions that are compared at a time, in a few arrays of half a MiB each."""

MIXED, VOID = -1, -2


@dataclass(frozen=True, eq=False)
class Regions:
    """The regions in which instances end, each of them a box; regions that no instance can reach are left out.

    Parameters
    ----------
    node : (n_regions,) int32
        The node where instances of the region end, ascending.
    class_index : (n_regions,) int64
        The most probable class at that node.
    low, high : (n_regions, n_attributes) float64
        Bounds of the numeric attributes, in their own units; −∞ and ∞ where there is none.
    allowed : (n_regions, n_values) bool
        Whether the region holds each value of the nominal attributes, all values side by side.
    first_value : (n_attributes + 1,) int64
        Where the values of each attribute begin in ``allowed``; a numeric attribute has none.
    single_class : (n_nodes,) int64
        The class of all regions below a node, `MIXED` if they differ, `VOID` if there is none.
    unit : (n_attributes,) float64
        The length that counts as 1 on each axis, in the attribute's own unit; 1 for nominal attributes.
    is_fixed : (n_attributes,) bool
        Whether the value of an attribute may not change: a region that does not hold it is infinitely far.
    """

    node: Int32Array
    class_index: NDArray[np.int64]
    low: FloatArray
    high: FloatArray
    allowed: NDArray[np.bool_]
    first_value: NDArray[np.int64]
    single_class: NDArray[np.int64]
    unit: FloatArray
    is_fixed: NDArray[np.bool_]

    @classmethod
    def of(cls, tree: TreeMirror, unit: FloatArray) -> Regions:
        """The regions of a tree; cost O(n_leaves · (depth + n_attributes))."""
        attribute = tree.router.attribute
        is_reached = np.ones(tree.n_nodes, dtype=bool)
        for first, after in tree.levels[1:]:
            parents = tree.parent[first:after]
            is_reached[first:after] = is_reached[parents] & (attribute[parents] >= 0)
        node = np.flatnonzero(is_reached & (attribute < 0)).astype(np.int32)
        n_values = [len(a.values) if a.is_nominal else 0 for a in tree.header.attributes]
        first_value = np.concatenate(([0], np.cumsum(n_values)))
        allowed = allowed_values(tree, node, first_value)
        filled = ~is_void(tree, node, allowed, first_value)
        node, allowed = node[filled], allowed[filled]
        low, high = bounds(tree, node, tree.split_point)
        class_index = most_probable(tree.router.answer[node])
        single_class = _single_classes(tree, node, class_index)
        is_fixed = np.zeros(len(unit), dtype=np.bool_)
        return cls(node, class_index, low, high, allowed, first_value, single_class, unit, is_fixed)


def bounds(tree: TreeMirror, nodes: Int32Array, point: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lower and upper bounds of the numeric attributes on the way to ``nodes``, each (n, n_attributes) float64.

    ``point`` is where each node splits: ``split_point``, or the router's ``limit``; with the latter a box is exactly
    the doubles in (low, high] for every kind of comparison. The upper bound is −∞ below a split point that is NaN,
    since no value is below NaN.
    """
    low = np.full((len(nodes), len(tree.header.attributes)), -np.inf)
    high = np.full(low.shape, np.inf)
    steps = [*_steps_up(tree, nodes)]
    if steps:
        rows, parent, branch = map(np.concatenate, zip(*steps, strict=True))
        is_numeric = tree.split_kind[parent] <= SplitKind.NUMERIC_LT
        cell, limit = rows * low.shape[1] + tree.split_attribute[parent], point[parent]
        limit[np.isnan(limit)] = -np.inf
        for bound, update, side in ((high, np.minimum, 0), (low, np.maximum, 1)):
            is_side = is_numeric & (branch == side)
            update.at(bound.reshape(-1), cell[is_side], limit[is_side])
    return low, high


def allowed_values(tree: TreeMirror, nodes: Int32Array, first_value: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n, n_values) bool: which values of the nominal attributes lead to ``nodes``."""
    column_of = np.repeat(np.arange(len(first_value) - 1), np.diff(first_value))
    value_of = np.arange(first_value[-1]) - first_value[column_of]
    allowed = np.ones((len(nodes), first_value[-1]), dtype=bool)
    for rows, parent, branch in _steps_up(tree, nodes):
        kind = tree.split_kind[parent]
        value = np.where(kind == SplitKind.NOMINAL_EACH, branch, tree.split_value[parent])
        holds_if_named = (kind == SplitKind.NOMINAL_EACH) | (branch == 0)
        is_other_column = column_of != tree.split_attribute[parent][:, None]
        is_named = value_of == value[:, None]
        step, place = np.nonzero((kind == SplitKind.NOMINAL_SUBSET)[:, None] & ~is_other_column)
        is_named[step, place] = tree.split_subset[value[step] + value_of[place]]
        allowed[rows] &= is_other_column | (is_named == holds_if_named[:, None])
    return allowed


def is_void(
    tree: TreeMirror, nodes: Int32Array, allowed: NDArray[np.bool_], first_value: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """(n,) bool: for each of ``nodes`` whether no instance with finite values can reach it."""
    low, high = bounds(tree, nodes, tree.split_point)
    void = (low == np.inf).any(axis=1) | (high == -np.inf).any(axis=1)
    low, high = bounds(tree, nodes, tree.router.limit)
    void |= (low >= high).any(axis=1)
    for first, after in pairwise(first_value):
        if first < after:
            void |= ~allowed[:, first:after].any(axis=1)
    return void


def _steps_up(
    tree: TreeMirror, nodes: Int32Array
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.int32], NDArray[np.int32]]]:
    """All steps from ``nodes`` up to the root: the places in ``nodes`` that take one, the parents, and the branches."""
    rows, at = np.arange(len(nodes)), nodes
    while True:
        rows, at = rows[at > 0], at[at > 0]
        if not len(rows):
            return
        parent = tree.parent[at]
        yield rows, parent, at - tree.first_child[parent]
        at = parent


def _single_classes(tree: TreeMirror, node: Int32Array, class_index: NDArray[np.int64]) -> NDArray[np.int64]:
    """See `Regions.single_class`."""
    lowest = np.full(tree.n_nodes, tree.header.n_classes)
    highest = np.full(tree.n_nodes, -1)
    lowest[node] = highest[node] = class_index
    for first, after in tree.levels[:0:-1]:
        np.minimum.at(lowest, tree.parent[first:after], lowest[first:after])
        np.maximum.at(highest, tree.parent[first:after], highest[first:after])
    return np.where(highest < 0, VOID, np.where(lowest == highest, lowest, MIXED))


def nearest(
    regions: Regions, values: FloatArray, predicted: NDArray[np.int64], norm: str, nominal: float
) -> tuple[FloatArray, Int32Array]:
    """Distance to the nearest region of a class other than ``predicted``, and the region's node.

    Parameters
    ----------
    regions : Regions
    values : (n, n_attributes) float64
    predicted : (n,) int64
    norm : {"l2", "l1", "linf"}
        The norm of the offsets on the axes, taken in ascending order of the attributes. The Euclidean norm is computed
        as m √Σ(o/m)², m being the largest offset, so that it neither overflows nor underflows.
    nominal : float
        Offset of a nominal value that a region does not hold.

    Returns
    -------
    distance : (n,) float64
    node : (n,) int32
        The lowest node in case of ties; −1 if no distance is finite.
    """
    n, n_regions = len(values), len(regions.node)
    distance, node = np.empty(n), np.empty(n, dtype=np.int32)
    columns = np.flatnonzero(is_bounded(regions).any(axis=0)).tolist()
    step = max(1, CELLS // n_regions)
    for first in range(0, n, step):
        rows = slice(first, first + step)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            to_regions = _distances(regions, columns, values[rows], norm, nominal)
        to_regions[regions.class_index == predicted[rows, None]] = np.inf
        place = to_regions.argmin(axis=1)
        distance[rows] = to_regions[np.arange(len(to_regions)), place]
        node[rows] = np.where(distance[rows] < np.inf, regions.node[place], -1)
    return distance, node


def offsets(regions: Regions, values: FloatArray, place: int, nominal: float) -> FloatArray:
    """(n_attributes,) float64: how far one instance, (1, n_attributes), is outside the region at a place."""
    result = np.zeros(values.shape[1])
    for column in np.flatnonzero(is_bounded(regions).any(axis=0)).tolist():
        result[column] = _offsets(regions, column, values[:, column], nominal)[0, place]
    return result


def is_bounded(regions: Regions, places: NDArray[np.intp] | slice = slice(None)) -> NDArray[np.bool_]:
    """(n, n_attributes) bool: whether each region at these places excludes some values of an attribute."""
    bounded = (regions.low[places] > -np.inf) | (regions.high[places] < np.inf)
    allowed = regions.allowed[places]
    for column in np.flatnonzero(np.diff(regions.first_value)).tolist():
        bounded[:, column] |= ~allowed[:, regions.first_value[column] : regions.first_value[column + 1]].all(axis=1)
    return bounded


def _distances(regions: Regions, columns: list[int], values: FloatArray, norm: str, nominal: float) -> FloatArray:
    """(n, n_regions) float64: distance of each instance to each region."""
    result = np.zeros((len(values), len(regions.node)))
    if norm == "l1":
        for column in columns:
            result += _offsets(regions, column, values[:, column], nominal)
        return result
    for column in columns:
        np.maximum(result, _offsets(regions, column, values[:, column], nominal), out=result)
    if norm == "linf":
        return result
    largest = np.where((result > 0) & (result < np.inf), result, 1.0)
    squares = np.zeros(result.shape)
    for column in columns:
        share = _offsets(regions, column, values[:, column], nominal)
        share /= largest
        squares += share * share
    return np.asarray(result * np.sqrt(squares))


def _offsets(regions: Regions, column: int, cells: FloatArray, nominal: float) -> FloatArray:
    """(n, n_regions) float64: how far each value is outside each region; 0 for a missing value."""
    offset = _free_offsets(regions, column, cells, nominal)
    return np.where(offset > 0, np.inf, 0.0) if regions.is_fixed[column] else offset


def _free_offsets(regions: Regions, column: int, cells: FloatArray, nominal: float) -> FloatArray:
    """`_offsets` of an attribute whose value may change."""
    first, after = regions.first_value[column : column + 2]
    if first == after:
        low, high = regions.low[:, column], regions.high[:, column]
        offset = np.maximum(low - cells[:, None], cells[:, None] - high)
        return np.fmax(offset, 0.0) / regions.unit[column]
    cost = np.where(regions.allowed[:, first:after].T, 0.0, nominal)
    missing = np.isnan(cells)
    offset = cost[np.where(missing, 0, cells).astype(np.intp)]
    offset[missing] = 0.0
    return offset
