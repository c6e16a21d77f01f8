"""The instances that reach each node of a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int32Array, all_frozen
from wekaconf.tree._kinds import SplitKind
from wekaconf.tree._last_result import keep_last_result
from wekaconf.tree._mirror import TreeMirror
from wekaconf.tree._router import mixture

CLOSE = 1e-6
"""The largest relative difference of two sums of the same weights."""
CELLS_PER_INSTANCE = 8
"""The largest number of cells per training instance in a table of nodes and classes; larger ones are mostly empty."""


@dataclass(frozen=True, eq=False)
class NodeInstances:
    """The training instances in the order of the tree, so that the instances of every node are consecutive.

    An instance belongs to a node if it reaches it whole. An instance that lacks the value of a split belongs to the
    nodes down to that split, and to none below.

    Parameters
    ----------
    order : (n_instances,) intp
        Row of the training set at each place.
    last : (n_instances,) int32
        The deepest node that each place's instance belongs to.
    begin, end : (n_nodes,) int32
        The places of a node's instances are begin … end − 1.
    """

    order: NDArray[np.intp]
    last: Int32Array
    begin: Int32Array
    end: Int32Array

    @staticmethod
    def of(tree: TreeMirror, train: Dataset) -> NodeInstances:
        """Route instances that all have a class; the arrays are read-only. Cost: O(n_instances · depth + n_nodes)."""
        return _routed(tree, train)

    def at_splits(self, tree: TreeMirror, train: Dataset) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """Each inner node with those of its instances that have a value for its split.

        Yields
        ------
        node : int
            In ascending order.
        rows : (n,) intp
            Rows of the training set, in ascending order. Total cost: O(n_instances · depth), and sorting.
        """
        for node in np.flatnonzero(tree.split_kind != SplitKind.LEAF).tolist():
            rows = np.sort(self.order[self.begin[node] : self.end[node]], kind="stable")
            yield node, rows[~np.isnan(train.values[rows, tree.split_attribute[node]])]

    def nearest_filled(self, tree: TreeMirror) -> Int32Array:
        """(n_nodes,) int32: each node itself, or its nearest ancestor with instances if it has none."""
        return nearest_filled(tree, self.begin == self.end)


@dataclass
class LeafRows:
    """Rows by the leaf that they reach, to tell whether they are those that a tree grew on.

    Parameters
    ----------
    tree : TreeMirror
    weight : float
        The summed weight of all rows so far that have a class; others grow no tree.
    """

    tree: TreeMirror
    weight: float = 0.0
    _parts: list[tuple[NDArray[np.int64], FloatArray]] = field(default_factory=list)

    def add(self, data: Dataset) -> None:
        """Route further rows, unless there are more by now than the tree grew on. Cost: O(n_instances · depth)."""
        data = data.take(data.class_values >= 0)
        self.weight += float(data.weights.sum())
        if len(data) and self.weight <= self._grown.sum() * (1 + CLOSE):
            row, node, share = self.tree.router.paths(data.values)
            place = node * np.int64(data.n_classes) + data.class_values.astype(np.int64)[row]
            self._parts.append((place, share * data.weights[row]))

    @property
    def are_as_grown(self) -> bool:
        """Whether each leaf gets as much weight of each class as when the tree grew; not of a tree without a split."""
        grown = self._grown
        if self.tree.n_nodes == 1 or not self._parts or abs(self.weight - grown.sum()) > CLOSE * self.weight:
            return False
        place, weight = map(np.concatenate, zip(*self._parts, strict=True))
        places, index = np.unique(place, return_inverse=True)
        return bool(np.allclose(grown[places], np.bincount(index, weight), rtol=CLOSE))

    @cached_property
    def _grown(self) -> FloatArray:
        """(n_nodes · n_classes,) float64: the weights that the tree grew on at leaves, and 0 at other nodes."""
        tree = self.tree
        is_counted = len(tree.grown_class_weight) > 0
        weights = tree.grown_class_weight + tree.held_out_class_weight if is_counted else tree.class_weight
        return np.where((tree.split_kind == SplitKind.LEAF)[:, np.newaxis], weights, 0.0).ravel()


@keep_last_result
def _routed(tree: TreeMirror, train: Dataset) -> NodeInstances:
    last = tree.router.last_whole_nodes(train.values)
    rank, size = tree.preorder
    instance_rank = rank[last].astype(np.min_scalar_type(tree.n_nodes))  # two bytes are sorted in linear time
    order = np.argsort(instance_rank, kind="stable")
    before = np.zeros(tree.n_nodes + 1, dtype=np.int32)
    np.cumsum(np.bincount(instance_rank, minlength=tree.n_nodes), out=before[1:])
    return NodeInstances(*all_frozen(order, last[order], before[rank], before[rank + size]))


@keep_last_result
def in_order(tree: TreeMirror, train: Dataset) -> tuple[NDArray[np.int64], FloatArray]:
    """(n_instances,) each: classes and weights in the order of `NodeInstances`; read-only."""
    order = _routed(tree, train).order
    return all_frozen(train.class_values[order], train.weights[order])


@keep_last_result
def paths_of(tree: TreeMirror, data: Dataset) -> tuple[NDArray[np.intp], Int32Array, FloatArray]:
    """The nodes where parts of instances stop, and the sizes of the parts, see `Router.paths`; read-only."""
    return all_frozen(*tree.router.paths(data.values))


def mean_answers(tree: TreeMirror, data: Dataset, answer: FloatArray) -> FloatArray:
    """(n_instances, n_classes) float64: mean over the parts of each instance of ``answer``, (n_nodes, n_classes)."""
    row, node, share = paths_of(tree, data)
    return mixture(len(data), row, share, answer[node])


@keep_last_result
def present_classes(tree: TreeMirror, train: Dataset) -> tuple[NDArray[np.int64], FloatArray]:
    """The classes of the training instances at each node, see `NodeInstances`, and their summed weights there.

    Returns
    -------
    key : (n_present,) int64
        node · n_classes + class, ascending; read-only.
    weight : (n_present,) float64
        Read-only.
        Cost: O(n_instances + n_present · depth), in memory too.
    """
    (classes, weights), n_classes = in_order(tree, train), tree.header.n_classes
    is_small = tree.n_nodes * n_classes <= CELLS_PER_INSTANCE * len(train)
    count = _count_in_table if is_small else _count_by_level
    key = _routed(tree, train).last.astype(np.int64) * n_classes + classes
    return all_frozen(*count(tree, key, weights))


def _count_by_level(
    tree: TreeMirror, key: NDArray[np.int64], weights: FloatArray
) -> tuple[NDArray[np.int64], FloatArray]:
    """The result of `present_classes`, from the keys of the instances at their last nodes."""
    n_classes = tree.header.n_classes
    below = (key, weights)
    by_level = []
    for first, _ in tree.levels[::-1]:
        key, group = np.unique(below[0], return_inverse=True)
        weight = np.bincount(group, below[1], minlength=len(key)).astype(np.float64)  # integers if there are none
        here = key >= first * n_classes
        by_level.append((key[here], weight[here]))
        parent = tree.parent[key[here] // n_classes].astype(np.int64)
        parent_key = parent * n_classes + key[here] % n_classes
        below = (np.concatenate((key[~here], parent_key)), np.concatenate((weight[~here], weight[here])))
    keys, level_weights = zip(*by_level[::-1], strict=True)
    return np.concatenate(keys), np.concatenate(level_weights)


def _count_in_table(
    tree: TreeMirror, key: NDArray[np.int64], weights: FloatArray
) -> tuple[NDArray[np.int64], FloatArray]:
    """The result of `_count_by_level` for positive weights, to the last bit, in fewer steps."""
    n_classes = tree.header.n_classes
    weight = np.bincount(key, weights).astype(np.float64)
    above = (tree.parent.astype(np.int64)[:, None] * n_classes + np.arange(n_classes)).ravel()
    for first, after in tree.levels[:0:-1]:
        here = first * n_classes + np.flatnonzero(weight[first * n_classes : after * n_classes])
        np.add.at(weight, above[here], weight[here])
    present = np.flatnonzero(weight)
    return present, weight[present]


def class_weight(tree: TreeMirror, train: Dataset) -> FloatArray:
    """(n_nodes, n_classes) float64: summed weights by class of each node's training instances, see `NodeInstances`."""
    key, weight = present_classes(tree, train)
    table = np.zeros((tree.n_nodes, tree.header.n_classes))
    table.ravel()[key] = weight
    return table


def nearest_filled(tree: TreeMirror, is_empty: NDArray[np.bool_]) -> Int32Array:
    """(n_nodes,) int32: each node itself; for an empty node its nearest ancestor that is not empty, or the root."""
    filled = np.arange(tree.n_nodes, dtype=np.int32)
    empty = np.flatnonzero(is_empty[1:]) + 1
    while len(empty):
        filled[empty] = tree.parent[filled[empty]]
        empty = empty[is_empty[filled[empty]] & (filled[empty] > 0)]
    return filled
