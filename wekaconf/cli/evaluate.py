"""Measuring methods, and what they are worth when they may decline to answer."""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import click
import numpy as np

from wekaconf import scheme
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
from wekaconf.data.arff import load_arff
from wekaconf.data.dataset import Unseen
from wekaconf.errors import OptionError, WekaconfError
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.metrics import CalibrationCurve, calibration_curve
from wekaconf.evaluation.pieces import Split
from wekaconf.evaluation.risk_coverage import RiskCoverage, risk_coverage
from wekaconf.evaluation.thresholds import Aim
from wekaconf.files import atomic_write
from wekaconf.learners import LEARNERS as OUR_LEARNERS
from wekaconf.parameters import parameters
from wekaconf.postprocessor import PostProcessor
from wekaconf.protocol.open_sets import draw_known
from wekaconf.protocol.splits import splits
from wekaconf.report import reject_tables, tables
from wekaconf.session import evaluate


def _protocol_options(command: Callable[..., Any]) -> Callable[..., Any]:
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
        click.option("--csv", "csv_path", type=click.Path(), callback=check_output,
                     help="Also write the records as CSV."),
        click.option("--json-file", type=click.Path(), callback=check_output, help="Also write the records as JSON."),
        click.option("--json", "as_json", is_flag=True, help="Print the records as JSON instead of a table."),
    )):  # fmt: skip
        command = option(command)
    return command


@click.command("evaluate")
@_protocol_options
@click.option("--reading", type=click.Choice(["honest", "text", "table"]),
              help="How the open points of a method's paper are read: honest repairs its text, text takes it to "
              "the letter, table reproduces its printed numbers and uses the class of the test instances for it, "
              "so it is for replication only.")  # fmt: skip
@click.option("--metric", "metrics", type=click.Choice(list(tables.HEADINGS)), multiple=True, default=tables.COLUMNS,
              show_default=True, metavar="NAME",
              help=f"A column of the table: {', '.join(tables.HEADINGS)}. May be repeated.")  # fmt: skip
@click.option("--fold-mean", is_flag=True, help="The table shows means over folds, not of pooled answers.")
@click.option("--calibration", "calibration_path", type=click.Path(), callback=check_output,
              metavar="FILE.png|.pdf|.svg|.csv",
              help="Draw, or write, how often answers of a probability are right.")  # fmt: skip
@common
@click.pass_context
def evaluate_command(context: click.Context, /, data: tuple[str, ...], methods: tuple[str, ...], reading: str | None,
                     metrics: tuple[str, ...], fold_mean: bool, calibration_path: str | None, csv_path: str | None,
                     json_file: str | None, as_json: bool, **protocol: Any) -> None:  # fmt: skip
    """Measure methods by cross-validation, a split, or a test file.

    With an open set, a threshold, or a method that rejects by a rule of its own, further tables tell what was
    rejected and what that is worth.
    """
    _check_distinct_values("--method", methods)
    _check_distinct_values("--metric", metrics)
    _check_protocol(context, protocol)
    if calibration_path is not None:
        _check_calibration(calibration_path)
        if len(data) > 1:
            raise click.UsageError("--calibration takes one data set at a time")
    evaluated, failed = _evaluate_all(data, _with_reading(methods, reading), **protocol)
    records = [record for record, _ in evaluated]
    if reading == "table":
        records = [record | {"reading": reading} for record in records]
    if as_json:
        tables.print_json(records)
    elif records:
        part = "fold_mean" if fold_mean else "pooled"
        tables.print_table(records, _title(records[0], reading, part), metrics=metrics, part=part)
        tables.print_notes(records)
        if any("coverage" in record["reject"] or record["known"] is not None for record in records):
            click.echo()
            _print_reject(records)
    if calibration_path is not None:
        _write_calibration(calibration_path, evaluated)
    _write_records(records, csv_path, json_file)
    _raise_failed(failed, len(data))


@click.command("reject")
@_protocol_options
@click.option("--risk-coverage", "curve_path", type=click.Path(), callback=check_output, metavar="FILE.csv",
              help="Write the curves: a line a method and threshold.")  # fmt: skip
@click.option("--plot", "plot_path", type=click.Path(), callback=check_output, metavar="FILE.png|.pdf|.svg",
              help="Draw the curves.")  # fmt: skip
