"""ConfDTree's answers compiled by numba: Algorithm 2 of Katz et al., instance by instance.

The lines of the algorithm and the sections of the paper stand at the branches. Its recursion is a stack here: trees may
be deeper than the stack of a thread. Equal bit for bit to the vectorised form, which stays: below some thousand rows
it has answered before numba is loaded.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import SCALE
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.methods.confdtree._intervals import Intervals
from wekaconf.methods.confdtree._vectorised import FINE, ROUTE, Answers, Rules
from wekaconf.tree import Router
from wekaconf.tree.compiled import child_of, mixture, mixture_stack, tree_depth
from wekaconf.tree.compiling import jit

NODE, BRANCH, IS_ROUTED = range(3)
"""Columns of the stack of nodes with intervals above an instance, the root first: the node, the branch that the value
takes there, and whether both branches answer."""
EVENTS_PER_ROW = 4
"""Room for events, per row; where they are more, the kernel is called again."""


class Tree(NamedTuple):
    """The arrays of a `Router` in its own order."""

    attribute: Int32Array
    limit: FloatArray
    equals: FloatArray
    in_subset: NDArray[np.bool_]
    first_child: Int32Array
    n_branches: Int32Array
    enters: NDArray[np.bool_]
    down: FloatArray
    up: FloatArray
    answer: FloatArray
    part: FloatArray
    correction: float


# Each tuple stands in the file of its kernel, by which compiled code is kept. With tuples neither answering nor
# compiling takes longer than with a parameter per array; a call for three rows takes 2 to 10 µs more of 65.
class Learned(NamedTuple):
    """`Intervals` and `Rules` as the kernel reads them."""

    present: NDArray[np.bool_]
    first_present: NDArray[Any]
    present_class: NDArray[Any]
    is_active: NDArray[np.bool_]
    assigned_low: FloatArray
    assigned_high: FloatArray
    other_low: FloatArray
    other_high: FloatArray
    route_weight: FloatArray
    fine: float
    routes: bool
    fines: bool


def answers(intervals: Intervals, rules: Rules, router: Router, values: FloatArray) -> Answers:
    """Answer for rows of values; see `vectorised.answers`."""
    learned = Learned(
        intervals.present,
        *intervals.present_classes,
        intervals.is_active,
        intervals.assigned_low,
        intervals.assigned_high,
        intervals.other_low,
        intervals.other_high,
        intervals.route_weight,
        rules.fine,
        rules.routes,
        rules.fines,
    )
    tree = Tree(*router.arrays)
    values = np.ascontiguousarray(values)
    proba = np.empty((len(values), router.n_classes))
    most = intervals.n_active
    parts: list[list[NDArray[Any]]] = []
    begin = 0
    while begin < len(values) or not parts:
        size = most + EVENTS_PER_ROW * (len(values) - begin)
        begin, *events = _answers(proba, begin, size, most, values, tree, learned)
        parts.append(events)
    return Answers(proba, *map(np.concatenate, zip(*parts, strict=True)))


@jit
def _answers(result, begin, size, most, values, tree, learned):
    """Algorithm 2: write the distributions of the rows from ``begin`` on.

    It ends where there may be no room for the events of a row, which has at most ``most``: arrays that grew inside of
    the loop would slow all of it down. A tuple that is passed on costs more than a step down the tree, so only what few
    rows need is a function of its own, and takes single arrays.
    """
    n_classes = tree.answer.shape[1]
    levels = tree_depth(tree.first_child, tree.n_branches) + 1
    frames = mixture_stack(levels, n_classes)
    above, mixed = np.zeros((levels, 3), dtype=np.int64), np.zeros((levels, 2 + n_classes))
    instance, event_node = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int32)
    event_kind, event_leading = np.empty(size, dtype=np.uint8), np.empty(size, dtype=np.int32)
    n_events, row = 0, begin
    while row < len(values) and n_events + most <= size:
        cells, proba, before = values[row], result[row], n_events
        level, node = -1, 0
        while node >= 0:
            while tree.attribute[node] >= 0:  # line 2, down to the leaf
                value = cells[tree.attribute[node]]
                if np.isnan(value):  # III.B.3: below a missing value the tree answers alone
                    break
                child = child_of(node, value, tree.limit, tree.equals, tree.in_subset, tree.first_child)
                if learned.is_active[node]:
                    level += 1
                    above[level, NODE], above[level, BRANCH] = node, child - tree.first_child[node]
                    above[level, IS_ROUTED] = False
                node = child
            if tree.attribute[node] < 0:  # line 1
                for c in range(n_classes):
                    proba[c] = tree.answer[node, c]
            else:
                _write_mixture(cells, node, tree, frames, proba)
            node, leading = -1, -1
            while level >= 0 and node < 0:  # from here on up to the root
                at = above[level, NODE]
                if above[level, IS_ROUTED]:  # line 7, once both branches have answered
                    _weigh_branches(mixed, level, above[level, BRANCH], proba)
                    level, leading = level - 1, -1
                    continue
                leading = _leader(proba) if leading < 0 else leading  # line 3
                value = cells[tree.attribute[at]]
                # Line 4: III.B, case 1. A leader without instances at the node has no interval there.
                if not learned.present[at, leading] or (
                    learned.assigned_low[at, leading] <= value <= learned.assigned_high[at, leading]
                ):
                    level -= 1
                    continue
                first, begin_present = tree.first_child[at], learned.first_present[at]
                end_present = learned.first_present[at + 1]
                is_alternative, zero, one = False, 0.0, 0.0
                for i in range(begin_present, end_present):  # line 6: the other classes that find the value usual
                    c = learned.present_class[i]
                    if c != leading and learned.other_low[at, c] <= value <= learned.other_high[at, c]:
                        is_alternative = True
                        zero += learned.route_weight[first, c]
                        one += learned.route_weight[first + 1, c]
                kind = -1
                if is_alternative and learned.routes:  # line 7: III.B.1, alternative routes
                    kind, node = ROUTE, first + 1 - above[level, BRANCH]
                    _keep_branch(mixed, level, zero, one, proba)
                    above[level, IS_ROUTED] = True
                elif not is_alternative and learned.fines and end_present - begin_present > 1:  # line 9: III.B.2
                    kind = FINE
                    _impose_fine(learned.present_class[begin_present:end_present], learned.fine, leading, proba)
                if kind >= 0:
                    _record(event_node, event_kind, event_leading, before, n_events, at, kind, leading)
                    n_events += 1
                if kind != ROUTE:
                    level -= 1
                if kind == FINE:
                    leading = -1
        for i in range(before, n_events):
            instance[i] = row
        row += 1
    return row, instance[:n_events], event_node[:n_events], event_kind[:n_events], event_leading[:n_events]


@jit
def _write_mixture(cells, node, tree, frames, proba):
    """Write the tree's own answer for an instance whose value is missing at a node."""
    frame_node, frame_child, frame_weight, frame_up, sums = frames
    mixture(
        cells, node, tree.attribute, tree.limit, tree.equals, tree.in_subset, tree.first_child, tree.n_branches,
        tree.enters, tree.down, tree.up, tree.part, tree.correction,
        frame_node, frame_child, frame_weight, frame_up, sums, proba,
    )  # fmt: skip


