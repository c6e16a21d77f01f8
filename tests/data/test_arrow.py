"""Arrow streams as data sets, in estimators and models; data sets and answers as Arrow streams and polars frames."""

import datetime
import sys
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support.command_line import ARFF

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.data.frames import columns_of
from wekaconf.sklearn import CARTClassifier

NAN = float("nan")
INSTANT = datetime.datetime(2024, 2, 29, 12, 30, 15, 123456)
MILLISECONDS = 1709209815123.0
DAY = datetime.date(1970, 1, 2)


def dictionary(values, indices, kind=None):
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int8()), pa.array(values, kind))


COLUMNS = {
    "double": (pa.array([1.5, None, NAN]), ("numeric", (), [1.5, NAN, NAN])),
    "half": (pa.array(np.array([1.5], dtype=np.float16)), ("numeric", (), [1.5])),
    "integers": (pa.array([3, None, 1], pa.uint8()), ("numeric", (), [3, NAN, 1])),
    "decimals": (pa.array([Decimal("0.10"), None], pa.decimal128(5, 2)), ("numeric", (), [0.1, NAN])),
    "texts": (pa.array(["b", "a", None]), ("nominal", ("a", "b"), [1, 0, NAN])),
    "large texts": (pa.array(["b", "", None], pa.large_string()), ("nominal", ("", "b"), [1, 0, NAN])),
    "views of texts": (pa.array(["b", "a"], pa.string_view()), ("nominal", ("a", "b"), [1, 0])),
    "dictionary": (
        dictionary(["lo", "hi", "mid"], [1, None, 0]), ("nominal", ("lo", "hi", "mid"), [1, NAN, 0]),
    ),
    "dictionary of large texts": (dictionary(["z", "a"], [1], pa.large_string()), ("nominal", ("z", "a"), [1])),
    "dictionary of numbers": (dictionary([10, 2], [1, 0]), ("nominal", ("10", "2"), [1, 0])),
    "chunks with other dictionaries": (
        pa.chunked_array([dictionary(["x", "y"], [1]), dictionary(["y", "z"], [0, 1])]),
        ("nominal", ("x", "y", "z"), [1, 1, 2]),
    ),
    "no chunks": (pa.chunked_array([], pa.string()), ("nominal", (), [])),
    "booleans": (pa.array([True, None, False]), ("nominal", ("false", "true"), [1, NAN, 0])),
    "instants": (pa.array([INSTANT, None], pa.timestamp("us")), ("date", (), [MILLISECONDS, NAN])),
    "instants in a zone": (
        pa.array([INSTANT, None], pa.timestamp("ns", "Asia/Kolkata")), ("date", (), [MILLISECONDS, NAN]),
    ),
    "days": (pa.array([DAY, None], pa.date32()), ("date", (), [86_400_000, NAN])),
    "days as milliseconds": (pa.array([DAY, None], pa.date64()), ("date", (), [86_400_000, NAN])),
    "nulls": (pa.nulls(2), ("numeric", (), [NAN, NAN])),
}  # fmt: skip


@pytest.mark.parametrize(("column", "expected"), COLUMNS.values(), ids=COLUMNS)
def test_kinds_of_columns(column, expected):
    (attribute,), cells = columns_of(pa.table({"a": column}))
    assert (attribute.kind, attribute.values) == expected[:2]
    assert np.array_equal(cells[:, 0], expected[2], equal_nan=True)


@pytest.mark.parametrize(
    "column",
    [pa.array([datetime.time(1)]), pa.array([[1]]), pa.array([{"x": 1}]), pa.array([b"x"]),
     pa.array([datetime.timedelta(1)])],
    ids=lambda column: str(column.type),
)  # fmt: skip
def test_what_cannot_be_held_is_named(column):
    with pytest.raises(OptionError, match=f"odd one.*{column.type}".replace("[", r"\[").replace("<", ".")):
        columns_of(pa.table({"fine": [1.0], "odd one": column}))


def test_a_stream_that_is_no_table():
    with pytest.raises(OptionError, match="expected a table, got ChunkedArray, whose Arrow stream is no table: "):
        wc.Dataset.from_arrow(pa.chunked_array([[1, 2]]))
    with pytest.raises(OptionError, match=r"expected a table with __arrow_c_stream__, got numpy\.ndarray"):
        wc.Dataset.from_arrow(np.zeros((2, 2)))


def test_the_same_data_set_from_every_library():
    frame = wc.load_arff(ARFF / "credit-g.arff").to_pandas()
    expected = wc.Dataset.from_pandas(frame)
    cells = pa.Table.from_pandas(frame)
    assert cells.num_rows == 1000
    relation = duckdb.sql("SELECT * FROM cells")
    batches = pa.RecordBatchReader.from_batches(cells.schema, cells.to_batches())
    for stream in (frame, cells, cells.to_batches()[0], batches):
        assert wc.Dataset.from_arrow(stream) == expected
    of_duckdb = wc.Dataset.from_arrow(relation, header=expected.header)
    assert np.array_equal(of_duckdb.values, expected.values, equal_nan=True)


