"""CART: the mirror answers as scikit-learn does, and the tree is the one that refitting everything chooses."""

import csv
import subprocess
import sys
import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from reference import cart_reference
from sklearn.tree import DecisionTreeClassifier
from support.command_line import ARFF
from support.growers import grow_cart
from support.small_data import small

import wekaconf as wc
from wekaconf.base.errors import Note, OptionError
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arff import load_arff
from wekaconf.learners.cart import _smallest, closing_alphas, sequence
from wekaconf.report.trees import render_text
from wekaconf.tree._kinds import Routing, SplitKind
from wekaconf.tree._router import single_precision_limit

OURS = ["iris", "wine", "wdbc", "waveform-synthetic"]
UCI = ["breast-w", "segment", "vehicle", "sonar", "glass", "diabetes", "banknote-authentication", "ionosphere"]


def matrix_of(data):
    """Inputs with the median for what is missing, class, weights."""
    X = np.delete(data.values, data.class_index, axis=1)
    medians = [np.median(cells[~np.isnan(cells)]) if not np.isnan(cells).all() else 0.0 for cells in X.T]
    return np.where(np.isnan(X), medians, X), data.class_values, data.weights


def refit(data, **options):
    X, y, weights = matrix_of(data)
    return DecisionTreeClassifier(random_state=1, **options).fit(X, y, sample_weight=weights)


def proba_of(classifier, X, n_classes):
    proba = np.zeros((len(X), n_classes))
    proba[:, classifier.classes_] = classifier.predict_proba(X)
    return proba


