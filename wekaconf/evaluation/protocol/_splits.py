"""Splits of a data set into training and test instances, and the choice of the known classes of an open set.

Trees and methods see a header that declares the known classes only, so that every k in a formula is theirs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import Any, Literal

import numpy as np

from wekaconf import bridge
from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import name_list
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
            tell(f"{data.relation}: {n_missing} instances have no class and no part in a stratified split")
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


def draw_known(data: Dataset, leave_out: Literal["half", "one"], seed: int) -> tuple[str, ...]:
    """Draw which classes are known in an open set.

    Parameters
    ----------
    data : Dataset
    leave_out : {"half", "one"}
        How many of the classes that have instances are unknown; the smaller half if their number is odd.
    seed : int
        Seed of Weka's shuffle of those classes; the first of the shuffled classes are unknown.

    Returns
    -------
    tuple of str
        The known classes, in the order of their declaration.

    Raises
    ------
    OptionError
        Fewer than two classes would be known.
    """
    header_of(data)
    check_leave_out(leave_out)
    present = np.flatnonzero(np.bincount(data.class_values[data.class_values >= 0], minlength=data.n_classes))
    n_foreign = 1 if leave_out == "one" else len(present) // 2
    if len(present) - n_foreign < 2:
        raise OptionError(
            f"'{data.relation}' has instances of {len(present)} classes; without {leave_out} of them "
            f"{len(present) - n_foreign} would be known, and a tree needs 2",
            value_of="leave_out",
        )
    foreign = set(present[bridge.shuffle(len(present), seed)[:n_foreign]].tolist())
    return tuple(name for c, name in enumerate(data.class_names) if c not in foreign)


def check_leave_out(leave_out: object) -> None:
    """Raise OptionError unless the value is "half" or "one"."""
    if leave_out not in ("half", "one"):
        raise OptionError(parameter="leave_out", expected="'half' or 'one'", got=f"'{leave_out}'")


def indices_of_known(data: Dataset, known: Sequence[Sequence[str]], n_runs: int) -> list[np.ndarray[Any, Any]]:
    """The indices of the known classes of each run, ascending; OptionError if the set would not be open."""
    if len(known) != n_runs:
        raise OptionError(
            parameter="known", expected=f"one sequence of class names for each of the {n_runs} runs", got=repr(known)
        )
    index = data.header.class_attribute.value_index
    present = set(data.class_values.tolist())
    indices = []
    for names in known:
        for name in names:
            if name not in index:
                raise OptionError(
                    f"'{data.relation}' has no class '{name}'; its classes are {name_list(data.class_names, name)}",
                    parameter="known",
                )
        chosen = sorted({index[name] for name in names})
        if len(chosen) < 2:
            raise OptionError(f"a tree needs at least 2 classes, got {name_list(names) or 'none'}", parameter="known")
        if not present - {-1, *chosen}:
            raise OptionError(
                f"'{data.relation}' has no instance of another class, so the set is not open", parameter="known"
            )
        indices.append(np.array(chosen))
    return indices
