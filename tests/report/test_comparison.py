"""Tables that compare methods over data sets, the sentences below them, and the critical difference diagram."""

import csv
import html
import re
from dataclasses import replace
from io import StringIO
from itertools import combinations

import numpy as np
import pytest
from support.command_line import ARFF
from support.csv_rows import rows_of
from support.fresh_python import python
from support.invented_comparisons import invented
from support.parsed_html import ParsedHtml

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.evaluation.measures import METRICS
from wekaconf.evaluation.statistics import PairedTest, holm, paired_t, signed_rank
from wekaconf.evaluation.summaries import MEASURES, fold_values
from wekaconf.methods.contract._method import Method, display_of
from wekaconf.report._page.matrix import all_sets_tested
from wekaconf.report.comparison import _diagram as diagram
from wekaconf.report.comparison._formats import grid_of, legend_of
from wekaconf.report.comparison._measures import SMALLER_IS_BETTER, WORDS
from wekaconf.report.comparison._sentences import p_text
from wekaconf.report.evaluation import Result
from wekaconf.report.experimenter import FOLD_ENDINGS, per_fold_rows, write_experimenter_arff, write_per_fold

pytestmark = pytest.mark.filterwarnings("ignore::wekaconf.Note")

SETS = ("iris", "wine", "missing-weights", "credit-g")
METHODS = ("leaf_frequency", "m_branch", "leaf_frequency:laplace=true")
HOSTILE = "<script>a|b</script> 50%_$x^2$ {\\n} `*` & #1 ~"


def evaluated(name, methods=METHODS, learner="info_gain", **protocol):
    return wc.evaluate(wc.load_arff(ARFF / f"{name}.arff"), methods, learner=learner, name=name, **protocol)


@pytest.fixture(scope="module")
def found():
    every = wc.Evaluation(())
    for name in SETS:
        every += evaluated(name)
    return every


@pytest.mark.one_commit_in(3)
def test_how_probable_it_is_that_methods_differ():
    mean = np.column_stack([np.linspace(0.7, 0.9, 8), np.linspace(0.75, 0.95, 8), np.linspace(0.7, 0.9, 8) + 1e-4])
    [better, same] = [text for text in invented(mean, rope=0.01).sentences() if "Bayesian" in text]
    assert better == (
        "Bayesian signed-rank test over 8 data sets, differences of at most 0.01 being none: B is better than A with a "
        "probability of 1.000, no different with 0.000, worse with 0.000."
    )
    assert "no different with 1.000" in same
    smaller = [text for text in invented(mean, rope=0.01, measure="brier").sentences() if "Bayesian" in text]
    assert "worse with 1.000" in smaller[0]
    assert better in " ".join(invented(mean, rope=0.01).text().split())
    assert not any(
        "Bayesian" in text for text in invented(mean).sentences() + invented(mean[:1], rope=0.01).sentences()
    )


# -- values of the folds --------------------------------------------------------------------------------------------


def test_fold_values_are_what_records_average(found):
    for record, answers in found:
        folds = fold_values(answers)
        assert list(folds.values) == list(record["fold_mean"]) == list(METRICS)
        for name, values in folds.values.items():
            defined = values[~np.isnan(values)]
            np.testing.assert_array_equal(record["fold_mean"][name], defined.mean() if len(defined) else np.nan)
        assert folds.fold.tolist() == list(range(10))
        one = answers.of_split(3)
        assert len(one.proba) == (answers.fold == 3).sum()
        np.testing.assert_array_equal(fold_values(one, ["brier"]).test_weight, folds.test_weight[[3]])


def test_every_measure_has_folds_and_a_pooled_value(found):
    one = wc.Evaluation(found[:2])
    assert set(WORDS) == set(MEASURES) - {"percent_affected"}
    for name in WORDS:
        by_fold, pooled = one.compare(measure=name), one.compare(measure=name, pooled=True)
        if name in ("auroc_known", "coverage", "error"):
            assert np.isnan(by_fold.mean).all() and np.isnan(pooled.mean).all()
            continue
        assert abs(by_fold.mean - pooled.mean).max() < (10 if name == "percent_correct" else 0.25)
    record = found[0].record
    assert one.compare(measure="error_at_0.8", pooled=True).mean[0, 0] == record["reject"]["error_at"]["0.8"]
    assert one.compare(measure="brier", pooled=True).mean[0, 0] == record["pooled"]["brier"]


# -- what thresholds reached ----------------------------------------------------------------------------------------


def with_aim(aim, methods=METHODS[:2]):
    protocol = wc.Protocol(folds=4, aim=aim)
    return sum((evaluated(name, methods, protocol=protocol) for name in ("iris", "wine")), wc.Evaluation(()))


def test_a_comparison_says_what_the_thresholds_reached(found):
    """In every format, and nothing where nothing is rejected; the title names the aim."""
    rejecting = with_aim(wc.Aim("error", 0.08))
    compared = rejecting.compare()
    assert "; threshold: error at most 8 %, chosen out of fold; mean over folds" in compared.title
    means = {
        name: [
            np.nanmean([record["reject"][name] for record in rejecting.records if record["label"] == label])
            for label in METHODS[:2]
        ]
        for name in ("coverage", "error")
    }
    assert 0 < means["coverage"][0] < 1
    for text in (compared.text(), compared.latex(), compared.html()):
        cells = [re.sub(r"<[^>]+>|[|&\\]", " ", line).split() for line in text.splitlines()]
        for name in ("coverage", "error"):
            assert [name, "%", *(f"{100 * mean:.2f}" for mean in means[name])] in cells
        assert "rejected answers: count in all other figures" in " ".join(text.split())
    assert "rejected answers" not in rejecting.compare(measure="error").text()
    assert not any(
        "coverage" in text or "threshold" in text for text in (found.compare().text(), found.compare().title)
    )


