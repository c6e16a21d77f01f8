"""Dataset and Header: what they hold, refuse and match by name."""

import copy
import pickle
import warnings
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.small_data import small

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError, Note, OptionError
from wekaconf.data import Attribute, Dataset, Header, UnseenValues, check_trainable, training_part
from wekaconf.data._matching import UnseenCells, columns_by_name, recode
from wekaconf.data._tables import loaded_like
from wekaconf.data.arrays import texts_of
from wekaconf.learners.cart import CART
from wekaconf.model.scheme import learner_for
from wekaconf.sklearn import CARTClassifier, RejectOption


def weather():
    return small(
        outlook=["sunny", "rainy", None, "overcast"],
        temperature=[30.5, 12, 18, None],
        play=["no", "yes", "yes", None],
        relation="weather",
    )


# ---- what it holds ----


def test_parts():
    data = weather()
    assert (len(data), data.relation, data.class_index, data.n_classes) == (4, "weather", 2, 2)
    assert data.class_names == ("no", "yes")
    assert data.class_values.tolist() == [0, 1, 1, -1] and data.class_values.dtype == np.int64
    assert data.weights.tolist() == [1, 1, 1, 1]
    assert [attribute.is_nominal for attribute in data.attributes] == [True, False, True]
    assert data.attributes[0].value_index == {"sunny": 0, "rainy": 1, "overcast": 2}


def test_arrays_are_read_only_and_the_caller_s_stay_writeable():
    values = np.zeros((2, 1))
    data = Dataset(Header("r", (Attribute("x"),)), values)
    for array in (data.values, data.weights, data.take([0]).values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    values[0, 0] = 1


def test_cells_do_not_follow_a_file_that_is_written_to(tmp_path):
    cells = np.memmap(tmp_path / "cells", dtype=np.float64, mode="w+", shape=(3, 1))
    data = Dataset(Header("r", (Attribute("x"),)), cells, cells[:, 0])
    cells[:] = 7
    assert data.values.tolist() == [[0]] * 3 and data.weights.tolist() == [0] * 3


def test_arrays_are_float64_rows():
    values = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(3, 2))
    data = Dataset(Header("r", (Attribute("x"), Attribute("y"))), values, [1, 2, 3])
    assert data.values.flags.c_contiguous and data.values.dtype == data.weights.dtype == np.float64


@pytest.mark.parametrize(
    ("values", "weights", "message"),
    [
        (np.zeros(3), None, r"values: expected \(n_instances, 2\), got \(3,\)"),
        (np.zeros((3, 1)), None, r"values: expected \(n_instances, 2\), got \(3, 1\)"),
        (np.zeros((3, 2)), np.ones(2), r"weights: expected \(3,\), got \(2,\)"),
        (np.zeros((3, 2)), [1, -1, 1], r"weights: expected numbers from 0 to 1e\+100, got -1"),
        (np.zeros((3, 2)), [1, np.nan, 1], r"weights: expected numbers from 0 to 1e\+100, got nan"),
        (np.zeros((3, 2)), [1, np.inf, 1], r"weights: expected numbers from 0 to 1e\+100, got inf"),
        ([[0, 0], [0, 2]], None, "attribute 'n': expected an index in 0 … 1 or NaN, got 2"),
        ([[0, -1]], None, "attribute 'n': .* got -1"),
        ([[0, 0.5]], None, r"attribute 'n': .* got 0\.5"),
        ([[0, np.inf]], None, "attribute 'n': .* got inf"),
    ],
)
@pytest.mark.parametrize("kind", ["nominal", "string", "relational"])
def test_contradictions_are_refused(kind, values, weights, message):
    header = Header("r", (Attribute("x"), Attribute("n", kind, ("p", "q"))))
    with pytest.raises(ValueError, match=message):
        Dataset(header, values, weights)


