"""A learner by name and a method by name: the one place that joins Weka's side to ours."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

import wekaconf.methods  # noqa: F401 - registers the methods
from wekaconf import bridge
from wekaconf.arff import load_arff as load_arff_without_java
from wekaconf.dataset import Dataset
from wekaconf.errors import Note, OptionError
from wekaconf.evaluation.cross_validation import Answers, Split, cross_validate, summarise
from wekaconf.postprocessor import PostProcessor, parameters
from wekaconf.tree import Forest, TreeMirror


def load_arff(
    path: str | os.PathLike[str],
    *,
    class_attribute: str | int | None = "last",
    reader: Literal["liac", "weka"] = "liac",
) -> Dataset:
    """Read an ARFF file, gzipped or not.

    Parameters
    ----------
    path : path
    class_attribute : str, int or None
        ``"last"``, ``"first"``, a number from 1, or a name; None: no class.
    reader : {"liac", "weka"}
        liac-arff, which needs no Java, or Weka's own ArffLoader; both give the same Dataset.

    Raises
    ------
    ArffError
        The file is absent, unreadable or malformed; with file and line.
    OptionError
        There is no such class attribute.
    """
    if reader == "weka":
        return bridge.load_arff_with_weka(path, class_attribute=class_attribute)
    if reader != "liac":
        raise OptionError(f"reader: expected 'liac' or 'weka', got '{reader}'")
    return load_arff_without_java(path, class_attribute=class_attribute)


def grow(train: Dataset, learner: str = "J48", options: str = "") -> TreeMirror | Forest:
    """Grow a tree inside Weka and mirror it.

    Parameters
    ----------
    train : Dataset
        Instances without a class are left out, with a `Note`.
    learner : str
        J48, C44, REPTree, RandomTree, RandomForest or Bagging.
    options : str
        In Weka's spelling, such as ``"-C 0.25 -M 2"``.

    Returns
    -------
    TreeMirror, or Forest for RandomForest and Bagging.

    Raises
    ------
    OptionError
        Unknown learner or option, or data that cannot be learned from.
    BridgeError
        No usable Java, or Weka failed.
    """
    note_missing_classes(train)
    return bridge.grow(train, learner, options)


def note_missing_classes(train: Dataset) -> None:
    """Warn with a `Note` when instances without a class will be left out of training."""
    n_missing = int((train.class_values < 0).sum())
    if n_missing:
        warnings.warn(
            Note(f"{train.relation}: {n_missing} of {len(train)} instances have no class and are left out of training"),
            stacklevel=3,
        )


def method(name: str, **params: Any) -> PostProcessor:
    """A method by name, not fitted.

    Parameters
    ----------
    name : str
        See `methods`.
    **params
        Its hyper-parameters.

    Raises
    ------
    OptionError
        Unknown name or parameter, or a value out of range; the message tells the valid ones.
    """
    known = PostProcessor.registry.get(name)
    if known is None:
        raise OptionError(f"no method '{name}'; the methods are {', '.join(sorted(PostProcessor.registry))}")
    for given in params:
        if given not in parameters(known):
            valid = ", ".join(parameters(known)) or "none"
            raise OptionError(f"{name} has no parameter '{given}'; its parameters are: {valid}")
    return known(**params)


def parse_method(text: str) -> PostProcessor:
    """A method as the command line writes it, such as ``confdtree:variant=tdist,min_instances=10``."""
    name, _, rest = text.partition(":")
    params = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"method '{text}': expected parameter=value after the colon, got '{part}'")
        params[key.strip()] = _parse_value(value.strip())
    return method(name.strip(), **params)


def _parse_value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def methods() -> dict[str, type[PostProcessor]]:
    """Every method by name."""
    return dict(sorted(PostProcessor.registry.items()))


def splits(
    data: Dataset,
    *,
    folds: int | Literal["loo"] = 10,
    split: str | None = None,
    stratified: bool = False,
    seed: int = 1,
) -> list[Split]:
    """Training and test rows.

    Parameters
    ----------
    data : Dataset
    folds : int or "loo"
        Weka's cross-validation, stratified; "loo": as many folds as instances.
    split : str, optional
        Instead of folds: ``"0.5"``, the share in (0, 1) to train on, the rest to test on (Weka's percentage split:
        shuffled with the seed, the first round(n · share) train); or ``"20:50"``, how many to train and to test on.
    stratified : bool
        Share or counts of a split hold for each class, not for all instances together.
    seed : int

    Raises
    ------
    OptionError
        Out of range, or there are too few instances.
    """
    if split is None:
        return list(bridge.folds(data, len(data) if folds == "loo" else folds, seed))
    order = bridge.shuffle(len(data), seed)
    groups = [order]
    if stratified:
        groups = [order[data.class_values[order] == c] for c in range(-1, data.n_classes)]
    sizes = [(len(group), *_split_sizes(split, len(group))) for group in groups]
    for c, (n, n_train, n_test) in enumerate(sizes):
        if n_train + n_test > n > 0:
            whose = f"class '{data.class_names[c - 1]}'" if stratified else f"'{data.relation}'"
            raise OptionError(f"split '{split}' wants {n_train + n_test} instances, {whose} has {n}")
    train = [group[:n_train] for group, (_, n_train, _) in zip(groups, sizes, strict=True)]
    test = [group[n_train : n_train + n_test] for group, (_, n_train, n_test) in zip(groups, sizes, strict=True)]
    return [(np.concatenate(train), np.concatenate(test))]


def _split_sizes(split: str, n: int) -> tuple[int, int]:
    left, colon, right = split.partition(":")
    try:
        if colon and int(left) > 0 and int(right) > 0:
            return int(left), int(right)
        if not colon and 0 < float(left) < 1:
            n_train = int(np.floor(n * float(left) + 0.5))
            return n_train, n - n_train
    except ValueError:
        pass
    raise OptionError(f"split: expected a share such as 0.5 or counts such as 20:50, got '{split}'")


def evaluate(
    data: Dataset,
    methods: Sequence[PostProcessor],
    runs: Sequence[Sequence[Split]],
    *,
    learner: str = "J48",
    options: str = "",
    on_split: Callable[[], None] = lambda: None,
) -> list[tuple[dict[str, Any], Answers]]:
    """Measure methods on the trees of a learner.

    Parameters
    ----------
    data : Dataset
    methods : sequence of PostProcessor
    runs : sequence of sequences of (train, test)
        Such as ``[splits(data, seed=1), splits(data, seed=2)]``.
    learner, options : str
        See `grow`.
    on_split : callable
        Called after each split.

    Returns
    -------
    list of (record, answers)
        One a method. The record holds learner, options, method, params, events, versions, and the metrics
        under "pooled", "fold_mean" and "fold_std"; see `summarise`.
    """
    note_missing_classes(data)
    answers = cross_validate(data, runs, lambda train: bridge.grow(train, learner, options), methods, on_split=on_split)
    return [
        (
            {
                "learner": learner,
                "options": options,
                "method": chosen.name,
                "params": chosen.params,
                **summarise(own),
                "events": dict(own.events),
                "versions": versions(),
            },
            own,
        )
        for chosen, own in zip(methods, answers, strict=True)
    ]


def versions() -> dict[str, str]:
    """Versions of what made a result: wekaconf, weka, java, bridge, wrapper, numpy, python."""
    import platform
    from importlib.metadata import version

    about = bridge.about()
    return {
        "wekaconf": version("wekaconf"),
        "weka": about["weka"],
        "wrapper": version("python-weka-wrapper3"),
        "bridge": about["bridge"],
        "java": about["java"],
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
