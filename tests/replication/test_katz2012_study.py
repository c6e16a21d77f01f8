"""The study of Katz et al. 2012: printed figures, what is measured, what is told of it, and the committed records."""

import math
import re
import shutil
from collections import Counter
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import roc_auc_score
from support.csv_rows import rows_in
from support.small_data import small

import wekaconf as wc
from wekaconf.evaluation.measures import auc_weighted
from wekaconf.evaluation.measures._ranking import areas_under_roc
from wekaconf.evaluation.protocol import splits
from wekaconf.replication._cells import Cell, Published, published_cells
from wekaconf.replication._study import Request
from wekaconf.replication.katz2012.beside import tables_beside
from wekaconf.replication.katz2012.findings import _tested, findings, met_by_chance
from wekaconf.replication.katz2012.measurement import MEASURES, as_in_the_paper, by_training_size, cross_validated
from wekaconf.replication.katz2012.record_table import MORE, TWO, Measured, groups
from wekaconf.replication.katz2012.significance import half_width, rank_correlation, trend, wilcoxon_z
from wekaconf.replication.katz2012.study import SIZES, STUDY, _figure
from wekaconf.replication.katz2012.tables import cells as cells_of
from wekaconf.replication.katz2012.tables import figures_of_print, imbalance

RECORDS = Path(__file__).parents[2] / "docs" / "records"
VARIANTS = ("NORM", "TDIST", "COMB")


@pytest.fixture(scope="module")
def cells():
    return {cell.place: cell for cell in published_cells("katz2012")}


def column(cells, part, name):
    return {row: cell.value for (of, row, column), cell in cells.items() if (of, column) == (part, name)}


# -- the printed figures -------------------------------------------------------------------------------------------


def test_printed_cells(cells):
    """Number, some of them, and the sums of columns, added up in the paper's text by a program without cells.csv."""
    parts = [part for part, _, _ in cells]
    assert {part: parts.count(part) for part in parts} == {"table 1": 164, "table 2": 36, "table 3": 51, "figure 6": 35}
    assert len(groups()) == 16 and [*groups().values()].count(TWO) == 9
    sums = {
        ("table 1", "instances"): 569 + 1473 + 690 + 768 + 336 + 351 + 768 + 4601 + 1004 + 130000
        + 205 + 214 + 20000 + 2310 + 846 + 989 + 5000,
        ("table 1", "classes"): 79, ("table 1", "NORM"): 42.39, ("table 1", "TDIST"): 41.83,
        ("table 1", "COMB"): 84.87, ("table 1", "RandomForest"): 209.30, ("table 1", "NORM, weighted"): 17.36,
        ("table 1", "TDIST, weighted"): 39.89, ("table 1", "COMB, weighted"): 39.25,
        ("table 1", "RandomForest, weighted"): 73.30,
        ("table 3", "NORM"): 173.6, ("table 3", "TDIST"): 1066.8, ("table 3", "COMB"): 483.79,
    }  # fmt: skip
    assert {place: round(sum(column(cells, *place).values()), 2) for place in sums} == sums
    assert cells["table 1", "autos", "numeric attributes"].value == (7, 17)
    assert cells["table 1", "spambase", "TDIST"].value == -6.9
    assert cells["table 3", "letter", "COMB"].value == 73.89


def test_printed_mean_gain(cells):
    """The only mean that the paper prints: "an average 5% improvement", which is COMB's over all 17 sets."""
    assert (
        round(fmean(column(cells, "table 1", "COMB").values()))
        == cells["figure 6", "all", "largest training set"].value
    )


def test_p_follow_from_the_printed_statistics(cells):
    """They are no results: each belongs to a z or t in print, but for one."""
    found = figures_of_print()
    assert found.keys() == {place for place, cell in cells.items() if cell.kind == "arithmetic"}
    assert len(found) == 18 + 4
    differing = [place for place, p in found.items() if Cell(cells[place], p).verdict != "met"]
    assert differing == [("table 2", f"average AUC, {TWO}: TDIST", "t-test p")]


