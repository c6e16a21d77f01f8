"""The formats, by the endings of their files, and the one call that writes them."""

from __future__ import annotations

import os
from typing import Literal

from wekaconf.base.errors import OptionError
from wekaconf.base.files import atomic_write
from wekaconf.base.naming import alternatives
from wekaconf.model.export._exported_model import ExportedModel, exported_model
from wekaconf.model.export._onnx_model import onnx_bytes
from wekaconf.model.export._record import json_text, python_text
from wekaconf.model.export._sql_dialects import DEFAULT_DIALECT, DIALECTS
from wekaconf.model.export._sql_query import check_text, sql_text
from wekaconf.model.export._sql_staging import table_text
from wekaconf.model.fitted import Model

FORMATS = (".py", ".json", ".sql", ".onnx")
"""The endings of the files, which choose the format."""
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
    if missing == "majority" and ending.lower() != ".onnx":
        raise OptionError(
            f"{ending} treats missing values as the model does, so leave out 'majority', which is for .onnx",
            parameter="missing",
        )
    for name, value in (("dialect", dialect), ("staging", staging)):
        if value is not None and ending.lower() != ".sql":
            raise OptionError(f"{ending} is no query; leave the option out, or export .sql", parameter=name)
    if dialect is not None and dialect not in DIALECTS:
        raise OptionError(parameter="dialect", expected=alternatives(DIALECTS), got=repr(dialect))
    held, dialect = exported_model(model), dialect or DEFAULT_DIALECT
    files: dict[str, str | bytes] = {}
    try:
        match ending.lower():
            case ".py":
                files[os.fspath(path)] = python_text(held)
            case ".json":
                files[os.fspath(path)] = json_text(held)
            case ".sql":
                files[os.fspath(path)] = sql_text(held, dialect)
            case ".onnx":
                files[os.fspath(path)] = onnx_bytes(held, by_majority=missing == "majority")
    except OptionError as error:
        if error.value_of != "model":
            raise
        raise OptionError(f"{error}; .py or .json can hold the model as it is", value_of="model") from None
    if staging is not None:
        files[f"{begin}.table{ending}"] = table_text(held, model.reading, staging, dialect)
        files[f"{begin}.check{ending}"] = check_text(held, dialect)
    for each, made in files.items():
        with atomic_write(each, "wb") as file:
            file.write(made.encode() if isinstance(made, str) else made)
    return held
