"""Following one instance down two trees."""

from __future__ import annotations

import itertools

import numpy as np

from wekaconf.data.dataset import Dataset
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
        value = tuple(_subset(tree, node))
    return kind, tree.split_attribute[node], None if np.isnan(point) else point, value


def _subset(tree: TreeMirror, node: int) -> list[bool]:
    n_values = len(tree.header.attributes[tree.split_attribute[node]].values)
    begin = tree.split_value[node]
    return [bool(flag) for flag in tree.split_subset[begin : begin + n_values]]


def branches_of(tree: TreeMirror, one: Dataset) -> list[str]:
    """The conditions on an instance's path, as far as it goes whole."""
    path = nodes_of(tree, one)
    return [_condition(tree, node, child) for node, child in itertools.pairwise(path)]


def _condition(tree: TreeMirror, node: int, child: int) -> str:
    attribute = tree.header.attributes[tree.split_attribute[node]]
    branch = child - tree.first_child[node]
    kind = tree.split_kind[node]
    if kind in (SplitKind.NUMERIC_LE, SplitKind.NUMERIC_LT):
        signs = ("<=", ">") if kind == SplitKind.NUMERIC_LE else ("<", ">=")
        return f"{attribute.name} {signs[branch]} {tree.split_point[node]:.6g}"
    if kind == SplitKind.NOMINAL_EACH:
        return f"{attribute.name} = {attribute.values[branch]}"
    if kind == SplitKind.NOMINAL_EQUALS:
        return f"{attribute.name} {'!=' if branch else '='} {attribute.values[tree.split_value[node]]}"
    inside = [value for value, flag in zip(attribute.values, _subset(tree, node), strict=True) if flag == (branch == 0)]
    return f"{attribute.name} in {{{', '.join(inside)}}}"
