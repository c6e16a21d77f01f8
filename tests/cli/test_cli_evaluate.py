"""``wekaconf evaluate``: records, tables, notes, costs and preprocessing."""

import json
import re

import numpy as np
import pytest
from support.command_line import HEADER, IRIS, METRICS, MISSING, NAMING, ROWS, WINE, arff, shown_numbers
from support.csv_rows import rows_in

import wekaconf as wc
from wekaconf.cli import evaluation_run
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.methods.contract._leaves_one_out import LeavesOneOut
from wekaconf.methods.contract._method import Method
from wekaconf.report import trees


def test_evaluate_json(good):
    """Strict JSON with the promised keys, one record a data set and method, undefined metrics null."""
    methods = ("leaf_frequency", "confdtree:variant=tdist,fine=0.2")
    options = [word for method in methods for word in ("--method", method)]
    text = good("evaluate", IRIS, WINE, *options, "-x", 5, "-s", 3, "--learner", "J48 -M 5", "--json")
    records = json.loads(text, parse_constant=fail)
    assert [(r["dataset"], r["label"]) for r in records] == [(d, m) for d in ("iris", "wine") for m in methods]
    for record in records:
        assert record.keys() == {
            "dataset", "n_instances", "class", "protocol", "folds", "seed", "runs", "label", "learner", "options",
            "preprocess", "filters", "cost_matrix", "method", "params", "reading", "pooled", "fold_mean", "fold_std",
            "events", "known", "leave_out", "aim", "threshold_from", "reject", "outcomes", "notes", "sees_class",
            "versions", "majority",
        }  # fmt: skip
        assert record["notes"] == []
        assert record["preprocess"] is record["reading"] is None
        assert record["learner"] == "J48"
        assert record["options"] == "-M 5"
        assert (record["folds"], record["seed"], record["runs"]) == (5, 3, 1)
        for part in ("pooled", "fold_mean", "fold_std"):
            assert list(record[part]) == METRICS
            assert all(isinstance(value, float) for value in record[part].values())
    assert records[1]["method"] == "confdtree"
    assert records[1]["params"]["variant"] == "tdist"
    assert records[1]["params"]["fine"] == 0.2
    assert records[1]["events"]["fine"] > 0


def test_latex_has_the_figures_of_the_printed_tables_and_captions_that_stand_alone(good, refused):
    options = ("--learner", "CART", "--method", "confdtree", "--method", "m_branch", "--keep", 0.9, "-x", 3)
    printed, text = good("evaluate", IRIS, *options), good("evaluate", IRIS, *options, "--format", "latex")
    rows_printed = "".join(line for line in printed.splitlines(keepends=True) if line.startswith("  "))
    tables = text.split("\\begin{table}")[1:]
    assert len(tables) == 3
    for table in tables:
        assert "3-fold cross-validation, seed 1" in re.search(r"\\caption\{(.*)\}", table)[1]
        n_columns = len(re.search(r"\\begin\{tabular\}\{(l[lr]+)\}", table)[1])
        rows = [line for line in table.splitlines() if line.endswith("\\\\") and "multicolumn" not in line]
        assert len(rows) > 2 and {row.count("&") for row in rows} == {n_columns - 1}
    for method in ("confdtree", "m_branch"):
        latex_rows = [line for table in (tables[0], tables[2]) for line in table.splitlines()
                      if line.startswith(f"\\quad {method.replace('_', chr(92) + '_')} ")]  # fmt: skip
        told = [cell.strip(" \\") for row in latex_rows for cell in row.split(" & ")[1:]]
        assert [cell.replace("--", "–") for cell in told if cell] == [
            each for each in shown_numbers(rows_printed, method) if each[0] in "0123456789–"
        ]
    assert "% confdtree on iris: " in text
    assert "--format latex excludes --json" in refused("evaluate", IRIS, "--format", "latex", "--json", codes=(2,))


def test_the_legend_stands_below_each_table_where_it_is_wanted(good):
    command = ("evaluate", IRIS, "--learner", "CART", "--keep", "0.9", "--known", "setosa,versicolor", "-x", 2)
    explained = good(*command, "-v")
    assert good(*command, "-v") == explained
    meanings = (
        "AUC: area under the ROC",
        "AURC: area under the risk",
        "interval %: of Clopper",
        "missed %: answered, and",
    )
    assert all(f"\n{meaning}" in explained for meaning in meanings)
    bare = good(*command)
    assert not any(f"\n{meaning}" in bare for meaning in meanings)
    lines = [line for line in bare.splitlines() if line]
    assert [line for line in explained.splitlines() if line in lines] == lines


