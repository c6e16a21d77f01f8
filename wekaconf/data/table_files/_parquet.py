"""Parquet files as tables of Arrow or DataFrames."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from wekaconf.base.errors import TableError
from wekaconf.base.packages import needed
from wekaconf.data._cells import value_text
from wekaconf.data._columns import without_categoricals
from wekaconf.data._header import Attribute
from wekaconf.data._unpacking import TooLargeError, check_unpacked, size_of
from wekaconf.data.table_files._base import Frame, FrameTable, OnRead, Part, Reading, Texts, as_frame, first_line
from wekaconf.data.table_files._column_forms import may_have_form
from wekaconf.data.table_files._layout import ROWS, as_stream, unreadable
from wekaconf.data.table_files._names import distinct, proper_names, renamed

BYTES_OF_CELL = 8

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


class ParquetTable(FrameTable):
    """A Parquet file, whose columns are read as Arrow holds them; by pandas where texts may write numbers or dates."""

    form = "Parquet"
    declares_types = True

    def __init__(self, path: str, reading: Reading, content: bytes | None = None) -> None:
        import pyarrow as pa
        import pyarrow.parquet

        self.path = path
        try:
            with as_stream(path, content) as stream:
                file = pyarrow.parquet.ParquetFile(pa.PythonFile(stream, mode="r"))
                distinct(file.schema_arrow.names, path)
                cells = file.metadata.num_rows * max(file.metadata.num_columns, 1)
                check_unpacked(BYTES_OF_CELL * cells, size_of(path, content))
                table = file.read()
            table.validate(full=True)
            for kind in filter(pa.types.is_timestamp, table.schema.types):
                pa.scalar(0, kind).as_py()  # fails on a name that is no time zone
            table = _with_index_first(table)
        except (FileNotFoundError, IsADirectoryError, PermissionError, TooLargeError) as error:
            raise unreadable(path, error) from error
        except (pa.ArrowException, OSError, MemoryError, ValueError, OverflowError, KeyError) as error:
            if isinstance(error, TableError):
                raise
            raise TableError(f"is no Parquet file, or a damaged one ({first_line(error)})", path=path) from error
        self._table = without_categoricals(table)
        self.name_columns(renamed(proper_names(table.column_names), reading.rename, path))

    def name_columns(self, names: Sequence[str]) -> None:
        """See `TableFile`."""
        self.names = tuple(names)
        self._table = self._table.rename_columns(list(names))

    @cached_property
    def _frame(self) -> pd.DataFrame:
        import pyarrow as pa

        with needed(f"{self.path}: reading its columns", "tables"):
            import pandas  # noqa: F401
        try:
            for column in self._table.columns:
                if pa.types.is_nested(column.type) or pa.types.is_duration(column.type):
                    column.to_pylist()  # fails on dates, times and zones that Python cannot hold
            return as_frame(self._table)
        except (pa.ArrowException, MemoryError, ValueError, OverflowError) as error:
            raise TableError(f"is a damaged Parquet file ({first_line(error)})", path=self.path) from error

    def inferred(self, reading: Reading) -> Frame:
        """See `TableFile`."""
        table = self._table.drop_columns(list(reading.left_out))
        texts = [name for name in table.column_names if name not in reading.nominal and _are_texts(table, name)]
        is_told = reading.told_form is not None or reading.date_format
        if (
            reading.na
            or not all(map(_is_simple, table.schema.types))
            or any(is_told or may_have_form(_first_text(table, name)) for name in texts)
        ):
            return super().inferred(reading)
        return table

    def parts(
        self, declared: Sequence[Attribute], kept: Sequence[str], reading: Reading, on_read: OnRead
    ) -> Iterator[Part]:
        """See `TableFile`."""
        table = self._table.select([attribute.name for attribute in declared])
        if not declared or reading.na or not all(map(_is_simple, table.schema.types)):
            yield from super().parts(declared, kept, reading, on_read)
            return
        texts, n_rows = self.texts(kept), len(table)
        for begin in range(0, max(n_rows, 1), ROWS):
            end = min(begin + ROWS, n_rows)
            yield table.slice(begin, end - begin), {name: cells[begin:end] for name, cells in texts.items()}
            on_read(end, n_rows)

    def texts(self, columns: Iterable[str]) -> Texts:
        """See `TableFile`."""
        import pyarrow.compute as pc

        columns = [*columns]
        table = self._table.select(columns)
        if not all(map(_is_simple, table.schema.types)):
            return super().texts(columns)
        is_null = {name: pc.is_null(table[name], nan_is_null=True).to_pylist() for name in columns}
        return {
            name: [
                None if is_missing else value_text(cell)
                for cell, is_missing in zip(table[name].to_pylist(), is_null[name], strict=True)
            ]
            for name in columns
        }


def _is_simple(kind: pa.DataType) -> bool:
    """Whether Arrow's own values are those that a column is read from."""
    from pyarrow import types

    return bool(
        types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)
        or types.is_null(kind) or _is_text(kind) or types.is_date(kind)
        or (types.is_timestamp(kind) and kind.unit != "ns")  # which Python's dates do not hold
        or (types.is_dictionary(kind) and _is_text(kind.value_type))
    )  # fmt: skip


def _is_text(kind: pa.DataType) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind))


def _are_texts(table: pa.Table, name: str) -> bool:
    return _is_text(table.schema.field(name).type)


def _first_text(table: pa.Table, name: str) -> str | None:
    known = table[name].drop_null()
    return known[0].as_py() if len(known) else None


def _with_index_first(table: pa.Table) -> pa.Table:
    """The table with the index that pandas stores behind the columns put first, as in CSV; dropped if it is unnamed."""
    metadata = table.schema.pandas_metadata
    listed = metadata.get("index_columns", []) if isinstance(metadata, dict) else []
    index = [name for name in listed if isinstance(name, str) and name in table.column_names]
    named = [name for name in index if not re.fullmatch(r"__index_level_\d+__", name)]
    others = [name for name in table.column_names if name not in index]
    return table.select([*named, *others]).replace_schema_metadata(None)