def test_kinds_and_statuses(cells):
    kinds = Counter(cell.kind for cell in cells.values() if cell.part == "table 1")
    assert kinds == {"property": 17 * 4, "result": 17 * 4 + 6 * 4, "arithmetic": 4}
    not_had = {place for place, cell in cells.items() if cell.status == "no data" and place[0] != "figure 6"}
    without = {place for place, cell in cells.items() if f"AUC, {TWO}" in place[1]}
    assert not_had == {place for place in without if cells[place].kind != "arithmetic"}
    assert all(cell.page for cell in cells.values()) and all(cell.remark for cell in cells.values() if cell.status)


# -- what is measured ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tie", [0.0, 0.5, 1.0])
def test_areas_count_a_tie_as_told(tie):
    random = np.random.default_rng(3)
    proba = random.integers(0, 4, (40, 3)) / 4
    actual, weights = random.integers(0, 3, 40), random.integers(1, 4, 40).astype(float)
    expected = []
    for c in range(3):
        right = total = 0.0
        for x in np.flatnonzero(actual == c):
            for y in np.flatnonzero(actual != c):
                pair = weights[x] * weights[y]
                total += pair
                right += pair * ((proba[x, c] > proba[y, c]) + tie * (proba[x, c] == proba[y, c]))
        expected.append(right / total)
    assert areas_under_roc(proba, actual, weights, tie=tie) == pytest.approx(expected, abs=1e-12)
    shares = [weights[(actual == c) & proba.any(axis=1)].sum() for c in range(3)]
    assert auc_weighted(proba, actual, weights, tie=tie) == pytest.approx(np.average(expected, weights=shares))


def test_ordinals_are_numbers_in_contraceptive(uci):
    """6 of 9 attributes are numeric, as Table I has it; the cells are the same."""
    data = wc.load_arff(uci / "contraceptive-2class.arff")
    changed = as_in_the_paper("contraceptive-2class", data)
    assert sum(a.kind == "numeric" for a in changed.attributes) == 6
    for before, after, old, new in zip(
        data.attributes, changed.attributes, data.values.T, changed.values.T, strict=True
    ):
        if before == after:
            np.testing.assert_array_equal(old, new)
        else:
            assert [float(before.values[int(value)]) for value in old] == new.tolist()
    assert as_in_the_paper("diabetes", data) is data


def test_an_ordinal_that_is_missing_stays_missing():
    data = small(Wifes_education=(("1", "2", "4"), ["4", None, "1", "2"]), y=["a", "b", "a", "b"])
    changed = as_in_the_paper("contraceptive-2class", data)
    np.testing.assert_array_equal(changed.values[:, 0], [4, np.nan, 1, 2])
    assert [attribute.kind for attribute in changed.attributes] == ["numeric", "nominal"]


def test_by_training_size_by_hand(uci, jvm):
    """The division, the tree and the areas, done step by step."""
    path = uci / "ecoli3.arff"
    *_, record = by_training_size("ecoli3", str(path), sizes=[40], divisions=2, seed=5)
    assert (record["column"], record["train_percent"], record["runs"], record["seed"]) == ("COMB", 40, 2, 5)
    data, areas, correct = wc.load_arff(path), [], []
    for seed in (5, 6):
        [(train, test)] = splits(data, split=0.4, stratified=True, seed=seed)
        train, test = data.take(train), data.take(test)
        assert np.bincount(train.class_values).tolist() == [round(0.4 * n) for n in np.bincount(data.class_values)]
        method = wc.method("confdtree", variant="comb")
        method.fit(wc.grow(train), train)
        proba = method.predict_proba(test)
        areas.append(roc_auc_score(test.class_values, proba[:, 1]))
        correct.append(100 * (proba.argmax(axis=1) == test.class_values).mean())
    assert record["auc"] == pytest.approx(fmean(areas), abs=1e-12)
    assert record["percent_correct"] == pytest.approx(fmean(correct), abs=1e-9)


