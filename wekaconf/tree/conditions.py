"""What the branches of a tree ask, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wekaconf.data.dataset import Attribute
from wekaconf.tree.arrays import TreeArrays
from wekaconf.tree.kinds import SplitKind

OPERATORS = {
    SplitKind.NUMERIC_LE: ("<=", ">"),
    SplitKind.NUMERIC_LT: ("<", ">="),
    SplitKind.NOMINAL_EQUALS: ("=", "!="),
}
N_SHOWN = 8
"""Values of a subset that are named; what leads to the other branch is named instead where it has no more."""
Number = Callable[[float], str]


def split_on(tree: TreeArrays, node: int) -> Attribute:
    """The attribute that an inner node asks for."""
    return tree.header.attributes[tree.split_attribute[node]]


def condition(tree: TreeArrays, node: int, number: Number = repr) -> str:
    """What the branch that leads to a node asks of an instance.

    Parameters
    ----------
    tree : TreeArrays
    node : int
        Not the root.
    number : callable
        Writes a split point.

    Returns
    -------
    str
        Such as ``x <= 2.5``, ``color = red`` or ``color in {red, blue}``; of a subset of more than 8 values the first
        8, or what it leaves out where that is less.
    """
    return f"{split_on(tree, tree.parent[node]).name} {branch(tree, node, number)}"


def branch(tree: TreeArrays, node: int, number: Number = repr) -> str:
    """A `condition` without the name of the attribute."""
    parent = tree.parent[node]
    kind = SplitKind(tree.split_kind[parent])
    place = int(node - tree.first_child[parent])
    values = split_on(tree, parent).values
    if kind == SplitKind.NOMINAL_EACH:
        return f"= {values[place]}"
    if kind == SplitKind.NOMINAL_SUBSET:
        first, second = subset(tree, parent), subset(tree, parent, is_first=False)
        return _membership(second, first) if place else _membership(first, second)
    point = values[tree.split_value[parent]] if values else number(float(tree.split_point[parent]))
    return f"{OPERATORS[kind][place]} {point}"


def subset(tree: TreeArrays, node: int, *, is_first: bool = True) -> list[str]:
    """The values that lead to the first branch of a subset's split, or to the second."""
    values, begin = split_on(tree, node).values, tree.split_value[node]
    flags = tree.split_subset[begin : begin + len(values)]
    return [value for value, flag in zip(values, flags.tolist(), strict=True) if flag == is_first]


def listed(names: Sequence[str]) -> str:
    """A set, as one writes it."""
    return "{" + ", ".join(names) + "}"


def _membership(names: Sequence[str], others: Sequence[str]) -> str:
    """``in`` the set of ``names``; where these are too many to be shown, ``not in`` that of the others."""
    if len(names) <= N_SHOWN:
        return f"in {listed(names)}"
    if len(others) <= N_SHOWN:
        return f"not in {listed(others)}"
    return f"in {listed([*names[:N_SHOWN], f'… ({len(names)} in all)'])}"
