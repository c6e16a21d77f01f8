"""What a record says about the answers of a method."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.folds import Folds
from wekaconf.evaluation.metrics import METRICS, all_metrics
from wekaconf.evaluation.outcomes import outcomes_by_class
from wekaconf.evaluation.risk_coverage import COVERAGES, reject_summary
from wekaconf.evaluation.scoring import present_classes
from wekaconf.evaluation.thresholds import choices_summary

REJECTING = ("aurc", "excess_aurc", "auroc_known", *(f"error_at_{coverage:g}" for coverage in COVERAGES))
"""Measures of the certainty, beside `metrics.auc_reliability`; see `risk_coverage.reject_summary`."""
MEASURES = (*METRICS, *REJECTING)
"""Everything that is measured on each fold."""
TABLE_CELLS = 1 << 20
"""Pairs of classes that are counted at a time, over all folds and methods; leave-one-out has a fold per instance."""
CELLS_TOGETHER = 1 << 16
"""Probabilities of several methods that are measured at a time; with more, methods one by one take no longer."""


@dataclass(frozen=True, eq=False)
class FoldValues:
    """What a method reached on each fold.

    Parameters
    ----------
    run, fold : (n_folds,) int64
        Which run, and which split of that run; in the order of the answers.
    train_weight, test_weight : (n_folds,) float64
        Summed weights of the fold's training instances, and of its scored instances: those of a known class. For unit
        weights their numbers.
    values : mapping of str to (n_folds,) float64
        Each measure by its name; NaN where it is undefined.
    """

    run: Int64Array
    fold: Int64Array
    train_weight: FloatArray
    test_weight: FloatArray
    values: Mapping[str, FloatArray]

    @property
    def test_train_ratio(self) -> float:
        """Weight of the scored instances over that of the training instances, over all folds together; positive."""
        return float(self.test_weight.sum() / self.train_weight.sum())


def fold_values(answers: Answers, measures: Collection[str] = tuple(METRICS)) -> FoldValues:
    """Each measure on each fold by itself.

    Parameters
    ----------
    answers : Answers
    measures : collection of str
        Names out of `MEASURES`.

    Returns
    -------
    FoldValues
        The numbers whose mean and standard deviation `summarise` gives as "fold_mean" and "fold_std".
        Cost: time O(n_measures · n_classes · n log n).
    """
    runs, folds = _split_rows(answers)
    metrics, rejecting = ([name for name in measures if name in known] for known in (METRICS, REJECTING))
    [by_metric] = _by_fold([answers], runs, folds, metrics)
    values = {name: by_metric.get(name, np.empty(len(folds))) for name in measures}
    if rejecting:
        correct = answers.is_correct
        for i, rows in enumerate(folds):
            summary = _reject_summary(answers, correct, rows)
            summary |= {f"error_at_{coverage}": error for coverage, error in summary["error_at"].items()}
            for name in rejecting:
                values[name][i] = summary[name]
    scored = np.where((answers.actual >= 0) & ~answers.is_foreign, answers.weights, 0.0)
    return FoldValues(
        run=np.array(runs, dtype=np.int64),
        fold=np.array([answers.fold[rows[0]] for rows in folds], dtype=np.int64),
        train_weight=answers.training_weight.sum(axis=1),
        test_weight=np.array([scored[rows].sum() for rows in folds]),
        values=values,
    )


def summarise(*of_methods: Answers, measures: Collection[str] = MEASURES) -> list[dict[str, Any]]:
    """Metrics of the answers of each method.

    Parameters
    ----------
    of_methods : Answers
        Of each method, for the same instances in the same splits, as `cross_validate` gives them. Methods are measured
        together, which takes less time for few instances; what is measured of one does not depend on the others.
    measures : collection of str
        Measure only these, out of `MEASURES`; the others are NaN. All of ``"reject"`` is measured if one of it is among
        them, if there are thresholds, and if there are foreign classes.

    Returns
    -------
    list of dict
        One per method. ``"pooled"``: all answers of a run measured together, mean over the runs; ``"fold_mean"``,
        ``"fold_std"``: each fold measured by itself, mean and standard deviation (n − 1) over those folds of all runs
        where it is defined. Each of the three maps the names of `metrics.all_metrics` to numbers, NaN where undefined;
        only known classes and their instances count, and in the Brier score only classes that have instances in the
        run. ``"reject"``: `risk_coverage.reject_summary` of each run, mean over the runs, and under "chosen" the
        `thresholds.choices_summary` of all choices. ``"outcomes"``: one mapping per `outcomes.Outcome`, over all runs.
    """
    first = of_methods[0]
    runs, folds = _split_rows(first)
    of_runs = [np.flatnonzero(first.run == run) for run in range(len(first.known))]
    metrics = [name for name in measures if name in METRICS]
    asks_rejecting = not set(REJECTING).isdisjoint(measures) or not first.known.all()
    size = max(CELLS_TOGETHER // max(first.proba.size, 1), 1)
    summaries: list[dict[str, Any]] = []
    for begin in range(0, len(of_methods), size):
        some = of_methods[begin : begin + size]
        by_fold = _by_fold(some, runs, folds, metrics)
        pooled = [_measure(some, run, _present(first, run), [rows], metrics) for run, rows in enumerate(of_runs)]
        by_run = [
            {name: np.concatenate([found[m][name] for found in pooled]) for name in metrics} for m in range(len(some))
        ]
        summaries += map(partial(_summary, of_runs, asks_rejecting), some, by_fold, by_run)
    return summaries


def _summary(
    of_runs: Sequence[NDArray[np.intp]],
    asks_rejecting: bool,
    answers: Answers,
    by_fold: Mapping[str, FloatArray],
    by_run: Mapping[str, FloatArray],
) -> dict[str, Any]:
    correct = answers.is_correct
    by_class = outcomes_by_class(
        answers.actual, correct, answers.rejected, answers.is_foreign, answers.weights, answers.class_names
    )
    return {
        "pooled": _of_every_metric(mean_of, by_run),
        "fold_mean": _of_every_metric(mean_of, by_fold),
        "fold_std": _of_every_metric(deviation_of, by_fold),
        "reject": {
            **(
                _over([_reject_summary(answers, correct, rows) for rows in of_runs])
                if asks_rejecting or not np.isnan(answers.threshold).all()
                else _undefined(_reject_summary(answers, correct, of_runs[0][:0]))
            ),
            **({"chosen": choices_summary(answers.choices)} if answers.choices else {}),
        },
        "outcomes": [outcome._asdict() for outcome in by_class],
    }


def _undefined(measured: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _undefined(value) if isinstance(value, Mapping) else np.nan for name, value in measured.items()}


def _of_every_metric(of: Callable[[FloatArray], float], measured: Mapping[str, FloatArray]) -> dict[str, float]:
    return {name: of(measured[name]) if name in measured else np.nan for name in METRICS}


def mean_of(values: FloatArray) -> float:
    """The mean of the values that are defined; NaN if none is."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else np.nan