# -- the study -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(uci, tmp_path_factory):
    """Two small sets, one with two classes and one with more."""
    place = tmp_path_factory.mktemp("sets")
    for name in ("ecoli3", "glass"):
        shutil.copy(uci / f"{name}.arff", place)
    return str(place)


@pytest.fixture(scope="module")
def quick(folder, jvm):
    with pytest.warns(wc.Note, match=r"2 data sets are not in .* left out: diabetes.arff, vehicle.arff"):
        return STUDY.run(Request((folder,), quick=True))


@pytest.mark.one_commit_in(3)
def test_quick_run(quick, tmp_path):
    assert (quick.missing, quick.failed) == (["diabetes", "vehicle"], {})
    assert len(quick.records) == 2 * (5 + 3 * 4)
    by_place = {cell.published.place: cell for cell in quick.cells}
    assert not [row for _, row, _ in by_place if row in ("letter", "MiniBooNE", TWO, MORE, "all") or "AUC" in row]
    assert by_place["table 1", "glass", "imbalance"].ours == "1 : 1.44 : 1.88 : 3.22 : 7.77 : 8.44"
    assert by_place["table 1", "glass", "classes"].verdict == "met"
    assert by_place["table 1", "diabetes", "NORM"].verdict == "no data"
    assert {table.part for table in quick.beside} == {"table 1", "table 2", "figure 6"}
    assert {finding.part for finding in quick.findings} == {"", "table 1", "table 2"}  # one set per group
    for name in ("a.png", "b.png", "c.svg"):
        quick.figures["figure 6"](str(tmp_path / name))
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert "two classes (1 set)" in (tmp_path / "c.svg").read_text()
    for axis in _figure(Measured(quick.records)).axes:  # nothing is drawn outside the picture
        low, high = axis.get_ylim()
        assert all(low <= y <= high for line in axis.lines for y in line.get_ydata())


@pytest.mark.one_commit_in(3)
def test_parts_and_sets(folder, jvm):
    """Only what is asked for is measured and told."""
    one = STUDY.run(Request((folder,), parts=("table 3",), sets=("ecoli3",), runs=1))
    assert {r["train_percent"] for r in one.records} == {None} and one.figures == {} and one.missing == []
    assert [cell.published.place for cell in one.cells] == [("table 3", "ecoli3", variant) for variant in VARIANTS]
    assert {finding.part for finding in one.findings} <= {"", "table 3"} and one.beside == []
    two = STUDY.run(Request((folder,), parts=("figure 6",), sets=("ecoli3",), quick=True, seed=3))
    assert {r["train_percent"] for r in two.records} == {10, 50, 90} and two.cells == []  # three sizes make no trend
    assert {r["seed"] for r in two.records} == {3}
    ours = {}
    for reading, title in (("folds-ties-zero", "folds, 0"), ("pooled-ties-half", "pooled, ½")):
        done = STUDY.run(Request((folder,), parts=("table 1",), sets=("glass",), reading=reading, runs=2))
        ours[reading] = {c.published.column: c.ours for c in done.cells if c.published.row == "glass"}
        assert {c.n_repetitions for c in done.cells if c.published.place[1:] == ("glass", "TDIST")} == {2}
        [gains] = [table for table in done.beside if table.title.startswith("Gain in AUC over J48")]
        row = dict(zip(gains.columns, gains.rows["glass"], strict=True))
        of_means = done.beside[0].rows["TDIST, more classes (1 sets)"]
        assert of_means[1:3] == [row["TDIST folds, 0"], row["TDIST pooled, ½"]]
        assert {v: row[f"{v} {title}"] for v in VARIANTS} == {
            v: ours[reading][v] for v in VARIANTS
        }  # both stand beside
        assert any("of 2 cross-validations" in table.title for table in done.beside)
    usual = STUDY.run(Request((folder,), parts=("table 1",), sets=("glass",), runs=2))
    assert {c.published.column: c.ours for c in usual.cells if c.published.row == "glass"} == ours["folds-ties-zero"]


