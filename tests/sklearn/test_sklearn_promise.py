"""Promises of RejectOption: which rows calibrate, for any classifier and any form of table."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.parallel import Parallel

import wekaconf as wc
from wekaconf.evaluation.aims import RejectCosts
from wekaconf.evaluation.promises import ClassSets
from wekaconf.evaluation.thresholds import (
    AnsweredRows,
    Order,
    Rejection,
    choices,
    choose_promised,
    draw_rows,
    out_of_fold,
)
from wekaconf.sklearn import RejectOption, SecondOpinionClassifier, TPCEClassifier
from wekaconf.sklearn._held_out import Held, row_digests

AIM = {"target_error": 0.1, "confidence": 0.9}


def table(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(4)
    y = np.where(X.sum(axis=1) + 0.8 * rng.normal(size=n) > 0, "yes", "no").astype(object)
    return X, y


X, Y = table(1, 1200)
NEW_X, NEW_Y = table(2, 800)
FORMS = {
    "array": np.asarray,
    "lists": lambda X: X.tolist(),
    "frame": lambda X: pd.DataFrame(X, columns=["a", "b", "c"]),
    "sparse": scipy.sparse.csr_matrix,
}


def test_a_share_is_held_out_of_fitting():
    option = RejectOption(LogisticRegression(), **AIM, calibrate=0.4).fit(X, Y)
    held_out = draw_rows(1200, 0.4)
    alone = LogisticRegression().fit(X[~held_out], Y[~held_out])
    np.testing.assert_array_equal(option.predict_proba(NEW_X), alone.predict_proba(NEW_X))
    [promise] = option.choice_.promises
    is_answered = alone.predict_proba(X[held_out]).max(axis=1) >= option.threshold_
    assert promise.n == held_out.sum() and promise.answered == is_answered.sum()
    assert promise.wrong == (alone.predict(X[held_out]) != Y[held_out])[is_answered].sum()


@pytest.mark.parametrize("is_per_class", [False, True])
def test_classes_that_cannot_be_excluded(is_per_class):
    option = RejectOption(LogisticRegression(), **AIM, calibrate=0.4).fit(X, Y)
    held_out = draw_rows(1200, 0.4)
    proba, actual = option.predict_proba(X[held_out]), (Y[held_out] == "yes").astype(int)
    expected = ClassSets.of(proba, actual, 0.8, is_per_class=is_per_class).contains(option.predict_proba(NEW_X))
    found = option.predict_set(NEW_X, 0.8, is_per_class=is_per_class)
    np.testing.assert_array_equal(found, expected)
    of_all_rows = option.predict_set(NEW_X, is_per_class=False)
    np.testing.assert_array_equal(option.predict_set(NEW_X), of_all_rows)
    assert 0.75 < found[np.arange(800), (NEW_Y == "yes").astype(int)].mean() < 0.85


def test_copies_of_rows_and_absent_or_unknown_labels_are_told():
    with pytest.warns(wc.Note, match=r"RejectOption: [0-9]+ of 1440 calibration rows repeat a row that"):
        RejectOption(LogisticRegression(), **AIM).fit(np.concatenate([X] * 4), np.concatenate([Y] * 4))
    twice = (np.concatenate([NEW_X] * 2), np.concatenate([NEW_Y] * 2))
    with pytest.warns(wc.Note, match="RejectOption: 1600 of 1600 calibration rows repeat a row that"):
        RejectOption(LogisticRegression(), **AIM, calibrate=twice).fit(X, Y)
    with pytest.warns(wc.Note, match="RejectOption: no calibration row is of class 'no', though training rows are"):
        RejectOption(LogisticRegression(), **AIM, calibrate=(NEW_X[NEW_Y == "yes"], NEW_Y[NEW_Y == "yes"])).fit(X, Y)
    strange = np.where(np.arange(800) < 10, "zzz", NEW_Y.astype(str)).astype(object)
    with pytest.warns(wc.Note, match="RejectOption: 10 calibration rows with a label that y does not have"):
        RejectOption(LogisticRegression(), **AIM, calibrate=(NEW_X, strange)).fit(X, Y)


def test_no_promise_no_sets():
    option = RejectOption(LogisticRegression(), below=0.6).fit(X, Y)
    with pytest.raises(wc.OptionError, match="no scores of calibration rows; give confidence"):
        option.predict_set(NEW_X)


@pytest.mark.parametrize("wrap", [lambda each: each, make_pipeline], ids=["alone", "in a pipeline"])
def test_no_sets_of_a_classifier_that_needs_its_training_rows(wrap, monkeypatch):
    """Nor does it answer for them, to tell in which order to test thresholds."""
    monkeypatch.setattr("wekaconf.sklearn._held_out.Parallel", None)
    option = RejectOption(wrap(TPCEClassifier()), target_error=0.6, confidence=0.5, calibrate=0.5).fit(X[:24], Y[:24])
    assert option.answer_shares_.n_rows == 12 and option.choice_.is_reached
    with pytest.raises(wc.OptionError, match="give confidence, and a classifier that answers without its training"):
        option.predict_set(NEW_X[:2])


@pytest.mark.parametrize("aim", [{"keep": 0.9, "cv": 2}, AIM])
def test_the_folds_are_answered_by_so_many_processes(aim, monkeypatch):
    asked = []

    def parallel(n_jobs=None):
        asked.append(n_jobs)
        return Parallel(n_jobs=1)

    for module in ("_held_out", "_reject_option"):
        monkeypatch.setattr(f"wekaconf.sklearn.{module}.Parallel", parallel)
    RejectOption(DecisionTreeClassifier(max_depth=2), **aim, n_jobs=3).fit(X[:100], Y[:100])
    assert asked == [3]


@pytest.mark.parametrize("form", FORMS)
def test_rows_that_the_classifier_was_fitted_on_do_not_calibrate(form):
    convert = FORMS[form]
    forest = RandomForestClassifier(10, random_state=0)
    with pytest.raises(wc.OptionError, match="calibrate: 1200 of 1200 calibration rows repeat rows"):
        RejectOption(forest, **AIM, calibrate=(convert(X), Y)).fit(convert(X), Y)
    option = RejectOption(forest, **AIM, calibrate=(convert(NEW_X), NEW_Y)).fit(convert(X), Y)
    assert option.choice_.promises[0].n == 800


@pytest.mark.parametrize("form", FORMS)
def test_a_row_is_recognised_by_all_of_its_cells(form):
    digests = row_digests(FORMS[form](np.array([[0, 1, 2], [0, 1, 3], [0, 1, 2], [1, 0, 2.0]])))
    assert digests[0] == digests[2] and len(set(digests.tolist())) == 3


@pytest.mark.parametrize(
    ("rows", "alike"),
    [
        ([[0.0], [-0.0], [1e-20], [2e-20]], [0, 0, 2, 3]),
        (scipy.sparse.csr_matrix(np.where(np.arange(1200).reshape(3, 400) == 600, 2, 1)), [0, 1, 0]),
    ],
    ids=["close to zero", "long and sparse"],
)
def test_rows_are_told_apart_by_every_cell(rows, alike):
    digests = row_digests(rows).tolist()
    assert [digests.index(each) for each in digests] == alike


def test_a_row_is_recognised_by_its_numbers_however_they_are_written():
    rows = [np.array([[0.0, 1.0]]), np.array([[0, 1]]), np.array([[0, 1]], dtype=np.float32)]
    assert len({int(row_digests(row)[0]) for row in rows}) == 1


@pytest.mark.parametrize("missing", [None, np.nan])
@pytest.mark.parametrize("how", ["pair", "prefit"])
def test_rows_without_a_label_do_not_calibrate(missing, how):
    labels = NEW_Y.copy()
    labels[:200] = missing
    if how == "pair":
        found = RejectOption(LogisticRegression(), **AIM, calibrate=(NEW_X, labels)).fit(X, Y)
        expected = RejectOption(LogisticRegression(), **AIM, calibrate=(NEW_X[200:], NEW_Y[200:])).fit(X, Y)
    else:
        fitted = LogisticRegression().fit(X, Y)
        found = RejectOption(fitted, **AIM, calibrate="prefit").fit(NEW_X, labels)
        expected = RejectOption(fitted, **AIM, calibrate="prefit").fit(NEW_X[200:], NEW_Y[200:])
    assert found.choice_ == expected.choice_ and found.choice_.promises[0].n <= 600


def test_labels_that_were_not_seen_are_errors():
    labels = NEW_Y.copy()
    labels[:100] = "perhaps"
    option = RejectOption(LogisticRegression(), target_error=0.5, confidence=0.9, calibrate=(NEW_X, labels)).fit(X, Y)
    [promise] = option.choice_.promises
    assert promise.n_wrong == (option.estimator_.predict(NEW_X) != labels).sum() >= 100


def test_a_pipeline_promises_for_each_label():
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    option = RejectOption(pipeline, target_error={"yes": 0.1, "no": 0.2}, confidence=0.9).fit(X, Y)
    assert set(option.thresholds_) == {"no", "yes"}
    answers, certainty = option.predict_proba(NEW_X), option.certainty(NEW_X)
    labels = option.classes_[answers.argmax(axis=1)]
    limits = np.array([option.thresholds_[label] for label in labels])
    np.testing.assert_array_equal(option.reject(NEW_X), certainty < limits)


@pytest.mark.parametrize(("calibrate", "message"), [
    ((NEW_X, NEW_Y, 3), r"expected a share of the rows, a pair \(X, y\), or 'prefit', got a tuple of 3$"),
    (pd.DataFrame(NEW_X), "expected a share of the rows, a pair .*, or 'prefit', got a DataFrame"),
    (NEW_X, "expected a share of the rows, a pair .*, or 'prefit', got a ndarray"),
    (1e-4, "0.0001 of 1200 rows is none, so nothing calibrates; hold out more rows"),
    ("file.csv", "got 'file.csv'$"),
    (1.5, "more than 0 and less than 1"),
    (True, "more than 0 and less than 1"),
])  # fmt: skip
def test_rows_that_cannot_calibrate(calibrate, message):
    with pytest.raises(wc.OptionError, match=message):
        RejectOption(LogisticRegression(), **AIM, calibrate=calibrate).fit(X, Y)


@pytest.mark.parametrize(("given", "message"), [
    ({"target_cost": 1.0, "confidence": 0.9}, "RejectOption: costs and target_cost need one another"),
    ({"keep": 0.9, "confidence": 0.9}, "RejectOption: confidence belongs to target_error and target_cost: an aim"),
    ({"target_error": {"nix": 0.1}, "confidence": 0.9}, "RejectOption: target_error: no class 'nix'; there are 'no'"),
    ({"target_error": {"yes": 0.1}}, "RejectOption: target_error of single classes is a promise"),
    ({**AIM, "cv": 5}, "cv excludes confidence"),
])  # fmt: skip
def test_errors_name_the_arguments_as_they_are_called_here(given, message):
    with pytest.raises(wc.OptionError, match=message):
        RejectOption(LogisticRegression(), **given).fit(X, Y)
    with pytest.raises(wc.OptionError, match="there is only one class, 'yes', so no answer can be wrong"):
        RejectOption(RandomForestClassifier(3), **AIM).fit(X, np.full(1200, "yes"))


class Counting(DecisionTreeClassifier):
    """Counts how often copies of it are fitted, and on how many rows."""

    fits: ClassVar = []

    def __init__(self):
        super().__init__(max_depth=6, random_state=0)

    def fit(self, X, y, sample_weight=None):
        self.fits.append(len(y))
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize(("given", "fits"), [({}, [300] + 5 * [240]), ({"threshold_from": "training"}, [300])])
def test_five_further_fits_order_the_tests_of_a_promise(given, fits):
    """Answers of other folds are not taken to be too good; three times the errors among training rows are."""
    X, y = noisy(3, 600)
    Counting.fits.clear()
    option = RejectOption(Counting(), target_error=0.2, confidence=0.9, calibrate=0.5, **given).fit(X, y)
    assert Counting.fits == fits
    held = draw_rows(600, 0.5)
    growing, answers = np.flatnonzero(~held), []
    if given:
        answers = [(option.estimator_, growing)]
    else:
        folds = StratifiedKFold(5, shuffle=True, random_state=1).split(X[growing], y[growing])
        answers = [(Counting().fit(X[growing[train]], y[growing[train]]), growing[test]) for train, test in folds]
    rows = [rows_answered(fitted, X[some], y[some]) for fitted, some in answers]
    answered = AnsweredRows(*map(np.concatenate, zip(*rows, strict=True)))
    calibration = rows_answered(option.estimator_, X[held], y[held])
    trusted, distrusted = (
        choose_promised(wc.Aim("error", 0.2, 0.9), calibration, Order(answered, factor), ["no", "yes"])
        for factor in (1, 3)
    )
    assert trusted != distrusted, "or it tests nothing"
    assert option.choice_ == (distrusted if given else trusted)


def rows_answered(fitted, X, y):
    proba, labels = fitted.predict_proba(X), fitted.predict(X)
    predicted = proba.argmax(axis=1)
    return AnsweredRows(proba.max(axis=1), labels == y, np.ones(len(y)), predicted, (y == "yes").astype(int))


def test_a_class_of_one_row_leaves_the_order_to_the_training_rows():
    """Without that row there would be one class to fit on."""
    y = np.where(np.arange(1200) == int(np.flatnonzero(~draw_rows(1200, 0.3))[7]), "yes", "no")
    Counting.fits.clear()
    RejectOption(Counting(), **AIM).fit(X, y)
    assert Counting.fits == [840]


def test_a_label_that_the_classifier_has_not_seen_has_no_index():
    fitted = LogisticRegression().fit(X, Y)
    labels = np.array(["no", "zzz", "yes", "abc"], dtype=object)
    found = Held(fitted, None, (X[:4], labels), np.ones(4)).answered()
    assert found.actual.tolist() == [0, -1, 1, -1]
    assert (found.correct == (fitted.predict(X[:4]) == labels)).all()


def noisy(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(2)
    return X, np.where(X.sum(axis=1) + 0.9 * rng.normal(size=n) > 0, "yes", "no")


AIMS_OUT_OF_FOLD = [
    ({"target_error": 0.05, "confidence": 0.9}, wc.Aim("error", 0.05, 0.9)),
    (
        {"target_cost": 0.8, "costs": 5, "reject_cost": 1, "confidence": 0.9},
        wc.Aim("mean_cost", 0.8, 0.9, RejectCosts(5, 1)),
    ),
]


@pytest.fixture(scope="module")
def pooled():
    return SecondOpinionClassifier(learner="CART", folds=3).fit(*noisy(2, 250))


@pytest.mark.parametrize(("params", "aim"), AIMS_OUT_OF_FOLD, ids=["error", "cost"])
def test_answers_out_of_fold_are_not_taken_to_be_too_good(pooled, params, aim):
    """`second_opinion` knows answers that err as those of new rows do; three times their errors order others' tests."""
    X, y = noisy(116, 300)
    header = pooled.tree_.header
    calibration = wc.Dataset.from_arrays(X, y, header=header)
    answer, growing = pooled.answer(X), out_of_fold(pooled.method_)
    actual = (y == "yes").astype(int)
    rows = AnsweredRows(answer.certainty, answer.predicted == actual, np.ones(300), answer.predicted, actual)
    expected, distrusted = (choose_promised(aim, rows, Order(growing, factor), ["no", "yes"]) for factor in (1, 3))
    assert expected != distrusted, "or it tests nothing"
    assert choices(Rejection(aim), [pooled.method_], None, calibration) == [expected]
    assert RejectOption(pooled, **params, calibrate="prefit").fit(X, y).choice_ == expected
