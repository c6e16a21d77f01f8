"""The contract of every method: fitted on a tree and its training data, it answers for further instances."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from operator import attrgetter
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.answer import LARGEST_PROBABILITY, Answer, CertaintyRange, Reply, is_affected, is_rejected
from wekaconf.data.dataset import Dataset, FloatArray, header_of
from wekaconf.errors import NotFittedError, OptionError
from wekaconf.explanation import Explanation, paths
from wekaconf.parameters import Parametrised, learned, register
from wekaconf.stored import check_stored, declared, parts_of
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror
from wekaconf.tree.router import sequential_sum

LARGEST_ROUNDING = 1e-9
"""By how much the sum of a distribution may differ from 1."""


class PostProcessor(Parametrised, ABC):
    """A published method that reads a finished tree.

    A method is one subclass, ``class ConfDTree(PostProcessor, name="confdtree")``, which registers it; a base of
    several says ``is_registered=False``. It declares its parameters in the class body, see `wekaconf.parameters`; where
    several may contradict one another it writes ``_check_parameters``. It writes ``_fit`` and ``_answer`` and, where
    its paper has one, ``_threshold``. One that is not defined on every tree writes ``_check_tree``. One that keeps its
    training data and can answer without one of them is a `wekaconf.leaves_one_out.LeavesOneOut`.

    What ``_fit`` learns is numpy arrays, or dataclasses of them, in attributes with a trailing underscore. Each is
    declared by its annotation, see `wekaconf.stored`: what is declared is all that a model file holds, and what it is
    declared to be is all that a model file may hold. Where arrays must agree with one another or with the tree beyond
    that, so that no file can lead the method astray, or where more follows from them, it writes ``_complete``.

    The public methods below check and delegate. They hide the class of the instances they are asked about.
    """

    registry: ClassVar[dict[str, type[PostProcessor]]] = {}
    reference: ClassVar[str] = ""
    """Key in references.bib; empty when the method is the learner's own."""
    certainty_range: ClassVar[CertaintyRange] = LARGEST_PROBABILITY
    takes_forest: ClassVar[bool] = False
    counts_events: ClassVar[bool] = False
    """Whether how often each kind of event was met is a result, which records and tables tell."""
    reasons: ClassVar[tuple[str, ...]] = ()
    """The kinds of event that tell why an answer is rejected."""
    is_table_reading: ClassVar[bool] = False
    """Whether it reproduces the printed tables of a paper, for replication only."""
    sees_class: ClassVar[bool] = False
    """Whether it is shown the class of the instances it answers for, as some table readings are."""
    tree_: TreeMirror | Forest = learned()

    def __init_subclass__(cls, *, name: str = "", is_registered: bool = True, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if is_registered:
            register(PostProcessor.registry, cls, name)

    @property
    def learner(self) -> tuple[str, str] | None:
        """Name and options of the learner whose trees the paper reads, taken when the user names none; None: any."""
        return None

    # -- for the user --

    def fit(self, tree: TreeMirror | Forest, train: Dataset) -> Self:
        """Learn what the method needs from the training data of a tree.

        Parameters
        ----------
        tree : TreeMirror or Forest
            Read, never written.
        train : Dataset
            What the tree was grown on; instances without a class or of weight 0 are left out. That these are the
            tree's own training data is not checked.

        Returns
        -------
        The method itself.

        Raises
        ------
        HeaderMismatchError
            The data have other attributes than the tree.
        OptionError
            The method is not defined on such a tree.
        """
        if not isinstance(tree, TreeMirror | Forest):
            raise OptionError(f"fit: expected a tree as wekaconf.grow gives it, got {type(tree).__name__}")
        header = header_of(train)
        self._check_tree(tree)
        tree.header.check_same(header, "the training data")
        counted = (train.class_values >= 0) & (train.weights > 0)
        self._fit(tree, train if counted.all() else train.take(counted))
        self.tree_ = tree
        self._freeze()
        return self

    def answer(self, data: Dataset) -> Answer:
        """All that the method says of instances, computed in one pass.

        Parameters
        ----------
        data : Dataset
            With the header of the training data; the class is hidden from the method.

        Returns
        -------
        Answer
            Distributions, ranking, scores, certainty, and the explanation. Rows of ``proba`` are non-negative and sum
            to 1 within 1e-9. Where neither method nor tree has an answer (RandomTree's ``-U``) the row is zeros, and so
            is its certainty. ``leaf_frequency`` answers as the tree does, to the last bit.

        Raises
        ------
        NotFittedError, HeaderMismatchError
        """
        self.check_fitted()
        self.tree_.header.check_same(header_of(data))
        asked = data if self.sees_class else data.without_class_values()
        reply = self._answer(asked)
        return Answer(self._distributions(reply.proba, asked), reply, lambda: paths(self.tree_, asked))

    def predict_proba(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: class distributions; see `answer`."""
        return self.answer(data).proba

    def scores(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: the method's raw values where it has some, else the distribution."""
        return self.answer(data).scores

    def ranking(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: what instances are ranked by, column c by how likely class c is.

        The distribution, unless the method says otherwise.
        """
        return self.answer(data).ranking

    def predict(self, data: Dataset) -> NDArray[np.int64]:
        """(n_instances,) int64: the most probable class after rounding to 12 decimals, ties to the lowest index."""
        return self.answer(data).predicted

    def certainty(self, data: Dataset) -> FloatArray:
        """(n_instances,) float64 in ``certainty_range``: what `reject` thresholds."""
        return self.answer(data).certainty

    @property
    def threshold(self) -> float | None:
        """The certainty below which the method's own paper rejects an instance; None when it has no such rule."""
        self.check_fitted()
        return self._threshold()

    def reject(self, data: Dataset, *, below: float | None = None) -> NDArray[np.bool_]:
        """Which instances are better left unanswered.

        Parameters
        ----------
        data : Dataset
            As for `answer`.
        below : float, optional
            A certainty; what `wekaconf.choose_threshold` finds, or one's own. Left out: the method's ``threshold``.

        Returns
        -------
        (n_instances,) bool
            Whether the certainty is smaller than ``below``; all when that is ∞.

        Raises
        ------
        OptionError
            ``below`` is left out and the method has no rule of its own, or it is NaN.
        NotFittedError, HeaderMismatchError
        """
        certainty = self.certainty(data)
        threshold = self._threshold() if below is None else below
        if threshold is None:
            raise OptionError(
                f"{self.name} has no rule of its own for rejecting; give below=, a certainty in "
                f"{self.certainty_range}, or let choose_threshold find one"
            )
        if np.isnan(threshold):
            raise OptionError(f"{self.name}: below must be a number, got {threshold}")
        return is_rejected(certainty, threshold)

    def explain(self, data: Dataset) -> Explanation:
        """What the method did to each instance: its own events, or the path of the instance down the tree."""
        return self.answer(data).explanation

    def affected(self, data: Dataset) -> NDArray[np.bool_]:
        """(n_instances,) bool: whether a class probability differs from the tree's own; see `is_affected`."""
        return is_affected(self.predict_proba(data), self.tree_.predict_proba(data))

    # -- for a method --

    def _check_tree(self, tree: TreeMirror | Forest) -> None:
        """Raise OptionError where the method is not defined on such a tree."""
        if isinstance(tree, Forest) and not self.takes_forest:
            wanted = self.learner[0] if self.learner and self.learner[0] != tree.learner else "J48, say"
            raise OptionError(
                f"{self.name} is defined on a single tree, not on a forest of {tree.learner}; give a tree of {wanted}"
            )

    @abstractmethod
    def _fit(self, tree: Any, train: Dataset) -> None:
        """Learn from instances that all have a class and a positive weight."""

    @abstractmethod
    def _answer(self, data: Dataset) -> Reply:
        """Answer for instances with the tree's header, whose class is missing."""

    def _distributions(self, proba: FloatArray, data: Dataset) -> FloatArray:
        """What the method answers, made distributions; those that are some already stay as they are.

        A row without weight becomes the tree's own. Trees themselves answer with less than 1 where branches of an
        instance with missing values have no class weights, and with −6e-15 where these are differences.
        """
        proba = np.where(proba < 0, 0.0, proba)
        lost = np.flatnonzero(~proba.any(axis=1))
        if len(lost):
            proba[lost] = np.maximum(self.tree_.predict_proba(data.take(lost)), 0.0)
        total = sequential_sum(proba)
        is_off = (np.abs(total - 1) > LARGEST_ROUNDING) & (total > 0)
        proba[is_off] /= total[is_off, None]
        return proba

    def _threshold(self) -> float | None:
        return None

    # -- for the model file --

    def learned(self) -> dict[str, NDArray[Any]]:
        """The arrays that ``_fit`` has learned; those of a dataclass as ``attribute.field``."""
        self.check_fitted()
        return {name: attrgetter(name)(self) for name in declared(type(self))}

    @classmethod
    def restore(
        cls, params: Mapping[str, Any], tree: TreeMirror | Forest, learned: Mapping[str, NDArray[Any]]
    ) -> PostProcessor:
        """The fitted method that ``params``, ``tree_`` and `learned` were taken from.

        Raises
        ------
        OptionError
            A parameter is out of its range, or the method is not defined on such a tree.
        ValueError
            The arrays are not those that the method declares, or contradict one another or the tree.
        """
        method = cls(**params)
        method._check_tree(tree)
        check_stored(cls, learned, sizes_of(tree))
        for name, value in parts_of(cls, learned).items():
            setattr(method, name, value)
        method.tree_ = tree
        method._complete()
        method._freeze()
        return method

    def _complete(self) -> None:
        """Make what follows from the tree and from arrays out of a file, each of them what it is declared to be.

        Raises ValueError where they contradict one another or the tree.
        """

    def _freeze(self) -> None:
        for array in self.learned().values():
            array.flags.writeable = False

    def check_fitted(self) -> None:
        """Raise NotFittedError unless `fit` was called."""
        if not hasattr(self, "tree_"):
            raise NotFittedError(f"{self.name} is not fitted; call fit(tree, train) first")


def sizes_of(tree: TreeMirror | Forest) -> dict[str, int]:
    """The sizes that declarations of learned arrays may name."""
    sizes = {"n_classes": tree.header.n_classes, "n_attributes": len(tree.header.attributes)}
    return sizes if isinstance(tree, Forest) else sizes | {"n_nodes": tree.n_nodes}
