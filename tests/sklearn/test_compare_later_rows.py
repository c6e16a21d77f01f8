"""Estimators and models in memory say which rows lie outside, and in what later rows are not like those learned."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import wekaconf as wc
from wekaconf.data import summarise
from wekaconf.model.fitted import Model
from wekaconf.sklearn import CARTClassifier, RejectOption

PROMISE = {"target_error": 0.3, "confidence": 0.9}


def month(n, seed):
    rng = np.random.default_rng(seed)
    regions = np.array(["north", "south", "west"])[rng.integers(0, 3, n)]
    X = pd.DataFrame({"tenure": rng.integers(0, 120, n), "charge": rng.normal(60, 20, n).round(2), "region": regions})
    return X, np.where(X["tenure"] + X["charge"] + 20 * rng.normal(size=n) > 120, "yes", "no")


@pytest.fixture(scope="module")
def fitted():
    return CARTClassifier(nominal="one_hot").fit(*month(900, 0))


def told(drift):
    return {(change.subject, change.kind) for change in drift.told}


def damaged():
    X, _ = month(400, 1)
    X.loc[:39, "region"] = "Mars"
    X["tenure"] += 43_000
    return X


def test_an_estimator_says_which_rows_lie_outside(fitted, recwarn):
    regions = ["north", "Mars", None]
    X = pd.DataFrame({"tenure": [43_435, 7, np.nan], "charge": [60.0, 60, -900], "region": regions})
    outside = fitted.outside(X)
    least = month(900, 0)[0]["charge"].min()
    assert outside.texts.tolist() == [
        "tenure 43435, training at most 119", "region 'Mars', not seen in training",
        f"charge -900, training at least {least:.4g}",
    ]  # fmt: skip
    assert outside.rows.tolist() == [True] * 3
    assert not fitted.outside(month(900, 0)[0]).rows.any()
    assert not recwarn.list, "what lies outside is told, not warned of"


def test_arrays_are_compared_too():
    X, y = month(900, 0)
    cells = X[["tenure", "charge"]].to_numpy()
    option = CARTClassifier().fit(cells, y)
    assert option.outside([[500, 60]]).texts.tolist() == ["x0 500, training at most 119"]
    assert told(option.compare(cells + np.array([0, 30]))) == {("x1", "above"), ("x1", "mix")}


def test_an_undamaged_month_is_like_training(fitted):
    assert not fitted.compare(month(400, 1)[0]).told
    assert {("tenure", "above"), ("region", "unseen")} <= told(fitted.compare(damaged()))


def test_a_promise_compares_the_answers_with_those_of_its_calibration_rows():
    option = RejectOption(CARTClassifier(nominal="one_hot"), **PROMISE).fit(*month(1500, 0))
    assert option.answer_shares_.n_rows == 450
    assert not option.compare(month(400, 1)[0]).told
    X = month(400, 1)[0]
    X[["tenure", "charge"]] = 90, 80
    assert {("certainty of the answers", "certainty"), ("predicted classes", "predicted")} <= told(option.compare(X))
    np.testing.assert_array_equal(option.outside(X).way, option.estimator_.outside(X).way)
    without = RejectOption(CARTClassifier(nominal="one_hot"), below=0.6).fit(*month(1500, 0))
    assert not any(change.kind == "certainty" for change in without.compare(X).changes)


def pipeline():
    encoder = ColumnTransformer(
        [("region", OneHotEncoder(handle_unknown="ignore"), ["region"])], remainder="passthrough"
    )
    return make_pipeline(encoder, RandomForestClassifier(20, random_state=0))


@pytest.mark.parametrize("promise", [{"below": 0.6}, PROMISE])
def test_a_pipeline_compares_the_columns_that_it_was_given(promise, fitted):
    option = RejectOption(pipeline(), **promise).fit(*month(900, 0))
    X = month(400, 1)[0]
    assert not option.compare(X).told
    columns = {(change.subject, change.kind) for change in fitted.compare(damaged()).told}
    found = told(option.compare(damaged()))
    assert found >= columns
    assert {subject for subject, _ in found - columns} <= {"certainty of the answers", "predicted classes"}
    assert option.outside(damaged()).texts.tolist() == fitted.outside(damaged()).texts.tolist()
    compares_answers = any(change.kind == "predicted" for change in option.compare(X).changes)
    assert compares_answers == ("confidence" in promise)
    assert str(option.compare(damaged())).endswith("cannot be relied on") == compares_answers
    X[["tenure", "charge"]] = 90, 80
    assert (("predicted classes", "predicted") in told(option.compare(X))) == compares_answers


def test_arrays_of_any_classifier_are_compared():
    X, y = month(900, 0)
    cells = X[["tenure", "charge"]].to_numpy()
    option = RejectOption(LogisticRegression(), below=0.6).fit(cells, y)
    assert option.outside([[500, 60]]).texts.tolist() == ["x0 500, training at most 119"]
    assert ("x1", "above") in told(option.compare(cells + np.array([0, 30])))
    fitted = LogisticRegression().fit(cells[:600], y[:600])
    prefit = RejectOption(fitted, **PROMISE, calibrate="prefit").fit(cells[600:], y[600:])
    assert (prefit.compare(cells[:600]).n_training, prefit.compare(cells[:600]).n_calibrated) == (300, 300)


@pytest.mark.parametrize("X", [sparse.csr_array(np.arange(80.0).reshape(40, 2)), ["good one", "bad one"] * 20])
def test_what_has_no_columns_is_not_compared(X):
    classifier = make_pipeline(CountVectorizer(), LogisticRegression()) if isinstance(X, list) else LogisticRegression()
    option = RejectOption(classifier, below=0.6).fit(X, [0, 1] * 20)
    for ask in (option.outside, option.compare):
        with pytest.raises(wc.OptionError, match="fit it on a DataFrame or a two-dimensional array"):
            ask(X)
    assert {text.split(" ")[0] for text in option.explain(X)} <= {"answered", "rejected,"}
    assert not any("outside training" in text for text in option.explain(X))


def test_a_model_compares_as_an_estimator_does(fitted):
    X, y = month(900, 0)
    train = wc.Dataset.from_pandas(X.assign(stays=y))
    model = Model(
        wc.method("leaf_frequency").fit(wc.CART(nominal="one_hot").grow(train), train), summary=summarise(train)
    )
    asked = wc.Dataset.from_pandas(damaged().assign(stays="no"))
    with pytest.warns(wc.Note, match="value 'Mars' of 'region' was not seen"):
        assert model.compare(asked) == fitted.compare(damaged())
    with pytest.warns(wc.Note):
        assert model.outside(asked).texts.tolist() == fitted.outside(damaged()).texts.tolist()


def test_rows_outside_are_printed_in_short(fitted):
    X = month(400, 1)[0]
    X["charge"] = 60.0
    assert repr(fitted.outside(X)) == "none of 400 rows outside training"
    X.loc[[3, 8], "tenure"] = 43_435
    assert repr(fitted.outside(X)) == (
        "2 of 400 rows outside training:\n  3: tenure 43435, training at most 119\n"
        "  8: tenure 43435, training at most 119"
    )
    X.loc[:11, "region"] = "<b>Mars\n" + 10_000 * "s"
    printed = repr(fitted.outside(X)).split("\n")
    assert len(printed) == 1 + 5 + 1
    assert printed[-1] == "  … and 7 more"
    assert len("".join(printed)) < 700
    html = fitted.outside(X)._repr_html_()
    assert html.startswith("<table><caption>12 of 400 rows outside training</caption>")
    assert html.count("<tr>") == 6
    assert "<th>3</th><td>tenure 43435, training at most 119; region &#x27;&lt;b&gt;Mars" in html


def test_a_comparison_says_what_it_means():
    option = RejectOption(CARTClassifier(nominal="one_hot"), **PROMISE).fit(*month(1500, 0))
    X = month(400, 1)[0]
    assert str(option.compare(X)) == "400 rows, like those of training; 1 with values outside training"
    X["tenure"] += 43_000
    verdict = str(option.compare(X)).split("\n")[-1]
    assert verdict.startswith("the promise assumes rows like the 450 calibration rows; one column")
    assert verdict.endswith("that these rows differ: the promise cannot be relied on")
    verdict = str(option.estimator_.compare(X)).split("\n")[-1]
    assert verdict.startswith("the answers assume rows like the 1,050 training rows; one column says that")
