"""A file compared with the training data: exact tests, silence on undamaged halves, words and exit codes."""

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from reference import drift_reference as literal
from scipy import stats
from support.csv_rows import rows_in
from support.random_trees import random_dataset, random_header

import wekaconf as wc
from wekaconf.cli.console import ExitCode
from wekaconf.data import Attribute, Header, summarise
from wekaconf.data._matching import UnseenCells
from wekaconf.evaluation.checks import Drift, FileCounts, compare_with_training
from wekaconf.evaluation.checks import _drift as drift
from wekaconf.evaluation.checks._drift import Change
from wekaconf.evaluation.checks._two_samples import all_greatest, chi_square_tail, fisher, homogeneity
from wekaconf.evaluation.promises import AnswerShares
from wekaconf.model.file import load
from wekaconf.report import answers as words

CLASS = Attribute("class", "nominal", ("no", "yes"))
REGIONS = ("north", "south", "west")
HEADER = Header("calls", (Attribute("tenure"), Attribute("charge"), Attribute("region", "nominal", REGIONS), CLASS), 3)


def month(n, seed=0):
    """(n, 4) float64: rows of an undamaged month."""
    rng = np.random.default_rng(seed)
    region = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    tenure, charge = rng.integers(0, 120, n), rng.normal(60, 20, n).round(2)
    return np.column_stack([tenure, charge, region, rng.integers(0, 2, n)]).astype(float)


def compared(train, asked, unseen=None, *, header=HEADER, parts=1):
    """The comparison of rows with training rows; they come in so many parts."""
    summary = summarise(wc.Dataset(header, train))
    counts = FileCounts(summary, None)
    for part in np.array_split(asked, parts):
        counts.add(summary.outside(part, unseen))
    return compare_with_training(counts, CLASS.values, promises=False)


def test_dates_that_all_lie_after_training_are_told_once():
    """No test finds them, since dates go on by themselves; a single row says nothing."""
    header = Header("calls", (Attribute("since", "date", date_format="yyyy-MM-dd"), CLASS), 1)
    day = 86_400_000.0
    train = np.column_stack([np.arange(100) * day, np.tile([0.0, 1.0], 50)])
    later = np.column_stack([np.array([99.5, 100, 120]) * day, np.full(3, np.nan)])
    result = compared(train, later, header=header, parts=2)
    words = "since: all 3 dates lie after 1970-04-10, the last of training, so nothing is known of such dates"
    assert result.is_like_training and not result.is_ordinary and "all 3 dates lie after" in result.later[0]
    assert result.lines == [f"3 rows, like those of training; {words}"]
    assert result.line.endswith(words) and result.warning("X") == f"X: {result.lines[0]}"
    for others in (later[:1], np.concatenate([later, train[-1:]])):
        assert compared(train, others, header=header).later == ()


def told(result):
    return {(change.attribute, change.kind) for change in result.told}


@pytest.mark.parametrize(("k", "m", "n"), [(0, 3, 4), (1, 3, 4), (2, 3, 4), (3, 3, 4), (1, 1, 9), (4, 5, 3), (5, 5, 6)])
def test_rows_outside_are_as_probable_as_counted(k, m, n):
    assert all_greatest(k, m, n) == pytest.approx(float(literal.all_greatest(k, m, n)), rel=1e-12)


def test_ties_make_rows_outside_only_rarer():
    """With ties fewer rows are strictly beyond the greatest of training: the test keeps its level."""
    rng, level = np.random.default_rng(0), 0.1
    pooled = rng.integers(0, 12, 60)
    alarms = 0
    for _ in range(2000):
        rng.shuffle(pooled)
        training, others = pooled[:40], pooled[40:]
        alarms += all_greatest(int((others > training.max()).sum()), 20, 40) <= level
    assert stats.binomtest(alarms, 2000, level, alternative="greater").pvalue > 0.01


@pytest.mark.parametrize(
    "table", [(0, 10, 5, 10), (3, 40, 9, 25), (1, 1000, 40, 900), (20, 20, 3, 5), (500, 9000, 7, 90), (1, 2, 0, 98)]
)
def test_fisher_is_scipy_s(table):
    k, n, other_k, other_n = table
    expected = stats.fisher_exact([[k, n - k], [other_k, other_n - other_k]]).pvalue
    assert fisher(k, n, other_k, other_n) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n_free", [1, 2, 3, 4, 9, 10, 301, 302])
def test_the_tail_of_chi_square_is_scipy_s(n_free):
    for statistic in (0.0, 1e-9, 0.3, 1, 7.5, n_free, 3 * n_free, 1500):
        expected = stats.chi2.sf(statistic, n_free)
        assert chi_square_tail(statistic, n_free) == pytest.approx(expected, rel=1e-11, abs=1e-300)


@pytest.mark.parametrize("table", [(0, 9, 0, 4), (9, 9, 4, 4), (0, 0, 1, 4), (1, 4, 0, 0)])
def test_no_missing_value_is_no_test(table):
    assert np.isnan(fisher(*table))


def test_homogeneity_is_scipy_s_where_nothing_is_pooled():
    training, others = np.array([50, 60, 70, 20]), np.array([30, 20, 40, 30])
    expected = stats.chi2_contingency([training, others], correction=False).pvalue
    for is_ordered in (True, False):
        assert homogeneity(training, others, is_ordered=is_ordered) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("is_ordered", "pooled"), [(True, [[91, 14, 100], [6, 10, 40]]), (False, [[15, 90, 100], [11, 5, 40]])]
)
def test_small_bins_are_pooled(is_ordered, pooled):
    """Neighbours if they are ordered, else the rarest first, until both samples expect at least 5."""
    training, others = np.array([1, 90, 1, 13, 100]), np.array([1, 5, 1, 9, 40])
    expected = stats.chi2_contingency(pooled, correction=False).pvalue
    assert homogeneity(training, others, is_ordered=is_ordered) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("is_ordered", [True, False])
