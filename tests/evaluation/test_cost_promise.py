"""Promised mean costs: equal to the literal form, kept on known populations, and checked like all else in a file."""

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest
from reference.cost_promise_reference import level as level_by_hand
from reference.cost_promise_reference import mean_bound as mean_bound_by_hand
from reference.cost_promise_reference import mean_tail as mean_tail_by_hand
from reference.cost_promise_reference import plan as plan_by_hand
from reference.cost_promise_reference import promise_cost as promise_by_hand
from scipy.stats import binomtest
from sklearn.base import clone

import wekaconf as wc
from wekaconf.data import CostMatrix
from wekaconf.data.wording import bound_text
from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.checks import CheckedCost
from wekaconf.evaluation.promises import CostedRows, CostPromise, mean_bound, mean_tail, promise_cost
from wekaconf.evaluation.promises._cost_promise import CostLevel, CostPlan, _Expected
from wekaconf.evaluation.protocol import splits
from wekaconf.evaluation.thresholds import (
    AnsweredRows,
    Choice,
    Order,
    change_targets,
    choices,
    choose_promised,
    draw_rows,
    promise_lines,
    rejection_of,
)
from wekaconf.experiments.studies._study import protocol_of
from wekaconf.sklearn import MBranchClassifier, RejectOption

ARFF = Path(__file__).parents[2] / "arff"
NAMES = ("no", "yes", "perhaps")
MATRIX = CostMatrix(((0, 1, 2), (10, 0, 2), (3, 1, 0.5)))


@pytest.mark.parametrize("seed", range(20))
def test_tails_and_bounds_equal_plain_arithmetic(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 150))
    mean = float(rng.choice([0, 1, rng.random(), rng.integers(0, n + 1) / n]))
    largest, delta = float(rng.random()), float(rng.random())
    assert float(mean_tail(mean, n, largest)) == pytest.approx(mean_tail_by_hand(mean, n, largest), rel=1e-9, abs=1e-15)
    assert float(mean_bound(mean, n, delta)) == pytest.approx(mean_bound_by_hand(mean, n, delta), abs=1e-9)


def test_tails_at_the_ends():
    assert mean_tail([0.0, 0.5, 1.0], 10, 1.0).tolist() == [0, 0, 0]
    assert mean_tail([0.0, 0.5, 1.0], 10, 0.0).tolist() == [1, 1, 1]
    assert mean_bound([0.0, 1.0], 0, 0.05).tolist() == [1, 1]
    assert mean_bound(1.0, 10, 0.05) == 1


@pytest.mark.parametrize("seed", range(10))
def test_a_tail_is_a_p_value_of_losses_of_any_kind(seed):
    """How often the tail falls below a level where the hypothesis is just true."""
    rng = np.random.default_rng(seed)
    values = np.array([0.0, 0.1, rng.random(), 1.0])
    shares = rng.dirichlet(np.ones(4))
    n, draws = int(rng.choice([5, 40, 300])), 20_000
    means = rng.multinomial(n, shares, size=draws) @ values / n
    tails = mean_tail(means, n, float(shares @ values))
    for level in (0.01, 0.1, 0.5):
        assert binomtest(int((tails <= level).sum()), draws, level, alternative="greater").pvalue > 1e-4


def drawn(rng, n, n_values, slope, costs):
    """Certainties with ties, and answers that are right more often where they are high."""
    certainty = rng.integers(0, n_values, n) / n_values
    predicted = rng.integers(0, 3, n)
    correct = rng.random(n) < 1 - slope * (1 - certainty)
    actual = np.where(correct, predicted, (predicted + rng.integers(1, 3, n)) % 3)
    return AnsweredRows(certainty, correct, np.ones(n), predicted, actual)


