"""scripts/attack.py: a short run finds nothing, and faults that are planted are found and can be repeated."""

import re
import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path

import attack
import numpy as np
import pytest
from attacks import _file_reader, _methods, _model_reader, _reader, arff, parity
from click.testing import CliRunner
from support.random_trees import random_dataset, random_header, random_tree

import wekaconf as wc
from wekaconf.base.parameters import parameters
from wekaconf.methods.contract._method import Method
from wekaconf.tree._mirror import TreeMirror

pytestmark = pytest.mark.jvm


def attacked(*arguments):
    return CliRunner().invoke(attack.main, [*map(str, arguments)])


def repeated(result):
    """The run that the first fault's command asks for."""
    return attacked(*re.search(r"^  python scripts/attack\.py (.*)$", result.stdout, re.MULTILINE)[1].split())


def faults_of(result):
    return [line for line in result.stdout.splitlines() if line.startswith("FAULT")]


@pytest.mark.one_commit_in(3)
def test_a_short_run_finds_nothing(jvm):
    result = attacked("parity", "--seed", 1, "--draws", 40)
    assert result.exit_code == 0, result.output
    assert re.search(r"^parity from seed 1: 40 draws in \d+ s, 0 faults$", result.stdout, re.MULTILINE)
    tried = {line.split(":")[0].strip() for line in result.stdout.splitlines()[1:]}
    assert tried == {
        "files", "filters", "methods", "nodes", "refused", "rows", "slowest", "trees", "wrapped models",
        "wrapped models refused", "wrappers", "wrappers Weka refuses",
    }  # fmt: skip
    assert all(name in result.stdout for name in Method.registry)


@pytest.mark.one_commit_in(3)
def test_a_split_point_beside_weka_s_is_found(jvm, monkeypatch):
    mirror = parity.mirror

    def moved(*given):
        tree = mirror(*given)
        return replace(tree, split_point=np.nextafter(tree.split_point, np.inf)) if is_numeric(tree) else tree

    def is_numeric(tree):
        return isinstance(tree, TreeMirror) and not np.isnan(tree.split_point).all()

    monkeypatch.setattr(parity, "mirror", moved)
    result = attacked("parity", "--seed", 1, "--draws", 10)
    assert result.exit_code == 1
    assert re.search("^FAULT [^:]*: distributions by", result.stdout, re.MULTILINE)
    again = repeated(result)
    assert again.exit_code == 1
    assert faults_of(again)[0] == faults_of(result)[0]


def test_a_method_that_answers_nan_is_found(jvm, monkeypatch):
    curtailment = Method.registry["curtailment"]
    right = curtailment._answer

    def wrong(self, data):
        reply = right(self, data)
        reply.proba[-1] = np.nan
        return reply

    monkeypatch.setattr(curtailment, "_answer", wrong)
    result = attacked("parity", "--seed", 1, "--draws", 3)
    assert result.exit_code == 1
    assert any("curtailment" in fault and "is not a distribution: [nan" in fault for fault in faults_of(result))
    assert faults_of(repeated(result))[0] == faults_of(result)[0]


def test_an_exception_is_a_fault_and_the_next_draw_follows(jvm, monkeypatch):
    def draw(seed, tried):
        tried["numbers", "odd" if seed % 2 else "even"] += seed
        yield from ["found"] if seed == 4 else []
        raise ZeroDivisionError(f"by {seed}")

    monkeypatch.setattr(parity, "draw", draw)
    result = attacked("parity", "--seed", 3, "--draws", 2)
    first, command, second, again, third, last, total, numbers, slowest = result.stdout.splitlines()
    assert first.startswith("FAULT ZeroDivisionError: by 3 (") and third.startswith("FAULT ZeroDivisionError: by 4 (")
    assert command == "  python scripts/attack.py parity --seed 3 --draws 1"
    assert again == last == "  python scripts/attack.py parity --seed 4 --draws 1"
    assert second == "FAULT found"
    assert re.fullmatch(r"parity from seed 3: 2 draws in \d s, 3 faults", total)
    assert numbers == "  numbers: 7 (even 4, odd 3)"
    assert re.fullmatch(r"  slowest: 0\.\d s, seed [34]", slowest)


def test_unknown_attack():
    result = attacked("nothing")
    assert result.exit_code == 2
    assert "parity" in result.output


def test_every_parameter_of_every_method_is_drawn():
    declared = {name: set(parameters(method)) for name, method in Method.registry.items()}
    assert {name: set(values) for name, values in _methods.PARAMETERS.items()} == declared


@pytest.mark.one_commit_in(3)
def test_a_short_run_on_model_files_finds_nothing():
    result = attacked("models", "--seed", 1, "--draws", 300)
    assert result.exit_code == 0, result.output
    assert re.search(r"  verdicts: 300 \(answers \d+, refused \d+\)", result.stdout)


def test_a_short_run_on_files_of_weka_finds_nothing():
    result = attacked("weka_models", "--seed", 1, "--draws", 300)
    assert result.exit_code == 0, result.output
    assert re.search(r"  verdicts: 300 \(answers \d+, refused \d+\)", result.stdout)


