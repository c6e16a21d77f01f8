"""scikit-learn's own checks of the estimators."""

from pathlib import Path

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator
from support.fresh_python import python

from wekaconf import sklearn
from wekaconf.sklearn._base import TreeClassifier
from wekaconf.sklearn._expected_failures import TRAINING_CHECK, WEIGHT_CHECKS, expected_failed_checks

pytestmark = pytest.mark.jvm

CLASSES = [value for value in vars(sklearn).values() if isinstance(value, type) and issubclass(value, TreeClassifier)]
ESTIMATORS = [
    *(estimator() for estimator in CLASSES),
    sklearn.CARTClassifier(prune="none"),
    sklearn.BoundaryDistanceClassifier(learner="CART", scaling="minmax"),
    sklearn.J48Classifier(unpruned=True, use_laplace=True, options="-B"),
    sklearn.ConfDTreeClassifier(learner=sklearn.CARTClassifier(prune="none"), variant="tdist"),
    sklearn.MBranchClassifier(learner="info_gain"),
    sklearn.RejectOption(sklearn.J48Classifier(), below=0.0),
    sklearn.RejectOption(LogisticRegression(), below=0.0),
    sklearn.RejectOption(DecisionTreeClassifier(random_state=0), below=0.0),
    sklearn.RejectOption(sklearn.J48Classifier(), keep=0.9),
    sklearn.RejectOption(GaussianNB(), target_coverage=0.8),
    sklearn.RejectOption(sklearn.ShrinkageClassifier(), cost=(10, 1)),
    sklearn.SecondOpinion(DecisionTreeClassifier(random_state=0)),
    sklearn.SecondOpinion(sklearn.J48Classifier(), [GaussianNB(), LogisticRegression()]),
    sklearn.SecondOpinion(sklearn.ShrinkageClassifier(), (LogisticRegression(),), answers="estimator"),
]


def assert_passes(estimator):
    expected = expected_failed_checks(estimator)
    results = check_estimator(estimator, expected_failed_checks=expected, on_fail=None, on_skip=None)
    assert len(results) > 50
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    assert not failed, failed
    assert {result["check_name"] for result in results if result["status"] == "xfail"} == set(expected)


def test_all_estimators_are_checked():
    assert len(CLASSES) == 15


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
@pytest.mark.drawn(5)
def test_estimator_passes(estimator):
    assert_passes(estimator)


def test_expected_failures_are_few():
    expected = {str(estimator): expected_failed_checks(estimator) for estimator in ESTIMATORS}
    assert {name: tuple(checks) for name, checks in expected.items() if checks} == {
        "CARTClassifier()": WEIGHT_CHECKS,
        "ShrinkageClassifier()": WEIGHT_CHECKS,
        "ShrinkageWPEClassifier()": WEIGHT_CHECKS,
        "BoundaryDistanceClassifier(learner='CART', scaling='minmax')": WEIGHT_CHECKS,
        "RejectOption(estimator=J48Classifier(), keep=0.9)": (TRAINING_CHECK,),
        "RejectOption(estimator=GaussianNB(), target_coverage=0.8)": (TRAINING_CHECK,),
        "RejectOption(cost=(10, 1), estimator=ShrinkageClassifier())": (*WEIGHT_CHECKS, TRAINING_CHECK),
        str(ESTIMATORS[-1]): (*WEIGHT_CHECKS, TRAINING_CHECK),
    }


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_estimators_pass_with_array_api():
    code = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "import test_check_estimator as t\n"
        "from wekaconf.sklearn import ConfDTreeClassifier, J48Classifier, TPCEClassifier\n"
        "from sklearn.utils.estimator_checks import check_estimator\n"
        "for estimator in (J48Classifier(), ConfDTreeClassifier(), TPCEClassifier()):\n"
        "    t.assert_passes(estimator)\n"
        "    results = check_estimator(estimator, on_skip=None)\n"
        "    print({r['check_name']: r['status'] for r in results}['check_array_api_input'])\n"
    )
    out, _ = python(code, *Path(__file__).parents[:2], SCIPY_ARRAY_API="1")
    assert out.split() == ["passed"] * 3
