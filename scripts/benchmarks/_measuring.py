"""What every group of rows needs: a row, the times of two ways, generated data and those of UCI."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import wekaconf as wc

ARFF = Path(__file__).resolve().parents[2] / "arff"
WEKACONF = str(Path(sys.executable).with_name("wekaconf"))
WITHOUT_UCI = "transfer, pull, predict, foreign, estimators, streaming, many_rows"


@dataclass(frozen=True)
class Row:
    """One measured claim: ``wanted`` is the smallest ratio allowed, or the largest if ``is_cost``.

    ``ours`` and ``other`` are in seconds unless ``unit`` names another unit.
    """

    claim: str
    ours: float
    other: float
    wanted: float
    is_cost: bool = False
    unit: str = "s"

    @property
    def ratio(self) -> float:
        return self.ours / self.other if self.is_cost else self.other / self.ours

    @property
    def holds(self) -> bool:
        return self.ratio <= self.wanted if self.is_cost else self.ratio >= self.wanted

    def __str__(self) -> str:
        bound = f"{'at most' if self.is_cost else 'at least'} {self.wanted:g} ×"
        measured = f"{self._amount(self.ours)} | {self._amount(self.other)}"
        ratio = f"{self.ratio:,.{0 if self.ratio >= 100 else 1 if self.ratio >= 1 else 3}f}"
        return f"| {self.claim} | {measured} | {bound} | **{ratio} ×** {'' if self.holds else '(missed)'}|"

    def _amount(self, number: float) -> str:
        return _time(number) if self.unit == "s" else f"{number:,.4g} {self.unit}"


def _time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def side_by_side(ours: Callable[[], object], other: Callable[[], object], repeats: int = 5) -> tuple[float, float]:
    """Median seconds of both, which are run in turn after one run of ours that is not counted."""
    ours()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeats):
        for call, its_times in zip((ours, other), times, strict=True):
            began = time.perf_counter()
            call()
            its_times.append(time.perf_counter() - began)
    return statistics.median(times[0]), statistics.median(times[1])


def seconds(job: Callable[[], object]) -> float:
    began = time.perf_counter()
    job()
    return time.perf_counter() - began


def run_quietly(folder: str, *command: str) -> None:
    """Run a command in a folder, and nothing of what it prints is seen."""
    subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def timed(*words: object, n_threads: int | None = None) -> float:
    """Seconds of a command of ours as a whole process, which may be given a number of threads."""
    command = [sys.executable, "-m", "wekaconf", *map(str, words)]
    environment = os.environ | ({} if n_threads is None else {"NUMBA_NUM_THREADS": str(n_threads)})
    return seconds(lambda: subprocess.run(command, check=True, capture_output=True, env=environment))


NEEDED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
"""Run by a small process between: what a process has at most is at least what its parent has."""


def needed(folder: str, *command: str) -> tuple[float, float]:
    """The seconds of the processor that a process takes, and the most memory that it has at a time, in MB."""
    done = subprocess.run([sys.executable, "-c", NEEDED, *command], check=True, cwd=folder, capture_output=True)
    processor, largest = done.stdout.split()[-2:]
    return float(processor), int(largest) / 1e3


def peak(folder: str, *command: str) -> float:
    """The most memory that a process has at a time, in MB."""
    return needed(folder, *command)[1]


def numeric_dataset(n: int, n_attributes: int, n_classes: int, seed: int, noise: float) -> wc.Dataset:
    """Gaussian attributes, classes by the quantiles of a linear score with noise."""
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(n, n_attributes))
    score = cells @ rng.normal(size=n_attributes) + noise * np.sqrt(n_attributes) * rng.normal(size=n)
    classes = np.searchsorted(np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]), score)
    attributes = [wc.Attribute(f"a{i}") for i in range(n_attributes)]
    attributes.append(wc.Attribute("class", "nominal", tuple(f"c{c}" for c in range(n_classes))))
    return wc.Dataset(wc.Header("generated", tuple(attributes), n_attributes), np.column_stack((cells, classes)))


def with_missing(data: wc.Dataset, share: float) -> wc.Dataset:
    cells = data.values.copy()
    chosen = np.random.default_rng(3).random(cells.shape) < share
    chosen[:, data.class_index] = False
    cells[chosen] = np.nan
    return replace(data, values=cells)


def uci(name: str) -> wc.Dataset:
    folder = os.environ.get("WEKACONF_UCI")
    if folder is None:
        sys.exit(f"set WEKACONF_UCI to the folder that holds {name}.arff, or choose rows without it: {WITHOUT_UCI}")
    return wc.load_arff(Path(folder) / f"{name}.arff")
