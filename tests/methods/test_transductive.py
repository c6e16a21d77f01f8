"""TPCE, Kukar & Kononenko and the learners they stand on: against the literal reference, literal loops, bad input."""

import itertools
import math
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from reference import costa2013_reference as paper
from support.growers import grow_cart, grow_info_gain
from support.induction_cases import (
    ARFF,
    KINDS,
    as_numbers,
    assert_close,
    cells,
    instances,
    is_exact,
    present,
    random_mixed,
    reference_rules,
    sample,
)
from support.small_data import small
from support.written_trees import LE, SUBSET, written_tree

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.data.arff import load_arff
from wekaconf.learners.info_gain import InfoGain
from wekaconf.learners.info_gain._learning_set import LearningSet, inputs
from wekaconf.learners.info_gain._rules import Rules
from wekaconf.methods.contract._leaves_one_out import LeavesOneOut
from wekaconf.methods.contract._method import Method
from wekaconf.methods.transductive._assumed_trees import first_difference, nodes_on_path, path_conditions
from wekaconf.methods.transductive._base import batches
from wekaconf.methods.transductive._kukar_kononenko import KukarKononenko, best_separation
from wekaconf.methods.transductive._tpce import TPCE
from wekaconf.tree._kinds import Routing

RULES = [
    Rules(),
    Rules("all", safe_prune=False, min_weight=1),
    Rules("with-x", min_gain=0.05),
    Rules("class-boundary", safe_prune=False, min_weight=3.5),
]
SHORT = sorted(name for name, known in Method.registry.items() if issubclass(known, LeavesOneOut))
"""Methods that leave an instance out by themselves."""


def options_of(rules):
    return (
        f"cuts={rules.cuts} safe_prune={str(rules.safe_prune).lower()} min_weight={rules.min_weight} "
        f"min_gain={rules.min_gain}"
    )


def fitted(method, data, options=""):
    return method.fit(grow_info_gain(data, options), data)


def parts(seed, n=70, n_train=55):
    """Training data and others, of every kind in turn."""
    missing, weights = KINDS[seed % len(KINDS)]
    data = random_mixed(seed, n, missing=missing, weights=weights)
    if seed % 3 == 0:
        data = as_numbers(data)
    return data.take(slice(0, n_train)), data.take(slice(n_train, None))


def reference_answers(train, asked, rules):
    D = instances(train)
    labels = present(D)
    declared = reference_rules(train.header, rules)
    proba = np.zeros((len(asked), train.n_classes))
    for i, x in enumerate(cells(inputs(asked))):
        proba[i, labels] = paper.tpce(D, x, labels, declared)
    return proba


def one_out(data, i):
    return data.take(np.delete(np.arange(len(data)), i)), data.take([i])


# ---- Equation 1 ----


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.drawn(6)
def test_equation_1_on_random_sets(seed):
    train, asked = parts(seed)
    rules, asked = RULES[seed % len(RULES)], asked.take(slice(0, 5))
    expected = reference_answers(train, asked, rules)
    others = options_of(replace(rules, cuts="all" if rules.cuts == "with-x" else "with-x"))
    for method, options in [(TPCE(), options_of(rules)), (TPCE(cuts=rules.cuts), others)]:
        assert_close(fitted(method, train, options).predict_proba(asked), expected)


@pytest.mark.parametrize("name", ["iris", "wine", "credit-g", "missing-weights", "coins"])
def test_equation_1_on_real_sets(name):
    data = sample(ARFF / f"{name}.arff", 130)
    train, asked = data.take(slice(0, 120)), data.take(slice(120, 124))
    assert_close(fitted(TPCE(), train).predict_proba(asked), reference_answers(train, asked, Rules()))


def test_alpha_and_cuts():
    train = small(x=[1, 2, 3, 4, 12, 13, 14, 15], **{"class": (["r", "n", "p"], [*"nnnn", *"pppp"])})
    asked = small(x=[8], **{"class": (["r", "n", "p"], [None])})
    # the paper's Figure 3: x is right of the only cut whatever its label: (1, 4) or (0, 5)
    of_present = fitted(TPCE(), train).predict_proba(asked)
    assert_close(of_present, [[0, (2 / 7 + 1 / 7) / 2, (5 / 7 + 6 / 7) / 2]])
    half = fitted(TPCE(alpha=0.5), train).predict_proba(asked)
    assert_close(half, [[0, (1.5 / 6 + 0.5 / 6) / 2, (4.5 / 6 + 5.5 / 6) / 2]])
    with_x = fitted(TPCE(cuts="with-x"), train).predict_proba(asked)
    assert_close(with_x, [[0, (6 / 7 + 1 / 7) / 2, (1 / 7 + 6 / 7) / 2]])
    np.testing.assert_array_equal(fitted(TPCE(), train).certainty(asked), of_present.max(axis=1))


