"""``wekaconf evaluate``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list
from wekaconf.base.parameters import parameters
from wekaconf.base.plot_style import check_plot
from wekaconf.base.words import Argument
from wekaconf.cli.command import command
from wekaconf.cli.common import common, write_records
from wekaconf.cli.console import Session, say, tell
from wekaconf.cli.evaluation_options import (
    MeasuringOptions,
    check_distinct_values,
    measuring_options,
    raise_failed,
    say_written,
    write_per_fold,
)
from wekaconf.cli.values import NamedFile, OneOf, check_output, given_options
from wekaconf.report import tables

if TYPE_CHECKING:
    from wekaconf.methods.contract import Method
    from wekaconf.report.evaluation import Evaluation


@command(
    "evaluate",
    "wekaconf evaluate iris.arff wine.arff --method confdtree --method ling_yan",
    'wekaconf evaluate iris.arff -x 5 --learner "J48 -M 5" --keep 0.93 --csv r.csv',
    "wekaconf evaluate wine.arff --method second_opinion --rejecting --plot r.png",
    often=("-c", "--ignore", "--method", "--learner", "-x", "-T", "--target-error", "--rejecting", "--legend", "--csv"),
)
@measuring_options(
    method=[
        click.option("--reading", type=OneOf(["honest", "text", "table"]), metavar="honest|text|table",
                     help="Read the open points of a method's paper in this way. honest: repair its text; text: follow "
                     "it to the letter; table: reproduce its printed numbers, for replication only, since some methods "
                     "are then shown the class of the test instances."),
    ],
    output=[
        click.option("--format", "form", type=OneOf(["table", "weka"]), default="table", show_default=True,
                     metavar="table|weka",
                     help="Print a table, or Weka's own report: summary, figures by class, and confusion matrix."),
        click.option("--predictions", type=NamedFile(".csv", ".txt"), callback=check_output, metavar="FILE",
                     help="Also write every answer: with run and fold as CSV, or as Weka's -p prints them (.txt). One "
                     "file per data set."),
        click.option("--metric", "metrics", type=OneOf(list(tables.HEADINGS)), multiple=True, metavar="NAME",
                     help=f"Show this column: {', '.join(tables.HEADINGS)}. May be repeated. Left out: "
                     f"{', '.join(tables.COLUMNS)}."),
        click.option("--fold-mean", is_flag=True,
                     help="Show means over folds instead of figures of the pooled answers."),
        click.option("--legend", is_flag=True, help="Say below each table what its columns mean; -v does, too."),
        click.option("--rejecting", is_flag=True,
                     help="Also show without a threshold how well the certainty tells right from wrong answers."),
        click.option("--risk-coverage", "curve_path", type=NamedFile(".csv"), callback=check_output, metavar="FILE",
                     help="Write the error at each coverage as CSV, one line per method and threshold; one file per "
                     "data set."),
        click.option("--plot", "plot_path", type=NamedFile(".png", ".pdf", ".svg"), callback=check_output,
                     metavar="FILE", help="Draw these curves (.png, .pdf, .svg), one file per data set."),
        click.option("--calibration", "calibration_path", type=click.Path(), callback=check_output, metavar="FILE",
                     help="Draw how often answers of each probability are right (.png, .pdf, .svg), or write it "
                     "(.csv)."),
    ],
)  # fmt: skip
@common
@click.pass_context
def evaluate_command(context: click.Context, /, measuring: MeasuringOptions, reading: str | None,
                     metrics: tuple[str, ...], fold_mean: bool, form: str, legend: bool, rejecting: bool,
                     predictions: str | None, curve_path: str | None, plot_path: str | None,
                     calibration_path: str | None, csv_path: str | None, json_file: str | None,
                     per_fold_path: str | None, as_json: bool) -> None:  # fmt: skip
    """Measure methods by cross-validation, on a split, or on a test file.

    Where answers are rejected, because of an open set, a threshold, or a method's own rule, tables of what is rejected
    and what that is worth come first. They cover the test instances of known classes, those of several runs together.
    """
    from wekaconf.cli.evaluation_run import evaluate_all
    from wekaconf.report.evaluation import print_results

    check_distinct_values("--metric", metrics)
    measuring.check(context)
    files = measuring.files()
    if predictions is not None and measuring.hold_out is not None:
        raise click.UsageError("--predictions excludes --hold-out: answers are numbered by the rows of the whole file")
    if form == "weka":
        if others := given_options(context, "metrics", "fold_mean", "as_json", "legend", "rejecting"):
            raise click.UsageError(f"--format weka excludes {others[0]}")
        if measuring.known or measuring.leave_out:
            raise click.UsageError(
                "--format weka excludes --known and --leave-out: Weka's report has no place for an open set"
            )
    if calibration_path is not None:
        _check_calibration(calibration_path)
    if plot_path is not None:
        check_plot(plot_path)
    evaluation, failed, ids = evaluate_all(files, _with_reading(measuring.methods, reading), measuring)
    records = evaluation.records
    if reading == "table":
        records = tuple(record | {"reading": reading} for record in records)
    try:
        # Files first: a reader of standard output that leaves must not cost a file after hours of work.
        _write_curves(evaluation, curve_path, plot_path, calibration_path, per_set=len(files) > 1)
        if predictions is not None and records:
            from wekaconf.report.figures import write_answers

            say_written(write_answers(predictions, evaluation, per_set=len(files) > 1, ids=ids), predictions)
        write_records(records, csv_path, json_file)
        write_per_fold(evaluation, per_fold_path)
    finally:  # also where a file cannot be written, since the user has waited
        if as_json:
            tables.print_json(records)
        elif form == "weka":
            click.echo(evaluation.weka_summary(), nl=False)
        elif records:
            print_results(
                records,
                metrics=metrics,
                part="fold_mean" if fold_mean else "pooled",
                rejecting=rejecting,
                legend=legend or Session.verbose,
            )
            if Session.verbose and len(records) == len(files) == 1 and measuring.hold_out is None:
                for line in evaluation.doubtful_labels().lines(ids[records[0]["dataset"]]):
                    say(line, is_folded=True)
    raise_failed(failed, len(files))


def _write_curves(
    evaluation: Evaluation,
    curve_path: str | None,
    plot_path: str | None,
    calibration_path: str | None,
    *,
    per_set: bool,
) -> None:
    """Write and draw the curves for which the user has named a file."""
    from wekaconf.report import figures

    draws_calibration = calibration_path is not None and not calibration_path.lower().endswith(".csv")
    for path, make in (
        (curve_path, figures.write_risk_coverage),
        (plot_path, figures.draw_risk_coverage),
        (calibration_path, figures.draw_calibration if draws_calibration else figures.write_calibration),
    ):
        if path is not None:
            say_written(make(path, evaluation, per_set=per_set), path)


def _check_calibration(path: str) -> None:
    ending = os.path.splitext(path)[1].lower()
    if ending not in (".csv", ".png", ".pdf", ".svg"):
        raise OptionError(
            Argument("calibration_path"), f" {path}: expected the name of a .png, .pdf, .svg or .csv file"
        )
    if ending != ".csv":
        check_plot(path)


def _with_reading(texts: tuple[str, ...], reading: str | None) -> dict[str, Method]:
    """The methods by their texts on the command line, in one reading of their papers."""
    from wekaconf.model import scheme

    if reading is None:
        return scheme.parse_methods(texts)
    if reading == "table":
        return _table_readings(texts)
    chosen = {text: scheme.parse_method(text, reading=reading) for text in texts}
    if not any("reading" in method.params for method in chosen.values()):
        names = [name for name, method in scheme.available_methods().items() if "reading" in parameters(method)]
        raise click.UsageError(
            f"--reading {reading}: no method given has a reading; those that have one are {', '.join(names)}"
        )
    for text, method in chosen.items():
        if method.params.get("reading", reading) != reading:
            raise click.UsageError(f"--reading {reading} contradicts --method {text}")
    return dict(chosen)


def _table_readings(texts: tuple[str, ...]) -> dict[str, Method]:
    """The methods in the readings that reproduce published tables; some of them use the class of test instances."""
    from wekaconf.model import scheme
    from wekaconf.replication.wang2006.readings import table_reading

    methods = {text: table_reading(scheme.parse_method(text)) for text in texts}
    if seeing := [text for text, method in methods.items() if method.sees_class]:
        tell(
            f"warning: the table reading of {name_list(seeing)} uses the class of the test instances; its figures are "
            "for replication only"
        )
    return methods
