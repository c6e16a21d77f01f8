"""The class probabilities that the training instances at one node give to an instance, in numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wekaconf.dataset import FloatArray
from wekaconf.smoothing.counts import Classes, Codes, IntArray, NodeCounts


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
    n_values: IntArray
    naive_bayes: bool = False

    def __call__(
        self,
        nodes: IntArray,
        codes: Codes,
        *,
        classes: Classes | None = None,
        without: FloatArray | None = None,
        compares_class: bool = False,
    ) -> FloatArray:
        """Estimate.

        Parameters
        ----------
        nodes : (n,) int32
            Where each instance is.
        codes : (n, n_columns)
        classes : (n,) int64, optional
            The instances' own classes, −1 when missing.
        without : (n,) float64, optional
            The weights with which the instances are themselves among the training instances, to be left out.
        compares_class : bool
            The class is one more attribute in Equation 5. Not for naive Bayes.

        Returns
        -------
        (n_classes, n) float64
            Columns sum to 1. Cost: O(n · n_columns · classes at the node).
        """
        if self.naive_bayes:
            return self._naive_bayes(nodes, codes, classes, without)
        class_weight = self._class_weight(nodes)
        sums = self._matches(nodes, codes) + class_weight
        if classes is not None:
            rows = np.flatnonzero(classes >= 0)
            own = classes[rows]
            if compares_class:
                sums[own, rows] += class_weight[own, rows]
            if without is not None:
                n_equal = (codes[rows] >= 0).sum(axis=1) + (2.0 if compares_class else 1.0)
                sums[own, rows] = np.maximum(sums[own, rows] - without[rows] * n_equal, 0.0)
        total = np.zeros(len(nodes))
        for of_class in sums:
            total += of_class
        return np.asarray((sums + 1.0 / self.n_classes) / (total + 1.0))

    def _class_weight(self, nodes: IntArray) -> FloatArray:
        """(n_classes, n) float64: n_c at each instance's node."""
        weight = np.zeros((self.n_classes, len(nodes)))
        for at, rows in self._present(nodes):
            weight[self.counts.classes[at], rows] = self.counts.class_weight[at]
        return weight

    def _matches(self, nodes: IntArray, codes: Codes) -> FloatArray:
        """(n_classes, n) float64: Σ_i N(c, i, A_i(e)), the sum of Equation 5 over the instances of each class."""
        matches = np.zeros((self.n_classes, len(nodes)))
        if codes.shape[1]:
            cell = self.counts.cells_of(nodes, codes, self.n_values)
            for j, (at, rows) in enumerate(self._present(nodes)):
                own = cell if len(rows) == len(nodes) else cell[:, rows]
                found = self.counts.cells[own + j]
                in_order = np.cumsum(found, axis=0)[-1] if found.dtype.kind == "f" else found.sum(axis=0)
                matches[self.counts.classes[at], rows] = in_order
        return matches

    def _present(self, nodes: IntArray) -> list[tuple[IntArray, NDArray[np.intp]]]:
        """For j = 0, 1, …: the j-th class present at the node of every instance that has so many, and those rows."""
        first = self.counts.class_first[nodes]
        width = self.counts.class_first[nodes + 1] - first
        rows = [np.flatnonzero(width > j) for j in range(width.max(initial=0))]
        return [(first[has] + np.int32(j), has) for j, has in enumerate(rows)]

    def _naive_bayes(
        self, nodes: IntArray, codes: Codes, classes: Classes | None, without: FloatArray | None
    ) -> FloatArray:
        n = len(nodes)
        removed = np.zeros((self.n_classes, n))
        if classes is not None and without is not None:
            rows = np.flatnonzero(classes >= 0)
            removed[classes[rows], rows] = without[rows]
        class_weight = np.maximum(self._class_weight(nodes) - removed, 0.0)
        known = codes.T >= 0
        smooth = 1.0 / np.maximum(self.n_values, 1)[:, None]
        log = np.log(class_weight + 1.0 / self.n_classes)
        log += (known * np.log(smooth)).sum(axis=0) - known.sum(axis=0) * np.log(class_weight + 1.0)
        cell = self.counts.cells_of(nodes, codes, self.n_values)
        for j, (at, rows) in enumerate(self._present(nodes)):
            own = self.counts.classes[at]
            matches = np.maximum(self.counts.cells[cell[:, rows] + j] - removed[own, rows], 0.0)
            log[own, rows] += (known[:, rows] * np.log1p(matches / smooth)).sum(axis=0)
        proba = np.exp(log - log.max(axis=0))
        return np.asarray(proba / proba.sum(axis=0))
