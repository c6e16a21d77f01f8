"""Opens, checks and locks the SQLite file of a store, and turns SQLite's errors into StoreErrors.

SQLite in WAL: a transaction per piece, and no loss when a process is killed. HDF5 and Parquet have no transactions, and
a folder of files has names, locks and damage to think of. A lock is a transaction on a file beside the store: it goes
with its process, however that ends; a process id in a row would have to be believed on another host, or after the id
was used again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wekaconf.base.errors import OptionError, StoreError
from wekaconf.base.files import is_stream, removed_afterwards

APPLICATION = 0x776B6366
"""The bytes "wkcf", which SQLite keeps in the head of the file."""
VERSION = 3
"""Version of the tables."""
MAGIC = b"SQLite format 3\0"
WAIT_SECONDS = 60.0
"""How long a transaction waits for that of another process."""
TABLES = """
CREATE TABLE design (id INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL UNIQUE, asked BLOB NOT NULL);
CREATE TABLE evaluation (
    id INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL UNIQUE, facts TEXT NOT NULL, n_classes INTEGER NOT NULL,
    design INTEGER REFERENCES design, record TEXT
);
CREATE TABLE piece (
    evaluation INTEGER NOT NULL REFERENCES evaluation, run INTEGER NOT NULL, place INTEGER NOT NULL,
    answers BLOB NOT NULL,
    PRIMARY KEY (evaluation, run, place)
) WITHOUT ROWID;
CREATE TABLE study (id INTEGER PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE job (
    key BLOB PRIMARY KEY, kind TEXT NOT NULL, facts TEXT NOT NULL, records TEXT, error TEXT
) WITHOUT ROWID;
"""
"""A job is what a study, or a paper of the kind, measures at a time: it has failed, is done, or has records.

``asked`` and ``answers`` hold arrays, see ``_stored_answers.packed``; ``facts``, ``record``, ``records`` and
``content`` are JSON, whose NaN and Infinity are Python's. An evaluation without record is not finished."""


def connect(path: str, *, must_exist: bool = False) -> sqlite3.Connection:
    """The database in a file, which is made if need be.

    Raises
    ------
    StoreError
        The file is no store, is damaged, or of another version; or there must be a store, and the file is missing or
        empty.
    OptionError
        The path is a folder or a pipe.
    """
    if is_stream(path):
        raise OptionError(f"{path}: is no file, and a store is one; name a file, which may be new", value_of="path")
    if os.path.isdir(path):
        raise OptionError(f"{path}: is a folder; name a file, such as {path}.sqlite, which may be new", value_of="path")
    if must_exist and not os.path.exists(path):
        raise StoreError(f"{path}: there is no such store; check the name")
    with suppress(FileNotFoundError), open(path, "rb") as file:
        head = file.read(len(MAGIC))
        if head not in (b"", MAGIC):
            raise StoreError(f"{path}: is not a store of results; name another file")
        if must_exist and not head:
            raise StoreError(f"{path}: is empty, so there are no results in it; name another file")
    with sqlite_errors(path):
        connection = sqlite3.connect(_address(path), timeout=WAIT_SECONDS, isolation_level=None, uri=True)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _address(path: str) -> str:
    """The address of a database for SQLite.

    To read in WAL, SQLite makes files beside the database. Where it may not, and no such file holds anything that is to
    be read, too, nobody writes the database, and SQLite reads it as it stands.
    """
    file = Path(path).resolve()
    log = file.with_name(f"{file.name}-wal")
    is_log_empty = not log.exists() or not log.stat().st_size
    is_fixed = file.exists() and is_log_empty and not os.access(file.parent, os.W_OK)
    return file.as_uri() + "?immutable=1" * is_fixed


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    application, version = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _HEAD)
    if not application:
        connection.execute("PRAGMA journal_mode = WAL")
        with transaction(connection):
            application, version = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _HEAD)
            is_empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if is_empty:
                for statement in TABLES.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
                application, version = APPLICATION, VERSION
    if application != APPLICATION:
        raise StoreError(f"{path}: is a database of another program, not a store of results; name another file")
    if version != VERSION:
        raise StoreError(
            f"{path}: is a store of version {version}, and this wekaconf writes version {VERSION}; "
            + ("update wekaconf, or name another file" if version > VERSION else "name another file")
        )
    connection.execute("PRAGMA trusted_schema = OFF")
    statements = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    # To the letter, since a view or a computed column can run for ever.
    if {_in_one_line(statement) for (statement,) in statements} != set(map(_in_one_line, TABLES.strip().split(";\n"))):
        raise StoreError(
            f"{path}: is damaged: its tables, views and triggers are not those that wekaconf writes; put back a copy "
            "of it"
        )
    connection.execute("PRAGMA synchronous = NORMAL")  # in WAL a killed process loses nothing
    connection.execute("PRAGMA foreign_keys = ON")


_HEAD = ("application_id", "user_version")


def _in_one_line(statement: object) -> str:
    return " ".join(str(statement).strip(";\n").split())


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all of the block or nothing, as soon as no other process writes."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


@contextmanager
def sqlite_errors(path: str) -> Iterator[None]:
    """Turn SQLite's errors in the block into a StoreError that says what to do."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StoreError(f"{path}: is damaged ({error}); put back a copy of it") from error
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            problem = f"another process has been writing to it for {WAIT_SECONDS:.0f} s; end that one, or wait for it"
        elif code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            problem = (
                f"cannot be written ({error}), perhaps because the disk is full; make room and run the same command "
                "again: what was finished before is kept"
            )
        elif code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            problem = f"may not be written or opened ({error}); check its folder and permissions, or name another file"
        elif isinstance(error, sqlite3.ProgrammingError):  # a mistake of ours
            raise
        else:
            problem = f"is damaged ({error}); put back a copy of it, or delete it to compute everything again"
        raise StoreError(f"{path}: {problem}") from error


@contextmanager
def sole_run(path: str) -> Iterator[None]:
    """Let no other process run a study on the store while the block lasts.

    The lock is SQLite's, on a file beside the store, so it ends with its process, however the process ends.

    Raises
    ------
    StoreError
        Another process runs a study.
    """
    lock_path = f"{path}-run"
    with sqlite_errors(lock_path):
        lock = sqlite3.connect(lock_path, timeout=0.0, isolation_level=None)
        try:
            lock.execute("PRAGMA journal_mode = OFF")  # a file that might stay
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            raise StoreError(
                f"{path}: another process runs a study on this store; wait until it has ended, or name another store"
            ) from None
    try:
        with removed_afterwards(
            lock_path
        ):  # while it is locked, so that nobody waits for the lock of a file that is gone
            yield
    finally:
        lock.close()
