"""What a call says to its user, and how talkative it is. Imports nothing that takes long."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap

import click

from wekaconf.base.errors import printable, spelled_out

LARGEST_WIDTH = 100
_TOGETHER = "\N{NO-BREAK SPACE}%"


class Session:
    """How talkative this call is."""

    verbose = False
    quiet = False
    debug = False


def typed_command() -> list[str]:
    """The words of the command line, for the record."""
    return ["wekaconf", *map(spelled_out, sys.argv[1:])]


def say(text: str, *, only_verbose: bool = False, is_folded: bool = False) -> None:
    """Words for the user, on standard error; in lines that the terminal holds if it is folded."""
    if not Session.quiet and (Session.verbose or not only_verbose):
        line = printable(text)
        click.echo(folded(line, further="  ") if is_folded else line, err=True)


def folded(text: str, indent: str = "", further: str | None = None) -> str:
    """A paragraph in lines that the terminal holds, set in; its further lines by ``further``, if that is given.

    A number and its percent sign stay together.
    """
    width = min(shutil.get_terminal_size().columns, LARGEST_WIDTH)
    filled = textwrap.fill(
        text.replace(" %", _TOGETHER),
        width,
        initial_indent=indent,
        subsequent_indent=indent if further is None else further,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled.replace(_TOGETHER, " %")


def discard_stdout() -> None:
    """Send what is still printed nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
