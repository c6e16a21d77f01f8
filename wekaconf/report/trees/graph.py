"""Trees as Graphviz graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wekaconf.annotation import Annotation, Guard
from wekaconf.report.trees.shared import Annotate, heading, leaf_of, refuse_annotation, written
from wekaconf.tree.conditions import branch, split_on
from wekaconf.tree.forest import Forest
from wekaconf.tree.kinds import SplitKind
from wekaconf.tree.mirror import TreeMirror

SIX_DIGITS = "{:.6g}".format


def render_dot(tree: TreeMirror | Forest, *, annotate: Annotate | None = None) -> str:
    """The tree as a Graphviz digraph.

    Parameters
    ----------
    tree : TreeMirror or Forest
    annotate : callable, optional
        As for `render_text`: lines stand in the node itself, which is a rounded box if an inner one; before the box of
        leaf ``n<i>`` stands a chain of tests ``n<i>t0``, ``n<i>t1``, …, each with a way out to the box ``n<i>r``.

    Returns
    -------
    str
        Inner nodes ask for an attribute, edges carry the answers, boxes name the class that answers, with
        (weight/weight of other classes) and, of REPTree, the same in brackets of what was held out for pruning.
        Numbers stand in full, but those of lines that a method adds with 6 digits; subsets are as in `render_text`.
        Node i is ``n<i>``; of tree t of a forest, in a cluster of its own, ``t<t>n<i>``, both from 0. Ends with a line
        break. Cost: O(n_nodes).
    """
    lines = ["digraph tree {", *(f'  {part} [fontname="Helvetica"];' for part in ("graph", "node", "edge"))]
    if isinstance(tree, Forest):
        refuse_annotation(annotate)
        for i, member in enumerate(tree.trees):
            lines += [f"  subgraph cluster_{i} {{", f"    label={_quote(f'{heading(member)} {i + 1}')};"]
            lines += [f"  {line}" for line in _lines(member, f"t{i}n")]
            lines.append("  }")
    else:
        lines += _lines(tree, "n", annotate)
    return "\n".join([*lines, "}\n"])


def _lines(tree: TreeMirror, prefix: str, annotate: Annotate | None = None) -> Iterator[str]:
    for node in range(tree.n_nodes):
        entry = f"{prefix}{node}"
        is_leaf = tree.split_kind[node] == SplitKind.LEAF
        added = annotate(node) if annotate else Annotation()
        if added.rejects_all:
            yield f'  {entry} [shape=box, label="reject"];'
        else:
            told = _told(tree, node) if is_leaf else [split_on(tree, node).name + "?"]
            label = _quote("\n".join([*told, *(written(line, SIX_DIGITS) for line in added.lines)]))
            shape = "shape=box, " if is_leaf else "style=rounded, shape=box, " if added.lines else ""
            yield f"  {entry} [{shape}label={label}];"
            if added.guards:
                yield from _guards(entry, added.guards)
                entry += "t0"
        if node:
            yield f"  {prefix}{tree.parent[node]} -> {entry} [label={_quote(branch(tree, node))}];"


def _told(tree: TreeMirror, leaf: int) -> list[str]:
    found = leaf_of(tree, leaf)
    shares = found.shares(repr)
    return [found.name, shares] if shares else [found.name]


def _guards(leaf: str, guards: Sequence[Guard]) -> Iterator[str]:
    """The chain of tests before a leaf, and the box that they reject to."""
    yield f'  {leaf}r [shape=box, label="reject"];'
    for i, guard in enumerate(guards):
        inside = leaf if i + 1 == len(guards) else f"{leaf}t{i + 1}"
        yield f"  {leaf}t{i} [label={_quote(guard.attribute + '?')}];"
        yield f"  {leaf}t{i} -> {inside} [label={_quote(f'within {written(guard.accepts, repr)}')}];"
        yield f'  {leaf}t{i} -> {leaf}r [label="outside"];'


def _quote(label: str) -> str:
    """A Graphviz string, in which a backslash or an ampersand would start an escape."""
    for character, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("&", "&amp;")):
        label = label.replace(character, escaped)
    return f'"{label}"'
