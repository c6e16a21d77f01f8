"""The inducer: whole trees, paths and all queries at once against the literal reference and one another."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from reference import costa2013_reference as paper
from support.induction_cases import (
    ARFF,
    KINDS,
    PathOnly,
    as_numbers,
    cells,
    instances,
    is_exact,
    numbers,
    questions,
    random_mixed,
    reference_rules,
    reference_shape,
    sample,
    shape_of,
)
from support.small_data import small

from wekaconf.data.arff import load_arff
from wekaconf.learners.info_gain._learning_set import LearningSet, inputs
from wekaconf.learners.info_gain._node_splits import is_admissible, predicted_class, score_of, spread, term
from wekaconf.learners.info_gain._rules import CUTS, SMALLEST_GAIN, Rules
from wekaconf.methods.transductive._base import leaf_counts

SETS = ["autos", "breast-cancer", "colic", "glass", "heart-c", "hepatitis", "labor", "lymph", "vote", "zoo"]
WEIGHTS_AND_GAINS = [(2, 1e-6), (0, 1e-6), (1, 0.05), (3.5, 1e-6), (2, 0.3), (1, 1e-6), (1, SMALLEST_GAIN)]
EVERY_RULE = [
    Rules(cuts, safe_prune, min_weight, min_gain)
    for cuts, safe_prune, (min_weight, min_gain) in itertools.product(CUTS, (True, False), WEIGHTS_AND_GAINS)
]
NOBODY = -1


def assert_same_counts(found, expected, exact):
    """Exact for each query: to the last bit, or up to rounding."""
    found, expected, exact = np.asarray(found), np.array(expected, dtype=float), np.asarray(exact)
    np.testing.assert_array_equal(found[exact], expected[exact])
    np.testing.assert_allclose(found[~exact], expected[~exact], rtol=0, atol=1e-9)


# ---- parts of a decision ----


def test_branches_with_enough_weight():
    """Weights that differ by at most 1e-9 are equal, so that one that is less is none."""
    for least, enough, too_little in ((2.0, 2 - 1e-9, 2 - 1.1e-9), (0.0, 1.1e-9, 1e-9), (0.0, 1.0, 0.0)):
        limits = np.array([least, 1e-6, 1.0])
        assert is_admissible(enough, 9.0, limits) and is_admissible(9.0, enough, limits)
        assert not is_admissible(too_little, 9.0, limits) and not is_admissible(9.0, too_little, limits)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([0, 1], 1), ([2, 1, 2], 0), ([1, 2, 2], 1), ([0, 1e-9], 0), ([0, 1.1e-9], 1), ([0, 0], 0), ([1, 0, 3], 2)],
)
def test_the_class_of_largest_weight(counts, expected):
    assert predicted_class(np.array(counts, dtype=float)) == expected


def test_scores_of_splits():
    """From a table the gain in its units, 8 a bit; else rounded to 2**-30 bits. Here half a bit is just enough."""
    limits, table, none = np.array([2.0, 0.5, 8.0]), np.array([0.0, 0.0, 16.0]), np.zeros(0)
    assert [score_of(gain, 4.0, limits, table) for gain in (15.9, 16.0, 17.0)] == [-np.inf, 16, 17]
    assert [score_of(gain, 4.0, limits, none) for gain in (1.9, 2.0, 4.0)] == [-np.inf, 2**29, 2**30]
    assert score_of(4.0 + 2**-30, 4.0, limits, none) == 2**30
    assert score_of(4.0 + 2**-27, 4.0, limits, none) == 2**30 + 2


def test_terms_of_weights():
    table, none = np.array([0.0, 0.0, 16.0]), np.zeros(0)
    assert [term(weight, none) for weight in (0.0, 0.5, 1.0, 4.0)] == [0, -0.5, 0, 8]
    assert [term(weight, table) for weight in (0.0, 1.0, 2.0)] == [0, 0, 16]
    assert spread(np.array([1.0, 1.0]), 2.0, table) == -16
    assert spread(np.array([1.0, 0.0, 3.0]), 4.0, none) == pytest.approx(3 * np.log2(3) - 8)


# ---- whole trees ----


def assert_same_tree(data, rules, withheld=()):
    D = instances(data)
    is_other = np.ones(len(D), dtype=bool)
    is_other[list(withheld)] = False
    found = shape_of(LearningSet.of(data).grow(rules, is_other))
    expected = reference_shape(paper.grow(D, reference_rules(data.header, rules), set(withheld)))
    assert questions(found) == questions(expected)
    assert_same_counts(numbers(found), numbers(expected), np.full(len(numbers(found)), is_exact(D)))
    return found


@pytest.mark.parametrize("seed", range(36))
def test_whole_trees_of_random_sets(seed):
    missing, weights = KINDS[seed % len(KINDS)]
    data = random_mixed(seed, 50, missing=missing, weights=weights)
    for i, rules in enumerate(EVERY_RULE[seed % 5 :: 5]):
        assert_same_tree(data, rules, range(i % 4 * 3))


@pytest.mark.parametrize("name", SETS)
@pytest.mark.drawn(4)
def test_whole_trees_of_real_sets(uci, name):
    data = sample(uci / f"{name}.arff", 80)
    for i, rules in enumerate(EVERY_RULE[SETS.index(name) % 3 :: 3]):
        assert_same_tree(data, rules, range(i % 4 * 5))


@pytest.mark.parametrize("name", ["iris", "wine", "credit-g", "missing-weights", "coins"])
def test_whole_tree_of_a_set(name):
    data = load_arff(ARFF / f"{name}.arff").take(slice(0, 400))
    assert len(questions(assert_same_tree(data, Rules()))) > 0


# ---- paths ----


def assert_answers_by_path(data, asked, rules, queries, *, is_outside=False, withheld=True):
    """Against the reference's trees; ``asked`` is ``data`` unless they are outside."""
    D, declared, values = instances(data), reference_rules(data.header, rules), cells(inputs(asked))
    expected, exact = [], []
    for i, label in queries:
        others = D if is_outside else D[:i] + D[i + 1 :]
        joined = others if label == NOBODY else [*others, (values[i], label, 1)]
        tree = paper.grow(joined, declared, len(others) if withheld and label != NOBODY else None)
        expected.append(paper.counts_at(tree, values[i]))
        exact.append(is_exact(joined) and None not in values[i])
    learning, columns = PathOnly.of(data), np.array(queries, dtype=np.int64).T
    if is_outside:
        found = learning.outside_counts(rules, inputs(asked), *columns, withheld=withheld)
    else:
        found = learning.left_out_counts(rules, *columns, withheld=withheld)
    assert_same_counts(found, expected, exact)


