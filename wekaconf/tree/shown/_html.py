"""Trees as small static HTML, as notebooks show them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from wekaconf.base.naming import counted, shown
from wekaconf.base.plot_style import COLOURS, name_text
from wekaconf.data.wording import number
from wekaconf.tree._conditions import condition_in_words
from wekaconf.tree._kinds import SplitKind
from wekaconf.tree._mirror import TreeMirror
from wekaconf.tree.shown._words import heading, leaf_of

MOST_NODES, MOST_TREES, MOST_SHARES = 40, 10, 6
"""The largest numbers of nodes, nearest to the root first, of trees of a forest, and of classes in a bar."""
BAR = 60
"""The width, in pixels, of the bar of a node's classes."""
REST = "#999999"
"""The colour of the classes that share the rest of a bar."""


def html_of(tree: TreeMirror) -> str:
    """A tree as a nested list that can be folded, each node with a bar of its classes.

    It is static and escaped, without a script or style sheet, and at most some 30 kB: nodes far from the root are
    counted instead.
    """
    n_omitted = tree.n_nodes - MOST_NODES
    more = f"; the {MOST_NODES} nodes nearest to the root are shown" if n_omitted > 0 else ""
    return (
        f"<div>{_title(heading(tree), tree)}: {counted(tree.n_nodes, 'node')}, {_leaves(tree)}, depth "
        f"{int(tree.depth.max())}{more}<br>{_legend(tree)}</div>"
        f"<ul style='list-style:none;margin:0;padding:0'>{_node(tree, 0)}</ul>"
    )


def html_of_forest(trees: Sequence[TreeMirror], learner: str) -> str:
    """The trees of a forest as a table of their sizes; ``learner`` grew it."""
    rows = "".join(
        f"<tr><th>{i}</th><td>{tree.n_nodes}</td><td>{tree.n_leaves}</td><td>{int(tree.depth.max())}</td></tr>"
        for i, tree in enumerate(trees[:MOST_TREES], 1)
    )
    n_omitted = len(trees) - MOST_TREES
    more = f"<tr><th>…</th><td colspan='3'>{n_omitted} more</td></tr>" if n_omitted > 0 else ""
    return (
        f"<table><caption>{_title(learner, trees[0])}: "
        f"{counted(len(trees), 'tree')}</caption><thead><tr><th>tree</th><th>nodes</th><th>leaves</th>"
        f"<th>depth</th></tr></thead><tbody>{rows}{more}</tbody></table>"
    )


def _title(label: str, tree: TreeMirror) -> str:
    return escape(f"{shown(label)} on {name_text(tree.header.relation)}")


def _legend(tree: TreeMirror) -> str:
    """The colours of the classes, or of the first of them."""
    names = tree.class_names[: len(COLOURS)]
    pieces = (
        f"<span style='{_piece(9, colour)}'></span> {escape(name_text(name))}"
        for name, colour in zip(names, COLOURS, strict=False)
    )
    n_omitted = len(tree.class_names) - len(names)
    return " &nbsp; ".join([*pieces, *([f"and {n_omitted} more"] if n_omitted else [])])


def _leaves(tree: TreeMirror) -> str:
    return f"{tree.n_leaves} {'leaf' if tree.n_leaves == 1 else 'leaves'}"


def _node(tree: TreeMirror, node: int) -> str:
    """A node as an item of a list, with the nodes below it."""
    words = name_text(condition_in_words(tree, node), 60) if node else "root"
    line = f"{_bar(tree, node)} {escape(words)}"
    if tree.split_kind[node] == SplitKind.LEAF:
        leaf = leaf_of(tree, node)
        return f"<li>{line}: <b>{escape(name_text(leaf.name))}</b> {escape(leaf.shares(number))}</li>"
    first, n = int(tree.first_child[node]), int(tree.n_branches[node])
    below = "".join(_node(tree, child) for child in range(first, min(first + n, MOST_NODES)))
    if first + n > MOST_NODES:
        below += f"<li>… and {first + n - max(first, MOST_NODES)} more</li>"
    return (
        f"<li><details open><summary>{line}</summary>"
        f"<ul style='list-style:none;margin:0;padding-left:1.5em'>{below}</ul></details></li>"
    )


def _bar(tree: TreeMirror, node: int) -> str:
    """The shares of the largest classes at a node, in the order of the classes, and that of the others."""
    weight = np.maximum(tree.class_weight[node], 0.0)
    total = float(weight.sum())
    if not total > 0 or not np.isfinite(total):
        return f"<span style='{_piece(BAR, '#eeeeee')}'></span>"
    largest = sorted(np.argsort(-weight, kind="stable")[:MOST_SHARES].tolist())
    pieces = [(BAR * float(weight[c]) / total, COLOURS[c % len(COLOURS)]) for c in largest if weight[c] > 0]
    rest = BAR - sum(width for width, _ in pieces)
    pieces += [(rest, REST)] if rest > 0.5 else []
    return "".join(f"<span style='{_piece(width, colour)}'></span>" for width, colour in pieces)


def _piece(width: float, colour: str) -> str:
    return f"display:inline-block;height:.7em;width:{width:.0f}px;background:{colour}"
