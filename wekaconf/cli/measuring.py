"""What `evaluate` and `reject` share: options, measuring one data set after another, writing records."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
import cloup

from wekaconf import reading as reading_files
from wekaconf.cli import completion
from wekaconf.cli.command import in_options
from wekaconf.cli.common import (
    METHOD_HELP,
    aim_of,
    class_option,
    learner_options,
    load_data,
    name_of,
    preprocess_option,
    progress_bar,
    reading_of,
    rejecting_options,
    strict_option,
    table_options,
    unseen_option,
)
from wekaconf.cli.console import say
from wekaconf.cli.interruption import resumable
from wekaconf.cli.values import NamedFile, OneOf, check_output, given_options, whole_number
from wekaconf.data.matching import Unseen
from wekaconf.data.table_files.base import Reading
from wekaconf.errors import OptionError, WekaconfError
from wekaconf.evaluation.aim import check_aim
from wekaconf.files import atomic_write
from wekaconf.postprocessor import PostProcessor
from wekaconf.protocol.protocol import Protocol
from wekaconf.report import reject_tables, tables
from wekaconf.report.evaluation import Evaluation, Result
from wekaconf.report.titles import title_of
from wekaconf.scheme import learner_of
from wekaconf.session import evaluate

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def measuring_options(*, method: Sequence[Decorator] = (), output: Sequence[Decorator] = ()) -> Decorator:
    """What `evaluate` and `reject` share: data, methods, learner, protocol, thresholds, records; and their own."""
    groups = (
        cloup.argument("data", type=click.Path(), nargs=-1, required=True,
                        help="ARFF, CSV, TSV, Parquet or Excel files; - for CSV on standard input."),
        cloup.option_group(
            "Data",
            class_option,
            preprocess_option(),
            click.option("--preprocess-per-fold", "per_fold", is_flag=True,
                         help="Fit --preprocess on each training set. Left out: once on all instances, test instances "
                         "included."),
            unseen_option,
            strict_option,
        ),
        table_options,
        cloup.option_group(
            "Method",
            click.option("--method", "methods", multiple=True, default=("leaf_frequency",), show_default=True,
                         metavar="METHOD", shell_complete=completion.methods_with_parameters,
                         help=f"{METHOD_HELP} May be repeated."),
            *method,
        ),
        learner_options,
        cloup.option_group(
            "Protocol",
            click.option("-x", "--folds", type=whole_number(2, also="loo"), default="10", show_default=True,
                         metavar="N|loo",
                         help="Cross-validate with N folds, or leave one instance out at a time (loo)."),
            click.option("-s", "--seed", type=whole_number(), default="1", show_default=True, metavar="N",
                         help="Seed of Weka's folds and splits."),
            click.option("--runs", type=whole_number(1), default="1", show_default=True, metavar="N",
                         help="Repeat so many times, with the seeds s, s + 1 and so on."),
            click.option("--split", metavar="0.5|20:50",
                         help="Instead of folds, train on this share, or on so many instances and test on so many."),
            click.option("--stratified", is_flag=True, help="Apply the share or the numbers of --split to each class."),
            click.option("-T", "--test", type=click.Path(), metavar="FILE",
                         help="Instead of folds, test on this file."),
            click.option("--known", metavar="CLASS,CLASS",
                         help="Open set: train on these classes only. Instances of the others are answered, and should "
                         "be rejected. Put a name with a comma in double quotes."),
            click.option("--leave-out", type=OneOf(["half", "one"]),
                         help="Open set: leave out half of the classes, or one, drawn by the seed of each run."),
        ),
        rejecting_options,
        cloup.option_group(
            "Output",
            *output,
            click.option("--csv", "csv_path", type=NamedFile(".csv"), callback=check_output, metavar="FILE",
                         help="Also write the records as CSV."),
            click.option("--json-file", type=NamedFile(".json"), callback=check_output, metavar="FILE",
                         help="Also write the records as JSON."),
            click.option("--json", "as_json", is_flag=True, help="Print the records as JSON instead of a table."),
            click.option("--resume", type=click.Path(file_okay=False), metavar="FOLDER",
                         help="Keep what is finished in this folder, and go on from there when an interrupted command "
                         "is run again."),
        ),
    )  # fmt: skip

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for group in reversed(groups):
            command = group(command)
        return command

    return add


def check_distinct_values(option: str, values: tuple[str, ...]) -> None:
    """Refuse an option that is given twice with one value."""
    for value in values:
        if values.count(value) > 1:
            raise click.UsageError(f"{option} {value} is given twice")


def check_protocol(context: click.Context, protocol: dict[str, Any]) -> None:
    """Refuse options of the protocol that exclude each other, by the names that the user typed."""
    for chosen, excluded in (("test", ("split", "stratified", "folds", "seed", "runs")), ("split", ("folds",))):
        if protocol[chosen] and (others := given_options(context, *excluded)):
            raise click.UsageError(f"{given_options(context, chosen)[0]} excludes {others[0]}")
    if protocol["stratified"] and not protocol["split"]:
        raise click.UsageError("--stratified belongs to --split (folds are stratified anyway)")
    if protocol["known"] and protocol["leave_out"]:
        raise click.UsageError("--known and --leave-out exclude each other")
    if protocol["leave_out"] and protocol["test"]:
        raise click.UsageError(
            f"{given_options(context, 'test')[0]} excludes --leave-out; name the known classes with --known"
        )
    if (protocol["known"] or protocol["leave_out"]) and protocol["preprocess"] and not protocol["per_fold"]:
        raise click.UsageError(
            "in an open set foreign instances train nothing, so --preprocess needs --preprocess-per-fold"
        )
    if protocol["strict"] and not protocol["test"]:
        raise click.UsageError("--strict-columns belongs to -T, the file to test on")
    if protocol["per_fold"] and not protocol["preprocess"]:
        raise click.UsageError("--preprocess-per-fold belongs to --preprocess")


def evaluate_all(
    data: tuple[str, ...], methods: Mapping[str, PostProcessor], **protocol: Any
) -> tuple[Evaluation, list[str]]:
    """Records and answers of every data set, and the files of those that could not be evaluated."""
    names = list(map(name_of, data))
    aim, reading = aim_of(protocol), reading_of(protocol)
    if aim is not None:
        for method in methods.values():
            check_aim(aim, method.name, method.certainty_range)
    if protocol["learner"] is not None:
        learner_of(protocol["learner"], protocol["options"])
    found = Evaluation(())
    failed: list[str] = []
    with resumable(protocol["resume"]):
        for path, name in zip(data, names, strict=True):
            try:
                found += _evaluate_one(
                    path, name if names.count(name) == 1 else path, methods, aim=aim, reading=reading, **protocol
                )
            except WekaconfError as error:
                if len(data) == 1:
                    raise
                failed.append(path)
                text = in_options(str(error)) if isinstance(error, OptionError) else str(error)
                click.echo(f"left out: {text if text.startswith(path) else f'{path}: {text}'}", err=True)
    return found, failed


def _evaluate_one(path: str, name: str, methods: Mapping[str, PostProcessor], *, test: str | None, known: str | None,
                  unseen: Unseen, learner: str | None, options: str, class_attribute: str, resume: str | None,
                  reading: Reading, strict: bool, **protocol: Any) -> Evaluation:  # fmt: skip
    began = time.perf_counter()
    with progress_bar(name) as progress:
        data = load_data(path, reading, class_attribute)
        further = None
        if test is not None:
            loaded = reading_files.load_like(test, data.header, reading, unseen=unseen, strict=strict)
            further = loaded.data.renamed(name_of(test))
        classes = None if known is None else _class_list(known)
        found = evaluate(
            data,
            list(methods.values()),
            protocol=Protocol(test=further, known=classes, **protocol),
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
