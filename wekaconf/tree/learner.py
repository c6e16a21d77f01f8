"""The contract and the registry of learners, which grow a tree or a forest on training data, or many in turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, Self, TypeVar
from weakref import WeakKeyDictionary, ref

import numpy as np

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.naming import nearest
from wekaconf.base.parameters import Parametrised, Registry, changed, learned, read_parameters, written
from wekaconf.base.plugins import plugins
from wekaconf.base.words import Owner
from wekaconf.data import Dataset, check_trainable, header_of, training_part
from wekaconf.tree._forest import Forest
from wekaconf.tree._mirror import TreeMirror

Grown = TypeVar("Grown", bound=TreeMirror | Forest)
Item = TypeVar("Item")
_GROWN_ON: MutableMapping[TreeMirror | Forest, ref[Dataset]] = WeakKeyDictionary()
"""The training data of the trees that were grown here, while both are in use."""
LARGE = 1 << 20
"""Number of cells above which a training set is large: one alone is prepared ahead, once the tree before is done."""
AHEAD = 2
"""Number of trees that are begun beyond the one that is waited for: one grows beside it, the other is queued."""
Begin = Callable[[Dataset], Callable[[], Grown]]
"""A function that begins to grow a tree; calling its result waits for the tree."""


class Learner(Parametrised, ABC, Generic[Grown]):
    """A learner: grows a tree, or a forest, on training data.

    Each learner is one subclass, ``class Stump(Learner[TreeMirror], name="stump")``, which registers it; the base class
    of several learners passes ``is_registered=False``. A learner declares its parameters in the class body, see
    `wekaconf.base.parameters`, and implements ``_grow``; where a user should know what growing does to the training
    data, it overrides ``note``.
    """

    registry: ClassVar[Registry[Learner[Any]]] = Registry()
    reference: ClassVar[str] = ""
    """Key in references.bib; empty when there is no paper."""
    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names of the learner."""
    is_ensemble: ClassVar[bool] = False
    """Whether it grows a `Forest`."""
    grown_by: ClassVar[str] = ""
    """The program that grows the trees, by its name among the versions of a record; empty: this process."""
    takes_all: ClassVar[bool] = False
    """Whether ``_grow`` also gets the instances without a class, or of weight 0."""
    options: str = learned()
    """The options as trees and records hold them: as the user wrote them, else those not at their defaults.

    To the blank: model files hold this text, and `tpce` reads it again to grow more such trees.
    """

    @property
    def reads_nominal(self) -> bool:
        """Whether the learner, with its parameters, grows on nominal attributes."""
        return True

    def __init_subclass__(cls, *, name: str = "", is_registered: bool = True, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if is_registered:
            Learner.registry[name] = cls

    def __init__(self, *positional: Any, **values: Any) -> None:
        super().__init__(*positional, **values)
        self.options = self._written_options()

    def _written_options(self) -> str:
        """The text of the options that are not at their defaults."""
        return " ".join(f"{name}={written(value)}" for name, value in changed(self).items())

    @classmethod
    def of_options(cls, options: str | Sequence[str] = "") -> Self:
        """The learner that a text of options describes.

        Parameters
        ----------
        options : str or sequence of str
            ``"prune=cv se=0"``, or the parts of such a text.

        Raises
        ------
        OptionError
            A parameter is unknown or given twice, or its value is not allowed.
        """
        text = options_text(cls.name, options)
        learner = cls(**read_parameters(cls, text.split(), Owner(cls.name), f" {text}"))
        learner.options = text
        return learner

    # -- for the user --

    def grow(self, train: Dataset) -> Grown:
        """Grow a tree, or a forest.

        Parameters
        ----------
        train : Dataset
            Instances without a class are left out, with a `Note`; so are those of weight 0.

        Returns
        -------
        TreeMirror or Forest
            With ``learner`` and ``options`` in its record.

        Raises
        ------
        OptionError
            The data cannot be learned from, or Weka refuses an option.
        BridgeError
            The learner is Weka's, and there is no usable Java or Weka failed.
        """
        header_of(train)
        note_missing_classes(train)
        self.note(train)
        return self.grow_without_notes(train)

    def grow_without_notes(self, train: Dataset) -> Grown:
        """Grow as `grow` does, without its notes: for many folds, after one call of `note` for all of them."""
        tree = self._recorded(self._grow(self._trainable(train)))
        _GROWN_ON[tree] = ref(train)
        return tree

    def ahead(self) -> Callable[[Dataset], Callable[[], Grown]] | None:
        """A function that begins to grow a tree as `grow_without_notes` does, beside other work; None: impossible.

        Trees grow in the order in which they are begun, one at a time, and the next beside a tree that is waited for.
        Call the result of the function to wait for the tree; without a call the tree is grown and discarded. Weka's
        learners grow in threads of Java, unless the environment variable ``NUMBA_NUM_THREADS`` is 1.
        """
        return None

    def _trainable(self, train: Dataset) -> Dataset:
        check_trainable(train)
        return train if self.takes_all else training_part(train)

    def _recorded(self, model: Grown) -> Grown:
        if (model.learner, model.options) == (self.name, self.options):
            return model
        return replace(model, learner=self.name, options=self.options)

    def note(self, train: Dataset) -> None:
        """Warn with a `Note` if growing does something to such training data that a user should know, see `tell`."""
        del train

    def grow_labelled(self, train: Dataset, asked: Dataset, labels: Sequence[int]) -> list[tuple[Grown, ...]]:
        """The trees that grow when an instance joins the training data, once under each of several classes.

        Parameters
        ----------
        train : Dataset
            See `grow`; no notes are given.
        asked : Dataset
            The instances, with the header of ``train``. Their classes and weights are ignored.
        labels : (n_labels,) sequence of int
            Indices of declared classes.

        Returns
        -------
        (n_asked,) list of (n_labels,) tuple of TreeMirror
            Entry ``[i][j]`` is bit for bit what `grow` gives for ``train`` followed by instance i of ``asked`` with
            class ``labels[j]`` and weight 1. Cost: n_asked · n_labels times that of growing one tree. Weka's learners
            grow all of them in one call of Java, on all processors; the trees are then in memory twice, in Java and in
            Python. A call cannot be interrupted, so pass large data in parts.

        Raises
        ------
        OptionError
            The learner grows forests, a label is no class, nothing can be learned from ``train`` alone, or Weka refuses
            an option.
        HeaderMismatchError
            The attributes of ``asked`` are not those of ``train``.
        BridgeError
            Weka failed on one of the trees; the others are discarded.
        """
        if self.is_ensemble:
            names = ", ".join(name for name, learner in available_learners().items() if not learner.is_ensemble)
            raise OptionError(parameter="learner", expected=f"one that grows a single tree ({names})", got=self.name)
        check_trainable(train)
        train.header.check_same(header_of(asked), "the asked instances")
        for label in labels:
            if not isinstance(label, int | np.integer) or not 0 <= label < train.n_classes:
                raise OptionError(
                    parameter="labels", expected=f"indices of classes, from 0 to {train.n_classes - 1}", got=repr(label)
                )
        return self._grow_labelled(train, asked, labels)

    # -- for a learner --

    @abstractmethod
    def _grow(self, train: Dataset) -> Grown:
        """Grow on data that a tree can be grown on, whose instances all have a class and a positive weight.

        The caller puts the learner's name and options into the record of the tree.
        """

    def _grow_labelled(self, train: Dataset, asked: Dataset, labels: Sequence[int]) -> list[tuple[Grown, ...]]:
        """`grow_labelled` on arguments that it has checked."""
        joined = ([train.join(asked.take([i]).with_class_values(label)) for label in labels] for i in range(len(asked)))
        return [tuple(map(self.grow_without_notes, sets)) for sets in joined]


def available_learners() -> dict[str, type[Learner[Any]]]:
    """Every learner by name: Weka's, ours, and others that have been imported."""
    return dict(sorted(Learner.registry.items(), key=lambda entry: entry[0].lower()))


def learner_class(name: str) -> type[Learner[Any]]:
    """The learner with that name or alias, such as the full name of a class of Weka.

    Raises
    ------
    OptionError
        There is none; the message suggests the nearest name, or lists all.
    """
    if (known := learner_named(name)) is not None:
        return known
    names = [*available_learners(), *plugins("learner")]
    hint = nearest(name.rpartition(".")[2], names) or f"; the learners are {', '.join(names)}"
    raise OptionError(f"no learner '{name}'{hint}", value_of="learner")


def learner_named(name: str) -> type[Learner[Any]] | None:
    """The learner with that name or alias; None if there is none."""
    learners = available_learners().values()
    return next((learner for learner in learners if name in (learner.name, *learner.aliases)), None)


def options_text(owner: str, options: str | Sequence[str], join: Callable[[Sequence[str]], str] = " ".join) -> str:
    """Options as one text; OptionError, which names ``owner``, if they are neither a text nor a list of texts."""
    if isinstance(options, str):
        return options
    if isinstance(options, Sequence) and all(isinstance(part, str) for part in options):
        return join(options)
    raise OptionError(of=owner, expected="the options as one text, or as a list of texts", got=repr(options))


def note_missing_classes(train: Dataset) -> None:
    """Warn with a `Note` when instances without a class will be left out of training."""
    n_missing = int((train.class_values < 0).sum())
    if n_missing:
        are = "has no class and is" if n_missing == 1 else "have no class and are"
        tell(f"{train.relation}: {n_missing} of {len(train)} instances {are} left out of training")


def is_grown_on(tree: TreeMirror | Forest, train: Dataset) -> bool:
    """Whether this very tree was grown on these very data in this process; False where nothing is known."""
    known = _GROWN_ON.get(tree)
    return known is not None and known() is train


def with_trees(
    items: Iterable[Item],
    train_of: Callable[[Item], Dataset],
    grow: Callable[[Dataset], Grown],
    begin: Begin[Grown] | None,
) -> Iterator[tuple[Item, Grown]]:
    """Yield each item with the tree that grows on its training data.

    Parameters
    ----------
    items : iterable
    train_of : callable
        Returns the training data of an item.
    grow : callable
        Grows a tree.
    begin : callable, optional
        Begins to grow a tree. The trees of the next items, two or a single large one, are then begun before an item's
        own tree is waited for, and what fails for an item is raised after those before it were yielded.

    Yields
    ------
    item
    tree : TreeMirror or Forest
    """
    if begin is None:
        for item in items:
            yield item, grow(train_of(item))
        return
    queue: deque[tuple[Item, Callable[[], Grown]]] = deque()
    remaining, n_ahead, failure = iter(items), 2, None
    while True:
        while len(queue) < n_ahead:
            try:
                item = next(remaining)
                train = train_of(item)
                queue.append((item, begin(train)))
            except StopIteration:
                n_ahead = 0
            except Exception as error:
                n_ahead, failure = 0, error
            else:
                n_ahead = 2 if train.values.size > LARGE else 1 + AHEAD
        if not queue:
            break
        item, wait = queue.popleft()
        yield item, wait()
    if failure is not None:
        raise failure
