"""How the numbers and dates of a column of texts are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from wekaconf.base.naming import quoted
from wekaconf.data._cells import is_number

if TYPE_CHECKING:
    import pandas as pd


CURRENCIES = "$€£¥₹"
MARKS = (",", ".", " ", "'")
"""Marks in a number."""
DECIMAL_MARKS = (".", ",")
_VARIANTS = str.maketrans("\u00a0\u2009\u202f\u2019", "   '")
"""Other characters for a blank and an apostrophe."""
LETTERS = {
    "yyyy": "%Y", "yy": "%y", "M": "%m", "MM": "%m", "MMM": "%b", "d": "%d", "dd": "%d", "H": "%H", "HH": "%H",
    "m": "%M", "mm": "%M", "s": "%S", "ss": "%S",
}  # fmt: skip
"""The parts of a date format, each with that of ``strptime``."""
TIME_LETTER = "'T'"
_PART = re.compile(r"([A-Za-z])\1*|'([^']*)'|[^A-Za-z']")
_DATE = re.compile(r"\d{1,4}([-./])\d\d?\1\d{1,4}(?:([T ])\d\d?:\d\d(:\d\d)?)?", re.ASCII)
_ORDERS = (("dd", "MM", "yyyy"), ("MM", "dd", "yyyy"), ("yyyy", "MM", "dd"))
_SHORT_ORDERS = (("dd", "MM", "yy"), ("MM", "dd", "yy"))


@dataclass(frozen=True)
class NumberForm:
    """One way to write numbers.

    Parameters
    ----------
    decimal, thousands : str
        Two different `MARKS`; the first is a point or a comma.
    currency : str
        One of `CURRENCIES`, before or behind the digits; empty: none.
    """

    decimal: str
    thousands: str
    currency: str = ""

    def __post_init__(self) -> None:
        """Check the marks."""
        if self.decimal not in DECIMAL_MARKS or self.thousands not in MARKS or self.decimal == self.thousands:
            raise ValueError(
                f"expected a decimal mark, '.' or ',', and another mark between thousands, '.', ',', ' ' or \"'\", got "
                f"{self.decimal!r} and {self.thousands!r}"
            )
        if self.currency and self.currency not in CURRENCIES:
            raise ValueError(f"expected a currency of {CURRENCIES}, got {self.currency!r}")

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        mark, point = re.escape(self.thousands), re.escape(self.decimal)
        currency = f"(?: ?{re.escape(self.currency)} ?)?" if self.currency else ""
        digits = rf"(?P<whole>\d{{1,3}}(?:{mark}\d{{3}})+|\d+)?(?:{point}(?P<fraction>\d*))?"
        power = r"(?:(?<=[\d.,])(?P<power>[eE][-+]?\d+))?"
        return re.compile(rf"(?P<sign>[-+]?){currency}(?P<inner>[-+]?){digits}{power}{currency}", re.ASCII)

    def number(self, text: str) -> float | None:
        """The number that a text writes in this form; None: it writes none."""
        if is_number(text) and (self.decimal == "." or "." not in text):
            return float(text)
        match = self._pattern.fullmatch(text.translate(_VARIANTS))
        if match is None or not (match["whole"] or match["fraction"]) or (match["sign"] and match["inner"]):
            return None
        whole = re.sub(r"\D", "", match["whole"] or "0")
        plain = f"{match['sign'] or match['inner']}{whole}.{match['fraction'] or '0'}{match['power'] or ''}"
        return float(plain) if is_number(plain) else None

    def is_evident(self, text: str) -> bool:
        """Whether a number in this form can be read in no other.

        That is so where both marks occur, or the mark between thousands twice; beside a currency also where the digits
        behind the decimal mark are not three.
        """
        bare = _without_currency(text)
        n_thousands, has_decimal = bare.count(self.thousands), self.decimal in bare
        if n_thousands > 1 or (n_thousands and has_decimal):
            return True
        if not self.currency or n_thousands:
            return False
        return has_decimal and len(bare.partition(self.decimal)[2]) not in (0, 3)

    def with_currency(self, values: Sequence[str]) -> NumberForm:
        """The same marks, with the currency of these texts if all of them have one and the same."""
        return NumberForm(self.decimal, self.thousands, currency_of(values))

    def __str__(self) -> str:
        """A number in this form, for people."""
        text = f"1{self.thousands}234{self.decimal}56"
        return f"{self.currency}{text}"


FORMS = tuple(
    NumberForm(decimal, thousands) for thousands in MARKS for decimal in DECIMAL_MARKS if decimal != thousands
)
"""The forms without a currency."""


def currency_of(values: Sequence[str]) -> str:
    """The currency before or behind every text; empty: there is none, or not one for all."""
    first = next((mark for mark in CURRENCIES if values and mark in values[0]), "")
    return first if first and all(value.count(first) == 1 for value in values) else ""


def form_of(values: Sequence[str]) -> NumberForm | None:
    """The one form in which all texts are numbers beyond doubt; None: there is none, or there is doubt.

    Parameters
    ----------
    values : sequence of str
        The distinct texts of a column, none missing. Cost: linear.
    """
    # Without an evident text there is doubt: "1,5" may be two answers, "1 234" a postal code. Two forms that are both
    # beyond doubt give the same numbers, so the first will do. Percentages stay text: 5 % is 5 to one reader and 0.05
    # to another.
    for form in _forms_of(values):
        if any(map(form.is_evident, values)) or (form.currency and not any(map(_has_mark, values))):
            return form
    return None


def is_number_in_some_form(text: str) -> bool:
    """Whether a text is a number in any form."""
    return next(_forms_of([text]), None) is not None


def _forms_of(values: Sequence[str]) -> Iterator[NumberForm]:
    """The forms in which all texts are numbers, the usual one first."""
    forms = (form.with_currency(values) for form in FORMS)
    return (form for form in forms if all(form.number(value) is not None for value in values))


def told_form(decimal: str, thousands: str) -> NumberForm | None:
    """The form that a user names; a mark that is left out is the other one of point and comma. None: both left out.

    Raises
    ------
    ValueError
        These are no two different marks.
    """
    if not decimal and not thousands:
        return None
    return NumberForm(decimal or ("," if thousands == "." else "."), thousands or ("," if decimal == "." else "."))


def _without_currency(text: str) -> str:
    return text.translate(_VARIANTS).strip(CURRENCIES + " -+")


def _has_mark(text: str) -> bool:
    return any(mark in _without_currency(text) for mark in MARKS)


def expected(form: NumberForm, text: str) -> str:
    """The message about a text that is no number in this form."""
    return f"expected a number such as {form}, got {quoted(text)}; correct it, or make it missing"


def check_date_format(date_format: str) -> None:
    """Raise ValueError unless a date format consists of `LETTERS`, texts in single quotes and other characters."""
    _strptime(date_format)


def _strptime(date_format: str) -> str:
    pieces, position = [], 0
    while position < len(date_format):
        part = _PART.match(date_format, position)
        if part is None or (part[1] and part[0] not in LETTERS):
            wrong = date_format[position:] if part is None else part[0]
            raise ValueError(
                f"{quoted(date_format)} has {quoted(wrong)}, which is no part of a date; expected parts such as yyyy, "
                "MM, dd, HH, mm and ss, as in dd.MM.yyyy, and other letters in single quotes"
            )
        position = part.end()
        literal = part[2] if part[2] is not None else part[0]
        pieces.append(LETTERS[part[0]] if part[1] else literal.replace("%", "%%"))
    return "".join(pieces)


def dates_in(texts: pd.Series, date_format: str) -> pd.Series:
    """The texts as instants, those without a time zone in UTC; NaT: none, or not in the format; empty: ISO 8601.

    A number is no date in ISO 8601: a year alone, or 20241231.
    """
    import pandas as pd

    form = _strptime(date_format) if date_format else "ISO8601"
    codes, values = pd.factorize(texts.astype(object))
    cells = [None if isinstance(cell, str) and not _may_be_date(cell, date_format) else cell for cell in values]
    dates = pd.to_datetime(pd.Series(cells, dtype=object), format=form, errors="coerce", utc=True)
    return pd.Series(dates.array.take(codes, allow_fill=True), index=texts.index)


def _may_be_date(text: str, date_format: str) -> bool:
    """Whether pandas may read a text: it takes "now" and "today" for the time at which it reads."""
    return any(map(str.isdigit, text)) and bool(date_format or not is_number(text))


def date_format_of(values: Sequence[str]) -> str | None:
    """The one format in which all texts are dates beyond doubt; None: there is none, or there are several."""
    formats = date_formats_of(values)
    return formats[0] if len(formats) == 1 and "yyyy" in formats[0] else None


def date_formats_of(values: Sequence[str]) -> list[str]:
    """The formats of numbers in which all texts are dates; those of years with two digits only if there is no other.

    Parameters
    ----------
    values : sequence of str
        The distinct texts of a column, none missing. Cost: linear.
    """
    matches = [_DATE.fullmatch(value) for value in values]
    shapes = {(match[1], match[2], bool(match[3])) for match in matches if match is not None}
    if len(shapes) != 1 or None in matches:
        return []
    import pandas as pd

    [(mark, before_time, has_seconds)] = shapes
    seconds = ":ss" if has_seconds else ""
    time = f"{before_time.replace('T', TIME_LETTER)}HH:mm{seconds}" if before_time else ""
    texts = pd.Series(list(values), dtype=object)
    for orders in (_ORDERS, _SHORT_ORDERS):
        formats = [mark.join(order) + time for order in orders]
        if fitting := [each for each in formats if dates_in(texts, each).notna().all()]:
            return fitting
    return []