DYING = """
import os, sys, time
for line in sys.stdin:
    text = open(line.strip()).read()
    open("left", "w").close() if text == "leave" else None
    os.abort() if text == "die" else time.sleep(60) if text == "hang" else print(text, flush=True)
"""


def test_a_process_that_dies_or_hangs_is_found_and_another_one_goes_on(tmp_path):
    script = tmp_path / "reader.py"
    script.write_text(DYING)
    reader = _reader.Reader(script)
    try:
        told = [
            reader.verdict(text.encode(), ".txt", 5)
            for text in ("answers", "die", "refused as it is", "hang", "leave", "answers")
        ]
    finally:
        reader.end()
    assert told == ["answers", "dies with code -6", "refused as it is", "hangs", "leaves the files left", "answers"]


@pytest.mark.parametrize(
    ("number", "fault"), [(np.nan, "not probabilities"), (-0.1, "not probabilities"), (0.9, "sums")]
)
def test_wrong_answers_of_a_model_are_found(monkeypatch, number, fault):
    rng = np.random.default_rng(1)
    train = random_dataset(rng, random_header(rng), 80)
    method = Method.registry["leaf_frequency"]().fit(random_tree(rng, train), train)
    assert list(_model_reader.asked(method, train)) == []
    right = type(method)._answer

    def wrong(self, data):
        reply = right(self, data)
        proba = reply.proba.copy()
        proba[-1, 0] = number
        return replace(reply, proba=proba)

    monkeypatch.setattr(type(method), "_answer", wrong)
    assert any(found.startswith(fault) for found in _model_reader.asked(method, train))


SHORT = {"arff": 3, "tables": 3, "studies": 6, "stores": 5}
"""Draws of each attack on what is read, some seconds together."""


@pytest.mark.parametrize("name", SHORT)
def test_a_short_run_on_files_finds_nothing(jvm, name):
    result = attacked(name, "--seed", 1, "--draws", SHORT[name])
    assert result.exit_code == 0, result.output
    kinds = {line.split(":")[0].strip() for line in result.stdout.splitlines()[1:]}
    assert kinds & {"files", "verdicts"}


class UnspokenError(wc.WekaconfError):
    def __str__(self):
        return "a\x1b[31mb"


def _raise(error):
    raise error


def _warn():
    warnings.warn_explicit("odd", RuntimeWarning, "/somewhere/wekaconf/data/arff.py", 1)
    return 0, ""


PLANTED = {
    "raises KeyError": lambda: _raise(KeyError("planted")),
    "says 7 characters": lambda: _raise(UnspokenError("x")),
    "memory": lambda: (0 * len(b"x" * 300_000_000), "much"),
    "warns RuntimeWarning": _warn,
    "wrong": lambda: _raise(_file_reader.WrongError("planted")),
    "refused WekaconfError: no": lambda: _raise(wc.WekaconfError("no")),
    "reads it": lambda: (0, "it"),
}


@pytest.mark.parametrize("found", PLANTED)
def test_what_a_reader_does_wrong_is_found(tmp_path, monkeypatch, found):
    path = tmp_path / "stranger.arff"
    path.write_text("@relation r")
    monkeypatch.setitem(_file_reader.READERS, "arff", lambda _path: PLANTED[found]())
    assert _file_reader.verdict(path).startswith(found)


def test_a_slow_reader_is_found(tmp_path, monkeypatch):
    path = tmp_path / "stranger.arff"
    path.write_text("@relation r\n@attribute a numeric\n@data\n1\n")
    assert _file_reader.verdict(path).startswith("reads ")
    monkeypatch.setattr(_file_reader, "MOST_SECONDS", -1.0)
    assert _file_reader.verdict(path).startswith("slow ")


def test_what_differs_from_weka_is_found(jvm):
    good = b"@relation r\n@attribute a numeric\n@data\n1\n"
    read = arff.READER.verdict(good, ".arff").partition(" ")[2]
    tried = Counter()
    assert arff.unlike_weka(good, "reads", read, tried) == ""
    assert arff.unlike_weka(good, "reads", read[::-1], tried).startswith("read, but by Weka: reads ")
    assert arff.unlike_weka(good + b"x\n", "reads", read, tried).startswith("read, but by Weka: refused ")
    assert arff.unlike_weka(good, "refused", "ArffError: a.arff:4: we do not like it", tried).startswith(
        "Weka reads it"
    )
    assert arff.unlike_weka(good + b"1,2\n", "refused", "ArffError: a.arff:5: expected 1 values, got 2; x", tried) == ""
    assert tried["refused by us alone", "extra values"] == 1


def test_guarantees_name_every_attack_that_tries_one():
    text = (Path(__file__).parents[2] / "docs" / "guarantees.md").read_text(encoding="utf-8")
    on_ourselves = {"faults", "mutants"}
    assert set(re.findall(r"scripts/attack\.py (\w+)`", text)) == set(attack.NAMES) - on_ourselves
