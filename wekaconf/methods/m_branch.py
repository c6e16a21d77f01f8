"""m-Branch: m-estimates handed down the path from the root."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.parameters import parameter
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, TextArray
from wekaconf.data.wording import counted_weight, number
from wekaconf.methods.contract import Answer, AnswersAtNodes, Ends, Rows, Step, TreeByTree, likeliest, node_words
from wekaconf.tree import TreeMirror


class MBranch(TreeByTree, AnswersAtNodes, name="m_branch"):
    """Every node's class frequencies smoothed towards the estimate of its parent.

    p(v) = (n_c + m_v · p(parent of v)) / (n + m_v), with 1 / n_classes above the root and
    m_v = m · (1 + (1 − 1/h) · √n_root): the higher a node is, the more it takes from its parent. h is the height of
    the node: 1 for a leaf; for an inner node 1 more than the height of its highest child, where empty children count
    as leaves.

    Notes
    -----
    Cost: fit O(n_instances · depth + n_nodes · n_classes); prediction O(depth) per instance, more with missing values.

    An instance of weight w counts as w instances, in n_c, n and n_root alike.

    **Departures** from the paper: none of substance. The constants and the height of a node, as given above, are our
    reading of it. A node without instances answers as its parent does. Training instances that reach a node only in
    part (missing value) are left out of its counts; a test instance with missing values gets the mean of the answers
    of its paths, weighted by the tree's own shares; where no branch has a share, the node answers. The counts are
    those of the training set sent down the tree, not the tree's own, so that the method also works on REPTree and
    RandomTree.

    References
    ----------
    Ferri, Flach, Hernández-Orallo: Improving the AUC of probabilistic estimation trees, ECML 2003 (m-Branch
    smoothing).
    """

    display_name = "m-Branch"
    reference = "ferri2003"
    m: float = parameter(
        default=4.0, low=0, high=1e9,
        help="Weight of the parent's estimate at a leaf. 0 gives the frequencies of the leaf.",
    )  # fmt: skip

    def _estimates(self, tree: TreeMirror, class_weight: FloatArray) -> FloatArray:
        weight, m = class_weight.sum(axis=1), self._smoothing(tree, class_weight)
        answer = np.full(class_weight.shape, 1 / tree.header.n_classes)
        for first, after in tree.levels:
            above = answer[np.maximum(tree.parent[first:after], 0)]
            smoothed = class_weight[first:after] + m[first:after, None] * above
            total = (weight + m)[first:after, None]
            answer[first:after] = np.divide(smoothed, total, out=above, where=weight[first:after, None] > 0)
        return answer

    def _smoothing(self, tree: TreeMirror, class_weight: FloatArray) -> FloatArray:
        """(n_nodes,) float64: m_v."""
        return np.asarray(self.m * (1 + (1 - 1 / node_heights(tree)) * np.sqrt(class_weight[0].sum())))

    def _step_at(self, tree: TreeMirror, node: int) -> Step:
        """The estimates along the path to a node, from 1 / n_classes above the root down."""
        path = [node]
        while path[-1]:
            path.append(int(tree.parent[path[-1]]))
        n = tree.header.n_classes
        step = Step.given("every class alike", np.full(n, 1 / n), kind="uniform")
        smoothing = self._smoothing(tree, self.class_weight_)
        for at in reversed(path):
            step = self._smoothed(tree, at, float(smoothing[at]), step)
        return step

    def _smoothed(self, tree: TreeMirror, node: int, m: float, above: Step) -> Step:
        weights, place = self.class_weight_[node], node_words(tree, node)
        weight = float(self.class_weight_.sum(axis=1)[node])
        if not weight > 0:
            return Step.follow(f"{place}: no training instances, so the estimate above holds", above, kind="node",
                               node=node)  # fmt: skip
        result = (weights + m * above.array) / (weight + m)
        words = f"{place}: {counted_weight(weight)}, and the estimate below as {number(m)} more"
        values = {"weights": weights.tolist(), "m": m, "total": weight + m}
        return Step("m_estimate", words, tuple(result.tolist()), "node", node, values, (above,))

    def _sentences(self, tree: TreeMirror, data: Dataset, answer: Answer, rows: Rows) -> TextArray:
        """The leaf of each instance, and the answer after smoothing."""
        proba = answer.proba[rows]
        smoothed = likeliest(tree, proba, "smoothed by the nodes above the leaf: ")
        return Ends.of(tree, data.values[rows], proba).sentences(smoothed)


def node_heights(tree: TreeMirror) -> NDArray[np.int64]:
    """(n_nodes,) int64: number of nodes on the longest way down from each node, the node itself included."""
    parent, height = tree.parent.tolist(), [1] * tree.n_nodes
    for node in range(tree.n_nodes - 1, 0, -1):
        height[parent[node]] = max(height[parent[node]], height[node] + 1)
    return np.array(height, dtype=np.int64)
