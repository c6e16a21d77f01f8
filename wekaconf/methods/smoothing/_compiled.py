"""Counts and answers compiled by numba, instance by instance; equal bit for bit to the numpy form."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray, Int32Array, all_frozen, frozen
from wekaconf.methods.smoothing._counts import Classes, Codes, NodeCounts, PresentClasses, TrainingSet, cell_dtype
from wekaconf.methods.smoothing._estimates import LocalEstimate
from wekaconf.methods.smoothing._interpolation import Paths, uniform_estimate
from wekaconf.tree import TreeMirror, keep_last_result
from wekaconf.tree.compiling import inlined, jit
from wekaconf.tree.threads import in_threads

CELLS_PER_THREAD = 1 << 18
"""Number of values and classes read at nodes from which an additional thread pays off."""


class Counts(NamedTuple):
    """`NodeCounts` as kernels read them, and ``offset``: where each attribute's values begin in a list of all."""

    offset: NDArray[np.int64]
    class_first: Int32Array
    classes: Int32Array
    class_weight: FloatArray
    row_first: Int32Array
    row_value: NDArray[np.signedinteger[Any]]
    cell_first: NDArray[np.int64]
    cells: NDArray[Any]

    @classmethod
    def of(cls, local: LocalEstimate) -> Counts:
        """The counts of an estimate."""
        return cls(_offset(local.n_values), *(getattr(local.counts, name) for name in cls._fields[1:]))


def count(
    train: TrainingSet, present: PresentClasses, n_values: Int32Array, earlier: NodeCounts | None = None
) -> NodeCounts:
    """See `NodeCounts.of`; counts of the same training set are copied from ``earlier``."""
    earlier = earlier or _no_counts(len(present.first), train)
    arrays = _count(
        train.instances.begin, train.instances.end, present.first, present.classes, present.n_classes, train.codes,
        train.classes, train.weights, _offset(n_values),
        earlier.class_first, earlier.row_first, earlier.row_value, earlier.cell_first, earlier.cells,
    )  # fmt: skip
    return NodeCounts(present.first, present.classes, present.weight, *all_frozen(*arrays))


def _no_counts(n_starts: int, train: TrainingSet) -> NodeCounts:
    """Counts of no node; read-only, as the kernels expect."""
    dtypes: list[Any] = [np.int32, np.int32, np.float64, np.int32, train.codes.dtype, np.int64]
    dtypes.append(cell_dtype(train.weights))
    return NodeCounts(*(frozen(np.zeros(0 if i else n_starts, dtype)) for i, dtype in enumerate(dtypes)))


def interpolate(
    tree: TreeMirror, paths: Paths, weight: FloatArray, local: LocalEstimate, nodes: Int32Array, codes: Codes,
    *, classes: Classes | None = None,
) -> FloatArray:  # fmt: skip
    """See `interpolation.interpolate`."""
    ends = paths.end[nodes]
    order = np.argsort(tree.preorder[0][paths.node[ends]], kind="stable")
    scores, own_classes = np.empty((len(nodes), local.n_classes)), _classes_or_missing(classes, len(nodes))
    end_nodes, first, after = paths.node[ends], paths.first[ends], paths.first[ends + 1]
    uniform, counts = uniform_estimate(local.counts), Counts.of(local)
    in_threads(
        lambda places: _interpolate(
            scores, order[places], tree.parent, len(tree.levels), end_nodes, first, after, weight, uniform, codes,
            own_classes, counts,
        ),
        len(nodes), thread_size(len(tree.levels), local),
    )  # fmt: skip
    return scores


def estimate(local: LocalEstimate, nodes: Int32Array, codes: Codes, *, classes: Classes | None = None) -> FloatArray:
    """(n, n_classes) float64: see `LocalEstimate`; ``classes``, if not None, are compared as well.

    The same kernel interpolates: along a path of one node, which has all the weight.
    """
    answers, first = np.empty((len(nodes), local.n_classes)), np.zeros(len(nodes), dtype=np.int32)
    # read-only, as those of a tree and its paths are, so that the kernel is compiled once
    weight = frozen(np.repeat([[0.0], [1.0]], local.n_classes, axis=1))
    parent = frozen(np.zeros_like(local.counts.class_first[:-1]))
    own_classes, counts = _classes_or_missing(classes, len(nodes)), Counts.of(local)
    order = np.argsort(nodes, kind="stable")
    in_threads(
        lambda places: _interpolate(
            answers, order[places], parent, 1, nodes, first, first + 2, weight, 0.0, codes, own_classes, counts
        ),
        len(nodes), thread_size(1, local),
    )  # fmt: skip
    return answers


