"""Data to train on and the learner that trains on them, by the options of a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from wekaconf.bridge.reading import parts_like
from wekaconf.cli.common import cost_matrix_of, data_path, load_data
from wekaconf.data.cost_matrix import CostMatrix
from wekaconf.data.dataset import Dataset
from wekaconf.data.matching import UnseenValues
from wekaconf.data.table_files.base import Reading
from wekaconf.data.tables import Loaded, join_parts
from wekaconf.data.training import training_part
from wekaconf.data.training_summary import TrainingSummary, summarise
from wekaconf.evaluation.arguments import BoolArray
from wekaconf.evaluation.class_sets import check_coverage
from wekaconf.evaluation.promise_check import check_apart, note_calibration
from wekaconf.evaluation.promised_choice import drawn_rows
from wekaconf.evaluation.protocol.preprocessing import Filters, fit_filters, fit_preprocessing
from wekaconf.evaluation.protocol.rejecting import check_calibrate
from wekaconf.methods.contract.answer import Answer
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.model.fitted import Model, SeenRows
from wekaconf.model.scheme import scheme_for
from wekaconf.tree.learner import Learner, note_missing_classes


class Training(NamedTuple):
    """Training data and their learner.

    Parameters
    ----------
    learner : Learner
    costs : CostMatrix or None
    filters : tuple of FittedFilter or ColumnMap
        What the data have gone through: preprocessing, then filters.
    instances : Dataset
        The data with the weights that they have in their file.
    weighed : Dataset
        The same instances as the learner and the method see them: weighted by the costs, if there are any.
    calibration : Loaded or None
        Instances that are held out of all that, before preprocessing and filters.
    seen : SeenRows
        By what instances and calibration are recognised, where there is a calibration and they are to be.
    as_read : Dataset
        All rows of the file, before preprocessing and filters.
    reading : Reading
        How the file was read, and how later files are.
    summary : TrainingSummary or None
        What the rows are like before preprocessing and filters; of a file that calibrates, those of that file.
    """

    learner: Learner[Any]
    costs: CostMatrix | None
    filters: Filters
    instances: Dataset
    weighed: Dataset
    calibration: Loaded | None
    seen: SeenRows
    as_read: Dataset
    reading: Reading
    summary: TrainingSummary | None


@dataclass(frozen=True)
class ClassSetOptions:
    """The options of sets of classes that cannot be excluded.

    Parameters
    ----------
    class_sets : float, optional
        The coverage, in (0, 1); None: there are no sets, or those of the model as they are.
    class_sets_for : {"rows", "classes"}, optional
        Whether the coverage is kept among all rows or among those of each class; None: rows, or as the model does.
    """

    class_sets: float | None
    class_sets_for: Literal["rows", "classes"] | None

    def __post_init__(self) -> None:
        """Check the coverage."""
        if self.class_sets is not None:
            check_coverage(self.class_sets)

    @property
    def is_per_class(self) -> bool | None:
        """Whether the coverage is kept among the rows of each class; None: not said."""
        return None if self.class_sets_for is None else self.class_sets_for == "classes"

    def with_calibration(self, model: Model, rows: Dataset, has_class: BoolArray, answer: Answer) -> Model:
        """The model with what later files need of the answer for rows that calibrate: its shares, and class sets."""
        model = model.with_answer_shares(answer)
        if self.class_sets is None:
            return model
        return model.with_class_sets(
            rows, self.class_sets, is_per_class=bool(self.is_per_class), has_class=has_class, answer=answer
        )


@dataclass(frozen=True)
class TrainingOptions:
    """The options of a command that say on which form of the data which learner trains."""

    class_attribute: str
    preprocess: str | None
    filters: tuple[str, ...]
    learner: str | None
    options: str
    cost_matrix: str | None


def _declared_by_the_first(growing: Dataset, held_out: Dataset) -> tuple[Dataset, Dataset]:
    """Both with the nominal values of the growing rows, since a table declares those that its rows have.

    A value that only held-out rows have is missing there, as it will be in new rows, so that both are answered alike.
    """
    header = growing.header_of_values()
    return growing.conform(header), held_out.conform(header, unseen_values=UnseenValues())


def training_of(
    data: str,
    method: PostProcessor | None,
    reading: Reading,
    options: TrainingOptions,
    *,
    test: str | None = None,
    calibrate: float | str | None = None,
    keeps_summary: bool = False,
) -> Training:
    """Read the training data, and fit preprocessing and filters on them; a `Note` warns of costs without a class.

    The learner is the one given, else the method's usual one; for ``test`` see `load_data`. ``calibrate`` is the share
    of the instances that is held out, or the file of others that calibrate; ``keeps_summary`` says whether the training
    has a summary, and digests of its rows.
    """
    scheme = scheme_for(method, options.learner, options.options)
    costs = scheme.costs_beside(cost_matrix_of(options.cost_matrix))
    loaded = load_data(data, reading, options.class_attribute, test=test)
    instances, reading = loaded.data, reading.with_forms_of(loaded.reading)
    calibration, described, also = None, training_part(instances), None
    if isinstance(calibrate, str):
        parts = parts_like(data_path(calibrate), instances.header, reading.without_id, marks_class=True)
        calibration = join_parts(parts)
        check_apart(calibration.data, instances, calibrate)
        described, also = calibration.data.take(calibration.has_class), described
    elif calibrate is not None:
        check_calibrate(calibrate)
        is_held_out = drawn_rows(len(instances), calibrate)
        instances, held_out = instances.take(~is_held_out), instances.take(is_held_out)
        if loaded.is_inferred:
            instances, held_out = _declared_by_the_first(instances, held_out)
            described, also = training_part(instances), training_part(held_out)
        calibration = Loaded(held_out)
    summary = summarise(described, also) if keeps_summary else None
    seen = SeenRows()
    if calibration is not None:
        found = SeenRows.of(instances, calibration.data)
        seen = found if keeps_summary else seen
        what = calibrate if isinstance(calibrate, str) else data
        note_calibration(found.usual, calibration.data, instances, what)
    fitted_filters: Filters = ()
    if options.preprocess is not None:
        fitted = fit_preprocessing(instances, options.preprocess)
        instances, fitted_filters = fitted.output, fitted.filters
    if texts := (*options.filters, *scheme.filters):
        filtered = fit_filters(instances, texts)
        instances, fitted_filters = filtered.output, fitted_filters + filtered.filters
    weighed = instances
    if costs is not None:
        note_missing_classes(instances)
        weighed = costs.weigh(instances)
    return Training(
        scheme.learner, costs, fitted_filters, instances, weighed, calibration, seen, loaded.data, reading, summary
    )
