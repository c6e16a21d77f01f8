"""Figure 1 of Davidsson 1996: discriminative against characteristic descriptions, on iris."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from wekaconf.base.plot_style import COLOURS, COLUMN, panels, save
from wekaconf.data import Dataset
from wekaconf.methods.characteristic import ID3Max
from wekaconf.methods.contract import Method
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model import scheme
from wekaconf.replication._data_files import load_set
from wekaconf.replication._study import Illustration
from wekaconf.report.pictures import (
    MAP_HEIGHT,
    POINT,
    Section,
    draw_points,
    draw_section,
    entries_of,
    marker_of,
    plane_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

IRIS = "iris"
PLANE = 2, 3
"""Length and width of the petals."""
UNKNOWN = 1
"""The class that is not learned: versicolor, which lies between the others."""


def _draw(path: str, file: str, *, is_characteristic: bool) -> None:
    data = load_set(IRIS, file)
    flat = data.without([name for i, name in enumerate(_names(data)) if i not in (*PLANE, data.class_index)])
    known = flat.take(flat.class_values != UNKNOWN)
    tree = scheme.learner_for(ID3Max(), None).grow(known)
    method = (ID3Max() if is_characteristic else LeafFrequency()).fit(tree, known)
    save(path, lambda: _figure(method, flat))


def _figure(method: Method, data: Dataset) -> Figure:
    from matplotlib.lines import Line2D

    columns = (0, 1)
    _, extent = plane_of(method.tree_, data, *_names(data)[:2])
    section = Section.of(method, columns, extent, np.full(len(data.attributes), np.nan))
    colours = dict(enumerate(COLOURS[:3]))
    learned = {c: colour for c, colour in colours.items() if c != UNKNOWN}
    entries = entries_of(data.header, learned, has_points=True, threshold=method.threshold)
    point = Line2D([], [], color=colours[UNKNOWN], marker=marker_of(UNKNOWN), **POINT)
    entries[f"{data.class_names[UNKNOWN]}, not learned"] = point
    figure, (axes,) = panels(1, entries, width=COLUMN, height=MAP_HEIGHT)
    draw_section(axes, section, colours, threshold=method.threshold)
    draw_points(axes, columns, data, colours, len(data))
    return figure


def _names(data: Dataset) -> list[str]:
    return [attribute.name for attribute in data.attributes]


ILLUSTRATIONS = {
    "figure 1 discriminative": Illustration(partial(_draw, is_characteristic=False), IRIS),
    "figure 1 characteristic": Illustration(partial(_draw, is_characteristic=True), IRIS),
}
