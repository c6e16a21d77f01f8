"""How much the splits of a tree on each attribute lower the impurity."""

from __future__ import annotations

import numpy as np

from wekaconf.data.arrays import FloatArray
from wekaconf.tree._forest import Forest
from wekaconf.tree._kinds import Routing
from wekaconf.tree._mirror import TreeMirror


def importances(tree: TreeMirror | Forest) -> FloatArray:
    """The weighted decrease of impurity by the splits on each attribute, as shares.

    A node counts with its summed training weight: that times its impurity, less the same of its children. The impurity
    is Gini's for CART, the entropy for other learners. For a forest it is the mean of the trees that split.

    Parameters
    ----------
    tree : TreeMirror or Forest
        Of REPTree, the weights are those of the instances that it was grown on, without those held out for pruning.

    Returns
    -------
    (n_attributes,) float64
        In [0, 1], dimensionless, in the order of the header; they sum to 1, or to 0 where no split lowers the impurity.
        Cost: O(n_nodes · n_classes).

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984). Classification and regression trees.
    """
    if isinstance(tree, Forest):
        of_trees = [importances(member) for member in tree.trees if member.n_nodes > 1]
        return _shares(np.mean(of_trees, axis=0) if of_trees else np.zeros(len(tree.header.attributes)))
    counts = tree.grown_class_weight if len(tree.grown_class_weight) else tree.class_weight
    impurity = (gini if tree.routing == Routing.CART else entropy)(counts)
    weight = counts.sum(axis=1)
    decrease = weight * impurity
    np.subtract.at(decrease, tree.parent[1:], weight[1:] * impurity[1:])
    inner = np.flatnonzero(tree.split_attribute >= 0)
    total = np.bincount(tree.split_attribute[inner], decrease[inner], minlength=len(tree.header.attributes))
    return _shares(total.astype(np.float64))


def gini(counts: FloatArray) -> FloatArray:
    """(n,) float64: the Gini impurity of each row of class weights; 0 for a row without any."""
    return np.asarray(1.0 - (_distributions(counts) ** 2).sum(axis=1)) * counts.any(axis=1)


def entropy(counts: FloatArray) -> FloatArray:
    """(n,) float64: the entropy of each row of class weights, in nats; 0 for a row without any."""
    from scipy.special import entr  # here, as all that reads trees would otherwise wait for scipy

    return np.asarray(entr(_distributions(counts)).sum(axis=1))


def _distributions(counts: FloatArray) -> FloatArray:
    total = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, total, where=total > 0, out=np.zeros_like(counts))


def _shares(total: FloatArray) -> FloatArray:
    return total / total.sum() if total.sum() > 0 else np.zeros_like(total)
