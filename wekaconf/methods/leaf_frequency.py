"""The tree's own answer."""

from __future__ import annotations

from wekaconf.base.parameters import parameter
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.methods.contract import Method, Reply, answer_step
from wekaconf.tree import Forest, TreeMirror, own_answers


class LeafFrequency(Method, name="leaf_frequency"):
    """The class frequencies of the leaf: Weka's own answer, the baseline of all other methods.

    Notes
    -----
    Also works on forests, where ``laplace`` applies to each tree. Cost: O(depth) per instance. The answers are Weka's
    to the last bit, its rounding included. REPTree and RandomTree, and so RandomForest and Bagging, find the class
    weights of a child by subtraction. A class that the child lacks may keep a rest, so that its probability is a
    little below 0, and that of another class, and with it the certainty, a little above 1. With weights of about the
    same size the rest is some 1e-17, rarely 1e-14; with weights that differ by many powers of ten it was up to 5e-10.
    Where branches of an instance with missing values have no class weights, as with RandomTree's ``-U``, a row sums
    to less than 1.
    """

    takes_forest = True
    reads_train = False
    laplace: bool | None = parameter(
        default=None, help="Apply Laplace's correction at the leaf; none: as the tree was grown."
    )

    def _check_tree(self, tree: TreeMirror | Forest) -> None:
        super()._check_tree(tree)
        if self.laplace is not None:
            tree.with_laplace(self.laplace)

    def _fit(self, tree: TreeMirror | Forest, train: Dataset) -> None:
        del tree, train

    def _answer(self, data: Dataset) -> Reply:
        tree = self.tree_ if self.laplace is None else self.tree_.with_laplace(self.laplace)
        return Reply(own_answers(tree, data), steps=lambda i: answer_step(tree, data.values[i]))

    def answers_at(self, nodes: Int32Array) -> FloatArray | None:
        """See `Method.answers_at`."""
        tree = self.tree_ if self.laplace is None else self.tree_.with_laplace(self.laplace)
        return None if isinstance(tree, Forest) else tree.router.answer[nodes]

    def _distributions(self, proba: FloatArray, data: Dataset) -> FloatArray:
        del data
        return proba.copy()
