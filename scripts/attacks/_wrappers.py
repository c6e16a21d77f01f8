"""Weka's wrappers around a tree, nested at random, saved by Weka and read without it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.random import Generator
from support.java_classes import java_class
from support.live_weka import built
from support.random_columns import asked_rows
from support.random_learners import LEARNERS

from attacks import Tried
from wekaconf.base.errors import BridgeError, ModelFileError
from wekaconf.bridge._instances import to_java
from wekaconf.bridge.learners import WekaModel
from wekaconf.data import CostMatrix, Dataset
from wekaconf.learners import learner_class
from wekaconf.model.file import mirror
from wekaconf.model.fitted import Model

FILTERS = "weka.filters.unsupervised.attribute."
MAPPED = ("Discretize -B 3", "Discretize -F -B 4", "PKIDiscretize", "ReplaceMissingValues", "Reorder -R last-first")
"""Filters that are held as arrays; the last leaves the class where it was found, at another place."""
INNER = (
    "J48",
    "REPTree",
    "RandomTree",
    "DecisionStump",
    "RandomForest",
    "Bagging",
    "RandomCommittee",
    "RandomSubSpace",
)
DEEPEST = 3
CLOSE = 1e-9
"""Costs that differ by less, as a share of the largest, may be decided otherwise; see `RejectCosts.decision`."""


def wrapper_faults(rng: Generator, train: Dataset, tried: Tried) -> Iterator[str]:
    """The faults of one model of nested wrappers."""
    name = str(rng.choice(INNER))
    inner = f"{learner_class(name).class_name} -- {LEARNERS[name][1](rng)}"
    costs = None
    for _ in range(int(rng.integers(1, DEEPEST + 1))):
        kind, options, own_costs = random_wrapper(rng, train.n_classes)
        costs = own_costs or costs
        tried["wrappers", kind.rpartition(".")[2]] += 1
        inner = f"{kind} -- {options} -W {inner}"
    class_name, _, options = inner.partition(" -- ")
    text = " ".join(f"{class_name} {options}".split())
    try:
        classifier = built(java_class, class_name, options, to_java(train))
    except Exception as error:  # of Weka, which cannot build all of these on all data
        tried["wrappers Weka refuses", type(error).__name__] += 1
        return
    test = asked_rows(rng, train, ())
    with TemporaryDirectory() as folder:
        path = Path(folder) / "wrapped.model"
        java_class("weka.core.SerializationHelper").write(str(path), classifier)
        try:
            ours = mirror(path)
        except ModelFileError as error:
            tried["wrapped models refused", str(error).partition(": ")[2][:60]] += 1
            return
    try:
        theirs = WekaModel(classifier, train.n_classes).distributions(test)
    except BridgeError:
        tried["wrapped models", "that throw"] += 1
        return
    tried["wrapped models", "read"] += 1
    if costs is None:
        if not np.array_equal(ours.predict_proba(test), theirs, equal_nan=True):
            yield f"{text}: distributions by {np.abs(ours.predict_proba(test) - theirs).max(initial=0)}"
    elif isinstance(ours, Model):
        proba = ours.predict_proba(test)
        if not np.array_equal(np.eye(train.n_classes)[costs.least_costly(proba)], theirs):
            yield f"{text}: the classes of least expected cost"
        expected = np.sort(costs.expected_costs(proba), axis=1)
        is_clear = expected[:, 1] - expected[:, 0] > CLOSE * max(map(max, costs.costs))
        if (ours.predict(test) != theirs.argmax(axis=1))[is_clear].any():
            yield f"{text}: predicted classes"


def random_wrapper(rng: Generator, n_classes: int) -> tuple[str, str, CostMatrix | None]:
    """The class and the options of a wrapper, and the costs by which it decides, if any."""
    meta = "weka.classifiers.meta."
    kind = int(rng.integers(5))
    if kind == 0:
        return f"{meta}FilteredClassifier", f'-F "{FILTERS}{MAPPED[rng.integers(len(MAPPED))]}"', None
    if kind == 1:
        return "weka.classifiers.misc.InputMappedClassifier", "-M", None
    if kind == 2:
        return f"{meta}AttributeSelectedClassifier", "", None
    costs = rng.uniform(1, 9, (n_classes, n_classes)).round(2)
    np.fill_diagonal(costs, 0)
    matrix = CostMatrix(costs)
    return (
        f"{meta}CostSensitiveClassifier",
        f'{"-M " * (kind == 3)}-cost-matrix "{matrix}"',
        matrix if kind == 3 else None,
    )
