"""Folds and shuffles made by Weka."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.bridge import _jvm as jvm
from wekaconf.data import Dataset, header_of

IndexArray = NDArray[np.int32]


def folds(data: Dataset, k: int = 10, seed: int = 1) -> list[tuple[IndexArray, IndexArray]]:
    """Training and test rows of each fold, in the order of Weka's ``crossValidateModel``.

    Parameters
    ----------
    data : Dataset
        The folds are stratified if the class is nominal.
    k : int
        Number of folds, in [2, n_instances].
    seed : int
        Seed of ``java.util.Random``, as in Weka's ``-s``; in [−2^31, 2^31).

    Returns
    -------
    list of (train, test), each (n,) int32
        The training rows are in Weka's order, too. Cost: O(k · n_instances) time and memory.

    Raises
    ------
    OptionError
        ``k`` or ``seed`` is out of range, or no class is chosen.
    """
    header_of(data)
    check_seed(seed)
    if len(data) < 2:
        n = "1 instance" if len(data) == 1 else "no instances"
        raise OptionError(f"'{data.relation}' has {n}, too few for folds; at least 2 are needed", value_of="data")
    if not isinstance(k, int | np.integer) or not 2 <= k <= len(data):
        raise OptionError(
            parameter="folds",
            expected=f"a whole number from 2 to the {len(data)} instances of '{data.relation}'",
            got=repr(k),
        )
    n_classes = data.n_classes if data.header.class_attribute.is_nominal else 0
    classes = np.ascontiguousarray(data.values[:, data.class_index])
    result = jvm.call("folds", classes, n_classes, int(k), int(seed))
    train, test = jvm.call("ints", result, "train"), jvm.call("ints", result, "test")
    ends = np.cumsum(jvm.call("ints", result, "test_lengths"))
    lengths = np.diff(ends, prepend=0)
    train_ends = np.cumsum(len(data) - lengths)
    return [
        (train[train_ends[i] - (len(data) - lengths[i]) : train_ends[i]], test[ends[i] - lengths[i] : ends[i]])
        for i in range(k)
    ]


def shuffle(n_instances: int, seed: int = 1) -> IndexArray:
    """(n_instances,) int32: the order into which Weka's ``Instances.randomize`` brings that many rows."""
    check_seed(seed)
    return jvm.call("shuffle", n_instances, seed)


def check_seed(seed: int, runs: int = 1) -> None:
    """Raise OptionError unless the seed and those of further runs, each one more, are ints of Java."""
    if not isinstance(seed, int | np.integer) or not -(2**31) <= seed <= 2**31 - runs:
        why = "a Java int" if runs == 1 else f"a Java int, also after {runs} runs"
        raise OptionError(
            parameter="seed", expected=f"a whole number from {-(2**31)} to {2**31 - runs} ({why})", got=repr(seed)
        )