def test_a_mean_says_on_how_many_sets_it_is():
    """Two errors are not compared without a word if one of them is that of the easier sets alone."""
    reached = {"coverage": np.array([[0.5, 1.0], [0.0, 1.0]]), "error": np.array([[0.25, 0.5], [np.nan, 0.75]])}
    text = invented(np.array([[0.5, 0.75], [0.25, 0.5]]), reached=reached).text()
    assert re.search(r"^coverage % +25\.00 +100\.00$", text, re.MULTILINE)
    assert re.search(r"^error % +25\.00 \(1 of 2\) +62\.50$", text, re.MULTILINE)
    assert "\n(1 of 2): over so many of the data sets, those on which it gives answers\n" in text
    none = {"coverage": np.zeros((2, 2)), "error": np.array([[np.nan, np.nan], [0.5, np.nan]])}
    assert re.search(r"^error % +50\.00 \(1 of 2\) +–$", invented(np.eye(2), reached=none).text(), re.MULTILINE)
    one_set = invented(np.eye(2)[:1], reached={"coverage": np.array([[0.5, 1.0]])}).text()
    assert "\ncoverage %: share of the rows that is answered\n" in one_set


def test_costs_of_rejecting_are_among_what_was_reached():
    text = with_aim(wc.Aim("cost", (5, 1))).compare().text()
    assert re.search(r"^mean cost +0\.\d+ +0\.\d+$", text, re.MULTILINE)
    assert "\nmean cost: what a row costs, answered or rejected, mean over the data sets\n" in text


def test_of_several_aims_the_title_names_none():
    results = with_aim(wc.Aim("error", 0.02), METHODS[:1]) + with_aim(wc.Aim("keep", 0.9), METHODS[1:2])
    assert "threshold" not in results.compare().title


def test_coverage_and_error_are_compared_like_other_measures():
    rejecting = with_aim(wc.Aim("keep", 0.8))
    for measure, better in (("coverage", True), ("error", False)):
        by_fold, pooled = (rejecting.compare(measure=measure, pooled=pooled) for pooled in (False, True))
        assert by_fold.larger_is_better == better
        assert pooled.mean.ravel().tolist() == [record["reject"][measure] for record in rejecting.records]
        np.testing.assert_allclose(by_fold.mean, pooled.mean, atol=0.05)


# -- the comparison -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["auc_weighted", "brier", "log_loss"])
def test_marks_follow_from_the_test(found, measure):
    compared = found.compare(measure=measure, base="m_branch")
    assert compared.schemes == ("m_branch", "leaf_frequency", "leaf_frequency:laplace=true")
    assert compared.data_sets == SETS
    by_key = {(record["dataset"], record["label"]): fold_values(answers) for record, answers in found}
    for i, name in enumerate(SETS):
        base = by_key[name, "m_branch"]
        for j, scheme in enumerate(compared.schemes):
            folds = by_key[name, scheme]
            assert compared.mean[i, j] == np.nanmean(folds.values[measure])
            if j:
                test = paired_t(folds.values[measure], base.values[measure], test_train_ratio=base.test_train_ratio)
                assert compared.tests[i][j] == test
                better = test.sign(0.05) * (-1 if measure in SMALLER_IS_BETTER else 1)
                assert compared.marks[i][j] == {1: "v", 0: "", -1: "*"}[better]
    marks = [mark for of_set in compared.marks for mark in of_set]
    assert "*" in marks
    for j in (1, 2):
        assert sum(compared.wins(j)) == len(SETS)


def test_tests_differ_in_what_they_find(found):
    p_values = {test: found.compare(test=test).tests[1][1].p_value for test in ("corrected", "paired", "wilcoxon")}
    assert p_values["corrected"] > p_values["paired"]
    assert len(set(p_values.values())) == 3
    assert any("takes the folds as independent" in text for text in found.compare(test="paired").sentences())
    assert not any("takes the folds as independent" in text for text in found.compare().sentences())


def test_learners_are_named_where_a_method_has_several(found):
    both = wc.Evaluation(found[:1]) + evaluated("iris", ["leaf_frequency", "m_branch"], learner="CART")
    compared = both.compare(base="leaf_frequency on CART")
    assert compared.schemes == ("leaf_frequency on CART", "leaf_frequency on info_gain", "m_branch")
    assert "trees: leaf_frequency on CART, m_branch: CART; leaf_frequency on info_gain: info_gain" in " ".join(
        compared.text().split()
    )
    with pytest.raises(OptionError, match="there are several 'leaf_frequency'; take one of"):
        both.compare(base="leaf_frequency")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"measure": "auc_wieghted"}, "did you mean 'auc_weighted'"),
        ({"measure": "percent_affected"}, "measure: expected"),
        ({"base": "m_brunch"}, "base: expected one of .*; did you mean 'm_branch'"),
        ({"test": "corected"}, "test: expected corrected, paired or wilcoxon, got 'corected'; did you mean"),
        ({"level": 1.0}, "level: expected a number between 0 and 1"),
    ],
)
def test_refused(found, arguments, said):
    with pytest.raises(OptionError, match=said):
        found.compare(**arguments)


