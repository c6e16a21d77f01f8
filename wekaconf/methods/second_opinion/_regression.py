"""Logistic regression with an L2 penalty, by Newton's steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from wekaconf.data.arrays import FloatArray, Int64Array

TOLERANCE = 1e-9
"""Steps end when no slope of the mean loss is larger."""
MOST_STEPS, MOST_INNER_STEPS = 100, 200
MOST_INVERTED = 2000
"""The largest number of columns whose curvature is inverted; with more, only its diagonal guides the steps."""
SMALLEST_SCALE = 1e-9


def regression(design: Any, label: Int64Array, weights: FloatArray, start: FloatArray | None = None) -> FloatArray:
    """(n_outputs, n_columns) float64: the coefficients that minimise the weighted log-loss and half their squares.

    As scikit-learn's LogisticRegression with C=1 has it: of two labels the one output is the log-odds of the second;
    of more, each has an output, and their softmax is the distribution. The steps solve for the curvature by conjugate
    gradients, guided by its inverse where all outputs have the same, which is exact for one output.

    Parameters
    ----------
    design : (n, n_columns) float64
        Dense or sparse; the first column, of ones, has no penalty.
    label : (n,) int64
        From 0 to n_labels − 1, each with a row.
    weights : (n,) float64
        Of mean 1.
    start : (n_outputs, n_columns) float64, optional
        Where the steps begin; the loss is convex, so they end at the same place.
    """
    n_labels = int(label.max()) + 1
    wanted = (np.arange(n_labels)[:, None] == label).astype(np.float64)[1 if n_labels == 2 else 0 :]
    penalty = np.ones(design.shape[1])
    penalty[0] = 0.0
    point = np.zeros((len(wanted), design.shape[1])) if start is None else start
    share, now = _shares_and_loss(design, point, wanted, weights, penalty)
    for _ in range(MOST_STEPS):
        slope = (weights * (share - wanted)) @ design + penalty * point
        if np.abs(slope).max() <= TOLERANCE * len(label):
            break

        def curved(step: FloatArray, share: FloatArray = share) -> FloatArray:
            moves = share * _outputs(design, step)
            moves -= share * moves.sum(axis=0)
            return np.asarray((weights * moves) @ design + penalty * step)

        guide = _guide(design, weights * (share * (1 - share)).mean(axis=0), penalty)
        step, scale = _solved(curved, slope, guide), 1.0
        while True:
            moved = point - scale * step
            share, new = _shares_and_loss(design, moved, wanted, weights, penalty)
            if new <= now or scale < SMALLEST_SCALE:
                break
            scale /= 2
        if not new < now:  # but for rounding
            break
        point, now = moved, new
    return point


def _outputs(design: Any, point: FloatArray) -> FloatArray:
    """(n_outputs, n) float64."""
    return np.ascontiguousarray((design @ point.T).T)


def _shares_and_loss(
    design: Any, point: FloatArray, wanted: FloatArray, weights: FloatArray, penalty: FloatArray
) -> tuple[FloatArray, float]:
    outputs = _outputs(design, point)
    largest = outputs.max(axis=0)
    largest = np.maximum(largest, 0.0) if len(outputs) == 1 else largest
    powers = np.exp(outputs - largest)
    total = powers.sum(axis=0) + (np.exp(-largest) if len(outputs) == 1 else 0.0)
    loss = weights @ (largest + np.log(total) - (wanted * outputs).sum(axis=0)) + (penalty * point * point).sum() / 2
    return powers / total, float(loss)


def _guide(design: Any, weights: FloatArray, penalty: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """A function that divides by the curvature of one output, or by its diagonal."""
    is_sparse = hasattr(design, "multiply")
    if design.shape[1] > MOST_INVERTED:
        squares = design.multiply(design) if is_sparse else design * design
        diagonal = np.maximum(weights @ squares + penalty, SMALLEST_SCALE)
        return lambda slope: slope / diagonal
    weighed = design.multiply(weights[:, None]).tocsr() if is_sparse else design * weights[:, None]
    gram = design.T @ weighed
    gram = gram.toarray() if is_sparse else gram
    inverse = np.linalg.inv(gram + np.diag(np.maximum(penalty, SMALLEST_SCALE)))
    return lambda slope: slope @ inverse


def _solved(
    curved: Callable[[FloatArray], FloatArray], slope: FloatArray, guide: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """The step whose curvature is the slope, by preconditioned conjugate gradients; a small slope is met better."""
    size = float(np.abs(slope).max())
    enough = size * min(0.1, size**0.5)
    step, rest = np.zeros(slope.shape), slope
    guided = guide(rest)
    direction, old = guided, float((rest * guided).sum())
    for _ in range(MOST_INNER_STEPS):
        bent = curved(direction)
        length = old / float((direction * bent).sum())
        step, rest = step + length * direction, rest - length * bent
        if np.abs(rest).max() <= enough:
            break
        guided = guide(rest)
        new = float((rest * guided).sum())
        direction, old = guided + new / old * direction, new
    return step
