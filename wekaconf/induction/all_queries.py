"""The leaves of very many instances, each asked about with an assumed class, without growing each one's tree.

Trees on sets that differ in one instance are almost the same. So a node here is a set of rows and the queries whose
trees have that node; it is sorted once, and a cut's score changes for a query only by what its own x adds or takes
away on the side where x falls. Scores are whole numbers (`log_table`): adding changes up gives what starting anew
would, and equal gains are equal numbers.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.compiled import jit
from wekaconf.dataset import FloatArray
from wekaconf.induction.rules import log_table

IntArray = NDArray[np.int64]

CLASS_BOUNDARY, WITH_X, ALL = 0, 1, 2
PARALLEL, DEEP, NO_LIMIT, FAC = 4_000_000, 5, 1 << 60, 4
ROW, PLACE, RANK, VALUE, KIND = range(5)
"""The rows sorted by an attribute: the row at each place; place and rank of the value of each row; rank of the value and
class at each place. Instances that are only asked about are rows of class ``n_classes``."""
TERM, STEP = range(2)
"""w · log2 w as whole numbers, and what one more adds to it."""
X, OLD, NEW, KEY, LEAF_CLASS = range(5)
"""Of a query: row of x; its class among the rows and the one assumed, ``n_classes`` for none; the split of the node
where it is (`LEAF`: none); on the way up the class that all leaves below predict, −1 for several."""
LEAF = np.iinfo(np.int64).max
GROUP, END, N_LEFT, ONLY_CLASS, BELOW, ABOVE = range(6)
"""By place: how many groups of equal value are lower. Cut j has the j lowest groups on its left: how many entries and
how many instances that is. The one class of group j, −1: several. The best cut up to, and from, j on."""
TERMS, X_LEFT, X_RIGHT, BEST_BELOW, BEST_ABOVE = range(5)
"""Of cut j: the terms of its branches' class counts. Its score with x on either side but for what x changes in them,
-inf: no candidate. The largest score of the cuts up to j, x right of them, and from j on, x left of them."""
OFFSET, SIZE, FIRST, ACTIVE, LAST, NEXT, SPLIT = range(7)
"""Of a node: where its order begins, its entries, its queries (those that are answered last), the next, its split."""


class _Rules(NamedTuple):
    thresholds: int
    safe_prune: bool
    minimum: int
    """Fewest instances of a branch."""
    least_gain: float
    """A split must gain so much an instance."""
    leave_one_out: bool


def all_queries(
    values: FloatArray, target: IntArray, n_classes: int, *, thresholds: int, safe_prune: bool, min_weight: float,
    min_gain: float, label: IntArray, row: IntArray | None = None, asked: FloatArray | None = None,
    which: IntArray | None = None,
) -> FloatArray:  # fmt: skip
    """Class counts of the leaf that each query's x reaches.

    Parameters
    ----------
    values : (n, n_attributes) float64
        Numeric, complete, each instance of weight 1.
    target : (n,) int64
        Classes, in [0, n_classes).
    n_classes : int
    thresholds : {0, 1, 2}
        Class boundaries, every value, every value but x's: see `wekaconf.induction.rules.Rules`.
    safe_prune : bool
    min_weight, min_gain : float
        At least 0.
    label : (n_queries,) int64
        The class that x is given, −1: x is absent.
    row : (n_queries,) int64, optional
        x is that instance of ``values``, and the others are the training data.
    asked : (n_asked, n_attributes) float64, optional
        Instances outside the training data; complete where they are asked about.
    which : (n_queries,) int64, optional
        x is that instance of ``asked``; needed when ``row`` is left out.

    Returns
    -------
    (n_queries, n_classes) float64
        Of the tree on the training data and (x, label), x included unless it is absent.

    Notes
    -----
    Cost: time as of the trees' nodes that differ, each its entries times attributes (and pairs of classes where it has
    many queries); memory n · n_attributes a core for every few levels. All cores. The answers do not depend on how the
    queries are shared out.
    """
    n = len(values)
    if row is None:
        assert asked is not None and which is not None
        used, which = np.unique(which, return_inverse=True)
        values, x = np.concatenate((values, asked[used])), n + which
    else:
        x = row
    classes = np.concatenate((target, np.full(len(values) - n, n_classes)))
    terms, scale = log_table(n + 1)
    rules = _Rules(
        thresholds, safe_prune, max(1, math.ceil(min_weight - 1e-9)), float(min_gain) * scale, row is not None
    )
    old, new = classes[x], np.where(label < 0, n_classes, label)
    by_pair = np.lexsort((x, old, new))
    queries = np.stack((x, old, new, x, x))[:, by_pair]
    table = np.stack((terms, np.append(np.diff(terms), 0.0)))
    counts = np.empty((len(x), n_classes))
    counts[by_pair] = _shared_out(_sorted_rows(values, classes), queries, table, rules, n_classes)
    return counts


def _sorted_rows(values: FloatArray, classes: IntArray) -> NDArray[np.int32]:
    """(5, n_attributes, n_rows): `ROW`, `PLACE`, `RANK`, `VALUE`, `KIND`."""
    order = np.argsort(values, axis=0, kind="stable").T
    rows = np.zeros((5, *order.shape), dtype=np.int32)
    rows[ROW], rows[KIND] = order, classes[order]
    np.put_along_axis(rows[PLACE], order, np.arange(len(values), dtype=np.int32)[None], axis=1)
    ascending = np.take_along_axis(values.T, order, axis=1)
    np.cumsum(ascending[:, 1:] != ascending[:, :-1], axis=1, out=rows[VALUE][:, 1:])
    np.put_along_axis(rows[RANK], order, rows[VALUE], axis=1)
    return rows


def _shared_out(
    rows: NDArray[np.int32], queries: IntArray, table: FloatArray, rules: _Rules, n_classes: int
) -> FloatArray:
    """Answer on all cores, queries that share nodes on the same one."""
    counts = np.zeros((queries.shape[1], n_classes))
    queue = np.arange(queries.shape[1])
    n_cores = os.cpu_count() or 1
    if n_cores == 1 or len(queue) * rows[ROW].size < PARALLEL:
        _answer(queue, queries, rows, table, rules, NO_LIMIT, counts)
        return counts
    _answer(queue, queries, rows, table, rules, DEEP, counts)
    with ThreadPoolExecutor(n_cores) as pool:
        for job in [
            pool.submit(_answer, np.sort(block), queries, rows, table, rules, NO_LIMIT, counts)
            for block in np.array_split(queue, FAC * n_cores)
        ]:
            job.result()
    return counts


@jit
def _grown(array, wanted):
    """The array, or a copy with room for ``wanted``."""
    if wanted <= len(array):
        return array
    larger = np.empty((max(wanted, 2 * len(array)),) + array.shape[1:], dtype=array.dtype)  # noqa: RUF005
    larger[: len(array)] = array
    return larger


@jit
def _leader(counts):
    """The class of the largest count, ties to the lowest."""
    best = 0
    for c in range(1, len(counts)):
        if counts[c] > counts[best]:
            best = c
    return best


@jit
def _is_terminal(counts, minimum):
    """Whether a node without x cannot be split."""
    n, n_present = 0, 0
    for c in range(len(counts)):
        n += counts[c]
        n_present += counts[c] > 0
    return n_present <= 1 or n < 2 * minimum


@jit
def _n_added(old, new, n_classes):
    """How many instances x adds where it replaces a class by another, or by none."""
    return int(new < n_classes) - int(old < n_classes)


@jit
def _answer_with(counts, old, new, answer):
    """Write the class counts of a node as one query sees them."""
    for c in range(len(counts)):
        answer[c] = counts[c] + int(new == c) - int(old == c)


@jit
def _best_cut(orders, offset, stride, size, counts, x, label, rows, table, rules, left):
    """Attribute and end of the best split where nobody else is asked about; x (−1: nobody) has the class ``label``.

    The entries of attribute a are ``orders[offset + a * stride:]``; those before the end go to the left.
    """
    n_classes, n = len(counts), counts.sum()
    whole = 0.0
    for c in range(n_classes):
        whole += table[TERM, counts[c]]
    x_cuts = rules.thresholds == WITH_X and label < n_classes
    at_boundary = rules.thresholds == CLASS_BOUNDARY
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
            if min(n_left, n - n_left) >= rules.minimum:
                score = terms - table[TERM, n_left] - table[TERM, n - n_left]
                if at_boundary:
                    before = score
                elif score >= own_best:
                    own_best, own_end = score, i + 1
        if own_best > best:
            best, best_attribute, best_end = own_best, a, own_end
    if best + table[TERM, n] - whole < rules.least_gain * n:
        best_attribute = -1
    return best_attribute, best_end


@jit
def _tabulate(a, orders, at, size, counts, rows, table, cuts, scores, left):
    """Write down the cuts of an attribute; how many groups there are."""
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
def _tabulate_wholes(n_groups, n, change, table, rules, cuts, scores):
    """Write down `X_LEFT` and `X_RIGHT` where x adds ``change`` instances."""
    scores[X_LEFT, 0] = scores[X_RIGHT, 0] = -np.inf
    for j in range(1, n_groups + 1):
        scores[X_LEFT, j] = scores[X_RIGHT, j] = -np.inf
        only_class = cuts[ONLY_CLASS, j - 1]
        is_within = j == n_groups or (only_class >= 0 and only_class == cuts[ONLY_CLASS, j])
        if rules.thresholds != CLASS_BOUNDARY or not is_within:
            n_left = cuts[N_LEFT, j]
            n_right = n - n_left
            if min(n_left + change, n_right) >= rules.minimum:
                scores[X_LEFT, j] = scores[TERMS, j] - table[TERM, n_left + change] - table[TERM, n_right]
            if min(n_left, n_right + change) >= rules.minimum:
                scores[X_RIGHT, j] = scores[TERMS, j] - table[TERM, n_left] - table[TERM, n_right + change]


@jit
def _tabulate_best(n_groups, counts, old, new, table, cuts, scores, left):
    """Write down, for all x of a class and an assumed one, the best cuts on either side, the highest of equals.

    Where none of the class is on x's side the numbers mean nothing, and no x is there to read them.
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
    """Score of one cut for an x, were it a candidate."""
    n_classes = len(counts)
    change = _n_added(old, new, n_classes)
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
    """The one class of the others in x's group, −1 if they have several."""
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
    a, queue, orders, at, size, n_groups, counts, n, queries, best, rows, table, rules, cuts, scores, left
):  # fmt: skip
    """Compare the best cut of an attribute, the highest of equals, with each query's best split so far."""
    n_classes = len(counts)
    old, new, change = -1, -1, 9
    at_own = may_vanish = adds_own = False
    for q in queue:
        if queries[OLD, q] != old or queries[NEW, q] != new:
            old, new = queries[OLD, q], queries[NEW, q]
            if _n_added(old, new, n_classes) != change:
                change = _n_added(old, new, n_classes)
                _tabulate_wholes(n_groups, n, change, table, rules, cuts, scores)
            _tabulate_best(n_groups, counts, old, new, table, cuts, scores, left)
            at_own = rules.leave_one_out and rules.thresholds == CLASS_BOUNDARY
            may_vanish = rules.leave_one_out and (rules.thresholds == ALL or new == n_classes)
            adds_own = old == n_classes and new < n_classes and rules.thresholds == WITH_X
        x_place = rows[PLACE, a, queries[X, q]]
        group = cuts[GROUP, x_place]
        below, above = group, group + 1
        if at_own:
            below, above = max(group - 1, 0), group + 2
        elif may_vanish and cuts[END, group + 1] == cuts[END, group] + 1:
            above = group + 2
        score, j, goes_left = scores[BEST_ABOVE, above], cuts[ABOVE, above], True
        if at_own:
            alone = cuts[END, group + 1] == cuts[END, group] + 1
            previous = cuts[ONLY_CLASS, group - 1] if group > 0 else -1
            following = cuts[ONLY_CLASS, group + 1] if group + 1 < n_groups else -1
            own = following
            if not alone:
                own = _class_of_others(a, orders, at, group, old, rows, cuts, left)
                if group + 1 < n_groups and (own < 0 or own != following):
                    there = _score(group + 1, True, n, counts, old, new, table, rules.minimum, cuts, scores, left)
                    if there > score:
                        score, j = there, group + 1
            if group > 0 and not (alone and group + 1 == n_groups) and (previous < 0 or previous != own):
                there = _score(group, False, n, counts, old, new, table, rules.minimum, cuts, scores, left)
                if there > score:
                    score, j, goes_left = there, group, False
        elif adds_own and group < n_groups:
            following = orders[at + cuts[END, group + 1] - 1]
            if rows[VALUE, a, following] != rows[VALUE, a, x_place]:
                there = _score(group, True, n, counts, old, new, table, rules.minimum, cuts, scores, left)
                if there > score:
                    score, j = there, group
        if scores[BEST_BELOW, below] > score:
            score, j, goes_left = scores[BEST_BELOW, below], cuts[BELOW, below], False
        if score > best[q]:
            best[q], queries[KEY, q] = score, (a * (size + 1) + cuts[END, j]) * 2 + int(goes_left)


@jit
def _search(orders, offset, size, counts, queue, queries, best, rows, table, rules, cuts, scores, left):
    """Find each query's best split."""
    n_classes, n = len(counts), counts.sum()
    for q in queue:
        best[q], queries[KEY, q] = -np.inf, LEAF
    for a in range(rows.shape[1]):
        at = offset + a * size
        n_groups = _tabulate(a, orders, at, size, counts, rows, table, cuts, scores, left)
        _choose(a, queue, orders, at, size, n_groups, counts, n, queries, best, rows, table, rules, cuts, scores, left)
    for q in queue:
        size_then, whole = 0, 0.0
        for c in range(n_classes):
            count = counts[c] + int(queries[NEW, q] == c) - int(queries[OLD, q] == c)
            size_then += count
            whole += table[TERM, count]
        if best[q] + table[TERM, size_then] - whole < rules.least_gain * size_then:
            queries[KEY, q] = LEAF


@jit
def _class_of_rest(counts, old):
    """The class of all instances but x, −1 if they have several or there are none."""
    result = -1
    for c in range(len(counts)):
        if counts[c] - int(old == c) > 0:
            if result >= 0:
                return -1
            result = c
    return result


@jit
def _settle(queue, counts, queries, rules, answers, aside):
    """Answer the queries that cannot be split on and put them last, all else in order; how many can."""
    n_classes, n = len(counts), counts.sum()
    at, n_aside = 0, 0
    for q in queue:
        old, new = queries[OLD, q], queries[NEW, q]
        rest = _class_of_rest(counts, old)
        is_settled = n + _n_added(old, new, n_classes) < 2 * rules.minimum
        if rest >= 0:
            # where x alone is of another class, its leaf holds as many as a branch must
            is_pruned = rules.safe_prune and (rules.minimum > 2 or (rules.minimum == 2 and rest < new))
            is_settled |= rules.thresholds == CLASS_BOUNDARY or new in (rest, n_classes) or is_pruned
        if is_settled:
            _answer_with(counts, old, new, answers[q])
            queries[LEAF_CLASS, q] = _leader(answers[q])
            aside[n_aside] = q
            n_aside += 1
        else:
            queue[at] = q
            at += 1
    queue[at:] = aside[:n_aside]
    return at


