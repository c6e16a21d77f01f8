"""Answers to Weka, and the process that Weka starts where no Python runs it: questions in, answers out.

Each question and each answer is a number and a length, both int32 in big-endian order, and a message. The first answer,
with the number 0, is the greeting. ``java/src/weka/classifiers/trees/PythonProcess.java`` is the other side.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib.metadata import version
from typing import BinaryIO

import numpy as np

from wekaconf.in_weka._messages import PROTOCOL, pack

_HEAD = struct.Struct(">ii")


def answer(message: bytes | memoryview) -> bytes:
    """The answer to a message from Java, or why there is none, also where the import of the service fails."""
    try:
        from wekaconf.in_weka import _service as service

        return service.answer(message)
    except MemoryError:
        return pack({"refused": ["wekaconf's Python ran out of memory"]})
    except (Exception, SystemExit) as error:
        traceback.print_exc(file=sys.stderr)
        return pack({"refused": [f"wekaconf failed with {type(error).__name__}: {error}"]})


def serve() -> None:
    """Answer questions until standard input ends; then end at once, also with answers under way."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Weka, in the same terminal, decides when to end
    answers, questions = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)  # whatever prints must not come between the answers
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    lock = threading.Lock()

    def send(number: int, message: bytes) -> None:
        with lock:
            answers.write(_HEAD.pack(number, len(message)))
            answers.write(message)
            answers.flush()

    def reply(number: int, message: bytes) -> None:
        with _ending():
            send(number, answer(message))

    with _ending():
        send(0, pack({"protocol": np.array([PROTOCOL], dtype=np.int32), "version": [version("wekaconf")]}))
        pool = ThreadPoolExecutor(max_workers=os.cpu_count())
        while (question := _next(questions)) is not None:
            pool.submit(reply, *question)
        sys.stderr.flush()
        os._exit(0)


@contextmanager
def _ending() -> Iterator[None]:
    """End the process where it cannot receive or send: nobody would wait for an answer that never comes."""
    try:
        yield
    except BrokenPipeError:
        os._exit(0)
    except BaseException:
        with suppress(BaseException):
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(1)


def _next(questions: BinaryIO) -> tuple[int, bytes] | None:
    """The number and the message of the next question; None at the end."""
    head = questions.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    number, length = _HEAD.unpack(head)
    message = questions.read(max(length, 0))
    return None if len(message) != length else (number, message)
