"""Outputs of the command line that cannot be written, or nobody reads."""

import os
import resource
import subprocess
import sys

import pytest
from support.command_line import BUFFERED, COMMAND, HEADER, IRIS, ROWS, WAVEFORM, WINE, arff, process


@pytest.mark.parametrize(
    "command",
    [["predict", "-t", IRIS, "-T", IRIS, "-d"], ["weka", "folds", IRIS, "-o"]],
    ids=lambda command: f"{command[0]} {command[-1]}",
)  # fmt: skip
def test_output_that_cannot_be_written(refused, run, tmp_path, command):
    """Told before the work where possible, else after it, in one sentence that names the place."""
    (tmp_path / "file").write_text("x")
    for target, said in {
        "no/such/file": "there is no folder '", ".": "is a folder; name a file in it",
        "file/below": "there is no folder '", "sub/": "names a folder, and there is none of that name",
    }.items():  # fmt: skip
        assert f"{target}: {said}" in refused(*command, target)
    assert run(*command, "/dev/full").err.splitlines()[-1].endswith(": No space left on device")
    if not os.access("/sys", os.W_OK):
        assert "/sys/out: " in refused(*command, "/sys/out")
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize(
    "command",
    ["tree file -o p.png", "evaluate file --risk-coverage p.png", "evaluate file --calibration p.png",
     "compare file --cd-diagram p.png", "plot boundary file -o p.png",
     "evaluate file --roc p.png"],
)  # fmt: skip
def test_a_picture_that_cannot_be_drawn_is_refused_before_the_data_are_read(refused, tmp_path, monkeypatch, command):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (tmp_path / "file").write_text("neither data nor a model")
    assert refused(*command.split()).startswith("a figure needs matplotlib, which is not installed")


@pytest.mark.parametrize("command", ["evaluate file --per-fold p.parquet", "predict file file -o p.parquet"])
def test_a_table_that_cannot_be_written_is_refused_before_the_data_are_read(refused, tmp_path, monkeypatch, command):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "file").write_text("neither data nor a model")
    said = refused(*command.split())
    assert said == "Parquet needs pyarrow, which is not installed; pip install 'wekaconf[tables]'"


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="needs a real user beside the effective one")
def test_output_that_the_user_may_not_write(refused, tmp_path):
    users = os.getresuid()
    tmp_path.chmod(0o500)
    if 0 in users:  # whom no permissions bind
        os.setresuid(54321, -1, -1)
    try:
        assert refused("weka", "folds", IRIS, "-o", "f.csv") == "-o f.csv: may not be written; choose another place"
    finally:
        os.setresuid(*users)
        tmp_path.chmod(0o700)


def test_full_disk_behind_standard_output():
    with open("/dev/full", "w") as full:
        ended = process("weka", "folds", IRIS, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert ended.returncode == 1
    assert ended.stderr == "error: the output: No space left on device\n"


WRITING = pytest.mark.parametrize(
    ("command", "option"),
    [
        (["evaluate", IRIS], "--records"),
        (["evaluate", IRIS, "--json"], "--records"),
        (["compare", IRIS, "--method", "leaf_frequency", "--method", "curtailment"], "--per-fold"),
    ],
    ids=str,
)


@WRITING
@pytest.mark.drawn(1)
def test_files_are_written_before_the_table_is_printed(command, option, tmp_path):
    """Nothing that nobody reads costs the file of somebody who has waited."""
    with open("/dev/full", "w") as full:
        ended = process(*command, "-x", "2", "--learner", "CART", option, tmp_path / "r.csv", capture_output=False,
                        stdout=full, stderr=subprocess.PIPE, env=BUFFERED | {"PYTHONUNBUFFERED": "1"})  # fmt: skip
    assert (ended.returncode, ended.stderr) == (1, "error: the output: No space left on device\n")
    assert (tmp_path / "r.csv").read_text().splitlines()[1].startswith("iris,")


@WRITING
@pytest.mark.drawn(2)
def test_the_table_is_printed_where_a_file_cannot_be_written(run, command, option):
    whole = run(*command, "-x", "2", "--learner", "CART")
    ended = run(*command, "-x", "2", "--learner", "CART", option, "/dev/full")
    assert (ended.code, ended.out) == (1, whole.out) and ended.err.endswith(": No space left on device\n")


@pytest.mark.parametrize("ending", [".xlsx", ".parquet", ".csv.gz"])
@pytest.mark.drawn(1)
def test_full_disk_behind_packed_answers(tmp_path, ending):
    """What packs them says nothing of its own, now or when the process ends."""
    (tmp_path / f"answers{ending}").symlink_to("/dev/full")
    ended = process("predict", "-t", IRIS, "-T", IRIS, "-o", f"answers{ending}", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (1, "error: the output: No space left on device\n")


def test_full_disk_leaves_the_old_file(tmp_path):
    (tmp_path / "folds.csv").write_text("old")
    limit = 4096
    ended = process(
        "weka", "folds", WINE, "-o", "folds.csv", cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)),
    )  # fmt: skip
    assert ended.returncode == 1
    assert "File too large" in ended.stderr.splitlines()[-1]
    assert (tmp_path / "folds.csv").read_text() == "old"
    assert os.listdir(tmp_path) == ["folds.csv"]


