"""Shrinkage: interpolation of the estimates of the nodes on a path, with weights learned by Algorithm DIW."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray, Int32Array, all_frozen
from wekaconf.data.wording import class_text
from wekaconf.methods.contract import Step
from wekaconf.methods.smoothing._counts import Classes, Codes, NodeCounts, TrainingSet
from wekaconf.methods.smoothing._estimates import CodedInstances, LocalEstimate, estimate_step
from wekaconf.tree import NodeInstances, TreeMirror, keep_last_result, nearest_filled

CHUNK_CELLS = 1 << 17
"""Number of estimates (path, class, instance) that the numpy form holds at a time."""

# Exact sums make numpy and compiled form equal bit for bit, whatever the order of the training instances, and a leaf of
# thousands of equal instances loses no digits.
COARSE, FINE = 1.5 * 2.0**26, 1.5 * 2.0**-4
"""Adding and subtracting one of these rounds to multiples of 2⁻²⁶ or 2⁻⁵⁶, whose sums are exact in any order."""


@dataclass(frozen=True, eq=False)
class Paths:
    """The paths from the uniform node N_0 through the root N_1 down to every node that answers.

    Parameters
    ----------
    end : (n_nodes,) int32
        Number of the path that answers for an instance that stops at each node; −1 for none.
    first : (n_ends + 1,) int32
        Where the weights of each path begin.
    node : (n_ends,) int32
        The node where each path ends.
    """

    end: Int32Array
    first: Int32Array
    node: Int32Array

    @staticmethod
    def of(tree: TreeMirror, counts: NodeCounts) -> Paths:
        """Paths end where instances stop, or at the nearest ancestor that has training instances; read-only."""
        return _paths(tree, counts.class_first)


@keep_last_result
def _paths(tree: TreeMirror, class_first: Int32Array) -> Paths:
    # An empty leaf has its nearest filled ancestor's weights; up to 13 % of the test instances of the paper's sets
    # reach one.
    filled = nearest_filled(tree, np.diff(class_first) == 0)
    is_end = np.zeros(tree.n_nodes, dtype=np.bool_)
    is_end[filled[tree.router.stops]] = True
    number = np.where(is_end, np.cumsum(is_end, dtype=np.int32) - 1, np.int32(-1))
    node = np.flatnonzero(is_end).astype(np.int32)
    first = np.concatenate(([0], np.cumsum(tree.depth[node] + 2))).astype(np.int32)
    return Paths(*all_frozen(number[filled].astype(np.int32), first, node))


def nodes_above(tree: TreeMirror, nodes: Int32Array) -> Int32Array:
    """(n_levels, n) int32: the nodes on the path to each node by depth, root first; −1 below the node."""
    at, depth = nodes.copy(), tree.depth[nodes]
    path = np.full((int(depth.max(initial=0)) + 1, len(nodes)), -1, dtype=np.int32)
    for level in range(len(path) - 1, -1, -1):
        rows = np.flatnonzero(depth >= level)
        path[level, rows] = at[rows]
        at[rows] = tree.parent[at[rows]]
    return path


def estimates_along(
    path: Int32Array, local: LocalEstimate, instances: CodedInstances, *, compares_class: bool
) -> FloatArray:
    """(1 + n_levels, n_classes, n) float64: the uniform estimate, then that of each node of ``path``; 0 for −1."""
    level, rows = np.nonzero(path >= 0)
    estimates = np.zeros((1 + len(path), local.n_classes, path.shape[1]))
    estimates[0] = uniform_estimate(local.counts)
    estimates[1 + level, :, rows] = local(path[level, rows], instances.take(rows), compares_class=compares_class).T
    return estimates


def chunk_rows(n_levels: int, n_classes: int, n_columns: int) -> int:
    """The number of instances whose estimates and compared values are held at a time."""
    return max(CHUNK_CELLS // (4 * n_levels * max(n_classes, n_columns)), 1)


def iterated_weights(
    tree: TreeMirror,
    paths: Paths,
    train: TrainingSet,
    local: LocalEstimate,
    *,
    iterations: int,
    tolerance: float,
    compares_class: bool,
    own_class_only: bool,
) -> FloatArray:
    """Interpolation weights by repeated passes of Algorithm DIW, each from the weights of the one before.

    Parameters
    ----------
    tree, paths, train, local, compares_class
        See `diw_weights`.
    iterations : int
        Largest number of passes.
    tolerance : float
        A path is finished when each of its weights changes by less.
    own_class_only : bool
        Whether the weights of class j are learned from the instances of class j alone. That is EM for the likelihood of
        the training instances, each left out in turn (McCallum et al. 1998); a class without instances at the end of a
        path keeps uniform weights there.

    Returns
    -------
    (n_weights, n_classes) float64
        Cost: that of `diw_weights`, and for each path O(iterations · instances · length · n_classes).
    """
    weight = uniform_weights(tree, paths)
    scale, norm = path_scales(paths, train, local.counts)
    at_ends = _estimates_at_ends(tree, paths, train, local, compares_class=compares_class)
    for end, (places, path_estimates) in enumerate(at_ends):
        classes = train.classes[places]
        share = np.broadcast_to(train.weights[places] * scale[end] / norm[end], (local.n_classes, len(classes)))
        if own_class_only:
            share = share * (np.arange(local.n_classes)[:, None] == classes)
            class_share = share.sum(axis=1)
            estimates = path_estimates[:, class_share > 0]
            share = share[class_share > 0] / class_share[class_share > 0, None]
            classes_learned = np.flatnonzero(class_share > 0)
        else:
            estimates, classes_learned = path_estimates, np.arange(local.n_classes)
        rows = slice(int(paths.first[end]), int(paths.first[end + 1]))
        current = weight[rows][:, classes_learned]
        for _ in range(iterations):
            degree = current[:, :, None] * estimates
            previous, current = current, (degree / degree.sum(axis=0) * share).sum(axis=2)
            if np.abs(current - previous).max() < tolerance:
                break
        weight[rows, classes_learned] = current
    return weight


def _estimates_at_ends(
    tree: TreeMirror, paths: Paths, train: TrainingSet, local: LocalEstimate, *, compares_class: bool
) -> Iterator[tuple[slice, FloatArray]]:
    """For each path the instances at its end, and the estimates of its nodes for each instance, itself left out.

    The estimates are (n_nodes + 1, n_classes, n_instances) float64, the uniform one first. Paths are estimated
    together as far as memory allows.
    """
    begin, size = train.instances.begin[paths.node], train.instances.end[paths.node] - train.instances.begin[paths.node]
    batch = np.cumsum(size) // chunk_rows(len(tree.levels), local.n_classes, train.codes.shape[1])
    for ends in np.split(np.arange(len(size)), np.flatnonzero(np.diff(batch)) + 1):
        stop = np.cumsum(size[ends])
        start = stop - size[ends]
        places = np.arange(int(stop[-1])) + np.repeat(begin[ends] - start, size[ends])
        instances = local.coded(train.codes[places], classes=train.classes[places], without=train.weights[places])
        path = nodes_above(tree, np.repeat(paths.node[ends], size[ends]))
        estimates = estimates_along(path, local, instances, compares_class=compares_class)
        for end, a, b in zip(ends.tolist(), start.tolist(), stop.tolist(), strict=True):
            first = int(begin[end])
            yield slice(first, first + b - a), estimates[: tree.depth[paths.node[end]] + 2, :, a:b]


def uniform_weights(tree: TreeMirror, paths: Paths) -> FloatArray:
    """(n_weights, n_classes) float64: 1 / (k + 1) for each of the k + 1 nodes of a path, the uniform one included."""
    lengths = np.diff(paths.first)
    return np.repeat(np.repeat(1.0 / lengths, lengths)[:, None], tree.header.n_classes, axis=1)


def diw_weights(
    tree: TreeMirror, paths: Paths, train: TrainingSet, local: LocalEstimate, *, removes: bool, compares_class: bool
) -> FloatArray:
    """Interpolation weights by one pass of Algorithm DIW over the instances at the end of every path.

    Parameters
    ----------
    tree : TreeMirror
    paths : Paths
    train : TrainingSet
    local : LocalEstimate
    removes : bool
        Whether Step 2 is done: an instance is removed from every node's training subset while it is estimated.
    compares_class : bool
        Whether the class is one more attribute in Equation 5.

    Returns
    -------
    (n_weights, n_classes) float64
        w_j^i, Equation 4; the weights of a path and class sum to 1. Cost: time O(Σ n_instances · depth · n_classes ·
        (n_columns + depth)), memory that of the result and a bounded chunk.
    """
    learner = _DIW(paths, train, local)
    step = chunk_rows(len(tree.levels), local.n_classes, train.codes.shape[1])
    for begin in range(0, len(train.codes), step):
        places = slice(begin, begin + step)
        classes, weights = train.classes[places], train.weights[places]
        instances = local.coded(train.codes[places], classes=classes, without=weights if removes else None)
        path = nodes_above(tree, train.instances.last[places])
        estimates = estimates_along(path, local, instances, compares_class=compares_class)
        total = estimates[0].copy()
        for level, nodes in enumerate(path):
            total += estimates[level + 1]
            rows = np.flatnonzero(nodes >= 0)
            ends = paths.end[nodes[rows]]
            rows, ends = rows[ends >= 0], ends[ends >= 0]
            if len(rows):
                learner.learn(level, ends, estimates[: level + 2, :, rows], total[:, rows], weights[rows])
    return learner.finish()


class _DIW:
    """The sums of Equation 3, path by path; instances come in the order of the tree, so one path per depth is open."""

    # Each instance is estimated once, for all paths that it belongs to. Summing path by path, as `iterated_weights`
    # does, is less code, but takes 1.5 times as long where many leaves are empty, so that paths end at inner nodes.

    def __init__(self, paths: Paths, train: TrainingSet, local: LocalEstimate) -> None:
        self.first = paths.first
        self.scale, self.norm = path_scales(paths, train, local.counts)
        self.weight = np.zeros((int(paths.first[-1]), local.n_classes))
        self.open: dict[int, tuple[int, FloatArray, FloatArray]] = {}

    def learn(
        self, level: int, ends: Int32Array, estimates: FloatArray, total: FloatArray, weights: FloatArray
    ) -> None:
        """Add the degrees of instances to the paths ``ends``, which end at ``level``."""
        starts = np.concatenate(([0], np.flatnonzero(np.diff(ends)) + 1))
        share = weights * self.scale[ends] / total
        coarse, fine = np.empty((2, *estimates.shape[:2], len(starts)))
        for i, estimate in enumerate(estimates):
            degree = estimate * share
            rounded = (degree + COARSE) - COARSE
            coarse[i] = np.add.reduceat(rounded, starts, axis=1)
            fine[i] = np.add.reduceat((degree - rounded + FINE) - FINE, starts, axis=1)
        distinct = ends[starts]
        if level in self.open:
            end, old_coarse, old_fine = self.open.pop(level)
            if end == distinct[0]:
                coarse[:, :, 0] += old_coarse
                fine[:, :, 0] += old_fine
            else:
                self._close(np.array([end]), old_coarse[:, :, None], old_fine[:, :, None])
        self._close(distinct[:-1], coarse[:, :, :-1], fine[:, :, :-1])
        self.open[level] = int(distinct[-1]), coarse[:, :, -1], fine[:, :, -1]

    def _close(self, ends: NDArray[np.integer[Any]], coarse: FloatArray, fine: FloatArray) -> None:
        """Apply Equation 4 to paths of equal length; the degrees of an instance sum to its weight."""
        for i in range(len(coarse)):
            self.weight[self.first[ends] + i] = ((coarse[i] + fine[i]) / self.norm[ends]).T

    def finish(self) -> FloatArray:
        """The weights of all paths."""
        for end, coarse, fine in self.open.values():
            self._close(np.array([end]), coarse[:, :, None], fine[:, :, None])
        return self.weight


def path_scales(paths: Paths, train: TrainingSet, counts: NodeCounts) -> tuple[FloatArray, FloatArray]:
    """(n_ends,) float64 each: a power of two that brings the weights at an end to at most 1, and their scaled sum."""
    return _path_scales(paths, train.instances, train.weights, counts.class_first, counts.class_weight)


@keep_last_result
def _path_scales(
    paths: Paths, instances: NodeInstances, weights: FloatArray, class_first: Int32Array, class_weight: FloatArray
) -> tuple[FloatArray, FloatArray]:
    bounds = np.column_stack((instances.begin[paths.node], instances.end[paths.node])).ravel()
    largest = np.maximum.reduceat(np.append(weights, 0.0), bounds)[::2]
    scale = np.exp2(-np.ceil(np.log2(largest)))
    present = np.column_stack((class_first[paths.node], class_first[paths.node + 1])).ravel()
    norm = np.add.reduceat(np.append(class_weight, 0.0), present)[::2] * scale
    return all_frozen(scale, norm)


def uniform_estimate(counts: NodeCounts) -> float:
    """P^0 = 1 / |D_1|, from the summed weight of the root's instances."""
    total = float(counts.class_weight[: counts.class_first[1]].sum())
    return 1.0 / total if total > 0 else 1.0


