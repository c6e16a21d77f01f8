"""Trees as text, graph and JSON, without a virtual machine."""

import dataclasses
import json
import re

import numpy as np
import pytest
from random_trees import random_dataset, random_header, random_mirror, random_tree
from small_data import small

from wekaconf.data.dataset import Attribute, Header
from wekaconf.errors import OptionError
from wekaconf.methods.characteristic.id3_max import ID3Max
from wekaconf.methods.characteristic.id3_sd import ID3SD
from wekaconf.methods.characteristic.limits import LimitTest
from wekaconf.report.java_numbers import java_decimal, java_double
from wekaconf.report.trees import render_dot, render_json, render_text
from wekaconf.tree.forest import Forest
from wekaconf.tree.kinds import Routing, SplitKind
from wekaconf.tree.mirror import TreeMirror

ODD_NAMES = Header(
    "odd",
    (
        Attribute('a "b" \\N & &lt; c'),
        Attribute("n", "nominal", ("x\ny", "->", "};")),
        Attribute("class", "nominal", ("yes\\", 'n"o')),
    ),
    2,
)


def tree_of(header=ODD_NAMES, **changes):
    """Root numeric at 0.1; left a leaf; right a split on n: two leaves, the third empty."""
    weights = np.array([[5.0, 3.0], [4.0, 0.0], [1.0, 3.0], [0.0, 2.126], [1.0, 0.874], [0.0, 0.0]])
    arrays = {
        "parent": [-1, 0, 0, 2, 2, 2],
        "first_child": [1, -1, 3, -1, -1, -1],
        "n_branches": [2, 0, 3, 0, 0, 0],
        "split_kind": [SplitKind.NUMERIC_LE, 0, SplitKind.NOMINAL_EACH, 0, 0, 0],
        "split_attribute": [0, -1, 1, -1, -1, -1],
        "split_point": [0.1 + 0.2, np.nan, np.nan, np.nan, np.nan, np.nan],
        "split_value": [-1] * 6,
        "class_weight": weights,
        "total": weights.sum(axis=1),
        "branch_weight": [np.nan, *weights.sum(axis=1)[1:]],
        "branch_class_weight": [[np.nan, np.nan], *weights[1:]],
        "is_empty": [False] * 5 + [True],
    }
    return TreeMirror(**{"header": header, "routing": Routing.J48, **arrays, **changes})


def unquote(text):
    """The text that Graphviz shows for a quoted string."""
    shown = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text[1:-1])
    assert re.search(r"&(?!amp;)", shown) is None
    return shown.replace("&amp;", "&")


STRING = r'"(?:[^"\\\n]|\\[n"\\])*"'


def parse_dot(text):
    """Labels of the nodes, names of the boxes, and edges with their labels; fails on any other line."""
    labels, boxes, edges, clusters = {}, set(), {}, []
    first, *lines, last = text.rstrip("\n").split("\n")
    assert (first, last) == ("digraph tree {", "}")
    for line in map(str.strip, lines):
        if found := re.fullmatch(rf"(t?\d*n\d+(?:t\d+|r)?) \[(shape=box, )?label=({STRING})\];", line):
            assert found[1] not in labels
            labels[found[1]] = unquote(found[3])
            boxes |= {found[1]} if found[2] else set()
        elif found := re.fullmatch(rf"(\w+) -> (\w+) \[label=({STRING})\];", line):
            edges[found[1], found[2]] = unquote(found[3])
        elif found := re.fullmatch(rf"label=({STRING});", line):
            clusters.append(unquote(found[1]))
        else:
            assert re.fullmatch(rf"(graph|node|edge) \[fontname={STRING}\];|subgraph cluster_\d+ {{|}}", line), line
    return labels, boxes, edges, clusters


def test_text_of_a_tree():
    assert render_text(tree_of()).replace("x\ny", "xy") == (
        "J48 pruned tree\n"
        "------------------\n"
        "\n"
        'a "b" \\N & &lt; c <= 0.3: yes\\ (4.0)\n'
        'a "b" \\N & &lt; c > 0.3\n'
        '|   n = xy: n"o (2.13)\n'
        "|   n = ->: yes\\ (1.87/0.87)\n"
        '|   n = };: n"o (0.0)\n'
        "\n"
        "Number of Leaves  : \t4\n"
        "\n"
        "Size of the tree : \t6\n"
    )


