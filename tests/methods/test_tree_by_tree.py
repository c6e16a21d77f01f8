"""Methods on forests: fitted and asked tree by tree, combined as the forest combines its trees."""

import numpy as np
import pytest
from support.random_trees import random_dataset, random_header, random_tree

import wekaconf as wc
from wekaconf.methods.contract._method import Method
from wekaconf.methods.contract._tree_by_tree import TreeByTree
from wekaconf.model.file import MOST_PARTS
from wekaconf.tree._forest import Forest, mean_distribution, vote_shares
from wekaconf.tree._kinds import Routing

METHODS = {
    "confdtree": [{}, {"variant": "tdist", "min_instances": 1}],
    "curtailment": [{}, {"min_weight": 40, "estimate": "laplace"}],
    "m_branch": [{}, {"m": 20}],
    "shrinkage": [{}, {"local": "wpe", "numeric": "bins"}, {"reading": "text"}],
}
CASES = [(name, params) for name, variants in METHODS.items() for params in variants]


def drawn(votes="mean", routing=Routing.RANDOMTREE, n_trees=4, seed=1):
    rng = np.random.default_rng(seed)
    header = random_header(rng, 5, 3)
    train, test = (random_dataset(rng, header, n, 0.1, weights=True) for n in (200, 80))
    trees = [random_tree(rng, train, max_depth=4, routing=routing) for _ in range(n_trees)]
    return Forest(tuple(trees), votes=votes), train, test


def test_which_methods():
    assert {name for name, known in Method.registry.items() if issubclass(known, TreeByTree)} == set(METHODS)


@pytest.mark.parametrize(("name", "params"), CASES)
@pytest.mark.parametrize("routing", [Routing.J48, Routing.REPTREE, Routing.RANDOMTREE, Routing.CART, Routing.COUNTS])
@pytest.mark.parametrize("votes", ["mean", "average", "hard"])
def test_the_combination_is_the_forest_s_own(name, params, routing, votes):
    forest, train, test = drawn(votes, routing)
    answer = wc.method(name, **params).fit(forest, train).answer(test)
    members = [wc.method(name, **params).fit(tree, train).answer(test) for tree in forest.trees]
    each = [member.proba for member in members]
    wanted = {
        "mean": lambda: mean_distribution(iter(each)),
        "average": lambda: (each[0] + each[1] + each[2] + each[3]) / 4,
        "hard": lambda: vote_shares(each),
    }[votes]()
    np.testing.assert_allclose(answer.proba, wanted, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(answer.certainty, answer.proba.max(axis=1))
    for part in ("scores", "ranking"):
        theirs = [getattr(member, part) for member in members]
        if votes == "hard" or theirs[0] is each[0]:
            assert getattr(answer, part) is answer.proba
        else:
            np.testing.assert_allclose(getattr(answer, part), np.mean(theirs, axis=0), rtol=1e-14)


def test_events_tell_their_tree():
    forest, train, test = drawn(routing=Routing.J48)
    fitted = wc.ConfDTree(min_instances=1, variant="tdist").fit(forest, train)
    explanation = fitted.explain(test)
    wanted = [
        (i, number, event.kind, event.node, event.attribute, event.details["value"], event.details["interval"])
        for i in range(len(test))
        for number, tree in enumerate(forest.trees, 1)
        for event in wc.ConfDTree(min_instances=1, variant="tdist").fit(tree, train).explain(test)[i]
    ]
    told = [
        (i, event.details["tree"], event.kind, event.node, event.attribute, event.details["value"],
         event.details["interval"])
        for i in range(len(test)) for event in explanation[i]
    ]  # fmt: skip
    assert told == wanted and len(told) > 20
    assert set(explanation.counts()) == {"route", "fine"}


@pytest.mark.parametrize("name", ["m_branch", "shrinkage", "curtailment"])
def test_other_methods_tell_what_every_tree_predicts(name):
    forest, train, test = drawn()
    explanation = wc.method(name).fit(forest, train).explain(test)
    each = [wc.method(name).fit(tree, train).predict(test) for tree in forest.trees]
    for i in range(len(test)):
        told = [(event.details["tree"], event.details["predicts"]) for event in explanation[i]]
        assert told == [(t, test.class_names[predicted[i]]) for t, predicted in enumerate(each, 1)]


@pytest.mark.parametrize(("name", "params"), CASES)
def test_a_model_file_keeps_the_answers(name, params, tmp_path):
    forest, train, test = drawn()
    fitted = wc.method(name, **params).fit(forest, train)
    wc.Model(fitted).save(tmp_path / "m.wct")
    loaded = wc.load(tmp_path / "m.wct").method
    assert type(loaded) is type(fitted) and loaded.params == fitted.params
    for part in ("proba", "scores", "ranking", "certainty"):
        np.testing.assert_array_equal(getattr(loaded.answer(test), part), getattr(fitted.answer(test), part))
    assert [list(map(str, loaded.explain(test)[i])) for i in range(5)] == [
        list(map(str, fitted.explain(test)[i])) for i in range(5)
    ]


def test_more_arrays_than_a_file_may_hold(tmp_path):
    forest, train, _ = drawn(n_trees=2)
    small = random_tree(np.random.default_rng(0), train, max_depth=0)
    fitted = wc.MBranch().fit(Forest((small,) * 2), train)
    fitted.members_ *= MOST_PARTS
    fitted.tree_ = Forest((small,) * 2 * MOST_PARTS)
    with pytest.raises(wc.OptionError, match=r"m_branch on 20,000 trees has learned .* at most 10,000; grow fewer"):
        wc.Model(fitted).save(tmp_path / "m.wct")
    assert len(forest.trees) == 2 and not (tmp_path / "m.wct").exists()


@pytest.mark.parametrize("broken", ["0/answer_", "3/answer_"])
def test_a_file_in_which_a_tree_lacks_its_array(broken):
    forest, train, _ = drawn()
    fitted = wc.MBranch().fit(forest, train)
    arrays = fitted.learned()
    del arrays[broken]
    with pytest.raises(ValueError, match="'answer_' is missing"):
        wc.MBranch.restore({}, forest, arrays)


def test_an_annotation_is_of_one_tree():
    forest, train, _ = drawn(routing=Routing.J48)
    with pytest.raises(
        wc.OptionError, match="confdtree: a forest is not annotated; fit the method on one of its trees"
    ):
        wc.ConfDTree().fit(forest, train).annotation(0)
