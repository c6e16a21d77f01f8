"""``wekaconf compare``."""

import os
import shutil

import pytest
from support.command_line import ARFF

import wekaconf as wc

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
    typed = ("--metric", "brier", "--base", "m_branch", "--test", "wilcoxon:0.1", "--pooled")
    printed = good("compare", *sets, *FEW, "--runs", "2", *typed, "--std")
    assert printed == found.compare(**options).text(std=True)


def test_files_beside_the_table(good, sets, tmp_path):
    files = {"--cd-diagram": "ranks.svg", "--per-fold": "results.arff"}
    good("compare", *sets, *FEW, *(word for pair in files.items() for word in pair))
    assert "CD = " in (tmp_path / "ranks.svg").read_text()
    assert len(wc.load_arff(tmp_path / "results.arff")) == 2 * 2 * 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "m_branch"], "--method: expected at least two to compare"),
        (
            [*FEW, "--base", "confdtree"],
            "--base confdtree: expected one of the methods given: leaf_frequency, m_branch",
        ),
        ([*FEW, "--test", "paired:5"], "expected a level, more than 0 and less than 1, such as 0.05, got '5'"),
        ([*FEW, "--test", "t"], "expected one of corrected, paired, wilcoxon, got 't'"),
        ([*FEW, "--metric", "breir"], "did you mean 'brier'?"),
        ([*FEW, "-o", "table.pdf"], "expected a name that ends in .txt, .tex, .csv or .html, got '.pdf'"),
        ([*FEW, "--keep", "0.9"], "no such option"),
        ([*FEW, "--stratified"], "--stratified belongs to --split (folds are stratified anyway)"),
        ([*FEW, "--method", "m_branch"], "--method m_branch is given twice"),
    ],
)
def test_refused_before_the_work(run, sets, arguments, said):
    ended = run("compare", *sets, *arguments)
    assert ended.code != 0
    assert said in ended.err
    assert "Traceback" not in ended.err and ended.out == ""


@pytest.mark.parametrize(("named", "more", "said"), [
    (1, ("--cd-diagram", "ranks.pdf"), "--cd-diagram ranks.pdf: mean ranks need several data sets, got 1"),
    (0, ("--store", "s"), "DATA is missing: name files or folders"),
])  # fmt: skip
def test_too_few_sets(refused, sets, named, more, said):
    assert refused("compare", *sets[:named], *FEW, *more, codes=(1, 2)).endswith(said)


def test_a_set_that_fails_is_named_and_left_out(run, sets, write):
    write("@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n", "one.arff")
    ended = run("compare", *sets, "one.arff", *FEW)
    assert ended.code == 1
    assert "left out: one.arff" in ended.err and "1 of 3 data sets could not be evaluated: one.arff" in ended.err
    assert "wine" in ended.out and "(v/ /*)" in ended.out and "one.arff" not in ended.out
    for command in ("compare", "evaluate"):
        ended = run(command, "one.arff", "two.arff", *FEW, "--per-fold", "f.csv")
        last = ended.err.splitlines()[-1]
        assert last == "error: 2 of 2 data sets could not be evaluated: one.arff, two.arff"
        assert (ended.code, ended.out, os.path.exists("f.csv")) == (1, "", False)
    ended = run("evaluate", "one.arff", "two.arff", *FEW, "--records", "r.csv", "--predictions", "p.csv")
    assert ended.err.splitlines()[-1] == last and not any(map(os.path.exists, ("r.csv", "p.csv")))


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_format_goes_by_the_ending(good, sets, tmp_path):
    """What a store keeps is not measured again."""
    starts = {".tex": "% needs", ".csv": "data_set,", ".html": "<table", ".txt": "AUC ", "": "AUC "}
    for ending, start in starts.items():
        assert good("compare", *sets, *FEW, "--store", "s", "-o", f"out{ending}") == ""
        assert (tmp_path / f"out{ending}").read_text().startswith(start)
    with wc.Store("s") as store:
        assert store.evaluation().compare().text() == (tmp_path / "out.txt").read_text()
