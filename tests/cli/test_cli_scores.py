"""`wekaconf check --scores`: what a table of answers shows, whoever gave them."""

import json
import shlex

import numpy as np
import pandas as pd
import pytest
from support.command_line import ARFF, words
from support.live_weka import of_weka, read_file
from support.promises import lay_tables

import wekaconf as wc
from wekaconf.cli.console import ExitCode

PROMISE = ("--target-error", "0.2", "--confidence", "0.9")
GROW = ("--learner", "info_gain", "--method", "m_branch")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lay_tables()


def test_choose_and_check(good, run):
    """What is promised of one table is checked on others by the command that is told."""
    good("fit", "train.csv", *GROW, "-d", "m.wct")
    for name in ("new", "drifted"):
        good("predict", "m.wct", f"{name}.csv", "-o", f"{name}-answers.csv")
    chosen = run("check", "new-answers.csv", "--scores", *PROMISE)
    frame = pd.read_csv("new-answers.csv")
    choice = wc.Scores(frame["actual"], frame["predicted"], frame["certainty"]).choose(wc.Aim("error", 0.2, 0.9))
    [promised] = choice.promises
    assert chosen.code == 0 and words(chosen.out) == (
        f"threshold {choice.threshold:.6g}: with confidence 90 %, at most 20 % of the answers given are wrong; of 320 "
        f"calibration rows it answers {promised.answered}, {promised.wrong} of them wrong"
    )
    assert "80 of 400 rows only decide which thresholds are tried; the promise holds if" in words(chosen.err)
    command = words(chosen.err).partition("to check it on later rows: wekaconf ")[2]
    assert command.startswith(f"check LATER --scores --below {choice.threshold!r} ")
    ended = run(*shlex.split(command.replace("LATER", "drifted-answers.csv")))
    later = pd.read_csv("drifted-answers.csv")
    check = wc.Scores(later["actual"], later["predicted"], later["certainty"]).check(choice)
    assert ended.code == ExitCode.PROMISE_BROKEN and check.is_broken
    assert words(ended.out) == words("\n".join(["promised: error at most 20 % with confidence 90 %", *check.lines]))
    [record] = json.loads(run("check", "new-answers.csv", "--scores", *PROMISE, "--json").out)
    assert record["threshold"] == choice.threshold and record["promises"][0]["answered"] == promised.answered
    assert record["figures"]["wrong"] == promised.wrong and record["n_without_class"] == 0


@pytest.mark.parametrize(
    "aim",
    [
        ("--target-error", "yes=0.3,no=0.25", "--confidence", "0.9"),
        ("--target-cost", "0.9", "--cost", "[0 1; 3 0]:1", "--confidence", "0.9"),
    ],
)
def test_the_command_that_checks_names_classes_and_costs(good, run, aim):
    good("fit", "train.csv", *GROW, "-d", "m.wct")
    good("predict", "m.wct", "new.csv", "-o", "a.csv")
    chosen = run("check", "a.csv", "--scores", *aim)
    command = words(chosen.err).partition("to check it on later rows: wekaconf ")[2]
    assert ("only decide which thresholds are tried" in words(chosen.err)) == ("--cost" in aim)
    ended = run(*shlex.split(command.replace("LATER", "a.csv")))
    assert ended.code == 0 and "these rows do not show that the promise is broken" in words(ended.out), ended.err


