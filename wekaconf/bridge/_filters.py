"""Weka's filters, fitted on training data and applied to other data."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Never

import numpy as np

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import from_java, to_java
from wekaconf.bridge._objects import check_class_name, create, split_options
from wekaconf.data import ColumnMap, Dataset, Header, header_of

DISCRETIZERS = (
    "weka.filters.unsupervised.attribute.Discretize",
    "weka.filters.supervised.attribute.Discretize",
    "weka.filters.unsupervised.attribute.PKIDiscretize",
)
SELECTORS = (
    "weka.filters.unsupervised.attribute.ReplaceMissingValues",
    "weka.filters.unsupervised.attribute.Remove",
    "weka.filters.unsupervised.attribute.Reorder",
)
ADD_NOISE = "weka.filters.unsupervised.attribute.AddNoise"
MULTI_FILTER = "weka.filters.MultiFilter"


@dataclass(frozen=True, eq=False)
class FittedFilter:
    """A filter that has been fitted on training data.

    Parameters
    ----------
    class_name, options : str
        The arguments of `fit_filter`.
    input_header : Header
        Header of the training data.
    output : Dataset
        The filtered training data.
    column_map : ColumnMap or None
        The filter as arrays, for filters that can be held as such: Discretize (both), PKIDiscretize,
        ReplaceMissingValues, Remove and Reorder. It needs no Java and can be saved in model files.
    java_filter : object
        Opaque Java object.
    """

    class_name: str
    options: str
    input_header: Header
    output: Dataset
    column_map: ColumnMap | None
    java_filter: Any

    def __repr__(self) -> str:
        """Class name and options."""
        return f"FittedFilter({f'{self.class_name} {self.options}'.strip()})"

    def __reduce__(self) -> Never:
        """Refuse to be pickled, since part of the filter is in Java."""
        raise TypeError("a FittedFilter cannot be pickled; its column_map can, and a Model holds it")

    def apply(self, data: Dataset) -> Dataset:
        """Filter further instances.

        Raises
        ------
        HeaderMismatchError
            The attributes of ``data`` are not those of the training data.
        OptionError
            Weka cannot filter these instances, or makes values that its header does not declare.
        """
        if self.column_map is not None:
            return self.column_map.apply(data)
        self.input_header.check_same(header_of(data))
        return _filtered("applyFilter", self.java_filter, self.class_name, data)


def fit_filter(train: Dataset, class_name: str, options: str = "") -> FittedFilter:
    """Fit one of Weka's filters.

    Parameters
    ----------
    train : Dataset
    class_name : str
        Full name, such as ``weka.filters.unsupervised.attribute.Discretize``.
    options : str
        Options as Weka writes them.

    Raises
    ------
    OptionError
        The class or an option is unknown, the filter cannot work on these data, or it makes values that its header
        does not declare.
    """
    check_class_name(class_name, "weka.filters.Filter", "weka.filters")
    java_filter = create(class_name, options)
    _check_noise_ends(train, class_name, options)
    output = _filtered("fitFilter", java_filter, class_name, train)
    column_map = None
    if class_name in DISCRETIZERS + SELECTORS and output.attributes:
        column_map = _column_map(train, output, java_filter, class_name)
    return FittedFilter(class_name, options, train.header, output, column_map, java_filter)


def _check_noise_ends(train: Dataset, class_name: str, options: str) -> None:
    """Raise OptionError if AddNoise would run forever, looking for a value to put in place of missing ones."""
    if class_name == MULTI_FILTER and ADD_NOISE in options:
        for flag, part in pairwise(split_options(class_name, options)):
            if flag == "-F":
                train = fit_filter(train, *part.split(maxsplit=1)).output.renamed(train.relation)
    if class_name != ADD_NOISE:
        return
    given = split_options(class_name, options)
    place = given[given.index("-C") + 1] if "-C" in given else "last"
    last = len(train.attributes)
    column = {"first": 1, "last": last}.get(place) or (int(place) if place.isdecimal() else 0)
    if "-M" not in given or not 0 < column <= last:
        return
    attribute = train.attributes[column - 1]
    if attribute.is_nominal and not attribute.values:
        raise OptionError(
            f"{ADD_NOISE} cannot be applied to '{train.relation}': attribute '{attribute.name}' has no values to "
            "replace missing ones with; leave out -M, or choose another attribute with -C",
            value_of="class_name",
        )


def _filtered(method: str, java_filter: Any, class_name: str, data: Dataset) -> Dataset:
    """The data after a filter; ``fitFilter`` fits the filter on them first, ``applyFilter`` does not."""
    instances = to_java(data)
    try:
        return from_java(jvm.call(method, java_filter, instances))
    except BridgeError as error:
        if "heap" in str(error):
            raise
        raise OptionError(
            f"{class_name} cannot be applied to '{data.relation}': {jvm.reason(error)}", value_of="class_name"
        ) from error
    except ValueError as error:
        raise OptionError(
            f"{class_name} makes of '{data.relation}' data that contradict their header ({error}); leave it out, or "
            "change its options",
            value_of="class_name",
        ) from error


def _column_map(train: Dataset, output: Dataset, java_filter: Any, class_name: str) -> ColumnMap | None:
    """The filter as arrays; None if they filter the training data otherwise than the filter does a second time."""
    column_of = {attribute.name: column for column, attribute in enumerate(train.attributes)}
    if not all(attribute.name in column_of for attribute in output.attributes):
        return None
    source = np.array([column_of[attribute.name] for attribute in output.attributes], dtype=np.int32)
    blank = Dataset(train.header, np.full((1, len(train.attributes)), np.nan))
    fill = _filtered("applyFilter", java_filter, class_name, blank).values[0]
    counts = np.zeros(len(source), dtype=np.int32)
    cuts = np.zeros(0)
    is_cut = np.zeros(len(source), dtype=bool)
    if class_name in DISCRETIZERS:
        exported = jvm.call("cutPoints", java_filter, len(train.attributes))
        is_cut = output.header.is_nominal & ~train.header.is_nominal[source]
        counts, cuts = np.maximum(jvm.call("ints", exported, "counts"), 0), jvm.call("doubles", exported, "cuts")
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    # Compared with the training data filtered a second time, which is what `FittedFilter.apply` does: the first batch
    # may differ (``-unset-class-temporarily``). It costs one more pass.
    column_map = ColumnMap(train.header, output.header, source, fill, starts, cuts, is_cut)
    return column_map if column_map.apply(train) == _filtered("applyFilter", java_filter, class_name, train) else None
