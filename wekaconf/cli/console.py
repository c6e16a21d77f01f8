"""Messages to the user, settings for how many are shown, and exit codes. Imports nothing that takes long."""

from __future__ import annotations

import os
import shutil
import sys
from enum import IntEnum

import click

from wekaconf.base.errors import printable, spelled_out
from wekaconf.report.printing import fold

LARGEST_WIDTH = 100
COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
"""The first words of messages, each with its colour on a terminal."""


class Session:
    """Settings of this call: which messages it shows."""

    verbose = False
    quiet = False


class ExitCode(IntEnum):
    """What a command ends with."""

    DONE = 0
    ERROR = 1
    """Of data, a file, Java, or a value."""
    USAGE = 2
    """The command line cannot be read."""
    UNLIKE_TRAINING = 3
    """With --strict file: the file is not like the training data."""
    PROMISE_BROKEN = 4
    """The rows show that the promise does not hold."""


def typed_command() -> list[str]:
    """The words of the command line, for reports."""
    return ["wekaconf", *map(spelled_out, sys.argv[1:])]


def say(text: str, *, only_verbose: bool = False, is_folded: bool = False, is_warning: bool = False) -> None:
    """Print a message on standard error, folded to the width of the terminal if ``is_folded``.

    A warning says that the results are not what was asked for, so it is printed in a quiet call, too.
    """
    if is_warning or (not Session.quiet and (Session.verbose or not only_verbose)):
        tell(text, is_folded=is_folded)


def tell(text: str, *, is_folded: bool = False) -> None:
    """Print a message on standard error; on a terminal it is folded between words, and its first word has a colour."""
    line = printable(text)
    if is_folded or sys.stderr.isatty():
        line = folded(line, further="  ")
    word, colon, rest = line.partition(":")
    if word in COLOURS and has_colours():
        word = click.style(f"{word}:", fg=COLOURS[word], bold=True)
        colon = ""
    click.echo(f"{word}{colon}{rest}", err=True)


def has_colours() -> bool:
    """Whether the user has not turned colours off; where no terminal reads, click leaves them out."""
    return not os.environ.get("NO_COLOR")


def folded(text: str, indent: str = "", further: str | None = None) -> str:
    """A paragraph in lines that fit the terminal; ``indent`` begins them, or ``further`` all but the first."""
    width = min(shutil.get_terminal_size().columns, LARGEST_WIDTH)
    further = indent if further is None else further
    lines = fold(text.replace("\n", " "), width - len(further), first_width=width - len(indent))
    return indent + f"\n{further}".join(lines)


def discard_stdout() -> None:
    """Discard everything that is still printed to standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