def test_columns_of_any_name_are_in_the_command_that_checks(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    rows = [("ab"[i % 9 > 6], "ab"[i % 8 > 5], round(0.5 + i % 50 / 100, 2)) for i in range(400)]
    frame = pd.DataFrame([*rows, (None, "a", 0.7), ("a", None, 0.8)], columns=["the truth", "said", "p"])
    frame.to_csv("a.csv", index=False)
    chosen = run("check", "a.csv", "--scores", "the truth,said,p", "--target-error", "0.6", "--confidence", "0.9")
    first, *further = chosen.out.splitlines()
    assert further and all(line.startswith("  ") for line in further) and first.startswith("threshold 0.")
    told = words(chosen.err)
    assert "note: a.csv: 2 of 402 rows have no class, answer or certainty, left out" in told
    command = told.partition("to check it on later rows: wekaconf ")[2]
    assert command.startswith("check LATER --scores 'the truth,said,p' --below 0.")
    ended = run(*shlex.split(command.replace("LATER", "-T a.csv")), "--json")
    assert "note: a.csv: 2 of 402 rows have no class, answer or certainty, left out" in words(ended.err)
    [record] = json.loads(ended.out)
    assert (ended.code, record["data"], record["n_without_class"]) == (0, "a.csv", 2) and "model" not in record


@pytest.mark.jvm
def test_the_predictions_that_weka_writes(java, run, tmp_path):
    """J48's answers for its own test file, as Weka's class CSV writes them."""
    train, test = (read_file(java, ARFF / "credit-g.arff") for _ in range(2))
    classifier = of_weka(java, "weka.classifiers.trees.J48", "-M 10")
    classifier.buildClassifier(train)
    test.instance(0).setClassMissing()
    output = of_weka(java, "weka.classifiers.evaluation.output.prediction.CSV", f"-file {tmp_path / 'weka.csv'}")
    output.setHeader(test)
    output.setBuffer(java("java.lang.StringBuffer")())
    source = java("weka.core.converters.ConverterUtils$DataSource")(test)
    output.printHeader()
    output.printClassifications(classifier, source)
    output.printFooter()
    wrote = (tmp_path / "weka.csv").read_text().splitlines()
    assert wrote[0] == "inst#,actual,predicted,error,prediction" and wrote[1].startswith("1,1:?,")
    proba = np.array([list(map(float, classifier.distributionForInstance(test.instance(i)))) for i in range(1000)])
    actual = [int(test.instance(i).classValue()) for i in range(1, 1000)]
    wrong = (proba[1:].argmax(axis=1) != actual).sum()
    ended = run("check", "weka.csv", "--scores", "--json")
    [record] = json.loads(ended.out)
    assert record["counts"][0]["wrong"] == wrong and record["counts"][0]["n"] == 999
    assert record["n_without_class"] == 1 and "1 of 1000 rows has no class, answer or certainty, left out" in words(
        ended.err
    )
    assert [each["name"] for each in record["by predicted class"]] == ["good", "bad"]
    chosen = run("check", "weka.csv", "--scores", "--target-error", "0.3", "--confidence", "0.9")
    assert chosen.out.startswith("threshold 0.")


def test_what_is_refused(good, run):
    good("fit", "train.csv", *GROW, "-d", "m.wct")
    good("predict", "m.wct", "new.csv", "-o", "a.csv")
    pd.read_csv("new.csv")[:9].to_excel("new.xlsx", index=False)
    for arguments, message in (
        (("--scores", "a.csv"), "expected a FILE before --scores, which takes the word behind it as names of columns"),
        (("a.csv",), "expected MODEL and FILE, or --scores behind a FILE that holds answers"),
        (("m.wct", "a.csv", "b.csv"), "'b.csv' is one name too many"),
        (("m.wct", "new.csv", *PROMISE), "--target-error belongs to --scores; a model has an aim of its own"),
        (
            ("m.wct", "a.csv", "--scores"),
            "--scores reads one file of answers that were given already, so leave MODEL out",
        ),
        (("-l", "m.wct", "a.csv", "--scores"), "so leave MODEL out"),
        (("m.wct", "a.csv"), "a.csv: 3 columns are missing that the training data had"),
        (("m.wct", "new.xlsx", "--table", "sheet=x"), "error: --table sheet: no sheet 'x' in new.xlsx"),
        (("m.wct", "new.csv", "--by", "nope"), "error: --by: no column 'nope' in new.csv"),
        (("a.csv", "--scores", "y,p,c"), "--scores: no column 'y' in a.csv"),
        (("new.csv", "--scores"), "name yours, as in --scores 'truth,answer,score'"),
        (("a.csv", "--scores", *PROMISE, "--by", "index"), "--by belongs to a check of a promise, which takes --below"),
        (("a.csv", "--scores", "--target-error", "0.1", "--below", "1"), "a promise has a confidence, such as 0.95"),
        (("a.csv", "--scores", *PROMISE, "--below", "yes=much"), "--below expects a certainty, or one per class"),
        (("a.csv", "--scores", *PROMISE, "--below", "ye=0.5"), "--below: no class 'ye'; did you mean 'yes'"),
        (("a.csv", "--scores", "--by", "index"), "of at most 100 different values, got 'index' with 400"),
    ):
        ended = run("check", *arguments)
        assert ended.code != 0 and message in words(ended.err), ended.err
        assert "Traceback" not in ended.err
