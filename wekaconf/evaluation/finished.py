"""The finished parts of an evaluation, and where they are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

import numpy as np

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.thresholds import Choice

DISTRIBUTIONS = ("proba", "ranking", "baseline")
ARRAYS = (*DISTRIBUTIONS, "certainty", "threshold")
PieceKind = Literal["split", "left out", "others"]


class PieceKey(NamedTuple):
    """The address of a piece: its run, its method, and its part of the run.

    The part is a split, ``place`` being its number in the run; or instances left out one by one, ``place`` being the
    number of the first; or the other instances of such a run.
    """

    run: int
    method: int
    kind: PieceKind
    place: int


@dataclass(frozen=True, eq=False)
class Piece:
    """The answers of one method on one split, or for some of the instances that are left out one by one.

    Parameters
    ----------
    proba, ranking, baseline : (n, n_classes) float64
    certainty, threshold : (n,) float64
    choice : Choice or None
        How the threshold was chosen; None if it was not.
    events : mapping of str to int
    notes : tuple of str
    given : (n,) int64, optional
        The classes that are answered; left out: the most probable ones.
    """

    proba: FloatArray
    ranking: FloatArray
    baseline: FloatArray
    certainty: FloatArray
    threshold: FloatArray
    choice: Choice | None = None
    events: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    given: Int64Array | None = None

    def __len__(self) -> int:
        """Number of answers."""
        return len(self.proba)

    @property
    def predicted(self) -> Int64Array:
        """(n,) int64: the classes that are answered."""
        return most_probable(self.proba) if self.given is None else self.given


def given_in(pieces: Sequence[Piece]) -> Int64Array | None:
    """The classes that are answered in several pieces; None: the most probable ones in all of them."""
    if all(piece.given is None for piece in pieces):
        return None
    return np.concatenate([piece.predicted for piece in pieces])


class FinishedPieces(Protocol):
    """The finished pieces of the methods of one learner."""

    def get(self, key: PieceKey, n_answers: int) -> Piece | None:
        """The piece; None if it is not finished, or has another number of answers."""
        ...

    def put(self, pieces: Mapping[PieceKey, Piece]) -> None:
        """Keep pieces."""
        ...

    def sizes(self, run: int, method: int) -> dict[tuple[PieceKind, int], int]:
        """The number of answers of each piece of a method in a run, by the kind of its part and its place."""
        ...


class InMemory:
    """Finished pieces that are kept in this process only."""

    def __init__(self) -> None:
        self.pieces: dict[PieceKey, Piece] = {}

    def get(self, key: PieceKey, n_answers: int) -> Piece | None:
        """The piece; None if it is not finished, or has another number of answers."""
        piece = self.pieces.get(key)
        return piece if piece is not None and len(piece) == n_answers else None

    def put(self, pieces: Mapping[PieceKey, Piece]) -> None:
        """Keep pieces."""
        self.pieces.update(pieces)

    def sizes(self, run: int, method: int) -> dict[tuple[PieceKind, int], int]:
        """See `FinishedPieces.sizes`."""
        return {(key.kind, key.place): len(piece) for key, piece in self.pieces.items() if key[:2] == (run, method)}
