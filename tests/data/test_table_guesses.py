"""Tables whose reading is a guess: a note says so, with the remedy; what is no table is refused."""

import math
import warnings

import pandas as pd
import pytest
from support.table_files import cells, column_of, notes_of, workbook

import wekaconf as wc
from wekaconf.base.errors import ArffError, HeaderMismatchError, Note, OptionError, TableError
from wekaconf.bridge.reading import load, load_like
from wekaconf.data import is_number
from wekaconf.data.table_files import Reading


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize(
    "above", ["", "\n\n", "  \n,,\n", "sep=;\n", '"sep=;"\n\n', '# by us, and "them\n# x\n', "\n#a\n\n"]
)
def test_lines_above_the_names(write, newline, encoding, above):
    text = (above + "a;cls;n\n1;x;1\n2;y;1\n\n3;x;2\n4;y;2\n\n").replace("\n", newline)
    path = write(text.encode(encoding))
    said = notes_of(path, class_attribute="cls")
    n = above.count("#")
    assert said == ([f"left out {n} line{'s' * (n > 1)} of comment above the column names"] if n else [])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = wc.load_table(path, class_attribute="cls")
        assert wc.load_table(path, header=data.header) == data
    assert cells(data) == [[1, 2, 3, 4], ["x", "y", "x", "y"], [1, 1, 2, 2]]


@pytest.mark.parametrize("text", ["#id,x,c\n1,2,a\n3,4,b\n", "#id,c\n1,a\n3,b\n"])
def test_a_line_with_a_number_sign_may_hold_the_names(write, text):
    with pytest.warns(Note, match="left out 1 line of comment"):
        data = wc.load_table(write(f"# made by us\n{text}"))
    assert [attribute.name for attribute in data.attributes] == text.split()[0].split(",") and len(data) == 2


def test_the_separator_is_named_above_or_is_a_vertical_bar(write):
    assert cells(wc.load_table(write("sep=|\na;b|c\n1|x\n2|y\n"))) == [[1, 2], ["x", "y"]]
    assert cells(wc.load_table(write("a|c\n1|x,y\n2|y\n"))) == [[1, 2], ["x,y", "y"]]
    assert cells(wc.load_table(write("a,c\n1,x\n2,y\n", "data.tsv"))) == [[1, 2], ["x", "y"]]
    assert cells(wc.load_table(write("a,b\tc\n1\tx\n2\ty\n", "data.tsv"))) == [[1, 2], ["x", "y"]]


@pytest.mark.parametrize(
    ("mark", "what"), [(" ", "blanks"), ("   ", "blanks"), (":", "colons"), ("^", "'.'"), ("~", "'~'")]
)
def test_other_separators_are_refused(write, mark, what):
    text = "num,cat,c\n1,x,a\n2,y,b\n".replace(",", mark)
    with pytest.raises(
        TableError, match=f"csv:1: expected cells separated by commas, .* where {what} seem to separate"
    ):
        wc.load_table(write(text))


def test_the_lines_that_must_agree_on_another_separator(write):
    with pytest.raises(TableError, match="separate"):
        wc.load_table(write("a:c\n" + "1:x\n" * 5 + "2:y:z\n"))
    assert len(wc.load_table(write("a:c\n" + "1:x\n" * 4 + "2:y:z\n" * 2))) == 6


def test_one_column(write):
    path = write("name\nAnn Lee\nBob\n")
    assert notes_of(path) == [
        "found one column, 'name'; if there are more, put commas, semicolons, tabs or | between the cells of a row"
    ]
    quoted = write('"full name"\n"Ann Lee"\n"Bob Roe"\n')
    assert cells(wc.load_table(quoted, class_attribute=None)) == [["Ann Lee", "Bob Roe"]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "x,y,b\n0.5,y,a\n2,x,b\n",
            "the first row was taken as names, 'y', 'b' too; put names above it if it holds none",
        ),
        (
            "a,,c\n1,2,x\n2,3,y\n",
            "no name above 'column 2'; if the names stand in a lower row, delete what is above it",
        ),
    ],
)
def test_notes_on_the_names(write, tmp_path, text, told):
    [said] = notes_of(write(text))
    assert said.startswith(told)
    rows = [[float(cell) if is_number(cell) else cell or None for cell in row.split(",")] for row in text.split()]
    [said] = notes_of(workbook(tmp_path / "e.xlsx", rows))
    assert said.startswith(told)


