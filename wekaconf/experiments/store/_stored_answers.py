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
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import StoreError, tell
from wekaconf.base.stored import LARGEST_WEIGHT, check_stored, declared, stored
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.cross_validation import ARRAYS, DISTRIBUTIONS, Answers, FoldAnswers, FoldKey, Label
from wekaconf.evaluation.thresholds import Choice
from wekaconf.experiments.store._database import sqlite_errors, transaction
from wekaconf.experiments.store._record_schema import DAMAGE, TEXT, read, report_damage

FACTS_OF_ANSWERS = {"?choice": {}, "?events": {...: (int,)}, "?notes": [TEXT]}
"""Shape of the facts that are kept beside the arrays."""
SELECT = "SELECT run, place, n, answers, told FROM piece WHERE evaluation = ? ORDER BY run, place"
LEVEL = 1
"""Compression level of zlib: the fastest."""
CHECK_BYTES = 4


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
            (self.evaluations[label], *key, len(each), pack(each), _facts_text(each))
            for (key, label), each in answers.items()
        ]
        with sqlite_errors(self._path), transaction(self._connection):
            self._connection.executemany("INSERT OR REPLACE INTO piece VALUES (?, ?, ?, ?, ?, ?)", rows)
        self.data.update(answers)


def read_answers(
    connection: sqlite3.Connection, path: str, evaluation: int, design: Mapping[str, Any], n_classes: int
) -> Answers:
    """The answers of a finished evaluation, with the fields of its design; ValueError if some are missing.

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
    run, place, *content = row
    if not all(isinstance(number, int) and number >= 0 for number in (run, place)):
        raise ValueError("no whole numbers say which answers these are")
    return (run, place), fold_answers_of(content, n_classes)


def _in_words(run: object, place: object) -> str:
    """A fold in words, as far as a damaged store tells."""
    return f"run {run + 1}, fold {place + 1}" if isinstance(run, int) and isinstance(place, int) else "a piece"


def fold_answers_of(row: Sequence[Any], n_classes: int) -> FoldAnswers:
    """The answers in the columns n, answers and told of a row; an error of `DAMAGE` if they are damaged."""
    n, content, facts_text = row
    if not isinstance(n, int) or not 0 <= n < 2**31 or not isinstance(content, bytes):
        raise ValueError("expected a number of answers, and their bytes")
    facts: dict[str, Any] = {} if facts_text is None else read(facts_text, FACTS_OF_ANSWERS)
    choice, arrays = facts.get("choice"), unpack(content, n, n_classes)
    if not np.isfinite(arrays["proba"]).all() or not np.isfinite(arrays["baseline"]).all():
        raise ValueError("expected distributions")
    return FoldAnswers(
        **arrays,
        choice=None if choice is None else Choice.of_record(choice),
        events=dict(facts.get("events", {})),
        notes=tuple(facts.get("notes", ())),
    )


def _facts_text(answers: FoldAnswers) -> str | None:
    facts = {
        "choice": None if answers.choice is None else answers.choice.as_record(),
        "events": dict(answers.events),
        "notes": list(answers.notes),
    }
    present = {name: value for name, value in facts.items() if value}
    return json.dumps(present) if present else None


@dataclass(frozen=True)
class _Design:
    """The arrays of `Answers` that do not depend on the method."""

    known: Annotated[NDArray[np.bool_], stored(np.bool_, "n_runs", "n_classes")]
    actual: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=-1, below="n_classes")]
    is_foreign: Annotated[NDArray[np.bool_], stored(np.bool_, "n_answers")]
    weights: Annotated[FloatArray, stored(np.float64, "n_answers", low=0, high=LARGEST_WEIGHT)]
    run: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=0, below="n_runs")]
    fold: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=0)]
    instance: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=0)]
    training_weight: Annotated[FloatArray, stored(np.float64, "n_splits", "n_classes", low=0)]


def keep_design(connection: sqlite3.Connection, answers: Answers) -> int:
    """The id of the design of these answers, which is written unless it is there already."""
    arrays, facts = {name: getattr(answers, name) for name in declared(_Design)}, {"class_names": answers.class_names}
    fingerprint = digest_of_arrays(arrays, facts)
    existing = connection.execute("SELECT id FROM design WHERE fingerprint = ?", (fingerprint,)).fetchone()
    if existing is not None:
        return int(existing[0])
    row = fingerprint, pack_arrays(arrays, facts)
    design = connection.execute("INSERT INTO design (fingerprint, asked) VALUES (?, ?)", row).lastrowid
    assert design is not None
    return design


def read_design(connection: sqlite3.Connection, path: str, design: int, n_classes: int) -> dict[str, Any]:
    """The fields of `Answers` that do not depend on the method.

    Raises
    ------
    StoreError
        They are damaged.
    """
    with report_damage(path, f"design {design}"):
        [content] = connection.execute("SELECT asked FROM design WHERE id = ?", (design,)).fetchone()
        arrays, facts = unpack_arrays(content)
        names = facts["class_names"]
        check_stored(_Design, arrays, {"n_classes": n_classes})
        if not all(isinstance(name, str) for name in names) or len(names) != n_classes:
            raise ValueError(f"expected the names of {n_classes} classes")
        return {name: arrays[name] for name in declared(_Design)} | {"class_names": tuple(names)}


def pack(answers: FoldAnswers) -> bytes:
    """The arrays of answers as bytes; `unpack` gives them back bit for bit."""
    given = [] if answers.given is None else [answers.given.astype(np.float64)]
    columns = [*(np.transpose(getattr(answers, name)) for name in ARRAYS), *given]
    return _compressed(b"".join(np.ascontiguousarray(column).tobytes() for column in columns))


def unpack(content: bytes, n: int, n_classes: int) -> dict[str, NDArray[Any]]:
    """The arrays of ``n`` answers; ValueError unless the bytes are those of so many."""
    widths = [n_classes if name in DISTRIBUTIONS else 1 for name in ARRAYS]
    numbers = np.frombuffer(_decompressed(content, 8 * n * (sum(widths) + 1)), np.float64)
    if len(numbers) not in (n * sum(widths), n * (sum(widths) + 1)):
        raise ValueError(f"expected {n} answers")
    *columns, given = np.split(numbers, n * np.cumsum(widths))
    arrays = {
        name: np.ascontiguousarray(column.reshape(n_classes, n).T) if name in DISTRIBUTIONS else column
        for name, column in zip(ARRAYS, columns, strict=True)
    }
    if len(given):
        if not np.isin(given, np.arange(n_classes)).all():
            raise ValueError("expected the indices of classes")
        arrays["given"] = given.astype(np.int64)
    return arrays


def pack_arrays(arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> bytes:
    """Named arrays of numbers, and facts that JSON can hold, as bytes."""
    head = _head(arrays, facts)
    raw = b"".join((head, *_buffers(arrays)))
    return len(head).to_bytes(8, "little") + len(raw).to_bytes(8, "little") + _compressed(raw)


def digest_of_arrays(arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> bytes:
    """SHA-256 of what `pack_arrays` packs, which costs far less than packing."""
    digest = hashlib.sha256(_head(arrays, facts))
    for buffer in _buffers(arrays):
        digest.update(buffer)
    return digest.digest()


def unpack_arrays(content: bytes) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays and facts that `pack_arrays` packed; ValueError, KeyError or TypeError for other bytes."""
    n_head, n_raw = (int.from_bytes(content[begin : begin + 8], "little") for begin in (0, 8))
    raw = _decompressed(content[16:], n_raw)
    head, begin = json.loads(raw[:n_head]), n_head
    arrays = {}
    for name, kind, shape in head["layout"]:
        end = begin + math.prod(shape) * np.dtype(kind).itemsize
        arrays[name] = np.frombuffer(raw[begin:end], np.dtype(kind)).reshape(shape)
        begin = end
    return arrays, head["facts"]


def _head(arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> bytes:
    layout = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    return json.dumps({"layout": layout, "facts": facts}).encode()


def _buffers(arrays: Mapping[str, NDArray[Any]]) -> list[bytes]:
    return [np.ascontiguousarray(array).tobytes() for array in arrays.values()]


def _compressed(raw: bytes) -> bytes:
    return zlib.crc32(raw).to_bytes(CHECK_BYTES, "little") + zlib.compress(raw, LEVEL)


def _decompressed(content: bytes, largest: int) -> bytes:
    """The bytes that `_compressed` got, at most ``largest`` of them; ValueError if they are damaged."""
    try:
        raw = zlib.decompressobj().decompress(content[CHECK_BYTES:], largest + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if len(raw) > largest or zlib.crc32(raw) != int.from_bytes(content[:CHECK_BYTES], "little"):
        raise ValueError("the checksum is wrong")
    return raw