@pytest.mark.parametrize(
    ("learner", "options", "routing", "heading", "binary"),
    [
        ("J48", "-C 0.1", "J48", "J48 pruned tree", False),
        ("weka.classifiers.trees.J48", "-U -A", "J48_LAPLACE", "J48 unpruned tree", False),
        ("J48", "-B", "J48", "J48 pruned tree", True),
        ("C44", "", "J48_LAPLACE", "J48 unpruned tree", False),
        ("Bagging", "-U -- -B", "J48", "J48 pruned tree", True),
        ("Bagging", "-B -- -U", "J48", "J48 unpruned tree", False),
        ("RandomForest", "-B", "RANDOMTREE", "RandomTree", False),
        ("Bagging", "-W weka.classifiers.trees.REPTree", "REPTREE", "REPTree", False),
    ],
)
def test_heading_and_rounding_follow_learner_and_options(learner, options, routing, heading, binary):
    lines = render_text(tree_of(learner=learner, options=options, routing=routing)).split("\n")
    assert lines[0] == heading
    assert lines[3].split(": ")[0].endswith("<= 0.30000000000000004" if binary else "<= 0.3")


def test_weight_on_the_branch_decides_a_leaf():
    branch = np.array([[np.nan, np.nan], [1.0, 3.0], [1.0, 3.0], [0.0, 2.0], [1.0, 1.0], [0.0, 0.0]])
    text = render_text(tree_of(branch_class_weight=branch, branch_weight=branch.sum(axis=1)))
    assert '<= 0.3: n"o (4.0/1.0)' in text


def test_a_later_class_must_be_clearly_heavier():
    branch = np.array([[np.nan, np.nan], [2.0, 2.0 + 5e-7], [1.0, 3.0], [0.0, 2.0], [1.0, 1.0], [0.0, 0.0]])
    assert "<= 0.3: yes\\ (" in render_text(tree_of(branch_class_weight=branch))


def test_empty_leaves_of_random_trees_take_the_parents_class_or_none():
    class_weight = np.array([[5.0, 3.0], [4.0, 0.0], [1.0, 3.0], [0.0, 2.0], [1.0, 1.0], [0.0, 0.0]])
    parts = {"class_weight": class_weight, "total": np.ones(6), "learner": "RandomTree"}
    answering = render_text(tree_of(routing="RANDOMTREE", **parts))
    silent = render_text(tree_of(routing="RANDOMTREE_UNCLASSIFIED", **parts))
    assert '= };: n"o (0.0)\n' in answering
    assert "= };: ? (0.0)\n" in silent
    assert "<= 0.3: yes\\ (4.0)\n" in answering


def test_dot_says_what_the_text_says_in_full():
    labels, boxes, edges, clusters = parse_dot(render_dot(tree_of()))
    assert labels == {
        "n0": 'a "b" \\N & &lt; c?',
        "n1": "yes\\\n(4.0)",
        "n2": "n?",
        "n3": 'n"o\n(2.126)',
        "n4": "yes\\\n(1.874/0.8740000000000001)",
        "n5": 'n"o\n(0.0)',
    }
    assert boxes == {"n1", "n3", "n4", "n5"}
    assert edges == {
        ("n0", "n1"): "<= 0.30000000000000004",
        ("n0", "n2"): "> 0.30000000000000004",
        ("n2", "n3"): "= x\ny",
        ("n2", "n4"): "= ->",
        ("n2", "n5"): "= };",
    }
    assert clusters == []


@pytest.mark.parametrize("routing", Routing)
@pytest.mark.parametrize("seed", range(6))
def test_three_formats_tell_of_the_same_tree(routing, seed):
    tree = random_mirror(
        np.random.default_rng(seed), routing=routing, max_depth=3 * (seed > 0), subsets=routing.adds_counts
    )
    shown = json.loads(render_json(tree))
    labels, boxes, edges, _ = parse_dot(render_dot(tree))
    text = render_text(tree)
    nodes = shown["nodes"]
    assert len(nodes) == len(labels) == tree.n_nodes
    assert boxes == {f"n{node['node']}" for node in nodes if node["split"] is None}
    assert set(edges) == {(f"n{node['parent']}", f"n{node['node']}") for node in nodes[1:]}
    for node in nodes[1:]:
        attribute = nodes[node["parent"]]["split"]["attribute"]
        assert node["condition"] == f"{attribute} " + edges[f"n{node['parent']}", f"n{node['node']}"]
        assert re.search(rf"\n(\|   ){{{node['depth'] - 1}}}{re.escape(node['condition'][:6])}", text)
    assert text.count("\n|") + len(re.findall(r"\n[xn]\d ", text)) == tree.n_nodes - 1
    assert text.endswith(f"Number of Leaves  : \t{len(boxes)}\n\nSize of the tree : \t{len(nodes)}\n")


