"""The learner info_gain, alone and in bags: its options, what it refuses, and who can read its trees."""

import warnings

import numpy as np
import pytest
from support.growers import grow_info_gain, grow_info_gain_bagging
from support.induction_cases import ARFF, KINDS, as_numbers, assert_close, random_mixed, sample, shape_of
from support.random_trees import ON_NUMBERS
from support.small_data import small

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.base.rounding import most_probable
from wekaconf.data import Dataset
from wekaconf.data.arff import load_arff
from wekaconf.learners.info_gain._learning_set import LearningSet
from wekaconf.learners.info_gain._rules import Rules, log_table
from wekaconf.methods.contract._method import Method
from wekaconf.model.file import load
from wekaconf.tree._kinds import Routing

# ---- options ----


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("cuts=every", ": cuts must be class-boundary, with-x or all, got 'every'"),
        ("min_weight=-1", ": min_weight must be a number of at least 0, got '-1'"),
        ("min_gain=0", ": min_gain must be a number of at least 1e-12, got '0'"),
        ("-M 2", " -M 2: expected parameter=value, got '-M'; the parameters are: .*cuts, safe_prune"),
    ],
)
@pytest.mark.parametrize("grow", [grow_info_gain, grow_info_gain_bagging])
def test_bad_options(grow, options, message):
    name = grow.__name__.removeprefix("grow_")
    with pytest.raises(OptionError, match=f"^{name}{message}"):
        grow(load_arff(ARFF / "iris.arff"), options)


def test_options_that_are_left_out_and_the_smallest_ones():
    for learner in (wc.InfoGain(), wc.InfoGainBagging()):
        assert learner.rules == Rules("class-boundary", True, 2.0, 1e-6) == Rules()
        assert learner.laplace is False
    bagging = wc.InfoGainBagging()
    assert (bagging.bags, bagging.votes, bagging.seed, bagging.is_ensemble) == ("k", "mean", 1, True)
    assert not wc.InfoGain.is_ensemble and not wc.InfoGain.takes_all and wc.InfoGain().reads_nominal
    assert wc.InfoGain(min_weight=0, min_gain=1e-12).rules == Rules(min_weight=0.0, min_gain=1e-12)
    smallest = wc.InfoGainBagging(bags=1, seed=0)
    assert (smallest.bags, smallest.seed) == (1, 0)


def test_why_queries_are_answered_one_at_a_time():
    numbers, holes, words, heavy = (
        LearningSet.of(small(x=x, c=["a", "b", "b"], weights=weights))
        for x, weights in (
            ([1.0, 2.0, 3.0], None), ([1.0, None, 3.0], None), (["u", "v", "v"], None),
            ([1.0, 2.0, 3.0], [1.0, 1.0, 2.0]),
        )
    )  # fmt: skip
    assert [each.hindrance for each in (numbers, holes, words, heavy)] == [
        "", "missing values", "nominal attributes", "instance weights",
    ]  # fmt: skip
    whole, some, none = np.array([[1.0, 2.0]]), np.array([[1.0, np.nan]]), np.full((1, 2), np.nan)
    assert numbers.form(Rules(), whole) == ("all instances at once",)
    assert numbers.form(Rules(), some) == ("all instances at once", "one instance at a time where values are missing")
    assert numbers.form(Rules(), none) == ("one instance at a time where values are missing",)
    assert holes.form(Rules(), whole) == ("one instance at a time, because of missing values",)
    moving = ("one instance at a time, because of class boundaries that move with the instance",)
    assert numbers.form(Rules(), whole, withheld=False) == moving
    assert numbers.form(Rules("all"), whole, withheld=False) == ("all instances at once",)


