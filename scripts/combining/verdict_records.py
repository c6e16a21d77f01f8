"""The figures in docs/records/combined.csv.gz, one row per learner, data set and scheme, and what measured them.

Those of promises are in docs/records/combined-promise.csv.gz, one row per data set and scheme; those of second opinions
are in docs/records/second-opinion.csv.gz, with what measured them.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from combining.judging import Figures

import wekaconf as wc
from wekaconf.base.files import atomic_write

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "records"
RECORDS, ABOUT = FOLDER / "combined.csv.gz", FOLDER / "combined.json"
PROMISES = FOLDER / "combined-promise.csv.gz"
OPINIONS, ABOUT_OPINIONS = FOLDER / "second-opinion.csv.gz", FOLDER / "second-opinion.json"
Row = Mapping[str, str]
About = Mapping[str, str]


def rows_of(learner: str, name: str, data: wc.Dataset, splits: Sequence[Mapping[str, Figures]]) -> list[Row]:
    """The rows of a data set: means over the splits, empty where a figure is undefined."""
    has_class = data.class_values[data.class_values >= 0]
    facts = {
        "learner": learner,
        "data_set": name,
        "n_instances": str(len(has_class)),
        "n_classes": str(len(np.unique(has_class))),
        "n_splits": str(len(splits)),
    }
    found = []
    for scheme in splits[0]:
        of_splits = [asdict(split[scheme]) for split in splits]
        means = {figure: float(np.mean([one[figure] for one in of_splits])) for figure in of_splits[0]}
        numbers = {figure: "" if math.isnan(value) else f"{value:.5f}" for figure, value in means.items()}
        found.append({**facts, "scheme": scheme, **numbers})
    return found


def write(rows: Iterable[Row], about: About) -> None:
    """Write the figures and what measured them, the same bytes at any time."""
    pack(RECORDS, rows)
    write_about(ABOUT, about)


def write_about(path: Path, about: About) -> None:
    """Write the commit in which a design was frozen, and the versions that measured."""
    path.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def pack(path: Path, rows: Iterable[Row]) -> None:
    """Write a packed table, the same bytes at any time."""
    rows, text = list(rows), io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic_write(path, "wb") as file:
        file.write(gzip.compress(text.getvalue().encode(), mtime=0))


def read(path: Path | None = None) -> list[Row]:
    """The rows of a packed table; left out: those of the figures."""
    with gzip.open(path or RECORDS, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def about(path: Path | None = None) -> About:
    """What `write_about` wrote; left out: that of the figures."""
    found: About = json.loads((path or ABOUT).read_text(encoding="utf-8"))
    return found
