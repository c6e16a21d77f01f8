"""The error of answers as they come, with the error that was promised."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from wekaconf.base.plot_style import COLUMN, GREY, LINE, panels, save
from wekaconf.data.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MOST_MARKED = 60
"""The largest number of answers of which each wrong one is marked."""
ROOM = 3.0
"""How far below 0 the axis of the error begins, in percent of its length, so that a line at 0 is seen."""


def plot_running_error(
    path: str | os.PathLike[str], row: FloatArray, error: FloatArray, low: FloatArray, high: FloatArray,
    target: float | None,
) -> None:  # fmt: skip
    """Draw the error of all answers so far against the row, with its interval of 95 % and the error that is promised.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file.
    row, error, low, high : (n_answered,) float64
        See `wekaconf.evaluation.checks.running_error`; at least one answer.
    target : float or None
        In [0, 1]; None: nothing is promised.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`.
    OSError
        The file cannot be written.
    """
    save(path, lambda: _figure(row, error, low, high, target))


def _figure(row: FloatArray, error: FloatArray, low: FloatArray, high: FloatArray, target: float | None) -> Figure:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.ticker import MaxNLocator

    is_wrong = np.diff(np.rint(error * np.arange(1, len(error) + 1)), prepend=0.0) > 0
    marks_wrong = len(row) <= MOST_MARKED
    entries: dict[str, Line2D | Patch] = {"error of the answers so far": Line2D([], [], color="black", linewidth=LINE)}
    if marks_wrong:
        entries["a wrong answer"] = Line2D([], [], color="black", marker="x", linestyle="")
    if target is not None:
        promised = Line2D([], [], color="black", linewidth=LINE, linestyle="--")
        entries[f"promised: at most {100 * target:g} %"] = promised
    entries["interval of 95 %, for each row by itself"] = Patch(color=GREY, alpha=0.3, linewidth=0)
    figure, (axes,) = panels(1, entries, width=COLUMN)
    axes.fill_between(row, 100 * low, 100 * high, color=GREY, alpha=0.3, linewidth=0, step="post")
    axes.plot(row, 100 * error, color="black", linewidth=LINE, drawstyle="steps-post")
    if marks_wrong:
        axes.plot(row[is_wrong], 100 * error[is_wrong], color="black", marker="x", linestyle="")
    if target is not None:
        axes.axhline(100 * target, color="black", linestyle="--", linewidth=LINE)
    axes.set_xlabel("row with a known class, in the order of the file")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlim(0.5, row[-1] + 0.5)
    axes.set_ylabel("wrong answers, %")
    top = min(100.0, 1.1 * max(100 * high[len(high) // 10 :].max(), 200 * (target or 0.0)))
    axes.set_ylim(-ROOM / 100 * top, top)
    return figure
