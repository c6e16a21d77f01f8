"""The formats, by the endings of their files, and the one call that writes them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Literal, NamedTuple

from wekaconf.base.errors import OptionError
from wekaconf.base.files import atomic_write
from wekaconf.base.naming import alternatives
from wekaconf.model.export.exported_model import ExportedModel, exported_model
from wekaconf.model.export.json_record import json_text
from wekaconf.model.export.onnx_model import onnx_bytes
from wekaconf.model.export.pmml_document import pmml_text
from wekaconf.model.export.python_module import python_text
from wekaconf.model.export.sql_query import sql_text
from wekaconf.model.fitted import Model


class Format(NamedTuple):
    """A format of files.

    Parameters
    ----------
    content : callable
        Makes the content of the file of a model; takes each of the options as a keyword.
    options : tuple of str
        Of ``by_majority`` and ``in_float32`` those that the format has.
    """

    content: Callable[..., str | bytes]
    options: tuple[str, ...] = ()


FORMATS = {
    ".py": Format(python_text),
    ".json": Format(json_text),
    ".sql": Format(sql_text),
    ".onnx": Format(onnx_bytes, ("by_majority", "in_float32")),
    ".pmml": Format(pmml_text, ("by_majority",)),
}
"""The formats by the endings of their files."""
Missing = Literal["as_model", "majority"]
"""How to treat missing values: as the model does where the format can, else not to answer; or to send them on whole."""


def export(
    model: Model, path: str | os.PathLike[str], *, missing: Missing = "as_model", float32: bool = False
) -> ExportedModel:
    """Write a file with which other programs answer as a model does; see `Model.export`."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in FORMATS:
        raise OptionError(
            f"{os.fspath(path)}: expected a name that ends in {alternatives(FORMATS)}, got '{ending}'", value_of="path"
        )
    content, options = FORMATS[ending]
    if missing == "majority" and "by_majority" not in options:
        able = alternatives(name for name, known in FORMATS.items() if "by_majority" in known.options)
        raise OptionError(
            f"{ending} treats missing values as the model does, so leave out 'majority', which is for {able}",
            parameter="missing",
        )
    if float32 and "in_float32" not in options:
        raise OptionError(f"{ending} holds float64; leave the option out, or export .onnx", parameter="float32")
    held = exported_model(model)
    chosen = {"by_majority": missing == "majority", "in_float32": float32}
    try:
        made = content(held, **{name: chosen[name] for name in options})
    except OptionError as error:
        if error.value_of != "model":
            raise
        able = alternatives(other for other in FORMATS if other != ending and _holds(other, held))
        raise OptionError(f"{error}; {able} can hold the model as it is", value_of="model") from None
    with atomic_write(path, "wb") as file:
        file.write(made.encode() if isinstance(made, str) else made)
    return held


def _holds(ending: str, model: ExportedModel) -> bool:
    """Whether a format can be made of a model."""
    try:
        FORMATS[ending].content(model)
    except OptionError:
        return False
    return True
