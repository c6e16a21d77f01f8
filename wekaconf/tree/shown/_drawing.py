"""Trees drawn on matplotlib's axes: no two boxes overlap, and subtrees stand as near to each other as they can.

A tree that is too large is cut, not shrunk, since text below 5 points is no text. Subtrees are moved together by their
contours (Reingold and Tilford's idea, with widths, which matplotlib's font metrics give), and words have room of their
own above a box; so nothing overlaps by construction.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import needed, printable, tell
from wekaconf.base.plot_style import COLOURS, COLUMN, GREY, text_width, tint
from wekaconf.base.words import Phrase
from wekaconf.data.wording import number
from wekaconf.tree._annotation import Annotate, written
from wekaconf.tree._conditions import branch_in_words, split_on
from wekaconf.tree._kinds import SplitKind
from wekaconf.tree._mirror import TreeMirror
from wekaconf.tree.shown._words import leaf_of

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
LONGEST = 38
"""Number of characters of a line; longer lines of a method are wrapped, other texts are cut in their middle."""
_INTERVAL = re.compile(r"\[[^\]]*\]")
FONT_SIZE, SMALLEST = 8.0, 5.0
"""The font size of a new figure, and the smallest that can be read, in points."""
LARGEST_SIDE = 40.0
"""The largest side of a new figure, in inches, where the user does not say how deep the tree is drawn."""
PAGE = 6.5, 9.0
"""Width and height in inches of the largest picture on a page."""
EDGES = 12.0
"""The margin around a tree in a paper, in points, both sides together."""
LINE, PADDING, GAP, EDGE = 1.35, 0.35, 0.7, 2.5
"""Height of a line, space around the text of a box, between boxes, and for the lines between levels, in font sizes."""
Room = tuple[float, float]
"""Width and height, in font sizes."""


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


@dataclass(frozen=True, eq=False)
class Layout:
    """The nodes that are drawn, their texts and their places, in font sizes; y grows downwards.

    Parameters
    ----------
    tree : TreeMirror
    text : mapping of int to str
        The text in the box of each node, in the order of the nodes; if branches of a node are left out, the last
        line is "…".
    words : mapping of int to str
        The text above the box of each node but the root: the values that lead there.
    x : mapping of int to float
        The middle of the boxes.
    top, bottom, word_y : sequence of float
        For each level, where its boxes begin and end, and the middle of the words above.
    width, height : float
    """

    tree: TreeMirror
    text: Mapping[int, str]
    words: Mapping[int, str]
    x: Mapping[int, float]
    top: Sequence[float]
    bottom: Sequence[float]
    word_y: Sequence[float]
    width: float
    height: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, in inches, of a figure in which the texts have the size `FONT_SIZE`."""
        return max(6.4, self.width * FONT_SIZE / 72 + 0.3), max(3.0, self.height * FONT_SIZE / 72 + 0.3)

    @property
    def paper_size(self) -> tuple[float, float]:
        """The size in a paper, in inches: one column wide if the texts can be read there, else as wide as they need.

        Texts are smaller where the tree would be higher than a page, as long as they can be read.
        """
        of_page = max(SMALLEST, (PAGE[1] * 72 - EDGES) / self.height)
        size = min(FONT_SIZE, (COLUMN * 72 - EDGES) / self.width, of_page)
        if size >= SMALLEST:
            return COLUMN, (self.height * size + EDGES) / 72
        return (self.width * SMALLEST + EDGES) / 72, (self.height * SMALLEST + EDGES) / 72


def lay_out(
    tree: TreeMirror, *, annotate: Annotate | None = None, max_depth: int | None = None, room: Room | None = None
) -> Layout:
    """Find places for the nodes of a tree.

    Parameters
    ----------
    tree : TreeMirror
    annotate : callable, optional
        As for `render_text`; its lines follow the text of a node, except those of guards.
    max_depth : int, optional
        Take the nodes down to this depth, however much room they need. Left out: as deep as there is room for, with a
        `Note` if that is not the whole tree.
    room : (float, float), optional
        Width and height in font sizes; left out: that of a figure of `LARGEST_SIDE`.

    Returns
    -------
    Layout
        Cost: O(n_nodes · depth).
    """
    deepest = int(tree.depth.max())
    if max_depth is not None:
        return lay_out_nodes(tree, tree.depth <= max(max_depth, 0), annotate)
    room_width, room_height = room or (LARGEST_SIDE * 72 / FONT_SIZE, LARGEST_SIDE * 72 / FONT_SIZE)
    layout = lay_out_nodes(tree, tree.depth <= 1, annotate)
    for depth in range(2, deepest + 1):
        deeper = lay_out_nodes(tree, tree.depth <= depth, annotate)
        if deeper.width > room_width or deeper.height > room_height:
            tell(
                f"the tree is {deepest} levels deep and is drawn down to depth {depth - 1}, since its texts could not "
                "be read otherwise; ",
                Phrase.OTHER_DEPTH,
            )
            break
        layout = deeper
    return layout


