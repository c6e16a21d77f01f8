"""The cells in docs/records/promises.csv.gz, packed since all records together stay below five megabytes."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

from broken_promises.cells import Cell

from wekaconf.base.files import atomic_write

RECORDS = Path(__file__).resolve().parents[2] / "docs" / "records" / "promises.csv.gz"


def read() -> list[dict[str, str]]:
    """All cells so far, as texts by the names of `Cell`."""
    if not RECORDS.exists():
        return []
    with gzip.open(RECORDS, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def add(cells: Sequence[Cell]) -> None:
    """Write cells after those that are there, the same bytes at any time."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(Cell)], lineterminator="\n")
    writer.writeheader()
    writer.writerows([*read(), *map(asdict, cells)])
    with atomic_write(RECORDS, "wb") as file:
        file.write(gzip.compress(text.getvalue().encode(), mtime=0))
