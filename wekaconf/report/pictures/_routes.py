"""The decision paths of an instance, with ConfDTree's alternative routes and fines (Katz 2012, Figures 3 to 5)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import COLOURS, name_text, panels, save
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.data.wording import cells, interval
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.methods.contract import Event, Method, Step
from wekaconf.tree import Annotation, SplitKind, TreeMirror, split_on
from wekaconf.tree.shown import Layout, draw_tree, lay_out_nodes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SIBLINGS = 4
"""Branches that an instance does not take are drawn if the node has at most this many branches."""
MOST_SHARES = 3
"""The largest number of classes of a distribution that are named."""
DIRECT: dict[str, Any] = {"colors": "0.0", "linewidths": 1.8, "zorder": 3}
ALTERNATIVE: dict[str, Any] = {"colors": COLOURS[1], "linewidths": 1.6, "linestyles": (0, (3, 1.2)), "zorder": 2}
ASIDE: dict[str, Any] = {"colors": "0.75", "linewidths": 0.7, "zorder": 1}


@dataclass(frozen=True, eq=False)
class Ways:
    """The decision paths of an instance.

    Parameters
    ----------
    tree : TreeMirror
    direct, alternative : set of int
        The nodes that the instance reaches by its values, and only by alternative routes.
    lines : mapping of int to list of str
        The lines of text in the box of each node.
    answer : str
        The classes and probabilities that the method answers.
    """

    tree: TreeMirror
    direct: set[int]
    alternative: set[int]
    lines: Mapping[int, list[str]]
    answer: str

    @property
    def layout(self) -> Layout:
        """The layout of the nodes reached, and of their siblings where these are few."""
        tree, reached = self.tree, self.direct | self.alternative
        is_shown = np.zeros(tree.n_nodes, dtype=np.bool_)
        is_shown[list(reached)] = True
        for node in reached:
            first, n = int(tree.first_child[node]), int(tree.n_branches[node])
            if n <= MOST_SIBLINGS:
                is_shown[first : first + n] = True
        return lay_out_nodes(
            tree, is_shown, lambda node: Annotation(tuple((line,) for line in self.lines.get(node, ())))
        )


def ways_of(method: Method, instance: Dataset) -> Ways:
    """The decision paths of an instance in the tree of a method.

    Parameters
    ----------
    method : Method
        Fitted.
    instance : Dataset
        A data set of one instance.

    Raises
    ------
    OptionError
        The method is fitted on a forest.
    """
    tree = method.tree_
    if not isinstance(tree, TreeMirror):
        raise OptionError("the routes of a forest are not drawn; give a learner that grows one tree", of=method.name)
    answer = method.answer(instance)
    _, leaves, shares = tree.router.paths(instance.values)
    direct = {node for leaf in leaves.tolist() for node in _above(tree, leaf)}
    steps: dict[int, Step] = {}
    if isinstance(method, ConfDTree):
        steps = {step.node: step for step in answer.explanation.account(0).steps.walk() if step.node >= 0}
    alternative = steps.keys() - direct
    lines = {node: _value(tree, instance.values[0], node) for node in direct | alternative}
    if len(leaves) > 1:
        for leaf, share in zip(leaves.tolist(), shares.tolist(), strict=True):
            lines[leaf].append(f"share {share:.3f}")
    for event in answer.explanation[0] if steps else ():
        step = steps[event.node]
        lines[event.node] += _event(tree, event, step)
        if event.kind == "route":
            for branch, share in enumerate(step.values["weights"]):
                lines[int(tree.first_child[event.node]) + branch].append(f"weight {share:.3f}")
    for node in (*dict.fromkeys(leaves.tolist()), *alternative):
        if tree.router.stops[node]:
            lines[node].append(_distribution(tree, tree.router.answer[node]))
    return Ways(tree, direct, alternative, lines, _distribution(tree, answer.proba[0]))


def plot_routes(path: str | os.PathLike[str], ways: Ways, *, name: str = "the instance") -> None:
    """Draw the decision paths of an instance, with its values at the nodes and their effects.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same ways give the same bytes.
    ways : Ways
    name : str
        What the legend calls the instance.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`.
    OSError
        The file cannot be written.
    """
    save(path, lambda: _figure(ways, name))


def _value(tree: TreeMirror, values: FloatArray, node: int) -> list[str]:
    """The value of the instance that a node tests."""
    if tree.split_kind[node] == SplitKind.LEAF:
        return []
    value = values[tree.split_attribute[node]]
    return ["value missing" if np.isnan(value) else f"value {name_text(cells(split_on(tree, node), value)[0])}"]


def _event(tree: TreeMirror, event: Event, step: Step) -> list[str]:
    """The lines on a route or a fine, and its effect."""
    _, low, high = cells(split_on(tree, event.node), event.details["value"], *event.details["interval"])
    done = f"fine of {100 * step.values['share']:g} %" if event.kind == "fine" else "alternative routes"
    outside = f"outside {interval(low, high)} of {name_text(event.details['class'], 16)}:"
    return [outside, done, f"→ {_distribution(tree, step.array)}"]


def _above(tree: TreeMirror, node: int) -> list[int]:
    nodes = [node]
    while nodes[-1]:
        nodes.append(int(tree.parent[nodes[-1]]))
    return nodes


def _distribution(tree: TreeMirror, proba: FloatArray) -> str:
    """The most probable classes with their probabilities."""
    order = sorted(np.flatnonzero(proba > 0).tolist(), key=lambda c: (-proba[c], c))
    shares = [f"{name_text(tree.class_names[c], 16)} {proba[c]:.3f}" for c in order[:MOST_SHARES]]
    return ", ".join(shares + ["…"] * (len(order) > MOST_SHARES)) or "no answer"


def _figure(ways: Ways, name: str) -> Figure:
    from matplotlib.lines import Line2D

    layout = ways.layout
    entries: dict[str, Any] = {f"decision path of {name}; answer: {ways.answer}": _handle(Line2D, DIRECT)}
    if ways.alternative:
        entries["alternative route"] = _handle(Line2D, ALTERNATIVE)
    width, height = layout.paper_size
    figure, (axes,) = panels(1, entries, width=width, height=height)
    styles = {node: DIRECT if node in ways.direct else ALTERNATIVE if node in ways.alternative else ASIDE
              for node in layout.words}  # fmt: skip
    draw_tree(axes, layout, styles)
    return figure


def _handle(line: Any, style: Mapping[str, Any]) -> Any:
    """A line of the legend."""
    return line([], [], color=style["colors"], linewidth=style["linewidths"], linestyle=style.get("linestyles", "-"))
