"""`combined`: the literal formula, what it refuses, odd data, model files, and what it says."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from reference import combined_reference as reference
from scipy.optimize import minimize
from support.command_line import ARFF
from support.growers import grow_info_gain
from support.promises import choice_promised
from support.random_trees import random_dataset, random_header, random_tree
from support.small_data import small
from support.written_trees import written_tree

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.base.rounding import most_probable
from wekaconf.data.folds import fold_numbers
from wekaconf.evaluation.accepting import Certainties
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.promise import promise
from wekaconf.evaluation.promised_choice import drawn_rows
from wekaconf.evaluation.ranking import auroc
from wekaconf.evaluation.rejection import out_of_fold
from wekaconf.methods.combined import Combined
from wekaconf.methods.combined.combined import _for_and_against, sides, with_largest
from wekaconf.methods.combined.held_out import HeldOut, sides_of
from wekaconf.methods.combined.learning import WeightedRanks, fitted, log_odds_of, logistic, places
from wekaconf.model.file import load
from wekaconf.sklearn import CombinedClassifier, RejectOption

PER_SIDE = ("quantiles", "weights", "mean")


def drawn(seed, n=160, **more):
    """Training data, and what is asked."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=5)
    return random_dataset(rng, header, n, **more), random_dataset(rng, header, 40, **more)


@pytest.mark.parametrize("seed", range(6))
def test_equals_the_literal_formula(seed):
    """Folds that this test draws, trees that it grows one by one, and a regression by coordinate descent."""
    train, test = drawn(seed, missing=0.05 * (seed % 2), weights=bool(seed % 3))
    tree = grow_info_gain(train)
    method = Combined(folds=4, penalty=0.5 + seed, seed=seed).fit(tree, train)
    fold = fold_numbers(train, 4, np.random.default_rng((seed, 0)))
    held_out, right, weights = [], [], []
    for one in range(4):
        growing, asked = train.take(fold != one), train.take(fold == one)
        other = grow_info_gain(growing)
        answer = most_probable(other.predict_proba(asked))
        held_out += sides_of([side.fit(other, growing) for side in sides()], asked, answer).tolist()
        right += (answer == asked.class_values).tolist()
        weights += asked.weights.tolist()
    answer = most_probable(tree.predict_proba(test))
    asked = sides_of([side.fit(tree, train) for side in sides()], test, answer).tolist()
    literal = reference.certainties(held_out, right, weights, asked, 0.5 + seed)
    assert method.learned_
    np.testing.assert_allclose(method.certainty(test), literal, rtol=0, atol=1e-6)
    assert method.predict(test).tolist() == answer.tolist()


@pytest.mark.parametrize("l2", [0.3, 1.0, 10.0])
@pytest.mark.parametrize("seed", range(6))
def test_the_fit_is_the_minimum(seed, l2):
    """A general optimiser finds no smaller loss, and no weight is below 0, though one side speaks for the opposite."""
    rng = np.random.default_rng(seed)
    known = rng.normal(size=(120, 5))
    known[:, 4] = known[:, 3]  # twins share their weight
    right = rng.random(120) < 1 / (1 + np.exp(-(1 + 2 * known[:, 0] - 2 * known[:, 1] + known[:, 3])))

    def loss(point):
        margin = np.where(right, 1, -1) * (point[0] + known @ point[1:])
        return weights @ np.log1p(np.exp(-margin)) + l2 / 2 * sum(point[1:] ** 2)

    weights = rng.choice([0.5, 1.0, 2.0], 120)
    intercept, found = fitted(known, right, weights, l2)
    literal = minimize(loss, np.zeros(6), bounds=[(None, None), *[(0, None)] * 5], method="L-BFGS-B", tol=1e-14)
    assert loss(np.r_[intercept, found]) <= literal.fun + 1e-9
    assert (found >= 0).all() and found[1] == 0
    np.testing.assert_allclose(found[3], found[4], rtol=1e-6)
    np.testing.assert_allclose(np.r_[intercept, found], literal.x, rtol=0, atol=1e-3)