def test_the_tree_may_have_laplace_leaves():
    train, asked = parts(3)
    tree = grow_info_gain(train)
    smooth = grow_info_gain(train, "laplace=true")
    for method in (TPCE(), KukarKononenko()):
        ask = type(method).certainty
        np.testing.assert_array_equal(
            ask(type(method)().fit(smooth, train), asked), ask(type(method)().fit(tree, train), asked)
        )
    assert_close(KukarKononenko().fit(smooth, train).predict_proba(asked), smooth.predict_proba(asked))


# ---- leaving one out ----


def long_way(name, params, data, options, rows):
    """The method fitted on the tree without the instance, and what it says of it."""
    found = []
    for i in rows:
        others, x = one_out(data, i)
        tree = grow_info_gain(others, options)
        method = Method.registry[name](**params).fit(tree, others)
        found.append((method.predict_proba(x), method.ranking(x), method.certainty(x), tree.predict_proba(x)))
    return map(np.concatenate, zip(*found, strict=True))


def test_these_methods_leave_one_out():
    assert SHORT == ["kukar_kononenko", "tpce"]
    assert TPCE().can_leave_one_out and TPCE(batch=True).can_leave_one_out and KukarKononenko().can_leave_one_out
    assert not TPCE(inner="J48").can_leave_one_out


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("name", SHORT)
def test_leave_one_out_is_the_long_way(name, seed):
    """For instances without which every class remains; the short way keeps the classes of all."""
    data, _ = parts(seed)
    options = options_of(RULES[seed % len(RULES)]) + (" laplace=true" if seed % 5 == 0 else "")
    method = fitted(Method.registry[name](), data, options)
    is_one_of_several = np.bincount(data.class_values)[data.class_values] > 1
    rows = np.random.default_rng(seed).permutation(np.flatnonzero(is_one_of_several))[:15]
    short = method.leave_one_out(rows)
    for part, expected in zip(short, long_way(name, {}, data, options, rows), strict=True):
        assert_close(part, expected)
        if is_exact(instances(data)):
            np.testing.assert_array_equal(part, expected)


def test_a_batch_of_one_left_out(iris):
    rows = np.arange(0, 150, 7)
    short = fitted(TPCE(batch=True), iris).leave_one_out(rows)
    for part, expected in zip(short, long_way("tpce", {"batch": True}, iris, "", rows), strict=True):
        assert_close(part, expected)


def test_leaving_out_keeps_the_classes_of_all_instances():
    """As the paper's C: the only instance of a class may still have been of it."""
    data = small(x=[1, 2, 3, 4, 5, 6, 7], **{"class": [*"aaabbb", "c"]})
    short = fitted(TPCE(), data).leave_one_out()
    expected = paper.tpce_leave_one_out(instances(data), [0, 1, 2], reference_rules(data.header))
    assert_close(short.proba, expected)
    assert short.proba[6, 2] > 0 and short.baseline[6, 2] == 0


def test_what_cannot_leave_one_out_says_so():
    data = load_arff(ARFF / "iris.arff").take(slice(0, 150, 5))
    with pytest.raises(OptionError, match=r"TPCE\(inner='CART'\) has no short way to leave one instance out; evaluate"):
        TPCE(inner="CART").fit(grow_cart(data), data).leave_one_out()


@pytest.mark.parametrize("name", SHORT)
def test_the_only_instance_cannot_be_left_out(name):
    data = small(x=[1.0], **{"class": (["a", "b"], ["a"])})
    with pytest.raises(OptionError, match=f"{name}: the only training instance cannot be left out"):
        fitted(Method.registry[name](), data).leave_one_out()


# ---- published and measured numbers ----


def measured(proba, data):
    labels = [*range(data.n_classes)]
    P, actual = proba.tolist(), data.class_values.tolist()
    return paper.brier(P, actual, labels), paper.auc(P, actual, labels), paper.auc_reliability_of(P, actual, labels)


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("iris", "", (0.0338, 0.9775, 0.7324)),
        ("iris", "cuts=all", (0.0572, 0.9828, 0.7532)),
        ("wine", "", (0.0498, 0.9907, 0.8505)),
    ],
)
def test_leave_one_out_of_all(name, options, expected):
    data = load_arff(ARFF / f"{name}.arff")
    assert measured(fitted(TPCE(), data, options).leave_one_out().proba, data) == pytest.approx(expected, abs=1.5e-3)


