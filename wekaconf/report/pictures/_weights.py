"""Weights and estimates of the nodes along the path of an instance, per class (Wang and Zhang 2006, Figure 2)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import COLUMN, LABEL_SIZE, broken, line_styles, name_text, panels, save
from wekaconf.base.words import Owner
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.methods.contract import Method
from wekaconf.tree import TreeMirror, condition_in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_CLASSES = 6
"""The largest number of classes that are drawn: those that the method finds most probable."""
MOST_NODES = 24
"""The largest number of nodes that are drawn: the first and the last of a longer path."""
ROW, AXIS = 0.24, 0.5
"""Height in inches of the row of a node, and of the axis below."""
LONGEST = 24
"""The largest number of characters of a node's name."""


@dataclass(frozen=True, eq=False)
class PathWeights:
    """The weights along one path.

    Parameters
    ----------
    nodes : sequence of str
        The condition that leads to each node, from the uniform node above the root down.
    class_names : tuple of str
    proba : (n_classes,) float64
        The method's answer.
    classes : sequence of int
        The indices of the classes that are drawn, the most probable first.
    weight, estimate : (n_nodes, n_classes) float64
        The weights of a class sum to 1; the sum of weight · estimate over the nodes is its score.
    share : float
        The share of the instance that takes the path, in (0, 1]; the answer follows from this path alone only if it
        is 1.
    """

    nodes: Sequence[str]
    class_names: tuple[str, ...]
    proba: FloatArray
    classes: Sequence[int]
    weight: FloatArray
    estimate: FloatArray
    share: float = 1.0

    @property
    def styles(self) -> dict[int, dict[str, Any]]:
        """The line of each class that is drawn."""
        styles = line_styles(self.class_names)
        return {c: {**styles[c], "marker": "o", "markersize": 3} for c in self.classes}


def path_weights(method: Method, instance: Dataset) -> PathWeights:
    """The weights with which a method interpolates the estimates along the path of an instance.

    If missing values divide the instance, the path that takes the largest share of it is chosen.

    Parameters
    ----------
    method : Method
        Fitted, such as ``shrinkage``.
    instance : Dataset
        A data set of one instance.

    Raises
    ------
    OptionError
        The method does not interpolate along a path.
    """
    account = method.answer(instance).explanation.account(0)
    step, tree, share = account.steps, method.tree_, 1.0
    while step.kind != "interpolation":
        if not step.parts or not isinstance(tree, TreeMirror):
            raise OptionError(Owner(method.name), " has no weights along a path; shrinkage and shrinkage_wpe have")
        largest = 0
        if len(step.parts) > 1:
            largest = int(np.argmax(step.values["weights"]))
            share *= step.values["weights"][largest]
        step = step.parts[largest]
    assert isinstance(tree, TreeMirror)
    texts = ["uniform", "root", *(condition_in_words(tree, part.node) for part in step.parts[2:])]
    proba = np.array(account.proba)
    classes = sorted(range(len(proba)), key=lambda c: (-proba[c], c))[:MOST_CLASSES]
    estimate = np.array([part.result for part in step.parts])
    return PathWeights(texts, tree.class_names, proba, classes, np.array(step.values["weights"]), estimate, share)


def plot_weights(path: str | os.PathLike[str], weights: PathWeights, *, name: str = "the instance") -> None:
    """Draw the weight of each node for each class, and its own estimate, from the uniform node down to the leaf.

    The estimate of the uniform node, above the root, is 1 divided by the number of training instances.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same weights give the same bytes.
    weights : PathWeights
    name : str
        What the axis calls the instance.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`.
    OSError
        The file cannot be written.
    """
    save(path, lambda: _figure(weights, name))


def draw_weights(axes: Axes, weights: PathWeights, numbers: FloatArray) -> None:
    """Draw a line per class through numbers of the nodes; of more than `MOST_NODES` the middle is left out.

    Parameters
    ----------
    axes : Axes
    weights : PathWeights
    numbers : (n_nodes, n_classes) float64
        The weights or the estimates.
    """
    shown = _shown(weights)
    for c, style in weights.styles.items():
        axes.plot(numbers[shown, c], -np.arange(len(shown)), **style, clip_on=False)
    axes.set_yticks(-np.arange(len(shown)), [])
    largest = float(numbers[:, list(weights.classes)].max())
    axes.set(xlim=(0, min(1.0, 1.1 * largest)))
    axes.grid(axis="y", color="0.9", linewidth=0.5)
    axes.set_axisbelow(True)


def label_nodes(axes: Axes, weights: PathWeights) -> None:
    """Label the nodes at the vertical axis."""
    shown, n = _shown(weights), len(weights.nodes)
    texts = [name_text(weights.nodes[i], LONGEST) for i in shown.tolist()]
    if n > MOST_NODES:
        texts[MOST_NODES // 2] = f"… {n - MOST_NODES} nodes …\n{texts[MOST_NODES // 2]}"
    axes.set_yticks(-np.arange(len(shown)), texts, parse_math=False)


def _shown(weights: PathWeights) -> Int64Array:
    """The places of the nodes that are drawn."""
    n = len(weights.nodes)
    places = np.arange(n)
    return places if n <= MOST_NODES else np.concatenate((places[: MOST_NODES // 2], places[n - MOST_NODES // 2 :]))


def _figure(weights: PathWeights, name: str) -> Figure:
    from matplotlib.lines import Line2D

    others = " with other paths" if weights.share < 1 else ""
    entries = {
        f"{name_text(weights.class_names[c])} (answered {weights.proba[c]:.3f}{others})": Line2D([], [], **style)
        for c, style in weights.styles.items()
    }
    n = min(len(weights.nodes), MOST_NODES)
    figure, (left, right) = panels(2, entries, width=COLUMN, height=ROW * n + AXIS)
    for axes, numbers, label in ((left, weights.weight, "weight"), (right, weights.estimate, "estimate")):
        draw_weights(axes, weights, numbers)
        axes.set_xlabel(label)
    label_nodes(left, weights)
    left.set_ylabel(broken(f"decision path of {name}", LABEL_SIZE, 72 * ROW * n), parse_math=False)
    return figure
