"""Following one instance down two trees."""

from __future__ import annotations

import numpy as np

from wekaconf.data.dataset import Dataset
from wekaconf.tree.conditions import condition, subset
from wekaconf.tree.kinds import SplitKind
from wekaconf.tree.mirror import TreeMirror


def nodes_of(tree: TreeMirror, one: Dataset) -> list[int]:
    """The nodes of an instance's path, as far as it goes whole."""
    node = int(tree.router.last_whole_nodes(one.values)[0])
    path = [node]
    while path[0] > 0:
        path.insert(0, int(tree.parent[path[0]]))
    return path


def parting(plain: TreeMirror, other: TreeMirror, one: Dataset) -> tuple[int, int]:
    """Where two trees part on an instance's path.

    Returns
    -------
    node, there : int
        The first node of ``plain`` whose question the other tree does not ask at that place, and the other's node;
        ``there`` is −1, and ``node`` the last of the path, where all questions agree.
    """
    path, others = nodes_of(plain, one), nodes_of(other, one)
    for node, there in zip(path, others, strict=False):
        if _question(plain, node) != _question(other, there):
            return node, there
    return path[-1], -1


def _question(tree: TreeMirror, node: int) -> tuple[object, ...]:
    kind = tree.split_kind[node]
    if kind == SplitKind.LEAF:
        return (kind,)
    point = tree.split_point[node]
    value: object = tree.split_value[node]
    if kind == SplitKind.NOMINAL_SUBSET:
        value = tuple(subset(tree, node))
    return kind, tree.split_attribute[node], None if np.isnan(point) else point, value


def branches_of(tree: TreeMirror, one: Dataset) -> list[str]:
    """The conditions on an instance's path, as far as it goes whole."""
    return [condition(tree, node, "{:.6g}".format) for node in nodes_of(tree, one)[1:]]
