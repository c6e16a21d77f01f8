"""Cross-validation: every instance is answered by trees that have not seen it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.finished import ARRAYS, FinishedPieces, Piece, given_in
from wekaconf.evaluation.leave_one_out import LeaveOneOut, leave_one_out_pieces
from wekaconf.evaluation.promised_choice import drawn_rows
from wekaconf.evaluation.rejection import Rejection, choices
from wekaconf.evaluation.scoring import is_correct
from wekaconf.evaluation.split_answers import (
    AnswerCount,
    Begin,
    Grow,
    Prepare,
    RunCache,
    Split,
    Weigh,
    answer_piece,
    event_counts,
    notes_of,
)
from wekaconf.evaluation.thresholds import Choice
from wekaconf.methods.contract.answer import is_rejected
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.tree.forest import Forest, own_answers
from wekaconf.tree.mirror import TreeMirror
from wekaconf.tree.trees_ahead import with_trees


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of one method over all splits.

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
    choices : tuple of Choice
        One per split where a `Rejection` chose the threshold.
    events : mapping of str to int
        Number of events of each kind.
    notes : tuple of str
        Notes on how the answers were computed, in alphabetical order.
    given : (n_answers,) int64, optional
        The classes that are answered; left out: the most probable ones.
    """

    proba: FloatArray
    ranking: FloatArray
    baseline: FloatArray
    certainty: FloatArray
    threshold: FloatArray
    actual: NDArray[np.int64]
    is_foreign: NDArray[np.bool_]
    weights: FloatArray
    run: NDArray[np.int64]
    fold: NDArray[np.int64]
    instance: NDArray[np.int64]
    class_names: tuple[str, ...]
    known: NDArray[np.bool_]
    training_weight: FloatArray
    choices: tuple[Choice, ...]
    events: Mapping[str, int]
    notes: tuple[str, ...] = ()
    given: NDArray[np.int64] | None = None

    @property
    def predicted(self) -> NDArray[np.int64]:
        """(n_answers,) int64: the class that is answered."""
        return most_probable(self.proba) if self.given is None else self.given

    @property
    def is_correct(self) -> NDArray[np.bool_]:
        """(n_answers,) bool: whether the answer is the actual class; never where a row is zeros."""
        return is_correct(self.proba, self.actual, self.given)

    @property
    def split(self) -> NDArray[np.int64]:
        """(n_answers,) int64: row of ``training_weight``."""
        is_next = (np.diff(self.run) != 0) | (np.diff(self.fold) != 0)
        return np.concatenate((np.zeros(min(len(self.run), 1), dtype=np.int64), np.cumsum(is_next)))

    def of_split(self, split: int) -> Answers:
        """The answers of one split alone, without its threshold's choice, events and notes."""
        rows = self.split == split
        names = (*ARRAYS, "actual", "is_foreign", "weights", "run", "fold", "instance")
        arrays: dict[str, Any] = {name: getattr(self, name)[rows] for name in names}
        arrays["training_weight"] = self.training_weight[[split]]
        arrays["given"] = None if self.given is None else self.given[rows]
        return replace(self, **arrays, choices=(), events={}, notes=())

    @property
    def rejected(self) -> NDArray[np.bool_]:
        """(n_answers,) bool: whether the certainty is below the threshold."""
        return is_rejected(self.certainty, self.threshold)


def cross_validate(
    data: Dataset,
    runs: Sequence[Sequence[Split]],
    grow: Grow,
    methods: Sequence[PostProcessor],
    *,
    known: Sequence[NDArray[Any]] | None = None,
    rejection: Rejection | None = None,
    prepare: Prepare | None = None,
    weigh: Weigh | None = None,
    finished: FinishedPieces | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    begin: Begin | None = None,
) -> list[Answers]:
    """Grow a tree on each split's training rows and let every method answer for its test rows.

    In a run that is a `LeaveOneOut`, a `LeavesOneOut` method that counts no events takes a shortcut: it is fitted
    once, on a tree of all training instances, and answers for each of them as if that instance were left out; it
    answers for other instances as usual. There is no shortcut where a threshold is chosen or each split is prepared or
    weighed.

    Parameters
    ----------
    data : Dataset
    runs : sequence of sequences of (train, test)
        One sequence of splits per run.
    grow : callable
        Grows a tree on a training set.
    methods : sequence of PostProcessor
        Copies of them are fitted on each split and share its tree.
    known : sequence of (n_known,) integers, optional
        The classes that are known in each run, ascending. Trees and methods do not know the other classes; instances
        of these are answered but not trained on.
    rejection : Rejection, optional
        Chooses the threshold of every method; left out: methods with a rule of their own reject by it.
    prepare : callable, optional
        Replaces each split's (training, test) instances. Number, order and classes of the test instances must stay the
        same, and so must the declared classes of the training instances.
    weigh : callable, optional
        Gives training instances other weights, after ``prepare``. Trees and methods learn from these; thresholds are
        chosen by the weights that the instances have in the data.
    finished : FinishedPieces, optional
        Holds the pieces that are finished already, and keeps those that are finished here. A split's tree grows once
        for all methods that have not finished it.
    on_progress : callable
        Called with the number of answers so far and in total, over all methods; a method that reports its progress
        makes it be called within a split, too.
    begin : callable, optional
        Begins to grow the tree that ``grow`` would return. The tree of the next split then grows while one split is
        answered; where thresholds are chosen on folds, the trees of the folds follow it.

    Returns
    -------
    list of Answers
        One per method, for the same instances in the same order; for a `LeaveOneOut` in the order of the data.
        Instances without a class are answered but not trained on.

    Raises
    ------
    OptionError
        A `LeaveOneOut` is made for another number of instances.
    """
    for splits in runs:
        if isinstance(splits, LeaveOneOut) and len(splits) != len(data):
            raise OptionError(
                f"these splits leave out one of {len(splits)} instances, but '{data.relation}' has {len(data)}; make "
                "them with splits(data, folds='loo')"
            )
    validation = _CrossValidation(
        data=data,
        methods=dict(enumerate(method.unfitted() for method in methods)),
        known=known,
        grow=grow,
        begin=begin,
        rejection=rejection,
        prepare=prepare,
        weigh=weigh,
        finished=finished,
        progress=AnswerCount(on_progress, len(methods) * sum(map(n_answers, runs))),
    )
    for split, tree in with_trees(validation.splits(runs), _training_data, grow, begin):
        split.run.add(split, validation.answer(split, tree))
    return validation.answers()


