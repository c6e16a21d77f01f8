"""Costs that decide the label: the rule against its literal form, and every door that answers by it."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.cost_decision_reference import certainty, decide

import wekaconf as wc
from wekaconf.base.rounding import most_probable
from wekaconf.data import CostMatrix
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.cross_validation import FoldAnswers
from wekaconf.evaluation.cross_validation._fold_answers import joined
from wekaconf.evaluation.thresholds import Choice, Rejection, choices, choose
from wekaconf.in_weka import _messages as messages
from wekaconf.in_weka import _service as service
from wekaconf.model.file import model_bytes, model_of_bytes

COSTS = [[0, 1], [5, 0]]
AIM = Aim("cost", (COSTS, 0.7))


def matrices(n):
    """Costs of mistakes, none below that of the right answer, which may cost something itself."""
    cells = st.lists(st.lists(st.integers(0, 40), min_size=n, max_size=n), min_size=n, max_size=n)
    right = st.lists(st.integers(0, 3), min_size=n, max_size=n)

    def made(given):
        mistakes, diagonal = given
        return [[diagonal[j] + (0 if i == j else 1 + mistakes[i][j]) for j in range(n)] for i in range(n)]

    return st.tuples(cells, right).map(made)


@st.composite
def questions(draw):
    n = draw(st.integers(2, 5))
    weights = draw(st.lists(st.integers(0, 30), min_size=n, max_size=n).filter(any))
    return [w / sum(weights) for w in weights], draw(matrices(n)), draw(st.integers(0, 50)) / 4


@settings(max_examples=300, deadline=None)
@given(questions())
def test_the_rule_is_that_of_the_literal_form(question):
    proba, costs, rejection = question
    rule = wc.RejectCosts(costs, rejection)
    [predicted], [found] = rule.decision(np.array([proba]))
    best, least, is_dear = decide(proba, costs, rejection)
    expected = [sum(p * costs[i][j] for i, p in enumerate(proba)) for j in range(len(costs))]
    assert expected[predicted] == pytest.approx(min(expected), abs=1e-9)
    if sum(cost < min(expected) + 1e-8 for cost in expected) == 1:
        assert predicted == best
    assert found == pytest.approx(float(certainty(least, costs, rejection)), abs=1e-12)
    if abs(float(least) - rejection) > 1e-9:
        assert (found < rule.threshold) == is_dear


@settings(max_examples=100, deadline=None)
@given(questions(), st.floats(0.01, 1000), st.floats(0, 1))
def test_errors_of_one_cost_are_decided_as_chow_s_rule_does_to_the_last_bit(question, error, share):
    proba = np.array([question[0]])
    n = proba.shape[1]
    rule = wc.RejectCosts(error * (1 - np.eye(n)), error * share)
    predicted, found = rule.decision(proba)
    assert predicted.tolist() == most_probable(proba).tolist() and found.tolist() == proba.max(axis=1).tolist()
    assert rule.threshold == Aim("chow", (error, error * share)).fixed_threshold


@settings(max_examples=100, deadline=None)
@given(questions(), st.integers(0, 60))
def test_the_unit_of_the_costs_does_not_matter(question, power):
    proba, costs, rejection = question
    scaled = wc.RejectCosts(np.array(costs) * 2.0**power, rejection * 2.0**power)
    rule = wc.RejectCosts(costs, rejection)
    for one, other in zip(rule.decision(np.array([proba])), scaled.decision(np.array([proba])), strict=True):
        assert one.tolist() == other.tolist()
    assert rule.threshold == scaled.threshold


def test_equal_costs_are_those_of_the_first_class():
    rule = wc.RejectCosts([[0, 1, 1], [1, 0, 1], [1, 1, 0]], 1)
    thirds = np.array([[0.1 + 0.2, 0.3, 0.4 - 1e-14], [0.3, 0.1 + 0.2, 0.4], [0.3, 0.3 + 1e-13, 0.3]])
    assert rule.decision(thirds)[0].tolist() == [2, 2, 0]


def test_an_instance_without_an_answer_has_no_certainty():
    predicted, found = wc.RejectCosts(COSTS, 0.7).decision(np.zeros((1, 2)))
    assert predicted.tolist() == [0] and found.tolist() == [0]


# ---- aims ----


def test_an_aim_takes_costs_in_several_forms():
    assert Aim("cost", (CostMatrix(COSTS), 0.7)) == Aim("cost", wc.RejectCosts(COSTS, 0.7)) == AIM
    assert Aim.parse("cost", "[0 1; 5 0]:0.7") == AIM and Aim("cost", (np.array(COSTS), 0.7)) == AIM
    assert Aim("cost", wc.RejectCosts(10, 1)) == Aim("cost", (10, 1)) == Aim.parse("cost", "10:1")
    assert AIM.fixed_threshold == (5 - 0.7) / 5 and Aim("cost", (10, 1)).fixed_threshold is None
    assert str(AIM) == "least expected cost, costs [0 1; 5 0]:0.7"
    choice = choose(AIM, [], [])
    assert Choice.of_record(json.loads(json.dumps(choice.as_record()))) == choice
    dear = Aim("cost", (COSTS, 20))
    assert dear.fixed_threshold == 0 and dear.counted_costs.largest == 20


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Aim("cost", ([[0, 1], [-5, 0]], 1)), "cost matrix: the mistake in row 2, column 1 costs -5, less than"),
    (lambda: Aim("cost", ([[-1, 1], [5, -1]], 1)), "every answer must cost at least 0"),
    (lambda: Aim("cost", ([[0, 1], [5]], 1)), "expected rows of numbers of one length"),
    (lambda: Aim("cost", ([[0, 1, 2], [5, 0, 1]], 1)), "expected as many columns as rows"),
    (lambda: Aim("cost", (COSTS, -1)), "a rejection must cost at least 0, got -1"),
    (lambda: Aim("cost", (COSTS, "1")), "a rejection must cost at least 0, got '1'"),
    (lambda: Aim("chow", (COSTS, 1)), "chow must be the cost of an error"),
    (lambda: Aim("chow", ("10", 1)), r"at least 0, such as \(10, 1\); got \('10', 1\)$"),
    (lambda: Aim.parse("cost", "absent.cost:1"), "absent.cost: no such file"),
    (lambda: Aim.parse("cost", "[0 1; 5 0]"), "cost expects the cost of an error and that of a rejection"),
    (lambda: Aim.parse("cost", "[0 1; 5 0]:x"), "cost expects the cost of an error, or Weka's cost file, and"),
    (lambda: CostMatrix(COSTS, ("a",)), "expected 2 names of classes, got 1"),
    (lambda: CostMatrix(pd.DataFrame(COSTS, index=["b", "a"], columns=["a", "b"])), "rows in the order of the columns"),
])  # fmt: skip
def test_costs_that_are_none(make, message):
    with pytest.raises(wc.OptionError, match=message):
        make()


# ---- a model, through every door ----


@pytest.fixture(scope="module")
def rows():
    """Rows whose class is *ja* for about a third; the columns tell it but roughly."""
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.normal(size=(900, 3)).round(2), columns=["alter", "dosis", "druck"])
    chance = 1 / (1 + np.exp(1 - 1.5 * frame["alter"] - frame["dosis"]))
    return frame.assign(befund=np.where(rng.random(900) < chance, "ja", "nein"))


@pytest.fixture(scope="module")
def model(rows):
    known = wc.Dataset.from_pandas(rows[:600])
    return wc.fit(known, "m_branch", learner="CART", aim=AIM)


@pytest.fixture(scope="module")
def plain(model):
    return replace(model, choice=None)


@pytest.fixture(scope="module")
def new(rows, model):
    return wc.Dataset.from_pandas(rows[600:], header=model.header)


@pytest.fixture(scope="module")
def wanted(plain, new):
    """Classes, certainties and rejections, by the literal form."""
    proba = plain.predict_proba(new)
    decided = [decide(row, COSTS, 0.7) for row in proba.tolist()]
    places, costs, is_dear = zip(*decided, strict=True)
    return np.array(places), [float(certainty(least, COSTS, 0.7)) for least in costs], list(is_dear)


def test_a_model_answers_what_costs_least(model, plain, new, wanted):
    answer = model.answer(new)
    places, certainties, is_dear = wanted
    assert answer.predicted.tolist() == places.tolist() == model.predict(new).tolist()
    assert answer.certainty == pytest.approx(certainties, abs=1e-12)
    assert answer.is_rejected.tolist() == is_dear == model.reject(new).tolist()
    assert (answer.predicted != plain.predict(new)).any() and 0 < sum(is_dear) < len(new)
    np.testing.assert_array_equal(answer.proba, plain.predict_proba(new))
    assert answer.labels.tolist() == [model.header.class_names[c] for c in places]
    assert model.reject(new, below=0.9).tolist() == (answer.certainty < 0.9).tolist()
    assert model.certainty_range.low == 0 and "saves" not in str(model.certainty_range)


def test_reasons_say_what_answers_are_expected_to_cost(model, plain, new):
    answer, names = model.answer(new), model.header.class_names
    for i, (text, bare) in enumerate(zip(answer.grounds[:20], plain.answer(new).grounds[:20], strict=True)):
        c = int(answer.predicted[i])
        costs = answer.proba[i] @ np.array(COSTS)
        begin, _, rest = text.partition("; ")
        assert rest == bare and begin.startswith("least expected cost ")
        told = [float(word.strip("(),")) for word in begin.split() if word.strip("(),").replace(".", "").isdigit()]
        assert told == pytest.approx([costs[c], costs[1 - c], 0.7], rel=0.006)
        assert f"({names[1 - c]} would cost " in begin and begin.endswith(", a human 0.7)")
        assert answer.grounds[i] == text and answer.reason(i).endswith(f": {text}")


def test_of_many_classes_the_cheapest_are_named():
    costs = wc.RejectCosts(1 - np.eye(6), 0.5)
    data = wc.Dataset.from_pandas(pd.DataFrame({"x": [1.0] * 21, "y": list("abbcccddddeeeeeffffff")}))
    model = wc.fit(data, learner="CART", aim=Aim("cost", costs))
    text = model.answer(data).grounds[0].partition(";")[0]
    assert text == (
        "least expected cost 0.714 (e would cost 0.762, d would cost 0.81, c would cost 0.857, 2 more classes no "
        "less, a human 0.5)"
    )


def test_an_account_follows_from_the_distribution(model, new):
    answer = model.answer(new)
    for i in (0, 7, 30):
        account = answer.explanation.account(i)
        assert account.predicted == answer.predicted[i] and account.certainty.result == answer.certainty[i]
        [part] = account.certainty.parts
        weights = account.certainty.values["weights"]
        assert account.certainty.rule == "expected" and part.result == tuple(answer.proba[i])
        assert sum(w * p for w, p in zip(weights, part.result, strict=True)) == account.certainty.result
        assert account.steps.result == tuple(answer.proba[i])
        name = model.header.class_names[account.predicted]
        assert f"the share that answering {name} saves of the largest cost, 5" in str(account)


def test_frames_notebooks_and_pickles_say_the_same(model, rows, new):
    answer, frame = model.answer(new), model.answer_frame(rows[600:])
    assert frame["predicted"].tolist() == answer.labels.tolist() == answer.columns()["predicted"]
    assert frame["certainty"].tolist() == answer.certainty.tolist()
    assert frame["rejected"].tolist() == answer.is_rejected.tolist() and frame["reason"].tolist() == answer.reasons[:]
    again = pickle.loads(pickle.dumps(answer))
    assert again.labels.tolist() == answer.labels.tolist() and again.reasons[:5] == answer.reasons[:5]
    assert again.certainty.tolist() == answer.certainty.tolist()
    assert again.is_rejected.tolist() == answer.is_rejected.tolist()
    html = answer._repr_html_()
    n_first = int((answer.predicted == 0).sum())
    assert f"{n_first}" in html and "least expected cost" in html


def test_a_file_keeps_the_costs(model, new, tmp_path):
    model.save(tmp_path / "m.wct")
    read = wc.load(tmp_path / "m.wct")
    assert read.choice == model.choice and read.choice.aim == AIM
    one, other = model.answer(new), read.answer(new)
    for name in ("predicted", "certainty", "is_rejected", "proba"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()
    assert model_bytes(read) == (tmp_path / "m.wct").read_bytes()
    with pytest.raises(wc.OptionError, match="cost: expected 2 rows and columns, one per class"):
        replace(model, choice=choose(Aim("cost", (1 - np.eye(3), 1)), [], []))


def test_weka_s_door_answers_so(model, new):
    file = model_bytes(model)
    request = {
        "action": ["answer"], "key": np.zeros(32, dtype=np.uint8), "model": file,
        "cells": new.values.ravel().copy(), "sparse_rows": np.zeros(0, dtype=np.int32),
    }  # fmt: skip
    read, answer = model_of_bytes(file, "m"), model.answer(new)
    assert read.choice == model.choice
    found = service._answer(request | {"key": b"costs"})
    assert found["certainty"].tolist() == answer.certainty.tolist()
    assert found["rejected"].tolist() == answer.is_rejected.astype(int).tolist()
    assert messages.pack(found)


def test_a_check_counts_answers_and_costs(model, rows, new, wanted):
    places, _, is_dear = wanted
    actual = new.class_values
    cost = np.where(is_dear, 0.7, np.array(COSTS)[actual, places])
    check = model.check(rows[600:])
    assert check.is_wrong.tolist() == (places != actual).tolist() and check.cost.tolist() == cost.tolist()
    assert check.mean_cost == cost.mean() == check.record["mean_cost"]
    assert f"mean cost per row {cost.mean():.4g}" in str(check)
    assert replace(model, choice=None).check(rows[600:]).mean_cost is None


def test_costs_of_classes_in_another_order_are_refused(rows):
    known = wc.Dataset.from_pandas(rows[:100])
    ordered, swapped = (pd.DataFrame(COSTS, columns=names, index=names) for names in (["ja", "nein"], ["nein", "ja"]))
    assert wc.fit(known, learner="CART", aim=Aim("cost", (ordered, 0.7))).choice.aim == AIM
    with pytest.raises(wc.OptionError, match=r"cost.* in their order \('ja', 'nein'\), got those of 'nein', 'ja'"):
        wc.fit(known, learner="CART", aim=Aim("cost", (swapped, 0.7)))
    with pytest.raises(wc.OptionError, match=r"reject_costs.* in their order .*, got those of 'nein', 'ja'"):
        wc.fit(known, learner="CART", aim=Aim("mean_cost", 0.6, 0.9, wc.RejectCosts(swapped, 0.7)))


# ---- promises ----


def test_a_promise_is_about_the_answers_of_least_expected_cost(rows):
    aim = Aim("mean_cost", 0.69, 0.8, wc.RejectCosts(COSTS, 0.7))
    known = wc.Dataset.from_pandas(rows)
    model = wc.fit(known, "m_branch", learner="CART", aim=aim, calibrate=0.5)
    answer = model.answer(known)
    proba = answer.proba
    assert answer.predicted.tolist() == [decide(row, COSTS, 0.7)[0] for row in proba.tolist()]
    [promise] = model.choice.promises
    assert promise.costs == aim.reject_costs and promise.n == 450


def test_the_calibration_rows_are_counted_by_what_they_are_answered(rows):
    aim = Aim("mean_cost", 0.69, 0.8, wc.RejectCosts(COSTS, 0.7))
    growing, calibration = (wc.Dataset.from_pandas(rows[part]) for part in (slice(0, 400), slice(400, 900)))
    method = wc.method("m_branch").fit(wc.CART().grow(growing), growing)
    [choice] = choices(Rejection(aim), [method], growing, calibration)
    [promise] = choice.promises
    predicted, _ = aim.reject_costs.decision(method.predict_proba(calibration))
    assert promise.n_wrong == int((predicted != calibration.class_values).sum())
    assert promise.n_wrong != int((method.predict(calibration) != calibration.class_values).sum())


def test_second_opinion_is_calibrated_by_the_answers_that_costs_decide(rows):
    """What it knows out of fold are other answers."""
    aim = Aim("mean_cost", 0.69, 0.8, wc.RejectCosts(COSTS, 0.7))
    known = wc.Dataset.from_pandas(rows)
    model = wc.fit(known, wc.method("second_opinion", folds=3), learner="CART", aim=aim)
    answer = model.answer(known)
    assert answer.predicted.tolist() == aim.reject_costs.decision(answer.proba)[0].tolist()
    assert answer.certainty.tolist() == aim.reject_costs.decision(answer.proba)[1].tolist()


# ---- evaluations ----


def test_an_evaluation_counts_the_answers_and_what_they_cost(rows, tmp_path):
    data = wc.Dataset.from_pandas(rows)
    protocol = wc.Protocol(folds=3, aim=AIM)
    methods, store = ["m_branch", "leaf_frequency"], tmp_path / "s"
    found = wc.evaluate(data, methods=methods, protocol=protocol, learner="CART", resume=store)
    bare = wc.evaluate(data, methods=methods, protocol=wc.Protocol(folds=3), learner="CART")
    for (record, answers), (_, likeliest) in zip(found, bare, strict=True):
        np.testing.assert_array_equal(answers.proba, likeliest.proba)
        assert likeliest.given is None
        places, certainties = AIM.counted_costs.decision(answers.proba)
        assert answers.predicted.tolist() == places.tolist() and answers.given is not None
        assert answers.certainty.tolist() == certainties.tolist()
        is_right = places == answers.actual
        assert answers.is_correct.tolist() == is_right.tolist()
        assert record["pooled"]["percent_correct"] == pytest.approx(100 * is_right.mean())
        cost = np.where(answers.rejected, 0.7, np.array(COSTS)[answers.actual, places])
        assert record["reject"]["mean_cost"] == pytest.approx(cost.mean())
        assert 0 < answers.rejected.mean() < 1
        split = answers.of_split(1)
        assert split.predicted.tolist() == places[answers.split == 1].tolist()
    again = wc.evaluate(data, methods=["m_branch"], protocol=protocol, learner="CART", resume=store)
    assert again[0][0]["reject"] == found[0][0]["reject"]
    assert again[0][1].predicted.tolist() == found[0][1].predicted.tolist()


def test_the_measures_of_a_method_do_not_depend_on_the_others(rows):
    data, protocol = wc.Dataset.from_pandas(rows[:300]), wc.Protocol(folds=3, aim=AIM)
    both = wc.evaluate(data, methods=["m_branch", "leaf_frequency"], protocol=protocol, learner="CART")
    for i, name in enumerate(("m_branch", "leaf_frequency")):
        [(record, _)] = wc.evaluate(data, methods=name, protocol=protocol, learner="CART")
        assert record["fold_mean"] == both[i][0]["fold_mean"] and record["reject"] == both[i][0]["reject"]


def test_answers_to_folds_keep_others_than_the_likeliest():
    proba, zeros = np.array([[0.9, 0.1], [0.4, 0.6]]), np.zeros(2)
    likeliest = FoldAnswers(proba, proba, proba, zeros, zeros)
    other = replace(likeliest, given=np.array([1, 1]))
    assert likeliest.predicted.tolist() == [0, 1] and joined([likeliest]).given is None
    assert joined([likeliest, other]).given.tolist() == [0, 1, 1, 1]
    wide = other.with_columns(np.array([True, False, True]))
    assert wide.given.tolist() == [2, 2] and wide.proba.shape == (2, 3)


def test_a_table_of_answers_has_no_probabilities_to_decide_by(rows):
    given = {"actual": rows["befund"], "predicted": rows["befund"][::-1].to_numpy(), "certainty": np.full(900, 0.7)}
    scores = wc.Scores(**given)
    with pytest.raises(wc.OptionError, match="cost: a matrix of costs decides answers by their probabilities"):
        scores.choose(AIM)
