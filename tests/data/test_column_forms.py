"""Numbers and dates that are not written as float64 and ISO 8601: told, found beyond doubt, or left as text."""

import json
import math
import warnings
from dataclasses import replace
from datetime import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.table_files import cells, column_of, notes_of, workbook

import wekaconf as wc
from wekaconf.base.errors import Note, OptionError, TableError
from wekaconf.bridge.reading import load, load_like
from wekaconf.data import Attribute, read_parts_like
from wekaconf.data.table_files import CsvMarks, Reading
from wekaconf.data.table_files._base import without_numbers, without_texts
from wekaconf.data.table_files._cell_forms import FORMS, MARKS, NumberForm, date_format_of, date_formats_of, form_of
from wekaconf.data.table_files._column_forms import as_remembered


def day(text):
    return float(np.datetime64(text, "ms").astype(np.int64))


def quiet(call, *arguments, **named):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        return call(*arguments, **named)


# -- the form of a column ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "marks", "numbers"),
    [
        (["10.045,84"], ",.", [10045.84]),
        (["1.234", "10.045,84", "-7"], ",.", [1234, 10045.84, -7]),
        (["1.234.567"], ",.", [1234567]),
        (["1,234.56", "7"], ".,", [1234.56, 7]),
        (["1,234,567", "1,5" + "00"], ".,", [1234567, 1500]),
        (["1 234,5", "12"], ", ", [1234.5, 12]),
        (["1\u202f234\u00a0567.5"], ". ", [1234567.5]),
        (["1'234.50", "1\u2019000.00"], ".'", [1234.5, 1000]),
        (["$1,234.56", "-$5", "$-6"], ".,$", [1234.56, -5, -6]),
        (["$5", "$6"], ".,$", [5, 6]),
        (["5,00 \u20ac", "1.234 \u20ac"], ",.\u20ac", [5, 1234]),
        (["\u00a3 1.50"], ".,\u00a3", [1.5]),
    ],
)
def test_forms_that_are_found(values, marks, numbers):
    form = form_of(values)
    assert form == NumberForm(*marks[:2], marks[2:])
    assert [form.number(value) for value in values] == numbers


@pytest.mark.parametrize(
    "values",
    [
        ["1.234"],  # a number, or thousands
        ["1,234", "22,000"],
        ["1 234", "110 001"],  # a postal code
        ["$1,234", "$950"],
        ["$5", "6"],
        ["$5", "\u20ac6"],
        ["1.234,5", "1,234.5"],  # one contradicts the other
        ["1.234,5", "12.34"],
        ["1.234,5", "unknown"],
        ["192.168.1.10"],
        ["1,23,456.00"],
        ["76 kg"],
        ["--1,234.5"],
        ["-$-1.5"],
        ["$"],
        [",."],
        ["5%"],
    ],
)
def test_forms_that_are_not_found(values):
    assert form_of(values) is None


@given(st.floats(-1e12, 1e12).map(lambda number: round(number, 2)), st.sampled_from(FORMS))
def test_a_number_is_read_as_it_was_written(number, form):
    text = f"{number:,.2f}".translate({ord(","): form.thousands, ord("."): form.decimal})
    assert form.number(text) == number


@pytest.mark.parametrize(
    ("text", "is_evident"),
    [("5,5 €", True), ("5,55 €", True), ("5,555 €", False), ("5, €", False), ("5 €", False), ("1.234 €", False),
     ("1.234,5 €", True), ("1.234.567 €", True), ("5,5", False)],
)  # fmt: skip
def test_numbers_that_can_be_read_in_no_other_form(text, is_evident):
    assert NumberForm(",", ".", "€" if "€" in text else "").is_evident(text) == is_evident


@given(st.lists(st.text("0123456789.,' $-", min_size=1, max_size=12), min_size=1, max_size=4))
def test_two_forms_never_read_the_same_texts_otherwise_beyond_doubt(values):
    """Whatever is found, no other form with evidence of its own would give other numbers."""
    found = form_of(values)
    if found is None:
        return
    for other in (form.with_currency(values) for form in FORMS):
        numbers = [other.number(value) for value in values]
        if None not in numbers and any(map(other.is_evident, values)):
            assert numbers == [found.number(value) for value in values]