def test_results_that_cannot_be_compared(found):
    with pytest.raises(OptionError, match="nothing was measured"):
        wc.Evaluation(()).compare()
    other = evaluated("iris", ["confdtree"], seed=2)
    with pytest.raises(OptionError, match=r"by ([^,]*), seed 1 and 'confdtree' on 'iris' by \1, seed 2; compare"):
        (found + other).compare()
    again = evaluated("iris", ["leaf_frequency"], folds=4)
    with pytest.raises(OptionError, match="expected results of one protocol, got 'leaf_frequency' on 'iris'"):
        (found + again).compare()
    record, answers = found[0]
    prepared = record | {"label": "prepared", "preprocess": "median", "cost_matrix": [[0, 1], [5, 0]]}
    protocols = r"by (.*), preprocess None and 'prepared' on 'iris' by \1, preprocess median; compare them separately$"
    with pytest.raises(OptionError, match=protocols):
        wc.Evaluation((found[0], Result(prepared, answers))).compare()
    moved = record | {"label": "moved"}, replace(answers, instance=answers.instance[::-1])
    with pytest.raises(OptionError, match="'iris': 'moved' and 'leaf_frequency' did not answer for the same instances"):
        wc.Evaluation((found[0], moved)).compare()


# -- what is missing or undefined -----------------------------------------------------------------------------------


def test_a_method_without_a_data_set(found):
    compared = wc.Evaluation(tuple(each for i, each in enumerate(found) if i != 4)).compare()
    assert np.isnan(compared.mean[1, 1])
    assert compared.marks[1] == ("", "?", compared.marks[1][2])
    assert (compared.ranks.n_sets, compared.ranks.n_left_out) == (3, 1)
    assert any("Without a value: m_branch on wine" in text for text in compared.sentences())
    assert "?: not tested" in compared.text()
    without_base = wc.Evaluation(tuple(each for i, each in enumerate(found) if i != 3)).compare()
    assert without_base.marks[1] == ("", "?", "?")
    assert sum(without_base.wins(1)) == 3


def test_standard_deviations_stand_where_they_are_wanted():
    compared = invented([[0.5, 0.6]] * 3, std=np.full((3, 2), 0.0123))
    for write in (compared.text, compared.latex, compared.html):
        assert write() == write(std=False) and "0.0123" not in write() and "0.0123" in write(std=True)


@pytest.mark.parametrize(("name", "is_whole"), [("m_branch:m=0.12345", True), ("m_branch:m=0.123456", False)])
def test_a_heading_of_more_than_18_characters_is_folded(name, is_whole):
    heading = invented([[0.5, 0.6]], schemes=("A", name)).text().partition("───")[0]
    assert "m_branch:" in heading and (name in heading) == is_whole


def test_percentages_have_two_decimals_and_other_measures_four():
    for measure, value, cell in (("percent_correct", 200 / 3, "66.67"), ("brier", 2 / 3, "0.6667")):
        row = re.search(r"set0.*", invented([[value, value]], measure=measure).latex())[0]
        assert re.findall(r"[\d.]{2,}", row) == [cell, cell]


def test_undefined_folds_are_counted():
    """Folds without an error have no AUC of correct against wrong answers."""
    compared = evaluated("iris").compare(measure="auc_reliability")
    n_left_out = [test.n_left_out for test in compared.tests[0][1:]]
    assert max(n_left_out) > 0
    assert any(f"are left out of their test: {max(n_left_out)} of 10 on iris" in t for t in compared.sentences())


def test_leave_one_out_has_pooled_figures_only():
    one_out = evaluated("iris", folds="loo")
    compared = one_out.compare()
    assert np.isnan(compared.mean).all()
    assert compared.marks == (("", "?", "?"),)
    told = "No data set was tested by itself: that takes at least two folds on which the measure is defined for both "
    advice = "methods. Figures of the pooled answers need no folds: --pooled, in Python pooled=True."
    assert told + advice in compared.sentences()
    pooled = one_out.compare(pooled=True)
    assert not np.isnan(pooled.mean).any() and told + "methods." in pooled.sentences()


def test_one_set_and_one_method(found):
    one_set = wc.Evaluation(found[:3]).compare()
    assert "mean rank" not in one_set.text()
    assert "On iris m_branch does not differ significantly from leaf_frequency" in one_set.text()
    alone = wc.Evaluation(found[::3]).compare()
    assert alone.schemes == ("leaf_frequency",)
    assert alone.sentences() == []
    for text in (alone.text(), alone.latex(), alone.html(), alone.csv()):
        assert "iris" in text
    with pytest.raises(OptionError, match="needs two methods"):
        alone.draw_ranks("ranks.png")


# -- sentences ------------------------------------------------------------------------------------------------------


def test_sentences_of_a_clear_difference():
    """B is better than A and C on each of ten sets."""
    mean = np.column_stack((np.linspace(0.6, 0.7, 10), np.linspace(0.75, 0.89, 10), np.linspace(0.7, 0.6, 10)))
    test = PairedTest(effect=0.15, low=0.1, high=0.2, statistic=5, p_value=0.01, n_pairs=10, n_left_out=0)
    tests = ((None, test, replace(test, p_value=0.5)),) * 9 + ((None, replace(test, effect=-0.1), test),)
    text = " ".join(invented(mean, tests=tests).sentences())
    assert "B is significantly better than A on 9 of 10 data sets and worse on 1 (corrected resampled t-test" in text
    assert "about 1 of 20 such tests would be significant by chance" in text
    assert "B has the best mean rank: 1.00 (1 is best, 3 worst)." in text
    assert "Friedman's test over them finds a difference between the 3 methods (χ² = 15.00, p = 0.00055)" in text
    assert "B is better than A (p = 0.0059, rank-biserial correlation 1.00, 95 % interval 0.34 to 1.00)" in text
    assert "A is better" not in text
    errors = " ".join(invented(mean, tests=tests, measure="brier").sentences())
    assert "B is significantly better than A on 1 of 10 data sets and worse on 9" in errors
    assert "A is better than B" in errors


