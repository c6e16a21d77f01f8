"""Folds and shuffles against live Weka, which shuffles, stratifies and cuts the real data."""

from dataclasses import replace

import numpy as np
import pytest
from support.growers import grow
from support.live_weka import cross_validated, weka_folds
from support.random_trees import random_dataset, random_header
from support.small_data import small

from wekaconf.base.errors import OptionError
from wekaconf.bridge import folds, shuffle
from wekaconf.bridge._instances import to_java

UCI_SETS = [
    "iris", "labor", "primary-tumor", "heart-c", "lung-cancer", "shuttle-landing-control", "kdd_synthetic_control",
]  # fmt: skip


def generated():
    """Generated sets: many classes, one that never occurs, missing classes, a numeric class."""
    rng = np.random.default_rng(5)
    data = random_dataset(rng, random_header(rng, 4, 6), 53, 0.1, weights=True, classes=[0, 2, 3, 5])
    values = data.values.copy()
    values[rng.random(len(data)) < 0.2, data.class_index] = np.nan
    numeric = next(i for i, attribute in enumerate(data.attributes) if attribute.kind == "numeric")
    return {
        "classes": data,
        "missing classes": replace(data, values=values),
        "numeric class": data.with_class(data.attributes[numeric].name),
        "two rows": data.take([4, 9]),
    }


def assert_equal_folds(java, data, k, seed):
    ours = folds(data, k=k, seed=seed)
    assert [(train.tolist(), test.tolist()) for train, test in ours] == list(weka_folds(java, data, k, seed))
    assert sorted(np.concatenate([test for _, test in ours])) == list(range(len(data)))


@pytest.mark.parametrize("what", generated())
@pytest.mark.parametrize(("k", "seed"), [(2, 1), (10, 1), (10, 7), (53, 2)])
def test_generated_sets(java, what, k, seed):
    data = generated()[what]
    assert_equal_folds(java, data, min(k, len(data)), seed)


@pytest.mark.parametrize("name", UCI_SETS)
def test_uci_sets(java, load_uci, name):
    data = load_uci(name)
    for k, seed in [(2, 1), (10, 1), (10, 123), (5, -4), (len(data) if len(data) < 100 else 20, 3)]:
        assert_equal_folds(java, data, k, seed)


@pytest.mark.parametrize("learner", ["J48", "RandomTree"])
def test_cross_validation_is_crossvalidatemodel_s(java, learner):
    """Trees grown on our folds answer, in order, what Weka's Evaluation recorded: training order counts too."""
    data = generated()["classes"]
    evaluation = cross_validated(java, java(f"weka.classifiers.trees.{learner}")(), to_java(data), 10, 3)
    theirs = [(p.actual(), *p.distribution(), p.weight()) for p in evaluation.predictions()]
    ours = []
    for train_rows, test_rows in folds(data, k=10, seed=3):
        test = data.take(test_rows)
        proba = grow(data.take(train_rows), learner).predict_proba(test)
        ours += [(int(c), *p, w) for c, p, w in zip(test.class_values, proba, test.weights, strict=True)]
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(("n", "seed"), [(0, 1), (1, 1), (2, 1), (20, 1), (1000, 42), (20, -7), (20, 2**31 - 1)])
def test_shuffle(java, n, seed):
    instances = to_java(small(c=["a"] * n, weights=np.arange(n, dtype=np.float64)) if n else small(c=(["a"], [])))
    instances.randomize(java("java.util.Random")(seed))
    assert shuffle(n, seed=seed).tolist() == [int(instances.instance(row).weight()) for row in range(n)]


@pytest.mark.parametrize("seed", [2**31, -(2**31) - 1])
def test_seed_out_of_range(jvm, seed):
    with pytest.raises(OptionError, match="seed"):
        folds(small(c=["a", "b"] * 5), k=2, seed=seed)
    with pytest.raises(OptionError, match="seed"):
        shuffle(5, seed=seed)
