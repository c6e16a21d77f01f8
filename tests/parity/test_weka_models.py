"""Weka's ``.model`` files, written by live Weka and read without it: every number equal bit for bit."""

import gzip

import numpy as np
import pytest
from support.live_weka import built, differences
from test_tree_parity import SCHEMES, generated, without_cells

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError
from wekaconf.bridge._instances import to_java
from wekaconf.bridge.learners import WekaModel
from wekaconf.data import Dataset
from wekaconf.data._dataset import Attribute, Header
from wekaconf.learners import learner_class
from wekaconf.learners.foreign._weka_wrappers import FILTERED
from wekaconf.tree._forest import Forest
from wekaconf.tree._kinds import Routing, SplitKind
from wekaconf.tree._mirror import EXPORTED


@pytest.fixture(scope="module")
def saved(java, tmp_path_factory):
    """Build a classifier of Weka's own class and save it as the Explorer does, with or without header."""
    folder = tmp_path_factory.mktemp("models")

    def save(train, name, options, *, with_header=True, suffix=".model"):
        learner = learner_class(name)
        instances = to_java(train)
        classifier = built(java, learner.class_name, f"{learner.prefix} {options}", instances)
        parts = [classifier, java("weka.core.Instances")(instances, 0)][: 1 + with_header]
        path = folder / f"{name}{suffix}"
        java("weka.core.SerializationHelper").writeAll(str(path), java("java.lang.Object")[:](parts))
        return path, classifier

    return save


def members_of(tree):
    return tree.trees if isinstance(tree, Forest) else (tree,)


def assert_parity(saved, train, tests, name, options, **how):
    """The mirror of the file answers as Weka, and has the arrays of the mirror that Java gives."""
    path, classifier = saved(train, name, options, **how)
    ours = wc.mirror(path)
    model = WekaModel(classifier, train.n_classes)
    theirs = learner_class(name)().mirror(model, to_java(train.take([])), train)
    assert len(members_of(ours)) == len(members_of(theirs))
    for one, other in zip(members_of(ours), members_of(theirs), strict=True):
        assert one.routing == other.routing
        for array in EXPORTED:
            np.testing.assert_array_equal(getattr(one, array), getattr(other, array), err_msg=array)
    assert ours.header == train.header or not how.get("with_header", True)
    for test in tests:
        assert list(differences(model, ours, test)) == []
    return ours


@pytest.mark.parametrize(("name", "options"), SCHEMES)
def test_every_scheme(saved, name, options):
    train = wc.load_arff("arff/missing-weights.arff")
    test = without_cells(train, np.random.default_rng(1), 0.3)
    assert_parity(saved, train, [train, test], name, options)
    without = assert_parity(saved, train, [test], name, options, with_header=False)
    assert without.header.attributes == train.header.attributes


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("J48", ""), ("J48", "-B -U"), ("J48", "-U -A -M 1"), ("REPTree", "-P"), ("RandomTree", "-U"),
        ("RandomForest", "-I 3"), ("Bagging", "-I 2"),
    ],
)  # fmt: skip
def test_dates_weights_absent_classes_and_missing_values(saved, seed, name, options):
    train, test = generated(seed)
    ours = assert_parity(saved, train, [train, test], name, options, with_header=seed % 2 == 0)
    assert any(attribute.date_format == "yyyy-MM-dd HH:mm" for attribute in ours.header.attributes)


@pytest.mark.parametrize("name", ["J48", "REPTree", "RandomForest"])
def test_gzipped_as_weka_s_command_line_writes_it(java, tmp_path, name):
    path, learner = tmp_path / "m.model.gz", learner_class(name)
    options = ["-t", "arff/iris.arff", "-d", str(path), "-no-cv", "-o", "-v"]
    java("weka.classifiers.Evaluation").evaluateModel(java(learner.class_name)(), options)
    content = path.read_bytes()
    assert content.startswith(b"\x1f\x8b") and gzip.decompress(content).startswith(b"\xac\xed")
    train = wc.load_arff("arff/iris.arff")
    mirror = wc.mirror(path)
    assert mirror.header == train.header
    grown = learner().grow(train)
    np.testing.assert_array_equal(mirror.predict_proba(train), grown.predict_proba(train))


