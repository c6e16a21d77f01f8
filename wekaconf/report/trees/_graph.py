"""Trees as Graphviz graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wekaconf.report.trees._shared import refuse_annotation, rounded
from wekaconf.tree import Annotate, Annotation, Forest, Guard, SplitKind, TreeMirror, branch, split_on, written
from wekaconf.tree.shown import heading, leaf_of

SIX_DIGITS = "{:.6g}".format


def render_dot(tree: TreeMirror | Forest, *, annotate: Annotate | None = None) -> str:
    """The tree as a Graphviz digraph.

    Parameters
    ----------
    tree : TreeMirror or Forest
    annotate : callable, optional
        As for `render_text`. Lines are printed in the node itself; an inner node with lines is a rounded box. Before
        the box of leaf ``n<i>`` comes a chain of tests ``n<i>t0``, ``n<i>t1``, …, each with an exit to the box
        ``n<i>r``.

    Returns
    -------
    str
        Inner nodes show the attribute tested, edges its values, and boxes the class of the answer with (weight/weight
        of other classes); for REPTree, brackets hold the same for the instances held out for pruning. These weights
        have two decimals, other numbers all digits, those in the lines of a method 6; subsets are as in `render_text`.
        Node i is ``n<i>``; in a forest, node i of tree t is ``t<t>n<i>``, in a cluster per tree; both count from 0. The
        text ends with a line break. Cost: O(n_nodes).
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
            texts = _leaf_texts(tree, node) if is_leaf else [split_on(tree, node).name + "?"]
            label = _quote("\n".join([*texts, *(written(line, SIX_DIGITS) for line in added.lines)]))
            shape = "shape=box, " if is_leaf else "style=rounded, shape=box, " if added.lines else ""
            yield f"  {entry} [{shape}label={label}];"
            if added.guards:
                yield from _guards(entry, added.guards)
                entry += "t0"
        if node:
            yield f"  {prefix}{tree.parent[node]} -> {entry} [label={_quote(branch(tree, node))}];"


def _leaf_texts(tree: TreeMirror, leaf: int) -> list[str]:
    content = leaf_of(tree, leaf)
    shares = content.shares(lambda weight: repr(rounded(weight)))
    return [content.name, shares] if shares else [content.name]


def _guards(leaf: str, guards: Sequence[Guard]) -> Iterator[str]:
    """The chain of tests before a leaf, and the box for the instances that they reject."""
    yield f'  {leaf}r [shape=box, label="reject"];'
    for i, guard in enumerate(guards):
        inside = leaf if i + 1 == len(guards) else f"{leaf}t{i + 1}"
        yield f"  {leaf}t{i} [label={_quote(guard.attribute + '?')}];"
        yield f"  {leaf}t{i} -> {inside} [label={_quote(f'within {written(guard.accepts, repr)}')}];"
        yield f'  {leaf}t{i} -> {leaf}r [label="outside"];'


def _quote(label: str) -> str:
    """A Graphviz string; backslashes and ampersands, which would start an escape, are escaped."""
    for character, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("&", "&amp;")):
        label = label.replace(character, escaped)
    return f'"{label}"'
