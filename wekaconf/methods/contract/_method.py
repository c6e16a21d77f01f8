"""The contract of every method: it is fitted on a tree and its training data, and answers for further instances."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import NotFittedError, OptionError
from wekaconf.base.parameters import Parametrised, Registry, learned
from wekaconf.base.stored import Sizes, check_stored, declared, parts_of
from wekaconf.base.words import Argument, Owner
from wekaconf.data import Dataset, header_of, training_part
from wekaconf.data.arrays import FloatArray, Int32Array, TextArray
from wekaconf.data.wording import the_mark
from wekaconf.methods.contract._answer import (
    LARGEST_PROBABILITY,
    Answer,
    CertaintyRange,
    Reply,
    is_affected,
    is_rejected,
)
from wekaconf.methods.contract._explanation import Account, Explanation, Step, paths
from wekaconf.methods.contract._explanation.of_tree import answer_step, distribution_step
from wekaconf.methods.contract._explanation.path_texts import path_texts
from wekaconf.methods.contract._leaf_reasons import path_sentences
from wekaconf.methods.contract._reasons import Rows, name_all_unseen_values, name_unseen_values
from wekaconf.tree import Forest, TreeMirror, sequential_sum

ReadArrays = Callable[[str, type, Sizes], dict[str, NDArray[Any]]]
"""Reads the arrays that a class declares, stored below a prefix, for the sizes that the declarations name."""
LARGEST_ROUNDING = 1e-9
"""The largest difference from 1 that the sum of a distribution may have."""


class Method(Parametrised, ABC):
    """Base class of the published methods, which read a finished tree; `wekaconf.method` makes one by its name.

    Each method is one subclass, ``class ConfDTree(Method, name="confdtree")``, which registers it; the base
    class of several methods passes ``is_registered=False``. A method declares its parameters in the class body, see
    `wekaconf.base.parameters`; where they may contradict one another it overrides ``_check_parameters``. It implements
    ``_fit`` and ``_answer`` and, where its paper has a rule for rejecting, ``_threshold``. A method that is not defined
    on every tree overrides ``_check_tree``. A method that keeps its training data and can answer without one of those
    instances is a `wekaconf.methods.contract._leaves_one_out.LeavesOneOut`.

    ``_fit`` puts what it learns into numpy arrays, or dataclasses of them, in attributes with a trailing underscore.
    Each is declared by its annotation, see `wekaconf.base.stored`: a model file holds the declared arrays and no
    others, and only values that the declarations allow. Where arrays must also agree with one another or with the tree,
    so that no file can lead the method astray, or where something is derived from them, it overrides ``_complete``.

    The public methods below check their arguments and delegate. They hide the class of the instances they answer for.
    """

    registry: ClassVar[Registry[Method]] = Registry()
    display_name: ClassVar[str]
    """The name in tables, figures and titles; left out: the name with spaces."""
    reference: ClassVar[str] = ""
    """Key in references.bib; empty when the method is the learner's own."""
    certainty_range: ClassVar[CertaintyRange] = LARGEST_PROBABILITY
    takes_forest: ClassVar[bool] = False
    reads_train: ClassVar[bool] = True
    """Whether it learns from the training data; else the tree is all that it needs."""
    counts_events: ClassVar[bool] = False
    """Whether the number of events of each kind is a result, shown in records and tables."""
    is_table_reading: ClassVar[bool] = False
    """Whether it reproduces the printed tables of a paper, for replication only."""
    sees_class: ClassVar[bool] = False
    """Whether it is shown the class of the instances it answers for, as some table readings are."""
    grows_again: ClassVar[bool] = False
    """Whether it reads only a tree that its learner and options grow on the training data."""
    tree_: TreeMirror | Forest = learned()

    def __init_subclass__(cls, *, name: str = "", is_registered: bool = True, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if is_registered:
            Method.registry[name] = cls
            if "display_name" not in cls.__dict__:
                cls.display_name = name.replace("_", " ")

    @property
    def learner(self) -> tuple[str, str] | None:
        """Name and options of the paper's learner, used unless the user names one; None: the method reads any tree."""
        return None

    @property
    def reads_numbers(self) -> bool:
        """Whether the method, with its parameters, is defined on numeric and date attributes."""
        return True

    # -- for the user --

    def fit(self, tree: TreeMirror | Forest, train: Dataset) -> Self:
        """Learn what the method needs from the training data of a tree.

        Parameters
        ----------
        tree : TreeMirror or Forest
            Read, never written.
        train : Dataset
            What the tree was grown on, which is not checked; instances without a class or of weight 0 are left out.

        Returns
        -------
        The method itself.

        Raises
        ------
        HeaderMismatchError
            The attributes of the data are not those of the tree.
        OptionError
            The method is not defined on such a tree.
        """
        if not isinstance(tree, TreeMirror | Forest):
            is_data = isinstance(tree, Dataset)
            hint = "the tree comes before the data" if is_data else "wekaconf.mirror makes one of others' trees"
            raise OptionError(
                f"fit: expected a tree as wekaconf.grow gives it, got {type(tree).__name__}; {hint}", value_of="tree"
            )
        header = header_of(train)
        self._check_tree(tree)
        tree.header.check_same(header, "the training data")
        self._fit_whole(tree, training_part(train))
        self.tree_ = tree
        self._freeze()
        return self

    def unfitted(self) -> Self:
        """A method with the same parameters that has learned nothing."""
        return type(self)(**self.params)

    def answer(self, data: Dataset) -> Answer:
        """Everything that the method says about instances, computed in one pass.

        Parameters
        ----------
        data : Dataset
            With the header of the training data; the class is hidden from the method.

        Returns
        -------
        Answer
            Distributions, ranking, scores, certainty, the explanation, and the reasons. Rows of ``proba`` are
            non-negative and sum to 1 within 1e-9. Where neither method nor tree has an answer (RandomTree's ``-U``) the
            row is zeros, and so is its certainty. ``leaf_frequency`` answers as the tree does, to the last bit, so
            a probability may lie outside [0, 1] by the tree's own rounding; see there.

        Raises
        ------
        NotFittedError, HeaderMismatchError
        """
        self.check_fitted()
        self.tree_.header.check_same(header_of(data))
        visible = data if self.sees_class else data.without_class_values()
        reply, tree = self._reply_whole(visible), self.tree_

        def reasons(answer: Answer, rows: Rows) -> TextArray | Sequence[str]:
            given = reply.reasons
            texts = given(answer, rows) if given else path_sentences(tree, visible, answer.proba, rows)
            return name_all_unseen_values(texts, visible, rows) if visible.unseen else texts

        def path_of(answer: Answer, rows: Rows) -> TextArray:
            assert isinstance(tree, TreeMirror)
            texts = path_texts(tree, visible.values[rows], answer.predicted[rows])
            return name_all_unseen_values(texts, visible, rows) if visible.unseen else texts

        return Answer(
            self._distributions(reply.proba, visible),
            replace(reply, reasons=None),
            self.tree_.header.class_names,
            lambda: paths(self.tree_, visible),
            reasons,
            lambda answer, i: self._account(visible, answer, i),
            self.threshold,
            None if isinstance(tree, Forest) else path_of,
        )

    def predict_proba(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: class distributions; see `answer`."""
        return self.answer(data).proba

    def scores(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: the method's raw values where it has any, else the distribution."""
        return self.answer(data).scores

    def ranking(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: column c ranks instances by how likely class c is.

        The distribution, unless the method has a ranking of its own.
        """
        return self.answer(data).ranking

    def predict(self, data: Dataset) -> NDArray[np.int64]:
        """(n_instances,) int64: the most probable class after rounding to 12 decimals, ties to the lowest index."""
        return self.answer(data).predicted

    def certainty(self, data: Dataset) -> FloatArray:
        """(n_instances,) float64 in ``certainty_range``: what `reject` thresholds."""
        return self.answer(data).certainty

    @property
    def in_words(self) -> str:
        """What a fitted method has learned, in a line, where that can be said in one; else empty."""
        return ""

    @property
    def n_kept(self) -> int:
        """Number of training instances that a fitted method, and so its model file, keeps."""
        return 0

    @property
    def threshold(self) -> float | None:
        """The certainty below which the method's own paper rejects an instance; None when it has no such rule."""
        self.check_fitted()
        return self._threshold()

    def reject(self, data: Dataset, *, below: float | None = None) -> NDArray[np.bool_]:
        """Decide which instances are better left unanswered.

        Parameters
        ----------
        data : Dataset
            As for `answer`.
        below : float, optional
            A certainty, from `wekaconf.choose_threshold` or of your choice. Left out: the method's ``threshold``.

        Returns
        -------
        (n_instances,) bool
            Whether the certainty is smaller than ``below``; all when that is ∞.

        Raises
        ------
        OptionError
            ``below`` is NaN, or it is left out and the method has no rule of its own.
        NotFittedError, HeaderMismatchError
        """
        certainty = self.certainty(data)
        threshold = self._threshold() if below is None else below
        if threshold is None:
            raise OptionError(
                Owner(self.name),
                " has no rule of its own for rejecting; give ",
                Argument("below"),
                f", a certainty in {self.certainty_range}, or let choose_threshold find one",
            )
        if np.isnan(threshold):
            raise OptionError(f"below must be a number, got {threshold}", of=self.name)
        return is_rejected(certainty, threshold)

    def explain(self, data: Dataset) -> Explanation:
        """The explanation of each answer: the method's events, or the instance's path down the tree."""
        return self.answer(data).explanation

    def affected(self, data: Dataset) -> NDArray[np.bool_]:
        """(n_instances,) bool: whether a class probability differs from the tree's own; see `is_affected`."""
        return is_affected(self.predict_proba(data), self.tree_.predict_proba(data))

    def answers_at(self, nodes: Int32Array) -> FloatArray | None:
        """The distributions for instances that stop at nodes, if nothing else of an instance matters.

        An instance that a missing value divides then gets the mean of the answers for its parts, weighted by their
        shares; ``leaf_frequency`` adds the parts up by the learner's own rule.

        Parameters
        ----------
        nodes : (n,) int32
            Nodes of a single tree where instances stop.

        Returns
        -------
        (n, n_classes) float64 or None
            None: the answer depends on the values of the instance. The certainty is the largest probability.
        """
        del nodes
        return None

    # -- for a base of methods --

    def _fit_whole(self, tree: TreeMirror | Forest, train: Dataset) -> None:
        """Fit on a tree or forest; a base overrides this for what ``_fit`` does not handle."""
        self._fit(tree, train)

    def _reply_whole(self, data: Dataset) -> Reply:
        """Answer as fitted by `_fit_whole`."""
        return self._answer(data)

    # -- for a method --

    def _check_tree(self, tree: TreeMirror | Forest) -> None:
        """Raise OptionError where the method is not defined on such a tree."""
        if isinstance(tree, Forest) and not self.takes_forest:
            learner = self.learner[0] if self.learner and self.learner[0] != tree.learner else "J48"
            raise OptionError(
                Owner(self.name),
                f" is defined on a single tree, not on a forest of {tree.learner}; give it one that {learner} grows",
            )

    @abstractmethod
    def _fit(self, tree: Any, train: Dataset) -> None:
        """Learn from instances that all have a class and a positive weight."""

    @abstractmethod
    def _answer(self, data: Dataset) -> Reply:
        """Answer for instances with the tree's header, whose class is missing."""

    def _distributions(self, proba: FloatArray, data: Dataset) -> FloatArray:
        """The method's answers, made into distributions; rows that are distributions already stay as they are.

        A row of zeros becomes the tree's answer. The rows of trees themselves sum to less than 1 where branches of an
        instance with missing values have no class weights, and hold −6e-15 where class weights are differences.
        """
        largest = np.abs(proba @ np.ones(proba.shape[1]) - 1).max(initial=0.0)
        if largest < LARGEST_ROUNDING / 2 and proba.min(initial=0.0) >= 0:
            return proba.copy()
        proba = np.where(proba < 0, 0.0, proba)
        unanswered = np.flatnonzero(~proba.any(axis=1))
        if len(unanswered):
            proba[unanswered] = np.maximum(self.tree_.predict_proba(data.take(unanswered)), 0.0)
        total = sequential_sum(proba)
        is_off = (np.abs(total - 1) > LARGEST_ROUNDING) & (total > 0)
        proba[is_off] /= total[is_off, None]
        return proba

    def _account(self, data: Dataset, answer: Answer, i: int) -> Account:
        """The account of the answer for an instance."""
        reply = answer.reply
        tree_answer = partial(answer_step, self.tree_, data.values[i])
        steps = distribution_step(reply.steps(i) if reply.steps else tree_answer(), answer.proba[i], tree_answer)
        if reply.steps is None and not np.array_equal(steps.array, answer.proba[i]):
            steps = Step.given("the method's answer, for which it gives no steps", answer.proba[i], kind="answer")
        certainty = (
            reply.certainty_steps(answer, i)
            if reply.certainty_steps
            else Step("largest", "the largest probability", max(steps.array.tolist()), "largest", parts=(steps,))
        )
        if unseen := data.unseen_in(i):
            steps, certainty = (
                step.rewritten(partial(name_unseen_values, unseen=unseen)) for step in (steps, certainty)
            )
        return Account(data.class_names, int(answer.predicted[i]), answer.reason(i), steps, certainty, the_mark())

    def _threshold(self) -> float | None:
        return None

    # -- for the model file --

    def learned(self) -> dict[str, NDArray[Any]]:
        """The arrays that ``_fit`` has learned; those of a dataclass as ``attribute.field``."""
        self.check_fitted()
        return {
            name: array
            for name, declaration in declared(type(self)).items()
            if (array := attrgetter(name)(self)).size or not declaration.is_optional
        }

    @classmethod
    def read_learned(
        cls, params: Mapping[str, Any], tree: TreeMirror | Forest, read: ReadArrays
    ) -> dict[str, NDArray[Any]]:
        """The arrays of `learned`, as ``read`` finds them in a model file; see `check_stored`."""
        del params
        return read("", cls, sizes_of(tree))

    @classmethod
    def restore(
        cls, params: Mapping[str, Any], tree: TreeMirror | Forest, learned: Mapping[str, NDArray[Any]]
    ) -> Method:
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
        """Derive what follows from the tree and from arrays read from a file, each already checked by its declaration.

        Raises ValueError where the arrays contradict one another or the tree.
        """

    def _freeze(self) -> None:
        for array in self.learned().values():
            array.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled or copied method with read-only arrays, for which the kernels are compiled."""
        vars(self).update(state)
        if hasattr(self, "tree_"):
            self._freeze()

    def check_fitted(self) -> None:
        """Raise NotFittedError unless `fit` was called."""
        if not hasattr(self, "tree_"):
            raise NotFittedError(f"{self.name} is not fitted; call fit(tree, train) first")


def sizes_of(tree: TreeMirror | Forest) -> Sizes:
    """The sizes that the declarations of learned arrays may refer to, by name."""
    sizes = {"n_classes": tree.header.n_classes, "n_attributes": len(tree.header.attributes)}
    return sizes if isinstance(tree, Forest) else sizes | {"n_nodes": tree.n_nodes}


def display_of(label: str) -> str:
    """What tables and figures call a scheme: the display name of its method, with what else its label says.

    Parameters
    ----------
    label : str
        As `wekaconf.model.scheme.label_of` writes it, perhaps followed by a learner; others are returned as they are.

    Returns
    -------
    str
        Such as ``"ConfDTree (fine=0.2) on J48"`` for ``"confdtree:fine=0.2 on J48"``.
    """
    found = re.match(r"(\w+)(?::(\S+))?(?= |$)", label)
    if found is None or found[1] not in Method.registry:
        return label
    params = f" ({found[2]})" if found[2] else ""
    return Method.registry[found[1]].display_name + params + label[found.end() :]
