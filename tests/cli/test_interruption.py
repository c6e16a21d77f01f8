"""Signals: the command line ends soon, with one line, and leaves no half-written file, no worker and no traceback."""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
from support.command_line import ARFF, COMMAND, IRIS
from support.fresh_python import child
from support.processes import gone, group, started, wait_until

import wekaconf as wc
from wekaconf.base.files import atomic_write
from wekaconf.cli import interruption

pytestmark = [
    pytest.mark.jvm,
    pytest.mark.skipif(os.name == "nt", reason="sends signals to processes and their groups"),
]
GO_ON = "what is finished is in done; run the same command again to go on\n"
WORDS = "interrupted; nothing half-written is left"
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
SOON = 120
"""Seconds after which a process that was told to end counts as one that stays; a busy machine needs some."""
LONG = 600
"""Seconds that the work takes which nobody must wait for."""


def told(running, number):
    """What is said on standard error by a process that must end by that signal, with all of its group."""
    with gone(running):
        out, err = running.communicate(timeout=SOON)
        assert (running.returncode, out) == (128 + number, ""), err
    return err.strip()


def inside_java(running):
    """Whether there are the threads of a virtual machine."""
    return psutil.Process(running.pid).num_threads() > 10


@pytest.fixture(scope="module")
def long_data(tmp_path_factory):
    """A file on which a large forest takes minutes."""
    rng = np.random.default_rng(1)
    attributes = (*(wc.Attribute(f"x{i}") for i in range(30)), wc.Attribute("c", "nominal", ("a", "b")))
    x = rng.normal(size=(5_000, 30))
    path = tmp_path_factory.mktemp("long") / "long.arff"
    wc.save_arff(path, wc.Dataset(wc.Header("long", attributes, 30), np.column_stack((x, x[:, 0] > 0))))
    return path


# -- while the command line is imported ----------------------------------------------------------------------------

AT_AN_IMPORT = """
import os, sys
class Striking:
    def find_spec(self, name, *_):
        if name == os.environ.get("STRIKE_AT"):
            del os.environ["STRIKE_AT"]
            os.kill(os.getpid(), int(os.environ["STRIKE_WITH"]))
sys.meta_path.insert(0, Striking())
"""


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    "module",
    ["wekaconf.cli.commands", "numpy", "numpy.linalg", "click", "wekaconf.model.scheme", "wekaconf.methods", "scipy",
     "jpype", "jpype._jthread", "weka.core.jvm", "wekaconf.report.printing"],
)  # fmt: skip
@pytest.mark.drawn(6)
def test_signal_during_an_import(tmp_path, module, number):
    (tmp_path / "sitecustomize.py").write_text(AT_AN_IMPORT)
    place = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    command = [sys.executable, "-m", "wekaconf.cli", "evaluate", IRIS, "--method", "confdtree"]
    running = started(command, tmp_path, PYTHONPATH=place, STRIKE_AT=module, STRIKE_WITH=str(int(number)))
    assert told(running, number) == WORDS


def test_every_public_name_is_there():
    everything = {}
    exec("from wekaconf import *", everything)
    names = everything.keys() - {"__builtins__"}
    assert {"grow", "Dataset", "Note"} < names
    assert dir(wc) == sorted({*names, "__version__"})
    with pytest.raises(AttributeError, match="module 'wekaconf' has no attribute 'nothing'"):
        _ = wc.nothing


# -- inside Java ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "number", "to_group"),
    [
        (("evaluate", "-x", "2"), signal.SIGINT, True),
        (("evaluate", "-x", "2"), signal.SIGTERM, False),
        (("predict", "-t", "DATA", "-T", "-o", "p.csv"), signal.SIGTERM, False),
        (("evaluate", "--rejecting", "--keep", "0.9"), signal.SIGINT, True),
    ],
)
@pytest.mark.drawn(2)
def test_signal_inside_java(tmp_path, long_data, arguments, number, to_group):
    """One call of Java that takes minutes."""
    first, *rest = [long_data if part == "DATA" else part for part in arguments]
    before, after = (rest[:-2], rest[-2:]) if first == "predict" else ([], rest)
    options = ["--learner", "RandomForest -I 20000 -num-slots 2"]
    running = started([COMMAND, first, *before, long_data, *after, *options], tmp_path)
    wait_until(lambda: inside_java(running))
    time.sleep(2)
    (os.killpg if to_group else os.kill)(running.pid, number)
    assert told(running, number).removeprefix(GO_ON) == WORDS
    assert os.listdir(tmp_path) == []


