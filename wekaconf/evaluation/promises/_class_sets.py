"""Sets of classes that cannot be excluded: split conformal prediction on the probability of each class.

One score for every method, and no parameter. Smoothed p-values reach the coverage exactly, but then the same row has
another set tomorrow. A class is excluded at p ≤ 1 − coverage, the quantile of the textbooks; crepes excludes at p < 1 −
coverage. A set never stands for a promise: the coverage is of all rows, so of the sets of one class up to (1 −
coverage) / their share may be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.rounding import rounded
from wekaconf.base.stored import check_starts, check_stored, stored
from wekaconf.data import MOST_ROWS
from wekaconf.data.arrays import BoolArray, FloatArray, Int32Array, Int64Array, frozen
from wekaconf.evaluation.measures import is_number


@dataclass(frozen=True, eq=False)
class ClassSets:
    """The scores of calibration rows, by which a class is excluded or not.

    The score of a row is the probability of its own class. A class is excluded where a share of at most
    1 − coverage of the calibration rows, the new row counted among them, has a score as small as the probability that
    the new row gives the class. Ties count against excluding, so nothing is drawn at random.

    Parameters
    ----------
    coverage : float
        In (0, 1): the share of the rows whose set holds their own class, at least, on average over calibrations.
    is_per_class : bool
        Whether that share is kept among the rows of each class; else among all rows.
    scores : (n_scores,) float64
        Ascending within each class.
    class_start : (n_classes + 1,) int32
        Where the scores of each class begin in ``scores``.
    n_undeclared : int
        The number of calibration rows of classes that no set can hold.

    References
    ----------
    V. Vovk, A. Gammerman and G. Shafer (2005): Algorithmic Learning in a Random World, 2.2 and 4.5 (split and Mondrian
    conformal predictors).
    """

    coverage: Annotated[float, stored(np.float64, "1", low=0, high=1)]
    is_per_class: Annotated[bool, stored(np.bool_, "1")]
    scores: Annotated[FloatArray, stored(np.float64, "n_scores", low=0, high=1)]
    class_start: Annotated[Int32Array, stored(np.int32, "n_classes + 1", low=0)]
    n_undeclared: Annotated[int, stored(np.int64, "1", low=0, high=MOST_ROWS)]

    @classmethod
    def of(cls, proba: FloatArray, actual: Int64Array, coverage: float, *, is_per_class: bool = False) -> Self:
        """The scores of rows that took no part in training.

        Parameters
        ----------
        proba : (n_rows, n_classes) float64
        actual : (n_rows,) int64
            The index of each row's own class; −1: it is not declared.
        coverage : float
            In (0, 1).
        is_per_class : bool

        Raises
        ------
        OptionError
            ``coverage`` is out of range, or there is no row.
        """
        check_coverage(coverage)
        if not len(actual):
            raise OptionError(
                "class sets: expected rows that calibrate, got none whose class is known", value_of="actual"
            )
        is_declared = actual >= 0
        classes = actual[is_declared]
        scores = rounded(proba[is_declared, classes]).clip(0, 1)
        counts = np.bincount(classes, minlength=proba.shape[1])
        return cls(
            float(coverage),
            bool(is_per_class),
            frozen(scores[np.lexsort([scores, classes])]),
            frozen(np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)),
            len(actual) - len(classes),
        )

    def at(self, coverage: float | None = None, *, is_per_class: bool | None = None) -> Self:
        """The same scores with another coverage, or kept for other rows; None: as it is."""
        sets = self
        if coverage is not None:
            check_coverage(coverage)
            sets = replace(sets, coverage=float(coverage))
        return sets if is_per_class is None else replace(sets, is_per_class=bool(is_per_class))

    @property
    def n_rows(self) -> int:
        """The number of calibration rows."""
        return len(self.scores) + self.n_undeclared

    def p_values(self, proba: FloatArray) -> FloatArray:
        """(n, n_classes) float64: the share of the calibration rows, the new one among them, that are as unlikely.

        ``proba`` is (n, n_classes) float64. Cost: O(n · n_classes · log n_rows).
        """
        n_as_small, n_rows = self._counts(proba)
        return n_as_small / n_rows

    def contains(self, proba: FloatArray) -> BoolArray:
        """(n, n_classes) bool: which classes cannot be excluded, by (n, n_classes) float64 probabilities."""
        n_as_small, n_rows = self._counts(proba)
        return n_as_small > rounded((1 - self.coverage) * n_rows)

    def _counts(self, proba: FloatArray) -> tuple[Int64Array, Int64Array]:
        """How many rows have as small a score, (n, n_classes), and of how many, (n_classes,); the new one in both."""
        given = rounded(proba)
        if not self.is_per_class:
            n_as_small = np.searchsorted(np.sort(self.scores), given, side="right") + self.n_undeclared
            return n_as_small + 1, np.full(given.shape[1], self.n_rows + 1)
        of_class = np.split(self.scores, self.class_start[1:-1])
        columns = [np.searchsorted(scores, given[:, c], side="right") for c, scores in enumerate(of_class)]
        return np.stack(columns, axis=1) + 1, np.diff(self.class_start).astype(np.int64) + 1

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], n_classes: int) -> Self:
        """The sets in these arrays; ValueError if one is not as declared, or contradicts another."""
        check_stored(cls, arrays, {"n_classes": n_classes})
        numbers = ("coverage", "is_per_class", "n_undeclared")
        fields: dict[str, Any] = {
            name: array.item() if name in numbers else frozen(array) for name, array in arrays.items()
        }
        sets = cls(**fields)
        check_starts("class_start", sets.class_start, len(sets.scores))
        if not 0 < sets.coverage < 1:
            raise ValueError(f"coverage of class sets: expected a number between 0 and 1, got {sets.coverage:g}")
        if any((np.diff(scores) < 0).any() for scores in np.split(sets.scores, sets.class_start[1:-1])):
            raise ValueError("scores of class sets: expected them in ascending order within each class")
        return sets


def check_coverage(coverage: float) -> None:
    """Raise OptionError unless the coverage of class sets lies between 0 and 1."""
    if not (is_number(coverage) and 0 < coverage < 1):
        raise OptionError(parameter="class_sets", expected="a share between 0 and 1, such as 0.9", got=f"{coverage!r}")


def largest_singleton_error(coverage: float, sizes: ArrayLike) -> float:
    """In how many of the sets of one class that class may be wrong, at most, as a share of these sets.

    All wrong sets, a share of 1 − coverage of all rows, may have one class. It holds on average over calibrations.

    Parameters
    ----------
    coverage : float
    sizes : (n_classes + 1,) int
        The number of sets of each size; NaN is returned if none has one class.
    """
    counts = np.asarray(sizes)
    return min(1.0, (1 - coverage) * float(counts.sum() / counts[1])) if counts[1] else float("nan")
