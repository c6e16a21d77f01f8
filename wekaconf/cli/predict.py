"""``wekaconf predict``."""

from __future__ import annotations

import os
from dataclasses import replace

import click
import cloup

from wekaconf.base.errors import ModelFileError
from wekaconf.cli import models, options
from wekaconf.cli.command import command
from wekaconf.cli.console import ExitCode, say
from wekaconf.cli.drift import say_drift
from wekaconf.cli.file_answers import AnswerOptions, Rejection, answer, separator_option
from wekaconf.cli.fit import (
    class_sets_option,
    fit_on_file,
    fit_on_tree,
    method_option,
    save,
    say_saved,
    say_threshold,
    summary_option,
)
from wekaconf.cli.models import allow_plugin, model_and_file, model_and_file_argument
from wekaconf.cli.run_log import log_run
from wekaconf.cli.training import ClassSetOptions, FittingOptions, TrainingOptions
from wekaconf.cli.values import NamedFile, check_output, check_output_or_stdout, given_options, whole_number
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.aims import PROMISED, RejectCosts
from wekaconf.evaluation.thresholds import Choice, change_targets, check_kind, choose
from wekaconf.learners.foreign import is_weka_model
from wekaconf.model.fitted import Model
from wekaconf.report.answers import ENDINGS, difference_record

GROWING_OPTIONS = ("preprocess", "filters", "learner", "cost_matrix", "class_attribute", "types")
"""The options that apply only if a tree is grown."""
FITTING_OPTIONS = ("method", "threshold_from", "calibrate", "na", "ignore", "keeps_summary", "seed")
"""The options that apply only if a method is fitted."""


