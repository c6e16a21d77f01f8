"""Mirrors against the Weka trees they were copied from: every number equal bit for bit."""

from dataclasses import replace

import numpy as np
import pytest
from reference import weka_recursion
from support.growers import grow, mirror, train_in_weka
from support.java_classes import JavaException
from support.live_weka import differences
from support.random_trees import random_dataset, random_header
from support.small_data import small

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.bridge import folds
from wekaconf.data import Attribute, Dataset
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.tree._forest import Forest
from wekaconf.tree._kinds import Routing, SplitKind

BAGGED = "-I 3 -W weka.classifiers.trees"
J48_OPTIONS = [
    "", "-U", "-O", "-C 0.05", "-C 0.5", "-M 1", "-M 8", "-S", "-B", "-A", "-L", "-Q 1", "-J",
    "-doNotMakeSplitPointActualValue", "-U -O", "-U -M 1", "-U -A", "-B -A", "-B -U -M 1", "-B -S -J", "-S -A -C 0.4",
    "-O -S -M 3", "-U -J -doNotMakeSplitPointActualValue", "-B -U -O -A -J -M 1 -doNotMakeSplitPointActualValue",
    "-L -A -C 0.1 -M 4",
]  # fmt: skip
OPTIONS = {
    "J48": J48_OPTIONS,
    "C44": ["", "-M 1"],
    "REPTree": ["", "-P", "-L 3", "-M 10 -V 0.01", "-I 1.0", "-P -I 2 -R", "-N 5 -S 4"],
    "RandomTree": ["", "-U", "-K 1 -S 3", "-depth 3", "-N 3", "-N 3 -U", "-M 5 -B"],
    "RandomForest": ["-I 5", "-I 4 -depth 4 -K 2 -U", "-I 3 -P 60 -num-slots 2"],
    "Bagging": [
        "-I 3", f"{BAGGED}.J48", f"-P 50 -S 7 {BAGGED}.J48 -- -A -U", f"{BAGGED}.REPTree -- -P",
        f"{BAGGED}.RandomTree -- -U", "-I 1",
    ],
}  # fmt: skip
SCHEMES = [(name, options) for name, of_learner in OPTIONS.items() for options in of_learner]
UCI_SETS = [
    "anneal", "anneal.ORIG", "audiology", "autos", "breast-cancer", "bridges_version1", "colic.ORIG", "contact-lenses",
    "credit-a", "cylinder-bands", "flags", "glass", "heart-c", "heart-h", "hepatitis", "hypothyroid", "iris", "labor",
    "lung-cancer", "lymph", "postoperative-patient-data", "primary-tumor", "shuttle-landing-control", "soybean",
    "sponge", "trains", "vehicle", "vote", "vowel", "weather.numeric", "zoo",
]  # fmt: skip


def without_cells(data, rng, share=0.15):
    values = data.values.copy()
    lost = rng.random(values.shape) < share
    lost[:, data.class_index] = False
    values[lost] = np.nan
    return replace(data, values=values)


def generated(seed):
    """Training and test data: a date among the attributes, values never seen, missing cells, weights, classes."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=3 + 2 * seed, n_classes=2 + seed)
    attributes = list(header.attributes)
    at = next(i for i, attribute in enumerate(attributes) if attribute.kind == "numeric")
    attributes[at] = Attribute("day", "date", date_format="yyyy-MM-dd HH:mm")
    header = replace(header, attributes=tuple(attributes))
    classes = [*range(1, header.n_classes)] if seed > 1 else None
    train = random_dataset(rng, header, 150, 0.08 * (seed % 2), weights=seed > 1, classes=classes)
    values = train.values.copy()
    noise = rng.random(len(values)) < 0.2
    values[noise, header.class_index] = rng.permutation(values[noise, header.class_index])
    values[rng.random(len(values)) < 0.05, header.class_index] = np.nan
    return replace(train, values=values), random_dataset(rng, header, 80)


def all_differences(train, tests, scheme):
    """What of the mirror is not Weka's, in words; empty when all is."""
    model, instances = train_in_weka(train, *scheme)
    mirrored = mirror(model, instances, train, *scheme)
    for test in tests:
        yield from differences(model, mirrored, test)
    if not isinstance(mirrored, Forest) and mirrored.routing.is_j48 and not weights_agree(mirrored, train):
        yield "class weights from the routed training set"


