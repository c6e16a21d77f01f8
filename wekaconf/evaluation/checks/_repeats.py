"""Rows that repeat others: training rows among those that calibrate or check a promise show nothing about it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import name_list
from wekaconf.data import Dataset
from wekaconf.evaluation.checks._two_samples import fisher

REPEATED_LEVEL = 0.001
"""The level of the test that tells rows that the model has seen from rows that repeat such a row by chance."""
MOST_REPEATED = 0.1
"""The largest share of calibration rows that may repeat others without a note."""


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

    # Data with few nominal values repeat rows by chance, so some are no reason to refuse; and leaving repeated rows out
    # would be a choice.
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
            f"{what}: no calibration row is of class {name_list(absent)}, though training rows are; nothing shows how "
            "such rows are answered, so what is promised holds where they stay as rare"
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
            f"{what}: {repeats.n_repeated} of {n} calibration rows repeat rows that the tree grew on, of which "
            f"{usual.n_repeated} of {usual.n} repeat one another; so the tree has seen these rows, and they show "
            "nothing; give others",
            value_of="calibrate",
        )
