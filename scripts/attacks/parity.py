"""A random tree on random data: our mirror against Weka, or against another oracle, and every method on it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.random import Generator
from reference import cart_reference, costa2013_reference
from support.growers import grow, mirror, train_in_weka
from support.induction_cases import instances, is_exact, numbers, questions, reference_rules, reference_shape, shape_of
from support.java_classes import java_class
from support.live_weka import (
    both_metrics,
    differences,
    in_milliseconds,
    read_by_weka,
    record_predictions,
    unlike_forms,
    weka_folds,
)
from support.random_columns import as_sparse, asked_rows, random_dataset
from support.random_filters import filter_differences, random_filter, with_strings
from support.random_learners import random_learner

from attacks import Tried, told
from attacks._methods import method_faults
from attacks._wrappers import wrapper_faults
from wekaconf import bridge
from wekaconf.base.errors import ArffError, BridgeError, Note, OptionError
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import to_java
from wekaconf.bridge.learners import WekaLearner, WekaModel
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.learners import learner_class
from wekaconf.methods.transductive._base import tree_rules
from wekaconf.report.trees import render_dot, render_json, render_text
from wekaconf.tree._forest import Forest
from wekaconf.tree._mirror import TreeMirror

SPARSE_SHARE = 0.2
"""Of the draws; Weka's ArffLoader reads the data of these from a file."""
FILTERS_PER_DRAW = 3
WRAPPED_SHARE = 0.5
"""Of the draws; from the data of these Weka builds nested wrappers around a tree, too."""
STRING_SHARE = 0.2
"""Of the filters; the others get data without strings."""
LARGEST_LITERAL = 40
"""Number of instances up to which the literal reference of info_gain does not take long."""


def draw(seed: int, tried: Tried) -> Iterator[str]:
    """Try one data set and one learner."""
    jvm.ensure_started()
    rng = np.random.default_rng(seed)
    train = random_dataset(rng)
    if rng.random() < SPARSE_SHARE:
        train = as_sparse(rng, train)
    learner, options = random_learner(rng)
    scheme = f"{learner} {options}".strip()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        warnings.filterwarnings("error", category=RuntimeWarning, module="wekaconf")
        for fault in told(draw_faults(rng, train, learner, options, tried)):
            yield f"{scheme}: {fault}"


def draw_faults(rng: Generator, train: Dataset, learner: str, options: str, tried: Tried) -> Iterator[str]:
    tried["rows", "training"] += len(train)
    yield from told(fold_faults(rng, train))
    for _ in range(FILTERS_PER_DRAW):
        yield from told(filter_faults(rng, train, tried))
    if rng.random() < WRAPPED_SHARE:
        yield from told(wrapper_faults(rng, train, tried))
    try:
        is_wekas = issubclass(learner_class(learner), WekaLearner)
        grown, test, mismatches = (of_weka if is_wekas else of_ours)(rng, train, learner, options, tried)
    except (OptionError, WekaFailedError):
        tried["refused", learner] += 1
        return
    trees = grown.trees if isinstance(grown, Forest) else (grown,)
    tried["rows", "asked"] += len(test)
    tried["trees", learner] += len(trees)
    tried["nodes", learner] += sum(tree.n_nodes for tree in trees)
    yield from told(mismatches)
    yield from told(unlike_forms(grown, test))
    for render in (render_text, render_dot, render_json):
        yield from told(unprintable(render, grown))
    yield from told(metric_faults(grown.predict_proba(test), test))
    yield from method_faults(rng, grown, train, test, tried)


def unprintable(render: Callable[..., str], grown: TreeMirror | Forest) -> Iterator[str]:
    """The fault of a rendering that does not end with a line break."""
    if not render(grown).endswith("\n"):
        yield f"{render.__name__} has no line break at its end"


class WekaFailedError(Exception):
    """Weka itself failed while it grew a tree, so there is nothing to compare with."""


