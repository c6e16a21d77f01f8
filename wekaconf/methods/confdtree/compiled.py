"""ConfDTree's answers compiled by numba, instance by instance; equal bit for bit to the vectorised form."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import SCALE
from wekaconf.data.arrays import FloatArray
from wekaconf.methods.confdtree.answers import FINE, ROUTE, Answers, Rules
from wekaconf.methods.confdtree.intervals import Intervals
from wekaconf.tree import Router
from wekaconf.tree.compiled import child_of, mixture, mixture_stack, tree_depth
from wekaconf.tree.compiling import jit

EVENTS_PER_ROW = 4
"""Room for events, per row; where they are more, the kernel is called again."""


class Learned(NamedTuple):
    """`Intervals` and `Rules` as the kernel reads them.

    One named tuple in place of their arrays took the kernels of ConfDTree and of smoothing from 29 and 25 parameters to
    18, and neither answering nor compiling takes longer; a call for three rows takes 2 to 10 µs more of 65. The
    router's arrays stay apart, since every kernel that asks a tree takes them. Such a tuple stands in the file of its
    kernel, by which compiled code is kept.
    """

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
    values = np.ascontiguousarray(values)
    proba = np.empty((len(values), router.n_classes))
    most = intervals.n_active
    parts: list[list[NDArray[Any]]] = []
    begin = 0
    while begin < len(values) or not parts:
        size = most + EVENTS_PER_ROW * (len(values) - begin)
        begin, *events = _answers(proba, begin, size, most, values, *router.arrays, learned)
        parts.append(events)
    return Answers(proba, *map(np.concatenate, zip(*parts, strict=True)))


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
def _answers(
    result, begin, size, most,
    values, attribute, limit, equals, in_subset, first_child, n_branches, enters, down, up, answer, part, correction,
    learned,
):  # fmt: skip
    """Write the distributions of the rows from ``begin`` on; end where there may be no room for the events of a row.

    A row has at most ``most`` events. Arrays that grew inside of the loop would slow all of it down.
    """
    n_classes = answer.shape[1]
    levels = tree_depth(first_child, n_branches) + 1
    frame_node, frame_child, frame_weight, frame_up, sums = mixture_stack(levels, n_classes)
    path = np.zeros(levels, dtype=np.int64)
    taken = np.zeros(levels, dtype=np.int64)
    is_routed = np.zeros(levels, dtype=np.bool_)
    own_proba = np.zeros((levels, n_classes))
    weights = np.zeros((levels, 2))
    instance = np.empty(size, dtype=np.int64)
    event_node = np.empty(size, dtype=np.int32)
    event_kind = np.empty(size, dtype=np.uint8)
    event_leading = np.empty(size, dtype=np.int32)
    n_events = 0
    row = begin
    while row < len(values) and n_events + most <= size:
        cells, proba = values[row], result[row]
        level, node = -1, 0
        while True:
            while attribute[node] >= 0:
                value = cells[attribute[node]]
                if np.isnan(value):
                    break
                child = child_of(node, value, limit, equals, in_subset, first_child)
                if learned.is_active[node]:
                    level += 1
                    path[level], taken[level], is_routed[level] = node, child - first_child[node], False
                node = child
            if attribute[node] < 0:
                for c in range(n_classes):
                    proba[c] = answer[node, c]
            else:
                mixture(
                    cells, node, attribute, limit, equals, in_subset, first_child, n_branches, enters, down, up, part,
                    correction, frame_node, frame_child, frame_weight, frame_up, sums, proba,
                )  # fmt: skip
            assigned = -1
            next_node = -1
            while level >= 0 and next_node < 0:
                at = path[level]
                if is_routed[level]:
                    zero, one = weights[level, 0], weights[level, 1]
                    for c in range(n_classes):
                        if taken[level] == 0:
                            proba[c] = zero * own_proba[level, c] + one * proba[c]
                        else:
                            proba[c] = zero * proba[c] + one * own_proba[level, c]
                    assigned = -1
                    level -= 1
                    continue
                value = cells[attribute[at]]
                if assigned < 0:
                    assigned = _leader(proba)
                if not learned.present[at, assigned] or (
                    learned.assigned_low[at, assigned] <= value <= learned.assigned_high[at, assigned]
                ):
                    level -= 1
                    continue
                has_alternative = False
                zero, one = 0.0, 0.0
                n_others = learned.first_present[at + 1] - learned.first_present[at] - 1
                for i in range(learned.first_present[at], learned.first_present[at + 1]):
                    c = learned.present_class[i]
                    if c != assigned and learned.other_low[at, c] <= value <= learned.other_high[at, c]:
                        has_alternative = True
                        zero += learned.route_weight[first_child[at], c]
                        one += learned.route_weight[first_child[at] + 1, c]
                kind, leading = -1, assigned
                if has_alternative and learned.routes:
                    kind = ROUTE
                    for c in range(n_classes):
                        own_proba[level, c] = proba[c]
                    weights[level, 0], weights[level, 1] = zero / (zero + one), one / (zero + one)
                    is_routed[level] = True
                    next_node = first_child[at] + 1 - taken[level]
                elif not has_alternative and learned.fines and n_others > 0:
                    kind = FINE
                    fine = learned.fine * proba[assigned]
                    each = fine / n_others
                    for i in range(learned.first_present[at], learned.first_present[at + 1]):
                        if learned.present_class[i] != assigned:
                            proba[learned.present_class[i]] += each
                    proba[assigned] -= fine
                    assigned = -1
                    level -= 1
                else:
                    level -= 1
                if kind >= 0:
                    place = n_events
                    while place > 0 and instance[place - 1] == row and event_node[place - 1] > at:
                        event_node[place] = event_node[place - 1]
                        event_kind[place], event_leading[place] = event_kind[place - 1], event_leading[place - 1]
                        place -= 1
                    instance[n_events], event_node[place] = row, at
                    event_kind[place], event_leading[place] = kind, leading
                    n_events += 1
            if next_node < 0:
                break
            node = next_node
        row += 1
    return row, instance[:n_events], event_node[:n_events], event_kind[:n_events], event_leading[:n_events]
