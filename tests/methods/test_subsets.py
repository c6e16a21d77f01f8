"""Every method on trees with splits by subsets of values, against trees that say the same without them."""

import numpy as np
import pytest
from support.random_trees import made, random_dataset, random_header, random_tree, with_subsets, without_subsets

from wekaconf.methods.contract._method import Method
from wekaconf.tree._kinds import Routing, SplitKind
from wekaconf.tree._router import COMPILED_FROM

ROUTINGS = [Routing.J48, Routing.CART, Routing.COUNTS, Routing.COUNTS_LAPLACE]
ASK_SPLITS_ONLY = ["leaf_frequency", "confdtree", "curtailment", "m_branch", "ling_yan", "shrinkage"]
"""Methods that look at no other attributes than those that the tree asks for."""
METHODS = ["boundary_distance", "id3_max", "id3_sd", "shrinkage_wpe", "wpe", *ASK_SPLITS_ONLY]


def random_case(seed, routing, *, subsets=False):
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=2 + seed % 4, n_classes=2 + seed % 2)
    train = random_dataset(rng, header, 90, missing=0.1 * (seed % 3 > 0), weights=seed % 2 == 0)
    test = random_dataset(rng, header, 30, missing=0.1 * (seed % 3))
    return random_tree(rng, train, max_depth=1 + seed % 5, routing=routing, subsets=subsets), train, test


def assert_equal_answers(method, other, data, other_data):
    """Answers, certainties and events, of few instances and of so many that they are answered compiled."""
    many = np.resize(np.arange(len(data)), COMPILED_FROM)
    for rows in (slice(None), many):
        own, others = data.take(rows), other_data.take(rows)
        np.testing.assert_array_equal(method.predict_proba(own), other.predict_proba(others))
        np.testing.assert_array_equal(method.certainty(own), other.certainty(others))
    events, other_events = method.explain(data), other.explain(other_data)
    assert events.counts() == other_events.counts()
    assert events.node.tolist() == other_events.node.tolist()


def test_the_cases_have_subsets():
    for subsets in (False, True):
        n_subsets = n_split_up = 0
        for seed in range(6):
            for routing in ROUTINGS:
                tree, _, test = random_case(seed, routing, subsets=subsets)
                n_subsets += ((tree if subsets else with_subsets(tree)).split_kind == SplitKind.NOMINAL_SUBSET).sum()
                n_split_up += (tree.apply(test) < 0).sum()
        assert n_subsets > 24 and n_split_up > 24


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("seed", range(6))
def test_a_subset_of_one_value_is_that_value(name, routing, seed):
    tree, train, test = random_case(seed, routing)
    method, other = made(name).fit(with_subsets(tree), train), made(name).fit(tree, train)
    assert_equal_answers(method, other, test, test)


@pytest.mark.parametrize("name", ASK_SPLITS_ONLY)
@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("seed", range(6))
def test_a_subset_is_an_attribute_of_its_own(name, routing, seed):
    tree, train, test = random_case(seed, routing, subsets=True)
    plain, (wide_train, wide_test) = without_subsets(tree, train, test)
    params = {"local": "laplace"} if name == "shrinkage" else {}
    method, other = (Method.registry[name](**params) for _ in range(2))
    assert_equal_answers(method.fit(tree, train), other.fit(plain, wide_train), test, wide_test)
