"""Error targets with a confidence: equal to exact arithmetic, and kept on known populations."""

import dataclasses
import json
import math
import re
import zipfile

import numpy as np
import pytest
import scipy.stats
from reference.promise_reference import bounds as bounds_by_hand
from reference.promise_reference import plan as plan_by_hand
from reference.promise_reference import promise as promise_by_hand
from reference.promise_reference import tail as tail_by_hand
from reference.promise_reference import upper_bound as upper_bound_by_hand
from scipy.stats import binom
from support.promises import choice_promised
from support.small_data import small
from support.split_cases import halves

import wekaconf as wc
from wekaconf.data.wording import bound_text, percent_bound
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.checks import Checked, Repeats
from wekaconf.evaluation.checks import lines as promise_check_lines
from wekaconf.evaluation.measures import Certainties
from wekaconf.evaluation.promises import Level, Promise, _promise, interval, least_answers, promise, tail, upper_bound
from wekaconf.evaluation.promises._promise import TestPlan as Plan
from wekaconf.evaluation.promises._promise import best_bound, n_passing, spread, surest
from wekaconf.evaluation.protocol import splits
from wekaconf.evaluation.thresholds import (
    AnsweredRows,
    Choice,
    Order,
    Rejection,
    change_targets,
    choices,
    choices_summary,
    choose,
    choose_promised,
    choose_threshold,
    draw_growing_rows,
    draw_rows,
    nearest_target,
    promise_lines,
    promise_sentence,
    rejection_of,
)
from wekaconf.evaluation.thresholds._promised_choice import make_choice
from wekaconf.evaluation.thresholds._rejection import find_orders
from wekaconf.model.fit import threshold as session_threshold
from wekaconf.model.fitted import SeenRows


@pytest.mark.parametrize("seed", range(20))
def test_tails_and_bounds_equal_exact_arithmetic(seed):
    rng = np.random.default_rng(seed)
    answered = int(rng.integers(1, 120))
    wrong, error, delta = int(rng.integers(0, answered + 1)), float(rng.random()), float(rng.random())
    assert float(tail(wrong, answered, error)) == pytest.approx(float(tail_by_hand(wrong, answered, error)), rel=1e-9)
    assert float(upper_bound(wrong, answered, delta)) == pytest.approx(
        upper_bound_by_hand(wrong, answered, delta), abs=1e-9
    )
    low, high = interval(wrong, answered, 1 - delta)
    reference = scipy.stats.binomtest(wrong, answered).proportion_ci(1 - delta)
    assert (low, high) == pytest.approx((reference.low, reference.high), abs=1e-9)


def test_bounds_of_no_answers_and_of_nothing_but_errors():
    assert upper_bound([0, 3], [0, 3], 0.05).tolist() == [1.0, 1.0]
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(5, 60) == interval(5, 60, 0.95)
    assert tail(0, 0, 0.1) == 1


@pytest.mark.parametrize("n", [1, 2, 5])
def test_one_right_answer_bounds_the_error(n):
    """All n are wrong with probability errorⁿ."""
    assert float(upper_bound(n - 1, n, 0.05)) == pytest.approx(0.95 ** (1 / n))
    assert interval(1, n)[0] == pytest.approx(1 - 0.975 ** (1 / n))


@pytest.mark.parametrize(("error", "delta", "n"), [(0.02, 0.05, 149), (0.05, 0.05, 59), (0.1, 0.1, 22), (0.5, 0.5, 1),
                                                   (0.5, 0.25, 2)])  # fmt: skip
def test_least_answers(error, delta, n):
    assert least_answers(error, delta) == n
    assert (1 - error) ** n <= delta < (1 - error) ** (n - 1)


def drawn(rng, n, n_values, slope):
    """Certainties with ties, and answers that are right more often where they are high."""
    certainty = rng.integers(0, n_values, n) / n_values
    return Certainties(certainty, rng.random(n) < 1 - slope * (1 - certainty), np.ones(n))


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.drawn(3)
def test_equals_the_literal_form(seed):
    rng = np.random.default_rng(seed)
    n_values, slope = int(rng.choice([1, 3, 30, 500])), float(rng.choice([0.02, 0.1, 0.4]))
    rows, reference = (drawn(rng, int(rng.integers(1, 300)), n_values, slope) for _ in range(2))
    target, delta, optimism = (
        float(rng.choice([0.02, 0.05, 0.1, 0.3])),
        float(rng.choice([0.05, 0.1, 0.5])),
        int(rng.choice([1, 3])),
    )
    found = promise(target, delta, rows, reference, optimism=optimism)
    pairs = [list(zip(part.certainty.tolist(), part.correct.tolist(), strict=True)) for part in (rows, reference)]
    assert (found.threshold, found.answered, found.wrong) == promise_by_hand(target, delta, *pairs, optimism)
    by_hand = bounds_by_hand(delta, *pairs)
    assert list(found.levels) == [level[:3] for level in by_hand]
    assert found.bounds == pytest.approx([level[3] for level in by_hand], abs=1e-9)
    assert (found.n, found.n_wrong) == (len(rows.certainty), int((~rows.correct).sum()))


@pytest.mark.parametrize(("n_levels", "n", "is_read"), [
    (20, 2**31 - 1, True), (21, 1000, False), (20, 2**31, False),
])  # fmt: skip
def test_a_record_holds_twenty_thresholds_and_rows_below_two_to_the_31(n_levels, n, is_read):
    levels = [(1 - i / 100, 10 * (i + 1), 0) for i in range(n_levels)]
    record = dict(target=0.1, delta=0.1, threshold=math.inf, answered=0, wrong=0, n=n, n_wrong=0, levels=levels,
                  class_name="")  # fmt: skip
    if is_read:
        assert Promise.of_record(record).n == n
    else:
        with pytest.raises(ValueError, match="whole numbers of at most 2147483647 rows for at most 20 thresholds"):
            Promise.of_record(record)


@pytest.mark.parametrize(("n", "n_candidates"), [(199, 199), (200, 200), (201, 200), (999, 200)])
def test_there_are_two_hundred_candidates_at_most(n, n_candidates):
    """Where none errs, all rows together pass most surely, and nothing lower is left to test."""
    reference = Certainties(np.arange(n, 0, -1) / n, np.ones(n, dtype=np.bool_), np.ones(n))
    plan = Plan.of(0.1, 0.1, reference, 5000)
    assert len(plan.threshold) == n_candidates and len(plan.kept) == 20
    assert plan.start == n_candidates - 1