@pytest.mark.parametrize("l2", [1e-3, 0.3, 100.0])
@pytest.mark.parametrize("scale", [0.1, 1.0, 10.0])
def test_the_loss_has_no_slope_where_the_fit_ends(scale, l2):
    """Nor in the weights that are above 0; it rises with those that are 0."""
    rng = np.random.default_rng(7)
    known = rng.normal(size=(200, 4)) * scale
    right = rng.random(200) < 1 / (1 + np.exp(-(1 + (known[:, 0] - known[:, 1] + known[:, 2]) / scale)))
    weights = rng.choice([0.5, 1.0, 2.0], 200)
    intercept, found = fitted(known, right, weights, l2)
    off = weights * (1 / (1 + np.exp(-(intercept + known @ found))) - right)
    assert abs(off.sum()) < 1e-3
    slope = known.T @ off + l2 * found
    assert (np.abs(slope[found > 0]) < 1e-3 * max(1, scale)).all() and (slope[found == 0] > 0).all()
    assert found[1] == 0 and found[0] > 0


@pytest.mark.parametrize("seed", range(20))
def test_the_tree_s_class_stays_the_largest_and_little_else_changes(seed):
    """No distribution with that class as the largest is nearer; one that has it already stays as it is."""
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(4), 30)
    predicted = rng.integers(0, 4, 30)
    changed = with_largest(proba, predicted)
    assert most_probable(changed).tolist() == predicted.tolist()
    np.testing.assert_allclose(changed.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert (changed >= 0).all()
    is_kept = most_probable(proba) == predicted
    assert changed[is_kept].tolist() == proba[is_kept].tolist()
    for row in np.flatnonzero(~is_kept):
        distance = np.abs(changed[row] - proba[row]).max()
        for _ in range(200):
            other = proba[row] + rng.normal(0, distance / 2, 4)
            other = np.clip(other, 0, None) / np.clip(other, 0, None).sum()
            if other.argmax() == predicted[row]:
                assert ((other - proba[row]) ** 2).sum() >= ((changed[row] - proba[row]) ** 2).sum() - 1e-8


def test_it_tells_right_from_wrong_better_than_laplace():
    data = wc.load_arff(ARFF / "credit-g.arff")
    order = np.random.default_rng(1).permutation(len(data))
    train, test = data.take(order[:600]), data.take(order[600:])
    tree = wc.J48().grow(train)
    answer = Combined().fit(tree, train).answer(test)
    right = answer.predicted == test.class_values
    assert answer.predicted.tolist() == tree.predict(test).tolist()
    laplace = wc.LeafFrequency(laplace=True).fit(tree, train).certainty(test)
    assert auroc(answer.certainty, right) > auroc(laplace, right) + 0.02


@pytest.mark.parametrize("more", [0.0, 1e-16, -1e-16])
def test_a_tie_but_for_rounding_gets_a_lead(more):
    changed = with_largest(np.array([[0.4, 0.4 + more, 0.2 - more]]), np.array([1]))
    np.testing.assert_allclose(changed, [[0.4 - 1e-9, 0.4 + 1e-9, 0.2]], rtol=0, atol=1e-12)


@pytest.mark.parametrize("learner", ["J48", "CART", "REPTree", "RandomTree", "C44", "info_gain"])
def test_trees_of_every_learner_are_grown_again(learner):
    data = wc.load_arff(ARFF / "wdbc.arff")
    tree = wc.grow(data.take(slice(0, None, 2)), learner)
    method = Combined(folds=3).fit(tree, data.take(slice(0, None, 2)))
    answer = method.answer(data.take(slice(1, None, 2)))
    assert answer.predicted.tolist() == tree.predict(data.take(slice(1, None, 2))).tolist()
    assert ((answer.certainty >= 0) & (answer.certainty <= 1)).all() and len(set(answer.certainty.tolist())) > 10


def test_each_larger_class_and_the_tree_s_meet_at_one_height():
    """The classes at 0.5 and 0.3 and the tree's at 0.1 meet at 0.3; so does the one at 0.3, which would not go down."""
    changed = with_largest(np.array([[0.5, 0.3, 0.1, 0.1], [0.45, 0.35, 0.1, 0.1]]), np.array([3, 3]))
    np.testing.assert_allclose(changed, [[0.3, 0.3, 0.1, 0.3], [0.3, 0.3, 0.1, 0.3]], rtol=0, atol=2e-9)
    lead = changed[1, 3] - changed[1, :2]
    np.testing.assert_allclose(lead, 1.5e-9, rtol=1e-6)


def test_places_are_twice_the_mid_ranks():
    quantiles = np.array([[1.0], [2.0], [2.0], [3.0]])
    asked = [0.5, 1.0, 1 + 1e-13, 1 + 1e-11, 1.5, 2.0, 2.5, 3.0, 9.0]
    assert places(np.array(asked)[:, None], quantiles).ravel().tolist() == [0, 1, 1, 2, 2, 4, 6, 7, 8]


def test_log_odds_of_places_are_symmetric_and_finite():
    found = log_odds_of(np.arange(7), 3)
    np.testing.assert_allclose(found, np.log([0.5 / 3.5, 1 / 3, 1.5 / 2.5, 1, 2.5 / 1.5, 3, 3.5 / 0.5]), rtol=1e-14)
    np.testing.assert_allclose(logistic(np.array([0.0, math.log(3), -math.log(3)])), [0.5, 0.75, 0.25], rtol=1e-14)


def test_up_to_two_hundred_rows_every_side_is_a_quantile():
    values = np.random.default_rng(0).random((60, 2))
    learned = WeightedRanks.of(values, np.arange(60) % 3 > 0, np.ones(60), 1.0)
    assert learned.quantiles.tolist() == np.sort(values, axis=0).tolist()
    assert learned.part_of_place.shape == (121, 2)
    total = learned.intercept[0] + learned.parts(learned.places(values)).sum(axis=1)
    np.testing.assert_allclose(learned.certainty(values), 1 / (1 + np.exp(-total)), rtol=1e-12)
    np.testing.assert_allclose(learned.parts(learned.places(values)).mean(axis=0), 0, rtol=0, atol=1e-12)


def test_sides_that_never_differ_are_nothing_to_learn_from():
    values = np.full((60, 2), 0.3)
    right = np.arange(60) % 2 == 0
    nothing = WeightedRanks.of(values, right, np.ones(60), 1.0)
    assert {name: (array.shape, array.sum()) for name, array in vars(nothing).items()} == {
        "quantiles": ((0, 0), 0), "weights": ((0,), 0), "mean": ((0,), 0), "intercept": ((1,), 0),
    }  # fmt: skip
    values[59, 1] = 0.4
    assert WeightedRanks.of(values, right, np.ones(60), 1.0)


@pytest.mark.parametrize(("parts", "told"), [
    ([0.5, -0.2, 1.5], "for it side 2, side 0; against it side 1"),
    ([0.5, 1.5, 2.5], "for it side 2, side 1, side 0"),
    ([-0.5, -1.5, -2.5], "against it side 2, side 1, side 0"),
    ([0.0, -1.5, 0.0], "against it side 1"),
    ([0.5, 0.0, -0.5], "for it side 0; against it side 2"),
    ([0.0, 0.0, 0.0], "no side speaks for or against it"),
])  # fmt: skip
def test_sides_are_told_for_and_against_the_loudest_first(parts, told):
    phrases = np.array([["side 0", "side 1", "side 2"]], dtype=object)
    assert _for_and_against(phrases, np.array([parts])).tolist() == [told]


def test_a_single_row_grows_no_tree_without_it():
    train, _ = drawn(1, n=1)
    held_out = HeldOut.of(train, wc.InfoGain(), sides(), n_folds=3, repetitions=2, seed=0)
    assert [part.shape for part in held_out] == [(0, 5), (0,), (0,), (0,)]


def test_two_folds_are_enough():
    train, test = drawn(3, n=80)
    method = Combined(folds=2).fit(grow_info_gain(train), train)
    assert method.learned_ and len(method.held_out.sides) == 80
    events = method.explain(test)
    assert all((event.node, event.attribute) == (0, "") for event in events[0]) and len(events[0]) == 5


def test_with_a_single_class_no_tree_is_grown():
    train = small(x=[1.0, 2.0], c=(("p",), ["p", "p"]))
    method = Combined().fit(written_tree(train.header, [2.0]), train)
    assert not method.learned_ and method.certainty(train).tolist() == [1.0, 1.0]
    assert method.notes(train) and method.explain(train)[:] == [(), ()]


@pytest.mark.parametrize(("factor", "is_same"), [(1 + 1e-10, True), (1 + 1e-8, False)])
def test_a_tree_is_grown_again_but_for_rounding(factor, is_same):
    train, _ = drawn(3, n=29)
    grown = grow_info_gain(train)
    tree = replace(grown, class_weight=grown.class_weight * factor, total=grown.total * factor)
    if is_same:
        assert not Combined().fit(tree, train).learned_
    else:
        with pytest.raises(OptionError, match="info_gain grows another on these 29 instances"):
            Combined().fit(tree, train)


# -- what it refuses --


def test_a_tree_made_by_hand_is_refused():
    train, _ = drawn(1)
    with pytest.raises(OptionError, match=r"give a tree that wekaconf\.grow gives for the training data"):
        Combined().fit(random_tree(np.random.default_rng(1), train), train)


def test_a_tree_of_other_data_is_refused():
    train, other = drawn(2)
    with pytest.raises(OptionError, match="info_gain grows another on these 40 instances; give a tree"):
        Combined().fit(grow_info_gain(train), other)


def test_a_tree_of_an_unknown_learner_is_refused():
    train, _ = drawn(2)
    tree = replace(grow_info_gain(train), learner="somebody's")
    with pytest.raises(OptionError, match="'somebody's' is no learner here; give a tree"):
        Combined().fit(tree, train)


# -- little to learn from, and odd data --


@pytest.mark.parametrize(("n", "is_learned"), [(29, False), (60, True)])
def test_few_rows(n, is_learned):
    train, test = drawn(3, n=n)
    tree = grow_info_gain(train)
    method = Combined().fit(tree, train)
    assert bool(method.learned_) == is_learned
    assert bool(method.notes(test)) == (not is_learned)
    assert ("too little could be learned" in method.answer(test).reason(0)) == (not is_learned)


def test_the_account_where_nothing_is_learned():
    """Laplace's probability is the certainty, and is given as it is."""
    train, test = drawn(3, n=29)
    answer = Combined().fit(grow_info_gain(train), train).answer(test)
    for i in range(len(test)):
        certainty = answer.explanation.account(i).certainty
        assert certainty.words == "Laplace's probability of the tree's class, since too little could be learned"
        assert certainty.result == answer.certainty[i]


def with_two_swapped(quantiles):
    """The last two distinct rows change places, which both are above the first."""
    last = len(quantiles) - 1
    before = max(i for i in range(last) if (quantiles[i] != quantiles[last]).any())
    changed = quantiles.copy()
    changed[[before, last]] = quantiles[[last, before]]
    return changed


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda learned: {"learned_.quantiles": learned["learned_.quantiles"][::-1]}, "expected them to ascend"),
        (lambda learned: {"learned_.quantiles": np.roll(learned["learned_.quantiles"], 1, axis=0)}, "them to ascend"),
        (lambda learned: {"learned_.quantiles": with_two_swapped(learned["learned_.quantiles"])}, "them to ascend"),
        (
            lambda learned: {f"learned_.{name}": learned[f"learned_.{name}"][..., 1:] for name in PER_SIDE},
            "expected 5 or none, with quantiles; got 4",
        ),
        (lambda learned: {"learned_.quantiles": learned["learned_.quantiles"][:0]}, "with quantiles; got 5"),
    ],
)
def test_what_cannot_have_been_learned(change, says):
    train, _ = drawn(5)
    tree = grow_info_gain(train)
    method = Combined().fit(tree, train)
    learned = method.learned()
    assert Combined.restore(method.params, tree, learned).learned_
    changed = {name: array.copy() for name, array in change(learned).items()}
    with pytest.raises(ValueError, match=says):
        Combined.restore(method.params, tree, learned | changed)


