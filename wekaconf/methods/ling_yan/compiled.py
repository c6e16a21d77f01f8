"""Ling and Yan's sums over all leaves, compiled by numba; equal bit for bit to the numpy form."""

from __future__ import annotations

import numpy as np

from wekaconf.tree.compiled import child_of
from wekaconf.tree.compiling import jit


@jit
def sum_over_leaves(
    result, values, attribute, limit, equals, in_subset, first_child, n_branches, leaf_answer, missing_factor, confusion
):
    """Write the weighted sums of the leaves' estimates of each row into ``result``, from the last node to the root."""
    n_nodes, n_classes = leaf_answer.shape
    sums = leaf_answer.copy()
    for row in range(len(values)):
        for node in range(n_nodes - 1, -1, -1):
            if attribute[node] < 0:
                continue
            value = values[row, attribute[node]]
            is_missing = np.isnan(value)
            first = first_child[node]
            own = -1 if is_missing else child_of(node, value, limit, equals, in_subset, first_child)
            for c in range(n_classes):
                sums[node, c] = 0.0
            for child in range(first, first + n_branches[node]):
                factor = missing_factor[child] if is_missing else 1.0 if child == own else confusion
                for c in range(n_classes):
                    sums[node, c] += factor * sums[child, c]
        for c in range(n_classes):
            result[row, c] = sums[0, c]
