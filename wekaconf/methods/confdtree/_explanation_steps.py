"""The steps by which ConfDTree's answer for an instance follows from numbers: Algorithm 2, one step per node."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray
from wekaconf.data.wording import cells, class_text, interval, number, percent
from wekaconf.methods.confdtree._annotation import annotation_of
from wekaconf.methods.confdtree._answers import Rules
from wekaconf.methods.confdtree._intervals import Intervals
from wekaconf.methods.contract import Step, child_of, is_missing, test_words, tree_step
from wekaconf.tree import TreeMirror, split_on


class _Doubt(NamedTuple):
    """The position of a value relative to the intervals of a node.

    ``is_outside``: of the interval of the leading class; ``inside``, (n_classes,) bool: of those of the other classes;
    ``others``, (n_classes,) bool: the other classes present.
    """

    leading: int
    is_outside: bool
    inside: NDArray[np.bool_]
    others: NDArray[np.bool_]


def confdtree_step(tree: TreeMirror, intervals: Intervals, rules: Rules, row: FloatArray, node: int = 0) -> Step:
    """The step of the method's answer for an instance, from a node on; its result equals the answer to the last bit."""
    router = tree.router
    if router.attribute[node] < 0 or is_missing(tree, row, node):
        return tree_step(tree, row, node)
    child = child_of(tree, row, node)
    child_step = confdtree_step(tree, intervals, rules, row, child)
    words = test_words(tree, row, node, child)
    if not intervals.is_active[node]:
        return Step.follow(words, child_step, kind="test", node=node)
    doubt = _doubt(intervals, float(row[router.attribute[node]]), node, child_step)
    values = {
        "value": float(row[router.attribute[node]]),
        "leading": tree.class_names[doubt.leading],
        **annotation_of(tree, intervals, node).values,
    }
    text = f"{words}; {_place(tree, intervals, node, values['value'], doubt)}"
    if doubt.is_outside and doubt.inside.any():
        if rules.routes:
            return _route(tree, intervals, rules, row, node, child_step, doubt, text, values)
    elif doubt.is_outside and doubt.others.any() and rules.fines:
        return _fine(tree, rules, node, child_step, doubt, text, values)
    return Step("follow", text, child_step.result, "test", node, values, (child_step,))


def _doubt(intervals: Intervals, value: float, node: int, child_step: Step) -> _Doubt:
    leading = int(most_probable(child_step.array[None])[0])
    inside = (value >= intervals.other_low[node]) & (value <= intervals.other_high[node])
    inside[leading] = False
    others = intervals.present[node].copy()
    others[leading] = False
    is_outside = value < intervals.assigned_low[node, leading] or value > intervals.assigned_high[node, leading]
    return _Doubt(leading, bool(intervals.present[node, leading] and is_outside), inside, others)


def _place(tree: TreeMirror, intervals: Intervals, node: int, value: float, doubt: _Doubt) -> str:
    """The position of the value in words."""
    leading = class_text(tree.class_names[doubt.leading])
    if not intervals.present[node, doubt.leading]:
        return f"{leading} leads, which has no instances here"
    low, high = intervals.assigned_low[node, doubt.leading], intervals.assigned_high[node, doubt.leading]
    _, *ends = cells(split_on(tree, node), value, float(low), float(high))
    where = "outside" if doubt.is_outside else "inside"
    return f"{where} {interval(*ends)}, the interval of {leading}, which leads"


def _route(tree: TreeMirror, intervals: Intervals, rules: Rules, row: FloatArray, node: int, child_step: Step,
           doubt: _Doubt, text: str, values: dict[str, Any]) -> Step:  # fmt: skip
    first = int(tree.router.first_child[node])
    parts = [
        child_step if child_step.node == child else confdtree_step(tree, intervals, rules, row, child)
        for child in (first, first + 1)
    ]
    raw = [sum(intervals.route_weight[first + b, doubt.inside].tolist(), 0.0) for b in (0, 1)]
    shares = [weight / (raw[0] + raw[1]) for weight in raw]
    classes = [class_text(tree.class_names[c]) for c in np.flatnonzero(doubt.inside).tolist()]
    words = f"{text}, but inside that of {' and '.join(classes)}: both branches answer"
    return Step.weighted(words, shares, parts, kind="route", node=node,
                         values=values | {"inside": [tree.class_names[c] for c in np.flatnonzero(doubt.inside)],
                                          "route_weights": raw})  # fmt: skip


def _fine(
    tree: TreeMirror, rules: Rules, node: int, child_step: Step, doubt: _Doubt, text: str, values: dict[str, Any]
) -> Step:
    before, leading = child_step.array, doubt.leading
    fine = rules.fine * before[leading]
    result = before + doubt.others * (fine / doubt.others.sum())
    result[leading] -= fine
    words = f"{text}, and in no other: {class_text(tree.class_names[leading])} is fined {percent(rules.fine)} of its "
    words += f"{number(float(before[leading]))}" if rules.fine else "share"
    others = [tree.class_names[c] for c in np.flatnonzero(doubt.others).tolist()]
    return Step("fine", words, tuple(result.tolist()), "fine", node,
                values | {"share": rules.fine, "fine": float(fine), "others": others}, (child_step,))  # fmt: skip
