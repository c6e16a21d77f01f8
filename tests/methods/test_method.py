"""What the public side of a method does that the contract suite, which sees methods from outside, cannot tell."""

import re
import subprocess
import sys
from dataclasses import replace
from typing import Annotated

import numpy as np
import pytest
from support.random_trees import made, random_dataset, random_header, random_tree

from wekaconf.base.errors import NotFittedError, OptionError
from wekaconf.base.parameters import learned
from wekaconf.base.stored import stored
from wekaconf.methods.contract._answer import Reply
from wekaconf.methods.contract._leaves_one_out import LeavesOneOut, LeftOut
from wekaconf.methods.contract._method import Method
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.methods.transductive._base import Transductive
from wekaconf.model.scheme import label_of
from wekaconf.tree._kinds import Routing

METHODS = sorted(name for name, known in Method.registry.items() if not issubclass(known, Transductive))


@pytest.fixture
def data():
    rng = np.random.default_rng(4)
    return random_dataset(rng, random_header(rng), 80, 0.1, weights=True)


class Watching(LeafFrequency, is_registered=False):
    """The tree's own answers; keeps what it was given, and ranks by logarithms."""

    def _fit(self, tree, train):
        self.seen = train

    def _answer(self, data):
        self.seen = data
        reply = super()._answer(data)
        return replace(reply, ranking=np.log(reply.proba + 1e-3))


def test_ranking_is_the_distribution_unless_a_method_says_otherwise(data):
    tree = random_tree(np.random.default_rng(1), data)
    plain = LeafFrequency().fit(tree, data)
    np.testing.assert_array_equal(plain.ranking(data), plain.predict_proba(data))
    watching = Watching().fit(tree, data)
    np.testing.assert_array_equal(watching.ranking(data), np.log(plain.predict_proba(data) + 1e-3))
    assert np.isnan(watching.seen.values[:, data.class_index]).all()


def test_a_training_set_that_counts_whole_is_not_copied(data):
    tree, watching = random_tree(np.random.default_rng(1), data), Watching()
    assert watching.fit(tree, data).seen is data
    weights = np.where(np.arange(80) % 8 == 0, 0.0, data.weights)
    kept = watching.fit(tree, replace(data, weights=weights)).seen
    assert kept == data.take(weights > 0)
    values = data.values.copy()
    values[::5, data.class_index] = np.nan
    assert len(watching.fit(tree, replace(data, values=values)).seen) == 64


@pytest.mark.parametrize("asks", ["fit", "answer"])
def test_a_method_that_sees_the_class_is_shown_it(data, asks):
    class Seeing(Watching, is_registered=False):
        sees_class = True

    method = Seeing().fit(random_tree(np.random.default_rng(1), data), data)
    if asks == "answer":
        method.answer(data)
    assert method.seen is data


class Leaving(LeafFrequency, LeavesOneOut, is_registered=False):
    """The tree's own answers; an instance is left out by shifting its answer by its row."""

    name = "leaving"
    n_: Annotated[np.ndarray, stored(np.int64)] = learned()

    @property
    def n_kept(self):
        return int(self.n_)

    def _fit(self, tree, train):
        super()._fit(tree, train)
        self.n_ = np.array(len(train))

    def _answer(self, data):
        self.on_progress(len(data), len(data))
        return super()._answer(data)

    def _leave_one_out(self, rows):
        assert rows.dtype == np.intp
        proba = np.outer(rows, [1.0, 2.0, 3.0])
        return LeftOut(proba, -proba, proba[:, 0], proba + 1)


def test_leaving_one_out(data):
    """Rows are those that count in fitting; all when none are named, none when the list is empty."""
    weights = np.where(np.arange(80) % 8 == 0, 0.0, data.weights)
    values = data.values.copy()
    values[1::8, data.class_index] = np.nan
    tree = random_tree(np.random.default_rng(1), data)
    fitted = Leaving().fit(tree, replace(data, values=values, weights=weights))
    for method in (fitted, Leaving.restore(fitted.params, tree, fitted.learned())):
        assert method.n_kept == 60
        for rows, expected in ((None, range(60)), ([59, 0, 0], [59, 0, 0]), ([], []), (np.array([3], np.uint8), [3])):
            found = method.leave_one_out(rows)
            assert found.certainty.tolist() == list(expected)
            np.testing.assert_array_equal(found.ranking, -found.proba)
            np.testing.assert_array_equal(found.baseline, found.proba + 1)
        for rows, told in (([60], "60"), ([0, -1], "-1")):
            with pytest.raises(OptionError, match=f"leaving: rows must be from 0 to 59, .* got {told}$"):
                method.leave_one_out(rows)
        for rows in ([0.5], [True, False], [[1, 2]], 3, ["a"]):
            with pytest.raises(OptionError, match="leaving: rows must be whole numbers, one for each training "):
                method.leave_one_out(rows)


