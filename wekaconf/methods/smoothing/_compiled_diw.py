"""Algorithm DIW compiled by numba, instance by instance; equal bit for bit to the numpy form."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray
from wekaconf.methods.smoothing._compiled import (
    Counts,
    most_classes,
    open_node,
    thread_size,
    write_estimate,
    write_keys,
)
from wekaconf.methods.smoothing._counts import TrainingSet
from wekaconf.methods.smoothing._estimates import LocalEstimate
from wekaconf.methods.smoothing._interpolation import COARSE, FINE, Paths, path_scales, uniform_estimate
from wekaconf.tree import NodeInstances, TreeMirror
from wekaconf.tree.compiling import jit
from wekaconf.tree.threads import in_threads


def diw_weights(
    tree: TreeMirror, paths: Paths, train: TrainingSet, local: LocalEstimate, *, removes: bool, compares_class: bool
) -> FloatArray:  # fmt: skip
    """See `interpolation.diw_weights`."""
    scale, norm = path_scales(paths, train, local.counts)
    weight = np.zeros((paths.first[-1], local.n_classes))
    uniform, counts = uniform_estimate(local.counts), Counts.of(local)
    in_threads(
        lambda places: _diw_weights(
            weight, places.start, places.stop, tree.parent, tree.depth, len(tree.levels), paths.end, paths.first, scale,
            norm, train.instances.last, train.codes, train.classes, train.weights, removes, compares_class, uniform,
            counts,
        ),
        len(train.codes), thread_size(len(tree.levels), local), lambda: _path_boundaries(paths, train.instances),
    )  # fmt: skip
    return weight


def _path_boundaries(paths: Paths, instances: NodeInstances) -> NDArray[np.intp]:
    """The places in the order of training instances where no path has instances on both sides."""
    begin, end = instances.begin[paths.node], instances.end[paths.node]
    change = np.zeros(len(instances.order) + 2, dtype=np.int32)
    np.add.at(change, begin + 1, 1)
    np.subtract.at(change, np.maximum(begin + 1, end), 1)
    return np.flatnonzero(np.cumsum(change)[: len(instances.order)] == 0)


@jit
def _diw_weights(
    weight, begin, after, parent, depth, n_levels, path_end, path_first, scale, norm, last, codes, own_classes, weights,
    removes, compares_class, uniform, counts,
):  # fmt: skip
    """Write the weights of all paths whose instances are at the places ``begin`` … ``after`` − 1."""
    n_classes = weight.shape[1]
    coarse, fine = np.zeros((2, n_levels, n_levels + 1, n_classes))
    open_end = np.full(n_levels, -1, dtype=np.int64)
    opened = np.full(n_levels, -1, dtype=np.int64)
    nothing = len(counts.cells) - most_classes(counts.class_first)
    pointer = np.full((n_levels, counts.offset[-1] + 1), nothing, dtype=np.uint64)
    keys = np.empty(codes.shape[1], dtype=np.uint64)
    estimates = np.empty((n_levels + 1, n_classes))
    total, share, matches = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    path = np.empty(n_levels, dtype=np.int64)
    estimates[0, :] = uniform
    known, place, n_alike = 0, begin, 1
    while place <= after:
        n_alike = 1
        while (
            len(keys) == 0
            and place + n_alike < after
            and last[place + n_alike] == last[place]
            and own_classes[place + n_alike] == own_classes[place]
            and weights[place + n_alike] == weights[place]
        ):
            n_alike += 1  # without columns, these are told apart by nothing; exact sums are those of one by one
        deepest = -1
        if place < after:
            node = last[place]
            deepest = depth[node]
            for level in range(deepest, -1, -1):
                path[level] = node
                node = parent[node]
            total[:] = uniform
            known = write_keys(codes, place, counts.offset, keys)
        for level in range(n_levels):
            end = -1
            if level <= deepest:
                node = path[level]
                if opened[level] != node:
                    open_node(node, opened, level, pointer, counts, nothing)
                write_estimate(
                    node, keys, known, own_classes[place], weights[place] if removes else 0.0, compares_class,
                    pointer, level, counts, matches, estimates, level + 1,
                )  # fmt: skip
                for c in range(n_classes):
                    total[c] += estimates[level + 1, c]
                end = path_end[node]
            was_open = open_end[level]
            if was_open >= 0 and end != was_open and (end >= 0 or place == after):
                for i in range(level + 2):
                    for c in range(n_classes):
                        weight[path_first[was_open] + i, c] = (coarse[level, i, c] + fine[level, i, c]) / norm[was_open]
                        coarse[level, i, c] = 0.0
                        fine[level, i, c] = 0.0
            if end >= 0:
                open_end[level] = end
                for c in range(n_classes):
                    share[c] = weights[place] * scale[end] / total[c]
                for i in range(level + 2):
                    for c in range(n_classes):
                        degree = estimates[i, c] * share[c]
                        rounded = (degree + COARSE) - COARSE
                        coarse[level, i, c] += n_alike * rounded
                        fine[level, i, c] += n_alike * ((degree - rounded + FINE) - FINE)
        place += n_alike
