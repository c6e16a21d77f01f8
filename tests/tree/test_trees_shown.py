"""Trees as text, graph and JSON, without a virtual machine."""

import dataclasses
import json
import re

import numpy as np
import pytest
from support.printed_trees import ODD_NAMES, parse_dot, tree_of
from support.random_trees import random_dataset, random_header, random_mirror, random_tree
from support.written_trees import LE, SUBSET, written_tree

from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.wording import DAY
from wekaconf.methods.transductive._assumed_trees import nodes_on_path, path_conditions
from wekaconf.report.trees import render_dot, render_json, render_text
from wekaconf.tree._forest import Forest
from wekaconf.tree._kinds import Routing, SplitKind


def test_text_of_a_tree():
    assert render_text(tree_of()).replace(r"x\ny", "xy") == (
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
        ("weka.classifiers.trees.J48", "-U -A", "J48_LAPLACE", "J48 unpruned tree", False),
        ("J48", "-B", "J48", "J48 pruned tree", True),
        ("C44", "", "J48_LAPLACE", "J48 unpruned tree", False),
        ("CART", "prune=none", "CART", "CART unpruned tree", False),
        ("CART", "prune=cv", "CART", "CART pruned tree", False),
        ("DecisionTreeClassifier", "", "CART", "DecisionTreeClassifier", False),
        ("Bagging", "-U -- -B", "J48", "J48 pruned tree", True),
        ("Bagging", "-B -U", "J48", "J48 pruned tree", False),
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
    branch[1] = 0.0, 1e-6
    assert "<= 0.3: yes\\ (" in render_text(tree_of(branch_class_weight=branch))
    branch[1] = 0.0, 2e-6
    assert '<= 0.3: n"o (' in render_text(tree_of(branch_class_weight=branch))


def test_empty_leaves_of_random_trees():
    class_weight = np.array([[5.0, 3.0], [4.0, 0.0], [1.0, 3.0], [0.0, 2.0], [1.0, 1.0], [0.0, 0.0]])
    parts = {"class_weight": class_weight, "total": np.ones(6), "learner": "RandomTree"}
    answering, silent = (tree_of(routing=routing, **parts) for routing in ("RANDOMTREE", "RANDOMTREE_UNCLASSIFIED"))
    assert parse_dot(render_dot(answering))[0]["n5"] == 'n"o\n(0.0)'
    assert parse_dot(render_dot(silent))[0]["n5"] == "?\n(0.0)"
    for tree in (answering, silent):
        assert "= }; : yes\\ (0/0)\n" in render_text(tree)  # Weka names the first class
        assert "<= 0.3 : yes\\ (4/0)\n" in render_text(tree)


GROWN = np.array([[3.5, 2.0], [3.0, 0.0], [0.5, 2.0], [0.0, 1.5], [0.5, 0.5], [0.0, 0.0]])
HELD_OUT = np.array([[1.5, 1.0], [1.0, 0.0], [0.5, 1.0], [0.125, 1.0], [0.375, 0.0], [0.0, 0.0]])


def rep_tree(**counts):
    """A REPTree whose classes are those of both parts of the data together."""
    whole = GROWN + HELD_OUT
    sums = whole.sum(axis=1, keepdims=True)
    share = np.divide(whole, sums, out=np.zeros_like(whole), where=sums > 0)
    return tree_of(routing="REPTREE", learner="REPTree", class_weight=share, total=np.ones(6), **counts)


def test_text_of_a_tree_pruned_on_other_instances():
    tree = rep_tree(grown_class_weight=GROWN, held_out_class_weight=HELD_OUT)
    assert render_text(tree).replace(r"x\ny", "xy") == (
        "\n"
        "REPTree\n"
        "============\n"
        "\n"
        'a "b" \\N & &lt; c <= 0.3 : yes\\ (3/0) [1/0]\n'
        'a "b" \\N & &lt; c > 0.3\n'
        '|   n = xy : n"o (1.5/0) [1.13/0.13]\n'
        "|   n = -> : yes\\ (1/0.5) [0.38/0]\n"
        '|   n = }; : n"o (0/0) [0/0]\n'
        "\n"
        "Size of the tree : 6\n"
    )
    labels = parse_dot(render_dot(tree))[0]
    assert labels["n3"] == 'n"o\n(1.5) [1.13/0.13]'
    assert labels["n4"] == "yes\\\n(1.0/0.5) [0.38]"
    nodes = json.loads(render_json(tree))["nodes"]
    assert [node["grown_class_weight"] for node in nodes] == GROWN.tolist()
    assert [node["held_out_class_weight"] for node in nodes] == HELD_OUT.tolist()


def test_a_tree_without_its_counts_prints_none():
    tree = rep_tree()
    assert "\n|   n = -> : yes\\\n" in render_text(tree)
    assert parse_dot(render_dot(tree))[0]["n4"] == "yes\\"
    assert "grown_class_weight" not in json.loads(render_json(tree))["nodes"][0]


def test_dot_says_what_the_text_says_with_cuts_in_full():
    labels, boxes, edges, clusters = parse_dot(render_dot(tree_of()))
    assert labels == {
        "n0": 'a "b" \\N & &lt; c?',
        "n1": "yes\\\n(4.0)",
        "n2": "n?",
        "n3": 'n"o\n(2.13)',
        "n4": "yes\\\n(1.87/0.87)",
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


X, Z = Attribute("x\n"), Attribute("z")
STUMP = Header("stump", (X, Z, Attribute("class", "nominal", ("yes", "n\to"))), 2)


def test_text_of_a_stump():
    """Of missing values Weka speaks last; the tree asks of them before it asks once more."""
    tree = written_tree(STUMP, (0, LE, 0.5, [3, 1], (0, LE, 0.5, [1, 1], [0, 4])), routing="COUNTS")
    assert render_text(tree) == (
        "Decision Stump\n"
        "\n"
        "Classifications\n"
        "\n"
        "x\\n <= 0.5 : yes\n"
        "x\\n > 0.5 : n\\to\n"
        "x\\n is missing : yes\n"
        "\n"
        "Class distributions\n"
        "\n"
        "x\\n <= 0.5\n"
        "yes\tn\\to\t\n"
        "0.75\t0.25\t\n"
        "x\\n > 0.5\n"
        "yes\tn\\to\t\n"
        "0.0\t1.0\t\n"
        "x\\n is missing\n"
        "yes\tn\\to\t\n"
        "0.5\t0.5\t\n"
    )
    _, _, edges, _ = parse_dot(render_dot(tree))
    assert list(edges.values()) == ["<= 0.5", "> 0.5 or missing", "is missing", "> 0.5"]


@pytest.mark.parametrize(
    ("spec", "first", "last"),
    [
        ((0, LE, 0.5, 0, (1, LE, 0.5, 0, 1)), "x\\n <= 0.5: ", "|   z > 0.5: "),
        ((0, LE, 0.5, 0, (0, LE, 0.25, 0, 1)), "x\\n <= 0.5: ", "|   x\\n > 0.25: "),
        ((0, LE, 0.5, (0, LE, 0.5, 0, 1), 1), "x\\n <= 0.5\n", "x\\n > 0.5: "),
        ((0, LE, 0.5, 0, (0, LE, 0.5, (1, LE, 2.0, 0, 1), 1)), "x\\n <= 0.5: ", "|   x\\n > 0.5: "),
        ((0, LE, 0.5, (0, LE, 0.5, 0, 1), (1, LE, 2.0, 0, 1)), "x\\n <= 0.5\n", "|   z > 2: "),
    ],
)
def test_what_is_no_stump(spec, first, last):
    text = render_text(written_tree(STUMP, spec, routing="COUNTS"))
    assert text.split("\n", 3)[3].startswith(first) and text.split("\n\nNumber")[0].split("\n")[-1].startswith(last)


def test_dates_are_written_as_dates():
    day, time = 20222 * DAY, 20222 * DAY + 30_600_000
    attributes = (Attribute("seen", "date", date_format="dd.MM.yyyy"), Attribute("y", "nominal", ("no", "yes")))
    tree = written_tree(Header("visits", attributes, 1), (0, LE, day, (0, LE, day - DAY, 0, 1), (0, LE, time, 0, 1)))
    text, (_, _, edges, _) = render_text(tree), parse_dot(render_dot(tree))
    assert "seen <= 2025-05-14\n|   seen <= 2025-05-13: no (1.0)\n" in text
    assert "seen > 2025-05-14\n|   seen <= 2025-05-14T08:30:00: no (1.0)\n" in text
    assert edges["n0", "n1"] == "<= 2025-05-14" and edges["n2", "n6"] == "> 2025-05-14T08:30:00"
    nodes = json.loads(render_json(tree))["nodes"]
    assert nodes[1]["condition"] == "seen <= 2025-05-14" and nodes[0]["split"]["point"] == day


@pytest.mark.parametrize("routing", Routing)
@pytest.mark.parametrize("seed", range(2))
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
    if tree.routing.keeps_counts:
        assert text.endswith(f"\n\nNumber of Leaves  : \t{len(boxes)}\n\nSize of the tree : \t{len(nodes)}\n")
    else:
        assert text.endswith(f"\n\nSize of the tree : {len(nodes)}\n")


@pytest.mark.parametrize("routing", Routing)
def test_json_rebuilds_the_tree(routing):
    tree = random_mirror(np.random.default_rng(8), routing=routing, max_depth=5, subsets=routing.adds_counts)
    shown = json.loads(render_json(tree))
    assert render_json(tree) == json.dumps(shown, indent=2) + "\n"
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
    spec = (0, SUBSET, [value in inside for value in range(n_values)], [4, 1], [0, 2])
    tree = {"routing": "COUNTS", "learner": "info_gain", **changes}
    return written_tree(Header("paint", attributes, 1), spec, **tree)


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
        (17, range(9), "not in {shade9, shade10, shade11, shade12, shade13, shade14, shade15, shade16}",
         "in {shade9, shade10, shade11, shade12, shade13, shade14, shade15, shade16}"),
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


@pytest.mark.parametrize("routing", ["J48", "REPTREE", "COUNTS"])
def test_explanations_name_branches_as_printed_trees_do(routing):
    """With 6 digits of a number."""
    rng = np.random.default_rng(4)
    train = random_dataset(rng, random_header(rng), 80, 0.1)
    tree = random_tree(rng, train, routing=routing, max_depth=5, subsets=routing == "COUNTS")
    nodes = json.loads(render_json(tree))["nodes"]
    seen = set()
    for row in range(len(train)):
        one = train.take([row])
        path = nodes_on_path(tree, one)
        said = path_conditions(tree, one)
        seen |= set(path[1:])
        shown = [re.sub(r"-?\d+\.\d+$", lambda n: f"{float(n[0]):.6g}", nodes[at]["condition"]) for at in path[1:]]
        assert said == shown
    assert len(seen) > 5
    long = subset_tree(40, {0, 7})
    assert path_conditions(long, Dataset(long.header, [[1.0, 0.0]])) == ["color not in {red, shade7}"]


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
    assert render_text(Forest(trees)).startswith("Bagging\n\nTree 1 of 2\n")
    labels, boxes, edges, clusters = parse_dot(render_dot(forest))
    assert (len(labels), len(boxes), len(edges)) == (12, 8, 10)
    assert edges["t1n0", "t1n1"] == "<= 7.0"
    assert clusters == ["J48 pruned tree 1", "J48 pruned tree 2"]
    assert json.loads(render_json(forest)) == [json.loads(render_json(tree)) for tree in trees]


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


def test_control_characters_in_names_are_escaped_in_text():
    attributes = [
        dataclasses.replace(
            each, name=f"{each.name}\n\x1b[31m", values=tuple(f"{value}\u202e\r" for value in each.values)
        )
        for each in ODD_NAMES.attributes
    ]
    text = render_text(tree_of(dataclasses.replace(ODD_NAMES, attributes=tuple(attributes))))
    assert {c for c in text if not c.isprintable()} <= {"\n", "\t"}
    assert len(text.splitlines()) == len(render_text(tree_of()).splitlines())
    assert r"\n\x1b[31m = " in text and r"\u202e\r: " in text
