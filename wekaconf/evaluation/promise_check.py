"""Did a promise hold? Exact tests of an error target on labelled rows that the model has not seen."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.arguments import BoolArray, ratio
from wekaconf.evaluation.bounds import interval, intervals, mean_bound, mean_tail, upper_tail

LEVEL = 0.05
"""The level of the tests."""
LEAST_P = 1e-307
"""The p-value in the place of smaller ones, which a float may not hold."""
REPEATED_LEVEL = 0.001
"""The level of the test that tells rows that the model has seen from rows that repeat such a row by chance."""


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


def repeats_too_often(n_seen: int, n: int, chance: float) -> bool:
    """Whether so many of ``n`` rows repeat one that the model has seen that it cannot be by the chance of one row."""
    return float(upper_tail(n_seen, n, chance)) < REPEATED_LEVEL


def check_apart(calibration: Dataset, growing: Dataset, what: str) -> None:
    """Raise OptionError if calibration rows repeat growing rows more often than growing rows repeat one another."""
    check_digests_apart(row_digests(calibration), row_digests(growing), what)


def check_digests_apart(calibration: NDArray[Any], growing: NDArray[Any], what: str) -> None:
    """`check_apart` for (n,) arrays of whatever the rows are recognised by."""
    grew, counts = np.unique(growing, return_counts=True)
    n, n_repeated = len(calibration), int(np.isin(calibration, grew).sum())
    chance = (1 + counts[counts > 1].sum()) / (2 + len(growing))
    if repeats_too_often(n_repeated, n, chance):
        raise OptionError(
            f"{what}: {n_repeated} of {n} calibration rows repeat rows that the tree grew on, and by chance some "
            f"{n * chance:.0f} would; rows that took part in growing show nothing, give others",
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
