"""TPCE's trees, one per assumed class: how they grow, what they predict, and where they leave the plain tree's path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.rounding import most_probable
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int64Array, TextArray, as_rows, texts_of
from wekaconf.data.wording import class_text, numbers, numbers_apart
from wekaconf.learners.info_gain import LearningSet, Rules
from wekaconf.methods.contract import Rows
from wekaconf.tree import Learner, SplitKind, TreeMirror, condition, subset
from wekaconf.tree.threads import Progress

TREES_AT_A_TIME = 256
"""Number of trees of another learner that are grown in one call."""
MOST_LISTED = 3
"""Number of assumed classes up to which each has its own clause; beyond, the predicted classes are counted."""


class AssumedTree(NamedTuple):
    """A whole tree, the test instances it answers for, and the class that each had when it was grown."""

    rows: NDArray[np.intp]
    label: Int64Array
    tree: TreeMirror


def join_assumed(train: Dataset, test: Dataset, label: Int64Array) -> Dataset:
    """The training data followed by the test instances, each with its assumed class and weight 1."""
    return train.join(test.with_class_values(label))


def trees_of_each(
    learner: Learner[Any], train: Dataset, labels: Int64Array, data: Dataset, on_progress: Progress
) -> Iterator[AssumedTree]:
    """One tree of a learner per instance and label, instance by instance; progress counts instances."""
    n_at_a_time = max(TREES_AT_A_TIME // len(labels), 1)
    for begin in range(0, len(data), n_at_a_time):
        rows = np.arange(begin, min(begin + n_at_a_time, len(data)))
        for i, trees in enumerate(learner.grow_labelled(train, data.take(rows), labels.tolist())):
            for j, tree in enumerate(trees):
                yield AssumedTree(rows[i : i + 1], labels[j : j + 1], tree)
        on_progress(int(rows[-1]) + 1, len(data))


def trees_of_batch(
    plain: TreeMirror, rules: Rules, train: Dataset, labels: Int64Array, data: Dataset, seed: int, on_progress: Progress
) -> Iterator[AssumedTree]:
    """One tree of the inducer per label, each for all instances, which have another random label in every tree.

    The trees have the options of ``plain``, which is that of the training data alone; progress counts trees.
    """
    order = np.random.default_rng(seed).permuted(np.tile(labels, (len(data), 1)), axis=1)
    is_other = np.arange(len(train) + len(data)) < len(train)
    for i, label in enumerate(order.T, 1):
        learning = LearningSet.of(join_assumed(train, data, label))
        tree = learning.grow(rules, is_other, options=plain.options, laplace=plain.routing.is_laplace)
        yield AssumedTree(np.arange(len(data)), label, tree)
        on_progress(i, len(labels))


class AssumedPredictions(NamedTuple):
    """The predicted class of each instance under each assumed class.

    Parameters
    ----------
    labels : (n_labels,) int64
        The assumed classes, ascending.
    predicted : (n_instances, n_labels) int64
        The most probable class.
    share : (n_instances, n_labels) float64
        Its probability.
    """

    labels: Int64Array
    predicted: Int64Array
    share: FloatArray

    @classmethod
    def empty(cls, n: int, labels: Int64Array) -> Self:
        """Space for the predictions of ``n`` instances."""
        return cls(labels, np.zeros((n, len(labels)), dtype=np.int64), np.zeros((n, len(labels))))

    def record(self, rows: NDArray[np.intp], label: Int64Array, proba: FloatArray) -> None:
        """Keep the prediction of each instance under its assumed class."""
        place, best = np.searchsorted(self.labels, label), most_probable(proba)
        self.predicted[rows, place] = best
        self.share[rows, place] = proba[np.arange(len(proba)), best]

    def sentences(self, names: tuple[str, ...], rows: Rows) -> TextArray:
        """(n_rows,) object: one sentence per instance in ``rows``."""
        texts, predicted, share = texts_of(map(class_text, names)), self.predicted[rows], self.share[rows]
        n_labels = len(self.labels)
        is_same = (predicted == predicted[:, :1]).all(axis=1) & (n_labels > 1)
        same, others = np.flatnonzero(is_same), np.flatnonzero(~is_same)
        sentences = np.empty(len(predicted), dtype=object)
        columns = texts[predicted[same, 0]], *numbers_apart(share[same].min(axis=1), share[same].max(axis=1))
        sentences[same] = texts_of(
            f"whichever of {n_labels} classes is assumed, the tree predicts {name} ({_between(low, high)})"
            for name, low, high in as_rows(*columns)
        )
        if n_labels <= MOST_LISTED:
            clauses = (
                [
                    f"assumed {texts[label]}, the tree predicts {name} ({written})"
                    for name, written in as_rows(texts[predicted[others, j]], numbers(share[others, j]))
                ]
                for j, label in enumerate(self.labels.tolist())
            )
            sentences[others] = texts_of(map("; ".join, zip(*clauses, strict=True)))
        else:
            sentences[others] = texts_of(_counted(each) for each in texts[predicted[others]].tolist())
        return sentences


def _between(low: str, high: str) -> str:
    """A range of shares; a single share if the ends are equal."""
    return low if low == high else f"{low} to {high}"


def _counted(predicted: list[str]) -> str:
    """How many of the assumed classes lead to which prediction."""
    (largest, n), *next_largest = Counter(predicted).most_common(MOST_LISTED)
    rest = len(predicted) - n - sum(count for _, count in next_largest)
    parts = [f"{count} to {name}" for name, count in next_largest] + ([f"{rest} to others"] if rest else [])
    return f"of {len(predicted)} assumed classes {n} lead to {largest}, {', '.join(parts)}"


def nodes_on_path(tree: TreeMirror, one: Dataset) -> list[int]:
    """The nodes of an instance's path, as far as it goes whole."""
    node = int(tree.router.last_whole_nodes(one.values)[0])
    path = [node]
    while path[0] > 0:
        path.insert(0, int(tree.parent[path[0]]))
    return path


def first_difference(plain: TreeMirror, other: TreeMirror, one: Dataset) -> tuple[int, int]:
    """The first node on an instance's path where two trees have different tests.

    Returns
    -------
    node, other_node : int
        The first node of ``plain`` whose test differs from that of the other tree at the same place, and the other
        tree's node. If all tests agree, ``node`` is the last of the path and ``other_node`` −1.
    """
    path, others = nodes_on_path(plain, one), nodes_on_path(other, one)
    for node, other_node in zip(path, others, strict=False):
        if _test_at(plain, node) != _test_at(other, other_node):
            return node, other_node
    return path[-1], -1


def _test_at(tree: TreeMirror, node: int) -> tuple[object, ...]:
    kind = tree.split_kind[node]
    if kind == SplitKind.LEAF:
        return (kind,)
    point = tree.split_point[node]
    value: object = tree.split_value[node]
    if kind == SplitKind.NOMINAL_SUBSET:
        value = tuple(subset(tree, node))
    return kind, tree.split_attribute[node], None if np.isnan(point) else point, value


def path_conditions(tree: TreeMirror, one: Dataset) -> list[str]:
    """The conditions on an instance's path, as far as it goes whole."""
    return [condition(tree, node, "{:.6g}".format) for node in nodes_on_path(tree, one)[1:]]
