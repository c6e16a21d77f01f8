"""The contract of sides: each gives a distribution for a row, and is kept as arrays; and how sides read values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.stored import arrays_of, check_stored, parts_of
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.methods.contract import ReadArrays, Step, sizes_of
from wekaconf.methods.second_opinion._pool import softmax
from wekaconf.tree import TreeMirror

FURTHEST = 10.0
"""In standard deviations: what lies further out tells no more."""
LARGEST_NUMBER = 1e150
"""Larger numbers count as this one, so that their squares are finite."""
ROUNDING = 1e-9
"""A standard deviation that is a smaller share of the largest number is rounding."""


class Kind(Protocol):
    """A kind of side, such as a class of them."""

    def fit(self, tree: TreeMirror, train: Dataset) -> Side:
        """Learn from a tree and its training instances, which all have a class and a positive weight."""
        ...

    def read_learned(self, tree: TreeMirror, read: ReadArrays) -> dict[str, NDArray[Any]]:
        """See `Method.read_learned`."""
        ...

    def restore(self, tree: TreeMirror, learned: dict[str, NDArray[Any]]) -> Side:
        """The side that `Side.learned` was taken from; ValueError where arrays contradict one another or the tree."""
        ...


@dataclass(frozen=True, eq=False)
class Side(ABC):
    """A model beside others in the pool.

    Parameters
    ----------
    tree : TreeMirror
        The tree that it stands beside; its header is that of the rows.
    """

    tree: TreeMirror

    @property
    @abstractmethod
    def words(self) -> str:
        """What sentences call it."""

    @abstractmethod
    def fit_again(self, tree: TreeMirror, train: Dataset) -> Self:
        """The same kind of side, learned from other instances alone; what this one has learned may save steps."""

    @abstractmethod
    def proba(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: distributions, each as if its instance were alone."""

    @abstractmethod
    def learned(self) -> dict[str, NDArray[Any]]:
        """The arrays that it has learned, for the model file."""

    @property
    def n_kept(self) -> int:
        """Number of training instances that it keeps."""
        return 0

    def step(self, one: Dataset, proba: FloatArray) -> Step:
        """The step that gives the distribution of one instance, which is known."""
        del one
        return Step.given(self.words, proba, kind="side")

    @property
    def header(self) -> Header:
        """The header of the rows."""
        return self.tree.header


class OwnSide(Side):
    """A side of this method; a subclass declares the arrays that it learns, as methods do, and is a `Kind`."""

    @classmethod
    @abstractmethod
    def fit(cls, tree: TreeMirror, train: Dataset) -> Self:
        """See `Kind.fit`."""

    def fit_again(self, tree: TreeMirror, train: Dataset) -> Self:
        """See `Side.fit_again`."""
        return type(self).fit(tree, train)

    def learned(self) -> dict[str, NDArray[Any]]:
        """See `Side.learned`."""
        return arrays_of(self)

    @classmethod
    def read_learned(cls, tree: TreeMirror, read: ReadArrays) -> dict[str, NDArray[Any]]:
        """See `Kind.read_learned`."""
        return read("", cls, sizes_of(tree))

    @classmethod
    def restore(cls, tree: TreeMirror, learned: dict[str, NDArray[Any]]) -> Self:
        """See `Kind.restore`."""
        check_stored(cls, learned, sizes_of(tree))
        side = cls(tree, **parts_of(cls, learned))
        side.check()
        return side

    def check(self) -> None:
        """Raise ValueError where arrays from a file contradict one another or the tree."""
        return


class Sum(OwnSide):
    """A side whose log-odds of two classes are a sum: a part per attribute, and one that no attribute changes."""

    @property
    @abstractmethod
    def start(self) -> FloatArray:
        """(n_classes,) float64: what no attribute changes; −∞ for a class that it knows nothing of."""

    @abstractmethod
    def term(self, column: int) -> Term:
        """What the values of an attribute add to each class."""

    def part(self, column: int, values: FloatArray) -> FloatArray:
        """(n, n_classes) float64: what these values of an attribute, NaN where they are missing, add to each class."""
        return self.term(column)(values)

    def proba(self, data: Dataset) -> FloatArray:
        """See `Side.proba`."""
        total, by_column = np.tile(self.start, (len(data), 1)), columns_of(data)
        for column in inputs(self.header):
            total += self.part(column, by_column[column])
        return softmax(total)

    def log_odds(self, values: FloatArray, above: Int64Array, below: Int64Array) -> FloatArray:
        """(n, n_inputs) float64: what each attribute adds to the log-odds of one class against another.

        Parameters
        ----------
        values : (n, n_attributes) float64
        above, below : (n,) int64
            The two classes of each row.
        """
        rows, columns = np.arange(len(values)), inputs(self.header)
        found = np.empty((len(values), len(columns)))
        for place, column in enumerate(columns):
            part = self.part(column, values[:, column])
            found[:, place] = part[rows, above] - part[rows, below]
        return found


