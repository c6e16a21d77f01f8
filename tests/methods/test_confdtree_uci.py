"""ConfDTree on the UCI sets: areas under the ROC curve, routes and fines of a ten-fold cross-validation."""

from functools import cache

import numpy as np
import pytest
from reference.confdtree_reference import Reference

from wekaconf.evaluation.measures import auc_mean
from wekaconf.methods.confdtree import ConfDTree

OWN = {"wdbc": 0.9308, "diabetes": 0.7514, "vehicle": 0.8625, "segment": 0.9876}

PUBLISHED = {
    ("wdbc", "tdist"): (0.9388, 78, 1107),
    ("wdbc", "norm"): (0.9369, 15, 40),
    ("wdbc", "comb"): (0.9337, 47, 155),
    ("diabetes", "tdist"): (0.7494, 252, 2053),
    ("diabetes", "norm"): (0.7635, 5, 70),
    ("diabetes", "comb"): (0.7602, 56, 529),
    ("vehicle", "tdist"): (0.8784, 397, 2575),
    ("vehicle", "norm"): (0.8700, 9, 71),
    ("vehicle", "comb"): (0.8856, 191, 1594),
    ("segment", "tdist"): (0.9904, 972, 6812),
    ("segment", "norm"): (0.9883, 15, 45),
    ("segment", "comb"): (0.9917, 834, 5589),
}


@pytest.fixture(scope="module")
def grown(load_uci):
    """A set by its name, with the tree, training rows and test rows of each fold of seed 1."""
    import wekaconf as wc
    from wekaconf import bridge

    @cache
    def grow(name):
        data = load_uci(name)
        return data, [(wc.grow(data.take(train)), train, test) for train, test in bridge.folds(data, 10, 1)]

    return grow


def cross_validated(data, folds, variant):
    """Mean area under the ROC curve of the pooled answers, routes, fines."""
    proba = np.empty((len(data), data.n_classes))
    counts = np.zeros(2, dtype=int)
    for tree, train, test in folds:
        method = ConfDTree(variant=variant).fit(tree, data.take(train))
        proba[test] = method.predict_proba(data.take(test))
        counts += list(method.explain(data.take(test)).counts().values())
    return round(auc_mean(proba, data.class_values, data.weights), 4), *counts.tolist()


@pytest.mark.parametrize(("name", "variant"), PUBLISHED)
def test_areas_routes_and_fines(grown, name, variant):
    assert cross_validated(*grown(name), variant) == PUBLISHED[name, variant]


@pytest.mark.parametrize("name", OWN)
def test_areas_of_the_tree_itself(grown, name):
    data, folds = grown(name)
    proba = np.empty((len(data), data.n_classes))
    for tree, _, test in folds:
        proba[test] = tree.predict_proba(data.take(test))
    assert round(auc_mean(proba, data.class_values, data.weights), 4) == OWN[name]


@pytest.mark.parametrize("name", [*OWN, "labor", "autos", "hypothyroid", "anneal"])
def test_equals_the_reference_on_a_fold(load_uci, name):
    import wekaconf as wc
    from wekaconf import bridge

    data = load_uci(name)
    data = data.take(np.arange(0, len(data), 1 + len(data) // 1200))
    train, test = (data.take(rows) for rows in bridge.folds(data, 10, 1)[3])
    tree = wc.grow(train)
    for variant in ("comb", "norm", "tdist"):
        method, reference = ConfDTree(variant=variant).fit(tree, train), Reference(tree, train, variant=variant)
        literal = [reference.classify(cells) for cells in test.values]
        np.testing.assert_allclose(method.predict_proba(test), [proba for proba, _ in literal], rtol=0, atol=1e-12)
        events = [{(event.node, event.kind) for event in events} for events in method.explain(test)]
        assert events == [expected for _, expected in literal]
