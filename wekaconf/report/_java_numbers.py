"""Numbers as Java and Weka write them, character for character."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from itertools import count
from typing import Any

JAVA = 25
"""The major version of the Java that comes with wekaconf."""


def java_of(record: Mapping[str, Any]) -> int:
    """The major version of the Java that a record of an evaluation was made with."""
    return int(record["versions"]["java"].partition(".")[0])


def java_decimal(value: float, java: int = JAVA, *, places: int = 6) -> str:
    """The number to at most ``places`` decimals, halves away from zero: Weka's ``Utils.doubleToString(value, places)``.

    DecimalFormat rounds a half differently if Java writes it with one digit and an exponent, such as 5.0E-7: before
    Java 22 it takes the number for more than a half, and from Java 22 on for less.
    """
    if not math.isfinite(value):
        return java_double(value)
    number = _older_decimal(value)
    text = f"{number:f}"
    if len(text.partition(".")[2]) > places:
        has_one_digit = len(number.as_tuple().digits) == 1 and abs(value) < 1e-3
        half = ROUND_HALF_DOWN if has_one_digit and java >= 22 else ROUND_HALF_UP
        rounded = (number if has_one_digit else Decimal(value)).quantize(Decimal(1).scaleb(-places), half)
        text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def java_aligned(value: float, width: int, places: int, java: int = JAVA) -> str:
    """The number of `java_decimal` with its point in a fixed column: Weka's ``Utils.doubleToString(value, w, p)``."""
    text = java_decimal(value, java, places=places)
    if places >= width:
        return text
    whole, _, decimals = text.partition(".")
    n_before = width - places - (places > 0)
    if len(whole) > n_before:
        return text
    point = ("." if decimals else " ") if places else ""
    return f"{whole:>{n_before}}{point}{decimals:<{places}}"


def java_fixed(value: float, java: int, *, places: int) -> str:
    """Java's ``String.format`` with that many decimals: rounds the digits that Java prints, halves away from zero."""
    if not math.isfinite(value):
        return java_double(value)
    number = _older_decimal(value) if java < 21 else _shortest_decimal(value)
    return f"{number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):f}"


def java_double(value: float, java: int = JAVA) -> str:
    """Java's ``Double.toString``, which from Java 19 prints the shortest decimal that reads back.

    The text of a tree is that of the Java that runs Weka; where none runs, that of the wheel.
    """
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    number = _older_decimal(value) if java < 19 else _shortest_decimal(value)
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        text = f"{number:f}"
        return text if "." in text else f"{text}.0"
    first, *rest = map(str, number.as_tuple().digits)
    return f"{'-' * (value < 0)}{first}.{''.join(rest) or '0'}E{number.adjusted()}"


def _shortest_decimal(value: float) -> Decimal:
    """The nearest of the shortest decimals, of at least two digits, that read back as ``value``."""
    number = Decimal(repr(value)).normalize()
    return number if len(number.as_tuple().digits) > 1 else Decimal(f"{value:.1e}").normalize()


def _older_decimal(value: float) -> Decimal:
    """The decimal that ``jdk.internal.math.FloatingDecimal`` makes of a double: not always the shortest or the nearest.

    Java before 19 prints it, and DecimalFormat of every Java uses it. Digits are developed until the rest is below half
    a unit in the last place, which is taken to be the same on both sides.
    """
    if value == 0:
        return Decimal(repr(value))
    fraction, exponent = math.frexp(abs(value))
    bits = int(fraction * 2.0**53)
    n_zeros = (bits & -bits).bit_length() - 1
    n_bits, top = 53 - n_zeros, exponent - 1
    n_significant = min(53, exponent + 1074)
    n_tiny = max(0, n_bits - exponent)
    if n_tiny == 0 and top <= 62:
        digits, power = int(abs(value)), 0
        if top > n_significant:
            power = math.floor((top - n_significant - 1) * math.log10(2))
            digits = (digits + 10**power // 2) // 10**power
    else:
        digits, power = _developed(bits >> n_zeros, n_bits, top, n_significant, n_tiny)
    return Decimal((int(value < 0), tuple(map(int, str(digits))), power)).normalize()


def _developed(bits: int, n_bits: int, top: int, n_significant: int, n_tiny: int) -> tuple[int, int]:
    """Digits and power of ten of bits · 2 ** (top − n_bits + 1), in the notation of FloatingDecimal.dtoa."""
    share = bits / 2.0 ** (n_bits - 1)
    power = math.floor((share - 1.5) * 0.289529654 + 0.176091259 + top * 0.301029995663981)
    b5, s5 = max(0, -power), max(0, power)
    b2, s2 = b5 + n_tiny + top - n_bits + 1, s5 + n_tiny
    m2 = b5 + n_tiny + top - n_significant - (n_bits == 1)
    common = min(b2, s2, m2)
    b2, s2, m2 = b2 - common, s2 - common, m2 - common
    largest = max(n_bits + b2 + _bits_of_power_of_5(b5), s2 + 1 + _bits_of_power_of_5(s5 + 1))
    width = 32 if largest < 32 else 64 if largest < 64 else None
    rest, unit, half = bits * 5**b5 << b2, 5**s5 << s2, 5**b5 << m2
    digits = n_digits = 0
    for step in count():
        digit, rest = divmod(rest, unit)
        rest, half = 10 * rest, _wrapped(10 * half, width)
        low = high = True
        if half > 0 or not step:
            low, reached = rest < half, _wrapped(rest + half, width)
            high = reached > 10 * unit or (reached == 10 * unit and width is None)
        if step or digit or high:
            digits, n_digits = 10 * digits + digit, n_digits + 1
        else:
            power -= 1
        if (low or high) and (step or -3 <= power < 8):
            break
    beyond_half = _wrapped(_wrapped(2 * rest, width) - 10 * unit, width)
    if high and (not low or beyond_half > 0 or (beyond_half == 0 and digits % 2)):
        digits += 1
    return digits, power - n_digits + 1


def _wrapped(number: int, width: int | None) -> int:
    """A number wrapped around as in Java's int or long of this width in bits; None: unchanged."""
    if width is None:
        return number
    return (number + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))


def _bits_of_power_of_5(exponent: int) -> int:
    return 3 * exponent if exponent >= 27 else (5**exponent).bit_length() if exponent else 0
