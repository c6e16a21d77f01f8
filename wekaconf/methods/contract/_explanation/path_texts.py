"""The decision paths of instances down a tree, in words: one line per instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.naming import counted, shown
from wekaconf.base.rounding import most_probable
from wekaconf.data.arrays import FloatArray, Int32Array, TextArray, as_rows, joined_texts, texts_of
from wekaconf.data.wording import cells, class_text, counts_apart, each_distinct, percent
from wekaconf.methods.contract._explanation.of_tree import branch_taken_words, shared_words
from wekaconf.tree import Routing, SplitKind, TreeMirror, branch_in_words, tests_to

MOST_TESTS = 12
"""The largest number of tests that a path names."""


@dataclass(frozen=True)
class _ColumnTests:
    """What a path demands of one column.

    Parameters
    ----------
    tree : TreeMirror
    column : int
    nodes : tuple of int
        The nodes that the tests lead to; of a number only those of its lower and its upper limit.
    """

    tree: TreeMirror
    column: int
    nodes: tuple[int, ...]

    def words(self, value: float) -> str:
        """The tests with the value of an instance, such as ``age 55 > 40 and <= 63``."""
        attribute = self.tree.header.attributes[self.column]
        name = shown(attribute.name)
        if np.isnan(value):
            branches = [branch_in_words(self.tree, node) for node in self.nodes]
            return branch_taken_words(name, " and ".join(branches))
        if not attribute.is_nominal:
            points = self.tree.split_point[self.tree.parent[[*self.nodes]]].tolist()
            value_text, *point_texts = cells(attribute, value, *points)
            branches = [*map(partial(branch_in_words, self.tree), self.nodes, point_texts)]
            return f"{name} {value_text} {' and '.join(branches)}"
        branches = [*dict.fromkeys(branch_in_words(self.tree, node) for node in self.nodes)]
        value_text = shown(attribute.values[int(value)])
        if any(branch.startswith("= ") for branch in branches):
            return f"{name} = {value_text}"
        return f"{name} {value_text} {' and '.join(branches)}"


def path_texts(tree: TreeMirror, values: FloatArray, predicted: NDArray[np.int64]) -> TextArray:
    """The path of each instance: its tests from the root on, then the tree's class, and how often the leaf has it.

    The tests of one column are told together, where the path first tests it; of a number only its limits. A path that
    tests more than `MOST_TESTS` columns tells how many come first, and the tests of the last ones. A path ends where a
    missing value divides the instance among several leaves. If the answer is another class than the tree's, the
    path ends with the answer.

    Parameters
    ----------
    tree : TreeMirror
    values : (n, n_attributes) float64
    predicted : (n,) int64
        The classes that are answered.

    Returns
    -------
    (n,) object
        Such as ``age 55 > 40 and <= 63; ward = surgery → yes (2 of 3)``. Cost: about a microsecond per test of a path.
    """
    end, n_leaves = _ends(tree, values)
    proba = tree.router.distributions(values)
    tree_class = np.where(proba.any(axis=1), most_probable(proba), -1)
    texts = np.empty(len(values), dtype=object)
    order = np.argsort(end, kind="stable")
    for rows in np.split(order, 1 + np.flatnonzero(np.diff(end[order]))) if len(order) else []:
        node = int(end[rows[0]])
        tests = _test_columns(tree, node, values[rows])
        ending = cache(partial(_ending, tree, node))
        endings = as_rows(n_leaves[rows], tree_class[rows], predicted[rows])
        texts[rows] = joined_texts(*tests, texts_of(starmap(ending, endings)))
    return texts


def _ends(tree: TreeMirror, values: FloatArray) -> tuple[Int32Array, NDArray[np.intp]]:
    """The node where each path ends, and the number of leaves that the instance is divided among."""
    row, node, _ = tree.router.paths(values)
    n_leaves = np.bincount(row, minlength=len(values))
    first = np.searchsorted(row, np.arange(len(values)))
    end = node[first]
    for i in np.flatnonzero(n_leaves > 1).tolist():
        end[i] = _lowest_above(tree, node[first[i] : first[i] + n_leaves[i]])
    return end, n_leaves


def _lowest_above(tree: TreeMirror, nodes: Int32Array) -> int:
    """The lowest node above all of several nodes; a node's number is larger than that of its parent."""
    distinct = {*nodes.tolist()}
    while len(distinct) > 1:
        lowest = max(distinct)
        distinct.remove(lowest)
        distinct.add(int(tree.parent[lowest]))
    return distinct.pop()


