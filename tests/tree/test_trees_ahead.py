"""Trees that grow while others are asked: the same trees, the same errors, one at a time."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from support.induction_cases import random_mixed
from support.split_cases import assert_same_answers, cross_validate

import wekaconf as wc
from wekaconf.base.errors import BridgeError
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import to_java
from wekaconf.evaluation.thresholds import rejection_of
from wekaconf.model.scheme import learner_of
from wekaconf.tree._forest import Forest
from wekaconf.tree.learner import with_trees

LEARNERS = [("J48", "-B -A"), ("C44", ""), ("RandomTree", "-S 2"), ("RandomForest", "-I 4")]


@pytest.fixture(autouse=True)
def _two_threads(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")


class Calls(list):
    """The names of the methods of the facade that were called; what ``instead`` has answers in the place of some."""

    def __init__(self):
        self.instead, self.real = {}, jvm.call

    def call(self, method, *arguments):
        self.append(method)
        return self.instead.get(method, partial(self.real, method))(*arguments)


@pytest.fixture
def calls(monkeypatch):
    calls = Calls()
    monkeypatch.setattr("wekaconf.bridge._jvm.call", calls.call)
    return calls


class Watched:
    """Training sets and trees that are numbers, and what is done with them."""

    def __init__(self, fails=""):
        self.log, self.fails = [], fails

    def did(self, what):
        self.log.append(what)
        if what == self.fails:
            raise ValueError(f"no {what}")

    def items(self, n):
        for item in map(Item, range(n)):
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


class Item(int):
    """A number that has a cell, as a training set."""

    values = np.zeros(1)


@pytest.mark.parametrize(("large", "n_ahead"), [(1 << 20, 2), (1, 2), (0, 1)])
def test_the_next_ones_begin_before_an_item_is_given(large, n_ahead, monkeypatch):
    monkeypatch.setattr("wekaconf.tree.learner.LARGE", large)
    watched = Watched()
    given = with_trees(watched.items(4), lambda item: item, pytest.fail, watched.begin)
    assert next(given) == (0, 0)
    begun = [word for item in range(1 + n_ahead) for word in (f"make {item}", f"begin {item}")]
    assert watched.log == [*begun, "wait 0"]
    assert list(given) == [(1, -1), (2, -2), (3, -3)]
    assert watched.log[-1] == "wait 3" and watched.log.count("wait 1") == 1
    assert list(with_trees((), pytest.fail, pytest.fail, watched.begin)) == []


@pytest.mark.parametrize(("fails", "n_begun"), [("", 3), ("make 2", 2), ("begin 2", 3)])
def test_of_many_no_more_than_two_are_ahead(fails, n_begun):
    watched = Watched(fails)
    given = with_trees(watched.items(9), lambda item: item, pytest.fail, watched.begin)
    assert next(given) == (0, 0)
    assert sum(word.startswith("begin") for word in watched.log) == n_begun
    assert next(given) == (1, -1)
    assert watched.log[-2:] == ["wait 0" if fails else "begin 3", "wait 1"]


def test_in_turn_nothing_is_done_ahead():
    watched = Watched()
    given = with_trees(watched.items(2), lambda item: item, watched.grow, None)
    assert next(given) == (0, 0) and watched.log == ["make 0", "grow 0"]
    assert list(given) == [(1, -1)] and watched.log == ["make 0", "grow 0", "make 1", "grow 1"]


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


def test_what_grows_in_python_does_not_grow_ahead():
    assert wc.CART().ahead() is None and wc.InfoGain().ahead() is None


@pytest.mark.parametrize("options", ["-R", "-C 7x", "-M 0 -Q"])
def test_what_weka_refuses_is_refused_alike(options):
    """When it is made (-C 7x, -Q), or when it is built in the thread (-R)."""
    data = random_mixed(1, 60)
    with pytest.raises(wc.OptionError) as alone:
        wc.J48(options).grow_without_notes(data)
    with pytest.raises(wc.OptionError) as begun:
        wc.J48(options).ahead()(data)()
    assert str(begun.value) == str(alone.value)


def test_what_fails_in_the_thread_is_tried_again_without_it(calls):
    calls.instead["waitUntilBuilt"] = lambda *_: np.array([0])
    data = random_mixed(1, 60)
    grown = wc.J48().ahead()(data)()
    assert "build" in calls
    assert str(grown) == str(wc.J48().grow_without_notes(data))


def _out_of_memory(*_):
    raise BridgeError("Java ran out of memory")


@pytest.mark.parametrize("failing", ["waitUntilBuilt", "instances"])
def test_what_java_cannot_do_is_raised_once_the_tree_is_wanted(failing, calls):
    """Or at once where no tree grows that could make room."""
    calls.instead[failing] = _out_of_memory
    with pytest.raises(BridgeError, match=r"^Java ran out of memory$"):
        wc.J48().ahead()(random_mixed(3, 60))()
    assert calls.count(failing) == 1 and "build" not in calls


class Gate:
    """A classifier of Weka that is built when it is opened, and then may fail."""

    def __init__(self):
        import jpype

        is_open, self.fails = threading.Event(), False

        @jpype.JImplements("weka.classifiers.Classifier")
        class Gated:
            @jpype.JOverride
            def buildClassifier(gated, _):  # noqa: N802, N805 - a name of Weka's, and self is the gate
                assert is_open.wait(60)
                if self.fails:
                    raise ValueError

            @jpype.JOverride
            def classifyInstance(gated, _):  # noqa: N802, N805
                return 0.0

            @jpype.JOverride
            def distributionForInstance(gated, _):  # noqa: N802, N805
                return []

            @jpype.JOverride
            def getCapabilities(gated):  # noqa: N802, N805
                return None

        self.classifier, self.open = Gated(), is_open.set


@pytest.fixture
def gate_and_tree(jvm):
    """A gate, a tree that stands behind it, and what Java is building of both."""
    gate, tree, train = Gate(), wc.J48()._new_classifier(), to_java(random_mixed(1, 60))
    of_gate = jvm.call("beginToBuild", gate.classifier, train, None)
    yield gate, tree, of_gate, jvm.call("beginToBuild", tree, train, of_gate)
    gate.open()


def is_built(tree):
    return bool(jvm.call("isBuilt", tree)[0])


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_begun_waits_for_what_was_begun_before(fails, gate_and_tree):
    gate, tree, of_gate, of_tree = gate_and_tree
    gate.fails = fails
    time.sleep(0.1)
    assert not is_built(tree)
    gate.open()
    assert [bool(jvm.call("waitUntilBuilt", one, None)[0]) for one in (of_gate, of_tree)] == [not fails] * 2
    assert is_built(tree) == (not fails)


def test_while_one_is_waited_for_the_next_grows(gate_and_tree):
    gate, tree, of_gate, of_tree = gate_and_tree
    with ThreadPoolExecutor(1) as beside:
        waiting = beside.submit(jvm.call, "waitUntilBuilt", of_gate, of_tree)
        assert jvm.call("waitUntilBuilt", of_tree, None)[0] and is_built(tree)
        assert not waiting.done()
        gate.open()
        assert waiting.result()[0]


@pytest.mark.parametrize(
    ("learner", "limits", "is_one"),
    [("J48", {}, False), ("J48", {"LARGE": 100}, True), ("J48", {"HEAP_PER_CELL": 1 << 30}, True),
     ("RandomForest", {}, True)],
)  # fmt: skip
def test_java_holds_one_forest_or_one_large_set(learner, limits, is_one, calls, monkeypatch):
    for name, limit in limits.items():
        monkeypatch.setattr(f"wekaconf.bridge._instances.{name}", limit)
    begin = learner_of(learner, "").ahead()
    ends = [begin(random_mixed(1, 60)), begin(random_mixed(2, 60))]
    steps = ["instances", "beginToBuild", "waitUntilBuilt", "mirror"]
    assert [name for name in calls if name in steps] == steps[:2] + (steps[2:] if is_one else []) + steps[:2]
    for end, seed in zip(ends, (1, 2), strict=True):
        data = random_mixed(seed, 60)
        alone = learner_of(learner, "").grow_without_notes(data)
        np.testing.assert_array_equal(end().predict_proba(data), alone.predict_proba(data))


def test_a_large_set_waits_until_all_trees_have_left_java(calls, monkeypatch):
    begin, data = wc.J48().ahead(), random_mixed(1, 60)
    ends = [begin(data) for _ in range(3)]
    monkeypatch.setattr("wekaconf.bridge._instances.LARGE", 100)
    calls.clear()
    ends.append(begin(data))
    steps = [name for name in calls if name in ("instances", "beginToBuild", "waitUntilBuilt", "mirror")]
    assert steps == 3 * ["waitUntilBuilt", "mirror"] + ["instances", "beginToBuild"]
    assert len({str(end()) for end in ends}) == 1


def test_after_a_failure_the_line_begins_anew(calls):
    begin, data = wc.REPTree().ahead(), random_mixed(1, 60)
    ends = [begin(data[:2]), begin(data)]
    assert not jvm.call("waitUntilBuilt", ends[0].building, None)[0]
    with pytest.raises(wc.OptionError, match="more folds than instances"):
        ends[0]()
    assert calls.count("build") == 1
    ends.append(begin(data))
    assert calls.count("build") == 2  # the second is grown in this thread before the third is begun
    text = str(wc.REPTree().grow_without_notes(data))
    calls.clear()
    assert [str(end()) for end in ends[1:]] == [text, text]
    assert calls.count("waitUntilBuilt") == 1 and "build" not in calls


@pytest.mark.parametrize("aim", [None, wc.Aim("coverage", 0.8)])
def test_all_trees_of_an_evaluation_stand_in_one_line(aim, monkeypatch):
    """Trees of the folds on which thresholds are chosen, too."""
    last, n_begun = None, 0

    def call(method, *arguments, call=jvm.call):
        nonlocal last, n_begun
        result = call(method, *arguments)
        if method == "beginToBuild":
            assert arguments[-1] is last
            last, n_begun = result, n_begun + 1
        elif method == "waitUntilBuilt" and arguments[0] is last:
            last = None
        return result

    monkeypatch.setattr("wekaconf.bridge._jvm.call", call)
    wc.evaluate(wc.load_arff("arff/iris.arff"), "leaf_frequency", protocol=wc.Protocol(folds=3, aim=aim))
    assert n_begun == (3 if aim is None else 33)


@pytest.mark.parametrize("aim", [None, wc.Aim("coverage", 0.8)])
def test_answers_are_those_of_trees_grown_in_turn(aim, iris):
    runs, j48 = [wc.folds(iris, 5, seed) for seed in (1, 2)], wc.J48()
    rejection = None if aim is None else rejection_of(aim, "out-of-fold")
    methods = [wc.method("leaf_frequency"), wc.method("confdtree")]
    in_turn = cross_validate(iris, runs, j48.grow_without_notes, methods, rejection=rejection)
    ahead = cross_validate(iris, runs, j48.grow_without_notes, methods, rejection=rejection, begin=j48.ahead())
    for one, other in zip(in_turn, ahead, strict=True):
        assert_same_answers(one, other)


@pytest.mark.parametrize("n_threads", ["1", "3"])
def test_trees_of_labelled_rows_grow_in_so_many_threads(n_threads, monkeypatch):
    given = []

    def call(method, *arguments, call=jvm.call):
        if method == "growLabelled":
            given.append(arguments[-1])
        return call(method, *arguments)

    monkeypatch.setattr("wekaconf.bridge._jvm.call", call)
    monkeypatch.setenv("NUMBA_NUM_THREADS", n_threads)
    data, j48 = random_mixed(3, 40), wc.J48()
    trees = j48.grow_labelled(data, data.take([3, 7]), [0, 1])
    assert given == [int(n_threads)]
    for row, of_row in zip((3, 7), trees, strict=True):
        for label, tree in enumerate(of_row):
            alone = j48.grow_without_notes(data.join(data.take([row]).with_class_values(label)))
            assert str(tree) == str(alone)
