"""Curtailment: the parent answers for a node with too few instances."""

from __future__ import annotations

from typing import Literal

import numpy as np

from wekaconf.base.naming import counted
from wekaconf.base.parameters import parameter
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int32Array, TextArray
from wekaconf.data.wording import counted_weight, number
from wekaconf.methods.contract import (
    Answer,
    AnswersAtNodes,
    Ends,
    Rows,
    Step,
    TreeByTree,
    describe_node,
    known_texts,
    likeliest,
    node_words,
)
from wekaconf.tree import TreeMirror, nearest_filled


class Curtailment(TreeByTree, AnswersAtNodes, name="curtailment"):
    """The class distribution of the deepest node on the path that has enough training instances.

    Notes
    -----
    Cost: fit O(n_instances · depth + n_nodes · n_classes); prediction O(depth) per instance, more with missing values.

    An instance of weight w counts as w instances.

    **Departures** from the paper: it leaves the smallest number of instances to the application; 10 is our default.
    A node without instances never answers, whatever ``min_weight`` is. Training instances that reach a node only in
    part (missing value) are left out of its counts; a test instance with missing values gets the mean of the answers
    of its paths, weighted by the tree's own shares; where no branch has a share, the node answers. The counts are
    those of the training set sent down the tree, not the tree's own, so that the method also works on REPTree and
    RandomTree.

    References
    ----------
    Zadrozny, Elkan: Obtaining calibrated probability estimates from decision trees and naive Bayesian classifiers,
    ICML 2001 (curtailment); Wang, Zhang: Improving the ranking performance of decision trees, ECML 2006, Eq. 1
    (``laplace``).
    """

    reference = "zadrozny2001"
    min_weight: float = parameter(
        default=10.0, low=0,
        help="Smallest summed weight of the training instances of the node that answers, less 1e-9 for rounding. The "
        "root answers if no node on the path has this weight; 0 gives the leaf's own distribution.",
    )  # fmt: skip
    estimate: Literal["frequency", "laplace"] = parameter(
        default="frequency", help="n_c / n, or the Laplace-corrected (n_c + 1/n_classes) / (n + 1)."
    )

    def _estimates(self, tree: TreeMirror, class_weight: FloatArray) -> FloatArray:
        weight = class_weight.sum(axis=1)
        uniform = np.full(class_weight.shape, 1 / tree.header.n_classes)
        if self.estimate == "laplace":
            node_estimate = (class_weight + uniform) / (weight + 1)[:, None]
        else:
            node_estimate = np.divide(class_weight, weight[:, None], out=uniform, where=weight[:, None] > 0)
        return np.asarray(node_estimate[self._answering(tree, class_weight)])

    def _answering(self, tree: TreeMirror, class_weight: FloatArray) -> Int32Array:
        """(n_nodes,) int32: the node that answers for each node."""
        weight = class_weight.sum(axis=1)
        return nearest_filled(tree, ~((weight > 0) & (weight >= self.min_weight - 1e-9)))

    def _step_at(self, tree: TreeMirror, node: int) -> Step:
        """The estimate of the node that answers for ``node``: itself, or one above it."""
        answering = int(self._answering(tree, self.class_weight_)[node])
        weight, place = float(self.class_weight_.sum(axis=1)[answering]), node_words(tree, answering)
        if not weight > 0:
            return Step.given(f"{place}: no training instances", self.answer_[node], kind="node", node=answering)
        words = f"{place} answers: {counted_weight(weight)}" + (
            f", the leaf having {number(float(self.class_weight_[node].sum()))}" if answering != node else ""
        )
        add, total = (1 / tree.header.n_classes, weight + 1) if self.estimate == "laplace" else (0.0, weight)
        return Step.frequency(words, self.class_weight_[answering], add=add, total=total, kind="node", node=answering)

    def _sentences(self, tree: TreeMirror, data: Dataset, answer: Answer, rows: Rows) -> TextArray:
        """The leaf of each instance and the node above that answers for it; for a divided instance, the mean answer."""
        ends = Ends.of(tree, data.values[rows], answer.proba[rows])
        known = known_texts(tree, self.answer_)
        answers = ends.each(lambda node, c: self._answers_for(tree, node, c), ends.predicted, known)
        divided = np.flatnonzero(ends.divided_at >= 0)
        answers[divided] = likeliest(tree, ends.proba[divided], "the nodes with enough instances answer ")
        return ends.sentences(answers)

    def _answers_for(self, tree: TreeMirror, node: int, predicted: int) -> str:
        """The node above a leaf that answers for it, in words; empty if the leaf answers itself."""
        answering = node
        while answering and np.array_equal(self.answer_[tree.parent[answering]], self.answer_[node]):
            answering = int(tree.parent[answering])
        levels = int(tree.depth[node] - tree.depth[answering])
        if not levels:
            return ""
        return f"answered by the {describe_node(tree, answering, predicted)}, {counted(levels, 'level')} above the leaf"
