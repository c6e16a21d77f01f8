"""What second opinions are measured by: halves and splits, figures by hand, gains, promises, and packed records."""

import json
import subprocess
from pathlib import Path

import _records
import numpy as np
import pytest
from _resampling import interval, resampled
from opinions import halves
from opinions.comparing import RECORDED, Gain, by_set, corrected, gain
from opinions.figures import Figures
from opinions.promised import Kept, Told, in_three, kept
from support.growers import grow_cart
from support.promises import choice_promised

import wekaconf as wc
from wekaconf.evaluation.thresholds import out_of_fold

ARFF = Path(__file__).parents[2] / "arff"


def credit(n):
    return wc.load_arff(ARFF / "credit-g.arff").take(slice(0, n))


# -- halves and splits --


def test_the_halves_hold_each_set_once_small_ones_first(tmp_path, monkeypatch):
    """iris is one to design with, vote and wdbc are not; one that holds rows of another stays out."""
    for name, n in (("iris", 40), ("vote", 60), ("wdbc", 50), ("wine", 55)):
        wc.save_arff(tmp_path / f"{name}.arff", credit(n))
    assert [halves.is_design(name) for name in ("iris", "vote", "wdbc", "wine")] == [True, False, False, True]
    assert list(halves.sets_of_half("design", tmp_path, ["wine"])) == ["iris"]
    assert list(halves.sets_of_half("judged", tmp_path, [])) == ["wdbc", "vote"]
    monkeypatch.setitem(halves.HALVES, "judged", halves.Half(range(1), 50, 1))
    assert list(halves.sets_of_half("judged", tmp_path, [])) == ["wdbc"]


def test_two_thirds_of_the_rows_with_a_class_train():
    data = credit(90)
    values = data.values.copy()
    values[:30, data.class_index] = np.nan
    train, test = halves.parted(wc.Dataset(data.header, values), 1)
    assert (len(train), len(test)) == (40, 20) and (np.concatenate([train.class_values, test.class_values]) >= 0).all()
    rows = sorted(map(tuple, np.concatenate([train.values, test.values]).tolist()), key=str)
    assert rows == sorted(map(tuple, values[30:].tolist()), key=str)


@pytest.mark.jvm
def test_a_split_without_wrong_answers_does_not_count_and_seeds_are_listed_once(tmp_path, monkeypatch):
    iris = wc.load_arff(ARFF / "iris.arff")
    values = iris.values.copy()
    values[:, 0] = iris.class_values
    easy, hard = wc.Dataset(iris.header, values), credit(120)
    monkeypatch.setitem(halves.HALVES, "judged", halves.Half(range(1, 4), 150, 2))
    path = tmp_path / "seeds.json"
    assert halves.seeds_that_count("judged", {"easy": easy, "hard": hard}, path) == {"hard": [1, 2, 3]}
    path.write_text(json.dumps({"other": [7]}))
    assert halves.seeds_that_count("judged", {"hard": hard}, path) == {"other": [7]}


# -- figures and gains --


def test_figures_by_hand():
    certainty = np.array([0.9, 0.8, 0.8, 0.5])
    right = np.array([True, True, False, False])
    found = Figures.of(certainty, right)
    assert found.auroc == (1 + 1 + 0.5 + 1) / 4
    assert found.aurc == pytest.approx((1 * 0 + 2 * (1 / 3) + 1 * (2 / 4)) / 4), "equal certainties go together"
    assert found.coverage == 0.25 and found.error == 0.5
    assert found.brier == pytest.approx((0.1**2 + 0.2**2 + 0.8**2 + 0.5**2) / 4)
    assert np.isnan(Figures.of(certainty * 2, right).brier)


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
    assert not any(halves.is_design(row["data_set"]) for row in rows)
    assert {int(row["n_splits"]) for row in rows} <= set(range(5, 11))


# -- promises --


def test_what_a_promise_brings_by_hand():
    """The same threshold as a promise of the method's own, which takes its candidates from answers out of fold."""
    train, calibration, test = in_three(credit(1000), 1)
    rows, all_new = halves.parted(credit(1000), 1)
    assert len(train) + len(calibration) == len(rows) and len(calibration) == pytest.approx(0.3 * len(rows), abs=1)
    np.testing.assert_array_equal(test.values, all_new.values)
    method = wc.SecondOpinion().fit(grow_cart(train), train)
    known = out_of_fold(method)
    tree_error = 0.5

    def told(data):
        answer = method.answer(data)
        return Told(answer.certainty, answer.predicted == data.class_values)

    new = told(test)
    found = kept(tree_error, Told(known.certainty, known.correct), told(calibration), new)
    [promise] = choice_promised(method, wc.Aim("error", 0.25, 0.95), calibration, train).promises
    is_answered = new.certainty >= promise.threshold
    assert found == Kept(0.25, is_answered.mean(), is_broken=np.mean(~new.right[is_answered]) > 0.25)
    assert found.coverage > 0.1
    assert kept(0.0, new, new, new) == Kept(0.0, 0.0, is_broken=False)


# -- records --


def test_records_come_back_the_same_bytes(tmp_path):
    rows = [{"a": "1", "b": ""}, {"a": "ä", "b": '"'}]
    _records.pack(tmp_path / "x.csv.gz", rows)
    before = (tmp_path / "x.csv.gz").read_bytes()
    assert _records.unpack(tmp_path / "x.csv.gz") == rows
    _records.pack(tmp_path / "x.csv.gz", iter(rows))
    assert (tmp_path / "x.csv.gz").read_bytes() == before


@pytest.mark.jvm
def test_the_commit_is_that_with_which_measuring_began(tmp_path):
    told = _records.begun(tmp_path)
    if (_records.ROOT / ".git").exists():
        head = subprocess.run(
            ["git", "-C", str(_records.ROOT), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
        ).stdout
        assert head.startswith(told["commit"].rstrip("+")) and told["weka"]
    _records.write_about(tmp_path / "about.json", {"commit": "before"})
    assert _records.begun(tmp_path) == {"commit": "before"}