def random_numeric(seed, n=150, n_classes=3, missing=0.0, weights=False):
    """Numbers that single precision rounds, and a class that depends on them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(scale=10.0 ** rng.integers(-3, 4, size=4), size=(n, 4))
    X[:, 1] = rng.normal(size=n).round(1)
    y = (
        (np.argsort(np.argsort(X[:, 0] / X[:, 0].std() + X[:, 1] / X[:, 1].std() + rng.normal(size=n))))
        * n_classes
        // n
    )
    X[rng.random(X.shape) < missing] = np.nan
    header = Header(
        "random", (*map(Attribute, "abcd"), Attribute("class", "nominal", tuple(f"c{c}" for c in range(n_classes)))), 4
    )
    given = rng.choice([0.3, 1.0, 2.7], size=n) if weights else None
    return Dataset(header, np.column_stack((X, y)), given)


# ---- the mirror ----


def assert_answers_as_sklearn(data, options, **fit):
    tree, classifier = grow_cart(data, options), refit(data, **fit)
    X, _, _ = matrix_of(data)
    np.testing.assert_array_equal(tree.predict_proba(data), proba_of(classifier, X, data.n_classes))
    near = around_thresholds(tree, classifier, data)
    X = np.delete(near.values, near.class_index, axis=1)
    expected = proba_of(classifier, X, data.n_classes)
    np.testing.assert_array_equal(tree.predict_proba(near), expected)
    start = np.zeros(len(near), dtype=np.int32)
    np.testing.assert_array_equal(tree.router.distributions_compiled(near.values, start), expected)
    np.testing.assert_array_equal(tree.predict(near), classifier.classes_[classifier.predict_proba(X).argmax(axis=1)])
    np.testing.assert_array_equal(tree.classify(near), tree.predict(near))
    assert (tree.n_nodes, tree.n_leaves) == (classifier.tree_.node_count, classifier.get_n_leaves())


def around_thresholds(tree, classifier, data):
    """Training rows with one value moved to where single precision begins to round to the other side."""
    rng = np.random.default_rng(0)
    rows, values = [], []
    filled = np.insert(matrix_of(data)[0], data.class_index, data.class_values, axis=1)
    for node in np.flatnonzero(tree.split_kind != SplitKind.LEAF):
        column, point = tree.split_attribute[node], tree.split_point[node]
        assert point in classifier.tree_.threshold
        low = np.float32(point)
        for single in (low, np.nextafter(low, np.float32(np.inf)), np.nextafter(low, np.float32(-np.inf))):
            for end in (np.float64(single), (np.float64(single) + np.float64(low)) / 2, point):
                for value in (end, np.nextafter(end, np.inf), np.nextafter(end, -np.inf)):
                    row = filled[rng.integers(len(data))].copy()
                    row[column] = value
                    rows.append(row)
                    values.append(value)
    assert len(values) >= 27
    return Dataset(data.header, np.array(rows))


@pytest.mark.parametrize("name", OURS)
def test_answers_as_sklearn(name):
    assert_answers_as_sklearn(load_arff(ARFF / f"{name}.arff"), "prune=none")
    assert_answers_as_sklearn(load_arff(ARFF / f"{name}.arff"), "prune=none min_leaf=4", min_samples_leaf=4)


@pytest.mark.parametrize("name", UCI)
def test_answers_as_sklearn_on_uci(uci, name):
    assert_answers_as_sklearn(load_arff(uci / f"{name}.arff"), "prune=none")


@pytest.mark.parametrize("seed", range(5))
def test_answers_as_sklearn_at_random(seed):
    assert_answers_as_sklearn(random_numeric(seed), "prune=none")


def test_limit_is_the_largest_double_that_single_precision_keeps_below():
    rng = np.random.default_rng(3)
    singles = rng.integers(0, 2**32, size=2000, dtype=np.uint32).view(np.float32)
    singles = singles[np.isfinite(singles)]
    points = np.concatenate(
        (
            singles.astype(np.float64),
            rng.normal(size=500) * 10.0 ** rng.integers(-46, 38, size=500),
            (singles[:-1].astype(np.float64) + singles[1:]) / 2,
            [0.0, -0.0, 1e-46, -1e-46, 7e-46, 3.4028234663852886e38, 3.40282357e38, 3.5e38, 1e300, np.inf],
            [-3.4028234663852886e38, -3.40282357e38, -3.5e38, -np.inf, 0.1, 0.5, 1 + 2**-24, 1 + 3 * 2**-24],
        )
    )
    limits = single_precision_limit(points)
    with np.errstate(over="ignore"):
        for point, limit in zip(points, limits, strict=True):
            assert np.float64(np.float32(limit)) <= point
            above = np.nextafter(limit, np.inf)
            assert limit == np.inf or np.float64(np.float32(above)) > point, (point, limit)
    assert np.isnan(single_precision_limit(np.array([np.nan]))).all()


def test_weights_count():
    data = random_numeric(1, weights=True)
    tree, classifier = grow_cart(data, "prune=none min_leaf=5"), refit(data, min_samples_leaf=5)
    X, y, weights = matrix_of(data)
    np.testing.assert_allclose(tree.predict_proba(data), proba_of(classifier, X, 3), rtol=0, atol=1e-12)
    assert not np.allclose(
        tree.predict_proba(data), grow_cart(replace(data, weights=None), "min_leaf=5").predict_proba(data)
    )
    np.testing.assert_allclose(tree.class_weight[0], np.bincount(y, weights), rtol=1e-12)
    np.testing.assert_allclose(tree.total[0], weights.sum(), rtol=1e-12)


def test_no_weight_and_no_class_are_left_out():
    data = random_numeric(2)
    values, weights = data.values.copy(), data.weights.copy()
    values[::7, 4], weights[::5] = np.nan, 0
    with_them = Dataset(data.header, values, weights)
    without = with_them.take((weights > 0) & ~np.isnan(values[:, 4]))
    same_trees(grow_cart(with_them), grow_cart(without))
    with pytest.warns(Note, match=r"22 of 150 instances have no class"):
        wc.grow(with_them, "CART")


def same_trees(first, second):
    for name, array in first.to_arrays()[1].items():
        np.testing.assert_array_equal(array, second.to_arrays()[1][name], err_msg=name)


def test_absent_class_has_a_column():
    data = random_numeric(3, n_classes=3)
    header = replace(
        data.header, attributes=(*data.attributes[:4], Attribute("class", "nominal", ("none", "c0", "c1", "nor", "c2")))
    )
    values = data.values.copy()
    values[:, 4] = np.array([1, 2, 4])[data.class_values]
    tree = grow_cart(Dataset(header, values))
    expected = np.zeros((150, 5))
    expected[:, [1, 2, 4]] = grow_cart(data).predict_proba(data)
    np.testing.assert_array_equal(tree.predict_proba(Dataset(header, values)), expected)
    assert tree.class_weight.shape[1] == 5


def test_nodes_and_counts(iris):
    tree = grow_cart(iris, "leaves=3")
    assert tree.routing == Routing.CART and (tree.learner, tree.options, tree.weka_version) == ("CART", "leaves=3", "")
    assert tree.parent.tolist() == [-1, 0, 0, 2, 2]
    assert tree.total.tolist() == [150, 50, 100, 54, 46]
    assert tree.class_weight.tolist() == [[50, 50, 50], [50, 0, 0], [0, 50, 50], [0, 49, 5], [0, 1, 45]]
    assert not tree.is_empty.any()
    laplace = tree.with_laplace(True)
    assert laplace.routing == Routing.CART_LAPLACE and laplace.with_laplace(True) is laplace
    assert laplace.with_laplace(False).routing == Routing.CART
    np.testing.assert_array_equal(laplace.router.answer[3], [1 / 57, 50 / 57, 6 / 57])


# ---- missing values ----


@pytest.mark.parametrize("seed", range(4))
def test_missing_values_take_the_way_of_the_median(seed):
    data = random_numeric(seed, missing=0.1)
    test = random_numeric(seed + 100, missing=0.4)
    tree, classifier = grow_cart(data, "prune=none"), refit(data)
    medians = np.nanmedian(data.values[:, :4], axis=0)
    filled = np.where(np.isnan(test.values[:, :4]), medians, test.values[:, :4])
    np.testing.assert_array_equal(tree.predict_proba(test), proba_of(classifier, filled, 3))
    start = np.zeros(len(test), dtype=np.int32)
    np.testing.assert_array_equal(
        tree.router.distributions_compiled(test.values, start), proba_of(classifier, filled, 3)
    )
    assert set(tree.branch_weight[1:].tolist()) == {0.0, 1.0}
    assert (tree.branch_weight[1::2] + tree.branch_weight[2::2] == 1).all()
    assert tree.router.enters[1:].tolist() == (tree.branch_weight[1:] == 1).tolist()
    row, _, share = tree.router.paths(test.values)
    assert row.tolist() == list(range(len(test))) and (share == 1).all()


def test_the_median_is_compared_in_single_precision():
    data = small(x=[16777218.0, 16777218, 16777219, 16777219, 16777219, None], y=["n", "n", "p", "p", "p", "p"])
    tree = grow_cart(data, "prune=none")
    assert tree.split_point[0] == 16777219
    assert tree.class_weight.tolist() == [[2, 4], [2, 0], [0, 4]]
    assert tree.predict_proba(data)[-1].tolist() == [0, 1]


def test_attribute_without_a_known_value():
    data = small(a=[None] * 6, b=[1.0, 2, 3, 4, 5, 6], y=["n", "n", "n", "p", "p", "p"])
    tree = grow_cart(data, "prune=none")
    assert tree.n_nodes == 3 and tree.split_attribute[0] == 1


def test_mode_stands_in_for_a_nominal_value():
    data = small(
        colour=["red", "red", "red", "blue", "blue", "green", None, None], y=["n", "n", "n", "p", "p", "p", "p", "n"]
    )
    tree = grow_cart(data, "prune=none nominal=one_hot")
    assert tree.split_kind[0] == SplitKind.NOMINAL_EQUALS and tree.split_value[0] == 0
    assert tree.class_weight[1].tolist() == [4, 1] and tree.branch_weight[1:3].tolist() == [1, 0]
    np.testing.assert_array_equal(tree.predict_proba(data)[6], [0.8, 0.2])


# ---- one-hot ----


def one_hot(data, fill=None):
    columns = []
    for i, attribute in enumerate(data.attributes):
        if i == data.class_index:
            continue
        cells = data.values[:, i] if fill is None else np.where(np.isnan(data.values[:, i]), fill[i], data.values[:, i])
        columns += [cells == v for v in range(len(attribute.values))] if attribute.is_nominal else [cells]
    return np.column_stack(columns).astype(float)


@pytest.mark.parametrize("name", ["vote", "credit-a", "soybean", "zoo"])
def test_one_hot_on_uci(uci, name):
    data = load_arff(uci / f"{name}.arff")
    fill = []
    for i, attribute in enumerate(data.attributes):
        cells = data.values[~np.isnan(data.values[:, i]), i]
        counts = [int((cells == v).sum()) for v in range(len(attribute.values))]
        fill.append(counts.index(max(counts)) if attribute.is_nominal else np.median(cells))
    X, y = one_hot(data, fill), data.class_values
    classifier = DecisionTreeClassifier(random_state=1).fit(X, y)
    tree = grow_cart(data, "prune=none nominal=one_hot")
    np.testing.assert_array_equal(tree.predict_proba(data), proba_of(classifier, X, data.n_classes))
    assert tree.n_nodes == classifier.tree_.node_count


def test_one_hot():
    data = load_arff(ARFF / "credit-g.arff")
    tree = grow_cart(data, "prune=none nominal=one_hot")
    X, y = one_hot(data), data.class_values
    np.testing.assert_array_equal(
        tree.predict_proba(data), DecisionTreeClassifier(random_state=1).fit(X, y).predict_proba(X)
    )
    assert {SplitKind(int(kind)) for kind in tree.split_kind} == {
        SplitKind.LEAF, SplitKind.NUMERIC_LE, SplitKind.NOMINAL_EQUALS,
    }  # fmt: skip


# ---- pruning ----


@pytest.mark.parametrize("name", OURS[:3])
def test_closing_alphas_equal_refits(name):
    assert_closing_alphas(*matrix_of(load_arff(ARFF / f"{name}.arff")))


@pytest.mark.parametrize("name", UCI)
@pytest.mark.drawn(3)
def test_closing_alphas_equal_refits_on_uci(uci, name):
    assert_closing_alphas(*matrix_of(load_arff(uci / f"{name}.arff")))


def test_closing_alphas_equal_refits_at_random():
    for seed in range(6):
        assert_closing_alphas(*matrix_of(random_numeric(seed, n=80, weights=seed % 2 == 0)))
    for seed in (1226, 1823):  # the path of scikit-learn 1.9 falls there, by rounding
        assert_closing_alphas(*matrix_of(small_integers(seed)))
    xor = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3 + [[2, 2]] * 4, dtype=float)
    assert_closing_alphas(xor, np.array([0, 1, 1, 0] * 3 + [0, 1, 0, 1]), np.ones(16))


def assert_closing_alphas(X, y, weights):
    full = DecisionTreeClassifier(random_state=1).fit(X, y, sample_weight=weights)
    closing = closing_alphas(full.tree_)
    path = full.cost_complexity_pruning_path(X, y, sample_weight=weights)
    assert set(closing[np.isfinite(closing)]) == set(np.maximum.accumulate(path.ccp_alphas[1:]))
    on_path = full.decision_path(X).toarray().astype(bool)
    alphas = np.unique(path.ccp_alphas[path.ccp_alphas > 0])
    for alpha in np.unique(np.concatenate((alphas, np.nextafter(alphas, 0), np.sqrt(alphas[1:] * alphas[:-1])))):
        pruned = DecisionTreeClassifier(random_state=1, ccp_alpha=alpha).fit(X, y, sample_weight=weights)
        stops = (on_path & (closing <= alpha)).argmax(axis=1)
        np.testing.assert_array_equal(full.tree_.value[stops, 0], pruned.tree_.value[pruned.apply(X), 0])
        np.testing.assert_array_equal(full.tree_.n_node_samples[stops], pruned.tree_.n_node_samples[pruned.apply(X)])


def assert_same_choice(data, options, classifier):
    tree = grow_cart(data, options)
    X, _, _ = matrix_of(data)
    assert tree.n_leaves == classifier.get_n_leaves()
    np.testing.assert_array_equal(
        np.sort(tree.split_point[~np.isnan(tree.split_point)]),
        np.sort(classifier.tree_.threshold[classifier.tree_.children_left >= 0]),
    )
    np.testing.assert_allclose(tree.predict_proba(data), proba_of(classifier, X, data.n_classes), rtol=0, atol=1e-12)


CHOICES = [("", {}), ("se=1 seed=4", {"se": 1.0, "seed": 4}), ("folds=3 seed=2", {"folds": 3, "seed": 2})]


@pytest.mark.parametrize(("options", "params"), CHOICES)
@pytest.mark.parametrize("name", ["iris", "wine"])
def test_choice_by_cross_validation(name, options, params):
    data = load_arff(ARFF / f"{name}.arff")
    assert_same_choice(data, options, cart_reference.choose(*matrix_of(data), **params))


@pytest.mark.parametrize(("options", "params"), CHOICES)
def test_choice_by_cross_validation_on_uci(uci, options, params):
    data = load_arff(uci / "breast-w.arff")
    assert_same_choice(data, options, cart_reference.choose(*matrix_of(data), **params))


def test_choice_at_random_with_weights():
    sizes = set()
    for seed in range(8):
        data = random_numeric(seed, n=60, weights=seed % 2 == 1)
        params = {"se": [0.0, 0.5][seed // 2 % 2], "seed": seed, "folds": 5}
        options = " ".join(f"{name}={value}" for name, value in params.items())
        chosen = cart_reference.choose(*matrix_of(data), **params)
        assert_same_choice(data, options, chosen)
        sizes.add(chosen.get_n_leaves())
    assert len(sizes) > 2


def test_choice_by_test_sample():
    sizes = set()
    for seed in range(8):
        data = random_numeric(seed, n=90, weights=seed % 2 == 1)
        params = {"se": [0.0, 1.0][seed // 2 % 2], "seed": seed, "test_share": [0.33, 0.5][seed // 4]}
        options = "prune=test " + " ".join(f"{name}={value}" for name, value in params.items())
        chosen = cart_reference.choose_by_test(*matrix_of(data), **params)
        assert_same_choice(data, options, chosen)
        sizes.add(chosen.get_n_leaves())
    assert len(sizes) > 2


def test_the_last_tree_within_standard_errors_of_the_best():
    """Of 100 instances 10 are wrong: the standard error is 3 %, also if each of them has the weight 2."""
    for weight in (1.0, 2.0):
        wrong = weight * np.array([30.0, 10.0, 12.9, 13.1, 50.0])
        for se, chosen in ((0.0, 1), (1.0, 2), (1.1, 3)):
            assert _smallest(wrong, np.full(100, weight), se) == chosen
    assert _smallest(np.array([0.0, 1e-12, 1e-11]), np.ones(1), 1.0) == 1  # no error has no standard error
    fourfold = np.repeat([4.0, 1.0], [20, 20])  # an error of 10 % has the standard error 0.3 · √340 / 100 = 5.53 %
    assert _smallest(np.array([10.0, 15.5, 15.6]), fourfold, 1.0) == 1


def test_leaves_take_the_largest_that_fits(wine):
    X, y, weights = matrix_of(wine)
    sizes = sorted(
        {cart_reference.fit(X, y, weights, a, 1).get_n_leaves() for a in cart_reference.sequence(X, y, weights, 1)}
    )
    assert sizes[0] == 1 and len(sizes) > 3
    for leaves in range(1, sizes[-1] + 3):
        assert grow_cart(wine, f"leaves={leaves}").n_leaves == max(size for size in sizes if size <= leaves)


def test_sequence_is_the_one_of_exact_arithmetic():
    n_tied = 0
    for seed in range(40):
        data = small_integers(seed)
        full = refit(data)
        sizes = sorted(cart_reference.exact_sizes(full))
        found = {grow_cart(data, f"leaves={leaves}").n_leaves for leaves in range(1, sizes[-1] + 3)}
        assert sorted(found) == sizes
        n_tied += len(sizes) < len(set(full.cost_complexity_pruning_path(*matrix_of(data)[:2]).ccp_alphas))
    assert n_tied > 5


def small_integers(seed):
    """Few values, so that many links are equally weak."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, size=(30, 3)), rng.integers(0, 3, size=30)
    attributes = (*map(Attribute, "abc"), Attribute("class", "nominal", ("x", "y", "z")))
    return Dataset(Header("integers", attributes, 3), np.column_stack((X, y)))