@jit
def _leader(proba):
    """Index of the largest probability after rounding to 12 decimals, ties to the lowest index."""
    best = proba[0]
    for c in range(1, len(proba)):
        best = max(best, proba[c])
    rounded = np.rint(best * SCALE)
    for c in range(len(proba)):
        if proba[c] > best - 1e-11 and np.rint(proba[c] * SCALE) == rounded:
            return c
    return 0


@jit
def _keep_branch(mixed, level, zero, one, proba):
    """Keep the weights of both branches, and the answer of the branch that the value takes."""
    mixed[level, 0], mixed[level, 1] = zero / (zero + one), one / (zero + one)
    for c in range(len(proba)):
        mixed[level, 2 + c] = proba[c]


@jit
def _weigh_branches(mixed, level, branch, proba):
    """Write the weighted mean of both branches; ``proba`` is the answer of the branch that the value does not take."""
    zero, one = mixed[level, 0], mixed[level, 1]
    for c in range(len(proba)):
        if branch == 0:
            proba[c] = zero * mixed[level, 2 + c] + one * proba[c]
        else:
            proba[c] = zero * proba[c] + one * mixed[level, 2 + c]


@jit
def _impose_fine(present, share, leading, proba):
    """Divide a share of the probability of the leading class among the other classes present."""
    fine = share * proba[leading]
    each = fine / (len(present) - 1)
    for c in present:
        if c != leading:
            proba[c] += each
    proba[leading] -= fine


@jit
def _record(event_node, event_kind, event_leading, before, place, at, kind, leading):
    """Insert an event at a node among the events of the instance, which are those from ``before`` on, by node."""
    while place > before and event_node[place - 1] > at:
        event_node[place], event_kind[place] = event_node[place - 1], event_kind[place - 1]
        event_leading[place] = event_leading[place - 1]
        place -= 1
    event_node[place], event_kind[place], event_leading[place] = at, kind, leading