def class_only():
    """Data whose class is the only attribute, on which REPTree and RandomTree fall back to ZeroR."""
    header = Header("lone", (Attribute("k", "nominal", ("a", "b", "c")),), 0)
    return Dataset(header, np.array([[0.0], [0.0], [1.0]]))


@pytest.mark.parametrize("name", ["REPTree", "RandomTree"])
def test_the_fallback_to_zero_r(saved, name):
    train = class_only()
    tree = assert_parity(saved, train, [train], name, "")
    assert (tree.n_nodes, tree.routing) == (1, Routing.REPTREE)
    path, _ = saved(train, name, "", with_header=False)
    with pytest.raises(
        wc.ModelFileError, match=r"holds no header, since Weka .* kept a ZeroR .*, or in Python give header= or"
    ):
        wc.mirror(path)
    np.testing.assert_array_equal(wc.mirror(path, train=train).predict_proba(train), tree.predict_proba(train))


def test_long_values_that_weka_packs(saved):
    """Weka keeps nominal values of more than 200 characters as streams of their own."""
    values = ("short", "ä" * 201, "x" * 5000, "\0\U0001f600 mixed")
    rng = np.random.default_rng(0)
    cells = rng.integers(4, size=80).astype(float)
    header = Header("long", (Attribute("a", "nominal", values), Attribute("k", "nominal", ("n", "y"))), 1)
    train = Dataset(header, np.column_stack((cells, cells > 1)))
    assert assert_parity(saved, train, [train], "J48", "").header == header


def test_a_deep_tree(saved):
    """Deeper than Python would let a function call itself, at several calls per level."""
    n = 1501
    header = Header("chain", (Attribute("x"), Attribute("k", "nominal", ("a", "b"))), 1)
    train = Dataset(header, np.column_stack((np.arange(n) ** 2.0, np.arange(n) % 2)))
    path, classifier = saved(train, "J48", "-U -M 0 -O -J")
    tree = wc.mirror(path)
    np.testing.assert_array_equal(tree.predict_proba(train), WekaModel(classifier, 2).distributions(train))
    assert tree.depth.max() > 100


@pytest.mark.parametrize(
    ("name", "options", "written"),
    [
        ("J48", "-C 0.1 -M 7", "-C 0.1 -M 7"),
        ("J48", "-U -A -B", "-U -B -A"),
        ("REPTree", "-P -L 3", "-P -L 3"),
        ("RandomTree", "-depth 3 -U", "-depth 3 -U"),
        ("RandomForest", "-I 2 -S 5", "-I 2 -S 5"),
        ("Bagging", "-I 2", "-I 2"),
        ("RandomCommittee", "-I 3", "-I 3"),
        ("RandomSubSpace", "-P 0.75", "-P 0.75"),
    ],
)
def test_options_that_are_not_at_their_defaults(saved, name, options, written):
    path, _ = saved(wc.load_arff("arff/iris.arff"), name, options)
    mirror = wc.mirror(path)
    assert (mirror.learner, mirror.options) == (name, written)


@pytest.mark.uci
@pytest.mark.parametrize("name", ["audiology", "hypothyroid", "soybean", "vowel", "anneal"])
@pytest.mark.parametrize("learner", ["J48", "REPTree", "RandomTree", "Bagging"])
def test_uci_sets(saved, load_uci, name, learner):
    train = load_uci(name)
    test = without_cells(train, np.random.default_rng(3), 0.2)
    assert_parity(saved, train, [train, test], learner, "-I 3" if learner == "Bagging" else "")


# ---- wrappers ----

