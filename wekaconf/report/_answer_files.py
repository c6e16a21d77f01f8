"""Files of answers, which are written in parts; the ending of the name chooses the format."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import IO, Any

import numpy as np

from wekaconf.base.errors import OptionError, needed
from wekaconf.base.files import atomic_write
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arff import header_text, rows_text
from wekaconf.data.arrays import FloatArray
from wekaconf.data.table_files import PLAIN, CsvMarks
from wekaconf.report._predictions import INDEX
from wekaconf.report._table_formats import column_texts, quote_cell
from wekaconf.report.printing import strict

Write = Callable[[Dataset], None]
"""Writes a part of the answers; all parts have the same attributes."""
Open = Callable[[IO[bytes], str, CsvMarks], AbstractContextManager[Write]]
"""Opens a file of one format."""
MEMORY_LIMIT = 2**24
"""Characters that wait in memory until all is written; more wait in a temporary file."""
EXCEL_ROWS = 2**20
"""The largest number of rows of an Excel sheet."""
ROWS_MEASURED, NUMBER_WIDTH, WIDEST = 100, 8, 60
"""For the width of a column of Excel: the number of rows looked at, the characters of a number, and the largest."""
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can hold."""
_NOT_IN_EXCEL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@contextmanager
def answer_file(path: str | None, marks: CsvMarks = PLAIN) -> Iterator[Write]:
    """Open a file for answers, which is put in its place when the block ends without an exception.

    Parameters
    ----------
    path : str, optional
        Ends in one of `ENDINGS`, or has no ending, for CSV. Left out: CSV on standard output, when all is written.
    marks : CsvMarks
        The marks of CSV, with another separator in place of tabs; TSV, which has tabs, takes the decimal mark.

    Yields
    ------
    callable
        Writes a part of the answers, a `Dataset`. At least one part must be written; it may be empty.

    Raises
    ------
    OptionError
        The format needs a package that is not installed, or cannot hold so many rows.
    OSError
        The file cannot be written.
    """
    if path is None:
        # Standard output, too, waits: an error in the last row leaves no half table.
        with tempfile.SpooledTemporaryFile(MEMORY_LIMIT, "w+", encoding="utf-8", newline="") as spool:
            yield _rows_writer(spool, _csv_marks(marks))
            spool.seek(0)
            shutil.copyfileobj(spool, sys.stdout)
        return
    ending = _ending(path)
    with atomic_write(path, "wb") as stream, _FORMATS[ending](stream, path, marks) as write:
        yield write


def is_read_by_people(path: str | None) -> bool:
    """Whether the format of a file of answers is mostly read by people rather than by programs."""
    return path is not None and _ending(path) == ".xlsx"


def holds_kinds(path: str | None) -> bool:
    """Whether the format of a file of answers distinguishes numbers from texts that write numbers."""
    return path is not None and not _ending(path).startswith((".csv", ".tsv"))


def _ending(path: str) -> str:
    return next((ending for ending in ENDINGS if path.lower().endswith(ending)), ".csv")


def _csv_marks(marks: CsvMarks) -> CsvMarks:
    """The marks, without the tabs that only TSV has."""
    return marks if marks.separator != "\t" else CsvMarks(";" if marks.decimal == "," else ",", marks.decimal)


def _rows_writer(file: IO[str], marks: CsvMarks) -> Write:
    is_first, put = True, partial(quote_cell, delimiter=marks.separator)

    def cells(attribute: Attribute, values: FloatArray) -> Sequence[str]:
        words = column_texts(attribute, values, put)
        if attribute.kind != "numeric" or marks.decimal == ".":
            return words
        return [put(word.replace(".", marks.decimal)) for word in words]

    def write(part: Dataset) -> None:
        nonlocal is_first
        if is_first:
            file.write(marks.separator.join(put(attribute.name) for attribute in part.attributes) + "\n")
            is_first = False
        columns = map(cells, part.attributes, part.values.T)
        file.writelines(f"{line}\n" for line in map(marks.separator.join, zip(*columns, strict=True)))

    return write


@contextmanager
def _separated(stream: IO[bytes], path: str, marks: CsvMarks) -> Iterator[Write]:
    is_tsv = _ending(path).startswith(".tsv")
    with io.TextIOWrapper(stream, "utf-8", newline="") as file:
        yield _rows_writer(file, marks._replace(separator="\t") if is_tsv else _csv_marks(marks))


@contextmanager
def _arff(stream: IO[bytes], path: str, marks: CsvMarks) -> Iterator[Write]:
    """Write ARFF at the end of the block, since the declarations hold the values of all parts."""
    del marks
    header = Header("answers", ())
    values: dict[int, dict[str, None]] = {}
    with tempfile.SpooledTemporaryFile(MEMORY_LIMIT) as rows:

        def write(part: Dataset) -> None:
            nonlocal header
            header = part.header
            for place, attribute in enumerate(header.attributes):
                if attribute.is_nominal:
                    values.setdefault(place, {}).update(dict.fromkeys(attribute.values))
            rows.write(rows_text(part, path).encode())

        yield write
        attributes = tuple(
            replace(attribute, values=tuple(values[place])) if place in values else attribute
            for place, attribute in enumerate(header.attributes)
        )
        stream.write(header_text(replace(header, attributes=attributes), path).encode())
        rows.seek(0)
        shutil.copyfileobj(rows, stream)


@contextmanager
def _json(stream: IO[bytes], path: str, marks: CsvMarks) -> Iterator[Write]:
    """Write a list with one object per instance; NaN is null, as in all our JSON."""
    del path, marks
    separator = "["
    with io.TextIOWrapper(stream, "utf-8", newline="") as file:

        def write(part: Dataset) -> None:
            nonlocal separator
            names = [attribute.name for attribute in part.attributes]
            for row in _rows(part):
                record = strict(dict(zip(names, row, strict=True)))
                file.write(f"{separator}\n{json.dumps(record, ensure_ascii=False)}")
                separator = ","

        yield write
        file.write("\n]\n" if separator == "," else "[]\n")


