"""``wekaconf methods``."""

from __future__ import annotations

import textwrap

import click

from wekaconf import scheme
from wekaconf.cli.common import common
from wekaconf.postprocessor import PostProcessor, parameters


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
            click.echo(f"{name}: {text}\n\nThe certainty lies in {method.certainty_range}.")
            continue
        click.echo(method.name)
        shown = ", ".join(f"{p.name}={p.default}" for p in parameters(method).values())
        for line in (text.partition("\n")[0], f"Parameters: {shown or 'none'}", _source(method)):
            click.echo(textwrap.fill(line, 100, initial_indent="    ", subsequent_indent="        "))


def _source(method: type[PostProcessor]) -> str:
    from wekaconf.report.references import cite

    return cite(method.reference) if method.reference else "Weka's own answer"
