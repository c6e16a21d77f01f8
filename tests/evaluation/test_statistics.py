"""Tests of significance, against the libraries that have them and in every odd case."""

import math
import sys

import numpy as np
import pytest
from scipy import stats

from wekaconf.base.errors import OptionError
from wekaconf.evaluation.statistics import (
    PairedTest,
    bayesian_signed_rank,
    friedman,
    holm,
    paired_t,
    pairwise_signed_rank,
    signed_rank,
)


@pytest.fixture
def random():
    """A generator, of each test its own."""
    return np.random.default_rng(7)


# -- t-tests (against Weka: tests/parity/test_experimenter.py) ------------------------------------------------------


@pytest.mark.parametrize("n", [2, 5, 50])
def test_paired_t_is_scipys(random, n):
    first, second = random.normal(size=(2, n))
    ours, theirs = paired_t(first, second), stats.ttest_rel(first, second)
    interval = theirs.confidence_interval(0.95)
    np.testing.assert_allclose(
        [ours.statistic, ours.p_value, ours.low, ours.high],
        [theirs.statistic, theirs.pvalue, interval.low, interval.high],
        rtol=1e-10,
    )


def test_correction_is_nadeau_and_bengios(random):
    """Over the 100 folds of ten runs, it multiplies the variance of the mean by 1 + 100/9."""
    first, second = random.normal([[0.3], [0]], 1, size=(2, 100))
    plain, corrected = paired_t(first, second), paired_t(first, second, test_train_ratio=1 / 9)
    assert corrected.statistic == pytest.approx(plain.statistic / math.sqrt(1 + 100 / 9))
    assert corrected.p_value > plain.p_value
    assert (corrected.low + corrected.high) / 2 == pytest.approx(plain.effect)


def test_interval_and_p_value_agree(random):
    """0 is outside the interval of 1 − level exactly where p is below the level."""
    outside = []
    for shift in np.linspace(0, 2, 60):
        found = paired_t(random.normal(shift, 1, 10), np.zeros(10), test_train_ratio=0.1, level=0.1)
        assert (found.low > 0 or found.high < 0) == (found.p_value < 0.1)
        outside.append(found.p_value < 0.1)
    assert 0 < sum(outside) < 60


def test_false_alarms_come_at_the_level(random):
    p_values = [paired_t(*random.normal(size=(2, 8))).p_value for _ in range(1000)]
    assert stats.kstest(p_values, "uniform").pvalue > 0.001


# -- the Bayesian signed-rank test ----------------------------------------------------------------------------------


def test_probabilities_are_those_of_the_dirichlet_process(random):
    """Benavoli et al. 2014, Eq. 6, drawn anew: weights of the differences and of a 0, summed over all pairs."""
    difference, rope = np.array([0.05, 0.022, -0.004, 0.03, -0.031, 0.001, 0.012]), 0.01
    points = np.append(0, difference)
    sums = points[:, None] + points
    n_won = np.zeros(3)
    for weights in random.dirichlet([0.5, *np.ones(7)], 20_000):
        pairs = np.outer(weights, weights)
        first, second = pairs[sums > 2 * rope].sum(), pairs[sums < -2 * rope].sum()
        n_won[np.argmax([first, 1 - first - second, second])] += 1
    found = bayesian_signed_rank(difference, np.zeros(7), rope=rope)
    assert sum(found) == pytest.approx(1) and np.abs(found - n_won / n_won.sum()).max() < 0.015
    assert 0.1 < found[0] < 0.9
    other = bayesian_signed_rank(np.zeros(7), difference, rope=rope)
    assert np.abs(np.subtract(other, found[::-1])).max() < 0.015


def test_where_nothing_is_measured_nothing_is_probable():
    assert np.isnan(bayesian_signed_rank([np.nan, 1], [1, np.nan], rope=0.1)).all()
    with pytest.raises(OptionError, match="rope: expected a number above 0, got 0"):
        bayesian_signed_rank([1.0], [2.0], rope=0)


def test_without_baycomp_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "baycomp", None)
    with pytest.raises(OptionError, match=r"^the Bayesian signed-rank test needs baycomp, .*'wekaconf\[report\]'$"):
        bayesian_signed_rank([1.0], [2.0], rope=0.1)


# -- Wilcoxon -------------------------------------------------------------------------------------------------------


