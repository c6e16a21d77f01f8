"""The figures in docs/records/combined.csv.gz, one row per learner, data set and scheme, and what measured them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path

import numpy as np
from combining.judging import Figures

import wekaconf as wc
from wekaconf.base.files import atomic_write

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "records"
RECORDS, ABOUT = FOLDER / "combined.csv.gz", FOLDER / "combined.json"
COLUMNS = ("learner", "data_set", "n_instances", "n_classes", "n_splits", "scheme", *(f.name for f in fields(Figures)))
Row = Mapping[str, str]


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


def write(rows: Iterable[Row], about: Mapping[str, str]) -> None:
    """Write both files, the same bytes at any time."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic_write(RECORDS, "wb") as file:
        file.write(gzip.compress(text.getvalue().encode(), mtime=0))
    ABOUT.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def read() -> list[Row]:
    """The rows of the file."""
    with gzip.open(RECORDS, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def about() -> Mapping[str, str]:
    """The commit in which the design was frozen, and the versions that measured."""
    found: Mapping[str, str] = json.loads(ABOUT.read_text(encoding="utf-8"))
    return found
