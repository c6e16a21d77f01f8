"""Columns of texts in a DataFrame turned into numbers and dates, by forms that are told, found or remembered.

A table of Arrow holds no texts of that sort; see `ParquetTable`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from wekaconf.base.errors import tell
from wekaconf.base.naming import quoted
from wekaconf.data.cells import CellError, family_of, is_number
from wekaconf.data.columns import DATE_FORMAT, library
from wekaconf.data.dates import DateFormat
from wekaconf.data.header import Header
from wekaconf.data.table_files.base import Frame, Reading, without_numbers
from wekaconf.data.table_files.date_forms import date_format_of, date_formats_of, dates_in
from wekaconf.data.table_files.number_forms import NumberForm, expected, form_of, is_number_in_some_form
from wekaconf.data.zones import ZoneError

if TYPE_CHECKING:
    import pandas as pd

_ZONE = re.compile(r"[T ]\d\d.*(Z|[-+]\d\d(:?\d\d)?)$")
"""The end of a date in ISO 8601 that has a time zone."""


def with_forms(frame: Frame, reading: Reading) -> tuple[Frame, Reading]:
    """The frame with its texts read as numbers and dates where their form is told, or found beyond doubt.

    Parameters
    ----------
    frame : DataFrame
        The columns of training data, with the types that their cells have.
    reading : Reading

    Returns
    -------
    frame : DataFrame
        Cost: linear in the number of distinct texts.
    reading : Reading
        With the forms that were found or told, by which later files are read.

    Raises
    ------
    CellError
        A column holds numbers that are not in the form that the user names.
    """
    numbers, dates = dict[str, NumberForm](), dict[str, str]()
    if library(frame) == "pyarrow":
        return frame, replace(reading, number_forms=(), date_forms=())
    is_told = reading.told_form is not None or reading.date_format != ""
    for name in frame:
        is_open = name not in reading.nominal and (is_told or may_have_form(_first(frame[name])))
        values = _distinct_texts(frame[name], beside="numbers") if is_open else []
        form = _number_form(name, frame[name], values, reading) if values else None
        if form is not None:
            numbers[name] = form
            frame = frame.assign(**{name: _numbers(frame[name], form)})
            continue
        values = _distinct_texts(frame[name], beside="dates") if is_open and name not in reading.numeric else []
        if values and (date_format := _date_form(values, reading)):
            dates[name] = date_format
            frame = frame.assign(**{name: dates_in(frame[name], date_format)})
    read = replace(reading, number_forms=tuple(numbers.items()), date_forms=tuple(dates.items()))
    return without_numbers(frame, reading.na) if numbers else frame, read


def _number_form(name: str, column: pd.Series, values: Sequence[str], reading: Reading) -> NumberForm | None:
    """The form in which a column of texts holds numbers; None: it holds other texts."""
    if reading.told_form is None:
        return form_of(values)
    form = reading.told_form.with_currency(values)
    is_other = [form.number(value) is None for value in values]
    if not any(is_other):
        return form
    if name in reading.numeric or all(map(is_number, values)):
        wrong = values[is_other.index(True)]
        raise CellError(name, int((column == wrong).to_numpy().argmax()), expected(form, wrong))
    return None


def _date_form(values: Sequence[str], reading: Reading) -> str | None:
    """The format in which a column of texts holds dates; None: it holds other texts."""
    import pandas as pd

    told = reading.date_format
    if told and dates_in(pd.Series(list(values), dtype=object), told).notna().all():
        return told
    return date_format_of(values)


def with_numbers(frame: Frame, header: Header, reading: Reading) -> Frame:
    """The frame of a later file with texts turned into numbers, where their form is told or remembered.

    Raises
    ------
    CellError
        A text is no number in that form.
    """
    if library(frame) == "pyarrow":
        return frame
    formed = {attribute.name: reading.number_form(attribute.name) for attribute in header.attributes
              if attribute.kind == "numeric"}  # fmt: skip
    columns = {name: _numbers(frame[name], form) for name, form in formed.items()
               if form is not None and name in frame and _distinct_texts(frame[name], beside="numbers")}  # fmt: skip
    return without_numbers(frame.assign(**columns), reading.na) if columns else frame


def with_dates(frame: Frame, header: Header, reading: Reading) -> Frame:
    """The frame with texts turned into dates where a date is declared."""
    if library(frame) == "pyarrow":
        return frame
    import pandas as pd

    for attribute in header.attributes:
        name = attribute.name
        is_own = attribute.date_format == DATE_FORMAT
        if attribute.kind != "date" or name not in frame:
            continue
        values = _distinct_texts(frame[name], beside="dates" if is_own else "")
        if not values:
            continue
        texts = frame[name].astype(object)
        known, form = texts.notna(), "2024-12-31"
        if not is_own:
            form = attribute.date_format
            dates = _by_format(texts, known, DateFormat(form, attribute.zone))
        else:
            dates = pd.to_datetime(texts.where(known, None), utc=True, format="ISO8601", errors="coerce")
            if (date_form := reading.date_form(name)) and (known & dates.isna()).any():
                form, dates = date_form, dates_in(texts, date_form)
            elif len({_ZONE.search(text) is None for text in values}) > 1:
                tell(f"column {quoted(name)} mixes dates with and without a time zone; those without are read as UTC")
        wrong = known & dates.isna()
        if wrong.any():
            row = int(wrong.to_numpy().argmax())
            got = f"'{texts.iloc[row]}'; correct it, or make it missing"
            raise CellError(name, row, f"expected a date such as {form}, got {got}")
        frame = frame.assign(**{name: dates})
    return frame


def may_have_form(first: object) -> bool:
    """Whether the first known cell of a column, None if there is none, is a number or a date in any form."""
    return isinstance(first, str) and (is_number_in_some_form(first) or bool(date_formats_of([first])))


def _first(column: pd.Series) -> object:
    """The first known cell of a column, of one that holds Python objects the first text."""
    if column.dtype == object:
        return next((cell for cell in column if isinstance(cell, str)), None)
    place = column.first_valid_index()
    try:
        return None if place is None else column[place]
    except OverflowError:  # a date that Python cannot hold
        return None


def _distinct_texts(column: pd.Series, *, beside: str) -> list[str]:
    """The distinct texts of a column; empty where it holds none, or something else than this family beside them."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return []
    if pd.api.types.is_string_dtype(column.dropna()):
        return [str(text) for text in column.dropna().unique()]
    if column.dtype != object or {*map(family_of, map(type, column.dropna()))} != {"texts", beside}:
        return []
    return [*dict.fromkeys(cell for cell in column if isinstance(cell, str))]


