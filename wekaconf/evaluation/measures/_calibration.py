"""Calibration: how often answers are right, by the probability given to their class.

The arrays are those that `wekaconf.evaluation.measures` describes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wekaconf.base.rounding import SCALE, in_units
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.measures._arguments import ratio
from wekaconf.evaluation.measures._folds import Folds, fold_by_fold
from wekaconf.evaluation.measures._scoring import is_correct

N_BINS = 10
"""Number of bins of a calibration curve."""


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
