"""Reasons are made for many rows at a time; each must read, letter by letter, as if it had been written by itself."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference import reasons_reference
from support.command_line import ARFF
from support.growers import grow, grow_info_gain
from support.method_cases import METHODS, TRANSDUCTIVE, Case, case, each_method, each_method_and_case, fitted
from support.random_trees import made, random_dataset, random_tree
from support.small_data import small
from support.written_trees import LE, written_tree

import wekaconf as wc
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.wording import FEW, apart, cell_texts, cells, counts_apart, number, numbers, numbers_apart
from wekaconf.methods.contract._leaf_reasons import node_classes
from wekaconf.tree._kinds import Routing

NAMES = ("it's", 'a "b" c', "{0} {x}", "100 % %s %(a)d", "two\nlines", "back\\slash", "x" * 80, "a; b, c: d")


def assert_alike(method, data):
    """Asked together, where numbers are written column by column, and in batches too small for that."""
    expected = reasons_reference.reasons(method, data)
    assert list(method.answer(data).grounds) == expected
    for begin in range(0, len(data), FEW // 2):
        few = slice(begin, begin + FEW // 2)
        assert list(method.answer(data.take(np.arange(len(data))[few])).grounds) == expected[few]


@each_method_and_case
def test_generated(name, what):
    assert_alike(fitted(name, what), case(what, name).test)


@each_method
@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("routing", [Routing.J48.value, Routing.REPTREE.value, Routing.COUNTS.value])
def test_names_with_marks_and_numbers_of_any_size(name, missing, routing):
    asked = hostile_case(missing, routing, is_small=name in TRANSDUCTIVE)
    assert_alike(made(name).fit(asked.tree, asked.train), asked.test)


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("id3_max", {"closed": "neither"}, "lies at the edge of"), ("id3_sd", {"alpha": 0.3}, "lies outside"),
        ("boundary_distance", {"norm": "linf", "scaling": "minmax"}, " give "),
        ("confdtree", {"variant": "tdist"}, "both branches answer"),
        ("shrinkage", {"weights": "uniform"}, "the uniform node above the root weighs most"),
        ("curtailment", {"min_weight": 40.0}, "levels above the leaf"),
    ],
)  # fmt: skip
def test_parameters(name, params, words):
    """The training rows are asked, too: their values are the ends of limits."""
    asked = hostile_case(0.05, Routing.J48.value, is_small=False)
    method = made(name, **params).fit(asked.tree, asked.train)
    for data in (asked.test, asked.train):
        assert_alike(method, data)
    assert any(words in text for data in (asked.test, asked.train) for text in method.answer(data).grounds)


@pytest.mark.parametrize("n", [5, 40])
def test_many_values_that_would_have_to_change(n):
    """All six attributes, of which four are named."""
    attributes = tuple(Attribute(f"x{i}") for i in range(6))
    header = Header("r", (*attributes, Attribute("class", "nominal", ("p", "q"))), 6)
    nodes = 1
    for column in reversed(range(6)):
        nodes = (column, LE, 0.0, 0, nodes)
    tree = written_tree(header, nodes)
    cells = np.random.default_rng(0).uniform(-2, -1, (n, 7))
    cells[0], cells[1], cells[:, 6] = 0, np.nextafter(0, 1), 0
    data = Dataset(header, cells)
    method = made("boundary_distance").fit(tree, data)
    assert_alike(method, data)
    assert method.answer(data).grounds[n - 1].endswith(" and 2 more give q")


@each_method
def test_no_rows(name):
    asked = hostile_case(0.0, Routing.J48.value, is_small=name in TRANSDUCTIVE)
    assert_alike(made(name).fit(asked.tree, asked.train), asked.test.take(np.arange(0)))


@pytest.mark.jvm
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    ("file", "learner"),
    [("wdbc", "J48"), ("credit-g", "J48"), ("credit-g", "REPTree"), ("wine", "RandomTree"), ("wdbc", "CART"),
     ("missing-weights", "J48")],
)  # fmt: skip
def test_grown_trees(name, file, learner):
    data = wc.load_arff(ARFF / f"{file}.arff")
    order = np.random.default_rng(0).permutation(len(data))
    test, train = data.take(order[:60]), data.take(order[60:260])
    tree = grow_info_gain(train) if name in TRANSDUCTIVE else grow(train, learner)
    assert_alike(made(name).fit(tree, train), test.take(np.arange(20)) if name in TRANSDUCTIVE else test)


def hostile_case(missing, routing, *, is_small):
    """Hostile names; numbers that are long, tiny, huge or whole, dates, and midpoints of 32-bit floats."""
    values = tuple(f"{name} {i}" for i, name in enumerate(NAMES))
    attributes = (
        *map(Attribute, NAMES[:5]), Attribute("when\n{}", "date"), Attribute('n"%"', "nominal", values),
        Attribute("{m}", "nominal", values[:3]), Attribute("class", "nominal", NAMES[2:5]),
    )  # fmt: skip
    header = Header("hostile", attributes, len(attributes) - 1)
    rng = np.random.default_rng(11)
    n_train, n_test = (60, 12) if is_small else (250, 60)
    data = random_dataset(rng, header, n_train + n_test, missing, weights=True)
    cells = data.values.copy()
    cells[:, 1] /= 3
    cells[:, 2] *= 1.7e-9
    cells[:, 3] = np.rint(cells[:, 3] * 3e9)
    cells[:, 4] = (cells[:, 4].astype(np.float32) + np.float32(1e-3)).astype(np.float64)
    cells[:, 5] = np.rint(cells[:, 5] * 1e10)
    data = replace(data, values=cells)
    train, test = data.take(np.arange(n_train)), data.take(np.arange(n_train, n_train + n_test))
    return Case(grow_info_gain(train) if is_small else random_tree(rng, train, routing=routing), train, test)


# ---- columns of numbers ----

ANY = st.one_of(
    st.floats(allow_nan=False), st.integers(-(10**12), 10**12).map(float), st.floats(-10, 10),
    st.decimals(-1000, 1000, places=3).map(float), st.floats(-1e5, 1e5, width=32),
    st.tuples(st.integers(-(10**7), 10**7), st.integers(-25, 3)).map(lambda pair: float(f"{pair[0]}e{pair[1]}")),
)  # fmt: skip
"""Of every size; whole and short; of 32 bits; and those that most data have."""


@settings(max_examples=200, deadline=None)
@given(st.lists(ANY, min_size=FEW + 1, max_size=FEW + 40))
@example(
    [
        0.12345,
        -0.12345,
        0.123450000001,
        9999.5,
        99995.0,
        1e-5,
        -0.0,
        np.inf,
        -np.inf,
        0.3,
        1 / 3,
        12345.678,
        16.825000762939453,
        35_284_583 / 2**21,
        70_569_165 / 2**22,
    ]
    * 2
)
def test_numbers_of_a_column(values):
    assert numbers(np.array(values)).tolist() == [*map(number, values)]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(ANY, ANY, ANY), min_size=FEW + 1, max_size=FEW + 20), st.integers(0, 3))
@example([(1.23451, 1.23452, 1.23453), (0.1, np.nextafter(0.1, 1), np.inf), (1.72, 1.06, 1.72)] * 7, 2)
def test_numbers_of_rows_that_are_told_apart(rows, ulps):
    for _ in range(ulps):
        rows = [(a, np.nextafter(a, c), c) for a, _, c in rows]
    texts = numbers_apart(*np.array(rows, dtype=float).T)
    assert list(zip(*(column.tolist() for column in texts), strict=True)) == [apart(*map(float, row)) for row in rows]


def test_cells_of_several_attributes():
    rng = np.random.default_rng(5)
    attributes = (Attribute("x"), Attribute("when", "date"), Attribute("n", "nominal", NAMES))
    column = rng.integers(0, 3, 300)
    pairs = [np.where(column == 2, rng.integers(0, len(NAMES), 300), rng.normal(size=300) * 1e11) for _ in range(2)]
    for n in (FEW, 300):
        told = cell_texts(attributes, column[:n], *(values[:n] for values in pairs))
        rows = zip(column[:n].tolist(), *(values[:n].tolist() for values in pairs), strict=True)
        expected = [cells(attributes[j], a, b) for j, a, b in rows]
        assert list(zip(*(texts.tolist() for texts in told), strict=True)) == expected


def test_texts_of_a_data_set_without_rows():
    assert numbers(np.zeros(0)).tolist() == [] and [*map(len, numbers_apart(np.zeros(0), np.zeros(0)))] == [0, 0]


def test_the_classes_of_a_leaf_without_training_rows_are_those_of_its_answer():
    """It answers with the majority of the node above."""
    header = small(x=[1], c=(["a", "b"], ["a"])).header
    found = node_classes(written_tree(header, (0, LE, 1.0, [2.0, 3.0], [0.0, 0.0])))
    assert found.is_filled.tolist() == [True, True, False]
    assert found.holds.tolist() == [[False, True]] * 3


def test_any_weight_fills_a_leaf_and_classes_of_no_weight_are_tied():
    header = small(x=[1], c=(["a", "b"], ["a"])).header
    spec = (0, LE, 1.0, [0.25, 0.5], [0.0, 0.0])
    found = node_classes(written_tree(header, spec, routing=Routing.RANDOMTREE_UNCLASSIFIED))
    assert found.is_filled.tolist() == [True, True, False]
    assert found.largest.tolist() == [1, 1, 0]
    assert found.holds.tolist() == [[False, True], [False, True], [True, True]]


@pytest.mark.parametrize(("weights", "expected"), [
    ((29.9, 17.56), ("30", "18")), ((6.86, 6.538), ("6.9", "6.5")), ((1.2, 1.2), ("1.2", "1.2")),
    ((3.0, 0.0), ("3", "0")), ((2.0, 0.3), ("2", "0.3")),
])  # fmt: skip
def test_instances_in_parts_are_counted_in_whole_numbers_where_these_differ(weights, expected):
    assert counts_apart(*weights) == expected
