"""The answers of evaluations in a store, and their designs: rows, classes and weights that methods share, kept once.

Arrays are packed without loss, columns one after another, compressed: a leaf answers the same for all of its
instances, and the ranking is often the distribution itself, so that an answer on two classes takes 3 to 21 bytes of 64.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import zlib
from collections import UserDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wekaconf.base.errors import StoreError, tell
from wekaconf.base.stored import check_stored, declared
from wekaconf.evaluation.cross_validation import Answers, Design, FoldAnswers, FoldKey, Label
from wekaconf.evaluation.thresholds import Choice
from wekaconf.experiments.store._database import sqlite_errors, transaction
from wekaconf.experiments.store._record_schema import DAMAGE, TEXT, check_shape, report_damage

FACTS_OF_ANSWERS = {"?choices": [{}], "?events": {...: (int,)}, "?notes": [TEXT]}
"""Shape of the facts beside the arrays of a fold; what is empty is left out."""
SELECT = "SELECT run, place, answers FROM piece WHERE evaluation = ? ORDER BY run, place"
LEVEL = 1
"""Compression level of zlib: the fastest."""
CHECK_BYTES, SIZE_BYTES = 4, 8


class StoredAnswers(UserDict[tuple[FoldKey, Label], FoldAnswers]):
    """The finished answers of methods, by fold and label; what is set is also written, at once.

    Each method is an evaluation of its own in the store. Damaged answers count as not finished, with a `Note`.

    Parameters
    ----------
    connection : sqlite3.Connection
    path : str
        The path of the store, for messages.
    evaluations : mapping of labels to int
        The id of each method's evaluation.
    n_classes : int
    """

    def __init__(
        self, connection: sqlite3.Connection, path: str, evaluations: Mapping[Any, int], n_classes: int
    ) -> None:
        super().__init__()
        self._connection, self._path = connection, path
        self.evaluations = evaluations
        for label, evaluation in evaluations.items():
            with sqlite_errors(path):
                rows = connection.execute(SELECT, (evaluation,)).fetchall()
            for row in rows:
                try:
                    key, answers = _read(row, n_classes)
                except DAMAGE:
                    tell(f"{path}: the answers of {_in_words(*row[:2])} are damaged, so they are computed again")
                else:
                    self.data[key, label] = answers

    def __setitem__(self, key: tuple[FoldKey, Label], answers: FoldAnswers) -> None:
        """Write the answers of one method to one fold."""
        self.update({key: answers})

    def update(self, answers: Mapping[tuple[FoldKey, Label], FoldAnswers]) -> None:  # type: ignore[override]
        """Write answers, all of them or none."""
        rows = [
            (self.evaluations[label], *key, compressed(packed(FoldAnswers, each, _facts_of(each))))
            for (key, label), each in answers.items()
        ]
        with sqlite_errors(self._path), transaction(self._connection):
            self._connection.executemany("INSERT OR REPLACE INTO piece VALUES (?, ?, ?, ?)", rows)
        self.data.update(answers)


def read_answers(connection: sqlite3.Connection, path: str, evaluation: int, design: Design, n_classes: int) -> Answers:
    """The answers of a finished evaluation; ValueError if some are missing.

    Raises
    ------
    StoreError
        Answers are damaged.
    """
    folds = []
    for row in connection.execute(SELECT, (evaluation,)):
        try:
            folds.append(_read(row, n_classes)[1])
        except DAMAGE as error:
            raise StoreError(
                f"{path}: {_in_words(*row[:2])} of evaluation {evaluation} is damaged ({error}); run "
                "the command that made the store again to compute it anew, or put back a copy of the store"
            ) from error
    answers = Answers.of(design, folds)
    if len(answers.training_weight) != answers.split.max() + 1:
        raise ValueError("the weights of a training set are missing")
    return answers


def _read(row: Sequence[Any], n_classes: int) -> tuple[FoldKey, FoldAnswers]:
    """The fold and the answers in a row of `SELECT`; an error of `DAMAGE` if the row is damaged."""
    run, place, content = row
    if not all(isinstance(number, int) and number >= 0 for number in (run, place)):
        raise ValueError("no whole numbers say which answers these are")
    fields = unpacked(FoldAnswers, content, n_classes, FACTS_OF_ANSWERS)
    fields["notes"] = tuple(fields.get("notes", ()))
    fields["choices"] = tuple(map(Choice.of_record, fields.get("choices", ())))
    return (run, place), FoldAnswers(**fields)


def _in_words(run: object, place: object) -> str:
    """A fold in words, as far as a damaged store tells."""
    return f"run {run + 1}, fold {place + 1}" if isinstance(run, int) and isinstance(place, int) else "a piece"


def _facts_of(answers: FoldAnswers) -> dict[str, Any]:
    choices = [choice.as_record() for choice in answers.choices]
    facts = {"choices": choices, "events": dict(answers.events), "notes": answers.notes}
    return {name: value for name, value in facts.items() if value}


def keep_design(connection: sqlite3.Connection, design: Design) -> int:
    """The id of a design, which is written unless it is there already."""
    content = packed(Design, design, {"class_names": design.class_names})
    fingerprint = hashlib.sha256(content).digest()  # costs far less than compression
    existing = connection.execute("SELECT id FROM design WHERE fingerprint = ?", (fingerprint,)).fetchone()
    if existing is not None:
        return int(existing[0])
    row = fingerprint, compressed(content)
    number = connection.execute("INSERT INTO design (fingerprint, asked) VALUES (?, ?)", row).lastrowid
    assert number is not None
    return number


def read_design(connection: sqlite3.Connection, path: str, number: int, n_classes: int) -> Design:
    """The design with this id.

    Raises
    ------
    StoreError
        It is damaged.
    """
    with report_damage(path, f"design {number}"):
        [content] = connection.execute("SELECT asked FROM design WHERE id = ?", (number,)).fetchone()
        fields = unpacked(Design, content, n_classes, {"class_names": [TEXT]})
        if len(fields["class_names"]) != n_classes:
            raise ValueError(f"expected the names of {n_classes} classes")
        return Design(**fields | {"class_names": tuple(fields["class_names"])})


def packed(cls: type, holder: object, facts: Mapping[str, Any]) -> bytes:
    """The arrays of an object that a class declares, see `wekaconf.base.stored`, and facts that JSON can hold.

    Arrays stand in the order of their columns, since neighbours are then more alike.
    """
    arrays = {name: array for name in declared(cls) if (array := getattr(holder, name)) is not None}
    head = json.dumps([{name: array.shape for name, array in arrays.items()}, facts], separators=(",", ":")).encode()
    return b"".join((len(head).to_bytes(SIZE_BYTES, "little"), head, *(each.tobytes("F") for each in arrays.values())))


def unpacked(cls: type, content: object, n_classes: int, shape: Any) -> dict[str, Any]:
    """The arrays, bit for bit, and the facts that were packed and compressed; an error of `DAMAGE` for other bytes.

    ``shape`` is that of the facts, see `check_shape`.
    """
    raw = decompressed(content)
    begin = SIZE_BYTES + int.from_bytes(raw[:SIZE_BYTES], "little")
    lengths_of, facts = json.loads(raw[SIZE_BYTES:begin])
    check_shape(facts, shape)
    arrays = {}
    for name, lengths in lengths_of.items():
        dtype = declared(cls)[name].dtypes[0]
        end = begin + math.prod(lengths) * dtype.itemsize
        arrays[name] = np.ascontiguousarray(np.frombuffer(raw[begin:end], dtype).reshape(lengths, order="F"))
        begin = end
    check_stored(cls, arrays, {"n_classes": n_classes})
    return facts | arrays


def compressed(raw: bytes) -> bytes:
    """Bytes in a shorter form, with their number and a checksum."""
    head = len(raw).to_bytes(SIZE_BYTES, "little") + zlib.crc32(raw).to_bytes(CHECK_BYTES, "little")
    return head + zlib.compress(raw, LEVEL)


def decompressed(content: object) -> bytes:
    """The bytes that were compressed; ValueError if they are damaged, without unpacking more than their number."""
    if not isinstance(content, bytes):
        raise ValueError(f"expected bytes, got {type(content).__name__}")
    n_raw = int.from_bytes(content[:SIZE_BYTES], "little")
    check, packed_bytes = content[SIZE_BYTES : SIZE_BYTES + CHECK_BYTES], content[SIZE_BYTES + CHECK_BYTES :]
    try:
        raw = zlib.decompressobj().decompress(packed_bytes, n_raw + 1)
    except (zlib.error, OverflowError) as error:
        raise ValueError(str(error)) from error
    if len(raw) != n_raw or zlib.crc32(raw).to_bytes(CHECK_BYTES, "little") != check:
        raise ValueError("the checksum is wrong")
    return raw
