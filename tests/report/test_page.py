"""The page of `wekaconf study report`: what it shows, its size, its borders; and the same page in a browser."""

import html
import math
import re
import shutil
from dataclasses import replace
from functools import partial
from itertools import pairwise, product

import numpy as np
import pytest
from support.accessible import violations
from support.command_line import ARFF
from support.csv_rows import rows_in, rows_of
from support.invented_comparisons import invented
from support.parsed_html import ParsedHtml

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import COLOURS
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.measures import risk_coverage
from wekaconf.evaluation.measures._ranking import areas_under_roc
from wekaconf.experiments.store import Store
from wekaconf.methods.contract._method import display_of
from wekaconf.report._html_page import DARK_COLOURS, ShownNames
from wekaconf.report._page import ComparisonOptions, Report
from wekaconf.report._page.curves import best_and_worst, curves_of, pictures_of
from wekaconf.report._page.frame import HEIGHT, WIDTH, Axis, Frame, thin
from wekaconf.report._page.matrix import AXIS, all_sets_tested, differing_pairs, matrix_of, rank_diagram
from wekaconf.report._page.rendering import MEASURES, Part
from wekaconf.report.comparison._formats import with_display_names
from wekaconf.report.comparison._sentences import notes_of
from wekaconf.report.evaluation import Result
from wekaconf.report.pictures._calibration import wilson_interval

pytestmark = pytest.mark.filterwarnings("ignore::wekaconf.Note")

SETS = ("iris", "wine", "credit-g")
METHODS = ("confdtree", "leaf_frequency", "m_branch")
SCHEMES = ("leaf_frequency", "m_branch", "wpe")
HOSTILE = "<script>document.title='taken'</script>\"' onload=x \u202egnp.exe &amp; {{ 7*7 }}"
LONG = "n" * 10_000


@pytest.fixture(scope="module")
def results(jvm):
    """Results of three methods on three data sets."""
    every = wc.Evaluation(())
    for name in SETS:
        every += wc.evaluate(wc.load_arff(ARFF / f"{name}.arff"), METHODS, learner="J48", name=name, folds=5)
    return list(every)


def renamed(results, **names):
    """The results under other names of a data set or a method."""
    return [
        Result(
            record | {key: names[record[key]] for key in ("dataset", "label") if record[key] in names},
            replace(answers, class_names=tuple(names.get(name, name) for name in answers.class_names)),
        )
        for record, answers in results
    ]


def page_of(results, **further):
    return Report.of("A study", results, ComparisonOptions(), **further).html()


# -- what it shows -------------------------------------------------------------------------------------------------


def test_a_page_is_whole_and_in_order(results):
    text = page_of(results, facts={"Command": "wekaconf study report --store a.sqlite"})
    parsed = ParsedHtml(text)
    levels, ids = [int(tag[1]) for tag in parsed.tags if re.fullmatch(r"h[1-6]", tag)], parsed.values_of("id")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))
    assert len(ids) == len(set(ids)) and set(" ".join(parsed.values_of("aria-labelledby")).split()) <= set(ids)
    assert {link for link in parsed.links if not link.startswith("#")} == {"data:,"}
    assert {link[1:] for link in parsed.links if link.startswith("#")} <= set(ids)
    pictures = [given for tag, given in parsed.elements if tag == "svg" and given.get("role") == "img"]
    assert len(pictures) == 9 + (2 + 3) + (2 + 3) + (2 + 1) - 1  # diagrams and sets; auroc_known is not there
    assert all(given["aria-labelledby"] for given in pictures)
    assert parsed.handlers == []
    order = [text.index(f'id="{name}"') for name in ("findings", "tables", "data-sets", "environment")]
    assert order == sorted(order)
    assert text.index("wekaconf study report --store a.sqlite") > order[-1]


def test_findings_begin_with_methods_and_measures(results):
    """Mean ranks, marks and wins are those of the comparisons; tables stand before the first list of sentences."""
    text = page_of(results)
    findings = text[text.index('id="findings"') : text.index('id="tables"')]
    assert "<p>" not in findings and findings.index('class="sortable matrix"') < findings.index("<li>")
    body = findings[findings.index("<tbody>") : findings.index("</tbody>")]
    rows = [row.split("</th>") for row in re.findall(r'<tr><th scope="row">(.*?)</tr>', body, re.DOTALL)]
    cells = {
        re.sub(r" *<.*", "", name): [
            re.sub(r"<[^>]*>", "", cell).split() for cell in re.findall(r"<td.*?</td>", rest, re.DOTALL)
        ]
        for name, rest in rows
    }
    assert next(iter(cells)) == "leaf frequency" and "ConfDTree" in cells
    for column, measure in enumerate(MEASURES[:8]):
        found = wc.Evaluation(tuple(results)).compare(measure=measure, base="leaf_frequency")
        over_sets = {pair.better: "v" for pair in found.differences if pair.worse == 0}
        over_sets |= {pair.worse: "*" for pair in found.differences if pair.better == 0}
        for place, scheme in enumerate(found.schemes):
            rank, wins = found.ranks.mean_ranks[place], found.wins(place)
            wanted = ["–" if np.isnan(rank) else f"{rank:.2f}", *over_sets.get(place, "")]
            wanted += ["/".join(map(str, wins))] if place and found.ranks.n_sets > 1 else []
            assert cells[display_of(scheme)][column] == wanted, measure
            if rank == found.ranks.mean_ranks.min() < found.ranks.mean_ranks.max():
                assert f"<strong>{rank:.2f}</strong>" in body


