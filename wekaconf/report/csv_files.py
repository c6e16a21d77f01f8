"""CSV files: numbers as people write them, Unix line ends."""

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
    """The cell for a value: a float as the shortest text of its value rounded to 12 significant digits, NaN as nothing.

    So 0.30000000000000004 is written 0.3, 5.0 is written 5, and 1e-20 stays. JSON keeps all digits instead.
    """
    if not isinstance(value, float):
        return value
    if math.isnan(value):
        return ""
    return repr(float(f"{value:.{DIGITS}g}") + 0.0).removesuffix(".0")
