"""Figures 8 to 13 of Tóth and Pataki 2006, drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arff import load_arff
from wekaconf.data.dataset import Dataset, FloatArray
from wekaconf.learners.cart import CART
from wekaconf.replication.toth2006.measuring import EXPERIMENTS, KEPT_OF_PLANE, Drawn, Experiment, filled
from wekaconf.replication.toth2006.planes import SHAPES, plane
from wekaconf.report.plot_style import COLOURS, COLUMN, GREY, check_plot, panels, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELLS = 200
"""Cells of a map on each side."""
BLUE, ORANGE = COLOURS[:2]
MAP_COLOURS = "PuOr"
"""Orange on the side of class 1, purple on that of class 2, which the colour-blind can distinguish."""
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


def _of_plane(shape: str, seed: int) -> Drawn:
    return Drawn.grown(plane(shape, seed), CART())


def _of_file(path: str, experiment: Experiment) -> Drawn:
    return Drawn.grown(filled(load_arff(path)), experiment.cart)


def _draw(grown: Callable[[], Drawn], make: Callable[[Drawn], Figure], path: str) -> None:
    kind, drawn = check_plot(path), grown()
    save(path, kind, lambda: make(drawn))


# ---- maps ----


def points(drawn: Drawn) -> Figure:
    """Figure 8: the points, by class."""
    from matplotlib.lines import Line2D

    styles: dict[str, dict[str, Any]] = {
        "class 1": {"marker": "x", "color": BLUE, "markersize": 2.5, "markeredgewidth": 0.6},
        "class 2": {"marker": "o", "color": ORANGE, "markersize": 1.8, "markeredgewidth": 0},
    }
    figure, (axes,) = _square({name: Line2D([], [], linestyle="none", **style) for name, style in styles.items()})
    for c, style in enumerate(styles.values()):
        chosen = drawn.data.class_values == c
        axes.plot(*drawn.data.values[chosen, :2].T, linestyle="none", **style)
    return figure


def distances(drawn: Drawn) -> Figure:
    """Figure 9: how far each place is from the decision boundary."""
    figure, (axes,) = _square({"decision boundary": _line("0.0")})
    distance, signed = _grid(drawn)
    reach = float(distance.max())
    shown = axes.imshow(signed, origin="lower", extent=(0, 1, 0, 1), cmap=MAP_COLOURS, vmin=-reach, vmax=reach)
    _boundary(axes, signed)
    bar = figure.colorbar(shown, ax=axes, shrink=0.75, label="distance; below 0: class 1")
    bar.outline.set_linewidth(0.6)
    return figure


def lane(drawn: Drawn) -> Figure:
    """Figure 11: the lane around the boundary in which points are rejected, and the wrong answers."""
    from matplotlib.colors import ListedColormap
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

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
    entries: dict[str, Any] = {f"rejected: nearer than {threshold:.3f}": Patch(facecolor="0.78")}
    entries |= {name: Line2D([], [], linestyle="none", **style) for name, (_, style) in marks.items()}
    figure, (axes,) = _square(entries)
    distance, signed = _grid(drawn)
    colours = np.where(distance < threshold, 0.0, np.sign(signed))
    pale = ListedColormap(["#FDE0BD", "0.78", "#DCD9EB"])
    axes.imshow(colours, origin="lower", extent=(0, 1, 0, 1), cmap=pale, vmin=-1, vmax=1)
    _boundary(axes, signed)
    for chosen, style in marks.values():
        axes.plot(*wrong[chosen, :2].T, linestyle="none", **style)
    return figure


def _square(entries: dict[str, Any]) -> tuple[Figure, list[Axes]]:
    figure, axes = panels(1, entries, None, **MAP_SIZE)
    axes[0].set(xlim=(0, 1), ylim=(0, 1), xlabel="x1", ylabel="x2", aspect="equal")
    return figure, axes


def _line(colour: str) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], color=colour, linewidth=0.8)


def _grid(drawn: Drawn) -> tuple[FloatArray, FloatArray]:
    """The distance at the middle of each cell; the same below 0 where the tree says class 1. Rows are x2, ascending."""
    middle = (np.arange(CELLS) + 0.5) / CELLS
    x1, x2 = np.meshgrid(middle, middle)
    asked = Dataset(drawn.data.header, np.column_stack((x1.ravel(), x2.ravel(), np.full(x1.size, np.nan))))
    answer = drawn.method.answer(asked)
    distance = np.minimum(answer.certainty, np.sqrt(2)).reshape(x1.shape)
    return distance, np.where(answer.predicted.reshape(x1.shape) == 0, -distance, distance)


def _boundary(axes: Axes, signed: FloatArray) -> None:
    middle = (np.arange(CELLS) + 0.5) / CELLS
    if signed.min() < 0 < signed.max():
        axes.contour(middle, middle, np.sign(signed), levels=[0.0], colors="0.0", linewidths=0.8)


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
