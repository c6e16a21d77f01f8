"""Trees and data on which m-Branch, curtailment and Ling & Yan's mean are tested, and how they are compared."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from reference.rivals_reference import Rivals

from support.random_trees import random_dataset, random_header, random_tree
from support.small_data import small
from support.written_trees import EACH, LE, written_tree
from wekaconf.tree._kinds import Routing


def worked_example():
    """A tree whose answers one can compute by hand, and its 16 training instances.

    ::

        x <= 3: 8, 0
        x > 3: 2, 6
        |   y = a: 2, 1
        |   y = b: 0, 5
        |   y = c: no instances
    """
    left, right = [(1, "a", "p")] * 8, [(5, "a", "p")] * 2 + [(5, "a", "q")] + [(5, "b", "q")] * 5
    x, y, c = map(list, zip(*left, *right, strict=True))
    train = small(x=x, y=("abc", y), **{"class": ("pq", c)})
    tree = written_tree(train.header, (0, LE, 3, [8, 0], (1, EACH, None, [2, 1], [0, 5], [0, 0])))
    return tree, train


def without_shares():
    """The worked example with no weight in any branch of y."""
    tree, train = worked_example()
    return replace(tree, branch_weight=[*tree.branch_weight[:3], 0, 0, 0]), train


def answer(method, x, y):
    """What a method fitted on the worked example says to one instance; None is missing."""
    return method.predict_proba(small(x=[x], y=("abc", [y]), **{"class": ("pq", [None])}))[0].tolist()


def random_case(seed, *, complete):
    """A tree of any kind, its training data and test data.

    Unit weights and no missing values if ``complete``, else both in every second case or so. Some trees are one
    node, most deep ones have empty leaves, some have declared classes that never occur.
    """
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=1 + seed % 5, n_classes=2 + seed % 3)
    classes = [1] if seed % 11 == 3 else [0, 1] if seed % 3 == 2 else None
    missing, weights = (0.0, False) if complete else (0.15 * (seed % 3 > 0), seed % 2 == 0)
    train = random_dataset(rng, header, 70, missing=missing, weights=weights, classes=classes)
    tree = random_tree(rng, train, max_depth=seed % 8, routing=list(Routing)[seed % len(Routing)])
    return tree, train, random_dataset(rng, header, 30, missing=0.0 if complete else 0.1 * (seed % 4))


def assert_equals_reference(method, tree, train, test, tolerance):
    """The answers of the method fitted are those of the reference, in exact arithmetic."""
    reference = Rivals(tree, train, Fraction)
    expected = [getattr(reference, method.name)(cells, **method.params) for cells in test.values.tolist()]
    given = method.fit(tree, train).predict_proba(test)
    np.testing.assert_allclose(given, np.array(expected, dtype=float), rtol=0, atol=tolerance)
