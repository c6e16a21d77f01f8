"""``wekaconf fit``."""

from __future__ import annotations

import click
import cloup

from wekaconf.cli import options
from wekaconf.cli.command import command
from wekaconf.cli.fitting import class_sets_option, fit_on_file, method_option, save, say_saved, summary_option
from wekaconf.cli.training import ClassSetOptions, FittingOptions, TrainingOptions
from wekaconf.cli.values import check_output
from wekaconf.data.table_files import Reading


@command(
    "fit",
    "wekaconf fit train.arff -d model.wct",
    "wekaconf fit train.arff --method second_opinion --keep 0.93 -d model.wct",
    often=("-d", "-c", "--id", "--ignore", "--type", "--method",
           "--learner", "--keep", "--target-error", "--confidence"),
)  # fmt: skip
@cloup.argument("data", type=click.Path(), required=False,
                help="Grow a tree and fit on this file: ARFF, CSV, TSV, Parquet or Excel; - for standard "
                "input; or the name of a set, see 'wekaconf list data'.")  # fmt: skip
@cloup.option_group(
    "Data", options.letters_of("data", "-t", "--train"), options.class_attribute, options.preprocess(), options.filters
)
@options.tables
@method_option
@options.learner
@options.rejecting(is_of_model=True)
@cloup.option_group(
    "Output",
    click.option("-d", "--dump", required=True, type=click.Path(), callback=check_output, metavar="FILE",
                 help="Save the model here, filters and threshold included; .wct is the usual ending."),
    class_sets_option,
    summary_option,
)  # fmt: skip
@options.one_argument("training", TrainingOptions)
@options.one_argument("fitting", FittingOptions)
@options.one_argument("sets", ClassSetOptions.parse, "class_sets")
def fit_command(data: str, dump: str, method: str, training: TrainingOptions, columns: Reading,
                fitting: FittingOptions, aim: options.AimOptions | None, sets: ClassSetOptions) -> None:  # fmt: skip
    """Grow a tree on a file, fit a method on it, and save the model.

    'wekaconf predict MODEL FILE' answers with it, without the training data and without Java.
    """
    model, _ = fit_on_file(data, None, method, columns, training, fitting, aim, sets)
    save(model, dump)
    say_saved(model, dump, is_all=True)
