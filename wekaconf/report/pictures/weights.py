"""The weights of the nodes along the path of an instance, per class (Wang and Zhang 2006, Figure 2)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wekaconf.data.dataset import Dataset, FloatArray
from wekaconf.errors import OptionError
from wekaconf.postprocessor import PostProcessor
from wekaconf.report.plot_style import COLUMN, check_plot, line_styles, name_text, panels, save
from wekaconf.tree.conditions import condition
from wekaconf.tree.mirror import TreeMirror
from wekaconf.wording import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_CLASSES = 6
"""Classes that are drawn, those that the method finds most probable."""
MOST_NODES = 24
"""Nodes that are drawn: the first and the last of a longer path."""
ROW, AXIS = 0.24, 0.5
"""Inches: of a node, and of the axis below."""
LONGEST = 26
"""Characters of a node's name."""


@dataclass(frozen=True, eq=False)
class PathWeights:
    """The weights along one path.

    Parameters
    ----------
    nodes : sequence of str
        What leads to each node, from the uniform node above the root down.
    class_names : tuple of str
    proba : (n_classes,) float64
        What the method answers.
    weight : mapping of int to (n_nodes,) float64
        By the index of a class, the most probable first; they sum to 1.
    """

    nodes: Sequence[str]
    class_names: tuple[str, ...]
    proba: FloatArray
    weight: Mapping[int, FloatArray]

    @property
    def styles(self) -> dict[int, dict[str, Any]]:
        """The line of each class that is drawn."""
        styles = line_styles(self.class_names)
        return {c: {**styles[c], "marker": "o", "markersize": 3} for c in self.weight}


def path_weights(method: PostProcessor, instance: Dataset) -> PathWeights:
    """The weights with which a method interpolates the estimates along the path of an instance.

    If missing values divide the instance, the path that takes the largest share of it is chosen.

    Parameters
    ----------
    method : PostProcessor
        Fitted, such as ``shrinkage``.
    instance : Dataset
        Of one instance.

    Raises
    ------
    OptionError
        The method does not interpolate along a path.
    """
    answer = method.answer(instance)
    events = answer.explanation[0]
    tree = method.tree_
    if not events or events[0].kind != "uniform" or not isinstance(tree, TreeMirror):
        raise OptionError(f"{method.name} has no weights along a path; shrinkage and shrinkage_wpe have")
    begins = [place for place, event in enumerate(events) if event.kind == "uniform"]
    paths = [events[begin:end] for begin, end in zip(begins, [*begins[1:], len(events)], strict=True)]
    path = max(paths, key=lambda path: path[0].details.get("share", 1.0))
    texts = ["uniform", "root", *(condition(tree, event.node, number) for event in path[2:])]
    order = sorted(range(len(tree.class_names)), key=lambda c: (-answer.proba[0, c], c))[:MOST_CLASSES]
    weight = {c: np.array([event.details["weight"][tree.class_names[c]] for event in path]) for c in order}
    return PathWeights(texts, tree.class_names, answer.proba[0], weight)


def plot_weights(path: str | os.PathLike[str], weights: PathWeights) -> None:
    """Draw the weight of each node for each class, from the uniform node above the root down to the leaf.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same weights give the same bytes.
    weights : PathWeights

    Raises
    ------
    OptionError
        See `wekaconf.report.plot_style.check_plot`.
    OSError
        The file cannot be written.
    """
    kind = check_plot(path)
    save(path, kind, lambda: _figure(weights))


def draw_weights(axes: Axes, weights: PathWeights) -> None:
    """Draw the lines of `plot_weights`; of a path of more than `MOST_NODES` the middle is left out."""
    n = len(weights.nodes)
    shown = np.arange(n)
    if n > MOST_NODES:
        shown = np.concatenate((shown[: MOST_NODES // 2], shown[n - MOST_NODES // 2 :]))
    for c, style in weights.styles.items():
        axes.plot(weights.weight[c][shown], -np.arange(len(shown)), **style, clip_on=False)
    texts = [name_text(weights.nodes[i], LONGEST) for i in shown.tolist()]
    if n > MOST_NODES:
        texts[MOST_NODES // 2] = f"… {n - MOST_NODES} nodes …\n{texts[MOST_NODES // 2]}"
    axes.set_yticks(-np.arange(len(shown)), texts, parse_math=False)
    largest = max(float(of_class.max()) for of_class in weights.weight.values())
    axes.set(xlim=(0, min(1.0, 1.1 * largest)), xlabel="weight of the node")
    axes.grid(axis="y", color="0.9", linewidth=0.5)
    axes.set_axisbelow(True)


def _figure(weights: PathWeights) -> Figure:
    from matplotlib.lines import Line2D

    entries = {
        f"{name_text(weights.class_names[c])} (answered {weights.proba[c]:.3f})": Line2D([], [], **style)
        for c, style in weights.styles.items()
    }
    n = min(len(weights.nodes), MOST_NODES)
    figure, (axes,) = panels(1, entries, None, width=COLUMN, height=ROW * n + AXIS)
    draw_weights(axes, weights)
    return figure
