"""The ways of an instance down a tree, with ConfDTree's alternative routes and fines (Katz 2012, Figures 3 to 5)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from wekaconf.annotation import Annotation
from wekaconf.data.dataset import Dataset, FloatArray
from wekaconf.errors import OptionError
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.postprocessor import PostProcessor
from wekaconf.report.plot_style import COLOURS, LABEL_SIZE, broken, check_plot, name_text, panels, save
from wekaconf.report.trees.drawing import draw_tree
from wekaconf.report.trees.layout import Layout, lay_out_nodes
from wekaconf.tree.conditions import split_on
from wekaconf.tree.kinds import SplitKind
from wekaconf.tree.mirror import TreeMirror
from wekaconf.wording import cells, interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SIBLINGS = 4
"""Branches that an instance does not take are drawn where a node has at most so many in all."""
MOST_SHARES = 3
"""Classes of a distribution that are named."""
OWN: dict[str, Any] = {"colors": "0.0", "linewidths": 1.8, "zorder": 3}
ALTERNATIVE: dict[str, Any] = {"colors": COLOURS[1], "linewidths": 1.6, "linestyles": (0, (3, 1.2)), "zorder": 2}
ASIDE: dict[str, Any] = {"colors": "0.75", "linewidths": 0.7, "zorder": 1}


@dataclass(frozen=True, eq=False)
class Ways:
    """What an instance meets on its ways down.

    Parameters
    ----------
    tree : TreeMirror
    own, alternative : set of int
        The nodes that it reaches by its values, and only by alternative routes.
    lines : mapping of int to list of str
        By node, what is written in its box.
    answer : str
        The classes and probabilities that the method answers.
    has_fine : bool
    """

    tree: TreeMirror
    own: set[int]
    alternative: set[int]
    lines: Mapping[int, list[str]]
    answer: str
    has_fine: bool = False

    @property
    def layout(self) -> Layout:
        """The places of the nodes reached, and of those beside them where they are few."""
        tree, reached = self.tree, self.own | self.alternative
        is_shown = np.zeros(tree.n_nodes, dtype=np.bool_)
        is_shown[list(reached)] = True
        for node in reached:
            first, n = int(tree.first_child[node]), int(tree.n_branches[node])
            if n <= MOST_SIBLINGS:
                is_shown[first : first + n] = True
        return lay_out_nodes(
            tree, is_shown, lambda node: Annotation(tuple((line,) for line in self.lines.get(node, ())))
        )


def ways_of(method: PostProcessor, instance: Dataset) -> Ways:
    """The ways of an instance down the tree of a method.

    Parameters
    ----------
    method : PostProcessor
        Fitted.
    instance : Dataset
        Of one instance.

    Raises
    ------
    OptionError
        The method is fitted on a forest.
    """
    tree = method.tree_
    if not isinstance(tree, TreeMirror):
        raise OptionError(f"{method.name}: ways are drawn on a single tree, not on a forest; give another learner")
    answer = method.answer(instance)
    values = instance.values[0]
    _, leaves, shares = tree.router.paths(instance.values)
    own = {node for leaf in leaves.tolist() for node in _above(tree, leaf)}
    told = _Told(tree, values)
    alternative: set[int] = set()
    for node in own:
        told.value(node)
    if len(leaves) > 1:
        for leaf, share in zip(leaves.tolist(), shares.tolist(), strict=True):
            told.say(leaf, f"share {share:.3f}")
    if isinstance(method, ConfDTree):
        for event in answer.explanation[0]:
            told.event(method, event.kind, event.node, event.details)
        alternative = _reached(tree, values, {event.node for event in answer.explanation[0] if event.kind == "route"})
        alternative -= own
    for node in own | alternative:
        if tree.router.stops[node] and (node in leaves or node in alternative):
            told.say(node, _distribution(tree, tree.router.answer[node]))
    return Ways(tree, own, alternative, told.lines, _distribution(tree, answer.proba[0]), told.has_fine)


def plot_routes(path: str | os.PathLike[str], ways: Ways, *, title: str = "") -> None:
    """Draw the ways of an instance, with the values it has at the nodes and what they lead to.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same ways give the same bytes.
    ways : Ways
    title : str
        Of which instance they are; the answer follows it.

    Raises
    ------
    OptionError
        See `wekaconf.report.plot_style.check_plot`.
    OSError
        The file cannot be written.
    """
    kind = check_plot(path)
    save(path, kind, lambda: _figure(ways, title))


@dataclass
class _Told:
    """What is written at the nodes."""

    tree: TreeMirror
    values: FloatArray
    lines: dict[int, list[str]] = field(default_factory=dict)
    has_fine: bool = False

    def say(self, node: int, text: str) -> None:
        self.lines.setdefault(node, []).append(text)

    def value(self, node: int) -> None:
        """The value that a node tests."""
        if self.tree.split_kind[node] != SplitKind.LEAF:
            value = self.values[self.tree.split_attribute[node]]
            attribute = split_on(self.tree, node)
            self.say(node, "value missing" if np.isnan(value) else f"value {name_text(cells(attribute, value)[0])}")

    def event(self, method: ConfDTree, kind: str, node: int, details: Mapping[str, Any]) -> None:
        """A route or a fine."""
        attribute = split_on(self.tree, node)
        value, low, high = cells(attribute, details["value"], *details["interval"])
        if node not in self.lines:
            self.say(node, f"value {value}")
        self.say(node, f"outside {interval(low, high)} of {name_text(details['class'], 16)}:")
        if kind == "fine":
            self.has_fine = True
            self.say(node, f"fine of {100 * method.fine:g} %")
            return
        self.say(node, "alternative routes")
        leading = self.tree.class_names.index(details["class"])
        shares = route_shares(method, node, float(details["value"]), leading)
        for branch, share in enumerate(shares.tolist()):
            self.say(int(self.tree.first_child[node]) + branch, f"weight {share:.3f}")


def route_shares(method: ConfDTree, node: int, value: float, leading: int) -> FloatArray:
    """(n_branches,) float64: how much each branch of a node counts where alternative routes are taken.

    They sum to 1 (Katz et al. 2012, section III.B.1).
    """
    tree, intervals = method.tree_, method.intervals_
    assert isinstance(tree, TreeMirror)
    inside = (intervals.other_low[node] <= value) & (value <= intervals.other_high[node])
    inside[leading] = False
    children = slice(int(tree.first_child[node]), int(tree.first_child[node] + tree.n_branches[node]))
    weight = intervals.route_weight[children] @ inside
    return np.asarray(weight / weight.sum())


def _reached(tree: TreeMirror, values: FloatArray, routed: set[int]) -> set[int]:
    """The nodes that an instance reaches from the root, by all branches of those where it is routed."""
    reached, waiting = set(), [0]
    while waiting:
        node = waiting.pop()
        reached.add(node)
        if tree.split_kind[node] == SplitKind.LEAF:
            continue
        first, n, value = int(tree.first_child[node]), int(tree.n_branches[node]), values[tree.split_attribute[node]]
        if node in routed:
            waiting += range(first, first + n)
        elif not np.isnan(value):
            waiting.append(first + int(tree.router.branches(np.array([node]), np.array([value]))[0]))
    return reached


def _above(tree: TreeMirror, node: int) -> list[int]:
    nodes = [node]
    while nodes[-1]:
        nodes.append(int(tree.parent[nodes[-1]]))
    return nodes


def _distribution(tree: TreeMirror, proba: FloatArray) -> str:
    """The most probable classes with their probabilities."""
    order = sorted(np.flatnonzero(proba > 0).tolist(), key=lambda c: (-proba[c], c))
    named = [f"{name_text(tree.class_names[c], 16)} {proba[c]:.3f}" for c in order[:MOST_SHARES]]
    return ", ".join(named + ["…"] * (len(order) > MOST_SHARES)) or "no answer"


def _figure(ways: Ways, title: str) -> Figure:
    from matplotlib.lines import Line2D

    layout = ways.layout
    entries: dict[str, Any] = {"its way by its values": _handle(Line2D, OWN)}
    if ways.alternative:
        entries["alternative route"] = _handle(Line2D, ALTERNATIVE)
    width, height = layout.paper_size
    figure, (axes,) = panels(1, entries, None, width=width, height=height)
    words = broken(f"{title}: {ways.answer}" if title else ways.answer, LABEL_SIZE, 72 * width - 20)
    figure.suptitle(words).set_parse_math(False)
    styles = {node: OWN if node in ways.own else ALTERNATIVE if node in ways.alternative else ASIDE
              for node in layout.words}  # fmt: skip
    draw_tree(axes, layout, styles)
    return figure


def _handle(line: Any, style: Mapping[str, Any]) -> Any:
    """A line of the legend."""
    return line([], [], color=style["colors"], linewidth=style["linewidths"], linestyle=style.get("linestyles", "-"))
