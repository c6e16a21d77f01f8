"""The study of Costa, Verwer and Blockeel 2013 on other data sets: what is measured, and on which data."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from wekaconf.data.arff import load_arff
from wekaconf.data.dataset import Dataset, FloatArray
from wekaconf.data.header import Attribute
from wekaconf.errors import OptionError
from wekaconf.evaluation.ranking import auc_mean, auc_reliability
from wekaconf.evaluation.scoring import brier
from wekaconf.learners.info_gain import InfoGain
from wekaconf.learners.info_gain.learning_set import LearningSet
from wekaconf.learners.info_gain.rules import NOBODY, Rules
from wekaconf.methods.transductive.base import over_sum
from wekaconf.methods.transductive.kukar_kononenko import KukarKononenko
from wekaconf.methods.transductive.tpce import TPCE
from wekaconf.replication.runner import Replicated, Underway, find_sets, run_sets
from wekaconf.rounding import rounded

PAPER = "costa2013"
PROTOCOL = "leave-one-out"
METHODS = ("tpce", "plain", "plain_laplace", "bagging", "kukar_kononenko")
MEASURES = ("brier", "auc", "auc_reliability")
LARGEST_N_VALUES = 25
"""A nominal attribute is dropped if it has more values than this, and more than a quarter of the instances."""
PLAIN = Rules(cuts="all")
DATA_SETS = (
    "acute-inflammations-nephritis", "anneal", "audiology", "autos", "balance-scale", "blood-transfusion",
    "breast-cancer", "breast-w", "bridges_version1", "colic", "credit-a", "credit-g", "cylinder-bands", "dermatology",
    "diabetes", "ecoli", "flags", "glass", "haberman", "hayes-roth", "heart-c", "heart-h", "heart-statlog", "hepatitis",
    "ionosphere", "iris", "kdd_synthetic_control", "liver-disorders", "lymph", "molecular-biology_promoters",
    "new-thyroid", "parkinsons", "primary-tumor", "seeds", "solar-flare_1", "sonar", "soybean", "tae", "tic-tac-toe",
    "vehicle", "vertebral-column-2C", "vote", "vowel", "wdbc", "wine", "zoo",
)  # fmt: skip
"""UCI sets, named as Weka's files, since the paper does not name its 48.

The rule: all available UCI sets with a nominal class, 100 to 1000 instances and at most 100 attributes, which takes
minutes; of several sets with the same instances the first by name; no set with separate files for training and testing.
"""


def prepared(data: Dataset) -> Dataset:
    """The part of a data set that the study uses.

    Parameters
    ----------
    data : Dataset
        With a nominal class.

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
    kept = [i for i, attribute in enumerate(data.attributes) if i == data.class_index or _is_kept(attribute, len(data))]
    header = replace(
        data.header,
        attributes=tuple(data.attributes[i] for i in kept),
        class_index=kept.index(data.class_index),
    )
    present = np.unique(data.class_values)
    if len(present) < 2 or len(kept) < 2:
        raise OptionError(
            f"'{data.relation}': expected at least 2 classes that occur, and 1 attribute that is not a text or a name; "
            f"got {len(present)} and {len(kept) - 1}; leave this data set out"
        )
    return Dataset(header, data.values[:, kept]).with_known_classes(present)


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
            drawn = times > 0
            is_exact = np.array([learning.is_complete[drawn].all()])
            counts[bag] = compiled.leaf_counts(
                learning.columns, learning.n_values, learning.target, times, learning.header.n_classes, drawn, order,
                n_known, np.array([x]), nobody, is_exact, PLAIN.code, limits, table,
                PLAIN.safe_prune, True,
            )[0]  # fmt: skip
        proba[x] = over_sum(counts).mean(axis=0)
    return proba


