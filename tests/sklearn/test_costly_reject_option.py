"""RejectOption with costs: Chow's rule for one number, the answer of least expected cost for a matrix."""

import warnings

import numpy as np
import pandas as pd
import pytest
from reference.cost_decision_reference import certainty, decide
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import wekaconf as wc
from wekaconf.sklearn import (
    AURCScorer,
    BoundaryDistanceClassifier,
    CARTClassifier,
    RejectOption,
    RiskCoverageDisplay,
)

COSTS = np.array([[0, 1], [5, 0]])
R = 0.6


def noisy(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(2)
    return X, np.where(X[:, 0] + 0.9 * rng.normal(size=n) > 0.6, "yes", "no")


X, Y = noisy(1, 500)
NEW_X, NEW_Y = noisy(2, 300)
CLASSIFIERS = [
    LogisticRegression(),
    RandomForestClassifier(20, random_state=0),
    FixedThresholdClassifier(LogisticRegression(), threshold=0.2),
    make_pipeline(StandardScaler(), LogisticRegression()),
    GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, cv=3),
    CARTClassifier(),
    BoundaryDistanceClassifier(learner=CARTClassifier()),
]


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda each: type(each).__name__)
def test_answers_what_costs_least_by_the_probabilities(classifier):
    fitted = RejectOption(classifier, costs=COSTS, reject_cost=R, reject_label="?").fit(X, Y)
    proba = clone(classifier).fit(X, Y).predict_proba(NEW_X)
    np.testing.assert_array_equal(fitted.predict_proba(NEW_X), proba)
    decided = [decide(row, COSTS.tolist(), R) for row in proba.tolist()]
    labels = np.array([("no", "yes")[place] for place, _, _ in decided])
    rejected = np.array([is_dear for *_, is_dear in decided])
    is_tied = np.array([abs(float(least) - R) < 1e-9 for _, least, _ in decided])  # rounding decides there
    assert (fitted.predict(NEW_X) == np.where(rejected, "?", labels))[~is_tied].all()
    rejected[is_tied] = fitted.reject(NEW_X)[is_tied]
    assert fitted.reject(NEW_X).tolist() == rejected.tolist() and rejected.mean() < 1
    assert rejected.any() or isinstance(classifier, CARTClassifier | BoundaryDistanceClassifier)  # leaves are pure
    wanted = [float(certainty(least, COSTS.tolist(), R)) for _, least, _ in decided]
    assert fitted.certainty(NEW_X) == pytest.approx(wanted, abs=1e-12)
    assert fitted.score(NEW_X, NEW_Y) == ((labels == NEW_Y) & ~rejected).mean()
    assert (labels != np.array(["no", "yes"])[proba.argmax(axis=1)]).any() or not rejected.any()
    assert fitted.threshold_ == (5 - R) / 5 and fitted.choice_.aim == wc.Aim("cost", (COSTS, R))


def test_a_model_of_it_answers_so_and_is_kept(tmp_path):
    fitted = RejectOption(CARTClassifier(), costs=COSTS, reject_cost=R, reject_label="?").fit(X, Y)
    fitted.model_.save(tmp_path / "m.wct")
    model = wc.load(tmp_path / "m.wct")
    answer = model.answer(pd.DataFrame(NEW_X, columns=[a.name for a in model.header.attributes[:-1]]))
    assert np.where(answer.is_rejected, "?", answer.labels).tolist() == fitted.predict(NEW_X).tolist()
    np.testing.assert_array_equal(answer.certainty, fitted.certainty(NEW_X))


def test_one_number_is_chow_s_rule():
    one = RejectOption(LogisticRegression(), costs=5, reject_cost=1).fit(X, Y)
    same = RejectOption(LogisticRegression(), costs=5 * (1 - np.eye(2)), reject_cost=1).fit(X, Y)
    assert one.choice_.aim == wc.Aim("chow", (5, 1)) and one.threshold_ == same.threshold_ == 0.8
    assert one.predict(NEW_X).tolist() == same.predict(NEW_X).tolist()
    np.testing.assert_array_equal(one.certainty(NEW_X), same.certainty(NEW_X))


