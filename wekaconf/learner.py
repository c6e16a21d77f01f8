"""The contract and the registry of learners: what grows a tree, or a forest, on training data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from wekaconf.data.dataset import Dataset, check_trainable, header_of
from wekaconf.errors import OptionError, tell
from wekaconf.parameters import Parametrised, nearest, parameters, read_parameters, register, written
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror

HOMES = ("wekaconf.bridge.learners", "wekaconf.learners")
"""What registers learners. It is imported when a name is looked up, so that every process knows all of them."""

Grown = TypeVar("Grown", bound=TreeMirror | Forest)


class Learner(Parametrised, ABC, Generic[Grown]):
    """What grows a tree, or a forest, on training data.

    A learner is one subclass, ``class Stump(Learner[TreeMirror], name="stump")``, which registers it; a base of several
    says ``is_registered=False``. It declares its parameters in the class body, see `wekaconf.parameters`, and writes
    ``_grow``; where it has something to tell of the training data it writes ``note``.
    """

    registry: ClassVar[dict[str, type[Learner[Any]]]] = {}
    reference: ClassVar[str] = ""
    """Key in references.bib; empty when there is no paper."""
    aliases: ClassVar[tuple[str, ...]] = ()
    """Further names by which it is found."""
    is_ensemble: ClassVar[bool] = False
    """Whether it grows a `Forest`."""
    takes_all: ClassVar[bool] = False
    """Whether ``_grow`` also gets the instances without a class or a weight."""
    _text = ""

    def __init_subclass__(cls, *, name: str = "", is_registered: bool = True, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if is_registered:
            register(Learner.registry, cls, name)

    @classmethod
    def of_options(cls, options: str | Sequence[str] = "") -> Self:
        """The learner with its options in writing.

        Parameters
        ----------
        options : str or sequence of str
            ``"prune=cv se=0"``, or the parts of such a text.

        Raises
        ------
        OptionError
            An unknown parameter, one given twice, or a value that it does not allow.
        """
        text = one_text(cls.name, options)
        learner = cls(**read_parameters(cls, text.split(), f"{cls.name} {text}"))
        learner._text = text
        return learner

    @property
    def options(self) -> str:
        """The options as trees and records hold them: as the user wrote them, else those that are not the default."""
        known = parameters(type(self))
        changed = {name: value for name, value in self.params.items() if value != known[name].default}
        return self._text or " ".join(f"{name}={written(value)}" for name, value in changed.items())

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
        """Grow as `grow` does, but tell nothing; for each of many folds, once `note` has been called."""
        check_trainable(train)
        counted = (train.class_values >= 0) & (train.weights > 0)
        grown = self._grow(train if self.takes_all or counted.all() else train.take(counted))
        if (grown.learner, grown.options) != (self.name, self.options):
            grown = replace(grown, learner=self.name, options=self.options)
        return grown

    def note(self, train: Dataset) -> None:
        """Warn with a `Note` of what growing does to such training data, if there is anything to `tell`."""
        del train

    def grow_labelled(self, train: Dataset, asked: Dataset, labels: Sequence[int]) -> list[tuple[Grown, ...]]:
        """The trees that grow when an instance joins the training data under one class after another.

        Parameters
        ----------
        train : Dataset
            See `grow`; nothing is told.
        asked : Dataset
            With the header of ``train``. Class and weights are not looked at.
        labels : (n_labels,) sequence of int
            Indices of declared classes.

        Returns
        -------
        (n_asked,) list of (n_labels,) tuple of TreeMirror
            Entry ``[i][j]`` is bit for bit what `grow` gives for ``train`` followed by instance i of ``asked`` with
            class ``labels[j]`` and weight 1. Cost: n_asked · n_labels times that of growing one tree. Weka's learners
            grow them in one call of Java, shared by all processors; those trees are twice in memory, in Java and again
            here. Nothing interrupts a call, so give large data in parts.

        Raises
        ------
        OptionError
            The learner grows forests, a label is no class, nothing can be learned from ``train`` alone, or Weka refuses
            an option.
        HeaderMismatchError
            ``asked`` has other attributes.
        BridgeError
            Weka failed on one of the trees; the others are given up.
        """
        if self.is_ensemble:
            single = ", ".join(name for name, known in available_learners().items() if not known.is_ensemble)
            raise OptionError(f"learner: expected one that grows a single tree ({single}), got {self.name}")
        check_trainable(train)
        train.header.check_same(header_of(asked), "the asked instances")
        for label in labels:
            if not isinstance(label, int | np.integer) or not 0 <= label < train.n_classes:
                raise OptionError(
                    f"labels: expected indices of classes, from 0 to {train.n_classes - 1}, got {label!r}"
                )
        return self._grow_labelled(train, asked, labels)

    # -- for a learner --

    @abstractmethod
    def _grow(self, train: Dataset) -> Grown:
        """Grow on data that a tree can be grown on, whose instances all have a class and a positive weight.

        The record of what is grown gets the learner's name and options.
        """

    def _grow_labelled(self, train: Dataset, asked: Dataset, labels: Sequence[int]) -> list[tuple[Grown, ...]]:
        """As `grow_labelled`, on what it has checked."""
        joined = ([train.join(asked.take([i]).with_class_values(label)) for label in labels] for i in range(len(asked)))
        return [tuple(map(self.grow_without_notes, sets)) for sets in joined]


def available_learners() -> dict[str, type[Learner[Any]]]:
    """Every learner by name."""
    for home in HOMES:
        import_module(home)
    return dict(sorted(Learner.registry.items(), key=lambda entry: entry[0].lower()))


def learner_class(name: str) -> type[Learner[Any]]:
    """The learner of that name, or of that further one, such as Weka's full name of a class.

    Raises
    ------
    OptionError
        There is none; the message tells the nearest name, or all.
    """
    known = available_learners()
    for learner in known.values():
        if name in (learner.name, *learner.aliases):
            return learner
    hint = nearest(name.rpartition(".")[2], known) or f"; the learners are {', '.join(known)}"
    raise OptionError(f"no learner '{name}'{hint}")


def one_text(owner: str, options: str | Sequence[str], join: Callable[[Sequence[str]], str] = " ".join) -> str:
    """Options as one text; OptionError, which names ``owner``, where they are neither a text nor several."""
    if isinstance(options, str):
        return options
    if isinstance(options, Sequence) and all(isinstance(part, str) for part in options):
        return join(options)
    raise OptionError(f"{owner}: expected the options as one text, or as a list of texts, got {options!r}")


def note_missing_classes(train: Dataset) -> None:
    """Warn with a `Note` when instances without a class will be left out of training."""
    n_missing = int((train.class_values < 0).sum())
    if n_missing:
        tell(f"{train.relation}: {n_missing} of {len(train)} instances have no class and are left out of training")
