"""Learners and methods by name, and the Python calls of a first session."""

from collections import Counter
from typing import Literal

import numpy as np
import pytest
from support.command_line import ARFF
from support.parameter_values import OTHER_VALUES
from support.small_data import small

import wekaconf as wc
from wekaconf.base.parameters import parameter, parameters, written
from wekaconf.bridge import fit_filter
from wekaconf.methods.contract._answer import Reply
from wekaconf.methods.contract._method import Method
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model.scheme import Scheme, label_of, learner_for, learner_of, parse_method, scheme_for


def test_first_session(jvm, java, tmp_path, iris):
    """What a new user does, in order."""
    assert iris.values.dtype == np.float64
    assert iris.values.shape == (150, 5)
    assert iris.weights.shape == (150,)
    assert len(iris.attributes) == 5
    assert iris.class_index == 4

    train_index, test_index = wc.folds(iris, k=10, seed=1)[0]
    train, test = iris.take(train_index), iris.take(test_index)
    assert (len(train), len(test)) == (135, 15)

    tree = wc.grow(train, learner="J48", options="-C 0.25 -M 2")
    assert isinstance(tree, wc.TreeMirror)
    proba = tree.predict_proba(test)
    from wekaconf.bridge._instances import to_java

    classifier = java("weka.classifiers.trees.J48")()
    classifier.buildClassifier(to_java(train))
    weka = [list(classifier.distributionForInstance(instance)) for instance in to_java(test)]
    np.testing.assert_array_equal(proba, weka)

    m = wc.method("confdtree", variant="comb").fit(tree, train)
    assert m.predict_proba(test).shape == (15, 3)
    certainty = m.certainty(test)
    np.testing.assert_array_equal(m.reject(test, below=0.8), certainty < 0.8)
    explanation = m.explain(test)
    assert len(explanation) == 15
    counts = Counter(event.kind for i in range(15) for event in explanation[i])
    assert counts == Counter(explanation.counts())
    names = {attribute.name for attribute in iris.attributes}
    assert all(event.attribute in names for i in range(15) for event in explanation[i])
    assert counts.total() > 0

    f = fit_filter(train, "weka.filters.unsupervised.attribute.Discretize", "-B 10")
    filtered = f.apply(test)
    assert len(filtered) == 15
    assert [len(attribute.values) for attribute in filtered.attributes[:4]] == [10] * 4

    path = tmp_path / "m.wct"
    wc.Model(m).save(path)
    np.testing.assert_array_equal(wc.load(path).predict_proba(test), m.predict_proba(test))


# -- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "params"),
    [
        ("leaf_frequency", "leaf_frequency", {"laplace": None}),
        ("leaf_frequency:laplace=true", "leaf_frequency", {"laplace": True}),
        ("leaf_frequency:laplace=False", "leaf_frequency", {"laplace": False}),
        ("leaf_frequency:laplace=None", "leaf_frequency", {"laplace": None}),
        ("confdtree:variant=tdist", "confdtree", {"variant": "tdist"}),
        (" confdtree : variant = norm , fine = 0.25,", "confdtree", {"variant": "norm", "fine": 0.25}),
        ("confdtree:min_instances=7,routes=false", "confdtree", {"min_instances": 7, "routes": False}),
        ("confdtree:z_other=1e-3", "confdtree", {"z_other": 0.001}),
        ("id3_sd:alpha=none", "id3_sd", {"alpha": None}),
        ("tpce:cuts=none", "tpce", {"cuts": None}),
        ("id3_sd:p_total=NONE", "id3_sd", {"p_total": None}),
        ("tpce:inner=1", "tpce", {"inner": "1"}),
        ("boundary_distance:nominal=inf", "boundary_distance", {"nominal": np.inf}),
    ],
)
def test_method_as_text(text, name, params):
    method = parse_method(text)
    assert method.name == name
    for key, value in params.items():
        assert method.params[key] == value
        assert type(method.params[key]) is type(value)


def test_parameters_are_printed_as_they_are_read():
    """What `wekaconf list methods` prints as a default can be typed."""
    for name, method in wc.available_methods().items():
        text = ",".join(f"{p.name}={written(p.default)}" for p in parameters(method).values())
        assert parse_method(f"{name}:{text}").params == wc.method(name).params


