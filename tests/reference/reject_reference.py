"""The reject option as its definitions read: every threshold tried, every order of equals taken, sums in fractions.

Each function takes ``certainty``, ``correct`` and ``weights``, lists of one length, and gives a float, NaN where the
definition divides by zero, or fractions.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from itertools import groupby, permutations, product

LARGEST = sys.float_info.max
"""The threshold that accepts certainties of ∞ only; ∞ rejects everything."""


def ratio(part, whole):
    return float(Fraction(part) / Fraction(whole)) if whole else math.nan


def figures(certainty, correct, weights, threshold):
    """Weights of accepted correct and wrong, rejected correct and wrong; ``threshold`` a list, one an instance."""
    table = {(accepted, right): Fraction(0) for accepted, right in product((True, False), repeat=2)}
    for c, right, w, t in zip(certainty, correct, weights, threshold, strict=True):
        table[c >= t and t < math.inf, bool(right)] += Fraction(w)
    return table[True, True], table[True, False], table[False, True], table[False, False]


def all_figures(certainty, correct, weights, threshold):
    right, wrong, lost, caught = figures(certainty, correct, weights, threshold)
    n = right + wrong + lost + caught
    return {
        "n": float(n),
        "accepted": float(right + wrong),
        "rejected": float(lost + caught),
        "correct": float(right),
        "wrong": float(wrong),
        "rejected_correct": float(lost),
        "rejected_wrong": float(caught),
        "coverage": ratio(right + wrong, n),
        "error": ratio(wrong, right + wrong),
        "error_without_rejecting": ratio(wrong + caught, n),
        "kept_correct": ratio(right, right + lost),
        "caught_wrong": ratio(caught, wrong + caught),
    }


def choose(kind, target, certainty, correct, weights):
    """The threshold, by trying every candidate; ``target`` a fraction, or for costs a pair of fractions."""
    candidates = sorted({min(c, LARGEST) for c, w in zip(certainty, weights, strict=True) if w > 0} | {math.inf})
    fitting, costs = [], {}
    for t in candidates:
        right, wrong, lost, caught = figures(certainty, correct, weights, [t] * len(certainty))
        n = right + wrong + lost + caught
        if (
            (kind == "keep" and right >= target * (right + lost))
            or (kind == "coverage" and right + wrong >= target * n)
            or (kind == "error" and right + wrong > 0 and wrong <= target * (right + wrong))
        ):
            fitting.append(t)
        if kind == "cost":
            costs[t] = target[0] * wrong + target[1] * (lost + caught)
    if kind == "cost":
        return min(t for t in candidates if costs[t] == min(costs.values()))
    if kind == "error":
        return min(fitting, default=math.inf)
    return max(fitting)


def least_error(certainty, correct, weights):
    """The threshold of the smallest error among those that accept something, of equal ones the lowest; or None."""
    errors = {}
    for t in {min(c, LARGEST) for c, w in zip(certainty, weights, strict=True) if w > 0}:
        right, wrong, _, _ = figures(certainty, correct, weights, [t] * len(certainty))
        errors[t] = wrong / (right + wrong)
    return min((t for t in errors if errors[t] == min(errors.values())), default=None)


def sorted_groups(certainty, correct, weights):
    """Groups of equal certainty from the most certain down, each a list of (weight, is wrong), lightest first."""
    rows = sorted(((-c, w, not right) for c, right, w in zip(certainty, correct, weights, strict=True) if w > 0))
    return [[(Fraction(w), wrong) for _, w, wrong in group] for _, group in groupby(rows, key=lambda row: row[0])]


def aurc(certainty, correct, weights):
    """Wrong weight of each group of equals spread evenly over the group."""
    weight = wrong = area = Fraction(0)
    for group in sorted_groups(certainty, correct, weights):
        share = sum(w for w, is_wrong in group if is_wrong) / sum(w for w, _ in group)
        for w, _ in group:
            weight += w
            wrong += w * share
            area += w * wrong / weight
    return ratio(area, weight)


def aurc_over_all_orders(certainty, correct):
    """Mean selective risk over the ranks, and over every order in which equals may come; unit weights."""
    groups = sorted_groups(certainty, correct, [1] * len(certainty))
    areas = []
    for orders in product(*(permutations(group) for group in groups)):
        wrong, risks = 0, []
        for rank, (_, is_wrong) in enumerate((item for group in orders for item in group), start=1):
            wrong += is_wrong
            risks.append(Fraction(wrong, rank))
        areas.append(sum(risks) / len(risks))
    return ratio(sum(areas), len(areas))


def least_aurc(correct):
    """The least area over every order of the answers; unit weights."""
    n = len(correct)
    return min(aurc([n - rank for rank in order], correct, [1] * n) for order in permutations(range(n)))


def error_at(certainty, correct, weights, coverage):
    """Error among the most certain, the group in which the share ends taken in part."""
    left = total = Fraction(coverage) * sum(map(Fraction, weights))
    wrong = Fraction(0)
    for group in sorted_groups(certainty, correct, weights):
        weight = sum(w for w, _ in group)
        taken = min(left, weight)
        wrong += taken * sum(w for w, is_wrong in group if is_wrong) / weight
        left -= taken
    return ratio(wrong, total)


def curve(certainty, correct, weights):
    """(threshold, accepted, wrong) for every distinct certainty, descending."""
    points = []
    for t in sorted({min(c, LARGEST) for c, w in zip(certainty, weights, strict=True) if w > 0}, reverse=True):
        right, wrong, _, _ = figures(certainty, correct, weights, [t] * len(certainty))
        points.append((t, float(right + wrong), float(wrong)))
    return points


def auroc(certainty, positive, weights):
    certainty = [round(c, 12) if math.isfinite(c) else c for c in certainty]
    won = every = Fraction(0)
    for c, p, w in zip(certainty, positive, weights, strict=True):
        for d, q, v in zip(certainty, positive, weights, strict=True):
            if p and not q:
                pair = Fraction(w) * Fraction(v)
                every += pair
                won += pair if c > d else pair / 2 if c == d else 0
    return ratio(won, every)


def outcome(correct, rejected, weights, chosen):
    """(n, correct %, missed %, rejected %) of the chosen."""
    parts = {"correct": Fraction(0), "missed": Fraction(0), "rejected": Fraction(0)}
    for right, unanswered, w, is_chosen in zip(correct, rejected, weights, chosen, strict=True):
        if is_chosen:
            parts["rejected" if unanswered else "correct" if right else "missed"] += Fraction(w)
    n = sum(parts.values())
    return (float(n), *(ratio(100 * part, n) for part in parts.values()))
