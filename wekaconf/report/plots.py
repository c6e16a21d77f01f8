"""Figures for papers; they need matplotlib, which the extra ``report`` installs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from wekaconf.errors import OptionError
from wekaconf.evaluation.calibration import CalibrationCurve
from wekaconf.evaluation.risk_coverage import RiskCoverage
from wekaconf.files import atomic_write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
}
"""File types, and what matplotlib would write into them that differs from day to day or version to version."""
WIDTH, HEIGHT, DPI = 6.5, 3.0, 300
"""Inches, a column and a half wide, the legend apart; dots an inch of what is not a vector."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Told apart by the colour-blind: Okabe and Ito's, without the yellow that paper swallows."""
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)), (0, (8, 2)))
"""Line styles; of another number than the colours, so that pairs of both go on differing."""
LINE = 1.2
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "figure.titlesize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "figure.constrained_layout.wspace": 0.05,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": LINE,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "wekaconf",
}
GREY = "0.5"
WITHOUT_REJECTING: dict[str, Any] = {"linewidth": 0.6, "linestyle": (0, (6, 4)), "zorder": 1}
CIRCLE: dict[str, Any] = {
    "marker": "o", "linestyle": "none", "markersize": 6.5, "markerfacecolor": "none", "markeredgewidth": 1.1,
    "zorder": 4,
}  # fmt: skip
DOT: dict[str, Any] = {"marker": "o", "linestyle": "none", "markersize": 3, "markeredgewidth": 0, "zorder": 3}
ROW_LENGTH, HANDLE_LENGTH, ROW_HEIGHT = 120, 9, 0.16
"""Of the legend: characters that fit the width, characters that a line's sample takes, inches."""
DIAGONAL: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "linestyle": "-", "zorder": 1}
LEAST_DOT, LARGEST_DOT = 6, 90
"""Areas, in square points, of the dots of no answers and of all, the least added."""
MOST_DOTS = 40
"""A curve of no more points shows each; of more they would hide the line."""
NOISE = 0.05
"""Coverage up to which a curve may leave the frame: there it hangs on a few instances."""


def check_plot(path: str | os.PathLike[str]) -> str:
    """The file type of a figure, before anything is computed for it.

    Parameters
    ----------
    path : str or PathLike
        Name of the file.

    Returns
    -------
    {"png", "pdf", "svg"}

    Raises
    ------
    OptionError
        The name ends otherwise, or matplotlib is not installed.
    """
    kind = os.path.splitext(os.fspath(path))[1].lower().removeprefix(".")
    if kind not in METADATA:
        raise OptionError(f"{os.fspath(path)}: a figure is a .png, .pdf or .svg file; name it so")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise OptionError("a figure needs matplotlib; pip install 'wekaconf[report]'") from None
    return kind


def plot_risk_coverage(
    path: str | os.PathLike[str],
    curves: Mapping[str, RiskCoverage],
    *,
    title: str | None = None,
    marks: Mapping[str, Mapping[str, float]] | None = None,
) -> None:
    """Draw how error falls, and accuracy rises, as less is answered.

    Between the points that thresholds reach, a line is the expectation when instances of equal certainty are accepted
    in random order. Left of the first point, where no threshold can go, it is thin; a curve of few points shows each
    as a dot. The thin dashed horizontal lines are the figures when everything is answered, grey where they are the same
    for all. What lies below a coverage of
    5 % may leave the frame.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots an inch), .pdf or .svg file. The same curves give the same bytes.
    curves : mapping of str to RiskCoverage
        By the name of the method.
    title : str, optional
    marks : mapping of str to mapping, optional
        By the name of the method, ``coverage`` and ``error`` that a chosen threshold reached, in [0, 1], such as
        `Figures.as_dict` gives; drawn as a circle unless NaN.

    Raises
    ------
    OptionError
        See `check_plot`; or there is no curve, or a mark is of none.
    OSError
        The file cannot be written.
    """
    kind = check_plot(path)
    marks = marks or {}
    if not curves:
        raise OptionError(f"{os.fspath(path)}: no curve to draw")
    if unknown := [label for label in marks if label not in curves]:
        raise OptionError(f"{os.fspath(path)}: a mark for '{unknown[0]}', of which there is no curve")
    _save(path, kind, lambda: _risk_coverage_figure(curves, title, marks))


