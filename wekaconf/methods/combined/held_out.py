"""The sides of training rows, from trees that grew without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.dataset import Dataset
from wekaconf.data.folds import fold_numbers
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.tree.forest import own_answers
from wekaconf.tree.learner import Learner
from wekaconf.tree.mirror import TreeMirror
from wekaconf.tree.trees_ahead import with_trees


class HeldOut(NamedTuple):
    """Sides out of fold, repetition after repetition.

    Parameters
    ----------
    sides : (n, n_sides) float64
    predicted, actual : (n,) int64
        The class that the tree that grew without the row predicts, and that of the row.
    weights : (n,) float64
        Instance weights.
    """

    sides: FloatArray
    predicted: Int64Array
    actual: Int64Array
    weights: FloatArray

    @property
    def right(self) -> NDArray[np.bool_]:
        """(n,) bool: whether the tree predicts the class of the row."""
        return np.asarray(self.predicted == self.actual)

    @classmethod
    def of(
        cls,
        train: Dataset,
        learner: Learner[TreeMirror],
        methods: Sequence[PostProcessor],
        *,
        n_folds: int,
        repetitions: int,
        seed: int,
    ) -> HeldOut:
        """Grow a tree without each fold in turn, and ask the methods about its rows."""
        parts = []
        for repetition in range(repetitions):
            fold = fold_numbers(train, n_folds, np.random.default_rng((seed, repetition)))
            rows = [np.flatnonzero(fold == one) for one in np.unique(fold)]
            if len(rows) < 2:  # nothing to grow on
                no_class = np.zeros(0, dtype=np.int64)
                return cls(np.zeros((0, len(methods))), no_class, no_class, np.zeros(0))
            sets = ((train.take(fold != fold[held_out[0]]), train.take(held_out)) for held_out in rows)
            for (growing, asked), tree in with_trees(
                sets, lambda pair: pair[0], learner.grow_without_notes, learner.ahead()
            ):
                assert tree is not None
                fresh = [method.unfitted().fit(tree, growing) for method in methods]
                predicted = most_probable(own_answers(tree, asked))
                parts.append((sides_of(fresh, asked, predicted), predicted, asked.class_values, asked.weights))
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


def sides_of(methods: Sequence[PostProcessor], data: Dataset, predicted: Int64Array) -> FloatArray:
    """(n_instances, n_sides) float64: what fitted methods say of the class that the tree predicts.

    The probability of that class, or the certainty of a method that has one of another kind.
    """
    sides, rows = np.empty((len(data), len(methods))), np.arange(len(data))
    for column, method in enumerate(methods):
        answer = method.answer(data)
        is_share = method.certainty_range.is_probability
        sides[:, column] = answer.proba[rows, predicted] if is_share else answer.certainty
    return sides
