"""An evaluation: data, learner, methods and protocol in, records and answers out."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Literal

import numpy as np

from wekaconf.data.cost_matrix import CostMatrix
from wekaconf.data.dataset import Dataset, header_of
from wekaconf.errors import Note, OptionError
from wekaconf.evaluation.aim import Aim, check_aim
from wekaconf.evaluation.cross_validation import Answers, choose_thresholds, cross_validate, n_answers
from wekaconf.evaluation.leave_one_out import LeaveOneOut
from wekaconf.evaluation.pieces import Split
from wekaconf.evaluation.resuming import Finished
from wekaconf.evaluation.summary import summarise
from wekaconf.evaluation.thresholds import Choice
from wekaconf.learner import Learner, note_missing_classes
from wekaconf.leaves_one_out import LeavesOneOut
from wekaconf.naming import name_list
from wekaconf.postprocessor import PostProcessor
from wekaconf.protocol.protocol import Prepared, Protocol
from wekaconf.protocol.rejecting import ThresholdFrom, rejection_of
from wekaconf.report.evaluation import Evaluation, Result
from wekaconf.scheme import label_of, learner_for, learner_of, parse_method, scheme_of, usual_learner
from wekaconf.versions import versions


def evaluate(
    data: Dataset,
    methods: Sequence[PostProcessor | str] | PostProcessor | str,
    *,
    protocol: Protocol | None = None,
    folds: int | Literal["loo"] | None = None,
    runs: int | None = None,
    seed: int | None = None,
    learner: str | Sequence[str] | Learner[Any] | None = None,
    options: str | Sequence[str] = "",
    name: str | None = None,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Evaluation:
    """Measure methods on trees that have not seen the instances they answer for.

    Parameters
    ----------
    data : Dataset
    methods : PostProcessor or str, or a sequence of them
        Methods as `method` makes them, or as they are written on the command line. Copies of them are fitted.
    protocol : Protocol, optional
        Left out: ten-fold cross-validation, or what ``folds``, ``runs`` and ``seed`` say.
    folds, runs, seed
        Short for ``Protocol(folds=…, runs=…, seed=…)``.
    learner : str, sequence of str or Learner, optional
        The learner that grows the trees of every method, see `grow`; or, as Weka writes it, FilteredClassifier or
        CostSensitiveClassifier, whose filters and costs join those of the protocol. Left out: each method reads trees
        of the learner that its paper uses, or of J48 where the method reads any tree.
    options : str or sequence of str
        The learner's options. Where the methods read trees of several learners, the learner must be named too.
    name : str, optional
        What records and notes call the data set; its relation when left out.
    resume : path, optional
        A folder, made if need be, in which results are kept as soon as they are finished. Results that the same
        evaluation (same data, splits, methods, options and versions) has left there are not computed again, which a
        `Note` says; a damaged file is not used.
    on_progress : callable
        Called with the number of answers so far and in total, over all methods.

    Returns
    -------
    Evaluation
        Pairs of record and answers, one per method. A record holds dataset, n_instances, class, protocol, folds, seed,
        runs, label (the method as it was given), leave_out, learner, options, preprocess (None, or its name and what it
        was fitted on), filters (Weka's, fitted on each training set), cost_matrix (by which training instances are
        weighted, as text, or None), known (the classes known in each run, or None),
        aim and threshold_from (or None), method, params, reading (the method's reading of its paper, or None; "table"
        for one that reproduces printed tables), the metrics under "pooled", "fold_mean" and "fold_std", which
        ``wekaconf.evaluation.metrics`` defines, the "reject" and "outcomes" of ``wekaconf.evaluation.summary`` (how the
        instances of each class fared), events, notes (on how the answers were computed), and versions. The answers hold
        ``proba``, ``certainty``, ``actual``, ``run``, ``fold``, ``instance`` and more.

    Raises
    ------
    OptionError
        The protocol is given twice or contradicts the data, a method is not defined on such trees, options are given
        for methods of several learners, or ``resume`` is no folder; see also `Protocol`, `grow` and
        `fit_preprocessing`.

    Notes
    -----
    A method that takes long says so before the work starts, as a `Note`. When one instance is left out at a time, a
    method that can do so by itself takes a shorter way than one tree per instance, see
    `wekaconf.evaluation.cross_validation.cross_validate`.
    """
    header = header_of(data)
    protocol = _protocol_of(protocol, {"folds": folds, "runs": runs, "seed": seed})
    chosen = _methods_of(methods)
    for method in chosen.values():
        if protocol.aim is not None:
            check_aim(protocol.aim, method.name, method.certainty_range)
    if learner is not None:
        scheme = scheme_of(learner, options)
        learner, options = scheme.learner, ""
        filters, cost_matrix = (*protocol.filters, *scheme.filters), scheme.costs_beside(protocol.cost_matrix)
        protocol = replace(protocol, filters=filters, cost_matrix=cost_matrix)
    growers = _learners_of(chosen, learner, options)
    facts = {"dataset": name or data.relation, "n_instances": len(data), "class": header.class_attribute.name}
    if name is not None:
        data = data.renamed(name)
    prepared = protocol.prepare(data)
    facts |= protocol.facts(prepared.runs)
    trained_on = prepared.data.take(prepared.is_trained_on)
    note_missing_classes(trained_on)
    n = sum(map(n_answers, prepared.runs))
    _note_costs(chosen.values(), n, prepared)
    results: dict[str, Result] = {}
    for grower in {repr(grower): grower for grower in growers.values()}.values():
        if prepared.prepare is None:
            grower.note(trained_on)
        its_methods = {label: method for label, method in chosen.items() if repr(growers[label]) == repr(grower)}
        follow = partial(_follow, on_progress, n * len(results), n * len(chosen))
        its_answers = _answers(prepared, protocol, grower, list(its_methods.values()), resume, follow)
        shared = facts | {
            "leave_out": protocol.leave_out,
            "learner": grower.name,
            "options": grower.options,
            "preprocess": _preprocess_record(protocol),
            "filters": list(protocol.filters),
            "cost_matrix": None if protocol.cost_matrix is None else str(protocol.cost_matrix),
            "known": None if prepared.known_names is None else [list(names) for names in prepared.known_names],
            "aim": None if protocol.aim is None else str(protocol.aim),
            "threshold_from": None if _fixed_threshold(protocol) else protocol.threshold_from,
        }
        for (label, method), answers in zip(its_methods.items(), its_answers, strict=True):
            if protocol.test is not None:
                answers = replace(answers, instance=answers.instance - len(data))  # noqa: PLW2901
            results[label] = Result(_record(label, method, shared, answers), answers)
    return Evaluation(tuple(results[label] for label in chosen))


def _protocol_of(protocol: Protocol | None, short: Mapping[str, Any]) -> Protocol:
    given = {name: value for name, value in short.items() if value is not None}
    if protocol is None:
        return Protocol(**given)
    if not isinstance(protocol, Protocol):
        raise OptionError(f"protocol: expected a Protocol, such as Protocol(folds=10), got {type(protocol).__name__}")
    if given:
        raise OptionError(f"protocol: {next(iter(given))} is given beside it; set it in the Protocol")
    return protocol


def _methods_of(methods: Sequence[PostProcessor | str] | PostProcessor | str) -> dict[str, PostProcessor]:
    """The methods by their names in tables, which are as the user wrote them."""
    given = [methods] if isinstance(methods, str | PostProcessor) else methods
    if not isinstance(given, Sequence) or not given:
        raise OptionError(
            f"methods: expected names or objects of methods, such as ['leaf_frequency', 'confdtree'], got {methods!r}"
        )
    chosen: dict[str, PostProcessor] = {}
    for method in given:
        if not isinstance(method, str | PostProcessor):
            raise OptionError(f"methods: expected names or objects of methods, got {type(method).__name__}")
        label = method if isinstance(method, str) else label_of(method)
        if label in chosen:
            raise OptionError(f"methods: '{label}' is given twice; leave one out")
        chosen[label] = parse_method(method) if isinstance(method, str) else method
    return chosen


def _learners_of(
    chosen: Mapping[str, PostProcessor],
    learner: str | Sequence[str] | Learner[Any] | None,
    options: str | Sequence[str],
) -> dict[str, Learner[Any]]:
    """The learner that grows the trees of each method; a `Note` where they differ without the user's saying so."""
    if learner is not None:
        return dict.fromkeys(chosen, learner_of(learner, options))
    usual = {label: usual_learner(method) for label, method in chosen.items()}
    if len(set(usual.values())) == 1:
        return dict.fromkeys(chosen, learner_for(next(iter(chosen.values())), None, options))
    who_reads_what = "; ".join(
        f"{name_list(label for label, trees in usual.items() if trees == shared)} on {' '.join(shared).strip()}"
        for shared in dict.fromkeys(usual.values())
    )
    if options:
        raise OptionError(
            f"options: the methods use several learners ({who_reads_what}); give one learner to use it for all"
        )
    warnings.warn(
        Note(
            f"the methods use several learners, that of the paper where it names one: {who_reads_what}; give one "
            "learner to use it for all"
        ),
        stacklevel=3,
    )
    return {label: learner_of(*trees) for label, trees in usual.items()}


