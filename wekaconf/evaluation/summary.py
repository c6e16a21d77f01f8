"""What a record says about the answers of a method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.metrics import all_metrics
from wekaconf.evaluation.outcomes import outcomes_by_class
from wekaconf.evaluation.risk_coverage import reject_summary
from wekaconf.evaluation.scoring import present_classes
from wekaconf.evaluation.thresholds import choices_summary


def summarise(answers: Answers) -> dict[str, Any]:
    """Metrics of a method's answers.

    Returns
    -------
    dict
        ``"pooled"``: all answers of a run measured together, mean over the runs; ``"fold_mean"``, ``"fold_std"``: each
        fold measured by itself, mean and standard deviation (n − 1) over those folds of all runs where it is defined.
        Each of the three maps the names of `metrics.all_metrics` to numbers, NaN where undefined; only known classes
        and their instances count, and in the Brier score only classes that have instances in the run. ``"reject"``:
        `risk_coverage.reject_summary` of each run, mean over the runs, and under "chosen" the
        `thresholds.choices_summary` of all choices. ``"outcomes"``: one mapping per `outcomes.Outcome`, over all runs.
    """
    runs = range(len(answers.known))
    folds = np.unique(np.column_stack((answers.run, answers.fold)), axis=0)
    present = [_present(answers, run) for run in runs]
    correct = answers.is_correct
    by_class = outcomes_by_class(
        answers.actual, correct, answers.rejected, answers.is_foreign, answers.weights, answers.class_names
    )
    by_fold = [_measure(answers, run, present[run], answers.fold == fold) for run, fold in folds]
    return {
        "pooled": _over([_measure(answers, run, present[run]) for run in runs], 0),
        "fold_mean": _over(by_fold, 0),
        "fold_std": _over(by_fold, 1),
        "reject": {
            **_over([_reject_summary(answers, correct, answers.run == run) for run in runs], 0),
            **({"chosen": choices_summary(answers.choices)} if answers.choices else {}),
        },
        "outcomes": [outcome._asdict() for outcome in by_class],
    }


def _present(answers: Answers, run: int) -> NDArray[np.intp]:
    """The known classes that have instances in a run, as indices into the known classes."""
    chosen = (answers.run == run) & ~answers.is_foreign
    return np.flatnonzero(np.isin(
        np.flatnonzero(answers.known[run]),
        present_classes(answers.actual[chosen], answers.weights[chosen], len(answers.class_names)),
    ))  # fmt: skip


def _measure(
    answers: Answers, run: int, present: NDArray[np.intp], chosen: NDArray[np.bool_] | bool = True
) -> dict[str, float]:
    """Metrics over the instances of known classes; foreign classes are left out of the distributions, too."""
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


def _reject_summary(answers: Answers, correct: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> dict[str, Any]:
    chosen = chosen & (answers.actual >= 0)
    threshold = answers.threshold[chosen]
    return reject_summary(
        answers.certainty[chosen],
        correct[chosen],
        answers.is_foreign[chosen],
        answers.weights[chosen],
        None if np.isnan(threshold).any() else threshold,
    )


def _over(measured: Sequence[Mapping[str, Any]], moment: int) -> dict[str, Any]:
    """Mean (moment 0) or standard deviation (moment 1) of each metric over the runs or folds where it is defined."""
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
