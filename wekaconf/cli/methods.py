"""``wekaconf methods``."""

from __future__ import annotations

import textwrap

import click

from wekaconf import scheme
from wekaconf.cli.common import common
from wekaconf.parameters import Parameter, parameters, written
from wekaconf.postprocessor import PostProcessor


@click.command("methods")
@click.argument("name", required=False)
@common
def methods_command(name: str | None) -> None:
    """List the methods, or describe one: parameters and paper."""
    import inspect

    known = scheme.available_methods() if name is None else {name: type(scheme.method(name))}
    for method in known.values():
        text = inspect.getdoc(method) or ""
        if name is not None:
            summary, _, rest = text.partition("\n\n")
            described = "\n".join(map(_described, parameters(method).values())) or "    none"
            certainty = f"The certainty lies in {method.certainty_range}."
            click.echo("\n\n".join(filter(None, (f"{name}: {summary}", f"Parameters\n{described}", rest, certainty))))
            continue
        click.echo(method.name)
        shown = ", ".join(f"{p.name}={written(p.default)}" for p in parameters(method).values())
        for line in (text.partition("\n")[0], f"Parameters: {shown or 'none'}", _source(method)):
            click.echo(textwrap.fill(line, 100, initial_indent="    ", subsequent_indent="        "))


def _described(declared: Parameter) -> str:
    """A parameter with its default and values, and below it what it does."""
    head = f"{declared.name}={written(declared.default)} ({declared.valid})"
    return "\n".join(
        textwrap.fill(line, 100, initial_indent=indent, subsequent_indent="        ")
        for line, indent in ((head, "    "), (declared.help, "        "))
    )


def _source(method: type[PostProcessor]) -> str:
    from wekaconf.report.references import cite

    return cite(method.reference) if method.reference else "Weka's own answer"