def some_queries(rng, data, n, *, labelled=False):
    """Instances, each without a label unless ``labelled``, with its own and with two others, in no order."""
    own, without = data.class_values, set() if labelled else {NOBODY}
    queries = [
        (int(i), int(label))
        for i in rng.permutation(len(data))[:n]
        for label in without | {int(own[i]), *rng.integers(0, data.n_classes, 2).tolist()}
    ]
    return [queries[i] for i in rng.permutation(len(queries))]


@pytest.mark.parametrize("seed", range(42))
@pytest.mark.drawn(6)
def test_paths_in_random_sets(seed):
    missing, weights = KINDS[seed % len(KINDS)]
    data = random_mixed(seed, 60, missing=missing, weights=weights)
    train, asked = data.take(slice(0, 40)), data.take(slice(40, None))
    rng = np.random.default_rng(seed)
    for withheld, rules in zip((True, False), EVERY_RULE[seed % 21 :: 21], strict=True):
        for rule in (rules, replace(rules, cuts="class-boundary")):
            queries = some_queries(rng, train, 2, labelled=not withheld)
            assert_answers_by_path(train, train, rule, queries, withheld=withheld)
            queries = some_queries(rng, asked, 2, labelled=not withheld)
            assert_answers_by_path(train, asked, rule, queries, is_outside=True, withheld=withheld)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.drawn(4)
def test_paths_in_real_sets(uci, name):
    data = sample(uci / f"{name}.arff", 57, seed=1)
    train, asked = data.take(slice(0, 45)), data.take(slice(45, None))
    rng = np.random.default_rng(2)
    for i, rules in enumerate(EVERY_RULE[SETS.index(name) % 5 :: 5]):
        withheld = i % 3 > 0
        queries = some_queries(rng, train, 1, labelled=not withheld)
        assert_answers_by_path(train, train, rules, queries, withheld=withheld)
        queries = some_queries(rng, asked, 1, labelled=not withheld)
        assert_answers_by_path(train, asked, rules, queries, is_outside=True, withheld=withheld)


@pytest.mark.parametrize("seed", range(18))
def test_answers_do_not_depend_on_what_else_is_asked(seed):
    missing, weights = KINDS[seed % len(KINDS)]
    data = random_mixed(seed, 90, missing=missing, weights=weights)
    learning, asked = PathOnly.of(data.take(slice(0, 50))), inputs(data.take(slice(50, None)))
    rules = EVERY_RULE[seed % 3 :: 3][seed % 14]
    i, label = some_order(40, range(-1, data.n_classes))
    together = learning.outside_counts(rules, asked, i, label)
    left_out = learning.left_out_counts(rules, i, label)
    for n in range(0, len(i), 7):
        one, its_label = i[n : n + 1], label[n : n + 1]
        alone = learning.outside_counts(rules, asked[:, one], np.zeros(1, dtype=np.int64), its_label)
        np.testing.assert_array_equal(together[n], alone[0])
        np.testing.assert_array_equal(left_out[n], learning.left_out_counts(rules, one, its_label)[0])