def test_columns_without_name_and_cells_are_dropped(write):
    data = wc.load_table(write("a,c,\n1,x,\n2,y,\n"))
    assert [attribute.name for attribute in data.attributes] == ["a", "c"] and data.class_names == ("x", "y")


def test_titles_are_refused(write, tmp_path):
    with pytest.raises(
        TableError, match=r"data.csv:2: expected 1 cell, .* got 2; .*; or delete line 1, if it is no row"
    ):
        wc.load_table(write("Report\na,c\n1,x\n"))
    message = (
        "expected a row of column names, got the one name 'Report' for 3 columns; delete what stands above the names"
    )
    with pytest.raises(TableError, match=message):
        wc.load_table(write("Report,,\na,b,c\n1,2,x\n"))
    with pytest.raises(TableError, match=message):
        wc.load_table(workbook(tmp_path / "e.xlsx", [["Report"], [], ["a", "b", "c"], [1, 2, "x"]]))


def test_hexadecimal_and_numbers_too_large_are_text(write):
    path = write("h,e,c\n" + "".join(f"0x1{n},{n},{'ab'[n % 2]}\n" for n in range(8)) + "7,1e400,a\n")
    assert notes_of(path) == [
        "'e' holds numbers, but for '1e400', so it is read as text; na=['1e400'] makes this missing"
    ]
    data = wc.load_table(path)
    assert cells(data)[0] == [*(f"0x1{n}" for n in range(8)), "7"]
    assert cells(data)[1] == [*map(str, range(8)), "1e400"]
    assert cells(wc.load_table(write("h,c\n 0X1F ,a\n2,b\n".encode("utf-16"))))[0] == ["0X1F", "2"]
    assert cells(wc.load_table(write("h,w,c\n1,0x1,a\n2,2,b\n")))[0] == [1, 2]
    path = write("h,e,c\n0x10,1,a\n" + "7,1,a\n" * 7 + "7,1e400,a\n")
    for column, got in (("h", "0x10"), ("e", "1e400")):
        row = 1 if column == "h" else 9
        with pytest.raises(TableError, match=f"column '{column}', row {row}: expected a number, got '{got}'"):
            wc.load_table(path, numeric=[column])
        header = wc.Header("r", (wc.Attribute(column),))
        with pytest.raises(TableError, match=f"column '{column}', row {row}: expected a number, got '{got}'"):
            wc.load_table(path, header=header)
    inf = write("x,c\ninf,a\n-Infinity,b\n1e308,b\n")
    assert cells(wc.load_table(inf))[0] == [math.inf, -math.inf, 1e308]
    assert wc.load_table(inf, header=wc.Header("r", (wc.Attribute("x"),))).values[:2, 0].tolist() == [
        math.inf,
        -math.inf,
    ]


def test_ways_to_write_a_boolean(write):
    header = wc.Header("r", (wc.Attribute("s", "nominal", ("false", "true")),))
    with pytest.warns(Note, match="value 'T' of 's' was not seen in training .*; 2 such values are treated as missing"):
        data = wc.load_table(write("s\n1\n1.0\nTRUE\n0\n0.0\nfalse\nT\nyes\n"), header=header)
    assert cells(data) == [["true"] * 3 + ["false"] * 3 + [None] * 2]


