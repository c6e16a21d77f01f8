"""Every instance answered by trees that have not seen it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from wekaconf.dataset import Dataset, FloatArray
from wekaconf.errors import OptionError
from wekaconf.evaluation.metrics import all_metrics, present_classes
from wekaconf.evaluation.reject import (
    Aim,
    Choice,
    Outcome,
    choices_summary,
    choose,
    outcomes_by_class,
    reject_summary,
)
from wekaconf.evaluation.resuming import ARRAYS, DISTRIBUTIONS, Finished, Key, Piece, What
from wekaconf.postprocessor import Explanation, PostProcessor, is_rejected, most_probable
from wekaconf.tree import Forest, TreeMirror

Grow = Callable[[Dataset], TreeMirror | Forest]
Split = tuple[NDArray[Any], NDArray[Any]]
"""Rows to train on and rows to answer for."""
CHUNK = 4096
"""So many instances at a time a method is asked to leave out."""
Prepare = Callable[[Dataset, Dataset], tuple[Dataset, Dataset]]
"""Makes of a split's training and test instances those that are learned from and answered for."""


class Answering(Protocol):
    """What `cross_validate` asks of a method; ``type(method)(**method.params)`` must make an unfitted copy.

    Every `PostProcessor` is one, and never sees the class of the instances it answers for; another object does. The
    certainty of another object's answer is its largest class probability, and it has no rule of its own to reject by.
    """

    @property
    def name(self) -> str:
        """What the method is called in a record."""

    @property
    def params(self) -> dict[str, Any]:
        """What a copy is made with."""

    def fit(self, tree: Any, train: Dataset) -> object:
        """See `PostProcessor.fit`."""

    def predict_proba(self, data: Dataset) -> FloatArray:
        """See `PostProcessor.predict_proba`."""

    def ranking(self, data: Dataset) -> FloatArray:
        """See `PostProcessor.ranking`."""

    def explain(self, data: Dataset) -> Explanation:
        """See `PostProcessor.explain`."""


@dataclass(frozen=True)
class Rejection:
    """How the certainty below which an answer is rejected is chosen, for every split anew.

    Parameters
    ----------
    aim : Aim
        What the threshold is to reach.
    folds : callable, optional
        Splits a training set; the threshold is then chosen on answers of trees grown without the instances they
        answer for. Left out: on the tree's answers for its own training instances.
    """

    aim: Aim
    folds: Callable[[Dataset], Sequence[Split]] | None = None


@dataclass(frozen=True, eq=False)
class Answers:
    """What one method answered over all splits.

    Parameters
    ----------
    proba : (n_answers, n_classes) float64
        0 for a class that is foreign in the instance's run.
    ranking : (n_answers, n_classes) float64
        What the method ranks instances by: ``proba``, unless it says otherwise.
    baseline : (n_answers, n_classes) float64
        The tree's own distributions.
    certainty : (n_answers,) float64
    threshold : (n_answers,) float64
        The certainty below which the answer is rejected; NaN where there is no such rule.
    actual : (n_answers,) int64
        −1 when missing.
    is_foreign : (n_answers,) bool
        Whether the actual class is foreign in that run: no instance of it has trained.
    weights : (n_answers,) float64
        Instance weights.
    run, fold : (n_answers,) int64
        Which run, and which split of that run.
    instance : (n_answers,) int64
        Row in the data set.
    class_names : tuple of str
    known : (n_runs, n_classes) bool
        The classes that were known in each run.
    choices : tuple of Choice
        One a split where a `Rejection` chose the threshold.
    events : mapping of str to int
        How often each kind of event was applied.
    notes : tuple of str
        What is to be told of how the answers were computed, in alphabetical order.
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
    choices: tuple[Choice, ...]
    events: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @property
    def predicted(self) -> NDArray[np.int64]:
        """(n_answers,) int64: the most probable class."""
        return most_probable(self.proba)

    @property
    def rejected(self) -> NDArray[np.bool_]:
        """(n_answers,) bool: whether the certainty is below the threshold."""
        return is_rejected(self.certainty, self.threshold)


class LeaveOneOut(Sequence[Split]):
    """One split an instance of a data set: split i answers for instance i by what is grown on all others.

    Parameters
    ----------
    n_instances : int
    folds : callable
        Gives as many splits of one test row each, in any order, when somebody first asks for one: a method that has a
        short way to such answers asks for none.
    seed : int
        Of the order of the training rows.
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
            raise ValueError(f"expected folds that test each of {self._n_instances} instances alone")
        return [splits[fold] for fold in np.argsort(tested).tolist()]

    def __len__(self) -> int:
        """Number of instances."""
        return self._n_instances

    @overload
    def __getitem__(self, index: int) -> Split: ...
    @overload
    def __getitem__(self, index: slice) -> list[Split]: ...
    def __getitem__(self, index: int | slice) -> Split | list[Split]:
        """The split that answers for an instance; the first time, all are made. Cost: O(n²) memory."""
        return self._splits[index]


