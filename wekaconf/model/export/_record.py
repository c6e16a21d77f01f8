"""``.json`` and ``.py``: the model as a record, and a module of plain Python that answers with it, without any package.

The schema of the record is published in docs/assets/exported-model.schema.json.
"""

from __future__ import annotations

import inspect
import json
import math
import re
import sys
from importlib.metadata import version
from typing import Any

from wekaconf.base.errors import printable
from wekaconf.data import BOOLEANS, DATE_FORMAT, Attribute, is_number, places_meant
from wekaconf.data.table_files import MISSING
from wekaconf.model.export import _standalone as standalone
from wekaconf.model.export._exported_model import LEFT_OUT, ExportedModel, Split
from wekaconf.model.export._exported_parts import LeafSide, SumSide

FORMAT = 5
IMPORTS = re.compile(r"^(?:from (\S+) import .*|import \S+)\n", re.MULTILINE)


def json_text(model: ExportedModel) -> str:
    """The record as JSON, one node and one side per line."""
    whole = record(model)
    lists = {name: map(_json, whole.pop(name)) for name in ("nodes", "sides")}
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
        "thresholds": _plain(model.thresholds),
        "savings": _plain(model.savings),
        "columns": [*map(_column, model.columns, model.fills)],
        "pool": _plain(model.pool),
        "decider": None if model.decider is None else _side(model.decider),
        "nodes": [*map(_node, model.nodes)],
        "sides": [*map(_side, model.sides)],
    }


def _plain(value: Any) -> Any:
    """The value as JSON can hold it: a record as its fields that are not None, and NaN as None."""
    if hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items() if part is not None}
    if isinstance(value, tuple):
        return [*map(_plain, value)]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _column(column: Attribute, fill: float) -> dict[str, Any]:
    parts: dict[str, Any] = {"name": column.name, "kind": column.kind}
    parts |= {"values": list(column.values)} if column.is_nominal else {}
    parts |= {"iso_texts": column.date_format == DATE_FORMAT} if column.kind == "date" else {}
    if math.isnan(fill):
        return parts
    return parts | {"fill": column.values[int(fill)] if column.is_nominal else _plain(fill)}


def _node(split: Split | None) -> dict[str, Any]:
    if split is None:
        return {}
    left_out = {"<": ("points", "branch_of_value"), "in": ("point", "points"), "bins": ("point",)}
    unused = left_out[split.operator.removesuffix("=")]
    return {name: part for name, part in _plain(split).items() if name not in unused}


def _side(side: LeafSide | SumSide) -> dict[str, Any]:
    if isinstance(side, SumSide):
        return {"kind": "sum", **_plain(side)}
    answers, parts = ([_plain(numbers) or None for numbers in vectors] for vectors in (side.answers, side.parts))
    record = {"kind": "leaf", "division": side.division, "answers": answers}
    return record | ({"correction": side.correction, "parts": parts} if side.division == "counts" else {})


def python_text(model: ExportedModel) -> str:
    """The record of the model, and the code of `standalone`, which answers with it."""
    parts = [f"BOOLEANS = {BOOLEANS!r}", f"MISSING = {MISSING!r}", inspect.getsource(is_number)]
    modules = (sys.modules[places_meant.__module__], standalone)
    parts += [inspect.getsource(module).partition('"""\n')[2] for module in modules]
    code = "\n\n".join(parts)
    imports = {match[0] for match in IMPORTS.finditer(code) if not (match[1] or "").startswith(("wekaconf", "__"))}
    what = printable(f"{model.method} on {model.learner}, trained on {model.header.relation}")
    # in JSON only texts hold quotes, which then cannot end a literal
    literal = json_text(model).replace("'", r"\u0027")
    return f"""# Answers as a model does that wekaconf has exported: {what}
from __future__ import annotations

import json
{"".join(sorted(imports))}
{IMPORTS.sub("", code)}

def answer(row: Mapping[str, Any]) -> dict[str, Any]:
    \"\"\"The answer for a row; see `answer_of`.\"\"\"
    return answer_of(MODEL, row)


MODEL = json.loads(r'''{literal}''')
"""
