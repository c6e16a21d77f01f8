"""Descriptions of methods and learners, from their docstrings, folded for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

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


def source(reference: str) -> str:
    """The citation of a paper; empty without a reference."""
    from wekaconf.report.tables import cite

    return cite(reference) if reference else ""


def origin(kind: Kind, described: type[Parametrised]) -> str:
    """The package that a method or learner comes from; empty if it is ours."""
    plugin = plugin_of(kind, described)
    return "" if plugin is None else f"From the package {plugin}."


def list_plugins(kind: Kind, known: Mapping[str, type[Parametrised]]) -> None:
    """Print what other packages have, which is not imported for that."""
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
