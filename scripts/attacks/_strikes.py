"""Commands that are killed or interrupted at random moments, again and again, and then run to their end."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from numpy.random import Generator

from attacks import Tried
from attacks._checks import ends_well, faults_after
from attacks._commands import MAY_STAY, STORE, Command, Left, furnished, left_in, undisturbed
from attacks._running import Running

LOCK = re.compile(f"{STORE}-run")
"""The file of a lock, if the strike comes between its making and its locking: nobody may remove it then."""
N_STRIKES = 5
"""In one draw."""
A_MOMENT = 1.0
"""Seconds in which a command ends that has nothing to do any more."""


@dataclass(frozen=True)
class Strike:
    """A way to end a process.

    Parameters
    ----------
    number : int
        The signal.
    whom : {"parent", "group", "worker", "tracker"}
    times : int
    """

    number: int
    whom: str = "parent"
    times: int = 1

    def __str__(self) -> str:
        name = "kill -9" if self.number == signal.SIGKILL else signal.Signals(self.number).name
        whom = {"parent": "", "group": " of the group", "worker": " of a worker", "tracker": " of a tracker"}
        return name + whom[self.whom] + (" twice" if self.times > 1 else "")

    @property
    def is_survived(self) -> bool:
        """Whether the command must end well all the same."""
        return self.whom in ("worker", "tracker")

    def hit(self, running: Running, rng: Generator) -> bool:
        """Strike; False if there is nobody to be struck."""
        if self.is_survived:
            there = running.workers() if self.whom == "worker" else running.trackers()
            if there:
                with suppress(ProcessLookupError):
                    os.kill(int(rng.choice(there)), self.number)
            return bool(there)
        for n in range(self.times):
            time.sleep(rng.uniform(0, 0.3) if n else 0)
            running.send(self.number, to_group=self.whom == "group")
        return True


INT, TERM, HUP, KILL = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL
AT_PARENT = (
    Strike(KILL), Strike(KILL, "group"), Strike(INT), Strike(INT, "group"), Strike(INT, times=2),
    Strike(INT, "group", times=2), Strike(TERM), Strike(TERM, "group"), Strike(HUP), Strike(HUP, "group"),
)  # fmt: skip
AT_CHILDREN = (Strike(KILL, "worker"), Strike(KILL, "tracker"))


def killed(rng: Generator, command: Command, tried: Tried) -> Iterator[str]:
    """Strikes at one command, each at a run of its own that goes on from the last; then a run that is left alone."""
    n_left = N_STRIKES
    while n_left:
        with furnished(command) as folder:
            known, is_done = left_in(folder), False
            while n_left and not is_done:
                strikes = AT_CHILDREN if command.has_workers and rng.random() < 0.3 else AT_PARENT
                strike = strikes[rng.integers(len(strikes))]
                blow = struck(rng, command, folder, strike, is_first=not known.rows)
                with blow.running:
                    n_left -= 1
                    tried[command.name, str(strike) if blow.is_hit else "too late"] += 1
                    for fault in faults_of(blow, command, folder, known):
                        yield f"{command.name}, {strike} at {blow.moment}: {fault}"
                known, is_done = left_in(folder), blow.running.code == 0
            for fault in () if is_done else ends_well(command, folder, known):
                yield f"{command.name}, {fault}"


@dataclass(frozen=True)
class Blow:
    """A strike at a running command: when it came, if it came, and if the command had begun to listen to signals."""

    running: Running
    strike: Strike
    moment: str
    is_hit: bool = False
    is_heard: bool = True


def struck(rng: Generator, command: Command, folder: Path, strike: Strike, *, is_first: bool) -> Blow:
    """Start the command and strike: at one of its steps, or after some time."""
    expected = undisturbed(command)
    if strike.is_survived:
        share = rng.uniform(0, 0.6)
        running = command.start(folder)
        running.wait_until(running.workers if strike.whom == "worker" else running.trackers)
        running.wait_until(lambda: False, share * expected.seconds)
        moment = f"{share:.3f} of its time after the first {strike.whom} has begun"
    elif rng.random() < min(0.6, expected.n_steps / (expected.n_steps + 10)):
        most = expected.n_steps if is_first else expected.n_steps // 2  # the rest may have been done before
        step = int(rng.integers(1, most + 1))
        running = command.start(folder, ATTACK_STOP_AT=str(step))
        running.wait_for_stop()
        moment = f"step {step}"
    else:
        share = rng.uniform(0, 0.95)
        running = command.start(folder)
        running.wait_until(lambda: False, share * expected.seconds)
        moment = f"{share:.3f} of its time"
    if running.code is not None:
        return Blow(running, strike, moment)
    is_heard = running.hears()
    return Blow(running, strike, moment, strike.hit(running, rng), is_heard)


def faults_of(blow: Blow, command: Command, folder: Path, known: Left) -> Iterator[str]:
    """What is wrong after a strike; ``known`` is what was there before the run."""
    running, strike = blow.running, blow.strike
    if not blow.is_hit or strike.is_survived:
        codes = {0}
        if running.wait() is None:
            yield f"hangs, and says {running.err[-1000:]!r}"
            return
    elif strike.number == KILL:
        codes = {-KILL, 0}  # 0: it had just ended
    elif running.wait_until(lambda: running.code == 0, A_MOMENT):
        codes = {0}  # it had ended
    else:
        # the signal itself ends it before it listens, and at its end; 1: Python, where it starts
        codes = {128 + strike.number, -strike.number} | (set() if blow.is_heard else {1})
    yield from faults_after(
        running, command, folder, known, codes,
        may_stay=MAY_STAY if strike.number == KILL else LOCK,
        is_heard=blow.is_heard,
        may_litter=strike == Strike(KILL, "group"),
    )  # fmt: skip
