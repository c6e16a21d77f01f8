"""The predictions of TPCE's trees under each assumed class, in one sentence per instance."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.wording import apart, class_text, number
from wekaconf.methods.contract.reasons import Rows

MOST_LISTED = 3
"""Number of assumed classes up to which each has its own clause; beyond, the predicted classes are counted."""


class AssumedPredictions(NamedTuple):
    """The predicted class of each instance under each assumed class.

    Parameters
    ----------
    labels : (n_labels,) int64
        The assumed classes, ascending.
    predicted : (n_instances, n_labels) int64
        The most probable class.
    share : (n_instances, n_labels) float64
        Its probability.
    """

    labels: Int64Array
    predicted: Int64Array
    share: FloatArray

    @classmethod
    def empty(cls, n: int, labels: Int64Array) -> Self:
        """Space for the predictions of ``n`` instances."""
        return cls(labels, np.zeros((n, len(labels)), dtype=np.int64), np.zeros((n, len(labels))))

    def record(self, rows: NDArray[np.intp], label: Int64Array, proba: FloatArray) -> None:
        """Keep the prediction of each instance under its assumed class."""
        place, best = np.searchsorted(self.labels, label), most_probable(proba)
        self.predicted[rows, place] = best
        self.share[rows, place] = proba[np.arange(len(proba)), best]

    def sentences(self, names: tuple[str, ...], rows: Rows) -> list[str]:
        """One sentence per instance in ``rows``."""
        texts = [class_text(name) for name in names]
        assumed = [texts[c] for c in self.labels.tolist()]
        predictions = zip(self.predicted[rows].tolist(), self.share[rows].tolist(), strict=True)
        return [_sentence(assumed, [texts[c] for c in predicted], shares) for predicted, shares in predictions]


def _sentence(assumed: list[str], predicted: list[str], shares: list[float]) -> str:
    counts = Counter(predicted)
    if len(counts) == 1 and len(assumed) > 1:
        low, high = apart(min(shares), max(shares))
        between = f"{low} to {high}" if low != high else low
        return f"whichever of {len(assumed)} classes is assumed, the tree predicts {predicted[0]} ({between})"
    if len(assumed) <= MOST_LISTED:
        each = zip(assumed, predicted, map(number, shares), strict=True)
        return "; ".join(f"assumed {label}, the tree predicts {answer} ({share})" for label, answer, share in each)
    (largest, n), *next_largest = counts.most_common(MOST_LISTED)
    rest = len(assumed) - n - sum(count for _, count in next_largest)
    parts = [f"{count} to {name}" for name, count in next_largest] + ([f"{rest} to others"] if rest else [])
    return f"of {len(assumed)} assumed classes {n} lead to {largest}, {', '.join(parts)}"
