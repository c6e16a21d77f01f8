"""``--reading`` of ``wekaconf evaluate``."""

import json
import os
import pty
import re
import subprocess
from typing import Literal

import pytest
from support.command_line import ARFF, BUFFERED, COMMAND, IRIS, WINE, process, shown_numbers
from support.csv_rows import rows_in

from wekaconf.base.parameters import parameter
from wekaconf.methods.contract.answer import Reply
from wekaconf.methods.contract.method import Method
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


@pytest.mark.parametrize("reading", ["honest", "text"])
def test_reading_reaches_the_methods_that_have_one(good, with_reading, reading):
    texts = ["with_reading", f"with_reading:laplace=true,reading={reading}", "leaf_frequency"]
    methods = [word for text in texts for word in ("--method", text)]
    command = ("evaluate", IRIS, *methods, "--reading", reading)
    records = json.loads(good(*command, "--json"))
    assert [record["reading"] for record in records] == [reading, reading, None]
    assert [record["params"].get("reading") for record in records] == [reading, reading, None]
    laplace = json.loads(good("evaluate", IRIS, "--method", "leaf_frequency:laplace=true", "--json"))[0]["pooled"]
    plain = records[2]["pooled"]
    assert [record["pooled"]["brier"] for record in records] == [
        *[laplace["brier"] if reading == "text" else plain["brier"]] * 2, plain["brier"],
    ]  # fmt: skip
    assert ("reading text" in good(*command)) == (reading == "text")


@pytest.mark.parametrize("reading", ["honest", "text"])
def test_reading_that_a_method_contradicts(refused, with_reading, reading):
    other = {"honest": "text", "text": "honest"}[reading]
    message = refused("evaluate", IRIS, "--method", f"with_reading:reading={other}", "--reading", reading, codes=(2,))
    assert message == f"--reading {reading} contradicts --method with_reading:reading={other}"


def test_methods_keep_their_own_reading_when_none_is_asked_for(good, with_reading):
    command = ("evaluate", IRIS, "--method", "with_reading:reading=text")
    assert json.loads(good(*command, "--json"))[0]["reading"] == "text"
    assert "reading text" in good(*command)


def test_reading_without_a_method_that_has_one(refused, with_reading):
    for reading in ("honest", "text"):
        message = refused("evaluate", IRIS, "--method", "confdtree", "--reading", reading, codes=(2,))
        assert message.startswith(f"--reading {reading}: no method given has a reading; those that have one are ")
        assert "with_reading" in message
        assert "confdtree" not in message


TABLE_WARNING = (
    "warning: the table reading of 'shrinkage_wpe' uses the class of the test instances; its figures are for "
    "replication only\n"
)


def test_table_reading_is_labelled_wherever_it_shows(run, good, tmp_path):
    methods = ("m_branch", "shrinkage_wpe")
    named = [word for name in methods for word in ("--method", name)]
    command = ("evaluate", WINE, *named, "--preprocess", "wang2006", "-x", 5)
    for more in ((), ("--json",), ("--csv", "r.csv", "--json-file", "r.json")):
        ended = run(*command, "--reading", "table", "-q", *more)
        assert (ended.code, ended.err) == (0, TABLE_WARNING)
        if "--json" in more:
            records = json.loads(ended.out)
        else:
            assert ended.out.startswith("TABLE READING: uses the class of the test instances; J48 of Weka 3.9.")
    assert records == json.loads((tmp_path / "r.json").read_text())
    assert [row["reading"] for row in rows_in(tmp_path / "r.csv")] == ["table", "table"]
    assert [(r["label"], r["method"], r["reading"]) for r in records] == [(name, name, "table") for name in methods]
    plain, honest = json.loads(good(*command, "--json"))
    assert [plain["reading"], honest["reading"]] == [None, "honest"]
    assert [records[1]["params"]["reading"], honest["params"]["reading"]] == ["table", "honest"]
    assert records[0]["pooled"] == plain["pooled"]
    assert records[1]["pooled"]["auc_wang2006"] != honest["pooled"]["auc_wang2006"]


def test_table_reading_of_a_method_that_has_none(refused):
    message = refused("evaluate", IRIS, "--method", "confdtree", "--reading", "table")
    assert message.startswith("confdtree has no ")
    assert "shrinkage_wpe" in message


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
