"""Exact tests of a promise on labelled rows: p-values, and what is said of them."""

from fractions import Fraction
from math import comb

import pytest

from wekaconf.evaluation.promise_check import Checked, CheckedCost, repeats_too_often
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
    p_value = Checked("", target, answered, answered, wrong).p_value
    assert p_value == pytest.approx(upper_tail_by_hand(wrong, answered, target), rel=1e-11)


@pytest.mark.parametrize(
    "check", [Checked("", 0.05, 400, 400, 400), CheckedCost("", 0.001, 10**6, 10**6, 0.9, 1)], ids=["error", "cost"]
)
def test_no_p_value_is_0(check):
    assert 0 < check.p_value < 1e-300
    [line] = promise_checks.lines([check])
    assert line.endswith("; p < 1e-300") and "(p < 1e-300)" in promise_checks.verdict([check], 0.95)
    assert all("p, corrected < 1e-300" in line for line in promise_checks.lines([check] * 40))


def test_many_repeated_rows_are_no_chance():
    assert repeats_too_often(9, 400, 0.005) and not repeats_too_often(6, 400, 0.005)
    assert not repeats_too_often(0, 400, 0.0) and repeats_too_often(1, 400, 0.0)
