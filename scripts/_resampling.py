"""Bootstrap resamples of data sets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

N_RESAMPLES = 10_000


def resampled(n: int) -> NDArray[np.int64]:
    """(n_resamples, n) int64: the sets of each resample, the same in every call."""
    return np.random.default_rng(1).integers(0, n, (N_RESAMPLES, n))


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The 95 % interval of the mean of a value per data set."""
    low, high = np.quantile(values[resampled(len(values))].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)
