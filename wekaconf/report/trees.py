"""Trees as text (Weka's own), Graphviz graphs and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

from wekaconf.dataset import Attribute, FloatArray
from wekaconf.tree import Forest, Routing, SplitKind, TreeMirror, strict_winner

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
}


def render_text(tree: TreeMirror | Forest) -> str:
    """The tree as Weka prints it.

    Parameters
    ----------
    tree : TreeMirror or Forest

    Returns
    -------
    str
        J48: character for character Weka's ``J48.toString()``: split points rounded to 6 decimals (under ``-B``
        not at all), the weight that reached a leaf and the part of it that belongs to other classes to 2.
        REPTree, RandomTree: in the same style, from the distributions they store. Forest: its members one after
        the other, numbered. Ends with a line break. Cost: O(n_nodes).
    """
    if isinstance(tree, Forest):
        members = (f"Tree {i} of {len(tree.trees)}\n\n{render_text(t)}" for i, t in enumerate(tree.trees, 1))
        return f"{tree.learner} {tree.options}".rstrip() + "\n\n" + "\n".join(members)
    number = java_double if tree.routing.is_j48 and "-B" in _flags(tree) else java_decimal
    parts = [f"{_heading(tree)}\n------------------\n"]
    if tree.n_nodes == 1:
        parts.append(f": {_text_label(tree, 0)}")
    for node in _depth_first(tree):
        parts.append("\n" + "|   " * (tree.depth[node] - 1) + _condition(tree, node, number))
        if tree.split_kind[node] == SplitKind.LEAF:
            parts.append(f": {_text_label(tree, node)}")
    parts.append(f"\n\nNumber of Leaves  : \t{tree.n_leaves}\n\nSize of the tree : \t{tree.n_nodes}\n")
    return "".join(parts)


def render_dot(tree: TreeMirror | Forest) -> str:
    """The tree as a Graphviz digraph.

    Parameters
    ----------
    tree : TreeMirror or Forest

    Returns
    -------
    str
        Inner nodes ask for an attribute, edges carry the answers, boxes name the class with (weight/weight of
        other classes); numbers in full. Node i is ``n<i>``; of tree t of a forest, in a cluster of its own,
        ``t<t>n<i>``, both from 0. Ends with a line break. Cost: O(n_nodes).
    """
    lines = ["digraph tree {", *(f'  {part} [fontname="Helvetica"];' for part in ("graph", "node", "edge"))]
    if isinstance(tree, Forest):
        for i, member in enumerate(tree.trees):
            lines += [f"  subgraph cluster_{i} {{", f"    label={_quote(f'{_heading(member)} {i + 1}')};"]
            lines += [f"  {line}" for line in _dot_lines(member, f"t{i}n")]
            lines.append("  }")
    else:
        lines += _dot_lines(tree, "n")
    return "\n".join([*lines, "}\n"])


def render_json(tree: TreeMirror | Forest) -> str:
    """The tree as strict JSON (RFC 8259), every number in full.

    Parameters
    ----------
    tree : TreeMirror or Forest

    Returns
    -------
    str
        One object: learner, options, weka_version, routing, relation, attributes_used, classes and nodes, which
        are numbered breadth-first as in `TreeMirror`. ``condition`` is the text of the branch that leads to a
        node, ``split`` is null at leaves and ``proba``, the leaf's class distribution, at inner nodes. Infinite
        numbers are the strings "Infinity" and "-Infinity". Forest: a list of such objects. Ends with a line
        break. Cost: O(n_nodes · n_classes).
    """
    shown = [_json_tree(t) for t in tree.trees] if isinstance(tree, Forest) else _json_tree(tree)
    return json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def java_decimal(value: float) -> str:
    """At most 6 decimals, halves away from zero: Weka's ``Utils.doubleToString(value, 6)`` (below 2**53)."""
    if math.isinf(value):
        return java_double(value)
    text = f"{Decimal(repr(value)):f}"
    if len(text.partition(".")[2]) > 6:
        text = f"{Decimal(value).quantize(Decimal('1e-6'), ROUND_HALF_UP):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def java_double(value: float) -> str:
    """Java's ``Double.toString`` (Java before 19 prints some numbers from 2**53 on with needless digits)."""
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    number = Decimal(repr(value)).normalize()
    first, *rest = map(str, number.as_tuple().digits)
    return f"{'-' * (value < 0)}{first}.{''.join(rest) or '0'}E{number.adjusted()}"


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
    return name


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
    point = values[tree.split_value[parent]] if values else number(float(tree.split_point[parent]))
    return f"{OPERATORS[kind][branch]} {point}"


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


def _text_label(tree: TreeMirror, leaf: int) -> str:
    return _label(tree, leaf, lambda weight: java_double(_round(weight)), " ")


def _round(weight: float) -> float:
    """Weka's ``Utils.roundDouble(weight, 2)``: halves up."""
    hundredths = weight * 100.0
    below = math.floor(hundredths)
    return (below + (hundredths - below >= 0.5)) / 100.0


def _dot_lines(tree: TreeMirror, prefix: str) -> Iterator[str]:
    for node in range(tree.n_nodes):
        if tree.split_kind[node] == SplitKind.LEAF:
            yield f"  {prefix}{node} [shape=box, label={_quote(_label(tree, node, repr, chr(10)))}];"
        else:
            yield f"  {prefix}{node} [label={_quote(_split_on(tree, node).name + '?')}];"
        if node:
            yield f"  {prefix}{tree.parent[node]} -> {prefix}{node} [label={_quote(_branch(tree, node))}];"


def _quote(label: str) -> str:
    """A Graphviz string, in which a backslash or an ampersand would start an escape."""
    for character, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("&", "&amp;")):
        label = label.replace(character, escaped)
    return f'"{label}"'


def _json_tree(tree: TreeMirror) -> dict[str, Any]:
    used = np.unique(tree.split_attribute[tree.split_attribute >= 0])
    return {
        "learner": tree.learner,
        "options": tree.options,
        "weka_version": tree.weka_version,
        "routing": str(tree.routing),
        "relation": tree.header.relation,
        "attributes_used": [tree.header.attributes[column].name for column in used],
        "classes": list(tree.class_names),
        "nodes": [_json_node(tree, node) for node in range(tree.n_nodes)],
    }


def _json_node(tree: TreeMirror, node: int) -> dict[str, Any]:
    is_leaf = tree.split_kind[node] == SplitKind.LEAF
    return {
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


def _json_split(tree: TreeMirror, node: int) -> dict[str, Any]:
    kind = SplitKind(tree.split_kind[node])
    split: dict[str, Any] = {"attribute": _split_on(tree, node).name, "kind": kind.name.lower()}
    if kind == SplitKind.NOMINAL_EQUALS:
        split["value"] = _split_on(tree, node).values[tree.split_value[node]]
    elif kind != SplitKind.NOMINAL_EACH:
        point = float(tree.split_point[node])
        split["point"] = java_double(point) if math.isinf(point) else point
    return split