def lay_out_nodes(tree: TreeMirror, is_shown: NDArray[np.bool_], annotate: Annotate | None = None) -> Layout:
    """Find places for some nodes of a tree.

    Parameters
    ----------
    tree : TreeMirror
    is_shown : (n_nodes,) bool
        The root must be shown, and so must the parent of every node shown.
    annotate : callable, optional
        See `lay_out`.

    Returns
    -------
    Layout
        Cost: O(n_shown · depth).
    """
    shown = np.flatnonzero(is_shown).tolist()
    children = {
        node: [child for child in range(first, first + n) if is_shown[child]]
        for node in shown
        for first, n in [(int(tree.first_child[node]), int(tree.n_branches[node]))]
    }
    text = {node: _text(tree, node, annotate, has_all=len(children[node]) == tree.n_branches[node]) for node in shown}
    words = {node: shortened(branch_in_words(tree, node)) for node in shown if node}
    half = {
        node: max(_width(text[node]) / 2 + PADDING, _width(words[node]) / 2 if node else 0.0) + GAP / 2
        for node in shown
    }
    x, width = _columns(tree, shown, half, children)
    top, bottom, word_y, y = [], [], [], 0.0
    for depth in range(int(tree.depth[shown].max()) + 1):
        lines = [text[node].count("\n") + 1 for node in shown if tree.depth[node] == depth]
        word_y.append(y + EDGE + LINE / 2)
        y += EDGE + 1.2 * LINE if depth else 0.0
        top.append(y)
        y += max(lines) * LINE + 2 * PADDING
        bottom.append(y)
    return Layout(tree, text, words, x, top, bottom, word_y, width, y)


def _columns(
    tree: TreeMirror, shown: Sequence[int], half: Mapping[int, float], children: Mapping[int, Sequence[int]]
) -> tuple[dict[int, float], float]:
    """The middle of each node's box, and the total width.

    From the leaves up, subtrees are moved together until two of their boxes in a level touch; their parent is above the
    middle of the first and the last. A subtree is described by how far it reaches to the left and to the right
    of its root's middle in each level.
    """
    reach: dict[int, tuple[list[float], list[float]]] = {}
    place = dict.fromkeys(shown, 0.0)
    for node in reversed(shown):  # children have larger numbers than their parents
        left: list[float] = []
        right: list[float] = []
        starts: list[float] = []
        for child in children[node]:
            lefts, rights = reach.pop(child)
            start = max((end - begin for end, begin in zip(right, lefts, strict=False)), default=0.0)
            left += [start + edge for edge in lefts[len(left) :]]
            right = [start + edge for edge in rights] + right[len(rights) :]
            starts.append(start)
        middle = (starts[0] + starts[-1]) / 2 if starts else 0.0
        place.update((child, start - middle) for child, start in zip(children[node], starts, strict=True))
        reach[node] = (
            [-half[node], *(edge - middle for edge in left)],
            [half[node], *(edge - middle for edge in right)],
        )
    left, right = reach[0]
    place[0] = -min(left)
    for node in shown[1:]:
        place[node] += place[int(tree.parent[node])]
    return place, max(right) - min(left)


def _text(tree: TreeMirror, node: int, annotate: Annotate | None, *, has_all: bool) -> str:
    is_leaf = tree.split_kind[node] == SplitKind.LEAF
    if is_leaf:
        leaf = leaf_of(tree, node)
        lines = [shortened(leaf.name), leaf.shares(number)]
    else:
        lines = [shortened(split_on(tree, node).name)]
    for line in annotate(node).lines if annotate else ():
        whole = _INTERVAL.sub(lambda interval: interval[0].replace(" ", "\u00a0"), written(line, number))
        wrapped = textwrap.wrap(whole, LONGEST, break_long_words=False)
        lines += [shortened(part.replace("\u00a0", " ")) for part in wrapped]
    lines += [] if has_all else ["…"]
    return "\n".join(filter(None, lines))


def shortened(text: str) -> str:
    """The text on one line, or its beginning and its end if it is too long for a line."""
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 11]}…{text[-10:]}"


@lru_cache(maxsize=1 << 14)
def _width(text: str) -> float:
    """The width of the longest line, in font sizes."""
    return max(text_width(line, 100) for line in text.split("\n")) / 100
