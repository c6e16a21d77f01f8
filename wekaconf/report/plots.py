"""Figures for papers. They need matplotlib, which the extra ``report`` installs."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wekaconf.data.dataset import FloatArray
from wekaconf.errors import OptionError
from wekaconf.evaluation.calibration import CalibrationCurve
from wekaconf.evaluation.risk_coverage import RiskCoverage
from wekaconf.report.plot_style import GREY, LINE, check_plot, line_styles, panels, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

WITHOUT_REJECTING: dict[str, Any] = {"linewidth": 0.8, "linestyle": (0, (1, 4)), "zorder": 1}
BEFORE_THE_FIRST: dict[str, Any] = {"linewidth": 0.5}
TOO_FEW = "fewer answers than any threshold leaves"
"""What the legend calls that."""
CIRCLE: dict[str, Any] = {
    "marker": "o", "linestyle": "none", "markersize": 6.5, "markerfacecolor": "none", "markeredgewidth": 1.1,
    "zorder": 4, "clip_on": False,
}  # fmt: skip
DOT: dict[str, Any] = {"marker": "o", "linestyle": "none", "markersize": 3, "markeredgewidth": 0, "zorder": 3}
DIAGONAL: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "linestyle": "-", "zorder": 1}
BAR: dict[str, Any] = {"linestyle": "-", "linewidth": 0.7}
SHARE_DOT: dict[str, Any] = {"linewidths": 0, "alpha": 0.7, "zorder": 3, "clip_on": False}
LEAST_DOT, LARGEST_DOT = 6, 90
"""Areas of dots in square points: that for no answers, and what is added to it for all answers."""
SHOWN_SHARES = (0.01, 0.1, 0.5)
"""Shares of the answers whose dots the legend shows."""
MOST_DOTS = 40
"""Curves of at most this many points show each point; more dots would hide the line."""
NOISE = 0.05
"""The coverage from which curves are drawn; below it they depend on a few instances."""
Z = 1.959963984540054
"""Quantile of the normal distribution for a two-sided interval of 95 %."""


def plot_risk_coverage(
    path: str | os.PathLike[str],
    curves: Mapping[str, RiskCoverage],
    *,
    title: str | None = None,
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
    title : str, optional
        Broken into lines if it is too long.
    marks : mapping of str to mapping, optional
        By the name of the method, the ``coverage`` and ``error`` that a chosen threshold reached, in [0, 1], such as
        those of `Figures.as_dict`; drawn as a circle unless NaN.

    Raises
    ------
    OptionError
        See `wekaconf.report.plot_style.check_plot`; or there is no curve, or no curve for a mark.
    OSError
        The file cannot be written.
    """
    kind = check_plot(path)
    marks = marks or {}
    if not curves:
        raise OptionError(f"{os.fspath(path)}: no curve to draw")
    if unknown := [label for label in marks if label not in curves]:
        raise OptionError(f"{os.fspath(path)}: a mark for '{unknown[0]}', of which there is no curve")
    save(path, kind, lambda: _risk_coverage_figure(curves, title, marks))


def plot_calibration(
    path: str | os.PathLike[str],
    curves: Mapping[str, CalibrationCurve],
    *,
    title: str | None = None,
    n_instances: float | None = None,
) -> None:
    """Draw how often answers are right against the probability given to their class, and how many there are per bin.

    On the left, the reliability diagram: one dot per bin that has answers, at their mean probability and their
    accuracy, with an area that grows with their share, and with Wilson's interval of 95 % for the accuracy. On the grey
    diagonal the probabilities are true, below it they are too high. On the right, the share of the answers in each bin.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same curves give the same bytes.
    curves : mapping of str to CalibrationCurve
        The curves by the name of the method; see `wekaconf.evaluation.calibration.calibration_curve`.
    title : str, optional
        Broken into lines if it is too long.
    n_instances : float, optional
        Number of different instances behind a curve, from which the intervals are computed; the summed weight of the
        answers when left out. The two differ if instances are answered in several runs or have weights other than 1.

    Raises
    ------
    OptionError
        See `wekaconf.report.plot_style.check_plot`; or there is no curve.
    OSError
        The file cannot be written.
    """
    kind = check_plot(path)
    if not curves:
        raise OptionError(f"{os.fspath(path)}: no curve to draw")
    save(path, kind, lambda: _calibration_figure(curves, title, n_instances))


