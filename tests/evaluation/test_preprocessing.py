"""Named preprocessings: what they make of published and of odd data, against Weka's own filters."""

import numpy as np
import pytest
from support.command_line import ARFF
from support.live_weka import of_weka
from support.small_data import small

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError
from wekaconf.bridge._instances import from_java, to_java
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.evaluation.preprocessing import fit_preprocessing

UNSUPERVISED = "weka.filters.unsupervised.attribute"
PAPER = """anneal anneal.ORIG audiology autos balance-scale breast-cancer breast-w colic colic.ORIG credit-a credit-g
diabetes glass heart-c heart-h heart-statlog hepatitis hypothyroid ionosphere iris kr-vs-kp labor lymph mushroom
primary-tumor segment sick sonar soybean splice vehicle vote vowel waveform-5000 zoo"""
"""The data sets of the paper's tables 3 and 4."""
C45 = {"iris": 98.99, "labor": 78.25, "lymph": 71.16, "heart-c": 83.16, "primary-tumor": 63.98, "zoo": 79.57}
"""Some of the paper's Table 3, column C45; heart-c and primary-tumor declare classes that have no instances."""


def fitted(train):
    return fit_preprocessing(train, "wang2006")


def names(data):
    return [attribute.name for attribute in data.attributes]


def short(fitted):
    return [used.class_name.rsplit(".", 1)[1] for used in fitted.filters]


# -- the paper's data ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAPER.split())
def test_what_the_paper_s_data_lose(load_uci, name):
    data = load_uci(name)
    output = fitted(data).output
    lost = [attribute.name for attribute in data.attributes if attribute.name not in names(output)]
    assert lost == {"colic.ORIG": ["Hospital Number"], "splice": ["Instance_name"], "zoo": ["animal"]}.get(name, [])
    assert all(attribute.is_nominal for attribute in output.attributes)
    assert not np.isnan(np.delete(output.values, output.class_index, axis=1)).any()
    np.testing.assert_array_equal(output.class_values, data.class_values)
    np.testing.assert_array_equal(output.weights, data.weights)


@pytest.mark.parametrize("name", ["colic.ORIG", "hypothyroid", "labor", "zoo"])
def test_equals_weka_s_own_filters(java, load_uci, name):
    """Fitted on every other instance and applied to the rest, each filter set up by Weka's own means."""
    data = load_uci(name)
    train, test = data.take(np.arange(0, len(data), 2)), data.take(np.arange(1, len(data), 2))
    found = fitted(train)
    sent = to_java(train), to_java(test)
    gone = [name for name in names(train) if name not in names(found.output)]
    steps = [("ReplaceMissingValues", ""), ("Discretize", "-B 10")]
    steps += [("Remove", f"-R {names(train).index(name) + 1}") for name in gone]
    for step, options in steps:
        own = of_weka(java, f"{UNSUPERVISED}.{step}", options)
        own.setInputFormat(sent[0])
        sent = tuple(java("weka.filters.Filter").useFilter(part, own) for part in sent)
    for ours, theirs in zip((found.output, found.apply(test)), map(from_java, sent), strict=True):
        assert ours.attributes == theirs.attributes
        assert ours.class_index == theirs.class_index
        np.testing.assert_array_equal(ours.values, theirs.values)
    assert short(found) == [step for step, _ in steps]


@pytest.mark.parametrize("name", C45)
def test_published_area_of_c45(load_uci, name):
    """Preprocessing, folds and measure together give the published figure to its two decimals."""
    data = load_uci(name)
    [record] = wc.evaluate(data, "leaf_frequency", protocol=wc.Protocol(runs=5, preprocess="wang2006")).records
    assert 100 * record["fold_mean"]["auc_wang2006"] == pytest.approx(C45[name], abs=0.005)


# -- what it makes of data -----------------------------------------------------------------------------------------


def test_all_steps_on_a_small_set(jvm):
    """Means and modes, ten bins from 0 to 100, and a name for every instance."""
    train = small(
        x=[0, 100, None, 20, 60], n=["p", "q", "q", None, "q"], name=list("vwxyz"), c=["a", "b", "a", None, "b"]
    )
    found = fitted(train)
    assert short(found) == ["ReplaceMissingValues", "Discretize", "Remove"]
    assert names(found.output) == ["x", "n", "c"]
    np.testing.assert_array_equal(found.output.values, [[0, 0, 0], [9, 1, 1], [4, 1, 0], [1, 1, np.nan], [5, 1, 1]])
    assert found.output.attributes[0].values[4] == "'(40-50]'"
    assert found.output.relation == "small"
    assert repr(found) == "Preprocessing('wang2006' fitted on 'small')"
    test = small(x=[-5, 41, None], n=(["p", "q"], ["p", None, "q"]), name=(list("vwxyz"), ["v", None, "z"]),
                 c=(["a", "b"], ["b", None, "a"]))  # fmt: skip
    applied = found.apply(test)
    np.testing.assert_array_equal(applied.values, [[0, 0, 1], [4, 1, np.nan], [4, 1, 0]])
    assert applied.header == found.output.header