@pytest.mark.parametrize("name", sorted(OTHER_VALUES))
def test_every_value_can_be_written(name):
    for key, values in OTHER_VALUES[name].items():
        for given in values:
            value, others = given if isinstance(given, tuple) else (given, {})
            params = {key: value, **others}
            text = ",".join(f"{given_as}={written(of)}" for given_as, of in params.items())
            assert parse_method(f"{name}:{text}").params == wc.method(name, **params).params


@pytest.fixture
def with_reading():
    """A method with a reading, which the library may lack."""

    class WithReading(Method.registry["leaf_frequency"], name="with_reading"):
        reading: Literal["honest", "text"] = parameter(default="honest", help="How the paper is read.")

    yield WithReading
    del Method.registry["with_reading"]


def test_parameters_in_the_name_are_told_to_be_arguments():
    with pytest.raises(wc.OptionError, match=r"no method 'wpe:numeric=bins': .* arguments, method\('wpe', numeric=…\)"):
        wc.method("wpe:numeric=bins")
    with pytest.raises(wc.OptionError, match=r"no method 'wpe:a:b': .* arguments, method\('wpe', a:b=…\)"):
        wc.method("wpe:a:b")


def test_defaults_hold_where_the_method_has_them_and_the_text_is_silent(with_reading):
    assert parse_method("with_reading", reading="text").reading == "text"
    assert parse_method(" with_reading :laplace=true", reading="text").params == {"laplace": True, "reading": "text"}
    assert parse_method("with_reading:reading=honest", reading="text").reading == "honest"
    assert parse_method("leaf_frequency", reading="text").params == {"laplace": None}
    with pytest.raises(wc.OptionError, match="no method 'magic'"):
        parse_method("magic", reading="text")
    with pytest.raises(wc.OptionError, match="leaf_frequency has no parameter 'reading'"):
        parse_method("leaf_frequency:reading=text", reading="text")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no method ''; the methods are .*confdtree.*leaf_frequency"),
        ("magic", "no method 'magic'; the methods are .*confdtree"),
        ("confdtre", r"no method 'confdtre'; did you mean 'confdtree'\?$"),
        ("ConfDTree:fine=0.2", r"no method 'ConfDTree'; did you mean 'confdtree'\?$"),
        ("confdtree:variant", "method 'confdtree:variant': expected parameter=value, got 'variant'"),
        ("confdtree:variant=foo", "confdtree: variant must be comb, norm or tdist, got 'foo'$"),
        ("confdtree:min_instances=abc", "min_instances must be a whole number of at least 1, got 'abc'"),
        ("confdtree:min_instances=nan", "min_instances must be a whole number of at least 1, got 'nan'"),
        ("confdtree:min_instances=none", "min_instances must be a whole number of at least 1, got 'none'"),
        ("confdtree:fine=true", "fine must be a number from 0 to 1, got 'true'"),
        ("confdtree:routes=none", "routes must be true or false, got 'none'"),
        ("confdtree:variant=tdst", r"variant must be comb, norm or tdist, got 'tdst'; did you mean 'tdist'\?$"),
        ("confdtree:varient=tdist", r"confdtree has no parameter 'varient'; did you mean 'variant'\?$"),
        ("confdtree:fine=1.5", "fine must be a number from 0 to 1, got '1.5'"),
        ("confdtree:size=3", "confdtree has no parameter 'size'; its parameters are: variant, .*fines"),
        ("confdtree:fine=0.1,fine=0.2", "method 'confdtree:fine=0.1,fine=0.2': 'fine' is given twice; leave one out"),
    ],
)
def test_wrong_method(text, message):
    with pytest.raises(wc.OptionError, match=message):
        parse_method(text)


def test_unknown_reader():
    with pytest.raises(wc.OptionError, match="expected 'liac' or 'weka', got 'pandas'"):
        wc.load_arff(ARFF / "iris.arff", reader="pandas")


@pytest.mark.parametrize("name", ["credit-g", "missing-weights"])
def test_both_readers_agree(jvm, name):
    path = ARFF / f"{name}.arff"
    assert wc.load_arff(path, reader="weka") == wc.load_arff(path)