def of_weka(
    rng: Generator, train: Dataset, learner: str, options: str, tried: Tried
) -> tuple[TreeMirror | Forest, Dataset, Iterator[str]]:
    """A mirror, instances to answer for, and where its answers or its text differ from Weka's."""
    try:
        model, sent = train_in_weka(train, learner, options)
    except BridgeError as error:
        raise WekaFailedError from error
    grown = mirror(model, sent, train, learner, options)
    trees = grown.trees if isinstance(grown, Forest) else (grown,)
    test = asked_rows(rng, train, trees)
    if train.is_sparse is not None:
        build_on_file(model, train, tried)
    return grown, test, unlike_weka(model, grown, test, tried)


def build_on_file(model: WekaModel, train: Dataset, tried: Tried) -> None:
    """Have Weka build its classifier again, on the file that its ArffLoader reads, unless ARFF cannot hold the data."""
    try:
        jvm.call("build", model.classifier, read_by_weka(java_class, train))
        tried["files", "read by Weka"] += 1
    except ArffError:
        tried["files", "that cannot be written"] += 1


def unlike_weka(model: WekaModel, grown: TreeMirror | Forest, test: Dataset, tried: Tried) -> Iterator[str]:
    """Where a mirror's answers or its text differ from Weka's."""
    yield from differences(model, grown, answered(model, test, tried))
    text, java_version = str(model.classifier.toString()), int(jvm.about()["java"].split(".")[0])
    if isinstance(grown, TreeMirror):
        ours = render_text(in_milliseconds(grown), java=java_version)
        is_inside = grown.learner == "AttributeSelectedClassifier" and ours in f"{text}\n"  # behind what it has chosen
        if ours not in (text, f"{text}\n") and not is_inside:
            yield f"text {ours!r}, expected {text!r}"
    if isinstance(grown, Forest) and "-print" in grown.options.split():
        printed = [render_text(in_milliseconds(tree), java=java_version) for tree in grown.trees]
        yield from (f"text {ours!r} is not in {text!r}" for ours in printed if ours not in f"{text}\n")


def answered(model: WekaModel, test: Dataset, tried: Tried) -> Dataset:
    """The instances for which Weka answers; RandomTree throws at a leaf whose training instances have no weight."""
    try:
        model.distributions(test)
        return test
    except BridgeError:
        rows = [row for row in range(len(test)) if is_answered(model, test.take([row]))]
    tried["rows", "Weka throws"] += len(test) - len(rows)
    return test.take(rows)


def is_answered(model: WekaModel, instance: Dataset) -> bool:
    try:
        model.distributions(instance)
    except BridgeError:
        return False
    return True


def of_ours(
    rng: Generator, train: Dataset, learner: str, options: str, _tried: Tried
) -> tuple[TreeMirror | Forest, Dataset, Iterator[str]]:
    """A tree of our own learners, instances to answer for, and where its answers differ from its oracle's."""
    grown = grow(train, learner, options)
    test = asked_rows(rng, train, grown.trees if isinstance(grown, Forest) else (grown,))
    mismatches: Iterator[str] = iter(())
    if learner == "CART" and is_refitted(options, int(((train.class_values >= 0) & (train.weights > 0)).sum())):
        mismatches = unlike_sklearn(grown, train, test)
    if isinstance(grown, TreeMirror) and grown.routing.adds_counts and len(train) <= LARGEST_LITERAL:
        mismatches = unlike_literal(grown, train)
    return grown, test, mismatches


