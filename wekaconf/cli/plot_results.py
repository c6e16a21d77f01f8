"""``wekaconf plot reject``, ``calibration`` and ``roc``: pictures of how good answers are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click
import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import COLUMN, check_plot
from wekaconf.bridge.reading import load_like
from wekaconf.cli.command import command
from wekaconf.cli.evaluation_options import MeasuringOptions, measuring_options, raise_failed, say_written
from wekaconf.cli.loading import data_path
from wekaconf.cli.models import allow_plugin
from wekaconf.cli.options import Decorator
from wekaconf.cli.plot_input import OFTEN, is_model, output_option, read_model
from wekaconf.data import Dataset, stem
from wekaconf.evaluation.measures import calibration_curve, risk_coverage, roc_curve
from wekaconf.model.fitted import Model

MODEL_PARAMETERS = ("data", "data_by_letter", "test", "output", "class_name", "verbose", "quiet")
"""The parameters that go with a model; it excludes the others."""
Draw = Callable[..., list[str]]
DrawModel = Callable[[str, str, Model, Dataset], None]


def _options(*output: Decorator) -> Decorator:
    return measuring_options(output=(output_option, *output), has_records=False)


@command(
    "reject",
    "wekaconf plot reject wine.arff --method confdtree --method ling_yan -o r.png",
    often=(*OFTEN, "-x", "--below"),
)
@_options()
@allow_plugin
@click.pass_context
def reject_command(context: click.Context, /, measuring: MeasuringOptions, output: str) -> None:
    """Draw how the error falls as methods leave their least certain answers to somebody else.

    DATA is cross-validated; a model file is asked about the instances of -T. 'wekaconf evaluate --rejecting' prints
    the figures.
    """
    from wekaconf.report.pictures import write_risk_coverage

    def draw_model(path: str, label: str, model: Model, data: Dataset) -> None:
        from wekaconf.evaluation.measures import figures
        from wekaconf.methods.contract import thresholds_at
        from wekaconf.report.pictures import plot_risk_coverage

        answer = model.answer_conformed(data)
        correct = answer.predicted == data.class_values
        curve = risk_coverage(answer.certainty, correct, data.weights)
        marks = {}
        if model.thresholds is not None:
            threshold = thresholds_at(model.thresholds, answer.predicted)
            marks[label] = figures(answer.certainty, correct, data.weights, threshold).as_dict()
        plot_risk_coverage(path, {label: curve}, marks=marks, width=COLUMN)

    _draw(context, measuring, output, write_risk_coverage, draw_model)


@command(
    "calibration",
    "wekaconf plot calibration wine.arff --method m_branch -o c.png",
    often=(*OFTEN, "-x", "--below"),
)
@_options()
@allow_plugin
@click.pass_context
def calibration_command(context: click.Context, /, measuring: MeasuringOptions, output: str) -> None:
    """Draw how often answers are right, by the probability that is given to them, with intervals of 95 %.

    DATA is cross-validated; a model file is asked about the instances of -T.
    """
    from wekaconf.report.pictures import write_calibration

    def draw_model(path: str, label: str, model: Model, data: Dataset) -> None:
        from wekaconf.report.pictures import plot_calibration

        curve = calibration_curve(model.method.predict_proba(data), data.class_values, data.weights)
        plot_calibration(path, {label: curve}, n_instances=len(data), width=COLUMN)

    _draw(context, measuring, output, write_calibration, draw_model)


@command(
    "roc",
    "wekaconf plot roc wine.arff --method m_branch --of class_1 -o roc.png",
    often=(*OFTEN, "-x", "--below"),
)
@_options(
    click.option("--of", "class_name", metavar="CLASS", help="Rank this class against the rest. Left out: of two "
                 "classes the rarer, of more the most frequent."),
)  # fmt: skip
@allow_plugin
@click.pass_context
def roc_command(context: click.Context, /, measuring: MeasuringOptions, output: str, class_name: str | None) -> None:
    """Draw ROC curves, each block of equal scores as the box in which the order is unknown.

    DATA is cross-validated; a model file is asked about the instances of -T.
    """
    from wekaconf.report.pictures import draw_roc

    def draw_model(path: str, label: str, model: Model, data: Dataset) -> None:
        from wekaconf.report.pictures import class_to_rank, plot_roc

        names = data.header.class_names
        weights = np.asarray(np.bincount(data.class_values, data.weights, minlength=len(names)), dtype=np.float64)
        chosen = class_to_rank(weights, names, class_name, data.header.relation)
        is_of_class = (data.class_values == chosen).astype(np.float64)
        curve = roc_curve(model.method.ranking(data)[:, chosen], is_of_class, data.weights)
        plot_roc(path, {label: curve}, class_name=names[chosen])

    _draw(context, measuring, output, partial(draw_roc, class_name=class_name), draw_model)


def _draw(context: click.Context, measuring: MeasuringOptions, output: str, draw: Draw, draw_model: DrawModel) -> None:
    """Draw the answers of a model on a test file, or of methods that are evaluated on data."""
    from wekaconf.cli.evaluation_run import evaluate_all
    from wekaconf.model import scheme

    check_plot(output)
    if len(measuring.data) == 1 and measuring.listed_in is None and is_model(path := measuring.data[0]):
        others = [p.name for p in context.command.params if p.name not in MODEL_PARAMETERS]
        model = read_model(path, context, *(name for name in others if name is not None))
        draw_model(output, scheme.label_of(model.method), model, _test_instances(path, model, measuring.test))
        return
    measuring.check(context)
    files = measuring.files()
    evaluation, failed, _ = evaluate_all(files, scheme.parse_methods(measuring.methods), measuring)
    say_written(draw(output, evaluation, per_set=len(files) > 1, is_column=True), output)
    raise_failed(failed, len(files))


def _test_instances(path: str, model: Model, test: str | None) -> Dataset:
    """The instances of a test file with a class and a positive weight, as the model reads them."""
    if test is None:
        raise click.UsageError(f"{path} is a model, which holds no instances; give some with -T")
    data = model.conform(load_like(data_path(test), model.header, model.reading), what=test).renamed(stem(test))
    known = data.take(np.flatnonzero((data.class_values >= 0) & (data.weights > 0)))
    if not len(known):
        raise OptionError(f"{test}: no instance has a class, so nothing says which answers are right", value_of="test")
    return known
