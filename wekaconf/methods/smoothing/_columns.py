"""Attribute values as small integers, which the methods compare; numeric attributes in bins on request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list
from wekaconf.base.stored import stored
from wekaconf.base.words import Owner, SetParameter, UseFilter
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray, all_frozen, frozen
from wekaconf.methods.smoothing._counts import Codes
from wekaconf.tree import keep_last_result

N_BINS = 10
ROWS_AT_A_TIME = 4096
"""Number of rows whose cells are copied at a time."""
CELLS_KEPT = 1 << 24
"""The most cells of a data set whose codes are kept for all training sets that are taken from it."""
DISCRETIZE = "weka.filters.unsupervised.attribute.Discretize"


@dataclass(frozen=True, eq=False)
class ComparedColumns:
    """The attributes that a method compares, and the bins of the numeric ones.

    Parameters
    ----------
    column : (n_columns,) int32
        Column of the data.
    n_values : (n_columns,) int32
        Number of values or of bins.
    is_numeric : (n_columns,) bool
    cut_point : (n_columns, 9) float64
        Cut points of a numeric attribute, in its unit, ascending; NaN where there is none.
    """

    column: Annotated[NDArray[np.int32], stored(np.int32, "n_columns", low=0, below="n_attributes")]
    n_values: Annotated[NDArray[np.int32], stored(np.int32, "n_columns", low=0)]
    is_numeric: Annotated[NDArray[np.bool_], stored(np.bool_, "n_columns")]
    cut_point: Annotated[FloatArray, stored(np.float64, "n_columns", str(N_BINS - 1), allows_nan=True, allows_inf=True)]

    def __post_init__(self) -> None:
        all_frozen(self.column, self.n_values, self.is_numeric, self.cut_point)

    @classmethod
    def none(cls) -> Self:
        """No attribute at all."""
        return cls(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.bool_), np.zeros((0, N_BINS - 1)))

    @classmethod
    def of(cls, train: Dataset, numeric: str, method: str) -> ComparedColumns:
        """The columns of every attribute but the class.

        Parameters
        ----------
        train : Dataset
        numeric : {"refuse", "bins"}
            How to treat numeric and date attributes: raise an error, or make ten bins of equal width between the
            smallest and the largest training value, equal to Weka's ``unsupervised.attribute.Discretize -B 10``.
        method : str
            Name of the method, for the message.

        Raises
        ------
        OptionError
            There is an attribute whose values cannot be compared.
        """
        inputs = _input_columns(train.header)
        texts = [train.attributes[c].name for c in inputs if train.attributes[c].kind in ("string", "relational")]
        if texts:
            raise OptionError(
                Owner(method), f" cannot compare string and relational attributes: {name_list(texts)}; remove them"
            )
        numbers = [train.attributes[c].name for c in inputs if not train.attributes[c].is_nominal]
        if numbers and numeric == "refuse":
            remedies = UseFilter(DISCRETIZE, preprocessing="wang2006"), ", or ", SetParameter(method, "numeric", "bins")
            raise OptionError(
                Owner(method), f" compares nominal values, but {len(numbers)} of the attributes of '{train.relation}' "
                f"{'is' if len(numbers) == 1 else 'are'} numeric: {name_list(numbers)}; discretise them ", *remedies,
            )  # fmt: skip
        return _columns_of(train) if numbers else _nominal_columns(train.header)

    def check(self, header: Header) -> None:
        """Raise ValueError unless the arrays describe columns of data with this header."""
        is_cut = ~np.isnan(self.cut_point)
        n_cuts = is_cut.sum(axis=1)
        for i, column in enumerate(self.column):
            attribute, cuts = header.attributes[column], self.cut_point[i, : n_cuts[i]]
            n_values = n_cuts[i] + 1 if self.is_numeric[i] else len(attribute.values)
            is_usable = attribute.is_nominal or (self.is_numeric[i] and attribute.kind in ("numeric", "date"))
            if not is_usable or attribute.is_nominal == self.is_numeric[i] or self.n_values[i] != n_values:
                raise ValueError(f"n_values, is_numeric: do not fit {attribute.describe()}")
            if not is_cut[i, : n_cuts[i]].all() or (cuts[1:] < cuts[:-1]).any() or (n_cuts[i] and attribute.is_nominal):
                raise ValueError(f"cut_point: expected those of {attribute.describe()} in ascending order")
        if (np.diff(self.column) <= 0).any() or (self.column == header.class_index).any():
            raise ValueError("column: expected attributes other than the class, in ascending order")

    def codes(self, data: Dataset) -> Codes:
        """(n, n_columns) int16, or int32 if there are many values: index of each value or bin, −1 when missing.

        Read-only; kept for the methods of one evaluation that compare the same columns.
        """
        return _codes(self, data) if len(self.column) else np.zeros((len(data), 0), dtype=np.int16)

    def codes_at(self, rows: NDArray[np.intp], train: Dataset) -> Codes:
        """(n, n_columns) int16 or int32: as `codes`, of the instances in these rows of a training set.

        The codes of a data set are kept for the training sets that have most of its instances.
        """
        whole, places = train.taken_from or (train, None)
        is_fixed = len(self.column) > 0 and not self.is_numeric.any()  # the same codes for all of these training sets
        if places is None or not is_fixed or whole.values.size > CELLS_KEPT or len(whole) > 2 * len(train):
            return self.codes(train)[rows]
        return _codes_of_whole(self, whole)[places[rows]]


@keep_last_result
def _nominal_columns(header: Header) -> ComparedColumns:
    inputs = np.array(_input_columns(header), dtype=np.int32)
    cut_point = np.full((len(inputs), N_BINS - 1), np.nan)
    return ComparedColumns(inputs, header.n_values[inputs].astype(np.int32), ~header.is_nominal[inputs], cut_point)


@keep_last_result
def _columns_of(train: Dataset) -> ComparedColumns:
    """The columns of a training set with numeric attributes, each cut into bins."""
    nominal = _nominal_columns(train.header)
    n_values, cut_point = nominal.n_values.copy(), nominal.cut_point.copy()
    for i in np.flatnonzero(nominal.is_numeric):
        cuts = _equal_width(train.values[:, nominal.column[i]])
        cut_point[i, : len(cuts)] = cuts
        n_values[i] = len(cuts) + 1
    return ComparedColumns(nominal.column, n_values, nominal.is_numeric, cut_point)


def _input_columns(header: Header) -> list[int]:
    return [column for column in range(len(header.attributes)) if column != header.class_index]


def _coded(columns: ComparedColumns, data: Dataset) -> Codes:
    dtype: type[np.int16 | np.int32] = np.int16 if columns.n_values.max() < 2**15 else np.int32
    codes = np.empty((len(data), len(columns.column)), dtype=dtype)
    column = columns.column
    is_run = column[-1] - column[0] + 1 == len(column)
    selection = slice(column[0], column[-1] + 1) if is_run else column  # a slice is no copy
    for begin in range(0, len(data), ROWS_AT_A_TIME):
        rows = slice(begin, begin + ROWS_AT_A_TIME)
        # A missing value is −1, which equals no value, not even another −1: the paper's preprocessing leaves none.
        cells = np.fmax(data.values[rows][:, selection], -1.0)  # the larger, or the one that is not NaN
        for i in np.flatnonzero(columns.is_numeric):
            number, cuts = data.values[rows, columns.column[i]], columns.cut_point[i, : columns.n_values[i] - 1]
            cells[:, i] = np.where(np.isnan(number), -1.0, np.searchsorted(cuts, number, side="left"))
        codes[rows] = cells
    return frozen(codes)


_codes = keep_last_result(_coded)
_codes_of_whole = keep_last_result(_coded)  # kept apart, so that the codes of test sets do not replace them


def _equal_width(cells: FloatArray) -> FloatArray:
    """Weka's cut points, computed by Weka's operations."""
    cells = cells[~np.isnan(cells)]
    if not len(cells):
        return np.zeros(0)
    low, high = cells.min(), cells.max()
    with np.errstate(over="ignore", invalid="ignore"):
        width = (high - low) / N_BINS
        cuts = low + width * np.arange(1, N_BINS) if width > 0 else np.zeros(0)
    return np.where(np.isnan(cuts), np.inf, cuts)  # if low is −∞ Weka's are NaN; one bin takes all values either way