@pytest.mark.parametrize("optimism", [1, 3])
@pytest.mark.parametrize("target", [1 / 4, 1 / 16, 1 / 32, 1 / 64])
@pytest.mark.parametrize("n_values", [10, 1000])
def test_the_tests_begin_where_they_pass_most_surely(target, optimism, n_values):
    reference = drawn(np.random.default_rng(5), 400, n_values, 0.1)
    pairs = list(zip(reference.certainty.tolist(), reference.correct.tolist(), strict=True))
    plan = Plan.of(target, 1 / 8, reference, 300, optimism=optimism)
    assert (plan.first, plan.threshold[plan.start :].tolist()) == plan_by_hand(target, 1 / 8, 300, pairs, optimism)


def test_a_candidate_is_expected_to_err_beside_twenty_rows_that_err_as_all_do():
    """Four of ten are wrong, half as many again are expected, so 12 of the 20; one more is wrong, and one right."""
    found = _promise._expected(np.array([2.0, 4, 10]), np.array([0.0, 1, 4]), 1.5)
    share_at, share, wrong, right = [0.2, 0.2, 0.6], [0.2, 0.4, 1], [13, 14.5, 19], [11, 11.5, 13]
    np.testing.assert_allclose(found, [share_at, share, wrong, right])
    [capped] = _promise._expected(np.array([2.0]), np.array([1.0]), 3)[2]
    assert capped == 2 + 20 + 1, "no more rows are wrong than there are"


@pytest.mark.parametrize(("sizes", "n_right", "target", "delta", "n", "first"), [
    ([1] * 10, 1, 1 / 2, 3 / 4, 1, 1), ([1] * 100, 29, 0.1, 0.05, 100, 29), ([1, 1, 2], 2, 1 / 2, 1 / 2, 4, 0),
], ids=["less than a row is one", "29 of 100 are 29", "as wide as its number varies"])  # fmt: skip
def test_a_plan_for_few_rows_is_exact(sizes, n_right, target, delta, n, first):
    """The most certain rows are answered rightly; ``sizes`` are the numbers of rows that are equally certain."""
    certainty = 1 - np.repeat(np.arange(len(sizes)), sizes) / 128
    correct = np.arange(len(certainty)) < n_right
    plan = Plan.of(target, delta, Certainties(certainty, correct, np.ones(len(certainty))), n)
    pairs = list(zip(certainty.tolist(), correct.tolist(), strict=True))
    found = plan.first, plan.threshold[plan.start :].tolist()
    assert found == plan_by_hand(target, delta, n, pairs, 1) and plan.first == first


@pytest.mark.parametrize(("answered", "delta", "most", "fewest"), [
    (1, 0.5, 0, 1), (1, 0.49, -1, 1), (2, 0.25, 0, 2), (3, 0.5, 1, 3), (3, 0.49, 0, 2), (3, 0.875, 2, 3),
    (4, 0.25, 0, 2), (30, 0.5, 14, 29),
])  # fmt: skip
def test_as_many_errors_are_allowed_as_just_pass(answered, delta, most, fewest):
    """Where half of the answers are wrong, the probabilities of few errors are whole numbers of 2⁻ⁿ."""
    allowed = _promise._most_errors(np.array([answered]), 0.5, delta)
    assert allowed.tolist() == [most]
    assert _promise._fewest_rows(allowed, np.array([answered]), 0.5, delta).tolist() == [fewest]


def test_few_equally_certain_rows_are_counted_and_many_are_not():
    """At 5 %, 59 answers show it without an error; a candidate that expects 60 of them has 60 only by luck."""
    n, error = 500, 0.05
    alone = np.arange(1000, 0, -1) / 1000
    correct = np.arange(1000) < 200
    plan = Plan.of(error, 0.05, Certainties(alone, correct, np.ones(1000)), n)
    assert plan.first and not plan.start and tail(0, 59, error) <= 0.05
    together = Plan.of(error, 0.05, Certainties(np.floor(alone * 5), correct, np.ones(1000)), n)
    assert not together.first


BLOCKS = {
    "errors where the answers are most certain": ([0.05, 0.3, 0.65], [0.4, 0.02, 0.3]),
    "the target is crossed five times": ([0.02, 0.08, 0.1, 0.15, 0.15, 0.5], [0.02, 0.15, 0.01, 0.18, 0.03, 0.4]),
    "at the target everywhere": ([0.2, 0.3, 0.5], [0.1001, 0.1001, 0.1001]),
    "rising": ([0.1, 0.2, 0.3, 0.4], [0.01, 0.11, 0.2, 0.4]),
}
"""What share of the rows each block holds, from the most certain on, and how often its answers are wrong."""


