"""Risk-coverage curves: how the error falls as fewer instances are answered."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import BESIDE_AXES, COLUMN, GREY, LABEL_SIZE, broken, line_styles, panels, save
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.measures import RiskCoverage
from wekaconf.methods.contract import display_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

WITHOUT_REJECTING: dict[str, Any] = {"linewidth": 0.8, "linestyle": (0, (1, 4)), "zorder": 1}
BEFORE_THE_FIRST: dict[str, Any] = {"linewidth": 0.5}
TOO_FEW = "fewer answers than any threshold can give"
"""The legend's text for the thin part of a curve."""
CIRCLE: dict[str, Any] = {
    "marker": "o", "linestyle": "none", "markersize": 6.5, "markerfacecolor": "none", "markeredgewidth": 1.1,
    "zorder": 4, "clip_on": False,
}  # fmt: skip
DOT: dict[str, Any] = {"marker": "o", "linestyle": "none", "markersize": 3, "markeredgewidth": 0, "zorder": 3}
MOST_DOTS = 40
"""Curves of at most this many points show each point; more dots would hide the line."""
NOISE = 0.05
"""The coverage from which curves are drawn; below it they depend on a few instances.

Shown in full, such errors would squash the rest; cut off, they would leave the frame. The CSV has all of it.
"""


def plot_risk_coverage(
    path: str | os.PathLike[str],
    curves: Mapping[str, RiskCoverage],
    *,
    marks: Mapping[str, Mapping[str, float]] | None = None,
) -> None:
    """Draw how the error falls as fewer instances are answered.

    Between the points that thresholds reach, a line shows the expected error if instances of equal certainty are
    accepted in random order. Left of the first point, which no threshold reaches, the line is thin; a curve of few
    points shows each as a dot. The thin dotted horizontal lines show the error when everything is answered, in grey if
    it is the same for all curves. Curves begin where 5 % are answered; the axis says so if one has points below.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same curves give the same bytes.
    curves : mapping of str to RiskCoverage
        The curves by the name of the method.
    marks : mapping of str to mapping, optional
        By the name of the method, the ``coverage`` and ``error`` that a chosen threshold reached, in [0, 1], such as
        those of `Figures.as_dict`; drawn as a circle unless NaN.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`; or there is no curve, or no curve for a mark.
    OSError
        The file cannot be written.
    """
    marks = marks or {}
    if not curves:
        raise OptionError(f"{os.fspath(path)}: no curve to draw", value_of="path")
    if unknown := [label for label in marks if label not in curves]:
        raise OptionError(f"{os.fspath(path)}: a mark for '{unknown[0]}', of which there is no curve", value_of="marks")
    save(path, lambda: _figure(curves, marks))


def _figure(curves: Mapping[str, RiskCoverage], marks: Mapping[str, Mapping[str, float]]) -> Figure:
    styles = line_styles(curves)
    differ = len({curve.error[-1] for curve in curves.values() if len(curve)}) > 1
    figure, (axes,) = panels(1, _legend_entries(curves, styles, has_marks=bool(marks)), width=COLUMN)
    for (label, curve), style in zip(curves.items(), styles, strict=True):
        if len(curve):
            axes.axhline(100 * curve.error[-1], **WITHOUT_REJECTING, color=style["color"] if differ else GREY)
            draw_risk_curve(axes, curve, style)
        if label in marks:
            axes.plot(100 * marks[label]["coverage"], 100 * marks[label]["error"], **CIRCLE, color=style["color"])
    label_risk_coverage(axes, curves.values(), marks.values())
    axes.set_xlabel(broken(axes.get_xlabel(), LABEL_SIZE, COLUMN * 72 - BESIDE_AXES))
    return figure


def label_risk_coverage(axes: Axes, curves: Collection[RiskCoverage], marks: Collection[Mapping[str, float]]) -> None:
    """Label the axes for risk-coverage curves, and set limits that hold the curves and the marks."""
    is_cut = any(len(curve) and curve.coverage[0] < NOISE for curve in curves)
    left_out = f"; below {100 * NOISE:g} % not drawn" if is_cut else ""
    top = _top(curves, marks)
    axes.set(
        xlabel=f"coverage: answered instances (%{left_out})", ylabel="error among the answered (%)", xlim=(0, 102),
        xticks=range(0, 101, 10), ylim=(-0.03 * top, 1.03 * top),
    )  # fmt: skip


def _legend_entries(
    curves: Mapping[str, RiskCoverage], styles: Sequence[Mapping[str, Any]], *, has_marks: bool
) -> dict[str, Any]:
    from matplotlib.lines import Line2D

    entries = {}
    for (label, curve), style in zip(curves.items(), styles, strict=True):
        area = f"{curve.aurc:.4f}" if len(curve) else "–"
        entries[f"{display_of(label)} (AURC {area})"] = Line2D([], [], **style)
    entries["without rejecting"] = Line2D([], [], **WITHOUT_REJECTING, color=GREY)
    if any(map(begins_late, curves.values())):
        entries[TOO_FEW] = Line2D([], [], **BEFORE_THE_FIRST, color=GREY)
    if any(len(curve) <= MOST_DOTS for curve in curves.values()):
        entries["reached by a threshold"] = Line2D([], [], **DOT, color=GREY)
    if has_marks:
        entries["chosen threshold"] = Line2D([], [], **CIRCLE, color=GREY)
    return entries


def begins_late(curve: RiskCoverage) -> bool:
    """Whether a curve has a part that no threshold reaches, which is drawn as a thin line."""
    return bool(len(curve) and curve.coverage[0] >= NOISE)


def drawn_shares(curve: RiskCoverage, n: int) -> FloatArray:
    """The coverages between which a curve that has points is drawn straight: its own, and ``n`` at equal distances."""
    evenly = np.linspace(max(float(curve.coverage[0]), NOISE), 1.0, n)
    return np.union1d(curve.coverage[curve.coverage >= NOISE], evenly)


def draw_risk_curve(axes: Axes, curve: RiskCoverage, style: Mapping[str, Any]) -> Line2D:
    """Draw a risk-coverage curve that has points; see `plot_risk_coverage`.

    ``style`` holds keyword arguments of matplotlib's ``plot``. Returns the line.
    """
    begin, is_drawn = max(curve.coverage[0], NOISE), curve.coverage >= NOISE
    shares = drawn_shares(curve, 400)
    (line,) = axes.plot(100 * shares, 100 * curve.errors_at(shares), **style)
    colour = line.get_color()
    if begins_late(curve):
        thin = {**style, **BEFORE_THE_FIRST, "color": colour, "label": None}
        axes.plot([0, 100 * begin], [100 * curve.error[0]] * 2, **thin)
    if len(curve) <= MOST_DOTS:
        axes.plot(100 * curve.coverage[is_drawn], 100 * curve.error[is_drawn], color=colour, **DOT)
    return line


def _top(curves: Collection[RiskCoverage], marks: Collection[Mapping[str, float]]) -> float:
    """Upper end of the error axis, in percent."""
    errors = [curve.error[curve.coverage >= NOISE] for curve in curves]
    errors += [curve.errors_at([NOISE]) for curve in curves if len(curve)]
    errors.append(np.array([mark["error"] for mark in marks]))
    largest = float(np.fmax.reduce(np.concatenate(errors), initial=0.0))
    return min(100.0, 110.0 * largest) if largest > 0 else 1.0
