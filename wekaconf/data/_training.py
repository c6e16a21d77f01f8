"""The instances of a data set that count in training, whether a tree can be grown on them, and their folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import counted, name_list
from wekaconf.base.words import Setting, Term, UseFilter
from wekaconf.data._dataset import Dataset, header_of
from wekaconf.data._header import WITH_CLASS
from wekaconf.data.arrays import Int64Array


def training_part(data: Dataset) -> Dataset:
    """The instances that count in training: those that have a class and a positive weight."""
    if data.is_training_part:
        return data
    return data.take((data.class_values >= 0) & (data.weights > 0))


def check_trainable(train: Dataset) -> None:
    """Raise OptionError unless a tree can be grown on ``train``; the message gives the reason."""
    target, classes = header_of(train).class_attribute, train.class_values
    unfit = [attribute.name for attribute in train.attributes if attribute.kind in ("string", "relational")]
    if unfit:
        problem = f"string and relational attributes cannot be learned from: {name_list(unfit)}"
        advice = "remove them, or make string attributes nominal "
        remedy = UseFilter("weka.filters.unsupervised.attribute.StringToNominal")
        raise OptionError(f"'{train.relation}': {problem}; {advice}", remedy, value_of="train")
    if len(target.values) < 2:
        declared = "only 1 value" if target.values else "no value"
        problem = f"'{train.relation}': class '{target.name}' declares {declared}; a tree needs at least 2"
        remedies: list[str | Term] = [
            ": choose another attribute with ",
            WITH_CLASS,
            ", or add instances of other classes",
        ]
        if n_without := int((classes < 0).sum()):
            have = "has" if n_without == 1 else "have"
            without = f"; {counted(n_without, 'instance')} {have} no class; if one is called NA or null, "
            remedies += [without, Setting("na", ("",)), " takes empty cells alone as missing"]
        raise OptionError(problem, *remedies, value_of="train")
    if not (train.weights[classes >= 0] > 0).any():
        problem = f"has no instance with a class and a positive weight (of {len(train)} to train on)"
        raise OptionError(f"'{train.relation}' {problem}, so there is nothing to learn from", value_of="train")


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
