"""What is said about a table whose attributes were inferred: a summary, and advice on columns that look odd."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.cells import is_number
from wekaconf.data.dataset import Dataset
from wekaconf.data.header import Attribute
from wekaconf.errors import tell

FEW_ROWS = 20
"""Fewer rows say nothing about a column."""
NEARLY_ALL = 0.95
"""The share of rows with a value of their own from which a column seems to number them."""
MANY_VALUES = 50
"""More distinct texts than this are noted."""
MOST_STRAYS = 2
"""A column of numbers with at most so many texts among them is noted."""
_NAMED_SO = re.compile(
    r"(^|[\W_])(id|ids|nr|no|number|index|key|uuid|code)($|[\W_])|^unnamed|^column 1$", re.IGNORECASE
)


def note_columns(path: str, data: Dataset) -> None:
    """Tell, with a `Note` each, of columns that seem to be identifiers, free text, or numbers with texts among them."""
    for column, attribute in enumerate(data.attributes):
        if column == data.class_index:
            continue
        cells = data.values[:, column]
        known = cells[~np.isnan(cells)]
        advice = f"ignore={[attribute.name]} leaves it out, id={attribute.name!r} keeps it for the output"
        if attribute.is_nominal:
            strays = _strays(attribute)
            if strays:
                shown = " and ".join(f"'{stray}'" for stray in strays)
                tell(
                    f"{path}: '{attribute.name}' holds numbers, but for {shown}, so it is read as text; "
                    f"na={strays} makes {'these' if len(strays) > 1 else 'this'} missing"
                )
            elif len(known) >= FEW_ROWS and len(attribute.values) >= NEARLY_ALL * len(known):
                tell(f"{path}: nearly every row has a text of its own in '{attribute.name}'; {advice}")
            elif len(attribute.values) > MANY_VALUES:
                tell(f"{path}: '{attribute.name}' has {len(attribute.values)} distinct texts; {advice}")
        elif attribute.kind == "numeric" and _numbers_rows(attribute.name, known):
            tell(f"{path}: '{attribute.name}' nearly numbers the rows; {advice}")


def _strays(attribute: Attribute) -> list[str]:
    """The few texts of an attribute whose other values are numbers."""
    strays = [value for value in attribute.values if not is_number(value)]
    return strays if 0 < len(strays) <= MOST_STRAYS and len(attribute.values) >= 2 * len(strays) + 3 else []


def _numbers_rows(name: str, known: NDArray[np.float64]) -> bool:
    """Whether whole numbers are nearly all distinct, and ascend, leave few gaps, or are named as an identifier is."""
    if len(known) < FEW_ROWS or (np.floor(known) != known).any():
        return False
    distinct = np.unique(known)
    if len(distinct) < NEARLY_ALL * len(known):
        return False
    leaves_few_gaps = distinct[-1] - distinct[0] < 1.2 * len(known)
    return bool(leaves_few_gaps or (np.diff(known) > 0).all() or _NAMED_SO.search(name))


def summary(data: Dataset, beginning: str, left_out: Sequence[str]) -> tuple[str, ...]:
    """What was inferred about a table, in about three lines.

    Parameters
    ----------
    data : Dataset
    beginning : str
        The file and its size.
    left_out : sequence of str
        Columns that are no attributes.
    """
    others = [attribute for column, attribute in enumerate(data.attributes) if column != data.class_index]
    target = ""
    if data.class_index >= 0:
        attribute = data.header.class_attribute
        target = f"; class '{attribute.name}'" + (
            f": {_listed(attribute.values)}" if attribute.is_nominal else f", {attribute.kind}"
        )
    kinds = []
    for kind in ("numeric", "nominal", "date"):
        names = [
            f"'{attribute.name}'" + (f" ({len(attribute.values)} values)" if kind == "nominal" else "")
            for attribute in others
            if attribute.kind == kind
        ]
        if names:
            kinds.append(f"{len(names)} {kind}: {_listed(names)}")
    n_missing = int(np.isnan(data.values).sum())
    is_missing_in = int(np.isnan(data.values).any(axis=0).sum())
    gaps = f"missing: {n_missing} cells in {is_missing_in} columns" if n_missing else "missing: none"
    out = "; left out: " + _listed([f"'{name}'" for name in left_out]) if left_out else ""
    return beginning + target, "; ".join(kinds) or "no columns beside the class", gaps + out


def _listed(names: Sequence[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
