"""One data set, one tree: looking at it, and predicting with it."""

from __future__ import annotations

import csv
import sys
import textwrap
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Literal

import click
import numpy as np

from wekaconf import preprocessing, scheme
from wekaconf.arff import load_arff
from wekaconf.bridge import about, folds
from wekaconf.cli.common import (
    METHOD_HELP,
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
    progress_bar,
    say,
    unseen_option,
)
from wekaconf.dataset import Dataset, Unseen
from wekaconf.evaluation.reject import Choice, check_aim
from wekaconf.files import atomic_write
from wekaconf.model_file import read_model, save_model
from wekaconf.postprocessor import PostProcessor, parameters
from wekaconf.preprocessing import Filters


@click.command("about")
@common
def about_command() -> None:
    """Show versions, where Java was found, and its real heap."""
    from importlib.metadata import version

    click.echo(f"wekaconf  {version('wekaconf')}")
    click.echo(f"Python    {sys.version.split()[0]} ({sys.executable})")
    click.echo(f"wrapper   python-weka-wrapper3 {version('python-weka-wrapper3')}")
    facts = about()
    click.echo(f"bridge    {facts['bridge']}")
    click.echo(f"Weka      {facts['weka']}")
    click.echo(f"Java      {facts['java']} ({facts['java_vendor']}), from {facts['java_source']}: {facts['java_home']}")
    click.echo(f"heap      {int(facts['max_heap_bytes']) // 2**20} MiB at most")


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


@click.command("tree")
@click.argument("data", type=click.Path())
@learner_option
@options_option
@click.option("--method", metavar="METHOD", help="Draw what this method adds to the leaves: the limits of id3_sd or "
              "id3_max.")  # fmt: skip
@preprocess_option
@click.option("--format", "form", type=click.Choice(["text", "dot", "json"]), default="text", show_default=True)
@class_option
@common
def tree_command(
    data: str, learner: str | None, options: str, method: str | None, preprocess: str | None, form: str,
    class_attribute: str,
) -> None:  # fmt: skip
    """Grow a tree on all of DATA and print it."""
    from wekaconf.report import trees
    from wekaconf.report.java_numbers import JAVA

    limits = None if method is None else scheme.parse_method(method)
    if limits is not None and not hasattr(limits, "limit_tests"):
        able = [name for name, known in scheme.available_methods().items() if hasattr(known, "limit_tests")]
        raise click.UsageError(f"--method {method} adds nothing to the leaves; {' and '.join(able)} do")
    with progress_bar(name_of(data)):
        instances, _ = _preprocessed(load_arff(data, class_attribute=class_attribute), preprocess)
        tree = scheme.grow(instances, *scheme.choose_learner([limits] if limits else [], learner, options))
        if limits is not None:
            limits.fit(tree, instances)
    java = int(about()["java"].partition(".")[0]) if tree.weka_version else JAVA
    renders: dict[str, Callable[..., str]] = {
        "text": partial(trees.render_text, java=java),
        "dot": trees.render_dot,
        "json": trees.render_json,
    }
    click.echo(renders[form](tree, limits=getattr(limits, "limit_tests", None)), nl=False)


def _preprocessed(data: Dataset, name: str | None) -> tuple[Dataset, Filters]:
    """What a preprocessing fitted on the data makes of them, and its filters."""
    if name is None:
        return data, ()
    fitted = preprocessing.fit_preprocessing(data, name)
    return fitted.output, fitted.filters


