"""The reject option against literal forms, the papers' arithmetic, and at its edges; its tables as printed."""

import io
import json
import math
import re
import warnings
from contextlib import redirect_stdout
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import reject_reference as reference
from support.csv_rows import rows_of

from wekaconf.base.errors import OptionError
from wekaconf.evaluation.aims import Aim, check_aim
from wekaconf.evaluation.measures import (
    Figures,
    auroc,
    figures,
    outcomes_by_class,
    predicted_by_class,
    reject_summary,
    risk_coverage,
)
from wekaconf.evaluation.measures._accepting import outcome_counts
from wekaconf.evaluation.promises import interval
from wekaconf.evaluation.thresholds import choices_summary, choose, choose_threshold
from wekaconf.evaluation.thresholds._choice import Reachable
from wekaconf.methods.contract._answer import LARGEST_PROBABILITY, CertaintyRange
from wekaconf.report import _reject_tables as reject_tables
from wekaconf.report import _result_tables as tables

CERTAINTIES = [-math.inf, -1.5, 0.0, 0.5, 0.5 + 1e-13, 0.75, 1.0, math.inf]
WEIGHTS = [0.0, 0.25, 1.0, 1.0, 2.0, 3.75]
TARGETS = [Fraction(0), Fraction(1), *(Fraction(p, q) for q in (2, 3, 7, 10) for p in range(1, q))]
INF = math.inf


@st.composite
def problems(draw, weights=WEIGHTS, n_max=12):
    """Many ties, infinite certainties, zero weights, one kind only, no instances."""
    n = draw(st.integers(0, n_max))

    def column(values):
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    return column(CERTAINTIES), column([True, True, False]), column(weights)


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


# -- figures --


@given(problems(), st.data())
@settings(deadline=None)
def test_figures_equal_the_literal_form(problem, data):
    certainty, correct, weights = problem
    n = len(certainty)
    each = data.draw(st.lists(st.sampled_from(CERTAINTIES), min_size=n, max_size=n))
    got = figures(certainty, correct, weights, np.array(each, dtype=float)).as_dict()
    want = reference.all_figures(certainty, correct, weights, each)
    assert list(got) == list(want)
    close(list(got.values()), list(want.values()))
    assert all(type(number) is float for number in got.values())
    one = figures(certainty, correct, weights, 0.5).as_dict()
    close(list(one.values()), list(reference.all_figures(certainty, correct, weights, [0.5] * n).values()))


def test_arithmetic_of_toth_and_pataki():
    """Section 3.1: 1354 points, 106 misclassified, 96 of them filtered out, 960 classified; 10 of 960 is no 0.1 %."""
    found = Figures(correct=950, wrong=10, rejected_correct=298, rejected_wrong=96)
    assert (found.n, found.accepted, found.rejected) == (1354, 960, 394)
    assert round(100 * found.error_without_rejecting, 1) == 7.8
    assert round(100 * found.coverage) == 71
    assert round(100 * found.kept_correct) == 76
    assert round(100 * found.caught_wrong, 1) == 90.6
    assert round(100 * found.error, 2) == 1.04


def test_threshold_that_keeps_a_share_as_toth_and_pataki_choose_it():
    """Distances of 1248 correct and 106 wrong points like the paper's: keeping 76 % leaves the paper's figures."""
    correct = np.repeat([True, False], [1248, 106])
    certainty = np.concatenate((np.arange(1248) / 1248, np.full(96, 0.1), np.full(10, 0.9)))
    found = choose_threshold(certainty, correct, keep=0.76)
    assert found.is_reached
    assert found.threshold == 299 / 1248  # 949 of 1248 are kept, 76.04 %; one fewer were 75.96 %
    assert found.figures.wrong == 10
    assert found.figures.kept_correct == 949 / 1248


# -- choosing --


@given(problems(), st.sampled_from(["keep", "coverage", "error"]), st.sampled_from(TARGETS))
@settings(max_examples=400, deadline=None)
def test_choice_equals_trying_every_threshold(problem, kind, target):
    found = choose(Aim(kind, float(target)), *problem)
    assert found.threshold == reference.choose(kind, target, *problem)
    assert found.figures == figures(*problem, found.threshold)
    assert found.aim == Aim(kind, float(target))
    reached = {
        "keep": found.figures.kept_correct >= float(target) - 1e-12,
        "coverage": found.figures.coverage >= float(target) - 1e-12,
        "error": found.figures.error <= float(target) + 1e-12,
    }
    assert found.is_reached == reached[kind]
    if kind == "error" and not found.is_reached and sum(problem[2]) > 0:
        best = reference.least_error(*problem)
        assert found.reachable == Reachable(best, figures(*problem, best))
        assert found.reachable.figures.error > float(target)
    else:
        assert found.reachable is None


@given(problems(), st.sampled_from([(1, 0), (1, 1), (10, 1), (3, 1), (1, 5), (7, 2)]))
@settings(max_examples=300, deadline=None)
def test_least_cost_equals_trying_every_threshold(problem, costs):
    found = choose_threshold(*problem, cost=costs)
    assert found.threshold == reference.choose("cost", tuple(map(Fraction, costs)), *problem)
    assert found.is_reached == (sum(problem[2]) > 0)
    assert found.threshold == choose_threshold(*problem, cost=tuple(1000 * cost for cost in costs)).threshold


