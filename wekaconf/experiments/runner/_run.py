"""Evaluates methods on one data set, or measures many data sets, in this process or in others."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Literal

from wekaconf.base.errors import OptionError, StoreError
from wekaconf.data import Dataset
from wekaconf.evaluation.protocol import Protocol
from wekaconf.experiments.runner._measurement import Measurement
from wekaconf.experiments.runner._plan import Methods, Plan
from wekaconf.experiments.store import store_for
from wekaconf.experiments.workers import Pool, Task, follower
from wekaconf.report.evaluation import Evaluation
from wekaconf.tree.learner import Learner


def measure_each(
    sets: Mapping[Any, Callable[[], Measurement]],
    sizes: Mapping[Any, float],
    pool: Pool,
    on_progress: Callable[[str, float], None] = lambda _names, _share: None,
) -> Iterator[tuple[Any, Measurement | Exception]]:
    """Measure data sets, and give each as soon as it is measured, in any order.

    A measurement fails as a whole: what a method that fails must not take from the others is in the store by then, and
    no error has to travel per method through folds that share a tree.

    Parameters
    ----------
    sets : mapping of keys to callables
        Each reads a data set and makes its measurement. The texts of the keys are the names in the progress.
    sizes : mapping of keys to float
        The share of each in the work, in any unit.
    pool : Pool
        Where folds are answered.
    on_progress : callable
        Called at the start, and whenever the share of the work that is done has changed, see `follower`.

    Yields
    ------
    key : object
    found : Measurement or Exception
        The finished measurement, or the first error.

    Raises
    ------
    StoreError
        A store cannot be read or written, which ends all measurements. Another error ends one of them.
    """
    follow = follower(sizes, pool.jobs, on_progress)
    under_way: dict[Any, Measurement] = {}
    ended: deque[tuple[Any, Measurement | Exception]] = deque()

    def end(key: Any, found: Measurement | Exception) -> None:
        if isinstance(found, StoreError):
            raise found
        under_way.pop(key, None)
        ended.append((key, found))
        follow(key, 1.0)

    def finish_or_follow(key: Any) -> None:
        if not under_way[key].is_answered:
            follow(key, under_way[key].share)
            return
        try:
            under_way[key].finish()
        except Exception as error:
            end(key, error)
        else:
            end(key, under_way[key])

    def tasks() -> Iterator[Task]:
        for key, begin in sets.items():
            follow(key, 0.0)
            try:
                under_way[key] = measurement = begin()
            except Exception as error:
                end(key, error)
                continue
            finish_or_follow(key)
            for number, call in enumerate(measurement.calls(pool, partial(follow, key))):
                if key not in under_way:  # it is finished, or an earlier task has failed
                    break
                yield Task((key, number), call)

    with closing(pool.outcomes(tasks())) as outcomes:
        for (key, _), values, error, _ in outcomes:
            if key in under_way:
                for fold, answers in values:
                    under_way[key].keep(fold, answers)
                if error is None:
                    finish_or_follow(key)
                else:
                    end(key, error)
            while ended:
                yield ended.popleft()
    yield from ended


def evaluate(
    data: Dataset,
    methods: Methods,
    *,
    protocol: Protocol | None = None,
    folds: int | Literal["loo"] | None = None,
    runs: int | None = None,
    seed: int | None = None,
    learner: str | Sequence[str] | Learner[Any] | None = None,
    options: str | Sequence[str] = "",
    name: str | None = None,
    metrics: Sequence[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Evaluation:
    """Measure methods on trees that have not seen the instances they answer for.

    Parameters
    ----------
    data : Dataset
    methods : Method or str, or a sequence of them
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
    metrics : sequence of str, optional
        Measure only these, out of ``wekaconf.evaluation.summaries.MEASURES``, which takes less time; the others are NaN
        in the records. How instances were rejected is measured, too, if some may be or if classes are left out. Left
        out: all of them, as ``resume`` needs.
    resume : path, optional
        A file, made if need be, in which answers are kept as soon as they are there, see `Store`. Answers of the same
        evaluation (same data, splits, method, options, versions and code) are not computed again, which a `Note` says.
    jobs : int
        Number of processes that grow trees and answer, at least 1, each with a virtual machine of its own. One process
        grows Weka's next tree in a thread of Java while it asks the last one, unless ``NUMBA_NUM_THREADS=1``. Where you
        have set a backend by joblib's ``parallel_config``, that does the work. The answers are the same for any number.
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
        ``wekaconf.evaluation.measures`` defines, the "reject", "outcomes" and, with thresholds, "predicted" of
        ``wekaconf.evaluation.summaries`` (how the instances, and the answers, of each class fared), "majority" (what
        the most frequent class of each training set would score), events, notes (on how the answers were computed), and
        versions. The answers hold ``proba``, ``certainty``, ``actual``, ``run``, ``fold``, ``instance`` and more.

    Raises
    ------
    OptionError
        The protocol is given twice or contradicts the data, a method is not defined on such trees, options are given
        for methods of several learners, there is no such metric, metrics are chosen for a store, ``jobs`` is no number
        of at least 1, or ``resume`` is a folder; see also `Protocol`, `grow` and `fit_preprocessing`.
    StoreError
        ``resume`` is no store, is damaged, or cannot be written.

    Notes
    -----
    A method that takes long says so before the work starts, as a `Note`. When one instance is left out at a time, a
    method that can do so by itself takes a shorter way than one tree per instance, see
    `wekaconf.evaluation.cross_validation.CrossValidation`.
    """
    if not isinstance(jobs, int) or jobs < 1:
        raise OptionError(parameter="jobs", expected="a whole number of at least 1", got=f"'{jobs}'")
    if metrics is not None and resume is not None:
        raise OptionError("a store keeps all of them; leave out metrics, or resume", parameter="metrics")
    plan = Plan.of(methods, _protocol_of(protocol, folds, runs, seed), learner, options, metrics)
    with store_for(resume) as store:
        measurement = Measurement(plan, data, name, store)

        def report(_: str, share: float) -> None:
            on_progress(round(share * measurement.n_answers), measurement.n_answers)

        [(_, found)] = measure_each({"": lambda: measurement}, {"": 1.0}, Pool(jobs), report)
    if isinstance(found, Exception):
        raise found
    return Evaluation(tuple(found.results.values()))


def _protocol_of(
    protocol: Protocol | None, folds: int | Literal["loo"] | None, runs: int | None, seed: int | None
) -> Protocol:
    """The protocol, or the one that folds, runs and seed stand for."""
    given: dict[str, Any] = {"folds": folds, "runs": runs, "seed": seed}
    given = {name: value for name, value in given.items() if value is not None}
    if protocol is None:
        return Protocol(**given)
    if given:
        raise OptionError(f"{next(iter(given))} is given beside it; set it in the Protocol", parameter="protocol")
    return protocol
