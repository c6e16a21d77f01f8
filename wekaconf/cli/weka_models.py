"""Reads models, ours and those that Weka has saved, for the commands that take a model."""

from __future__ import annotations

from dataclasses import replace

import click

from wekaconf.base.errors import OptionError
from wekaconf.bridge.reading import load_like, parts_like
from wekaconf.cli.common import data_path, name_of
from wekaconf.cli.console import say
from wekaconf.cli.training import ClassSetOptions
from wekaconf.data.dataset import Dataset
from wekaconf.data.table_files.base import Reading
from wekaconf.data.tables import is_table, join_parts
from wekaconf.data.training import training_part
from wekaconf.data.training_summary import summarise
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.promise_check import check_apart, note_calibration
from wekaconf.evaluation.protocol.rejecting import ThresholdFrom
from wekaconf.evaluation.rejection import calibrate as calibrated
from wekaconf.evaluation.thresholds import choose
from wekaconf.experiments.session import threshold
from wekaconf.learners.foreign.weka_models import is_weka_model
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model.file import load_model
from wekaconf.model.fitted import Model, SeenRows
from wekaconf.model.mirroring import mirror

ALLOWED = f"{__name__}.allowed"
"""The key in a context of the packages that may be imported."""


def _allow(context: click.Context, _: click.Parameter, packages: tuple[str, ...]) -> None:
    context.meta[ALLOWED] = packages


allow_plugin = click.option(
    "--allow-plugin", "plugins", multiple=True, metavar="PACKAGE", expose_value=False, callback=_allow,
    help="Import this installed package, which you trust, if the model holds a method of it. May be repeated.",
)  # fmt: skip


def saved_model(path: str) -> Model:
    """The model in a file of ours, whose method may be of a package that ``--allow-plugin`` names."""
    return load_model(path, plugins=click.get_current_context().meta.get(ALLOWED, ()))


def read(path: str) -> Model:
    """The classifier in a ``.model`` file, which answers as Weka does."""
    mirrored = mirror(path)
    return mirrored if isinstance(mirrored, Model) else Model(LeafFrequency.restore({}, mirrored, {}))


def model_at(path: str) -> Model:
    """The model in a file, of wekaconf or of Weka; ModelFileError, see `wekaconf.model.file.load_model`."""
    return read(path) if is_weka_model(path) else saved_model(path)


def model_in_file(path: str, takes: str) -> Model:
    """The model in a file, see `model_at`, for a command that takes no other file in its place.

    Raises
    ------
    OptionError
        The file holds data, by the ending of its name; ``takes`` is the command or option that takes a model.
    ModelFileError
        See `wekaconf.model.file.load_model`.
    """
    if is_table(path) or path.lower().endswith((".arff", ".arff.gz")):
        raise OptionError(
            f"{path}: this is data, and {takes} takes a model, as 'wekaconf fit' saves it", value_of="model"
        )
    return model_at(path)


def is_fitted(model: Model) -> bool:
    """Whether a model from `read` is one of our fitted classifiers, which alone have a date."""
    return bool(model.made)


def fit(path: str, grown: Model, method: PostProcessor, train: str | None, reading: Reading, aim: Aim | None,
        calibrate: float | str, threshold_from: ThresholdFrom, sets: ClassSetOptions, *,
        keeps_summary: bool) -> Model:  # fmt: skip
    """A method on the tree in a ``.model`` file, fitted on the training data if it needs them.

    ``calibrate`` is the file of the rows that calibrate, where the aim has a confidence or there are class sets.
    ``keeps_summary`` says whether the model has a summary of these rows, or else of the training data.

    Raises
    ------
    click.UsageError
        The method needs training data, or a threshold or class sets would need further trees or rows that did not grow
        the tree.
    HeaderMismatchError
        The training data, or the rows that calibrate, do not have the columns of the model.
    OptionError
        Rows that calibrate are training rows; see also `wekaconf.calibrate`.
    """
    model = replace(grown, reading=reading)
    _check_threshold(path, train, aim, threshold_from)
    is_promise = aim is not None and aim.confidence is not None
    if (is_promise or sets.class_sets is not None) and not isinstance(calibrate, str):
        raise click.UsageError(
            f"{path} holds a tree that Weka has grown, and which rows grew it is not known, so no share of rows can be "
            "held out; give a file of rows that did not grow it with --calibrate FILE"
        )
    training = instances = None
    if train is not None:
        training = _rows(model, train)
        instances = model.conform(training, what=train)
        fitted = method.fit(model.method.tree_, instances)
    elif method.reads_train:
        raise click.UsageError(
            f"{method.name} learns from training data, and {path} holds none; give them with -t, or use "
            "--method leaf_frequency"
        )
    else:
        fitted = type(method).restore(method.params, model.method.tree_, {})
    model = replace(model, method=fitted)
    if keeps_summary and training is not None:
        model = replace(model, summary=summarise(training_part(training)))
    if isinstance(calibrate, str):
        say(
            f"note: which rows grew the tree in {path} is not known; a promise and class sets hold if none of those "
            f"in {calibrate} did",
            is_folded=True,
        )
        model = _calibrated(model, training, instances, aim, calibrate, sets, keeps_summary=keeps_summary)
    if aim is None or is_promise:
        return model
    if instances is None:
        return replace(model, choice=choose(aim, [], []))
    return replace(model, choice=threshold(fitted, instances, aim, threshold_from="training"))


def _calibrated(model: Model, training: Dataset | None, instances: Dataset | None, aim: Aim | None, calibrate: str,
                sets: ClassSetOptions, *, keeps_summary: bool) -> Model:  # fmt: skip
    """The model with the promise and the class sets of the rows of a file; ``instances`` fitted the method."""
    held_out = join_parts(parts_like(data_path(calibrate), model.header, model.reading.without_id, marks_class=True))
    if training is not None:
        check_apart(held_out.data, training, calibrate)
    rows, has_class = model.conform(held_out.data, what=calibrate), held_out.has_class
    answer = model.method.answer(rows)
    choice = None
    if aim is not None and aim.confidence is not None:
        choice = calibrated(model.method, aim, rows, instances, has_class=has_class, answer=answer)
    if keeps_summary:
        also = None if training is None else training_part(training)
        model = replace(model, summary=summarise(held_out.data.take(has_class), also=also))
    model = sets.with_calibration(model, rows, has_class, answer)
    seen = SeenRows.of(training, held_out.data)
    note_calibration(seen.usual, held_out.data, training, calibrate)
    return replace(model, choice=choice, seen=seen if keeps_summary else SeenRows())


def _check_threshold(path: str, train: str | None, aim: Aim | None, threshold_from: ThresholdFrom) -> None:
    """Refuse an aim whose threshold would need further trees."""
    if aim is None or aim.fixed_threshold is not None or aim.confidence is not None:
        return
    if train is None or threshold_from != "training":
        raise click.UsageError(
            f"{path} holds a tree that Weka has grown, so no further trees can be grown to choose a threshold out of "
            "fold; give --below, or -t with --threshold-from training"
        )


def _rows(model: Model, path: str) -> Dataset:
    """The rows of a file with the columns of a model."""
    return load_like(data_path(path), model.header, model.reading.without_id).renamed(name_of(path))
