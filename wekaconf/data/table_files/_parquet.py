"""Parquet files as DataFrames."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wekaconf.base.errors import TableError
from wekaconf.data._columns import without_categoricals
from wekaconf.data._file_bytes import BYTES_OF_CELL, TooLargeError, check_unpacked, size_of, unreadable
from wekaconf.data.table_files._base import FrameTable, Reading, as_frame, first_line
from wekaconf.data.table_files._layout import as_stream
from wekaconf.data.table_files._names import distinct, proper_names, renamed

if TYPE_CHECKING:
    import pyarrow as pa


class ParquetTable(FrameTable):
    """A Parquet file, whose columns are of the types of Arrow."""

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
            for column in table.columns:
                if pa.types.is_timestamp(column.type):
                    pa.scalar(0, column.type).as_py()  # fails on a name that is no time zone
                elif pa.types.is_nested(column.type) or pa.types.is_duration(column.type):
                    column.to_pylist()  # fails on dates, times and zones that Python cannot hold
            table = without_categoricals(_with_index_first(table))
            self._frame = as_frame(table)
        except (FileNotFoundError, IsADirectoryError, PermissionError, TooLargeError) as error:
            raise unreadable(path, error) from error
        except (pa.ArrowException, OSError, MemoryError, ValueError, OverflowError, KeyError) as error:
            if isinstance(error, TableError):
                raise
            raise TableError(f"is no Parquet file, or a damaged one ({first_line(error)})", path=path) from error
        self.name_columns(renamed(proper_names(table.column_names), reading.rename, path))


def _with_index_first(table: pa.Table) -> pa.Table:
    """The table with the index that pandas stores behind the columns put first, as in CSV; dropped if it is unnamed."""
    metadata = table.schema.pandas_metadata
    listed = metadata.get("index_columns", []) if isinstance(metadata, dict) else []
    index = [name for name in listed if isinstance(name, str) and name in table.column_names]
    named = [name for name in index if not re.fullmatch(r"__index_level_\d+__", name)]
    others = [name for name in table.column_names if name not in index]
    return table.select([*named, *others]).replace_schema_metadata(None)
