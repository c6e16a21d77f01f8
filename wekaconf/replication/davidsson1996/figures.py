"""Figure 2 of Davidsson 1996, and irrelevant attributes, drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from wekaconf.base.plot_style import COLUMN, line_styles, panels, save
from wekaconf.replication._runner import Record
from wekaconf.replication.davidsson1996.tables import lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AXES = {
    "figure 2": ("n_train", "training coins of each kind (synthetic)"),
    "section 4": ("n_irrelevant", "irrelevant attributes (iris)"),
}
"""The horizontal axis of each part: its key in the records, and its label."""


def figures(records: Sequence[Record]) -> dict[str, Callable[[str], Any]]:
    """The functions that draw the figures, by part."""
    drawers: dict[str, Callable[[str], Any]] = {}
    for part, (key, label) in AXES.items():
        known = lines(records, part=part, group="known")
        if known:
            drawers[part] = partial(_draw, known, key, label)
    return drawers


def _draw(known: dict[str, list[Record]], key: str, label: str, path: str) -> None:
    save(path, lambda: _figure(known, key, label))


def _figure(known: dict[str, list[Record]], key: str, label: str) -> Figure:
    from matplotlib.lines import Line2D
    from matplotlib.ticker import MaxNLocator

    curves = {name: line for name, line in known.items() if name != "ID3"}
    styles = {
        name: {"marker": "o", "markersize": 3, **style} for name, style in zip(curves, line_styles(curves), strict=True)
    }
    figure, (axes,) = panels(1, {name: Line2D([], [], **style) for name, style in styles.items()}, None, width=COLUMN)
    for name, line in curves.items():
        axes.plot([record[key] for record in line], [record["correct"] for record in line], **styles[name])
    axes.set(xlabel=label, ylabel="known answered correctly (%)", ylim=(0, 100))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure
