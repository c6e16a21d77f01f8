"""The best split of a node for many instances at once, each with its own assumed class, compiled by numba.

Arrays are passed one by one, and small functions read them before they branch: numba then counts no references.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wekaconf.learners.info_gain._node_splits import ALL, CLASS_BOUNDARY, WITH_X
from wekaconf.tree.compiling import jit

ROW, PLACE, RANK, VALUE, KIND = range(5)
"""Tables of the rows sorted by an attribute: the row at each place; the place of each row; the rank of each row's
value; the rank of the value at each place; the class at each place, ``n_classes`` for test instances."""
TERM, STEP = range(2)
"""Tables of w · log2 w as whole numbers, and of the step to the next of them."""
X, OLD, NEW, SPLIT, LEAF_CLASS = range(5)
"""Fields of a query: row of x; its class among the rows and its assumed class, ``n_classes`` for none; the split of
its current node; on the way up the class that all leaves below predict, −1 for several."""
GROUP, END, N_LEFT, ONLY_CLASS, BELOW, ABOVE = range(6)
"""Tables of cuts. By place: the number of lower groups of equal value. By cut j, which has the j lowest groups on
its left: the numbers of entries and of instances there; the class of group j, −1 for several; the best cut up to j, and
from j on."""
TERMS, X_LEFT, X_RIGHT, BEST_BELOW, BEST_ABOVE = range(5)
"""Tables of scores by cut j: the terms of its branches' class counts; its score with x on the left and on the right,
without what x changes in these terms, −inf for no candidate; the largest score of the cuts up to j with x on their
right, and from j on with x on their left."""
LEAF = np.iinfo(np.int64).max
"""No split."""


class SearchLimits(NamedTuple):
    """The rules as the kernels take them."""

    cuts: int
    safe_prune: bool
    minimum: int
    """Fewest instances of a branch, at least 1."""
    least_gain: float
    """The smallest gain of a split per instance."""
    leave_one_out: bool


@jit
def split_at(attribute, end, goes_left, size):
    """A split of a node of ``size`` entries, those before ``end`` going left, and the side of x, as one number."""
    return (attribute * (size + 1) + end) * 2 + int(goes_left)


@jit
def parts_of(split, size):
    """Attribute, end and side of a split."""
    return split // 2 // (size + 1), split // 2 % (size + 1), split % 2 == 1


@jit
def n_added(old, new, n_classes):
    """The number of instances that x adds if its class changes from ``old`` to ``new``, either of them perhaps none."""
    return int(new < n_classes) - int(old < n_classes)


@jit
def best_cut(orders, offset, stride, size, counts, x, label, rows, table, limits, left):
    """Attribute and end of the best split for a single query; x (−1: none) has the class ``label``.

    The entries of attribute a are ``orders[offset + a * stride:]``; those before the end go to the left.
    """
    n_classes, n = len(counts), counts.sum()
    whole = 0.0
    for c in range(n_classes):
        whole += table[TERM, counts[c]]
    x_cuts = limits.cuts == WITH_X and label < n_classes
    at_boundary = limits.cuts == CLASS_BOUNDARY
    best, best_attribute, best_end = -np.inf, -1, 0
    for a in range(rows.shape[1]):
        own = rows[PLACE, a, x] if x >= 0 else -1
        at = offset + a * stride
        left[:] = 0
        n_left, terms = 0, whole
        own_best, own_end = -np.inf, 0
        before, before_end, before_class = -np.inf, 0, -3
        only_class = -2
        for i in range(size):
            place = orders[at + i]
            c = rows[KIND, a, place]
            if place == own:
                c = label
            elif only_class == -2:
                only_class = c
            elif only_class != c:
                only_class = -1
            if c < n_classes:
                terms += table[STEP, left[c]] - table[STEP, counts[c] - left[c] - 1]
                left[c] += 1
                n_left += 1
            if i + 1 < size and rows[VALUE, a, orders[at + i + 1]] == rows[VALUE, a, place]:
                continue
            if only_class == -2 and not x_cuts:
                continue
            if at_boundary:
                if before_class != -3 and (only_class == -1 or only_class != before_class) and before >= own_best:
                    own_best, own_end = before, before_end
                before, before_end, before_class = -np.inf, i + 1, only_class
            only_class = -2
            if min(n_left, n - n_left) >= limits.minimum:
                score = terms - table[TERM, n_left] - table[TERM, n - n_left]
                if at_boundary:
                    before = score
                elif score >= own_best:
                    own_best, own_end = score, i + 1
        if own_best > best:
            best, best_attribute, best_end = own_best, a, own_end
    if best + table[TERM, n] - whole < limits.least_gain * n:
        best_attribute = -1
    return best_attribute, best_end


@jit
def _tabulate(a, orders, at, size, counts, rows, table, cuts, scores, left):
    """Write the tables of an attribute's cuts, and return the number of groups."""
    n_classes = len(counts)
    j, last, n_left = 0, -1, 0
    terms = 0.0
    for c in range(n_classes):
        terms += table[TERM, counts[c]]
        left[0, c] = 0
    cuts[END, 0], cuts[N_LEFT, 0], scores[TERMS, 0] = 0, 0, terms
    for i in range(at, at + size):
        place = orders[i]
        c, value = rows[KIND, a, place], rows[VALUE, a, place]
        cuts[GROUP, place] = j - int(value == last)
        if c == n_classes:
            continue
        if value != last:
            last = value
            j += 1
            for b in range(n_classes):
                left[j, b] = left[j - 1, b]
            cuts[ONLY_CLASS, j - 1] = c
        elif cuts[ONLY_CLASS, j - 1] != c:
            cuts[ONLY_CLASS, j - 1] = -1
        terms += table[STEP, left[j, c]] - table[STEP, counts[c] - left[j, c] - 1]
        left[j, c] += 1
        n_left += 1
        cuts[END, j], cuts[N_LEFT, j], scores[TERMS, j] = i + 1 - at, n_left, terms
    return j