def test_infinite_parameters_in_strict_json_and_csv(good, tmp_path):
    options = ("--method", "boundary_distance:nominal=inf", "--method", "confdtree:z_assigned=inf", "-x", 2)
    records = json.loads(
        good("evaluate", IRIS, *options, "--json", "--records", tmp_path / "r.csv"), parse_constant=fail
    )
    assert [record["params"].get("nominal") for record in records] == ["Infinity", None]
    assert records[1]["params"]["z_assigned"] == "Infinity"
    for row, record in zip(rows_in(tmp_path / "r.csv"), records, strict=True):
        assert json.loads(row["params"], parse_constant=fail) == record["params"]


def fail(name):
    raise AssertionError(name)


def test_evaluate_table_and_files_tell_the_same(good, tmp_path):
    command = ("evaluate", IRIS, MISSING, "--method", "confdtree", "--method", "leaf_frequency", "-x", 3)
    printed = good(*command, "--records", "r.csv", "--records", "r.json")
    records = json.loads(good(*command, "--json"))
    assert json.loads((tmp_path / "r.json").read_text()) == records
    rows = rows_in(tmp_path / "r.csv")
    assert len(rows) == len(records) == 4
    for row, record in zip(rows, records, strict=True):
        assert row["dataset"] == record["dataset"]
        assert row["pooled.auc_mean"] == f"{record['pooled']['auc_mean']:.12g}"
        assert json.loads(row["params"]) == record["params"]
        assert f"{record['pooled']['auc_mean']:.4f}" in printed
        assert f"{record['pooled']['percent_correct']:.2f}" in printed
    assert "J48 of Weka 3.9." in printed
    assert "3-fold cross-validation, seed 1" in printed
    assert printed.count("missing-weights") == 1


def test_evaluate_goes_on_after_a_bad_file(run, tmp_path):
    arff(tmp_path / "bad.arff", "@relation r\n@attribute x numeric\n@data\n1,2\n")
    ended = run("evaluate", "absent.arff", IRIS, "bad.arff", "--json", "--records", "r.csv", "-q")
    assert ended.code == 1
    assert [record["dataset"] for record in json.loads(ended.out)] == ["iris"]
    assert [row["dataset"] for row in rows_in(tmp_path / "r.csv")] == ["iris"]
    first, second, last = ended.err.splitlines()
    assert first == "left out: absent.arff: no such file; check the name and the folder"
    assert second.startswith("left out: bad.arff:4: expected 1 values, got 2")
    assert last == "error: 2 of 3 data sets could not be evaluated: absent.arff, bad.arff"


def test_evaluate_tells_files_of_one_name_apart(good, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "iris.arff").write_bytes(IRIS.read_bytes())
    records = json.loads(good("evaluate", "a/iris.arff", IRIS, WINE, "-x", 2, "--json"))
    assert [record["dataset"] for record in records] == ["a/iris.arff", str(IRIS), "wine"]


def test_sets_come_in_the_order_in_which_they_were_given(run, monkeypatch):
    """Whichever is measured first."""
    measure = evaluation_run.measure_each
    monkeypatch.setattr(evaluation_run, "measure_each", lambda *given: reversed([*measure(*given)]))
    ended = run("evaluate", "absent.arff", IRIS, "gone.arff", WINE, "--learner", "CART", "-x", 2, "--json")
    assert [record["dataset"] for record in json.loads(ended.out)] == ["iris", "wine"]
    assert ended.err.splitlines()[-1].endswith("could not be evaluated: absent.arff, gone.arff")


def test_notes_and_how_to_silence_them(run):
    note = "note: missing-weights: 4 of 300 instances have no class and are left out of training\n"
    assert run("evaluate", MISSING, "-x", 2).err == note
    assert run("evaluate", MISSING, "-x", 2, "-q").err == ""
    verbose = run("evaluate", MISSING, "-x", 2, "-v").err
    assert verbose.startswith(note)
    assert verbose.count("\n") == 2
    assert "missing-weights: " in verbose.splitlines()[1]