def unlike_sklearn(tree: TreeMirror, train: Dataset, test: Dataset) -> Iterator[str]:
    """Compare with scikit-learn on filled data, one column per nominal value; bit for bit if all weights are 1."""
    known = train.take((train.class_values >= 0) & (train.weights > 0))
    fill = known.typical_values()
    X = numbers_of(test, fill)
    with np.errstate(over="ignore"):
        usable = np.isfinite(X.astype(np.float32)).all(axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        classifier = chosen_by_refitting(tree.options, numbers_of(known, fill), known)
        expected = np.zeros((int(usable.sum()), train.n_classes))
        expected[:, classifier.classes_] = classifier.predict_proba(X[usable])
    ours = tree.predict_proba(test)[usable]
    tolerance = 0.0 if (known.weights == 1).all() else 1e-12
    if not np.abs(ours - expected).max(initial=0.0) <= tolerance:
        yield f"scikit-learn's distributions differ by {np.abs(ours - expected).max()}"


def is_refitted(options: str, n: int) -> bool:
    """Whether the literal form of CART supports these options and does not take long."""
    values = dict(part.split("=") for part in options.split())
    if values.get("prune") == "cv":
        return "min_leaf" not in values and int(values["folds"]) <= n <= LARGEST_LITERAL
    return values.get("prune") == "none"


def chosen_by_refitting(options: str, X: FloatArray, known: Dataset) -> Any:
    """The classifier of scikit-learn that the options choose."""
    values = dict(part.split("=") for part in options.split())
    seed = int(values.get("seed", 1))
    if values["prune"] == "none":
        return cart_reference.fit(X, known.class_values, known.weights, 0.0, seed, int(values.get("min_leaf", 1)))
    folds, se = int(values["folds"]), float(values["se"])
    return cart_reference.choose(X, known.class_values, known.weights, seed=seed, folds=folds, se=se)


def numbers_of(data: Dataset, fill: FloatArray) -> FloatArray:
    """Filled cells without the class, with one column per value of a nominal attribute; a constant if none is left."""
    filled = np.where(np.isnan(data.values), fill, data.values)
    columns = [
        (filled[:, [column]] == np.arange(len(attribute.values))) * 1.0 if attribute.is_nominal else filled[:, [column]]
        for column, attribute in enumerate(data.attributes)
        if column != data.class_index
    ]
    if not sum(column.shape[1] for column in columns):
        return np.zeros((len(data), 1))
    return np.hstack(columns)


def unlike_literal(tree: TreeMirror, train: Dataset) -> Iterator[str]:
    """Compare with the literal form of the paper's tree."""
    known = instances(train)
    expected = reference_shape(costa2013_reference.grow(known, reference_rules(train.header, tree_rules(tree))))
    ours = shape_of(tree)
    if questions(ours) != questions(expected):
        yield f"splits {questions(ours)}, expected {questions(expected)} as in the literal form"
    elif is_exact(known) and numbers(ours) != numbers(expected):
        yield f"counts {numbers(ours)}, expected {numbers(expected)} as in the literal form"
    elif not np.allclose(numbers(ours), numbers(expected), rtol=1e-9, atol=1e-9):
        yield f"weights {numbers(ours)}, expected {numbers(expected)} as in the literal form"


def fold_faults(rng: Generator, data: Dataset) -> Iterator[str]:
    """Compare with Weka's folds of the real data."""
    if len(data) < 2:
        return
    k, seed = int(rng.integers(2, min(len(data), 10) + 1)), int(rng.integers(-(2**31), 2**31))
    ours = [(train.tolist(), test.tolist()) for train, test in bridge.folds(data, k=k, seed=seed)]
    if ours != list(weka_folds(java_class, data, k, seed)):
        yield f"{k} folds of seed {seed}"


def filter_faults(rng: Generator, train: Dataset, tried: Tried) -> Iterator[str]:
    """Compare with Weka's filter, fitted on the same data and applied to other rows."""
    name, options = random_filter(rng)
    test = asked_rows(rng, train, ())
    if train.is_sparse is not None:
        test = as_sparse(rng, test)
    if rng.random() < STRING_SHARE:
        train, test = with_strings(rng, train, test)
    differences_found = filter_differences(java_class, name, options, train, test)
    tried["filters" if differences_found is not None else "refused", name.rpartition(".")[2]] += 1
    yield from (f"{name} {options}: {difference}" for difference in differences_found or ())


def metric_faults(proba: FloatArray, test: Dataset) -> Iterator[str]:
    """Compare with Weka's Evaluation of the same predictions."""
    if not np.isfinite(proba).all() or not (test.weights > 0).any():
        return
    sent = to_java(test)
    evaluation = java_class("weka.classifiers.Evaluation")(sent)
    record_predictions(evaluation, [sent.instance(i) for i in range(len(test))], proba)
    ours, theirs = both_metrics(evaluation, test.n_classes)
    if not np.allclose(ours, theirs, rtol=0, atol=1e-12, equal_nan=True):
        yield f"metrics {ours}, expected {theirs}"
