"""Where the advice on the columns of a table begins: each bound from both sides."""

import warnings
from contextlib import nullcontext

import numpy as np
import pytest
from support.table_files import column_of, notes_of

import wekaconf as wc
from wekaconf.base.errors import TableError
from wekaconf.bridge.reading import load
from wekaconf.data._advice import note_columns, summary
from wekaconf.data.table_files import Reading

NUMBERED, EACH_ITS_OWN = "'x' nearly numbers the rows", "nearly every row has a text of its own in 'x'"


def first_words(notes):
    return [note.partition("; ")[0] for note in notes]


def shuffled(numbers):
    """The numbers in an order that neither ascends nor descends."""
    return [*numbers[1::2], *numbers[::2]]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (shuffled(range(20)), NUMBERED),
        (shuffled(range(19)), None),  # too few rows
        (shuffled([*range(19), 3]), NUMBERED),  # 19 of 20 distinct
        (shuffled([*range(18), 3, 3]), None),
        (shuffled([*range(19), 23]), NUMBERED),  # a range of less than 1.2 times the rows
        (shuffled([*range(19), 24]), None),
        ([*range(0, 60, 3)], NUMBERED),  # all ascend
        ([*range(0, 57, 3), 54], None),
        ([*range(19), 100], NUMBERED),  # by one each, but for a gap
        ([*range(60, 0, -3)], None),
        (shuffled([*range(19), 19.5]), None),  # not whole
        ([f"P{n}" for n in range(20)], EACH_ITS_OWN),
        ([f"P{n}" for n in range(19)], None),
        ([*(f"P{n}" for n in range(19)), "P1"], EACH_ITS_OWN),
        ([*(f"P{n}" for n in range(18)), "P1", "P1"], None),
        ([f"t{n % 51}" for n in range(120)], "'x' has 51 distinct texts"),
        ([f"t{n % 50}" for n in range(120)], None),
    ],
)
def test_columns_that_may_be_identifiers(write, values, told):
    assert notes_of(column_of(write, values)) == ([] if told is None else [f"{told}; ignore=['x'] leaves it out"])


@pytest.mark.parametrize("name", ["id", "ID", "row no", "index_x", "Unnamed", "zip-code", "key.2"])
@pytest.mark.parametrize("is_such", [True, False])
def test_names_of_identifiers(write, name, is_such):
    values = [(n * 7919) % 100_003 for n in range(20)]
    other = name if is_such else f"x{name.replace(' ', '').replace('_', '').replace('-', '').replace('.', '')}y"
    text = "".join(f"{value},{'ab'[place % 2]}\n" for place, value in enumerate(values))
    told = [f"'{name}' nearly numbers the rows"] if is_such else []
    assert first_words(notes_of(write(f"{other},c\n{text}"))) == told


@pytest.mark.parametrize(
    ("n_rows", "n_distinct", "is_refused"), [(20, 20, True), (19, 19, False), (20, 19, True), (20, 18, False)]
)
def test_texts_that_name_the_rows_do_not_speak_for_a_row_of_names(write, n_rows, n_distinct, is_refused):
    """The other name is a number above numbers."""
    path = write("5.1,Q\n" + "".join(f"{n}.5,P{n % n_distinct}\n" for n in range(n_rows)))
    with pytest.raises(TableError, match="looks like a row of data") if is_refused else nullcontext():
        assert len(wc.load_table(path)) == n_rows


