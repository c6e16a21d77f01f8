"""Filters fitted on training data and applied to more, against Weka's own objects."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from support.live_weka import weka_filter
from support.random_columns import as_sparse, asked_rows
from support.random_columns import random_dataset as any_dataset
from support.random_filters import FILTERS as ALL_FILTERS
from support.random_filters import NOT_DRAWN, filter_differences, random_filter, with_strings
from support.random_trees import random_dataset, random_header
from support.small_data import small

from wekaconf.base.errors import BridgeError, HeaderMismatchError, OptionError
from wekaconf.bridge import fit_filter
from wekaconf.data import Attribute, Dataset, Header

UNSUPERVISED, SUPERVISED = "weka.filters.unsupervised.attribute", "weka.filters.supervised.attribute"
FILTERS = [
    (f"{UNSUPERVISED}.Discretize", "-B 10"),
    (f"{UNSUPERVISED}.Discretize", "-F -B 4"),
    (f"{SUPERVISED}.Discretize", ""),
    (f"{UNSUPERVISED}.ReplaceMissingValues", ""),
    (f"{UNSUPERVISED}.Remove", "-R 1"),
    (f"{UNSUPERVISED}.Remove", "-V -R first-3,last"),
    (f"{UNSUPERVISED}.Normalize", ""),
    (f"{UNSUPERVISED}.NominalToBinary", ""),
    (f"{UNSUPERVISED}.PrincipalComponents", "-R 0.9"),
    ("weka.filters.unsupervised.instance.RemoveWithValues", "-S 0.3 -C 1"),
    ("weka.filters.supervised.instance.Resample", "-S 3 -Z 50"),
    ("weka.filters.MultiFilter", f'-F "{UNSUPERVISED}.ReplaceMissingValues" -F "{UNSUPERVISED}.Discretize -B 3"'),
]


UNWEIGHTED = ("PrincipalComponents", "Resample")
"""Filters that Weka refuses to use on weighted instances."""


def generated(*, weights=True):
    """Training and test data with missing cells, the class last."""
    rng = np.random.default_rng(8)
    attributes = tuple(sorted(random_header(rng, 6, 3).attributes, key=lambda attribute: attribute.name == "class"))
    header = Header("generated", attributes, len(attributes) - 1)
    return random_dataset(rng, header, 90, 0.1, weights), random_dataset(rng, header, 40, 0.1, weights)


@pytest.mark.parametrize(("class_name", "options"), FILTERS)
def test_generated_sets(java, class_name, options):
    train, test = generated(weights=not class_name.endswith(UNWEIGHTED))
    fitted = fit_filter(train, class_name, options)
    theirs = weka_filter(java, class_name, options, train, test)
    assert [fitted.output, fitted.apply(test)] == theirs
    assert fitted.apply(test) == theirs[1]
    assert theirs[0] != train
    assert (fitted.column_map is not None) == class_name.endswith(("Discretize", "ReplaceMissingValues", "Remove"))


@pytest.mark.parametrize("name", ["anneal", "heart-c", "hypothyroid", "labor"])
def test_uci_sets(java, load_uci, name):
    data = load_uci(name)
    train, test = data.take(np.arange(0, len(data), 2)), data.take(np.arange(1, len(data), 2))
    for class_name, options in FILTERS[:7]:
        fitted = fit_filter(train, class_name, options)
        assert [fitted.output, fitted.apply(test)] == weka_filter(java, class_name, options, train, test)


def test_discretize_learns_from_the_training_data_only(jvm):
    train, test = small(x=[0, 4, 8, 10], c=list("abab")), small(x=[-50, 3, 99, None], c=list("abab"))
    applied = fit_filter(train, f"{UNSUPERVISED}.Discretize", "-B 2").apply(test)
    assert applied.attributes[0].values == ("'(-inf-5]'", "'(5-inf)'")
    np.testing.assert_array_equal(applied.values[:, 0], [0, 0, 1, np.nan])


def test_means_and_modes_are_those_of_the_training_data(jvm):
    train = small(x=[1, 3, None, 8], n=["p", "q", "q", None], c=list("abab"))
    test = small(x=[None, 100], n=(["p", "q"], [None, "p"]), c=list("ab"))
    applied = fit_filter(train, f"{UNSUPERVISED}.ReplaceMissingValues").apply(test)
    np.testing.assert_array_equal(applied.values, [[4, 1, 0], [100, 0, 1]])


def test_strings_become_nominal(jvm):
    attributes = (Attribute("s", "string", ("one, two", "%", "it's")), Attribute("c", "nominal", ("a", "b")))
    train = Dataset(Header("texts", attributes, 1), np.array([[2, 0], [0, 1], [np.nan, 0]]))
    made = fit_filter(train, f"{UNSUPERVISED}.StringToNominal", "-R first").output
    assert made.attributes[0].kind == "nominal"
    texts = [None if np.isnan(cell) else made.attributes[0].values[int(cell)] for cell in made.values[:, 0]]
    assert texts == ["it's", "one, two", None]


def test_numeric_class(java):
    train = small(n=["p", "q", None, "p"], y=[1.5, 2, 3, None])
    fitted = fit_filter(train, f"{UNSUPERVISED}.ReplaceMissingValues")
    assert [fitted.output, fitted.apply(train)] == weka_filter(
        java, f"{UNSUPERVISED}.ReplaceMissingValues", "", train, train
    )


@pytest.mark.parametrize("options", ["-Z", "-B ten"])
def test_wrong_options_name_the_valid_ones(jvm, options):
    with pytest.raises(OptionError, match=r"valid options are .*-B <num>"):
        fit_filter(generated()[0], f"{UNSUPERVISED}.Discretize", options)


def test_filter_that_cannot_work_on_the_data(jvm):
    with pytest.raises(OptionError, match=r"Resample cannot be applied to 'generated': .*weights are not equal to 1"):
        fit_filter(generated()[0], "weka.filters.supervised.instance.Resample")
    with pytest.raises(OptionError, match=r"supervised.attribute.Discretize cannot be applied to 'small'"):
        fit_filter(small(n=list("pq"), y=[1.0, 2.0]), f"{SUPERVISED}.Discretize")


def test_other_header(jvm):
    train, test = generated()
    fitted = fit_filter(train, f"{UNSUPERVISED}.Discretize", "-B 3")
    with pytest.raises(HeaderMismatchError, match="expected"):
        fitted.apply(test.with_class("first"))
    with pytest.raises(HeaderMismatchError, match="attribute 1: expected"):
        fitted.apply(small(z=[1.0, 2.0], c=list("ab")))


@pytest.mark.parametrize("name", ["iris", "labor", "heart-h", "soybean"])
def test_column_maps_are_the_filter(load_uci, java, name):
    data = load_uci(name)
    train, test = data.take(np.arange(0, len(data), 2)), data.take(np.arange(1, len(data), 2))
    for class_name, options in (
        (f"{UNSUPERVISED}.Discretize", "-B 1"),
        (f"{UNSUPERVISED}.Discretize", "-R 1 -B 3"),
        (f"{UNSUPERVISED}.PKIDiscretize", ""),
        (f"{SUPERVISED}.Discretize", ""),
        (f"{UNSUPERVISED}.ReplaceMissingValues", ""),
        (f"{UNSUPERVISED}.Remove", "-R 2"),
        (f"{UNSUPERVISED}.Reorder", "-R 3,1,2,last"),
    ):
        fitted = fit_filter(train, class_name, options)
        assert fitted.column_map is not None
        assert fitted.column_map.apply(test) == weka_filter(java, class_name, options, train, test)[1]


def test_filters_beyond_arrays_go_through_weka(jvm):
    train, test = generated()
    fitted = fit_filter(train, f"{UNSUPERVISED}.Discretize", "-D -B 3")
    assert fitted.column_map is None
    assert len(fitted.apply(test)) == len(test)


def test_fitted_filters_are_named_not_pickled(jvm):
    train, _ = generated()
    for options, shown in (("-B 3", " -B 3"), ("", "")):
        fitted = fit_filter(train, f"{UNSUPERVISED}.Discretize", options)
        assert repr(fitted) == f"FittedFilter({UNSUPERVISED}.Discretize{shown})"
        with pytest.raises(TypeError, match="a FittedFilter cannot be pickled; its column_map can"):
            pickle.dumps(fitted)
        assert pickle.loads(pickle.dumps(fitted.column_map)).apply(train) == fitted.output
    with pytest.raises(OptionError, match=r"Discretize: expected the options as one text, .* got \['-B', '3'\]$"):
        fit_filter(train, f"{UNSUPERVISED}.Discretize", ["-B", "3"])


# -- any filter of Weka's ----------------------------------------------------------------------------------------------


def test_every_filter_is_drawn(jvm):
    names = {name.removeprefix("weka.filters.") for name in jvm.call("classes", "weka.filters.Filter", "weka.filters")}
    assert names == {*ALL_FILTERS, *NOT_DRAWN}


@pytest.mark.parametrize("name", ALL_FILTERS)
@pytest.mark.drawn(16)
def test_any_filter_with_random_options_on_any_data(java, name):
    """Dense and sparse, with and without strings, the training data and others."""
    rng = np.random.default_rng(len(name))
    for draw in range(6):
        train = any_dataset(rng)
        test = asked_rows(rng, train, ())
        if draw % 2:
            train, test = as_sparse(rng, train), as_sparse(rng, test)
        if draw % 3 == 0:
            train, test = with_strings(rng, train, test)
        class_name, options = random_filter(rng, name)
        assert not filter_differences(java, class_name, options, train, test), (draw, options)


def test_a_missing_class_stays_where_nothing_else_is_missing(java):
    """As `Instance.hasMissingValue` does not look at the class, though the filter is told to."""
    name, options = f"{UNSUPERVISED}.ReplaceMissingValues", "-unset-class-temporarily"
    train = small(x=[1, 3, None, 8], n=["p", "q", "q", None], c=["a", "b", "b", None])
    test = small(x=[1, None, 3], n=(["p", "q"], ["p", "p", None]), c=(["a", "b"], [None, None, "a"]))
    fitted = fit_filter(train, name, options)
    np.testing.assert_array_equal(fitted.apply(test).values, [[1, 0, np.nan], [4, 0, 1], [3, 1, 0]])
    assert fitted.column_map is not None
    assert [fitted.output, fitted.apply(test)] == weka_filter(java, name, options, train, test)
    last = train.take([0, 1, 2]).join(small(x=[5.0], n=(["p", "q"], ["p"]), c=(["a", "b"], [None])))
    fitted = fit_filter(last, name, options)
    assert [fitted.output, fitted.apply(test)] == weka_filter(java, name, options, last, test)
    assert not np.isnan(fitted.output.values).any()


def test_strings_keep_their_texts(jvm):
    def texts(*values, x):
        attributes = (Attribute("s", "string", values), Attribute("x"), Attribute("c", "nominal", ("a", "b")))
        return Dataset(Header("texts", attributes, 2), [[i, x, i % 2] for i in range(len(values))])

    train, test = texts("p", "q", x=1), texts("new", "q", "other", x=np.nan)
    fitted = fit_filter(train, f"{UNSUPERVISED}.ReplaceMissingValues")
    assert fitted.column_map is not None
    applied = fitted.apply(test)
    assert applied.attributes[0].values == ("new", "q", "other")
    np.testing.assert_array_equal(applied.values, [[0, 1, 0], [1, 1, 1], [2, 1, 0]])


def test_data_that_contradict_their_header_are_refused(jvm):
    """NonSparseToSparse -M makes the first value of a missing one, also where none is declared."""
    train = small(n=((), [None, None]), c=list("ab"))
    with pytest.raises(OptionError, match=r"NonSparseToSparse makes of 'small' data that contradict their header"):
        fit_filter(train, "weka.filters.unsupervised.instance.NonSparseToSparse", "-M")
    train = small(n=list("ppq"), c=list("aba"))
    fitted = fit_filter(train, "weka.filters.unsupervised.instance.RemoveWithValues", "-C first -L 2 -H -F")
    with pytest.raises(OptionError, match="RemoveWithValues makes of 'small' data that contradict their header"):
        fitted.apply(train)


@pytest.mark.parametrize("options", ["-M", "-M -P 100 -C 2"])
def test_noise_without_a_value_to_choose_is_refused(jvm, options):
    """Weka's filter would look for one for ever."""
    train = small(x=[1.0, 2.0, 3.0], n=((), [None, None, None]))
    with pytest.raises(OptionError, match=r"AddNoise cannot be applied to 'small': attribute 'n' has no values to"):
        fit_filter(train, f"{UNSUPERVISED}.AddNoise", options)
    inside = f'-F "{UNSUPERVISED}.Standardize" -F "{UNSUPERVISED}.AddNoise {options}"'
    with pytest.raises(OptionError, match=r"AddNoise cannot be applied to 'small': attribute 'n' has no values to"):
        fit_filter(train, "weka.filters.MultiFilter", inside)
    with pytest.raises(OptionError, match="Chosen attribute is numeric"):
        fit_filter(train, f"{UNSUPERVISED}.AddNoise", "-M -C first")