@pytest.mark.parametrize(("n_distinct", "is_removed"), [(7, False), (8, True), (10, True)])
def test_near_unique_from_four_fifths_on(jvm, n_distinct, is_removed):
    values = [f"v{i % n_distinct}" for i in range(10)]
    train = small(x=[1, 2] * 5, n=values, c=list("ab") * 5)
    assert ("n" not in names(fitted(train).output)) == is_removed


def test_only_values_that_occur_count(jvm):
    declared = [f"v{i}" for i in range(10)]
    few = (declared, ["v1", "v2"] * 5)
    many_missing = (declared, [*declared[:7], None, None, None])
    assert names(fitted(small(few=few, m=many_missing, c=list("ab") * 5)).output) == ["few", "m", "c"]


def test_neither_the_class_nor_a_number_is_near_unique(jvm):
    train = small("c", c=list("abcde"), x=[1, 2, 3, 4, 5], n=["p", "q", "p", "q", "p"])
    output = fitted(train).output
    assert names(output) == ["c", "x", "n"]
    assert output.class_index == 0


def test_class_stays_the_class_when_columns_before_it_go(jvm):
    train = small("c", name=list("vwxyz"), x=[1, 2, 3, 4, 5], c=list("ababa"), n=list("ppqpq"))
    output = fitted(train).output
    assert names(output) == ["x", "c", "n"]
    assert output.header.class_attribute.name == "c"
    np.testing.assert_array_equal(output.class_values, train.class_values)


def test_class_is_not_looked_at(jvm):
    train = wc.load_arff(ARFF / "missing-weights.arff")
    values = train.values.copy()
    values[:, train.class_index] = np.roll(values[:, train.class_index], 7)
    here, there = (fitted(data).output for data in (train, Dataset(train.header, values, train.weights)))
    columns = np.arange(len(here.attributes)) != here.class_index
    np.testing.assert_array_equal(here.values[:, columns], there.values[:, columns])
    assert here.attributes == there.attributes


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_filters_need_no_java_and_give_what_they_were_fitted_to(jvm, monkeypatch, tmp_path):
    train = wc.load_arff(ARFF / "missing-weights.arff")
    found = fitted(train)
    method = wc.method("leaf_frequency").fit(wc.grow(found.output), found.output)
    wc.Model(method, filters=found.filters).save(tmp_path / "m.wct")
    monkeypatch.setattr("wekaconf.bridge._jvm.call", None)
    assert found.apply(train) == found.output
    data = train
    model = wc.load(tmp_path / "m.wct")
    for learned in model.filters:
        data = learned.apply(data)
    np.testing.assert_array_equal(data.values, found.output.values)
    np.testing.assert_array_equal(model.predict_proba(train), method.predict_proba(found.output))


# -- odd data ------------------------------------------------------------------------------------------------------

CLASS = list("abab")


@pytest.mark.parametrize(
    ("columns", "cells"),
    [
        ({"n": list("pqpq")}, [0, 1, 0, 1]),
        ({"x": [1, 2, 3, 11]}, [0, 0, 1, 9]),
        ({"x": [None] * 4}, [0, 0, 0, 0]),
        ({"n": (["p", "q"], [None] * 4)}, [0, 0, 0, 0]),
        ({"n": ((), [None] * 4)}, [np.nan] * 4),
        ({"x": [5, 5, 5, 5]}, [0, 0, 0, 0]),
        ({"x": [5, None, 5, None]}, [0, 0, 0, 0]),
        ({"x": [1e-9, 1.5e-9, 2.5e-9, 11e-9]}, [0, 0, 1, 9]),
        ({"x": [-1e300, 1e300, 0, None]}, [0, 9, 4, 4]),
    ],
    ids=[
        "no numeric attribute", "none missing", "number missing everywhere", "value missing everywhere",
        "no value declared", "constant", "constant or missing", "tiny range", "huge range",
    ],
)  # fmt: skip
def test_odd_attribute(jvm, columns, cells):
    train = small(**columns, c=CLASS)
    found = fitted(train)
    np.testing.assert_array_equal(found.output.values[:, 0], cells)
    assert found.apply(train) == found.output
    assert wc.grow(found.output).n_nodes >= 1


