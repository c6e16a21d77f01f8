"""Commands that share a store with another process."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from signal import SIGKILL

from numpy.random import Generator

from attacks import Tried
from attacks._checks import ends_well, faults_after
from attacks._commands import COMMANDS, MAY_STAY, RUN, STORE, Command, furnished, left_in, undisturbed

REFUSED = re.compile(rf"error: {STORE}: another process runs a study on this store; .*\n")
READING = f"study export --store {STORE} -o ../read.csv"


def two_at_once(rng: Generator, command: Command, tried: Tried) -> Iterator[str]:
    """The same command twice on one store; the first one may be killed."""
    filling = [each for each in COMMANDS if each.fills_store]
    command = command if command.fills_store else filling[rng.integers(len(filling))]
    share, is_killed = rng.uniform(0, 0.9), bool(rng.random() < 0.3)
    what = f"{command.name} a second time after {share:.3f} of its time{', the first one killed' if is_killed else ''}"
    with furnished(command) as folder:
        known = left_in(folder)
        with command.start(folder) as first:
            first.wait_until(lambda: False, share * undisturbed(command).seconds)
            with command.start(folder, aside="second") as second:
                tried[command.name, "two at a time"] += 1
                if is_killed:
                    time.sleep(rng.uniform(0, 2))
                    first.send(SIGKILL)
                if None in (first.wait(), second.wait()):
                    yield f"{what}: hangs, and says {first.err[-1000:]!r}, {second.err[-1000:]!r}"
                codes = [first.code, second.code]
                if 0 not in codes and not is_killed:
                    yield f"{what}: neither ends well: {first.err!r}, {second.err!r}"
                for running in (first, second):
                    right = {0, -SIGKILL} if is_killed and running is first else {0}
                    right |= {1} if REFUSED.fullmatch(running.err) else set()
                    for fault in faults_after(running, command, folder, known, right, may_stay=MAY_STAY):
                        yield f"{what}: {fault}"
        if 0 not in codes:
            for fault in ends_well(command, folder, left_in(folder)):
                yield f"{what}, {fault}"


def read_meanwhile(rng: Generator, command: Command, tried: Tried) -> Iterator[str]:
    """What is in the store so far is written, again and again, while a command fills it."""
    del command
    what = f"{RUN.name}, its store read meanwhile"
    with furnished(RUN) as folder:
        known = left_in(folder)
        with RUN.start(folder) as filling:
            time.sleep(rng.uniform(0, 1))
            while filling.code is None:
                tried[RUN.name, "its store read meanwhile"] += 1
                with Command("study export", READING).start(folder, aside="reading") as reading:
                    is_right = reading.wait() == 0 or (reading.code == 1 and reading.err.count("error: ") == 1)
                    if not is_right or "Traceback" in reading.err:
                        yield f"{what}: ends with {reading.code} and says {reading.err[-1000:]!r}"
            for fault in faults_after(filling, RUN, folder, known, {0}):
                yield f"{what}: {fault}"
