"""The same frame written as CSV, Excel, Parquet and ARFF, and handed over as it is, gives equal data sets."""

import math
import random
import re
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.growers import grow_cart

import wekaconf as wc
from wekaconf.data.cells import is_number
from wekaconf.data.columns import DATE_FORMAT
from wekaconf.data.declared_values import places_meant

NA = ["-999", "n.a.", "1e3"]
"""Texts that mean missing: two numbers, and a text."""
MISSING_NUMBERS = (-999.0, 1000.0)
FLOATS = st.floats(-1e300, 1e300).map(lambda number: float(f"{number:.15g}")) | st.sampled_from([math.nan, -999.0, 1e3])
"""Of 15 digits, since openpyxl writes no more than 16."""
WHOLE = st.integers(-(2**53), 2**53) | st.sampled_from([-999, 1000, 0])
TEXTS = st.text("abcxyzäß€ ", min_size=1).map(str.strip).filter(bool) | st.sampled_from(
    ["n.a.", "0x10", "a,b", 'a"b', "a\nb"]
)
BOOLEANS = st.booleans()


@st.composite
def frames(draw):
    """Columns of numbers, whole numbers, texts and booleans, and a class; every column holds what makes it such."""
    n_rows = draw(st.integers(2, 12))

    def column(cells):
        return draw(st.lists(cells, min_size=n_rows, max_size=n_rows))

    return pd.DataFrame(
        {
            "float": [0.25, *column(FLOATS)],
            "whole": [1, *column(WHOLE)],
            "text": ["p", *column(TEXTS)],
            "boolean": [True, *column(BOOLEANS)],
            "class": ["a", *column(st.sampled_from(["a", "b"]))],
        }
    )


def written(frame, folder):
    """The paths of the frame's files."""
    frame.to_csv(folder / "f.csv", index=False)
    frame.to_csv(folder / "s.csv", index=False, sep=";", decimal=",")
    frame.to_csv(folder / "u.csv", index=False, encoding="utf-16")
    frame.to_csv(folder / "f.tsv.gz", index=False, sep="\t")
    frame.to_excel(folder / "f.xlsx", index=False)
    frame.to_parquet(folder / "f.parquet")
    pl.from_pandas(frame).write_parquet(folder / "g.parquet")
    return sorted(folder.iterdir())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(frames())
