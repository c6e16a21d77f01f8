"""The measurements on a data set of Katz et al. 2012: J48, ConfDTree, RandomForest, by folds and training size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np

from wekaconf.data import Attribute, Dataset
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.measures import Folds, auc_weighted
from wekaconf.evaluation.protocol import Protocol
from wekaconf.experiments.runner import evaluate
from wekaconf.replication._data_files import load_set
from wekaconf.replication._runner import Record

PAPER = "katz2012"
FOLDS = 10
BASE = "J48"
"""The column that gains are relative to; the paper does not print it."""
VARIANTS = ("NORM", "TDIST", "COMB")
FOREST = "RandomForest"
TREES_IN_FOREST = 10
"""The default of Weka 3.6, which was current in 2012; today it is 100."""
ON_ONE_TREE = {BASE: "leaf_frequency", **{variant: f"confdtree:variant={variant.lower()}" for variant in VARIANTS}}
"""The columns that are measured on J48's tree, and their methods."""
TIES = {"ties-zero": "_no_ties", "ties-half": ""}
"""The endings of the areas' names in a record: a tie of two instances counts nothing, or ½."""
READINGS = {
    f"{folds}-{ties}": f"{start}auc{{}}{ending}"
    for folds, start in (("folds", "fold_"), ("pooled", ""))
    for ties, ending in TIES.items()
}
"""The readings of "10-fold cross-validation" and of AUC, and the names of their areas in a record.

The mean of the folds' areas, or the area of the answers of all folds together. The first explains most of the figures
in print, which was found by looking at them; the last is that of Weka. "{}" stands for "" or `WEIGHTED`.
"""
WEIGHTED = "_weighted"
"""Of the areas of the classes: the mean weighted by class size."""
MEASURES = (
    *(area.format(mean) for area in READINGS.values() for mean in ("", WEIGHTED)), "percent_correct", "percent_affected"
)  # fmt: skip
METRICS = ("percent_correct", "auc_mean", "auc_weighted", "auc_mean_no_ties", "percent_affected")
"""The metrics of each evaluation."""
ORDINALS = {
    "contraceptive-2class": (
        "Wifes_education", "Husbands_education", "Husbands_occupation", "Standard-of-living_index",
    ),
}  # fmt: skip
"""Nominal attributes of our files that were numbers in the paper, whose Table I counts 6 of 9 there."""


def cross_validated(dataset: str, path: str, *, runs: int, seed: int) -> list[Record]:
    """Measure every column of Table I by cross-validation.

    Parameters
    ----------
    dataset : str
        Name of the data set.
    path : str
        The ARFF file of the data set; the last attribute is the class.
    runs, seed : int
        Weka's ten folds with the seeds ``seed``, …, ``seed + runs − 1``.

    Returns
    -------
    list of dict
        One record per seed and column, with: paper, dataset, n_instances, n_numeric, n_attributes (both without the
        class), class_sizes (number of instances of each class that occurs, ascending, with spaces between), protocol,
        train_percent (None), seed, runs (1), column, learner, options, method; areas under the ROC curve in [0, 1]:
        auc (mean over the classes, answers of all folds pooled), auc_weighted (weighted by class size), fold_auc and
        fold_auc_weighted (means over the folds), and the same with the ending _no_ties, where a tie counts 0 and not ½;
        percent_correct, percent_affected; routes and fines (how often either was applied); versions.

    Raises
    ------
    ArffError, OptionError, BridgeError
        See `wekaconf.load_arff` and `wekaconf.evaluate`.
    """
    data = as_in_the_paper(dataset, load_set(dataset, path))
    records = []
    for run in range(runs):
        protocol = Protocol(folds=FOLDS, seed=seed + run)
        records += _measured(dataset, data, protocol, ON_ONE_TREE, BASE)
        options = f"-I {TREES_IN_FOREST}"
        records += _measured(dataset, data, protocol, {FOREST: "leaf_frequency"}, FOREST, options)
    return records


