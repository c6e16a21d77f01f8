"""Data sets from DataFrames, arrays and sparse matrices, and back: the rules, and what is refused."""

import datetime
import math
import warnings
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fresh_python import child

import wekaconf as wc
from wekaconf.base.errors import BridgeError, HeaderMismatchError, Note, OptionError
from wekaconf.data import _conversions as conversions
from wekaconf.data.frames import columns_of

NAN = math.nan
UTC = datetime.UTC


def only_column(raw, **arguments):
    """Kind, values and cells of a table's only column."""
    (attribute,), cells = columns_of(raw, **arguments)
    return attribute.kind, attribute.values, cells[:, 0].tolist()


def same(one, other):
    """Whether two lists of cells are equal, NaN equal to NaN."""
    return np.array_equal(np.array(one), np.array(other), equal_nan=True)


# -- kinds -----------------------------------------------------------------------------------------------------------

INSTANT = datetime.datetime(2024, 2, 29, 12, 30, 15, 123456)
MILLISECONDS = 1709209815123.0
COLUMNS = {
    "int64": (pd.Series([3, 1]), pl.Series([3, 1]), ("numeric", (), [3, 1])),
    "uint8": (pd.Series([3, 1], dtype="uint8"), pl.Series([3, 1], dtype=pl.UInt8), ("numeric", (), [3, 1])),
    "float32": (
        pd.Series([0.1, NAN], dtype="float32"),
        pl.Series([0.1, None], dtype=pl.Float32),
        ("numeric", (), [float(np.float32(0.1)), NAN]),
    ),
    "infinite": (pd.Series([math.inf, -0.0]), pl.Series([math.inf, -0.0]), ("numeric", (), [math.inf, -0.0])),
    "nullable integers": (
        pd.Series([3, None], dtype="Int64"), pl.Series([3, None], dtype=pl.Int64), ("numeric", (), [3, NAN]),
    ),
    "nullable floats": (pd.Series([0.5, None], dtype="Float64"), pl.Series([0.5, NAN]), ("numeric", (), [0.5, NAN])),
    "decimals": (
        pd.Series([Decimal("0.10"), None]), pl.Series([Decimal("0.10"), None]), ("numeric", (), [0.1, NAN]),
    ),
    "texts": (pd.Series(["b", "a", None]), pl.Series(["b", "a", None]), ("nominal", ("a", "b"), [1, 0, NAN])),
    "object texts": (
        pd.Series(["é", "", pd.NA, NAN], dtype=object), pl.Series(["é", "", None, None]),
        ("nominal", ("", "é"), [1, 0, NAN, NAN]),
    ),
    "booleans": (pd.Series([True, False]), pl.Series([True, False]), ("nominal", ("false", "true"), [1, 0])),
    "nullable booleans": (
        pd.Series([True, None], dtype="boolean"), pl.Series([True, None]), ("nominal", ("false", "true"), [1, NAN]),
    ),
    "object booleans": (
        pd.Series([True, None], dtype=object), pl.Series([True, None]), ("nominal", ("false", "true"), [1, NAN]),
    ),
    "categories": (
        pd.Series(pd.Categorical(["hi", None, "lo"], ["lo", "hi", "mid"])),
        pl.Series(["hi", None, "lo"], dtype=pl.Enum(["lo", "hi", "mid"])),
        ("nominal", ("lo", "hi", "mid"), [1, NAN, 0]),
    ),
    "polars categories without order": (
        pd.Series(["z", "a", None]), pl.Series(["z", "a", None], dtype=pl.Categorical),
        ("nominal", ("a", "z"), [1, 0, NAN]),
    ),
    "dates": (
        pd.Series([INSTANT, None]).astype("datetime64[ns]"), pl.Series([INSTANT, None]),
        ("date", (), [MILLISECONDS, NAN]),
    ),
    "dates before 1970": (
        pd.Series([datetime.datetime(1969, 12, 31, 23, 59, 59, 999_500)]),
        pl.Series([datetime.datetime(1969, 12, 31, 23, 59, 59, 999_500)]),
        ("date", (), [-1]),
    ),
    "days": (
        pd.Series([datetime.date(1970, 1, 2), None], dtype=object), pl.Series([datetime.date(1970, 1, 2), None]),
        ("date", (), [86_400_000, NAN]),
    ),
    "time zone": (
        pd.Series([INSTANT, None]).dt.tz_localize("UTC").dt.tz_convert("America/New_York"),
        pl.Series([INSTANT, None]).dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Kolkata"),
        ("date", (), [MILLISECONDS, NAN]),
    ),
    "nothing known": (pd.Series([None, None], dtype=object), pl.Series([None, None]), ("numeric", (), [NAN, NAN])),
    "no rows": (pd.Series([], dtype="string"), pl.Series([], dtype=pl.String), ("nominal", (), [])),
}  # fmt: skip