@jit
def _is_odd_one(queue, counts, queries):
    """Whether all queries are about the same x and all other instances are of one class."""
    first = queue[0]
    for q in queue:
        if queries[X, q] != queries[X, first]:
            return False
    return _class_of_rest(counts, queries[OLD, first]) >= 0


@jit
def _shrink(members, n, x, rows, table, rules, ranks):
    """How many ``members`` are left at the leaf of x, whose class no other has, the others being of one class.

    The fewer the better the score: the term of n grows the faster the larger n.
    """
    while True:
        best, best_attribute, lowest, highest = n - rules.minimum + 1, -1, 0, 0
        for a in range(rows.shape[1]):
            own = rows[RANK, a, x]
            n_lower, n_equal = 0, 0
            for i in range(n):
                rank = rows[RANK, a, members[i]]
                n_lower += rank < own
                n_equal += rank == own
            is_hidden = n_equal == 1 and rules.thresholds == ALL
            n_left = max(n_lower + n_equal + is_hidden, rules.minimum)
            n_right = max(n - n_lower, rules.minimum)
            if min(n_left, n_right) >= best:
                continue
            top, bottom = own, own
            if n_left != n_lower + n_equal or n_right != n - n_lower:
                for i in range(n):
                    ranks[i] = rows[RANK, a, members[i]]
                ranks[:n].sort()
                top, bottom = ranks[n_left - 1], ranks[n - n_right]
                while n_left < n and ranks[n_left] == top:
                    n_left += 1
                while n_right < n and ranks[n - n_right - 1] == bottom:
                    n_right += 1
            if n_left < best:
                best, best_attribute, lowest, highest = n_left, a, 0, top
            if n_right < best:
                best, best_attribute, lowest, highest = n_right, a, bottom, rows.shape[2]
        if best_attribute < 0 or table[STEP, n - 1] - table[STEP, best - 1] < rules.least_gain * n:
            return n
        at = 0
        for i in range(n):
            if lowest <= rows[RANK, best_attribute, members[i]] <= highest:
                members[at] = members[i]
                at += 1
        n = at