def test_bins_are_pooled_until_both_samples_expect_five(is_ordered):
    """Of samples of any sizes; what is left at the end belongs to the last bin."""
    rng = np.random.default_rng(0)
    n_pooled = n_exact = 0
    for _ in range(300):
        training, others = (rng.poisson(rng.choice([1, 4, 15, 40]), 8) for _ in range(2))
        sums = np.array([training.sum(), others.sum()])
        if not sums.all():
            continue
        order = range(8) if is_ordered else np.argsort(training + others, kind="stable")
        bins, held = [], np.zeros(2, dtype=int)
        for i in order:
            held += training[i], others[i]
            expected = held.sum() * sums / sums.sum()
            n_exact += expected.min() == 5
            if expected.min() >= 5:
                bins, held = [*bins, held], np.zeros(2, dtype=int)
        if bins:
            bins[-1] = bins[-1] + held
        found = homogeneity(training, others, is_ordered=is_ordered)
        if len(bins) < 2:
            assert np.isnan(found)
        else:
            assert found == pytest.approx(stats.chi2_contingency(np.transpose(bins), correction=False).pvalue, rel=1e-9)
        n_pooled += 1 < len(bins) < 8
    assert n_pooled > 100 and n_exact > 0


def test_the_order_of_values_changes_no_test():
    """Though those that are equally rare are pooled in turn."""
    training, others, texts = np.array([360, 2, 10, 6, 12]), np.array([191, 2, 2, 6, 12]), list("vwxyz")
    orders = [np.roll(np.arange(5), turn) for turn in range(5)] + [np.array([0, 2, 4, 1, 3])]
    rolled = [(training[order], others[order], [texts[i] for i in order]) for order in orders]
    assert len({homogeneity(*counts, is_ordered=False) for *counts, _ in rolled}) > 1
    assert len({drift._mix("a", "mix", *each, is_ordered=False) for each in rolled}) == 1


@pytest.mark.parametrize("counts", [([5, 5], [0, 0]), ([0, 0], [3, 3]), ([100, 0], [100, 0]), ([2, 2], [2, 2])])
def test_too_few_rows_are_no_test(counts):
    assert np.isnan(homogeneity(*map(np.array, counts), is_ordered=True))


def test_the_p_values_are_one_family_of_holm(monkeypatch):
    train, asked = month(300), month(80, 1)
    corrected = [change.p for change in compared(train, asked).changes]
    monkeypatch.setattr(drift, "holm", np.asarray)
    raw = [change.p for change in compared(train, asked).changes]
    assert len(raw) == 2 * 3 + 2  # no value is missing, so that is not tested; below, above, mix; unseen, mix
    assert corrected == pytest.approx(literal.holm(raw), rel=1e-12)


@pytest.mark.parametrize(("n_values", "n_training", "n_asked"), [(2000, 2000, 1000), (200, 300, 150), (500, 1000, 300)])
def test_values_that_only_one_file_has_are_no_change_of_the_mix(n_values, n_training, n_asked):
    """A column of many rare values: the table of the training rows declares those that it has, as a CSV file does."""
    n_told, n = 0, 60
    for seed in range(n):
        rng = np.random.default_rng(seed)
        texts = np.array([f"d{i}" for i in rng.permutation(n_values)])[rng.integers(0, n_values, n_training + n_asked)]
        declared = tuple(dict.fromkeys(texts[:n_training].tolist()))
        place = {text: i for i, text in enumerate(declared)}
        header = Header("visits", (Attribute("dx", "nominal", declared), CLASS), 1)
        train = np.array([[place[text], i % 2] for i, text in enumerate(texts[:n_training])], dtype=float)
        asked = np.array([[place.get(text, np.nan), 0] for text in texts[n_training:]], dtype=float)
        rows = np.flatnonzero(np.isnan(asked[:, 0]))
        unseen = {"dx": UnseenCells(rows, texts[n_training:][rows])}
        n_told += bool(compared(train, asked, unseen, header=header).told)
    assert stats.binomtest(n_told, n, 0.05, alternative="greater").pvalue > 0.01


def test_undamaged_halves_are_silent():
    """At most 5 % of the halves of one data set may be told, by an exact test."""
    n_told, n = 0, 400
    for seed in range(n):
        rng = np.random.default_rng(seed)
        header = random_header(rng, int(rng.integers(2, 9)))
        data = random_dataset(rng, header, int(rng.integers(60, 500)), float(rng.choice([0, 0.1])))
        rows = rng.permutation(len(data))
        first = int(len(data) * rng.choice([0.3, 0.5, 0.7]))
        result = compared(data.values[rows[:first]], data.values[rows[first:]], header=header)
        n_told += bool(result.told)
    assert stats.binomtest(n_told, n, 0.05, alternative="greater").pvalue > 0.01
    assert n_told < n * 0.05


def changed(column, change, share=1.0, n=500):
    """A month whose cells of a column are changed, in a share of the rows."""
    asked = month(n, 1)
    rows = slice(round(share * n))
    asked[rows, column] = change(asked[rows, column])
    return asked


DAMAGE = {
    "beyond all": (0, lambda cells: cells * 365 + 1000, 0.998, {("tenure", "above"), ("tenure", "mix")}),
    "a few beyond": (0, lambda cells: cells + 1000, 0.03, {("tenure", "above")}),
    "below": (1, lambda cells: cells - 500, 0.05, {("charge", "below")}),
    "missing": (1, lambda cells: cells * np.nan, 0.2, {("charge", "missing")}),
    "all missing": (1, lambda cells: cells * np.nan, 1.0, {("charge", "missing")}),
    "moved": (1, lambda cells: cells + 20, 1.0, {("charge", "mix")}),
    "constant": (1, lambda cells: 0 * cells + 60, 0.5, {("charge", "mix")}),
    "other mix": (2, lambda cells: 0 * cells + 2, 0.3, {("region", "mix")}),
    "infinite": (0, lambda cells: cells + np.inf, 0.1, {("tenure", "above")}),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_told(damage):
    column, change, share, expected = DAMAGE[damage]
    result = compared(month(1000), changed(column, change, share))
    assert expected <= told(result)
    assert {attribute for attribute, _ in told(result)} == {name for name, _ in expected}


@pytest.mark.parametrize(("column", "change", "share", "kind"), [
    (0, lambda cells: cells + 1000, 0.03, "above"), (1, lambda cells: cells * np.nan, 0.25, "missing"),
])  # fmt: skip
def test_the_size_of_a_change_is_a_share_of_the_rows(column, change, share, kind):
    [found] = compared(month(1000), changed(column, change, share)).told
    assert (found.kind, found.n, found.n_known, found.size) == (kind, 500 * share, 500, share)


def test_parts_of_a_file_are_compared_as_the_whole():
    train, asked = month(1000), changed(1, lambda cells: cells * 3, 0.4)
    assert compared(train, asked, parts=7) == compared(train, asked)


def test_a_trifle_in_a_large_file_is_not_told():
    rng = np.random.default_rng(0)
    header = Header("large", (Attribute("x"), CLASS), 1)
    train, asked = (np.column_stack([rng.normal(mean, 1, 200_000), np.zeros(200_000)]) for mean in (0, 0.05))
    result = compared(train, asked, header=header)
    mix = next(change for change in result.changes if change.kind == "mix")
    assert mix.p < 1e-6
    assert mix.size < drift.LEAST_MOVED
    assert not result.told


def test_a_value_that_training_did_not_have():
    asked = month(500, 1)
    asked[:60, 2] = np.nan
    unseen = {"region": UnseenCells(np.arange(60), np.array(["Mars"] * 50 + ["Venus"] * 10, dtype=object))}
    [change] = [change for change in compared(month(1000), asked, unseen).told if change.kind == "unseen"]
    assert (change.where, change.n, change.n_known, change.size) == ("Mars", 60, 500, 0.12)
    assert not any(change.kind == "missing" for change in compared(month(1000), asked, unseen).changes)


def test_many_rare_values_are_no_surprise():
    """Of 2,000 values most occur once or never: an undamaged half has many that the other has not."""
    header = Header("names", (Attribute("name", "nominal", tuple(f"v{i}" for i in range(2000))), CLASS), 1)
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.integers(0, 2000, 2000), np.zeros(2000)]).astype(float)
    result = compared(values[:1000], values[1000:], header=header)
    assert not result.told
    assert next(change for change in result.changes if change.kind == "unseen").size > 0.3
    values[1000:1200, 0] = next(i for i in range(2000) if i not in values[:1000, 0])
    assert ("name", "unseen") in told(compared(values[:1000], values[1000:], header=header))


