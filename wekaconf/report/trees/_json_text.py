"""Trees as JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from wekaconf.report.printing import strict
from wekaconf.report.trees._shared import refuse_annotation
from wekaconf.tree import Annotate, Forest, SplitKind, TreeMirror, condition, split_on, subset


def render_json(tree: TreeMirror | Forest, *, annotate: Annotate | None = None) -> str:
    """The tree as strict JSON (RFC 8259), every number in full.

    Parameters
    ----------
    tree : TreeMirror or Forest
    annotate : callable, optional
        As for `render_text`: every node gains the values that the method adds. ``limits`` of ID3-SD and ID3-Max: null
        at inner nodes, at leaves the list of tests: the attribute with ``lower``, ``upper`` and ``closed``, or with
        the nominal values it ``accepts``; a leaf that rejects everything has one test of the attribute null that
        accepts nothing. ``intervals`` of ConfDTree: see `wekaconf.methods.confdtree._explanation.annotation_of`.

    Returns
    -------
    str
        One object: learner, options, weka_version, routing, relation, attributes_used, classes and nodes, which
        are numbered breadth-first as in `TreeMirror`. ``condition`` is the text of the branch that leads to a
        node, ``split``, which names all values of a subset, is null at leaves and ``proba``, the leaf's class
        distribution, at inner nodes; ``grown_class_weight`` and ``held_out_class_weight`` are there only where the
        tree has them. Infinite numbers are the strings "Infinity" and "-Infinity"; NaN, which a split point half way
        between these is, is null. Forest: a list of such objects. Ends with a line break. Cost: O(n_nodes · n_classes).
    """
    if isinstance(tree, Forest):
        refuse_annotation(annotate)
    shown = [_tree(t) for t in tree.trees] if isinstance(tree, Forest) else _tree(tree, annotate)
    return json.dumps(strict(shown), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _tree(tree: TreeMirror, annotate: Annotate | None = None) -> dict[str, Any]:
    used = np.unique(tree.split_attribute[tree.split_attribute >= 0])
    return {
        "learner": tree.learner,
        "options": tree.options,
        "weka_version": tree.weka_version,
        "routing": str(tree.routing),
        "relation": tree.header.relation,
        "attributes_used": [tree.header.attributes[column].name for column in used],
        "classes": list(tree.class_names),
        "nodes": [_node(tree, node) | dict(annotate(node).values if annotate else {}) for node in range(tree.n_nodes)],
    }


def _node(tree: TreeMirror, node: int) -> dict[str, Any]:
    is_leaf = tree.split_kind[node] == SplitKind.LEAF
    counts = ("grown_class_weight", "held_out_class_weight") if len(tree.grown_class_weight) else ()
    return {
        "node": node,
        "parent": int(tree.parent[node]) if node else None,
        "depth": int(tree.depth[node]),
        "condition": condition(tree, node) if node else None,
        "split": None if is_leaf else _split(tree, node),
        "class_weight": tree.class_weight[node].tolist(),
        "total": float(tree.total[node]),
        **{name: getattr(tree, name)[node].tolist() for name in counts},
        "is_empty": bool(tree.is_empty[node]),
        "proba": tree.router.answer[node].tolist() if is_leaf else None,
    }


def _split(tree: TreeMirror, node: int) -> dict[str, Any]:
    kind = SplitKind(tree.split_kind[node])
    split: dict[str, Any] = {"attribute": split_on(tree, node).name, "kind": kind.name.lower()}
    if kind == SplitKind.NOMINAL_EQUALS:
        split["value"] = split_on(tree, node).values[tree.split_value[node]]
    elif kind == SplitKind.NOMINAL_SUBSET:
        split["values"] = subset(tree, node)
    elif kind != SplitKind.NOMINAL_EACH:
        split["point"] = float(tree.split_point[node])
    return split
