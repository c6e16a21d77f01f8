"""Methods whose answers are sums over the training instances at the nodes of a tree."""

from __future__ import annotations

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset, header_of
from wekaconf.methods.contract.explanation.influences import influences
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.tree.mirror import TreeMirror


class CountsInstances(PostProcessor, is_registered=False):
    """A method that can say how much each training instance contributes to an answer."""

    def influences(self, data: Dataset, train: Dataset) -> FloatArray:
        """The part of the probability of each predicted class that each training instance contributes.

        Parameters
        ----------
        data : Dataset
            As for `answer`.
        train : Dataset
            What the method was fitted on, which is not checked.

        Returns
        -------
        (n_instances, n_train) float64
            In [0, 1], dimensionless; 0 for training instances of other classes, without a class or of weight 0, and for
            those that a missing value divides above the nodes that answer. Cost: O(n_instances · n_train · depth).

        Raises
        ------
        OptionError
            The method is fitted on a forest.
        NotFittedError, HeaderMismatchError
        """
        self.check_fitted()
        for dataset in (data, train):
            self.tree_.header.check_same(header_of(dataset))
        if not isinstance(self.tree_, TreeMirror):
            raise OptionError("its answers are not sums over training instances of a single tree", of=self.name)
        table = np.zeros((len(data), len(train)))
        kept = np.flatnonzero((train.class_values >= 0) & (train.weights > 0))
        training, answer = train.take(kept), self.answer(data)
        for i, c in enumerate(answer.predicted.tolist()):
            likeness = self._likeness(data.take([i]), training)
            steps = answer.explanation.account(i).steps
            table[i, kept] = influences(self.tree_, steps, c, training, likeness)
        return table

    def _likeness(self, one: Dataset, train: Dataset) -> FloatArray:
        """(n_train,) float64: how often each training instance is counted for one instance."""
        del one
        return np.ones(len(train))
