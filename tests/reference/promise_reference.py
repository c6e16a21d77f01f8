"""Promises by exact arithmetic and plain loops: binomial tails as sums of fractions, levels handed on one by one."""

from __future__ import annotations

from fractions import Fraction
from math import comb, inf


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


def chance_to_pass(answered, error, target, level):
    """P(tail(X, answered, target) <= level) for X ~ Bin(answered, error)."""
    most = -1
    while most < answered and tail(most + 1, answered, target) <= level:
        most += 1
    return float(tail(most, answered, error)) if most >= 0 else 0.0


def plan(target, delta, n, reference, optimism):
    """The candidates and the level of each one's own test, planned before the n rows are answered."""
    thresholds = candidates(reference, 200)
    expected = []
    for threshold in thresholds:
        answered, wrong = accepted(reference, threshold)
        error = min(Fraction(optimism * wrong + 1, answered + 1), Fraction(1))
        expected.append((max(n * answered // len(reference), 1), error, Fraction(answered, len(reference))))

    others = []
    for share in (1, 2, 3, 4, 5):
        place = next(i for i, (_, _, coverage) in enumerate(expected) if coverage >= Fraction(share, 5))
        if (1 - Fraction(target)) ** expected[place][0] <= Fraction(delta) / 4 / 5:
            others.append(place)
    first = Fraction(delta) * Fraction(3, 4) if others else Fraction(delta)
    chances = [chance_to_pass(answered, error, target, first) for answered, error, _ in expected]
    surest = max(i for i, chance in enumerate(chances) if chance >= max(chances) - 1e-9)

    own = [Fraction(0)] * len(thresholds)
    own[surest] += first
    for place in others:
        own[place] += Fraction(delta) / 4 / len(others)
    return thresholds, own


def promise(target, delta, rows, reference, optimism):
    """(threshold, answered, wrong) of the lowest candidate that passes; (inf, 0, 0) if none does."""
    thresholds, own = plan(target, delta, len(rows), reference, optimism)
    best, handed_on = (inf, 0, 0), Fraction(0)
    for threshold, own_level in zip(thresholds, own, strict=True):
        answered, wrong = accepted(rows, threshold)
        level, handed_on = own_level + handed_on, Fraction(0)
        if level > 0 and answered > 0 and tail(wrong, answered, target) <= level:
            best, handed_on = (threshold, answered, wrong), level
    return best


def bounds(delta, rows, reference):
    """For each of at most 20 candidates: threshold, answered, wrong, and a bound; all bounds hold at once."""
    found = []
    thresholds = candidates(reference, 20)
    for threshold in thresholds:
        answered, wrong = accepted(rows, threshold)
        found.append((threshold, answered, wrong, upper_bound(wrong, answered, delta / len(thresholds))))
    return found
