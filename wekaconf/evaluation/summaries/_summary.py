"""The summary of a method's answers in a record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.measures import (
    COVERAGES,
    METRICS,
    Folds,
    all_metrics,
    mean_of,
    outcomes_by_class,
    predicted_by_class,
    present_classes,
    reject_summary,
    share_of,
)
from wekaconf.evaluation.summaries._majority import majority_record
from wekaconf.evaluation.thresholds import choices_summary

REJECTING = (
    "aurc", "excess_aurc", "auroc_known", *(f"error_at_{coverage:g}" for coverage in COVERAGES), "coverage", "error",
)  # fmt: skip
"""Measures of the certainty, beside `metrics.auc_reliability`, and of the threshold, where there is one; see
`risk_coverage.reject_summary`."""
MEASURES = (*METRICS, *REJECTING)
"""All measures that are taken on each fold."""
TABLE_CELLS = 1 << 20
"""Number of pairs of classes that are counted at a time, over all folds and methods; leave-one-out has many folds."""
CELLS_TOGETHER = 1 << 16
"""Number of probabilities up to which several methods are measured together; beyond, that saves no time."""


@dataclass(frozen=True, eq=False)
class FoldValues:
    """The measures of a method on each fold.

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
                values[name][i] = summary.get(name, np.nan)
    scored = np.where((answers.actual >= 0) & ~answers.is_foreign, answers.weights, 0.0)
    return FoldValues(
        run=np.array(runs, dtype=np.int64),
        fold=np.array([answers.fold[rows[0]] for rows in folds], dtype=np.int64),
        train_weight=answers.training_weight.sum(axis=1),
        test_weight=np.array([scored[rows].sum() for rows in folds]),
        values=values,
    )


