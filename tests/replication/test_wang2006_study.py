"""Wang and Zhang 2006: the printed cells, what meets them, the comparisons of Tables 1 and 2, and Figure 3."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import wang2006_repetitions
from scipy import stats
from statsmodels.stats.multitest import multipletests
from support.csv_rows import rows_in

import wekaconf as wc
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.evaluation.protocol._splits import splits
from wekaconf.model.scheme import parse_method
from wekaconf.replication._cells import Published, published_cells
from wekaconf.replication._study import Request
from wekaconf.replication.wang2006.findings import _rivals, protocol
from wekaconf.replication.wang2006.measurement import COLUMNS, KEYS, printed_name
from wekaconf.replication.wang2006.readings import table_reading
from wekaconf.replication.wang2006.record_table import (
    FIRST,
    Measured,
    column_of,
    contradictions,
    entries,
    keys_of,
    pairs,
    repeated,
    wins,
)
from wekaconf.replication.wang2006.study import STUDY, data_sets

ARFF = Path(__file__).parents[2] / "arff"
RECORDS = Path(__file__).parents[2] / "docs" / "records" / "wang2006" / "records.csv.gz"
CELLS = {cell.place: cell.value for cell in published_cells("wang2006")}


# -- the printed cells ---------------------------------------------------------------------------------------------


def test_published_cells():
    """Tables 3 and 4 whole: their shape, some cells, and the sum of each column."""
    names = data_sets()
    assert (len(names), len(set(names)), names[0], names[-1]) == (35, 35, "anneal", "zoo")
    some = {
        ("table 3", "anneal", "C45-C"): 95.91, ("table 3", "anneal", "C45-B"): 86.49,
        ("table 3", "colic.ORIG", "C45-L"): 80.96, ("table 3", "iris", "C45"): 98.99,
        ("table 3", "sick", "C45-S"): 93.69, ("table 3", "waveform-5000", "C45-W"): 87.06,
        ("table 3", "zoo", "C45-M"): 80.29, ("table 4", "anneal", "C44-C"): 96.02, ("table 4", "glass", "C44"): 80.57,
        ("table 4", "sick", "C44-W"): 99.20, ("table 4", "mushroom", "C44-L"): 99.46,
        ("table 4", "hypothyroid", "C44-S"): 86.31, ("table 4", "vote", "C44-M"): 97.90,
        ("table 4", "zoo", "C44-B"): 81.19, ("figure 3", "vehicle", "3500 iterations"): 88.96,
    }  # fmt: skip
    assert {place: CELLS[place] for place in some} == some
    sums = {
        3: (3240.67, 2956.41, 3146.62, 2868.54, 2974.47, 3029.95, 3013.92),
        4: (3172.01, 3029.51, 3047.28, 2987.65, 3041.45, 3038.61, 3075.26),
    }
    for table, expected in sums.items():
        columns = [printed_name(table, key) for key in KEYS]
        found = [sum(CELLS[f"table {table}", name, column] for name in names) for column in columns]
        assert tuple(round(total, 2) for total in found) == expected


def test_published_comparisons():
    """Both triangles whole; each entry is of 35 sets."""
    for part, table in (("table 1", 3), ("table 2", 4)):
        triples = {place[1:]: value for place, value in CELLS.items() if place[0] == part}
        assert list(triples) == [(printed_name(table, row), printed_name(table, column)) for row, column in pairs()]
        assert {sum(value) for value in triples.values()} == {35}
    assert [CELLS["table 1", "C45-B", name] for name in ("C45-C", "C45-L")] == [(2, 7, 26), (7, 20, 8)]
    assert [CELLS["table 2", "C44-B", name] for name in ("C44-S", "C44-L")] == [(9, 24, 2), (9, 25, 1)]


def test_the_paper_contradicts_itself_unless_two_labels_are_exchanged():
    """A set that a column wins significantly must have the higher printed figure in that column."""
    cells = published_cells("wang2006")
    assert contradictions(cells, "table 1") == []
    assert contradictions(cells, "table 2") == [
        "C44-S wins on 2 sets against C44-C and has the higher figure on 1",
        "C44 wins on 4 sets against C44-W and has the higher figure on 1",
    ]
    assert contradictions(cells, "table 2", swapped=True) == []
    assert contradictions(cells, "table 1", swapped=True) != []


def test_equal_figures_in_print_are_no_win():
    """C45-C has the higher figure on one of three sets, C45 on another; of the third both have the same."""

    def printed(part, row, column, text):
        return Published(part, row, column, text, "p. 1", "result", "", "")

    figures = [
        printed("table 3", name, column, figure)
        for column, line in (("C45-C", ("90.0", "80.0", "70.0")), ("C45", ("89.0", "80.0", "71.0")))
        for name, figure in zip("abc", line, strict=True)
    ]
    told = {
        text: contradictions([*figures, printed("table 1", "C45", "C45-C", text)], "table 1")
        for text in ("1/1/1", "0/3/0", "2/0/1", "1/0/2")
    }
    assert told == {
        "1/1/1": [],
        "0/3/0": [],
        "2/0/1": ["C45 wins on 2 sets against C45-C and has the higher figure on 1"],
        "1/0/2": ["C45-C wins on 2 sets against C45 and has the higher figure on 1"],
    }


# -- what meets them -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def results(uci, jvm):
    """Results of two sets as the paper ran them, two processes."""
    asked = Request(data=(str(uci),), sets=("zoo", "labor"), jobs=2)
    found = STUDY.run(asked)
    assert (found.missing, found.failed) == ([], {})
    assert len(found.records) == 2 * len(COLUMNS)
    assert list(dict.fromkeys(r["dataset"] for r in found.records)) == ["labor", "zoo"]
    return found


@pytest.fixture(scope="module")
def measured(results):
    """The records by data set, table, column and reading."""
    return {(r["dataset"], r["table"], r["column"], r["reading"]): r for r in results.records}


@pytest.mark.one_commit_in(3)
def test_table_reading_meets_the_published_cells(results, measured):
    """Each within what rounding and the rest of the paper's open points leave; bags are drawn at random."""
    allowed = {
        "C45": 0.006, "C45-S": 0.006, "C45-W": 0.006, "C45-C": 0.05, "C45-M": 0.1, "C45-L": 0.3, "C45-B": 2,
        "C44": 0.006, "C44-S": 0.006, "C44-W": 0.006, "C44-C": 0.05, "C44-M": 0.3, "C44-L": 0.3, "C44-B": 2,
    }  # fmt: skip
    assert len(results.cells) == 2 * 14
    for cell in results.cells:
        part, dataset, column = cell.published.place
        assert abs(cell.difference) < allowed[column], cell.published.place
        record = measured[dataset, int(part[-1]), column, "table"]
        assert cell.ours == pytest.approx(record["measured"], abs=1e-8)
        assert np.mean(record["fold_values"]) == pytest.approx(record["measured"], abs=1e-8)
        assert len(record["fold_values"]) == 50
    found = {cell.published.place: cell.verdict for cell in results.cells}
    assert found["table 3", "labor", "C45"] == found["table 4", "zoo", "C44-W"] == "met"


