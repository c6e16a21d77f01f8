"""Ctrl-C and its kin: the process ends soon, with one line, and leaves neither a half-written file nor a worker.

A signal raises KeyboardInterrupt in the command, which unwinds. Where that cannot be, the process ends at once: while
the command line itself is imported or has done its work, in a destructor, and inside a long call of Java or of a
compiled kernel, out of which Python hears no signal. For the last a thread listens, which the system wakes even then.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
DEAF_SECONDS = 1.0
"""How long Python may take to hear a signal; then it is inside a call that may last."""
UNWINDING_SECONDS = 5.0
"""How long what is finished may take to be kept after that."""
WORDS = "interrupted; nothing half-written is left"
AFTER_CARET_C = "\x1b[?25h\n"
"""To a terminal: the cursor, which a progress bar hides, and a new line."""


class _State:
    is_working = False
    heard = 0
    told = False
    store: str | None = None


def listen() -> None:
    """From now on until the end of the process, answer to every signal that is not ignored."""
    reader, writer = os.pipe()
    if hasattr(os, "set_blocking"):
        os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _hear)
    sys.unraisablehook = _tell_unraisable
    threading.excepthook = _tell_thread
    threading.Thread(target=_watch, args=(reader,), daemon=True).start()


@contextmanager
def interruptible() -> Iterator[None]:
    """Let a signal unwind the block; whatever comes out of it then is an `Interrupted`."""
    _State.is_working = True
    try:
        yield
    except BaseException as error:
        _State.is_working = False
        # After KeyboardInterrupt in the exec of a text, such as an import's of a dataclass, `python -m` dies of SIGINT
        # whatever its exit code is, unless another exec follows.
        exec("")
        if _State.heard or isinstance(error, KeyboardInterrupt):
            raise Interrupted(_State.heard or signal.SIGINT) from error
        raise
    else:
        if _State.heard:  # something within has swallowed it
            raise Interrupted(_State.heard)
    finally:
        _State.is_working = False


@contextmanager
def resumable(store: str | None) -> Iterator[None]:
    """Say how to go on if the block is interrupted, which keeps what is finished in a store; None: nowhere."""
    _State.store = store
    try:
        yield
    finally:
        if not _State.heard:
            _State.store = None


class Interrupted(BaseException):
    """A signal has ended the work.

    Parameters
    ----------
    number : int
        Of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(_words())
        self.exit_code = 128 + number

    def tell(self) -> None:
        """Say so on standard error."""
        _State.told = True
        print(self, file=sys.stderr)


def _words() -> str:
    """What to say: how to go on, where that is possible, and that it is safe."""
    store = _State.store
    if store is None:
        return WORDS
    where = f"what is finished is in {store}" if os.path.exists(store) else f"nothing is finished yet in {store}"
    return f"{where}; run the same command again to go on\n{WORDS}"


def _hear(number: int, _frame: FrameType | None) -> None:
    if not _State.is_working or _State.heard:
        _leave(number)
    _State.heard = number
    raise KeyboardInterrupt


def _tell_unraisable(unraisable: Any) -> None:
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _leave(_State.heard or signal.SIGINT)
    sys.__unraisablehook__(unraisable)


def _tell_thread(arguments: threading.ExceptHookArgs) -> None:
    """Threads may stumble over the unwinding, as those do that feed workers."""
    if not _State.heard:
        threading.__excepthook__(arguments)


def _watch(reader: int) -> None:
    """End the process when Python does not, or not in time."""
    while (number := os.read(reader, 1)[0]) not in SIGNALS:
        pass
    time.sleep(DEAF_SECONDS)
    if _State.heard:
        time.sleep(UNWINDING_SECONDS)
    _leave(number)


def _leave(number: int) -> NoReturn:
    """End without unwinding; nothing that is still at work, here, in Java or in another process, is waited for."""
    if files := sys.modules.get("wekaconf.base.files"):
        files.remove_unfinished()
    if processes := sys.modules.get("multiprocessing"):
        for worker in processes.active_children():
            with suppress(OSError, TypeError):
                os.kill(worker.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    if not _State.told:
        with suppress(OSError):
            os.write(2, f"{AFTER_CARET_C if os.isatty(2) else ''}{_words()}\n".encode(errors="surrogateescape"))
    os._exit(128 + number)