@pytest.mark.parametrize("is_tied", [False, True])
@pytest.mark.parametrize("first", [0, 22, 40, 70])
@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.drawn(6)
def test_no_population_breaks_a_promise_more_often_than_allowed(blocks, first, is_tied):
    """Whatever the errors are at which certainty, and wherever the tests begin."""
    share, error = map(np.array, BLOCKS[blocks])
    end = np.cumsum(share)
    candidates = 1 - (end if is_tied else np.arange(1, 101) / 100)
    plan = Plan(0.1, 0.1, candidates, first, 0 if first else len(candidates) // 5, candidates[:1])
    rng, n, n_draws, broken = np.random.default_rng(first), 200, 1500, 0
    for _ in range(n_draws):
        place = rng.random(n)
        block = np.searchsorted(end, place)
        certainty = 1 - (end[block] if is_tied else place)
        threshold = plan.promise(Certainties(certainty, rng.random(n) >= error[block], np.ones(n))).threshold
        if threshold < np.inf:
            answered = np.clip(1 - threshold - (end - share), 0, share)
            broken += (answered * error).sum() > 0.1 * answered.sum() + 1e-9
    assert scipy.stats.binomtest(broken, n_draws, 0.1, alternative="greater").pvalue > 0.001


def test_a_few_certain_rows_without_an_error_are_no_start():
    """Of 1,000 rows the 30 most certain err in none, the others in a tenth; 9 of 300 answers show no error of 10 %."""
    correct = np.ones(1000, dtype=np.bool_)
    correct[30::10] = False
    reference = Certainties(np.arange(1000, 0, -1) / 1000, correct, np.ones(1000))
    plan = Plan.of(0.2, 0.1, reference, 300)
    assert plan.threshold[plan.start] < 0.5


def test_where_all_rows_are_tested_first_the_lowest_candidate_is_next():
    """20 answers without an error show it, the five at the higher candidate do not."""
    plan = Plan(0.1, 0.2, np.array([0.9, 0.5]), 20, 0, np.array([0.5]))
    certainty = np.where(np.arange(20) < 5, 0.9, 0.5)
    found = plan.promise(Certainties(certainty, np.ones(20, dtype=np.bool_), np.ones(20)))
    assert (found.threshold, found.answered) == (0.5, 20)


# ---- choices, and their records ----

NAMES = ("no", "yes", "perhaps")


def answered(rng, n, slope=0.12):
    rows = drawn(rng, n, 40, slope)
    predicted = rng.integers(0, 3, n)
    return AnsweredRows(*rows, predicted, np.where(rows.correct, predicted, (predicted + 1) % 3))


@pytest.fixture(scope="module", params=[Aim("error", 0.1, 0.9), Aim("error", {"yes": 0.1, "no": 0.25}, 0.9)], ids=str)
def choice(request):
    rng = np.random.default_rng(3)
    return choose_promised(request.param, answered(rng, 700), Order(answered(rng, 900), 3), NAMES)


def test_a_class_is_promised_by_its_own_rows_and_its_share_of_delta():
    rng = np.random.default_rng(3)
    rows, growing = answered(rng, 700), answered(rng, 900)
    aim = Aim("error", {"yes": 0.1, "no": 0.25}, 0.9)
    found = choose_promised(aim, rows, Order(growing, 3), NAMES)
    for part, index, target in zip(found.promises, (1, 0), (0.1, 0.25), strict=True):
        by_hand = promise(
            target,
            (1 - 0.9) / 2,
            rows.predicting(index),
            growing.predicting(index),
            optimism=3,
            class_name=NAMES[index],
        )
        assert part == by_hand and 0 < part.answered <= part.n == (rows.predicted == index).sum()
    yes, no = (part.threshold for part in found.promises)
    assert found.thresholds.tolist() == [no, yes, -np.inf] and found.threshold == min(yes, no)
    assert found.figures.accepted == sum(part.answered for part in found.promises)
    assert found.figures.wrong == sum(part.wrong for part in found.promises)
    assert found.figures.n == (rows.predicted < 2).sum()
    assert found.figures.rejected_wrong == (~rows.correct & (rows.predicted < 2)).sum() - found.figures.wrong


def test_another_target_keeps_the_curve_and_counts_the_classes_that_miss_theirs():
    rng = np.random.default_rng(3)
    rows, order = answered(rng, 700), Order(answered(rng, 900), 3)
    whole = choose_promised(Aim("error", 0.1, 0.9), rows, order, NAMES, keeps_curve=True)
    assert change_targets(whole, Aim("error", 0.2, 0.9), NAMES).class_curve == whole.class_curve != ()
    found = choose_promised(Aim("error", {"yes": 0.2, "no": 0.001}, 0.9), rows, order, NAMES)
    assert [part.is_reached for part in found.promises] == [True, False]
    assert choices_summary([found, found])["unreached_classes"] == {"no": 2}


@pytest.mark.parametrize(("aim", "source", "is_out_of_fold"), [
    (Aim("keep", 0.9), "out-of-fold", True), (Aim("keep", 0.9), "training", False),
    (Aim("error", 0.1, 0.9), "out-of-fold", True), (Aim("error", 0.1, 0.9), "training", False),
    (Aim("below", 0.5), "out-of-fold", False), (Aim("below", 0.5), "training", False),
], ids=str)  # fmt: skip
def test_trees_grow_out_of_fold_where_a_threshold_is_to_be_chosen_so(aim, source, is_out_of_fold):
    assert (rejection_of(aim, source).folds is not None) == is_out_of_fold


@pytest.mark.parametrize("n_growing", [0, 900])
def test_nothing_is_promised_of_a_class_that_nobody_is_told(n_growing):
    """No growing row is answered so, or every calibration row that is answered so is answered wrongly."""
    rng = np.random.default_rng(3)
    rows, growing = answered(rng, 700), answered(rng, 900)
    growing = growing.take(growing.predicted != 1) if n_growing == 0 else growing
    rows = rows if n_growing == 0 else rows._replace(correct=rows.correct & (rows.predicted != 1))
    found = choose_promised(Aim("error", {"yes": 0.1}, 0.9), rows, Order(growing, 3), NAMES)
    assert (found.threshold, found.is_reached, found.promises[0].best) == (np.inf, False, None)
    assert promise_lines(found, NAMES)[0].endswith("; leave these answers to a human")


def test_without_growing_rows_a_fifth_of_the_calibration_rows_are_set_aside():
    rows = answered(np.random.default_rng(3), 700)
    aside = draw_rows(700, 0.2)
    calibration, order = rows.take(~aside).predicting(None), rows.take(aside).predicting(None)
    for target in (0.07, 0.1):
        [found] = choose_promised(Aim("error", target, 0.9), rows, None, NAMES).promises
        assert found.n == 560 and found == promise(target, 1 - 0.9, calibration, order)


def test_the_draw_is_simple_and_always_the_same():
    shares = [draw_rows(n, share).sum() for n, share in ((0, 0.3), (1, 0.3), (10, 0.25), (1001, 0.3), (7, 1.0))]
    assert shares == [0, 0, 2, 300, 7]
    assert np.flatnonzero(draw_rows(10, 0.5)).tolist() == np.sort(np.random.RandomState(1).permutation(10)[:5]).tolist()
    assert draw_rows(2000, 0.5)[:1000].sum() != 500


@pytest.mark.parametrize(("p_values", "n"), [
    ([0.05], 1), ([0.051], 0), ([], 0), ([0.5, 0.01], 0), ([0.01, 0.05, 0.06, 0.01], 2), ([0.0, 0.0], 2),
])  # fmt: skip
def test_tests_end_at_the_first_that_fails(p_values, n):
    assert n_passing(np.array(p_values), 0.05) == n


@pytest.mark.parametrize(("chance", "place"), [([0.5], 0), ([], 0), ([0.2, 0.5, 0.5, 0.1], 2), ([0.5, 0.5 - 1e-10], 1)])
def test_of_several_that_pass_as_surely_the_lowest_is_first(chance, place):
    assert surest(np.array(chance)) == place


@pytest.mark.parametrize(("answered", "most", "kept"), [
    ([1, 2, 3], 3, [0, 1, 2]), ([1, 2, 3, 4], 2, [0, 3]), ([1, 2, 3, 4, 8], 3, [0, 3, 4]), ([], 2, []),
])  # fmt: skip
def test_candidates_are_spread_evenly_over_what_they_answer(answered, most, kept):
    assert spread(np.array(answered, dtype=float), most).tolist() == kept


@pytest.mark.parametrize(("bounds", "answered", "best"), [
    ([0.5, 0.5], [3, 6], (0.5, 0.6)), ([0.25, 0.5], [3, 6], (0.25, 0.3)), ([1.0], [5], None), ([], [], None),
])  # fmt: skip
def test_the_best_bound_is_the_lowest_that_says_something(bounds, answered, best):
    assert best_bound(np.array(bounds), answered, 10, 1.0) == best


def test_a_target_at_a_bound_is_kept(choice):
    for each in choice.promises:
        for place, bound in enumerate(each.bounds.tolist()):
            assert each.of_target(bound).answered >= each.levels[place].answered
        assert "levels" not in repr(each)


@pytest.mark.parametrize(("n", "n_drawn"), [(0, 0), (1, 1), (1999, 1999), (2000, 2000), (2001, 2000), (5000, 2000)])
def test_two_thousand_growing_rows_are_answered_at_most(n, n_drawn):
    assert draw_growing_rows(n).sum() == n_drawn and len(draw_growing_rows(n)) == n


def test_calibration_rows_weigh_the_same_or_nothing():
    rng, aim = np.random.default_rng(3), Aim("error", 0.1, 0.9)
    rows, growing = answered(rng, 700), answered(rng, 900)
    expected = choose_promised(aim, rows.take(slice(600)), Order(growing, 3), NAMES)
    for weight in (0.5, 2.0):
        weights = np.where(np.arange(700) < 600, weight, 0.0)
        assert choose_promised(aim, rows._replace(weights=weights), Order(growing, 3), NAMES) == expected
    with pytest.raises(wc.OptionError, match="the calibration rows have different weights"):
        choose_promised(aim, rows._replace(weights=np.linspace(1, 1.5, 700)), Order(growing, 3), NAMES)


def test_what_is_shown_at_exactly_its_level_is_promised():
    """No error in one answer has a probability of one half where half of the answers are wrong."""
    one = Promise(0.5, 0.5, 0.7, 1, 0, 1, 0, (Level(0.7, 1, 0),))
    assert one.is_reached and one.bounds.tolist() == [0.5]
    assert dataclasses.replace(one, target=0.9, threshold=math.inf, answered=0).of_target(0.5).threshold == 0.7
    rows = Certainties(np.array([0.7]), np.array([True]), np.ones(1))
    assert promise(0.5, 0.5, rows, rows).threshold == 0.7


def test_a_choice_is_its_record(choice):
    record = json.loads(json.dumps(choice.as_record()))
    read = Choice.of_record(record)
    assert read == choice and read.aim == choice.aim and read.promises == choice.promises
    np.testing.assert_array_equal(read.thresholds, choice.thresholds)


def lie(record, **changes):
    record["promises"][0] |= changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"wrong": 0, "answered": 5, "levels": [[2.0, 0, 0]]}, "do not show an error of at most"),
        ({"wrong": 0, "answered": 5}, "are not possible at the threshold 0[.0-9]* beside what other thresholds answer"),
        ({"wrong": -1}, "are not possible"),
        ({"answered": 10**6}, "are not possible"),
        ({"threshold": 2.0}, "are not possible at the threshold 2 beside"),
        ({"threshold": float("inf")}, "are not possible at the threshold inf beside"),
        ({"levels": []}, "expected the counts at other thresholds beside those at the chosen one, got none"),
        ({"n": 10**12, "n_wrong": 10**9}, "whole numbers of at most 2147483647 rows"),
        ({"answered": 100.5}, "whole numbers"),
        ({"levels": [[0.5, 3.5, 1]]}, "whole numbers"),
        ({"levels": [[0.5, 3, 1.5]]}, "whole numbers"),
        ({"target": 1.5}, "expected shares"),
        ({"target": 0.0}, "expected shares"),
        ({"target": -0.5}, "expected shares"),
        ({"target": 0.3}, "expected promises of"),
        ({"delta": 0.9}, "of a smaller confidence"),
        ({"delta": 0.11}, "of a smaller confidence"),
        ({"delta": 0.0}, "expected shares"),
        ({"delta": 1.0}, "expected shares"),
        ({"threshold": float("nan")}, "are not possible"),
        ({"threshold": 0.012345, "levels": [[2.0, 0, 0]]}, "the thresholds of the promises"),
        ({"class_name": "perhaps"}, "expected promises of"),
        ({"levels": [[0.5, 3, 1], [0.6, 4, 1]]}, "ever lower thresholds"),
        ({"levels": [[0.5, 3, 1], [0.5, 4, 1]]}, "ever lower thresholds"),
        ({"levels": [[0.5, 3, 1], [0.4, 2, 1]]}, "ever lower thresholds"),
        ({"levels": [[0.5, 3, 4]]}, "ever lower thresholds"),
        ({"levels": [[float("nan"), 3, 1]]}, "ever lower thresholds"),
        ({"levels": [[0.5, 3, 1], [0.4, 4, 3]]}, "ever lower thresholds"),
        ({"levels": [[1 - i / 100, i, 0] for i in range(21)]}, "at most 20"),
    ],
)
def test_a_record_whose_counts_lie_is_refused(choice, changes, message):
    record = json.loads(json.dumps(choice.as_record()))
    lie(record, **changes)
    with pytest.raises(ValueError, match=message):
        Choice.of_record(record)