BEYOND = np.nextafter(1e100, np.inf)
DOORS = {
    "data set": lambda X, y, weights: Dataset(Header("r", (Attribute("x"),)), X, weights),
    "arrays": lambda X, y, weights: Dataset.from_arrays(X, y, weights=weights),
    "frame": lambda X, y, weights: Dataset.from_pandas(pd.DataFrame({"x": X[:, 0], "y": y}), weights=weights),
    "estimator": lambda X, y, weights: CARTClassifier().fit(X, y, weights),
    "reject option": lambda X, y, weights: RejectOption(CARTClassifier(), below=0.5).fit(X, y, weights),
    "threshold": lambda X, y, weights: wc.choose_threshold(X[:, 0], y == "a", weights, keep=0.9),
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_weights_that_cannot_be_summed_are_refused_at_every_door(door):
    X, y = np.linspace(0, 1, 20)[:, None], np.array(["a", "b"] * 10)
    door(X, y, np.full(20, 1e100))
    with pytest.raises(ValueError, match=r"eights?:? .* from 0 to 1e\+100"):
        door(X, y, np.append(np.ones(19), BEYOND))


@pytest.mark.jvm
@pytest.mark.parametrize("name", sorted(set(wc.available_methods()) - {"wpe", "shrinkage_wpe"}))
def test_answers_for_the_largest_weights_are_those_for_large_ones(name):
    """Numbers of millions, of which methods sum weighted squares; the weights are multiplied by a power of two."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * 1e6
    X[3, 1] = np.nan
    y = np.where(X[:, 0] + 5e5 * rng.normal(size=60) > 0, "a", "b")
    weights = rng.random(60) + 0.1
    answers = []
    for power in (100, 332):
        data = Dataset.from_arrays(X, y, weights=weights * 2.0**power)
        method = wc.method(name)
        answers.append(method.fit(learner_for(method, None).grow(data), data).answer(data))
    assert weights.max() * 2.0**332 > 8e99
    large, largest = answers
    assert np.isfinite(largest.proba).all() and not np.isnan(largest.certainty).any()
    np.testing.assert_allclose(largest.proba, large.proba, rtol=0, atol=1e-12)
    np.testing.assert_allclose(largest.certainty, large.certainty, rtol=1e-12)


def test_infinity_and_missing_are_values():
    header = Header("r", (Attribute("x"), Attribute("n", "nominal", ("p",))))
    assert len(Dataset(header, [[np.inf, 0], [-np.inf, np.nan], [np.nan, 0]])) == 3


def test_equality():
    data = weather()
    assert data == weather()
    assert data != data.take([0, 1, 2])
    assert data != replace(data, weights=[1, 1, 1, 2])
    assert data != replace(data, values=np.where(np.isnan(data.values), 0, data.values))
    assert data != data.with_class("outlook")
    assert data != replace(data, header=replace(data.header, relation="other"))
    assert data != "weather"
    with pytest.raises(TypeError, match="unhashable"):
        hash(data)


# ---- choosing rows and the class ----


@pytest.mark.parametrize(
    ("which", "column"), [("last", 2), ("first", 0), (1, 0), ("2", 1), (3, 2), ("outlook", 0), ("temperature", 1)]
)
def test_spellings_of_the_class(which, column):
    chosen = weather().with_class(which)
    assert chosen.class_index == column
    np.testing.assert_array_equal(chosen.values, weather().values)


def test_a_name_wins_over_a_number_and_a_position():
    header = Header("r", tuple(Attribute(name) for name in ("3", "last", "x", "first")))
    assert [header.with_class(which).class_index for which in ("3", "last", "first", "1", 3)] == [0, 1, 3, 0, 2]


@pytest.mark.parametrize("which", [0, 4, -1, "0", "-1", "1.5", "Play", "", "last "])
def test_no_such_class_names_the_attributes(which):
    with pytest.raises(OptionError) as told:
        weather().with_class(which)
    assert str(told.value) == (
        f"no class attribute '{which}' in 'weather'; give last, first, a number from 1 to 3 or one of "
        "'outlook', 'temperature', 'play'"
    )


def test_no_such_class_among_many_names_the_nearest():
    header = Header("r", tuple(Attribute(f"column{i}") for i in range(500)))
    with pytest.raises(OptionError, match=r"'column321'.* … \(500 in all\)"):
        header.with_class("colunm321")


def test_no_attributes_no_class():
    with pytest.raises(OptionError, match="has no attributes, so it has no class"):
        Header("empty", ()).with_class("last")


def test_no_class_chosen():
    data = replace(weather(), header=replace(weather().header, class_index=-1))
    for ask in (lambda: data.class_names, lambda: data.n_classes, lambda: data.class_values):
        with pytest.raises(OptionError, match="'weather' has no class attribute chosen; choose one with with_class"):
            ask()
    assert data.without_class_values() is data


def test_without_class_values():
    data = weather()
    blind = data.without_class_values()
    assert (blind.class_values == -1).all()
    np.testing.assert_array_equal(blind.values[:, :2], data.values[:, :2])
    assert data.class_values.tolist() == [0, 1, 1, -1]
    assert blind.without_class_values() is blind


# ---- two headers ----


def variant(column=None, **changes):
    """The weather header with an attribute or the header itself changed."""
    header = weather().header
    if column is None:
        return replace(header, **changes)
    attributes = list(header.attributes)
    attributes[column] = replace(attributes[column], **changes)
    return replace(header, attributes=tuple(attributes))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (variant(1, name="heat"), "attribute 2: expected 'temperature' numeric, got 'heat' numeric"),
        (variant(1, kind="date"), "attribute 2: expected 'temperature' numeric, got 'temperature' date"),
        (variant(attributes=weather().attributes[:2], class_index=-1), "expected 3 attributes, got 2"),
        (variant(class_index=0), "expected column 3 as the class, got column 1; choose the class with with_class"),
        (variant(0, values=("rainy", "sunny", "overcast")), r"expected 'outlook' {'sunny', 'rainy', 'overcast'}, got"),
        (
            variant(2, values=("no", "yes", "maybe")),
            r"expected 'play' {'no', 'yes'}, got 'play' {'no', 'yes', 'maybe'}",
        ),
    ],
)
def test_other_headers_are_refused(other, message):
    with pytest.raises(HeaderMismatchError, match=f"^the test data.*{message}"):
        weather().header.check_same(other, "the test data")


def test_relation_texts_and_bags_may_differ():
    weather().header.check_same(variant(relation="elsewhere"))
    for kind, inner in (("string", ()), ("relational", (Attribute("x"),))):
        one, other = (Header("r", (Attribute("s", kind, (text,), inner=inner),)) for text in "12")
        one.check_same(other)


def test_six_values_are_told_and_of_seven_six():
    assert Attribute("n", "nominal", tuple("abcdef")).describe() == "'n' {'a', 'b', 'c', 'd', 'e', 'f'}"
    assert Attribute("n", "nominal", tuple("abcdefg")).describe() == "'n' {'a', 'b', 'c', 'd', 'e', 'f', …}"


def test_conform_to_the_same_header_changes_nothing():
    data = weather()
    assert data.conform(data.header) == data
    assert data.conform(data.header).values.base is data.values.base


def test_conform_takes_the_class_of_the_header():
    assert weather().with_class("outlook").conform(weather().header) == weather()


def test_unseen_values_become_missing_with_a_note():
    header = variant(0, values=("overcast", "sunny"))
    expected = r"^the test data, row 2: value 'rainy' of 'outlook' was not seen in training \('overcast', 'sunny'\)"
    with pytest.warns(Note, match=expected + "; it is treated as missing"):
        conformed = weather().conform(header, what="the test data")
    np.testing.assert_array_equal(conformed.values[:, 0], [1, np.nan, np.nan, 0])
    with pytest.raises(HeaderMismatchError, match=expected + "; correct it or treat unseen values as missing"):
        weather().conform(header, unseen="error", what="the test data")


def test_undeclared_values_that_do_not_occur_are_no_matter():
    header = variant(0, values=("overcast", "sunny"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert weather().take([0, 2, 3]).conform(header, unseen="error").values[0, 0] == 1


def test_conform_counts_all_lost_values():
    data = small(n=["p", "q", "q", "p"], m=["a", "b", "c", "a"], c=["a", "a", "a", "a"])
    header = small(n=["p"], m=["a"], c=["a"]).header
    with pytest.warns(Note) as notes:
        conformed = data.conform(header)
    assert [str(note.message).rsplit("; ", 1)[1].split()[0] for note in notes] == ["2", "2"]
    lost = [np.nan, np.nan, 0]
    np.testing.assert_array_equal(conformed.values, [[0, 0, 0], lost, lost, [0, 0, 0]])


@pytest.mark.parametrize(
    "other", [variant(1, name="heat"), variant(1, kind="date"), variant(attributes=(), class_index=-1)]
)
def test_strict_conform_refuses_other_columns(other):
    with pytest.raises(HeaderMismatchError, match="give data with the attributes of the training data"):
        weather().conform(replace(other, class_index=-1), strict=True)


def test_conform_matches_attributes_by_name():
    data = weather()
    header = data.header
    shuffled = data._of_columns([2, 1, 0], 0)
    assert shuffled.conform(header) == data
    with pytest.raises(HeaderMismatchError, match="attribute 1: expected 'outlook'"):
        shuffled.conform(header, strict=True)
    unlabelled = shuffled.without(["play"])
    assert [attribute.name for attribute in unlabelled.attributes] == ["temperature", "outlook"]
    assert unlabelled.class_index == -1 and data.without(["outlook"]).class_index == 1
    assert unlabelled.conform(header) == data.without_class_values()


@pytest.mark.parametrize("name", ["outlook", "play"])
def test_strict_conform_lets_only_the_class_be_absent(name):
    """Wherever it stands."""
    labelled = weather().with_class(name)
    assert labelled.without([name]).conform(labelled.header, strict=True) == labelled.without_class_values()
    with pytest.raises(HeaderMismatchError, match="give data with the attributes of the training data"):
        labelled.without(["temperature"]).conform(labelled.header, strict=True)


def test_conform_ignores_further_attributes_with_a_note():
    narrow = weather().without(["temperature"]).header
    with pytest.warns(Note, match="new.arff: ignored 'temperature', which the training data did not have"):
        conformed = weather().conform(narrow, what="new.arff")
    assert conformed == weather().without(["temperature"])
    with pytest.raises(HeaderMismatchError):
        weather().conform(narrow, strict=True)


def test_conform_names_all_missing_attributes_and_the_nearest():
    wanted = small(Outlook=["a"], humidity=[1], temperature=[1], play=["yes"]).header
    expected = (
        r"the data: 2 columns are missing that the training data had: 'Outlook' \(did you mean 'outlook'\?\), "
        "'humidity'; add them, or rename"
    )
    with pytest.raises(HeaderMismatchError, match=expected):
        weather().conform(wanted)


@pytest.mark.parametrize(("n_missing", "told"), [
    (1, "a column is missing that the training data had: 'wanted0'; add it, or rename the column that holds it"),
    (2, "2 columns are missing that the training data had: 'wanted0', 'wanted1'; add them, or rename the columns that"),
    (12, "'wanted10', 'wanted11'; add them"),
    (13, "'wanted10', 'wanted11' and 1 more; add them"),
])  # fmt: skip
def test_twelve_missing_columns_are_named(n_missing, told):
    with pytest.raises(HeaderMismatchError) as caught:
        columns_by_name(["x"], [f"wanted{n}" for n in range(n_missing)], "t.csv")
    assert told in str(caught.value)


def test_columns_that_may_be_given_other_names():
    with pytest.raises(HeaderMismatchError) as caught:
        columns_by_name(["ag", "heights"], ["colour", "age", "height"], "t.csv", can_rename=True)
    assert str(caught.value).endswith("; add them, or give rename={'ag': 'age', 'heights': 'height'}")


def test_where_columns_in_order_begin_to_differ():
    for names, told in ((["a", "c", "b"], "t.csv, column 2: expected 'b', got 'c'"),
                        (["a", "b", "c", "d"], "t.csv, column 4: expected no more columns, got 'd'")):  # fmt: skip
        with pytest.raises(HeaderMismatchError, match=told):
            columns_by_name(names, ["a", "b", "c"], "t.csv", strict=True)
    assert columns_by_name(["a", "b"], ["a", "b"], "t.csv", strict=True) == [0, 1]


def test_undeclared_values_in_the_parts_of_a_file():
    """The rows go on from part to part; an undeclared class is marked where that is wanted."""
    declared = Attribute("c", "nominal", ("a", "b"))
    found = UnseenValues()
    for n_values in (2, 1):
        cells = np.array([0.0, *[1] * n_values])
        part = recode(cells, ("b", "z"), declared, unseen="missing", what="t.csv", unseen_values=found)
        np.testing.assert_array_equal(part, [1, *[np.nan] * n_values])
        assert found.cells["c"].rows.tolist() == [*range(1, n_values + 1)]
        found.next_part(len(cells))
    assert found.n_read == 5
    with pytest.warns(Note, match=r"t.csv, row 2: value 'z' of 'c' .*; 3 such values are treated as missing"):
        found.tell()
    marks = UnseenValues(marks_class=True)
    cells = np.array([1.0, 0, np.nan])
    how = {"unseen": "error", "what": "t.csv", "is_class": True}
    part = recode(cells, ("b", "z"), declared, unseen_values=marks, **how)
    np.testing.assert_array_equal(part, [-1, 1, np.nan])
    with pytest.warns(Note, match=r"row 1: value 'z' .*; it is kept as unknown, and whatever is answered there"):
        marks.tell()
    with pytest.raises(HeaderMismatchError, match=r"row 1: value 'z' of 'c' .*; make their class missing"):
        recode(cells, ("b", "z"), declared, unseen_values=UnseenValues(), **how)


def test_undeclared_classes_of_a_data_set_are_marked():
    """A row with such a class has one, and a row without a class has none."""
    header = small(x=[1], c=(["a", "b"], ["a"])).header
    data = small(x=[1, 2, 3, 4], c=["b", "z", None, "z"])
    with pytest.warns(Note, match=r"row 2: value 'z' of 'c' .*; 2 such values are kept as unknown"):
        loaded = loaded_like(data, header, "the data", marks_class=True)
    assert loaded.is_undeclared.tolist() == [False, True, False, True]
    assert loaded.has_class.tolist() == [True, True, False, True]
    assert loaded.data.class_values.tolist() == [1, -1, -1, -1]
    part = replace(loaded, kept={"id": [*"pqrs"]}).take(np.array([False, True, True, False]))
    assert part.is_undeclared.tolist() == [True, False] and part.kept == {"id": ["q", "r"]}
    with pytest.warns(Note, match="2 such values are kept as unknown"):
        of_frame = loaded_like(data.to_pandas(), header, "the data", marks_class=True)
    assert of_frame.is_undeclared.tolist() == [False, True, False, True] and of_frame.data == loaded.data
    unlabelled = loaded_like(data.without(["c"]), header, "the data", marks_class=True)
    assert unlabelled.is_undeclared is None and unlabelled.has_class.tolist() == [False] * 4


def test_conform_refuses_an_unknown_policy():
    with pytest.raises(OptionError, match="unseen: expected 'missing' or 'error', got 'guess'"):
        weather().conform(weather().header, unseen="guess")


def test_conform_keeps_texts():
    mine = Dataset(Header("r", (Attribute("s", "string", ("two", "one")),)), [[1], [0]])
    conformed = mine.conform(Header("r", (Attribute("s", "string", ("one",)),)))
    assert conformed.attributes[0].values == ("two", "one")
    np.testing.assert_array_equal(conformed.values, mine.values)


def test_columns_of_an_array_are_conformed_in_their_order_only():
    data = Dataset.from_arrays(np.array([[1.0, 2.0]]), ["a"])
    x0, x1, target = data.attributes
    assert data.conform(Header("r", (x0, x1, target), 2)).values.tolist() == [[1, 2, 0]]
    with pytest.raises(HeaderMismatchError, match="which are no names: they number the columns of an array"):
        data.conform(Header("r", (x1, x0, target), 2))


def test_conform_from_no_declared_values():
    empty = small(n=([], [None, None]), c=["a", "b"])
    header = small(n=["p"], c=(["a", "b"], ["a"])).header
    np.testing.assert_array_equal(empty.conform(header).values, [[np.nan, 0], [np.nan, 1]])


@settings(deadline=None, max_examples=50)
@given(st.permutations(list("pqrst")), st.lists(st.sampled_from([*"pqrst", None]), min_size=1))
def test_conform_to_another_order_and_back(declared, cells):
    data = small(n=(list("pqrst"), cells), c=["a"] * len(cells))
    header = small(n=(declared, []), c=(["a"], [])).header
    conformed = data.conform(header)
    assert [None if np.isnan(cell) else declared[int(cell)] for cell in conformed.values[:, 0]] == cells
    assert conformed.conform(data.header) == data


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Attribute("a", "nominal", "ab"), "attribute 'a', values: expected a sequence of str, got 'ab'"),
        (lambda: Attribute("a", "nominal", (0, 1)), r"attribute 'a', values: expected a sequence of str, got \(0, 1\)"),
        (lambda: Attribute("a", "nominal", ("x", "x")), "attribute 'a': 'x' is declared twice"),
        (lambda: Attribute(3), "attribute name: expected text, got 3"),
        (lambda: Attribute("a", "date", date_format=7), "attribute 'a', date_format: expected text, got 7"),
        (lambda: Attribute("a", "integer"), "attribute 'a': kind must be one of .*'numeric'.*, got 'integer'"),
        (lambda: Header("r", (Attribute("a"), Attribute("a"))), "the name 'a' is used twice"),
        (lambda: Header("r", ("a",)), "attributes: expected a sequence of Attribute"),
        (lambda: Header(None, ()), "relation: expected text, got None"),
        (lambda: Header("r", (Attribute("a"),), 1), "class_index: expected −1 or a column from 0 to 0, got 1"),
        (lambda: Header("r", (Attribute("a"),), -2), "class_index: expected −1 or"),
        (lambda: Header("r", (Attribute("a"),), False), "class_index: expected a whole number, got False"),
        (lambda: Header("r", (Attribute("a"),), 0.0), "class_index: expected a whole number, got 0.0"),
    ],
)
def test_headers_are_checked(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_lists_become_tuples():
    listed = Header("r", [Attribute("c", "nominal", ["a", "b"])], 0)
    assert listed == Header("r", (Attribute("c", "nominal", ("a", "b")),), 0)
    assert hash(listed)
    assert Attribute("b", "relational", inner=[Attribute("x")]).inner == (Attribute("x"),)


def test_what_was_taken_knows_from_where():
    data = weather()
    assert data.taken_from is None
    part = data.take([3, 0, 2]).take(slice(None, None, -1)).take([True, False, True])
    whole, rows = part.taken_from
    assert whole is data and rows.tolist() == [2, 3]
    assert data.take(rows) == part
    for other in (replace(part, weights=np.ones(2)), part.without_class_values(), copy.copy(part)):
        assert other.taken_from is None
    assert pickle.loads(pickle.dumps(part)) == part
    del data, whole
    assert part.taken_from is None


def test_take_as_numpy_does():
    data = small(x=[1, 2, 3], c=["a", "b", "a"], weights=[1, 2, 3])
    mask = np.array([True, False, True])
    for rows, weights in ((2, [3]), (slice(None, None, -1), [3, 2, 1]), ([-1, 0, 0], [3, 1, 1]), (mask, [1, 3])):
        assert data.take(rows).weights.tolist() == data.take(rows).values[:, 0].tolist() == weights
        assert data[rows] == data.take(rows)
    assert len(data.take([])) == 0 and data.take([]).header == data.header and data.take(range(3)) == data
    assert [len(one) for one in data] == [1, 1, 1]
    for wrong in (3, [0, 3], [True], [0.5]):
        with pytest.raises(IndexError):
            data.take(wrong)


def test_a_numeric_class_has_no_class_values():
    with pytest.raises(
        OptionError,
        match=r"class 'x' is numeric; a tree needs a nominal class; .* choose another, such as 'c', with with_",
    ):
        _ = small("x", x=[1.5], c=["a"]).class_values


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda data: pickle.loads(pickle.dumps(data))])
def test_copies_are_equal_and_read_only(duplicate):
    unseen = {"x": UnseenCells(np.array([1]), np.array(["v"], dtype=object))}
    data = replace(small(x=[1, None], c=["a", "b"], weights=[1, 2]), unseen=unseen)
    twin = duplicate(data)
    assert twin == data
    assert twin.unseen["x"].rows.tolist() == [1] and twin.unseen["x"].texts.tolist() == ["v"]
    assert not twin.values.flags.writeable and not twin.weights.flags.writeable


def test_undeclared_values_go_with_their_instances():
    unseen = {"x": UnseenCells(np.array([1, 3]), texts_of("vw")), "y": UnseenCells(np.array([0]), texts_of("u"))}
    data = replace(small(x=[1, None, 3, None], y=[None, 2, 3, 4], c=["a"] * 4), unseen=unseen)
    told = [{"y": "u"}, {"x": "v"}, {}, {"x": "w"}]
    for rows in ([0, 1, 2, 3], [3, -1, 0, 1], [2]):
        part = data.take(rows)
        assert [part.unseen_in(row) for row in range(len(rows))] == [told[row] for row in rows]
    assert data.take([2]).unseen == {} and data.without_class_values().unseen == unseen
    assert [data.join(data).unseen_in(row) for row in range(8)] == told * 2


@pytest.mark.parametrize(("thing", "maker"), [
    (Path("t.csv"), "read the file with load_table or load_arff, with header=model if a model is to answer for it"),
    (None, "make one with load_arff, load_table, Dataset.from_pandas, from_polars or from_arrays"),
])  # fmt: skip
def test_what_is_no_data_set(thing, maker):
    with pytest.raises(OptionError, match=f"^expected a Dataset, got {type(thing).__name__}; {maker}$"):
        check_trainable(thing)


def test_other_classes_for_the_same_instances():
    """Of one weight, whatever the instances weighed."""
    data = small(c=["a", "b", None], x=[1, 2, 3], weights=[1, 2, 3]).with_class("c")
    other = data.with_class_values([1, 0, 1])
    assert other.values.tolist() == [[1, 1], [0, 2], [1, 3]] and other.weights.tolist() == [1, 1, 1]
    assert data.with_class_values(1).class_values.tolist() == [1, 1, 1] and data.class_values.tolist() == [0, 1, -1]


def test_repr_is_short():
    assert repr(small(x=[1, 2], c=["a", "b"])) == "Dataset('small': 2 instances, 2 attributes)"


def test_data_without_attributes_cannot_be_learned_from():
    with pytest.raises(OptionError, match="has no class attribute chosen"):
        CART().grow(Dataset(Header("r", ()), np.zeros((2, 0))))


DATE = Attribute("d", "date", date_format="yyyy")
CITY = Attribute("city", "nominal", ("Bern", "Rom"))
SHORT = Attribute("short", "nominal", tuple(f"s{n}" for n in range(12)))
FIFTY, NAME = (Attribute("name", "nominal", tuple(f"n{n}" for n in range(most))) for most in (50, 51))


@pytest.mark.parametrize(
    ("others", "target", "values", "ending"),
    [
        ((), Attribute("y"), None, "is numeric; a tree needs a nominal class; put classes in its place, such as low "),
        ((), DATE, [1.0, 2.0], "is date; a tree needs a nominal class"),
        ((Attribute("n", "nominal", ("p",)),), DATE, None, "class such as 'n': choose it with with_class"),
        (
            (Attribute("n", "nominal", ("p",)), Attribute("m", "nominal", ("p",))),
            Attribute("y"),
            None,
            "class such as 'n', 'm': choose one with with_class",
        ),
        ((), Attribute("y"), [2.5, 1.0, np.nan, 1.0], "(in ARFF: @attribute y {1,2.5}, or Weka's filter NumericToNomi"),
        ((), Attribute("y y"), [1.0], "(in ARFF: @attribute 'y y' {1}, or Weka's filter NumericToNominal)"),
        ((), Attribute("y"), range(12), "{0,1,2,3,4,5,6,7,8,9,10,11}, or Weka's filter NumericToNominal)"),
        ((), Attribute("y"), [*range(13)] * 2, "{0,1,2,3,4,5,6,7,8,9,10,11,…}, or Weka's filter NumericToNominal)"),
        ((), Attribute("y"), [*range(1, 41)] * 2, "read them as text, nominal=['y'] (in ARFF: @attribute y {1,2,3,"),
        ((), Attribute("y"), [*range(2, 41)] * 2, "a nominal class; put classes in its place, such as low and high"),
        ((), Attribute("y"), [*range(13), 14] * 2, "a nominal class; put classes in its place, such as low and high"),
        ((CITY,), Attribute("y"), [*range(40)] * 2, "NumericToNominal); or choose another, such as 'city', with"),
        ((CITY,), Attribute("y"), [*np.arange(0, 20, 0.5)] * 2, "class such as 'city': choose it with with_class"),
        ((NAME, CITY), Attribute("y"), np.arange(0, 50, 0.5), "class such as 'city': choose it with with_class"),
        ((NAME,), Attribute("y"), np.arange(0, 50, 0.5), "a nominal class; put classes in its place, such as low and"),
        ((FIFTY,), Attribute("y"), np.arange(0, 90, 0.5), "class such as 'name': choose it with with_class"),
        ((NAME,), Attribute("y"), np.arange(0, 90, 0.5), "a nominal class; put classes in its place, such as low and"),
        ((SHORT,), Attribute("y"), np.arange(0, 11, 0.5), "a nominal class; put classes in its place, such as low and"),
        ((SHORT,), Attribute("y"), np.arange(0, 12, 0.5), "class such as 'short': choose it with with_class"),
        ((SHORT,), Attribute("y"), [*np.arange(0, 9.5, 0.5)], "class such as 'short': choose it with with_class"),
        ((SHORT,), Attribute("y"), [*np.arange(0, 10, 0.5)], "a nominal class; put classes in its place, such as low"),
        ((), Attribute("y"), range(13), "a nominal class; put classes in its place, such as low and high"),
        ((), Attribute("y"), [np.nan] * 3, "is missing in all 3 instances; give the instances whose class is known, "),
        ((), Attribute("y"), [], "a nominal class; put classes in its place, such as low and high"),
    ],
)
def test_why_a_class_is_no_class(others, target, values, ending):
    header = Header("r", (*others, target), len(others))
    with pytest.raises(OptionError) as caught:
        header.check_nominal_class(None if values is None else np.array(values, dtype=float))
    assert str(caught.value).startswith(f"'r': class '{target.name}' is ")
    assert ending in str(caught.value)
    if target.kind == "date":
        assert "where its numbers name classes" not in str(caught.value) and "low and high" not in str(caught.value)


@pytest.mark.parametrize(
    "make", [Attribute, lambda text: Attribute("a", "nominal", (text,)), lambda text: Header(text, (Attribute("a"),))]
)
def test_text_that_no_file_could_hold(make):
    with pytest.raises(ValueError, match=r"expected Unicode text, got '\\udc80', half of a surrogate pair"):
        make("a\udc80b")


def test_typical_values():
    """Medians of numbers, the most frequent of nominal values, the first of equals; 0 where nothing is known."""
    data = small(
        x=[1, None, 4, 2, 9],
        n=(["p", "q", "r"], ["r", "q", None, "r", "q"]),
        none=[None] * 5,
        c=["a", None, "b", "b", "b"],
    )
    assert data.typical_values().tolist() == [3.0, 1.0, 0.0, 1.0]


def test_only_some_classes_known():
    data = small(x=[1, 2, 3, 4], c=(["a", "b", "d"], ["d", None, "a", "b"]), weights=[1, 2, 3, 4])
    part = data.with_known_classes([0, 2])
    assert part.class_names == ("a", "d") and part.class_values.tolist() == [1, -1, 0, -1]
    assert part.weights.tolist() == [1, 2, 3, 4] and part.values[:, 0].tolist() == [1, 2, 3, 4]
    assert data.with_known_classes([]).class_values.tolist() == [-1] * 4


def test_the_values_that_instances_have():
    """The class keeps all of its values, and a column without a value its declaration; first here is the class."""
    data = small(c=(["a", "b"], ["a", "a"]), n=(["p", "q", "r"], ["r", "p"]), none=(["u", "v"], [None, None]))
    attributes = data.with_class("c").header_of_values().attributes
    assert [attribute.values for attribute in attributes] == [("a", "b"), ("p", "r"), ("u", "v")]


def test_only_data_of_the_same_attributes_are_joined():
    with pytest.raises(HeaderMismatchError, match="expected 2 attributes, got 3"):
        small(x=[1], c=["a"]).join(small(x=[1], c=["a"], more=[1]).with_class("c"))


def test_conform_finds_a_first_class_that_stands_elsewhere():
    header = small(c=["a"], x=[1], y=[1]).with_class("c").header
    moved = small(y=[2], c=["a"], x=[3]).conform(header)
    assert (moved.header, moved.values.tolist()) == (header, [[0, 3, 2]])
    without = small(y=[2], x=[3]).conform(header)
    np.testing.assert_array_equal(without.values, [[np.nan, 3, 2]])


@pytest.mark.parametrize(("classes", "weights", "n_left"), [
    ([0, 1, 0], [1, 1, 1], 3), ([0, None, 1], [1, 1, 1], 2), ([0, 1, 1], [0, 0.5, 0], 1),
])  # fmt: skip
def test_what_counts_in_training(classes, weights, n_left):
    data = small(x=[1, 2, 3], c=(["a", "b"], [None if n is None else "ab"[n] for n in classes]), weights=weights)
    assert len(training_part(data)) == n_left


@pytest.mark.parametrize(("declared", "classes", "weights", "problem"), [
    ("ab", "a", [1], None),
    ("ab", "a", [0.5], None),
    ("ab", "a", [0], "no instance with a class and a positive weight"),
    ("ab", "?b", [1, 0], "no instance with a class and a positive weight"),
    ("a", "a", [1], "class 'c' declares only 1 value; a tree needs at least 2: .*, or add instances of other classes$"),
    ("a", "a?", [1, 1], "classes; 1 instance has no class; if one is called NA or null, "),
    ("", "??", [1, 1], "class 'c' declares no value; .*; 2 instances have no class; if one is called NA or null, "),
])  # fmt: skip
def test_what_a_tree_can_be_grown_on(declared, classes, weights, problem):
    cells = [None if letter == "?" else letter for letter in classes]
    data = small(x=range(len(cells)), c=(list(declared), cells), weights=weights)
    with pytest.raises(OptionError, match=problem) if problem else nullcontext():
        check_trainable(data)


def test_texts_are_not_learned_from():
    header = Header("r", (Attribute("s", "string"), Attribute("b", "relational"), *small(c=["a", "b"]).attributes), 2)
    with pytest.raises(
        OptionError, match="'r': string and relational attributes cannot be learned from: 's', 'b'; rem"
    ):
        check_trainable(Dataset(header, np.zeros((0, 3))))


def test_join_keeps_texts_of_all_parts():
    def told(*texts):
        declared = tuple(dict.fromkeys(texts))
        header = Header("t", (Attribute("s", "string", declared), Attribute("c", "nominal", ("a", "b"))), 1)
        return Dataset(header, np.array([[declared.index(text), 0] for text in texts], dtype=float))

    first, second = told("p", "q"), told("r", "q")
    joined = first.join(second)
    assert joined.attributes[0].values == ("p", "q", "r") and joined.values[:, 0].tolist() == [0, 1, 2, 1]
    assert first.join(first).header == first.header


def test_who_trains():
    data = small(x=[1, 2], c=["a", "b"], weights=[1, 0.5])
    assert data.is_training_part
    assert not replace(data, weights=np.array([1.0, 0.0])).is_training_part
    assert not data.without_class_values().is_training_part
    assert data.take([]).is_training_part
