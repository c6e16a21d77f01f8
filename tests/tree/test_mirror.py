"""What the arrays of a tree must be to make a tree, or those of a grown one; golden mirrors answer as Weka did."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from reference import weka_recursion
from support.random_trees import random_mirror, with_subsets
from support.written_trees import written_tree

from wekaconf.base.stored import check_stored
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.tree._binary_trees import binary_tree
from wekaconf.tree._forest import Forest
from wekaconf.tree._kinds import Routing, SplitKind
from wekaconf.tree._mirror import TreeMirror
from wekaconf.tree._soundness import check_sound

NAN = np.nan
HEADER = Header(
    "hand",
    (Attribute("x"), Attribute("n", "nominal", tuple("abc")), Attribute("class", "nominal", ("p", "q"))),
    class_index=2,
)
NUMERIC, EACH, EQUALS, SUBSET = (
    int(kind)
    for kind in (SplitKind.NUMERIC_LE, SplitKind.NOMINAL_EACH, SplitKind.NOMINAL_EQUALS, SplitKind.NOMINAL_SUBSET)
)
J48 = {
    "parent": [-1, 0, 0, 1, 1, 1],
    "first_child": [1, 3, -1, -1, -1, -1],
    "n_branches": [2, 3, 0, 0, 0, 0],
    "split_kind": [NUMERIC, EACH, 0, 0, 0, 0],
    "split_attribute": [0, 1, -1, -1, -1, -1],
    "split_point": [0.5, NAN, NAN, NAN, NAN, NAN],
    "split_value": [-1] * 6,
    "class_weight": [[4.0, 4.0], [3.0, 1.0], [1.0, 3.0], [3.0, 0.0], [0.0, 1.0], [0.0, 0.0]],
    "total": [8.0, 4.0, 4.0, 3.0, 1.0, 0.0],
    "branch_weight": [NAN, 4.0, 4.0, 3.0, 1.0, 0.0],
    "branch_class_weight": [[NAN, NAN], [3.0, 1.0], [1.0, 3.0], [3.0, 0.0], [0.0, 1.0], [0.0, 0.0]],
    "is_empty": [False] * 5 + [True],
}
SHARES = {"branch_weight": [NAN, 0.5, 0.5, 0.75, 0.25, 0.0], "branch_class_weight": np.full((6, 2), NAN)}


def tree(routing=Routing.J48, **changes):
    arrays = J48 if Routing(routing).is_j48 else J48 | SHARES
    return TreeMirror(header=HEADER, routing=routing, **(arrays | changes))


def changed(name, place, value, routing=Routing.J48):
    """An array of the tree with another number in one place."""
    array = np.array((J48 if Routing(routing).is_j48 else J48 | SHARES)[name], dtype=float)
    array[place] = value
    return {name: array}


NUMBERED = "first_child, n_branches: the nodes are not numbered breadth-first"
PARENT = "parent: does not agree with first_child and n_branches"
AT_LEAVES = "n_branches: expected 0 at leaves and more at all other nodes"
LEAF = "first_child, split_attribute: expected −1 at a leaf"
COLUMN = "split_attribute: a node splits on something that is not an attribute, or on the class"
POINT = "split_point: expected NaN at nodes without a numeric split"
TESTED = "split_value: a node tests for a value that its attribute does not declare"
FLAGS = "split_value: the flags of a subset are not within split_subset"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (changed("first_child", 1, 4), NUMBERED),
        (changed("first_child", 0, 2), NUMBERED),
        (changed("n_branches", 1, 2), NUMBERED),
        (changed("n_branches", 1, 4), NUMBERED),
        (changed("parent", 3, 0), PARENT),
        (changed("parent", 0, 0), PARENT),
        (changed("n_branches", 5, 1), AT_LEAVES),
        (changed("first_child", 5, 1), LEAF),
        (changed("split_attribute", 5, 0), LEAF),
        (changed("split_attribute", 0, -1), COLUMN),
        (changed("split_attribute", 0, 2), COLUMN),
        (changed("split_attribute", 0, 3), COLUMN),
        (changed("split_attribute", 0, 1), "node 0: split of kind 1 does not fit"),
        (changed("split_attribute", 1, 0), "node 1: split of kind 3 does not fit"),
        (changed("split_kind", 1, EQUALS), "node 1: split of kind 4 does not fit"),
        (changed("split_kind", 0, 6), "node 0: split of kind 6 does not fit"),
        (changed("split_value", 0, 0), "split_value: expected −1 at nodes that do not test for a value"),
        (changed("split_value", 5, 0), "split_value: expected −1 at nodes that do not test for a value"),
        (changed("split_point", 1, 1.0), POINT),
        (changed("split_point", 5, 1.0), POINT),
        ({"total": J48["total"][:5]}, "total: expected shape (6,), got (5,)"),
        (
            {"grown_class_weight": np.zeros((5, 2)), "held_out_class_weight": np.zeros((5, 2))},
            "grown_class_weight, held_out_class_weight: expected one row per node, or none",
        ),
        ({"grown_class_weight": np.zeros((6, 2))}, "held_out_class_weight: expected shape (6, 2), got (0, 2)"),
        ({"learner": 3}, "learner: expected text, got 3"),
        ({"options": None}, "options: expected text, got None"),
        ({"weka_version": 3.9}, "weka_version: expected text, got 3.9"),
    ],
)
def test_arrays_that_contradict_one_another(changes, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        tree(**changes)


def nodes(kind, value, flags=(), n_branches=2):
    """A root that splits on the nominal attribute, and its leaves."""
    asked = {"split_value": [value] + [-1] * n_branches, "split_subset": np.array(flags, dtype=bool)}
    spec = (1, kind, value if kind == EQUALS else list(flags), *[[1.0, 1.0]] * n_branches)
    return written_tree(HEADER, spec, routing=Routing.COUNTS, **asked)


def test_what_a_split_on_values_may_ask():
    for value in (0, 2):
        assert nodes(EQUALS, value).split_value[0] == value
    for value in (-1, 3):
        with pytest.raises(ValueError, match=f"^{TESTED}$"):
            nodes(EQUALS, value)
    for begin, n_flags in ((0, 3), (2, 5)):
        assert nodes(SUBSET, begin, [True] * n_flags).split_value[0] == begin
    for begin, n_flags in ((-1, 9), (0, 2), (3, 5)):
        with pytest.raises(ValueError, match=f"^{FLAGS}$"):
            nodes(SUBSET, begin, [True] * n_flags)
    assert nodes(EACH, -1, n_branches=3).n_leaves == 3
    for kind, n_branches in ((EACH, 2), (EACH, 4), (EQUALS, 3), (SUBSET, 3)):
        with pytest.raises(ValueError, match=f"^node 0: split of kind {kind} does not fit 'n' "):
            nodes(kind, 0 if kind != EACH else -1, [True] * 3, n_branches=n_branches)


@pytest.mark.parametrize(
    ("name", "lowest", "highest"),
    [("parent", -1, 5), ("first_child", -1, 5), ("n_branches", 0, None), ("split_kind", None, 5),
     ("split_attribute", -1, None), ("split_value", -1, None)],
)  # fmt: skip
def test_numbers_that_a_file_may_hold(name, lowest, highest):
    """Node 0 to 5, kind 0 to 5; −1: none."""
    _, arrays = tree().to_arrays()
    for end, beyond in ((lowest, -1), (highest, 1)):
        if end is not None:
            given = arrays[name].copy()
            given[1] = end
            check_stored(TreeMirror, arrays | {name: given}, {"n_nodes": 6, "n_classes": 2})
            given[1] += beyond
            with pytest.raises(ValueError, match=f"^{name}"):
                check_stored(TreeMirror, arrays | {name: given}, {"n_nodes": 6, "n_classes": 2})


def test_arrays_are_kept_row_by_row():
    """Kernels are compiled for that order alone."""
    given = {name: np.asfortranarray(J48[name]) for name in ("class_weight", "branch_class_weight")}
    assert all(array.flags.c_contiguous for array in tree(**given).to_arrays()[1].values())


def test_arrays_and_forests_are_read_only_and_named():
    """Only what every tree has may be given by place; the arrays are copies that nobody can change."""
    given = {name: np.array(values) for name, values in J48.items()}
    made = TreeMirror(HEADER, Routing.J48, *given.values())
    assert len(made.split_subset) == 0
    assert not any(array.flags.writeable for array in made.to_arrays()[1].values())
    assert all(array.flags.writeable for array in given.values())
    assert not any(array.flags.writeable for array in made.router.arrays[:-1])
    with pytest.raises(TypeError, match="positional"):
        TreeMirror(HEADER, Routing.J48, *given.values(), "")
    with pytest.raises(TypeError, match="positional"):
        Forest((made,), "")


def test_a_split_without_branches_is_none():
    childless = {"first_child": [1, 3, 3, -1, -1, -1], "n_branches": [2, 0, 3, 0, 0, 0], "parent": [-1, 0, 0, 2, 2, 2]}
    with pytest.raises(ValueError, match=f"^{AT_LEAVES}$"):
        tree(**childless, split_kind=[NUMERIC, EACH, EACH, 0, 0, 0], split_attribute=[0, 1, 1, -1, -1, -1])


def test_a_tree_without_nodes_is_none():
    with pytest.raises(ValueError, match=f"^{NUMBERED}$"):
        tree(**{name: np.zeros((0, 2)[: np.ndim(values)]) for name, values in J48.items()})


def test_a_node_comes_after_its_parent():
    first = {name: np.array(values)[:2] for name, values in J48.items()}
    own_parent = {"parent": [-1, 1], "first_child": [-1, 1], "n_branches": [0, 1], "split_kind": [0, NUMERIC],
                  "split_attribute": [-1, 0], "split_point": [NAN, 0.5]}  # fmt: skip
    with pytest.raises(ValueError, match=r"^parent: a node comes before its parent$"):
        tree(**first | own_parent)


SHARE_MESSAGE = "branch_weight: expected shares that sum to 1 over the branches of a node"


def test_shares_of_branches():
    for off, is_taken in ((0.9e-9, True), (1.1e-9, False), (-0.9e-9, True), (-1.1e-9, False)):
        changes = changed("branch_weight", 1, 0.5 + off, Routing.COUNTS)
        if is_taken:
            tree(Routing.COUNTS, **changes)
        else:
            with pytest.raises(ValueError, match=f"^{SHARE_MESSAGE}$"):
                tree(Routing.COUNTS, **changes)
    below_zero = np.array(SHARES["branch_weight"])
    below_zero[3:] = [1.5, -0.5, 0.0]
    with pytest.raises(ValueError, match=f"^{SHARE_MESSAGE}$"):
        tree(Routing.COUNTS, branch_weight=below_zero)
    with pytest.raises(ValueError, match=r"^is_empty: expected true exactly at nodes without class weights; the root"):
        tree(Routing.COUNTS, is_empty=[False] * 6)
    with pytest.raises(ValueError, match=r"^is_empty: expected true exactly at nodes without class weights; the root"):
        tree(Routing.COUNTS, class_weight=np.zeros((6, 2)), is_empty=[True] * 6)


def test_places_of_nodes():
    made = tree()
    assert made.levels == ((0, 1), (1, 3), (3, 6))
    assert made.depth.tolist() == [0, 1, 1, 2, 2, 2]
    assert [array.tolist() for array in made.preorder] == [[0, 1, 5, 2, 3, 4], [6, 4, 1, 1, 1, 1]]
    assert [array.dtype for array in made.preorder] == [np.int32, np.int32]
    assert (made.n_nodes, made.n_leaves) == (6, 4)
    np.testing.assert_array_equal(made.over_branches(np.arange(1.0, 6)), [3, 12, 0, 0, 0, 0])


def test_a_binary_tree_in_another_order():
    """Node 0 leads to 4 and 2, node 2 to 1 and 3; node 5 is nobody's child."""
    first, second = np.array([4, -1, 1, -1, -1, -1]), np.array([2, -1, 3, -1, -1, -1])
    made = binary_tree(
        HEADER, Routing.COUNTS, first, second, split_kind=[NUMERIC, 0, SUBSET, 0, 0, 0],
        split_attribute=np.array([0, 9, 1, 9, 9, 9]), split_point=np.full(6, 0.5), split_value=[9, 9, 2, 9, 9, 9],
        split_subset=np.array([False] * 2 + [True, False, True]), class_weight=np.array([[i, 1.0] for i in range(6)]),
        branch_weight=np.array([7, 0.25, 0.5, 0.75, 0.5, 7]), learner="own",
    )  # fmt: skip
    assert made.class_weight[:, 0].tolist() == [0, 4, 2, 1, 3] and made.total.tolist() == [1, 5, 3, 2, 4]
    assert made.parent.tolist() == [-1, 0, 0, 2, 2] and made.first_child.tolist() == [1, -1, 3, -1, -1]
    assert made.split_attribute.tolist() == [0, -1, 1, -1, -1] and made.split_value.tolist() == [-1, -1, 0, -1, -1]
    assert made.split_subset.tolist() == [True, False, True]
    np.testing.assert_array_equal(made.branch_weight, [NAN, 0.5, 0.5, 0.25, 0.75])
    np.testing.assert_array_equal(made.split_point, [0.5] + [NAN] * 4)