def test_terms_are_looked_up_where_all_sums_of_weights_are_in_the_table(monkeypatch):
    """For w from 0 to the sum, and one more."""
    monkeypatch.setattr("wekaconf.learners.info_gain._learning_set.LARGEST_TABLE", 10)
    at_most, beyond = (
        LearningSet.of(small(x=[1.0, 2.0], c=["a", "b"], weights=[4.0, heaviest])) for heaviest in (6.0, 7.0)
    )
    table, scale = at_most.table()
    np.testing.assert_allclose(table[1:], np.arange(1, 12) * np.log2(np.arange(1, 12)) * scale, rtol=1e-9)
    assert (len(table), table[0]) == (12, 0)
    for learning, n_further in ((at_most, 1), (beyond, 0)):
        assert [len(learning.table(n_further)[0]), learning.table(n_further)[1]] == [0, 1.0]
    assert at_most.grow(Rules(min_weight=0.0)).routing == beyond.grow(Rules(min_weight=0.0)).routing == Routing.COUNTS


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_progress_is_told_of_all_queries_up_to_the_last(missing):
    """Some are answered at once, the others after them."""
    learning = LearningSet.of(as_numbers(random_mixed(3, 40)))
    asked = np.where(np.random.default_rng(1).random(learning.columns.shape) < missing, np.nan, learning.columns)
    rows, without = np.arange(40), np.full(40, -1)
    outside, left_out = [], []
    learning.outside_counts(Rules(), asked, rows, without, on_progress=lambda *now: outside.append(now))
    asked_of = LearningSet.of(random_mixed(3, 40))
    assert asked_of.hindrance
    asked_of.left_out_counts(Rules(), rows, without, on_progress=lambda *now: left_out.append(now))
    for told in (outside, left_out):
        assert {total for _, total in told} == {40}
        done = [number for number, _ in told]
        assert done == sorted(done) and done[-1] == 40 and (missing == 0 or len(done) > 1)


