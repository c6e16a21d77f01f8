"""Metrics against Weka's own Evaluation, over the predictions that Evaluation stored."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from support.live_weka import both_metrics, cross_validated, predictions, read_file, record_predictions

pytestmark = pytest.mark.jvm

UCI_SETS = ["anneal", "bridges_version1", "labor", "primary-tumor"]
N_FOLDS = 10


def generated(java, *, weighted=True, missing_class=True):
    """Numeric and nominal attributes with missing values; class 'c' is rare, 'never' has no instance."""
    rng = np.random.default_rng(3)
    lines = ["@relation generated", "@attribute x numeric", "@attribute y {p,q,r,s}", "@attribute z numeric"]
    lines += ["@attribute class {a,never,b,c}", "@data"]
    for i in range(150):
        x, y, z = rng.normal(), rng.integers(4), rng.integers(3)
        actual = "c" if i % 40 == 0 else "ab"[int(x + (y == 1) + rng.normal() > 0)]
        cells = [f"{x:.1f}", "pqrs"[y], str(z), actual]
        for column in range(4 if missing_class else 3):
            if rng.random() < 0.08:
                cells[column] = "?"
        weight = f",{{{rng.choice([0.3, 1, 2.5])}}}" if weighted else ""
        lines.append(",".join(cells) + weight)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "generated.arff"
        path.write_text("\n".join(lines) + "\n")
        return read_file(java, path)


def evaluations(java, data):
    """Weka's cross-validation of J48 pooled, then one Evaluation per fold."""
    J48 = java("weka.classifiers.trees.J48")
    yield cross_validated(java, J48(), data, N_FOLDS, 1)
    random, shuffled = java("java.util.Random")(1), java("weka.core.Instances")(data)
    shuffled.randomize(random)
    shuffled.stratify(N_FOLDS)
    for fold in range(N_FOLDS):
        train = shuffled.trainCV(N_FOLDS, fold, random)
        model, evaluation = J48(), java("weka.classifiers.Evaluation")(train)
        model.buildClassifier(train)
        evaluation.evaluateModel(model, shuffled.testCV(N_FOLDS, fold), java("java.lang.Object")[:]([]))
        yield evaluation


def check(evaluation, n_classes):
    """Compare with Weka; give the predictions."""
    np.testing.assert_allclose(*both_metrics(evaluation, n_classes), rtol=0, atol=1e-12)
    return predictions(evaluation)


def check_cross_validation(java, data):
    """Compare pooled and per fold; give the pooled predictions."""
    pooled, *folds = [check(evaluation, data.numClasses()) for evaluation in evaluations(java, data)]
    assert len(folds) == N_FOLDS
    return pooled


@pytest.mark.parametrize("name", UCI_SETS)
def test_uci_sets(java, uci, name):
    _, actual, _ = check_cross_validation(java, read_file(java, uci / f"{name}.arff"))
    assert (actual == -1).any() == (name == "bridges_version1")


def test_a_uci_set_with_instance_weights(java, uci):
    data = read_file(java, uci / "autos.arff")
    for i, weight in enumerate(np.random.default_rng(4).uniform(0.1, 3, data.numInstances())):
        data.instance(i).setWeight(float(weight))
    check_cross_validation(java, data)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing_class", [False, True])
def test_generated_set(java, weighted, missing_class):
    _, actual, weights = check_cross_validation(java, generated(java, weighted=weighted, missing_class=missing_class))
    assert (len(set(weights)) > 1) == weighted
    assert (actual == -1).any() == missing_class


@pytest.mark.parametrize("seed", range(5))
def test_any_distributions(java, seed):
    """Ties, rows of zeros, and few instances, so that classes lack positives or negatives."""
    rng, data = np.random.default_rng(seed), generated(java)
    evaluation = java("weka.classifiers.Evaluation")(data)
    chosen = rng.choice(data.numInstances(), [1, 2, 4, 30, 150][seed], replace=False)
    counts = rng.integers(0, 2, (len(chosen), 4)).astype(float)
    proba = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    record_predictions(evaluation, [data.instance(int(i)) for i in chosen], proba)
    proba, _, _ = check(evaluation, 4)
    assert len(proba) < 30 or not proba.any(axis=1).all()
