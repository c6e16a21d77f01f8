"""`second_opinion`: the literal formula, scikit-learn's models, what it refuses, odd data, model files, words."""

import math
import pickle
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from reference import second_opinion_reference as reference
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from support.command_line import ARFF
from support.growers import grow_cart, grow_info_gain
from support.promises import choice_promised
from support.random_trees import random_dataset, random_header, random_tree
from support.small_data import small
from support.written_trees import written_tree

import wekaconf as wc
from wekaconf.base.errors import ModelFileError, OptionError
from wekaconf.base.rounding import most_probable
from wekaconf.base.words import worded
from wekaconf.data import fold_numbers
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.measures import Certainties
from wekaconf.evaluation.promises import promise
from wekaconf.evaluation.thresholds import out_of_fold
from wekaconf.in_weka._service import word_in_weka
from wekaconf.methods.second_opinion import SecondOpinion
from wekaconf.methods.second_opinion._logistic import Logistic, regression
from wekaconf.methods.second_opinion._naive_bayes import NaiveBayes
from wekaconf.methods.second_opinion._neighbours import Neighbours
from wekaconf.methods.second_opinion._of_trees import OfTree, RandomForest, as_shares
from wekaconf.methods.second_opinion._out_of_fold import OutOfFold
from wekaconf.methods.second_opinion._pool import LEAST, fitted, logarithms, pooled
from wekaconf.methods.second_opinion._sentences import percent_texts
from wekaconf.methods.second_opinion._side import Scale, inputs
from wekaconf.methods.second_opinion._sides import OWN
from wekaconf.model.file import load
from wekaconf.tree._kinds import Routing
from wekaconf.tree.learner import is_grown_on

DEFAULT = ("laplace", "naive_bayes", "logistic")


def drawn(seed, n=160, **more):
    """Training data, and what is asked."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=5)
    return random_dataset(rng, header, n, **more), random_dataset(rng, header, 40, **more)


def split(name, n_train, seed=1):
    """Rows of a data set that train, and the others."""
    data = wc.load_arff(ARFF / f"{name}.arff")
    order = np.random.default_rng(seed).permutation(len(data))
    return data.take(order[:n_train]), data.take(order[n_train:])


def said(tree, train, asked, sides=DEFAULT):
    """(n_sides, n, n_classes) float64: what sides, learned from scratch, say of asked rows."""
    return np.stack([OWN[side].fit(tree, train).proba(asked) for side in sides])


# -- weights and pool --


@pytest.mark.parametrize("seed", range(6))
def test_equals_the_literal_formula(seed):
    """Folds that this test draws, trees that it grows one by one, and weights by coordinate descent."""
    train, test = drawn(seed, n=80, missing=0.05 * (seed % 2), weights=bool(seed % 3))
    tree = grow_info_gain(train)
    method = SecondOpinion(folds=4, penalty=0.5 + seed, seed=seed).fit(tree, train)
    fold = fold_numbers(train, 4, np.random.default_rng((seed, 0)))
    rows, actual, weights = [], [], []
    for one in range(4):
        growing, asked = train.take(fold != one), train.take(fold == one)
        rows += said(grow_info_gain(growing), growing, asked).transpose(1, 0, 2).tolist()
        actual += asked.class_values.tolist()
        weights += asked.weights.tolist()
    literal = reference.weights(rows, actual, weights, 0.5 + seed)
    np.testing.assert_allclose(method.weights_, literal, rtol=0, atol=1e-7)  # the regressions begin elsewhere
    again = fitted(
        logarithms(np.array(rows).transpose(1, 0, 2)), np.array(actual),
        np.array(weights) / np.mean(weights), 0.5 + seed, np.full(3, 1 / 3),
    )  # fmt: skip
    np.testing.assert_allclose(again, literal, rtol=0, atol=1e-9)
    asked = said(tree, train, test).transpose(1, 0, 2).tolist()
    expected = [reference.pool(row, method.weights_.tolist()) for row in asked]
    np.testing.assert_allclose(method.predict_proba(test), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("penalty", [1e-6, 0.3, 1.0, 100.0])
@pytest.mark.parametrize("seed", range(6))
def test_the_weights_are_the_minimum(seed, penalty):
    """A general optimiser finds no smaller loss; twins share their weight; a side that speaks against gets none."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(120, 3))
    actual = (truth + rng.gumbel(size=truth.shape)).argmax(axis=1)
    logs = np.stack(
        [truth + rng.normal(size=truth.shape), -truth, rng.normal(size=truth.shape), rng.normal(size=truth.shape)]
    )
    logs[3] = logs[0]
    weights, towards = rng.choice([0.5, 1.0, 2.0], 120), np.full(4, 0.25)

    def loss(point):
        total = np.tensordot(point, logs, 1)
        own = total[np.arange(120), actual]
        return weights @ (np.log(np.exp(total).sum(axis=1)) - own) + penalty / 2 * ((point - towards) ** 2).sum()

    found = fitted(logs, actual, weights, penalty, towards)
    literal = minimize(loss, towards, bounds=[(0, None)] * 4, method="L-BFGS-B", tol=1e-14)
    assert (found >= 0).all() and loss(found) <= literal.fun + 1e-9
    np.testing.assert_allclose(found[0], found[3], rtol=1e-6)
    assert found[1] == 0 or penalty == 100
    free, step = found > 0, 1e-5
    for j in np.flatnonzero(free):
        move = np.zeros(4)
        move[j] = step
        assert abs(loss(found + move) - loss(found - move)) / (2 * step) < 1e-4
    for j in np.flatnonzero(~free):
        move = np.zeros(4)
        move[j] = step
        assert loss(found + move) > loss(found)