def n_answers(splits: Sequence[Split]) -> int:
    """Number of instances that a run answers for, without making the splits of a `LeaveOneOut`."""
    return len(splits) if isinstance(splits, LeaveOneOut) else sum(len(test) for _, test in splits)


@dataclass(frozen=True, eq=False)
class _CrossValidation:
    """What the splits of all runs share, and the runs that are open so far.

    The parameters are those of `cross_validate`; ``methods`` are copies by their number.
    """

    data: Dataset
    methods: Mapping[int, PostProcessor]
    known: Sequence[NDArray[Any]] | None
    grow: Grow
    begin: Begin | None
    rejection: Rejection | None
    prepare: Prepare | None
    weigh: Weigh | None
    finished: FinishedPieces | None
    progress: AnswerCount
    runs: list[_Run] = field(default_factory=list)

    def splits(self, runs: Sequence[Sequence[Split]]) -> Iterator[_Split]:
        """The splits of all runs in their order, without those of a run that every method has answered at once."""
        for number, splits in enumerate(runs):
            known, known_data = np.ones(self.data.n_classes, dtype=np.bool_), self.data
            if self.known is not None:
                known = np.isin(np.arange(self.data.n_classes), self.known[number])
                known_data = self.data.with_known_classes(np.flatnonzero(known))
            run = self._open_run(number, splits, known, known_data)
            if not run.methods:
                run.add_leave_one_out()
                continue
            for fold, rows in enumerate(splits):
                yield self._open_split(run, known_data, fold, rows)

    def answer(self, split: _Split, tree: TreeMirror | Forest | None) -> dict[int, Piece]:
        """The piece of every method; those that are pending answer by the tree."""
        pending = split.pending
        if tree is None or pending is None:
            return split.finished
        methods, test = pending.methods, pending.test
        unlabelled = test.without_class_values()  # one for all methods, so that they share the tree's answers
        baseline = own_answers(tree, unlabelled)
        for method in methods.values():
            method.fit(tree, pending.weighed)
        pieces = {}
        for (i, method), choice in zip(methods.items(), self._choices(pending), strict=True):
            with self.progress.listening(method, len(test)):
                pieces[i] = answer_piece(method, test if method.sees_class else unlabelled, baseline, choice)
            self.progress.add_answers(len(test))
        return split.finished | split.run.cache.put("split", split.fold, pieces)

    def answers(self) -> list[Answers]:
        """The answers of each method over all runs."""
        run_of, fold_of, instance = np.concatenate([place for run in self.runs for place in run.places]).T
        shared: dict[str, Any] = {
            "actual": self.data.class_values[instance],
            "is_foreign": np.stack([run.is_foreign for run in self.runs])[run_of, instance],
            "weights": self.data.weights[instance],
            "run": run_of,
            "fold": fold_of,
            "instance": instance,
            "class_names": self.data.class_names,
            "known": np.stack([run.cache.known for run in self.runs]),
            "training_weight": np.concatenate([weight for run in self.runs for weight in run.training_weight]),
        }
        by_method = ([piece for run in self.runs for piece in run.pieces[i]] for i in self.methods)
        return [
            Answers(
                **shared | {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in ARRAYS},
                choices=tuple(piece.choice for piece in pieces if piece.choice is not None),
                events=event_counts(pieces),
                notes=notes_of(pieces),
                given=given_in(pieces),
            )
            for pieces in by_method
        ]

    def _open_run(self, number: int, splits: Sequence[Split], known: NDArray[np.bool_], known_data: Dataset) -> _Run:
        """The next run; methods that can do so leave its instances out by themselves."""
        is_foreign = (self.data.class_values >= 0) & ~known[self.data.class_values]
        cache = RunCache(number, known, self.finished, self.progress)
        pieces: dict[int, list[Piece]] = {}
        if isinstance(splits, LeaveOneOut) and self.rejection is None and self.prepare is None and self.weigh is None:
            pieces = leave_one_out_pieces(known_data, is_foreign, self.grow, list(self.methods.values()), cache)
        others = {i: method for i, method in self.methods.items() if i not in pieces}
        run = _Run(self.data, is_foreign, cache, others, pieces | {i: [] for i in others})
        self.runs.append(run)
        return run

    def _open_split(self, run: _Run, known_data: Dataset, fold: int, rows: Split) -> _Split:
        """A split with the data for the methods that have not finished it."""
        train_rows, test_rows = map(np.asarray, rows)
        train_rows = train_rows[~run.is_foreign[train_rows]]
        is_calibration = drawn_rows(len(train_rows), 0.0 if self.rejection is None else self.rejection.calibrate)
        train_rows, held_out = train_rows[~is_calibration], train_rows[is_calibration]
        finished = run.cache.get(run.methods, "split", fold, len(test_rows))
        missing = {i: method for i, method in run.methods.items() if i not in finished}
        if not missing:
            return _Split(run, fold, (train_rows, test_rows), finished, None)
        train, calibration, test = map(known_data.take, (train_rows, held_out, test_rows))
        if self.prepare is not None:
            train, answered = self.prepare(train, known_data.take(np.concatenate((held_out, test_rows))))
            calibration, test = answered.take(slice(len(held_out))), answered.take(slice(len(held_out), None))
        weighed = train if self.weigh is None else self.weigh(train)
        pending = _PendingSplit(missing, train, weighed, calibration, test)
        return _Split(run, fold, (train_rows, test_rows), finished, pending)

    def _choices(self, pending: _PendingSplit) -> Sequence[Choice | None]:
        """The choice of each method's threshold; None without a `Rejection`."""
        if self.rejection is None:
            return [None] * len(pending.methods)
        calibration = pending.calibration if self.rejection.calibrate else None
        return choices(
            self.rejection, list(pending.methods.values()), pending.train, calibration,
            grow=self.grow, weigh=self.weigh, begin=self.begin,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Run:
    """A run: the methods that answer split by split, and the results of its splits so far, in their order.

    Parameters
    ----------
    data : Dataset
    is_foreign : (n,) bool
        Whether an instance's class is not known in this run.
    cache : RunCache
    methods : mapping of int to PostProcessor
    pieces : mapping of int to list of Piece
        The pieces of every method.
    places : list of (n, 3) int64
        Run, fold and instance of each answer.
    training_weight : list of (n, n_classes) float64
        For each split that was tested on, the training instances' summed weights by class.
    """

    data: Dataset
    is_foreign: NDArray[np.bool_]
    cache: RunCache
    methods: Mapping[int, PostProcessor]
    pieces: dict[int, list[Piece]]
    places: list[NDArray[np.int64]] = field(default_factory=list)
    training_weight: list[FloatArray] = field(default_factory=list)

    def add(self, split: _Split, pieces: Mapping[int, Piece]) -> None:
        """Add the pieces of a split."""
        for i, piece in pieces.items():
            self.pieces[i].append(piece)
        train_rows, test_rows = split.rows
        place = np.empty((len(test_rows), 3), dtype=np.int64)
        place[:, 0], place[:, 1], place[:, 2] = self.cache.run, split.fold, test_rows
        self.places.append(place)
        if len(test_rows):
            self.training_weight.append(self._class_weight(train_rows)[None])

    def add_leave_one_out(self) -> None:
        """Add the splits of leave-one-out, whose pieces are already present."""
        row = np.arange(len(self.data), dtype=np.int64)
        self.places.append(np.column_stack((np.full_like(row, self.cache.run), row, row)))
        left_out_weight = np.zeros((len(row), self.data.n_classes + 1))  # the last column: instances without a class
        left_out_weight[row, self.data.class_values] = self.data.weights * ~self.is_foreign
        self.training_weight.append(self._class_weight(row) - left_out_weight[:, :-1])

    def _class_weight(self, rows: NDArray[Any]) -> FloatArray:
        """(n_classes,) float64: summed weights of the instances of each known class."""
        weights = self.data.weights[rows] * ~self.is_foreign[rows]
        summed = np.bincount(self.data.class_values[rows] + 1, weights, minlength=self.data.n_classes + 1)
        return np.asarray(summed[1:], dtype=np.float64)


class _PendingSplit(NamedTuple):
    """The data of a split, and the methods that have yet to answer for it."""

    methods: Mapping[int, PostProcessor]
    train: Dataset
    weighed: Dataset
    calibration: Dataset
    test: Dataset


class _Split(NamedTuple):
    """A split of a run with its finished pieces, and its pending part; None if nothing is pending."""

    run: _Run
    fold: int
    rows: Split
    finished: dict[int, Piece]
    pending: _PendingSplit | None


def _training_data(split: _Split) -> Dataset | None:
    return None if split.pending is None else split.pending.weighed