@jit
def _tabulate_wholes(n_groups, n, change, table, limits, cuts, scores):
    """Write `X_LEFT` and `X_RIGHT` for an x that adds ``change`` instances."""
    scores[X_LEFT, 0] = scores[X_RIGHT, 0] = -np.inf
    for j in range(1, n_groups + 1):
        scores[X_LEFT, j] = scores[X_RIGHT, j] = -np.inf
        only_class = cuts[ONLY_CLASS, j - 1]
        is_within = j == n_groups or (only_class >= 0 and only_class == cuts[ONLY_CLASS, j])
        if limits.cuts != CLASS_BOUNDARY or not is_within:
            n_left = cuts[N_LEFT, j]
            n_right = n - n_left
            if min(n_left + change, n_right) >= limits.minimum:
                scores[X_LEFT, j] = scores[TERMS, j] - table[TERM, n_left + change] - table[TERM, n_right]
            if min(n_left, n_right + change) >= limits.minimum:
                scores[X_RIGHT, j] = scores[TERMS, j] - table[TERM, n_left] - table[TERM, n_right + change]


@jit
def _tabulate_best(n_groups, counts, old, new, table, cuts, scores, left):
    """Write, for all x of one class and one assumed class, the best cuts on either side, the highest of equals.

    Where no instance of the class is on x's side the numbers mean nothing, and no x reads them.
    """
    n_classes = len(counts)
    loses, wins = old != new and old < n_classes, old != new and new < n_classes
    old, new = min(old, n_classes - 1), min(new, n_classes - 1)
    n_old, n_new = counts[old], counts[new]
    best, at = -np.inf, 0
    for j in range(n_groups + 1):
        score = scores[X_RIGHT, j]
        score += wins * table[STEP, n_new - left[j, new]] - loses * table[STEP, n_old - left[j, old] - 1]
        if score >= best:
            best, at = score, j
        scores[BEST_BELOW, j], cuts[BELOW, j] = best, at
    best, at = -np.inf, 0
    scores[BEST_ABOVE, n_groups + 1], cuts[ABOVE, n_groups + 1] = best, at
    for j in range(n_groups, 0, -1):
        score = scores[X_LEFT, j] + wins * table[STEP, left[j, new]] - loses * table[STEP, left[j, old] - 1]
        if score > best:
            best, at = score, j
        scores[BEST_ABOVE, j], cuts[ABOVE, j] = best, at


@jit
def _score(j, goes_left, n, counts, old, new, table, minimum, cuts, scores, left):
    """Score of one cut for an x, as if the cut were a candidate."""
    n_classes = len(counts)
    change = n_added(old, new, n_classes)
    loses, wins = old != new and old < n_classes, old != new and new < n_classes
    old, new = min(old, n_classes - 1), min(new, n_classes - 1)
    right = not goes_left
    n_left, n_right = cuts[N_LEFT, j] + goes_left * change, n - cuts[N_LEFT, j] + right * change
    n_old = right * counts[old] + (goes_left - right) * left[j, old]
    n_new = right * counts[new] + (goes_left - right) * left[j, new]
    score = scores[TERMS, j] - table[TERM, n_left] - table[TERM, n_right]
    score += wins * table[STEP, n_new] - loses * table[STEP, n_old - 1]
    return score if min(n_left, n_right) >= minimum else -np.inf


