"""``wekaconf learners``."""

from __future__ import annotations

import textwrap
from typing import Any

import click

from wekaconf.bridge.learners import WekaLearner
from wekaconf.cli.common import common, say
from wekaconf.errors import BridgeError
from wekaconf.learner import Learner, available_learners, learner_class
from wekaconf.parameters import parameters, written

WIDTH = 100


@click.command("learners")
@click.argument("name", required=False)
@common
def learners_command(name: str | None) -> None:
    """List the tree learners, or describe one with its options."""
    if name is None:
        for learner in available_learners().values():
            click.echo(learner.name)
            for line in (_documentation(learner).partition("\n")[0], _in_brief(learner), _source(learner)):
                if line:
                    _echo(line, 4)
        return
    learner = learner_class(name)
    click.echo(f"{learner.name}: {_documentation(learner)}\n")
    if issubclass(learner, WekaLearner):
        _describe_options(learner)
        return
    click.echo("Options, as parameter=value:")
    for declared in parameters(learner).values():
        _echo(str(declared), 2)


def _documentation(learner: type[Learner[Any]]) -> str:
    import inspect

    return (inspect.getdoc(learner) or "").replace("``", "'")


def _in_brief(learner: type[Learner[Any]]) -> str:
    if issubclass(learner, WekaLearner):
        return f"Options: those of {learner.class_name}; 'wekaconf learners {learner.name}' lists them"
    shown = " ".join(f"{name}={written(known.default)}" for name, known in parameters(learner).items())
    return f"Options: {shown or 'none'}"


def _source(learner: type[Learner[Any]]) -> str:
    from wekaconf.report.references import cite

    return cite(learner.reference) if learner.reference else ""


def _describe_options(learner: type[WekaLearner[Any]]) -> None:
    """Weka's own list."""
    try:
        options = learner.option_list()
    except BridgeError as error:
        say(f"note: {learner.class_name} can be asked for its options only where Weka runs: {error}")
        return
    after = f", which follow {learner.prefix}" if learner.prefix else ""
    click.echo(f"Options of {learner.class_name}{after}:")
    for synopsis, description in options:
        click.echo(f"  {synopsis}" if description else f"\n{synopsis}")
        if description:
            _echo(description, 6)


def _echo(text: str, indent: int) -> None:
    click.echo(textwrap.fill(text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 4)))
