"""The error of answers as they come, with the error that was promised."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wekaconf.base.plot_style import COLUMN, GREY, LINE, panels, save
from wekaconf.data.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_running_error(
    path: str | os.PathLike[str], row: FloatArray, error: FloatArray, low: FloatArray, high: FloatArray, target: float
) -> None:
    """Draw the error of all answers so far against the row, with its interval of 95 % and the error that is promised.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file.
    row, error, low, high : (n_answered,) float64
        See `wekaconf.evaluation.promise_check.running_error`; at least one answer.
    target : float
        In [0, 1].

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`.
    OSError
        The file cannot be written.
    """
    save(path, lambda: _figure(row, error, low, high, target))


def _figure(row: FloatArray, error: FloatArray, low: FloatArray, high: FloatArray, target: float) -> Figure:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries = {
        "error of the answers so far": Line2D([], [], color="black", linewidth=LINE),
        f"promised: at most {100 * target:g} %": Line2D([], [], color="black", linewidth=LINE, linestyle="--"),
        "interval of 95 %, for each row by itself": Patch(color=GREY, alpha=0.3, linewidth=0),
    }
    figure, (axes,) = panels(1, entries, None, width=COLUMN)
    axes.fill_between(row, 100 * low, 100 * high, color=GREY, alpha=0.3, linewidth=0)
    axes.plot(row, 100 * error, color="black", linewidth=LINE)
    axes.axhline(100 * target, color="black", linestyle="--", linewidth=LINE)
    axes.set_xlabel("row of the file")
    axes.set_ylabel("wrong answers, %")
    axes.set_ylim(0, min(100.0, 1.1 * max(100 * high[len(high) // 10 :].max(), 200 * target)))
    return figure
