"""What `evaluate` and `reject` share: options, measuring one data set after another, writing records."""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from wekaconf.cli.common import (
    METHOD_HELP,
    NamedFile,
    aim_of,
    aim_options,
    check_output,
    class_option,
    given_options,
    learner_option,
    name_of,
    options_option,
    preprocess_option,
    progress_bar,
    say,
    unseen_option,
)
from wekaconf.data.arff import load_arff
from wekaconf.data.dataset import Unseen
from wekaconf.errors import OptionError, WekaconfError
from wekaconf.evaluation.aim import Aim
from wekaconf.files import atomic_write
from wekaconf.postprocessor import PostProcessor
from wekaconf.protocol.protocol import Protocol
from wekaconf.report import reject_tables, tables
from wekaconf.report.evaluation import Evaluation, Result
from wekaconf.report.titles import title_of
from wekaconf.session import evaluate


def measuring_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What `evaluate` and `reject` share: data, methods, learner, protocol, thresholds, records."""
    for option in reversed((
        click.argument("data", type=click.Path(), nargs=-1, required=True),
        click.option("--method", "methods", multiple=True, default=("leaf_frequency",), show_default=True,
                     metavar="METHOD", help=f"{METHOD_HELP} May be repeated."),
        click.option("-x", "--folds", "k", default="10", show_default=True, metavar="N|loo",
                     help="Cross-validation with N folds, or leaving one instance out."),
        click.option("-s", "--seed", default=1, show_default=True, help="Of Weka's folds and splits."),
        click.option("--runs", default=1, show_default=True, type=click.IntRange(1), metavar="N",
                     help="Repeat with the seeds s, s + 1, …"),
        click.option("--split", metavar="0.5|20:50",
                     help="Instead of folds: the share to train on, or the numbers to train and to test on."),
        click.option("--stratified", is_flag=True, help="The share or the numbers of --split hold for each class."),
        click.option("-T", "--test", "test", type=click.Path(), help="Instead of folds: test on this file."),
        click.option("--known", metavar="CLASS,CLASS", help="An open set: only these classes train; instances of the "
                     "others are answered, and had better be rejected. A name with a comma stands in double quotes."),
        click.option("--leave-out", type=click.Choice(["half", "one"]), help="An open set: so many of the classes, "
                     "drawn by the seed of each run, do not train."),
        aim_options,
        preprocess_option,
        click.option("--preprocess-per-fold", is_flag=True, help="Fit --preprocess on each training set; otherwise "
                     "once on all instances, those to test on included."),
        unseen_option,
        learner_option,
        options_option,
        class_option,
        click.option("--resume", type=click.Path(file_okay=False), metavar="FOLDER", help="Keep what is finished in "
                     "this folder; the same command, run again after an interruption, goes on from there."),
        click.option("--csv", "csv_path", type=NamedFile(".csv"), callback=check_output,
                     help="Also write the records as CSV."),
        click.option("--json-file", type=NamedFile(".json"), callback=check_output,
                     help="Also write the records as JSON."),
        click.option("--json", "as_json", is_flag=True, help="Print the records as JSON instead of a table."),
    )):  # fmt: skip
        command = option(command)
    return command


def check_distinct_values(option: str, values: tuple[str, ...]) -> None:
    """Refuse an option that is given twice with one value."""
    for value in values:
        if values.count(value) > 1:
            raise click.UsageError(f"{option} {value} is given twice")


def check_protocol(context: click.Context, protocol: dict[str, Any]) -> None:
    """Refuse options of the protocol that exclude each other, by the names that the user wrote."""
    k = protocol["k"]
    if k != "loo" and not (k.isdecimal() and int(k) >= 2):
        raise click.BadParameter(f"expected a number of at least 2, or loo, got '{k}'", param_hint="-x")
    for chosen, excluded in (("test", ("split", "stratified", "k", "seed", "runs")), ("split", ("k",))):
        if protocol[chosen] and (others := given_options(context, *excluded)):
            raise click.UsageError(f"{given_options(context, chosen)[0]} excludes {others[0]}")
    if protocol["stratified"] and not protocol["split"]:
        raise click.UsageError("--stratified belongs to --split (folds are stratified anyway)")
    if protocol["known"] and protocol["leave_out"]:
        raise click.UsageError("--known and --leave-out exclude each other")
    if protocol["leave_out"] and protocol["test"]:
        raise click.UsageError("--test excludes --leave-out; name the known classes with --known")
    if (protocol["known"] or protocol["leave_out"]) and protocol["preprocess"] and not protocol["preprocess_per_fold"]:
        raise click.UsageError(
            "in an open set foreign instances train nothing, so --preprocess needs --preprocess-per-fold"
        )
    if protocol["preprocess_per_fold"] and not protocol["preprocess"]:
        raise click.UsageError("--preprocess-per-fold belongs to --preprocess")


def evaluate_all(
    data: tuple[str, ...], methods: Mapping[str, PostProcessor], **protocol: Any
) -> tuple[Evaluation, list[str]]:
    """Records and answers of every data set, and the files of those that could not be evaluated."""
    names = list(map(name_of, data))
    aim = aim_of(protocol)
    found = Evaluation(())
    failed: list[str] = []
    for path, name in zip(data, names, strict=True):
        try:
            found += _evaluate_one(path, name if names.count(name) == 1 else path, methods, aim=aim, **protocol)
        except KeyboardInterrupt:
            if protocol["resume"] is None:
                raise
            click.echo(err=True)  # the terminal shows ^C
            finished = (
                "what is finished is in" if os.path.isdir(protocol["resume"]) and os.listdir(protocol["resume"]) else ""
            )
            say(f"{finished or 'nothing is finished yet in'} {protocol['resume']}; run the same command again to go on")
            raise click.Abort from None
        except WekaconfError as error:
            if len(data) == 1:
                raise
            failed.append(path)
            text = str(error)
            click.echo(f"left out: {text if text.startswith(path) else f'{path}: {text}'}", err=True)
    return found, failed


def _evaluate_one(path: str, name: str, methods: Mapping[str, PostProcessor], *, k: str, seed: int, runs: int,
                  split: str | None, stratified: bool, test: str | None, known: str | None, leave_out: Any,
                  aim: Aim | None, threshold_from: Any, preprocess: str | None, preprocess_per_fold: bool,
                  unseen: Unseen, learner: str | None, options: str, class_attribute: str,
                  resume: str | None) -> Evaluation:  # fmt: skip
    began = time.perf_counter()
    with progress_bar(name) as progress:
        data = load_arff(path, class_attribute=class_attribute)
        further = None
        if test is not None:
            further = load_arff(test, class_attribute=class_attribute).conform(data.header, unseen=unseen, what=test)
            further = further.renamed(name_of(test))
        protocol = Protocol(
            folds="loo" if k == "loo" else int(k),
            runs=runs,
            seed=seed,
            split=split,
            stratified=stratified,
            test=further,
            known=None if known is None else _class_list(known),
            leave_out=leave_out,
            preprocess=preprocess,
            per_fold=preprocess_per_fold,
            aim=aim,
            threshold_from=threshold_from,
        )
        found = evaluate(
            data,
            list(methods.values()),
            protocol=protocol,
            learner=learner,
            options=options,
            name=name,
            resume=resume,
            on_progress=progress.follow,
        )
    say(f"{name}: {time.perf_counter() - began:.1f} s", only_verbose=True)
    labelled = zip(methods, found, strict=True)
    return Evaluation(tuple(Result(record | {"label": label}, answers) for label, (record, answers) in labelled))


def _class_list(text: str) -> tuple[str, ...]:
    """Names separated by commas; one with a comma in double quotes."""
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True)) if name.strip())


def print_reject(records: Sequence[Mapping[str, Any]], *, with_error_at: bool = False) -> None:
    """Print what was rejected, and in an open set how each class fared."""
    title = title_of(records, part="reject")
    reject_tables.print_reject_table(records, title, with_error_at=with_error_at)
    if any(record["known"] is not None for record in records):
        click.echo()
        reject_tables.print_outcomes(records, "Of each class, in percent")


def write_records(records: Sequence[Mapping[str, Any]], csv_path: str | None, json_file: str | None) -> None:
    """Write records where the user wants them."""
    for target, write in ((csv_path, tables.write_csv), (json_file, tables.write_json)):
        if target is not None and records:
            with atomic_write(target, "w") as file:
                write(records, file)


def say_written(paths: Sequence[str], chosen: str) -> None:
    """Name the files that are not the one the user has named, since there are several data sets."""
    if paths and paths != [chosen]:
        say(f"written: {', '.join(paths)}")


def raise_failed(failed: list[str], n_data: int) -> None:
    """End with an error where a data set could not be evaluated."""
    if failed:
        raise OptionError(f"{len(failed)} of {n_data} data sets could not be evaluated: {', '.join(failed)}")