@pytest.mark.parametrize(
    ("closing", "expected"),
    [
        ([0.5, 0.1, -np.inf, np.inf, -np.inf], [1e-14, 0.1, 0.5]),
        ([-1e-17, 1e-14, 2e-14], [1e-14, 2e-14]),
        ([1.0, 1 + 1e-9], [1e-14, 1 + 1e-9]),
        ([1.0, 1 + 1.1e-9], [1e-14, 1.0, 1 + 1.1e-9]),
        ([-np.inf], [1e-14]),
    ],
)
def test_links_that_differ_by_rounding_are_closed_together(closing, expected):
    """A relative 1e-9, and all up to 1e-14; the tree of the larger parameter stays."""
    assert sequence(np.array(closing)).tolist() == expected


def test_of_two_trees_that_err_alike_the_smaller_is_chosen():
    """Left out, the fourth is wrong in both trees of the sequence, and no other in either."""
    data = small(x=[1.0, 2, 3, 4], y=["n", "n", "n", "p"])
    assert grow_cart(data, "prune=none").n_nodes == 3
    assert grow_cart(data).n_nodes == 1


def test_the_median_may_be_the_split_point():
    """2 lies between 1 and 3, and a value at most the split point goes to the first branch."""
    tree = grow_cart(small(x=[1.0, 3], y=["n", "p"]), "prune=none")
    assert (tree.split_point[0], tree.branch_weight[1:].tolist()) == (2, [1, 0])