@common
@click.pass_context
def reject_command(context: click.Context, /, data: tuple[str, ...], methods: tuple[str, ...],
                   curve_path: str | None, plot_path: str | None, csv_path: str | None, json_file: str | None,
                   as_json: bool, **protocol: Any) -> None:  # fmt: skip
    """Measure how well a method knows what not to answer.

    Any method will do: what is thresholded is its certainty. The curves are over all test instances of known classes,
    those of several runs together.
    """
    _check_distinct_values("--method", methods)
    _check_protocol(context, protocol)
    if plot_path is not None:
        from wekaconf.report.plots import check_plot, plot_risk_coverage

        check_plot(plot_path)
    if (curve_path or plot_path) and len(data) > 1:
        raise click.UsageError("--risk-coverage and --plot take one data set at a time")
    evaluated, failed = _evaluate_all(data, {text: scheme.parse_method(text) for text in methods}, **protocol)
    records = [record for record, _ in evaluated]
    curves = {record["label"]: _curve(answers) for record, answers in evaluated} if len(data) == 1 else {}
    if as_json:
        tables.print_json(records)
    elif records:
        _print_reject(records, with_error_at=True)
        tables.print_notes(records)
    if curve_path is not None:
        with atomic_write(curve_path, "w") as file:
            reject_tables.write_curves(curves, file)
    if plot_path is not None:
        marks = {record["label"]: record["reject"] for record in records if "coverage" in record["reject"]}
        plot_risk_coverage(plot_path, curves, title=records[0]["dataset"], marks=marks)
    _write_records(records, csv_path, json_file)
    _raise_failed(failed, len(data))


def _check_distinct_values(option: str, values: tuple[str, ...]) -> None:
    for value in values:
        if values.count(value) > 1:
            raise click.UsageError(f"{option} {value} is given twice")


def _curve(answers: Answers) -> RiskCoverage:
    scored = (answers.actual >= 0) & ~answers.is_foreign
    correct = answers.predicted == answers.actual
    return risk_coverage(answers.certainty[scored], correct[scored], answers.weights[scored])


def _check_calibration(path: str) -> None:
    ending = os.path.splitext(path)[1].lower()
    if ending not in (".csv", ".png", ".pdf", ".svg"):
        raise OptionError(f"--calibration {path}: expected the name of a .png, .pdf, .svg or .csv file")
    if ending != ".csv":
        from wekaconf.report.plots import check_plot

        check_plot(path)


def _write_calibration(path: str, evaluated: list[tuple[dict[str, Any], Answers]]) -> None:
    curves = {record["label"]: _calibration(answers) for record, answers in evaluated}
    if path.lower().endswith(".csv"):
        with atomic_write(path, "w") as file:
            tables.write_calibration(curves, file)
    else:
        from wekaconf.report.plots import plot_calibration

        plot_calibration(path, curves, title=evaluated[0][0]["dataset"])


def _calibration(answers: Answers) -> CalibrationCurve:
    scored = ~answers.is_foreign
    return calibration_curve(answers.proba[scored], answers.actual[scored], answers.weights[scored])


def _print_reject(records: list[dict[str, Any]], *, with_error_at: bool = False) -> None:
    title = _title(records[0], None, "reject")
    reject_tables.print_reject_table(records, title, with_error_at=with_error_at)
    if any(record["known"] is not None for record in records):
        click.echo()
        reject_tables.print_outcomes(records, "Of each class, in percent")


def _write_records(records: list[dict[str, Any]], csv_path: str | None, json_file: str | None) -> None:
    for target, write in ((csv_path, tables.write_csv), (json_file, tables.write_json)):
        if target is not None and records:
            with atomic_write(target, "w") as file:
                write(records, file)


def _raise_failed(failed: list[str], n_data: int) -> None:
    if failed:
        raise OptionError(f"{len(failed)} of {n_data} data sets could not be evaluated: {', '.join(failed)}")


def _evaluate_all(
    data: tuple[str, ...], methods: Mapping[str, PostProcessor], **protocol: Any
) -> tuple[list[tuple[dict[str, Any], Answers]], list[str]]:
    """Records and answers of every data set, and the files of those that could not be evaluated."""
    names = list(map(name_of, data))
    aim = aim_of(protocol)
    evaluated: list[tuple[dict[str, Any], Answers]] = []
    failed: list[str] = []
    for path, name in zip(data, names, strict=True):
        try:
            evaluated += _evaluate_one(path, name if names.count(name) == 1 else path, methods, aim=aim, **protocol)
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
    return evaluated, failed


def _check_protocol(context: click.Context, protocol: dict[str, Any]) -> None:
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


def _with_reading(texts: tuple[str, ...], reading: str | None) -> dict[str, PostProcessor]:
    """The methods of the command line, by its text, in one reading of their papers."""
    if reading is None:
        return {text: scheme.parse_method(text) for text in texts}
    if reading == "table":
        return _table_readings(texts)
    chosen = {text: scheme.parse_method(text, reading=reading) for text in texts}
    if not any("reading" in method.params for method in chosen.values()):
        able = [name for name, known in scheme.available_methods().items() if "reading" in parameters(known)]
        raise click.UsageError(
            f"--reading {reading}: no method given has a reading; those that have one are {', '.join(able)}"
        )
    for text, method in chosen.items():
        if method.params.get("reading", reading) != reading:
            raise click.UsageError(f"--reading {reading} contradicts --method {text}")
    return dict(chosen)


