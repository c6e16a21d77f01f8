"""The exceptions that wekaconf raises for what a user can fix.

A message says where the error is, what was expected, what came instead, and what to do. What front ends call by other
names is a `Term` in it.
"""

from __future__ import annotations

import copyreg
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from wekaconf.base.words import Argument, Owner, Term, Words, worded

LONGEST = 1000
"""The largest number of characters of a message."""
words_of_notes: ContextVar[Words] = ContextVar("words_of_notes", default=str)
"""The words of the front end that is at work. A note is shown where it is made, so that nobody can word it later."""


class Note(UserWarning):
    """Something that a user should know but that stops nothing: rows left out, values treated as missing."""

    def __init__(self, *parts: str | Term) -> None:
        super().__init__(one_line(worded(parts, words_of_notes.get())))
        self.parts = parts


class NotReached(Note):
    """No threshold reaches the aim, so every answer is rejected."""


PASSED_THROUGH = ("wekaconf", "numba", "contextlib")
"""Packages whose lines tell a user nothing about where a note comes from."""


def tell(*parts: str | Term) -> None:
    """Warn with a `Note`, attributed to the line of the user's code that led here, perhaps through numba."""
    tell_again(Note(*parts))


def tell_again(warning: Warning) -> None:
    """Give a warning, perhaps one from another process, attributed as `tell` says."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in PASSED_THROUGH:
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level + 1)


def spelled_out(text: str) -> str:
    r"""The text with the undecoded bytes of a file's name as UTF-8 characters, or as ``\xe4`` where they are none."""
    try:
        return text.encode(errors="surrogateescape").decode(errors="backslashreplace")
    except UnicodeEncodeError:  # half of a surrogate pair that is no such byte
        return text


_JOINER = re.compile(r"(?<=[^\x00-\u02ff\u2000-\u206f])[\u200c\u200d](?=[^\x00-\u02ff\u2000-\u206f])")
"""A joiner, or what keeps letters from joining, inside an emoji or a word of a script that needs it."""


def printable(text: str) -> str:
    """The text on one line without control characters, which names from a file may hold; see `spelled_out`.

    Joiners stay in emoji and in scripts that need them, such as Persian; between Latin letters nobody would see them.
    """
    if text.isprintable():
        return text
    text = spelled_out(text)
    joiners = {match.start() for match in _JOINER.finditer(text)}
    return "".join(
        c if c.isprintable() or place in joiners else c.encode("unicode_escape").decode()
        for place, c in enumerate(text)
    )


def one_line(text: str) -> str:
    """A message on one line, without control characters; a long message loses its middle.

    The advice stands at the end, so it stays.
    """
    line = printable(_shortened(text))  # first shortened, since it may be a file
    return line if line == text else _shortened(line)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: 2 * LONGEST // 3]} … {text[3 - LONGEST // 3 :]}"


def visible(text: str) -> str:
    """The text with its line breaks but without other control characters."""
    return "\n".join(map(printable, text.split("\n")))


class WekaconfError(Exception):
    """Base of every error that wekaconf raises on purpose. Its message is one line without control characters.

    A hundred places put names from files into messages, so what makes them safe and short stands here, once. Where a
    name is put into a message `quoted` shortens it too, since a message is to be read.
    """

    def __init__(self, *parts: str | Term) -> None:
        super().__init__(one_line(worded(parts)))
        self.parts = parts

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without calling the constructor, so that it comes back from worker processes."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class DataFileError(WekaconfError, ValueError):
    """A file of data cannot be read.

    Parameters
    ----------
    *message : str or Term
        What was expected, what came, what to do.
    path : str
        The file.
    line : int or None
        Line in the file, counted from 1.
    column : int or None
        Character in the line, counted from 1.
    """

    def __init__(self, *message: str | Term, path: str, line: int | None = None, column: int | None = None) -> None:
        self.message, self.path, self.line, self.column = worded(message), path, line, column
        place = ":".join(str(part) for part in (path, line, column) if part is not None)
        super().__init__(f"{place}: ", *message)


class ArffError(DataFileError):
    """A file is not valid ARFF."""


class TableError(DataFileError):
    """A CSV, Parquet or Excel file is not a table, or a cell of it is not what its column holds."""


class HeaderMismatchError(WekaconfError, ValueError):
    """Two data sets that must share their attributes do not."""


class OptionError(WekaconfError, ValueError):
    """A name or an option is unknown or out of range.

    Parameters
    ----------
    *text : str or Term
        The message; with ``expected`` what follows it, such as advice. If it begins with the `Argument` or the `Owner`
        that it is about, no name is put in front.
    parameter : str
        The argument that the error is about, whose name is put in front of the message.
    of : str
        The method or learner that the error is about, whose name is put in front.
    value_of : str
        The argument whose value the error is about, where the text says so itself: "no method 'x'".
    expected, got : str
        What was expected, and what came instead.
    advice : str
        What to do, where it is no `Term` of the text.
    """

    def __init__(
        self,
        *text: str | Term,
        parameter: str = "",
        of: str = "",
        value_of: str = "",
        expected: str = "",
        got: str = "",
        advice: str = "",
    ) -> None:
        if expected:
            text = (f"expected {expected}, got {got}", *text)
        if advice:
            text = (*text, f"; {advice}")
        self.text, self.of, self.value_of, self.expected, self.got = text, of, value_of, expected, got
        begins = text[0] if text else ""
        self.parameter = parameter or value_of or (begins.name if isinstance(begins, Argument) else "")
        if parameter:
            text = (Argument(parameter), ": ", *text)
        elif of and begins != Owner(of):
            text = (Owner(of), ": ", *text)
        super().__init__(*text)


class NotFittedError(WekaconfError, ValueError, AttributeError):
    """A method was used before it was fitted; it has the bases of scikit-learn's error of that name."""


class BridgeError(WekaconfError, RuntimeError):
    """Java is missing, could not start, or threw; the Java exception is the cause."""


class StoreError(WekaconfError, ValueError):
    """A store of results is damaged, of another kind or version, in use, or cannot be written."""


class ModelFileError(WekaconfError, ValueError):
    """A model file is damaged, or of another kind or version."""


class FetchError(WekaconfError, RuntimeError):
    """A data set cannot be fetched: no connection, a refusal, or not the file that was expected."""


@contextmanager
def needed(what: str, extra: str) -> Iterator[None]:
    """Raise OptionError, with the remedy, if an import in the block fails.

    Parameters
    ----------
    what : str
        What needs the packages.
    extra : str
        The extra of wekaconf that installs them.
    """
    try:
        yield
    except ImportError as error:
        package = (error.name or "a package").partition(".")[0]
        raise OptionError(f"{what} needs {package}, which is not installed; pip install 'wekaconf[{extra}]'") from error
