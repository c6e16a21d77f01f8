"""Ling & Yan's mean over all leaves: an example by hand, the literal reference, its limits."""

from dataclasses import replace

import numpy as np
import pytest
from support.rival_cases import answer, assert_equals_reference, random_case, without_shares, worked_example
from support.small_data import small

from wekaconf.methods.ling_yan import LingYan
from wekaconf.methods.ling_yan import _ling_yan as ling_yan
from wekaconf.tree._kinds import Routing

LEFT, A, B, C = 8.5 / 9, 2.5 / 4, 0.5 / 6, 2.5 / 9
"""Eq. 1 of class p at the leaves of the worked example; the last is empty and has that of its parent."""


def mean(left, a, b, c):
    """The mean over the leaves with these weights."""
    p = (left * LEFT + a * A + b * B + c * C) / (left + a + b + c)
    return pytest.approx([p, 1 - p], rel=0, abs=1e-15)


def test_worked_example():
    method = LingYan().fit(*worked_example())
    assert answer(method, 3, "a") == mean(1, 0.4, 0.16, 0.16)
    assert answer(method, 3, "b") == mean(1, 0.16, 0.4, 0.16)
    assert answer(method, 4, "a") == mean(0.4, 1, 0.4, 0.4)
    assert answer(method, 4, "c") == mean(0.4, 0.4, 0.4, 1)
    assert answer(LingYan(confusion=0.1).fit(*worked_example()), 3, "c") == mean(1, 0.01, 0.01, 0.1)


def test_missing_values_of_the_worked_example():
    method = LingYan().fit(*worked_example())
    a, b = 3 / 8 + 5 / 8 * 0.4, 5 / 8 + 3 / 8 * 0.4
    assert answer(method, None, "a") == mean(0.7, 0.7, 0.7 * 0.4, 0.7 * 0.4)
    assert answer(method, 4, None) == mean(0.4, a, b, 0.4)
    assert answer(method, None, None) == mean(0.7, 0.7 * a, 0.7 * b, 0.7 * 0.4)


def test_the_account_lists_all_leaves_with_their_weights():
    """Of an empty leaf the instances of the node above count; a half that is likely counts 0.5 + 0.5 · 0.4."""
    asked = small(x=[4, None], y=("abc", ["c", "b"]), **{"class": ("pq", [None, None])})
    explained = LingYan().fit(*worked_example()).explain(asked)
    whole, divided = (str(explained.account(i)).splitlines()[2:] for i in (0, 1))
    leaves = [
        "leaf x <= 3: 8 training instances = p (0.9444), q (0.05556)",
        "leaf y = a: 3 training instances = p (0.625), q (0.375)",
        "leaf y = b: 5 training instances = q (0.9167), p (0.08333)",
        "leaf y = c: 8 training instances of a node above it = q (0.7222), p (0.2778)",
    ]
    cases = [
        (whole, "x is 4, so > 3; the other way counts 0.4", ("0.4 × ", "0.4 × ", "0.4 × ", "")),
        (divided, "x is missing, so each branch counts as far", ("0.7 × ", "0.28 × ", "0.7 × ", "0.28 × ")),
    ]
    for (_, test, *lines), words, marks in cases:
        assert test.strip().startswith(words)
        assert [line.strip() for line in lines] == [mark + leaf for mark, leaf in zip(marks, leaves, strict=True)]


def test_a_missing_value_where_no_branch_has_a_share():
    tree, train = without_shares()
    third = 1 / 3 + 2 / 3 * 0.4
    assert answer(LingYan().fit(tree, train), 4, None) == mean(0.4, third, third, third)
    assert answer(LingYan(confusion=0).fit(tree, train), 4, None) == mean(0, 1, 1, 1)


def test_a_missing_value_where_a_branch_with_a_share_is_not_entered():
    tree, train = worked_example()
    shares = [np.nan, 0.5, 0.5, 0.25, 0.25, 0.5]
    tree = replace(tree, routing=Routing.REPTREE, total=np.ones(6), branch_weight=shares)
    assert not tree.router.enters[5]
    assert answer(LingYan().fit(tree, train), 4, None) == mean(0.4, 0.25 + 0.75 * 0.4, 0.25 + 0.75 * 0.4, 0.4)


@pytest.mark.parametrize("seed", range(60))
def test_equals_the_reference(seed):
    assert_equals_reference(LingYan(), *random_case(seed, complete=True), 1e-15)
    confusion = [0.4, 0, 1, 0.93, 1e-3][seed % 5]
    assert_equals_reference(LingYan(confusion=confusion), *random_case(seed, complete=False), 1e-12)


@pytest.mark.parametrize("routing", Routing)
def test_chunks_make_no_difference(routing, monkeypatch):
    seeds = range(list(Routing).index(routing), 100, len(Routing))
    tree, train, test = random_case(next(seed for seed in seeds if seed % 8 > 1), complete=False)
    assert tree.routing == routing and tree.n_nodes > 1
    method = LingYan().fit(tree, train)
    monkeypatch.setattr(ling_yan, "compiled_pays", lambda *_: False)
    whole = method.predict_proba(test)
    for cells in (1, 500):
        monkeypatch.setattr(ling_yan, "CHUNK_CELLS", cells)
        np.testing.assert_array_equal(method.predict_proba(test), whole)


@pytest.mark.parametrize("thread_from", [1, 10**9])
@pytest.mark.parametrize("seed", range(12))
def test_the_compiled_form_answers_alike(seed, thread_from, monkeypatch):
    tree, train, test = random_case(seed, complete=False)
    test = test.take(np.arange(150) % len(test))
    method = LingYan(confusion=0.3).fit(tree, train)
    monkeypatch.setattr(ling_yan, "THREAD_FROM", thread_from)
    by_form = []
    for is_compiled in (False, True):
        monkeypatch.setattr(ling_yan, "compiled_pays", lambda *_, pays=is_compiled: pays)
        by_form.append(method.predict_proba(test))
    np.testing.assert_array_equal(*by_form)