def _parse_rejected(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> Rejection:
    """The number of least certain rows to reject, and whether rows outside the training data are rejected, too."""
    numbers = [int(whole_number(0, also="outside")(text)) for text in texts if text != "outside"]
    if len(numbers) > 1:
        raise click.BadParameter("expected one number of rows")
    return Rejection(numbers[0] if numbers else None, "outside" in texts)


@command(
    "predict",
    "wekaconf predict model.wct new.arff -o out.csv",
    "wekaconf predict -t train.arff -T new.arff --keep 0.93 -o out.csv -d model.wct",
    "wekaconf predict -l j48.model -t train.arff --method confdtree -T new.arff",
    often=("-o", "--id", "--with", "--least-certain", "--below", "--target-error",
           "--class-sets", "--reject", "--strict", "-t"),
)  # fmt: skip
@model_and_file_argument
@cloup.option_group(
    "Data",
    click.option("-t", "--train", type=click.Path(), metavar="FILE",
                 help="Instead of MODEL, grow a tree and fit on this file: ARFF, CSV, TSV, Parquet or Excel; - for "
                 "standard input."),
    click.option("-l", "--load", "model", type=click.Path(), metavar="FILE",
                 help="The same as MODEL: saved by 'fit' or with -d, or by Weka from a classifier of ours; or a tree "
                 "that Weka has saved, on which the method is fitted with the data of -t. Starts no Java."),
    click.option("-T", "--test", type=click.Path(), metavar="FILE",
                 help="The same as FILE: answer for its rows. Left out: save the model with -d, and answer for none."),
    options.class_attribute,
    options.preprocess(", as fitted on the training file"),
    options.filters,
    options.strict("columns", "values", "file"),
    click.option("--reject", multiple=True, callback=_parse_rejected, metavar="N|outside",
                 help="Reject the N least certain rows, the first of equally certain ones, in place of a threshold: as "
                 "many as can be reviewed, which promises nothing; with MODEL, --target-coverage takes a share. "
                 "outside: reject rows with values beyond those of training, too. May be repeated."),
)  # fmt: skip
@options.tables
@method_option
@options.learner
@options.rejecting(is_of_model=True)
@cloup.option_group(
    "Output",
    click.option("-o", "--output", type=NamedFile(*ENDINGS), callback=check_output_or_stdout, metavar="FILE",
                 help=f"Write the answers here; the ending chooses the format: {', '.join(ENDINGS)}. Left out: CSV on "
                 "standard output, as with -."),
    click.option("--with", "with_columns", metavar="all|COLUMN,…",
                 help="Also write these columns of the file that is answered, or all of them. Put a name with a comma "
                 "in double quotes."),
    click.option("--path/--no-path", default=None, help="Also write the decision path of each row in words. Left out: "
                 "only in Excel files."),
    separator_option("the file that is answered"),
    click.option("--least-certain", type=whole_number(1, also="all"), metavar="N|all",
                 help="Write only the N least certain answers, or all, the least certain first. Left out: all, in the "
                 "order of the file."),
    class_sets_option,
    click.option("-d", "--dump", type=click.Path(), callback=check_output, metavar="FILE",
                 help="Save the fitted model, filters and threshold included."),
    click.option("--log-json", "log", type=click.Path(dir_okay=False), metavar="FILE",
                 help="Append a line of JSON on this run, also if it fails: rows, answered, rejected, how the file "
                 "differs from the training data, seconds, exit code, and digests of what is read."),
    summary_option,
)  # fmt: skip
@options.one_argument("training", TrainingOptions)
@options.one_argument("fitting", FittingOptions)
@options.one_argument("answering", AnswerOptions)
@options.one_argument("sets", ClassSetOptions.parse, "class_sets")
@allow_plugin
@click.pass_context
def predict_command(context: click.Context, /, files: tuple[str, ...], train: str | None, model: str | None,
                    test: str | None, dump: str | None, method: str, training: TrainingOptions, columns: Reading,
                    fitting: FittingOptions, aim: options.AimOptions | None, log: str | None,
                    answering: AnswerOptions, sets: ClassSetOptions) -> None:  # fmt: skip
    """Answer for the rows of a file, from a training file or a model.

    Each answer has a row: actual and predicted class, class distribution, certainty, whether the method changed a
    probability of the plain tree by 0.1 or more, whether the answer is rejected, its reason, and with --path, or in
    Excel, the tests that led to the leaf.
    """
    coverage, says_promise = None, False
    model, test = model_and_file(files, model, test, train)
    _check_purpose(context, test, dump, answering)
    if aim is not None and answering.reject.n_rows is not None:
        raise click.UsageError("--reject takes the place of a threshold, so it excludes the options that set one")
    if aim is not None and aim.kind == "coverage" and train is None:
        coverage, aim = aim.aim().number, None
    with log_run(log, train=train, model=model, data=test) as entry:
        is_of_file = coverage is not None or answering.reject.n_rows is not None
        if is_of_file and dump is not None:
            raise click.UsageError(
                "--reject, and --target-coverage with MODEL, choose among the rows of the file that is answered, so no "
                "model can keep what they choose; leave -d out"
            )
        weka_model = None if model is None else _weka_model(model)
        is_tree = weka_model is not None and not models.is_fitted(weka_model)
        _check_source(context, train, model, is_tree=is_tree)
        if model is None:
            assert train is not None
            fitted_model = fit_on_file(train, test, method, columns, training, fitting, aim, sets)
        elif weka_model is not None and is_tree:
            fitted_model = fit_on_tree(weka_model, train, method, columns, fitting, aim, sets)
        else:
            fitted_model = _with_sets(_open_model(model, weka_model, columns, aim, is_of_file=is_of_file), sets)
            chosen = fitted_model.choice
            says_promise = chosen is not None and chosen.is_reached and (aim is not None or fitted_model.promises)
        needed = "--reject outside" * answering.reject.outside or "--strict file" * answering.strict.file
        if fitted_model.summary is None and needed:
            raise click.UsageError(f"{needed} compares with the training data, of which this model keeps no summary")
        answered = None if test is None else answer(
            fitted_model, test, answering, is_id_given=bool(columns.id), coverage=coverage, grown_on=train,
            is_of_weka=weka_model is not None,
        )  # fmt: skip
        if dump is not None:
            save(fitted_model, dump)
            say_saved(fitted_model, dump, is_all=test is None)
        if answered is None:
            if says_promise:
                say_threshold(fitted_model.choice, "out-of-fold", fitted_model.header.class_names)
            return
        assert test is not None
        counts = answered.counts
        change = None if counts is None else fitted_model.drift_of(counts)
        entry.update(output=answering.output, **answered.outcomes.as_record())
        if answering.output is None and answered.summary is not None:
            say(answered.summary.heading, is_folded=True, is_warning=True)
        elif answered.summary is not None:
            for line in answered.summary.lines(is_like_training=change is None or change.is_like_training):
                say(line, is_folded=True)
        if change is not None:
            say_drift(change, test)
            entry["drift"] = difference_record(change, test)
        if says_promise and (change is None or change.promise_stands):
            say_threshold(fitted_model.choice, "out-of-fold", fitted_model.header.class_names)
        if change is None:
            return
        if answering.strict.file and not change.n_rows:
            say(f"{test} has no rows, so nothing shows that it is like the training data", is_warning=True)
        if answering.strict.file and (change.told or not change.n_rows):
            context.exit(ExitCode.UNLIKE_TRAINING)


def _check_purpose(context: click.Context, test: str | None, dump: str | None, answering: AnswerOptions) -> None:
    """Refuse a call that would neither answer nor save, or that says how to answer but not for which instances."""
    if test is not None:
        return
    if conflicts := given_options(context, "log"):
        raise click.UsageError(f"{conflicts[0]} is about the file that is answered, so give it with -T")
    if dump is None:
        raise click.UsageError(
            "give the file to answer for, as in 'wekaconf predict MODEL FILE', or save a model with 'wekaconf fit'"
        )
    if conflicts := given_options(context, *vars(answering)):
        raise click.UsageError(f"{conflicts[0]} is for answers, so give the file to answer for with -T")


def _weka_model(path: str) -> Model | None:
    """The model in a file of Weka's; None in another file."""
    if not os.path.exists(path):
        raise ModelFileError(f"{path}: no such file; check the name and the folder")
    return models.read(path) if is_weka_model(path) else None


def _check_source(context: click.Context, train: str | None, model: str | None, *, is_tree: bool) -> None:
    """Refuse options that contradict the model, which may be just a tree that Weka has grown."""
    if (train is None) == (model is None) and not is_tree:
        raise click.UsageError("give either MODEL or -t TRAIN, or both if MODEL is a tree that Weka has saved")
    if model is None:
        return
    if models.is_data(model):
        raise click.UsageError(f"expected a model, and {model} is data; 'wekaconf fit' makes a model of data")
    excluded = GROWING_OPTIONS if is_tree else (*GROWING_OPTIONS, *FITTING_OPTIONS)
    if conflicts := given_options(context, *excluded):
        content = "a tree that is grown" if is_tree else "a model that is fitted"
        raise click.UsageError(f"-l takes {content} already, so it excludes {conflicts[0]}")


def _open_model(
    path: str, weka_model: Model | None, reading: Reading, aim: options.AimOptions | None, *, is_of_file: bool
) -> Model:
    """A model that was fitted before, with the threshold and the column of identifiers of this call.

    ``is_of_file`` says that the rows of the file choose what is rejected, so that the model has no threshold.
    """
    model = weka_model or models.saved_model(path)
    if is_of_file:
        model = _without_threshold(model)
    if aim is not None:
        choice = _choose_again(model, aim)
        if _deciding_costs(choice) != _deciding_costs(model.choice):
            model = replace(model, answer_shares=None)  # those of other answers
        model = replace(model, choice=choice)
    if model.choice is not None and not model.choice.is_reached and (aim is not None or model.choice.promises):
        say_threshold(model.choice, "out-of-fold", model.header.class_names)
    model = model.reading_as(reading)
    if reading.id not in ("", model.reading.id):
        model = replace(model, reading=replace(model.reading, id=reading.id, ignore=model.reading.left_out))
    return model


def _without_threshold(model: Model) -> Model:
    """The model without its threshold; where its costs decide the answers, they no longer do."""
    if model.choice is None:
        return model
    if model.choice.promises:
        text = "note: what the model promises is for its own threshold, and does not hold here"
        say(text, is_folded=True, is_warning=True)
    return replace(model, choice=None, answer_shares=None if _deciding_costs(model.choice) else model.answer_shares)


def _deciding_costs(choice: Choice | None) -> RejectCosts | None:
    """The costs that decide the labels; None where the probabilities do."""
    return None if choice is None or not choice.aim.decides else choice.aim.counted_costs


def _with_sets(model: Model, sets: ClassSetOptions) -> Model:
    """A model that was fitted before, with the class sets of this call."""
    if sets.coverage is None:
        return model
    if model.class_sets is None:
        raise click.UsageError("-l takes a model that keeps no scores for class sets; fit it with --class-sets")
    return replace(model, class_sets=model.class_sets.at(sets.coverage, is_per_class=sets.is_per_class))


def _choose_again(model: Model, wanted: options.AimOptions) -> Choice:
    """The threshold that the options of this call want of a model that was fitted before."""
    if wanted.is_fixed:
        return choose(wanted.aim(), [], [])
    choice = model.choice
    if wanted.kind not in PROMISED or choice is None or not choice.promises:
        raise click.UsageError(
            "-l takes a model without its training data, so a threshold must be given with --below; for a model that "
            "was fitted with --confidence, --target-error or --target-cost takes another target"
        )
    check_kind(choice, wanted.kind)
    return change_targets(choice, wanted.aim(choice.aim), model.header.class_names)
