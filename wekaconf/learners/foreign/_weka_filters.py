"""The headers and the filters in Weka's model files; filters become column maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from wekaconf.base.naming import quoted
from wekaconf.data import Attribute, ColumnMap, Header
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.learners.foreign._java_stream import (
    Budget,
    JavaObject,
    RefusedError,
    StreamError,
    contents,
    doubles,
    unpacked,
)

NUMERIC, NOMINAL, STRING, DATE = range(4)
"""Weka's numbers for the types of attributes."""
FILTERS = "weka.filters."
REMOVE = f"{FILTERS}unsupervised.attribute.Remove"
SELECTORS = (REMOVE, f"{FILTERS}unsupervised.attribute.Reorder")
REPLACER = f"{FILTERS}unsupervised.attribute.ReplaceMissingValues"
DISCRETIZERS = (
    f"{FILTERS}supervised.attribute.Discretize",
    f"{FILTERS}unsupervised.attribute.Discretize",
    f"{FILTERS}unsupervised.attribute.PKIDiscretize",
)
IDENTITY, SEVERAL = f"{FILTERS}AllFilter", f"{FILTERS}MultiFilter"
MOST_FILTERS = 1000


@dataclass
class HeaderReader:
    """A reader of headers from Weka's Instances, which declare no more values in all than the file has bytes."""

    budget: Budget
    value_lists: dict[int, tuple[str, ...]] = field(default_factory=dict)
    headers: dict[tuple[int, int, str], Header] = field(default_factory=dict)

    def header(self, instances: JavaObject, *, needs_class: bool = True) -> Header:
        """The header; `StreamError` or ValueError if there is none. The filters of a file mostly share one."""
        array_list = instances.get("m_Attributes", JavaObject)
        index, relation = instances.get("m_ClassIndex", int), instances.get("m_RelationName", str)
        key = id(array_list), index, relation
        if key not in self.headers:
            attributes = tuple(map(self._attribute, _elements(array_list)))
            self.budget.declare(len(attributes))
            self.headers[key] = Header(relation, attributes, index if index < len(attributes) else -1)
        header = self.headers[key]
        if needs_class and header.class_index < 0:
            raise RefusedError("its header has no class; save it with one, or in Python give header= or train=")
        return header

    def names(self, instances: JavaObject) -> list[str]:
        """The names of the attributes."""
        elements = _elements(instances.get("m_Attributes", JavaObject))
        if not all(isinstance(element, JavaObject) for element in elements):
            raise StreamError("its header holds something that is no attribute")
        return [element.get("m_Name", str) for element in elements]

    def _attribute(self, attribute: object) -> Attribute:
        if not isinstance(attribute, JavaObject) or not attribute.is_a("weka.core.Attribute"):
            raise StreamError("its header holds something that is no attribute")
        name, kind = attribute.get("m_Name", str), attribute.get("m_Type", int)
        if kind == NUMERIC:
            return Attribute(name)
        if kind not in (NOMINAL, STRING, DATE):
            raise RefusedError(f"its attribute {quoted(name)} is of a type (number {kind}) on which no tree splits")
        info = attribute.get("m_AttributeInfo", JavaObject)
        if kind == DATE:
            return Attribute(name, "date", date_format=info.get("m_DateFormat", JavaObject).get("pattern", str))
        values = self._values(info.get("m_Values", JavaObject))
        self.budget.declare(len(values))
        return Attribute(name, "nominal" if kind == NOMINAL else "string", values)

    def _values(self, array_list: JavaObject) -> tuple[str, ...]:
        if id(array_list) not in self.value_lists:
            self.value_lists[id(array_list)] = tuple(map(self._text, _elements(array_list)))
        return self.value_lists[id(array_list)]

    def _text(self, value: object) -> str:
        """A declared value; Weka keeps one of more than 200 characters as a gzipped stream of its own."""
        if isinstance(value, JavaObject) and value.name == "weka.core.SerializedObject":
            gzipped = value.fields.get("m_storedObjectArray")
            if isinstance(gzipped, np.ndarray) and gzipped.dtype.itemsize == 1:
                stream = unpacked(gzipped.tobytes())
                self.budget.unpack(len(stream))
                value = contents(stream, 1)[0]
        if not isinstance(value, str):
            raise StreamError("its header declares a value that is no text")
        return value


def _elements(array_list: JavaObject) -> list[Any]:
    """The elements of a java.util.ArrayList."""
    if array_list.name == "weka.core.FastVector":
        raise RefusedError("was saved by Weka 3.6 or older; build the classifier again with Weka 3.8 or newer")
    if array_list.name != "java.util.ArrayList":
        raise StreamError(f"expected a java.util.ArrayList, got a {array_list.shown_name}")
    return [value for value in array_list.written if not isinstance(value, bytes)]


