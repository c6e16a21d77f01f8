"""What a reject option says of each answer, and the curve that it draws."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import wekaconf as wc
from wekaconf.data.wording import percent
from wekaconf.evaluation.risk_coverage import risk_coverage
from wekaconf.sklearn import CARTClassifier, RejectOption

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
            assert text == f"rejected, refer to a human; {answer} would be the answer, but {why}"
        else:
            assert text == f"answered {answer}"


def test_wekaconfs_estimators_say_why():
    fitted = RejectOption(make_pipeline(StandardScaler(), CARTClassifier()), below=0.95).fit(TRAIN, Y_TRAIN)
    tree = CARTClassifier().fit(StandardScaler().fit_transform(TRAIN), Y_TRAIN)
    reasons = tree.answer(StandardScaler().fit(TRAIN).transform(TEST)).grounds[:]
    for text, reason in zip(fitted.explain(TEST), reasons, strict=True):
        assert text.startswith(("answered ", "rejected, refer to a human; "))
        assert text.endswith(f": {reason}")


def test_no_certainty_is_enough():
    with pytest.warns(wc.Note, match="no threshold reaches"):
        fitted = RejectOption(CARTClassifier(), target_error=0.0).fit(TRAIN, Y_TRAIN)
    assert "would be the answer, but no certainty is enough for it: leaf of" in fitted.explain(TEST)[0]


@pytest.mark.parametrize("estimator", [CARTClassifier(), RandomForestClassifier(10, random_state=1)])
@pytest.mark.parametrize("promise", [{"target_coverage": 0.8}, {"target_error": 0.1, "confidence": 0.9}])
def test_the_curve_of_given_rows_and_of_those_that_chose(estimator, promise):
    pytest.importorskip("matplotlib").use("agg")
    fitted = RejectOption(estimator, **promise).fit(TRAIN, Y_TRAIN)
    drawn = fitted.plot(TEST, Y_TEST)
    refused, right = fitted.reject(TEST), fitted.estimator_.predict(TEST) == Y_TEST
    assert drawn.reached.accepted == (~refused).sum()
    assert drawn.reached.error == pytest.approx(1 - right[~refused].mean())
    np.testing.assert_array_equal(drawn.curve.error, risk_coverage(fitted.certainty(TEST), right).error)
    chosen = fitted.plot(name="mine", ax=drawn.ax_)
    assert chosen.ax_ is drawn.ax_
    assert chosen.curve is fitted.curve_
    assert chosen.name == "mine"
    n = fitted.answer_shares_.n_rows if "confidence" in promise else len(TRAIN)
    assert fitted.curve_.accepted[-1] == n
    assert chosen.reached == fitted.choice_.figures
    with pytest.raises(wc.OptionError, match="X and y need one another"):
        fitted.plot(TEST)


def test_the_steps_of_a_promise_are_those_of_its_rows():
    fitted = RejectOption(CARTClassifier(), target_error=0.1, confidence=0.9).fit(TRAIN, Y_TRAIN)
    shares = fitted.answer_shares_
    held = np.repeat(np.append(shares.cuts, 2.0), shares.counts.sum(axis=0))
    for threshold, accepted in zip(fitted.curve_.threshold, fitted.curve_.accepted, strict=True):
        assert (held >= threshold).sum() == accepted
    assert fitted.curve_.wrong[-1] == shares.wrong.sum()
