"""What m-Branch, curtailment and Ling & Yan's mean have in common: their limits, and trees of Weka."""

from dataclasses import replace

import numpy as np
import pytest
from support.growers import grow
from support.rival_cases import answer, assert_equals_reference, random_case, without_shares, worked_example

from wekaconf.methods.curtailment import Curtailment
from wekaconf.methods.ling_yan import LingYan
from wekaconf.methods.m_branch import MBranch

GROWN = (("J48", ""), ("J48", "-U -O -M 1"), ("J48", "-B -A"), ("REPTree", ""), ("RandomTree", ""))


@pytest.mark.parametrize("method", [Curtailment(min_weight=5), MBranch()], ids=repr)
def test_a_missing_value_where_no_branch_has_a_share(method):
    method.fit(*without_shares())
    assert answer(method, 4, None) == method.answer_[2].tolist()
    assert answer(method, None, None) == ((method.answer_[1] + method.answer_[2]) / 2).tolist()


@pytest.mark.parametrize(
    "method", [Curtailment(), Curtailment(estimate="laplace"), MBranch(), MBranch(m=0), LingYan()], ids=repr
)
def test_no_training_instances(method):
    tree, train = worked_example()
    assert answer(method.fit(tree, train.take([])), 4, "b") == [0.5, 0.5]


@pytest.mark.parametrize("method", [Curtailment(min_weight=0), MBranch(m=0)], ids=repr)
@pytest.mark.parametrize("seed", range(12))
def test_alone_the_leaf_answers_with_its_frequencies(method, seed):
    tree, train, test = random_case(7 * seed + 4, complete=True)
    proba, leaves = method.fit(tree, train).predict_proba(test), tree.apply(test)
    trained_at = tree.apply(train)
    for leaf in set(leaves) & set(trained_at):
        classes = train.class_values[trained_at == leaf]
        assert (proba[leaves == leaf] == np.bincount(classes, minlength=train.n_classes) / len(classes)).all()


@pytest.mark.parametrize("method", [Curtailment(min_weight=13), MBranch(), LingYan()], ids=repr)
@pytest.mark.parametrize("seed", range(12))
def test_weights_are_counts(method, seed):
    """An instance of weight 2 is two instances, and their order makes no difference."""
    tree, train, test = random_case(seed, complete=False)
    doubled = replace(train, weights=2 * train.weights)
    twice = train.take(np.random.default_rng(seed).permutation(np.repeat(np.arange(len(train)), 2)))
    given, expected = (method.fit(tree, data).predict_proba(test) for data in (doubled, twice))
    np.testing.assert_allclose(given, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", ["colic", "hepatitis", "vote", "iris", "zoo"])
@pytest.mark.drawn(2)
def test_equal_to_the_reference_on_trees_of_weka(load_uci, name):
    """Grown on two thirds of a set, for the last third; missing values stay."""
    data = load_uci(name)
    data = data.take(np.random.default_rng(1).permutation(len(data)))
    train, test = data.take(slice(0, len(data) * 2 // 3)), data.take(slice(len(data) * 2 // 3, len(data)))
    test = test.take(slice(0, 60))
    has_missing = np.isnan(data.values).any()
    assert has_missing == (name in ("colic", "hepatitis", "vote"))
    methods = [Curtailment(), Curtailment(min_weight=3, estimate="laplace"), Curtailment(min_weight=0), MBranch()]
    methods += [MBranch(m=0), LingYan(), LingYan(confusion=0)]
    for learner, options in GROWN:
        tree = grow(train, learner, options)
        for method in methods:
            assert_equals_reference(method, tree, train, test, 1e-12 if has_missing else 1e-15)
