"""``wekaconf predict``."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Literal

import click
import cloup
import numpy as np

from wekaconf import scheme
from wekaconf.cli import completion, weka_models
from wekaconf.cli.command import command
from wekaconf.cli.common import (
    METHOD_HELP,
    aim_of,
    class_option,
    common,
    learner_options,
    name_of,
    preprocess_option,
    preprocessed,
    progress_bar,
    rejecting_options,
    unseen_option,
)
from wekaconf.cli.console import say
from wekaconf.cli.values import NamedFile, check_output, given_options
from wekaconf.data.arff import load_arff
from wekaconf.data.dataset import Dataset
from wekaconf.data.matching import Unseen
from wekaconf.evaluation.thresholds import Choice, choose
from wekaconf.foreign.weka_models import is_weka_model
from wekaconf.leaves_one_out import LeavesOneOut
from wekaconf.model import Model
from wekaconf.model_file import load_model, save_model
from wekaconf.report.reject_tables import CHOSEN_ON, best_reachable
from wekaconf.session import threshold


@command(
    "predict",
    "wekaconf predict -t train.arff -T new.arff --keep 0.93 -o out.csv -d model.wct",
    "wekaconf predict -l model.wct -T new.arff",
    "wekaconf predict -l j48.model -t train.arff --method confdtree -T new.arff",
)
@cloup.option_group(
    "Data",
    click.option("-t", "--train", type=click.Path(), metavar="FILE", help="Grow a tree and fit on this ARFF file."),
    click.option(
        "-l",
        "--load",
        "model",
        type=click.Path(),
        metavar="FILE",
        help="Or load this model, saved with -d; or a tree that Weka has saved, on which the method is fitted with the "
        "data of -t. Starts no Java.",
    ),
    click.option(
        "-T",
        "--test",
        type=click.Path(),
        metavar="FILE",
        required=True,
        help="Answer for the instances of this ARFF file.",
    ),
    class_option,
    preprocess_option(", as fitted on the training file"),
    unseen_option,
)
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
    click.option("-o", "--output", type=NamedFile(".csv", ".arff", ".arff.gz"), callback=check_output, metavar="FILE",
                 help="Write the answers here, as ARFF if the name ends in .arff or .arff.gz, else as CSV. Left out: "
                 "CSV on standard output."),
    click.option("-d", "--dump", type=click.Path(), callback=check_output, metavar="FILE",
                 help="Save the fitted model, filters and threshold included."),
)  # fmt: skip
@common
@click.pass_context
def predict_command(context: click.Context, /, train: str | None, model: str | None, test: str, method: str,
                    output: str | None, dump: str | None, threshold_from: Literal["out-of-fold", "training"],
                    preprocess: str | None, unseen: Unseen, learner: str | None, options: str, class_attribute: str,
                    **aims: str | None) -> None:  # fmt: skip
    """Answer for the instances of a file, from a training file or a model.

    One row per instance: actual and predicted class, class distribution, certainty, and whether the method changed
    the tree's own distribution by 0.1 or more. With a threshold, chosen or the method's own, also whether the answer
    is rejected, and why.
    """
    from wekaconf.report.predictions import predictions, save_predictions, write_predictions

    is_weka = model is not None and is_weka_model(model)
    if (train is None) == (model is None) and not is_weka:
        raise click.UsageError("give either -t TRAIN or -l MODEL, or both if MODEL is a tree that Weka has saved")
    if model is not None and model.endswith((".arff", ".arff.gz")):
        raise click.UsageError(f"-l takes a model, as -d saves it, and {model} is data; -t trains on data")
    growing, fitting = ("preprocess", "learner", "options", "class_attribute"), ("method", "threshold_from")
    if model is not None and (given := given_options(context, *growing, *(() if is_weka else fitting))):
        what = "a tree that is grown" if is_weka else "a model that is fitted"
        raise click.UsageError(f"-l takes {what} already, so it excludes {given[0]}")
    aim = aim_of(aims)
    if model is not None and not is_weka and aim is not None and aim.fixed_threshold is None:
        raise click.UsageError("-l takes a model without its training data, so a threshold must be given with --below")
    with progress_bar(name_of(test)) as progress:
        if is_weka:
            assert model is not None
            asked = weka_models.fit(model, scheme.parse_method(method), train, aim, threshold_from)
            fitted = asked.method
            if asked.choice is not None:
                _tell(asked.choice, threshold_from)
        elif train is not None:
            unfitted = scheme.parse_method(method)
            read = load_arff(train, class_attribute=class_attribute).renamed(name_of(train))
            instances, filters = preprocessed(read, preprocess)
            grower = scheme.learner_for(unfitted, learner, options)
            fitted = unfitted.fit(grower.grow(instances), instances)
            choice = None
            if aim is not None:
                choice = threshold(fitted, instances, aim, learner=grower, threshold_from=threshold_from)
                _tell(choice, threshold_from)
            asked = Model(fitted, filters, choice)
        else:
            assert model is not None
            asked = load_model(model)
            fitted = asked.method
            if aim is not None:
                asked = replace(asked, choice=choose(aim, [], []))
        data = asked.conform(load_arff(test, class_attribute=None), unseen=unseen, what=test)
        if isinstance(fitted, LeavesOneOut):
            if cost := fitted.cost(len(data), fitted.tree_.header):
                say(f"note: {name_of(test)}: {cost}")
            fitted.on_progress = progress.follow
        table = predictions(fitted, data, data.class_values, below=asked.threshold)
    if output is None:
        write_predictions(sys.stdout, table)
    else:
        save_predictions(output, table)
    if dump is not None:
        save_model(dump, asked)
        if isinstance(fitted, LeavesOneOut):
            say(f"note: {dump} keeps all {fitted.n_kept} training instances, which {fitted.name} needs to answer")
    if output is not None:
        _summary(table, output)


def _tell(chosen: Choice, threshold_from: str) -> None:
    """The threshold, and what was reached beside what was wanted."""
    if chosen.aim.fixed_threshold is not None:
        return
    where, reached, best = CHOSEN_ON[threshold_from], chosen.figures, chosen.reachable
    if best is not None:
        said = (
            f"no threshold reaches '{chosen.aim}', so everything is rejected; best {where}: "
            f"{best_reachable(best.figures.error, best.figures.coverage)}, with --below {best.threshold!r}"
        )
    elif not chosen.is_reached:
        said = f"no threshold reaches '{chosen.aim}' {where}, so everything is rejected"
    elif not reached.accepted:
        said = f"threshold inf, wanted: {chosen.aim}; {where} it rejects everything"
    else:
        said = (
            f"threshold {chosen.threshold:.6g}, wanted: {chosen.aim}; {where} it keeps "
            f"{100 * reached.kept_correct:.1f} % of the correct, answers {100 * reached.coverage:.1f} % and errs "
            f"in {100 * reached.error:.2f} % of its answers"
        )
    say(said, is_folded=True)


def _summary(table: Dataset, output: str) -> None:
    """How many instances are answered, and how many of the answers are wrong."""
    columns = {attribute.name: values for attribute, values in zip(table.attributes, table.values.T, strict=True)}
    is_answered = columns.get("rejected", np.zeros(len(table))) == 0
    n_answered, n_rejected = int(is_answered.sum()), int((~is_answered).sum())
    said = f"{output}: {n_answered} of {len(table)} instances answered, {n_rejected} rejected"
    if "rejected" not in columns:
        said = f"{output}: {len(table)} instances answered"
    is_wrong = columns["error"][is_answered & ~np.isnan(columns["error"])]
    if len(is_wrong):
        are = "" if len(is_wrong) == n_answered else f"of the {len(is_wrong)} answers whose class is known "
        said += f"; {are}{int(is_wrong.sum())} wrong ({100 * is_wrong.mean():.2f} %)"
    say(said)