def test_what_a_choice_says_of_its_promises_must_be_theirs(choice):
    record = choice.as_record()
    correct, *others = record["figures"]
    with pytest.raises(ValueError, match="expected is_reached as the thresholds of the promises say, got False"):
        Choice.of_record(record | {"is_reached": False})
    with pytest.raises(ValueError, match="expected the figures of the promises"):
        Choice.of_record(record | {"figures": (correct + 1, *others)})


@pytest.mark.parametrize("key", ["confidence", "promises"])
def test_a_promise_needs_both_confidence_and_counts(choice, key):
    record = json.loads(json.dumps(choice.as_record()))
    del record[key]
    with pytest.raises((ValueError, wc.OptionError)):
        Choice.of_record(record)


def test_another_target_keeps_the_bound_that_holds_for_all(choice):
    aim = Aim("error", 0.2, 0.9) if choice.promises[0].class_name == "" else Aim("error", {"no": 0.2}, 0.9)
    held = {part.class_name: part for part in choice.promises}[aim.targets[0][0]]
    changed = change_targets(choice, aim, NAMES)
    [found] = [part for part in changed.promises if part.class_name == held.class_name]
    others = [part for part in choice.promises if part != held]
    assert [part for part in changed.promises if part != found] == others
    changed.check_promises()
    kept = [level for level, bound in zip(held.levels, held.bounds, strict=True) if bound <= 0.2]
    assert (found.threshold, found.answered, found.wrong) == kept[-1]
    assert found.target == 0.2 and found.levels == held.levels
    strict = Aim("error", 1e-6, 0.9) if choice.promises[0].class_name == "" else Aim("error", {"no": 1e-6}, 0.9)
    nothing = change_targets(choice, strict, NAMES)
    assert max(part.threshold for part in nothing.promises) == np.inf and not nothing.is_reached
    assert nothing.figures.accepted == sum(part.answered for part in others)


