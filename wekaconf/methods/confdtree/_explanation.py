"""The steps of ConfDTree's answers, and its intervals at the nodes of a printed tree (Katz et al., Figures 1 to 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wekaconf.base.rounding import most_probable
from wekaconf.data import Attribute
from wekaconf.data.arrays import FloatArray
from wekaconf.data.wording import cells, class_text, interval, number, percent
from wekaconf.methods.confdtree._intervals import Intervals
from wekaconf.methods.confdtree._vectorised import FINE, ROUTE, Rules
from wekaconf.methods.contract import Step, child_of, is_missing, test_words, tree_step
from wekaconf.tree import Annotation, Line, SplitKind, TreeMirror, split_on, vector


@dataclass(frozen=True, eq=False)
class InstanceSteps:
    """Makes the steps of the answer for one instance.

    Parameters
    ----------
    tree : TreeMirror
    intervals : Intervals
    rules : Rules
    row : (n_attributes,) float64
        The values of the instance.
    events : mapping of int to (int, int)
        By node: ROUTE or FINE, and the class that led.
    """

    tree: TreeMirror
    intervals: Intervals
    rules: Rules
    row: FloatArray
    events: Mapping[int, tuple[int, int]]

    def step(self, node: int = 0) -> Step:
        """The step of the answer from a node on; its result equals the answer to the last bit."""
        tree, row = self.tree, self.row
        if tree.router.attribute[node] < 0 or is_missing(tree, row, node):
            return tree_step(tree, row, node)
        child = child_of(tree, row, node)
        child_step = self.step(child)
        words = test_words(tree, row, node, child)
        if not self.intervals.is_active[node]:
            return Step.follow(words, child_step, kind="test", node=node)
        kind, leading = self.events.get(node, (-1, int(most_probable(child_step.array[None])[0])))
        value = float(row[tree.split_attribute[node]])
        values = {
            "value": value,
            "leading": tree.class_names[leading],
            **annotation_of(tree, self.intervals, node).values,
        }
        text = f"{words}; {self._place(node, value, leading)}"
        if kind == ROUTE:
            return self._route(node, child_step, leading, text, values)
        if kind == FINE:
            return self._fine(node, child_step, leading, text, values)
        return Step("follow", text, child_step.result, "test", node, values, (child_step,))

    def _place(self, node: int, value: float, leading: int) -> str:
        """The position of the value in words."""
        name = class_text(self.tree.class_names[leading])
        if not self.intervals.present[node, leading]:
            return f"{name} leads, which has no instances here"
        low = float(self.intervals.assigned_low[node, leading])
        high = float(self.intervals.assigned_high[node, leading])
        _, *ends = cells(split_on(self.tree, node), value, low, high)
        where = "inside" if low <= value <= high else "outside"
        return f"{where} {interval(*ends)}, the interval of {name}, which leads"

    def _route(self, node: int, child_step: Step, leading: int, text: str, values: dict[str, Any]) -> Step:
        """III.B.1: both branches answer, weighted by the classes that find the value usual."""
        intervals, first = self.intervals, int(self.tree.router.first_child[node])
        parts = [child_step if child_step.node == child else self.step(child) for child in (first, first + 1)]
        low, high = intervals.other_low[node], intervals.other_high[node]
        inside = [c for c in np.flatnonzero((values["value"] >= low) & (values["value"] <= high)) if c != leading]
        raw = [sum(intervals.route_weight[first + branch, inside].tolist(), 0.0) for branch in (0, 1)]
        names = [self.tree.class_names[c] for c in inside]
        words = f"{text}, but inside that of {' and '.join(map(class_text, names))}: both branches answer"
        values |= {"inside": names, "route_weights": raw}
        return Step.weighted(
            words, [weight / sum(raw) for weight in raw], parts, kind="route", node=node, values=values
        )

    def _fine(self, node: int, child_step: Step, leading: int, text: str, values: dict[str, Any]) -> Step:
        """III.B.2: the other classes present divide a share of the leader's probability."""
        others = self.intervals.present[node].copy()
        others[leading] = False
        before, share = child_step.array, self.rules.fine
        fine = share * before[leading]
        result = before + others * (fine / others.sum())
        result[leading] -= fine
        words = (
            f"{text}, and in no other: {class_text(self.tree.class_names[leading])} is fined {percent(share)} of its "
        )
        words += f"{number(float(before[leading]))}" if share else "share"
        names = [self.tree.class_names[c] for c in np.flatnonzero(others).tolist()]
        values |= {"share": share, "fine": float(fine), "others": names}
        return Step("fine", words, tuple(result.tolist()), "fine", node, values, (child_step,))


def annotation_of(tree: TreeMirror, intervals: Intervals, node: int) -> Annotation:
    """At a node with a numeric split, the intervals of each class; at a leaf, its distribution.

    Returns
    -------
    Annotation
        Its one value, ``intervals``, is null if no value is compared at the node, else one object per class present:
        ``class``; ``weight``, its training weight at the node, null if the tree keeps none; ``assigned``, the ends of
        the interval for when the class leads; ``other``, those for when another class leads, null if the class opens no
        route.
    """
    if tree.split_kind[node] == SplitKind.LEAF:
        proba = tree.router.answer[node].tolist()
        return Annotation(lines=(vector(proba),), values={"intervals": None})
    if not intervals.is_active[node]:
        is_numeric = tree.split_kind[node] in (SplitKind.NUMERIC_LE, SplitKind.NUMERIC_LT)
        return Annotation(lines=(("no intervals",),) if is_numeric else (), values={"intervals": None})
    by_class = [_class_intervals(tree, intervals, node, c) for c in np.flatnonzero(intervals.present[node]).tolist()]
    attribute = split_on(tree, node)
    return Annotation(lines=tuple(_line(attribute, each) for each in by_class), values={"intervals": by_class})


def _class_intervals(tree: TreeMirror, intervals: Intervals, node: int, c: int) -> dict[str, Any]:
    assigned = [float(intervals.assigned_low[node, c]), float(intervals.assigned_high[node, c])]
    other = [float(intervals.other_low[node, c]), float(intervals.other_high[node, c])]
    return {
        "class": tree.class_names[c],
        "weight": float(tree.class_weight[node, c]) if tree.routing.keeps_counts else None,
        "assigned": assigned,
        "other": None if np.isnan(other[0]) else other,
    }


def _line(attribute: Attribute, class_intervals: dict[str, Any]) -> Line:
    weight: Line = () if class_intervals["weight"] is None else (" (", class_intervals["weight"], ")")
    other: Line = ("none",) if class_intervals["other"] is None else _interval(attribute, *class_intervals["other"])
    assigned = _interval(attribute, *class_intervals["assigned"])
    return (class_intervals["class"], *weight, ": ", *assigned, " if assigned, ", *other, " if not")


def _interval(attribute: Attribute, low: float, high: float) -> Line:
    ends: Line = cells(attribute, low, high) if attribute.kind == "date" else (low, high)
    return "[", ends[0], ", ", ends[1], "]"