def test_sentences_where_no_data_set_shows_a_difference():
    test = PairedTest(effect=0.15, low=-0.1, high=0.2, statistic=1, p_value=0.5, n_pairs=10, n_left_out=0)
    first, *_ = invented([[0.5, 0.6]] * 3, tests=((None, test),) * 3).sentences()
    assert first == (
        "On none of 3 data sets does B differ significantly from A (corrected resampled t-test, two-sided, level 0.05)."
    )


def test_too_few_data_sets():
    text = " ".join(invented([[0.5, 0.6]] * 5).sentences())
    assert "5 data sets are too few for Wilcoxon's signed-rank test to find a difference at level 0.05" in text
    text = " ".join(invented([[0.5, 0.6, 0.7]] * 5).sentences())
    assert "find a difference at level 0.05 in any of the 3 pairs of methods." in text
    assert "two methods differ whose mean ranks are 1.48 or more apart." in text
    text = " ".join(invented([[0.5, 0.6 + i / 100] for i in range(6)]).sentences())
    assert "B is better than A (p = 0.031" in text


def unequal(n_complete):
    """On 14 sets C is ahead of A and B; D has values on few of them."""
    mean = np.full((14, 4), np.nan)
    mean[:, 0] = np.linspace(0.6, 0.7, 14)
    mean[:, 1], mean[:, 2] = mean[::-1, 0], np.linspace(0.75, 0.9, 14)
    mean[:n_complete, 3] = 0.5
    return invented(mean)


@pytest.mark.parametrize("n_complete", [0, 1, 3])
def test_pairs_are_tested_on_their_own_data_sets(n_complete):
    """However few sets all methods have in common: in text and documents, which once said that nothing could differ."""
    compared = unequal(n_complete)
    signed = [signed_rank(compared.mean[:, a], compared.mean[:, b]).p_value for a, b in combinations(range(4), 2)]
    found = [(pair.better, pair.worse, pair.p_value) for pair in compared.differences]
    corrected = holm(signed)
    assert found == [(2, 0, corrected[1]), (2, 1, corrected[3])] and max(corrected[[1, 3]]) < 0.01
    tested = "Holm-corrected for 3 pairs" if not n_complete else "Holm-corrected for 6 pairs"
    said = [
        f"Wilcoxon's signed-rank test over the data sets that both methods have ({n_complete} to 14), {tested}, at "
        "level 0.05, finds that C is better than A (p = 0.000",
        "The data sets that both methods have are too few for Wilcoxon's signed-rank test to find a difference at "
        "level 0.05 in 3 of the 6 pairs of methods.",
    ]
    if n_complete < 2:
        few = "Only 1" if n_complete else "None"
        said.append(f"{few} of 14 data sets has a value of every method; mean ranks take at least 2.")
    for text in (
        " ".join(compared.text().split()),
        compared.latex(),
        html.unescape(compared.html()),
    ):
        assert all(each in text for each in said), text
        assert "in any of the" not in text and ("the best mean rank" in text) == (n_complete > 1)
    [row] = all_sets_tested([compared])
    assert row[1][-1] == "2 of 6" and (row[1][1] == "–") == (n_complete < 2)


def test_nothing_vanishes_where_no_data_set_is_complete():
    """At most one set per pair: no test over the data sets, and the sentences say why."""
    mean = np.array([[0.5, np.nan, 0.6], [np.nan, 0.6, 0.7], [0.4, np.nan, np.nan]])
    said = invented(mean).sentences()
    assert "None of 3 data sets has a value of every method; mean ranks take at least 2." in said
    start = "The data sets that both methods have (0 to 1) are too few for Wilcoxon's signed-rank test to find"
    assert any(text.startswith(start) and text.endswith("in any of the 3 pairs of methods.") for text in said)
    assert said[-1].startswith("Without a value: ")
    two = invented([[0.5, 0.6], [np.nan, 0.7]]).sentences()
    assert (
        "1 data set is too few for Wilcoxon's signed-rank test to find a difference at level 0.05 between them." in two
    )
    assert not any("data sets" in text and "Wilcoxon" in text for text in invented([[0.5, 0.6]]).sentences())


