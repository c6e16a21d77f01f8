"""``wekaconf show``."""

from __future__ import annotations

import click
import cloup

from wekaconf.base.errors import printable
from wekaconf.cli import options
from wekaconf.cli.command import command
from wekaconf.cli.console import folded
from wekaconf.cli.models import allow_plugin, model_in_file
from wekaconf.cli.values import ENDINGS_OF_PAGES, NamedFile, check_output
from wekaconf.data.table_files import Reading
from wekaconf.model.facts import facts_of, page_facts_of


@command(
    "show", "wekaconf show model.wct", "wekaconf show model.wct -T new.arff -o model.html", "wekaconf show j48.model"
)
@cloup.argument("model", type=click.Path(), required=False, help="Model file, as 'fit' saves it, or as Weka does.")
@cloup.option_group(
    "Data",
    options.letters_of("model", "-l", "--load", metavar="MODEL"),
    click.option("-T", "--test", type=click.Path(), metavar="FILE",
                 help="Let readers of the page choose among the first 1,000 rows of this file."),
    click.option("-t", "--train", type=click.Path(), metavar="FILE",
                 help="Draw in the page how the values of each class are spread at the splits, from the training data "
                 "in this file; only counts go into the page."),
)  # fmt: skip
@options.file_form
@cloup.option_group(
    "Output",
    click.option("-o", "--output", type=NamedFile(*ENDINGS_OF_PAGES), callback=check_output, metavar="FILE",
                 help="Write a page for a browser instead: the tree, and answers for rows that are chosen or "
                 "typed. The file needs no other and no network."),
)  # fmt: skip
@allow_plugin
def show_command(model: str, output: str | None, test: str | None, train: str | None, written: Reading) -> None:
    """Print what a model file holds, or write its page for a browser.

    It holds the method, columns, classes, threshold, date and versions.
    """
    if output is None and (test is not None or train is not None):
        raise click.UsageError("-T and -t are for the page, so give its name with -o, such as -o model.html")
    shown_model = model_in_file(model, "'show'").reading_as(written)
    if output is not None:
        from wekaconf.cli.model_pages import read_rows, read_training, write_page
        from wekaconf.report.pages import ModelPage

        rows = None if test is None else read_rows(test, shown_model)
        data = None if train is None else read_training(train, shown_model)
        write_page(ModelPage(shown_model, rows, data, facts=page_facts_of(shown_model)), output)
        return
    for name, text in facts_of(shown_model).items():
        click.echo(folded(printable(f"{name + ':':<12}{text}"), further=" " * 12))