def summarise(*method_answers: Answers, measures: Collection[str] = MEASURES) -> list[dict[str, Any]]:
    """Metrics of the answers of each method.

    Parameters
    ----------
    method_answers : Answers
        The answers of each method, for the same instances in the same splits, as `CrossValidation` gives. Methods
        are measured together, which takes less time for few instances; the measures of one do not depend on the others.
    measures : collection of str
        Measure only these, out of `MEASURES`; the others are NaN. All of ``"reject"`` is measured if one of it is among
        them, if there are thresholds, and if there are unknown classes.

    Returns
    -------
    list of dict
        One per method. ``"pooled"``: all answers of a run measured together, mean over the runs; ``"fold_mean"``,
        ``"fold_std"``: each fold measured by itself, mean and standard deviation (n − 1) over those folds of all runs
        where it is defined. Each of the three maps the names of `metrics.all_metrics` to numbers, NaN where undefined;
        only known classes and their instances count, and in the Brier score only classes that have instances in the
        run. ``"reject"``: `risk_coverage.reject_summary` of each run, mean over the runs; "mean_cost", what a known
        instance costs, rejected or not, where the aim says what answers cost; and under "chosen" the
        `thresholds.choices_summary` of all choices. ``"outcomes"``: one mapping per `accepting.Outcome`, over all runs;
        where all instances have a threshold, ``"predicted"``: one mapping per `accepting.Predicted`, over all runs and
        the instances whose class is not missing. ``"majority"``: see `majority.majority_record`.
    """
    first = method_answers[0]
    runs, folds = _split_rows(first)
    run_rows = [np.flatnonzero(first.run == run) for run in range(len(first.known))]
    metrics = [name for name in measures if name in METRICS]
    measures_rejecting = not set(REJECTING).isdisjoint(measures) or not first.known.all()
    size = max(CELLS_TOGETHER // max(first.proba.size, 1), 1)
    if any(answers.given is not None for answers in method_answers):
        size = 1
    summaries: list[dict[str, Any]] = []
    majority = majority_record(first)
    for begin in range(0, len(method_answers), size):
        batch = method_answers[begin : begin + size]
        by_fold = _by_fold(batch, runs, folds, metrics)
        pooled = [_measure(batch, run, _present(first, run), [rows], metrics) for run, rows in enumerate(run_rows)]
        by_run = [
            {name: np.concatenate([metrics_of_run[m][name] for metrics_of_run in pooled]) for name in metrics}
            for m in range(len(batch))
        ]
        summaries += map(partial(_summary, run_rows, measures_rejecting), batch, by_fold, by_run)
    return [{**summary, "majority": majority} for summary in summaries]


def _summary(
    run_rows: Sequence[NDArray[np.intp]],
    measures_rejecting: bool,
    answers: Answers,
    by_fold: Mapping[str, FloatArray],
    by_run: Mapping[str, FloatArray],
) -> dict[str, Any]:
    correct = answers.is_correct
    by_class = outcomes_by_class(
        answers.actual, correct, answers.rejected, answers.is_foreign, answers.weights, answers.class_names
    )
    return {
        "pooled": _aggregated(mean_of, by_run),
        "fold_mean": _aggregated(mean_of, by_fold),
        "fold_std": _aggregated(deviation_of, by_fold),
        "reject": {
            **(
                _mean_over_runs([_reject_summary(answers, correct, rows) for rows in run_rows])
                if measures_rejecting or not np.isnan(answers.threshold).all()
                else _undefined(_reject_summary(answers, correct, run_rows[0][:0]))
            ),
            **({"chosen": choices_summary(answers.choices)} if answers.choices else {}),
        },
        "outcomes": [outcome._asdict() for outcome in by_class],
        **({} if np.isnan(answers.threshold).any() else {"predicted": _predicted(answers, correct)}),
    }


def _predicted(answers: Answers, correct: NDArray[np.bool_]) -> list[dict[str, Any]]:
    is_right, weights = correct & ~answers.is_foreign, np.where(answers.actual >= 0, answers.weights, 0.0)
    by_class = predicted_by_class(answers.predicted, is_right, answers.rejected, weights, answers.class_names)
    return [predicted._asdict() for predicted in by_class]


def _undefined(measured: Mapping[str, Any]) -> dict[str, Any]:
    """The same mapping with NaN for every value."""
    return {name: _undefined(value) if isinstance(value, Mapping) else np.nan for name, value in measured.items()}


def _aggregated(statistic: Callable[[FloatArray], float], measured: Mapping[str, FloatArray]) -> dict[str, float]:
    return {name: statistic(measured[name]) if name in measured else np.nan for name in METRICS}


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
    method_answers: Sequence[Answers], runs: Sequence[int], folds: Sequence[NDArray[np.intp]], names: Collection[str]
) -> list[dict[str, FloatArray]]:
    """The metrics of each method on each fold."""
    values = [{name: np.empty(len(folds)) for name in names} for _ in method_answers]
    size = max(TABLE_CELLS // (len(method_answers) * len(method_answers[0].class_names) ** 2), 1)
    for run in dict.fromkeys(runs):
        present, folds_of_run = _present(method_answers[0], run), np.flatnonzero(np.equal(runs, run))
        for begin in range(0, len(folds_of_run), size):
            chosen = folds_of_run[begin : begin + size]
            measured_batch = _measure(method_answers, run, present, [folds[i] for i in chosen], names)
            for method_values, measured in zip(values, measured_batch, strict=True):
                for name in names:
                    method_values[name][chosen] = measured[name]
    return values


def _measure(
    method_answers: Sequence[Answers],
    run: int,
    present: NDArray[np.intp],
    folds: Sequence[NDArray[np.intp]],
    names: Collection[str],
) -> list[dict[str, FloatArray]]:
    """Metrics of each fold over the instances of known classes; unknown classes are left out of the distributions.

    All methods are measured in one call, the folds of each as separate folds.
    """
    first, n_methods, n_folds = method_answers[0], len(method_answers), len(folds)
    known = first.known[run]
    rows = np.concatenate(folds)
    is_known = ~first.is_foreign[rows]
    chosen, fold_number = rows[is_known], np.repeat(np.arange(n_folds), [len(fold) for fold in folds])[is_known]
    index = np.append(np.cumsum(known) - 1, -1)
    is_run = len(chosen) > 0 and bool((np.diff(chosen) == 1).all())
    part = slice(chosen[0], chosen[-1] + 1) if is_run else chosen  # a slice is no copy

    def joined(name: str) -> FloatArray:
        return np.concatenate([getattr(answers, name)[part] for answers in method_answers])

    def distributions(name: str) -> FloatArray:
        proba = joined(name)
        return proba if known.all() else proba[:, known]

    is_given = first.given is not None  # only a method that is measured by itself gives others
    metrics = all_metrics(
        distributions("proba"),
        np.tile(index[first.actual[chosen]], n_methods),
        np.tile(first.weights[chosen], n_methods),
        folds=Folds((np.arange(n_methods)[:, None] * n_folds + fold_number).ravel(), n_methods * n_folds),
        baseline=distributions("baseline") if "percent_affected" in names else None,
        ranking=distributions("ranking"),
        certainty=joined("certainty"),
        predicted=index[first.predicted[part]] if is_given else None,
        classes=present,
        names=names,
    )
    return [
        {name: values[m * n_folds : (m + 1) * n_folds] for name, values in metrics.items()} for m in range(n_methods)
    ]


def _reject_summary(answers: Answers, correct: NDArray[np.bool_], rows: NDArray[np.intp]) -> dict[str, Any]:
    chosen = rows[answers.actual[rows] >= 0]
    has_threshold = not np.isnan(answers.threshold).any()
    summary = reject_summary(
        answers.certainty[chosen],
        correct[chosen],
        answers.is_foreign[chosen],
        answers.weights[chosen],
        answers.threshold[chosen] if has_threshold else None,
    )
    costs = answers.choices[0].aim.counted_costs if answers.choices else None
    if costs is None:
        return summary
    known = chosen[~answers.is_foreign[chosen]]
    cost = costs.of_rows(answers.actual[known], answers.predicted[known], answers.rejected[known])
    return summary | {"mean_cost": share_of(float(cost @ answers.weights[known]), float(answers.weights[known].sum()))}


def _mean_over_runs(measured: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Mean of each metric over the runs where it is defined."""
    return {
        name: _mean_over_runs([metrics[name] for metrics in measured])
        if isinstance(first, Mapping)
        else mean_of(metrics[name] for metrics in measured)
        for name, first in measured[0].items()
    }