def thread_size(n_nodes: int, local: LocalEstimate) -> int:
    """The fewest instances for which a thread pays off, if each is estimated at ``n_nodes`` nodes."""
    return max(CELLS_PER_THREAD // (n_nodes * (len(local.n_values) + local.n_classes)), 1)


def _classes_or_missing(classes: Classes | None, n: int) -> Classes:
    return np.full(n, -1, dtype=np.int64) if classes is None else classes


@keep_last_result
def _offset(n_values: Int32Array) -> NDArray[np.int64]:
    """(n_columns + 1,) int64: where each attribute's values begin in a list of all, and its length; read-only."""
    offset = np.zeros(len(n_values) + 1, dtype=np.int64)
    np.cumsum(n_values, out=offset[1:])
    return frozen(offset)


@jit
def _grown(array, wanted):
    """The array, or a copy with room for ``wanted``."""
    if wanted <= len(array):
        return array
    larger = np.zeros(max(wanted, 2 * len(array)), dtype=array.dtype)
    larger[: len(array)] = array
    return larger


@jit
def _count(
    begin, end, class_first, present, n_classes, codes, classes, weights, offset,
    known_class_first, known_row_first, known_row_value, known_cell_first, known_cells,
):  # fmt: skip
    n_nodes, n_columns = len(begin), codes.shape[1]
    n_all, widest = offset[-1], most_classes(class_first)
    row_first = np.zeros(n_nodes * n_columns + 1, dtype=np.int32)
    cell_first = np.zeros(n_nodes, dtype=np.int64)
    row_value = np.zeros(1024, dtype=codes.dtype)
    cells = np.zeros(1024, dtype=known_cells.dtype)
    rank = np.zeros(n_classes, dtype=np.uint64)
    table = np.zeros(n_all * widest)
    is_seen = np.zeros(n_all, dtype=np.bool_)
    first_key = offset.astype(np.uint64)  # places that cannot be negative are read without a question
    n_rows, n_cells = 0, 0
    for node in range(n_nodes):
        width = np.uint64(class_first[node + 1] - class_first[node])
        cell_first[node] = n_cells
        if not width:
            row_first[node * n_columns + 1 : (node + 1) * n_columns + 1] = n_rows
            continue
        # Another method has counted at this node. Counting is the costly part, and methods need it at different nodes;
        # counting at all nodes always would take WPE alone several times as long.
        if known_class_first[node] < known_class_first[node + 1]:
            first_row, after_row = known_row_first[node * n_columns], known_row_first[(node + 1) * n_columns]
            first_cell, n_more = known_cell_first[node], after_row - first_row
            for i in range(node * n_columns + 1, (node + 1) * n_columns + 1):
                row_first[i] = n_rows + known_row_first[i] - first_row
            row_value = _grown(row_value, n_rows + n_more)
            row_value[n_rows : n_rows + n_more] = known_row_value[first_row:after_row]
            n_rows += n_more
            n_more *= np.int64(width)
            cells = _grown(cells, n_cells + n_more)
            cells[n_cells : n_cells + n_more] = known_cells[first_cell : first_cell + n_more]
            n_cells += n_more
            continue
        for j in range(width):
            rank[present[class_first[node] + j]] = j
        for place in range(begin[node], end[node]):
            class_rank = rank[classes[place]]
            weight = weights[place]
            for a in range(n_columns):
                value = codes[place, a]
                if value >= 0:
                    key = first_key[a] + np.uint64(value)
                    is_seen[key] = True
                    table[key * width + class_rank] += weight
        row_value = _grown(row_value, n_rows + n_all)
        cells = _grown(cells, n_cells + n_all * np.int64(width))
        for a in range(n_columns):
            for key in range(first_key[a], first_key[a + 1]):
                if is_seen[key]:
                    is_seen[key] = False
                    row_value[np.uint64(n_rows)] = key - first_key[a]
                    n_rows += 1
                    for j in range(width):
                        cells[np.uint64(n_cells)] = table[key * width + j]
                        table[key * width + j] = 0.0
                        n_cells += 1
            row_first[node * n_columns + a + 1] = n_rows
    row_value = _grown(row_value, n_rows + 1)[: n_rows + 1].copy()
    row_value[n_rows] = -1
    cells = _grown(cells, n_cells + widest)[: n_cells + widest].copy()
    cells[n_cells:] = 0
    return row_first, row_value, cell_first, cells


@jit
def open_node(node, opened, level, pointer, counts, nothing):
    """Make ``pointer[level]`` hold where the cells of every value at the node begin."""
    n_columns = len(counts.offset) - 1
    old = opened[level]
    if old >= 0:
        for a in range(n_columns):
            for row in range(counts.row_first[old * n_columns + a], counts.row_first[old * n_columns + a + 1]):
                pointer[level, counts.offset[a] + counts.row_value[row]] = nothing
    width = counts.class_first[node + 1] - counts.class_first[node]
    cell = counts.cell_first[node]
    for a in range(n_columns):
        for row in range(counts.row_first[node * n_columns + a], counts.row_first[node * n_columns + a + 1]):
            pointer[level, counts.offset[a] + counts.row_value[row]] = cell
            cell += width
    opened[level] = node


@jit
def write_keys(codes, row, offset, keys):
    """Write the place in ``pointer`` of each value of an instance into ``keys``; return how many values are known."""
    known = 0
    for a in range(codes.shape[1]):
        value = codes[row, a]
        if value >= 0:
            known += 1
            keys[a] = offset[a] + value
        else:
            keys[a] = offset[-1]
    return known


@inlined
def write_estimate(
    node, keys, known, own_class, removed, compares_class, pointer, level, counts, matches, out, at,
):  # fmt: skip
    """Write P(c | e) of one instance at the node opened at ``level`` into ``out[at]``; ``matches`` is scratch."""
    n_classes, cells = out.shape[1], counts.cells
    first = counts.class_first[node]
    width = counts.class_first[node + 1] - first
    for j in range(0, width, 2):  # two classes at a time, whose sums stay in registers
        second = np.uint64(min(j + 1, width - 1))
        first_sum, second_sum = cells[-1] - cells[-1], cells[-1] - cells[-1]
        for a in range(len(keys)):
            cell = pointer[level, keys[a]]
            first_sum += cells[cell + np.uint64(j)]
            second_sum += cells[cell + second]
        matches[j], matches[second] = first_sum, second_sum
    for c in range(n_classes):
        out[at, c] = 0.0
    own_weight = 0.0
    for j in range(width):
        c = counts.classes[first + j]
        out[at, c] = matches[j] + counts.class_weight[first + j]
        if c == own_class:
            own_weight = counts.class_weight[first + j]
    if own_class >= 0:
        if compares_class:
            out[at, own_class] += own_weight
        if removed > 0:
            n_equal = known + (2.0 if compares_class else 1.0)
            out[at, own_class] = max(out[at, own_class] - removed * n_equal, 0.0)
    total = 0.0
    for c in range(n_classes):
        total += out[at, c]
    for c in range(n_classes):
        out[at, c] = (out[at, c] + 1.0 / n_classes) / (total + 1.0)


@jit
def most_classes(class_first):
    """The largest number of classes at a node."""
    widest = 1
    for node in range(len(class_first) - 1):
        widest = max(widest, class_first[node + 1] - class_first[node])
    return widest


@jit
def _interpolate(
    scores, order, parent, n_levels, end_nodes, first, after, weight, uniform, codes, own_classes,
    counts,
):  # fmt: skip
    n_classes = weight.shape[1]
    matches, estimate = np.empty(n_classes), np.empty((1, n_classes))
    path = np.empty(n_levels, dtype=np.int64)
    opened = np.full(n_levels, -1, dtype=np.int64)
    nothing = len(counts.cells) - most_classes(counts.class_first)
    pointer = np.full((n_levels, counts.offset[-1] + 1), nothing, dtype=np.uint64)
    keys = np.empty(codes.shape[1], dtype=np.uint64)
    for row in order:
        deepest = after[row] - first[row] - 2
        node = end_nodes[row]
        for level in range(deepest, -1, -1):
            path[level] = node
            node = parent[node]
        for c in range(n_classes):
            scores[row, c] = weight[first[row], c] * uniform
        known = write_keys(codes, row, counts.offset, keys)
        for level in range(deepest + 1):
            node = path[level]
            if opened[level] != node:
                open_node(node, opened, level, pointer, counts, nothing)
            write_estimate(
                node, keys, known, own_classes[row], 0.0, True,
                pointer, level, counts, matches, estimate, 0,
            )  # fmt: skip
            for c in range(n_classes):
                scores[row, c] += weight[first[row] + level + 1, c] * estimate[0, c]