@pytest.mark.parametrize(
    ("effect", "p_value", "verdict"),
    [
        (0.1, 0.01, "is significantly better than"),
        (-0.1, 0.01, "is significantly worse than"),
        (0.1, 0.5, "does not differ significantly from"),
    ],
)
def test_the_one_data_set_that_was_tested_is_named(effect, p_value, verdict):
    """A single test has no share that is significant by chance; what a plain test takes for granted is said."""
    test = PairedTest(effect, low=0, high=1, statistic=1, p_value=p_value, n_pairs=9, n_left_out=1)
    less = replace(test, n_pairs=8, n_left_out=2)
    mean = [[0.5, 0.6], [0.5, 0.6], [0.5, np.nan]]
    for kind, name, further in (
        ("corrected", "corrected resampled t-test", []),
        (
            "paired",
            "paired t-test",
            [
                "This test takes the folds as independent. Those of a cross-validation share training instances, so it "
                "finds differences more often than the level says."
            ],
        ),
    ):
        compared = invented(mean, tests=((None, None), (None, test), (None, None)), test=kind, level=0.1)
        assert compared.sentences() == [
            f"On set1 B {verdict} A ({name}, two-sided, level 0.1).",
            *further,
            "Over the 2 data sets, B has the best mean rank: 1.00 (1 is best, 2 worst).",
            "2 data sets are too few for Wilcoxon's signed-rank test to find a difference at level 0.1 between them.",
            "Folds on which the measure is undefined for a method or the base are left out of their test: 1 of 10 on "
            "set1.",
            "Without a value: B on set2; such a data set is left out of the ranks.",
        ]
    several = invented([[0.5, 0.6, 0.7]], tests=((None, test, less),), level=0.1).sentences()
    assert several[-1].endswith("left out of their test: 2 of 10 on set0.")
    assert (
        "Where nothing differs, about 0.2 of 2 such tests would be significant by chance: the level holds for each "
        "test alone." in several
    )


@pytest.mark.parametrize(("p_value", "text"), [(1e-4, "p = 0.0001"), (9.99e-5, "p < 0.0001"), (0.0456, "p = 0.046")])
def test_small_p_values_are_bounds(p_value, text):
    assert p_text(p_value) == text


def test_a_difference_is_written_in_the_order_of_the_better():
    """With an interval of 1 − level, and the test of a single pair corrected for nothing."""
    mean = np.column_stack((np.linspace(0.8, 0.9, 8), np.linspace(0.6, 0.7, 8)))
    [pair] = invented(mean, level=0.1).differences
    assert (pair.better, pair.worse, pair.effect, pair.high) == (0, 1, 1, 1)
    assert pair.low == signed_rank(mean[:, 0], mean[:, 1], level=0.1).low
    assert invented(mean, level=0.1).sentences()[-1] == (
        "Wilcoxon's signed-rank test over the data sets, at level 0.1, finds that A is better than B (p = 0.0078, "
        f"rank-biserial correlation 1.00, 90 % interval {pair.low:.2f} to 1.00)."
    )
    assert invented(mean[:, [0, 0]]).sentences()[-1] == (
        "Wilcoxon's signed-rank test over the data sets, at level 0.05, finds no difference between them."
    )


def test_the_lines_below_the_rule():
    """Mean and ranks of several sets, on those that all methods have; the best of a line, and each that reads alike."""
    mean = np.array([[0.5, 0.75, 0.75], [0.25, 0.5, 0.5], [0.9, np.nan, 0.1]])
    grid = grid_of(invented(mean))
    assert grid.cells == [["0.5000", "0.7500", "0.7500"], ["0.2500", "0.5000", "0.5000"], ["0.9000", "–", "0.1000"]]
    assert grid.best == [[False, True, True], [False, True, True], [True, False, False]]
    assert grid.last == {
        "mean": ["0.3750", "0.6250", "0.6250"], "mean rank": ["3.00", "1.50", "1.50"],
        "(v/ /*)": ["", "(0/0/0)", "(0/0/0)"],
    }  # fmt: skip
    assert grid.best_last == {
        "mean": [False, True, True], "mean rank": [False, True, True], "(v/ /*)": [False] * 3,
    }  # fmt: skip
    assert legend_of(invented(mean), grid) == {
        "?": "not tested", "–": "not defined",
        "mean": "over the data sets on which every method has a value, and so the ranks",
    }  # fmt: skip
    for values in (mean[:2], mean[2:]):
        assert "mean" not in legend_of(invented(values), grid_of(invented(values)))
    errors = grid_of(invented(mean, measure="brier"))
    assert errors.best == [[True, False, False], [True, False, False], [False, False, True]]
    assert errors.best_last["mean"] == [True, False, False] and errors.last["mean rank"] == ["1.00", "2.50", "2.50"]
    apart = grid_of(invented([[0.5, np.nan], [np.nan, 0.5]]))
    assert apart.last["mean"] == apart.last["mean rank"] == ["–", "–"]
    assert list(grid_of(invented([[0.5, 0.6]])).last) == [] and list(grid_of(invented([[0.5]] * 2)).last) == ["mean"]
    deviating = grid_of(invented([[0.5, 0.6]], std=np.array([[0.25, np.nan]])), std=True)
    assert deviating.cells == [["0.5000 ± 0.2500", "0.6000"]] and deviating.best == [[False, True]]


def test_several_learners_are_in_the_legend():
    compared = invented([[0.5, 0.6, 0.7]], learners=("J48", "CART", "J48"))
    assert legend_of(compared, grid_of(compared))["trees"] == "A, C: J48; B: CART"
    assert "trees" not in legend_of(invented([[0.5]]), grid_of(invented([[0.5]])))


def test_a_p_value_at_the_level_is_a_difference():
    text = " ".join(invented([[0.5, 0.6 + i / 100] for i in range(5)], level=0.0625).sentences())
    assert "at level 0.0625, finds that B is better than A (p = 0.062, rank-biserial correlation 1.00" in text


