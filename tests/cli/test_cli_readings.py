"""Readings of papers in what ``wekaconf evaluate`` prints, and its table on a narrow terminal."""

import json
import os
import pty
import re
import subprocess
from typing import Literal

import pytest
from support.command_line import ARFF, BUFFERED, COMMAND, IRIS, process, shown_numbers

from wekaconf.base.parameters import parameter
from wekaconf.methods.contract._answer import Reply
from wekaconf.methods.contract._method import Method
from wekaconf.methods.leaf_frequency import LeafFrequency


@pytest.fixture
def with_reading():
    """A method whose reading makes a difference, which the library may lack."""

    class WithReading(LeafFrequency, name="with_reading"):
        reading: Literal["honest", "text"] = parameter(default="honest", help="How the paper is read.")

        def _answer(self, data):
            return Reply(self.tree_.with_laplace(self.reading == "text").predict_proba(data))

    yield WithReading
    del Method.registry["with_reading"]


def test_methods_keep_their_own_reading_when_none_is_asked_for(good, with_reading):
    command = ("evaluate", IRIS, "--method", "with_reading:reading=text")
    assert json.loads(good(*command, "--json"))[0]["reading"] == "text"
    assert "reading text" in good(*command)


def test_table_fits_a_narrow_terminal():
    """On 56 columns every number stays whole, and no name breaks but between parameters."""
    controller, terminal = pty.openpty()
    os.set_blocking(controller, False)
    command = [COMMAND, "evaluate", ARFF / "missing-weights.arff", "-x", "2", "-q", "--method"]
    command += ["confdtree:variant=tdist,min_instances=2"]
    environment = BUFFERED | {"COLUMNS": "56", "TERM": "xterm"}
    subprocess.run(command, stdout=terminal, check=True, env=environment, timeout=60)
    shown = re.sub(r"\x1b\[[\d;]*m", "", os.read(controller, 100_000).decode())
    piped = process(*command[1:], env=BUFFERED | {"COLUMNS": "200"}).stdout
    os.close(controller)
    os.close(terminal)
    assert max(map(len, shown.splitlines())) <= 56
    numbers = shown_numbers(piped, command[-1])
    assert len(numbers) == 6
    assert all(number in shown.split() for number in numbers)
    assert {"confdtree:variant=tdist,", "min_instances=2"} <= set(shown.split())
