"""How the dates of a column of texts are written, if not in ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wekaconf.base.naming import quoted
from wekaconf.data._cells import is_number

if TYPE_CHECKING:
    import pandas as pd

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