def test_nothing_differs():
    text = " ".join(invented([[0.5, 0.6, 0.7, 0.8, 0.9, 1.0]] * 12).sentences())
    assert "Holm-corrected for 15 pairs, at level 0.05, finds that 15 of 15 pairs of methods differ." in text
    text = " ".join(invented([[0.5, 0.5, 0.7, 0.7, 0.9]] * 12).sentences())
    assert text.count(" is better than ") == 8
    text = " ".join(invented([[0.5, 0.5, 0.5, 0.7, 0.7, 0.7]] * 12).sentences())
    assert "finds that 9 of 15 pairs of methods differ." in text
    text = " ".join(invented([[0.5, 0.5, 0.5]] * 12).sentences())
    assert "A, B and C have the best mean rank: 2.00 (1 is best, 3 worst)." in text
    assert "finds no difference between the 3 methods (χ² = 0.00, p = 1)" in text
    assert "finds no difference between any two methods" in text


# -- formats --------------------------------------------------------------------------------------------------------


def renamed(found, ending):
    """The results of data sets and methods whose names have another ending."""
    names = ("dataset", "label")
    results = (Result(record | {name: record[name] + ending for name in names}, answers) for record, answers in found)
    return wc.Evaluation(tuple(results))


@pytest.fixture(scope="module")
def hostile(found):
    return renamed(found, f" {HOSTILE}").compare(measure="brier")


def test_no_output_for_people_has_control_characters(found):
    odd = "a\r\x1b[31m\u202e\u2028b"
    evaluation = renamed(found, odd)
    compared = evaluation.compare()
    for text in (
        compared.text(), compared.latex(), compared.html(), *compared.sentences(), repr(compared),
        repr(evaluation), evaluation.summary(),
    ):  # fmt: skip
        assert {c for c in text if not c.isprintable()} <= {"\n"}
    rows = [*csv.reader(StringIO(compared.csv(), newline=""))]
    assert {len(row) for row in rows} == {len(rows[0])} and any(odd in cell for cell in rows[1])


def test_html_shows_names_as_text(hostile):
    parsed = ParsedHtml(hostile.html())
    assert set(parsed.tags) == {
        "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "abbr", "p", "strong"
    }  # fmt: skip
    assert [len(row) for row in parsed.rows] == [4] * 8
    assert parsed.rows[0][1] == f"leaf frequency {HOSTILE}"
    assert parsed.rows[1][0].startswith(f"iris {HOSTILE}")
    assert hostile._repr_html_() == hostile.html()


def test_documents_name_methods_and_print_the_best_in_bold():
    """Of values that read alike each one; none where all do. The notes stand apart from the table."""
    mean = [[0.91, 0.91004, 0.905], [0.8, 0.8, 0.8], [0.7, np.nan, 0.75]]
    compared = invented(mean, ("leaf_frequency", "confdtree:fine=0.2", "m_branch on J48 -M 5"), measure="auc_weighted")
    latex, page = compared.latex(), compared.html()
    for text in (latex, page):
        assert "leaf frequency" in text and "ConfDTree (fine=0.2)" in text and "m-Branch on J48 -M 5" in text
    assert "confdtree:fine=0.2" in compared.text() and "confdtree:fine=0.2" in compared.csv()
    rows = {line.split(" & ")[0]: line for line in latex.splitlines() if " & " in line}
    assert (
        rows["set0"].startswith(r"set0 & \textbf{0.9100} & \textbf{0.9100} & ") and "textbf{0.9050}" not in rows["set0"]
    )
    assert "textbf" not in rows["set1"] and rows["set2"].count("textbf") == 1 and r"\textbf{0.7500}" in rows["set2"]
    assert page.count("<strong>0.9100</strong>") == 2 and "<strong>0.7500</strong>" in page
    table, notes = latex.split(r"\end{table}")
    [caption] = re.findall(r"\\caption\{(.*)\}", table)
    assert caption.endswith("The best of a line is bold.") and caption.startswith(f"{compared.title}.")
    assert all(line.startswith("%") for line in notes.splitlines() if line)
    assert r"($\circ$/ /$\bullet$)" in table and "(v/ /*)" not in latex
    error = invented([[0.2, 0.1], [0.3, 0.1]], measure="brier").latex()
    assert error.count(r"\textbf{0.1000}") == 3 and r"\textbf{1.00}" in error  # the values, their mean and its rank


def test_display_names_are_those_of_methods():
    for name, method in Method.registry.items():
        assert display_of(name) == method.display_name != ""
        assert display_of(f"{name}:a=1,b=x+y on J48 -C 0.1") == f"{method.display_name} (a=1,b=x+y) on J48 -C 0.1"
    for other in ("forest", "confdtree2", "", "ConfDTree", "unknown:a=1", "confdtree, tuned"):
        assert display_of(other) == other


def test_the_display_name_of_a_method_does_not_depend_on_what_has_been_imported():
    code = "from wekaconf.methods.contract._method import display_of; print(display_of('confdtree on J48'))"
    assert python(code) == ("ConfDTree on J48\n", "")
    registry = Method.registry
    assert len({method.display_name for method in registry.values()}) == len(registry)


def test_latex_rows_have_equal_numbers_of_columns(hostile):
    text = hostile.latex(std=True)
    body = text[text.index(r"\toprule") : text.index(r"\bottomrule")]
    rows = [line for line in body.splitlines() if line.endswith(r"\\")]
    heading, *others = [len(re.findall(r"(?<!\\)&", row)) for row in rows]
    assert len(others) == 7
    assert set(others) == {5} and heading == 3
    declared = re.sub(r"@\{.*?\}", "", re.search(r"\\begin\{tabular\}\{(.*)\}", text)[1])
    assert declared.replace(" ", "") == "lr" + 2 * "rl"
    assert r"\textless{}script\textgreater{}a\textbar{}b" in text
    assert r"50\%\_\$x\textasciicircum{}2\$ \{\textbackslash{}n\} `*` \& \#1 \textasciitilde{}" in text
    assert r"$\pm$" in text and r"$\circ$" in text
    assert not re.search(r"[χ²±–−]", text)


