"""``wekaconf list learners``."""

from __future__ import annotations

from typing import Any

import click
import cloup

from wekaconf.base.errors import BridgeError
from wekaconf.bridge.learners import WekaLearner
from wekaconf.cli import completion, description
from wekaconf.cli.command import command
from wekaconf.cli.console import folded, say
from wekaconf.learners import available_learners
from wekaconf.model.scheme import learner_called
from wekaconf.tree import Learner


@command("learners", "wekaconf list learners", "wekaconf list learners J48")
@cloup.argument("name", required=False, shell_complete=completion.learners, help="A learner to describe.")
def learners_command(name: str | None) -> None:
    """List the tree learners, or describe one with its options."""
    if name is None:
        description.print_list("learner", available_learners(), _options_in_brief)
        return
    learner = learner_called(name)
    parts = (
        folded(description.title(learner.name, learner)),
        *description.documentation(learner),
        description.origin("learner", learner),
    )
    click.echo("\n\n".join(filter(None, parts)) + "\n")
    if issubclass(learner, WekaLearner):
        _describe_options(learner)
    else:
        click.echo(f"Options, as parameter=value\n{description.parameter_list(learner)}")


def _options_in_brief(learner: type[Learner[Any]]) -> str:
    if issubclass(learner, WekaLearner):
        return f"Options: those of {learner.class_name}; 'wekaconf list learners {learner.name}' lists them"
    return f"Options: {description.parameters_in_brief(learner, ' ')}"


def _describe_options(learner: type[WekaLearner[Any]]) -> None:
    """Print Weka's list of the learner's options."""
    try:
        options = learner.option_list()
    except BridgeError as error:
        say(f"note: {learner.class_name} can be asked for its options only where Weka runs: {error}")
        return
    after = f", which follow {learner.prefix}" if learner.prefix else ""
    click.echo(f"Options of {learner.class_name}{after}")
    for synopsis, meaning in options:
        click.echo(f"{description.INDENT}{synopsis}" if meaning else f"\n{synopsis}")
        if meaning:
            click.echo(folded(meaning, 2 * description.INDENT))