def test_marks_that_are_no_pair():
    for decimal, thousands in ((",", ","), (";", "."), (".", ""), (" ", ".")):
        with pytest.raises(ValueError, match="expected a decimal mark"):
            NumberForm(decimal, thousands)
    with pytest.raises(OptionError, match=r"decimal: expected a decimal mark, .* got ';' and '[.]'"):
        Reading(decimal=";")
    with pytest.raises(OptionError, match=r"thousands: expected a decimal mark"):
        Reading(thousands="_")
    assert [Reading(decimal=mark).told_form for mark in (",", ".")] == [NumberForm(",", "."), NumberForm(".", ",")]
    assert [Reading(thousands=mark).told_form.decimal for mark in MARKS] == [".", ",", ".", "."]


@pytest.mark.parametrize(
    ("values", "formats"),
    [
        (["31.12.2025", "01.02.2025"], ["dd.MM.yyyy"]),
        (["1/2/2025", "1/31/2025"], ["MM/dd/yyyy"]),
        (["2025/1/31"], ["yyyy/MM/dd"]),
        (["31.12.2025 10:30"], ["dd.MM.yyyy HH:mm"]),
        (["31.12.2025T10:30:05"], ["dd.MM.yyyy'T'HH:mm:ss"]),
        (["01.02.2025", "02.03.2025"], ["dd.MM.yyyy", "MM.dd.yyyy"]),
        (["31.12.25"], ["dd.MM.yy"]),
        (["31.12.2025", "12/31/2025"], []),
        (["31.12.2025", "31.12.2025 10:30"], []),
        (["31.12.2025", "12.31.2025"], []),
        (["31.02.2025"], []),
        (["1.2.3"], []),
        (["soon"], []),
    ],
)
def test_formats_of_dates(values, formats):
    assert date_formats_of(values) == formats
    is_certain = len(formats) == 1 and "yyyy" in formats[0]
    assert date_format_of(values) == (formats[0] if is_certain else None)


# -- files -------------------------------------------------------------------------------------------------------------

EUROPEAN = "income;seen;kind;c\n10.045,84;31.12.2025;p;a\n1.234;01.02.2025;q;b\n;;p;a\n"
AMERICAN = 'income,seen,kind,c\n"$10,045.84",12/31/2025,p,a\n"$1,234",02/01/2025,q,b\n,,p,a\n'
READ = [[10045.84, 1234, None], [day("2025-12-31"), day("2025-02-01"), None], ["p", "q", "p"], ["a", "b", "a"]]


@pytest.mark.parametrize("text", [EUROPEAN, AMERICAN])
def test_what_is_beyond_doubt_is_read_and_told(write, text):
    path = write(text)
    with pytest.warns(Note, match=r"read 'income' as numbers such as \$?1[.,]234[.,]56"):
        data = wc.load_table(path)
    assert cells(data) == READ
    loaded = quiet(load, path)
    form = "1.234,56, 'seen' as dates dd.MM.yyyy" if text == EUROPEAN else "$1,234.56, 'seen' as dates MM/dd/yyyy"
    assert loaded.summary[-1] == f"read: 'income' as numbers such as {form}"
    later = write(text.replace("31.12", "01.03").replace("12/31", "03/01"), "later.csv")
    again = load_like(later, data.header, Reading().with_forms_of(loaded.reading))
    assert cells(again)[1][0] == day("2025-03-01") and cells(again)[0] == READ[0]


