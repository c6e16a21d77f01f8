"""``wekaconf fit``."""

from __future__ import annotations

import click
import cloup

from wekaconf.cli.command import command
from wekaconf.cli.common import (
    AimOptions,
    class_option,
    common,
    filter_option,
    learner_options,
    one_argument,
    preprocess_option,
    rejecting_options,
    table_options,
)
from wekaconf.cli.fitting import class_set_options, learn, method_option, save, say_saved, summary_option
from wekaconf.cli.training import ClassSetOptions, FittingOptions, TrainingOptions
from wekaconf.cli.values import check_output
from wekaconf.data.table_files.base import Reading


@command(
    "fit",
    "wekaconf fit train.arff -o model.wct",
    "wekaconf fit train.arff --method second_opinion --keep 0.93 -o model.wct",
    often=(
        "-o",
        "-c",
        "--id",
        "--ignore",
        "--nominal",
        "--method",
        "--learner",
        "--keep",
        "--target-error",
        "--confidence",
    ),
)
@cloup.argument("data", type=click.Path(),
                help="Grow a tree and fit on this file: ARFF, CSV, TSV, Parquet or Excel; - for standard "
                "input; or the name of a set, see 'wekaconf list data'.")  # fmt: skip
@cloup.option_group("Data", class_option, preprocess_option(), filter_option)
@table_options
@method_option
@learner_options
@rejecting_options(is_of_model=True)
@cloup.option_group(
    "Output",
    click.option("-o", "--output", required=True, type=click.Path(), callback=check_output, metavar="FILE",
                 help="Save the model here, filters and threshold included; .wct is the usual ending."),
    *class_set_options,
    summary_option,
)  # fmt: skip
@one_argument("training", TrainingOptions)
@one_argument("fitting", FittingOptions)
@one_argument("sets", ClassSetOptions)
@common
def fit_command(data: str, output: str, method: str, training: TrainingOptions, columns: Reading,
                fitting: FittingOptions, aim: AimOptions | None, sets: ClassSetOptions) -> None:  # fmt: skip
    """Grow a tree on a file, fit a method on it, and save the model.

    'wekaconf predict MODEL FILE' answers with it, without the training data and without Java.
    """
    model, _ = learn(data, None, method, columns, training, fitting, aim, sets)
    save(model, output)
    say_saved(model, output, is_all=True)