def test_sides_that_say_nothing_keep_the_weights_that_they_had():
    nothing, towards = np.log(np.full((3, 10, 2), 0.5)), np.array([0.2, 0.0, 0.8])
    found = fitted(nothing, np.arange(10) % 2, np.ones(10), 1.0, towards)
    assert found.tolist() == towards.tolist()


def test_a_pool_by_hand():
    """(0.8, 0.2) with weight 1 and (0.5, 0.5) with weight 2, and a zero that is held at 0.001."""
    logs = logarithms(np.array([[[0.8, 0.2]], [[0.5, 0.5]]]))
    np.testing.assert_allclose(pooled(logs, np.array([1.0, 2.0])), [[0.8, 0.2]], rtol=1e-14)
    held = pooled(logarithms(np.array([[[1.0, 0.0]]])), np.array([1.0]))
    np.testing.assert_allclose(held, [[1 / 1.001, 0.001 / 1.001]], rtol=1e-14)
    np.testing.assert_allclose(pooled(logs, np.array([0.5, 0.0])), [[2 / 3, 1 / 3]], rtol=1e-14)


def test_the_certainty_is_the_probability_of_the_answer():
    train, test = drawn(8)
    tree = grow_info_gain(train)
    likeliest, held = (
        SecondOpinion(answers=answers).fit(tree, train).answer(test) for answers in ("likeliest", "tree")
    )
    rows = np.arange(len(test))
    assert likeliest.proba.tolist() == held.proba.tolist()
    assert likeliest.predicted.tolist() == most_probable(likeliest.proba).tolist()
    assert likeliest.certainty.tolist() == likeliest.proba.max(axis=1).tolist()
    assert held.predicted.tolist() == tree.predict(test).tolist() != likeliest.predicted.tolist()
    assert held.certainty.tolist() == held.proba[rows, held.predicted].tolist()
    assert pickle.loads(pickle.dumps(held)).predicted.tolist() == held.predicted.tolist()


# -- the sides --


def n_values(header):
    """The number of values of each nominal input, None of others."""
    return [len(header.attributes[i].values) or None for i in inputs(header)]


@pytest.mark.parametrize("side", [NaiveBayes, Neighbours])
@pytest.mark.parametrize("seed", range(6))
def test_models_equal_the_literal_ones(side, seed):
    train, test = drawn(seed, n=60, missing=0.1, weights=bool(seed % 2))
    columns = inputs(train.header)
    literal = {NaiveBayes: reference.naive_bayes, Neighbours: reference.neighbours}[side](
        train.values[:, columns].tolist(), train.class_values.tolist(), train.weights.tolist(), train.n_classes,
        n_values(train.header), test.values[:, columns].tolist(),
    )  # fmt: skip
    np.testing.assert_allclose(side.fit(grow_info_gain(train), train).proba(test), literal, rtol=0, atol=1e-12)


def one_hot(data, scale):
    """Scaled numbers, and one column per nominal value and per missing one."""
    columns = []
    for i in inputs(data.header):
        values = data.values[:, i]
        if data.attributes[i].is_nominal:
            cells = np.where(np.isnan(values), len(data.attributes[i].values), values)
            columns += [(cells == v).astype(float) for v in range(len(data.attributes[i].values) + 1)]
        else:
            columns.append(scale(i, values))
    return np.column_stack(columns)


def in_scikit_learn(side, present):
    """scikit-learn's classifier with the coefficients of a side."""
    model = LogisticRegression()
    model.classes_ = present
    if len(present) == 2:
        model.coef_ = (side.coefficients[:, present[1]] - side.coefficients[:, present[0]])[None]
        model.intercept_ = side.intercept[present[1:]] - side.intercept[present[:1]]
    else:
        model.coef_, model.intercept_ = side.coefficients[:, present].T, side.intercept[present]
    model.n_features_in_ = model.coef_.shape[1]
    return model