@pytest.mark.one_commit_in(3)
def test_what_is_said_of_two_sets(results):
    told = {finding.part: [] for finding in results.findings}
    for finding in results.findings:
        told[finding.part].append(finding.text)
    assert "on 2 data sets; 10-fold cross-validation, seeds 1 to 5; preprocessing wang2006" in told[""][0]
    [of_itself] = [text for text in told["table 2"] if "contradicts" in text]
    assert "contradicts its own Table 4 twice" in of_itself and of_itself.endswith("exchanged nowhere.")
    assert not any("equal the printed ones" in text for texts in told.values() for text in texts)
    titles = [table.title for table in results.beside]
    assert titles[:3] == [
        "Table 1, ours over 2 data sets", "Table 2, ours over 2 data sets",
        "Table 2, ours over 2 data sets, S and W exchanged",
    ]  # fmt: skip
    as_printed, exchanged = results.beside[1:3]
    assert as_printed.rows["C44-W"][0] == exchanged.rows["C44-S"][0]
    assert as_printed.rows["C44-S"][0] == exchanged.rows["C44-W"][0]
    assert sum(as_printed.rows["C44-B"][-1]) == 2


def test_published_wpe_and_combination_are_out_of_honest_reach(measured):
    """Without the class of the test instances labor falls short by points."""
    for column in ("C45-W", "C45-C"):
        for reading in ("honest", "text"):
            assert measured["labor", 3, column, reading]["measured"] < CELLS["table 3", "labor", column] - 3


