"""Trees as text (Weka's own), Graphviz graphs and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from wekaconf.data.dataset import Attribute, FloatArray
from wekaconf.errors import OptionError
from wekaconf.methods.characteristic.limits import LimitTest
from wekaconf.report.java_numbers import JAVA, java_decimal, java_double
from wekaconf.report.strict_json import strict
from wekaconf.tree.forest import Forest
from wekaconf.tree.kinds import Routing, SplitKind
from wekaconf.tree.mirror import TreeMirror, strict_winner

OPERATORS = {
    SplitKind.NUMERIC_LE: ("<=", ">"),
    SplitKind.NUMERIC_LT: ("<", ">="),
    SplitKind.NOMINAL_EQUALS: ("=", "!="),
}
MEMBERS = {
    Routing.J48: "J48",
    Routing.J48_LAPLACE: "J48",
    Routing.REPTREE: "REPTree",
    Routing.RANDOMTREE: "RandomTree",
    Routing.RANDOMTREE_UNCLASSIFIED: "RandomTree",
    Routing.CART: "CART",
    Routing.CART_LAPLACE: "CART",
    Routing.COUNTS: "info_gain",
    Routing.COUNTS_LAPLACE: "info_gain",
}
N_SHOWN = 8
"""Values of a subset that are named; what leads to the other branch is named instead where it has no more."""
Tests = Callable[[int], Sequence[LimitTest]]
"""What a leaf asks of an instance, such as the ``limit_tests`` of a fitted ID3-SD."""


def render_text(tree: TreeMirror | Forest, *, limits: Tests | None = None, java: int = JAVA) -> str:
    """The tree as Weka prints it.

    Parameters
    ----------
    tree : TreeMirror or Forest
    limits : callable, optional
        The ``limit_tests`` of a fitted ID3-SD or ID3-Max: every leaf becomes a subtree that rejects what is outside
        its limits, a line a limit, and then names the class. Not of a forest (OptionError).
    java : int
        Major version of the Java in which Weka would print it; before 22 a few numbers have other digits.

    Returns
    -------
    str
        J48: character for character Weka's ``J48.toString()``: split points rounded to 6 decimals (under ``-B``
        not at all), the weight that reached a leaf and the part of it that belongs to other classes to 2.
        REPTree, RandomTree, CART and trees whose counts are added: in the same style, from the distributions or
        weights they store; of a subset of more than 8 values the first 8, or what it leaves out where that is less.
        Forest: its members one after the other, numbered. Ends with a line break. Cost: O(n_nodes).
    """
    if isinstance(tree, Forest):
        _refuse_limits(limits)
        members = (f"Tree {i} of {len(tree.trees)}\n\n{render_text(t, java=java)}" for i, t in enumerate(tree.trees, 1))
        return f"{tree.learner} {tree.options}".rstrip() + "\n\n" + "\n".join(members)
    double = partial(java_double, java=java)
    number = double if tree.routing.is_j48 and "-B" in _flags(tree) else partial(java_decimal, java=java)
    parts = [f"{_heading(tree)}\n------------------\n"]
    if tree.n_nodes == 1:
        parts.append(_text_leaf(tree, 0, limits, double))
    for node in _depth_first(tree):
        parts.append("\n" + "|   " * (tree.depth[node] - 1) + _condition(tree, node, number))
        if tree.split_kind[node] == SplitKind.LEAF:
            parts.append(_text_leaf(tree, node, limits, double))
    parts.append(f"\n\nNumber of Leaves  : \t{tree.n_leaves}\n\nSize of the tree : \t{tree.n_nodes}\n")
    return "".join(parts)


def render_dot(tree: TreeMirror | Forest, *, limits: Tests | None = None) -> str:
    """The tree as a Graphviz digraph.

    Parameters
    ----------
    tree : TreeMirror or Forest
    limits : callable, optional
        As for `render_text`: before the box of leaf ``n<i>`` stands a chain of tests ``n<i>t0``, ``n<i>t1``, …, each
        with a way out to the box ``n<i>r``.

    Returns
    -------
    str
        Inner nodes ask for an attribute, edges carry the answers, boxes name the class with (weight/weight of
        other classes); numbers in full, subsets as in `render_text`. Node i is ``n<i>``; of tree t of a forest, in a
        cluster of its own, ``t<t>n<i>``, both from 0. Ends with a line break. Cost: O(n_nodes).
    """
    lines = ["digraph tree {", *(f'  {part} [fontname="Helvetica"];' for part in ("graph", "node", "edge"))]
    if isinstance(tree, Forest):
        _refuse_limits(limits)
        for i, member in enumerate(tree.trees):
            lines += [f"  subgraph cluster_{i} {{", f"    label={_quote(f'{_heading(member)} {i + 1}')};"]
            lines += [f"  {line}" for line in _dot_lines(member, f"t{i}n")]
            lines.append("  }")
    else:
        lines += _dot_lines(tree, "n", limits)
    return "\n".join([*lines, "}\n"])


def render_json(tree: TreeMirror | Forest, *, limits: Tests | None = None) -> str:
    """The tree as strict JSON (RFC 8259), every number in full.

    Parameters
    ----------
    tree : TreeMirror or Forest
    limits : callable, optional
        As for `render_text`: every node gains ``limits``, null at inner nodes, at leaves the list of tests: the
        attribute with ``lower``, ``upper`` and ``closed``, or with the nominal values it ``accepts``. A leaf that
        rejects everything has one test of the attribute null that accepts nothing.

    Returns
    -------
    str
        One object: learner, options, weka_version, routing, relation, attributes_used, classes and nodes, which
        are numbered breadth-first as in `TreeMirror`. ``condition`` is the text of the branch that leads to a
        node, ``split``, which names all values of a subset, is null at leaves and ``proba``, the leaf's class
        distribution, at inner nodes. Infinite numbers are the strings "Infinity" and "-Infinity"; NaN, which a split
        point half way between these is, is null. Forest: a list of such objects. Ends with a line break. Cost:
        O(n_nodes · n_classes).
    """
    if isinstance(tree, Forest):
        _refuse_limits(limits)
    shown = [_json_tree(t) for t in tree.trees] if isinstance(tree, Forest) else _json_tree(tree, limits)
    return json.dumps(strict(shown), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _refuse_limits(limits: Tests | None) -> None:
    if limits is not None:
        raise OptionError("limits: expected with one tree, got them with a forest; give one of its trees")


def _flags(tree: TreeMirror) -> list[str]:
    """The options of the tree itself; an ensemble's stand before ``--``."""
    flags = tree.options.split()
    return flags[flags.index("--") + 1 :] if "--" in flags else flags


