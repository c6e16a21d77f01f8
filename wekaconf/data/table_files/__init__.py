"""Tables in files as DataFrames: CSV and TSV, Parquet, Excel."""

from wekaconf.data._file_bytes import unreadable
from wekaconf.data.table_files._base import FILE_OPTIONS, MISSING, OnRead, Read, Reading, Texts, known_by
from wekaconf.data.table_files._column_forms import found_forms
from wekaconf.data.table_files._delimited import DelimitedTable
from wekaconf.data.table_files._layout import PLAIN, CsvMarks
from wekaconf.data.table_files._names import renamed

__all__ = [
    "FILE_OPTIONS", "MISSING", "PLAIN", "CsvMarks", "DelimitedTable", "OnRead", "Read", "Reading", "Texts",
    "found_forms", "known_by", "renamed", "unreadable",
]  # fmt: skip