@pytest.mark.parametrize("seed", range(60))
def test_equals_the_literal_form(seed):
    rng = np.random.default_rng(seed)
    n_values, slope = int(rng.choice([1, 3, 30, 500])), float(rng.choice([0.02, 0.1, 0.4]))
    costs = RejectCosts(*[(5, 1), (1, 3), (MATRIX, 1), (MATRIX, 0), (1, 0.25)][seed % 5])
    rows, reference = (drawn(rng, int(rng.integers(1, 300)), n_values, slope, costs).costed(costs) for _ in range(2))
    target, delta, optimism = float(rng.choice([0.1, 0.3, 1, 4])), float(rng.choice([0.05, 0.5])), int(seed % 2) * 2 + 1
    found = promise_cost(target, delta, costs, rows, reference, optimism=optimism)
    triples = [list(zip(*(array.tolist() for array in part), strict=True)) for part in (rows, reference)]
    threshold, answered, wrong, cost = promise_by_hand(
        target, delta, costs.rejection, costs.largest, *triples, optimism
    )
    assert (found.threshold, found.answered, found.wrong) == (threshold, answered, wrong)
    assert found.cost == pytest.approx(cost, abs=1e-9)
    for level, bound in zip(found.levels, found.bounds.tolist(), strict=True):
        *counts, summed = level_by_hand(triples[0], level.threshold, costs.rejection)
        assert [level.answered, level.wrong] == counts and level.cost == pytest.approx(summed, abs=1e-9)
        mean = summed / found.n / costs.largest
        assert bound == pytest.approx(
            costs.largest * mean_bound_by_hand(mean, found.n, delta / len(found.levels)), abs=1e-8
        )
    assert (found.n, found.n_wrong) == (len(rows.certainty), int((~rows.correct).sum()))


@pytest.mark.parametrize("optimism", [1, 3])
@pytest.mark.parametrize("costs", [
    RejectCosts(5, 0.25), RejectCosts(5, 1), RejectCosts(1, 3), RejectCosts(MATRIX, 0), RejectCosts(MATRIX, 4),
])  # fmt: skip
def test_the_first_test_is_that_of_the_candidate_that_passes_most_surely(costs, optimism):
    rng = np.random.default_rng(5)
    reference = drawn(rng, 400, 30, 0.4, costs).costed(costs)
    target, delta, n = 0.8, 0.1, 300
    triples = list(zip(*(array.tolist() for array in reference), strict=True))
    plan = CostPlan.of(target, delta, costs, reference, n, optimism=optimism)
    by_hand = plan_by_hand(target, delta, costs.rejection, costs.largest, n, triples, optimism)
    assert plan.threshold.tolist() == by_hand


@pytest.mark.parametrize("costs", [RejectCosts(5, 0.5), RejectCosts(MATRIX, 0.8)], ids=str)
@pytest.mark.drawn(1)
def test_promises_are_kept(costs):
    """The share of promises that a known population breaks, for each of three targets; also of all bounds at once."""
    rng = np.random.default_rng(1)
    people = drawn(rng, 20_000, 40, 0.4, costs).costed(costs)
    reference = CostedRows(*(array[:1000] for array in people))
    draws, delta = 300, 0.1
    for target in (0.6, 0.7, 0.9):
        broken = outside = answered = 0
        for _ in range(draws):
            chosen = rng.integers(0, 20_000, 800)
            rows = CostedRows(*(array[chosen] for array in people))
            found = promise_cost(target, delta, costs, rows, reference, optimism=1)
            answered += found.is_reached
            broken += bool(found.is_reached and true_cost(people, found.threshold, costs) > target)
            true_costs = [true_cost(people, level.threshold, costs) for level in found.levels[::5]]
            outside += bool((found.bounds[::5] < true_costs).any())
        assert answered > 0 or target < 0.9
        assert binomtest(broken, draws, delta, alternative="greater").pvalue > 0.001
        assert binomtest(outside, draws, delta, alternative="greater").pvalue > 0.001


def true_cost(people, threshold, costs):
    return float(np.where(people.certainty >= threshold, people.cost, costs.rejection).mean())


# ---- choices, and their records ----

AIM = Aim("mean_cost", 0.8, 0.9, RejectCosts(MATRIX, 1))


@pytest.fixture(scope="module")
def choice():
    rng = np.random.default_rng(3)
    costs = AIM.reject_costs
    return choose_promised(AIM, drawn(rng, 700, 40, 0.1, costs), Order(drawn(rng, 900, 40, 0.1, costs), 3), NAMES)