# ---- the arrays of a grown tree ----

AT_LEAST = "class_weight, total: expected weights of at least 0"
SUMMED = "total: expected the sum of class_weight"
NOBODY_TAKES = "branch_weight: expected a branch that takes missing values at every node"
BRANCHES = "branch_weight, branch_class_weight: expected the branches of a node to sum to its weights"


@pytest.mark.parametrize("routing", Routing)
def test_grown_trees_are_sound(routing):
    for seed in range(12):
        made = random_mirror(np.random.default_rng(seed), routing=routing, max_depth=seed % 5)
        check_sound(made)
        if routing.is_cart:
            check_sound(with_subsets(made))


@pytest.mark.parametrize("least", [9.5e-7, 9.2e-7])
def test_a_tree_that_has_no_weight_for_weka_may_answer_zeros(least):
    """Weka takes a weight up to 1e-6 for none; with more, a leaf without weight would answer as its parent does."""
    none, some = (
        written_tree(HEADER, (0, NUMERIC, 0.5, [least, 0.0], [rest, 0.0]), is_empty=[False, False, True])
        for rest in (1e-6 - least, 1.1e-6 - least)
    )
    assert none.total[0] == 1e-6 and not none.router.answer[1].any()
    check_sound(none)
    with pytest.raises(ValueError, match="expected a distribution wherever an instance may stop"):
        check_sound(some)


