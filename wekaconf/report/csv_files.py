"""CSV as we write it: numbers as people write them, lines that end as on Unix."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from typing import IO, Any

DIGITS = 12
"""Significant digits of a number."""


def write_rows(file: IO[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write rows of cells as CSV to an open file; see `cell`."""
    csv.writer(file, lineterminator="\n").writerows(map(cell, row) for row in rows)


def cell(value: Any) -> Any:
    """What stands for a value: the shortest text of a float rounded to 12 significant digits, nothing for NaN.

    So 0.30000000000000004 is written 0.3, 5.0 is written 5, and 1e-20 stays. JSON keeps what this rounds.
    """
    if not isinstance(value, float):
        return value
    if math.isnan(value):
        return ""
    return repr(float(f"{value:.{DIGITS}g}") + 0.0).removesuffix(".0")
