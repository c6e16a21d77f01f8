"""Drawings of Figures 2 and 8 to 13 of Tóth and Pataki 2006."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.plot_style import COLOURS, COLUMN, GREY, check_plot, line_styles, panels, save
from wekaconf.data.arff import load_arff
from wekaconf.evaluation.measures import accepted_at
from wekaconf.evaluation.protocol import Protocol
from wekaconf.experiments.runner import evaluate
from wekaconf.learners.cart import CART
from wekaconf.replication.toth2006.measurement import (
    EXPERIMENTS,
    KEPT_OF_PLANE,
    SHAPES,
    Answered,
    Experiment,
    filled,
    plane,
)
from wekaconf.report.pictures import Section, draw_points, draw_scale, draw_section, entries_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

T = TypeVar("T")
BLUE, ORANGE = COLOURS[:2]
COLOURS_OF_CLASSES = {0: BLUE, 1: ORANGE}
PLANE = 0, 1
"""The attributes along the axes."""
MAP_SIZE: dict[str, Any] = {"width": COLUMN, "height": 2.8}
CURVE_SIZE: dict[str, Any] = {"width": COLUMN, "height": 2.2}
MOST_LEAVES = 15
"""Of the trees in Figure 2."""


def figures(seed: int | None, path: str | None) -> dict[str, Callable[[str], Any]]:
    """The functions that draw the figures, by part.

    Parameters
    ----------
    seed : int or None
        The seed of the synthetic sets; None: they are not asked for.
    path : str or None
        The file of breast-w; None: there is none.
    """
    drawers: dict[str, Callable[[str], Any]] = {}
    if seed is not None:
        curves = partial(threshold_curves, keep=KEPT_OF_PLANE, rules=("rule",))
        for shape in SHAPES:
            answered = partial(_answered_plane, shape, seed)
            for part, make in (
                ("figure 8", points), ("figure 9", distances), ("figure 10", curves), ("figure 11", lane),
            ):  # fmt: skip
                drawers[f"{part} {shape}"] = partial(_draw, answered, make)
    if path is not None:
        drawers["figure 2"] = partial(_draw, partial(_errors_by_size, path), sizes)
        for part, experiment in zip(("figure 12", "figure 13"), EXPERIMENTS, strict=True):
            make = partial(threshold_curves, keep=experiment.keep, rules=("rule", "nearest"))
            drawers[part] = partial(_draw, partial(_answered_file, path, experiment), make)
    return drawers


@lru_cache(maxsize=len(SHAPES))  # four figures show it, each in several kinds of files
def _answered_plane(shape: str, seed: int) -> Answered:
    return Answered.by_tree(plane(shape, seed), CART())


@lru_cache(maxsize=len(EXPERIMENTS))
def _answered_file(path: str, experiment: Experiment) -> Answered:
    return Answered.by_tree(filled(load_arff(path)), experiment.cart)


def _draw(measure: Callable[[], T], make: Callable[[T], Figure], path: str) -> None:
    check_plot(path)
    shown = measure()
    save(path, lambda: make(shown))


# ---- maps ----


def points(answered: Answered) -> Figure:
    """Figure 8: the points, by class."""
    entries = entries_of(answered.data.header, COLOURS_OF_CLASSES, has_regions=False, has_points=True)
    figure, (axes,) = square(entries)
    draw_points(axes, PLANE, answered.data, COLOURS_OF_CLASSES, len(answered.data))
    return figure


def distances(answered: Answered) -> Figure:
    """Figure 9: the distance of each place from the decision boundary."""
    section = whole_section(answered)
    figure, (axes,) = square(entries_of(answered.data.header, COLOURS_OF_CLASSES))
    draw_section(axes, section, COLOURS_OF_CLASSES)
    draw_scale(axes, section, COLOURS_OF_CLASSES)
    return figure


def lane(answered: Answered) -> Figure:
    """Figure 11: the lane around the boundary in which points are rejected, and the wrong answers."""
    from matplotlib.lines import Line2D

    threshold = answered.threshold(KEPT_OF_PLANE, "rule")
    wrong = answered.data.values[~answered.is_correct]
    accepted = accepted_at(answered.certainty[~answered.is_correct], threshold)
    cross: dict[str, Any] = {"marker": "x", "color": "0.0", "markersize": 2.5, "markeredgewidth": 0.6}
    diamond: dict[str, Any] = {
        "marker": "D", "color": "0.0", "markersize": 3, "markerfacecolor": "1.0", "markeredgewidth": 0.7,
    }  # fmt: skip
    marks = {
        f"wrong, rejected ({(~accepted).sum()})": (~accepted, cross),
        f"wrong, answered ({accepted.sum()})": (accepted, diamond),
    }
    entries = entries_of(answered.data.header, COLOURS_OF_CLASSES, threshold=threshold)
    entries |= {name: Line2D([], [], linestyle="none", **style) for name, (_, style) in marks.items()}
    figure, (axes,) = square(entries)
    draw_section(axes, whole_section(answered), COLOURS_OF_CLASSES, threshold=threshold)
    for chosen, style in marks.values():
        axes.plot(*wrong[chosen, :2].T, linestyle="none", **style)
    return figure


def square(entries: dict[str, Any]) -> tuple[Figure, list[Axes]]:
    """Axes for a map of the unit square, with their legend."""
    figure, axes = panels(1, entries, **MAP_SIZE)
    axes[0].set(xlim=(0, 1), ylim=(0, 1), xlabel="x1", ylabel="x2")
    return figure, axes


@lru_cache(maxsize=len(SHAPES))
def whole_section(answered: Answered) -> Section:
    """The answers of the method on the unit square."""
    return Section.of(answered.method, PLANE, (0.0, 1.0, 0.0, 1.0), np.full(len(answered.data.attributes), np.nan))


# ---- thresholds ----


def threshold_curves(answered: Answered, *, keep: float, rules: tuple[str, ...]) -> Figure:
    """Figures 10, 12 and 13: the shares of correct answers kept and of wrong answers caught, by threshold."""
    from matplotlib.lines import Line2D

    lines: dict[str, tuple[NDArray[np.bool_], bool, dict[str, Any]]] = {
        "correct answers kept": (answered.is_correct, False, {"color": BLUE}),
        "wrong answers caught": (~answered.is_correct, True, {"color": ORANGE, "linestyle": (0, (5, 1.5))}),
    }
    marks: dict[float, tuple[str, Any]] = {}
    for rule, dash in zip(rules, ((0, (1, 1)), (0, (1, 3))), strict=False):
        chosen = answered.threshold(keep, rule)
        words = "at least" if rule == "rule" else "nearly"
        marks.setdefault(chosen, (f"keeps {words} {100 * keep:.0f} %: {chosen:.3g}", dash))
    entries = {name: Line2D([], [], **style) for name, (_, _, style) in lines.items()}
    entries |= {name: Line2D([], [], color=GREY, linewidth=0.9, linestyle=dash) for name, dash in marks.values()}
    figure, (axes,) = panels(1, entries, **CURVE_SIZE)
    thresholds = np.unique(answered.certainty)
    for is_counted, is_caught, style in lines.values():
        accepted = np.array([1, *((answered.certainty[is_counted] >= t).mean() for t in thresholds)])
        axes.step(np.append(0, thresholds), 100 * (1 - accepted if is_caught else accepted), where="pre", **style)
    for threshold, (_, dash) in marks.items():
        axes.axvline(threshold, color=GREY, linewidth=0.9, linestyle=dash, zorder=1)
    axes.axhline(100 * keep, color=GREY, linewidth=0.5, zorder=1)
    axes.set(xlabel="threshold on the distance", ylabel="share (%)", xlim=(0, thresholds[-1]), ylim=(0, 103))
    return figure


# ---- sizes of trees ----


@lru_cache(maxsize=1)  # the figure is drawn in several kinds of files
def _errors_by_size(path: str) -> dict[str, list[float]]:
    data = filled(load_arff(path))
    carts = [CART(leaves=n) for n in range(1, MOST_LEAVES + 1)]
    return {
        "training data (resubstitution)": [
            float((cart.grow_without_notes(data).predict(data) != data.class_values).mean()) for cart in carts
        ],
        "10-fold cross-validation": [
            1 - float(evaluate(data, "leaf_frequency", learner=cart, protocol=Protocol()).answers[0].is_correct.mean())
            for cart in carts
        ],
    }


def sizes(errors: dict[str, list[float]]) -> Figure:
    """Figure 2: the errors on the training data and of cross-validation, by the size of the tree."""
    from matplotlib.lines import Line2D

    styles = dict(zip(errors, line_styles(errors), strict=True))
    figure, (axes,) = panels(1, {name: Line2D([], [], **style) for name, style in styles.items()}, **CURVE_SIZE)
    for name, shares in errors.items():
        axes.plot(range(1, len(shares) + 1), 100 * np.array(shares), marker="o", markersize=2.5, **styles[name])
    axes.set(xlabel="leaves, at most", ylabel="wrong (%)", ylim=(0, None))
    return figure
