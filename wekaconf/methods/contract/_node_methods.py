"""Methods that learn something at the nodes of a tree, or count the training instances there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import partial
from typing import Annotated, ClassVar

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.parameters import learned
from wekaconf.base.stored import distributions, stored
from wekaconf.data import Dataset, header_of
from wekaconf.data.arrays import FloatArray, Int32Array, TextArray
from wekaconf.methods.contract._answer import Answer, Reply
from wekaconf.methods.contract._explanation import Step
from wekaconf.methods.contract._explanation.of_tree import nodes_step
from wekaconf.methods.contract._method import Method
from wekaconf.methods.contract._reasons import Rows
from wekaconf.tree import Annotation, SplitKind, TreeMirror, class_weight, mean_answers, vector


class AnnotatesNodes(Method, is_registered=False):
    """A method that learns something about each node of a single tree, which a printed tree can show."""

    def annotation(self, node: int) -> Annotation:
        """The annotation that the fitted method adds to a node of its tree.

        Parameters
        ----------
        node : int
            In [0, n_nodes).

        Raises
        ------
        NotFittedError
        OptionError
            There is no such node, or the method is fitted on a forest.
        """
        self.check_fitted()
        if not isinstance(self.tree_, TreeMirror):
            raise OptionError("a forest is not annotated; fit the method on one of its trees", of=self.name)
        if not 0 <= node < self.tree_.n_nodes:
            raise OptionError(
                f"node must be from 0 to {self.tree_.n_nodes - 1}, the nodes of its tree; got {node}", of=self.name
            )
        return self._annotation(node)

    @abstractmethod
    def _annotation(self, node: int) -> Annotation:
        """The result of `annotation`, for a fitted method and a valid node."""


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


class CountsAtNodes(CountsInstances, is_registered=False):
    """A method that estimates each node's distribution from the class weights there, and keeps both.

    ``estimates`` is the name of the attribute in which a method declares its estimates.
    """

    estimates: ClassVar[str] = "answer_"
    tree_: TreeMirror = learned()
    # Kept because nobody could recompute a leaf without them.
    class_weight_: Annotated[FloatArray, stored(np.float64, "n_nodes", "n_classes", low=0)] = learned()
    """(n_nodes, n_classes) float64: summed weights by class of the training instances that reach each node whole."""

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self.class_weight_ = class_weight(tree, train)
        setattr(self, self.estimates, self._estimates(tree, self.class_weight_))

    @abstractmethod
    def _estimates(self, tree: TreeMirror, class_weight: FloatArray) -> FloatArray:
        """(n_nodes, n_classes) float64: the estimate of each node."""

    def _complete(self) -> None:
        super()._complete()
        expected = self._estimates(self.tree_, self.class_weight_)
        if not np.allclose(getattr(self, self.estimates), expected, rtol=0, atol=1e-12):
            raise ValueError(f"{self.estimates}: does not follow from class_weight_")


class AnswersAtNodes(AnnotatesNodes, CountsAtNodes, is_registered=False):
    """A method that learns a distribution for each node, with which it answers for an instance that stops there."""

    answer_: Annotated[FloatArray, distributions("n_nodes", "n_classes")] = learned()
    """(n_nodes, n_classes) float64: the distribution of an instance that stops at the node."""

    def answers_at(self, nodes: Int32Array) -> FloatArray | None:
        """See `Method.answers_at`."""
        return self.answer_[nodes]

    def _annotation(self, node: int) -> Annotation:
        """At a leaf, its distribution; the one value, ``answer``, is there at all nodes."""
        answer = self.answer_[node].tolist()
        is_leaf = self.tree_.split_kind[node] == SplitKind.LEAF
        return Annotation(lines=(vector(answer),) if is_leaf else (), values={"answer": answer})

    def _answer(self, data: Dataset) -> Reply:
        tree = self.tree_
        return Reply(
            mean_answers(tree, data, self.answer_),
            reasons=partial(self._sentences, tree, data),
            steps=lambda i: nodes_step(tree, data.values[i], partial(self._step_at, tree)),
        )

    @abstractmethod
    def _step_at(self, tree: TreeMirror, node: int) -> Step:
        """The step by which the distribution of a node follows from the class weights."""

    @abstractmethod
    def _sentences(self, tree: TreeMirror, data: Dataset, answer: Answer, rows: Rows) -> TextArray:
        """See `Reply.reasons`."""


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
