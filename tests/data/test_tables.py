"""CSV, TSV, Parquet and Excel files as data sets: what is inferred, what is read by a header, what is refused."""

import bz2
import csv
import datetime
import gzip
import io
import lzma
import math
import os
import random
import subprocess
import sys
import time
import tracemalloc
import warnings
import zipfile
import zlib

import numpy as np
import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.table_files import cells, notes_of, workbook

import wekaconf as wc
from wekaconf.base.errors import ArffError, HeaderMismatchError, Note, OptionError, TableError
from wekaconf.bridge.reading import load, load_like, parts_like
from wekaconf.data import Attribute, is_table, join_parts, open_table, read_parts_like, read_table, stem
from wekaconf.data._file_bytes import TooLargeError, check_unpacked, unreadable
from wekaconf.data._matching import columns_by_name
from wekaconf.data._tables import ENDINGS
from wekaconf.data.table_files import Reading
from wekaconf.data.table_files import _base as base
from wekaconf.data.table_files import _examining as examining
from wekaconf.data.table_files import _excel as excel
from wekaconf.data.table_files import _layout as layout
from wekaconf.data.table_files._names import distinct

NAN = math.nan
PATIENTS = """\
patient id,"age, years",sex,smoker,seen,dose,outcome
P1,63,f,true,2024-01-02,0.1,bad
P2,NA,m,False,2024-02-03,?,good
P3,41,,TRUE,,1e3,good
P4,29, m ,?,2024-03-04,-.5,bad
"""


# -- what is inferred ------------------------------------------------------------------------------------------------


def test_kinds_and_missing_values(write):
    data = wc.load_table(write(PATIENTS, "patients.csv"), ignore=["patient id"])
    assert data.relation == "patients"
    assert [(a.name, a.kind) for a in data.attributes] == [
        ("age, years", "numeric"), ("sex", "nominal"), ("smoker", "nominal"), ("seen", "date"), ("dose", "numeric"),
        ("outcome", "nominal"),
    ]  # fmt: skip
    assert data.class_names == ("bad", "good")
    day = 86_400_000.0
    assert cells(data) == [
        [63, None, 41, 29], ["f", "m", None, "m"], ["true", "false", "true", None],
        [19724 * day, 19756 * day, None, 19786 * day], [0.1, None, 1000, -0.5], ["bad", "good", "good", "bad"],
    ]  # fmt: skip


def test_numbers_are_read_exactly(write):
    rng = random.Random(0)
    numbers = [rng.uniform(-1, 1) * 10 ** rng.randint(-320, 300) for _ in range(3000)]
    numbers += [5e-324, 1.7976931348623157e308, 0.1 + 0.2, 2**53 - 1, -0.0, math.inf]
    path = write("x,c\n" + "".join(f"{number!r},a\n" for number in numbers))
    data = wc.load_table(path)
    assert data.values[:, 0].tobytes() == np.array(numbers).tobytes()
    assert wc.load_table(path, header=data.header).values.tobytes() == data.values.tobytes()


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_separators_line_ends_and_encodings(write, separator, newline, encoding):
    rows = [
        ["größe", '"a name; with, all	of them"', "c"],
        ["1.5", "ä", "p"],
        ["2", '"say ""hi"""', "n"],
        ["?", "", "p"],
    ]
    text = newline.join(separator.join(row) for row in rows) + newline
    data = wc.load_table(write(text.encode(encoding)))
    assert [attribute.name for attribute in data.attributes] == ["größe", "a name; with, all\tof them", "c"]
    assert cells(data) == [[1.5, 2, None], ["ä", 'say "hi"', None], ["p", "n", "p"]]


def test_windows_1252_and_latin_1_are_read_with_a_note(write):
    path = write("größe,c\n1,€\n2,b\n".encode("cp1252"))
    with pytest.warns(Note, match=r"data.csv is not UTF-8; it was read as Windows-1252"):
        data = wc.load_table(path)
    assert data.attributes[0].name == "größe" and data.class_names == ("b", "€")
    with pytest.warns(Note, match=r"data.csv is not UTF-8; it was read as Latin-1"):
        data = wc.load_table(write("x,c\n1,ä\n2,\x81\n".encode("latin-1")))
    assert data.class_names == ("\x81", "ä")


def test_a_column_that_is_to_be_read_in_two_ways(write):
    path = write("x,c\n1,a\n2,b\n")
    with pytest.raises(TableError, match=r"data.csv: column 'x' is named in both nominal and numeric; choose one"):
        wc.load_table(path, nominal=["x"], numeric=["x"])


