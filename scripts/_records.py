"""Tables of records in docs/records/."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from wekaconf.base.files import atomic_write

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "records"
SUMMARIES = FOLDER / "summaries"
"""Sentences and tables of studies that are finished, as text."""
Row = Mapping[str, str]


def pack(path: Path, rows: Iterable[Row]) -> None:
    """Write a packed table, the same bytes at any time."""
    rows, text = list(rows), io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic_write(path, "wb") as file:
        file.write(gzip.compress(text.getvalue().encode(), mtime=0))


def unpack(path: Path) -> list[Row]:
    """The rows of a packed table."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def lines_of(path: Path) -> list[dict[str, str]]:
    """The rows of a table that is not packed."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
