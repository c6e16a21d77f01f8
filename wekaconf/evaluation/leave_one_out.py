"""Leave-one-out, with a shortcut for methods that can leave an instance out by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.finished import ARRAYS, Piece, PieceKind, given_in
from wekaconf.evaluation.split_answers import CHUNK, Grow, RunCache, Split, answer_piece, notes_of, thresholds_of
from wekaconf.methods.contract.leaves_one_out import LeavesOneOut
from wekaconf.methods.contract.postprocessor import PostProcessor


class LeaveOneOut(Sequence[Split]):
    """One split per instance of a data set: split i tests instance i and trains on all others.

    Parameters
    ----------
    n_instances : int
    folds : callable
        Makes ``n_instances`` splits of one test row each, in any order. It is called when a split is first needed; a
        method that takes the shortcut needs none.
    seed : int
        Seed of the order of the training rows.
    """

    def __init__(self, n_instances: int, folds: Callable[[], Sequence[Split]], *, seed: int) -> None:
        self._n_instances = n_instances
        self._folds = folds
        self.seed = seed

    @cached_property
    def _splits(self) -> list[Split]:
        splits = self._folds()
        tested = np.concatenate([test for _, test in splits])
        if len(splits) != len(tested) or not np.array_equal(np.sort(tested), np.arange(self._n_instances)):
            raise ValueError(f"expected folds that test each of the {self._n_instances} instances alone")
        return [splits[fold] for fold in np.argsort(tested).tolist()]

    def __len__(self) -> int:
        """Number of instances."""
        return self._n_instances

    @overload
    def __getitem__(self, index: int) -> Split: ...
    @overload
    def __getitem__(self, index: slice) -> list[Split]: ...
    def __getitem__(self, index: int | slice) -> Split | list[Split]:
        """The split that tests an instance; the first call makes all splits. Cost: O(n²) memory."""
        return self._splits[index]


def leave_one_out_pieces(
    data: Dataset, is_foreign: NDArray[np.bool_], grow: Grow, methods: Sequence[PostProcessor], run_cache: RunCache
) -> dict[int, list[Piece]]:
    """The answers, in the order of the data, of each method that leaves instances out by itself."""
    is_training = ~is_foreign & (data.class_values >= 0) & (data.weights > 0)
    rows, others = np.flatnonzero(is_training), np.flatnonzero(~is_training)
    order = order_of_data(is_training)
    train = data.take(~is_foreign)
    tree = cache(partial(grow, train))
    answers: dict[int, list[Piece]] = {}
    for i, method in enumerate(methods):
        if not isinstance(method, LeavesOneOut) or not leaves_out_by_itself(method):
            continue
        size = min(CHUNK, method.left_out_at_a_time(train))
        parts: list[tuple[PieceKind, int, NDArray[np.intp]]] = [
            ("left out", begin, rows[begin : begin + size]) for begin in range(0, len(rows), size)
        ]
        parts += [("others", 0, others)] if len(others) else []
        is_fitted = False
        pieces: list[Piece] = []
        for kind, begin, part in parts:
            by_method = run_cache.get([i], kind, begin, len(part))
            if not by_method:
                if not is_fitted:
                    method.fit(tree(), train)
                    is_fitted = True
                test = data.take(part)
                with run_cache.progress.listening(method, len(part)):
                    if kind == "others":
                        piece = answer_piece(method, test, tree().predict_proba(test), None)
                    else:
                        piece = _left_out_piece(method, test, np.arange(begin, begin + len(part)))
                run_cache.progress.add_answers(len(part))
                by_method = run_cache.put(kind, begin, {i: piece})
            pieces.append(by_method[i])
        arrays: dict[str, Any] = {
            name: np.concatenate([getattr(piece, name) for piece in pieces])[order] for name in ARRAYS
        }
        given = given_in(pieces)
        answers[i] = [Piece(**arrays, notes=notes_of(pieces), given=None if given is None else given[order])]
    return answers


def leaves_out_by_itself(method: PostProcessor) -> bool:
    """Whether a method takes the shortcut in a run that is a `LeaveOneOut`."""
    return isinstance(method, LeavesOneOut) and method.can_leave_one_out and not method.counts_events


def order_of_data(is_training: NDArray[np.bool_]) -> NDArray[np.intp]:
    """(n,) integers: the order that brings answers for training instances, then the others, into that of the data.

    Parameters
    ----------
    is_training : (n,) bool
    """
    return np.argsort(np.concatenate((np.flatnonzero(is_training), np.flatnonzero(~is_training))))


def _left_out_piece(method: LeavesOneOut, data: Dataset, rows: NDArray[np.intp]) -> Piece:
    """The piece of ``data``, which are the instances ``rows`` among those that the method was fitted on."""
    answers = method.leave_one_out(rows)
    threshold = thresholds_of(method, None, most_probable(answers.proba))
    return Piece(**answers._asdict(), threshold=threshold, notes=method.notes(data))
