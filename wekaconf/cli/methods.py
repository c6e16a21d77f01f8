"""``wekaconf list methods``."""

from __future__ import annotations

import click
import cloup

from wekaconf.cli import completion, description
from wekaconf.cli.command import command
from wekaconf.cli.console import folded
from wekaconf.methods.contract import CertaintyRange
from wekaconf.model import scheme
from wekaconf.report.tables import bibtex_entries


@command("methods", "wekaconf list methods", "wekaconf list methods confdtree", "wekaconf list methods --bibtex")
@cloup.argument("name", required=False, shell_complete=completion.methods, help="A method to describe.")
@cloup.option("--bibtex", is_flag=True, help="Print the references of the methods, or of the one named, as BibTeX.")
def methods_command(name: str | None, bibtex: bool) -> None:
    """List the methods, or describe one with its parameters and its paper."""
    if bibtex:
        methods = scheme.available_methods().values() if name is None else [type(scheme.method(name))]
        click.echo(bibtex_entries(method.reference for method in methods) or "% no reference: the learner's own answer")
        return
    if name is not None:
        method = type(scheme.method(name))
        parts = (
            folded(description.title(name, method)),
            f"Parameters\n{description.parameter_list(method)}",
            *description.documentation(method),
            folded(f"The certainty {_certainty(method.certainty_range)}."),
            description.origin("method", method),
        )
        click.echo("\n\n".join(filter(None, parts)))
        return
    description.print_list(
        "method", scheme.available_methods(),
        lambda each: f"Parameters: {description.parameters_in_brief(each, ', ')}",
        without_paper="Weka's own answer",
    )  # fmt: skip


def _certainty(certainty_range: CertaintyRange) -> str:
    meaning = certainty_range.meaning
    return f"is {meaning}, in {certainty_range}" if meaning else f"lies in {certainty_range}"
