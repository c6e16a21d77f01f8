"""Every instance answered by trees that have not seen it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wekaconf.dataset import Dataset, FloatArray
from wekaconf.evaluation.metrics import all_metrics
from wekaconf.postprocessor import Explanation, PostProcessor
from wekaconf.tree import Forest, TreeMirror

Grow = Callable[[Dataset], TreeMirror | Forest]
Split = tuple[NDArray[Any], NDArray[Any]]
"""Rows to train on and rows to answer for."""
Prepare = Callable[[Dataset, Dataset], tuple[Dataset, Dataset]]
"""Makes of a split's training and test instances those that are learned from and answered for."""


class Answering(Protocol):
    """What `cross_validate` asks of a method; ``type(method)(**method.params)`` must make an unfitted copy.

    Every `PostProcessor` is one, and never sees the class of the instances it answers for; another object does.
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


@dataclass(frozen=True, eq=False)
class Answers:
    """What one method answered over all splits.

    Parameters
    ----------
    proba : (n_answers, n_classes) float64
    ranking : (n_answers, n_classes) float64
        What the method ranks instances by: ``proba``, unless it says otherwise.
    baseline : (n_answers, n_classes) float64
        The tree's own distributions.
    actual : (n_answers,) int64
        −1 when missing.
    weights : (n_answers,) float64
        Instance weights.
    run, fold : (n_answers,) int64
        Which run, and which split of that run.
    instance : (n_answers,) int64
        Row in the data set.
    events : mapping of str to int
        How often each kind of event was applied.
    """

    proba: FloatArray
    ranking: FloatArray
    baseline: FloatArray
    actual: NDArray[np.int64]
    weights: FloatArray
    run: NDArray[np.int64]
    fold: NDArray[np.int64]
    instance: NDArray[np.int64]
    events: Mapping[str, int]


def cross_validate(
    data: Dataset,
    runs: Sequence[Sequence[Split]],
    grow: Grow,
    methods: Sequence[Answering],
    *,
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
    parts: list[list[tuple[FloatArray, FloatArray, FloatArray]]] = [[] for _ in methods]
    events: list[Counter[str]] = [Counter() for _ in methods]
    places: list[NDArray[np.int64]] = []
    for run, splits in enumerate(runs):
        for fold, (train_rows, test_rows) in enumerate(splits):
            train, test = data.take(train_rows), data.take(test_rows)
            if prepare is not None:
                train, test = prepare(train, test)
            tree = grow(train)
            baseline = tree.predict_proba(test)
            for method, own_parts, own_events in zip(methods, parts, events, strict=True):
                method.fit(tree, train)
                proba = method.predict_proba(test)
                own_parts.append((proba, proba if _ranks_by_proba(method) else method.ranking(test), baseline))
                own_events.update(method.explain(test).counts())
            place = np.empty((len(test), 3), dtype=np.int64)
            place[:, 0], place[:, 1], place[:, 2] = run, fold, test_rows
            places.append(place)
            on_split()
    run_of, fold_of, instance = np.concatenate(places).T
    return [
        Answers(
            proba=np.concatenate([proba for proba, _, _ in own_parts]),
            ranking=np.concatenate([ranking for _, ranking, _ in own_parts]),
            baseline=np.concatenate([baseline for _, _, baseline in own_parts]),
            actual=data.class_values[instance],
            weights=data.weights[instance],
            run=run_of,
            fold=fold_of,
            instance=instance,
            events=dict(own_events),
        )
        for own_parts, own_events in zip(parts, events, strict=True)
    ]


def _copy(method: Answering) -> Answering:
    make: Callable[..., Answering] = type(method)
    return make(**method.params)


def _ranks_by_proba(method: Answering) -> bool:
    """Whether asking for the ranking would compute the distribution once more."""
    return isinstance(method, PostProcessor) and type(method)._ranking is PostProcessor._ranking


def summarise(answers: Answers) -> dict[str, dict[str, float]]:
    """Metrics of a method's answers.

    Returns
    -------
    dict
        ``"pooled"``: each run's answers measured together, mean over the runs; ``"fold_mean"``, ``"fold_std"``: each
        fold measured alone, mean and standard deviation (n − 1) over the folds of all runs where it is defined.
        Each maps the names of `metrics.all_metrics` to a number, NaN where undefined.
    """
    pooled = [_measure(answers, answers.run == run) for run in np.unique(answers.run)]
    places = np.unique(np.column_stack((answers.run, answers.fold)), axis=0)
    by_fold = [_measure(answers, (answers.run == run) & (answers.fold == fold)) for run, fold in places]
    return {
        "pooled": _over(pooled, 0),
        "fold_mean": _over(by_fold, 0),
        "fold_std": _over(by_fold, 1),
    }


def _measure(answers: Answers, chosen: NDArray[np.bool_]) -> dict[str, float]:
    return all_metrics(
        answers.proba[chosen],
        answers.actual[chosen],
        answers.weights[chosen],
        baseline=answers.baseline[chosen],
        ranking=answers.ranking[chosen],
    )


def _over(measured: Iterable[Mapping[str, float]], moment: int) -> dict[str, float]:
    """Mean (moment 0) or standard deviation (moment 1) of each metric over the places where it is defined."""
    measured = list(measured)
    result = {}
    for name in measured[0]:
        numbers = np.array([metrics[name] for metrics in measured])
        numbers = numbers[~np.isnan(numbers)]
        if moment == 0:
            result[name] = float(numbers.mean()) if len(numbers) else np.nan
        else:
            result[name] = float(numbers.std(ddof=1)) if len(numbers) > 1 else np.nan
    return result
