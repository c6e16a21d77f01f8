"""Conversion of Datasets to Weka's Instances and back, with one call each way."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._java import check_paths
from wekaconf.data import Attribute, Dataset, Header, Kind, flags_of
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dates import zone_of
from wekaconf.tree import LARGE, keep_last_result

KINDS: tuple[Kind, ...] = ("numeric", "nominal", "date", "string")
"""Kinds of attributes in the order of their numbers in Java."""
HEAP_PER_CELL = 256
"""Bytes of Java's heap per cell; with less, data count as large, since the collector works hard near the limit."""
ReadPart = Callable[[str, str], Any]
"""Reads the "ints", "doubles" or "strings" of a name from the arrays that Java exported."""


def to_java(data: Dataset) -> Any:
    """Weka's Instances with the cells, weights, class and sparse rows of ``data``; relational attributes are refused.

    If ``data`` are most of the rows of a data set in use, as in cross-validation, only the row numbers go to Java. Java
    keeps the whole set, unless it is large, until another set or large data are converted.
    """
    origin = data.taken_from
    # In Java the parts share the cells of the whole, as in Weka's own trainCV: Weka copies an instance's cells before
    # it changes any. It may add strings to an attribute, though, which others would then read.
    if origin is not None and not _has_strings(data.header):
        whole, rows = origin
        if len(whole) <= 2 * len(data) and whole.values.size <= cells_beside_others():
            return jvm.call("chosen", _last_to_java(whole), rows.astype(np.int32))
    if data.values.size > cells_beside_others():
        _last_to_java.forget()
    return _to_java(data)


def cells_beside_others() -> int:
    """The largest number of cells that Java may hold while it grows a tree on other data."""
    return min(LARGE, int(jvm.about()["max_heap_bytes"]) // HEAP_PER_CELL)


def _to_java(data: Dataset) -> Any:
    if data.values.size >= 2**31 - 8:
        raise OptionError(
            f"{data.values.size} cells are more than one Java array holds; give Weka fewer rows", value_of="data"
        )
    return jvm.call("instances", header_to_java(data.header), data.values.ravel(), data.weights, data.sparse_rows)


_last_to_java = keep_last_result(_to_java)


def header_to_java(header: Header) -> Any:
    """Empty Instances with the attributes of a header, to be read only; relational attributes are refused.

    Data with the same header have the same attributes in Java, except for strings, to which Weka may add more.
    """
    return (_header_to_java if _has_strings(header) else _last_header_to_java)(header)


def _has_strings(header: Header) -> bool:
    return any(attribute.kind == "string" for attribute in header.attributes)


def _header_to_java(header: Header) -> Any:
    counts: list[int] = []
    values: list[str] = []
    for attribute in header.attributes:
        if attribute.kind == "relational":
            raise OptionError(
                f"attribute '{attribute.name}' is relational; remove it before handing data to Weka", value_of="header"
            )
        texts = (attribute.date_format,) if attribute.kind == "date" else attribute.values
        counts.append(len(texts))
        values.extend(texts)
    try:
        return jvm.call(
            "emptyInstances",
            header.relation,
            header.class_index,
            [attribute.name for attribute in header.attributes],
            np.array([KINDS.index(attribute.kind) for attribute in header.attributes], dtype=np.int32),
            np.array(counts, dtype=np.int32),
            values,
        )
    except BridgeError as error:
        if jvm.is_refusal(error):
            raise OptionError(
                f"Weka cannot take '{header.relation}': {jvm.reason(error)}", value_of="header"
            ) from error
        raise


_last_header_to_java = keep_last_result(_header_to_java)


def from_java(instances: Any) -> Dataset:
    """The Dataset for Weka's Instances."""
    return unpack(jvm.call("export", instances))


def from_weka(instances: Any) -> Dataset:
    """The Dataset for Instances of python-weka-wrapper3, or for a Java object; see `Dataset.from_weka`."""
    advice = "hand over an Instances object of python-weka-wrapper3, or the Java object in it"
    complaint = f"expected Weka's Instances, got {type(instances).__name__}; {advice}"
    try:
        return from_java(getattr(instances, "jobject", instances))
    except (AttributeError, TypeError) as error:
        raise OptionError(complaint, value_of="instances") from error
    except BridgeError as error:
        if "ClassCastException" in str(error) or "NullPointerException" in str(error):
            raise OptionError(complaint, value_of="instances") from error
        raise


def unpack(exported: Any) -> Dataset:
    """The Dataset for what the facade exported; dates have the zone in which they were read."""
    data = dataset_of(lambda kind, name: jvm.call(kind, exported, name))
    attributes = map(_with_zone, data.attributes, data.values.T)
    return replace(data, header=replace(data.header, attributes=tuple(attributes)))


def _with_zone(attribute: Attribute, cells: FloatArray) -> Attribute:
    """The attribute with the zone in which its dates were read, if there are any."""
    if attribute.kind != "date" or np.isnan(cells).all():
        return attribute
    return replace(attribute, zone=zone_of(attribute.date_format))


def dataset_of(read: ReadPart) -> Dataset:
    """The Dataset for exported arrays, each of which ``read`` gives by its kind and name; dates have no zone."""
    names = read("strings", "names")
    values = iter(read("strings", "values"))
    attributes = []
    counts = read("ints", "value_counts")
    for name, kind, count in zip(names, read("ints", "kinds"), counts, strict=True):
        texts = tuple(next(values) for _ in range(count))
        if KINDS[kind] == "date":
            attributes.append(Attribute(name, "date", date_format=texts[0]))
        else:
            attributes.append(Attribute(name, KINDS[kind], texts))
    weights = read("doubles", "weights")
    return Dataset(
        Header(read("strings", "relation")[0], tuple(attributes), int(read("ints", "class_index")[0])),
        read("doubles", "cells").reshape(len(weights), len(names)),
        weights,
        flags_of(read("ints", "sparse_rows"), len(weights)),
    )


def load_arff_with_weka(path: str | os.PathLike[str], *, class_attribute: str | int | None = "last") -> Dataset:
    """Read an ARFF file with Weka's own ArffLoader; see `wekaconf.load_arff`.

    Our own reader reads the file first; it refuses what Weka would silently drop or report obscurely. Weka then gets
    the text as plain UTF-8. Relational attributes are a `BridgeError`; only our own reader reads them.
    """
    from wekaconf.data.arff import load_arff, read_text

    name = os.fspath(path)
    text = read_text(name)
    load_arff(name, class_attribute=class_attribute, content=text.encode(), checks_zones=False)
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "data.arff")
        with open(copy, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        check_paths(copy)
        data = unpack(jvm.call("readArff", copy))
    return data if class_attribute is None else data.with_class(class_attribute)