@pytest.mark.parametrize(
    ("aim", "message"),
    [
        (Aim("error", 0.1, 0.95), "another needs another calibration"),
        (Aim("error", {"perhaps": 0.1}, 0.9), "calibrated for {of}.*; other targets need another calibration"),
    ],
)
def test_what_a_calibration_cannot_promise(choice, aim, message):
    of = "answers of" if choice.promises[0].class_name else "all answers together"
    with pytest.raises(wc.OptionError, match=message.format(of=of)):
        change_targets(choice, aim, NAMES)


def test_a_choice_that_promises_nothing_promises_no_other_target():
    estimate = choose_threshold([0.5, 0.9], [False, True], target_error=0.1)
    with pytest.raises(wc.OptionError, match="no calibration rows' counts, so it cannot promise anything"):
        change_targets(estimate, Aim("error", 0.2), NAMES)


@pytest.mark.parametrize(
    ("aim", "changes", "message"),
    [
        (Aim("below", 0.5), {"class_thresholds": [0.5, 0.5, 0.5]}, "one threshold, got one per class"),
        (Aim("error", 0.1, 0.9), {"class_thresholds": [0.5, 0.5, 0.5]}, "expected the thresholds of the promises$"),
        (Aim("error", {"yes": 0.1}, 0.9), {"class_thresholds": []}, "expected the thresholds of the promises$"),
        (Aim("error", {"yes": 0.1}, 0.9), {"class_thresholds": [0.5, 0.5, 0.5]}, "of the promises of each class"),
    ],
)
def test_thresholds_of_classes_that_are_not_those_of_the_promises(aim, changes, message):
    rng = np.random.default_rng(3)
    rows = answered(rng, 700)
    chosen = (
        choose(aim, *rows[:2])
        if aim.confidence is None
        else choose_promised(aim, rows, Order(answered(rng, 900), 3), NAMES)
    )
    with pytest.raises(ValueError, match=message):
        Choice.of_record(chosen.as_record() | changes)


# ---- aims ----


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.02", 0.02),
        ("yes=0.02,no=0.1", (("yes", 0.02), ("no", 0.1))),
        (' yes = 0.02 , "a, b"=0.1', (("yes", 0.02), ("a, b", 0.1))),
        ('"a, b=0.1"', (("a, b", 0.1),)),
        ("a=b=0.1", (("a=b", 0.1),)),
    ],
)
def test_targets_from_the_command_line(text, value):
    assert Aim.parse("error", text, 0.95) == Aim("error", value, 0.95)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("error", 0.02, 0), "^confidence must be more than 0 and less than 1, such as 0.95; got 0$"),
        (("error", 0.02, 1), "got 1$"),
        (("error", 0.02, "95"), "got '95'$"),
        (("error", 0.02, 95), "got 95; write 0.95 for 95 %$"),
        (("error", 0.02, math.nan), "got nan$"),
        (("error", 0.02, True), "got True$"),
        (
            ("keep", 0.9, 0.95),
            "^confidence belongs to target_error and target_cost: an aim of the kind keep is an estimate$",
        ),
        (("error", 0.0, 0.95), "^target_error must be more than 0 and less than 1 where it is to be promised, got 0$"),
        (("error", 1, 0.95), "got 1$"),
        (("error", {"a": 2}, 0.95), r"^target_error must be a share in \[0, 1\], got 2"),
        (("error", {}, 0.95), "one for each of some classes"),
        (("error", {(1,): 0.1}, 0.95), "one for each of some classes"),
        (("error", (("a", 0.1), ("a", 0.2)), 0.95), "one for each of some classes"),
        (("error", {"a": 0.1}, None), "of single classes is a promise, so it needs confidence"),
    ],
)
def test_aims_that_promise_nothing(arguments, message):
    with pytest.raises(wc.OptionError, match=message):
        Aim(*arguments)


def test_a_share_of_a_class_in_percent_is_told_as_a_number():
    for text in ("yes=2 %,no=0.1", "no=0.1,yes=2 %"):
        with pytest.raises(wc.OptionError, match=r"one per class, such as yes=0\.02,no=0\.1; got '.*'; write 0\.02$"):
            Aim.parse("error", text, 0.9)


def test_aims_in_words():
    assert str(Aim("error", 0.02, 0.95)) == "error at most 2 % with confidence 95 %"
    assert str(Aim("error", {"yes": 0.02, "no": 0.1}, 0.9)) == (
        "error at most 2 % of 'yes', 10 % of 'no' with confidence 90 %"
    )


def test_calibration_rows_set_aside_err_as_the_others_do():
    """Without growing rows a fifth of the calibration rows tell the order of tests, with their own errors."""
    rows, aim = answered(np.random.default_rng(1), 900), Aim("error", 0.05, 0.9)
    is_aside = draw_rows(900, 0.2)
    expected, distrusted = (
        choose_promised(aim, rows.take(~is_aside), Order(rows.take(is_aside), factor), NAMES) for factor in (1, 3)
    )
    assert expected != distrusted, "or it tests nothing"
    assert choose_promised(aim, rows, None, NAMES) == expected and expected.figures.n == 720


# ---- calibrate ----


@pytest.fixture(scope="module")
def wine():
    data = wc.load_arff("arff/wine.arff")
    rows = np.random.default_rng(1).permutation(len(data))
    return data.take(rows[:100]), data.take(rows[100:])


