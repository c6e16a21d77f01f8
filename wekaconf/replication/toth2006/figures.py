"""Figures 8 to 13 of Tóth and Pataki 2006, drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.plot_style import COLOURS, COLUMN, GREY, check_plot, panels, save
from wekaconf.data.arff import load_arff
from wekaconf.learners.cart import CART
from wekaconf.replication.toth2006.measurement import EXPERIMENTS, KEPT_OF_PLANE, Drawn, Experiment, filled
from wekaconf.replication.toth2006.planes import SHAPES, plane
from wekaconf.report.pictures.boundary import draw_points, draw_scale, draw_section, entries_of
from wekaconf.report.pictures.section import Section

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE = COLOURS[:2]
COLOURS_OF_CLASSES = {0: BLUE, 1: ORANGE}
PLANE = 0, 1
"""The attributes along the axes."""
MAP_SIZE: dict[str, Any] = {"width": COLUMN, "height": 2.8}
CURVE_SIZE: dict[str, Any] = {"width": COLUMN, "height": 2.2}


def figures(seed: int | None, path: str | None) -> dict[str, Callable[[str], Any]]:
    """What can be drawn, by part.

    Parameters
    ----------
    seed : int or None
        The seed of the synthetic sets; None: they are not asked for.
    path : str or None
        The file of breast-w; None: there is none.
    """
    found: dict[str, Callable[[str], Any]] = {}
    if seed is not None:
        for shape in SHAPES:
            drawn = partial(_of_plane, shape, seed)
            for part, make in (
                ("figure 8", points), ("figure 9", distances), ("figure 10", threshold_of_plane), ("figure 11", lane),
            ):  # fmt: skip
                found[f"{part} {shape}"] = partial(_draw, drawn, make)
    if path is not None:
        for part, experiment in zip(("figure 12", "figure 13"), EXPERIMENTS, strict=True):
            make = partial(threshold_curves, keep=experiment.keep, rules=("rule", "nearest"))
            found[part] = partial(_draw, partial(_of_file, path, experiment), make)
    return found


@lru_cache(maxsize=len(SHAPES))  # four figures show it, each in several kinds of files
def _of_plane(shape: str, seed: int) -> Drawn:
    return Drawn.grown(plane(shape, seed), CART())


@lru_cache(maxsize=len(EXPERIMENTS))
def _of_file(path: str, experiment: Experiment) -> Drawn:
    return Drawn.grown(filled(load_arff(path)), experiment.cart)


def _draw(grown: Callable[[], Drawn], make: Callable[[Drawn], Figure], path: str) -> None:
    check_plot(path)
    drawn = grown()
    save(path, lambda: make(drawn))


# ---- maps ----


def points(drawn: Drawn) -> Figure:
    """Figure 8: the points, by class."""
    entries = entries_of(drawn.data.header, COLOURS_OF_CLASSES, has_regions=False, has_points=True)
    figure, (axes,) = square(entries)
    draw_points(axes, PLANE, drawn.data, COLOURS_OF_CLASSES, len(drawn.data))
    return figure


def distances(drawn: Drawn) -> Figure:
    """Figure 9: how far each place is from the decision boundary."""
    section = whole_section(drawn)
    figure, (axes,) = square(entries_of(drawn.data.header, COLOURS_OF_CLASSES))
    draw_section(axes, section, COLOURS_OF_CLASSES)
    draw_scale(figure, axes, section)
    return figure


def lane(drawn: Drawn) -> Figure:
    """Figure 11: the lane around the boundary in which points are rejected, and the wrong answers."""
    from matplotlib.lines import Line2D

    threshold = drawn.threshold(KEPT_OF_PLANE, "rule")
    wrong = drawn.data.values[~drawn.is_correct]
    accepted = drawn.certainty[~drawn.is_correct] >= threshold
    cross: dict[str, Any] = {"marker": "x", "color": "0.0", "markersize": 2.5, "markeredgewidth": 0.6}
    diamond: dict[str, Any] = {
        "marker": "D", "color": "0.0", "markersize": 3, "markerfacecolor": "1.0", "markeredgewidth": 0.7,
    }  # fmt: skip
    marks = {
        f"wrong, rejected ({(~accepted).sum()})": (~accepted, cross),
        f"wrong, answered ({accepted.sum()})": (accepted, diamond),
    }
    entries = entries_of(drawn.data.header, COLOURS_OF_CLASSES, threshold=threshold)
    entries |= {name: Line2D([], [], linestyle="none", **style) for name, (_, style) in marks.items()}
    figure, (axes,) = square(entries)
    draw_section(axes, whole_section(drawn), COLOURS_OF_CLASSES, threshold=threshold)
    for chosen, style in marks.values():
        axes.plot(*wrong[chosen, :2].T, linestyle="none", **style)
    return figure


def square(entries: dict[str, Any]) -> tuple[Figure, list[Axes]]:
    """Axes for a map of the unit square, with their legend."""
    figure, axes = panels(1, entries, None, **MAP_SIZE)
    axes[0].set(xlim=(0, 1), ylim=(0, 1), xlabel="x1", ylabel="x2")
    return figure, axes


@lru_cache(maxsize=len(SHAPES))
def whole_section(drawn: Drawn) -> Section:
    """What the method answers on the unit square."""
    return Section.of(drawn.method, PLANE, (0.0, 1.0, 0.0, 1.0), np.full(len(drawn.data.attributes), np.nan))


# ---- thresholds ----


def threshold_of_plane(drawn: Drawn) -> Figure:
    """Figure 10."""
    return threshold_curves(drawn, keep=KEPT_OF_PLANE, rules=("rule",))


def threshold_curves(drawn: Drawn, *, keep: float, rules: tuple[str, ...]) -> Figure:
    """Figures 10, 12 and 13: what each threshold keeps of the correct answers and catches of the wrong ones."""
    from matplotlib.lines import Line2D

    lines: dict[str, tuple[NDArray[np.bool_], bool, dict[str, Any]]] = {
        "correct answers kept": (drawn.is_correct, False, {"color": BLUE}),
        "wrong answers caught": (~drawn.is_correct, True, {"color": ORANGE, "linestyle": (0, (5, 1.5))}),
    }
    marks: dict[float, tuple[str, Any]] = {}
    for rule, dash in zip(rules, ((0, (1, 1)), (0, (1, 3))), strict=False):
        at = drawn.threshold(keep, rule)
        words = "at least" if rule == "rule" else "nearly"
        marks.setdefault(at, (f"keeps {words} {100 * keep:.0f} %: {at:.3g}", dash))
    entries = {name: Line2D([], [], **style) for name, (_, _, style) in lines.items()}
    entries |= {name: Line2D([], [], color=GREY, linewidth=0.9, linestyle=dash) for name, dash in marks.values()}
    figure, (axes,) = panels(1, entries, None, **CURVE_SIZE)
    threshold = np.unique(drawn.certainty)
    for chosen, is_caught, style in lines.values():
        accepted = np.array([1, *((drawn.certainty[chosen] >= t).mean() for t in threshold)])
        axes.step(np.append(0, threshold), 100 * (1 - accepted if is_caught else accepted), where="pre", **style)
    for at, (_, dash) in marks.items():
        axes.axvline(at, color=GREY, linewidth=0.9, linestyle=dash, zorder=1)
    axes.axhline(100 * keep, color=GREY, linewidth=0.5, zorder=1)
    reach = threshold[np.isfinite(threshold)].max()
    axes.set(xlabel="threshold on the distance", ylabel="share (%)", xlim=(0, reach), ylim=(0, 103))
    return figure