def _heading(tree: TreeMirror) -> str:
    name = tree.learner.rpartition(".")[2]
    if name in ("Bagging", "RandomForest"):
        name = MEMBERS[tree.routing]
    if name in ("J48", "C44"):
        return "J48 unpruned tree" if name == "C44" or "-U" in _flags(tree) else "J48 pruned tree"
    if name == "CART":
        is_pruned = "prune=none" not in _flags(tree)
        return f"CART {'pruned' if is_pruned else 'unpruned'} tree"
    return "Information gain tree" if name == "info_gain" else name


def _depth_first(tree: TreeMirror) -> Iterator[int]:
    """All nodes but the root, each before its children, siblings in order."""
    stack = [0]
    while stack:
        node = stack.pop()
        if node:
            yield node
        first = int(tree.first_child[node])
        stack += range(first + int(tree.n_branches[node]) - 1, first - 1, -1)


def _branch(tree: TreeMirror, node: int, number: Callable[[float], str] = repr) -> str:
    """What the branch that leads to ``node`` says of the attribute."""
    parent = tree.parent[node]
    kind = SplitKind(tree.split_kind[parent])
    branch = int(node - tree.first_child[parent])
    values = _split_on(tree, parent).values
    if kind == SplitKind.NOMINAL_EACH:
        return f"= {values[branch]}"
    if kind == SplitKind.NOMINAL_SUBSET:
        subsets = _subset(tree, parent, True), _subset(tree, parent, False)
        return _membership(subsets[branch], subsets[1 - branch])
    point = values[tree.split_value[parent]] if values else number(float(tree.split_point[parent]))
    return f"{OPERATORS[kind][branch]} {point}"