def cross_validate(
    data: Dataset,
    runs: Sequence[Sequence[Split]],
    grow: Grow,
    methods: Sequence[Answering],
    *,
    known: Sequence[NDArray[Any]] | None = None,
    rejection: Rejection | None = None,
    prepare: Prepare | None = None,
    finished: Finished | None = None,
    on_split: Callable[[], None] = lambda: None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> list[Answers]:
    """Grow a tree on each split's training rows and let every method answer for its test rows.

    In a run that is a `LeaveOneOut` a method that has ``_leave_one_out`` and counts no events goes a shorter way: it
    is fitted once, on a tree of all that trains, and asked for its answers without each instance; for instances that
    train nothing it answers as ever. Not so where a threshold is chosen or each split prepared.

    Parameters
    ----------
    data : Dataset
    runs : sequence of sequences of (train, test)
        One sequence of splits a run.
    grow : callable
        Makes a tree of a training set.
    methods : sequence of Answering
        Copies are fitted on each split, sharing its tree; those given stay as they are.
    known : sequence of (n_known,) integers, optional
        The classes that are known in each run, ascending. Instances of the others train nothing and are answered,
        and trees and methods know nothing of those classes.
    rejection : Rejection, optional
        Chooses the threshold of every method; left out: methods with a rule of their own reject by it.
    prepare : callable, optional
        Makes of each split's (training, test) instances those to use; rows, order and class must stay.
    finished : Finished, optional
        Gives what is finished already, and keeps what is.
    on_split : callable
        Called after each split for which trees were grown.
    on_progress : callable
        Called with how many answers there are and of how many, each method's counted; within a split too, by a method
        that tells how far it is.

    Returns
    -------
    list of Answers
        One a method, of the same instances in the same order; in a `LeaveOneOut` that of the data. Instances without a
        class train nothing and are answered.

    Raises
    ------
    OptionError
        A `LeaveOneOut` is of another number of instances.
    """
    for splits in runs:
        if isinstance(splits, LeaveOneOut) and len(splits) != len(data):
            raise OptionError(
                f"these splits leave out one of {len(splits)} instances, but '{data.relation}' has {len(data)}; make "
                "them with splits(data, folds='loo')"
            )
    methods = [_copy(method) for method in methods]
    is_known = np.ones((len(runs), data.n_classes), dtype=np.bool_)
    if known is not None:
        is_known[:] = [np.isin(np.arange(data.n_classes), classes) for classes in known]
    is_foreign = (data.class_values >= 0) & ~is_known[:, data.class_values]
    progress = _Progress(on_progress, len(methods) * sum(map(n_answers, runs)))
    pieces: list[list[Piece]] = [[] for _ in methods]
    places: list[NDArray[np.int64]] = []
    for run, splits in enumerate(runs):
        seen = data.with_known_classes(np.flatnonzero(is_known[run])) if known is not None else data
        kept = _Kept(run, is_known[run], finished, progress)
        found: dict[int, list[Piece]] = {}
        if isinstance(splits, LeaveOneOut) and rejection is None and prepare is None:
            found = _left_out(seen, is_foreign[run], grow, methods, kept)
        others = {i: method for i, method in enumerate(methods) if i not in found}
        found |= {i: [] for i in others}
        for fold, (train_rows, test_rows) in enumerate(splits) if others else ():
            here = kept.get(others, "split", fold, len(test_rows))
            if here is None:
                train, test = seen.take(np.asarray(train_rows)[~is_foreign[run, train_rows]]), seen.take(test_rows)
                if prepare is not None:
                    train, test = prepare(train, test)
                here = kept.put("split", fold, _answer_split(train, test, grow, others, rejection, progress))
                on_split()
            for i, piece in here.items():
                found[i].append(piece)
            place = np.empty((len(test_rows), 3), dtype=np.int64)
            place[:, 0], place[:, 1], place[:, 2] = run, fold, test_rows
            places.append(place)
        if not others:
            row = np.arange(len(data), dtype=np.int64)
            places.append(np.column_stack((np.full_like(row, run), row, row)))
        for i, own in found.items():
            pieces[i] += own
    run_of, fold_of, instance = np.concatenate(places).T
    return [
        Answers(
            **{name: np.concatenate([getattr(piece, name) for piece in own]) for name in ARRAYS},
            actual=data.class_values[instance],
            is_foreign=is_foreign[run_of, instance],
            weights=data.weights[instance],
            run=run_of,
            fold=fold_of,
            instance=instance,
            class_names=data.class_names,
            known=is_known,
            choices=tuple(piece.choice for piece in own if piece.choice is not None),
            events=_events(own),
            notes=_notes(own),
        )
        for own in pieces
    ]


def n_answers(splits: Sequence[Split]) -> int:
    """Number of instances that a run answers for, without making the splits of a `LeaveOneOut`."""
    return len(splits) if isinstance(splits, LeaveOneOut) else sum(len(test) for _, test in splits)


class _Progress:
    """How many answers there are; a method that tells how far it is is listened to."""

    def __init__(self, tell: Callable[[int, int], None], total: int) -> None:
        self._tell, self._total, self._done = tell, total, 0

    def answered(self, n: int) -> None:
        self._done += n
        self._tell(self._done, self._total)

    @contextmanager
    def listening(self, method: Answering, n: int) -> Iterator[None]:
        """While ``method`` answers for ``n`` instances, perhaps in several goes: the farthest counts."""
        if not isinstance(method, PostProcessor):
            yield
            return
        farthest = 0

        def listen(done: int, total: int) -> None:
            nonlocal farthest
            reached = min(n * done // max(total, 1), n)
            if reached > farthest:
                farthest = reached
                self._tell(self._done + reached, self._total)

        method.on_progress = listen
        try:
            yield
        finally:
            del method.on_progress


@dataclass(frozen=True)
class _Kept:
    """What is finished of one run."""

    run: int
    known: NDArray[np.bool_]
    finished: Finished | None
    progress: _Progress

    def get(self, methods: Iterable[int], what: What, place: int, n: int) -> dict[int, Piece] | None:
        """The pieces of ``n`` answers of each method, None unless all are there."""
        found = {}
        for i in methods:
            piece = None if self.finished is None else self.finished.get(Key(self.run, i, what, place), n)
            if piece is None:
                return None
            found[i] = piece
        self.progress.answered(n * len(found))
        return found

    def put(self, what: What, place: int, pieces: Mapping[int, Piece]) -> dict[int, Piece]:
        """The pieces with a column for every declared class, once they are kept."""
        wide = {}
        for i, piece in pieces.items():
            columns: dict[str, Any] = {name: _widened(getattr(piece, name), self.known) for name in DISTRIBUTIONS}
            wide[i] = replace(piece, **columns)
        if self.finished is not None:
            self.finished.put({Key(self.run, i, what, place): piece for i, piece in wide.items()})
        return wide


def _answer_split(
    train: Dataset,
    test: Dataset,
    grow: Grow,
    methods: Mapping[int, Answering],
    rejection: Rejection | None,
    progress: _Progress,
) -> dict[int, Piece]:
    tree = grow(train)
    baseline = tree.predict_proba(test)
    for method in methods.values():
        method.fit(tree, train)
    chosen: Sequence[Choice | None] = [None] * len(methods)
    if rejection is not None:
        chosen = choose_thresholds(rejection, list(methods.values()), grow, train)
    pieces = {}
    for (i, method), choice in zip(methods.items(), chosen, strict=True):
        with progress.listening(method, len(test)):
            pieces[i] = _answer(method, test, baseline, choice)
        progress.answered(len(test))
    return pieces


def _left_out(
    data: Dataset, is_foreign: NDArray[np.bool_], grow: Grow, methods: Sequence[Answering], kept: _Kept
) -> dict[int, list[Piece]]:
    """Answers, in the order of the data, of the methods that leave an instance out by themselves."""
    trains = ~is_foreign & (data.class_values >= 0) & (data.weights > 0)
    rows, others = np.flatnonzero(trains), np.flatnonzero(~trains)
    order = np.argsort(np.concatenate((rows, others)))
    train = data.take(~is_foreign)
    tree = cache(partial(grow, train))
    found: dict[int, list[Piece]] = {}
    for i, method in enumerate(methods):
        if not isinstance(method, PostProcessor) or method.counts_events or _answers_as(method, "_leave_one_out"):
            continue
        size = min(CHUNK, method.left_out_at_a_time(train))
        asked: list[tuple[What, int, NDArray[np.intp]]] = [
            ("left out", begin, rows[begin : begin + size]) for begin in range(0, len(rows), size)
        ]
        asked += [("others", 0, others)] if len(others) else []
        is_fitted = False
        own: list[Piece] = []
        for what, begin, part in asked:
            here = kept.get([i], what, begin, len(part))
            if here is None:
                if not is_fitted:
                    method.fit(tree(), train)
                    is_fitted = True
                test = data.take(part)
                with kept.progress.listening(method, len(part)):
                    if what == "others":
                        piece: Piece | None = _answer(method, test, tree().predict_proba(test), None)
                    else:
                        piece = _answer_left_out(method, test, np.arange(begin, begin + len(part)))
                if piece is None:
                    kept.progress.answered(-sum(map(len, own)))
                    break
                kept.progress.answered(len(part))
                here = kept.put(what, begin, {i: piece})
            own.append(here[i])
        else:
            arrays: dict[str, Any] = {
                name: np.concatenate([getattr(piece, name) for piece in own])[order] for name in ARRAYS
            }
            found[i] = [Piece(**arrays, notes=_notes(own))]
    return found


def _answer_left_out(method: PostProcessor, data: Dataset, rows: NDArray[np.intp]) -> Piece | None:
    """Answers for ``data``, which are the instances ``rows`` of those that the method has learned from."""
    left_out = method._leave_one_out(rows)
    if left_out is None:
        return None
    return Piece(**left_out._asdict(), threshold=_thresholds(method, None, len(rows)), notes=method.notes(data))


def _events(pieces: Iterable[Piece]) -> dict[str, int]:
    events: Counter[str] = Counter()
    for piece in pieces:
        events.update(piece.events)
    return dict(events)


def _notes(pieces: Iterable[Piece]) -> tuple[str, ...]:
    return tuple(sorted({note for piece in pieces for note in piece.notes}))


def _widened(proba: FloatArray, known: NDArray[np.bool_]) -> FloatArray:
    """(n, n_classes) float64: columns of the known classes at their places among all, 0 for the others."""
    if known.all():
        return proba
    wide = np.zeros((len(proba), len(known)))
    wide[:, known] = proba
    return wide


def _answer(method: Answering, test: Dataset, baseline: FloatArray, choice: Choice | None) -> Piece:
    proba = method.predict_proba(test)
    return Piece(
        proba=proba,
        ranking=proba if _answers_as(method, "_ranking") else method.ranking(test),
        baseline=baseline,
        certainty=_certainty(method, test, proba),
        threshold=_thresholds(method, choice, len(test)),
        choice=choice,
        events=method.explain(test).counts() if getattr(method, "counts_events", True) else {},
        notes=method.notes(test) if isinstance(method, PostProcessor) else (),
    )


def _thresholds(method: Answering, choice: Choice | None, n: int) -> FloatArray:
    threshold = choice.threshold if choice is not None else getattr(method, "threshold", None)
    return np.full(n, np.nan if threshold is None else threshold)


def _certainty(method: Answering, data: Dataset, proba: FloatArray) -> FloatArray:
    if not isinstance(method, PostProcessor) or _answers_as(method, "_certainty"):
        return np.asarray(proba.max(axis=1, initial=0.0))
    return method.certainty(data)


def _answers_as(method: Answering, hook: str) -> bool:
    """Whether a method leaves a hook as it is, so that asking would compute the distribution once more."""
    return isinstance(method, PostProcessor) and getattr(type(method), hook) is getattr(PostProcessor, hook)


def choose_thresholds(rejection: Rejection, methods: Sequence[Answering], grow: Grow, train: Dataset) -> list[Choice]:
    """The threshold of each method.

    Parameters
    ----------
    rejection : Rejection
    methods : sequence of Answering
        Fitted on ``train``.
    grow : callable
        Makes a tree of a training set; called once a fold of the rejection.
    train : Dataset
    """
    train = train.take(train.class_values >= 0)
    asked: list[list[tuple[FloatArray, NDArray[np.bool_], FloatArray]]]
    if rejection.folds is None:
        asked = [[_asked(method, train)] for method in methods]
    else:
        asked = [[] for _ in methods]
        for inner_rows, rows in rejection.folds(train):
            inner, rest = train.take(inner_rows), train.take(rows)
            tree = grow(inner)
            for method, own in zip(methods, asked, strict=True):
                copy = _copy(method)
                copy.fit(tree, inner)
                own.append(_asked(copy, rest))
    return [choose(rejection.aim, *map(np.concatenate, zip(*own, strict=True))) for own in asked]


def _asked(method: Answering, data: Dataset) -> tuple[FloatArray, NDArray[np.bool_], FloatArray]:
    """Certainty, whether the answer is correct, and weight of instances with a class."""
    proba = method.predict_proba(data)
    return _certainty(method, data, proba), most_probable(proba) == data.class_values, data.weights


def _copy(method: Answering) -> Answering:
    make: Callable[..., Answering] = type(method)
    return make(**method.params)


def summarise(answers: Answers) -> dict[str, Any]:
    """Metrics of a method's answers.

    Returns
    -------
    dict
        ``"pooled"``: each run's answers measured together, mean over the runs; ``"fold_mean"``, ``"fold_std"``: each
        fold measured alone, mean and standard deviation (n − 1) over the folds of all runs where it is defined.
        Each maps the names of `metrics.all_metrics` to a number, NaN where undefined, over instances of known classes
        and with those classes alone; the Brier score with those that have instances in the whole run.
        ``"reject"``: what `reject.reject_summary` says of each run, mean over the runs, with
        `reject.choices_summary` of all choices under "chosen". ``"outcomes"``: a mapping for every `reject.Outcome`,
        all runs together.
    """
    runs = range(len(answers.known))
    folds = np.unique(np.column_stack((answers.run, answers.fold)), axis=0)
    present = [_present(answers, run) for run in runs]
    by_fold = [_measure(answers, run, present[run], answers.fold == fold) for run, fold in folds]
    return {
        "pooled": _over([_measure(answers, run, present[run]) for run in runs], 0),
        "fold_mean": _over(by_fold, 0),
        "fold_std": _over(by_fold, 1),
        "reject": {
            **_over([_reject_summary(answers, answers.run == run) for run in runs], 0),
            **({"chosen": choices_summary(answers.choices)} if answers.choices else {}),
        },
        "outcomes": [outcome._asdict() for outcome in _outcomes(answers)],
    }


def _outcomes(answers: Answers) -> list[Outcome]:
    parts = answers.actual, answers.predicted, answers.rejected, answers.is_foreign, answers.weights
    return outcomes_by_class(*parts, answers.class_names)


def _present(answers: Answers, run: int) -> NDArray[np.intp]:
    """The known classes that have instances in a run, counted among the known."""
    chosen = (answers.run == run) & ~answers.is_foreign
    return np.flatnonzero(np.isin(
        np.flatnonzero(answers.known[run]),
        present_classes(answers.actual[chosen], answers.weights[chosen], len(answers.class_names)),
    ))  # fmt: skip


def _measure(
    answers: Answers, run: int, present: NDArray[np.intp], chosen: NDArray[np.bool_] | bool = True
) -> dict[str, float]:
    """Metrics over instances of known classes; a foreign class is no class there."""
    known = answers.known[run]
    chosen = (answers.run == run) & ~answers.is_foreign & chosen
    index = np.append(np.cumsum(known) - 1, -1)
    return all_metrics(
        answers.proba[chosen][:, known],
        index[answers.actual[chosen]],
        answers.weights[chosen],
        baseline=answers.baseline[chosen][:, known],
        ranking=answers.ranking[chosen][:, known],
        certainty=answers.certainty[chosen],
        classes=present,
    )


def _reject_summary(answers: Answers, chosen: NDArray[np.bool_]) -> dict[str, Any]:
    chosen = chosen & (answers.actual >= 0)
    threshold = answers.threshold[chosen]
    return reject_summary(
        answers.certainty[chosen],
        answers.predicted[chosen] == answers.actual[chosen],
        answers.is_foreign[chosen],
        answers.weights[chosen],
        None if np.isnan(threshold).any() else threshold,
    )


def _over(measured: Sequence[Mapping[str, Any]], moment: int) -> dict[str, Any]:
    """Mean (moment 0) or standard deviation (moment 1) of each metric over the places where it is defined."""
    result: dict[str, Any] = {}
    for name, first in measured[0].items():
        if isinstance(first, Mapping):
            result[name] = _over([metrics[name] for metrics in measured], moment)
            continue
        numbers = np.array([metrics[name] for metrics in measured], dtype=np.float64)
        numbers = numbers[~np.isnan(numbers)]
        if moment == 0:
            result[name] = float(numbers.mean()) if len(numbers) else np.nan
        else:
            result[name] = float(numbers.std(ddof=1)) if len(numbers) > 1 else np.nan
    return result
