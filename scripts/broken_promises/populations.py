"""Populations whose every row is answered, so that error and cost of every threshold are known."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from broken_promises.cells import Group

import wekaconf as wc
from wekaconf.data.header import Attribute, Header
from wekaconf.evaluation.aims import RejectCosts
from wekaconf.evaluation.measures import Certainties
from wekaconf.evaluation.promises import CostedRows
from wekaconf.evaluation.thresholds import AnsweredRows, rejection_of
from wekaconf.evaluation.thresholds.choice import levels_of
from wekaconf.evaluation.thresholds.rejection import orders
from wekaconf.methods.contract.method import Method
from wekaconf.model.scheme import parse_method

N_POPULATION, N_GROWING, LEAST_ROWS, MOST_ROWS = 100_000, 1_000, 1_000, 20_000
N_GENERATED = 400
"""The number of calibration rows of generated data."""
AT_ONCE = 20_000
"""The number of rows that are answered at once."""
GENERATORS = ("corner", "votes")
LEARNERS = {"J48": wc.J48, "CART": wc.CART, "RandomForest": lambda: wc.RandomForest("-I 20")}


def generated(name: str, n: int, seed: int) -> wc.Dataset:
    """Rows of a generator: "corner" has two classes and label noise, "votes" three classes, and few values."""
    rng = np.random.default_rng(seed)
    if name == "corner":
        x = rng.normal(size=(n, 4))
        chance = np.where((x[:, 0] > 0) & (x[:, 1] > -0.5), 0.99, np.where(x[:, 2] > 1.5, 0.5, 0.01))
        y, n_classes = (rng.random(n) < chance).astype(float), 2
    else:
        x = rng.integers(0, 5, size=(n, 5)).astype(float)
        scores = np.stack([x[:, 0] + x[:, 1], x[:, 2] + x[:, 3], np.full(n, 4.0)], axis=1)
        y, n_classes = (scores + rng.gumbel(0, 0.4, scores.shape)).argmax(axis=1).astype(float), 3
    columns = tuple(Attribute(f"x{i}") for i in range(x.shape[1]))
    classes = Attribute("class", "nominal", tuple("abc"[:n_classes]))
    return wc.Dataset(Header(name, (*columns, classes), len(columns)), np.column_stack((x, y)))


def real_sets() -> list[str]:
    """The UCI sets with 1,000 to 20,000 rows and a nominal class."""
    names = []
    for path in sorted(Path(os.environ["WEKACONF_UCI"]).glob("*.arff")):
        data = wc.load_arff(path, class_attribute="last")
        if LEAST_ROWS <= len(data) <= MOST_ROWS and data.header.class_attribute.is_nominal:
            names.append(path.stem)
    return names


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted method, its answers for a population, and those out of fold for the rows that grew its tree."""

    method: Method
    learner: Any
    growing: wc.Dataset
    population: AnsweredRows
    reference: AnsweredRows
    n_classes: int


def fitted(group: Group) -> Fitted | None:
    """The method of a group, fitted; None where it does not take the learner's trees."""
    is_real = group.data not in GENERATORS
    growing, rest = _halves(group.data) if is_real else (
        generated(group.data, N_GROWING, 1), generated(group.data, N_POPULATION, 2)
    )  # fmt: skip
    learner, method = LEARNERS[group.learner](), parse_method(group.method)
    try:
        method.fit(learner.grow(growing), growing)
    except wc.OptionError:  # a method of single trees, or of trees that keep counts
        return None
    rejection = rejection_of(wc.Aim("error", 0.1, 0.9), "out-of-fold")
    [order] = orders(rejection, [method], growing, learner.grow)
    assert order is not None and order.optimism == 1
    return Fitted(method, learner, growing, answered(method, rest), order.rows, rest.n_classes)


def _halves(name: str) -> tuple[wc.Dataset, wc.Dataset]:
    data = wc.load_arff(Path(os.environ["WEKACONF_UCI"]) / f"{name}.arff")
    data = data.take(data.class_values >= 0)
    order = np.random.default_rng(1).permutation(len(data))
    return data.take(order[: len(data) // 2]), data.take(order[len(data) // 2 :])


def answered(method: Method, data: wc.Dataset) -> AnsweredRows:
    """The answers for rows."""
    parts = [method.answer(data.take(slice(begin, begin + AT_ONCE))) for begin in range(0, len(data), AT_ONCE)]
    certainty, predicted = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("certainty", "predicted")
    )
    actual = data.class_values.astype(np.int64)
    return AnsweredRows(certainty, predicted == actual, np.ones(len(data)), predicted, actual)


def n_calibration(group: Group, n_population: int) -> int:
    """The number of calibration rows: of real data two fifths of the population, 200 to 4,000."""
    return N_GENERATED if group.data in GENERATORS else min(max(2 * n_population // 5, 200), 4000)


@dataclass(frozen=True, eq=False)
class Population:
    """The answers for the population, and those out of fold that order tests; for all answers or one class."""

    rows: Certainties
    reference: Certainties

    @classmethod
    def of(cls, answers: Fitted, class_index: int | None = None) -> Population:
        """Of the answers that predict a class; None: of all."""
        return cls(answers.population.predicting(class_index), answers.reference.predicting(class_index))

    def error_at(self, thresholds: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """The error and the coverage of the population at thresholds; the error is 0 where nothing is answered."""
        level, answered, wrong = levels_of(*self.rows)
        place = np.searchsorted(-level, -np.asarray(thresholds), side="right")
        answered, wrong = np.append(0.0, answered)[place], np.append(0.0, wrong)[place]
        return wrong / np.maximum(answered, 1), answered / len(self.rows.certainty)


@dataclass(frozen=True, eq=False)
class CostedPopulation:
    """The costs of the answers for the population, and of those out of fold that order tests."""

    costs: RejectCosts
    rows: CostedRows
    reference: CostedRows

    @classmethod
    def of(cls, answers: Fitted, costs: RejectCosts) -> CostedPopulation:
        """Of all answers, with these costs."""
        return cls(costs, answers.population.costed(costs), answers.reference.costed(costs))

    def cost_at(self, thresholds: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """The mean cost per row and the coverage of the population at thresholds."""
        n = len(self.rows.certainty)
        descending, level = np.unique(-self.rows.certainty, return_inverse=True)
        place = np.searchsorted(descending, -np.asarray(thresholds), side="right")
        answered = np.append(0, np.bincount(level).cumsum())[place]
        cost = np.append(0.0, np.bincount(level, self.rows.cost).cumsum())[place]
        return (cost + (n - answered) * self.costs.rejection) / n, answered / n
