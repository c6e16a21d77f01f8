"""The rows of a node, marked and copied in the order of every attribute."""

import numpy as np

from wekaconf.learners.info_gain._cut_search import KIND, PLACE, ROW, X
from wekaconf.tree.compiling import jit


@jit
def collect(orders, begin, end, a, n_classes, rows, mark, members, counts):
    """Mark the instances between two entries, count their classes, and return their number."""
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
def join(queue, queries, n, mark, members):
    """Mark also the x of each query, and return the new number of marked rows."""
    for q in queue:
        x = queries[X, q]
        if not mark[x]:
            mark[x] = True
            members[n] = x
            n += 1
    return n


@jit
def take(orders, offset, size, to, n, rows, mark, members, flags):
    """Copy the marked rows in the order of every attribute: from the node's order or, if few, from all places."""
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
def unmark(n, mark, members):
    """Remove all marks."""
    for i in range(n):
        mark[members[i]] = False