@pytest.mark.parametrize(("n", "n_wrong", "is_learned"), [
    (29, 10, False), (30, 10, True), (40, 4, False), (40, 5, True), (40, 35, True), (40, 36, False),
])  # fmt: skip
def test_thirty_rows_and_five_of_each_outcome_are_learned_from(n, n_wrong, is_learned):
    sides = np.random.default_rng(0).random((n, 3))
    assert bool(WeightedRanks.of(sides, np.arange(n) >= n_wrong, np.ones(n), 1.0)) == is_learned


@pytest.mark.parametrize(("n", "n_quantiles"), [(199, 199), (200, 200), (201, 200)])
def test_two_hundred_quantiles_of_the_sides_are_kept(n, n_quantiles):
    sides = np.random.default_rng(0).random((n, 2))
    learned = WeightedRanks.of(sides, np.arange(n) % 2 == 0, np.ones(n), 1.0)
    assert learned.quantiles.shape == (n_quantiles, 2)


def test_a_training_set_of_which_every_row_is_right():
    train, test = drawn(4)
    values = train.values.copy()
    numeric = next(i for i, a in enumerate(train.attributes) if not a.is_indexed)
    values[:, train.class_index] = values[:, numeric] > np.median(values[:, numeric])
    train = replace(train, values=values)
    tree = grow_info_gain(train)
    method = Combined(folds=3).fit(tree, train)
    assert np.isfinite(method.certainty(test)).all()
    laplace = tree.with_laplace(True).predict_proba(test).max(axis=1)
    if not method.learned_:
        np.testing.assert_allclose(method.certainty(test), laplace, rtol=0, atol=1e-12)


