"""Files of answers: every format holds the same, in one part or in many."""

import csv
import gzip
import json
import math
import re
import zipfile

import numpy as np
import pytest

import wekaconf as wc
from wekaconf.base.errors import ArffError, OptionError
from wekaconf.data import Attribute, Header
from wekaconf.report import _answer_files as answer_files
from wekaconf.report._answer_files import ENDINGS, answer_file, holds_kinds, is_read_by_people

pandas = pytest.importorskip("pandas")
RISKY = ("=1+1", "+1", "-1", "@x", 'a "quoted", b', "two\nlines", "ünï", "")
ATTRIBUTES = (
    Attribute("index"),
    Attribute("predicted", "nominal", ("yes", "no, never")),
    Attribute("certainty"),
    Attribute("seen", "date", date_format="yyyy-MM-dd"),
    Attribute("reason", "string", RISKY),
)


def table():
    index = np.arange(1.0, 10.0)
    predicted = np.array([0, 1, 0, 1, 0, 1, np.nan, 0, 1])
    certainty = np.array([0.1 + 0.2, 1 / 3, 1, 0, np.inf, np.nan, 1e-20, 0.5, 0.25])
    seen = np.array([86_400_000.0 * day for day in range(8)] + [np.nan])
    reason = np.array([0, 1, 2, 3, 4, 5, 6, 7, np.nan])
    return wc.Dataset(Header("answers", ATTRIBUTES), np.column_stack((index, predicted, certainty, seen, reason)))


def write(path, *parts):
    with answer_file(None if path is None else str(path)) as part:
        for data in parts:
            part(data)


@pytest.mark.parametrize("ending", [ending for ending in ENDINGS if ending not in (".parquet", ".xlsx")])
def test_parts_make_the_same_file_as_the_whole(tmp_path, ending):
    whole, parts = tmp_path / f"whole{ending}", tmp_path / f"parts{ending}"
    write(whole, table())
    write(parts, table()[:0], table()[:2], table()[2:3], table()[3:])
    if ending.endswith(".gz"):
        assert gzip.decompress(whole.read_bytes()) == gzip.decompress(parts.read_bytes())
        no_time = bytes(4)
        assert whole.read_bytes()[4:8] == parts.read_bytes()[4:8] == no_time
    else:
        assert whole.read_bytes() == parts.read_bytes()


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_error_before_the_first_part_leaves_no_file(tmp_path, ending):
    with pytest.raises(KeyError, match="early"), answer_file(str(tmp_path / f"answers{ending}")):
        raise KeyError("early")
    assert not [*tmp_path.iterdir()]


def test_what_people_read():
    assert [is_read_by_people(path) for path in ("a.XLSX", "a.csv", "a", None)] == [True, False, False, False]


def test_an_excel_file_holds_no_time(tmp_path):
    """So that the same answers are the same bytes."""
    write(tmp_path / "answers.xlsx", table())
    with zipfile.ZipFile(tmp_path / "answers.xlsx") as archive:
        assert {part.date_time for part in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {*re.findall(rb"\d{4}-\d\d-\d\dT", archive.read("docProps/core.xml"))} == {b"1980-01-01T"}


def test_formats_that_hold_kinds():
    """Not those of separated values, nor what has no ending, for that is CSV."""
    kept = [ending for ending in ENDINGS if holds_kinds(f"answers{ending}")]
    assert kept == [".arff", ".arff.gz", ".json", ".parquet", ".xlsx"]
    assert [holds_kinds(path) for path in ("A.JSON", "A.Tsv", "a.TSV.gz", "answers", None)] == [True, *[False] * 4]


def test_the_values_of_all_parts_are_declared(tmp_path):
    """Nominal ones in ARFF: a later part may have more than the first, or fewer."""
    colours = ("red", "green"), ("red", "green", "blue"), ("red",)
    parts = [
        wc.Dataset(
            Header("answers", (Attribute("x"), Attribute("colour", "nominal", values))),
            np.array([[place, len(values) - 1.0]]),
        )
        for place, values in enumerate(colours)
    ]
    write(tmp_path / "answers.arff", *parts)
    again = wc.load_arff(tmp_path / "answers.arff", class_attribute=None)
    assert again.attributes == (Attribute("x"), Attribute("colour", "nominal", ("red", "green", "blue")))
    assert again.values.tolist() == [[0, 1], [1, 2], [2, 0]]


@pytest.mark.parametrize(("ending", "delimiter"), [(".csv", ","), (".tsv", "\t"), ("", ",")])
def test_separated_values(tmp_path, ending, delimiter):
    write(tmp_path / f"answers{ending}", table())
    with open(tmp_path / f"answers{ending}", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter=delimiter))
    assert rows[0] == ["index", "predicted", "certainty", "seen", "reason"]
    assert rows[1] == ["1", "yes", "0.3", "1970-01-01", "=1+1"]
    assert rows[5][2] == "inf" and rows[6][2] == "" and rows[7][1:3] == ["", "1e-20"]
    assert [row[4] for row in rows[1:]] == [*RISKY, ""]


