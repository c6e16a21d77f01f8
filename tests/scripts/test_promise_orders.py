"""What a promise reaches by where its tests begin: the script's rules are the product's, and its sentences computed."""

import numpy as np
import promise_orders as orders
import pytest

from wekaconf.sklearn import RejectOption


@pytest.mark.parametrize(("rule", "given"), [("out of fold", {}), ("training", {"threshold_from": "training"})])
def test_the_rules_are_those_of_a_reject_option(rule, given):
    name = "logistic regression"
    for seed in (3, 5):
        rng = np.random.default_rng(seed)
        x, y, _ = orders.table(rng, orders.N_ROWS)
        option = RejectOption(orders.CLASSIFIERS[name], target_error=0.1, confidence=0.9, **given).fit(x, y)
        new_x = orders.table(rng, orders.N_POPULATION)[0]
        [reached] = [row[3] for row in orders.draw(name, seed) if row[2] == rule]
        assert reached == (~option.reject(new_x)).mean()


def test_the_error_of_a_rule_is_that_of_its_answers():
    rows = {row[2]: row for row in orders.draw("logistic regression", 4)}
    assert set(rows) == set(orders.RULES)
    for rule, (*_, reached, error) in rows.items():
        assert (error > 0) == (reached > 0) or rule == "true errors"
        assert reached <= rows["true errors"][3] or error > orders.TARGET


def rows_of(own, rival):
    """Draws in which the two rules reach this much."""
    reached = {
        "out of fold": own,
        "training": [0.0] * len(own),
        "errors alone": [0.1] * len(own),
        "strictest 15 %": rival,
    }
    reached["true errors"] = [0.4] * len(own)
    return [
        (name, seed, rule, value, 0.05) for name in orders.CLASSIFIERS for rule, values in reached.items()
        for seed, value in enumerate(values)
    ]  # fmt: skip


def test_a_start_that_reaches_less_is_said():
    rng = np.random.default_rng(1)
    own, rival = 0.3 + 0.01 * rng.random(60), 0.4 + 0.01 * rng.random(60)
    first = orders.compared(rows_of(own.tolist(), rival.tolist())).splitlines()[0]
    assert "significantly less than 0.95 times the 0.405 of *strictest 15 %*" in first and "not sig" not in first
    assert "; more than *training* (p = " in first
    first = orders.compared(rows_of(rival.tolist(), own.tolist())).splitlines()[0]
    assert "0.405, not significantly less than 0.95 times the 0.305 of *strictest 15 %*" in first


def test_an_order_that_breaks_too_many_promises_is_said():
    rows = [
        ("none", seed, rule, float(seed < n), orders.JUST_ABOVE)
        for rule, n in zip(orders.RULES[:-1], (100, 90, 130, 100), strict=True)
        for seed in range(1000)
    ]
    told = orders.broken(rows)
    assert (
        "*out of fold* 10.00 %, *training* 9.00 %, *errors alone* 13.00 %, too many, *strictest 15 %* 10.00 %" in told
    )
    assert "In 1,000 draws" in told and "allowed are 10 %, and with two standard errors 11.90 %" in told