def test_texts_that_mean_missing(write, tmp_path):
    texts = ["", "?", "NA", "N/A", "#N/A", "n/a", "NaN", "nan", "NULL", "null"]
    numbers = "".join(f"{text},{text or '?'} ,{'ab'[n % 2]}\n" for n, text in enumerate(texts))
    data = wc.load_table(write("x,t,c\n" + numbers + "1,p,a\n"))
    assert cells(data)[:2] == [[*[None] * 10, 1], [*[None] * 10, "p"]]
    rows = [[text, text, "ab"[n % 2]] for n, text in enumerate(texts)]
    data = wc.load_table(workbook(tmp_path / "e.xlsx", [["x", "t", "c"], *rows, [1, "p", "a"]]))
    assert cells(data)[:2] == [[*[None] * 10, 1], [*[None] * 10, "p"]]
    header = wc.Header("r", (wc.Attribute("t", "nominal", ("null", "p")),))
    assert cells(wc.load_table(write("t,u\nnull,1\nNA,2\n"), header=header)) == [["null", None]]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (
            [f'"{n},5"' for n in range(9)],
            "'x' holds numbers such as '0,5', read as text; thousands=',' reads the mark as one between thousands, "
            "decimal=',' as a decimal one",
        ),
        (
            ['"1,100"', '"22,000"', "7"],
            "'x' holds numbers such as '1,100', read as text; thousands=',' reads the mark as one between thousands",
        ),
        (
            [f"{n:02}.02.2024" for n in range(1, 9)],
            "'x' holds dates such as '01.02.2024', read as text; say what they are: date_format='dd.MM.yyyy' or "
            "date_format='MM.dd.yyyy'",
        ),
        (
            [f"{n}/2/24" for n in range(1, 9)],
            "'x' holds dates such as '1/2/24', read as text; say what they are: date_format='dd/MM/yy' or "
            "date_format='MM/dd/yy'",
        ),
        (
            [f"{n}%" for n in range(5)],
            "'x' holds numbers with '%', such as '0%', read as text; write the numbers alone",
        ),
        (
            [f'"€ {n + 1},000"' for n in range(5)],
            "'x' holds numbers with '€', such as '€ 1,000', read as text; write the numbers alone",
        ),
        (["(1.2)", "2.5", "3"], "'x' holds numbers such as '(1.2)', read as text; write that as '-1.2'"),
        (["1.2-", "2.5", "(3)"], "'x' holds numbers such as '(3)', read as text; write that as '-3'"),
        (["\u22121.2", "2.5"], "'x' holds numbers such as '\u22121.2', read as text; write that as '-1.2'"),
        (["2.5", "3\u2212"], "'x' holds numbers such as '3\u2212', read as text; write that as '-3'"),
        (['"=""01"""', '"=""2"""'], "'x' holds numbers such as '=\"01\"', read as text; write that as '01'"),
        (
            ["2024-01-02T10:00:00", "2024-01-02T10:00:00Z"],
            "'x' holds dates with and without a time zone, read as text; give all of them one",
        ),
    ],
)
def test_notes_on_what_may_be_misread(write, values, told):
    path = column_of(write, values)
    [said] = notes_of(path)
    assert said.startswith(told)
    assert not any("holds" in said for said in notes_of(path, nominal=["x"]))


@pytest.mark.parametrize(
    "values",
    [
        ["(a)", "b"],
        ["(1)", "k"],
        ["1-", "-"],
        ['"=""A1"""', '"=""A2"""'],
        ["K1", "K2"],
        ["5a", "6b"],
        ["1 kg", "2 kg", "heavy"],
        ["7 m"],
        ["18-25", "26-35"],
        ["$", "."],
    ],
)
def test_texts_with_digits_are_not_taken_for_numbers_with_a_unit(write, values):
    assert notes_of(column_of(write, values)) == []


def test_a_form_that_not_all_numbers_have_is_named(write):
    """The option that was given is not advised again."""
    path = column_of(write, ["1.5", '"2,5"'] * 3)
    [said] = notes_of(path, decimal=",")
    assert said.startswith("'x' holds numbers not all written as 1.234,56, such as '1.5', so it is read as text")
    [said] = notes_of(column_of(write, ['"1,5"', '"2,5"'] * 3), decimal=",")
    assert "not all" not in said


def test_empty_texts_are_no_numbers(tmp_path):
    pd.DataFrame({"x": ["", ""] * 5, "c": ["a", "b"] * 5}).to_parquet(tmp_path / "t.parquet")
    assert not any("numbers" in said for said in notes_of(tmp_path / "t.parquet"))