def measure(dataset: str, path: str, *, seed: int) -> list[dict[str, Any]]:
    """Measure all methods on one data set, by leave-one-out.

    Parameters
    ----------
    dataset : str
        Name of the data set, for the record.
    path : str
        Its ARFF file; the last attribute is the class.
    seed : int
        Seed of the bags.

    Returns
    -------
    list of dict
        One record per method of `METHODS`: paper, dataset, method, n_instances, n_attributes, n_classes (that occur),
        dropped (attributes, see `prepared`), protocol, seed, brier, auc, auc_reliability and versions. A figure is None
        if it is undefined, such as auc_reliability without an error; kukar_kononenko only rates the answers of plain,
        so its brier and auc are None.

    Raises
    ------
    ArffError, OptionError
        See `wekaconf.load_arff` and `prepared`.

    Notes
    -----
    tpce: `wekaconf.methods.transductive.tpce.TPCE` with the cuts class-boundary. plain: the class shares at the leaf of
    a tree by information gain in which every value is a cut point. plain_laplace: the same with Laplace's correction.
    bagging: `bagged`. kukar_kononenko: `wekaconf.methods.transductive.kukar_kononenko.KukarKononenko` on the plain
    tree. All trees have safe prune and branches of at least 2 instances.
    """
    raw = load_arff(path)
    data = prepared(raw)
    kept = {attribute.name for attribute in data.attributes}
    answers = _answers(data, seed)
    facts = {
        "n_instances": len(data),
        "n_attributes": len(data.attributes) - 1,
        "n_classes": data.n_classes,
        "dropped": [attribute.name for attribute in raw.attributes if attribute.name not in kept],
        "protocol": PROTOCOL,
        "seed": seed,
    }
    return [
        {"paper": PAPER, "dataset": dataset, "method": method}
        | facts
        | _figures(data, proba, certainty)
        | {"versions": versions()}
        for method, (proba, certainty) in answers.items()
    ]


def _answers(data: Dataset, seed: int) -> dict[str, tuple[FloatArray, FloatArray | None]]:
    """The distributions of each method, and its certainty if it is measured by that alone."""
    tree = InfoGain(cuts=PLAIN.cuts).grow(data)
    rated = KukarKononenko().fit(tree, data).leave_one_out()
    tpce = TPCE(cuts="class-boundary").fit(tree.with_laplace(True), data).leave_one_out()
    return {
        "tpce": (tpce.proba, None),
        "plain": (rated.proba, None),
        "plain_laplace": (tpce.baseline, None),
        "bagging": (bagged(LearningSet.of(data), np.random.default_rng(seed)), None),
        "kukar_kononenko": (rated.proba, rated.certainty),
    }


def _figures(data: Dataset, proba: FloatArray, certainty: FloatArray | None) -> dict[str, float | None]:
    rest: tuple[NDArray[np.int64], FloatArray] = data.class_values, data.weights
    figures = {"auc_reliability": auc_reliability(proba, *rest, certainty=certainty)}
    if certainty is None:
        figures |= {"brier": brier(proba, *rest), "auc": auc_mean(rounded(proba), *rest)}
    return {name: None if math.isnan(figures.get(name, math.nan)) else figures[name] for name in MEASURES}


def versions() -> dict[str, str]:
    """Versions that the figures depend on: wekaconf, numpy, numba, python; neither Java nor Weka."""
    return {name: version(name) for name in ("wekaconf", "numpy", "numba")} | {"python": platform.python_version()}


def replicate(
    folder: str | os.PathLike[str],
    *,
    sets: Sequence[str] = (),
    seed: int = 1,
    jobs: int = 1,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Underway], None] = lambda _: None,
) -> Replicated:
    """Repeat the study of Tables 1 to 3; starts no Java.

    Parameters
    ----------
    folder : path
        The folder with the data sets as ARFF files, gzipped or not; the class is the last attribute.
    sets : sequence of str
        Names of files in the folder, without ending; `DATA_SETS` when empty.
    seed : int
        See `measure`; at least 0.
    jobs, resume, on_progress
        See `run_sets`.

    Returns
    -------
    Replicated
        The records of `measure`, data sets in the order of ``sets``.

    Raises
    ------
    OptionError
        There is no such folder, or it holds none of the sets.

    References
    ----------
    E. P. Costa, S. Verwer and H. Blockeel (2013). Estimating prediction certainty in decision trees. Advances in
    Intelligent Data Analysis XII, 138-149. Section 4.
    **Departures**: other data sets. Some data sets of the paper come with a test set and are measured on it; here none
    is.
    """
    paths, missing = find_sets(folder, list(dict.fromkeys(sets)) or DATA_SETS)
    records, failed = run_sets(
        PAPER,
        partial(measure, seed=seed),
        paths,
        parameters={"seed": seed},
        versions=versions(),
        jobs=jobs,
        resume=resume,
        on_progress=on_progress,
    )
    return Replicated(records, missing, failed)
