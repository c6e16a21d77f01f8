"""Parquet files as DataFrames."""

from __future__ import annotations

from wekaconf.data.table_files.base import FrameTable, as_frame, checked_names, first_line
from wekaconf.data.table_files.layout import unreadable
from wekaconf.errors import TableError


class ParquetTable(FrameTable):
    """A Parquet file."""

    form = "Parquet"

    def __init__(self, path: str) -> None:
        import pyarrow as pa
        import pyarrow.parquet

        self.path = path
        try:
            with open(path, "rb") as stream:
                file = pyarrow.parquet.ParquetFile(pa.PythonFile(stream, mode="r"))
                checked_names(file.schema_arrow.names, path)
                table = file.read()
            table.validate(full=True)
            self._frame = as_frame(table)
        except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
            raise unreadable(path, error) from error
        except (pa.ArrowException, OSError, MemoryError, ValueError, OverflowError) as error:
            if isinstance(error, TableError):
                raise
            raise TableError(f"is no Parquet file, or a damaged one ({first_line(error)})", path=path) from error
        self.names = tuple(self._frame.columns)
