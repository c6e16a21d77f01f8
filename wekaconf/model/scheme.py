"""Learners and methods by their names, in our notation and in Weka's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, overload

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import nearest
from wekaconf.base.parameters import changed, parameters, read_parameters, written
from wekaconf.base.plugins import load_plugin, plugins
from wekaconf.base.words import Argument, Phrase, Term
from wekaconf.bridge import is_meta_learner, take_apart
from wekaconf.data import CostMatrix, Dataset
from wekaconf.learners import available_learners, learner_class, learner_named
from wekaconf.methods.contract import Method
from wekaconf.tree import Forest, Grown, Learner, TreeMirror, note_missing_classes

METHODS_PACKAGE, LEARNERS_PACKAGE = "wekaconf.methods.", "wekaconf.learners."
"""Modules whose classes have a counterpart in Weka."""
TreeLearner = Literal["J48", "C44", "REPTree", "RandomTree", "DecisionStump", "CART", "info_gain"]
"""The learners that grow one tree; AttributeSelectedClassifier grows what its learner grows."""
ForestLearner = Literal["RandomForest", "Bagging", "RandomCommittee", "RandomSubSpace", "info_gain_bagging"]
"""The learners that grow several trees."""


@overload
def learner_of(learner: Learner[Grown], options: str | Sequence[str] = "") -> Learner[Grown]: ...


@overload
def learner_of(learner: TreeLearner, options: str | Sequence[str] = "") -> Learner[TreeMirror]: ...


@overload
def learner_of(learner: ForestLearner, options: str | Sequence[str] = "") -> Learner[Forest]: ...


@overload
def learner_of(learner: str | Sequence[str], options: str | Sequence[str] = "") -> Learner[TreeMirror | Forest]: ...


def learner_of(learner: str | Sequence[str] | Learner[Any], options: str | Sequence[str] = "") -> Learner[Any]:
    """The learner that a name describes, ours or as Weka writes it with options.

    Parameters
    ----------
    learner : str, sequence of str or Learner
        A name, ``"J48"``, or Weka's name of the class, ``"weka.classifiers.trees.J48"``, either of them followed by
        options, ``"weka.classifiers.trees.J48 -C 0.1"``; or the same as a list, ``["J48", "-C", "0.1"]``. A `Learner`
        is returned as it is.
    options : str or sequence of str
        Options of a learner that is given by its bare name: ``"-C 0.1"`` or ``["-C", "0.1"]``.

    Raises
    ------
    OptionError
        The learner is unknown, is one that `scheme_of` takes apart, or the options are wrong or in two places. Options
        of Weka's learners are checked when they grow.
    """
    if isinstance(learner, Learner):
        if options:
            raise OptionError(
                f"leave {options!r} out beside {learner!r}, or make that learner with them", parameter="options"
            )
        return learner
    name, options = _name_and_options(learner, options)
    if is_meta_learner(name):
        raise OptionError(
            f"{name} does something to the training data before a tree grows; evaluate and the command "
            "line take it, here apply fit_filter or CostMatrix.weigh to the data, and name the learner "
            "of the tree",
            parameter="learner",
        )
    return learner_called(name).of_options(options)


class Scheme(NamedTuple):
    """A learner with the filters and the cost matrix that come before it.

    Parameters
    ----------
    learner : Learner
    filters : tuple of str
        Weka's filters with their options, in the order of their use.
    cost_matrix : CostMatrix or None
        The costs that weigh the filtered training instances.
    """

    learner: Learner[Any]
    filters: tuple[str, ...] = ()
    cost_matrix: CostMatrix | None = None

    def costs_beside(self, cost_matrix: CostMatrix | None) -> CostMatrix | None:
        """The cost matrix of the scheme, or the one beside it; OptionError if there are two."""
        if cost_matrix is not None and self.cost_matrix is not None:
            raise OptionError(
                "the learner, CostSensitiveClassifier, has one; leave one of them out", parameter="cost_matrix"
            )
        return cost_matrix or self.cost_matrix


def scheme_of(learner: str | Sequence[str] | Learner[Any], options: str | Sequence[str] = "") -> Scheme:
    """The scheme of a learner, or the parts of one of Weka's meta learners, see `wekaconf.bridge._meta_learners`.

    Parameters
    ----------
    learner, options
        See `learner_of`. A meta learner is written as Weka does,
        ``weka.classifiers.meta.FilteredClassifier -F "weka.filters… -B 10" -W weka.classifiers.trees.J48 -- -M 5``;
        the package may be left out.

    Raises
    ------
    OptionError
        See `learner_of`; also if a meta learner asks for what cannot be done as Weka does it.
    BridgeError
        A meta learner is to be taken apart, and there is no usable Java.
    """
    if isinstance(learner, Learner):
        return Scheme(learner_of(learner, options))
    name, options = _name_and_options(learner, options)
    if not is_meta_learner(name):
        return Scheme(learner_called(name).of_options(options))
    filters, cost_matrix, name, text = take_apart(name, options)
    return Scheme(learner_class(name).of_options(text), filters, cost_matrix)


def learner_called(name: str) -> type[Learner[Any]]:
    """The learner with that name or alias, of ours or of an installed package, which is imported now.

    Raises
    ------
    OptionError
        There is none, a package that claims the name cannot be imported, or several claim it.
    """
    if (known := _method_called(name)) is not None:
        raise OptionError(f"no learner '{name}'; {known.name} is a method: ", Phrase.AS_METHOD, value_of="learner")
    return learner_named(name) or load_plugin("learner", name, Learner) or learner_class(name)


def _name_and_options(learner: str | Sequence[str], options: str | Sequence[str]) -> tuple[str, str | Sequence[str]]:
    """The name of a learner and its options, which may follow the name."""
    following: str | Sequence[str]
    if isinstance(learner, str):
        name, following = (*learner.strip().split(maxsplit=1), "", "")[:2]
    elif isinstance(learner, Sequence) and learner and all(isinstance(part, str) for part in learner):
        name, *following = learner
    else:
        raise OptionError(
            parameter="learner",
            expected="a name such as 'J48', one as Weka writes it such as 'weka.classifiers.trees.J48 -C 0.1', its "
            "parts as a list, or a learner such as wekaconf.J48('-C 0.1')",
            got=repr(learner),
            advice="wekaconf.mirror makes a tree of a fitted one of scikit-learn, and RejectOption takes any classifier"
            if hasattr(learner, "get_params")
            else "",
        )
    if following and options:
        raise OptionError(
            f"leave {options!r} out beside the learner {learner!r}, or write them behind it", parameter="options"
        )
    return name, following or options


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
        Weka's J48, C44, REPTree, RandomTree, DecisionStump, RandomForest, Bagging, RandomCommittee, RandomSubSpace or
        AttributeSelectedClassifier, or CostSensitiveClassifier or InputMappedClassifier of these; scikit-learn's CART;
        info_gain or info_gain_bagging. As a name, as Weka writes schemes, ``"weka.classifiers.trees.J48 -C 0.1"``, or
        as an object,
        ``wekaconf.J48("-C 0.1")``, ``wekaconf.CART(prune="none")``; see `learner_of`.
    options : str or sequence of str
        Options of a learner given by its bare name: as Weka writes them, ``"-C 0.25 -M 2"``, for Weka's learners;
        ``"prune=cv se=0"`` for others. ``wekaconf list learners NAME`` lists them.

    Returns
    -------
    TreeMirror, or Forest for the learners of several trees.

    Raises
    ------
    OptionError
        The learner or an option is unknown, or the data cannot be learned from.
    BridgeError
        There is no usable Java, or Weka failed.
    """
    scheme = scheme_of(learner, options)
    if scheme.filters:
        raise OptionError(
            "FilteredClassifier filters the training data, and the tree alone cannot answer for rows that are not; fit "
            "keeps filter and tree together, or apply fit_filter to the data and name the learner of the tree",
            parameter="learner",
        )
    if scheme.cost_matrix is not None:
        note_missing_classes(train)
        train = scheme.cost_matrix.weigh(train)
    return scheme.learner.grow(train)


