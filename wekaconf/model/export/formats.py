"""The formats, by the endings of their files, and the one call that writes them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Literal

from wekaconf.base.errors import OptionError
from wekaconf.base.files import atomic_write
from wekaconf.base.naming import alternatives
from wekaconf.model.export.exported_tree import ExportedTree, exported_tree
from wekaconf.model.export.json_record import json_text
from wekaconf.model.export.onnx_model import onnx_bytes
from wekaconf.model.export.python_module import python_text
from wekaconf.model.export.sql_query import sql_text
from wekaconf.model.fitted import Model

FORMATS: dict[str, Callable[[ExportedTree], str | bytes]] = {
    ".py": python_text,
    ".json": json_text,
    ".sql": sql_text,
    ".onnx": partial(onnx_bytes, by_majority=False),
}
"""For each ending the function that makes the content of the file."""
BY_MAJORITY: dict[str, Callable[[ExportedTree], str | bytes]] = {".onnx": partial(onnx_bytes, by_majority=True)}
"""The formats that do not divide rows with missing values, but can send these along the branch of the largest share."""
Missing = Literal["as_model", "majority"]
"""How to treat missing values: as the model does where the format can, else not to answer; or to send them on whole."""


def export_model(model: Model, path: str | os.PathLike[str], *, missing: Missing = "as_model") -> ExportedTree:
    """Write a file with which other programs answer as a model does.

    Parameters
    ----------
    model : Model
        Of one tree, without filters, and of a method that answers by the leaf: leaf_frequency, m_branch, curtailment,
        shrinkage.
    path : path
        The ending says the format: ``.py``, ``.json``, ``.sql`` or ``.onnx``.
    missing : {"as_model", "majority"}
        For ``.onnx``, which does not answer for a row with a missing value on its path unless this is "majority".

    Returns
    -------
    ExportedTree
        What the file holds.

    Raises
    ------
    OptionError
        The ending is not that of a format, the format treats missing values in one way, or no format can hold the
        model; the message says why and what can be held.
    OSError
        The file cannot be written.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending not in FORMATS:
        raise OptionError(
            f"{os.fspath(path)}: expected a name that ends in {alternatives(FORMATS)}, got '{ending}'", value_of="path"
        )
    if missing == "majority" and ending not in BY_MAJORITY:
        raise OptionError(
            f"{ending} treats missing values as the model does, so leave out 'majority', which is for "
            f"{alternatives(BY_MAJORITY)}",
            parameter="missing",
        )
    tree = exported_tree(model)
    content = (BY_MAJORITY if missing == "majority" else FORMATS)[ending](tree)
    with atomic_write(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return tree
