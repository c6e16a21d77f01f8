"""Trees as text; Weka's trees as Weka prints them.

To the letter, flaws included; graph and JSON name what answers. Control characters of names are escaped, since a file
must not speak to the terminal; DOT and JSON are for programs, and keep them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from wekaconf.base.errors import printable
from wekaconf.report._java_numbers import JAVA, java_decimal, java_double
from wekaconf.report.trees._shared import refuse_annotation, rounded
from wekaconf.tree import (
    Annotate,
    Annotation,
    Forest,
    Routing,
    SplitKind,
    TreeMirror,
    branch,
    condition,
    is_stump,
    split_on,
    written,
)
from wekaconf.tree.shown import OUTER, Leaf, flags, heading, leaf_of, total

STEP = "|   "
PLACES = 2
"""Decimals that REPTree and RandomTree print unless ``-num-decimal-places`` is set."""


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
