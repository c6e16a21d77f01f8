"""Drawing of Figure 3 of Wang and Zhang 2006."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wekaconf.base import plot_style
from wekaconf.base.plot_style import COLOURS
from wekaconf.replication._cells import Published
from wekaconf.replication._runner import Record

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_iterations(path: str | os.PathLike[str], records: Sequence[Record], cells: Sequence[Published]) -> None:
    """Draw AUC against the number of iterations of Algorithm DIW, and the two points that the paper gives in words.

    Parameters
    ----------
    path : path
        A .png, .pdf or .svg file.
    records : sequence of dict
        See `wekaconf.replication.wang2006.measurement.measure_iterations`.
    cells : sequence of Published
        The published points of Figure 3.
    """

    def draw() -> Figure:
        from matplotlib.lines import Line2D

        readings = list(dict.fromkeys(record["reading"] for record in records))
        styles = plot_style.line_styles(readings)
        dots: dict[str, Any] = {"color": COLOURS[6], "marker": "x", "linestyle": ""}
        entries = {f"C45-C, {reading} reading": Line2D([], [], **style)
                   for reading, style in zip(readings, styles, strict=True)}  # fmt: skip
        entries["published"] = Line2D([], [], **dots)
        figure, (axes,) = plot_style.panels(1, entries, "Wang and Zhang 2006, Figure 3: vehicle")
        for reading, style in zip(readings, styles, strict=True):
            points = [(r["iterations"], r["measured"]) for r in records if r["reading"] == reading]
            axes.plot(*zip(*points, strict=True), **style)
        axes.plot(*zip(*[(int(cell.column.split()[0]), cell.value) for cell in cells], strict=True), **dots)
        axes.set(xscale="log", xlabel="Iterations of Algorithm DIW", ylabel="AUC (auc_wang2006), %")
        return figure

    plot_style.save(path, draw)
