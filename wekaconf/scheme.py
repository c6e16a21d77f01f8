"""A learner by name and a method by name: the one place that joins Weka's side to ours."""

from __future__ import annotations

import hashlib
import inspect
import math
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from decimal import Decimal
from functools import partial
from itertools import chain
from types import NoneType
from typing import Any, Literal, get_args

import numpy as np

import wekaconf.methods  # noqa: F401 - registers the methods
from wekaconf import bridge
from wekaconf.arff import load_arff as load_arff_without_java
from wekaconf.dataset import Dataset, header_of, name_list
from wekaconf.errors import Note, OptionError
from wekaconf.evaluation.cross_validation import (
    Answering,
    Answers,
    LeaveOneOut,
    Rejection,
    Split,
    choose_thresholds,
    cross_validate,
    n_answers,
    summarise,
)
from wekaconf.evaluation.reject import Aim, Choice, check_aim
from wekaconf.evaluation.resuming import Finished
from wekaconf.learners import LEARNERS, NOTES
from wekaconf.methods.tpce import Tpce
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
    """Grow a tree inside Weka, or with scikit-learn, and mirror it.

    Parameters
    ----------
    train : Dataset
        Instances without a class are left out, with a `Note`.
    learner : str
        Weka's J48, C44, REPTree, RandomTree, RandomForest or Bagging; or CART, scikit-learn's.
    options : str
        In Weka's spelling, such as ``"-C 0.25 -M 2"``; for CART ``"prune=cv se=0"``, see
        `wekaconf.learners.cart.grow_cart`, which also tells what becomes of missing and nominal values.

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
    note_of_learner(train, learner)
    return _grower(learner, options)(train)


def _grower(learner: str, options: str) -> Callable[[Dataset], TreeMirror | Forest]:
    """What grows a tree of a learner of ours or of Weka's; OptionError names all of them."""
    if learner in LEARNERS:
        return partial(LEARNERS[learner], options=options)
    try:
        bridge.learner(learner)
    except OptionError as error:
        raise OptionError(f"{error}, {', '.join(LEARNERS)}") from error
    return partial(bridge.grow, learner_name=learner, options=options)


def _grow_labelled(
    train: Dataset, asked: Dataset, labels: Sequence[int], learner: str, options: str
) -> Sequence[Sequence[TreeMirror]]:
    """The trees grown on training data and one instance with one label, for TPCE; in Weka in one call."""
    if learner not in LEARNERS:
        return bridge.grow_labelled(train, asked, labels, learner, options)
    joined = ([train.join(asked.take([i]).with_class_values(label)) for label in labels] for i in range(len(asked)))
    return [[_single(LEARNERS[learner](one, options)) for one in sets] for sets in joined]


def _single(tree: TreeMirror | Forest) -> TreeMirror:
    if isinstance(tree, Forest):
        raise OptionError(f"tpce reads single trees, {tree.learner} grows a forest; name another learner")
    return tree


Tpce.grow_labelled = staticmethod(_grow_labelled)


def note_of_learner(train: Dataset, learner: str) -> None:
    """Warn with a `Note` of what the learner does to such training data, if anything."""
    if learner in NOTES:
        NOTES[learner](train)


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
    kinds = _kinds(PostProcessor.registry[name]) if name in PostProcessor.registry else {}
    params: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"method '{text}': expected parameter=value after the colon, got '{part}'")
        key = key.strip()
        if key in params:
            raise OptionError(f"method '{text}': '{key}' is given twice")
        params[key] = _parse_value(value.strip(), kinds.get(key, ()))
    return method(name, **{key: value for key, value in defaults.items() if key in kinds} | params)


def _kinds(known: type[PostProcessor]) -> dict[str, tuple[type, ...]]:
    """The types that each hyper-parameter of a method takes; all that can be written where it is not annotated."""
    signature = inspect.signature(known.__init__, eval_str=True).parameters
    annotations = {name: signature[name].annotation for name in parameters(known)}
    return {
        name: (NoneType, bool, int, float) if given is inspect.Parameter.empty else get_args(given) or (given,)
        for name, given in annotations.items()
    }


def _parse_value(text: str, kinds: tuple[type, ...]) -> Any:
    """The text as the parameter takes it; as it is where that is no text of the kind, which the method then refuses."""
    word = text.lower()
    if word == "none" and NoneType in kinds:
        return None
    if word in ("true", "false") and bool in kinds:
        return word == "true"
    if int in kinds or float in kinds:
        for number in (int, float):
            try:
                return number(text)
            except ValueError:
                continue
    return text


