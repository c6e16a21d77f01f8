"""The answers for training instances on which a threshold is chosen.

Out of fold by default: on the training rows, where the papers choose, a tree is too sure of itself.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

from wekaconf.base.errors import OptionError
from wekaconf.base.words import Setting
from wekaconf.bridge import folds
from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.arguments import as_share, is_number
from wekaconf.evaluation.fold_answers import Split
from wekaconf.evaluation.rejection import Rejection

ThresholdFrom = Literal["out-of-fold", "training"]
INNER_FOLDS = 10
"""The number of folds of a training set, out of which a threshold is chosen."""
ORDER_FOLDS = 5
"""The number of folds out of which rows are answered to order the tests of a promise."""

CALIBRATE = 0.3
"""The share of the training rows that is held out for a promise unless the user says another."""


def check_calibrate(share: object) -> None:
    """Raise OptionError unless this is a share of rows that leaves some to train on."""
    if not (is_number(share) and 0 < share < 1):
        raise OptionError(
            parameter="calibrate",
            expected="a share of the training rows, more than 0 and less than 1",
            got=f"{share:g}{as_share(float(share))}" if is_number(share) else repr(share),
        )


def rejection_of(aim: Aim, threshold_from: ThresholdFrom, calibrate: float = CALIBRATE, *, seed: int = 1) -> Rejection:
    """The rejection for an aim; OptionError if ``threshold_from`` or ``calibrate`` is not valid. See `Protocol`.

    ``seed`` draws the folds of a training set.
    """
    check_threshold_from(threshold_from)
    is_out_of_fold = threshold_from == "out-of-fold" and aim.fixed_threshold is None
    if aim.confidence is None:
        return Rejection(aim, partial(_inner_folds, n_folds=INNER_FOLDS, seed=seed) if is_out_of_fold else None)
    check_calibrate(calibrate)
    return Rejection(aim, partial(_inner_folds, n_folds=ORDER_FOLDS, seed=seed) if is_out_of_fold else None, calibrate)


def check_threshold_from(threshold_from: object) -> None:
    """Raise OptionError unless the value is "out-of-fold" or "training"."""
    if threshold_from not in ("out-of-fold", "training"):
        raise OptionError(parameter="threshold_from", expected="'out-of-fold' or 'training'", got=f"'{threshold_from}'")


def _inner_folds(train: Dataset, n_folds: int, seed: int) -> list[Split]:
    if len(train) < 2:
        raise OptionError(
            f"a threshold cannot be chosen out of fold on fewer than 2 training instances, and '{train.relation}' has "
            f"{len(train)}; give more, or choose it on the training rows with ",
            Setting("threshold_from", "training"),
            value_of="threshold_from",
        )
    return list(folds(train, min(n_folds, len(train)), seed))
