"""How many rows a certainty answers when half of the tree's own error is promised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import wekaconf as wc
from opinions.halves import parted
from wekaconf.evaluation.measures import Certainties
from wekaconf.evaluation.promises import promise
from wekaconf.evaluation.thresholds import drawn_rows

FEWEST_ROWS = 500
"""A data set counts with so many rows."""
CALIBRATE, CONFIDENCE = 0.3, 0.95
SHARE_OF_ERROR = 0.5
"""What is promised is this share of the plain tree's error out of fold."""


class Told(NamedTuple):
    """Answers to some rows.

    Parameters
    ----------
    certainty : (n,) float64
    right : (n,) bool
    """

    certainty: NDArray[np.float64]
    right: NDArray[np.bool_]


@dataclass(frozen=True)
class Kept:
    """What a promise brings on rows that nothing has seen.

    Parameters
    ----------
    target : float
        The error that is promised.
    coverage : float
        The share of the test rows that is answered; 0 where no threshold can be shown to keep the promise.
    is_broken : bool
        Whether a larger share of the answers than the target is wrong.
    """

    target: float
    coverage: float
    is_broken: bool


def in_three(data: wc.Dataset, seed: int) -> tuple[wc.Dataset, wc.Dataset, wc.Dataset]:
    """The rows of a split that train, those that calibrate, three tenths of what would train, and the new ones."""
    rows, test = parted(data, seed)
    is_held = drawn_rows(len(rows), CALIBRATE)
    return rows.take(~is_held), rows.take(is_held), test


def kept(tree_error: float, inner: Told, held: Told, new: Told) -> Kept:
    """The threshold that held-out answers show to keep the promise, and what it brings on new ones.

    Parameters
    ----------
    tree_error : float
        The share of wrong answers of the plain tree for training rows out of fold.
    inner : Told
        Answers for training rows out of fold, of which the candidates are taken.
    held, new : Told
        Answers for the rows that calibrate, and the new ones.
    """
    target = SHARE_OF_ERROR * tree_error
    if not target:
        return Kept(target, 0.0, is_broken=False)
    reference, rows = (Certainties(*told, np.ones(len(told.right))) for told in (inner, held))
    threshold = promise(target, 1 - CONFIDENCE, rows, reference).threshold
    is_answered = new.certainty >= threshold
    wrong = float(np.mean(~new.right[is_answered])) if is_answered.any() else 0.0
    return Kept(target, float(is_answered.mean()), is_broken=wrong > target)