def test_areas_of_folds_by_hand(uci, jvm):
    """The mean of the folds' areas, weighted by class size or not, a tie counting nothing."""
    data = wc.load_arff(uci / "glass.arff")
    by_mean = {"": [], "_weighted": []}
    for train_rows, test_rows in splits(data, seed=2):
        train, test = data.take(train_rows), data.take(test_rows)
        proba = wc.method("confdtree", variant="tdist").fit(wc.grow(train), train).predict_proba(test).round(9)
        sizes, areas = [], []
        for c in range(data.n_classes):
            own, others = (proba[is_own, c] for is_own in (test.class_values == c, test.class_values != c))
            if len(own) and len(others):
                sizes.append(len(own))
                areas.append((own[:, None] > others).mean())
        by_mean[""].append(np.mean(areas))
        by_mean["_weighted"].append(np.average(areas, weights=sizes))
    record = next(
        r for r in cross_validated("glass", str(uci / "glass.arff"), runs=1, seed=2) if r["column"] == "TDIST"
    )
    for mean, folds in by_mean.items():
        assert record[f"fold_auc{mean}_no_ties"] == pytest.approx(np.mean(folds), abs=1e-12)


# -- statistics ----------------------------------------------------------------------------------------------------


def test_wilcoxon_z():
    """The z of seven and of ten differences of one sign is what the paper prints; scipy agrees where ranks tie."""
    assert wilcoxon_z(np.zeros(7), np.arange(1.0, 8)).z == pytest.approx(-2.366, abs=5e-4)
    assert wilcoxon_z(np.arange(1.0, 11), np.zeros(10)) == pytest.approx((-2.803, 0.005), abs=5e-4)
    first, second = np.array([1.0, 2, 2, 5, 7, 3]), np.array([2.0, 1, 3, 1, 7, 9])
    expected = scipy.stats.wilcoxon(first, second, correction=False, method="approx")
    assert wilcoxon_z(first, second) == pytest.approx((-abs(expected.zstatistic), expected.pvalue))
    assert np.isnan(wilcoxon_z(first, first)).all()


def test_rank_correlation_counts_the_orders_of_few_numbers():
    """Against SciPy's test over all orders; of many numbers, against its approximation. Four in order are no proof."""
    four = np.arange(4.0)
    assert rank_correlation(four, four**2) == pytest.approx((1, 2 / 24))
    assert rank_correlation(four, -four) == pytest.approx((-1, 2 / 24))
    numbers = np.random.default_rng(7)
    for n in (3, 5, 6):
        first, second = numbers.integers(0, 4, (2, n)) + np.array([[0.5], [0]]) * np.arange(n)

        def rho(row, of=second):
            return scipy.stats.spearmanr(row, of).statistic

        every = scipy.stats.permutation_test((first,), rho, permutation_type="pairings", n_resamples=np.inf)
        p = np.mean(np.abs(every.null_distribution) >= abs(every.statistic) - 1e-9)
        assert rank_correlation(first, second) == pytest.approx((every.statistic, p))
    first, second = numbers.normal(size=(2, 16))
    found = scipy.stats.spearmanr(first, second)
    assert rank_correlation(first, second) == (found.statistic, found.pvalue)
    assert np.isnan(rank_correlation(four, np.ones(4))).all()
    eight, nine = np.arange(8.0), np.arange(9.0)
    assert rank_correlation(eight, eight**2) == pytest.approx((1, 2 / math.factorial(8)))
    assert rank_correlation(nine, nine**2).p_value == scipy.stats.spearmanr(nine, nine**2).pvalue == 0


def test_a_variant_without_an_effect_is_neither_better_nor_worse():
    said = _tested([1e-9, 1.0, 1.0], [0.0, 0.5, 0.5], ("better", "worse"), ["a", "b"], of="a reading")
    assert said.endswith(": none is significant.")


