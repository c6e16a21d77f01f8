"""CSV and TSV files read by pyarrow: separator and encoding found, what is no table refused with its line."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import os
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, cast

from wekaconf.data.cells import is_number
from wekaconf.errors import Note, TableError

if TYPE_CHECKING:
    import pyarrow as pa

LONGEST_LINE = 2**26
"""The largest number of bytes of a row."""
CHUNK = 2**20
BLOCK = 2**22
"""How many bytes are parsed at a time, unless a row is longer."""
ROWS = 2**15
"""Rows of a part of a table, at least."""
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab"}
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_NO_TEXT = {b"PAR1": "a Parquet file", b"PK\x03\x04": "an Excel workbook or another zip archive"}


@dataclass(frozen=True)
class Delimited:
    """A text file of rows whose layout is known; nothing of its cells is kept.

    Parameters
    ----------
    path : str
        ``-`` is standard input.
    names : tuple of str
        The columns, as they are written in the first row, without blanks around them.
    separator : str
    encoding : str
    block : int
        Bytes to parse at a time.
    content : bytes, optional
        All of standard input.
    has_odd_quotes : bool
        Whether the number of double quotes is odd, so that one may not be closed.
    has_rows : bool
        Whether anything follows the column names.
    """

    path: str
    names: tuple[str, ...]
    separator: str
    encoding: str
    block: int
    content: bytes | None = None
    has_odd_quotes: bool = False
    has_rows: bool = True

    def read(self, types: Mapping[str, Any], nulls: Sequence[str], columns: Sequence[str]) -> pa.Table:
        """All rows.

        Parameters
        ----------
        types : mapping of str to pyarrow type
            The types of columns; those of others are inferred from all rows.
        nulls : sequence of str
            Texts that mean a missing value.
        columns : sequence of str
            Read only these, at least one.

        Raises
        ------
        TableError
            A row has more or fewer cells than there are columns, or a quote is not closed.
        pyarrow.ArrowInvalid
            A cell is not of its column's type.
        """
        import pyarrow.csv

        if not self.has_rows:
            return pyarrow.table({name: pyarrow.array([], types.get(name)) for name in columns})
        with opened(self.path, self.content) as stream, self._translated():
            table = pyarrow.csv.read_csv(stream, *self._options(types, nulls, columns))
        self._check_last(table.slice(max(len(table) - 1, 0)))
        return table

    def parts(
        self,
        types: Mapping[str, Any],
        nulls: Sequence[str],
        columns: Sequence[str],
        on_read: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> Iterator[pa.Table]:
        """The rows, some megabytes at a time; at least one table, which may be empty.

        Where one part ends and the next begins depends on the file only. ``on_read`` is called with the bytes read so
        far and in total; see `read` for all else.
        """
        import pyarrow as pa
        import pyarrow.csv

        part = pa.table({name: pa.array([], types[name]) for name in columns})
        n_bytes = os.path.getsize(self.path) if self.content is None else len(self.content)
        last, is_first = part, True
        with opened(self.path, self.content) as stream, self._translated():
            file = getattr(stream, "fileobj", stream)
            for batch in pyarrow.csv.open_csv(stream, *self._options(types, nulls, columns)):
                part = pa.concat_tables([part, pa.Table.from_batches([batch])])
                last = part.slice(max(len(part) - 1, 0)) if len(part) else last
                if len(part) >= ROWS:
                    yield part
                    on_read(file.tell(), n_bytes)
                    part, is_first = part.slice(0, 0), False
        self._check_last(last)
        if is_first or len(part):
            yield part

    def _options(self, types: Mapping[str, Any], nulls: Sequence[str], columns: Sequence[str]) -> tuple[Any, ...]:
        import pyarrow.csv

        return (
            pyarrow.csv.ReadOptions(
                column_names=self.names, skip_rows_after_names=1, block_size=self.block, encoding=self.encoding,
            ),
            pyarrow.csv.ParseOptions(delimiter=self.separator, newlines_in_values=True),
            pyarrow.csv.ConvertOptions(
                column_types=types, null_values=nulls, strings_can_be_null=True, include_columns=columns,
                true_values=["true", "True", "TRUE"], false_values=["false", "False", "FALSE"],
            ),
        )  # fmt: skip

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn what pyarrow says about rows into our errors; what it says about cells is raised as it is."""
        import pyarrow

        try:
            yield
        except pyarrow.ArrowInvalid as error:
            text = str(error)
            if "conversion error" in text:
                raise
            if "straddling" in text:
                raise TableError(
                    f"a row is longer than {self.block:,} bytes; is a quote not closed?", path=self.path
                ) from error
            raise self._ragged() or TableError(f"cannot be read: {text}", path=self.path) from error
        except (OSError, EOFError, zlib.error) as error:
            raise unreadable(self.path, error) from error

    def _ragged(self) -> TableError | None:
        """The error for the first row that has more or fewer cells than there are columns."""
        n_columns = len(self.names)
        with opened(self.path, self.content) as stream:
            reader = csv.reader(io.TextIOWrapper(stream, self.encoding, newline=""), delimiter=self.separator)
            try:
                for row in reader:
                    if row and len(row) != n_columns:
                        return TableError(
                            f"expected {n_columns} cells, as many as there are column names, got {len(row)}; correct "
                            f"the row, or put a cell that holds a {SEPARATORS[self.separator]} in double quotes",
                            path=self.path, line=reader.line_num,
                        )  # fmt: skip
            except csv.Error:
                pass
        return None

    def _check_last(self, last: Any) -> None:
        """Refuse a file whose last row took up the rest of it, since a quote was not closed."""
        if self.has_odd_quotes and any("\n" in str(cell) for column in last.to_pydict().values() for cell in column):
            raise TableError(
                "a double quote is not closed before the file ends; close it, or double it", path=self.path
            )