def available_methods() -> dict[str, type[PostProcessor]]:
    """Every method by name."""
    return dict(sorted(PostProcessor.registry.items()))


def choose_learner(methods: Sequence[Answering], learner: str | None, options: str) -> tuple[str, str]:
    """Learner and options for methods: the user's, else the learner whose trees a method reads, else J48.

    Raises
    ------
    OptionError
        The user names none and two methods name two.
    """
    if learner is not None:
        return learner, options
    named = {method.learner: method.name for method in methods if isinstance(method, PostProcessor) and method.learner}
    if len(named) > 1:
        (first, one), (second, other), *_ = named.items()
        raise OptionError(
            f"{one} reads trees of {' '.join(first).strip()}, {other} those of {' '.join(second).strip()}; "
            "run one after the other, or name a learner that both read"
        )
    learner, usual = next(iter(named), ("J48", ""))
    return learner, options or usual


def draw_known(data: Dataset, leave_out: Literal["half", "one"], seed: int) -> tuple[str, ...]:
    """Draw which classes are known in an open set.

    Parameters
    ----------
    data : Dataset
    leave_out : {"half", "one"}
        How many of the classes that have instances are foreign; of an odd number the smaller half.
    seed : int
        Of Weka's shuffle of those classes, the first of which are left out.

    Returns
    -------
    tuple of str
        The known classes, in the order of their declaration.

    Raises
    ------
    OptionError
        Fewer than two classes would be known.
    """
    if leave_out not in ("half", "one"):
        raise OptionError(f"leave_out: expected 'half' or 'one', got '{leave_out}'")
    present = np.flatnonzero(np.bincount(data.class_values[data.class_values >= 0], minlength=data.n_classes))
    n_foreign = 1 if leave_out == "one" else len(present) // 2
    if len(present) - n_foreign < 2:
        raise OptionError(
            f"'{data.relation}' has instances of {len(present)} classes; without {leave_out} of them "
            f"{len(present) - n_foreign} would be known, and a tree needs 2"
        )
    foreign = set(present[bridge.shuffle(len(present), seed)[:n_foreign]].tolist())
    return tuple(name for c, name in enumerate(data.class_names) if c not in foreign)


