"""``.json``: the tree as a record, whose schema is published in docs/assets/exported-tree.schema.json."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from wekaconf.data.columns import DATE_FORMAT
from wekaconf.data.header import Attribute
from wekaconf.model.export.exported_tree import LEFT_OUT, ExportedTree, Node

FORMAT = 2


def json_text(tree: ExportedTree) -> str:
    """The record as JSON, one node per line."""
    whole = record(tree)
    lines = [json.dumps(node, ensure_ascii=False, allow_nan=False) for node in whole.pop("nodes")]
    head = json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=1)[:-2]
    return head + ',\n "nodes": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


def record(tree: ExportedTree) -> dict[str, Any]:
    """The tree as JSON types; infinite numbers are the texts Infinity and -Infinity."""
    return {
        "format": FORMAT,
        "made_by": f"wekaconf {version('wekaconf')}",
        "relation": tree.header.relation,
        "learner": tree.learner,
        "method": tree.method,
        "left_out": list(LEFT_OUT),
        "class": tree.header.class_attribute.name,
        "classes": list(tree.class_names),
        "thresholds": None if tree.thresholds is None else _numbers(tree.thresholds),
        "savings": None if tree.savings is None else [list(row) for row in tree.savings],
        "division": tree.division,
        "correction": tree.correction,
        "columns": [*map(_column, tree.columns, tree.fills)],
        "nodes": [_node(node, has_parts=tree.division == "counts") for node in tree.nodes],
    }


def _column(column: Attribute, fill: float) -> dict[str, Any]:
    parts: dict[str, Any] = {"name": column.name, "kind": column.kind}
    parts |= {"values": list(column.values)} if column.is_nominal else {}
    parts |= {"iso_texts": column.date_format == DATE_FORMAT} if column.kind == "date" else {}
    if math.isnan(fill):
        return parts
    return parts | {"fill": column.values[int(fill)] if column.is_nominal else _number(fill)}


def _node(node: Node, *, has_parts: bool) -> dict[str, Any]:
    split = node.split
    parts: dict[str, Any] = {}
    if split is not None:
        parts = {"column": split.column, "operator": split.operator}
        if split.operator in ("<", "<="):
            parts |= {"point": _number(split.point)}
        else:
            parts |= {"points": _numbers(split.points)} if split.operator == "bins" else {}
            parts |= {"branch_of_value": list(split.branch_of_value)}
        parts |= {"branches": list(split.branches), "shares": _numbers(split.shares)}
    answer = {"answer": list(node.answer)} if node.answer else {}
    return {**parts, **answer, **({"part": list(node.part)} if has_parts and node.part else {})}


def _numbers(numbers: Iterable[float]) -> list[float | str | None]:
    return [_number(value) for value in numbers]


def _number(value: float) -> float | str | None:
    """The number as JSON can hold it; None for NaN."""
    if math.isfinite(value):
        return value
    return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
