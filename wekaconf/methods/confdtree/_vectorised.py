"""ConfDTree's answers in numpy, level by level of the tree.

Whether an alternative route is needed is known on the way up only. So this form goes down to every node that might be
needed, and then up, without recursion or a second descent; the compiled form visits only what it must.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.methods.confdtree._intervals import Intervals
from wekaconf.tree import Router

ROUTE, FINE = 0, 1
CHUNK = 512
"""Number of instances answered at a time, to bound the memory."""


class Rules(NamedTuple):
    """The rules for a value outside the interval of the leading class.

    Parameters
    ----------
    fine : float
        Share of the leading class's probability that a fine takes.
    routes, fines : bool
        Whether alternative routes, and fines, are applied at all.
    """

    fine: float
    routes: bool
    fines: bool


class Answers(NamedTuple):
    """Distributions, and the routes and fines that led to them.

    Parameters
    ----------
    proba : (n, n_classes) float64
    instance : (n_events,) intp
        In ascending order, as are the nodes of one instance.
    node : (n_events,) int32
    kind : (n_events,) uint8
        ROUTE or FINE.
    leading : (n_events,) int32
        The class that led at the node.
    """

    proba: FloatArray
    instance: NDArray[np.intp]
    node: NDArray[np.int32]
    kind: NDArray[np.uint8]
    leading: Int32Array


@dataclass
class _Level:
    """The (instance, node) pairs that may be needed at one depth.

    ``first`` is where the pair's children begin in the next level, −1 if it has none; ``value_branch`` is the
    branch that the instance's value takes; ``is_wide`` says whether all children are in the next level or only that of
    ``value_branch``; ``leading`` is the class that led when the pair was routed or fined.
    """

    row: NDArray[np.intp]
    node: NDArray[np.int32]
    first: NDArray[np.intp]
    value_branch: NDArray[np.int64]
    is_wide: NDArray[np.bool_]
    is_routed: NDArray[np.bool_]
    is_fined: NDArray[np.bool_]
    leading: Int32Array


def answers(intervals: Intervals, rules: Rules, router: Router, values: FloatArray) -> Answers:
    """Answer for rows of values.

    Parameters
    ----------
    intervals : Intervals
    rules : Rules
    router : Router
    values : (n, n_attributes) float64
    """
    begins = range(0, len(values), CHUNK) or range(1)
    chunks = []
    for begin in begins:
        chunk = _chunk(intervals, rules, router, values[begin : begin + CHUNK])
        chunks.append(chunk._replace(instance=chunk.instance + begin))
    return Answers(*map(np.concatenate, zip(*chunks, strict=True)))


def _chunk(intervals: Intervals, rules: Rules, router: Router, values: FloatArray) -> Answers:
    levels = _descend(intervals, router, values, routes=rules.routes)
    proba = np.zeros((0, router.n_classes))
    for level in reversed(levels):
        proba = _ascend(intervals, rules, router, values, level, proba)
    return Answers(proba, *_events(levels))


def _descend(intervals: Intervals, router: Router, values: FloatArray, *, routes: bool) -> list[_Level]:
    """The levels of pairs that instances may need: all children where one may be routed, else the child on the path."""
    row, node = np.arange(len(values)), np.zeros(len(values), dtype=np.int32)
    levels = []
    while len(row):
        value = _split_values(router, values, row, node)
        inner = ~np.isnan(value)
        taken = np.zeros(len(row), dtype=np.int64)
        taken[inner] = router.branches(node[inner], value[inner])
        is_wide = inner & intervals.is_active[node] & routes
        wide = np.flatnonzero(is_wide)
        inside, outside = _sides(intervals, node[wide], value[wide])
        is_wide[wide] = inside.any(axis=1) & outside.any(axis=1)
        counts = np.where(is_wide, router.n_branches[node], inner)
        first = np.where(inner, np.cumsum(counts) - counts, -1)
        none = np.zeros(len(row), dtype=bool)
        levels.append(_Level(row, node, first, taken, is_wide, none, none.copy(), np.zeros(len(row), dtype=np.int32)))
        parent = np.repeat(np.arange(len(row)), counts)
        branch = np.where(is_wide[parent], np.arange(len(parent)) - first[parent], taken[parent])
        row, node = row[parent], (router.first_child[node[parent]] + branch).astype(np.int32)
    return levels


def _split_values(router: Router, values: FloatArray, row: NDArray[np.intp], node: NDArray[np.int32]) -> FloatArray:
    """The value that each pair's node tests; NaN at a leaf and where the value is missing."""
    attribute = router.attribute[node]
    return np.where(attribute >= 0, values[row, attribute], np.nan)


