"""`evaluate` and `folds` against live Weka, which reads the same files itself."""

import json
import re

import numpy as np
import pytest
from support.command_line import ARFF
from support.csv_rows import rows_of
from support.growers import train_in_weka
from support.live_weka import built, cross_validated, of_weka, read_file

import wekaconf as wc
from wekaconf.bridge._instances import to_java
from wekaconf.evaluation.measures import _ranking as ranking
from wekaconf.evaluation.protocol import splits

pytestmark = pytest.mark.filterwarnings("ignore::wekaconf.Note")

J48 = "weka.classifiers.trees.J48"
BUNDLED = ["iris", "wine", "wdbc", "credit-g", "waveform-synthetic", "missing-weights"]
UCI_SETS = ["anneal", "bridges_version1", "colic", "labor", "primary-tumor", "vehicle"]


def ours(path, runs, options=""):
    data = wc.load_arff(path)
    return wc.evaluate(data, "leaf_frequency", protocol=wc.Protocol(given=[runs(data)]), options=options)[0]


def assert_equal_evaluation(record, answers, evaluation):
    n_classes = answers.proba.shape[1]
    areas = ranking.areas_under_roc(answers.proba, answers.actual, answers.weights)
    got = [record["pooled"]["percent_correct"], record["pooled"]["auc_weighted"], *areas]
    want = [evaluation.pctCorrect(), evaluation.weightedAreaUnderROC()]
    want += [evaluation.areaUnderROC(c) for c in range(n_classes)]
    np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-12)


def check_cross_validation(java, path, *, k=10, seed=1, options=""):
    theirs = read_file(java, path)
    k = theirs.numInstances() if k == "loo" else k
    evaluation = cross_validated(java, of_weka(java, J48, options), theirs, k, seed)
    record, answers = ours(path, lambda data: splits(data, folds=k, seed=seed), options)
    assert_equal_evaluation(record, answers, evaluation)


@pytest.mark.parametrize("name", BUNDLED)
def test_cross_validation(java, name):
    check_cross_validation(java, ARFF / f"{name}.arff")


@pytest.mark.parametrize(("k", "seed", "options"), [(3, 7, "-U -A"), (10, -2, "-B -M 5"), ("loo", 1, "")])
def test_cross_validation_otherwise(java, k, seed, options):
    check_cross_validation(java, ARFF / "missing-weights.arff", k=k, seed=seed, options=options)


@pytest.mark.parametrize("name", UCI_SETS)
def test_cross_validation_on_uci_sets(java, uci, name):
    check_cross_validation(java, uci / f"{name}.arff")


def weka_split(java, path, share, seed):
    """Correct and all test instances, from what Weka's own command line prints."""
    options = ["-t", str(path), "-split-percentage", share, "-s", str(seed), "-o"]
    printed = str(java("weka.classifiers.Evaluation").evaluateModel(of_weka(java, J48), options))
    test_part = printed[printed.index("on test split") :]
    found = re.search(r"Correctly Classified\D+([\d.]+).*Total Number of Instances\s+([\d.]+)", test_part, re.DOTALL)
    return tuple(float(number) for number in found.groups())


@pytest.mark.parametrize("name", ["iris", "credit-g"])
@pytest.mark.parametrize(("share", "percent", "seed"), [("0.66", "66", 1), ("0.57", "57", 5), ("0.333", "33.3", 1)])
def test_percentage_split(java, name, share, percent, seed):
    """150 · 0.57 is 85.5, which Weka rounds up."""
    path = ARFF / f"{name}.arff"
    record, answers = ours(path, lambda data: splits(data, split=share, seed=seed))
    n_correct, n_test = weka_split(java, path, percent, seed)
    assert len(answers.proba) == n_test
    assert record["pooled"]["percent_correct"] == pytest.approx(100 * n_correct / n_test, abs=1e-10)

    theirs = read_file(java, path)
    theirs.randomize(java("java.util.Random")(seed))
    Instances = java("weka.core.Instances")
    n_train = theirs.numInstances() - int(n_test)
    train, test = Instances(theirs, 0, n_train), Instances(theirs, n_train, int(n_test))
    assert_equal_evaluation(record, answers, on_test_set(java, train, test))


def on_test_set(java, train, test):
    evaluation = java("weka.classifiers.Evaluation")(train)
    evaluation.evaluateModel(built(java, J48, "", train), test, java("java.lang.Object")[:]([]))
    return evaluation


@pytest.mark.parametrize("name", ["credit-g", "missing-weights"])
def test_test_file(java, good, tmp_path, name):
    data = wc.load_arff(ARFF / f"{name}.arff")
    paths = []
    for part, rows in (("train", np.arange(0, len(data), 2)), ("test", np.arange(1, len(data), 2))):
        paths.append(tmp_path / f"{part}.arff")
        wc.save_arff(paths[-1], data.take(rows))
    [record] = json.loads(good("evaluate", paths[0], "-T", paths[1], "--json"))
    evaluation = on_test_set(java, read_file(java, paths[0]), read_file(java, paths[1]))
    got = [record["pooled"]["percent_correct"], record["pooled"]["auc_weighted"]]
    want = [evaluation.pctCorrect(), evaluation.weightedAreaUnderROC()]
    np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-12)


@pytest.mark.parametrize(("name", "k", "seed"), [("iris", 10, 1), ("missing-weights", 3, -9)])
def test_folds_as_csv(java, good, name, k, seed):
    path = ARFF / f"{name}.arff"
    rows = rows_of(good("weka", "folds", path, "-x", k, "-s", seed))
    assert list(rows[0]) == ["fold", "set", "position", "index"]
    theirs = read_file(java, path)
    for i in range(theirs.numInstances()):
        theirs.instance(i).setWeight(i + 1.0)  # plays no part in the folds, and tells the instance
    random = java("java.util.Random")(seed)
    theirs.randomize(random)
    theirs.stratify(k)
    expected = []
    for fold in range(k):
        for part, held in (("train", theirs.trainCV(k, fold, random)), ("test", theirs.testCV(k, fold))):
            expected += [(fold + 1, part, i + 1, int(held.instance(i).weight())) for i in range(held.numInstances())]
    assert [(int(r["fold"]), r["set"], int(r["position"]), int(r["index"])) for r in rows] == expected


@pytest.mark.parametrize(("learner", "options"), [("RandomForest", "-I 5"), ("Bagging", "-I 3")])
def test_ensembles_draw_their_bags_from_instances_without_a_class_too(java, learner, options):
    data = wc.load_arff(ARFF / "missing-weights.arff")
    model, _ = train_in_weka(data, learner, options)
    sent = to_java(data)
    own = built(java, f"weka.classifiers.{'meta' if learner == 'Bagging' else 'trees'}.{learner}", options, sent)
    theirs = [list(own.distributionForInstance(sent.instance(i))) for i in range(len(data))]
    assert np.array_equal(model.distributions(data), theirs)
    assert np.array_equal(wc.grow(data, learner, options).predict_proba(data), theirs)