@pytest.mark.parametrize("cuts", CUTS)
def test_a_gain_of_one_bit_is_counted_to_the_last_digit(cuts):
    """Rounded logarithms of 9 and 18 give a little less. An x without a label may have missing values."""
    data, rules = small(x=[0] * 9 + [1] * 9, c=["a"] * 9 + ["b"] * 9), Rules(cuts, min_gain=1.0)
    zero, one, nobody = (np.array([label]) for label in (0, 1, NOBODY))
    learning, others = PathOnly.of(data), PathOnly.of(data[1:])
    assert learning.left_out_counts(rules, zero, zero).tolist() == [[9, 0]]
    assert learning.left_out_counts(rules, zero, one).tolist() == [[8, 10]]
    assert others.outside_counts(rules, np.zeros((1, 1)), zero, zero).tolist() == [[9, 0]]
    assert learning.outside_counts(rules, np.full((1, 1), np.nan), zero, nobody).tolist() == [[4.5, 4.5]]


@pytest.mark.parametrize("cuts", CUTS)
def test_x_without_a_label_is_absent(cuts):
    """So its values are no cuts either, withheld or not."""
    data = random_mixed(3, 40)
    rules, rows, without = Rules(cuts, safe_prune=False, min_weight=1), np.arange(40), np.full(40, NOBODY)
    for learning in (PathOnly.of(data), LearningSet.of(as_numbers(data))):
        others = learning.left_out_counts(rules, rows, without)
        np.testing.assert_array_equal(learning.left_out_counts(rules, rows, without, withheld=False), others)
        asked = learning.columns + 0.01 * (learning.n_values == 0)[:, None]
        outside = learning.outside_counts(rules, asked, rows, without)
        np.testing.assert_array_equal(learning.outside_counts(rules, asked, rows, without, withheld=False), outside)


@pytest.mark.parametrize("name", [*SETS[::2], "diabetes", "ionosphere", "tic-tac-toe", "vehicle"])
def test_paths_in_large_sets_end_where_whole_trees_do(uci, name):
    data = sample(uci / f"{name}.arff", 1000)
    rng = np.random.default_rng(3)
    for rules in EVERY_RULE[SETS.index(name) % 3 if name in SETS else 0 :: 6]:
        queries = np.array(some_queries(rng, data, 3))
        found = PathOnly.of(data).left_out_counts(rules, *queries.T)
        expected, exact = [], []
        for i, label in queries:
            x, others = data.take([i]), data.take(np.delete(np.arange(len(data)), i))
            learning = LearningSet.of(others if label == NOBODY else others.join(x.with_class_values(label)))
            tree = learning.grow(rules, np.arange(len(learning)) < len(others))
            expected.append(leaf_counts(tree, x)[0])
            exact.append(bool(learning.is_complete.all() and not np.isnan(inputs(x)).any()))
        assert_same_counts(found, expected, exact)


# ---- all queries at once ----


def assert_all_queries(learning, asked, rules, labels):
    """As by path, the leaf of every training instance and of every one outside."""
    assert not learning.hindrance
    by_path = PathOnly(learning.header, learning.columns, learning.target, learning.weight)
    for withheld in (True, False):
        labels = [label for label in labels if withheld or label != NOBODY]
        i, label = some_order(len(learning), labels)
        np.testing.assert_array_equal(
            learning.left_out_counts(rules, i, label, withheld=withheld),
            by_path.left_out_counts(rules, i, label, withheld=withheld),
        )
        i, label = some_order(asked.shape[1], labels)
        np.testing.assert_array_equal(
            learning.outside_counts(rules, asked, i, label, withheld=withheld),
            by_path.outside_counts(rules, asked, i, label, withheld=withheld),
        )


def some_order(n, labels):
    """n instances with every label, in no order."""
    order = np.random.default_rng(0).permutation(n * len(labels))
    return np.repeat(np.arange(n), len(labels))[order], np.tile(labels, n)[order]


@pytest.mark.parametrize("seed", range(24))
def test_all_queries_in_random_sets(seed):
    data = as_numbers(random_mixed(seed, 90))
    train, asked = LearningSet.of(data.take(slice(0, 60))), inputs(data.take(slice(60, None)))
    for rules in EVERY_RULE[seed % 3 :: 3]:
        assert_all_queries(train, asked, rules, range(-1, data.n_classes))


@pytest.mark.parametrize("name", ["iris", "glass", "wine", "vehicle", "segment"])
@pytest.mark.drawn(3)
def test_all_queries_in_real_sets(uci, name):
    data = sample(uci / f"{name}.arff", 300)
    n = len(data) * 3 // 4
    train, asked = LearningSet.of(data.take(slice(0, n))), inputs(data.take(slice(n, None)))
    for rules in EVERY_RULE[len(data) % 3 :: 3 if len(data) < 200 else 10]:
        assert_all_queries(train, asked, rules, [NOBODY, *train.present[:3]])
