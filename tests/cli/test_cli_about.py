"""``wekaconf self about``, ``methods``, help and version."""

import os
import subprocess
import sys

import pytest
from support.command_line import ROOT, process

import wekaconf as wc


def test_about_tells_the_real_heap():
    ended = process("self", "about", env=os.environ | {"WEKACONF_MAX_HEAP": "300m"})
    assert ended.returncode == 0, ended.stderr
    facts = dict(line.split(maxsplit=1) for line in ended.stdout.splitlines())
    assert facts.keys() == {"wekaconf", "Python", "wrapper", "bridge", "Weka", "Java", "heap"}
    assert facts["Weka"].startswith("3.9.")
    assert ", from " in facts["Java"]
    assert 250 <= int(facts["heap"].split()[0]) <= 300


def test_methods(good):
    listed = good("list", "methods")
    for name, method in wc.available_methods().items():
        assert f"{name}\n    {method.__doc__.splitlines()[0][:60]}" in listed
        for key in wc.method(name).params:
            assert f"{key}=" in listed
    assert "Katz, Gilad" in listed
    assert "variant=comb" in listed
    assert max(map(len, listed.splitlines())) <= 100


LISTS = """
import inspect
import wekaconf.sklearn
from wekaconf.cli.commands import main
for words in (["methods"], ["methods", "confdtree"], ["learners"], ["learners", "CART"], ["-h"]):
    main(["list", *words], standalone_mode=False)
print(wekaconf.method("confdtree")._repr_html_())
print(inspect.getdoc(wekaconf.sklearn.ConfDTreeClassifier))
"""


def test_what_has_no_description_is_not_given_that_of_abc():
    """``python -OO`` removes the docstrings of all but the modules that are built in, such as abc."""
    command = [sys.executable, "-OO", "-c", LISTS]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    assert "Helper class" not in done.stdout and done.stderr == ""
    assert "\nconfdtree\n    Parameters: variant=comb" in done.stdout
    assert "\nconfdtree\n\nParameters\n    variant=comb" in done.stdout
    assert "\nCART\n\nOptions, as parameter=value\n" in done.stdout
    assert "\nCommands:\n  data\n  methods\n" in done.stdout
    assert "\n<div><b>confdtree</b></div><table>" in done.stdout
    assert "</table>\nParameters\n---" in done.stdout


def test_version(good):
    from importlib.metadata import version

    assert version("wekaconf") in good("--version")


@pytest.mark.parametrize("words", [
    ("methods",), ("learners",), ("methods", "confdtree"), ("learners", "J48"), ("learners", "CART"),
])  # fmt: skip
def test_what_is_listed_is_indented_by_four_and_what_is_folded_by_eight(good, monkeypatch, words):
    monkeypatch.setenv("COLUMNS", "50")
    lines = [line for line in good("list", *words).splitlines() if line]
    assert {len(line) - len(line.lstrip()) for line in lines} == {0, 4, 8}
