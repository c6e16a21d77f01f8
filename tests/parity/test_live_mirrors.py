"""`wc.mirror` of classifiers that live in Java, and of FilteredClassifier, live and from files."""

import numpy as np
import pytest
from support.fresh_python import child
from support.java_classes import of_wrapper
from support.live_weka import built, differences
from test_tree_parity import generated, without_cells

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError, NotFittedError
from wekaconf.bridge._instances import to_java
from wekaconf.bridge.learners import WekaModel
from wekaconf.data import Dataset
from wekaconf.data._dataset import Attribute, Header
from wekaconf.learners import learner_class

SCHEMES = [
    ("J48", "-C 0.25 -M 2"),
    ("J48", "-B -U -A"),
    ("REPTree", "-P"),
    ("RandomTree", "-U"),
    ("RandomForest", "-I 3"),
    ("Bagging", "-I 2 -W weka.classifiers.trees.J48"),
]
FILTERS = "weka.filters"
MAPPED = [
    f"{FILTERS}.supervised.attribute.Discretize",
    f"{FILTERS}.unsupervised.attribute.Discretize -B 4",
    f"{FILTERS}.unsupervised.attribute.Discretize -F -B 5 -R first",
    f"{FILTERS}.unsupervised.attribute.Discretize -B 4 -unset-class-temporarily",
    f"{FILTERS}.unsupervised.attribute.PKIDiscretize",
    f"{FILTERS}.unsupervised.attribute.ReplaceMissingValues",
    f"{FILTERS}.unsupervised.attribute.ReplaceMissingValues -unset-class-temporarily",
    f"{FILTERS}.unsupervised.attribute.Remove -R 2",
    f"{FILTERS}.unsupervised.attribute.Remove -V -R 1,3,last",
    f"{FILTERS}.unsupervised.attribute.Reorder -R 3,1,last",
    f"{FILTERS}.AllFilter",
    f'{FILTERS}.MultiFilter -F \\"{FILTERS}.unsupervised.attribute.ReplaceMissingValues\\" '
    f'-F \\"{FILTERS}.unsupervised.attribute.Discretize -B 3\\"',
]


@pytest.fixture
def grown(java):
    return lambda name, options, train: built(java, name, options, to_java(train))


@pytest.mark.parametrize(("name", "options"), SCHEMES)
@pytest.mark.parametrize("seed", [None, 2])
def test_java_classifiers(grown, name, options, seed):
    train, test = (wc.load_arff("arff/missing-weights.arff"),) * 2 if seed is None else generated(seed)
    classifier = grown(learner_class(name).class_name, options, train)
    mirror = wc.mirror(classifier)
    assert list(differences(WekaModel(classifier, train.n_classes), mirror, test)) == []
    assert mirror.header.attributes == train.attributes
    assert mirror.learner == name and options.split()[0] in mirror.options.split() and mirror.weka_version


def test_classifiers_of_python_weka_wrapper3(jvm):
    classifiers = pytest.importorskip("weka.classifiers")
    train = wc.load_arff("arff/iris.arff")
    classifier = classifiers.Classifier(classname="weka.classifiers.trees.J48", options=["-M", "7"])
    with pytest.raises(NotFittedError, match=r"J48 has not been built; call its build_classifier\(data\), in Java"):
        wc.mirror(classifier)
    of_wrapper(classifier).buildClassifier(to_java(train))
    grown = wc.J48("-M 7").grow(train)
    np.testing.assert_array_equal(wc.mirror(classifier).predict_proba(train), grown.predict_proba(train))
    many = classifiers.SingleClassifierEnhancer(classname="weka.classifiers.meta.Bagging", options=["-I", "2"])
    with pytest.raises(NotFittedError, match="Bagging has not been built"):
        wc.mirror(many)
    of_wrapper(many).buildClassifier(to_java(train))
    np.testing.assert_array_equal(
        wc.mirror(many, train=train).predict_proba(train), wc.Bagging("-I 2").grow(train).predict_proba(train)
    )


def test_a_virtual_machine_that_the_wrapper_has_started():
    """Its class loader is another one."""
    code = """
import weka.core.jvm as jvm
jvm.start(packages=False)
from weka.core.converters import Loader
from weka.classifiers import Classifier
import wekaconf as wc
data = Loader(classname="weka.core.converters.ArffLoader").load_file("arff/iris.arff")
data.class_is_last()
for name in ("trees.J48", "trees.RandomForest", "meta.FilteredClassifier"):
    classifier = Classifier(classname=f"weka.classifiers.{name}")
    classifier.build_classifier(data)
    mirror, ours = wc.mirror(classifier), wc.load_arff("arff/iris.arff")
    theirs = [list(classifier.distribution_for_instance(instance)) for instance in data]
    print(name, (mirror.predict_proba(ours) == theirs).all())
jvm.stop()
"""
    assert child(code).splitlines() == ["trees.J48 True", "trees.RandomForest True", "meta.FilteredClassifier True"]


@pytest.mark.parametrize("name", ["J48", "REPTree", "RandomTree", "RandomForest", "Bagging"])
def test_untrained_ones(java, name):
    with pytest.raises(NotFittedError, match=f"^{name} has not been built"):
        wc.mirror(java(learner_class(name).class_name)(), train=wc.load_arff("arff/iris.arff"))


