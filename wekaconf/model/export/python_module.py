"""``.py``: a module that answers in plain Python, without any package."""

from __future__ import annotations

import inspect

from wekaconf.base.errors import printable
from wekaconf.model.export import standalone
from wekaconf.model.export.exported_tree import ExportedTree
from wekaconf.model.export.json_record import json_text


def python_text(tree: ExportedTree) -> str:
    """The record of the tree, and the code of `standalone`, which answers with it."""
    _, _, code = inspect.getsource(standalone).partition("from __future__ import annotations\n")
    what = printable(f"{tree.method} on {tree.learner}, trained on {tree.header.relation}")
    literal = json_text(tree).replace("'", r"\u0027")  # in JSON only texts hold quotes, which then cannot end a literal
    return f"""# Answers as a decision tree does that wekaconf has exported: {what}
from __future__ import annotations

import json{code}

def answer(row: Mapping[str, Any]) -> dict[str, Any]:
    \"\"\"The answer for a row; see `answer_of`.\"\"\"
    return answer_of(TREE, row)


TREE = json.loads(r'''{literal}''')
"""
