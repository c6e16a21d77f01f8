"""Metrics of how often answers are right, and of how far their probabilities are off.

The arrays are those that `wekaconf.evaluation.measures` describes, and so is the ``folds`` that every metric takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import BoolArray, FloatArray, Int64Array
from wekaconf.evaluation.measures._arguments import ratio
from wekaconf.evaluation.measures._folds import Folds, fold_by_fold
from wekaconf.methods.contract import is_affected


def is_correct(proba: FloatArray, actual: Int64Array, predicted: Int64Array | None = None) -> BoolArray:
    """(n_instances,) bool: whether the answer is the actual class.

    The answer is the most probable class, after rounding to 12 decimals, where ``predicted`` is left out. An instance
    left unclassified is a wrong answer, and so is an instance whose class is missing.
    """
    answers = most_probable(proba) if predicted is None else predicted
    return np.asarray((answers == actual) & proba.any(axis=1))


@fold_by_fold
def percent_correct(
    proba: FloatArray,
    actual: Int64Array,
    weights: FloatArray,
    folds: Folds,
    *,
    predicted: Int64Array | None = None,
) -> FloatArray:
    """Share of the scored instances whose answer is the actual class.

    100 · Σ w [answer = actual] / Σ w; a row of zeros counts as not correct.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.
    predicted : (n_instances,) int64, optional
        The answers; left out: the first of the most probable classes.

    Returns
    -------
    float
        In [0, 100], percent. Source: ``weka.classifiers.Evaluation.pctCorrect``.
    """
    answers = proba.argmax(axis=1) if predicted is None else predicted
    correct = (answers == actual) & proba.any(axis=1)
    return ratio(100.0 * folds.sums(weights * correct), folds.sums(weights * (actual >= 0)))


@fold_by_fold
def brier(
    proba: FloatArray,
    actual: Int64Array,
    weights: FloatArray,
    folds: Folds,
    *,
    classes: NDArray[np.integer[Any]] | None = None,
) -> FloatArray:
    """Mean squared error of the probabilities, over instances and classes.

    The weighted mean over the scored instances of the mean, over ``classes``, of (p_c − [actual = c])². Brier's
    original score is a sum over the classes instead; here a declared class without instances is left out.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.
    classes : (n_counted,) integers, optional
        The classes that count; those present among the scored instances, of all folds, when left out. For part of a
        data set, such as one fold, pass the classes of the whole data set: otherwise the mean over the folds differs
        from the score of the whole, and a fold with one class measures that class alone.

    Returns
    -------
    float
        In [0, 1], dimensionless; 0 is best.

    References
    ----------
    G. W. Brier (1950). Verification of forecasts expressed in terms of probability. Monthly Weather Review
    78, 1-3.
    """
    scored = actual >= 0
    proba, actual, weights, folds = proba[scored], actual[scored], weights[scored], folds.take(scored)
    score_classes = present_classes(actual, weights, proba.shape[1]) if classes is None else classes
    squares = (proba[:, score_classes] - (actual[:, None] == score_classes)) ** 2
    return ratio(folds.sums(weights * squares.sum(axis=1)), folds.sums(weights) * len(score_classes))


def present_classes(actual: Int64Array, weights: FloatArray, n_classes: int) -> NDArray[np.intp]:
    """(n_present,) intp: the classes whose instances have a positive total weight, ascending."""
    scored = actual >= 0
    return np.flatnonzero(np.bincount(actual[scored], weights[scored], minlength=n_classes) > 0)


@fold_by_fold
def log_loss(proba: FloatArray, actual: Int64Array, weights: FloatArray, folds: Folds) -> FloatArray:
    """Mean negative logarithm of the actual class's probability.

    − Σ w ln p_actual / Σ w over the scored instances, p clipped to [1e-15, 1].

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.

    Returns
    -------
    float
        In [0, 34.54], nats; 0 is best.
    """
    scored = np.flatnonzero(actual >= 0)
    weights, folds = weights[scored], folds.take(scored)
    loss = -np.log(np.clip(proba[scored, actual[scored]], 1e-15, 1.0))
    return ratio(folds.sums(weights * loss), folds.sums(weights))


@fold_by_fold
def percent_affected(proba: FloatArray, baseline: FloatArray, weights: FloatArray, folds: Folds) -> FloatArray:
    """Share of the instances for which a method's distribution differs visibly from the plain tree's.

    100 · Σ w [max_c |p_c − b_c| ≥ 0.1 − 1e-9] / Σ w over all instances, including those with a missing class.

    Parameters
    ----------
    proba : (n_instances, n_classes) float64
        The method's answers p.
    baseline : (n_instances, n_classes) float64
        The plain tree's answers b.
    weights : (n_instances,) float64

    Returns
    -------
    float
        In [0, 100], percent.
    """
    return ratio(100.0 * folds.sums(weights * is_affected(proba, baseline)), folds.sums(weights))
