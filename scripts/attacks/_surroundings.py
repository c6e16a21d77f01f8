"""Commands whose disk is full, whose folder may not be written, or whose memory is too small, from one step on."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from numpy.random import Generator

from attacks import Tried
from attacks._checks import ends_well, faults_after, faults_at_the_end
from attacks._commands import MAY_STAY, Command, furnished, left_in, undisturbed
from attacks._running import QUICK_JAVA, Running

BALLAST = "ballast"
PAGE = 4096
CRASHED = re.compile(r"hs_err_pid\d+\.log|core(\.\d+)?")
"""What a virtual machine leaves in its folder that has no memory left for itself."""


class Trouble(NamedTuple):
    """Something that befalls a running command.

    Parameters
    ----------
    name : str
    begin : callable
        Brings it about, and gives it in words.
    end : callable
        Undoes it.
    around : callable
        Prepares the folder before it is furnished.
    may_stay : pattern, optional
        The names of files that the command may leave then.
    is_at_a_step : bool
        Whether the command stops for it at one of its steps; else ``begin`` waits for its moment.
    """

    name: str
    begin: Callable[[Generator, Path, Running], str]
    end: Callable[[Path], object] = lambda _: None
    around: Callable[[Path], AbstractContextManager[object]] = nullcontext
    may_stay: re.Pattern[str] | None = None
    is_at_a_step: bool = True


def troubled(rng: Generator, command: Command, tried: Tried) -> Iterator[str]:
    """A command in trouble from one of its steps on: it does all or says why it cannot; then it is run once more."""
    possible = [trouble for trouble in TROUBLES if command.has_workers or trouble is not SMALL_WORKER]
    trouble = possible[rng.integers(len(possible))]
    with furnished(command, trouble.around) as folder:
        known = left_in(folder)
        step = int(rng.integers(1, undisturbed(command).n_steps + 1)) if trouble.is_at_a_step else 0
        what = f"{command.name}, {trouble.name}, step {step}"
        with command.start(folder, ATTACK_STOP_AT=str(step)) as running:
            try:
                if not step or running.wait_for_stop():
                    what += f", {trouble.begin(rng, folder, running)}"
                tried[command.name, trouble.name if running.code is None else "too late"] += 1
                running.send(signal.SIGCONT)
                if running.wait() is None:
                    yield f"{what}: hangs, and says {running.err[-1000:]!r}"
            finally:
                trouble.end(folder)
            for fault in faults_after(
                running, command, folder, known, {0, 1},
                may_stay=trouble.may_stay, is_heard=trouble is not SMALL_WORKER,  # a worker that dies may say why
            ):  # fmt: skip
                yield f"{what}: {fault}"
        if running.code:
            for fault in ends_well(command, folder, left_in(folder), command.again):
                yield f"{what}, {fault}"


# -- disks ---------------------------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A disk of its own for a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    _run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder)
    try:
        yield
    finally:
        _run("umount", "--lazy", folder)


@cache
def may_mount() -> bool:
    """Whether there is leave to do so."""
    try:
        with tempfile.TemporaryDirectory() as folder, small_disk(Path(folder)):
            return True
    except (subprocess.CalledProcessError, FileNotFoundError):
        return False


def _fill(rng: Generator, folder: Path, _running: Running) -> str:
    left = int(rng.choice([0, 0, 1, 5, 20])) * PAGE
    with (folder / BALLAST).open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(PAGE))
    os.truncate(folder / BALLAST, max((folder / BALLAST).stat().st_size - left, 0))
    return f"{left} bytes left"


def _empty(folder: Path) -> None:
    (folder / BALLAST).unlink(missing_ok=True)


def _temporary(folder: Path) -> Path:
    return folder.parent / "aside" / "tmp"


def _limit_files(rng: Generator, _folder: Path, running: Running) -> str:
    limit = int(rng.choice([5_000, 20_000, 50_000, 100_000]))
    resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (limit, limit))
    return f"none larger than {limit} bytes"


# -- folders -------------------------------------------------------------------------------------------------------


def _freeze(_rng: Generator, folder: Path, _running: Running) -> str:
    """No file can be made or removed there; what is open, such as the store, may be written all the same."""
    _mark(folder, "+i", 0o500)
    return "nothing may be made or removed"


def _thaw(folder: Path) -> None:
    _mark(folder, "-i", 0o700)


def _mark(folder: Path, attribute: str, mode: int) -> None:
    """Give an attribute to the folder and to those in it; where that cannot be done, a mode."""
    for path in [folder, *(path for path in folder.rglob("*") if path.is_dir())]:
        if may_chattr():
            _run("chattr", attribute, path)
        else:
            path.chmod(mode)


@cache
def may_chattr() -> bool:
    """Whether files can be made immutable, which keeps root, too, from writing them."""
    with tempfile.NamedTemporaryFile() as file:
        try:
            _run("chattr", "+i", file.name)
        except (subprocess.CalledProcessError, FileNotFoundError):
            return False
        _run("chattr", "-i", file.name)
        return True


def _run(*words: object) -> None:
    subprocess.run([*map(str, words)], check=True, capture_output=True)


# -- memory --------------------------------------------------------------------------------------------------------


def _limit_worker(rng: Generator, _folder: Path, running: Running) -> str:
    running.wait_until(running.workers)
    running.wait_until(lambda: False, rng.uniform(0, 3))
    more = int(rng.choice([0, 1, 10, 100, 300])) * 2**20
    for pid in running.workers()[:1]:
        with suppress(ProcessLookupError, FileNotFoundError):
            size = int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * PAGE + more
            resource.prlimit(pid, resource.RLIMIT_AS, (size, size))
    return f"{more >> 20} MB left for a worker"


def small_heap(rng: Generator, command: Command, tried: Tried) -> Iterator[str]:
    """Java with a heap that may be too small for a data set, or for itself."""
    heap = int(rng.integers(2048, 4000))
    tried[command.name, "small heap"] += 1
    with furnished(command) as folder:
        known = left_in(folder)
        what = f"{command.name}, a heap of {heap} kB"
        with command.start(folder, WEKACONF_JAVA_OPTIONS=f"{QUICK_JAVA} -Xmx{heap}k") as running:
            for fault in faults_at_the_end(running, command, folder, known, {0, 1}):
                yield f"{what}: {fault}"
        if running.code:
            for fault in ends_well(command, folder, left_in(folder), command.again):
                yield f"{what}, {fault}"


SMALL_WORKER = Trouble("a worker's memory limited", _limit_worker, may_stay=CRASHED, is_at_a_step=False)
TROUBLES = [
    Trouble("file sizes limited", _limit_files),
    Trouble("folder not writable", _freeze, _thaw, may_stay=MAY_STAY),
    SMALL_WORKER,
]
if may_mount():
    TROUBLES += [
        Trouble("disk full", _fill, _empty, small_disk),
        Trouble(
            "disk of temporary files full",
            lambda rng, folder, running: _fill(rng, _temporary(folder), running),
            lambda folder: _empty(_temporary(folder)),
            lambda folder: small_disk(_temporary(folder)),
        ),
    ]
