"""What the answers for calibration rows were like: how certain they were, and which classes they predicted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import rounded
from wekaconf.base.stored import check_stored, declared, stored
from wekaconf.data.arrays import FloatArray, Int64Array, frozen
from wekaconf.data.training_summary import MOST_ROWS, bin_cuts


@dataclass(frozen=True, eq=False)
class AnswerShares:
    """Counts of answers; no single one can be read from them.

    Parameters
    ----------
    cuts : (n_bins − 1,) float64
        The largest certainty of each bin but the last, ascending.
    certainties : (n_bins,) int64
        The number of answers in each bin.
    predicted : (n_classes,) int64
        The number of answers that predict each class.
    """

    cuts: Annotated[FloatArray, stored(np.float64, "n_cuts", allows_inf=True)]
    certainties: Annotated[Int64Array, stored(np.int64, "n_cuts + 1", low=0, high=MOST_ROWS)]
    predicted: Annotated[Int64Array, stored(np.int64, "n_classes", low=0, high=MOST_ROWS)]

    @classmethod
    def of(cls, certainty: FloatArray, predicted: Int64Array, n_classes: int) -> Self:
        """The counts of some answers: their certainties and predicted classes, both (n,)."""
        cuts = bin_cuts(rounded(certainty))
        empty = cls(cuts, np.zeros(len(cuts) + 1, np.int64), np.zeros(n_classes, np.int64))
        certainties, classes = empty.count(certainty, predicted)
        return cls(frozen(cuts), frozen(certainties), frozen(classes))

    @property
    def n_rows(self) -> int:
        """The number of calibration rows."""
        return int(self.predicted.sum())

    def count(self, certainty: FloatArray, predicted: Int64Array) -> tuple[Int64Array, Int64Array]:
        """The numbers of other answers in the same bins, and for each class."""
        bins = np.searchsorted(self.cuts, rounded(certainty), side="left")
        in_bins = np.bincount(bins, minlength=len(self.certainties))
        return in_bins, np.bincount(predicted, minlength=len(self.predicted))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays from which `from_arrays` makes the counts again."""
        return {name: getattr(self, name) for name in declared(type(self))}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], n_classes: int) -> Self:
        """The counts in the arrays of `to_arrays`; ValueError if one is not as declared, or contradicts another."""
        check_stored(cls, arrays, {"n_classes": n_classes})
        shares = cls(**{name: frozen(array) for name, array in arrays.items()})
        if not (np.diff(shares.cuts) > 0).all():
            raise ValueError("cuts of the certainties: expected them in ascending order")
        if sum(shares.certainties.tolist()) != sum(shares.predicted.tolist()):
            raise ValueError("answer_shares: expected as many certainties as predicted classes")
        return shares
