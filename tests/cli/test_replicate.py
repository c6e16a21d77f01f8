"""``wekaconf study replicate``: what it shows and writes for every paper, and what it refuses."""

import json
import os
import shutil
import sys
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path

import pytest
from support.csv_rows import rows_in

from wekaconf.cli.replicate import _print_at_end, replicate_command
from wekaconf.replication._study import Request
from wekaconf.replication.costa2013.measurement import METHODS
from wekaconf.replication.papers import PAPERS, study_of

pytestmark = pytest.mark.usefixtures("no_data_of_the_users")

ARFF = Path(__file__).parents[2] / "arff"
IRIS = ("study", "replicate", "costa2013", "--data", ARFF, "--set", "iris", "--table", "1", "--runs", 1)
OTHER_IRIS = "note: {}/iris.arff: expected iris with 150 instances, 5 attributes and 3 classes, got other values; "


def test_what_is_not_said_is_the_same_for_the_command_and_in_python():
    given = replicate_command.make_context("replicate", ["wang2006"]).params
    asked = vars(Request())
    same = ("sets", "reading", "runs", "seed", "quick", "jobs")
    assert {name: given[name] for name in same} == {name: asked[name] for name in same}
    assert given["store"] is asked["resume"] is None


@pytest.mark.usefixtures("compiled")
@pytest.mark.one_commit_in(3)
def test_command(run, tmp_path, monkeypatch):
    """What is printed is written too; a second call takes it from where the first left it."""
    code, out, err = run(*IRIS, "--store", "done", "-o", "out")
    assert code == 0
    place = tmp_path / "out" / "costa2013"
    assert err.splitlines() == [
        OTHER_IRIS.format(ARFF) + "the figures that we recorded are of another file",
        f"written: {os.path.join('out', 'costa2013')}",
    ]
    found = {row["method"]: row["brier"] for row in rows_in(place / "records.csv") if row["method"] in METHODS}
    [shown] = [line.split()[1:] for line in out.splitlines() if line.startswith("iris ")]
    assert shown == [f"{float(value):.4f}" for value in found.values() if value]
    assert " ".join(out.split()) == " ".join((place / "report.txt").read_text().split())
    assert json.loads((place / "environment.json").read_text())["command"][:3] == ["wekaconf", "study", "replicate"]
    assert run(*IRIS, "--store", "done", "-o", "again").out == out
    for file in ("records.csv", "cells.csv", "findings.txt", "beside.csv"):
        assert (tmp_path / "again" / "costa2013" / file).read_text() == (place / file).read_text()
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("WEKACONF_DATA", f"{empty}:{ARFF}")
    again = run("study", "replicate", "costa2013", "--set", "iris", "--table", 1, "--runs", 1, "--store", "done")
    assert again.out == out and "drawn" not in again.err


def test_a_figure_is_drawn_into_the_folder_that_is_named(good, run, tmp_path):
    planes = ("study", "replicate", "toth2006", "--set", "planes", "--runs", 1)
    good(*planes, "--figure", "8", "-o", "out")
    drawn = {path.name for path in (tmp_path / "out" / "toth2006").glob("figure*")}
    assert {f"figure-8-wave.{kind}" for kind in ("png", "pdf", "svg")} <= drawn
    assert "drawn if you name a folder with -o" in run(*planes, "--figure", "8").err


@pytest.mark.usefixtures("compiled")
def test_files_are_whole_though_nobody_reads_what_is_printed(run, tmp_path, monkeypatch):
    """``replicate … -o out | head -n 1``: the reader is gone before anything is printed."""

    @contextmanager
    def print_to_nobody():
        yield
        raise BrokenPipeError

    monkeypatch.setattr("wekaconf.cli.replicate._print_at_end", print_to_nobody)
    monkeypatch.setattr("wekaconf.cli.command.discard_stdout", lambda: None)
    assert run(*IRIS, "-o", "out").code == 0
    files = {path.name for path in (tmp_path / "out" / "costa2013").iterdir()}
    assert {"cells.csv", "records.csv", "findings.txt", "report.txt", "environment.json"} <= files