def test_workbooks_and_parquet_are_read_alike(write, tmp_path):
    rows = [line.split(";") for line in EUROPEAN.splitlines()]
    path = workbook(tmp_path / "e.xlsx", [[cell or None for cell in row] for row in rows])
    frame = pd.DataFrame([[cell or None for cell in row] for row in rows[1:]], columns=rows[0])
    frame.to_parquet(tmp_path / "e.parquet")
    expected = quiet(wc.load_table, write(EUROPEAN)).renamed("x")
    for other in (path, tmp_path / "e.parquet"):
        loaded = quiet(load, str(other))
        assert loaded.data.renamed("x") == expected
        assert quiet(load_like, str(other), expected.header, loaded.reading).renamed("x") == expected


@pytest.mark.parametrize(
    ("values", "options", "read"),
    [
        (["1.234", "22.000"], {"thousands": "."}, [1234, 22000]),
        (["1.234", "22.000"], {"decimal": ","}, [1234, 22000]),
        (["1.234", "22.000"], {}, [1.234, 22]),
        (['"1,234"', '"22,000"'], {"thousands": ","}, [1234, 22000]),
        (['"1,234"', '"22,5"'], {"decimal": ","}, [1.234, 22.5]),
        (["1 234", "7"], {"thousands": " "}, [1234, 7]),
        (["1'234", "7"], {"thousands": "'", "decimal": ","}, [1234, 7]),
        (["$1.5", "$7"], {"decimal": "."}, [1.5, 7]),
        (["1e3", "inf"], {"decimal": ","}, [1000, math.inf]),
        (["p", "1.5"], {"decimal": ","}, ["p", "1.5"]),
        (["01.02.2025", "02.03.2025"], {"date_format": "dd.MM.yyyy"}, [day("2025-02-01"), day("2025-03-02")]),
        (["01.02.2025", "02.03.2025"], {"date_format": "MM.dd.yyyy"}, [day("2025-01-02"), day("2025-02-03")]),
        (["1.2.25", "31.12.24"], {"date_format": "d.M.yy"}, [day("2025-02-01"), day("2024-12-31")]),
        (["01 Jan 2025", "31 Dec 2024"], {"date_format": "dd MMM yyyy"}, [day("2025-01-01"), day("2024-12-31")]),
        (["01.02.2025", "02.03.2025"], {}, ["01.02.2025", "02.03.2025"]),
        (["01.02.2025", "soon"], {"date_format": "dd.MM.yyyy"}, ["01.02.2025", "soon"]),
    ],
)
def test_what_is_told(write, values, options, read):
    path = column_of(write, values)
    assert cells(quiet(wc.load_table, path, **options))[0] == read


def test_what_is_told_and_does_not_hold(write):
    path = column_of(write, ["1.234", "22.5"])
    with pytest.raises(TableError, match=r"column 'x', row 2: expected a number such as 1\.234,56, got '22\.5'"):
        wc.load_table(path, thousands=".")
    assert cells(wc.load_table(path, thousands=".", nominal=["x"]))[0] == ["1.234", "22.5"]
    with pytest.raises(OptionError, match=r"date_format: 'dd.QQ' has 'QQ', which is no part of a date; expected parts"):
        wc.load_table(path, date_format="dd.QQ")
    with pytest.raises(OptionError, match=r"date_format: 'QQ\.MM' has 'QQ', which"):
        wc.load_table(path, date_format="QQ.MM")
    with pytest.raises(OptionError, match=r"date_format: 'dd\.'MM' has ''MM', which"):
        wc.load_table(path, date_format="dd.'MM")


def test_points_beside_decimal_commas_that_were_found_are_told(write):
    path = write("x;y;c\n10.045,84;1.234;a\n5;2.500;b\n")
    assert notes_of(path)[0] == (
        "'y' is read with a decimal point, 1.234 as 1.234, but 'x' has decimal commas; if points separate thousands, "
        "give thousands='.'"
    )
    assert cells(quiet(wc.load_table, path, thousands="."))[1] == [1234, 2500]
    assert cells(quiet(wc.load_table, path, numeric=["x"]))[0] == [10045.84, 5]
    mostly = write("x;c\n98,5;a\n97,5;b\n1.234,5;a\n")
    assert cells(quiet(wc.load_table, mostly, numeric=["x"]))[0] == [98.5, 97.5, 1234.5]