def test_unknown_learner_and_option(jvm):
    data = small(x=[1, 2, 3, 4], c=["a", "a", "b", "b"])
    with pytest.raises(
        wc.OptionError,
        match=r"no learner 'ID3'; the learners are AttributeSelectedClassifier, Bagging, C44, CART, .*REPTree",
    ):
        wc.grow(data, "ID3")
    with pytest.raises(wc.OptionError, match=r"-Z.*valid options are .*-C <pruning confidence>"):
        wc.grow(data, "J48", "-Z")


@pytest.mark.parametrize("name", ["FilteredClassifier", "weka.classifiers.meta.CostSensitiveClassifier"])
def test_a_meta_learner_is_no_learner(name):
    with pytest.raises(wc.OptionError, match=f"^learner: {name} does something to the training data before"):
        learner_of(f"{name} -W weka.classifiers.trees.J48")


def test_costs_are_those_of_the_learner_or_stand_beside_it():
    costs = wc.CostMatrix([[0, 1], [5, 0]])
    plain, weighing = Scheme(wc.CART()), Scheme(wc.CART(), cost_matrix=costs)
    assert plain.costs_beside(None) is None
    assert plain.costs_beside(costs) is weighing.costs_beside(None) is costs
    with pytest.raises(wc.OptionError, match="the learner, CostSensitiveClassifier, has one; leave one of them out"):
        weighing.costs_beside(costs)


def test_several_values_of_a_parameter_are_written_with_a_plus():
    for sides in ("laplace+logistic", ["laplace", "logistic"]):
        assert label_of(wc.SecondOpinion(sides=sides)) == "second_opinion:sides=laplace+logistic"
    assert label_of(wc.SecondOpinion()) == "second_opinion"


def test_options_take_the_place_of_those_that_a_paper_uses():
    method = wc.method("id3_sd")
    assert [learner_for(method, None).options, learner_for(method, None, "-M 5").options] == ["-U -M 1", "-M 5"]
    assert repr(learner_for(method, "CART")) == "CART()"
    assert repr(scheme_for(None, None, "-M 5")) == repr(Scheme(wc.J48("-M 5")))
    assert repr(scheme_for(method, None, "")) == repr(Scheme(wc.J48("-U -M 1")))


def test_what_is_no_learner_is_not_told_of_mirrors():
    with pytest.raises(wc.OptionError, match=r"^learner: expected a name such as 'J48', .*'-C 0.1'\), got 5$"):
        wc.grow(small(x=[1, 2], c=["a", "b"]), 5)


def test_a_method_is_no_learner_and_a_learner_no_method():
    with pytest.raises(wc.OptionError, match=r"^no learner 'confdtree'; confdtree is a method: name it as the method$"):
        wc.grow(small(x=[1, 2], c=["a", "b"]), "confdtree")
    for name in ("J48", "weka.classifiers.trees.J48 -U"):
        with pytest.raises(wc.OptionError, match=rf"^no method '{name}'; J48 is a learner: name it as the learner$"):
            wc.method(name)
    with pytest.raises(wc.OptionError, match=r"^tpce: inner must be the name of a learner, got ''$"):
        wc.method("tpce", inner="")


def test_reading_in_the_record(jvm, with_reading):
    """What reproduces printed tables is marked; a method that nobody registered is not."""

    class Unregistered(with_reading, is_registered=False):
        pass

    class Clairvoyant(LeafFrequency, is_registered=False):
        is_table_reading = sees_class = True

        def _answer(self, data):
            return Reply(np.eye(data.n_classes)[data.class_values])

    data = small(x=range(40), c=[*"ab"] * 20)
    methods = [with_reading(), with_reading(reading="text"), Clairvoyant()]
    records = wc.evaluate(data, ["leaf_frequency", *methods], folds=2).records
    records += wc.evaluate(data, Unregistered(), folds=2).records
    assert [record["reading"] for record in records] == [None, "honest", "text", "table", "honest"]
    assert [record["params"].get("reading") for record in records] == [None, "honest", "text", None, "honest"]
    assert [record["sees_class"] for record in records] == [False, False, False, True, False]
    assert [record["label"] for record in records] == [
        "leaf_frequency", "with_reading", "with_reading:reading=text", "leaf_frequency (table reading)",
        "with_reading (Unregistered)",
    ]  # fmt: skip
    assert records[3]["pooled"]["percent_correct"] == 100.0
