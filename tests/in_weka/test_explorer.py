"""Weka's Explorer with our methods in its list, operated on a virtual screen."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.needs import XVFB

import wekaconf as wc
from wekaconf.model import scheme

pytestmark = [pytest.mark.jvm, pytest.mark.slow]

TESTS = Path(__file__).parents[1]


@pytest.fixture
def new_display(program):
    """Makes virtual screens."""
    xvfb, servers = program(XVFB), []

    def make():
        read, write = os.pipe()
        command = [xvfb, "-displayfd", str(write), "-screen", "0", "1000x920x24"]
        servers.append(subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL))
        os.close(write)
        number = b""
        while not number.endswith(b"\n"):
            number += os.read(read, 16)
        os.close(read)
        return f":{int(number)}"

    yield make
    for server in servers:
        server.terminate()
        server.wait()


def operated(display, *arguments):
    """The driver at work on a screen."""
    pytest.importorskip("jpype", reason="is operated through JPype")
    return subprocess.Popen(
        [sys.executable, TESTS / "support" / "explorer_driver.py", *map(str, arguments)], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"DISPLAY": display},
    )  # fmt: skip


def said_by(driver):
    out, err = driver.communicate(timeout=300)
    assert driver.returncode == 0, err
    return json.loads(out)


@pytest.mark.one_commit_in(3)
def test_explorer(new_display, tmp_path):
    """Choose ConfDTree, set an option, cross-validate, draw the tree, see an error, close; the process ends with 0."""
    pictures = Path(os.environ.get("WEKACONF_SCREENSHOTS", tmp_path))
    said = said_by(operated(new_display(), pictures))
    names = [name.rpartition(".")[2] for name in scheme.class_names()]
    assert [name for name in names if name not in said["list"]] == []
    [(record, _)] = wc.evaluate(wc.load_arff(TESTS.parent / "arff" / "iris.arff"), ["confdtree:variant=tdist"], seed=1)
    percent = record["pooled"]["percent_correct"]
    assert (
        f"Correctly Classified Instances         {round(percent * 1.5)}               {percent:.4f} %" in said["output"]
    )
    assert "ConfDTree -variant tdist on J48 -C 0.25 -M 2" in said["output"]
    assert "ID3SD: give -alpha or -p_total, from which alpha follows, not both" in " ".join(said["error"].split())
    for name in ("list", "options", "output", "tree", "error"):
        assert (pictures / f"{name}.png").stat().st_size > 5_000


@pytest.mark.one_commit_in(3)
def test_two_at_once(new_display, tmp_path):
    for driver in [operated(new_display(), tmp_path, 2) for _ in range(2)]:
        assert "Correctly Classified Instances         144               96      %" in said_by(driver)["output"]


def test_without_a_display(tmp_path):
    env = {name: text for name, text in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-m", "wekaconf", "weka", "explorer"],
        capture_output=True,
        text=True,
        env=env,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: there is no display to show Weka's Explorer on")
