"""Exact tests of a promise on labelled rows: p-values, and what is said of them."""

import warnings
from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import fisher_exact
from support.small_data import small

import wekaconf as wc
from wekaconf.evaluation.checks import (
    Checked,
    CheckedCost,
    Counted,
    Repeats,
    note_calibration,
    note_copies,
    row_digests,
)
from wekaconf.evaluation.checks import _promise_check as promise_checks
from wekaconf.evaluation.checks._promise_check import LEVEL
from wekaconf.evaluation.promises import mean_bound


def upper_tail_by_hand(wrong, answered, error):
    error = Fraction(error)
    chances = (comb(answered, i) * error**i * (1 - error) ** (answered - i) for i in range(wrong, answered + 1))
    return float(sum(chances))


@pytest.mark.parametrize(
    ("wrong", "answered", "target"),
    [(0, 0, 0.05), (0, 10, 0.05), (1, 10, 0.001), (3, 3, 0.05), (80, 400, 0.05), (200, 400, 0.05), (10, 10, 0.3)],
)
def test_a_p_value_is_the_exact_tail_however_small(wrong, answered, target):
    p_value = Checked("", answered, answered, wrong, target).p_value
    assert p_value == pytest.approx(upper_tail_by_hand(wrong, answered, target), rel=1e-11)


@pytest.mark.parametrize(("answered", "wrong", "found"), [(0, 0, 0.0), (1, 1, 1.0), (4, 1, 0.25)])
def test_the_error_that_is_found_is_a_share_of_the_answers(answered, wrong, found):
    assert Checked("", 9, answered, wrong, 0.5).found == found


def test_a_broken_promise_is_told_with_what_was_found():
    said = promise_checks.verdict([Checked("", 400, 400, 100, 0.05)], 0.9)
    assert said.startswith("the error exceeds the target on these rows (p = 4.3e-41): ")
    assert ": 25.00 % instead of at most 5 %. Either the calibration was unlucky, which has" in said
    assert "a probability of at most 10 %, or these rows are unlike the calibration rows" in said


@pytest.mark.parametrize(
    "check", [Checked("", 400, 400, 400, 0.05), CheckedCost("", 0.001, 10**6, 10**6, 0.9, 1)], ids=["error", "cost"]
)
def test_no_p_value_is_0(check):
    assert 0 < check.p_value < 1e-300
    [line] = promise_checks.lines([check])
    assert line.endswith("; p < 1e-300") and "(p < 1e-300)" in promise_checks.verdict([check], 0.95)
    assert all("p, corrected < 1e-300" in line for line in promise_checks.lines([check] * 40))


def test_more_repeated_rows_than_in_another_sample_are_no_chance():
    """By Fisher's exact test, two-sided, of which only one side counts."""
    for k, n, usual_k, usual_n in [
        (9, 400, 1, 300),
        (20, 400, 1, 300),
        (1, 1, 0, 9),
        (3, 3, 0, 90),
        (85, 187, 61, 187),
    ]:
        p = fisher_exact([[k, n - k], [usual_k, usual_n - usual_k]]).pvalue
        assert Repeats(k, n).exceed(Repeats(usual_k, usual_n)) == (p < 0.001)
        assert not Repeats(usual_k, usual_n).exceed(Repeats(k, n))
    for nothing in ((0, 0), (0, 5), (5, 5)):
        assert not Repeats(*nothing).exceed(Repeats(0, 0)) and not Repeats(0, 0).exceed(Repeats(*nothing))


def test_rows_repeat_others_or_one_another():
    assert Repeats.among(np.array([1, 1, 2, 3, 4]), np.array([3, 3, 9])) == Repeats(3, 5)
    assert Repeats.among(np.array([1, 2]), np.array([], dtype=int)) == Repeats(0, 2)


def test_fresh_rows_of_few_values_are_not_taken_for_seen_ones():
    """Draws from 9 binary columns repeat one another by chance; what calibrates tells how often, and is a draw, too."""
    rng = np.random.default_rng(5)
    n_refused = 0
    for _ in range(400):
        grew, calibrates, fresh = (rng.integers(0, 200, n) for n in (200, 100, 300))
        usual = Repeats.among(calibrates, grew)
        seen = Repeats(int(np.isin(fresh, np.union1d(grew, calibrates)).sum()), 300)
        n_refused += seen.exceed(usual)
        assert Repeats(300, 300).exceed(usual)
    assert n_refused <= 3


def test_many_classes_have_twelve_lines():
    by_class = [Counted(f"c{i}", i, i, 0) for i in range(1, 15)]
    lines = promise_checks.class_lines(by_class)
    assert lines[0].startswith("predicted 'c14': 14 rows") and lines[11].startswith("predicted 'c3': 3 rows")
    assert lines[12:] == ["and 2 more classes"] and promise_checks.class_lines(by_class[:13])[12:] == [
        "and 1 more class"
    ]
    assert len(promise_checks.counts_record(by_class)) == 14


@pytest.mark.parametrize("group", [Checked("A 1", 50, 50, 30, 0.1), CheckedCost("A 1", 0.5, 50, 50, 4.0, 5)])
def test_a_verdict_on_one_group_is_corrected_by_none(group):
    [line] = promise_checks.group_verdicts([group])
    assert line.startswith("the rows of 'A 1' exceed the target (p = ") and "Holm over 1 test);" in line
    assert promise_checks.group_verdicts([]) == []


