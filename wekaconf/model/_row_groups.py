"""The groups of rows in which errors may gather: the leaves of a tree, and the values or ranges of each column."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from wekaconf.base.naming import shown
from wekaconf.data import Attribute, Dataset
from wekaconf.data.arrays import BoolArray, FloatArray
from wekaconf.data.wording import cells
from wekaconf.tree import Forest, TreeMirror, all_conditions

MOST_VALUES = 10
"""Up to so many distinct numbers are a group each; more are divided at their quartiles."""


def groups_of_columns(data: Dataset) -> dict[str, BoolArray]:
    """The rows of each value or range of each column, but of the class and of texts; and those without a value."""
    groups: dict[str, BoolArray] = {}
    for column, attribute in enumerate(data.attributes):
        if column == data.header.class_index or attribute.kind in ("string", "relational"):
            continue
        values, name = data.values[:, column], shown(attribute.name)
        is_missing = np.isnan(values)
        if attribute.name in data.unseen:
            unseen = data.unseen[attribute.name]
            is_missing[unseen.rows] = False
            for text in np.unique(unseen.texts).tolist():
                rows = np.zeros(len(data), dtype=np.bool_)
                rows[unseen.rows[unseen.texts == text]] = True
                groups[f"{name} = {shown(text)}"] = rows
        ranges = _values if attribute.is_nominal else _ranges
        groups |= {f"{name} {text}": rows for text, rows in ranges(attribute, values)}
        groups[f"{name} missing"] = is_missing
    return groups


def groups_of_leaves(tree: TreeMirror | Forest, data: Dataset) -> dict[str, BoolArray]:
    """The rows of each leaf; a row that a missing value divides among several is in that of its largest part."""
    if isinstance(tree, Forest):
        return {}
    row, node, share = tree.router.paths(data.values)
    order = np.lexsort((-share, row))
    leaf = node[order[np.searchsorted(row[order], np.arange(len(data)))]]
    return {f"leaf {all_conditions(tree, each)}": leaf == each for each in np.unique(leaf).tolist()}


def _values(attribute: Attribute, values: FloatArray) -> Iterator[tuple[str, BoolArray]]:
    for place in np.unique(values[~np.isnan(values)]).tolist():
        yield f"= {shown(attribute.values[int(place)])}", values == place


def _ranges(attribute: Attribute, values: FloatArray) -> Iterator[tuple[str, BoolArray]]:
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) <= MOST_VALUES:
        for value, text in zip(distinct.tolist(), cells(attribute, *distinct.tolist()), strict=True):
            yield f"= {text}", values == value
        return
    quartiles = np.unique(np.quantile(values[~np.isnan(values)], [0.25, 0.5, 0.75], method="inverted_cdf"))
    texts = cells(attribute, *quartiles.tolist())
    yield f"<= {texts[0]}", values <= quartiles[0]
    for (low, low_text), (high, high_text) in pairwise(zip(quartiles.tolist(), texts, strict=True)):
        yield f"> {low_text} and <= {high_text}", (values > low) & (values <= high)
    yield f"> {texts[-1]}", values > quartiles[-1]
