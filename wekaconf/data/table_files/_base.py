"""The common ground of all table files: options for reading the columns, and conversions of DataFrames."""

from __future__ import annotations

import math
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import name_list, quoted, shown
from wekaconf.base.words import Setting
from wekaconf.data._cells import is_number, value_text
from wekaconf.data._header import Attribute, Header
from wekaconf.data.table_files._cell_forms import DECIMAL_MARKS, NumberForm, check_date_format, told_form
from wekaconf.data.table_files._layout import PLAIN, ROWS, SEPARATORS, CsvMarks

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

# "None" is not among them: it is a usual category.
MISSING = ("", "?", "NA", "N/A", "#N/A", "n/a", "NaN", "nan", "NULL", "null")
"""Texts that mean a missing value in CSV and Excel."""
Texts = dict[str, list[str | None]]
"""Columns as texts; None is missing."""
OnRead = Callable[[int, int], None]


Part = tuple["pd.DataFrame", Texts]
"""Rows of a table: typed columns, and columns as texts."""


FILE_OPTIONS = ("decimal", "thousands", "date_format", "sheet", "no_header", "rename")
"""The parameters of `Reading` that say how a file is written, whatever its columns mean."""


@dataclass(frozen=True)
class Reading:
    """The way in which the columns of a table are read.

    Parameters
    ----------
    nominal, numeric : tuple of str
        Columns to read as texts, or as numbers, whatever they hold.
    na : tuple of str
        Texts that mean a missing value, beside `MISSING`, or in place of it where the empty text is among them; a
        number is meant however a column of numbers writes it.
    ignore : tuple of str
        Columns to leave out.
    id : str
        A column to leave out of learning and to keep for the output; empty: none.
    decimal, thousands : str
        The marks in numbers, see `told_form`; empty: they are found where a column leaves no doubt.
    date_format : str
        The format of dates that are not in ISO 8601, see `LETTERS`; empty: it is found where there is no doubt.
    sheet : str
        The sheet of a workbook, by name or by its number, counted from 1; empty: the first.
    no_header : bool
        Whether the first row holds values, so that columns are called after their places.
    rename : tuple of (str, str)
        Old and new names of columns; all other parameters, and the data, have the new ones.
    number_forms : tuple of (str, NumberForm)
        The forms found in columns of training data, by the column.
    date_forms : tuple of (str, str)
        The formats found in columns of training data, by the column.
    marks : CsvMarks
        Those of the CSV file of the training data; `PLAIN` if these were no CSV.
    is_inferred : bool
        Whether the kinds and the nominal values of the columns are those found in the rows; no part of a record.

    Raises
    ------
    OptionError
        The marks of numbers or the date format are not as they should be.
    """

    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    na: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    id: str = ""
    decimal: str = ""
    thousands: str = ""
    date_format: str = ""
    sheet: str = ""
    no_header: bool = False
    rename: tuple[tuple[str, str], ...] = ()
    number_forms: tuple[tuple[str, NumberForm], ...] = ()
    date_forms: tuple[tuple[str, str], ...] = ()
    marks: CsvMarks = PLAIN
    is_inferred: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        """Check the forms that the user names."""
        name = "date_format"
        try:
            check_date_format(self.date_format)
            name = "decimal" if self.decimal else "thousands"
            told_form(self.decimal, self.thousands)
        except ValueError as error:
            raise OptionError(str(error), parameter=name) from None

    @property
    def told_form(self) -> NumberForm | None:
        """The form of numbers that the user names."""
        return told_form(self.decimal, self.thousands)

    def number_form(self, name: str) -> NumberForm | None:
        """The form of the numbers of a column: the one that was found in training, else the one that the user names."""
        return dict(self.number_forms).get(name, self.told_form)

    def date_form(self, name: str) -> str:
        """The format of the dates of a column, as `number_form`; empty: ISO 8601."""
        return dict(self.date_forms).get(name, self.date_format)

    @property
    def na_texts(self) -> tuple[str, ...]:
        """The texts of ``na``, and its numbers as columns of floats and of integers write them.

        pandas writes −999 as -999.0; in columns of texts 1 does not mean 01.
        """
        numbers = [text for text in self.na if is_number(text) and math.isfinite(float(text))]
        other = [form for text in numbers for form in (repr(float(text)), text.removesuffix(".0"))]
        return tuple(dict.fromkeys([*self.na, *other]))

    def missing(self, declared: Container[str] = ()) -> tuple[str, ...]:
        """The texts that mean a missing value beside declared values; ``na`` beats these, `MISSING` does not."""
        listed = () if "" in self.na else MISSING
        return (*self.na_texts, *(text for text in listed if text not in declared))

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

    def of_file(self, other: Reading) -> Reading:
        """The same reading for a file that is written as ``other`` says, where it says anything."""
        told = {name: value for name in FILE_OPTIONS if (value := getattr(other, name))}
        if told.keys() & {"decimal", "thousands"}:
            told |= {"decimal": other.decimal, "thousands": other.thousands, "number_forms": ()}
        if "date_format" in told:
            told["date_forms"] = ()
        return replace(self, **told)

    def with_forms_of(self, training: Reading) -> Reading:
        """The same reading with the forms that were found in training data."""
        return replace(self, number_forms=training.number_forms, date_forms=training.date_forms, marks=training.marks)

    def as_record(self) -> dict[str, Any]:
        """The record in a model file, by which further data are read; the kinds are in the header.

        ``na`` is there, or −999 would be a dose; and so are the forms, since a file of next month may have one row with
        ``1.234``, which alone is another number than in training. A decimal comma without thousands is found file by
        file.
        """
        record: dict[str, Any] = {"na": self.na, "ignore": self.ignore, "id": self.id}
        record |= {name: value for name in FILE_OPTIONS if (value := getattr(self, name))}
        forms = {name: (form.decimal, form.thousands, form.currency) for name, form in self.number_forms}
        dates = dict(self.date_forms)
        record |= {"marks": self.marks} if self.marks != PLAIN else {}
        return record | ({"number_forms": forms} if forms else {}) | ({"date_forms": dates} if dates else {})

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Reading:
        """The reading with that record; ValueError if a part is not as `as_record` writes it."""
        texts: dict[str, Any] = {
            name: record.get(name, "") for name in ("id", "decimal", "thousands", "date_format", "sheet")
        }
        lists: dict[str, Any] = {name: tuple(record.get(name, ())) for name in ("na", "ignore")}
        rename: tuple[Any, ...] = tuple(map(tuple, record.get("rename", ())))
        forms, dates = dict(record.get("number_forms", {})), dict(record.get("date_forms", {}))
        marks = tuple(record.get("marks", PLAIN))
        parts = (*texts.values(), *chain(*lists.values(), *rename, *map(tuple, forms.values()), dates.values()))
        pairs, triples = {len(pair) for pair in rename}, {len(form) for form in forms.values()}
        if not all(isinstance(text, str) for text in parts) or pairs - {2} or triples - {3}:
            raise ValueError(f"reading: expected texts, got {reprlib.repr(record)}")
        if len(marks) != 2 or marks[0] not in SEPARATORS or marks[1] not in DECIMAL_MARKS:
            raise ValueError(f"reading: expected the marks between cells and before decimals, got {marks!r}")
        number_forms = tuple((name, NumberForm(*form)) for name, form in forms.items())
        try:
            for date_format in dates.values():
                check_date_format(date_format)
            return cls(
                **texts, **lists, no_header=bool(record.get("no_header")), rename=rename,
                number_forms=number_forms, date_forms=tuple(dates.items()), marks=CsvMarks(*marks),
            )  # fmt: skip
        except OptionError as error:
            raise ValueError(f"reading: {error}") from None


