"""The scripts that judge `combined`: figures by hand, calibrations, what counts, promises, and that they go on."""

import sys
from pathlib import Path

import combined_promise
import combined_verdict
import numpy as np
import pytest
from combining import verdict
from combining import verdict_records as records
from combining.judging import BOOSTED_OWN, COMBINED, FOREST, ISOTONIC, SIGMOID, Figures, calibrated, counts, judged
from combining.promised import Kept, kept
from combining.sides import METHODS, parted
from support.promises import choice_promised
from support.small_data import small

import wekaconf as wc
from wekaconf.evaluation.promised_choice import drawn_rows
from wekaconf.methods.combined import Combined
from wekaconf.methods.combined.held_out import HeldOut

ARFF = Path(__file__).parents[2] / "arff"


def test_figures_by_hand():
    certainty = np.array([0.9, 0.8, 0.8, 0.5])
    right = np.array([True, True, False, False])
    found = Figures.of(certainty, right)
    assert found.auroc == (1 + 1 + 0.5 + 1) / 4
    assert found.aurc == pytest.approx((1 * 0 + 2 * (1 / 3) + 1 * (2 / 4)) / 4), "equal certainties go together"
    assert found.coverage == 0.25 and found.error == 0.5
    assert found.brier == pytest.approx((0.1**2 + 0.2**2 + 0.8**2 + 0.5**2) / 4)
    assert np.isnan(Figures.of(certainty * 2, right).brier)


@pytest.mark.parametrize("learner", ["J48", "info_gain"])
def test_a_split_is_that_of_the_learner_s_tree(learner):
    data = wc.load_arff(ARFF / "credit-g.arff").take(slice(0, 300))
    found = judged(data, learner, 3)
    train, test = parted(data, 3)
    tree = wc.grow(train, learner)
    predicted = tree.predict(test)
    right = predicted == test.class_values
    assert found[COMBINED] == Figures.of(Combined().fit(tree, train).certainty(test), right)
    m_branch = wc.MBranch().fit(tree, train).predict_proba(test)[np.arange(100), predicted]
    assert found["m_branch"] == Figures.of(m_branch, right)
    fixed = {*METHODS, COMBINED, FOREST} | ({"tpce"} if learner == "info_gain" else {SIGMOID, ISOTONIC})
    assert {found[name].error for name in fixed} == {np.mean(~right)}, "the answers stay the tree's"
    if learner == "J48":
        assert found[BOOSTED_OWN].error != np.mean(~right)


def test_calibrations_keep_the_order_and_are_right_in_the_mean():
    """On the very rows out of fold that they learn from."""
    train, _ = parted(wc.load_arff(ARFF / "credit-g.arff"), 1)
    laplace = wc.LeafFrequency(laplace=True)
    held_out = HeldOut.of(train, wc.J48(), [laplace], n_folds=10, repetitions=1, seed=1)
    known = held_out.sides[:, 0]
    order = np.argsort(known)
    for name, certainty in calibrated(train, known, 1).items():
        assert (np.diff(certainty[order]) >= 0).all() and len(np.unique(certainty)) > 5, name
        assert certainty.mean() == pytest.approx(held_out.right.mean(), abs=1e-4)


def test_a_split_without_wrong_answers_does_not_count():
    iris = wc.load_arff(ARFF / "iris.arff")
    values = iris.values.copy()
    values[:, 0] = iris.class_values
    assert counts(iris, "J48", 2) and not counts(wc.Dataset(iris.header, values), "J48", 2)


def test_it_goes_on_where_it_was(tmp_path, monkeypatch):
    """Sets of the design half and small ones stay out; a second run measures nothing and writes the same."""
    folder, kept = tmp_path / "sets", tmp_path / "kept"
    folder.mkdir()
    data = wc.load_arff(ARFF / "credit-g.arff").take(slice(0, 120))
    for name in ("iris", "vote"):
        wc.save_arff(folder / f"{name}.arff", data)
    monkeypatch.setenv("WEKACONF_UCI", str(folder))
    monkeypatch.setattr(records, "RECORDS", tmp_path / "records.csv.gz")
    monkeypatch.setattr(records, "ABOUT", tmp_path / "about.json")
    monkeypatch.setattr(combined_verdict, "MOST_ROWS", {"J48": 150, "REPTree": 100})
    monkeypatch.setattr(combined_verdict, "SEEDS", range(1, 4))
    monkeypatch.setattr(combined_verdict, "FEWEST_SPLITS", 3)
    monkeypatch.setattr(sys, "argv", ["combined_verdict.py", "--kept", str(kept)])
    combined_verdict.main()
    written = records.RECORDS.read_bytes()
    names = [f"J48 vote {seed}.json" for seed in (1, 2, 3)]
    assert sorted(path.name for path in kept.iterdir()) == [*names, "J48.json", "REPTree.json"]
    (kept / names[1]).unlink()
    times = {path: path.stat().st_mtime_ns for path in kept.iterdir()}
    combined_verdict.main()
    assert records.RECORDS.read_bytes() == written
    assert {path: path.stat().st_mtime_ns for path in times} == times
    rows = {row["scheme"]: row for row in records.read()}
    mean = np.mean([judged(data, "J48", seed)[COMBINED].aurc for seed in (1, 2, 3)])
    assert float(rows[COMBINED]["aurc"]) == pytest.approx(mean, abs=1e-5) and rows[COMBINED]["n_splits"] == "3"
    assert records.about()["commit"] and records.about()["subject"]


