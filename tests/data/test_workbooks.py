"""Workbooks that calamine reads give what Excel files give, and no file takes memory out of proportion."""

import contextlib
import datetime
import io
import random
import re
import subprocess
import sys
import zipfile

import pytest
from openpyxl import Workbook
from support.open_documents import ods_row, write_ods
from support.table_files import notes_of, workbook

import wekaconf as wc
from wekaconf.base.errors import TableError
from wekaconf.data import open_table
from wekaconf.data._file_bytes import TooLargeError
from wekaconf.data.table_files import Reading
from wekaconf.data.table_files import _excel as excel

pytest.importorskip("python_calamine")
pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory of a process is limited on Linux only"),
    pytest.mark.filterwarnings("ignore::wekaconf.Note"),
]
ROWS = [
    ["age", "when", "sex", "ok", "code", "note", "class"],
    [61.5, datetime.datetime(2024, 5, 6, 7, 8, 9), "f", True, "01", None, "ill"],
    [48, datetime.datetime(1999, 12, 31), "m", False, "02", "näher <&>", "well"],
    [None, None, "?", True, "03", " a ", "ill"],
    [-1e-3, datetime.datetime(2000, 1, 1, 12), "f", None, "NA", "x" * 300, "well"],
]


def write_xls(path, sheets):
    xlwt = pytest.importorskip("xlwt")
    book = xlwt.Workbook()
    for name, rows in sheets.items():
        sheet = book.add_sheet(name)
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                if cell is not None:
                    is_date = isinstance(cell, datetime.datetime)
                    style = [xlwt.easyxf(num_format_str="YYYY-MM-DD hh:mm:ss")] if is_date else []
                    sheet.write(i, j, cell, *style)
    book.save(str(path))


def write_xlsb(path, sheets):
    writer = pytest.importorskip("pyxlsbwriter").XlsbWriter
    with writer(str(path)) as book:
        for name, rows in sheets.items():
            book.add_sheet(name)
            book.write_sheet(rows)


WRITERS = {".xls": write_xls, ".xlsb": write_xlsb, ".ods": write_ods}


def written(folder, ending, sheets):
    path = folder / f"book{ending}"
    WRITERS[ending](path, sheets)
    return path


@pytest.mark.parametrize("ending", WRITERS)
def test_other_workbooks_give_what_excel_files_give(tmp_path, ending):
    path = written(tmp_path, ending, {"first": ROWS})
    expected = wc.load_table(workbook(tmp_path / "book.xlsx", ROWS))
    found = wc.load_table(path)
    assert found.attributes == expected.attributes and found == expected
    header = expected.header
    assert wc.load_table(path, header=header) == expected
    assert [attribute.kind for attribute in header.attributes[:4]] == ["numeric", "date", "nominal", "nominal"]


@pytest.mark.parametrize("ending", WRITERS)
def test_sheets_and_rows_are_named(tmp_path, ending):
    rows = [[None, None, None], [None, "x", "c"], [None, 1, "a"], [None, 2, "b"]]
    path = written(tmp_path, ending, {"first": ROWS, "second sheet": rows, "3": ROWS[:3]})
    with pytest.warns(wc.Note, match="read the sheet 'first', the first of 3; for another give sheet='second sheet'"):
        wc.load_table(path)
    assert wc.load_table(path, sheet="2").attributes == wc.load_table(path, sheet="second sheet").attributes
    assert len(wc.load_table(path, sheet="3")) == 2
    assert open_table(str(path), Reading(sheet="2")).row_name(1) == "row 4 of the sheet"
    with pytest.raises(wc.OptionError, match=r"no sheet 'secnd sheet' in .*; did you mean 'second sheet'"):
        wc.load_table(path, sheet="secnd sheet")


