"""The finished pieces of evaluations in a store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from wekaconf.base.errors import StoreError, tell
from wekaconf.evaluation.finished import Piece, PieceKey, PieceKind
from wekaconf.evaluation.thresholds import Choice
from wekaconf.experiments.store.database import sqlite_errors, transaction
from wekaconf.experiments.store.packing import pack, unpack
from wekaconf.experiments.store.record_schema import DAMAGE, TEXT, read

PIECE_FACTS = {"?choice": {}, "?events": {...: (int,)}, "?notes": [TEXT]}
"""Shape of the facts of a piece, which are kept beside its arrays."""
PIECE_KINDS: tuple[PieceKind, ...] = ("split", "left out", "others")
"""Kinds of pieces; the table holds the index of the kind."""


class StoredPieces:
    """The pieces of the methods of one learner; each method is a separate evaluation in the store.

    They are `FinishedPieces` whose `put` writes at once, in one transaction. A damaged piece
    counts as not finished, with a `Note`.

    Parameters
    ----------
    connection : sqlite3.Connection
    path : str
        The path of the store, for messages.
    evaluations : sequence of int
        The id of each method's evaluation.
    n_classes : int
    """

    def __init__(self, connection: sqlite3.Connection, path: str, evaluations: Sequence[int], n_classes: int) -> None:
        self._connection, self._path, self._n_classes = connection, path, n_classes
        self.evaluations = evaluations

    @property
    def n_answers(self) -> int:
        """Number of answers that are finished, summed over the methods."""
        placeholders = ",".join("?" * len(self.evaluations))
        with sqlite_errors(self._path):
            sql = f"SELECT coalesce(sum(n), 0) FROM piece WHERE evaluation IN ({placeholders})"
            return int(self._connection.execute(sql, self.evaluations).fetchone()[0])

    def get(self, key: PieceKey, n_answers: int) -> Piece | None:
        """The piece; None if it is not finished, has another number of answers, or is damaged."""
        row_key = (self.evaluations[key.method], key.run, PIECE_KINDS.index(key.kind), key.place)
        with sqlite_errors(self._path):
            row = self._connection.execute(
                "SELECT n, answers, told FROM piece WHERE (evaluation, run, what, place) = (?, ?, ?, ?)", row_key
            ).fetchone()
        if row is None or row[0] != n_answers:
            return None
        try:
            return piece_of(row, self._n_classes)
        except DAMAGE:
            place = f"run {key.run + 1}, {key.kind} {key.place + 1}"
            tell(f"{self._path}: the answers of {place} are damaged, so they are computed again")
            return None

    def put(self, pieces: Mapping[PieceKey, Piece]) -> None:
        """Write pieces, all of them or none."""
        rows = [
            (self.evaluations[method], run, PIECE_KINDS.index(what), place, len(piece), pack(piece), _facts_text(piece))
            for (run, method, what, place), piece in pieces.items()
        ]
        with sqlite_errors(self._path), transaction(self._connection):
            self._connection.executemany("INSERT OR REPLACE INTO piece VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def sizes(self, run: int, method: int) -> dict[tuple[PieceKind, int], int]:
        """See `FinishedPieces.sizes`."""
        sql = "SELECT what, place, n FROM piece WHERE evaluation = ? AND run = ?"
        with sqlite_errors(self._path):
            rows = self._connection.execute(sql, (self.evaluations[method], run)).fetchall()
        return {(PIECE_KINDS[what], place): n for what, place, n in rows}


def pieces_by_run(
    connection: sqlite3.Connection, path: str, evaluation: int, n_classes: int
) -> Iterator[tuple[int, PieceKind, Piece]]:
    """Each piece of an evaluation with its run and its kind, in the order of the evaluation.

    Raises
    ------
    StoreError
        A piece is damaged.
    """
    sql = "SELECT run, what, place, n, answers, told FROM piece WHERE evaluation = ? ORDER BY run, what, place"
    for run, what, place, *row in connection.execute(sql, (evaluation,)):
        try:
            if not all(isinstance(number, int) and number >= 0 for number in (run, what, place)):
                raise ValueError("no whole numbers say which piece it is")
            yield run, PIECE_KINDS[what], piece_of(row, n_classes)
        except DAMAGE as error:
            name = (
                f"run {run + 1}, {PIECE_KINDS[what]} {place + 1}"
                if isinstance(run, int) and what in (0, 1, 2)
                else "a piece"
            )
            raise StoreError(
                f"{path}: {name} of evaluation {evaluation} is damaged ({error}); run "
                "the command that made the store again to compute it anew, or put back a copy of the store"
            ) from error


def piece_of(row: Sequence[Any], n_classes: int) -> Piece:
    """The piece in the columns n, answers and told of a row; ValueError, KeyError or TypeError if it is damaged."""
    n, content, facts_text = row
    if not isinstance(n, int) or not 0 <= n < 2**31 or not isinstance(content, bytes):
        raise ValueError("expected a number of answers, and their bytes")
    facts: dict[str, Any] = {} if facts_text is None else read(facts_text, PIECE_FACTS)
    choice, arrays = facts.get("choice"), unpack(content, n, n_classes)
    if not np.isfinite(arrays["proba"]).all() or not np.isfinite(arrays["baseline"]).all():
        raise ValueError("expected distributions")
    return Piece(
        **arrays,
        choice=None if choice is None else Choice.of_record(choice),
        events=dict(facts.get("events", {})),
        notes=tuple(facts.get("notes", ())),
    )


def _facts_text(piece: Piece) -> str | None:
    facts = {
        "choice": None if piece.choice is None else piece.choice.as_record(),
        "events": dict(piece.events),
        "notes": list(piece.notes),
    }
    present = {name: value for name, value in facts.items() if value}
    return json.dumps(present) if present else None
