"""Parquet files are read by Arrow without pandas, and give what pandas gives."""

import datetime
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.command_line import IRIS

import wekaconf as wc
from wekaconf.base.errors import TableError
from wekaconf.data import Header, join_parts, read_parts_like, read_table
from wekaconf.data.table_files import Reading
from wekaconf.data.table_files import _parquet as parquet


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


def by_both(monkeypatch, read):
    """What Arrow reads, and what pandas does."""
    by_arrow = read()
    with monkeypatch.context() as patch:
        patch.setattr(parquet, "_is_simple", lambda kind: False)
        return by_arrow, read()


def assert_alike(one, other):
    assert one.data == other.data
    assert (one.kept, one.summary, one.reading) == (other.kept, other.summary, other.reading)
    assert {name: cells.texts.tolist() for name, cells in one.data.unseen.items()} == {
        name: cells.texts.tolist() for name, cells in other.data.unseen.items()
    }


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
@pytest.mark.parametrize("row_group", [1_000, 7])
@pytest.mark.parametrize("seed", range(3))
def test_arrow_and_pandas_read_alike(tmp_path, monkeypatch, row_group, seed):
    path = str(tmp_path / "t.parquet")
    pq.write_table(varied(60, seed), path, row_group_size=row_group)
    monkeypatch.setattr(parquet, "as_frame", None)
    read_table(path)  # by Arrow, since there is no other way
    monkeypatch.undo()
    for reading in (Reading(), Reading(id="text string"), Reading(id="day date32[day]"), Reading(ignore=("large",))):
        assert_alike(*by_both(monkeypatch, lambda reading=reading: read_table(path, reading)))
    nominal = Reading(nominal=("intint8", "decimal", "boolean"), numeric=("nothing",))
    assert_alike(*by_both(monkeypatch, lambda: read_table(path, nominal)))
    header = read_table(path).data.header
    pq.write_table(varied(60, seed + 9).set_column(8, "text string", pa.array(["new"] * 60)), path)
    assert_alike(*by_both(monkeypatch, lambda: join_parts(read_parts_like(path, header, keep=None))))


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_no_rows_and_rows_without_values(tmp_path, monkeypatch):
    path = str(tmp_path / "t.parquet")
    header = read_table(write(path, varied(20, 1))).data.header
    write(path, varied(20, 1).slice(0, 0))
    with pytest.raises(TableError, match="expected rows below the column names, got none"):
        read_table(path)
    assert_alike(*by_both(monkeypatch, lambda: join_parts(read_parts_like(path, header))))
    nothing = Header("t", (header.attributes[-1],), 0)
    write(path, varied(20, 1).drop_columns(["class"]))
    assert_alike(*by_both(monkeypatch, lambda: join_parts(read_parts_like(path, nothing))))
    assert len(join_parts(read_parts_like(path, nothing)).data) == 20
    empty = pa.table({"x": pa.array([1.0, None, np.nan]), "c": ["a", None, None]})
    write(path, empty)
    header = wc.Dataset.from_arrow(empty).header
    with pytest.warns(wc.Note, match="2 rows hold no value, the first of them row 2"):
        loaded = join_parts(read_parts_like(path, header))
    np.testing.assert_array_equal(loaded.data.values, [[1, 0], [np.nan, np.nan], [np.nan, np.nan]])


def write(path, table):
    pq.write_table(table, path)
    return path


TEXTS = {
    "numbers": (["1.234,5", "2,5"], [1234.5, 2.5]),
    "dates": (["31.12.2024", "01.01.2025"], [1735603200000.0, 1735689600000.0]),
}


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
@pytest.mark.parametrize("kind", TEXTS)
def test_texts_that_write_numbers_or_dates_go_to_pandas(tmp_path, kind):
    texts, cells = TEXTS[kind]
    path = write(str(tmp_path / "t.parquet"), pa.table({"x": texts, "c": ["a", "b"]}))
    loaded = read_table(path)
    assert loaded.data.values[:, 0].tolist() == cells
    again = join_parts(read_parts_like(path, loaded.data.header, loaded.reading))
    assert again.data == loaded.data


WITHOUT_PANDAS = """
import sys
class NoPandas:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "pandas":
            raise ModuleNotFoundError("No module named pandas", name="pandas")

sys.meta_path.insert(0, NoPandas())
import wekaconf as wc
from wekaconf.data._tables import read_parts_like
data = wc.load_table(sys.argv[1])
[part] = read_parts_like(sys.argv[1], data.header, keep=None)
assert part.data == data and part.kept["class"][0] == "setosa"
print(len(data), data.class_names)
"""


def test_parquet_needs_no_pandas(tmp_path):
    path = write(str(tmp_path / "iris.parquet"), wc.load_arff(IRIS).to_arrow())
    done = subprocess.run([sys.executable, "-c", WITHOUT_PANDAS, path], capture_output=True, text=True, check=False)
    assert done.stdout == "150 ('setosa', 'versicolor', 'virginica')\n", done.stderr
    write(path, pa.table({"x": ["1,5", "2,5"], "c": ["a", "b"]}))
    done = subprocess.run([sys.executable, "-c", WITHOUT_PANDAS, path], capture_output=True, text=True, check=False)
    message = "reading its columns needs pandas, which is not installed; pip install 'wekaconf[tables]'"
    assert done.stderr.splitlines()[-1].endswith(message)


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
    with pytest.raises(TableError, match=r"t\.parquet: is a damaged Parquet file \("):
        wc.load_table(path)


def test_a_day_beyond_the_years_of_python_is_read_with_and_without_texts_that_mean_missing(tmp_path):
    path = write(str(tmp_path / "t.parquet"), pa.table({"x": FAR, "c": ["a", "b"]}))
    data = wc.load_table(path)
    assert data == wc.load_table(path, na=["none"])
    assert data.values[0, 0] == (2**31 - 1) * 86_400_000
