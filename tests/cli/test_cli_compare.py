"""``wekaconf compare``."""

import shutil

import pytest
from support.command_line import ARFF
from support.csv_rows import rows_in

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
        ([*FEW, "--test", "paired:5"], "expected a number between 0 and 1, such as 0.05, got '5'"),
        ([*FEW, "--test", "t"], "expected one of corrected, paired, wilcoxon, got 't'"),
        ([*FEW, "--metric", "breir"], "did you mean 'brier'?"),
        ([*FEW, "-o", "table.pdf"], "expected a name that ends in .txt, .tex, .csv or .html, got '.pdf'"),
        ([*FEW, "--keep", "0.9"], "no such option"),
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


# -- of a store -------------------------------------------------------------------------------------------------------


@pytest.fixture
def stored(good, sets):
    """A store of two protocols, the second with a threshold."""
    good("evaluate", *sets, *FEW, "--store", "s")
    good("evaluate", "--rejecting", *sets, *FEW[2:], "--split", "0.5", "--keep", "0.9", "--store", "s")
    return "s"


def test_of_several_protocols_one_is_chosen(run, good, sets, stored, tmp_path):
    ended = run("compare", "--store", stored)
    assert (ended.code, ended.out) == (1, "")
    assert (
        "error: s: holds results of 2 protocols; choose one: --protocol 1 for '4-fold cross-validation, seed 1', "
        "--protocol 2 for 'split 0.5, seed 1; threshold: keep 90 % of the correct, chosen out of fold'"
    ) in ended.err
    assert good("compare", "--store", stored, "--protocol", "1") == good("compare", *sets, *FEW)
    file = ("--per-fold", "folds.csv")
    assert "split 0.5, seed 1" in good("compare", "--store", stored, "--protocol", "2", *file)
    way = "split 0.5, seed 1; threshold: keep 90 % of the correct, chosen out of fold"
    rows = rows_in(tmp_path / "folds.csv")
    assert len(rows) == 4 and {row["protocol"] for row in rows} == {way}


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
def test_format_goes_by_the_ending(good, sets, tmp_path):
    good("evaluate", *sets, *FEW, "--store", "s")
    starts = {".tex": "% needs", ".csv": "data_set,", ".html": "<table", ".txt": "AUC ", "": "AUC "}
    for ending, start in starts.items():
        assert good("compare", "--store", "s", "-o", f"out{ending}") == ""
        assert (tmp_path / f"out{ending}").read_text().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--store", "s", "--protocol", "3"], "--protocol: expected a number up to 2, of the protocols in s, got 3"),
        (["iris.arff", *FEW, "--protocol", "1"], "--protocol belongs to --store"),
        (["--store", "s", "--method", "confdtree"], "--method is for measuring, so it needs DATA beside --store"),
        (["iris.arff", *FEW, "--stratified"], "--stratified belongs to --split (folds are stratified anyway)"),
        (["iris.arff", *FEW, "--method", "m_branch"], "--method m_branch is given twice"),
    ],
)
def test_what_does_not_go_together_is_refused(run, stored, arguments, said):
    ended = run("compare", *arguments)
    assert ended.code != 0 and said in ended.err and ended.out == ""


def test_a_store_without_results_is_refused(refused):
    wc.Store("s").close()
    assert refused("compare", "--store", "s") == (
        "s: nothing is finished yet, so there is nothing to compare; run the study first"
    )


def test_what_a_store_lacks_is_said(run, sets, write, tmp_path):
    """A set that fails, and a method that a killed run has left."""
    write("@relation one\n@attribute x numeric\n@attribute y {a}\n@data\n1,a\n2,a\n", "one.arff")
    lines = ["learners = ['info_gain']", "folds = 4", f"data = {[*sets, 'one.arff']}"]
    (tmp_path / "t.toml").write_text("\n".join([*lines, "methods = ['leaf_frequency', 'm_branch']"]))
    run("study", "run", "t.toml", "--store", "s")
    (tmp_path / "t.toml").write_text("\n".join([*lines, "methods = ['leaf_frequency', 'm_branch', 'confdtree']"]))
    with wc.Store("s") as store:
        study = wc.read_study("t.toml")
        store.studies.keep(study.content(), store.studies.data_sets())
    ended = run("compare", "--store", "s")
    assert ended.code == 0 and "iris" in ended.out and "one" not in ended.out.split("\n\n")[1]
    assert "not finished: 3 evaluations to do, such as confdtree with info_gain on iris\n" in ended.err
    assert "2 evaluations failed and cannot be compared, such as leaf_frequency with info_gain on one: " in ended.err
