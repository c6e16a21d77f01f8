"""Error targets with a confidence: equal to exact arithmetic, and kept on known populations."""

import numpy as np
import pytest
import scipy.stats
from reference.promise_reference import bounds as bounds_by_hand
from reference.promise_reference import promise as promise_by_hand
from reference.promise_reference import tail as tail_by_hand
from reference.promise_reference import upper_bound as upper_bound_by_hand

from wekaconf.evaluation.accepting import Certainties
from wekaconf.evaluation.bounds import interval, least_answers, tail, upper_bound
from wekaconf.evaluation.promise import promise


@pytest.mark.parametrize("seed", range(20))
def test_tails_and_bounds_equal_exact_arithmetic(seed):
    rng = np.random.default_rng(seed)
    answered = int(rng.integers(1, 120))
    wrong, error, delta = int(rng.integers(0, answered + 1)), float(rng.random()), float(rng.random())
    assert float(tail(wrong, answered, error)) == pytest.approx(float(tail_by_hand(wrong, answered, error)), rel=1e-9)
    assert float(upper_bound(wrong, answered, delta)) == pytest.approx(
        upper_bound_by_hand(wrong, answered, delta), abs=1e-9
    )
    low, high = interval(wrong, answered, 1 - delta)
    reference = scipy.stats.binomtest(wrong, answered).proportion_ci(1 - delta)
    assert (low, high) == pytest.approx((reference.low, reference.high), abs=1e-9)


def test_bounds_of_no_answers_and_of_nothing_but_errors():
    assert upper_bound([0, 3], [0, 3], 0.05).tolist() == [1.0, 1.0]
    assert interval(0, 0) == (0.0, 1.0)
    assert tail(0, 0, 0.1) == 1


@pytest.mark.parametrize(("error", "delta", "n"), [(0.02, 0.05, 149), (0.05, 0.05, 59), (0.1, 0.1, 22), (0.5, 0.5, 1),
                                                   (0.5, 0.25, 2), (1, 0.05, 1), (0, 0.05, None)])  # fmt: skip
def test_least_answers(error, delta, n):
    assert least_answers(error, delta) == n
    if n is not None and 0 < error < 1:
        assert (1 - error) ** n <= delta < (1 - error) ** (n - 1)


def drawn(rng, n, n_values, slope):
    """Certainties with ties, and answers that are right more often where they are high."""
    certainty = rng.integers(0, n_values, n) / n_values
    return Certainties(certainty, rng.random(n) < 1 - slope * (1 - certainty), np.ones(n))


@pytest.mark.parametrize("seed", range(60))
def test_equals_the_literal_form(seed):
    rng = np.random.default_rng(seed)
    n_values, slope = int(rng.choice([1, 3, 30, 500])), float(rng.choice([0.02, 0.1, 0.4]))
    rows, reference = (drawn(rng, int(rng.integers(1, 300)), n_values, slope) for _ in range(2))
    target, delta, optimism = (
        float(rng.choice([0.02, 0.05, 0.1, 0.3])),
        float(rng.choice([0.05, 0.1, 0.5])),
        int(rng.choice([1, 3])),
    )
    found = promise(target, delta, rows, reference, optimism=optimism)
    pairs = [list(zip(part.certainty.tolist(), part.correct.tolist(), strict=True)) for part in (rows, reference)]
    assert (found.threshold, found.answered, found.wrong) == promise_by_hand(target, delta, *pairs, optimism)
    by_hand = bounds_by_hand(delta, *pairs)
    assert list(found.levels) == [level[:3] for level in by_hand]
    assert found.bounds == pytest.approx([level[3] for level in by_hand], abs=1e-9)
    assert (found.n, found.n_wrong) == (len(rows.certainty), int((~rows.correct).sum()))
