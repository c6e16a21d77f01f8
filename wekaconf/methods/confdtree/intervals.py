"""The confidence intervals of ConfDTree, learned from the training instances of each inner node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wekaconf.dataset import Dataset, FloatArray
from wekaconf.tree import TreeMirror

KOLMOGOROV_SMIRNOV = {0.10: 1.224, 0.05: 1.358, 0.01: 1.628, 0.001: 1.949}
"""Critical values of D (√n + .12 + .11/√n) by level (Stephens 1974, case 0)."""

LILLIEFORS = {0.10: 0.819, 0.05: 0.895, 0.01: 1.035}
"""Critical values of D (√n − .01 + .85/√n) by level (Stephens 1974, case 3: mean and deviation estimated)."""


def class_statistics(tree: TreeMirror, train: Dataset) -> tuple[NDArray[np.int64], FloatArray, FloatArray, FloatArray]:
    """Statistics of the split attribute's values by class, at every inner node with a numeric split.

    Returns
    -------
    count : (n_nodes, n_classes) int64
        Instances that reach the node whole and with a known value.
    mean, deviation : (n_nodes, n_classes) float64
        Weighted; the deviation has n − 1 and is 0 for one instance. NaN where there is none.
    distance : (n_nodes, n_classes) float64
        Kolmogorov-Smirnov distance D between the values and the normal of that mean and deviation, in [0, 1];
        ∞ when all values are equal: a point is not a normal distribution.
    """
    shape = (tree.n_nodes, tree.header.n_classes)
    count = np.zeros(shape, dtype=np.int64)
    mean, deviation, distance = (np.full(shape, np.nan) for _ in range(3))
    for node, rows in tree.whole_instances(train):
        if np.isnan(tree.split_point[node]):
            continue
        values = train.values[rows, tree.split_attribute[node]]
        classes, weights = train.class_values[rows], train.weights[rows]
        for c in np.unique(classes):
            own = classes == c
            count[node, c] = own.sum()
            with np.errstate(all="ignore"):  # values near the largest double
                mean[node, c], deviation[node, c], distance[node, c] = _describe(values[own], weights[own])
    return count, mean, deviation, distance


def _describe(values: FloatArray, weights: FloatArray) -> tuple[float, float, float]:
    from scipy.special import ndtr

    n, total = len(values), weights.sum()
    if total <= 0 or not np.isfinite(values).all():
        return np.nan, np.nan, np.nan
    if values.min() == values.max():
        return values[0], 0.0, np.inf
    mean = (weights * values).sum() / total
    deviation = np.sqrt((weights * (values - mean) ** 2).sum() / total * n / (n - 1))
    if not deviation > 0 or not np.isfinite(deviation):
        return np.nan, np.nan, np.nan
    order = np.argsort(values, kind="stable")
    normal = ndtr((values[order] - mean) / deviation)
    above = np.cumsum(weights[order]) / total
    below = above - weights[order] / total
    return mean, deviation, max((above - normal).max(), (normal - below).max())


def passes_normality(distance: FloatArray, count: NDArray[np.int64], test: str, level: float) -> NDArray[np.bool_]:
    """Whether each class's values may be normal: D times a function of n is at most the critical value."""
    if test == "none":
        return np.ones(distance.shape, dtype=bool)
    root = np.sqrt(np.maximum(count, 1))
    if test == "ks":
        return np.asarray(distance * (root + 0.12 + 0.11 / root) <= KOLMOGOROV_SMIRNOV[level])
    return np.asarray(distance * (root - 0.01 + 0.85 / root) <= LILLIEFORS[level])


def t_quantile(level: float, count: NDArray[np.int64]) -> FloatArray:
    """Two-sided quantile of Student's t with count − 1 degrees of freedom; 0 for one instance."""
    from scipy.special import stdtrit

    freedom = np.maximum(count - 1, 1)
    return np.where(count > 1, stdtrit(freedom, (1 + level) / 2), 0.0)
