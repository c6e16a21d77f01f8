"""An evaluation: data, learner, methods and protocol in, records and answers out."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import chain
from typing import Any, Literal

import numpy as np

import wekaconf.methods  # noqa: F401 - registers the methods
from wekaconf import bridge
from wekaconf.data.dataset import Dataset
from wekaconf.errors import Note, OptionError
from wekaconf.evaluation.cross_validation import Answers, Rejection, choose_thresholds, cross_validate, n_answers
from wekaconf.evaluation.leave_one_out import LeaveOneOut
from wekaconf.evaluation.pieces import Split
from wekaconf.evaluation.resuming import Finished
from wekaconf.evaluation.summary import summarise
from wekaconf.evaluation.thresholds import Aim, Choice, check_aim
from wekaconf.leaves_one_out import LeavesOneOut
from wekaconf.postprocessor import PostProcessor
from wekaconf.protocol.open_sets import indices_of_known
from wekaconf.protocol.preprocessing import fit_preprocessing
from wekaconf.scheme import (
    choose_learner,
    grower_of,
    note_missing_classes,
    note_of_learner,
    parse_method,
)


def evaluate(
    data: Dataset,
    methods: Sequence[PostProcessor | str],
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
        ``wekaconf.evaluation.metrics`` defines, what ``wekaconf.evaluation.summary`` says under "reject", and
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
    known_classes = None if known is None else indices_of_known(data, known, len(runs))
    n = sum(map(n_answers, runs))
    grower = grower_of(learner, options)
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


def _note_costs(methods: Sequence[PostProcessor], n: int, data: Dataset) -> None:
    for chosen in methods:
        cost = chosen.cost(n, data.header) if isinstance(chosen, LeavesOneOut) else ""
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
    return choose_thresholds(rejection, [fitted], grower_of(learner, options), train)[0]


def _rejection(aim: Aim, threshold_from: str, methods: Sequence[PostProcessor]) -> Rejection:
    if threshold_from not in ("out-of-fold", "training"):
        raise OptionError(f"threshold_from: expected 'out-of-fold' or 'training', got '{threshold_from}'")
    for given in methods:
        check_aim(aim, given.name, given.certainty_range)
    return Rejection(aim, _inner_folds if threshold_from == "out-of-fold" and aim.fixed_threshold is None else None)


def _inner_folds(train: Dataset) -> list[Split]:
    if len(train) < 2:
        raise OptionError(
            f"a threshold cannot be chosen out of fold on {len(train)} training instance(s) of '{train.relation}'; "
            "give more, or choose it on the training rows (--threshold-from training)"
        )
    return list(bridge.folds(train, min(10, len(train)), 1))


def _described(chosen: PostProcessor) -> dict[str, Any]:
    """A method in a record."""
    params = chosen.params
    is_printed = type(chosen) is not PostProcessor.registry.get(chosen.name)
    reading = "table" if is_printed else params.get("reading")
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