def test_a_text_among_numbers_beyond_doubt_is_told_with_the_remedy(write):
    values = [f'"${n},234.{n}0"' for n in range(1, 9)] + ["unknown"]
    path = column_of(write, values)
    assert notes_of(path) == [
        "'x' holds numbers such as '$1,234.10', but for 'unknown', so it is read as text; na=['unknown'] makes this "
        "missing"
    ]
    assert cells(quiet(wc.load_table, path, na=["unknown"]))[0][7:] == [8234.8, None]


def test_a_later_file_is_read_in_the_form_of_training(write):
    trained = quiet(load, write(EUROPEAN))
    reading, header = Reading().with_forms_of(trained.reading), trained.data.header
    alone = write("income;seen;kind\n1.500;2025-03-01;p\n", "alone.csv")
    assert cells(load_like(alone, header, reading))[:2] == [[1500], [day("2025-03-01")]]
    clean = write("income,seen,kind\n1500.25,2025-03-01,p\n", "clean.csv")
    with pytest.raises(
        TableError, match=r"column 'income', row 1: expected a number such as 1\.234,56, got '1500\.25'"
    ):
        load_like(clean, header, reading)
    assert cells(load_like(clean, header, reading.of_file(Reading(decimal="."))))[0] == [1500.25]
    wrong = write("income;seen;kind\n1;03/31/2025;p\n", "wrong.csv")
    with pytest.raises(TableError, match=r"expected a date such as dd.MM.yyyy, got '03/31/2025'"):
        load_like(wrong, header, reading)


@pytest.mark.parametrize(
    ("told", "changed"),
    [
        (Reading(), {}),
        (Reading(date_format="MM/dd/yyyy"), {"date_format": "MM/dd/yyyy", "date_forms": ()}),
        (Reading(decimal="."), {"decimal": ".", "thousands": "", "number_forms": ()}),
        (Reading(thousands=" "), {"decimal": "", "thousands": " ", "number_forms": ()}),
        (Reading(sheet="3", na=("y",), id="i", ignore=("z",)), {"sheet": "3"}),
        (Reading(no_header=True), {"no_header": True}),
        (Reading(rename=(("c", "d"),)), {"rename": (("c", "d"),)}),
    ],
)
def test_how_a_further_file_is_written_takes_the_place_of_what_was_found(told, changed):
    training = Reading(
        na=("x",), decimal=",", thousands=".", sheet="2", rename=(("a", "b"),),
        number_forms=(("n", NumberForm(",", ".", "$")),), date_forms=(("d", "dd.MM.yyyy"),),
    )  # fmt: skip
    assert training.of_file(told) == replace(training, **changed)


def test_the_record_of_a_model_says_how_the_file_was_read(write):
    reading = Reading(
        na=("x",), decimal=",", thousands=".", date_format="dd.MM.yyyy", sheet="2", no_header=True,
        rename=(("a", "b"),), number_forms=(("n", NumberForm(",", ".", "$")),), date_forms=(("d", "dd.MM.yyyy"),),
        marks=CsvMarks(";", ","),
    )  # fmt: skip
    assert Reading.of_record(json.loads(json.dumps(reading.as_record()))) == reading
    assert Reading().as_record() == {"na": (), "ignore": (), "id": ""}
    for wrong in (
        {"decimal": 1}, {"decimal": ";"}, {"rename": [["a"]]}, {"rename": [["a", 1]]}, 
        {"number_forms": {"x": [".", "."]}}, {"marks": ";"}, {"marks": ["x", "."]}, {"marks": [";", "x"]},
        {"number_forms": {"x": [".", ",", "kg"]}}, {"number_forms": {"x": [1, 2, 3]}}, {"date_forms": {"x": "QQ"}},
        {"date_forms": {"x": 1}},
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError)):
            Reading.of_record(wrong)


# -- sheets, names -----------------------------------------------------------------------------------------------------


