"""A runner that measures many data sets, several at a time, and keeps the records of each that is done in a store."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from wekaconf.base.errors import WekaconfError
from wekaconf.base.files import digest_of_file
from wekaconf.bridge.versions import code_digest
from wekaconf.bridge.versions import versions as versions_now
from wekaconf.experiments.store import Store
from wekaconf.experiments.workers.pool import Pool, Task
from wekaconf.experiments.workers.progress import Underway

Record = dict[str, Any]
Measure = Callable[[str, str], list[Record]]
"""The records of one data set, from its name and its file."""


def run_sets(
    paper: str,
    measure: Measure,
    paths: Mapping[str, str],
    *,
    parameters: Mapping[str, Any],
    versions: Mapping[str, str] | None = None,
    jobs: int = 1,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Underway], None] = lambda _: None,
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
        Everything that the records depend on besides the file, the versions and the code; JSON values.
    versions : mapping of str to str, optional
        The versions that the records depend on if ``measure`` uses no Java, which then is not started; left out: those
        of `wekaconf.bridge.versions.versions`.
    jobs : int
        Number of data sets to measure at a time, at least 1. 1: in this process. More: each in a process of its own,
        with its own virtual machine if Java is used; see `Pool`.
    resume : path, optional
        A file, made if need be, in which the records of each data set are kept as soon as it is done, see `Store`.
        Data sets with records that were made from the same file, with the same parameters, versions and code, are not
        measured again. The code is all that answers depend on, and the folder of ``measure``'s module.
    on_progress : callable
        Called at the start and after each data set.

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
    kept: dict[str, list[Record]] = {}
    failed: dict[str, str] = {}
    sizes = {name: os.path.getsize(path) for name, path in paths.items()}
    opened: AbstractContextManager[Store | None] = nullcontext() if resume is None else Store(resume)
    with opened as store:
        made_with: dict[str, Record] = {}
        if store is not None:
            shared = {**parameters, **(versions or versions_now()), "code": _code_of(measure)}
            made_with = {name: {"data": digest_of_file(path), **shared} for name, path in paths.items()}
            for name in paths:
                records = store.kept_records(_key(paper, name, made_with[name]))
                if records is not None:
                    kept[name] = records
        largest_first = sorted(paths.keys() - kept.keys(), key=lambda name: (-sizes[name], name))
        pool = Pool(max(min(jobs, len(largest_first)), 1), uses_java=versions is None)

        def report() -> None:
            pending = [name for name in largest_first if name not in kept and name not in failed]
            share = 1 - sum(sizes[name] for name in pending) / max(sum(sizes.values()), 1)
            on_progress(Underway(len(paths) - len(pending), len(paths), share, tuple(pending[: pool.jobs])))

        report()
        tasks = (Task(name, partial(measure, name, paths[name])) for name in largest_first)
        with closing(pool.outcomes(tasks)) as outcomes:
            for name, records, error, caught in outcomes:
                for warning in caught:
                    warnings.warn(warning, stacklevel=2)
                if error is None:
                    kept[name] = records
                elif isinstance(error, WekaconfError | OSError):
                    failed[name] = str(error)
                else:
                    raise error
                if store is not None:
                    key = _key(paper, name, made_with[name])
                    store.keep_records(key, paper, name, made_with[name], kept.get(name), failed.get(name))
                report()
    return [record for name in paths for record in kept.get(name, [])], failed


def _key(paper: str, name: str, made_with: Mapping[str, Any]) -> bytes:
    return hashlib.sha256(json.dumps([paper, name, made_with], sort_keys=True).encode()).digest()


def _code_of(measure: Measure) -> str:
    """A digest of the code on which the records depend."""
    function = measure
    while isinstance(function, partial):
        function = function.func
    folder = Path(inspect.getsourcefile(function) or __file__).parent
    folder_digests = "".join(map(digest_of_file, sorted(folder.glob("*.py"))))
    return hashlib.sha256((code_digest() + folder_digests).encode()).hexdigest()