def _numbers(column: pd.Series, form: NumberForm) -> pd.Series:
    """The cells as numbers; CellError if a text is none in this form."""
    import pandas as pd

    codes, values = pd.factorize(column.astype(object))
    numbers = [form.number(value) if isinstance(value, str) else float(value) for value in values]
    if None in numbers:
        place = numbers.index(None)
        raise CellError(str(column.name), int((codes == place).argmax()), expected(form, values[place]))
    return pd.Series(np.array([*numbers, np.nan], dtype=np.float64)[codes], index=column.index)


def _by_format(texts: pd.Series, known: pd.Series, form: DateFormat) -> pd.Series:
    import pandas as pd

    milliseconds: dict[str, float | None] = {}
    for text in texts[known].unique():
        try:
            milliseconds[text] = form.parse(text)
        except ZoneError as error:
            raise CellError(str(texts.name), int((texts == text).to_numpy().argmax()), str(error)) from error
        except ValueError:
            milliseconds[text] = None
    return pd.to_datetime(texts.map(milliseconds), unit="ms", utc=True)


def found_forms(reading: Reading) -> list[str]:
    """What was read as numbers or dates by a form that was found or told, for people."""
    numbers = [f"{quoted(name)} as numbers such as {form}" for name, form in reading.number_forms]
    return numbers + [f"{quoted(name)} as dates {date_format}" for name, date_format in reading.date_forms]
