"""``wekaconf reject``."""

from __future__ import annotations

from typing import Any

import click

from wekaconf.base.plot_style import check_plot
from wekaconf.cli.command import command
from wekaconf.cli.common import common, write_records
from wekaconf.cli.evaluation_options import (
    check_distinct_values,
    check_protocol,
    data_of,
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
def reject_command(context: click.Context, /, data: tuple[str, ...], listed_in: str | None,
                   methods: tuple[str, ...],
                   curve_path: str | None, plot_path: str | None, csv_path: str | None, json_file: str | None,
                   per_fold_path: str | None,
                   as_json: bool, **protocol: Any) -> None:  # fmt: skip
    """Measure how well methods know what not to answer.

    Every method can reject, by a threshold on its certainty. The curves cover all test instances of known
    classes, those of several runs together.
    """
    from wekaconf.cli.evaluation_run import evaluate_all
    from wekaconf.model import scheme
    from wekaconf.report import figures, tables
    from wekaconf.report.evaluation import print_rejecting

    check_distinct_values("--method", methods)
    check_protocol(context, protocol)
    files = data_of(data, listed_in)
    if plot_path is not None:
        check_plot(plot_path)
    evaluation, failed, _ = evaluate_all(files, {text: scheme.parse_method(text) for text in methods}, **protocol)
    records = evaluation.records
    if as_json:
        tables.print_json(records)
    elif records:
        print_rejecting(records, with_error_at=True)
        tables.print_notes(records)
    if curve_path is not None:
        say_written(figures.write_risk_coverage(curve_path, evaluation, per_set=len(files) > 1), curve_path)
    if plot_path is not None:
        say_written(figures.draw_risk_coverage(plot_path, evaluation, per_set=len(files) > 1), plot_path)
    write_records(records, csv_path, json_file)
    write_per_fold(evaluation, per_fold_path)
    raise_failed(failed, len(files))