def test_more_undeclared_values_than_are_counted_one_by_one(monkeypatch):
    asked = month(400, 1)
    asked[:, 2] = np.nan
    texts = np.array([f"v{i}" for i in range(400)], dtype=object)
    unseen = {"region": UnseenCells(np.arange(400), texts)}
    [mix] = [change for change in compared(month(1000), asked, unseen).told if change.kind == "mix"]
    assert mix.size == 1.0
    monkeypatch.setattr(drift, "MOST_UNSEEN", 30)
    result = compared(month(1000), asked, unseen)
    assert not [change for change in result.changes if (change.attribute, change.kind) == ("region", "mix")]
    [others] = [change for change in result.changes if change.kind == "unseen"]
    assert (others.n, others.n_known, others.size) == (400, 400, 1.0)


@pytest.mark.parametrize(("power", "words"), [
    (1, "multiplied by 10"), (6, "multiplied by 1,000,000"), (7, None), (-1, "divided by 10"),
    (-6, "divided by 1,000,000"), (-7, None),
])  # fmt: skip
def test_another_unit_is_named_up_to_a_million(power, words):
    hints = compared(month(1000), changed(1, lambda cells: cells * 10.0**power)).hints
    assert hints == ({} if words is None else {"charge": f"as if {words}: another unit?"})


@pytest.mark.parametrize(("n_elsewhere", "is_named"), [(250, True), (260, False)])
def test_a_unit_is_named_if_a_quarter_lies_elsewhere_at_most(n_elsewhere, is_named):
    train = np.column_stack([np.arange(1000.0), *month(1000).T[1:]])
    asked = train.copy()
    asked[:n_elsewhere, 0] += 1000  # beyond those of training, where the lowest were
    asked[:, 0] *= 1000
    assert ("another unit" in compared(train, asked).hints.get("tenure", "")) == is_named


@pytest.mark.parametrize(("n_elsewhere", "is_named"), [(200, True), (240, False)])
def test_a_unit_is_named_if_it_halves_the_share_that_lies_elsewhere(n_elsewhere, is_named):
    """Half of the numbers are 0, which have no unit."""
    train = np.column_stack([np.arange(1000.0) - 499, *month(1000).T[1:]])
    train[:500, 0] = 0
    asked = train.copy()
    asked[500 : 500 + n_elsewhere, 0] += 1000
    asked[:, 0] *= 1000
    assert ("another unit" in compared(train, asked).hints.get("tenure", "")) == is_named


def test_another_mix_of_declared_values_has_no_hint():
    result = compared(month(1000), changed(2, lambda cells: 0 * cells + 2, 0.3))
    assert told(result) == {("region", "mix")} and result.hints == {}


@pytest.mark.parametrize(("row", "is_running"), [(8191, False), (8192, True)])
def test_the_first_8192_rows_tell_whether_numbers_go_on(row, is_running):
    train, asked = month(1000), month(9000, 1)
    asked[:, 0] = 1000.5 + np.arange(9000)
    asked[row, 0] = 999
    assert compared(train, asked, parts=2).running == ("tenure",) * is_running


RNG = np.random.default_rng(3)


