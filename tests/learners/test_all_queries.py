"""All queries at once against the literal reference, one tree a query; and against themselves, asked otherwise."""

import numpy as np
import pytest
from reference import costa2013_reference as paper

from wekaconf.data.arff import load_arff
from wekaconf.learners.info_gain import _all_queries as module
from wekaconf.learners.info_gain._all_queries import BLOCKS_PER_CORE, IN_BLOCKS, all_queries
from wekaconf.learners.info_gain._learning_set import inputs

CUTS = ["class-boundary", "all", "others"]
"""The reference's names of our 0, 1, 2."""


def expected(values, target, n_classes, rules, label, *, row=None, test_values=None, which=None):
    """One tree a query."""
    D = [(tuple(cells), int(c), 1) for cells, c in zip(values.tolist(), target, strict=True)]
    kinds = (0,) * values.shape[1]
    rules = paper.Rules(kinds, n_classes, **{**rules, "cuts": CUTS[rules["cuts"]]})
    trees, answers = {}, []
    for q, c in enumerate(label):
        at = row[q] if row is not None else which[q]
        if (at, c) not in trees:
            others = D if row is None else D[:at] + D[at + 1 :]
            x = D[at][0] if row is not None else tuple(test_values[at].tolist())
            tree = paper.grow(others, rules) if c < 0 else paper.grow([*others, (x, int(c), 1)], rules, len(others))
            trees[at, c] = paper.counts_at(tree, x)
        answers.append(trees[at, c])
    return np.array(answers, dtype=float).reshape(len(label), n_classes)


def assert_as_expected(values, target, n_classes, rules, label, **x):
    found = all_queries(values, target, n_classes, label=label, **rules, **x)
    np.testing.assert_array_equal(found, expected(values, target, n_classes, rules, label, **x))


def in_any_order(rng, n, n_classes, at_most):
    """Every one of n instances with every label and with none, some of them, and some twice."""
    which, label = np.divmod(rng.permutation(n * (n_classes + 1))[:at_most], n_classes + 1)
    return np.append(which, which[:3]), np.append(label, label[:3]) - 1


def random_set(rng):
    """Few values and many ties, or none; equal rows of several classes; constants; classes without instances."""
    n_classes, n, n_attributes = int(rng.integers(2, 6)), int(rng.integers(2, 41)), int(rng.integers(1, 5))
    highest = int(rng.choice([1, 2, 3, 5, 8, 1000]))
    values = rng.integers(0, highest, (n, n_attributes)).astype(float)
    if rng.random() < 0.2:
        values[:, rng.integers(n_attributes)] = 3.0
    target = rng.integers(0, rng.integers(1, n_classes + 1), n)
    if rng.random() < 0.6:  # what can be learned, with some noise
        target = np.where(rng.random(n) < 0.8, values[:, 0] > highest / 2, target).astype(np.int64)
    return values, target, n_classes, highest


def random_rules(rng, cuts):
    return {
        "cuts": cuts,
        "safe_prune": bool(rng.integers(2)),
        "min_weight": float(rng.choice([0, 1, 1.5, 2, 3, 5])),
        "min_gain": float(rng.choice([1e-6, 1e-6, 0.1])),
    }


@pytest.mark.parametrize("cuts", [0, 1, 2])
@pytest.mark.parametrize("seed", range(24))
def test_leaving_one_out(seed, cuts):
    rng = np.random.default_rng(seed)
    values, target, n_classes, _ = random_set(rng)
    row, label = in_any_order(rng, len(values), n_classes, 50)
    assert_as_expected(values, target, n_classes, random_rules(rng, cuts), label, row=row)


@pytest.mark.parametrize("cuts", [0, 1, 2])
@pytest.mark.parametrize("seed", range(70, 90))
def test_instances_outside(seed, cuts):
    """Their values are those of instances, lie between them or beyond them."""
    rng = np.random.default_rng(seed)
    values, target, n_classes, highest = random_set(rng)
    shape = (int(rng.integers(1, 16)), values.shape[1])
    test_values = rng.integers(-1, highest + 1, shape) + rng.choice([0, 0, 0.5], shape)
    which, label = in_any_order(rng, len(test_values), n_classes, 40)
    assert_as_expected(values, target, n_classes, random_rules(rng, cuts), label, test_values=test_values, which=which)


