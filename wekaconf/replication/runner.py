"""Measures many data sets, several at a time, and keeps the records of each on disk once it is done."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing import resource_tracker
from typing import Any

from wekaconf import bridge
from wekaconf.errors import BridgeError, Note, WekaconfError
from wekaconf.files import atomic_write, made_folder
from wekaconf.report.tables import write_json
from wekaconf.versions import versions as versions_now

_OF_A_TERMINAL = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]
Record = dict[str, Any]
Measure = Callable[[str, str], list[Record]]
"""The records of one data set, from its name and its file."""


@dataclass(frozen=True)
class Underway:
    """How far a replication has come.

    Parameters
    ----------
    n_done, n_sets : int
        Number of data sets measured, including those found in ``resume``, and of all data sets.
    share : float
        In [0, 1]: the share of the bytes of all files that is in the files measured.
    running : tuple of str
        The data sets that are being measured now.
    """

    n_done: int
    n_sets: int
    share: float
    running: tuple[str, ...]


def run_sets(
    paper: str,
    measure: Measure,
    paths: Mapping[str, str],
    *,
    parameters: Mapping[str, Any],
    versions: Mapping[str, str] | None = None,
    jobs: int = 1,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Underway], None] = lambda _: None,
) -> tuple[list[Record], dict[str, str]]:
    """Measure every data set once.

    Parameters
    ----------
    paper : str
        The start of the names of the files in ``resume``.
    measure : callable
        It is sent to other processes, so pickle must be able to handle it.
    paths : mapping of str to str
        The file of each data set.
    parameters : mapping
        What the records depend on besides the file and the versions; JSON values.
    versions : mapping of str to str, optional
        The versions that the records depend on if ``measure`` uses no Java, which then is not started; left out: those
        of `wekaconf.versions.versions`.
    jobs : int
        Number of data sets to measure at a time, at least 1. 1: in this process. More: each in a process of its own,
        with its own virtual machine if Java is used, whose heap is as large as that of this process.
    resume : path, optional
        A folder, made if need be, in which the records of each data set are kept as soon as it is done. Records there
        that were made from the same file, with the same parameters and versions, are not measured again; a `Note` names
        those that do not fit and are measured again.
    on_progress : callable
        Called at the start and after each data set.

    Returns
    -------
    records : list of dict
        Data sets in the order of ``paths``.
    failed : dict of str to str
        Data sets that could not be measured, and why; they do not stop the others.

    Raises
    ------
    OptionError
        ``resume`` is no folder.
    BridgeError
        A worker process died, or there is no usable Java.
    """
    import joblib

    kept: dict[str, list[Record]] = {}
    failed: dict[str, str] = {}
    files: dict[str, _File] = {}
    if resume is not None:
        folder, made_with = made_folder(resume), {**parameters, **(versions or versions_now())}
        for name, path in paths.items():
            files[name] = _File(os.path.join(folder, f"{paper}-{name}.json"), {"data": _digest(path), **made_with})
            records = files[name].read()
            if records is not None:
                kept[name] = records
    sizes = {name: os.path.getsize(path) for name, path in paths.items()}
    largest_first = sorted(paths.keys() - kept.keys(), key=lambda name: (-sizes[name], name))
    n_workers = max(min(jobs, len(largest_first)), 1)

    def report() -> None:
        left = [name for name in largest_first if name not in kept and name not in failed]
        share = 1 - sum(sizes[name] for name in left) / max(sum(sizes.values()), 1)
        on_progress(Underway(len(paths) - len(left), len(paths), share, tuple(left[:n_workers])))

    report()
    java = bridge.about() if versions is None else None
    tasks = (joblib.delayed(_run)(measure, name, paths[name], os.getpid(), java) for name in largest_first)
    parallel = joblib.Parallel(n_jobs=n_workers, batch_size=1, return_as="generator_unordered")
    try:
        with ExitStack() as stack:
            with _quiet_tracker(), _interrupted_after() if n_workers > 1 else nullcontext():
                outcomes = parallel(tasks)
                stack.callback(_give_up, outcomes)
            for name, outcome, caught in outcomes:
                for warning in caught:
                    warnings.warn(warning, stacklevel=2)
                if isinstance(outcome, str):
                    failed[name] = outcome
                else:
                    kept[name] = outcome
                    if name in files:
                        files[name].write(outcome)
                report()
    except BrokenExecutor as error:
        raise BridgeError(
            f"one of {n_workers} worker processes died, perhaps for lack of memory; use fewer jobs or a smaller heap"
        ) from error
    return [record for name in paths for record in kept.get(name, [])], failed


def _give_up(outcomes: Generator[Any, None, None]) -> None:
    """End the workers that are not finished, without joblib's warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes.close()


