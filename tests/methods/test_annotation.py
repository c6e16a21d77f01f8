"""What methods add to the nodes of a printed tree."""

import json
from dataclasses import replace

import numpy as np
import pytest
from support.katz_example import example_tree
from support.printed_trees import parse_dot, tree_of
from support.random_trees import random_dataset, random_header, random_tree
from support.small_data import small

from wekaconf.base.errors import NotFittedError, OptionError
from wekaconf.methods.characteristic._base import annotation_of
from wekaconf.methods.characteristic._id3_max import ID3Max
from wekaconf.methods.characteristic._id3_sd import ID3SD
from wekaconf.methods.characteristic._limits import LimitTest
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.methods.confdtree._intervals import Intervals
from wekaconf.methods.curtailment import Curtailment
from wekaconf.methods.m_branch import MBranch
from wekaconf.report.trees import render_dot, render_json, render_text
from wekaconf.tree._annotation import Annotation
from wekaconf.tree._forest import Forest
from wekaconf.tree._kinds import SplitKind

# ---- limits at the leaves ----

LIMITS = {
    1: (LimitTest('a "b" \\N & &lt; c', 4.3154, np.inf), LimitTest("n", accepts=("->", "};"))),
    3: (LimitTest("", accepts=()),),
    4: (LimitTest('a "b" \\N & &lt; c', 1.0, 2.5, "lower"),),
    5: (),
}


def limits_of(node):
    return annotation_of(LIMITS[node]) if node in LIMITS else Annotation(values={"limits": None})


def test_text_of_limits():
    assert render_text(tree_of(), annotate=limits_of).replace(r"x\ny", "xy").split("\n")[3:-5] == [
        'a "b" \\N & &lt; c <= 0.3',
        '|   a "b" \\N & &lt; c < 4.3154: reject',
        "|   n not in {->, };}: reject",
        "|   otherwise: yes\\ (4.0)",
        'a "b" \\N & &lt; c > 0.3',
        "|   n = xy: reject",
        "|   n = ->",
        '|   |   a "b" \\N & &lt; c < 1: reject',
        '|   |   a "b" \\N & &lt; c >= 2.5: reject',
        "|   |   otherwise: yes\\ (1.87/0.87)",
        '|   n = };: n"o (0.0)',
    ]


def test_text_of_limits_of_one_leaf():
    train = small(x=[1, 2, 3], **{"class": ["p", "q", "p"]})
    method = ID3Max().fit(random_tree(np.random.default_rng(0), train, max_depth=0), train)
    text = render_text(method.tree_, annotate=method.annotation)
    assert text.split("\n")[2:6] == ["", "x < 1: reject", "x > 3: reject", "otherwise: p (3.0/1.0)"]
    open_ends = ID3Max(closed="neither").fit(method.tree_, train)
    assert "\nx <= 1: reject\nx >= 3: reject\n" in render_text(method.tree_, annotate=open_ends.annotation)


def test_dot_of_limits():
    labels, boxes, edges, _ = parse_dot(render_dot(tree_of(), annotate=limits_of))
    assert boxes == {"n1", "n1r", "n3", "n4", "n4r", "n5"}
    assert labels["n1r"] == labels["n4r"] == labels["n3"] == "reject"
    assert (labels["n1t0"], labels["n1t1"]) == ('a "b" \\N & &lt; c?', "n?")
    assert edges == {
        ("n0", "n1t0"): "<= 0.30000000000000004",
        ("n1t0", "n1t1"): "within [4.3154, inf]",
        ("n1t0", "n1r"): "outside",
        ("n1t1", "n1"): "within {->, };}",
        ("n1t1", "n1r"): "outside",
        ("n0", "n2"): "> 0.30000000000000004",
        ("n2", "n3"): "= x\ny",
        ("n2", "n4t0"): "= ->",
        ("n4t0", "n4"): "within [1.0, 2.5)",
        ("n4t0", "n4r"): "outside",
        ("n2", "n5"): "= };",
    }


