"""``wekaconf evaluate``: notes, costs and calibration."""

import json

import numpy as np
import pytest
from support.command_line import IRIS, MISSING, WINE
from support.csv_rows import rows_in

from wekaconf.methods.contract._leaves_one_out import LeavesOneOut
from wekaconf.methods.contract._method import Method


@pytest.fixture
def wordy():
    """A method with something to tell of its answers and of what they cost."""

    class Wordy(Method.registry["leaf_frequency"], LeavesOneOut, name="wordy"):
        can_leave_one_out = False
        n_kept = 0

        def _leave_one_out(self, rows):
            pytest.fail("asked for the short way")

        def notes(self, data):
            return ("read from leaves", *(("some values are missing",) if np.isnan(data.values[:, :-1]).any() else ()))

        def cost(self, n_instances, header):
            return f"asks for {n_instances} of {header.n_classes} classes"

    yield Wordy
    del Method.registry["wordy"]


def test_notes_stand_below_the_table_once(good, wordy, tmp_path):
    methods = ("--method", "wordy", "--method", "leaf_frequency", "--method", "wordy:laplace=true")
    command = ("evaluate", MISSING, IRIS, *methods, "-x", 3, "--runs", 2, "-q")
    notes = [
        "wordy: read from leaves", "wordy: some values are missing (missing-weights)",
        "wordy:laplace=true: read from leaves", "wordy:laplace=true: some values are missing (missing-weights)",
    ]  # fmt: skip
    printed = good(*command, "--records", "r.csv")
    assert printed.splitlines()[-4:] == notes
    records = json.loads(good(*command, "--json"))
    both = ["read from leaves", "some values are missing"]
    assert [record["notes"] for record in records] == [both, [], both, both[:1], [], both[:1]]
    assert [json.loads(row["notes"]) for row in rows_in(tmp_path / "r.csv")] == [record["notes"] for record in records]
    assert good("evaluate", "--rejecting", IRIS, "--method", "wordy", "-x", 3, "-q").splitlines()[-1] == notes[0]


def test_costs_are_said_once_a_method_and_data_set(run, wordy):
    command = ("evaluate", IRIS, WINE, "--method", "wordy", "--method", "leaf_frequency", "-x", 3, "--runs", 2)
    assert run(*command).err == "note: iris: asks for 300 of 3 classes\nnote: wine: asks for 356 of 3 classes\n"
    assert run(*command, "-q").err == ""
