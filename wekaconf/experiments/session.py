"""An evaluation: data, learner, methods and protocol in, records and answers out."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal

from wekaconf.base.errors import OptionError
from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.protocol import Protocol
from wekaconf.experiments.runner.measurement import Measurement
from wekaconf.experiments.runner.plan import Methods, Plan
from wekaconf.experiments.runner.run import measure_each
from wekaconf.experiments.store import store_for
from wekaconf.experiments.workers.pool import Pool
from wekaconf.experiments.workers.progress import Progress
from wekaconf.report.evaluation import Evaluation
from wekaconf.tree import Learner


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
    `wekaconf.evaluation.cross_validation.cross_validate`.
    """
    if not isinstance(jobs, int) or jobs < 1:
        raise OptionError(parameter="jobs", expected="a whole number of at least 1", got=f"'{jobs}'")
    if metrics is not None and resume is not None:
        raise OptionError("a store keeps all of them; leave out metrics, or resume", parameter="metrics")
    plan = Plan.of(methods, _protocol_of(protocol, folds, runs, seed), learner, options, metrics)
    measurement = Measurement(plan, data, name)

    def report(progress: Progress) -> None:
        on_progress(round(progress.share * measurement.n_answers), measurement.n_answers)

    with store_for(resume) as store:
        sets = {measurement.name: lambda: measurement}
        [outcome] = measure_each(sets, {measurement.name: 1.0}, Pool(jobs), store, report)
    return Evaluation(tuple(outcome.unwrap().results.values()))


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
