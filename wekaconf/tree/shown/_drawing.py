"""Trees drawn on matplotlib's axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wekaconf.base.packages import needed
from wekaconf.base.plot_style import COLOURS, GREY, tint
from wekaconf.tree._annotation import Annotate
from wekaconf.tree._kinds import SplitKind
from wekaconf.tree._mirror import TreeMirror
from wekaconf.tree.shown._layout import LINE, SMALLEST, Layout, Room, lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST, TINIEST = 10.0, 1.0
"""The largest and the smallest font size, in points; the size is chosen by the room that there is."""
LEAF_TINT = 0.25
"""The share of its class's colour in a leaf; the rest is white."""
WAY: dict[str, Any] = {"colors": GREY, "linewidths": 0.8, "linestyles": "-", "zorder": 1}
"""The style of a line that leads to a node: arguments of matplotlib's ``LineCollection``, and the layer."""
WHITE: dict[str, Any] = {"fc": "white", "ec": "none"}
CENTRED: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}


def room_of(axes: Axes) -> Room:
    """The width and the height of axes, in the smallest font size that can be read."""
    axes.figure.draw_without_rendering()  # type: ignore[union-attr] # lays the axes out
    extent, point = axes.get_window_extent(), 72 / axes.figure.dpi
    return extent.width * point / SMALLEST, extent.height * point / SMALLEST


def plot_tree(
    tree: TreeMirror, ax: Axes | None = None, *, annotate: Annotate | None = None, max_depth: int | None = None
) -> Axes:
    """Draw a tree on axes, new ones if there are none; see `TreeMirror.plot`."""
    with needed("a drawn tree", "report"):
        from matplotlib import pyplot
    layout = lay_out(tree, annotate=annotate, max_depth=max_depth, room=None if ax is None else room_of(ax))
    if ax is None:
        _, ax = pyplot.subplots(figsize=layout.size, layout="constrained")
    draw_tree(ax, layout)
    return ax


def draw_tree(axes: Axes, layout: Layout, ways: Mapping[int, Mapping[str, Any]] | None = None) -> None:
    """Draw a tree, the root at the top.

    Inner nodes show the attribute tested, lines the values that lead down, and leaves the class of the answer with
    (weight/weight of other classes), in a colour for each class.

    Parameters
    ----------
    axes : Axes
        Their size decides the font size, so that texts do not overlap.
    layout : Layout
    ways : mapping of int to mapping, optional
        For some nodes, the entries of `WAY` in which the line that leads there differs from the others.
    """
    from matplotlib.collections import LineCollection

    tree, x = layout.tree, layout.x
    axes.set(xlim=(0, layout.width), ylim=(layout.height, 0))
    axes.set_axis_off()
    room_width, room_height = room_of(axes)
    size = min(LARGEST, max(TINIEST, SMALLEST * min(room_width / layout.width, room_height / layout.height)))
    middle = [(top + bottom) / 2 for top, bottom in zip(layout.top, layout.bottom, strict=True)]
    lines, styles = [], []
    for node, words in layout.words.items():
        above, level = int(tree.parent[node]), int(tree.depth[node])
        lines.append([
            (x[above], middle[level - 1]), (x[above], layout.bottom[level - 1]),
            (x[node], layout.word_y[level] - LINE / 2), (x[node], middle[level]),
        ])  # fmt: skip
        styles.append(WAY | dict((ways or {}).get(node, {})))
        box = {"boxstyle": "square,pad=0.1", **WHITE}
        axes.text(x[node], layout.word_y[level], words, **CENTRED, fontsize=size, zorder=2, bbox=box)
    order = sorted(range(len(lines)), key=lambda i: styles[i]["zorder"])
    style_values = {name: [styles[i][name] for i in order] for name in WAY if name != "zorder"}
    axes.add_collection(LineCollection([lines[i] for i in order], zorder=1, **style_values))
    for node, text in layout.text.items():
        is_leaf = tree.split_kind[node] == SplitKind.LEAF
        colour = tint(COLOURS[int(tree.router.answer[node].argmax()) % len(COLOURS)], LEAF_TINT) if is_leaf else "white"
        box = {"boxstyle": "square,pad=0.3" if is_leaf else "round,pad=0.3", "fc": colour, "ec": GREY, "lw": 0.8}
        axes.text(x[node], middle[int(tree.depth[node])], text, **CENTRED, fontsize=size, zorder=3, bbox=box)
