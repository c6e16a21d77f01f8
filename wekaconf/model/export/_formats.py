"""The formats, by the endings of their files, and the one call that writes them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Literal, NamedTuple

from wekaconf.base.errors import OptionError
from wekaconf.base.files import atomic_write
from wekaconf.base.naming import alternatives
from wekaconf.model.export._exported_model import ExportedModel, exported_model
from wekaconf.model.export._onnx_model import onnx_bytes
from wekaconf.model.export._pmml_document import pmml_text
from wekaconf.model.export._record import json_text, python_text
from wekaconf.model.export._sql_dialects import DEFAULT_DIALECT, DIALECTS
from wekaconf.model.export._sql_query import check_text, sql_text
from wekaconf.model.export._sql_staging import table_text
from wekaconf.model.fitted import Model


class Format(NamedTuple):
    """A format of files.

    Parameters
    ----------
    content : callable
        Makes the content of the file of a model; takes each of the options as a keyword.
    options : tuple of str
        Of ``by_majority`` and ``dialect`` those that the format has.
    """

    content: Callable[..., str | bytes]
    options: tuple[str, ...] = ()


FORMATS = {
    ".py": Format(python_text),
    ".json": Format(json_text),
    ".sql": Format(sql_text, ("dialect",)),
    ".onnx": Format(onnx_bytes, ("by_majority",)),
    ".pmml": Format(pmml_text, ("by_majority",)),
}
"""The formats by the endings of their files."""
Missing = Literal["as_model", "majority"]
"""How to treat missing values: as the model does where the format can, else not to answer; or to send them on whole."""


def export(
    model: Model,
    path: str | os.PathLike[str],
    *,
    missing: Missing = "as_model",
    dialect: str | None = None,
    staging: str | os.PathLike[str] | None = None,
) -> ExportedModel:
    """Write a file with which other programs answer as a model does; see `Model.export`."""
    begin, ending = os.path.splitext(os.fspath(path))
    if ending.lower() not in FORMATS:
        raise OptionError(
            f"{os.fspath(path)}: expected a name that ends in {alternatives(FORMATS)}, got '{ending}'", value_of="path"
        )
    content, options = FORMATS[ending.lower()]
    if missing == "majority" and "by_majority" not in options:
        able = alternatives(name for name, known in FORMATS.items() if "by_majority" in known.options)
        raise OptionError(
            f"{ending} treats missing values as the model does, so leave out 'majority', which is for {able}",
            parameter="missing",
        )
    for name, value in (("dialect", dialect), ("staging", staging)):
        if value is not None and "dialect" not in options:
            raise OptionError(f"{ending} is no query; leave the option out, or export .sql", parameter=name)
    if dialect is not None and dialect not in DIALECTS:
        raise OptionError(parameter="dialect", expected=alternatives(DIALECTS), got=repr(dialect))
    held, dialect = exported_model(model), dialect or DEFAULT_DIALECT
    chosen = {"by_majority": missing == "majority", "dialect": dialect}
    try:
        files = {os.fspath(path): content(held, **{name: chosen[name] for name in options})}
    except OptionError as error:
        if error.value_of != "model":
            raise
        able = alternatives(other for other in FORMATS if other != ending.lower() and _holds(other, held))
        raise OptionError(f"{error}; {able} can hold the model as it is", value_of="model") from None
    if staging is not None:
        files[f"{begin}.table{ending}"] = table_text(held, model.reading, staging, dialect)
        files[f"{begin}.check{ending}"] = check_text(held, dialect)
    for each, made in files.items():
        with atomic_write(each, "wb") as file:
            file.write(made.encode() if isinstance(made, str) else made)
    return held


def _holds(ending: str, model: ExportedModel) -> bool:
    """Whether a format can be made of a model."""
    try:
        FORMATS[ending].content(model)
    except OptionError:
        return False
    return True