def test_every_metric_can_be_shown(good, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    chosen = [word for name in reversed(METRICS) for word in ("--metric", name)]
    command = ("evaluate", MISSING, "-x", 3, "-q")
    [record] = json.loads(good(*command, *chosen, "--json"))
    assert json.loads(good(*command, "--json")) == [record]
    printed = good(*command, *chosen)
    assert shown_numbers(printed) == [
        f"{record['pooled'][name]:.{2 if 'percent' in name else 4}f}" for name in reversed(METRICS)
    ]
    assert printed.splitlines()[0].endswith("; 3-fold cross-validation, seed 1; pooled answers")
    assert len(shown_numbers(good(*command))) == 3


def test_undefined_metric_is_shown_as_a_dash(good, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    arff(tmp_path / "test.arff", HEADER + "1,p,a\n")
    [number] = shown_numbers(good("evaluate", "train.arff", "-T", "test.arff", "--metric", "auc_mean"))
    assert number == "–"


# -- notes, and what they cost -----------------------------------------------------------------------------------------


@pytest.fixture
def wordy():
    """A method with something to tell of its answers and of what they cost."""

    class Wordy(Method.registry["leaf_frequency"], LeavesOneOut, name="wordy"):
        can_leave_one_out = False
        n_kept = 0

        def _leave_one_out(self, rows):
            pytest.fail("asked for the short way")

        def notes(self, data):
            return ("read from leaves", *(("some values are missing",) if np.isnan(data.values[:, :-1]).any() else ()))

        def cost(self, n_instances, header):
            return f"asks for {n_instances} of {header.n_classes} classes"

    yield Wordy
    del Method.registry["wordy"]


def test_notes_stand_below_the_table_once(good, wordy, tmp_path):
    methods = ("--method", "wordy", "--method", "leaf_frequency", "--method", "wordy:laplace=true")
    command = ("evaluate", MISSING, IRIS, *methods, "-x", 3, "--runs", 2, "-q")
    notes = [
        "wordy: read from leaves", "wordy: some values are missing (missing-weights)",
        "wordy:laplace=true: read from leaves", "wordy:laplace=true: some values are missing (missing-weights)",
    ]  # fmt: skip
    printed = good(*command, "--records", "r.csv")
    assert printed.splitlines()[-4:] == notes
    records = json.loads(good(*command, "--json"))
    both = ["read from leaves", "some values are missing"]
    assert [record["notes"] for record in records] == [both, [], both, both[:1], [], both[:1]]
    assert [json.loads(row["notes"]) for row in rows_in(tmp_path / "r.csv")] == [record["notes"] for record in records]
    assert good("evaluate", "--rejecting", IRIS, "--method", "wordy", "-x", 3, "-q").splitlines()[-1] == notes[0]


def test_costs_are_said_once_a_method_and_data_set(run, wordy):
    command = ("evaluate", IRIS, WINE, "--method", "wordy", "--method", "leaf_frequency", "-x", 3, "--runs", 2)
    assert run(*command).err == "note: iris: asks for 300 of 3 classes\nnote: wine: asks for 356 of 3 classes\n"
    assert run(*command, "-q").err == ""


# -- --preprocess, also of tree and predict ----------------------------------------------------------------------------


def test_evaluate_preprocessed_on_a_test_file(good, tmp_path):
    """The whole set is both files; fitted on the training set, the test file has no say."""
    arff(tmp_path / "train.arff", HEADER + "".join(f"{x},{y},{c}\n" for x, y, c in [(0, "p", "a"), (10, "q", "b")] * 9))
    arff(tmp_path / "test.arff", HEADER + "1000,p,a\n-900,q,b\n100,p,b\n")
    command = ("evaluate", "train.arff", "-T", "test.arff", "--json", "--preprocess")
    [[whole], [per_fold]] = [json.loads(good(*command, name)) for name in ("wang2006", "wang2006:per-fold")]
    data = wc.load_arff(tmp_path / "train.arff").join(wc.load_arff(tmp_path / "test.arff"))
    rows = [(np.arange(18), np.arange(18, 21))]
    for record, fold, fitted_on in ((whole, False, "whole set"), (per_fold, True, "each training set")):
        assert record["preprocess"] == {"name": "wang2006", "fitted_on": fitted_on}
        protocol = wc.Protocol(given=[rows], preprocess="wang2006", per_fold=fold)
        [expected] = wc.evaluate(data, "leaf_frequency", protocol=protocol).records
        assert record["pooled"]["brier"] == expected["pooled"]["brier"]
    assert whole["pooled"]["brier"] != per_fold["pooled"]["brier"]
    assert whole["protocol"] == "tested on test"


def test_nothing_left_to_learn_from(refused, tmp_path):
    arff(tmp_path / "d.arff", HEADER.replace("x numeric", "x {1,2,3,4}").replace("{p,q}", "{p,q,r,s}") + NAMING)
    for command in (["evaluate", "-x", "2"], ["tree"], ["predict", "-T", "d.arff", "-t"]):
        message = refused(command[0], *command[1:], "d.arff", "--preprocess", "wang2006")
        assert message.startswith("'d': there are nearly as many values of 'x', 'y' as instances (4)")


def test_tree_preprocessed(good):
    output = fit_preprocessing(wc.load_arff(WINE), "wang2006").output
    told = good("tree", WINE, "--preprocess", "wang2006", "--learner", "J48 -M 5")
    assert told == trees.render_text(wc.grow(output, "J48", "-M 5"))
    assert "'(-inf-" in told
