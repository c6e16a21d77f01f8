"""A learner by name and a method by name: the one place that joins Weka's side to ours."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import NoneType
from typing import Any, Literal, get_args, overload

import wekaconf.methods  # noqa: F401 - registers the methods
from wekaconf.data.dataset import Dataset
from wekaconf.errors import OptionError
from wekaconf.evaluation.pieces import Answering
from wekaconf.learner import Grown, Learner, learner_class
from wekaconf.postprocessor import PostProcessor, parameters
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror

TreeLearner = Literal["J48", "C44", "REPTree", "RandomTree", "CART", "info_gain"]
"""Learners that grow one tree."""
ForestLearner = Literal["RandomForest", "Bagging", "info_gain_bagging"]
"""Learners that grow several."""


@overload
def learner_of(given: Learner[Grown], options: str | Sequence[str] = "") -> Learner[Grown]: ...


@overload
def learner_of(given: TreeLearner, options: str | Sequence[str] = "") -> Learner[TreeMirror]: ...


@overload
def learner_of(given: ForestLearner, options: str | Sequence[str] = "") -> Learner[Forest]: ...


@overload
def learner_of(given: str | Sequence[str], options: str | Sequence[str] = "") -> Learner[TreeMirror | Forest]: ...


def learner_of(given: str | Sequence[str] | Learner[Any], options: str | Sequence[str] = "") -> Learner[Any]:
    """A learner by its name, or as Weka writes schemes.

    Parameters
    ----------
    given : str, sequence of str or Learner
        A name, ``"J48"``, or Weka's name of the class, ``"weka.classifiers.trees.J48"``; either with the options behind
        it, ``"weka.classifiers.trees.J48 -C 0.1"``, or as a list, ``["J48", "-C", "0.1"]``. A `Learner` is itself.
    options : str or sequence of str
        Those of a name that has none behind it: ``"-C 0.1"`` or ``["-C", "0.1"]``.

    Raises
    ------
    OptionError
        Unknown learner, options in two places, or wrong ones; those of Weka's learners are checked when they grow.
    """
    if isinstance(given, Learner):
        if options:
            raise OptionError(f"options: leave {options!r} out beside {given!r}, or make that learner with them")
        return given
    own: str | Sequence[str]
    if isinstance(given, str):
        name, own = (*given.strip().split(maxsplit=1), "", "")[:2]
    elif isinstance(given, Sequence) and given and all(isinstance(part, str) for part in given):
        name, *own = given
    else:
        raise OptionError(
            "learner: expected a name such as 'J48', a scheme such as 'weka.classifiers.trees.J48 -C 0.1', its parts "
            f"as a list, or a learner such as wekaconf.J48('-C 0.1'), got {given!r}"
        )
    known = learner_class(name)
    if own and options:
        raise OptionError(f"options: leave {options!r} out beside the learner {given!r}, or write them behind it")
    return known.of_options(own or options)


@overload
def grow(train: Dataset, learner: Learner[Grown], options: Literal[""] = "") -> Grown: ...


@overload
def grow(train: Dataset, learner: TreeLearner = "J48", options: str | Sequence[str] = "") -> TreeMirror: ...


@overload
def grow(train: Dataset, learner: ForestLearner, options: str | Sequence[str] = "") -> Forest: ...


@overload
def grow(train: Dataset, learner: str | Sequence[str], options: str | Sequence[str] = "") -> TreeMirror | Forest: ...


def grow(
    train: Dataset, learner: str | Sequence[str] | Learner[Any] = "J48", options: str | Sequence[str] = ""
) -> TreeMirror | Forest:
    """Grow a tree, in Weka or by a learner of our own, and mirror it.

    Parameters
    ----------
    train : Dataset
        Instances without a class are left out, with a `Note`.
    learner : str, sequence of str or Learner
        Weka's J48, C44, REPTree, RandomTree, RandomForest or Bagging; scikit-learn's CART; info_gain or
        info_gain_bagging. As a name, as Weka writes schemes, ``"weka.classifiers.trees.J48 -C 0.1"``, or as an object,
        ``wekaconf.J48("-C 0.1")``, ``wekaconf.CART(prune="none")``; see `learner_of`.
    options : str or sequence of str
        Of a learner without any: for Weka's in its own spelling, ``"-C 0.25 -M 2"``, for others ``"prune=cv se=0"``.
        ``wekaconf learners NAME`` lists them.

    Returns
    -------
    TreeMirror, or Forest for RandomForest, Bagging and info_gain_bagging.

    Raises
    ------
    OptionError
        Unknown learner or option, or data that cannot be learned from.
    BridgeError
        No usable Java, or Weka failed.
    """
    return learner_of(learner, options).grow(train)


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
        raise OptionError(f"no method '{name}'; the methods are {', '.join(sorted(PostProcessor.registry))}")
    if params.get("reading") == "table":
        raise OptionError(
            f"{name}: the table reading uses the class of the instances it answers for, so it is no method; it is in "
            "wekaconf.replication, and 'wekaconf evaluate --reading table' calls it"
        )
    for given in params:
        if given not in parameters(known):
            valid = ", ".join(parameters(known)) or "none"
            raise OptionError(f"{name} has no parameter '{given}'; its parameters are: {valid}")
    return known(**params)


def parse_method(text: str, **defaults: Any) -> PostProcessor:
    """A method as the command line writes it, such as ``confdtree:variant=tdist,min_instances=10``.

    ``defaults`` are values of hyper-parameters that the text leaves open; a method that lacks one goes without.
    """
    name, _, rest = text.partition(":")
    name = name.strip()
    kinds = _kinds(PostProcessor.registry[name]) if name in PostProcessor.registry else {}
    params: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"method '{text}': expected parameter=value after the colon, got '{part}'")
        key = key.strip()
        if key in params:
            raise OptionError(f"method '{text}': '{key}' is given twice")
        params[key] = _parse_value(value.strip(), kinds.get(key, ()))
    return method(name, **{key: value for key, value in defaults.items() if key in kinds} | params)


def _kinds(known: type[PostProcessor]) -> dict[str, tuple[type, ...]]:
    """The types that each hyper-parameter of a method takes; all that can be written where it is not annotated."""
    signature = inspect.signature(known.__init__, eval_str=True).parameters
    annotations = {name: signature[name].annotation for name in parameters(known)}
    return {
        name: (NoneType, bool, int, float) if given is inspect.Parameter.empty else get_args(given) or (given,)
        for name, given in annotations.items()
    }


def _parse_value(text: str, kinds: tuple[type, ...]) -> Any:
    """The text as the parameter takes it; as it is where that is no text of the kind, which the method then refuses."""
    word = text.lower()
    if word == "none" and NoneType in kinds:
        return None
    if word in ("true", "false") and bool in kinds:
        return word == "true"
    if int in kinds or float in kinds:
        for number in (int, float):
            try:
                return number(text)
            except ValueError:
                continue
    return text


def available_methods() -> dict[str, type[PostProcessor]]:
    """Every method by name."""
    return dict(sorted(PostProcessor.registry.items()))


def choose_learner(
    methods: Sequence[Answering], learner: str | Sequence[str] | Learner[Any] | None, options: str | Sequence[str] = ""
) -> Learner[Any]:
    """The learner for methods: the user's, else the one whose trees a method reads, else J48.

    Raises
    ------
    OptionError
        The user names none and two methods name two; see `learner_of` too.
    """
    if learner is not None:
        return learner_of(learner, options)
    named = {method.learner: method.name for method in methods if isinstance(method, PostProcessor) and method.learner}
    if len(named) > 1:
        (first, one), (second, other), *_ = named.items()
        raise OptionError(
            f"{one} reads trees of {' '.join(first).strip()}, {other} those of {' '.join(second).strip()}; "
            "run one after the other, or name a learner that both read"
        )
    name, usual = next(iter(named), ("J48", ""))
    return learner_of(name, options or usual)
