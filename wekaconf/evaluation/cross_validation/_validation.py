"""Cross-validation: every instance is answered by trees that have not seen it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.cross_validation._fold_answers import (
    ARRAYS,
    Design,
    Fold,
    FoldAnswers,
    FoldKey,
    Label,
    LeaveOneOut,
    Prepare,
    joined,
    reporting_progress,
)
from wekaconf.evaluation.measures import is_correct
from wekaconf.evaluation.thresholds import Begin, Choice, Grow, Rejection, Split, Weigh, choices, draw_rows
from wekaconf.methods.contract import LeavesOneOut, Method, is_rejected
from wekaconf.tree import Forest, TreeMirror, own_answers, with_trees

CHUNK = 4096
"""The largest number of instances that a method leaves out in one call, beside others between them."""
Cache = MutableMapping[tuple[FoldKey, Label], FoldAnswers]
"""Answers that are there, by the key of their fold and the label of their method."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(FoldAnswers, Design):
    """The answers of one method over all splits, with what was asked."""

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
        names = (*ARRAYS, "given", "actual", "is_foreign", "weights", "run", "fold", "instance")
        arrays = {name: getattr(self, name)[rows] for name in names if getattr(self, name) is not None}
        weight = self.training_weight[[split]]
        return replace(self, **arrays, training_weight=weight, choices=(), events={}, notes=())

    @property
    def rejected(self) -> NDArray[np.bool_]:
        """(n_answers,) bool: whether the certainty is below the threshold."""
        return is_rejected(self.certainty, self.threshold)

    @classmethod
    def of(cls, design: Design, folds: Sequence[FoldAnswers]) -> Answers:
        """The answers of one method, put together.

        Parameters
        ----------
        design : Design
        folds : sequence of FoldAnswers
            Run by run, and in each run by place.
        """
        answers = joined(folds)
        if len(answers) != len(design.actual):
            raise ValueError(f"{len(answers)} of {len(design.actual)} answers are there")
        return cls(**vars(design), **vars(answers))


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Methods and all that their answers depend on.

    On each split a tree of each learner grows on the training rows, and its methods answer for the test rows. The three
    steps know nothing of one another: `missing` says which folds are to be answered, `answer` does so, in any process,
    and `collect` puts answers together and computes none.

    In a run that is a `LeaveOneOut`, a `LeavesOneOut` method that counts no events takes a shortcut: it is fitted
    once, on a tree of all training instances, and answers for each of them as if that instance were left out; it
    answers for other instances as usual. There is no shortcut where a threshold is chosen or each split is prepared or
    weighed.

    Parameters
    ----------
    data : Dataset
        Instances without a class are answered but not trained on.
    runs : sequence of sequences of (train, test)
        One sequence of splits per run.
    growers : mapping of labels to callables
        By the labels of the methods: grows a tree on a training set. Methods with the same one share its trees.
    methods : mapping of labels to Method
        Copies of them are fitted on each split.
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
    ahead : mapping of callables to callables
        By the growers: begins to grow the tree that the grower would return. The tree of the next split then grows
        while one split is answered; where thresholds are chosen on folds, the trees of the folds follow it.

    Raises
    ------
    OptionError
        A `LeaveOneOut` is made for another number of instances.
    """

    data: Dataset
    runs: Sequence[Sequence[Split]]
    growers: Mapping[Label, Grow]
    methods: Mapping[Label, Method]
    known: Sequence[NDArray[Any]] | None = None
    rejection: Rejection | None = None
    prepare: Prepare | None = None
    weigh: Weigh | None = None
    ahead: Mapping[Grow, Begin | None] = field(default_factory=dict)
    _latest: dict[int, Dataset] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the splits that leave out one instance."""
        for splits in self.runs:
            if isinstance(splits, LeaveOneOut) and len(splits) != len(self.data):
                raise OptionError(
                    f"these splits leave out one of {len(splits)} instances, but '{self.data.relation}' has "
                    f"{len(self.data)}; make them with splits(data, folds='loo')"
                )

    def run(
        self, cache: Cache | None = None, on_progress: Callable[[int, int], None] = lambda _done, _total: None
    ) -> dict[Label, Answers]:
        """The answers of each method over all runs, for the same instances in the same order; all three steps.

        Parameters
        ----------
        cache : mapping, optional
            Holds the answers that are there already, and keeps those that are computed here.
        on_progress : callable
            Called with the number of answers so far and in total, over all methods.
        """
        cache = {} if cache is None else cache
        missing = self.missing(cache)
        n_done = self.n_answers - sum(fold.n_answers for fold in missing)

        def listen(n: int) -> None:
            on_progress(n_done + n, self.n_answers)

        if n_done:
            listen(0)
        for key, answers in self.answer(missing, listen):
            cache.update({(key, label): each for label, each in answers.items()})  # an interrupted run goes on here
            n_done += sum(map(len, answers.values()))
            listen(0)
        return self.collect(cache)

    # -- which folds --

    @property
    def n_answers(self) -> int:
        """Number of answers, summed over the methods."""
        return len(self.methods) * sum(map(n_answers, self.runs))

    def missing(self, cache: Cache) -> list[Fold]:
        """The folds that the cache lacks, each with the methods that have not answered it."""
        found = []
        for fold in self._folds():
            lacking = tuple(label for label in fold.labels if not _holds(cache, fold, label))
            if lacking:
                found.append(fold._replace(labels=lacking))
        return found

    def _folds(self) -> Iterator[Fold]:
        """All folds: one grower after another, and run by run."""
        for grow, (run, splits) in product(dict.fromkeys(self.growers.values()), enumerate(self.runs)):
            sharing = [label for label in self.methods if self.growers[label] == grow]
            by_itself = {label: method for label, method in self._leaving_out(run).items() if label in sharing}
            train = self._known_data(run).take(~self._is_foreign(run)) if by_itself else self.data
            for label, method in by_itself.items():
                size = min(CHUNK, method.left_out_at_a_time(train))
                begins = np.flatnonzero(self._is_fitted_on(run))[size::size]
                for rows in np.split(np.arange(len(self.data)), begins):
                    yield Fold(run, int(rows[0]), None, rows, grow, (label,))
            others = tuple(label for label in sharing if label not in by_itself)
            if others:
                for place, (train_rows, test_rows) in enumerate(splits):
                    yield Fold(run, place, np.asarray(train_rows), np.asarray(test_rows), grow, others)

    def _leaving_out(self, run: int) -> dict[Label, LeavesOneOut]:
        """The methods that leave out the instances of a run by themselves."""
        if not isinstance(self.runs[run], LeaveOneOut) or self.rejection or self.prepare or self.weigh:
            return {}
        return {
            label: method
            for label, method in self.methods.items()
            if isinstance(method, LeavesOneOut) and method.can_leave_one_out and not method.counts_events
        }

    # -- answering --

    def answer(
        self, folds: Iterable[Fold], on_progress: Callable[[int], None] = lambda _: None
    ) -> Iterator[tuple[FoldKey, dict[Label, FoldAnswers]]]:
        """Answer folds, one after another, while the trees of the next ones grow.

        Parameters
        ----------
        folds : iterable of Fold
        on_progress : callable
            Called with the number of answers to a fold that is not finished.

        Yields
        ------
        key : FoldKey
        answers : dict of labels to FoldAnswers
        """
        left_out, splits = by_tree(folds)
        for of_tree in left_out:
            run = of_tree[0].run
            data, is_foreign = self._known_data(run), self._is_foreign(run)
            train = data.take(~is_foreign)
            tree = of_tree[0].grow(train)
            is_fitted_on = self._is_fitted_on(run)
            places = np.where(is_fitted_on, np.cumsum(is_fitted_on) - 1, -1)
            for (label,), of_label in groupby(of_tree, lambda fold: fold.labels):
                method = self.methods[label].unfitted().fit(tree, train)
                assert isinstance(method, LeavesOneOut)
                for fold in of_label:
                    with reporting_progress(method, len(fold.test), 0, on_progress):
                        answers = FoldAnswers.left_out(method, tree, data.take(fold.test), places[fold.test])
                    yield fold.key, {label: answers.with_columns(self._is_known(run))}
        for grow, of_grower in groupby(splits, lambda fold: fold.grow):
            opened = (self._open(fold, on_progress) for fold in of_grower)
            for (key, _, answer), tree in with_trees(opened, lambda each: each[1], grow, self.ahead.get(grow)):
                yield key, answer(tree)

    def _open(
        self, fold: Fold, on_progress: Callable[[int], None]
    ) -> tuple[FoldKey, Dataset, Callable[[TreeMirror | Forest], dict[Label, FoldAnswers]]]:
        """Key and training data of a split, and a function that answers it by the tree that grew on them."""
        assert fold.train is not None
        data, (train_rows, held_out) = self._known_data(fold.run), self._training_rows(fold.run, fold.train)
        train, calibration, test = map(data.take, (train_rows, held_out, fold.test))
        if self.prepare is not None:
            train, answered = self.prepare(train, data.take(np.concatenate((held_out, fold.test))))
            calibration, test = answered.take(slice(len(held_out))), answered.take(slice(len(held_out), None))
        weighed = train if self.weigh is None else self.weigh(train)

        def answer(tree: TreeMirror | Forest) -> dict[Label, FoldAnswers]:
            unlabelled = test.without_class_values()  # one for all methods, so that they share the tree's answers
            baseline = own_answers(tree, unlabelled)
            fitted = [self.methods[label].unfitted().fit(tree, weighed) for label in fold.labels]
            chosen: Sequence[Choice | None] = [None] * len(fitted)
            if self.rejection is not None:
                chosen = choices(
                    self.rejection, fitted, train, calibration if self.rejection.calibrate else None,
                    grow=fold.grow, weigh=self.weigh, begin=self.ahead.get(fold.grow),
                )  # fmt: skip
            answers = list[FoldAnswers]()
            for method, choice in zip(fitted, chosen, strict=True):
                with reporting_progress(method, len(test), len(answers) * len(test), on_progress):
                    asked = test if method.sees_class else unlabelled
                    answers.append(FoldAnswers.by(method, asked, baseline, choice))
            is_known = self._is_known(fold.run)
            return {label: each.with_columns(is_known) for label, each in zip(fold.labels, answers, strict=True)}

        return fold.key, weighed, answer

    # -- putting together --

    def collect(self, cache: Cache) -> dict[Label, Answers]:
        """The answers of each method over all runs, from a cache that holds them all."""
        found: dict[Label, list[FoldAnswers]] = {label: [] for label in self.methods}
        for fold in self._folds():
            for label in fold.labels:
                found[label].append(cache[fold.key, label])
        design = self._design()
        return {label: Answers.of(design, of_label) for label, of_label in found.items()}

    def _design(self) -> Design:
        """What the answers of all methods have in common."""
        places: list[NDArray[np.int64]] = []
        training_weight: list[FloatArray] = []
        for run, splits in enumerate(self.runs):
            if len(self._leaving_out(run)) == len(self.methods):  # so the splits are not made
                row = np.arange(len(self.data), dtype=np.int64)
                places.append(np.column_stack((np.full_like(row, run), row, row)))
                training_weight.append(self._weight_without_each(run))
                continue
            for place, (train, test) in enumerate(splits):
                where = np.empty((len(test), 3), dtype=np.int64)
                where[:, 0], where[:, 1], where[:, 2] = run, place, test
                places.append(where)
                if len(test):
                    rows, _ = self._training_rows(run, np.asarray(train))
                    training_weight.append(self._class_weight(run, rows)[None])
        run_of, fold_of, instance = np.concatenate(places).T
        runs = range(len(self.runs))
        return Design(
            known=np.stack([self._is_known(run) for run in runs]),
            actual=self.data.class_values[instance],
            is_foreign=np.stack([self._is_foreign(run) for run in runs])[run_of, instance],
            weights=self.data.weights[instance],
            run=run_of,
            fold=fold_of,
            instance=instance,
            training_weight=np.concatenate(training_weight),
            class_names=self.data.class_names,
        )

    def _class_weight(self, run: int, rows: NDArray[Any]) -> FloatArray:
        """(n_classes,) float64: summed weights of the instances of each known class."""
        weights = self.data.weights[rows] * ~self._is_foreign(run)[rows]
        summed = np.bincount(self.data.class_values[rows] + 1, weights, minlength=self.data.n_classes + 1)
        return np.asarray(summed[1:], dtype=np.float64)

    def _weight_without_each(self, run: int) -> FloatArray:
        """(n_instances, n_classes) float64: summed weights of all instances but one, by known class."""
        row = np.arange(len(self.data))
        left_out = np.zeros((len(row), self.data.n_classes + 1))  # the last column: instances without a class
        left_out[row, self.data.class_values] = self.data.weights * ~self._is_foreign(run)
        return self._class_weight(run, row) - left_out[:, :-1]

    # -- rows of a run --

    def _is_known(self, run: int) -> NDArray[np.bool_]:
        """(n_classes,) bool: the classes that are known in a run."""
        every = np.arange(self.data.n_classes)
        return np.isin(every, every if self.known is None else self.known[run])

    def _is_foreign(self, run: int) -> NDArray[np.bool_]:
        """(n_instances,) bool: whether the class of an instance is not known in a run."""
        return (self.data.class_values >= 0) & ~self._is_known(run)[self.data.class_values]

    def _is_fitted_on(self, run: int) -> NDArray[np.bool_]:
        """(n_instances,) bool: the instances that a method is fitted on, so that it can leave them out by itself."""
        return ~self._is_foreign(run) & (self.data.class_values >= 0) & (self.data.weights > 0)

    def _training_rows(self, run: int, train: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The rows that a split of a run trains on, and those that it holds out of them to calibrate."""
        rows = train[~self._is_foreign(run)[train]]
        is_held_out = draw_rows(len(rows), 0.0 if self.rejection is None else self.rejection.calibrate)
        return rows[~is_held_out], rows[is_held_out]

    def _known_data(self, run: int) -> Dataset:
        """The data with the classes that are known in a run; kept, so that Java gets the instances once."""
        if self.known is None:
            return self.data
        data = self._latest.get(run)
        if data is None:
            data = self.data.with_known_classes(np.flatnonzero(self._is_known(run)))
            self._latest.clear()
            self._latest[run] = data
        return data


def n_answers(splits: Sequence[Split]) -> int:
    """Number of instances that a run answers for, without making the splits of a `LeaveOneOut`."""
    return len(splits) if isinstance(splits, LeaveOneOut) else sum(len(test) for _, test in splits)


def by_tree(folds: Iterable[Fold]) -> tuple[list[list[Fold]], list[Fold]]:
    """The folds of methods that leave out by themselves, in groups that share a tree; and the folds with one each."""
    left_out, splits = list[Fold](), list[Fold]()
    for fold in folds:
        (left_out if fold.train is None else splits).append(fold)
    return [[*group] for _, group in groupby(left_out, lambda fold: (fold.run, fold.grow))], splits


def _holds(cache: Cache, fold: Fold, label: Label) -> bool:
    answers = cache.get((fold.key, label))
    return answers is not None and len(answers) == len(fold.test)
