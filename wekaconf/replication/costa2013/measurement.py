"""The measurements on each data set in the study of Costa, Verwer and Blockeel 2013."""

from __future__ import annotations

import math
import platform
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.rounding import rounded
from wekaconf.data import Attribute, Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.measures import auc_mean, auc_reliability, brier
from wekaconf.evaluation.protocol import Protocol
from wekaconf.experiments.runner import evaluate
from wekaconf.learners.info_gain import NOBODY, Cuts, InfoGain, LearningSet, Rules
from wekaconf.methods.contract import Method
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.methods.transductive import TPCE, KukarKononenko, normalise_counts
from wekaconf.replication._data_files import load_set
from wekaconf.replication._runner import Record

PAPER = "costa2013"
PROTOCOL = "leave-one-out"
METHODS = ("tpce", "plain", "plain_laplace", "bagging", "kukar_kononenko")
CONTROLS = ("tpce_all", "plain_boundary", "plain_laplace_boundary")
"""TPCE with the cuts of its rivals, and its rivals with the cuts of TPCE; the paper has neither."""
BATCH_METHODS = ("tpce_batch", "plain", "plain_laplace", "bagging")
FOLDS = 10
MEASURES = ("brier", "auc", "auc_reliability")
LARGEST_N_VALUES = 25
"""A nominal attribute is dropped if it has more values than this, and more than a quarter of the instances."""
PLAIN = Rules(cuts="all")
BOUNDARY: Cuts = "class-boundary"
"""The cuts of TPCE's trees; those of its rivals are `PLAIN`'s."""


def prepared(data: Dataset) -> Dataset:
    """The part of a data set that the study uses.

    Parameters
    ----------
    data : Dataset
        The class is nominal.

    Returns
    -------
    Dataset
        The instances with a class, each of weight 1; numeric and date attributes, and nominal attributes with at most
        max(25, n / 4) declared values; the classes that occur.

    Raises
    ------
    OptionError
        The class is not nominal, fewer than two classes occur, or no attribute is left.
    """
    data = data.take(data.class_values >= 0)
    inputs = [attribute for i, attribute in enumerate(data.attributes) if i != data.class_index]
    left_out = [attribute.name for attribute in inputs if not _is_kept(attribute, len(data))]
    present = np.unique(data.class_values)
    if len(present) < 2 or len(left_out) == len(inputs):
        raise OptionError(
            f"'{data.relation}': expected at least 2 classes that occur, and 1 attribute that is not a text or a name; "
            f"got {len(present)} and {len(inputs) - len(left_out)}; leave this data set out",
            value_of="data",
        )
    used = data.without(left_out).with_known_classes(present)
    return replace(used, weights=np.ones(len(used)))


def _is_kept(attribute: Attribute, n: int) -> bool:
    if attribute.is_nominal:
        return len(attribute.values) <= max(LARGEST_N_VALUES, n / 4)
    return not attribute.is_indexed


def bagged(learning: LearningSet, random: Generator) -> FloatArray:
    """Answers of bagging for every instance, each from bags drawn from all other instances.

    Parameters
    ----------
    learning : LearningSet
        Instances of weight 1.
    random : Generator
        Used once per instance, in order, to draw as many bags as classes occur: row b of
        ``integers(0, n - 1, (n_bags, n - 1))`` holds the draws of bag b from the n − 1 other instances.

    Returns
    -------
    (n, n_classes) float64
        Mean over the bags of the class shares at the leaf that the instance reaches in the plain tree of the bag.
        Cost: n · n_bags inductions, each along one path.
    """
    from wekaconf.learners.info_gain import compiled

    n, n_bags = len(learning), len(learning.present)
    table, scale = learning.table()
    limits = learning.limits(PLAIN, scale)
    order, n_known = compiled.sorted_entries(learning.columns, learning.n_values, np.arange(n, dtype=np.int32))
    nobody = np.array([NOBODY])
    proba = np.zeros((n, learning.header.n_classes))
    for x in range(n):
        counts = np.empty((n_bags, learning.header.n_classes))
        for bag, draws in enumerate(random.integers(0, n - 1, (n_bags, n - 1))):
            times = np.bincount(draws + (draws >= x), minlength=n).astype(np.float64)
            is_drawn = times > 0
            is_exact = np.array([learning.is_complete[is_drawn].all()])
            counts[bag] = compiled.leaf_counts(
                learning.columns, learning.n_values, learning.target, times, learning.header.n_classes, is_drawn, order,
                n_known, np.array([x]), nobody, is_exact, PLAIN.code, limits, table,
                PLAIN.safe_prune, True,
            )[0]  # fmt: skip
        proba[x] = normalise_counts(counts).mean(axis=0)
    return proba