def test_findings_begin_with_what_thresholds_reached(jvm):
    """The figures that evaluate prints, mean of the data sets; coverage and error have tables, too."""
    protocol, every = wc.Protocol(folds=4, aim=wc.Aim("error", 0.05)), wc.Evaluation(())
    for name in SETS[:2]:
        every += wc.evaluate(wc.load_arff(ARFF / f"{name}.arff"), METHODS[:2], protocol=protocol, name=name)
    text = page_of(every)
    findings = text[text.index('id="findings"') : text.index('id="tables"')]
    assert "threshold: error at most 5 %, chosen out of fold</h3>" in findings
    assert findings.index("What the thresholds reach on the test instances") < findings.index("sortable matrix")
    for label, name in (("confdtree", "ConfDTree"), ("leaf_frequency", "leaf frequency")):
        reject = [record["reject"] for record in every.records if record["label"] == label]
        cells = [f"{100 * np.nanmean([each[part] for each in reject]):.2f}" for part in ("coverage", "error")]
        assert f'<tr><th scope="row">{name}</th><td>{cells[0]}</td><td>{cells[1]}</td></tr>' in findings
    tables = text[text.index('id="tables"') : text.index('id="data-sets"')]
    assert "<h4>Coverage (share of the rows that is answered)</h4>" in tables
    assert "<h4>Error (share of the answers that is wrong)</h4>" in tables and ">coverage %<" not in tables


def test_a_sentence_stands_once_for_all_measures(results):
    text = html.unescape(page_of(results))
    evaluation = wc.Evaluation(tuple(results))
    all_measures = [
        with_display_names(evaluation.compare(measure=name, base="leaf_frequency")) for name in MEASURES[:8]
    ]
    told = [note for each in all_measures for note in notes_of(each)]
    assert len(told) > len({*told}) > 1
    for note in {*told}:
        assert text.count(note) == 1
    assert "On none of" not in text and "is significantly better than" not in text


def test_pairs_that_differ_are_in_a_table():
    """Those of eight data sets on which one method is always ahead, in one measure of two."""
    rng = np.random.default_rng(0)
    ahead = np.column_stack((rng.random(8), rng.random(8) + 2, rng.random(8)))
    first, second = invented(ahead, SCHEMES), invented(rng.random((8, 3)), SCHEMES, measure="brier")
    assert [(pair.better, pair.worse) for pair in first.differences] == [(1, 0), (1, 2)] and not second.differences
    found = differing_pairs([first, second])
    assert [(better, worse) for better, worse, _ in found] == [("m_branch", "leaf_frequency"), ("m_branch", "wpe")]
    assert all(
        re.fullmatch(r"p = 0\.0\d+; 1\.00, 0\.\d\d to 1\.00", texts[0]) and texts[1] == "" for _, _, texts in found
    )
    matrix = matrix_of([first, second])
    assert [(row[0].mark, row[0].is_best) for row in matrix.cells] == [("", False), ("v", True), ("", False)]
    assert len(matrix_of([invented(ahead[:, :2], SCHEMES[:2])]).cells) == 2 and matrix_of([]) is None
    gaps = np.where((np.arange(8) > 0)[:, None] & (np.arange(3) == 2), np.nan, first.mean)
    one_whole = replace(first, mean=gaps)
    assert one_whole.ranks.n_sets == 1 and {row[0].text for row in matrix_of([one_whole]).cells} == {"–"}
    [base, better, other] = [row[0] for row in matrix.cells]
    assert (base.wins, base.description) == ("", "") and other.wins == "0/0/0"
    assert better.description.startswith("on 0 data sets significantly better than ")
    assert other.description.endswith("on 0 not significantly different, on 0 worse")
    assert all_sets_tested([first, second]) == [
        ("auc_weighted", ["8", "m_branch 1.00", "12.25", "0.0022", "1.17", "2 of 3"]),
        ("brier", ["8", "m_branch, wpe 1.75", "3.00", "0.22", "1.17", "0 of 3"]),
    ]
    of_two = invented([[0.5, 0.6]] * 3, SCHEMES[:2])
    assert all_sets_tested([of_two]) == [("auc_weighted", ["3", "m_branch 1.00", "–", "–", "–", "0 of 1"])]


def test_of_one_data_set_the_table_of_all_measures_has_its_means():
    """Of several ones without ranks it has none."""

    def table_of(n):
        compared = invented([[0.5, 0.75, 0.625]] * n, SCHEMES)
        return [(row[0].text, row[0].is_best) for row in matrix_of([compared]).cells]

    assert table_of(1) == [("0.5000", False), ("0.7500", True), ("0.6250", False)]
    assert table_of(2) != table_of(1)


def test_tables_and_marks_are_those_of_the_comparison(results):
    text = html.unescape(page_of(results))
    found = wc.Evaluation(tuple(results)).compare(measure="brier", base="leaf_frequency")
    assert found.schemes[0] == "leaf_frequency"  # the plain tree, though it was not measured first
    assert "leaf frequency <small>(base)</small>" in text
    assert "<dt>leaf frequency</dt><dd><code>leaf_frequency</code></dd>" in text
    rows = re.findall(r'<tr><th scope="row">credit-g</th>(.*?)</tr>', text, re.DOTALL)
    shown = [[re.sub(r"<[^>]*>", "", cell).split() for cell in re.findall(r"<td>(.*?)</td>", row)] for row in rows]
    means, marks = found.mean[found.data_sets.index("credit-g")], found.marks[found.data_sets.index("credit-g")]
    wanted = [[f"{mean:.4f}", *mark.split()] for mean, mark in zip(means, marks, strict=True)]
    assert wanted in shown
    assert any(len(cell) == 2 for cell in wanted), "a mark should be seen"


