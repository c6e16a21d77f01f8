"""Starts and ends worker processes so that no signal leaves one behind, and none prints a warning."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import resource_tracker
from typing import Any

ENDING_SECONDS = 10
"""How long workers that have nothing to do may take to end."""
_TERMINAL_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def starting_workers() -> Iterator[None]:
    """Delay signals until the end of the block, and hide a terminal's signals from processes started in it.

    If joblib were interrupted while it starts workers, it would leave some behind. The workers need not see Ctrl-C,
    since their parent does and ends them. Nor need the processes that tidy up after workers; these are started first,
    with their messages about killed workers silenced. Outside the main thread, which alone gets signals, nothing is
    delayed.
    """
    caught: list[int] = []
    handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        handlers = {
            number: signal.signal(number, lambda number, _: caught.append(number))
            for number in (*_TERMINAL_SIGNALS, signal.SIGTERM)
            if callable(signal.getsignal(number))
        }
    try:
        _start_trackers()
        with _redirected(1, 2):  # else a worker that dies as it starts would print among the results
            yield
    finally:
        _mask("SIG_UNBLOCK")
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if caught:
            signal.raise_signal(caught[0])


@cache
def end_at_exit() -> None:
    """At the end of this process, kill workers that do not end soon; call it once joblib has started some.

    A worker that is killed while it waits for a task keeps the lock for which the others wait, and joblib waits for
    them forever. Python calls exit functions in reverse order of registration, and joblib registers the one that waits
    when it starts workers.
    """
    from joblib.externals.loky import reusable_executor

    parent = os.getpid()

    def end() -> None:
        executor = reusable_executor._executor
        # Private names. ``shutdown(kill_workers=True)`` without a grace would do without them, but a killed Java leaves
        # files behind. A new executor per call would, too, at some three seconds each.
        manager = executor and executor._executor_manager_thread
        if manager is None or os.getpid() != parent:
            return
        workers = [*executor._processes.values()]
        executor.shutdown(wait=False)
        manager.join(ENDING_SECONDS)
        for worker in workers if manager.is_alive() else ():
            with suppress(ProcessLookupError):
                os.kill(worker.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    threading._register_atexit(end)  # type: ignore[attr-defined]


def _start_trackers() -> None:
    """Start the processes of multiprocessing and joblib that tidy up, and leave a terminal's signals blocked."""
    from joblib.externals.loky.backend import resource_tracker as tracker_of_joblib

    for module in (resource_tracker, tracker_of_joblib):
        _mask("SIG_BLOCK")
        _silence_tracker(module._resource_tracker)
        with _no_standard_error():
            module.ensure_running()  # this unblocks Ctrl-C, so it is blocked again
    _mask("SIG_BLOCK")


# Nothing is wrong: each resource is removed by who made it. joblib has no option for that; later versions of it may
# make the two methods below idle, but not break them.
def _silence_tracker(tracker: Any) -> None:
    """Hide the warnings after a tracker was killed: its successor warns of every resource that it does not know.

    The two methods are those by which joblib, and recent versions of multiprocessing, start a successor.
    """
    kind = type(tracker)
    if kind.__name__ == "Silent":
        return

    class Silent(kind):  # type: ignore[misc,valid-type]
        def _launch(self) -> None:
            with _no_standard_error():
                super()._launch()

        def _teardown_dead_process(self) -> None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                super()._teardown_dead_process()

    tracker.__class__ = Silent


@contextmanager
def _no_standard_error() -> Iterator[None]:
    """Discard standard error in the block, also that of processes started in it."""
    with open(os.devnull, "w") as nowhere, _redirected(2, nowhere.fileno()):
        yield


@contextmanager
def _redirected(stream: int, to: int) -> Iterator[None]:
    """Write what goes to a stream of this process to another one in the block; so do processes started in it."""
    try:
        before = os.dup(stream)
    except OSError:  # it is closed
        yield
        return
    try:
        with suppress(OSError):  # the other one is closed
            os.dup2(to, stream)
        yield
    finally:
        os.dup2(before, stream)
        os.close(before)


def _mask(how: str) -> None:
    """Block or unblock a terminal's signals; ``how`` is "SIG_BLOCK" or "SIG_UNBLOCK"."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, how), _TERMINAL_SIGNALS)


@cache
def end_with_parent(parent: int) -> None:
    """End this worker when its parent dies, since a parent that is killed cannot end its workers.

    Each worker calls it first, since its first task may come minutes later. From then on the worker prints to standard
    error; else Java's last words, if it runs out of memory, would stand among the parent's results.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    with suppress(OSError):  # the stream is closed
        os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for platforms where a mask of signals is not inherited
    threading.Thread(target=watch, daemon=True).start()
