"""Trees as pictures for papers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import check_plot, panels, save
from wekaconf.tree import Annotate, TreeMirror
from wekaconf.tree.shown import EDGES, LARGEST_SIDE, PAGE, SMALLEST, Layout, draw_tree, lay_out

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
    figure, (axes,) = panels(1, {}, None, width=width, height=height)
    draw_tree(axes, layout)
    return figure