@pytest.mark.parametrize("name", ["leaf_frequency", "m_branch", "boundary_distance", "id3_sd", "tpce"])
def test_calibrate_counts_the_answers_of_the_method(wine, name):
    growing, calibration = wine
    method = wc.method(name).fit(wc.InfoGain().grow(growing), growing)
    aim = Aim("error", 0.2, 0.9)
    answer, own = method.answer(calibration), method.answer(growing)

    def answers(data, given):
        return AnsweredRows(
            given.certainty, given.predicted == data.class_values, data.weights, given.predicted, data.class_values
        )

    order = None if name == "tpce" else Order(answers(growing, own), 3)
    [found] = choices(Rejection(aim), [method], growing, calibration)
    assert found == choose_promised(aim, answers(calibration, answer), order, growing.class_names)
    [part] = found.promises
    if name != "tpce":
        accepted = answer.certainty >= part.threshold
        assert (part.answered, part.n) == (accepted.sum(), len(calibration))
        assert part.wrong == (answer.predicted != calibration.class_values)[accepted].sum()


def test_only_answers_of_the_rows_own_tree_are_taken_to_be_too_good(wine):
    """Trees that grew without a row err as they do on new ones."""
    data, _ = wine
    learner, aim = wc.CART(), Aim("error", 0.1, 0.9)
    methods = [wc.method(name).fit(learner.grow(data), data) for name in ("leaf_frequency", "m_branch")]
    [first, second] = find_orders(Rejection(aim), methods, data, None)
    assert first.optimism == second.optimism == 3
    [first, second] = find_orders(Rejection(aim, halves), methods, data, learner.grow)
    assert first.optimism == second.optimism == 1
    assert len(first.rows.certainty) == len(data)
    opinion = wc.method("second_opinion").fit(learner.grow(data), data)
    [known] = find_orders(Rejection(aim), [opinion], data, None)
    certainty, predicted, actual, weights = opinion.held_out
    np.testing.assert_array_equal(known.rows, (certainty, predicted == actual, weights, predicted, actual))
    assert known.optimism == 1 and len(certainty) == len(data)


def test_the_seed_draws_the_growing_rows_that_are_answered():
    rng = np.random.default_rng(2)
    classes = rng.integers(0, 2, 2100)
    data = small(x=(classes + rng.normal(size=2100)).tolist(), c=["ab"[c] for c in classes])
    method = wc.method("m_branch").fit(wc.CART().grow(data), data)
    [order] = find_orders(Rejection(Aim("error", 0.1, 0.9)), [method], data, None, seed=2)
    expected = method.answer(data.take(draw_growing_rows(2100, 2))).certainty
    np.testing.assert_array_equal(order.rows.certainty, expected)


def test_rows_without_a_class_do_not_count(wine):
    growing, calibration = wine
    method = wc.method("m_branch").fit(wc.InfoGain().grow(growing), growing)
    aim = Aim("error", 0.2, 0.9)
    found = choice_promised(method, aim, calibration.join(calibration.take(slice(5)).without_class_values()))
    assert found == choice_promised(method, aim, calibration)


def test_rows_that_cannot_calibrate(wine):
    growing, calibration = wine
    method = wc.method("m_branch").fit(wc.InfoGain().grow(growing), growing)
    aim = Aim("error", 0.2, 0.9)
    for rows in (calibration.take([]), calibration.without_class_values()):
        with pytest.raises(wc.OptionError, match="there is no calibration row whose class is known"):
            choice_promised(method, aim, rows)
    weighted = dataclasses.replace(calibration, weights=np.arange(1, len(calibration) + 1.0))
    with pytest.raises(wc.OptionError, match="different weights, and a promise counts rows"):
        choice_promised(method, aim, weighted)
    twice = dataclasses.replace(calibration, weights=np.full(len(calibration), 2.0))
    assert choice_promised(method, aim, twice) == choice_promised(method, aim, calibration)
    with pytest.raises(wc.OptionError, match="no class '9'; there are"):
        choice_promised(method, Aim("error", {"9": 0.1}, 0.9), calibration)
    with pytest.raises(wc.OptionError, match=r"use wekaconf\.fit"):
        session_threshold(method, growing, aim)


def promise_of(tree, growing, calibration):
    """The promise that a method on a given tree makes."""
    return wc.fit(growing, "m_branch", learner=tree, aim=Aim("error", 0.2, 0.9), calibrate=calibration).choice.promises[
        0
    ]


def test_rows_that_the_tree_grew_on_do_not_calibrate(wine):
    growing, calibration = wine
    tree = wc.InfoGain().grow(growing)
    with pytest.raises(wc.OptionError, match="100 of 100 calibration rows repeat rows that the tree grew on"):
        promise_of(tree, growing, growing)
    with pytest.raises(wc.OptionError, match="10 of 88 calibration rows repeat rows"):
        promise_of(tree, growing, calibration.join(growing.take(slice(10))))
    values = np.where(np.arange(growing.values.shape[1]) == growing.header.class_index, growing.values, 1.0)
    alike = dataclasses.replace(growing, values=values)
    assert promise_of(wc.InfoGain().grow(alike), alike, alike).n == 100  # all rows are alike, by chance too


def test_a_class_that_does_not_calibrate_is_noted(wine):
    growing, calibration = wine
    lacking = calibration.take(calibration.class_values > 0)
    with pytest.warns(wc.Note, match=f"no calibration row is of class '{growing.class_names[0]}', though"):
        promise_of(wc.InfoGain().grow(growing), growing, lacking)


def test_only_a_dataset_calibrates(wine):
    growing, _ = wine
    with pytest.raises(wc.OptionError, match=r"calibrate: expected a share .* a Dataset or a DataFrame, got a list"):
        promise_of(wc.InfoGain(), growing, growing.values.tolist())


def test_one_row_promises_nothing(wine):
    growing, calibration = wine
    method = wc.method("m_branch").fit(wc.InfoGain().grow(growing), growing)
    found = choice_promised(method, Aim("error", 0.2, 0.9), calibration.take([0]), growing)
    assert found.threshold == np.inf and not found.is_reached
    [line] = promise_lines(found, growing.class_names)
    assert line == (
        "it cannot be shown with confidence 90 % that at most 20 % of the answers are wrong, so all are rejected: it "
        "takes at least 11 answers without an error, and there is 1 calibration row, 10 too few; these rows can "
        "promise nothing"
    )


@pytest.mark.parametrize(
    ("n", "usual"), [(2, (-1, 3)), (2, (4, 3)), (2, (0.5, 3)), (2, ("0", 3)), (2, (0, 3.5)), (2, (0, 0)), (0, (0, 3))]
)
def test_how_many_calibration_rows_repeat_others_is_a_count_and_known_only_with_rows(n, usual):
    with pytest.raises(ValueError, match=f"expected how many calibration rows repeat others .* and {n} digests"):
        SeenRows(np.arange(n, dtype=np.uint64), Repeats(*usual))