@contextmanager
def _parquet(stream: IO[bytes], path: str, marks: CsvMarks) -> Iterator[Write]:
    del marks
    with needed(f"{path}: writing this format", "tables"):
        import pyarrow as arrow
        from pyarrow import parquet
    writer: Any = None

    def write(part: Dataset) -> None:
        nonlocal writer
        columns = zip(part.attributes, part.values.T, strict=True)
        table = arrow.table({attribute.name: _arrow(arrow, attribute, cells) for attribute, cells in columns})
        writer = writer or parquet.ParquetWriter(stream, table.schema)
        writer.write_table(table)

    try:
        yield write
    finally:
        if writer is not None:
            writer.close()


def _arrow(arrow: Any, attribute: Attribute, cells: FloatArray) -> Any:
    missing = np.isnan(cells)
    if attribute.is_indexed:
        index = arrow.array(np.where(missing, 0, cells).astype(np.int32), mask=missing)
        coded = arrow.DictionaryArray.from_arrays(index, arrow.array(attribute.values, arrow.string()))
        return coded if attribute.is_nominal else coded.cast(arrow.string())
    if attribute.kind == "date":
        return arrow.array(np.where(missing, 0, cells).astype(np.int64), arrow.timestamp("ms"), mask=missing)
    return arrow.array(cells.astype(np.int64)) if attribute.name == INDEX else arrow.array(cells, mask=missing)


@contextmanager
def _excel(stream: IO[bytes], path: str, marks: CsvMarks) -> Iterator[Write]:
    """Write one sheet whose row of names stays in sight; a text that looks like a formula is marked as text."""
    del marks
    with needed(f"{path}: writing this format", "tables"):
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.styles import Font
        from openpyxl.utils import get_column_letter
        from openpyxl.writer.excel import ExcelWriter
    book = Workbook(write_only=True)
    book.properties.created = book.properties.modified = datetime(*EARLIEST)
    sheet, n_rows = book.create_sheet("answers"), 0

    def cell(value: Any) -> Any:
        if not isinstance(value, str):
            return strict(value)
        excel_cell = WriteOnlyCell(sheet, _NOT_IN_EXCEL.sub(lambda match: repr(match[0])[1:-1], value))
        excel_cell.data_type = "s"
        excel_cell.quotePrefix = value.startswith(("=", "+", "-", "@"))
        return excel_cell

    def write(part: Dataset) -> None:
        nonlocal n_rows
        if not n_rows:
            sheet.freeze_panes = "A2"
            names = [cell(attribute.name) for attribute in part.attributes]
            for place, (name, column) in enumerate(zip(names, _columns(part.take(slice(ROWS_MEASURED))), strict=True)):
                name.font = Font(bold=True)
                longest = max(len(text) if isinstance(text, str) else NUMBER_WIDTH for text in (name.value, *column))
                sheet.column_dimensions[get_column_letter(place + 1)].width = min(longest + 3, WIDEST)
            sheet.append(names)
            n_rows = 1
        n_rows += len(part)
        if n_rows > EXCEL_ROWS:
            raise OptionError(
                f"{path}: Excel holds {EXCEL_ROWS - 1:,} instances at most; write CSV or Parquet instead",
                value_of="path",
            )
        for row in _rows(part):
            sheet.append([*map(cell, row)])

    try:
        yield write
        if n_rows > 1:
            sheet.auto_filter.ref = f"A1:{get_column_letter(len(sheet.column_dimensions))}{n_rows}"
        with _Undated(stream, "w", zipfile.ZIP_DEFLATED) as archive:  # book.save leaves it open if it fails
            ExcelWriter(book, archive).save()
    finally:
        if not sheet.closed:
            sheet.close()


class _Undated(zipfile.ZipFile):
    """An archive without the times of its making, so that the same answers are the same bytes."""

    def open(self, name: Any, mode: Any = "r", *rest: Any, **more: Any) -> Any:
        name.date_time = EARLIEST  # openpyxl writes each part by the description of it
        return super().open(name, mode, *rest, **more)


def _rows(part: Dataset) -> Iterator[tuple[Any, ...]]:
    return zip(*_columns(part), strict=True)


def _columns(part: Dataset) -> Iterator[list[Any]]:
    return map(_values, part.attributes, part.values.T)


def _values(attribute: Attribute, cells: FloatArray) -> list[Any]:
    """The cells of a column for JSON and Excel: texts, whole numbers, other numbers, None if missing."""
    if attribute.kind != "numeric":
        words = zip(column_texts(attribute, cells), np.isnan(cells).tolist(), strict=True)
        return [None if is_missing else word for word, is_missing in words]
    return [int(cell) if cell.is_integer() and abs(cell) < 2**53 else cell for cell in cells.tolist()]


def _gzipped(write: Open) -> Open:
    @contextmanager
    def gzipped(stream: IO[bytes], path: str, marks: CsvMarks) -> Iterator[Write]:
        packed: Any = gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0)
        with packed, write(packed, path, marks) as part:
            yield part

    return gzipped


_FORMATS: dict[str, Open] = {
    ".csv": _separated,
    ".csv.gz": _gzipped(_separated),
    ".tsv": _separated,
    ".tsv.gz": _gzipped(_separated),
    ".arff": _arff,
    ".arff.gz": _gzipped(_arff),
    ".json": _json,
    ".parquet": _parquet,
    ".xlsx": _excel,
}
ENDINGS = tuple(_FORMATS)
"""The endings of names, one per format."""
