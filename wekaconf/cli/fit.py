"""``wekaconf fit``, and how other commands fit a method."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import click
import cloup

from wekaconf.base.shell import shell_word
from wekaconf.bridge.reading import load_like
from wekaconf.cli import completion, options
from wekaconf.cli.command import command, progress_bar
from wekaconf.cli.console import say
from wekaconf.cli.loading import data_path
from wekaconf.cli.options import METHOD_HELP, AimOptions
from wekaconf.cli.streams import encoding_of
from wekaconf.cli.training import ClassSetOptions, FittingOptions, TrainingOptions, load_training
from wekaconf.cli.values import check_output
from wekaconf.data import stem
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.thresholds import Choice, ThresholdFrom, nearest_target
from wekaconf.learners.foreign import ENDINGS_OF_WEKA
from wekaconf.model import scheme
from wekaconf.model.fit import fit
from wekaconf.model.fitted import Model
from wekaconf.report.tables import CHOSEN_ON, choice_lines

method_option = cloup.option_group(
    "Method",
    click.option(
        "--method", default="leaf_frequency", show_default=True, metavar="METHOD",
        shell_complete=completion.methods, help=METHOD_HELP,
    ),
)  # fmt: skip
class_sets_option = click.option(
    "--class-sets", metavar="COVERAGE|classes=COVERAGE", help="Also write the set of classes that cannot be excluded: "
    "it contains the true class of this share of the rows, such as 0.9, or with classes=0.9 of the rows of each class, "
    "on average over draws of the rows that calibrate, see --calibrate.",
)  # fmt: skip
summary_option = click.option(
    "--no-summary", "keeps_summary", flag_value=False, default=True, help="Leave out of the model what the training "
    "rows were like: ranges, deciles and counts per column; and the digests by which it recognises a row. Files that "
    "it answers are then not compared with them.",
)  # fmt: skip


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
    model = fit_on_file(data, None, method, columns, training, fitting, aim, sets)
    save(model, dump)
    say_saved(model, dump, is_all=True)


def fit_on_file(
    train: str, test: str | None, method: str, reading: Reading, options: TrainingOptions, fitting: FittingOptions,
    aim: AimOptions | None, sets: ClassSetOptions,
) -> Model:  # fmt: skip
    """The method fitted on a tree of the training data, with a threshold if there is an aim."""
    wanted = None if aim is None else aim.aim()
    with progress_bar(stem(train)):
        unfitted = scheme.parse_method(method)
        data = load_training(train, reading, options, test=test).data
        model = fit(
            data, unfitted, aim=wanted, **options.as_arguments(), **sets.as_arguments(),
            **fitting.as_arguments(data.header, data.reading or reading),
        )  # fmt: skip
        _say_fitted(model, fitting)
    return model


def fit_on_tree(
    tree: Model, train: str | None, method: str, reading: Reading, fitting: FittingOptions, aim: AimOptions | None,
    sets: ClassSetOptions,
) -> Model:  # fmt: skip
    """The method fitted on a tree of Weka's, with the training data if it needs them."""
    wanted, data = None if aim is None else aim.aim(), None
    if train is not None:
        data = load_like(data_path(train), tree.header, reading.without_id)
    model = fit(
        data, method, learner=tree, aim=wanted, **fitting.as_arguments(tree.header, reading), **sets.as_arguments()
    )
    _say_fitted(model, fitting)
    return replace(model, reading=reading)


def _say_fitted(model: Model, fitting: FittingOptions) -> None:
    """Say what a chosen threshold promises, and where it should be known, how good the most frequent class would be."""
    say_threshold(model.choice, fitting.threshold_from, model.header.class_names)
    if model.majority_line:
        say(model.majority_line, is_folded=True)


def say_saved(model: Model, path: str, *, is_all: bool) -> None:
    """Say what can be done with a saved model; ``is_all`` says that nothing is answered in the same call."""
    name = shell_word(path, encoding_of(sys.stderr))
    if is_all:
        say(f"{path} is saved; to see what it holds: wekaconf show {name}")
    if model.choice is not None and (target := nearest_target(model.choice)):
        text = f"to promise what these rows can: wekaconf predict {name} FILE {target}"
        say(text, is_folded=True, is_warning=True)


def save(model: Model, path: str) -> None:
    """Save a model, and say what its user may not expect of the file."""
    model.save(path)
    if path.lower().endswith(ENDINGS_OF_WEKA):
        say(f"note: {path} has the ending of Weka's models, but Weka cannot open it; .wct is the usual ending")
    if n_kept := model.method.n_kept:
        say(f"note: {path} keeps {n_kept} training instances, which {model.method.name} needs to answer")


def say_threshold(chosen: Choice | None, threshold_from: ThresholdFrom, class_names: Sequence[str]) -> None:
    """Print a chosen threshold, and what it promises, or reaches beside the aim; nothing for a fixed one."""
    if chosen is None or chosen.aim.fixed_threshold is not None:
        return
    for line in choice_lines(chosen, CHOSEN_ON[threshold_from], class_names):
        say(line, is_folded=True, is_warning=not chosen.is_reached)
