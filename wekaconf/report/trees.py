"""Trees as text, Weka's trees as Weka prints them; as Graphviz graphs, as JSON, and as pictures for papers.

The text is Weka's to the letter, flaws included; graph and JSON name what answers. Control characters of names are
escaped, since a file must not speak to the terminal; DOT and JSON are for programs, and keep them.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.plot_style import check_plot, panels, save
from wekaconf.report._java_numbers import JAVA, java_decimal, java_double
from wekaconf.report.printing import strict
from wekaconf.tree import (
    Annotate,
    Annotation,
    Forest,
    Guard,
    Routing,
    SplitKind,
    TreeMirror,
    branch,
    condition,
    is_stump,
    split_on,
    subset,
    written,
)
from wekaconf.tree.shown import (
    EDGES,
    LARGEST_SIDE,
    OUTER,
    PAGE,
    SMALLEST,
    Layout,
    Leaf,
    draw_tree,
    flags,
    heading,
    lay_out,
    leaf_of,
    total,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


__all__ = ["JAVA", "render_dot", "render_json", "render_text", "write_tree"]

STEP = "|   "
PLACES = 2
"""Decimals that REPTree and RandomTree print unless ``-num-decimal-places`` is set."""
SIX_DIGITS = "{:.6g}".format


class _Style(NamedTuple):
    """How a learner's trees are printed.

    Parameters
    ----------
    head, foot : str
        Printed before and after the nodes.
    colon : str
        Printed between the condition of a leaf and its class.
    number : callable
        Writes a split point.
    label : callable
        Writes the class and the weights of a leaf.
    """

    head: str
    foot: str
    colon: str
    number: Callable[[float], str]
    label: Callable[[int], str]


def render_text(tree: TreeMirror | Forest, *, annotate: Annotate | None = None, java: int = JAVA) -> str:
    """The tree as Weka prints it.

    Parameters
    ----------
    tree : TreeMirror or Forest
    annotate : callable, optional
        The ``annotation`` of a fitted method that annotates nodes. Its lines for an inner node are printed before the
        node's branches, each after a star; its lines for a leaf follow the class. A leaf with guards becomes a subtree:
        one line per condition that rejects, then the class. OptionError for a forest.
    java : int
        Major version of the Java in which Weka would print the tree; before 22 a few numbers have other digits.

    Returns
    -------
    str
        J48, REPTree, RandomTree: Weka's ``toString()``, character for character, with a line break at the end if that
        has none; but control characters in names are escaped, and dates are dates, where Weka prints milliseconds.
        Parentheses hold the weight that reached a leaf, and the part of it that belongs to other classes; for REPTree,
        brackets hold the same for the instances held out for pruning. At a leaf that no instance reached RandomTree
        names the first class, although the parent answers there. A REPTree without counts, such as one from an older
        model file, is printed without them.
        CART and trees that add counts: in the style of J48. Of a subset of more than 8 values the first 8 are printed,
        or the values outside it if they are fewer.
        Forest: its trees one after the other, numbered.
        The text ends with a line break. Cost: O(n_nodes).
    """
    if isinstance(tree, Forest):
        refuse_annotation(annotate)
        members = (f"Tree {i} of {len(tree.trees)}\n\n{render_text(t, java=java)}" for i, t in enumerate(tree.trees, 1))
        return f"{tree.learner} {tree.options}".rstrip() + "\n\n" + "\n".join(members)
    if tree.routing == Routing.REPTREE and tree.n_nodes == 1 and _has_no_attributes(tree):
        return _majority(tree)
    if is_stump(tree) and annotate is None:
        return _stump(tree, java)
    style = _style(tree, java)
    parts = [style.head]
    for node in _depth_first(tree):
        indent = "\n" + STEP * tree.depth[node]
        if node:
            parts.append(indent.removesuffix(STEP) + printable(condition(tree, node, style.number)))
        added = annotate(node) if annotate else Annotation()
        lines = [printable(written(line, java_decimal)) for line in added.lines]
        if tree.split_kind[node] == SplitKind.LEAF:
            parts.append(_leaf(style, node, added, indent) + "".join(f" {line}" for line in lines))
        else:
            parts += [f"{indent}* {line}" for line in lines]
    return "".join([*parts, style.foot])


def _style(tree: TreeMirror, java: int) -> _Style:
    if tree.routing == Routing.REPTREE:
        return _weka_style(tree, "\nREPTree\n============\n", "", lambda leaf: leaf_of(tree, leaf), java)
    if tree.routing in (Routing.RANDOMTREE, Routing.RANDOMTREE_UNCLASSIFIED):
        depth = _whole_number(tree, "-depth", 0)
        foot = f"Max depth of tree: {depth}\n" if depth > 0 else ""
        return _weka_style(tree, "\nRandomTree\n==========\n", foot, partial(_random_leaf, tree), java)
    double = partial(java_double, java=java)

    def label(leaf: int) -> str:
        printed = leaf_of(tree, leaf)
        return f"{printable(printed.name)} {printed.shares(lambda weight: double(rounded(weight)))}"

    return _Style(
        head=f"{heading(tree)}\n------------------\n",
        foot=f"\n\nNumber of Leaves  : \t{tree.n_leaves}\n\nSize of the tree : \t{tree.n_nodes}\n",
        colon=": ",
        number=double if tree.routing.is_j48 and "-B" in flags(tree) else partial(java_decimal, java=java),
        label=label,
    )


def _stump(tree: TreeMirror, java: int) -> str:
    """Weka's text for a DecisionStump."""
    number = partial(java_double, java=java)
    way = {1: branch(tree, 1, number), 4: branch(tree, 4, number), 3: branch(tree, 3)}
    tests = {leaf: printable(f"{split_on(tree, 0).name} {test}") for leaf, test in way.items()}
    answers = {leaf: tree.router.answer[leaf] for leaf in way}
    classes = [f"{test} : {printable(tree.class_names[answers[leaf].argmax()])}\n" for leaf, test in tests.items()]
    shares = []
    for leaf, test in tests.items():
        rows = [map(printable, tree.class_names), map(number, answers[leaf].tolist())]
        shares += [f"{test}\n", *("".join(f"{cell}\t" for cell in row) + "\n" for row in rows)]
    return f"Decision Stump\n\nClassifications\n\n{''.join(classes)}\nClass distributions\n\n{''.join(shares)}"


