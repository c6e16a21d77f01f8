"""Further repetitions of Tables 3 and 4 of Wang and Zhang 2006, one data set at a time, and the records with them.

``python scripts/wang2006_repetitions.py [FOLDER [JOBS]]`` in the project's environment. FOLDER holds the UCI sets. The
paper prints means over five cross-validations, and ``wekaconf study replicate wang2006`` measures the seeds 1 to 5.
This measures the seeds 6 to 10, 11 to 15 and so on, up to 39 repetitions, and keeps each data set that is done in
``docs/records/wang2006/repetitions.csv.gz``. When it is called again, here or elsewhere, it goes on from that file.
Without FOLDER, cells and sentences are made anew from the repetitions that every set has.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any

from _records import Row, pack, unpack

from wekaconf.base.files import atomic_write
from wekaconf.replication._data_files import find_sets
from wekaconf.replication._study import Request, Results
from wekaconf.replication.wang2006.measurement import PAPER, PRINTED_RUNS, measure
from wekaconf.replication.wang2006.record_table import Measured
from wekaconf.replication.wang2006.study import FIGURE, STUDY, data_sets, figure_of, joined, tables_of
from wekaconf.replication.writing import BESIDE, CELLS, ENVIRONMENT, FINDINGS, RECORDS, beside_rows, cell_rows
from wekaconf.report._table_formats import write_rows

TARGET = Path(__file__).resolve().parents[1] / "docs" / "records" / PAPER
PARTS = [part for part in STUDY.parts if part != FIGURE]
REPETITIONS = 39
FILE = "repetitions.csv.gz"


def measured(dataset: str, path: str, seed: int) -> list[Row]:
    """The lines of a data set: each column's mean over the cross-validations that begin with a seed."""
    return [
        {"dataset": dataset, "table": str(record["table"]), "column": record["column"], "reading": record["reading"],
         "seed": str(seed), "measured": f"{fmean(record['fold_values']):.9f}"}
        for record in measure(dataset, path, runs=PRINTED_RUNS, seed=seed)
    ]  # fmt: skip


def to_do(paths: dict[str, str], lines: list[Row]) -> Iterator[tuple[str, str, int]]:
    """Data set, file and first seed of what is missing: the second repetition of every set, then the third."""
    done = {(line["dataset"], int(line["seed"])) for line in lines}
    smallest_first = sorted(paths.items(), key=lambda item: Path(item[1]).stat().st_size)
    for seed in range(Request.seed + PRINTED_RUNS, Request.seed + PRINTED_RUNS * REPETITIONS, PRINTED_RUNS):
        for name, path in smallest_first:
            if (name, seed) not in done:
                yield name, path, seed


def go_on(folder: str, jobs: int, target: Path) -> None:
    """Measure what is missing, and keep it as soon as it is there."""
    file = target / FILE
    lines = unpack(file) if file.exists() else []
    paths, _ = find_sets([folder], data_sets())
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for future in as_completed([pool.submit(measured, *each) for each in to_do(paths, lines)]):
            lines += future.result()
            pack(file, lines)


def further(lines: Iterable[Row]) -> dict[tuple[str, int, str, str], list[float]]:
    """The figures of each data set and column, as `Measured` takes them: of the repetitions that every set has."""
    found: dict[tuple[str, int, str, str], list[float]] = {}
    for line in sorted(lines, key=lambda line: int(line["seed"])):
        place = line["dataset"], int(line["table"]), line["column"], line["reading"]
        found.setdefault(place, []).append(float(line["measured"]))
    numbers = Counter({place[0]: len(figures) for place, figures in found.items()})
    n_whole = min(numbers[name] for name in data_sets())
    return {place: figures[:n_whole] for place, figures in found.items()} if n_whole else {}


def results(target: Path = TARGET) -> Results:
    """What follows from the committed records and the further repetitions."""
    versions = json.loads((target / ENVIRONMENT).read_text(encoding="utf-8"))["versions"]
    numbers = ("table", "runs", "seed", "folds", "n_instances", "n_classes", "iterations")
    records: list[dict[str, Any]] = [
        {
            **row, **{name: int(row[name]) for name in numbers if row[name]}, "versions": versions,
            "measured": float(row["measured"]), "fold_values": json.loads(row["fold_values"]),
        }
        for row in unpack(target / f"{RECORDS}.gz")
    ]  # fmt: skip
    of_tables = [record for record in records if record["table"]]
    lines = unpack(target / FILE) if (target / FILE).exists() else []
    tables = tables_of(PARTS, data_sets(), Measured(of_tables, further(lines)), "table")
    return joined(tables, figure_of([record for record in records if not record["table"]], "table"))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        go_on(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1, TARGET)
    found = results()
    for name, lines in ((CELLS, cell_rows(found.cells)), (BESIDE, beside_rows(found.beside))):
        with atomic_write(TARGET / name) as file:
            write_rows(file, lines)
    with atomic_write(TARGET / FINDINGS) as file:
        file.writelines(f"{finding.part or PAPER}: {finding.text}\n" for finding in found.findings)