def examined(path: str, *, separator: str | None = None) -> Delimited:
    """The layout of a CSV or TSV file; all of it is looked through once.

    Parameters
    ----------
    path : str
        Plain or gzipped; ``-`` is standard input.
    separator : str, optional
        Left out: the one of comma, semicolon and tab that the first row holds most often outside quotes.

    Raises
    ------
    TableError
        The file is absent, empty or no text, a line is too long, or a column name is used twice.
    """
    content = None
    if path == "-":
        content = sys.stdin.buffer.read()
    first, encoding, longest, n_quotes = _looked_through(path, content)
    text = first.decode(encoding, errors="replace").lstrip("\r\n")
    if not text.strip():
        raise TableError("the file is empty; expected a row of column names, and rows of values", path=path, line=1)
    if text.lstrip().lower().startswith("@relation"):
        raise TableError("this is ARFF; give the file a name that ends in .arff", path=path)
    separator = separator or max(SEPARATORS, key=lambda mark: len(_cells(text, mark)))
    names = _cells(text, separator)
    layout = Delimited(path, tuple(names), separator, encoding, max(BLOCK, 2 * longest), content, bool(n_quotes % 2),
                       len(first) == CHUNK or _has_rows(text, separator))  # fmt: skip
    _check_names(layout)
    return layout


def _cells(text: str, separator: str) -> list[str]:
    """The cells of the first row."""
    try:
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error:  # a cell is too long for it
        return []
    return [cell.strip() or f"column {place}" for place, cell in enumerate(cells, 1)]


def _has_rows(text: str, separator: str) -> bool:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    next(rows)
    try:
        return any(rows)
    except csv.Error:  # a cell is too long for it
        return True


def _looked_through(path: str, content: bytes | None) -> tuple[bytes, str, int, int]:
    """The first megabyte, the encoding, the number of bytes of the longest line, and the number of double quotes."""
    longest = since = n_quotes = 0
    is_utf8, first = True, b""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with opened(path, content) as stream:
            while chunk := stream.read(CHUNK):
                if not first:
                    first = chunk
                    _check_text(path, first)
                n_quotes += chunk.count(b'"')
                last = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
                longest = max(longest, since + (len(chunk) if last < 0 else min(CHUNK, last + 1)))
                since = since + len(chunk) if last < 0 else len(chunk) - last - 1
                if longest > LONGEST_LINE:
                    raise TableError(
                        f"a line is longer than {LONGEST_LINE:,} bytes, which no table has; check the file", path=path
                    )
                if is_utf8:
                    try:
                        decoder.decode(chunk)
                    except UnicodeDecodeError:
                        is_utf8 = False
            if is_utf8:
                try:
                    decoder.decode(b"", final=True)
                except UnicodeDecodeError:
                    is_utf8 = False
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(path, error) from error
    mark = next((mark for mark in _MARKS if first.startswith(mark)), None)
    if mark is not None:
        return first, _MARKS[mark], longest, n_quotes
    if not is_utf8:
        warnings.warn(Note(f"{path} is not UTF-8; it was read as Latin-1"), stacklevel=2)
    return first, "utf-8" if is_utf8 else "latin-1", longest, n_quotes


def _check_text(path: str, first: bytes) -> None:
    for beginning, what in _NO_TEXT.items():
        if first.startswith(beginning):
            raise TableError(f"this is {what}, no CSV file; give it the ending that says so", path=path)
    if b"\0" in first and not first.startswith(tuple(_MARKS)):
        raise TableError("holds bytes that are no text; save it as CSV in UTF-8", path=path)


def _check_names(layout: Delimited) -> None:
    names = layout.names
    if not names:
        raise TableError("expected a row of column names, got one long text", path=layout.path, line=1)
    if all(map(is_number, names)):
        raise TableError(
            f"expected a row of column names, got the numbers {', '.join(names[:3])}; put the names above the values",
            path=layout.path, line=1,
        )  # fmt: skip
    if twice := next((name for place, name in enumerate(names) if name in names[:place]), None):
        raise TableError(f"the column name '{twice}' is used twice; rename one", path=layout.path, line=1)


def unreadable(path: str, error: Exception) -> TableError:
    """The error for a file that the system, or a library, cannot read."""
    reasons: dict[type, str] = {
        FileNotFoundError: "no such file; check the name and the folder",
        IsADirectoryError: "this is a folder; name a file in it",
        PermissionError: "no permission to read this file",
    }
    damaged = isinstance(error, EOFError | zlib.error | gzip.BadGzipFile)
    said = f"the gzip file is damaged or cut short ({error}); get it again" if damaged else f"cannot be read: {error}"
    return TableError(reasons.get(type(error), said), path=path)


@contextmanager
def opened(path: str, content: bytes | None) -> Iterator[IO[bytes]]:
    """The bytes of a file, or these, unpacked if they are gzipped."""
    with open(path, "rb") if content is None else io.BytesIO(content) as stream:
        head = stream.read(2)
        stream.seek(0)
        if head == b"\x1f\x8b":
            with gzip.open(stream) as unpacked:
                yield cast(IO[bytes], unpacked)
        else:
            yield stream
