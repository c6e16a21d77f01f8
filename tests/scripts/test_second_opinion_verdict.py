"""The study that judges `second_opinion`: schemes that are the product's and scikit-learn's, and words of its tests."""

import csv
from pathlib import Path

import numpy as np
import pytest
import second_opinion
from opinions import verdict
from opinions.comparing import by_set
from opinions.halves import parted
from opinions.judged import ALL, LAPLACE, OURS, OURS_FOREST, Judged
from sklearn.linear_model import LogisticRegression

import wekaconf as wc
from wekaconf.base.rounding import most_probable

pytestmark = pytest.mark.jvm
ARFF = Path(__file__).parents[2] / "arff"
HEARTS = wc.load_arff(ARFF / "credit-g.arff").take(slice(0, 520))


@pytest.fixture(scope="module")
def split():
    train, test = parted(HEARTS, 1)
    return Judged.measured(train, test), train, test


@pytest.mark.parametrize(("scheme", "sides"), [(OURS, ALL[:3]), (OURS_FOREST, ALL)])
def test_a_pool_is_that_of_the_method(split, scheme, sides):
    judged, train, test = split
    method = wc.SecondOpinion(sides="+".join(sides)).fit(wc.J48().grow(train), train)
    said = dict(judged.answers())[scheme]
    assert said.outer == pytest.approx(method.predict_proba(test), abs=1e-12)
    for answers in ("likeliest", "tree"):
        held = wc.SecondOpinion(sides="+".join(sides), answers=answers).fit(wc.J48().grow(train), train)
        found = judged.figures(said, of_tree=answers == "tree")
        assert found["error"] == pytest.approx(np.mean(held.predict(test) != test.class_values))


def test_voting_is_the_mean_and_stacking_learns_from_answers_out_of_fold(split):
    judged, _, test = split
    said = dict(judged.answers())
    assert said["voting, two opinions"].outer == pytest.approx(
        (judged.outer[0] + judged.outer[1] + judged.outer[2]) / 3
    )
    columns = np.concatenate(np.exp(judged.inner), axis=1), np.concatenate(judged.outer, axis=1)
    final = LogisticRegression(max_iter=1000).fit(columns[0], judged.inner_actual)
    assert said["stacking, forest beside"].outer == pytest.approx(final.predict_proba(columns[1]))
    own = judged.figures(said[LAPLACE], of_tree=False)["own"]
    assert own == np.mean(most_probable(judged.outer[0]) == judged.outer_tree) and len(test) == len(judged.actual)


def test_a_run_goes_on_where_it_was_and_writes_its_records(tmp_path, monkeypatch, capsys):
    """Two sets: one that is large enough for a promise, and one that is not."""
    sets = {"a": HEARTS.take(slice(0, 150)), "b": HEARTS}
    monkeypatch.setattr(second_opinion, "sets_of_half", lambda *_: sets)
    monkeypatch.setattr(second_opinion, "seeds_that_count", lambda *_: {"a": [1, 2], "b": [1, 2]})
    monkeypatch.setenv("WEKACONF_UCI", str(tmp_path))
    for name in ("RECORDS", "ABOUT"):
        monkeypatch.setattr(second_opinion, name, tmp_path / name)
    monkeypatch.setattr(verdict, "ABOUT", tmp_path / "ABOUT")
    monkeypatch.setattr(verdict, "TESTS", tmp_path / "tests.csv")
    for minutes, end in (("0", "not finished, so nothing is written\n"), ("9", "promise b 2")):
        monkeypatch.setattr("sys.argv", ["x", "--minutes", minutes, "--kept", str(tmp_path / "kept")])
        second_opinion.main()
        assert end in capsys.readouterr().out
    rows = verdict.unpack(tmp_path / "RECORDS")
    assert {(row["data_set"], row["answers"], bool(row["promised"])) for row in rows} == {
        ("a", "likeliest", False), ("a", "tree", False), ("b", "likeliest", True), ("b", "tree", False),
    }  # fmt: skip
    assert len(by_set(rows, "aurc", scheme=OURS, answers="tree")) == 2


def test_all_tests_of_the_record_are_listed():
    rows = verdict.unpack(verdict.RECORDS)
    with verdict.TESTS.open(encoding="utf-8", newline="") as file:
        listed = {(row["scheme"], row["rival"], row["figure"]): row for row in csv.DictReader(file)}
    made = verdict.tests(rows)
    assert len(listed) == len(made)
    for one in made:
        row = listed[one.scheme, one.rival, one.figure]
        assert (int(row["n_better"]), int(row["n_worse"])) == (one.gain.better, one.gain.worse)
        assert float(row["p_holm"]) == pytest.approx(one.p_holm, rel=1e-2)


def test_a_verdict_follows_its_tests(monkeypatch):
    """If the forest were better on every set, nothing that was wanted of it would hold."""
    rows = [dict(row) for row in verdict.unpack(verdict.RECORDS)]
    assert verdict.wanted(rows).count("**It holds**") == 3
    for row in rows:
        if row["scheme"] == "random_forest":
            row |= {"error": "0.0", "aurc": "0.0", "coverage": "1.0"}
    words = verdict.wanted(rows).splitlines()
    assert [line.startswith("* **It does not hold**") for line in words] == [True, False, True]
