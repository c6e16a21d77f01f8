"""Folds, made when they are needed where each leaves out one instance, and the answers of one method for one fold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.base.stored import LARGEST_WEIGHT, declared, stored
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.thresholds import Choice, Grow, Split
from wekaconf.methods.contract import LeavesOneOut, Method, ignore_progress, thresholds_at
from wekaconf.tree import Forest, TreeMirror

DISTRIBUTIONS = ("proba", "ranking", "baseline")
ARRAYS = (*DISTRIBUTIONS, "certainty", "threshold")
ANY_NUMBER = {"allows_nan": True, "allows_inf": True}
A_CLASS: dict[str, Any] = {"low": 0, "below": "n_classes"}
"""What a store may hold of a column of numbers, and of one of classes."""
Prepare = Callable[[Dataset, Dataset], tuple[Dataset, Dataset]]
"""A function that turns a split's training and test instances into those that are used in their place."""
FoldKey = tuple[int, int]
"""Run and place of a `Fold`."""
Label = str
"""Which of the methods it is."""


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


class Fold(NamedTuple):
    """Instances that are answered together, those that train for them, and the methods that answer by the same tree.

    Parameters
    ----------
    run, place : int
        The place is the number of the split, or of the first test row where a method leaves them out by itself.
    train : (n,) integers or None
        Rows of the data. None: a method that leaves out by itself answers the test rows, one by one.
    test : (n,) integers
        Rows of the data.
    grow : callable
        Grows the tree.
    labels : tuple of labels
        The methods that are to answer.
    """

    run: int
    place: int
    train: NDArray[Any] | None
    test: NDArray[Any]
    grow: Grow
    labels: tuple[Label, ...]

    @property
    def key(self) -> FoldKey:
        """Run and place, by which the answers of a method are found again."""
        return self[:2]

    @property
    def n_answers(self) -> int:
        """Number of answers, summed over the methods."""
        return len(self.test) * len(self.labels)


@dataclass(frozen=True, eq=False)
class FoldAnswers:
    """The answers of one method for the test instances of one fold, or of several.

    Parameters
    ----------
    proba : (n_answers, n_classes) float64
        Class distributions; 0 for a class that is unknown in the instance's run.
    ranking : (n_answers, n_classes) float64
        The values that the method ranks instances by: ``proba``, unless it has a ranking of its own.
    baseline : (n_answers, n_classes) float64
        The tree's own distributions.
    certainty : (n_answers,) float64
    threshold : (n_answers,) float64
        The certainty below which the answer is rejected; NaN where there is no such rule.
    events : mapping of str to int
        Number of events of each kind.
    notes : tuple of str
        Notes on how the answers were computed.
    given : (n_answers,) int64, optional
        The classes that are answered; left out: the most probable ones.
    choices : tuple of Choice
        How the threshold of each fold was chosen, if it was.
    """

    proba: Annotated[FloatArray, stored(np.float64, "n_answers", "n_classes")]
    ranking: Annotated[FloatArray, stored(np.float64, "n_answers", "n_classes", **ANY_NUMBER)]
    baseline: Annotated[FloatArray, stored(np.float64, "n_answers", "n_classes")]
    certainty: Annotated[FloatArray, stored(np.float64, "n_answers", **ANY_NUMBER)]
    threshold: Annotated[FloatArray, stored(np.float64, "n_answers", **ANY_NUMBER)]
    events: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    given: Annotated[Int64Array | None, stored(np.int64, "n_answers", **A_CLASS, is_optional=True)] = None
    choices: tuple[Choice, ...] = ()

    @property
    def predicted(self) -> Int64Array:
        """(n_answers,) int64: the classes that are answered."""
        return most_probable(self.proba) if self.given is None else self.given

    def __len__(self) -> int:
        """Number of answers."""
        return len(self.proba)

    @classmethod
    def by(cls, method: Method, test: Dataset, baseline: FloatArray, choice: Choice | None) -> FoldAnswers:
        """The answers of a fitted method."""
        answer = method.answer(test)
        if choice is not None:
            answer = choice.aim.decided(answer)
        is_likeliest = np.array_equal(answer.predicted, most_probable(answer.proba))
        return cls(
            proba=answer.proba,
            ranking=answer.ranking,
            baseline=baseline,
            certainty=answer.certainty,
            threshold=_thresholds(method, choice, answer.predicted),
            choices=() if choice is None else (choice,),
            events=answer.explanation.counts() if method.counts_events else {},
            notes=method.notes(test) if isinstance(method, LeavesOneOut) else (),
            given=None if is_likeliest else answer.predicted,
        )

    @classmethod
    def left_out(
        cls, method: LeavesOneOut, tree: TreeMirror | Forest, test: Dataset, places: NDArray[np.intp]
    ) -> FoldAnswers:
        """The answers of a method that leaves out by itself, and that was fitted on some of these instances.

        ``places``: for each of them its place among those that the method was fitted on; −1: it is none of those.
        """
        own, parts = places >= 0, list[FoldAnswers]()
        if own.any():
            answers = method.leave_one_out(places[own])
            threshold = _thresholds(method, None, most_probable(answers.proba))
            parts.append(cls(**answers._asdict(), threshold=threshold, notes=method.notes(test.take(own))))
        if not own.all():
            others = test.take(~own)
            parts.append(cls.by(method, others, tree.predict_proba(others), None))
        together, order = joined(parts), np.argsort(np.argsort(~own, kind="stable"))
        columns = {name: getattr(together, name) for name in declared(FoldAnswers)}
        return replace(together, **{name: each[order] for name, each in columns.items() if each is not None})

    def with_columns(self, known: NDArray[np.bool_]) -> FoldAnswers:
        """The same with the columns of the known classes in their places among all classes, and 0 in the others."""
        if known.all():
            return self
        columns: dict[str, Any] = {}
        for name in DISTRIBUTIONS:
            columns[name] = np.zeros((len(self), len(known)))
            columns[name][:, known] = getattr(self, name)
        given = None if self.given is None else np.flatnonzero(known)[self.given]
        return replace(self, **columns, given=given)


