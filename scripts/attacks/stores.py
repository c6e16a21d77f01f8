"""Stores from strangers: a good SQLite file is changed, by its bytes or in SQL, and all that it holds is read.

A store, or a part of it, is read and written to other formats, or refused with an error of ours.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

import wekaconf as wc
from attacks import Tried
from attacks._changes import changed, copied, cut_off, dropped, one_bit, one_byte, places
from attacks._reader import Reader
from wekaconf.evaluation.cross_validation import Design
from wekaconf.experiments.store import JOB_OF_STUDY, Job
from wekaconf.experiments.store._stored_answers import compressed, decompressed, packed, unpacked
from wekaconf.experiments.studies import Study

READER = Reader("_file_reader.py")
PER_DRAW = 5
PAGE = 4096
METHODS = ("leaf_frequency", "m_branch")
ODD = (
    None, True, False, -1, 0, 1, 2**31, 2**63, 1e308, float("nan"), float("inf"), "", "x", "iris", "\x1b[31m\u202e\n",
    "\ud800", [], {}, [[]], [None], {"x": 1}, "x" * 5000, "<script>", "J48", "leaf_frequency",
)  # fmt: skip
CELLS = (
    None, 0, 1, -1, 2, 2**62, 1.5, "", "x", "[]", "{}", "null", "[" * 5000, "1", b"", b"\xff\xfe", b"x" * 100, "é\0",
)  # fmt: skip
"""What a cell of a table becomes."""
BYTES = (one_bit, one_bit, one_byte, dropped, cut_off, copied)


def draw(seed: int, tried: Tried) -> Iterator[str]:
    """Change a store a few times, each time from the start."""
    rng = Random(seed)
    for _ in range(PER_DRAW):
        change = rng.choice(CHANGES)
        content, what = change(rng, rng.choice(good_stores()))
        verdict = READER.verdict(content, ".sqlite")
        kind, _, reason = verdict.partition(" ")
        tried["changes", change.__name__] += 1
        tried["verdicts", "reads all" if "0 parts refused" in reason else kind] += 1
        if kind not in ("reads", "refused"):
            yield f"{what}: {verdict}"


@cache
def good_stores() -> list[bytes]:
    """Stores of evaluations under several protocols, and of a study; one is empty."""
    folder = Path(__file__).resolve().parents[2] / "arff"
    iris, wine = (wc.load_arff(folder / f"{name}.arff").take(slice(None, None, 6)) for name in ("iris", "wine"))
    protocols = (
        [wc.Protocol(folds=2, runs=2)],
        [wc.Protocol(folds=2, aim=wc.Aim("keep", 0.9)), wc.Protocol(folds=2, known=("setosa", "versicolor"))],
        [wc.Protocol(folds="loo")],
        [],
    )
    stores = []
    for number, each in enumerate(protocols):
        with tempfile.TemporaryDirectory() as place, warnings.catch_warnings(action="ignore"):
            path = Path(place) / "s.sqlite"
            for protocol in each:
                for data, name in ((iris, "iris"), (wine, "wine"))[: 2 if number == 0 else 1]:
                    wc.evaluate(
                        data, ["leaf_frequency", "m_branch"], protocol=protocol, learner="CART", name=name, resume=path
                    )
            with wc.Store(path) as store:
                study = Study(data=("iris.arff",), methods=METHODS, learners=("CART",))
                store.keep_study(study.content(), {"iris.arff": ("iris", "0" * 64)})
                store.enter(b"k", JOB_OF_STUDY, Job("iris", "CART", "m_branch", "{}")._asdict(), error="failed")
                store.enter(b"key", "katz2012", {"data_set": "iris"}, records=[{"a": 1}])
                store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            stores.append(path.read_bytes())
    return stores


# ---- changes ----


def in_bytes(rng: Random, content: bytes) -> tuple[bytes, str]:
    """Bytes anywhere are changed."""
    return changed(rng, content, BYTES)


def in_the_head(rng: Random, content: bytes) -> tuple[bytes, str]:
    """Bytes of the head of the file, or of a page, are changed."""
    place = rng.randrange(100) if rng.random() < 0.5 else PAGE * rng.randrange(len(content) // PAGE) + rng.randrange(16)
    return content[:place] + bytes([rng.randrange(256)]) + content[place + 1 :], f"byte {place}"


def a_page(rng: Random, content: bytes) -> tuple[bytes, str]:
    """A page is empty, or that of another."""
    n = len(content) // PAGE
    here, there = rng.randrange(n), rng.randrange(n)
    new = bytes(PAGE) if rng.random() < 0.3 else content[PAGE * there : PAGE * (there + 1)]
    return content[: PAGE * here] + new + content[PAGE * (here + 1) :], f"page {here} from {there}"


def _in_sql(change: Callable[[Random, sqlite3.Connection], str]) -> Callable[[Random, bytes], tuple[bytes, str]]:
    """A change by means of SQLite."""

    def of_file(rng: Random, content: bytes) -> tuple[bytes, str]:
        with tempfile.TemporaryDirectory(dir=READER.folder.name) as folder:
            path = Path(folder) / "s.sqlite"
            path.write_bytes(content)
            connection = sqlite3.connect(path, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = DELETE")
                connection.create_function("chance", 0, rng.random)
                told = change(rng, connection)
            finally:
                connection.close()
            return path.read_bytes(), told

    of_file.__name__ = change.__name__
    return of_file


COLUMNS = {
    "design": ("fingerprint", "asked"),
    "evaluation": ("fingerprint", "facts", "n_classes", "design", "record"),
    "piece": ("evaluation", "run", "place", "answers"),
    "study": ("content",),
    "job": ("key", "kind", "facts", "records", "error"),
}
JSON = (("evaluation", "facts"), ("evaluation", "record"), ("evaluation", "record"), ("evaluation", "record"),
        ("job", "records"), ("job", "facts"), ("study", "content"), ("study", "content"))  # fmt: skip


@_in_sql
def a_cell(rng: Random, connection: sqlite3.Connection) -> str:
    """A cell is another."""
    table = rng.choice([*COLUMNS])
    column, cell = rng.choice(COLUMNS[table]), rng.choice(CELLS)
    with suppress(sqlite3.Error):
        connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE chance() < 0.5", (cell,))
    return f"{table}.{column} = {str(cell)[:60]!r}"


@_in_sql
def rows(rng: Random, connection: sqlite3.Connection) -> str:
    """Rows of a table are gone."""
    table = rng.choice([*COLUMNS])
    connection.execute(f"DELETE FROM {table} WHERE chance() < ?", (rng.choice((1, 0.5, 0.2)),))
    return f"rows of {table} are gone"


@_in_sql
def json_values(rng: Random, connection: sqlite3.Connection) -> str:
    """A value in JSON is another, is gone, or comes twice."""
    table, column = rng.choice(JSON)
    found = connection.execute(f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL").fetchall()
    if not found:
        return "left"
    (text,) = rng.choice(found)
    value = json.loads(text)
    way = rng.choice([*places(value)] or [()])
    if way:
        holder = value
        for step in way[:-1]:
            holder = holder[step]
        which = rng.randrange(4)
        if which == 0:
            del holder[way[-1]]
        elif which == 1 and isinstance(holder, list):
            holder.insert(way[-1], holder[way[-1]])
        else:
            holder[way[-1]] = rng.choice(ODD)
    new = json.dumps(value) if rng.random() < 0.9 else changed(rng, text.encode())[0].decode("utf-8", "replace")
    connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (new.replace("\0", ""), text))
    return f"{table}.{column} {way}"


@_in_sql
def design(rng: Random, connection: sqlite3.Connection) -> str:
    """The arrays of who was asked have other values or shapes, or other names."""
    found = connection.execute("SELECT d.id, asked, n_classes FROM design d JOIN evaluation e ON e.design = d.id")
    rows = found.fetchall()
    if not rows:
        return "left"
    number, asked, n_classes = rng.choice(rows)
    fields = unpacked(Design, asked, n_classes, {})
    facts = {"class_names": fields.pop("class_names")}
    name = rng.choice([*fields])
    array = fields[name].copy()
    which = rng.randrange(7)
    if which == 0 and array.size:
        array.flat[rng.randrange(array.size)] = rng.choice((-1, 0, 1, 7, 100))
    elif which == 1:
        array = array[: rng.randrange(len(array) + 1)]
    elif which == 2:
        array = array.view(rng.choice(("<i4", "<f8", ">f8", "?", "<u8"))) if array.dtype.itemsize == 8 else array[::2]
    elif which == 3:
        array = array.reshape(-1, 1)
    elif which == 4 and array.dtype.kind == "f":
        array.flat[:] = rng.choice((np.nan, np.inf, -1.0, 1e308))
    elif which == 5:
        facts = facts | {
            "class_names": rng.choice(([], ["a"], ["a"] * 3, "abc", None, [1, 2, 3], ["\x1b[31m", "b", "c"]))
        }
    else:
        array = np.concatenate((array, array))
    changed_fields: dict[str, Any] = {**fields, name: None if rng.random() < 0.1 else array}  # None: it is missing
    new = compressed(packed(Design, SimpleNamespace(**changed_fields), facts))
    connection.execute("UPDATE design SET asked = ? WHERE id = ?", (new, number))
    return f"{name}, change {which}"


@_in_sql
def piece(rng: Random, connection: sqlite3.Connection) -> str:
    """The bytes of an answer are changed, or those of another."""
    found = connection.execute("SELECT evaluation, run, place, answers FROM piece").fetchall()
    if not found:
        return "left"
    *where, answers = rng.choice(found)
    which = rng.random()
    if which < 0.4:
        new = rng.choice(found)[-1]
    elif which < 0.7:
        new = changed(rng, answers, BYTES)[0]
    else:  # with the checksum of the changed bytes
        new = compressed(changed(rng, decompressed(answers), BYTES)[0])
    connection.execute("UPDATE piece SET answers = ? WHERE (evaluation, run, place) = (?, ?, ?)", (new, *where))
    return f"piece {where}"


INTO_A_VIEW = "ALTER TABLE study RENAME TO old; CREATE VIEW study AS"
REWRITE = "PRAGMA writable_schema = ON; UPDATE sqlite_master SET"
STATEMENTS = (
    "DROP TABLE study", "DROP TABLE piece", "DROP TABLE design", "ALTER TABLE evaluation RENAME COLUMN facts TO fact",
    "ALTER TABLE evaluation ADD COLUMN more TEXT", "CREATE TABLE more (x)", "CREATE INDEX i ON piece (place)",
    "CREATE TRIGGER t BEFORE INSERT ON study BEGIN DELETE FROM study; END", "CREATE VIRTUAL TABLE f USING fts5(x)",
    f"{INTO_A_VIEW} WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n) SELECT i, '' FROM n WHERE i < 0",
    f"{INTO_A_VIEW} SELECT id, zeroblob(900000000) AS content FROM old",
    "ALTER TABLE study RENAME TO old; CREATE TABLE study (id INTEGER PRIMARY KEY, content TEXT AS (zeroblob(9e8)))",
    "PRAGMA user_version = 99", "PRAGMA user_version = -1", "PRAGMA application_id = 1", "PRAGMA application_id = 0",
    "ANALYZE", "VACUUM", "PRAGMA auto_vacuum = 1; VACUUM", "PRAGMA page_size = 512; VACUUM",
    "PRAGMA page_size = 65536; VACUUM", f"{REWRITE} sql = 'CREATE TABLE study (id, content, x)' WHERE name = 'study'",
    f"{REWRITE} sql = NULL WHERE name = 'piece'", f"{REWRITE} rootpage = 1 WHERE name = 'evaluation'",
    f"{REWRITE} rootpage = 2", f"{REWRITE} name = 'x'",
)  # fmt: skip


@_in_sql
def schema(rng: Random, connection: sqlite3.Connection) -> str:
    """Tables, views, triggers or the marks of the file are others."""
    statement = rng.choice(STATEMENTS)
    try:
        connection.executescript(statement)
    except sqlite3.Error as error:
        return f"{statement}: {error}"
    return statement


CHANGES = (
    in_bytes, in_bytes, in_the_head, a_page, a_page, a_cell, a_cell, rows, json_values, json_values, json_values,
    design, design, piece, schema,
)  # fmt: skip