@jit
def _answer_odd_one(queue, counts, n, n_left, queries, rules, answers):
    """Answer for an x that ends among ``n_left`` of the n instances here, all others being of one class."""
    for q in queue:
        old, new = queries[OLD, q], queries[NEW, q]
        rest = _class_of_rest(counts, old)
        _answer_with(counts, old, new, answers[q])
        answers[q, rest] = n_left - 1
        queries[LEAF_CLASS, q] = _leader(answers[q])
        if rules.safe_prune and queries[LEAF_CLASS, q] == rest:
            answers[q, rest] = n - 1
        elif n_left < n:
            queries[LEAF_CLASS, q] = -1


@jit
def _collect(orders, begin, end, a, n_classes, rows, mark, members, counts):
    """Mark the instances between these entries and count their classes; how many there are."""
    n = 0
    counts[:] = 0
    for i in range(begin, end):
        c = rows[KIND, a, orders[i]]
        if c < n_classes:
            counts[c] += 1
            members[n] = rows[ROW, a, orders[i]]
            mark[members[n]] = True
            n += 1
    return n


@jit
def _join(queue, queries, n, mark, members):
    """Mark also the x of these queries; how many rows there are now."""
    for q in queue:
        x = queries[X, q]
        if not mark[x]:
            mark[x] = True
            members[n] = x
            n += 1
    return n


