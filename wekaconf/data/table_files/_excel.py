"""Workbooks as DataFrames: those of Excel by openpyxl, older, binary and open ones by calamine.

openpyxl is not asked through pandas, which turns errors, and formulas without a value, into missing cells without
saying where. It reads row by row, so that the extent is known before a sheet is filled up to a rectangle. calamine
fills it first: a cell in the last row and column of an ``.xls`` of 6 kB takes 400 MB. So it runs in a process whose
memory is limited, which only Linux can do. Rows come as JSON, which a damaged process cannot turn into code.
"""

from __future__ import annotations

import datetime
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wekaconf.base.errors import OptionError, TableError, tell
from wekaconf.base.naming import counted, name_list, nearest, quoted
from wekaconf.base.words import Setting
from wekaconf.data._cells import family_of, is_number, value_text
from wekaconf.data._file_bytes import BYTES_OF_CELL, TooLargeError, check_unpacked, largest, size_of, unreadable
from wekaconf.data.table_files._base import FrameTable, Reading, first_line
from wekaconf.data.table_files._layout import as_stream
from wekaconf.data.table_files._names import names_in, place_names, renamed

if TYPE_CHECKING:
    import pandas as pd


BY_CALAMINE = (".xls", ".xlsb", ".ods")
"""The endings of the workbooks that calamine reads."""
_MERGED = re.compile(rb"""<(?:\w+:)?mergeCell\s[^>]*ref=["']([A-Z]+[0-9]+:[A-Z]+([0-9]+))["']""")
_FORMULA = re.compile(rb"<(\w+:)?f[ >/]")
MOST_ROWS = 2**20
BYTES_OF_FULL_CELL = 64
"""What a cell takes with a text or a number, which one line of an .ods repeats at will."""
PROCESS = Path(__file__).with_name("_sheet_process.py")
BYTES_OF_PROCESS = 2**28
"""Memory for Python and calamine, beside twice what the file may unpack to."""
SHORT_OF_MEMORY = ("MemoryError", "memory allocation", "capacity overflow", "Cell limit exceeded")
"""Parts of the messages of Python, Rust and calamine."""
TYPES: dict[str, Callable[[Any], Any]] = {
    "date": datetime.date.fromisoformat,
    "datetime": datetime.datetime.fromisoformat,
    "time": datetime.time.fromisoformat,
    "seconds": lambda seconds: datetime.timedelta(seconds=seconds),
}