@pytest.mark.parametrize(("of_pandas", "of_polars", "expected"), COLUMNS.values(), ids=COLUMNS)
def test_pandas_and_polars_give_the_same_column(of_pandas, of_polars, expected):
    kind, values, cells = expected
    for frame in (pd.DataFrame({"a": of_pandas}), pl.DataFrame({"a": of_polars})):
        found = only_column(frame)
        assert found[:2] == (kind, values)
        assert same(found[2], cells)
    assert np.signbit(cells[-1:]).tolist() == np.signbit(found[2][-1:]).tolist()


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([[1], [2]]), ("numeric", (), [1, 2])),
        (np.array([[1.5], [NAN]], dtype=np.float16), ("numeric", (), [1.5, NAN])),
        (np.array([[True], [False]]), ("nominal", ("false", "true"), [1, 0])),
        (np.array([["b"], ["a"]]), ("nominal", ("a", "b"), [1, 0])),
        (np.array([["2024-01-01"], ["NaT"]], dtype="datetime64[D]"), ("date", (), [1704067200000, NAN])),
        (np.array([["b"], [None]], dtype=object), ("nominal", ("b",), [0, NAN])),
        (np.array([[np.int8(1)], [NAN]], dtype=object), ("numeric", (), [1, NAN])),
        (np.array([[Fraction(1, 2)], [Decimal("NaN")]], dtype=object), ("numeric", (), [0.5, NAN])),
        (np.array([[np.datetime64("2024-01-01")], [pd.NaT]], dtype=object), ("date", (), [1704067200000, NAN])),
        (np.ma.array([[1.0], [2.0]], mask=[[False], [True]]), ("numeric", (), [1, NAN])),
        (scipy.sparse.csr_array((np.array([0.0, 2.0]), ([0, 1], [0, 0])), shape=(3, 1)), ("numeric", (), [0, 2, 0])),
        (scipy.sparse.coo_matrix(np.array([[0], [4]])), ("numeric", (), [0, 4])),
        ([[1, ], [None]], ("numeric", (), [1, NAN])),
        ([("x",), ("y",)], ("nominal", ("x", "y"), [0, 1])),
    ],
)  # fmt: skip
def test_arrays_lists_and_sparse_matrices(array, expected):
    kind, values, cells = only_column(array)
    assert (kind, values) == expected[:2]
    assert same(cells, expected[2])


def test_time_zones_and_what_has_none_are_not_mixed():
    mixed = np.array([[INSTANT], [INSTANT.replace(tzinfo=UTC)]], dtype=object)
    with pytest.raises(OptionError, match="'x0' mixes dates with and without a time zone"):
        columns_of(mixed)
    ahead = datetime.timezone(datetime.timedelta(hours=2))
    zoned = np.array([[INSTANT.replace(tzinfo=UTC)], [INSTANT.replace(tzinfo=ahead)]], dtype=object)
    assert only_column(zoned)[2] == [MILLISECONDS, MILLISECONDS - 7_200_000]


def test_other_dtypes_of_pandas():

    texts = pd.array(["b", None, "a"], dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())))
    for raw in (texts, pd.array(["b", None, "a"], dtype="string"), pd.array(["b", None, "a"], dtype="string[pyarrow]")):
        kind, values, cells = only_column(pd.DataFrame({"a": raw}))
        assert (kind, values) == ("nominal", ("a", "b")) and same(cells, [1, NAN, 0])
    numbers = [pd.array([1, None], dtype=f"{kind}[pyarrow]") for kind in ("int64", "double")]
    for raw in (*numbers, pd.arrays.SparseArray([1.0, NAN])):
        assert same(only_column(pd.DataFrame({"a": raw}))[2], [1, NAN])
    instants = pd.array([INSTANT, None], dtype=pd.ArrowDtype(pa.timestamp("us", "UTC")))
    assert same(only_column(pd.DataFrame({"a": instants}))[2], [MILLISECONDS, NAN])
    assert only_column(pd.DataFrame({"a": pd.array([True, None], dtype="bool[pyarrow]")}))[1] == ("false", "true")
    assert only_column(pd.DataFrame({"a": pd.cut([1, 9], [0, 5, 10])}))[1] == ("(0, 5]", "(5, 10]")


# -- refusals --------------------------------------------------------------------------------------------------------

REFUSED = {
    "complex": (pd.DataFrame({"a": [1j]}), "column 'a': .* got complex128; split it into its real"),
    "timedelta": (pd.DataFrame({"a": pd.to_timedelta(["1h"])}), "column 'a': .* got timedelta64.*divide it by a unit"),
    "timedelta object": (np.array([[np.timedelta64(1, "h")]], dtype=object), "row 1: .* got timedelta64; divide it by"),
    "duration": (pl.DataFrame({"a": [datetime.timedelta(1)]}), "column 'a': .* got Duration.*divide it by a unit"),
    "period": (pd.DataFrame({"a": pd.period_range("2024", periods=1)}), "column 'a'.*Period; .*to_timestamp"),
    "lists": (pd.DataFrame({"a": [[1, 2]]}), "column 'a', row 1: .* got list; spread it over columns"),
    "polars lists": (pl.DataFrame({"a": [[1, 2]]}), "column 'a': .* got List.*spread it over columns"),
    "structs": (pl.DataFrame({"a": [{"b": 1}]}), "column 'a': .* got Struct.*per field"),
    "bytes": (np.array([[b"x"]]), "column 'x0': .*decode it into text"),
    "times": (pl.DataFrame({"a": [datetime.time(1)]}), "column 'a': .* got Time; turn it into a number"),
    "numbers and texts": (
        pd.DataFrame({"a": [None, 1, "x"]}, dtype=object),
        r"column 'a', row 3: expected numbers, such as 1, as in the rows above, got the text 'x'; .* nominal=\['a'\]$",
    ),
    "a huge number": (
        pd.DataFrame({"a": [1, 10**400]}, dtype=object),
        r"column 'a' holds a number too large for float64; nominal=\['a'\] reads it as text",
    ),
    "three sorts": (
        pd.DataFrame({"a": [None, True, "x", 2]}, dtype=object),
        r"row 3: expected booleans, such as true, as in the rows above, got the text 'x'; correct it",
    ),
    "booleans and numbers": (pd.DataFrame({"a": [True, 2]}, dtype=object), "column 'a', row 2: expected booleans"),
    "objects": (pd.DataFrame({"a": [object()]}), "column 'a', row 1: .* got object; convert it"),
    "names twice": (pd.DataFrame([[1, 2]], columns=["a", "a"]), "the column name 'a' is used twice; rename one"),
    "levels": (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "several levels.*join them"),
    "equal categories": (
        pd.DataFrame({"a": pd.Categorical([1], [1, "1"])}), "column 'a': two of its categories are written '1'",
    ),
    "lazy": (pl.LazyFrame({"a": [1]}), r"got LazyFrame; call .collect\(\) first"),
    "series": (pd.Series([1]), r"got Series; call .to_frame\(\)"),
    "one dimension": (np.array([1.0]), r"array of shape \(1,\); reshape\(-1, 1\)"),
    "named fields": (np.array([(1, 2)], dtype=[("a", int), ("b", int)]), r"fields; .*pandas\.DataFrame\(array\)$"),
    "ragged": ([[1, 2], [3]], "expected rows of equal length"),
    "texts as rows": (["abc", "def"], "expected rows of equal length, each a list with one value per column"),
    "a text": ("abc", "got str; make an array or a DataFrame"),
    "a mapping": ({"a": [1]}, "got dict; make a DataFrame"),
}  # fmt: skip