def _known_classes(data: Dataset, known: Sequence[Sequence[str]], n_runs: int) -> list[np.ndarray[Any, Any]]:
    if isinstance(known, str) or any(isinstance(names, str) for names in known) or len(known) != n_runs:
        raise OptionError(f"known: expected one sequence of class names for each of the {n_runs} runs, got {known!r}")
    index = data.header.class_attribute.value_index
    present = set(data.class_values.tolist())
    found = []
    for names in known:
        for name in names:
            if name not in index:
                raise OptionError(
                    f"known: '{data.relation}' has no class '{name}'; its classes are "
                    f"{name_list(data.class_names, name)}"
                )
        chosen = sorted({index[name] for name in names})
        if len(chosen) < 2:
            raise OptionError(f"known: a tree needs at least 2 classes, got {name_list(names) or 'none'}")
        if not present - {-1, *chosen}:
            raise OptionError(f"known: '{data.relation}' has no instance of another class, so its set is not open")
        found.append(np.array(chosen))
    return found


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
        Weka's cross-validation, stratified; "loo": as many folds as instances, in the order of the instances.
    split : str, float or pair of int, optional
        Instead of folds: ``0.5``, the share in (0, 1) to train on, the rest to test on (Weka's percentage split:
        shuffled with the seed, the first round(n · share) train); or ``(20, 50)``, how many to train and to test on.
    stratified : bool
        Share or counts of a split hold for each class, not for all instances together; instances without a class
        take no part, with a `Note`.
    seed : int

    Returns
    -------
    sequence of (train, test)
        A list, or for "loo" a `wekaconf.evaluation.cross_validation.LeaveOneOut`, which makes the rows when first
        asked for some: O(n²) memory.

    Raises
    ------
    OptionError
        Out of range, or there are too few instances.
    """
    if split is not None:
        split = ":".join(map(str, split)) if isinstance(split, tuple) else str(split)
    elif folds == "loo":
        bridge.folds(data.take(slice(2)), 2, seed)  # refuses at once what the folds would refuse
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
    learner: str | None = None,
    options: str = "",
    known: Sequence[Sequence[str]] | None = None,
    aim: Aim | None = None,
    threshold_from: Literal["out-of-fold", "training"] = "out-of-fold",
    preprocess: str | None = None,
    per_fold: bool = False,
    resume: str | os.PathLike[str] | None = None,
    on_split: Callable[[], None] = lambda: None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
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
    learner : str, optional
        See `grow`; left out: the learner that the methods name, with its options unless some are given, else J48.
    options : str
        The learner's.
    known : sequence of sequences of str, optional
        An open set: the names of the classes that are known in each run. The others are foreign: their instances
        train nothing, count in no metric of the answers, and are to be rejected.
    aim : Aim, optional
        What a threshold on the certainty is to reach; it is chosen anew for every split. Left out: a method with a
        rule of its own rejects by that, another rejects nothing.
    threshold_from : {"out-of-fold", "training"}
        Whether the threshold is chosen on answers of a 10-fold cross-validation inside the training set, or, as
        papers do, on answers for the instances that the tree was grown on.
    preprocess : str, optional
        A name that `fit_preprocessing` knows. It is fitted on all of ``data``, test instances included.
    per_fold : bool
        It is fitted on each split's training instances instead, and applied to its test instances.
    resume : path, optional
        A folder, made if need be, that gets what is finished as it is. What the same evaluation (data, splits,
        methods, options and versions alike) has left there is not computed again, with a `Note`; nor is a damaged
        file used.
    on_split : callable
        Called after each split for which trees were grown.
    on_progress : callable
        Called with how many answers there are and of how many, each method's counted.

    Returns
    -------
    list of (record, answers)
        One a method. The record holds learner, options, preprocess (None, or its name and what it was fitted on),
        method, params, reading (that of the method, None where it has none; "table" for what is not registered),
        events, notes (what is to be told of how the answers were computed), versions, known (the classes known in each
        run, or None), aim and threshold_from (or None), the metrics under "pooled", "fold_mean" and "fold_std", which
        ``wekaconf.evaluation.metrics`` defines, what ``wekaconf.evaluation.reject`` says under "reject", and
        "outcomes", how the instances of each class fared. The answers hold ``proba``, ``certainty``, ``actual``,
        ``run``, ``fold``, ``instance`` and more.

    Raises
    ------
    OptionError
        ``runs`` is not a sequence of sequences of pairs, there is no instance to train or to test on, a method is
        not defined on such trees, ``per_fold`` is given without ``preprocess``, an open set is preprocessed as a
        whole, or ``resume`` is no folder; see `grow` and `fit_preprocessing` too.

    Notes
    -----
    What a method says about its cost is told first, as a `Note`. In a run of ``splits(data, folds="loo")`` a method may
    go a shorter way than a tree an instance, see `wekaconf.evaluation.cross_validation.cross_validate`.
    """
    if per_fold and preprocess is None:
        raise OptionError("per_fold belongs to preprocess; name a preprocessing, or leave per_fold out")
    if isinstance(methods, str):
        raise OptionError(f"methods: expected a sequence of methods, such as ['{methods}'], got '{methods}'")
    chosen_methods = [parse_method(given) if isinstance(given, str) else given for given in methods]
    is_trained_on, is_tested_on = np.zeros((2, len(data)), dtype=np.bool_)
    try:
        for run in runs:
            if isinstance(run, LeaveOneOut):
                is_trained_on[:] = is_tested_on[:] = True
                continue
            for train, test in run:
                is_trained_on[train] = is_tested_on[test] = True
    except (TypeError, ValueError, IndexError) as error:
        raise OptionError("runs: expected one sequence of (train, test) a run, such as [splits(data)]") from error
    if not is_tested_on.any():
        raise OptionError(f"no instance of '{data.relation}' to test on; choose a larger test share or test file")
    trained_on = data.take(is_trained_on)
    note_missing_classes(trained_on)
    learner, options = choose_learner(chosen_methods, learner, options)
    note_of_learner(trained_on, learner)
    rejection = None if aim is None else _rejection(aim, threshold_from, chosen_methods)
    prepare = preprocessed = None
    if preprocess is not None:
        preprocessed = {"name": preprocess, "fitted_on": "each training set" if per_fold else "whole set"}
        if per_fold:
            prepare = partial(_preprocess_split, preprocess)
        elif known is not None:
            raise OptionError("in an open set foreign instances train nothing: fit the preprocessing per fold")
        else:
            data = fit_preprocessing(data, preprocess).output
    known_classes = None if known is None else _known_classes(data, known, len(runs))
    n = sum(map(n_answers, runs))
    grower = _grower(learner, options)
    _note_costs(chosen_methods, n, data if known_classes is None else data.with_known_classes(known_classes[0]))
    keeper: AbstractContextManager[Finished | None] = nullcontext()
    if resume is not None:
        made_with = {
            "learner": (learner, options),
            "methods": [
                (type(chosen).__module__, type(chosen).__qualname__, chosen.params) for chosen in chosen_methods
            ],
            "known": known,
            "rejection": None if aim is None else (aim, threshold_from),
            "preprocess": preprocessed,
            "versions": versions(),
        }
        keeper = Finished(resume, data.relation, _fingerprint(data, runs, made_with), aim=aim)
    with keeper as finished:
        if finished is not None and finished.n_answers:
            there = f"{finished.n_answers} of {n * len(chosen_methods)} answers"
            warnings.warn(Note(f"{data.relation}: {there} are taken from {os.fspath(resume or '')}"), stacklevel=2)
        answers = cross_validate(
            data,
            runs,
            grower,
            chosen_methods,
            known=known_classes,
            rejection=rejection,
            prepare=prepare,
            finished=finished,
            on_split=on_split,
            on_progress=on_progress,
        )
    return [
        (
            {
                "learner": learner,
                "options": options,
                "preprocess": preprocessed,
                "known": None if known is None else [list(names) for names in known],
                "aim": None if aim is None else str(aim),
                "threshold_from": threshold_from if aim is not None and aim.fixed_threshold is None else None,
                **_described(chosen),
                **summarise(own),
                "events": dict(own.events),
                "notes": list(own.notes),
                "versions": versions(),
            },
            own,
        )
        for chosen, own in zip(chosen_methods, answers, strict=True)
    ]


