"""Tables as people see them: what fits a line, where names break, what stands side by side."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from wekaconf.cli.console import folded
from wekaconf.report import _result_tables as tables
from wekaconf.report import printing
from wekaconf.report.printing import (
    IN_NAMES,
    Block,
    Column,
    Names,
    fold,
    fold_words,
    print_blocks,
    print_legend,
    print_text,
)

LONG = "boundary_distance:scaling=minmax,nominal_distance=inf"


@pytest.fixture
def printed(capsys):
    def lines(function, *arguments, **options):
        function(*arguments, **options)
        return capsys.readouterr().out.splitlines()

    return lines


# -- folding --


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (60, [LONG]),
        (53, [LONG]),
        (52, ["boundary_distance:scaling=minmax,", "nominal_distance=inf"]),
        (32, ["boundary_distance:", "scaling=minmax,", "nominal_distance=inf"]),
        (18, ["boundary_distance:", "scaling=minmax,", "nominal_distance=", "inf"]),
    ],
)
def test_a_name_breaks_after_a_colon_or_comma_first(width, lines):
    assert fold(LONG, width, IN_NAMES) == lines


def test_paths_break_at_folders_and_titles_between_their_parts():
    assert fold("/data/uci/breast-w.arff", 12, IN_NAMES) == ["/data/uci/", "breast-w.arf", "f"]
    title = "J48 of Weka 3.9.7; 10-fold cross-validation, seed 1; pooled answers"
    assert fold(title, 40, printing.IN_TITLES) == [
        "J48 of Weka 3.9.7;",
        "10-fold cross-validation, seed 1;",
        "pooled answers",
    ]
    assert fold("a sentence of some words", 12) == ["a sentence", "of some", "words"]


def test_only_the_first_line_is_narrower_where_something_stands_before_it():
    text = "first; second part, third part of it"
    assert fold(text, 24, printing.IN_TITLES, first_width=8) == ["first;", "second part, third part", "of it"]
    assert fold(text[7:], 24, printing.IN_TITLES, first_width=8) == ["second", "part, third part of it"]


@pytest.mark.parametrize("width", [0, 1])
def test_a_line_has_room_for_a_character(width):
    assert fold("ab", width, IN_NAMES) == ["a", "b"]


def test_words_stand_in_lines_without_breaking():
    assert fold_words(["a", "bb", "c", "dddddd", "e", "ff"], 4) == ["a bb", "c", "dddddd", "e ff"]
    assert fold_words([], 4) == []


def test_a_paragraph_that_fits_is_one_line_and_the_others_are_indented(capsys):
    print_text("aaaa bbbb", width=9, hanging=2)
    print_text("aaaa bbbb", width=8, hanging=2)
    print_text("aaaa bbbb", width=8)
    assert capsys.readouterr().out == "aaaa bbbb\naaaa\n  bbbb\naaaa\nbbbb\n"


def test_a_number_stays_with_its_percent_where_there_is_room(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert fold("of all answers 95.1 % are right", 19) == ["of all answers", "95.1 % are right"]
    assert fold("100 %", 3) == ["100", "%"]
    for n in range(60, 80):
        lines = folded("x" * n + " 95.1 % are right").split("\n")
        assert not any(line.startswith("%") for line in lines) and "\N{NO-BREAK SPACE}" not in "".join(lines)


@given(
    st.text(st.characters(exclude_categories=["C", "Z", "M"], include_characters=" "), max_size=60), st.integers(2, 30)
)
@example("類別:長い名前,もう一つ", 8)
@settings(deadline=None)
def test_folding_loses_nothing_and_fits(text, width):
    lines = fold(text, width, IN_NAMES)
    assert max(map(cell_len, lines)) <= width or cell_len(text.rstrip()) <= width
    assert "".join("".join(lines).split()) == "".join(text.split())


# -- tables --


def table(n_columns=3, *, last=False, title="", groups=("iris", "wine")):
    lines = [(group, name) for group in groups for name in (LONG, "wpe")]
    columns = [
        Column(f"error at\n{i} %", [f"{i}.{place}" for place in range(len(lines))], ["0.5"] if last else [])
        for i in range(n_columns)
    ]
    return Names("data set\n  method", lines, ["mean"] if last else []), [Block(title, columns)]


def test_one_table_as_it_stands(printed):
    assert printed(print_blocks, *table(2, last=True, title="Errors"), width=80) == [
        "",
        "                                                         Errors",
        "data set                                                 error at error at",
        "  method                                                      0 %      1 %",
        "───────────────────────────────────────────────────────  ─────────────────",
        "iris",
        f"  {LONG}       0.0      1.0",
        "  wpe                                                         0.1      1.1",
        "",
        "wine",
        f"  {LONG}       0.2      1.2",
        "  wpe                                                         0.3      1.3",
        "───────────────────────────────────────────────────────  ─────────────────",
        "mean                                                          0.5      0.5",
    ]


def test_names_fold_before_columns_go_below(printed):
    lines = printed(print_blocks, *table(5), width=80)
    assert len([line for line in lines if line.startswith("data set")]) == 1
    first = next(i for i, line in enumerate(lines) if "boundary" in line)
    assert lines[first].split() == ["boundary_distance:", "0.0", "1.0", "2.0", "3.0", "4.0"]
    assert lines[first + 1 : first + 3] == ["    scaling=minmax,", "    nominal_distance=inf"]


@pytest.mark.parametrize(("length", "is_whole"), [(30, True), (31, False)])
def test_beside_many_columns_a_folded_name_has_32_characters(printed, length, is_whole):
    """Two of them for the indent of what follows the method; six columns fill the rest of a line."""
    options = "a" * 15 + "/" + "b" * (length - 16)
    columns = [Column(f"error {i:x}", ["0.5"]) for i in range(12)]
    lines = printed(print_blocks, Names("", [("", f"method:{options}")]), [Block("", columns)], width=32 + 2 + 47)
    assert any(options in line for line in lines) == is_whole


@pytest.mark.parametrize(
    ("group", "name", "headings", "lines"),
    [
        ("", "aaaa/bbbb/cc", ["x" * 10], [
            "         xxxxxxxxxx", "───────  ──────────", "aaaa/             1", "  bbbb/", "  cc",
        ]),
        ("g", "aaaa/bbbb/cc", ["x" * 10], [
            "          xxxxxxxxxx", "────────  ──────────", "g", "  aaaa             1", "    /", "    bbbb", "    /cc",
        ]),
        ("g", "aa:bbbb/cc", ["xxx"] * 2, [
            "             xxx xxx", "───────────  ───────", "g", "  aa:          1   1", "    bbbb/cc",
        ]),
    ],
)  # fmt: skip
def test_names_take_the_room_that_columns_leave(printed, group, name, headings, lines):
    """As much as their parts need, and below their group less by its indent."""
    columns = [Column(heading, ["1"]) for heading in headings]
    assert printed(print_blocks, Names("", [(group, name)]), [Block("", columns)], width=20) == ["", *lines]


@pytest.mark.parametrize(("options", "is_whole"), [("-M 2 -C 0.123456", True), ("-M 2 -C 0.1234567", False)])
def test_learners_of_more_than_20_characters_are_folded(options, is_whole):
    records = [{"learner": "J48", "options": ""}, {"learner": "J48", "options": options}]
    [column] = tables.learner_column(records)
    assert column.cells[0] == "J48" and (column.cells[1] == f"J48 {options}") == is_whole


SHARED = {
    "dataset": "rare", "label": "wpe", "learner": "J48", "options": "", "runs": 2, "pooled": {"auc_mean": 0.5},
    "events": {}, "outcomes": [], "notes": [],
}  # fmt: skip


def print_aucs(records):
    tables.print_tables([tables.metrics_table(records, "AUC", metrics=("auc_mean",))], legend=False)


def test_events_of_a_method_are_counted_in_a_column_that_others_leave_empty(printed):
    lines = printed(print_aucs, [SHARED, {**SHARED, "label": "confdtree", "events": {"fine": 7}}])
    assert "None" not in "".join(lines)
    [of_wpe], [of_confdtree] = ([line for line in lines if name in line] for name in ("wpe", "confdtree"))
    assert of_confdtree.split()[-1] == "7" and not of_wpe.split()[-1].isdigit()


@pytest.mark.parametrize(("n", "is_noted"), [(4, True), (5, False)])
def test_fewer_than_five_test_instances_of_a_class_in_a_run_are_noted(printed, n, is_noted):
    counts = {"yes": 2 * n, "no": 180}
    outcomes = [{"class_name": name, "n": count, "is_foreign": False} for name, count in counts.items()]
    records = [{**SHARED, "outcomes": outcomes, "pooled": {"auc_mean": 0.5, "brier": 0.1}}]
    lines = printed(print_aucs, records)
    assert tables.metrics_table(records, "Brier score", metrics=("brier",)).below == []
    noted = f"rare: AUC may mislead where a class has few test instances: 'yes' has {n}"
    assert (noted in lines) == is_noted and any("mislead" in line for line in lines) == is_noted


def test_a_note_names_its_data_sets_unless_it_holds_for_all():
    notes = [("rare", "wpe", ["one", "two"]), ("rare", "tpce", ["one"]), ("iris", "wpe", ["one"]), ("iris", "tpce", [])]
    records = [SHARED | {"dataset": name, "label": label, "notes": told} for name, label, told in notes]
    table = tables.metrics_table(records, "AUC", metrics=("auc_mean",))
    assert table.below == ["wpe: one", "wpe: two (rare)", "tpce: one (rare)"]


def test_tables_stand_apart_with_what_is_said_below_them(printed):
    first = tables.Table(
        "One; title", Names.of_no_group(["a", "b"]), [Block("", [Column("AUC", ["0.5", "–"])])], {"AUC": "area"},
        ["", "a sentence"], "context",
    )  # fmt: skip
    second = tables.Table("Two", Names.of_no_group(["a"]), [Block("", [Column("x", ["1"])])], {})
    shown = ["One; title", "", "   AUC", "─  ───", "a  0.5", "b    –", ""]
    others = ["", "Two", "", "   x", "─  ─", "a  1"]
    assert printed(tables.print_tables, [first, second], legend=False) == [*shown, "a sentence", *others]
    legend = ["AUC: area", "–: not defined", "", "a sentence"]
    assert printed(tables.print_tables, [first, second], legend=True) == [*shown, *legend, *others]
    lines = printed(tables.print_latex, [first, second])
    assert [line for line in lines if line.startswith((r"\caption", "% a"))] == [
        r"\caption{One; title; context.}", "% a sentence", r"\caption{Two.}",
    ]  # fmt: skip
    assert lines.count("") == 1 and lines[lines.index("") - 1 :][:3] == ["% a sentence", "", lines[0]]


@given(
    st.integers(1, 12), st.integers(24, 200), st.booleans(), st.sampled_from(["", "Test instances of known classes"])
)
@settings(deadline=None)
def test_every_cell_is_printed_once_within_the_width(n_columns, width, last, title):
    from contextlib import redirect_stdout
    from io import StringIO

    names, blocks = table(n_columns, last=last, title=title)
    with redirect_stdout(StringIO()) as out:
        print_blocks(names, blocks, width=width)
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    cells = re.findall(r"(?<= )\d+\.\d(?=\s)", out.getvalue())
    assert sorted(cells) == sorted(cell for column in blocks[0].columns for cell in (*column.cells, *column.last))
    n_pages = len([line for line in lines if line.startswith("data set")])
    assert len([line for line in lines if line.startswith("  wpe ")]) == 2 * n_pages


def test_a_block_that_is_too_wide_is_divided_evenly(printed):
    """Of four columns three would fit beside the names."""
    block = Block.of_rows("", ["aaaa", "bbbb", "cccc", "dddd"], [["1", "2", "3", "4"]])
    lines = printed(print_blocks, Names("", [("", "iris")]), [block], width=20)
    assert [line.split() for line in lines if "a" in line or "c" in line] == [["aaaa", "bbbb"], ["cccc", "dddd"]]


def test_a_short_title_stands_right_above_its_table(printed):
    blocks = [Block.of_rows(title, ["a"], [["1"]]) for title in ("one\nlower", "single")]
    lines = printed(print_blocks, Names("", [("", "iris")]), blocks, width=40)
    assert [line.split() for line in lines[1:3]] == [["one"], ["lower", "single"]]


def test_blocks_stand_side_by_side_where_they_fit(printed):
    names = Names("", [("", "iris"), ("", "wine")], ["mean"])
    blocks = [
        Block.of_rows(title, ["a", "b"], [["1", "2"], ["3", "4"]], [["5", "6"]]) for title in ("ours", "published")
    ]
    assert printed(print_blocks, names, blocks, width=21) == [
        "",
        "      ours  published",
        "      a b   a b",
        "────  ───   ───",
        "iris  1 2   1 2",
        "wine  3 4   3 4",
        "────  ───   ───",
        "mean  5 6   5 6",
    ]
    below = printed(print_blocks, names, blocks, width=20)
    assert [line.strip() for line in below if line.startswith("      ") and line.strip().isalpha()] == [
        "ours",
        "published",
    ]


def test_wide_characters_and_brackets_are_text(printed):
    names = Names("class", [("", "類別"), ("", "[red]x[/red]")])
    lines = printed(print_blocks, names, [Block("", [Column("n", ["1", "22"])])], width=40)
    assert lines[-2:] == ["類別           1", "[red]x[/red]  22"]


@pytest.mark.parametrize(("columns", "width"), [("72", 72), (None, 80)])
def test_width_of_a_pipe(monkeypatch, columns, width):
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("os.get_terminal_size", lambda *_: (_ for _ in ()).throw(OSError))
    assert printing.screen_width() == width


def test_legend_and_text(printed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    assert printed(print_legend, {}) == []
    assert printed(print_legend, {"error\n%": "share of the answers that is wrong"}) == [
        "",
        "error %: share of the",
        "  answers that is wrong",
    ]
    assert printed(print_text, "as long as this", width=15) == ["as long as this"]


def test_every_metric_but_one_has_a_line_in_the_legend():
    assert set(tables.HEADINGS) - set(tables.MEANINGS) == {"percent_correct"}
    for name, meaning in tables.MEANINGS.items():
        assert len(f"{tables.HEADINGS[name]}: {meaning}") <= 80