def test_arff(tmp_path):
    write(tmp_path / "answers.arff.gz", table()[:4], table()[4:])
    again = wc.load_arff(tmp_path / "answers.arff.gz", class_attribute=None)
    assert np.array_equal(again.values, table().values, equal_nan=True) and again.attributes == ATTRIBUTES
    with pytest.raises(ArffError, match=r"no\.arff"):
        write(tmp_path / "no.arff", wc.Dataset(Header("none", ()), np.zeros((1, 0))))
    assert not (tmp_path / "no.arff").exists()


def test_json(tmp_path):
    write(tmp_path / "answers.json", table()[:4], table()[4:])
    text = (tmp_path / "answers.json").read_text(encoding="utf-8")
    read = json.loads(text)
    assert read[0] == {"index": 1, "predicted": "yes", "certainty": 0.1 + 0.2, "seen": "1970-01-01", "reason": "=1+1"}
    assert [row["certainty"] for row in read[4:6]] == ["Infinity", None]
    assert read[7]["reason"] == "" and read[8]["reason"] is None and read[6]["predicted"] is None
    assert read[6]["reason"] == "ünï" and "ünï" in text
    write(tmp_path / "none.json", table()[:0])
    assert json.loads((tmp_path / "none.json").read_text()) == []


def test_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write(tmp_path / "answers.parquet", table()[:4], table()[4:])
    frame = pandas.read_parquet(tmp_path / "answers.parquet")
    assert frame["index"].tolist() == list(range(1, 10)) and frame["index"].dtype == np.int64
    assert list(frame["predicted"].cat.categories) == ["yes", "no, never"]
    assert frame["predicted"].isna().tolist() == [False] * 6 + [True] + [False] * 2
    assert frame["certainty"].to_numpy()[[0, 4]].tolist() == [0.1 + 0.2, math.inf] and frame["certainty"].isna()[5]
    assert frame["seen"][1] == pandas.Timestamp("1970-01-02") and frame["seen"].isna()[8]
    columns = parquet.read_table(tmp_path / "answers.parquet")
    assert [columns[name].null_count for name in columns.column_names] == [0, 1, 1, 1, 1]
    assert frame["reason"][:8].tolist() == list(RISKY) and frame["reason"].isna()[8]


