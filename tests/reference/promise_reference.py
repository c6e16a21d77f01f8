"""Promises by exact arithmetic and plain loops: binomial tails as sums of fractions, tests one by one."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, exp, inf, lgamma

from numpy.random import RandomState


@cache
def tail(wrong, answered, error):
    """P(X <= wrong) for X ~ Bin(answered, error)."""
    p = Fraction(error)
    return sum(comb(answered, k) * p**k * (1 - p) ** (answered - k) for k in range(wrong + 1))


@cache
def allowed(answered, target, delta):
    """How many of so many answers may be wrong for the test to pass; -1: it fails without one, too."""
    k = -1
    while k < answered and tail(k + 1, answered, target) <= delta:
        k += 1
    return k


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
    """(m, candidates): how many of the most certain rows are tested first, and the candidates that may follow."""
    thresholds = candidates(reference, 200)
    total, total_wrong = accepted(reference, thresholds[-1])
    prior = 20 * min(Fraction(optimism * total_wrong, total), Fraction(1))
    of_count, of_candidate = [], []
    for threshold in thresholds:
        answered, wrong = accepted(reference, threshold)
        wrong = min(optimism * wrong, answered)
        expected = max(n * answered // len(reference), 1)
        m = expected
        while m > 1 and allowed(m - 1, target, delta) == allowed(expected, target, delta):
            m -= 1
        beta = float(wrong + prior + 1), float(answered - wrong + 20 - prior + 1)
        of_count.append((chance_to_pass(m, *beta, target, delta), m, threshold))
        of_candidate.append(chance_to_pass(expected, *beta, target, delta))
    most = max(chance for chance, _, _ in of_count)
    _, m, threshold = [each for each in of_count if each[0] >= most - 1e-9][-1]
    share = Fraction(accepted(reference, threshold)[0], len(reference))
    at = Fraction(sum(certainty == threshold for certainty, _ in reference), len(reference))
    if allowed(m, target, delta) >= 0 and (n * at) ** 2 < n * share * (1 - share):
        return m, thresholds
    surest = max(i for i, chance in enumerate(of_candidate) if chance >= max(of_candidate) - 1e-9)
    return 0, thresholds[surest:]


def promise(target, delta, rows, reference, optimism):
    """(threshold, answered, wrong) of the lowest candidate that passes; (inf, 0, 0) if none does."""
    best = (inf, 0, 0)
    first, thresholds = plan(target, delta, len(rows), reference, optimism)
    if first:
        order = RandomState(1).permutation(len(rows))
        by_certainty = [rows[i] for i in sorted(range(len(rows)), key=lambda i: (-rows[i][0], order[i]))]
        wrong = sum(not correct for _, correct in by_certainty[:first])
        if tail(wrong, first, target) > delta:
            return best
        after = [threshold for threshold in thresholds if accepted(rows, threshold)[0] > first]
        thresholds = after if first < len(rows) else thresholds[-1:]
    for threshold in thresholds:
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
