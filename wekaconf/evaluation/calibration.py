"""How often answers are right, by the probability given to their class.

The arrays are those that `wekaconf.evaluation.metrics` describes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wekaconf.data.dataset import FloatArray, Int64Array
from wekaconf.evaluation.arguments import ratio
from wekaconf.evaluation.scoring import is_correct
from wekaconf.rounding import SCALE, in_units

N_BINS = 10
"""Number of bins of a calibration curve."""


@dataclass(frozen=True, eq=False)
class CalibrationCurve:
    """How often answers are right, by the probability given to their class; see `calibration_curve`.

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
        counted = self.weight > 0
        gaps = np.abs(self.accuracy - self.confidence)[counted]
        return float(ratio(self.weight[counted] @ gaps, self.weight.sum()))


def calibration_curve(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> CalibrationCurve:
    """Bin the scored instances by the probability of the predicted class, and measure how many are correct.

    There are ten bins of equal width, (0, 0.1], …, (0.9, 1], the first of which includes 0. Probabilities are rounded
    to 12 decimals, here as for the choice of the predicted class. An instance left unclassified is a wrong answer of
    probability 0.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.metrics`.

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
    scored = (actual >= 0) & (weights > 0)
    correct, weights = is_correct(proba, actual)[scored], weights[scored]
    units = in_units(proba[scored].max(axis=1, initial=0.0)).astype(np.int64)
    place = np.clip((units - 1) // (int(SCALE) // N_BINS), 0, N_BINS - 1)
    weight, confidence, right = (
        np.bincount(place, part, minlength=N_BINS) for part in (weights, weights * (units / SCALE), weights * correct)
    )
    edges = np.arange(N_BINS + 1) / N_BINS
    return CalibrationCurve(edges, ratio(confidence, weight), ratio(right, weight), weight.astype(np.float64))


def ece(proba: FloatArray, actual: Int64Array, weights: FloatArray) -> float:
    """Expected calibration error: how far the probabilities of answers are from the share of them that is right.

    Σ_b W_b / W · |accuracy_b − confidence_b| over the ten bins of `calibration_curve`, where W_b is the weight of the
    scored instances in bin b, and W that of all scored instances.

    Parameters
    ----------
    proba, actual, weights
        See `wekaconf.evaluation.metrics`.

    Returns
    -------
    float
        In [0, 1], dimensionless; 0 is best.

    References
    ----------
    See `calibration_curve`.
    """
    return calibration_curve(proba, actual, weights).ece
