"""What the public side of a method does that the contract suite, which sees methods from outside, cannot tell."""

from dataclasses import replace
from typing import Annotated

import numpy as np
import pytest
from growers import grow
from random_trees import made, random_dataset, random_header, random_tree

import wekaconf.methods  # noqa: F401
from wekaconf.errors import HeaderMismatchError, NotFittedError, OptionError
from wekaconf.methods.transductive.base import Transductive
from wekaconf.postprocessor import LeftOut, PostProcessor
from wekaconf.stored import stored
from wekaconf.tree.kinds import Routing

METHODS = sorted(name for name, known in PostProcessor.registry.items() if not issubclass(known, Transductive))


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


@pytest.fixture
def leaving():
    """The tree's own answers; an instance is left out by shifting its answer by its row."""

    class Leaving(PostProcessor.registry["leaf_frequency"], name="leaving"):
        n_: Annotated[np.ndarray, stored(np.int64)]

        def _fit(self, tree, train):
            super()._fit(tree, train)
            self.n_ = np.array(len(train))

        def _predict_proba(self, data):
            self.on_progress(len(data), len(data))
            return super()._predict_proba(data)

        def _leave_one_out(self, rows):
            assert rows.dtype == np.intp
            proba = np.outer(rows, [1.0, 2.0, 3.0])
            return LeftOut(proba, -proba, proba[:, 0], proba + 1)

        def _notes(self, data):
            return ("hides the class",) if np.isnan(data.values[:, data.class_index]).all() else ("shows the class",)

        def _cost(self, n_instances, header):
            return f"{n_instances} times {header.n_classes}"

    yield Leaving
    del PostProcessor.registry["leaving"]


def test_leaving_one_out(data, leaving):
    """Rows are those that count in fitting; all when none are named, none when the list is empty."""
    weights = np.where(np.arange(80) % 8 == 0, 0.0, data.weights)
    values = data.values.copy()
    values[1::8, data.class_index] = np.nan
    tree = random_tree(np.random.default_rng(1), data)
    method = leaving().fit(tree, replace(data, values=values, weights=weights))
    assert method.n_ == 60
    for rows, expected in ((None, range(60)), ([59, 0, 0], [59, 0, 0]), ([], []), (np.array([3], np.uint8), [3])):
        found = method.leave_one_out(rows)
        assert found.certainty.tolist() == list(expected)
        np.testing.assert_array_equal(found.ranking, -found.proba)
        np.testing.assert_array_equal(found.baseline, found.proba + 1)
    for rows, told in (([60], "60"), ([0, -1], "-1")):
        with pytest.raises(OptionError, match=f"leaving: rows must be from 0 to 59, .* got {told}$"):
            method.leave_one_out(rows)
    for rows in ([0.5], [True, False], [[1, 2]], 3, ["a"]):
        with pytest.raises(OptionError, match="leaving: rows must be whole numbers, one a training instance; got"):
            method.leave_one_out(rows)


def test_leaving_one_out_where_it_is_not_defined(data, leaving):
    tree = random_tree(np.random.default_rng(1), data)
    with pytest.raises(NotFittedError):
        leaving().leave_one_out()
    plain = PostProcessor.registry["leaf_frequency"]().fit(tree, data)
    with pytest.raises(OptionError, match=r"leaf_frequency has no short way .* splits\(data, folds='loo'\)"):
        plain.leave_one_out([0])
    fitted = leaving().fit(tree, data)
    restored = leaving.restore(fitted.params, tree, fitted.learned())
    with pytest.raises(OptionError, match="leaving: a model file holds no training data to leave one out of"):
        restored.leave_one_out()


def test_notes_and_cost(data, leaving):
    tree = random_tree(np.random.default_rng(1), data)
    assert leaving().cost(7, data.header) == "7 times 3"
    with pytest.raises(NotFittedError):
        leaving().notes(data)
    fitted = leaving().fit(tree, data)
    assert fitted.notes(data) == ("hides the class",)
    with pytest.raises(HeaderMismatchError):
        fitted.notes(random_dataset(np.random.default_rng(1), random_header(np.random.default_rng(1), 2), 5))
    plain = PostProcessor.registry["leaf_frequency"]().fit(tree, data)
    assert (plain.notes(data), plain.cost(7, data.header)) == ((), "")