def odd():
    """Data of every odd kind, by name."""
    train, test = drawn(5, n=120)
    inputs = [i for i in range(len(train.attributes)) if i != train.class_index]
    missing, constant = train.values.copy(), train.values.copy()
    missing[:, inputs] = np.nan
    constant[:, inputs] = 0
    one_row = np.where(train.class_values == 2, 0, train.class_values).astype(float)
    one_row[0] = 2
    single = train.values.copy()
    single[:, train.class_index] = one_row
    twice = np.repeat(train.take(slice(0, 60)).values, 2, axis=0)
    endless = train.values.copy()
    endless[::7, [i for i in inputs if not train.attributes[i].is_indexed]] = [np.inf]
    unseen = train.values.copy()
    for column in (i for i in inputs if train.attributes[i].is_nominal):
        unseen[:, column] = np.minimum(unseen[:, column], 1)
    found = {"all missing": missing, "constant columns": constant, "a class with one row": single, "twins": twice}
    found |= {"infinite values": endless, "nominal values unseen": unseen}
    sets = {name: wc.Dataset(train.header, values) for name, values in found.items()}
    rng = np.random.default_rng(1)
    sets["weights"] = replace(train, weights=rng.choice([1e-9, 1.0, 1e9], len(train)))
    return sets, test


