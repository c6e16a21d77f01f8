"""Announcements that kernels are being compiled, which takes long and happens once.

This module does not import numba, so that listening costs nothing.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str, int, int], None]
"""A function that takes a text, the number of kernels compiled so far, and their total number."""


class _State:
    listener: Listener | None = None
    has_announced = False


@contextmanager
def announce_to(listener: Listener) -> Iterator[None]:
    """Call ``listener`` during the block, from any thread; without one standard error gets a line, once per process."""
    before, _State.listener = _State.listener, listener
    try:
        yield
    finally:
        _State.listener = before


def announce(words: str, done: int, total: int) -> None:
    """Announce that ``done`` of the ``total`` kernels that an answer needs are compiled."""
    if _State.listener is not None:
        _State.listener(words, done, total)
    elif not _State.has_announced:
        _State.has_announced = True
        if sys.stderr is not None:  # no warning, which may be an error: the answer comes
            print(f"wekaconf: {words}", file=sys.stderr)


class Announcement(Warning):
    """The words of a worker process, recorded with its warnings for the process that it works for."""


def record(words: str, _done: int, _total: int) -> None:
    """The listener of a worker process: its words become an `Announcement`."""
    warnings.warn(Announcement(words), stacklevel=2)
