"""``wekaconf list learners``."""

from __future__ import annotations

from typing import Any

import click
import cloup

from wekaconf.base.errors import BridgeError
from wekaconf.bridge.learners import WekaLearner
from wekaconf.cli import completion
from wekaconf.cli.command import command
from wekaconf.cli.console import folded, say
from wekaconf.cli.description import (
    INDENT,
    documentation,
    list_plugins,
    origin,
    parameter_list,
    parameters_in_brief,
    source,
    summary,
    title,
)
from wekaconf.model.scheme import learner_called
from wekaconf.tree import Learner, available_learners


@command("learners", "wekaconf list learners", "wekaconf list learners J48")
@cloup.argument("name", required=False, shell_complete=completion.learners, help="A learner to describe.")
def learners_command(name: str | None) -> None:
    """List the tree learners, or describe one with its options."""
    if name is None:
        for learner in available_learners().values():
            click.echo(learner.name)
            for line in filter(None, (summary(learner), _options_in_brief(learner), source(learner.reference))):
                click.echo(folded(line, INDENT, 2 * INDENT))
        list_plugins("learner", available_learners())
        return
    learner = learner_called(name)
    parts = (folded(title(learner.name, learner)), *documentation(learner), origin("learner", learner))
    click.echo("\n\n".join(filter(None, parts)) + "\n")
    if issubclass(learner, WekaLearner):
        _describe_options(learner)
    else:
        click.echo(f"Options, as parameter=value\n{parameter_list(learner)}")


def _options_in_brief(learner: type[Learner[Any]]) -> str:
    if issubclass(learner, WekaLearner):
        return f"Options: those of {learner.class_name}; 'wekaconf list learners {learner.name}' lists them"
    return f"Options: {parameters_in_brief(learner, ' ')}"


def _describe_options(learner: type[WekaLearner[Any]]) -> None:
    """Print Weka's list of the learner's options."""
    try:
        options = learner.option_list()
    except BridgeError as error:
        say(f"note: {learner.class_name} can be asked for its options only where Weka runs: {error}")
        return
    after = f", which follow {learner.prefix}" if learner.prefix else ""
    click.echo(f"Options of {learner.class_name}{after}")
    for synopsis, description in options:
        click.echo(f"{INDENT}{synopsis}" if description else f"\n{synopsis}")
        if description:
            click.echo(folded(description, 2 * INDENT))