def test_a_sheet_by_name_and_by_number(write, tmp_path):
    path = workbook(
        tmp_path / "e.xlsx", [["cover"]], [["x", "c"], [1, "a"], [2, "b"]], [["x", "c"], [3, "a"], [4, "b"]]
    )
    for sheet, first in (("sheet 1", 1), (2, 1), ("3", 3)):
        assert cells(wc.load_table(path, sheet=sheet))[0][0] == first
    for sheet, hint in (
        ("sheet 9", "did you mean 'sheet "),
        ("0", "the sheets are 'sheet 0', "),
        (4, "the sheets are"),
    ):
        with pytest.raises(OptionError, match=f"sheet: no sheet '{sheet}' in .*; {hint}") as refused:
            wc.load_table(path, sheet=sheet)
        assert refused.value.got == str(sheet)
    with pytest.raises(OptionError, match=r"sheet: .*data.csv is no Excel workbook, so it has no sheets"):
        wc.load_table(write(AMERICAN), sheet="x")
    with pytest.warns(Note, match="read the sheet 'sheet 0', the first of 3; for another give sheet='sheet 1'"), \
            pytest.raises(TableError):  # fmt: skip
        wc.load_table(path)


HEADLESS = "5.1,3.5,setosa\n4.9,3.0,virginica\n4.7,3.2,setosa\n4.6,3.1,virginica\n"


def test_a_sheet_may_hold_numbers_and_dates_beside_texts_that_write_them(tmp_path):
    rows = [["n", "d", "c"], ["1,5", "01.02.2024", "a"], [2.5, datetime(2024, 3, 4), "b"], [None, None, "a"]]
    told = {"decimal": ",", "date_format": "dd.MM.yyyy"}
    path = workbook(tmp_path / "mixed.xlsx", rows)
    data = quiet(wc.load_table, path, **told)
    assert cells(data)[:2] == [[1.5, 2.5, None], [day("2024-02-01"), day("2024-03-04"), None]]
    assert quiet(wc.load_table, path, header=data.header, **told) == data
    with pytest.raises(
        TableError, match="row 3 of the sheet: expected texts, such as 1,5, as in the rows above, got th"
    ):
        wc.load_table(path)
    beyond_doubt = [["n", "d", "c"], [2, datetime(2024, 3, 4), "a"], ["1.234,5", "31.12.2025", "b"]]
    found = quiet(wc.load_table, workbook(tmp_path / "evident.xlsx", beyond_doubt))
    assert cells(found)[:2] == [[2, 1234.5], [day("2024-03-04"), day("2025-12-31")]]


def test_true_and_false_beside_1_and_0_in_a_sheet_are_two_values(tmp_path):
    path = workbook(tmp_path / "b.xlsx", [["x", "c"], [True, "a"], [0, "b"], [1, "a"], [False, "b"]])
    data = wc.load_table(path, nominal=["x"])
    assert data.attributes[0].values == ("false", "true") and cells(data)[0] == ["true", "false", "true", "false"]
    three = workbook(tmp_path / "three.xlsx", [["x", "c"], [True, "a"], [0, "b"], [2, "a"]])
    assert wc.load_table(three, nominal=["x"]).attributes[0].values == ("0", "2", "true")


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_first_row_of_data_is_an_error_that_names_the_remedy(write, tmp_path, ending):
    path = write(HEADLESS)
    if ending == "xlsx":
        rows = [[float(cell) if cell[0].isdigit() else cell for cell in row.split(",")] for row in HEADLESS.split()]
        path = workbook(tmp_path / "e.xlsx", rows)
    with pytest.raises(
        TableError, match=r"got '5.1', '3.5', 'setosa', which looks like a row of data; .* no_header=True"
    ):
        wc.load_table(path)
    data = wc.load_table(path, no_header=True)
    assert [attribute.name for attribute in data.attributes] == ["column 1", "column 2", "column 3"]
    assert cells(data) == [[5.1, 4.9, 4.7, 4.6], [3.5, 3, 3.2, 3.1], ["setosa", "virginica"] * 2]
    assert wc.load_table(path, header=data.header, no_header=True) == data
    with pytest.raises(
        TableError, match="got the numbers 1, 2; put the names above the values, or give no_header=True"
    ):
        wc.load_table(write("1,2\n3,4\n"))


