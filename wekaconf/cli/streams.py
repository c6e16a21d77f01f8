"""The standard streams of a process: closed ones, and those of a terminal that does not hold every character."""

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
"""What wekaconf itself prints; other characters are escaped."""
ERRORS = "wekaconf.look_alikes"
IN_PLACE_OF_CLOSED = (os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)
"""How the null device is opened in place of a closed stream: no input is read, no result is written, words are lost."""


class Ascii(io.TextIOWrapper):
    """A stream in ASCII; click writes UTF-8 to any of that name."""

    encoding = "ascii, as wanted"


class Words(io.FileIO):
    """A file for what is said beside the result: words for which there is no room are lost, and the work goes on."""

    def write(self, words: Any) -> int:
        """Write what can be written."""
        try:
            return super().write(words)
        except OSError:
            return len(words)


def open_streams() -> None:
    """Have no character stop the process, nor a word that cannot be said; writing to closed output is an OSError."""
    codecs.register_error(ERRORS, _look_alike)
    for number, flags in enumerate(IN_PLACE_OF_CLOSED):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, flags), True)  # gets the number, which is the lowest free one
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = _holding_every_character(sys.stdout or os.fdopen(1, "w", closefd=False))
    sys.stderr = _holding_every_character(_words(sys.stderr or os.fdopen(2, "w", closefd=False)))


def _words(stream: TextIO) -> TextIO:
    """A stream of the same file that loses what cannot be written; a console of Windows stays as it is."""
    if not isinstance(stream, io.TextIOWrapper) or type(getattr(stream.buffer, "raw", stream.buffer)) is not io.FileIO:
        return stream
    words: Any = Words(stream.fileno(), "w", closefd=False)
    return io.TextIOWrapper(words, stream.encoding, line_buffering=True, write_through=stream.write_through)


def _holding_every_character(stream: TextIO) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    if codecs.lookup(stream.encoding).name == "ascii":
        by_line, at_once = stream.line_buffering, stream.write_through
        return Ascii(stream.detach(), "ascii", ERRORS, line_buffering=by_line, write_through=at_once)
    stream.reconfigure(errors=ERRORS)
    return stream


def _look_alike(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = spelled_out(error.object[error.start : error.end])
    return "".join(LOOK_ALIKES.get(c) or c.encode("ascii", "backslashreplace").decode() for c in text), error.end
