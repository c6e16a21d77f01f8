"""How many data sets are measured, several at a time, and what an interruption leaves."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import wekaconf as wc
from wekaconf.replication.runner import run_sets

ARFF = Path(__file__).parents[1] / "arff"
COMMAND = Path(sys.executable).with_name("wekaconf")


def test_interrupt_leaves_what_is_finished(tmp_path):
    """Ctrl-C at a terminal reaches the workers too: exit code 130, nobody left, the finished set kept."""
    (tmp_path / "data").mkdir()
    shutil.copy(ARFF / "iris.arff", tmp_path / "data")
    shutil.copy(ARFF / "waveform-synthetic.arff", tmp_path / "data" / "waveform-5000.arff")
    command = [
        COMMAND,
        "replicate",
        "wang2006",
        "--data",
        "data",
        "--set",
        "iris",
        "--set",
        "waveform-5000",
        "--runs",
        "5",
        "--table",
        "3",
    ]
    running = subprocess.Popen(
        [*command, "-j", "2", "--resume", "done"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + 120
    while not (tmp_path / "done" / "wang2006-iris.json").exists():
        assert running.poll() is None and time.monotonic() < end
        time.sleep(0.02)
    time.sleep(0.5)  # one worker is idle now, the other at work
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, b"")
    assert err.decode().strip().splitlines() == [
        "what is finished is in done; run the same command again to go on",
        "interrupted; nothing half-written is left",
    ]
    assert os.listdir(tmp_path / "done") == ["wang2006-iris.json"]
    while time.monotonic() < end:
        try:
            os.killpg(running.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a worker outlives the command")


# -- several processes ---------------------------------------------------------------------------------------------


@pytest.fixture
def three_sets(tmp_path):
    """Files of growing size."""
    for i, name in enumerate("abc"):
        (tmp_path / name).write_text("x" * i)
    return {name: str(tmp_path / name) for name in "abc"}


def test_one_process_or_two(jvm, three_sets):
    """The same records in the same order, notes passed on, and a failure that stops nobody."""

    def measure(name, path):
        import warnings

        if name == "b":
            raise wc.OptionError("b is bad")
        warnings.warn(wc.Note(f"about {name}"), stacklevel=1)
        return [{"dataset": name, "path": path, "i": i, "pid": os.getpid()} for i in range(2)]

    for jobs in (1, 2):
        steps = []
        with pytest.warns(wc.Note) as told:
            records, failed = run_sets(
                "p",
                measure,
                three_sets,
                parameters={},
                jobs=jobs,
                on_progress=steps.append,
            )
        assert [(r["dataset"], r["path"], r["i"]) for r in records] == [
            (name, three_sets[name], i) for name in "ac" for i in range(2)
        ]
        assert failed == {"b": "b is bad"}
        assert [(step.n_done, step.n_sets) for step in steps] == [(0, 3), (1, 3), (2, 3), (3, 3)]
        assert [len(step.running) for step in steps] == [min(jobs, left) for left in (3, 2, 1, 0)]
        assert steps[0].running[0] == "c" and steps[0].share == 0 and steps[-1].share == 1
        if jobs == 1:
            assert [step.running for step in steps] == [("c",), ("b",), ("a",), ()]
            assert [step.share for step in steps] == pytest.approx([0, 2 / 3, 1, 1])
        assert sorted(str(w.message) for w in told) == ["about a", "about c"]
        assert all((r["pid"] == os.getpid()) == (jobs == 1) for r in records)


def test_worker_that_dies(jvm, three_sets):
    def measure(name, path):
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(
        wc.BridgeError, match="one of 2 worker processes died, perhaps for lack of memory; use fewer jobs"
    ):
        run_sets("p", measure, three_sets, parameters={}, jobs=2)


def test_workers_have_the_heap_of_their_parent(three_sets):
    code = f"""
import wekaconf as wc
from wekaconf.replication.runner import run_sets
wc.configure(max_heap="200m")
heap = lambda name, path: [int(wc.about()["max_heap_bytes"]) >> 20]
print(run_sets("p", heap, {three_sets}, parameters={{}}, jobs=2)[0])
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stderr
    heaps = json.loads(ended.stdout)
    assert len(heaps) == 3 and all(150 <= heap <= 200 for heap in heaps)
