"""Growing one tree by information gain, compiled by numba: whole, or only where one instance goes."""

from __future__ import annotations

import numpy as np

from wekaconf.learners.info_gain._node_splits import NONE, best_cut, best_subset, known_counts, predicted_class
from wekaconf.learners.info_gain._rules import NOBODY
from wekaconf.tree.compiling import inlined, jit


@jit
def every_row(columns):
    """Rows 0, 1, …."""
    return np.arange(columns.shape[1]).astype(np.int32)


@jit
def sorted_entries(columns, n_values, rows):
    """The entries sorted by each numeric attribute, missing values last, and the number of known values."""
    order = np.zeros((len(columns), len(rows)), dtype=np.int32)
    n_known = np.zeros(len(columns), dtype=np.int64)
    for a in range(len(columns)):
        if n_values[a] == 0:
            cells = columns[a][rows]
            order[a] = np.argsort(cells, kind="mergesort")
            n_known[a] = len(rows) - np.isnan(cells).sum()
    return order, n_known


@jit
def part_of(side, wanted, rows, share, share_of_missing):
    """Rows and shares of the entries of a branch, and each entry's place in the branch, −1 if it goes elsewhere."""
    place = np.full(len(rows), -1, dtype=np.int32)
    n = 0
    for entry in range(len(rows)):
        if side[entry] == wanted or (side[entry] == 2 and share_of_missing > 0):
            place[entry] = n
            n += 1
    new_rows, new_share = np.empty(n, dtype=rows.dtype), np.empty(n)
    for entry in range(len(rows)):
        if place[entry] >= 0:
            new_rows[place[entry]] = rows[entry]
            new_share[place[entry]] = share[entry] * (share_of_missing if side[entry] == 2 else 1.0)
    return new_rows, new_share, place


@jit
def sorted_part(order, n_known, n_values, place, n):
    """The entries of a branch in the form of `sorted_entries`."""
    new_order = np.zeros((len(order), n), dtype=np.int32)
    new_known = np.zeros(len(order), dtype=np.int64)
    for a in range(len(order)):
        if n_values[a] == 0:
            at = 0
            for i in range(order.shape[1]):
                if i == n_known[a]:
                    new_known[a] = at
                entry = place[order[a, i]]
                if entry >= 0:
                    new_order[a, at] = entry
                    at += 1
            if n_known[a] == order.shape[1]:
                new_known[a] = at
    return new_order, new_known


