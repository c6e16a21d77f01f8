"""Runs a study: measures only what its store lacks; tells what is done, missing or failed; exports it fold by fold."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial

from wekaconf.base.errors import OptionError, StoreError
from wekaconf.base.files import digest_of_file
from wekaconf.base.naming import name_list
from wekaconf.base.plugins import packages_of
from wekaconf.bridge import environment, versions
from wekaconf.bridge.reading import load, readings_of
from wekaconf.data import stem
from wekaconf.data.table_files import Reading
from wekaconf.experiments.runner import Measurement, Plan, measure_each
from wekaconf.experiments.store import JOB_OF_STUDY, Job, Store, sole_run
from wekaconf.experiments.studies._study import USUAL, Study, protocol_of, read_study, study_of
from wekaconf.experiments.workers import Pool
from wekaconf.learners import learner_named
from wekaconf.model.scheme import parse_method, usual_learner
from wekaconf.report.experimenter import write_per_fold


@dataclass(frozen=True)
class StudyStatus:
    """The state of a study: which of its jobs are still to do, and which ones failed.

    Parameters
    ----------
    name : str
    n_jobs : int
        Data sets × protocols × learners × methods.
    to_do : tuple of Job
    failed : mapping of Job to str
        The jobs that failed, each with its error.
    """

    name: str
    n_jobs: int
    to_do: tuple[Job, ...]
    failed: Mapping[Job, str]

    @property
    def n_done(self) -> int:
        """Number of jobs with a result."""
        return self.n_jobs - len(self.to_do) - len(self.failed)

    def __str__(self) -> str:
        """The state in one line."""
        to_do = f", {len(self.to_do)} to do" if self.to_do else ""
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"{self.name}: {self.n_done} of {self.n_jobs} evaluations done{failed}{to_do}"


def run_study(
    study: Study | str | os.PathLike[str] | None,
    store: str | os.PathLike[str],
    *,
    jobs: int = 1,
    again: bool = False,
    on_progress: Callable[[str, float], None] = lambda _text, _share: None,
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
    again : bool
        Whether evaluations that failed before are tried again.
    on_progress : callable
        Called at the start, and whenever the share of the work that is done has changed, with the number of
        evaluations done and the data sets under way, as a text, and with that share, in [0, 1].

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
            study = study_of(opened.study())
        data_sets = {file: (stem(file), digest_of_file(file)) for file in study.files()}
        _check_names(data_sets)
        readings = readings_of([*data_sets], study.reading)
        opened.keep_study(study.content(), data_sets)
        keys = _keys(study, data_sets)
        before = _status_of(study, keys, opened)
        to_do = {*before.to_do, *(before.failed if again else ())}
        groups = dict[object, dict[Job, bytes]]()  # what reads the trees of one learner
        for job, key in keys.items():
            if job in to_do:
                trees = usual_learner(parse_method(job.method)) if job.learner == USUAL else ()
                groups.setdefault((job._replace(method=""), trees), {})[job] = key
        if groups:
            versions()  # refuses now what would otherwise fail for each data set
            pool = Pool(jobs)
            sources = {name: (path, readings[path]) for path, (name, _) in data_sets.items()}
            # a method that fails must not keep the others from it, whose finished answers are in the store
            if alone := _measure(study, sources, groups.values(), pool, opened, on_progress):
                _measure(study, sources, alone, pool, opened, on_progress)
        return _status_of(study, keys, opened)


def study_status(store: str | os.PathLike[str]) -> StudyStatus:
    """The state of the study in a store, by its data sets as of the last run.

    Raises
    ------
    StoreError
        There is no such store, or it holds no study.
    """
    with Store(store, must_exist=True) as opened:
        study = study_of(opened.study())
        keys = _keys(study, opened.data_sets())
        return _status_of(study, keys, opened)


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
    names = [name for name, _ in store.data_sets().values()]
    status = _status_of(study, dict.fromkeys(_jobs(study, names)), store)
    missing = [_job_text(job, study) for job in status.to_do]
    return missing, [f"{_job_text(job, study)}: {error}" for job, error in status.failed.items()]


def study_in(store: Store) -> Study | None:
    """The study of a store; None if there is none, or none that this version can read."""
    try:
        return study_of(store.study())
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


def _status_of(study: Study, keys: Mapping[Job, bytes | None], store: Store) -> StudyStatus:
    """The state of jobs; where the key is None, a result of any version counts."""
    errors: dict[Job, str | None] = {}
    for key, job, error in store.outcomes():
        if keys.get(job) in (None, key):
            errors[job] = None if error is None else errors.get(job, error)
    failed = {job: error for job in keys if (error := errors.get(job)) is not None}
    return StudyStatus(study.name, len(keys), tuple(job for job in keys if job not in errors), failed)


def _jobs(study: Study, names: Iterable[str]) -> list[Job]:
    """The jobs of a study on the data sets of these names."""
    methods = [(learner, text) for learner, texts in study.methods_by_learner().items() for text in texts]
    protocols = [json.dumps(protocol, sort_keys=True) for protocol in study.protocols]
    return [Job(name, *method, protocol) for name in names for protocol in protocols for method in methods]


def _keys(study: Study, data_sets: Mapping[str, tuple[str, str]]) -> dict[Job, bytes]:
    """The jobs of a study with digests of all that their results depend on.

    ``data_sets`` gives name and digest for every path.
    """
    made_with, digests = environment(), dict(data_sets.values())
    reading = [study.class_attribute, asdict(study.reading)]
    packages = cache(_packages)
    keys = {}
    for job in _jobs(study, digests):
        used = made_with | packages(job.method, job.learner)
        identity = json.dumps([job, digests[job.data_set], reading, used], sort_keys=True)
        keys[job] = hashlib.sha256(identity.encode()).digest()
    return keys


def _packages(method: str, learner: str) -> dict[str, str]:
    """The packages of a method and a learner that are not ours, and their versions."""
    grower = learner_named(learner.partition(" ")[0])
    classes = {"method": type(parse_method(method)), **({} if grower is None else {"learner": grower})}
    return packages_of(**classes)


def _measure(
    study: Study,
    sources: Mapping[str, tuple[str, Reading]],
    groups: Collection[Mapping[Job, bytes]],
    pool: Pool,
    store: Store,
    on_progress: Callable[[str, float], None],
) -> list[Mapping[Job, bytes]]:
    """Measure jobs and store their outcomes; of groups that failed, their jobs, each in a group of its own.

    ``groups`` holds jobs that differ in the method, with their keys, and ``sources`` the path and the reading of each
    data set.
    """
    n_jobs, n_done = sum(map(len, groups)), 0
    to_try_alone = list[Mapping[Job, bytes]]()
    by_first = {next(iter(group)): group for group in groups}

    def report(names: str, share: float) -> None:
        on_progress(f"{n_done}/{n_jobs} evaluations{names}", share)

    sets = {
        first: partial(_measurement, study, *sources[first.data_set], [*group], store)
        for first, group in by_first.items()
    }
    sizes = {first: os.path.getsize(sources[first.data_set][0]) + 1.0 for first in by_first}
    for first, found in measure_each(sets, sizes, pool, report):
        group = by_first[first]
        if isinstance(found, Exception) and len(group) > 1:
            to_try_alone += [{job: key} for job, key in group.items()]
            continue
        text = (str(found) or type(found).__name__) if isinstance(found, Exception) else None
        for job, key in group.items():
            store.enter(key, JOB_OF_STUDY, job._asdict(), error=text)
        n_done += len(group)
    report("", 1.0)
    return to_try_alone


def _measurement(study: Study, path: str, reading: Reading, jobs: Sequence[Job], store: Store) -> Measurement:
    data = load(path, reading, class_attribute=study.class_attribute).data
    name, learner, _, protocol = jobs[0]
    plan = Plan.of(
        [job.method for job in jobs], protocol_of(json.loads(protocol)), None if learner == USUAL else learner
    )
    return Measurement(plan, data, name, store)


def _check_names(data_sets: Mapping[str, tuple[str, str]]) -> None:
    names = [name for name, _ in data_sets.values()]
    if repeated := [name for name in names if names.count(name) > 1]:
        paths = [path for path, (name, _) in data_sets.items() if name == repeated[0]]
        raise OptionError(
            f"{name_list(paths)} have the same name, without folder and ending; rename one, or leave it out",
            parameter="data",
        )


def _job_text(job: Job, study: Study) -> str:
    learner = "" if job.learner == USUAL else f" with {job.learner}"
    protocol = f", protocol {job.protocol}" if len(study.protocols) > 1 else ""
    return f"{job.method}{learner} on {job.data_set}{protocol}"
