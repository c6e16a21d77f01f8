"""Costs in a file decide the label: fit, predict, explain, check, evaluate and export say the same."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from reference.cost_decision_reference import decide
from support.command_line import words

import wekaconf as wc
from wekaconf.cli.predict import _without_threshold

COSTS = [[0, 1], [5, 0]]
COST = ("--cost", "costs.cost:0.7")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.normal(size=(900, 3)).round(2), columns=["alter", "dosis", "druck"])
    chance = 1 / (1 + np.exp(1 - 1.5 * frame["alter"] - frame["dosis"]))
    frame = frame.assign(befund=np.where(rng.random(900) < chance, "ja", "nein"))
    frame[:600].to_csv("known.csv", index=False)
    frame[600:].to_csv("new.csv", index=False)
    (tmp_path / "costs.cost").write_text("% Weka's\n2 2\n0 1\n5 0\n")


def decided(table):
    """What the answers of a file should be, by the literal form."""
    proba = table[["distribution_ja", "distribution_nein"]].to_numpy()
    answers = [decide(row, COSTS, 0.7) for row in proba.tolist()]
    cost = np.where(
        [is_dear for *_, is_dear in answers], 0.7,
        [COSTS[a == "nein"][c] for (c, *_), a in zip(answers, table["actual"], strict=True)],
    )  # fmt: skip
    return [["ja", "nein"][c] for c, *_ in answers], [("no", "yes")[is_dear] for *_, is_dear in answers], cost.mean()


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_predict_writes_the_answers_of_least_expected_cost(good, run, ending):
    good("fit", "known.csv", "--learner", "CART", "--method", "m_branch", *COST, "-d", "m.wct")
    ended = run("predict", "m.wct", "new.csv", "-o", f"o.{ending}")
    table = pd.read_csv("o.csv") if ending == "csv" else pd.read_excel("o.xlsx")
    labels, rejected, cost = decided(table)
    assert table["predicted"].tolist() == labels and table["rejected"].tolist() == rejected
    assert (table["error"] == "yes").tolist() == (table["predicted"] != table["actual"]).tolist()
    assert table["reason"].str.contains(r": least expected cost [\d.]+ \((?:ja|nein) would cost").all()
    assert f"; mean cost per row {cost:.4g}" in words(ended.err)
    likeliest = np.where(table["distribution_ja"] > table["distribution_nein"], "ja", "nein")
    assert (table["predicted"] != likeliest).any() and set(rejected) == {"no", "yes"}
    checked = json.loads(good("check", "m.wct", "new.csv", "--json"))[0]
    assert checked["mean_cost"] == pytest.approx(cost)
    assert f"mean cost per row {cost:.4g}" in words(good("check", "m.wct", "new.csv"))
    assert "wanted: least expected cost, costs [0 1; 5 0]:0.7" in words(good("show", "m.wct"))


def test_a_model_takes_other_costs(good):
    good("fit", "known.csv", "--learner", "CART", "--method", "m_branch", "-d", "bare.wct")
    good("fit", "known.csv", "--learner", "CART", "--method", "m_branch", *COST, "-d", "m.wct")
    good("predict", "bare.wct", "new.csv", *COST, "-o", "a.csv")
    good("predict", "m.wct", "new.csv", "-o", "b.csv")
    pd.testing.assert_frame_equal(pd.read_csv("a.csv"), pd.read_csv("b.csv"))


def test_answers_are_compared_with_those_of_training_where_the_same_costs_decide(good):
    """By costs or by probabilities: what calibrated the model was answered in one of these ways."""
    grow = ("fit", "known.csv", "--learner", "CART", "--method", "m_branch", "--confidence", "0.8", "--calibrate", ".5")
    good(*grow, "--target-cost", "0.69", *COST, "-d", "cost.wct")
    good(*grow, "--target-error", "0.4", "-d", "plain.wct")
    good(*grow, "--target-cost", "0.9", "--cost", "4:1", "-d", "mean.wct")
    for name, aim, is_compared in (
        ("cost", COST, True), ("cost", ("--cost", "[0 1; 9 0]:0.7"), False), ("cost", ("--below", "0.6"), False),
        ("mean", ("--below", "0.6"), True), ("plain", COST, False),
        ("plain", ("--below", "0.6"), True), ("plain", ("--target-error", "0.5"), True),
    ):  # fmt: skip
        good("predict", f"{name}.wct", *aim, "-d", "other.wct")
        assert (wc.load("other.wct").answer_shares is not None) == is_compared, (name, aim)
    for name, is_compared in (("cost", False), ("plain", True)):
        model = _without_threshold(wc.load(f"{name}.wct"))
        assert model.choice is None and (model.answer_shares is not None) == is_compared


def test_explain_says_what_the_answers_cost(good):
    good("fit", "known.csv", "--learner", "CART", "--method", "m_branch", *COST, "-d", "m.wct")
    model = wc.load("m.wct")
    new = wc.Dataset.from_pandas(pd.read_csv("new.csv"), header=model.header)
    answer = model.answer(new)
    for row in (1, 5):
        told = words(good("explain", "m.wct", "new.csv", "--row", str(row)))
        assert answer.grounds[row - 1].partition(";")[0] in told and "saves of the largest cost, 5" in told
    told = json.loads(good("explain", "m.wct", "new.csv", "--least-certain", "1", "--format", "json"))
    [explained] = told["instances"]
    assert explained["certainty"] == answer.certainty.min()


def test_evaluate_counts_what_the_answers_cost(good):
    told = good("evaluate", "known.csv", "--learner", "CART", "--method", "m_branch", *COST, "-x", "3",
                "--records", "e.json", "--predictions", "p.csv")  # fmt: skip
    [record] = json.loads(Path("e.json").read_text(encoding="utf-8"))
    table = pd.read_csv("p.csv")
    cost = np.where(
        table["rejected"] == "yes", 0.7,
        np.where(table["predicted"] == table["actual"], 0, np.where(table["actual"] == "nein", 5, 1)),
    ).mean()  # fmt: skip
    assert record["reject"]["mean_cost"] == pytest.approx(cost) and f"{cost:.4g}" in told and "cost" in told
    assert record["pooled"]["percent_correct"] == pytest.approx(100 * (table["predicted"] == table["actual"]).mean())
    good("evaluate", "known.csv", "--learner", "CART", "--method", "m_branch", "-x", "3", "--records", "f.json")
    [bare] = json.loads(Path("f.json").read_text(encoding="utf-8"))
    assert bare["pooled"]["percent_correct"] != record["pooled"]["percent_correct"]


def test_a_promise_is_about_these_answers(good, run):
    promised = ("--target-cost", "0.69", "--confidence", "0.8", "--cost", "costs.cost:0.7", "--calibrate", ".5")
    good("fit", "known.csv", "--learner", "CART", "--method", "m_branch", *promised, "-d", "m.wct")
    good("predict", "m.wct", "new.csv", "-o", "o.csv")
    table = pd.read_csv("o.csv")
    assert table["predicted"].tolist() == decided(table)[0]
    ended = run("fit", "known.csv", "--learner", "CART", *promised[2:], "--target-cost", "0.8", "-d", "n.wct")
    told = words(ended.err)
    assert ended.code == 1 and "--target-cost must be at most 0.7, which rejecting every row costs, since a" in told


@pytest.mark.parametrize(("options", "message"), [
    (("--cost", "[0 1 1; 5 0 1; 1 1 0]:1"), "--cost: expected 2 rows and columns, one per class"),
    (("--cost", "absent.cost:1"), "absent.cost: no such file"),
    (("--cost", "[0 -1; 5 0]:1"), "costs -1, less than the right answer"),
    (("--cost", "[0 1; 5 0]:-1"), "a rejection must cost at least 0, got -1"),
    (("--cost", "[0 1; 5 0]:1", "--threshold-from", "training"), "--threshold-from belongs to --keep"),
    (("--cost", "[0 1; 5 0]:1", "--confidence", "0.9"), "--confidence belongs to --target-error and --target-cost"),
])  # fmt: skip
def test_wrong_costs(run, options, message):
    ended = run("fit", "known.csv", "--learner", "CART", *options, "-d", "m.wct")
    assert ended.code != 0 and message in words(ended.err) and "Traceback" not in ended.err


def test_answers_without_these_costs_are_not_compared_with_those_of_training(good, run):
    """Nearly every row of training is answered nein; where the least certain rows are rejected, no cost decides."""
    dear = ("--cost", "[0 1; 50 0]:30")
    good("fit", "known.csv", "--learner", "CART", "--method", "m_branch", *dear, "-d", "m.wct")
    assert "new.csv: 300 rows, like those of training" in words(run("predict", "m.wct", "new.csv", "-o", "o.csv").err)
    assert (pd.read_csv("o.csv")["predicted"] == "nein").mean() > 0.9
    ended = run("predict", "m.wct", "new.csv", "--reject", "20", "-o", "p.csv")
    assert (pd.read_csv("p.csv")["predicted"] == "nein").mean() < 0.7
    assert "new.csv: 300 rows, like those of training" in words(ended.err)
