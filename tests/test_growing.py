"""Trees that grow while others are asked: the same trees, the same errors, one at a time."""

import numpy as np
import pytest
from induction_cases import random_mixed
from split_cases import assert_same_answers

import wekaconf as wc
from wekaconf.bridge import jvm
from wekaconf.evaluation.cross_validation import cross_validate
from wekaconf.evaluation.growing import with_trees
from wekaconf.protocol.rejecting import rejection_of
from wekaconf.scheme import learner_of
from wekaconf.tree.forest import Forest

LEARNERS = [
    ("J48", ""), ("J48", "-B -A"), ("C44", ""), ("REPTree", "-S 3"), ("RandomTree", "-S 2"), ("RandomForest", "-I 4"),
    ("Bagging", "-I 3 -W weka.classifiers.trees.J48"),
]  # fmt: skip


class Watched:
    """Training sets and trees that are numbers, and what is done with them."""

    def __init__(self, fails=""):
        self.log, self.fails = [], fails

    def did(self, what):
        self.log.append(what)
        if what == self.fails:
            raise ValueError(f"no {what}")

    def items(self, n):
        for item in range(n):
            self.did(f"make {item}")
            yield item

    def begin(self, item):
        self.did(f"begin {item}")

        def wait():
            self.did(f"wait {item}")
            return -item

        return wait

    def grow(self, item):
        self.did(f"grow {item}")
        return -item


def test_the_next_begins_before_an_item_is_given():
    watched = Watched()
    given = with_trees(watched.items(2), lambda item: item, pytest.fail, watched.begin)
    assert next(given) == (0, 0)
    assert watched.log == ["make 0", "begin 0", "make 1", "begin 1", "wait 0"]
    assert list(given) == [(1, -1)]
    assert list(with_trees((), pytest.fail, pytest.fail, watched.begin)) == []


def test_in_turn_nothing_is_done_ahead():
    watched = Watched()
    given = with_trees(watched.items(2), lambda item: item or None, watched.grow, None)
    assert next(given) == (0, None) and watched.log == ["make 0"]
    assert list(given) == [(1, -1)] and watched.log == ["make 0", "make 1", "grow 1"]


@pytest.mark.parametrize(
    ("step", "begin"), [("make", True), ("begin", True), ("wait", True), ("make", False), ("grow", False)]
)
def test_what_fails_fails_after_all_that_came_before(step, begin):
    watched, given = Watched(f"{step} 2"), []
    with pytest.raises(ValueError, match=f"no {step} 2"):
        given.extend(with_trees(watched.items(4), lambda item: item, watched.grow, watched.begin if begin else None))
    assert given == [(0, 0), (1, -1)]


def arrays_of(grown):
    return [tree.to_arrays() for tree in (grown.trees if isinstance(grown, Forest) else (grown,))]


