"""Every method with random parameters on one tree: what its answers must be, and what must not change them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.random import Generator
from support.forms import form
from support.parameter_values import PARAMETERS

from attacks import Tried, raised
from wekaconf.base.errors import WekaconfError
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.learners.info_gain._learning_set import LearningSet
from wekaconf.methods.contract._explanation import Explanation
from wekaconf.methods.contract._method import Method
from wekaconf.methods.contract._node_methods import AnnotatesNodes
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.methods.transductive._base import Transductive
from wekaconf.model.file import load
from wekaconf.model.fitted import Model
from wekaconf.report.trees import render_dot, render_json, render_text
from wekaconf.tree._forest import Forest
from wekaconf.tree._mirror import TreeMirror

HAND_ON = {"leaf_frequency", "boundary_distance", "id3_max", "id3_sd", "kukar_kononenko"}
"""Methods whose distribution is the tree's own, including Weka's rounding and rows of zeros."""
SLOW = {"tpce": 3, "kukar_kononenko": 8}
"""Number of instances to answer for by methods that grow trees for each instance."""
OTHER_INNER = 0.1
"""Share of draws in which tpce grows trees of Weka or scikit-learn, which takes long."""
SAVED = 0.1
"""Share of draws in which a method goes through a model file, which takes long."""


@dataclass(frozen=True)
class Case:
    """A method fitted in its numpy form, and its answers for some instances."""

    method: Method
    train: Dataset
    asked: Dataset
    answers: dict[str, FloatArray]

    @classmethod
    def of(cls, method: Method, tree: TreeMirror | Forest, train: Dataset, asked: Dataset) -> Case:
        with form(is_compiled=False):
            method.fit(tree, train)
            return cls(method, train, asked, everything(method, asked))

    def fitted_anew(self) -> Method:
        return self.method.unfitted().fit(self.method.tree_, self.train)


def method_faults(
    rng: Generator, tree: TreeMirror | Forest, train: Dataset, test: Dataset, tried: Tried
) -> Iterator[str]:
    """The faults in the answers of methods on a tree."""
    for name, cls in sorted(Method.registry.items()):
        params = random_parameters(rng, name, tree)
        try:
            case = Case.of(cls(**params), tree, train, test.take(slice(0, SLOW.get(name, len(test)))))
        except WekaconfError:
            tried["refused", name] += 1
            continue
        except Exception as error:
            yield f"{name} {params}: {raised(error)}"
            continue
        tried["methods", name] += 1
        for check in CHECKS:
            try:
                for fault in check(rng, case):
                    yield f"{name} {params}: {fault}"
            except Exception as error:
                yield f"{name} {params}: {check.__name__}: {raised(error)}"


def random_parameters(rng: Generator, name: str, tree: TreeMirror | Forest) -> dict[str, Any]:
    """Some parameters of a method, with values from its table; the others keep their defaults.

    ``numeric`` is always drawn, since its default refuses most data.
    """
    params = {
        parameter: values[rng.integers(len(values))]
        for parameter, values in PARAMETERS[name].items()
        if rng.random() < 0.5 or parameter == "numeric"
    }
    if name == "tpce" and tree.learner != "info_gain" and rng.random() < OTHER_INNER:
        return {"inner": tree.learner, **{key: params[key] for key in ("alpha",) if key in params}}
    return params


def everything(method: Method, data: Dataset) -> dict[str, FloatArray]:
    """The answers from which all others follow."""
    arrays = {"predict_proba": method.predict_proba(data), "certainty": method.certainty(data)}
    return arrays if method.name in SLOW else arrays | {"scores": method.scores(data)}


def unlike(actual: dict[str, FloatArray], expected: dict[str, FloatArray]) -> str:
    """The names of the answers that differ in any bit, each with the largest difference."""
    return ", ".join(
        f"{name} by {np.abs(actual[name].astype(np.float64) - expected[name]).max():.3g}"
        for name in expected
        if not np.array_equal(actual[name], expected[name], equal_nan=True)
    )


def answers(rng: Generator, case: Case) -> Iterator[str]:
    """Answers are distributions, and certainties lie within their stated range."""
    del rng
    method, asked, arrays = case.method, case.asked, case.answers
    proba, certainty = arrays["predict_proba"], arrays["certainty"]
    ranking, predicted, affected = method.ranking(asked), method.predict(asked), method.affected(asked)
    for name, array in [*arrays.items(), ("ranking", ranking), ("predict", predicted), ("affected", affected)]:
        wide = (asked.n_classes,) if name in ("predict_proba", "scores", "ranking") else ()
        if array.shape != (len(asked), *wide):
            yield f"{name} has the shape {array.shape}"
        elif np.isnan(array).any():
            yield f"{name} is NaN for {np.isnan(array).sum()} of {array.size}"
    bad = ~distributions(proba, method, asked)
    if bad.any():
        yield f"row {bad.argmax()} is not a distribution: {proba[bad.argmax()].tolist()}"
    stated = method.certainty_range
    low = 1 / asked.n_classes if stated.low is None else stated.low
    outside = is_proper(proba) & ~((certainty >= low - 1e-9) & (certainty <= stated.high + 1e-9))
    if outside.any():
        yield f"certainty {certainty[outside][0]!r} outside {stated}"


def distributions(proba: FloatArray, method: Method, asked: Dataset) -> FloatArray:
    """(n,) bool: whether a row is a distribution, or an answer of the tree that is handed on or is all zeros."""
    tree = method.tree_
    if isinstance(method, LeafFrequency) and method.laplace is not None:
        tree = tree.with_laplace(method.laplace)
    plain = tree.predict_proba(asked)
    handed_on = (proba == plain).all(axis=1) if method.name in HAND_ON else ~proba.any(axis=1) & ~plain.any(axis=1)
    return is_proper(proba) | handed_on


def is_proper(proba: FloatArray) -> FloatArray:
    """(n,) bool: whether a row is a distribution."""
    return np.isfinite(proba).all(axis=1) & (proba >= 0).all(axis=1) & (np.abs(proba.sum(axis=1) - 1) <= 1e-9)


def forms(rng: Generator, case: Case) -> Iterator[str]:
    """The compiled form fits and answers as the numpy form does."""
    del rng
    with form(is_compiled=True):
        compiled = everything(case.fitted_anew(), case.asked)
    if different := unlike(compiled, case.answers):
        yield f"the compiled form differs from the numpy form: {different}"


def paths_and_queries(rng: Generator, case: Case) -> Iterator[str]:
    """TPCE's trees are the same path by path and for all queries at once."""
    del rng
    if not isinstance(case.method, Transductive):
        return
    with patch.object(LearningSet, "hindrance", "asked for"):
        by_path = everything(case.fitted_anew(), case.asked)
    if different := unlike(by_path, case.answers):
        yield f"path by path differs from all at once: {different}"