@pytest.mark.parametrize("what", odd()[0])
def test_odd_data(what):
    train, test = odd()[0][what], odd()[1]
    tree = grow_info_gain(train)
    answer = Combined(folds=4).fit(tree, train).answer(test)
    assert np.isfinite(answer.proba).all() and ((answer.certainty >= 0) & (answer.certainty <= 1)).all()
    assert answer.predicted.tolist() == tree.predict(test).tolist()
    assert all(answer.reasons)


def test_200_classes_of_2_rows():
    rng = np.random.default_rng(1)
    attributes = (*(wc.Attribute(f"x{i}") for i in range(3)), wc.Attribute("y", "nominal", tuple(map(str, range(200)))))
    values = np.column_stack((rng.normal(size=(400, 3)), np.tile(np.arange(200.0), 2)))
    data = wc.Dataset(wc.Header("many", attributes, 3), values)
    tree = grow_info_gain(data)
    answer = Combined(folds=3).fit(tree, data).answer(data.take(slice(0, 20)))
    assert np.isfinite(answer.certainty).all() and answer.proba.shape == (20, 200)


# -- what it says, and files --


def test_the_account_adds_up():
    train, test = drawn(6, n=200)
    method = Combined(folds=4).fit(grow_info_gain(train), train)
    answer = method.answer(test)
    for i in range(10):
        step = answer.explanation.account(i).certainty
        [total] = step.parts
        parts = [part.result for part in total.parts]
        assert len(parts) == 6 and total.result == pytest.approx(math.fsum(parts), abs=1e-12)
        assert 1 / (1 + math.exp(-math.fsum(parts))) == pytest.approx(answer.certainty[i], abs=1e-12)
        for part, side in zip(total.parts[1:], method.members_, strict=True):
            assert part.words.startswith(side.name) and (side.name in answer.reason(i)) == (abs(part.result) >= 0.005)
        told = {event.kind: event.details for event in answer.explanation[i]}
        assert [(told[side.name]["log_odds"]) for side in method.members_] == parts[1:]
        loud = [abs(event.details["log_odds"]) for event in answer.explanation[i]]
        assert loud == sorted(loud, reverse=True) and len(loud) == 5


