"""``.py``: a module that answers in plain Python, without any package."""

from __future__ import annotations

import inspect
import re
import sys

from wekaconf.base.errors import printable
from wekaconf.data import BOOLEANS, is_number, places_meant
from wekaconf.data.table_files import MISSING
from wekaconf.model.export import _standalone as standalone
from wekaconf.model.export._exported_model import ExportedModel
from wekaconf.model.export._json_record import json_text

IMPORTS = re.compile(r"^(?:from (\S+) import .*|import \S+)\n", re.MULTILINE)


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
