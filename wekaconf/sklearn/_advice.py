"""Errors of methods and learners in the words of the estimators: their arguments, and their own names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wekaconf.base.errors import OptionError, one_line
from wekaconf.base.words import Owner, SetOption, SetParameter, Setting, Term, UseFilter, UseLearner, worded

_CONVERSIONS = {"nominal": "str", "numeric": "float"}
"""How a column of X becomes what an argument of `Dataset.from_pandas` reads it as."""
_REMEDIES = {"weka.filters.unsupervised.attribute.Discretize": "as pandas.cut does"}
"""What Python does in place of one of Weka's filters."""


@contextmanager
def in_arguments(estimator: str, declares: str, *, has_learner: bool) -> Iterator[None]:
    """Let errors of a method or a learner in the block name arguments of the estimator.

    Parameters
    ----------
    estimator : str
        The name of the estimator's class.
    declares : str
        The name of the method or the learner that the estimator stands for.
    has_learner : bool
        Whether the estimator has a parameter for the learner that grows the tree.
    """

    def words(term: Term) -> str:
        match term:
            case Owner(name) if name == declares:
                return estimator
            case Setting(name, value, of) if of:
                return f"{name}={value!r}"
            case Setting(name, (column,)) if name in _CONVERSIONS:
                return f"X[{column!r}].astype({_CONVERSIONS[name]})"
            case SetParameter(of, name, value) | SetOption(of, name, value) if of == declares:
                return f"write {estimator}({name}={value!r})"
            case SetOption(of, name, value):
                return f"give learner='{of} {name}={value}'"
            case UseLearner(name):
                return f"give learner={name!r}" if has_learner else f"use {name}Classifier"
            case UseFilter(name) if name in _REMEDIES:
                return _REMEDIES[name]
        return str(term)

    try:
        yield
    except OptionError as error:
        error.args = (one_line(worded(error.parts, words)),)
        raise
