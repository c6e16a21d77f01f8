"""What scikit-learn's own trees tell of themselves, for the estimators."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from wekaconf.base.errors import OptionError
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.tree import Forest, TreeMirror, importances


class TreeStructure:
    """The shape of the tree that an estimator grew, and where instances go in it."""

    classes_: NDArray[Any]
    tree_: TreeMirror | Forest

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        check_is_fitted(self)
        return len(self.classes_)

    @property
    def feature_importances_(self) -> FloatArray:
        """(n_features,) float64: the share of each column in the decrease of impurity; see `importances`."""
        check_is_fitted(self)
        return importances(self.tree_)[:-1]

    def get_depth(self) -> int:
        """The largest number of tests between the root and a leaf.

        Raises
        ------
        OptionError
            The estimator grew a forest.
        """
        return int(self._one_tree("get_depth").depth.max())

    def get_n_leaves(self) -> int:
        """Number of leaves. OptionError if the estimator grew a forest."""
        return self._one_tree("get_n_leaves").n_leaves

    def apply(self, X: Any) -> Int32Array:
        """The node of the tree where each instance ends, −1 if a missing value divides it.

        Returns
        -------
        (n_instances,) int32
            For a forest (n_instances, n_trees).
        """
        data = self._instances(X)
        if isinstance(self.tree_, Forest):
            return np.column_stack([tree.apply(data) for tree in self.tree_.trees])
        return self.tree_.apply(data)

    def decision_path(self, X: Any) -> Any:
        """Every node that each instance, or a part of it that a missing value sends there, reaches.

        Returns
        -------
        (n_instances, n_nodes) sparse matrix of int64, in rows
            1 where the node is reached. For a forest a tuple: the matrices of its trees side by side, and
            (n_trees + 1,) int64, where the columns of each tree begin. Cost: O(n_instances · depth).
        """
        data = self._instances(X)
        if not isinstance(self.tree_, Forest):
            return _reached(self.tree_, data)
        reached = [_reached(tree, data) for tree in self.tree_.trees]
        begin = np.cumsum([0, *(each.shape[1] for each in reached)])
        return sparse.hstack(reached, format="csr"), begin

    @abstractmethod
    def _instances(self, X: Any) -> Dataset:
        """X as the tree reads it."""

    def _one_tree(self, asked: str) -> TreeMirror:
        check_is_fitted(self)
        if isinstance(self.tree_, Forest):
            n_trees = len(self.tree_.trees)
            told = f"{asked}: the estimator grew a forest of {n_trees} trees; ask those of tree_.trees"
            raise OptionError(told, parameter="learner")
        return self.tree_


def _reached(tree: TreeMirror, data: Dataset) -> Any:
    """See `TreeStructure.decision_path`."""
    row, node, _ = tree.router.paths(data.values)
    rows, nodes = [row], [node.astype(np.int64)]
    while len(row):
        is_below = node > 0
        row, node = row[is_below], tree.parent[node[is_below]]
        rows.append(row)
        nodes.append(node.astype(np.int64))
    cells = np.unique(np.concatenate(rows) * np.int64(tree.n_nodes) + np.concatenate(nodes))
    places = np.divmod(cells, tree.n_nodes)
    return sparse.csr_matrix((np.ones(len(cells), dtype=np.int64), places), shape=(len(data), tree.n_nodes))
