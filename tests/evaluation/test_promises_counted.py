"""The proof of promises in short: how many are broken where the truth is known, and what faults make of it."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from scipy.stats import binomtest

import wekaconf as wc
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.measures import Certainties
from wekaconf.evaluation.promises._promise import TestPlan as Plan
from wekaconf.evaluation.thresholds import AnsweredRows, Order, choose_promised

promise = import_module("wekaconf.evaluation.promises._promise")  # its package has a function of that name
TARGET, DELTA, DRAWS = 0.05, 0.05, 4000


def population(errors, n=6000):
    """Rows in equal steps of the certainty, descending, whose error up to each step is known."""
    size = n // len(errors)
    wrong = np.diff(np.round(np.array(errors) * size * np.arange(1, len(errors) + 1)), prepend=0).astype(int)
    certainty = np.repeat(1 - np.arange(len(errors)) / len(errors), size)
    correct = np.concatenate([np.arange(size) >= w for w in wrong])
    return Certainties(certainty, correct, np.ones(len(certainty)))


JUMP = population([0.01, 0.0502])
"""The error is far below the target at the first step, and just above it at the second."""
ABOVE = population([0.0502])
RIPPLES = population([0.0502] * 30)
"""The error is just above the target everywhere."""


def is_broken_too_often(rows, n=300):
    """Whether more promises are broken than allowed, by an exact test; the population is its own reference."""
    rng = np.random.default_rng(1)
    plan = Plan.of(TARGET, DELTA, rows, n)
    broken = 0
    for _ in range(DRAWS):
        drawn = rng.integers(0, len(rows.certainty), n)
        chosen = plan.promise(Certainties(*(array[drawn] for array in rows)))
        accepted = rows.certainty >= chosen.threshold
        broken += bool(accepted.any() and (~rows.correct[accepted]).mean() > TARGET)
    return binomtest(broken, DRAWS, DELTA, alternative="greater").pvalue < 0.001


@pytest.mark.parametrize("rows", [JUMP, ABOVE, RIPPLES], ids=["jump", "above", "ripples"])
def test_promises_are_kept(rows):
    assert not is_broken_too_often(rows)


def test_bounds_hold_at_once():
    rng, outside = np.random.default_rng(2), 0
    plan = Plan.of(TARGET, DELTA, RIPPLES, 300)
    true_errors = [(~RIPPLES.correct[RIPPLES.certainty >= level]).mean() for level in plan.kept]
    for _ in range(DRAWS):
        drawn = rng.integers(0, len(RIPPLES.certainty), 300)
        outside += bool((plan.promise(Certainties(*(array[drawn] for array in RIPPLES))).bounds < true_errors).any())
    assert binomtest(outside, DRAWS, DELTA, alternative="greater").pvalue > 0.001


def test_one_candidate_too_far(monkeypatch):
    carry_out = Plan.promise

    def too_far(plan, rows):
        found = carry_out(plan, rows)
        lower = [level for level in found.levels if level.threshold < found.threshold]
        return found if not found.is_reached or not lower else type("Chosen", (), {"threshold": lower[0].threshold})()

    monkeypatch.setattr(Plan, "promise", too_far)
    assert is_broken_too_often(JUMP)


def test_fewer_errors_than_there_are(monkeypatch):
    """P(X < wrong) in the place of P(X <= wrong)."""
    exact = promise.tail
    monkeypatch.setattr(
        promise, "tail", lambda wrong, answered, error: exact(np.maximum(np.asarray(wrong) - 1, 0), answered, error)
    )
    assert is_broken_too_often(ABOVE)


def test_every_candidate_tested_by_itself(monkeypatch):
    """The counts show each of these thresholds by itself, so that only the share of broken promises tells."""

    def last_passing(p_values, delta):
        passes = np.flatnonzero(p_values <= delta)
        return int(passes[-1]) + 1 if len(passes) else 0

    of = Plan.of.__func__
    monkeypatch.setattr(Plan, "of", classmethod(lambda *given: replace(of(*given), start=0)))
    monkeypatch.setattr(promise, "n_passing", last_passing)
    assert is_broken_too_often(RIPPLES)


def test_rows_that_grew_the_tree():
    """A tree knows noise by heart: on its own rows it never errs, and the promise is broken each time."""
    rng = np.random.default_rng(3)
    columns = tuple(wc.Attribute(f"x{i}") for i in range(3))
    header = wc.Header("noise", (*columns, wc.Attribute("class", "nominal", ("a", "b"))), 3)
    data = wc.Dataset(header, np.column_stack((rng.random((4000, 3)), rng.integers(0, 2, 4000).astype(float))))
    growing, others = data.take(slice(1000)), data.take(slice(1000, None))
    method = wc.method("leaf_frequency").fit(wc.CART(prune="none").grow(growing), growing)

    def answered(rows):
        answer = method.answer(rows)
        correct = answer.predicted == rows.class_values
        return AnsweredRows(answer.certainty, correct, np.ones(len(rows)), answer.predicted, rows.class_values)

    aim = Aim("error", TARGET, 1 - DELTA)
    assert choose_promised(aim, answered(growing), Order(answered(growing), 3), data.class_names).is_reached
    assert not choose_promised(aim, answered(others), Order(answered(growing), 3), data.class_names).is_reached
    with pytest.raises(wc.OptionError, match="repeat rows that the tree grew on"):
        wc.fit(growing, learner=method.tree_, aim=aim, calibrate=growing)