@pytest.mark.parametrize(("table", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_by_name_with_a_remedy(table, message):
    with pytest.raises(OptionError, match=message):
        columns_of(table)


@pytest.mark.parametrize(
    ("frame", "maker", "message"),
    [
        (pl.DataFrame({"a": [1]}), "from_pandas", "expected a pandas DataFrame, got polars.DataFrame; use from_polars"),
        (pd.DataFrame({"a": [1]}), "from_polars", "expected a polars DataFrame, got pandas.DataFrame; use from_pandas"),
        (pl.LazyFrame({"a": [1]}), "from_polars", r"LazyFrame; call .collect\(\) first"),
        (pd.Series([1], name="a"), "from_pandas", r"Series; call .to_frame\(\) to make a table of one column"),
        (np.zeros((1, 1)), "from_pandas", r"arrays are read by from_arrays\(X, y\)"),
    ],
)
def test_the_wrong_constructor_names_the_right_one(frame, maker, message):
    with pytest.raises(OptionError, match=message):
        getattr(wc.Dataset, maker)(frame)


def test_integers_that_float64_rounds_are_noted():
    big = 2**53 + 1
    for number in (big, -big):
        with pytest.warns(Note, match="'id' holds integers beyond 2\\*\\*53"):
            columns_of(pd.DataFrame({"id": [number, 1]}))
        with pytest.warns(Note, match="'id' holds integers beyond 2\\*\\*53"):
            columns_of(pa.table({"id": [number, None]}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert only_column(pd.DataFrame({"id": [2**53, -(2**53)]}))[2] == [2**53, -(2**53)]
        assert only_column(pd.DataFrame({"id": np.array([], dtype=np.int64)}))[2] == []
    assert only_column(pd.DataFrame({"id": [big, 1]}), nominal=["id"])[1] == ("1", str(big))
    assert only_column(pl.DataFrame({"id": [big, None]}), nominal=["id"])[1] == (str(big),)
    assert only_column(np.array([[big], [None]], dtype=object), nominal=["x0"])[1] == (str(big),)


@pytest.mark.parametrize(
    ("cells", "is_noted"),
    [
        ([2**53, 1], False), ([2**53 + 1, 1], True), ([-(2**53) - 1, 1], True), ([2.0**53, 1], False),
        ([2.0**53 + 2, 1], True), ([2.0**53 + 2, 1.5], False), ([2.0**64, None], True), ([2.0**64 + 4096, 1], False),
    ],
)  # fmt: skip
def test_objects_that_float64_rounds_are_noted(cells, is_noted):
    """Of floats, which a sheet holds for integers, those that may be such: all whole, and none beyond 64 bits."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        columns_of(np.array([[cell] for cell in cells], dtype=object))
    assert [each.category for each in told] == [Note] * is_noted


# -- nominal=, numeric= ----------------------------------------------------------------------------------------------


def test_numbers_named_nominal_are_texts_in_the_order_of_the_numbers():
    for column in ([10, 9, 10], [10.0, 9.0, 10.0], pd.array([10, 9, 10], dtype="Int8")):
        assert only_column(pd.DataFrame({"a": column}), nominal=["a"]) == ("nominal", ("9", "10"), [1, 0, 1])
    assert only_column(pl.DataFrame({"a": [10, 9, 10]}), nominal=[0]) == ("nominal", ("9", "10"), [1, 0, 1])
    assert only_column(pd.DataFrame({"a": ["10", "9", "10"]}), nominal=["a"]) == ("nominal", ("9", "10"), [1, 0, 1])
    kind, values, cells = only_column(pd.DataFrame({"a": [0.5, NAN, 1e22]}), nominal=["a"])
    assert (kind, values) == ("nominal", ("0.5", "1e+22")) and same(cells, [0, NAN, 1])


def test_mixed_objects_named_nominal_are_texts():
    frame = pd.DataFrame({"a": [1, "x", True, 2.0, None]}, dtype=object)
    kind, values, cells = only_column(frame, nominal=["a"])
    assert (kind, values) == ("nominal", ("1", "2", "true", "x")) and same(cells, [0, 3, 2, 1, NAN])


def test_texts_named_numeric_are_numbers():
    frame = pd.DataFrame({"a": ["1.5", " 2 ", "", None], "b": pd.Categorical(["3", "4", "3", "4"]), "c": [True] * 4})
    attributes, cells = columns_of(frame, numeric=["a", "b", "c"])
    assert [attribute.kind for attribute in attributes] == ["numeric"] * 3
    assert same(cells, [[1.5, 3, 1], [2, 4, 1], [NAN, 3, 1], [NAN, 4, 1]])
    assert same(only_column(pd.DataFrame({"a": [" TRUE ", "", "false", None]}), numeric=["a"])[2], [1, NAN, 0, NAN])
    with pytest.raises(OptionError, match="column 'a', row 1: expected a number, got 'true'"):
        columns_of(pd.DataFrame({"a": ["true", "1"]}), numeric=["a"])
    with pytest.raises(OptionError, match="column 'a', row 2: expected a number, got 'x'; correct it"):
        columns_of(pd.DataFrame({"a": ["1", "x"]}), numeric=["a"])
    with pytest.raises(OptionError, match="row 1: expected a number, got '1_000'"):
        columns_of(pd.DataFrame({"a": ["1_000"]}), numeric=["a"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nominal": ["colr"]}, "nominal: no column 'colr'; did you mean 'color'?"),
        ({"numeric": [7]}, "numeric: no column '7'; the columns are 'color'"),
        ({"nominal": "color"}, r"nominal: expected a list of columns, got the text 'color'; write \['color'\]"),
        ({"nominal": ["color"], "numeric": [0]}, "'color' is named in both"),
        ({"names": ["a", "b"]}, "names: expected 1, one per column, got 2"),
    ],
)
def test_arguments_that_name_no_column(arguments, message):
    with pytest.raises(OptionError, match=message):
        columns_of(pd.DataFrame({"color": ["x"]}), **arguments)


def test_dates_stay_dates():
    frame = pd.DataFrame({"day": pd.to_datetime(["2024-01-01"])})
    assert columns_of(frame)[0][0].kind == "date"
    assert columns_of(frame, nominal=["day"])[0][0].values == ("2024-01-01",)
    with pytest.raises(OptionError, match="column 'day': expected numbers, got dates; convert it first"):
        columns_of(frame, numeric=["day"])
    with pytest.raises(OptionError, match=r"row 2: expected dates, such as 2024-01-01 .*, got the text '5'"):
        columns_of(pd.DataFrame({"day": [pd.Timestamp("2024-01-01"), "5"]}, dtype=object), numeric=["day"])


@pytest.mark.parametrize(
    ("dates", "texts"),
    [
        (["2024-01-02", "1969-12-31"], ("1969-12-31", "2024-01-02")),
        (["2024-01-02T03:04:05", "2024-01-02"], ("2024-01-02 00:00:00", "2024-01-02 03:04:05")),
        (["2024-01-02T03:04:05.250"], ("2024-01-02 03:04:05.250",)),
        (["2024-01-02T00:00:00Z"], ("2024-01-02 00:00:00+00:00",)),
        (["2024-01-02T03:04:05.250+01:00"], ("2024-01-02 02:04:05.250+00:00",)),
    ],
)
def test_dates_named_nominal_are_written_as_in_csv(dates, texts):
    column = pd.Series([*map(pd.Timestamp, dates), None], dtype=object)
    for raw in (column, pd.to_datetime(column, utc=True) if "+" in texts[0] else pd.to_datetime(column)):
        kind, values, cells = only_column(pd.DataFrame({"a": raw}), nominal=["a"])
        assert (kind, values) == ("nominal", texts)
        assert same(cells, [*np.argsort(np.argsort(dates)), NAN])


# -- whole data sets -------------------------------------------------------------------------------------------------


def weather(**changed):
    columns = {
        "outlook": pd.Categorical(["sunny", "rainy", None, "sunny"], ["sunny", "overcast", "rainy"]),
        "wind": [1.5, NAN, 0.25, 3.0],
        "warm": [True, False, True, True],
        "day": pd.to_datetime(["2024-01-01", None, "2024-01-03", "2024-01-04"]),
        "town": ["Ulm", "Bonn", "Ulm", None],
        "play": ["yes", "no", "yes", "no"],
    }
    return pd.DataFrame(columns | changed)


def in_polars(frame):
    """The frame as polars holds it; `polars.from_pandas` forgets the order of categories."""
    categories = {
        name: list(frame[name].cat.categories) for name in frame if isinstance(frame[name].dtype, pd.CategoricalDtype)
    }
    plain = frame.assign(**{name: frame[name].astype(object) for name in categories})
    return pl.from_pandas(plain).with_columns(pl.col(name).cast(pl.Enum(known)) for name, known in categories.items())


def test_a_frame_as_a_data_set():
    data = wc.Dataset.from_pandas(weather(), relation="weather")
    assert data.header.relation == "weather"
    assert [(a.name, a.kind) for a in data.attributes] == [
        ("outlook", "nominal"), ("wind", "numeric"), ("warm", "nominal"), ("day", "date"), ("town", "nominal"),
        ("play", "nominal"),
    ]  # fmt: skip
    assert data.class_names == ("no", "yes") and data.class_values.tolist() == [1, 0, 1, 0]
    assert data.weights.tolist() == [1, 1, 1, 1]
    assert data == wc.Dataset.from_polars(in_polars(weather()), relation="weather")
    assert wc.Dataset.from_pandas(weather(), class_attribute="town").class_names == ("Bonn", "Ulm")
    assert wc.Dataset.from_pandas(weather(), class_attribute=None).class_index == -1
    assert wc.Dataset.from_pandas(weather(), weights=pd.Series([1, 2, 0, 0.5])).weights.tolist() == [1, 2, 0, 0.5]


def test_a_frame_is_not_changed_by_its_data_set_nor_the_other_way_round():
    frame = pd.DataFrame({"a": [1.0, 2.0], "class": [1.0, 0.0]})
    data = wc.Dataset.from_pandas(frame)
    array = np.array([[1.0, 2.0]])
    of_array = wc.Dataset.from_arrays(array)
    frame.loc[0, "a"], array[0, 0] = 9, 9
    assert data.values[0, 0] == 1 and of_array.values[0, 0] == 1
    assert not data.values.flags.writeable
    assert array.flags.writeable


texts = st.text(st.characters(codec="utf-8"), max_size=3)
lists = st.integers(0, 6).flatmap(
    lambda n: st.fixed_dictionaries(
        {
            "number": st.lists(st.one_of(st.none(), st.floats()), min_size=n, max_size=n),
            "whole": st.lists(st.one_of(st.none(), st.integers(-(2**53), 2**53)), min_size=n, max_size=n),
            "text": st.lists(st.one_of(st.none(), texts), min_size=n, max_size=n),
            "flag": st.lists(st.one_of(st.none(), st.booleans()), min_size=n, max_size=n),
            "instant": st.lists(
                st.one_of(st.none(), st.datetimes(datetime.datetime(1700, 1, 1), datetime.datetime(2200, 1, 1))),
                min_size=n, max_size=n,
            ),
        }
    )
)  # fmt: skip


@given(lists)
@settings(max_examples=60, deadline=None)
def test_pandas_and_polars_agree_bit_for_bit(columns):
    schema = {"number": pl.Float64, "whole": pl.Int64, "text": pl.String, "flag": pl.Boolean, "instant": pl.Datetime}
    dtypes = {"number": float, "whole": "Int64", "text": object, "flag": "boolean", "instant": "datetime64[us]"}
    of_polars = pl.DataFrame(columns, schema={name: schema[name] for name in columns})
    of_pandas = pd.DataFrame({name: pd.Series(column, dtype=dtypes[name]) for name, column in columns.items()})
    if not any(text is not None for text in columns["text"]):
        of_pandas["text"] = of_pandas["text"].astype("string")
    one = wc.Dataset.from_pandas(of_pandas, class_attribute="flag", nominal=["whole"])
    other = wc.Dataset.from_polars(of_polars, class_attribute="flag", nominal=["whole"])
    assert one.header == other.header
    assert one.values.tobytes() == other.values.tobytes()
    assert wc.Dataset.from_polars(of_polars, header=one.header) == one
    back = one.to_pandas()
    assert wc.Dataset.from_pandas(back, header=one.header) == one


# -- asked with a header ---------------------------------------------------------------------------------------------


def test_columns_are_matched_by_name():
    header = wc.Dataset.from_pandas(weather()).header
    with pytest.warns(Note, match="the data: ignored 'extra', which the training data did not have"):
        data = wc.Dataset.from_pandas(weather(extra=1).drop(columns="play")[["town", "extra", "warm", "day", "wind",
                                                                             "outlook"]], header=header)  # fmt: skip
    assert data.header == header
    assert np.isnan(data.values[:, -1]).all()
    assert same(data.values[:, :-1], wc.Dataset.from_pandas(weather()).values[:, :-1])


def test_arrays_are_matched_by_position():
    train = wc.Dataset.from_arrays([["x", 1], ["y", 2]], ["p", "n"])
    with pytest.raises(HeaderMismatchError, match="the data: expected 3 columns, got 4"):
        wc.Dataset.from_arrays(np.zeros((1, 4)), header=train.header)
    assert same(wc.Dataset.from_arrays([["y", 3]], header=train.header).values, [[1, 3, NAN]])
    assert same(wc.Dataset.from_arrays([["y", 3]], ["p"], header=train.header).values, [[1, 3, 1]])


def array_and_frame():
    """An array without names, and a frame of the same columns whose own names count them backwards."""
    array = np.array([[1.0, 20], [2, 10], [3, 30]])
    return array, pd.DataFrame(array, columns=["x1", "x0"])


@pytest.mark.parametrize("read", [
    lambda frame, header: wc.Dataset.from_arrays(frame, header=header),
    lambda frame, header: wc.Dataset.from_pandas(frame, header=header),
    lambda frame, header: wc.Dataset.from_polars(in_polars(frame), header=header),
    lambda frame, header: wc.Dataset.from_pandas(frame, class_attribute=None).conform(header),
])  # fmt: skip
def test_names_that_count_the_columns_of_an_array_are_no_names(read):
    array, frame = array_and_frame()
    header = wc.Dataset.from_arrays(array, ["p", "n", "p"]).header
    assert not header.is_named
    in_order = frame.set_axis(["x0", "x1"], axis=1)
    assert same(read(in_order, header).values[:, :2], array), "as a frame of the data set itself has them"
    expected = (
        r"the data: columns in the order 'x1', 'x0' cannot be matched to 'x0', 'x1', which are no names: .* give the "
        "array its names, or the columns in its order"
    )
    with pytest.raises(HeaderMismatchError, match=expected):
        read(frame, header)
    named = wc.Dataset.from_arrays(array, ["p", "n", "p"], names=["x0", "x1"]).header
    assert named.is_named and same(read(frame, named).values[:, :2], array[:, ::-1])
    of_frame = wc.Dataset.from_arrays(frame, ["p", "n", "p"]).header
    assert of_frame.is_named and same(read(frame, of_frame).values[:, :2], array)


def test_an_array_is_no_table_of_numbered_names():
    array, frame = array_and_frame()
    of_frame = wc.Dataset.from_pandas(frame.assign(play=["p", "n", "p"]))
    assert same(wc.Dataset.from_arrays(array, header=of_frame.header).values[:, :2], array)
    with pytest.raises(HeaderMismatchError, match="columns in the order 'x0', 'x1' cannot be matched to 'x1', 'x0'"):
        wc.Dataset.from_arrays(array).conform(of_frame.header)


@pytest.mark.parametrize("convert", [lambda frame: frame, in_polars], ids=["pandas", "polars"])
def test_a_frame_stands_beside_an_array_by_position(convert):
    array, frame = array_and_frame()
    header = wc.Dataset.from_arrays(array, ["p", "n", "p"]).header
    note = "the data: 'age', 'rate' are matched by position, since the training data were an array"
    with pytest.warns(Note, match=note):
        data = wc.Dataset.from_arrays(convert(frame.set_axis(["age", "rate"], axis=1)), header=header)
    assert same(data.values[:, :2], array)
    with pytest.warns(Note, match=note):
        data = wc.Dataset.from_arrays(convert(frame.set_axis(["age", "rate"], axis=1)), ["n", "p", "n"], header=header)
    assert same(data.values, np.column_stack((array, [0, 1, 0])))
    with_class = frame.set_axis(["age", "rate"], axis=1)
    with_class.insert(1, "class", ["p", "n", "p"])
    with pytest.warns(Note, match=note):
        assert same(
            wc.Dataset.from_arrays(convert(with_class), header=header).values, [[1, 20, 1], [2, 10, 0], [3, 30, 1]]
        )
    with pytest.raises(HeaderMismatchError, match="the data: expected 2 columns, got 1"):
        wc.Dataset.from_arrays(convert(frame[["x1"]]), header=header)


def test_what_was_nominal_is_read_as_text_and_what_was_numeric_as_numbers():
    train = wc.Dataset.from_pandas(pd.DataFrame({"code": ["01", "1", "2"], "age": [3, 4, 5], "class": ["p", "n", "p"]}))
    asked = pd.DataFrame({"code": [1, 2], "age": ["7", "8.5"]})
    assert same(wc.Dataset.from_pandas(asked, header=train.header).values, [[1, 7, NAN], [2, 8.5, NAN]])
    with pytest.raises(OptionError, match="column 'age', row 2: expected a number, got 'old'"):
        wc.Dataset.from_pandas(asked.assign(age=["7", "old"]), header=train.header)
    with pytest.raises(OptionError, match="column 'age': expected numbers, got dates"):
        wc.Dataset.from_pandas(asked.assign(age=pd.to_datetime(["2024-01-01"] * 2)), header=train.header)
    flags = wc.Dataset.from_pandas(pd.DataFrame({"flag": [True, False], "class": ["p", "n"]}))
    asked = pd.DataFrame({"flag": ["True", "FALSE", None]})
    assert same(wc.Dataset.from_pandas(asked, header=flags.header).values[:, 0], [1, 0, NAN])


def test_no_column_is_a_relational_attribute():
    header = wc.Header("r", (wc.Attribute("bag", "relational", inner=(wc.Attribute("x"),)),))
    with pytest.raises(OptionError, match="attribute 'bag' is relational; no column of a table holds such"):
        wc.Dataset.from_pandas(pd.DataFrame({"bag": ["1"]}), header=header)


@pytest.mark.parametrize("convert", [lambda frame: frame, in_polars, pa.table], ids=["pandas", "polars", "arrow"])
def test_every_library_takes_the_same_arguments(convert):
    frame = pd.DataFrame({"code": [1, 2], "c": ["a", "b"], "size": ["3", "4"]})
    table = convert(frame)
    make = getattr(wc.Dataset, f"from_{type(table).__module__.partition('.')[0].replace('pyarrow', 'arrow')}")
    data = make(table, class_attribute="c", relation="mine", nominal=["code"], numeric=["size"], weights=[1, 2])
    assert (data.relation, data.class_names, data.attributes[0].values) == ("mine", ("a", "b"), ("1", "2"))
    assert data.values.tolist() == [[0, 0, 3], [1, 1, 4]] and data.weights.tolist() == [1, 2]
    assert data.reading.is_inferred and make(table, header=data.header).reading is None
    assert make(table, header=data.header, weights=[3, 4]).weights.tolist() == [3, 4]
    with pytest.raises(HeaderMismatchError, match="'9' of 'code' was not seen"):
        make(convert(frame.assign(code=[1, 9])), header=data.header, unseen="error")
    for name in ("nominal", "numeric"):
        with pytest.raises(OptionError, match=f"^{name} and header exclude each other"):
            make(table, header=data.header, **{name: ["code"]})


@pytest.mark.parametrize("y", [None, ["b", "a"]])
def test_arrays_take_the_same_arguments(y):
    X = [[1, 3], [2, 4]]
    data = wc.Dataset.from_arrays(X, y, names=["code", "size"], relation="mine", nominal=["code"], weights=[1, 2])
    assert [each.name for each in data.attributes] == ["code", "size", *["class"] * (y is not None)]
    assert data.relation == "mine" and data.class_index == (-1 if y is None else 2) and data.reading.is_inferred
    assert data.attributes[0].values == ("1", "2") and data.weights.tolist() == [1, 2] and data.header.is_named
    again = wc.Dataset.from_arrays(X, y, header=data.header, weights=[3, 4])
    assert again.weights.tolist() == [3, 4] and again == replace(data, weights=[3, 4])
    with pytest.raises(HeaderMismatchError, match="'9' of 'code' was not seen"):
        wc.Dataset.from_arrays([[9, 3]], header=data.header, unseen="error")
    for name in ("nominal", "names"):
        with pytest.raises(OptionError, match=f"^{name} and header exclude each other"):
            wc.Dataset.from_arrays(X, header=data.header, **{name: ["code", "size"]})


def test_unseen_values():
    train = wc.Dataset.from_pandas(weather())
    frame = weather(outlook=["sunny", "foggy", "foggy", "rainy"])
    with pytest.warns(Note, match="row 2: value 'foggy' of 'outlook' was not seen .*; 2 such values are treated"):
        data = wc.Dataset.from_pandas(frame, header=train.header)
    assert same(data.values[:, 0], [0, NAN, NAN, 2])
    with pytest.raises(HeaderMismatchError, match="'foggy' of 'outlook' was not seen"):
        wc.Dataset.from_pandas(frame, header=train.header, unseen="error")


# -- X and y ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "values", "cells"),
    [
        ([1, 0, 1], ("0", "1"), [1, 0, 1]),
        (np.array([10.0, 9.0, NAN]), ("9", "10"), [1, 0, NAN]),
        ([True, False, None], ("false", "true"), [1, 0, NAN]),
        (["1.5", "0.5", "1.5"], ("0.5", "1.5"), [1, 0, 1]),
        ([0.5, "x", 0.5], ("0.5", "x"), [0, 1, 0]),
        (np.array(["b", "a", "b"]), ("a", "b"), [1, 0, 1]),
        (pd.Series(["b", "a", "b"], index=[7, 8, 9]), ("a", "b"), [1, 0, 1]),
        (pl.Series(["b", "a", "b"]), ("a", "b"), [1, 0, 1]),
        (pd.Categorical(["b", "a", "b"], ["b", "a"]), ("b", "a"), [0, 1, 0]),
        ((1, "a", True), ("1", "a", "true"), [0, 1, 2]),
    ],
    ids=[
        "ints",
        "floats",
        "booleans",
        "numbers as texts",
        "a mixture",
        "texts",
        "Series",
        "polars",
        "categories",
        "mixed",
    ],
)
def test_classes_are_nominal_whatever_they_are(y, values, cells):
    data = wc.Dataset.from_arrays(np.arange(6).reshape(3, 2), y, names=["a", "b"], class_name="target")
    assert [attribute.name for attribute in data.attributes] == ["a", "b", "target"]
    assert data.class_names == values
    assert same(data.values[:, 2], cells)


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        ([0.5, 1, 2], OptionError, "y: expected classes, got numbers with fractions such as 0.5"),
        ([1, 2], HeaderMismatchError, "y: expected 3 classes, one per row of X, got 2"),
        (
            np.zeros((3, 1)),
            OptionError,
            r"y: expected one class per row, got an array of shape \(3, 1\); y.ravel\(\) may",
        ),
        (
            pd.DataFrame({"c": "aba"}, [0, 1, 2]),
            OptionError,
            "y: expected one class per row, got a DataFrame; give one",
        ),
    ],
)
def test_what_cannot_be_classes(y, error, message):
    with pytest.raises(error, match=message):
        wc.Dataset.from_arrays(np.zeros((3, 1)), y)


def test_the_class_needs_a_name_of_its_own():
    with pytest.raises(OptionError, match="X has a column 'class' already"):
        wc.Dataset.from_arrays(pd.DataFrame({"class": [1]}), [1])


# -- back ------------------------------------------------------------------------------------------------------------


def test_to_pandas_and_back():
    data = wc.Dataset.from_pandas(weather())
    frame = data.to_pandas()
    assert frame["outlook"].cat.categories.tolist() == ["sunny", "overcast", "rainy"]
    assert frame["day"].dtype == "datetime64[ms]" and frame["wind"].dtype == float
    assert frame["day"].isna().tolist() == [False, True, False, False]
    assert wc.Dataset.from_pandas(frame) == data
    assert wc.Dataset.from_pandas(data.take([]).to_pandas(), header=data.header) == data.take([])


def test_to_pandas_of_arff_kinds(tmp_path):
    path = tmp_path / "odd.arff"
    path.write_text(
        "@relation odd\n@attribute s string\n@attribute d date 'yyyy-MM-dd Z'\n@attribute c {b,a}\n@data\n"
        "'two words','2024-01-01 +0200',a\n?,?,?\n"
    )
    data = wc.load_arff(path)
    frame = data.to_pandas()
    pd.testing.assert_series_equal(frame["s"], pd.Series(["two words", None], name="s"))
    assert frame["d"].iloc[0] == pd.Timestamp("2023-12-31T22:00")
    assert frame["c"].cat.codes.tolist() == [1, -1]
    assert data.take([1]).to_pandas().dtypes.equals(frame.dtypes), "also where no text is known"


def test_to_arff_keeps_instants_whatever_the_time_zone(tmp_path, monkeypatch):
    data = wc.Dataset.from_pandas(weather())
    data.to_arff(tmp_path / "weather.arff")
    for zone in ("Asia/Kolkata", "America/New_York"):
        monkeypatch.setattr("wekaconf.bridge._zones._local_name", lambda zone=zone: zone)
        assert wc.load_arff(tmp_path / "weather.arff") == data


def test_a_zone_that_nobody_knows_reads_no_dates():
    header = wc.Dataset.from_pandas(weather()).header
    attributes = [replace(each, zone="Atlantis") if each.kind == "date" else each for each in header.attributes]
    with pytest.raises(OptionError, match="column 'day': this Java does not know the time zone 'Atlantis'"):
        wc.Dataset.from_pandas(weather(), header=replace(header, attributes=tuple(attributes)))


def test_as_an_array():
    data = wc.Dataset.from_pandas(weather())
    array = np.asarray(data)
    assert array.dtype == np.float64
    np.testing.assert_array_equal(array, data.values)
    assert np.asarray(data, dtype=np.float32).dtype == np.float32
    assert data.__array__(copy=False) is data.values and data.__array__(copy=True) is not data.values
    with pytest.raises(ValueError, match="a data set holds float64; it cannot be given as another type without a copy"):
        data.__array__(np.float32, copy=False)
    writable = np.array(data)
    writable[0, 1] = 99
    assert data.values[0, 1] == 1.5


def test_a_notebook_shows_the_first_instances_escaped():
    frame = pd.DataFrame({"<b>": ["<script>&"] * 30, "n": [0.5, None] * 15, "d": pd.to_datetime(["2024-01-01"] * 30)})
    html = wc.Dataset.from_pandas(frame, class_attribute="<b>", relation="<i>")._repr_html_()
    assert "<script>" not in html and "<b>" not in html and "<i>" not in html
    assert "&lt;script&gt;&amp;" in html and "30 instances, 3 attributes" in html and "2024-01-01T00:00:00.000" in html
    assert html.count("<tr>") == 11 and html.count("<td>0.5</td>") == html.count("<td>?</td>") == 5
    assert "<tr><th>0</th>" in html and "<tr><th>10</th>" not in html  # as Python counts


def test_a_notebook_shows_what_a_cell_means():
    attributes = (
        wc.Attribute("s", "string", ("u", "v")),
        wc.Attribute("d", "date"),
        wc.Attribute("n", "nominal", ("p",)),
    )
    data = wc.Dataset(wc.Header("a&b", attributes, 2), [[1, 0, 0], [NAN, 8e15, NAN], [0, -8e15, 0]])
    assert data._repr_html_() == (
        "<table><caption>a&amp;b: 3 instances, 3 attributes</caption><thead><tr><th></th><th>s<br><small>string</small>"
        "</th><th>d<br><small>date</small></th><th>n<br><small>class</small></th></tr></thead><tbody>"
        "<tr><th>0</th><td>v</td><td>1970-01-01T00:00:00.000</td><td>p</td></tr>"
        "<tr><th>1</th><td>?</td><td>8e+15</td><td>?</td></tr>"
        "<tr><th>2</th><td>u</td><td>-8e+15</td><td>p</td></tr></tbody></table>"
    )


@pytest.mark.parametrize(("n_rows", "n_columns"), [(10, 20), (11, 21)])
def test_a_notebook_shows_ten_instances_and_twenty_attributes(n_rows, n_columns):
    html = wc.Dataset.from_arrays(np.full((n_rows, n_columns), 7.5))._repr_html_()
    assert html.count("<tr>") == 11 and html.count("<td>7.5</td>") == 200


def test_importing_wekaconf_imports_no_table_library():
    code = (
        "import sys, wekaconf as wc; wc.Dataset.from_arrays([[1.0, 'x']], ['p']); "
        "print({'pandas', 'polars', 'pyarrow', 'openpyxl'} & set(sys.modules))"
    )
    assert child(code) == "set()\n"


@pytest.mark.jvm
def test_from_weka():
    from weka.core.dataset import Instances

    from wekaconf.bridge._instances import to_java

    data = wc.Dataset.from_pandas(weather(), weights=[1, 2, 3, 4])
    sent = to_java(data)
    assert wc.Dataset.from_weka(sent) == data
    assert wc.Dataset.from_weka(Instances(sent)) == data
    sent.attribute(1).setWeight(2.0)
    with pytest.raises(
        BridgeError, match=r"attribute '\w+' has the weight 2\.0, and attribute weights are not supported"
    ):
        wc.Dataset.from_weka(sent)
    for other in (sent.attribute(0), 7, "x", None, object()):
        with pytest.raises(OptionError, match="expected Weka's Instances, got"):
            wc.Dataset.from_weka(other)
    with pytest.raises(OptionError, match=r"expected a Dataset, got Instances; make one with Dataset.from_weka$"):
        wc.grow(Instances(sent))


def test_instances_of_weka_without_the_bridge(monkeypatch):
    monkeypatch.setattr(conversions, "_readers", [])
    with pytest.raises(BridgeError, match="Instances of Weka cannot be read without"):
        wc.Dataset.from_weka(object())