@given(problems(), st.sampled_from(TARGETS), st.sampled_from(TARGETS))
@settings(deadline=None)
def test_a_stricter_aim_never_lowers_the_threshold(problem, one, other):
    low, high = sorted((float(one), float(other)))
    for kind in ("keep", "coverage", "error"):
        assert choose(Aim(kind, low), *problem).threshold >= choose(Aim(kind, high), *problem).threshold


def test_ends_of_keeping():
    certainty, correct = [0.1, 0.4, 0.4, 0.6, 0.9], [False, True, False, True, True]
    everything = choose_threshold(certainty, correct, keep=1.0)
    assert (everything.threshold, everything.figures) == (0.4, Figures(3, 1, 0, 1))
    nothing = choose_threshold(certainty, correct, keep=0.0)
    assert (nothing.threshold, nothing.figures, nothing.is_reached) == (INF, Figures(0, 0, 3, 2), True)


def test_an_error_that_no_threshold_reaches_rejects_everything():
    found = choose_threshold([0.5, 0.7, 0.7], [True, False, True], target_error=0.1)
    assert (found.threshold, found.figures.accepted, found.is_reached) == (INF, 0, False)
    assert math.isnan(found.figures.error)
    assert found.reachable == Reachable(0.5, Figures(2, 1, 0, 0))


def test_the_error_aim_answers_as_many_as_it_may_though_error_is_not_monotone():
    certainty, correct = [9, 8, 7, 6, 5], [False, True, True, True, False]
    assert choose_threshold(certainty, correct, target_error=0.25).threshold == 6


def test_without_a_correct_answer_or_without_instances_everything_is_rejected():
    for rows in (([], []), ([0.5, 0.9], [False, False]), ([0.5], [True], [0.0])):
        for aim in ({"keep": 0.9}, {"target_error": 0.1}):
            found = choose_threshold(*rows, **aim)
            assert (found.threshold, found.figures.accepted, found.is_reached) == (INF, 0, False)


def test_an_infinite_threshold_rejects_even_an_infinite_certainty():
    found = choose_threshold([INF, 1.0], [False, True], target_error=0.4)
    assert (found.threshold, found.figures.accepted, found.is_reached) == (INF, 0, False)
    found = choose_threshold([INF, 1.0], [True, False], target_error=0.4)
    assert (found.figures.accepted, found.is_reached) == (1, True)
    assert 1 < found.threshold < INF


def test_rounding_does_not_miss_a_share():
    certainty = np.arange(10.0)
    for tenths in range(1, 11):
        assert choose_threshold(certainty, np.ones(10), keep=0.1 * tenths).threshold == 10 - tenths
        assert choose_threshold(certainty, np.ones(10), target_coverage=0.1 * tenths).threshold == 10 - tenths
    thirds = np.full(10, 0.1)
    assert choose_threshold(certainty, certainty != 7, thirds, target_error=0.1).threshold == 0


def test_equal_costs_answer_as_many_as_possible():
    """Accepting either of the two least certain costs what rejecting both does."""
    assert choose_threshold([1, 2, 3], [True, False, True], cost=(2, 1)).threshold == 1
    assert choose_threshold([1, 2, 3], [False, False, True], cost=(1.1, 1)).threshold == 3
    assert choose_threshold([1, 2, 3], [False, False, True], cost=(1, 1)).threshold == 1


def test_chow_rejects_where_one_less_certainty_costs_more():
    for error in range(1, 30):
        for rejection in range(error + 1):
            threshold = Aim("chow", (error, rejection)).fixed_threshold
            for wrong in range(error + 1):
                certainty = (error - wrong) / error
                assert (certainty < threshold) == (wrong > rejection)
    assert Aim("chow", (1, 2)).fixed_threshold == -1
    assert choose_threshold([0.4, 0.9], [False, True], chow=(10, 1)).figures == Figures(1, 0, 0, 1)


def test_chow_has_the_least_expected_cost_where_certainties_are_true():
    certainty = np.repeat([0.5, 0.75, 0.9, 0.95], 100)
    correct = np.concatenate([np.arange(100) < 100 * share for share in (0.5, 0.75, 0.9, 0.95)])
    for costs in ((10, 1), (3, 1), (5, 3)):
        chow = choose_threshold(certainty, correct, chow=costs).figures
        best = choose_threshold(certainty, correct, cost=costs).figures
        assert chow == best


def test_chow_is_for_probabilities_only():
    check_aim(Aim("chow", (10, 1)), "leaf_frequency", LARGEST_PROBABILITY)
    check_aim(Aim("cost", (10, 1)), "boundary_distance", CertaintyRange(high=INF))
    with pytest.raises(OptionError, match=r"boundary_distance is no probability but in \[0, ∞\]; take cost"):
        check_aim(Aim("chow", (10, 1)), "boundary_distance", CertaintyRange(high=INF))