@pytest.mark.parametrize(("p", "better"), [(0.049, "NORM, COMB"), (0.05, "NORM")])
def test_significant_is_a_p_below_the_level(p, better):
    """The largest of three p is not raised by Holm's correction."""
    said = _tested([0.0, 0.0, p], [1.0, -1.0, 1.0], ("better", "worse"), ["a", "b"], of="a reading")
    assert said.endswith(f": better: {better}; worse: TDIST.")


def test_half_width_and_trend():
    numbers = np.array([1.0, 2, 4, 9])
    low, high = scipy.stats.t.interval(0.95, 3, numbers.mean(), scipy.stats.sem(numbers))
    assert half_width(numbers) == pytest.approx((high - low) / 2)
    assert half_width(numbers, of_next=True) == pytest.approx(half_width(numbers) * 5**0.5)
    assert half_width(numbers[:2]) == pytest.approx(12.7062 * 0.5, abs=1e-4)  # t of one degree of freedom
    assert np.isnan(half_width(numbers[:1]))
    assert [trend(SIZES, np.array(g)) for g in (range(9), range(9, 0, -1), [1.0] * 9, [1, 2] * 4 + [1])] == [
        "rises", "falls", "no trend", "no trend",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sizes", "printed", "shown"),
    [
        ([268, 500], "1 : 1.865", "1 : 1.865"),
        ([126, 225], "1 : 9.14", "1 : 1.79"),
        ([734, 800, 813], "max ratio of 1 : 1.1", "max ratio of 1 : 1.1"),
        ([90, 90, 90], "1 : 2", "1 : 1 : 1"),
        ([3, 22], "1 : 7.3 : 9", "1 : 7.3"),
        ([1000, 1449], "1 : 1.44", "1 : 1.44"),
        ([1000, 1451], "1 : 1.44", "1 : 1.45"),
        ([10, 25, 30], "1 : 2 : 2", "1 : 2 : 3"),
    ],
)
def test_imbalance(sizes, printed, shown):
    assert imbalance(sizes, printed) == shown


# -- what is told of few sets and runs -----------------------------------------------------------------------------


# -- the committed records -----------------------------------------------------------------------------------------


def committed():
    """Numbers of the cross-validations in docs/records, by data set, column and measure; one per seed."""
    found = {}
    for row in rows_in(RECORDS / "katz2012" / "records.csv.gz"):
        if row["train_percent"] == "":
            for measure in MEASURES:
                found.setdefault((row["dataset"], row["column"], measure), {})[row["seed"]] = float(row[measure])
    return {place: np.array([by_seed[seed] for seed in sorted(by_seed, key=int)]) for place, by_seed in found.items()}


@pytest.fixture(scope="module")
def by_size():
    """The committed records by training size."""
    records = []
    for row in rows_in(RECORDS / "katz2012" / "records.csv.gz"):
        if row["train_percent"]:
            areas = {measure: float(row[measure]) for measure in ("auc", "auc_no_ties")}
            records.append(row | areas | {"train_percent": int(row["train_percent"])})
    return records


@pytest.mark.parametrize("n_sizes", [4, 5])
def test_a_trend_is_told_of_as_many_sizes_as_can_show_one(by_size, n_sizes):
    """Of four sizes even gains that always rise have a p of 2 / 24, of five one of 2 / 120."""
    few = [record for record in by_size if record["train_percent"] in SIZES[:n_sizes]]
    told = [table.title for table in tables_beside(Measured(few), ["figure 6"])]
    is_shown = 2 / math.factorial(n_sizes) <= 0.05
    assert len(told) == 2 + is_shown, told
    columns = {one.published.column for one in cells_of(Measured(few), ["figure 6"], [*groups()], "pooled-ties-half")}
    assert ("trend" in columns) == is_shown
    sentences = [finding.text for finding in findings(Measured(few))]
    assert sum("as the training set grows (Kendall's test" in sentence for sentence in sentences) == is_shown