def _sides(
    intervals: Intervals, node: NDArray[np.int32], value: FloatArray
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(n, n_classes) bool each: inside the interval for when another class leads, outside that for when it leads."""
    value = value[:, None]
    inside = (value >= intervals.other_low[node]) & (value <= intervals.other_high[node])
    outside = (value < intervals.assigned_low[node]) | (value > intervals.assigned_high[node])
    return inside, outside


def _ascend(
    intervals: Intervals, rules: Rules, router: Router, values: FloatArray, level: _Level, below: FloatArray
) -> FloatArray:
    """Answers of a level's pairs from those of the level below; routes and fines are marked in ``level``."""
    proba = np.empty((len(level.row), router.n_classes))
    ends = level.first < 0
    proba[ends] = router.distributions_numpy(values[level.row[ends]], level.node[ends])
    inner = np.flatnonzero(~ends)
    proba[inner] = below[level.first[inner] + np.where(level.is_wide[inner], level.value_branch[inner], 0)]
    pair = inner[intervals.is_active[level.node[inner]]]
    node = level.node[pair]
    assigned = most_probable(proba[pair])
    level.leading[pair] = assigned
    inside, outside = _sides(intervals, node, _split_values(router, values, level.row[pair], node))
    at = np.arange(len(pair))
    doubted = intervals.present[node, assigned] & outside[at, assigned]
    inside[at, assigned] = False
    others = intervals.present[node]
    others[at, assigned] = False
    has_alternative = inside.any(axis=1)
    if rules.routes:
        routed = doubted & has_alternative
        level.is_routed[pair[routed]] = True
        first = level.first[pair[routed]]
        children = router.first_child[node[routed]]
        weights = [_sum_where(intervals.route_weight[children + branch], inside[routed]) for branch in (0, 1)]
        total = weights[0] + weights[1]
        proba[pair[routed]] = sum(
            (weight / total)[:, None] * below[first + branch] for branch, weight in enumerate(weights)
        )
    if rules.fines:
        fined = doubted & ~has_alternative & others.any(axis=1)
        level.is_fined[pair[fined]] = True
        fine = rules.fine * proba[pair[fined], assigned[fined]]
        proba[pair[fined]] += others[fined] * (fine / others[fined].sum(axis=1))[:, None]
        proba[pair[fined], assigned[fined]] -= fine
    return proba


def _sum_where(terms: FloatArray, mask: NDArray[np.bool_]) -> FloatArray:
    """(n,) float64: the masked terms of each row, added from left to right."""
    total = np.zeros(len(terms))
    for c in range(terms.shape[1]):
        total += np.where(mask[:, c], terms[:, c], 0.0)
    return total


def _events(levels: list[_Level]) -> tuple[NDArray[np.intp], Int32Array, NDArray[np.uint8], Int32Array]:
    """Routes and fines at the pairs visited: from the root down, the child on the path, or all children if routed."""
    by_level = []
    visited = np.ones(len(levels[0].row) if levels else 0, dtype=bool)
    for depth, level in enumerate(levels):
        for kind, applied in ((ROUTE, level.is_routed), (FINE, level.is_fined)):
            pairs = np.flatnonzero(applied & visited)
            kinds = np.full(len(pairs), kind, dtype=np.uint8)
            by_level.append((level.row[pairs], level.node[pairs], kinds, level.leading[pairs]))
        if depth + 1 < len(levels):
            below = np.zeros(len(levels[depth + 1].row), dtype=bool)
            path_child = level.first + np.where(level.is_wide, level.value_branch, 0)
            below[path_child[visited & (level.first >= 0)]] = True
            routed = level.first[visited & level.is_routed]
            below[routed] = below[routed + 1] = True
            visited = below
    if not by_level:
        none = np.zeros(0, dtype=np.int32)
        by_level = [(none.astype(np.intp), none, none.astype(np.uint8), none)]
    row, node, kind_of, leading = (np.concatenate(parts) for parts in zip(*by_level, strict=True))
    order = np.lexsort((node, row))
    return row[order], node[order], kind_of[order], leading[order]