METHOD = """
import signal, os, sys, time
from wekaconf.cli import run
import wekaconf as wc
from wekaconf.base.files import atomic_write
class Odd(wc.Method.registry["leaf_frequency"], name="odd"):
    def _answer(self, data):
        self.odd()
        return super()._answer(data)
"""
DEAF = f"""
    def odd(self):
        import jpype
        with atomic_write("half") as file:
            file.write("half")
            file.flush()
            jpype.JClass("java.lang.Thread").sleep({1000 * LONG})
"""
SLOW_TO_UNWIND = f"""
    def odd(self):
        try:
            print("ready", file=sys.stderr, flush=True)
            time.sleep({LONG})
        finally:
            print("unwinding", file=sys.stderr, flush=True)
            time.sleep({LONG})
"""
PATIENT = f"""
from wekaconf.cli import interruption
interruption.UNWINDING_SECONDS = {LONG}
"""
IN_A_DESTRUCTOR = f"""
    def odd(self):
        class Destroyed:
            def __del__(self):
                os.kill(os.getpid(), signal.Signals(NUMBER))
                time.sleep(1)
        Destroyed()
        time.sleep({LONG})
"""


def odd(folder, what):
    return started(
        [sys.executable, "-c", METHOD + what + "\nrun()", "predict", "-t", IRIS, "-T", IRIS, "--method", "odd"], folder
    )


@pytest.mark.parametrize("number", SIGNALS)
def test_no_half_written_file_stays_where_java_hears_nothing(tmp_path, number):
    running = odd(tmp_path, DEAF)
    wait_until(lambda: list(tmp_path.glob(".*.tmp")))
    running.send_signal(number)
    assert told(running, number) == WORDS
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_in_a_destructor(tmp_path, number):
    """Python would print a traceback there and go on."""
    running = odd(tmp_path, IN_A_DESTRUCTOR.replace("NUMBER", str(int(number))))
    wait_until(lambda: running.poll() is not None)
    assert told(running, number) == WORDS


def test_unwinding_that_lasts(tmp_path):
    """It is waited for, but not for ever."""
    running = odd(tmp_path, SLOW_TO_UNWIND)
    assert running.stderr.readline() == "ready\n"
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    assert told(running, signal.SIGINT) == f"unwinding\n{WORDS}"
    assert time.monotonic() - began > 4


def test_a_second_signal_ends_an_unwinding_at_once(tmp_path):
    running = odd(tmp_path, SLOW_TO_UNWIND + PATIENT)
    for word in ("ready\n", "unwinding\n"):
        assert running.stderr.readline() == word
        running.send_signal(signal.SIGINT)
    assert told(running, signal.SIGINT) == WORDS


def test_ignored_signals_stay_ignored(tmp_path):
    """As a shell starts what runs in the background."""
    code = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    running = started([sys.executable, "-c", code, COMMAND, "evaluate", IRIS, "-q"], tmp_path)
    wait_until(lambda: "-c" not in psutil.Process(running.pid).cmdline())
    for _ in range(20):
        time.sleep(0.1)
        with suppress(ProcessLookupError):
            running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=SOON)
    assert (running.returncode, err) == (0, "")
    assert "leaf_frequency" in out


RUNS_A_STUDY = """
import signal
from wekaconf.cli import interruption
from wekaconf.experiments.store._database import sole_run
interruption.listen()
with sole_run("s"):
    signal.raise_signal(signal.SIGTERM)
"""


def test_no_lock_stays_where_nothing_unwinds(tmp_path):
    running = started([sys.executable, "-c", RUNS_A_STUDY], tmp_path)
    assert told(running, signal.SIGTERM) == WORDS
    assert os.listdir(tmp_path) == []


# -- workers -------------------------------------------------------------------------------------------------------


