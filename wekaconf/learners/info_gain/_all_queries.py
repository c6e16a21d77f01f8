"""Leaves of very many queries, each an instance with an assumed class, without growing the tree of each.

Trees on sets that differ in one instance are almost the same. So a node here is a set of rows and the queries whose
trees have that node. It is sorted once, and a cut's score changes for a query only by what its instance x adds or
takes away on its side. Scores are whole numbers (`log_table`), so that sums of changes equal sums computed anew, and
equal gains are equal numbers.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.learners.info_gain._cut_search import (
    KIND,
    LEAF,
    LEAF_CLASS,
    NEW,
    OLD,
    PLACE,
    RANK,
    ROW,
    SPLIT,
    VALUE,
    SearchLimits,
    X,
    best_cut,
    best_splits,
    parts_of,
    split_at,
)
from wekaconf.learners.info_gain._entries import collect, join, take, unmark
from wekaconf.learners.info_gain._rules import log_table
from wekaconf.learners.info_gain._settling import (
    answer_odd_one,
    answer_with,
    is_odd_one,
    is_terminal,
    leader,
    settle,
    shrink,
)
from wekaconf.tree.compiling import jit
from wekaconf.tree.threads import Progress, n_threads, on_all_cores

OFFSET, SIZE, FIRST, ACTIVE, LAST, NEXT, IN_WORK = range(7)
"""Columns of a node: where its order begins, the number of its entries, where its queries begin, where the answered
ones among them begin, where they end, the next query, and the split in work."""
BOTTOM = np.iinfo(np.int64).max
IN_BLOCKS = 200_000_000
"""Number of queries times cells from which they are answered in blocks, on all cores."""
BLOCKS_PER_CORE, SHARED_LEVELS = 4, 3
"""The number of blocks of queries, and the level of the tree whose order of queries the blocks follow."""


def all_queries(
    values: FloatArray, target: Int64Array, n_classes: int, *, cuts: int, safe_prune: bool, min_weight: float,
    min_gain: float, label: Int64Array, row: Int64Array | None = None, test_values: FloatArray | None = None,
    which: Int64Array | None = None, on_progress: Progress | None = None,
) -> FloatArray:  # fmt: skip
    """Class counts of the leaf that each query's x reaches.

    Parameters
    ----------
    values : (n, n_attributes) float64
        Numeric, complete, each instance of weight 1.
    target : (n,) int64
        Classes, in [0, n_classes).
    n_classes : int
    cuts : {0, 1, 2}
        Class boundaries, every value, every value but x's: see `wekaconf.learners.info_gain._rules.Rules`.
    safe_prune : bool
    min_weight, min_gain : float
        At least 0.
    label : (n_queries,) int64
        The assumed class of x; −1: x is absent.
    row : (n_queries,) int64, optional
        Index of x in ``values``; the other instances are the training data.
    test_values : (n_test, n_attributes) float64, optional
        Instances outside the training data; those that are queried must be complete.
    which : (n_queries,) int64, optional
        Index of x in ``test_values``; needed when ``row`` is left out.
    on_progress : callable, optional
        Called with the number of queries done so far and in total, in many steps where they take more than a moment.

    Returns
    -------
    (n_queries, n_classes) float64
        For the tree on the training data and (x, label), x included unless it is absent.

    Notes
    -----
    Cost: time the size of all nodes that differ, times the attributes; at nodes of many queries also times the pairs of
    classes. Memory, on each core, the size of the nodes on a path, times the attributes. All cores are used; the
    answers do not depend on how the queries are distributed.

    References
    ----------
    Costa, Verwer & Blockeel 2013, "Estimating prediction certainty in decision trees", Section 3.2: the leaves Lᵢ of
    Equation 1, for all x and i. The algorithm is not theirs; the trees are.
    """
    n = len(values)
    if row is None:
        assert test_values is not None and which is not None
        queried, which = np.unique(which, return_inverse=True)
        values, x = np.concatenate((values, test_values[queried])), n + which
    else:
        x = row
    if values.shape[1] == 0:
        values = np.zeros((len(values), 1))
    classes = np.concatenate((target, np.full(len(values) - n, n_classes)))
    old, new = classes[x], np.where(label < 0, n_classes, label)
    by_classes = np.lexsort((x, old, new))
    queries = np.stack((x, old, new, x, x))[:, by_classes]
    terms, scale = log_table(n + 1)
    minimum = max(1, math.ceil(min(min_weight, n + 2.0) - 1e-9))
    limits = SearchLimits(cuts, safe_prune, minimum, float(min_gain) * scale, row is not None)
    answers = np.empty((len(x), n_classes))
    answers[by_classes] = _answer_in_blocks(
        queries, _sorted_rows(values, classes), np.stack((terms[:-1], np.diff(terms))), limits, n_classes,
        on_progress,
    )  # fmt: skip
    return answers


def _sorted_rows(values: FloatArray, classes: Int64Array) -> NDArray[np.int32]:
    """(5, n_attributes, n_rows): `ROW`, `PLACE`, `RANK`, `VALUE`, `KIND`."""
    order = np.argsort(values, axis=0, kind="stable").T
    rows = np.zeros((5, *order.shape), dtype=np.int32)
    rows[ROW], rows[KIND] = order, classes[order]
    ascending = np.take_along_axis(values.T, order, axis=1)
    np.cumsum(ascending[:, 1:] != ascending[:, :-1], axis=1, out=rows[VALUE][:, 1:])
    np.put_along_axis(rows[PLACE], order, np.arange(len(values), dtype=np.int32)[None], axis=1)
    np.put_along_axis(rows[RANK], order, rows[VALUE], axis=1)
    return rows


def _answer_in_blocks(
    queries: Int64Array, rows: NDArray[np.int32], table: FloatArray, limits: SearchLimits, n_classes: int,
    on_progress: Progress | None,
) -> FloatArray:  # fmt: skip
    """Answer at once, or on all cores, block by block of queries whose trees begin alike."""
    answers = np.empty((queries.shape[1], n_classes))
    queue = np.arange(queries.shape[1])

    def report(n_done: int) -> None:
        if on_progress is not None and len(queue):
            on_progress(n_done, len(queue))

    if len(queue) * rows[ROW].size < IN_BLOCKS:
        _answer(queue, queries, rows, table, limits, BOTTOM, answers)
        report(len(queue))
        return answers
    _answer(queue, queries, rows, table, limits._replace(safe_prune=False), SHARED_LEVELS, answers)
    blocks = np.array_split(queue, BLOCKS_PER_CORE * n_threads())
    n_done = np.cumsum([len(block) for block in blocks])
    on_all_cores(
        [partial(_answer, np.sort(block), queries, rows, table, limits, BOTTOM, answers) for block in blocks],
        lambda n_blocks: report(int(n_done[n_blocks - 1])),
    )
    return answers


@jit
def _enlarged(array, wanted):
    """The array, or a copy with room for ``wanted``."""
    if wanted <= len(array):
        return array
    larger = np.empty((max(wanted, 2 * len(array)),) + array.shape[1:], dtype=array.dtype)  # noqa: RUF005
    larger[: len(array)] = array
    return larger


@jit
def _is_all_of_class(orders, offset, size, wanted, rows, table, limits, mark, rest, counts, left):
    """Whether all leaves of the tree on these entries predict the class ``wanted``; the entries are reordered.

    If all leaves predict it, so does every node.
    """
    stack = np.empty((size + 2, 2), np.int64)
    stack[0, 0], stack[0, 1] = offset, size
    n_stack = 1
    while n_stack > 0:
        n_stack -= 1
        begin, n = stack[n_stack, 0], stack[n_stack, 1]
        counts[:] = 0
        for i in range(begin, begin + n):
            counts[rows[KIND, 0, orders[i]]] += 1
        if leader(counts) != wanted:
            return False
        if is_terminal(counts, limits.minimum):
            continue
        a, end = best_cut(orders, begin, size, n, counts, -1, len(counts), rows, table, limits, left)
        if a < 0:
            continue
        for i in range(end):
            mark[rows[ROW, a, orders[begin + a * size + i]]] = True
        for b in range(rows.shape[1]):
            at, n_rest = begin + b * size, 0
            for i in range(at, at + n):
                rest[n_rest] = orders[i - n_rest] = orders[i]
                n_rest += not mark[rows[ROW, b, orders[i]]]
            orders[at + end : at + n] = rest[:n_rest]
        for i in range(end):
            mark[rows[ROW, a, orders[begin + a * size + i]]] = False
        stack[n_stack, 0], stack[n_stack, 1] = begin, end
        stack[n_stack + 1, 0], stack[n_stack + 1, 1] = begin + end, n - end
        n_stack += 2
    return True


@jit
def _split(queue, orders, offset, size, counts, queries, best, answers, rows, table, limits, cuts, scores, left):
    """Sort queries by their best split; answer those without one, and put them last. Return the number with a split."""
    if len(queue) == 1:
        q = queue[0]
        x, new = queries[X, q], queries[NEW, q]
        answer_with(counts, queries[OLD, q], new, left[1])
        a, end = best_cut(orders, offset, size, size, left[1], x, new, rows, table, limits, left[0])
        queries[SPLIT, q] = LEAF
        if a >= 0:
            goes_left = rows[PLACE, a, x] <= orders[offset + a * size + end - 1]
            queries[SPLIT, q] = split_at(a, end, goes_left, size)
    else:
        best_splits(orders, offset, size, counts, queue, queries, best, rows, table, limits, cuts, scores, left)
        is_sorted = True
        for i in range(1, len(queue)):
            is_sorted = is_sorted and queries[SPLIT, queue[i - 1]] <= queries[SPLIT, queue[i]]
        if not is_sorted:
            queue[:] = queue[np.argsort(queries[SPLIT][queue], kind="mergesort")]
    n = len(queue)
    while n > 0 and queries[SPLIT, queue[n - 1]] == LEAF:
        n -= 1
        q = queue[n]
        answer_with(counts, queries[OLD, q], queries[NEW, q], answers[q])
        queries[LEAF_CLASS, q] = leader(answers[q])
    return n


@jit
def _prune(
    queue, node, orders, counts, beside, queries, answers, rows, table, limits, mark, members, rest, flags, left
):
    """Make the node a leaf for queries whose branch is a leaf of the class that all leaves of the other branch predict.

    Return ``orders``, perhaps enlarged.
    """
    wanted = leader(beside)
    is_asked = False
    for q in queue:
        is_asked = is_asked or queries[LEAF_CLASS, q] == wanted
    is_one = is_asked
    if is_asked and not is_terminal(beside, limits.minimum):
        offset, size = node[OFFSET], node[SIZE]
        a, end, goes_left = parts_of(node[IN_WORK], size)
        at, to = offset + a * size, offset + rows.shape[1] * size
        begin, stop = (at + end, at + size) if goes_left else (at, at + end)
        n = collect(orders, begin, stop, a, len(counts), rows, mark, members, left[1])
        orders = _enlarged(orders, to + rows.shape[1] * n + 1)
        take(orders, offset, size, to, n, rows, mark, members, flags)
        unmark(n, mark, members)
        is_one = _is_all_of_class(orders, to, n, wanted, rows, table, limits, mark, rest, left[1], left[0])
    for q in queue:
        if is_one and queries[LEAF_CLASS, q] == wanted:
            answer_with(counts, queries[OLD, q], queries[NEW, q], answers[q])
        else:
            queries[LEAF_CLASS, q] = -1
    return orders


@jit
def _answer(queue, queries, rows, table, limits, deepest, answers):
    """Answer the queries of the queue depth first, down to the level ``deepest``, and leave the queue in that order."""
    _, n_attributes, n_rows = rows.shape
    n_classes = answers.shape[1]
    cuts, scores = np.empty((6, n_rows + 2), np.int64), np.empty((5, n_rows + 2))
    left = np.empty((n_rows + 2, n_classes), np.int64)
    mark, members, rest = np.zeros(n_rows, np.bool_), np.empty(n_rows, np.int32), np.empty(n_rows, np.int32)
    flags = np.zeros((n_rows + 7) // 8 * 8, np.uint8)
    best, aside = np.empty(queries.shape[1]), np.empty(len(queue), np.int64)
    nodes, counts = np.zeros((16, 7), np.int64), np.zeros((16, n_classes), np.int64)
    orders = np.empty(4 * n_attributes * n_rows, np.int32)
    for i in range(n_attributes * n_rows):
        orders[i] = i % n_rows
    for q in queue:  # above the root: all of attribute 0 go to the left
        queries[SPLIT, q] = split_at(0, n_rows, True, n_rows)
    nodes[0, SIZE], nodes[0, ACTIVE] = n_rows, len(queue)
    level = 0
    while True:
        offset, size, first = nodes[level, OFFSET], nodes[level, SIZE], nodes[level, NEXT]
        if first == nodes[level, ACTIVE]:
            if level <= 1:
                return
            level -= 1
            if limits.safe_prune:
                orders = _prune(
                    queue[nodes[level + 1, FIRST] : nodes[level + 1, LAST]], nodes[level], orders, counts[level],
                    counts[level] - counts[level + 1], queries, answers, rows, table, limits, mark, members, rest,
                    flags, left,
                )  # fmt: skip
            continue
        split = queries[SPLIT, queue[first]]
        last = first + 1
        while last < nodes[level, ACTIVE] and queries[SPLIT, queue[last]] == split:
            last += 1
        nodes[level, NEXT], nodes[level, IN_WORK] = last, split
        a, end, goes_left = parts_of(split, size)
        begin, stop = (0, end) if goes_left else (end, size)
        at = offset + a * size
        level += 1
        nodes, counts = _enlarged(nodes, level + 1), _enlarged(counts, level + 1)
        n = collect(orders, at + begin, at + stop, a, n_classes, rows, mark, members, counts[level])
        active = first
        if level < deepest:
            active += settle(queue[first:last], counts[level], queries, limits, answers, aside)
        to = offset + n_attributes * size
        has_odd_one = active > first and is_odd_one(queue[first:active], counts[level], queries)
        if active > first:
            n = join(queue[first:active], queries, n, mark, members)
            if not has_odd_one:
                orders = _enlarged(orders, to + n_attributes * n + 1)
                take(orders, offset, size, to, n, rows, mark, members, flags)
        unmark(n, mark, members)
        if has_odd_one:
            n_left = shrink(members, n, queries[X, queue[first]], rows, table, limits)
            answer_odd_one(queue[first:active], counts[level], n, n_left, queries, limits, answers)
            active = first
        elif active > first:
            active = first + _split(
                queue[first:active], orders, to, n, counts[level], queries, best, answers, rows, table, limits, cuts,
                scores, left,
            )  # fmt: skip
        nodes[level, OFFSET], nodes[level, SIZE] = to, n
        nodes[level, FIRST], nodes[level, ACTIVE], nodes[level, LAST], nodes[level, NEXT] = first, active, last, first