@pytest.mark.parametrize(("learner", "options"), LEARNERS)
def test_what_is_begun_is_what_is_grown(learner, options, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert learner_of(learner, options).ahead() is None
    monkeypatch.setenv("NUMBA_NUM_THREADS", " 2 ")
    own = learner_of(learner, options)
    begin = own.ahead()
    sets = [random_mixed(seed, 60, missing=0.1, weights="fractional") for seed in range(4)]
    begun = [begin(data) for data in sets]  # all at once
    for data, end in zip(sets, begun, strict=True):
        for found, expected in zip(arrays_of(end()), arrays_of(own.grow_without_notes(data)), strict=True):
            assert found[0] == expected[0]
            for name, array in expected[1].items():
                np.testing.assert_array_equal(found[1][name], array, strict=True)


def test_what_grows_in_python_does_not_grow_ahead(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    assert wc.CART().ahead() is None and wc.InfoGain().ahead() is None


@pytest.mark.parametrize("options", ["-R", "-C 7x", "-M 0 -Q"])
def test_what_weka_refuses_is_refused_alike(options, monkeypatch):
    """When it is made (-C 7x, -Q), or when it is built in the thread (-R)."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    data = random_mixed(1, 60)
    with pytest.raises(wc.OptionError) as alone:
        wc.J48(options).grow_without_notes(data)
    with pytest.raises(wc.OptionError) as begun:
        wc.J48(options).ahead()(data)()
    assert str(begun.value) == str(alone.value)


def test_what_fails_in_the_thread_is_tried_again_without_it(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    called = []

    def call(method, *arguments, call=jvm.call):
        called.append(method)
        return np.array([0]) if method == "waitUntilBuilt" else call(method, *arguments)

    monkeypatch.setattr("wekaconf.bridge.jvm.call", call)
    data = random_mixed(1, 60)
    grown = wc.J48().ahead()(data)()
    assert "build" in called
    assert str(grown) == str(wc.J48().grow_without_notes(data))


@pytest.fixture
def begun(monkeypatch):
    """What was begun in Java, in order."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    futures = []

    def call(method, *arguments, call=jvm.call):
        result = call(method, *arguments)
        if method == "beginToBuild":
            futures.append(result)
        return result

    monkeypatch.setattr("wekaconf.bridge.jvm.call", call)
    return futures


def test_one_grows_at_a_time_and_in_order(begun):
    begin = wc.RandomForest("-I 300").ahead()
    slow, fast = begin(random_mixed(1, 400)), begin(random_mixed(2, 2))
    assert not begun[1].isDone()
    fast_tree = fast()
    assert begun[0].isDone()
    assert len(slow().trees) == len(fast_tree.trees) == 300


@pytest.mark.parametrize(("n_cells", "is_taken"), [(1 << 20, False), (100, True)])
def test_of_much_data_one_copy_is_in_java(n_cells, is_taken, begun, monkeypatch):
    monkeypatch.setattr("wekaconf.bridge.learners.QUEUED_CELLS", n_cells)
    begin = wc.RandomForest("-I 300").ahead()
    begin(random_mixed(1, 400))
    begin(random_mixed(1, 100))
    assert begun[0].isDone() == is_taken
    begun[1].get()


def test_after_a_failure_all_grow_where_they_are_waited_for(begun):
    begin, data = wc.REPTree().ahead(), random_mixed(1, 60)
    ends = [begin(data[:2]), begin(data)]
    with pytest.raises(wc.OptionError, match="more folds than instances"):
        ends[0]()
    assert str(ends[1]()) == str(wc.REPTree().grow_without_notes(data))
    with pytest.raises(Exception, match="ExecutionException"):
        begun[1].get()


@pytest.mark.parametrize("aim", [None, wc.Aim("coverage", 0.8)])
def test_all_trees_of_an_evaluation_stand_in_one_line(aim, monkeypatch):
    """Trees of the folds on which thresholds are chosen, too."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    before, ahead = [], []

    def call(method, *arguments, call=jvm.call):
        result = call(method, *arguments)
        if method == "beginToBuild":
            before.append(arguments[-1])
            ahead.append(result)
        return result

    monkeypatch.setattr("wekaconf.bridge.jvm.call", call)
    wc.evaluate(wc.load_arff("arff/iris.arff"), "leaf_frequency", protocol=wc.Protocol(folds=3, aim=aim))
    assert before == [None, *ahead[:-1]] and len(ahead) == (3 if aim is None else 33)


@pytest.mark.parametrize("aim", [None, wc.Aim("coverage", 0.8)])
def test_answers_are_those_of_trees_grown_in_turn(aim, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    data = wc.load_arff("arff/iris.arff")
    runs, j48 = [wc.folds(data, 5, seed) for seed in (1, 2)], wc.J48()
    rejection = None if aim is None else rejection_of(aim, "out-of-fold")
    methods = [wc.method("leaf_frequency"), wc.method("confdtree")]
    in_turn = cross_validate(data, runs, j48.grow_without_notes, methods, rejection=rejection)
    ahead = cross_validate(data, runs, j48.grow_without_notes, methods, rejection=rejection, begin=j48.ahead())
    for one, other in zip(in_turn, ahead, strict=True):
        assert_same_answers(one, other)
