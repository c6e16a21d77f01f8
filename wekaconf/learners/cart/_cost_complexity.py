"""Minimal cost-complexity pruning of a scikit-learn tree: all its pruned trees at once.

Found in the finished tree: refitting scikit-learn for every level and fold would take an hour on letter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray

NO_GAIN = 1e-14
"""The complexity parameter up to which a link exists only by rounding; it prunes the first tree of every sequence."""


def closing_alphas(tree: Any, *, by_error: bool = False) -> FloatArray:
    """The smallest complexity parameter for which scikit-learn makes each node a leaf.

    Parameters
    ----------
    tree : sklearn.tree._tree.Tree
        Grown depth-first and not pruned.
    by_error : bool
        Whether the cost of a node is its share of errors, as in the book, rather than Gini's index.

    Returns
    -------
    (n_nodes,) float64
        −∞ at leaves, ∞ where an ancestor becomes a leaf first. In a tree pruned by ``ccp_alpha`` an instance stops at
        the first node of its path with at most that value; 0 means no pruning to scikit-learn. The operations and their
        order are scikit-learn's, so that rounding is the same. Cost: O(n_nodes²) in a few fast operations.
    """
    n = tree.node_count
    inner = np.flatnonzero(tree.children_left >= 0)
    parent = np.full(n, -1)
    parent[tree.children_left[inner]] = parent[tree.children_right[inner]] = inner
    ancestors: list[NDArray[np.intp]] = [np.zeros(0, dtype=np.intp)]
    for node in range(1, n):
        ancestors.append(np.append(ancestors[parent[node]], parent[node]))
    impurity = 1 - tree.value[:, 0, :].max(axis=1) / tree.value[:, 0, :].sum(axis=1) if by_error else tree.impurity
    cost = tree.weighted_n_node_samples * impurity / tree.weighted_n_node_samples[0]
    cost_below, n_leaves = np.zeros(n), np.zeros(n, dtype=np.intp)
    for leaf in np.flatnonzero(tree.children_left < 0):
        cost_below[leaf] = cost[leaf]
        cost_below[ancestors[leaf]] += cost[leaf]
        n_leaves[ancestors[leaf]] += 1
    closing = np.full(n, np.inf)
    closing[tree.children_left < 0] = -np.inf
    link = np.full(n, np.inf)
    link[inner] = (cost[inner] - cost_below[inner]) / (n_leaves[inner] - 1)
    after = np.arange(1, n + 1)
    for node in range(n - 1, 0, -1):
        after[parent[node]] = max(after[parent[node]], after[node])
    alpha = -np.inf
    while len(inner) and link[0] < np.inf:
        node = int(link.argmin())
        alpha = max(alpha, link[node])
        closing[node] = alpha
        link[node : after[node]] = np.inf
        above = ancestors[node]
        n_leaves[above] -= n_leaves[node] - 1
        cost_below[above] += cost[node] - cost_below[node]
        link[above] = (cost[above] - cost_below[above]) / (n_leaves[above] - 1)
    return closing


def sequence(closing: FloatArray) -> FloatArray:
    """(n_trees,) float64: complexity parameters of the trees of the sequence, ascending from `NO_GAIN`."""
    alphas = np.unique(np.append(np.maximum(closing[np.isfinite(closing)], NO_GAIN), NO_GAIN))
    # Levels that differ by rounding alone are one, or ties would be split into spurious trees.
    return alphas[np.append(alphas[1:] > alphas[:-1] * (1 + 1e-9), True)]


def sum_over_leaves(tree: Any, closing: FloatArray, amount: FloatArray, alphas: FloatArray) -> FloatArray:
    """(n_alphas,) float64: sum of ``amount`` over the leaves of the tree pruned by each of ``alphas``, ascending.

    ``closing`` holds the tree's `closing_alphas`.
    """
    closing_above = np.full(tree.node_count, np.inf)
    for node in np.flatnonzero(tree.children_left >= 0):
        closing_above[[tree.children_left[node], tree.children_right[node]]] = min(closing_above[node], closing[node])
    begin, end = np.searchsorted(alphas, closing), np.searchsorted(alphas, closing_above)
    is_leaf_somewhere = begin < end
    change = np.zeros(len(alphas) + 1)
    np.add.at(change, begin[is_leaf_somewhere], amount[is_leaf_somewhere])
    np.subtract.at(change, end[is_leaf_somewhere], amount[is_leaf_somewhere])
    return change.cumsum()[:-1]
