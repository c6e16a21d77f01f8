"""The bar for people who wait: what it says, and when."""

import os
import pty
import re
import subprocess
import sys

import pytest

from wekaconf.cli.progress import ProgressBar, in_words

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
    controller, terminal = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    subprocess.run([sys.executable, "-c", SHOW], stderr=terminal, env=environment, check=True)
    shown = os.read(controller, 100_000).decode()
    os.close(controller)
    os.close(terminal)
    frames = [" ".join(frame.split()) for frame in re.split(r"\r|\n", re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown))]
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
    assert not outer._bar.live.is_started
