"""The constructor and the docstring of an estimator, made from declared parameters."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

from wekaconf.base.naming import nearest
from wekaconf.base.parameters import Parameter, Parametrised, docstring_of, parameters

LEARNER = """\
learner : str, Learner, J48Classifier or CARTClassifier, default None
    What grows the tree: a name such as ``"CART"``, with options as in ``"J48 -C 0.1"``; an object such as
    ``wekaconf.CART(prune="none")``; or an estimator, whose parameters a search reaches as ``learner__...``. None:
    what the method's paper uses, else J48 with Weka's defaults."""
"""The parameter that every method's estimator has in addition, as its docstring describes it."""
ATTRIBUTES = """\
classes_ : (n_classes,) array
    The distinct labels, sorted.
tree_ : TreeMirror
    The tree as arrays.
method_ : Method
    The fitted method; ``method_.threshold`` is its own rule for rejecting, if it has one.
n_features_in_ : int
feature_names_in_ : (n_features_in_,) array of str
    Only if all names of the columns of X are texts."""
DEFAULTS = {"numeric": "bins"}
"""Defaults that differ from the method's: users of scikit-learn bring numbers, which WPE would refuse."""
NOTES = """\
Columns of numbers are numeric attributes; texts, booleans and categories are nominal ones, whose values the training
data declare: at prediction another value is missing, which a `wekaconf.Note` says. NaN, None and NA are missing.

An instance of weight 2 is not always two instances, since Weka's J48 itself does not treat them alike: its correction
for numeric splits and its pruning count distinct values and round weights. If the mean of the positive weights is below
1, as in boosting, all are divided by it, because J48's smallest leaf (``-M 2``) counts weight."""


def set_constructor(cls: type[Any], declares: type[Parametrised], first_parameter: str = "") -> None:
    """Give an estimator its constructor and its docstring.

    Parameters
    ----------
    cls : type
        The estimator; its docstring becomes the first line.
    declares : type
        The method or the learner that declares the parameters, and whose docstring follows.
    first_parameter : str
        The docstring's entry of a parameter that precedes the declared ones; its default is None.
    """
    keyword = inspect.Parameter.KEYWORD_ONLY
    first = [inspect.Parameter(first_parameter.partition(" ")[0], keyword, default=None)] if first_parameter else []
    this = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    declared = [
        parameter.replace(kind=keyword, default=DEFAULTS.get(name, parameter.default))
        for name, parameter in declares.__signature__.parameters.items()
    ]
    cls.__init__ = _make_constructor(inspect.Signature([this, *first, *declared]))
    cls.__init__.__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__doc__ = _docstring(cls.__doc__ or "", declares, first_parameter)


def _make_constructor(signature: inspect.Signature) -> Callable[..., None]:
    """A constructor that keeps its arguments as they are given, as scikit-learn wants; ``fit`` checks them."""

    def __init__(self: Any, **arguments: Any) -> None:  # noqa: N807
        if unknown := [name for name in arguments if name not in signature.parameters]:
            hint = nearest(unknown[0], signature.parameters)
            raise TypeError(f"{type(self).__name__} has no parameter '{unknown[0]}'{hint}")
        bound = signature.bind(self, **arguments)
        bound.apply_defaults()
        _, *parameters_and_values = bound.arguments.items()
        for name, value in parameters_and_values:
            setattr(self, name, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return __init__


def _docstring(summary: str, declares: type[Parametrised], first_parameter: str) -> str:
    """A numpydoc docstring: that of the method or learner, with the parameters and attributes of the estimator."""
    text = docstring_of(declares)
    head, *further = re.split(r"\n\n(?=Notes\n---|References\n---)", text, maxsplit=1)
    head = head.partition("\n\nParameters\n---")[0]  # parameters and attributes of the estimator replace its sections
    notes, *references = re.split(r"(?:\n\n)?(?=References\n---)", further[0], maxsplit=1) if further else ("",)
    notes = notes.removeprefix("Notes\n-----\n")
    declared = [_describe_parameter(parameter) for parameter in parameters(declares).values()]
    parts = [
        summary,
        head,
        _section("Parameters", "\n".join([first_parameter, *declared] if first_parameter else declared)),
        _section("Attributes", ATTRIBUTES),
        _section("Notes", f"{NOTES}\n\n{notes}".strip()),
        *references,
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _section(heading: str, text: str) -> str:
    return f"{heading}\n{'-' * len(heading)}\n{text}"


def _describe_parameter(parameter: Parameter) -> str:
    allowed = f"{{{', '.join(map(repr, parameter.values))}}}" if parameter.values else parameter.valid
    help_text = textwrap.fill(parameter.help, 110, initial_indent="    ", subsequent_indent="    ")
    default = DEFAULTS.get(parameter.name, parameter.default)
    of_method = "" if default == parameter.default else f" (of the method itself: {parameter.default!r})"
    return f"{parameter.name} : {allowed}, default {default!r}{of_method}\n{help_text}"
