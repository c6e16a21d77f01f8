"""Splits of a data set into training and test instances."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import Literal

import numpy as np

from wekaconf import bridge
from wekaconf.base.errors import Note, OptionError
from wekaconf.base.words import Argument
from wekaconf.data import Dataset, header_of
from wekaconf.evaluation.cross_validation import LeaveOneOut
from wekaconf.evaluation.thresholds import Split


def splits(
    data: Dataset,
    *,
    folds: int | Literal["loo"] = 10,
    split: str | float | tuple[int, int] | None = None,
    stratified: bool = False,
    seed: int = 1,
) -> Sequence[Split]:
    """Training and test rows.

    Parameters
    ----------
    data : Dataset
    folds : int or "loo"
        Weka's stratified cross-validation; "loo": as many folds as instances, in the order of the instances.
    split : str, float or pair of int, optional
        Instead of folds: ``0.5``, the share in (0, 1) to train on, the rest to test on (Weka's percentage split: the
        instances are shuffled with the seed, and the first round(n · share) train); or ``(20, 50)``, how many to train
        and to test on.
    stratified : bool
        Whether the share or the numbers hold for each class, not for all instances together; instances without a class
        then take no part, with a `Note`.
    seed : int

    Returns
    -------
    sequence of (train, test)
        A list, or for "loo" a `wekaconf.evaluation.cross_validation.LeaveOneOut`, which makes all rows when the first
        are needed: O(n²) memory.

    Raises
    ------
    OptionError
        A value is out of range, or there are too few instances.
    """
    header_of(data)
    if split is not None:
        split = split_text(split)
    elif folds == "loo":
        bridge.folds(data.take(slice(2)), 2, seed)  # refuses now what LeaveOneOut would refuse only later
        return LeaveOneOut(len(data), partial(bridge.folds, data, len(data), seed), seed=seed)
    else:
        return list(bridge.folds(data, folds, seed))
    order = bridge.shuffle(len(data), seed)
    groups = {f"'{data.relation}'": order}
    if stratified:
        classes = data.class_values[order]
        if (classes < 0).any():
            n_missing = int((classes < 0).sum())
            warnings.warn(
                Note(f"{data.relation}: {n_missing} instances have no class and no part in a stratified split"),
                stacklevel=2,
            )
        groups = {f"class '{name}'": order[classes == c] for c, name in enumerate(data.class_names)}
    train, test = [], []
    for group_name, group in groups.items():
        n_train, n_test = _split_sizes(split, len(group))
        if n_train + n_test > len(group) > 0:
            raise OptionError(
                Argument("split"), f" '{split}' wants {n_train + n_test} instances, {group_name} has {len(group)}"
            )
        train.append(group[:n_train])
        test.append(group[n_train : n_train + n_test])
    return [(np.concatenate(train), np.concatenate(test))]


def split_text(split: str | float | tuple[int, int]) -> str:
    """A share, or numbers such as 20:50, as a text."""
    return ":".join(map(str, split)) if isinstance(split, tuple) else str(split)


def check_split(split: str | float | tuple[int, int]) -> None:
    """Raise OptionError unless the split is a share or two numbers of instances."""
    _split_sizes(split_text(split), 0)


def _split_sizes(split: str, n: int) -> tuple[int, int]:
    left, colon, right = split.partition(":")
    try:
        if colon and int(left) > 0 and int(right) > 0:
            return int(left), int(right)
        if not colon and 0 < float(left) < 1:
            percent = float(Decimal(left) * 100)  # in the order of Weka's operations, so that it rounds as Weka does
            n_train = math.floor(n * percent / 100 + 0.5)
            return n_train, n - n_train
    except (ValueError, ArithmeticError):
        pass
    expected = "a share between 0 and 1 or counts such as 20:50"
    raise OptionError(str(_as_share(split)), parameter="split", expected=expected, got=f"'{split}'")


def _as_share(split: str) -> str:
    """Advice on how to write a text that looks like a percentage; empty for other texts."""
    try:
        percent = Decimal(split.removesuffix("%").strip())
        looks_like_one = 1 < percent < 100
    except ArithmeticError:  # no number, or NaN
        return ""
    return f"; write {percent / 100:f} for {percent:f} %" if looks_like_one else ""