def test_readings_and_controls(measured):
    for dataset, table, column, reading in measured:
        record = measured[dataset, table, column, reading]
        assert record["sees_test_class"] == (reading == "table" and column[3:] in ("-W", "-C"))
    kinds = {(column, reading) for dataset, table, column, reading in measured if table == 4}
    assert kinds == {
        *((f"C44{end}", "table") for end in ("", "-C", "-S", "-W", "-M", "-L", "-B")),
        *((f"C44{end}", "text") for end in ("-C", "-S", "-W")),
        *((f"C44{end}", "honest") for end in ("", "-C", "-S", "-W")),
        ("wpe:node=root", "honest"), ("shrinkage_wpe:weights=uniform", "honest"), ("curtailment", "honest"),
    }  # fmt: skip
    trees = {
        column: (r["learner"], r["options"]) for (_, _, column, reading), r in measured.items() if reading == "table"
    }
    assert trees["C45-L"] == ("J48", "-U")
    assert trees["C44-L"] == ("J48", "-U -O")
    assert trees["C45-B"] == ("Bagging", "-I 10 -W weka.classifiers.trees.J48")
    assert trees["C44-B"] == ("Bagging", "-I 10 -W weka.classifiers.trees.J48 -- -U -O -A")
    assert {trees[f"C44{end}"] for end in ("", "-C", "-S", "-W", "-M")} == {("C44", "")}
    text, honest = (measured["zoo", 3, "C45-S", reading] for reading in ("text", "honest"))
    assert text["measured"] != honest["measured"]
    root = measured["zoo", 3, "wpe:node=root", "honest"]["measured"]
    assert root == measured["zoo", 4, "wpe:node=root", "honest"]["measured"]


def test_the_reading_that_is_asked_for_stands_as_ours():
    assert column_of(3, "W", "honest").reading == "honest"
    assert column_of(3, "W", "text").method == "wpe"
    assert column_of(4, "own", "text").reading == "honest"
    assert column_of(4, "B", "honest").reading == "table"


def test_only_the_table_readings_of_wpe_and_combination_see_the_test_class(jvm):
    data = fit_preprocessing(wc.load_arff(ARFF / "wine.arff"), "wang2006").output
    train, test = (data.take(rows) for rows in splits(data, split=0.5)[0])
    tree = wc.grow(train)
    others = test.values.copy()
    others[:, test.class_index] = (others[:, test.class_index] + 1) % 3
    changed = wc.Dataset(test.header, others)
    sees = {}
    for name in ("shrinkage_wpe", "shrinkage", "wpe", "leaf_frequency", "m_branch", "ling_yan"):
        honest = wc.method(name)
        for reading, method in (("honest", honest), ("table", table_reading(honest))):
            method.fit(tree, train)
            sees[name, reading] = not (
                np.array_equal(method.predict_proba(test), method.predict_proba(changed))
                and np.array_equal(method.ranking(test), method.ranking(changed))
            )
    assert [asked for asked, seen in sees.items() if seen] == [("shrinkage_wpe", "table"), ("wpe", "table")]


