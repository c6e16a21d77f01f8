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
from wekaconf.base.errors import HeaderMismatchError, TableError
from wekaconf.data import DATE_FORMAT, is_number, places_meant
from wekaconf.data.table_files import Reading

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
@pytest.mark.one_commit_in(3)
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
        with pytest.raises(HeaderMismatchError, match=rf"row {row}: '(1\.0|001)' of 'code' may be '1' or '01', which"):
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


# -- what a data set remembers of its own reading, and later rows through every door -----------------------------------

TRAINED = (
    " Betrag ;seit;Code\u00a0;;groß;class\n"
    "1.234,5;31.12.2025;-999;1;inf;a\n2.000;01.02.2025;7;2;2,5;b\n3;13.02.2025;8;-999;-inf;a\n4,0;14.02.2025;9;3;;b\n"
)
FORM = "{:,}".format


def german(number):
    """A number with points between thousands and a decimal comma."""
    return None if number is None else FORM(number).translate(str.maketrans(",.", ".,")).removesuffix(",0")


def later_rows(draw):
    """A frame of later rows, in the names and texts of the training file, and the cells that are meant."""
    amounts = with_gaps(draw, draw.choices([1234.0, 2000.0, 0.5, 1234567.25, -999.0, 12.0], k=N_ROWS))
    days = with_gaps(draw, [86_400_000.0 * draw.randrange(20_000) for _ in range(N_ROWS)])
    codes = with_gaps(draw, draw.choices([-999, 7, 9, 11], k=N_ROWS))
    counts = with_gaps(draw, draw.choices([-999, 1, 2**40], k=N_ROWS))
    large = with_gaps(draw, draw.choices([math.inf, -math.inf, 1.5, -999.0], k=N_ROWS))
    frame = pd.DataFrame(
        {
            " Betrag ": pd.Series([german(cell) for cell in amounts], dtype=draw.choice(["object", "str", "category"])),
            "seit": pd.to_datetime(pd.Series(days, dtype="float64"), unit="ms").dt.strftime("%d.%m.%Y").astype("str"),
            "Code\u00a0": pd.Series(codes, dtype=draw.choice(["float64", "Int64", "category"])),
            "": pd.Series(counts, dtype=draw.choice(["float64", "Int64"] + ["int64"] * (None not in counts))),
            "groß": pd.Series(large, dtype="float64"),
        }
    )
    values = {7: 0, 8: 1, 9: 2}
    meant = [amounts, days, [values.get(code) for code in codes], counts, large, [None] * N_ROWS]
    cells = np.array(meant, dtype=float).T
    cells[:, [0, 3, 4]] = np.where(cells[:, [0, 3, 4]] == -999, math.nan, cells[:, [0, 3, 4]])
    return frame, cells


@pytest.mark.parametrize("seed", range(8))
def test_every_door_reads_later_rows_as_the_training_rows_were_read(seed, tmp_path):
    """What meant missing, new names, the forms of numbers and dates; of a data set and of a model."""
    (tmp_path / "train.csv").write_text(TRAINED, encoding="utf-8")
    frame, meant = later_rows(random.Random(seed))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = wc.load_table(tmp_path / "train.csv", na=["-999"], nominal=["Kode"], rename={"Code": "Kode"})
        assert [each.name for each in data.attributes] == ["Betrag", "seit", "Kode", "column 4", "groß", "class"]
        assert [each.kind[:3] for each in data.attributes] == ["num", "dat", "nom", "num", "num", "nom"]
        model = wc.fit(data, learner="info_gain")
        expected = wc.Dataset(data.header, meant)
        for known in (data, model):
            for name, door in later_doors(frame, tmp_path).items():
                assert_cells(read(door, known), meant, name)
        for name, door in later_doors(frame, tmp_path).items():
            if not isinstance(door, Path):
                np.testing.assert_array_equal(model.answer(door).proba, model.answer(expected).proba, name)
                assert_texts(model.answer_frame(door), model.answer(expected).labels)
        wider = frame.assign(more=1)
        assert_texts(model.answer_frame(wider, keep=["more"]), model.answer(expected).labels)


def later_doors(frame, folder):
    """The frame as later files and tables; a CSV file of floats has decimal commas, as the training file does."""
    frame.to_csv(folder / "l.csv", index=False, sep=";", decimal=",")
    frame.to_excel(folder / "l.xlsx", index=False)
    frame.to_parquet(folder / "l.parquet")
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    texts = plain(frame.rename(columns={"": "column 4"}))  # polars itself renames it
    files = {path.name: path for path in folder.glob("l.*")}
    return files | {"pandas": frame, "polars": pl.from_pandas(texts), "arrow": arrow}


