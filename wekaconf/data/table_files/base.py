"""The common ground of all table files: options for reading the columns, and conversions of DataFrames."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wekaconf.data.cells import CellError, is_number, value_text
from wekaconf.data.columns import DATE_FORMAT
from wekaconf.data.dates import DateFormat
from wekaconf.data.header import Attribute, Header
from wekaconf.data.table_files.layout import ROWS

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

MISSING = ("", "?", "NA", "N/A", "#N/A", "n/a", "NaN", "nan", "NULL", "null")
"""Texts that mean a missing value in CSV and Excel."""
Texts = dict[str, list[str | None]]
"""Columns as texts; None is missing."""
OnRead = Callable[[int, int], None]


Part = tuple["pd.DataFrame", Texts]
"""Rows of a table: typed columns, and columns as texts."""


@dataclass(frozen=True)
class Reading:
    """How the columns of a table are read.

    Parameters
    ----------
    nominal, numeric : tuple of str
        Columns to read as texts, or as numbers, whatever they hold.
    na : tuple of str
        Texts that mean a missing value, beside `MISSING`; a number is meant however a column of numbers writes it.
    ignore : tuple of str
        Columns to leave out.
    id : str
        A column to leave out of learning and to keep for the output; empty: none.
    """

    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    na: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    id: str = ""

    @property
    def left_out(self) -> tuple[str, ...]:
        """The columns that are no attributes."""
        return tuple(dict.fromkeys([*self.ignore, *([self.id] if self.id else [])]))

    @property
    def without_id(self) -> Reading:
        """The same reading for rows that need no names: the identifier's column is ignored."""
        return replace(self, id="", ignore=self.left_out)

    def of_columns(self, names: Iterable[str]) -> Reading:
        """The same reading for a file with these columns: without the identifier if it is none of them."""
        return self if self.id in names else replace(self, id="")

    def as_record(self) -> dict[str, Any]:
        """The record in a model file, by which further data are read; the kinds are in the header."""
        return {"na": self.na, "ignore": self.ignore, "id": self.id}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Reading:
        """The reading with that record; ValueError if a part is not text."""
        na, ignore, name = tuple(record.get("na", ())), tuple(record.get("ignore", ())), record.get("id", "")
        if not all(isinstance(text, str) for text in (*na, *ignore, name)):
            raise ValueError(f"reading: expected texts, got {reprlib.repr(record)}")
        return cls(na=na, ignore=ignore, id=name)


class TableFile(ABC):
    """A file whose columns are known.

    Attributes
    ----------
    path : str
    names : tuple of str
        The columns.
    form : str
        The kind of file, for people.
    declares_types : bool
        Whether the file declares the names and types of its columns, so that none is guessed.
    """

    path: str
    names: tuple[str, ...]
    form: str
    declares_types: bool = False

    def row_name(self, row: int) -> str:
        """The name in messages of a row, counted from 0 below the column names."""
        return f"row {row + 1}"

    @abstractmethod
    def inferred(self, reading: Reading) -> pd.DataFrame:
        """The columns that are not left out, with types inferred from their cells."""

    @abstractmethod
    def parts(
        self, declared: Sequence[Attribute], kept: Sequence[str], reading: Reading, on_read: OnRead
    ) -> Iterator[Part]:
        """The rows in parts, at least one, which may be empty.

        Parameters
        ----------
        declared : sequence of Attribute
            Columns of the file to read as these attributes declare them; dates may stay texts.
        kept : sequence of str
            Columns of the file to read as texts, too.
        reading : Reading
        on_read : callable
            Called with the amount that has been read, and the total.
        """

    @abstractmethod
    def texts(self, columns: Iterable[str]) -> Texts:
        """These columns as texts; None is missing."""


