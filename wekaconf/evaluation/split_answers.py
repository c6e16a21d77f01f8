"""The answers of one method for the test instances of one split, and how they are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.finished import DISTRIBUTIONS, FinishedPieces, Piece, PieceKey, PieceKind
from wekaconf.evaluation.thresholds import Choice
from wekaconf.methods.contract.answer import thresholds_at
from wekaconf.methods.contract.leaves_one_out import LeavesOneOut, ignore_progress
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror

Grow = Callable[[Dataset], TreeMirror | Forest]

Begin = Callable[[Dataset], Callable[[], TreeMirror | Forest]]
"""A function that begins to grow a tree; calling its result waits for the tree."""

Split = tuple[NDArray[Any], NDArray[Any]]
"""Rows to train on and rows to answer for."""

CHUNK = 4096
"""The largest number of instances that a method leaves out in one call."""

Prepare = Callable[[Dataset, Dataset], tuple[Dataset, Dataset]]
"""A function that turns a split's training and test instances into those that are used in their place."""


Weigh = Callable[[Dataset], Dataset]
"""A function that gives training instances the weights with which they train a tree and its methods."""


class AnswerCount:
    """Reports the number of answers so far, including those that a method reports while it is still answering."""

    def __init__(self, report: Callable[[int, int], None], total: int) -> None:
        self._report, self._total, self._done = report, total, 0

    def add_answers(self, n: int) -> None:
        """Report ``n`` more answers."""
        self._done += n
        self._report(self._done, self._total)

    @contextmanager
    def listening(self, method: PostProcessor, n: int) -> Iterator[None]:
        """Report the progress of ``method`` while it answers for ``n`` instances.

        The method may go over them several times; only progress beyond the farthest point so far is reported.
        """
        if not isinstance(method, LeavesOneOut):
            yield
            return
        farthest = 0

        def listen(done: int, total: int) -> None:
            nonlocal farthest
            reached = min(n * done // max(total, 1), n)
            if reached > farthest:
                farthest = reached
                self._report(self._done + reached, self._total)

        method.on_progress = listen
        try:
            yield
        finally:
            method.on_progress = ignore_progress


@dataclass(frozen=True)
class RunCache:
    """Access to the finished pieces of one run, and to their keeper."""

    run: int
    known: NDArray[np.bool_]
    finished: FinishedPieces | None
    progress: AnswerCount

    def get(self, methods: Iterable[int], kind: PieceKind, place: int, n: int) -> dict[int, Piece]:
        """The piece of ``n`` answers of each method that has finished it."""
        pieces = {}
        for i in methods:
            piece = None if self.finished is None else self.finished.get(PieceKey(self.run, i, kind, place), n)
            if piece is not None:
                pieces[i] = piece
        if pieces:
            self.progress.add_answers(n * len(pieces))
        return pieces

    def put(self, kind: PieceKind, place: int, pieces: Mapping[int, Piece]) -> dict[int, Piece]:
        """Keep pieces, and return them with a column for every declared class."""
        wide = dict(pieces) if self.known.all() else {i: widened(piece, self.known) for i, piece in pieces.items()}
        if self.finished is not None:
            self.finished.put({PieceKey(self.run, i, kind, place): piece for i, piece in wide.items()})
        return wide


def event_counts(pieces: Iterable[Piece]) -> dict[str, int]:
    """Number of events of each kind in all pieces."""
    events: Counter[str] = Counter()
    for piece in pieces:
        events.update(piece.events)
    return dict(events)


def notes_of(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """The distinct notes of all pieces, sorted."""
    return tuple(sorted({note for piece in pieces for note in piece.notes}))


def widened(piece: Piece, known: NDArray[np.bool_]) -> Piece:
    """The piece with the columns of the known classes in their places among all classes, and 0 in the others."""
    columns: dict[str, Any] = {}
    for name in DISTRIBUTIONS:
        columns[name] = np.zeros((len(piece.proba), len(known)))
        columns[name][:, known] = getattr(piece, name)
    given = None if piece.given is None else np.flatnonzero(known)[piece.given]
    return replace(piece, **columns, given=given)


def answer_piece(method: PostProcessor, test: Dataset, baseline: FloatArray, choice: Choice | None) -> Piece:
    """The answers of a fitted method for the test instances of one split."""
    answer = method.answer(test)
    if choice is not None:
        answer = choice.aim.decided(answer)
    is_likeliest = np.array_equal(answer.predicted, most_probable(answer.proba))
    return Piece(
        proba=answer.proba,
        ranking=answer.ranking,
        baseline=baseline,
        certainty=answer.certainty,
        threshold=thresholds_of(method, choice, answer.predicted),
        choice=choice,
        events=answer.explanation.counts() if method.counts_events else {},
        notes=method.notes(test) if isinstance(method, LeavesOneOut) else (),
        given=None if is_likeliest else answer.predicted,
    )


def thresholds_of(method: PostProcessor, choice: Choice | None, predicted: NDArray[np.int64]) -> FloatArray:
    """(n,) float64: the chosen threshold of each answer, else the method's own; NaN where there is none."""
    thresholds = method.threshold if choice is None else choice.thresholds
    at_answers = np.nan if thresholds is None else thresholds_at(thresholds, predicted)
    return np.array(np.broadcast_to(at_answers, len(predicted)), dtype=np.float64)
