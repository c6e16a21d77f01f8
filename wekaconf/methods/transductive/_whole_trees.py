"""Trees grown in full on the training data and test instances, each under an assumed class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.data import Dataset
from wekaconf.data.arrays import Int64Array
from wekaconf.learners.info_gain import LearningSet, Rules
from wekaconf.tree import Learner, TreeMirror

TREES_AT_A_TIME = 256
"""Number of trees of another learner that are grown in one call."""


class AssumedTree(NamedTuple):
    """A whole tree, the test instances it answers for, and the class that each had when it was grown."""

    rows: NDArray[np.intp]
    label: Int64Array
    tree: TreeMirror


def join_assumed(train: Dataset, test: Dataset, label: Int64Array) -> Dataset:
    """The training data followed by the test instances, each with its assumed class and weight 1."""
    return train.join(test.with_class_values(label))


@dataclass(frozen=True, eq=False)
class WholeTrees:
    """The trees that grow when instances join the training data under assumed classes.

    Parameters
    ----------
    plain : TreeMirror
        The tree of the training data alone; the others have its options.
    train : Dataset
    labels : (n_labels,) int64
        The classes that an instance may have.
    grower : Rules or Learner
        The rules of the inducer, or another learner.
    on_progress : callable
        Called with the number of instances answered so far and in total; in a batch with numbers of trees.
    """

    plain: TreeMirror
    train: Dataset
    labels: Int64Array
    grower: Rules | Learner[Any]
    on_progress: Callable[[int, int], None]

    def of_each(self, data: Dataset) -> Iterator[AssumedTree]:
        """One tree per instance and label, instance by instance."""
        n_at_a_time = max(TREES_AT_A_TIME // len(self.labels), 1)
        for begin in range(0, len(data), n_at_a_time):
            rows = np.arange(begin, min(begin + n_at_a_time, len(data)))
            for i, trees in enumerate(self._test_trees(data.take(rows))):
                for j, tree in enumerate(trees):
                    yield AssumedTree(rows[i : i + 1], self.labels[j : j + 1], tree)
            self.on_progress(int(rows[-1]) + 1, len(data))

    def of_batch(self, data: Dataset, seed: int) -> Iterator[AssumedTree]:
        """One tree of the inducer per label, each for all instances, which have another random label in every tree."""
        order = np.random.default_rng(seed).permuted(np.tile(self.labels, (len(data), 1)), axis=1)
        for i, label in enumerate(order.T, 1):
            yield AssumedTree(np.arange(len(data)), label, self._tree(data, label))
            self.on_progress(i, len(self.labels))

    def _test_trees(self, test: Dataset) -> Sequence[Sequence[TreeMirror]]:
        if isinstance(self.grower, Rules):
            return [[self._tree(test.take([i]), label[None]) for label in self.labels] for i in range(len(test))]
        return self.grower.grow_labelled(self.train, test, self.labels.tolist())

    def _tree(self, test: Dataset, label: Int64Array) -> TreeMirror:
        assert isinstance(self.grower, Rules)
        learning = LearningSet.of(join_assumed(self.train, test, label))
        is_other = np.arange(len(learning)) < len(learning) - len(test)
        return learning.grow(self.grower, is_other, options=self.plain.options, laplace=self.plain.routing.is_laplace)