@pytest.mark.parametrize(
    ("stated", "good", "bad"),
    [
        (LARGEST_PROBABILITY, [0, 0.2, 0.75, 1, INF], [-INF, -0.1, 1.01, 70]),
        (CertaintyRange(high=INF), [0, 1, 1e300, INF], [-INF, -1e-9]),
    ],
    ids=["probability", "distance"],
)
def test_a_threshold_is_a_certainty_of_the_method(stated, good, bad):
    for below in good:
        check_aim(Aim("below", below), "some", stated)
    for below in bad:
        share = f"; write {below / 100:g} for {below:g} %" if below > 1 else ""
        told = f"below must be a certainty of some, which lies in {stated}, got {below:g}{share}; 0 rejects nothing, "
        with pytest.raises(OptionError, match=f"^{re.escape(told)}inf everything$"):
            check_aim(Aim("below", below), "some", stated)


def test_an_aim_as_one_writes_and_says_it():
    said = {
        ("keep", "0.93"): "keep 93 % of the correct",
        ("error", ".02"): "error at most 2 %",
        ("coverage", "0.8"): "coverage at least 80 %",
        ("below", "-inf"): "certainty at least -inf",
        ("cost", "10:1"): "error costs 10, rejection 1",
        ("chow", "10:0.5"): "Chow: error costs 10, rejection 0.5",
    }
    assert {(kind, text): str(Aim.parse(kind, text)) for kind, text in said} == said
    assert Aim.parse("cost", "10:1") == Aim("cost", (10, 1)) == Aim("cost", [10.0, 1.0])
    assert [Aim.parse(kind, text).fixed_threshold for kind, text in said] == [None, None, None, -INF, None, 0.95]


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("keep", "93", r"keep must be a share in \[0, 1\], got 93; write 0.93 for 93 %"),
        ("keep", "100", r"keep must be a share in \[0, 1\], got 100; write 1 for 100 %$"),
        ("keep", "1.5", r"keep must be a share in \[0, 1\], got 1.5; write 0.015 for 1.5 %$"),
        ("keep", "101", r"keep must be a share in \[0, 1\], got 101$"),
        ("coverage", "93%", r"such as 0.93, got '93%'; write 0.93$"),
        ("coverage", "0,93", r"such as 0.93, got '0,93'; write 0.93$"),
        ("coverage", "1:0.5:2", "coverage expects a share"),
        ("error", "-0.1", r"target_error must be a share in \[0, 1\], got -0.1$"),
        ("coverage", "all", r"coverage expects a share in \[0, 1\], such as 0.93, got 'all'"),
        ("keep", "1:2", "keep expects a share"),
        ("below", "", "below expects a certainty, such as 0.5, got ''"),
        ("below", "nan", "below must be a number, got nan"),
        ("cost", "10", "cost expects the cost of an error and that of a rejection, such as 10:1, got '10'"),
        ("chow", "0:1", r"chow must be the cost of an error, more than 0.*got 0:1"),
        ("cost", "1:-1", "cost must be"),
        ("cost", "1:inf", "cost must be"),
        ("cost", "inf:1", "cost must be"),
        ("cost", "nan:1", "cost must be"),
        ("least", "1", "an aim must be one of 'below', 'keep', .* got 'least'"),
    ],
)
def test_an_aim_that_cannot_be(kind, text, message):
    with pytest.raises(OptionError, match=message):
        Aim.parse(kind, text)


@pytest.mark.parametrize(
    ("kind", "value"),
    [("keep", 0), ("keep", 1), ("error", 0), ("error", 1), ("coverage", 1), ("cost", (0.5, 0)), ("chow", (0.25, 0.5))],
)
def test_an_aim_may_be_at_the_ends_of_its_range(kind, value):
    assert Aim(kind, value).value == value


@pytest.mark.parametrize("value", [True, "0.5", None, (1, 2)])
def test_a_share_is_a_number(value):
    with pytest.raises(OptionError, match="keep must be a number"):
        Aim("keep", value)


def test_exactly_one_aim():
    with pytest.raises(OptionError, match=r"exactly one of 'below', .*; got none"):
        choose_threshold([1.0], [True])
    with pytest.raises(OptionError, match=r"exactly one .*; got 'keep', 'cost'"):
        choose_threshold([1.0], [True], keep=0.9, cost=(10, 1))
    assert choose_threshold([1.0], [True], keep=0.0).threshold == INF


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, math.nan, math.nan], [True] * 3), "certainty is NaN at instance 1 and 1 others"),
        (([[1.0]], [True]), r"one number per instance, got an array of shape \(1, 1\)"),
        (([1.0, 2.0], [True]), r"correct must be true or false for each of the 2 instances"),
        (([1.0, 2.0], [0, 2]), "correct must be true or false"),
        (([1.0], [True], [-1.0]), "weights must be a number from 0 to 1e\\+100 for each of the 1"),
        (([1.0], [True], [INF]), "weights must be"),
        (([1.0], [True], [1.0, 1.0]), "weights must be"),
    ],
)
def test_arrays_that_do_not_fit(arguments, message):
    for function in (lambda *rows: choose_threshold(*rows, keep=0.5), risk_coverage, auroc):
        with pytest.raises(OptionError, match=message):
            function(*arguments)


