"""The conditions of a tree's branches, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from wekaconf.base.naming import shown
from wekaconf.data import Attribute
from wekaconf.data.wording import cells, with_mark
from wekaconf.tree._kinds import SplitKind
from wekaconf.tree._mirror import TreeMirror

OPERATORS = {
    SplitKind.NUMERIC_LE: ("<=", ">"),
    SplitKind.NUMERIC_LT: ("<", ">="),
    SplitKind.NOMINAL_EQUALS: ("=", "!="),
}
NUMBERS = (SplitKind.NUMERIC_LE, SplitKind.NUMERIC_LT)
IS_MISSING = "is missing"
"""The condition of a DecisionStump's branch for missing values."""
ALWAYS = "every row"
"""The conditions of the root."""
N_SHOWN = 8
"""Number of values of a subset that are named; for a larger subset, the values outside it if they are no more."""
Number = Callable[[float], str]


def split_on(tree: TreeMirror, node: int) -> Attribute:
    """The attribute that an inner node splits on."""
    return tree.header.attributes[tree.split_attribute[node]]


def way_to(tree: TreeMirror, node: int) -> list[int]:
    """The nodes that the tests on the way to a node lead to, from the first below the root to the node itself."""
    way = []
    while node:
        way.append(node)
        node = int(tree.parent[node])
    return way[::-1]


def tests_to(tree: TreeMirror, node: int) -> list[int]:
    """A `way_to` without the nodes that ask again, since the answer says more."""
    return [below for below in way_to(tree, node) if below == node or not asks_again(tree, below)]


def is_stump(tree: TreeMirror) -> bool:
    """Whether the tree is a DecisionStump of Weka's, whose second branch takes missing values and asks once more."""
    return tree.n_nodes == 5 and asks_again(tree, 2)


def asks_again(tree: TreeMirror, node: int) -> bool:
    """Whether a node asks what its parent has asked, so that its first branch is that of missing values alone."""
    parent = tree.parent[node]
    if parent < 0 or node != tree.first_child[parent] + 1:
        return False
    if tree.split_attribute[node] != tree.split_attribute[parent]:  # nearly always, and rules ask at every node
        return False
    values = (getattr(tree, name)[[node, parent]] for name in ("split_kind", "split_point", "split_value"))
    return all(np.array_equal(own, above, equal_nan=True) for own, above in values)


def condition(tree: TreeMirror, node: int, number: Number = repr) -> str:
    """The condition of the branch that leads to a node.

    Parameters
    ----------
    tree : TreeMirror
    node : int
        Not the root.
    number : callable
        Writes a split point; a date is written as a date, see `cells`.

    Returns
    -------
    str
        Such as ``x <= 2.5``, ``day <= 2025-05-14``, ``color = red`` or ``color in {red, blue}``; of a subset of more
        than 8 values the first 8 are named, or the values outside it if these are at most 8.
    """
    return f"{split_on(tree, tree.parent[node]).name} {branch(tree, node, number)}"


def all_conditions(tree: TreeMirror, node: int) -> str:
    """The tests on the way to a node; of several that bound a number on the same side only the last, the narrowest."""
    tests: dict[object, str] = {}
    for below in tests_to(tree, node):
        parent = int(tree.parent[below])
        kind, side = SplitKind(tree.split_kind[parent]), int(below - tree.first_child[parent])
        key = (int(tree.split_attribute[parent]), OPERATORS[kind][side]) if kind in NUMBERS else below
        tests[key] = condition(tree, below, lambda point: with_mark(f"{point:.12g}"))
    return " and ".join(tests.values()) or ALWAYS


def condition_in_words(tree: TreeMirror, node: int) -> str:
    """A `condition` for sentences and pictures: the split point and long names short, a date as a date."""
    return f"{shown(split_on(tree, tree.parent[node]).name)} {branch_in_words(tree, node)}"


def branch_in_words(tree: TreeMirror, node: int, point: str = "") -> str:
    """A `condition_in_words` without the name of the attribute; ``point`` is the split point as it shall be written."""
    attribute = split_on(tree, tree.parent[node])
    return branch(tree, node, lambda value: cells(attribute, value)[0], shown, point)


def branch(
    tree: TreeMirror, node: int, number: Number = repr, name: Callable[[str], str] = str, point: str = ""
) -> str:
    """A `condition` without the name of the attribute; ``name`` writes a value, ``point`` is the split point."""
    parent = tree.parent[node]
    kind = SplitKind(tree.split_kind[parent])
    place = int(node - tree.first_child[parent])
    attribute = split_on(tree, parent)
    values = attribute.values
    if kind == SplitKind.NOMINAL_EACH:
        return f"= {name(values[place])}"
    if not place and asks_again(tree, parent):
        return IS_MISSING
    if kind == SplitKind.NOMINAL_SUBSET:
        first, second = ([*map(name, subset(tree, parent, is_first=is_first))] for is_first in (True, False))
        return _membership(second, first) if place else _membership(first, second)
    if values:
        point = name(values[tree.split_value[parent]])
    elif not point:
        at = float(tree.split_point[parent])
        point = cells(attribute, at)[0] if attribute.kind == "date" else number(at)
    return f"{OPERATORS[kind][place]} {point}{' or missing' if asks_again(tree, node) else ''}"


def subset(tree: TreeMirror, node: int, *, is_first: bool = True) -> list[str]:
    """The values that lead to the first branch of a split by a subset, or to the second."""
    values, begin = split_on(tree, node).values, tree.split_value[node]
    flags = tree.split_subset[begin : begin + len(values)]
    return [value for value, flag in zip(values, flags.tolist(), strict=True) if flag == is_first]


def listed(names: Sequence[str]) -> str:
    """The names in braces, as a set is written."""
    return "{" + ", ".join(names) + "}"


def _membership(names: Sequence[str], others: Sequence[str]) -> str:
    """``in`` the set of ``names``; if these are too many to be shown, ``not in`` the set of the others."""
    if len(names) <= N_SHOWN:
        return f"in {listed(names)}"
    if len(others) <= N_SHOWN:
        return f"not in {listed(others)}"
    return f"in {listed([*names[:N_SHOWN], f'… ({len(names)} in all)'])}"