@pytest.mark.parametrize(
    ("name", "place", "value", "slack", "message"),
    [
        ("class_weight", (2, 0), 1.0, 4e-9, SUMMED),
        ("total", 3, 3.0, 3e-9, SUMMED),
        ("branch_weight", 3, 3.0, 3e-9, BRANCHES),
        ("branch_class_weight", (3, 0), 3.0, 3e-9, BRANCHES),
        ("branch_class_weight", (1, 1), 1.0, 4e-9, BRANCHES),
    ],
)
def test_sums_may_be_off_by_rounding_only(name, place, value, slack, message):
    for off in (-0.9 * slack, 0.9 * slack):
        check_sound(tree(**changed(name, place, value + off)))
    for off in (-4 * slack, 4 * slack, -1.0, 1.0):
        with pytest.raises(ValueError, match=f"^{message}$"):
            check_sound(tree(**changed(name, place, value + off)))


def test_weights_below_zero():
    check_sound(tree(**changed("class_weight", (3, 1), -2e-9)))
    with pytest.raises(ValueError, match=f"^{AT_LEAST}$"):
        check_sound(tree(**changed("class_weight", (3, 1), -4e-9)))
    check_sound(tree(**changed("total", 5, -3e-12)))
    with pytest.raises(ValueError, match=f"^{AT_LEAST}$"):
        check_sound(tree(**changed("total", 5, -5e-12)))
    for name in ("branch_weight", "branch_class_weight"):
        with pytest.raises(ValueError, match=r"^branch_weight, branch_class_weight: expected weights of at least 0$"):
            check_sound(tree(**changed(name, 5, -1e-8)))
        with pytest.raises(ValueError, match=r"^branch_weight, branch_class_weight: expected weights of at least 0$"):
            check_sound(tree(**changed(name, 5, NAN)))


