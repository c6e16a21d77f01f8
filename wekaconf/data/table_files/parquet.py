"""Parquet files as DataFrames."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from wekaconf.base.errors import TableError
from wekaconf.data.table_files.base import FrameTable, Reading, as_frame, first_line
from wekaconf.data.table_files.layout import unreadable
from wekaconf.data.table_files.names import distinct, renamed
from wekaconf.data.unpacking import TooLargeError, check_unpacked

BYTES_OF_CELL = 8

if TYPE_CHECKING:
    import pyarrow as pa


class ParquetTable(FrameTable):
    """A Parquet file."""

    form = "Parquet"
    declares_types = True

    def __init__(self, path: str, reading: Reading) -> None:
        import pyarrow as pa
        import pyarrow.parquet

        self.path = path
        try:
            with open(path, "rb") as stream:
                file = pyarrow.parquet.ParquetFile(pa.PythonFile(stream, mode="r"))
                distinct(file.schema_arrow.names, path)
                cells = file.metadata.num_rows * max(file.metadata.num_columns, 1)
                check_unpacked(BYTES_OF_CELL * cells, os.path.getsize(path))
                table = file.read()
            table.validate(full=True)
            self._frame = as_frame(_with_index_first(table))
        except (FileNotFoundError, IsADirectoryError, PermissionError, TooLargeError) as error:
            raise unreadable(path, error) from error
        except (pa.ArrowException, OSError, MemoryError, ValueError, OverflowError) as error:
            if isinstance(error, TableError):
                raise
            raise TableError(f"is no Parquet file, or a damaged one ({first_line(error)})", path=path) from error
        self.names = renamed(tuple(self._frame.columns), reading.rename, path)
        self._frame = self._frame.set_axis(list(self.names), axis=1)


def _with_index_first(table: pa.Table) -> pa.Table:
    """The table with the index that pandas stores behind the columns put first, as in CSV; dropped if it is unnamed."""
    metadata = table.schema.pandas_metadata
    listed = metadata.get("index_columns", []) if isinstance(metadata, dict) else []
    index = [name for name in listed if isinstance(name, str) and name in table.column_names]
    named = [name for name in index if not re.fullmatch(r"__index_level_\d+__", name)]
    others = [name for name in table.column_names if name not in index]
    return table.select([*named, *others]).replace_schema_metadata(None)
