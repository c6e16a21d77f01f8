"""What the sides say of training rows, learned without them, beside trees that the learner grows again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import NamedTuple

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.rounding import most_probable
from wekaconf.base.words import Owner
from wekaconf.data import Dataset, fold_numbers
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.methods.second_opinion._pool import fitted, logarithms
from wekaconf.methods.second_opinion._side import Side
from wekaconf.tree import Forest, Learner, TreeMirror, is_grown_on, own_answers, with_trees

FEWEST_ROWS, FEWEST_WRONG = 30, 5
"""With fewer rows, or fewer wrong answers of the tree out of fold, there is nothing to learn."""
ROUNDING = 1e-9
"""The relative difference that numbers of the tree that is grown again may have."""


class OutOfFold(NamedTuple):
    """What sides say of rows that they have not learned from.

    Parameters
    ----------
    logs : (n_sides, n, n_classes) float64
        See `logarithms`.
    of_tree : (n,) int64
        The class that the tree that grew without the row predicts.
    actual : (n,) int64
        The class of the row.
    weights : (n,) float64
        Instance weights.
    """

    logs: FloatArray
    of_tree: Int64Array
    actual: Int64Array
    weights: FloatArray

    @classmethod
    def of(
        cls, train: Dataset, learner: Learner[TreeMirror], sides: Sequence[Side], *, n_folds: int, seed: int
    ) -> OutOfFold:
        """Grow a tree without each fold in turn, let sides like these learn beside it, and ask them about its rows."""
        fold = fold_numbers(train, n_folds, np.random.default_rng((seed, 0)))
        rows = [np.flatnonzero(fold == one) for one in np.unique(fold)]
        if len(rows) < 2:  # nothing to grow on
            nobody = np.zeros(0, dtype=np.int64)
            return cls(np.zeros((len(sides), 0, train.n_classes)), nobody, nobody, np.zeros(0))
        sets = ((train.take(fold != fold[held_out[0]]), train.take(held_out)) for held_out in rows)
        parts = []
        grown = with_trees(sets, lambda pair: pair[0], learner.grow_without_notes, learner.ahead())
        for (growing, asked), tree in grown:
            logs = np.stack([logarithms(side.fit_again(tree, growing).proba(asked)) for side in sides])
            parts.append((logs, most_probable(own_answers(tree, asked)), asked.class_values, asked.weights))
        each_logs, *others = zip(*parts, strict=True)
        return cls(np.concatenate(each_logs, axis=1), *map(np.concatenate, others))

    def fitted_weights(self, penalty: float) -> FloatArray:
        """(n_sides,) float64: the weights of the sides, drawn towards equal ones of sum 1; see `fitted`.

        So that a file of forty rows has a second opinion, too.
        """
        share, n_sides = self.weights / self.weights.sum(), len(self.logs)
        return fitted(self.logs, self.actual, share * len(share), penalty, np.full(n_sides, 1 / n_sides))

    @property
    def is_poor(self) -> bool:
        """Whether there is too little to learn weights from."""
        return len(self.actual) < FEWEST_ROWS or int((self.of_tree != self.actual).sum()) < FEWEST_WRONG


def learner_that_grows_again(name: str, tree: TreeMirror, train: Dataset) -> Learner[TreeMirror]:
    """The learner of a tree; OptionError, for the method ``name``, unless it grows the tree on its data again."""
    if not len(train):
        raise OptionError(
            Owner(name),
            f" grows trees on its training data, but no instance of '{train.relation}' has a class and a positive "
            "weight; give at least one",
        )
    remedy = "; give a tree that wekaconf.grow gives for the training data, or a method that grows none"
    known = Learner.registry.get(tree.learner)
    if known is None:
        raise OptionError(Owner(name), f" grows trees as this one, but '{tree.learner}' is no learner here", remedy)
    learner = known.of_options(tree.options)
    if not (is_grown_on(tree, train) or _is_same(tree, learner.grow_without_notes(train))):
        raise OptionError(
            Owner(name),
            f" grows trees as this one, but {tree.learner} grows another on these {len(train)} instances",
            remedy,
        )
    return learner


def _is_same(tree: TreeMirror, other: TreeMirror | Forest) -> bool:
    """Whether two trees have equal arrays, but for rounding."""
    if not isinstance(other, TreeMirror) or other.n_nodes != tree.n_nodes:
        return False
    pairs = ((getattr(tree, field.name), getattr(other, field.name)) for field in fields(tree))
    return all(
        np.allclose(a, b, rtol=ROUNDING, atol=0, equal_nan=True) if a.dtype.kind == "f" else np.array_equal(a, b)
        for a, b in pairs
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
    )
