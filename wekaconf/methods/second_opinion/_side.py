"""The contract of sides: each gives a distribution for a row, and is kept as arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.stored import check_stored, declared, parts_of
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.methods.contract import ReadArrays, Step, sizes_of
from wekaconf.methods.second_opinion._pool import softmax
from wekaconf.methods.second_opinion._terms import Term
from wekaconf.tree import TreeMirror


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
        return {name: getattr(self, name) for name in declared(type(self))}

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


def inputs(header: Header, *kinds: str) -> list[int]:
    """The columns that sums and distances read: numbers, dates and nominal values, or those of some kinds."""
    kinds = kinds or ("numeric", "date", "nominal")
    return [i for i, one in enumerate(header.attributes) if one.kind in kinds and i != header.class_index]


def columns_of(data: Dataset) -> FloatArray:
    """(n_attributes, n_instances) float64: the values, those of an attribute beside one another."""
    return np.ascontiguousarray(data.values.T)