def _follow(on_progress: Callable[[int, int], None], before: int, total: int, done: int, _: int) -> None:
    on_progress(before + done, total)


def _answers(
    prepared: Prepared,
    protocol: Protocol,
    learner: Learner[Any],
    methods: Sequence[PostProcessor],
    resume: str | os.PathLike[str] | None,
    on_progress: Callable[[int, int], None],
) -> list[Answers]:
    """The answers of methods on the trees of one learner; those finished earlier are taken from ``resume``."""
    data, runs = prepared.data, prepared.runs
    keeper: AbstractContextManager[Finished | None] = nullcontext()
    if resume is not None:
        made_with = {
            "learner": (learner.name, learner.options),
            "methods": [(type(method).__module__, type(method).__qualname__, method.params) for method in methods],
            "known": prepared.known_names,
            "rejection": None if protocol.aim is None else (protocol.aim, protocol.threshold_from),
            "preprocess": _preprocess_record(protocol),
            "filters": protocol.filters,
            "cost_matrix": protocol.cost_matrix,
            "versions": versions(),
        }
        keeper = Finished(resume, data.relation, _fingerprint(data, runs, made_with))
    with keeper as finished:
        if finished is not None and finished.n_answers:
            n_taken = f"{finished.n_answers} of {sum(map(n_answers, runs)) * len(methods)} answers"
            warnings.warn(Note(f"{data.relation}: {n_taken} are taken from {os.fspath(resume or '')}"), stacklevel=3)
        return cross_validate(
            data,
            runs,
            learner.grow_without_notes,
            methods,
            known=prepared.known,
            rejection=None if protocol.aim is None else rejection_of(protocol.aim, protocol.threshold_from),
            prepare=prepared.prepare,
            weigh=None if protocol.cost_matrix is None else protocol.cost_matrix.weigh,
            finished=finished,
            on_progress=on_progress,
        )


