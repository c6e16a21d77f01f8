"""Reader, with pyarrow, of CSV and TSV files whose layout is known; an error names the line of a row that misfits."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from wekaconf.base.errors import TableError
from wekaconf.base.naming import counted
from wekaconf.data._file_bytes import GZIP, size_of, unreadable
from wekaconf.data.table_files._names import place_name

if TYPE_CHECKING:
    import pyarrow as pa

LONGEST_LINE = 2**26
"""The largest number of bytes of a line."""
BLOCK = 2**22
"""Number of bytes parsed at a time, unless a row is longer."""
ROWS = 2**15
"""The smallest number of rows in a part of a table, which has whole blocks: where it ends depends on the file alone."""
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}


class CsvMarks(NamedTuple):
    """The marks of a CSV file: between cells, and before the decimals of numbers."""

    separator: str
    decimal: str


PLAIN = CsvMarks(",", ".")
"""The marks that programs write."""


@dataclass(frozen=True)
class Delimited:
    """A text file of rows whose layout is known; its cells are read anew each time.

    Parameters
    ----------
    path : str
        ``-`` is standard input.
    names : tuple of str
        The columns, as the first row writes them, without blanks around them.
    separator : str
    encoding : str
    block : int
        Bytes to parse at a time.
    content : bytes, optional
        All of what can be read only once.
    has_odd_quotes : bool
        Whether the number of double quotes is odd, so that one may not be closed.
    has_rows : bool
        Whether anything follows the column names.
    n_before : int
        Number of lines above the column names.
    may_hold_hex : bool
        Whether numbers such as 0x10 may occur, which pyarrow would read as integers.
    has_names : bool
        Whether the first row holds the column names.
    """

    path: str
    names: tuple[str, ...]
    separator: str
    encoding: str
    block: int
    content: bytes | None
    has_odd_quotes: bool
    has_rows: bool
    n_before: int
    may_hold_hex: bool
    has_names: bool

    def read(self, types: Mapping[str, Any], nulls: Sequence[str], columns: Sequence[str]) -> pa.Table:
        """All rows of the file.

        Parameters
        ----------
        types : mapping of str to pyarrow type
            The types of columns; those of others are inferred from all rows.
        nulls : sequence of str
            Texts that mean a missing value.
        columns : sequence of str
            The columns to read, at least one.

        Raises
        ------
        TableError
            A row has more or fewer cells than there are columns, a quote is not closed, or the file can no longer be
            read.
        pyarrow.ArrowInvalid
            A cell is not of its column's type.
        """
        import pyarrow.csv

        if not self.has_rows:
            return pyarrow.table({name: pyarrow.array([], types.get(name)) for name in columns})
        with self._translated_errors(), opened(self.path, self.content) as stream:
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
        """The rows in parts of some megabytes; at least one table, which may be empty.

        The boundaries of the parts depend on the file only. ``on_read`` is called with the bytes read so far and in
        total; see `read` for the rest.
        """
        import pyarrow as pa
        import pyarrow.csv

        part = pa.table({name: pa.array([], types[name]) for name in columns})
        last, is_first = part, True
        with self._translated_errors(), opened(self.path, self.content) as stream:
            n_bytes, file = size_of(self.path, self.content), getattr(stream, "fileobj", stream)
            for batch in pyarrow.csv.open_csv(stream, *self._options(types, nulls, columns)):
                part = pa.concat_tables([part, pa.Table.from_batches([batch])])
                last = part.slice(len(part) - 1) if len(part) else last
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
                column_names=self.names, skip_rows=self.n_before, skip_rows_after_names=int(self.has_names),
                block_size=self.block, encoding=self.encoding,
            ),
            pyarrow.csv.ParseOptions(delimiter=self.separator, newlines_in_values=True),
            pyarrow.csv.ConvertOptions(
                column_types=types, null_values=nulls, strings_can_be_null=True, include_columns=columns,
                true_values=["true", "True", "TRUE"], false_values=["false", "False", "FALSE"],
            ),
        )  # fmt: skip

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Turn pyarrow's errors about rows, and those of the system, into TableError; errors about cells pass."""
        import pyarrow

        try:
            yield
        except pyarrow.ArrowInvalid as error:
            text = str(error)
            if "conversion error" in text:
                raise
            message = f"cannot be read: {text}"
            if "straddling" in text:
                message = f"a row of several lines is longer than {self.block:,} bytes; is a double quote not closed?"
            raise self._ragged_row() or TableError(message, path=self.path) from error
        except UnicodeDecodeError as error:
            begins = f"begins as text in {self.encoding.removesuffix('-sig').upper()}"
            problem = f"{begins}, but byte {error.start} of a part is none in it"
            raise TableError(f"{problem}; save it as CSV in UTF-8", path=self.path) from error
        except (OSError, EOFError, zlib.error) as error:
            raise unreadable(self.path, error) from error

    def _rows(self) -> Iterator[tuple[int, int, list[str]]]:
        """The first line, last line and cells of each row that is not blank, for the message of an error."""
        longest = csv.field_size_limit(LONGEST_LINE)
        try:
            with self._translated_errors(), opened(self.path, self.content) as stream:
                lines = io.TextIOWrapper(stream, self.encoding, errors="replace", newline="")
                for _ in range(self.n_before):
                    lines.readline()
                reader, end = csv.reader(lines, delimiter=self.separator), self.n_before
                for row in reader:
                    begin, end = end + 1, self.n_before + reader.line_num
                    if row:
                        yield begin, end, row
        except csv.Error:  # a cell is too long for it
            return
        finally:
            csv.field_size_limit(longest)

    def _ragged_row(self) -> TableError | None:
        """The error for the first row that has more or fewer cells than there are columns."""
        n_columns = len(self.names)
        for number, (begin, end, row) in enumerate(self._rows()):
            if len(row) == n_columns:
                continue
            as_many = "there are column names" if self.has_names else "in the first row"
            expected = f"expected {counted(n_columns, 'cell')}, as many as {as_many}, got {len(row)}"
            mark = SEPARATORS[self.separator]
            if end > begin:
                message = f"{expected} in the row from here to line {end}; is a double quote not closed?"
            elif len(row) == n_columns + 1 and not row[-1].strip():
                message = (
                    f"{expected}, the last one empty; let no row end in a {mark}, or let the first row end in one too"
                )
            elif len(row) == n_columns - 1 and self.has_names and self.names[-1] == place_name(n_columns - 1):
                message = f"{expected}; let the row of names not end in a {mark}, or let every row end in one"
            else:
                advice = f"correct the row, or put a cell that holds a {mark} in double quotes"
                if number == 1 and self.has_names:
                    advice += f"; or delete line {begin - 1}, if it is no row of column names"
                message = f"{expected}; {advice}"
            return TableError(message, path=self.path, line=begin)
        return None

    def _check_last(self, last: Any) -> None:
        """Raise TableError if the last row takes up the rest of the file because a quote is not closed."""
        if self.has_odd_quotes and any("\n" in str(cell) for column in last.to_pydict().values() for cell in column):
            line = max((begin for begin, _, _ in self._rows()), default=None)
            raise TableError(
                "a double quote is not closed before the file ends; close it, or double it", path=self.path, line=line
            )


def as_stream(path: str, content: bytes | None) -> IO[bytes]:
    """A stream of a file's bytes, or of ``content`` where it is known."""
    return open(path, "rb") if content is None else io.BytesIO(content)


@contextmanager
def opened(path: str, content: bytes | None) -> Iterator[IO[bytes]]:
    """The stream of `as_stream`, unpacked if it is gzipped."""
    with as_stream(path, content) as stream:
        head = stream.read(2)
        stream.seek(0)
        if head == GZIP:
            with gzip.open(stream) as unpacked:
                yield cast(IO[bytes], unpacked)
        else:
            yield stream
