"""The metrics as their definitions read: every pair of instances compared, sums in exact fractions.

Each function takes ``proba`` (a list of rows), ``actual`` (class index, −1 when missing) and ``weights``, and
gives a float, NaN where the definition divides by zero.
"""

from __future__ import annotations

import math
from fractions import Fraction


def ratio(part, whole):
    return float(part / whole) if whole else math.nan


def mean(values):
    return ratio(sum(map(Fraction, values)), Fraction(len(values)))


def area(score, weight, positives, negatives, tie):
    """Share of (positive, negative) pairs ranked rightly, or None without pairs."""
    won = every = Fraction(0)
    for x in positives:
        for y in negatives:
            pair = Fraction(weight[x]) * Fraction(weight[y])
            every += pair
            if score[x] > score[y]:
                won += pair
            elif score[x] == score[y]:
                won += tie * pair
    return won / every if every else None


def column(proba, c):
    return [row[c] for row in proba]


def members(actual, c):
    return [i for i, a in enumerate(actual) if a == c]


def one_vs_rest(proba, actual, weights, n_classes, *, tie, others):
    """Area of each class; ``others`` says which instances that are not of the class count as negatives."""
    areas = []
    for c in range(n_classes):
        negatives = [i for i, a in enumerate(actual) if a != c and others(a)]
        areas.append(area(column(proba, c), weights, members(actual, c), negatives, tie))
    return areas


def percent_correct(proba, actual, weights, n_classes):
    right = scored = Fraction(0)
    for row, a, w in zip(proba, actual, weights, strict=True):
        if a == -1:
            continue
        scored += Fraction(w)
        best, predicted = 0.0, None
        for c in range(n_classes):
            if row[c] > best:
                best, predicted = row[c], c
        if predicted == a:
            right += Fraction(w)
    return ratio(100 * right, scored)


def areas_under_roc(proba, actual, weights, n_classes):
    areas = one_vs_rest(proba, actual, weights, n_classes, tie=Fraction(1, 2), others=lambda a: True)
    return [math.nan if a is None else float(a) for a in areas]


def auc_mean(proba, actual, weights, n_classes):
    areas = one_vs_rest(proba, actual, weights, n_classes, tie=Fraction(1, 2), others=lambda a: a != -1)
    return mean([a for a in areas if a is not None])


def auc_mean_no_ties(proba, actual, weights, n_classes):
    rounded = [[round(p, 9) for p in row] for row in proba]
    areas = one_vs_rest(rounded, actual, weights, n_classes, tie=0, others=lambda a: a != -1)
    return mean([a for a in areas if a is not None])


def auc_weighted(proba, actual, weights, n_classes, ranking):
    areas = areas_under_roc(ranking, actual, weights, n_classes)
    counts = [sum(Fraction(weights[i]) for i in members(actual, c) if any(proba[i])) for c in range(n_classes)]
    total = math.fsum(float(n) * a for n, a in zip(counts, areas, strict=True) if n)
    return ratio(total, float(sum(counts)))


def auc_hand_till(proba, actual, weights, n_classes):
    areas = []
    for i in range(n_classes):
        for j in range(i + 1, n_classes):
            both = members(actual, i), members(actual, j)
            a_ij = area(column(proba, i), weights, both[0], both[1], Fraction(1, 2))
            a_ji = area(column(proba, j), weights, both[1], both[0], Fraction(1, 2))
            if a_ij is not None:
                areas.append((a_ij + a_ji) / 2)
    return mean(areas)


def auc_wang2006(proba, actual, weights, n_classes):
    """Every declared pair i < j counts: an area, or by rule where a class has no instance that weighs something."""
    present = [[x for x in members(actual, c) if weights[x] > 0] for c in range(n_classes)]
    if n_classes < 2 or not any(present):
        return math.nan
    areas = []
    for i in range(n_classes):
        for j in range(i + 1, n_classes):
            if present[i] and present[j]:
                areas.append(area(column(proba, i), weights, present[i], present[j], Fraction(1, 2)))
            elif present[i] or present[j]:
                distinct = {proba[x][i] for x in present[i] + present[j]}
                areas.append(Fraction(1) if len(distinct) >= 2 else Fraction(1, 2))
            else:
                areas.append(Fraction(1, 2))
    return mean(areas)