@contextmanager
def _quiet_tracker() -> Iterator[None]:
    """Start the process that tidies up after workers so that it does not warn about workers that were killed."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, (before, "ignore:resource_tracker:UserWarning")))
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


@contextmanager
def _interrupted_after() -> Iterator[None]:
    """Delay signals until the end of the block, and hide a terminal's signals from processes started in it.

    If joblib were interrupted while it starts workers, it would leave some behind. The workers need not see Ctrl-C,
    since their parent does and ends them. In a thread other than the main one, which gets no signals, nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    before: dict[int, Any] = {
        number: signal.signal(number, lambda number, _: caught.append(number))
        for number in (*_OF_A_TERMINAL, signal.SIGTERM)
        if callable(signal.getsignal(number))
    }
    _mask("SIG_BLOCK")
    resource_tracker.ensure_running()  # this unblocks Ctrl-C, so block it again
    _mask("SIG_BLOCK")
    try:
        yield
    finally:
        _mask("SIG_UNBLOCK")
        for number, handler in before.items():
            signal.signal(number, handler)
        if caught:
            signal.raise_signal(caught[0])


def _mask(how: str) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, how), _OF_A_TERMINAL)


@cache
def _end_with(parent: int) -> None:
    """End this worker when its parent dies, since a parent that is killed cannot end its workers."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _run(
    measure: Measure, name: str, path: str, parent: int, java: Mapping[str, str] | None
) -> tuple[str, list[Record] | str, list[Warning]]:
    """The records of one data set, or why there are none, and the warnings; runs in this process or in a worker.

    ``java`` is what `wekaconf.bridge.about` returns in the parent; None if no Java is used.
    """
    if os.getpid() != parent:
        if java is not None:
            with suppress(BridgeError):  # raised if this worker already runs Java
                bridge.configure(max_heap=f"{int(java['max_heap_bytes']) // 1024}k", java_home=java["java_home"])
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # for platforms where a mask of signals is not inherited
        _end_with(parent)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome: list[Record] | str = measure(name, path)
        except (WekaconfError, OSError) as error:
            outcome = str(error)
    return name, outcome, [warning.message for warning in caught if isinstance(warning.message, Warning)]


@dataclass(frozen=True)
class _File:
    """The records of one data set on disk, with the parameters and versions that made them."""

    path: str
    made_with: Record

    def write(self, records: list[Record]) -> None:
        with atomic_write(self.path, "w") as file:
            write_json([{"made_with": self.made_with, "records": records}], file)

    def read(self) -> list[Record] | None:
        """The records; None if there is no such file, or, with a `Note`, if it does not fit."""
        try:
            with open(self.path, encoding="utf-8") as file:
                [content] = json.load(file)
            made_with: Record = content["made_with"]
            records: list[Record] = content["records"]
            differences = [
                f"{key} {made_with[key]}, not {now}" for key, now in self.made_with.items() if made_with[key] != now
            ]
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            warnings.warn(Note(f"{self.path}: damaged, so this data set is run again"), stacklevel=4)
            return None
        if differences:
            warnings.warn(
                Note(f"{self.path}: made with {', '.join(differences)}, so this data set is run again"), stacklevel=4
            )
            return None
        return records


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
