"""What a paper prints, what is measured beside it, and how both are shown and written."""

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from support.command_line import ROOT
from support.csv_rows import rows_in
from support.fresh_python import child

import wekaconf as wc
from wekaconf.base.errors import Note
from wekaconf.data.catalogue import values_digest
from wekaconf.replication._cells import (
    Cell,
    Published,
    Repeated,
    by_chance,
    compare_cells,
    figure_of,
    p_cell,
    published_cells,
)
from wekaconf.replication._data_files import find_sets, load_set
from wekaconf.replication._study import Beside, Finding, Request, Results
from wekaconf.replication._verdicts import verdict_counts
from wekaconf.replication.papers import PAPERS, check_request, study_of
from wekaconf.replication.writing import cell_rows, print_results, report, write_results

ARFF = Path(__file__).parents[2] / "arff"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_printed_figure_has_its_place(paper):
    """Each stands in a part that can be asked for, and says where and why it may differ."""
    study, cells = study_of(paper), published_cells(paper)
    assert study.paper == paper and len(set(study.parts)) == len(study.parts)
    assert {cell.part for cell in cells} <= set(study.parts)
    assert all(cell.page for cell in cells)
    assert all(cell.remark for cell in cells if cell.status)
    assert study.data_sets and len(set(study.data_sets)) == len(study.data_sets)


def published(text, status="", remark="", kind="result", row="r", column="c"):
    return Published("table 1", row, column, text, "p. 1", kind, status, remark)


def cell(text, measured, status="", **more):
    return Cell(published(text, status, **more), measured)


def repeated(*numbers):
    return Repeated.of(numbers)


@pytest.mark.parametrize(
    ("compared", "verdict", "difference"),
    [
        (cell("88.74", 88.745), "met", pytest.approx(0.005)),
        (cell("88.74", 88.7451), "close", pytest.approx(0.0051)),
        (cell("88.74", 88.75), "close", pytest.approx(0.01)),
        (cell("88.74", 88.7501), "differs", pytest.approx(0.0101)),
        (cell("88.74", 88.7451, kind="property"), "differs", pytest.approx(0.0051)),
        (cell("5.0", repeated(2.0, 4.95)), "met", pytest.approx(-1.525)),
        (cell("5.1", repeated(2.0, 4.95)), "close", pytest.approx(-1.625)),
        (cell("6.5", repeated(2.0, 4.95)), "close", pytest.approx(-3.025)),
        (cell("6.6", repeated(2.0, 4.95)), "differs", pytest.approx(-3.125)),
        (cell("88.74", 90.0, "underspecified"), "underspecified", pytest.approx(1.26)),
        (cell("88.74", 88.74, "underspecified"), "underspecified", 0),
        (cell("88.74", 88.74, "no data"), "no data", 0),
        (cell("88.74", None), "no data", None),
        (cell("88.74", None, "underspecified"), "underspecified", None),
        (cell("88.74", float("nan")), "differs", None),
        (cell("33", 33.0), "met", 0),
        (cell("33", 34.0), "close", 1),
        (cell("33", 35.0), "differs", 2),
        (cell("0/5/30", (0, 5, 30)), "met", (0, 0, 0)),
        (cell("0/5/30", (1, 5, 29)), "close", (1, 0, -1)),
        (cell("0/5/30", (2, 4, 29)), "differs", (2, -1, -1)),
        (cell("<0.0001", "<0.0001"), "met", None),
        (cell("<0.0001", 0.01), "differs", None),
        (cell("0.5686", "<0.0001"), "differs", None),
    ],
)
def test_verdicts(compared, verdict, difference):
    assert (compared.verdict, compared.difference) == (verdict, difference)


def test_what_is_not_met_has_a_reason_if_there_is_one():
    assert cell("5", 5.0, remark="odd").remark == "" and cell("5", 9.0).remark == ""
    assert cell("5", None).remark == "its data set was not measured"
    assert cell("5", None, remark="odd").remark == cell("5", 9.0, remark="odd").remark == "odd"


def test_a_reading_that_a_study_does_not_have():
    for paper, known in (("costa2013", "it has one reading only"), ("wang2006", "its readings are table, text")):
        with pytest.raises(wc.OptionError, match=f"^no reading 'mine' of {paper}; {known}"):
            check_request(study_of(paper), Request(reading="mine"))


