"""CSV files: numbers as people write them, Unix line ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import IO, Any

import numpy as np

from wekaconf.data import Attribute
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dates import DateFormat

DIGITS = 12
"""Significant digits of a number."""
# Significant digits, not decimals: a tail probability of 1e-20 is a certainty like any other.
NUMBER = f".{DIGITS}g"
"""The format of a number."""
SMALLEST_USUAL, LARGEST_USUAL = 1e-300, 10.0 ** (DIGITS - 1)
"""The sizes between which Python's `repr` writes a number of `DIGITS` digits as `NUMBER` does."""


def write_rows(file: IO[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write rows of cells as CSV to an open file; see `cell_value`."""
    for row in rows:
        texts = ("" if each is None else quote_cell(str(each), ",") for each in map(cell_value, row))
        file.write(f"{','.join(texts)}\n")  # csv.writer would leave a carriage return as it is


def column_texts(attribute: Attribute, cells: FloatArray, put: Callable[[str], str] = str) -> list[str]:
    """The cells of a column of a data set as texts; see `cell_value`. ``put`` is applied to texts that are no numbers.

    Equal cells are converted once.

    A tree has few distinct probabilities: a million rows take two seconds, and four with Python's csv module. Formulas
    are not defused, since any change would break programs that read the file back.
    """
    if attribute.kind == "numeric" and (np.abs(cells) < 10.0**DIGITS).all() and (cells == np.rint(cells)).all():
        return [*map(str, cells.astype(np.int64).tolist())]
    distinct, place = np.unique(cells, return_inverse=True)
    if attribute.is_indexed:
        known = distinct[~np.isnan(distinct)].astype(np.intp).tolist()
        words = [put(attribute.values[each]) for each in known] + [""] * (len(distinct) - len(known))
    elif attribute.kind == "date":
        date = DateFormat(attribute.date_format, attribute.zone)
        words = ["" if math.isnan(value) else put(date.format(value)) for value in distinct.tolist()]
    else:
        words = _numbers(distinct)
    return np.array(words, dtype=object)[place].tolist()


def _numbers(values: FloatArray) -> list[str]:
    """`cell_value` of each value; of one of usual size `DIGITS` digits are the shortest text that is read as them."""
    is_usual = (np.abs(values) >= SMALLEST_USUAL) & (np.abs(values) < LARGEST_USUAL)
    words = np.empty(len(values), dtype=object)
    words[is_usual] = [f"{value:{NUMBER}}" for value in values[is_usual].tolist()]
    words[~is_usual] = [*map(cell_value, values[~is_usual].tolist())]
    return words.tolist()


def quote_cell(text: str, delimiter: str) -> str:
    """The text as a cell of CSV."""
    if '"' in text:
        text = text.replace('"', '""')
    elif not (delimiter in text or "\n" in text or "\r" in text):
        return text
    return f'"{text}"'


def cell_value(value: Any) -> Any:
    """The cell for a value: a float as the shortest text of 12 significant digits, NaN as an empty cell.

    So 0.30000000000000004 is written 0.3, 5.0 is written 5, and 1e-20 stays. JSON keeps all digits instead.
    """
    if not isinstance(value, float):
        return value
    if math.isnan(value):
        return ""
    return repr(float(f"{value:{NUMBER}}") + 0.0).removesuffix(".0")
