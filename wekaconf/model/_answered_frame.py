"""The answers of a model as a frame of the library that the instances came in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list, nearest, quoted
from wekaconf.data import Dataset, Header, Outside, Unseen, UnseenValues, library, match_padded_names
from wekaconf.data.frames import arrow_columns, column_names, is_frame, names_of, polars_columns, values_like
from wekaconf.data.table_files import Reading
from wekaconf.methods.contract import Answer


class FrameRows(NamedTuple):
    """The instances in a frame, the columns to pass through, and the values that training did not declare."""

    data: Dataset
    keep: list[str]
    unseen: UnseenValues


def read_frame(X: Any, header: Header, keep: Sequence[str] | None, reading: Reading, unseen: Unseen) -> FrameRows:
    """What `Model.answer_frame` answers for."""
    if not is_frame(X):
        raise OptionError(
            f"answer_frame: expected a DataFrame or an Arrow stream, got {type(X).__name__}", value_of="X"
        )
    columns = [*map(str, column_names(X))]
    known = [attribute.name for attribute in header.attributes]
    named = dict(zip(columns, match_padded_names(known, names_of(column_names(X), reading.rename)), strict=True))
    identifiers = [name for name in columns if named[name] == reading.id]
    chosen = identifiers if keep is None else list(keep)
    for name in chosen:
        if name not in columns:
            raise OptionError(
                f"no column {quoted(name)} in the frame{nearest(name, columns)}; its columns are {name_list(columns)}",
                parameter="keep",
            )
    are_known = set(known)
    others = [name for name in columns if named[name] not in are_known]
    if not header.is_named and len(columns) - len(others) < len(known) - 1:  # the training data were an array
        others = chosen  # by position
    reading = replace(reading, ignore=(*reading.ignore, *(named[name] for name in others)))
    unseen_values = UnseenValues()
    values = values_like(X, header, unseen=unseen, unseen_values=unseen_values, reading=reading)
    data = Dataset(header, values, unseen=unseen_values.cells)
    return FrameRows(data, chosen, unseen_values)


def build_answers(
    X: Any, keep: Sequence[str], answer: Answer, outside: Outside | None, *,
    reasons: bool, paths: bool,
) -> Any:  # fmt: skip
    """The columns to pass through and the answers beside them; see `Model.answer_frame`."""
    columns: dict[str, Any] = dict(answer.columns(reasons=False))
    columns.pop("outside", None)  # it stands behind the others
    if reasons:
        columns["reason"] = answer.reasons[:]
    if paths:
        columns["path"] = answer.paths[:]
    if outside is not None:
        columns["outside"] = list(outside.texts)
    if taken := [name for name in keep if name in columns]:
        raise OptionError(
            f"{name_list(taken)} would stand beside an answer of that name; rename it in the frame", parameter="keep"
        )
    return _build_frame(library(X), X, keep, columns)


def _build_frame(package: str, X: Any, keep: Sequence[str], answered: Mapping[str, Any]) -> Any:
    """The kept columns, with their index, and the answers beside them; texts are texts also where there are no rows."""
    if package == "polars":
        import polars as pl

        return pl.DataFrame([*(X[name] for name in keep), *polars_columns(answered)])
    if package == "pyarrow":
        import pyarrow as pa

        return pa.table({name: X[name] for name in keep} | arrow_columns(answered))
    import pandas as pd

    series = {
        name: pd.Series(cells, index=X.index, dtype="str" if isinstance(cells, list) else None)
        for name, cells in answered.items()
    }
    return pd.concat([X[keep], pd.DataFrame(series, index=X.index)], axis=1)