@pytest.mark.parametrize(
    "command",
    [["weka", "folds", WAVEFORM], ["predict", "-t", IRIS, "-T", IRIS], ["evaluate", IRIS, "--json"]],
    ids=lambda command: f"{command[0]} {command[-1]}",
)
def test_reader_that_leaves(command):
    writer = subprocess.Popen([COMMAND, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=BUFFERED)
    writer.stdout.close()
    assert writer.wait(60) == 0
    assert writer.stderr.read() == b""
    writer.stderr.close()


def test_no_output_takes_the_place_of_a_file_of_the_same_call(good, refused, tmp_path):
    arff(tmp_path / "own.arff", HEADER + ROWS)
    for ending in ("arff", "csv"):
        (tmp_path / f"link.{ending}").symlink_to("own.arff")
    for arguments, said in (
        (("predict", "-t", "own.arff", "-T", IRIS, "-o", "link.arff"), "-o link.arff would overwrite -t"),
        (("predict", "-t", IRIS, "-T", IRIS, "-o", "new", "-d", "./new"), "-d ./new would overwrite -o"),
        (("evaluate", IRIS, "own.arff", "--records", "link.csv"), "--records link.csv would overwrite the data"),
        (("evaluate", IRIS, "--records", "new", "--records", "b.csv", "--per-fold", "b.csv"),
         "--per-fold b.csv would overwrite --records"),
        (("weka", "folds", "own.arff", "-o", "link.csv"), "-o link.csv would overwrite the data"),
    ):  # fmt: skip
        assert refused(*arguments, codes=(2,)) == f"{said}; give it another name"
    good("predict", "-t", IRIS, "-T", IRIS, "-o", "/dev/null", "-d", "/dev/null", "--learner", "CART")
    assert (tmp_path / "own.arff").read_text() == HEADER + ROWS
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("predict", "-t", IRIS, "-T", IRIS, "-o", "x.xls"),
         "-o x.xls: expected a name that ends in .csv, .csv.gz, .tsv, .tsv.gz, .arff, .arff.gz, .json, .parquet or "
         ".xlsx, got '.xls'"),
        (("compare", IRIS, "--per-fold", "x.svg"), ", got '.svg'; --cd-diagram writes that"),
        (("evaluate", "--rejecting", IRIS, "--risk-coverage", "x.JSON"),
         "or .csv, got '.json'; --records and --per-fold write that"),
    ],
)  # fmt: skip
def test_a_name_that_promises_another_format(refused, tmp_path, arguments, message):
    assert message in refused(*arguments)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_file_needs_no_ending(tmp_path):
    os.mkfifo(tmp_path / "pipe.xlsx")
    reader = os.open(tmp_path / "pipe.xlsx", os.O_RDONLY | os.O_NONBLOCK)
    assert process("weka", "folds", IRIS, "-x", "2", "-o", tmp_path / "pipe.xlsx").returncode == 0
    assert os.read(reader, 20) == b"fold,set,position,in"
    os.close(reader)
