"""Counting, Algorithm DIW and the answers compiled by numba, instance by instance; equal bit for bit to numpy's."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from wekaconf.compiled import jit
from wekaconf.dataset import FloatArray
from wekaconf.smoothing.counts import Classes, Codes, IntArray, NodeCounts, PresentClasses, TrainingSet, cell_dtype
from wekaconf.smoothing.estimates import LocalEstimate
from wekaconf.smoothing.interpolation import COARSE, FINE, Paths, path_scales, uniform_estimate
from wekaconf.tree import TreeMirror


def count(train: TrainingSet, present: PresentClasses, n_values: IntArray) -> NodeCounts:
    """See `NodeCounts.of`."""
    none: NDArray[np.generic] = np.zeros(0, dtype=cell_dtype(train.weights))
    counted = _count(
        train.instances.begin, train.instances.end, present.first, present.classes, present.n_classes, train.codes,
        train.classes, train.weights, n_values, none,
    )  # fmt: skip
    return NodeCounts(present.first, present.classes, present.weight, *counted)


def diw_weights(
    tree: TreeMirror,
    paths: Paths,
    train: TrainingSet,
    local: LocalEstimate,
    *,
    removes: bool = True,
    compares_class: bool = False,
) -> FloatArray:
    """See `interpolation.diw_weights`."""
    scale, norm = path_scales(paths, train, local.counts)
    return _diw_weights(
        tree.parent, tree.depth, len(tree.levels), paths.end, paths.first, scale, norm, train.instances.last,
        train.codes, train.classes, train.weights, removes, compares_class, local.n_classes,
        uniform_estimate(local.counts), *_arrays(local.counts),
    )  # fmt: skip


def interpolate(
    tree: TreeMirror, paths: Paths, weight: FloatArray, local: LocalEstimate, nodes: IntArray, codes: Codes,
    *, classes: Classes | None = None,
) -> FloatArray:  # fmt: skip
    """See `interpolation.interpolate`."""
    ends = paths.end[nodes]
    return _interpolate(
        tree.parent, len(tree.levels), paths.node[ends], paths.first[ends], paths.first[ends + 1], weight,
        uniform_estimate(local.counts), codes, _or_missing(classes, len(nodes)), *_arrays(local.counts),
    )  # fmt: skip


def estimate(local: LocalEstimate, nodes: IntArray, codes: Codes, *, classes: Classes | None = None) -> FloatArray:
    """(n, n_classes) float64: see `LocalEstimate`; the class is compared where there is one."""
    return _estimates(nodes, codes, _or_missing(classes, len(nodes)), local.n_classes, *_arrays(local.counts))


def _or_missing(classes: Classes | None, n: int) -> Classes:
    return np.full(n, -1, dtype=np.int64) if classes is None else classes


def _arrays(counts: NodeCounts) -> tuple[NDArray[np.generic], ...]:
    return tuple(getattr(counts, field.name) for field in fields(counts))


@jit
def _count(begin, end, class_first, present, n_classes, codes, classes, weights, n_values, no_cells):
    n_nodes, n_columns = len(begin), codes.shape[1]
    seen = np.full(max(n_values.max(), 1) if n_columns else 1, -1, dtype=np.int64)
    row_first = np.zeros(n_nodes * n_columns + 1, dtype=np.int32)
    cell_first = np.zeros(n_nodes, dtype=np.int64)
    n_rows, n_cells, widest = 0, 0, 1
    for node in range(n_nodes):
        width = class_first[node + 1] - class_first[node]
        widest = max(widest, width)
        cell_first[node] = n_cells
        for a in range(n_columns):
            if width:
                stamp = node * n_columns + a
                for place in range(begin[node], end[node]):
                    value = codes[place, a]
                    if value >= 0 and seen[value] != stamp:
                        seen[value] = stamp
                        n_rows += 1
                        n_cells += width
            row_first[node * n_columns + a + 1] = n_rows
    row_value = np.full(n_rows + 1, -1, dtype=codes.dtype)
    cells = np.zeros(n_cells + widest, dtype=no_cells.dtype)
    rank = np.zeros(n_classes, dtype=np.int64)
    table = np.zeros((len(seen), widest))
    is_seen = np.zeros(len(seen), dtype=np.bool_)
    row, cell = 0, 0
    for node in range(n_nodes):
        width = class_first[node + 1] - class_first[node]
        if not width:
            continue
        for j in range(width):
            rank[present[class_first[node] + j]] = j
        for a in range(n_columns):
            for place in range(begin[node], end[node]):
                value = codes[place, a]
                if value >= 0:
                    is_seen[value] = True
                    table[value, rank[classes[place]]] += weights[place]
            for value in range(n_values[a]):
                if is_seen[value]:
                    row_value[row] = value
                    row += 1
                    for j in range(width):
                        cells[cell] = table[value, j]
                        table[value, j] = 0.0
                        cell += 1
                    is_seen[value] = False
    return row_first, row_value, cell_first, cells


@jit
def _estimate(
    node, own_codes, own_class, removed, compares_class,
    class_first, classes, class_weight, row_first, row_value, cell_first, cells, matches, out,
):  # fmt: skip
    """Write P(c | e) of one instance at one node into ``out``; ``matches`` is scratch."""
    n_columns, n_classes = len(own_codes), len(out)
    first = class_first[node]
    width = class_first[node + 1] - first
    for j in range(width):
        matches[j] = 0.0
    group = np.uint64(node * n_columns)
    base = row_first[group]
    node_cell = cell_first[node]
    known = 0
    for a in range(n_columns):
        value = own_codes[a]
        low, high = row_first[group], row_first[group + np.uint64(1)]
        group += np.uint64(1)
        if value < 0:
            continue
        known += 1
        row = low + value
        if row >= high or row_value[np.uint64(row)] != value:
            row = min(row, high)
            while low < row:
                middle = (low + row) // 2
                if row_value[np.uint64(middle)] < value:
                    low = middle + 1
                else:
                    row = middle
            if row >= high or row_value[np.uint64(row)] != value:
                continue
        cell = np.uint64(node_cell + (row - base) * width)
        if width == 1:
            matches[0] += cells[cell]
        elif width == 2:
            matches[0] += cells[cell]
            matches[1] += cells[cell + np.uint64(1)]
        else:
            for j in range(width):
                matches[j] += cells[cell + np.uint64(j)]
    for c in range(n_classes):
        out[c] = 0.0
    own_weight = 0.0
    for j in range(width):
        out[classes[first + j]] = matches[j] + class_weight[first + j]
        if classes[first + j] == own_class:
            own_weight = class_weight[first + j]
    if own_class >= 0:
        if compares_class:
            out[own_class] += own_weight
        if removed > 0:
            out[own_class] = max(out[own_class] - removed * (known + (2.0 if compares_class else 1.0)), 0.0)
    total = 0.0
    for c in range(n_classes):
        total += out[c]
    for c in range(n_classes):
        out[c] = (out[c] + 1.0 / n_classes) / (total + 1.0)


@jit
def _diw_weights(
    parent, depth, n_levels, path_end, path_first, scale, norm, last, codes, own_classes, weights, removes,
    compares_class, n_classes, uniform, class_first, classes, class_weight, row_first, row_value, cell_first, cells,
):  # fmt: skip
    weight = np.zeros((path_first[-1], n_classes))
    coarse, fine = np.zeros((2, n_levels, n_levels + 1, n_classes))
    open_end = np.full(n_levels, -1, dtype=np.int64)
    estimates = np.empty((n_levels + 1, n_classes))
    total, matches = np.empty(n_classes), np.empty(n_classes)
    path = np.empty(n_levels, dtype=np.int64)
    estimates[0, :] = uniform
    for place in range(len(codes) + 1):
        deepest = -1
        if place < len(codes):
            node = last[place]
            deepest = depth[node]
            for level in range(deepest, -1, -1):
                path[level] = node
                node = parent[node]
            total[:] = uniform
        for level in range(n_levels):
            end = -1
            if level <= deepest:
                _estimate(
                    path[level], codes[place], own_classes[place], weights[place] if removes else 0.0, compares_class,
                    class_first, classes, class_weight, row_first, row_value, cell_first, cells, matches,
                    estimates[level + 1],
                )  # fmt: skip
                for c in range(n_classes):
                    total[c] += estimates[level + 1, c]
                end = path_end[path[level]]
            was_open = open_end[level]
            if was_open >= 0 and end != was_open and (end >= 0 or place == len(codes)):
                for i in range(level + 2):
                    for c in range(n_classes):
                        weight[path_first[was_open] + i, c] = (coarse[level, i, c] + fine[level, i, c]) / norm[was_open]
                        coarse[level, i, c] = 0.0
                        fine[level, i, c] = 0.0
            if end >= 0:
                open_end[level] = end
                scaled = weights[place] * scale[end]
                for i in range(level + 2):
                    for c in range(n_classes):
                        degree = estimates[i, c] / total[c] * scaled
                        rounded = (degree + COARSE) - COARSE
                        coarse[level, i, c] += rounded
                        fine[level, i, c] += (degree - rounded + FINE) - FINE
    return weight


@jit
def _interpolate(
    parent, n_levels, end_nodes, first, after, weight, uniform, codes, own_classes,
    class_first, classes, class_weight, row_first, row_value, cell_first, cells,
):  # fmt: skip
    n_classes = weight.shape[1]
    scores = np.empty((len(codes), n_classes))
    matches, estimate = np.empty(n_classes), np.empty(n_classes)
    path = np.empty(n_levels, dtype=np.int64)
    for row in range(len(codes)):
        deepest = after[row] - first[row] - 2
        node = end_nodes[row]
        for level in range(deepest, -1, -1):
            path[level] = node
            node = parent[node]
        for c in range(n_classes):
            scores[row, c] = weight[first[row], c] * uniform
        for level in range(deepest + 1):
            _estimate(
                path[level], codes[row], own_classes[row], 0.0, True,
                class_first, classes, class_weight, row_first, row_value, cell_first, cells, matches, estimate,
            )  # fmt: skip
            for c in range(n_classes):
                scores[row, c] += weight[first[row] + level + 1, c] * estimate[c]
    return scores


@jit
def _estimates(
    nodes, codes, own_classes, n_classes,
    class_first, classes, class_weight, row_first, row_value, cell_first, cells,
):  # fmt: skip
    answers = np.empty((len(codes), n_classes))
    matches = np.empty(n_classes)
    for row in range(len(codes)):
        _estimate(
            nodes[row], codes[row], own_classes[row], 0.0, True,
            class_first, classes, class_weight, row_first, row_value, cell_first, cells, matches, answers[row],
        )  # fmt: skip
    return answers