def _table_readings(texts: tuple[str, ...]) -> dict[str, PostProcessor]:
    """What reproduces the published tables, which sees the class of the instances it answers for."""
    from wekaconf.replication.wang2006.readings import table_reading

    found = {text: table_reading(scheme.parse_method(text)) for text in texts}
    click.echo(
        "warning: the table reading uses the class of the test instances; its figures are for replication only",
        err=True,
    )
    return found


def _evaluate_one(path: str, name: str, methods: Mapping[str, PostProcessor], *, k: str, seed: int, runs: int,
                  split: str | None, stratified: bool, test: str | None, known: str | None, leave_out: Any,
                  aim: Aim | None, threshold_from: Any, preprocess: str | None, preprocess_per_fold: bool,
                  unseen: Unseen, learner: str | None, options: str, class_attribute: str,
                  resume: str | None) -> list[tuple[dict[str, Any], Answers]]:  # fmt: skip
    began = time.perf_counter()
    with progress_bar(name) as progress:
        data = load_arff(path, class_attribute=class_attribute)
        facts = {"dataset": name, "n_instances": len(data), "class": data.header.class_attribute.name}
        if test is not None:
            further = load_arff(test, class_attribute=class_attribute).conform(data.header, unseen=unseen, what=test)
            rows = np.arange(len(data)), np.arange(len(data), len(data) + len(further))
            all_splits: list[Sequence[Split]] = [[rows]]
            data = data.join(further)
            facts |= {"protocol": f"tested on {name_of(test)}", "folds": None, "seed": None, "runs": 1}
        else:
            k_folds: int | Literal["loo"] = "loo" if k == "loo" else int(k)
            all_splits = [
                splits(data, folds=k_folds, split=split, stratified=stratified, seed=seed + run) for run in range(runs)
            ]
            n_folds = None if split else len(all_splits[0])
            protocol = f"{n_folds}-fold cross-validation" if n_folds else f"split {split}"
            protocol = "leave-one-out" if k == "loo" else protocol
            protocol = f"stratified {protocol}" if stratified else protocol
            facts |= {"protocol": protocol, "folds": n_folds, "seed": seed, "runs": runs}
        known_in_runs = None
        if known is not None:
            known_in_runs = [_class_list(known)] * len(all_splits)
        elif leave_out is not None:
            known_in_runs = [draw_known(data, leave_out, seed + run) for run in range(runs)]
        evaluated = evaluate(
            data,
            list(methods.values()),
            all_splits,
            learner=learner,
            options=options,
            known=known_in_runs,
            aim=aim,
            threshold_from=threshold_from,
            preprocess=preprocess,
            per_fold=preprocess_per_fold,
            resume=resume,
            on_progress=progress.follow,
        )
    say(f"{name}: {time.perf_counter() - began:.1f} s", only_verbose=True)
    return [
        (facts | {"label": label, "leave_out": leave_out} | record, answers)
        for label, (record, answers) in zip(methods, evaluated, strict=True)
    ]


def _class_list(text: str) -> tuple[str, ...]:
    """Names separated by commas; one with a comma in double quotes."""
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True)) if name.strip())


def _title(record: dict[str, Any], reading: str | None, part: str) -> str:
    learner = f"{record['learner']} {record['options']}".strip()
    protocol = [record["protocol"]]
    protocol += [f"seed {record['seed']}"] if record["seed"] is not None else []
    protocol += [f"{record['runs']} runs"] if record["runs"] > 1 else []
    parts = ["TABLE READING: uses the class of the test instances"] if reading == "table" else []
    grown_by = "" if record["learner"] in OUR_LEARNERS else f" of Weka {record['versions']['weka']}"
    parts += [f"{learner}{grown_by}", ", ".join(protocol)]
    if record["leave_out"] is not None:
        parts.append(f"open set, {record['leave_out']} of the classes left out")
    elif record["known"] is not None:
        parts.append(f"open set, known: {', '.join(record['known'][0])}")
    if (preprocess := record["preprocess"]) is not None:
        article = "the " if preprocess["fitted_on"] == "whole set" else ""
        parts.append(f"preprocessing {preprocess['name']}, fitted on {article}{preprocess['fitted_on']}")
    parts += [f"reading {reading}"] if reading in ("honest", "text") else []
    if part == "reject" and record["aim"] is not None:
        chosen_on = {None: "", "training": ", chosen on training rows", "out-of-fold": ", chosen out of fold"}
        parts.append(f"threshold: {record['aim']}{chosen_on[record['threshold_from']]}")
    return "; ".join([*parts, *{"pooled": ["pooled answers"], "fold_mean": ["mean over folds"]}.get(part, [])])