@pytest.mark.parametrize(
    "text",
    [
        "x,y,b\n0.5,y,a\n2,x,b\n",  # x is no number
        "2019,2020,c\n1,2,a\n3,4,b\n",  # years as names: c stands nowhere below
        "name,age,c\n" + "".join(f"n{n},{n},{'ab'[n % 2]}\n" for n in range(30)),
        "1.5,kind\n1,p\n2,q\n3,p\n",
    ],
)
def test_first_rows_that_may_be_names(write, text):
    assert len(quiet(wc.load_table, write(text))) == text.count("\n") - 1


def test_a_ragged_row_without_names(write):
    with pytest.raises(TableError, match=r"data.csv:2: expected 2 cells, as many as in the first row, got 3; correct"):
        wc.load_table(write("1,a\n2,b,c\n"), no_header=True)


def test_columns_get_other_names(write, tmp_path):
    path = write("Größe,c\n1,a\n2,b\n")
    data = wc.load_table(path, rename={"Größe": "size"})
    assert [attribute.name for attribute in data.attributes] == ["size", "c"]
    assert (
        wc.load_table(write("c,size\na,1\nb,2\n", "o.csv"), rename={"Größe": "size"}, class_attribute="c").n_classes
        == 2
    )
    with pytest.raises(OptionError, match=r"rename: no column 'Grösse' in .*; did you mean 'Größe'?"):
        wc.load_table(path, rename={"Grösse": "size"})
    with pytest.raises(TableError, match="the column name 'c' is used twice"):
        wc.load_table(path, rename={"Größe": "c"})
    frame = pd.DataFrame({"Größe": [1, 2], "c": ["a", "b"]})
    frame.to_parquet(tmp_path / "f.parquet")
    book = workbook(tmp_path / "f.xlsx", [["Größe", "c"], [1, "a"], [2, "b"]])
    for other in (tmp_path / "f.parquet", book):
        assert wc.load_table(other, rename={"Größe": "size"}).renamed("x") == data.renamed("x")


# -- the command line ------------------------------------------------------------------------------------------------


def test_a_model_reads_later_files_as_its_training_file(run, tmp_path):
    lines = [f"{n}.{100 + n},50;{n % 28 + 1:02}.12.2025;{'ab'[n % 2]}" for n in range(1, 60)]
    (tmp_path / "known.csv").write_text("Einkommen;seen;c\n" + "\n".join(lines) + "\n", encoding="utf-8")
    ended = run("predict", "-t", "known.csv", "--rename", "Einkommen=income", "--learner", "CART", "-d", "m.wct")
    assert "read: 'income' as numbers such as 1.234,56, 'seen' as dates dd.MM.yyyy" in ended.err
    (tmp_path / "new.csv").write_text("Einkommen;seen\n1.500;01.02.2026\n", encoding="utf-8")
    assert run("predict", "-l", "m.wct", "-T", "new.csv", "--with", "income", "-o", "o.csv").code == 0
    shown = run("show", "m.wct").out
    assert "renamed:    Einkommen = income" in shown and "'income' as numbers such as 1.234,56" in shown
    (tmp_path / "clean.csv").write_text("income,seen\n1500.5,2026-02-01\n", encoding="utf-8")
    ended = run("predict", "-l", "m.wct", "-T", "clean.csv", "-o", "o.csv")
    assert ended.code == 1 and "column 'income', row 1: expected a number such as 1.234,56, got '1500.5'" in ended.err
    assert run("predict", "-l", "m.wct", "-T", "clean.csv", "--table", "decimal=.", "-o", "o.csv").code == 0
    as_said = ("--table", "decimal=.", "--table", "date_format=dd/MM/yyyy")
    (tmp_path / "british.csv").write_text("income,seen\n1500.5,12/11/2025\n", encoding="utf-8")
    assert run("predict", "-l", "m.wct", "-T", "british.csv", *as_said, "-o", "o.csv").code == 0
    assert "seen <= 2025-12-01T12" in (tmp_path / "o.csv").read_text("utf-8")


