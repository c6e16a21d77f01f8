"""The predictions of TPCE's trees under each assumed class, in one sentence per instance."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int64Array, TextArray, as_rows, texts_of
from wekaconf.data.wording import class_text, numbers, numbers_apart
from wekaconf.methods.contract import Rows

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

    def sentences(self, names: tuple[str, ...], rows: Rows) -> TextArray:
        """(n_rows,) object: one sentence per instance in ``rows``."""
        texts, predicted, share = texts_of(map(class_text, names)), self.predicted[rows], self.share[rows]
        n_labels = len(self.labels)
        is_same = (predicted == predicted[:, :1]).all(axis=1) & (n_labels > 1)
        same, others = np.flatnonzero(is_same), np.flatnonzero(~is_same)
        sentences = np.empty(len(predicted), dtype=object)
        columns = texts[predicted[same, 0]], *numbers_apart(share[same].min(axis=1), share[same].max(axis=1))
        sentences[same] = texts_of(
            f"whichever of {n_labels} classes is assumed, the tree predicts {name} ({_between(low, high)})"
            for name, low, high in as_rows(*columns)
        )
        if n_labels <= MOST_LISTED:
            clauses = (
                [
                    f"assumed {texts[label]}, the tree predicts {name} ({written})"
                    for name, written in as_rows(texts[predicted[others, j]], numbers(share[others, j]))
                ]
                for j, label in enumerate(self.labels.tolist())
            )
            sentences[others] = texts_of(map("; ".join, zip(*clauses, strict=True)))
        else:
            sentences[others] = texts_of(_counted(each) for each in texts[predicted[others]].tolist())
        return sentences


def _between(low: str, high: str) -> str:
    """A range of shares; a single share if the ends are equal."""
    return low if low == high else f"{low} to {high}"


def _counted(predicted: list[str]) -> str:
    """How many of the assumed classes lead to which prediction."""
    (largest, n), *next_largest = Counter(predicted).most_common(MOST_LISTED)
    rest = len(predicted) - n - sum(count for _, count in next_largest)
    parts = [f"{count} to {name}" for name, count in next_largest] + ([f"{rest} to others"] if rest else [])
    return f"of {len(predicted)} assumed classes {n} lead to {largest}, {', '.join(parts)}"