@pytest.mark.parametrize("routing", Routing)
def test_json_rebuilds_the_tree(routing):
    tree = random_mirror(np.random.default_rng(8), routing=routing, max_depth=5, subsets=routing.adds_counts)
    shown = json.loads(render_json(tree))
    assert (shown["learner"], shown["routing"], shown["classes"]) == (routing, routing, ["c0", "c1", "c2"])
    names = [attribute.name for attribute in tree.header.attributes]
    assert [names.index(name) for name in shown["attributes_used"]] == sorted({*tree.split_attribute.tolist()} - {-1})
    for i, node in enumerate(shown["nodes"]):
        assert (node["node"], node["parent"] or 0, node["depth"]) == (i, max(tree.parent[i], 0), tree.depth[i])
        assert node["class_weight"] == tree.class_weight[i].tolist()
        assert (node["total"], node["is_empty"]) == (tree.total[i], tree.is_empty[i])
        kind = SplitKind(tree.split_kind[i])
        if kind == SplitKind.LEAF:
            assert node["split"] is None
            assert node["proba"] == tree.router.answer[i].tolist()
            continue
        assert node["proba"] is None
        attribute = tree.header.attributes[tree.split_attribute[i]]
        expected = {"attribute": attribute.name, "kind": kind.name.lower()}
        if kind == SplitKind.NOMINAL_EQUALS:
            expected["value"] = attribute.values[tree.split_value[i]]
        elif kind == SplitKind.NOMINAL_SUBSET:
            flags = tree.split_subset[tree.split_value[i] :]
            expected["values"] = [value for value, flag in zip(attribute.values, flags, strict=False) if flag]
        elif kind != SplitKind.NOMINAL_EACH:
            expected["point"] = tree.split_point[i]
        assert node["split"] == expected


def subset_tree(n_values, inside, **changes):
    """color in {…}; one instance of "no" beside four of "yes" inside, two of "no" outside."""
    values = ("red", "green", "blue", *(f"shade{i}" for i in range(3, n_values)))[:n_values]
    attributes = (Attribute("color", "nominal", values), Attribute("class", "nominal", ("yes", "no")))
    weight = np.array([[4.0, 3.0], [4.0, 1.0], [0.0, 2.0]])
    arrays = {
        "parent": [-1, 0, 0],
        "first_child": [1, -1, -1],
        "n_branches": [2, 0, 0],
        "split_kind": [SplitKind.NOMINAL_SUBSET, 0, 0],
        "split_attribute": [0, -1, -1],
        "split_point": [np.nan] * 3,
        "split_value": [0, -1, -1],
        "split_subset": [value in inside for value in range(n_values)],
        "class_weight": weight,
        "total": weight.sum(axis=1),
        "branch_weight": [np.nan, 5 / 7, 2 / 7],
        "branch_class_weight": np.full((3, 2), np.nan),
        "is_empty": [False] * 3,
    }
    header = Header("paint", attributes, 1)
    return TreeMirror(**{"header": header, "routing": "COUNTS", "learner": "info_gain", **arrays, **changes})