class Read(Protocol):
    """A data set or a model: it has a header, and the reading of the data with that header."""

    @property
    def header(self) -> Header: ...
    @property
    def reading(self) -> Reading | None: ...


def known_by(header: Header | Read) -> tuple[Header, Reading]:
    """A header, and how the data with it were read."""
    if isinstance(header, Header):
        return header, Reading()
    if not isinstance(getattr(header, "header", None), Header):
        got = type(header).__name__
        raise OptionError(parameter="header", expected="a Header, a Dataset or a Model", got=f"a {got}")
    return header.header, header.reading or Reading()


def note_missing_values(what: str, attributes: Iterable[Attribute], reading: Reading) -> None:
    """Give a `Note` per attribute of whose values some mean a missing value, since ``na`` says so."""
    for attribute in attributes:
        if beaten := [text for text in reading.na if text in attribute.value_index]:
            tell(
                f"{what}: {name_list(beaten)} in {quoted(attribute.name)} means a missing value, as ",
                Setting("na", tuple(map(shown, beaten))), " says, though training had it as a value",
            )  # fmt: skip


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

    @abstractmethod
    def name_columns(self, names: Sequence[str]) -> None:
        """Give the columns these names, which are distinct."""

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

    def marks(self, reading: Reading, *, has_decimals: bool) -> CsvMarks:
        """The marks of a text file, as far as it has been read; what a file does not tell is as in training.

        ``has_decimals`` says whether numbers that have been read have decimals.
        """
        del has_decimals
        return reading.marks

    def note_thousands(self, reading: Reading) -> None:
        """Give a `Note` per column that may have points between thousands, since other columns have decimal commas.

        To be called after `inferred`; ``reading`` has the forms that were found.
        """
        del reading

    @abstractmethod
    def texts(self, columns: Iterable[str]) -> Texts:
        """These columns as texts; None is missing."""


