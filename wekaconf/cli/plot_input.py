"""The input of `plot`: a fitted method and instances, from data or from a model file."""

from __future__ import annotations

import os
from dataclasses import dataclass

import click
import cloup

from wekaconf.base.errors import OptionError
from wekaconf.base.files import is_stream
from wekaconf.base.naming import counted
from wekaconf.base.plot_style import METADATA, check_plot
from wekaconf.base.words import Argument
from wekaconf.bridge.reading import load_like
from wekaconf.cli import completion, models, options
from wekaconf.cli.console import say
from wekaconf.cli.loading import data_path
from wekaconf.cli.options import Decorator
from wekaconf.cli.training import TrainingOptions, grow_model
from wekaconf.cli.values import NamedFile, check_output, given_options, whole_number
from wekaconf.data import Dataset, stem
from wekaconf.data.table_files import Reading
from wekaconf.model import scheme
from wekaconf.model.fitted import Model

FITTING = (
    "method", "preprocess", "filters", "learner", "cost_matrix", "class_attribute", *options.READING
)  # fmt: skip
"""Options for fitting, which a model file excludes."""
OFTEN = ("-T", "-c", "--method", "--learner", "-o")
"""The options of pictures that their help shows."""
output_option = click.option(
    "-o", "--output", type=NamedFile(*(f".{kind}" for kind in METADATA)), callback=check_output, required=True,
    metavar="FILE", help="Draw into this file (.png, .svg, .pdf), one column of a paper wide.",
)  # fmt: skip
row_option = click.option(
    "--row", type=whole_number(1), metavar="N",
    help="Draw this instance, counted from 1. Left out: the least certain one.",
)  # fmt: skip


@dataclass(frozen=True)
class PictureOptions:
    """The options that pictures of a method share."""

    output: str
    data: str
    test: str | None
    method: str
    columns: Reading
    training: TrainingOptions


@dataclass(frozen=True)
class PictureInput:
    """A fitted method and the instances to draw.

    Parameters
    ----------
    name : str
        The name of the file of the instances, or of the model.
    model : Model
    data : Dataset, optional
        The instances, as the method reads them: those of the test file, else what the method was fitted on; None: a
        model without a test file.
    """

    name: str
    model: Model
    data: Dataset | None

    def row(self, number: int | None) -> tuple[str, Dataset]:
        """The name of an instance, and the instance; ``number`` counts from 1, None: the least certain one."""
        if self.data is None:
            raise click.UsageError(f"{self.name} is a model, which holds no instances; give some with -T")
        if not len(self.data):
            raise OptionError(f"{self.name}: there is no instance to draw", value_of="test")
        if number is None:
            number = int(self.model.answer_conformed(self.data).certainty.argmin()) + 1
            say(f"row {number} is the least certain; --row draws another")
        if number > len(self.data):
            raise OptionError(Argument("row"), f" {number}: {self.name} has {counted(len(self.data), 'instance')}")
        return f"row {number}", self.data.take(slice(number - 1, number))


def picture_options(method: str, *, output: tuple[Decorator, ...] = (), data: tuple[Decorator, ...] = ()) -> Decorator:
    """The options of a picture of a method, ``method`` by default, and further ones of the command."""
    return options.all_of(
        cloup.argument("data", type=click.Path(), metavar="DATA|MODEL", required=False,
                       help="ARFF, CSV, TSV, Parquet or Excel file to grow a tree on, or a name, see 'wekaconf list "
                       "data'; or a model file."),
        cloup.option_group(
            "Data",
            options.letters_of("data", "-t", "--train", "-l", "--load", metavar="DATA|MODEL"),
            click.option("-T", "--test", type=click.Path(), metavar="FILE",
                         help="Draw the instances of this file. Left out: those of DATA."),
            *data,
            options.class_attribute,
            options.preprocess(),
            options.filters,
        ),
        options.tables,
        cloup.option_group(
            "Method",
            click.option("--method", default=method, show_default=True, metavar="METHOD",
                         shell_complete=completion.methods_with_parameters, help=options.METHOD_HELP),
        ),
        options.learner,
        cloup.option_group("Output", output_option, *output),
        options.one_argument("training", TrainingOptions),
        options.one_argument("picture", PictureOptions),
    )  # fmt: skip


def is_model(path: str) -> bool:
    """Whether a path names a file that holds a model rather than data, by the ending of its name."""
    return not models.is_data(path) and not is_stream(path) and os.path.isfile(path)


def picture_input(context: click.Context, options: PictureOptions) -> PictureInput:
    """The method and instances by the options; the file to draw into is checked first."""
    check_plot(options.output)
    data, test, train = options.data, options.test, None
    if is_model(data):
        if conflicts := given_options(context, *FITTING):
            raise click.UsageError(f"{data} is a model, which is fitted already, so it excludes {conflicts[0]}")
        model = models.model_at(data).reading_as(options.columns)
    else:
        unfitted = scheme.parse_method(options.method)
        model, train, _ = grow_model(data, options.columns, unfitted, options.training, test=test)
    if test is None:
        return PictureInput(stem(data), model, train)
    return PictureInput(
        stem(test), model, model.conform(load_like(data_path(test), model.header, model.reading), what=test)
    )
