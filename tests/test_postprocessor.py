"""What the public side of a method does that the contract suite, which sees methods from outside, cannot tell."""

from dataclasses import replace

import numpy as np
import pytest
from random_trees import random_dataset, random_header, random_tree

from wekaconf.postprocessor import PostProcessor


@pytest.fixture
def data():
    rng = np.random.default_rng(4)
    return random_dataset(rng, random_header(rng), 80, 0.1, weights=True)


@pytest.fixture
def watching():
    """The tree's own answers; keeps what it was given, and ranks by logarithms."""

    class Watching(PostProcessor.registry["leaf_frequency"], name="watching"):
        def _fit(self, tree, train):
            self.seen = train

        def _ranking(self, data):
            self.seen = data
            return np.log(self._predict_proba(data) + 1e-3)

    yield Watching()
    del PostProcessor.registry["watching"]


def test_ranking_is_the_distribution_unless_a_method_says_otherwise(data, watching):
    tree = random_tree(np.random.default_rng(1), data)
    plain = PostProcessor.registry["leaf_frequency"]().fit(tree, data)
    np.testing.assert_array_equal(plain.ranking(data), plain.predict_proba(data))
    watching.fit(tree, data)
    np.testing.assert_array_equal(watching.ranking(data), np.log(plain.predict_proba(data) + 1e-3))
    assert np.isnan(watching.seen.values[:, data.class_index]).all()


def test_a_training_set_that_counts_whole_is_not_copied(data, watching):
    tree = random_tree(np.random.default_rng(1), data)
    assert watching.fit(tree, data).seen is data
    weights = np.where(np.arange(80) % 8 == 0, 0.0, data.weights)
    kept = watching.fit(tree, replace(data, weights=weights)).seen
    assert kept == data.take(weights > 0)
    values = data.values.copy()
    values[::5, data.class_index] = np.nan
    assert len(watching.fit(tree, replace(data, values=values)).seen) == 64
