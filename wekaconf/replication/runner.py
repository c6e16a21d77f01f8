"""A runner that measures many data sets, several at a time, and keeps the records of each that is done in a store."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Self

from wekaconf.base.errors import WekaconfError
from wekaconf.base.files import digest_of_file
from wekaconf.bridge.versions import code_digest
from wekaconf.bridge.versions import versions as versions_now
from wekaconf.experiments.runner.run import Changed, Request, Step, run_each
from wekaconf.experiments.store import Store, store_for
from wekaconf.experiments.workers.pool import Pool
from wekaconf.experiments.workers.progress import Progress

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
    on_progress: Callable[[Progress], None] = lambda _: None,
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
    with store_for(resume) as store:
        shared: Record = {}
        if store is not None:
            shared = {**parameters, **(versions or versions_now()), "code": _code_of(measure)}
        sets = [_MeasuredSet(paper, measure, name, path, shared, store) for name, path in paths.items()]
        sets.sort(key=lambda each: (-each.size, each.name))
        n_to_do = sum(each.records is None for each in sets)
        pool = Pool(max(min(jobs, n_to_do), 1), uses_java=versions is None)
        requests = [Request(each, each.name, each.size, each.begin) for each in sets]
        kept, failed = dict[str, list[Record]](), dict[str, str]()
        for measured, records, error, _ in run_each(requests, pool, on_progress):
            if records is not None:
                kept[measured.name] = records
            elif isinstance(error, WekaconfError | OSError):
                failed[measured.name] = str(error)
                measured.keep(None, str(error))
            elif error is not None:
                raise error
    return [record for name in paths for record in kept.get(name, [])], failed


class _MeasuredSet:
    """A `Measurement` of one data set in one step, or in none if a store has its records."""

    def __init__(
        self, paper: str, measure: Measure, name: str, path: str, shared: Mapping[str, Any], store: Store | None
    ) -> None:
        self.name, self.size = name, float(os.path.getsize(path))
        self._paper, self._store, self._made_with = paper, store, shared
        self._call = partial(measure, name, path)
        self.records: list[Record] | None = None
        if store is not None:
            self._made_with = {"data": digest_of_file(path), **shared}
            self.records = store.kept_records(self._key)

    def begin(self, _pool: Pool, _changed: Changed) -> Self:
        """Begin; see `Request`."""
        return self

    @property
    def steps(self) -> list[Step]:
        """See `Measurement`."""
        return [Step(self._call, self.keep)] if self.records is None else []

    @property
    def share(self) -> float:
        """In [0, 1]; see `Measurement`."""
        return float(self.records is not None)

    def keep(self, records: list[Record] | None, error: str | None = None) -> None:
        """Keep the records, or the error, in the store, if there is one."""
        self.records = records
        if self._store is not None:
            self._store.keep_records(self._key, self._paper, self.name, self._made_with, records, error)

    def results(self) -> list[Record]:
        """See `Measurement`."""
        return self.records or []

    @property
    def _key(self) -> bytes:
        """What identifies the records in a store."""
        content = json.dumps([self._paper, self.name, self._made_with], sort_keys=True)
        return hashlib.sha256(content.encode()).digest()


def _code_of(measure: Measure) -> str:
    """A digest of the code on which the records depend."""
    function = measure
    while isinstance(function, partial):
        function = function.func
    folder = Path(inspect.getsourcefile(function) or __file__).parent
    folder_digests = "".join(map(digest_of_file, sorted(folder.glob("*.py"))))
    return hashlib.sha256((code_digest() + folder_digests).encode()).hexdigest()