def test_merged_cells_are_told(tmp_path):
    book = Workbook()
    for row in [["x", "n", "c"], ["u", 1, "a"], [None, 2, "b"], ["v", 3, "a"], [None, None, "b"]]:
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    book.save(tmp_path / "one.xlsx")
    told = "only the first holds a value, the others are missing; unmerge them and fill them in"
    assert notes_of(tmp_path / "one.xlsx") == [f"merged cells, A2:A3: {told}"]
    book.active.merge_cells("A4:B5")
    book.create_sheet("other").append(["x", "c"])
    book.save(tmp_path / "two.xlsx")
    assert f"merged cells, A4:B5 and 1 more such: {told}" in notes_of(tmp_path / "two.xlsx")
    sheet = book["other"]
    sheet.append(["u", "a"])
    sheet.merge_cells("A1:A1")
    sheet.merge_cells("D1:E1")  # beside the names
    book.save(tmp_path / "names.xlsx")
    assert notes_of(tmp_path / "names.xlsx", sheet="other") == []


def test_merged_cells_of_an_old_workbook_are_told(tmp_path):
    book = pytest.importorskip("xlwt").Workbook()
    sheet = book.add_sheet("s")
    for row, cells in enumerate([["x", "c"], [None, "a"], [None, "b"], ["v", "a"]]):
        for column, cell in enumerate(cells):
            if cell is not None:
                sheet.write(row, column, cell)
    sheet.write_merge(1, 2, 0, 0, "u")
    sheet.write_merge(0, 0, 27, 28, "y")
    book.save(str(tmp_path / "b.xls"))
    [said] = [said for said in notes_of(tmp_path / "b.xls") if "merged" in said]
    assert said.startswith("merged cells, A2:A3: only the first holds a value")


@pytest.mark.parametrize("ending", WRITERS)
def test_empty_damaged_and_absent_files(tmp_path, ending):
    with pytest.raises(TableError, match="the sheet 'empty' is empty; expected a row of column names"):
        wc.load_table(written(tmp_path, ending, {"empty": []}))
    form = "OpenDocument" if ending == ".ods" else "Excel"
    damaged = tmp_path / f"damaged{ending}"
    for content in (b"", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x00" * 5000):
        damaged.write_bytes(content)
        with pytest.raises(TableError, match=f"this is no {form} workbook, or a damaged one"):
            wc.load_table(damaged)
    for text in ("a,c\n1,x\n", "PK,c\r\n1,\tx\r\n"):
        damaged.write_text(text)
        with pytest.raises(TableError, match=f"this is text, no {form} workbook; let its name end in .csv"):
            wc.load_table(damaged)
    with pytest.raises(TableError, match="no such file; check the name and the folder"):
        wc.load_table(tmp_path / f"no{ending}")
    (tmp_path / f"folder{ending}").mkdir()
    with pytest.raises(TableError, match="this is a folder; name a file in it"):
        wc.load_table(tmp_path / f"folder{ending}")


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("seed", range(8))
def test_changed_bytes_are_read_or_refused(tmp_path, ending, seed):
    content = bytearray(written(tmp_path, ending, {"s": ROWS}).read_bytes())
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 30)):
        content[rng.randrange(len(content))] = rng.randrange(256)
    path = tmp_path / f"changed{ending}"
    path.write_bytes(content[: rng.choice([len(content), rng.randrange(len(content))])])
    with contextlib.suppress(wc.WekaconfError):  # any other error fails
        assert isinstance(wc.load_table(path), wc.Dataset)


def far_xls(path):
    write_xls(path, {"s": [["a", "c"], [1, "x"], *[[]] * 65_533, [*[None] * 255, 3]]})


def far_ods(path):
    rows = "".join([ods_row(["a", "c"]), ods_row([1, "x"]), ods_row([None], 900_000), ods_row([*[None] * 999, 3])])
    write_ods(path, {"s": []}, below=rows)


def endless_ods(path):
    write_ods(path, {"s": [["a", "c"]]}, below=ods_row(["a", "c"], 2_000_000_000))


def packed_ods(path):
    write_ods(path, {"s": [["a", "c"]]}, below=" " * 300_000_000)