def assert_texts(answers, labels):
    """The column of predicted classes, of any library."""
    column = answers["predicted"]
    assert [str(each) for each in (column.to_pylist() if hasattr(column, "to_pylist") else column)] == list(labels)


def test_an_array_takes_what_meant_missing_of_a_model(tmp_path):
    (tmp_path / "t.csv").write_text("x,class\n-999,a\n1,b\n2,a\n")
    data = wc.load_table(tmp_path / "t.csv", na=["-999"])
    later = wc.Dataset.from_arrays(np.array([[-999], [3]]), ["a", "b"], header=data)
    np.testing.assert_array_equal(later.values, [[math.nan, 0], [3, 1]])
    with pytest.raises(wc.OptionError, match="header: expected a Header, a Dataset or a Model, got a str"):
        wc.Dataset.from_arrays(np.array([[1]]), header="t.csv")


def test_whole_numbers_stay_such_where_others_mean_missing():
    """Beside 1 and 01 the float 1.0 would be refused."""
    header = wc.Header("r", (wc.Attribute("x", "nominal", ("1", "01")),))
    data = wc.Dataset(header, [[0.0]], reading=Reading(na=("-999",)))
    frame = pd.DataFrame({"x": [1, -999]})
    for each in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        np.testing.assert_array_equal(read(each, data).values, [[0], [math.nan]])


@pytest.mark.parametrize("text", ["now", "today", "2024", "20240101", "2024.0", "1e3"])
@pytest.mark.parametrize("door", ["f.csv", "f.xlsx", "f.parquet", "pandas", "polars", "arrow"])
def test_what_is_no_date_in_any_door(text, door, tmp_path):
    """pandas takes "now" for the clock, and 2024 for its first day."""
    header = wc.Header("r", (wc.Attribute("d", "date", date_format=DATE_FORMAT), wc.Attribute("n")))
    frame = pd.DataFrame({"d": ["2024-01-02", text], "n": 1.0})
    read(doors(frame.head(1), tmp_path, [], [])[door], header)
    with pytest.raises(wc.WekaconfError, match=f"expected a date such as 2024-12-31, got '{text}'"):
        read(doors(frame, tmp_path, [], [])[door], header)


@pytest.mark.parametrize("form", ["dd.MM.yyyy HH:mm", "MM/dd/yyyy HH:mm", "yyyy-MM-dd HH:mm:ss"])
def test_dates_of_files_asked_with_a_model_of_arff(form, tmp_path, monkeypatch):
    """In the format of the ARFF file or in ISO 8601, and in another one that is named; all in its time zone."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    path = tmp_path / "t.arff"
    path.write_text(
        "@relation r\n@attribute d date 'dd.MM.yyyy HH:mm'\n@data\n'01.02.2024 10:00'\n'03.07.2024 11:30'\n"
    )
    data = wc.load_arff(path, class_attribute=None)
    dates = pd.to_datetime(["2024-02-01 10:00", "2024-07-03 11:30"])
    python = {"dd": "%d", "MM": "%m", "yyyy": "%Y", "HH": "%H", "mm": "%M", "ss": "%S"}
    written = re.sub("|".join(python), lambda part: python[part[0]], form)
    frame = pd.DataFrame({"d": dates.strftime(written)})
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert wc.load_table(tmp_path / "t.csv", header=data, date_format=form) == data
    if form in ("dd.MM.yyyy HH:mm", "yyyy-MM-dd HH:mm:ss"):
        assert wc.load_table(tmp_path / "t.csv", header=data) == data
        assert read(frame, data) == data == read(pd.DataFrame({"d": dates}), data)
    else:
        expected = (
            r"a date such as dd.MM.yyyy HH:mm, or all as 2024-12-31, got '.*; dates of another form need one such as "
        )
        with pytest.raises(TableError, match=expected + "date_format='dd.MM.yyyy'"):
            wc.load_table(tmp_path / "t.csv", header=data)


def test_dates_with_and_without_a_zone_are_not_mixed_in_local_time(tmp_path):
    header = wc.Header("r", (wc.Attribute("d", "date", date_format="dd.MM.yyyy", zone="Europe/Berlin"),))
    with pytest.raises(wc.OptionError, match="'d' mixes dates with and without a time zone; give all of them one"):
        read(pd.DataFrame({"d": ["2024-01-01 10:00", "2024-01-01 10:00Z"]}), header)


def test_a_file_beside_an_array_by_position(tmp_path):
    """As a frame, with the same note; the numbers that pandas gives an array's columns are names."""
    X = np.random.default_rng(0).normal(size=(8, 3))
    header = wc.Dataset.from_arrays(X, ["a", "b"] * 4).header
    frame = pd.DataFrame(X)
    frame.to_csv(tmp_path / "f.csv", index=False)
    frame.to_excel(tmp_path / "f.xlsx", index=False)
    frame.to_parquet(tmp_path / "f.parquet")
    frame.set_axis(["u", "v", "w"], axis=1).assign(**{"class": "b"}).to_csv(tmp_path / "u.csv", index=False)
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", fmt="%.17g")
    for path in sorted(tmp_path.iterdir()):
        with pytest.warns(wc.Note, match="are matched by position, since the training data were an array"):
            data = wc.load_table(path, header=header, no_header=path.name == "x.csv")
        np.testing.assert_allclose(data.values[:, :3], X, rtol=1e-14)
        assert (data.class_values == (1 if path.name == "u.csv" else -1)).all()
    frame[[0, 1]].to_parquet(tmp_path / "f.parquet")
    with pytest.raises(HeaderMismatchError, match="expected 3 columns, got 2"):
        wc.load_table(tmp_path / "f.parquet", header=header)
    frame.set_axis(["x1", "x0", "x2"], axis=1).to_csv(tmp_path / "f.csv", index=False)
    with pytest.raises(HeaderMismatchError, match="which are no names"):
        wc.load_table(tmp_path / "f.csv", header=header)