@pytest.mark.parametrize("cuts", [0, 1, 2])
@pytest.mark.parametrize("seed", range(16))
def test_many_outside_of_few(seed, cuts):
    """At small nodes only those with a class may be split on; the others' values are then nobody's."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 8))
    values, target = rng.integers(0, 4, (n, 2)).astype(float), rng.integers(0, 2, n)
    test_values = rng.integers(-1, 9, (12, 2)) / 2
    which, label = in_any_order(rng, 12, 2, 24)
    rules = {"cuts": cuts, "safe_prune": False, "min_weight": 2.0, "min_gain": 1e-6}
    assert_as_expected(values, target, 2, rules, label, test_values=test_values, which=which)


@pytest.mark.parametrize("cuts", [0, 1, 2])
def test_outside_of_a_single_instance(cuts):
    """The two are apart only if a branch may hold one of them."""
    values, target, x = np.zeros((1, 1)), np.zeros(1, dtype=np.int64), np.ones((1, 1))
    for min_weight in (1.0, 2.0, 3.0, 9.0):
        rules = {"cuts": cuts, "safe_prune": False, "min_weight": min_weight, "min_gain": 1e-6}
        asked = {"label": np.array([1]), "test_values": x, "which": np.array([0])}
        assert_as_expected(values, target, 2, rules, **asked)


@pytest.mark.parametrize("cuts", [0, 1, 2])
@pytest.mark.parametrize("safe_prune", [True, False])
@pytest.mark.parametrize("min_weight", [1, 3])
@pytest.mark.parametrize("spread", [1, 9])
def test_alone_among_another_class(cuts, safe_prune, min_weight, spread):
    """Large pure nodes, where x is driven to a corner; equal values there too."""
    rng = np.random.default_rng(min_weight)
    values = np.round(spread * rng.normal(size=(40, 3)))
    target = (np.arange(40) < 20).astype(np.int64)
    values[:20, 2] += 9 * spread
    rules = {"cuts": cuts, "safe_prune": safe_prune, "min_weight": min_weight, "min_gain": 1e-6}
    row, label = np.repeat(np.arange(40), 2), np.tile([0, 2], 40)
    assert_as_expected(values, target, 3, rules, label, row=row)
    test_values = np.append(values[::9] + 0.5, values[::9], axis=0)
    which, label = np.repeat(np.arange(len(test_values)), 2), np.tile([1, 2], len(test_values))
    assert_as_expected(values, target, 3, rules, label, test_values=test_values, which=which)


@pytest.mark.parametrize(
    "columns", [[[2, 1, 3, 0, 1, 1, 2], [0, 3, 0, 1, 0, 1, 0]], [[2, 2, 2, 1, 2, 3, 2], [0, 0, 2, 0, 3, 1, 3]]]
)
def test_corners_of_one_size(columns):
    """Two attributes cut off equally many, and what is left of them differs: the lower one cuts."""
    values, target = np.array(columns, dtype=float).T.copy(), np.zeros(7, dtype=np.int64)
    rules = {"cuts": 1, "safe_prune": False, "min_weight": 2.0, "min_gain": 1e-6}
    assert_as_expected(values, target, 2, rules, target + 1, row=np.arange(7))


@pytest.mark.parametrize("cuts", [0, 1, 2])
def test_a_leaf_of_another_class_beside_prevents_pruning(cuts):
    """Beside the leaf of x, most are of its class, but one more split has a leaf of the other class."""
    columns = [[6, 2, 3, 6, 4, 4, 5], [6, 6, 5, 4, 4, 5, 5]]
    values, target = np.array(columns, dtype=float).T.copy(), np.array([1, 0, 0, 0, 0, 1, 0])
    rules = {"cuts": cuts, "safe_prune": True, "min_weight": 2.0, "min_gain": 1e-6}
    x = {"row": np.array([1]), "label": np.array([0])}
    assert_as_expected(values, target, 2, rules, **x)
    assert all_queries(values, target, 2, **rules, **x).tolist() == [[2, 0]]


@pytest.mark.parametrize("cuts", [0, 1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_pruning_where_there_are_more_attributes_than_instances(cuts, seed):
    rng = np.random.default_rng(seed)
    values, target = rng.integers(0, 3, (7, 12)).astype(float), rng.integers(0, 2, 7)
    rules = {"cuts": cuts, "safe_prune": True, "min_weight": 1.0, "min_gain": 1e-6}
    assert_as_expected(values, target, 2, rules, np.repeat([0, 1], 7), row=np.tile(np.arange(7), 2))


@pytest.mark.parametrize("cuts", [0, 1, 2])
@pytest.mark.parametrize(("min_gain", "is_split"), [(1.0, True), (1 + 1e-9, False)])
def test_a_gain_that_is_just_enough(cuts, min_gain, is_split):
    """Two pure branches of two classes gain one bit per instance, to the last digit."""
    values, target = np.arange(4.0)[:, None], np.array([0, 0, 1, 1])
    rules = {"cuts": cuts, "safe_prune": True, "min_weight": 1.0, "min_gain": min_gain}
    x = {"test_values": np.array([[-1.0], [0.5], [9.0]]), "which": np.array([0, 1, 2])}
    nobody = np.full(3, -1)
    assert_as_expected(values, target, 2, rules, nobody, **x)
    found = all_queries(values, target, 2, label=nobody, **rules, **x).tolist()
    assert found == ([[2, 0], [2, 0], [0, 2]] if is_split else [[2, 2]] * 3)
    for which in range(3):  # alone
        alone = all_queries(
            values, target, 2, label=nobody[:1], **rules, test_values=x["test_values"], which=np.array([which])
        )
        assert alone.tolist() == [found[which]]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(("min_weight", "leaf"), [(2, [6, 0]), (3, [6, 2])])
def test_no_cut_between_values_of_one_class(first, min_weight, leaf):
    """The one boundary between classes leaves two instances; where those are too few, there is no other cut."""
    values = np.array([0, 0, 1, 1, 1, 2, 3, 3.0])[:, None]
    target = np.array([0, 0, 0, 0, 0, 0, 1, 1]) ^ first
    rules = {"cuts": 0, "safe_prune": False, "min_weight": min_weight, "min_gain": 1e-6}
    x = {"test_values": np.array([[-1.0], [1.0]]), "which": np.array([0, 1])}
    nobody = np.full(2, -1)
    assert_as_expected(values, target, 2, rules, nobody, **x)
    assert all_queries(values, target, 2, label=nobody, **rules, **x).tolist() == [leaf[:: -1 if first else 1]] * 2


@pytest.mark.parametrize("cuts", [0, 1, 2])
@pytest.mark.parametrize("name", ["iris", "glass", "wine"])
@pytest.mark.drawn(4)
def test_real_sets(uci, name, cuts):
    """All instances are asked about, a few of them are looked up."""
    data = load_arff(uci / f"{name}.arff")
    values, target = np.ascontiguousarray(inputs(data).T), data.class_values
    rng = np.random.default_rng(cuts)
    rules = {"cuts": cuts, "safe_prune": True, "min_weight": 2.0, "min_gain": 1e-6}
    row, label = in_any_order(rng, len(values), data.n_classes, len(values) * (data.n_classes + 1))
    found = all_queries(values, target, data.n_classes, label=label, row=row, **rules)
    some = slice(0, 5)
    wanted = expected(values, target, data.n_classes, rules, label[some], row=row[some])
    np.testing.assert_array_equal(found[some], wanted)
    inside, outside = values[::2], values[1::2]
    which, label = in_any_order(rng, len(outside), data.n_classes, len(outside) * (data.n_classes + 1))
    x = {"test_values": outside, "which": which}
    found = all_queries(inside, target[::2], data.n_classes, label=label, **x, **rules)
    x["which"] = which[some]
    np.testing.assert_array_equal(found[some], expected(inside, target[::2], data.n_classes, rules, label[some], **x))


@pytest.mark.parametrize("cuts", [0, 1, 2])
def test_long_path(cuts):
    """Classes that take turns make a tree as deep as the set is large."""
    values, target = np.arange(70.0)[:, None], np.arange(70) % 2
    rules = {"cuts": cuts, "safe_prune": False, "min_weight": 1.0, "min_gain": 1e-6}
    row, label = np.repeat([0, 1, 35, 69], 3), np.tile([-1, 0, 1], 4)
    assert_as_expected(values, target, 2, rules, label, row=row)


@pytest.mark.parametrize("cuts", [0, 1, 2])
def test_shared_out_or_asked_one_by_one(cuts):
    """Enough queries to be shared out among cores, and the same a part at a time."""
    rng = np.random.default_rng(3)
    n = 4000
    target = rng.integers(0, 3, n)
    values = np.round(rng.normal(size=(n, 6)) + target[:, None], 2)
    row, label = in_any_order(rng, n, 3, n * 3)
    rules = {"cuts": cuts, "safe_prune": True, "min_weight": 2.0, "min_gain": 1e-6}
    assert len(row) * values.size > IN_BLOCKS
    progress = []
    found = all_queries(values, target, 3, label=label, row=row, on_progress=lambda *now: progress.append(now), **rules)
    done = [number for number, total in progress if total == len(row)]
    assert len(done) == len(progress) >= BLOCKS_PER_CORE and done == sorted(set(done)) and done[-1] == len(row)
    parts = np.array_split(np.arange(len(row)), 40)
    assert len(parts[0]) * values.size < IN_BLOCKS
    for part in parts:
        answers = all_queries(values, target, 3, label=label[part], row=row[part], **rules)
        np.testing.assert_array_equal(answers, found[part])


@pytest.mark.parametrize("n_threads", [1, 3])
def test_shared_out_among_so_many_cores(monkeypatch, n_threads):
    """On one core, too, large sets are answered in blocks, between which progress is told."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", str(n_threads))
    rng = np.random.default_rng(4)
    values, target = np.round(rng.normal(size=(60, 3)), 1), rng.integers(0, 3, 60)
    row, label = in_any_order(rng, 60, 3, 200)
    rules = {"cuts": 0, "safe_prune": True, "min_weight": 2.0, "min_gain": 1e-6}
    at_once = all_queries(values, target, 3, label=label, row=row, **rules)
    monkeypatch.setattr(module, "IN_BLOCKS", 0)
    progress = []
    found = all_queries(values, target, 3, label=label, row=row, on_progress=lambda *now: progress.append(now), **rules)
    np.testing.assert_array_equal(found, at_once)
    ends = np.cumsum([len(part) for part in np.array_split(row, BLOCKS_PER_CORE * n_threads)])
    assert progress == [(end, len(row)) for end in ends]