def _weka_style(tree: TreeMirror, head: str, foot: str, leaf_in: Callable[[int], Leaf], java: int) -> _Style:
    """The style of REPTree and RandomTree."""
    places = max(0, _whole_number(tree, "-num-decimal-places", PLACES))
    number = partial(java_decimal, java=java, places=places)

    def label(leaf: int) -> str:
        printed = leaf_in(leaf)
        if math.isnan(printed.weight):
            return printable(printed.name)
        held_out = f" [{'/'.join(map(number, printed.held_out))}]" if printed.held_out else ""
        return f"{printable(printed.name)} ({number(printed.weight)}/{number(printed.others)}){held_out}"

    return _Style(head, f"\n\nSize of the tree : {tree.n_nodes}\n{foot}", " : ", number, label)


def _random_leaf(tree: TreeMirror, leaf: int) -> Leaf:
    """RandomTree's leafString, which ignores that the parent answers for an empty leaf."""
    weights = tree.class_weight[leaf]
    winner, weight = int(weights.argmax()), total(weights)
    return Leaf(tree.class_names[winner], weight, weight - float(weights[winner]))


def _whole_number(tree: TreeMirror, flag: str, default: int) -> int:
    """The value of an option of the tree's learner."""
    options = flags(tree)
    text = options[options.index(flag) + 1] if flag in options[:-1] else ""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else default


def _has_no_attributes(tree: TreeMirror) -> bool:
    """Whether a tree had no attribute but the class, or none was chosen for it, so that it counts nothing itself."""
    return len(tree.header.attributes) == 1 or (tree.learner in OUTER and not len(tree.grown_class_weight))


