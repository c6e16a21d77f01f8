"""All commands, and what becomes of their errors."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import click

from wekaconf.cli import interruption
from wekaconf.cli.about import about_command
from wekaconf.cli.common import Session, discard_stdout, printable, say
from wekaconf.cli.compile import compile_command
from wekaconf.cli.evaluate import evaluate_command
from wekaconf.cli.folds import folds_command
from wekaconf.cli.learners import learners_command
from wekaconf.cli.methods import methods_command
from wekaconf.cli.predict import predict_command
from wekaconf.cli.reject import reject_command
from wekaconf.cli.replicate import replicate_group
from wekaconf.cli.show import show_command
from wekaconf.cli.tree import tree_command
from wekaconf.errors import Note, WekaconfError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="wekaconf")
def main() -> None:
    """Decision trees that know when they are wrong: Weka's own trees, and published methods that read them."""


for _command in (
    about_command,
    methods_command,
    learners_command,
    tree_command,
    evaluate_command,
    reject_command,
    replicate_group,
    predict_command,
    show_command,
    folds_command,
    compile_command,
):
    main.add_command(_command)


def run() -> None:
    """Turn our errors into one line and an exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", Note)
        warnings.showwarning = _say_notes_once(warnings.showwarning)
        code = _exit_code()
    try:
        sys.stdout.flush()
    except OSError:
        discard_stdout()
    sys.exit(code)


def _exit_code() -> int:
    try:
        with interruption.interruptible():
            code = main(standalone_mode=False)
    except interruption.Interrupted as interrupted:
        interrupted.tell()
        return interrupted.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (WekaconfError, OSError) as error:
        if Session.debug:
            raise
        text = str(error)
        if isinstance(error, OSError):
            text = f"{error.filename or 'the output'}: {error.strerror or error}"
        click.echo(f"error: {printable(text)}", err=True)
        return 1
    return code if isinstance(code, int) else 0


def _say_notes_once(usual: Callable[..., None]) -> Callable[..., None]:
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
        text = str(message)
        if not issubclass(category, Note):
            usual(message, category, *rest, **more)
        elif text not in shown:
            shown.add(text)
            say(f"note: {text}")

    return show
