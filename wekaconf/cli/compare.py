"""``wekaconf compare``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click
import cloup

from wekaconf.base.errors import OptionError
from wekaconf.base.files import write_text
from wekaconf.base.naming import nearest
from wekaconf.base.plot_style import check_plot
from wekaconf.base.words import Argument
from wekaconf.cli.command import command
from wekaconf.cli.evaluation_options import MeasuringOptions, measuring_options, raise_failed, store_option
from wekaconf.cli.values import NamedFile, OneOf, check_output, fraction, given_options
from wekaconf.report.comparison import TESTS, WORDS
from wekaconf.report.experimenter import write_per_fold

if TYPE_CHECKING:
    from wekaconf.report.comparison import Comparison
    from wekaconf.report.evaluation import Evaluation

FORMATS = {"text": ".txt", "latex": ".tex", "csv": ".csv", "html": ".html"}
"""The formats, each with the ending of its files."""


read_level = fraction("a level", "0.05")


def read_test(text: str) -> tuple[str, float]:
    """Type of an option: one of the `TESTS`, and behind a colon its level, 0.05 where that is left out."""
    kind, colon, level = text.partition(":")
    if kind not in TESTS:
        raise click.BadParameter(f"expected one of {', '.join(TESTS)}, got '{kind}'{nearest(kind, TESTS)}")
    return kind, read_level(level) if colon else 0.05


test_option = click.option(
    "--test", "kind_and_level", type=read_test, default="corrected:0.05", show_default=True,
    metavar=f"{'|'.join(TESTS)}[:LEVEL]",
    help="Test on the folds of each data set, two-sided, at this level, or 0.05. corrected: the corrected resampled "
    "t-test of Weka's Experimenter; paired: the paired t-test; wilcoxon: the signed-rank test.",
)  # fmt: skip
"""The option for tests of differences, for commands that compare."""


@command(
    "compare",
    "wekaconf compare iris.arff wine.arff --method confdtree --method m_branch",
    "wekaconf compare iris.arff wine.arff --method ling_yan --method m_branch --std",
    often=("-c", "--method", "--learner", "-x", "--runs", "--metric", "--base", "-o", "--cd-diagram", "-j"),
)
@measuring_options(
    comparing=
        cloup.option_group(
            "Comparison",
            click.option("--metric", "measure", type=OneOf(list(WORDS)), default="auc_weighted", show_default=True,
                         metavar="NAME",
                         help=f"Compare in this metric: {', '.join(WORDS)}."),
            click.option("--base", metavar="METHOD",
                         help="Compare the others with this one of the methods. Left out: the first."),
            test_option,
            click.option("--bayes", "rope", type=fraction("a number", "0.01"), metavar="WIDTH",
                         help="Also say how probable it is that each method is better than the base, no different, or "
                         "worse, by the Bayesian signed-rank test over the data sets, where differences of at most "
                         "WIDTH are none."),
            click.option("--pooled", is_flag=True,
                         help="Show figures of the pooled answers instead of means over the folds."),
        ),
    output=[
        store_option,
        click.option("--format", "form", type=OneOf(list(FORMATS)), metavar="|".join(FORMATS),
                     help="Write the table in this format. Left out: by the ending of -o, else text."),
        click.option("--std", is_flag=True, help="Show standard deviations over the folds; csv always has them."),
        click.option("-o", "--output", type=NamedFile(*FORMATS.values()), callback=check_output, metavar="FILE",
                     help="Write the table to this file instead of printing it."),
        click.option("--cd-diagram", type=NamedFile(".png", ".pdf", ".svg"), callback=check_output, metavar="FILE",
                     help="Draw a critical difference diagram of the mean ranks (.png, .pdf, .svg)."),
    ],
)  # fmt: skip
@click.pass_context
def compare_command(context: click.Context, /, measuring: MeasuringOptions, measure: str,
                    base: str | None, kind_and_level: tuple[Any, float], rope: float | None, pooled: bool,
                    form: str | None, std: bool, output: str | None, cd_diagram: str | None,
                    per_fold_path: str | None) -> None:  # fmt: skip
    """Compare methods over data sets, with tests of significance.

    Each method is compared with the base on the folds of every data set, and all are ranked over the data sets. v marks
    what is significantly better than the base, * what is worse.
    """
    if cd_diagram is not None:
        check_plot(cd_diagram)
    kind, level = kind_and_level
    files = measuring.files()
    if cd_diagram is not None and len(files) < 2:
        raise OptionError(Argument("cd_diagram"), f" {cd_diagram}: mean ranks need several data sets, got {len(files)}")
    evaluation, failed = _evaluate(context, files, measuring, base)
    if evaluation.results:
        comparison = evaluation.compare(measure=measure, base=base, test=kind, level=level, pooled=pooled, rope=rope)
        try:
            if cd_diagram is not None:
                comparison.draw_ranks(cd_diagram)
            if per_fold_path is not None:
                write_per_fold(per_fold_path, evaluation)
        finally:  # also where a file cannot be written, since the user has waited
            _write(comparison, form or _format_of(output), output, std=std)
    raise_failed(failed, len(files))


def _evaluate(
    context: click.Context, files: tuple[str, ...], measuring: MeasuringOptions, base: str | None
) -> tuple[Evaluation, list[str]]:
    """The evaluation of the methods on the data sets, and the files that could not be measured."""
    from wekaconf.cli.evaluation_run import evaluate_all
    from wekaconf.model import scheme

    measuring.check(context)
    if len(measuring.methods) < 2 and not given_options(context, "per_fold_path"):
        raise click.UsageError("--method: expected at least two to compare; give it again with another method")
    if base is not None and base not in measuring.methods:
        raise click.UsageError(f"--base {base}: expected one of the methods given: {', '.join(measuring.methods)}")
    evaluation, failed, _ = evaluate_all(files, scheme.parse_methods(measuring.methods), measuring)
    return evaluation, failed


def _format_of(output: str | None) -> str:
    """The format by the ending of a file; text for other endings."""
    ending = os.path.splitext(output or "")[1].lower()
    return next((form for form, known_ending in FORMATS.items() if known_ending == ending), "text")


def _write(comparison: Comparison, form: str, output: str | None, *, std: bool) -> None:
    text = comparison.csv() if form == "csv" else getattr(comparison, form)(std=std)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text)
