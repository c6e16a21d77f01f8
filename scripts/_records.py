"""Tables of records in docs/records/, and what measured them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from wekaconf.base.files import atomic_write
from wekaconf.bridge._versions import versions

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "records"
SUMMARIES = FOLDER / "summaries"
"""Sentences and tables of studies that are finished, as text."""
Row = Mapping[str, str]
About = Mapping[str, str]


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


def add_lines(path: Path, rows: Iterable[Iterable[object]]) -> None:
    """Add rows to a table that is not packed, each as soon as it is there, so that an interrupted run goes on."""
    with path.open("a", newline="", encoding="utf-8") as file:
        for row in rows:
            csv.writer(file, lineterminator="\n").writerow(row)
            file.flush()


def write_about(path: Path, about: About) -> None:
    """Write the commit in which a design was frozen, and the versions that measured."""
    path.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def read_about(path: Path) -> About:
    """What `write_about` wrote."""
    found: About = json.loads(path.read_text(encoding="utf-8"))
    return found


def begun(folder: Path) -> About:
    """The commit and the versions with which the measurements in a folder began."""
    path = folder / "about.json"
    if not path.exists():
        write_about(path, {**commit(), **versions()})
    return read_about(path)


def commit() -> dict[str, str]:
    """The commit that is checked out, with a plus where files differ from it; and the first line of what it says."""

    def told(*command: str) -> str:
        command = ("git", "-C", str(ROOT), *command)
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    name = told("describe", "--always", "--exclude=*", "--dirty=+", "--abbrev=10")
    return {"commit": name, "subject": told("log", "-1", "--format=%s")}