def _test_columns(tree: TreeMirror, end: int, values: FloatArray) -> list[TextArray | str]:
    """The tests on the path to a node, as columns of texts for some instances that all take it."""
    tests, is_divided = _tests_to(tree, end), bool(tree.router.attribute[end] >= 0)  # a value is missing there
    n_omitted = max(len(tests) + is_divided - MOST_TESTS, 0)
    words: list[TextArray | str] = [f"{counted(n_omitted, 'test')} before"] if n_omitted else []
    words += [each_distinct(values[:, test.column], test.words) for test in tests[n_omitted:]]
    words += [shared_words(tree, end)] if is_divided else []
    columns: list[TextArray | str] = []
    for each in words:
        columns += ["; ", each] if columns else [each]
    return [*columns, " "] if columns else []


def _tests_to(tree: TreeMirror, end: int) -> list[_ColumnTests]:
    """The tests on the path to a node by columns, in the order in which the path first tests them."""
    by_column: dict[int, list[int]] = {}
    for node in tests_to(tree, end):
        by_column.setdefault(int(tree.split_attribute[tree.parent[node]]), []).append(node)
    return [_ColumnTests(tree, column, _limits(tree, nodes)) for column, nodes in by_column.items()]


def _limits(tree: TreeMirror, nodes: Sequence[int]) -> tuple[int, ...]:
    """The nodes that tests of a column lead to; of a number that of the highest lower and of the lowest upper limit."""
    tests = [int(tree.parent[node]) for node in nodes]
    if any(tree.split_kind[test] not in (SplitKind.NUMERIC_LE, SplitKind.NUMERIC_LT) for test in tests):
        return tuple(nodes)
    limits = [
        (float(tree.split_point[test]), tree.split_kind[test] == SplitKind.NUMERIC_LE, node)  # x <= 1 includes x < 1
        for test, node in zip(tests, nodes, strict=True)
    ]
    upper = [limit for limit, test in zip(limits, tests, strict=True) if limit[-1] == tree.first_child[test]]
    lower = [limit for limit in limits if limit not in upper]
    return tuple(limit[-1] for limit in ([max(lower)] if lower else []) + ([min(upper)] if upper else []))


def _ending(tree: TreeMirror, node: int, n_leaves: int, of_tree: int, answer: int) -> str:
    """The tree's class with the count of the leaf, and the answer if that is another class."""
    text = "→ no class"
    if of_tree >= 0:
        count = _count(tree, node, of_tree) if n_leaves == 1 else f"divided among {n_leaves} leaves"
        text = f"→ {class_text(tree.class_names[of_tree])} ({count})"
    return text if of_tree == answer else f"{text}, but the answer is {class_text(tree.class_names[answer])}"


def _count(tree: TreeMirror, node: int, c: int) -> str:
    """How many of the training instances of a node are of a class: ``2 of 3``."""
    if tree.routing == Routing.REPTREE and not len(tree.grown_class_weight):
        return percent(float(tree.class_weight[node, c]))
    weight = tree.class_weight[node]
    if tree.routing == Routing.REPTREE:
        weight = tree.grown_class_weight[node] + tree.held_out_class_weight[node]
    if not weight.sum() > 0:
        return "no training rows"
    total, in_class = counts_apart(float(weight.sum()), float(weight[c]))
    return f"{in_class} of {total}"
