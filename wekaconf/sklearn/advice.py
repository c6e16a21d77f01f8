"""Rewords the library's error messages for the arguments of the estimators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from wekaconf.base.errors import OptionError

_OPTION = re.compile(r"give the option (\w+)=(\w+)")
"""The library's advice to set an option of the learner."""
_PARAMETER = re.compile(r"give (\w+) the parameter (\w+)=('\w+')")
"""The library's advice to set a parameter of the method."""
_OTHER_LEARNER = re.compile(r"(?:use|grow it with) the learner (\w+)")
_OTHER_VALUE = re.compile(r"give (\w+)=(\w+), with which")


@contextmanager
def in_arguments(estimator: str, name: str, learner: str = "") -> Iterator[None]:
    """Reword errors of a method or a learner in the block, so that they name arguments of the estimator.

    Parameters
    ----------
    estimator : str
        The name of the estimator's class.
    name : str
        The name of the method or the learner that the estimator stands for.
    learner : str
        The learner that grows the tree, if the estimator has a parameter for it.
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
