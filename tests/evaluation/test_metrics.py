"""Metrics against hand-worked values, exact literal forms, scikit-learn, and at their edges."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import metrics_reference as reference
from sklearn import metrics as sklearn_metrics
from support.command_line import METRICS

from wekaconf.evaluation.measures import _folds as folds
from wekaconf.evaluation.measures import _metrics as metrics
from wekaconf.evaluation.measures import _ranking as ranking
from wekaconf.evaluation.measures import _scoring as scoring

WEIGHTS = [0.0, 0.25, 0.5, 1.0, 1.0, 2.0, 3.7]
AREAS = [name for name in METRICS if name.startswith("auc") and name != "auc_reliability"]
LARGEST = {"percent_correct": 100, "percent_affected": 100, "log_loss": 34.54}


def arrays(proba, actual, weights=None):
    weights = np.ones(len(actual)) if weights is None else np.asarray(weights, dtype=float)
    return np.asarray(proba, dtype=float), np.asarray(actual, dtype=np.int64), weights


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@st.composite
def problems(draw):
    """Many ties, zero rows, missing classes, zero weights, absent classes, no instances."""
    n, k = draw(st.integers(0, 14)), draw(st.integers(1, 4))

    def rows():
        counts = [draw(st.lists(st.integers(0, 3), min_size=k, max_size=k)) for _ in range(n)]
        table = np.array(counts, dtype=float).reshape(n, k)
        return np.divide(
            table, table.sum(axis=1, keepdims=True), out=np.zeros((n, k)), where=table.any(axis=1)[:, None]
        )

    actual = draw(st.lists(st.integers(-1, k - 1), min_size=n, max_size=n))
    weights = draw(st.lists(st.sampled_from(WEIGHTS), min_size=n, max_size=n))
    return *arrays(rows(), actual, weights), rows()


@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_equals_the_definitions_and_never_warns(problem, random):
    proba, actual, weights, baseline = problem
    scores = [[random.choice([-1.0, 0.0, 0.5, 7.0]) for _ in row] for row in proba]
    ranked_by = np.array(scores).reshape(proba.shape)
    certainty = [random.choice([-math.inf, -2.0, 0.1, 0.1 + 1e-13, 3.0, math.inf]) for _ in proba]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain = metrics.all_metrics(proba, actual, weights, baseline=baseline)
        ranked = metrics.all_metrics(
            proba, actual, weights, baseline=baseline, ranking=ranked_by, certainty=np.array(certainty)
        )
        areas = ranking.areas_under_roc(proba, actual, weights)
    lists = proba.tolist(), actual.tolist(), weights.tolist(), proba.shape[1]
    largest = [max(row) for row in lists[0]]
    for got, rows, surest in ((plain, lists[0], largest), (ranked, scores, certainty)):
        check_against_reference(got, reference.all_metrics(*lists, baseline.tolist(), rows, surest))
    np.testing.assert_allclose(areas, reference.areas_under_roc(*lists), rtol=0, atol=1e-12)


def check_against_reference(got, want):
    assert list(got) == list(want) == METRICS
    assert all(type(value) is float for value in got.values())
    np.testing.assert_allclose(list(got.values()), list(want.values()), rtol=1e-12, atol=1e-12)
    for name, value in got.items():
        assert math.isnan(value) or 0 <= value <= LARGEST.get(name, 1) + 1e-12


@given(problems(), st.integers(1, 4), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
@pytest.mark.one_commit_in(3)
def test_folds_at_a_time_equal_each_by_itself(problem, n_folds, random):
    proba, actual, weights, baseline = problem
    of = np.array([random.randrange(n_folds) for _ in actual], dtype=int)
    certainty, ranked_by = np.array([random.choice([-math.inf, 0.1, 3.0]) for _ in actual]), np.sin(9 * proba)
    classes = np.array(sorted(random.sample(range(proba.shape[1]), random.randint(1, proba.shape[1]))))
    more = {"baseline": baseline, "ranking": ranked_by, "certainty": certainty}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        together = metrics.all_metrics(
            proba, actual, weights, folds=folds.Folds(of, n_folds + 1), classes=classes, **more
        )
    for fold in range(n_folds + 1):  # the last has no instance
        rows = of == fold
        its_own = {name: array[rows] for name, array in more.items()}
        alone = metrics.all_metrics(proba[rows], actual[rows], weights[rows], classes=classes, **its_own)
        assert {name: each[fold] for name, each in together.items()} == pytest.approx(alone, abs=1e-12, nan_ok=True)


def test_fractional_weights_of_a_fold_add_up_to_the_same_number_alone(rng):
    """To the last digit: equal scores are summed in the order of the instances, whatever other folds there are."""
    score, weights, of = rng.integers(0, 4, 900) / 4, rng.uniform(0.01, 5, 900), rng.integers(0, 3, 900)
    above, equal = ranking.weight_above(score, weights, folds.Folds(of, 3))
    for fold in range(3):
        rows = of == fold
        one = folds.Folds.one(int(rows.sum()))
        np.testing.assert_array_equal(ranking.weight_above(score[rows], weights[rows], one), (above[rows], equal[rows]))


@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_the_order_of_the_instances_does_not_matter(problem, random):
    proba, actual, weights, baseline = problem
    order = np.array(random.sample(range(len(actual)), len(actual)), dtype=int)
    one = metrics.all_metrics(proba, actual, weights, baseline=baseline)
    other = metrics.all_metrics(proba[order], actual[order], weights[order], baseline=baseline[order])
    assert one == pytest.approx(other, abs=1e-12, nan_ok=True)


@given(problems())
@settings(max_examples=50, deadline=None)
def test_a_weight_of_two_is_an_instance_twice(problem):
    proba, actual, weights, baseline = problem
    twice = np.repeat(np.arange(len(actual)), 2)
    doubled = metrics.all_metrics(proba, actual, 2 * weights, baseline=baseline)
    repeated = metrics.all_metrics(proba[twice], actual[twice], weights[twice], baseline=baseline[twice])
    assert doubled == pytest.approx(repeated, abs=1e-12, nan_ok=True)


def test_equals_the_definitions_on_distinct_probabilities(rng):
    n, k = 120, 4
    proba, baseline = rng.dirichlet(np.ones(k), n), rng.dirichlet(np.ones(k), n)
    actual, weights = rng.integers(-1, k, n), rng.uniform(0.01, 5, n)
    got = metrics.all_metrics(proba, actual, weights, baseline=baseline)
    rows = proba.tolist()
    certainty = rng.normal(size=n)
    got |= {"auc_reliability": ranking.auc_reliability(proba, actual, weights, certainty=certainty)}
    lists = rows, actual.tolist(), weights.tolist()
    want = reference.all_metrics(*lists, k, baseline.tolist(), rows, certainty.tolist())
    assert got == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("decimals", [1, 16], ids=["ties", "no ties"])
def test_two_classes_equal_scikit_learn(rng, decimals):
    first = np.round(rng.uniform(size=200), decimals)
    proba, actual, weights = (np.column_stack([first, 1 - first]), rng.integers(0, 2, 200), rng.uniform(0, 3, 200))
    want = sklearn_metrics.roc_auc_score(actual == 0, first, sample_weight=weights)
    areas = ranking.areas_under_roc(proba, actual, weights)
    for area in (*areas, ranking.auc_mean(proba, actual, weights), ranking.auc_hand_till(proba, actual, weights)):
        assert area == pytest.approx(want, abs=1e-12)
    assert scoring.brier(proba, actual, weights) == pytest.approx(
        sklearn_metrics.brier_score_loss(actual, proba[:, 1], sample_weight=weights), abs=1e-12
    )


@pytest.mark.parametrize("scale", [4, 10_000], ids=["ties", "few ties"])
def test_several_classes_equal_scikit_learn(rng, scale):
    counts = rng.integers(0, scale, size=(300, 5)) + 1.0
    proba, actual, weights = (
        counts / counts.sum(axis=1, keepdims=True),
        rng.integers(0, 5, 300),
        rng.uniform(0, 3, 300),
    )

    def area(average, multi_class, weights=None):
        return sklearn_metrics.roc_auc_score(
            actual, proba, average=average, multi_class=multi_class, sample_weight=weights
        )

    ones = np.ones(300)
    assert ranking.auc_mean(proba, actual, weights) == pytest.approx(area("macro", "ovr", weights), abs=1e-12)
    assert ranking.auc_weighted(proba, actual, ones) == pytest.approx(area("weighted", "ovr"), abs=1e-12)
    assert ranking.auc_hand_till(proba, actual, ones) == pytest.approx(area("macro", "ovo"), abs=1e-12)
    want = sklearn_metrics.log_loss(actual, proba, sample_weight=weights)
    assert scoring.log_loss(proba, actual, weights) == pytest.approx(want, abs=1e-12)


def test_percent_correct_takes_the_first_of_the_largest_and_counts_the_unclassified():
    proba, actual, weights = arrays([[0.5, 0.5], [0.5, 0.5], [0, 0], [0.2, 0.8]], [0, 1, 0, -1], [1, 2, 1, 9])
    assert scoring.percent_correct(proba, actual, weights) == 25.0


def test_areas_by_hand():
    # class 0 (.9, .5) against the others (.5, .5, .1): 1 + 1 + 1 and ½ + ½ + 1 of 6 pairs
    proba, actual, weights = arrays([[0.9, 0.1], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.1, 0.9]], [0, 0, 1, 1, 1])
    assert ranking.areas_under_roc(proba, actual, weights).tolist() == [5 / 6, 5 / 6]
    assert ranking.auc_mean(proba, actual, weights) == 5 / 6
    assert ranking.auc_mean_no_ties(proba, actual, weights) == 4 / 6


def test_hand_and_till_ranks_each_pair_by_its_own_two_classes():
    rows = [[0.5, 0.3, 0.2], [0.4, 0.2, 0.4], [0.1, 0.3, 0.6], [0.45, 0.1, 0.45]]
    proba, actual, weights = arrays(rows, [0, 1, 2, 2])
    # A(0|1) = 1, A(1|0) = 0; A(0|2) = A(2|0) = 1; A(1|2) = ½, A(2|1) = 1
    assert ranking.auc_hand_till(proba, actual, weights) == (0.5 + 1 + 0.75) / 3
    assert ranking.auc_mean(proba, actual, weights) == pytest.approx((1 + 1 / 3 + 1) / 3, abs=1e-15)


def test_wang_and_zhang_look_at_every_declared_pair_by_its_first_class():
    rows = [[0.5, 0.3, 0.1, 0.1], [0.4, 0.2, 0.3, 0.1], [0.1, 0.3, 0.5, 0.1], [0.4, 0.1, 0.4, 0.1]]
    proba, actual, weights = arrays(rows, [0, 1, 2, 2])
    # A(0|1) = 1, A(0|2) = 1, A(1|2) = ½; class 3 is absent: one instance of 0 and of 1 (½ each), two p_2 (1)
    assert ranking.auc_wang2006(proba, actual, weights) == (1 + 1 + 0.5 + 0.5 + 0.5 + 1) / 6
    # classes 0 and 3 absent: p_0 of the two of class 2 differ, of the one of class 1 cannot; the pair (0, 3) is ½
    assert ranking.auc_wang2006(proba[1:], actual[1:], weights[1:]) == (0.5 + 1 + 0.5 + 0.5 + 0.5 + 1) / 6


def test_wang_and_zhang_pair_with_one_class_present():
    """Only class 1 is there: what counts is p_0, and instances that weigh nothing do not."""
    proba, actual, weights = arrays([[0.2, 0.8], [0.2, 0.8], [0.3, 0.7]], [1, 1, 1], [1, 2, 1])
    assert ranking.auc_wang2006(proba, actual, weights) == 1.0
    assert ranking.auc_wang2006(proba, actual, np.array([1.0, 2.0, 0.0])) == 0.5
    assert ranking.auc_wang2006(proba[:2], actual[:2], weights[:2]) == 0.5


def test_wang_and_zhang_of_one_declared_class_is_undefined():
    assert math.isnan(ranking.auc_wang2006(*arrays([[1.0], [0.5]], [0, 0])))


def test_two_present_classes_equal_hand_and_till_when_both_are_declared(rng):
    first = np.round(rng.uniform(size=80), 1)
    problem = np.column_stack([first, 1 - first]), rng.integers(0, 2, 80), rng.uniform(0, 3, 80)
    assert ranking.auc_wang2006(*problem) == pytest.approx(ranking.auc_hand_till(*problem), abs=1e-12)


def test_ranking_takes_the_place_of_the_distribution_in_the_areas_only(rng):
    """A row of zeros stays unclassified, whatever it is ranked by."""
    proba, other = rng.dirichlet(np.ones(3), 60), rng.normal(size=(60, 3))
    proba[:20] = 0
    actual, weights = rng.integers(0, 3, 60), rng.uniform(0.1, 3, 60)
    plain = metrics.all_metrics(proba, actual, weights, baseline=proba)
    ranked = metrics.all_metrics(proba, actual, weights, baseline=proba, ranking=other)
    as_distribution = metrics.all_metrics(other, actual, weights, baseline=proba)
    assert {name for name in METRICS if plain[name] != ranked[name]} == set(AREAS)
    assert {name for name in AREAS if ranked[name] != as_distribution[name]} == {"auc_weighted"}


def test_no_ties_rounds_to_nine_decimals_first():
    proba, actual, weights = arrays([[0.5 + 1e-10, 0.5 - 1e-10], [0.5, 0.5]], [0, 1])
    assert ranking.auc_mean(proba, actual, weights) == 1.0
    assert ranking.auc_mean_no_ties(proba, actual, weights) == 0.0
    proba[0] = 0.5 + 1e-9, 0.5 - 1e-9
    assert ranking.auc_mean_no_ties(proba, actual, weights) == 1.0


def test_brier_leaves_out_declared_classes_without_instances():
    proba, actual, weights = arrays([[0.5, 0.2, 0.3], [0.0, 0.0, 1.0]], [0, 2], [3, 1])
    assert scoring.brier(proba, actual, weights) == pytest.approx(3 / 4 * (0.5**2 + 0.3**2) / 2, abs=1e-15)


def test_log_loss_of_an_impossible_and_of_a_certain_class():
    proba, actual, weights = arrays([[0.0, 1.0]], [0])
    assert scoring.log_loss(proba, actual, weights) == pytest.approx(15 * math.log(10), rel=1e-15)
    assert str(scoring.log_loss(proba, 1 - actual, weights)) == "0.0"


def test_affected_from_a_tenth_on_with_the_rounding_of_subtraction_forgiven():
    baseline, actual, weights = arrays([[0.2, 0.8], [0.2, 0.8], [0.2, 0.8]], [-1, 0, 1], [2, 1, 1])
    proba = np.array([[0.3, 0.7], [0.29999, 0.70001], [0.2, 0.8]])
    assert abs(proba[0, 0] - baseline[0, 0]) < 0.1
    assert metrics.all_metrics(proba, actual, weights, baseline=baseline)["percent_affected"] == 50.0
    assert math.isnan(metrics.all_metrics(proba, actual, weights)["percent_affected"])


def test_a_missing_class_is_not_scored_except_where_weka_counts_it():
    proba, actual, weights = arrays([[0.6, 0.4], [0.3, 0.7], [0.9, 0.1]], [0, 1, -1])
    with_missing = metrics.all_metrics(proba, actual, weights)
    scored = metrics.all_metrics(proba[:2], actual[:2], weights[:2])
    assert {name for name in METRICS[:-2] if with_missing[name] != scored[name]} == {"auc_weighted"}
    assert ranking.areas_under_roc(proba, actual, weights).tolist() == [0.5, 1.0]


@pytest.mark.parametrize(
    ("actual", "weights"),
    [([], []), ([-1, -1], [1, 1]), ([0, 1], [0, 0])],
    ids=["no instance", "no class known", "no weight"],
)
def test_nothing_to_score_is_nan(actual, weights):
    proba, actual, weights = arrays(np.full((len(actual), 2), 0.5), actual, weights)
    values = metrics.all_metrics(proba, actual, weights)
    assert all(math.isnan(value) for value in values.values())


def test_one_class_has_no_area_but_other_metrics():
    proba, actual, weights = arrays([[0.6, 0.4], [0.3, 0.7]], [0, 0])
    values = metrics.all_metrics(proba, actual, weights, baseline=proba)
    assert {name for name, value in values.items() if math.isnan(value)} == {*AREAS} - {"auc_wang2006"}
    assert np.isnan(ranking.areas_under_roc(proba, actual, weights)).all()


def test_all_ties_are_one_half_or_nothing():
    proba, actual, weights = arrays(np.full((6, 3), 1 / 3), [0, 1, 2, 0, 1, 2], [1, 2, 3, 4, 5, 6])
    values = metrics.all_metrics(proba, actual, weights)
    assert [values[name] for name in AREAS] == pytest.approx([0.5, 0.5, 0.5, 0.5, 0.0])


# -- reliability and calibration -----------------------------------------------------------------------------------


def test_brier_over_the_classes_of_a_whole(rng):
    """Then the mean over parts of equal weight is the figure of the whole, though the parts lack classes."""
    proba, actual = rng.dirichlet(np.ones(4), 40), np.sort(rng.integers(0, 3, 40))
    weights = np.ones(40)
    present = scoring.present_classes(actual, weights, 4)
    assert present.tolist() == [0, 1, 2]
    whole = scoring.brier(proba, actual, weights)
    for classes in ([0, 1, 2], [0, 1, 2, 3], [1]):
        parts = [
            scoring.brier(proba[half], actual[half], weights[half], classes=np.array(classes))
            for half in (slice(20), slice(20, 40))
        ]
        wanted = reference.brier_over(proba.tolist(), actual.tolist(), weights.tolist(), classes)
        assert np.mean(parts) == pytest.approx(wanted, abs=1e-12)
        assert (np.mean(parts) == pytest.approx(whole, abs=1e-12)) == (classes == [0, 1, 2])
    assert scoring.brier(proba[:20], actual[:20], weights[:20]) != parts[0]


def test_brier_of_several_classes_is_scikit_learn_s_of_each(rng):
    proba, actual, weights = rng.dirichlet(np.ones(3), 80), rng.integers(0, 3, 80), rng.uniform(0, 3, 80)
    each = [
        sklearn_metrics.brier_score_loss(actual == c, proba[:, c], sample_weight=weights, pos_label=True)
        for c in range(3)
    ]
    assert scoring.brier(proba, actual, weights) == pytest.approx(np.mean(each), abs=1e-12)


def test_present_classes_have_instances_that_weigh_something():
    actual, weights = np.array([0, 2, 2, 4, -1]), np.array([1.0, 0.0, 2.0, 0.0, 1.0])
    assert scoring.present_classes(actual, weights, 6).tolist() == [0, 2]


def test_reliability_equals_scikit_learn(rng):
    proba, actual, weights = rng.dirichlet(np.ones(3), 150), rng.integers(0, 3, 150), rng.uniform(0.1, 3, 150)
    correct = proba.argmax(axis=1) == actual
    for certainty in (None, rng.normal(size=150).round(1)):
        want = sklearn_metrics.roc_auc_score(
            correct, proba.max(axis=1) if certainty is None else certainty, sample_weight=weights
        )
        got = ranking.auc_reliability(proba, actual, weights, certainty=certainty)
        assert got == pytest.approx(want, abs=1e-12)


def test_reliability_by_hand():
    """Answers correct at .9 and .6, wrong at .6 and .5: 1 + 1 and ½ + 1 of 4 pairs; the last has no class."""
    proba, actual, weights = arrays([[0.9, 0.1], [0.6, 0.4], [0.6, 0.4], [0.5, 0.5], [1, 0]], [0, 0, 1, 1, -1])
    assert ranking.auc_reliability(proba, actual, weights) == 3.5 / 4
    assert ranking.auc_reliability(proba, actual, weights, certainty=np.array([0, 5, 1, 2, 9.0])) == 2 / 4
    correct, wrong = [0, 1, 4], [2, 3, 4]
    for rows in (correct, wrong, []):
        assert math.isnan(ranking.auc_reliability(proba[rows], actual[rows], weights[rows]))


def test_reliability_forgives_the_rounding_of_the_last_decimals():
    """In the predicted class, where .5 + 1e-13 is a tie, as in the certainty."""
    proba, actual, weights = arrays([[0.5, 0.5 + 1e-13], [0.5, 0.5]], [0, 1])
    assert ranking.auc_reliability(proba, actual, weights) == 0.5
    assert ranking.auc_reliability(proba, actual, weights, certainty=np.array([1.0, 1.0 + 1e-11])) == 0.0


def test_unclassified_is_a_wrong_answer_of_probability_zero():
    proba, actual, weights = arrays([[0.0, 0.0], [0.75, 0.25]], [0, 0])
    assert ranking.auc_reliability(proba, actual, weights) == 1.0
    curve = scoring.calibration_curve(proba, actual, weights)
    assert (curve.weight[0], curve.confidence[0], curve.accuracy[0]) == (1.0, 0.0, 0.0)
    assert curve.ece == 0.125


def test_calibration_bins_have_their_upper_edge():
    """Every tenth, as exact as it can be written and a little off, lies in the bin below."""
    for tenth in range(11):
        for off in (0.0, 2e-13, -2e-13):
            p = min(max(tenth / 10 + off, 0.0), 1.0)
            problem = arrays([[p, *[0.0] * 9]], [0], [2])
            expected = max(tenth - 1, 0)
            curve = scoring.calibration_curve(*problem)
            assert np.flatnonzero(curve.weight).tolist() == [expected], (tenth, off)
        [place] = np.flatnonzero(scoring.calibration_curve(*arrays([[tenth / 10 + 1e-11, 0.0]], [0])).weight)
        assert place == min(tenth, 9)


@given(problems())
@settings(max_examples=100, deadline=None)
def test_calibration_equals_the_definition(problem):
    proba, actual, weights, _ = problem
    curve = scoring.calibration_curve(proba, actual, weights)
    bins = reference.calibration(proba.tolist(), actual.tolist(), weights.tolist())
    np.testing.assert_array_equal(curve.edges, [i / 10 for i in range(11)])
    np.testing.assert_allclose(curve.weight, [float(weight) for weight, _, _ in bins], atol=1e-12)
    for got, want in ((curve.confidence, [b[1] for b in bins]), (curve.accuracy, [b[2] for b in bins])):
        np.testing.assert_allclose(got, [math.nan if w is None else float(w) for w in want], atol=1e-12)


def test_calibration_equals_scikit_learn(rng):
    from sklearn.calibration import calibration_curve

    proba, actual = rng.dirichlet(np.ones(3), 400), rng.integers(0, 3, 400)
    curve = scoring.calibration_curve(proba, actual, np.ones(400))
    right, said = calibration_curve(proba.argmax(axis=1) == actual, proba.max(axis=1), n_bins=10)
    filled = curve.weight > 0
    np.testing.assert_allclose(curve.accuracy[filled], right, atol=1e-12)
    np.testing.assert_allclose(curve.confidence[filled], said, atol=1e-12)
    assert 5 < filled.sum() < 10


def test_calibration_by_hand():
    """Three answers of .7, one right of weight 2; one of .4, wrong; one without a class; one that weighs nothing."""
    rows = [[0.7, 0.3], [0.3, 0.7], [0.7, 0.3], [0.4, 0.3], [1, 0], [1, 0]]
    proba, actual, weights = arrays(rows, [0, 0, 1, 1, -1, 1], [2, 1, 1, 1, 1, 0])
    curve = scoring.calibration_curve(proba, actual, weights)
    assert curve.weight.tolist() == [0, 0, 0, 1, 0, 0, 4, 0, 0, 0]
    assert curve.accuracy[6] == 0.5 and curve.confidence[6] == pytest.approx(0.7, abs=1e-15)
    assert scoring.ece(proba, actual, weights) == pytest.approx((4 * 0.2 + 1 * 0.4) / 5, abs=1e-15)
    nothing = scoring.calibration_curve(proba[:0], actual[:0], weights[:0])
    assert nothing.weight.tolist() == [0] * 10 and np.isnan(nothing.accuracy).all() and math.isnan(nothing.ece)