def test_a_number_above_a_column_without_numbers_speaks_for_nothing(write):
    path = write("5,Q\n" + "".join(f"?,P{n}\n" for n in range(20)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [each.name for each in wc.load_table(path).attributes] == ["5", "Q"]


def test_notes_where_the_class_comes_first(write):
    path = write("c,x\n" + "".join(f"{'NA' if n == 5 else 'ab'[n % 2]},{n}\n" for n in range(20)))
    assert first_words(notes_of(path, class_attribute="first")) == [
        "'NA' in the class 'c' was taken as missing", NUMBERED
    ]  # fmt: skip


def classes(write, sizes, n_of_a):
    """A table whose classes have these sizes, beside so many rows of another."""
    rows = [f"c{place}" for place, size in enumerate(sizes) for _ in range(size)] + ["a"] * n_of_a
    return write("x,c\n" + "".join(f"{n % 7},{value}\n" for n, value in enumerate(rows)))


def test_classes_of_few_rows(write):
    end = "; a tree can hardly learn classes so rare"
    assert notes_of(classes(write, [5], 15)) == []
    assert notes_of(classes(write, [4], 15)) == []  # of 19 rows nothing is said
    assert notes_of(classes(write, [4], 16)) == [f"few of the 20 rows have the class 'c0' (4){end}"]
    five = "'c0' (1), 'c1' (1), 'c2' (1), 'c3' (1), 'c4' (1)"
    assert notes_of(classes(write, [1] * 5, 20)) == [f"few of the 25 rows have the class {five}{end}"]
    assert notes_of(classes(write, [1] * 6, 20)) == [f"few of the 26 rows have the class {five} and 1 more{end}"]


def test_a_declared_class_without_rows_is_not_rare():
    attributes = (wc.Attribute("x"), wc.Attribute("c", "nominal", ("a", "none", "b")))
    data = wc.Dataset(wc.Header("h", attributes, 1), np.column_stack([np.arange(40) % 7, np.arange(40) % 2 * 2]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        note_columns("t.csv", data, Reading(), declares_types=True)


def test_too_many_classes_for_the_rows(write):
    told = "'c' has 11 classes in 20 rows; choose another with class_attribute"
    assert notes_of(classes(write, [1] * 10, 10)) == [told]
    assert notes_of(classes(write, [1] * 10, 9)) == []  # of 19 rows nothing is said
    assert [note.split()[0] for note in notes_of(classes(write, [1] * 10, 12))] == ["few"]  # 11 classes in 22 rows


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([*range(9), *"abde"], "'x' holds numbers, but for 'a', 'b', 'd', 'e', so it is read as text"),
        ([*range(8), *"abde"], None),  # the others are half as many
        ([*range(20), *"abdef"], "'x' holds numbers, but for 'a', 'b', 'd', 'e', 'f', so it is read as text"),
        (
            [*range(20), *"abdefg"],
            "'x' holds numbers, but for 'a', 'b', 'd', 'e', 'f' and 1 more, so it is read as text",
        ),
        (
            ["2024-01-10", "2024-01-11", "2024-01-12", "2024-02-30"],
            "'x' holds dates, but for '2024-02-30', so it is read as text",
        ),
        (["2024-01-10", "2024-01-11", "2024-02-30"], "'x' holds dates such as '2024-01-10', read as text"),
        (["10/1/24", "11/1/24", "new"], None),
        (
            ['"1,5"', '"2,5"', '"3,5"', "new"],
            "'x' holds numbers with a decimal comma, but for 'new', so it is read as text",
        ),
        (['"1,5"', "new"], None),
        (["5 kg", "6 kg"], "'x' holds numbers with 'kg', such as '5 kg', read as text"),
        (["5 kg"], None),
        (["5 kg", "6 lb"], None),
        (["$5", "$6", "$7", "new"], "'x' holds numbers such as '$5', but for 'new', so it is read as text"),
        (["$1.500", "$6"], "'x' holds numbers with '$', such as '$1.500', read as text"),
        (["$5", "€6"], None),
        (["$5", "6"], None),
    ],
)
def test_what_texts_seem_to_be(write, values, told):
    assert first_words(notes_of(column_of(write, [*values, *values]))) == ([] if told is None else [told])


def test_numbers_too_large_for_float64_have_no_marks(write):
    [said] = notes_of(column_of(write, ["9" * 400, "5"]))
    assert said.endswith("99', read as text; float64 holds numbers up to 1.8e308")


def test_what_makes_the_others_missing(write):
    [one] = notes_of(column_of(write, [*range(9), "odd"]))
    [two] = notes_of(column_of(write, [*range(9), "odd", "new"]))
    assert one.endswith("; na=['odd'] makes this missing") and two.endswith("; na=['new', 'odd'] makes these missing")
    dates = [f"2024-01-{day}" for day in range(10, 20)]
    [one] = notes_of(column_of(write, [*dates, "2024-02-30"]))
    [two] = notes_of(column_of(write, [*dates, "2024-02-30", "2024-02-31"]))
    assert one.endswith("; correct it, or na=['2024-02-30'] makes this missing")
    assert two.endswith("; correct them, or na=['2024-02-30', '2024-02-31'] makes these missing")


def test_values_alike_but_for_blanks(write):
    differ = "differ only in case or blanks; each is a value of its own"
    assert first_words(notes_of(column_of(write, ["a b", "a  b", "A c"]))) == [
        "'x': 'a  b', 'a b' differ only in case or blanks"
    ]
    [said] = notes_of(column_of(write, ["ß", "SS", "t"]))
    assert differ in said


@pytest.mark.parametrize(
    ("letters", "more"), [("pP", ""), ("pPqQ", ", and 1 more such"), ("pPqQrR", ", and 2 more such")]
)
def test_values_alike_but_for_case_are_counted(write, letters, more):
    differ = f"'P', 'p' differ only in case or blanks{more}"
    assert first_words(notes_of(column_of(write, [*letters, "d"]))) == [f"'x': {differ}"]
    path = write("x,c\n" + "".join(f"{n % 3},{value}\n" for n, value in enumerate([*letters, "d"] * 2)))
    assert first_words(notes_of(path)) == [f"'c': {differ}"]


def test_the_remedy_for_many_texts_among_numbers(write):
    [five] = notes_of(column_of(write, [*range(20), *"abdef"]))
    [six] = notes_of(column_of(write, [*range(20), *"abdefg"]))
    assert five.endswith("; na=['a', 'b', 'd', 'e', 'f'] makes these missing")
    assert six.endswith("; numeric=['x'] says where the first stands")


def test_a_summary_names_the_class_wherever_it_stands():
    attributes = (wc.Attribute("c", "nominal", ("p", "q")), wc.Attribute("x"))
    for column, told in ((0, "f.csv; class 'c': p, q"), (1, "f.csv; class 'x', numeric"), (-1, "f.csv")):
        data = wc.Dataset(wc.Header("r", attributes, column), np.zeros((1, 2)))
        assert summary(data, "f.csv", [], [], {})[0] == told


def test_a_summary_counts_the_class_apart_and_tells_what_meant_missing():
    attributes = (wc.Attribute("c", "nominal", ("p", "q")), wc.Attribute("x", "nominal", ("u",)))
    data = wc.Dataset(wc.Header("r", attributes, 0), np.zeros((1, 2)))
    said = summary(data, "f.csv", [], [], {"x": ["NA", "null"], "c": ["NA"]})
    assert said[1:] == ("1 nominal: 'x' (1 value)", "missing: none (NA, null in 'x', NA in 'c')")
    assert summary(data.without(["x"]), "f.csv", [], [], {})[1:] == ("no columns beside the class", "missing: none")


def test_the_class_beside_a_column_that_is_left_out(write):
    path = write("id,x,c\n1,p,a\n2,q,b\n")
    for which, left_out, said in (
        ("last", "c", "'c', the last column, is left out, so the class is 'x'"),
        ("first", "id", "'id', the first column, is left out, so the class is 'x'"),
        ("last", "id", None),
        ("x", "c", None),
    ):
        notes = first_words(notes_of(path, class_attribute=which, ignore=[left_out]))
        assert notes == ([] if said is None else [said])
    with pytest.warns(wc.Note, match=r"iris.arff: 'class', the last column, is left out, so the class is 'petal width"):
        load("arff/iris.arff", Reading(ignore=("class",)))


@pytest.mark.parametrize(("n", "named"), [(5, "'a', 'b', 'c', 'd', 'e'"), (6, "'a', 'b', 'c', 'd', 'e', …")])
def test_a_summary_names_five_of_each_kind(n, named):
    attributes = [wc.Attribute(name) for name in "abcdef"[:n]]
    data = wc.Dataset(wc.Header("r", (*attributes, wc.Attribute("w", "date"))), np.full((1, n + 1), np.nan))
    lines = summary(data, "f.csv: 1 row", [*"abcdef"[:n]], [*"abcdef"[:n]], {})
    assert lines == (
        "f.csv: 1 row",
        f"{n} numeric: {named}; 1 date: 'w'",
        f"missing: {n + 1} cells in {n + 1} columns; left out: {named}",
        f"read: {named.replace(chr(39), '')}",
    )
    assert summary(data.take([]), "f.csv", [], [], {})[1:] == (f"{n} numeric: {named}; 1 date: 'w'", "missing: none")