def test_decimal_commas_where_commas_do_not_separate(write):
    path = write('x;"y";c\n1,5;1;a\n-2;3,25;b\n')
    with pytest.warns(Note, match="numbers are read with a decimal comma, as in 'x'"):
        data = wc.load_table(path)
    assert cells(data) == [[1.5, -2], [1, 3.25], ["a", "b"]]
    with pytest.warns(Note) as notes:
        assert wc.load_table(path, header=data.header) == data
    assert [str(note.message).partition("'")[2][0] for note in notes] == ["x"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked = wc.load_table(write("x;y;c\n1; 3 ;a\n2;?  ;b\n"), header=data.header)
    assert cells(asked) == [[1, 2], [3, None], ["a", "b"]]
    assert cells(wc.load_table(write('x,c\n"1,5",a\n"2,5",b\n')))[0] == ["1,5", "2,5"]


@pytest.mark.parametrize(
    ("text", "options", "values"),
    [
        ("x;c\n1,5;a\n2;b\n", {}, ("1.5", "2")),
        ("x;c\n1,5;a\nk;b\n", {}, ("1,5", "k")),
        ("x;c\n1,5;a\n2;b\n", {"decimal": "."}, ("1,5", "2")),
        ('x,c\n"1,5",a\n2,b\n', {"decimal": ","}, ("1.5", "2")),
        ('x,c\n"1,5",a\n2,b\n', {}, ("1,5", "2")),
    ],
)
def test_numbers_that_are_nominal_values_have_points_where_commas_are_decimal(write, text, options, values):
    path = write(text)
    data = wc.load_table(path, nominal=["x"], **options)
    assert sorted(data.attributes[0].values) == sorted(values)
    assert wc.load_table(path, header=data.header, **options) == data


def test_cells_of_several_lines_and_blank_lines(write):
    data = wc.load_table(write('x,c\n"two\nlines",a\n\n"one",b\n\n'))
    assert cells(data) == [["two\nlines", "one"], ["a", "b"]]


def test_blanks_are_trimmed_even_around_what_is_missing(write):
    data = wc.load_table(write("age, job ,c\n 39, clerk , a\n?, ? , b\n 1 , none,  \n"), class_attribute="job")
    assert [attribute.name for attribute in data.attributes] == ["age", "job", "c"]
    assert cells(data) == [[39, None, 1], ["clerk", None, "none"], ["a", "b", None]]


def test_times_of_day_stay_text(write):
    assert cells(wc.load_table(write("t,c\n12:30,a\n07:05:10,b\n")))[0] == ["12:30", "07:05:10"]


def test_dates_with_and_without_time_zone(write):
    data = wc.load_table(write("d,e,c\n2024-01-01T10:00:00Z,2024-01-01 10:00:00.25,a\n2024-01-01T10:00:00+02:00,,b\n"))
    ten = 1704103200000.0
    assert cells(data)[:2] == [[ten, ten - 7_200_000], [ten + 250, None]]


def test_options(write):
    path = write("code,age,level,c\n01,3,-999,1\n1,x,2,0\n10,4,3,1\n2,n/a,4,0\n")
    data = wc.load_table(path, nominal=["code", "c"], na=["-999", "n/a", "x"], ignore=["level"])
    assert cells(data) == [["01", "1", "10", "2"], [3, None, 4, None], ["1", "0", "1", "0"]]
    assert data.attributes[0].values == ("01", "1", "2", "10")  # as numbers, not as texts
    with pytest.raises(TableError, match=r"data.csv: column 'age', row 2: expected a number, got 'x'; correct it"):
        wc.load_table(path, numeric=["age"])
    with pytest.raises(OptionError, match=r"ignore: no column 'levl' in .*data.csv; did you mean 'level'?"):
        wc.load_table(path, ignore=["levl"])
    with pytest.raises(OptionError, match="no class attribute 'level'"):
        wc.load_table(path, ignore=["level"], class_attribute="level")


def test_a_class_of_numbers_is_asked_for(write):
    data = wc.load_table(write("x,outcome\n1,0\n2,1\n3,0\n"))
    with pytest.raises(OptionError, match=r"class 'outcome' is numeric.*read them as text, nominal=\['outcome'\]"):
        wc.CART().grow(data)


# -- advice ----------------------------------------------------------------------------------------------------------


def test_the_summary(write):
    loaded = load(write(PATIENTS, "patients.csv"), Reading(ignore=("dose",), id="patient id"))
    assert loaded.summary[0].endswith("patients.csv: 4 rows, separated by commas; class 'outcome': bad, good")
    assert loaded.summary[1:] == (
        "1 numeric: 'age, years'; 2 nominal: 'sex' (2 values), 'smoker' (2 values); 1 date: 'seen'",
        "missing: 4 cells in 4 columns; left out: 'dose', 'patient id'",
    )
    assert loaded.kept == {"patient id": ["P1", "P2", "P3", "P4"]}


# -- read by a header ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_na_may_be_a_value(tmp_path, ending):
    columns = {"region": ["EU", "NA", None, "NA"], "n": [1.0, 2.0, 3.0, None], "class": ["NA", "a", "?", "a"]}
    path = saved(pd.DataFrame(columns), tmp_path / f"t.{ending}")
    with pytest.warns(
        wc.Note, match=r"'NA' in the class 'class' was taken as missing; if that is a class, na=\[''\] ta"
    ):
        loaded = load(path)
    assert cells(loaded.data) == [["EU", None, None, None], [1, 2, 3, None], [None, "a", None, "a"]]
    assert loaded.summary[2] == "missing: 6 cells in 3 columns (NA in 'region', NA in 'class')"
    with pytest.raises(
        OptionError, match=r"declares only 1 value.*2 instances have no class; if one is called NA or null"
    ):
        wc.CART().grow(loaded.data)
    kept = load(path, Reading(na=("", "?")))
    assert cells(kept.data) == [["EU", "NA", None, "NA"], [1, 2, 3, None], ["NA", "a", None, "a"]]
    assert kept.summary[2] == "missing: 3 cells in 3 columns"
    assert Reading.of_record(kept.reading.as_record()).missing() == ("", "?")


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet"])
def test_what_the_user_calls_missing_beats_a_declared_value(tmp_path, ending):
    header = wc.Header("r", (wc.Attribute("a", "nominal", ("NA", "-9", "")), wc.Attribute("n")))
    path = saved(pd.DataFrame({"a": ["NA", "-9", "NA"], "n": [1.0, -9.0, 2.0]}), tmp_path / f"t.{ending}")
    assert cells(wc.load_table(path, header=header)) == [["NA", "-9", "NA"], [1, -9, 2]]
    with pytest.warns(
        wc.Note, match=r"'-9' in 'a' means a missing value, as na=\['-9'\] says, though training had it as"
    ):
        assert cells(wc.load_table(path, header=header, na=["-9"])) == [["NA", None, "NA"], [1, None, 2]]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_an_empty_cell_is_the_empty_text_where_that_is_declared(tmp_path, ending):
    header = wc.Header("r", (wc.Attribute("a", "nominal", ("", "x")), wc.Attribute("n")))
    path = saved(pd.DataFrame({"a": ["", "x"], "n": [1.0, None]}), tmp_path / f"t.{ending}")
    assert cells(wc.load_table(path, header=header)) == [["", "x"], [1, None]]
    with pytest.warns(wc.Note, match="'' in 'a' means a missing value"):
        assert cells(wc.load_table(path, header=header, na=[""])) == [[None, "x"], [1, None]]


def test_what_means_missing_is_no_category(tmp_path):
    frame = pd.DataFrame({"c": pd.Categorical(["-9", "x", "y"]), "n": [1, 2, 3]})
    data = wc.load_table(saved(frame, tmp_path / "t.parquet"), na=["-9"])
    assert data.attributes[0].values == ("x", "y")
    assert cells(data) == [[None, "x", "y"], [1, 2, 3]]


def saved(frame, path):
    writers = {".csv": frame.to_csv, ".xlsx": frame.to_excel, ".parquet": frame.to_parquet}
    writers[path.suffix](path, index=False)
    return str(path)


def test_the_training_header_decides(write):
    train = wc.load_table(write("code,age,c\n01,3,a\nx,4,b\n1,5,a\n"))
    asked = write("age,code\n7,1\n8.5,01\n?,?\n", "new.csv")
    data = wc.load_table(asked, header=train.header)
    assert data.header == train.header
    assert cells(data) == [["1", "01", None], [7, 8.5, None], [None] * 3]
    with pytest.raises(TableError, match=r"new.csv: column 'age', row 2: expected a number, got 'old'; correct it"):
        wc.load_table(write("age,code\n7,1\nold,01\n", "new.csv"), header=train.header)


def test_columns_by_name(write):
    train = wc.load_table(write("a,b,c\n1,2,x\n3,4,y\n"))
    with pytest.warns(Note, match=r"new.csv: ignored 'z', which the training data did not have"):
        data = load_like(write("z,c,b,a\nq,y,2,1\n", "new.csv"), train.header)
    assert data.values.tolist() == [[1, 2, 1]]
    with pytest.raises(HeaderMismatchError, match=r"new.csv, column 1: expected 'a', got 'b'; give the columns"):
        list(parts_like(write("b,a\n1,2\n", "new.csv"), train.header, strict=True))
    [part] = parts_like(write("a,b\n1,2\n", "new.csv"), train.header, strict=True)
    assert np.isnan(part.data.values[0, 2])
    with pytest.raises(HeaderMismatchError, match=r"new.csv, row 1: value 'z' of 'c' was not seen in training"):
        list(parts_like(write("a,b,c\n1,2,z\n", "new.csv"), train.header))


@pytest.mark.parametrize("class_name", ["a", "b", "c"])
def test_the_class_may_be_absent_wherever_it_stood(write, class_name):
    train = wc.load_table(write("a,b,c\np,q,r\ns,t,u\n"), class_attribute=class_name)
    names = [attribute.name for attribute in train.attributes]
    first_row = dict(zip(names, "pqr", strict=True))
    del first_row[class_name]
    asked = write(f"{','.join(first_row)}\n{','.join(first_row.values())}\n", "new.csv")
    missing = [NAN if name == class_name else 0.0 for name in names]
    np.testing.assert_array_equal(wc.load_table(asked, header=train.header).values, [missing])


def test_names_of_rows_are_needed_unless_it_is_said_that_they_are_not(write):
    path, reading = write("a,c\n1,x\n5,y\n"), Reading(id="who")
    with pytest.raises(wc.OptionError, match="no column 'who'"):
        read_table(path, reading)
    assert len(read_table(path, reading, needs_id=False).data) == 2


def test_a_declared_value_is_no_missing_one(write):
    header = wc.Header("r", (wc.Attribute("a", "nominal", ("NA", "", " b")), wc.Attribute("n"), wc.Attribute("m")))
    data = wc.load_table(write("a,n,m\nNA,NA,1\n,2, 3\n b,?,\n"), header=header)
    assert cells(data) == [["NA", "", " b"], [None, 2, None], [1, 3, None]]


def test_dates_by_the_header(write, tmp_path):
    header = wc.Header("r", (wc.Attribute("d", "date", date_format="dd.MM.yyyy"), wc.Attribute("n")))
    (tmp_path / "r.arff").write_text(
        "@relation r\n@attribute d date dd.MM.yyyy\n@attribute n numeric\n@data\n31.12.2024,1\n?,2\n"
    )
    of_arff = wc.load_arff(tmp_path / "r.arff", class_attribute=None)
    assert wc.load_table(write("n,d\n1,31.12.2024\n2,\n"), header=header) == of_arff
    expected = r"column 'd', row 2: expected a date such as dd.MM.yyyy, or all as 2024-12-31, got '2024-12-31'"
    with pytest.raises(TableError, match=expected):
        wc.load_table(write("n,d\n1,31.12.2024\n2,2024-12-31\n"), header=header)
    train = wc.load_table(write("d,c\n2024-12-31,a\n2024-12-30,b\n"))
    with pytest.warns(
        wc.Note, match="column 'd' mixes dates with and without a time zone; those without are read as UTC"
    ):
        asked = wc.load_table(write("d\n2024-12-31T01:00:00+01:00\n2024-12-30\n"), header=train.header)
    assert asked.values[:, 0].tolist() == train.values[:, 0].tolist()
    with pytest.raises(TableError, match=r"column 'd', row 1: expected a date such as 2024-12-31, got 'soon'"):
        wc.load_table(write("d\nsoon\n"), header=train.header)


def test_no_rows(write):
    train = wc.load_table(write("a,c\n1,x\n2,y\n"))
    assert len(wc.load_table(write("a,c\n"), header=train.header)) == 0
    for content in ("a,c\n", "a,c", "a,c\n\n\n"):
        with pytest.raises(TableError, match="expected rows below the column names, got none; there is nothing to"):
            wc.load_table(write(content))


# -- refused ---------------------------------------------------------------------------------------------------------

REFUSED = {
    "nothing": (b"", "data.csv:1: the file is empty; expected a row of column names"),
    "blank names": ("\xa0,\xa0\n1,x\n".encode(), "data.csv:1: expected a row of column names, got none"),
    "a name without end": (b"x" * 200_000 + b",c\n1,a\n", "data.csv:1: expected a row of column names, got none"),
    "a short row": (
        b"a,b\n1,2\n3\n",
        "data.csv:3: expected 2 cells, as many as there are column names, got 1; correct",
    ),
    "a long row": (b'a,b\n1,"x\ny"\n3,4,5\n', "data.csv:4: expected 2 cells, .*got 3; .*a comma in double quotes"),
    "a comma too many": (
        b"a,b\n1,2,\n",
        "data.csv:2: .* got 3, the last one empty; let no row end in a comma, or let the first row end in one too",
    ),
    "a short row below comments": (b"# by me\n\na,b\n\n1,2\n3\n", "data.csv:6: expected 2 cells, .*got 1; .* quotes$"),
    "a comma too many in the names": (
        b"a;b;\n1;2\n",
        "data.csv:2: .* got 2; let the row of names not end in a semicolon, or let every row end in one",
    ),
    "an open quote": (b'a,b\n1,2\n3,"4\n5,6\n', "data.csv:3: a double quote is not closed before the file ends"),
    "names twice": (b"a,b, a\n1,2,3\n", "data.csv:1: the column name 'a' is used twice; rename one"),
    "no names": (b"1,2.5\n3,4\n", "data.csv:1: expected a row of column names, got the numbers 1, 2.5; put the names"),
    "ARFF": (b" \n@RELATION x\n", "data.csv: this is ARFF; give the file a name that ends in .arff"),
    "bzip2": (
        bz2.compress(b"a,b\n1,2\n"),
        "data.csv: this is a file that bzip2 packed, no CSV file; unpack it, or pack",
    ),
    "xz": (
        lzma.compress(b"a,b\n1,2\n"),
        "data.csv: this is a file that xz packed, no CSV file; unpack it, or pack it with",
    ),
    "tar": (b"t.csv".ljust(257, b"\0") + b"ustar", "data.csv: this is a tar archive, no CSV file; unpack it"),
    "Parquet": (b"PAR1....", "data.csv: this is a Parquet file, no CSV file; give it the ending .parquet"),
    "Excel": (b"PK\x03\x04...", "data.csv: this is an Excel workbook, a model of wekaconf or another zip archive"),
    "bytes": (b"a,b\n\x00\x01,2\n", "data.csv: holds bytes that are no text; save it as CSV in UTF-8"),
    "half a gzip file": (gzip.compress(b"a,b\n" + os.urandom(99))[:60], "data.csv: the gzip file is damaged or cut"),
}


@pytest.mark.parametrize(("content", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(write, content, message):
    with pytest.raises(TableError, match=message):
        wc.load_table(write(content))


def test_no_file(tmp_path):
    for name in ("no.csv", "no.parquet", "no.xlsx"):
        with pytest.raises(TableError, match=f"{name}: no such file; check the name and the folder"):
            wc.load_table(tmp_path / name)
        folder = tmp_path / f"folder-{name}"
        folder.mkdir()
        with pytest.raises(TableError, match="this is a folder; name a file in it"):
            wc.load_table(folder)


def test_a_huge_line_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "huge.csv"
    with open(path, "wb") as file:
        file.write(b"a,b\n")
        file.truncate(10**9)  # a hole: a line of a gigabyte of NUL, which takes no place on the disk
    with pytest.raises(TableError, match=r"huge.csv: holds bytes that are no text"):
        wc.load_table(path)
    packed = tmp_path / "huge.csv.gz"
    with gzip.open(packed, "wb", compresslevel=1) as file:
        file.write(b"a,b\n")
        for _ in range(80):
            file.write(b"x" * 2**20)
    with pytest.raises(TableError, match=r"huge.csv.gz: a line is longer than 67,108,864 bytes"):
        wc.load_table(packed)


def test_long_lines_that_are_allowed(write):
    for n in (131_072, 131_073, 9_000_000):  # up to the first, Python's reader of CSV takes a cell
        data = wc.load_table(write(f"a,c\n{'x' * n},p\ny,n\n"))
        assert [len(value) for value in data.attributes[0].values] == [n, 1]
    wide = 2_000
    data = wc.load_table(
        write(",".join(f"column{n}" for n in range(wide)) + ",c\n" + "1," * wide + "p\n" + "2," * wide + "n\n")
    )
    assert data.values.shape == (2, wide + 1)


def test_long_cells_near_a_ragged_row(write, monkeypatch):
    """Python's reader of CSV, which finds the row for the message, stops at a cell that is longer than it allows."""
    monkeypatch.setattr(layout, "LONGEST_LINE", 100)
    limit = csv.field_size_limit()
    for n, message in ((100, "data.csv:3: expected 2 cells, .* got 1"), (101, "data.csv: cannot be read: .* got 1: 1")):
        with pytest.raises(TableError, match=message):
            wc.load_table(write(f"a,b\n{'x' * n},1\n1\n"))
    assert csv.field_size_limit() == limit


def test_a_row_of_many_lines(write, monkeypatch):
    monkeypatch.setattr(examining, "BLOCK", 64)
    monkeypatch.setattr(examining, "CHUNK", 16)
    few, many = ("x\n" * n for n in (20, 100))
    assert wc.load_table(write(f'a,b\n"{few}",p\ny,n\n')).attributes[0].values == (few.strip(), "y")
    message = "data.csv: a row of several lines is longer than 64 bytes; is a double quote not closed"
    with pytest.raises(TableError, match=message):
        wc.load_table(write(f'a,b\n"{many}",p\ny,n\n'))


@pytest.mark.parametrize(
    "read",
    [
        lambda table: table.inferred(Reading()),
        lambda table: table.texts(["sex"]),
        lambda table: next(table.parts([Attribute("dose")], ["sex"], Reading(), print)),
    ],
)
def test_a_file_that_is_gone_after_its_names_were_read(write, read):
    path = write(PATIENTS)
    table = open_table(path, Reading())
    os.unlink(path)
    with pytest.raises(TableError, match=r"data\.csv: no such file; check the name and the folder"):
        read(table)


def test_a_file_that_is_gone_when_a_wrong_row_is_looked_for(write, monkeypatch):
    monkeypatch.setattr(examining, "BLOCK", 2**18)
    monkeypatch.setattr(examining, "CHUNK", 2**16)
    path = write("a,b\n" + "1,2\n" * 2**18 + "1,2,3\n")
    parts = open_table(path, Reading()).parts(
        [Attribute("a"), Attribute("b")], (), Reading(), lambda _done, _total: None
    )
    next(parts)
    os.unlink(path)
    with pytest.raises(TableError, match=r"data\.csv: no such file; check the name and the folder"):
        list(parts)


def test_a_file_that_is_cut_short_while_it_is_read(write):
    path = write(gzip.compress(b"a,b\n" + b"1,2\n" * 9), "data.csv.gz")
    table = examining.examine(path, is_tsv=False)
    write(gzip.compress(b"a,b\n1,2\n")[:-4], "data.csv.gz")
    with pytest.raises(TableError, match=r"data.csv.gz: the gzip file is damaged or cut short"):
        table.read({}, (), table.names)


def test_ragged_rows_far_down(write):
    path = write("a,b\n" + "1,2\n" * 1_500_000 + "1\n" + "1,2\n" * 10)
    with pytest.raises(TableError, match=r"data.csv:1500002: expected 2 cells"):
        wc.load_table(path)


@pytest.mark.parametrize("name", ["data.sav", "data.dat", "data"])
def test_other_endings_are_arff(write, name):
    with pytest.raises(ArffError, match="expected @relation"):
        wc.load_table(write("a,c\n1,x\n", name))


# -- Parquet ---------------------------------------------------------------------------------------------------------


def test_parquet_columns_that_are_no_attributes(tmp_path):
    pq.write_table(pa.table({"l": [[1, 2]], "c": ["a"]}), tmp_path / "p.parquet")
    with pytest.raises(TableError, match=r"p.parquet: column 'l', row 1: .* got ndarray; spread it"):
        wc.load_table(tmp_path / "p.parquet")
    pq.write_table(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), tmp_path / "p.parquet")
    with pytest.raises(TableError, match="the column name 'a' is used twice"):
        wc.load_table(tmp_path / "p.parquet")
    (tmp_path / "p.parquet").write_text("a,b\n1,2\n")
    with pytest.raises(TableError, match="is no Parquet file, or a damaged one"):
        wc.load_table(tmp_path / "p.parquet")


def test_damaged_parquet_files_are_refused_or_read(tmp_path):
    """Each in a process of its own group, so that a crash of the library would be seen."""
    rng = random.Random(0)
    whole = tmp_path / "whole.parquet"
    pd.DataFrame({"x": range(500), "t": [f"v{n % 9}" for n in range(500)], "c": ["a", "b"] * 250}).to_parquet(whole)
    good = whole.read_bytes()
    for number in range(60):
        changed = bytearray(good)
        if number % 3 == 0:
            del changed[rng.randrange(len(good)) :]
        else:
            for _ in range(rng.choice([1, 4, 30])):
                place = rng.randrange(len(good)) if number % 3 == 1 else len(good) - rng.randrange(1, 1200)
                changed[place] = rng.randrange(256)
        (tmp_path / f"{number}.parquet").write_bytes(bytes(changed))
    code = (
        "import sys, wekaconf as wc, warnings; warnings.simplefilter('ignore')\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n        wc.load_table(path)\n"
        "    except (wc.base.errors.TableError, wc.OptionError) as error:\n        print('refused', error)\n"
        "    else:\n        print('read')\n"
    )
    paths = [str(tmp_path / f"{number}.parquet") for number in range(60)]
    finished = subprocess.run([sys.executable, "-c", code, *paths], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr[-2000:]
    said = [line.split()[0] for line in finished.stdout.splitlines() if line.startswith(("refused ", "read"))]
    assert len(said) == 60 and said.count("refused") > 24


def test_the_index_of_pandas_is_a_column_of_parquet(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0], "c": ["a", "b"]}, index=pd.Index(["P1", "P2"], name="id"))
    frame.to_parquet(tmp_path / "p.parquet")
    frame.to_csv(tmp_path / "p.csv")
    loaded = load(str(tmp_path / "p.parquet"), Reading(id="id"))
    assert loaded.kept == {"id": ["P1", "P2"]} and loaded.data == load(str(tmp_path / "p.csv"), Reading(id="id")).data
    assert wc.load_table(tmp_path / "p.parquet") == wc.load_table(tmp_path / "p.csv")
    frame.set_axis([3, 5]).to_parquet(tmp_path / "p.parquet")
    assert [attribute.name for attribute in wc.load_table(tmp_path / "p.parquet").attributes] == ["x", "c"]


# -- Excel -----------------------------------------------------------------------------------------------------------


def test_excel(tmp_path):
    day = datetime.datetime(2024, 1, 2)
    path = workbook(
        tmp_path / "e.xlsx",
        [
            ["id", " age ", "when", "sure", None, "c"],
            [7, 1.5, day, True, None, "x"],
            [None] * 6,
            ["k", "?", None, False, None, "y"],
        ],
        [["other"]],
    )
    with pytest.warns(Note, match="read the sheet 'sheet 0', the first of 2"):
        loaded = load(path, Reading(id="id"))
    assert loaded.kept == {"id": ["7", "k"]}
    assert [(a.name, a.kind) for a in loaded.data.attributes] == [
        ("age", "numeric"), ("when", "date"), ("sure", "nominal"), ("c", "nominal"),
    ]  # fmt: skip
    assert cells(loaded.data) == [[1.5, None], [1704153600000, None], ["true", "false"], ["x", "y"]]


def test_odd_workbooks(tmp_path):
    with pytest.raises(TableError, match="the sheet 'sheet 0' is empty"):
        wc.load_table(workbook(tmp_path / "e.xlsx", []))
    with pytest.raises(TableError, match="the column name 'a' is used twice"):
        wc.load_table(workbook(tmp_path / "e.xlsx", [["a", "a"], [1, 2]]))


def test_a_damaged_workbook_is_closed(tmp_path):
    path = workbook(tmp_path / "e.xlsx", [["a", "c"], [1, "x"]])
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for name in ("[Content_Types].xml", "xl/workbook.xml", "xl/styles.xml", "xl/worksheets/sheet1.xml"):
        with zipfile.ZipFile(path, "w") as archive:
            for each, content in members.items():
                archive.writestr(each, b"<" if each == name else content)
        with pytest.raises(TableError, match="is no Excel workbook, or a damaged one") as raised:
            wc.load_table(path)
        assert raised.tb and path not in [each.path for each in psutil.Process().open_files()], name


def test_cells_of_excel_that_are_lost_are_told(tmp_path):
    rows = [["a", "b", "c"], [1, "=A2*2", "x"], [2, "=A3*2", "y"], ["#DIV/0!", 5, "x"]]
    path = workbook(tmp_path / "e.xlsx", rows)
    assert notes_of(path) == [
        "2 formulas without a stored value, the first in B2, read as missing; open the file in Excel and save it",
        "1 cell with an error such as #DIV/0! in A4, read as missing; mend the formula",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert cells(wc.load_table(path)) == [[1, 2, None], [None, None, 5], ["x", "y", "x"]]


def test_more_rows_than_excel_can_hold(tmp_path, monkeypatch):
    monkeypatch.setattr(excel, "MOST_ROWS", 3)
    assert len(wc.load_table(workbook(tmp_path / "e.xlsx", [["a", "c"], [1, "x"], [2, "y"]]))) == 2
    with pytest.raises(TableError, match=r"damaged one \(it has more than the 3 rows that a sheet can hold\)"):
        wc.load_table(workbook(tmp_path / "e.xlsx", [["a", "c"], [1, "x"], [2, "y"], [3, "x"]]))


def test_names_of_excel_are_those_of_csv(tmp_path):
    frame = pd.DataFrame({"x": [5, 6, 5], "c": ["a", "b", "a"]})
    frame.to_excel(tmp_path / "e.xlsx")
    frame.to_csv(tmp_path / "e.csv")
    of_csv = wc.load_table(tmp_path / "e.csv")
    assert [attribute.name for attribute in of_csv.attributes] == ["column 1", "x", "c"]
    assert wc.load_table(tmp_path / "e.xlsx") == of_csv
    with pytest.raises(TableError, match="expected a row of column names, got the numbers 1, 2; put the names above"):
        wc.load_table(workbook(tmp_path / "n.xlsx", [[1, 2], [3, 4]]))


def test_numbers_stored_as_text_in_excel(tmp_path):
    path = workbook(tmp_path / "e.xlsx", [["x", "y", "c"], [1, "1", "p"], [2, "2.5", "q"], ["7", "3", "p"]])
    message = (
        r"e\.xlsx: column 'x', row 4 of the sheet: expected numbers, such as 1, as in the rows above, got the text '7';"
        " .*, "
    )
    with pytest.raises(TableError, match=message + r"nominal=\['x'\], or as numbers, numeric=\['x'\]$"):
        wc.load_table(path)
    assert notes_of(path, numeric=["x"]) == [
        "'y' holds numbers that are stored as text; numeric=['y'] reads them as numbers"
    ]
    assert cells(wc.load_table(path, numeric=["x", "y"])) == [[1, 2, 7], [1, 2.5, 3], ["p", "q", "p"]]
    day = datetime.datetime(2024, 1, 1)
    path = workbook(tmp_path / "d.xlsx", [["x", "c"], [0, "p"], [], [day, "q"]])
    with pytest.raises(TableError, match=r"row 4 of the sheet: .* got the date '2024-01-01 00:00:00'; .*=\['x'\]$"):
        wc.load_table(path)
    assert cells(wc.load_table(path, nominal=["x"]))[0] == ["0", "2024-01-01 00:00:00"]


@pytest.mark.parametrize(
    ("error", "line"),
    [(ValueError("x" * 201), "x" * 200), (ValueError("one\ntwo"), "one"), (KeyError(), "KeyError")],
)
def test_what_a_library_says_is_told_in_a_line(error, line):
    assert base.first_line(error) == line


# -- around ----------------------------------------------------------------------------------------------------------


def test_names_of_data_sets():
    for ending in (*ENDINGS, ".arff", ".arff.gz", ".CSV", ".Csv.Gz"):
        assert stem(f"/some/where/my.data{ending}") == "my.data"
    assert stem("-") == "stdin" and stem("plain") == "plain"


def test_standard_input(monkeypatch):
    for content in (PATIENTS.encode(), gzip.compress(PATIENTS.encode())):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        data = wc.load_table("-")
        assert data.relation == "stdin" and len(data) == 4
    with pytest.raises(TableError, match=r"the file is empty; .*; standard input can be read only once"):
        wc.load_table("-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("x,c\n1,€\n2,b\n".encode("cp1252"))))
    with pytest.warns(Note, match="- is not UTF-8; it was read as Windows-1252"):
        assert wc.load_table("-").class_names == ("b", "€")


@pytest.mark.parametrize(("ending", "noun"), [("arff", "attribute"), ("csv", "column")])
def test_a_column_that_is_not_there(iris, tmp_path, ending, noun):
    """The error holds which argument names it, and its name."""
    path = str(tmp_path / f"iris.{ending}")
    iris.to_arff(path) if ending == "arff" else iris.to_pandas().to_csv(path, index=False)
    for argument in ("ignore", "id"):
        wanted = "sepal wdth" if argument == "id" else ("sepal wdth",)
        message = rf"^{argument}: no {noun} 'sepal wdth' in .*iris.{ending}; did you mean 'sepal width "
        with pytest.raises(OptionError, match=message) as refused:
            load(path, Reading(**{argument: wanted}))
        assert (refused.value.parameter, refused.value.got) == (argument, "sepal wdth")
    with pytest.raises(OptionError, match=f"^keep: no {noun} 'nope'") as refused:
        join_parts(parts_like(path, iris.header, keep=("class", "nope")))
    assert (refused.value.parameter, refused.value.got) == ("keep", "nope")


def test_arff_beside_tables(tmp_path):
    data = wc.load_arff("arff/iris.arff") if os.path.exists("arff/iris.arff") else pytest.skip("not at the root")
    loaded = load("arff/iris.arff", Reading(ignore=("sepal length (cm)",), id="petal width (cm)"))
    assert [attribute.name for attribute in loaded.data.attributes] == [
        "sepal width (cm)",
        "petal length (cm)",
        "class",
    ]
    assert loaded.kept["petal width (cm)"][:2] == ["0.2", "0.2"] and loaded.summary == ()
    assert wc.load_table("arff/iris.arff") == data
    with pytest.raises(OptionError, match=r"nominal: arff/iris.arff is ARFF, which declares names and kinds"):
        wc.load_table("arff/iris.arff", nominal=["class"])
    frame = data.to_pandas()
    frame.to_csv(tmp_path / "iris.csv", index=False)
    assert wc.load_table(tmp_path / "iris.csv").renamed("iris") == wc.Dataset(
        wc.Header("iris", data.attributes, 4), data.values
    )
    assert wc.load_table("arff/iris.arff", class_attribute=None) == wc.load_arff("arff/iris.arff", class_attribute=None)


def test_dates_of_arff_may_name_the_rows(tmp_path):
    path = tmp_path / "d.arff"
    path.write_text("@relation r\n@attribute d date yyyy\n@attribute c {a,b}\n@data\n1999,a\n?,b\n")
    assert load(str(path), Reading(id="d")).kept == {"d": ["1999", None]}


def test_without_the_extra_the_command_to_install_is_told(write, tmp_path, monkeypatch):
    book, table = workbook(tmp_path / "e.xlsx", [["a", "c"], [1, "x"]]), write(PATIENTS)
    for path, missing in ((book, "openpyxl"), (table, "pandas"), (table, "pyarrow")):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, missing, None)
            with pytest.raises(OptionError) as refused:
                wc.load_table(path)
        needs = f"reading tables needs {missing}, which is not installed; pip install 'wekaconf[tables]'"
        assert str(refused.value) == f"{path}: {needs}"


def test_a_file_is_looked_through_in_pieces(write, monkeypatch):
    """Whatever the size of the pieces, a character or a line that lies across two of them is read whole."""
    text = "größe,c\n" + "ä" * 30 + ",p\ny,n\n"
    for size in (1, 2, 3, 7, 64):
        monkeypatch.setattr(examining, "CHUNK", size)
        found = examining._looked_through(write(text), None)
        assert found[1] == "utf-8" and 63 <= found[2] <= 63 + (size if size > 3 else 0) and found[3] == 0


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfa,b\n1,x\n2,\xa6\n", "a,b\n1,x\n".encode("utf-16") + b"\x00\xd8\n"])
def test_text_that_is_not_in_the_encoding_of_its_mark(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(TableError, match=r"begins as text in UTF-(8|16), but byte \d+"):
        wc.load_table(path)


def test_a_decimal_comma_beside_a_number_too_large_is_text(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"n;c\n1,5;x\n{'9' * 400};y\n")
    assert wc.load_table(path).attributes[0].values == ("1,5", "9" * 400)


def test_a_column_without_points_beside_decimal_commas(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("n;m;c\n+1;1,5;x\n")
    data = wc.load_table(path)
    assert data.values.tolist() == [[1.0, 1.5, 0.0]]
    path.write_text("n;m;c\n;2,5;x\n?;3,5;x\n")
    np.testing.assert_array_equal(wc.load_table(path, header=data.header).values, [[NAN, 2.5, 0], [NAN, 3.5, 0]])


# -- small files that become large ---------------------------------------------------------------------------------


def packed_often(head, part):
    packer = zlib.compressobj(9, wbits=31)
    whole = packer.compress(head) + b"".join(packer.compress(part * (2**20 // len(part))) for _ in range(80))
    return whole + packer.flush()


@pytest.mark.parametrize(
    ("most", "size", "said"),
    [(2**26, 100_000, "67 MB, which no table of 0.1 MB"), (10**9, 4 * 10**6, "1,000 MB, which")],
)
def test_the_most_that_a_file_may_unpack_to(most, size, said):
    check_unpacked(most, size)
    with pytest.raises(TooLargeError, match=f"^unpacked it is more than {said}"):
        check_unpacked(most + 1, size)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(), "no such file; check the name and the folder"),
        (PermissionError(), "no permission to read this file"),
        (EOFError("cut"), "the gzip file is damaged or cut short (cut); get it again"),
        (zlib.error("odd"), "the gzip file is damaged or cut short (odd); get it again"),
        (gzip.BadGzipFile("odd"), "the gzip file is damaged or cut short (odd); get it again"),
        (OSError("odd"), "cannot be read: odd"),
    ],
)
def test_why_a_file_cannot_be_read(error, said):
    assert str(unreadable("t.csv", error)) == f"t.csv: {said}"


@pytest.mark.parametrize(
    ("name", "head", "part"),
    [
        ("t.csv.gz", b"a,b\n", b"1,x\n"),
        ("t.arff.gz", b"@relation r\n@attribute a numeric\n@data\n", b"1\n"),
        ("t.tsv.gz", b"a\tb\n", b"\n"),
    ],
)
def test_a_gzip_bomb_is_refused_before_it_is_read(tmp_path, name, head, part):
    path = tmp_path / name
    path.write_bytes(packed_often(head, part))
    assert path.stat().st_size < 300_000
    tracemalloc.start()
    with pytest.raises(wc.WekaconfError, match="unpacked it is more than 67 MB, which no table of"):
        load(str(path))
    largest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert largest < 2**28


def test_how_many_cells_sparse_rows_may_have(tmp_path):
    """250 bytes per character of a large file; before its rows are read, of which the first is wrong."""
    names = "".join(f"@attribute a{place} numeric\n" for place in range(126))
    path = tmp_path / "sparse.arff"
    for n_rows, message in ((100_000, "unpacked it is more than"), (70_000, "expected")):
        path.write_text(text := f"@relation r\n{names}@data\nwrong\n" + "{  }\n" * n_rows)
        n_bytes, n_characters = 8 * 126 * (n_rows + 1), len(text) - text.count("\n")
        assert n_bytes > 2**26 and (250 * n_characters < n_bytes <= 251 * n_characters) == (n_rows == 100_000)
        with pytest.raises(wc.WekaconfError, match=message) as caught:
            wc.load_arff(path)
        assert ("unpacked" in str(caught.value)) == (n_rows == 100_000)


def test_a_workbook_that_becomes_too_large_is_refused(tmp_path):
    good = workbook(tmp_path / "good.xlsx", [["a", "c"], [1, "x"]])
    bad = tmp_path / "bad.xlsx"
    with zipfile.ZipFile(good) as archive, zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as new:
        for name in archive.namelist():
            content = archive.read(name)
            new.writestr(name, content.replace(b"<sheetData>", b"<sheetData>" + b" " * 70_000_000))
    with pytest.raises(TableError, match="unpacked it is more than 67 MB"):
        wc.load_table(bad)


def test_a_workbook_with_a_cell_far_from_its_table_is_refused(tmp_path):
    """Filled up to a rectangle, these few cells would be 150 million."""
    from openpyxl import load_workbook

    rows = [["a", "c", *[None] * 16_381, "far"], [1, "x"]]
    bad = workbook(tmp_path / "bad.xlsx", rows)
    book = load_workbook(bad)
    book.active["A9000"] = 3
    book.save(bad)
    tracemalloc.start()
    with pytest.raises(TableError, match=r"spans 9,000 rows and 16,384 columns, .*; delete what stands far"):
        wc.load_table(bad)
    assert tracemalloc.get_traced_memory()[1] < 2**29
    tracemalloc.stop()
    del book.active["A9000"]
    rows[0][-1] = None
    book = load_workbook(workbook(tmp_path / "good.xlsx", [*rows, [2, "y"]]))
    book.active["XFD900"].number_format = "0.00"  # formatted, and empty
    book.save(tmp_path / "good.xlsx")
    assert len(wc.load_table(tmp_path / "good.xlsx")) == 2


def test_a_parquet_file_that_becomes_too_large_is_refused(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": pa.array(np.zeros(9_000_000))}), path)
    with pytest.raises(TableError, match="unpacked it is more than 67 MB"):
        wc.load_table(path)


def test_many_columns_take_linear_time():
    names = [f"a{i}" for i in range(20_000)]
    began = time.thread_time()
    assert columns_by_name(names, names[::-1], "it") == [*range(20_000)][::-1]
    assert distinct(names, "it") == tuple(names)
    assert time.thread_time() - began < 12  # of 25 s when every name was looked for among all


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(("rows_of_a_part", "is_told"), [(2, True), (5, True), (6, False)])
def test_reading_tells_how_much_of_a_text_file_is_read(write, monkeypatch, rows_of_a_part, is_told, pack):
    """After each full part, in bytes of the file; five rows of one block are one part."""
    path = write(pack(b"x,c\n" + b"1,a\n" * 5))
    monkeypatch.setattr(layout, "ROWS", rows_of_a_part)
    header, told = wc.Header("r", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1), []
    parts = [*read_parts_like(str(path), header, on_read=lambda *amounts: told.append(amounts))]
    assert [len(part.data) for part in parts] == [5]
    size = os.path.getsize(path)
    assert told == ([(size, size)] if is_told else [])


@pytest.mark.parametrize(("odd", "note"), [("inf", None), (" 7 ", None), ("9007199254740993", "which float64 rounds")])
def test_a_part_that_must_be_read_as_text_comes_once(write, monkeypatch, odd, note):
    """And so do the rows before and after it."""
    monkeypatch.setattr(layout, "ROWS", 2)
    monkeypatch.setattr(examining, "BLOCK", 16)
    monkeypatch.setattr(examining, "CHUNK", 16)
    path = write("x,c\n" + "".join(f"{n},a\n" for n in range(10) for _ in range(3)) + f"{odd},b\n" + "8,a\n" * 30)
    header = wc.Header("r", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        sizes, values = zip(
            *((len(part.data), part.data.values) for part in read_parts_like(path, header)), strict=True
        )
    assert np.concatenate(values).tolist() == [
        *([n, 0] for n in range(10) for _ in range(3)),
        [float(odd), 1],
        *[[8, 0]] * 30,
    ]
    assert len(sizes) > 3 and [note in str(one.message) for one in told] == ([] if note is None else [True])


def test_reading_tells_how_many_rows_of_a_workbook_are_read(tmp_path, monkeypatch):
    path = workbook(tmp_path / "t.xlsx", [["x", "c"], *([[n, "a"] for n in range(5)])])
    header, told = wc.Header("r", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1), []
    monkeypatch.setattr(base, "ROWS", 2)
    parts = [*read_parts_like(path, header, on_read=lambda *amounts: told.append(amounts))]
    assert [part.data.values[:, 0].tolist() for part in parts] == [[0, 1], [2, 3], [4]]
    assert told == [(2, 5), (4, 5), (5, 5)]


def test_rows_of_later_parts_are_counted_from_the_first(tmp_path, monkeypatch):
    monkeypatch.setattr(base, "ROWS", 2)
    header = wc.Header("r", (Attribute("x"), Attribute("n", "nominal", ("p", "q"))))
    rows = [["id", "x", "n"], ["a", 1, "p"], ["b", 2, "p"], ["a", 3, "z"], ["c", "?", "?"]]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        path = workbook(tmp_path / "t.xlsx", rows)
        assert [len(part.data) for part in read_parts_like(path, header, Reading(id="id"))] == [2, 2]
    assert [str(note.message).removeprefix(path) for note in told] == [
        ", row 3: value 'z' of 'n' was not seen in training ('p', 'q'); it is treated as missing",
        ": row 5 of the sheet holds no value; delete it if it is no instance",
        ": 'id' does not tell the rows apart; its 4 rows hold 3 names",
    ]
    path = workbook(tmp_path / "t.xlsx", [*rows[:4], ["c", "odd", "p"]])
    with pytest.raises(TableError, match="column 'x', row 5 of the sheet: expected a number, got 'odd'"):
        [*read_parts_like(path, header, unseen="missing")]


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        ("x.CSV", b"@relation r", True), ("x.tsv.gz", b"@relation r", True), ("x.ARFF", b"a,b", False),
        ("-", b"@relation r", False), ("-", b"a,b", True), ("x.Parquet", None, True),
        ("/dev/fd/3", b"% note\n@relation r", False), ("-", gzip.compress(b"@relation r", mtime=0), False),
        ("-", gzip.compress(b"a,b", mtime=0), True), ("-", b"\x1f\x8b@relation r", True),
        ("x.model", None, False), ("-", None, True),
    ],
)  # fmt: skip
def test_the_name_of_a_stream_says_what_it_holds_if_it_has_an_ending(path, content, expected):
    assert is_table(path, content) is expected


def test_a_missing_value_of_the_only_column_is_no_empty_row(tmp_path):
    (tmp_path / "one.csv").write_text("x\n1\n?\n2\n")
    (tmp_path / "two.csv").write_text("x,y\n1,2\n?,?\n2,1\n")
    for name, said in (("one.csv", []), ("two.csv", [True])):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            wc.load_table(tmp_path / name, class_attribute=None)
        assert [True for each in told if "holds no value; delete it" in str(each.message)] == said
