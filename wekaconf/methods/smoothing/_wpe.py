"""Weighted probability estimation."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from wekaconf.base.parameters import learned, parameter
from wekaconf.base.stored import stored
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.methods.contract import Step
from wekaconf.methods.smoothing._base import NodeMethod
from wekaconf.methods.smoothing._columns import ComparedColumns
from wekaconf.methods.smoothing._counts import Classes, Codes, PresentClasses
from wekaconf.methods.smoothing._estimates import estimate_step
from wekaconf.tree import NodeInstances, TreeMirror


class WPE(NodeMethod, name="wpe"):
    """Class frequencies of the leaf, with each training instance weighted by its similarity to the instance.

    Notes
    -----
    P(c | e) = (Σ_{C(e_r) = c} (sim(e, e_r) + 1) + 1/|C|) / (Σ (sim(e, e_r) + 1) + 1) over the training instances e_r
    at the leaf, where sim is the number of attributes, the class excluded, whose values are equal.

    Computed from counts: the sum over class c is n_c + Σ_i N(c, i, A_i(e)), so that prediction costs O(depth +
    attributes · classes at the leaf) per instance, whatever the number of training instances. Fit: O(instances ·
    (depth + attributes)), and sparse tables no larger than the training set.

    **Departures** from the paper: none of substance. A missing value equals no value, not even another missing one.
    For an empty leaf the nearest ancestor with training instances answers. An instance that a missing value sends down
    several paths gets the mean of their answers, weighted by the tree's own shares; a training instance belongs only
    to nodes that it reaches whole. Instance weights multiply sim + 1. The paper's printed figures compare the class of
    the test instance as well, which is not done here: see `wekaconf.replication`.

    References
    ----------
    Wang, Zhang: Improving the ranking performance of decision trees, ECML 2006, section 4, Equations 5 and 6.
    """

    display_name = "WPE"
    reference = "wang2006"
    node: Literal["leaf", "root"] = parameter(
        default="leaf", help="The node whose training instances answer; root, a control, makes no use of the tree."
    )
    answers_at_: Annotated[Int32Array, stored(np.int32, "n_nodes", low=0, below="n_nodes")] = learned()
    """(n_nodes,) int32: for each node where an instance may stop, the node that answers."""

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self.columns_ = ComparedColumns.of(train, self.numeric, self.name)
        instances = NodeInstances.of(tree, train)
        self.answers_at_ = instances.nearest_filled(tree)
        if self.node == "root":
            self.answers_at_ = np.zeros_like(self.answers_at_)
        chosen = np.zeros(tree.n_nodes, dtype=np.bool_)
        chosen[self.answers_at_[tree.router.stops]] = True
        self._count(tree, train, PresentClasses.of(tree, train, chosen))

    def _answers(
        self, nodes: Int32Array, codes: Codes, *, is_compiled: bool, classes: Classes | None = None
    ) -> FloatArray:
        local = self._local(self.tree_.header.n_classes)
        if is_compiled:
            from wekaconf.methods.smoothing import _compiled as compiled

            return compiled.estimate(local, self.answers_at_[nodes], codes, classes=classes)
        return local(self.answers_at_[nodes], local.coded(codes, classes=classes), compares_class=True).T

    def _step_at(self, node: int, codes: Codes) -> Step:
        local = self._local(self.tree_.header.n_classes)
        return estimate_step(self.tree_, local, int(self.answers_at_[node]), codes)