def test_leaving_one_out_where_it_is_not_defined(data):
    class Cannot(Leaving, is_registered=False):
        can_leave_one_out = False

    tree = random_tree(np.random.default_rng(1), data)
    for method in (Leaving(), Cannot()):
        with pytest.raises(NotFittedError, match="leaving is not fitted"):
            method.leave_one_out()
    told = "Cannot(laplace=True) has no short way to leave one instance out; evaluate it with folds='loo'"
    with pytest.raises(OptionError, match=f"^{re.escape(told)}$"):
        Cannot(laplace=True).fit(tree, data).leave_one_out([0])


def test_what_a_method_that_keeps_its_data_says_unless_it_says_otherwise(data):
    method = Leaving().fit(random_tree(np.random.default_rng(1), data), data)
    assert (method.notes(data), method.cost(7, data.header)) == ((), "")
    assert [method.left_out_at_a_time(data.take(slice(n))) for n in (0, 1, 80)] == [1, 1, 80]


def test_progress_is_no_part_of_what_is_learned(data):
    tree = random_tree(np.random.default_rng(1), data)
    told = []
    method, other = Leaving().fit(tree, data), Leaving().fit(tree, data)
    method.on_progress = lambda *now: told.append(now)
    proba = method.predict_proba(data)
    np.testing.assert_array_equal(other.predict_proba(data), proba)
    assert told == [(80, 80)]
    assert list(method.learned()) == ["n_"]
    assert method.params == {"laplace": None}
    restored = Leaving.restore(method.params, tree, method.learned())
    restored.predict_proba(data)
    assert told == [(80, 80)]


# ---- the registry ----


def test_a_base_of_methods_is_not_registered():
    before = dict(Method.registry)

    class Base(LeafFrequency, is_registered=False):
        pass

    assert Method.registry == before
    assert Method.registry["leaf_frequency"] is LeafFrequency
    assert Base.name == "leaf_frequency"


def test_a_method_is_registered_by_its_name():
    class Toy(Method, name="toy"):
        def _fit(self, tree, train):
            pass

        def _answer(self, data):
            return Reply(self.tree_.predict_proba(data))

    try:
        assert Method.registry["toy"] is Toy
        assert Toy.name == "toy"
    finally:
        del Method.registry["toy"]


def test_a_name_that_is_missing_or_taken_is_an_error():
    before = dict(Method.registry)
    with pytest.raises(OptionError, match=r"Nameless: expected a name of one word, such as name=\"nameless\", got ''"):

        class Nameless(LeafFrequency):
            pass

    with pytest.raises(
        OptionError,
        match=r"Twin: 'confdtree' is the name of wekaconf\.methods\.confdtree\._confdtree\.ConfDTree; choose",
    ):

        class Twin(LeafFrequency, name="confdtree"):
            pass

    assert Method.registry == before


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


@pytest.mark.parametrize("name", [name for name in METHODS if not Method.registry[name].grows_again])
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


def test_what_is_a_distribution_stays_to_the_last_bit(data):
    class Given(Method.registry["confdtree"], is_registered=False):
        def _answer(self, data):
            return Reply(rows[: len(data)].copy())

    tree = random_tree(np.random.default_rng(1), data)
    rows = np.array([[0.1, 0.2, 0.7], [1 / 3, 1 / 3, 1 / 3 + 9e-10], [-6e-15, 0.4, 0.6], [0.2, 0.2, 0.0], [0, 0, 0]])
    proba = Given().fit(tree, data).predict_proba(data.take(range(5)))
    assert proba[:2].tobytes() == rows[:2].tobytes()
    assert proba[2:4].tolist() == [[0, 0.4, 0.6], [0.5, 0.5, 0]]
    assert proba[4].tolist() == tree.predict_proba(data.take([4]))[0].tolist()


def test_what_is_no_tree(data):
    for given, advice in (
        (data, "the tree comes before the data"),
        ("m", "wekaconf.mirror makes one of others' trees"),
    ):
        said = f"fit: expected a tree as wekaconf.grow gives it, got {type(given).__name__}; {advice}"
        with pytest.raises(OptionError, match=said):
            LeafFrequency().fit(given, data)


def test_a_method_that_has_not_the_name_to_itself_is_labelled_by_its_class():
    class Given(Method.registry["confdtree"], is_registered=False):
        pass

    assert label_of(Given(variant="tdist")) == "confdtree:variant=tdist (Given)"
    assert label_of(Method.registry["confdtree"]()) == "confdtree"


DEFINED = """
import sys
import cloudpickle  # as joblib and Dask send classes
from wekaconf.methods.leaf_frequency import LeafFrequency
class Mine(LeafFrequency, name="mine"):
    def answers_at(self, nodes):
        return super().answers_at(nodes)
sys.stdout.buffer.write(cloudpickle.dumps(Mine))
"""
FOUND = """
import pickle, sys
from wekaconf.methods.contract._method import Method
mine = pickle.load(sys.stdin.buffer)
assert Method.registry["mine"] is mine
assert Method.registry["leaf_frequency"] is mine.__base__
assert "" not in Method.registry
"""


def test_a_method_of_a_notebook_has_its_name_in_a_worker_process():
    """There its class comes empty, without a name, and is filled after it has registered."""
    sent = subprocess.run([sys.executable, "-c", DEFINED], check=True, capture_output=True).stdout
    done = subprocess.run([sys.executable, "-c", FOUND], input=sent, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