def test_laplace_of_2006_counts_the_classes_at_the_parent_of_a_leaf(jvm, iris):
    """Three at the root, whose child is setosa's leaf; two at the parent of the other leaves."""
    tree = wc.grow(iris, "J48", "-U -O -A -M 40")
    assert tree.class_weight[np.flatnonzero(tree.first_child < 0)].tolist() == [[50, 0, 0], [0, 49, 5], [0, 1, 45]]
    method = table_reading(wc.method("leaf_frequency")).fit(tree, iris)
    expected = [[51 / 53, 1 / 53, 1 / 53], [1 / 56, 50 / 56, 6 / 56], [1 / 48, 2 / 48, 46 / 48]]
    np.testing.assert_allclose(method.ranking(iris.take([0, 50, 149])), expected, rtol=1e-15)


@pytest.mark.parametrize("name", ["shrinkage", "wpe", "shrinkage_wpe", "leaf_frequency"])
def test_no_method_has_the_table_reading(name):
    with pytest.raises(wc.OptionError, match=r"table reading|no parameter 'reading'"):
        wc.method(name, reading="table")


@pytest.mark.parametrize("text", ["shrinkage:local=wpe", "shrinkage_wpe:weights=em", "shrinkage:iterations=3"])
def test_tables_have_no_column_with_other_parameters(text):
    with pytest.raises(wc.OptionError, match=f"have no column with {text.partition(':')[2]}$"):
        table_reading(parse_method(text))


def test_tables_have_no_column_of_another_method():
    names = "ling_yan, m_branch, shrinkage, shrinkage_wpe, wpe"
    with pytest.raises(wc.OptionError, match=rf"^confdtree has no column in the tables of wang2006; .* are .*{names}$"):
        table_reading(wc.method("confdtree"))


def test_further_repetitions_widen_an_interval_and_are_told():
    """The five runs of a record are one repetition, whose folds are kept; of others only their means."""
    column = COLUMNS[0]
    record = {"dataset": "zoo", "metric": "auc_wang2006", "folds": 10, "runs": 5, "seed": 1, "measured": 90.0}
    record |= {"table": column.table, "column": column.name, "reading": column.reading}
    record |= {"fold_values": [90.0] * 50, "versions": {"weka": "3.9.7"}}
    measured = Measured([record], {("zoo", column.table, column.name, column.reading): [88.0, 91.0]})
    figure = measured.repeated(column)["zoo"]
    assert (figure.low, figure.high, figure.n) == (88, 91, 3)
    text = protocol(measured)[1].text
    assert "are 1 repetition of that, and 2 repetitions of the seeds that follow stand beside it" in text
    assert "is 50 %: a figure is met between the lowest and the highest" in text


def test_only_repetitions_that_every_set_has_count():
    names = data_sets()
    lines = [
        {"dataset": name, "table": "3", "column": "C45", "reading": "table", "seed": str(seed), "measured": str(seed)}
        for name in names for seed in ((11, 6) if name == names[0] else (6,))
    ]  # fmt: skip
    assert wang2006_repetitions.further(lines) == {(name, 3, "C45", "table"): [6.0] for name in names}
    assert wang2006_repetitions.further(lines[:-1]) == {}


def test_a_rival_may_be_better_than_the_combination():
    """Over ten sets: two rivals above it on each, one above on five and below on five, all others below."""
    gains = {"C45-M": 1.0, "C45-B": 1.0, "C45-L": 0.0}
    records = []
    for column in COLUMNS:
        for i in range(10) if column.table == 3 else ():
            gain = 0.0 if column.name == "C45-C" else gains.get(column.name, -1.0) or (-1.0) ** i
            value = 80 + gain * (1 + i / 100)
            records.append(
                {"dataset": f"set{i}", "table": 3, "column": column.name, "reading": column.reading, "measured": value}
                | {"fold_values": [value + 0.5, value - 0.5] * 25}
            )  # fmt: skip
    table, finding = _rivals(Measured(records), "table 3")
    assert finding.text.startswith(
        "In the honest reading, C45-C is significantly better than C45-S, C45-W, C45, wpe:node=root, "
        "shrinkage_wpe:weights=uniform and curtailment; it is not significantly different from C45-L; it is "
        "significantly worse than C45-M and C45-B (Wilcoxon's signed-rank test of the means of 10 data sets, "
    )
    assert finding.text.endswith("p ≤ 0.05).")
    assert {name: row[1] for name, row in table.rows.items() if name in ("C45-L", "C45-M", "C45-S")} == {
        "C45-L": (5, 0, 5), "C45-M": (0, 0, 10), "C45-S": (10, 0, 0),
    }  # fmt: skip