def test_leave_one_out_of_all_without_safe_prune(iris):
    proba = fitted(TPCE(), iris, "safe_prune=false cuts=all").leave_one_out().proba
    assert measured(proba, iris)[0] == pytest.approx(0.0954, abs=1.5e-3)


def test_plain_tree_of_iris(iris):
    left_out = fitted(TPCE(), iris, "cuts=all").leave_one_out()
    assert measured(left_out.baseline, iris) == pytest.approx((0.0309, 0.9531, 0.4740), abs=1.5e-3)


# ---- the whole batch ----


@pytest.mark.parametrize("seed", range(12))
def test_batch(seed):
    train, asked = parts(seed)
    rules, labels = RULES[seed % len(RULES)], present(instances(train))
    method = fitted(TPCE(batch=True, seed=seed), train, options_of(rules))
    permutations = np.random.default_rng(seed).permuted(np.tile(labels, (len(asked), 1)), axis=1).tolist()
    assert all(sorted(own) == labels for own in permutations)
    expected = np.zeros((len(asked), train.n_classes))
    expected[:, labels] = paper.batch(
        instances(train), cells(inputs(asked)), permutations, labels, reference_rules(train.header, rules)
    )
    assert_close(method.predict_proba(asked), expected)


@pytest.mark.parametrize("seed", range(8))
def test_batch_of_one_instance(seed):
    train, asked = parts(seed)
    together, alone = fitted(TPCE(batch=True), train), fitted(TPCE(), train)
    for i in range(4):
        assert_close(together.predict_proba(asked.take([i])), alone.predict_proba(asked.take([i])))


# ---- Kukar & Kononenko ----


@pytest.mark.parametrize("seed", range(16))
def test_reliability(seed):
    train, asked = parts(seed)
    rules, D = RULES[seed % len(RULES)], instances(train)
    declared, labels, asked = reference_rules(train.header, rules), present(D), asked.take(slice(0, 6))
    method = fitted(KukarKononenko(), train, options_of(rules))
    expected = [paper.kukar_kononenko(D, x, labels, declared) for x in cells(inputs(asked))]
    assert method.predict(asked).tolist() == [predicted for predicted, _ in expected]
    assert_close(method.certainty(asked), [certainty for _, certainty in expected])
    assert method.threshold is None
    np.testing.assert_array_equal(method.predict_proba(asked), method.tree_.predict_proba(asked))


def test_values_of_the_instance_cut_like_others():
    """Plain tree: <= 3, x is in (1 a, 2 b); with (x, b) <= 1.5 is a class boundary of its own, x is in (0, 2)."""
    train = small(x=[1, 2, 3, 4, 5, 6], **{"class": [*"babaab"]})
    asked = small(x=[1.5], **{"class": ([*"ba"], [None])})
    # P = (2/5, 3/5), Q = (1/4, 3/4): J = .15 * log2(8/5) + .15 * log2(5/4) = .15
    assert fitted(KukarKononenko(), train).certainty(asked).tolist() == pytest.approx([2**-0.15])


def literal_threshold(reliability, is_correct, weight):
    """Half way over the gap whose two sides, the upper one more often correct, tell best; 0 without a gain."""

    def weigh(rows):
        n = sum(weight[i] for i in rows)
        share = sum(weight[i] for i in rows if is_correct[i]) / n
        return n, share, -sum(p * math.log2(p) for p in (share, 1 - share) if p > 1e-12)

    rounded = [round(value, 12) for value in reliability]
    everyone, best = range(len(rounded)), (1e-9, 0.0)
    n, _, whole = weigh(everyone)
    for low, high in itertools.pairwise(sorted(set(rounded))):
        n_below, below, entropy_below = weigh([i for i in everyone if rounded[i] <= low])
        n_above, above, entropy_above = weigh([i for i in everyone if rounded[i] > low])
        gain = n * whole - n_below * entropy_below - n_above * entropy_above
        if above > below and gain > best[0] + 1e-9:
            best = gain, (low + high) / 2
    return best[1]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.drawn(4)
