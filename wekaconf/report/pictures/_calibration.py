"""Reliability diagrams: the accuracy of answers against the probability that is given to them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import COLUMN, DIAGONAL, GREY, LINE, line_styles, panels, save
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.measures import CalibrationCurve
from wekaconf.methods.contract import display_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR: dict[str, Any] = {"linestyle": "-", "linewidth": 0.7}
SHARE_DOT: dict[str, Any] = {"linewidths": 0, "alpha": 0.7, "zorder": 3, "clip_on": False}
LEAST_DOT, LARGEST_DOT = 6, 90
"""Areas of dots in square points: of the dot for no answers, and the difference to the dot for all answers."""
SHOWN_SHARES = (0.01, 0.1, 0.5)
"""Shares of the answers whose dots the legend shows."""
HEIGHT, RATIOS = 4.2, (5, 2)
"""The height and the ratios of panels that stand below each other."""
Z = 1.959963984540054
"""Quantile of the normal distribution for a two-sided interval of 95 %."""


def plot_calibration(
    path: str | os.PathLike[str],
    curves: Mapping[str, CalibrationCurve],
    *,
    n_instances: float | None = None,
) -> None:
    """Draw how often answers are right against the probability given to their class, and how many there are per bin.

    Above, the reliability diagram: one dot per bin that has answers, at their mean probability and their
    accuracy, with an area that grows with their share, and with Wilson's interval of 95 % for the accuracy. On the grey
    diagonal the probabilities are true, below it they are too high. Below, the share of the answers in
    each bin.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same curves give the same bytes.
    curves : mapping of str to CalibrationCurve
        The curves by the name of the method; see `wekaconf.evaluation.measures.calibration_curve`.
    n_instances : float, optional
        Number of different instances behind a curve, from which the intervals are computed; the summed weight of the
        answers when left out. The two differ if instances are answered in several runs or have weights other than 1.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`; or there is no curve.
    OSError
        The file cannot be written.
    """
    if not curves:
        raise OptionError(f"{os.fspath(path)}: no curve to draw", value_of="path")
    save(path, lambda: _figure(curves, n_instances))


def wilson_interval(share: FloatArray, n: FloatArray) -> tuple[FloatArray, FloatArray]:
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


def _figure(curves: Mapping[str, CalibrationCurve], n_instances: float | None) -> Figure:
    from matplotlib.lines import Line2D

    styles = line_styles(curves)
    entries: dict[str, Any] = {
        f"{display_of(label)} (ECE {'–' if np.isnan(curve.ece) else f'{curve.ece:.4f}'})": Line2D([], [], **style)
        for (label, curve), style in zip(curves.items(), styles, strict=True)
    }
    entries["perfect calibration"] = Line2D([], [], **DIAGONAL)
    entries["95 % interval (Wilson)"] = Line2D([], [], color=GREY, marker="|", markersize=8, linestyle="none")
    entries[f"{', '.join(f'{100 * share:g}' for share in SHOWN_SHARES)} % of the answers"] = tuple(
        Line2D([], [], color=GREY, marker="o", markersize=_area(share) ** 0.5, markeredgewidth=0, linestyle="none")
        for share in SHOWN_SHARES
    )
    figure, (reliability, shares) = panels(2, entries, width=COLUMN, height=HEIGHT, ratios=RATIOS)
    _label_reliability(reliability)
    for curve, style in zip(curves.values(), styles, strict=True):
        total = curve.weight.sum()
        share = np.divide(curve.weight, total, where=curve.weight > 0, out=np.zeros(len(curve.weight)))
        shares.stairs(100 * share, 100 * curve.edges, **style, linewidth=LINE)
        _draw_reliability(reliability, curve, style, n_instances)
    shares.set(
        xlabel="probability of the answer (%)", ylabel="share (%)",
        xlim=(-2, 102), xticks=range(0, 101, 20),
    )  # fmt: skip
    shares.set_ylim(bottom=0)
    return figure


def _label_reliability(axes: Axes) -> None:
    """Label the axes of a reliability diagram, and draw the diagonal on which probabilities are true."""
    axes.plot([0, 100], [0, 100], **DIAGONAL)
    axes.set(
        xlabel="probability of the answer (%)", ylabel="correct among these answers (%)", xlim=(-2, 102),
        ylim=(-2, 102), xticks=range(0, 101, 20), yticks=range(0, 101, 20),
    )  # fmt: skip


def _draw_reliability(axes: Axes, curve: CalibrationCurve, style: Mapping[str, Any], n_instances: float | None) -> None:
    """Draw the dots and intervals of a reliability diagram; see `plot_calibration`."""
    total = curve.weight.sum()
    counted = curve.weight > 0
    share = curve.weight[counted] / total
    confidence, accuracy = curve.confidence[counted], curve.accuracy[counted]
    (line,) = axes.plot(100 * confidence, 100 * accuracy, **style)
    low, high = wilson_interval(accuracy, share * (total if n_instances is None else n_instances))
    axes.vlines(100 * confidence, 100 * low, 100 * high, colors=line.get_color(), **BAR)
    axes.scatter(100 * confidence, 100 * accuracy, _area(share), color=line.get_color(), **SHARE_DOT)


def _area(share: Any) -> Any:
    """Area, in square points, of the dot for a share of the answers."""
    return LEAST_DOT + LARGEST_DOT * share