def test_latex_and_csv_say_the_same(results):
    report = Report.of("A study", results, ComparisonOptions(measures=("brier", "auc_weighted")))
    found = wc.Evaluation(tuple(results)).compare(measure="brier", base="leaf_frequency")
    assert found.latex() in report.latex()
    assert report.latex().count(r"\begin{tabular}") == 2
    rows = rows_of(report.csv())
    assert [row["measure"] for row in rows] == ["brier"] * 9 + ["auc_weighted"] * 9
    of_csv = {(row["data_set"], row["scheme"]): float(row["mean"]) for row in rows[:9]}
    for i, name in enumerate(found.data_sets):
        for j, scheme in enumerate(found.schemes):
            assert of_csv[name, scheme] == pytest.approx(found.mean[i, j], rel=1e-11)


def test_long_names_in_headings_break_between_their_parts(results):
    text = page_of(renamed(results, m_branch="leaf_frequency:laplace=true,<b>"))
    assert '<th scope="col">leaf frequency (laplace=<wbr>true,<wbr>&lt;b&gt;)</th>' in text


def test_equal_results_give_equal_bytes(results):
    assert page_of(results) == page_of(results)


def test_one_method_one_set(results):
    alone = [result for result in results if result.record["label"] == "confdtree"]
    text = page_of(alone)
    assert "Only ConfDTree was measured" in text
    assert "cd-diagram" not in text and 'class="cd"' not in text
    one_set = page_of([result for result in results if result.record["dataset"] == "iris"])
    assert one_set.count("There is no critical difference diagram") == 1
    assert one_set.count('class="plot"') == 5


def test_protocols_stand_apart(results, jvm):
    others = wc.evaluate(wc.load_arff(ARFF / "iris.arff"), METHODS, learner="J48", name="iris", folds="loo")
    protocol = wc.Protocol(folds=5, aim=wc.Aim("keep", 0.9))
    rejecting = wc.evaluate(wc.load_arff(ARFF / "iris.arff"), METHODS, learner="J48", name="iris", protocol=protocol)
    report = Report.of("A study", [*results, *others, *rejecting], ComparisonOptions())
    protocols = [part.title.partition("; ")[2] for part in report.parts]
    assert protocols == [
        "5-fold cross-validation, seed 1",
        "leave-one-out, seed 1",
        "5-fold cross-validation, seed 1; threshold: keep 90 % of the correct, chosen out of fold",
    ]
    # one instance per fold has no AUC; the pooled answers have
    [auc] = [each for each in report.parts[1].comparisons if each.measure == "auc_weighted"]
    assert "pooled answers" in auc.title
    assert auc.mean[0, 0] == pytest.approx(next(
        record["pooled"]["auc_weighted"] for record, _ in others if record["label"] == "leaf_frequency"
    ))  # fmt: skip
    assert "leave-one-out" in report.html()


def test_what_was_measured_twice_or_on_other_folds_is_told(results, jvm):
    again = [*results, results[0]]
    assert "Measured more than once; the last counts: confdtree on iris" in page_of(again)
    record, answers = results[0]
    moved = replace(answers, fold=answers.fold[::-1].copy())
    text = html.unescape(page_of([Result(record, moved), *results[1:]]))
    assert "Not compared: 'iris': 'confdtree' and 'leaf_frequency' did not answer for the same instances" in text
    assert text.count('class="plot"') == 13, "curves need no comparison"


def test_a_base_that_is_not_there(results):
    with pytest.raises(OptionError, match=r"base: .*, got 'leaf_frequncy'; did you mean 'leaf_frequency'"):
        Report.of("A study", results, ComparisonOptions(base="leaf_frequncy"))
    with pytest.raises(OptionError, match="measure: expected"):
        ComparisonOptions(measures=("accuracy",))


@pytest.mark.parametrize("base", METHODS)
def test_the_base_that_is_asked_for_comes_first(results, base):
    [part] = Report.of("A study", results, ComparisonOptions(base=base)).parts
    assert part.schemes[0] == part.comparisons[0].base == base


def test_methods_that_share_no_data_set_have_no_ranks(results):
    """Each is measured, but there is nothing to put beside one another."""
    apart = dict(zip(SETS, METHODS, strict=True))
    some = [result for result in results if apart[result.record["dataset"]] == result.record["label"]]
    [part] = Report.of("A study", some, ComparisonOptions(measures=("brier",))).parts
    [compared] = part.displayed
    assert not compared.has_ranks and compared.differences == ()
    assert {(cell.text, cell.is_best) for [cell] in matrix_of([compared]).cells} == {("–", False)}


# -- names ---------------------------------------------------------------------------------------------------------


def test_hostile_names_are_text(results):
    hostile = renamed(results, iris=HOSTILE, wine=LONG, setosa=HOSTILE, confdtree=HOSTILE)
    further = {"unfinished": [HOSTILE], "failed": [HOSTILE], "facts": {"Study": f"{HOSTILE}\n{HOSTILE}"}}
    text = Report.of(HOSTILE, hostile, ComparisonOptions(), **further).html()
    assert "\u202e" not in text and "{{ 7*7 }}" in text
    assert text.count("<script>") == 1 and "<script>document" not in text
    assert ParsedHtml(text).handlers == []
    assert LONG in text and text.count(LONG) == 1, "in full at the end, short elsewhere"
    assert len(text) < len(page_of(results)) * 2
    report = Report.of("A study", hostile, ComparisonOptions())
    assert {row["data_set"] for row in rows_of(report.csv())} == {HOSTILE, LONG, "credit-g"}