def test_commands_that_take_a_model_read_a_file_that_is_written_otherwise(run, tmp_path):
    rng = np.random.default_rng(0)
    sums = rng.integers(1, 90_000, 120)
    frame = pd.DataFrame({"income": sums, "c": np.where(sums + rng.integers(0, 3e4, 120) > 50_000, "a", "b")})
    frame.to_csv(tmp_path / "known.csv", index=False)
    promise = ["--target-error", "0.4", "--confidence", "0.9"]
    assert run("predict", "-t", "known.csv", "--learner", "CART", *promise, "-d", "m.wct").code == 0
    other = frame.assign(income=[f"{n:,}".replace(",", ".") for n in rng.integers(1, 90, 120) * 1000])
    other.rename(columns={"income": "Summe"}).to_csv(tmp_path / "later.csv", index=False, header=True, sep=";")
    told = ["--table", "thousands=.", "--rename", "Summe=income"]
    for command in (["explain", "-l", "m.wct", "-T", "later.csv", "--row", "1"], ["check", "m.wct", "later.csv"],
                    ["show", "m.wct", "-T", "later.csv", "-o", "m.html"],
                    ["predict", "-l", "m.wct", "-T", "later.csv", "-o", "o.csv"]):  # fmt: skip
        assert "'income'" in run(*command).err, command
        ended = run(*command, *told)
        assert "error:" not in ended.err, (command, ended.err)
    assert f"income is {other.income[0].replace('.', '')}" in run("explain", "-l", "m.wct", "-T", "later.csv", "--row",
                                                               "1", *told).out  # fmt: skip


def test_the_options_in_every_command_that_reads_tables(run, good, tmp_path):
    (tmp_path / "h.csv").write_text(HEADLESS * 8, encoding="utf-8")
    for command in (["evaluate", "-x", "2"], ["tree"], ["weka", "folds", "-x", "2", "-o", "f.csv"],
                    ["advise", "-x", "2"]):  # fmt: skip
        ended = run(*command, "h.csv")
        assert ended.code == 1 and "put names above it, or give --table header=no" in ended.err, command
        assert run(*command, "h.csv", "--table", "header=no", "--rename", "column 3=kind", "-c", "kind").code == 0, (
            command
        )


def test_options_that_are_no_pair(complaint):
    assert "expected OLD=NEW" in complaint("tree", "x.csv", "--rename", "old")
    assert "--table decimal: expected a decimal mark" in complaint("tree", "x.csv", "--table", "decimal=;")


@pytest.mark.parametrize(("cell", "decimal"), [("1", ","), ("?", ","), ("1.5", "."), ("1,5", ",")])
def test_a_later_file_has_the_decimal_mark_of_the_training_file_unless_it_shows_another(write, cell, decimal):
    header = wc.Header("r", (wc.Attribute("x"), wc.Attribute("c", "nominal", ("a", "b"))), 1)
    [part] = quiet(list, read_parts_like(write(f"x;c\n{cell};b\n"), header, Reading(marks=CsvMarks(";", ","))))
    assert part.marks == CsvMarks(";", decimal)


# -- columns of any library --------------------------------------------------------------------------------------------


def columns(values, library):
    """The values as columns of one library, in each of its types that hold them."""
    is_text = isinstance(values[0], str)
    if library == "numpy":
        return [np.array(values), np.array(values, dtype=object)] if is_text else [np.array(values)]
    if library == "pandas":
        types = ("category", "string", object) if is_text else (np.float64, np.float32, "Float64")
        return [pd.Series(values, dtype=each) for each in types]
    if library == "pyarrow":
        kinds = (pa.string(), pa.large_string(), pa.string_view()) if is_text else (pa.float64(), pa.float32())
        plain = [pa.chunked_array([pa.array(values, kind)]) for kind in kinds]
        return [*plain, plain[0].dictionary_encode()]
    pl = pytest.importorskip("polars")
    return [pl.Series("n", values, kind) for kind in ((pl.String, pl.Categorical) if is_text else (pl.Float64,))]


