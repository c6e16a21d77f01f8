"""What the records say of second opinions: gains between schemes, all tests, and the verdicts that follow from them."""

import csv

import _opinions
import _records
import numpy as np
import pytest
from _opinions import RECORDED, Gain, by_set, corrected, gain
from _resampling import interval, resampled


def test_a_gain_is_positive_where_the_first_is_better():
    """Whether a figure is to be large or small; on the sets that both have."""
    rows = [
        {"data_set": name, "scheme": scheme, "answers": "tree", "error": error, "coverage": error}
        for scheme, errors in (("x", "0.1 0.2 0.3 0.9"), ("y", "0.2 0.4 0.3"))
        for name, error in zip("abcd", errors.split(), strict=False)
    ] + [{"data_set": "a", "scheme": "x", "answers": "likeliest", "error": "", "coverage": ""}]
    ours, theirs = (by_set(rows, "error", scheme=scheme, answers="tree") for scheme in "xy")
    assert ours == {"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.9}
    assert np.isnan(by_set(rows, "error", scheme="x", answers="likeliest")["a"])
    found = gain(ours, theirs, "error")
    assert found.mean == pytest.approx(0.1) and (found.better, found.worse) == (2, 0)
    assert (found.low, found.high) == interval(np.array([0.1, 0.2, 0.0]))
    assert str(found).startswith("+0.1000 (+0.000 to +0.200; 2, 0)")
    other = gain(ours, theirs, "coverage")
    assert tuple(other) == pytest.approx((-found.mean, -found.high, -found.low, 0, 2, found.p_value))


def test_holm_counts_all_tests():
    gains = [Gain(0, 0, 0, 0, 0, p) for p in (0.01, 0.04, 0.03)]
    assert corrected(gains) == pytest.approx([0.03, 0.06, 0.06])


def test_resamples_are_the_same_in_every_call():
    assert (resampled(7) == resampled(7)).all() and resampled(7).max() == 6
    assert interval(np.ones(5)) == (1.0, 1.0)


def test_a_record_of_each_rival_is_there_for_each_judged_set():
    rows = _records.unpack(RECORDED)
    for scheme in ("combined", "gradient boosting, own answers"):
        assert len(by_set(rows, "aurc", scheme=scheme)) == len(rows) / 2 == 28
    assert {int(row["n_splits"]) for row in rows} <= set(range(5, 11))


def test_records_come_back_the_same_bytes(tmp_path):
    rows = [{"a": "1", "b": ""}, {"a": "ä", "b": '"'}]
    _records.pack(tmp_path / "x.csv.gz", rows)
    before = (tmp_path / "x.csv.gz").read_bytes()
    assert _records.unpack(tmp_path / "x.csv.gz") == rows
    _records.pack(tmp_path / "x.csv.gz", iter(rows))
    assert (tmp_path / "x.csv.gz").read_bytes() == before


def test_all_tests_of_the_record_are_listed():
    rows = _records.unpack(_opinions.RECORDS)
    with (_records.FOLDER / "second-opinion-tests.csv").open(encoding="utf-8", newline="") as file:
        listed = {(row["scheme"], row["rival"], row["figure"]): row for row in csv.DictReader(file)}
    made = _opinions.tests(rows)
    assert len(listed) == len(made)
    for one in made:
        row = listed[one.scheme, one.rival, one.figure]
        assert (int(row["n_better"]), int(row["n_worse"])) == (one.gain.better, one.gain.worse)
        assert float(row["p_holm"]) == pytest.approx(one.p_holm, rel=1e-2)


def test_a_verdict_follows_its_tests():
    """If the forest were better on every set, nothing that was wanted of it would hold."""
    rows = [dict(row) for row in _records.unpack(_opinions.RECORDS)]
    assert _opinions.wanted(rows).count("**It holds**") == 3
    for row in rows:
        if row["scheme"] == "random_forest":
            row |= {"error": "0.0", "aurc": "0.0", "coverage": "1.0"}
    words = _opinions.wanted(rows).splitlines()
    assert [line.startswith("* **It does not hold**") for line in words] == [True, False, True]
