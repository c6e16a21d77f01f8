"""``wekaconf reject``."""

from __future__ import annotations

import click

from wekaconf.base.plot_style import check_plot
from wekaconf.cli.command import command
from wekaconf.cli.common import common, write_records
from wekaconf.cli.evaluation_options import (
    MeasuringOptions,
    measuring_options,
    raise_failed,
    say_written,
    write_per_fold,
)
from wekaconf.cli.values import NamedFile, check_output


@command(
    "reject",
    "wekaconf reject wine.arff --method confdtree --method ling_yan --plot r.png",
    "wekaconf reject wine.arff --method boundary_distance --target-error 0.02",
)
@measuring_options(
    output=[
        click.option("--plot", "plot_path", type=NamedFile(".png", ".pdf", ".svg"), callback=check_output,
                     metavar="FILE", help="Draw the risk-coverage curves (.png, .pdf, .svg), one file per data set."),
        click.option("--risk-coverage", "curve_path", type=NamedFile(".csv"), callback=check_output, metavar="FILE",
                     help="Write the curves as CSV, one line per method and threshold; one file per data set."),
    ],
)  # fmt: skip
@common
@click.pass_context
def reject_command(context: click.Context, /, measuring: MeasuringOptions, curve_path: str | None,
                   plot_path: str | None, csv_path: str | None, json_file: str | None, per_fold_path: str | None,
                   as_json: bool) -> None:  # fmt: skip
    """Measure how well methods know what not to answer.

    Every method can reject, by a threshold on its certainty. The curves cover all test instances of known
    classes, those of several runs together.
    """
    from wekaconf.cli.evaluation_run import evaluate_all
    from wekaconf.model import scheme
    from wekaconf.report import figures, tables
    from wekaconf.report.evaluation import print_rejecting

    measuring.check(context)
    files = measuring.files()
    if plot_path is not None:
        check_plot(plot_path)
    evaluation, failed, _ = evaluate_all(files, scheme.parse_methods(measuring.methods), measuring)
    records = evaluation.records
    try:
        if curve_path is not None:
            say_written(figures.write_risk_coverage(curve_path, evaluation, per_set=len(files) > 1), curve_path)
        if plot_path is not None:
            say_written(figures.draw_risk_coverage(plot_path, evaluation, per_set=len(files) > 1), plot_path)
        write_records(records, csv_path, json_file)
        write_per_fold(evaluation, per_fold_path)
    finally:  # also where a file cannot be written, since the user has waited
        if as_json:
            tables.print_json(records)
        elif records:
            print_rejecting(records, with_error_at=True)
            tables.print_notes(records)
    raise_failed(failed, len(files))
