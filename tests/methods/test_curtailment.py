"""Curtailment: an example by hand, the literal reference, its limits."""

from dataclasses import replace

import numpy as np
import pytest
from support.rival_cases import answer, assert_equals_reference, random_case, worked_example
from support.small_data import small

from wekaconf.methods.curtailment import Curtailment

ROOT, LEFT, RIGHT, A, B = [10 / 16, 6 / 16], [1, 0], [2 / 8, 6 / 8], [2 / 3, 1 / 3], [0, 1]


@pytest.mark.parametrize(
    ("min_weight", "expected"),
    [
        (0, [ROOT, LEFT, RIGHT, A, B, RIGHT]),
        (3, [ROOT, LEFT, RIGHT, A, B, RIGHT]),
        (3.5, [ROOT, LEFT, RIGHT, RIGHT, B, RIGHT]),
        (5, [ROOT, LEFT, RIGHT, RIGHT, B, RIGHT]),
        (6, [ROOT, LEFT, RIGHT, RIGHT, RIGHT, RIGHT]),
        (8, [ROOT, LEFT, RIGHT, RIGHT, RIGHT, RIGHT]),
        (10, [ROOT] * 6),
        (17, [ROOT] * 6),
        (np.inf, [ROOT] * 6),
    ],
)
def test_worked_example(min_weight, expected):
    method = Curtailment(min_weight=min_weight).fit(*worked_example())
    assert method.answer_.tolist() == expected
    for x, y, node in [(3, "b", 1), (4, "a", 3), (4, "b", 4), (4, "c", 5)]:
        assert answer(method, x, y) == expected[node]


def test_the_default_is_ten():
    tree, train = worked_example()
    for weight, expected in [(1.25, [ROOT, LEFT, RIGHT, RIGHT, RIGHT, RIGHT]), (1.24, [ROOT] * 6)]:
        method = Curtailment().fit(tree, replace(train, weights=np.full(16, weight)))
        np.testing.assert_allclose(method.answer_, expected, rtol=0, atol=1e-15)


def test_worked_example_with_laplace():
    method = Curtailment(min_weight=5, estimate="laplace").fit(*worked_example())
    by_hand = [10.5 / 17, 8.5 / 9, 2.5 / 9, 2.5 / 9, 0.5 / 6, 2.5 / 9]
    np.testing.assert_allclose(method.answer_, [[p, 1 - p] for p in by_hand], rtol=0, atol=1e-15)


def test_missing_values_of_the_worked_example():
    method = Curtailment(min_weight=5).fit(*worked_example())
    assert answer(method, None, "b") == [0.5, 0.5]
    assert answer(method, None, "a") == [0.5 + 0.5 * 2 / 8, 0.5 * 6 / 8]
    assert answer(method, 4, None) == [3 / 8 * 2 / 8, 3 / 8 * 6 / 8 + 5 / 8]


def test_rounding_of_summed_weights():
    tree, train = worked_example()
    train = replace(train.take(np.repeat(np.arange(16), 10)), weights=np.full(160, 0.1))
    summed = np.add.accumulate(train.weights[:80])[-1]
    assert 7.999 < summed < 8
    assert Curtailment(min_weight=8).fit(tree, train).answer_[1].tolist() == LEFT
    np.testing.assert_allclose(Curtailment(min_weight=8.01).fit(tree, train).answer_[1], ROOT, rtol=1e-14)


def test_the_account_names_the_node_that_answers():
    asked = small(x=[4, 4], y=("abc", ["a", "b"]), **{"class": ("pq", [None, None])})
    tree, train = worked_example()
    explained = Curtailment(min_weight=5).fit(tree, train).explain(asked)
    above, own = (str(explained.account(i)).splitlines()[-1].strip() for i in (0, 1))
    assert above == "x > 3 answers: 8 training instances, the leaf having 3 = q (0.75), p (0.25)"
    assert own == "y = b answers: 5 training instances = q (1)"
    laplace = Curtailment(min_weight=5, estimate="laplace").fit(tree, train).explain(asked).account(1)
    assert str(laplace).splitlines()[-1].strip() == "y = b answers: 5 training instances = q (0.9167), p (0.08333)"
    nothing = Curtailment().fit(tree, train.take([])).explain(asked).account(0)
    assert str(nothing).splitlines()[-1].strip() == "the root: no training instances = p (0.5), q (0.5)"


def test_the_reason_says_although_where_the_leaf_is_of_another_class():
    asked = small(x=[4, 4], y=("abc", ["a", "b"]), **{"class": ("pq", [None, None])})
    reasons = Curtailment(min_weight=5).fit(*worked_example()).answer(asked).grounds
    above = "answered by the node of 8 training instances, 6 of class q, 1 level above the leaf"
    assert reasons[:] == [
        f"{above}, although it ends in a leaf of 3 training instances, 2 of class p; y = a",
        "leaf of 5 training instances, all of class q; y = b",
    ]


@pytest.mark.parametrize(("weight", "answers"), [(3 - 1e-9, LEFT), (np.nextafter(3 - 1e-9, 0), None)])
def test_a_billionth_less_than_the_minimum_is_enough(weight, answers):
    tree, train = worked_example()
    method = Curtailment(min_weight=3).fit(tree, replace(train.take([0, 15]), weights=np.array([weight, 5.0])))
    assert method.answer_[1].tolist() == (answers or method.answer_[0].tolist())


@pytest.mark.parametrize("seed", range(60))
def test_equals_the_reference(seed):
    options = {"min_weight": [0, 3, 10, 25][seed % 4], "estimate": ["frequency", "laplace"][seed // 4 % 2]}
    assert_equals_reference(Curtailment(**options), *random_case(seed, complete=True), 1e-15)
    assert_equals_reference(Curtailment(**options), *random_case(seed, complete=False), 1e-12)