def test_subsets_in_three_formats():
    tree = subset_tree(3, {0, 1})
    assert render_text(tree) == (
        "Information gain tree\n"
        "------------------\n"
        "\n"
        "color in {red, green}: yes (5.0/1.0)\n"
        "color in {blue}: no (2.0)\n"
        "\n"
        "Number of Leaves  : \t2\n"
        "\n"
        "Size of the tree : \t3\n"
    )
    labels, _, edges, _ = parse_dot(render_dot(tree))
    assert edges == {("n0", "n1"): "in {red, green}", ("n0", "n2"): "in {blue}"}
    assert labels["n0"] == "color?"
    nodes = json.loads(render_json(tree))["nodes"]
    assert nodes[0]["split"] == {"attribute": "color", "kind": "nominal_subset", "values": ["red", "green"]}
    assert [node["condition"] for node in nodes] == [None, "color in {red, green}", "color in {blue}"]
    assert [node["proba"] for node in nodes[1:]] == [[0.8, 0.2], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("n_values", "inside", "first", "second"),
    [
        (16, range(8), "in {red, green, blue, shade3, shade4, shade5, shade6, shade7}",
         "in {shade8, shade9, shade10, shade11, shade12, shade13, shade14, shade15}"),
        (40, {0, 7}, "in {red, shade7}", "not in {red, shade7}"),
        (40, {*range(40)} - {1}, "not in {green}", "in {green}"),
        (40, range(0, 40, 2), "in {red, blue, shade4, shade6, shade8, shade10, shade12, shade14, … (20 in all)}",
         "in {green, shade3, shade5, shade7, shade9, shade11, shade13, shade15, … (20 in all)}"),
        (40, range(40), "not in {}", "in {}"),
    ],
)  # fmt: skip
def test_long_subsets_are_shortened(n_values, inside, first, second):
    tree = subset_tree(n_values, inside)
    assert f"\ncolor {first}: yes (5.0/1.0)\ncolor {second}: no (2.0)\n" in render_text(tree)
    _, _, edges, _ = parse_dot(render_dot(tree))
    assert list(edges.values()) == [first, second]
    split = json.loads(render_json(tree))["nodes"][0]["split"]
    values = tree.header.attributes[0].values
    assert split["values"] == [values[i] for i in sorted(inside)]


def test_members_of_a_forest_of_counts():
    trees = (subset_tree(3, {0}), subset_tree(3, {0, 2}, learner="Bagging"))
    text = render_text(Forest(trees, learner="info_gain_bagging", options="bags=2", votes="hard"))
    assert text.startswith("info_gain_bagging bags=2\n\nTree 1 of 2\n\nInformation gain tree\n")
    assert "\nTree 2 of 2\n\nInformation gain tree\n" in text and "color in {red, blue}: yes" in text


def test_json_is_strict_at_an_infinite_split_point():
    tree = tree_of(split_point=[-np.inf] + [np.nan] * 5)

    def refuse(literal):
        raise AssertionError(f"{literal} is not JSON")

    shown = json.loads(render_json(tree), parse_constant=refuse)
    assert shown["nodes"][0]["split"]["point"] == "-Infinity"


def test_forest_shows_every_member():
    trees = (tree_of(learner="Bagging"), tree_of(learner="Bagging", split_point=[7.0] + [np.nan] * 5))
    forest = Forest(trees, options="-I 2 -W weka.classifiers.trees.J48")
    text = render_text(forest)
    assert text.startswith("Bagging -I 2 -W weka.classifiers.trees.J48\n\nTree 1 of 2\n\nJ48 pruned tree\n")
    assert text.endswith(f"\nTree 2 of 2\n\n{render_text(trees[1])}")
    labels, boxes, edges, clusters = parse_dot(render_dot(forest))
    assert (len(labels), len(boxes), len(edges)) == (12, 8, 10)
    assert edges["t1n0", "t1n1"] == "<= 7.0"
    assert clusters == ["J48 pruned tree 1", "J48 pruned tree 2"]
    assert json.loads(render_json(forest)) == [json.loads(render_json(tree)) for tree in trees]


def test_rendering_tells_the_trees_apart_by_every_number():
    tree = tree_of()
    moved = dataclasses.replace(tree, split_point=np.nextafter(tree.split_point, 1.0))
    assert render_text(tree) == render_text(moved)
    assert render_dot(tree) != render_dot(moved)
    assert render_json(tree) != render_json(moved)


@pytest.mark.parametrize(
    ("value", "decimal", "double"),
    [
        (2.45, "2.45", "2.45"),
        (3.0, "3", "3.0"),
        (5e-7, "0", "5.0E-7"),  # the binary number is below the half
        (-1e-9, "-0", "-1.0E-9"),
        (2.0**-7 + 3, "3.007813", "3.0078125"),  # an exact half
        (1e7, "10000000", "1.0E7"),
        (12345678.5, "12345678.5", "1.23456785E7"),
        (1e23, "99999999999999990000000", "1.0E23"),
        (5e-324, "0", "4.9E-324"),
        (-1e-323, "-0", "-9.9E-324"),
        (2e-323, "0", "2.0E-323"),
        (2.0**57, "144115188075855872", "1.4411518807585587E17"),
        (-np.inf, "-Infinity", "-Infinity"),
        (np.nan, "NaN", "NaN"),
    ],
)
def test_java_numbers(value, decimal, double):
    assert (java_decimal(value), java_double(value)) == (decimal, double)


