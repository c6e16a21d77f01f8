"""Standard output and error of a terminal that does not hold every character: they print what is alike instead."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import TextIO

LOOK_ALIKES = {
    **dict.fromkeys("─–−‐", "-"), "…": "...", "→": "->", "≤": "<=", "≥": ">=", "∞": "inf", "·": "*", "×": "x",
    "±": "+-", "½": "1/2", "√": "sqrt", "²": "^2",
}  # fmt: skip
"""What wekaconf itself prints; other characters are escaped."""
ERRORS = "wekaconf.look_alikes"


class Ascii(io.TextIOWrapper):
    """A stream in ASCII; click writes UTF-8 to any of that name."""

    encoding = "ascii, as wanted"


def open_streams() -> None:
    """Have no character stop the process; a closed stream takes everything."""
    codecs.register_error(ERRORS, _look_alike)
    sys.stdout, sys.stderr = map(_never_failing, (sys.stdout, sys.stderr))


def _never_failing(stream: TextIO | None) -> TextIO:
    if stream is None:
        stream = open(os.devnull, "w")  # noqa: SIM115
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
    text = error.object[error.start : error.end]
    return "".join(LOOK_ALIKES.get(c) or c.encode("ascii", "backslashreplace").decode() for c in text), error.end
