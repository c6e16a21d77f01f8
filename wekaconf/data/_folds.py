"""Folds for what learns from answers of trees that grew without a row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data._dataset import Dataset
from wekaconf.data.arrays import Int64Array


def fold_numbers(data: Dataset, n_folds: int, rng: np.random.Generator) -> Int64Array:
    """The fold of each instance, stratified by class; instances with the same inputs share one.

    Parameters
    ----------
    data : Dataset
        Every instance has a class.
    n_folds : int
        At least 1; folds without an instance remain where fewer instances differ.
    rng : Generator

    Returns
    -------
    (n_instances,) int64
        In [0, n_folds). Which instances share a fold depends on their order. Cost: O(n log n).
    """
    if not len(data):
        return np.zeros(0, dtype=np.int64)
    inputs = np.delete(data.values, data.class_index, axis=1) + 0.0
    inputs[np.isnan(inputs)] = np.nan  # of one bit pattern
    size = inputs.itemsize * inputs.shape[1]
    rows = np.ascontiguousarray(inputs).view(np.dtype((np.void, size))).ravel() if size else np.zeros(len(data))
    return folds_of(rows, data.class_values, n_folds, rng)


def folds_of(rows: NDArray[Any], class_values: Int64Array, n_folds: int, rng: np.random.Generator) -> Int64Array:
    """The fold of each instance, stratified by class; instances with equal keys share one.

    Parameters
    ----------
    rows : (n_instances,) array
        The keys, which can be sorted.
    class_values : (n_instances,) int64
    n_folds, rng
        See `fold_numbers`.
    """
    _, first, group = np.unique(rows, return_index=True, return_inverse=True)
    classes, seen = np.unique(class_values, return_index=True)
    turn = np.argsort(np.argsort(seen))[np.searchsorted(classes, class_values[first])]  # as classes appear
    order = np.lexsort((rng.random(len(first)), turn))
    fold_of_group = np.empty(len(first), dtype=np.int64)
    fold_of_group[order] = np.arange(len(first)) % n_folds
    return fold_of_group[group]