@jit
def _take(orders, offset, size, to, n, rows, mark, members, flags):
    """Copy the marked rows in order, from the node's or, where they are few, from all places."""
    eights = flags.view(np.uint64)
    is_few = len(flags) + 64 * n < 16 * size
    for a in range(rows.shape[1]):
        at = to + a * n
        if is_few:
            lowest, highest = len(flags), 0
            for i in range(n):
                place = rows[PLACE, a, members[i]]
                flags[place] = 1
                lowest, highest = min(lowest, place), max(highest, place)
            for eight in range(lowest // 8, highest // 8 + 1):
                if eights[eight] != 0:
                    for place in range(8 * eight, 8 * eight + 8):
                        orders[at] = place
                        at += flags[place]
                    eights[eight] = 0
        else:
            for i in range(offset + a * size, offset + (a + 1) * size):
                orders[at] = orders[i]
                at += mark[rows[ROW, a, orders[i]]]


@jit
def _unmark(n, mark, members):
    for i in range(n):
        mark[members[i]] = False


@jit
def _is_all_of_class(orders, offset, size, wanted, rows, table, rules, mark, rest, counts, left):
    """Whether all leaves of the tree on these entries predict the class ``wanted``; shuffles them.

    If they do, so does each of its nodes.
    """
    stack = np.empty((size + 2, 2), np.int64)
    stack[0, 0], stack[0, 1] = offset, size
    n_stack = 1
    while n_stack > 0:
        n_stack -= 1
        begin, n = stack[n_stack, 0], stack[n_stack, 1]
        counts[:] = 0
        for i in range(begin, begin + n):
            counts[rows[KIND, 0, orders[i]]] += 1
        if _leader(counts) != wanted:
            return False
        if _is_terminal(counts, rules.minimum):
            continue
        a, end = _best_cut(orders, begin, size, n, counts, -1, len(counts), rows, table, rules, left)
        if a < 0:
            continue
        for i in range(end):
            mark[rows[ROW, a, orders[begin + a * size + i]]] = True
        for b in range(rows.shape[1]):
            at, n_rest = begin + b * size, 0
            for i in range(at, at + n):
                rest[n_rest] = orders[i - n_rest] = orders[i]
                n_rest += not mark[rows[ROW, b, orders[i]]]
            orders[at + end : at + n] = rest[:n_rest]
        for i in range(end):
            mark[rows[ROW, a, orders[begin + a * size + i]]] = False
        stack[n_stack, 0], stack[n_stack, 1] = begin, end
        stack[n_stack + 1, 0], stack[n_stack + 1, 1] = begin + end, n - end
        n_stack += 2
    return True


@jit
def _split(queue, orders, offset, size, counts, queries, best, answers, rows, table, rules, cuts, scores, left):
    """Sort the queries by the split that they find; those without one are answered and come last. How many have one."""
    if len(queue) == 1:
        q = queue[0]
        x = queries[X, q]
        _answer_with(counts, queries[OLD, q], queries[NEW, q], left[1])
        a, end = _best_cut(orders, offset, size, size, left[1], x, queries[NEW, q], rows, table, rules, left[0])
        queries[KEY, q] = LEAF
        if a >= 0:
            goes_left = rows[PLACE, a, x] <= orders[offset + a * size + end - 1]
            queries[KEY, q] = (a * (size + 1) + end) * 2 + int(goes_left)
    else:
        _search(orders, offset, size, counts, queue, queries, best, rows, table, rules, cuts, scores, left)
        is_sorted = True
        for i in range(1, len(queue)):
            is_sorted = is_sorted and queries[KEY, queue[i - 1]] <= queries[KEY, queue[i]]
        if not is_sorted:
            queue[:] = queue[np.argsort(queries[KEY][queue], kind="mergesort")]
    n = len(queue)
    while n > 0 and queries[KEY, queue[n - 1]] == LEAF:
        n -= 1
        q = queue[n]
        _answer_with(counts, queries[OLD, q], queries[NEW, q], answers[q])
        queries[LEAF_CLASS, q] = _leader(answers[q])
    return n


@jit
def _prune(queue, node, orders, counts, beside, queries, answers, rows, table, rules, mark, members, rest, flags, left):
    """Make a leaf of the node for the queries whose branch is one leaf of the class that all leaves beside it predict.

    Returns ``orders``, maybe with more room.
    """
    wanted = _leader(beside)
    is_asked = False
    for q in queue:
        is_asked = is_asked or queries[LEAF_CLASS, q] == wanted
    is_one = is_asked
    if is_asked and not _is_terminal(beside, rules.minimum):
        offset, size = node[OFFSET], node[SIZE]
        a, end, goes_left = node[SPLIT] // 2 // (size + 1), node[SPLIT] // 2 % (size + 1), node[SPLIT] % 2 == 1
        at, to = offset + a * size, offset + rows.shape[1] * size
        begin, stop = (at + end, at + size) if goes_left else (at, at + end)
        n = _collect(orders, begin, stop, a, len(counts), rows, mark, members, left[1])
        orders = _grown(orders, to + rows.shape[1] * n + 1)
        _take(orders, offset, size, to, n, rows, mark, members, flags)
        _unmark(n, mark, members)
        is_one = _is_all_of_class(orders, to, n, wanted, rows, table, rules, mark, rest, left[1], left[0])
    for q in queue:
        if is_one and queries[LEAF_CLASS, q] == wanted:
            _answer_with(counts, queries[OLD, q], queries[NEW, q], answers[q])
        else:
            queries[LEAF_CLASS, q] = -1
    return orders


@jit
def _answer(queue, queries, rows, table, rules, deepest, answers):
    """Answer the queries of the queue, depth first, and leave it in that order; no splits from level ``deepest`` on."""
    _, n_attributes, n_rows = rows.shape
    n_classes = answers.shape[1]
    cuts, scores = np.empty((6, n_rows + 2), np.int64), np.empty((5, n_rows + 2))
    left = np.empty((n_rows + 2, n_classes), np.int64)
    mark, members, rest = np.zeros(n_rows, np.bool_), np.empty(n_rows, np.int32), np.empty(n_rows, np.int32)
    flags = np.zeros((n_rows + 7) // 8 * 8, np.uint8)
    best, aside = np.empty(queries.shape[1]), np.empty(len(queue), np.int64)
    nodes, counts = np.zeros((16, 7), np.int64), np.zeros((16, n_classes), np.int64)
    orders = np.empty(4 * n_attributes * n_rows, np.int32)
    for i in range(n_attributes * n_rows):
        orders[i] = i % n_rows
    for q in queue:  # above the root: all of attribute 0 go to the left
        queries[KEY, q] = 2 * n_rows + 1
    nodes[0, SIZE], nodes[0, ACTIVE] = n_rows, len(queue)
    level = 0
    while True:
        offset, size, first = nodes[level, OFFSET], nodes[level, SIZE], nodes[level, NEXT]
        if first == nodes[level, ACTIVE]:
            if level <= 1:
                return
            level -= 1
            if rules.safe_prune:
                orders = _prune(
                    queue[nodes[level + 1, FIRST] : nodes[level + 1, LAST]], nodes[level], orders, counts[level],
                    counts[level] - counts[level + 1], queries, answers, rows, table, rules, mark, members, rest, flags,
                    left,
                )  # fmt: skip
            continue
        split = queries[KEY, queue[first]]
        last = first + 1
        while last < nodes[level, ACTIVE] and queries[KEY, queue[last]] == split:
            last += 1
        nodes[level, NEXT], nodes[level, SPLIT] = last, split
        a, end, goes_left = split // 2 // (size + 1), split // 2 % (size + 1), split % 2 == 1
        begin, stop = (0, end) if goes_left else (end, size)
        at = offset + a * size
        level += 1
        nodes, counts = _grown(nodes, level + 1), _grown(counts, level + 1)
        n = _collect(orders, at + begin, at + stop, a, n_classes, rows, mark, members, counts[level])
        active = first + _settle(queue[first:last], counts[level], queries, rules, answers, aside)
        if level >= deepest:
            active = first
        to = offset + n_attributes * size
        is_odd_one = active > first and _is_odd_one(queue[first:active], counts[level], queries)
        if active > first:
            n = _join(queue[first:active], queries, n, mark, members)
            if not is_odd_one:
                orders = _grown(orders, to + n_attributes * n + 1)
                _take(orders, offset, size, to, n, rows, mark, members, flags)
        _unmark(n, mark, members)
        if is_odd_one:
            n_left = _shrink(members, n, queries[X, queue[first]], rows, table, rules, rest)
            _answer_odd_one(queue[first:active], counts[level], n, n_left, queries, rules, answers)
            active = first
        elif active > first:
            active = first + _split(
                queue[first:active], orders, to, n, counts[level], queries, best, answers, rows, table, rules, cuts,
                scores, left,
            )  # fmt: skip
        nodes[level, OFFSET], nodes[level, SIZE] = to, n
        nodes[level, FIRST], nodes[level, ACTIVE], nodes[level, LAST], nodes[level, NEXT] = first, active, last, first
