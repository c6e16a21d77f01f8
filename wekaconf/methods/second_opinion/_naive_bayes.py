"""Naive Bayes as an opinion beside a tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Self

import numpy as np

from wekaconf.base.stored import stored
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.methods.second_opinion._side import Cells, Sum, Term, cells_of, columns_of, inputs
from wekaconf.tree import TreeMirror

N_INTERVALS = 10


@dataclass(frozen=True, eq=False)
class NaiveBayes(Sum):
    """Categorical naive Bayes with Laplace's correction: numbers fall into ten intervals of equally many instances.

    A missing value adds nothing.

    Parameters
    ----------
    log_prior : (n_classes,) float64
        The logarithm of each class's share; −∞ of a class without instances.
    n_ends : (n_attributes,) int32
        How many of ``ends`` are of each attribute.
    ends : (n_all_ends,) float64
        The largest number of each interval, ascending; an attribute's last interval has none.
    log_shares : (n_cells, n_classes) float64
        The logarithms of the shares of the instances of a class in each interval, or with each nominal value.
    """

    words = "naive Bayes"
    log_prior: Annotated[FloatArray, stored(np.float64, "n_classes", high=0, allows_inf=True)]
    n_ends: Annotated[Int32Array, stored(np.int32, "n_attributes", low=0, high=N_INTERVALS - 1)]
    ends: Annotated[FloatArray, stored(np.float64, "n_all_ends", allows_inf=True)]
    log_shares: Annotated[FloatArray, stored(np.float64, "n_cells", "n_classes", low=-1e3, high=0)]

    @classmethod
    def fit(cls, tree: TreeMirror, train: Dataset) -> Self:
        """See `Kind.fit`."""
        weights = train.weights / train.weights.mean()
        with np.errstate(divide="ignore"):
            log_prior = np.log(np.bincount(train.class_values, weights, train.n_classes) / weights.sum())
        n_attributes = len(train.attributes)
        ends = [np.zeros(0)] * n_attributes
        for column in inputs(train.header, "numeric", "date"):
            ends[column] = ends_of(train.values[:, column])
        n_ends = np.array([*map(len, ends)], dtype=np.int32)
        side = cls(tree, log_prior, n_ends, np.concatenate(ends), np.zeros((0, 0)))
        shares, by_column = [], columns_of(train)
        for column in inputs(train.header):
            n = side._n_cells(column)
            place = cells_of(by_column[column], side._ends(column), n) * np.int64(train.n_classes) + train.class_values
            count = np.bincount(place, weights, (n + 1) * train.n_classes).reshape(n + 1, -1)[:n]
            with np.errstate(divide="ignore"):  # of no value and no instance nothing is taken
                shares.append(np.log(count + 1) - np.log(count.sum(axis=0) + n))
        log_shares = np.concatenate([np.zeros((0, train.n_classes)), *shares])
        return cls(tree, log_prior, n_ends, np.concatenate(ends), log_shares)

    @property
    def start(self) -> FloatArray:
        """See `Sum.start`."""
        return self.log_prior

    def term(self, column: int) -> Term:
        """See `Sum.term`."""
        return Cells(self._ends(column), self._tables[column])

    @cached_property
    def _tables(self) -> dict[int, FloatArray]:
        """The logarithms of the shares of each attribute; the last row, of missing values, is zeros."""
        columns = inputs(self.header)
        after = np.cumsum([self._n_cells(column) for column in columns])
        parts = np.split(self.log_shares, after[:-1]) if columns else []
        missing = np.zeros((1, self.header.n_classes))
        return {column: np.concatenate((part, missing)) for column, part in zip(columns, parts, strict=True)}

    @cached_property
    def _ends_of(self) -> list[FloatArray]:
        return np.split(self.ends, np.cumsum(self.n_ends)[:-1])

    def _n_cells(self, column: int) -> int:
        attribute = self.header.attributes[column]
        return len(attribute.values) if attribute.is_nominal else int(self.n_ends[column]) + 1

    def _ends(self, column: int) -> FloatArray | None:
        return None if self.header.attributes[column].is_nominal else self._ends_of[column]

    def check(self) -> None:
        """See `OwnSide.check`."""
        numeric, columns = inputs(self.header, "numeric", "date"), inputs(self.header)
        if self.n_ends.sum() != len(self.ends) or self.n_ends[numeric].sum() != len(self.ends):
            raise ValueError("n_ends: expected the number of ends of each number, and 0 of others")
        if any((ends[1:] <= ends[:-1]).any() for ends in self._ends_of) or np.isnan(self.ends).any():
            raise ValueError("ends: expected them to ascend")
        if len(self.log_shares) != sum(map(self._n_cells, columns)):
            raise ValueError("log_shares: expected a row per interval and nominal value")
        if not np.isfinite(self.log_prior).any():
            raise ValueError("log_prior: expected a class that has instances")


def ends_of(values: FloatArray) -> FloatArray:
    """The ends of intervals that hold equally many of the known values; the last interval has none."""
    known = np.sort(values[~np.isnan(values)])
    if not len(known):
        return known
    ends = np.unique(known[np.arange(1, N_INTERVALS) * len(known) // N_INTERVALS])
    return ends[ends < known[-1]]