def test_names_that_look_alike_stay_apart():
    shown = ShownNames()
    long = ["a" * 50 + middle + "b" * 50 for middle in ("x", "y", "z")]
    texts = [shown(name) for name in [*long, "a\tb", "a\\tb", "plain"]]
    assert len(set(texts)) == 6 and max(map(len, texts)) <= 64
    assert texts[1:3] == [f"{texts[0]} (2)", f"{texts[0]} (3)"]
    assert [shown.full(text) for text in texts] == [*long, "a\tb", "a\\tb", "plain"]
    assert shown("plain") == "plain" and "plain" not in shown.shortened


# -- curves --------------------------------------------------------------------------------------------------------


def test_the_areas_drawn_are_the_measured_ones(results):
    for record, answers in results:
        curves = curves_of(answers, ShownNames())
        areas = areas_under_roc(answers.ranking, answers.actual, answers.weights)
        assert len(curves.roc) == (1 if len(areas) == 2 else 3)
        for name, roc in curves.roc.items():
            assert roc.area == pytest.approx(areas[answers.class_names.index(name)], abs=1e-12)
        assert curves.aurc == pytest.approx(record["reject"]["aurc"])
        assert curves.calibration.ece == pytest.approx(record["pooled"]["ece"])
        risk = risk_coverage(answers.certainty, answers.is_correct, answers.weights)
        drawn = np.interp(risk.coverage[risk.coverage > 0.1], *curves.risk.T)
        np.testing.assert_allclose(drawn, risk.errors_at(risk.coverage[risk.coverage > 0.1]), atol=0.001)
    of_two = next(answers for record, answers in results if record["dataset"] == "credit-g")
    assert list(curves_of(of_two, ShownNames()).roc) == ["bad"], "the rarer class"


def test_the_curves_of_three_classes_are_drawn():
    proba, n = np.eye(5)[[0, 1, 2, 3, 4, 4, 0, 1]], 8
    zeros, ones = np.zeros(n, dtype=np.int64), np.ones(n)
    answers = Answers(
        proba, proba, proba, ones, np.full(n, np.nan), actual=np.arange(n) % 5, is_foreign=zeros > 0, weights=ones,
        run=zeros, fold=zeros, instance=np.arange(n), class_names=tuple("abcde"), known=np.ones((1, 5), dtype=bool),
        training_weight=np.ones((1, 5)), choices=(),
    )  # fmt: skip
    drawn = [picture.heading for picture in pictures_of("five", ["A"], {0: curves_of(answers, ShownNames())})]
    assert len(drawn) == 2 + 3, drawn


@pytest.mark.parametrize(
    ("values", "larger", "sentence"),
    [
        ([0.5, 0.25, float("nan"), 0.75], False, "Area: from 0.2500 (b) to 0.7500 (d)."),
        ([0.5, 0.25, float("nan"), 0.75], True, "Area: from 0.7500 (d) to 0.2500 (b)."),
        ([float("nan"), 0.25], True, "Area: 0.2500 (b)."),
        ([float("nan")], False, ""),
        ([], False, ""),
    ],
)
def test_the_best_and_the_worst_curve_are_named(values, larger, sentence):
    assert best_and_worst("abcd", dict(enumerate(values)), "Area", larger=larger) == sentence


def test_paths_keep_to_their_points():
    random = np.random.default_rng(3)
    x = np.sort(random.random(3000))
    y = np.cumsum(random.random(3000)) / 1600
    points = np.column_stack((x, y)) * 1000
    kept = thin(points, 0.5)
    assert 2 < len(kept) < 1000
    np.testing.assert_array_equal(kept[[0, -1]], points[[0, -1]])
    off = np.abs(np.interp(points[:, 0], kept[:, 0], kept[:, 1]) - points[:, 1])
    slope = np.abs(np.diff(kept[:, 1]) / np.diff(kept[:, 0])).max()
    assert off.max() <= 0.5 * np.hypot(1, slope)
    steps = np.array([[0, 0], [0, 5], [10, 5], [10, 9], [10, 9.0], [30, 9]])
    np.testing.assert_array_equal(thin(steps, 0.5), steps[[0, 1, 2, 3, 5]])
    assert thin(np.zeros((0, 2)), 0.5).shape == (0, 2)
    assert Frame(Axis("x", 0, 1, ()), Axis("y", 0, 1, ())).path([], []) == ""