def test_a_split_that_gains_nothing_is_closed_first():
    data = small(x=[0.0, 0, 1, 1, 5, 6], y=["n", "p", "n", "p", "p", "p"])
    assert grow_cart(data, "prune=none").n_leaves == 3
    assert grow_cart(data, "leaves=3").n_leaves == 2


def test_the_weakest_link_by_error_is_the_book_s():
    """Each pruned tree is the smallest of least error plus alpha times leaves, among all that pruning can give."""
    n_other = 0
    for seed in range(12):
        data = small_integers(seed)
        full = grow_cart(data, "prune=none")
        by_error = {n: grow_cart(data, f"leaves={n} prune_by=error") for n in range(1, full.n_leaves + 1)}
        found = {tree.n_leaves: errors_of(tree) for tree in by_error.values()}
        assert found == weakest_links(full)
        n_other += set(found) != {grow_cart(data, f"leaves={n}").n_leaves for n in range(1, full.n_leaves + 1)}
    assert n_other > 5


def errors_of(tree, at=0):
    """The training errors of the leaves below a node, as whole numbers."""
    leaves = [i for i in range(tree.n_nodes) if tree.n_branches[i] == 0]
    return round(sum(tree.total[i] - tree.class_weight[i].max() for i in leaves))


def weakest_links(tree):
    """The leaves and errors of each tree of the sequence: close all weakest links, in fractions, until the root."""
    children = {
        i: range(tree.first_child[i], tree.first_child[i] + 2) for i in range(tree.n_nodes) if tree.n_branches[i]
    }
    wrong = [round(tree.total[i] - tree.class_weight[i].max()) for i in range(tree.n_nodes)]

    def below(node):
        if node not in children:
            return 1, wrong[node]
        return tuple(map(sum, zip(*map(below, children[node]), strict=True)))

    def inner(node):
        return [node, *(each for child in children[node] for each in inner(child))] if node in children else []

    sizes = {}
    while inner(0):
        links = {node: Fraction(wrong[node] - below(node)[1], below(node)[0] - 1) for node in inner(0)}
        weakest = min(links.values())
        if weakest > 0:
            sizes.setdefault(*below(0))
        for node in [node for node, link in links.items() if link == weakest]:
            children.pop(node, None)
    sizes.setdefault(*below(0))
    return sizes