@pytest.mark.parametrize("n", [20, 200])
def test_a_model_file_answers_the_same(n, tmp_path):
    train, test = drawn(7, n=n)
    method = Combined(folds=4).fit(grow_info_gain(train), train)
    wc.Model(method).save(tmp_path / "m.wct")
    loaded = load(tmp_path / "m.wct").method
    assert loaded.params == method.params and len(loaded.members_) == len(method.members_) == (5 if n > 30 else 0)
    assert loaded.certainty(test).tolist() == method.certainty(test).tolist()
    assert loaded.predict_proba(test).tolist() == method.predict_proba(test).tolist()
    assert loaded.answer(test).reasons[:] == method.answer(test).reasons[:]


# -- promises --


def promised(n=900, seed=1):
    """A fitted method, its training data, and calibration rows."""
    data = wc.load_arff(ARFF / "credit-g.arff")
    order = np.random.default_rng(seed).permutation(len(data))[:n]
    train, calibration = data.take(order[: n // 2]), data.take(order[n // 2 :])
    return Combined(folds=5).fit(wc.J48().grow(train), train), train, calibration


def test_a_promise_takes_its_candidates_from_the_sides_out_of_fold():
    """The final weights on sides that this test asks for anew; no certainty is that of a row its tree grew on."""
    method, train, calibration = promised()
    aim = Aim("error", 0.2, 0.9)
    choice = choice_promised(method, aim, calibration, train)
    certainty, right = np.zeros(len(train)), np.zeros(len(train), dtype=bool)
    fold = fold_numbers(train, 5, np.random.default_rng((1, 0)))
    for one in range(5):
        growing, asked = train.take(fold != one), train.take(fold == one)
        tree = wc.J48().grow(growing)
        answer = tree.predict(asked)
        said = sides_of([side.fit(tree, growing) for side in sides()], asked, answer)
        certainty[fold == one], right[fold == one] = method.learned_.certainty(said), answer == asked.class_values
    answer = method.answer(calibration)
    rows = Certainties(answer.certainty, answer.predicted == calibration.class_values, calibration.weights)
    by_hand = promise(0.2, aim.delta, rows, Certainties(certainty, right, train.weights), optimism=1)
    [found] = choice.promises
    assert found == by_hand and found.answered > 0


def test_a_reject_option_takes_them_from_there_too():
    data = wc.load_arff(ARFF / "credit-g.arff").to_pandas()
    X, y = data.drop(columns="class"), data["class"]
    asked = RejectOption(CombinedClassifier(folds=5), target_error=0.2, confidence=0.9, calibrate=0.5).fit(X, y)
    is_held = drawn_rows(len(y), 0.5)
    classifier = asked.estimator_
    right = classifier.predict(X[is_held]) == y[is_held]
    rows = Certainties(classifier.certainty(X[is_held]), right.to_numpy(), np.ones(is_held.sum()))
    by_hand = promise(0.2, Aim("error", 0.2, 0.9).delta, rows, out_of_fold(classifier.method_).predicting(None))
    [found] = asked.choice_.promises
    assert (found.threshold, found.answered, found.wrong) == (by_hand.threshold, by_hand.answered, by_hand.wrong)
    assert found.answered > 0


def test_a_method_from_a_file_asks_growing_rows(tmp_path):
    method, train, calibration = promised(600)
    wc.Model(method).save(tmp_path / "m.wct")
    loaded = load(tmp_path / "m.wct").method
    assert pickle.loads(pickle.dumps(method)).held_out is None, "a pickle keeps no training instances"
    assert loaded.held_out is None and out_of_fold(loaded) is None and out_of_fold(method) is not None
    aim = Aim("error", 0.25, 0.9)
    known = out_of_fold(method)
    choices = [choice_promised(one, aim, calibration, train) for one in (method, loaded)]
    assert choices[0].promises[0].n == choices[1].promises[0].n == 300
    assert known.correct.mean() < (method.predict(train) == train.class_values).mean()


def test_the_largest_distance_has_a_place():
    """Above all others, and beside itself; without a warning, which this suite makes an error."""
    largest = np.finfo(float).max
    quantiles = np.array([[1.0], [2.0], [largest]])
    assert places(np.array([[largest], [np.inf], [0.0]]), quantiles).ravel().tolist() == [5, 6, 0]