def test_json_of_limits():
    nodes = json.loads(render_json(tree_of(), annotate=limits_of))["nodes"]
    attribute = 'a "b" \\N & &lt; c'
    assert [node["limits"] for node in nodes] == [
        None,
        [
            {"attribute": attribute, "lower": 4.3154, "upper": "Infinity", "closed": "both"},
            {"attribute": "n", "accepts": ["->", "};"]},
        ],
        None,
        [{"attribute": None, "accepts": []}],
        [{"attribute": attribute, "lower": 1.0, "upper": 2.5, "closed": "lower"}],
        [],
    ]
    for node in nodes:
        del node["limits"]
    assert nodes == json.loads(render_json(tree_of()))["nodes"]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", [ID3SD(alpha=0.3), ID3Max(closed="upper"), ID3SD()])
def test_the_drawn_limits_reject_what_the_method_rejects(method, seed):
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=4)
    train, test = random_dataset(rng, header, 60), random_dataset(rng, header, 40)
    tree = random_tree(rng, train, max_depth=seed)
    fitted = type(method)(**method.params).fit(tree, train)
    nodes = json.loads(render_json(tree, annotate=fitted.annotation))["nodes"]
    rejected = [
        not all(accepts(test_, header, cells) for test_ in nodes[leaf]["limits"])
        for leaf, cells in zip(tree.apply(test), test.values, strict=True)
    ]
    assert fitted.reject(test).tolist() == rejected
    assert 0 < sum(rejected) < 40
    parse_dot(render_dot(tree, annotate=fitted.annotation))


def accepts(shown, header, cells):
    """Whether a test that JSON shows accepts an instance."""
    if shown["attribute"] is None:
        return False
    names = [attribute.name for attribute in header.attributes]
    column = names.index(shown["attribute"])
    if "accepts" in shown:
        return header.attributes[column].values[int(cells[column])] in shown["accepts"]
    above = cells[column] >= shown["lower"] if shown["closed"] in ("both", "lower") else cells[column] > shown["lower"]
    below = cells[column] <= shown["upper"] if shown["closed"] in ("both", "upper") else cells[column] < shown["upper"]
    return above and below


# ---- intervals at the nodes ----


def drawn_by_katz():
    """The tree of the paper's Figure 3 and its intervals: X <= 10 leads to Y <= 7.5, X > 10 to class C.

    Where the paper gives no number, as of the narrower intervals, one is made up.
    """
    tree = replace(example_tree(), split_point=np.array([10, 7.5, np.nan, np.nan, np.nan]))
    nothing = [[np.nan] * 3] * 3
    intervals = Intervals(
        present=tree.class_weight > 0,
        is_active=np.array([True, True, False, False, False]),
        assigned_low=np.array([[2, 4, 9.5], [3, 8, 7], *nothing]),
        assigned_high=np.array([[6, 8, 14], [6.5, 12, 1 / 3 + 8], *nothing]),
        other_low=np.array([[3, 5, 10], [4, 9, np.nan], *nothing]),
        other_high=np.array([[5, 7, 13], [6, 11, 8], *nothing]),
        route_weight=np.zeros((5, 3)),
    )
    method = ConfDTree()
    method.tree_, method.intervals_ = tree, intervals
    return method


def test_text_of_intervals():
    method = drawn_by_katz()
    assert render_text(method.tree_, annotate=method.annotation).split("\n")[3:-5] == [
        "* A (100): [2, 6] if assigned, [3, 5] if not",
        "* B (100): [4, 8] if assigned, [5, 7] if not",
        "* C (100): [9.5, 14] if assigned, [10, 13] if not",
        "X <= 10",
        "|   * A (100): [3, 6.5] if assigned, [4, 6] if not",
        "|   * B (100): [8, 12] if assigned, [9, 11] if not",
        "|   * C (30): [7, 8.333333] if assigned, none if not",
        "|   Y <= 7.5: A (100.0) {1, 0, 0}",
        "|   Y > 7.5: B (130.0/30.0) {0, 0.769231, 0.230769}",
        "X > 10: C (70.0) {0, 0, 1}",
    ]


