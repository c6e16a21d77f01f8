"""The base of methods that grow new trees for every instance that they answer for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.parameters import learned
from wekaconf.base.stored import LARGEST_WEIGHT, SMALLEST, stored
from wekaconf.base.words import Owner, Term, UseLearner
from wekaconf.data import Dataset, flags_of
from wekaconf.data.arrays import FloatArray, Int32Array, Int64Array
from wekaconf.learners import learner_class
from wekaconf.learners.info_gain import InfoGain, LearningSet, Rules
from wekaconf.methods.contract import LeavesOneOut, Step
from wekaconf.tree import Forest, TreeMirror, mean_answers
from wekaconf.tree.threads import Progress

INDUCER = InfoGain.name
"""The learner that can withhold an instance's values."""
LARGEST_COUNTS = 20_000_000
"""Number of class counts that are held at a time."""
CELLS_A_SECOND = 2_000_000
"""Number of training cells times classes for which growing paths takes about a second."""


class Transductive(LeavesOneOut, is_registered=False):
    """A method that adds the test instance to its training data, which it keeps."""

    tree_: TreeMirror = learned()
    values_: Annotated[FloatArray, stored(np.float64, "n_kept", "n_attributes", allows_nan=True, allows_inf=True)] = (
        learned()
    )
    weights_: Annotated[FloatArray, stored(np.float64, "n_kept", low=SMALLEST, high=LARGEST_WEIGHT)] = learned()
    sparse_rows_: Annotated[Int32Array, stored(np.int32, "n_sparse", low=0, below="n_kept", is_optional=True)] = (
        learned()
    )

    @property
    def learner(self) -> tuple[str, str]:
        """The learner whose trees the method reads, with its usual options."""
        return INDUCER, ""

    def _check_tree(self, tree: TreeMirror | Forest) -> None:
        super()._check_tree(tree)
        assert isinstance(tree, TreeMirror)
        learner = learner_class(self.learner[0])
        is_read = tree.learner in (learner.name, *learner.aliases)
        if not is_read or (tree.learner == INDUCER and not tree.routing.adds_counts):
            got, remedy = Owner(tree.learner), (UseLearner(learner.name, is_read=True), *self._remedy(tree.learner))
            raise OptionError(
                Owner(self.name), " reads trees of ", Owner(learner.name), ", got one of ", got, "; ", *remedy
            )
        if tree.learner == INDUCER:
            tree_rules(tree)

    def _keep(self, train: Dataset) -> None:
        """Keep the training data; OptionError when there are none."""
        if not len(train):
            raise OptionError(
                Owner(self.name),
                f" grows trees on its training data, but no instance of '{train.relation}' has a class and a positive "
                "weight; give at least one",
            )
        self.values_, self.weights_ = train.values.copy(), train.weights.copy()
        self.sparse_rows_ = train.sparse_rows
        self._learning_set = LearningSet.of(train)

    def _remedy(self, learner: str) -> tuple[str | Term, ...]:
        """Advice on what else to do with a tree of another learner, for an error message."""
        del learner
        return ()

    def _complete(self) -> None:
        train = self._training_data
        if not len(train) or not (train.class_values >= 0).all():
            raise ValueError("values_: expected at least one instance, and a class of each")

    @cached_property
    def _learning_set(self) -> LearningSet:
        return LearningSet.of(self._training_data)

    @property
    def _training_data(self) -> Dataset:
        self.check_fitted()
        is_sparse = flags_of(self.sparse_rows_, len(self.values_))
        return Dataset(self.tree_.header, self.values_, self.weights_, is_sparse)

    @property
    def n_kept(self) -> int:
        """Number of training instances that the method and its model file keep: all with a class and a weight."""
        self.check_fitted()
        return len(self.values_)

    def left_out_at_a_time(self, train: Dataset) -> int:
        """Number of rows that take about a second if the inducer answers instance by instance; else all."""
        learning = LearningSet.of(train)
        if not learning.hindrance:
            return max(len(learning), 1)
        return max(CELLS_A_SECOND // max(learning.columns.size * len(learning.present), 1), 1)

    def _plain_proba(self, counts: FloatArray) -> FloatArray:
        """The distributions of the plain tree for these class counts."""
        if self.tree_.routing.is_laplace:
            return laplace(counts, np.arange(counts.shape[1]))
        return normalise_counts(counts)

    def _instance_progress(self, rows: NDArray[np.intp], total: int) -> Progress:
        """Turn progress over the queries for ``rows`` into progress over instances."""
        return lambda done, n_queries: self.on_progress(int(rows[0]) + len(rows) * done // n_queries, total)

    def _check_remaining(self, learning: LearningSet) -> None:
        """Raise OptionError if no instance would remain to learn from when one is left out."""
        if len(learning) < 2:
            raise OptionError("the only training instance cannot be left out; give 2 or more", of=self.name)


def tree_rules(tree: TreeMirror) -> Rules:
    """The rules that a tree of the inducer was grown by."""
    return InfoGain.of_options(tree.options).rules


def leaf_counts(tree: TreeMirror, data: Dataset) -> FloatArray:
    """(n_instances, n_classes) float64: class counts of the leaf of each instance, summed over its parts."""
    return mean_answers(tree, data, tree.class_weight)


def laplace(counts: FloatArray, labels: Int64Array, alpha: float = 1.0) -> FloatArray:
    """(n, n_labels) float64: (count + α) / (sum + α · n_labels) of the labels."""
    counts = counts[:, labels]
    return np.asarray((counts + alpha) / (counts.sum(axis=1, keepdims=True) + alpha * len(labels)))


def laplace_step(words: str, counts: FloatArray, labels: Int64Array, alpha: float) -> Step:
    """`laplace` of (n_classes,) class counts, as a step over all classes; the others have 0."""
    wide = widen_to_classes(laplace(counts[None], labels, alpha), labels, len(counts))[0]
    weights, add = np.zeros(len(counts)), np.zeros(len(counts))
    weights[labels], add[labels] = counts[labels], alpha
    total = float(counts[None][:, labels].sum(axis=1)[0] + alpha * len(labels))
    values = {"weights": weights.tolist(), "add": add.tolist(), "total": total}
    return Step("frequency", words, tuple(wide.tolist()), "leaf", values=values)


def normalise_counts(counts: FloatArray) -> FloatArray:
    """(n, n_classes) float64: shares of the counts."""
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def widen_to_classes(proba: FloatArray, labels: Int64Array, n_classes: int) -> FloatArray:
    """(n, n_classes) float64: ``proba`` at the labels, 0 for the other classes."""
    wide = np.zeros((len(proba), n_classes))
    wide[:, labels] = proba
    return wide


def batches(n: int, cells: int) -> Iterator[NDArray[np.intp]]:
    """Rows 0 … n − 1 in batches that fit in memory at ``cells`` numbers per row."""
    size = max(LARGEST_COUNTS // max(cells, 1), 1)
    return (np.arange(begin, min(begin + size, n)) for begin in range(0, n, size))
