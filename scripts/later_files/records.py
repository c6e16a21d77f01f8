"""The cells in docs/records/drift.csv."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from later_files.trials import Cell

from wekaconf.base.files import atomic_write

RECORDS = Path(__file__).resolve().parents[2] / "docs" / "records" / "drift.csv"


def read() -> list[Cell]:
    """All cells so far."""
    if not RECORDS.exists():
        return []
    with open(RECORDS, encoding="utf-8", newline="") as file:
        return [Cell.of_row(row) for row in csv.DictReader(file)]


def add(cells: Sequence[Cell]) -> None:
    """Write cells after those that are there."""
    rows = [cell.row() for cell in (*read(), *cells)]
    with atomic_write(RECORDS, "w") as file:
        writer = csv.DictWriter(file, Cell.names(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