def weights_agree(tree, train):
    """Whether what Weka stored is what the training set gives, sent down by Weka's rule for missing values."""
    rows = np.flatnonzero(train.class_values >= 0)
    onehot = np.eye(train.n_classes)[train.class_values[rows]]
    reached = {0: train.weights[rows]}
    for node in range(tree.n_nodes):
        here = reached.pop(node)
        known = np.allclose(tree.class_weight[node], here @ onehot, rtol=1e-9, atol=1e-9)
        if not known or not np.isclose(tree.total[node], here.sum(), rtol=1e-9, atol=1e-9):
            return False
        if tree.split_kind[node] == SplitKind.LEAF:
            continue
        values = train.values[rows, tree.split_attribute[node]]
        missing = np.isnan(values)
        branch = tree.router.branches(np.full(len(values), node), np.where(missing, 0.0, values))
        for b in range(tree.n_branches[node]):
            son = int(tree.first_child[node]) + b
            share = tree.branch_weight[son] / tree.total[node] if tree.total[node] else 0.0
            share = share if share > 1e-6 else 0.0
            reached[son] = here * np.where(missing, share, branch == b)
            if not np.allclose(tree.branch_weight[son], reached[son].sum(), rtol=1e-9, atol=1e-5):
                return False
    return True


@pytest.mark.parametrize("scheme", SCHEMES, ids=" ".join)
def test_generated_sets(jvm, scheme):
    for seed in range(4):
        train, test = generated(seed)
        missing = without_cells(test, np.random.default_rng(seed))
        assert not list(all_differences(train, (test, missing), scheme)), seed


@pytest.mark.parametrize(("place", "name"), [*enumerate(UCI_SETS)])
@pytest.mark.drawn(12)
def test_uci_sets(load_uci, place, name):
    """Every second scheme on each set, every fourth on the large ones."""
    rng = np.random.default_rng(len(name))
    data = load_uci(name)
    train_rows, test_rows = folds(data, k=min(3, len(data)), seed=1)[0]
    train, test = data.take(train_rows), data.take(test_rows)
    weighted = replace(train, weights=rng.choice([0.5, 1.0, 2.0, 3.3], size=len(train)))
    tests = (test, without_cells(test, rng))
    every = 4 if len(data) > 1000 else 2
    few = range(place % every, len(SCHEMES), every)
    found = {
        (" ".join(SCHEMES[i]), what): list(all_differences(used, tests, SCHEMES[i]))
        for i in few
        for what, used in (("unit weights", train), ("weighted", weighted))
    }
    assert not {scheme: different for scheme, different in found.items() if different}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["letter", "waveform-5000", "nursery", "arrhythmia", "mfeat-pixel", "kr-vs-kp"])
def test_large_uci_sets(load_uci, name):
    data = load_uci(name)
    train_rows, test_rows = folds(data, k=2, seed=1)[0]
    train, test = data.take(train_rows), data.take(test_rows)
    tests = (test, without_cells(test, np.random.default_rng(1), share=0.05))
    for scheme in [("J48", ""), ("C44", ""), ("RandomTree", "")]:
        assert not list(all_differences(train, tests, scheme)), scheme


@pytest.mark.parametrize("options", ["", "-U -M 1", "-B", "-S -A"])
def test_nodes_are_weka_s_membership_columns(jvm, options):
    from wekaconf.bridge._instances import to_java

    for seed in range(4):
        train, test = generated(seed)
        test = without_cells(test, np.random.default_rng(seed), share=0.1)
        model, instances = train_in_weka(train, "J48", options)
        tree = mirror(model, instances, train, "J48", options)
        ends = tree.apply(test)
        sent = to_java(test)
        for row, cells in enumerate(test.values):
            theirs = np.array(model.classifier.getMembershipValues(sent.instance(row)))
            np.testing.assert_array_equal(theirs, weka_recursion.membership(tree, cells))
            assert ends[row] in (-1, np.flatnonzero(theirs)[-1])
        assert (ends >= 0).any()