def test_axes_have_round_ticks_and_hold_their_values():
    frame = Frame(Axis.around("x", [0, 100]), Axis.around("y", [3.2, 7.9]))
    assert [text for _, text in frame.x.marked] == ["0", "20", "40", "60", "80", "100"]
    assert [text for _, text in frame.y.marked] == ["4", "5", "6", "7"]
    assert frame.places([0, 100], [3.2, 7.9]) == [(0, HEIGHT), (WIDTH, 0)]
    assert frame.path([0, 50, 100], [3.2, 5.55, 7.9]) == f"M0 {HEIGHT}l{WIDTH} -{HEIGHT}"
    assert frame.path([], []) == ""
    units = Frame(Axis("x", 0, WIDTH, ()), Axis("y", 0, HEIGHT, ()))
    assert units.path([0.6, 1.4], [0, 0]) == f"M1 {HEIGHT}", "no step of no unit is drawn"
    assert units.path([0, 500, 1000], [0, 1, 0]) == f"M0 {HEIGHT}l500 -1l500 1", "a step of one unit is drawn"
    for values, ticks in (
        ([12, 47], "20 30 40"), ([0.012, 0.047], "0.02 0.03 0.04"), ([-250, 1000], "-250 0 250 500 750 1000"),
        ([0, 1e-5], "0 2e-06 4e-06 6e-06 8e-06 1e-05"), ([7], "6 6.5 7 7.5 8"), ([0, 6], "0 2 4 6"),
        ([1e-250, 2e-250], "-1 -0.5 0 0.5 1"),
        # ends that are no exact multiples: 0.07 / 0.01 is 7.000000000000001, and 0.7 / 0.1 is 6.999999999999999
        ([0.07, 0.12], "0.07 0.08 0.09 0.1 0.11 0.12"), ([0.2, 0.7], "0.2 0.3 0.4 0.5 0.6 0.7"),
        ([-0.5, 0.5], "-0.4 -0.2 0 0.2 0.4"), ([-1e-9, 1e-9], "-1e-09 -5e-10 0 5e-10 1e-09"),
    ):  # fmt: skip
        assert [text for _, text in Axis.around("z", values).marked] == ticks.split()
    assert [(axis.low, axis.high) for axis in map(partial(Axis.around, "z"), ([], [np.nan], [5.0], [0.0], [1e12]))] == [
        (0, 1), (0, 1), (4, 6), (-1, 1), (1e12 - 1000, 1e12 + 1000)
    ]  # fmt: skip
    at_the_end = [Axis.around("z", [value], low=value) for value in (0.0, 3.0)]
    assert [(axis.low, axis.high) for axis in at_the_end] == [(0, 1), (3, 6)]


def test_the_rank_diagram_is_that_of_the_ranks(results):
    found = wc.Evaluation(tuple(results)).compare(measure="brier")
    drawn = rank_diagram(found)
    assert [name for _, _, name, _ in drawn.rows] == [found.schemes[i] for i in np.argsort(found.ranks.mean_ranks)]
    (begin, _), *_, (end, _) = drawn.ticks
    assert (begin, end) == (round(drawn.left, 1), round(drawn.left + AXIS, 1)) and end < drawn.width
    places = [x for x, *_ in drawn.rows]
    assert places == sorted(places)
    (x0, text0), (x1, text1) = drawn.ticks[0], drawn.ticks[-1]
    per_rank = (x1 - x0) / (int(text1) - int(text0))
    assert drawn.distance[1] - drawn.distance[0] == pytest.approx(per_rank * found.ranks.critical_difference, abs=0.2)
    assert "No difference within: " in drawn.description
    ends = (
        min(found.ranks.mean_ranks),
        max(*found.ranks.mean_ranks, min(found.ranks.mean_ranks) + drawn.critical_difference),
    )
    assert [int(text) for _, text in drawn.ticks] == [*range(math.floor(ends[0]), math.ceil(ends[1]) + 1)]


def test_the_rank_diagram_has_its_places():
    """Of four methods on five sets, two bars that touch at the third; a bar stands below the other."""
    mean = np.array([[0.9, 0.8, 0.7, 0.1]] * 5)
    mean[2, :2] = 0.7, 0.9
    mean[2, 2] = 0.6
    drawn = rank_diagram(invented(mean, ("a", "bbb", "c", "d")))
    left = 8.2 * len("bbb 1.80  ") - 8.2 + 10
    assert (drawn.width, drawn.height) == (left + 640 + 16, 62 + 9 * 3 + 13 + 26 * 4) and drawn.left == left
    third = 640 / 3
    assert drawn.ticks == [(round(left + third * i, 1), f"{i + 1}") for i in range(4)]
    ranks = [1.2, 1.8, 3.0, 4.0]
    places = [round(left + third * (rank - 1), 1) for rank in ranks]
    assert drawn.rows == [
        (x, 102 + 26 * i, name, f"{rank:.2f}")
        for i, (x, name, rank) in enumerate(zip(places, ("a", "bbb", "c", "d"), ranks, strict=True))
    ]
    assert drawn.bars == [(places[0], places[2], 71), (places[2], places[3], 80)]
    assert drawn.distance == (places[0], round(left + third * (0.2 + drawn.critical_difference), 1))
    assert drawn.description == (
        "Mean ranks, 1 is best: a 1.20, bbb 1.80, c 3.00, d 4.00. The critical difference is 2.10 (Nemenyi, level "
        "0.05, 5 data sets). No difference within: a, bbb, c; c, d."
    )


def test_the_rank_diagram_ends_where_the_critical_difference_does():
    """Where that is farther than the last method."""
    drawn = rank_diagram(invented([[0.9, 0.8]] * 3))
    assert [text for _, text in drawn.ticks] == ["1", "2", "3"] and drawn.distance[1] < drawn.ticks[-1][0]
    assert drawn.description.endswith("No difference within: A, B.")
    apart = rank_diagram(invented([[0.9, 0.8]] * 5))
    assert apart.bars == [] and apart.description.endswith("(Nemenyi, level 0.05, 5 data sets). All methods differ.")
    assert [y for _, y, *_ in apart.rows] == [62 + 9 + 13, 62 + 9 + 13 + 26]
    assert rank_diagram(invented([[0.9, 0.8]])) is None


