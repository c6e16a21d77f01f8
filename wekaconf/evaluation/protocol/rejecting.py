"""The answers for training instances on which a threshold is chosen."""

from __future__ import annotations

from typing import Literal

from wekaconf.base.errors import OptionError
from wekaconf.base.words import Setting
from wekaconf.bridge import folds
from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.rejection import Rejection
from wekaconf.evaluation.split_answers import Split

ThresholdFrom = Literal["out-of-fold", "training"]


def rejection_of(aim: Aim, threshold_from: ThresholdFrom) -> Rejection:
    """The rejection for an aim; OptionError if ``threshold_from`` is not a valid word. See `Protocol`."""
    check_threshold_from(threshold_from)
    return Rejection(aim, _inner_folds if threshold_from == "out-of-fold" and aim.fixed_threshold is None else None)


def check_threshold_from(threshold_from: object) -> None:
    """Raise OptionError unless the value is "out-of-fold" or "training"."""
    if threshold_from not in ("out-of-fold", "training"):
        raise OptionError(parameter="threshold_from", expected="'out-of-fold' or 'training'", got=f"'{threshold_from}'")


def _inner_folds(train: Dataset) -> list[Split]:
    if len(train) < 2:
        raise OptionError(
            f"a threshold cannot be chosen out of fold on fewer than 2 training instances, and '{train.relation}' has "
            f"{len(train)}; give more, or choose it on the training rows with ",
            Setting("threshold_from", "training"),
            value_of="threshold_from",
        )
    return list(folds(train, min(10, len(train)), 1))
