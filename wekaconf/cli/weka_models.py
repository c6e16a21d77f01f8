"""Reads models that Weka has saved, for the commands that take a model."""

from __future__ import annotations

from dataclasses import replace

import click

from wekaconf.base.errors import OptionError
from wekaconf.bridge.reading import load_like
from wekaconf.cli.common import data_path, name_of
from wekaconf.data.table_files.base import Reading
from wekaconf.data.tables import is_table
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.protocol.rejecting import ThresholdFrom
from wekaconf.evaluation.thresholds import Choice, choose
from wekaconf.experiments.session import threshold
from wekaconf.learners.foreign.weka_models import is_weka_model
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model.file import load_model
from wekaconf.model.fitted import Model
from wekaconf.model.mirroring import mirror


def read(path: str) -> Model:
    """The classifier in a ``.model`` file, which answers as Weka does."""
    mirrored = mirror(path)
    return mirrored if isinstance(mirrored, Model) else Model(LeafFrequency.restore({}, mirrored, {}))


def model_in_file(path: str, takes: str) -> Model:
    """The model in a file, of wekaconf or of Weka.

    Raises
    ------
    OptionError
        The file holds data, by the ending of its name; ``takes`` is the command or option that takes a model.
    ModelFileError
        See `wekaconf.model.file.load_model`.
    """
    if is_table(path) or path.lower().endswith((".arff", ".arff.gz")):
        raise OptionError(
            f"{path}: this is data, and {takes} takes a model, as 'predict -d' saves it", value_of="model"
        )
    return read(path) if is_weka_model(path) else load_model(path)


def is_fitted(model: Model) -> bool:
    """Whether a model from `read` is one of our fitted classifiers, which alone have a date."""
    return bool(model.made)


def fit(path: str, grown: Model, method: PostProcessor, train: str | None, reading: Reading, aim: Aim | None,
        threshold_from: ThresholdFrom) -> Model:  # fmt: skip
    """A method on the tree in a ``.model`` file, fitted on the training data if it needs them.

    Raises
    ------
    click.UsageError
        The method needs training data, or the threshold would need further trees.
    HeaderMismatchError
        The training data do not have the columns of the model.
    """
    model = replace(grown, reading=reading)
    tree = model.method.tree_
    is_chosen = aim is not None and aim.fixed_threshold is None
    if is_chosen and (train is None or threshold_from != "training"):
        raise click.UsageError(
            f"{path} holds a tree that Weka has grown, so no further trees can be grown to choose a threshold out of "
            "fold; give --below, or -t with --threshold-from training"
        )
    if train is None:
        if method.reads_train:
            raise click.UsageError(
                f"{method.name} learns from training data, and {path} holds none; give them with -t, or use "
                "--method leaf_frequency"
            )
        fitted = type(method).restore(method.params, tree, {})
        return replace(model, method=fitted, choice=None if aim is None else choose(aim, [], []))
    training = load_like(data_path(train), model.header, reading.without_id).renamed(name_of(train))
    instances = model.conform(training, what=train)
    fitted = method.fit(tree, instances)
    choice: Choice | None = None
    if aim is not None:
        choice = threshold(fitted, instances, aim, threshold_from="training")
    return replace(model, method=fitted, choice=choice)