def test_what_a_legend_says_of_one_pair_and_of_one_data_set():
    [one] = [matrix_of([invented([[0.9, 0.8]])])]
    how = "(corrected resampled t-test, two-sided, level 0.05)"
    assert one.legend == [f"v: significantly better than A; *: worse {how}."]
    assert one.caption == "Means over the folds; the best of each measure in bold"
    assert [(row[0].text, row[0].is_best, row[0].mark) for row in one.cells] == [
        ("0.9000", True, ""), ("0.8000", False, "?"),
    ]  # fmt: skip
    for n_schemes, corrected in ((2, ""), (3, ", Holm-corrected for 3 pairs")):
        matrix = matrix_of([invented(np.array([[0.9, 0.8, 0.7][:n_schemes]] * 2), level=0.1)])
        assert matrix.legend == [
            "v: over the data sets significantly better than A; *: worse (Wilcoxon's signed-rank test"
            f"{corrected}, level 0.1).",
            "Three numbers: on how many data sets significantly better than A, not significantly different, and worse "
            "(corrected resampled t-test, two-sided, level 0.1).",
        ]
        assert matrix.caption == "Mean ranks over the data sets, 1 is best; the best of each measure in bold"
    tied = matrix_of([invented([[0.9, 0.8], [0.7, 0.8]])]).cells
    assert [(row[0].text, row[0].is_best) for row in tied] == [("1.50", False)] * 2
    errors = matrix_of([invented([[0.9, 0.8]], measure="brier")]).cells
    assert [row[0].is_best for row in errors] == [False, True]
    assert matrix_of([invented([[0.9], [0.8]])]) is None


def test_methods_that_are_worse_and_better_over_the_sets_have_their_marks():
    rng = np.random.default_rng(0)
    compared = invented(np.column_stack((rng.random(8) + 2, rng.random(8), rng.random(8) + 4)), SCHEMES)
    assert [row[0].mark for row in matrix_of([compared]).cells] == ["", "*", "v"]
    assert [pair[:2] for pair in differing_pairs([compared])] == [
        ("leaf_frequency", "m_branch"), ("wpe", "leaf_frequency"), ("wpe", "m_branch"),
    ]  # fmt: skip
    assert differing_pairs([]) == []


def test_a_class_has_the_curves_of_the_schemes_that_know_it(results):
    """Schemes may have been measured with other unknown classes; a scheme without scored answers has no line."""
    curves = curves_of(results[0].answers, ShownNames())
    first, *_ = curves.roc
    less = replace(curves, roc={name: roc for name, roc in curves.roc.items() if name != first})
    none = replace(curves, risk=np.zeros((0, 2)), roc={})
    pictures = pictures_of("iris", METHODS, {0: less, 1: curves, 2: none})
    by_heading = {picture.heading: [line.scheme for line in picture.lines] for picture in pictures}
    assert by_heading == {
        "Risk and coverage": [0, 1, 2], "Calibration": [0, 1, 2],
        **{f"ROC, class {name}": [1] if name == first else [0, 1] for name in curves.roc},
    }  # fmt: skip
    [_, whole, empty] = pictures[0].lines
    assert (empty.path, empty.bars) == ("", "") and whole.path
    unscored = replace(results[0].answers, actual=np.full(len(results[0].answers.actual), -1))
    nothing = curves_of(unscored, ShownNames())
    assert nothing.risk.shape == (0, 2) and nothing.roc == {} and nothing.n_instances == 0


def test_a_risk_curve_that_begins_late_is_led_to_the_axis(results):
    curves = curves_of(results[0].answers, ShownNames())
    drawn = []
    for begin in (0.25, 0.0):
        risk = np.array([[begin, 0.5], [1.0, 0.75]])
        [line] = pictures_of("iris", METHODS, {0: replace(curves, risk=risk)})[0].lines
        drawn.append((line.path, line.bars))
    top = round(HEIGHT * (1 - 50 / 78.75))
    assert drawn == [(f"M250 {top}l750 -254", f"M0 {top}H250"), (f"M0 {top}l1000 -254", "")]


def test_pictures_hold_what_was_measured(results):
    """Bars are Wilson's intervals for as many instances as each dot stands for; only chance has a diagonal."""
    curves = dict(enumerate(curves_of(answers, ShownNames()) for _, answers in results[:3]))
    pictures = pictures_of("iris", METHODS, curves)
    assert [picture.has_diagonal for picture in pictures] == [False, *[True] * (len(pictures) - 1)]
    areas = {"": {place: each.aurc for place, each in curves.items()}}
    areas |= {name: {place: each.roc[name].area for place, each in curves.items()} for name in curves[0].roc}
    for picture, (name, values) in zip([pictures[0], *pictures[2:]], areas.items(), strict=True):
        assert picture.description == best_and_worst(METHODS, values, "Area below the curve", larger=bool(name))
    [calibration] = [picture for picture in pictures if picture.heading == "Calibration"]
    for line, (_, answers) in zip(calibration.lines, results[:3], strict=True):
        curve = curves[line.scheme].calibration
        n = curve.weight[curve.weight > 0] * len(answers.actual) / curve.weight.sum()
        ends = wilson_interval(curve.accuracy[curve.weight > 0], n)
        x, y = (WIDTH * curve.confidence[curve.weight > 0], HEIGHT * (1 - np.array(ends)))
        told = [tuple(map(int, part.replace("V", " ").split())) for part in line.bars.split("M")[1:]]
        np.testing.assert_allclose(told, np.column_stack((x, y[0], y[1])), atol=0.51)
        radii = 9 + 26 * np.sqrt(curve.weight[curve.weight > 0] / curve.weight.sum())
        assert [radius for *_, radius in line.dots] == np.rint(radii).tolist()


