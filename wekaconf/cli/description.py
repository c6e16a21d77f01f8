"""Descriptions of methods and learners, from their docstrings, folded for a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click

from wekaconf.base.errors import printable
from wekaconf.base.parameters import Parameter, Parametrised, docstring_of, parameters, written
from wekaconf.base.plugins import Kind, plugin_of, plugins
from wekaconf.cli.console import folded

INDENT = "    "


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