def test_without_time_nothing_is_written(tmp_path, monkeypatch, capsys):
    wc.save_arff(tmp_path / "vote.arff", wc.load_arff(ARFF / "credit-g.arff").take(slice(0, 120)))
    monkeypatch.setenv("WEKACONF_UCI", str(tmp_path))
    monkeypatch.setattr(records, "RECORDS", tmp_path / "records.csv.gz")
    monkeypatch.setattr(combined_verdict, "MOST_ROWS", {"J48": 150})
    argv = ["combined_verdict.py", "--kept", str(tmp_path / "kept"), "--minutes", "0"]
    monkeypatch.setattr(sys, "argv", argv)
    combined_verdict.main()
    assert "J48: not finished" in capsys.readouterr().out and not records.RECORDS.exists()


# -- promises --


def test_a_promise_of_each_certainty_by_hand():
    data = wc.load_arff(ARFF / "credit-g.arff")
    found = kept(data, 1)
    rows, test = parted(data, 1)
    is_held = drawn_rows(len(rows), 0.3)
    train, calibration = rows.take(~is_held), rows.take(is_held)
    method = Combined().fit(wc.J48().grow(train), train)
    target = np.mean(~method.held_out.right) / 2
    [promise] = choice_promised(method, wc.Aim("error", target, 0.95), calibration, train).promises
    answer = method.answer(test)
    is_answered = answer.certainty >= promise.threshold
    wrong = np.mean(answer.predicted[is_answered] != test.class_values[is_answered])
    assert found[COMBINED] == Kept(target, np.mean(is_answered), is_broken=wrong > target)
    assert found[COMBINED].coverage > 0.1
    assert set(found) == {*METHODS, COMBINED} and {one.target for one in found.values()} == {target}


def test_promises_go_on_where_they_were(tmp_path, monkeypatch):
    folder, results = tmp_path / "sets", tmp_path / "kept"
    folder.mkdir()
    data = wc.load_arff(ARFF / "wdbc.arff").take(slice(0, 300))
    for name in ("iris", "vote"):
        wc.save_arff(folder / f"{name}.arff", data)
    monkeypatch.setenv("WEKACONF_UCI", str(folder))
    monkeypatch.setattr(records, "PROMISES", tmp_path / "promises.csv.gz")
    monkeypatch.setattr(combined_promise, "FEWEST_ROWS", 300)
    monkeypatch.setattr(combined_promise, "SEEDS", {"design": [1], "judged": [1, 2]})
    monkeypatch.setattr(sys, "argv", ["combined_promise.py", "--kept", str(results)])
    combined_promise.main()
    written = records.PROMISES.read_bytes()
    times = {path.name: path.stat().st_mtime_ns for path in results.iterdir()}
    assert sorted(times) == ["iris 1.json", "vote 1.json", "vote 2.json"]
    combined_promise.main()
    assert records.PROMISES.read_bytes() == written
    assert {path.name: path.stat().st_mtime_ns for path in results.iterdir()} == times
    rows = records.read(records.PROMISES)
    assert {(row["half"], row["data_set"], row["n_splits"]) for row in rows} == {
        ("design", "iris", "1"), ("judged", "vote", "2"),
    }  # fmt: skip
    [together] = [row for row in rows if (row["half"], row["scheme"]) == ("judged", COMBINED)]
    coverage = np.mean([kept(data, seed)[COMBINED].coverage for seed in (1, 2)])
    assert float(together["coverage"]) == pytest.approx(coverage, abs=1e-5)
    assert "`combined` answers more" in verdict.promised(rows)


def test_where_ranks_and_the_mean_disagree_is_said():
    """The committed figures, recomputed: a mean difference whose interval holds 0 is named, and no other."""
    found = records.read()
    of_sets = {name: verdict.column(found, name, "auroc") for name in (COMBINED, *verdict.RIVALS)}
    picks = np.random.default_rng(7).integers(0, len(of_sets[COMBINED]), (4000, len(of_sets[COMBINED])))
    doubtful = {
        name for name in verdict.RIVALS
        if np.quantile((of_sets[COMBINED] - of_sets[name])[picks].mean(axis=1), 0.025) < 0
    }  # fmt: skip
    [first, *_] = verdict.wanted(found).splitlines()
    named = set(first.partition("holds 0 for ")[2].rstrip(".").replace("`", "").split(", ")) - {""}
    assert named == doubtful


def test_an_interval_below_what_was_wanted_is_said():
    """The way to the forest of the committed figures, recomputed: the mean reaches 60 %, its interval does not."""
    found = records.read()
    leaf, ours, forest = (verdict.column(found, name, "auroc") for name in (verdict.LEAF, COMBINED, verdict.FOREST))
    picks = np.random.default_rng(7).integers(0, len(ours), (4000, len(ours)))
    ways = (ours[picks] - leaf[picks]).mean(axis=1) / (forest[picks] - leaf[picks]).mean(axis=1)
    is_below = np.quantile(ways, 0.025) < 0.6 < (ours - leaf).mean() / (forest - leaf).mean()
    [_, second, *_] = verdict.wanted(found).splitlines()
    assert ("the interval goes below 60 %" in second) == is_below


def test_one_row_is_not_held_out():
    one = HeldOut.of(small(x=[1], c=(["a", "b"], ["a"])), wc.J48(), [], n_folds=10, repetitions=1, seed=1)
    assert [len(array) for array in (one.sides, one.predicted, one.actual, one.weights)] == [0] * 4