def test_supervised_threshold(seed):
    train, asked = parts(seed, 60, 45)
    D, labels = instances(train), present(instances(train))
    declared = reference_rules(train.header)
    found = paper.leave_one_out(D, lambda others, x: paper.kukar_kononenko(others, x, labels, declared))
    expected = literal_threshold(
        [certainty for _, certainty in found],
        [predicted == c for (predicted, _), (_, c, _) in zip(found, D, strict=True)],
        [weight for _, _, weight in D],
    )
    method = fitted(KukarKononenko(supervised=True), train)
    assert method.threshold == pytest.approx(expected, abs=1e-9)
    assert method.reject(asked).tolist() == (method.certainty(asked) < method.threshold).tolist()


def test_supervised_thresholds_are_of_both_kinds(wine):
    cuts = [fitted(KukarKononenko(supervised=True), parts(seed, 60, 45)[0]).threshold for seed in range(8)]
    assert max(cuts) > 0.5
    kept = fitted(KukarKononenko(supervised=True), wine)
    assert (kept.predict(wine) == wine.class_values)[~kept.reject(wine)].mean() > 0.9


@pytest.mark.parametrize(
    ("reliability", "is_correct", "expected"),
    [
        # <= .2 and <= .6 tell equally much
        ([0.8, 0.2, 0.4, 0.6], [True, False, True, False], 0.3),
        # <= .4 tells all, but those below are right
        ([0.2, 0.4, 0.6, 0.8], [True, True, False, False], 0),
        ([0.2, 0.4, 0.6, 0.8], [False, False, True, True], 0.5),
        # a difference of rounding is none
        ([0.3, 0.1 + 0.2], [False, True], 0),
    ],
)
def test_threshold_by_hand(reliability, is_correct, expected):
    reliability, is_correct = np.array(reliability), np.array(is_correct)
    assert best_separation(reliability, is_correct, np.ones(len(reliability))) == pytest.approx(expected)
    assert literal_threshold(reliability, is_correct, np.ones(len(reliability))) == pytest.approx(expected)


def test_nothing_is_rejected_where_nothing_is_gained():
    separable = small(x=[*[1] * 10, *[2] * 10], **{"class": [*"aaaaaaaaaabbbbbbbbbb"]})
    assert fitted(KukarKononenko(supervised=True), separable).threshold == 0
    alone = small(x=[1.0], **{"class": (["a", "b"], ["a"])})
    assert fitted(KukarKononenko(supervised=True), alone).threshold == 0


@pytest.mark.parametrize(("weight", "threshold"), [(5e-10, 0.0), (6e-10, 0.5)])
def test_a_gain_of_a_billionth_of_a_bit_is_none(weight, threshold):
    assert best_separation(np.array([0.25, 0.75]), np.array([False, True]), np.full(2, weight)) == threshold


# ---- trees of other learners ----


def counts_at_leaf(tree, row, node=0):
    """Summed class weights where an instance ends, in proportion to the branches' weights where it is split up."""
    if tree.n_branches[node] == 0:
        return tree.class_weight[node]
    first, n = int(tree.first_child[node]), int(tree.n_branches[node])
    value = row[tree.split_attribute[node]]
    if np.isnan(value):
        shares = tree.branch_weight[first : first + n] / tree.branch_weight[first : first + n].sum()
        return sum(share * counts_at_leaf(tree, row, first + b) for b, share in enumerate(shares))
    branch = int(tree.router.branches(np.array([node]), np.array([value]))[0])
    return counts_at_leaf(tree, row, first + branch)


def joined_trees(train, asked, labels, grow_one):
    """For every instance the training data with it, label by label, and the tree grown on them."""
    for i in range(len(asked)):
        for label in labels:
            joined = train.join(asked.take([i]).with_class_values(label))
            yield i, joined, grow_one(joined)


def mean_over_labels(train, asked, grow_one, answer):
    labels = present(instances(train))
    proba = np.zeros((len(asked), train.n_classes))
    for i, joined, tree in joined_trees(train, asked, labels, grow_one):
        proba[i] += answer(tree, joined, asked.take([i]), labels) / len(labels)
    return proba


def with_laplace(tree, _joined, x, labels):
    counts = counts_at_leaf(tree, x.values[0])[labels]
    wide = np.zeros(tree.header.n_classes)
    wide[labels] = (counts + 1) / (counts.sum() + len(labels))
    return wide


@pytest.mark.parametrize(("name", "options"), [("iris", ""), ("missing-weights", "-U -M 1"), ("credit-g", "-C 0.1")])
def test_inner_j48(jvm, name, options):
    data = sample(ARFF / f"{name}.arff", 130)
    train, asked = data.take(slice(0, 120)), data.take(slice(120, None))
    method = TPCE(inner="J48").fit(wc.grow(train, "J48", options), train)
    expected = mean_over_labels(train, asked, lambda joined: wc.grow(joined, "J48", options), with_laplace)
    assert_close(method.predict_proba(asked), expected)
    assert method.learner == ("J48", "")
    with pytest.raises(OptionError, match=r"TPCE\(inner='J48'\) has no short way"):
        method.leave_one_out()