def brier(proba, actual, weights, n_classes):
    present = [c for c in range(n_classes) if any(weights[i] for i in members(actual, c))]
    total = scored = Fraction(0)
    for row, a, w in zip(proba, actual, weights, strict=True):
        if a == -1:
            continue
        scored += Fraction(w)
        for c in present:
            total += Fraction(w) * (Fraction(row[c]) - (1 if a == c else 0)) ** 2 / len(present)
    return ratio(total, scored)


def brier_over(proba, actual, weights, classes):
    total = scored = Fraction(0)
    for row, a, w in zip(proba, actual, weights, strict=True):
        if a != -1:
            scored += Fraction(w)
            for c in classes:
                total += Fraction(w) * (Fraction(row[c]) - (1 if a == c else 0)) ** 2
    return ratio(total, scored * len(classes))


def answer(row):
    """Predicted class, None for a row of zeros, and its probability in whole billionths of a thousandth."""
    rounded = [round(p * 10**12) for p in row]
    best = rounded.index(max(rounded))
    return best if any(row) else None, rounded[best]


def auc_reliability(proba, actual, weights, certainty):
    """Every correct answer compared with every wrong one."""
    score = [round(c, 12) for c in certainty]
    correct = [i for i, a in enumerate(actual) if a != -1 and answer(proba[i])[0] == a]
    wrong = [i for i, a in enumerate(actual) if a != -1 and answer(proba[i])[0] != a]
    share = area(score, weights, correct, wrong, Fraction(1, 2))
    return math.nan if share is None else float(share)


def calibration(proba, actual, weights):
    """(weight, mean confidence, accuracy) of each bin (i / 10, (i + 1) / 10], the first with 0; None: empty."""
    bins = []
    for i in range(10):
        weight = said = right = Fraction(0)
        for row, a, w in zip(proba, actual, weights, strict=True):
            predicted, units = answer(row)
            above = Fraction(units, 10**12) > Fraction(i, 10) or (i == 0 and units == 0)
            if a != -1 and above and Fraction(units, 10**12) <= Fraction(i + 1, 10):
                weight += Fraction(w)
                said += Fraction(w) * Fraction(units, 10**12)
                right += Fraction(w) if predicted == a else 0
        bins.append((weight, said / weight, right / weight) if weight else (weight, None, None))
    return bins


def ece(proba, actual, weights, n_classes):
    bins = [(weight, said, right) for weight, said, right in calibration(proba, actual, weights) if weight]
    return ratio(sum(w * abs(right - said) for w, said, right in bins), sum(w for w, _, _ in bins))


def log_loss(proba, actual, weights, n_classes):
    scored = [(row[a], w) for row, a, w in zip(proba, actual, weights, strict=True) if a != -1]
    total = math.fsum(w * -math.log(min(max(p, 1e-15), 1.0)) for p, w in scored)
    return ratio(total, math.fsum(w for _, w in scored))


def percent_affected(proba, baseline, weights):
    affected = Fraction(0)
    for row, base, w in zip(proba, baseline, weights, strict=True):
        if max(abs(p - b) for p, b in zip(row, base, strict=True)) >= 0.1 - 1e-9:
            affected += Fraction(w)
    return ratio(100 * affected, sum(map(Fraction, weights)))


def all_metrics(proba, actual, weights, n_classes, baseline, ranking, certainty):
    """``ranking`` takes the place of ``proba`` in every area, but not in who is left unclassified."""
    values = {
        "percent_correct": percent_correct(proba, actual, weights, n_classes),
        "auc_mean": auc_mean(ranking, actual, weights, n_classes),
        "auc_weighted": auc_weighted(proba, actual, weights, n_classes, ranking),
    }
    for metric in (auc_hand_till, auc_wang2006, auc_mean_no_ties):
        values[metric.__name__] = metric(ranking, actual, weights, n_classes)
    for metric in (brier, log_loss, ece):
        values[metric.__name__] = metric(proba, actual, weights, n_classes)
    values["auc_reliability"] = auc_reliability(proba, actual, weights, certainty)
    return values | {"percent_affected": percent_affected(proba, baseline, weights)}
