"""The bar that the command line shows, what it says and when; interruptions."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from datetime import datetime

import pytest
from support.command_line import ARFF, BUFFERED, COMMAND, IRIS, WAVEFORM, WINE, arff
from support.kept_pieces import n_pieces
from support.processes import wait_until
from support.terminals import on_a_terminal, without_escapes

import wekaconf as wc
from wekaconf.cli import command
from wekaconf.cli.progress import ProgressBar, _shown, in_words


def read_until(descriptor, wanted):
    text = b""
    end = time.monotonic() + 60
    while wanted not in text:
        assert time.monotonic() < end, text
        if select.select([descriptor], [], [], 1)[0]:
            text += os.read(descriptor, 4096)
    return text


def interrupted_at(wanted, command, folder):
    """Interrupts a command, which must end as it says, when it shows something; how many seconds that took."""
    controller, terminal = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    running = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=terminal, env=environment)
    began = time.monotonic()
    read_until(controller, wanted)
    seconds = time.monotonic() - began
    running.send_signal(signal.SIGINT)
    read_until(controller, b"interrupted; nothing half-written is left")
    assert running.wait(120) == 130
    assert running.stdout.read() == b""
    running.stdout.close()
    os.close(controller)
    os.close(terminal)
    return seconds


def test_progress_bar_and_interrupt_during_evaluate(tmp_path):
    """After two seconds a bar appears on standard error; Ctrl-C leaves the old files."""
    (tmp_path / "r.csv").write_text("old")
    command = [COMMAND, "evaluate", WAVEFORM, "--runs", "100000", "--records", "r.csv", "--records", "r.json"]
    assert interrupted_at(b"waveform-synthetic", command, tmp_path) > 2
    assert (tmp_path / "r.csv").read_text() == "old"
    assert os.listdir(tmp_path) == ["r.csv"]


def test_no_bar_where_nobody_looks_or_wants_it():
    controller, terminal = pty.openpty()
    command = [COMMAND, "evaluate", WAVEFORM, "--runs", "100000"]
    unwatched = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    quiet = subprocess.Popen([*command, "-q"], stdout=subprocess.PIPE, stderr=terminal)
    time.sleep(4)
    for running in (unwatched, quiet):
        running.send_signal(signal.SIGINT)
    told = [unwatched.communicate(timeout=120)[1], read_until(controller, b"left")]
    assert [text.decode().strip() for text in told] == ["interrupted; nothing half-written is left"] * 2
    quiet.communicate(timeout=120)
    os.close(controller)
    os.close(terminal)


def test_interrupted_evaluation_goes_on(good, run, tmp_path):
    """Answers are kept while the work is done; after Ctrl-C the same command computes the rest only."""
    arguments = ("evaluate", ARFF / "credit-g.arff", "-x", 40, "--method", "confdtree", "--method", "leaf_frequency")
    running = subprocess.Popen(
        [COMMAND, *map(str, arguments), "--store", "done"], cwd=tmp_path, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=BUFFERED, text=True,
    )  # fmt: skip
    wait_until(lambda: running.poll() is not None or n_pieces(tmp_path / "done"))
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert [line for line in err.splitlines() if line] == [
        "what is finished is in done; run the same command again to go on",
        "interrupted; nothing half-written is left",
    ]
    again = run(*arguments, "--store", "done")
    [there] = re.findall(r"^note: credit-g: (\d+) of 2000 answers are taken from done$", again.err, re.MULTILINE)
    assert 0 < int(there) < 2000 and int(there) % 2 == 0
    assert again.out == good(*arguments)
    third = run(*arguments, "--store", "done")
    assert third.err == "note: credit-g: 2000 of 2000 answers are taken from done\n"
    assert third.out == again.out
    assert n_pieces(tmp_path / "done") == 80


TELLING = """
import sys, time
import numpy as np
import wekaconf.model.scheme
from wekaconf.cli import run
from wekaconf.methods.contract._leaves_one_out import LeavesOneOut
from wekaconf.methods.contract._method import Method