def by_training_size(dataset: str, path: str, *, sizes: Sequence[int], divisions: int, seed: int) -> list[Record]:
    """Measure J48 and ConfDTree, trained on part of the instances and tested on the others.

    Parameters
    ----------
    dataset, path : str
        See `cross_validated`.
    sizes : sequence of int
        Percentages of each class to train on.
    divisions, seed : int
        Weka's random order of the instances with the seeds ``seed``, …, ``seed + divisions − 1``.

    Returns
    -------
    list of dict
        One record per size and column, as those of `cross_validated`: train_percent is the size, runs the number of
        divisions, the measures are means over the divisions.
    """
    data = as_in_the_paper(dataset, load_set(dataset, path))
    records = []
    for size in sizes:
        divided = [
            _measured(
                dataset, data, Protocol(split=size / 100, stratified=True, seed=seed + division), ON_ONE_TREE, BASE
            )
            for division in range(divisions)
        ]
        for same_column in zip(*divided, strict=True):
            means = {name: fmean(record[name] for record in same_column) for name in (*MEASURES, "routes", "fines")}
            records.append({**same_column[0], **means, "train_percent": size, "runs": divisions})
    return records


def as_in_the_paper(dataset: str, data: Dataset) -> Dataset:
    """The data set with the attributes in `ORDINALS` as numbers."""
    ordinal = [i for i, each in enumerate(data.attributes) if each.name in ORDINALS.get(dataset, ())]
    if not ordinal:
        return data
    values, attributes = data.values.copy(), list(data.attributes)
    for i in ordinal:
        number_of = np.array([float(value) for value in attributes[i].values] + [np.nan])
        values[:, i] = number_of[np.where(np.isnan(values[:, i]), -1, values[:, i]).astype(np.int64)]
        attributes[i] = Attribute(attributes[i].name)
    return replace(data, header=replace(data.header, attributes=tuple(attributes)), values=values)


def _measured(
    dataset: str, data: Dataset, protocol: Protocol, methods: dict[str, str], learner: str, options: str = ""
) -> list[Record]:
    """One record per column; ``methods`` are the methods, written as on the command line, by their columns."""
    evaluation = evaluate(
        data, list(methods.values()), protocol=protocol, learner=learner, options=options, name=dataset, metrics=METRICS
    )
    inputs = [each for i, each in enumerate(data.attributes) if i != data.class_index]
    sizes = np.bincount(data.class_values[data.class_values >= 0])
    return [
        {
            "paper": PAPER,
            "dataset": dataset,
            "n_instances": len(data),
            "n_numeric": sum(each.kind == "numeric" for each in inputs),
            "n_attributes": len(inputs),
            "class_sizes": " ".join(map(str, sorted(sizes[sizes > 0].tolist()))),
            "protocol": record["protocol"],
            "train_percent": None,
            "seed": record["seed"],
            "runs": record["runs"],
            "column": column,
            "learner": record["learner"],
            "options": record["options"],
            "method": record["label"],
            **_measures(record, answers),
            "routes": record["events"].get("route", 0),
            "fines": record["events"].get("fine", 0),
            "versions": record["versions"],
        }
        for column, (record, answers) in zip(methods, evaluation, strict=True)
    ]


def _measures(record: Record, answers: Answers) -> dict[str, Any]:
    pooled, fold_mean = record["pooled"], record["fold_mean"]
    without_ties = partial(auc_weighted, np.round(answers.proba, 9), answers.actual, answers.weights, tie=0.0)
    folds = Folds(answers.fold, int(answers.fold.max()) + 1)
    return {
        "auc": pooled["auc_mean"],
        "auc_weighted": pooled["auc_weighted"],
        "fold_auc": fold_mean["auc_mean"],
        "fold_auc_weighted": fold_mean["auc_weighted"],
        "auc_no_ties": pooled["auc_mean_no_ties"],
        "auc_weighted_no_ties": without_ties(),
        "fold_auc_no_ties": fold_mean["auc_mean_no_ties"],
        "fold_auc_weighted_no_ties": float(np.nanmean(without_ties(folds=folds))),
        "percent_correct": pooled["percent_correct"],
        "percent_affected": pooled["percent_affected"],
    }