def test_the_legend_says_what_the_table_holds():
    """Nothing of what it does not hold."""
    odd = invented([[0.5, 0.6], [np.nan, 0.7], [0.8, 0.7]], learners=("J48", "CART"))
    lines = [
        "–: not defined",
        "mean: over the data sets on which every method has a value, and so the ranks",
        "trees: A: J48; B: CART",
    ]
    assert [line for line in odd.text().splitlines() if line.partition(":")[0] in ("–", "mean", "trees")] == lines
    for text in (odd.latex(), odd.html()):
        assert "not defined" in text and "over the data sets on which" in text and "J48; B: CART" in text
    plain = invented([[0.5, 0.6], [0.4, 0.7], [0.8, 0.7]]).text()
    assert not any(line.partition(":")[0] in ("–", "mean", "trees") for line in plain.splitlines())


def test_csv_is_the_frame(found):
    compared = found.compare()
    rows = rows_of(compared.csv())
    frame = compared.to_frame()
    assert list(rows[0]) == list(frame.columns)
    assert len(rows) == len(frame) == 12
    for row, (_, of_frame) in zip(rows, frame.iterrows(), strict=True):
        assert (row["data_set"], row["scheme"], row["mark"]) == tuple(of_frame[["data_set", "scheme", "mark"]])
        for name in ("mean", "std", "p_value", "low", "high"):
            assert float(row[name] or "nan") == pytest.approx(of_frame[name], rel=1e-11, nan_ok=True)
    assert frame.mark.tolist() == [mark for of_set in compared.marks for mark in of_set]


@pytest.mark.parametrize("std", [False, True])
def test_text_fits_a_screen(hostile, found, monkeypatch, std):
    monkeypatch.setenv("COLUMNS", "80")
    text = found.compare(measure="percent_correct").text(std=std)
    assert max(map(len, text.splitlines())) <= 80
    assert ("±" in text) == std
    assert "(v/ /*)" in text and "mean rank" in text
    assert HOSTILE[:8] in hostile.text(std=std)


# -- the diagram ----------------------------------------------------------------------------------------------------


def test_groups_are_the_largest_that_do_not_differ():
    random = np.random.default_rng(5)
    for spread in (0.0, 1.0, 3.0, 9.0):
        compared = invented(random.normal(size=(15, 7)) + np.linspace(0, spread, 7))
        ranks = np.sort(compared.ranks.mean_ranks)
        near = {
            (first, last)
            for first in range(7)
            for last in range(first + 1, 7)
            if ranks[last] - ranks[first] < compared.ranks.critical_difference
        }
        largest = {(a, b) for a, b in near if (a - 1, b) not in near and (a, b + 1) not in near}
        assert set(diagram.rank_groups(compared.ranks, 0.05)) == largest
    tied = invented([[0.5, 0.5, 0.5]] * 4)
    assert diagram.rank_groups(tied.ranks, 0.05) == [(0, 2)]


def test_bars_that_touch_stand_in_different_rows():
    assert diagram._levels([(1, 2), (2, 3), (2.1, 4)]) == [[(1, 2), (2.1, 4)], [(2, 3)]]


def test_names_in_the_diagram_are_text(hostile, tmp_path):
    hostile.draw_ranks(tmp_path / "ranks.svg")
    text = (tmp_path / "ranks.svg").read_text()
    assert "CD = " in text and "leaf frequency" in text and not re.search(r"(?<!\\)<script", text)


def test_nothing_of_the_diagram_is_cut_off():
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.style import context

    from wekaconf.base.plot_style import STYLE

    names = ("leaf_frequency", "boundary_distance:scaling=minmax,spaces=2,other=3 on J48 -U -M 1", "c", "W" * 60)
    random = np.random.default_rng(0)
    with context(["default", STYLE]):
        figure = diagram._figure(invented(random.normal(size=(101, 4)), names, level=0.001))
        FigureCanvasAgg(figure).draw()
        (axes,) = figure.axes
        for text in (*axes.texts, *figure.texts, *axes.get_xticklabels()):
            box = text.get_window_extent()
            assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1, text


def test_diagram_needs_several_sets(found, tmp_path):
    one_set = wc.Evaluation(found[:3]).compare()
    with pytest.raises(OptionError, match="two data sets on which all have a value; got 3 and 1"):
        one_set.draw_ranks(tmp_path / "ranks.pdf")
    with pytest.raises(OptionError, match=r"a figure is a .png, .pdf or .svg file"):
        found.compare().draw_ranks(tmp_path / "ranks.txt")


# -- the Experimenter's layout (read by Weka: tests/parity/test_experimenter.py) -------------------------------------


def test_result_file_keeps_every_digit(found, tmp_path):
    path = tmp_path / "results.arff.gz"
    write_experimenter_arff(path, found)
    data = wc.load_arff(path)
    names = [attribute.name for attribute in data.attributes]
    assert names[:6] == [
        "Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options", "Key_Scheme_version_ID",
    ]  # fmt: skip
    assert len(data) == 120
    folds = [fold_values(answers) for answers in found.answers]
    for column, measure in (("Percent_correct", "percent_correct"), ("brier", "brier"), ("ece", "ece")):
        values = np.concatenate([each.values[measure] for each in folds])
        np.testing.assert_allclose(data.values[:, names.index(column)], values, rtol=1e-15)