@jit
def grow(
    columns, n_values, target, weight, n_classes, is_other, root_rows, root_share, root_order, root_known,
    cuts, limits, table, x, only_class,
):  # fmt: skip
    """Grow a tree, parents before children, the two children of a node one after the other.

    ``x``: split only the nodes that a part of this row reaches; `NOBODY`: all nodes. ``only_class``: stop at the first
    leaf that predicts another class; −1: never. Return whether growing was not stopped; for each node the first child
    (−1 at leaves, −2 where x does not go), attribute, point, beginning of the flags of its subset, counts, share of a
    missing value, and share of x; the flags; and rows and shares of the nodes where x does not go.
    """
    child, attribute, point = [np.int64(-1)], [np.int64(-1)], [np.nan]
    begin, flags, branch_share, x_share = [np.int64(-1)], [False], [np.nan], [0.0]
    counts_of = [np.zeros(n_classes)]
    waiting_rows, waiting_share = [root_rows[:0]], [root_share[:0]]
    stack_node, stack_rows, stack_share = [np.int64(0)], [root_rows], [root_share]
    stack_order, stack_known = [root_order], [root_known]
    widest = 1
    for a in range(len(n_values)):
        widest = max(widest, n_values[a])
    subset, best_flags = np.zeros(widest, dtype=np.bool_), np.zeros(widest, dtype=np.bool_)
    is_whole = True
    while len(stack_node) > 0:
        node, rows, share = stack_node.pop(), stack_rows.pop(), stack_share.pop()
        order, n_known = stack_order.pop(), stack_known.pop()
        w = np.empty(len(rows))
        counts = counts_of[node]
        for entry in range(len(rows)):
            w[entry] = weight[rows[entry]] * share[entry]
            counts[target[rows[entry]]] += w[entry]
            if rows[entry] == x:
                x_share[node] = share[entry]
        n_present = 0
        for c in range(n_classes):
            n_present += counts[c] > 0
        best, best_attribute, best_point = NONE, -1, np.nan
        if n_present > 1:
            for a in range(len(columns)):
                known = known_counts(columns[a], rows, w, target, n_classes) if len(table) == 0 else counts
                if n_values[a] == 0:
                    score, at = best_cut(columns[a], rows, w, target, is_other, order[a], n_known[a], known,
                                         cuts, limits, table)  # fmt: skip
                else:
                    score = best_subset(columns[a], rows, w, target, n_values[a], known, limits, table,
                                        subset[: n_values[a]])  # fmt: skip
                    at = np.nan
                if score > best:
                    best, best_attribute, best_point = score, a, at
                    best_flags[:] = subset
        if best_attribute < 0:
            if only_class >= 0 and predicted_class(counts) != only_class:
                is_whole = False
                break
            continue
        column = columns[best_attribute]
        is_nominal = n_values[best_attribute] > 0
        side = np.empty(len(rows), dtype=np.int8)
        sums = np.zeros(2)
        for entry in range(len(rows)):
            value = column[rows[entry]]
            if np.isnan(value):
                side[entry] = 2
                continue
            is_first = best_flags[int(value)] if is_nominal else value <= best_point
            side[entry] = 0 if is_first else 1
            sums[side[entry]] += w[entry]
        child[node], attribute[node], point[node] = len(child), best_attribute, best_point
        if is_nominal:
            begin[node] = len(flags)
            for value in range(n_values[best_attribute]):
                flags.append(best_flags[value])
        for b in range(2):
            share_of_missing = sums[b] / (sums[0] + sums[1])
            new_rows, new_share, place = part_of(side, b, rows, share, share_of_missing)
            is_followed = x == NOBODY
            for entry in range(len(new_rows)):
                is_followed = is_followed or new_rows[entry] == x
            if is_followed:
                stack_node.append(len(child))
                stack_rows.append(new_rows)
                stack_share.append(new_share)
                new_order, new_known = sorted_part(order, n_known, n_values, place, len(new_rows))
                stack_order.append(new_order)
                stack_known.append(new_known)
                waiting_rows.append(root_rows[:0])
                waiting_share.append(root_share[:0])
            else:
                waiting_rows.append(new_rows)
                waiting_share.append(new_share)
            child.append(-1 if is_followed else -2)
            attribute.append(-1)
            point.append(np.nan)
            begin.append(-1)
            branch_share.append(share_of_missing)
            x_share.append(0.0)
            counts_of.append(np.zeros(n_classes))
    counts = np.empty((len(child), n_classes))
    for node in range(len(child)):
        counts[node] = counts_of[node]
    return (
        is_whole, np.array(child), np.array(attribute), np.array(point), np.array(begin), counts,
        np.array(branch_share), np.array(x_share), np.array(flags), waiting_rows, waiting_share,
    )  # fmt: skip


@jit
def is_all_of_class(
    columns, n_values, target, weight, n_classes, is_other, rows, share, cuts, limits, table, wanted
):  # fmt: skip
    """Whether all leaves of the tree on these entries predict the class ``wanted``."""
    counts = np.zeros(n_classes)
    for entry in range(len(rows)):
        counts[target[rows[entry]]] += weight[rows[entry]] * share[entry]
    n_present = 0
    for c in range(n_classes):
        n_present += counts[c] > 0
    if n_present <= 1 or (len(table) > 0 and predicted_class(counts) != wanted):
        return predicted_class(counts) == wanted
    order, n_known = sorted_entries(columns, n_values, rows)
    return grow(columns, n_values, target, weight, n_classes, is_other, rows, share, order, n_known,
                cuts, limits, table, NOBODY, wanted)[0]  # fmt: skip


