"""Promises: what it takes to choose a threshold that keeps one, beside growing the tree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from benchmarks._measuring import Row, numeric_dataset, seconds, side_by_side

import wekaconf as wc
from wekaconf.evaluation.thresholds import AnsweredRows, choices, choose_promised, draw_rows, rejection_of

ALLOWED = 0.1
"""Seconds that choosing may take on 100,000 calibration rows."""
AIMS = {
    "an error of 5 %": wc.Aim("error", 0.05, 0.95),
    "an error per class": wc.Aim("error", {"a": 0.05, "b": 0.1}, 0.95),
    "a mean cost": wc.Aim("mean_cost", 0.5, 0.95, wc.RejectCosts(5, 1)),
}


def promises() -> Iterator[Row]:
    """Choosing among answers at hand, and all that a promise adds to growing a tree."""
    rows, growing = _answered(100_000, seed=1), _answered(2_000, seed=2)
    for name, aim in AIMS.items():
        choose = partial(choose_promised, aim, rows, growing, ("a", "b"))
        taken, _ = side_by_side(choose, choose)
        yield Row(f"choosing a threshold for {name}, 100,000 calibration rows, against {ALLOWED} s", taken, ALLOWED, 1,
                  is_cost=True)  # fmt: skip

    data = numeric_dataset(300_000, 12, 2, seed=1, noise=1.0)
    is_held_out = draw_rows(len(data), 0.3)
    train, calibration = data.take(~is_held_out), data.take(is_held_out)
    aim = wc.Aim("error", 0.1, 0.95)
    wc.grow(train.take(slice(1000)))
    for name in ("leaf_frequency", "m_branch", "boundary_distance"):
        grown: list[wc.TreeMirror] = []
        alone = seconds(lambda grown=grown: grown.append(wc.grow(train)))  # type: ignore[misc]
        method = wc.method(name)

        def promise(method: wc.Method = method, grown: list[wc.TreeMirror] = grown) -> None:
            fitted = method.fit(grown[0], train)
            choices(rejection_of(aim, "out-of-fold"), [fitted], train, calibration, grow=wc.grow)

        claim = f"J48 with {name} on 210,000 × 12 and a promise on 90,000 rows, against growing the tree"
        yield Row(claim, alone + seconds(promise), alone, 6.3, is_cost=True)


def _answered(n: int, seed: int) -> AnsweredRows:
    """Answers that are the more often right the more certain they are."""
    rng = np.random.default_rng(seed)
    certainty, predicted = rng.random(n), rng.integers(0, 2, n)
    correct = rng.random(n) < 1 - 0.3 * (1 - certainty)
    return AnsweredRows(certainty, correct, np.ones(n), predicted, np.where(correct, predicted, 1 - predicted))
