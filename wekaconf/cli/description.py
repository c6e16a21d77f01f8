"""What methods and learners say of themselves, folded for a terminal."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from wekaconf.base.parameters import Parameter, Parametrised, parameters, written
from wekaconf.cli.console import folded

INDENT = "    "


def summary(described: type[Parametrised]) -> str:
    """The first line of what a class says of itself."""
    return _plain(inspect.getdoc(described) or "").partition("\n")[0]


def documentation(described: type[Parametrised]) -> Iterator[str]:
    """The paragraphs behind the first line, folded, without markup; headings are lines of their own.

    The section of parameters is left out: `parameter_list` says more.
    """
    _, _, rest = _plain(inspect.getdoc(described) or "").partition("\n\n")
    for paragraph in filter(None, rest.split("\n\n")):
        heading, _, below = paragraph.partition("\n")
        is_headed = below.startswith("---")
        if heading == "Parameters" and is_headed:
            continue
        yield "\n".join((heading, folded(below.partition("\n")[2], INDENT))) if is_headed else folded(paragraph)


def parameter_list(described: type[Parametrised]) -> str:
    """Each parameter with its default and values, and below it what it does."""
    return "\n".join(map(_described, parameters(described).values())) or f"{INDENT}none"


def in_brief(described: type[Parametrised], between: str) -> str:
    """The parameters and their defaults in a row."""
    shown = between.join(f"{name}={written(known.default)}" for name, known in parameters(described).items())
    return shown or "none"


def source(reference: str) -> str:
    """The paper; empty where there is none."""
    from wekaconf.report.references import cite

    return cite(reference) if reference else ""


def _described(declared: Parameter) -> str:
    head = f"{declared.name}={written(declared.default)} ({declared.valid})"
    return f"{folded(head, INDENT, 2 * INDENT)}\n{folded(declared.help, 2 * INDENT)}"


def _plain(text: str) -> str:
    """A docstring as one reads it."""
    text = re.sub(r"``([^`]+)``|`([^`]+)`", lambda found: f"'{found[1] or found[2]}'", text)
    return re.sub(r"\*\*(\w[^*]*\w)\*\*", r"\1", text)