@pytest.mark.parametrize("classes", [None, [0, 2], [2, 1]])
@pytest.mark.parametrize("seed", range(4))
def test_logistic_regression_equals_scikit_learn_s(seed, classes):
    """Answering to 1e-12; fitting as near as scikit-learn comes when it takes many steps."""
    train, test = drawn(seed, missing=0.1 * (seed % 2), weights=bool(seed % 3), classes=classes)
    side = Logistic.fit(grow_info_gain(train), train)
    scale, present = Scale.of(train), np.unique(train.class_values)
    design, asked = one_hot(train, scale), one_hot(test, scale)
    proba = side.proba(test)
    assert not np.delete(proba, present, axis=1).any()
    np.testing.assert_allclose(
        proba[:, present], in_scikit_learn(side, present).predict_proba(asked), rtol=0, atol=1e-12
    )
    model = LogisticRegression(solver="newton-cg", tol=1e-12, max_iter=10_000)
    model.fit(design, train.class_values, train.weights / train.weights.mean())
    np.testing.assert_allclose(proba[:, present], model.predict_proba(asked), rtol=0, atol=1e-6)


@pytest.mark.parametrize("n_labels", [2, 4])
def test_a_sparse_or_wide_design_gives_the_same(n_labels, monkeypatch):
    from scipy.sparse import csr_array

    rng = np.random.default_rng(n_labels)
    design = np.column_stack([np.ones(90), rng.normal(size=(90, 5)), rng.random((90, 3)) < 0.3])
    label = np.append(np.arange(n_labels), rng.integers(0, n_labels, 90 - n_labels))
    found = regression(design, label, np.ones(90))
    np.testing.assert_allclose(regression(csr_array(design), label, np.ones(90)), found, rtol=0, atol=1e-8)
    monkeypatch.setattr("wekaconf.methods.second_opinion._logistic.MOST_INVERTED", 3)
    for one in (design, csr_array(design)):
        np.testing.assert_allclose(regression(one, label, np.ones(90)), found, rtol=0, atol=1e-7)


@pytest.mark.parametrize("classes", [None, [0, 2]])
def test_a_regression_begins_where_a_similar_one_ended(classes, monkeypatch):
    """On the same rows that is the minimum; without a class that it knows it begins anew."""
    train, _ = drawn(2, missing=0.1, weights=True, classes=classes)
    tree = grow_info_gain(train)
    side = Logistic.fit(tree, train)
    monkeypatch.setattr("wekaconf.methods.second_opinion._logistic.MOST_STEPS", 0)
    again = side.fit_again(tree, train)
    np.testing.assert_allclose(again.coefficients, side.coefficients, rtol=0, atol=1e-12)
    np.testing.assert_allclose(again.intercept, side.intercept, rtol=0, atol=1e-12)
    fewer = replace(side, intercept=np.where(np.arange(3) == train.class_values[0], -np.inf, side.intercept))
    assert not fewer.fit_again(tree, train).coefficients.any()


@pytest.mark.parametrize(("n_labels", "is_wide", "most"), [(2, False, 10), (4, False, 36), (2, True, 50)])
def test_how_often_a_regression_reads_its_rows(n_labels, is_wide, most, monkeypatch):
    """The steps find the minimum however they are guided, but a good guide needs fewer."""
    from scipy.sparse import csr_array

    module = sys.modules[Logistic.__module__]
    rng = np.random.default_rng(n_labels)
    design = np.column_stack([np.ones(90), 30 * rng.normal(size=(90, 5)), rng.random((90, 3)) < 0.3])
    label, weights = np.arange(90) % n_labels, rng.choice([0.1, 1.9], 90)
    if is_wide:
        monkeypatch.setattr(module, "MOST_INVERTED", 3)
    calls, outputs = [], module._outputs
    monkeypatch.setattr(module, "_outputs", lambda *given: calls.append(1) or outputs(*given))
    for one in (design, csr_array(design)):
        calls.clear()
        regression(one, label, weights)
        assert len(calls) <= most


def test_a_large_design_is_sparse(monkeypatch):
    module = sys.modules[Logistic.__module__]
    train, test = drawn(2, missing=0.1)
    tree = grow_info_gain(train)
    found, scale = Logistic.fit(tree, train).proba(test), Scale.of(train)
    n_cells = module.Design.of(train, scale).values.size
    for most_dense in (n_cells, n_cells - 1):
        monkeypatch.setattr(module, "MOST_DENSE", most_dense)
        assert hasattr(module.Design.of(train, scale).values, "tocsr") == (most_dense < n_cells)
    np.testing.assert_allclose(Logistic.fit(tree, train).proba(test), found, rtol=0, atol=1e-8)


@pytest.mark.parametrize("kind", [NaiveBayes, Logistic])
@pytest.mark.parametrize("seed", range(4))
def test_what_values_add_are_the_log_odds(kind, seed):
    train, test = drawn(seed, missing=0.1)
    side = kind.fit(grow_info_gain(train), train)
    rng = np.random.default_rng(seed)
    above, below = rng.integers(0, 3, len(test)), rng.integers(0, 3, len(test))
    adds = side.log_odds(test.values, above, below)
    proba, rows = side.proba(test), np.arange(len(test))
    start = side.start[above] - side.start[below]
    expected = np.log(proba[rows, above] / proba[rows, below])
    np.testing.assert_allclose(start + adds.sum(axis=1), expected, rtol=0, atol=1e-10)