def test_the_figure_is_drawn_from_the_records(by_size):
    """A thin line at no gain, and the mean gain over the data sets of each group for each variant."""
    area = {(row["dataset"], row["column"], row["train_percent"], ties): row[f"auc{ties}"]
            for row in by_size for ties in ("", "_no_ties")}  # fmt: skip
    measured = Measured(by_size)
    for axis, ties in zip(_figure(measured).axes, ("_no_ties", ""), strict=True):
        zero, *curves = axis.lines
        assert (list(zero.get_ydata()), zero.get_linewidth()) == ([0, 0], 0.6)
        assert len(curves) == 6 and all(curve.get_linewidth() > 0.6 for curve in curves)
        places = [(variant, group) for variant in VARIANTS for group in (TWO, MORE)]
        for curve, (variant, group) in zip(curves, places, strict=True):
            expected = [
                fmean(100 * (area[name, variant, size, ties] / area[name, "J48", size, ties] - 1)
                      for name in measured.sets_by_size(group))
                for size in measured.sizes
            ]  # fmt: skip
            assert curve.get_xdata().tolist() == measured.sizes
            assert curve.get_ydata() == pytest.approx(expected)


NUMBER = r"([+−]?[\d.]+)"


def numbers(text):
    return [float(number.replace("−", "-")) for number in text]


@pytest.mark.parametrize("measure", ["auc", "auc_no_ties", "fold_auc", "fold_auc_no_ties", "percent_correct"])
@pytest.mark.parametrize("group", [TWO, MORE])
def test_findings_are_those_of_the_records(group, measure):
    """Means, intervals, counts and corrected p of the sentences on Table I, computed again from the file."""
    two = ["wdbc", "contraceptive-2class", "credit-a", "diabetes", "ecoli3", "ionosphere", "pima", "spambase",
           "yeast-0-2-5-6_vs_3-7-8-9"]  # fmt: skip
    figures = committed()
    names = [name for name in {dataset for dataset, _, _ in figures} if (name in two) == (group == TWO)]
    lead = {"auc": "answers of all folds pooled, a tie counting ½: ",
            "auc_no_ties": "answers of all folds pooled, a tie counting 0: ", "percent_correct": "mean change in acc",
            "fold_auc": "mean of the folds' areas, a tie counting ½: ",
            "fold_auc_no_ties": "mean of the folds' areas, a tie counting 0: "}  # fmt: skip
    lines = (RECORDS / "katz2012" / "findings.txt").read_text(encoding="utf-8").splitlines()
    start = f"table 1: {group.capitalize()} ({len(names)} sets)"
    [line] = [line for line in lines if line.startswith(start) and lead[measure] in line]
    p = []
    for variant in VARIANTS:
        ours, base = (np.array([figures[name, each, measure] for name in names]) for each in (variant, "J48"))
        effect = ours - base if measure == "percent_correct" else 100 * (ours / base - 1)
        by_run = effect.mean(axis=0)
        [(mean, interval, n)] = re.findall(
            rf"{variant} {NUMBER}(?: \[(.+?)\])? (?:%|points) \((?:up|down) on (\d+)", line
        )
        sign = -1 if measure == "percent_correct" else 1
        assert int(n) == (sign * effect.mean(axis=1) > 0).sum()
        assert numbers([mean]) == pytest.approx([by_run.mean()], abs=0.0501)
        assert bool(interval) == (len(by_run) > 1)
        if interval:
            expected = scipy.stats.t.interval(0.95, len(by_run) - 1, by_run.mean(), scipy.stats.sem(by_run))
            assert numbers(interval.split(", ")) == pytest.approx(expected, abs=0.0501)
        once = [name != "pima" for name in names]  # its instances are those of diabetes
        difference = effect.mean(axis=1)[once].round(12)  # what the sentence prints is what is tested
        p.append(scipy.stats.wilcoxon(difference[difference != 0]).pvalue)
    order = np.argsort(p)
    corrected = np.empty(3)
    corrected[order] = np.minimum(np.maximum.accumulate(np.array(p)[order] * (3, 2, 1)), 1)
    shown = numbers(re.search(r"for three, p ([\d., ]+): ", line)[1].split(", "))
    assert shown == pytest.approx(corrected, abs=6e-4)
    assert ("none is significant" in line) == (corrected >= 0.05).all()
    assert ("over the sets but pima, whose instances are those of diabetes, Holm" in line) == (group == TWO)


