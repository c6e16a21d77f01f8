"""Following one instance down two trees."""

from __future__ import annotations

import numpy as np

from wekaconf.data import Dataset
from wekaconf.tree import SplitKind, TreeMirror, condition, subset


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