def test_one_query_alone():
    """What an instance is answered does not depend on who else is asked about."""
    rng = np.random.default_rng(5)
    values, target = rng.integers(0, 9, (50, 3)).astype(float), rng.integers(0, 3, 50)
    for cuts in (0, 1, 2):
        rules = {"cuts": cuts, "safe_prune": True, "min_weight": 2.0, "min_gain": 1e-6}
        row, label = in_any_order(rng, 50, 3, 200)
        found = all_queries(values, target, 3, label=label, row=row, **rules)
        for q in range(len(row)):
            alone = all_queries(values, target, 3, label=label[q : q + 1], row=row[q : q + 1], **rules)
            np.testing.assert_array_equal(alone[0], found[q])


@pytest.mark.parametrize("cuts", [0, 1, 2])
def test_next_to_nothing(cuts):
    """No queries, no attributes, one instance, one class."""
    rules = {"cuts": cuts, "safe_prune": True, "min_weight": 1.0, "min_gain": 1e-6}
    values, target = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 0])
    none = np.zeros(0, dtype=np.int64)
    assert all_queries(values, target, 2, label=none, row=none, **rules).shape == (0, 2)
    every, label = np.repeat(np.arange(3), 3), np.tile([-1, 0, 1], 3)
    wide = values[:, :0]
    assert_as_expected(wide, target, 2, rules, label, row=every)
    assert_as_expected(wide, target, 2, rules, label, test_values=np.zeros((3, 0)), which=every)
    first, label = np.zeros(3, dtype=np.int64), np.array([-1, 0, 1])
    assert all_queries(values[:1], target[:1], 2, label=label, row=first, **rules).tolist() == [[0, 0], [1, 0], [0, 1]]
    assert_as_expected(values[:1], target[:1], 2, rules, label, test_values=values[1:], which=first)
    assert_as_expected(values, target * 0, 2, rules, np.tile(label, 3), row=every)