@pytest.mark.parametrize(("leaves", "wrong"), [(7, 23), (4, 34)])
@pytest.mark.parametrize("prune_by", ["gini", "error"])
def test_trees_of_breast_w(uci, leaves, wrong, prune_by):
    data = load_arff(uci / "breast-w.arff")
    tree = grow_cart(data, f"leaves={leaves} prune_by={prune_by}")
    assert tree.n_leaves == leaves
    assert (tree.predict(data) != data.class_values).sum() == wrong


def test_seed_and_rule_matter():
    data = random_numeric(1)
    sizes = [[grow_cart(data, f"seed={seed} se={se}").n_leaves for seed in range(6)] for se in (0, 1)]
    assert len(set(sizes[0])) > 1
    assert all(strict <= loose for loose, strict in zip(*sizes, strict=True)) and sizes[0] != sizes[1]


# ---- what stands on the tree ----


def test_no_java_and_no_early_import():
    code = (
        "import sys, wekaconf as wc\n"
        "assert 'sklearn' not in sys.modules\n"
        f"data = wc.load_arff({str(ARFF / 'iris.arff')!r})\n"
        "tree = wc.grow(data, 'CART', 'folds=3')\n"
        "wc.method('leaf_frequency').fit(tree, data).predict_proba(data)\n"
        "assert 'sklearn' in sys.modules\n"
        "print([name for name in ('jpype', 'javabridge', 'weka') if name in sys.modules])\n"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip() == "[]"


# ---- edges and refusals ----


@pytest.mark.parametrize("options", ["", "prune=none", "leaves=1", "se=1"])
def test_nothing_to_split(options):
    one = small(x=[1.0], y=(["n", "p"], ["p"]))
    one_class = small(x=[1.0, 2, 3], y=(["n", "p"], ["p", "p", "p"]))
    constant = small(x=[1.0, 1, 1], y=["n", "p", "p"])
    no_attribute = small(y=["n", "p", "p"])
    for data, answer in (
        (one, [0, 1]),
        (one_class, [0, 1]),
        (constant, [1 / 3, 2 / 3]),
        (no_attribute, [1 / 3, 2 / 3]),
    ):
        tree = grow_cart(data, options)
        assert tree.n_nodes == 1
        np.testing.assert_array_equal(tree.predict_proba(data), [answer] * len(data))
        assert render_text(tree).startswith("CART")


def test_fewer_instances_than_folds():
    data = small(x=[1.0, 2, 3, 4], y=["n", "n", "p", "p"])
    assert grow_cart(data).n_leaves == cart_reference.choose(*matrix_of(data), folds=4).get_n_leaves()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-C 0.25", "CART -C 0.25: expected parameter=value, got '-C'; the parameters are: prune, prune_by, se, "),
        ("se=-1", "se must be a number from 0 to 1000000, got '-1'"),
        ("folds=1", "folds must be a whole number of at least 2, got '1'"),
        ("test_share=1", "test_share must be a number between 0 and 1, both excluded, got '1'"),
        ("seed=4294967296", "seed must be a whole number from 0 to 4294967295"),
        ("leaves=0", "leaves must be a whole number of at least 1, or none, got '0'"),
        ("min_leaf=0", "min_leaf must be"),
        ("leaves=3 se=1 prune=none", "leaves chooses the tree by its size, so prune, se must be left out"),
        ("leaves=3 folds=9 test_share=0.5", "leaves chooses the tree by its size, so folds, test_share must be left"),
        (7, "CART: expected the options as one text, or as a list of texts, got 7"),
    ],
)
def test_options_that_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        wc.grow(load_arff(ARFF / "iris.arff"), "CART", options)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (small(n=["a", "b"], m=["a", "b"], y=["n", "p"]), "'n', 'm' are nominal: give the option nominal=one_hot"),
        (
            small(x=[1.0, np.inf], y=["n", "p"]),
            "'small': CART compares in single precision, .* and 'x' has larger or infinite values",
        ),
        (small(x=[1.0, 2], z=[-3.5e38, 0], y=["n", "p"]), "and 'z' has larger"),
        (
            small(x=[1.0, 1e39], n=["a", "b"], z=[-np.inf, 0], y=["n", "p"]),
            "^'small': CART takes numeric attributes, and 'n' is nominal: give the option nominal=one_hot; it compares "
            r"in single precision, up to 3\.4e38, and 'x', 'z' have larger or infinite values: make them missing "
            r"\(\?\), or scale them; or use the learner J48$",
        ),
    ],
)
def test_data_that_are_refused(data, message):
    with pytest.raises(OptionError, match=message):
        grow_cart(data, "nominal=refuse")