def test_signed_rank_is_scipys_and_counts_by_hand():
    difference = np.array([1.0, -2, 3, 4, 5, 0, 6])
    found = signed_rank(difference, np.zeros(7))
    assert found.p_value == stats.wilcoxon(difference[difference != 0]).pvalue
    assert found.effect == pytest.approx((1 + 3 + 4 + 5 + 6 - 2) / 21)  # ranks 1 to 6, rank 2 against
    assert (found.n_pairs, found.n_left_out) == (7, 0)
    assert signed_rank(np.zeros(7), difference).effect == -found.effect


@pytest.mark.parametrize("n", [1, 2, 5, 9, 13, 14])
def test_signed_rank_is_scipys_where_differences_tie(random, n):
    difference = random.choice([-3.0, -2, -1, 1, 2, 3, 4], n)
    theirs = stats.wilcoxon(difference)
    found = signed_rank(difference, np.zeros(n))
    assert (found.statistic, found.p_value) == (theirs.statistic, theirs.pvalue)


@pytest.mark.parametrize("n", [6, 25])
@pytest.mark.parametrize("shift", [0.0, 0.4, 1.0])
def test_interval_of_the_rank_biserial_holds_what_it_says(random, n, shift):
    drawn = [signed_rank(random.normal(shift, 1, n), np.zeros(n)) for _ in range(300)]
    middle = np.mean([found.effect for found in drawn])
    assert 0.92 < np.mean([found.low <= middle <= found.high for found in drawn]) < 0.995


def test_interval_of_a_rank_biserial_of_1():
    sure = signed_rank(np.arange(1, 9), np.zeros(8))
    assert sure.effect == sure.high == 1
    assert 0 < sure.low < 1


# -- several methods ------------------------------------------------------------------------------------------------


def test_friedman_and_nemenyi_are_the_libraries(random):
    from scikit_posthocs import posthoc_nemenyi_friedman

    values = random.normal(size=(15, 5)).round(1)
    values[:, 2] += 1
    found = friedman(values)
    theirs = stats.friedmanchisquare(*values.T)
    assert (found.statistic, found.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))
    np.testing.assert_allclose(found.nemenyi, posthoc_nemenyi_friedman(values), atol=1e-12)
    assert found.mean_ranks.argmin() == 2
    np.testing.assert_allclose(friedman(values, larger_is_better=False).mean_ranks, 6 - found.mean_ranks)


@pytest.mark.parametrize(("k", "level", "q"), [(2, 0.05, 1.960), (5, 0.05, 2.728), (10, 0.05, 3.164), (4, 0.1, 2.291)])
def test_critical_difference_is_of_demsars_table(random, k, level, q):
    """Demšar 2006, Table 5."""
    found = friedman(random.normal(size=(14, k)), level=level)
    assert found.critical_difference == pytest.approx(q * math.sqrt(k * (k + 1) / (6 * 14)), abs=5e-4)


def test_nemenyi_and_the_critical_difference_agree(random):
    values = random.normal(size=(12, 6)) + np.linspace(0, 3, 6)
    found = friedman(values)
    apart = np.abs(found.mean_ranks[:, None] - found.mean_ranks)
    np.testing.assert_array_equal(found.nemenyi <= 0.05, apart >= found.critical_difference)
    assert (found.nemenyi <= 0.05).any()


@pytest.mark.one_commit_in(3)
def test_holm_is_statsmodels(random):
    from statsmodels.stats.multitest import multipletests

    for _ in range(20):
        p_values = random.random(6) ** 3
        np.testing.assert_allclose(holm(p_values), multipletests(p_values, method="holm")[1])
    np.testing.assert_array_equal(holm([0.02, np.nan, 0.01]), [0.02, np.nan, 0.02])
    assert holm([]).tolist() == []


def test_pairs_of_methods(random):
    values = random.normal([0, 0, 2], 1, size=(20, 3))
    found = pairwise_signed_rank(values)
    np.testing.assert_array_equal(found, found.T)
    alone = [signed_rank(values[:, a], values[:, b]).p_value for a, b in ((0, 1), (0, 2), (1, 2))]
    np.testing.assert_allclose([found[0, 1], found[0, 2], found[1, 2]], holm(alone))


# -- odd input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", [paired_t, signed_rank])
def test_undefined_pairs_are_left_out_and_counted(random, test):
    first, second = random.normal(size=(2, 9))
    whole = test(first[3:], second[3:])
    first[:2], second[2] = [np.nan, np.inf], np.nan
    found = test(first, second)
    assert (found.n_pairs, found.n_left_out) == (6, 3)
    assert (found.effect, found.p_value) == (whole.effect, whole.p_value)