def test_a_choice_holds_its_promise_and_its_record_says_the_same(choice):
    [promise] = choice.promises
    assert promise.is_reached and choice.is_reached and choice.threshold == promise.threshold
    assert choice.figures.wrong == promise.wrong and choice.figures.n == promise.n == 700
    read = Choice.of_record(json.loads(json.dumps(choice.as_record())))
    assert read == choice and read.aim == AIM
    assert str(AIM) == "mean cost at most 0.8 with confidence 90 %, costs [0 1 2; 10 0 2; 3 1 0.5]:1"


def test_an_answer_of_an_unknown_class_costs_the_most():
    costs = RejectCosts(MATRIX, 1)
    assert costs.of_answers(np.array([-1, 0, 2]), np.array([0, 2, 2])).tolist() == [10, 2, 0.5]
    whole = RejectCosts(4, np.int64(1))
    assert whole.of_answers(np.array([-1, 0, 2]), np.array([0, 2, 2])).tolist() == [4, 4, 0]
    assert type(whole.answers) is float and type(whole.rejection) is float  # as a model file holds them


def test_another_target_from_the_sums_of_the_model(choice):
    [promise] = choice.promises
    bounds = promise.bounds
    target = float(bounds[len(bounds) // 2])
    found = change_targets(choice, dataclasses.replace(AIM, value=target), NAMES)
    kept = max(i for i, bound in enumerate(bounds) if bound <= target)
    assert found.threshold == promise.levels[kept].threshold and found.promises[0].target == target
    assert Choice.of_record(json.loads(json.dumps(found.as_record()))) == found
    assert change_targets(choice, AIM, NAMES) == choice
    nothing = change_targets(choice, dataclasses.replace(AIM, value=0.01), NAMES)
    assert nothing.threshold == np.inf and nothing.promises[0].cost == 700
    for other in (Aim("error", 0.1, 0.9), dataclasses.replace(AIM, reject_costs=RejectCosts(MATRIX, 2))):
        with pytest.raises(wc.OptionError, match="need another calibration"):
            change_targets(choice, other, NAMES)
    by_error = choose_promised(Aim("error", 0.4, 0.9), drawn(np.random.default_rng(1), 99, 9, 0.1, None), None, NAMES)
    with pytest.raises(wc.OptionError, match="need another calibration"):
        change_targets(by_error, AIM, NAMES)


@pytest.mark.parametrize(
    "change",
    [
        {"cost": -1.0}, {"cost": 7001.0}, {"cost": float("nan")}, {"answered": 701}, {"wrong": 600}, {"n": 10},
        {"delta": 0.0}, {"target": 0.0}, {"target": 0.3}, {"n_wrong": 0}, {"answered": 1.5}, 
        {"threshold": float("nan")}, {"threshold": 2.0}, {"threshold": float("inf")}, {"levels": []},
        {"n": 10**12, "n_wrong": 10**9},
    ],
    ids=str,
)  # fmt: skip
def test_sums_that_do_not_show_the_promise_are_refused(choice, change):
    record = choice.promises[0].as_record() | change
    with pytest.raises(ValueError, match="promise: "):
        CostPromise.of_record(record, AIM.reject_costs)


@pytest.mark.parametrize("change", [{"target": 0.0}, {"target": math.inf}, {"delta": 0.0}, {"delta": 1.0}], ids=str)
def test_a_target_or_a_confidence_that_none_can_have_is_named(choice, change):
    record = choice.promises[0].as_record() | change
    got = f"got {record['target']!r} and {record['delta']!r}"
    with pytest.raises(ValueError, match=f"expected a cost and a probability, {got}"):
        CostPromise.of_record(record, AIM.reject_costs)


def test_its_own_target_is_answered_by_its_own_threshold(choice):
    """Though none of the other thresholds is that one."""
    record = choice.promises[0].as_record()
    promise = CostPromise.of_record(record | {"levels": record["levels"][:1]}, AIM.reject_costs)
    assert promise.of_target(0.8) == promise != promise.of_target(0.81)


def test_levels_that_contradict_one_another_are_refused(choice):
    record = choice.promises[0].as_record()
    for levels in (record["levels"][::-1], record["levels"] * 2, [(*record["levels"][0][:3], -1.0)]):
        with pytest.raises(ValueError, match="promise: "):
            CostPromise.of_record(record | {"levels": levels}, AIM.reject_costs)


def test_sentences(choice):
    [line] = promise_lines(choice, NAMES)
    [promise] = choice.promises
    assert line == (
        f"threshold {promise.threshold:.6g}: with confidence 90 %, the mean cost per row is at most 0.8; of 700 "
        f"calibration rows it answers {promise.answered}, {promise.wrong} of them wrong, at a mean cost of "
        f"{promise.cost / 700:.4g}"
    )
    [line] = promise_lines(change_targets(choice, dataclasses.replace(AIM, value=0.01), NAMES), NAMES)
    bound, coverage = promise.best
    assert line == (
        "700 calibration rows cannot show with confidence 90 % that the mean cost per row is at most 0.01, so all are "
        "rejected, at a cost of 1 per row; what these rows can promise: at most "
        f"{bound_text(bound)} per row, at coverage {100 * coverage:.3g} %"
    )


def test_a_target_at_a_bound_is_kept(choice):
    [promise] = choice.promises
    for place, bound in enumerate(promise.bounds.tolist()):
        assert promise.of_target(bound).answered >= promise.levels[place].answered
    assert "levels" not in repr(promise)


def test_one_row_promises_nothing():
    rows = drawn(np.random.default_rng(1), 1, 1, 0, None)
    [promise] = choose_promised(Aim("mean_cost", 0.1, 0.95, RejectCosts(1, 1)), rows, None, NAMES).promises
    assert not promise.is_reached and promise.best is None and promise.levels == ()
    assert "these rows can promise nothing" in promise_lines(
        choose_promised(Aim("mean_cost", 0.1, 0.95, RejectCosts(1, 1)), rows, None, NAMES), NAMES
    )[0]  # fmt: skip


def test_a_single_row_is_judged_by_its_own_cost():
    """A mean of 0.3 where 0.9 is expected has a p-value of 0.36."""
    costs, level = RejectCosts(1, 1), CostLevel(0.5, 1, 0, 0.3)
    one = CostPromise(0.9, 0.4, costs, *level, n=1, n_wrong=0, levels=(level,))
    assert one.bounds == pytest.approx([mean_bound_by_hand(0.3, 1, 0.4)], abs=1e-9)
    rows = CostedRows(np.array([0.5]), np.array([True]), np.array([0.3]))
    for delta, is_reached in ((0.4, True), (0.3, False)):
        plan = CostPlan(0.9, delta, costs, np.array([0.5]), np.array([0.5]))
        assert plan.promise(rows).is_reached == is_reached
    with pytest.raises(ValueError, match=r"1 rows at 0\.3 do not show a mean cost of at most 0\.9"):
        dataclasses.replace(one, delta=0.3)


def test_a_target_above_every_cost_is_kept_by_answering_all():
    rows = drawn(np.random.default_rng(1), 200, 10, 0.5, None)
    [promise] = choose_promised(Aim("mean_cost", 6, 0.95, RejectCosts(5, 6)), rows, Order(rows, 3), NAMES).promises
    assert promise.answered == promise.n == 200 and promise.bounds.max() <= 6


# ---- what is refused ----


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Aim("mean_cost", 0.5, 0.95), "reject_costs and target_cost need one another"),
    (lambda: Aim("error", 0.5, 0.95, RejectCosts(1, 1)), "reject_costs and target_cost need one another"),
    (lambda: Aim("mean_cost", 0.5, None, RejectCosts(1, 1)), "target_cost is a promise, so it needs confidence"),
    (lambda: Aim("mean_cost", 0, 0.95, RejectCosts(1, 1)), "target_cost must be a cost of more than 0, got 0"),
    (lambda: Aim("mean_cost", float("inf"), 0.95, RejectCosts(1, 1)), "must be a cost of more than 0, got inf"),
    (lambda: Aim("mean_cost", 1.5, 0.95, RejectCosts(9, 1)), "must be at most 1, which rejecting every row costs"),
    (lambda: Aim("mean_cost", 0.1, 0.95, RejectCosts(9, 0)), "must be at most 0, which rejecting every row costs"),
    (lambda: Aim("mean_cost", "1", 0.95, RejectCosts(1, 1)), "target_cost must be a cost of more than 0, got '1'"),
    (lambda: Aim.parse("mean_cost", "1:2", 0.95, RejectCosts(1, 1)), "expects a cost, such as 0.5, got '1:2'"),
    (lambda: RejectCosts(0, 1), "reject_costs: an error must cost more than 0, got 0"),
    (lambda: RejectCosts(float("inf"), 1), "reject_costs: an error must cost more than 0, got inf"),
    (lambda: RejectCosts(1, float("inf")), "reject_costs: a rejection must cost at least 0, got inf"),
    (lambda: RejectCosts(True, 1), "an error must cost more than 0, got True"),
    (lambda: RejectCosts(1, -1), "a rejection must cost at least 0, got -1"),
    (lambda: RejectCosts(1, float("nan")), "a rejection must cost at least 0, got nan"),
    (lambda: RejectCosts(CostMatrix(((-1, 1), (1, -1))), 1), "every answer must cost at least 0"),
    (lambda: RejectCosts.parse("-5:1"), "an error must cost more than 0, got -5"),
    (lambda: RejectCosts.parse("0:1"), "an error must cost more than 0, got 0"),
    (lambda: RejectCosts.parse("10"), "expects the cost of an error, or Weka's cost file, and that of a rejection"),
    (lambda: RejectCosts.parse(":1"), "got ':1'"),
    (lambda: RejectCosts.parse("10:x"), "and that of a rejection, such as .* got '10:x'"),
    (lambda: RejectCosts.parse("none.cost:1"), "none.cost: no such file"),
    (lambda: RejectCosts.parse("[0 1; x 0]:1"), "expected a number as the cost, got 'x'"),
])  # fmt: skip
def test_costs_and_aims_that_are_none(make, message):
    with pytest.raises(wc.OptionError, match=message):
        make()


