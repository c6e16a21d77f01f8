"""What the trees of TPCE say under each assumed class, in one sentence per instance."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.wording import apart, class_text, number
from wekaconf.methods.contract.reasons import Rows

MOST_TOLD = 3
"""Assumed classes that are told one by one; of more classes it is told how many lead to which."""


class Told(NamedTuple):
    """What is predicted for each instance under each assumed class.

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
    def nothing(cls, n: int, labels: Int64Array) -> Self:
        """Room for what is said of ``n`` instances."""
        return cls(labels, np.zeros((n, len(labels)), dtype=np.int64), np.zeros((n, len(labels))))

    def note(self, rows: NDArray[np.intp], label: Int64Array, proba: FloatArray) -> None:
        """Keep what each instance is answered under its assumed class."""
        place, best = np.searchsorted(self.labels, label), most_probable(proba)
        self.predicted[rows, place] = best
        self.share[rows, place] = proba[np.arange(len(proba)), best]

    def sentences(self, names: tuple[str, ...], rows: Rows) -> list[str]:
        """What the trees say of the instances in ``rows``."""
        texts = [class_text(name) for name in names]
        assumed = [texts[c] for c in self.labels.tolist()]
        told = zip(self.predicted[rows].tolist(), self.share[rows].tolist(), strict=True)
        return [_sentence(assumed, [texts[c] for c in predicted], shares) for predicted, shares in told]


def _sentence(assumed: list[str], predicted: list[str], shares: list[float]) -> str:
    counts = Counter(predicted)
    if len(counts) == 1 and len(assumed) > 1:
        low, high = apart(min(shares), max(shares))
        between = f"{low} to {high}" if low != high else low
        return f"whichever of {len(assumed)} classes is assumed, the tree predicts {predicted[0]} ({between})"
    if len(assumed) <= MOST_TOLD:
        each = zip(assumed, predicted, map(number, shares), strict=True)
        return "; ".join(f"assumed {own}, the tree predicts {other} ({share})" for own, other, share in each)
    (most, n), *others = counts.most_common(MOST_TOLD)
    rest = len(assumed) - n - sum(count for _, count in others)
    parts = [f"{count} to {name}" for name, count in others] + ([f"{rest} to others"] if rest else [])
    return f"of {len(assumed)} assumed classes {n} lead to {most}, {', '.join(parts)}"
