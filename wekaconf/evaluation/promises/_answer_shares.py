"""The answers for calibration rows, counted by certainty and class, right and wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.naming import counted
from wekaconf.base.rounding import rounded
from wekaconf.base.stored import check_stored, stored
from wekaconf.data import MOST_ROWS, bin_cuts
from wekaconf.data.arrays import BoolArray, FloatArray, Int64Array, frozen

CONFIDENCE = 0.95
"""Of the interval for the number of wrong answers."""
_Counts = Annotated[Int64Array, stored(np.int64, "n_classes", "n_cuts + 1", low=0, high=MOST_ROWS)]


class ExpectedErrors(NamedTuple):
    """How many of some answers will be wrong; see `AnswerShares.expected_errors`.

    Parameters
    ----------
    n : int
        The number of answers.
    wrong : float
        How many of them are expected to be wrong.
    low, high : int
        The ends of an interval that holds their number with a confidence of 95 %.
    n_calibrated : int
        The number of calibration rows.
    """

    n: int
    wrong: float
    low: int
    high: int
    n_calibrated: int

    def __str__(self) -> str:
        """The sentence that ``predict`` prints."""
        return (
            f"about {self.wrong:.0f} of the {counted(self.n, 'answer')} will be wrong (interval {self.low} to "
            f"{self.high}), as the {counted(self.n_calibrated, 'calibration row')} show{'s' * (self.n_calibrated == 1)}"
        )


@dataclass(frozen=True, eq=False)
class AnswerShares:
    """Counts of answers for calibration rows whose class is known; no single one can be read from them.

    Parameters
    ----------
    cuts : (n_bins − 1,) float64
        The largest certainty of each bin but the last, ascending.
    right, wrong : (n_classes, n_bins) int64
        The number of right and of wrong answers that predict each class, by the bin of their certainty.
    """

    cuts: Annotated[FloatArray, stored(np.float64, "n_cuts", allows_inf=True)]
    right: _Counts
    wrong: _Counts

    @classmethod
    def of(cls, certainty: FloatArray, predicted: Int64Array, is_wrong: BoolArray, n_classes: int) -> Self:
        """The counts of some answers: their certainties and predicted classes, and if they are wrong, (n,) each."""
        cuts = bin_cuts(rounded(certainty))
        none = np.zeros((n_classes, len(cuts) + 1), np.int64)
        empty = cls(cuts, none, none)
        right, wrong = (empty.count(certainty[rows], predicted[rows]) for rows in (~is_wrong, is_wrong))
        return cls(frozen(cuts), frozen(right), frozen(wrong))

    @property
    def counts(self) -> Int64Array:
        """(n_classes, n_bins) int64: the number of answers."""
        return self.right + self.wrong

    @property
    def n_rows(self) -> int:
        """The number of calibration rows."""
        return int(self.counts.sum())

    def count(self, certainty: FloatArray, predicted: Int64Array) -> Int64Array:
        """(n_classes, n_bins) int64: the numbers of other answers of each class in the same bins."""
        counts = np.zeros_like(self.right)
        np.add.at(counts, (predicted, np.searchsorted(self.cuts, rounded(certainty), side="left")), 1)
        return counts

    def expected_errors(self, answers: Int64Array) -> ExpectedErrors:
        """How many of other answers will be wrong, if their rows are drawn as the calibration rows were.

        Parameters
        ----------
        answers : (n_classes, n_bins) int64
            The number of these answers, see `count`; which ones they are may depend on anything but their classes.

        Notes
        -----
        Answers are in one cell if they predict one class with certainties of one bin. Of the mᵢ answers in a cell mᵢ qᵢ
        are expected to be wrong: qᵢ is the share of wrong ones among the nᵢ calibration rows in the cell and one more,
        which errs as often as the rows of that bin and one more, which errs as often as all do. All m answers together
        are judged by as many rows as m² / Σ mᵢ² / nᵢ (Kish), at most by all. Given the errors expected among so many
        rows, the number of wrong answers has a beta-binomial distribution (with Jeffreys' prior). The interval lies
        between its quantiles of 2.5 and 97.5 %; in simulations it holds 94 to 99 % of the numbers. That is so, too,
        where the same rows chose the threshold, though then the number expected is on the low side.

        References
        ----------
        L. Kish (1965): Survey Sampling, 11.2. E. L. Korn and B. I. Graubard (1998), "Confidence intervals for
        proportions with small expected number of positive counts estimated from survey data": intervals of shares by an
        effective number of rows.
        """
        from scipy.stats import betabinom

        n, n_calibrated = int(answers.sum()), self.n_rows
        if not n or not n_calibrated:
            return ExpectedErrors(n, n / 2, 0, n, n_calibrated)
        of_all = self.wrong.sum() / n_calibrated
        of_bin = (self.wrong.sum(axis=0) + of_all) / (self.counts.sum(axis=0) + 1)
        expected = float((answers * (self.wrong + of_bin) / (self.counts + 1)).sum())
        n_alike = min(n_calibrated, n**2 / float((answers * (answers / np.maximum(self.counts, 1))).sum()))
        n_wrong = n_alike * expected / n
        tail = (1 - CONFIDENCE) / 2
        low, high = betabinom.ppf([tail, 1 - tail], n, n_wrong + 0.5, n_alike - n_wrong + 0.5)
        return ExpectedErrors(n, expected, int(low), int(high), n_calibrated)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], n_classes: int) -> Self:
        """The counts in these arrays; ValueError if one is not as declared, or contradicts another."""
        check_stored(cls, arrays, {"n_classes": n_classes})
        shares = cls(**{name: frozen(array) for name, array in arrays.items()})
        if not (np.diff(shares.cuts) > 0).all():
            raise ValueError("cuts of the certainties: expected them in ascending order")
        return shares
