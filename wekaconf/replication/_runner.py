"""A runner that measures many data sets, several at a time, and keeps the records of each that is done in a store."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from wekaconf.base.errors import StoreError, WekaconfError
from wekaconf.base.files import digest_of_file
from wekaconf.bridge import code_digest
from wekaconf.bridge import versions as versions_now
from wekaconf.experiments.store import Store, store_for
from wekaconf.experiments.workers import Pool, Task, follower, one_value

Record = dict[str, Any]
Measure = Callable[..., list[Record]]
"""The records of one data set, from its name, its file, and parameters by name."""


def run_sets(
    paper: str,
    measure: Measure,
    paths: Mapping[str, str],
    *,
    parameters: Mapping[str, Any],
    versions: Mapping[str, str] | None = None,
    jobs: int = 1,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[str, float], None] = lambda _text, _share: None,
) -> tuple[list[Record], dict[str, str]]:
    """Measure every data set once.

    Parameters
    ----------
    paper : str
        The paper of the records, for the store.
    measure : callable
        Must be picklable, since it is sent to other processes.
    paths : mapping of str to str
        The file of each data set.
    parameters : mapping
        Everything that the records depend on besides the file, the versions and the code; JSON values. ``measure``
        takes them by name.
    versions : mapping of str to str, optional
        The versions that the records depend on if ``measure`` uses no Java, which then is not started; left out: those
        of `wekaconf.bridge._versions.versions`.
    jobs : int
        Number of data sets to measure at a time, at least 1. 1: in this process. More: each in a process of its own,
        with its own virtual machine if Java is used; see `Pool`.
    resume : path, optional
        A file, made if need be, in which the records of each data set are kept as soon as it is done, see `Store`.
        Data sets with records that were made from the same file, with the same parameters, versions and code, are not
        measured again. The code is all that answers depend on, and the folder of ``measure``'s module.
    on_progress : callable
        Called at the start, and when a data set begins or is done, with the number of sets done and those under way,
        as a text, and with the share of the work that is done, in [0, 1].

    Returns
    -------
    records : list of dict
        Data sets in the order of ``paths``.
    failed : dict of str to str
        Reasons by the data sets that could not be measured, also since their process died twice; the others go on.

    Raises
    ------
    OptionError
        ``resume`` is a folder.
    StoreError
        ``resume`` is no store, is damaged, or cannot be written.
    BridgeError
        There is no usable Java.
    """
    with store_for(resume) as store:
        shared: Record = {}
        if store is not None:
            shared = {**parameters, **(versions or versions_now()), "code": _code_of(measure)}
        sizes = {name: float(os.path.getsize(path)) for name, path in paths.items()}
        made_with = {name: _made_with(path, shared, store) for name, path in paths.items()}
        keys = {name: _key(paper, name, facts) for name, facts in made_with.items()}
        found = {name: store.kept_records(key) for name, key in keys.items()} if store is not None else {}
        kept, failed = {name: records for name, records in found.items() if records is not None}, dict[str, str]()
        to_do = sorted(paths.keys() - kept.keys(), key=lambda name: (-sizes[name], name))
        pool = Pool(min(jobs, len(to_do)), uses_java=versions is None)

        def report(names: str, share: float) -> None:
            on_progress(f"{len(kept) + len(failed)}/{len(paths)} sets{names}", share)

        follow = follower(sizes, pool.jobs, report)
        for name in kept:
            follow(name, 1.0)

        def tasks() -> Iterator[Task]:
            for name in to_do:
                follow(name, 0.0)
                yield Task(name, partial(one_value, partial(measure, name, paths[name], **parameters)))

        with closing(pool.outcomes(tasks())) as outcomes:
            for name, values, error, _ in outcomes:
                if isinstance(error, WekaconfError | OSError) and not isinstance(error, StoreError):
                    failed[name] = str(error)
                elif error is not None:
                    raise error
                else:
                    [kept[name]] = values
                if store is not None:
                    facts = {"data_set": name, **made_with[name]}
                    store.enter(keys[name], paper, facts, records=kept.get(name), error=failed.get(name))
                follow(name, 1.0)
    return [record for name in paths for record in kept.get(name, [])], failed


def _made_with(path: str, shared: Record, store: Store | None) -> Record:
    """All that the records of a file depend on, for a store."""
    return shared if store is None else {"data": digest_of_file(path), **shared}


def _key(paper: str, name: str, made_with: Record) -> bytes:
    """What identifies the records of a data set in a store."""
    return hashlib.sha256(json.dumps([paper, name, made_with], sort_keys=True).encode()).digest()


def _code_of(measure: Measure) -> str:
    """A digest of the code on which the records depend."""
    function = measure
    while isinstance(function, partial):
        function = function.func
    folder = Path(inspect.getsourcefile(function) or __file__).parent
    folder_digests = "".join(map(digest_of_file, sorted(folder.glob("*.py"))))
    return hashlib.sha256((code_digest() + folder_digests).encode()).hexdigest()


def pick(records: Sequence[Record], **facts: object) -> list[Record]:
    """The records with all of these facts."""
    return [record for record in records if all(record[name] == value for name, value in facts.items())]
