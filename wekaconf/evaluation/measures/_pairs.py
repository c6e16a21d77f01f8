"""Sums over pairs of instances, from which every area under a ROC curve follows."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import sums_are_exact
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.measures._folds import Folds

Order = Callable[[int], NDArray[np.intp]]
"""A function from a class to the instances' places in the order of its probability, fold by fold."""

PairWeights = tuple[FloatArray, FloatArray, FloatArray]
"""The three arrays of `pair_weights`."""


# A loop over the classes: ranking all of them in one sort was two to three times slower on large folds.
def pair_weights(
    proba: FloatArray,
    actual: Int64Array,
    weights: FloatArray,
    folds: Folds,
    *,
    order: Order | None = None,
    n_ranked: int | None = None,
) -> PairWeights:
    """Weights of the pairs of instances that class c's probability ranks correctly, leaves equal, and of all pairs.

    Only instances of the same fold make a pair.

    Parameters
    ----------
    proba, actual, weights, folds
        See `wekaconf.evaluation.measures`.
    order : callable, optional
        Gives an order of each class's column by fold and then by probability, for weights that are whole numbers.
    n_ranked : int, optional
        Take only the first columns of ``proba``; the entries of the others are 0 in ``greater`` and ``equal``.

    Returns
    -------
    greater, equal, pairs : (n_folds, n_classes, n_classes + 1) float64
        Entry [f, c, d] sums, over an instance x of class c and an instance y of class d, the product of their
        weights: where ``proba[x, c] > proba[y, c]``, where the two are equal, and always. The last column
        stands for the instances whose class is missing; entries [f, c, c] are 0.
        Cost: time O(n_classes · n log n), memory O(n + n_folds · n_classes²).
    """
    n_classes = proba.shape[1]
    shape = folds.n, n_classes + 1
    by_class = Folds(folds.of * shape[1] + np.where(actual < 0, n_classes, actual), folds.n * shape[1])
    total = by_class.sums(weights).reshape(shape)
    pairs = total[:, :n_classes, None] * total[:, None, :]
    greater, equal = np.zeros_like(pairs), np.zeros_like(pairs)
    if (np.count_nonzero(total, axis=1) < 2).all():  # leave-one-out has many folds of one instance
        return greater, equal, np.zeros_like(pairs)
    for c in range(n_classes if n_ranked is None else n_ranked):
        above, level = weight_above(proba[:, c], weights * (actual == c), folds, order and partial(order, c))
        greater[:, c] = by_class.sums(weights * above).reshape(shape)
        equal[:, c] = by_class.sums(weights * level).reshape(shape)
    for table in (greater, equal, pairs):
        table[:, range(n_classes), range(n_classes)] = 0.0
    return greater, equal, pairs


def weight_above(
    score: FloatArray, weights: FloatArray, folds: Folds, order_of: Callable[[], NDArray[np.intp]] | None = None
) -> tuple[FloatArray, FloatArray]:
    """The weight of the instances of the same fold with a greater score, and with the same; (n_instances,) each."""
    is_whole = sums_are_exact(weights)
    any_order = order_of or partial(order_by_fold, score, folds)
    order = any_order() if is_whole else np.lexsort((score, folds.of))
    score, fold = score[order], folds.of[order]
    is_first = np.append(True, (score[1:] != score[:-1]) | (fold[1:] != fold[:-1]))[: len(order)]
    level = np.cumsum(is_first) - 1
    level_weight = np.asarray(np.bincount(level, weights[order]), dtype=np.float64)
    level_fold = fold[is_first]
    last_level = np.searchsorted(level_fold, level_fold, side="right") - 1
    cumulative = level_weight.cumsum() if is_whole else _cumulative_by_fold(level_weight, last_level)
    above, equal = np.empty(len(order)), np.empty(len(order))
    above[order] = (cumulative[last_level] - cumulative)[level]
    equal[order] = level_weight[level]
    return above, equal


def order_by_fold(score: FloatArray, folds: Folds) -> NDArray[np.intp]:
    """(n_instances,) intp: by fold, then by score. The order of ties is undefined, which makes sorting faster."""
    order = np.argsort(score)
    if folds.n == 1:
        return order
    fold = folds.of.astype(np.min_scalar_type(folds.n))  # two bytes are sorted in linear time
    return order[np.argsort(fold[order], kind="stable")]


def _cumulative_by_fold(level_weight: FloatArray, last_level: NDArray[np.intp]) -> FloatArray:
    """The summed weight of the levels of a fold up to each; sums start anew in each fold."""
    cumulative = np.empty(len(level_weight))
    ends = np.unique(last_level) + 1
    for begin, end in itertools.pairwise([0, *ends.tolist()]):
        level_weight[begin:end].cumsum(out=cumulative[begin:end])
    return cumulative