MEASURED = """
import re, resource, sys
import wekaconf as wc
try:
    wc.load_table(sys.argv[1])
except wc.base.errors.TableError as error:
    print(error)
itself = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]  # ru_maxrss counts the parent's, too
print(itself, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.parametrize("write", [far_xls, far_ods, endless_ods, packed_ods])
@pytest.mark.drawn(2)
def test_no_small_file_takes_much_memory(tmp_path, write):
    path = tmp_path / f"far.{write.__name__[-3:]}"
    write(path)
    done = subprocess.run([sys.executable, "-c", MEASURED, path], capture_output=True, text=True, check=True)
    message, kilobytes = done.stdout.splitlines()
    assert re.search(r"takes more than \d+ MB of memory|spans [\d,]+ rows|more than the 1,048,576 rows", message)
    itself, child = map(int, kilobytes.split())
    assert 1024 * child < excel.BYTES_OF_PROCESS + 2 * excel.largest(path.stat().st_size)
    assert itself < 400_000


@pytest.mark.parametrize(
    ("code", "complaints", "kind", "message"),
    [
        (1, "Traceback\nMemoryError", TooLargeError, "more than 300 MB of memory, which no table of 2.5 MB needs"),
        (1, "MemoryError", TooLargeError, "takes more than 300 MB of memory"),
        (-9, "", TooLargeError, "takes more than 300 MB of memory"),
        (1, "Traceback\nno zip\n", ValueError, "^no zip$"),
        (1, "cut", ValueError, "^cut$"),
        (1, "", ValueError, "^exit code 1$"),
        (0, " \n", ValueError, "^exit code 0$"),
    ],
)
def test_why_a_process_that_reads_a_sheet_has_ended(code, complaints, kind, message):
    written_to_its_end = io.StringIO()
    written_to_its_end.write(complaints)
    failure = excel._failure(code, written_to_its_end, 2_500_000, 300_000_000)
    assert type(failure) is kind and re.search(message, str(failure))


def test_texts_and_times_of_all_sorts(tmp_path):
    texts = ['"quoted" \\ {"date": 1}', "line\nbreak \u2028 \U0001f600"]
    path = written(tmp_path, ".ods", {"s": [["t", "c"], *([text, "a"] for text in texts)]})
    assert wc.load_table(path).attributes[0].values == tuple(texts)
    cell = '<table:table-cell office:value-type="time" office:time-value="PT01H02M03S"/>'
    row = ods_row([None, "a"]).replace("<table:table-cell/>", cell, 1)
    write_ods(path, {"s": [["t", "c"]]}, below=row)
    with pytest.raises(wc.WekaconfError, match=r"column 't', .* got time.*; .* a number"):
        wc.load_table(path)


def test_a_sheet_that_is_gone_or_cut(tmp_path):
    """Its name can be read."""
    with zipfile.ZipFile(written(tmp_path, ".xlsb", {"s": ROWS})) as book:
        members = {name: book.read(name) for name in book.namelist()}
    [sheet] = [name for name in members if name.endswith("sheet1.bin")]
    for content, why in ((None, "File not found"), (members[sheet][:50], "failed to fill whole buffer")):
        damaged = tmp_path / "damaged.xlsb"
        with zipfile.ZipFile(damaged, "w") as book:
            for name, whole in (members | {sheet: content}).items():
                if whole is not None:
                    book.writestr(name, whole)
        with pytest.raises(TableError, match=f"this is no Excel workbook, or a damaged one .*{why}"):
            wc.load_table(damaged)


@pytest.mark.parametrize(
    ("days", "message"),
    [(1.5, "'x', row 2 of the sheet: .* got timedelta; divide it by a unit"), (1e12, "or a damaged one .*days=")],
)
def test_durations(tmp_path, days, message):
    """Of 36 hours, and of more days than Python counts."""
    xlwt = pytest.importorskip("xlwt")
    book = xlwt.Workbook()
    sheet = book.add_sheet("s")
    sheet.write(0, 0, "x")
    sheet.write(1, 0, days, xlwt.easyxf(num_format_str="[h]:mm:ss"))
    book.save(str(tmp_path / "t.xls"))
    with pytest.raises(TableError, match=message):
        wc.load_table(tmp_path / "t.xls")


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    path = written(tmp_path, ".ods", {"s": ROWS})
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "python_calamine", None)
        with pytest.raises(wc.OptionError, match=r"needs python_calamine, which is not .*'wekaconf\[tables\]'"):
            wc.load_table(path)
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(wc.OptionError, match=r"only on Linux can such workbooks be read safely; save it as \.xlsx"):
        wc.load_table(path)
