"""Every method on foreign trees: it answers with distributions, or says by name what it lacks."""

from pathlib import Path

import numpy as np
import pytest
from sklearn import ensemble, tree

import wekaconf as wc
import wekaconf.model.scheme
from wekaconf.methods.contract._method import Method

GOLDEN = Path(__file__).parents[1] / "golden" / "models"
ESTIMATORS = {
    "DecisionTreeClassifier": tree.DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    "ExtraTreeClassifier": tree.ExtraTreeClassifier(random_state=0),
    "RandomForestClassifier": ensemble.RandomForestClassifier(4, random_state=0),
    "ExtraTreesClassifier": ensemble.ExtraTreesClassifier(4, random_state=0),
    "BaggingClassifier": ensemble.BaggingClassifier(n_estimators=4, max_features=0.5, random_state=0),
}
MODELS = ("j48", "j48-binary-laplace", "reptree", "randomtree", "randomforest", "bagging")
NEEDS_LEARNER = {"tpce", "kukar_kononenko"}
ON_FORESTS = {"leaf_frequency", "confdtree", "shrinkage", "m_branch", "curtailment"}
BINS = {"wpe": {"numeric": "bins"}, "shrinkage_wpe": {"numeric": "bins"}}


def foreign(name):
    """The mirror and its training data."""
    if name in ESTIMATORS:
        train = wc.load_arff("arff/iris.arff")
        fitted = ESTIMATORS[name].fit(np.delete(train.values, train.class_index, axis=1), train.class_values)
        return wc.mirror(fitted, train=train), train
    return wc.mirror(GOLDEN / f"weka-3.9.5-{name}.model"), wc.load_arff("arff/missing-weights.arff")


@pytest.mark.parametrize("name", [*ESTIMATORS, *MODELS])
@pytest.mark.parametrize("method", sorted(Method.registry))
def test_every_method(name, method):
    mirror, train = foreign(name)
    unfitted = wc.method(method, **BINS.get(method, {}))
    if isinstance(mirror, wc.Forest) and method not in ON_FORESTS:
        with pytest.raises(wc.OptionError, match=f"{method} is defined on a single tree, not on a forest of"):
            unfitted.fit(mirror, train)
    elif method in NEEDS_LEARNER:
        with pytest.raises(wc.OptionError, match=f"{method} reads trees of info_gain, got one of {mirror.learner}"):
            unfitted.fit(mirror, train)
    elif unfitted.grows_again and name in ESTIMATORS:
        with pytest.raises(wc.OptionError, match=f"{method} grows trees as this one, but "):
            unfitted.fit(mirror, train)
    else:
        answer = unfitted.fit(mirror, train).answer(train)
        assert (answer.proba >= 0).all()
        np.testing.assert_allclose(answer.proba.sum(axis=1), 1, rtol=0, atol=1e-9)
        assert len(answer.explanation) == len(train)


@pytest.mark.parametrize("name", ["reptree", "randomtree"])
def test_smoothing_of_leaves_without_counts(name):
    mirror, train = foreign(name)
    with pytest.raises(wc.OptionError, match=f"{mirror.learner} stores no class counts, so its leaves cannot be"):
        wc.LeafFrequency(laplace=True).fit(mirror, train)


def test_no_hint_at_a_learner_that_is_none():
    mirror, train = foreign("DecisionTreeClassifier")
    with pytest.raises(wc.OptionError, match=r"grow it with the learner info_gain$"):
        wc.TPCE().fit(mirror, train)
