"""Answers with the record of a model, in plain Python; an exported module holds this code."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from wekaconf.data import BOOLEANS, is_number, places_meant
from wekaconf.data.table_files import MISSING

ISO = r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?[0-5]\d)?)?)?"
"""The texts that are dates."""


def answer_of(model: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """The answer for a row.

    Parameters
    ----------
    model : mapping
        The record of the model.
    row : mapping of str to values
        A cell for each column that the model reads. None, NaN, texts such as "" and "?", and nominal values that
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
    cells = [cell_of(column, row[column["name"]]) for column in model["columns"]]
    stops = parts_of(model["nodes"], cells)
    said = [
        leaf_distribution(side, *stops) if side["kind"] == "leaf" else sum_distribution(side, cells)
        for side in model["sides"]
    ]
    proba = said[0] if model["pool"] is None else pooled(said, model["pool"])
    if model["decider"] is not None:
        best = largest(leaf_distribution(model["decider"], *stops))
        certainty = proba[best]
    else:
        scores = proba if model["savings"] is None else expected_savings(model["savings"], proba)
        best, certainty = largest(scores), max(0.0, *scores)
    rejected = None
    if model["thresholds"] is not None:
        threshold = float(model["thresholds"][best])
        rejected = certainty < threshold or threshold == math.inf
    names = model["classes"]
    return {
        "predicted": names[best],
        "certainty": certainty,
        "rejected": rejected,
        "distribution": dict(zip(names, proba, strict=True)),
    }


def largest(scores: Sequence[float]) -> int:
    """The place of the largest score after rounding to 12 decimals, of several the first."""
    units = [round(score * 1e12) for score in scores]
    return units.index(max(units))


def expected_savings(savings: Sequence[Sequence[float]], proba: Sequence[float]) -> list[float]:
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


def parts_of(nodes: Sequence[Mapping[str, Any]], cells: Sequence[float | None]) -> tuple[list[tuple[int, float]], bool]:
    """The nodes where a row stops, each with the share that stops there, and whether a missing value divides it."""
    parts, waiting, is_divided = [], [(0, 1.0)], False
    while waiting:
        at, share = waiting.pop()
        node = nodes[at]
        while "branches" in node and (cell := cells[node["column"]]) is not None:
            at = node["branches"][branch_of(node, cell)]
            node = nodes[at]
        pairs = zip(node.get("branches", ()), node.get("shares", ()), strict=True)
        below = [(child, share * part) for child, part in pairs if part > 0]
        waiting += below
        parts += [] if below else [(at, share)]
        is_divided |= bool(below)
    return parts, is_divided


def leaf_distribution(side: Mapping[str, Any], parts: Sequence[tuple[int, float]], is_divided: bool) -> list[float]:
    """The distribution of the nodes where a row stops."""
    answers = side["answers"]
    if not is_divided and (answer := answers[parts[0][0]]) is not None:
        return list(answer)
    is_counted = side["division"] == "counts"
    rows = [(side["parts"] if is_counted else answers)[node] for node, _ in parts]
    known = [(row, share) for row, (_, share) in zip(rows, parts, strict=True) if row is not None]
    n_classes = len(next(row for row in answers if row is not None))
    sums = [math.fsum(share * row[c] for row, share in known) for c in range(n_classes)]
    if is_counted:
        sums = [weight + side["correction"] for weight in sums]
        return [weight / math.fsum(sums) for weight in sums] if any(sums) else [1 / n_classes] * n_classes
    total = math.fsum(share for _, share in known) if side["division"] == "mean" else 1.0
    return [weight / total for weight in sums]


def sum_distribution(side: Mapping[str, Any], cells: Sequence[float | None]) -> list[float]:
    """The distribution of a sum of terms."""
    rows = [term_values(term, cells[term["column"]]) for term in side["terms"]]
    return softmax([math.fsum([float(start), *column]) for start, *column in zip(side["start"], *rows, strict=True)])


def term_values(term: Mapping[str, Any], cell: float | None) -> Sequence[float]:
    """What a value adds to each class."""
    if "slope" in term:
        deviation = 0.0 if cell is None else (cell - term["center"]) / term["spread"]
        held = max(-term["furthest"], min(term["furthest"], deviation))
        return [held * slope for slope in term["slope"]]
    if cell is None:
        return list(term["missing"])
    place = sum(float(end) < cell for end in term["ends"]) if "ends" in term else int(cell)
    return list(term["adds"][place])


def pooled(said: Sequence[Sequence[float]], pool: Mapping[str, Any]) -> list[float]:
    """The logarithmic opinion pool of distributions."""
    logs = [[math.log(max(p, pool["least"])) for p in of_class] for of_class in zip(*said, strict=True)]
    return softmax([math.fsum(w * log for w, log in zip(pool["weights"], of_class, strict=True)) for of_class in logs])


def softmax(logs: Sequence[float]) -> list[float]:
    """The distribution in proportion to the exponentials of numbers."""
    powers = [math.exp(log - max(logs)) for log in logs]
    return [power / math.fsum(powers) for power in powers]


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