def test_another_inner_learner_in_a_process_that_has_only_unpickled(tmp_path):
    train = sample(ARFF / "iris.arff", 40)
    method, asked = TPCE(inner="CART").fit(grow_cart(train), train), train.take([0, 9])
    (tmp_path / "pickled").write_bytes(pickle.dumps((method, asked)))
    code = (
        "import pickle, sys; method, asked = pickle.load(sys.stdin.buffer); print(method.predict_proba(asked).tolist())"
    )
    with (tmp_path / "pickled").open("rb") as file:
        finished = subprocess.run([sys.executable, "-c", code], stdin=file, capture_output=True, text=True, check=False)
    assert finished.stdout.strip() == str(method.predict_proba(asked).tolist()), finished.stderr


def test_inner_without_class_counts(jvm, iris):
    with pytest.raises(OptionError, match="REPTree stores no class counts"):
        TPCE(inner="REPTree").fit(wc.grow(iris, "REPTree"), iris)


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_inner_cart(name):
    data = sample(ARFF / f"{name}.arff", 110)
    train, asked = data.take(slice(0, 100)), data.take(slice(100, None))
    options = "prune=none min_leaf=3"
    method = TPCE(inner="CART").fit(grow_cart(train, options), train)
    expected = mean_over_labels(train, asked, lambda joined: grow_cart(joined, options), with_laplace)
    assert_close(method.predict_proba(asked), expected)


def grown_without_values_of_the_last(rules):
    def grow_one(joined):
        learning = LearningSet.of(joined)
        return learning.grow(rules, np.arange(len(learning)) < len(learning) - 1)

    return grow_one


def test_laplace_leaf_is_the_same_grown_in_full():
    """Paths and whole trees are two ways to the same leaf."""
    for seed in range(8):
        train, asked = parts(seed)
        rules = RULES[seed % len(RULES)]
        labels = present(instances(train))
        proba = mean_over_labels(train, asked, grown_without_values_of_the_last(rules), with_laplace)
        assert not proba[:, np.setdiff1d(np.arange(train.n_classes), labels)].any()
        assert_close(fitted(TPCE(), train, options_of(rules)).predict_proba(asked), proba)


# ---- explanations, notes, costs ----


def test_explanation_reads():
    train = small(
        x=[1, 2, 3, 4, 5, 6, 7, 8], n=([*"uvwz"], [*"uvwuvwww"]), **{"class": [*"aaaabbbb"]}
    )  # fmt: skip
    asked = small(x=[2, None], n=([*"uvwz"], ["u", "z"]), **{"class": (["a", "b"], [None, None])})
    first, second = (fitted(TPCE(), train).explain(asked)[i] for i in range(2))
    assert str(first[0]) == "same path: assumed a, predicts a, leaf a=5, path x <= 4"
    assert second[1].details["path"] == ""
    nominal = small(n=([*"uvwz"], [*"uuvvwwww"]), **{"class": [*"aaaabbbb"]})
    asked = small(n=([*"uvwz"], ["u"]), **{"class": (["a", "b"], [None])})
    assert fitted(TPCE(), nominal).explain(asked)[0][0].details["path"] == "n in {u, v, z}"


def test_two_trees_are_compared_along_the_path_of_an_instance():
    header = small(x=[0], n=("uvw", ["u"]), c=("pq", ["p"])).header

    def tree(*below, point=5.0):
        return written_tree(header, (0, LE, point, *below), routing=Routing.COUNTS)

    by_n, by_other_n = (1, SUBSET, [True, True, False], 0, 1), (1, SUBSET, [True, False, False], 0, 1)
    plain = tree(by_n, 1)
    left, right, lost = (small(x=[x], n=("uvw", ["u"]), c=("pq", [None])) for x in (1.0, 9.0, None))
    assert nodes_on_path(plain, left) == [0, 1, 3] and nodes_on_path(plain, lost) == [0]
    assert path_conditions(plain, left) == ["x <= 5", "n in {u, v}"] and path_conditions(plain, lost) == []
    # the same, another point, another subset, a leaf in place of a test, which the right side does not see
    found = [first_difference(plain, tree(by_n, 1), left), first_difference(plain, tree(by_n, 1, point=4.0), left)]
    assert found == [(3, -1), (0, 0)]
    for other in (tree(by_other_n, 1), tree(0, 1)):
        assert first_difference(plain, other, left) == (1, 1)
        assert first_difference(plain, other, right) == (2, -1)
        assert first_difference(plain, other, lost) == (0, -1)


