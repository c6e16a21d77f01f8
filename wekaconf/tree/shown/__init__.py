"""Presentations of a tree: its heading, its leaves, the layout of a drawing, the drawing, and HTML for notebooks.

``tree/__init__.py`` gives `plot_tree` and `html_of` to the mirror, which stands below. The forms for files are in
``wekaconf.report.trees``.
"""

from wekaconf.tree.shown._drawing import (
    EDGES,
    LARGEST_SIDE,
    PAGE,
    SMALLEST,
    Layout,
    draw_tree,
    lay_out,
    lay_out_nodes,
    plot_tree,
)
from wekaconf.tree.shown._html import html_of
from wekaconf.tree.shown._words import OUTER, Leaf, flags, heading, leaf_of, total

__all__ = [
    "EDGES", "LARGEST_SIDE", "OUTER", "PAGE", "SMALLEST", "Layout", "Leaf", "draw_tree", "flags", "heading", "html_of",
    "lay_out", "lay_out_nodes", "leaf_of", "plot_tree", "total",
]  # fmt: skip