@pytest.mark.parametrize("library", ["numpy", "pandas", "pyarrow", "polars"])
def test_a_column_of_any_type_is_read_in_the_form_of_training(library):
    """Texts are numbers in that form; numbers are what they are; and -9 is missing in both."""
    number_forms = (("n", NumberForm(",", ".")),)
    for values in (["1.234,5", "-9", "2"], [1234.5, -9.0, 2.0]):
        for column in columns(values, library):
            found = as_remembered(column, Attribute("n"), Reading(number_forms=number_forms, na=("-9",)))
            assert [None if pd.isna(cell) else cell for cell in found] == [1234.5, None, 2]
            plain = as_remembered(column, Attribute("n"), Reading(number_forms=number_forms))
            assert [*plain] == [1234.5, -9, 2] if isinstance(values[0], str) else plain is column
            assert as_remembered(column, Attribute("n"), Reading()) is column
    for column in columns(["1.234,5", "-9", "2"], library):
        found = as_remembered(column, Attribute("n", "nominal", ("2", "1.234,5")), Reading(na=("-9",)))
        assert [None if pd.isna(cell) else cell for cell in found] == ["1.234,5", None, "2"]


@pytest.mark.parametrize(
    ("column", "na", "left", "dtype"),
    [
        (pd.Series([1, -9, 2]), ("-9", "x"), [1, None, 2], "Int64"),
        (pd.Series([1, 2], dtype=np.uint8), ("2.0",), [1, None], "UInt8"),
        (pd.Series([1.5, -9.0]), ("-9",), [1.5, None], "float64"),
        (pd.Series([1.5, 2.0]), ("x",), [1.5, 2], "float64"),
        (pd.Series([True, False]), ("1", "0"), [True, False], "bool"),
        (pd.Series([True, 1, "1", 1.0, "x"], dtype=object), ("1", "x"), [True, None, None, None, None], "object"),
        (pd.Series(["1", "1.0", None], dtype="string"), ("1",), [None, "1.0", None], "string"),
        (pd.Series(["a", "b", "a"], dtype="category"), ("b",), ["a", None, "a"], "category"),
        (pd.Series([1, 2, 1]).astype("category"), ("2",), [1, None, 1], "category"),
    ],
)
def test_cells_that_mean_missing_leave_a_column_of_its_type(column, na, left, dtype):
    found = without_texts(column, na)
    assert ([None if pd.isna(cell) else cell for cell in found], str(found.dtype)) == (left, dtype)
    assert [True if cell is True else None for cell in found] == [True if cell is True else None for cell in left]


def test_numbers_that_mean_missing_beside_texts():
    frame = pd.DataFrame({"n": [1, -9], "t": ["-9", "a"], "b": [True, False]})
    assert without_numbers(frame, ("-9", "a")).astype(object).map(str).to_numpy().tolist() == [
        ["1", "-9", "True"],
        ["<NA>", "a", "False"],
    ]
    assert without_numbers(frame, ("a",)).equals(frame)


def test_what_a_reading_says_of_columns_and_cells():
    reading = Reading(ignore=("a",), id="b", na=("-999", "1.0", "inf", "x", "1e3"))
    assert reading.left_out == ("a", "b") and Reading(ignore=("a", "b"), id="b").left_out == ("a", "b")
    assert reading.without_id == replace(reading, ignore=("a", "b"), id="")
    assert reading.of_columns(["c", "b"]) is reading and reading.of_columns(["a"]) == replace(reading, id="")
    assert reading.na_texts == ("-999", "1.0", "inf", "x", "1e3", "-999.0", "1", "1000.0")
