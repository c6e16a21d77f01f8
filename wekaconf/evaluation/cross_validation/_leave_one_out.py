"""The splits of leave-one-out, which are made when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from wekaconf.evaluation.thresholds import Split


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
