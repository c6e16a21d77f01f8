"""Estimators of methods that have no class of their own here, such as those of other packages."""

from __future__ import annotations

from functools import cache
from typing import Any

from wekaconf.methods.contract import Method
from wekaconf.model.scheme import method
from wekaconf.sklearn._base import MethodClassifier


def classifier_of(name: str) -> type[MethodClassifier]:
    """The estimator class of a method, ours or that of an installed package.

    Parameters
    ----------
    name : str
        See `wekaconf.method`.

    Returns
    -------
    type
        Of one of ours the class that has its name, such as `ConfDTreeClassifier`; else a class made now, whose
        parameters are those of the method and ``learner``. Its objects are cloned, searched and pickled as others are;
        where a pickle is read, the method is asked for by name.

    Raises
    ------
    OptionError
        There is no such method, or it cannot be imported.
    """
    known = type(method(name))
    for estimator in MethodClassifier.__subclasses__():
        if estimator.__module__ == "wekaconf.sklearn._classifiers" and estimator.declares is known:
            return estimator
    return _make_class(known)


@cache
def _make_class(declares: type[Method]) -> type[MethodClassifier]:
    """A new estimator class of a method."""
    body: dict[str, Any] = {
        "declares": declares,
        "__module__": __name__,
        "__doc__": f"{declares.__name__} as a scikit-learn classifier.",
        "__reduce__": _reduce,
    }
    return type(f"{declares.__name__}Classifier", (MethodClassifier,), body)


def _reduce(estimator: MethodClassifier) -> tuple[Any, ...]:
    """What a pickle keeps: the name of the method, and the state."""
    return _make_unfitted, (estimator.declares.name,), estimator.__getstate__()


def _make_unfitted(name: str) -> MethodClassifier:
    cls = classifier_of(name)
    return cls.__new__(cls)
