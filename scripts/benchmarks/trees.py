"""Data into Weka, trees out of it, and their plain answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from benchmarks._measuring import Row, numeric_dataset, side_by_side, with_missing

import wekaconf as wc
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import to_java


def transfer() -> Iterator[Row]:
    from weka.core.dataset import create_instances_from_matrices

    data = numeric_dataset(100_000, 50, 2, seed=0, noise=1.0)
    cells = np.ascontiguousarray(data.values[:, :-1])
    plain = wc.Dataset(wc.Header("numbers", data.attributes[:-1]), cells)
    times = side_by_side(lambda: to_java(plain), lambda: create_instances_from_matrices(cells), repeats=1)
    yield Row("100,000 × 50 numbers into Weka's Instances, against the wrapper's row loop", *times, wanted=50)
    is_zero = np.random.default_rng(1).random(cells.shape) < 0.8
    dense = wc.Dataset(plain.header, np.where(is_zero, 0.0, cells))
    sparse = replace(dense, is_sparse=np.ones(len(dense), dtype=np.bool_))
    times = side_by_side(lambda: to_java(sparse), lambda: to_java(dense))
    yield Row("the same as sparse rows, four of five cells 0, against dense rows", *times, wanted=4, is_cost=True)


def pull() -> Iterator[Row]:
    learner = wc.J48("-U -O -J -M 1")
    data = numeric_dataset(14_000, 10, 4, seed=2, noise=3.0)
    model, instances = learner.train_in_weka(data)
    tree = learner.mirror(model, instances, data)
    field = model.classifier.getClass().getDeclaredField("m_root")
    field.setAccessible(True)
    root = field.get(model.classifier)
    times = side_by_side(
        lambda: learner.mirror(model, instances, data), lambda: node_by_node(root, data.n_classes), repeats=3
    )
    yield Row(f"a tree of {tree.n_nodes:,} nodes from Weka, against calls node by node", *times, wanted=8)


def node_by_node(root: Any, n_classes: int) -> list[Any]:
    """What the mirror holds, read by Weka's public methods one by one."""
    nodes, waiting = [], [root]
    for node in waiting:
        model = node.getLocalModel()
        weights = model.distribution()
        at_node = [weights.total()] + [weights.perClass(c) for c in range(n_classes)]
        if node.isLeaf():
            nodes.append((at_node, None, None))
            continue
        branches = [
            [weights.perBag(b)] + [weights.perClassPerBag(b, c) for c in range(n_classes)]
            for b in range(weights.numBags())
        ]
        nodes.append((at_node, (model.attIndex(), model.splitPoint()), branches))
        waiting.extend(node.getSons())
    return nodes


def predict() -> Iterator[Row]:
    train = numeric_dataset(20_000, 20, 4, seed=4, noise=1.0)
    test = numeric_dataset(100_000, 20, 4, seed=5, noise=1.0).without_class_values()
    model, instances = wc.J48().train_in_weka(train)
    tree = wc.J48().mirror(model, instances, train)
    holes = with_missing(test, 0.1)
    for label, data, wanted in (("complete rows", test, 10), ("10 % of the values missing", holes, 3)):
        theirs = to_java(data)
        expected = jvm.call("distributions", model.classifier, theirs).reshape(len(data), -1)
        assert np.array_equal(tree.predict_proba(data), expected)
        times = side_by_side(
            partial(tree.predict_proba, data), partial(jvm.call, "distributions", model.classifier, theirs)
        )
        yield Row(f"100,000 predictions, {label}, against Weka's loop inside Java", *times, wanted=wanted)
    from weka.classifiers import Classifier
    from weka.core.dataset import Instances

    few = test.take(np.arange(10_000))
    wrapped, wrapped_data = Classifier(jobject=model.classifier), Instances(to_java(few))
    times = side_by_side(
        lambda: tree.predict_proba(few),
        lambda: [wrapped.distribution_for_instance(instance) for instance in wrapped_data],
        repeats=3,
    )
    yield Row("10,000 predictions, complete rows, against the wrapper's loop over instances", *times, wanted=30)


def foreign() -> Iterator[Row]:
    from sklearn.tree import DecisionTreeClassifier

    train = numeric_dataset(20_000, 20, 4, seed=6, noise=1.0)
    fitted = DecisionTreeClassifier(random_state=0).fit(train.values[:, :-1], train.class_values)
    tree = wc.mirror(fitted, train=train)
    data = numeric_dataset(200_000, 20, 4, seed=7, noise=1.0)
    cells = np.ascontiguousarray(data.values[:, :-1])
    assert np.array_equal(tree.predict_proba(data), fitted.predict_proba(cells))
    times = side_by_side(lambda: tree.predict_proba(data), lambda: fitted.predict_proba(cells), repeats=15)
    yield Row("200,000 predictions by the mirror of scikit-learn's tree, against its predict_proba", *times, wanted=3)
    few = numeric_dataset(5_000, 20, 4, seed=8, noise=1.0)
    model, instances = wc.RandomForest().train_in_weka(few)
    forest = wc.RandomForest().mirror(model, instances, few)
    asked = data.take(np.arange(20_000)).without_class_values()
    theirs = to_java(asked)
    expected = jvm.call("distributions", model.classifier, theirs).reshape(len(asked), -1)
    assert np.array_equal(forest.predict_proba(asked), expected)
    times = side_by_side(
        lambda: forest.predict_proba(asked), lambda: jvm.call("distributions", model.classifier, theirs), repeats=3
    )
    yield Row("20,000 predictions by the mirror of a RandomForest of 100, against Weka's Java loop", *times, wanted=10)
