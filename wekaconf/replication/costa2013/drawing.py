"""Figures 4 to 6 of Costa et al. 2013: TPCE against its rivals, a point per data set."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wekaconf.base import plot_style
from wekaconf.base.plot_style import COLOURS
from wekaconf.replication._runner import Record
from wekaconf.replication.costa2013.comparing import methods_of, of_first_seed
from wekaconf.replication.costa2013.findings import NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_rivals(path: str | os.PathLike[str], records: Sequence[Record], *, number: int, measure: str) -> None:
    """Draw TPCE's figure against that of each rival; the line spans the seeds of the bags.

    Parameters
    ----------
    path : path
        A .png, .pdf or .svg file.
    records : sequence of mappings
        See `wekaconf.replication.costa2013.measurement.measure`.
    number : int
        Number of the paper's figure.
    measure : str
    """

    def draw() -> Figure:
        from matplotlib.lines import Line2D

        rivals = methods_of(measure)[1:]
        dots: dict[str, Any] = {"color": COLOURS[0], "marker": "o", "markersize": 2.5, "linestyle": ""}
        span: dict[str, Any] = {"color": COLOURS[1], "linewidth": 1}
        entries = {
            "a data set, first seed": Line2D([], [], **dots),
            "other seeds of the bags": Line2D([], [], **span),
            "equal": Line2D([], [], color=plot_style.GREY, linewidth=0.6),
        }
        if len({record["seed"] for record in records}) == 1:
            entries = {"a data set": entries["a data set, first seed"], "equal": entries["equal"]}
        figure, axes = plot_style.panels(
            len(rivals), entries, f"Costa et al. 2013, Figure {number}, on other data sets: {NAMES[measure]}"
        )
        tpce = {r["dataset"]: r[measure] for r in of_first_seed(records) if r["method"] == "tpce"}
        measured = [r for r in records if r["method"] in methods_of(measure) and r[measure] is not None]
        low, high = (extreme(r[measure] for r in measured) for extreme in (min, max))
        margin = 0.05 * (high - low) or 0.05
        for panel, rival in zip(axes, rivals, strict=True):
            theirs: dict[str, list[float]] = {}
            for record in measured:
                if record["method"] == rival and tpce[record["dataset"]] is not None:
                    theirs.setdefault(record["dataset"], []).append(record[measure])
            for name, values in theirs.items():
                panel.plot([min(values), max(values)], [tpce[name]] * 2, **span)
            panel.plot([values[0] for values in theirs.values()], [tpce[name] for name in theirs], **dots)
            panel.axline((low, low), slope=1, color=plot_style.GREY, linewidth=0.6, zorder=0)
            limits = low - margin, high + margin
            panel.set(xlabel=NAMES[rival], xlim=limits, ylim=limits, aspect="equal")
        axes[0].set_ylabel("TPCE")
        return figure

    plot_style.save(path, draw)
