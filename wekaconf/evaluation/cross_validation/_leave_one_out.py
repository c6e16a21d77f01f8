"""Leave-one-out, with a shortcut for methods that can leave an instance out by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeGuard, overload

import numpy as np
from numpy.typing import NDArray

from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.cross_validation._fold_answers import Fold, FoldAnswers, reporting_progress
from wekaconf.evaluation.thresholds import Split
from wekaconf.methods.contract import LeavesOneOut, Method
from wekaconf.tree import Forest, TreeMirror

CHUNK = 4096
"""The largest number of instances that a method leaves out in one call."""


class LeaveOneOut(Sequence[Split]):
    """One split per instance of a data set: split i tests instance i and trains on all others.

    Parameters
    ----------
    n_instances : int
    folds : callable
        Makes ``n_instances`` splits of one test row each, in any order. It is called when a split is first needed; a
        method that takes the shortcut needs none.
    seed : int
        Seed of the order of the training rows.
    """

    def __init__(self, n_instances: int, folds: Callable[[], Sequence[Split]], *, seed: int) -> None:
        self._n_instances = n_instances
        self._folds = folds
        self.seed = seed

    @cached_property
    def _splits(self) -> list[Split]:
        splits = self._folds()
        tested = np.concatenate([test for _, test in splits])
        if len(splits) != len(tested) or not np.array_equal(np.sort(tested), np.arange(self._n_instances)):
            raise ValueError(f"expected folds that test each of the {self._n_instances} instances alone")
        return [splits[fold] for fold in np.argsort(tested).tolist()]

    def __len__(self) -> int:
        """Number of instances."""
        return self._n_instances

    @overload
    def __getitem__(self, index: int) -> Split: ...
    @overload
    def __getitem__(self, index: slice) -> list[Split]: ...
    def __getitem__(self, index: int | slice) -> Split | list[Split]:
        """The split that tests an instance; the first call makes all splits. Cost: O(n²) memory."""
        return self._splits[index]


def find_training_rows(
    class_values: Int64Array, weights: FloatArray, is_foreign: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(n,) bool: the instances that train a tree, so that a method can leave them out: of a known class, and weight."""
    return ~is_foreign & (class_values >= 0) & (weights > 0)


def folds_left_out(run: int, is_training: NDArray[np.bool_], size: int) -> Iterator[Fold]:
    """The folds of a method that leaves out by itself: training instances, so many at a time, and then all others.

    Parameters
    ----------
    run : int
    is_training : (n,) bool
    size : int
        At most `CHUNK` are taken.
    """
    rows, others = np.flatnonzero(is_training), np.flatnonzero(~is_training)
    size = min(CHUNK, size)
    for begin in range(0, len(rows), size):
        yield Fold(run, "left out", begin, rows, rows[begin : begin + size])
    if len(others):
        yield Fold(run, "others", 0, rows, others)


def answers_left_out(
    data: Dataset, train: Dataset, tree: TreeMirror | Forest, method: LeavesOneOut, folds: Sequence[Fold],
    on_progress: Callable[[int], None],
) -> Iterator[tuple[Fold, FoldAnswers]]:  # fmt: skip
    """The answers of a method that leaves out by itself; it is fitted once, on all training instances.

    ``on_progress`` is called with the number of answers to a fold that is not finished.
    """
    method.fit(tree, train)
    for fold in folds:
        test = data.take(fold.test)
        with reporting_progress(method, len(test), 0, on_progress):
            if fold.kind == "others":
                answers = FoldAnswers.of(method, test, tree.predict_proba(test), None)
            else:
                answers = FoldAnswers.left_out(method, test, np.arange(fold.place, fold.place + len(test)))
        yield fold, answers


def leaves_out_by_itself(method: Method) -> TypeGuard[LeavesOneOut]:
    """Whether a method takes the shortcut in a run that is a `LeaveOneOut`."""
    return isinstance(method, LeavesOneOut) and method.can_leave_one_out and not method.counts_events


def order_by_row(is_training: NDArray[np.bool_]) -> NDArray[np.intp]:
    """(n,) integers: the order that brings answers for training instances, then the others, into that of the data.

    Parameters
    ----------
    is_training : (n,) bool
    """
    return np.argsort(np.concatenate((np.flatnonzero(is_training), np.flatnonzero(~is_training))))