@pytest.mark.filterwarnings("ignore:.*have no class:wekaconf.base.errors.Note")
def test_percents_of_a_fold_without_a_class_are_unknown(tmp_path):
    iris = wc.load_arff(ARFF / "iris.arff")
    values = iris.values[::15].copy()
    values[::2, -1] = np.nan
    rows, protocol = wc.Dataset(iris.header, values), wc.Protocol(folds=10)
    write_experimenter_arff(tmp_path / "r.arff", wc.evaluate(rows, "leaf_frequency", learner="CART", protocol=protocol))
    data = wc.load_arff(tmp_path / "r.arff")
    names = [attribute.name for attribute in data.attributes]
    percents, numbers = (
        data.values[:, [names.index(f"{unit}_{kind}") for kind in ("correct", "incorrect")]].sum(axis=1)
        for unit in ("Percent", "Number")
    )
    assert sorted(numbers) == [0] * 5 + [1] * 5
    np.testing.assert_array_equal(percents, np.where(numbers, 100, np.nan))


def test_a_result_file_tells_schemes_apart_by_all_that_they_depend_on(tmp_path):
    """Filter, cost matrix and preprocessing; also the protocol, where there are several."""
    costs = wc.CostMatrix.of_text("[0 1 5; 1 0 1; 1 1 0]")
    filtered = "weka.filters.unsupervised.attribute.Discretize"
    given = [{}, {"cost_matrix": costs}, {"filters": (filtered,)}, {"preprocess": "median"}]
    results = [evaluated("iris", ["m_branch"], protocol=wc.Protocol(folds=2, **each))[0] for each in given]

    def schemes(*results):
        write_experimenter_arff(tmp_path / "r.arff", results)
        data = wc.load_arff(tmp_path / "r.arff")
        [options] = [each for each in data.attributes if each.name == "Key_Scheme_options"]
        assert len(data) == len(options.values) * 2
        return options.values

    assert schemes(*results) == (
        "info_gain",
        f"info_gain; instances weighted by the cost matrix {costs}",
        f"info_gain; {filtered}, fitted on each training set",
        "info_gain; preprocessing median, fitted on the whole set",
    )
    assert schemes(results[0], results[1], results[0]) == schemes(*results[:2])
    other = evaluated("iris", ["m_branch"], protocol=wc.Protocol(folds=2, seed=2))[0]
    seeds = tuple(f"info_gain; 2-fold cross-validation, seed {seed}" for seed in (1, 2))
    assert schemes(results[0], other) == seeds
    ways = {row["protocol"] for row in per_fold_rows([*results, other])}
    assert len(ways) == 5 and "2-fold cross-validation, seed 2" in ways


def test_of_two_measurements_of_a_scheme_the_last_counts(found):
    """As in the report of a study; a note says in what they differ."""
    data = wc.load_arff(ARFF / "iris.arff")
    fewer = wc.evaluate(data.take(slice(0, 120)), METHODS, learner="info_gain", name="iris")
    with pytest.warns(wc.Note) as told:
        compared = (wc.Evaluation(found[:3]) + fewer).compare()
    np.testing.assert_array_equal(compared.mean, fewer.compare().mean)
    assert [str(each.message) for each in told] == [
        f"'{label}' was measured more than once on 'iris' (instances 150, then 120); the last one counts"
        for label in METHODS
    ]
    with pytest.warns(wc.Note, match="'leaf_frequency' was measured more than once on 'iris'; the last one counts"):
        assert (found + found).compare().text() == found.compare().text()


def test_the_ending_says_how_folds_are_written(found, tmp_path):
    """With equal figures in every form; what has no threshold has no coverage."""
    import pandas as pd

    wanted = pd.DataFrame(per_fold_rows(found[:2]))
    assert len(wanted) == 20 and wanted["brier"].notna().all() and wanted["coverage"].isna().all()
    readers = {".csv": pd.read_csv, ".json": pd.read_json, ".parquet": pd.read_parquet, ".pq": pd.read_parquet}
    assert {*readers, ".arff", ".arff.gz"} == {*FOLD_ENDINGS}
    for ending, read in readers.items():
        path = tmp_path / f"folds{ending.upper()}"
        write_per_fold(path, found[:2])
        frame = read(path)
        assert list(frame) == list(wanted)
        pd.testing.assert_frame_equal(
            frame.drop(columns="options"), wanted.drop(columns="options"), check_dtype=False, rtol=1e-11
        )
    for name in ("folds.arff", "folds.ARFF.gz"):
        write_per_fold(tmp_path / name, found[:2])
        written = wc.load_arff(tmp_path / name)
        columns = [attribute.name for attribute in written.attributes]
        assert len(written) == 20 and {*MEASURES} - {"percent_correct"} <= {*columns}
        np.testing.assert_array_equal(written.values[:, columns.index("aurc")], wanted["aurc"])
    write_per_fold(tmp_path / "folds", found[:2])
    assert (tmp_path / "folds").read_bytes() == (tmp_path / "folds.CSV").read_bytes()


def test_result_file_refused(tmp_path):
    with pytest.raises(OptionError, match="nothing was measured"):
        write_experimenter_arff(tmp_path / "r.arff", [])
    with pytest.raises(OptionError, match="has no place for an open set"):
        write_experimenter_arff(tmp_path / "r.arff", evaluated("iris", protocol=wc.Protocol(leave_out="one")))
    assert list(tmp_path.iterdir()) == []