@pytest.mark.parametrize("routing", ["J48", "REPTREE", "RANDOMTREE", "CART", "COUNTS"])
@pytest.mark.parametrize("variant", ["norm", "tdist", "comb"])
def test_the_drawn_intervals_are_those_that_answer(routing, variant):
    rng = np.random.default_rng(3)
    train = random_dataset(rng, random_header(rng, n_attributes=4), 150, 0.1)
    method = ConfDTree(variant=variant, min_instances=2)
    method.fit(random_tree(rng, train, max_depth=4, routing=routing), train)
    tree, learned = method.tree_, method.intervals_
    nodes = json.loads(render_json(tree, annotate=method.annotation))["nodes"]
    text = render_text(tree, annotate=method.annotation)
    assert learned.is_active.any() or variant == "norm"
    for i, node in enumerate(nodes):
        assert (node["intervals"] is not None) == learned.is_active[i]
        for shown in node["intervals"] or ():
            c = tree.class_names.index(shown["class"])
            assert shown["assigned"] == [learned.assigned_low[i, c], learned.assigned_high[i, c]]
            assert (shown["other"] is None) == np.isnan(learned.other_low[i, c])
            assert shown["other"] in (None, [learned.other_low[i, c], learned.other_high[i, c]])
            assert shown["weight"] == (tree.class_weight[i, c] if tree.routing.keeps_counts else None)
        assert len(node["intervals"] or ()) == learned.present[i].sum() * learned.is_active[i]
    numeric = (tree.split_kind == SplitKind.NUMERIC_LE) | (tree.split_kind == SplitKind.NUMERIC_LT)
    assert text.count("* no intervals\n") == (numeric & ~learned.is_active).sum()
    assert text.count(" if assigned, ") == learned.present[learned.is_active].sum()
    assert text.count("{") == tree.n_leaves + sum("{" in node["condition"] for node in nodes[1:])


@pytest.mark.parametrize("method", [ConfDTree(), ID3Max()])
def test_annotation_of_what_is_no_node(method):
    with pytest.raises(NotFittedError, match="call fit"):
        method.annotation(0)
    train = small(x=[1, 2, 3, 4], **{"class": ["p", "q", "p", "p"]})
    fitted = type(method)().fit(random_tree(np.random.default_rng(0), train, max_depth=1), train)
    for node in (-1, fitted.tree_.n_nodes):
        with pytest.raises(OptionError, match=f"{method.name}: node must be from 0 to .*; got {node}"):
            fitted.annotation(node)


@pytest.mark.parametrize("render", [render_text, render_dot, render_json])
def test_no_annotation_for_a_forest(render):
    with pytest.raises(OptionError, match="annotate: expected with one tree"):
        render(Forest((tree_of(),)), annotate=limits_of)


# ---- estimates at the leaves ----


@pytest.mark.parametrize("method", [MBranch(), Curtailment(min_weight=3)])
def test_estimates_at_the_leaves(method):
    """What the method answers for an instance that ends there."""
    train = small(x=[1, 2, 3, 4], **{"class": ["p", "p", "q", "q"]})
    tree = random_tree(np.random.default_rng(0), train, max_depth=2)
    method.fit(tree, train)
    for node in range(tree.n_nodes):
        told, is_leaf = method.annotation(node), tree.split_kind[node] == SplitKind.LEAF
        assert told.values == {"answer": method.answer_[node].tolist()}
        assert told.lines == ((("{", method.answer_[node, 0], ", ", method.answer_[node, 1], "}"),) if is_leaf else ())
    text = render_text(tree, annotate=method.annotation)
    assert text.count("{") == (tree.split_kind == SplitKind.LEAF).sum()