class ExcelTable(FrameTable):
    """A sheet of a workbook: the one that is named, else the first."""

    form = "Excel"

    def __init__(self, path: str, reading: Reading, content: bytes | None = None) -> None:
        import pandas as pd

        self.path = path
        is_by_calamine = path.lower().endswith(BY_CALAMINE)
        if is_by_calamine and content is not None:
            raise TableError("this is a pipe, and such workbooks are read from files; save it as a file", path=path)
        if path.lower().endswith(".ods"):
            self.form = "OpenDocument"
        lost: list[str] = []
        try:
            if is_by_calamine:
                sheet = read_apart(path, lambda names: names[_sheet_place(path, names, reading.sheet)])
                sheet = sheet._replace(rows=[[*map(_cell, row)] for row in sheet.rows])
            else:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # openpyxl warns of styles that it does not know
                    _check_size(path, content)
                    sheet = _read_sheet(path, content, reading.sheet, data_only=True)
                    if any(None in row for row in sheet.rows):
                        lost = _formulas_without_value(path, content, sheet)
        except (FileNotFoundError, IsADirectoryError, PermissionError, TooLargeError) as error:
            raise unreadable(path, error) from error
        except (ImportError, OptionError):
            raise
        except Exception as error:  # openpyxl, zipfile and the XML parser raise many kinds on damaged bytes
            text = f"this is no {self.form} workbook, or a damaged one ({first_line(error)})"
            if _is_text(path, content):
                text = f"this is text, no {self.form} workbook; let its name end in .csv, or save it in Excel as .xlsx"
            raise TableError(text, path=path) from error
        if len(sheet.names) > 1 and not reading.sheet:
            read = f"{path}: read the sheet {quoted(sheet.name)}, the first of {len(sheet.names)}; for another give "
            tell(read, Setting("sheet", sheet.names[1]))
        if lost:
            tell(
                f"{path}: {counted(len(lost), 'formula')} without a stored value, the first in {lost[0]}, read as "
                "missing; open the file in Excel and save it"
            )
        if sheet.errors:
            cells = f"{counted(len(sheet.errors), 'cell')} with an error such as {sheet.errors[0]}"
            tell(f"{path}: {cells}, read as missing; mend the formula")
        _note_too_large(path, sheet)
        raw = pd.DataFrame(sheet.rows, index=range(sheet.first, sheet.first + len(sheet.rows)), dtype=object)
        raw = raw.loc[raw.notna().any(axis=1), raw.notna().any(axis=0)]
        if raw.empty:
            empty = f"the sheet {quoted(sheet.name)} is empty; expected a row of column names, and rows of values"
            raise TableError(empty, path=path)
        _note_merged(path, [name for name, last in sheet.merged.items() if last > raw.index[0]])
        if reading.no_header:
            names = place_names(raw.shape[1])
        else:
            names = names_in(["" if cell is None else value_text(cell).strip() for cell in raw.iloc[0]], path)
        self._frame = raw.iloc[0 if reading.no_header else 1 :]
        self.name_columns(renamed(names, reading.rename, path))

    def _known(self, column: pd.Series, reading: Reading, declared: Collection[str] = ()) -> pd.Series:
        """See `FrameTable`; beside texts numbers are texts, and an empty cell is the empty text if that is declared."""
        import pandas as pd

        missing = reading.missing(declared)
        column = column if "" in missing else column.fillna("")
        cells = [cell.strip() if isinstance(cell, str) else cell for cell in column]
        trimmed = pd.Series(cells, index=column.index, dtype=object)
        known = column if any(value != value.strip() for value in declared) else trimmed
        known = known.mask(super()._known(trimmed, replace(reading, na=missing)).isna())
        if not declared and (infinite := _infinite_texts(known)):
            known = known.map(lambda cell: infinite.get(cell, cell) if isinstance(cell, str) else cell)
        if declared and not known.dropna().map(lambda cell: isinstance(cell, datetime.date)).all():
            known = known.map(value_text, na_action="ignore")  # a sheet shows a whole number as 1, never as 1.0
        return known

    def row_name(self, row: int) -> str:
        """See `TableFile`."""
        return f"row {self._frame.index[row]} of the sheet"


def _check_size(path: str, content: bytes | None) -> None:
    """Raise TooLargeError if the workbook unpacks to too many bytes."""
    with as_stream(path, content) as stream, zipfile.ZipFile(stream) as archive:
        check_unpacked(sum(member.file_size for member in archive.infolist()), size_of(path, content))


def _is_text(path: str, content: bytes | None) -> bool:
    """Whether a file seems to be CSV under another name: it begins with text, which no workbook does."""
    with as_stream(path, content) as stream:
        beginning = stream.read(4096)
    return bool(beginning) and all(byte >= 32 or byte in b"\t\r\n" for byte in beginning)


def _note_merged(path: str, ranges: list[str]) -> None:
    """Give a `Note` of merged cells below the row of names, of which a file holds the first alone."""
    if ranges:
        cells = f"merged cells, {ranges[0]}" + (f" and {len(ranges) - 1} more such" if len(ranges) > 1 else "")
        tell(f"{path}: {cells}: only the first holds a value, the others are missing; unmerge them and fill them in")