@pytest.mark.parametrize(
    ("options", "refusal"),
    [("-C 2", "less than two values"), ("-M -C 4", "ndex"), ("-M -C 3", None), ("-M -C first -P 0", None)],
)
def test_noise_that_ends_is_left_to_weka(jvm, options, refusal):
    """Without -M, for a column with values, and for none at all."""
    train = small(n=(["u", "v"], ["u", None, "v"]), none=([], [None] * 3), c=["a", "b", "a"])
    noise = f"{UNSUPERVISED}.AddNoise"
    if refusal:
        with pytest.raises(OptionError, match=rf"AddNoise cannot be applied to 'small': .*{refusal}"):
            fit_filter(train, noise, options)
        return
    alone = fit_filter(train, noise, options).output
    inside = fit_filter(train, "weka.filters.MultiFilter", f'-F "{noise} {options}"').output
    np.testing.assert_array_equal(inside.values, alone.values)


def test_java_without_memory_is_no_fault_of_the_filter(jvm, monkeypatch):
    told = "Java ran out of memory with a heap of 8 MiB"

    def full(*_):
        raise BridgeError(told)

    monkeypatch.setattr("wekaconf.bridge._filters.from_java", full)
    with pytest.raises(BridgeError, match=told):
        fit_filter(small(x=[1.0], c=["a"]), f"{UNSUPERVISED}.Standardize")


def test_only_noise_needs_a_value_to_choose(jvm):
    """-M of another filter means something else."""
    train = small(c=list("aba"), x=[1.0, 2.0, 3.0], n=((), [None, None, None]))
    train = replace(train, header=replace(train.header, class_index=0))
    useful = fit_filter(train, f"{UNSUPERVISED}.RemoveUseless", "-M 99").output
    assert [attribute.name for attribute in useful.attributes] == ["c", "x"]


def test_filters_keep_sparse_instances_as_weka_does(java):
    rng = np.random.default_rng(4)
    data = as_sparse(rng, generated(weights=False)[0])
    standardized = fit_filter(data, f"{UNSUPERVISED}.Standardize").output
    np.testing.assert_array_equal(standardized.is_sparse, data.is_sparse)
    assert not np.signbit(standardized.values[data.is_sparse][standardized.values[data.is_sparse] == 0]).any()
    assert fit_filter(data, "weka.filters.unsupervised.instance.SparseToNonSparse").output.is_sparse is None
    made = fit_filter(generated()[0], "weka.filters.unsupervised.instance.NonSparseToSparse").output
    assert made.is_sparse.all()