@pytest.mark.parametrize("scheme", [("J48", ""), ("REPTree", ""), ("RandomTree", ""), ("RandomTree", "-U")])
def test_only_the_class_attribute(jvm, scheme):
    train = small(c=["p", "q", "q", None, "q"], weights=[1, 2, 0.5, 1, 3])
    assert not list(all_differences(train, [train], scheme))
    tree = grow(train, *scheme)
    assert tree.n_nodes == 1
    np.testing.assert_allclose(
        tree.predict_proba(train)[0], [1 / 6.5, 5.5 / 6.5] if scheme[0] == "J48" else [2 / 8.5, 6.5 / 8.5]
    )


@pytest.mark.parametrize("scheme", [s for s in SCHEMES if s[1] in ("", "-U", "-B", "-J", "-S")], ids=" ".join)
def test_infinite_values(jvm, scheme):
    x = [-np.inf, -np.inf, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, np.inf, np.inf] * 3
    c = ["a", "b", "a", "a", "a", "b", "b", "b", "b", "a"] * 3
    mixed = small(x=x, y=[np.inf, 1.0, -np.inf] * 10, c=c)
    only = small(x=[-np.inf, -np.inf, np.inf, np.inf] * 8, c=["a", "a", "b", "b"] * 8)
    assert not list(all_differences(mixed, [mixed], scheme))
    assert not list(all_differences(only, [only], scheme))


def test_values_that_differ_by_little(jvm):
    rng = np.random.default_rng(0)
    x = np.round(rng.normal(size=300), 1) + rng.integers(0, 3, size=300) * 4e-6
    train = small(x=list(x), c=["ab"[int(v)] for v in (x + rng.normal(scale=0.3, size=300) > 0)])
    for scheme in [("J48", "-U -M 1"), ("J48", "-J"), ("REPTree", "-P"), ("RandomTree", "")]:
        assert not list(all_differences(train, [train], scheme))


@pytest.mark.parametrize(
    ("scheme", "largest_weight", "excess"),
    [
        (("RandomTree", ""), 2e4, 1e-12),
        (("REPTree", "-P"), 2e4, 1e-12),
        (("RandomForest", "-I 3"), 1, 0.0),
        (("Bagging", f"{BAGGED}.RandomTree"), 1, 0.0),
    ],
    ids=["RandomTree", "REPTree", "RandomForest", "Bagging"],
)
def test_probabilities_outside_their_range_are_weka_s(jvm, scheme, largest_weight, excess):
    """A child's class weights are differences of sums, so a class that it lacks may keep a rest below 0."""
    lowest = highest = 0.0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        x, y, c = np.arange(60.0), rng.normal(size=60), np.repeat(["a", "b", "c"], [20, 20, 20])
        weights = np.where(c == "c", 1.0, rng.uniform(0.5, 1, 60) * largest_weight)
        if largest_weight == 1:  # an ensemble draws bags, whose sums are of whole numbers unless values are missing
            x[rng.random(60) < 0.1] = y[rng.random(60) < 0.1] = np.nan
        columns = small(x=[*x], y=[*y], c=[*c.tolist()])
        train = Dataset(columns.header, columns.values, weights)
        model, sent = train_in_weka(train, *scheme)
        proba = LeafFrequency().fit(mirror(model, sent, train, *scheme), train).predict_proba(train)
        np.testing.assert_array_equal(proba, model.distributions(train), strict=True)
        lowest, highest = min(lowest, proba.min()), max(highest, proba.max() - 1)
    assert lowest < -excess and highest >= excess


