"""Sheets read by calamine in a process whose memory is limited, and the limit on the extent of every sheet.

openpyxl reads ``.xlsx`` row by row, so that the extent is known before a sheet is filled up to a rectangle. calamine
fills it first: a cell in the last row and column of an ``.xls`` of 6 kB takes 400 MB. Only Linux can keep such a limit.
Rows come as JSON, which a damaged process cannot turn into code.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from wekaconf.base.errors import OptionError
from wekaconf.data._unpacking import TooLargeError, largest

MOST_ROWS = 2**20
BYTES_OF_CELL, BYTES_OF_FULL_CELL = 8, 64
"""What a cell takes at least, and what it takes with a text or a number, which one line of an .ods repeats at will."""
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
    command = [sys.executable, "-P", str(PROCESS), path, str(n_bytes), str(largest(size) // BYTES_OF_FULL_CELL)]
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
            rows = [json.loads(line, object_hook=_cell) for line in process.stdout]
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


def _cell(known: dict[str, Any]) -> Any:
    [(kind, value)] = known.items()
    return TYPES[kind](value)
