"""Answers with the record of a tree, in plain Python; an exported module holds this code."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def answer_of(tree: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """The answer for a row.

    Parameters
    ----------
    tree : mapping
        The record of the tree.
    row : mapping of str to values
        A value for each column that the tree tests: a number, for a date the milliseconds since 1970 in UTC, or the
        text of a nominal value. None, NaN, empty text, "?" and nominal values that training did not have are missing;
        the ``fill`` of the column, where it has one, stands for these.

    Returns
    -------
    dict
        ``predicted``, a class; ``certainty``; ``rejected``, None without a threshold; ``distribution``, by class.

    Raises
    ------
    KeyError
        The row lacks a column.
    """
    proba = distribution(tree, [cell_of(column, row[column["name"]]) for column in tree["columns"]])
    units = [round(p * 1e12) for p in proba]
    best = units.index(max(units))
    certainty = max(0.0, *proba)
    rejected = None
    if tree["thresholds"] is not None:
        threshold = float(tree["thresholds"][best])
        rejected = certainty < threshold or threshold == math.inf
    names = tree["classes"]
    return {
        "predicted": names[best],
        "certainty": certainty,
        "rejected": rejected,
        "distribution": dict(zip(names, proba, strict=True)),
    }


def cell_of(column: Mapping[str, Any], value: Any) -> float | None:
    """A number, or the index of a nominal value; None if it is missing."""
    fill = column.get("fill")
    if column["kind"] == "nominal":
        known = value if value in column["values"] else fill
        return None if known is None else column["values"].index(known)
    if value is None or value in ("", "?") or math.isnan(float(value)):
        return None if fill is None else float(fill)
    return float(value)


def distribution(tree: Mapping[str, Any], cells: list[float | None]) -> list[float]:
    """The probability of each class."""
    nodes = tree["nodes"]
    parts, waiting, is_divided = [], [(0, 1.0)], False
    while waiting:
        at, share = waiting.pop()
        node = nodes[at]
        while "branches" in node and (cell := cells[node["column"]]) is not None:
            node = nodes[node["branches"][branch_of(node, cell)]]
        if "answer" in node:
            parts.append((node, share))
            continue
        is_divided = True
        pairs = zip(node["branches"], node["shares"], strict=True)
        waiting += [(child, share * part) for child, part in pairs if part > 0]
    if not is_divided:
        return list(parts[0][0]["answer"])
    kind = "part" if tree["division"] == "counts" else "answer"
    sums = [math.fsum(share * node[kind][c] for node, share in parts) for c in range(len(tree["classes"]))]
    if tree["division"] == "counts":
        sums = [weight + tree["correction"] for weight in sums]
    total = {"sum": 1.0, "mean": math.fsum(share for _, share in parts), "counts": math.fsum(sums)}[tree["division"]]
    return [weight / total for weight in sums]


def branch_of(node: Mapping[str, Any], cell: float) -> int:
    """The branch that a value takes."""
    if node["operator"] == "bins":
        cell = sum(float(point) < cell for point in node["points"])
    if node["operator"] in ("in", "bins"):
        return int(node["branch_of_value"][int(cell)])
    if node["point"] is None:
        return 1
    point = float(node["point"])
    return int(not (cell < point if node["operator"] == "<" else cell <= point))