def method(name: str, **params: Any) -> Method:
    """Make a method by its name: an instance of one of the subclasses of `Method`, not fitted.

    Parameters
    ----------
    name : str
        See `available_methods`.
    **params
        Its parameters.

    Raises
    ------
    OptionError
        The name or a parameter is unknown, or a value is out of range; the message lists the valid ones.
    """
    known = method_class(name)
    if known is None:
        stem, colon, text = str(name).partition(":")
        if colon and method_class(stem) is not None:
            raise OptionError(
                f"no method '{name}': its parameters are arguments, method('{stem}', {text.partition('=')[0]}=…)",
                value_of="method",
            )
        raise OptionError(f"no method '{name}'", *_hint_at_method(name), value_of="method")
    if params.get("reading") == "table":
        raise OptionError(
            "the table reading uses the class of the instances it answers for, so it is not a method; "
            "'wekaconf study replicate wang2006' uses it",
            of=name,
        )
    return known(**params)


def method_class(name: str) -> type[Method] | None:
    """The method of that name, of ours or of an installed package, which is imported now; None if there is none.

    Raises
    ------
    OptionError
        A package claims the name, and its method cannot be imported; or several claim it.
    """
    return Method.registry.get(name) or load_plugin("method", name, Method)


def _hint_at_method(name: str) -> tuple[str | Term, ...]:
    """A hint at the method or the learner that was probably meant by a name that no method has."""
    first, _, rest = name.strip().partition(" ")
    bare = first.rpartition(".")[2]
    if (method_class := _method_called(bare)) is not None:
        params = re.sub(r"-([a-z_]+) +", r"\1=", rest.strip()).replace(" ", ",")
        return (f"; did you mean '{method_class.name}{params and f':{params}'}'?",)
    if bare in available_learners():
        return f"; {bare} is a learner: ", Phrase.AS_LEARNER
    names = sorted({*Method.registry, *plugins("method")})
    return (nearest(name, names) or f"; the methods are {', '.join(names)}",)


