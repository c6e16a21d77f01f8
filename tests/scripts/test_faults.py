"""The attack of faults: a short run finds nothing, and faults that are planted are found."""

import csv
import re
import sys

import attack
import pytest
from attacks import _commands, _running, _strikes, faults
from click.testing import CliRunner

pytestmark = [
    pytest.mark.jvm,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at processes in /proc"),
]
PREDICT = next(i for i, command in enumerate(_commands.COMMANDS) if command.name == "predict -o")
EVALUATE = next(i for i, command in enumerate(_commands.COMMANDS) if command.name == "evaluate --store")


def attacked(monkeypatch, command, trouble, seed=1):
    """A run of one trouble of one command."""
    monkeypatch.setattr(faults, "TROUBLES", {trouble: 1.0})
    monkeypatch.setattr(faults, "COMMANDS", [_commands.COMMANDS[command]])
    monkeypatch.setattr(_strikes, "N_STRIKES", 2)
    result = CliRunner().invoke(attack.main, ["faults", "--seed", str(seed), "--draws", "1"])
    return result, [line for line in result.stdout.splitlines() if line.startswith("FAULT")]


@pytest.mark.parametrize(("command", "trouble"), [(EVALUATE, _strikes.killed), (PREDICT, faults.troubled)])
@pytest.mark.drawn(1)
@pytest.mark.one_commit_in(3)
def test_a_short_run_finds_nothing(compiled, monkeypatch, command, trouble):
    result, _ = attacked(monkeypatch, command, trouble)
    assert result.exit_code == 0, result.output
    name = _commands.COMMANDS[command].name
    assert re.search(rf"^  {name}: [12] \(", result.stdout, re.MULTILINE)


PLANTED = """
import os, subprocess, sys
from contextlib import contextmanager
from wekaconf.base import files
@contextmanager
def planted(path, mode="w"):
    with open(path, mode, **({} if "b" in mode else {"newline": ""})) as file:
        yield file
        HERE
files.atomic_write = planted
from wekaconf.cli import run
sys.argv[0] = "wekaconf"
run()
"""


@pytest.fixture
def plant(monkeypatch):
    """Has the attacked commands do something else while they write a file, where that belongs."""

    def planted(what):
        _commands.undisturbed.cache_clear()
        monkeypatch.setattr(_running, "START", (sys.executable, "-c", PLANTED.replace("HERE", what)))

    yield planted
    _commands.undisturbed.cache_clear()


@pytest.mark.one_commit_in(3)
def test_a_half_written_file_is_found(compiled, monkeypatch, plant):
    plant("file.flush(); [os.utime(path) for _ in range(300)]; file.write(b'end')")
    monkeypatch.setattr(_strikes, "AT_PARENT", (_strikes.Strike(_strikes.INT),))
    result, found = attacked(monkeypatch, PREDICT, _strikes.killed, seed=2)
    assert result.exit_code == 1, result.output
    assert "p.arff.gz is not as it should be" in found[0]


@pytest.mark.one_commit_in(3)
def test_a_process_that_stays_is_found(compiled, monkeypatch, plant):
    plant("subprocess.Popen(['sleep', '60'])")
    monkeypatch.setattr(_running, "SOON", 1.0)
    with _commands.furnished(_commands.COMMANDS[PREDICT]) as folder:
        with _commands.COMMANDS[PREDICT].start(folder) as running:
            assert (running.wait(), running.left()) == (0, ["sleep 60 "])
        assert running.left() == []


def test_what_was_tried_is_added_to_a_record(monkeypatch, tmp_path):
    def draw(seed, tried):
        tried["numbers", "odd" if seed % 2 else "even"] += 1
        yield from ()

    monkeypatch.setattr(faults, "draw", draw)
    for seed in (1, 2):
        arguments = ["faults", "--seed", str(seed), "--draws", "3", "--record", str(tmp_path / "tried.csv")]
        assert CliRunner().invoke(attack.main, arguments).exit_code == 0
    with (tmp_path / "tried.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [["what", "whose", "n"], ["numbers", "even", "3"], ["numbers", "odd", "3"]]