@pytest.mark.parametrize(
    ("value", "decimal", "double"),
    [
        (5e-324, "0", "4.9E-324"),
        (5e-7, "0.000001", "5.0E-7"),
        (1e23, "99999999999999990000000", "9.999999999999999E22"),
        (2.0**57, "144115188075855872", "1.44115188075855872E17"),
    ],
)
def test_java_numbers_of_older_java(value, decimal, double):
    assert (java_decimal(value, 17), java_double(value, 17)) == (decimal, double)


def test_a_split_point_half_way_between_the_infinities():
    tree = tree_of()
    tree = dataclasses.replace(tree, split_point=np.where(np.isnan(tree.split_point), tree.split_point, np.nan))
    assert "<= NaN" in render_text(tree) and "nan" in render_dot(tree)
    assert json.loads(render_json(tree), parse_constant=pytest.fail)["nodes"][0]["split"]["point"] is None


def test_weights_near_the_largest_double():
    tree = tree_of()
    heavy = dataclasses.replace(tree, class_weight=tree.class_weight * 1e300, total=tree.total * 1e300,
                                branch_weight=tree.branch_weight * 1e307,
                                branch_class_weight=tree.branch_class_weight * 1e307)  # fmt: skip
    assert "(9.223372036854776E16)" in render_text(heavy)
    json.loads(render_json(heavy), parse_constant=pytest.fail)


# ---- limits at the leaves ----

LIMITS = {
    1: (LimitTest('a "b" \\N & &lt; c', 4.3154, np.inf), LimitTest("n", accepts=("->", "};"))),
    3: (LimitTest("", accepts=()),),
    4: (LimitTest('a "b" \\N & &lt; c', 1.0, 2.5, "lower"),),
    5: (),
}


def limits_of(leaf):
    return LIMITS[leaf]


def test_text_of_limits():
    assert render_text(tree_of(), limits=limits_of).replace("x\ny", "xy").split("\n")[3:-5] == [
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
    text = render_text(method.tree_, limits=method.limit_tests)
    assert text.split("\n")[2:6] == ["", "x < 1: reject", "x > 3: reject", "otherwise: p (3.0/1.0)"]
    open_ends = ID3Max(closed="neither").fit(method.tree_, train)
    assert "\nx <= 1: reject\nx >= 3: reject\n" in render_text(method.tree_, limits=open_ends.limit_tests)


def test_dot_of_limits():
    labels, boxes, edges, _ = parse_dot(render_dot(tree_of(), limits=limits_of))
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
    nodes = json.loads(render_json(tree_of(), limits=limits_of))["nodes"]
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
@pytest.mark.parametrize(
    "method", [ID3SD(alpha=0.3), ID3Max(closed="upper", ordered="n1"), ID3SD(zero_variance="parent")]
)
def test_the_drawn_limits_reject_what_the_method_rejects(method, seed):
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=4)
    train, test = random_dataset(rng, header, 60), random_dataset(rng, header, 40)
    tree = random_tree(rng, train, max_depth=seed)
    fitted = type(method)(**method.params).fit(tree, train)
    nodes = json.loads(render_json(tree, limits=fitted.limit_tests))["nodes"]
    rejected = [
        not all(accepts(test_, header, cells) for test_ in nodes[leaf]["limits"])
        for leaf, cells in zip(tree.apply(test), test.values, strict=True)
    ]
    assert fitted.reject(test).tolist() == rejected
    assert 0 < sum(rejected) < 40
    parse_dot(render_dot(tree, limits=fitted.limit_tests))


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


@pytest.mark.parametrize("render", [render_text, render_dot, render_json])
def test_no_limits_for_a_forest(render):
    with pytest.raises(OptionError, match="limits: expected with one tree"):
        render(Forest((tree_of(),)), limits=limits_of)
