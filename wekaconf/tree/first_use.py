"""Who is told that kernels are being compiled: it takes long, and happens once.

This knows nothing of numba, so that listening costs nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wekaconf.errors import Note

Listener = Callable[[str, int, int], None]
"""Called with what is being done, in words, and with how many kernels are done and of how many."""


class _State:
    listener: Listener | None = None
    has_told = False


@contextmanager
def telling(listener: Listener) -> Iterator[None]:
    """Tell ``listener`` while the block lasts, from whatever thread; otherwise a `Note` is given, once in a process."""
    before, _State.listener = _State.listener, listener
    try:
        yield
    finally:
        _State.listener = before


def tell(words: str, done: int, total: int) -> None:
    """Tell that ``done`` of the kernels are compiled of ``total`` that an answer needs."""
    if _State.listener is not None:
        _State.listener(words, done, total)
    elif not _State.has_told:
        _State.has_told = True
        warnings.warn(Note(words), stacklevel=2)
