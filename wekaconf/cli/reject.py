"""``wekaconf reject``."""

from __future__ import annotations

from typing import Any

import click

from wekaconf import scheme
from wekaconf.cli.command import command
from wekaconf.cli.common import common
from wekaconf.cli.measuring import (
    check_distinct_values,
    check_protocol,
    evaluate_all,
    measuring_options,
    print_reject,
    raise_failed,
    write_records,
)
from wekaconf.cli.values import NamedFile, check_output
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.risk_coverage import RiskCoverage, risk_coverage
from wekaconf.files import atomic_write
from wekaconf.report import reject_tables, tables


@command(
    "reject",
    "wekaconf reject wine.arff --method leaf_frequency --method confdtree --plot r.png",
    "wekaconf reject wine.arff --method boundary_distance --target-error 0.02",
)
@measuring_options(
    output=[
        click.option("--plot", "plot_path", type=click.Path(), callback=check_output, metavar="FILE",
                     help="Draw the risk-coverage curves (.png, .pdf, .svg)."),
        click.option("--risk-coverage", "curve_path", type=NamedFile(".csv"), callback=check_output, metavar="FILE",
                     help="Write the curves as CSV, one line per method and threshold."),
    ],
)  # fmt: skip
@common
@click.pass_context
def reject_command(context: click.Context, /, data: tuple[str, ...], methods: tuple[str, ...],
                   curve_path: str | None, plot_path: str | None, csv_path: str | None, json_file: str | None,
                   as_json: bool, **protocol: Any) -> None:  # fmt: skip
    """Measure how well methods know what not to answer.

    Every method can reject, by a threshold on its certainty. The curves cover all test instances of known
    classes, those of several runs together.
    """
    check_distinct_values("--method", methods)
    check_protocol(context, protocol)
    if plot_path is not None:
        from wekaconf.report.plots import check_plot, plot_risk_coverage

        check_plot(plot_path)
    if (curve_path or plot_path) and len(data) > 1:
        raise click.UsageError("--risk-coverage and --plot take one data set at a time")
    found, failed = evaluate_all(data, {text: scheme.parse_method(text) for text in methods}, **protocol)
    records = found.records
    curves = {record["label"]: _curve(answers) for record, answers in found} if len(data) == 1 else {}
    if as_json:
        tables.print_json(records)
    elif records:
        print_reject(records, with_error_at=True)
        tables.print_notes(records)
    if curve_path is not None:
        with atomic_write(curve_path, "w") as file:
            reject_tables.write_curves(curves, file)
    if plot_path is not None:
        marks = {record["label"]: record["reject"] for record in records if "coverage" in record["reject"]}
        plot_risk_coverage(plot_path, curves, title=records[0]["dataset"], marks=marks)
    write_records(records, csv_path, json_file)
    raise_failed(failed, len(data))


def _curve(answers: Answers) -> RiskCoverage:
    scored = (answers.actual >= 0) & ~answers.is_foreign
    return risk_coverage(answers.certainty[scored], answers.is_correct[scored], answers.weights[scored])
