"""The numpy form, the compiled form and Weka's own recursion, written down, answer alike on random trees."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from random_trees import random_dataset, random_header, random_tree
from reference import weka_recursion

from wekaconf import compiled
from wekaconf.dataset import Dataset
from wekaconf.errors import HeaderMismatchError, OptionError
from wekaconf.routing import COMPILED_FROM
from wekaconf.tree import Routing, SplitKind


def random_case(seed, routing, missing=0.25):
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=1 + seed % 6, n_classes=2 + seed % 3)
    classes = [0] if seed % 7 == 0 else None
    train = random_dataset(rng, header, 60, missing=0.1, weights=seed % 2 == 0, classes=classes)
    tree = random_tree(rng, train, max_depth=seed % 8, routing=routing)
    return tree, train, random_dataset(rng, header, 30, missing=missing)


@pytest.mark.parametrize("routing", Routing)
def test_three_forms_answer_alike(routing):
    empty_leaves = 0
    for seed in range(60):
        tree, _, test = random_case(seed, routing)
        start = np.zeros(len(test), dtype=np.int32)
        literal = np.array([weka_recursion.distribution(tree, cells) for cells in test.values])
        np.testing.assert_array_equal(tree.router.distributions_numpy(test.values, start), literal)
        np.testing.assert_array_equal(compiled.distributions(tree.router, test.values, start), literal)
        empty_leaves += (tree.is_empty & (tree.split_kind == SplitKind.LEAF)).any()
    assert empty_leaves > 20


@pytest.mark.parametrize("routing", [Routing.J48, Routing.J48_LAPLACE, Routing.REPTREE])
def test_empty_children_are_passed_over_whatever_their_share(routing):
    for seed in range(40):
        tree, _, test = random_case(seed, routing)
        may = np.arange(tree.n_nodes) > 0 if routing.is_j48 else tree.split_kind == SplitKind.LEAF
        flagged = tree.is_empty | (may & (np.random.default_rng(seed).random(tree.n_nodes) < 0.2))
        flagged[0] = False
        record, arrays = tree.to_arrays()
        odd = type(tree).from_arrays(tree.header, record, arrays | {"is_empty": flagged})
        start = np.zeros(len(test), dtype=np.int32)
        literal = np.array([weka_recursion.distribution(odd, cells) for cells in test.values])
        np.testing.assert_array_equal(odd.router.distributions_numpy(test.values, start), literal)
        np.testing.assert_array_equal(compiled.distributions(odd.router, test.values, start), literal)


def test_large_batches_are_answered_alike():
    tree, _, test = random_case(9, Routing.J48)
    large = test.take(np.resize(np.arange(len(test)), COMPILED_FROM))
    np.testing.assert_array_equal(
        tree.predict_proba(large), np.resize(tree.predict_proba(test), (COMPILED_FROM, tree.header.n_classes))
    )


def test_small_batches_load_no_compiler():
    code = (
        "import sys, numpy as np\n"
        "from random_trees import random_dataset, random_mirror\n"
        "rng = np.random.default_rng(0)\n"
        "tree = random_mirror(rng)\n"
        "tree.predict_proba(random_dataset(rng, tree.header, 100, 0.1))\n"
        "print([name for name in ('numba', 'scipy', 'sklearn', 'jpype') if name in sys.modules])\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


def test_start_nodes():
    for seed in range(8, 40):
        tree, _, test = random_case(seed, Routing.J48)
        inner = np.flatnonzero(tree.split_kind != SplitKind.LEAF)
        if not len(inner):
            continue
        start = np.resize(inner, len(test)).astype(np.int32)
        literal = np.array(
            [
                [weka_recursion.get_probs(tree, node, c, cells, 1.0, False) for c in range(tree.header.n_classes)]
                for node, cells in zip(start, test.values.tolist(), strict=True)
            ]
        )
        np.testing.assert_array_equal(tree.router.distributions_numpy(test.values, start), literal)
        np.testing.assert_array_equal(compiled.distributions(tree.router, test.values, start), literal)


def test_classify_is_weka_s_loop():
    for seed in range(60):
        tree, _, test = random_case(seed, (Routing.J48, Routing.J48_LAPLACE)[seed % 2])
        literal = [weka_recursion.classify_j48(tree, cells) for cells in test.values]
        np.testing.assert_array_equal(tree.classify(test), literal)


def test_apply_is_where_weka_s_membership_ends():
    for seed in range(60):
        tree, _, test = random_case(seed, Routing.J48, missing=0.1)
        for node, cells in zip(tree.apply(test), test.values, strict=True):
            shares = weka_recursion.membership(tree, cells)
            path = np.flatnonzero(shares)
            asked = tree.split_attribute[path[tree.n_branches[path] > 0]]
            assert node == (-1 if np.isnan(cells[asked]).any() else path[-1])


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("routing", [Routing.J48, Routing.RANDOMTREE])
def test_infinite_values_are_ordinary_numbers(routing, value):
    tree, _, test = random_case(13, routing)
    values = test.values.copy()
    numeric = [a for a, attribute in enumerate(test.attributes) if not attribute.is_nominal]
    values[:, numeric] = value
    literal = [weka_recursion.distribution(tree, cells) for cells in values]
    np.testing.assert_array_equal(tree.predict_proba(Dataset(test.header, values)), literal)


def test_whole_instances():
    for seed in range(40):
        tree, train, _ = random_case(seed, Routing.J48)
        visits = dict(tree.whole_instances(train))
        assert list(visits) == np.flatnonzero(tree.split_kind != SplitKind.LEAF).tolist()
        for node, rows in visits.items():
            expected = []
            for row, cells in enumerate(train.values):
                at = 0
                while at != node and tree.n_branches[at]:
                    branch = weka_recursion.which_subset(tree, at, cells)
                    if branch == -1:
                        break
                    at = tree.first_child[at] + branch
                if at == node and weka_recursion.which_subset(tree, node, cells) >= 0:
                    expected.append(row)
            assert rows.tolist() == expected


def test_arrays_are_read_only_and_round_trip():
    tree, _, test = random_case(5, Routing.J48_LAPLACE)
    with pytest.raises(ValueError, match="read-only"):
        tree.class_weight[0, 0] = 7
    record, arrays = tree.to_arrays()
    again = type(tree).from_arrays(tree.header, record, arrays)
    np.testing.assert_array_equal(again.predict_proba(test), tree.predict_proba(test))
    assert again.to_arrays()[0] == record


def test_with_laplace():
    tree, _, test = random_case(11, Routing.J48)
    smoothed = tree.with_laplace(True)
    assert smoothed.with_laplace(True) is smoothed
    literal = [weka_recursion.distribution(smoothed, cells) for cells in test.values]
    np.testing.assert_array_equal(smoothed.predict_proba(test), literal)
    assert not np.array_equal(smoothed.predict_proba(test), tree.predict_proba(test))
    np.testing.assert_array_equal(smoothed.with_laplace(False).predict_proba(test), tree.predict_proba(test))
    np.testing.assert_array_equal(smoothed.classify(test), tree.classify(test))
    with pytest.raises(OptionError, match="use J48"):
        random_case(11, Routing.REPTREE)[0].with_laplace(True)


def test_other_header_is_refused():
    tree, _, test = random_case(5, Routing.J48)
    other = random_dataset(np.random.default_rng(1), random_header(np.random.default_rng(1), 7), 5)
    for ask in (tree.predict_proba, tree.classify, tree.apply, lambda data: list(tree.whole_instances(data))):
        with pytest.raises(HeaderMismatchError, match="attributes of the training data"):
            ask(other)
    assert len(tree.predict_proba(test.take([]))) == 0


@pytest.mark.parametrize(
    ("name", "node", "value", "message"),
    [
        ("parent", 1, 1, "parent"),
        ("first_child", 0, 2, "breadth-first"),
        ("n_branches", 0, 3, "breadth-first"),
        ("n_branches", -1, 2, "a leaf has branches"),
        ("split_attribute", 0, 99, "no attribute 99"),
        ("split_kind", 0, int(SplitKind.NOMINAL_EACH), "does not fit"),
        ("split_kind", 0, 9, "kind 9"),
    ],
)
def test_contradicting_arrays_are_refused(name, node, value, message):
    rng = np.random.default_rng(0)
    train = random_dataset(rng, random_header(rng, 1), 60)
    tree = random_tree(rng, train, max_depth=2)
    record, arrays = tree.to_arrays()
    broken = arrays[name].copy()
    broken[node] = value
    with pytest.raises(ValueError, match=message):
        type(tree).from_arrays(tree.header, record, arrays | {name: broken})


def test_wrong_shape_is_refused():
    tree, _, _ = random_case(9, Routing.J48)
    record, arrays = tree.to_arrays()
    with pytest.raises(ValueError, match="class_weight: expected"):
        type(tree).from_arrays(tree.header, record, arrays | {"class_weight": arrays["class_weight"][:, :1]})
    with pytest.raises(ValueError):
        type(tree).from_arrays(tree.header, record, {name: array[:0] for name, array in arrays.items()})


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser can become nobody")
def test_compiled_where_nothing_can_be_written():
    """Numba finds no place for its cache: compile without one."""
    code = (
        "import os, numba, numpy as np\n"
        "import wekaconf.routing\n"
        "numba.njit(lambda a: np.zeros(len(a), dtype=np.int64))(np.zeros(1, np.int32))\n"  # loads what nobody may read
        "os.setuid(65534)\n"
        "from wekaconf import compiled\n"
        "assert compiled.tree_depth.stats.cache_path is None\n"
        "print(compiled.tree_depth(np.array([1, -1, -1], np.int32), np.array([2, 0, 0], np.int32)))\n"
    )
    environment = {**os.environ, "HOME": "/nonexistent"}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert ended.stdout == "1\n", ended.stderr