def _read_sheet(path: str, content: bytes | None, wanted: str, *, data_only: bool) -> Sheet:
    """Read the wanted sheet by openpyxl."""
    import openpyxl

    rows: list[list[Any]] = []
    errors: list[str] = []
    width, size = 0, size_of(path, content)
    with (
        as_stream(path, content) as stream,
        closing(openpyxl.load_workbook(stream, read_only=True, data_only=data_only)) as book,
    ):
        names = [sheet.title for sheet in book.worksheets]
        sheet = book.worksheets[_sheet_place(path, names, wanted)]
        sheet.reset_dimensions()
        for row in sheet.iter_rows():
            errors += [f"{cell.value} in {cell.coordinate}" for cell in row if cell.data_type == "e"]
            cells = [None if cell.data_type == "e" else _cell(cell.value) for cell in row]
            rows.append(cells[: max((place for place, cell in enumerate(cells, 1) if cell is not None), default=0)])
            width = max(width, len(rows[-1]))
            check_extent(len(rows), width if rows[-1] else 0, size)
        with zipfile.ZipFile(stream) as archive:  # openpyxl tells of merged cells only where it keeps all of a sheet
            found = _MERGED.findall(archive.read(sheet._worksheet_path))
    merged = {cells.decode(): int(last_row) for cells, last_row in found}
    filled = [row + [None] * (width - len(row)) for row in rows]
    return Sheet(names, sheet.title, 1, filled, merged, tuple(errors))


def _sheet_place(path: str, names: list[str], wanted: str) -> int:
    """The place of the wanted sheet, by its name or its number; OptionError if there is none."""
    if not wanted or wanted in names:
        return names.index(wanted) if wanted else 0
    if wanted.isdecimal() and 0 < int(wanted) <= len(names):
        return int(wanted) - 1
    hint = nearest(wanted, names) or f"; the sheets are {name_list(names, wanted)}"
    raise OptionError(f"no sheet {quoted(wanted)} in {path}{hint}", parameter="sheet", got=wanted)


def _formulas_without_value(path: str, content: bytes | None, sheet: Sheet) -> list[str]:
    """The cells with a formula that has no stored value."""
    from openpyxl.utils import get_column_letter

    with as_stream(path, content) as stream, zipfile.ZipFile(stream) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml")]
        if not any(_FORMULA.search(archive.read(name)) for name in sheets):
            return []
    formulas = _read_sheet(path, content, sheet.name, data_only=False).rows
    return [
        f"{get_column_letter(column)}{row}"
        for row, (cells, row_formulas) in enumerate(zip(sheet.rows, formulas, strict=True), 1)
        for column, (cell, formula) in enumerate(zip_longest(cells, row_formulas), 1)
        if cell is None and isinstance(formula, str) and formula.startswith("=")
    ]


def _infinite_texts(column: pd.Series) -> dict[str, float]:
    """The texts of a column of numbers, all of which write infinity, which no cell of a sheet holds as a number."""
    cells = column.dropna()
    texts = {cell for cell in cells if isinstance(cell, str)}
    are_numbers = all(family_of(type(cell)) in ("numbers", "texts") for cell in cells)
    infinite = {text: float(text) for text in texts if is_number(text) and math.isinf(float(text))}
    return infinite if are_numbers and len(infinite) == len(texts) else {}


def _note_too_large(path: str, sheet: Sheet) -> None:
    """Give a `Note` of numbers that a sheet holds, rounded to 16 digits, beyond the largest of float64."""
    rows = enumerate(sheet.rows, sheet.first)
    places = [number for number, row in rows for cell in row if type(cell) is float and math.isinf(cell)]
    if places:
        cells = f"{counted(len(places), 'number')} beyond float64, the first in row {places[0]}"
        tell(f"{path}: {cells}, read as infinite; a sheet keeps 15 or 16 digits")


def _cell(cell: Any) -> Any:
    """The content of a cell; None: there is none."""
    return None if isinstance(cell, str) and not cell.strip() else cell


def check_extent(n_rows: int, width: int, size: int, *, cell: int = BYTES_OF_CELL) -> None:
    """Raise TooLargeError if a sheet spans more cells than a file of that size may; ValueError for too many rows."""
    if n_rows > MOST_ROWS:
        raise ValueError(f"it has more than the {MOST_ROWS:,} rows that a sheet can hold")
    if cell * n_rows * width > largest(size):
        raise TooLargeError(
            f"its sheet spans {n_rows:,} rows and {width:,} columns, which no table of {size / 1e6:,.1f} MB fills; "
            "delete what stands far from the table, or save it as CSV"
        )


