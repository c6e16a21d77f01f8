"""Numbers, dates and cells as people read them: short, but with digits enough for what a sentence compares."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_CEILING, Context
from functools import cache, lru_cache
from itertools import chain, combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.naming import shown
from wekaconf.data._cells import is_number
from wekaconf.data._header import Attribute
from wekaconf.data.arrays import FloatArray, Int64Array, TextArray, as_rows, texts_of
from wekaconf.data.dates import ZoneError, zone

DIGITS = 4
"""Significant digits of a number that needs more than `EXACT_DIGITS`."""
EXACT_DIGITS = 6
"""A number that has no more significant digits is written exactly."""
ROUNDING, FLOAT_ROUNDING = 1e-12, 1e-7
"""Largest relative difference between a number and its digits, and if the number comes from 32-bit floats: CART's
midpoint of 16.82 and 16.83 is 16.825000762939453."""
FLOAT_BITS = 26
"""Binary digits of the midpoint of two 32-bit floats; a number that needs more is no such midpoint."""
LARGEST_DIGITS = 17
DIVIDING = (", ", ";", ": ")
"""Marks that divide sentences; a name that holds one is put in quotes."""
LARGEST_DATE = 2.0**63
"""Milliseconds from which on numpy has no date."""
_UP = Context(prec=3, rounding=ROUND_CEILING)
FEW_INSTANCES = 10
"""The number of instances below which parts of them are told."""
DAY, HOUR, MINUTE, SECOND = 86_400_000, 3_600_000, 60_000, 1000
_MARK = ContextVar("decimal mark", default=".")
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


@contextmanager
def decimal_mark(mark: str) -> Iterator[None]:
    """Within it, the numbers of sentences have this mark before their decimals."""
    before = _MARK.set(mark)
    try:
        yield
    finally:
        _MARK.reset(before)


def the_mark() -> str:
    """The mark that `decimal_mark` has set, else a point."""
    return _MARK.get()


def with_mark(number_text: str) -> str:
    """The text of a number, which has a point, with `the_mark`."""
    mark = _MARK.get()
    return number_text if mark == "." else number_text.replace(".", mark)


def number(value: float, digits: int = DIGITS) -> str:
    """The number with about 4 significant digits; whole and short numbers are exact. It has `the_mark`."""
    return with_mark(number_with_point(value, digits))


def number_with_point(value: float, digits: int = DIGITS) -> str:
    """`number`, but with a point."""
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "−∞"}.get(value, "unknown")
    if value == math.trunc(value) and abs(value) < 1e9:
        return str(int(value))
    exact = f"{value:.{EXACT_DIGITS}g}"
    if math.isclose(float(exact), value, rel_tol=_rounding(value) if digits <= EXACT_DIGITS else 0.0):
        return exact
    n_whole = len(str(math.trunc(abs(value)))) if abs(value) < 1e9 else 0
    return f"{value:.{max(digits, n_whole)}g}"


def _rounding(value: float) -> float:
    """The largest relative difference between a number and the digits that stand for it."""
    # With the wide tolerance for all, one number in seven came near six digits by chance: "0.664557" beside "0.1139".
    # The page has the same rule.
    return FLOAT_ROUNDING if (math.frexp(value)[0] * 2.0**FLOAT_BITS).is_integer() else ROUNDING


def counted_weight(weight: float) -> str:
    """A summed weight in words: 1 training instance, 2.5 training instances."""
    text = number(weight)
    return f"{text} training {'instance' if text == '1' else 'instances'}"


def apart(*values: float) -> tuple[str, ...]:
    """The numbers, none NaN, with enough digits that different numbers read differently, and in their order."""
    texts = _apart(*values)
    return texts if _MARK.get() == "." else tuple(map(with_mark, texts))


@lru_cache(maxsize=1 << 16)
def _apart(*values: float) -> tuple[str, ...]:
    """`apart`, but with a point."""
    for digits in range(DIGITS, LARGEST_DIGITS):
        texts = tuple(number_with_point(value, digits) for value in values)
        read = [float(text) if math.isfinite(value) else value for text, value in zip(texts, values, strict=True)]
        if all((a < b) == (x < y) and x <= y for (a, x), (b, y) in pairwise(sorted(zip(values, read, strict=True)))):
            return texts
    return tuple(number_with_point(value, LARGEST_DIGITS) for value in values)


def counts_apart(*weights: float) -> tuple[str, ...]:
    """Summed weights as whole numbers, below ten with a decimal, or with more that keep different ones different.

    They are those of instances in parts, where missing values divide them: 17.56 of 29.9 becomes 18 of 30.
    """
    for decimals in range(int(max(weights) < FEW_INSTANCES), DIGITS):
        texts = tuple(f"{weight:.{0 if weight.is_integer() else decimals}f}" for weight in (*weights, 0.0))
        order = sorted(zip((*weights, 0.0), map(float, texts), strict=True))
        if all((a < b) == (x < y) for (a, x), (b, y) in pairwise(order)):
            return tuple(with_mark(text) for text in texts[:-1])
    return apart(*weights)


@lru_cache(maxsize=1 << 12)
def class_text(name: str) -> str:
    """A class in a sentence: in quotes if it is a number, has no letter, or has marks that divide sentences."""
    name = shown(name)
    is_plain = any(map(str.isalpha, name)) and not is_number(name) and not any(mark in name for mark in DIVIDING)
    return name if is_plain else f"'{name}'"


def class_share(name: str, share: float) -> str:
    """A class and its probability or share, such as ``yes (0.75)`` or ``'1' (0.75)``."""
    return f"{class_text(name)} ({number(share)})"


def percent(share: float, digits: int = 3, decimals: int | None = None) -> str:
    """A share, such as ``60 %``; only the whole is ``100 %``, and only nothing ``0 %``.

    It has so many significant digits, or decimals if they are given, and more where it takes more to tell that.
    """
    text = f"{100 * share:.{digits}g}" if decimals is None else f"{100 * share:.{decimals}f}"
    if float(text) in (0, 100) and not (share in (0, 1) and decimals is not None):
        text = _apart(100 * share, 0.0, 100.0)[0]
    return f"{with_mark(text)} %"


def percent_ends(low: float, high: float) -> tuple[str, str]:
    """The ends of an interval of shares in percent, with two digits as `percent` writes them, without its sign."""
    return percent(low, 2).removesuffix(" %"), percent(high, 2).removesuffix(" %")


def bound_text(bound: float) -> str:
    """An upper bound with three digits, rounded up, so that it holds as written."""
    return f"{float(_UP.create_decimal(f'{bound:.12g}')):.3g}"


def percent_bound(bound: float) -> str:
    """An upper bound on a share, such as ``5.09 %``, rounded up."""
    return f"{bound_text(100 * bound)} %"


def cells(attribute: Attribute, *values: float) -> tuple[str, ...]:
    """Values of one attribute, none missing: nominal ones by name, dates in ISO 8601, numbers by `apart`.

    A date is written as the clocks showed it in the zone in which the attribute was read, else in UTC; where such texts
    would not tell moments apart, with offsets.
    """
    if attribute.is_indexed:
        return tuple(attribute.values[int(value)] for value in values)
    if attribute.kind == "date" and all(abs(value) < LARGEST_DATE for value in values):
        return _dates(attribute.zone, values)
    return apart(*values)


def _dates(zone_name: str, values: Sequence[float]) -> tuple[str, ...]:
    """Moments as dates of one unit, which read differently, and in their order, where the moments differ."""
    ahead = [ahead_of_utc(zone_name, value) for value in values]
    exact = [round(value) + offset for value, offset in zip(values, ahead, strict=True)]
    short = [*map(_without_float_rounding, values, exact)]
    order = sorted(range(len(values)), key=values.__getitem__)
    for local in (short, exact):
        if all((values[a] < values[b]) == (local[a] < local[b]) and local[a] <= local[b] for a, b in pairwise(order)):
            return _date_texts(local)
    texts = tuple(f"{text}{_offset_text(offset)}" for text, offset in zip(_date_texts(exact), ahead, strict=True))
    return texts if len(set(texts)) == len(set(values)) else apart(*values)


def ahead_of_utc(zone_name: str, milliseconds: float) -> int:
    """How many milliseconds the clocks of a zone are ahead of UTC; 0 where there is none, or only Java knows it."""
    try:
        return SECOND * zone(zone_name).ahead_at(math.floor(milliseconds / SECOND)) if zone_name else 0
    except ZoneError:
        return 0


def _without_float_rounding(milliseconds: float, local: int) -> int:
    """The day, hour or minute that 32-bit floats turned into these milliseconds, if they did."""
    if local % SECOND and _rounding(milliseconds) == FLOAT_ROUNDING:
        for unit in (DAY, HOUR, MINUTE):
            nearest = round(local / unit) * unit
            if abs(nearest - local) <= FLOAT_ROUNDING * abs(milliseconds):
                return nearest
    return local


def _date_texts(local: Sequence[int]) -> tuple[str, ...]:
    unit = "D" if not any(each % DAY for each in local) else "s" if not any(each % SECOND for each in local) else "ms"
    return tuple(str(np.datetime64(each, "ms").astype(f"datetime64[{unit}]")) for each in local)


def _offset_text(milliseconds: int) -> str:
    """The offset of clocks that are so far ahead of UTC, such as ``+02:00``."""
    hours, minutes = divmod(abs(milliseconds) // MINUTE, 60)
    return f"{'-' if milliseconds < 0 else '+'}{hours:02d}:{minutes:02d}"


def interval(low: str, high: str) -> str:
    """An interval whose ends are texts of numbers or dates, such as ``1.06–1.72``."""
    return f"{low}–{high}" if is_plain(low) and is_plain(high) else f"{low} to {high}"


def is_plain(text: str) -> bool:
    """Whether a text has digits and a decimal mark only."""
    return text.replace(_MARK.get(), "").isdigit()


def as_share(value: float) -> str:
    """Advice on how to write a value that looks like a percentage; empty for other values."""
    return f"; write {value / 100:g} for {value:g} %" if 1 < value <= 100 else ""


def as_number(text: str) -> str:
    """Advice on how to write a number that has a percent sign or a decimal comma; empty for other texts."""
    number = text.removesuffix("%").strip().replace(",", ".")
    is_one = number != text and re.fullmatch(r"\d++\.?\d*+|\.\d++", number, re.ASCII)
    return f"; write {float(number) / (100 if '%' in text else 1):g}" if is_one else ""


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
    digits = DIGITS
    while len(rows):
        values, read = [column[rows] for column in columns], []
        for column_texts, column in zip(texts, values, strict=True):
            column_texts[rows], numbers_read = _written(column, digits)
            read.append(numbers_read)
        is_alike = np.zeros(len(rows), dtype=np.bool_)
        for (a, x), (b, y) in combinations(zip(values, read, strict=True), 2):
            is_alike |= _are_alike(a, b, x, y)
        rows, digits = rows[is_alike], digits + 1
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
