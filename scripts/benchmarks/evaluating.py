"""What a person notices of `evaluate`: its memory, the first sign of progress, and how soon Ctrl-C ends it."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import psutil
from benchmarks._measuring import ARFF, WEKACONF, Row, numeric_dataset, timed

import wekaconf as wc

LOOP = """
import sys, warnings
import numpy as np
import wekaconf as wc
data = wc.load_arff(sys.argv[1])
correct = []
for train_rows, test_rows in wc.folds(data, 10):
    train, test = data.take(train_rows), data.take(test_rows)
    method = wc.method("confdtree").fit(wc.grow(train), train)
    correct.append(method.predict(test) == test.class_values)
print(np.concatenate(correct).mean())
"""
"""The loop that a user would write without `evaluate`."""
SAMPLE_SECONDS = 0.05
INTERRUPTED = {
    "while Java grows a forest": (1, "--learner", "RandomForest -I 20000 -num-slots 2"),
    "between its folds": (1, "--method", "confdtree", "--runs", "50"),
    "with two jobs, between their folds": (3, "--method", "confdtree", "--runs", "50", "-j", "2"),
    "with two jobs, while Java grows forests": (3, "--learner", "RandomForest -I 20000", "-j", "2"),
}
"""In how many processes there must be a Java before the signal comes, and the options of the command."""
JAVA_THREADS = 10
"""A process with more threads has started Java."""
SECONDS_IN_JAVA = 2.0
SILENT_SECONDS = 2.0
"""After which a progress bar is shown."""


def evaluating() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "data.arff"
        wc.save_arff(path, numeric_dataset(20_000, 20, 3, seed=1, noise=0.5))
        claim = "`wekaconf evaluate` of ConfDTree, 10 folds of 20,000 × 20: peak memory"
        evaluate = [WEKACONF, "evaluate", str(path), "--method", "confdtree"]
        loop = _peak_of_all([sys.executable, "-c", LOOP, str(path)])
        yield Row(f"{claim}, against a loop over the folds", _peak_of_all(evaluate), loop, 1.5, True, "MB")
        in_two = _peak_of_all([*evaluate, "-j", "2"])
        yield Row("the same with two jobs, all processes together", in_two, loop, 3, True, "MB")
        claim = (
            "`wekaconf evaluate waveform-synthetic.arff --runs 1000`: the first progress on a terminal, against the "
            "whole process with a single split and the 2 s before which no bar is shown"
        )
        words = ["evaluate", str(ARFF / "waveform-synthetic.arff")]
        first = _seconds_to_progress([WEKACONF, *words, "--runs", "1000"])
        yield Row(claim, first, timed(*words, "--split", "0.66") + SILENT_SECONDS, wanted=1, is_cost=True)
        for where, (n_java, *options) in INTERRUPTED.items():
            command = [WEKACONF, "evaluate", str(path), *options]
            yield Row(f"from Ctrl-C to the end, {where}, against 2 s", _seconds_to_end(command, n_java), 2, 1, True)


def _peak_of_all(command: Sequence[str]) -> float:
    """The most memory that a command and the processes that it starts have together at a time, in MB."""
    largest = 0
    with psutil.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None:
            sizes = 0
            for process in _all_of(running):
                with suppress(psutil.Error):  # it has ended
                    sizes += process.memory_full_info().pss  # what processes share counts once
            largest = max(largest, sizes)
            time.sleep(SAMPLE_SECONDS)
    if running.returncode:
        sys.exit(f"{' '.join(command)} ended with {running.returncode}")
    return largest / 1e6


def _seconds_to_progress(command: Sequence[str]) -> float:
    """How long a command writes no share of its work to the terminal."""
    controller, terminal = pty.openpty()
    began = time.monotonic()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal, env=environment)
    try:
        shown = b""
        while b"%" not in shown:
            shown += os.read(controller, 4096)
        return time.monotonic() - began
    finally:
        running.kill()
        running.wait()
        os.close(controller)
        os.close(terminal)


def _seconds_to_end(command: Sequence[str], n_java: int) -> float:
    """How long a command and all that it has started live on after Ctrl-C, which comes when so many have Java."""
    running = psutil.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while running.poll() is None and sum(process.num_threads() > JAVA_THREADS for process in _all_of(running)) < n_java:
        time.sleep(SAMPLE_SECONDS)
    time.sleep(SECONDS_IN_JAVA)
    workers = running.children(recursive=True)
    began = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)
    code = running.wait()
    psutil.wait_procs(workers)
    if code != 130:
        sys.exit(f"{' '.join(command)} ended with {code}, not by the signal")
    return time.monotonic() - began


def _all_of(running: psutil.Popen) -> Iterator[psutil.Process]:
    """A process and those that it has started."""
    yield running
    yield from running.children(recursive=True)
