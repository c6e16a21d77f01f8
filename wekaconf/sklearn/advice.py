"""The library's complaints in the words of the estimators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from wekaconf.base.errors import OptionError

_OPTION = re.compile(r"give the option (\w+)=(\w+)")
"""How the library advises an option of the learner."""
_PARAMETER = re.compile(r"give (\w+) the parameter (\w+)=('\w+')")
"""How the library advises a parameter of the method."""
_OTHER_LEARNER = re.compile(r"(?:use|grow it with) the learner (\w+)")
_OTHER_VALUE = re.compile(r"give (\w+)=(\w+), with which")


@contextmanager
def in_arguments(estimator: str, name: str, learner: str = "") -> Iterator[None]:
    """Complaints of a method or a learner name the arguments of the estimator that were, or might be, given.

    Parameters
    ----------
    estimator : str
        The class.
    name : str
        The method or the learner that the estimator is.
    learner : str
        What grows the tree, where the estimator has a parameter for that.
    """
    try:
        yield
    except OptionError as error:
        text = str(error)
        if text.startswith((f"{name}: ", f"{name} ")):
            text = estimator + text.removeprefix(name)
        text = text.replace("with the filter weka.filters.unsupervised.attribute.Discretize", "as pandas.cut does")
        text = _PARAMETER.sub(rf"write {estimator}(\2=\3)", text)
        text = _OTHER_VALUE.sub(r"give \1='\2', with which", text)
        if learner:
            text = _OPTION.sub(rf"give learner='{learner} \1=\2'", text)
            text = _OTHER_LEARNER.sub(r"give learner='\1'", text)
        else:
            text = _OPTION.sub(rf"write {estimator}(\1='\2')", text)
            text = _OTHER_LEARNER.sub(r"use \1Classifier", text)
        if text == str(error):
            raise
        raise OptionError(text) from error
