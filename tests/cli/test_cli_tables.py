"""Tables on the command line: what the options do, what is told, and what a model file remembers."""

import csv
import re
import shlex

import pandas as pd
import pytest
from support.command_line import IRIS

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError
from wekaconf.model.file import load

GROW = ("--learner", "info_gain")


@pytest.fixture
def patients(tmp_path):
    """A table with an id, a name with a blank and a comma, and a code that looks like a number; and new rows of it."""
    rows = [
        (f"P{n}", 20 + n % 50, ["f", "m", ""][n % 3], f"{n % 4:02}", -1 if n % 10 == 0 else n % 7,
         int(20 + n % 50 > 45))
        for n in range(100)
    ]  # fmt: skip
    names = ["patient id", "age, years", "sex", "code", "dose", "outcome"]
    write(tmp_path / "patients.csv", names, rows)
    write(tmp_path / "new.csv", ["dose", "code", "patient id", "age, years", "sex", "extra"],
          [(-1, "01", "N1", 30, "f", "x"), (2, 7, "N2", 60, "f", "y")])  # fmt: skip
    return tmp_path / "patients.csv"


def write(path, names, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([names, *rows])


COLUMNS = ("--id", "patient id", "--type", "outcome=nominal", "--type", "code=nominal", "--table", "na=-1")


def test_evaluate_tells_what_it_inferred(run, patients):
    ended = run("evaluate", "patients.csv", "-c", "outcome", *COLUMNS, "-x", "3", *GROW)
    assert ended.code == 0 and "patients" in ended.out
    note, *summary = ended.err.splitlines()
    assert note.startswith("note: patients.csv: 'age, years' alone gives 100 % of the classes: leaked? ")
    assert summary[:3] == [
        "patients.csv: 100 rows, separated by commas; class 'outcome': 0, 1",
        "2 numeric: 'age, years', 'dose'; 2 nominal: 'sex' (2 values), 'code' (4 values)",
        "missing: 43 cells in 2 columns; left out: 'patient id'",
    ]
    quiet = run("evaluate", "patients.csv", "-c", "outcome", *COLUMNS, "-x", "3", *GROW, "-q")
    assert quiet.err == "" and quiet.out == ended.out


def test_answers_out_of_fold_bear_the_names_of_their_rows(run, patients, tmp_path):
    options = ("-c", "outcome", *COLUMNS, *GROW, "-q", "--predictions", "p.csv")
    assert run("evaluate", "patients.csv", *options, "-x", "3").code == 0
    answers = pd.read_csv(tmp_path / "p.csv")
    assert list(answers)[:6] == ["method", "run", "fold", "index", "patient id", "actual"]
    assert len(answers) == 100 and (answers["patient id"] == [f"P{n - 1}" for n in answers["index"]]).all()
    rows = [(0, "01", "N1", 30, "f", "0"), (2, 3, "N2", 60, "f", "1")]
    write(tmp_path / "test.csv", ["dose", "code", "patient id", "age, years", "sex", "outcome"], rows)
    assert run("evaluate", "patients.csv", *options, "-T", "test.csv").code == 0
    assert list(pd.read_csv(tmp_path / "p.csv")["patient id"]) == ["N1", "N2"]
    frame = pd.read_csv("patients.csv", dtype=str).drop(columns="patient id")
    frame.to_csv("nameless.csv", index=False)
    assert run("evaluate", "nameless.csv", *options, "-T", "test.csv").code == 0
    assert list(pd.read_csv(tmp_path / "p.csv")["patient id"]) == ["N1", "N2"]
    write(tmp_path / "run.csv", ["run", "x", "c"], [(n, n % 4, "ab"[n % 4 > 1]) for n in range(12)])
    assert run("evaluate", "run.csv", "--id", "run", "-x", "2", *options[-3:], *GROW).code == 0
    answers = pd.read_csv(tmp_path / "p.csv")
    assert (answers["run (input)"] == answers["index"] - 1).all()


def test_advice_is_in_options(run, patients):
    ended = run("evaluate", "patients.csv", "--type", "outcome=nominal", "-x", "3", *GROW)
    assert (
        "note: patients.csv: nearly every row has a text of its own in 'patient id'; --ignore 'patient id' leaves it "
        "out, --id 'patient id' keeps it for the output\n"
    ) in ended.err
    refused = run("evaluate", "patients.csv", "--ignore", "patient id", "-x", "3", *GROW)
    assert refused.code == 1 and "read them as text, --type 'outcome=nominal' (in ARFF: " in refused.err
    typo = run("tree", "patients.csv", "--ignore", "patent id", *GROW)
    assert "error: --ignore: no column 'patent id' in patients.csv; did you mean 'patient id'?\n" in typo.err
    typo = run("tree", "patients.csv", "--type", "outcom=nominal", *GROW)
    assert "error: --type: no column 'outcom' in patients.csv; did you mean 'outcome'?\n" in typo.err
    typo = run("tree", IRIS, "--ignore", "petal width")
    assert f"error: --ignore: no attribute 'petal width' in {IRIS}; did you mean 'petal width (cm)'?\n" in typo.err


def test_a_model_reads_by_its_training_header(run, good, patients):
    answered = good("predict", "-t", "patients.csv", "-T", "new.csv", *COLUMNS, *GROW, "-d", "m.wct")
    model = load("m.wct")
    assert model.reading.na == ("-1",) and model.reading.id == "patient id"
    assert [a.name for a in model.header.attributes] == ["age, years", "sex", "code", "dose", "outcome"]
    assert model.header.attributes[2].values == ("00", "01", "02", "03")
    ended = run("predict", "-l", "m.wct", "-T", "new.csv")
    assert ended.out == answered
    assert "note: new.csv: ignored 'extra', which the training data did not have\n" in ended.err
    assert "value '7' of 'code' was not seen in training" in ended.err
    for ending, save in (("parquet", pd.DataFrame.to_parquet), ("xlsx", pd.DataFrame.to_excel)):
        save(pd.read_csv("new.csv", dtype={"code": str}), f"new.{ending}", index=False)
        assert good("predict", "-l", "m.wct", "-T", f"new.{ending}") == answered


def test_strict_columns(refused, good, patients):
    good("predict", "-t", "patients.csv", "-T", "new.csv", *COLUMNS, *GROW, "-d", "m.wct", "-o", "o.csv")
    said = "new.csv, column 1: expected 'age, years', got 'dose'; give the columns of the training"
    assert refused("predict", "-l", "m.wct", "-T", "new.csv", "--strict", "columns").startswith(said)
    assert good("predict", "-l", "m.wct", "-T", "patients.csv", "--strict", "columns")
    tested = ("evaluate", "patients.csv", *COLUMNS, *GROW, "-T")
    assert refused(*tested, "new.csv", "--strict", "columns", told=True)
    assert good(*tested, "patients.csv", "--strict", "columns") == good(*tested, "patients.csv")
    misplaced = refused("evaluate", "--rejecting", "patients.csv", *COLUMNS, *GROW, "--strict", "columns", codes=(2,))
    assert "--strict belongs to -T, the file to test on" in misplaced


def test_the_advice_for_a_column_of_another_name_can_be_followed(refused, good, patients):
    good("predict", "-t", "patients.csv", "-T", "new.csv", *COLUMNS, *GROW, "-d", "m.wct", "-o", "o.csv")
    write("other.csv", ["Age, years", "sex", "dose", "codes"], [(1, "f", 2, 3)])
    said = refused("predict", "-l", "m.wct", "-T", "other.csv")
    assert said.endswith("; add them, or give --rename 'Age, years=age, years' --rename codes=code"), said
    good("predict", "-l", "m.wct", "-T", "other.csv", *shlex.split(said.partition("give ")[2]), "-o", "o.csv")
    with pytest.raises(
        HeaderMismatchError, match=re.escape("give rename={'Age, years': 'age, years', 'codes': 'code'}")
    ):
        wc.load_table("other.csv", header=load("m.wct").header)


def test_a_missing_column_of_names_is_named_before_a_window_opens(refused, patients, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    assert "--id: no column 'absent' in patients.csv" in refused("weka", "explorer", "patients.csv", "--id", "absent")


def test_what_is_fitted_excludes_how_it_is_read(complaint, good, patients):
    good("predict", "-t", "patients.csv", "-T", "new.csv", *COLUMNS, *GROW, "-d", "m.wct", "-o", "o.csv")
    for option, value in (("--type", "x=nominal"), ("--table na", "na=x"), ("--ignore", "x")):
        said = complaint("predict", "-l", "m.wct", "-T", "new.csv", option.split()[0], value)
        assert f"-l takes a model that is fitted already, so it excludes {option}" in said
    said = "expected a model, and patients.csv is data; 'wekaconf fit' makes a model of data"
    assert said in complaint("predict", "-l", "patients.csv", "-T", "new.csv")
