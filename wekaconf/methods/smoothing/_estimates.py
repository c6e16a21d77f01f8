"""The class probabilities that the training instances at one node give to an instance, in numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.data.wording import counted_weight, number
from wekaconf.methods.contract import Step, node_words
from wekaconf.methods.smoothing._counts import Classes, Codes, NodeCounts
from wekaconf.tree import TreeMirror


@dataclass(frozen=True, eq=False)
class CodedInstances:
    """Instances as an estimate reads them.

    Parameters
    ----------
    keys : (n_columns, n) int64
        Place of each value among the values of all attributes; one past the last where it is missing.
    n_known : (n,) int64
        Number of values that are not missing.
    classes : (n,) int64
        The instances' own classes, −1 when missing.
    without : (n,) float64
        The weight to leave out for an instance that is itself among the training instances; else 0.
    """

    keys: NDArray[np.int64]
    n_known: NDArray[np.int64]
    classes: Classes
    without: FloatArray

    def take(self, rows: NDArray[np.intp]) -> CodedInstances:
        """The instances at ``rows``; all of them if ``rows`` has as many."""
        if len(rows) == len(self.classes):
            return self
        return CodedInstances(self.keys[:, rows], self.n_known[rows], self.classes[rows], self.without[rows])


@dataclass(frozen=True, eq=False)
class LocalEstimate:
    """P(c | e) at a node: Equation 6 of wang2006 (Equation 1 when no attribute is compared), or naive Bayes.

    Parameters
    ----------
    counts : NodeCounts
    n_classes : int
    n_values : (n_columns,) int32
    naive_bayes : bool
    """

    counts: NodeCounts
    n_classes: int
    n_values: Int32Array
    naive_bayes: bool

    def coded(
        self, codes: Codes, *, classes: Classes | None = None, without: FloatArray | None = None
    ) -> CodedInstances:
        """Prepare instances for the estimate.

        Parameters
        ----------
        codes : (n, n_columns)
        classes : (n,) int64, optional
        without : (n,) float64, optional
            See `CodedInstances`.
        """
        offset = np.cumsum(self.n_values, dtype=np.int64) - self.n_values
        known = codes.T >= 0
        return CodedInstances(
            np.where(known, codes.T + offset[:, None], int(self.n_values.sum())),
            known.sum(axis=0),
            np.full(len(codes), -1) if classes is None else classes,
            np.zeros(len(codes)) if without is None else without,
        )

    def __call__(self, nodes: Int32Array, instances: CodedInstances, *, compares_class: bool = False) -> FloatArray:
        """Estimate the class probabilities of instances at nodes.

        Parameters
        ----------
        nodes : (n,) int32
            The node of each instance.
        instances : CodedInstances
        compares_class : bool
            Whether the class, if it is known, is one more attribute in Equation 5. Not for naive Bayes.

        Returns
        -------
        (n_classes, n) float64
            Each column sums to 1. Cost: O(n · n_columns · classes at the node).
        """
        if self.naive_bayes:
            return self._naive_bayes(nodes, instances)
        sums = self.sums(nodes, instances, compares_class=compares_class)
        total = np.zeros(len(nodes))
        for class_sums in sums:
            total += class_sums
        return np.asarray((sums + 1.0 / self.n_classes) / (total + 1.0))

    def sums(self, nodes: Int32Array, instances: CodedInstances, *, compares_class: bool) -> FloatArray:
        """(n_classes, n) float64: Σ (sim + 1) over the instances of each class at the node; see `__call__`."""
        class_weight = self.class_weights(nodes)
        sums = self._matches(nodes, instances.keys) + class_weight
        rows = np.flatnonzero(instances.classes >= 0)
        if len(rows):
            classes = instances.classes[rows]
            if compares_class:
                sums[classes, rows] += class_weight[classes, rows]
            n_equal = instances.n_known[rows] + (2.0 if compares_class else 1.0)
            sums[classes, rows] = np.maximum(sums[classes, rows] - instances.without[rows] * n_equal, 0.0)
        return sums

    def class_weights(self, nodes: Int32Array) -> FloatArray:
        """(n_classes, n) float64: n_c at each instance's node."""
        weight = np.zeros((self.n_classes, len(nodes)))
        for at, rows in self._present(nodes):
            weight[self.counts.classes[at], rows] = self.counts.class_weight[at]
        return weight

    def _matches(self, nodes: Int32Array, keys: NDArray[np.int64]) -> FloatArray:
        """(n_classes, n) float64: Σ_i N(c, i, A_i(e)), the sum of Equation 5 over the instances of each class."""
        matches = np.zeros((self.n_classes, len(nodes)))
        if len(keys):
            cell = self.counts.cells_of(nodes, keys, self.n_values)
            for j, (at, rows) in enumerate(self._present(nodes)):
                first_cell = cell if len(rows) == len(nodes) else cell[:, rows]
                counts = self.counts.cells[first_cell + j]
                totals = np.cumsum(counts, axis=0)[-1] if counts.dtype.kind == "f" else counts.sum(axis=0)
                matches[self.counts.classes[at], rows] = totals
        return matches

    def _present(self, nodes: Int32Array) -> list[tuple[Int32Array, NDArray[np.intp]]]:
        """For j = 0, 1, …: the j-th class present at each instance's node, and the rows whose node has a j-th class."""
        first = self.counts.class_first[nodes]
        width = self.counts.class_first[nodes + 1] - first
        rows = [np.flatnonzero(width > j) for j in range(width.max(initial=0))]
        return [(first[wide] + np.int32(j), wide) for j, wide in enumerate(rows)]

    def _naive_bayes(self, nodes: Int32Array, instances: CodedInstances) -> FloatArray:
        removed = np.zeros((self.n_classes, len(nodes)))
        rows = np.flatnonzero(instances.classes >= 0)
        removed[instances.classes[rows], rows] = instances.without[rows]
        class_weight = np.maximum(self.class_weights(nodes) - removed, 0.0)
        known = instances.keys < int(self.n_values.sum())
        smooth = 1.0 / np.maximum(self.n_values, 1)[:, None]
        log = np.log(class_weight + 1.0 / self.n_classes)
        log += (known * np.log(smooth)).sum(axis=0) - instances.n_known * np.log(class_weight + 1.0)
        cell = self.counts.cells_of(nodes, instances.keys, self.n_values)
        for j, (at, rows) in enumerate(self._present(nodes)):
            classes = self.counts.classes[at]
            matches = np.maximum(self.counts.cells[cell[:, rows] + j] - removed[classes, rows], 0.0)
            log[classes, rows] += (known[:, rows] * np.log1p(matches / smooth)).sum(axis=0)
        proba = np.exp(log - log.max(axis=0))
        return np.asarray(proba / proba.sum(axis=0))


def estimate_step(tree: TreeMirror, local: LocalEstimate, node: int, codes: Codes) -> Step:
    """The estimate of a node for one instance: Equation 6, Equation 1 where no attribute is compared, or naive Bayes.

    ``codes`` is (1, n_columns).
    """
    at, instance = np.array([node], dtype=np.int32), local.coded(codes)
    result = local(at, instance)[:, 0]
    place = node_words(tree, node)
    if local.naive_bayes:
        return Step.given(f"{place}: naive Bayes on its instances", result, kind="node", node=node)
    weight = local.class_weights(at)[:, 0]
    sums = local.sums(at, instance, compares_class=False)[:, 0]
    total = 0.0
    for class_sum in sums.tolist():
        total += class_sum
    words = f"{place}: {counted_weight(float(weight.sum()))}"
    if len(local.n_values):
        known = int(instance.n_known[0])
        words += f", each counted 1 + the number of equal values among {known}: {number(total)}"
    values = {"instances": weight.tolist(), "node": place}
    return Step.frequency(
        words, sums, add=1.0 / local.n_classes, total=total + 1.0, kind="node", node=node, values=values
    )