def plot_calibration(
    path: str | os.PathLike[str], curves: Mapping[str, CalibrationCurve], *, title: str | None = None
) -> None:
    """Draw how often answers are right against how probable they are said to be, and how many there are of each.

    Left the reliability diagram: a dot a bin that has answers, at their mean probability and their accuracy, its area
    growing with their share. On the grey diagonal the probabilities are true, below it too high. Right the share of the
    answers in each bin.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots an inch), .pdf or .svg file. The same curves give the same bytes.
    curves : mapping of str to CalibrationCurve
        By the name of the method; see `wekaconf.evaluation.calibration.calibration_curve`.
    title : str, optional

    Raises
    ------
    OptionError
        See `check_plot`; or there is no curve.
    OSError
        The file cannot be written.
    """
    kind = check_plot(path)
    if not curves:
        raise OptionError(f"{os.fspath(path)}: no curve to draw")
    _save(path, kind, lambda: _calibration_figure(curves, title))


def _save(path: str | os.PathLike[str], kind: str, draw: Callable[[], Figure]) -> None:
    import matplotlib.style

    image = BytesIO()
    with matplotlib.style.context(["default", STYLE]):
        draw().savefig(image, format=kind, dpi=DPI, metadata=METADATA[kind])
    with atomic_write(path, "wb") as file:
        file.write(image.getvalue())


def _calibration_figure(curves: Mapping[str, CalibrationCurve], title: str | None) -> Figure:
    from matplotlib.lines import Line2D

    styles = _styles(curves)
    entries = {
        f"{label} (ECE {'–' if np.isnan(curve.ece) else f'{curve.ece:.4f}'})": Line2D([], [], **style)
        for (label, curve), style in zip(curves.items(), styles, strict=True)
    }
    entries["as often right as said"] = Line2D([], [], **DIAGONAL)
    figure, (reliability, shares) = _figure(entries, title)
    reliability.plot([0, 100], [0, 100], **DIAGONAL)
    for curve, style in zip(curves.values(), styles, strict=True):
        share = np.divide(curve.weight, curve.weight.sum(), where=curve.weight > 0, out=np.zeros(len(curve.weight)))
        counted = share > 0
        reliability.plot(100 * curve.confidence[counted], 100 * curve.accuracy[counted], **style)
        reliability.scatter(
            100 * curve.confidence[counted], 100 * curve.accuracy[counted], LEAST_DOT + LARGEST_DOT * share[counted],
            color=style["color"], linewidths=0, alpha=0.7, zorder=3,
        )  # fmt: skip
        shares.stairs(100 * share, 100 * curve.edges, **style, linewidth=LINE)
    reliability.set(
        xlabel="probability of the answer (%)", ylabel="correct among these answers (%)", xlim=(-2, 102),
        ylim=(-2, 102), xticks=range(0, 101, 20), yticks=range(0, 101, 20),
    )  # fmt: skip
    shares.set(
        xlabel="probability of the answer (%)", ylabel="share of all answers (%)", xlim=(-2, 102),
        xticks=range(0, 101, 20),
    )  # fmt: skip
    shares.set_ylim(bottom=0)
    return figure


def _styles(curves: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"color": colour, "linestyle": dash}
        for colour, dash, _ in zip(cycle(COLOURS), cycle(DASHES), curves, strict=False)
    ]