@dataclass(frozen=True, eq=False, kw_only=True)
class Design:
    """The instances that all methods answer, in one order, and the classes and weights of those that train for them.

    Parameters
    ----------
    actual : (n_answers,) int64
        Index of the actual class; −1 when missing.
    is_foreign : (n_answers,) bool
        Whether the actual class is unknown in that run: no instance of that class was trained on.
    weights : (n_answers,) float64
        Instance weights.
    run, fold : (n_answers,) int64
        Which run, and which split of that run.
    instance : (n_answers,) int64
        Row in the data set, or in the test set of `Protocol` where that is another one.
    class_names : tuple of str
    known : (n_runs, n_classes) bool
        The classes that were known in each run.
    training_weight : (n_splits, n_classes) float64
        Summed weights of the training instances of each split by class; the splits follow one another in the answers.
    """

    known: Annotated[NDArray[np.bool_], stored(np.bool_, "n_runs", "n_classes")]
    actual: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=-1, below="n_classes")]
    is_foreign: Annotated[NDArray[np.bool_], stored(np.bool_, "n_answers")]
    weights: Annotated[FloatArray, stored(np.float64, "n_answers", low=0, high=LARGEST_WEIGHT)]
    run: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=0, below="n_runs")]
    fold: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=0)]
    instance: Annotated[NDArray[np.int64], stored(np.int64, "n_answers", low=0)]
    training_weight: Annotated[FloatArray, stored(np.float64, "n_splits", "n_classes", low=0)]
    class_names: tuple[str, ...]


def joined(folds: Sequence[FoldAnswers]) -> FoldAnswers:
    """The answers to several folds, one after another; of equal notes one, in alphabetical order."""
    events: Counter[str] = Counter()
    for fold in folds:
        events.update(fold.events)
    arrays: dict[str, Any] = {name: np.concatenate([getattr(fold, name) for fold in folds]) for name in ARRAYS}
    is_likeliest = all(fold.given is None for fold in folds)
    return FoldAnswers(
        **arrays,
        events=dict(events),
        notes=tuple(sorted({note for fold in folds for note in fold.notes})),
        given=None if is_likeliest else np.concatenate([fold.predicted for fold in folds]),
        choices=tuple(choice for fold in folds for choice in fold.choices),
    )


@contextmanager
def reporting_progress(method: Method, n: int, n_before: int, on_progress: Callable[[int], None]) -> Iterator[None]:
    """Report the progress of ``method`` while it answers for ``n`` instances, after ``n_before`` answers of others.

    The method may go over them several times; only progress beyond the farthest point so far is reported.
    """
    if n_before:
        on_progress(n_before)
    if not isinstance(method, LeavesOneOut):
        yield
        return
    farthest = 0

    def listen(done: int, total: int) -> None:
        nonlocal farthest
        reached = min(n * done // max(total, 1), n)
        if reached > farthest:
            farthest = reached
            on_progress(n_before + reached)

    method.on_progress = listen
    try:
        yield
    finally:
        method.on_progress = ignore_progress


def _thresholds(method: Method, choice: Choice | None, predicted: NDArray[np.int64]) -> FloatArray:
    """(n,) float64: the chosen threshold of each answer, else the method's own; NaN where there is none."""
    thresholds = method.threshold if choice is None else choice.thresholds
    at_answers = np.nan if thresholds is None else thresholds_at(thresholds, predicted)
    return np.array(np.broadcast_to(at_answers, len(predicted)), dtype=np.float64)