@pytest.mark.parametrize(("training", "file", "is_running"), [
    (np.arange(1000), np.arange(1000, 1500), True),  # a row number
    (np.arange(1000), 1000 + RNG.permutation(500), True),  # the same in another order
    (-np.arange(1000), -1000 - np.arange(500), True),
    (20260601 + np.arange(1000) // 40, 20260701 + np.arange(500) // 20, True),  # days
    (np.full(1000, 2025), np.full(500, 2026), True),
    (np.arange(1000) + 0.25, 1000 + np.sort(RNG.random(500)), True),  # seconds
    (np.arange(1000), np.arange(999, 1499), False),  # one of them is known
    (RNG.integers(0, 120, 1000), 43_000 + RNG.integers(0, 120, 500), False),  # impossible values
    (RNG.random(1000), 7 + RNG.random(500), False),
    (1 + RNG.random(1000), 1000 * (1 + np.sort(RNG.random(500))), False),  # another unit
])  # fmt: skip
def test_numbers_that_go_on_are_named_with_a_remedy(training, file, is_running):
    train, asked = month(1000), month(500, 1)
    train[:, 0], asked[:, 0] = training, file
    result = compared(train, asked)
    assert "tenure" in {change.attribute for change in result.told}
    assert result.running == ("tenure",) * is_running
    assert ("a number that goes on, such as an identifier or a date?" in str(result)) == is_running
    last = words.difference_lines(result, "june.csv")[-1]
    assert (last == "to make a model without such columns: --ignore tenure") == is_running


def test_texts_that_nearly_all_differ_are_named_with_a_remedy():
    texts = tuple(f"C{i}" for i in range(1000))
    header = Header("calls", (Attribute("customer no", "nominal", texts), Attribute("charge"), CLASS), 2)
    rows = np.column_stack([np.arange(1000.0), month(1000)[:, 1], np.zeros(1000)])
    new = np.column_stack([np.full(500, np.nan), month(500, 1)[:, 1], np.zeros(500)])
    unseen = {"customer no": UnseenCells(np.arange(500), np.array([f"D{i}" for i in range(500)], dtype=object))}
    result = compared(rows, new, unseen, header=header)
    assert result.lines[1:-1] == ["  customer no: nearly every row has a text of its own, as identifiers have"]
    last = words.difference_lines(result, "july.csv")[-1]
    assert last == "to make a model without such columns: --ignore 'customer no'"
    few = {"customer no": UnseenCells(np.arange(12), np.array([f"D{i}" for i in range(12)], dtype=object))}
    changes = compared(rows[:630], new[:12], few, header=header).changes
    assert "100 % of the rows would have to change" in str(next(change for change in changes if change.kind == "mix"))


def test_answers_that_depend_on_a_date_are_explained_by_it():
    header = Header("calls", (Attribute("since", "date", date_format="yyyy-MM-dd"), Attribute("charge"), CLASS), 2)
    rows, new = (
        np.column_stack([np.arange(float(len(r))), r[:, 1], np.zeros(len(r))]) for r in (month(800), month(300, 1))
    )
    shares = AnswerShares.of(np.linspace(0, 1, 200), np.zeros(200, np.int64), np.zeros(200, bool), 2)
    summary = summarise(wc.Dataset(header, rows))

    def of(asked):
        counts = FileCounts(summary, shares)
        counts.add(summary.outside(asked))
        counts.add_answers(np.full(300, 0.9), np.zeros(300, np.int64))
        return compare_with_training(counts, CLASS.values, promises=True)

    assert str(of(new)).split("\n")[1].endswith("; do they depend on since, which goes on with every file?")
    assert of(new).running == ("since",)
    new[:, 1] += 100
    assert of(new).running == (), "another column explains it"


def test_a_comparison_can_be_printed():
    result = compared(month(1000), changed(1, lambda cells: cells * 1000.0))
    first, line, verdict = str(result).split("\n")
    n_outside = result.n_outside
    assert n_outside > 300 and not result.is_ordinary and not result.is_like_training
    how = f"1,000 training rows; p after Holm's correction for {len(result.changes)} tests"
    assert first == f"500 rows, not like those of training ({how}); {n_outside} with values outside training:"
    assert line.startswith("  charge: ") and line.endswith("; as if multiplied by 1,000: another unit?")
    assert verdict == (
        "the answers assume rows like the 1,000 training rows; one column says that these rows differ: the "
        "answers cannot be relied on (certainties and predicted classes were not compared)"
    )
    assert words.difference_lines(result, "june.csv") == [f"june.csv: {first}", line, verdict]
    same = compared(month(1000), month(400, 1))
    beside = f"; {same.n_outside} with values outside training"
    assert str(same) == f"400 rows, like those of training{beside if same.n_outside else ''}"
    assert same.is_like_training and words.difference_lines(same, "june.csv") == [f"june.csv: {same}"]


def test_a_few_rows_far_outside_are_told_and_do_not_change_the_file():
    asked = month(1000, 1)
    asked[[7, 500, 900], 0] = 43_435, 999, -800
    result = compared(month(1000), asked, parts=4)
    assert result.is_like_training
    assert [tuple(each) for each in result.far] == [("tenure", 3, "tenure 43435, training at most 119")]
    line = (
        f"1000 rows, like those of training; {result.n_outside} with values outside training; far outside training: "
        "3 rows, such as tenure 43435, training at most 119"
    )
    assert str(result) == line
    assert words.difference_lines(result, "june.csv") == [f"june.csv: {line}"]
    assert words.difference_record(result, "june.csv")["far_outside"] == [
        {"attribute": "tenure", "n": 3, "first": "tenure 43435, training at most 119"}
    ]
    asked[:, 1] += 40
    result = compared(month(1000), asked)
    assert not result.is_like_training
    assert result.lines[2].startswith("  far outside training: 3 rows, such as tenure 43435")
    asked[:300, 0] = 43_435
    assert compared(month(1000), asked).far == ()


@pytest.mark.parametrize(("n_columns", "n_named", "more"), [
    (3, 3, ""), (4, 3, "; and in 1 more column"), (6, 3, "; and in 3 more columns"),
])  # fmt: skip
def test_three_columns_with_rows_far_outside_are_named(n_columns, n_named, more):
    header = Header("far", (*(Attribute(f"x{i}") for i in range(n_columns)), CLASS), n_columns)
    values = np.tile(np.arange(200.0)[:, None] % 100, n_columns + 1)
    values[:, n_columns] = 0
    asked = values.copy()
    asked[5, :n_columns] = 50_000
    [line] = compared(values, asked, header=header).lines
    named = "; ".join(f"1 row, x{i} 50000, training at most 99" for i in range(n_named))
    outside = "1 with values outside training; far outside training"
    assert line == f"200 rows, like those of training; {outside}: {named}{more}"


@pytest.mark.parametrize(("n_columns", "words"), [
    (1, "one column says"), (2, "two columns say"), (6, "six columns say"), (7, "7 columns say"),
])  # fmt: skip
def test_the_columns_that_changed_are_counted_in_words(n_columns, words):
    header = Header("changed", (*(Attribute(f"x{i}") for i in range(n_columns)), CLASS), n_columns)
    rows = np.tile(np.arange(200.0)[:, None], n_columns + 1)
    rows[:, n_columns] = 0
    asked = rows + 1000
    asked[:, n_columns] = 0
    assert f"; {words} that these rows differ" in compared(rows, asked, header=header).lines[-1]


@pytest.mark.parametrize(("p", "words"), [(0.9e-6, "p < 1e-06"), (1e-6, "p = 1e-06"), (0.0123, "p = 0.012")])
def test_the_smallest_p_values_are_not_printed(p, words):
    assert str(drift.Change("x", "missing", 9, 10, 0.1, "", 0.8, p)).endswith(f" (training: 10 %; {words})")


@pytest.mark.parametrize(("numbers", "low", "high"), [
    (range(101), -200.0, 300.0),  # the tails are short: five times as far as the least and the greatest
    ([*range(91), *range(90, 490, 40)], -200.0, 50 + 400 * (400 / 30)),  # the greatest is 400 from 50, four fifths 30
    ([0] * 60 + [1] * 40, np.nan, 5.0),  # two numbers, both frequent
    ([0] * 95 + [1] * 5, np.nan, np.nan),  # nothing tells how far the rare ones reach
    ([*range(100), np.inf], np.nan, np.nan),
    ([np.nan] * 5, np.nan, np.nan),
])  # fmt: skip
def test_where_far_outside_begins(numbers, low, high):
    header = Header("x", (Attribute("x"), CLASS), 1)
    values = np.column_stack([np.array(numbers, dtype=float), np.zeros(len(numbers))])
    summary = summarise(wc.Dataset(header, values))
    np.testing.assert_array_equal([limits[0] for limits in summary.far_limits], [low, high])
    assert not summary.outside(values).is_far.any()


def test_what_lies_at_the_limit_is_not_far_outside():
    header = Header("x", (Attribute("x"), CLASS), 1)
    asked = np.column_stack([[-200.5, -200, 300, 300.5], np.zeros(4)])
    outside = summarise(wc.Dataset(header, np.column_stack([np.arange(101.0), np.zeros(101)]))).outside(asked)
    assert outside.is_far[:, 0].tolist() == [True, False, False, True]


def test_rows_of_long_tails_are_seldom_far_outside():
    """Also where the mean of a column does not exist, one file in twenty at most has such a row."""
    rng, header = np.random.default_rng(0), Header("x", (Attribute("x"), CLASS), 1)
    draws = (rng.normal, rng.exponential, rng.standard_cauchy, lambda size: rng.pareto(1, size),
             lambda size: rng.lognormal(0, 2, size))  # fmt: skip
    for draw in draws:
        n_far = 0
        for _ in range(300):
            values = np.column_stack([draw(size=800), np.zeros(800)])
            n_far += summarise(wc.Dataset(header, values[:400])).outside(values[400:]).is_far.any()
        assert stats.binomtest(int(n_far), 300, 0.05, alternative="greater").pvalue > 0.01


def test_numbers_in_the_place_of_texts_are_named():
    asked = month(500, 1)
    texts = np.array(["1", "2", "3"], dtype=object)[asked[:, 2].astype(int)]
    asked[:, 2] = np.nan
    result = compared(month(1000), asked, {"region": UnseenCells(np.arange(500), texts)})
    assert result.hints == {"region": "numbers, in training texts"}


def test_values_that_are_written_otherwise_are_named():
    asked = month(500, 1)
    for written, hints in (
        (("North ", "SOUTH", "west"), {"region": "the values of training but for case and spaces"}),
        (("North", "SOUTH", "Mars"), {}),
    ):
        texts = np.array(written, dtype=object)[asked[:, 2].astype(int)]
        rows = asked.copy()
        rows[:, 2] = np.nan
        assert compared(month(1000), rows, {"region": UnseenCells(np.arange(500), texts)}).hints == hints


@pytest.mark.parametrize("n", [0, 1])
def test_no_row_and_one_row_are_too_few_to_tell(n):
    assert not compared(month(1000), np.full((n, 4), 1.0)).told


def test_a_column_without_values_is_like_any_other():
    header = Header("none", (Attribute("x"), Attribute("empty", "nominal", ()), CLASS), 2)
    rows = np.column_stack([np.arange(50.0), np.full(50, np.nan), np.zeros(50)])
    result = compared(rows[:25], rows[::2], header=header)
    assert {change.attribute for change in result.changes} == {"x"}
    unseen = {"empty": UnseenCells(np.arange(20), np.array(["new"] * 20, dtype=object))}
    compared(rows[:25], rows[::2], unseen, header=header)


def test_dates_go_on_without_a_word():
    header = Header("dates", (Attribute("since", "date", date_format="yyyy-MM-dd"), CLASS), 1)
    train, asked = (np.column_stack([np.arange(300.0) + start, np.zeros(300)]) for start in (0, 1e6))
    result = compared(train, asked, header=header)
    assert not result.told
    asked[:, 0] = np.nan
    assert told(compared(train, asked, header=header)) == {("since", "missing")}


def test_a_column_that_training_had_not():
    train = month(300)
    train[:, 1] = np.nan
    result = compared(train, month(300, 1))
    assert told(result) == {("charge", "missing")}
    [change] = [change for change in result.changes if change.attribute == "charge"]
    assert (change.kind, change.n, change.n_known, change.training_share) == ("missing", 0, 300, 1.0)


def test_answers_are_compared_with_those_of_the_calibration_rows():
    rng, summary = np.random.default_rng(0), summarise(wc.Dataset(HEADER, month(300)))

    def of(shift):
        counts = FileCounts(summary, shares)
        counts.add(summary.outside(month(400, 1)))
        sure = np.clip(rng.beta(4, 2, 400) - shift, 0, 1)
        counts.add_answers(sure, (sure < 0.5).astype(np.int64))
        return compare_with_training(counts, CLASS.values, promises=True)

    sure = rng.beta(4, 2, 400)
    shares = AnswerShares.of(sure, (sure < 0.5).astype(np.int64), sure < 0.3, 2)
    assert not of(0.0).told
    assert told(of(0.3)) == {("", "certainty"), ("", "predicted")}
    printed = words.difference_lines(of(0.3), "july.csv")
    assert printed[-1] == (
        "the promise assumes rows like the 400 calibration rows; the answers say that these rows differ: the promise "
        "cannot be relied on"
    )


# what a user reads


def write(name, rows, *, labels=None):
    with open(name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["tenure", "charge", "region", *(["class"] if labels is not None else [])])
        for i, (tenure, charge, region, _) in enumerate(rows):
            writer.writerow([tenure, charge, REGIONS[int(region)], *([labels[i]] if labels is not None else [])])


@pytest.fixture
def june(tmp_path, monkeypatch, run):
    """A folder with june.csv, july.csv like it, bad.csv, and m.wct, a model of june."""
    monkeypatch.chdir(tmp_path)
    rows = month(900)
    write("june.csv", rows, labels=np.where(rows[:, 0] + rows[:, 1] > 120, "yes", "no"))
    write("july.csv", month(300, 1))
    bad = month(300, 1)
    bad[1:, 0] += 43_000
    write("bad.csv", bad)
    fitted = run("predict", "-t", "june.csv", "--learner", "info_gain", "--target-error", "0.2", "--confidence", "0.9",
                 "-d", "m.wct")  # fmt: skip
    assert fitted.code == 0, fitted.err


def column(name):
    return [row[name] for row in rows_in("a.csv")]


def logged():
    """The comparison in the last line of the log."""
    return json.loads(Path("d.jsonl").read_text(encoding="utf-8").splitlines()[-1])["drift"]


def test_an_undamaged_month_passes_without_a_word(june, run):
    loaded = run("predict", "-l", "m.wct", "-T", "july.csv", "-o", "a.csv", "--strict", "file", "--log-json", "d.jsonl")
    assert loaded.code == 0
    run("predict", "-t", "june.csv", "--learner", "info_gain", "--target-error", "0.2", "--confidence", "0.9", "-d",
        "bare.wct", "--no-summary")  # fmt: skip
    bare = run("predict", "-l", "bare.wct", "-T", "july.csv", "-o", "b.csv")
    like = [line for line in loaded.err.splitlines() if not line.startswith("july.csv: 300 rows, like those of")]
    wrong = ["about 14 of the 300 answers will be wrong (interval 5 to 26), as the 270", "  calibration rows show"]
    assert [line for line in like if line not in wrong] == bare.err.replace("b.csv", "a.csv").splitlines()
    assert {*wrong} < {*like}
    assert "outside" not in rows_in("b.csv")[0]
    record = logged()
    assert record["is_like_training"]
    assert not any(test["is_told"] for test in record["tests"])


def test_impossible_values_are_told(june, run):
    ended = run("predict", "-l", "m.wct", "-T", "bad.csv", "-o", "a.csv", "--log-json", "d.jsonl")
    assert ended.code == 0
    said = " ".join(ended.err.split())
    assert "bad.csv: 300 rows, not like those of training (630 training rows; p after Holm's correction for " in said
    assert " tests); 299 with values outside training: tenure: 299 of" in said
    assert said.endswith("say that these rows differ: the promise cannot be relied on")
    assert "the promise assumes rows like the 270 calibration rows; " in said
    assert "answers will be wrong is not known, since the file is not like the 270 calibration rows" in said
    assert "will be wrong (interval" not in said
    outside = column("outside")
    assert outside[0] == ""
    assert outside[1].startswith("tenure 43")
    assert outside[1].endswith(", training at most 119")
    record = logged()
    assert (record["is_like_training"], record["n_calibrated"], record["n_rows"]) == (False, 270, 300)
    ended = run("predict", "-l", "m.wct", "-T", "bad.csv", "-o", "a.csv", "--strict", "file")
    assert ended.code == ExitCode.UNLIKE_TRAINING


def test_a_file_without_rows_shows_nothing(june, run):
    Path("none.csv").write_text("tenure,charge,region\n", encoding="utf-8")
    log = ("--log-json", "d.jsonl")
    ended = run("predict", "-l", "m.wct", "-T", "none.csv", "-o", "a.csv", "-q", "--strict", "file", *log)
    assert ended.code == ExitCode.UNLIKE_TRAINING
    record = logged()
    assert record["n_rows"] == 0
    assert "none.csv has no rows, so nothing shows that it is like the training data" in " ".join(ended.err.split())
    assert run("predict", "-l", "m.wct", "-T", "none.csv", "-o", "a.csv", "-q").code == 0


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_a_frame_is_compared_as_the_file_is(june, run, library, recwarn):
    rows = month(300, 1)
    write("new.csv", rows)
    text = Path("new.csv").read_text(encoding="utf-8").replace(REGIONS[0], "Mars")
    Path("new.csv").write_text(text, encoding="utf-8")
    model = load("m.wct")
    frame = library.read_csv("new.csv")
    drift = model.compare(frame)
    assert [(change.subject, change.kind) for change in drift.told] == [("region", "unseen"), ("region", "mix")]
    outside = model.outside(frame)
    assert not recwarn.list
    run("predict", "-l", "m.wct", "-T", "new.csv", "-o", "a.csv", "--log-json", "d.jsonl")
    assert outside.texts.tolist() == column("outside") and outside.rows.sum() > 50
    record = logged()
    assert [test["n"] for test in record["tests"] if test["is_told"]] == [change.n for change in drift.told]


def test_three_impossible_rows_are_one_line(june, run):
    rows = month(300, 1)
    rows[[1, 20, 299], 0] = 43_435
    write("typos.csv", rows)
    ended = run("predict", "-l", "m.wct", "-T", "typos.csv", "-o", "a.csv", "-q", "--strict", "file")
    assert ended.code == 0
    n_outside = sum(map(bool, column("outside")))
    assert n_outside >= 3
    assert " ".join(ended.err.split()) == (
        f"typos.csv: 300 rows, like those of training; {n_outside} with values outside training; far outside training: "
        "3 rows, such as tenure 43435, training at most 119"
    )
    assert [place for place, text in enumerate(column("outside")) if "43435" in text] == [1, 20, 299]


def test_rows_outside_are_rejected_if_wanted(june, run):
    assert run("predict", "-l", "m.wct", "-T", "bad.csv", "-o", "a.csv").code == 0
    noted = column("rejected")
    ended = run("predict", "-l", "m.wct", "-T", "bad.csv", "-o", "a.csv", "--reject", "outside")
    assert ended.code == 0
    is_outside = [text != "" for text in column("outside")]
    assert column("rejected") == ["yes" if out else was for out, was in zip(is_outside, noted, strict=True)]
    n_rejected = column("rejected").count("yes")
    assert f"{n_rejected} rejected, {sum(is_outside)} for values outside training" in " ".join(ended.err.split())
    assert all(("outside training: tenure" in text) == out
               for text, out in zip(column("reason"), is_outside, strict=True))  # fmt: skip


def test_a_method_without_a_threshold_rejects_rows_outside(june, run):
    for options, expected in ((), None), (("--reject", "outside"), ["no", *["yes"] * 299]):
        run("predict", "-t", "june.csv", "--learner", "info_gain", "-T", "bad.csv", "-o", "a.csv", *options)
        assert [row["rejected"] for row in rows_in("a.csv") if "rejected" in row] == (expected or [])


def test_a_reason_says_when_a_row_lies_outside(june, run):
    """As where the certainty, a distance, grows with a value that cannot be."""
    ended = run("predict", "-t", "june.csv", "--learner", "CART nominal=one_hot", "--method",
                "boundary_distance", "-T", "bad.csv", "-o", "a.csv")  # fmt: skip
    assert ended.code == 0
    assert ["; outside training: tenure" in text for text in column("reason")] == [False, *[True] * 299]


def test_a_file_of_calibration_rows_is_what_the_file_is_compared_with(june, run):
    """The rows that a promise is about, not those that grew the tree; limits are those of both."""
    rows = month(600, 5)
    rows[:, 1] += 30
    write("later.csv", rows, labels=np.where(rows[:, 0] + rows[:, 1] > 120, "yes", "no"))
    more = month(300, 6)
    more[:, 1] += 30
    write("next.csv", more)
    ended = run("predict", "-t", "june.csv", "--learner", "info_gain", "--target-error", "0.5", "--confidence", "0.9",
                "--calibrate", "later.csv", "-T", "next.csv", "-o", "a.csv", "-d", "n.wct")  # fmt: skip
    assert ended.code == 0
    assert "not like those" not in ended.err
    summary = wc.load("n.wct").summary
    assert summary.n_rows == 600
    assert summary.least[1] == min(month(900)[:, 1].min(), rows[:, 1].min())


@pytest.mark.parametrize("option", [("--reject", "outside"), ("--strict", "file")])
def test_a_model_without_a_summary_cannot_compare(june, run, option):
    run("predict", "-t", "june.csv", "--learner", "info_gain", "-d", "bare.wct", "--no-summary")
    ended = run("predict", "-l", "bare.wct", "-T", "bad.csv", "-o", "a.csv", *option)
    assert ended.code == 2
    assert f"{' '.join(option)} compares with the training data, of which this model keeps no summary" in ended.err


@pytest.mark.parametrize("option", [("--strict", "file"), ("--log-json", "d.jsonl")])
def test_a_comparison_needs_a_file(june, run, option):
    ended = run("predict", "-t", "june.csv", "--learner", "info_gain", "-d", "x.wct", *option)
    assert ended.code == 2
    assert f"{option[0]} is " in ended.err and "with -T" in ended.err


def test_a_method_that_grows_trees_for_each_answer_keeps_what_they_were_like(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    rows = month(150)
    write("june.csv", rows, labels=np.where(rows[:, 0] + rows[:, 1] > 120, "yes", "no"))
    ended = run("predict", "-t", "june.csv", "--method", "tpce", "--learner", "info_gain", "--target-error", "0.4",
                "--confidence", "0.9", "--class-sets", "0.9", "-d", "m.wct")  # fmt: skip
    assert ended.code == 0, ended.err
    model = wc.load("m.wct")
    assert model.answer_shares.n_rows == model.class_sets.n_rows == 45
    asked = month(40, 1)
    asked[:, :2] = 110, 100
    write("july.csv", asked)
    ended = run("predict", "-l", "m.wct", "-T", "july.csv", "-o", "a.csv")
    said = " ".join(ended.err.split())
    assert "predicted classes: " in said
    assert said.endswith("and the answers say that these rows differ: the promise cannot be relied on")


@pytest.mark.parametrize(("size", "is_told"), [(0.2, False), (0.22, True)])
def test_a_mix_that_rows_outside_explain_is_no_further_change(size, is_told):
    """Each row outside is missing elsewhere, so twice their share may lie elsewhere for that reason alone."""
    changes = (Change("x", "above", 10, 100, 0.0, "4", 0.1, 1e-9), Change("x", "mix", 10, 100, 0.2, "4", size, 1e-9))
    found = Drift(changes, {}, (), (), 100, 100, 0, False)
    assert ("of the rows would have to change" in found.lines[1]) == is_told


@pytest.mark.parametrize(("kind", "size", "p", "is_told"), [
    ("above", 0.01, 0.05, True), ("above", 0.0099, 0.05, False), ("unseen", 0.01, 0.0501, False),
    ("mix", 0.05, 0.05, True), ("missing", 0.0499, 0.05, False), ("certainty", 0.05, 0.0501, False),
])  # fmt: skip
def test_a_change_is_told_from_its_smallest_size_and_up_to_the_level(kind, size, p, is_told):
    assert Change("x", kind, 1, 100, 0.0, "4", size, p).is_told == is_told


@pytest.mark.parametrize(("n", "n_known", "is_of_all"), [(0, 0, False), (1, 1, True), (1, 2, False)])
def test_a_change_is_of_all_rows_if_there_are_any(n, n_known, is_of_all):
    assert Change("x", "above", n, n_known, 0.0, "4", 1.0, 0.0).is_of_all == is_of_all


@pytest.mark.parametrize(("kind", "of", "where", "words"), [
    ("below", "rows", "4", "3 of 100 rows below 4, the least in training"),
    ("above", "known values", "4", "3 of 100 known values above 4, the greatest in training"),
    ("unseen", "rows", "Mars", "3 of 100 rows with values not seen in training, such as 'Mars'"),
    ("unseen", "known values", "Mars", "3 of 100 known values not seen in training, such as 'Mars'"),
])  # fmt: skip
def test_what_lies_outside_is_told_with_the_limit_or_an_example(kind, of, where, words):
    assert str(Change("x", kind, 3, 100, 0.0, where, 0.03, 0.02, of)) == f"{words} (p = 0.02)"


def test_a_mix_of_no_rows_is_in_none_of_them():
    text = str(Change("x", "mix", 0, 0, 0.25, "a", 0.5, 1.0))
    moved = "50 % of the rows would have to change to look like training"
    assert text == f"a in none of the rows (training: 25 %); {moved} (p = 1)"


def test_columns_without_a_known_value_have_nothing_outside():
    train, asked = month(100), month(50, 1)
    asked[:, :3] = np.nan
    summary = summarise(wc.Dataset(HEADER, train))
    counts = FileCounts(summary, None)
    counts.add(summary.outside(asked))
    changes = [change for column in range(3) for change in drift._column_changes(counts, column)]
    outside = [change for change in changes if change.kind in drift.OUTSIDE]
    assert len(outside) == 2 + 2 + 1
    assert {(each.n, each.n_known, each.training_share, each.size) for each in outside} == {(0, 0, 0.0, 0.0)}
    assert {each.size for each in changes if each.kind == "missing"} == {1.0}


def test_a_mix_of_no_values_has_no_size():
    none = np.zeros(0, np.int64)
    change = drift._mix("x", "mix", none, none, [], is_ordered=False)
    assert (change.n, change.n_known, change.training_share, change.size) == (0, 0, 0.0, 0.0)


def test_zeros_have_no_other_unit():
    train, asked = month(1000), month(500, 1)
    train[:, 0], asked[:, 0] = 0, 0
    asked[:200, 0] = np.nan
    result = compared(train, asked)
    assert told(result) == {("tenure", "missing")} and result.hints == {}


@pytest.mark.parametrize(("n_named", "is_own"), [(51, True), (50, False)])
def test_texts_are_own_ones_if_more_than_half_of_the_rows_have_one(n_named, is_own):
    """Of 100 training rows the others have the text of the first."""
    header = Header("texts", (Attribute("text", "nominal", tuple(f"C{i}" for i in range(100))), CLASS), 1)
    rows = np.zeros((100, 2))
    rows[:n_named, 0] = np.arange(n_named)
    unseen = {"text": UnseenCells(np.arange(100), np.array(["new"] * 100, dtype=object))}
    result = compared(rows, np.column_stack([np.full(100, np.nan), np.zeros(100)]), unseen, header=header)
    assert (drift.OWN_TEXTS in result.hints.values()) == is_own


@pytest.mark.parametrize(("n_same", "is_named"), [(45, True), (44, False)])
def test_nine_tenths_of_the_new_values_are_written_otherwise_at_least(n_same, is_named):
    asked = month(500, 1)
    asked[:50, 2] = np.nan
    texts = np.array(["NORTH"] * n_same + ["Mars"] * (50 - n_same), dtype=object)
    hints = compared(month(1000), asked, {"region": UnseenCells(np.arange(50), texts)}).hints
    assert hints == ({"region": "the values of training but for case and spaces"} if is_named else {})


@pytest.mark.parametrize(("numbers", "runs_on"), [
    ([1.5, 1.5, 2.5], True), ([2.5, 2.5, 1.5], True), ([1.5, 2.5, 2.0], False),
    ([3, 1, 2], True), ([3, 1, 3], False), ([0.25, 0.75, 0.5], False), ([5.0, np.nan, 5.5, 6.5], True),
])  # fmt: skip
def test_numbers_run_on_if_they_never_turn_or_are_whole_and_all_different(numbers, runs_on):
    assert drift._runs_on(np.array(numbers)) == runs_on


def test_a_column_of_one_number_is_no_identifier():
    train, asked = month(1000), month(500, 1)
    asked[:, 0] = train[:, 0].max() + 5
    result = compared(train, asked)
    assert result.hints["tenure"] == "the same number in every row: a default value?" and result.running == ()
    assert "goes on" not in str(result)
    train[:, 0] = 2025  # as every file has its year
    assert compared(train, asked).running == ("tenure",)


def test_a_file_of_one_row_lies_elsewhere_with_all_of_it():
    train, row = month(50), month(1, 1)
    row[0, 0] = 5000
    row[0, 2] = np.nan
    changes = compared(train, row, {"region": UnseenCells(np.arange(1), np.array(["Mars"], dtype=object))}).changes
    sizes = {(change.attribute, change.kind): change.size for change in changes}
    assert sizes["tenure", "above"] == 1.0 and sizes["region", "unseen"] == 1.0


def test_one_training_row_without_a_value_is_all_of_training():
    train, row = month(1), month(1, 1)
    train[0, 1] = np.nan
    [change] = [each for each in compared(train, row).changes if each.attribute == "charge"]
    assert (change.kind, change.training_share, change.size) == ("missing", 1.0, 1.0)


def test_a_mix_of_one_row_lies_elsewhere_with_all_of_it():
    one, other = np.array([1, 0]), np.array([0, 1])
    change = drift._mix("x", "mix", one, other, ["a", "b"], is_ordered=False)
    assert (change.where, change.n, change.n_known, change.training_share, change.size) == ("a", 0, 1, 1.0, 1.0)


@pytest.mark.parametrize("n_before", [8190, 8191, 8192])
def test_parts_are_kept_up_to_the_8192nd_row(n_before):
    summary = summarise(wc.Dataset(HEADER, month(100)))
    counts = FileCounts(summary, None)
    for n in (n_before, 5):
        counts.add(summary.outside(month(n)))
    assert len(counts.first_rows) == 8192


def test_the_most_frequent_new_value_is_corrected_for_all_values_that_occur():
    """Of 14 rows the two of one value are both new with probability 4/14 · 3/13; four values occur."""
    training, counts, is_seen = np.array([9, 1, 0, 0]), np.array([1, 0, 0, 0]), np.array([True, True, False, False])
    change = drift._unseen("x", training, counts, is_seen, list("abcd"), Counter(new=2, other=1), 0, 4)
    assert (change.where, change.n, change.size) == ("new", 3, 0.75)
    assert change.p == pytest.approx(4 * (4 / 14) * (3 / 13), rel=1e-12)


def test_no_new_value_is_no_surprise():
    [change] = [each for each in compared(month(1000), month(10, 1)).changes if each.kind == "unseen"]
    assert (change.n, change.where, change.p) == (0, "", 1.0)
    none = drift._unseen("x", np.array([9]), np.array([4]), np.array([True]), ["a"], Counter(), 0, 4)
    assert (none.n, none.where, none.p) == (0, "", 1.0)
    many = drift._unseen("x", np.array([9, 9]), np.array([4, 4]), np.array([True] * 2), ["a", "b"], Counter(), 0, 8)
    assert many.p == 1.0


@pytest.mark.parametrize(("cuts", "texts"), [
    ([], ["all"]), ([2.0], ["at most 2", "above 2"]), ([1.0, 2.0, 4.0], ["at most 1", "1 to 2", "2 to 4", "above 4"]),
])  # fmt: skip
def test_bins_lie_between_cuts(cuts, texts):
    assert drift._range_texts(np.array(cuts)) == texts


def test_equal_cuts_of_certainties_are_refused():
    arrays = {"right": np.array([[1, 0, 1], [0, 0, 1]]), "wrong": np.zeros((2, 3), np.int64)}
    assert AnswerShares.from_arrays(arrays | {"cuts": np.array([0.5, 0.75])}, 2).n_rows == 3
    with pytest.raises(ValueError, match="cuts of the certainties: expected them in ascending order"):
        AnswerShares.from_arrays(arrays | {"cuts": np.array([0.5, 0.5])}, 2)