@pytest.mark.parametrize("classifier", [LogisticRegression(), CARTClassifier()], ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("held", ["share", "rows", "prefit"])
def test_a_promised_mean_cost_is_about_these_answers(classifier, held):
    calibrate = {"share": 0.5, "rows": (NEW_X, NEW_Y), "prefit": "prefit"}[held]
    given = classifier.fit(X, Y) if held == "prefit" else classifier
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = RejectOption(
            given, costs=COSTS, reject_cost=R, target_cost=0.59, confidence=0.8, calibrate=calibrate, reject_label="?"
        ).fit(*((NEW_X, NEW_Y) if held == "prefit" else (X, Y)))
    [promise] = fitted.choice_.promises
    proba = fitted.predict_proba(NEW_X)
    places = np.array([decide(row, COSTS.tolist(), R)[0] for row in proba.tolist()])
    labels = np.array(["no", "yes"])[places]
    kept = fitted.certainty(NEW_X) >= fitted.threshold_
    assert fitted.predict(NEW_X).tolist() == np.where(kept, labels, "?").tolist()
    if held == "rows":
        assert promise.n_wrong == int((labels != NEW_Y).sum()) and promise.n == 300


def test_probabilities_decide_whatever_the_classifier_answers():
    """Also where a threshold was moved."""
    moved = FixedThresholdClassifier(LogisticRegression(), threshold=0.9)
    plain, other = (RejectOption(each, costs=COSTS, reject_cost=R).fit(X, Y) for each in (LogisticRegression(), moved))
    assert plain.predict(NEW_X).tolist() == other.predict(NEW_X).tolist()
    assert plain.threshold_ == other.threshold_


@pytest.mark.parametrize("classifier", [LogisticRegression(), CARTClassifier()], ids=lambda each: type(each).__name__)
def test_displays_and_scorers_judge_the_answers_that_costs_decide(classifier):
    option = RejectOption(classifier, costs=COSTS, reject_cost=R)
    search = GridSearchCV(option, {"reject_cost": [R]}, cv=2, scoring=AURCScorer()).fit(X, Y)
    fitted = search.best_estimator_
    places = [decide(row, COSTS.tolist(), R)[0] for row in fitted.predict_proba(NEW_X).tolist()]
    labels = np.array(["no", "yes"])[places]
    assert (labels != fitted.estimator_.predict(NEW_X)).any()
    expected = wc.risk_coverage(fitted.certainty(NEW_X), labels == NEW_Y)
    for judged in (fitted, search, make_pipeline(fitted)):
        assert AURCScorer()(judged, NEW_X, NEW_Y) == -expected.aurc
        drawn = RiskCoverageDisplay.from_estimator(judged, NEW_X, NEW_Y)
        assert drawn.curve.aurc == expected.aurc
        assert drawn.reached.accepted == (~fitted.reject(NEW_X)).sum()


@pytest.mark.parametrize(("given", "message"), [
    ({"costs": 1 - np.eye(3), "reject_cost": 1}, r"RejectOption: cost.*expected 2 rows and columns, one per class"),
    ({"costs": [[0, -1], [5, 0]], "reject_cost": 1}, "RejectOption: costs: the mistake in row 1, column 2 costs -1"),
    ({"costs": 0, "reject_cost": 1}, "RejectOption: costs: an error must cost more than 0"),
    ({"costs": COSTS}, "costs and reject_cost need one another"),
    ({"reject_cost": 1, "keep": 0.9}, "costs and reject_cost need one another"),
    ({"costs": COSTS, "reject_cost": 1, "keep": 0.9}, "expected one aim, .* got keep and costs"),
    ({"costs": COSTS, "reject_cost": 1, "confidence": 0.9}, "RejectOption: confidence belongs to target_error and"),
    ({"costs": COSTS, "reject_cost": 0.5, "target_cost": 0.6, "confidence": 0.9}, "target_cost must be at most 0.5"),
    ({"costs": 2, "reject_cost": 1, "target_cost": -1, "confidence": 0.9}, "must be a cost of more than 0, got -1"),
    ({"costs": 2, "reject_cost": 1, "target_cost": 1}, "target_cost is a promise, so it needs confidence"),
    ({"costs": 2, "target_cost": 1, "confidence": 0.9}, "costs and reject_cost need one another"),
    ({"costs": pd.DataFrame(COSTS, columns=["yes", "no"]), "reject_cost": 1}, "costs of the classes in their order"),
])  # fmt: skip
def test_costs_that_are_refused(given, message):
    with pytest.raises(wc.OptionError, match=message) as error:
        RejectOption(LogisticRegression(), **given).fit(X, Y)
    assert "\n" not in str(error.value)


def test_costs_named_in_the_order_of_the_classes_are_taken():
    named = pd.DataFrame(COSTS, columns=["no", "yes"], index=["no", "yes"])
    fitted = RejectOption(LogisticRegression(), costs=named, reject_cost=R).fit(X, Y)
    bare = RejectOption(LogisticRegression(), costs=COSTS.tolist(), reject_cost=R).fit(X, Y)
    assert fitted.choice_ == bare.choice_ and fitted.predict(NEW_X).tolist() == bare.predict(NEW_X).tolist()
    clone(fitted).fit(X, Y)


def test_whole_numbers_and_truth_values_as_labels():
    for names in (np.array([3, 11]), np.array([False, True])):
        y = names[(Y == "yes").astype(int)]
        costs = pd.DataFrame(COSTS, columns=names.tolist(), index=names.tolist())
        fitted = RejectOption(LogisticRegression(), costs=costs, reject_cost=R).fit(X, y)
        assert set(fitted.predict(NEW_X).tolist()) <= {*names.tolist(), -1}