@pytest.fixture
def replicating(tmp_path):
    """A replication on two processes that takes long, once it has so many children."""

    def begin(n_children):
        (tmp_path / "data").mkdir()
        for name in ("waveform-5000", "segment"):
            shutil.copy(ARFF / "waveform-synthetic.arff", tmp_path / "data" / f"{name}.arff")
        words = "study replicate wang2006 --data data -j 2 --store done --runs 100 --set waveform-5000 --set segment"
        running = started([COMMAND, *words.split()], tmp_path)
        wait_until(lambda: len(psutil.Process(running.pid).children()) >= n_children)
        return running

    return begin


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "to_group"), [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, True)]
)
@pytest.mark.parametrize(("n_children", "seconds"), [(1, 0), (4, 0.3), (4, 4)])
@pytest.mark.drawn(2)
def test_workers_go_too(replicating, n_children, seconds, number, to_group):
    """While they are started, while they import, and while they work."""
    running = replicating(n_children)
    time.sleep(seconds)
    (os.killpg if to_group else os.kill)(running.pid, number)
    assert told(running, number).removeprefix(GO_ON) == WORDS


@pytest.mark.parametrize(("n_children", "seconds"), [(3, 0), (4, 0), (4, 5)])
@pytest.mark.one_commit_in(3)
def test_workers_of_a_parent_that_was_killed(replicating, n_children, seconds):
    """Also while it starts them, when they wait for their first task."""
    running = replicating(n_children)
    time.sleep(seconds)
    running.kill()
    running.communicate()
    wait_until(lambda: not group(running))


IDLES = f"""
import functools, time
from wekaconf.experiments.workers._pool import Pool, Task, one_value
sleep = functools.partial(one_value, functools.partial(time.sleep, {LONG}))
list(Pool(2, uses_java=False).outcomes([Task("only", sleep)]))
"""


def test_a_worker_that_never_got_a_task_ends_with_its_parent(tmp_path):
    """One task for two workers, and a parent that is killed."""
    running = started([sys.executable, "-c", IDLES], tmp_path)
    with gone(running):
        wait_until(lambda: sum("LokyProcess" in " ".join(each.cmdline()) for each in group(running)) == 2)
        time.sleep(2)
        running.kill()


NO_WORKER_ENDS = """
import functools, os, psutil, signal, time
from wekaconf.experiments.workers._pool import Pool, Task, one_value
sleep = functools.partial(one_value, functools.partial(time.sleep, 0.1))
print(len(list(Pool(2, uses_java=False).outcomes([Task(i, sleep) for i in range(8)]))))
[os.kill(each.pid, signal.SIGSTOP) for each in psutil.Process().children() if "Loky" in " ".join(each.cmdline())]
"""


@pytest.mark.one_commit_in(3)
def test_workers_that_do_not_end_are_killed(tmp_path):
    """Such as one that waits for a lock, which another held when it was killed."""
    running = started([sys.executable, "-c", NO_WORKER_ENDS], tmp_path)
    with gone(running):
        assert running.communicate(timeout=SOON) == ("8\n", "")


PRINTS = """
import functools, os
from wekaconf.experiments.workers._pool import Pool, Task, one_value
echo = functools.partial(one_value, functools.partial(os.system, "echo words of a worker"))
tasks = [Task(i, echo) for i in range(2)]
print("done", [outcome.values[0] for outcome in Pool(2, uses_java=False).outcomes(tasks)])
"""


def test_words_of_workers_do_not_stand_among_the_results(tmp_path):
    """Such as those of a Java that dies."""
    out, err = started([sys.executable, "-c", PRINTS], tmp_path).communicate(timeout=SOON)
    assert (out, err) == ("done [0, 0]\n", "words of a worker\n" * 2)


# -- two processes on one store ------------------------------------------------------------------------------------


SWALLOWS = """
import signal
from wekaconf.cli import interruption
interruption.listen()
try:
    with interruption.interruptible():
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            pass
except interruption.Interrupted as error:
    print(error.exit_code)
"""


def test_an_interruption_that_something_swallowed_counts():
    assert child(SWALLOWS) == "130\n"


AFTER_THE_WORK = """
import signal
from contextlib import suppress
from wekaconf.cli import interruption
interruption.listen()
with suppress(ValueError), interruption.interruptible():
    {end}
try:
    signal.raise_signal(signal.SIGTERM)
except KeyboardInterrupt:
    print("unwound")
"""


@pytest.mark.parametrize("end", ["pass", "raise ValueError"])
def test_after_its_work_a_process_ends_at_once(tmp_path, end):
    running = started([sys.executable, "-c", AFTER_THE_WORK.format(end=end)], tmp_path)
    assert told(running, signal.SIGTERM) == WORDS


