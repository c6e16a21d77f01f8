"""``wekaconf evaluate``."""

from __future__ import annotations

from functools import partial

import click

from wekaconf.base.files import atomic_write
from wekaconf.base.plot_style import check_plot
from wekaconf.cli.command import command
from wekaconf.cli.console import Session
from wekaconf.cli.evaluation_options import (
    MeasuringOptions,
    check_distinct_values,
    measuring_options,
    raise_failed,
    say_written,
)
from wekaconf.cli.values import NamedFile, OneOf, check_output, given_options, split_names
from wekaconf.data import Dataset
from wekaconf.report import tables
from wekaconf.report.experimenter import write_per_fold

PICTURES = (".png", ".pdf", ".svg")


@command(
    "evaluate",
    "wekaconf evaluate iris.arff wine.arff --method confdtree --method ling_yan",
    'wekaconf evaluate iris.arff -x 5 --learner "J48 -M 5" --records r.csv',
    "wekaconf evaluate wine.arff --rejecting --risk-coverage r.png",
    often=("-c", "--ignore", "--method", "--learner", "-x", "-T",
           "--target-error", "--rejecting", "--records", "--store"),
)  # fmt: skip
@measuring_options(
    output=[
        click.option("--format", "form", type=OneOf(["table", "latex", "weka"]), default="table", show_default=True,
                     metavar="table|latex|weka",
                     help="Print tables for people or for LaTeX, or Weka's own report: summary, figures by class, and "
                     "confusion matrix."),
        click.option("--predictions", type=NamedFile(".csv", ".txt"), callback=check_output, metavar="FILE",
                     help="Also write every answer: with run and fold as CSV, or as Weka's -p prints them (.txt). One "
                     "file per data set."),
        click.option("--metric", "metrics", type=OneOf(list(tables.HEADINGS)), multiple=True, metavar="NAME",
                     help=f"Show this column: {', '.join(tables.HEADINGS)}. May be repeated. Left out: "
                     f"{', '.join(tables.COLUMNS)}."),
        click.option("--rejecting", is_flag=True,
                     help="Also show without a threshold how well the certainty tells right from wrong answers."),
        click.option("--risk-coverage", "curve_paths", type=NamedFile(*PICTURES, ".csv"), callback=check_output,
                     multiple=True, metavar="FILE",
                     help="Draw the error at each coverage (.png, .pdf, .svg), or write it, one line per method and "
                     "threshold (.csv); one file per data set. May be repeated."),
        click.option("--calibration", "calibration_path", type=NamedFile(*PICTURES), callback=check_output,
                     metavar="FILE", help="Draw how often answers of each probability are right (.png, .pdf, .svg)."),
        click.option("--roc", "roc_path", type=NamedFile(*PICTURES), callback=check_output, metavar="FILE",
                     help="Draw ROC curves (.png, .pdf, .svg), each block of equal scores as the box in which the "
                     "order is unknown."),
        click.option("--of", "class_name", metavar="CLASS", help="In ROC curves, rank this class against the rest. "
                     "Left out: of two classes the rarer, of more the most frequent."),
    ],
)  # fmt: skip
@click.pass_context
def evaluate_command(context: click.Context, /, measuring: MeasuringOptions, metrics: tuple[str, ...],
                     form: str, rejecting: bool, predictions: str | None, curve_paths: tuple[str, ...],
                     calibration_path: str | None, roc_path: str | None, class_name: str | None,
                     records: tuple[str, ...],
                     per_fold_path: str | None, as_json: bool) -> None:  # fmt: skip
    """Measure methods by cross-validation, on a split, or on a test file.

    Where answers are rejected, because of an open set, a threshold, or a method's own rule, tables of what is rejected
    and what that is worth come first. They cover the test instances of known classes, those of several runs together.
    """
    from wekaconf.cli.evaluation_run import evaluate_all
    from wekaconf.model import scheme
    from wekaconf.report import pictures
    from wekaconf.report.evaluation import tables_of

    check_distinct_values("--metric", metrics)
    measuring.check(context)
    files = measuring.files()
    if predictions is not None and measuring.hold_out is not None:
        raise click.UsageError("--predictions excludes --hold-out: answers are numbered by the rows of the whole file")
    if form == "weka" and (others := given_options(context, "metrics", "rejecting", "as_json")):
        raise click.UsageError(f"--format weka excludes {others[0]}")
    if form == "weka" and (measuring.protocol["known"] or measuring.protocol["leave_out"]):
        raise click.UsageError(
            "--format weka excludes --known and --leave-out: Weka's report has no place for an open set"
        )
    if form == "latex" and as_json:
        raise click.UsageError("--format latex excludes --json")
    if class_name is not None and roc_path is None:
        raise click.UsageError("--of belongs to --roc")
    for path in filter(None, (*curve_paths, calibration_path, roc_path)):
        if not path.lower().endswith(".csv"):
            check_plot(path)

    def check(data: Dataset, path: str) -> None:
        if roc_path is not None:
            known = measuring.protocol["known"]
            pictures.check_roc(data, class_name, path, None if known is None else split_names(known))

    evaluation, failed, ids = evaluate_all(files, scheme.parse_methods(measuring.methods), measuring, check)
    found = evaluation.records
    try:
        # Files first: a reader of standard output that leaves must not cost a file after hours of work.
        if predictions is not None:
            say_written(pictures.write_answers(predictions, evaluation, per_set=len(files) > 1, ids=ids), predictions)
        for path in records if found else ():
            with atomic_write(path, "w") as file:
                (tables.write_json if path.lower().endswith(".json") else tables.write_csv)(found, file)
        if per_fold_path is not None and found:
            write_per_fold(per_fold_path, evaluation)
        for paths, write in (
            (curve_paths, pictures.write_risk_coverage), ([calibration_path], pictures.draw_calibration),
            ([roc_path], partial(pictures.draw_roc, class_name=class_name)),
        ):  # fmt: skip
            for path in filter(None, paths):
                say_written(write(path, evaluation, per_set=len(files) > 1), path)
    finally:  # also where a file cannot be written, since the user has waited
        if as_json:
            tables.print_json(found)
        elif form == "weka":
            click.echo(evaluation.weka_summary(), nl=False)
        elif found:
            shown = tables_of(found, metrics=metrics, rejecting=rejecting)
            if form == "latex":
                tables.print_latex(shown)
            else:
                tables.print_tables(shown, legend=Session.verbose)
    raise_failed(failed, len(files))
