"""The log of runs has a line per run, of successes, failures and interruptions."""

import hashlib
import json
import os
import signal
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest
from support.command_line import COMMAND, IRIS

import wekaconf as wc
from wekaconf.cli.console import ExitCode
from wekaconf.cli.run_log import log_run


@pytest.fixture
def model(tmp_path, monkeypatch, good):
    """A model that rejects some rows, in the current folder."""
    monkeypatch.chdir(tmp_path)
    good("fit", IRIS, "--learner", "CART", "--below", "0.97", "-d", "m.wct")
    return "m.wct"


def lines():
    return [json.loads(line) for line in Path("runs.jsonl").read_text(encoding="utf-8").splitlines()]


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def test_a_run_that_answers(model, good):
    good("predict", model, IRIS, "-o", "a.csv", "--log-json", "runs.jsonl")
    good("predict", model, IRIS, "--log-json", "runs.jsonl")
    first, second = lines()
    answer = wc.load(model).answer(wc.load_arff(IRIS))
    n_rejected = int(answer.is_rejected.sum())
    assert 0 < n_rejected < 150
    assert (first["rows"], first["answered"], first["rejected"]) == (150, 150 - n_rejected, n_rejected)
    assert (first["model"], first["model_sha256"]) == (model, digest(model))
    assert (first["data"], first["data_sha256"]) == (str(IRIS), digest(IRIS))
    assert (first["output"], second["output"]) == ("a.csv", None)
    assert (first["exit_code"], first["error"]) == (ExitCode.DONE, None)
    assert first["drift"]["is_like_training"] and first["seconds"] > 0
    same = ("model_sha256", "data_sha256", "rows", "answered", "rejected", "drift", "exit_code")
    assert [first[name] for name in same] == [second[name] for name in same]


def test_runs_that_fail(model, run, tmp_path):
    run("predict", model, "none.csv", "-o", "a.csv", "--log-json", "runs.jsonl")
    run("predict", model, IRIS, "-o", "a.csv", "--target-error", "0.1", "--log-json", "runs.jsonl")
    Path("empty.csv").write_text(",".join(wc.load_arff(IRIS).to_pandas().columns) + "\n")
    run("predict", model, "empty.csv", "-o", "a.csv", "--strict", "file", "--log-json", "runs.jsonl")
    missing, usage, empty = lines()
    assert (missing["exit_code"], missing["data_sha256"]) == (ExitCode.ERROR, None)
    assert missing["error"].startswith("none.csv: no such file") and "rows" not in missing
    assert usage["exit_code"] == ExitCode.USAGE and "without its training data" in usage["error"]
    assert (empty["exit_code"], empty["rows"], empty["error"]) == (ExitCode.UNLIKE_TRAINING, 0, None)


def run_that_ends_with(error):
    with log_run("runs.jsonl", model=None, data="-") as entry:
        entry["rows"] = 7
        raise error


def test_a_line_says_when_by_which_version_and_why(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for error, code, text in (
        (AssertionError(), 1, "AssertionError"), (wc.OptionError("zu groß"), 1, "zu groß"),
        (click.UsageError("Übrig."), 2, "übrig"), (click.exceptions.Exit(3), 3, None),
        (KeyboardInterrupt(), 128 + signal.SIGINT, "interrupted"),
    ):  # fmt: skip
        with pytest.raises(type(error)):
            run_that_ends_with(error)
        line = lines()[-1]
        assert (line["exit_code"], line["error"], line["rows"]) == (code, text, 7)
        assert "model" not in line and (line["data"], line["data_sha256"]) == ("-", None)
        moment = datetime.fromisoformat(line["time"])
        assert line["wekaconf"] == wc.__version__ and 0 <= (datetime.now(UTC) - moment).total_seconds() < 60
    assert "übrig" in Path("runs.jsonl").read_text(encoding="utf-8")


def test_a_stream_has_no_digest(model):
    text = wc.load_arff(IRIS).to_pandas().to_csv(index=False)
    command = [COMMAND, "predict", model, "-", "-o", "a.csv", "--log-json", "runs.jsonl"]
    subprocess.run(command, input=text, text=True, check=True)
    [line] = lines()
    assert (line["data"], line["data_sha256"], line["rows"]) == ("-", None, 150)


def test_a_run_that_is_interrupted(model):
    os.mkfifo("slow.csv")
    command = [COMMAND, "predict", model, "slow.csv", "-o", "a.csv", "--log-json", "runs.jsonl"]
    with subprocess.Popen(command) as process, open("slow.csv", "w", encoding="utf-8") as slow:
        slow.write(wc.load_arff(IRIS).to_pandas().to_csv(index=False))
        slow.flush()
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 128 + signal.SIGTERM
    [line] = lines()
    assert (line["exit_code"], line["error"]) == (128 + signal.SIGTERM, "interrupted")
    assert not Path("a.csv").exists()