def test_values_that_differ_only_in_how_they_are_spelt(write):
    end = "; each is a value of its own; write them alike if they mean the same"
    rows = "M\u00fcnchen,a\nMu\u0308nchen,b\nMU\u0308NCHEN,a\n"
    assert notes_of(write("x,c\n" + rows)) == [
        f"'x': 'Mu\u0308nchen', 'M\u00fcnchen' differ only in the Unicode characters that make up a letter{end}",
        f"'x': 'MU\u0308NCHEN', 'Mu\u0308nchen' differ only in case or blanks{end}",
    ]
    truth = "1,a\nTRUE,b\n0,a\nFALSE,b\n"
    assert notes_of(write("x,c\n" + truth)) == [
        f"'x': '0', 'FALSE' differ only in how they write true and false, and 1 more such{end}"
    ]
    assert notes_of(write("x,c\n0,a\n00,b\n1,a\n"), nominal=["x"]) == []


def test_rows_without_a_value_are_told(write):
    known = "n,kind,c\n1,p,a\n2,q,b\n"
    for below, told in (
        (",,\n", "row 3 holds no value; delete it if it is no instance"),
        (",,\n1,,\n ,,\n", "2 rows hold no value, the first of them row 3; delete them if they are no instances"),
    ):
        path = write(known + below)
        assert notes_of(path) == [told]
        header = wc.load_table(write(known, "known.csv")).header
        assert notes_of(path, header=header) == [told]
    assert notes_of(write('kind\np\nq\n""\n'), header=wc.Header("h", header.attributes[1:2])) == []


def test_decimal_commas_beside_points(write):
    rows = "".join(f"{n},5;{n + 1}.100;{n}.1;{'ab'[n % 2]}\n" for n in range(9))
    said = notes_of(write("x;y;z;c\n" + rows))
    assert said == [
        "numbers are read with a decimal comma, as in 'x'",
        "'y' is read with a decimal point, 1.100 as 1.1, but 'x' has decimal commas; if points separate thousands, "
        "give thousands='.'",
    ]
    [said] = notes_of(write("x;c\n" + "".join(f"{n},5;a\n" for n in range(9)) + "1.5;b\n"))
    assert said.startswith("'x' holds numbers with a decimal comma, but for '1.5', so it is read as text; write all")


@pytest.mark.parametrize("culprit", [".5", "98.5"])
def test_the_cell_without_a_decimal_comma_is_named(write, culprit):
    path = write("x;c\n" + "98,5;a\n" * 70_000 + f"{culprit};b\n" + "98,5;a\n")
    message = f"column 'x', row 70001: expected a number with a decimal comma, as in other rows, got '{culprit}'"
    with pytest.raises(TableError, match=message):
        wc.load_table(path, header=wc.Header("r", (wc.Attribute("x"),)))
    with pytest.raises(TableError, match=message):
        wc.load_table(path, numeric=["x"])
    half = write("x;c\n1.5;a\n2,5;a\n3,5;b\n1.5;a\n")
    with pytest.raises(TableError, match=r"column 'x', row 1: expected a number with a decimal comma.* got '1.5'"):
        wc.load_table(half, numeric=["x"])
    few = write("x;c\n1.5;a\n2.5;a\n3,5;b\n1.5;a\n")
    with pytest.raises(TableError, match="column 'x', row 3: expected a number, got '3,5'"):
        wc.load_table(few, numeric=["x"])


@pytest.mark.parametrize(("place", "n_after"), [(1, 3), (1, 900_000), (2, 900_000)])
def test_a_quote_that_is_not_closed_is_found(write, place, n_after):
    row = ["1", "2", "a"]
    row[place] = '"' + row[place]
    path = write("x,y,c\n1,2,a\n" + ",".join(row) + "\n" + "1,2,a\n" * n_after)
    with pytest.raises(TableError, match=r"data.csv:3: .*double quote (is )?not closed"):
        wc.load_table(path)


def test_text_under_the_name_of_a_workbook(write):
    for text in ("größe;c\n1;x\n", "PK;c\n1; ~\n"):
        with pytest.raises(TableError, match=r"x: this is text, no Excel workbook; let its name end in \.csv, or save"):
            wc.load_table(write(text, "d.xlsx"))
    for content in (b"", b"PK\x03\x04 no zip", b"\0\1"):
        with pytest.raises(TableError, match="x: this is no Excel workbook, or a damaged one"):
            wc.load_table(write(content, "d.xlsx"))