@pytest.mark.parametrize(
    ("cell", "other", "is_same"),
    [(0.0, -0.0, True), (np.nan, -np.nan, True), (1e-20, 2e-20, False), (0.0, np.nan, False), (1.0, 2.0, False)],
)
def test_rows_repeat_one_another_if_all_cells_but_the_class_are_equal(cell, other, is_same):
    data = small(x=[1.0, 1.0, 1.0], c=["a", "b", "a"])
    data = replace(data, values=np.array([[cell, 0], [other, 1], [cell, 1]]))
    first, second, again = row_digests(data)
    assert (first == second) == is_same and first == again


@pytest.mark.parametrize(("n_repeated", "is_told"), [(1, False), (2, True)])
def test_more_than_a_tenth_of_repeated_rows_is_told(n_repeated, is_told):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        note_copies(Repeats(n_repeated, 10), "x")
    assert [str(each.message).startswith("x: 2 of 10 calibration rows repeat") for each in told] == [True] * is_told


def test_a_class_that_only_training_rows_have_is_told_and_a_missing_one_is_none():
    growing, calibration = small(x=[1, 2, 3], c=["a", "b", None]), small(x=[1, 2], c=(("a", "b"), ["b", "b"]))
    with pytest.warns(wc.Note, match="^x: no calibration row is of class 'a', though training rows are"):
        note_calibration(Repeats(0, 2), calibration, growing, "x")
    with pytest.warns(wc.Note, match="^x: 2 of 2 calibration rows repeat a row that the tree grew on"):
        note_calibration(Repeats(2, 2), calibration, None, "x")


@pytest.mark.parametrize(("n", "cost"), [(0, 0.0), (50, 0.1), (50, 0.5)])
def test_a_cost_that_is_kept_is_no_evidence(n, cost):
    assert CheckedCost("", 0.5, n, n, cost, 5).p_value == 1.0


def test_a_mean_cost_lies_between_two_bounds_that_each_fail_in_a_fortieth():
    low, high = CheckedCost("", 1, 100, 100, 0.5, 5).interval
    assert low == pytest.approx(5 * (1 - mean_bound(0.9, 100, 0.025))) and high == 5 * mean_bound(0.1, 100, 0.025)
    assert 0 < low < 0.5 < high < 5


def test_a_p_value_at_the_level_breaks_no_promise():
    """Three wrong answers of three have the third power of the probability of one."""
    at_the_level = [Checked("A", 3, 3, 3, 0.36840314986403866)]
    assert at_the_level[0].p_value == LEVEL
    assert not promise_checks.is_broken(at_the_level) and promise_checks.group_verdicts(at_the_level) == []
    assert [each["exceeds_target"] for each in promise_checks.record(at_the_level)] == [False]
    below = [Checked("A", 3, 3, 3, 0.3684)]
    assert promise_checks.is_broken(below) and len(promise_checks.group_verdicts(below)) == 1
    assert [each["exceeds_target"] for each in promise_checks.record(below)] == [True]


@pytest.mark.parametrize(
    ("p_value", "told"), [(9.9e-301, "p < 1e-300"), (1e-300, "p = 1e-300"), (0.12345, "p = 0.12"), (1.0, "p = 1")]
)
def test_a_p_value_has_two_digits(p_value, told):
    assert promise_checks.p_text(p_value) == told


@pytest.mark.parametrize(
    ("checked", "line"),
    [
        (Counted("a", 1, 0, 0), "'a': 1 row, none answered"),
        (Counted("", 4, 3, 1), "4 rows, 3 answered, 1 wrong (33.33 %, interval 0.84 to 91 %)"),
        (Counted("a", 4, 3, 0), "'a': 4 rows, 3 answered, 0 wrong (0.00 %, interval 0 to 71 %)"),
    ],
)
def test_a_line_of_counts(checked, line):
    assert promise_checks.counts_line(checked) == line


@pytest.mark.parametrize(
    ("checked", "said"),
    [
        ([Checked("", 9, 0, 0, 0.05)], "nothing is answered, so nothing can be tested"),
        ([Checked("a", 9, 0, 0, 0.05), Checked("b", 9, 1, 1, 0.04)], "these rows do not show that the promise is bro"),
        ([CheckedCost("", 0.5, 9, 0, 0.25, 1)], "these rows do not show that the promise is broken (p = 1)"),
        ([CheckedCost("", 0.5, 900, 9, 0.75, 1)], "0.75 instead of at most 0.5. Either the calibration was unlucky"),
        ([Checked("", 400, 400, 100, 0.055)], "25.00 % instead of at most 5.5 %. Either the calibration was unlucky"),
    ],
)
def test_what_is_said_of_promises(checked, said):
    assert said in promise_checks.verdict(checked, 0.9)


@pytest.mark.parametrize(
    ("checked", "said"),
    [
        ([Checked("", 400, 400, 20, 0.05)], ""),
        ([Checked("", 500, 400, 21, 0.05)],
         "21 of the 400 answers whose class is known are wrong (5.25 %; promised: at most 5 %), which may be chance "
         "(p = 0.44)"),
        ([Checked("a", 9, 9, 0, 0.05), Checked("b", 3, 3, 3, 0.3)],
         "3 of the 3 answers 'b' whose class is known are wrong (100.00 %; promised: at most 30 %), which may be "
         "chance (p = 0.054)"),
        ([CheckedCost("", 0.5, 900, 9, 0.75, 1)],
         "the mean cost of the 900 rows whose class is known is 0.75 (promised: at most 0.5), more than chance "
         "explains (p = 9.3e-53)"),
        ([CheckedCost("", 0.5, 1, 1, 0.75, 1)],
         "the mean cost of the 1 row whose class is known is 0.75 (promised: at most 0.5), which may be "
         "chance (p = 0.88)"),
    ],
)  # fmt: skip
def test_a_clause_on_rows_that_show_more_errors_or_costs_than_promised(checked, said):
    assert promise_checks.excess(checked) == said
