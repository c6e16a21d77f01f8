"""Runs a study: measures only what its store lacks; tells what is done, missing or failed; exports it fold by fold."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from wekaconf.base.errors import OptionError, StoreError
from wekaconf.base.files import digest_of_file
from wekaconf.base.naming import name_list
from wekaconf.base.plugins import packages_of
from wekaconf.bridge import environment, versions
from wekaconf.bridge.reading import load, readings_of
from wekaconf.data import stem
from wekaconf.data.table_files import Reading
from wekaconf.experiments.runner import Measurement, Plan, measure_each
from wekaconf.experiments.store import Job, Store, sole_run
from wekaconf.experiments.studies._study import USUAL, Study, read_study, study_of
from wekaconf.experiments.workers import Pool, Progress
from wekaconf.learners import learner_named
from wekaconf.model.scheme import parse_method
from wekaconf.report.experimenter import write_per_fold


@dataclass(frozen=True)
class StudyStatus:
    """The state of a study: how many of its jobs are done, and which ones failed.

    Parameters
    ----------
    name : str
    n_jobs : int
        Data sets × protocols × learners × methods.
    n_done : int
        Number of jobs with a result.
    failed : mapping of Job to str
        The jobs that failed, each with its error.
    """

    name: str
    n_jobs: int
    n_done: int
    failed: Mapping[Job, str]

    @property
    def n_left(self) -> int:
        """Number of jobs that are still to do."""
        return self.n_jobs - self.n_done - len(self.failed)

    def __str__(self) -> str:
        """The state in one line."""
        to_do = f", {self.n_left} to do" if self.n_left else ""
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"{self.name}: {self.n_done} of {self.n_jobs} evaluations done{failed}{to_do}"


@dataclass(frozen=True, eq=False)
class _JobGroup:
    """The jobs that share a data set, a learner and a protocol; they differ in the method."""

    path: str
    name: str
    learner: str
    protocol: int
    jobs: Mapping[str, Job]
    """By the method as the study writes it."""

    def __str__(self) -> str:
        """The name of the data set, for the progress."""
        return self.name


def run_study(
    study: Study | str | os.PathLike[str] | None,
    store: str | os.PathLike[str],
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    again: bool = False,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> StudyStatus:
    """Measure the evaluations of a study that its store lacks.

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
        Whether evaluations that failed before are tried again.
    on_progress : callable
        Called at the start, and whenever the share of the work that is done has changed.

    Returns
    -------
    StudyStatus
        Failures are recorded with their errors, and the other evaluations go on.

    Raises
    ------
    OptionError
        The study is not valid, or names no data set.
    StoreError
        The store holds a study of another name, a data set has changed since it was measured, another process runs a
        study on the store, or see `Store`.
    BridgeError
        There is no usable Java.

    Notes
    -----
    If the process is killed at any moment, the same call computes exactly what is missing.
    """
    if isinstance(study, str | os.PathLike):
        study = read_study(study)
    path = os.fspath(store)
    with Store(path, must_exist=study is None) as opened, sole_run(path):
        if study is None:
            study = study_of(opened.studies.content())
        data_sets = {file: (stem(file), digest_of_file(file)) for file in study.files()}
        _check_names(data_sets)
        readings = readings_of([*data_sets], study.reading)
        opened.studies.keep(study.content(), data_sets)
        groups = list(_job_groups(study, data_sets))
        errors = opened.studies.outcomes()
        to_do = [group for each in groups if (group := _unfinished(each, errors, again=again)).jobs]
        if to_do:
            versions()  # refuses now what would otherwise fail for each data set
            pool = Pool(jobs, scheduler=scheduler)
            # a method that fails must not keep the others from it, whose finished answers are in the store
            if to_do := _measure(study, readings, to_do, pool, opened, on_progress):
                _measure(study, readings, to_do, pool, opened, on_progress)
        return _status_of(study, groups, opened)


def study_status(store: str | os.PathLike[str]) -> StudyStatus:
    """The state of the study in a store, by its data sets as of the last run.

    Raises
    ------
    StoreError
        There is no such store, or it holds no study.
    """
    with Store(store, must_exist=True) as opened:
        study = study_of(opened.studies.content())
        return _status_of(study, list(_job_groups(study, opened.studies.data_sets())), opened)


def unfinished(store: Store) -> tuple[list[str], list[str]]:
    """The evaluations that are missing and those that failed, in words.

    If the store has no study, the missing ones are those that were begun and not finished.
    `wekaconf.experiments.studies.study_status` counts what this version has measured; this lists what no version has.

    Returns
    -------
    missing, failed : list of str
    """
    study = study_in(store)
    if study is None:
        finished = {(each["dataset"], each["label"]) for each in store.records()}
        begun = [(each["dataset"], each["label"]) for each in store.begun()]
        return [f"{label} on {name}" for name, label in dict.fromkeys(begun) if (name, label) not in finished], []
    errors = store.studies.errors()
    jobs = list(_jobs(study, store))
    missing = [_job_text(job, study) for job in jobs if job[1:] not in errors]
    failed = [f"{_job_text(job, study)}: {errors[job[1:]]}" for job in jobs if errors.get(job[1:]) is not None]
    return missing, failed


def study_in(store: Store) -> Study | None:
    """The study of a store; None if there is none, or none that this version can read."""
    try:
        return study_of(store.studies.content())
    except (StoreError, OptionError):
        return None


def export(store: Store, path: str | os.PathLike[str]) -> None:
    """Write one row per data set, method, learner, run and fold, with every measure.

    Parameters
    ----------
    store : Store
    path : path
        See `wekaconf.report.experimenter.write_per_fold`.

    Raises
    ------
    OptionError
        Nothing is finished yet, or a package is not installed.
    """
    if not store.records():
        raise OptionError(f"{store.path}: nothing is finished yet, so there is nothing to write", value_of="store")
    write_per_fold(path, store.results())


def _status_of(study: Study, groups: Sequence[_JobGroup], store: Store) -> StudyStatus:
    errors = store.studies.outcomes()
    jobs = [job for group in groups for job in group.jobs.values()]
    failed = {job: error for job in jobs if (error := errors.get(job.key)) is not None}
    n_done = sum(job.key in errors for job in jobs) - len(failed)
    return StudyStatus(study.name, len(jobs), n_done, failed)


def _job_groups(study: Study, data_sets: Mapping[str, tuple[str, str]]) -> Iterator[_JobGroup]:
    """The jobs of a study; ``data_sets`` gives name and digest for every path."""
    made_with = environment()
    reading = [study.class_attribute, asdict(study.reading)]
    packages = {(learner, text): _packages(text, learner) for learner, texts in study.groups() for text in texts}
    for path, (name, digest) in data_sets.items():
        for i, protocol in enumerate(study.protocols):
            protocol_text = json.dumps(protocol, sort_keys=True)
            for learner, texts in study.groups():
                jobs = {}
                for text in texts:
                    used = made_with | packages[learner, text]
                    identity = [name, digest, reading, learner, text, protocol_text, used]
                    key = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).digest()
                    jobs[text] = Job(key, name, learner, text, protocol_text)
                yield _JobGroup(path, name, learner, i, jobs)


def _packages(method: str, learner: str) -> dict[str, str]:
    """The packages of a method and a learner that are not ours, and their versions."""
    grower = learner_named(learner.partition(" ")[0])
    classes = {"method": type(parse_method(method)), **({} if grower is None else {"learner": grower})}
    return packages_of(**classes)


def _unfinished(group: _JobGroup, errors: Mapping[bytes, str | None], *, again: bool) -> _JobGroup:
    """The group with the jobs to do: those that have not run, and with ``again`` also those that failed."""
    jobs = {
        text: job
        for text, job in group.jobs.items()
        if job.key not in errors or (again and errors[job.key] is not None)
    }
    return replace(group, jobs=jobs)


def _measure(
    study: Study,
    readings: Mapping[str, Reading],
    groups: Sequence[_JobGroup],
    pool: Pool,
    store: Store,
    on_progress: Callable[[Progress], None],
) -> list[_JobGroup]:
    """Measure the jobs and store their outcomes; of groups that failed, their jobs, each in a group of its own."""
    n_jobs, n_done = sum(len(group.jobs) for group in groups), 0
    to_try_alone = list[_JobGroup]()

    def report(progress: Progress) -> None:
        on_progress(replace(progress, n_done=n_done, n_sets=n_jobs, counted="evaluations"))

    sets = {group: partial(_measurement, study, readings[group.path], group) for group in groups}
    sizes = {group: os.path.getsize(group.path) + 1.0 for group in groups}
    for group, measured, error, _ in measure_each(sets, sizes, pool, store, report):
        if error is None:
            for text, evaluation_id in measured[0].evaluation_ids.items():
                store.studies.enter_outcome(group.jobs[text], evaluation=evaluation_id)
        elif len(group.jobs) > 1:
            to_try_alone += [replace(group, jobs={text: job}) for text, job in group.jobs.items()]
            continue
        else:
            [job] = group.jobs.values()
            store.studies.enter_outcome(job, error=str(error) or type(error).__name__)
        n_done += len(group.jobs)
    on_progress(Progress(n_done, n_jobs, 1.0, (), "evaluations"))
    return to_try_alone


def _measurement(study: Study, reading: Reading, group: _JobGroup) -> Measurement:
    data = load(group.path, reading, class_attribute=study.class_attribute).data
    learner: Any = None if group.learner == USUAL else group.learner
    return Measurement(Plan.of(list(group.jobs), study.protocol(group.protocol), learner), data, group.name)


def _check_names(data_sets: Mapping[str, tuple[str, str]]) -> None:
    names = [name for name, _ in data_sets.values()]
    if repeated := [name for name in names if names.count(name) > 1]:
        paths = [path for path, (name, _) in data_sets.items() if name == repeated[0]]
        raise OptionError(
            f"{name_list(paths)} have the same name, without folder and ending; rename one, or leave it out",
            parameter="data",
        )


def _jobs(study: Study, store: Store) -> Iterator[Job]:
    """The jobs of a study, without their keys."""
    for name, _ in store.studies.data_sets().values():
        for protocol in study.protocols:
            for learner, methods in study.groups():
                for method in methods:
                    yield Job(b"", name, learner, method, json.dumps(protocol, sort_keys=True))


def _job_text(job: Job, study: Study) -> str:
    learner = "" if job.learner == USUAL else f" with {job.learner}"
    protocol = f", protocol {job.protocol}" if len(study.protocols) > 1 else ""
    return f"{job.method}{learner} on {job.data_set}{protocol}"