def deviation_of(values: FloatArray) -> float:
    """The standard deviation (n − 1) of the values that are defined; NaN if fewer than two are."""
    defined = values[~np.isnan(values)]
    return float(defined.std(ddof=1)) if len(defined) > 1 else np.nan


def _split_rows(answers: Answers) -> tuple[list[int], list[NDArray[np.intp]]]:
    """The run of each split, and the rows of its answers, which follow one another."""
    starts = np.flatnonzero(np.diff(answers.split, prepend=-1))
    return answers.run[starts].tolist(), np.split(np.arange(len(answers.split)), starts[1:])


def _present(answers: Answers, run: int) -> NDArray[np.intp]:
    """The known classes that have instances in a run, as indices into the known classes."""
    chosen = (answers.run == run) & ~answers.is_foreign
    return np.flatnonzero(np.isin(
        np.flatnonzero(answers.known[run]),
        present_classes(answers.actual[chosen], answers.weights[chosen], len(answers.class_names)),
    ))  # fmt: skip


def _by_fold(
    of_methods: Sequence[Answers], runs: Sequence[int], folds: Sequence[NDArray[np.intp]], names: Collection[str]
) -> list[dict[str, FloatArray]]:
    """The metrics of each method on each fold."""
    values = [{name: np.empty(len(folds)) for name in names} for _ in of_methods]
    size = max(TABLE_CELLS // (len(of_methods) * len(of_methods[0].class_names) ** 2), 1)
    for run in dict.fromkeys(runs):
        present, of_run = _present(of_methods[0], run), np.flatnonzero(np.equal(runs, run))
        for begin in range(0, len(of_run), size):
            chosen = of_run[begin : begin + size]
            found = _measure(of_methods, run, present, [folds[i] for i in chosen], names)
            for of_method, measured in zip(values, found, strict=True):
                for name in names:
                    of_method[name][chosen] = measured[name]
    return values


def _measure(
    of_methods: Sequence[Answers],
    run: int,
    present: NDArray[np.intp],
    folds: Sequence[NDArray[np.intp]],
    names: Collection[str],
) -> list[dict[str, FloatArray]]:
    """Metrics of each fold over the instances of known classes; foreign classes are left out of the distributions.

    To the metrics the folds of each method are folds of their own.
    """
    first, n_methods, n_folds = of_methods[0], len(of_methods), len(folds)
    known = first.known[run]
    rows = np.concatenate(folds)
    is_known = ~first.is_foreign[rows]
    chosen, of_fold = rows[is_known], np.repeat(np.arange(n_folds), [len(fold) for fold in folds])[is_known]
    index = np.append(np.cumsum(known) - 1, -1)
    is_run = len(chosen) > 0 and bool((np.diff(chosen) == 1).all())
    part = slice(chosen[0], chosen[-1] + 1) if is_run else chosen  # a slice is no copy

    def together(name: str) -> FloatArray:
        return np.concatenate([getattr(answers, name)[part] for answers in of_methods])

    def distributions(name: str) -> FloatArray:
        proba = together(name)
        return proba if known.all() else proba[:, known]

    found = all_metrics(
        distributions("proba"),
        np.tile(index[first.actual[chosen]], n_methods),
        np.tile(first.weights[chosen], n_methods),
        folds=Folds((np.arange(n_methods)[:, None] * n_folds + of_fold).ravel(), n_methods * n_folds),
        baseline=distributions("baseline"),
        ranking=distributions("ranking"),
        certainty=together("certainty"),
        classes=present,
        names=names,
    )
    return [{name: values[m * n_folds : (m + 1) * n_folds] for name, values in found.items()} for m in range(n_methods)]


def _reject_summary(answers: Answers, correct: NDArray[np.bool_], rows: NDArray[np.intp]) -> dict[str, Any]:
    chosen = rows[answers.actual[rows] >= 0]
    has_threshold = not np.isnan(answers.threshold).any()
    return reject_summary(
        answers.certainty[chosen],
        correct[chosen],
        answers.is_foreign[chosen],
        answers.weights[chosen],
        answers.threshold[chosen] if has_threshold else None,
    )


def _over(measured: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Mean of each metric over the runs where it is defined."""
    return {
        name: _over([metrics[name] for metrics in measured])
        if isinstance(first, Mapping)
        else mean_of(np.array([metrics[name] for metrics in measured], dtype=np.float64))
        for name, first in measured[0].items()
    }