def test_a_model_file_keeps_the_promise(wine, tmp_path):
    growing, calibration = wine
    method = wc.method("m_branch").fit(wc.InfoGain().grow(growing), growing)
    for aim in (Aim("error", 0.2, 0.9), Aim("error", {growing.class_names[1]: 0.3}, 0.9)):
        found = choice_promised(method, aim, calibration, growing)
        model = wc.Model(method, choice=found, seen=SeenRows.of(growing, calibration))
        model.save(tmp_path / "m.wct")
        read = wc.load(tmp_path / "m.wct")
        assert read.choice == found
        by_class = f" ({growing.class_names[1]})" if found.class_thresholds else ""
        assert repr(read).endswith(f", rejects below {found.threshold:g}{by_class})")
        np.testing.assert_array_equal(read.seen.digests, model.seen.digests)
        assert read.seen.usual == model.seen.usual == (0, len(calibration))
        answer = method.answer(calibration)
        expected = answer.certainty < np.broadcast_to(found.thresholds, 3)[answer.predicted]
        np.testing.assert_array_equal(read.reject(calibration), expected)
        assert read.seen.count(growing) == len(growing) and read.seen.count(calibration) == len(calibration)


def test_a_model_file_without_the_digests_that_its_record_counts_on(wine, tmp_path):
    growing, calibration = wine
    method = wc.method("m_branch").fit(wc.InfoGain().grow(growing), growing)
    wc.Model(method, seen=SeenRows.of(growing, calibration)).save(tmp_path / "m.wct")
    with zipfile.ZipFile(tmp_path / "m.wct") as whole, zipfile.ZipFile(tmp_path / "part.wct", "w") as part:
        for name in set(whole.namelist()) - {"seen/digests.npy"}:
            part.writestr(name, whole.read(name))
    with pytest.raises(wc.ModelFileError, match=r"calibration rows repeat others .* got 0 of 78 and 0 digests"):
        wc.load(tmp_path / "part.wct")


def test_thresholds_of_classes_that_the_tree_does_not_know(wine):
    growing, calibration = wine
    method = wc.method("m_branch").fit(wc.InfoGain().grow(growing), growing)
    first, second, third = growing.class_names
    found = choice_promised(method, Aim("error", {second: 0.3}, 0.9), calibration, growing)
    moved = dataclasses.replace(found, class_thresholds=found.class_thresholds[1:] + found.class_thresholds[:1])
    moved.check_promises()
    with pytest.raises(
        wc.OptionError, match=f"thresholds of other classes than '{first}', '{second}', '{third}'; choose"
    ):
        wc.Model(method, choice=moved)


def test_rows_that_repeat_one_another_are_counted_where_the_growing_rows_are_not_known(wine):
    calibration = wine[1].take([0, 1, 1, 2, 2, 2, 3, 4])
    seen = SeenRows.of(None, calibration)
    assert seen.usual == (5, 8) and len(seen.digests) == 5
    assert seen.count(calibration) == 8 and seen.count(wine[1].take([5, 6, 4])) == 1


def test_thresholds_of_an_evaluation_are_calibrated_on_rows_that_are_held_out(wine):
    data = wine[0].join(wine[1])
    aim = Aim("error", 0.25, 0.8)
    protocol = wc.Protocol(folds=3, aim=aim, calibrate=0.4)
    [(record, answers)] = wc.evaluate(data, methods="m_branch", protocol=protocol, learner="info_gain")
    assert record["threshold_from"] == "calibration" and record["aim"] == str(aim)
    for fold, (train, test) in enumerate(splits(data, folds=3)):
        held_out = draw_rows(len(train), 0.4)
        growing, calibration = data.take(train[~held_out]), data.take(train[held_out])
        method = wc.method("m_branch").fit(wc.InfoGain().grow(growing), growing)
        assert answers.choices[fold] == choice_promised(method, aim, calibration, growing, wc.InfoGain().grow)
        np.testing.assert_array_equal(answers.proba[answers.fold == fold], method.predict_proba(data.take(test)))


@pytest.mark.parametrize("below", [1, 1.0, np.float64(1)])
def test_one_threshold_may_be_a_whole_number(wine, below):
    growing, others = wine
    answer = wc.method("boundary_distance").fit(wc.CART().grow(growing), growing).answer(others)
    np.testing.assert_array_equal(answer.rejected(below), answer.certainty < 1)
    by_class = np.array([0.0, np.inf, 1.0])
    expected = (answer.predicted == 1) | ((answer.predicted == 2) & (answer.certainty < 1))
    np.testing.assert_array_equal(answer.rejected(by_class), expected)


def test_its_own_target_is_answered_by_its_own_threshold():
    """Asked of a model again, the target that it was calibrated for is not answered by the wider bounds of all."""
    rng = np.random.default_rng(3)
    found = choose_promised(Aim("error", 0.1, 0.9), answered(rng, 700), Order(answered(rng, 900), 3), NAMES)
    assert change_targets(found, Aim("error", 0.1), NAMES) == found
    assert change_targets(found, Aim("error", 0.1000001), NAMES).threshold >= found.threshold


@pytest.mark.parametrize(("wrong", "n", "target"), [(411, 2408, 0.1), (255, 719, 0.1), (3, 40, 0.05), (0, 40, 0.05)])
def test_p_values_of_a_check_are_exact_also_where_they_are_tiny(wrong, n, target):
    found = Checked("", n, n, wrong, target)
    assert found.p_value == pytest.approx(scipy.stats.binom.sf(wrong - 1, n, target), rel=1e-9)
    assert Checked("", 5000, 5000, 5000, 0.001).p_value == 1e-307
    [line] = promise_check_lines([Checked("", 5000, 5000, 5000, 0.001)])
    assert line.endswith("; p < 1e-300")


def test_no_confidence_reads_as_certainty():
    rng = np.random.default_rng(3)
    found = choose_promised(Aim("error", 0.2, 0.9999), answered(rng, 700), Order(answered(rng, 900), 3), NAMES)
    [line] = promise_lines(found, NAMES)
    assert "with confidence 99.99 %" in line


@pytest.mark.parametrize(("bound", "text"), [(0.0508, "5.08 %"), (0.05081, "5.09 %"), (0.07, "7 %"), (0.9999, "100 %"),
                                             (0.12301, "12.4 %"), (1e-5, "0.001 %"), (1.0, "100 %")])  # fmt: skip
def test_a_bound_is_rounded_up(bound, text):
    assert percent_bound(bound) == text


