"""The figures in docs/records/combined-design.csv.gz, one row per data set and scheme."""

from __future__ import annotations

import csv
import gzip
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from combining import schemes
from combining.schemes import Split

from wekaconf.base.files import atomic_write

RECORDS = Path(__file__).resolve().parents[2] / "docs" / "records" / "combined-design.csv.gz"
OF_OTHERS = ("leaf_frequency", "leaf_frequency:laplace=true", schemes.SIDES[0], "random forest", "chosen")
"""The schemes of trees of other learners than J48."""
FIGURES = ("auroc", "aurc", "coverage", "brier", "excess")
COLUMNS = ("learner", "data_set", "n_instances", "error", "n_splits", "kind", "scheme", *FIGURES)
Row = Mapping[str, str]


def rows_of(learner: str, by_set: Mapping[str, Sequence[Split]]) -> list[Row]:
    """The rows of a learner's trees for the data sets that count; of others than J48 only what was chosen with it."""
    by_set = {name: counted for name, splits in by_set.items() if (counted := schemes.counted(splits))}
    kinds = {"single": schemes.singles(), "rival": schemes.rivals(), "chosen": schemes.chosen()}
    if learner == "J48":
        kinds |= {"form": schemes.forms(), "path": schemes.along(schemes.path(by_set))}
    else:
        kinds = {kind: {name: found[name] for name in OF_OTHERS if name in found} for kind, found in kinds.items()}
    found = []
    for data_set, splits in by_set.items():
        sides = splits[0].sides
        facts = {
            "learner": learner,
            "data_set": data_set,
            "n_instances": str(sides.inner.shape[1] + len(sides.outer)),
            "error": f"{sum((~split.sides.outer_right).mean() for split in splits) / len(splits):.4f}",
            "n_splits": str(len(splits)),
        }
        for kind, of_kind in kinds.items():
            for name, scheme in of_kind.items():
                values = schemes.figures(scheme, splits)
                numbers = {key: "" if math.isnan(value) else f"{value:.5f}" for key, value in values.items()}
                found.append({**facts, "kind": kind, "scheme": name, **numbers})
    return found


def write(rows: Iterable[Row]) -> None:
    """Write the file, the same bytes at any time."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic_write(RECORDS, "wb") as file:
        file.write(gzip.compress(text.getvalue().encode(), mtime=0))


def read() -> list[Row]:
    """The rows of the file."""
    with gzip.open(RECORDS, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