def wilson(share: FloatArray, n: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Wilson's interval of 95 % for a share observed among n instances.

    Parameters
    ----------
    share : (n_shares,) float64
        In [0, 1].
    n : (n_shares,) float64
        Positive.

    Returns
    -------
    low, high : (n_shares,) float64
        In [0, 1], around ``share``.

    References
    ----------
    E. B. Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22(158), 209-212.
    """
    middle = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * np.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    return np.clip(middle - half, 0.0, share), np.clip(middle + half, share, 1.0)


def _calibration_figure(curves: Mapping[str, CalibrationCurve], title: str | None, n_instances: float | None) -> Figure:
    from matplotlib.lines import Line2D

    styles = line_styles(curves)
    entries: dict[str, Any] = {
        f"{label} (ECE {'–' if np.isnan(curve.ece) else f'{curve.ece:.4f}'})": Line2D([], [], **style)
        for (label, curve), style in zip(curves.items(), styles, strict=True)
    }
    entries["perfect calibration"] = Line2D([], [], **DIAGONAL)
    entries["95 % interval (Wilson)"] = Line2D([], [], color=GREY, marker="|", markersize=8, linestyle="none")
    entries[f"{', '.join(f'{100 * share:g}' for share in SHOWN_SHARES)} % of the answers"] = tuple(
        Line2D([], [], color=GREY, marker="o", markersize=_area(share) ** 0.5, markeredgewidth=0, linestyle="none")
        for share in SHOWN_SHARES
    )
    figure, (reliability, shares) = panels(2, entries, title)
    label_reliability(reliability)
    for curve, style in zip(curves.values(), styles, strict=True):
        total = curve.weight.sum()
        share = np.divide(curve.weight, total, where=curve.weight > 0, out=np.zeros(len(curve.weight)))
        shares.stairs(100 * share, 100 * curve.edges, **style, linewidth=LINE)
        draw_reliability(reliability, curve, style, n_instances)
    shares.set(
        xlabel="probability of the answer (%)", ylabel="share of all answers (%)", xlim=(-2, 102),
        xticks=range(0, 101, 20),
    )  # fmt: skip
    shares.set_ylim(bottom=0)
    return figure


def label_reliability(axes: Axes) -> None:
    """Label the axes of a reliability diagram, and draw the diagonal on which probabilities are true."""
    axes.plot([0, 100], [0, 100], **DIAGONAL)
    axes.set(
        xlabel="probability of the answer (%)", ylabel="correct among these answers (%)", xlim=(-2, 102),
        ylim=(-2, 102), xticks=range(0, 101, 20), yticks=range(0, 101, 20),
    )  # fmt: skip


def draw_reliability(
    axes: Axes, curve: CalibrationCurve, style: Mapping[str, Any], n_instances: float | None = None
) -> Line2D:
    """Draw the dots and intervals of a reliability diagram; see `plot_calibration`.

    ``style`` is what matplotlib's ``plot`` takes. Returns the line.
    """
    total = curve.weight.sum()
    counted = curve.weight > 0
    share = curve.weight[counted] / total
    confidence, accuracy = curve.confidence[counted], curve.accuracy[counted]
    (line,) = axes.plot(100 * confidence, 100 * accuracy, **style)
    low, high = wilson(accuracy, share * (total if n_instances is None else n_instances))
    axes.vlines(100 * confidence, 100 * low, 100 * high, colors=line.get_color(), **BAR)
    axes.scatter(100 * confidence, 100 * accuracy, _area(share), color=line.get_color(), **SHARE_DOT)
    return line


def _area(share: Any) -> Any:
    """Area, in square points, of the dot for a share of the answers."""
    return LEAST_DOT + LARGEST_DOT * share


def _risk_coverage_figure(
    curves: Mapping[str, RiskCoverage], title: str | None, marks: Mapping[str, Mapping[str, float]]
) -> Figure:
    styles = line_styles(curves)
    differ = len({curve.error[-1] for curve in curves.values() if len(curve)}) > 1
    figure, (axes,) = panels(1, _legend_entries(curves, styles, has_marks=bool(marks)), title)
    for (label, curve), style in zip(curves.items(), styles, strict=True):
        if len(curve):
            axes.axhline(100 * curve.error[-1], **WITHOUT_REJECTING, color=style["color"] if differ else GREY)
            draw_curve(axes, curve, style)
        if label in marks:
            axes.plot(100 * marks[label]["coverage"], 100 * marks[label]["error"], **CIRCLE, color=style["color"])
    label_risk_coverage(axes, curves.values(), marks.values())
    return figure


def label_risk_coverage(
    axes: Axes, curves: Collection[RiskCoverage], marks: Collection[Mapping[str, float]] = ()
) -> None:
    """Label the axes for risk-coverage curves, and make room for them and for the marks."""
    goes_on = any(len(curve) and curve.coverage[0] < NOISE for curve in curves)
    left_out = f"; below {100 * NOISE:g} % not drawn" if goes_on else ""
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
        entries[f"{label} (AURC {area})"] = Line2D([], [], **style)
    entries["without rejecting"] = Line2D([], [], **WITHOUT_REJECTING, color=GREY)
    if any(map(begins_late, curves.values())):
        entries[TOO_FEW] = Line2D([], [], **BEFORE_THE_FIRST, color=GREY)
    if has_marks:
        entries["chosen threshold"] = Line2D([], [], **CIRCLE, color=GREY)
    return entries


def begins_late(curve: RiskCoverage) -> bool:
    """Whether a curve has a part that no threshold reaches, which is drawn as a thin line."""
    return bool(len(curve) and curve.coverage[0] >= NOISE)


def draw_curve(axes: Axes, curve: RiskCoverage, style: Mapping[str, Any]) -> Line2D:
    """Draw a risk-coverage curve that has points; see `plot_risk_coverage`.

    ``style`` is what matplotlib's ``plot`` takes. Returns the line.
    """
    begin, drawn = max(curve.coverage[0], NOISE), curve.coverage >= NOISE
    shares = np.union1d(curve.coverage[drawn], np.linspace(begin, 1.0, 400))
    (line,) = axes.plot(100 * shares, 100 * curve.errors_at(shares), **style)
    colour = line.get_color()
    if begins_late(curve):
        thin = {**style, **BEFORE_THE_FIRST, "color": colour, "label": None}
        axes.plot([0, 100 * begin], [100 * curve.error[0]] * 2, **thin)
    if len(curve) <= MOST_DOTS:
        axes.plot(100 * curve.coverage[drawn], 100 * curve.error[drawn], color=colour, **DOT)
    return line


def _top(curves: Collection[RiskCoverage], marks: Collection[Mapping[str, float]]) -> float:
    """Upper end of the error axis, in percent."""
    errors = [curve.error[curve.coverage >= NOISE] for curve in curves]
    errors += [curve.errors_at([NOISE]) for curve in curves if len(curve)]
    errors.append(np.array([mark["error"] for mark in marks]))
    largest = float(np.fmax.reduce(np.concatenate(errors), initial=0.0))
    return min(100.0, 110.0 * largest) if largest > 0 else 1.0
