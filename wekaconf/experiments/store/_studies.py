"""The study of a store: its content, its data sets, and the outcome of each job."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any, NamedTuple

from wekaconf.base.errors import StoreError
from wekaconf.experiments.store._database import sqlite_errors, transaction
from wekaconf.experiments.store._record_schema import TEXT, damage_errors, read

_FILES = "files"
"""Key beside the content of a study: the files of its data sets when it last ran."""


class Job(NamedTuple):
    """One data set, learner, method and protocol of a study.

    Parameters
    ----------
    key : bytes
        A digest of all that its result depends on.
    data_set, learner, method, protocol : str
        The learner is empty where it is the method's usual one.
    """

    key: bytes
    data_set: str
    learner: str
    method: str
    protocol: str


class Studies:
    """The study in a store, see `Store`."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection, self._path = connection, path

    def keep(self, content: Mapping[str, Any], data_sets: Mapping[str, tuple[str, str]]) -> None:
        """Make this the study of the store; ``data_sets`` gives name and digest for every path.

        Raises
        ------
        StoreError
            A file is not what it was when it was first measured; the message names the data sets.
        """
        with sqlite_errors(self._path), transaction(self._connection):
            digests = dict(self._connection.execute("SELECT path, digest FROM data_set"))
            changed = [
                f"{name} ({path})" for path, (name, digest) in data_sets.items() if digests.get(path, digest) != digest
            ]
            if changed:
                raise StoreError(
                    f"{self._path}: changed since they were measured: {', '.join(changed)}; put back the files as they "
                    "were, or name another store"
                )
            rows = [(path, name, digest) for path, (name, digest) in data_sets.items()]
            self._connection.executemany("INSERT OR IGNORE INTO data_set VALUES (?, ?, ?)", rows)
            self._connection.execute("DELETE FROM study")
            text = json.dumps({**content, _FILES: list(data_sets)})
            self._connection.execute("INSERT INTO study (content) VALUES (?)", (text,))

    def content(self) -> dict[str, Any]:
        """The content of the study, as `Study.content` gives it.

        Raises
        ------
        StoreError
            The store has no study.
        """
        return {name: value for name, value in self._read().items() if name != _FILES}

    def data_sets(self) -> dict[str, tuple[str, str]]:
        """Name and digest of each data set of the study, by its path; StoreError if the store has no study.

        Data sets of earlier studies stay in the store, and are left out here.
        """
        with sqlite_errors(self._path):
            rows = self._connection.execute("SELECT path, name, digest FROM data_set").fetchall()
        files = self._read()[_FILES]
        return {path: (name, digest) for path, name, digest in rows if path in files}

    def _read(self) -> dict[str, Any]:
        """The content of the study and the files of its data sets."""
        with sqlite_errors(self._path):
            row = self._connection.execute("SELECT content FROM study").fetchone()
        if row is None:
            raise StoreError(f"{self._path}: holds no study; begin one with wekaconf study run STUDY --store FILE")
        with damage_errors(self._path, "its study"):
            content: dict[str, Any] = read(row[0], {_FILES: [TEXT]})
        return content

    def outcomes(self) -> dict[bytes, str | None]:
        """The error of each job that has run, by its key; None where there is a result."""
        with sqlite_errors(self._path):
            return dict(self._connection.execute("SELECT key, error FROM job"))

    def errors(self) -> dict[tuple[str, ...], str | None]:
        """The errors by data set, learner, method and protocol; None where some version has a result."""
        with sqlite_errors(self._path):
            rows = self._connection.execute("SELECT data_set, learner, method, protocol, error FROM job").fetchall()
        errors: dict[tuple[str, ...], str | None] = {}
        for *job, error in rows:
            errors[tuple(job)] = None if error is None else errors.get(tuple(job), error)
        return errors

    def enter_outcome(self, job: Job, *, evaluation: int | None = None, error: str | None = None) -> None:
        """Enter the outcome of a job: the id of its evaluation, or its error."""
        with sqlite_errors(self._path), transaction(self._connection):
            self._connection.execute(
                "INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?, ?)", (*job, evaluation, error)
            )
