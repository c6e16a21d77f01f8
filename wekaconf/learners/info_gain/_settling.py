"""Queries that a node answers without a split: no cut is admissible, or all instances but x are of one class."""

from wekaconf.learners.info_gain._cut_search import LEAF_CLASS, NEW, OLD, RANK, STEP, X, n_added
from wekaconf.learners.info_gain._node_splits import ALL, CLASS_BOUNDARY
from wekaconf.tree.compiling import jit


@jit
def leader(counts):
    """The class of the largest count, ties to the lowest."""
    best = 0
    for c in range(1, len(counts)):
        if counts[c] > counts[best]:
            best = c
    return best


@jit
def is_terminal(counts, minimum):
    """Whether a node cannot be split, x left out."""
    n, n_present = 0, 0
    for c in range(len(counts)):
        n += counts[c]
        n_present += counts[c] > 0
    return n_present <= 1 or n < 2 * minimum


@jit
def answer_with(counts, old, new, answer):
    """Write the class counts of a node as one query sees them."""
    for c in range(len(counts)):
        answer[c] = counts[c] + int(new == c) - int(old == c)


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
def settle(queue, counts, queries, limits, answers, aside):
    """Answer the queries whose node cannot be split and put them last; return the number of the others, in order."""
    n_classes, n = len(counts), counts.sum()
    at, n_aside = 0, 0
    for q in queue:
        old, new = queries[OLD, q], queries[NEW, q]
        rest = _class_of_rest(counts, old)
        is_settled = n + n_added(old, new, n_classes) < 2 * limits.minimum
        if rest >= 0:
            # if x alone is of another class, its leaf holds the fewest instances that a branch may have
            is_pruned = limits.safe_prune and (limits.minimum > 2 or (limits.minimum == 2 and rest < new))
            is_settled |= limits.cuts == CLASS_BOUNDARY or new in (rest, n_classes) or is_pruned
        if is_settled:
            answer_with(counts, old, new, answers[q])
            queries[LEAF_CLASS, q] = leader(answers[q])
            aside[n_aside] = q
            n_aside += 1
        else:
            queue[at] = q
            at += 1
    queue[at:] = aside[:n_aside]
    return at


@jit
def is_odd_one(queue, counts, queries):
    """Whether all queries are about the same x and all other instances are of one class."""
    first = queue[0]
    for q in queue:
        if queries[X, q] != queries[X, first]:
            return False
    return _class_of_rest(counts, queries[OLD, first]) >= 0


@jit
def _reach(members, n, a, sign, edge, n_within, wanted, rows):
    """Move a cut away from x, up (1) or down (−1), until ``wanted`` instances are on the side of x.

    Return their number, and the rank of the cut.
    """
    while n_within < min(wanted, n):
        following, n_following = sign * rows.shape[2], 0
        for i in range(n):
            rank = rows[RANK, a, members[i]]
            if sign * edge < sign * rank < sign * following:
                following, n_following = rank, 0
            n_following += rank == following
        edge, n_within = following, n_within + n_following
    return n_within, edge


@jit
def shrink(members, n, x, rows, table, limits):
    """The number of ``members`` at the leaf of x, if all instances but x are of one class, which x is not.

    Fewer members give a better score, since the term of n grows faster for larger n.
    """
    while True:
        best, best_attribute, lowest, highest = n - limits.minimum + 1, -1, 0, 0
        for a in range(rows.shape[1]):
            own = rows[RANK, a, x]
            n_lower, n_equal = 0, 0
            for i in range(n):
                rank = rows[RANK, a, members[i]]
                n_lower += rank < own
                n_equal += rank == own
            is_hidden = n_equal == 1 and limits.cuts == ALL
            n_left, n_right = n_lower + n_equal, n - n_lower
            if max(n_left + is_hidden, limits.minimum) < best:
                n_left, top = _reach(members, n, a, 1, own, n_left, max(n_left + is_hidden, limits.minimum), rows)
                if n_left < best:
                    best, best_attribute, lowest, highest = n_left, a, 0, top
            if max(n_right, limits.minimum) < best:
                n_right, bottom = _reach(members, n, a, -1, own, n_right, limits.minimum, rows)
                if n_right < best:
                    best, best_attribute, lowest, highest = n_right, a, bottom, rows.shape[2]
        if best_attribute < 0 or table[STEP, n - 1] - table[STEP, best - 1] < limits.least_gain * n:
            return n
        at = 0
        for i in range(n):
            if lowest <= rows[RANK, best_attribute, members[i]] <= highest:
                members[at] = members[i]
                at += 1
        n = at


@jit
def answer_odd_one(queue, counts, n, n_left, queries, limits, answers):
    """Answer for an x that ends among ``n_left`` of the n instances here, all others being of one class."""
    for q in queue:
        old, new = queries[OLD, q], queries[NEW, q]
        rest = _class_of_rest(counts, old)
        answer_with(counts, old, new, answers[q])
        answers[q, rest] = n_left - 1
        queries[LEAF_CLASS, q] = leader(answers[q])
        if limits.safe_prune and queries[LEAF_CLASS, q] == rest:
            answers[q, rest] = n - 1
        elif n_left < n:
            queries[LEAF_CLASS, q] = -1
