"""Workbooks as DataFrames: those of Excel by openpyxl, older, binary and open ones by calamine."""

from __future__ import annotations

import re
import warnings
import zipfile
from contextlib import closing
from itertools import zip_longest
from typing import Any

from wekaconf.base.errors import OptionError, TableError, tell
from wekaconf.base.naming import counted, name_list, nearest, quoted
from wekaconf.base.words import Setting
from wekaconf.data.cells import value_text
from wekaconf.data.table_files.base import MISSING, FrameTable, Reading, first_line
from wekaconf.data.table_files.layout import as_stream, unreadable
from wekaconf.data.table_files.names import names_in, place_names, renamed
from wekaconf.data.table_files.sheet_apart import check_extent, read_apart
from wekaconf.data.unpacking import TooLargeError, check_unpacked, size_of

BY_CALAMINE = (".xls", ".xlsb", ".ods")
"""The endings of the workbooks that calamine reads."""
_FORMULA = re.compile(rb"<(\w+:)?f[ >/]")


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
        first, errors, lost = 1, list[str](), list[str]()
        try:
            if is_by_calamine:
                sheets, sheet, first, rows = read_apart(
                    path, lambda names: names[_sheet_place(path, names, reading.sheet)]
                )
                rows = [[*map(_cell, row)] for row in rows]
            else:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # openpyxl warns of styles that it does not know
                    _check_size(path, content)
                    sheets, sheet, rows, errors = _read_sheet(path, content, reading.sheet, data_only=True)
                    lost = (
                        _formulas_without_value(path, content, sheet, rows) if any(None in row for row in rows) else []
                    )
        except (FileNotFoundError, IsADirectoryError, PermissionError, TooLargeError) as error:
            raise unreadable(path, error) from error
        except (ImportError, OptionError):
            raise
        except Exception as error:  # openpyxl, zipfile and the XML parser raise many kinds on damaged bytes
            text = f"this is no {self.form} workbook, or a damaged one ({first_line(error)})"
            if _is_text(path, content):
                text = f"this is text, no {self.form} workbook; let its name end in .csv, or save it in Excel as .xlsx"
            raise TableError(text, path=path) from error
        if len(sheets) > 1 and not reading.sheet:
            read = f"{path}: read the sheet {quoted(sheet)}, the first of {len(sheets)}; for another give "
            tell(read, Setting("sheet", sheets[1]))
        if lost:
            tell(
                f"{path}: {counted(len(lost), 'formula')} without a stored value, the first in {lost[0]}, read as "
                "missing; open the file in Excel and save it"
            )
        if errors:
            tell(
                f"{path}: {counted(len(errors), 'cell')} with an error such as {errors[0]}, read as missing; mend the "
                "formula"
            )
        raw = pd.DataFrame(rows, index=range(first, first + len(rows)), dtype=object)
        raw = raw.loc[raw.notna().any(axis=1), raw.notna().any(axis=0)]
        if raw.empty:
            empty = f"the sheet {quoted(sheet)} is empty; expected a row of column names, and rows of values"
            raise TableError(empty, path=path)
        if reading.no_header:
            names = place_names(raw.shape[1])
        else:
            names = names_in(["" if cell is None else value_text(cell) for cell in raw.iloc[0]], path)
        self.names = renamed(names, reading.rename, path)
        self._frame = raw.iloc[0 if reading.no_header else 1 :].set_axis(list(self.names), axis=1)

    def row_name(self, row: int) -> str:
        """See `TableFile`."""
        return f"row {self._frame.index[row]} of the sheet"


def _check_size(path: str, content: bytes | None) -> None:
    """Raise TooLargeError if the workbook unpacks to too many bytes."""
    with as_stream(path, content) as stream, zipfile.ZipFile(stream) as archive:
        check_unpacked(sum(member.file_size for member in archive.infolist()), size_of(path, content))


def _is_text(path: str, content: bytes | None) -> bool:
    """Whether a file seems to be CSV under another name: all text, and no zip archive."""
    with as_stream(path, content) as stream:
        beginning = stream.read(4096)
    is_zip = beginning.startswith(b"PK")
    return bool(beginning) and not is_zip and all(byte >= 32 or byte in b"\t\r\n" for byte in beginning)


def _read_sheet(
    path: str, content: bytes | None, wanted: str, *, data_only: bool
) -> tuple[list[str], str, list[list[Any]], list[str]]:
    """The names of the sheets; of the wanted one its name, its rows, None for missing cells, and cells with errors."""
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
    return names, sheet.title, [row + [None] * (width - len(row)) for row in rows], errors


def _sheet_place(path: str, names: list[str], wanted: str) -> int:
    """The place of the wanted sheet, by its name or its number; OptionError if there is none."""
    if not wanted or wanted in names:
        return names.index(wanted) if wanted else 0
    if wanted.isdecimal() and 0 < int(wanted) <= len(names):
        return int(wanted) - 1
    hint = nearest(wanted, names) or f"; the sheets are {name_list(names, wanted)}"
    raise OptionError(f"no sheet {quoted(wanted)} in {path}{hint}", parameter="sheet", got=wanted)


def _formulas_without_value(path: str, content: bytes | None, sheet: str, rows: list[list[Any]]) -> list[str]:
    """The cells with a formula that has no stored value."""
    from openpyxl.utils import get_column_letter

    with as_stream(path, content) as stream, zipfile.ZipFile(stream) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml")]
        if not any(_FORMULA.search(archive.read(name)) for name in sheets):
            return []
    _, _, formulas, _ = _read_sheet(path, content, sheet, data_only=False)
    return [
        f"{get_column_letter(column)}{row}"
        for row, (cells, row_formulas) in enumerate(zip(rows, formulas, strict=True), 1)
        for column, (cell, formula) in enumerate(zip_longest(cells, row_formulas), 1)
        if cell is None and isinstance(formula, str) and formula.startswith("=")
    ]


def _cell(cell: Any) -> Any:
    text = cell.strip() if isinstance(cell, str) else cell
    return None if text in MISSING else text