def _majority(tree: TreeMirror) -> str:
    """Weka's text for the ZeroR that REPTree and RandomTree fall back on if the class is the only attribute."""
    answer = f"ZeroR predicts class value: {printable(leaf_of(tree, 0).name)}\n"
    names = [part.rpartition(".")[2] for part in [tree.learner, *tree.options.split()]]
    if "DecisionStump" in names:
        head = "DecisionStump\n=============\n\nWarning: No model could be built, hence ZeroR model is used:\n\n"
        return f"{head}{answer}"
    if not {"RandomTree", "RandomForest"}.isdisjoint(names):
        return f"RandomTree\n==========\n\nWarning: No model could be built, hence ZeroR model is used:\n\n{answer}"
    return f"No attributes other than class. Using ZeroR.\n\n{answer}"


def _depth_first(tree: TreeMirror) -> Iterator[int]:
    """All nodes, each before its children, siblings in order."""
    stack = [0]
    while stack:
        node = stack.pop()
        yield node
        first = int(tree.first_child[node])
        stack += range(first + int(tree.n_branches[node]) - 1, first - 1, -1)


def _leaf(style: _Style, leaf: int, added: Annotation, indent: str) -> str:
    """The text after the condition of a leaf: its class, or one line per condition that rejects and then the class."""
    if added.rejects_all:
        return f"{style.colon}reject"
    if not added.guards:
        return f"{style.colon}{style.label(leaf)}"
    outside = [
        f"{printable(written(line, java_decimal))}{style.colon}reject"
        for guard in added.guards
        for line in guard.rejects
    ]
    lines = [*outside, f"otherwise{style.colon}{style.label(leaf)}"]
    return "".join(indent + line for line in lines)


# -- as a Graphviz graph --


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


# -- as JSON --


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


# -- as a picture --


def write_tree(
    path: str | os.PathLike[str], tree: TreeMirror, *, annotate: Annotate | None = None, max_depth: int | None = None
) -> None:
    """Draw a tree, one column wide if its texts can be read there, else as wide as they need.

    Parameters
    ----------
    path : str or PathLike
        A .png (300 dots per inch), .pdf or .svg file. The same tree gives the same bytes.
    tree : TreeMirror
    annotate : callable, optional
        The lines that a method adds to each node, see `render_text`.
    max_depth : int, optional
        Draw nodes down to this depth. Left out: as deep as a page has room for, with a `Note` if that is not the whole
        tree.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`; or the picture would be larger than `LARGEST_SIDE`.
    OSError
        The file cannot be written.
    """
    check_plot(path)
    width, height = ((side * 72 - EDGES) / SMALLEST for side in PAGE)
    layout = lay_out(tree, annotate=annotate, max_depth=max_depth, room=(width, height))
    side = max(layout.paper_size)
    if side > LARGEST_SIDE:
        raise OptionError(
            f"{os.fspath(path)}: the figure would be {side:,.0f} inches wide or high, at most {LARGEST_SIDE:g} are "
            "drawn; draw fewer levels, or take another form of the tree, such as .dot, .json or .txt",
            value_of="path",
        )
    save(path, lambda: _figure(layout))


def _figure(layout: Layout) -> Figure:
    width, height = layout.paper_size
    figure, (axes,) = panels(1, {}, width=width, height=height)
    draw_tree(axes, layout)
    return figure


# -- for all forms --


def rounded(weight: float) -> float:
    """Weka's ``Utils.roundDouble(weight, 2)``: halves up, and no hundredths above the largest long."""
    hundredths = min(weight * 100.0, 2.0**63)
    below = math.floor(hundredths)
    return (below + (hundredths - below >= 0.5)) / 100.0


def refuse_annotation(annotate: Annotate | None) -> None:
    """Raise OptionError if a forest is to be annotated."""
    if annotate is not None:
        raise OptionError("expected with one tree, got it with a forest; give one of its trees", parameter="annotate")
