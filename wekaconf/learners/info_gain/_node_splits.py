"""The best split of a node by information gain, attribute by attribute, compiled by numba."""

import numpy as np

from wekaconf.tree.compiling import jit

CLASS_BOUNDARY, WITH_X, ALL = 0, 1, 2
SLACK = 1e-9
"""The difference up to which two sums of weights count as equal."""
UNIT = 2.0**30
"""The number of units per bit in which gains on fractional weights are compared."""
NONE = -np.inf


@jit
def term(weight, table):
    """The term w · log2 w of a weight; from the table if weights are whole numbers."""
    if len(table) > 0:
        return table[int(weight)]
    return weight * np.log2(weight) if weight > 0 else 0.0


@jit
def spread(counts, total, table):
    """Sum of the classes' terms less that of their total: minus weight times entropy."""
    result = -term(total, table)
    for c in range(len(counts)):
        result += term(counts[c], table)
    return result


@jit
def score_of(gain, known, limits, table):
    """The score by which splits are compared, from weight times gain; `NONE` if the gain is too small."""
    if len(table) > 0:
        return gain if gain >= limits[1] * known * limits[2] else NONE
    gain /= known
    return np.rint(gain * UNIT) if gain >= limits[1] else NONE


@jit
def is_admissible(left, right, limits):
    """Whether both branches have enough weight."""
    return min(left, right) > SLACK and min(left, right) >= limits[0] - SLACK


@jit
def predicted_class(counts):
    """The class of largest weight, ties to the lowest."""
    best = 0
    for c in range(1, len(counts)):
        if counts[c] > counts[best] + SLACK:
            best = c
    return best


@jit
def best_cut(column, rows, weight, target, is_other, order, n_known, counts, cuts, limits, table):
    """Score and point of the best cut of a numeric attribute, the highest of equals.

    ``column`` has one value per training instance, ``rows`` and ``weight`` one per entry of the node, which ``order``
    sorts.
    """
    total = 0.0
    for c in range(len(counts)):
        total += counts[c]
    whole = spread(counts, total, table)
    left, right = np.zeros(len(counts)), counts.copy()
    n_left, n_right = 0.0, total
    left_terms, right_terms = 0.0, whole + term(total, table)
    is_exact = len(table) > 0
    best, point = NONE, np.nan
    before, before_point, before_class = NONE, np.nan, -3
    i = 0
    while i < n_known:
        value = column[rows[order[i]]]
        only_class, here = -2, 0.0
        while i < n_known and column[rows[order[i]]] == value:
            entry = order[i]
            row, w = rows[entry], weight[entry]
            c = target[row]
            if is_exact:
                left_terms += table[int(left[c] + w)] - table[int(left[c])]
                right_terms += table[int(right[c] - w)] - table[int(right[c])]
            left[c] += w
            right[c] -= w
            n_left += w
            n_right -= w
            here += w
            if is_other[row]:
                only_class = c if only_class in (-2, c) else -1
            i += 1
        if only_class == -2 and (cuts != WITH_X or here == 0):
            continue
        if cuts == CLASS_BOUNDARY:
            if before_class != -3 and (only_class == -1 or only_class != before_class) and before >= best:
                best, point = before, before_point
            before, before_point, before_class = NONE, value, only_class
        if i == n_known or not is_admissible(n_left, n_right, limits):
            continue
        if is_exact:
            gain = left_terms - table[int(n_left)] + right_terms - table[int(n_right)] - whole
        else:
            gain = spread(left, n_left, table) + spread(right, n_right, table) - whole
        score = score_of(gain, total, limits, table)
        if cuts == CLASS_BOUNDARY:
            before = score
        elif score > NONE and score >= best:
            best, point = score, value
    return best, point


@jit
def best_subset(column, rows, weight, target, n_values, counts, limits, table, chosen):
    """Score of the greedily grown subset of a nominal attribute's values, which is written into ``chosen``."""
    k = len(counts)
    by_value = np.zeros((n_values, k))
    of_value = np.zeros(n_values)
    for entry in range(len(rows)):
        value = column[rows[entry]]
        if not np.isnan(value):
            by_value[int(value), target[rows[entry]]] += weight[entry]
            of_value[int(value)] += weight[entry]
    total = 0.0
    for c in range(k):
        total += counts[c]
    whole = spread(counts, total, table)
    chosen[:] = False
    left, inside, outside = np.zeros(k), np.zeros(k), np.zeros(k)
    n_left, best = 0.0, NONE
    while True:
        best_value, step = -1, NONE
        for value in range(n_values):
            if chosen[value] or of_value[value] <= 0:
                continue
            n_inside = n_left + of_value[value]
            n_outside = 0.0
            for c in range(k):
                inside[c] = left[c] + by_value[value, c]
                outside[c] = max(counts[c] - inside[c], 0.0)
                n_outside += outside[c]
            if not is_admissible(n_inside, n_outside, limits):
                continue
            gain = spread(inside, n_inside, table) + spread(outside, n_outside, table) - whole
            score = score_of(gain, total, limits, table)
            if score > step:
                step, best_value = score, value
        if best_value < 0 or step <= best:
            return best
        best = step
        chosen[best_value] = True
        n_left += of_value[best_value]
        for c in range(k):
            left[c] += by_value[best_value, c]


@jit
def known_counts(column, rows, weight, target, n_classes):
    """Summed weights by class of the entries whose value is known."""
    counts = np.zeros(n_classes)
    for entry in range(len(rows)):
        if not np.isnan(column[rows[entry]]):
            counts[target[rows[entry]]] += weight[entry]
    return counts
