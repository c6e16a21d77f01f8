"""Columns of texts turned into numbers and dates, by forms that are told, found or remembered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import needed, tell
from wekaconf.base.naming import quoted
from wekaconf.data._cells import MIXED_ZONES, CellError, ColumnError, family_of, is_number
from wekaconf.data._columns import DATE_FORMAT, as_texts, library
from wekaconf.data._header import Attribute
from wekaconf.data.dates import DateFormat, ZoneError
from wekaconf.data.table_files._base import Reading, as_frame, without_numbers, without_texts
from wekaconf.data.table_files._cell_forms import (
    NumberForm,
    date_format_of,
    date_formats_of,
    dates_in,
    expected,
    form_of,
    is_number_in_some_form,
)

if TYPE_CHECKING:
    import pandas as pd

_ZONE = re.compile(r"[T ]\d\d.*(Z|[-+]\d\d(:?\d\d)?)$")
"""The end of a date in ISO 8601 that has a time zone."""


def with_forms(frame: pd.DataFrame, reading: Reading) -> tuple[pd.DataFrame, Reading]:
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
    is_told = reading.told_form is not None or reading.date_format != ""
    for name in frame:
        is_open = name not in reading.nominal and (is_told or _may_have_form(frame[name]))
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


def as_remembered(column: Any, attribute: Attribute, reading: Reading) -> Any:
    """A column of later data with texts read as numbers and dates, and with what meant missing in training missing.

    Parameters
    ----------
    column : array, Series of pandas or polars, or ChunkedArray
    attribute : Attribute
        Of the training data.
    reading : Reading
        Of the training data.

    Returns
    -------
    The column itself if nothing is to be done. Cost: linear in the number of distinct texts.

    Raises
    ------
    ColumnError
        A text is no number or date in the form that is told or remembered.
    """
    form = reading.number_form(attribute.name) if attribute.kind == "numeric" else None
    may_be_formed = form is not None or attribute.kind == "date"
    if not reading.na and not may_be_formed:
        return column
    held = _held(column)
    is_formed = may_be_formed and held == "texts"
    if not held or not (reading.na or is_formed):
        return column
    with needed("reading texts as numbers or dates, or some values as missing", "tables"):
        import pandas  # noqa: F401
    cells = _as_series(column, attribute)
    cells = without_texts(cells, reading.na_texts) if reading.na else cells
    if is_formed and attribute.kind == "date" and (texts := _distinct_texts(cells, beside="dates")):
        return _dates(cells, texts, attribute, reading)
    if is_formed and form is not None and _distinct_texts(cells, beside="numbers"):
        cells = _numbers(cells, form)
        return without_texts(cells, reading.na_texts) if reading.na else cells
    return cells if reading.na else column


def _held(column: Any) -> Literal["texts", "numbers", ""]:
    """Whether a column may hold texts, or holds numbers; empty: neither."""
    if library(column) == "pyarrow":
        kind, types = column.type, import_module("pyarrow").types
        kind = kind.value_type if types.is_dictionary(kind) else kind
        are_texts = types.is_string(kind) or types.is_large_string(kind) or str(kind) == "string_view"
        are_numbers = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    elif library(column) == "polars":
        kind, pl = column.dtype, import_module("polars")
        are_texts, are_numbers = kind in (pl.String, pl.Categorical, pl.Enum), kind.is_numeric()
    elif library(column) == "pandas":
        types = import_module("pandas").api.types
        is_category = isinstance(column.dtype, import_module("pandas").CategoricalDtype)
        are_texts = is_category or types.is_string_dtype(column.dtype)  # of objects, too
        are_numbers = types.is_numeric_dtype(column.dtype)
    else:
        are_texts, are_numbers = column.dtype.kind in "OUT", column.dtype.kind in "iuf"
    return "texts" if are_texts else "numbers" if are_numbers else ""


def _as_series(column: Any, attribute: Attribute) -> pd.Series:
    """A column as a Series of pandas; the categories of one that is not nominal as texts."""
    import pandas as pd

    if library(column) == "polars":
        column = column.cast(import_module("polars").String) if _held(column) == "texts" else column
        column = column.to_arrow()
    if library(column) == "pyarrow":
        import pyarrow as pa

        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        plain = as_texts(column) if _held(column) == "texts" else column.cast(kind)
        column = as_frame(pa.table({attribute.name: plain}))[attribute.name]
    elif library(column) != "pandas":
        column = pd.Series(column)
    is_category = isinstance(column.dtype, pd.CategoricalDtype) and not attribute.is_indexed
    return (column.astype(object) if is_category else column).rename(attribute.name)


class DateError(CellError):
    """A text is no date in a form that is known."""


def _dates(texts: pd.Series, values: Sequence[str], attribute: Attribute, reading: Reading) -> pd.Series:
    """Texts as dates: in ISO 8601, in the format that is told or was found, or in that of an ARFF file."""
    told, is_own = reading.date_form(attribute.name), attribute.date_format == DATE_FORMAT
    forms = [told] if told else []
    forms = ["", *forms] if is_own else [*forms, attribute.date_format, ""]
    texts = texts.astype(object)
    known, misfits = texts.notna(), list[NDArray[np.bool_]]()
    for form in forms:
        if is_own or not form:
            dates = dates_in(texts, form)
        else:
            dates = _by_format(texts, known, DateFormat(form, attribute.zone))
        misfits.append(np.asarray(known & dates.isna()))
        if not misfits[-1].any():
            break
    else:
        row = int(misfits[-1 if is_own else 0].argmax())
        shown_forms = [form or "2024-12-31" for form in (forms[-1:] if is_own else forms)]
        got = f"'{texts.iloc[row]}'; correct it, or make it missing"
        raise DateError(attribute.name, row, f"expected a date such as {', or all as '.join(shown_forms)}, got {got}")
    if form:
        return dates
    n_naive = sum(_ZONE.search(text) is None for text in values)
    if 0 < n_naive < len(values):
        if attribute.zone:
            raise ColumnError(attribute.name, MIXED_ZONES, "; give all of them one")
        tell(f"column {quoted(attribute.name)}{MIXED_ZONES}; those without are read as UTC")
    return dates.dt.tz_localize(None) if n_naive and attribute.zone else dates


def _may_have_form(column: pd.Series) -> bool:
    """Whether the first known cell, of a column of Python objects the first text, is a number or a date in any form."""
    if column.dtype == object:
        first = next((cell for cell in column if isinstance(cell, str)), None)
    else:
        place = column.first_valid_index()
        try:
            first = None if place is None else column[place]
        except OverflowError:  # a date that Python cannot hold
            return False
    return isinstance(first, str) and (is_number_in_some_form(first) or bool(date_formats_of([first])))


def _distinct_texts(column: pd.Series, *, beside: str) -> list[str]:
    """The distinct texts of a column; empty where it holds none, or something else than this family beside them."""
    import pandas as pd

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
    """The columns that were read as numbers or dates by a form that was found or told, in words."""
    numbers = [f"{quoted(name)} as numbers such as {form}" for name, form in reading.number_forms]
    return numbers + [f"{quoted(name)} as dates {date_format}" for name, date_format in reading.date_forms]
