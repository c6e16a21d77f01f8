"""``wekaconf list``: what there is to choose from; methods and learners described by their docstrings."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click
import cloup

from wekaconf.base.errors import BridgeError, printable
from wekaconf.base.parameters import Parameter, Parametrised, docstring_of, parameters, written
from wekaconf.base.plugins import Kind, plugin_of, plugins
from wekaconf.bridge.learners import WekaLearner
from wekaconf.cli import completion
from wekaconf.cli.command import command, group
from wekaconf.cli.console import folded, say
from wekaconf.data.catalogue import VARIABLE, entries, existing_set_folder, find_locally
from wekaconf.learners import available_learners
from wekaconf.methods.contract import CertaintyRange
from wekaconf.model import scheme
from wekaconf.model.scheme import learner_called
from wekaconf.report.printing import Block, Column, Names, print_blocks, print_legend
from wekaconf.report.tables import print_json
from wekaconf.tree import Learner

INDENT = "    "


@command("data", "wekaconf list data", "wekaconf list data --json")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON, with addresses and checksums.")
def data_command(as_json: bool) -> None:
    """List the data sets that have a name, and which of them are at hand.

    A set is at hand if it was fetched, or if its ARFF file is in a folder that WEKACONF_DATA names. Commands take its
    name in place of a file.
    """
    sets = [*entries().values()]
    places = [_place(each.name) for each in sets]
    if as_json:
        names = ("name", "instances", "attributes", "classes", "source", "address", "licence", "checksum", "remark")
        facts = [{name: getattr(each, name) or None for name in names} for each in sets]
        print_json([record | {"file": find_locally(each.name)} for record, each in zip(facts, sets, strict=True)])
        return
    columns = [
        Column("in-\nstances", [str(each.instances) for each in sets]),
        Column("attri-\nbutes", [str(each.attributes) for each in sets]),
        Column("clas-\nses", [str(each.classes) for each in sets]),
        Column("source", [each.source for each in sets], justify="left"),
        Column("licence", [each.licence for each in sets], justify="left"),
        Column("at\nhand", places, justify="left"),
    ]
    print_blocks(Names.of_no_group([each.name for each in sets]), [Block("", columns)])
    print_legend({"attributes": "with the class", "at hand": f"cache: fetched; folder: in one that {VARIABLE} names"})


def _place(name: str) -> str:
    """Where a data set is at hand: "cache", "folder", or empty if it is not."""
    path = find_locally(name)
    return "" if path is None else "cache" if os.path.dirname(path) == existing_set_folder() else "folder"


@command("methods", "wekaconf list methods", "wekaconf list methods confdtree")
@cloup.argument("name", required=False, shell_complete=completion.methods, help="A method to describe.")
def methods_command(name: str | None) -> None:
    """List the methods, or describe one with its parameters and its paper."""
    if name is not None:
        method = type(scheme.method(name))
        parts = (
            folded(title(name, method)),
            f"Parameters\n{parameter_list(method)}",
            *documentation(method),
            folded(f"The certainty {_certainty(method.certainty_range)}."),
            origin("method", method),
        )
        click.echo("\n\n".join(filter(None, parts)))
        return
    print_list(
        "method", scheme.available_methods(),
        lambda each: f"Parameters: {parameters_in_brief(each, ', ')}",
        without_paper="Weka's own answer",
    )  # fmt: skip


def _certainty(certainty_range: CertaintyRange) -> str:
    meaning = certainty_range.meaning
    return f"is {meaning}, in {certainty_range}" if meaning else f"lies in {certainty_range}"


@command("learners", "wekaconf list learners", "wekaconf list learners J48")
@cloup.argument("name", required=False, shell_complete=completion.learners, help="A learner to describe.")
def learners_command(name: str | None) -> None:
    """List the tree learners, or describe one with its options."""
    if name is None:
        print_list("learner", available_learners(), _options_in_brief)
        return
    learner = learner_called(name)
    parts = (
        folded(title(learner.name, learner)),
        *documentation(learner),
        origin("learner", learner),
    )
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
    for synopsis, meaning in options:
        click.echo(f"{INDENT}{synopsis}" if meaning else f"\n{synopsis}")
        if meaning:
            click.echo(folded(meaning, 2 * INDENT))


@group("list", data_command, methods_command, learners_command, examples=["wekaconf list methods confdtree"])
def list_command() -> None:
    """List methods, learners or public data sets, or describe one."""


def summary(described: type[Parametrised]) -> str:
    """The first line of a class's docstring."""
    return _plain(docstring_of(described)).partition("\n")[0]


def title(name: str, described: type[Parametrised]) -> str:
    """The name, followed by the first line of the docstring if there is one."""
    return ": ".join(filter(None, (name, summary(described))))


def documentation(described: type[Parametrised]) -> Iterator[str]:
    """The paragraphs after the first line, folded, without markup; each heading is a separate line.

    The section of parameters is left out, since `parameter_list` says more.
    """
    _, _, rest = _plain(docstring_of(described)).partition("\n\n")
    for paragraph in filter(None, rest.split("\n\n")):
        heading, _, below = paragraph.partition("\n")
        is_headed = below.startswith("---")
        if heading == "Parameters" and is_headed:
            continue
        yield "\n".join((heading, folded(below.partition("\n")[2], INDENT))) if is_headed else folded(paragraph)


def parameter_list(described: type[Parametrised]) -> str:
    """Each parameter with its default and values, and its help below."""
    return "\n".join(map(_described, parameters(described).values())) or f"{INDENT}none"


def parameters_in_brief(described: type[Parametrised], separator: str) -> str:
    """The parameters and their defaults in a row."""
    declared = parameters(described).items()
    return separator.join(f"{name}={written(parameter.default)}" for name, parameter in declared) or "none"


def origin(kind: Kind, described: type[Parametrised]) -> str:
    """The package that a method or learner comes from; empty if it is ours."""
    plugin = plugin_of(kind, described)
    return "" if plugin is None else f"From the package {plugin}."


def print_list(
    kind: Kind, known: Mapping[str, type[Any]], options: Callable[[type[Any]], str], without_paper: str = ""
) -> None:
    """Print each of the methods or learners in brief, and the names that other packages have, without importing them.

    ``without_paper`` stands where others have the citation of their paper.
    """
    from wekaconf.report.tables import cite

    for described in known.values():
        click.echo(described.name)
        citation = cite(described.reference) if described.reference else without_paper
        for line in filter(None, (summary(described), options(described), citation)):
            click.echo(folded(line, INDENT, 2 * INDENT))
    claims = plugins(kind)
    if not claims:
        return
    click.echo(f"\nFrom other packages; 'wekaconf list {kind}s NAME' imports and describes one")
    for name, of_name in claims.items():
        packages = " and ".join(map(str, of_name))
        is_ours = name in known and plugin_of(kind, known[name]) is None
        unused = f", not used: wekaconf has a {kind} of this name" if is_ours else ""
        click.echo(folded(printable(f"{name} ({packages}){unused}"), INDENT, 2 * INDENT))


def _described(declared: Parameter) -> str:
    head = f"{declared.name}={written(declared.default)} ({declared.valid})"
    return f"{folded(head, INDENT, 2 * INDENT)}\n{folded(declared.help, 2 * INDENT)}"


def _plain(text: str) -> str:
    """A docstring without markup."""
    text = re.sub(r"``([^`]+)``|`([^`]+)`", lambda match: f"'{match[1] or match[2]}'", text)
    return re.sub(r"\*\*(\w[^*]*\w)\*\*", r"\1", text)