def test_dates_are_numbers():
    header = Header("d", (Attribute("t", "date", (), "yyyy"), Attribute("y", "nominal", ("n", "p"))), 1)
    data = Dataset(header, [[1.6e12, 0], [1.7e12, 1], [1.61e12, 0], [1.71e12, 1]])
    assert grow_cart(data, "prune=none").predict(data).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("n", "share", "is_enough"), [(4, 0.24, False), (4, 0.25, True), (2, 0.5, True), (3, 0.99, True)]
)
def test_a_test_sample_leaves_some_on_either_side(n, share, is_enough):
    """One instance at least."""
    data = small(x=np.arange(float(n)), y=["n", *["p"] * (n - 1)])
    cart = wc.CART(prune="test", test_share=share)
    if is_enough:
        assert cart.grow(data).total[0] == n - int(n * share)
    else:
        with pytest.raises(OptionError, match=f"prune=test: {n} instances are too few for a test sample of a share of"):
            cart.grow(data)


def test_notes_count_what_they_speak_of():
    """One attribute or several, the class in front or not; data that are refused get none."""
    wide = small("y", y=["n", "p", "p"], a=["u", "v", "w"], b=["u", "v", "w"], x=[None, 1.0, 2.0])
    narrow = small("y", y=["n", "p", "p"], a=["u", "v", "w"], b=["u", "v", "v"])
    for data, messages in (
        (wide, ["2 nominal attributes have more than two values", "1 of 9 values are missing"]),
        (narrow, ["1 nominal attribute has more than two values"]),
    ):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            wc.CART().note(data)
            n_told = len(told)
            wc.CART(nominal="refuse").note(data)
        assert len(told) == n_told == len(messages)
        for warning, message in zip(told, messages, strict=True):
            assert message in str(warning.message)


