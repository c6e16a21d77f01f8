"""Runs a study: what its store lacks is measured, and nothing else."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from wekaconf.base.errors import OptionError
from wekaconf.base.files import digest_of_file
from wekaconf.base.naming import name_list
from wekaconf.bridge.reading import load
from wekaconf.bridge.versions import environment, versions
from wekaconf.data.tables import stem
from wekaconf.experiments.runner.plan import Plan
from wekaconf.experiments.runner.planning import plan_of
from wekaconf.experiments.runner.run import Done, Source, evaluate_each
from wekaconf.experiments.store import Store
from wekaconf.experiments.store.database import sole_run
from wekaconf.experiments.store.studies import Job
from wekaconf.experiments.study import USUAL, Study, read_study, study_of
from wekaconf.experiments.workers.pool import Pool
from wekaconf.experiments.workers.progress import Underway


@dataclass(frozen=True)
class Outcome:
    """What has become of a study.

    Parameters
    ----------
    name : str
    n_jobs : int
        Data sets × protocols × learners × methods.
    n_done : int
        Of these, those with a result.
    failed : mapping of Job to str
        Those without one, and why.
    """

    name: str
    n_jobs: int
    n_done: int
    failed: Mapping[Job, str]

    @property
    def n_left(self) -> int:
        """Number of jobs to do."""
        return self.n_jobs - self.n_done - len(self.failed)

    def __str__(self) -> str:
        """In one line."""
        left = f", {self.n_left} to do" if self.n_left else ""
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"{self.name}: {self.n_done} of {self.n_jobs} evaluations done{failed}{left}"


@dataclass(frozen=True)
class _Question:
    """Methods on the trees of one learner, on one data set, under one protocol."""

    path: str
    name: str
    learner: str
    protocol: int
    jobs: Mapping[str, Job]
    """By the method as it was given."""


def run_study(
    study: Study | str | os.PathLike[str] | None,
    store: str | os.PathLike[str],
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    again: bool = False,
    on_progress: Callable[[Underway], None] = lambda _: None,
) -> Outcome:
    """Measure what a study asks for and its store does not hold.

    Parameters
    ----------
    study : Study or path
        The study, or its TOML file; None: the one that the store holds.
    store : path
        The file of the results, made if need be; read it with `Store`.
    jobs : int
        Number of processes, at least 1; see `wekaconf.evaluate`.
    scheduler : str, optional
        The address of a Dask scheduler, whose workers then do the work. It runs what it is sent, and so do its workers:
        use one that you trust.
    again : bool
        Whether what failed before is tried again.
    on_progress : callable
        Called at the start and after each part.

    Returns
    -------
    Outcome
        What fails is recorded with its error, and the rest goes on.

    Raises
    ------
    OptionError
        The study is not valid, or names no data set.
    StoreError
        A data set has changed since it was measured, another process runs a study on the store, or see `Store`.
    BridgeError
        There is no usable Java.

    Notes
    -----
    If the process is killed at any moment, the same call finishes exactly what is missing.
    """
    if isinstance(study, str | os.PathLike):
        study = read_study(study)
    path = os.fspath(store)
    with Store(path, must_exist=study is None) as opened, sole_run(path):
        if study is None:
            study = study_of(opened.studies.content())
        data_sets = {file: (stem(file), digest_of_file(file)) for file in study.files()}
        _check_names(data_sets)
        opened.studies.keep(study.content(), data_sets)
        questions = list(_questions(study, data_sets))
        known = opened.studies.outcomes()
        todo = [question for each in questions if (question := _unanswered(each, known, again=again)).jobs]
        if todo:
            versions()  # refuses now what would otherwise fail for each data set
            pool = Pool(jobs, scheduler=scheduler)
            failed = list(_measure(study, todo, pool, opened, on_progress))
            # a method that cannot begin must not keep the others from it
            alone = [
                replace(question, jobs={text: job})
                for question, _ in failed
                for text, job in question.jobs.items()
                if len(question.jobs) > 1
            ]
            failed = [each for each in failed if len(each[0].jobs) == 1]
            failed += _measure(study, alone, pool, opened, on_progress) if alone else []
            for question, error in failed:
                for job in question.jobs.values():
                    opened.studies.done(job, error=_told(error))
        return _outcome(study, questions, opened)


def study_status(store: str | os.PathLike[str]) -> Outcome:
    """How far the study in a store has come, by the data as they were when it last ran.

    Raises
    ------
    StoreError
        There is no such store, or it holds no study.
    """
    with Store(store, must_exist=True) as opened:
        study = study_of(opened.studies.content())
        return _outcome(study, list(_questions(study, opened.studies.data_sets())), opened)


def _outcome(study: Study, questions: Sequence[_Question], store: Store) -> Outcome:
    known = store.studies.outcomes()
    every = [job for question in questions for job in question.jobs.values()]
    failed = {job: error for job in every if (error := known.get(job.key)) is not None}
    n_done = sum(job.key in known for job in every) - len(failed)
    return Outcome(study.name, len(every), n_done, failed)


def _questions(study: Study, data_sets: Mapping[str, tuple[str, str]]) -> Iterator[_Question]:
    made_with = environment()
    read = [study.class_attribute, asdict(study.reading)]
    for path, (name, digest) in data_sets.items():
        for i, protocol in enumerate(study.protocols):
            on = json.dumps(protocol, sort_keys=True)
            for learner, texts in study.groups():
                jobs = {}
                for text in texts:
                    asked = [name, digest, read, learner, text, on, made_with]
                    key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).digest()
                    jobs[text] = Job(key, name, learner, text, on)
                yield _Question(path, name, learner, i, jobs)


def _unanswered(question: _Question, known: Mapping[bytes, str | None], *, again: bool) -> _Question:
    left = {
        text: job
        for text, job in question.jobs.items()
        if job.key not in known or (again and known[job.key] is not None)
    }
    return replace(question, jobs=left)


def _measure(
    study: Study, questions: Sequence[_Question], pool: Pool, store: Store, on_progress: Callable[[Underway], None]
) -> Iterator[tuple[_Question, Exception]]:
    """Enter what comes of each question, and give those that could not begin."""
    sources = [
        Source(i, question.name, os.path.getsize(question.path) + 1.0, partial(_plan, study, question))
        for i, question in enumerate(questions)
    ]

    n_jobs, n_done = sum(len(question.jobs) for question in questions), 0

    def follow(underway: Underway) -> None:
        on_progress(replace(underway, n_done=n_done, n_sets=n_jobs, counted="evaluations"))

    for done in evaluate_each(sources, pool, store=store, on_progress=follow):
        question = questions[done.key]
        n_done += len(question.jobs)
        if done.error is not None:
            yield question, done.error
        _enter(question, done, store)


def _enter(question: _Question, done: Done, store: Store) -> None:
    for text, number in done.numbers.items():
        store.studies.done(question.jobs[text], evaluation=number)
    for text, error in done.errors.items():
        store.studies.done(question.jobs[text], error=_told(error))


def _plan(study: Study, question: _Question) -> Plan:
    data = load(question.path, study.reading, class_attribute=study.class_attribute).data
    learner: Any = None if question.learner == USUAL else question.learner
    protocol = study.protocol(question.protocol)
    return plan_of(data, list(question.jobs), protocol=protocol, learner=learner, name=question.name)


def _told(error: Exception) -> str:
    return str(error) if str(error) else type(error).__name__


def _check_names(data_sets: Mapping[str, tuple[str, str]]) -> None:
    names = [name for name, _ in data_sets.values()]
    if twice := [name for name in names if names.count(name) > 1]:
        same = [path for path, (name, _) in data_sets.items() if name == twice[0]]
        raise OptionError(
            f"data: {name_list(same)} have the same name, without folder and ending; rename one, or leave it out"
        )