def test_thresholds_that_do_not_fit():
    with pytest.raises(OptionError, match="one for each of the 3 instances, and not NaN; got 2 numbers, 1 of them NaN"):
        figures([1, 2, 3], [1, 1, 0], None, np.array([1.0, math.nan]))
    with pytest.raises(OptionError, match="got nan"):
        figures([1, 2, 3], [1, 1, 0], None, math.nan)


# -- curves --


@given(problems(), st.integers(1, 100), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_curve_equals_the_literal_form_in_any_order(problem, percent, random):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        curve = risk_coverage(*problem)
        area = auroc(*problem)
        shares = curve.coverage, curve.error, curve.accuracy, curve.kept_correct
    certainty, correct, weights = problem
    points = list(zip(curve.threshold.tolist(), curve.accepted.tolist(), curve.wrong.tolist(), strict=True))
    assert points == reference.curve(*problem)
    close(curve.aurc, reference.aurc(*problem))
    close(curve.excess_aurc, reference.aurc(*problem) - reference.aurc(correct, correct, weights))
    close(area, reference.auroc(*problem))
    share = Fraction(percent, 100)
    close(curve.error_at(percent / 100), reference.error_at(*problem, share))
    for threshold, *got in zip(curve.threshold, *shares, strict=True):
        found = figures(*problem, threshold)
        close(got, [found.coverage, found.error, 1 - found.error, found.kept_correct])
    order = random.sample(range(len(certainty)), len(certainty))
    shuffled = risk_coverage(*([column[i] for i in order] for column in problem))
    close([shuffled.aurc, shuffled.excess_aurc], [curve.aurc, curve.excess_aurc])


@given(problems(weights=[1.0], n_max=6))
@settings(max_examples=60, deadline=None)
def test_area_is_the_expectation_over_orders_of_equals_and_its_excess_over_the_best_order(problem):
    certainty, correct, _ = problem
    curve = risk_coverage(certainty, correct)
    if correct:
        close(curve.aurc, reference.aurc_over_all_orders(certainty, correct))
        close(curve.excess_aurc, reference.aurc_over_all_orders(certainty, correct) - reference.least_aurc(correct))


@given(problems())
@settings(max_examples=300, deadline=None)
def test_nothing_is_better_than_the_best_order_and_the_ends_are_those_of_the_curve(problem):
    curve = risk_coverage(*problem)
    if len(curve):
        assert curve.excess_aurc >= -1e-12
        assert curve.coverage[-1] == 1
        close(curve.error_at(1), figures(*problem, -INF).error)
        assert (np.diff(curve.threshold) < 0).all()
        assert (np.diff(curve.coverage) > 0).all()


def test_area_by_hand():
    """Ranks 1 to 4 with the second wrong: risks 0, 1/2, 1/3, 1/4; best, the wrong one last: 0, 0, 0, 1/4."""
    curve = risk_coverage([4, 3, 2, 1], [True, False, True, True])
    close(curve.aurc, (0 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    close(curve.excess_aurc, (1 / 2 + 1 / 3) / 4)
    close([curve.error_at(share) for share in (0.25, 0.375, 0.5, 1)], [0, 1 / 3, 1 / 2, 1 / 4])
    close(risk_coverage(np.ones(8), np.arange(8) < 6).aurc, 0.25)


def test_a_coverage_that_cannot_be():
    for share in (0, -0.1, 1.01, math.nan):
        with pytest.raises(OptionError, match=r"coverage must be in \(0, 1\], got"):
            risk_coverage([1, 2], [True, False]).error_at(share)


def test_certainties_that_differ_in_their_last_digits_tie():
    """As the metric auc_reliability has it; so large that they have no 12 decimals they stay as they are."""
    assert auroc([0.3, 0.1 + 0.2], [True, False]) == 0.5
    assert auroc([0.3 + 2e-12, 0.3], [True, False]) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert auroc([1e300, 9e299, INF, -INF], [True, False, True, False]) == 1
        assert auroc([12345.000000000002, 12345.0], [True, False]) == 1


# -- open sets and records --


@given(problems(), st.data())
@settings(deadline=None)
def test_outcomes_equal_the_literal_form(problem, data):
    _, correct, weights = problem
    n = len(correct)
    flags = st.lists(st.booleans(), min_size=n, max_size=n)
    rejected, foreign = data.draw(flags), data.draw(flags)
    right = [a and not b for a, b in zip(correct, foreign, strict=True)]
    got = outcome_counts(correct, rejected, foreign, weights)
    for name, chosen in (("known", [not b for b in foreign]), ("foreign", foreign)):
        assert list(got[name]) == ["n", "correct", "missed", "rejected"]
        close(list(got[name].values()), reference.outcome(right, rejected, weights, chosen))
    assert math.isnan(got["foreign"]["correct"]) or got["foreign"]["correct"] == 0


def test_outcomes_by_class_as_davidsson_prints_them():
    """A class left out here and there has two lines; a missing class and a class without instances have none."""
    rows = [  # actual, predicted, rejected, foreign
        *[(0, 0, False, False)] * 3, (0, 1, False, False),
        *[(2, 0, True, True)] * 3, (2, 2, False, True),
        *[(2, 2, False, False)] * 2, (2, 0, True, False),
        (-1, 0, False, False),
    ]  # fmt: skip
    actual, predicted, rejected, foreign = (np.array(column) for column in zip(*rows, strict=True))
    names = ("setosa", "nobody", "versicolor")
    got = outcomes_by_class(actual, predicted == actual, rejected, foreign, None, names)
    assert [row[:2] + tuple(round(part, 1) for part in row[2:5]) + row[5:] for row in got] == [
        ("setosa", 4, 75.0, 25.0, 0.0, False),
        ("versicolor", 3, 66.7, 0.0, 33.3, False),
        ("versicolor", 4, 0.0, 25.0, 75.0, True),
    ]


def test_weight_of_a_class_is_the_same_for_every_method():
    """To the last bit, however each method answers."""
    rng = np.random.default_rng(1)
    actual, weights, foreign = rng.integers(-1, 4, 1000), rng.random(1000), rng.random(1000) < 0.3
    told = [
        outcomes_by_class(actual, rng.random(1000) < 0.7, rng.random(1000) < 0.2, foreign, weights, list("abcd"))
        for _ in range(20)
    ]
    assert len({tuple(outcome.n for outcome in of_method) for of_method in told}) == 1
    for outcome in told[0]:
        chosen = (actual == "abcd".index(outcome.class_name)) & (foreign == outcome.is_foreign)
        assert outcome.n == pytest.approx(math.fsum(weights[chosen]), rel=1e-14)
        assert math.fsum(outcome[2:5]) == pytest.approx(100, rel=1e-13)


def record(label, *, dataset="iris", aim=None, foreign=False, **choice):
    rng = np.random.default_rng(len(label))
    correct = rng.random(200) < 0.8
    certainty = np.round(rng.random(200) + correct, 1)
    is_foreign = np.arange(200) >= (150 if foreign else 200)
    choices = [choose(aim, certainty[i::4], correct[i::4]) for i in range(4)] if aim else []
    threshold = np.array([choices[i % 4].threshold for i in range(200)]) if aim else choice.get("threshold")
    told = reject_summary(certainty, correct, is_foreign, None, threshold)
    if choices:
        told["chosen"] = choices_summary(choices)
    actual = np.where(is_foreign, 2, rng.integers(0, 2, 200))
    rejected = certainty < (0 if threshold is None else threshold)
    outcomes = outcomes_by_class(actual, correct, rejected, is_foreign, None, ["a", "b", "c"])
    return {
        "dataset": dataset,
        "label": label,
        "learner": choice.get("learner", "J48"),
        "options": "",
        "threshold_from": "out-of-fold" if aim else None,
        "reject": told,
        "outcomes": [outcome._asdict() for outcome in outcomes],
        "runs": 1,
        "known": None,
    }


def test_summary_tells_of_known_instances_and_of_foreign_ones():
    certainty = np.array([0.9, 0.8, 0.7, 0.6, 0.65, 0.1])
    correct = np.array([True, False, True, True, True, False])
    foreign = np.array([False, False, False, False, True, True])
    threshold = np.array([0.5, 0.5, 0.75, 0.5, 0.5, 0.5])
    told = reject_summary(certainty, correct, foreign, None, threshold)
    curve = risk_coverage(certainty[:4], correct[:4])
    assert told["aurc"] == curve.aurc
    assert told["excess_aurc"] == curve.excess_aurc
    assert told["error_at"] == {f"{share:g}": curve.error_at(share) for share in (0.95, 0.9, 0.8, 0.5)}
    close([told["auroc_correct"], told["auroc_known"]], [1 / 3, 7 / 8])
    close([told[name] for name in ("n", "accepted", "wrong", "rejected_correct")], [4, 3, 1, 1])
    assert told["outcomes"]["foreign"] == {"n": 2, "correct": 0, "missed": 50, "rejected": 50}
    assert told["outcomes"]["known"] == {"n": 4, "correct": 50, "missed": 25, "rejected": 25}
    plain = reject_summary(certainty, correct)
    assert math.isnan(plain["auroc_known"])
    assert set(told) - set(plain) == {*Figures(1, 1, 1, 1).as_dict(), "outcomes"}


def test_choices_are_summed_up_over_folds():
    certainty, correct = np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, True, True, True])
    folds = [choose(Aim("error", 0.1), certainty + shift, correct) for shift in (0, 1)]
    folds.append(choose(Aim("error", 0.1), [1.0], [False]))
    told = choices_summary(folds)
    assert told["aim"] == "error at most 10 %"
    assert (told["threshold_min"], told["threshold_max"], told["threshold"]) == (2, INF, INF)
    assert (told["n_choices"], told["n_unreached"]) == (3, 1)
    close([told["coverage"], told["error"], told["kept_correct"]], [0.5, 0, 1])
    assert told["reachable"] == {"error": 1, "coverage": 1}
    folds.append(choose(Aim("error", 0.1), [3, 3, 2, 1], [True, False, False, False]))
    assert choices_summary(folds)["reachable"] == {"error": 0.75, "coverage": 0.75}
    assert "reachable" not in choices_summary(folds[:2])


@pytest.fixture
def printed(capsys, monkeypatch):
    """A table as it is printed on a screen of so many columns, as lines."""

    def lines(table_of, *arguments, columns=300, legend=False, **options):
        monkeypatch.setenv("COLUMNS", str(columns))
        tables.print_tables([table_of(*arguments, **options)], legend=legend)
        return capsys.readouterr().out.splitlines()

    return lines


def words(lines):
    return [line.split() for line in lines]


def numbers(lines):
    return {word for line in words(lines) for word in line if re.fullmatch(r"[\d.]+([–/][\d.∞]+)?", word)}


def test_table_shows_what_there_is_and_nothing_else(printed):
    records = [record("leaf_frequency"), record("confdtree")]
    lines = printed(reject_tables.reject_table, records, "J48", legend=True)
    assert lines[0] == "J48"
    assert [word for line in words(lines[1:5]) for word in line if word.isupper()] == ["AUROC", "AURC"]
    (row,) = [line for line in words(lines) if line[:1] == ["leaf_frequency"]]
    told = record("leaf_frequency")["reject"]
    assert row[1:] == [f"{told['auroc_correct']:.4f}", f"{told['aurc']:.4f}"]
    assert [line.partition(":")[0] for line in lines[lines.index("", 3) + 1 :]] == ["AUROC right/wrong", "AURC"]


def test_table_of_thresholds(printed):
    aim = Aim("keep", 0.9)
    records = [record("plain", aim=aim, foreign=True), record("own", dataset="glass", threshold=1.0)]
    lines = printed(reject_tables.reject_table, records, "J48")
    titles = ("Threshold, chosen out of fold", "Test instances of known classes", "All of them, by certainty")
    assert re.split(" {2,}", lines[2].strip()) == list(titles)
    told = records[0]["reject"]
    chosen = told["chosen"]
    (row,) = [line for line in words(lines) if line[:1] == ["plain"]]
    low, high = (f"{chosen[f'threshold_{end}']:.4g}" for end in ("min", "max"))
    assert low != high
    assert row == [
        *["plain", "keep", "90", "%", "of", "the", "correct"],
        f"{chosen['threshold']:.4g}",
        f"{low}–{high}",
        *(f"{100 * chosen[name]:.2f}" for name in ("coverage", "error", "kept_correct")),
        f"{told['rejected']:g}",
        f"{told['wrong']:g}/{told['accepted']:g}",
        *(f"{100 * told[name]:.2f}" for name in ("coverage", "error", "error_without_rejecting", "kept_correct")),
        f"{100 * told['caught_wrong']:.2f}",
        *(f"{told[name]:.4f}" for name in ("auroc_correct", "aurc", "auroc_known")),
    ]
    (own,) = [line for line in words(lines) if line[:1] == ["own"]]
    assert own[1] == f"{records[1]['reject']['rejected']:g}"
    assert "glass" in lines
    lines = printed(reject_tables.reject_table, [record(name, aim=aim) for name in ("one", "other")], "J48")
    assert "keep" not in [word for line in words(lines) for word in line]


def test_the_learner_is_a_column_where_there_are_several(printed):
    records = [record("tpce", learner="info_gain"), record("wpe")]
    lines = printed(reject_tables.reject_table, records, "J48")
    assert [line.split()[:2] for line in lines if line.startswith("  ") and "0." in line] == [
        ["tpce", "info_gain"],
        ["wpe", "J48"],
    ]
    assert "learner" not in printed(reject_tables.reject_table, records[1:], "J48")[3]


@pytest.mark.parametrize("columns", [80, 100])
def test_reject_table_fits_and_breaks_names_between_parameters(printed, columns):
    long = "boundary_distance:scaling=minmax,nominal_distance=inf,missing=free"
    labels = long, "confdtree:variant=tdist,fine=0.2", "wpe"
    aim = Aim("error", 0.01)
    records = [record(label, dataset=name, aim=aim, foreign=True) for name in ("iris", "a b") for label in labels]
    lines = printed(reject_tables.reject_table, records, "J48", columns=columns, with_error_at=True)
    assert max(map(len, lines)) <= columns
    wide = printed(reject_tables.reject_table, records, "J48", columns=1000, with_error_at=True)
    assert numbers(lines) == numbers(wide)
    pieces = [line.split()[0] for line in lines if re.match("    [a-z_]+=", line)]
    assert pieces
    whole = {part for label in labels for part in label.partition(":")[2].split(",")}
    assert {part for piece in pieces for part in piece.rstrip(",").split(",")} <= whole


def test_what_no_threshold_reaches_is_told_with_what_one_does(printed):
    certainty, correct = np.array([0.9, 0.9, 0.6, 0.5]), np.array([True, False, True, False])
    one = choose(Aim("error", 0.1), certainty, correct)
    other = choose(Aim("error", 0.4), certainty, correct)
    told = reject_summary(certainty, correct, threshold=INF) | {"chosen": choices_summary([one])}
    one_of = {"dataset": "wine", "label": "wpe", "learner": "CART", "options": ""}
    records = [one_of | {"reject": told, "threshold_from": "out-of-fold"}]
    text = "\n".join(printed(reject_tables.reject_table, records, "J48", legend=True))
    assert re.search(r"^  wpe +∞ +1/1 +0.00 +– +0.00 ", text, re.MULTILINE)
    assert text.endswith(
        "wpe on wine: no threshold reaches the aim (error at most 10 %); best out of fold: 33.3 % at coverage 75 %"
    )
    assert "\n–: not defined\n" in text and "inf" not in text
    records[0]["reject"]["chosen"] = choices_summary([one, other, one]) | {"aim": "error at most 10 %"}
    records[0]["threshold_from"] = "training"
    text = "\n".join(printed(reject_tables.reject_table, records, "J48"))
    assert re.search(r"^  wpe +0.6–∞ +2/3 ", text, re.MULTILINE)
    assert text.endswith(
        "reaches the aim (error at most 10 %) in 2 of 3 folds; best on the training rows: 33.3 % at coverage 75 % "
        "(means of these folds)"
    )
    nothing = choose(Aim("keep", 0.9), [0.5], [False])
    records[0]["reject"]["chosen"] = choices_summary([nothing])
    lines = printed(reject_tables.reject_table, records, "J48")
    assert lines[-1] == "wpe on wine: no threshold reaches the aim (keep 90 % of the correct)"
    missed = {"unreached_classes": {"a": 2, "b": 1}}
    for several, said in (
        ({"n_choices": 1}, ": that of answers 'a', of answers 'b'"),
        ({"n_choices": 3, "n_unreached": 2}, " in 2 of 3 folds: that of answers 'a' in 2, of answers 'b' in 1"),
    ):
        records[0]["reject"]["chosen"] = choices_summary([nothing]) | missed | several
        lines = printed(reject_tables.reject_table, records, "J48")
        assert lines[-1] == f"wpe on wine: no threshold reaches the aim (keep 90 % of the correct){said}"


def predicted_record(label, counts, missed, **more):
    """A record with the answered, wrong and rejected of each predicted class, and the wrong of each actual class."""
    rows = [dict(zip(("class_name", "answered", "wrong", "rejected"), row, strict=True)) for row in counts]
    outcomes = [
        {"class_name": name, "n": 50.0, "correct": 0.0, "missed": 2 * n, "rejected": 0.0, "is_foreign": False}
        for name, n in missed.items()
    ]
    return record(label, threshold=0.6) | {"predicted": rows, "outcomes": outcomes} | more


def test_answers_of_each_predicted_class(printed):
    many = [(f"c{i}", 1.0, 0.0, 0.0) for i in range(20)]
    records = [
        predicted_record("wpe", [("no", 80.0, 4.0, 5.0), ("yes", 0.0, 0.0, 9.0), ("it's", 0.0, 0.0, 0.0)],
                         {"no": 1.0, "yes": 3.0, "it's": 0.0}),
        predicted_record("ling_yan", [("no", 80.5, 1.0, 5.0), ("yes", 9.0, 1.0, 0.0), ("it's", 2.0, 0.0, 0.0)],
                         {"no": 0.0, "yes": 2.0, "it's": 0.0}),
        predicted_record("shrinkage", [("no", 80.0, 4.0, 5.0), ("yes", 9.0, 1.0, 0.0), ("it's", 0.0, 0.0, 2.0)],
                         {"no": 2.0, "yes": 2.0, "it's": 1.0}, runs=10, known=[["no", "yes"], ["it's", "yes"]]),
        predicted_record("curtailment", [("no", 8.0, 0.0, 0.0), ("yes", 0.0, 0.0, 0.0), ("it's", 0.0, 0.0, 0.0)],
                         {"no": 0.0}, known=[["no", "it's"]]),
        predicted_record("confdtree", [("no", 3.0, 3.0, 0.0), ("yes", 1.0, 0.0, 0.0)], {"no": 0.0, "yes": 3.0}),
        predicted_record("m_branch", [("no", 0.0, 0.0, 85.0), ("yes", 0.0, 0.0, 9.0)], {"no": 0.0, "yes": 0.0}),
        predicted_record("plain", many, {"c1": 0.0}, dataset="soy"),
    ]  # fmt: skip
    lines = printed(reject_tables.predicted_table, records, "Of each predicted class", legend=True)
    low, high = (f"{100 * end:.2g}" for end in interval(4, 80))
    assert words(lines)[:12] == [
        ["Of", "each", "predicted", "class"],
        [],
        ["method", "wrong/", "error", "interval"],
        ["predicted", "class", "rejected", "answered", "%", "%"],
        words(lines)[4],
        ["iris:", "wpe"],
        ["no", "5", "4/80", "5.00", f"{low}–{high}"],
        ["yes", "9", "0/0", "–"],
        [],
        ["iris:", "ling_yan"],
        ["no", "5", "1/80.5", "1.24"],
        ["yes", "0", "1/9", "11.11"],
    ]
    at = lines.index("iris: shrinkage")
    assert words(lines)[at + 1 : at + 4] == [
        ["no", "5", "4/80", "5.00"],
        ["yes", "0", "1/9", "11.11"],
        ["it's", "2", "0/0", "–"],
    ]
    assert ["no", "0", "3/3", "100.00", "29–100"] in words(lines)
    assert sum(line.startswith("  c") for line in lines) == 12
    assert [line for line in lines if " on iris: " in line or " on soy: " in line] == [
        "wpe on iris: never answers 'yes', 'it's'",
        "wpe on iris: 3 of the 4 wrong answers are for rows of class 'yes'",
        "ling_yan on iris: all 2 wrong answers are for rows of class 'yes'",
        "shrinkage on iris: never answers 'it's'",
        "curtailment on iris: never answers 'it's'",
        "confdtree on iris: all 3 wrong answers are for rows of class 'yes'",
    ]
    assert "interval %: of Clopper and Pearson for the error, confidence level 95 %" in " ".join(
        " ".join(lines).split()
    )
    assert "interval" not in "".join(printed(reject_tables.predicted_table, records[1:3], "", legend=True))


def test_what_is_answered_for_each_predicted_class_is_counted():
    rng = np.random.default_rng(7)
    predicted, correct, rejected = rng.integers(0, 3, 90), rng.random(90) < 0.7, rng.random(90) < 0.4
    weights = rng.integers(0, 3, 90).astype(float)
    rows = predicted_by_class(predicted, correct, rejected, weights, ["a", "b", "c", "never"])
    for place, row in enumerate(rows):
        answered = wrong = other = 0.0
        for i in range(90):
            if predicted[i] == place:
                answered += weights[i] * (not rejected[i])
                wrong += weights[i] * (not rejected[i] and not correct[i])
                other += weights[i] * bool(rejected[i])
        assert row == ("abc"[place] if place < 3 else "never", answered, wrong, other)


def test_table_of_outcomes(printed):
    one = record("id3_sd", threshold=0.6, foreign=True)
    lines = printed(reject_tables.outcomes_table, [one], "Of each class", legend=True)
    assert "iris: id3_sd" in lines
    for outcome in one["outcomes"]:
        name = ["c", "(unknown)"] if outcome["is_foreign"] else [outcome["class_name"]]
        cells = [f"{outcome['n']:g}", *(f"{outcome[part]:.1f}" for part in ("correct", "missed", "rejected"))]
        assert name + cells in words(lines)
    known = one["reject"]["outcomes"]["known"]
    shown = [f"{known[part]:.1f}" for part in ("correct", "missed", "rejected")]
    assert ["all", "known", "150", *shown] in words(lines)
    assert not [line for line in words(lines) if line[:2] == ["all", "unknown"]]
    assert lines[-2:] == [
        "missed %: answered, and wrong",
        "unknown: of a class that the training data did not have, so never correct",
    ]
    closed = printed(reject_tables.outcomes_table, [record("id3_sd", threshold=0.6)], "Of each class", legend=True)
    assert closed[-1] == "missed %: answered, and wrong"


class Terminal(io.StringIO):
    """A terminal, of which only what was written is known."""

    def isatty(self):
        return True


def test_no_number_is_cut_in_a_narrow_terminal(monkeypatch):
    table, shown = reject_tables.reject_table([record("plain", aim=Aim("keep", 0.9))], "J48"), []
    for columns in (20, 40, 300):
        monkeypatch.setenv("COLUMNS", str(columns))
        with redirect_stdout(Terminal()) as screen:
            tables.print_tables([table], legend=False)
        assert "\x1b[1m" in screen.getvalue(), "headings are bold"
        shown.append(numbers(re.sub("\x1b[^m]*m", "", line) for line in screen.getvalue().splitlines()))
    assert shown[0] == shown[1] == shown[2] and len(shown[2]) > 10


def test_outcomes_in_a_csv_of_records_are_json():
    one = record("id3_sd", threshold=0.6, foreign=True)
    file = io.StringIO()
    tables.write_csv([one], file)
    (row,) = rows_of(file.getvalue())
    assert json.loads(row["outcomes"]) == one["outcomes"]
    assert row["reject.error_at.0.9"] == f"{one['reject']['error_at']['0.9']:.12g}"


def test_curves_as_csv():
    curve = risk_coverage([INF, 2, 2, 1], [True, True, False, False])
    file = io.StringIO()
    reject_tables.write_curves({"a,b": curve, "none right": risk_coverage([1.0], [False])}, file)
    rows = rows_of(file.getvalue())
    assert list(rows[0]) == list(reject_tables.CURVE_COLUMNS)
    assert [row["method"] for row in rows] == ["a,b"] * 3 + ["none right"]
    assert [row["threshold"] for row in rows] == ["1.79769313486e+308", "2", "1", "1"]
    close([float(row["coverage"]) for row in rows], [0.25, 0.75, 1, 1])
    close([float(row["risk"]) for row in rows], [0, 1 / 3, 1 / 2, 1])
    close([float(row["accuracy"]) for row in rows], [1, 2 / 3, 1 / 2, 0])
    assert [row["kept_correct"] for row in rows] == ["0.5", "1", "1", ""]
