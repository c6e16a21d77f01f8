"""Further repetitions of Tables 3 and 4 of Wang and Zhang 2006, one data set at a time, and the records with them.

``python scripts/wang2006_repetitions.py [FOLDER [JOBS]]`` in the project's environment. FOLDER holds the UCI sets. The
paper prints means over five cross-validations, and ``wekaconf study replicate wang2006`` measures the seeds 1 to 5.
This measures the seeds 6 to 10, 11 to 15 and so on, up to 39 repetitions, and keeps each data set that is done in
``docs/records/wang2006/repetitions.csv.gz``. When it is called again, here or elsewhere, it goes on from that file.
Without FOLDER, cells and sentences are made anew from what is there, as far as it has got.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean

from _records import Row, begun, pack, unpack

from wekaconf.replication.data_files import find_sets
from wekaconf.replication.wang2006.measurement import PAPER, PRINTED_RUNS, measure
from wekaconf.replication.wang2006.study import SEED, data_sets

TARGET = Path(__file__).resolve().parents[1] / "docs" / "records" / PAPER
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
    for seed in range(SEED + PRINTED_RUNS, SEED + PRINTED_RUNS * REPETITIONS, PRINTED_RUNS):
        for name, path in smallest_first:
            if (name, seed) not in done:
                yield name, path, seed


def go_on(folder: str, jobs: int, target: Path) -> None:
    """Measure what is missing, and keep it as soon as it is there."""
    file = target / FILE
    lines = unpack(file) if file.exists() else []
    begun(target)
    paths, _ = find_sets([folder], data_sets())
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for future in as_completed([pool.submit(measured, *each) for each in to_do(paths, lines)]):
            lines += future.result()
            pack(file, lines)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        go_on(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1, TARGET)
