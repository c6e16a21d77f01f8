"""Parquet files give what the same table in memory gives."""

import datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wekaconf as wc
from wekaconf.base.errors import TableError
from wekaconf.data import Header, join_parts, read_parts_like, read_table


def varied(n, seed):
    """A table with a column of every type that Arrow reads, nulls and NaN among them."""
    rng = np.random.default_rng(seed)

    def some(cells, kind):
        return pa.array([None if rng.random() < 0.2 else cell for cell in cells], kind)

    days = [datetime.date(1960, 1, 1) + datetime.timedelta(int(day)) for day in rng.integers(0, 40_000, n)]
    times = [datetime.datetime(1999, 12, 31) + datetime.timedelta(seconds=float(s)) for s in rng.normal(0, 1e7, n)]
    numbers = rng.normal(size=n).round(3)
    numbers[::7] = np.nan
    texts = rng.choice(["b", "a", "ü", "", "a b"], n).tolist()
    columns = {
        f"int{kind}": some(rng.integers(0, 100, n).tolist(), kind) for kind in (pa.int8(), pa.uint16(), pa.int64())
    }
    columns |= {f"float{kind}": pa.array(numbers, kind) for kind in (pa.float32(), pa.float64())}
    columns["nulls"] = some(numbers.tolist(), pa.float64())
    columns["large"] = some([2**53 + 1, 5, *range(n - 2)], pa.uint64())
    columns["boolean"] = some((rng.random(n) < 0.5).tolist(), pa.bool_())
    columns |= {f"text {kind}": some(texts, kind) for kind in (pa.string(), pa.large_string())}
    codes = some(rng.integers(0, 3, n).tolist(), pa.int8())
    columns["ordered"] = pa.DictionaryArray.from_arrays(codes, pa.array(["s", "m", "l", "unused"]), ordered=True)
    columns["wide"] = pa.DictionaryArray.from_arrays(
        codes.cast(pa.int32()), pa.array(["q", "p", "r"], pa.large_string())
    )
    columns["decimal"] = some([Decimal(int(cell)) / 100 for cell in rng.integers(-999, 999, n)], pa.decimal128(8, 2))
    columns["nothing"] = pa.nulls(n)
    columns |= {f"day {kind}": some(days, kind) for kind in (pa.date32(), pa.date64())}
    columns |= {f"time {unit}": some(times, pa.timestamp(unit)) for unit in ("s", "ms", "us")}
    columns["zoned"] = some(times, pa.timestamp("us", tz="Europe/Vienna"))
    columns["class"] = some(rng.choice(["yes", "no"], n).tolist(), pa.string())
    return pa.table(columns)


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
@pytest.mark.parametrize("row_group", [1_000, 7])
def test_a_file_is_read_as_its_table_in_memory(tmp_path, row_group):
    path, table = str(tmp_path / "t.parquet"), varied(60, 1)
    pq.write_table(table, path, row_group_size=row_group)
    for options in ({}, {"nominal": ["intint8", "boolean"], "numeric": ["nothing"]}):
        expected = wc.Dataset.from_arrow(table, relation="t", **options)
        assert wc.load_table(path, **options) == expected
    later = varied(60, 9).set_column(8, "text string", pa.array(["new"] * 60))
    again = join_parts(read_parts_like(write(path, later), expected.header, keep=["intint8"]))
    assert again.data == wc.Dataset.from_arrow(later, header=expected.header)
    assert again.data.unseen["text string"].texts.tolist() == ["new"] * 60
    assert again.kept == {"intint8": [None if cell is None else str(cell) for cell in later["intint8"].to_pylist()]}


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_no_rows_and_rows_without_values(tmp_path):
    path = str(tmp_path / "t.parquet")
    header = read_table(write(path, varied(20, 1))).data.header
    write(path, varied(20, 1).slice(0, 0))
    with pytest.raises(TableError, match="expected rows below the column names, got none"):
        read_table(path)
    assert len(join_parts(read_parts_like(path, header)).data) == 0
    write(path, varied(20, 1).drop_columns(["class"]))
    assert len(join_parts(read_parts_like(path, Header("t", (header.attributes[-1],), 0))).data) == 20
    empty = pa.table({"x": pa.array([1.0, None, np.nan]), "c": ["a", None, None]})
    header = wc.Dataset.from_arrow(empty).header
    with pytest.warns(wc.Note, match="2 rows hold no value, the first of them row 2"):
        loaded = join_parts(read_parts_like(write(path, empty), header))
    np.testing.assert_array_equal(loaded.data.values, [[1, 0], [np.nan, np.nan], [np.nan, np.nan]])


def write(path, table):
    pq.write_table(table, path)
    return path


@pytest.mark.parametrize("unit", ["us", "ns"])
def test_dates_of_a_zone_that_is_none_are_refused(tmp_path, unit):
    times = pa.array([0, None], pa.timestamp(unit, "Nowhere/Land"))
    path = write(str(tmp_path / "t.parquet"), pa.table({"t": times, "c": ["a", "b"]}))
    with pytest.raises(TableError, match="is no Parquet file, or a damaged one"):
        wc.load_table(path)


FAR = pa.array([2**31 - 1, 1], pa.int32()).cast(pa.date32())


@pytest.mark.parametrize(
    "column",
    [
        pa.StructArray.from_arrays([FAR], ["day"]),
        pa.array([2**62, 1], pa.int64()).cast(pa.duration("ms")),
        pa.StructArray.from_arrays([pa.array([0, 1], pa.timestamp("us", "Nowhere/Land"))], ["time"]),
    ],
    ids=["date", "duration", "zone"],
)
def test_cells_that_python_cannot_hold_are_refused(tmp_path, column):
    path = write(str(tmp_path / "t.parquet"), pa.table({"x": column, "c": ["a", "b"]}))
    with pytest.raises(TableError, match=r"t\.parquet: is no Parquet file, or a damaged one \("):
        wc.load_table(path)


def test_a_day_beyond_the_years_of_python_is_read_with_and_without_texts_that_mean_missing(tmp_path):
    path = write(str(tmp_path / "t.parquet"), pa.table({"x": FAR, "c": ["a", "b"]}))
    data = wc.load_table(path)
    assert data == wc.load_table(path, na=["none"])
    assert data.values[0, 0] == (2**31 - 1) * 86_400_000


def test_texts_that_are_no_utf_8_are_refused(tmp_path):
    ends, content = np.array([0, 1, 2], np.int32), b"\xffa"
    odd = pa.StringArray.from_buffers(2, pa.py_buffer(ends), pa.py_buffer(content))
    pq.write_table(pa.table({"t": odd, "c": ["a", "b"]}), tmp_path / "odd.parquet")
    with pytest.raises(TableError, match=r"odd\.parquet: is no Parquet file, or a damaged one \(.*Invalid UTF8"):
        wc.load_table(tmp_path / "odd.parquet")
