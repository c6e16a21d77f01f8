"""Metrics of how often answers are right, and of how far their probabilities are off; the calibration curve.

The arrays are those that `wekaconf.evaluation.measures` describes, and so is the ``folds`` that every metric takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import SCALE, in_units, most_probable
from wekaconf.data.arrays import BoolArray, FloatArray, Int64Array
from wekaconf.evaluation.measures._arguments import ratio
from wekaconf.evaluation.measures._folds import Folds, fold_by_fold
from wekaconf.methods.contract import is_affected

N_BINS = 10
"""Number of bins of a calibration curve."""


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


@fold_by_fold
def ece(proba: FloatArray, actual: Int64Array, weights: FloatArray, folds: Folds) -> FloatArray:
    """Expected calibration error: how far the probabilities of answers are from the share of them that is right.

    Σ_b W_b / W · |accuracy_b − confidence_b| over the ten bins of `calibration_curve`, where W_b is the weight of the
    scored instances in bin b, and W that of all scored instances.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.

    Returns
    -------
    float
        In [0, 1], dimensionless; 0 is best.

    References
    ----------
    See `calibration_curve`.
    """
    return _gap(*_bins(proba, actual, weights, folds))


@dataclass(frozen=True, eq=False)
class CalibrationCurve:
    """The share of right answers by the probability given to their class; see `calibration_curve`.

    Parameters
    ----------
    edges : (n_bins + 1,) float64
        Edges of the bins, ascending, from 0 to 1; a bin includes its upper edge, and the first bin also 0.
    confidence : (n_bins,) float64 in [0, 1]
        Mean probability of the answers in the bin; NaN where there are none.
    accuracy : (n_bins,) float64 in [0, 1]
        Share of these answers that is correct; NaN where there are none.
    weight : (n_bins,) float64
        Summed weight of these answers.
    """

    edges: FloatArray
    confidence: FloatArray
    accuracy: FloatArray
    weight: FloatArray

    @property
    def ece(self) -> float:
        """Expected calibration error: weighted mean of |accuracy − confidence| over the bins; NaN without answers."""
        return float(_gap(self.confidence, self.accuracy, self.weight))


def calibration_curve(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> CalibrationCurve:
    """Bin the scored instances by the probability of the predicted class, and measure how many are correct.

    There are ten bins of equal width, (0, 0.1], …, (0.9, 1], the first of which includes 0. Probabilities are rounded
    to 12 decimals, here as for the choice of the predicted class. An instance left unclassified is a wrong answer of
    probability 0.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.measures`.

    Returns
    -------
    CalibrationCurve

    References
    ----------
    M. Pakdaman Naeini, G. F. Cooper and M. Hauskrecht (2015). Obtaining well calibrated probabilities using Bayesian
    binning. Proceedings of the 29th AAAI Conference on Artificial Intelligence, 2901-2907. C. Guo, G. Pleiss, Y. Sun
    and K. Q. Weinberger (2017). On calibration of modern neural networks. Proceedings of the 34th International
    Conference on Machine Learning, 1321-1330.
    """
    [confidence], [accuracy], [weight] = _bins(proba, actual, weights, Folds.one(len(actual)))
    return CalibrationCurve(np.arange(N_BINS + 1) / N_BINS, confidence, accuracy, weight)


def _bins(
    proba: FloatArray, actual: Int64Array, weights: FloatArray, folds: Folds
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Confidence, accuracy and weight of a `CalibrationCurve` for each fold, (n_folds, n_bins) float64 each."""
    scored = actual >= 0
    correct, weights = is_correct(proba, actual)[scored], weights[scored]
    units = in_units(proba[scored].max(axis=1, initial=0.0)).astype(np.int64)
    place = np.clip((units - 1) // (int(SCALE) // N_BINS), 0, N_BINS - 1)
    bins = Folds(folds.of[scored] * N_BINS + place, folds.n * N_BINS)
    weight, confidence, right = (
        bins.sums(part).reshape(folds.n, N_BINS) for part in (weights, weights * (units / SCALE), weights * correct)
    )
    return ratio(confidence, weight), ratio(right, weight), weight


def _gap(confidence: FloatArray, accuracy: FloatArray, weight: FloatArray) -> FloatArray:
    """(…) float64: the weighted mean of |accuracy − confidence| over the bins, which are the last axis."""
    gaps = np.where(weight > 0, np.abs(accuracy - confidence), 0.0)
    return ratio((weight * gaps).sum(axis=-1), weight.sum(axis=-1))
