"""The rows that a method learns from, those that calibrate it, and the learner: the first half of fitting."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import counted, quoted
from wekaconf.data import (
    CostMatrix,
    Dataset,
    Header,
    Loaded,
    TrainingSummary,
    UnseenValues,
    loaded_like,
    summarise,
    training_part,
)
from wekaconf.data.arrays import BoolArray
from wekaconf.data.frames import is_frame, read_arrow_stream
from wekaconf.evaluation.checks import check_apart, note_calibration
from wekaconf.evaluation.preprocessing import Filters, fit_filters, fit_preprocessing
from wekaconf.evaluation.thresholds import check_calibrate, draw_rows
from wekaconf.methods.contract import Method
from wekaconf.model.fitted import SeenRows
from wekaconf.model.scheme import scheme_for
from wekaconf.tree import Learner, note_missing_classes

Calibration = float | BoolArray | Dataset | Loaded | Any
"""The rows that calibrate: a share of the training rows, which of these, or other rows, perhaps of a frame."""

WAYS = "a share of the rows, one boolean per row, a Dataset or a DataFrame"


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Rows to learn from and rows to calibrate with, apart from one another.

    Parameters
    ----------
    growing : Dataset or None
        None: what the tree was grown on is not known.
    calibration : Loaded or None
        None: nothing is calibrated.
    seen : SeenRows
        By what both are recognised.
    described, also : Dataset or None
        The rows that the summary is of, and those that only widen it, see `summarise`.
    """

    growing: Dataset | None
    calibration: Loaded | None
    seen: SeenRows
    described: Dataset | None
    also: Dataset | None = None

    def summary(self) -> TrainingSummary | None:
        """What the described rows are like; None: there are none."""
        return None if self.described is None else summarise(self.described, self.also)