def _subset(tree: TreeMirror, node: int, is_first: bool) -> list[str]:
    """The values that lead to the first branch of a subset's split, or to the second."""
    values, begin = _split_on(tree, node).values, tree.split_value[node]
    flags = tree.split_subset[begin : begin + len(values)]
    return [value for value, flag in zip(values, flags.tolist(), strict=True) if flag == is_first]


def _membership(names: Sequence[str], others: Sequence[str]) -> str:
    """``in`` the set of ``names``; where these are too many to be shown, ``not in`` that of the others."""
    if len(names) <= N_SHOWN:
        return f"in {_set(names)}"
    if len(others) <= N_SHOWN:
        return f"not in {_set(others)}"
    return f"in {_set([*names[:N_SHOWN], f'… ({len(names)} in all)'])}"


def _split_on(tree: TreeMirror, node: int) -> Attribute:
    return tree.header.attributes[tree.split_attribute[node]]


def _condition(tree: TreeMirror, node: int, number: Callable[[float], str] = repr) -> str:
    return f"{_split_on(tree, tree.parent[node]).name} {_branch(tree, node, number)}"


def _leaf(tree: TreeMirror, leaf: int) -> tuple[str, float, float]:
    """Class, weight, and weight of the other classes, as Weka's dumpLabel takes them."""
    weights, weight = tree.class_weight[leaf], float(tree.total[leaf])
    if not tree.routing.is_j48:
        weight = sum(weights.tolist())
        winner = int(strict_winner(tree.router.answer[[leaf]])[0])
    elif leaf == 0:
        winner = _clear_winner(weights)
    else:
        weights, weight = tree.branch_class_weight[leaf], float(tree.branch_weight[leaf])
        winner = _clear_winner(weights if weight > 1e-6 else tree.class_weight[tree.parent[leaf]])
    if winner < 0:
        return "?", weight, 0.0
    return tree.class_names[winner], weight, weight - float(weights[winner])


def _clear_winner(weights: FloatArray) -> int:
    """Weka's maxClass: a later class must weigh more by over 1e-6."""
    winner, best = 0, 0.0
    for c, weight in enumerate(weights.tolist()):
        if weight - best > 1e-6:
            winner, best = c, weight
    return winner


def _label(tree: TreeMirror, leaf: int, number: Callable[[float], str], separator: str) -> str:
    name, weight, others = _leaf(tree, leaf)
    return f"{name}{separator}({number(weight)}" + (f"/{number(others)})" if others > 1e-6 else ")")


def _text_leaf(tree: TreeMirror, leaf: int, limits: Tests | None, double: Callable[[float], str]) -> str:
    """What follows the condition of a leaf: its class, or a line a limit and then the class."""
    tests = limits(leaf) if limits else ()
    if any(not test.attribute for test in tests):
        return ": reject"
    label = _label(tree, leaf, lambda weight: double(_round(weight)), " ")
    if not tests:
        return f": {label}"
    outside = [f"{condition}: reject" for test in tests for condition in _text_outside(test)]
    lines = [*outside, f"otherwise: {label}"]
    return "".join("\n" + "|   " * tree.depth[leaf] + line for line in lines)


def _text_outside(test: LimitTest) -> Iterator[str]:
    """What instances a limit rejects."""
    if test.accepts is not None:
        yield f"{test.attribute} not in {_set(test.accepts)}"
        return
    if test.lower > -math.inf:
        yield f"{test.attribute} {'<' if test.closed in ('both', 'lower') else '<='} {java_decimal(test.lower)}"
    if test.upper < math.inf:
        yield f"{test.attribute} {'>' if test.closed in ('both', 'upper') else '>='} {java_decimal(test.upper)}"


def _inside(test: LimitTest) -> str:
    """What a test accepts, as an interval or a set."""
    if test.accepts is not None:
        return _set(test.accepts)
    first, last = "[" if test.closed in ("both", "lower") else "(", "]" if test.closed in ("both", "upper") else ")"
    return f"{first}{test.lower!r}, {test.upper!r}{last}"


def _set(names: Sequence[str]) -> str:
    return "{" + ", ".join(names) + "}"


