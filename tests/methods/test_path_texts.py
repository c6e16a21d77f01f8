"""The decision path of each instance in words: against a walk by itself, and written down for trees made for it."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from support.random_trees import random_dataset, random_header, random_tree
from support.small_data import small
from support.written_trees import EACH, EQUALS, LE, LT, SUBSET, written_tree

import wekaconf as wc
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.methods.contract._explanation.path_texts import MOST_TESTS, path_texts
from wekaconf.tree._forest import Forest
from wekaconf.tree._kinds import Routing, SplitKind

HOLDS = {
    "<=": lambda value, point: value <= point,
    ">": lambda value, point: value > point,
    "<": lambda value, point: value < point,
    ">=": lambda value, point: value >= point,
}


def paths_of(tree, train, rows):
    return wc.LeafFrequency().fit(tree, train).answer(rows).paths[:]


def walk(tree, cells):
    """The nodes of an instance without missing values."""
    nodes = [0]
    while tree.router.attribute[nodes[-1]] >= 0:
        node = nodes[-1]
        nodes.append(int(tree.first_child[node]) + branch_of(tree, node, cells[tree.split_attribute[node]]))
    return nodes


def branch_of(tree, node, value):
    kind, point, chosen = tree.split_kind[node], tree.split_point[node], int(tree.split_value[node])
    match SplitKind(kind):
        case SplitKind.NUMERIC_LE:
            return int(value > point)
        case SplitKind.NUMERIC_LT:
            return int(value >= point)
        case SplitKind.NOMINAL_EACH:
            return int(value)
        case SplitKind.NOMINAL_EQUALS:
            return int(value != chosen)
    return int(not tree.split_subset[chosen + int(value)])


@pytest.mark.parametrize("routing", [Routing.J48, Routing.CART, Routing.REPTREE, Routing.RANDOMTREE])
@pytest.mark.parametrize("seed", range(6))
def test_the_path_is_that_of_the_instance(seed, routing):
    """Each tested column is named once, with its value, which lies within the limits; the leaf is the one reached."""
    rng = np.random.default_rng(seed)
    train = random_dataset(rng, random_header(rng), 80)
    train = replace(train, values=train.values.astype(np.float32).astype(float))  # as CART compares them
    tree = random_tree(rng, train, max_depth=8, routing=routing, subsets=True)
    for text, cells in zip(paths_of(tree, train, train), train.values, strict=True):
        tests, _, ending = text.rpartition("→ ")
        told = [each.strip() for each in tests.split("; ")] if tests else []
        nodes = walk(tree, cells)
        columns = [*dict.fromkeys(int(tree.split_attribute[node]) for node in nodes[:-1])]
        assert [each.split()[0] for each in told] == [train.attributes[column].name for column in columns]
        for each, column in zip(told, columns, strict=True):
            attribute, value = train.attributes[column], cells[column]
            if attribute.is_nominal:
                assert attribute.values[int(value)] in each.split()[1:3], each
                continue
            _, value_text, *limits = each.replace(" and ", " ").split()
            assert float(value_text) == pytest.approx(value, rel=1e-3)
            assert len(limits) in (2, 4)
            for operator, point in zip(limits[::2], limits[1::2], strict=True):
                assert HOLDS[operator](float(value_text), float(point)), each
            points = [tree.split_point[node] for node in nodes if tree.split_attribute[node] == column]
            low, high = (
                [p for p, node in zip(points, [n for n in nodes if tree.split_attribute[n] == column], strict=True)
                 if (nodes[nodes.index(node) + 1] != tree.first_child[node]) == is_low]
                for is_low in (True, False)
            )  # fmt: skip
            expected = ([max(low)] if low else []) + ([min(high)] if high else [])
            assert [float(point) for point in limits[1::2]] == pytest.approx(expected, rel=1e-3)
        assert ending.startswith(train.class_names[int(tree.router.answer[nodes[-1]].argmax())]), ending


def test_numbers_have_the_decimal_mark_of_the_file():
    tree = written_tree(HEADER, (0, LE, 40.5, [0.5, 2], (0, LE, 63.25, [1, 2], [1, 0])))
    answer = wc.LeafFrequency().fit(tree, row(1)).answer(row(41.5).join(row()))
    german = answer.with_decimal(",")
    assert german.paths[0] == "age 41,5 > 40,5 and <= 63,25 → yes (2 of 3)"
    assert answer.paths[0] == german.paths[0].replace(",", ".")
    shared = german.paths[1]
    assert shared.startswith("age is missing, so the branches share the instance: 38,5 % <= 40,5, 61,5 % > 40,5 → yes")


HEADER = Header("wards", (
    Attribute("age"), Attribute("ward", "nominal", ("eye", "ear", "heart")),
    Attribute("seen", "date", date_format="yyyy-MM-dd"), Attribute("again", "nominal", ("no", "yes")),
), 3)  # fmt: skip
DAY = 86_400_000.0


def row(age=math.nan, ward=math.nan, seen=math.nan):
    return Dataset(HEADER, np.array([[age, ward, seen, 0.0]]))


@pytest.mark.parametrize(("spec", "asked", "told"), [
    ((0, LE, 40.0, [3, 1], (1, EACH, None, [1, 0], [2, 0], [1, 2])), row(55, 2),
     "age 55 > 40; ward = heart → yes (2 of 3)"),
    ((0, LE, 80.0, (0, LE, 40.0, [3, 1], (0, LE, 63.0, [1, 2], [1, 0])), [1, 0]), row(55),
     "age 55 > 40 and <= 63 → yes (2 of 3)"),
    ((0, LT, 40.0, [1, 0], (0, LE, 40.0, [0, 1], [1, 0])), row(40), "age 40 >= 40 and <= 40 → yes (1 of 1)"),
    ((0, LE, 40.0, (0, LE, 50.0, [3, 0], [0, 1]), [0, 1]), row(39.9999999), "age 39.9999999 <= 40 → no (3 of 3)"),
    ((1, EQUALS, 0, [0, 1], (1, EQUALS, 1, [0, 1], [4, 2])), row(ward=2), "ward heart != eye and != ear → no (4 of 6)"),
    ((1, EQUALS, 0, [0, 1], (1, EQUALS, 1, [0, 1], [4, 2])), row(ward=1), "ward = ear → yes (1 of 1)"),
    ((1, SUBSET, [True, False, True], [0, 1], [4, 2]), row(ward=2), "ward heart in {eye, heart} → yes (1 of 1)"),
    ((2, LE, 20_000 * DAY, [2.5, 1], [0, 3]), row(seen=19_999 * DAY),
     "seen 2024-10-03 <= 2024-10-04 → no (2.5 of 3.5)"),
    ([3, 1], row(), "→ no (3 of 4)"),
])  # fmt: skip
def test_paths_written_down(spec, asked, told):
    assert paths_of(written_tree(HEADER, spec), row(1, 1, 1), asked) == [told]


def test_a_leaf_without_rows_and_the_distributions_of_reptree():
    asked = row(55, 2)
    empty = written_tree(HEADER, (0, LE, 40.0, [3, 1], [0, 0]))
    assert paths_of(empty, row(1), asked) == ["age 55 > 40 → no (no training rows)"]
    shares = written_tree(HEADER, (0, LE, 40.0, [0.75, 0.25], [0.4, 0.6]), routing=Routing.REPTREE)
    assert paths_of(shares, row(1), asked) == ["age 55 > 40 → yes (60 %)"]
    grown = np.array([[4.0, 4], [3, 1], [1, 3]])
    counted = written_tree(
        HEADER, (0, LE, 40.0, [0.75, 0.25], [0.4, 0.6]), routing=Routing.REPTREE,
        grown_class_weight=grown, held_out_class_weight=grown[::-1],
    )  # fmt: skip
    assert paths_of(counted, row(1), asked) == ["age 55 > 40 → yes (7 of 12)"]


TWO = (0, LE, 40.0, [3, 1], (1, EACH, None, [1, 0], [2, 0], [1, 2]))


@pytest.mark.parametrize(("spec", "asked", "told"), [
    (TWO, row(55), "age 55 > 40; ward is missing, so the branches share the instance: 16.7 % = eye, 33.3 % = ear, "
                   "50 % = heart → no (divided among 3 leaves)"),
    (TWO, row(),
     "age is missing, so the branches share the instance: 40 % <= 40, 60 % > 40 → no (divided among 4 leaves)"),
    (TWO, row(ward=1),
     "age is missing, so the branches share the instance: 40 % <= 40, 60 % > 40 → no (divided among 2 leaves)"),
    ((0, LE, 40.0, (0, LE, 20.0, [0, 0], [3, 1]), [0, 0]), row(),
     "age is missing, and the branch taken then is > 20 and <= 40 → no (3 of 4)"),
])  # fmt: skip
def test_what_the_tree_did_with_a_missing_value(spec, asked, told):
    assert paths_of(written_tree(HEADER, spec), row(1, 1, 1), asked) == [told]


def test_more_columns_than_are_named():
    n = MOST_TESTS + 3
    header = Header("many", (*(Attribute(f"x{i}") for i in range(n)), Attribute("c", "nominal", ("p", "q"))), n)
    spec = [0, 7]
    for i in reversed(range(n)):
        spec = (i, LE, float(i), [1, 0], spec)
    train = Dataset(header, np.array([[*range(1, n + 1), 1.0]]))
    [text] = paths_of(written_tree(header, spec), train, train)
    assert text == "3 tests before; " + "; ".join(f"x{i} {i + 1} > {i}" for i in range(3, n)) + " → q (7 of 7)"


def test_an_answer_that_is_not_the_tree_s_ends_the_path():
    train = small(x=[1.0, 2, 3, 4], c=("pq", "ppqq"))
    tree = written_tree(train.header, (0, LE, 2.5, [2, 0], [1, 2]))
    model = wc.Model(wc.LeafFrequency().fit(tree, train))
    answer = model.answer(train)
    assert answer.paths[3] == "x 4 > 2.5 → q (2 of 3)"
    assert answer.replacing(predicted=np.zeros(4, dtype=np.int64)).paths[3] == (
        "x 4 > 2.5 → q (2 of 3), but the answer is p"
    )


def test_many_instances_have_the_paths_that_each_has_by_itself():
    rng = np.random.default_rng(3)
    train = random_dataset(rng, random_header(rng), 200, 0.2)
    paths = wc.LeafFrequency().fit(random_tree(rng, train, max_depth=6), train).answer(train).paths
    assert paths[:] == [paths[i] for i in range(len(train))]
    assert any("share the instance" in path for path in paths) and not any(
        re.search(r"\bnan\b", each) for each in paths
    )
    assert wc.LeafFrequency().fit(random_tree(rng, train), train).answer(train[:0]).paths[:] == []


def test_forests_have_no_path():
    rng = np.random.default_rng(4)
    train = random_dataset(rng, random_header(rng), 60)
    forest = Forest(tuple(random_tree(rng, train, routing=Routing.RANDOMTREE) for _ in range(2)))
    answer = wc.LeafFrequency().fit(forest, train).answer(train)
    with pytest.raises(wc.OptionError, match="a forest answers by many trees"):
        answer.paths  # noqa: B018


def test_a_leaf_without_an_answer_has_no_class():
    header = small(x=[0.0], c=("pq", ["p"])).header
    tree = written_tree(header, (0, LE, 5.0, [0, 3], [0, 0]), routing=Routing.RANDOMTREE_UNCLASSIFIED)
    texts = path_texts(tree, np.array([[4.0, np.nan], [6.0, np.nan], [6.0, np.nan]]), np.array([1, 1, -1]))
    assert texts.tolist() == ["x 4 <= 5 → q (3 of 3)", "x 6 > 5 → no class, but the answer is q", "x 6 > 5 → no class"]
