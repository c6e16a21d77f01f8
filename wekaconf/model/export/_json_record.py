"""``.json``: the model as a record, whose schema is published in docs/assets/exported-model.schema.json."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

from wekaconf.data import DATE_FORMAT, Attribute
from wekaconf.model.export._exported_limits import DeviationTest, LeafTests, RangeTest, ValueTest
from wekaconf.model.export._exported_model import LEFT_OUT, ExportedModel, Split
from wekaconf.model.export._exported_sides import CellsTerm, LeafSide, LineTerm, SumSide

FORMAT = 4


def json_text(model: ExportedModel) -> str:
    """The record as JSON, one node, one side, and the limits of one node per line."""
    whole = record(model)
    names = ("nodes", "sides", "limits") if model.limits is not None else ("nodes", "sides")
    lists = {name: map(_json, whole.pop(name)) for name in names}
    text = json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=1)[:-2]
    return (
        text + "".join(f',\n "{name}": [\n  ' + ",\n  ".join(lines) + "\n ]" for name, lines in lists.items()) + "\n}\n"
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def record(model: ExportedModel) -> dict[str, Any]:
    """The model as JSON types; infinite numbers are the texts Infinity and -Infinity."""
    return {
        "format": FORMAT,
        "made_by": f"wekaconf {version('wekaconf')}",
        "relation": model.header.relation,
        "learner": model.learner,
        "method": model.method,
        "left_out": list(LEFT_OUT),
        "class": model.header.class_attribute.name,
        "classes": list(model.class_names),
        "thresholds": None if model.thresholds is None else _numbers(model.thresholds),
        "savings": None if model.savings is None else [list(row) for row in model.savings],
        "columns": [*map(_column, model.columns, model.fills)],
        "pool": None if model.pool is None else model.pool._asdict(),
        "decider": None if model.decider is None else _side(model.decider),
        "nodes": [*map(_node, model.nodes)],
        "sides": [*map(_side, model.sides)],
        "limits": None if model.limits is None else [*map(_tests, model.limits)],
    }


def _column(column: Attribute, fill: float) -> dict[str, Any]:
    parts: dict[str, Any] = {"name": column.name, "kind": column.kind}
    parts |= {"values": list(column.values)} if column.is_nominal else {}
    parts |= {"iso_texts": column.date_format == DATE_FORMAT} if column.kind == "date" else {}
    if math.isnan(fill):
        return parts
    return parts | {"fill": column.values[int(fill)] if column.is_nominal else _number(fill)}


def _node(split: Split | None) -> dict[str, Any]:
    if split is None:
        return {}
    parts: dict[str, Any] = {"column": split.column, "operator": split.operator}
    if split.operator in ("<", "<="):
        parts |= {"point": _number(split.point)}
    else:
        parts |= {"points": _numbers(split.points)} if split.operator == "bins" else {}
        parts |= {"branch_of_value": list(split.branch_of_value)}
    return parts | {"branches": list(split.branches), "shares": _numbers(split.shares)}


def _side(side: LeafSide | SumSide) -> dict[str, Any]:
    if isinstance(side, SumSide):
        return {"kind": "sum", "start": _numbers(side.start), "terms": [*map(_term, side.terms)]}
    parts: dict[str, Any] = {"kind": "leaf", "division": side.division, "answers": _by_node(side.answers)}
    if side.division != "counts":
        return parts
    return parts | {"correction": side.correction, "parts": _by_node(side.parts)}


def _tests(tests: LeafTests) -> list[dict[str, Any]] | None:
    return None if tests is None else [*map(_test, tests)]


def _test(test: DeviationTest | RangeTest | ValueTest) -> dict[str, Any]:
    if isinstance(test, ValueTest):
        ends = {} if test.ends is None else {"ends": _numbers(test.ends)}
        return {"column": test.column, **ends, "accepts": list(test.accepts)}
    return {name: _number(value) for name, value in test._asdict().items()}


def _by_node(vectors: Iterable[Sequence[float]]) -> list[list[float] | None]:
    return [list(numbers) if numbers else None for numbers in vectors]


def _term(term: CellsTerm | LineTerm) -> dict[str, Any]:
    if isinstance(term, LineTerm):
        return term._asdict()
    ends = {} if term.ends is None else {"ends": _numbers(term.ends)}
    return {"column": term.column, **ends, "adds": [*map(list, term.adds)], "missing": list(term.missing)}


def _numbers(numbers: Iterable[float]) -> list[float | str | None]:
    return [_number(value) for value in numbers]


def _number(value: float) -> float | str | None:
    """The number as JSON can hold it; None for NaN."""
    if math.isfinite(value):
        return value
    return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
