"""Metrics of class distributions, each by its name.

Every metric takes the same arrays: ``proba`` (n_instances, n_classes) float64, rows that sum to 1, or to 0
where the instance is left unclassified; ``actual`` (n_instances,) int64, class index, −1 when missing;
``weights`` (n_instances,) float64 in [0, 1e100], dimensionless. An instance whose class is missing is not scored,
except in `ranking.areas_under_roc`, which follows Weka. A class is present if the weights of its instances sum to more
than 0. A metric that is undefined (no instance scored, one class only) is NaN.

With ``folds``, see `Folds`, a metric is taken over each fold by itself, in one pass over all
of them, and is an array (n_folds,) float64; without, all instances are one fold, and it is a number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation.measures._folds import Folds
from wekaconf.evaluation.measures._ranking import (
    auc_hand_till,
    auc_mean,
    auc_mean_no_ties,
    auc_reliability,
    auc_wang2006,
    auc_weighted,
    order_by_fold,
    pair_weights,
)
from wekaconf.evaluation.measures._scoring import brier, ece, log_loss, percent_affected, percent_correct

METRICS = (
    "percent_correct",
    "auc_mean",
    "auc_weighted",
    "auc_hand_till",
    "auc_wang2006",
    "auc_mean_no_ties",
    "brier",
    "log_loss",
    "ece",
    "auc_reliability",
    "percent_affected",
)
"""Every metric, in the order in which they are reported."""
RANK_EVERY_CLASS = {"auc_mean", "auc_weighted", "auc_hand_till"}
"""The metrics of pairs of instances that read the probability of the last class, which `auc_wang2006` does not."""


def all_metrics(
    proba: FloatArray,
    actual: Int64Array,
    weights: FloatArray,
    *,
    folds: Folds | None = None,
    baseline: FloatArray | None = None,
    ranking: FloatArray | None = None,
    certainty: FloatArray | None = None,
    predicted: Int64Array | None = None,
    classes: NDArray[np.integer[Any]] | None = None,
    names: Collection[str] = METRICS,
) -> dict[str, Any]:
    """Every metric by its name.

    Parameters
    ----------
    proba, actual, weights, folds
        See the module.
    baseline : (n_instances, n_classes) float64, optional
        The plain tree's answers, for ``percent_affected``, which is NaN without them.
    ranking : (n_instances, n_classes) float64, optional
        The values by which the areas under the ROC curve rank instances; ``proba`` when left out.
    certainty : (n_instances,) float64, optional
        The certainty for `auc_reliability`; the largest probability when left out.
    predicted : (n_instances,) int64, optional
        The answers for `percent_correct` and `auc_reliability`; the most probable classes when left out.
    classes : (n_counted,) integers, optional
        The classes for `brier`; the classes present when left out.
    names : collection of str
        Only these, out of `METRICS`.

    Returns
    -------
    dict of str to float, or with folds to (n_folds,) float64
        In the order of ``names``; the functions of `ranking` and `scoring` by name; NaN where undefined.
        Cost: time O(n_classes · n log n), memory O(n_classes · n + n_folds · n_classes²).
    """
    ranking = proba if ranking is None else ranking
    all_folds = Folds.one(len(actual)) if folds is None else folds
    n_classes = proba.shape[1]
    order = cache(lambda c: order_by_fold(ranking[:, c], all_folds))
    n_ranked = n_classes - 1 if RANK_EVERY_CLASS.isdisjoint(names) else n_classes
    counted = cache(lambda: pair_weights(ranking, actual, weights, all_folds, order=order, n_ranked=n_ranked))
    measures: dict[str, Callable[[], FloatArray]] = {
        "percent_correct": lambda: percent_correct(proba, actual, weights, folds=all_folds, predicted=predicted),
        "auc_mean": lambda: auc_mean(ranking, actual, weights, folds=all_folds, counted=counted()),
        "auc_weighted": lambda: auc_weighted(proba, actual, weights, folds=all_folds, counted=counted()),
        "auc_hand_till": lambda: auc_hand_till(ranking, actual, weights, folds=all_folds, counted=counted()),
        "auc_wang2006": lambda: auc_wang2006(ranking, actual, weights, folds=all_folds, counted=counted()),
        "auc_mean_no_ties": lambda: auc_mean_no_ties(ranking, actual, weights, folds=all_folds, order=order),
        "brier": lambda: brier(proba, actual, weights, folds=all_folds, classes=classes),
        "log_loss": lambda: log_loss(proba, actual, weights, folds=all_folds),
        "ece": lambda: ece(proba, actual, weights, folds=all_folds),
        "auc_reliability": lambda: auc_reliability(
            proba, actual, weights, folds=all_folds, certainty=certainty, predicted=predicted
        ),
        "percent_affected": lambda: (
            np.full(all_folds.n, np.nan)
            if baseline is None
            else percent_affected(proba, baseline, weights, folds=all_folds)
        ),
    }
    values = {name: measures[name]() for name in names}
    return values if folds is not None else {name: float(value[0]) for name, value in values.items()}