@pytest.mark.parametrize("variant", VARIANTS)
def test_correlations_count_the_instances_of_diabetes_once(variant):
    """Spearman's correlations of Table III with print, computed again from the file."""
    rows = [
        row
        for row in rows_in(RECORDS / "katz2012" / "cells.csv")
        if (row["part"], row["column"]) == ("table 3", variant) and row["ours"] and row["row"] != "pima"
    ]
    found = scipy.stats.spearmanr(*([float(row[name]) for row in rows] for name in ("ours", "published")))
    lines = (RECORDS / "katz2012" / "findings.txt").read_text(encoding="utf-8").splitlines()
    [line] = [line for line in lines if line.startswith(f"table 3: Instances affected by {variant}")]
    rho, p = re.search(
        r"over the sets but pima, .* with the published ([\d.]+) \(p (< .001|[\d.]+)\), with our", line
    ).groups()
    assert float(rho) == pytest.approx(found.statistic, abs=0.0051)
    assert found.pvalue < 0.001 if p == "< .001" else float(p) == pytest.approx(found.pvalue, abs=6e-4)


@pytest.mark.parametrize("group", [TWO, MORE])
@pytest.mark.parametrize("ties", ["", "_no_ties"])
def test_the_tests_by_training_size_are_those_of_the_differences(group, ties):
    """What the smallest training set gains more than the largest, computed again from the file, is what is tested."""
    areas = {
        (row["dataset"], row["column"], int(row["train_percent"])): float(row[f"auc{ties}"])
        for row in rows_in(RECORDS / "katz2012" / "records.csv.gz")
        if row["train_percent"]
    }
    names = [name for name, of in groups().items() if of == group and name != "pima"]
    p = []
    for variant in VARIANTS:
        small, large = (
            np.array([areas[name, variant, size] / areas[name, "J48", size] for name in names]) for size in (10, 90)
        )
        p.append(scipy.stats.wilcoxon((small - large).round(12)).pvalue)
    lines = (RECORDS / "katz2012" / "findings.txt").read_text(encoding="utf-8").splitlines()
    counting = f"a tie counting {'0' if ties else '½'}:"
    [line] = [line for line in lines if line.startswith(f"figure 6: {group.capitalize()}") and counting in line]
    shown = numbers(re.search(r"test of the differences .* for three, p ([\d., ]+): ", line)[1].split(", "))
    corrected = np.minimum(np.maximum.accumulate(np.sort(p) * (3, 2, 1)), 1)[np.argsort(np.argsort(p))]
    assert shown == pytest.approx(corrected, abs=6e-4)


def test_verdicts_are_those_of_the_records(cells):
    """Table I, Table III: the lowest and the highest of 39, computed again from the file; and what supports a claim."""
    figures, told = committed(), rows_in(RECORDS / "katz2012" / "cells.csv")
    judged = [
        row for row in told if row["part"] in ("table 1", "table 3") and row["kind"] == "result" and row["chance"]
    ]
    met, supporting = Counter(), 0
    for row in judged:
        column, _, kind = row["column"].partition(", ")
        if row["part"] == "table 1":
            area = "fold_auc_weighted_no_ties" if kind else "fold_auc_no_ties"
            ours = 100 * (figures[row["row"], column, area] / figures[row["row"], "J48", area] - 1)
        else:
            ours = figures[row["row"], column, "percent_affected"]
        assert len(ours) == int(row["repetitions"]) == 39
        half_unit = 0.5 * 10 ** -len(row["published"].partition(".")[2])
        low, high = ours.min() - half_unit, ours.max() + half_unit
        assert [float(row[name]) for name in ("low", "high")] == pytest.approx([low, high], abs=1e-6)
        is_met = low <= float(row["published"]) <= high
        assert (row["verdict"] == "met") == is_met
        if row["part"] == "table 1" and column in VARIANTS and not kind:  # each set and variant once
            met[is_met] += 1
            supporting += is_met and low > 0
    lines = (RECORDS / "katz2012" / "findings.txt").read_text(encoding="utf-8").splitlines()
    [line] = [line for line in lines if line.startswith("katz2012: Mean of the folds' areas, a tie counting 0: ")]
    assert f"{met[True]} of {met.total()} printed gains of ConfDTree are met" in line
    assert f"Of the intervals of the met gains, {supporting} lie above 0," in line


