"""``wekaconf evaluate``: notes, costs and calibration."""

import json

import numpy as np
import pytest
from support.command_line import ARFF, IRIS, MISSING, WINE
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


def test_calibration_as_csv(good, tmp_path):
    """What is binned are the answers of all runs; the expected calibration error follows from the file."""
    methods = ("--method", "leaf_frequency", "--method", "leaf_frequency:laplace=true")
    command = ("evaluate", ARFF / "credit-g.arff", *methods, "-x", 3, "--json", "--calibration", "c.CSV")
    records = json.loads(good(*command))
    rows = rows_in(tmp_path / "c.CSV")
    assert list(rows[0]) == ["method", "above", "up_to", "weight", "confidence", "accuracy"]
    assert [(row["method"], row["above"], row["up_to"]) for row in rows[:2]] == [
        ("leaf_frequency", "0", "0.1"), ("leaf_frequency", "0.1", "0.2")
    ]  # fmt: skip
    for record in records:
        own = [row for row in rows if row["method"] == record["label"]]
        assert len(own) == 10
        assert {(row["confidence"], row["accuracy"]) for row in own if float(row["weight"]) == 0} == {("", "")}
        bins = [[float(row[name]) for name in ("weight", "confidence", "accuracy")] for row in own if row["accuracy"]]
        assert sum(weight for weight, _, _ in bins) == 1000
        right = sum(weight * accuracy for weight, _, accuracy in bins)
        assert right / 10 == pytest.approx(record["pooled"]["percent_correct"])
        error = sum(weight * abs(accuracy - said) for weight, said, accuracy in bins) / 1000
        assert error == pytest.approx(record["pooled"]["ece"], abs=1e-12)