INSIDE_AN_EXEC = """
import signal, sys
from wekaconf.cli import interruption
interruption.listen()
try:
    with interruption.interruptible():
        exec("signal.raise_signal(signal.SIGHUP)")
except interruption.Interrupted as error:
    sys.exit(error.exit_code)
"""


def test_exit_code_of_a_module_that_was_interrupted_inside_an_exec(tmp_path):
    """As in the import of a dataclass, whose methods are such texts; Python itself would die of SIGINT."""
    (tmp_path / "module.py").write_text(INSIDE_AN_EXEC)
    assert subprocess.run([sys.executable, "-m", "module"], cwd=tmp_path, check=False).returncode == 129


LEAVES = f"""
import signal, sys, time
from joblib.externals.loky import get_reusable_executor
from wekaconf.cli import interruption
interruption.listen()
pool = get_reusable_executor(2)
pool.submit(time.sleep, 0.1).result()
pool.submit(time.sleep, {LONG})
print("works", flush=True)
signal.raise_signal(signal.SIGTERM)
"""


def test_workers_of_any_kind_are_ended(tmp_path):
    """Those of loky cannot be told to end as others are."""
    running = started([sys.executable, "-c", LEAVES], tmp_path)
    with gone(running):
        out, err = running.communicate(timeout=SOON)
        assert (running.returncode, out, err.splitlines()[0]) == (143, "works\n", WORDS)
        assert "Traceback" not in err  # loky's own tracker may say what it tidies up


# -- what is done at the end, one step at a time ----------------------------------------------------------------------


@pytest.fixture
def at_once(monkeypatch):
    """What would end this process raises SystemExit, with the code, and no signal has come before."""

    def leave(code):
        raise SystemExit(code)

    monkeypatch.setattr(os, "_exit", leave)
    for name, value in {"signal_number": 0, "is_printed": False, "store": None, "is_working": False}.items():
        monkeypatch.setattr(interruption._State, name, value)


@pytest.mark.parametrize("is_printed", [False, True])
def test_an_end_at_once_leaves_no_file_and_no_worker(at_once, monkeypatch, tmp_path, capfd, is_printed):
    worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    monkeypatch.setattr(multiprocessing, "active_children", lambda: [worker])
    monkeypatch.setattr(interruption._State, "is_printed", is_printed)
    with suppress(KeyError), atomic_write(str(tmp_path / "half")) as file:
        file.write("half")
        with pytest.raises(SystemExit, match="143"):
            interruption._end_process(signal.SIGTERM)
        assert os.listdir(tmp_path) == []
        raise KeyError
    assert worker.wait(10) == -signal.SIGKILL
    assert capfd.readouterr().err == ("" if is_printed else f"{WORDS}\n")


def test_the_first_signal_unwinds_and_the_second_ends_the_process(at_once, monkeypatch):
    monkeypatch.setattr(multiprocessing, "active_children", list)
    with pytest.raises(SystemExit, match="130"):  # nothing is under way
        interruption._handle(signal.SIGINT, None)
    monkeypatch.setattr(interruption._State, "is_working", True)
    with pytest.raises(KeyboardInterrupt):
        interruption._handle(signal.SIGTERM, None)
    assert interruption._State.signal_number == signal.SIGTERM
    with pytest.raises((SystemExit, KeyboardInterrupt), match="130"):
        interruption._handle(signal.SIGINT, None)


def test_errors_nobody_can_catch(at_once, monkeypatch, capfd):
    monkeypatch.setattr(multiprocessing, "active_children", list)
    monkeypatch.setattr(sys, "unraisablehook", interruption._handle_unraisable)

    class Destroyed:
        def __del__(self):
            raise ValueError("odd")

    Destroyed()
    assert "ValueError: odd" in capfd.readouterr().err
    of_thread = threading.ExceptHookArgs((ValueError, ValueError("odd"), None, threading.current_thread()))
    interruption._handle_thread_error(of_thread)
    assert "ValueError: odd" in capfd.readouterr().err
    with pytest.raises(SystemExit, match="130"):
        interruption._handle_unraisable(SimpleNamespace(exc_type=KeyboardInterrupt))
    interruption._State.signal_number = signal.SIGTERM
    with pytest.raises(SystemExit, match="143"):
        interruption._handle_unraisable(SimpleNamespace(exc_type=KeyboardInterrupt))
    capfd.readouterr()
    interruption._handle_thread_error(of_thread)
    assert capfd.readouterr().err == ""