def column_maps(weka_filter: JavaObject, reader: HeaderReader) -> Iterator[ColumnMap]:
    """The column maps of a fitted filter, in the order of their use; several for a MultiFilter.

    Raises
    ------
    RefusedError
        The filter cannot be held as arrays.
    StreamError, ValueError
        It is damaged.
    """
    if weka_filter.name != SEVERAL:
        yield _column_map(weka_filter, reader)
        return
    parts = weka_filter.get("m_Filters", list)
    if len(parts) > MOST_FILTERS:
        raise RefusedError(f"holds {len(parts):,} filters; at most {MOST_FILTERS:,} are read")
    for part in parts:
        if not isinstance(part, JavaObject):
            raise StreamError("a MultiFilter holds something that is no filter")
        yield _column_map(part, reader)


def _column_map(weka_filter: JavaObject, reader: HeaderReader) -> ColumnMap:
    name = weka_filter.name
    if name not in (*SELECTORS, REPLACER, *DISCRETIZERS, IDENTITY):
        raise RefusedError(
            "holds a FilteredClassifier, whose tree answers for instances that have passed "
            f"{weka_filter.shown_name}; only Discretize, ReplaceMissingValues, Remove and Reorder can be held as "
            "arrays: filter the training data first, and save the tree alone"
        )
    if any(weka_filter.fields.get(part) is None for part in ("m_InputFormat", "m_OutputFormat")):
        raise RefusedError("holds a FilteredClassifier that was not trained; build it before saving it")
    before, after = (
        reader.header(weka_filter.get(part, JavaObject), needs_class=False)
        for part in ("m_InputFormat", "m_OutputFormat")
    )
    ignores_class = weka_filter.fields.get("m_IgnoreClass") is True
    if ignores_class:
        target = weka_filter.get("m_ClassIndex", int)
        before, after = replace(before, class_index=target), replace(after, class_index=target)
    n = len(after.attributes)
    source = np.arange(n, dtype=np.int32)
    fill, cuts = np.full(n, np.nan), [np.zeros(0)] * n
    is_cut = np.zeros(n, dtype=np.bool_)
    if name == REMOVE:
        source = kept_columns(before, [attribute.name for attribute in after.attributes])
    elif name in SELECTORS:
        columns = weka_filter.get("m_SelectedAttributes", np.ndarray)
        if columns.dtype.kind != "i" or len(columns) != n:
            raise StreamError("m_SelectedAttributes does not select the columns of the output")
        source = columns.astype(np.int32)
    elif len(before.attributes) != n:
        raise RefusedError(f"holds a {name}, which makes several columns of one; only filters that keep them are read")
    elif name == REPLACER:
        fill = _replacements(weka_filter, before, None if ignores_class else before.class_index)
    elif name in DISCRETIZERS:
        if weka_filter.get("m_MakeBinary", bool):
            raise RefusedError(f"holds a {name} -D, which makes several columns of one; only without -D it is read")
        is_cut = after.is_nominal & ~before.is_nominal
        cuts = list(_cuts(weka_filter, n))
    arrays = {
        "source": source,
        "fill": fill,
        "cut_start": np.cumsum([0, *map(len, cuts)]).astype(np.int32),
        "cut_points": np.concatenate(cuts),
        "is_cut": is_cut,
    }
    return ColumnMap.from_arrays(before, after, arrays)


def kept_columns(before: Header, names: Sequence[str]) -> Int32Array:
    """(n_kept,) int32: the columns of those names, in the order of Remove's output.

    A Remove that keeps all columns leaves them in their order, whatever its ``m_SelectedAttributes`` say.
    """
    column_of = {attribute.name: column for column, attribute in enumerate(before.attributes)}
    if not all(name in column_of for name in names):
        raise StreamError("a Remove has columns in its output that its input lacks")
    return np.array([column_of[name] for name in names], dtype=np.int32)


def _replacements(weka_filter: JavaObject, header: Header, class_index: int | None) -> FloatArray:
    fill = weka_filter.doubles("m_ModesAndMeans", len(header.attributes)).astype(np.float64)
    for column, attribute in enumerate(header.attributes):
        if column == class_index or attribute.kind == "string":
            fill[column] = np.nan
    return fill


def _cuts(weka_filter: JavaObject, n: int) -> Iterator[FloatArray]:
    cut_points = weka_filter.get("m_CutPoints", list)
    if len(cut_points) != n:
        raise StreamError(f"m_CutPoints has {len(cut_points)} columns, expected {n}")
    for cuts in cut_points:
        if cuts is None:
            yield np.zeros(0)
        else:
            size = len(cuts) if isinstance(cuts, np.ndarray) else 0
            yield doubles(cuts, size, "m_CutPoints").astype(np.float64)
