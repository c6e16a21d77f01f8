"""Promises by exact arithmetic and plain loops: binomial tails as sums of fractions, tests one by one."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, inf, lgamma


def tail(wrong, answered, error):
    """P(X <= wrong) for X ~ Bin(answered, error)."""
    p = Fraction(error)
    return sum(comb(answered, k) * p**k * (1 - p) ** (answered - k) for k in range(wrong + 1))


def upper_bound(wrong, answered, delta):
    """The error at which the tail falls to delta, by bisection."""
    if wrong == answered:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(wrong, answered, middle) > delta else (low, middle)
    return low


def accepted(rows, threshold):
    """(answered, wrong): rows are pairs of a certainty and whether the answer is correct."""
    answered = [correct for certainty, correct in rows if certainty >= threshold]
    return len(answered), answered.count(False)


def candidates(reference, most):
    """The distinct certainties of the reference rows, descending; of more than ``most``, those at even coverages."""
    thresholds = sorted({certainty for certainty, _ in reference}, reverse=True)
    if len(thresholds) <= most:
        return thresholds
    kept = []
    for i in range(most):
        share = Fraction(i, most - 1) * len(reference)
        kept.append(next(t for t in thresholds if accepted(reference, t)[0] >= share))
    return sorted(set(kept), reverse=True)


def beta(a, b):
    """The logarithm of the beta function."""
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def chance_to_pass(answered, wrong, right, target, delta):
    """P(tail(X, answered, target) <= delta) for X ~ Bin(answered, error), of a beta-distributed error."""
    chance, k = 0.0, 0
    while k <= answered and tail(k, answered, target) <= delta:
        chance += comb(answered, k) * exp(beta(k + wrong, answered - k + right) - beta(wrong, right))
        k += 1
    return chance


def plan(target, delta, n, reference, optimism):
    """The candidates in the order of their tests, planned before the n rows are answered."""
    thresholds = candidates(reference, 200)
    total, total_wrong = accepted(reference, thresholds[-1])
    prior = 20 * min(Fraction(optimism * total_wrong, total), Fraction(1))
    chances = []
    for threshold in thresholds:
        answered, wrong = accepted(reference, threshold)
        wrong = min(optimism * wrong, answered)
        chances.append(
            chance_to_pass(
                max(n * answered // len(reference), 1), float(wrong + prior + 1),
                float(answered - wrong + 20 - prior + 1), target, delta,
            )
        )  # fmt: skip
    surest = max(i for i, chance in enumerate(chances) if chance >= max(chances) - 1e-9)
    return thresholds[surest:]


def promise(target, delta, rows, reference, optimism):
    """(threshold, answered, wrong) of the lowest candidate that passes; (inf, 0, 0) if none does."""
    best = (inf, 0, 0)
    for threshold in plan(target, delta, len(rows), reference, optimism):
        answered, wrong = accepted(rows, threshold)
        if tail(wrong, answered, target) > delta:
            break
        best = (threshold, answered, wrong)
    return best


def bounds(delta, rows, reference):
    """For each of at most 20 candidates: threshold, answered, wrong, and a bound; all bounds hold at once."""
    found = []
    thresholds = candidates(reference, 20)
    for threshold in thresholds:
        answered, wrong = accepted(rows, threshold)
        found.append((threshold, answered, wrong, upper_bound(wrong, answered, delta / len(thresholds))))
    return found
