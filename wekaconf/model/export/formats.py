"""The formats, by the endings of their files, and the one call that writes them."""

from __future__ import annotations

import os
from collections.abc import Callable

from wekaconf.base.errors import OptionError
from wekaconf.base.files import write_text
from wekaconf.base.naming import alternatives
from wekaconf.model.export.exported_tree import ExportedTree, exported_tree
from wekaconf.model.export.json_record import json_text
from wekaconf.model.export.python_module import python_text
from wekaconf.model.export.sql_query import sql_text
from wekaconf.model.fitted import Model

FORMATS: dict[str, Callable[[ExportedTree], str]] = {".py": python_text, ".json": json_text, ".sql": sql_text}
"""For each ending the function that makes the content of the file."""


def export_model(model: Model, path: str | os.PathLike[str]) -> ExportedTree:
    """Write a file with which other programs answer as a model does.

    Parameters
    ----------
    model : Model
        Of one tree, without filters, and of a method that answers by the leaf: leaf_frequency, m_branch, curtailment,
        shrinkage.
    path : path
        The ending says the format: ``.py``, ``.json`` or ``.sql``.

    Returns
    -------
    ExportedTree
        What the file holds.

    Raises
    ------
    OptionError
        The ending is not that of a format, or no format can hold the model; the message says why and what can be held.
    OSError
        The file cannot be written.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending not in FORMATS:
        raise OptionError(
            f"{os.fspath(path)}: expected a name that ends in {alternatives(FORMATS)}, got '{ending}'", value_of="path"
        )
    tree = exported_tree(model)
    write_text(path, FORMATS[ending](tree))
    return tree