def test_the_tree_speaks_with_laplace_s_correction_where_it_keeps_counts():
    train, test = split("wdbc", 300)
    for learner, keeps_counts in (("J48", True), ("CART", True), ("REPTree", False), ("RandomTree", False)):
        tree = wc.grow(train, learner)
        laplace = tree.with_laplace(True) if keeps_counts else tree
        expected = np.maximum(laplace.predict_proba(test), 0)
        np.testing.assert_allclose(OfTree.fit(tree, train).proba(test), expected, rtol=0, atol=1e-12)


def test_answers_of_trees_become_shares():
    proba = np.array([[0.5, 0.5], [-1e-15, 1 + 1e-15], [0.0, 0.0], [0.2, 0.2]])
    assert as_shares(proba).tolist() == [[0.5, 0.5], [0.0, 1.0], [0.5, 0.5], [0.5, 0.5]]


@pytest.mark.jvm
def test_a_forest_is_weka_s():
    train, test = split("wdbc", 300)
    side = RandomForest.fit(wc.J48().grow(train), train)
    forest = wc.RandomForest().grow(train)
    np.testing.assert_allclose(side.proba(test), np.maximum(forest.predict_proba(test), 0), rtol=0, atol=1e-12)


def test_of_many_training_rows_neighbours_are_looked_for_among_some(monkeypatch):
    train, test = drawn(3, n=200)
    monkeypatch.setattr("wekaconf.methods.second_opinion._neighbours.MOST_KEPT", 50)
    side = Neighbours.fit(grow_info_gain(train), train)
    assert len(side.kept) == 50
    np.testing.assert_allclose(side.proba(test).sum(axis=1), 1, rtol=0, atol=1e-12)


def test_many_distances_are_computed_in_parts(monkeypatch):
    train, test = drawn(3, n=60)
    side = Neighbours.fit(grow_info_gain(train), train)
    expected = side.proba(test).tolist()
    monkeypatch.setattr("wekaconf.methods.second_opinion._neighbours.MOST_DISTANCES", 300)
    assert side.proba(test).tolist() == expected


@pytest.mark.parametrize("seed", range(4))
def test_neighbours_vote_alike_for_one_row_and_for_many(seed):
    train, test = drawn(seed, n=60, weights=True)
    side = Neighbours.fit(grow_info_gain(train), train)
    side = replace(side, kept=np.zeros_like(side.kept))  # so that all are equally near, and many votes are added
    alone = [side.proba(test.take([i]))[0].tolist() for i in range(len(test))]
    assert side.proba(test).tolist() == alone


