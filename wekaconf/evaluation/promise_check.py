"""Did a promise hold? Exact tests of an error target on labelled rows that the model has not seen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import name_list
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.arguments import BoolArray, ratio
from wekaconf.evaluation.bounds import interval, intervals, mean_bound, mean_tail, upper_tail
from wekaconf.evaluation.two_samples import fisher

LEVEL = 0.05
"""The level of the tests."""
LEAST_P = 1e-307
"""The p-value in the place of smaller ones, which a float may not hold."""
REPEATED_LEVEL = 0.001
"""The level of the test that tells rows that the model has seen from rows that repeat such a row by chance."""
MOST_REPEATED = 0.1
"""The largest share of calibration rows that may repeat others without a note."""


@dataclass(frozen=True)
class Counted:
    """Counts of answers.

    Parameters
    ----------
    name : str
        Which answers: a predicted class, or a value of a column; empty: all that something is promised of.
    n, answered, wrong : int
        Number of rows, of answers among them, and of wrong ones.
    """

    name: str
    n: int
    answered: int
    wrong: int

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of Clopper and Pearson for the error, with a confidence level of 95 %."""
        return interval(self.wrong, self.answered)


@dataclass(frozen=True)
class Checked(Counted):
    """Counts of answers, and the exact test of a target on them.

    Parameters
    ----------
    name, n, answered, wrong
        See `Counted`.
    target : float
        The largest error that is promised.
    """

    target: float

    @property
    def p_value(self) -> float:
        """How likely so many errors are if the promise holds, see `bounds.upper_tail`; never 0."""
        return max(float(upper_tail(self.wrong, self.answered, self.target)), LEAST_P)


@dataclass(frozen=True)
class CheckedCost:
    """The mean cost of rows, rejected ones included, and the test of a target on it.

    Parameters
    ----------
    name : str
        Which rows: a value of a column; empty: all.
    target : float
        The largest mean cost per row that is promised.
    n, answered : int
        Number of rows, and of answers among them.
    cost : float
        The mean cost per row, 0 without a row.
    largest : float
        The largest cost that a row can have.
    """

    name: str
    target: float
    n: int
    answered: int
    cost: float
    largest: float

    @property
    def p_value(self) -> float:
        """How likely so large a mean is, at most, if the promise holds, see `bounds.mean_tail`; never 0."""
        saved = mean_tail(1 - self.cost / self.largest, self.n, 1 - self.target / self.largest)
        return max(float(saved), LEAST_P) if self.n and self.cost > self.target else 1.0

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds on the mean cost, with a confidence level of at least 95 %; see `bounds.mean_bound`."""
        share, delta = self.cost / self.largest, LEVEL / 2
        low, high = 1 - mean_bound(1 - share, self.n, delta), mean_bound(share, self.n, delta)
        return self.largest * float(low), self.largest * float(high)


def counted_answers(name: str, is_answered: BoolArray, is_wrong: BoolArray) -> Counted:
    """The counts of some rows, of each of which it is known whether it is answered, and whether wrongly if so."""
    return Counted(name, len(is_answered), int(is_answered.sum()), int((is_answered & is_wrong).sum()))


def row_digests(data: Dataset) -> NDArray[np.uint64]:
    """(n_instances,) uint64: a digest of the cells of each row but its class, by which a row is recognised again."""
    cells = np.delete(data.values, data.header.class_index, axis=1) + 0.0  # −0 becomes 0
    cells[np.isnan(cells)] = np.nan
    rows = np.ascontiguousarray(cells)
    digests = [hashlib.blake2b(row.tobytes(), digest_size=8).digest() for row in rows]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


class Repeats(NamedTuple):
    """How many of the rows of a sample repeat another row that a model has seen.

    Parameters
    ----------
    n_repeated, n : int
        Such rows, and all.
    """

    n_repeated: int
    n: int

    @classmethod
    def among(cls, rows: NDArray[Any], others: NDArray[Any]) -> Self:
        """The rows that repeat one of the others, or one another, by (n,) arrays of what they are recognised by."""
        distinct, counts = np.unique(rows, return_counts=True)
        return cls(int((np.isin(rows, distinct[counts > 1]) | np.isin(rows, others)).sum()), len(rows))

    def exceed(self, usual: Repeats) -> bool:
        """Whether more of these rows repeat others than chance explains, if it brings as many as in another sample."""
        is_more = self.n_repeated * usual.n > usual.n_repeated * self.n
        return is_more and fisher(*self, *usual) < REPEATED_LEVEL


def note_copies(repeats: Repeats, what: str) -> None:
    """Give a `Note` if many calibration rows repeat others, which holds of some data, but of copied rows too."""
    if repeats.n_repeated > MOST_REPEATED * repeats.n:
        tell(
            f"{what}: {repeats.n_repeated} of {repeats.n} calibration rows repeat a row that the tree grew on, or one "
            "another; if the table holds copies of rows, remove them, since a promise that copies show does not hold"
        )


def note_calibration(usual: Repeats, calibration: Dataset, growing: Dataset | None, what: str) -> None:
    """Give the notes of `note_copies` and `note_absent` on calibration rows.

    ``usual`` counts the rows that repeat growing rows or one another; None: the growing rows are not known.
    """
    note_copies(usual, what)
    if growing is not None:
        absent = np.setdiff1d(growing.class_values[growing.class_values >= 0], calibration.class_values)
        note_absent((growing.class_names[int(place)] for place in absent), what)


def note_absent(names: Iterable[str], what: str) -> None:
    """Give a `Note` of classes that no calibration row has."""
    if absent := list(names):
        tell(
            f"{what}: no calibration row is of class {name_list(absent)}, as training rows are; what is promised holds "
            "for rows like those that calibrate, so where such a class is as rare"
        )


def check_apart(calibration: Dataset, growing: Dataset, what: str) -> None:
    """Raise OptionError if calibration rows repeat growing rows more often than growing rows repeat one another."""
    check_digests_apart(row_digests(calibration), row_digests(growing), what)


def check_digests_apart(calibration: NDArray[Any], growing: NDArray[Any], what: str) -> None:
    """`check_apart` for (n,) arrays of whatever the rows are recognised by."""
    usual, n = Repeats.among(growing, growing[:0]), len(calibration)
    repeats = Repeats(int(np.isin(calibration, growing).sum()), n)
    if repeats.exceed(usual):
        raise OptionError(
            f"{what}: {repeats.n_repeated} of {n} calibration rows repeat rows that the tree grew on, but of those "
            f"{usual.n} only {usual.n_repeated} repeat one another; rows that took part in growing show nothing, give "
            "others",
            value_of="calibrate",
        )


def running_error(is_answered: BoolArray, is_wrong: BoolArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The error of the answers so far, row by row, with its interval of 95 %.

    Returns
    -------
    row : (n_answered,) float64
        The numbers of the rows that are answered, from 1.
    error, low, high : (n_answered,) float64
    """
    row = (np.flatnonzero(is_answered) + 1).astype(np.float64)
    wrong = np.cumsum(is_wrong[is_answered])
    answered = np.arange(1, len(row) + 1)
    return row, ratio(wrong, answered), *intervals(wrong, answered)