def test_lowest_to_highest_of_39_holds_the_next_in_95_percent():
    """Whatever the distribution; widened by half a unit of the printed digit."""
    random = np.random.default_rng(8)
    numbers = random.exponential(size=(20_000, 40))
    held = sum(Repeated.of(row[:39].tolist()).low <= row[39] <= Repeated.of(row[:39].tolist()).high for row in numbers)
    assert held / len(numbers) == pytest.approx(38 / 40, abs=0.005)
    one = cell("3.20", repeated(1.0, 2.0, 6.0))
    assert (one.ours, one.n_repetitions, one.interval) == (3.0, 3, (0.995, 6.005))
    assert (cell("3", (1, 2)).interval, cell("3", None).interval, cell("3", None).n_repetitions) == (None, None, 0)


def test_what_is_met_by_chance_is_the_mean_over_all_orders_of_a_column():
    """Figures of a column are dealt out in every order; what cannot be judged, and what is no result, is left out."""
    texts, ours = ("1", "2", "2", "9"), (repeated(0.0, 3.0), 2.0, repeated(1.0, 2.0), 4.0)
    column = [
        Cell(published(text, row=text + str(i)), one) for i, (text, one) in enumerate(zip(texts, ours, strict=True))
    ]
    others = [
        cell("2", 2.0, "underspecified", row="x"), cell("2", None, row="y"), cell("2", 2.0, kind="property", row="z"),
        cell("7", 7.0, column="d"),
    ]  # fmt: skip
    found = by_chance([*column, *others])
    orders = [
        sum(one.holds(float(text)) for one, text in zip(column, order, strict=True)) for order in permutations(texts)
    ]
    assert found.keys() == {one.published.place for one in (*column, others[-1])}
    assert sum(found[one.published.place] for one in column) == pytest.approx(np.mean(orders))
    assert found[others[-1].published.place] == 1


def test_figures_in_words():
    assert [figure_of(text) for text in ("3", "-.5", "1/2/3", "a/b", "48 points", "", "²")] == [
        3.0, -0.5, (1, 2, 3), "a/b", "48 points", "", "²",
    ]  # fmt: skip
    assert [p_cell(p) for p in (0.00005, 0.00009999, 0.0001, 0.00016)] == ["<0.0001", "<0.0001", "0.0001", "0.0002"]
    with pytest.raises(KeyError, match=r"prints nothing at .*table 9"):
        compare_cells(published_cells("wang2006"), {("table 9", "iris", "C45"): 1.0})


@pytest.mark.parametrize(
    ("text", "decimals", "half_unit"),
    [("97.50", 2, 0.005), ("99", 0, 0.5), ("-33.4", 1, 0.05), ("1/2", 0, 0.5), ("<0.0001", 0, 0.5)],
)
def test_the_unit_is_that_of_the_last_printed_digit(text, decimals, half_unit):
    one = published(text)
    assert (one.decimals, one.half_unit) == (decimals, pytest.approx(half_unit))


