"""A learner by name and a method by name: the one place that joins Weka's side to ours."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import wekaconf.methods  # noqa: F401 - registers the methods
from wekaconf import bridge
from wekaconf.data.arff import load_arff as load_arff_without_java
from wekaconf.data.dataset import Dataset, header_of
from wekaconf.errors import Note, OptionError
from wekaconf.learners import LEARNERS, NOTES
from wekaconf.parameters import nearest, parameters, read_parameters
from wekaconf.postprocessor import PostProcessor
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror


def load_arff(
    path: str | os.PathLike[str],
    *,
    class_attribute: str | int | None = "last",
    reader: Literal["liac", "weka"] = "liac",
) -> Dataset:
    """Read an ARFF file, gzipped or not.

    Parameters
    ----------
    path : path
    class_attribute : str, int or None
        ``"last"``, ``"first"``, a number from 1, or a name; None: no class.
    reader : {"liac", "weka"}
        liac-arff, which needs no Java, or Weka's own ArffLoader; both give the same Dataset, but Weka's refuses
        relational attributes.

    Raises
    ------
    ArffError
        The file is absent, unreadable or malformed; with file and line.
    OptionError
        There is no such class attribute.
    """
    if reader == "weka":
        return bridge.load_arff_with_weka(path, class_attribute=class_attribute)
    if reader != "liac":
        raise OptionError(f"reader: expected 'liac' or 'weka', got '{reader}'")
    return load_arff_without_java(path, class_attribute=class_attribute)


def grow(train: Dataset, learner: str = "J48", options: str = "") -> TreeMirror | Forest:
    """Grow a tree inside Weka, or with scikit-learn, and mirror it.

    Parameters
    ----------
    train : Dataset
        Instances without a class are left out, with a `Note`.
    learner : str
        Weka's J48, C44, REPTree, RandomTree, RandomForest or Bagging; or CART, scikit-learn's.
    options : str
        In Weka's spelling, such as ``"-C 0.25 -M 2"``; for CART ``"prune=cv se=0"``, see
        `wekaconf.learners.cart.grow.grow_cart`, which also tells what becomes of missing and nominal values.

    Returns
    -------
    TreeMirror, or Forest for RandomForest and Bagging.

    Raises
    ------
    OptionError
        Unknown learner or option, or data that cannot be learned from.
    BridgeError
        No usable Java, or Weka failed.
    """
    header_of(train)
    note_missing_classes(train)
    note_of_learner(train, learner)
    return grower_of(learner, options)(train)


def grower_of(learner: str, options: str) -> Callable[[Dataset], TreeMirror | Forest]:
    """What grows a tree of a learner of ours or of Weka's; OptionError names all of them."""
    if learner in LEARNERS:
        return partial(LEARNERS[learner], options=options)
    try:
        bridge.learner(learner)
    except OptionError as error:
        raise OptionError(f"{error}, {', '.join(LEARNERS)}") from error
    return partial(bridge.grow, learner_name=learner, options=options)


def grow_labelled(
    train: Dataset, asked: Dataset, labels: Sequence[int], learner: str, options: str
) -> Sequence[Sequence[TreeMirror]]:
    """The trees that a learner grows on training data and one instance with one label, in Weka in one call; for TPCE.

    One sequence per instance, in the order of the labels.
    """
    if learner not in LEARNERS:
        return bridge.grow_labelled(train, asked, labels, learner, options)
    joined = ([train.join(asked.take([i]).with_class_values(label)) for label in labels] for i in range(len(asked)))
    return [[_single(LEARNERS[learner](one, options)) for one in sets] for sets in joined]


def _single(tree: TreeMirror | Forest) -> TreeMirror:
    if isinstance(tree, Forest):
        raise OptionError(f"tpce reads single trees, {tree.learner} grows a forest; name another learner")
    return tree


def note_of_learner(train: Dataset, learner: str) -> None:
    """Warn with a `Note` of what the learner does to such training data, if anything."""
    if learner in NOTES:
        NOTES[learner](train)


def note_missing_classes(train: Dataset) -> None:
    """Warn with a `Note` when instances without a class will be left out of training."""
    n_missing = int((train.class_values < 0).sum())
    if n_missing:
        warnings.warn(
            Note(f"{train.relation}: {n_missing} of {len(train)} instances have no class and are left out of training"),
            stacklevel=3,
        )


def method(name: str, **params: Any) -> PostProcessor:
    """A method by name, not fitted.

    Parameters
    ----------
    name : str
        See `available_methods`.
    **params
        Its hyper-parameters.

    Raises
    ------
    OptionError
        Unknown name or parameter, or a value out of range; the message tells the valid ones.
    """
    known = PostProcessor.registry.get(name)
    if known is None:
        hint, valid = nearest(name, PostProcessor.registry), ", ".join(sorted(PostProcessor.registry))
        raise OptionError(f"no method '{name}'{hint or f'; the methods are {valid}'}")
    if params.get("reading") == "table":
        raise OptionError(
            f"{name}: the table reading uses the class of the instances it answers for, so it is no method; it is in "
            "wekaconf.replication, and 'wekaconf evaluate --reading table' calls it"
        )
    return known(**params)


def parse_method(text: str, **defaults: Any) -> PostProcessor:
    """A method as the command line writes it, such as ``confdtree:variant=tdist,min_instances=10``.

    ``defaults`` are values of parameters that the text leaves open; a method that lacks one goes without.
    """
    name, _, rest = text.partition(":")
    name = name.strip()
    known = PostProcessor.registry.get(name)
    if known is None:
        return method(name)
    given = read_parameters(known, filter(None, rest.split(",")), f"method '{text}'")
    return method(name, **{key: value for key, value in defaults.items() if key in parameters(known)} | given)


def available_methods() -> dict[str, type[PostProcessor]]:
    """Every method by name."""
    return dict(sorted(PostProcessor.registry.items()))


def choose_learner(methods: Sequence[PostProcessor], learner: str | None, options: str) -> tuple[str, str]:
    """Learner and options for methods: the user's, else the learner whose trees a method reads, else J48.

    Raises
    ------
    OptionError
        The user names none and two methods name two.
    """
    if learner is not None:
        return learner, options
    named = {method.learner: method.name for method in methods if isinstance(method, PostProcessor) and method.learner}
    if len(named) > 1:
        (first, one), (second, other), *_ = named.items()
        raise OptionError(
            f"{one} reads trees of {' '.join(first).strip()}, {other} those of {' '.join(second).strip()}; "
            "run one after the other, or name a learner that both read"
        )
    learner, usual = next(iter(named), ("J48", ""))
    return learner, options or usual
