"""Who was asked: what the answers of all methods on one data set and protocol have in common, kept once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.errors import StoreError
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.finished import ARRAYS, Piece, What
from wekaconf.evaluation.leave_one_out import order_of_data
from wekaconf.evaluation.pieces import event_counts, notes_of
from wekaconf.store.packing import pack_arrays, unpack_arrays

SHARED = ("actual", "is_foreign", "weights", "run", "fold", "instance", "known", "training_weight")
"""The fields of `Answers` that do not depend on the method."""


def keep_design(connection: sqlite3.Connection, answers: Answers) -> int:
    """The number of the design of these answers, which is written unless it is there already."""
    asked = pack_arrays({name: getattr(answers, name) for name in SHARED}, {"class_names": answers.class_names})
    fingerprint = hashlib.sha256(asked).digest()
    connection.execute("INSERT OR IGNORE INTO design (fingerprint, asked) VALUES (?, ?)", (fingerprint, asked))
    [number] = connection.execute("SELECT id FROM design WHERE fingerprint = ?", (fingerprint,)).fetchone()
    return int(number)


def read_design(connection: sqlite3.Connection, path: str, design: int) -> dict[str, Any]:
    """The fields of `Answers` that the method does not change.

    Raises
    ------
    StoreError
        They are damaged.
    """
    try:
        [asked] = connection.execute("SELECT asked FROM design WHERE id = ?", (design,)).fetchone()
        arrays, facts = unpack_arrays(asked)
        return {name: arrays[name] for name in SHARED} | {"class_names": tuple(facts["class_names"])}
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path}: design {design} is damaged ({error}); put back a copy of the store") from error


def answers_of(design: dict[str, Any], pieces: Iterable[tuple[int, What, Piece]]) -> Answers:
    """The answers of a method, from its pieces in their order; ValueError if some are missing."""
    by_run: dict[int, list[tuple[What, Piece]]] = {}
    for run, what, piece in pieces:
        by_run.setdefault(run, []).append((what, piece))
    own = [piece for run in sorted(by_run) for _, piece in by_run[run]]
    arrays: dict[str, Any] = {
        name: np.concatenate([_joined(design, run, by_run[run], name) for run in sorted(by_run)]) for name in ARRAYS
    }
    if len(arrays["proba"]) != len(design["actual"]):
        raise ValueError(f"{len(arrays['proba'])} of {len(design['actual'])} answers are there")
    return Answers(
        **design,
        **arrays,
        choices=tuple(piece.choice for piece in own if piece.choice is not None),
        events=event_counts(own),
        notes=notes_of(own),
    )


def _joined(design: dict[str, Any], run: int, pieces: list[tuple[What, Piece]], name: str) -> NDArray[Any]:
    """An array of one run, in the order of the design."""
    joined: NDArray[Any] = np.concatenate([getattr(piece, name) for _, piece in pieces])
    if pieces[0][0] == "split":
        return joined
    of_run = design["run"] == run
    trains = ~design["is_foreign"][of_run] & (design["actual"][of_run] >= 0) & (design["weights"][of_run] > 0)
    return joined[order_of_data(trains)]