class FrameTable(TableFile):
    """A table that a library reads as a whole into a DataFrame with types."""

    _frame: pd.DataFrame

    def inferred(self, reading: Reading) -> pd.DataFrame:
        """See `TableFile`."""
        return _without_texts(self._frame.drop(columns=list(reading.left_out)), reading.na)

    def parts(
        self, declared: Sequence[Attribute], kept: Sequence[str], reading: Reading, on_read: OnRead
    ) -> Iterator[Part]:
        """See `TableFile`."""
        frame = _without_texts(self._frame[[attribute.name for attribute in declared]], reading.na)
        texts, n_rows = self.texts(kept), len(frame)
        for begin in range(0, max(n_rows, 1), ROWS):
            end = min(begin + ROWS, n_rows)
            yield frame.iloc[begin:end], {name: cells[begin:end] for name, cells in texts.items()}
            on_read(end, n_rows)

    def texts(self, columns: Iterable[str]) -> Texts:
        """See `TableFile`."""
        texts: Texts = {}
        for name in columns:
            known = self._frame[name].notna()
            cells = self._frame[name].astype(object)
            texts[name] = [value_text(cell) if is_known else None for cell, is_known in zip(cells, known, strict=True)]
        return texts


def first_line(error: Exception) -> str:
    """The first line of a library's message, or the name of an error without a message."""
    return str(error).partition("\n")[0][:200] or type(error).__name__


def as_frame(table: pa.Table) -> pd.DataFrame:
    """A DataFrame whose columns are pyarrow's own, but for doubles and for categories, which keep their order."""
    import pandas as pd
    import pyarrow as pa

    def arrow_dtype(kind: pa.DataType) -> pd.ArrowDtype | None:
        return None if pa.types.is_dictionary(kind) or pa.types.is_float64(kind) else pd.ArrowDtype(kind)

    return table.to_pandas(types_mapper=arrow_dtype)


def without_numbers(frame: pd.DataFrame, na: Sequence[str]) -> pd.DataFrame:
    """The frame with those cells of its numeric columns missing whose number is written by one of these texts."""
    import pandas as pd

    numbers = [float(text) for text in na if is_number(text)]
    for name in frame if numbers else ():
        if pd.api.types.is_numeric_dtype(frame[name]) and not pd.api.types.is_bool_dtype(frame[name]):
            frame = frame.assign(**{name: frame[name].mask(frame[name].isin(numbers))})
    return frame


def _without_texts(frame: pd.DataFrame, na: Sequence[str]) -> pd.DataFrame:
    """The frame with those cells missing that are one of these texts, or a number that one of them writes."""
    import pandas as pd

    frame = without_numbers(frame, na)
    numbers = [float(text) for text in na if is_number(text)]
    for name in frame if na else ():
        column = frame[name]
        if pd.api.types.is_object_dtype(column):
            is_na = column.isin([*na, *numbers]) & ~column.map(lambda cell: isinstance(cell, bool))
            frame = frame.assign(**{name: column.mask(is_na)})
        elif isinstance(column.dtype, pd.CategoricalDtype) or pd.api.types.is_string_dtype(column):
            frame = frame.assign(**{name: column.mask(column.isin(list(na)))})
    return frame


def with_dates(frame: pd.DataFrame, header: Header) -> pd.DataFrame:
    """The frame with texts turned into dates where a date is declared."""
    import pandas as pd

    for attribute in header.attributes:
        name = attribute.name
        if attribute.kind != "date" or name not in frame or not pd.api.types.is_string_dtype(frame[name].dropna()):
            continue
        texts = frame[name].astype(object)
        known = texts.notna()
        if attribute.date_format == DATE_FORMAT:
            dates = pd.to_datetime(texts.where(known, None), utc=True, format="ISO8601", errors="coerce")
        else:
            dates = _by_format(texts, known, DateFormat(attribute.date_format))
        wrong = known & dates.isna()
        if wrong.any():
            row = int(wrong.to_numpy().argmax())
            form = "2024-12-31" if attribute.date_format == DATE_FORMAT else attribute.date_format
            got = f"'{texts.iloc[row]}'; correct it, or make it missing"
            raise CellError(name, row, f"expected a date such as {form}, got {got}")
        frame = frame.assign(**{name: dates})
    return frame


def _by_format(texts: pd.Series, known: pd.Series, form: DateFormat) -> pd.Series:
    import pandas as pd

    milliseconds: dict[str, float | None] = {}
    for text in texts[known].unique():
        try:
            milliseconds[text] = form.parse(text)
        except ValueError:
            milliseconds[text] = None
    return pd.to_datetime(texts.map(milliseconds), unit="ms")
