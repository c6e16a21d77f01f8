"""Numbers and values as texts for sentences: short, but with enough digits for the comparison that a sentence makes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_CEILING, Context
from functools import lru_cache
from itertools import pairwise

import numpy as np

from wekaconf.base.naming import shown
from wekaconf.data._cells import is_number
from wekaconf.data._header import Attribute
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
    ahead = [_ahead(zone_name, value) for value in values]
    exact = [round(value) + offset for value, offset in zip(values, ahead, strict=True)]
    short = [*map(_without_float_rounding, values, exact)]
    order = sorted(range(len(values)), key=values.__getitem__)
    for local in (short, exact):
        if all((values[a] < values[b]) == (local[a] < local[b]) and local[a] <= local[b] for a, b in pairwise(order)):
            return _date_texts(local)
    texts = tuple(f"{text}{_offset_text(offset)}" for text, offset in zip(_date_texts(exact), ahead, strict=True))
    return texts if len(set(texts)) == len(set(values)) else apart(*values)


def _ahead(zone_name: str, milliseconds: float) -> int:
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