def test_whole_numbers_counted_from_0_are_names_of_columns_with_a_note(tmp_path):
    header = wc.Dataset.from_arrays(np.zeros((2, 3))).header
    (tmp_path / "t.csv").write_text("0,1,2\n5,6,7\n")
    with pytest.warns(wc.Note, match="the numbers '0', '1', '2' of the first row are read as the names"):
        assert wc.load_table(tmp_path / "t.csv", header=header).values.tolist() == [[5, 6, 7]]
    for first in ("0,1", "0,1,3", "0,2,1"):
        (tmp_path / "t.csv").write_text(f"{first}\n5,6,7\n")
        with pytest.raises(TableError, match="expected a row of column names, got the numbers"):
            wc.load_table(tmp_path / "t.csv", header=header)


@pytest.mark.parametrize("cells", [[2**60 + 1, 2**60 + 3, 5, 6], [-(2**60) - 1, None, 5, 6]])
def test_every_door_notes_integers_that_float64_rounds(cells, tmp_path):
    frame = pd.DataFrame({"x": pd.Series(cells, dtype="Int64"), "n": 1.5})
    rounded = "column 'x' holds integers beyond 2**53, which float64 rounds"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        header = wc.Dataset.from_pandas(frame).header
        all_doors = doors(frame, tmp_path, [], [])
    all_doors.pop("f.arff")  # which declares numbers and has no integers
    for door in all_doors.values():
        with pytest.warns(wc.Note, match=re.escape(rounded)):
            read(door, header)
        if isinstance(door, Path):
            with pytest.warns(wc.Note, match=re.escape(rounded)):
                wc.load_table(door)


@pytest.mark.parametrize("cells", [[2**53, 2, 3], [1e17, 0.5, 3], [1e300, 2, 3]])
def test_other_large_numbers_are_not_said_to_be_rounded(cells, tmp_path, recwarn):
    frame = pd.DataFrame({"x": cells, "n": 1.5})
    header = wc.Dataset.from_pandas(frame).header
    for door in doors(frame, tmp_path, [], []).values():
        read(door, header)
        if isinstance(door, Path) and door.suffix != ".arff":
            wc.load_table(door)
    assert not [note for note in recwarn if "rounds" in str(note.message)]