@click.command("predict")
@click.option("-t", "--train", "train", type=click.Path(), help="Grow and fit on this file.")
@click.option("-l", "--load", "model", type=click.Path(), help="Or take this model; no Java is started.")
@click.option("-T", "--test", "test", type=click.Path(), required=True, help="The instances to answer for.")
@click.option("--method", default="leaf_frequency", show_default=True, metavar="METHOD", help=METHOD_HELP)
@click.option("-o", "--output", type=click.Path(), callback=check_output,
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
    filters: Filters = ()
    below = None
    with progress_bar(name_of(test)) as progress:
        if train is not None:
            unfitted = scheme.parse_method(method)
            instances, filters = _preprocessed(load_arff(train, class_attribute=class_attribute), preprocess)
            learner, options = scheme.choose_learner([unfitted], learner, options)
            fitted = unfitted.fit(scheme.grow(instances, learner, options), instances)
            if aim is not None:
                chosen = scheme.threshold(
                    fitted, instances, aim, learner=learner, options=options, threshold_from=threshold_from
                )
                below = chosen.threshold
                _tell(chosen, threshold_from)
        elif model is not None:
            fitted, filters = read_model(model)
            if aim is not None:
                check_aim(aim, fitted.name, fitted.certainty_range)
                below = aim.fixed_threshold
        data = load_arff(test, class_attribute=None)
        for learned in filters:
            data = learned.apply(data.conform(learned.input_header, unseen=unseen, what=test))
        data = data.conform(fitted.tree_.header, unseen=unseen, what=test)
        if cost := fitted.cost(len(data), fitted.tree_.header):
            say(f"note: {name_of(test)}: {cost}")
        fitted.on_progress = progress.follow
        table = predictions(fitted, data, data.class_values, below=below)
    if output is None:
        write_predictions(sys.stdout, table)
    else:
        save_predictions(output, table)
    if dump is not None:
        save_model(dump, fitted, filters=filters)
        if fitted.n_kept:
            say(f"note: {dump} keeps all {fitted.n_kept} training instances, which {fitted.name} needs to answer")
        if below is not None:
            say(f"note: {dump} holds no threshold; with -l give --below {below!r}")
    if output is not None:
        _summary(data, table, output)


def _tell(chosen: Choice, threshold_from: str) -> None:
    """The threshold, and what was reached beside what was wanted."""
    if chosen.aim.fixed_threshold is not None:
        return
    reached = chosen.figures
    where = {"training": "on the training rows", "out-of-fold": "out of fold"}[threshold_from]
    said = f"threshold {chosen.threshold:.6g}, wanted: {chosen.aim}; {where} it "
    if not chosen.is_reached:
        said += "rejects everything: what was wanted cannot be reached"
    elif not reached.accepted:
        said += "rejects everything"
    else:
        said += (
            f"keeps {100 * reached.kept_correct:.1f} % of the correct, answers {100 * reached.coverage:.1f} % and errs "
            f"in {100 * reached.error:.2f} % of its answers"
        )
    say(said)


def _summary(data: Dataset, table: Dataset, output: str) -> None:
    columns = {attribute.name: values for attribute, values in zip(table.attributes, table.values.T, strict=True)}
    known = columns["error"][~np.isnan(columns["error"])]
    score = f", {int((known == 0).sum())} of {len(known)} with a known class correct" if len(known) else ""
    score += f", {int(columns['rejected'].sum())} rejected" if "rejected" in columns else ""
    say(f"{output}: {len(data)} instances{score}")


@click.command("folds")
@click.argument("data", type=click.Path())
@click.option("-x", "--folds", "k", default=10, show_default=True, type=click.IntRange(2), help="Number of folds.")
@click.option("-s", "--seed", default=1, show_default=True, help="Of Weka's shuffle.")
@click.option("-o", "--output", type=click.Path(), callback=check_output,
              help="A CSV file; left out: standard output.")  # fmt: skip
@class_option
@common
def folds_command(data: str, k: int, seed: int, output: str | None, class_attribute: str) -> None:
    """Write Weka's own cross-validation folds.

    One row an instance and set, in Weka's order: fold, set (train or test), position in the set, and instance, all
    counted from 1.
    """
    with progress_bar(name_of(data)):
        found = folds(load_arff(data, class_attribute=class_attribute), k, seed)
    with atomic_write(output, "w") if output else nullcontext(sys.stdout) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["fold", "set", "position", "instance"])
        for fold, parts in enumerate(found, 1):
            for name, rows in zip(("train", "test"), parts, strict=True):
                writer.writerows((fold, name, position, row + 1) for position, row in enumerate(rows.tolist(), 1))