def test_what_cannot_be_measured_stops_no_other(run, tmp_path):
    """Told first which files are missing; the rest is shown; the exit code tells."""
    shutil.copy(ARFF / "iris.arff", tmp_path)
    (tmp_path / "vote.arff").write_text("nonsense")
    sets = [word for name in ("vote", "iris", "labor", "zoo") for word in ("--set", name)]
    code, out, err = run("study", "replicate", "wang2006", "--data", ".", *sets, "--runs", 1, "--table", 3, "-o", "out")
    assert code == 1
    told = err.splitlines()
    assert told[0] == "note: 2 data sets are not in '.' and left out: labor.arff, zoo.arff"
    assert "left out: vote: ./vote.arff:1:1: expected @relation and a name, got 'nonsense'" in told
    assert told[-1] == "error: 3 data sets could not be measured: labor, zoo, vote"
    assert "3 data sets left out." in out
    rows = rows_in(tmp_path / "out" / "wang2006" / "cells.csv")
    verdicts = {(row["row"], row["column"]): (row["verdict"], row["remark"]) for row in rows}
    assert len(verdicts) == 4 * 7
    assert verdicts["zoo", "C45"] == ("no data", "its data set was not measured")
    assert verdicts["iris", "C45"][0] != "no data"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wang2006"],
         "error: no data set at hand: expected anneal.arff, anneal.ORIG.arff, audiology.arff, autos.arff, "
         "balance-scale.arff and 30 others; name the folder that holds the ARFF files with --data or in WEKACONF_DATA, "
         "or fetch them, such as 'wekaconf fetch uci anneal'"),
        (["wang2006", "--data", "nowhere"],
         "error: there is no folder 'nowhere'; name the one that holds the ARFF files, such as anneal.arff"),
        (["wang2006", "--data", "empty", "--set", "iris", "--set", "zoo"],
         "error: no data set in 'empty': expected iris.arff, zoo.arff; name "),
        (["wang2006", "--data", ARFF, "--set", "sink"],
         "error: --set: no data set 'sink' in wang2006; did you mean 'sick'?"),
        (["wang2006", "--data", ARFF, "--table", "7"],
         "error: --table: no table 7 in wang2006; what is recomputed is table 1, table 2, table 3, table 4, figure 3"),
        (["wang2006", "--data", ARFF, "--reading", "literal"],
         "error: --reading: no reading 'literal' of wang2006; its readings are table, text, honest"),
        (["wang2006", "--data", ARFF, "-o", "file/out"], "error: file/out: Not a directory"),
        (["all", "--data", "nowhere"], "left out: katz2012: there is no folder 'nowhere'; name "),
    ],
    ids=["none", "folder", "empty", "set", "table", "reading", "output", "all papers"],
)  # fmt: skip
def test_refused_at_once(run, tmp_path, arguments, message):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    code, out, err = run("study", "replicate", *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(message)
    assert err.count("\n") == (1 if arguments[0] != "all" else len(PAPERS) + 1)
    if arguments[0] == "all":
        assert err.splitlines()[-1] == f"error: {', '.join(PAPERS)}: not all of it could be measured"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["all", "--table", "3"], "--table belongs to one paper; name it instead of 'all'"),
        (["wang2006", "-o", "file"], "'file' is a file"),
        (["wang2006", "--runs", "0"], "expected a whole number of at least 1, got '0'"),
    ],
)
def test_refused_as_usage(refused, tmp_path, arguments, said):
    (tmp_path / "file").write_text("")
    assert said in refused("study", "replicate", *arguments, codes=(2,))


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_all_papers_by_names_of_data_sets(run, tmp_path, uci, monkeypatch):
    """What CI runs: a part of every paper, one report, and nothing that could not be measured."""
    monkeypatch.setenv("WEKACONF_DATA", str(uci))
    code, out, err = run("study", "replicate", "all", "--quick", "-o", "out")
    written = [f"written: {os.path.join('out', paper)}" for paper in PAPERS]
    assert code == 0
    assert [line[: len(word)] for line, word in zip_longest(err.splitlines(), written, fillvalue="")] == written
    report = (tmp_path / "out" / "report.txt").read_text()
    assert report.count("Trial: only a part") == len(PAPERS)
    for paper in PAPERS:
        title = study_of(paper).title
        assert " ".join(title.split()) in " ".join(out.split()) and title in " ".join(report.split())
        assert {"cells.csv", "records.csv", "findings.txt"} <= {
            path.name for path in (tmp_path / "out" / paper).iterdir()
        }


def test_an_interruption_prints_no_half(capsys, monkeypatch):
    def interrupted():
        print("| a table |\n" * 10_000)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), _print_at_end():
        interrupted()
    assert capsys.readouterr().out == ""
    for is_terminal, at_once in ((False, ""), (True, "all of it\n")):
        with monkeypatch.context() as terminal:
            terminal.setattr(sys.stdout, "isatty", lambda answer=is_terminal: answer)
            with _print_at_end():
                print("all of it")
                shown = capsys.readouterr().out
        assert (shown, shown + capsys.readouterr().out) == (at_once, "all of it\n")


# -- summary and trial ---------------------------------------------------------------------------------------------


def test_a_summary_comes_first_and_the_figures_when_they_are_wanted(good):
    command = ("study", "replicate", "costa2013", "--data", ARFF, "--set", "iris", "--runs", 1, "-q")
    brief, whole = good(*command), good(*command, "-v")
    assert "TPCE  plain Laplace bagging" not in brief and "TPCE  plain Laplace bagging" in whole
    assert whole.index("Results") < whole.index("TPCE  plain Laplace bagging")
    lines = [line for line in brief.splitlines() if line]
    assert [line for line in whole.splitlines() if line in lines] == lines
    assert "TPCE  plain Laplace bagging" in good(*command, "--table", "1")


def test_a_trial_says_so_first_and_counts_what_it_computed(good):
    page = good("study", "replicate", "costa2013", "--data", ARFF, "--set", "iris", "--quick", "-q")
    assert page.startswith("Trial: only a part of the data sets")
    row = next(line.split() for line in page.splitlines() if line.startswith("all "))
    assert row[:6] == ["all", "0", "0", "0", "24", "0"]