def test_the_largest_weights():
    scale = 1e300 / 8
    weights = {name: np.array(J48[name]) * scale for name in ("class_weight", "branch_weight", "branch_class_weight")}
    check_sound(tree(total=np.array(J48["total"]) * scale, **weights))
    check_sound(written_tree(HEADER, [1e300, 0.0]))
    check_sound(written_tree(HEADER, [0.0, 0.0]))
    for name in ("class_weight", "total"):
        too_large = {"total": np.array(J48["total"]) * scale, **weights}
        too_large[name] = np.maximum(too_large[name], np.nextafter(1e300, np.inf))
        with pytest.raises(ValueError, match=r"^class_weight, total: expected weights of at most 1e\+300$"):
            check_sound(tree(**too_large))


@pytest.mark.parametrize("routing", [Routing.J48, Routing.REPTREE])
def test_empty_nodes_are_those_without_weight(routing):
    check_sound(tree(routing, total=np.ones(6), class_weight=distributions()) if not routing.is_j48 else tree())
    with pytest.raises(ValueError, match=r"^is_empty: expected true "):
        check_sound(tree(routing, is_empty=[False] * 4 + [True] * 2))


def test_weights_that_are_all_zero_agree_with_one_another():
    """Nothing is wrong with their sums, but Weka enters no branch of such a tree."""
    zeros = {
        name: np.array(J48[name]) * 0 for name in ("class_weight", "total", "branch_weight", "branch_class_weight")
    }
    with pytest.raises(ValueError, match=f"^{NOBODY_TAKES}$"):
        check_sound(tree(is_empty=[True] * 6, **zeros))