def test_values_beyond_single_precision_are_answered():
    data = random_numeric(1)
    tree, values = grow_cart(data), data.values.copy()
    column = tree.split_attribute[0]
    values[:, column] = np.where(np.arange(150) % 2, np.inf, -1e300)
    large = values.copy()
    large[:, column] = np.where(np.arange(150) % 2, 1e30, -1e30)
    np.testing.assert_array_equal(
        tree.predict_proba(replace(data, values=values)), tree.predict_proba(replace(data, values=large))
    )


@pytest.mark.parametrize("cart", [wc.CART(), wc.CART(se=1), wc.CART(prune="test"), wc.CART(prune="none")], ids=str)
def test_any_number_of_threads_grows_one_tree(monkeypatch, cart):
    data = random_numeric(5, n=300, weights=True)
    for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
        trees = []
        for number in ("1", "2", "7"):
            monkeypatch.setenv(name, number)
            trees.append(cart.grow(data))
        same_trees(trees[0], trees[1])
        same_trees(trees[0], trees[2])


# -- nominal attributes, in every front end ----------------------------------------------------------------------------


COLOURS = ("blue", "green", "red")


def table(n=120, seed=0):
    """Rows whose class follows from a colour of three, and from a number where it is red."""
    rng = np.random.default_rng(seed)
    colour, number = rng.integers(0, 3, n), rng.integers(0, 50, n)
    label = (colour == 0) | ((colour == 2) & (number > 20))
    return pd.DataFrame(
        {"colour": np.array(COLOURS)[colour], "number": number, "smokes": rng.random(n) < 0.5,
         "class": np.where(label, "yes", "no")}
    )  # fmt: skip