def test_files_are_found_in_the_first_folder_that_has_them(tmp_path):
    for place in ("a/iris.arff.gz", "a/zoo.arff", "b/zoo.arff", "b/zoo.arff.gz", "b/wine.arff"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_bytes(b"")
    folders = [tmp_path / "a", tmp_path / "b"]
    with pytest.warns(wc.Note, match=r"^1 data set is not in '.*a', '.*b' and left out: vote\.arff$"):
        paths, missing = find_sets(folders, ["vote", "zoo", "iris", "wine"])
    assert missing == ["vote"]
    assert paths == {
        "zoo": str(tmp_path / "a/zoo.arff"), "iris": str(tmp_path / "a/iris.arff.gz"),
        "wine": str(tmp_path / "b/wine.arff"),
    }  # fmt: skip


def test_a_file_is_compared_with_the_one_that_our_figures_are_of(tmp_path, recwarn):
    """By what it holds: names of attributes, comments and line ends do not count, a single cell does."""
    data = wc.load_arff(ARFF / "wdbc.arff")
    text = (ARFF / "wdbc.arff").read_text().replace("mean radius", "Radius")
    (tmp_path / "wdbc.arff").write_bytes(b"% a comment\r\n" + text.replace("\n", "\r\n").encode())
    assert values_digest(load_set("wdbc", str(tmp_path / "wdbc.arff"))) == values_digest(data)
    assert not recwarn.list
    values = data.values.copy()
    values[7, 3] += 0.1
    wc.save_arff(tmp_path / "wdbc.arff", wc.Dataset(data.header, values))
    with pytest.warns(wc.Note, match="expected wdbc with 569 instances, 31 attributes and 2 classes, got other values"):
        load_set("wdbc", str(tmp_path / "wdbc.arff"))
    wc.save_arff(tmp_path / "wdbc.arff", data.take(np.arange(177)))
    with pytest.warns(wc.Note, match="got 177 instances, 31 attributes and 2 classes; the figures that we recorded "):
        load_set("wdbc", str(tmp_path / "wdbc.arff"))
    load_set("wdbc-of-mine", str(tmp_path / "wdbc.arff"))


def test_every_set_of_the_papers_is_the_one_at_hand(uci, recwarn):
    for name in {name for paper in PAPERS for name in study_of(paper).data_sets} - {"waveform-5000", "mushroom"}:
        load_set(name, str(uci / f"{name}.arff"))
    assert not [str(each.message) for each in recwarn.list]


@pytest.fixture
def results():
    """All printed figures of Wang: of ours, one after the other, one is not there, one met, one close and one off."""
    published = published_cells("wang2006")
    ours = {}
    for number, one in enumerate(published):
        if number % 4 and isinstance(one.value, float):
            ours[one.place] = one.value + (0, 0, 0.008, 0.5)[number % 4]
        elif number % 4:
            ours[one.place] = tuple(np.add(one.value, (0, 1 - number % 4, number % 4 - 1)).tolist())
    return Results(
        [{"dataset": "iris", "measured": 1.0, "versions": {"weka": "3.9.7"}}],
        compare_cells(published, ours),
        [Beside("table 4", "Means of ours", ("a", "b"), {"x": (1.23456, None), "y": ((1, 2, 3), "words")}, 3)],
        [Finding("", "How it was measured."), Finding("table 4", "What came out.")],
        missing=["zoo"],
    )


def test_the_counts_of_a_table_are_those_of_its_kinds():
    """Of results alone; the other kinds stand beside."""
    cells = [
        cell("5.0", repeated(4.0, 6.0), row="a"), cell("9.0", repeated(4.0, 6.0), row="b"),
        cell("3", 3.0, column="n", kind="property"), cell("4", 3.0, column="m", kind="property"),
        cell("2.5", 2.5, column="p", kind="arithmetic"), cell("1.0", None, "no data", row="d"),
    ]  # fmt: skip
    header, *rows = cell_rows(cells)
    headings, lines = verdict_counts([dict(zip(header, map(str, row), strict=True)) for row in rows])
    assert dict(zip(headings, lines["table 1"], strict=True)) == {
        "met": "1", "close": "0", "differs": "1", "underspecified": "0", "no data": "1", "by chance": "1.0",
        "width": "2.1", "repetitions": "2", "properties": "1 of 2", "arithmetic": "1 of 1",
    }  # fmt: skip
    assert lines["all"] == [text if i != headings.index("width") else "–" for i, text in enumerate(lines["table 1"])]


@pytest.fixture
def two_parts():
    """A study of two parts, and results with a figure that differs in each column of the first."""
    study = SimpleNamespace(title="An example.", parts=("table 1", "section 2"))
    cells = [
        cell("90.0", 90.0, row="iris", column="AUC"),
        cell("150", 150.0, row="iris", column="n", kind="property"),
        cell("80.0", 85.0, row="zoo", column="AUC", remark="The folds, which the paper does not tell, are others"),
        cell("101", 100.0, row="zoo", column="n", kind="property", remark="A row is missing"),
        cell("70.0", 75.0, row="wine", column="AUC", remark="The folds, which the paper does not tell, are others"),
    ]
    findings = [
        Finding("", "How it was measured."),
        Finding("table 1", "What came out of it, in as many words as do not stand in one line."),
        Finding("section 2", "And what followed."),
    ]
    return study, Results([], cells, [Beside("table 1", "Beside it", ("a", "b"), {"x": (1.0, None)}, 1)], findings)


def test_a_part_is_shown_with_its_counts_and_reasons_and_its_sentences(two_parts, capsys):
    study, found = two_parts
    print_results(study, Request(), found, width=60)
    shown = capsys.readouterr().out.partition("fit in print")[0]
    assert (
        shown.partition("* How it was measured.\n")[2]
        == """
      Table 1, published  ours      difference  verdict
       AUC   n             AUC   n   AUC  n     AUC n
────  ────────            ────────  ───────     ─────
iris  90.0 150            90.0 150  +0.0 +0       = =
zoo   80.0 101            85.0 100  +5.0 -1       ≠ ≠
wine  70.0                75.0      +5.0          ≠

Table 1, result: 1 met, 2 differ; property: 1 met, 1
differs.
  ≠ AUC (2 differ): The folds, which the paper does not
    tell, are others.
  ≠ n (1 differs): A row is missing.

   Beside it
     a b
─  ─────
x  1.0 –

* What came out of it, in as many words as do not stand in
  one line.

* And what followed.
"""
    )


def test_a_trial_counts_what_was_computed_and_tells_how_many_sets_are_not(two_parts, capsys):
    study, found = two_parts
    cells = [*found.cells, cell("60.0", None, row="vote", column="AUC")]
    for is_quick in (False, True):
        request = Request(quick=is_quick)
        print_results(study, request, replace(found, cells=cells, missing=["vote"], failed={"a": "b"}), width=60)
        shown = capsys.readouterr().out
        assert "\n2 data sets left out.\n" in shown and ("vote" in shown) != is_quick
        assert shown.startswith("Trial: only a part") == is_quick


def test_versions_that_differ_are_all_told(results, tmp_path):
    versions = [{"weka": "3.9.7"}, {"weka": "3.8.6"}, {"weka": "3.9.7"}]
    found = replace(results, records=[{"dataset": "iris", "versions": each} for each in versions])
    place = Path(write_results(str(tmp_path), study_of("wang2006"), Request(), found, "report", []))
    assert json.loads((place / "environment.json").read_text())["versions"] == versions[:2]


def test_counts_are_subtracted_one_by_one(two_parts, capsys):
    study, found = two_parts
    cells = [cell("0/5/30", (1, 5, 29), row="iris"), cell("2/2/31", (2, 2, 31), row="zoo")]
    print_results(study, Request(), replace(found, cells=cells), width=100)
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["iris", "0/5/30", "1/5/29", "+1/+0/-1", "≈"] in shown
    assert ["zoo", "2/2/31", "2/2/31", "+0/+0/+0", "="] in shown


def test_a_summary_that_is_too_wide_has_several_tables(two_parts, capsys):
    study, found = two_parts
    print_results(study, Request(), found, with_details=False, width=60)
    shown = capsys.readouterr().out
    lines = [line.split() for line in shown.splitlines()]
    assert "\n\nMet: inside our interval" in shown
    assert [line[1:] for line in lines if line[:1] == ["all"]] == [
        ["1", "0", "2", "0", "0"], ["0.3", "–", "1", "1", "of", "2", "–"],
    ]  # fmt: skip


def test_files(results, tmp_path):
    """Each is whole, and writing again leaves the same."""
    study = study_of("wang2006")

    def draw(path):
        Path(path).write_text("drawn")

    results.figures["figure 3"] = draw
    place = Path(
        write_results(
            str(tmp_path / "out"), study, Request(), results, "report", ["wekaconf", "study", "replicate", "wang2006"]
        )
    )
    assert sorted(path.name for path in place.iterdir()) == [
        "beside.csv", "cells.csv", "environment.json", "figure-3.pdf", "figure-3.png", "figure-3.svg", "findings.txt",
        "records.csv", "report.txt",
    ]  # fmt: skip
    rows = rows_in(place / "cells.csv")
    assert len(rows) == len(results.cells)
    for row, one in zip(rows, results.cells, strict=True):
        assert (row["part"], row["row"], row["column"]) == one.published.place
        assert (row["verdict"], row["remark"], row["page"]) == (one.verdict, one.remark, "section 6")
        assert row["published"] == one.published.text
        if one.ours is not None:
            assert figure_of(row["ours"]) == pytest.approx(one.ours, rel=1e-11)
    assert rows[0].keys() == set(next(cell_rows([])))
    environment = json.loads((place / "environment.json").read_text())
    assert environment["command"] == ["wekaconf", "study", "replicate", "wang2006"]
    assert environment["versions"] == {"weka": "3.9.7"}
    assert (place / "records.csv").read_text() == "dataset,measured\niris,1\n"
    assert (place / "findings.txt").read_text() == "wang2006: How it was measured.\ntable 4: What came out.\n"
    before = {path: path.read_bytes() for path in place.iterdir()}
    write_results(
        str(tmp_path / "out"), study, Request(), results, "report", ["wekaconf", "study", "replicate", "wang2006"]
    )
    assert {path: path.read_bytes() for path in place.iterdir()} == before
    with pytest.raises(
        wc.OptionError, match=r"report\.txt: is a file; name a folder, which may be new, for what is fin"
    ):
        write_results(place / "report.txt", study, Request(), results, "report", [])


def test_a_line_of_the_report_has_160_characters():
    """As many words as fit, here of one letter and a space each, behind an indent of two characters."""
    found = Results([], [], [], [Finding("", "a " * 299 + "a")])
    lines = [line for line in report(study_of("wang2006"), Request(), found).splitlines() if set(line) == {"a", " "}]
    assert max(map(len, lines)) == len("  " + "a " * 78 + "a")


def test_drawings_of_an_earlier_call_are_named(results, tmp_path, recwarn):
    """They stay, and a note says that they are not of the figures beside them; a user's own pictures are not meant."""
    study = study_of("wang2006")
    results.figures["figure 3"] = lambda path: Path(path).write_text("drawn")
    for _ in range(2):
        place = Path(write_results(str(tmp_path), study, Request(), results, "report", ["wekaconf", "größer"]))
    assert '"größer"' in (place / "environment.json").read_text("utf-8")
    (place / "figure-30.png").write_text("mine")
    assert not recwarn.list
    del results.figures["figure 3"]
    write_results(str(tmp_path), study, Request(), results, "report", ["wekaconf"])
    [note] = recwarn.list
    names = "figure-3.pdf, figure-3.png, figure-3.svg"
    assert str(note.message) == f"{place}: not drawn by this call, but by an earlier one: {names}"
    assert (place / "figure-3.png").exists()


def test_what_cannot_be_drawn_is_a_note_and_all_else_is_written(results, tmp_path):
    def draw(path):
        raise wc.OptionError("a figure needs matplotlib")

    results.figures.update({"figure 3": draw, "figure 4": lambda path: Path(path).write_text("drawn")})
    with pytest.warns(Note, match="^no figure is drawn: a figure needs matplotlib$") as told:
        place = Path(write_results(str(tmp_path), study_of("wang2006"), Request(), results, "report", ["wekaconf"]))
    assert len(told) == 1 and not list(place.glob("figure*"))
    assert (place / "cells.csv").exists() and (place / "environment.json").exists()


def test_texts_are_in_utf_8_whatever_the_machine_prefers():
    """Python warns of each file that is opened in the machine's own encoding."""
    code = """
import sys, warnings
warnings.filterwarnings("error", category=EncodingWarning, module="wekaconf")
import wekaconf as wc
from wekaconf.replication._cells import published_cells
from wekaconf.report._answer_files import answer_file
from wekaconf.report._html_page import read_asset
published_cells("davidsson1996")
read_asset("wekaconf.report", "page_base.css")
with answer_file(None) as write:
    write(wc.load_arff(sys.argv[1])[:1])
"""
    printed = child(code, ROOT / "arff" / "iris.arff", PYTHONWARNDEFAULTENCODING="1")
    assert printed.splitlines()[1:] == ["5.1,3.5,1.4,0.2,setosa"]


def test_findings_of_a_quick_run_say_so(results, tmp_path):
    study = study_of("wang2006")
    place = Path(write_results(str(tmp_path), study, Request(quick=True), results, "report", ["wekaconf"]))
    assert (place / "findings.txt").read_text().startswith("wang2006: Trial: only a part of the data sets")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["table 1,iris,C45,94.7,5,,,"] * 2, "paper/cells.csv: a place occurs twice"),
        (["table 1,iris,C45,94.7,5,,mine,"], "cells.csv: the status 'mine' is none of"),
        (["table 1,iris,C45,94.7,5,mine,,"], "cells.csv: the kind 'mine' is none of"),
    ],
)
def test_figures_of_a_paper_that_contradict_one_another(monkeypatch, tmp_path, rows, message):
    """As an author of another study might write them."""
    (tmp_path / "paper").mkdir()
    header = "part,row,column,published,page,kind,status,remark"
    (tmp_path / "paper" / "cells.csv").write_text("\n".join([header, *rows]) + "\n")
    monkeypatch.setattr("wekaconf.replication._cells.files", lambda _: tmp_path)
    with pytest.raises(ValueError, match=message):
        published_cells("paper")
