"""``wekaconf predict``."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from typing import Any, Literal

import click
import cloup

from wekaconf.base.errors import ModelFileError
from wekaconf.cli import completion, weka_models
from wekaconf.cli.command import command
from wekaconf.cli.common import (
    METHOD_HELP,
    aim_of,
    class_option,
    common,
    cost_matrix_of,
    filter_option,
    learner_options,
    load_data,
    name_of,
    preprocess_option,
    preprocessed,
    progress_bar,
    reading_of,
    rejecting_options,
    strict_option,
    table_options,
    unseen_option,
    weighed_by,
)
from wekaconf.cli.console import say
from wekaconf.cli.file_answers import answer
from wekaconf.cli.values import NamedFile, OneOf, check_output, given_options, names_in, whole_number
from wekaconf.data.cost_matrix import CostMatrix
from wekaconf.data.dataset import Dataset
from wekaconf.data.matching import Unseen
from wekaconf.data.tables import is_table
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.thresholds import Choice, choose
from wekaconf.experiments.session import threshold
from wekaconf.learners.foreign.weka_models import ENDINGS_OF_WEKA, is_weka_model
from wekaconf.methods.contract.leaves_one_out import LeavesOneOut
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.model import scheme
from wekaconf.model.file import load_model, save_model
from wekaconf.model.fitted import Model
from wekaconf.report.answer_files import ENDINGS
from wekaconf.report.reject_tables import CHOSEN_ON, best_reachable
from wekaconf.tree.learner import Learner

ANSWER_OPTIONS = ("output", "with_columns", "sort", "top", "unseen", "strict")
"""The options that apply only if a file is answered."""


@command(
    "predict",
    "wekaconf predict -t train.arff -T new.arff --keep 0.93 -o out.csv -d model.wct",
    "wekaconf predict -l model.wct -T new.arff",
    "wekaconf predict -l j48.model -t train.arff --method confdtree -T new.arff",
    "wekaconf predict -t train.arff --method confdtree -d model.wct",
)
@cloup.option_group(
    "Data",
    click.option(
        "-t",
        "--train",
        type=click.Path(),
        metavar="FILE",
        help="Grow a tree and fit on this file: ARFF, CSV, TSV, Parquet or Excel; - for CSV on standard input.",
    ),
    click.option(
        "-l",
        "--load",
        "model",
        type=click.Path(),
        metavar="FILE",
        help="Or load this model, saved with -d, or by Weka from a classifier of ours; or a tree that Weka has saved, "
        "on which the method is fitted with the data of -t. Starts no Java.",
    ),
    click.option(
        "-T",
        "--test",
        type=click.Path(),
        metavar="FILE",
        help="Answer for the instances of this file. Left out: save the model with -d, and answer for none.",
    ),
    class_option,
    preprocess_option(", as fitted on the training file"),
    filter_option,
    unseen_option,
    strict_option,
)
@table_options
@cloup.option_group(
    "Method",
    click.option(
        "--method",
        default="leaf_frequency",
        show_default=True,
        metavar="METHOD",
        shell_complete=completion.methods_with_parameters,
        help=METHOD_HELP,
    ),
)
@learner_options
@rejecting_options
@cloup.option_group(
    "Output",
    click.option("-o", "--output", type=NamedFile(*ENDINGS), callback=check_output, metavar="FILE",
                 help=f"Write the answers here; the ending chooses the format: {', '.join(ENDINGS)}. Left out: CSV on "
                 "standard output."),
    click.option("--with", "with_columns", metavar="all|COLUMN,…",
                 help="Also write these columns of the file that is answered, or all of them. Put a name with a comma "
                 "in double quotes."),
    click.option("--sort", type=OneOf(["row", "certainty"]), metavar="row|certainty",
                 help="Order by row, or by certainty, the least certain first. Left out: by row, "
                 "with --top by certainty."),
    click.option("--top", type=whole_number(1), metavar="N", help="Write only the first N answers of this order."),
    click.option("-d", "--dump", type=click.Path(), callback=check_output, metavar="FILE",
                 help="Save the fitted model, filters and threshold included."),
)  # fmt: skip
@common
@click.pass_context
def predict_command(context: click.Context, /, train: str | None, model: str | None, test: str | None, method: str,
                    output: str | None, dump: str | None, threshold_from: Literal["out-of-fold", "training"],
                    preprocess: str | None, filters: tuple[str, ...], unseen: Unseen, learner: str | None,
                    options: str, cost_matrix: str | None, class_attribute: str, strict: bool,
                    with_columns: str | None, sort: str | None, top: int | None, **others: Any) -> None:  # fmt: skip
    """Answer for the instances of a file, from a training file or a model.

    One row per instance: actual and predicted class, class distribution, certainty, whether the method changed the
    tree's own distribution by 0.1 or more, with a threshold (chosen, or the method's own) whether the answer is
    rejected, and the reason of the answer.
    """
    if test is None:
        if dump is None:
            raise click.UsageError("give the file to answer for with -T, or -d to save the model without an answer")
        if conflicts := given_options(context, *ANSWER_OPTIONS):
            raise click.UsageError(f"{conflicts[0]} is for answers, so give the file to answer for with -T")
    if model is not None and not os.path.exists(model):
        raise ModelFileError(f"{model}: no such file; check the name and the folder")
    weka_model = weka_models.read(model) if model is not None and is_weka_model(model) else None
    is_tree = weka_model is not None and not weka_models.is_fitted(weka_model)
    if (train is None) == (model is None) and not is_tree:
        raise click.UsageError("give either -t TRAIN or -l MODEL, or both if MODEL is a tree that Weka has saved")
    if model is not None and (is_table(model) or model.endswith((".arff", ".arff.gz"))):
        raise click.UsageError(f"-l takes a model, as -d saves it, and {model} is data; -t trains on data")
    growing = ("preprocess", "filters", "learner", "options", "cost_matrix", "class_attribute", "nominal",
               "numeric")  # fmt: skip
    fitting = ("method", "threshold_from", "na", "ignore")
    if model is not None and (conflicts := given_options(context, *growing, *(() if is_tree else fitting))):
        content = "a tree that is grown" if is_tree else "a model that is fitted"
        raise click.UsageError(f"-l takes {content} already, so it excludes {conflicts[0]}")
    aim, reading = aim_of(others), reading_of(others)
    if model is not None and not is_tree and aim is not None and aim.fixed_threshold is None:
        raise click.UsageError("-l takes a model without its training data, so a threshold must be given with --below")
    if is_tree:
        assert model is not None and weka_model is not None
        fitted_model = weka_models.fit(
            model, weka_model, scheme.parse_method(method), train, reading, aim, threshold_from
        )
        if fitted_model.choice is not None:
            _say_threshold(fitted_model.choice, threshold_from)
    elif train is not None:
        with progress_bar(name_of(train)):
            unfitted = scheme.parse_method(method)
            chosen = scheme.scheme_for(unfitted, learner, options)
            costs = chosen.costs_beside(cost_matrix_of(cost_matrix))
            training = load_data(train, reading, class_attribute, test=test).data
            instances, fitted_filters = preprocessed(training, preprocess, (*filters, *chosen.filters))
            fitted_model = _fit(instances, unfitted, chosen.learner, costs, aim, threshold_from)
            fitted_model = replace(fitted_model, filters=fitted_filters, reading=reading)
    else:
        assert model is not None
        fitted_model = weka_model or load_model(model)
        if aim is not None:
            fitted_model = replace(fitted_model, choice=choose(aim, [], []))
        if reading.id not in ("", fitted_model.reading.id):
            fitted_model = replace(
                fitted_model, reading=replace(fitted_model.reading, id=reading.id, ignore=fitted_model.reading.left_out)
            )
    summary = None
    if test is not None:
        summary = answer(
            fitted_model,
            test,
            output,
            unseen=unseen,
            strict=strict,
            keep=None if with_columns == "all" else names_in(with_columns or ""),
            is_id_given=bool(reading.id),
            is_sorted=sort == "certainty" or (sort is None and top is not None),
            top=top,
        )
    if dump is not None:
        save_model(dump, fitted_model)
        if dump.lower().endswith(ENDINGS_OF_WEKA):
            say(f"note: {dump} has the ending of Weka's models, but Weka cannot open it; .wct is the usual ending")
        if isinstance(fitted_model.method, LeavesOneOut):
            content = (
                f"{fitted_model.method.n_kept} training instances, which {fitted_model.method.name} needs to answer"
            )
            say(f"note: {dump} keeps all {content}")
        if test is None:
            say(f"{dump} is saved; to see what it holds: wekaconf show {shlex.quote(dump)}")
    if summary is not None and test is not None:
        if model is None and train is not None and os.path.realpath(train) == os.path.realpath(test):
            note = f"note: the tree was grown on {test}, so it errs less here than it will on other instances"
            say(f"{note}; 'wekaconf evaluate' measures how often", is_folded=True)
        first_line, *least_certain = summary.lines()
        say(first_line)
        for line in least_certain:
            say(line, is_folded=True)


def _fit(instances: Dataset, unfitted: PostProcessor, grower: Learner[Any], costs: CostMatrix | None,
            aim: Aim | None, threshold_from: Literal["out-of-fold", "training"]) -> Model:  # fmt: skip
    """The method fitted on a tree of the training data, with a threshold if there is an aim."""
    weighed = weighed_by(costs, instances)
    fitted = unfitted.fit(grower.grow(weighed), weighed)
    choice = None
    if aim is not None:
        choice = threshold(fitted, instances, aim, learner=grower, cost_matrix=costs, threshold_from=threshold_from)
        _say_threshold(choice, threshold_from)
    return Model(fitted, choice=choice)


def _say_threshold(chosen: Choice, threshold_from: str) -> None:
    """Print a chosen threshold, and what it reaches beside the aim; nothing for a fixed one."""
    if chosen.aim.fixed_threshold is not None:
        return
    where, reached, best = CHOSEN_ON[threshold_from], chosen.figures, chosen.reachable
    if best is not None:
        text = (
            f"no threshold reaches '{chosen.aim}', so everything is rejected; best {where}: "
            f"{best_reachable(best.figures.error, best.figures.coverage)}, with --below {best.threshold!r}"
        )
    elif not chosen.is_reached:
        text = f"no threshold reaches '{chosen.aim}' {where}, so everything is rejected"
    elif not reached.accepted:
        text = f"threshold inf, wanted: {chosen.aim}; {where} it rejects everything"
    else:
        text = (
            f"threshold {chosen.threshold:.6g}, wanted: {chosen.aim}; {where} it keeps "
            f"{100 * reached.kept_correct:.1f} % of the correct, answers {100 * reached.coverage:.1f} % and errs "
            f"in {100 * reached.error:.2f} % of its answers"
        )
    say(text, is_folded=True)