def _record(label: str, method: PostProcessor, shared: Mapping[str, Any], answers: Answers) -> dict[str, Any]:
    params = method.params
    reading = "table" if method.is_table_reading else params.get("reading")
    if "reading" in params:
        params = {**params, "reading": reading}
    return {
        **shared,
        "label": label,
        "method": method.name,
        "params": params,
        "reading": reading,
        "sees_class": method.sees_class,
        **summarise(answers),
        "events": dict(answers.events),
        "notes": list(answers.notes),
        "versions": versions(),
    }


def _preprocess_record(protocol: Protocol) -> dict[str, str] | None:
    if protocol.preprocess is None:
        return None
    return {"name": protocol.preprocess, "fitted_on": "each training set" if protocol.per_fold else "whole set"}


def _fixed_threshold(protocol: Protocol) -> bool:
    return protocol.aim is None or protocol.aim.fixed_threshold is not None


def _fingerprint(data: Dataset, runs: Sequence[Sequence[Split]], made_with: Mapping[str, Any]) -> str:
    """A digest of everything that the answers depend on."""
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


def _note_costs(methods: Iterable[PostProcessor], n: int, prepared: Prepared) -> None:
    data = prepared.data if prepared.known is None else prepared.data.with_known_classes(prepared.known[0])
    for method in methods:
        cost = method.cost(n, data.header) if isinstance(method, LeavesOneOut) else ""
        if cost:
            warnings.warn(Note(f"{data.relation}: {cost}"), stacklevel=3)


def threshold(
    fitted: PostProcessor,
    train: Dataset,
    aim: Aim,
    *,
    learner: str | Sequence[str] | Learner[Any] = "J48",
    options: str = "",
    cost_matrix: CostMatrix | None = None,
    threshold_from: ThresholdFrom = "out-of-fold",
) -> Choice:
    """The certainty below which a fitted method is to reject.

    Parameters
    ----------
    fitted : PostProcessor
    train : Dataset
        The data that it was fitted on, with the weights that they have without costs.
    aim, threshold_from
        See `Protocol`.
    learner, options : str, sequence of str or Learner
        The learner that grew its tree, see `grow`; used where the threshold is chosen out of fold.
    cost_matrix : CostMatrix, optional
        What weighs the training instances of each fold, see `Protocol`.

    Raises
    ------
    OptionError
        The aim does not fit the method's certainty, or there are too few instances for folds.
    """
    check_aim(aim, fitted.name, fitted.certainty_range)
    rejection = rejection_of(aim, threshold_from)
    grow, weigh = learner_of(learner, options).grow_without_notes, None if cost_matrix is None else cost_matrix.weigh
    return choose_thresholds(rejection, [fitted], grow, train, weigh)[0]
