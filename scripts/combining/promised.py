"""One split of the verdict on promises: how many rows each certainty answers when an error is promised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from combining.forms import Floats
from combining.judging import COMBINED
from combining.schemes import LAPLACE, SIDES
from combining.sides import METHODS, asked, parted
from numpy.typing import NDArray

import wekaconf as wc
from wekaconf.evaluation.accepting import Certainties
from wekaconf.evaluation.promise import promise
from wekaconf.evaluation.promised_choice import drawn_rows
from wekaconf.methods.combined.held_out import HeldOut
from wekaconf.methods.combined.learning import WeightedRanks
from wekaconf.model.scheme import parse_method

CALIBRATE, CONFIDENCE = 0.3, 0.95
SHARE_OF_ERROR = 0.5
"""What is promised is this share of the plain tree's error out of fold."""
COLUMNS = [METHODS.index(side) for side in SIDES]


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


def kept(data: wc.Dataset, seed: int) -> dict[str, Kept]:
    """What each certainty of J48's answers brings, on one split.

    Three tenths of the training rows calibrate. The candidates of every certainty come from the same inner folds of the
    others, so that none has a better start.
    """
    rows, test = parted(data, seed)
    is_held = drawn_rows(len(rows), CALIBRATE)
    train, calibration = rows.take(~is_held), rows.take(is_held)
    learner = wc.J48()
    held_out = HeldOut.of(train, learner, [*map(parse_method, METHODS)], n_folds=10, repetitions=1, seed=1)
    tree = learner.grow_without_notes(train)
    known, known_right, _ = asked(tree, train, calibration)
    new, new_right, _ = asked(tree, train, test)
    target = SHARE_OF_ERROR * float(np.mean(~held_out.right))
    learned = WeightedRanks.of(held_out.sides[:, COLUMNS], held_out.right, held_out.weights, penalty=1.0)

    def together(sides: Floats) -> Floats:
        return learned.certainty(sides[:, COLUMNS]) if learned else sides[:, LAPLACE]

    found = {}
    for column, name in enumerate((*METHODS, COMBINED)):
        inner, held, asked_of = (
            together(sides) if name == COMBINED else sides[:, column] for sides in (held_out.sides, known, new)
        )
        found[name] = _kept(target, (inner, held_out.right), (held, known_right), (asked_of, new_right))
    return found


Answers = tuple[Floats, NDArray[np.bool_]]


def _kept(target: float, inner: Answers, held: Answers, new: Answers) -> Kept:
    """The threshold that the held-out answers show to keep the target, and what it brings on the new ones."""
    if not target:
        return Kept(target, 0.0, is_broken=False)
    reference, rows = (Certainties(certainty, right, np.ones(len(right))) for certainty, right in (inner, held))
    threshold = promise(target, 1 - CONFIDENCE, rows, reference).threshold
    is_answered = new[0] >= threshold
    wrong = float(np.mean(~new[1][is_answered])) if is_answered.any() else 0.0
    return Kept(target, float(is_answered.mean()), is_broken=wrong > target)