def distributions():
    """The class weights as REPTree stores them."""
    weight = np.array(J48["class_weight"])
    return weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)


WITHOUT_WEIGHT = "is_empty: expected true exactly at nodes without weight"
DISTRIBUTION = "class_weight: expected a distribution wherever an instance may stop"


@pytest.mark.parametrize(
    ("weight", "if_filled", "if_empty"),
    [(5e-7, WITHOUT_WEIGHT, ""), (0.95e-6, DISTRIBUTION, ""), (1.05e-6, "", ""), (2e-6, "", WITHOUT_WEIGHT)],
)
def test_a_weight_of_next_to_nothing(weight, if_filled, if_empty):
    """Weka takes a node with more than 1e-6 for filled; near that, rounding decides."""
    reached = weight * np.array([1, 1, 0, 0, 0, 1])
    arrays = {name: np.array(array) for name, array in J48.items()}
    for name in ("class_weight", "branch_class_weight"):
        arrays[name][:, 1] += reached
    for name in ("total", "branch_weight"):
        arrays[name] += reached
    for is_empty, message in ((False, if_filled), (True, if_empty)):
        made = tree(**{**arrays, "is_empty": [False] * 5 + [is_empty]})
        if message:
            with pytest.raises(ValueError, match=f"^{message}$"):
                check_sound(made)
        else:
            check_sound(made)