def test_slots_change_nothing_where_there_are_dates(jvm):
    """Trees that grow at the same time seed themselves with the text of the same dates."""
    rng = np.random.default_rng(0)
    dates = {f"d{i}": Attribute(f"d{i}", "date", date_format="yyyy-MM-dd HH:mm:ss") for i in range(6)}
    header = replace(small(c=["a", "b"]).header, attributes=(*dates.values(), Attribute("c", "nominal", ("a", "b"))))
    header = replace(header, class_index=6)
    for _ in range(10):
        cells = np.column_stack([rng.integers(0, 10**9, size=(60, 6)) * 1000, rng.integers(0, 2, size=60)])
        train = Dataset(header, cells.astype(np.float64))
        one, many = (grow(train, "RandomForest", f"-I 40 -num-slots {slots}") for slots in (1, 8))
        for ours, theirs in zip(one.trees, many.trees, strict=True):
            assert ours.split_point.tobytes() == theirs.split_point.tobytes()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("RandomForest", "-I 20 -M 1.0 -V 0.1 -P 60"),
        ("Bagging", "-I 20 -P 60"),
        ("Bagging", f"{BAGGED}.J48 -- -U -C 0.1"),
    ],
)
def test_several_slots_tell_what_one_tells(jvm, name, options):
    train = small(x=list(range(20)), c=(["a", "b"], ["a", *[None] * 19]))
    told = []
    for slots in (1, 2):
        with pytest.raises(OptionError) as refused:
            grow(train, name, f"-num-slots {slots} {options}")
        told.append(str(refused.value).replace(f"-num-slots {slots} ", ""))
    assert told[0] == told[1]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_several_slots_tell_what_is_thrown_below_the_root(jvm, depth):
    """RandomTree throws at an attribute without values, which it meets at any depth."""
    rng = np.random.default_rng(0)
    names = ("a", "b")
    numbers = {f"x{i}": rng.normal(size=60).tolist() for i in range(7)}
    train = small(**numbers, nothing=([], [None] * 60), c=(names, [names[i] for i in rng.integers(0, 2, 60)]))
    seen = set()
    for seed in range(20):
        told = []
        for slots in (1, 2):
            options = f"-I 1 -K 1 -S {seed} -depth {depth} -num-slots {slots}"
            try:
                told.append(grow(train, "RandomForest", options).predict_proba(train).tolist())
            except BridgeError as error:
                told.append(str(error).partition("Exception")[0])  # Java drops the words of what it throws often
        assert told[0] == told[1]
        seen.add(type(told[0]))
    assert seen == {list, str}


def test_record(jvm):
    train, _ = generated(0)
    tree = grow(train, "J48", "-A -M 3")
    assert (tree.learner, tree.options, tree.weka_version) == ("J48", "-A -M 3", jvm.about()["weka"])
    assert tree.routing == Routing.J48_LAPLACE
    forest = grow(train, "RandomForest", "-I 4")
    assert isinstance(forest, Forest) and len(forest.trees) == 4
    assert {member.routing for member in forest.trees} == {Routing.RANDOMTREE}


def test_r_is_refused(weka_version):
    if weka_version < (3, 9, 7):
        pytest.skip("J48 -R works before Weka 3.9.7")
    with pytest.raises(OptionError, match="leave -R out, or use the learner REPTree"):
        grow(generated(0)[0], "J48", "-R")


@pytest.mark.parametrize(
    ("scheme", "said"),
    [
        (("J48", "-Q 7"), "J48 -Q 7: Changing the seed does not make sense"),
        (("J48", "-U -S"), "Subtree raising"),
        (("J48", "-U -C 0.1"), "unpruned tree"),
        (("J48", "-C 7"), "Confidence"),
        (("Bagging", "-P 0"), "Not enough training instances"),
    ],
    ids=str,
)
def test_options_that_weka_declines(weka_version, scheme, said):
    if scheme[1] == "-Q 7" and weka_version < (3, 9, 5):
        pytest.skip("J48 -Q is declined since Weka 3.9.5")
    with pytest.raises(OptionError, match=said):
        grow(generated(0)[0], *scheme)


def test_stock_weka_still_fails_with_r(java, weka_version):
    """When this test fails, Weka has been repaired and the refusal of ``-R`` can go."""
    if weka_version < (3, 9, 7):
        pytest.skip("J48 -R works before Weka 3.9.7")
    from wekaconf.bridge._instances import to_java

    classifier = java("weka.classifiers.trees.J48")()
    classifier.setReducedErrorPruning(True)
    with pytest.raises(JavaException, match="Model selection method not implemented"):
        classifier.buildClassifier(to_java(generated(0)[0]))
