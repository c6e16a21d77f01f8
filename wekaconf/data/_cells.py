"""Single cells of a table: their family by Python type, and cells as texts, numbers and instants."""

from __future__ import annotations

import datetime
import math
import numbers
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import quoted
from wekaconf.base.words import Term

BOOLEANS = ("false", "true")
"""The values of a nominal attribute made of booleans."""
TRUTHS = {"0": "false", "1": "true", **{value: value for value in BOOLEANS}}
"""Texts that may stand for booleans, in lower case."""
MILLISECOND = np.dtype("datetime64[ms]")
MIXED_ZONES = " mixes dates with and without a time zone"


def family_of(kind: type) -> str:
    """The family of a Python type: missing, texts, booleans, numbers, dates or other."""
    if kind is type(None) or kind.__name__ in ("NAType", "NaTType"):
        return "missing"
    if issubclass(kind, str):
        return "texts"
    if issubclass(kind, bool | np.bool_):
        return "booleans"
    if issubclass(kind, numbers.Real | Decimal) and not issubclass(kind, np.timedelta64):
        return "numbers"
    return "dates" if issubclass(kind, datetime.date | np.datetime64) else "other"


def value_text(value: object) -> str:
    """A category or cell as the text of a nominal value: 1 and 1.0 are '1', True is 'true'."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool | np.bool_):
        return BOOLEANS[bool(value)]
    if isinstance(value, numbers.Integral):
        return str(int(value))
    return repr(float(value)).removesuffix(".0") if isinstance(value, numbers.Real | Decimal) else str(value)


def csv_text(value: object) -> str:
    """A cell as CSV holds it: as `value_text`, but for floats, which show that they are some: 1.0."""
    return repr(float(value)) if isinstance(value, float | np.floating | Decimal) else value_text(value)


def is_number(text: str) -> bool:
    """Whether a text writes a number that float64 holds, such as 1e3 or inf, unlike 0x10, 1_000 and 1e400."""
    try:
        number = float(text)
    except ValueError:
        return False
    return text.isascii() and "_" not in text and (not math.isinf(number) or "inf" in text.lower())


class ColumnError(OptionError):
    """A column cannot be read; ``text`` goes on behind its name."""

    def __init__(self, column: str, *text: str | Term) -> None:
        super().__init__(f"column {quoted(column)}", *text)
        self.column = column


class CellError(ColumnError):
    """A cell is not what its column holds.

    Parameters
    ----------
    column : str
    row : int
        Counted from 0, in the part of the table that was read.
    *problem : str or Term
    """

    def __init__(self, column: str, row: int, *problem: str | Term) -> None:
        super().__init__(column, f", row {row + 1}: ", *problem)
        self.row, self.problem = row, problem


def to_numbers(texts: Sequence[str], codes: NDArray[Any], name: str) -> NDArray[np.float64]:
    """The numbers that texts write, or their truth values, 1 and 0, if all texts write such.

    The texts are given as distinct values and codes, and blank ones are missing.
    """
    words = {text.strip().lower() for text in texts} - {""}
    if words and words <= {*BOOLEANS}:
        texts = [str(BOOLEANS.index(word)) if (word := text.strip().lower()) else "" for text in texts]
    is_wrong = np.array([bool(text.strip()) and not is_number(text) for text in texts] + [False])
    wrong = np.flatnonzero(is_wrong[codes])
    if len(wrong):
        row = int(wrong[0])
        raise CellError(
            name, row, f"expected a number, got {quoted(texts[codes[row]])}; correct it, or make it missing"
        )
    return np.array([float(text) if is_number(text) else math.nan for text in texts] + [math.nan])[codes]


def to_instants(cells: Sequence[Any], known: Sequence[int], name: str) -> list[Any]:
    """Dates as instants; ``known`` are the rows that are not missing."""
    instants: list[Any] = [np.datetime64("NaT", "ms")] * len(cells)
    zoned: set[bool] = set()
    for row in known:
        date = cells[row]
        if isinstance(date, datetime.datetime):
            zoned.add(date.tzinfo is not None)
            if date.tzinfo is not None:
                date = date.astimezone(datetime.UTC).replace(tzinfo=None)
        instants[row] = np.datetime64(date).astype(MILLISECOND)
    if len(zoned) > 1:
        raise ColumnError(name, MIXED_ZONES, "; give all of them one")
    return instants


_REMEDIES = {
    ("complex",): "split it into its real and imaginary part",
    ("timedelta", "duration"): "divide it by a unit of time, so that it is a number",
    ("period",): "turn it into dates, in pandas with .dt.to_timestamp()",
    ("bytes", "binary", "|s"): "decode it into text",
    ("list", "array", "tuple"): "spread it over columns of its own, one per number",
    ("struct", "dict"): "spread it over columns of its own, one per field",
    ("time",): "turn it into a number, such as hours since midnight",
}
"""What to do with a column of a kind that no attribute has, by words in the name of the kind; the first that fits."""


def unsupported_kind(name: str, kind: str, row: int | None = None) -> ColumnError:
    """The error for a column, or a cell of it, of a kind that no attribute has."""
    fitting = (remedy for words, remedy in _REMEDIES.items() if any(word in kind.lower() for word in words))
    remedy = next(fitting, "convert it or leave it out")
    text = f"expected numbers, texts, categories, booleans or dates, got {kind}; {remedy}"
    return ColumnError(name, f": {text}") if row is None else CellError(name, row, text)