def _round(weight: float) -> float:
    """Weka's ``Utils.roundDouble(weight, 2)``: halves up, and nothing above the largest long."""
    hundredths = min(weight * 100.0, 2.0**63)
    below = math.floor(hundredths)
    return (below + (hundredths - below >= 0.5)) / 100.0


def _dot_lines(tree: TreeMirror, prefix: str, limits: Tests | None = None) -> Iterator[str]:
    for node in range(tree.n_nodes):
        entry = f"{prefix}{node}"
        is_leaf = tree.split_kind[node] == SplitKind.LEAF
        tests = limits(node) if limits and is_leaf else ()
        if any(not test.attribute for test in tests):
            yield f'  {entry} [shape=box, label="reject"];'
        elif is_leaf:
            yield f"  {prefix}{node} [shape=box, label={_quote(_label(tree, node, repr, chr(10)))}];"
        else:
            yield f"  {prefix}{node} [label={_quote(_split_on(tree, node).name + '?')}];"
        if any(test.attribute for test in tests):
            yield from _dot_tests(entry, tests)
            entry += "t0"
        if node:
            yield f"  {prefix}{tree.parent[node]} -> {entry} [label={_quote(_branch(tree, node))}];"


def _dot_tests(leaf: str, tests: Sequence[LimitTest]) -> Iterator[str]:
    """The chain of tests before a leaf, and the box that they reject to."""
    yield f'  {leaf}r [shape=box, label="reject"];'
    for i, test in enumerate(tests):
        inside = leaf if i + 1 == len(tests) else f"{leaf}t{i + 1}"
        yield f"  {leaf}t{i} [label={_quote(test.attribute + '?')}];"
        yield f"  {leaf}t{i} -> {inside} [label={_quote(f'within {_inside(test)}')}];"
        yield f'  {leaf}t{i} -> {leaf}r [label="outside"];'


def _quote(label: str) -> str:
    """A Graphviz string, in which a backslash or an ampersand would start an escape."""
    for character, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("&", "&amp;")):
        label = label.replace(character, escaped)
    return f'"{label}"'


def _json_tree(tree: TreeMirror, limits: Tests | None = None) -> dict[str, Any]:
    used = np.unique(tree.split_attribute[tree.split_attribute >= 0])
    return {
        "learner": tree.learner,
        "options": tree.options,
        "weka_version": tree.weka_version,
        "routing": str(tree.routing),
        "relation": tree.header.relation,
        "attributes_used": [tree.header.attributes[column].name for column in used],
        "classes": list(tree.class_names),
        "nodes": [_json_node(tree, node, limits) for node in range(tree.n_nodes)],
    }


def _json_node(tree: TreeMirror, node: int, limits: Tests | None) -> dict[str, Any]:
    is_leaf = tree.split_kind[node] == SplitKind.LEAF
    shown = {
        "node": node,
        "parent": int(tree.parent[node]) if node else None,
        "depth": int(tree.depth[node]),
        "condition": _condition(tree, node) if node else None,
        "split": None if is_leaf else _json_split(tree, node),
        "class_weight": tree.class_weight[node].tolist(),
        "total": float(tree.total[node]),
        "is_empty": bool(tree.is_empty[node]),
        "proba": tree.router.answer[node].tolist() if is_leaf else None,
    }
    if limits:
        shown["limits"] = [_json_test(test) for test in limits(node)] if is_leaf else None
    return shown


def _json_test(test: LimitTest) -> dict[str, Any]:
    if test.accepts is not None:
        return {"attribute": test.attribute or None, "accepts": list(test.accepts)}
    return {"attribute": test.attribute, "lower": test.lower, "upper": test.upper, "closed": test.closed}


def _json_split(tree: TreeMirror, node: int) -> dict[str, Any]:
    kind = SplitKind(tree.split_kind[node])
    split: dict[str, Any] = {"attribute": _split_on(tree, node).name, "kind": kind.name.lower()}
    if kind == SplitKind.NOMINAL_EQUALS:
        split["value"] = _split_on(tree, node).values[tree.split_value[node]]
    elif kind == SplitKind.NOMINAL_SUBSET:
        split["values"] = _subset(tree, node, True)
    elif kind != SplitKind.NOMINAL_EACH:
        split["point"] = float(tree.split_point[node])
    return split
