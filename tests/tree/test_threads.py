"""Many threads at once: one virtual machine, the answers of one thread alone, and a process that ends."""

import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from wekaconf.tree.threads import in_threads, n_threads, on_all_cores

TESTS = Path(__file__).parents[1]
THREADED = TESTS / "support" / "threaded.py"


def fresh(code, *arguments, expected=0, timeout=300, progress="", **environment):
    """What a fresh Python prints."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])} | environment
    done = subprocess.run(
        [sys.executable, *code, *arguments], env=env, capture_output=True, text=True, timeout=timeout, check=False
    )
    assert (done.returncode, done.stderr) == (expected, progress)
    return done.stdout


# -- parts of the work ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numba", "omp", "expected"),
    [("1", "7", 1), ("0", "7", 1), (" 3 ", "7", 3), ("", "7", 7), ("-2", "5", 5), ("many", "1", 1)],
)
def test_the_number_of_threads(monkeypatch, numba, omp, expected):
    monkeypatch.setenv("NUMBA_NUM_THREADS", numba)
    monkeypatch.setenv("OMP_NUM_THREADS", omp)
    assert n_threads() == expected


@pytest.mark.parametrize(("affinity", "cores", "expected"), [({0, 2, 5}, 8, 3), (None, 8, 8), (None, None, 1)])
def test_without_a_setting_there_are_as_many_threads_as_processors(monkeypatch, affinity, cores, expected):
    """Those that this process may use, where the system tells."""
    for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    if affinity is None:
        monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    else:
        monkeypatch.setattr(os, "sched_getaffinity", lambda process: affinity if process == 0 else None, raising=False)
    assert n_threads() == expected


@pytest.mark.parametrize(
    ("n_rows", "threads", "starts", "expected"),
    [
        (0, 4, None, [(0, 0)]),
        (19, 4, None, [(0, 19)]),
        (20, 4, None, [(0, 10), (10, 20)]),
        (39, 4, None, [(0, 13), (13, 26), (26, 39)]),
        (60, 1, None, [(0, 60)]),
        (60, 2, [0, 7, 29, 31, 50], [(0, 31), (31, 60)]),
        (60, 2, [0, 29], [(0, 60)]),
        (60, 3, [0, 20, 41], [(0, 20), (20, 41), (41, 60)]),
    ],
)
def test_the_parts_of_rows(monkeypatch, n_rows, threads, starts, expected):
    """At least ten rows in each, as many as there are threads, and none begins where it may not."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", str(threads))
    parts = []
    in_threads(lambda part: parts.append((part.start, part.stop)), n_rows, 10, starts and (lambda: np.array(starts)))
    assert sorted(parts) == expected


@pytest.mark.parametrize("threads", [1, 2])
def test_no_more_jobs_at_once_than_threads(monkeypatch, threads):
    monkeypatch.setenv("NUMBA_NUM_THREADS", str(threads))
    under_way, most, together = [], [], Barrier(threads)

    def job(i):
        under_way.append(i)
        if i < threads:
            together.wait(60)
        time.sleep(0.01)
        most.append(len(under_way))
        under_way.remove(i)
        return i * i

    counts = []
    assert on_all_cores([partial(job, i) for i in range(5)], counts.append) == [0, 1, 4, 9, 16]
    assert (max(most), counts) == (threads, [1, 2, 3, 4, 5])


# -- answers -------------------------------------------------------------------------------------------------------


@pytest.mark.jvm
@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_threads_answer_as_one_does():
    """Several threads grow, fold, filter, fit, explain and evaluate, each by itself and then on the same objects."""
    assert fresh([THREADED], "4001") == "[]\n[]\n"


def test_a_job_that_fails_ends_the_others(monkeypatch):
    monkeypatch.setattr("wekaconf.tree.threads.n_threads", lambda: 1)
    done = []

    def fail():
        raise ZeroDivisionError("no")

    def job():
        time.sleep(0.05)
        done.append(1)

    with pytest.raises(ZeroDivisionError, match="no"):
        on_all_cores([fail, *[job] * 40])
    assert len(done) < 20


@pytest.mark.one_commit_in(3)
def test_threads_compile_at_once(tmp_path):
    """No kernel is compiled yet, and all threads want the same ones."""
    said = fresh([THREADED], "6001", "leaf_frequency", "confdtree", "-info_gain", NUMBA_CACHE_DIR=str(tmp_path),
                 NUMBA_OPT="0", progress="wekaconf: compiling, once\n")  # fmt: skip
    assert said == "[]\n[]\n"


# -- starting and ending -------------------------------------------------------------------------------------------

BEGIN = """
import concurrent.futures, os, sys, threading
import wekaconf as wc
from support.small_data import small
from support.threaded import at_once
data = small(x=[1, 2, 3, 4] * 5, c=["a", "a", "b", "b"] * 5)
def n_nodes(_):
    try:
        return wc.grow(data).n_nodes
    except wc.WekaconfError as error:
        return f"{type(error).__name__} {error}"
"""
LONG = """
import numpy as np
rng = np.random.default_rng(1)
header = wc.Header("long", tuple(wc.Attribute(f"x{i}") for i in range(50)) + (data.attributes[1],), 50)
long = wc.Dataset(header, np.column_stack((rng.normal(size=(20_000, 50)), rng.integers(2, size=20_000))))
def growing(options):
    threading.Thread(target=wc.grow, args=(long, "RandomForest", options), daemon=True).start()
    threading.Event().wait(3)
"""
ENDINGS = {
    "one thread": "threading.Thread(target=n_nodes, args=(0,)).start()",
    "eight threads": "assert at_once(n_nodes) == [3] * 8",
    "started by a thread, used by all": "first = threading.Thread(target=wc.about); first.start(); first.join(); "
    "assert at_once(n_nodes) == [3] * 8",
    "a pool that nobody shut down": "pool = concurrent.futures.ThreadPoolExecutor(8); "
    "assert list(pool.map(n_nodes, range(16))) == [3] * 16",
    "a thread that has not ended": "at_once(n_nodes); "
    "threading.Thread(target=threading.Event().wait, daemon=True).start()",
    "a daemon inside Java": LONG + "growing('-I 1000')",
}


@pytest.mark.jvm
@pytest.mark.parametrize("what", ENDINGS)
@pytest.mark.drawn(3)
def test_a_process_with_threads_ends(what):
    """At once, and with its own exit code."""
    fresh(["-c", f"{BEGIN}\n{ENDINGS[what]}\nsys.exit(7)"], expected=7, timeout=40)


def test_all_threads_are_told_why_java_does_not_start(tmp_path):
    """And the next attempt, with what was wrong put right, succeeds."""
    for library in ("libjvm.so", "libjvm.dylib"):
        (tmp_path / "lib" / "server").mkdir(parents=True, exist_ok=True)
        (tmp_path / "lib" / "server" / library).write_text("not a library")
    code = f"""
from wekaconf.bridge._java import find_java
home = find_java()[0]
os.environ["WEKACONF_MAX_HEAP"] = "lots"
for told in at_once(n_nodes): print(told)
del os.environ["WEKACONF_MAX_HEAP"]
wc.configure(java_home={str(tmp_path)!r})
for told in at_once(n_nodes): print(told)
wc.configure(java_home=home)
print(at_once(n_nodes))
"""
    lines = fresh(["-c", BEGIN + code], timeout=60).splitlines()
    assert all(line.startswith("OptionError WEKACONF_MAX_HEAP: expected a size") for line in lines[:8])
    assert all(line.startswith("BridgeError no usable Java: argument (") for line in lines[8:16])
    assert lines[16:] == [str([3] * 8)]