def test_a_refusal_tells_the_best_bound_and_whose_test_it_is():
    """The best bound is that of all targets at once, a test of its own, so it may lie below a target refused."""
    levels = (Level(0.9, 200, 2), Level(0.5, 400, 30))
    refused = Promise(0.03, 0.05, np.inf, 0, 0, 400, 30, levels)
    least = float(refused.bounds.min())
    assert least < 0.05
    for target, words in (
        (0.03, "; what these rows can promise: at most "),
        (0.05, "; the test of all other targets at once, which is another one, shows at most "),
    ):
        told = promise_sentence(dataclasses.replace(refused, target=target), 0.95)
        assert words in told and told.endswith(f"{percent_bound(least)} wrong, at coverage 50 %")


MOST_CERTAIN = "of the {} most certain calibration rows (50 %) {} are answered wrongly"
CLOSE = "too close to the target to be shown by any number of rows within reach; "
BETTER = "better columns may help, and of the methods 'second_opinion' tells wrong answers best"
OFFER, NOTHING = (
    "; what these rows can promise: at most {} % wrong, at coverage {} %",
    "; these rows can promise nothing",
)


@pytest.mark.parametrize(
    ("n", "n_wrong", "levels", "said"),
    [
        (10, 0, [(0.9, 5, 0), (0.5, 10, 0)],
         "it takes at least 59 answers without an error, and there are 10 calibration rows, 49 too few"
         + OFFER.format(30.9, 100)),
        (200, 40, [(0.9, 100, 4), (0.5, 200, 40)],
         f"{MOST_CERTAIN.format(100, 4)} (4 %), too few answers to show it; about 2,900 calibration rows like these "
         "would" + OFFER.format(9.93, 50)),
        (600, 200, [(0.9, 300, 60), (0.5, 600, 200)],
         f"{MOST_CERTAIN.format(300, 60)} (20 %), too many for any number of rows; {BETTER}{OFFER.format(25, 50)}"),
        (600, 400, [(0.9, 300, 180), (0.5, 600, 400)],
         f"{MOST_CERTAIN.format(300, 180)} (60 %), too many for any number of rows; {BETTER}{NOTHING}"),
        (70, 70, [(0.9, 0, 0)], f"there are 70 calibration rows, and none is certain enough to be answered{NOTHING}"),
        (600, 6, [(0.9, 300, 0), (0.5, 600, 6)],
         f"{MOST_CERTAIN.format(300, 0)} (0 %), which the tests, whose order is fixed beforehand, did not come to; the "
         "test of all other targets at once, which is another one, shows at most 1.23 % wrong, at coverage 50 %"),
        (200, 3, [(0.5, 100, 1)],
         "of the 100 most certain calibration rows (50 %) 1 is answered wrongly (1 %), too few answers to show it; "
         "about 250 calibration rows like these would; the test of all other targets at once, which is another one, "
         "shows at most 4.66 % wrong, at coverage 50 %"),
        (204, 9, [(0.5, 204, 9)],
         "of the 204 most certain calibration rows (100 %) 9 are answered wrongly (4.41 %), too few answers to show "
         "it; about 4,000 calibration rows like these would" + OFFER.format(7.58, 100)),
        (246, 11, [(0.5, 246, 11)],
         f"of the 246 most certain calibration rows (100 %) 11 are answered wrongly (4.47 %), {CLOSE}{BETTER}"
         + OFFER.format(7.3, 100)),
        (20_000, 999, [(0.5, 20_000, 999)],
         f"of the 20000 most certain calibration rows (100 %) 999 are answered wrongly (5 %), {CLOSE}{BETTER}"
         + OFFER.format(5.26, 100)),
        (100, 1, [], f"there are 100 calibration rows, and no certainty is known that could be tested{NOTHING}"),
    ],
)  # fmt: skip
def test_a_refusal_says_why_and_what_helps(n, n_wrong, levels, said):
    """Too few rows, too few to show it, or too many errors; never a target that nobody wants."""
    refused = Promise(0.05, 0.05, np.inf, 0, 0, n, n_wrong, tuple(Level(*level) for level in levels))
    assert promise_sentence(refused, 0.95).partition("so all are rejected: ")[2] == said


@pytest.mark.parametrize(
    ("n", "answered", "wrong", "target"), [(200, 100, 4, 0.05), (300, 250, 2, 0.02), (500, 500, 20, 0.045)]
)
def test_so_many_rows_do_show_it(n, answered, wrong, target):
    """The number that a refusal names, with as many errors as there were; half as many do not."""
    refused = Promise(target, 0.1, np.inf, 0, 0, n, wrong, (Level(0.5, answered, wrong),))
    found = re.search("about ([0-9,]+) calibration rows like these would", promise_sentence(refused, 0.9))
    needed = int(found[1].replace(",", ""))

    def p(rows):
        return binom.cdf(math.ceil(wrong / n * rows), round(rows * answered / n), target)

    assert p(needed) <= 0.1 < p(needed // 2)


def test_a_confidence_has_six_digits():
    kept = Promise(0.5, 0.5, 0.7, 1, 0, 1, 0, (Level(0.7, 1, 0),))
    assert ": with confidence 99.8765 %, at most 50 % of the answers" in promise_sentence(kept, 0.9987654)


def test_a_class_that_is_answered_worse_than_a_coin_is_left_to_a_human():
    refused = Promise(0.1, 0.05, np.inf, 0, 0, 200, 120, (Level(0.5, 200, 120),), "no, thanks")
    told = promise_sentence(refused, 0.95)
    assert told.startswith(
        "it cannot be shown with confidence 95 % that at most 10 % of the answers 'no, thanks' are wrong"
    )
    assert (
        told.endswith("'second_opinion' tells wrong answers best; leave these answers to a human")
        and "can promise" not in told
    )
    assert nearest_target(make_choice(Aim("error", {"no, thanks": 0.1}, 0.95), [refused], ["no, thanks", "yes"])) == ""


def test_the_target_that_a_model_can_promise():
    """None where the rows show nothing, or no more than what was refused."""
    refused = Promise(0.03, 0.05, np.inf, 0, 0, 400, 30, (Level(0.9, 200, 2), Level(0.5, 400, 30)))
    nothing = Promise(0.03, 0.05, np.inf, 0, 0, 3, 3, (Level(0.5, 3, 3),))
    for made, option in (
        (refused, f"--target-error {bound_text(refused.bounds.min())}"),
        (dataclasses.replace(refused, target=0.05), ""),
        (nothing, ""),
    ):
        choice = make_choice(Aim("error", made.target, 0.95), [made], NAMES)
        assert nearest_target(choice) == option