def test_progress_is_no_part_of_what_is_learned(data, leaving):
    tree = random_tree(np.random.default_rng(1), data)
    told = []
    method, other = leaving().fit(tree, data), leaving().fit(tree, data)
    method.on_progress = lambda *now: told.append(now)
    proba = method.predict_proba(data)
    np.testing.assert_array_equal(other.predict_proba(data), proba)
    assert told == [(80, 80)]
    assert list(method.learned()) == ["n_"]
    assert method.params == {"laplace": None}
    restored = leaving.restore(method.params, tree, method.learned())
    restored.predict_proba(data)
    assert told == [(80, 80)]


# ---- distributions ----


def unclassified(seed):
    """Training data, a tree whose empty leaves answer zeros and whose shares do not sum to 1, and rows to ask."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=5)
    train = random_dataset(rng, header, 60, 0.2, weights=True)
    tree = random_tree(rng, train, max_depth=9, routing=Routing.RANDOMTREE_UNCLASSIFIED)
    shares = np.where(rng.random(tree.n_nodes) < 0.3, 0.4, tree.branch_weight)
    return train, replace(tree, branch_weight=shares), random_dataset(rng, header, 100, 0.2)


def assert_distributions(tree, proba, data):
    assert np.isfinite(proba).all() and (proba >= 0).all()
    lost = ~proba.any(axis=1)
    np.testing.assert_allclose(proba[~lost].sum(axis=1), 1, rtol=0, atol=1e-9)
    assert not tree.predict_proba(data)[lost].any()


@pytest.mark.parametrize("name", METHODS)
def test_answers_are_distributions_where_the_tree_s_own_are_none(name):
    for seed in (0, 1, 4):
        train, tree, data = unclassified(seed)
        sums = tree.predict_proba(data).sum(axis=1)
        assert (sums == 0).any() and ((sums > 0) & (sums < 0.99)).any()
        method = made(name).fit(tree, train)
        proba, certainty = method.predict_proba(data), method.certainty(data)
        if name == "leaf_frequency":
            assert proba.tobytes() == tree.predict_proba(data).tobytes()
            continue
        assert_distributions(tree, proba, data)
        assert not np.isnan(certainty).any()
        assert method.affected(data).tolist() == (np.abs(proba - tree.predict_proba(data)).max(axis=1) >= 0.1).tolist()


@pytest.mark.parametrize("options", ["-U -B", "-N 3 -U"])
def test_answers_on_trees_of_weka_are_distributions(jvm, options):
    n_short = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        header = random_header(rng, n_attributes=5)
        train = random_dataset(rng, header, 60, 0.2, weights=True)
        data = random_dataset(rng, header, 100, 0.3)
        tree = grow(train, "RandomTree", options)
        method = made("confdtree", variant="tdist", min_instances=1).fit(tree, train)
        assert_distributions(tree, method.predict_proba(data), data)
        n_short += (np.abs(method._predict_proba(data).sum(axis=1) - 1) > 1e-9).sum()
    assert n_short


def test_what_is_a_distribution_stays_to_the_last_bit(data):
    class Given(PostProcessor.registry["confdtree"], name="given"):
        def _predict_proba(self, data):
            return rows[: len(data)].copy()

    del PostProcessor.registry["given"]
    tree = random_tree(np.random.default_rng(1), data)
    rows = np.array([[0.1, 0.2, 0.7], [1 / 3, 1 / 3, 1 / 3 + 9e-10], [-6e-15, 0.4, 0.6], [0.2, 0.2, 0.0], [0, 0, 0]])
    proba = Given().fit(tree, data).predict_proba(data.take(range(5)))
    assert proba[:2].tobytes() == rows[:2].tobytes()
    assert proba[2:4].tolist() == [[0, 0.4, 0.6], [0.5, 0.5, 0]]
    assert proba[4].tolist() == tree.predict_proba(data.take([4]))[0].tolist()