class FrameTable(TableFile):
    """A table that a library reads as a whole into a DataFrame with types."""

    _frame: pd.DataFrame

    def name_columns(self, names: Sequence[str]) -> None:
        """See `TableFile`."""
        self.names = tuple(names)
        self._frame = self._frame.set_axis(list(names), axis=1)

    def inferred(self, reading: Reading) -> pd.DataFrame:
        """See `TableFile`."""
        frame = self._frame.drop(columns=list(reading.left_out))
        return frame.assign(**{name: self._known(frame[name], reading) for name in frame})

    def _known(self, column: pd.Series, reading: Reading, declared: Collection[str] = ()) -> pd.Series:
        """The cells of a column; those are missing that mean it where these values are declared."""
        del declared
        return without_texts(column, reading.na_texts) if reading.na else column

    def parts(
        self, declared: Sequence[Attribute], kept: Sequence[str], reading: Reading, on_read: OnRead
    ) -> Iterator[Part]:
        """See `TableFile`."""
        columns = {each.name: self._known(self._frame[each.name], reading, each.value_index) for each in declared}
        frame = self._frame[[*columns]].assign(**columns)
        texts, n_rows = self.texts(kept), len(frame)
        for begin in range(0, max(n_rows, 1), ROWS):
            end = min(begin + ROWS, n_rows)
            yield frame.iloc[begin:end], {name: cells[begin:end] for name, cells in texts.items()}
            on_read(end, n_rows)

    def texts(self, columns: Iterable[str]) -> Texts:
        """See `TableFile`."""
        texts: Texts = {}
        for name in columns:
            cells = self._frame[name].astype(object)
            known = cells.notna()  # of objects NaN is missing, too, where a column of Arrow tells it from null
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

    names = [name for name in frame if pd.api.types.is_numeric_dtype(frame[name])] if any(map(is_number, na)) else []
    return frame.assign(**{name: without_texts(frame[name], na) for name in names})


def without_texts(column: pd.Series, na: Sequence[str]) -> pd.Series:
    """The column with those cells missing that are one of these texts, or a number that one of them writes."""
    import pandas as pd

    numbers = [float(text) for text in na if is_number(text)]
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu":
        column = pd.Series(pd.array(column.to_numpy()), column.index)  # else those that remain would be floats
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.remove_categories([each for each in column.cat.categories if value_text(each) in na])
    if pd.api.types.is_object_dtype(column):
        return column.mask(column.isin([*na, *numbers]) & ~column.map(lambda cell: isinstance(cell, bool)))
    if pd.api.types.is_string_dtype(column):
        return column.mask(column.isin(list(na)))
    is_number_column = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    return column.mask(column.isin(numbers)) if is_number_column and numbers else column
