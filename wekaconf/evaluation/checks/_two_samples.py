"""Whether two samples are draws of one source: tests of single columns, and a classifier that tells their rows apart.

No test assumes a distribution. Population stability indices and Kullback–Leibler distances have no such meaning in
rows, and their rules of thumb no level. The classifier sees columns that change together.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.data import Header, counted_as
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.measures import auroc

LEAST_EXPECTED = 5
"""The smallest expected count of a bin in a χ² test; bins with less are pooled."""
EQUALLY_RARE = 1e-7
"""Logarithms of probabilities that differ by less count as equal."""
MOST_ROWS, FEWEST_ROWS = 2000, 20
"""The largest number of rows of each sort that are told apart, drawn at random, and the smallest."""
MOST_COLUMNS, LEAST_DROP = 3, 0.01
"""The largest number of columns that are named, and the smallest drop of the area without one that is."""
LARGEST_CELL = 1e30
"""Larger numbers, infinite ones included, are read as this one: the forest keeps numbers in single precision."""
BISECTIONS = 60
"""Steps after which the end of an interval is as exact as a double."""
NORMAL_QUANTILE = 1.959963984540054
"""Of 97.5 %."""


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


class RowSample:
    """Rows drawn at random from those that are added part by part; the same from the same rows in the same order."""

    def __init__(self, n_attributes: int) -> None:
        self.rows: FloatArray = np.zeros((0, n_attributes))
        self._keys, self._random = np.zeros(0), np.random.default_rng(0)

    def add(self, rows: FloatArray) -> None:
        """Add rows, (n, n_attributes) float64."""
        keys = np.concatenate([self._keys, self._random.random(len(rows))])
        chosen = np.sort(np.argsort(keys, kind="stable")[:MOST_ROWS])
        n_before = len(self.rows)
        kept, added = chosen[chosen < n_before], chosen[chosen >= n_before] - n_before
        self.rows, self._keys = np.concatenate([self.rows[kept], rows[added]]), keys[chosen]


class Separation(NamedTuple):
    """How well a forest tells new rows from old ones.

    Parameters
    ----------
    area : float
        Area under the ROC curve on rows that the forest has not seen; 0.5: not at all, 1: always.
    low, high : float
        Its interval, with a confidence level of 95 %.
    columns : tuple of (str, float)
        The attributes that tell most, and how much of the area is lost when the cells of one are shuffled.
    """

    area: float
    low: float
    high: float
    columns: tuple[tuple[str, float], ...]

    @property
    def is_seen(self) -> bool:
        """Whether the rows differ."""
        return self.low > 0.5


def tell_apart(old: FloatArray, new: FloatArray, header: Header) -> Separation | None:
    """Grow a random forest on half of the rows of each sort, and let it tell the other half apart.

    Parameters
    ----------
    old, new : (n_rows, n_attributes) float64
        Cells as in a `Dataset`; the class, dates and texts are not looked at.
    header : Header

    Returns
    -------
    Separation or None
        None: there are less than `FEWEST_ROWS` rows of a sort, or nothing to look at. Cost: about a second.
    """
    from sklearn.ensemble import RandomForestClassifier

    columns = [column for column in range(len(header.attributes)) if counted_as(header, column)]
    if min(len(old), len(new)) < FEWEST_ROWS or not columns:
        return None
    random = np.random.default_rng(0)
    cells = np.concatenate([old, new])[:, columns].clip(-LARGEST_CELL, LARGEST_CELL)
    is_new = np.repeat([False, True], [len(old), len(new)])
    order = np.concatenate([random.permutation(np.flatnonzero(is_new == sort)) for sort in (False, True)])
    grows, tells = order[::2], order[1::2]
    forest = RandomForestClassifier(min_samples_leaf=5, random_state=0).fit(cells[grows], is_new[grows])

    def area(rows: FloatArray) -> float:
        return float(auroc(forest.predict_proba(rows)[:, 1], is_new[tells]))

    found = area(cells[tells])
    drops = []
    for place, column in enumerate(columns):
        shuffled = cells[tells].copy()
        shuffled[:, place] = random.permutation(shuffled[:, place])
        drops.append((header.attributes[column].name, found - area(shuffled)))
    telling = sorted((drop for drop in drops if drop[1] >= LEAST_DROP), key=lambda drop: -drop[1])
    return Separation(found, *area_interval(found, *_counts(is_new[tells])), tuple(telling[:MOST_COLUMNS]))


def _counts(is_new: NDArray[np.bool_]) -> tuple[int, int]:
    return int((~is_new).sum()), int(is_new.sum())


def area_interval(area: float, n_old: int, n_new: int) -> tuple[float, float]:
    """The interval of an area under the ROC curve, with a confidence level of 95 %: all areas that it would not refute.

    References
    ----------
    R. G. Newcombe (2006), Statistics in Medicine 25, 559-573: method 5, which is defined at 0 and 1, too.
    """

    def is_far(theta: float) -> bool:
        half = (n_old + n_new) / 2 - 1
        pairs = 1 + half * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        return abs(area - theta) > NORMAL_QUANTILE * math.sqrt(theta * (1 - theta) * pairs / (n_old * n_new))

    def end(far: float) -> float:
        near = area
        for _ in range(BISECTIONS):
            middle = (near + far) / 2
            near, far = (near, middle) if is_far(middle) else (middle, far)
        return near

    return end(0.0), end(1.0)
