"""Ling and Yan's average over all leaves of the tree."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import numpy as np

from wekaconf.base.parameters import learned, parameter
from wekaconf.base.stored import distributions
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int32Array, TextArray
from wekaconf.data.wording import counted_weight, number
from wekaconf.methods.contract import (
    Answer,
    CountsAtNodes,
    Ends,
    Reply,
    Rows,
    Step,
    child_of,
    is_missing,
    likeliest,
    node_words,
    test_words,
)
from wekaconf.tree import TreeMirror, compiled_pays, nearest_filled, split_on

COMPILED_FROM = 30_000_000
"""Estimates (node, class, instance) from which loading the compiled form pays off.

The numpy form stays: 768 rows of diabetes take it 0.04 s of the processor, and the compiled one, already on disk, 0.50.
"""
THREAD_FROM = 5_000_000
"""The fewest estimates for which an additional thread pays off."""
CHUNK_CELLS = 300_000
"""The largest number of estimates (node, class, instance) of one level that are held at a time."""


class LingYan(CountsAtNodes, name="ling_yan"):
    """The mean of the estimates of all leaves, each weighted by how well its path fits the instance.

    A leaf whose path has j tests that the instance fails has weight confusion^j; the weights are normalised to sum to
    1. The estimate of a leaf is the Laplace-corrected (n_c + 1/n_classes) / (n + 1). So instances of the same leaf get
    different distributions.

    Notes
    -----
    Cost: fit O(n_instances · depth + n_nodes · n_classes); prediction O(n_nodes · n_classes) per instance.

    An instance of weight w counts as w instances in n_c and n.

    **Departures** from the paper: it does not treat missing values. Where the test instance lacks the value tested, a
    branch that gets the share p of such instances in the tree has the factor p + (1 − p) · confusion, which is 1 for a
    certain branch and ``confusion`` for an impossible one; where no branch has a share, all have the same share.
    Training instances that reach a node only in part are left out of its counts. A leaf without instances has the
    estimate of its nearest ancestor with instances. The counts are those of the training set sent down the tree, not
    the tree's own, so that the method also works on REPTree and RandomTree.

    References
    ----------
    Ling, Yan: Decision tree with better ranking, ICML 2003; Wang, Zhang: Improving the ranking performance of
    decision trees, ECML 2006, Eq. 1 (the estimate of a leaf).
    """

    display_name = "Ling–Yan"
    reference = "ling2003"
    estimates = "leaf_answer_"
    confusion: float = parameter(
        default=0.4, low=0, high=1,
        help="The confusion factor: with 0 the instance's own leaf answers alone, with 1 all leaves answer equally.",
    )  # fmt: skip
    leaf_answer_: Annotated[FloatArray, distributions("n_nodes", "n_classes")] = learned()
    """(n_nodes, n_classes) float64: the estimate from each node's instances; only those of leaves are used."""

    def _estimates(self, tree: TreeMirror, class_weight: FloatArray) -> FloatArray:
        filled = class_weight[self._answering(tree, class_weight)]
        return np.asarray((filled + 1 / tree.header.n_classes) / (filled.sum(axis=1) + 1)[:, None])

    def _answering(self, tree: TreeMirror, class_weight: FloatArray) -> Int32Array:
        """(n_nodes,) int32: the node whose instances give the estimate of each node."""
        return nearest_filled(tree, np.asarray(~class_weight.any(axis=1)))

    def _answer(self, data: Dataset) -> Reply:
        proba = self._sums(self.tree_, data.values)
        return Reply(
            proba / proba.sum(axis=1, keepdims=True),
            reasons=partial(self._sentences, self.tree_, data),
            steps=lambda i: self._steps(data.values[i]),
        )

    def _steps(self, row: FloatArray) -> Step:
        """The sum over the leaves in the order of addition, from the deepest level up, divided by its total."""
        summed = self._sum_below(self.tree_, row, self._missing_factor(self.tree_), 0)
        return Step.scaled("the mean over all leaves", summed, total=float(summed.array[None].sum(axis=1)[0]),
                           kind="shares")  # fmt: skip

    def _sum_below(self, tree: TreeMirror, row: FloatArray, missing_factor: FloatArray, node: int) -> Step:
        """The weighted sum of the estimates of all leaves below a node."""
        router = tree.router
        if router.attribute[node] < 0:
            return self._leaf_step(tree, node)
        first, name = int(router.first_child[node]), split_on(tree, node).name
        children = range(first, first + int(router.n_branches[node]))
        parts = [self._sum_below(tree, row, missing_factor, child) for child in children]
        if is_missing(tree, row, node):
            factors = [float(missing_factor[child]) for child in children]
            words = f"{name} is missing, so each branch counts as far as it is likely"
        else:
            path_child = child_of(tree, row, node)
            factors = [1.0 if child == path_child else float(self.confusion) for child in children]
            words = f"{test_words(tree, row, node, path_child)}; the other way counts {number(self.confusion)}"
        return Step.weighted(words, factors, parts, kind="test", node=node)

    def _leaf_step(self, tree: TreeMirror, node: int) -> Step:
        place = node_words(tree, node)
        counted = int(self._answering(tree, self.class_weight_)[node])
        weight = float(self.class_weight_[[counted]].sum(axis=1)[0])
        words = f"leaf {place}: {counted_weight(weight)}" + (" of a node above it" if counted != node else "")
        return Step.frequency(words, self.class_weight_[counted], add=1 / tree.header.n_classes, total=weight + 1,
                              kind="leaf", node=counted)  # fmt: skip

    def _sentences(self, tree: TreeMirror, data: Dataset, answer: Answer, rows: Rows) -> TextArray:
        """The leaf of each instance, and the mean over all leaves."""
        proba = answer.proba[rows]
        means = likeliest(tree, proba, "the mean of all leaves: ")
        return Ends.of(tree, data.values[rows], proba).sentences(means)

    def _sums(self, tree: TreeMirror, values: FloatArray) -> FloatArray:
        """(n, n_classes) float64: the weighted sums of the leaves' estimates."""
        n_nodes, n_classes = self.leaf_answer_.shape
        missing_factor, sums = self._missing_factor(tree), np.empty((len(values), n_classes))
        if compiled_pays(len(values), COMPILED_FROM // (n_nodes * n_classes), "wekaconf.methods.ling_yan._compiled"):
            from wekaconf.methods.ling_yan import _compiled as compiled
            from wekaconf.tree.threads import in_threads

            router, values = tree.router, np.ascontiguousarray(values)
            arrays = (*router.arrays[:6], self.leaf_answer_, missing_factor, float(self.confusion))
            fewest = THREAD_FROM // (n_nodes * n_classes) + 1
            in_threads(lambda rows: compiled.sum_over_leaves(sums[rows], values[rows], *arrays), len(values), fewest)
            return sums
        widest = max(after - first for first, after in tree.levels)
        n_rows = max(CHUNK_CELLS // (widest * n_classes), 1)
        for begin in range(0, len(values), n_rows):
            rows = slice(begin, begin + n_rows)
            sums[rows] = self._sum_over_leaves(tree, values[rows], missing_factor).T
        return sums

    def _sum_over_leaves(self, tree: TreeMirror, values: FloatArray, missing_factor: FloatArray) -> FloatArray:
        """(n_classes, n) float64: the weighted sums of the leaves' estimates, from the deepest level up."""
        router = tree.router
        below = np.empty((0, router.n_classes, len(values)))
        for first, after in reversed(tree.levels):
            here = np.repeat(self.leaf_answer_[first:after, :, None], len(values), axis=2)
            inner = first + np.flatnonzero(router.attribute[first:after] >= 0)
            here[inner - first] = 0.0
            cells = values.T[router.attribute[inner]]
            missing = np.isnan(cells)
            taken = router.branches(np.repeat(inner, len(values)), np.where(missing, 0.0, cells).ravel())
            taken = taken.reshape(cells.shape)
            for branch in range(router.n_branches[inner].max(initial=0)):
                splits = np.flatnonzero(router.n_branches[inner] > branch)
                child = router.first_child[inner[splits]] + branch
                factor = np.where(taken[splits] == branch, 1.0, self.confusion)
                factor = np.where(missing[splits], missing_factor[child, None], factor)
                here[inner[splits] - first] += factor[:, None, :] * below[child - after]
            below = here
        return below[0]

    def _missing_factor(self, tree: TreeMirror) -> FloatArray:
        """(n_nodes,) float64: the factor of the branch to each node if the value is missing."""
        router = tree.router
        share = router.down * router.up
        share = np.where(router.enters & (share > 0), share, 0.0)
        parents = tree.parent[1:]
        share[1:] = np.where(router.keeps_missing[parents], 1 / tree.n_branches[parents], share[1:])
        return share + (1 - share) * self.confusion
