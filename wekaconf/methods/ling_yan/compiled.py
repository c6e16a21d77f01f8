"""Ling and Yan's sums over all leaves, compiled by numba; equal bit for bit to the numpy form."""

from __future__ import annotations

import numpy as np

from wekaconf.tree.compiled import child_of
from wekaconf.tree.compiling import jit

ABREAST = 8
"""Number of rows whose sums lie side by side, so that one instruction of the processor adds several."""


@jit
def sum_over_leaves(
    result, values, attribute, limit, equals, in_subset, first_child, n_branches, leaf_answer, missing_factor, confusion
):
    """Write the weighted sums of the leaves' estimates of each row into ``result``, from the last node to the root."""
    n_nodes, n_classes = leaf_answer.shape
    sums = np.empty((n_nodes, n_classes, ABREAST))
    for abreast in range(ABREAST):
        sums[:, :, abreast] = leaf_answer
    cells, factor = np.empty((values.shape[1], ABREAST)), np.empty(ABREAST)
    for begin in range(0, len(values), ABREAST):
        n_rows = min(ABREAST, len(values) - begin)
        for abreast in range(ABREAST):
            cells[:, abreast] = values[begin + min(abreast, n_rows - 1)]
        for node in range(n_nodes - 1, -1, -1):
            if attribute[node] < 0:
                continue
            value, first = cells[attribute[node]], first_child[node]
            here = sums[node]
            here[:] = 0.0
            for child in range(first, first + n_branches[node]):
                if np.isnan(equals[node]):
                    for abreast in range(ABREAST):
                        is_taken = (value[abreast] <= limit[node]) == (child == first)
                        known = 1.0 if is_taken else confusion
                        factor[abreast] = missing_factor[child] if np.isnan(value[abreast]) else known
                else:
                    for abreast in range(ABREAST):
                        if np.isnan(value[abreast]):
                            factor[abreast] = missing_factor[child]
                        else:
                            taken = child_of(node, value[abreast], limit, equals, in_subset, first_child)
                            factor[abreast] = 1.0 if child == taken else confusion
                below = sums[child]
                for c in range(n_classes):
                    for abreast in range(ABREAST):
                        here[c, abreast] += factor[abreast] * below[c, abreast]
        for abreast in range(n_rows):
            result[begin + abreast] = sums[0, :, abreast]