META = "weka.classifiers.meta."
COSTS = '-cost-matrix "[0 1 2; 3 0 1; 5 1 0]"'
BINS = '-F "weka.filters.unsupervised.attribute.Discretize -B 4"'
WRAPPED = [
    "weka.classifiers.trees.DecisionStump",
    f"{META}RandomCommittee -I 3",
    f"{META}RandomSubSpace -I 3 -W weka.classifiers.trees.J48 -- -U",
    f"{META}AttributeSelectedClassifier",
    f"{META}AttributeSelectedClassifier -W weka.classifiers.trees.RandomForest -- -I 2",
    f"{META}Bagging -I 2 -W {META}AttributeSelectedClassifier",
    f"{META}FilteredClassifier {BINS} -W {META}CostSensitiveClassifier -- {COSTS} -W {META}RandomSubSpace -- -I 2",
    f"weka.classifiers.misc.InputMappedClassifier -M -W {META}FilteredClassifier -- {BINS} "
    f"-W {META}CostSensitiveClassifier -- {COSTS} -W weka.classifiers.trees.J48",
    f'{META}FilteredClassifier -F "weka.filters.unsupervised.attribute.Remove -V -R last-first" '
    "-W weka.classifiers.trees.J48",
]


@pytest.mark.parametrize("scheme", WRAPPED)
@pytest.mark.parametrize("is_live", [False, True], ids=["file", "live"])
def test_wrappers(java, tmp_path, scheme, is_live):
    whole = wc.load_arff("arff/missing-weights.arff")
    train = Dataset(whole.header, whole.values).take(whole.class_values >= 0)
    name, _, options = scheme.partition(" ")
    classifier = built(java, name, options, to_java(train))
    java("weka.core.SerializationHelper").write(str(tmp_path / "w.model"), classifier)
    mirror = wc.mirror(classifier if is_live else tmp_path / "w.model")
    test = without_cells(train, np.random.default_rng(5), 0.2)
    expected = WekaModel(classifier, train.n_classes).distributions(test)
    np.testing.assert_array_equal(mirror.predict_proba(test), expected)


def test_costs_that_decide(java, tmp_path):
    train = wc.load_arff("arff/missing-weights.arff")
    options = f"-M {COSTS} -W weka.classifiers.trees.J48 -- -M 20"
    classifier = built(java, f"{META}CostSensitiveClassifier", options, to_java(train))
    java("weka.core.SerializationHelper").write(str(tmp_path / "c.model"), classifier)
    model = wc.mirror(tmp_path / "c.model")
    theirs = WekaModel(classifier, 3).distributions(train).argmax(axis=1)
    np.testing.assert_array_equal(model.predict(train), theirs)
    assert (model.predict_proba(train).argmax(axis=1) != theirs).any()
    fitted = wc.fit(None, learner=model)
    np.testing.assert_array_equal(fitted.predict(train), theirs)


# ---- the given header, and what is refused ----


def test_a_given_header_must_be_that_of_the_file(saved):
    train, other = (wc.load_arff(f"arff/{name}.arff") for name in ("iris", "wine"))
    path, _ = saved(train, "J48", "")
    assert wc.mirror(path, train=train).header == wc.mirror(path, header=train.header).header == train.header
    with pytest.raises(HeaderMismatchError, match=r"J48.model: the given header, attribute 1: expected"):
        wc.mirror(path, train=other)


@pytest.mark.parametrize(
    ("class_name", "options", "words"),
    [
        ("weka.classifiers.rules.ZeroR", "", r"holds a weka.classifiers.rules.ZeroR, which has no mirror; only J48, "),
        ("weka.classifiers.meta.Bagging", "-I 2 -W weka.classifiers.rules.OneR", "Bagging of weka.classifiers.rules"),
        ("weka.classifiers.trees.LMT", "", "holds a weka.classifiers.trees.LMT"),
    ],
)  # fmt: skip
def test_other_classifiers_are_refused_by_name(java, tmp_path, class_name, options, words):
    classifier = built(java, class_name, options, to_java(wc.load_arff("arff/iris.arff")))
    java("weka.core.SerializationHelper").write(str(tmp_path / "other.model"), classifier)
    with pytest.raises(wc.ModelFileError, match=rf"other\.model: .*{words}"):
        wc.mirror(tmp_path / "other.model")