def interpolate(
    tree: TreeMirror,
    paths: Paths,
    weight: FloatArray,
    local: LocalEstimate,
    nodes: Int32Array,
    codes: Codes,
    *,
    classes: Classes | None = None,
) -> FloatArray:
    """Equation 2 of wang2006: the weighted estimates of the nodes on the path of each instance.

    Parameters
    ----------
    tree : TreeMirror
    paths : Paths
    weight : (n_weights, n_classes) float64
    local : LocalEstimate
    nodes : (n,) int32
        The node where each instance stops.
    codes : (n, n_columns)
    classes : (n,) int64, optional
        The instances' classes, to be compared as one more attribute; for replication only.

    Returns
    -------
    (n, n_classes) float64
        Raw scores; rows need not sum to 1.
    """
    scores = np.empty((len(nodes), local.n_classes))
    step = chunk_rows(len(tree.levels), local.n_classes, codes.shape[1])
    for begin in range(0, len(nodes), step):
        chunk = slice(begin, begin + step)
        instances = local.coded(codes[chunk], classes=None if classes is None else classes[chunk])
        first = paths.first[paths.end[nodes[chunk]]]
        path = nodes_above(tree, paths.node[paths.end[nodes[chunk]]])
        estimates = estimates_along(path, local, instances, compares_class=True)
        sums = weight[first].T * estimates[0]
        for level, at in enumerate(path):
            rows = np.flatnonzero(at >= 0)
            sums[:, rows] += weight[first[rows] + level + 1].T * estimates[level + 1][:, rows]
        scores[chunk] = sums.T
    return scores


def path_step(
    tree: TreeMirror, paths: Paths, weight: FloatArray, local: LocalEstimate, node: int, codes: Codes
) -> Step:
    """Equation 2 for an instance that stops at a node, with the scores divided by their sum."""
    path = int(paths.end[node])
    weights = weight[paths.first[path] : paths.first[path + 1]]
    nodes: NDArray[np.int32] = nodes_above(tree, paths.node[[path]])[:, 0]
    uniform = np.full(local.n_classes, uniform_estimate(local.counts))
    parts = [Step.given("the uniform node above the root, 1 / number of training instances", uniform, kind="uniform")]
    parts += [estimate_step(tree, local, at, codes) for at in nodes.tolist()]
    scores = Step.weighted("", list(weights), parts, kind="interpolation", node=node)
    shown = class_text(tree.class_names[int(scores.array.argmax())])
    words = f"the estimates of the path, each times its weight for the class, below for {shown}"
    scores = replace(scores, words=words)
    return Step.shares("the scores, in shares that sum to 1", scores, kind="shares", node=node)