def test_costs_as_text(tmp_path):
    file = tmp_path / "a:b.cost"
    file.write_text("2 2\n0 1\n5 0\n")
    by_file, by_text = RejectCosts.parse(f"{file}:0.5"), RejectCosts.parse("[0 1; 5 0]:0.5")
    assert by_file == by_text == RejectCosts(CostMatrix(((0, 1), (5, 0))), 0.5)
    assert RejectCosts.parse(str(by_text)) == by_text
    assert RejectCosts.parse("10:1") == RejectCosts(10, 1) and str(RejectCosts(10, 1)) == "10:1"


def test_costs_of_other_classes_are_refused():
    rows = drawn(np.random.default_rng(1), 50, 10, 0.1, None)
    with pytest.raises(
        wc.OptionError, match=r"reject_costs.*3 rows and columns, one per class \('no', 'yes', 'perhaps'\)"
    ):
        choose_promised(Aim("mean_cost", 1, 0.9, RejectCosts(CostMatrix(((0, 1), (5, 0))), 1)), rows, None, NAMES)


def test_what_reference_rows_let_expect_by_hand():
    """Of three rows, the wrong one counted twice, and of one more that costs the most; rejected ones cost 1 of 4."""
    rows = CostedRows(np.array([0.9, 0.6, 0.3]), np.array([True, False, True]), np.array([0.0, 2.0, 0.0]))
    found = _Expected.of(rows, RejectCosts(4, 1), 2.0)
    costs = [[0, 0.25, 0.25, 1], [0, 0.5, 0.5, 0.25, 1], [0, 0.5, 0.5, 0, 1]]
    assert found.threshold.tolist() == [0.9, 0.6, 0.3]
    assert found.mean == pytest.approx([np.sum(each) / 4 for each in costs])
    squares = [np.sum(np.square(each)) / 4 for each in costs]
    assert found.deviation == pytest.approx(np.sqrt(squares - found.mean**2))