def _fingerprint(data: Dataset, runs: Sequence[Sequence[Split]], made_with: Mapping[str, Any]) -> str:
    """A digest of all that answers depend on."""
    digest = hashlib.sha256(repr((data.header, made_with)).encode())
    for array in (data.values, data.weights):
        digest.update(np.ascontiguousarray(array).data)
    for run in runs:
        if isinstance(run, LeaveOneOut):
            digest.update(repr(("leave-one-out", len(run), run.seed)).encode())
            continue
        digest.update(repr(("splits", [(len(train), len(test)) for train, test in run])).encode())
        for rows in chain.from_iterable(run):
            digest.update(np.ascontiguousarray(rows, dtype=np.int64).data)
    return digest.hexdigest()


def _note_costs(methods: Sequence[Answering], n: int, data: Dataset) -> None:
    for chosen in methods:
        cost = chosen.cost(n, data.header) if isinstance(chosen, PostProcessor) else ""
        if cost:
            warnings.warn(Note(f"{data.relation}: {cost}"), stacklevel=3)


def threshold(
    fitted: PostProcessor,
    train: Dataset,
    aim: Aim,
    *,
    learner: str = "J48",
    options: str = "",
    threshold_from: Literal["out-of-fold", "training"] = "out-of-fold",
) -> Choice:
    """The certainty below which a fitted method is to reject.

    Parameters
    ----------
    fitted : PostProcessor
    train : Dataset
        What it was fitted on.
    aim, threshold_from
        See `evaluate`.
    learner, options : str
        What its tree was grown by; used where the threshold is chosen out of fold.

    Raises
    ------
    OptionError
        The aim does not fit the method's certainty, or there are too few instances for folds.
    """
    rejection = _rejection(aim, threshold_from, [fitted])
    return choose_thresholds(rejection, [fitted], _grower(learner, options), train)[0]


def _rejection(aim: Aim, threshold_from: str, methods: Sequence[Answering]) -> Rejection:
    if threshold_from not in ("out-of-fold", "training"):
        raise OptionError(f"threshold_from: expected 'out-of-fold' or 'training', got '{threshold_from}'")
    for given in methods:
        check_aim(aim, given.name, getattr(given, "certainty_range", PostProcessor.certainty_range))
    return Rejection(aim, _inner_folds if threshold_from == "out-of-fold" and aim.fixed_threshold is None else None)


def _inner_folds(train: Dataset) -> list[Split]:
    if len(train) < 2:
        raise OptionError(
            f"a threshold cannot be chosen out of fold on {len(train)} training instance(s) of '{train.relation}'; "
            "give more, or choose it on the training rows (--threshold-from training)"
        )
    return list(bridge.folds(train, min(10, len(train)), 1))


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
    """Versions of what made a result: wekaconf, weka, java, bridge, wrapper, numpy, scikit-learn, python."""
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
        "scikit-learn": version("scikit-learn"),
        "python": platform.python_version(),
    }
