"""Answers with the record of a tree, in plain Python; an exported module holds this code."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from wekaconf.data.cells import BOOLEANS, is_number
from wekaconf.data.declared_values import places_meant
from wekaconf.data.table_files.base import MISSING

ISO = r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?[0-5]\d)?)?)?"
"""The texts that are dates."""


def answer_of(tree: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """The answer for a row.

    Parameters
    ----------
    tree : mapping
        The record of the tree.
    row : mapping of str to values
        A cell for each column that the tree tests. None, NaN, texts such as "" and "?", and nominal values that
        training did not have are missing; the ``fill`` of the column, where it has one, stands for these. See
        `place_of` for nominal values, `number_of` for numbers, and `instant_of` for dates.

    Returns
    -------
    dict
        ``predicted``, a class; ``certainty``; ``rejected``, None without a threshold; ``distribution``, by class.

    Raises
    ------
    KeyError
        The row lacks a column.
    ValueError
        A cell cannot be read.
    """
    proba = distribution(tree, [cell_of(column, row[column["name"]]) for column in tree["columns"]])
    scores = proba if tree["savings"] is None else expected(tree["savings"], proba)
    units = [round(score * 1e12) for score in scores]
    best = units.index(max(units))
    certainty = max(0.0, *scores)
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


def expected(savings: Sequence[Sequence[float]], proba: Sequence[float]) -> list[float]:
    """The share of the largest cost that each answer is expected to save."""
    scores = [0.0] * len(proba)
    for p, saved in zip(proba, savings, strict=True):
        scores = [score + p * share for score, share in zip(scores, saved, strict=True)]
    return scores


def cell_of(column: Mapping[str, Any], value: Any) -> float | None:
    """A number, or the index of a nominal value; None if it is missing."""
    fill, values = column.get("fill"), column.get("values", [])
    try:
        cell = None if is_missing(value) else known_cell(column, value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"column {column['name']!r}: {error}") from None
    if cell is None or math.isnan(cell):
        return None if fill is None else values.index(fill) if column["kind"] == "nominal" else float(fill)
    return cell


def is_missing(value: Any) -> bool:
    """Whether a cell is None, NaN, or what pandas and numpy have in its place."""
    return value is None or (not isinstance(value, str) and str(value) in ("nan", "NaN", "NaT", "<NA>"))


def known_cell(column: Mapping[str, Any], value: Any) -> float | None:
    """A cell that holds something, as a number; None or NaN if that means a missing value."""
    if column["kind"] == "nominal":
        return place_of(column["values"], value)
    if isinstance(value, str) and value.strip() in MISSING:
        return None
    return instant_of(value, reads_texts=column["iso_texts"]) if column["kind"] == "date" else number_of(value)


def place_of(values: Sequence[str], value: Any) -> int | None:
    """The place of the declared value that a cell means, as `places_meant` says; None: it means none of them.

    Raises
    ------
    ValueError
        It means several of them.
    """
    text = text_of(value)
    places = next(iter(places_meant([text], values)))
    if len(places) > 1:
        raise ValueError(f"{text!r} may mean {values[places[0]]!r} or {values[places[1]]!r}; write one of them")
    return places[0] if places else None


def text_of(value: Any) -> str:
    """A cell as CSV holds it: 1 is 1, 1.0 is 1.0, and True is true."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return BOOLEANS[bool(value)]
    if hasattr(value, "__index__"):
        return str(int(value))
    return repr(float(value)) if hasattr(value, "__float__") else str(value)


def number_of(value: Any) -> float:
    """A cell as a number: a number, a truth value, or the text of a number."""
    if isinstance(value, str) and not is_number(value):
        raise ValueError(f"expected a number, got {value!r}; correct it, or make it missing")
    return float(value)


def instant_of(value: Any, *, reads_texts: bool) -> float:
    """A cell as the milliseconds since 1970 in UTC, the time zone of dates that name none.

    It is that number, a date of Python or numpy, or, where texts are read, one such as 2024-12-31 or
    2024-12-31T12:30:00+01:00.
    """
    if type(value).__name__ == "datetime64":
        return float(value.astype("datetime64[ms]").astype("int64"))
    if isinstance(value, str):
        if not reads_texts or not re.fullmatch(ISO, value.strip(), re.ASCII):
            expected = "a date such as 2024-12-31T12:30:00" if reads_texts else "a date, or milliseconds since 1970"
            raise ValueError(f"expected {expected}, got {value!r}; correct it, or make it missing")
        value = datetime.fromisoformat(value.strip())
    if not isinstance(value, date):
        return float(value)
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    zoned = value if value.tzinfo else value.replace(tzinfo=UTC)
    return float((zoned - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1))


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
