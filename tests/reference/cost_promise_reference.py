"""Promised mean costs by plain loops; rows are (certainty, whether the answer is correct, what it costs)."""

from __future__ import annotations

from math import ceil, comb, e, erf, exp, inf, log, sqrt


def h1(a, b):
    """The divergence of a coin with probability a from one with b."""
    left = 0.0 if a == 0 else a * log(a / b)
    right = 0.0 if a == 1 else (1 - a) * log((1 - a) / (1 - b))
    return left + right


def mean_tail(mean, n, largest):
    """Bates et al. (2021): the smaller of Hoeffding's and Bentkus' bound."""
    if largest >= 1:
        return 0.0
    if largest <= 0:
        return 1.0
    most = min(ceil(round(mean * n, 9)), n)
    bentkus = e * sum(comb(n, k) * largest**k * (1 - largest) ** (n - k) for k in range(most + 1))
    return min(1.0, bentkus, exp(-n * h1(min(mean, largest), largest)))


def mean_bound(mean, n, delta):
    """The expectation at which the tail falls below delta, by bisection."""
    low, high = mean, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_tail(mean, n, middle) >= delta else (low, middle)
    return high


def level(rows, threshold, rejection):
    """(answered, wrong, cost of all rows) at a threshold."""
    answered = [row for row in rows if row[0] >= threshold]
    cost = sum(row[2] for row in answered) + (len(rows) - len(answered)) * rejection
    return len(answered), sum(not row[1] for row in answered), cost


def candidates(reference, most):
    """The distinct certainties of the reference rows, descending; of more than ``most``, those at even coverages."""
    thresholds = sorted({row[0] for row in reference}, reverse=True)
    if len(thresholds) <= most:
        return thresholds
    kept = []
    for i in range(most):
        share = i / (most - 1)
        kept.append(next(t for t in thresholds if level(reference, t, 0)[0] / len(reference) >= share))
    return sorted(set(kept), reverse=True)


def largest_passing_mean(n, target, alpha):
    """The largest mean that passes, -1 if none does."""
    if mean_tail(0.0, n, target) > alpha:
        return -1.0
    low, high = 0.0, min(target, 1.0)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_tail(middle, n, target) <= alpha else (low, middle)
    return low


def expected(reference, threshold, rejection, scale, optimism):
    """(coverage, mean, standard deviation) that the reference rows let expect, in shares of the largest cost."""
    moments = []
    for power in (1, 2):
        total = 1.0
        for certainty, correct, cost in reference:
            if certainty < threshold:
                total += (rejection / scale) ** power
            else:
                total += (1 if correct else optimism) * (cost / scale) ** power
        moments.append(min(total / (len(reference) + 1), 1.0))
    mean, square = moments
    return level(reference, threshold, 0)[0] / len(reference), mean, sqrt(max(square - mean**2, 0.0))


def plan(target, delta, rejection, scale, n, reference, optimism):
    """The candidates in the order of their tests, planned before the n rows are answered."""
    thresholds = candidates(reference, 200)
    limit = largest_passing_mean(n, target / scale, delta)
    chances = []
    for threshold in thresholds:
        _, mean, deviation = expected(reference, threshold, rejection, scale, optimism)
        room = limit - mean
        chances.append(0.5 * (1 + erf(room * sqrt(n) / deviation / sqrt(2))) if deviation > 0 else float(room >= 0))
    return thresholds[max(i for i, chance in enumerate(chances) if chance >= max(chances) - 1e-9) :]


def promise_cost(target, delta, rejection, scale, rows, reference, optimism):
    """(threshold, answered, wrong, cost) of the lowest candidate that passes; inf, 0, 0 and all rejected if none."""
    n = len(rows)
    chosen = (inf, 0, 0, n * rejection)
    for threshold in plan(target, delta, rejection, scale, n, reference, optimism):
        answered, wrong, cost = level(rows, threshold, rejection)
        if mean_tail(cost / (n * scale), n, target / scale) > delta:
            break
        chosen = (threshold, answered, wrong, cost)
    return chosen
