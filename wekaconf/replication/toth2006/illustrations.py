"""Figures 2 and 3 of Tóth and Pataki 2006; Figures 1 and 4 to 7 sketch trees and boxes whose numbers are not told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wekaconf.base.plot_style import line_styles, panels, save
from wekaconf.evaluation.protocol import Protocol
from wekaconf.experiments.runner import evaluate
from wekaconf.learners.cart import CART
from wekaconf.replication._data_files import load_set
from wekaconf.replication._study import Illustration
from wekaconf.replication.toth2006.figures import COLOURS_OF_CLASSES, CURVE_SIZE, PLANE, square, whole_section
from wekaconf.replication.toth2006.measurement import Answered, filled, plane
from wekaconf.report.pictures import draw_section, entries_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BREAST_W = "breast-w"
MOST_LEAVES = 15
SEED, LEAVES = 1, 8
"""The seed of the set "wave", and the leaves of its tree in Figure 3."""
POINT = 0.45, 0.35


def _errors_by_size(path: str, file: str) -> None:
    """Draw Figure 2: the errors on the training data and of cross-validation, by the size of the tree."""
    data = filled(load_set(BREAST_W, file))
    leaves = range(1, MOST_LEAVES + 1)
    carts = [CART(leaves=n) for n in leaves]
    training = [float((cart.grow_without_notes(data).predict(data) != data.class_values).mean()) for cart in carts]
    folds = [
        1 - evaluate(data, "leaf_frequency", learner=cart, protocol=Protocol(seed=SEED)).answers[0].is_correct.mean()
        for cart in carts
    ]

    def draw() -> Figure:
        from matplotlib.lines import Line2D

        curves = {"training data (resubstitution)": training, "10-fold cross-validation": folds}
        styles = dict(zip(curves, line_styles(curves), strict=True))
        entries = {name: Line2D([], [], **style) for name, style in styles.items()}
        figure, (axes,) = panels(1, entries, **CURVE_SIZE)
        for name, errors in curves.items():
            axes.plot(leaves, 100 * np.array(errors), marker="o", markersize=2.5, **styles[name])
        axes.set(xlabel="leaves, at most", ylabel="wrong (%)", ylim=(0, None))
        return figure

    save(path, draw)


def _projections(path: str) -> None:
    """Draw Figure 3: a point, its projections to the boxes of the other class, and the nearest of them."""
    answered = Answered.by_tree(plane("wave", SEED), CART(leaves=LEAVES))
    section, regions = whole_section(answered), answered.method.regions_
    point = np.array(POINT)
    cell = (point * len(section.predicted)).astype(np.int64)
    predicted = section.predicted[cell[1], cell[0]]
    others = np.flatnonzero(regions.class_index != predicted)
    projected = np.clip(point, regions.low[others][:, list(PLANE)], regions.high[others][:, list(PLANE)])
    nearest = int(((projected - point) ** 2).sum(axis=1).argmin())

    def draw() -> Figure:
        from matplotlib.lines import Line2D

        thin: dict[str, Any] = {"color": "0.0", "linewidth": 0.7, "linestyle": (0, (2, 2))}
        thick: dict[str, Any] = {"color": "0.0", "linewidth": 1.4}
        entries = entries_of(answered.data.header, COLOURS_OF_CLASSES)
        entries["projected to a box of the other class"] = Line2D([], [], **thin)
        entries["the nearest: the distance"] = Line2D([], [], **thick)
        figure, (axes,) = square(entries)
        draw_section(axes, section, COLOURS_OF_CLASSES)
        for i, end in enumerate(projected):
            axes.plot(*zip(point, end, strict=True), **(thick if i == nearest else thin))
            axes.plot(*end, color="0.0", marker="o", markersize=2.5, clip_on=False)
        axes.plot(*point, color="0.0", marker="s", markersize=4)
        return figure

    save(path, draw)


ILLUSTRATIONS = {"figure 2": Illustration(_errors_by_size, BREAST_W), "figure 3": Illustration(_projections)}
