"""Columns of values as texts: `number`, `apart` and `cells` of many rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.data._header import Attribute
from wekaconf.data.arrays import FloatArray, Int64Array, TextArray, as_rows, texts_of
from wekaconf.data.wording._notation import (
    DIGITS,
    EXACT_DIGITS,
    FLOAT_BITS,
    LARGEST_DIGITS,
    cells,
    number_with_point,
    the_mark,
)

FEW = 16
"""Number of rows up to which they are written one by one, which is then faster."""
SURELY_OFF = 1e-5
"""Distance from the nearest whole number from which a number, scaled to `EXACT_DIGITS` digits, surely needs more."""
SMALLEST, LARGEST = 1e-100, 1e9
"""The sizes between which numbers are scaled."""
LARGEST_POWER = 1e22
"""The largest power of ten that is a float: divided by it, whole numbers are what is read from their digits."""
PLACES = 2 * DIGITS
"""The number of decimal places, from 0 on, with which numbers of `DIGITS` digits are kept."""
TIE = 1e-9
"""Distance from half way between two numbers within which rounding is left to Python."""


class _Lengths(NamedTuple):
    """Which values surely have more digits than any exact form, and which are surely read from an exact form.

    Parameters
    ----------
    is_long, is_short : (n,) bool
    exponent : (n,) int64
        That of the first digit, where the value is long.
    """

    is_long: NDArray[np.bool_]
    is_short: NDArray[np.bool_]
    exponent: Int64Array


class _ShortNumbers:
    """The numbers of `DIGITS` digits with up to `PLACES` − 1 decimal places, each written when it is first needed."""

    def __init__(self) -> None:
        sizes = np.arange(10**DIGITS + 1) / 10.0 ** np.arange(PLACES)[:, None]
        self._numbers = np.concatenate((sizes, -sizes)).ravel()
        self._texts = np.empty(len(self._numbers), dtype=object)
        self._is_written = np.zeros(len(self._numbers), dtype=np.bool_)

    def nearest(self, values: FloatArray, exponent: Int64Array) -> Int64Array:
        """(n,) int64: the place here of each value rounded to `DIGITS` digits, −1 if it lies outside, or half way."""
        decimals = DIGITS - 1 - exponent
        is_inside = (decimals >= 0) & (decimals < PLACES)
        decimals = np.where(is_inside, decimals, 0)
        scaled = np.where(is_inside, np.abs(values) * 10.0**decimals, 0.0)
        digits = np.rint(scaled)
        is_inside &= np.abs(np.abs(scaled - digits) - 0.5) > TIE
        row = decimals + np.where(values < 0, PLACES, 0)
        return np.where(is_inside, row * (10**DIGITS + 1) + digits.astype(np.int64), -1)

    def at(self, places: Int64Array) -> tuple[TextArray, FloatArray]:
        """(n,) object and (n,) float64: the texts and the numbers."""
        new = np.unique(places[~self._is_written[places]])
        self._texts[new] = texts_of(f"{value:.{DIGITS}g}" for value in self._numbers[new].tolist())
        self._is_written[new] = True
        return self._texts[places], self._numbers[places]


_short_numbers = cache(_ShortNumbers)


def text_column(name: str, texts: Sequence[str | None]) -> tuple[Attribute, FloatArray]:
    """An attribute of texts and its cells; None is a missing one."""
    known = tuple(dict.fromkeys(text for text in texts if text is not None))
    place = dict(zip((None, *known), (np.nan, *range(len(known))), strict=True))
    return Attribute(name, "string", known), np.array([*map(place.__getitem__, texts)], dtype=np.float64)


def each_distinct(values: NDArray[Any], write: Callable[[Any], str]) -> TextArray:
    """(n,) object: the text of each value; of many, that of each distinct value is written once."""
    if len(values) <= FEW:
        return texts_of(map(write, values.tolist()))
    distinct, place = np.unique(values, return_inverse=True)
    return texts_of(map(write, distinct.tolist()))[place]


def each_of(places: NDArray[np.integer[Any]], n: int, write: Callable[[int], str]) -> TextArray:
    """(n_places,) object: the text of each place, from −n to n − 1; for many places the texts of all n are written."""
    if len(places) <= FEW:
        return texts_of(map(write, places.tolist()))
    return texts_of(map(write, range(n)))[places]


def numbers(values: FloatArray) -> TextArray:
    """(n,) object: `number` of each value."""
    is_many = len(values) > FEW
    return _with_mark(_written(values, DIGITS)[0] if is_many else texts_of(map(number_with_point, values.tolist())))


def _with_mark(texts: TextArray) -> TextArray:
    """`with_mark` of each text."""
    mark = the_mark()
    return texts if mark == "." else texts_of(text.replace(".", mark) for text in texts)


def numbers_apart(*columns: FloatArray) -> list[TextArray]:
    """`apart` of each row of columns of numbers, (n,) float64 without NaN: the texts of each column, (n,) object."""
    texts = [np.empty(len(column), dtype=object) for column in columns]
    rows = np.arange(len(columns[0]))
    for digits in range(DIGITS, LARGEST_DIGITS + 1):
        values, read = [column[rows] for column in columns], []
        for column_texts, column in zip(texts, values, strict=True):
            column_texts[rows], numbers_read = _written(column, digits)
            read.append(numbers_read)
        is_alike = np.zeros(len(rows), dtype=np.bool_)
        for (a, x), (b, y) in combinations(zip(values, read, strict=True), 2):
            is_alike |= _are_alike(a, b, x, y)
        rows = rows[is_alike]
        if not len(rows):
            break
    return [*map(_with_mark, texts)]


def _are_alike(a: FloatArray, b: FloatArray, x: FloatArray, y: FloatArray) -> NDArray[np.bool_]:
    """(n,) bool: whether two numbers, which are read as ``x`` and ``y``, do not read in their order."""
    return np.asarray(((a < b) != (x < y)) | ((a > b) != (x > y)))


def cell_texts(
    attributes: Sequence[Attribute], column: NDArray[np.integer[Any]], *values: FloatArray
) -> list[TextArray]:
    """`cells` of each row of columns of values, none missing: the texts of each column, (n,) object.

    Parameters
    ----------
    attributes : sequence of Attribute
    column : (n,) integers
        The place in ``attributes`` of that of each row.
    values : (n,) float64 each
    """
    texts = [np.empty(len(column), dtype=object) for _ in values]
    others = np.arange(len(column))
    if len(column) > FEW:
        is_indexed = np.array([attribute.is_indexed for attribute in attributes], dtype=np.bool_)
        is_date = np.array([attribute.kind == "date" for attribute in attributes], dtype=np.bool_)
        named, plain = np.flatnonzero(is_indexed[column]), np.flatnonzero(~(is_indexed | is_date)[column])
        if len(named):
            _put(texts, named, _names(attributes, column[named], *(each[named] for each in values)))
        if len(plain):
            _put(texts, plain, numbers_apart(*(each[plain] for each in values)))
        others = np.flatnonzero(is_date[column])
    known: dict[tuple[Any, ...], tuple[str, ...]] = {}
    for i, row in zip(others.tolist(), as_rows(column[others], *(each[others] for each in values)), strict=True):
        if row not in known:
            known[row] = cells(attributes[row[0]], *row[1:])
        for part, text in zip(texts, known[row], strict=True):
            part[i] = text
    return texts


def _put(texts: list[TextArray], rows: NDArray[np.intp], of_rows: list[TextArray]) -> None:
    """Write the texts of some rows into the columns of all rows."""
    for column, part in zip(texts, of_rows, strict=True):
        column[rows] = part


def _names(attributes: Sequence[Attribute], column: NDArray[np.integer[Any]], *values: FloatArray) -> list[TextArray]:
    """The names of nominal values, (n,) object per column of values."""
    names = texts_of(chain.from_iterable(attribute.values for attribute in attributes))
    first = np.cumsum([0, *(len(attribute.values) for attribute in attributes)])[column]
    return [names[first + each.astype(np.intp)] for each in values]


def _written(values: FloatArray, digits: int) -> tuple[TextArray, FloatArray]:
    """(n,) object and (n,) float64: `number` of each value, and what is read; infinite values are read as they are.

    Most values are longer than what is written of them, or, read from a file, just as long. Of the longer the ones of
    usual size are looked up, the others are formatted; only what may be either is tried as `number` tries it.
    """
    is_long, is_short, exponent = _lengths(values)
    texts, read, place = np.empty(len(values), dtype=object), values.copy(), np.full(len(values), -1)
    if digits == DIGITS:
        place[is_long] = _short_numbers().nearest(values[is_long], exponent[is_long])
        is_known = place >= 0
        texts[is_known], read[is_known] = _short_numbers().at(place[is_known])
    rest = np.flatnonzero(place < 0)
    distinct, first, place = np.unique(values[rest], return_index=True, return_inverse=True)
    first = rest[first]
    is_plain = (is_long | is_short)[first]
    n_digits = np.where(is_long[first], np.maximum(exponent[first] + 1, digits), EXACT_DIGITS)
    rows = as_rows(distinct, is_plain, n_digits)
    written = texts_of(
        f"{value:.{n}g}" if is_formatted else number_with_point(value, digits) for value, is_formatted, n in rows
    )
    is_other = np.isfinite(distinct) & ~is_short[first]
    distinct[is_other] = [*map(float, written[is_other].tolist())]
    texts[rest], read[rest] = written[place], distinct[place]
    return texts, read


def _lengths(values: FloatArray) -> _Lengths:
    """Find values that are surely long or surely short, see `_Lengths`; the others may be either."""
    size = np.abs(values)
    is_usual = (size > SMALLEST) & (size < LARGEST) & (values != np.trunc(values))
    size = np.where(is_usual, size, 1.0)
    exponent = np.floor(np.log10(size))
    power = 10.0 ** (EXACT_DIGITS - 1 - exponent)
    scaled = size * power
    digits = np.rint(scaled)
    bits = np.frexp(size)[0] * 2.0**FLOAT_BITS
    is_long = is_usual & (np.abs(scaled - digits) > SURELY_OFF) & (bits != np.rint(bits))
    is_short = is_usual & (digits / power == size) & (power >= 1) & (power <= LARGEST_POWER)
    return _Lengths(is_long, is_short, exponent.astype(np.int64))