def _method_called(name: str) -> type[Method] | None:
    """The method with that name or class name, here or in Weka; upper and lower case count as the same."""
    wanted = name.rpartition(".")[2].lower()
    methods = Method.registry.values()
    return next((known for known in methods if wanted in (known.name, known.__name__.lower())), None)


def parse_method(text: str, **defaults: Any) -> Method:
    """The method that a text of the command line describes, such as ``confdtree:variant=tdist,min_instances=10``.

    ``defaults`` are values for parameters that the text does not set; those that the method lacks are ignored.
    """
    name, _, rest = text.partition(":")
    name = name.strip()
    known = method_class(name)
    if known is None:
        return method(name)
    params = read_parameters(known, filter(None, rest.split(",")), Argument("method"), f" '{text}'")
    return method(name, **{key: value for key, value in defaults.items() if key in parameters(known)} | params)


def parse_methods(texts: Sequence[str]) -> dict[str, Method]:
    """The methods that texts of the command line describe, by these texts."""
    return {text: parse_method(text) for text in texts}


def available_methods() -> dict[str, type[Method]]:
    """Every method by name: ours, and those that have been imported."""
    return dict(sorted(Method.registry.items()))


def class_names() -> dict[str, type[Method | Learner[Any]]]:
    """Our methods and learners that are classifiers inside Weka, by their full class names there."""
    registered = (learner_class(name) for name in available_learners())
    learners = [cls for cls in registered if cls.__module__.startswith(LEARNERS_PACKAGE) and not cls.is_ensemble]
    methods = [cls for cls in Method.registry.values() if cls.__module__.startswith(METHODS_PACKAGE)]
    classes: list[type[Method | Learner[Any]]] = [*methods, *learners]
    return {f"weka.classifiers.trees.{cls.__name__}": cls for cls in classes}


def label_of(method: Method) -> str:
    """A method as it is written on the command line, without the parameters that are at their defaults."""
    params = ",".join(f"{name}={_written(value)}" for name, value in changed(method).items())
    suffix = " (table reading)" if method.is_table_reading else ""
    if not suffix and type(method) is not Method.registry.get(method.name):
        suffix = f" ({type(method).__name__})"
    return method.name + (f":{params}" if params else "") + suffix


def _written(value: Any) -> str:
    return "+".join(value) if isinstance(value, tuple) else written(value)


def usual_learner(method: Method) -> tuple[str, str]:
    """Name and options of the learner whose trees a method reads by default: its paper's, else J48."""
    return method.learner or ("J48", "")


def learner_for(
    method: Method, learner: str | Sequence[str] | Learner[Any] | None, options: str | Sequence[str] = ""
) -> Learner[Any]:
    """The learner that grows the trees for a method: the user's, see `learner_of`, else the method's usual one."""
    if learner is not None:
        return learner_of(learner, options)
    name, usual = usual_learner(method)
    return learner_of(name, options or usual)


def scheme_for(
    method: Method | None, learner: str | Sequence[str] | Learner[Any] | None, options: str | Sequence[str]
) -> Scheme:
    """The scheme of the user's learner, see `scheme_of`; else of the method's usual one, or J48 without a method."""
    if learner is not None:
        return scheme_of(learner, options)
    return Scheme(learner_of("J48", options) if method is None else learner_for(method, None, options))