@pytest.fixture
def known(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table().to_csv("known.csv", index=False)
    return wc.load_table("known.csv")


def test_the_default_is_the_option_that_was_needed(known):
    trees = [wc.CART(**given).grow_without_notes(known) for given in ({}, {"nominal": "one_hot"})]
    assert {"colour", "number"} == {known.attributes[i].name for i in set(trees[0].split_attribute) if i >= 0}
    same_trees(*trees)
    with pytest.raises(wc.OptionError, match="'colour', 'smokes' are nominal"):
        wc.CART(nominal="refuse").grow_without_notes(known)


def test_only_attributes_of_three_or_more_values_are_told(known):
    with pytest.warns(
        Note, match=r"known: 1 nominal attribute has more than two values; .* from the others \(nominal=one_hot\)"
    ):
        wc.grow(known, "CART")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wc.grow(known.without(["colour"]), "CART")


def test_a_saved_model_answers_rows_with_the_original_columns(known, run):
    ended = run("predict", "-t", "known.csv", "--learner", "CART", "-d", "m.wct")
    assert ended.code == 0 and "note: known: 1 nominal attribute has more than two values" in ended.err
    new = table(40, 1)
    new[["smokes", "number", "colour"]].to_csv("new.csv", index=False)
    assert run("predict", "-q", "-l", "m.wct", "-T", "new.csv", "-o", "a.csv").code == 0
    with open("a.csv", encoding="utf-8") as stream:
        predicted = [row["predicted"] for row in csv.DictReader(stream)]
    tree = wc.CART().grow_without_notes(known)
    expected = tree.predict(wc.Dataset.from_pandas(new, header=known.header))
    assert predicted == [known.class_names[i] for i in expected]
    assert np.mean(np.array(predicted) == new["class"]) > 0.9
