"""CSV for people and programs: the shortest texts that keep 12 digits; and tables in LaTeX."""

import csv
import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekaconf.data import Attribute
from wekaconf.report._table_formats import cell_value, column_texts, latex_blocks, quote_cell, write_rows
from wekaconf.report.printing import Block, Column, Names


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (1 / 3, "0.333333333333"),
        (2 / 3, "0.666666666667"),
        (5.0, "5"),
        (-0.0, "0"),
        (1e-20, "1e-20"),
        (123456789.12345678, "123456789.123"),
        (1e16, "1e+16"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, ""),
        (np.float64(96.0), "96"),
    ],
)
def test_numbers_as_people_write_them(value, text):
    assert cell_value(value) == text


@pytest.mark.parametrize("value", ["0.30000000000000004", 7, None, True])
def test_what_is_no_float_stays(value):
    assert cell_value(value) is value


@given(st.floats(allow_nan=False))
def test_what_is_read_back_agrees_in_12_digits(number):
    text = cell_value(number)
    assert float(text) == float(f"{number:.12g}")
    assert len(text.lstrip("-").partition("e")[0].replace(".", "").strip("0")) <= 12


def test_rows():
    file = io.StringIO()
    write_rows(file, [["name", "x"], ["a,b", 0.1 + 0.2], ["c\nd", math.nan]])
    assert file.getvalue() == 'name,x\n"a,b",0.3\n"c\nd",\n'
    assert list(csv.reader(io.StringIO(file.getvalue(), newline="")))[2] == ["c\nd", ""]


@given(st.lists(st.one_of(st.floats(), st.integers(-(10**14), 10**14).map(float), st.sampled_from([-0.0, 1e12]))))
def test_columns_are_written_as_cells_are(numbers):
    assert column_texts(Attribute("x"), np.array(numbers, dtype=np.float64)) == [
        cell_value(number) for number in numbers
    ]


def test_columns_are_written_as_cells_are_where_exponents_begin():
    bounds = np.array([5e-324, 1e-308, 1e-300, 1e-5, 1e-4, 1e11, 1e12, 1e16])
    near = np.concatenate([np.nextafter(bounds, 0), bounds, np.nextafter(bounds, np.inf), bounds * (1 - 1e-13)])
    numbers = np.concatenate([near, -near, near / 3, [0.5]])
    assert column_texts(Attribute("x"), numbers) == [cell_value(number) for number in numbers.tolist()]


@given(st.text(st.sampled_from("ab\",;\t\n\r '")), st.sampled_from(",\t"))
def test_texts_are_quoted_as_by_the_csv_module(text, delimiter):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerow([text, "x"])
    line = f"{quote_cell(text, delimiter)}{delimiter}x\n"
    assert list(csv.reader(io.StringIO(line, newline=""), delimiter=delimiter)) == [[text, "x"]]
    if "\r" not in text:  # before Python 3.13 the module leaves it unquoted, and cannot read it back
        assert line == file.getvalue()


@given(st.lists(st.text("a,\"\r\n\t'=\u2028", max_size=5), min_size=2, max_size=4))
def test_every_text_is_read_back(row):
    file = io.StringIO()
    write_rows(file, [row, row])
    assert [*csv.reader(io.StringIO(file.getvalue(), newline=""))] == [row, row]


def test_a_table_in_latex():
    names = Names("data set\n  method", [("iris", "wpe"), ("iris", "a_b"), ("wine", "wpe"), ("", "alone")], ["mean"])
    ours = [Column("AUC", ["0.1", "0.2", "0.3", "0.4"], ["5"]), Column("note", ["<a>", *"bcd"], ["e"], "left")]
    blocks = [Block("50 % & more", ours), Block("", [Column("x", [*"1234"], ["7"])])]
    assert latex_blocks("A caption, 5 %.", names, blocks).split("\n") == [
        r"% needs \usepackage{booktabs,adjustbox}",
        r"\begin{table}",
        r"\centering",
        r"\caption{A caption, 5 \%.}",
        r"\begin{adjustbox}{max width=\textwidth}",
        r"\begin{tabular}{lrlr}",
        r"\toprule",
        r" & \multicolumn{2}{c}{50 \% \& more} & \multicolumn{1}{c}{} \\",
        r"data set method & AUC & note & x \\",
        r"\midrule",
        r"\multicolumn{4}{l}{iris} \\",
        r"\quad wpe & 0.1 & \textless{}a\textgreater{} & 1 \\",
        r"\quad a\_b & 0.2 & b & 2 \\",
        r"\multicolumn{4}{l}{wine} \\",
        r"\quad wpe & 0.3 & c & 3 \\",
        r"alone & 0.4 & d & 4 \\",
        r"\midrule",
        r"mean & 5 & e & 7 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{adjustbox}",
        r"\end{table}",
    ]
    untitled = latex_blocks("c", Names.of_no_group(["a"]), [Block("", [Column("h", ["1"])])])
    assert untitled.split("\n")[5:10] == [r"\begin{tabular}{lr}", r"\toprule", r" & h \\", r"\midrule", r"a & 1 \\"]
