"""The constructor and the docstring of an estimator, made from declared parameters."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

from wekaconf.base.naming import nearest
from wekaconf.base.parameters import Parameter, Parametrised, parameters

LEARNER = """\
learner : str, Learner, J48Classifier or CARTClassifier, default None
    What grows the tree: a name such as ``"CART"``, with options as in ``"J48 -C 0.1"``; an object such as
    ``wekaconf.CART(prune="none")``; or an estimator, whose parameters a search reaches as ``learner__...``. None:
    what the method's paper uses, else J48 with Weka's defaults."""
"""The parameter that every method has beside its own."""
ATTRIBUTES = """\
classes_ : (n_classes,) array
    The distinct labels, sorted.
tree_ : TreeMirror
    The tree as arrays.
method_ : PostProcessor
    The fitted method; ``method_.threshold`` is its own rule for rejecting, if it has one.
n_features_in_ : int
feature_names_in_ : (n_features_in_,) array of str
    Only if all names of the columns of X are texts."""
DEFAULTS = {"numeric": "bins"}
"""Defaults other than the method's: a user of scikit-learn brings numbers, which WPE would refuse."""
NOTES = """\
Columns of numbers are numeric attributes; texts, booleans and categories are nominal ones, whose values the training
data declare: at prediction another value is missing, which a `wekaconf.Note` says. NaN, None and NA are missing.

An instance of weight 2 is not always two instances, since Weka's J48 itself does not treat them alike: its correction
for numeric splits and its pruning count distinct values and round weights. If the mean of the positive weights is below
1, as in boosting, all are divided by it, because J48's smallest leaf (``-M 2``) counts weight."""


def make_constructor(cls: type[Any], declares: type[Parametrised], described: type, before: str = "") -> None:
    """Give an estimator its constructor and its docstring.

    Parameters
    ----------
    cls : type
        The estimator; its docstring becomes the first line.
    declares : type
        The class that declares the parameters.
    described : type
        The method or the learner whose docstring follows.
    before : str
        A parameter that comes before the declared ones, as it is described in the docstring; its default is None.
    """
    keyword = inspect.Parameter.KEYWORD_ONLY
    first = [inspect.Parameter(before.partition(" ")[0], keyword, default=None)] if before else []
    this = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    declared = [
        one.replace(default=DEFAULTS.get(name, one.default)) for name, one in declares.__signature__.parameters.items()
    ]
    cls.__init__ = _constructor(inspect.Signature([this, *first, *declared]))
    cls.__init__.__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__doc__ = _docstring(cls.__doc__ or "", declares, described, before)


def _constructor(signature: inspect.Signature) -> Callable[..., None]:
    """A constructor that keeps its arguments as they are given, as scikit-learn wants; ``fit`` checks them."""

    def __init__(self: Any, **given: Any) -> None:  # noqa: N807
        if unknown := [name for name in given if name not in signature.parameters]:
            hint = nearest(unknown[0], signature.parameters)
            raise TypeError(f"{type(self).__name__} has no parameter '{unknown[0]}'{hint}")
        bound = signature.bind(self, **given)
        bound.apply_defaults()
        _, *kept = bound.arguments.items()
        for name, value in kept:
            setattr(self, name, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return __init__


def _docstring(summary: str, declares: type[Parametrised], described: type, before: str) -> str:
    """A numpydoc docstring: what a method or a learner says of itself, around the parameters and the attributes."""
    text = inspect.getdoc(described) or ""
    head, *further = re.split(r"\n\n(?=Notes\n---|References\n---)", text, maxsplit=1)
    head = head.partition("\n\nParameters\n---")[0]  # they follow with the estimator's own
    notes, *references = re.split(r"(?:\n\n)?(?=References\n---)", further[0], maxsplit=1) if further else ("",)
    notes = notes.removeprefix("Notes\n-----\n")
    declared = [_described(parameter) for parameter in parameters(declares).values()]
    parts = [
        summary,
        head,
        _section("Parameters", "\n".join([before, *declared] if before else declared)),
        _section("Attributes", ATTRIBUTES),
        _section("Notes", f"{NOTES}\n\n{notes}".strip()),
        *references,
    ]
    return "\n\n".join(parts) + "\n"


def _section(heading: str, text: str) -> str:
    return f"{heading}\n{'-' * len(heading)}\n{text}"


def _described(parameter: Parameter) -> str:
    allowed = f"{{{', '.join(map(repr, parameter.values))}}}" if parameter.values else parameter.valid
    help_text = textwrap.fill(parameter.help, 110, initial_indent="    ", subsequent_indent="    ")
    default = DEFAULTS.get(parameter.name, parameter.default)
    own = "" if default == parameter.default else f" (of the method itself: {parameter.default!r})"
    return f"{parameter.name} : {allowed}, default {default!r}{own}\n{help_text}"