@pytest.mark.parametrize(("n", "cells", "sizes"), [
    (5, 10_000_000, [2, 2, 1]), (3, 20_000_000, [1, 1, 1]), (3, 30_000_000, [1, 1, 1]), (3, 0, [3]), (0, 1, []),
])  # fmt: skip
def test_batches_hold_twenty_million_counts(n, cells, sizes):
    found = [*batches(n, cells)]
    assert [*map(len, found)] == sizes
    assert [row for rows in found for row in rows] == [*range(n)]


@pytest.mark.parametrize(("name", "n"), [("iris", 100), ("missing-weights", 40)])
def test_how_many_rows_are_left_out_at_a_time(name, n, monkeypatch):
    """All where they are answered together; else as many as take a second, by cells and classes, and at least one."""
    train = load_arff(ARFF / f"{name}.arff").take(slice(n))
    method = fitted(TPCE(), train)
    work = method.n_kept * (len(train.attributes) - 1) * len(present(instances(train)))
    for rows in (1, 7):
        monkeypatch.setattr("wekaconf.methods.transductive._base.CELLS_A_SECOND", rows * work + work - 1)
        assert method.left_out_at_a_time(train) == (n if name == "iris" else rows)
    monkeypatch.setattr("wekaconf.methods.transductive._base.CELLS_A_SECOND", work - 1)
    assert method.left_out_at_a_time(train) == (n if name == "iris" else 1)
    assert method.left_out_at_a_time(train.take([])) == (1 if name == "iris" else work - 1)


def test_batches_are_cut_by_the_counts_of_all_classes(monkeypatch):
    train, asked = parts(0)
    cut = []
    monkeypatch.setattr("wekaconf.methods.transductive._tpce.batches", lambda *work: cut.append(work) or batches(*work))
    method = fitted(TPCE(), train)
    method.predict_proba(asked)
    method.leave_one_out(range(5))
    cells = len(present(instances(train))) * train.n_classes
    assert cut == [(len(asked), cells), (5, cells)]


def test_trees_of_another_learner_are_grown_so_many_at_a_time(monkeypatch):
    data = sample(ARFF / "iris.arff", 60)
    train, asked, told, sizes = data.take(slice(0, 50)), data.take(slice(50, 55)), [], []
    method = TPCE(inner="CART").fit(grow_cart(train), train)
    method.on_progress = lambda *now: told.append(now)
    expected = method.predict_proba(asked)
    assert told == [(5, 5)]
    told.clear()
    monkeypatch.setattr("wekaconf.methods.transductive._assumed_trees.TREES_AT_A_TIME", 8)
    grow = wc.CART.grow_labelled
    monkeypatch.setattr(wc.CART, "grow_labelled", lambda *given: sizes.append(len(given[2])) or grow(*given))
    np.testing.assert_array_equal(method.predict_proba(asked), expected)
    assert (told, sizes) == ([(2, 5), (4, 5), (5, 5)], [2, 2, 1])


def test_explanation_of_another_learner():
    data = sample(ARFF / "iris.arff", 60)
    train, asked = data.take(slice(0, 55)), data.take(slice(55, None))
    of_cart = TPCE(inner="CART").fit(grow_cart(train, "prune=none min_leaf=3"), train).explain(asked)
    assert all(len(of_cart[i]) == 3 for i in range(5))
    assert all(event.details["leaf"] for i in range(5) for event in of_cart[i])


def test_notes_tell_the_form():
    numeric = load_arff(ARFF / "iris.arff")
    holed = numeric.values.copy()
    holed[3, 0] = np.nan
    holed = replace(numeric, values=holed)
    for method, options in [(TPCE, ""), (TPCE, "cuts=all"), (KukarKononenko, "cuts=all")]:
        assert fitted(method(), numeric, options).notes(numeric) == ("all instances at once",)
        assert fitted(method(), holed, options).notes(numeric) == ("one instance at a time, because of missing values",)
        both = ("all instances at once", "one instance at a time where values are missing")
        assert fitted(method(), numeric, options).notes(holed) == both
        assert fitted(method(), numeric, options).notes(holed.take([3])) == both[1:]
        assert fitted(method(), numeric, options).notes(numeric.take([])) == ()
    moving = ("one instance at a time, because of class boundaries that move with the instance",)
    assert fitted(KukarKononenko(), numeric).notes(numeric) == moving
    assert fitted(TPCE(batch=True), numeric).notes(numeric) == ("one whole tree per class",)
    of_cart = TPCE(inner="CART").fit(grow_cart(numeric), numeric)
    assert of_cart.notes(numeric) == ("one whole tree per instance and class",)


