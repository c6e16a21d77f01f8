"""What a study asks for and its store does not hold, and what failed, whichever version measured the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator

from wekaconf.base.errors import OptionError, StoreError
from wekaconf.experiments.store import Store
from wekaconf.experiments.store.studies import Job
from wekaconf.experiments.study import USUAL, Study, study_of


def study_in(store: Store) -> Study | None:
    """The study that a store is for; None if there is none, or none that this version knows how to ask."""
    try:
        return study_of(store.studies.content())
    except (StoreError, OptionError):
        return None


def unfinished(store: Store) -> tuple[list[str], list[str]]:
    """What is missing and what failed, in words; evaluations that were begun where the store has no study.

    `wekaconf.experiments.studies.study_status` counts what this version has measured; this tells what none has.

    Returns
    -------
    missing, failed : list of str
    """
    study = study_in(store)
    if study is None:
        finished = {(each["dataset"], each["label"]) for each in store.records()}
        begun = [(each["dataset"], each["label"]) for each in store.begun()]
        return [f"{label} on {name}" for name, label in dict.fromkeys(begun) if (name, label) not in finished], []
    ends = store.studies.ends()
    asked = list(_asked(study, store))
    missing = [_told(job, study) for job in asked if job[1:] not in ends]
    failed = [f"{_told(job, study)}: {ends[job[1:]]}" for job in asked if ends.get(job[1:]) is not None]
    return missing, failed


def _asked(study: Study, store: Store) -> Iterator[Job]:
    for name, _ in store.studies.data_sets().values():
        for protocol in study.protocols:
            for learner, methods in study.groups():
                for method in methods:
                    yield Job(b"", name, learner, method, json.dumps(protocol, sort_keys=True))


def _told(job: Job, study: Study) -> str:
    learner = "" if job.learner == USUAL else f" with {job.learner}"
    protocol = f", protocol {job.protocol}" if len(study.protocols) > 1 else ""
    return f"{job.method}{learner} on {job.data_set}{protocol}"