@pytest.mark.parametrize("name", ["iris", "credit-g"])
def test_a_data_set_there_and_back(name):
    data = wc.load_arff(ARFF / f"{name}.arff")
    expected = wc.Dataset.from_pandas(data.to_pandas(), relation=data.relation)
    for made in (data.to_arrow(), pa.table(data)):
        back = wc.Dataset.from_arrow(made, relation=data.relation, class_attribute=data.header.class_attribute.name)
        assert back.header.attributes == expected.header.attributes
        assert np.array_equal(back.values, expected.values, equal_nan=True)
    of_polars = wc.Dataset.from_polars(data.to_polars(), relation=data.relation)
    assert of_polars.header.attributes == expected.header.attributes
    assert np.array_equal(of_polars.values, expected.values, equal_nan=True)
    assert pl.DataFrame(data).shape == data.values.shape


def test_dates_strings_and_no_rows(tmp_path):
    (tmp_path / "d.arff").write_text(
        "@relation d\n@attribute s string\n@attribute t date yyyy-MM-dd\n@attribute c {x,y}\n@data\n"
        "'it''s',2024-02-29,x\n?,?,?\n".replace("it''s", r"it\'s")
    )
    data = wc.load_arff(tmp_path / "d.arff")
    for rows in (data, data.take([])):
        table, frame = rows.to_arrow(), rows.to_polars()
        assert table.schema.types[0] == pa.string() and table.schema.types[1] == pa.timestamp("ms", "UTC")
        assert frame.dtypes == [pl.String, pl.Datetime("ms", "UTC"), pl.Enum(["x", "y"])]
        assert table.to_pylist() == frame.to_dicts()
    assert data.to_polars()["s"].to_list() == ["it's", None]


def test_estimators_take_streams():
    frame = wc.load_arff(ARFF / "credit-g.arff").to_pandas()
    X, y = frame.drop(columns="class").iloc[:, [1, 4, 7]], frame["class"].astype(str)
    cells = pa.Table.from_pandas(X)
    first, second = CARTClassifier().fit(X, y), CARTClassifier().fit(cells, y)
    assert second.feature_names_in_.tolist() == list(X.columns)
    assert np.array_equal(first.predict_proba(X), second.predict_proba(cells))
    relation = duckdb.sql("SELECT * FROM cells")
    assert np.array_equal(CARTClassifier().fit(relation, y).predict_proba(relation), first.predict_proba(X))
    with pytest.raises(ValueError, match="feature names"):
        second.predict(cells.rename_columns(["a", "b", "c"]))


def test_a_model_answers_a_stream_by_a_table():
    data = wc.load_arff(ARFF / "iris.arff")
    method = wc.method("m_branch").fit(wc.grow(data, "CART"), data)
    model = wc.Model(method)
    frame = data.to_pandas().assign(number=range(len(data)))
    cells = pa.Table.from_pandas(frame)
    for rows in (slice(0, 150), slice(0, 0)):
        part = cells.slice(rows.start, rows.stop)
        answers = model.answer_frame(part, keep=["number"])
        of_pandas = model.answer_frame(frame.iloc[rows], keep=["number"])
        assert isinstance(answers, pa.Table)
        assert answers.column_names == list(of_pandas.columns)
        pd.testing.assert_frame_equal(answers.to_pandas(), of_pandas.reset_index(drop=True), check_dtype=False)
    relation = duckdb.sql("SELECT * FROM cells")
    assert model.answer_frame(relation, keep=["number"]).equals(model.answer_frame(cells, keep=["number"]))


def test_answers_as_tables():
    data = wc.load_arff(ARFF / "iris.arff")
    method = wc.method("m_branch").fit(wc.grow(data, "CART"), data)
    for rows in (data, data.take([])):
        answer = method.answer(rows)
        names = ["predicted", *(f"distribution_{name}" for name in data.class_names), "certainty", "reason"]
        for table in (answer.to_arrow(), pa.table(answer)):
            assert table.column_names == names and table.num_rows == len(rows)
            assert table.schema.types == [pa.string(), *[pa.float64()] * 4, pa.string()]
            assert np.array_equal(table["certainty"].to_numpy(), answer.certainty)
            assert table["reason"].to_pylist() == list(answer.reasons)
        frame = answer.to_polars()
        assert frame.columns == names and frame.to_dicts() == answer.to_arrow().to_pylist()
        assert pl.DataFrame(answer).equals(frame)


def test_without_a_package_its_extra_is_named(iris, monkeypatch):
    class Stream:
        def __arrow_c_stream__(self, schema=None): ...

    for package in ("pandas", "polars", "pyarrow"):
        monkeypatch.setitem(sys.modules, package, None)
    for what, package, extra, ask in (
        ("to_pandas", "pandas", "tables", iris.to_pandas),
        ("to_polars", "polars", "polars", iris.to_polars),
        ("to_arrow", "pyarrow", "tables", iris.to_arrow),
        ("reading an Arrow stream", "pyarrow", "tables", lambda: wc.Dataset.from_arrow(Stream())),
    ):
        with pytest.raises(OptionError) as refused:
            ask()
        told = f"{what} needs {package}, which is not installed; pip install 'wekaconf[{extra}]'"
        assert str(refused.value) == told
