"""The standard streams of a process, some of which may be closed, or unable to encode every character."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import Any, TextIO

from wekaconf.base.errors import spelled_out

LOOK_ALIKES = {
    **dict.fromkeys("─–−‐", "-"), "…": "...", "→": "->", "≤": "<=", "≥": ">=", "∞": "inf", "·": "*", "×": "x",
    "±": "+-", "½": "1/2", "√": "sqrt", "²": "^2",
}  # fmt: skip
"""Replacements of characters that wekaconf itself prints; other characters are escaped."""
ERRORS = "wekaconf.look_alikes"
# A result that nobody can read is an error, words that nobody can read are not. With the null device in its place the
# system itself refuses the first write, and no file that is opened later becomes number 1.
IN_PLACE_OF_CLOSED = (os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)
"""Flags of the null device in place of a closed stream: input and output then fail, and messages are lost."""


class Ascii(io.TextIOWrapper):
    """A stream in ASCII under another name, since click would write UTF-8 to a stream named "ascii"."""

    encoding = "ascii, as wanted"


def encoding_of(stream: TextIO) -> str:
    """The encoding of a stream, also of `Ascii`; UTF-8 for what is no file."""
    return "ascii" if isinstance(stream, Ascii) else stream.encoding or "utf-8"


class LossyFile(io.FileIO):
    """A file for messages: what cannot be written, as on a full disk, is lost, and the work goes on."""

    def write(self, content: Any) -> int:
        """Write what can be written."""
        try:
            return super().write(content)
        except OSError:
            return len(content)


def open_streams() -> None:
    """Open the standard streams so that neither a character nor a lost message stops the process.

    Writing to closed standard output is an OSError.
    """
    codecs.register_error(ERRORS, _replacement)
    for number, flags in enumerate(IN_PLACE_OF_CLOSED):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, flags), True)  # gets this number, which is the lowest free one
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = _replacing_characters(sys.stdout or os.fdopen(1, "w", closefd=False))
    sys.stderr = _replacing_characters(_lossy(sys.stderr or os.fdopen(2, "w", closefd=False)))


def _lossy(stream: TextIO) -> TextIO:
    """A stream to the same file that loses what cannot be written; a Windows console stays as it is."""
    if not isinstance(stream, io.TextIOWrapper) or type(getattr(stream.buffer, "raw", stream.buffer)) is not io.FileIO:
        return stream
    file: Any = LossyFile(stream.fileno(), "w", closefd=False)
    return io.TextIOWrapper(file, stream.encoding, line_buffering=True, write_through=stream.write_through)


def _replacing_characters(stream: TextIO) -> TextIO:
    """The stream, made to replace the characters that its encoding lacks."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    if codecs.lookup(stream.encoding).name == "ascii":
        by_line, at_once = stream.line_buffering, stream.write_through
        return Ascii(stream.detach(), "ascii", ERRORS, line_buffering=by_line, write_through=at_once)
    stream.reconfigure(errors=ERRORS)
    return stream


def _replacement(error: UnicodeError) -> tuple[str, int]:
    """An error handler for codecs: the replacement, and the position after it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = spelled_out(error.object[error.start : error.end])
    return "".join(LOOK_ALIKES.get(c) or c.encode("ascii", "backslashreplace").decode() for c in text), error.end