def test_cost_is_told_where_whole_trees_are_grown():
    header = load_arff(ARFF / "iris.arff").header
    assert TPCE().cost(1000, header) == TPCE(batch=True).cost(1000, header) == KukarKononenko().cost(10, header) == ""
    told = "tpce grows a whole tree of J48 for every instance and class: 1000 × 3 = 3000 trees"
    assert TPCE(inner="J48").cost(1000, header) == told


@pytest.mark.parametrize("method", [TPCE(), TPCE(batch=True), TPCE(inner="CART"), KukarKononenko()])
def test_progress(method):
    train, asked = parts(1)
    told = []
    grow = grow_info_gain if method.learner[0] == "info_gain" else grow_cart
    method = method.fit(grow(train), train)
    method.on_progress = lambda *now: told.append(now)
    method.certainty(asked)
    done = [number for number, _ in told]
    assert done == sorted(done) and told[-1][0] == told[-1][1] > 0


@pytest.mark.parametrize("method", [TPCE(), KukarKononenko()])
def test_progress_on_numbers(method):
    """Where most instances are answered at once, and the others one at a time."""
    data = as_numbers(random_mixed(0, 80))
    holed = data.values.copy()
    holed[60::5, 0] = np.nan
    train, asked = data.take(slice(0, 60)), replace(data, values=holed).take(slice(60, None))
    told = []
    method = fitted(method, train, "cuts=all")
    method.on_progress = lambda *now: told.append(now)
    for ask, n in ((lambda: method.certainty(asked), len(asked)), (method.leave_one_out, len(train))):
        told.clear()
        ask()
        assert told == [(done, n) for done in sorted(done for done, _ in told)] and told[-1] == (n, n)


# ---- data that are hardly data ----

AB = (["a", "b"],)
ODD = {
    "a class without instances": (small(x=[1, 2, 3, 4, 5, 6], **{"class": (["p", "q", "r"], [*"pppqqq"])}), None),
    "an instance a class": (small(x=[1, 2, 3, 4, 5, 6], **{"class": [*"abcdef"]}), None),
    "one class": (small(x=[1, 2, 3], **{"class": (*AB, [*"aaa"])}), None),
    "equal instances of two classes": (small(x=[1, 1, 1, 1, 2, 2], n=[*"uuuuvv"], **{"class": [*"ababab"]}), None),
    "constant attributes": (small(x=[7] * 6, n=[*"uuuuuu"], **{"class": [*"ababab"]}), None),
    "an unknown instance": (
        small(x=[1, 2, 3, 4], n=[*"uvuv"], **{"class": [*"aabb"]}),
        small(x=[None], n=([*"uv"], [None]), **{"class": (*AB, [None])}),
    ),
    "two instances": (small(x=[1, 2], **{"class": [*"ab"]}), None),
    "one instance": (small(x=[1], **{"class": (*AB, ["a"])}), None),
    "one nominal instance": (small(n=["u"], **{"class": (*AB, ["b"])}), None),
    "nothing known": (small(x=[None] * 4, n=([*"uv"], [None] * 4), **{"class": [*"aabb"]}), None),
    "no weight": (small(x=[1, 2, 3, 4, 5, 6], weights=[0, 1, 1, 1, 1, 0], **{"class": [*"bababb"]}), None),
    "hardly any weight": (small(x=[1, 2, 3, 4], weights=[1e-12] * 4, **{"class": [*"aabb"]}), None),
    "infinite values": (small(x=[-np.inf, -np.inf, 2, np.inf, np.inf], **{"class": [*"aabbb"]}), None),
    "infinite cuts": (small(x=[-np.inf, -np.inf, -3, 3, np.inf, np.inf], **{"class": [*"aabbaa"]}), None),
    "values that never occur": (
        small(n=([*"zuvwy"], [*"uuvvvw"]), **{"class": [*"aabbba"]}),
        small(n=([*"zuvwy"], [*"zuvwy"]), **{"class": (*AB, [None] * 5)}),
    ),
    "one value": (small(n=[*"uuuu"], **{"class": [*"aabb"]}), None),
    "both zeros": (small(x=[0.0, -0.0, -0.0, 0.0, 1, 1], **{"class": [*"aaabbb"]}), None),
}


