"""Where the boxes of a drawn tree are: heights by hand, and boxes that stand as near to each other as they can."""

import warnings

import numpy as np
import pytest
from support.random_trees import random_mirror

from wekaconf.base.errors import Note
from wekaconf.tree.shown import _drawing as drawing
from wekaconf.tree.shown._drawing import LONGEST, Layout, lay_out, lay_out_nodes, shortened

TREES = [random_mirror(np.random.default_rng(seed), max_depth=2 + seed % 4, n_classes=2) for seed in range(8)]


def half_width(layout, node):
    """Half of what a box and the words above it take, with the space around them."""
    words = drawing._width(layout.words[node]) / 2 if node else 0.0
    return max(drawing._width(layout.text[node]) / 2 + 0.35, words) + 0.7 / 2


def bounds(layout, node):
    """How far the subtree of a node reaches to the left and to the right, by level."""
    tree = layout.tree
    reach = {}
    for below in layout.text:
        above = below
        while above != node and above > 0:
            above = tree.parent[above]
        if above == node:
            level, half = int(tree.depth[below]), half_width(layout, below)
            left, right = reach.get(level, (np.inf, -np.inf))
            reach[level] = min(left, layout.x[below] - half), max(right, layout.x[below] + half)
    return reach


@pytest.mark.parametrize("tree", TREES)
def test_subtrees_touch_and_stand_below_the_middle_of_their_parent(tree):
    layout = lay_out(tree, max_depth=9)
    assert list(layout.text) == list(range(tree.n_nodes)) and list(layout.words) == list(range(1, tree.n_nodes))
    lefts, rights = zip(*bounds(layout, 0).values(), strict=True)
    assert min(lefts) == pytest.approx(0) and max(rights) == pytest.approx(layout.width)
    for node in np.flatnonzero(tree.n_branches):
        children = range(tree.first_child[node], tree.first_child[node] + tree.n_branches[node])
        assert layout.x[node] == pytest.approx((layout.x[children[0]] + layout.x[children[-1]]) / 2)
        reached = {}
        for child in children:
            reach = bounds(layout, child)
            room = [left - reached[level] for level, (left, _) in reach.items() if level in reached]
            assert not room or min(room) == pytest.approx(0, abs=1e-9)
            reached |= {level: right for level, (_, right) in reach.items()}


def test_heights_by_hand():
    tree = next(tree for tree in TREES if tree.depth.max() >= 2)
    layout = lay_out(tree, max_depth=1)
    children = [node for node in layout.text if node]
    assert layout.text[0].count("\n") == 0 and {layout.text[node].count("\n") for node in children} == {1}
    line, padding, edge = 1.35, 0.35, 2.5
    root = line + 2 * padding
    top = root + edge + 1.2 * line
    assert layout.top == pytest.approx([0, top])
    assert layout.bottom == pytest.approx([root, top + 2 * line + 2 * padding])
    assert layout.word_y == pytest.approx([edge + line / 2, root + edge + line / 2])
    assert layout.height == layout.bottom[-1]


def test_what_is_left_out_is_told_in_the_box():
    tree = next(tree for tree in TREES if tree.depth.max() >= 2)
    for depth in (0, 1):
        layout = lay_out(tree, max_depth=depth)
        for node in layout.text:
            is_cut = tree.n_branches[node] > 0 and tree.depth[node] == depth
            assert layout.text[node].endswith("…") == is_cut
    assert list(lay_out(tree, max_depth=-1).text) == [0]


def test_as_deep_as_there_is_room():
    tree = next(tree for tree in TREES if tree.depth.max() >= 3)
    deepest = int(tree.depth.max())
    layouts = [lay_out_nodes(tree, tree.depth <= depth) for depth in range(deepest + 1)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", Note)
        assert lay_out(tree, room=(layouts[-1].width, layouts[-1].height)).height == layouts[-1].height
        assert lay_out(tree).height == layouts[-1].height
    for room in ((layouts[2].width, 1e9), (1e9, layouts[2].height)):
        with pytest.warns(Note, match=rf"the tree is {deepest} levels deep and is drawn down to depth 2, since"):
            assert lay_out(tree, room=room).height == layouts[2].height
    with pytest.warns(Note, match="drawn down to depth 1, since"):
        assert lay_out(tree, room=(0, 0)).height == layouts[1].height


def sized(width, height):
    return Layout(TREES[0], {}, {}, {}, (), (), (), width, height)


def test_sizes_of_figures():
    """8 points per font size, and .3 inches for the edges."""
    assert sized(90, 45).size == pytest.approx((10.3, 5.3))
    assert sized(9, 9).size == (6.4, 3.0)


def test_sizes_in_a_paper():
    """A column of 3.4 inches leaves 232.8 points beside its edges; texts of less than 5 points cannot be read."""
    assert drawing.COLUMN == 3.4
    assert sized(10, 60).paper_size == pytest.approx((3.4, (60 * 8 + 12) / 72))
    assert sized(38.8, 60).paper_size == pytest.approx((3.4, (60 * 6 + 12) / 72))
    assert sized(46.5, 60).paper_size == pytest.approx((3.4, (60 * 232.8 / 46.5 + 12) / 72))
    assert sized(46.6, 60).paper_size == pytest.approx(((46.6 * 5 + 12) / 72, (60 * 5 + 12) / 72))
    assert sized(10, 79.5).paper_size == pytest.approx((3.4, 9.0))
    assert sized(10, 100).paper_size == pytest.approx((3.4, 9.0))
    assert sized(10, 140).paper_size == pytest.approx((3.4, (140 * 5 + 12) / 72))


def test_long_texts_are_cut_in_the_middle():
    assert shortened("x" * LONGEST) == "x" * LONGEST
    cut = shortened("a" * 30 + "b" * 30)
    assert len(cut) == LONGEST and cut == "a" * 27 + "…" + "b" * 10
