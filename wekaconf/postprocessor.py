"""The contract of every method: fitted on a tree and its training data, it answers for further instances."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wekaconf.data.dataset import Dataset, FloatArray, Header, header_of, name_list
from wekaconf.errors import NotFittedError, OptionError
from wekaconf.explanation import Explanation
from wekaconf.rounding import most_probable
from wekaconf.stored import check_stored, declared, parts_of
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror
from wekaconf.tree.router import sequential_sum

AFFECTED_CHANGE = 0.1
"""Katz et al. 2012: an instance is affected when a class probability changes by this much."""

LARGEST_ROUNDING = 1e-9
"""By how much the sum of a distribution may differ from 1."""


class LeftOut(NamedTuple):
    """Answers for training instances as if each were not among the training data.

    Parameters
    ----------
    proba : (n_rows, n_classes) float64
        The method's class distributions.
    ranking : (n_rows, n_classes) float64
        What it ranks by.
    certainty : (n_rows,) float64
        What it thresholds.
    baseline : (n_rows, n_classes) float64
        The distributions of the plain tree, grown without the instance too.
    """

    proba: FloatArray
    ranking: FloatArray
    certainty: FloatArray
    baseline: FloatArray


def _unheard(done: int, total: int) -> None:
    """What `PostProcessor.on_progress` is unless somebody listens."""
    del done, total


class PostProcessor(ABC):
    """A published method that reads a finished tree.

    A method is one subclass, ``class ConfDTree(PostProcessor, name="confdtree")``, which registers it. It takes
    its hyper-parameters keyword-only and stores each under its own name; it writes ``_fit`` and ``_predict_proba``
    and, where its paper has one, ``_scores``, ``_ranking``, ``_certainty``, ``_threshold`` and ``_explain``. One that
    can leave a training instance out without a tree for each writes ``_leave_one_out``; one that takes long writes
    ``_cost`` and calls ``on_progress``; one that answers in several ways writes ``_notes``. One that is not defined on
    every tree writes ``_check_tree``.

    What ``_fit`` learns is numpy arrays, or dataclasses of them, in attributes with a trailing underscore. Each is
    declared by its annotation, see `wekaconf.stored`: what is declared is all that a model file holds, and what it is
    declared to be is all that a model file may hold. Where arrays must agree with one another or with the tree beyond
    that, so that no file can lead the method astray, or where more follows from them, it writes ``_complete``.

    The public methods below check and delegate. They hide the class of the instances they are asked about.
    """

    registry: ClassVar[dict[str, type[PostProcessor]]] = {}
    name: ClassVar[str]
    reference: ClassVar[str] = ""
    """Key in references.bib; empty when the method is the learner's own."""
    certainty_range: ClassVar[str] = "[1/n_classes, 1]"
    takes_forest: ClassVar[bool] = False
    counts_events: ClassVar[bool] = False
    """Whether how often each kind of event was met is a result, which records and tables tell."""
    learner: tuple[str, str] | None = None
    """Name and options of the learner whose trees the paper reads; taken when the user names none."""

    def __init_subclass__(cls, *, name: str = "", **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if name:
            cls.name = name
            PostProcessor.registry[name] = cls

    on_progress: Callable[[int, int], None] = staticmethod(_unheard)
    """Called with how much is done and of how much, while the method answers, by methods that take long. Set it on an
    object to listen; it is no parameter and not saved."""

    tree_: TreeMirror | Forest

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
        self._check_tree(tree)
        tree.header.check_same(header_of(train), "the training data")
        counted = (train.class_values >= 0) & (train.weights > 0)
        self._fit(tree, train if counted.all() else train.take(counted))
        self.tree_ = tree
        self._n_trained = int(counted.sum())
        self._freeze()
        return self

    def predict_proba(self, data: Dataset) -> FloatArray:
        """Class distributions.

        Parameters
        ----------
        data : Dataset
            With the header of the training data; the class is hidden from the method.

        Returns
        -------
        (n_instances, n_classes) float64
            Rows are non-negative and sum to 1 within 1e-9. Where neither method nor tree has an answer
            (RandomTree's ``-U``) the row is zeros, and so is its certainty. ``leaf_frequency`` answers as the tree
            does, to the last bit.

        Raises
        ------
        NotFittedError, HeaderMismatchError
        """
        return self._distributions(self._checked(data))

    def scores(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: the method's raw values where it has some, else the distribution."""
        return self._scores(self._checked(data))

    def ranking(self, data: Dataset) -> FloatArray:
        """What instances are ranked by; the distribution, unless the method says otherwise.

        Parameters
        ----------
        data : Dataset
            As for `predict_proba`.

        Returns
        -------
        (n_instances, n_classes) float64
            Column c ranks instances by how likely class c is.
        """
        return self._ranking(self._checked(data))

    def predict(self, data: Dataset) -> NDArray[np.int64]:
        """(n_instances,) int64: the most probable class after rounding to 12 decimals, ties to the lowest index."""
        return most_probable(self.predict_proba(data))

    def certainty(self, data: Dataset) -> FloatArray:
        """(n_instances,) float64 in ``certainty_range``: what `reject` thresholds."""
        return self._certainty(self._checked(data))

    @property
    def threshold(self) -> float | None:
        """The certainty below which the method's own paper rejects an instance; None when it has no such rule."""
        self._check_fitted()
        return self._threshold()

    def reject(self, data: Dataset, *, below: float | None = None) -> NDArray[np.bool_]:
        """Which instances are better left unanswered.

        Parameters
        ----------
        data : Dataset
            As for `predict_proba`.
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
        """What the method did to each instance; nothing for a method that has nothing to tell."""
        return self._explain(self._checked(data))

    def affected(self, data: Dataset) -> NDArray[np.bool_]:
        """(n_instances,) bool: whether a class probability differs from the tree's own; see `is_affected`."""
        data = self._checked(data)
        return is_affected(self._distributions(data), self.tree_.predict_proba(data))

    def leave_one_out(self, rows: ArrayLike | None = None) -> LeftOut:
        """Answers for training instances as if each were not among the training data.

        Parameters
        ----------
        rows : (n_rows,) integers in [0, n_trained), optional
            Instances that the method was fitted on, in their order there, those that `fit` leaves out not counted;
            all when left out.

        Returns
        -------
        LeftOut

        Raises
        ------
        OptionError
            The method has no short way to such answers (cross-validation has the long one), it comes from a model
            file, which holds no training data, or there is no such row.
        NotFittedError
        """
        self._check_fitted()
        if not hasattr(self, "_n_trained"):
            raise OptionError(f"{self.name}: a model file holds no training data to leave one out of; fit it on them")
        given = np.arange(self._n_trained) if rows is None else np.asarray(rows)
        checked = given.astype(np.intp) if given.size == 0 else given
        if checked.ndim != 1 or not np.issubdtype(checked.dtype, np.integer):
            raise OptionError(
                f"{self.name}: rows must be whole numbers, one a training instance; got {given.dtype} of shape "
                f"{given.shape}"
            )
        outside = checked[(checked < 0) | (checked >= self._n_trained)]
        if len(outside):
            raise OptionError(
                f"{self.name}: rows must be from 0 to {self._n_trained - 1}, the instances it was fitted on; "
                f"got {outside[0]}"
            )
        found = self._leave_one_out(checked.astype(np.intp))
        if found is None:
            raise OptionError(
                f"{self.name} has no short way to leave one instance out; evaluate it with splits(data, folds='loo')"
            )
        return found

    def left_out_at_a_time(self, train: Dataset) -> int:
        """For how many instances `leave_one_out` is best asked at a time, so that none waits long; at least 1."""
        return max(self._left_out_at_a_time(train), 1)

    def notes(self, data: Dataset) -> tuple[str, ...]:
        """What a record has to tell of how the answers for ``data`` are computed; usually nothing."""
        return self._notes(self._checked(data))

    def cost(self, n_instances: int, header: Header) -> str:
        """A sentence about what so many answers cost, for those who would rather know first; usually empty.

        Parameters
        ----------
        n_instances : int
            How many instances are to be answered.
        header : Header
            Of the data; the method need not be fitted.
        """
        return self._cost(n_instances, header)

    @property
    def params(self) -> dict[str, Any]:
        """The hyper-parameters."""
        return {name: getattr(self, name) for name in parameters(type(self))}

    def __repr__(self) -> str:
        """The method as one would write it."""
        shown = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        return f"{type(self).__name__}({shown})"

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
    def _predict_proba(self, data: Dataset) -> FloatArray:
        """Answer for checked instances whose class is missing."""

    def _distributions(self, data: Dataset) -> FloatArray:
        """Answer as ``_predict_proba``, made distributions; those that are some already stay as they are.

        A row without weight becomes the tree's own. Trees themselves answer with less than 1 where branches of an
        instance with missing values have no class weights, and with −6e-15 where these are differences.
        """
        proba = self._predict_proba(data)
        proba = np.where(proba < 0, 0.0, proba)
        lost = np.flatnonzero(~proba.any(axis=1))
        if len(lost):
            proba[lost] = np.maximum(self.tree_.predict_proba(data.take(lost)), 0.0)
        total = sequential_sum(proba)
        is_off = (np.abs(total - 1) > LARGEST_ROUNDING) & (total > 0)
        proba[is_off] /= total[is_off, None]
        return proba

    def _scores(self, data: Dataset) -> FloatArray:
        return self._distributions(data)

    def _ranking(self, data: Dataset) -> FloatArray:
        return self._distributions(data)

    def _certainty(self, data: Dataset) -> FloatArray:
        return np.asarray(self._distributions(data).max(axis=1, initial=0.0))

    def _threshold(self) -> float | None:
        return None

    def _explain(self, data: Dataset) -> Explanation:
        none = np.zeros(0, dtype=np.intp)
        return Explanation(self.tree_, len(data), (), none, none.astype(np.int32), none.astype(np.uint8))

    def _leave_one_out(self, rows: NDArray[np.intp]) -> LeftOut | None:
        """Answer for training instances, as ``_fit`` got them, each as if it were not there; None: not defined.

        The answers must be those of the method fitted on the tree that the learner grows without the instance.
        """
        del rows
        return None

    def _left_out_at_a_time(self, train: Dataset) -> int:
        return len(train)

    def _notes(self, data: Dataset) -> tuple[str, ...]:
        del data
        return ()

    def _cost(self, n_instances: int, header: Header) -> str:
        del n_instances, header
        return ""

    # -- for the model file --

    def learned(self) -> dict[str, NDArray[Any]]:
        """The arrays that ``_fit`` has learned; those of a dataclass as ``attribute.field``."""
        self._check_fitted()
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

    def _complete(self) -> None:  # noqa: B027 - most have nothing to do
        """Make what follows from the tree and from arrays out of a file, each of them what it is declared to be.

        Raises ValueError where they contradict one another or the tree.
        """

    @property
    def n_kept(self) -> int:
        """How many training instances a fitted method, and so its model file, keeps; 0 where it needs none later."""
        return 0

    def _freeze(self) -> None:
        for array in self.learned().values():
            array.flags.writeable = False

    def _check_fitted(self) -> None:
        if not hasattr(self, "tree_"):
            raise NotFittedError(f"{self.name} is not fitted; call fit(tree, train) first")

    def _checked(self, data: Dataset) -> Dataset:
        self._check_fitted()
        self.tree_.header.check_same(header_of(data))
        return data.without_class_values()


def sizes_of(tree: TreeMirror | Forest) -> dict[str, int]:
    """The sizes that declarations of learned arrays may name."""
    sizes = {"n_classes": tree.header.n_classes, "n_attributes": len(tree.header.attributes)}
    return sizes if isinstance(tree, Forest) else sizes | {"n_nodes": tree.n_nodes}


def is_rejected(certainty: FloatArray, threshold: float | FloatArray) -> NDArray[np.bool_]:
    """(n_instances,) bool: whether the certainty is smaller than the threshold; ∞ rejects even a certainty of ∞."""
    return np.asarray((certainty < threshold) | np.isposinf(threshold))


def is_affected(proba: FloatArray, baseline: FloatArray) -> NDArray[np.bool_]:
    """(n_instances,) bool: whether a class probability differs from the baseline's by 0.1 or more.

    Katz et al. 2012, section IV.A; 1e-9 is allowed for rounding.
    """
    return np.asarray(np.abs(proba - baseline).max(axis=1, initial=0.0) >= AFFECTED_CHANGE - 1e-9)


def parameters(method: type[PostProcessor]) -> dict[str, inspect.Parameter]:
    """The hyper-parameters of a method with their defaults."""
    signature = inspect.signature(method.__init__).parameters
    return {name: parameter for name, parameter in signature.items() if parameter.kind == parameter.KEYWORD_ONLY}


def check_choice(method: str, parameter: str, value: object, choices: tuple[object, ...]) -> None:
    """Raise OptionError unless ``value`` is among ``choices``."""
    if value not in choices:
        raise OptionError(f"{method}: {parameter} must be one of {name_list(map(str, choices))}, got '{value}'")


def check_number(method: str, parameter: str, value: object, low: float, high: float) -> None:
    """Raise OptionError unless ``value`` is a number in [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise OptionError(f"{method}: {parameter} must be a number in [{low:g}, {high:g}], got '{value}'")