@pytest.mark.parametrize("options", ["", "min_weight=0", "cuts=with-x min_weight=1 safe_prune=false"])
@pytest.mark.parametrize("what", ODD)
@pytest.mark.drawn(6)
def test_odd_data(what, options):
    train, asked = ODD[what]
    asked = train if asked is None else asked
    D, labels = instances(train), present(instances(train))
    rules = InfoGain.of_options(options).rules
    declared = reference_rules(train.header, rules)
    assert_close(fitted(TPCE(), train, options).predict_proba(asked), reference_answers(train, asked, rules))
    kukar = fitted(KukarKononenko(), train, options)
    expected = [paper.kukar_kononenko(D, x, labels, declared) for x in cells(inputs(asked))]
    assert_close(kukar.certainty(asked), [certainty for _, certainty in expected])
    assert kukar.predict(asked).tolist() == [predicted for predicted, _ in expected]
    for unfitted in (TPCE(), TPCE(batch=True), KukarKononenko(supervised=True)):
        method = fitted(unfitted, train, options)
        assert_close(method.predict_proba(asked).sum(axis=1), 1)
        assert len(method.explain(asked)) == len(asked)
        assert len(method.notes(asked)) == 1


def test_no_attributes_but_the_class():
    data = small(**{"class": [*"aaab"]})
    tree = grow_info_gain(data)
    assert tree.n_nodes == 1 and tree.class_weight.tolist() == [[3, 1]]
    found = TPCE().fit(tree, data).predict_proba(data)
    assert_close(found, [[(5 / 7 + 4 / 7) / 2, (2 / 7 + 3 / 7) / 2]] * 4)
    assert_close(TPCE().fit(tree, data).leave_one_out().proba[3], [(5 / 6 + 4 / 6) / 2, (1 / 6 + 2 / 6) / 2])
    assert KukarKononenko().fit(tree, data).certainty(data).shape == (4,)


@pytest.mark.parametrize("weight", [7.0, 1e10, 1e19, 1e300])
def test_a_large_min_weight_leaves_one_node(weight):
    data = small(x=[1, 2, 3, 4, 5, 6], **{"class": [*"aaabbb"]})
    assert grow_info_gain(data, f"min_weight={weight}").n_nodes == 1
    method = fitted(TPCE(), data, f"min_weight={weight}")
    assert_close(method.predict_proba(data), 0.5)
    assert_close(method.leave_one_out().proba[0], [(3 / 8 + 4 / 8) / 2, (5 / 8 + 4 / 8) / 2])


def test_trees_of_other_learners(jvm, iris):
    for method in (TPCE(), KukarKononenko()):
        message = f"{method.name} reads trees of info_gain, got one of J48; grow it with the learner info_gain"
        with pytest.raises(OptionError, match=message):
            method.fit(wc.grow(iris), iris)
    with pytest.raises(OptionError, match="tpce reads trees of CART, got one of info_gain; grow it with the learner"):
        TPCE(inner="CART").fit(grow_info_gain(iris), iris)
    with pytest.raises(OptionError, match="J84"):
        TPCE(inner="J84").fit(wc.grow(iris), iris)


def test_the_learner_is_named():
    assert KukarKononenko().learner == TPCE().learner == ("info_gain", "")
    assert TPCE(inner="C44").learner == ("C44", "")


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        (
            TPCE,
            {"inner": "J48", "cuts": "all"},
            "tpce: leave cuts out; that is for trees of info_gain, J48 has its own options",
        ),
        (TPCE, {"inner": "J48", "batch": True}, "tpce: batch is defined on trees of info_gain; leave it or inner out"),
    ],
)
def test_parameters_out_of_range(method, params, message):
    with pytest.raises(OptionError, match=message):
        method(**params)


def test_rows_that_were_written_as_sparse_stay_so():
    train = small(x=[0.0, 1.0, 2.0, 3.0], c=("pq", list("ppqq")))
    for is_sparse, rows in (([False, True, False, True], [1, 3]), (None, None)):
        data = replace(train, is_sparse=is_sparse)
        fitted = KukarKononenko().fit(grow_info_gain(data), data)
        learned = fitted.learned()
        assert ("sparse_rows_" in learned) == (is_sparse is not None)
        again = KukarKononenko.restore(fitted.params, fitted.tree_, learned)._training_data
        assert again.sparse_rows.tolist() == (rows or [])