class Telling(Method.registry["leaf_frequency"], LeavesOneOut, name="telling"):
    n_kept = 150

    def _answer(self, data):
        if len(data) > 1:
            self.on_progress(len(data) // 2, len(data))
            time.sleep(60)
        return super()._answer(data)

    def _leave_one_out(self, rows):
        self.on_progress(len(rows) // 2, len(rows))
        time.sleep(60)

run()
"""


@pytest.mark.parametrize(
    "arguments",
    [["evaluate", IRIS, "-x", "loo"], ["predict", "-t", IRIS, "-T", IRIS, "-o", "p.csv"]],
    ids=["leave one out", "predict"],
)
def test_progress_bar_follows_a_method_that_tells(tmp_path, arguments):
    command = [sys.executable, "-c", TELLING, *map(str, arguments), "--method", "telling"]
    interrupted_at(b"50%", command, tmp_path)


def test_interrupt_while_predictions_are_written(tmp_path):
    """The signal comes when the temporary file has appeared."""
    names = [f"class{i}" for i in range(200)]
    header = f"@relation r\n@attribute x numeric\n@attribute class {{{','.join(names)}}}\n@data\n"
    arff(tmp_path / "train.arff", header + "".join(f"{i},{name}\n" for i, name in enumerate(names)))
    arff(tmp_path / "test.arff", header + "1,?\n" * 20_000)
    (tmp_path / "out").mkdir()
    out = arff(tmp_path / "out" / "p.csv", "old")
    command = [COMMAND, "predict", "-t", "train.arff", "-T", "test.arff", "-o", out]
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while running.poll() is None and len(os.listdir(out.parent)) == 1:
        time.sleep(0.001)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert (running.returncode, told.decode().strip()) == (130, "interrupted; nothing half-written is left")
    assert out.read_text() == "old"
    assert os.listdir(out.parent) == [out.name]


@pytest.fixture
def shown(monkeypatch):
    """What progress bars are told, with the share that is done; they show it as usual."""
    told, tell = [], ProgressBar.tell

    def tell_and_keep(self, text, share):
        told.append((text, share))
        tell(self, text, share)

    monkeypatch.setattr(ProgressBar, "tell", tell_and_keep)
    return told


@pytest.fixture
def study(write):
    return write(
        f'data = ["{IRIS}", "{WINE}"]\nmethods = ["leaf_frequency"]\nlearners = ["CART"]\nfolds = 2\n', "study.toml"
    )


def test_a_study_and_its_report_show_how_far_they_are(good, shown, study):
    good("study", "run", study, "--store", "s")
    assert shown[-1][1] == 1 and [share for _, share in shown] == sorted(share for _, share in shown)
    assert {"iris", "wine"} <= {name for text, _ in shown for name in re.findall(r"\w+", text)}
    shown.clear()
    good("study", "report", "--store", "s", "-o", "report.html")
    assert shown == [("0/2 results: iris", 0), ("1/2 results: wine", 0.5)]


def test_an_evaluation_shows_which_of_several_sets_it_measures(run, monkeypatch):
    """One that fails is done, too."""
    told = []
    monkeypatch.setattr(ProgressBar, "tell", lambda bar, text, share: told.append((bar._label, text, share)))
    for sets, texts in (
        ([IRIS], {("iris", "")}), ([IRIS, WINE], {("", "0/2 sets: iris"), ("", "1/2 sets: wine")}),
        (["absent.arff", WINE], {("", "0/2 sets: wine"), ("", "1/2 sets")}),
    ):  # fmt: skip
        told.clear()
        run("evaluate", *sets, "--learner", "CART", "-x", "2")
        assert texts <= {(label, text) for label, text, _ in told} and told[-1][2] == 1
        assert {label for label, *_ in told} == {label for label, _ in texts}


def test_what_may_last_has_a_bar_with_the_name_of_its_data(good, monkeypatch):
    bars, follow = [], ProgressBar.follow

    class Bar(ProgressBar):
        def __init__(self, label, *, hidden):
            super().__init__(label, hidden=hidden)
            bars.append((label, hidden))

        def follow(self, done, total):
            bars.append("follows")
            follow(self, done, total)

    monkeypatch.setattr(command, "ProgressBar", Bar)
    wc.load_arff(IRIS).to_pandas().to_parquet("iris.parquet")
    for words, seen in (
        (("fit", IRIS, "--learner", "CART", "-d", "m.wct", "-q"), [("iris", True)]),
        (("predict", "m.wct", "iris.parquet", "-o", "a.csv"), [("iris", False), "follows"]),
        (("explain", "m.wct", IRIS, "--row", "1"), [("iris", False)]),
        (("tree", IRIS, "--learner", "CART"), [("iris", False)]),
        (("weka", "folds", IRIS, "-x", "2"), [("iris", False)]),
        (("advise", IRIS, "--learner", "CART", "-x", "2", "--budget", "0.001s"), [("iris", False), "follows"]),
    ):
        bars.clear()
        good(*words)
        assert bars[: len(seen)] == seen and set(bars) == set(seen)


@pytest.mark.parametrize(
    ("options", "seconds", "n_lines"), [(["-x", "loo"], 60, 1), (["-x", "loo"], 59, 0), ([], 60, 0)]
)
def test_one_line_says_what_is_shorter_than_leaving_out_each_instance(run, monkeypatch, options, seconds, n_lines):
    monkeypatch.setattr(ProgressBar, "seconds_left", seconds)
    said = run("evaluate", IRIS, WINE, "--learner", "CART prune=none", *options).err
    assert said == "leaving out each instance takes long; shorter with -x 5\n" * n_lines


# -- what the bar says, and when ---------------------------------------------------------------------------------------


SHOW = """
from types import SimpleNamespace
from wekaconf.cli import progress
now = 0.0
progress.time = SimpleNamespace(monotonic=lambda: now)
progress.APPEARS_AFTER_SECONDS = 0.0
with progress.ProgressBar("wang2006") as bar:
    bar._timer.join()
    bar.tell("0/3 sets: [red]zoo", 0.0)
    bar._bar.refresh()
    now = 0.5
    bar.tell("1/3 sets: iris", 0.02)
    bar._bar.refresh()
"""


def test_bar_says_what_is_done_how_much_and_how_long_it_takes():
    command = [sys.executable, "-c", SHOW]
    shown, _ = on_a_terminal(command, os.environ | {"TERM": "xterm", "COLUMNS": "80"})
    frames = [" ".join(frame.split()) for frame in re.split(r"\r|\n", without_escapes(shown))]
    assert any(re.fullmatch(r"wang2006 0/3 sets: \[red\]zoo \S{20} 0%", frame) for frame in frames)
    assert any(re.fullmatch(r"wang2006 1/3 sets: iris \S+(?: \S+)? 2% about 24 s left", frame) for frame in frames)


def test_time_left_follows_from_what_was_done_since_the_first_word(monkeypatch):
    """What is there at the start, because it was kept, counts for nothing."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    bar = ProgressBar("x")
    bar.tell("", 0.5)
    now[0] += 10
    assert str(bar._time_left()) == ""
    bar.tell("", 0.6)
    assert str(bar._time_left()) == "about 40 s left"
    now[0] += 15
    assert str(bar._time_left()) == "about 25 s left"
    now[0] += 60
    assert str(bar._time_left()) == "about 0 s left"


def test_what_takes_minutes_ends_at_a_time_of_the_day(monkeypatch):
    now, day = [100.0], 1e9
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.time", lambda: day)
    bar = ProgressBar("x")
    bar.tell("", 0.0)
    now[0] += 10
    bar.tell("", 0.1)
    assert str(bar._time_left()) == f"about 2 min left, until {datetime.fromtimestamp(day + 90):%H:%M}"
    now[0] += 1
    assert (str(bar._time_left()), bar.seconds_left) == ("about 89 s left", 0)
    bar._bar = "is shown"
    assert bar.seconds_left == 89
    now[0] += 100
    assert bar.seconds_left == 0


@pytest.mark.parametrize(("told", "shown"), [([], (0, None)), ([0.25, 0.5], (0.5, 1))])
def test_a_bar_that_appears_shows_what_it_was_told_before(told, shown):
    with ProgressBar("x") as bar:
        for share in told:
            bar.tell("", share)
        bar._show()
        [task] = bar._bar.tasks
        assert (task.completed, task.total) == shown
    assert not _shown


@pytest.mark.parametrize(("label", "text"), [("iris", ""), ("", "iris")])
def test_a_bar_says_no_more_than_it_was_told(label, text):
    bar = ProgressBar(label)
    bar.tell(text, 0)
    assert bar._description == "iris"


def test_bar_never_goes_back():
    bar = ProgressBar("x")
    for done, share in ((1, 0.25), (3, 0.75), (2, 0.75), (4, 1.0)):
        bar.follow(done, 4)
        assert bar._share == share
    ProgressBar("nothing to do").follow(0, 0)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (89.6, "90 s"), (90, "2 min"), (3600, "60 min"), (5400, "1.5 h")]
)
def test_times_in_words(seconds, words):
    assert in_words(seconds) == words


def test_it_appears_after_two_seconds():
    assert ProgressBar("wang2006")._timer.interval == 2


def test_of_nested_bars_the_last_is_shown_and_the_others_wait():
    with ProgressBar("outer") as outer:
        outer._show()
        with ProgressBar("inner") as inner:
            inner._show()
            assert (outer._bar.live.is_started, inner._bar.live.is_started) == (False, True)
        assert (outer._bar.live.is_started, inner._bar.live.is_started) == (True, False)
    assert not outer._bar.live.is_started and outer._bar.live.transient, "the terminal is as before"
