"""The options of a command that say on what data and how a model is fitted, and the data that they name."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import click

from wekaconf.bridge.reading import parts_like
from wekaconf.cli.command import progress_bar
from wekaconf.cli.loading import data_path, load_data
from wekaconf.cli.options import read_cost_matrix
from wekaconf.data import Dataset, Header, Loaded, join_parts, stem
from wekaconf.data.table_files import CsvMarks, Reading
from wekaconf.evaluation.promises import check_coverage
from wekaconf.evaluation.thresholds import ThresholdFrom
from wekaconf.methods.contract import Method
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model.fit import prepare_training
from wekaconf.model.fitted import Model


@dataclass(frozen=True)
class ClassSetOptions:
    """The options of sets of classes that cannot be excluded.

    Parameters
    ----------
    coverage : float, optional
        In (0, 1); None: there are no sets, or those of the model as they are.
    is_per_class : bool, optional
        Whether the coverage is kept among the rows of each class; None: among all rows, or as the model does.
    """

    coverage: float | None
    is_per_class: bool | None

    @classmethod
    def parse(cls, class_sets: str | None) -> Self:
        """The options in the value of ``--class-sets``: a coverage, which ``rows=`` or ``classes=`` may precede."""
        if class_sets is None:
            return cls(None, None)
        groups, equals, text = class_sets.rpartition("=")
        try:
            coverage = float(text)
        except ValueError:
            coverage = math.nan
        if math.isnan(coverage) or (equals and groups not in ("rows", "classes")):
            raise click.UsageError(
                "--class-sets: expected a share of the rows, such as 0.9, or classes=0.9 for a share of the rows of "
                f"each class, got '{class_sets}'"
            )
        check_coverage(coverage)
        return cls(coverage, groups == "classes" if equals else None)

    def as_arguments(self) -> dict[str, Any]:
        """The arguments of `wekaconf.fit` that they are."""
        return {"class_sets": self.coverage, "class_sets_for": "classes" if self.is_per_class else "rows"}


@dataclass(frozen=True)
class TrainingOptions:
    """The options of a command that say on which form of the data which learner trains."""

    class_attribute: str
    preprocess: str | None
    filters: tuple[str, ...]
    learner: str | None
    cost_matrix: str | None

    def as_arguments(self) -> dict[str, Any]:
        """The arguments of `wekaconf.fit` that they are."""
        return {
            "learner": self.learner, "preprocess": self.preprocess, "filters": self.filters,
            "cost_matrix": read_cost_matrix(self.cost_matrix),
        }  # fmt: skip


@dataclass(frozen=True)
class FittingOptions:
    """The options that say on which rows a threshold is chosen, and what a fitted model keeps.

    Parameters
    ----------
    calibrate : float or str
        The share of the rows that is held out, or the file of others that calibrate.
    threshold_from : {"out-of-fold", "training"}
    seed : int
    keeps_summary : bool
    """

    calibrate: float | str
    threshold_from: ThresholdFrom
    seed: int
    keeps_summary: bool

    def as_arguments(self, header: Header, reading: Reading) -> dict[str, Any]:
        """The arguments of `wekaconf.fit` that they are; a file is read as data with this header."""
        calibrate: float | Loaded | str = self.calibrate
        if isinstance(calibrate, str):
            calibrate = join_parts(parts_like(data_path(calibrate), header, reading.without_id, marks_class=True))
            calibrate = replace(calibrate, data=calibrate.data.renamed(str(self.calibrate)))
        return {"calibrate": calibrate, "threshold_from": self.threshold_from, "seed": self.seed,
                "summary": self.keeps_summary}  # fmt: skip


def load_training(data: str, reading: Reading, options: TrainingOptions, *, test: str | None = None) -> Loaded:
    """A file to learn from, with the reading for later files; for ``test`` see `load_data`."""
    loaded = load_data(data, reading, options.class_attribute, test=test)
    found = loaded.reading
    for_later = replace(reading.with_forms_of(found), is_inferred=found.is_inferred)
    return replace(loaded, data=replace(loaded.data, reading=for_later))


def grow_model(
    data: str, reading: Reading, method: Method | None, options: TrainingOptions
) -> tuple[Model, Dataset, CsvMarks]:
    """A method, or the plain tree's, on a tree grown on all rows of a file; these rows, weighed, and its marks."""
    with progress_bar(stem(data)):
        loaded = load_training(data, reading, options)
        training = prepare_training(loaded.data, method, **options.as_arguments())
        fitted = (method or LeafFrequency()).fit(training.learner.grow(training.weighed), training.weighed)
        model = Model(fitted, training.filters, reading=loaded.reading)
        return model, training.weighed, loaded.marks