def _figure(entries: Mapping[str, Line2D], title: str | None) -> tuple[Figure, tuple[Axes, Axes]]:
    """Two axes side by side above a legend."""
    from matplotlib.figure import Figure

    n_columns = min(3, max(1, ROW_LENGTH // (max(map(len, entries)) + HANDLE_LENGTH)))
    n_rows = -(-len(entries) // n_columns)
    figure = Figure(figsize=(WIDTH, HEIGHT + ROW_HEIGHT * n_rows), layout="constrained")
    left, right = figure.subplots(1, 2)
    numbers = [str(place) for place in range(len(entries))]
    legend = figure.legend(entries.values(), numbers, loc="outside lower center", ncols=n_columns)
    for text, entry in zip(legend.get_texts(), entries, strict=True):
        text.set(text=entry, parse_math=False)
    if title is not None:
        figure.suptitle(title).set_parse_math(False)
    return figure, (left, right)


def _risk_coverage_figure(
    curves: Mapping[str, RiskCoverage], title: str | None, marks: Mapping[str, Mapping[str, float]]
) -> Figure:
    styles = _styles(curves)
    differ = len({curve.error[-1] for curve in curves.values() if len(curve)}) > 1
    figure, (risk, accuracy) = _figure(_legend_entries(curves, styles, has_marks=bool(marks)), title)
    for axes, percent in ((risk, _percent_wrong), (accuracy, _percent_correct)):
        for (label, curve), style in zip(curves.items(), styles, strict=True):
            if len(curve):
                axes.axhline(percent(curve.error[-1]), **WITHOUT_REJECTING, color=style["color"] if differ else GREY)
                _draw(axes, curve, percent, style)
            if label in marks:
                axes.plot(
                    100 * marks[label]["coverage"], percent(marks[label]["error"]), **CIRCLE, color=style["color"]
                )
        axes.set(xlabel="coverage: answered instances (%)", xlim=(0, 102), xticks=range(0, 101, 20))
    top = _top(curves, marks)
    risk.set(ylabel="error among the answered (%)", ylim=(-0.03 * top, 1.03 * top))
    accuracy.set(ylabel="accuracy among the answered (%)", ylim=(100 - 1.03 * top, 100 + 0.03 * top))
    return figure


def _legend_entries(
    curves: Mapping[str, RiskCoverage], styles: Sequence[Mapping[str, Any]], *, has_marks: bool
) -> dict[str, Line2D]:
    from matplotlib.lines import Line2D

    entries = {}
    for (label, curve), style in zip(curves.items(), styles, strict=True):
        area = f"{curve.aurc:.4f}" if len(curve) else "–"
        entries[f"{label} (AURC {area})"] = Line2D([], [], **style)
    entries["without rejecting"] = Line2D([], [], **WITHOUT_REJECTING, color=GREY)
    if has_marks:
        entries["chosen threshold"] = Line2D([], [], **CIRCLE, color=GREY)
    return entries


def _percent_wrong(error: Any) -> Any:
    return 100.0 * error


def _percent_correct(error: Any) -> Any:
    return 100.0 * (1.0 - error)


def _draw(axes: Axes, curve: RiskCoverage, percent: Callable[[Any], Any], style: Mapping[str, Any]) -> None:
    reached = curve.coverage
    shares = np.union1d(reached, np.linspace(reached[0], 1.0, 400))
    axes.plot(100 * shares, percent(curve.errors_at(shares)), **style)
    axes.plot([0, 100 * reached[0]], [percent(curve.error[0])] * 2, **style, linewidth=0.5)
    if len(curve) <= MOST_DOTS:
        axes.plot(100 * reached, percent(curve.error), color=style["color"], **DOT)


def _top(curves: Mapping[str, RiskCoverage], marks: Mapping[str, Mapping[str, float]]) -> float:
    """Upper end of the errors to show, in percent."""
    errors = [curve.error[curve.coverage >= NOISE] for curve in curves.values()]
    errors.append(np.array([mark["error"] for mark in marks.values()]))
    largest = float(np.fmax.reduce(np.concatenate(errors), initial=0.0))
    return min(100.0, 110.0 * largest) if largest > 0 else 1.0