def test_the_axis_of_errors_begins_at_zero(results):
    """Even if the curve nowhere comes near it; where there is no error it ends at 1 %."""
    curves = curves_of(results[0].answers, ShownNames())
    risk = np.column_stack((np.linspace(0.5, 1, 6), np.linspace(0.2, 0.4, 6)))
    picture = pictures_of("iris", METHODS, {0: replace(curves, risk=risk)})[0]
    assert (picture.frame.y.low, picture.frame.y.high) == pytest.approx((0, 42))
    assert (picture.frame.x.low, picture.frame.x.high) == (0, 100)
    none = replace(curves, risk=risk * [1, 0])
    assert pictures_of("iris", METHODS, {0: none})[0].frame.y.high == 1


def test_known_classes_stand_in_the_title_under_names_that_can_be_shown(results):
    known = [Result(record | {"known": [["setosa", HOSTILE]]}, answers) for record, answers in results[:3]]
    [part] = Report.of("Known", known, ComparisonOptions()).parts
    assert "setosa" in part.title and "\u202e" not in part.title


@pytest.mark.parametrize(("colours", "page"), [(DARK_COLOURS, "#14181c"), (COLOURS, "#ffffff")], ids=["dark", "light"])
def test_lines_are_seen_on_their_page(colours, page):
    def luminance(colour):
        parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]

    low, high = sorted((luminance(page), min(map(luminance, colours), key=lambda each: abs(each - luminance(page)))))
    assert (high + 0.05) / (low + 0.05) > (4.5 if page == "#14181c" else 1.3)
    assert len(set(colours)) == len(COLOURS)


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_a_hundred_sets_of_ten_methods_stay_below_a_few_megabytes(results):
    [few] = Report.of("Few", results, ComparisonOptions()).parts
    many = Part(ComparisonOptions())
    for i, j in product(range(100), range(10)):
        name = SETS[i % 3]
        measured = few.measured[name, (METHODS[j % 3], "J48")]
        record = measured.record | {"dataset": f"set {i}", "label": f"method {j}"}
        many.add(replace(measured, record=record), few.curves[name][measured.scheme])
    text = Report("Many", parts=[many]).html()
    assert text.count('<details class="set">') == 100
    assert text.count("</td>") > 8 * 1000
    assert len(text) < 4_000_000


# -- the command ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(jvm, tmp_path_factory):
    """A finished study of two data sets and two methods."""
    folder = tmp_path_factory.mktemp("study")
    for name in ("iris", "wine"):
        shutil.copy(ARFF / f"{name}.arff", folder)
    (folder / "study.toml").write_text('data = ["."]\nmethods = ["leaf_frequency", "m_branch"]\nfolds = 3\n')
    wc.run_study(folder / "study.toml", folder / "study.sqlite")
    return folder / "study.sqlite"


def test_the_command_writes_page_latex_and_csv(run, store, tmp_path):
    ended = run("study", "report", "--store", store, "-o", "report.html")
    assert (ended.code, ended.out, ended.err) == (0, "", "written: report.html, report.tex, report.csv\n")
    text = (tmp_path / "report.html").read_text()
    assert "<h1>study</h1>" in text and "is not finished" not in text
    assert r"\begin{tabular}" in (tmp_path / "report.tex").read_text()
    rows = rows_in(tmp_path / "report.csv")
    assert {row["data_set"] for row in rows} == {"iris", "wine"}


def test_an_unfinished_study_says_what_is_missing_and_reports_the_rest(run, store, tmp_path):
    copy = tmp_path / "study.sqlite"
    shutil.copy(store, copy)
    with Store(copy) as opened:
        opened._connection.execute("DELETE FROM job WHERE facts LIKE '%wine%m_branch%'")
        opened._connection.execute("UPDATE job SET error = 'too <b>large</b>' WHERE facts LIKE '%iris%m_branch%'")
        opened._connection.execute("UPDATE evaluation SET record = NULL WHERE record LIKE '%m_branch%'")
    ended = run("study", "report", "--store", copy, "-o", "r.html")
    assert ended.code == 0
    assert "not finished: 1 evaluation to do" in ended.err
    text = (tmp_path / "r.html").read_text()
    assert "<li>m_branch on wine</li>" in text
    assert "<li>m_branch on iris: too &lt;b&gt;large&lt;/b&gt;</li>" in text
    assert "Only leaf frequency was measured" in text


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "--store is missing: report what this store holds"),
        (["--store", "none.sqlite"], 1, "there is no such store"),
        (["--store", "{empty}"], 1, "nothing is finished yet, so there is nothing to report; run the study first"),
        (["--store", "{store}", "--base", "confdtre"], 1, "--base: expected one of 'leaf_frequency', 'm_branch'"),
        (["--store", "{store}", "--metric", "brier", "--metric", "brier"], 2, "--metric"),
    ],
)  # fmt: skip
def test_what_cannot_be_reported(refused, store, tmp_path, words, code, message):
    empty = tmp_path / "empty.sqlite"
    Store(empty).close()
    words = [word.format(empty=empty, store=store) for word in words]
    assert message in refused("study", "report", *words, "-o", "r.html", codes=(code,))
    assert not (tmp_path / "r.html").exists()