def measure(dataset: str, path: str, *, seed: int, runs: int) -> list[Record]:
    """Measure all methods on one data set, by leave-one-out.

    Parameters
    ----------
    dataset : str
        Name of the data set, for the record.
    path : str
        The ARFF file of the data set; the last attribute is the class.
    seed, runs : int
        Bags are drawn with the seeds ``seed``, …, ``seed + runs − 1``.

    Returns
    -------
    list of dict
        One record per method of `METHODS` and `CONTROLS` with the first seed, and one of bagging with each other seed,
        since nothing else is drawn: paper, dataset, method, n_instances, n_attributes, n_classes (that occur), dropped
        (attributes, see `prepared`), protocol, seed, brier, auc, auc_reliability and versions. A figure is None
        if it is undefined, such as auc_reliability without an error; kukar_kononenko only rates the answers of plain,
        so its brier and auc are None.

    Raises
    ------
    ArffError, OptionError
        See `wekaconf.load_arff` and `prepared`.

    Notes
    -----
    tpce: `wekaconf.methods.transductive._tpce.TPCE` with the cuts class-boundary; tpce_all: with all cuts. plain: the
    class shares at the leaf of a tree by information gain in which every value is a cut point. plain_laplace: the same
    with Laplace's correction. plain_boundary and plain_laplace_boundary: both with the cuts class-boundary.
    bagging: `bagged`. kukar_kononenko: `wekaconf.methods.transductive._kukar_kononenko.KukarKononenko` on the plain
    tree. All trees have safe prune and branches of at least 2 instances.
    """
    data, dropped = _load_prepared(dataset, path)
    answers = [(seed, method, *answer) for method, answer in _answers(data, seed).items()]
    learning = LearningSet.of(data)
    for other in range(seed + 1, seed + runs):
        answers.append((other, "bagging", bagged(learning, np.random.default_rng(other)), None))
    return [
        {"paper": PAPER, "dataset": dataset, "method": method}
        | _facts(data, dropped, PROTOCOL, run_seed)
        | figures_of(data, proba, certainty)
        | {"versions": versions()}
        for run_seed, method, proba, certainty in answers
    ]


def measure_batch(dataset: str, path: str, *, seed: int, runs: int) -> list[Record]:
    """Measure the paper's extension to whole batches on one data set, by ten-fold cross-validation.

    Parameters
    ----------
    dataset, path
        See `measure`.
    seed, runs : int
        The folds of Weka, the random classes and the bags have the seeds ``seed``, …, ``seed + runs − 1``.

    Returns
    -------
    list of dict
        Records as those of `measure`, one per method of `BATCH_METHODS` and seed, with the measures brier, auc and
        auc_reliability of all answers of a run together; tpce_batch: the test instances of a fold are one batch.
    """
    data, dropped = _load_prepared(dataset, path)
    records = []
    for run_seed in range(seed, seed + runs):
        protocol = Protocol(folds=FOLDS, seed=run_seed)
        methods: dict[str, Method] = {
            "tpce_batch": TPCE(cuts=BOUNDARY, batch=True, seed=run_seed),
            "plain": LeafFrequency(),
            "plain_laplace": LeafFrequency(laplace=True),
        }
        single = evaluate(
            data, list(methods.values()), protocol=protocol, learner="info_gain", options=f"cuts={PLAIN.cuts}"
        )
        bags = evaluate(
            data, LeafFrequency(), protocol=protocol, learner="info_gain_bagging",
            options=f"cuts={PLAIN.cuts} bags=k seed={run_seed}",
        )  # fmt: skip
        for method, (record, _) in zip((*methods, "bagging"), (*single, *bags), strict=True):
            figures = {name: record["pooled"][f"{name}_mean" if name == "auc" else name] for name in MEASURES}
            records.append(
                {"paper": PAPER, "dataset": dataset, "method": method}
                | _facts(data, dropped, f"{FOLDS}-fold cross-validation", run_seed)
                | {name: None if math.isnan(value) else value for name, value in figures.items()}
                | {"versions": record["versions"]}
            )
    return records


def _load_prepared(dataset: str, path: str) -> tuple[Dataset, list[str]]:
    """The part of a data set that the study uses, and the names of the attributes that it drops."""
    raw = load_set(dataset, path)
    data = prepared(raw)
    kept = {attribute.name for attribute in data.attributes}
    return data, [attribute.name for attribute in raw.attributes if attribute.name not in kept]


def _facts(data: Dataset, dropped: list[str], protocol: str, seed: int) -> dict[str, Any]:
    return {
        "n_instances": len(data),
        "n_attributes": len(data.attributes) - 1,
        "n_classes": data.n_classes,
        "dropped": dropped,
        "protocol": protocol,
        "seed": seed,
    }


def _answers(data: Dataset, seed: int) -> dict[str, tuple[FloatArray, FloatArray | None]]:
    """The distributions of each method, and its certainty if it is measured by that alone."""
    trees = {cuts: InfoGain(cuts=cuts).grow(data) for cuts in (PLAIN.cuts, BOUNDARY)}
    rated, rated_boundary = (KukarKononenko().fit(tree, data).leave_one_out() for tree in trees.values())
    tpce = {cuts: TPCE(cuts=cuts).fit(tree.with_laplace(True), data).leave_one_out() for cuts, tree in trees.items()}
    return {
        "tpce": (tpce[BOUNDARY].proba, None),
        "plain": (rated.proba, None),
        "plain_laplace": (tpce[PLAIN.cuts].baseline, None),
        "bagging": (bagged(LearningSet.of(data), np.random.default_rng(seed)), None),
        "kukar_kononenko": (rated.proba, rated.certainty),
        "tpce_all": (tpce[PLAIN.cuts].proba, None),
        "plain_boundary": (rated_boundary.proba, None),
        "plain_laplace_boundary": (tpce[BOUNDARY].baseline, None),
    }


def figures_of(data: Dataset, proba: FloatArray, certainty: FloatArray | None) -> dict[str, float | None]:
    """The `MEASURES` of answers for every instance; None where undefined, or where ``certainty`` rates others'."""
    rest: tuple[NDArray[np.int64], FloatArray] = data.class_values, data.weights
    figures = {"auc_reliability": auc_reliability(proba, *rest, certainty=certainty)}
    if certainty is None:
        figures |= {"brier": brier(proba, *rest), "auc": auc_mean(rounded(proba), *rest)}
    return {name: None if math.isnan(figures.get(name, math.nan)) else figures[name] for name in MEASURES}


def versions() -> dict[str, str]:
    """Versions that the figures depend on: wekaconf, numpy, numba, python; neither Java nor Weka."""
    return {name: version(name) for name in ("wekaconf", "numpy", "numba")} | {"python": platform.python_version()}
