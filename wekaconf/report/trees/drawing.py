"""Trees drawn on matplotlib's axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from wekaconf.report.plot_style import COLOURS, GREY
from wekaconf.report.trees.shared import Annotate, leaf_of, written
from wekaconf.tree.conditions import branch, split_on
from wekaconf.tree.kinds import SplitKind
from wekaconf.tree.mirror import TreeMirror

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DIGITS = "{:.4g}".format
SMALLEST, LARGEST = 3.0, 10.0
"""Font sizes, in points, between which the size is chosen by the room that there is."""
CHARACTER, LINE = 0.62, 1.35
"""Width of a character and height of a line, in font sizes."""
WHITE: dict[str, Any] = {"fc": "white", "ec": "none"}
CENTRED: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}
Place = tuple[float, float]


def draw_tree(axes: Axes, tree: TreeMirror, *, annotate: Annotate | None = None, max_depth: int | None = None) -> None:
    """Draw a tree, the root at the top.

    Inner nodes show the attribute tested, lines the values that lead down, and leaves the class of the answer with
    (weight/weight of other classes), in a colour for each class.

    Parameters
    ----------
    axes : Axes
        Their size decides on that of the font: texts side by side do not overlap.
    tree : TreeMirror
    annotate : callable, optional
        As for `render_text`; its lines follow the text of a node, except those of guards.
    max_depth : int, optional
        Draw nodes down to this depth; "…" stands for what is below.
    """
    deepest = int(tree.depth.max()) if max_depth is None else max_depth
    place = _places(tree, deepest)
    texts = [(*at, _text(tree, node, deepest, annotate)) for node, at in place.items()]
    words = [(*_on_the_way(place, tree, node), branch(tree, node, DIGITS)) for node in place if node]
    n_ends, n_levels = 1 + max(x for x, _ in place.values()), 1 - min(y for _, y in place.values())
    axes.set(xlim=(-0.6, n_ends - 0.4), ylim=(0.5 - n_levels, 0.5))
    axes.set_axis_off()
    axes.figure.draw_without_rendering()  # type: ignore[union-attr] # lays the axes out
    size = _font_size(axes, [*texts, *words], n_ends, n_levels)
    for node, (x, y) in place.items():
        if node:
            above = place[int(tree.parent[node])]
            axes.plot([above[0], x], [above[1], y], color=GREY, linewidth=0.8, zorder=1)
    for x, y, text in words:
        axes.text(x, y, text, **CENTRED, fontsize=size, zorder=2, bbox={"boxstyle": "square,pad=0.1", **WHITE})
    for node, (x, y, text) in zip(place, texts, strict=True):
        is_leaf = tree.split_kind[node] == SplitKind.LEAF
        colour = _tint(COLOURS[int(tree.router.answer[node].argmax()) % len(COLOURS)]) if is_leaf else "white"
        box = {"boxstyle": "square,pad=0.3" if is_leaf else "round,pad=0.3", "fc": colour, "ec": GREY, "lw": 0.8}
        axes.text(x, y, text, **CENTRED, fontsize=size, zorder=3, bbox=box)


def size_for(tree: TreeMirror, max_depth: int | None = None) -> tuple[float, float]:
    """Width and height, in inches, of a figure in which the texts of a tree can be read."""
    place = _places(tree, int(tree.depth.max()) if max_depth is None else max_depth)
    n_ends, n_levels = 1 + max(x for x, _ in place.values()), 1 - min(y for _, y in place.values())
    return min(40.0, max(6.4, 1.2 * n_ends)), min(40.0, max(4.8, 1.0 * n_levels))


def _on_the_way(place: Mapping[int, Place], tree: TreeMirror, node: int) -> Place:
    """On the way from a node to its parent, nearer to the node, since siblings are further apart there."""
    (x, y), above = place[node], place[int(tree.parent[node])]
    return (2 * x + above[0]) / 3, (2 * y + above[1]) / 3


def _font_size(axes: Axes, texts: Sequence[tuple[float, float, str]], n_ends: float, n_levels: float) -> float:
    """The largest font size at which no two texts overlap."""
    extent, point = axes.get_window_extent(), 72 / axes.figure.dpi
    column, level = extent.width * point / (n_ends + 0.2), extent.height * point / n_levels
    sizes = [level / (LINE * (max(text.count("\n") for *_, text in texts) + 3))]
    width = {text: CHARACTER * (2 + max(map(len, text.split("\n")))) for *_, text in texts}
    for (x, y, left), (next_x, next_y, right) in pairwise(sorted(texts, key=lambda text: (text[1], text[0]))):
        if y == next_y:
            sizes.append((next_x - x) * column / ((width[left] + width[right]) / 2))
    return min(LARGEST, max(SMALLEST, min(sizes)))


def _places(tree: TreeMirror, deepest: int) -> dict[int, Place]:
    """Where the nodes are: the ends side by side, the others above the middle of their first and last child."""
    place: dict[int, Place] = {}
    stack, n_ends = [0], 0
    order: list[int] = []
    while stack:
        node = stack.pop()
        order.append(node)
        if tree.n_branches[node] and tree.depth[node] < deepest:
            first = int(tree.first_child[node])
            stack += range(first + int(tree.n_branches[node]) - 1, first - 1, -1)
        else:
            place[node] = (float(n_ends), -float(tree.depth[node]))
            n_ends += 1
    for node in reversed(order):
        if node not in place:
            first = int(tree.first_child[node])
            last = first + int(tree.n_branches[node]) - 1
            place[node] = ((place[first][0] + place[last][0]) / 2, -float(tree.depth[node]))
    return place


def _text(tree: TreeMirror, node: int, deepest: int, annotate: Annotate | None) -> str:
    if tree.split_kind[node] == SplitKind.LEAF:
        leaf = leaf_of(tree, node)
        lines = [leaf.name, leaf.shares(DIGITS)]
    else:
        lines = [split_on(tree, node).name, "…" if tree.depth[node] >= deepest else ""]
    lines += [written(line, DIGITS) for line in annotate(node).lines] if annotate else []
    return "\n".join(filter(None, lines))


def _tint(colour: str) -> tuple[float, float, float]:
    """The colour, mixed with three parts of white."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return (3 + red) / 4, (3 + green) / 4, (3 + blue) / 4
