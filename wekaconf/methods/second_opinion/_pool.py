"""The logarithmic opinion pool, and the weights that explain known classes best."""

from __future__ import annotations

import numpy as np

from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.tree import sequential_sum

LEAST = 1e-3
"""What a side gives a class at least, so that none alone rules a class out."""
MOST_STEPS = 200
SMALLEST_STEP = 1e-9
"""Newton's steps end with one that changes no weight by more; the error left is about its square."""
SMALLEST_SCALE = 1e-9
ROUNDING = 1e-13
"""The share by which rounding may raise a loss; a step that raises it by less is not halved."""


def logarithms(proba: FloatArray) -> FloatArray:
    """(..., n_classes) float64: the logarithms of distributions whose probabilities are held at `LEAST` from below."""
    # not made to sum to 1 again: what a side would be divided by is the same for all classes, and cancels in the pool
    return np.asarray(np.log(np.maximum(proba, LEAST)))


def pooled(logs: FloatArray, weights: FloatArray) -> FloatArray:
    """(n, n_classes) float64: the pool of sides, p(c) ∝ Π_s p_s(c)^w_s.

    Parameters
    ----------
    logs : (n_sides, n, n_classes) float64
        See `logarithms`.
    weights : (n_sides,) float64
        In [0, ∞).
    """
    total = np.zeros(logs.shape[1:])
    for weight, side in zip(weights.tolist(), logs, strict=True):
        total += weight * side
    return softmax(total)


def softmax(logs: FloatArray) -> FloatArray:
    """(n, n_classes) float64: distributions in proportion to e^logs; each row as if it were alone."""
    found = np.exp(logs - logs.max(axis=1, keepdims=True))
    found /= sequential_sum(found)[:, None]
    return np.asarray(found)


def fitted(
    logs: FloatArray, actual: Int64Array, instance_weights: FloatArray, penalty: float, towards: FloatArray
) -> FloatArray:
    """(n_sides,) float64: the weights, none below 0, under which the actual classes are most likely.

    They minimise −Σ_i v_i log p_i(actual) + penalty/2 · Σ_s (w_s − towards_s)². Newton's steps in the weights that are
    above 0 or would rise, each cut where it falls below 0 and halved until the loss does not rise (Bertsekas 1982,
    Projected Newton methods). The loss is convex, so they end at its one minimum.

    Parameters
    ----------
    logs : (n_sides, n, n_classes) float64
        See `logarithms`.
    actual : (n,) int64
    instance_weights : (n,) float64
    penalty : float
        Above 0.
    towards : (n_sides,) float64
    """
    rows = np.arange(len(actual))
    logs_of_actual = logs[:, rows, actual]

    def loss(point: FloatArray) -> float:
        total = np.tensordot(point, logs, 1)
        largest = total.max(axis=1)
        spread = largest + np.log(np.exp(total - largest[:, None]).sum(axis=1))
        off = point - towards
        return float(instance_weights @ (spread - point @ logs_of_actual) + penalty * (off @ off) / 2)

    point = np.maximum(towards, 0.0)
    now = loss(point)
    for _ in range(MOST_STEPS):
        slope, curvature = _derivatives(point, logs, logs_of_actual, instance_weights)
        slope += penalty * (point - towards)
        is_free = (point > 0) | (slope < 0)
        curvature = curvature[np.ix_(is_free, is_free)] + penalty * np.eye(int(is_free.sum()))
        step = np.zeros_like(point)
        step[is_free] = np.linalg.solve(curvature, slope[is_free])
        scale = 1.0
        while True:
            moved = np.maximum(point - scale * step, 0.0)
            is_last = scale < SMALLEST_SCALE or np.abs(moved - point).max() <= SMALLEST_STEP
            if is_last or (new := loss(moved)) <= now + ROUNDING * abs(now):
                break
            scale /= 2
        point = moved
        if is_last:
            break
        now = new
    return point


def _derivatives(
    point: FloatArray, logs: FloatArray, logs_of_actual: FloatArray, instance_weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Slope and curvature of the loss of all rows: the weighted means and covariances of the logarithms in the pool."""
    proba = pooled(logs, point)
    mean = np.einsum("snc,nc->sn", logs, proba)
    slope = (mean - logs_of_actual) @ instance_weights
    weighted = proba * instance_weights[:, None]
    flat = logs.reshape(len(logs), -1)
    curvature = (flat * weighted.ravel()) @ flat.T - (mean * instance_weights) @ mean.T
    return slope, curvature
