"""A file of results: evaluations with their answers, and records of other jobs.

Each method is an evaluation of its own, so that one that joins the others later is measured alone. Its key is a digest
of data, splits, learner, method, protocol, versions and of the code that answers; not of the command line, reports and
replications, so that a better table costs no measurement. The finished record stands beside the answers, so that
reopening a study reads none of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, Self

from wekaconf.base.errors import StoreError
from wekaconf.base.naming import quoted
from wekaconf.evaluation.cross_validation import Answers, Design
from wekaconf.experiments.store._database import connect, sqlite_errors, transaction
from wekaconf.experiments.store._record_schema import FACTS, RECORD, TEXT, check_numbers, read, report_damage
from wekaconf.experiments.store._stored_answers import StoredAnswers, keep_design, read_answers, read_design
from wekaconf.report.evaluation import Evaluation, Result

PROVENANCE = ("digest", "versions", "code")
"""Facts in which a later run of the same evaluation may differ."""
JOB_OF_STUDY = "study"
"""The kind of a study's job."""
STUDY = {"study": {"name": TEXT}, "data_sets": {...: [TEXT]}, "files": [TEXT]}
"""Shape of a study in a store: its content, name and digest of every data set that it ever had, and its files now."""


class Job(NamedTuple):
    """One data set, learner, method and protocol of a study, as texts."""

    data_set: str
    learner: str
    method: str
    protocol: str

    def __str__(self) -> str:
        """The name of the data set, for the progress."""
        return self.data_set