class Cells(NamedTuple):
    """A row for each nominal value or interval of numbers.

    Parameters
    ----------
    ends : (n_ends,) float64 or None
        The largest number of each interval, ascending; the last interval has none. None: the values are nominal.
    adds : (n_cells + 1, n_classes) float64
        The last row is that of a missing value.
    """

    ends: FloatArray | None
    adds: FloatArray

    def __call__(self, values: FloatArray) -> FloatArray:
        """(n, n_classes) float64: what values, NaN where they are missing, add to each class."""
        return np.asarray(self.adds[self.cells(values)])

    def cells(self, values: FloatArray) -> Int64Array:
        """(n,) int64: the row of each value."""
        return cells_of(values, self.ends, len(self.adds) - 1)


class Line(NamedTuple):
    """The number itself, in standard deviations from its mean, times a number per class; see `deviations`.

    Parameters
    ----------
    center, spread : float
    slope : (n_classes,) float64
    """

    center: float
    spread: float
    slope: FloatArray

    def __call__(self, values: FloatArray) -> FloatArray:
        """(n, n_classes) float64: what values, NaN where they are missing, add to each class."""
        return np.asarray(deviations(values, self.center, self.spread)[:, None] * self.slope)


Term = Cells | Line


class Scale(NamedTuple):
    """Numbers less their mean, in standard deviations of the training instances, at most ten; 0 where missing.

    Parameters
    ----------
    center, spread : (n_attributes,) float64
        0 and 1 of what is no number.
    """

    center: FloatArray
    spread: FloatArray

    @classmethod
    def of(cls, train: Dataset) -> Self:
        """Mean and standard deviation of the known numbers, by the weights of the instances."""
        center, spread = np.zeros(len(train.attributes)), np.ones(len(train.attributes))
        for column in inputs(train.header, "numeric", "date"):
            is_known = np.isfinite(train.values[:, column])
            if not is_known.any():
                continue
            known = np.clip(train.values[is_known, column], -LARGEST_NUMBER, LARGEST_NUMBER)
            weights = train.weights[is_known] / train.weights[is_known].sum()
            center[column] = weights @ known
            deviation = np.sqrt(weights @ (known - center[column]) ** 2)
            if deviation > ROUNDING * np.abs(known).max():
                spread[column] = deviation
        return cls(center, spread)

    def __call__(self, column: int, values: FloatArray) -> FloatArray:
        """(n,) float64 in [-10, 10]: the numbers of an attribute, scaled."""
        return deviations(values, float(self.center[column]), float(self.spread[column]))


def inputs(header: Header, *kinds: str) -> list[int]:
    """The columns that sums and distances read: numbers, dates and nominal values, or those of some kinds."""
    kinds = kinds or ("numeric", "date", "nominal")
    return [i for i, one in enumerate(header.attributes) if one.kind in kinds and i != header.class_index]


def columns_of(data: Dataset) -> FloatArray:
    """(n_attributes, n_instances) float64: the values, those of an attribute beside one another."""
    return np.ascontiguousarray(data.values.T)


def cells_of(values: FloatArray, ends: FloatArray | None, n_cells: int) -> Int64Array:
    """(n,) int64: the interval or nominal value of each, and ``n_cells`` where it is missing."""
    if ends is None:
        return np.where(np.isnan(values), n_cells, values).astype(np.int64)
    cells = np.searchsorted(ends, values)
    cells[np.isnan(values)] = n_cells
    return cells


def nominal_cells(header: Header, column: int, values: FloatArray) -> Int64Array:
    """(n,) int64: the index of each nominal value, and the number of declared values where it is missing."""
    return cells_of(values, None, len(header.attributes[column].values))


def deviations(values: FloatArray, center: float, spread: float) -> FloatArray:
    """(n,) float64 in [-10, 10]: numbers less their mean, in standard deviations; 0 where they are missing."""
    with np.errstate(over="ignore"):
        found = (values - center) / spread
    found = np.clip(found, -FURTHEST, FURTHEST)
    found[np.isnan(found)] = 0.0
    return np.asarray(found)
