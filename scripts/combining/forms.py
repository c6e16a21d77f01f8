"""Forms in which sides enter the logistic regression that makes one certainty of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wekaconf.methods.combined.learning import scaled

Floats = NDArray[np.float64]


def mid_ranks(reference: Floats, values: Floats) -> Floats:
    """(n, n_sides) float64 in [0, 1]: the share of the reference below each value, and half of that equal to it."""
    ranks = np.empty(values.shape)
    for column, (known, asked) in enumerate(zip(reference.T, values.T, strict=True)):
        ordered = np.sort(known)
        ranks[:, column] = (np.searchsorted(ordered, asked) + np.searchsorted(ordered, asked, "right")) / 2 / len(known)
    return ranks


def normal_scores(reference: Floats, values: Floats) -> Floats:
    """(n, n_sides) float64: the log-odds of the mid-ranks, which half a row keeps away from 0 and 1."""
    return scaled(values, np.sort(reference, axis=0))


def log_odds(reference: Floats, values: Floats) -> Floats:
    """(n, n_sides) float64: the log-odds of sides in [0, 1], the logarithm of others, scaled by the reference."""
    is_share = (reference >= 0).all(axis=0) & (reference <= 1).all(axis=0)

    def scores(sides: Floats) -> Floats:
        share = np.clip(sides, 0.001, 0.999)
        return np.where(is_share, np.log(share / (1 - share)), np.log(np.clip(sides, 1e-6, 1e6)))

    known = scores(reference)
    spread = known.std(axis=0)
    return np.asarray((scores(values) - known.mean(axis=0)) / np.where(spread > 0, spread, 1))


FORMS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "ranks": mid_ranks, "log-odds of ranks": normal_scores, "log-odds": log_odds,
}  # fmt: skip
