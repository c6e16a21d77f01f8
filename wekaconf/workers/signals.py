"""Starting and ending worker processes so that no signal leaves one behind, and none complains."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import resource_tracker
from typing import Any

_OF_A_TERMINAL = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def quiet_tracker() -> Iterator[None]:
    """Start the processes that tidy up after workers so that they say nothing about workers that were killed.

    That of joblib would print tracebacks on standard error, so it is started with none.
    """
    from joblib.externals.loky.backend import resource_tracker as tracker_of_joblib

    try:
        kept = os.dup(2)
    except OSError:  # there is no standard error
        tracker_of_joblib.ensure_running()
    else:
        try:
            with open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), 2)
            tracker_of_joblib.ensure_running()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
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
def interrupted_after() -> Iterator[None]:
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
def end_with(parent: int) -> None:
    """End this worker when its parent dies, since a parent that is killed cannot end its workers."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for platforms where a mask of signals is not inherited
    threading.Thread(target=watch, daemon=True).start()