def test_a_check_rejects_what_is_dearer_than_promised():
    dear, cheap = CheckedCost("", 0.5, 400, 300, 0.8, 5), CheckedCost("", 0.5, 400, 300, 0.51, 5)
    assert dear.p_value < 1e-3
    assert 0.05 < cheap.p_value <= 1
    assert CheckedCost("", 0.5, 400, 300, 0.4, 5).p_value == 1 == CheckedCost("", 0.5, 0, 0, 0.0, 5).p_value
    low, high = dear.interval
    assert 0.5 < low < 0.8 < high < 1.1
    in_units_of_the_largest = CheckedCost("", 0.1, 400, 300, 0.16, 1).interval
    assert (low, high) == pytest.approx([5 * end for end in in_units_of_the_largest])
    assert dear.p_value == pytest.approx(mean_tail_by_hand(1 - 0.8 / 5, 400, 1 - 0.5 / 5))


# ---- estimators, protocols and studies ----


@pytest.fixture(scope="module")
def wine():
    data = wc.load_arff(ARFF / "wine.arff")
    order = np.random.RandomState(1).permutation(len(data))
    return data.take(order[:100]), data.take(order[100:])


@pytest.mark.parametrize("matrix", [False, True])
def test_an_estimator_promises_what_the_library_does(wine, matrix):
    growing, calibration = wine
    tree = wc.InfoGain().grow(growing)
    costs = ((0, 2, 3), (1, 0, 1), (4, 4, 0)) if matrix else 2
    X, y = (np.delete(growing.values, growing.class_index, axis=1), np.array(growing.class_names)[growing.class_values])
    held_out = (
        np.delete(calibration.values, calibration.class_index, axis=1),
        np.array(calibration.class_names)[calibration.class_values],
    )
    option = RejectOption(
        MBranchClassifier(learner="info_gain"), target_cost=0.9, costs=costs, reject_cost=1, confidence=0.9,
        calibrate=held_out,
    ).fit(X, y)  # fmt: skip
    aim = Aim("mean_cost", 0.9, 0.9, RejectCosts(CostMatrix(costs) if matrix else 2, 1))
    learner = wc.InfoGain()
    [choice] = choices(
        rejection_of(aim, "out-of-fold"), [wc.method("m_branch").fit(tree, growing)], growing, calibration,
        grow=learner.grow,
    )  # fmt: skip
    assert option.choice_ == choice and choice.is_reached
    np.testing.assert_array_equal(option.reject(held_out[0]), option.certainty(held_out[0]) < choice.threshold)
    strange = (held_out[0], np.where(held_out[1] == growing.class_names[0], "other", held_out[1]))
    [dearer] = clone(option).set_params(calibrate=strange, target_cost=0.95).fit(X, y).choice_.promises
    assert dearer.levels[-1].cost > choice.promises[0].levels[-1].cost


