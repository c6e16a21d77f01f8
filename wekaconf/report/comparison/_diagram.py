"""The critical difference diagram: mean ranks over data sets, with bars over ranks not shown to differ.

That of scikit-posthocs squeezes the axis to nothing between names as long as ours in a column's width, and would bring
pandas, seaborn and statsmodels to every table; here the names stand on one side, in black.
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import LEGEND_SIZE, save, text_width
from wekaconf.evaluation.statistics import FriedmanTest
from wekaconf.methods.contract import display_of
from wekaconf.report.comparison._compared import ComparisonFigures
from wekaconf.report.printing import IN_NAMES, fold

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, MARGIN = 3.35, 0.06
"""Inches: one column of a paper, and the margin at either side."""
NAME_WIDTH = 1.75
"""Inches to which the name of a scheme is folded."""
ABOVE, BELOW, LINE, BETWEEN, BAR_GAP = 0.52, 0.26, 0.115, 0.045, 0.075
"""Inches: the space above the axis and below the last name, a line of a name, the gaps between names and bars."""
NOTE_SIZE = 6


def draw_ranks(path: str | os.PathLike[str], compared: ComparisonFigures) -> None:
    """Draw the mean ranks of the methods over the data sets, one column of a paper wide.

    A bar joins methods not shown to differ by Nemenyi's test; the length of the critical difference stands above the
    axis. Black on white: nothing depends on colours.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same comparison gives the same bytes.
    compared : ComparisonFigures

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`; or there are fewer than two methods, or fewer than two data sets on
        which all of them have a value.
    OSError
        The file cannot be written.

    References
    ----------
    J. Demšar (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7, 1-30, Fig. 1.
    """
    if math.isnan(compared.ranks.critical_difference):
        raise OptionError(
            f"{os.fspath(path)}: a critical difference diagram needs two methods, and two data sets on which all have "
            f"a value; got {len(compared.schemes)} and {compared.ranks.n_sets}",
            value_of="path",
        )
    save(path, lambda: _figure(compared))


def rank_groups(ranks: FriedmanTest, level: float) -> list[tuple[int, int]]:
    """The largest groups of schemes of which no two differ by Nemenyi's test.

    Returns
    -------
    list of (first, last)
        Places in the order of the mean ranks; only groups of two or more.
    """
    order = np.argsort(ranks.mean_ranks, kind="stable")
    alike = ranks.nemenyi[np.ix_(order, order)] > level
    ends: list[tuple[int, int]] = []
    for first, row in enumerate(alike):
        last = int(np.flatnonzero(row)[-1])
        if last > first and (not ends or last > ends[-1][1]):
            ends.append((first, last))
    return ends


def _figure(compared: ComparisonFigures) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    ranks = compared.ranks
    order = np.argsort(ranks.mean_ranks, kind="stable")
    values = ranks.mean_ranks[order]
    names = [_folded(f"{display_of(compared.schemes[i])}  {ranks.mean_ranks[i]:.2f}") for i in order]
    label_width = max(text_width(line, LEGEND_SIZE) for lines in names for line in lines) / 72 + MARGIN + 0.08
    levels = _levels([(values[first], values[last]) for first, last in rank_groups(ranks, compared.level)])
    depth = BAR_GAP * (len(levels) + 1)
    centres = []
    for lines in names:
        height = LINE * len(lines)
        centres.append(depth + height / 2)
        depth += height + BETWEEN
    total = ABOVE + depth + BELOW
    figure = Figure(figsize=(WIDTH, total))
    axes = figure.add_axes((label_width / WIDTH, 0, 1 - (label_width + 2 * MARGIN) / WIDTH, 1))
    low, high = math.floor(values[0]), math.ceil(max(values[-1], values[0] + ranks.critical_difference))
    axes.set(xlim=(low, max(high, low + 1)), ylim=(-depth - BELOW, ABOVE))
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.spines["top"].set(visible=True, position=("data", 0.0))
    axes.xaxis.set_ticks_position("top")
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.tick_params(axis="x", pad=1)
    axes.yaxis.set_visible(False)
    for value, lines, centre in zip(values, names, centres, strict=True):
        axes.plot([low, value, value], [-centre, -centre, 0], color="black", linewidth=0.6, clip_on=False)
        axes.plot([value], [0], "o", color="black", markersize=3, clip_on=False, zorder=4)
        axes.annotate(
            "\n".join(lines), (low, -centre), (-3, 0), textcoords="offset points", ha="right", va="center",
            fontsize=LEGEND_SIZE, linespacing=1.1, parse_math=False,
        )  # fmt: skip
    for place, bars in enumerate(levels, 1):
        for left, right in bars:
            axes.plot([left, right], [-BAR_GAP * place] * 2, color="black", linewidth=2.2, solid_capstyle="round",
                      clip_on=False, zorder=3)  # fmt: skip
    start, end, height = values[0], values[0] + ranks.critical_difference, 0.27
    axes.plot([start, start, start, end, end, end], height + np.array([-0.025, 0.025, 0, 0, 0.025, -0.025]),
              color="black", linewidth=0.8, clip_on=False)  # fmt: skip
    distance = f"CD = {ranks.critical_difference:.2f}"
    axes.annotate(distance, ((start + end) / 2, height + 0.05), ha="center", va="bottom")
    how = f"(Nemenyi, level {compared.level:g}, {ranks.n_sets} data sets)"
    note = f"1 is best; a bar joins methods not shown to differ\n{how}"
    figure.text(0.5, 0.04 / total, note, ha="center", va="bottom", fontsize=NOTE_SIZE)
    return figure


def _folded(name: str) -> list[str]:
    """The name folded into lines of at most `NAME_WIDTH`."""
    n_characters = len(name)
    while max(text_width(line, LEGEND_SIZE) for line in fold(name, n_characters, IN_NAMES)) > 72 * NAME_WIDTH:
        n_characters -= 1
    return fold(name, n_characters, IN_NAMES)


def _levels(bars: list[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    """The bars in rows, such that those of a row do not touch."""
    rows: list[list[tuple[float, float]]] = []
    for bar in bars:
        row = next((row for row in rows if row[-1][1] < bar[0]), None)
        if row is None:
            rows.append([bar])
        else:
            row.append(bar)
    return rows