@pytest.mark.jvm
@pytest.mark.parametrize("learner", ["J48", "CART", "REPTree", "RandomTree", "C44", "info_gain"])
def test_trees_of_every_learner_are_grown_again(learner):
    train, test = split("wdbc", 300)
    answer = SecondOpinion(folds=3).fit(wc.grow(train, learner), train).answer(test)
    np.testing.assert_allclose(answer.proba.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert (answer.predicted == test.class_values).mean() > 0.9 and len(set(answer.certainty.tolist())) > 100


def test_sides_are_named_by_a_text_or_a_list():
    for sides in ("laplace+neighbours", ("laplace", "neighbours"), ["laplace", "neighbours"]):
        train, _ = drawn(5)
        method = SecondOpinion(sides=sides).fit(grow_info_gain(train), train)
        assert list(method.members_) == ["laplace", "neighbours"]


def test_a_method_is_a_side():
    train, test = drawn(5)
    tree = grow_info_gain(train)
    method = SecondOpinion(sides="laplace+shrinkage_wpe:numeric=bins").fit(tree, train)
    own = wc.ShrinkageWPE(numeric="bins").fit(tree, train).predict_proba(test)
    expected = pooled(logarithms(np.stack([said(tree, train, test)[0], own])), method.weights_)
    np.testing.assert_allclose(method.predict_proba(test), expected, rtol=0, atol=1e-12)
    assert method.n_kept == 0


@pytest.mark.parametrize("side", ["kukar_kononenko", "neighbours"])
def test_what_a_side_keeps_the_method_keeps(side):
    train, _ = drawn(5, n=60)
    method = SecondOpinion(sides=f"laplace+{side}+naive_bayes").fit(grow_info_gain(train), train)
    assert method.n_kept == 60


# -- what it refuses --


@pytest.mark.parametrize(
    ("sides", "says"),
    [
        ("laplace+naive_bays", "there is no side 'naive_bays'; did you mean 'naive_bayes'"),
        ("laplace+laplace", "'laplace' is given twice; leave one out"),
        ("second_opinion", "there is no side 'second_opinion'"),
        ("", "name at least one side"),
        ((), "name at least one side"),
        ("laplace+shrinkage_wpe:numbers=bins", "has no parameter 'numbers'"),
        ("laplace+shrinkage_wpe:bins", "expected parameter=value, got 'bins'"),
    ],
)
def test_sides_that_are_refused(sides, says):
    with pytest.raises(OptionError, match=says):
        SecondOpinion(sides=sides)


@pytest.mark.parametrize("side", ["nobody", "shrinkage_wpe:bins"])
def test_in_weka_sides_are_an_option(side):
    with pytest.raises(OptionError) as refused:
        SecondOpinion(sides=f"laplace+{side}")
    assert re.search(r"(^| )-sides\b", worded(refused.value.parts, word_in_weka))


def test_a_tree_made_by_hand_is_refused():
    train, _ = drawn(1)
    with pytest.raises(OptionError, match=r"give a tree that wekaconf\.grow gives for the training data"):
        SecondOpinion().fit(random_tree(np.random.default_rng(1), train), train)


def test_a_tree_of_other_data_is_refused():
    train, other = drawn(2)
    with pytest.raises(OptionError, match="info_gain grows another on these 40 instances; give a tree"):
        SecondOpinion().fit(grow_info_gain(train), other)


def test_a_tree_of_an_unknown_learner_is_refused():
    train, _ = drawn(2)
    tree = replace(grow_info_gain(train), learner="somebody's")
    with pytest.raises(OptionError, match="'somebody's' is no learner here; give a tree"):
        SecondOpinion().fit(tree, train)


@pytest.mark.parametrize(("factor", "is_same"), [(1 + 1e-10, True), (1 + 1e-8, False)])
def test_a_tree_is_grown_again_but_for_rounding(factor, is_same):
    train, _ = drawn(3, n=29)
    grown = grow_info_gain(train)
    tree = replace(grown, class_weight=grown.class_weight * factor, total=grown.total * factor)
    if is_same:
        assert not len(SecondOpinion().fit(tree, train).weights_)
    else:
        with pytest.raises(OptionError, match="info_gain grows another on these 29 instances"):
            SecondOpinion().fit(tree, train)


# -- little to learn from, and odd data --


@pytest.mark.parametrize(("n", "n_wrong", "is_poor"), [(29, 10, True), (30, 10, False), (40, 4, True), (40, 5, False)])
def test_thirty_rows_and_five_wrong_ones_are_learned_from(n, n_wrong, is_poor):
    actual = np.arange(n) % 2
    of_tree = np.where(np.arange(n) < n_wrong, 1 - actual, actual)
    assert OutOfFold(np.zeros((2, n, 2)), of_tree, actual, np.ones(n)).is_poor == is_poor


def test_a_tree_that_was_grown_here_is_not_grown_once_more():
    """On a copy of the data it is, and what is learned is the same."""
    train, _ = drawn(3, n=60)
    tree = grow_info_gain(train)
    copied = wc.Dataset(train.header, train.values, train.weights)
    assert is_grown_on(tree, train) and not is_grown_on(tree, copied) and not is_grown_on(grow_info_gain(copied), train)
    assert not is_grown_on(replace(tree), train)
    both = [SecondOpinion().fit(tree, data).weights_.tolist() for data in (train, copied)]
    assert both[0] == both[1]


@pytest.mark.parametrize(("n", "is_learned"), [(29, False), (60, True)])
def test_with_few_rows_the_tree_answers_alone(n, is_learned):
    train, test = drawn(3, n=n)
    tree = grow_info_gain(train)
    method = SecondOpinion().fit(tree, train)
    answer = method.answer(test)
    assert bool(len(method.weights_)) == bool(method.members_) == (method.held_out is not None) == is_learned
    alone = "too little to learn from: the tree answers alone"
    assert method.in_words.startswith("the weights of the tree") if is_learned else method.in_words == alone
    if not is_learned:
        np.testing.assert_allclose(answer.proba, tree.with_laplace(True).predict_proba(test), rtol=0, atol=1e-12)
        assert answer.reason(0).endswith("; too little to learn from: the tree answers alone")
        account = answer.explanation.account(0)
        assert account.steps.words == "too little to learn from: the tree answers alone"
        assert answer.explanation[0] == ()


def test_a_single_row_grows_no_tree_without_it():
    train, _ = drawn(1, n=1)
    told = OutOfFold.of(train, wc.InfoGain(), [OfTree(grow_info_gain(train))], n_folds=3, seed=0)
    assert [part.shape for part in told] == [(1, 0, 3), (0,), (0,), (0,)]


def test_with_a_single_class_no_tree_is_grown():
    train = small(x=[1.0, 2.0], c=(("p",), ["p", "p"]))
    answer = SecondOpinion().fit(written_tree(train.header, [2.0]), train).answer(train)
    assert answer.certainty.tolist() == [1.0, 1.0] and answer.reason(0).startswith("p (100 %): the tree says p (")


def test_rows_with_equal_inputs_share_a_fold():
    """Else a twin would tell the class, and the sides that remember would get all the weight."""
    train, _ = drawn(4, n=60)
    rng = np.random.default_rng(1)
    values = np.repeat(train.values, 2, axis=0)
    values[:, train.class_index] = np.repeat(rng.integers(0, 3, 60), 2)
    twins = wc.Dataset(train.header, values)
    method = SecondOpinion(sides="naive_bayes+neighbours").fit(grow_info_gain(twins), twins)
    right = method.held_out.predicted == method.held_out.actual
    assert right.mean() < 0.5


def odd():
    """Data of every odd kind, by name."""
    train, test = drawn(5, n=120)
    inputs_ = inputs(train.header)
    missing, constant = train.values.copy(), train.values.copy()
    missing[:, inputs_] = np.nan
    constant[:, inputs_] = 0
    one_row = np.where(train.class_values == 2, 0, train.class_values).astype(float)
    one_row[0] = 2
    single = train.values.copy()
    single[:, train.class_index] = one_row
    absent = train.values.copy()
    absent[:, train.class_index] = np.minimum(train.class_values, 1)
    endless, large = train.values.copy(), train.values.copy()
    numeric = inputs(train.header, "numeric")
    endless[::7, numeric] = np.inf
    endless[1::7, numeric] = -np.inf
    large[::2, numeric] = 1e300
    unseen = train.values.copy()
    for column in inputs(train.header, "nominal"):
        unseen[:, column] = np.minimum(unseen[:, column], 1)
    found = {"all missing": missing, "constant columns": constant, "a class with one row": single}
    found |= {"an absent class": absent, "infinite values": endless, "large numbers": large, "values unseen": unseen}
    sets = {name: wc.Dataset(train.header, values) for name, values in found.items()}
    rng = np.random.default_rng(1)
    sets["weights"] = replace(train, weights=rng.choice([1e-9, 1.0, 1e9], len(train)))
    return sets, test


@pytest.mark.parametrize("what", odd()[0])
def test_odd_data(what):
    train, test = odd()[0][what], odd()[1]
    values = test.values.copy()
    values[::3, inputs(test.header, "numeric")] = np.inf
    values[1::5, inputs(test.header)] = np.nan
    test = replace(test, values=values)
    sides = "laplace+naive_bayes+logistic+neighbours"
    answer = SecondOpinion(folds=4, sides=sides).fit(grow_info_gain(train), train).answer(test)
    np.testing.assert_allclose(answer.proba.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert ((answer.certainty > 0) & (answer.certainty <= 1)).all()
    assert all(answer.reasons)
    for i in range(len(test)):
        assert str(answer.explanation.account(i))


def test_no_inputs_at_all():
    train = small(c=["p", "q"] * 20)
    tree = grow_info_gain(train)
    proba = SecondOpinion().fit(tree, train).predict_proba(train)
    np.testing.assert_allclose(proba, 0.5, rtol=0, atol=1e-9)


# -- model files --


@pytest.mark.parametrize(
    "sides", ["+".join(DEFAULT), "laplace+neighbours", "naive_bayes+shrinkage_wpe:numeric=bins", "logistic"]
)
def test_a_model_file_answers_the_same(sides, tmp_path):
    train, test = drawn(7, missing=0.1)
    method = SecondOpinion(folds=4, sides=sides).fit(grow_info_gain(train), train)
    assert_same_from_file(method, test, tmp_path / "m.wct")


@pytest.mark.jvm
def test_a_model_file_with_a_forest_answers_the_same(tmp_path):
    train, test = split("credit-g", 200)
    method = SecondOpinion(folds=2, sides="laplace+random_forest").fit(wc.J48().grow(train), train)
    assert_same_from_file(method, test, tmp_path / "m.wct")


def assert_same_from_file(method, test, path):
    wc.Model(method).save(path)
    loaded = load(path).method
    assert loaded.params == method.params and list(loaded.members_) == list(method.members_)
    assert loaded.predict_proba(test).tolist() == method.predict_proba(test).tolist()
    assert loaded.answer(test).reasons[:] == method.answer(test).reasons[:]
    assert loaded.held_out is None and method.held_out is not None
    assert pickle.loads(pickle.dumps(method)).held_out is None, "a pickle keeps no answers for training instances"


def test_answering_needs_neither_scikit_learn_nor_java(tmp_path):
    train, _ = split("credit-g", 400)
    wc.Model(SecondOpinion(folds=3).fit(grow_cart(train, "nominal=one_hot"), train)).save(tmp_path / "m.wct")
    wc.save_arff(tmp_path / "asked.arff", train)
    code = (
        "import sys, wekaconf as wc\n"
        f"model = wc.load({str(tmp_path / 'm.wct')!r})\n"
        f"answer = model.answer(wc.load_arff({str(tmp_path / 'asked.arff')!r}))\n"
        "assert answer.certainty.sum() > 0 and answer.reasons[:]\n"
        "print(sorted({'sklearn', 'jpype', 'pandas'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


CHANGES = [
    ("weights_", lambda a: a[1:], "expected 3 or none, got 2"),
    ("weights_", lambda a: -1 - a, "expected values from 0"),
    ("1/n_ends", lambda a: a + 1, "n_ends"),
    ("1/n_ends", lambda a: np.roll(a, 1), "n_ends: expected the number of ends of each number, and 0 of others"),
    ("1/n_ends", lambda a: np.maximum(a - 1, 0), "n_ends: expected the number of ends of each number"),
    ("1/ends", lambda a: a[::-1], "expected them to ascend"),
    ("1/log_shares", lambda a: a[1:], "expected a row per interval"),
    ("1/log_prior", lambda a: a * np.inf, "log_prior"),
    ("2/coefficients", lambda a: a[1:], "expected a row per number"),
    ("2/intercept", lambda a: np.full_like(a, -np.inf), "expected a class that has instances"),
    ("2/spread", lambda a: a * 0, "spread"),
]


@pytest.mark.parametrize(("name", "change", "says"), CHANGES)
def test_what_cannot_have_been_learned(name, change, says):
    train, _ = drawn(5)
    tree = grow_info_gain(train)
    method = SecondOpinion().fit(tree, train)
    learned = method.learned()
    assert len(SecondOpinion.restore(method.params, tree, learned).weights_) == 3
    with pytest.raises(ValueError, match=says):
        SecondOpinion.restore(method.params, tree, learned | {name: change(learned[name].copy())})


def test_neighbours_from_a_file_must_be_some():
    train, _ = drawn(5)
    tree = grow_info_gain(train)
    method = SecondOpinion(sides="laplace+neighbours").fit(tree, train)
    none = {f"1/{name}": method.learned()[f"1/{name}"][:0] for name in ("kept", "kept_class", "kept_weight")}
    with pytest.raises(ValueError, match="expected at least one instance"):
        SecondOpinion.restore(method.params, tree, method.learned() | none)


@pytest.mark.jvm
def test_a_forest_from_a_file_must_be_sound():
    train, _ = split("credit-g", 100)
    tree = wc.J48().grow(train)
    method = SecondOpinion(folds=2, sides="laplace+random_forest").fit(tree, train)
    learned = method.learned()
    worse = {"1/class_weight": -learned["1/class_weight"]}, {"1/n_nodes": learned["1/n_nodes"][:0]}
    worse += ({"1/n_nodes": learned["1/n_nodes"][:-1]}, {"1/parent": learned["1/parent"] + 1})
    for change in worse:
        with pytest.raises(ValueError, match=r"\w"):
            SecondOpinion.restore(method.params, tree, learned | change)


def test_a_file_that_names_other_sides_is_refused(tmp_path):
    train, _ = drawn(5)
    method = SecondOpinion().fit(grow_info_gain(train), train)
    method.sides = "laplace+naive_bayes+nobody"
    wc.Model(method).save(tmp_path / "m.wct")
    with pytest.raises(ModelFileError, match="there is no side 'nobody'"):
        load(tmp_path / "m.wct")


# -- what it says --


def told(says, of_tree, n_classes=2, **changes):
    """The sentence on one row of which three sides say this, without what weighs most."""
    from wekaconf.methods.second_opinion._sentences import Sentences

    train = small(x=[0.0, 1.0] * 20, c=(("ja", "nein", "?!"[:1])[:n_classes], ["ja", "nein"] * 20))
    tree = replace(grow_info_gain(train), **changes)
    sides = {"laplace": OfTree(tree), "forest": RandomForest(tree, None), "near": Neighbours.fit(tree, train)}
    said_of = np.array(says, dtype=float)[:, None]
    proba = pooled(logarithms(said_of), np.ones(3))
    tree_proba = np.eye(n_classes)[[of_tree]] * 0.6 + 0.4 / n_classes
    made = Sentences(
        tree, sides, np.ones(3), train.take([0]), said_of, tree_proba, np.array([of_tree]), most_probable(proba)
    )
    return made.texts()[0]


LEAF = "(80 %, 20 of 20 training instances in its leaf)"


@pytest.mark.parametrize(("says", "expected"), [
    ([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]],
     f"the tree says ja {LEAF}; random forest agrees (80 %), the vote of neighbours agrees (70 %)"),
    ([[0.6, 0.4], [0.8, 0.2], [0.3, 0.7]],
     f"the tree says ja {LEAF}; random forest agrees (80 %); the vote of neighbours says nein (70 %)"),
    ([[0.6, 0.4], [0.3, 0.7], [0.2, 0.8]],
     f"the tree says ja {LEAF}; random forest says nein (70 %), the vote of neighbours nein (80 %)"),
])  # fmt: skip
def test_sentences_on_who_agrees(says, expected):
    assert told(says, 0) == expected


def test_a_leaf_without_counts_tells_no_instances():
    text = told([[0.6, 0.4], [0.9, 0.1], [0.9, 0.1]], 0, routing=Routing.REPTREE)
    assert text.startswith("the tree says ja (80 %); random forest")


def test_to_agree_is_to_agree_with_the_answer():
    text = told([[0.6, 0.4], [0.7, 0.3], [0.02, 0.98]], 0)
    assert text == (
        f"the tree says ja {LEAF}; random forest says ja, too (70 %); the vote of neighbours says nein (98 %)"
    )


def test_reasons_say_that_the_tree_is_not_asked():
    train, test = drawn(3, n=60)
    tree = grow_info_gain(train)
    method = SecondOpinion(sides="naive_bayes+logistic").fit(tree, train)
    assert method.answer(test).grounds[0].startswith("the tree, which is not asked, says ")
    assert method.in_words.startswith("the weights of naive Bayes ") and " and logistic regression " in method.in_words


def test_opinions_of_different_classes_are_told_apart():
    text = told([[0.5, 0.3, 0.2], [0.3, 0.6, 0.1], [0.1, 0.1, 0.8]], 0, n_classes=3)
    assert text.endswith("; random forest says nein (60 %); the vote of neighbours says '?' (80 %)")


@pytest.mark.parametrize(("share", "text"), [
    (0.0, "0 %"), (1e-9, "under 1 %"), (0.0049, "under 1 %"), (0.005, "1 %"), (0.125, "13 %"), (0.5, "50 %"),
    (0.9949, "99 %"), (0.995, "over 99 %"), (1 - 1e-9, "over 99 %"), (1.0, "100 %"),
])  # fmt: skip
def test_shares_in_whole_percent(share, text):
    assert percent_texts(np.array([share])).tolist() == [text]


@pytest.mark.parametrize("answers", ["likeliest", "tree"])
def test_the_account_adds_up(answers):
    train, test = drawn(6, n=200)
    method = SecondOpinion(folds=4, answers=answers).fit(grow_info_gain(train), train)
    answer = method.answer(test)
    for i in range(len(test)):
        c = answer.predicted[i]
        step = answer.explanation.account(i).certainty
        [total] = step.parts
        parts = [part.result for part in total.parts]
        assert total.result == pytest.approx(float(method.weights_ @ parts), abs=1e-12)
        other = answer.proba[i].copy()
        other[c] = -1
        odds = answer.proba[i, c] / other.max()
        assert total.result == pytest.approx(math.log(odds), abs=1e-9)
        assert step.result == answer.certainty[i]
        for part in total.parts:
            if part.parts:
                assert part.result == pytest.approx(math.fsum(one.result for one in part.parts), abs=1e-12)
        events = answer.explanation[i]
        assert [event.kind for event in events] == list(DEFAULT)
        assert sum(event.details["log_odds"] for event in events) == pytest.approx(math.log(odds), abs=1e-9)


@pytest.mark.parametrize(("share", "told"), [(LEAST, ""), (LEAST / 2, ", held at 0.001 from below")])
def test_a_share_is_held_only_below_the_least(share, told):
    """What values add to the log-odds is told of a side that holds nothing."""
    train, test = drawn(6)
    method = SecondOpinion().fit(grow_info_gain(train), train)
    own = np.full(train.n_classes, share)
    own[0] = 1 - share * (len(own) - 1)
    for side in method.members_.values():
        step = method._log_odds_step(side, test.take([0]), own, 0, 1)
        assert step.words == side.words + ("" if step.parts else f": {own[0]:.4g} against {share:.4g}{told}")
        assert bool(step.parts) == (hasattr(side, "start") and not told)


# -- promises --


def test_a_promise_takes_its_candidates_from_answers_out_of_fold():
    train, calibration = split("credit-g", 450)
    method = SecondOpinion().fit(wc.J48().grow(train), train)
    aim = Aim("error", 0.2, 0.9)
    choice = choice_promised(method, aim, calibration, train)
    certainty, right = np.zeros(len(train)), np.zeros(len(train), dtype=bool)
    fold = fold_numbers(train, 3, np.random.default_rng((1, 0)))
    for one in range(3):
        growing, asked = train.take(fold != one), train.take(fold == one)
        proba = pooled(logarithms(said(wc.J48().grow(growing), growing, asked)), method.weights_)
        certainty[fold == one], right[fold == one] = proba.max(axis=1), most_probable(proba) == asked.class_values
    answer = method.answer(calibration)
    rows = Certainties(answer.certainty, answer.predicted == calibration.class_values, calibration.weights)
    by_hand = promise(0.2, aim.delta, rows, Certainties(certainty, right, train.weights), optimism=1)
    [found] = choice.promises
    assert (found.answered, found.wrong, found.n) == (by_hand.answered, by_hand.wrong, by_hand.n) and found.answered > 0
    assert found.threshold == pytest.approx(by_hand.threshold, abs=1e-6)
    known = out_of_fold(method)
    assert known.correct.mean() < (method.predict(train) == train.class_values).mean()
