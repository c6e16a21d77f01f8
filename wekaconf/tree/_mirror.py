"""A finished decision tree as frozen flat arrays, which answers exactly as the learner's own tree does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import counted
from wekaconf.base.words import Owner
from wekaconf.data import Dataset, header_of
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.tree._annotation import Annotate
from wekaconf.tree._arrays import TreeArrays
from wekaconf.tree._router import strict_winner
from wekaconf.tree.shown import plot_tree
from wekaconf.tree.shown._html import html_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class TreeMirror(TreeArrays):
    """A tree as read-only arrays, see `TreeArrays`, which answers exactly as the learner's own tree does."""

    def __repr__(self) -> str:
        """Learner, data and number of nodes."""
        return (
            f"TreeMirror({self.learner} {self.options!r} on {self.header.relation!r}: {counted(self.n_nodes, 'node')})"
        )

    def _repr_html_(self) -> str:
        return html_of(self)

    def plot(self, ax: Axes | None = None, *, annotate: Annotate | None = None, max_depth: int | None = None) -> Axes:
        """Draw the tree, the root at the top.

        Parameters
        ----------
        ax : Axes, optional
            Left out: new ones, so large that the texts can be read.
        annotate : callable, optional
            The annotation of each node: the ``annotation`` of a fitted method that annotates nodes.
        max_depth : int, optional
            Draw nodes down to this depth. Left out: as deep as the texts can be read, with a `wekaconf.Note` if that is
            not the whole tree.

        Returns
        -------
        Axes

        Raises
        ------
        OptionError
            matplotlib is not installed.
        """
        return plot_tree(self, ax, annotate=annotate, max_depth=max_depth)

    def with_laplace(self, laplace: bool) -> TreeMirror:
        """The same tree with or without Laplace's correction at the leaf.

        Raises
        ------
        OptionError
            The tree stores no class counts (REPTree, RandomTree).
        """
        if not self.routing.keeps_counts:
            raise OptionError(Owner(self.learner), " stores no class counts, so its leaves cannot be smoothed; use J48")
        return self if laplace == self.routing.is_laplace else self._laplace_twin

    @cached_property
    def _laplace_twin(self) -> TreeMirror:
        return replace(self, routing=self.routing.laplace_twin)

    def predict_proba(self, data: Dataset) -> FloatArray:
        """Class distributions, bit for bit Weka's ``distributionForInstance``; CART: scikit-learn's ``predict_proba``.

        COUNTS: see `Routing`.

        Parameters
        ----------
        data : Dataset
            With the header of the training data; the class is ignored.

        Returns
        -------
        (n_instances, n_classes) float64
            Rows sum to 1 and are at least 0, apart from Weka's own rounding. Cost: O(depth) per instance, more with
            missing values.

        Raises
        ------
        HeaderMismatchError
            The attributes of the data are not those of the training data.
        """
        self.header.check_same(header_of(data))
        return self.router.distributions(data.values)

    def predict(self, data: Dataset) -> NDArray[np.int64]:
        """(n_instances,) int64: the most probable class, ties to the lowest index, as in Weka's Evaluation."""
        return self.predict_proba(data).argmax(axis=1)

    def classify(self, data: Dataset) -> NDArray[np.int64]:
        """(n_instances,) int64: Weka's ``classifyInstance``, which is not always the most probable class.

        J48's ignores ``-A`` and lets a later class win only by more than 1e-6. RandomTree's gives −1 for an all-zero
        answer. CART, COUNTS, and a J48 inside AttributeSelectedClassifier: the most probable class, ties to the lowest
        index.
        """
        self.header.check_same(header_of(data))
        if not self.routing.is_j48 or self.learner == "AttributeSelectedClassifier":
            return strict_winner(self.router.distributions(data.values))
        plain = self.with_laplace(False).router.distributions(data.values)
        winner = np.zeros(len(plain), dtype=np.int64)
        best = np.full(len(plain), -1.0)
        for c in range(plain.shape[1]):
            wins = plain[:, c] - best > 1e-6
            winner[wins] = c
            best[wins] = plain[wins, c]
        return winner

    def apply(self, data: Dataset) -> Int32Array:
        """(n_instances,) int32: the node where each instance ends, −1 if a missing value divides it."""
        self.header.check_same(header_of(data))
        return self.router.terminal_nodes(data.values)
