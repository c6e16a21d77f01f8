"""Weka's filters, fitted on training data and applied to more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wekaconf.bridge import jvm
from wekaconf.bridge.instances import from_java, to_java
from wekaconf.bridge.learners import check_class_name, create
from wekaconf.dataset import Dataset, Header
from wekaconf.errors import BridgeError, OptionError


@dataclass(frozen=True)
class FittedFilter:
    """A filter that has learned from training data.

    Parameters
    ----------
    class_name, options : str
        As given.
    input_header : Header
        Of the training data.
    output : Dataset
        What the filter made of the training data.
    java_filter : object
        Opaque Java object.
    """

    class_name: str
    options: str
    input_header: Header
    output: Dataset
    java_filter: Any

    def apply(self, data: Dataset) -> Dataset:
        """What the filter makes of further instances.

        Raises
        ------
        HeaderMismatchError
            ``data`` has other attributes than the training data.
        """
        self.input_header.check_same(data.header)
        return from_java(jvm.call("applyFilter", self.java_filter, to_java(data)))


def fit_filter(train: Dataset, class_name: str, options: str = "") -> FittedFilter:
    """Fit one of Weka's filters.

    Parameters
    ----------
    train : Dataset
    class_name : str
        Full name, such as ``weka.filters.unsupervised.attribute.Discretize``.
    options : str
        In Weka's spelling.

    Raises
    ------
    OptionError
        Unknown class or option, or the filter cannot work on these data.
    """
    check_class_name(class_name, "weka.filters.Filter", "weka.filters")
    java_filter = create(class_name, options)
    try:
        output = from_java(jvm.call("fitFilter", java_filter, to_java(train)))
    except BridgeError as error:
        if "heap" in str(error):
            raise
        raise OptionError(
            f"{class_name} cannot be applied to '{train.relation}': {str(error).removeprefix('Weka: ')}"
        ) from error
    return FittedFilter(class_name, options, train.header, output, java_filter)