def test_an_evaluation_promises_in_each_fold(wine):
    data = wine[0].join(wine[1])
    aim = Aim("mean_cost", 0.95, 0.8, RejectCosts(2, 1))
    protocol = wc.Protocol(folds=3, aim=aim, calibrate=0.4)
    [(record, answers)] = wc.evaluate(data, methods="m_branch", protocol=protocol, learner="info_gain")
    assert record["aim"] == str(aim) and record["threshold_from"] == "calibration"
    for fold, (train, _) in enumerate(splits(data, folds=3)):
        held_out = draw_rows(len(train), 0.4)
        growing, calibration = data.take(train[~held_out]), data.take(train[held_out])
        method = wc.method("m_branch").fit(wc.InfoGain().grow(growing), growing)
        [choice] = choices(rejection_of(aim, "out-of-fold"), [method], growing, calibration, grow=wc.InfoGain().grow)
        assert answers.choices[fold] == choice


def test_a_study_takes_a_target_cost(tmp_path):
    path = tmp_path / "study.toml"
    text = 'data = ["iris.arff"]\nmethods = ["m_branch"]\n[[protocol]]\naim = "mean_cost 0.2"\nconfidence = 0.9\n'
    path.write_text(f'{text}reject_costs = "[0 1 2; 1 0 2; 1 1 0]:0.25"\n')
    aim = protocol_of(wc.read_study(path).protocols[0]).aim
    assert aim == Aim("mean_cost", 0.2, 0.9, RejectCosts(CostMatrix(((0, 1, 2), (1, 0, 2), (1, 1, 0))), 0.25))
    for wrong, message in ((text, "need one another"), (f"{text}reject_costs = 5\n", "reject_costs")):
        path.write_text(wrong)
        with pytest.raises(wc.OptionError, match=message):
            wc.read_study(path)
    path.write_text('data = ["iris.arff"]\nmethods = ["m_branch"]\n[[protocol]]\nreject_costs = "5:1"\n')
    with pytest.raises(wc.OptionError, match="belong to an aim"):
        wc.read_study(path)
