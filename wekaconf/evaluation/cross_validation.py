"""Every instance answered by trees that have not seen it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from wekaconf.dataset import Dataset, FloatArray
from wekaconf.evaluation.metrics import all_metrics
from wekaconf.evaluation.reject import (
    Aim,
    Choice,
    Outcome,
    choices_summary,
    choose,
    outcomes_by_class,
    reject_summary,
)
from wekaconf.postprocessor import Explanation, PostProcessor, is_rejected, most_probable
from wekaconf.tree import Forest, TreeMirror

Grow = Callable[[Dataset], TreeMirror | Forest]
Split = tuple[NDArray[Any], NDArray[Any]]
"""Rows to train on and rows to answer for."""
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

    @property
    def predicted(self) -> NDArray[np.int64]:
        """(n_answers,) int64: the most probable class."""
        return most_probable(self.proba)

    @property
    def rejected(self) -> NDArray[np.bool_]:
        """(n_answers,) bool: whether the certainty is below the threshold."""
        return is_rejected(self.certainty, self.threshold)


class _Part(NamedTuple):
    """What a method answered on one split."""

    proba: FloatArray
    ranking: FloatArray
    baseline: FloatArray
    certainty: FloatArray
    threshold: FloatArray


def cross_validate(
    data: Dataset,
    runs: Sequence[Sequence[Split]],
    grow: Grow,
    methods: Sequence[Answering],
    *,
    known: Sequence[NDArray[Any]] | None = None,
    rejection: Rejection | None = None,
    prepare: Prepare | None = None,
    on_split: Callable[[], None] = lambda: None,
) -> list[Answers]:
    """Grow a tree on each split's training rows and let every method answer for its test rows.

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
    on_split : callable
        Called after each split, for progress.

    Returns
    -------
    list of Answers
        One a method. Instances without a class train nothing and are answered.
    """
    methods = [_copy(method) for method in methods]
    parts: list[list[_Part]] = [[] for _ in methods]
    choices: list[list[Choice]] = [[] for _ in methods]
    events: list[Counter[str]] = [Counter() for _ in methods]
    places: list[NDArray[np.int64]] = []
    is_known = np.ones((len(runs), data.n_classes), dtype=np.bool_)
    if known is not None:
        is_known[:] = [np.isin(np.arange(data.n_classes), classes) for classes in known]
    is_foreign = (data.class_values >= 0) & ~is_known[:, data.class_values]
    for run, splits in enumerate(runs):
        seen = data.with_known_classes(np.flatnonzero(is_known[run])) if known is not None else data
        for fold, (train_rows, test_rows) in enumerate(splits):
            train, test = seen.take(np.asarray(train_rows)[~is_foreign[run, train_rows]]), seen.take(test_rows)
            if prepare is not None:
                train, test = prepare(train, test)
            tree = grow(train)
            baseline = tree.predict_proba(test)
            for method in methods:
                method.fit(tree, train)
            chosen = (
                choose_thresholds(rejection, methods, grow, train) if rejection is not None else [None] * len(methods)
            )
            for i, (method, choice) in enumerate(zip(methods, chosen, strict=True)):
                part = _answer(method, test, baseline, choice)
                parts[i].append(part._replace(**{
                    name: _widened(getattr(part, name), is_known[run]) for name in ("proba", "ranking", "baseline")
                }))  # fmt: skip
                choices[i] += [choice] if choice is not None else []
                if getattr(method, "counts_events", True):
                    events[i].update(method.explain(test).counts())
            place = np.empty((len(test), 3), dtype=np.int64)
            place[:, 0], place[:, 1], place[:, 2] = run, fold, test_rows
            places.append(place)
            on_split()
    run_of, fold_of, instance = np.concatenate(places).T
    actual = data.class_values[instance]
    return [
        Answers(
            **{name: np.concatenate([getattr(part, name) for part in own_parts]) for name in _Part._fields},
            actual=actual,
            is_foreign=is_foreign[run_of, instance],
            weights=data.weights[instance],
            run=run_of,
            fold=fold_of,
            instance=instance,
            class_names=data.class_names,
            known=is_known,
            choices=tuple(own_choices),
            events=dict(own_events),
        )
        for own_parts, own_choices, own_events in zip(parts, choices, events, strict=True)
    ]


def _widened(proba: FloatArray, known: NDArray[np.bool_]) -> FloatArray:
    """(n, n_classes) float64: columns of the known classes at their places among all, 0 for the others."""
    if known.all():
        return proba
    wide = np.zeros((len(proba), len(known)))
    wide[:, known] = proba
    return wide


def _answer(method: Answering, test: Dataset, baseline: FloatArray, choice: Choice | None) -> _Part:
    proba = method.predict_proba(test)
    ranking = proba if _answers_as(method, "_ranking") else method.ranking(test)
    threshold = choice.threshold if choice is not None else getattr(method, "threshold", None)
    return _Part(
        proba, ranking, baseline, _certainty(method, test, proba),
        np.full(len(test), np.nan if threshold is None else threshold),
    )  # fmt: skip


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
        and with those classes alone. ``"reject"``: what `reject.reject_summary` says of each run, mean over the runs,
        with `reject.choices_summary` of all choices under "chosen". ``"outcomes"``: a mapping for every
        `reject.Outcome`, all runs together.
    """
    runs = range(len(answers.known))
    folds = np.unique(np.column_stack((answers.run, answers.fold)), axis=0)
    by_fold = [_measure(answers, run, answers.fold == fold) for run, fold in folds]
    return {
        "pooled": _over([_measure(answers, run) for run in runs], 0),
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


def _measure(answers: Answers, run: int, chosen: NDArray[np.bool_] | bool = True) -> dict[str, float]:
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