@pytest.mark.parametrize("test", [paired_t, signed_rank])
def test_no_difference(test):
    """Also where the last digits differ: 0.1 + 0.2 is not 0.3."""
    found = test([0.1 + 0.2, 0.5, 0.7], [0.3, 0.5, 0.7])
    assert (found.effect, found.p_value, found.sign(0.05), found.n_pairs) == (0, 1, 0, 3)


@pytest.mark.parametrize("test", [paired_t, signed_rank])
def test_no_pair(test):
    found = test([np.nan], [1.0])
    assert (found.n_pairs, found.n_left_out, found.sign(0.05)) == (0, 1, 0)
    assert math.isnan(found.p_value) and math.isnan(found.effect)


def test_one_pair():
    found = paired_t([2.0], [1.0])
    assert found.effect == 1
    assert math.isnan(found.p_value) and found.sign(0.05) == 0
    assert signed_rank([2.0], [1.0]).p_value == 1


def test_equal_differences():
    found = paired_t([0.6, 0.7, 0.8], [0.5, 0.6, 0.7])
    assert found.p_value < 1e-20
    assert found.sign(0.05) == 1


def test_one_method_one_set_all_ties_and_nothing(random):
    alone = friedman(np.ones((4, 1)))
    assert alone.mean_ranks.tolist() == [1]
    assert math.isnan(alone.p_value) and math.isnan(alone.critical_difference)
    one_set = friedman([[1.0, 2, 3]])
    assert one_set.mean_ranks.tolist() == [3, 2, 1]
    assert math.isnan(one_set.p_value) and math.isnan(one_set.critical_difference)
    tied = friedman(np.full((4, 3), 0.1 + 0.2) - [[0, 0, 0.1 + 0.2 - 0.3]])
    assert (tied.p_value, tied.mean_ranks.tolist()) == (1, [2, 2, 2])
    assert (tied.nemenyi == 1).all()
    nothing = friedman(np.full((2, 3), np.nan))
    assert (nothing.n_sets, nothing.n_left_out) == (0, 2)
    assert np.isnan(nothing.mean_ranks).all()
    two = friedman(random.normal(size=(9, 2)))
    assert math.isnan(two.p_value) and two.critical_difference > 0


def test_two_sets_are_enough_for_friedmans_test(random):
    values = random.normal(size=(2, 3))
    found = friedman(values)
    assert found.p_value == pytest.approx(stats.friedmanchisquare(*-values.T).pvalue)
    assert found.critical_difference > 0 and (found.nemenyi <= 1).all()


@pytest.mark.parametrize(("effect", "p_value", "sign"), [
    (0.3, 0.05, 1), (-0.3, 0.05, -1), (0.3, 0.0501, 0), (0.0, 0.01, 0), (0.3, math.nan, 0),
])  # fmt: skip
def test_a_sign_is_that_of_an_effect_up_to_the_level(effect, p_value, sign):
    assert PairedTest(effect, 0.0, 0.0, 0.0, p_value, 9, 0).sign(0.05) == sign


def test_sets_without_a_value_are_left_out(random):
    values = random.normal(size=(8, 3))
    values[2, 1] = np.nan
    found, whole = friedman(values), friedman(np.delete(values, 2, axis=0))
    assert (found.n_sets, found.n_left_out, found.p_value) == (7, 1, whole.p_value)
    assert math.isnan(pairwise_signed_rank(values * [[1, np.nan, 1]])[0, 1])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: paired_t([1, 2], [1]), "two rows of equal length"),
        (lambda: signed_rank([[1]], [[1]]), "two rows of equal length"),
        (lambda: paired_t([1, 2], [1, 3], level=0), "level: expected a number between 0 and 1"),
        (lambda: signed_rank([1, 2], [1, 3], level=1), "level: expected a number between 0 and 1"),
        (lambda: paired_t([1, 2], [1, 3], test_train_ratio=-1), "test_train_ratio: expected"),
        (lambda: paired_t([1, 2], [1, 3], test_train_ratio=np.inf), "test_train_ratio: expected"),
        (lambda: friedman([1, 2]), "expected a table, one row per data set"),
        (lambda: pairwise_signed_rank([1, 2]), "expected a table"),
        (lambda: friedman([[1, 2]], level=math.nan), "level: expected"),
    ],
)
def test_refused(call, said):
    with pytest.raises(OptionError, match=said):
        call()


def test_the_statistic_is_the_smaller_of_two_sums_of_ranks():
    """1, 2 and 4 are the ranks of what is above 0, 3 that of what is below."""
    assert signed_rank([0.1, 0.2, -0.3, 0.4], [0, 0, 0, 0]).statistic == 3
