"""Ling and Yan's sums over all leaves, compiled by numba; equal bit for bit to the numpy form."""

from __future__ import annotations

import numpy as np

from wekaconf.tree.compiled import child_of
from wekaconf.tree.compiling import jit

ABREAST = 64
"""Number of rows whose sums lie side by side, so that one instruction of the processor adds several."""


@jit
def sum_over_leaves(
    result, values, attribute, limit, equals, in_subset, first_child, n_branches, leaf_answer, missing_factor, confusion
):
    """Write the weighted sums of the leaves' estimates of each row into ``result``, children before their parents."""
    n_classes = leaf_answer.shape[1]
    if attribute[0] < 0:
        result[:] = leaf_answer[0]
        return
    nodes, place = children_first(attribute, first_child, n_branches)
    sums, factor = np.empty((place.max() + 1, n_classes, ABREAST)), np.empty(ABREAST)
    cells = np.empty((values.shape[1], ABREAST))
    for begin in range(0, len(values), ABREAST):
        n_rows = min(ABREAST, len(values) - begin)
        for abreast in range(ABREAST):
            cells[:, abreast] = values[begin + min(abreast, n_rows - 1)]
        for node in nodes:
            value, first, here = cells[attribute[node]], first_child[node], sums[place[node]]
            for child in range(first, first + n_branches[node]):
                if np.isnan(equals[node]):
                    of_limit, of_missing, is_first = limit[node], missing_factor[child], child == first
                    for abreast in range(ABREAST):
                        known = 1.0 if (value[abreast] <= of_limit) == is_first else confusion
                        factor[abreast] = of_missing if np.isnan(value[abreast]) else known
                else:
                    for abreast in range(ABREAST):
                        if np.isnan(value[abreast]):
                            factor[abreast] = missing_factor[child]
                        else:
                            taken = child_of(node, value[abreast], limit, equals, in_subset, first_child)
                            factor[abreast] = 1.0 if child == taken else confusion
                below, is_leaf = sums[place[child]], attribute[child] < 0
                for c in range(n_classes):
                    for abreast in range(ABREAST):
                        before = 0.0 if child == first else here[c, abreast]
                        part = leaf_answer[child, c] if is_leaf else below[c, abreast]
                        here[c, abreast] = before + factor[abreast] * part
        for abreast in range(n_rows):
            result[begin + abreast] = sums[0, :, abreast]


@jit
def children_first(attribute, first_child, n_branches):
    """The inner nodes, children before their parents, and for each a place for its sums that is free meanwhile."""
    nodes, place = np.empty(len(attribute), dtype=np.int64), np.zeros(len(attribute), dtype=np.int64)
    waiting, n_nodes, n_waiting = np.zeros(len(attribute), dtype=np.int64), 0, 1
    while n_waiting:
        n_waiting -= 1
        node = waiting[n_waiting]
        nodes[n_nodes] = node
        n_nodes += 1
        free = place[node] + 1
        for child in range(first_child[node], first_child[node] + n_branches[node]):
            if attribute[child] >= 0:
                place[child] = free
                free += 1
                waiting[n_waiting] = child
                n_waiting += 1
    return nodes[:n_nodes][::-1], place