def test_answers_of_stored_distributions():
    good = distributions()
    check_sound(tree(Routing.REPTREE, total=np.ones(6), class_weight=good))
    zeros = good.copy()
    zeros[3] = 0
    check_sound(tree(Routing.REPTREE, total=np.ones(6), class_weight=zeros))
    for off, is_taken in ((0.9e-6, True), (1.1e-6, False), (-0.9e-6, True), (-1.1e-6, False)):
        other = good.copy()
        other[3, 0] += off
        assert_taken(tree(Routing.REPTREE, total=np.ones(6), class_weight=other), is_taken)


@pytest.mark.parametrize(("below", "is_taken"), [(-1e-9, True), (-1.0005e-9, False)])
def test_answers_below_zero(below, is_taken):
    weight = distributions()
    weight[3] = [1 - below, below]
    assert_taken(tree(Routing.REPTREE, total=np.ones(6), class_weight=weight), is_taken)


def assert_taken(made, is_taken):
    if is_taken:
        check_sound(made)
    else:
        with pytest.raises(ValueError, match=f"^{DISTRIBUTION}$"):
            check_sound(made)


@pytest.mark.parametrize("routing", [Routing.CART, Routing.RANDOMTREE])
def test_a_branch_takes_what_is_missing(routing):
    """Nobody may be lost: the shares of the branches that are entered must not all be zero, at the root neither."""
    shares = {"branch_weight": [NAN, 0.5, 0.5, 0.0, 0.0, 1.0]}
    with pytest.raises(ValueError, match=f"^{NOBODY_TAKES}$"):
        check_sound(tree(routing, **shares))
    to_the_empty = {"branch_weight": [NAN, 0.0, 1.0], "is_empty": [False, False, True]}
    with pytest.raises(ValueError, match=f"^{NOBODY_TAKES}$"):
        check_sound(written_tree(HEADER, (0, NUMERIC, 0.5, [1.0, 1.0], [0.0, 0.0]), routing=routing, **to_the_empty))
    with pytest.raises(ValueError, match=r"^branch_weight: expected shares that sum to 1 over the branches of a node$"):
        check_sound(tree(routing, branch_weight=[NAN, 0.5, 0.6, 0.75, 0.25, 0.0]))


# -- golden mirrors, without Java --------------------------------------------------------------------------------------


FILES = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))


def read(path):
    told = json.loads(path.read_text(encoding="utf-8"))
    parts = told["header"]
    attributes = tuple(
        Attribute(**{name: tuple(part) if isinstance(part, list) else part for name, part in attribute.items()})
        for attribute in parts["attributes"]
    )
    header = Header(parts["relation"], attributes, parts["class_index"])
    tree = TreeMirror.from_arrays(header, told["record"], told["arrays"])
    return tree, Dataset(header, told["values"]), np.array(told["distributions"]), np.array(told["classifications"])


def test_files_cover_the_rules():
    trees = [read(path)[0] for path in FILES]
    not_golden = {Routing.RANDOMTREE, Routing.CART, Routing.CART_LAPLACE, Routing.COUNTS, Routing.COUNTS_LAPLACE}
    assert {tree.routing for tree in trees} == set(Routing) - not_golden
    kinds = {SplitKind(int(kind)) for tree in trees for kind in tree.split_kind}
    assert kinds == set(SplitKind) - {SplitKind.NOMINAL_SUBSET}
    assert any(tree.is_empty[tree.split_kind == SplitKind.LEAF].any() for tree in trees)
    assert all(tree.weka_version.startswith("3.9.") for tree in trees)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_answers(path):
    tree, test, distributions, classifications = read(path)
    np.testing.assert_array_equal(tree.predict_proba(test), distributions)
    start = np.zeros(len(test), dtype=np.int32)
    np.testing.assert_array_equal(tree.router.distributions_compiled(test.values, start), distributions)
    literal = [weka_recursion.distribution(tree, cells) for cells in test.values]
    np.testing.assert_array_equal(literal, distributions)
    np.testing.assert_array_equal(tree.classify(test), np.where(np.isnan(classifications), -1, classifications))
    ends = tree.apply(test)
    assert (ends >= 0).any() and (ends < 0).any()
