"""The filters in Weka's model files, as column maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from wekaconf.data import ColumnMap, Header
from wekaconf.data.arrays import FloatArray, Int32Array
from wekaconf.learners.foreign._java_values import JavaObject, StreamError, doubles
from wekaconf.learners.foreign._unpacking import RefusedError
from wekaconf.learners.foreign._weka_header import HeaderReader

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
            f"holds a FilteredClassifier, whose tree answers for instances that have passed {name[:100]}; only "
            "Discretize, ReplaceMissingValues, Remove and Reorder can be held as arrays: filter the training data "
            "first, and save the tree alone"
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
        fill = _replacements(weka_filter, before, -1 if ignores_class else before.class_index)
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


def _replacements(weka_filter: JavaObject, header: Header, class_index: int) -> FloatArray:
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