@dataclass(frozen=True, eq=False)
class Training:
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
    """

    learner: Learner[Any]
    costs: CostMatrix | None
    filters: Filters
    instances: Dataset
    weighed: Dataset


def hold_out(data: Dataset | None, calibrate: Calibration | None, header: Header, seed: int = 1) -> HeldOut:
    """Divide training data into rows that grow a tree and rows that calibrate; check those that are given.

    Parameters
    ----------
    data : Dataset or None
        The training data; None: they are not known.
    calibrate : float, (n_instances,) bool, Dataset, frame or None
        None: nothing calibrates. Without training data a data set, if any.
    header : Header
        That of the training data.
    seed : int
        Of the draw of a share.

    Raises
    ------
    OptionError
        The share is out of range, rows that calibrate are training rows, or there are no rows to hold out.
    HeaderMismatchError
        Rows that calibrate lack columns of the training data.
    """
    calibrate = read_arrow_stream(calibrate)
    if isinstance(calibrate, Dataset | Loaded) or is_frame(calibrate):
        return _take_other_rows(data, calibrate, header)
    if calibrate is None:
        return HeldOut(data, None, SeenRows(), None if data is None else training_part(data))
    if data is None:
        raise OptionError(
            parameter="calibrate",
            expected="a Dataset or a DataFrame, since there are no training data of which rows could be held out",
            got=f"a {type(calibrate).__name__}",
        )
    growing, calibration = _divide(data, calibrate, seed)
    described, also = training_part(data), None
    if data.reading is not None and data.reading.is_inferred:
        growing, calibration = _declare_by_growing(growing, calibration)
        described, also = training_part(growing), training_part(calibration)
    seen = SeenRows()
    if len(calibration):  # else whatever is made of them says that there are none
        seen = SeenRows.of(growing, calibration)
        note_calibration(seen.usual, calibration, growing, data.relation)
    return HeldOut(growing, Loaded(calibration), seen, described, also)


def check_calibration(calibrate: object) -> None:
    """Raise OptionError if rows that calibrate are said in none of the ways that `hold_out` knows."""
    if calibrate is None or isinstance(calibrate, str | Header):
        raise OptionError(parameter="calibrate", expected=WAYS, got=repr(calibrate))


def _divide(data: Dataset, calibrate: Any, seed: int) -> tuple[Dataset, Dataset]:
    """The rows that grow a tree, and those that are held out."""
    if isinstance(calibrate, numbers.Real) and not isinstance(calibrate, bool):
        check_calibrate(float(calibrate))
        is_held_out = draw_rows(len(data), float(calibrate), seed)
    else:
        is_held_out = np.asarray(calibrate)
        if is_held_out.ndim != 1 or is_held_out.dtype != np.bool_:
            got = f"a {type(calibrate).__name__}"
            raise OptionError(
                parameter="calibrate", expected=WAYS,
                got=f"{got} of {is_held_out.dtype}" if hasattr(calibrate, "dtype") else got,
            )  # fmt: skip
        if is_held_out.shape != (len(data),):
            raise OptionError(
                parameter="calibrate", expected=f"one boolean per row, ({len(data)},)", got=f"{is_held_out.shape}"
            )
    if is_held_out.all():
        raise OptionError(
            parameter="calibrate",
            expected="rows that are left to grow a tree on",
            got=f"all {counted(len(data), 'row')}",
        )
    return data.take(~is_held_out), data.take(is_held_out)


def _take_other_rows(data: Dataset | None, calibrate: Any, header: Header) -> HeldOut:
    """Training data, if they are known, and other rows that calibrate."""
    if isinstance(calibrate, Loaded):
        what = calibrate.data.relation
        calibration = replace(calibrate, data=calibrate.data.conform(header, what=what))
    else:
        what = calibrate.relation if isinstance(calibrate, Dataset) else "the calibration rows"
        reading = None if data is None else data.reading
        calibration = loaded_like(calibrate, header, what, marks_class=True, reading=reading)
    if not calibration.has_class.any():
        raise OptionError(
            f"{what}: no row has a class, in the column {quoted(header.class_attribute.name)}, so nothing can be "
            "calibrated",
            value_of="calibrate",
        )
    if data is not None:
        check_apart(calibration.data, data, what)
    seen = SeenRows.of(data, calibration.data)
    note_calibration(seen.usual, calibration.data, data, what)
    also = None if data is None else training_part(data)
    return HeldOut(data, calibration, seen, calibration.data.take(calibration.has_class), also)


def _declare_by_growing(growing: Dataset, held_out: Dataset) -> tuple[Dataset, Dataset]:
    """Both with the nominal values of the growing rows, since a table declares those that its rows have.

    A value that only held-out rows have is missing there, as it will be in new rows, so that both are answered alike.
    """
    header = growing.header_of_values()
    return growing.conform(header), held_out.conform(header, unseen_values=UnseenValues())


def prepare_training(
    growing: Dataset,
    method: Method | None,
    learner: str | Sequence[str] | Learner[Any] | None = None,
    options: str | Sequence[str] = "",
    *,
    preprocess: str | None = None,
    filters: Sequence[str] = (),
    cost_matrix: CostMatrix | None = None,
) -> Training:
    """Fit preprocessing and filters on training data, and weigh these by the costs.

    Parameters
    ----------
    growing : Dataset
        The rows that grow the tree; a `Note` warns if some have no class and there are costs.
    method : Method or None
    learner, options
        The learner; left out: the method's usual one. FilteredClassifier and CostSensitiveClassifier bring filters and
        costs of their own, see `wekaconf.model.scheme.scheme_of`.
    preprocess, filters, cost_matrix
        See `wekaconf.fit`.

    Raises
    ------
    OptionError
        See `wekaconf.fit`.
    """
    scheme = scheme_for(method, learner, options)
    costs = scheme.costs_beside(cost_matrix)
    instances, fitted_filters = growing, Filters()
    if preprocess is not None:
        fitted = fit_preprocessing(instances, preprocess)
        instances, fitted_filters = fitted.output, fitted.filters
    if texts := (*filters, *scheme.filters):
        filtered = fit_filters(instances, texts)
        instances, fitted_filters = filtered.output, fitted_filters + filtered.filters
    weighed = instances
    if costs is not None:
        note_missing_classes(instances)
        weighed = costs.weigh(instances)
    return Training(scheme.learner, costs, fitted_filters, instances, weighed)
