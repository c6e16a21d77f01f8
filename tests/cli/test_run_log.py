"""The log of runs has a line per run, of successes, failures and interruptions."""

import hashlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from support.command_line import COMMAND, IRIS

import wekaconf as wc
from wekaconf.cli.console import ExitCode


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