def test_the_headline_is_that_of_the_records(cells):
    """Averaged over the folds, a tie counting 0, TDIST gains as published; by Weka's AUC a fraction; accuracy falls."""
    figures = committed()
    for group in (TWO, MORE):
        names = [name for name, of in groups().items() if of == group]

        def gain(variant, area, names=names):
            return fmean(
                (100 * (figures[name, variant, area] / figures[name, "J48", area] - 1)).mean() for name in names
            )

        printed = {v: fmean(cells["table 1", name, v].value for name in names) for v in VARIANTS}
        assert abs(gain("TDIST", "fold_auc_no_ties") - printed["TDIST"]) < 1
        if group == TWO:
            assert all(gain(v, "fold_auc_no_ties") < 0.5 * printed[v] for v in ("NORM", "COMB"))
        assert all(gain(v, "auc") < 0.35 * printed[v] for v in VARIANTS)
        for variant in ("TDIST", "COMB"):
            lost = [
                (figures[n, variant, "percent_correct"] - figures[n, "J48", "percent_correct"]).mean() for n in names
            ]
            assert fmean(lost) < -2
    lines = (RECORDS / "katz2012" / "findings.txt").read_text(encoding="utf-8").splitlines()
    down = [line.partition("significantly down: ")[2].rstrip(".") for line in lines if "mean change in acc" in line]
    assert down == ["TDIST, COMB", "TDIST"]  # two classes, more classes


def test_records_are_what_the_study_measures(uci, jvm):
    """A set measured now, against the committed records."""
    figures = committed()
    for record in cross_validated("glass", str(uci / "glass.arff"), runs=1, seed=1):
        for measure in MEASURES:
            assert figures["glass", record["column"], measure][0] == pytest.approx(record[measure], abs=1e-9)


def test_miniboone_is_measured_where_its_file_is_and_it_is_asked_for(tmp_path, uci, jvm):
    """Another set under its name: its figures get verdicts; without the name it is neither sought nor missed."""
    glass = (uci / "glass.arff").read_text(encoding="utf-8")
    (tmp_path / "MiniBooNE.arff").write_text(glass, encoding="utf-8")
    (tmp_path / "autos.arff").write_bytes((uci / "autos.arff").read_bytes())
    found = STUDY.run(Request(data=(str(tmp_path),), sets=("MiniBooNE",), runs=1, parts=("table 1", "table 3")))
    verdicts = {cell.verdict for cell in found.cells if cell.published.row == "MiniBooNE"}
    assert verdicts <= {"met", "close", "differs"} and len(found.cells) == 8 + 3
    assert "MiniBooNE" not in STUDY.data_sets


def test_sets_that_swap_their_figures_meet_as_many_as_can_be_counted():
    """Of three sets and two variants, whose figures stay together: all six orders by hand."""
    cells = [
        Cell(Published("table 1", name, column, text, "p. 1", "result", "", ""), ours)
        for name, ours in (("a", 1.0), ("b", 2.0), ("c", 2.0))
        for column, text in (("NORM", f"{ours:.1f}"), ("TDIST", "1.0"))
    ]
    drawn = met_by_chance(cells)
    # NORM: the set a meets its own figure, b and c each other's; TDIST: a meets every figure
    assert set(drawn.tolist()) == {2.0, 4.0}
    assert drawn.mean() == pytest.approx(1 / 3 * 4 + 2 / 3 * 2, abs=0.05)
