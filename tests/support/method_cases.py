"""The grid on which every registered method is tried: kinds of mirrors, with training data and what is asked."""

from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import pytest

from support.growers import grow_info_gain
from support.random_trees import made, random_dataset, random_header, random_tree
from wekaconf import testing
from wekaconf.data import Dataset
from wekaconf.methods.contract._method import Method
from wekaconf.methods.transductive._base import Transductive
from wekaconf.tree._kinds import Routing
from wekaconf.tree._mirror import TreeMirror

METHODS = sorted(Method.registry)
TRANSDUCTIVE = {name for name, known in Method.registry.items() if issubclass(known, Transductive) or known.grows_again}
OPTIONS = {
    "missing values and weights": "",
    "ties nowhere": "",
    "skewed": "min_weight=0",
    "one node": "min_weight=10000",
    "absent class": "",
    Routing.COUNTS_LAPLACE: "laplace=true",
}
"""Of the learner whose trees they read, by case; the other cases are of other learners' trees."""


@dataclass(frozen=True)
class Case:
    tree: TreeMirror
    train: Dataset
    test: Dataset

    def fitted(self, name, **params):
        """A method, newly fitted."""
        return made(name, **params).fit(self.tree, self.train)


@cache
def case(what, name=""):
    """A case; for a method that grows trees of its own a smaller one, with the tree that its learner grows."""
    if name in TRANSDUCTIVE:
        train, test = case(what).train.take(slice(0, 80)), case(what).test.take(slice(0, 20))
        return Case(grow_info_gain(train, OPTIONS[what]), train, test)
    rng = np.random.default_rng(7)
    header = random_header(rng, n_attributes=1 if what == "skewed" else 5, n_classes=3)
    train = random_dataset(rng, header, 300, missing=0.1, weights=True, classes=[0, 2] if "absent" in what else None)
    test = random_dataset(rng, header, 60, missing=0.2, weights=True)
    if what == "ties nowhere":
        train = replace(train, weights=rng.uniform(0.5, 2.0, len(train)))
    if what == "skewed":
        train, test = (skewed(data) for data in (train, test))
    depth = {"one node": 0, "skewed": 2, "empty leaf": 9}.get(what, 4)
    routing = Routing(what) if what in list(Routing) else Routing.J48
    tree = random_tree(rng, train, max_depth=depth, routing=routing, subsets=routing.adds_counts)
    return Case(tree, train, test)


def skewed(data):
    """The same with values of its one attribute that are not normal."""
    values = data.values.copy()
    values[:, 1 - data.class_index] = np.exp(0.35 * values[:, 1 - data.class_index])
    return replace(data, values=values)


CASES = [
    "missing values and weights", "ties nowhere", "skewed", "empty leaf", "one node", "absent class",
    Routing.J48_LAPLACE.value, Routing.REPTREE.value, Routing.RANDOMTREE.value, Routing.CART.value,
    Routing.COUNTS.value, Routing.COUNTS_LAPLACE.value,
]  # fmt: skip

each_method = pytest.mark.parametrize("name", METHODS)
each_method_and_case = pytest.mark.parametrize(
    ("name", "what"),
    [(name, what) for name in METHODS for what in CASES if name not in TRANSDUCTIVE or what in OPTIONS],
)


@cache
def contract(name, what):
    """A method and a case, for the checks of `wekaconf.testing`."""
    given = case(what, name)
    grows_again = Method.registry[name].grows_again
    grow = (lambda data: grow_info_gain(data, OPTIONS[what])) if grows_again else (lambda _: given.tree)
    found = testing.Case(partial(made, name), grow, given.train, given.test)
    vars(found)["tree"] = given.tree
    return found


def fitted(name, what):
    """A method fitted on a case once, for tests that only ask it; its arrays are read-only."""
    return contract(name, what).method


@cache
def all_answers(name, what):
    """`everything` of `fitted`."""
    return everything(fitted(name, what), case(what, name).test)


def everything(method, data):
    """All public answers, comparable by ==."""
    explanation = method.explain(data)
    arrays = [method.predict_proba(data), method.scores(data), method.predict(data), method.certainty(data)]
    arrays += [method.ranking(data), method.reject(data, below=0.7), method.affected(data)]
    events = [explanation[i] for i in range(len(data))]
    return [array.tolist() for array in arrays], events, explanation.counts(), method.threshold
