"""All commands, and the messages and exit codes of their errors.

A command's module is imported when the command is used, so that help and completion are fast.

cloup alone costs as much time as numpy does, and completion runs the command line at every TAB. Few commands stand on
the first page, in groups by who needs them; what only lists is ``list``, what downloads is ``fetch``, since ``list``
must change nothing.
"""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

import click
import cloup
from click.shell_completion import CompletionItem
from cloup.formatting import HelpFormatter, HelpSection

from wekaconf.base.errors import Note, NotReached, WekaconfError
from wekaconf.cli import interruption
from wekaconf.cli.console import ExitCode, Session, discard_stdout, say, tell
from wekaconf.cli.wording import (
    SETTINGS,
    advise_on_scheme,
    error_text,
    help_examples,
    in_command_words,
    usage_error_text,
    usage_line,
)

SECTIONS = {
    "Trees and answers": {
        "fit": "Grow a tree on a file, fit a method on it, and save the model.",
        "predict": "Answer for the rows of a file.",
        "explain": "Give the steps that lead to a model's answers.",
        "show": "Print what a model file holds, or write its page for a browser.",
        "export": "Write a model for programs without wekaconf.",
        "tree": "Grow a tree on a file and print it.",
        "plot": "Draw how a model answers, for a paper.",
    },
    "Measuring": {
        "evaluate": "Measure methods by cross-validation or on a test set.",
        "compare": "Compare methods over data sets, with tests of significance.",
        "advise": "Recommend a method for a file.",
        "check": "Tell whether a model's promise held on labelled rows.",
        "study": "Run, report or replicate a study of many data sets.",
    },
    "Reference and set-up": {
        "list": "List methods, learners or public data sets, or describe one.",
        "fetch": "Fetch public data sets by name.",
        "weka": "Install the methods into a stock Weka, or start its Explorer.",
        "self": "Print what is installed, or compile it now.",
    },
}
"""Every command with what it does; command C is ``C_command`` of the module ``wekaconf.cli.C``."""
COMMANDS = {name: text for section in SECTIONS.values() for name, text in section.items()}
HIDDEN = ("serve",)
"""Commands for programs, which help does not list."""
GUESSED = {"train": "fit", "learn": "fit", "classify": "predict", "test": "evaluate", "validate": "evaluate"}
"""Names that other programs have for commands of ours."""


class _Commands(cloup.Group):
    """The commands, each imported when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name; None if there is none."""
        del ctx
        if cmd_name not in (*COMMANDS, *HIDDEN):
            return None
        cmd: click.Command = getattr(import_module(f"wekaconf.cli.{cmd_name}"), f"{cmd_name}_command")
        return cmd

    def handle_bad_command_name(
        self, bad_name: str, valid_names: list[str], error: click.UsageError
    ) -> click.UsageError:
        """An error with the nearest name, or with advice about a class of Weka's."""
        del valid_names
        if advice := advise_on_scheme(bad_name):
            return click.UsageError(f"No such command '{bad_name}'; {advice}", error.ctx)
        if bad_name in GUESSED:
            return click.UsageError(f"No such command '{bad_name}'; write 'wekaconf {GUESSED[bad_name]}'", error.ctx)
        return super().handle_bad_command_name(bad_name, list(COMMANDS), error)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in sections."""
        del ctx
        assert isinstance(formatter, HelpFormatter)
        formatter.write_many_sections([HelpSection(title, list(texts.items())) for title, texts in SECTIONS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Commands that begin with the incomplete word, and options of the group."""
        names = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)


@cloup.command(
    "wekaconf",
    cls=_Commands,
    context_settings=SETTINGS,
    epilog="'wekaconf COMMAND --help' describes a command.\n\n"
    + help_examples("wekaconf evaluate iris.arff --method leaf_frequency --method second_opinion")
    + "\n\n\b\nTo have TAB complete commands, options, methods and learners, put this into\n~/.bashrc (zsh: "
    'zsh_source, ~/.zshrc):\n  eval "$(_WEKACONF_COMPLETE=bash_source wekaconf)"',
)
@click.version_option(package_name="wekaconf")
def main() -> None:
    """Decision trees that know when they are wrong: Weka's own trees, and published methods that read them."""


def run() -> None:
    """Run the command line; an error becomes one line and an exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", Note)
        warnings.showwarning = _notes_once(warnings.showwarning)
        code = _exit_code()
    try:
        sys.stdout.flush()
    except OSError:
        discard_stdout()
    sys.exit(code)


def _exit_code() -> int:
    """Run the command, print its error if there is one, and return the exit code."""
    try:
        with interruption.interruptible():
            code = main(prog_name="wekaconf", standalone_mode=False)
    except interruption.Interrupted as interrupted:
        with suppress(OSError):  # the stream is not a file
            discard_stdout()  # half a table
        interrupted.tell()
        return interrupted.exit_code
    except getattr(click.exceptions, "NoArgsIsHelpError", ()) as error:  # since click 8.2
        error.show()
        return error.exit_code
    except click.UsageError as error:
        if error.ctx is not None:
            tell(usage_line(error.ctx))
        tell(f"error: {usage_error_text(error)}")
        return error.exit_code
    except (WekaconfError, OSError, MemoryError) as error:
        if Session.verbose:
            traceback.print_exc()
        tell(f"error: {error_text(error)}")
        return ExitCode.ERROR
    return code if isinstance(code, int) else ExitCode.DONE


def _notes_once(showwarning: Callable[..., None]) -> Callable[..., None]:
    """A ``showwarning`` that prints each note once, and passes other warnings on."""
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
        text = in_command_words(message) if isinstance(message, Note) else str(message)
        if not issubclass(category, Note):
            showwarning(message, category, *rest, **more)
        elif text not in shown and not issubclass(category, NotReached):  # which a command says with its options
            shown.add(text)
            say(f"note: {text}")

    return show
