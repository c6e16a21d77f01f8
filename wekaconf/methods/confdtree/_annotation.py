"""ConfDTree's intervals at the nodes of a printed tree, as Katz et al. draw them (Figures 1 to 5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from wekaconf.data import Attribute
from wekaconf.data.wording import cells
from wekaconf.methods.confdtree._intervals import Intervals
from wekaconf.tree import Annotation, Line, SplitKind, TreeMirror, split_on, vector


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