def order_and_class(rng: Generator, case: Case) -> Iterator[str]:
    """Neither the order of the instances, nor their classes, nor the batch change the answers."""
    method, asked = case.method, case.asked
    if method.params.get("batch"):
        return
    order = rng.permutation(len(asked))
    values = asked.values[order]
    values[:, asked.class_index] = rng.choice([np.nan, *range(asked.n_classes)], len(asked))
    shuffled = everything(method, Dataset(asked.header, values))
    if different := unlike(shuffled, {name: array[order] for name, array in case.answers.items()}):
        yield f"in another order and with other classes differs: {different}"
    row = int(rng.integers(len(asked)))
    alone = everything(method, asked.take([row]))
    if different := unlike(alone, {name: array[[row]] for name, array in case.answers.items()}):
        yield f"instance {row} alone differs: {different}"


def explanations(rng: Generator, case: Case) -> Iterator[str]:
    """Events can be written and counted, and trees can be drawn with the method's annotations."""
    del rng
    explanation = case.method.explain(case.asked)
    texts = [text for events in told(explanation) for text in events]
    if sum(explanation.counts().values()) != len(texts) or not all(texts):
        yield f"{explanation.counts()} of {len(texts)} events"
    if isinstance(case.method, AnnotatesNodes) and isinstance(case.method.tree_, TreeMirror):
        for render in (render_text, render_dot, render_json):
            render(case.method.tree_, annotate=case.method.annotation)


def rejections(rng: Generator, case: Case) -> Iterator[str]:
    """An instance is rejected if its certainty is smaller than the threshold; ∞ rejects everything."""
    certainty = case.answers["certainty"]
    below = float(rng.choice(certainty))
    if not np.array_equal(case.method.reject(case.asked, below=below), (certainty < below) | (below == np.inf)):
        yield f"the instances rejected below {below} are not those with a smaller certainty"
    if not case.method.reject(case.asked, below=np.inf).all():
        yield "∞ does not reject everything"


def saved(rng: Generator, case: Case) -> Iterator[str]:
    """A method loaded from a model file answers as the one that was saved."""
    if rng.random() >= SAVED:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.wct"
        Model(case.method).save(path)
        again = load(path).method
    if different := unlike(everything(again, case.asked), case.answers):
        yield f"the loaded model differs: {different}"
    if told(again.explain(case.asked)) != told(case.method.explain(case.asked)):
        yield "the loaded model gives other explanations"


def told(explanation: Explanation) -> list[list[str]]:
    """Every event in words."""
    return [[str(event) for event in events] for events in explanation[:]]


CHECKS = (answers, forms, paths_and_queries, order_and_class, explanations, rejections, saved)
