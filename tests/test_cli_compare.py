"""``wekaconf compare``."""

import csv
import json
import shutil
from io import StringIO
from pathlib import Path

import pytest

import wekaconf as wc

ARFF = Path(__file__).parents[1] / "arff"
FEW = ("-x", "4", "--learner", "info_gain", "--method", "leaf_frequency", "--method", "m_branch")


@pytest.fixture
def sets(run, tmp_path):
    """Names of data sets in the folder where commands run."""
    for name in ("iris", "wine"):
        shutil.copy(ARFF / f"{name}.arff", tmp_path)
    return ("iris.arff", "wine.arff")


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_prints_what_python_gives(good, sets):
    options = {"measure": "brier", "base": "m_branch", "test": "wilcoxon", "level": 0.1, "pooled": True}
    found = wc.Evaluation(())
    for name in sets:
        data = wc.load_arff(name)
        methods = ["leaf_frequency", "m_branch"]
        found += wc.evaluate(data, methods, learner="info_gain", folds=4, runs=2, name=name[:4])
    typed = [word for name, value in options.items() if name != "pooled" for word in (f"--{name}", value)]
    printed = good("compare", *sets, *FEW, "--runs", "2", *typed, "--pooled", "--std")
    assert printed == found.compare(**options).text(std=True)


@pytest.mark.parametrize(
    ("ending", "begins"),
    [(".tex", "% needs"), (".csv", "data_set,"), (".md", "AUC "), (".html", "<table"), (".txt", "AUC "), ("", "AUC ")],
)
def test_format_goes_by_the_ending(good, sets, tmp_path, ending, begins):
    assert good("compare", *sets, *FEW, "-o", f"out{ending}") == ""
    assert (tmp_path / f"out{ending}").read_text().startswith(begins)


def test_format_that_is_named(good, sets):
    rows = list(csv.DictReader(StringIO(good("compare", *sets, *FEW, "--format", "csv"))))
    assert [(row["data_set"], row["scheme"]) for row in rows] == [
        (name, method) for name in ("iris", "wine") for method in ("leaf_frequency", "m_branch")
    ]


def test_files_beside_the_table(good, sets, tmp_path):
    files = {
        "--cd-diagram": "ranks.svg", "--experimenter": "results.arff", "--csv": "r.csv", "--json-file": "r.json",
    }  # fmt: skip
    good("compare", *sets, *FEW, *(word for pair in files.items() for word in pair))
    assert "CD = " in (tmp_path / "ranks.svg").read_text()
    assert len(wc.load_arff(tmp_path / "results.arff")) == 2 * 2 * 4
    assert len(json.loads((tmp_path / "r.json").read_text())) == 4
    assert (tmp_path / "r.csv").read_text().count("\n") == 5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "m_branch"], "--method: expected at least two to compare"),
        (
            [*FEW, "--base", "confdtree"],
            "--base confdtree: expected one of the methods given: leaf_frequency, m_branch",
        ),
        ([*FEW, "--level", "5"], "expected a number between 0 and 1, such as 0.05, got '5'"),
        ([*FEW, "--level", "nan"], "expected a number between 0 and 1"),
        ([*FEW, "--test", "t"], "'t' is not one of 'corrected', 'paired', 'wilcoxon'"),
        ([*FEW, "--measure", "percent_affected"], "is not one of 'percent_correct'"),
        ([*FEW, "--measure", "breir"], "did you mean 'brier'?"),
        ([*FEW, "-o", "table.pdf"], "expected a name that ends in .txt, .tex, .csv, .md or .html, got '.pdf'"),
        ([*FEW, "--keep", "0.9"], "No such option"),
        ([*FEW, "--cd-diagram", "ranks.doc"], "expected a name that ends in .png, .pdf or .svg"),
        ([*FEW, "--cd-diagram", "iris.arff"], "expected a name that ends in .png, .pdf or .svg"),
    ],
)
def test_refused_before_the_work(run, sets, arguments, said):
    ended = run("compare", *sets, *arguments)
    assert ended.code != 0
    assert said in ended.err
    assert "Traceback" not in ended.err and ended.out == ""


def test_diagram_of_one_set(run, sets):
    ended = run("compare", sets[0], *FEW, "--cd-diagram", "ranks.pdf")
    assert (ended.code, ended.out) == (1, "")
    assert "--cd-diagram ranks.pdf: mean ranks need several data sets, got 1" in ended.err


def test_a_set_that_fails_is_named_and_left_out(run, sets, write):
    write("@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n", "one.arff")
    ended = run("compare", *sets, "one.arff", *FEW)
    assert ended.code == 1
    assert "left out: one.arff" in ended.err and "1 of 3 data sets could not be evaluated: one.arff" in ended.err
    assert "wine" in ended.out and "(v/ /*)" in ended.out and "one.arff" not in ended.out
