"""What a reject option says of each answer, and the curve that it draws."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import wekaconf as wc
from wekaconf.data.wording import percent
from wekaconf.evaluation.measures import risk_coverage
from wekaconf.sklearn import CARTClassifier, RejectOption, RiskCoverageDisplay

DATA = load_breast_cancer(as_frame=True)
LABELS = np.array(["malignant", "benign"])[DATA.target]
TRAIN, TEST, Y_TRAIN, Y_TEST = train_test_split(DATA.data, LABELS, random_state=1)


def test_a_foreign_classifier_tells_its_probability():
    fitted = RejectOption(RandomForestClassifier(20, random_state=1), below=0.9).fit(TRAIN, Y_TRAIN)
    told, proba, refused = fitted.explain(TEST), fitted.predict_proba(TEST), fitted.reject(TEST)
    assert refused.any()
    for text, row, is_refused in zip(told, proba, refused, strict=True):
        answer = f"{fitted.classes_[row.argmax()]} ({percent(row.max(), 2)})"
        if is_refused:
            why = f"the certainty {row.max():.4g} is below the threshold 0.9"
            assert text.startswith(f"rejected, refer to a human; {answer} would be the answer, but {why}")
        else:
            assert text.startswith(f"answered {answer}")
    assert [text.partition("; outside training: ")[2] for text in told] == fitted.outside(TEST).texts.tolist()


def test_wekaconfs_estimators_say_why():
    fitted = RejectOption(make_pipeline(StandardScaler(), CARTClassifier()), below=0.95).fit(TRAIN, Y_TRAIN)
    tree = CARTClassifier().fit(StandardScaler().fit_transform(TRAIN), Y_TRAIN)
    reasons = tree.answer(StandardScaler().fit(TRAIN).transform(TEST)).grounds[:]
    for text, reason in zip(fitted.explain(TEST), reasons, strict=True):
        assert text.startswith(("answered ", "rejected, refer to a human; "))
        assert text.partition("; outside training: ")[0].endswith(f": {reason}")


def test_no_certainty_is_enough():
    with pytest.warns(wc.Note, match="no threshold reaches"):
        fitted = RejectOption(CARTClassifier(), target_error=0.0).fit(TRAIN, Y_TRAIN)
    assert (
        "would be the answer, but the model's threshold rejects every such answer: leaf of" in fitted.explain(TEST)[0]
    )


@pytest.mark.parametrize("estimator", [CARTClassifier(), RandomForestClassifier(10, random_state=1)])
@pytest.mark.parametrize("promise", [
    {"target_coverage": 0.8}, {"target_error": 0.1, "confidence": 0.9},
    {"target_error": {"benign": 0.1, "malignant": 0.2}, "confidence": 0.7},
])  # fmt: skip
def test_the_curve_and_the_chosen_threshold_are_those_of_the_rows(estimator, promise):
    pytest.importorskip("matplotlib").use("agg")
    fitted = RejectOption(estimator, **promise).fit(TRAIN, Y_TRAIN)
    drawn = RiskCoverageDisplay.from_estimator(fitted, TEST, Y_TEST)
    refused, right = fitted.reject(TEST), fitted.estimator_.predict(TEST) == Y_TEST
    assert drawn.reached.accepted == (~refused).sum()
    assert drawn.reached.error == pytest.approx(1 - right[~refused].mean())
    np.testing.assert_array_equal(drawn.curve.error, risk_coverage(fitted.certainty(TEST), right).error)


@pytest.mark.parametrize("estimator", [CARTClassifier(nominal="one_hot"), make_pipeline(
    ColumnTransformer([("ward", OneHotEncoder(handle_unknown="ignore"), ["ward"])], remainder="passthrough"),
    RandomForestClassifier(10, random_state=1),
)], ids=["ours", "of others"])  # fmt: skip
def test_what_training_did_not_have_is_told(estimator):
    """An unknown text and a number beyond training in the sentence of the row, a file unlike training in a note."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"age": rng.integers(20, 80, 300).astype(float), "ward": rng.choice(["a", "b"], 300)})
    fitted = RejectOption(estimator, below=0.6).fit(X, np.where(X["age"] > 50, "yes", "no"))
    one = pd.DataFrame({"age": [79.0, 30.0, 99.0], "ward": ["a", "c", "b"]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wc.Note)  # on the values that are not known
        known, unknown, old = fitted.explain(one)
    assert "outside training" not in known
    assert unknown.endswith("; outside training: ward 'c', not seen in training") and " missing" not in unknown
    assert old.endswith("; outside training: age 99, training at most 79")
    with pytest.warns(wc.Note, match=r"X: 300 rows, not like those of training.*age: 300 of 300 rows above"):
        fitted.explain(X.assign(age=X["age"] + 100))


def test_no_promise_is_told_where_none_could_be_made():
    promise = {"target_error": 0.001, "confidence": 0.95}
    with pytest.warns(wc.Note, match="cannot be shown"):
        fitted = RejectOption(CARTClassifier(), **promise).fit(TRAIN, Y_TRAIN)
    assert not fitted.compare(TEST + 1000).promises
    assert "the answers cannot be relied on" in str(fitted.compare(TEST + 1000))
