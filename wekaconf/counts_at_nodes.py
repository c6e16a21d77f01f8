"""Methods whose estimate at a node follows from the class weights of the training instances there."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, ClassVar

import numpy as np

from wekaconf.data.dataset import Dataset, FloatArray
from wekaconf.parameters import learned
from wekaconf.postprocessor import PostProcessor
from wekaconf.stored import stored
from wekaconf.tree.instances import NodeInstances
from wekaconf.tree.mirror import TreeMirror


class CountsAtNodes(PostProcessor, is_registered=False):
    """A method that makes an estimate for each node of the class weights there, and keeps both.

    A method names the array of its estimates, which it declares, in ``estimates``.
    """

    counts_instances = True
    estimates: ClassVar[str] = "answer_"
    class_weight_: Annotated[FloatArray, stored(np.float64, "n_weighed", "n_classes", low=0, is_optional=True)] = (
        learned()
    )
    """(n_nodes, n_classes) float64: summed weights by class of the training instances that reach each node whole; no
    rows after a model file of an earlier version."""

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self.class_weight_ = NodeInstances.of(tree, train).class_weight(tree, train)
        setattr(self, self.estimates, self._estimates(tree, self.class_weight_))

    @abstractmethod
    def _estimates(self, tree: TreeMirror, class_weight: FloatArray) -> FloatArray:
        """(n_nodes, n_classes) float64: the estimate of each node."""

    def _complete(self) -> None:
        super()._complete()
        if not self._keeps_weights:
            return
        assert isinstance(self.tree_, TreeMirror)
        if len(self.class_weight_) != self.tree_.n_nodes:
            raise ValueError(f"class_weight_: expected {self.tree_.n_nodes} rows, got {len(self.class_weight_)}")
        expected = self._estimates(self.tree_, self.class_weight_)
        if not np.allclose(getattr(self, self.estimates), expected, rtol=0, atol=1e-12):
            raise ValueError(f"{self.estimates}: does not follow from class_weight_")

    @property
    def _keeps_weights(self) -> bool:
        """Whether the class weights are known."""
        return bool(self.class_weight_.size)