@pytest.mark.parametrize("cells", [[math.inf, -math.inf, 1.5, None], [math.inf] * 4])
def test_infinity_is_a_number_in_every_door(cells, tmp_path):
    frame = pd.DataFrame({"x": pd.Series(cells, dtype="float64"), "n": 1.5})
    expected = wc.Dataset.from_pandas(frame, relation="x")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, door in doors(frame, tmp_path, [], []).items():
            assert_cells(read(door, expected.header), expected.values, name)
        for name, door in doors(frame, tmp_path, [], []).items():
            if not isinstance(door, np.ndarray):
                assert read_anew(door, [], [*frame]).renamed("x") == expected, name


def test_infinity_beside_other_texts_of_a_sheet_is_a_text(tmp_path):
    pd.DataFrame({"x": ["inf", "a"], "n": 1.5}).to_excel(tmp_path / "f.xlsx", index=False)
    assert wc.load_table(tmp_path / "f.xlsx").attributes[0].values == ("a", "inf")


def test_a_number_that_a_sheet_rounds_beyond_float64_is_noted(tmp_path):
    pd.DataFrame({"x": [1.0, 1.7976931348623157e308]}).to_excel(tmp_path / "f.xlsx", index=False)
    with pytest.warns(wc.Note, match="1 number beyond float64, the first in row 3, read as infinite"):
        assert wc.load_table(tmp_path / "f.xlsx", class_attribute=None).values.tolist() == [[1], [math.inf]]


def test_names_are_the_same_in_every_door(tmp_path):
    """Without blanks around them; a column without a name is called after its place."""
    frame = pd.DataFrame({" x ": [1.0, 2.0], "y\u00a0": [3.0, 4.0], "": [5.0, 6.0], "c": ["a", "b"]})
    expected = wc.Dataset.from_pandas(frame, relation="x")
    assert [each.name for each in expected.attributes] == ["x", "y", "column 3", "c"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, door in doors(frame, tmp_path, [], []).items():
            if name not in ("array", "polars"):  # polars itself calls the third one column_2
                assert read_anew(door, [], []).renamed("x") == expected, name
    polars = pl.DataFrame({" x ": [1.0, 2.0], "y\u00a0": [3.0, 4.0], "": [5.0, 6.0], "c": ["a", "b"]})
    assert wc.Dataset.from_polars(polars, relation="x") == expected
    with pytest.raises(wc.OptionError, match="the column name 'x' is used twice"):
        wc.Dataset.from_pandas(pd.DataFrame({"x": [1], "x ": [2]}))
    pd.DataFrame({"x": [1], "x ": [2]}).to_parquet(tmp_path / "f.parquet")
    with pytest.raises(TableError, match="the column name 'x' is used twice"):
        wc.load_table(tmp_path / "f.parquet")


def test_a_categorical_of_polars_is_sorted_in_all_its_forms(tmp_path):
    """Its categories have the order in which they were first seen; those of an Enum keep theirs."""
    for kind, values in [(pl.Categorical, ("m", "s")), (pl.Enum(["s", "l", "m"]), ("s", "l", "m"))]:
        frame = pl.DataFrame({"c": ["s", "m", "s", None], "x": [1.0, 2, 3, 4]}, schema_overrides={"c": kind})
        frame.write_parquet(tmp_path / "t.parquet")
        expected = wc.Dataset.from_polars(frame, relation="t")
        assert expected.attributes[0].values == values
        assert wc.Dataset.from_arrow(frame.to_arrow(), relation="t") == expected
        assert wc.Dataset.from_arrow(pa.table(frame), relation="t") == expected
        assert wc.load_table(tmp_path / "t.parquet") == expected


def test_blanks_around_a_name_of_arff_separate_it_from_no_table(tmp_path):
    """ARFF alone keeps them; a model of the one answers for the other."""
    path = tmp_path / "t.arff"
    path.write_text("@relation t\n@attribute ' x ' numeric\n@attribute 'c ' {a,b}\n@data\n1,a\n2,b\n")
    of_arff = wc.load_arff(path)
    frame = pd.DataFrame({" x ": [1.0, 2.0], "c ": ["a", "b"]})
    of_frame = wc.Dataset.from_pandas(frame)
    for name, door in doors(frame, tmp_path, [], []).items():
        if name != "array":
            assert_cells(read(door, of_arff.header), of_frame.values, name)
    assert_cells(wc.load_table(path, header=of_frame.header), of_frame.values, "t.arff")
    assert of_arff.conform(of_frame.header).attributes == of_frame.attributes
    model = wc.fit(of_arff, learner="info_gain")
    assert list(model.answer_frame(frame)["predicted"]) == list(model.answer(of_arff).labels)
