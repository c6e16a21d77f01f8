"""``wekaconf predict``."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Literal

import click
import numpy as np

from wekaconf import scheme
from wekaconf.cli.common import (
    METHOD_HELP,
    NamedFile,
    aim_of,
    aim_options,
    check_output,
    class_option,
    common,
    given_options,
    learner_option,
    name_of,
    options_option,
    preprocess_option,
    preprocessed,
    progress_bar,
    say,
    unseen_option,
)
from wekaconf.data.arff import load_arff
from wekaconf.data.dataset import Dataset, Unseen
from wekaconf.evaluation.thresholds import Choice, choose
from wekaconf.leaves_one_out import LeavesOneOut
from wekaconf.model import Model
from wekaconf.model_file import load_model, save_model
from wekaconf.report.reject_tables import CHOSEN_ON, best_reachable
from wekaconf.session import threshold


@click.command("predict")
@click.option("-t", "--train", "train", type=click.Path(), help="Grow and fit on this file.")
@click.option("-l", "--load", "model", type=click.Path(), help="Or take this model; no Java is started.")
@click.option("-T", "--test", "test", type=click.Path(), required=True, help="The instances to answer for.")
@click.option("--method", default="leaf_frequency", show_default=True, metavar="METHOD", help=METHOD_HELP)
@click.option("-o", "--output", type=NamedFile(".csv", ".arff", ".arff.gz"), callback=check_output,
              help="CSV, or ARFF if the name ends in .arff or .arff.gz; left out: CSV on standard output.")  # fmt: skip
@click.option("-d", "--dump", type=click.Path(), callback=check_output,
              help="Save the fitted model, filters included.")  # fmt: skip
@aim_options
@preprocess_option
@unseen_option
@learner_option
@options_option
@class_option
@common
@click.pass_context
def predict_command(context: click.Context, /, train: str | None, model: str | None, test: str, method: str,
                    output: str | None, dump: str | None, threshold_from: Literal["out-of-fold", "training"],
                    preprocess: str | None, unseen: Unseen, learner: str | None, options: str, class_attribute: str,
                    **aims: str | None) -> None:  # fmt: skip
    """Predict the classes of a file's instances.

    One row an instance: actual and predicted class, class distribution, certainty, and whether the method changed
    the tree's own distribution by 0.1 or more. With a threshold, chosen or the method's own: whether the answer is
    rejected, and why.
    """
    from wekaconf.report.predictions import predictions, save_predictions, write_predictions

    if (train is None) == (model is None):
        raise click.UsageError("give either -t TRAIN or -l MODEL")
    fitting = ("method", "preprocess", "learner", "options", "class_attribute", "threshold_from")
    if model is not None and (given := given_options(context, *fitting)):
        raise click.UsageError(f"-l takes a model that is fitted already, so it excludes {given[0]}")
    aim = aim_of(aims)
    if model is not None and aim is not None and aim.fixed_threshold is None:
        raise click.UsageError("-l takes a model without its training data, so a threshold must be given with --below")
    with progress_bar(name_of(test)) as progress:
        if train is not None:
            unfitted = scheme.parse_method(method)
            instances, filters = preprocessed(load_arff(train, class_attribute=class_attribute), preprocess)
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
        _summary(data, table, output)


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
    say(said)


def _summary(data: Dataset, table: Dataset, output: str) -> None:
    columns = {attribute.name: values for attribute, values in zip(table.attributes, table.values.T, strict=True)}
    is_known = ~np.isnan(columns["error"])
    known = columns["error"][is_known]
    score = f", {int((known == 0).sum())} of {len(known)} with a known class correct" if len(known) else ""
    if "rejected" in columns:
        score += f", {int(columns['rejected'].sum())} rejected"
        answered = columns["error"][is_known & (columns["rejected"] == 0)]
        if len(answered):
            share = f"{100 * answered.mean():.2f} %"
            score += f"; of {len(answered)} answered with a known class {int(answered.sum())} are wrong ({share})"
    say(f"{output}: {len(data)} instances{score}")
