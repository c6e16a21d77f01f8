"""A data set as notebooks show it."""

from __future__ import annotations

import math
from html import escape

import numpy as np
from numpy.typing import NDArray

from wekaconf.data._header import Attribute, Header

MOST_ROWS, MOST_COLUMNS = 10, 20
"""The largest numbers of instances and attributes in the table."""


def html_table(header: Header, values: NDArray[np.float64]) -> str:
    """The first instances and attributes as an HTML table, escaped."""
    shown = header.attributes[:MOST_COLUMNS]
    heads = "".join(
        f"<th>{escape(attribute.name)}<br><small>{'class' if column == header.class_index else attribute.kind}</small>"
        "</th>"
        for column, attribute in enumerate(shown)
    )
    rows = ""
    for number, row in enumerate(values[:MOST_ROWS].tolist()):
        cells = "".join(f"<td>{escape(_text(*cell))}</td>" for cell in zip(shown, row, strict=False))
        rows += f"<tr><th>{number}</th>{cells}</tr>"
    size = f"{len(values)} instances, {len(header.attributes)} attributes"
    return (
        f"<table><caption>{escape(header.relation)}: {size}</caption>"
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _text(attribute: Attribute, cell: float) -> str:
    if math.isnan(cell):
        return "?"
    if attribute.is_indexed:
        return attribute.values[int(cell)]
    if attribute.kind == "date" and abs(cell) < 8e15:
        return str(np.datetime64(int(cell), "ms"))
    return f"{cell:g}"