# -- Tables 1 and 2 ------------------------------------------------------------------------------------------------


def test_wins_are_those_of_the_corrected_test():
    """Of 50 folds a plain t-test would call the second set a win too: t 3.5 and, corrected, 1.4."""
    random = np.random.default_rng(5)
    noise = random.normal(size=50)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    first = {"far": noise + 1, "near": noise + 0.5, "equal": noise, "below": noise - 1, "same": noise}
    second = {name: np.zeros(50) for name in first} | {"same": noise}
    assert wins(first, second) == (1, 3, 1)
    assert wins(second, first) == (1, 3, 1)
    corrected = stats.t.ppf(0.975, 49) * (1 / 50 + 1 / 9) ** 0.5
    at_the_level = {"above": noise + corrected + 1e-6, "below": noise + corrected - 1e-6}
    assert wins(at_the_level, dict.fromkeys(at_the_level, np.zeros(50))) == (1, 1, 0)


def recorded():
    """What the docs are made from."""
    for row in rows_in(RECORDS):
        if row["table"]:
            numbers = {"table": int(row["table"]), "measured": float(row["measured"])}
            yield row | numbers | {"fold_values": json.loads(row["fold_values"])}


def test_recorded_comparisons():
    """Over all 35 sets: Table 1 all but met; Table 2 met with S and W exchanged, and not as printed."""
    found = Measured(list(recorded()))
    assert set(found.names) == set(data_sets())
    equal, gaps = {}, {}
    for part, table, swapped in (("table 1", 3, False), ("table 2", 4, False), ("table 2", 4, True)):
        folds = {(table, key): found.folds(column_of(table, key, "table")) for key in KEYS}
        apart = [
            max(abs(ours[at] - CELLS[part, *place][at]) for at in (0, 2))
            for place, ours in entries(part, folds, swapped=swapped).items()
            if set(keys_of(part, place)) <= set(FIRST)
        ]
        equal[part, swapped], gaps[part, swapped] = apart.count(0), max(apart)
    assert equal == {("table 1", False): 9, ("table 2", False): 2, ("table 2", True): 8}
    assert (gaps["table 1", False], gaps["table 2", True]) == (1, 1)
    assert gaps["table 2", False] > 5


@pytest.mark.parametrize("table", ["3", "4"])
def test_rivals_without_the_sets_that_stand_in_others(table):
    """Computed again from the file: the verdicts over all sets, and those that change without four of them."""
    sums = {(row["column"], row["reading"], row["dataset"]): float(row["measured"])
            for row in rows_in(RECORDS) if row["table"] == table}  # fmt: skip
    ours = f"C4{'5' if table == '3' else '4'}-C"
    readings = {column: "honest" if (column, "honest", "sick") in sums else "table" for column, _, _ in sums}
    rivals = [column for column in readings if column != ours]
    verdicts = []
    for left_out in ((), ("anneal.ORIG", "colic.ORIG", "heart-statlog", "sick")):
        names = sorted({name for _, _, name in sums} - {*left_out})
        gaps = {rival: np.array([sums[ours, "honest", name] - sums[rival, readings[rival], name] for name in names])
                .round(9) for rival in rivals}  # fmt: skip
        p = multipletests([stats.wilcoxon(gap[gap != 0]).pvalue for gap in gaps.values()], method="holm")[1]
        verdicts.append(
            {rival for rival, each in zip(rivals, p, strict=True) if each <= 0.05 and gaps[rival].mean() > 0}
        )
    lines = RECORDS.with_name("findings.txt").read_text("utf-8").splitlines()
    [line] = [line for line in lines if line.startswith(f"table {table}: In the honest reading, ")]
    better = line.partition("significantly better than ")[2].partition(";")[0].replace(" and ", ", ").split(", ")
    assert {*better} == verdicts[0]
    assert verdicts[1] <= verdicts[0]
    lost = [f"it is not significantly different from {rival}" for rival in sorted(verdicts[0] - verdicts[1])]
    assert f". Without these sets {' and '.join(lost) if lost else 'no verdict changes'}." in line


