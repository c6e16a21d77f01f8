"""The weight of a row stays its own wherever rows are shuffled: every weight is different, so it names its row."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier
from support.split_cases import cross_validate, grow

import wekaconf as wc
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.measures import calibration_curve, risk_coverage, roc_curve
from wekaconf.evaluation.thresholds import AnsweredRows, Order, Rejection, choose, choose_promised, draw_rows
from wekaconf.evaluation.thresholds._choice import thin_out_levels
from wekaconf.evaluation.thresholds._rejection import answers_to_choose_on
from wekaconf.methods.second_opinion._of_trees import OfTree
from wekaconf.methods.second_opinion._out_of_fold import OutOfFold
from wekaconf.report.pictures._answer_curves import calibration_of, class_weights, risk_coverage_of, roc_of
from wekaconf.sklearn import CARTClassifier, RejectOption
from wekaconf.sklearn._held_out import hold_out

N = 240
RNG = np.random.default_rng(4)
X = RNG.normal(size=(N, 3)).round(1)
Y = np.where(X.sum(axis=1) + RNG.normal(size=N) > 0, "yes", "no")
WEIGHTS = RNG.permutation(np.geomspace(0.01, 100, N))
AIMS = [("target_error", "error", 0.35), ("keep", "keep", 0.8), ("target_coverage", "coverage", 0.5),
        ("cost", "cost", (3, 1))]  # fmt: skip
SHUFFLED = {
    "stratified": list(StratifiedKFold(5, shuffle=True, random_state=1).split(X, Y)),
    "drawn": list(KFold(4, shuffle=True, random_state=2).split(X)),
    "backwards": [(np.arange(80, N)[::-1], np.arange(80)[::-1]), (np.arange(80), np.arange(80, N)[::-1])],
    "part of the rows": [(np.arange(0, N, 2), np.arange(1, N, 6)[::-1])],
}


@pytest.mark.parametrize(("name", "kind", "value"), AIMS)
@pytest.mark.parametrize("folds", SHUFFLED.values(), ids=SHUFFLED)
@pytest.mark.parametrize("inner", [DecisionTreeClassifier(max_depth=4, random_state=0), CARTClassifier(prune="none")])
def test_reject_option(inner, folds, name, kind, value):
    rows = {"certainty": {}, "correct": {}}
    for train, test in folds:
        fitted = clone(inner).fit(X[train], Y[train], sample_weight=WEIGHTS[train])
        certainty = fitted.certainty(X[test]) if hasattr(fitted, "certainty") else fitted.predict_proba(X[test]).max(1)
        rows["certainty"].update(zip(test.tolist(), certainty.tolist(), strict=True))
        rows["correct"].update(zip(test.tolist(), (fitted.predict(X[test]) == Y[test]).tolist(), strict=True))
    asked = sorted(rows["certainty"])
    arrays = [np.array([rows[part][row] for row in asked]) for part in rows]
    found = RejectOption(clone(inner), **{name: value}, cv=folds).fit(X, Y, sample_weight=WEIGHTS).choice_
    expected = choose(Aim(kind, value), *arrays, WEIGHTS[asked])
    assert found.threshold == expected.threshold
    assert found.figures.as_dict() == pytest.approx(expected.figures.as_dict(), nan_ok=True)


def test_weights_beside_the_wrong_rows_would_be_seen():
    """The thresholds of the test above depend on which weight a row has."""
    option = RejectOption(DecisionTreeClassifier(max_depth=4, random_state=0), cv=SHUFFLED["stratified"])
    for name, _, value in AIMS:
        option.set_params(**{other: None for other, _, _ in AIMS} | {name: value})
        figures = [
            option.fit(X, Y, sample_weight=weights).choice_.figures for weights in (WEIGHTS, np.roll(WEIGHTS, 1))
        ]
        assert figures[0].as_dict() != pytest.approx(figures[1].as_dict(), rel=1e-3)


@pytest.mark.parametrize("calibrate", [0.4, "prefit"])
def test_rows_that_calibrate(calibrate):
    """Rows of weight 0, and rows without a label, do not count; which they are has nothing to do with their place."""
    labels = Y.astype(object)
    if calibrate == "prefit":
        labels[RNG.permutation(N)[:50]] = None
    estimator = CARTClassifier(prune="none")
    held = hold_out(
        estimator.fit(X, Y) if calibrate == "prefit" else estimator, calibrate, X, labels, WEIGHTS,
        {} if calibrate == "prefit" else {"sample_weight": WEIGHTS},
    )  # fmt: skip
    rows = np.flatnonzero([label is not None for label in labels]) if calibrate == "prefit" else np.flatnonzero(
        draw_rows(N, calibrate)
    )  # fmt: skip
    np.testing.assert_array_equal(held.weights, WEIGHTS[rows])
    np.testing.assert_array_equal(held.calibration[0], X[rows])
    answered = held.answered()
    np.testing.assert_array_equal(answered.weights, WEIGHTS[rows])
    np.testing.assert_array_equal(answered.correct, held.fitted.predict(X[rows]) == Y[rows])
    if calibrate != "prefit":
        rest = np.setdiff1d(np.arange(N), rows)
        own = clone(estimator).fit(X[rest], Y[rest], sample_weight=WEIGHTS[rest])
        np.testing.assert_array_equal(held.fitted.predict_proba(X), own.predict_proba(X))


@pytest.fixture(scope="module")
def data():
    return wc.Dataset.from_arrays(X, Y, weights=WEIGHTS)


def rows_of(weights):
    """The rows that have these weights."""
    order = np.argsort(WEIGHTS)
    return order[np.searchsorted(WEIGHTS[order], weights)]


def test_a_promise_counts_the_rows_that_weigh_something(data):
    method = wc.method("m_branch").fit(grow(data), data)
    answer = method.answer(data)
    weights = (np.random.default_rng(1).random(N) < 0.6).astype(float)
    rows = AnsweredRows(
        answer.certainty, answer.predicted == data.class_values, weights, answer.predicted, data.class_values
    )
    counted, aim = np.flatnonzero(weights), Aim("error", 0.3, 0.9)
    for order in (np.arange(N), np.random.default_rng(2).permutation(N)):
        choice = choose_promised(aim, rows.take(order), Order(rows, 3), ["no", "yes"])
        alone = AnsweredRows(*(part[counted] for part in rows))
        assert choice == choose_promised(aim, alone, Order(rows, 3), ["no", "yes"])
        [promise] = choice.promises
        assert (promise.n, promise.n_wrong) == (len(counted), (~rows.correct[counted]).sum())


@pytest.mark.parametrize("folds", SHUFFLED.values(), ids=SHUFFLED)
def test_a_threshold_out_of_fold(data, folds):
    method = wc.method("m_branch")
    found = answers_to_choose_on(
        Rejection(Aim("keep", 0.8), lambda train: folds), [method.unfitted()], grow, data, lambda inner: inner
    )
    [(certainty, correct, weights, *_)] = found
    asked = np.concatenate([test for _, test in folds])
    assert sorted(rows_of(weights)) == sorted(asked)
    for train, test in folds:
        inner = data.take(train)
        answer = method.unfitted().fit(grow(inner), inner).answer(data.take(test))
        place = {row: i for i, row in enumerate(rows_of(weights).tolist())}
        here = [place[row] for row in test.tolist()]
        np.testing.assert_array_equal(certainty[here], answer.certainty)
        np.testing.assert_array_equal(correct[here], answer.predicted == data.class_values[test])


@pytest.mark.parametrize("folds", SHUFFLED.values(), ids=SHUFFLED)
def test_cross_validation_and_its_curves(data, folds):
    [answers] = cross_validate(data, [folds], grow, [wc.method("m_branch")])
    np.testing.assert_array_equal(rows_of(answers.weights), answers.instance)
    order = np.argsort(answers.instance)
    rows = answers.instance[order]
    assert risk_coverage_of(answers).aurc == pytest.approx(
        risk_coverage(answers.certainty[order], answers.is_correct[order], WEIGHTS[rows]).aurc, rel=1e-12
    )
    actual = data.class_values[rows]
    assert calibration_of(answers).ece == pytest.approx(
        calibration_curve(answers.proba[order], actual, WEIGHTS[rows]).ece, rel=1e-12
    )
    np.testing.assert_allclose(class_weights(answers), np.bincount(actual, WEIGHTS[rows]), rtol=1e-12)
    expected = roc_curve(answers.ranking[order, 1], (actual == 1).astype(float), WEIGHTS[rows])
    assert roc_of(answers, 1).area == pytest.approx(expected.area, rel=1e-12)


def test_folds_that_second_opinion_learns_from(data):
    learner = wc.CART(prune="none")
    side = OfTree.fit(learner.grow(data), data)
    found = OutOfFold.of(data, learner, [side], n_folds=4, seed=3)
    rows = rows_of(found.weights)
    assert sorted(rows) == [*range(N)]
    assert rows.tolist() != sorted(rows.tolist()), "or it tests nothing"
    np.testing.assert_array_equal(found.actual, data.class_values[rows])


@pytest.mark.parametrize(("kind", "value"), [each[1:] for each in AIMS])
def test_thresholds_and_their_curves(kind, value):
    rng = np.random.default_rng(6)
    certainty, correct = rng.integers(0, 30, N) / 30, rng.random(N) < 0.7
    order = rng.permutation(N)
    choices = [
        choose(Aim(kind, value), certainty[rows], correct[rows], WEIGHTS[rows]) for rows in (np.arange(N), order)
    ]
    assert choices[0].threshold == choices[1].threshold
    levels = [thin_out_levels(certainty[rows], correct[rows], WEIGHTS[rows], 0.5) for rows in (np.arange(N), order)]
    np.testing.assert_allclose(*levels, rtol=1e-12)
    for threshold, accepted, wrong in levels[0]:
        is_accepted = certainty >= threshold
        assert (accepted, wrong) == pytest.approx((WEIGHTS[is_accepted].sum(), WEIGHTS[is_accepted & ~correct].sum()))


def test_rows_of_a_data_set(data):
    order = np.random.default_rng(8).permutation(N)
    shuffled = data.take(order)
    for rows, expected in [
        (shuffled, order),
        (shuffled[::-1], order[::-1]),
        (shuffled.take(order < 50), order[order < 50]),
        (shuffled.take(order), order[order]),
        (data.take(order[:9]).join(data.take(order[9:])), order),
        (shuffled.without_class_values(), order),
        (shuffled.conform(data.header), order),
    ]:
        np.testing.assert_array_equal(rows_of(rows.weights), expected)
        np.testing.assert_array_equal(rows.values[:, :3], X[expected])
