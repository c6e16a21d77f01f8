"""Trees that grow while others are asked: the same trees, the same errors, one at a time."""

import numpy as np
import pytest
from induction_cases import random_mixed
from split_cases import assert_same_answers

import wekaconf as wc
from wekaconf.bridge import jvm
from wekaconf.evaluation.cross_validation import cross_validate
from wekaconf.evaluation.growing import one_ahead
from wekaconf.protocol.rejecting import rejection_of
from wekaconf.scheme import learner_of
from wekaconf.tree.forest import Forest

LEARNERS = [
    ("J48", ""), ("J48", "-B -A"), ("C44", ""), ("REPTree", "-S 3"), ("RandomTree", "-S 2"), ("RandomForest", "-I 4"),
    ("Bagging", "-I 3 -W weka.classifiers.trees.J48"), ("CART", "nominal=one_hot"), ("info_gain", ""),
]  # fmt: skip


def noted(log, n=4):
    for item in range(n):
        log.append(f"make {item}")
        yield item


def begin(log, item):
    log.append(f"begin {item}")

    def end():
        log.append(f"end {item}")
        if item == 2:
            raise ValueError("the third fails")
        return -item

    return end


def test_the_next_is_begun_before_an_item_is_given():
    log = []
    given = one_ahead(noted(log, 2), lambda item: begin(log, item))
    assert next(given) == (0, 0)
    assert log == ["make 0", "begin 0", "make 1", "end 0", "begin 1"]  # one at a time
    assert list(given) == [(1, -1)]
    assert list(one_ahead((), lambda item: begin(log, item))) == []


def test_what_fails_fails_after_all_that_came_before():
    log, given = [], []
    with pytest.raises(ValueError, match="the third fails"):
        given.extend(one_ahead(noted(log), lambda item: begin(log, item)))
    assert given == [(0, 0), (1, -1)]


def arrays_of(grown):
    return [tree.to_arrays() for tree in (grown.trees if isinstance(grown, Forest) else (grown,))]


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize(("learner", "options"), LEARNERS)
def test_what_is_begun_is_what_is_grown(learner, options, n_threads, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", str(n_threads))
    own = learner_of(learner, options)
    sets = [random_mixed(seed, 60, missing=0.1, weights="fractional") for seed in range(4)]
    begun = [own.begin(data) for data in sets]  # all at once
    for data, end in zip(sets, begun, strict=True):
        for found, expected in zip(arrays_of(end()), arrays_of(own.grow_without_notes(data)), strict=True):
            assert found[0] == expected[0]
            for name, array in expected[1].items():
                np.testing.assert_array_equal(found[1][name], array, strict=True)


@pytest.mark.parametrize("options", ["-R", "-C 7x", "-M 0 -Q"])
def test_what_weka_refuses_is_refused_alike(options, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    data = random_mixed(1, 60)
    with pytest.raises(wc.OptionError) as alone:
        wc.J48(options).grow_without_notes(data)
    with pytest.raises(wc.OptionError) as begun:
        wc.J48(options).begin(data)()
    assert str(begun.value) == str(alone.value)


def test_a_tree_too_deep_for_the_thread_grows_in_the_callers(monkeypatch):
    """Whatever fails in the thread is tried again without it."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    monkeypatch.setattr(
        "wekaconf.bridge.jvm.call",
        lambda method, *arguments, call=jvm.call: np.array([0]) if method == "isBuiltNow" else call(method, *arguments),
    )
    data = random_mixed(1, 60)
    assert str(wc.J48().begin(data)()) == str(wc.J48().grow_without_notes(data))


@pytest.mark.parametrize("aim", [None, wc.Aim("coverage", 0.8)])
def test_answers_are_those_of_trees_grown_in_turn(aim):
    data = wc.load_arff("arff/iris.arff")
    runs, j48 = [wc.folds(data, 5, seed) for seed in (1, 2)], wc.J48()
    rejection = None if aim is None else rejection_of(aim, "out-of-fold")
    methods = [wc.method("leaf_frequency"), wc.method("confdtree")]
    in_turn = cross_validate(data, runs, j48.grow_without_notes, methods, rejection=rejection)
    ahead = cross_validate(data, runs, pytest.fail, methods, rejection=rejection, begin=j48.begin)
    for one, other in zip(in_turn, ahead, strict=True):
        assert_same_answers(one, other)
