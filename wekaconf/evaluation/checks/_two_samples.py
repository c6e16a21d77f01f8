"""Whether two samples of a column are draws of one source.

No test assumes a distribution. Population stability indices and Kullback–Leibler distances have no such meaning in
rows, and their rules of thumb no level.
"""

from __future__ import annotations

import math

import numpy as np

from wekaconf.data.arrays import Int64Array

LEAST_EXPECTED = 5
"""The smallest expected count of a bin in a χ² test; bins with less are pooled."""
EQUALLY_RARE = 1e-7
"""Logarithms of probabilities that differ by less count as equal."""


def all_greatest(k: int, m: int, n: int) -> float:
    """The probability that the ``k`` greatest of ``n`` training numbers and ``m`` others are all others'.

    The rows are exchangeable, so it is m! (n + m − k)! / ((m − k)! (n + m)!), exact without ties. ``k`` counts numbers
    strictly beyond the greatest of training; numbers equal to it are not counted, which makes k smaller and the
    probability larger. It is also the probability that k rows of one value are all others'.
    """
    ways = math.lgamma(m + 1) + math.lgamma(n + m - k + 1) - math.lgamma(m - k + 1) - math.lgamma(n + m + 1)
    return math.exp(min(ways, 0.0))


def fisher(k: int, n: int, other_k: int, other_n: int) -> float:
    """The p-value of Fisher's exact test, two-sided, of two shares k / n; NaN if no row, or every row, is counted."""
    n_all, k_all = n + other_n, k + other_k
    if not (n and other_n and 0 < k_all < n_all):
        return float("nan")
    least, most = max(0, k_all - other_n), min(n, k_all)
    i = np.arange(least, most, dtype=np.float64)
    steps = np.log((k_all - i) * (n - i)) - np.log((i + 1) * (other_n - k_all + i + 1))
    log_p = np.concatenate([[0.0], np.cumsum(steps)])
    probability = np.exp(log_p - log_p.max())
    is_as_rare = log_p <= log_p[k - least] + EQUALLY_RARE
    return float(min(probability[is_as_rare].sum() / probability.sum(), 1.0))


def homogeneity(training: Int64Array, counts: Int64Array, *, is_ordered: bool) -> float:
    """The p-value of the χ² test that two samples have the same distribution; NaN if less than two bins remain.

    Bins are pooled until each has an expected count of at least `LEAST_EXPECTED` in both samples: neighbours if they
    are ordered, else the rarest, of equally rare ones the first. That depends on the sums of both samples only, so not
    on which row is whose, if the order of the bins does not.
    """
    total = training + counts
    n, n_training = int(counts.sum()), int(training.sum())
    if not (n and n_training):
        return float("nan")
    order = np.arange(len(total)) if is_ordered else np.argsort(total, kind="stable")
    needed = LEAST_EXPECTED * (n + n_training) / min(n, n_training)
    bin_of, in_bin, n_bins = np.zeros(len(total), dtype=np.intp), 0.0, 0
    for place in order.tolist():
        bin_of[place] = n_bins
        in_bin += float(total[place])
        if in_bin >= needed:
            n_bins, in_bin = n_bins + 1, 0.0
    if n_bins < 2:
        return float("nan")
    bin_of = np.minimum(bin_of, n_bins - 1)
    table = np.stack([np.bincount(bin_of, part, n_bins) for part in (training, counts)])
    expected = table.sum(axis=0) * table.sum(axis=1, keepdims=True) / table.sum()
    return chi_square_tail(float(((table - expected) ** 2 / expected).sum()), n_bins - 1)


def chi_square_tail(statistic: float, n_free: int) -> float:
    """The probability that χ² with ``n_free`` degrees of freedom, 1 or more, is at least ``statistic``.

    Whole degrees of freedom have a finite sum, so a file is compared without loading scipy.
    """
    if statistic <= 0:
        return 1.0
    half, first = statistic / 2, n_free % 2 / 2
    powers = first + np.arange(n_free // 2)
    terms = [math.exp(power * math.log(half) - half - math.lgamma(power + 1)) for power in powers.tolist()]
    return min(math.fsum(terms) + (math.erfc(math.sqrt(half)) if first else 0.0), 1.0)
