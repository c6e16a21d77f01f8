"""Opinions beside a tree's: small models of other kinds that tell how probable the class is that the tree predicts."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from combining.forms import Floats
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack
from scipy.spatial.distance import cdist
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB

import wekaconf as wc
from wekaconf.methods.contract.answer import Reply

N_INTERVALS = 10
N_NEAREST = 9
MOST_KEPT = 20_000
"""Training instances among which neighbours are looked for; of more, so many are drawn."""
MOST_DISTANCES = 4_000_000
"""Distances that are held at a time."""
FURTHEST = 10.0
"""In standard deviations: what lies further out tells no more."""
LARGEST_NUMBER = 1e150
"""Larger numbers count as this one, so that their squares are finite."""
TIE = 1e-12
"""Distances whose difference is a smaller share of them count as equal."""
Indices = NDArray[np.int64]


class NaiveBayes(wc.PostProcessor, is_registered=False):
    """Categorical naive Bayes with Laplace's correction: numbers fall into ten intervals of equally many instances.

    A missing value adds nothing. The tree is not read.
    """

    name = "naive Bayes"

    def _fit(self, tree: wc.TreeMirror, train: wc.Dataset) -> None:
        del tree
        weights, classes = train.weights / train.weights.mean(), np.arange(train.n_classes)
        with np.errstate(divide="ignore"):
            self.log_prior = np.log(np.bincount(train.class_values, weights, train.n_classes) / weights.sum())
        self.ends = {column: _ends(train.values[:, column]) for column in _columns(train, "numeric", "date")}
        self.log_shares: dict[int, Floats] = {}
        for column, cells, n_cells in self._cells(train):
            known = cells >= 0
            if known.any():
                model = CategoricalNB(min_categories=n_cells)
                with np.errstate(divide="ignore"):
                    model.partial_fit(cells[known, None], train.class_values[known], classes, weights[known])
                self.log_shares[column] = model.feature_log_prob_[0].T

    def _answer(self, data: wc.Dataset) -> Reply:
        total = np.tile(self.log_prior, (len(data), 1))
        for column, cells, _ in self._cells(data):
            if column in self.log_shares:
                total[cells >= 0] += self.log_shares[column][cells[cells >= 0]]
        likely = np.exp(total - total.max(axis=1, keepdims=True))
        return Reply(likely / likely.sum(axis=1, keepdims=True))

    def _cells(self, data: wc.Dataset) -> list[tuple[int, Indices, int]]:
        """Every attribute: its column, the cell of each instance, −1 where it is missing, and the number of cells."""
        found = []
        for column in _columns(data, "numeric", "date", "nominal"):
            values, ends = data.values[:, column], self.ends.get(column)
            cells = values if ends is None else np.searchsorted(ends, values)
            n_cells = len(data.attributes[column].values) if ends is None else len(ends) + 1
            found.append((column, np.where(np.isnan(values), -1, cells).astype(np.int64), n_cells))
        return found


class Logistic(wc.PostProcessor, is_registered=False):
    """Logistic regression with an L2 penalty of 1 on scaled numbers, nominal values, and missing ones as a value.

    The tree is not read.
    """

    name = "logistic regression"

    def _fit(self, tree: wc.TreeMirror, train: wc.Dataset) -> None:
        del tree
        self.scale = Scale(train)
        self.model = None
        self.present = np.unique(train.class_values)
        if len(self.present) > 1:
            self.model = LogisticRegression(solver="newton-cg", tol=1e-6, max_iter=1000)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that it has not converged
                self.model.fit(self._design(train), train.class_values, train.weights / train.weights.mean())

    def _answer(self, data: wc.Dataset) -> Reply:
        proba = np.zeros((len(data), data.n_classes))
        proba[:, self.present] = 1.0 if self.model is None else self.model.predict_proba(self._design(data))
        return Reply(proba)

    def _design(self, data: wc.Dataset) -> Any:
        """(n_instances, n_columns) sparse: scaled numbers, 1 in the cell of each nominal value, a column of zeros."""
        cells, n_cells = nominal_cells(data)
        rows = np.repeat(np.arange(len(data)), cells.shape[1])
        ones = csr_array((np.ones(cells.size), (rows, cells.ravel())), shape=(len(data), n_cells))
        return hstack([csr_array(self.scale(data)), ones, csr_array((len(data), 1))], format="csr")


class Neighbours(wc.PostProcessor, is_registered=False):
    """The share of each class among the nine nearest training instances and those that are as near.

    Euclidean distance on scaled numbers; nominal values that differ, and one that is missing beside one that is not,
    add 1 to its square. The tree is not read.
    """

    name = "nearest neighbours"

    def _fit(self, tree: wc.TreeMirror, train: wc.Dataset) -> None:
        del tree
        self.scale = Scale(train)
        rows = np.arange(len(train))
        if len(train) > MOST_KEPT:
            rows = np.sort(np.random.default_rng(1).choice(len(train), MOST_KEPT, replace=False))
        self.kept = train.take(rows)
        self.votes = np.eye(train.n_classes)[self.kept.class_values] * self.kept.weights[:, None]

    def _answer(self, data: wc.Dataset) -> Reply:
        known, known_cells = self.scale(self.kept), nominal_cells(self.kept)[0].T
        votes, step = [np.zeros((0, data.n_classes))], max(MOST_DISTANCES // len(self.kept), 1)
        for first in range(0, len(data), step):
            part = data.take(slice(first, first + step))
            squared = cdist(self.scale(part), known, "sqeuclidean") if known.shape[1] else np.zeros((len(part), 1))
            for asked, others in zip(nominal_cells(part)[0].T, known_cells, strict=True):
                squared = squared + (asked[:, None] != others)
            squared = np.broadcast_to(squared, (len(part), len(self.kept)))
            last = min(N_NEAREST, len(self.kept)) - 1
            furthest = np.partition(squared, last, axis=1)[:, last, None]
            votes.append((squared <= furthest * (1 + TIE)) @ self.votes)
        proba = np.concatenate(votes)
        return Reply(proba / proba.sum(axis=1, keepdims=True))


class Scale:
    """Numbers less their mean, in standard deviations of the training instances, at most ten; 0 where missing."""

    def __init__(self, train: wc.Dataset) -> None:
        self.columns = _columns(train, "numeric", "date")
        self.center, self.spread = np.zeros(len(self.columns)), np.ones(len(self.columns))
        for place, column in enumerate(self.columns):
            is_known = np.isfinite(train.values[:, column])
            if not is_known.any():
                continue
            known = np.clip(train.values[is_known, column], -LARGEST_NUMBER, LARGEST_NUMBER)
            weights = train.weights[is_known] / train.weights[is_known].sum()
            self.center[place] = weights @ known
            deviation = np.sqrt(weights @ (known - self.center[place]) ** 2)
            if deviation > 1e-9 * np.abs(known).max():  # else it is rounding
                self.spread[place] = deviation

    def __call__(self, data: wc.Dataset) -> Floats:
        """(n_instances, n_numeric) float64."""
        with np.errstate(over="ignore"):
            deviations = (data.values[:, self.columns] - self.center) / self.spread
        return np.nan_to_num(np.clip(deviations, -FURTHEST, FURTHEST), nan=0.0)


def nominal_cells(data: wc.Dataset) -> tuple[Indices, int]:
    """(n_instances, n_nominal) int64: a number per attribute and value, and one per attribute for a missing value.

    Beside it how many there are.
    """
    columns = _columns(data, "nominal")
    sizes = data.header.n_values[columns] + 1
    starts = np.append(0, np.cumsum(sizes)).astype(np.int64)
    values = data.values[:, columns]
    return starts[:-1] + np.where(np.isnan(values), sizes - 1, values).astype(np.int64), int(starts[-1])


def _columns(data: wc.Dataset, *kinds: str) -> list[int]:
    """The inputs of these kinds."""
    return [i for i, one in enumerate(data.attributes) if one.kind in kinds and i != data.class_index]


def _ends(values: Floats) -> Floats:
    """The ends of intervals that hold equally many of the known values; the last interval has none."""
    known = np.sort(values[~np.isnan(values)])
    ends = np.unique(known[np.arange(1, N_INTERVALS) * len(known) // N_INTERVALS]) if len(known) else known
    return ends[ends < known[-1]] if len(known) else ends