class Store:
    """Results in one SQLite file; use it in a ``with`` block, or close it.

    `wekaconf.evaluate` and `wekaconf.run_study` write it; several processes may do so at a time. Results stay in the
    file if the process that wrote them is killed. Use a store only in the thread that has opened it.

    Parameters
    ----------
    path : path
        The file, made if need be.
    must_exist : bool
        Whether a missing file is an error.

    Raises
    ------
    StoreError
        The file is no store, is damaged, may not be written, or is of another version.
    OptionError
        The path is a folder.
    """

    def __init__(self, path: str | os.PathLike[str], *, must_exist: bool = False) -> None:
        self.path = os.fspath(path)
        self._connection = connect(self.path, must_exist=must_exist)

    def __enter__(self) -> Self:
        """The store."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file, which holds everything finished already."""
        self._connection.close()

    def __repr__(self) -> str:
        """The call that opens it."""
        return f"Store({self.path!r})"

    # -- finished evaluations --

    def records(self) -> list[dict[str, Any]]:
        """The record of every finished evaluation, see `wekaconf.evaluate`, in the order in which they were begun.

        Of evaluations that differ only in versions, code or content of the data, the last one counts. Cost: no answer
        is read.
        """
        return [record for _, _, _, record in self._latest()]

    def results(self) -> Iterator[Result]:
        """Each finished evaluation's record and answers, in the order of `records`; read one after another.

        Raises
        ------
        StoreError
            Answers are damaged.
        """
        designs: dict[int, Design] = {}
        for number, design, n_classes, record in self._latest():
            if design not in designs:
                with sqlite_errors(self.path):  # the next evaluations often share it
                    designs = {design: read_design(self._connection, self.path, design, n_classes)}
            with sqlite_errors(self.path), report_damage(self.path, f"evaluation {number}"):
                answers = read_answers(self._connection, self.path, number, designs[design], n_classes)
            yield Result(record, answers)

    def begun(self) -> list[dict[str, Any]]:
        """The facts that identify each unfinished evaluation: dataset, label and so on, as in a record."""
        with sqlite_errors(self.path):
            rows = self._connection.execute("SELECT facts FROM evaluation WHERE record IS NULL ORDER BY id").fetchall()
        with report_damage(self.path, "an evaluation"):
            return [read(facts, FACTS) for (facts,) in rows]

    def evaluation(self) -> Evaluation:
        """All results together. Cost: all answers in memory."""
        return Evaluation(tuple(self.results()))

    def _latest(self) -> list[tuple[int, int, int, dict[str, Any]]]:
        """Id, design, number of classes and record of each finished evaluation."""
        with sqlite_errors(self.path):
            rows = self._connection.execute(
                "SELECT id, design, n_classes, record, facts FROM evaluation WHERE record IS NOT NULL ORDER BY id"
            ).fetchall()
        latest = {}
        for number, design, n_classes, record, facts in rows:
            with report_damage(self.path, f"evaluation {number}"):
                identity = {name: value for name, value in read(facts, FACTS).items() if name not in PROVENANCE}
                check_numbers(design, n_classes)
                latest[json.dumps(identity, sort_keys=True)] = number, design, n_classes, read(record, RECORD)
        return sorted(latest.values(), key=lambda row: row[0])

    # -- evaluations under way --

    def begin(self, fingerprint: str, facts: Mapping[str, Any], n_classes: int) -> int:
        """The id of an evaluation, which is entered if it is new.

        Parameters
        ----------
        fingerprint : str
            A digest, in hexadecimal digits, of all that the answers depend on.
        facts : mapping
            The same in readable form; JSON values.
        n_classes : int
        """
        row = (bytes.fromhex(fingerprint), json.dumps(facts), n_classes)
        with sqlite_errors(self.path):
            existing = self._connection.execute("SELECT id FROM evaluation WHERE fingerprint = ?", row[:1]).fetchone()
            if existing is None:
                with transaction(self._connection):
                    sql = "INSERT OR IGNORE INTO evaluation (fingerprint, facts, n_classes) VALUES (?, ?, ?)"
                    self._connection.execute(sql, row)
                sql = "SELECT id FROM evaluation WHERE fingerprint = ?"
                existing = self._connection.execute(sql, row[:1]).fetchone()
        return int(existing[0])

    def answers(self, evaluations: Mapping[Any, int], n_classes: int) -> StoredAnswers:
        """The answers of evaluations, given by the labels of their methods; those that are set are kept."""
        return StoredAnswers(self._connection, self.path, evaluations, n_classes)

    def finish(self, evaluation: int, record: Mapping[str, Any], answers: Answers) -> None:
        """Enter the record of an evaluation that has all of its answers."""
        with sqlite_errors(self.path), transaction(self._connection):
            design = keep_design(self._connection, answers)
            self._connection.execute(
                "UPDATE evaluation SET design = ?, record = ? WHERE id = ?", (design, json.dumps(record), evaluation)
            )

    # -- the study, and its jobs and those of papers --

    def keep_study(self, content: Mapping[str, Any], data_sets: Mapping[str, tuple[str, str]]) -> None:
        """Make this the study of the store; ``data_sets`` gives name and digest for every path.

        Raises
        ------
        StoreError
            The study of the store has another name; or a file is not what it was when it was first measured, and the
            message names the data sets.
        """
        with sqlite_errors(self.path), transaction(self._connection):
            kept = self._kept_study() or {"study": content, "data_sets": {}}
            if kept["study"]["name"] != content["name"]:  # of the same name it is a changed version
                old = quoted(kept["study"]["name"])
                raise StoreError(
                    f"{self.path}: holds the study {old}, and this one is {quoted(content['name'])}; name another "
                    f"store, or, if it is a changed {old}, write name = {old} in it"
                )
            known = kept["data_sets"]
            changed = [
                f"{name} ({path})"
                for path, (name, digest) in data_sets.items()
                if path in known and known[path][1] != digest
            ]
            if changed:
                raise StoreError(
                    f"{self.path}: changed since they were measured: {', '.join(changed)}; put back the files as they "
                    "were, or name another store"
                )
            text = json.dumps({"study": content, "data_sets": {**data_sets, **known}, "files": [*data_sets]})
            self._connection.execute("INSERT OR REPLACE INTO study VALUES (1, ?)", (text,))

    def study(self) -> dict[str, Any]:
        """The content of the study, as `Study.content` gives it; StoreError if the store has none."""
        content: dict[str, Any] = self._study()["study"]
        return content

    def data_sets(self) -> dict[str, tuple[str, str]]:
        """Name and digest of each data set of the study, by its path; StoreError if the store has no study.

        Data sets of earlier versions of the study stay in the store, and are left out here.
        """
        study = self._study()
        return {path: study["data_sets"][path] for path in study["files"]}

    def _study(self) -> dict[str, Any]:
        if (kept := self._kept_study()) is None:
            raise StoreError(f"{self.path}: holds no study; begin one with wekaconf study run STUDY --store FILE")
        return kept

    def _kept_study(self) -> dict[str, Any] | None:
        with sqlite_errors(self.path):
            row = self._connection.execute("SELECT content FROM study").fetchone()
        if row is None:
            return None
        with report_damage(self.path, "its study"):
            kept: dict[str, Any] = read(row[0], STUDY)
            kept["data_sets"] = {path: (name, digest) for path, (name, digest) in kept["data_sets"].items()}
            if not kept["data_sets"].keys() >= set(kept["files"]):
                raise ValueError("a data set is missing")
            return kept

    def enter(
        self, key: bytes, kind: str, facts: Mapping[str, Any], *,
        records: Sequence[Mapping[str, Any]] | None = None, error: str | None = None,
    ) -> None:  # fmt: skip
        """Enter that a job of a study or a paper is done, perhaps with its records, or its error.

        The key is a digest of all that the outcome depends on; the facts tell what it was.
        """
        row = (key, kind, json.dumps(facts), None if records is None else json.dumps(list(records)), error)
        with sqlite_errors(self.path), transaction(self._connection):
            self._connection.execute("INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?)", row)

    def kept_records(self, key: bytes) -> list[dict[str, Any]] | None:
        """The records under a key; None if there are none."""
        with sqlite_errors(self.path):
            row = self._connection.execute("SELECT records FROM job WHERE key = ?", (key,)).fetchone()
        if row is None or row[0] is None:
            return None
        with report_damage(self.path, "what was replicated"):
            records: list[dict[str, Any]] = read(row[0], [{}])
        return records

    def outcomes(self) -> list[tuple[bytes, Job, str | None]]:
        """Key, job and error of each job of a study that has run; None where there is a result."""
        with sqlite_errors(self.path):
            sql = "SELECT key, facts, error FROM job WHERE kind = ?"
            rows = self._connection.execute(sql, (JOB_OF_STUDY,)).fetchall()
        with report_damage(self.path, "a job"):
            shape = dict.fromkeys(Job._fields, TEXT)
            return [(key, Job(**read(facts, shape)), error) for key, facts, error in rows]


def store_for(resume: str | os.PathLike[str] | None) -> AbstractContextManager[Store | None]:
    """The store that keeps the finished parts of a long work; None if the user names none."""
    return nullcontext() if resume is None else Store(resume)