# -- Figure 3 ------------------------------------------------------------------------------------------------------


def test_more_iterations(uci, jvm, tmp_path):
    """The first point is the column of Table 3, and the curve rises."""
    asked = Request(data=(str(uci),), parts=("figure 3",), quick=True)
    found = STUDY.run(asked)
    by_reading = {r["iterations"]: r["measured"] for r in found.records if r["reading"] == "table"}
    assert list(by_reading) == [1, 3, 10]
    assert {(r["figure"], r["runs"]) for r in found.records} == {(3, 1)}
    assert by_reading[1] < by_reading[3] < by_reading[10] < by_reading[1] + 1
    [cell] = found.cells
    assert (cell.published.column, cell.published.kind, cell.ours) == ("1 iteration", "arithmetic", 88.74)
    found.figures["figure 3"](tmp_path / "figure.svg")
    drawn = (tmp_path / "figure.svg").read_text()
    assert "Iterations of Algorithm DIW" in drawn and "published" in drawn


def test_there_is_no_figure_3_where_its_set_cannot_be_read(jvm, tmp_path):
    (tmp_path / "vehicle.arff").write_text("no data")
    found = STUDY.run(Request(data=(str(tmp_path),), parts=("figure 3",), quick=True))
    assert list(found.failed) == ["vehicle"]
    assert (found.records, found.cells, found.beside, found.findings, found.figures) == ([], [], [], [], {})


def test_figure_3_is_of_one_set(uci):
    with pytest.raises(wc.OptionError, match="figure 3 is of vehicle; leave --set out"):
        STUDY.run(Request(data=(str(uci),), parts=("figure 3",), sets=("iris",)))


def test_another_data_set_under_the_name_of_one_of_the_paper(uci, jvm, tmp_path):
    shutil.copy(uci / "labor.arff", tmp_path / "zoo.arff")
    with pytest.warns(wc.Note, match="zoo.arff: expected zoo with 101 instances, 18 attributes and 7 classes, got 57 "):
        STUDY.run(Request(data=(str(tmp_path),), sets=("zoo",), parts=("table 3",), runs=1))


def test_a_repetition_is_a_mean_over_five_cross_validations():
    """As the paper prints it; fewer runs are one repetition, and what is left over at the end is none."""
    values = np.random.default_rng(2).random(12 * 10)
    found = repeated(values.tolist())
    means = values[:100].reshape(2, 50).mean(axis=1)
    assert (found.mean, found.low, found.high, found.n) == pytest.approx((means.mean(), means.min(), means.max(), 2))
    few = repeated(values[:30].tolist())
    assert (few.mean, few.low, few.n) == pytest.approx((values[:30].mean(), values[:30].mean(), 1))


def test_how_many_means_lie_between_the_runs():
    """The column of the tables of means, computed again from the records and the printed figures."""
    told = {
        (row["title"][:7], row["row"]): row["shown"]
        for row in rows_in(RECORDS.parent / "beside.csv")
        if row["column"] == "between the runs" and not row["row"].startswith("control")
    }
    within = dict.fromkeys(told, 0)
    for row in rows_in(RECORDS):
        place = f"Table {row['table']}", row["column"]
        if row["reading"] == "table" and place in told:
            runs = np.reshape(json.loads(row["fold_values"]), (5, 10)).mean(axis=1)
            within[place] += runs.min() <= CELLS[place[0].lower(), row["dataset"], row["column"]] <= runs.max()
    assert len(told) == 14
    assert {place: f"{n} of 35" for place, n in within.items()} == told