def test_excel_holds_texts_as_texts(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    write(tmp_path / "answers.xlsx", table()[:4], table()[4:])
    sheet = openpyxl.load_workbook(tmp_path / "answers.xlsx").active
    cells = [row[4] for row in sheet.iter_rows(min_row=2)]
    assert [cell.value for cell in cells[:7]] == list(RISKY[:7])
    assert [cell.data_type for cell in cells[:4]] == ["s"] * 4
    assert [cell.quotePrefix for cell in cells[:6]] == [True] * 4 + [False] * 2
    assert sheet["C2"].value == pytest.approx(0.3, rel=1e-15)
    assert [sheet[place].value for place in ("C6", "C7", "A10", "B8")] == ["Infinity", None, 9, None]


def test_excel_shows_a_table_that_can_be_read(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    write(tmp_path / "answers.xlsx", table()[:6], table()[6:])
    sheet = openpyxl.load_workbook(tmp_path / "answers.xlsx").active
    assert sheet.freeze_panes == "A2" and sheet.auto_filter.ref == "A1:E10"
    assert all(cell.font.bold for cell in sheet[1]) and not sheet["A2"].font.bold
    widths = [sheet.column_dimensions[name].width for name in "ABCDE"]
    assert widths == [11, len("no, never") + 3, len("certainty") + 3, len("1970-01-02") + 3, len('a "quoted", b') + 3]
    reasons = (Attribute("reason", "string", ("long " * 40,)),)
    write(tmp_path / "long.xlsx", wc.Dataset(Header("c", reasons), np.zeros((1, 1))))
    assert openpyxl.load_workbook(tmp_path / "long.xlsx").active.column_dimensions["A"].width == 60
    for n, ref in ((0, None), (1, "A1:E2")):
        write(tmp_path / "few.xlsx", table()[:n])
        sheet = openpyxl.load_workbook(tmp_path / "few.xlsx").active
        assert sheet["A1"].value == "index" and sheet.auto_filter.ref == ref
    with zipfile.ZipFile(tmp_path / "few.xlsx") as archive:
        assert {part.compress_type for part in archive.infolist()} == {zipfile.ZIP_DEFLATED}


@pytest.mark.parametrize(("row", "longest"), [(100, "a long word"), (101, "short")])
def test_the_width_of_an_excel_column_follows_from_a_hundred_rows(tmp_path, row, longest):
    openpyxl = pytest.importorskip("openpyxl")
    cells = np.zeros((101, 1))
    cells[row - 1] = 1
    words = (Attribute("word", "string", ("short", "a long word")),)
    write(tmp_path / "words.xlsx", wc.Dataset(Header("c", words), cells))
    sheet = openpyxl.load_workbook(tmp_path / "words.xlsx").active
    assert sheet.column_dimensions["A"].width == len(longest) + 3


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_excel_refuses_what_it_cannot_hold(tmp_path, monkeypatch):
    pytest.importorskip("openpyxl")
    control = (Attribute("x", "string", ("a\x00b\x1f\uffffc",)),)
    write(tmp_path / "control.xlsx", wc.Dataset(Header("c", control), np.zeros((1, 1))))
    assert pandas.read_excel(tmp_path / "control.xlsx")["x"][0] == "a\\x00b\\x1f\\uffffc"
    with pytest.raises(OptionError, match="Excel holds 1,048,575 instances at most"):
        write(tmp_path / "long.xlsx", wc.Dataset(Header("c", (Attribute("x"),)), np.zeros((2**20, 1))))
    monkeypatch.setattr(answer_files, "EXCEL_ROWS", 9)
    with pytest.raises(OptionError, match="Excel holds 8 instances at most; write CSV or Parquet instead"):
        write(tmp_path / "long.xlsx", table()[:4], table()[4:])
    assert not (tmp_path / "long.xlsx").exists()
    write(tmp_path / "full.xlsx", table()[:4], table()[4:8])
    assert len(pandas.read_excel(tmp_path / "full.xlsx")) == len(table()[:8]) == 8


@pytest.mark.parametrize("ending", [".parquet", ".xlsx"])
def test_a_missing_package_is_named(tmp_path, monkeypatch, ending):
    for name in ("pyarrow", "pyarrow.parquet", "openpyxl"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(OptionError, match=r"needs (pyarrow|openpyxl), which is not installed; pip install"):
        write(tmp_path / f"answers{ending}", table())
    assert not [*tmp_path.iterdir()]


def test_standard_output(capsys):
    write(None, table()[:1], table()[1:2])
    assert capsys.readouterr().out == "index,predicted,certainty,seen,reason\n" + (
        '1,yes,0.3,1970-01-01,=1+1\n2,"no, never",0.333333333333,1970-01-02,+1\n'
    )


def test_whole_numbers_have_no_point_as_long_as_a_double_holds_each(tmp_path):
    cells = np.array([[2.0**53 - 1], [2.0**53], [-(2.0**53)], [0.5]])
    write(tmp_path / "x.json", wc.Dataset(Header("c", (Attribute("x"),)), cells))
    texts = re.findall(r'"x": (\S+)}', (tmp_path / "x.json").read_text())
    assert texts == ["9007199254740991", "9007199254740992.0", "-9007199254740992.0", "0.5"]