class Sheet(NamedTuple):
    """One sheet of a workbook.

    Parameters
    ----------
    names : list of str
        Those of all sheets.
    name : str
        That of this one.
    first : int
        The number of its first row, counted from 1.
    rows : list of list
        The cells; None for missing ones.
    merged : dict of str to int
        The ranges of merged cells, each with the number of its last row.
    errors : tuple of str
        The cells with an error.
    """

    names: list[str]
    name: str
    first: int
    rows: list[list[Any]]
    merged: dict[str, int]
    errors: tuple[str, ...] = ()


def read_apart(path: str, choose: Callable[[list[str]], str]) -> Sheet:
    """Read a sheet by calamine, which finds the merged cells of ``.xls`` alone, and no errors.

    Parameters
    ----------
    path : str
    choose : callable
        Chooses a sheet among the names.

    Raises
    ------
    ImportError
        python-calamine is not installed.
    OptionError
        The system cannot limit the memory of a process.
    TooLargeError
        The sheet spans more cells, or reading it takes more memory, than a file of that size may.
    ValueError
        The file is no workbook, or a damaged one.
    OSError
        It cannot be read.
    """
    import python_calamine  # noqa: F401

    if not sys.platform.startswith("linux"):
        raise OptionError(
            f"{path}: only on Linux can such workbooks be read safely; save it as .xlsx or CSV", value_of="path"
        )
    with open(path, "rb") as file:  # for the errors of the system
        size = os.fstat(file.fileno()).st_size
    n_bytes = BYTES_OF_PROCESS + 2 * largest(size)
    command = [sys.executable, "-P", str(PROCESS), path, str(n_bytes)]
    with (
        tempfile.TemporaryFile("w+") as complaints,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, encoding="utf-8"
        ) as process,
    ):
        assert process.stdin is not None and process.stdout is not None
        try:
            if not (line := process.stdout.readline()):
                raise _failure(process.wait(), complaints, size, n_bytes)
            names = json.loads(line)
            name = choose(names)
            process.stdin.write(json.dumps(name) + "\n")
            process.stdin.flush()
            if not (line := process.stdout.readline()):
                raise _failure(process.wait(), complaints, size, n_bytes)
            extent = json.loads(line)
            check_extent(extent["n_rows"], extent["width"], size, cell=BYTES_OF_FULL_CELL)
            rows = [json.loads(line, object_hook=_decoded_cell) for line in process.stdout]
            if process.wait() or len(rows) != extent["n_rows"]:
                raise _failure(process.returncode, complaints, size, n_bytes)
        finally:
            process.kill()
    merged = {f"{_cell_name(*first)}:{_cell_name(*last)}": last[0] + 1 for first, last in extent["merged"]}
    return Sheet(names, name, (extent["first"] or (0,))[0] + 1, rows, merged)


def _cell_name(row: int, column: int) -> str:
    """The name of a cell, such as B3, by its row and column, counted from 0."""
    from openpyxl.utils import get_column_letter

    return f"{get_column_letter(column + 1)}{row + 1}"


def _failure(code: int, complaints: Any, size: int, n_bytes: int) -> Exception:
    """Why the process ended; it is ended from within, or says so, where memory is short."""
    complaints.seek(0)
    text = complaints.read(100_000)
    if code < 0 or any(word in text for word in SHORT_OF_MEMORY):
        return TooLargeError(
            f"reading it takes more than {n_bytes / 1e6:,.0f} MB of memory, which no table of {size / 1e6:,.1f} MB "
            "needs; delete what stands far from the table, or save it as .xlsx or CSV"
        )
    return ValueError(text.strip().rpartition("\n")[2] or f"exit code {code}")


def _decoded_cell(known: dict[str, Any]) -> Any:
    [(kind, value)] = known.items()
    return TYPES[kind](value)
