"""Exact tests of a promise on labelled rows: p-values, and what is said of them."""

from fractions import Fraction
from math import comb

import pytest

from wekaconf.evaluation.promise_check import Checked, CheckedCost, Counted, repeats_too_often
from wekaconf.report import promise_checks


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


@pytest.mark.parametrize(
    "check", [Checked("", 400, 400, 400, 0.05), CheckedCost("", 0.001, 10**6, 10**6, 0.9, 1)], ids=["error", "cost"]
)
def test_no_p_value_is_0(check):
    assert 0 < check.p_value < 1e-300
    [line] = promise_checks.lines([check])
    assert line.endswith("; p < 1e-300") and "(p < 1e-300)" in promise_checks.verdict([check], 0.95)
    assert all("p, corrected < 1e-300" in line for line in promise_checks.lines([check] * 40))


def test_many_repeated_rows_are_no_chance():
    assert repeats_too_often(9, 400, 0.005) and not repeats_too_often(6, 400, 0.005)
    assert not repeats_too_often(0, 400, 0.0) and repeats_too_often(1, 400, 0.0)


def test_many_classes_have_twelve_lines():
    by_class = [Counted(f"c{i}", i, i, 0) for i in range(1, 15)]
    lines = promise_checks.class_lines(by_class)
    assert lines[0].startswith("'c14': 14 rows") and lines[11].startswith("'c3': 3 rows")
    assert lines[12:] == ["and 2 more classes"] and promise_checks.class_lines(by_class[:13])[12:] == [
        "and 1 more class"
    ]
    assert len(promise_checks.class_record(by_class)) == 14


@pytest.mark.parametrize("group", [Checked("A 1", 50, 50, 30, 0.1), CheckedCost("A 1", 0.5, 50, 50, 4.0, 5)])
def test_a_verdict_on_one_group_is_corrected_by_none(group):
    [line] = promise_checks.group_verdicts([group])
    assert line.startswith("the rows of 'A 1' exceed the target (p = ") and "Holm over 1 test);" in line
    assert promise_checks.group_verdicts([]) == []
