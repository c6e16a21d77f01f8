"""Names, texts and numbers as SQLite and DuckDB write them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from wekaconf.data.header import Attribute
from wekaconf.data.wording import cells

LARGEST_WHOLE = 2**53
"""Whole numbers up to this one are exact in DOUBLE."""
EXACT_DIGITS, EXACT_POWER = 15, 22
"""A number of so many decimal digits, times ten to a power so small, is read exactly by every database."""
_DATE = Attribute("", "date")


def name_of(text: str) -> str:
    """A quoted identifier."""
    return '"' + text.replace('"', '""') + '"'


def text_of(text: str) -> str:
    """A literal text."""
    return "'" + text.replace("'", "''") + "'"


def texts_of(texts: Iterable[str]) -> str:
    """Literal texts in parentheses, as IN wants them."""
    return f"({', '.join(map(text_of, texts))})"


MOST_JOINED = 100
"""Expressions in one pair of brackets; databases refuse one that is a thousand deep, as a + b + … is."""


def joined(expressions: Sequence[str], operator: str) -> str:
    """Expressions with an operator between them that does not care about brackets, such as + or OR."""
    if len(expressions) <= MOST_JOINED:
        return operator.join(expressions)
    groups = (expressions[i : i + MOST_JOINED] for i in range(0, len(expressions), MOST_JOINED))
    return joined([f"({joined(group, operator)})" for group in groups], operator)


def double(value: float) -> str:
    """The number as DOUBLE to about its last digit; a decimal number without exponent would be DECIMAL in DuckDB."""
    text = repr(value)
    return text if "e" in text else f"{text}e0"


def moment(value: float) -> str:
    """The milliseconds of a date as `exact` writes them, with the date as a comment."""
    return f"{exact(value)} /* {cells(_DATE, value)[0]} */"


def exact(value: float) -> str:
    """The very number: in decimal digits where every database reads these exactly, else divided by powers of two.

    ∞, which the databases write differently, is a number that overflows.
    """
    if math.isinf(value):
        return f"({'-' if value < 0 else ''}1e308 * 10e0)"
    digits, _, power = f"{value:.16e}".partition("e")
    if (
        len(digits.strip("-").replace(".", "").rstrip("0")) <= EXACT_DIGITS
        and abs(int(power)) <= EXACT_POWER - EXACT_DIGITS
    ):
        return double(value)
    mantissa, exponent = math.frexp(value)
    text, exponent = str(int(mantissa * LARGEST_WHOLE)), exponent - 53
    sign = "*" if exponent > 0 else "/"
    steps = [53] * (abs(exponent) // 53) + [abs(exponent) % 53]
    return f"({text}{''.join(f' {sign} {double(float(2**step))}' for step in steps)})"
