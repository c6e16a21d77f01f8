"""Ctrl-C and similar signals: the process ends soon, with one line, and leaves no half-written file and no worker.

A signal raises KeyboardInterrupt in the command, which unwinds. Where that is impossible, the process ends at once:
while the command line is imported, after its work is done, in a destructor, and inside a long call of Java or of a
compiled kernel, during which Python handles no signal. For such calls a thread listens, which the system wakes.

A thread per call of Java would cost every call time, and change its stack.
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
"""How long Python may take to handle a signal; after that it must be inside a long call."""
UNWINDING_SECONDS = 5.0
"""How long a command may take to unwind after that, and to keep what is finished."""
MESSAGE = "interrupted; nothing half-written is left"
AFTER_CARET_C = "\x1b[?25h\n"
"""Written to a terminal: it shows the cursor, which a progress bar hides, and begins a new line."""


class _State:
    """The state of the command, and the first signal that it got, 0 if none."""

    is_working = False
    signal_number = 0
    is_printed = False
    store: str | None = None


def listen() -> None:
    """Handle every signal that is not ignored, from now on until the end of the process."""
    reader, writer = os.pipe()
    if hasattr(os, "set_blocking"):
        os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _handle)
    sys.unraisablehook = _handle_unraisable
    threading.excepthook = _handle_thread_error
    threading.Thread(target=_watch, args=(reader,), daemon=True).start()


@contextmanager
def interruptible() -> Iterator[None]:
    """Let a signal unwind the block, which then raises `Interrupted`, whatever else it raised."""
    _State.is_working = True
    try:
        try:
            yield
        finally:
            _State.is_working = False
    except BaseException as error:
        # After KeyboardInterrupt in the exec of a text, such as an import's of a dataclass, `python -m` dies of SIGINT
        # whatever its exit code is, unless another exec follows.
        exec("")
        if _State.signal_number or isinstance(error, KeyboardInterrupt):
            raise Interrupted(received_signal()) from error
        raise
    if _State.signal_number:  # the block has caught the KeyboardInterrupt
        raise Interrupted(_State.signal_number)


def received_signal() -> int:
    """The number of the signal that the command has got."""
    return _State.signal_number or signal.SIGINT


@contextmanager
def resumable(store: str | None) -> Iterator[None]:
    """If the block is interrupted, say how to go on with what is finished in ``store``; None: nothing is kept."""
    _State.store = store
    try:
        yield
    finally:
        if not _State.signal_number:
            _State.store = None


class Interrupted(BaseException):
    """A signal has ended the work.

    Parameters
    ----------
    number : int
        The number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(_message())
        self.exit_code = 128 + number

    def tell(self) -> None:
        """Print the message on standard error."""
        _State.is_printed = True
        print(self, file=sys.stderr)


def _message() -> str:
    """The message: how to go on, if that is possible, and that nothing half-written is left."""
    store = _State.store
    if store is None:
        return MESSAGE
    where = f"what is finished is in {store}" if os.path.exists(store) else f"nothing is finished yet in {store}"
    return f"{where}; run the same command again to go on\n{MESSAGE}"


def _handle(number: int, _frame: FrameType | None) -> None:
    if not _State.is_working or _State.signal_number:
        _end_process(number)
    _State.signal_number = number
    raise KeyboardInterrupt


def _handle_unraisable(unraisable: Any) -> None:
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _end_process(_State.signal_number or signal.SIGINT)
    sys.__unraisablehook__(unraisable)


def _handle_thread_error(arguments: threading.ExceptHookArgs) -> None:
    """Hide errors of threads during the unwinding, which those that feed workers may raise."""
    if not _State.signal_number:
        threading.__excepthook__(arguments)


def _watch(reader: int) -> None:
    """End the process if Python does not, or not in time."""
    while (number := os.read(reader, 1)[0]) not in SIGNALS:
        pass
    time.sleep(DEAF_SECONDS)
    if _State.signal_number:
        time.sleep(UNWINDING_SECONDS)
    _end_process(number)


def _end_process(number: int) -> NoReturn:
    """End the process without unwinding, and without waiting for work here, in Java or in other processes."""
    if files := sys.modules.get("wekaconf.base.files"):
        files.remove_unfinished()
    if processes := sys.modules.get("multiprocessing"):
        for worker in processes.active_children():
            with suppress(OSError, TypeError):
                os.kill(worker.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    if not _State.is_printed:
        with suppress(OSError):
            os.write(2, f"{AFTER_CARET_C if os.isatty(2) else ''}{_message()}\n".encode(errors="surrogateescape"))
    os._exit(128 + number)