def test_the_store_is_not_overwritten(refused, store, tmp_path):
    copy = tmp_path / "study.csv"
    shutil.copy(store, copy)
    assert "would overwrite the store" in refused("study", "report", "--store", copy, "-o", "study.html", codes=(2,))


# -- in a browser --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page_file(results, tmp_path_factory):
    """A page with hostile names and every section."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page_of(renamed(results, wine=HOSTILE, setosa=HOSTILE)))
    return path


@pytest.fixture
def opened(browser, page_file):
    """Opens the page, and collects what the browser complains of and asks for."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.complaints, page.asked = [], []
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(page_file.as_uri())
    yield page
    assert page.complaints == []
    assert page.asked == [page_file.as_uri()]
    context.close()


TABLE = "#tables table >> nth=2"  # Brier score


def column(page, place):
    return page.locator(TABLE).evaluate(
        "(table, place) => [...table.tBodies[0].rows].map(row => parseFloat(row.cells[place].textContent))", place
    )


def test_sorting(opened):
    button = opened.locator(TABLE).locator("thead th:nth-child(3) button")
    before = column(opened, 2)
    button.click()
    assert column(opened, 2) == sorted(before) != before or before == sorted(before)
    heading = opened.locator(TABLE).locator("thead th:nth-child(3)")
    assert heading.get_attribute("aria-sort") == "ascending"
    button.focus()
    opened.keyboard.press("Enter")
    assert column(opened, 2) == sorted(before, reverse=True)
    assert heading.get_attribute("aria-sort") == "descending"
    opened.locator(TABLE).locator("thead th:nth-child(1) button").click()
    assert heading.get_attribute("aria-sort") is None
    names = opened.locator(TABLE).locator("tbody th").all_inner_texts()
    assert names == sorted(names, key=str.lower) and len(names) == 3


def test_filtering_tables_and_pictures(opened):
    box = opened.get_by_label("Show data sets that contain").first
    box.fill("IRI")
    assert opened.locator("#tables tbody tr:visible").count() == opened.locator("#tables table").count()
    assert opened.locator("#tables output").first.inner_text() == "1 of 3"
    box.fill("")
    assert opened.locator("#tables tbody tr:visible").count() == 3 * opened.locator("#tables table").count()
    opened.get_by_label("Show data sets that contain").last.fill("<script>")
    assert opened.locator("details.set:visible").count() == 1


def test_keyboard_opens_a_set_and_hides_a_method(opened):
    summary = opened.locator("details.set summary").first
    assert opened.locator("details.set svg:visible").count() == 0
    summary.focus()
    opened.keyboard.press("Enter")
    assert opened.locator("details.set svg.plot:visible").count() == 5
    drawn = opened.locator("details.set").first.locator('[data-of="1"]')
    assert drawn.first.is_visible()
    opened.locator('input[data-scheme="1"]').focus()
    opened.keyboard.press("Space")
    assert not any(each.is_visible() for each in drawn.all())
    opened.keyboard.press("Space")
    assert drawn.first.is_visible()
    opened.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    opened.keyboard.press("Tab")
    assert opened.evaluate("document.activeElement.tagName") in ("A", "BUTTON", "INPUT", "SUMMARY", "DIV")


def test_hostile_names_are_seen_as_text(opened):
    shown = ShownNames()(HOSTILE)
    assert opened.title() == "A study"
    assert shown in opened.locator(TABLE).inner_text()
    assert "\\u202e" in shown or "…" in shown
    assert HOSTILE.replace("\u202e", "\\u202e") in opened.locator("#environment dl:not(.typed) dd").first.inner_text()
    assert opened.locator("script").count() == 1
    # nothing that a name could bring in would run, either
    opened.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'taken'";
        document.body.append(script);
    }""")
    assert opened.title() == "A study"
    assert len(opened.complaints) == 1 and "Content Security Policy" in opened.complaints.pop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_width_and_colours(browser, page_file, scheme):
    context = browser.new_context(viewport={"width": 360, "height": 700}, color_scheme=scheme)
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    wide = "[...document.querySelectorAll('th')].filter(cell => cell.scrollWidth > cell.clientWidth + 1).length"
    assert page.evaluate(wide) == 0, "a heading stands out of its column"
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 28)"}[scheme]
    line = page.locator("details.set .s0 .line").first.evaluate("line => getComputedStyle(line).stroke")
    wanted = (COLOURS if scheme == "light" else DARK_COLOURS)[0]
    assert line == f"rgb({', '.join(str(int(wanted[i : i + 2], 16)) for i in (1, 3, 5))})"
    context.close()


def test_axe_finds_nothing(opened):
    for scheme in ("light", "dark"):
        opened.emulate_media(color_scheme=scheme)
        assert violations(opened) == []


def test_print(browser, page_file, tmp_path):
    context = browser.new_context(color_scheme="dark", viewport={"width": 700, "height": 1000})
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#tables table").first.is_visible()
    pdf = page.pdf(path=tmp_path / "report.pdf")
    assert pdf.startswith(b"%PDF") and len(pdf) > 20_000
    context.close()


def test_without_scripts_everything_is_there(browser, page_file):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_file.as_uri())
    assert page.locator("#tables tbody tr:visible").count() == 3 * page.locator("#tables table").count()
    assert page.locator(".filter:visible").count() == 0
    context.close()
