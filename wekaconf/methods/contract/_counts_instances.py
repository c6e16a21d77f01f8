"""Methods whose answers are sums over the training instances at the nodes of a tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.data import Dataset, header_of
from wekaconf.data.arrays import FloatArray
from wekaconf.methods.contract._explanation.step import Step
from wekaconf.methods.contract._method import Method
from wekaconf.tree import TreeMirror


class CountsInstances(Method, is_registered=False):
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
            table[i, kept] = _influences(self.tree_, steps, c, training, likeness)
        return table

    def _likeness(self, one: Dataset, train: Dataset) -> FloatArray:
        """(n_train,) float64: how often each training instance is counted for one instance."""
        del one
        return np.ones(len(train))


def _influences(tree: TreeMirror, steps: Step, c: int, train: Dataset, likeness: FloatArray) -> FloatArray:
    """The part of the probability of a class that each training instance contributes.

    Parameters
    ----------
    tree : TreeMirror
    steps : Step
        How the answer follows from the training instances at the nodes.
    c : int
        The class.
    train : Dataset
        What the method was fitted on.
    likeness : (n_train,) float64
        How often each instance is counted at a node: once, and for WPE once more per equal value.

    Returns
    -------
    (n_train,) float64
        At least 0, dimensionless; 0 for instances of other classes, which count by adding to the totals. Their sum is
        the probability of the class less what the estimates add to every class. Cost: O(n_train · depth).
    """
    class_weight = np.where(train.class_values == c, train.weights * likeness, 0.0)
    last = tree.router.last_whole_nodes(train.values)
    rank, size = tree.preorder
    total = np.zeros(len(train))
    for node, share in _shares(steps, c, 1.0):
        is_there = (rank[last] >= rank[node]) & (rank[last] < rank[node] + size[node])
        total += np.where(is_there, share * class_weight, 0.0)
    return total


def _shares(step: Step, c: int, share: float) -> Iterator[tuple[int, float]]:
    """The nodes whose instances are counted, and what one instance of the class contributes there."""
    values = step.values
    if step.rule in ("frequency", "m_estimate"):
        yield step.node, share / values["total"]
    if step.rule == "weighted":
        shares = [share * (weight[c] if isinstance(weight, list) else weight) for weight in values["weights"]]
    elif step.rule == "m_estimate":
        shares = [share * values["m"] / values["total"]]
    elif step.rule == "scaled":
        shares = [share / values["total"]]
    else:
        shares = [share] * len(step.parts)
    for part, part_share in zip(step.parts, shares, strict=True):
        yield from _shares(part, c, part_share)
