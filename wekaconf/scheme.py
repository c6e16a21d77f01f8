"""A learner by name and a method by name: the one place that joins Weka's side to ours."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import Any, Literal

import numpy as np

import wekaconf.methods  # noqa: F401 - registers the methods
from wekaconf import bridge
from wekaconf.arff import load_arff as load_arff_without_java
from wekaconf.dataset import Dataset, header_of
from wekaconf.errors import Note, OptionError
from wekaconf.evaluation.cross_validation import Answering, Answers, Split, cross_validate, summarise
from wekaconf.postprocessor import PostProcessor, parameters
from wekaconf.preprocessing import fit_preprocessing
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
        liac-arff, which needs no Java, or Weka's own ArffLoader; both give the same Dataset, but Weka's refuses
        relational attributes.

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
    header_of(train)
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
        See `available_methods`.
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
    if params.get("reading") == "table":
        raise OptionError(
            f"{name}: the table reading uses the class of the instances it answers for, so it is no method; it is in "
            "wekaconf.replication, and 'wekaconf evaluate --reading table' calls it"
        )
    for given in params:
        if given not in parameters(known):
            valid = ", ".join(parameters(known)) or "none"
            raise OptionError(f"{name} has no parameter '{given}'; its parameters are: {valid}")
    return known(**params)


def parse_method(text: str, **defaults: Any) -> PostProcessor:
    """A method as the command line writes it, such as ``confdtree:variant=tdist,min_instances=10``.

    ``defaults`` are values of hyper-parameters that the text leaves open; a method that lacks one goes without.
    """
    name, _, rest = text.partition(":")
    name = name.strip()
    params: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"method '{text}': expected parameter=value after the colon, got '{part}'")
        key = key.strip()
        if key in params:
            raise OptionError(f"method '{text}': '{key}' is given twice")
        params[key] = _parse_value(value.strip())
    if name in PostProcessor.registry:
        own = parameters(PostProcessor.registry[name])
        params = {key: value for key, value in defaults.items() if key in own} | params
    return method(name, **params)


def _parse_value(text: str) -> Any:
    if text.lower() in ("true", "false", "none"):
        return {"true": True, "false": False, "none": None}[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def available_methods() -> dict[str, type[PostProcessor]]:
    """Every method by name."""
    return dict(sorted(PostProcessor.registry.items()))


def splits(
    data: Dataset,
    *,
    folds: int | Literal["loo"] = 10,
    split: str | float | tuple[int, int] | None = None,
    stratified: bool = False,
    seed: int = 1,
) -> list[Split]:
    """Training and test rows.

    Parameters
    ----------
    data : Dataset
    folds : int or "loo"
        Weka's cross-validation, stratified; "loo": as many folds as instances.
    split : str, float or pair of int, optional
        Instead of folds: ``0.5``, the share in (0, 1) to train on, the rest to test on (Weka's percentage split:
        shuffled with the seed, the first round(n · share) train); or ``(20, 50)``, how many to train and to test on.
    stratified : bool
        Share or counts of a split hold for each class, not for all instances together; instances without a class
        take no part, with a `Note`.
    seed : int

    Raises
    ------
    OptionError
        Out of range, or there are too few instances.
    """
    if split is not None:
        split = ":".join(map(str, split)) if isinstance(split, tuple) else str(split)
    else:
        return list(bridge.folds(data, len(data) if folds == "loo" else folds, seed))
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
    for whose, group in groups.items():
        n_train, n_test = _split_sizes(split, len(group))
        if n_train + n_test > len(group) > 0:
            raise OptionError(f"split '{split}' wants {n_train + n_test} instances, {whose} has {len(group)}")
        train.append(group[:n_train])
        test.append(group[n_train : n_train + n_test])
    return [(np.concatenate(train), np.concatenate(test))]


def _split_sizes(split: str, n: int) -> tuple[int, int]:
    left, colon, right = split.partition(":")
    try:
        if colon and int(left) > 0 and int(right) > 0:
            return int(left), int(right)
        if not colon and 0 < float(left) < 1:
            percent = float(Decimal(left) * 100)  # Weka's operations, for Weka's rounding
            n_train = math.floor(n * percent / 100 + 0.5)
            return n_train, n - n_train
    except (ValueError, ArithmeticError):
        pass
    raise OptionError(f"split: expected a share between 0 and 1 or counts such as 20:50, got '{split}'")


def evaluate(
    data: Dataset,
    methods: Sequence[Answering | str],
    runs: Sequence[Sequence[Split]],
    *,
    learner: str = "J48",
    options: str = "",
    preprocess: str | None = None,
    per_fold: bool = False,
    on_split: Callable[[], None] = lambda: None,
) -> list[tuple[dict[str, Any], Answers]]:
    """Measure methods on the trees of a learner.

    Parameters
    ----------
    data : Dataset
    methods : sequence of PostProcessor or str
        As `method` gives them or as the command line writes them; copies are fitted, those given stay as they are.
        Another object with the methods of ``Answering`` may see the class of the instances it answers for.
    runs : sequence of sequences of (train, test)
        Such as ``[splits(data, seed=1), splits(data, seed=2)]``.
    learner, options : str
        See `grow`.
    preprocess : str, optional
        A name that `fit_preprocessing` knows. It is fitted on all of ``data``, test instances included.
    per_fold : bool
        It is fitted on each split's training instances instead, and applied to its test instances.
    on_split : callable
        Called after each split.

    Returns
    -------
    list of (record, answers)
        One a method. The record holds learner, options, preprocess (None, or its name and what it was fitted on),
        method, params, reading (that of the method, None where it has none; "table" for what is not registered),
        events, versions, and the metrics under "pooled", "fold_mean" and "fold_std", which
        ``wekaconf.evaluation.metrics`` defines. The answers hold ``proba``, ``actual``, ``run``, ``fold``,
        ``instance`` and more.

    Raises
    ------
    OptionError
        ``runs`` is not a sequence of sequences of pairs, there is no instance to train or to test on, a method is
        not defined on such trees, or ``per_fold`` is given without ``preprocess``; see `grow` and `fit_preprocessing`
        too.
    """
    if per_fold and preprocess is None:
        raise OptionError("per_fold belongs to preprocess; name a preprocessing, or leave per_fold out")
    if isinstance(methods, str):
        raise OptionError(f"methods: expected a sequence of methods, such as ['{methods}'], got '{methods}'")
    chosen_methods = [parse_method(given) if isinstance(given, str) else given for given in methods]
    is_trained_on, is_tested_on = np.zeros((2, len(data)), dtype=np.bool_)
    try:
        for train, test in chain.from_iterable(runs):
            is_trained_on[train] = is_tested_on[test] = True
    except (TypeError, ValueError, IndexError) as error:
        raise OptionError("runs: expected one sequence of (train, test) a run, such as [splits(data)]") from error
    if not is_tested_on.any():
        raise OptionError(f"no instance of '{data.relation}' to test on; choose a larger test share or test file")
    note_missing_classes(data.take(is_trained_on))
    prepare = preprocessed = None
    if preprocess is not None:
        preprocessed = {"name": preprocess, "fitted_on": "each training set" if per_fold else "whole set"}
        if per_fold:
            prepare = partial(_preprocess_split, preprocess)
        else:
            data = fit_preprocessing(data, preprocess).output
    answers = cross_validate(
        data,
        runs,
        lambda train: bridge.grow(train, learner, options),
        chosen_methods,
        prepare=prepare,
        on_split=on_split,
    )
    return [
        (
            {
                "learner": learner,
                "options": options,
                "preprocess": preprocessed,
                **_described(chosen),
                **summarise(own),
                "events": dict(own.events),
                "versions": versions(),
            },
            own,
        )
        for chosen, own in zip(chosen_methods, answers, strict=True)
    ]


def _described(chosen: Answering) -> dict[str, Any]:
    """A method in a record; only a registered one is kept from the class of the instances it answers for."""
    params = chosen.params
    is_registered = type(chosen) is PostProcessor.registry.get(chosen.name)
    reading = params.get("reading") if is_registered else "table"
    if "reading" in params:
        params = {**params, "reading": reading}
    return {"method": chosen.name, "params": params, "reading": reading}


def _preprocess_split(name: str, train: Dataset, test: Dataset) -> tuple[Dataset, Dataset]:
    fitted = fit_preprocessing(train, name)
    return fitted.output, fitted.apply(test)


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