@pytest.mark.parametrize("name", ["J48", "REPTree", "RandomTree", "RandomForest", "Bagging", "FilteredClassifier"])
def test_untrained_classifiers(java, tmp_path, name):
    """A header, which would not help, is not asked for."""
    class_name = FILTERED if name == "FilteredClassifier" else learner_class(name).class_name
    java("weka.core.SerializationHelper").write(str(tmp_path / "u.model"), java(class_name)())
    for more in ({}, {"train": wc.load_arff("arff/iris.arff")}):
        with pytest.raises(wc.ModelFileError, match=f"holds a {name} that was not trained; build it before saving it"):
            wc.mirror(tmp_path / "u.model", **more)


def test_a_regression_tree(java, tmp_path):
    data = wc.load_arff("arff/iris.arff").with_class(1)
    tree = java("weka.classifiers.trees.REPTree")()
    tree.buildClassifier(to_java(data))
    java("weka.core.SerializationHelper").write(str(tmp_path / "r.model"), tree)
    with pytest.raises(wc.ModelFileError, match="holds a REPTree of the numeric class"):
        wc.mirror(tmp_path / "r.model")


# ---- hostile files, written by Java itself ----


def written(java, path, *parts):
    java("weka.core.SerializationHelper").writeAll(str(path), java("java.lang.Object")[:](list(parts)))
    return path


def hidden(owner, class_name, name, java):
    """A field of an object that is not public."""
    field = java("java.lang.Class").forName(class_name).getDeclaredField(name)
    field.setAccessible(True)
    return field


@pytest.mark.parametrize("which", ["a cycle", "a shared node", "a node of another tree"])
def test_trees_that_are_no_trees(java, tmp_path, which):
    tree = java("weka.classifiers.trees.J48")()
    tree.buildClassifier(to_java(wc.load_arff("arff/iris.arff")))
    root = hidden(tree, "weka.classifiers.trees.J48", "m_root", java).get(tree)
    sons = root.getSons()
    if which == "a cycle":
        sons[1] = root
    elif which == "a shared node":
        sons[1] = sons[0]
    else:
        sons[1].getSons()[0] = sons[0]
    with pytest.raises(wc.ModelFileError, match="two branches lead to the same node"):
        wc.mirror(written(java, tmp_path / "odd.model", tree))


def test_sets_of_sets_that_take_java_years_to_read(java, tmp_path):
    """Every level holds the one below twice: to put it into a set again Java asks it for its hash code 2^100 times."""
    outer = java("java.util.HashSet")()
    first, second = outer, java("java.util.HashSet")()
    for _ in range(100):
        inner, other = java("java.util.HashSet")(), java("java.util.HashSet")()
        inner.add("foo")
        for holder in (first, second):
            holder.add(inner)
            holder.add(other)
        first, second = inner, other
    path = written(java, tmp_path / "sets.model", outer)
    with pytest.raises(wc.ModelFileError, match=r"holds a java\.util\.HashSet, which has no mirror"):
        wc.mirror(path)


def test_splits_of_every_kind_occur(saved):
    """The cases above would prove little if they had no such splits."""
    train = wc.load_arff("arff/missing-weights.arff")
    kinds = set()
    for name, options in [("J48", ""), ("J48", "-B -U"), ("REPTree", "")]:
        kinds |= set(wc.mirror(saved(train, name, options)[0]).split_kind.tolist())
    assert kinds == {*map(int, SplitKind)} - {int(SplitKind.NOMINAL_SUBSET)}
