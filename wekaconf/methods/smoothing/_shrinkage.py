"""Shrinkage of class probabilities along the path."""

from __future__ import annotations

from typing import Literal

import numpy as np

from wekaconf.base.parameters import parameter
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.methods.contract import TreeByTree
from wekaconf.methods.smoothing._base import PathMethod
from wekaconf.tree import sequential_sum


class Shrinkage(TreeByTree, PathMethod, name="shrinkage"):
    """An interpolation of the estimates of all nodes on the path, from a uniform node above the root to the leaf.

    Notes
    -----
    P(c | e) = Σ_i w_c^i P^i(c | e), with separate weights for each class; P^0 = 1 / |D_1|. Each leaf has its own
    weights, learned from the training instances at that leaf. Naive Bayes: (n_c + 1/|C|) / (n + 1) times the product
    over the attributes of (N(c, i, A_i(e)) + 1/|A_i|) / (n_c + 1), normalised.

    Cost: fit O(instances · depth · classes · (depth + attributes)) for one iteration; prediction O(depth · attributes ·
    classes) per instance, whatever the number of training instances. Memory: sparse tables, and depth · classes weights
    per leaf.

    **Departures** from the paper: the scores are normalised over the classes, since each class has weights of its own
    and a P^0 that is not a probability. |D_1| counts x even while Step 2 has removed it. For an empty leaf the nearest
    ancestor with training instances answers, with weights learned from these. An instance that a missing value sends
    down several paths gets the mean of their answers, weighted by the tree's own shares; a training instance belongs
    only to nodes that it reaches whole. With instance weights, counts are summed weights, |D_1| too, and an instance
    adds its weight times Equation 3; when it is removed, so is its whole weight.

    References
    ----------
    Wang, Zhang: Improving the ranking performance of decision trees, ECML 2006, section 3, Equations 1 to 4 and
    Algorithm DIW. McCallum, Rosenfeld, Mitchell, Ng: Improving text classification by shrinkage in a hierarchy of
    classes, ICML 1998, for the uniform node and EM.
    """

    reference = "wang2006"
    local: Literal["laplace", "wpe", "naive_bayes"] = parameter(
        default="laplace",
        help="Estimate at a node: Laplace frequency (Equation 1; works on any attributes), weighted probability "
        "estimation (Equation 6, which makes the method shrinkage_wpe), or naive Bayes on the node's training "
        "instances, which the paper proposes.",
    )

    @property
    def _estimate(self) -> str:
        return self.local

    def answers_at(self, nodes: Int32Array) -> FloatArray | None:
        """See `Method.answers_at`; Laplace's estimate alone compares no values."""
        if self._estimate != "laplace":
            return None
        answers = self._answers(nodes, np.zeros((len(nodes), 0), dtype=np.int32), is_compiled=False)
        return answers / sequential_sum(answers)[:, None]
