"""What methods of one evaluation ask of a tree and its training data is computed once, and never outlives them."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from support.random_trees import random_dataset, random_header, random_tree

from wekaconf.methods.confdtree import _intervals as intervals
from wekaconf.methods.confdtree._intervals import class_statistics
from wekaconf.tree import _instances as instances
from wekaconf.tree._instances import NodeInstances, nearest_filled, present_classes
from wekaconf.tree._last_result import keep_last_result


def data(seed):
    rng = np.random.default_rng(seed)
    train = random_dataset(rng, random_header(rng), 60)
    return random_tree(rng, train), train


def test_computed_once_for_the_same_tree_and_data():
    (tree, train), (other, _) = data(1), data(2)
    node = class_statistics(tree, train).node
    assert class_statistics(tree, train).node is node and not node.flags.writeable
    assert NodeInstances.of(tree, train).order is NodeInstances.of(tree, train).order
    heavier = replace(train, weights=train.weights * 2)
    np.testing.assert_array_equal(class_statistics(tree, heavier).node, node)
    assert class_statistics(tree, heavier).node is not node
    assert NodeInstances.of(other, data(2)[1]).last.max() < other.n_nodes


def test_nothing_outlives_the_tree_or_the_data():
    tree, train = data(4)
    kept = weakref.ref(class_statistics(tree, train).node)
    del train
    gc.collect()
    assert kept() is None
    assert tree.n_nodes


def test_what_is_forgotten_is_computed_again():
    tree, train = data(5)
    kept = weakref.ref(present_classes(tree, train)[0])
    present_classes.forget()
    assert kept() is None
    assert len(present_classes(tree, train)[0])


def test_things_are_given_by_position():
    with pytest.raises(TypeError, match="keyword"):
        present_classes(tree=data(1)[0], train=data(1)[1])


def test_threads():
    @keep_last_result
    def name(tree, train):
        return (id(tree), id(train))

    pairs = [data(seed) for seed in range(4)]
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda i: name(*pairs[i % 4]), range(4000)))
    assert told == [(id(tree), id(train)) for tree, train in (pairs[i % 4] for i in range(4000))]


def test_class_weights_of_no_instance_are_float64():
    tree, train = data(4)
    key, weight = present_classes(tree, train.take(slice(0)))
    assert (len(key), weight.dtype) == (0, np.float64)


def test_classes_at_nodes_do_not_depend_on_how_they_are_counted(monkeypatch):
    for seed in range(40):
        tree, train = data(seed)
        weighed = replace(train, weights=np.random.default_rng(seed).random(len(train)))
        of_each = []
        for cells in (0, 10**6):
            monkeypatch.setattr(instances, "CELLS_PER_INSTANCE", cells)
            of_each.append(present_classes.__wrapped__(tree, weighed))
        for one, other in zip(*of_each, strict=True):
            np.testing.assert_array_equal(one, other, strict=True)
            assert not one.flags.writeable and not other.flags.writeable


@pytest.mark.parametrize("at_a_time", [1, 50])
def test_statistics_do_not_depend_on_how_many_are_taken_at_a_time(at_a_time, monkeypatch):
    tree, train = data(3)
    together = class_statistics(tree, train)
    monkeypatch.setattr(intervals, "INSTANCES_AT_A_TIME", at_a_time)
    assert len(together.node) >= 20
    for one, other in zip(together, class_statistics.__wrapped__(tree, train), strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_nearest_node_that_is_not_empty():
    """Where all above are empty it is the root."""
    tree, _ = data(3)
    n = tree.n_nodes
    assert nearest_filled(tree, np.zeros(n, dtype=bool)).tolist() == list(range(n))
    assert nearest_filled(tree, np.ones(n, dtype=bool)).tolist() == [0] * n
    is_empty = np.arange(n) > 1
    assert nearest_filled(tree, is_empty).tolist() == [
        next(node for node in (at, *ancestors(tree, at)) if node <= 1) for at in range(n)
    ]


def ancestors(tree, node):
    while node:
        node = int(tree.parent[node])
        yield node