def test_a_filtered_one_that_is_untrained(java):
    with pytest.raises(NotFittedError, match="holds a FilteredClassifier that was not trained"):
        wc.mirror(java("weka.classifiers.meta.FilteredClassifier")())


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("weka.classifiers.bayes.NaiveBayes", "", "a weka.classifiers.bayes.NaiveBayes has no mirror; only Attrib"),
        ("weka.classifiers.meta.Bagging", "-I 2 -W weka.classifiers.rules.OneR", "OneR; they must be J48, REPTree, "),
        ("weka.classifiers.meta.FilteredClassifier", "-W weka.classifiers.rules.OneR", "holds a weka.classifiers.rule"),
    ],
)
def test_others_are_refused_by_name(grown, name, options, words):
    with pytest.raises(wc.OptionError, match=words):
        wc.mirror(grown(name, options, wc.load_arff("arff/iris.arff")))


def test_a_tree_of_numbers_is_refused_for_what_it_is(grown):
    tree = grown("weka.classifiers.trees.REPTree", "", wc.load_arff("arff/iris.arff", class_attribute="first"))
    with pytest.raises(wc.OptionError, match="this REPTree is one of the numeric class 'sepal length"):
        wc.mirror(tree)


def test_java_objects_that_are_no_classifiers(java):
    with pytest.raises(wc.OptionError, match=r"a java\.util\.ArrayList has no mirror"):
        wc.mirror(java("java.util.ArrayList")())
    with pytest.raises(wc.OptionError, match=r"got a class|got JavaClass"):
        wc.mirror(java("weka.classifiers.trees.J48"))


def test_the_header_of_a_tree_that_keeps_none(grown):
    train = Dataset(Header("lone", (Attribute("k", "nominal", ("a", "b")),), 0), np.array([[0.0], [0.0], [1.0]]))
    tree = grown("weka.classifiers.trees.REPTree", "", train)
    with pytest.raises(wc.OptionError, match="this REPTree keeps no header"):
        wc.mirror(tree)
    assert wc.mirror(tree, train=train).predict_proba(train).tolist() == [[0.6, 0.4]] * 3  # ZeroR smooths
    with pytest.raises(HeaderMismatchError, match="the given header"):
        wc.mirror(grown("weka.classifiers.trees.J48", "", wc.load_arff("arff/iris.arff")), train=train)


# ---- FilteredClassifier ----


def filtered(grown, scheme, filter_with_options, train):
    name, _, options = scheme.partition(" ")
    return grown(
        "weka.classifiers.meta.FilteredClassifier", f'-F "{filter_with_options}" -W {name} -- {options}', train
    )


@pytest.mark.parametrize(("place", "mapped"), [*enumerate(MAPPED)])
def test_filters_that_are_held_as_arrays(java, grown, tmp_path, place, mapped):
    scheme = f"weka.classifiers.trees.{('J48', 'RandomForest -I 2', 'REPTree')[place % 3]}"
    whole = wc.load_arff("arff/missing-weights.arff")
    train = whole.take(whole.class_values >= 0)
    classifier = filtered(grown, scheme, mapped, train)
    java("weka.core.SerializationHelper").write(str(tmp_path / "f.model"), classifier)
    test = without_cells(train, np.random.default_rng(1), 0.2)
    wanted = WekaModel(classifier, train.n_classes).distributions(test)
    for model in (wc.mirror(classifier), wc.mirror(tmp_path / "f.model"), wc.mirror(tmp_path / "f.model", train=train)):
        assert isinstance(model, wc.Model)
        assert model.header.attributes == train.attributes
        np.testing.assert_array_equal(model.predict_proba(test), wanted)
    model.save(tmp_path / "f.wct")
    np.testing.assert_array_equal(wc.load(tmp_path / "f.wct").predict_proba(test), wanted)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ("unsupervised.attribute.Standardize", r"that have passed weka\.filters\.unsupervised\.attribute\.Standardize"),
        ("unsupervised.attribute.Discretize -D", "makes several columns of one"),
        ("unsupervised.attribute.Discretize -D -B 2", "Discretize -D, which makes several columns of one; only with"),
    ],
)
def test_other_filters_are_refused_by_name(java, grown, tmp_path, other, words):
    classifier = filtered(grown, "weka.classifiers.trees.J48", f"{FILTERS}.{other}", wc.load_arff("arff/iris.arff"))
    java("weka.core.SerializationHelper").write(str(tmp_path / "f.model"), classifier)
    with pytest.raises(wc.ModelFileError, match=words):
        wc.mirror(tmp_path / "f.model")
    with pytest.raises(wc.OptionError, match=words):
        wc.mirror(classifier)


def test_methods_read_the_tree_inside(grown):
    train = wc.load_arff("arff/iris.arff")
    model = wc.mirror(filtered(grown, "weka.classifiers.trees.J48", MAPPED[0], train))
    method = wc.MBranch().fit(model.method.tree_, model.conform(train))
    assert (wc.Model(method, model.filters).predict(train) == train.class_values).mean() > 0.9