@inlined
def prune_safely(
    columns, n_values, target, weight, n_classes, is_other, cuts, limits, table, child, counts, waiting_rows,
    waiting_share,
):  # fmt: skip
    """Make a leaf, in place, of every node whose leaves all predict one class."""
    only_class = np.full(len(child), -1, dtype=np.int64)
    for node in range(len(child) - 1, -1, -1):
        first = child[node]
        if first == -1:
            only_class[node] = predicted_class(counts[node])
        if first < 0:
            continue
        for b in range(2):
            other = only_class[first + 1 - b]
            if child[first + b] == -2 and other >= 0 and is_all_of_class(
                columns, n_values, target, weight, n_classes, is_other, waiting_rows[first + b],
                waiting_share[first + b], cuts, limits, table, other,
            ):  # fmt: skip
                only_class[first + b] = other
        if only_class[first] >= 0 and only_class[first] == only_class[first + 1]:
            only_class[node] = only_class[first]
            child[node] = -1


@inlined
def grown_and_pruned(
    columns, n_values, target, weight, n_classes, is_other, order, n_known, cuts, limits, table, safe_prune, x
):  # fmt: skip
    """The arrays of `grow` from the root, after `prune_safely` if ``safe_prune``."""
    rows = every_row(columns)
    share = np.ones(len(rows))
    _, child, attribute, point, begin, counts, branch_share, x_share, flags, left_rows, left_share = grow(
        columns, n_values, target, weight, n_classes, is_other, rows, share, order, n_known,
        cuts, limits, table, x, -1,
    )  # fmt: skip
    if safe_prune:
        prune_safely(columns, n_values, target, weight, n_classes, is_other, cuts, limits, table, child, counts,
                     left_rows, left_share)  # fmt: skip
    return child, attribute, point, begin, counts, branch_share, flags, x_share


@jit
def whole_tree(columns, n_values, target, weight, n_classes, is_other, cuts, limits, table, safe_prune, x):
    """The arrays of a tree: first child, attribute, point, beginning of flags, counts, missing share, and the flags."""
    order, n_known = sorted_entries(columns, n_values, every_row(columns))
    return grown_and_pruned(
        columns, n_values, target, weight, n_classes, is_other, order, n_known, cuts, limits, table, safe_prune, x
    )[:-1]  # fmt: skip


@jit
def leaf_counts(
    columns, n_values, target, weight, n_classes, is_other, order, n_known, row, label, is_exact, cuts, limits,
    table, safe_prune, withheld,
):  # fmt: skip
    """Class counts of the leaves that each queried row reaches, each times the part of the row that reaches it.

    The row then has the class ``label`` and weight 1, or weight 0 if ``label`` is `NOBODY`; if ``withheld``, its values
    are no cuts. Rows of weight 0 that are not ``is_other`` count nowhere. ``order``, ``n_known``: `sorted_entries` of
    all rows.
    """
    target, weight, is_other = target.copy(), weight.copy(), is_other.copy()
    out = np.zeros((len(row), n_classes))
    for q in range(len(row)):
        x = row[q]
        own_target, own_weight, was_other = target[x], weight[x], is_other[x]
        is_there = label[q] >= 0
        target[x], weight[x], is_other[x] = max(label[q], 0), (1.0 if is_there else 0.0), is_there and not withheld
        terms = table if is_exact[q] else table[:0]
        child, _, _, _, counts, _, _, x_share = grown_and_pruned(
            columns, n_values, target, weight, n_classes, is_other, order, n_known, cuts, limits, terms,
            safe_prune, x,
        )  # fmt: skip
        target[x], weight[x], is_other[x] = own_target, own_weight, was_other
        is_reached = np.zeros(len(child), dtype=np.bool_)
        is_reached[0] = True
        for node in range(len(child)):
            if is_reached[node] and child[node] >= 0:
                is_reached[child[node]] = is_reached[child[node] + 1] = True
            elif is_reached[node]:
                out[q] += x_share[node] * counts[node]
    return out