@pytest.mark.one_commit_in(3)
def test_files_of_one_frame_are_equal(frame):
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = wc.Dataset.from_pandas(frame, class_attribute="class", relation="x")
        cleaned = frame.assign(
            float=frame["float"].mask(frame["float"].isin(MISSING_NUMBERS)),
            whole=frame["whole"].astype("Int64").mask(frame["whole"].isin(MISSING_NUMBERS)),
            text=frame["text"].mask(frame["text"] == "n.a."),
        )
        without = wc.Dataset.from_pandas(cleaned, class_attribute="class", relation="x")
        for path in written(frame, Path(folder)):
            assert wc.load_table(path, class_attribute="class").renamed("x") == expected, path.name
            assert wc.load_table(path, class_attribute="class", na=NA).renamed("x") == without, path.name
            assert wc.load_table(path, header=expected.header) == expected, path.name


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.from_regex(r"[-+]?(0[xX])?[0-9]{1,3}[.,]?[0-9]{0,2}([eE][-+]?[0-9]{1,3})?", fullmatch=True)
        | st.sampled_from(
            ["inf", "-Infinity", "1e400", "-1e999", "0x10", "1_000", "٣", "1e-400", ".5", "5.", "+7", "0b1"]
        ),
        min_size=1,
        max_size=6,
    )
)
def test_texts_are_numbers_where_python_says_so(texts):
    """A column of CSV is numeric if all its cells are, and then just the numbers that Python reads; else it is text."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "t.csv"
        path.write_text("x,c\n" + "".join(f'"{text}",a\n' for text in texts), encoding="utf-8")
        data = wc.load_table(path)
        if all(map(is_number, texts)):
            assert data.attributes[0].kind == "numeric"
            assert data.values[:, 0].tolist() == [float(text) for text in texts]
            as_text = wc.Dataset.from_pandas(pd.DataFrame({"x": texts, "c": "a"}), numeric=["x"])
            assert np.array_equal(as_text.values, data.values)
        else:
            assert [data.attributes[0].values[int(cell)] for cell in data.values[:, 0]] == texts
            with pytest.raises(wc.WekaconfError, match="expected a number, got"):
                wc.load_table(path, numeric=["x"])


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([2.0, None, 1.0]),
        pd.Series(["2", "1.0", "01"]),
        pd.Series(["2", "1", "01", "001"]),
        pd.Series([2.0, 1.0], dtype="category"),
    ],
)
def test_a_cell_that_may_be_either_of_two_values_is_refused_by_every_door(column, tmp_path):
    header = wc.Header("r", (wc.Attribute("code", "nominal", ("1", "01", "2")), wc.Attribute("n")))
    frame = pd.DataFrame({"code": column, "n": 1.0})
    row = column.isin([1, "1.0", "001"]).idxmax() + 1
    all_doors = doors(frame, tmp_path, ["code"], [])
    if column.dtype != "str":
        all_doors.pop("f.arff")  # it calls the number 1 by the very text 1
        all_doors.pop("f.xlsx")  # a sheet shows it so
    for door in all_doors.values():
        with pytest.raises(
            wc.HeaderMismatchError, match=rf"row {row}: '(1\.0|001)' of 'code' may be '1' or '01', which"
        ):
            read(door, header)


def test_a_whole_number_of_a_sheet_is_the_value_that_it_shows(tmp_path):
    """Whatever stands in other rows: CSV writes 1 for it, too."""
    header = wc.Header("t", (wc.Attribute("x", "nominal", ("1", "01")),))
    for cells, places in [([1, 1], [0, 0]), ([1, "01"], [0, 1])]:
        pd.DataFrame({"x": pd.Series(cells, dtype=object)}).to_excel(tmp_path / "t.xlsx", index=False)
        assert wc.load_table(tmp_path / "t.xlsx", header=header).values[:, 0].tolist() == places


DIGEST = "0e1234567890123456789"


@pytest.mark.parametrize("cell", [DIGEST, "1e-9999999999999999999", "-0e99999999999999999999", "1e9999999999999999999"])
def test_an_exponent_that_no_number_has(cell):
    """Digests in hexadecimal digits look so; each is the value with its very text, or none."""
    assert [*places_meant([cell, f" {cell}", "0", "abc"], [DIGEST, "zz"])] == [
        *([(0,), (0,)] if cell == DIGEST else [(), ()]), (), (),
    ]  # fmt: skip
    assert [*places_meant([cell], ["0", "1"])] == [()]


@pytest.mark.parametrize(
    "dates",
    [["2024-01-02", "2024-01-03"], ["2024-01-02 10:00", "2024-01-03"], ["2024-01-02 10:00:00.5", "2024-01-03"],
     ["2024-01-02T10:00Z", "2024-01-03T00:00Z"]],
)  # fmt: skip
def test_dates_that_are_wanted_as_texts(dates, tmp_path):
    """As pandas writes them into CSV."""
    frame = pd.DataFrame({"d": pd.to_datetime([*dates, None] * 6, format="ISO8601"), "c": ["a", "b", "a"] * 6})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    read = [wc.load_table(tmp_path / f"t.{ending}", nominal=["d"]) for ending in ("csv", "parquet")]
    if frame["d"].dt.tz is None:  # which Excel does not know
        frame.to_excel(tmp_path / "t.xlsx", index=False)
        read.append(wc.load_table(tmp_path / "t.xlsx", nominal=["d"]))
        read.append(wc.load_table(tmp_path / "t.xlsx", header=read[0].header))
    read.append(wc.Dataset.from_pandas(frame, nominal=["d"], relation="t"))
    read.append(wc.Dataset.from_polars(pl.from_pandas(frame), header=read[0].header))
    assert all(each == read[0] for each in read)
    assert len(read[0].attributes[0].values) == 2


def test_codes_with_zeros_in_front_stay_values_of_their_own_in_every_door(tmp_path):
    header = wc.Header("r", (wc.Attribute("code", "nominal", ("1", "01", "2")), wc.Attribute("n")))
    frame = pd.DataFrame({"code": ["01", "1", None, "2.0"], "n": 1.0})
    for name, door in doors(frame, tmp_path, ["code"], []).items():
        np.testing.assert_array_equal(read(door, header).values[:, 0], [1, 0, math.nan, 2], name)


# -- headers and columns drawn at random, through every door -----------------------------------------------------------

N_ROWS, N_HEADERS, WIDTH = 20, 100, 3
WORDS = {
    "EU": "EU", "NA": "NA", "null": "null", "nan": "nan", "N/A": "N/A", "?": "?", "a b": " a b", "ä": "ä ",
    "9 %": "9 %", "1e5": "100000", "-0": "0.0", "007": "7", "1_0": "1_0", "0x10": "0x10", "inf": "Infinity",
    "True": "TRUE", "false": "False",
}  # fmt: skip
"""Texts that look like nothing, like missing values, numbers and truth values, each with another text that means it."""
SPELT = (str, "{}.0".format, "0{}".format, "{}e0".format, " {}".format)
"""Ways in which a header may write a whole number."""
TRUTHS = [("FALSE", "TRUE"), ("True", "False"), ("false", "true"), ("0", "1"), ("1.0", "0.0"), ("x", "TRUE", "False")]


def nominal(values):
    return wc.Attribute("", "nominal", tuple(values))


def with_gaps(draw, cells):
    return cells if draw.random() < 1 / 3 else [None if draw.random() < 0.2 else cell for cell in cells]


def codes(draw):
    """Whole numbers, which the attribute writes each in its own way, and perhaps without the last one."""
    numbers = draw.sample(range(10), 4)
    declared = numbers[: draw.choice([3, 4])]
    cells = with_gaps(draw, draw.choices(numbers, k=N_ROWS))
    kind = draw.choice(["float64", "Int64", "category"] + ["int64"] * (None not in cells))
    places = [declared.index(cell) if cell in declared else None for cell in cells]
    return nominal(draw.choice(SPELT)(number) for number in declared), pd.Series(cells, dtype=kind), places


def fractions(draw):
    """Floats, which the attribute writes each in its own way, and one that it does not declare."""
    numbers = draw.sample([0.5, -0.0, 1e5, 1e-7, 1e22, -2.25, 3.0], 3)
    values = [draw.choice([repr, "{:e}".format, "{:.9f}".format])(number) for number in numbers]
    cells = with_gaps(draw, draw.choices([*numbers, 9.75], k=N_ROWS))
    places = [numbers.index(cell) if cell in numbers else None for cell in cells]
    return nominal(values), pd.Series(cells, dtype="float64"), places


def truths(draw):
    """Booleans, and a pair of them in any spelling, perhaps beside another value."""
    values = draw.choice(TRUTHS)
    is_true = [value.lower() in ("true", "1", "1.0") for value in values]
    is_false = [value.lower() in ("false", "0", "0.0") for value in values]
    cells = with_gaps(draw, draw.choices([True, False], k=N_ROWS))
    kind = draw.choice(["boolean", "object"] + ["bool"] * (None not in cells))
    places = [None if cell is None else (is_true if cell else is_false).index(True) for cell in cells]
    return nominal(values), pd.Series(cells, dtype=kind), places


def words(draw):
    """Texts, as the attribute declares them or in another form of the same meaning, and others."""
    values = draw.sample([*WORDS], 5)
    forms = [text for value in values for text in (value, WORDS[value])]
    cells = with_gaps(draw, draw.choices([*forms, "zz", "yes"], k=N_ROWS))
    places = [forms.index(cell) // 2 if cell in forms else None for cell in cells]
    return nominal(values), pd.Series(cells, dtype=draw.choice(["object", "str", "category"])), places


def quantities(draw):
    """Numbers, or texts that write them."""
    cells = with_gaps(draw, draw.choices([1, 2, -3, 0, 1e5, -0.0, 2.5, 1e-9, 1e300], k=N_ROWS))
    texts = [None if cell is None else draw.choice([repr, "{:e}".format])(cell) for cell in cells]
    column = pd.Series(texts, dtype="str") if draw.random() < 0.3 else pd.Series(cells, dtype="float64")
    return wc.Attribute("", "numeric"), column, cells


def flags(draw):
    """Booleans where numbers were."""
    cells = with_gaps(draw, draw.choices([True, False], k=N_ROWS))
    return wc.Attribute("", "numeric"), pd.Series(cells, dtype=draw.choice(["boolean", "object"])), cells


def days(draw):
    """Dates, some with a time."""
    step = draw.choice([86_400_000, 1000])
    cells = with_gaps(draw, [float(step * draw.randrange(20_000)) for _ in range(N_ROWS)])
    dates = pd.to_datetime(pd.Series(cells, dtype="float64"), unit="ms")
    return wc.Attribute("", "date", date_format=DATE_FORMAT), dates, cells


COLUMNS = (codes, fractions, truths, words, quantities, flags, days)


def drawn(draw):
    """The attributes of all headers side by side, and a class; a frame of their columns; the cells that are meant."""
    columns = [draw.choice(COLUMNS)(draw) for _ in range(WIDTH * N_HEADERS)]
    columns.append(draw.choice([codes, truths, words])(draw))
    names = [f"a{place}" for place in range(WIDTH * N_HEADERS)] + ["class"]
    attributes = [wc.Attribute(name, each.kind, each.values, each.date_format)
                  for name, (each, _, _) in zip(names, columns, strict=True)]  # fmt: skip
    frame = pd.DataFrame(dict(zip(names, [column for _, column, _ in columns], strict=True)))
    meant = np.array([cells for _, _, cells in columns], dtype=float).T
    known = frame["class"].isna().to_numpy() | ~np.isnan(meant[:, -1])  # an undeclared class is an error
    return wc.Header("drawn", tuple(attributes), len(columns) - 1), frame[known].reset_index(drop=True), meant[known]


def doors(frame, folder, nominal, numeric):
    """The frame as files and as tables in memory."""
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    frame.to_csv(folder / "f.csv", index=False)
    frame.to_csv(folder / "s.csv", index=False, sep=";", decimal=",")
    frame.to_excel(folder / "f.xlsx", index=False)
    frame.to_parquet(folder / "f.parquet")
    wc.Dataset.from_pandas(frame, nominal=nominal, numeric=numeric).to_arff(folder / "f.arff")
    return {path.name: path for path in sorted(folder.iterdir())} | {
        "pandas": frame, "polars": pl.from_pandas(plain(frame)), "arrow": arrow.to_reader(),
        "array": frame.to_numpy(dtype=object),
    }  # fmt: skip


def plain(frame):
    """The frame without categories."""
    columns = frame.select_dtypes("category").items()
    return frame.assign(**{name: column.astype("float64" if column.cat.categories.dtype.kind in "if" else "str")
                           for name, column in columns})  # fmt: skip


def read(door, header):
    if isinstance(door, Path):
        return wc.load_table(door, header=header)
    if isinstance(door, np.ndarray):
        return wc.Dataset.from_arrays(door, header=header)
    makers = {pd.DataFrame: wc.Dataset.from_pandas, pl.DataFrame: wc.Dataset.from_polars}
    return makers.get(type(door), wc.Dataset.from_arrow)(door, header=header)


UNSEEN = re.compile(r"of '(.+)' was not seen in training .*; (it is|(\d+) such values are) treated as missing")


@pytest.mark.parametrize("seed", range(5))
def test_every_door_reads_the_same_cells(seed, tmp_path):
    header, frame, meant = drawn(random.Random(seed))
    declared = [each.name for each in header.attributes if each.is_nominal]
    numeric = [each.name for each in header.attributes if each.kind == "numeric"]
    trees = [grow_cart(train, "prune=none") for train in parts(training_set(header, seed))]
    is_unseen = np.isnan(meant) & frame.notna().to_numpy()
    unseen = {each.name: n for each, n in zip(header.attributes, is_unseen.sum(axis=0).tolist(), strict=True) if n}
    answers = {}
    for name, door in doors(frame, tmp_path, declared, numeric).items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            data = read(door, header)
        assert_cells(data, meant, name)
        notes = [UNSEEN.search(str(note.message)) for note in caught if "with a decimal comma" not in str(note.message)]
        assert None not in notes, (name, [str(note.message) for note in caught])
        assert {note[1]: int(note[3] or 1) for note in notes} == unseen, name
        answers[name] = [tree.predict_proba(each) for tree, each in zip(trees, parts(data), strict=True)]
        assert all(map(np.array_equal, answers[name], answers["f.arff"])), name


@pytest.mark.parametrize("seed", range(5))
def test_every_door_declares_the_same_header(seed, tmp_path):
    header, frame, _ = drawn(random.Random(seed))
    frame = tidy(frame, header)
    names = [each.name for each in header.attributes if each.is_nominal]
    expected = wc.Dataset.from_pandas(frame, nominal=names, relation="x")
    for name, door in doors(frame, tmp_path, names, []).items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data = read_anew(door, names, [*frame])
        assert data.attributes == expected.attributes, name
        assert_cells(data, expected.values, name)


def tidy(frame, header):
    """The frame without categories, without texts for numbers, and without blanks around texts."""
    frame = plain(frame)
    for attribute in header.attributes:
        column = frame[attribute.name]
        if attribute.kind == "numeric":
            frame[attribute.name] = column.astype("float64")
        elif attribute.is_nominal and column.dropna().map(type).eq(str).any():
            frame[attribute.name] = column.str.strip()
    return frame


def read_anew(door, names, columns):
    """A door whose header is inferred; only empty cells of a file are missing."""
    if isinstance(door, Path):
        return wc.load_table(door) if door.suffix == ".arff" else wc.load_table(door, nominal=names, na=[""])
    if isinstance(door, np.ndarray):
        return wc.Dataset.from_arrays(door, names=columns, nominal=names)
    makers = {pd.DataFrame: wc.Dataset.from_pandas, pl.DataFrame: wc.Dataset.from_polars}
    return makers.get(type(door), wc.Dataset.from_arrow)(door, nominal=names)


def assert_cells(data, meant, name):
    differs = ~((data.values == meant) | (np.isnan(data.values) & np.isnan(meant)))
    for row, column in np.argwhere(differs)[:1]:
        raise AssertionError((name, data.attributes[column], data.values[row, column], meant[row, column]))


def parts(data):
    """The attributes of one header after the other, each with the class."""
    for begin in range(0, WIDTH * N_HEADERS, WIDTH):
        columns = [*range(begin, begin + WIDTH), data.class_index]
        header = wc.Header(f"h{begin}", tuple(data.attributes[column] for column in columns), WIDTH)
        yield wc.Dataset(header, data.values[:, columns])


def training_set(header, seed):
    """A small training set, whose classes follow from nothing."""
    draw = np.random.default_rng(seed)
    columns = [draw.integers(len(each.values), size=40) if each.is_nominal else draw.normal(size=40) * 1e5
               for each in header.attributes]  # fmt: skip
    return wc.Dataset(header, np.array(columns, dtype=float).T)