def test_utf_32_and_old_workbooks(write):
    with pytest.raises(TableError, match="this is text in UTF-32; save it as CSV in UTF-8"):
        wc.load_table(write("a,c\n1,x\n".encode("utf-32")))
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99
    with pytest.raises(TableError, match=r"this is an old Excel workbook, no CSV file; give it the ending .xls"):
        wc.load_table(write(ole))
    for name, content, what in (
        ("d.dat", ole, "old Excel"),
        ("d.arff", b"PK\x03\x04", "Excel"),
        ("d", b"PAR1", "Parquet"),
    ):
        with pytest.raises(ArffError, match=f"this is an? {what}.*; "):
            wc.load_table(write(content, name))


@pytest.mark.parametrize("name", ["data.csv", "data.arff"])
def test_names_of_rows(write, name):
    rows = "P1,1,x\nP2,2,y\nP2,1,y\n"
    above = (
        "id,n,c\n"
        if name == "data.csv"
        else "@relation r\n@attribute id string\n@attribute n numeric\n@attribute c {x,y}\n@data\n"
    )
    path, reading = write(above + rows, name), Reading(id="id")
    with pytest.warns(Note, match=f"{name}: 'id' does not tell the rows apart; its 3 rows hold 2 names"):
        train = load(path, reading).data
    with pytest.warns(Note, match=f"{name}: 'id' does not tell the rows apart; its 3 rows hold 2 names"):
        load_like(path, train.header, reading)
    with pytest.warns(Note, match=f"{name}: no column 'no', which should name the rows; they go by their number"):
        load_like(path, train.header, Reading(id="no", ignore=("id",)))


def test_long_names_are_shortened(write):
    name, value = "x" * 3000, "v" * 3000
    path = write(f"{name},t,c\n1,{value},a\nx,w,b\n")
    for arguments in ({"numeric": [name]}, {"ignore": ["no"]}, {"header": wc.Header("r", (wc.Attribute(name),))},
                      {"class_attribute": "no"}):  # fmt: skip
        with pytest.raises((TableError, OptionError)) as caught:
            wc.load_table(path, **arguments)
        assert len(str(caught.value)) < 500, arguments
    loaded = load(path, Reading(id="t"), class_attribute=name)
    assert max(map(len, loaded.summary)) < 300
    with pytest.raises(HeaderMismatchError) as mismatch:
        wc.load_table(write("u\n1\n"), header=loaded.data.header)
    assert len(str(mismatch.value)) < 300


def test_true_is_not_the_number_that_means_missing(tmp_path):
    path = workbook(tmp_path / "e.xlsx", [["b", "n", "c"], [True, 1, "x"], [False, 2, "y"]])
    assert cells(wc.load_table(path, na=["1"])) == [["true", "false"], [None, 2], ["x", "y"]]


def test_a_file_of_one_column_that_lacks_others(write):
    with pytest.raises(
        HeaderMismatchError, match=r"data.csv, of one column only: 2 columns are missing .*: 'x', 'k'; add"
    ):
        wc.load_table(write("x k\n1 p\n2 q r\n"), header=wc.Header("r", (wc.Attribute("x"), wc.Attribute("k"))))
    said = notes_of(write("i,,c\n1,5,a\n2,6,b\n"), ignore=["i"])
    assert said == ["no name above 'column 2'; if the names stand in a lower row, delete what is above it"]


def test_the_first_six_lines_decide_whether_blanks_separate(write):
    rows = ["x k", "1 p", "2 q", "3 p", "4 q", "5 p", "6 q r"]
    with pytest.raises(TableError, match=r"data.csv:1: .* got 'x k', where blanks seem to separate; write one of"):
        wc.load_table(write("\n".join(rows)), class_attribute=None)
    rows[5] = "5 p q"
    assert cells(wc.load_table(write("\n".join(rows)), class_attribute=None)) == [rows[1:]]
    assert notes_of(write("x k\n"), header=wc.Header("h", (wc.Attribute("x k"),))) == [], "a name alone shows nothing"


def test_a_quote_that_is_not_closed_in_the_only_row(write):
    path = write('x,c\n1,"a\n')
    header = wc.Header("h", (wc.Attribute("x"), wc.Attribute("c", "nominal", ("a", "b"))), 1)
    for read in (wc.load_table, lambda path: load_like(path, header, Reading())):
        with pytest.raises(TableError, match=":2: a double quote is not closed before the file ends"):
            read(path)
