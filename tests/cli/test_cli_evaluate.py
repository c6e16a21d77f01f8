"""``wekaconf evaluate``: records, tables, splits, learners, and what of the metrics it shows."""

import json
import re

from support.command_line import IRIS, METRICS, MISSING, WINE, arff, shown_numbers
from support.csv_rows import rows_in


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


def test_notes_and_how_to_silence_them(run):
    note = "note: missing-weights: 4 of 300 instances have no class and are left out of training\n"
    assert run("evaluate", MISSING, "-x", 2).err == note
    assert run("evaluate", MISSING, "-x", 2, "-q").err == ""
    verbose = run("evaluate", MISSING, "-x", 2, "-v").err
    assert verbose.startswith(note)
    assert verbose.partition("labels to look at")[0].count("\n") == 2
    assert "missing-weights: " in verbose.splitlines()[1]


def test_every_metric_can_be_shown(good, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    chosen = [word for name in reversed(METRICS) for word in ("--metric", name)]
    command = ("evaluate", MISSING, "-x", 3, "-q")
    [record] = json.loads(good(*command, *chosen, "--fold-mean", "--json"))
    assert json.loads(good(*command, "--json")) == [record]
    for options, part, words in ((), "pooled", "pooled answers"), (("--fold-mean",), "fold_mean", "mean over folds"):
        printed = good(*command, *chosen, *options)
        assert shown_numbers(printed) == [
            f"{record[part][name]:.{2 if 'percent' in name else 4}f}" for name in reversed(METRICS)
        ]
        assert printed.splitlines()[0].endswith(f"; 3-fold cross-validation, seed 1; {words}")
    default = good(*command, "--fold-mean")
    assert shown_numbers(default)[1] == f"{record['fold_mean']['auc_mean']:.4f}"
    assert len(shown_numbers(default)) == 3


def test_undefined_metric_is_shown_as_a_dash(good):
    [number] = shown_numbers(good("evaluate", IRIS, "-x", "loo", "--fold-mean", "--metric", "auc_mean"))
    assert number == "–"