@jit
def _class_of_others(a, orders, at, group, old, rows, cuts, left):
    """The class of the other instances in x's group, −1 if they have several."""
    only_class, begin, last = cuts[ONLY_CLASS, group], cuts[END, group], cuts[END, group + 1] - 1
    lowest, highest = rows[KIND, a, orders[at + begin]], rows[KIND, a, orders[at + last]]
    n_own = left[group + 1, old] - left[group, old]
    n_lowest = left[group + 1, lowest] - left[group, lowest]
    n_highest = left[group + 1, highest] - left[group, highest]
    if only_class < 0 and n_own == 1:
        if lowest != old and n_lowest == last - begin:
            return lowest
        if highest != old and n_highest == last - begin:
            return highest
    return only_class


@jit
def _choose(
    a, queue, orders, at, size, n_groups, counts, n, queries, best, rows, table, limits, cuts, scores, left
):  # fmt: skip
    """Compare the best cut of an attribute, the highest of equals, with each query's best split so far.

    Cuts next to the value of x may depend on more than its classes, and are scored one by one.
    """
    n_classes = len(counts)
    old, new, change = -1, -1, 9
    is_boundary = limits.leave_one_out and limits.cuts == CLASS_BOUNDARY
    may_vanish = adds_own = False
    for q in queue:
        if queries[OLD, q] != old or queries[NEW, q] != new:
            old, new = queries[OLD, q], queries[NEW, q]
            if n_added(old, new, n_classes) != change:
                change = n_added(old, new, n_classes)
                _tabulate_wholes(n_groups, n, change, table, limits, cuts, scores)
            _tabulate_best(n_groups, counts, old, new, table, cuts, scores, left)
            may_vanish = limits.leave_one_out and (limits.cuts == ALL or new == n_classes)
            adds_own = old == n_classes and new < n_classes and limits.cuts == WITH_X
        x_place = rows[PLACE, a, queries[X, q]]
        group = cuts[GROUP, x_place]
        below, above, own_right, own_left = group, group + 1, -1, -1
        if is_boundary:
            below, above = max(group - 1, 0), group + 2
            is_alone = cuts[END, group + 1] == cuts[END, group] + 1
            has_lower, has_higher = group > 0, group + 1 < n_groups
            lower = cuts[ONLY_CLASS, group - 1] if has_lower else -1
            higher = cuts[ONLY_CLASS, group + 1] if has_higher else -1
            own = higher if is_alone else _class_of_others(a, orders, at, group, old, rows, cuts, left)
            if has_higher and not is_alone and (own < 0 or own != higher):
                own_left = group + 1
            if has_lower and (has_higher or not is_alone) and (own < 0 or own != lower):
                own_right = group
        elif may_vanish and cuts[END, group + 1] == cuts[END, group] + 1:
            above = group + 2
        elif adds_own and group < n_groups:
            following = orders[at + cuts[END, group + 1] - 1]
            own_left = group if rows[VALUE, a, following] != rows[VALUE, a, x_place] else -1
        score, j, goes_left = scores[BEST_ABOVE, above], cuts[ABOVE, above], True
        if own_left >= 0:
            there = _score(own_left, True, n, counts, old, new, table, limits.minimum, cuts, scores, left)
            if there > score:
                score, j = there, own_left
        if own_right >= 0:
            there = _score(own_right, False, n, counts, old, new, table, limits.minimum, cuts, scores, left)
            if there > score:
                score, j, goes_left = there, own_right, False
        if scores[BEST_BELOW, below] > score:
            score, j, goes_left = scores[BEST_BELOW, below], cuts[BELOW, below], False
        if score > best[q]:
            best[q], queries[SPLIT, q] = score, split_at(a, cuts[END, j], goes_left, size)


@jit
def best_splits(orders, offset, size, counts, queue, queries, best, rows, table, limits, cuts, scores, left):
    """Write each query's best split into ``queries``."""
    n_classes, n = len(counts), counts.sum()
    for q in queue:
        best[q], queries[SPLIT, q] = -np.inf, LEAF
    for a in range(rows.shape[1]):
        at = offset + a * size
        n_groups = _tabulate(a, orders, at, size, counts, rows, table, cuts, scores, left)
        _choose(a, queue, orders, at, size, n_groups, counts, n, queries, best, rows, table, limits, cuts, scores, left)
    for q in queue:
        size_then, whole = 0, 0.0
        for c in range(n_classes):
            count = counts[c] + int(queries[NEW, q] == c) - int(queries[OLD, q] == c)
            size_then += count
            whole += table[TERM, count]
        if best[q] + table[TERM, size_then] - whole < limits.least_gain * size_then:
            queries[SPLIT, q] = LEAF
