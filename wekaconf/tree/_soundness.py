"""Checks that the numbers of a tree from a file can be those of a grown tree.

`TreeMirror` checks that its arrays fit one another, so that nothing is read out of bounds. This module checks that the
tree answers with distributions. The deviations of Weka's own trees are accepted: sums are off by rounding, and where
there is next to no weight, REPTree, RandomTree and a whole J48 tree answer with zeros.
"""

from __future__ import annotations

import numpy as np

from wekaconf.base.stored import LARGEST_WEIGHT
from wekaconf.data.arrays import FloatArray
from wekaconf.tree._mirror import TreeMirror

NO_WEIGHT = 1e-6
"""Weights up to this count as zero in Weka."""


def check_sound(tree: TreeMirror) -> None:
    """Raise ValueError unless the tree answers every instance with a distribution, or as Weka's own tree would.

    Cost: O(n_nodes · n_classes).
    """
    if (tree.class_weight > LARGEST_WEIGHT).any() or (tree.total > LARGEST_WEIGHT).any():
        raise ValueError(f"class_weight, total: expected weights of at most {LARGEST_WEIGHT:g}")
    slack = 1e-9 * np.abs(tree.total) + 1e-12 * np.abs(tree.class_weight).max()
    if (tree.class_weight < -slack[:, None]).any() or (tree.total < -slack).any():
        raise ValueError("class_weight, total: expected weights of at least 0")
    if tree.routing.keeps_counts and (np.abs(tree.class_weight.sum(axis=1) - tree.total) > slack).any():
        raise ValueError("total: expected the sum of class_weight")
    if tree.routing.is_j48:
        _check_branches(tree, slack)
    else:
        if tree.class_weight[tree.is_empty].any():
            raise ValueError("is_empty: expected true only at nodes without class weights")
        tree.check_shares()
    _check_answers(tree)


def _check_branches(tree: TreeMirror, slack: FloatArray) -> None:
    """Raise ValueError unless, in a J48 tree, the weights of a node's branches sum to the weights of the node."""
    weight, by_class, parent = tree.branch_weight[1:], tree.branch_class_weight[1:], tree.parent[1:]
    inner = np.unique(parent)
    if not (weight >= -slack[parent]).all() or not (by_class >= -slack[parent, None]).all():
        raise ValueError("branch_weight, branch_class_weight: expected weights of at least 0")
    summed = np.zeros_like(tree.class_weight)
    np.add.at(summed, parent, by_class)
    is_off = np.abs(tree.over_branches(weight) - tree.total)[inner] > slack[inner]
    is_off |= (np.abs(summed - tree.class_weight)[inner] > slack[inner, None]).any(axis=1)
    if is_off.any() or (np.abs(by_class.sum(axis=1) - weight) > slack[parent]).any():
        raise ValueError("branch_weight, branch_class_weight: expected the branches of a node to sum to its weights")
    has_weight = tree.total > NO_WEIGHT
    is_near = np.abs(tree.total - NO_WEIGHT) <= slack + 0.1 * NO_WEIGHT
    if (has_weight == tree.is_empty)[~is_near].any():
        raise ValueError("is_empty: expected true exactly at nodes without weight")


def _check_answers(tree: TreeMirror) -> None:
    router = tree.router
    answer = router.answer[router.stops]
    sums = answer.sum(axis=1)
    is_distribution = (answer >= -1e-9).all(axis=1) & (np.abs(sums - 1) <= 1e-6)
    may_be_zeros = not tree.routing.keeps_counts or (tree.routing.is_j48 and tree.total[0] <= NO_WEIGHT)
    if not (is_distribution | (may_be_zeros & ~answer.any(axis=1))).all():
        raise ValueError("class_weight: expected a distribution wherever an instance may stop")
    shares = np.where(router.enters, router.down * router.up, 0.0)[1:]
    inner = np.flatnonzero(router.attribute >= 0)
    if not (tree.over_branches(shares)[inner] > 0).all():
        raise ValueError("branch_weight: expected a branch that takes missing values at every node")
