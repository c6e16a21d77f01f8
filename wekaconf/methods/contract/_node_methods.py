"""Methods that learn something at the nodes of a tree, or count the training instances there."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import Annotated, ClassVar

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.parameters import learned
from wekaconf.base.stored import distributions, stored
from wekaconf.data import Dataset
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


class CountsAtNodes(Method, is_registered=False):
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
