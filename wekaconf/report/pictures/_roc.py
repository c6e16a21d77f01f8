"""ROC curves; a block of equal scores is drawn as the box inside which the order of its instances is unknown."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import COLUMN, DIAGONAL, line_styles, name_text, panels, save
from wekaconf.evaluation.measures import Roc
from wekaconf.methods.contract import display_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLOCK: dict[str, Any] = {"alpha": 0.16, "linewidth": 0, "zorder": 1}
MOST_BOXES = 3
"""The largest number of boxes in the legend."""
SQUARE = 2.7
"""Height in inches of axes that are one column wide."""


def plot_roc(
    path: str | os.PathLike[str],
    curves: Mapping[str, Roc],
    *,
    class_name: str,
) -> None:
    """Draw how many instances of a class are ranked above how many others.

    Instances of equal score are one step of the curve. Its line goes straight through the middle of the box that they
    may take any way through; boxes of at least 0.5 % of the square are shaded. The legend tells the area below the
    curve, where a tie counts ½, and where it would lie if every tie were resolved for the worst and for the best.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same curves give the same bytes.
    curves : mapping of str to Roc
        The curves by the name of the method; see `wekaconf.evaluation.measures.roc_curve`.
    class_name : str
        The class that is ranked against the rest.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`; or there is no curve.
    OSError
        The file cannot be written.
    """
    if not curves:
        raise OptionError(f"{os.fspath(path)}: no curve to draw", value_of="path")
    save(path, lambda: _figure(curves, class_name))


def drawn_classes(weight: ArrayLike) -> Sequence[int]:
    """The classes whose curves are drawn, in their order, by the summed weights of their answers.

    Of two classes only the rarer is drawn, since the curve of the other shows the same. More classes are drawn with
    the most frequent first, and a single class is not drawn.
    """
    weights = np.asarray(weight)
    present = sorted(np.flatnonzero(weights).tolist(), key=lambda c: (-weights[c], c))
    # Each against the rest: a mean of curves would smear the blocks of equal scores.
    return present[-1:] if len(present) == 2 else present if len(present) > 2 else []


def _area_text(curve: Roc) -> str:
    """The area below the curve, and its bounds if equal scores could be ordered otherwise."""
    low, high = curve.bounds
    ties = f", {low:.3f} to {high:.3f} by ties" if f"{low:.3f}" != f"{high:.3f}" else ""
    return f"AUC {curve.area:.3f}{ties}"


def _label_axes(axes: Axes, class_name: str) -> None:
    """Label the axes of ROC curves, and draw the diagonal of answers without knowledge."""
    axes.plot([0, 100], [0, 100], **DIAGONAL)
    axes.set(
        xlim=(-2, 102), ylim=(-2, 102), xticks=range(0, 101, 20), yticks=range(0, 101, 20), aspect="equal",
        xlabel="other instances ranked as high (%)",
    )  # fmt: skip
    axes.set_ylabel(f"instances of {name_text(class_name)} (%)", parse_math=False)


def _draw_curve(axes: Axes, curve: Roc, style: Mapping[str, Any]) -> None:
    """Draw a curve and its blocks, see `plot_roc`, with keyword arguments of matplotlib's ``plot``."""
    from matplotlib.patches import Rectangle

    (line,) = axes.plot(100 * curve.false, 100 * curve.true, **style)
    for left, low, right, high in curve.blocks:
        corner, wide, tall = (100 * left, 100 * low), 100 * (right - left), 100 * (high - low)
        axes.add_patch(Rectangle(corner, wide, tall, facecolor=line.get_color(), **BLOCK))


def _figure(curves: Mapping[str, Roc], class_name: str) -> Figure:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    styles = line_styles(curves)
    entries: dict[str, Any] = {
        f"{display_of(label)} ({_area_text(curve)})": Line2D([], [], **style)
        for (label, curve), style in zip(curves.items(), styles, strict=True)
    }
    if boxes := [style["color"] for curve, style in zip(curves.values(), styles, strict=True) if curve.blocks]:
        entries["equal scores: any way through the box"] = tuple(
            Patch(facecolor=colour, alpha=BLOCK["alpha"], linewidth=0) for colour in boxes[:MOST_BOXES]
        )
    entries["no knowledge"] = Line2D([], [], **DIAGONAL)
    figure, (axes,) = panels(1, entries, width=COLUMN, height=SQUARE)
    _label_axes(axes, class_name)
    for curve, style in zip(curves.values(), styles, strict=True):
        _draw_curve(axes, curve, style)
    return figure
