"""The evaluations of a study that its store lacks, and those that failed, whichever version measured the others."""

from __future__ import annotations

import json
from collections.abc import Iterator

from wekaconf.base.errors import OptionError, StoreError
from wekaconf.experiments.store import Store
from wekaconf.experiments.store.studies import Job
from wekaconf.experiments.study import USUAL, Study, study_of


def study_in(store: Store) -> Study | None:
    """The study of a store; None if there is none, or none that this version can read."""
    try:
        return study_of(store.studies.content())
    except (StoreError, OptionError):
        return None


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