def test_date_is_cut_too(jvm):
    attributes = (Attribute("when", "date", date_format="yyyy"), Attribute("c", "nominal", ("a", "b")))
    train = Dataset(Header("dates", attributes, 1), np.array([[0, 0], [1e12, 1], [5.5e11, 0]]))
    np.testing.assert_array_equal(fitted(train).output.values[:, 0], [0, 9, 5])


@pytest.mark.parametrize(
    ("columns", "kept"),
    [({"x": [3], "c": (["a", "b"], ["a"])}, [[0, 0]]), ({"x": [3, 4], "c": ["a", "b"]}, [[0, 0], [9, 1]])],
    ids=["one instance", "two instances"],
)
def test_few_instances_keep_numbers_and_lose_what_names_them(jvm, columns, kept):
    data = small(n=list("pq")[: len(columns["x"])], **columns)
    output = fitted(data).output
    assert names(output) == ["x", "c"]
    np.testing.assert_array_equal(output.values, kept)
    same = small(n=["p", "p"], x=[3, 4], c=["a", "b"])
    assert names(fitted(same).output) == ["n", "x", "c"]


def test_nothing_but_the_class(jvm):
    assert names(fitted(small(c=CLASS)).output) == ["c"]


@pytest.mark.parametrize(
    ("train", "message"),
    [
        (small(n=list("pqrs"), m=list("wxyz"), c=CLASS),
         r"'small': there are nearly as many values of 'n', 'm' as instances \(4\), so no attribute would remain"),
        (small(x=[np.inf, 1, 2, 3], y=[1, 2, 3, 4], c=CLASS), "'small': the range of 'x' is infinite or too narrow"),
        (small(x=[np.inf, -np.inf, 2, None], c=CLASS), "the range of 'x' is infinite"),
        (small(x=[1e308, -1e308, 2, 3], c=CLASS), "the range of 'x' is infinite"),
        (small(x=[1, np.nextafter(1, 2), 1, 1], c=CLASS), "the range of 'x' is infinite or too narrow for ten bins"),
        (small(x=[-1.0000000000000002, -0.9999999999999991, -1, -1], c=CLASS),  # -1 twice, then smaller steps
         "the range of 'x' is infinite or too narrow"),
        (small(x=[1, 2], c=(["a", "b"], [None, None])), "'small' has no instance with a class"),
        ("iris", "expected a Dataset, got str"),
    ],
    ids=["all near-unique", "infinite", "both infinities", "overflow", "narrow", "narrow at first",
         "no class known", "no data set"],
)  # fmt: skip
def test_refused(jvm, train, message):
    with pytest.raises(wc.OptionError, match=message):
        fitted(train)


def test_unknown_name(jvm):
    with pytest.raises(wc.OptionError, match="no preprocessing 'wang'; the preprocessings are median, wang2006"):
        fit_preprocessing(small(x=[1, 2, 3, 4], c=CLASS), "wang")


def test_other_header(jvm):
    with pytest.raises(HeaderMismatchError, match="attribute 1: expected 'x' numeric, got 'z' numeric"):
        fitted(small(x=[1, 2, 3, 4], c=CLASS)).apply(small(z=[1, 2, 3, 4], c=CLASS))


# ---- median ----


def test_median_fills_what_is_missing_and_nothing_else():
    data = small(
        size=[3, None, 10, 4, None, 1],
        colour=["red", "blue", None, "blue", "red", None],
        when=[None] * 6,
        **{"class": ["a", "b", None, "a", "b", "a"]},
    )
    found = fit_preprocessing(data, "median")
    expected = data.values.copy()
    expected[[1, 4], 0] = 3.5
    expected[[2, 5], 1] = data.attributes[1].value_index["red"]  # as often as blue, declared first
    expected[:, 2] = 0
    np.testing.assert_array_equal(found.output.values, expected)
    assert found.output.header == data.header
    further = data.take([1, 2, 2])
    assert found.apply(further) == found.output.take([1, 2, 2])


def test_median_travels_with_a_model(tmp_path):
    data = wc.load_arff(ARFF / "missing-weights.arff")
    found = fit_preprocessing(data, "median")
    assert np.isnan(data.values).any()
    rest = np.delete(np.arange(len(data.attributes)), data.class_index)
    assert not np.isnan(found.output.values[:, rest]).any()
    tree = wc.grow(found.output, "CART", "nominal=one_hot")
    wc.Model(wc.method("leaf_frequency").fit(tree, found.output), filters=found.filters).save(tmp_path / "m.wct")
    [again] = wc.load(tmp_path / "m.wct").filters
    assert again.apply(data) == found.output