@pytest.mark.parametrize(("n", "n_threads", "n_blocks"), [(0, 1, 0), (3, 1, 3), (300, 1, 10), (257, 1, 9), (60, 2, 16)])
def test_one_by_one_in_blocks(monkeypatch, n, n_threads, n_blocks):
    """Eight per core, or as many as hold at most 32 queries each."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", str(n_threads))
    learning, progress = LearningSet.of(small(x=["u", "v", "v"] * 2, c=["a", "b", "b"] * 2)), []
    which = np.arange(n) % 6
    found = learning.left_out_counts(
        Rules(min_weight=1.0), which, learning.target[which], on_progress=lambda *now: progress.append(now)
    )
    np.testing.assert_array_equal(found, np.array([[2, 0], [0, 4]])[learning.target[which]].reshape(n, 2))
    assert progress == [(n * block // n_blocks, n) for block in range(1, n_blocks + 1)]


def told(tree):
    return shape_of(tree), tree.routing


def test_every_option_does_something():
    data = sample(ARFF / "credit-g.arff", 300)
    plain = grow_info_gain(data)
    for options in ("cuts=all", "safe_prune=false", "min_weight=20", "min_weight=0", "min_gain=0.1"):
        assert told(grow_info_gain(data, options))[0] != told(plain)[0], options
    assert told(grow_info_gain(data, "laplace=true")) == (told(plain)[0], "COUNTS_LAPLACE")
    assert told(grow_info_gain(data, "laplace=false")) == told(plain)
    # with nobody asked about there is no x
    assert told(grow_info_gain(data, "cuts=with-x")) == told(grow_info_gain(data, "cuts=all"))
    spelled = "cuts=class-boundary safe_prune=true min_weight=2 min_gain=1e-6 laplace=false"
    assert told(grow_info_gain(data, spelled)) == told(plain)
    assert (plain.learner, plain.options, plain.weka_version) == ("info_gain", "", "")
    assert grow_info_gain(data, spelled).options == spelled


def test_a_subset_may_be_the_first_value_alone():
    data = small(colour=[*"rgb"] * 4, c=["yes", "no", "no"] * 4)
    tree = grow_info_gain(data)
    assert tree.n_nodes == 3
    assert tree.predict_proba(data[:3]).tolist() == [[1, 0], [0, 1], [0, 1]]


def test_instances_without_a_class_or_weight_are_left_out():
    data = random_mixed(5, 60, missing=0.1, weights="fractional")
    values, weights = data.values.copy(), data.weights.copy()
    values[::7, data.class_index], weights[3::7] = np.nan, 0
    lacking = Dataset(data.header, values, weights)
    kept = lacking.take((lacking.class_values >= 0) & (lacking.weights > 0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert told(grow_info_gain(lacking)) == told(grow_info_gain(kept))
        for one, other in zip(*(grow_info_gain_bagging(part).trees for part in (lacking, kept)), strict=True):
            assert told(one) == told(other)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("name", sorted(Method.registry))
def test_every_method_reads_such_trees(name, missing):
    """Those of numbers, subsets and missing values, or says why not."""
    data = random_mixed(1, 90, missing=missing, weights="one" if missing else "fractional")
    tree = grow_info_gain(data)
    assert {1, 5} <= set(tree.split_kind.tolist())
    try:
        method = Method.registry[name](**ON_NUMBERS.get(name, {})).fit(tree, data)
    except OptionError as refusal:
        pytest.fail(f"{name} refuses: {refusal}")
    proba = method.predict_proba(data)
    assert_close(proba.sum(axis=1), 1)
    assert (proba >= 0).all()
    assert len(list(method.explain(data.take(slice(0, 5))))) == 5


def test_only_nominal_tests_have_flags(iris):
    assert grow_info_gain(iris).split_subset.shape == (0,)
    nominal = small(x=["a", "b", "c", "a"], **{"class": ["p", "q", "q", "p"]})
    assert grow_info_gain(nominal).split_subset.shape == (3,)


# ---- bagging ----


@pytest.mark.parametrize("seed", range(8))
def test_bags_are_trees_of_drawn_instances(seed):
    missing, weights = KINDS[seed % len(KINDS)]
    data = random_mixed(seed, 60, missing=missing, weights=weights)
    options = f"min_weight=3 cuts=all bags=4 seed={seed}"
    forest = grow_info_gain_bagging(data, options)
    random = np.random.default_rng(seed)
    assert len(forest.trees) == 4
    for tree in forest.trees:
        drawn = data.take(np.sort(random.integers(0, 60, 60)))
        repeated = grow_info_gain(drawn, "min_weight=3 cuts=all")
        assert tree.total[0] == pytest.approx(drawn.weights.sum())
        np.testing.assert_array_equal(tree.split_attribute, repeated.split_attribute)
        np.testing.assert_array_equal(tree.split_point, repeated.split_point)
        np.testing.assert_array_equal(tree.split_subset, repeated.split_subset)
        assert_close(tree.class_weight, repeated.class_weight)


def test_bags_and_seeds(iris):
    first, again, other = (grow_info_gain_bagging(iris, f"seed={seed}") for seed in (1, 1, 2))
    as_it_comes = grow_info_gain_bagging(iris)
    answers = [forest.predict_proba(iris).tolist() for forest in (first, again, other, as_it_comes)]
    assert answers[0] == answers[1] == answers[3] != answers[2]
    assert [len(grow_info_gain_bagging(iris, options).trees) for options in ("", "bags=k", "bags=7")] == [3, 3, 7]
    absent = iris.take(iris.class_values > 0)
    assert len(grow_info_gain_bagging(absent).trees) == 2
    assert len({str(told(tree)) for tree in grow_info_gain_bagging(iris, "bags=7").trees}) == 7
    assert (first.learner, first.options) == ("info_gain_bagging", "seed=1")


def test_votes():
    data = sample(ARFF / "wine.arff", 100)
    mean, hard = (grow_info_gain_bagging(data, f"bags=5 votes={votes}") for votes in ("mean", "hard"))
    each = np.array([tree.predict_proba(data) for tree in mean.trees])
    assert_close(mean.predict_proba(data), each.mean(axis=0))
    shares = np.mean([np.eye(3)[most_probable(own)] for own in each], axis=0)
    np.testing.assert_array_equal(hard.predict_proba(data), shares)
    assert not np.array_equal(hard.predict_proba(data), mean.predict_proba(data))
    smooth = grow_info_gain_bagging(data, "bags=5 laplace=true")
    assert_close(
        smooth.predict_proba(data), np.mean([t.with_laplace(True).predict_proba(data) for t in mean.trees], axis=0)
    )


def test_model_file_of_bags(tmp_path):
    data = sample(ARFF / "credit-g.arff", 120)
    for options in ("votes=hard", "votes=mean laplace=true"):
        method = wc.method("leaf_frequency").fit(grow_info_gain_bagging(data, options), data)
        wc.Model(method).save(tmp_path / "model")
        np.testing.assert_array_equal(load(tmp_path / "model").predict_proba(data), method.predict_proba(data))


@pytest.mark.parametrize(("total", "bits"), [(150, 36), (100_000, 31)])
def test_units_of_logarithms_are_smaller_where_sums_of_many_instances_would_not_fit(total, bits):
    table, scale = log_table(total)
    assert scale == 2.0**bits and table[-1] <= 2**52
    n = total + 1
    assert table[n] == np.rint(table[n]) and table[n] / scale == pytest.approx(n * np.log2(n), rel=1e-8)


@pytest.mark.parametrize("prime", [2, 3, 5, 7, 29])
def test_the_logarithm_of_a_square_is_twice_that_of_its_root(prime):
    """To the last bit, also of the largest number in the table: equal gains by other products are equal."""
    table, _ = log_table(prime**2 - 1)
    assert len(table) == prime**2 + 1
    assert table[prime**2] == 2 * prime * table[prime]
