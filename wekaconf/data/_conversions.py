"""Conversions between data sets and the data of other libraries, and a data set as notebooks show it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from wekaconf.base.errors import BridgeError, HeaderMismatchError, OptionError
from wekaconf.base.words import Argument
from wekaconf.data import frames
from wekaconf.data._cells import is_number
from wekaconf.data._columns import Column, library, read_column
from wekaconf.data._header import Attribute, Header
from wekaconf.data._matching import Unseen, UnseenCells, UnseenValues
from wekaconf.data.arrays import frozen
from wekaconf.data.table_files._base import Read, Reading, known_by

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

FOUND = Reading(is_inferred=True)
"""Of frames and arrays, whose columns are read as they are."""
MOST_ROWS, MOST_COLUMNS = 10, 20
"""The largest numbers of instances and attributes that notebooks show."""


class Convertible:
    """The constructors of `Dataset` from other libraries' data, and the conversions back."""

    header: Header
    values: NDArray[np.float64]
    weights: NDArray[np.float64]
    is_sparse: NDArray[np.bool_] | None

    if TYPE_CHECKING:

        def __init__(
            self,
            header: Header,
            values: ArrayLike,
            weights: ArrayLike | None = None,
            is_sparse: ArrayLike | None = None,
            reading: Reading | None = None,
            unseen: Mapping[str, UnseenCells] = {},
        ) -> None: ...

    @classmethod
    def from_pandas(
        cls,
        frame: pd.DataFrame,
        *,
        class_attribute: str | int | None = "last",
        relation: str = "data",
        nominal: Collection[str | int] = (),
        numeric: Collection[str | int] = (),
        header: Header | Read | None = None,
        unseen: Unseen = "missing",
        weights: ArrayLike | None = None,
    ) -> Self:
        """The data set that a pandas DataFrame holds.

        Parameters
        ----------
        frame : (n_instances, n_columns) DataFrame
            Numbers make numeric attributes; texts nominal ones, their values sorted; booleans nominal ones of ``false``
            and ``true``; categories nominal ones, the order kept; dates date attributes, to the millisecond, those
            without a time zone read as UTC. None, NaN, NA and NaT are missing. The index is ignored.
        class_attribute : str, int or None
            ``"last"``, ``"first"``, a number counted from 1, a name, or None for no class.
        relation : str
            Name of the data set.
        nominal, numeric : collection of str or int
            Columns, by name or position, to read as texts, or as numbers, whatever they hold. A class of numbers must
            be in ``nominal``.
        header : Header, Dataset or Model, optional
            Read the columns as this header declares them, not by what they hold. They are matched by name, in any
            order; others are ignored, with a `Note`; the class may be absent. Where the data of the header were an
            array, columns of other names are matched by position, with a `Note`. A data set or a model also says how
            it was read: what it left out, new names, what meant missing, and the forms of numbers and dates.
        unseen : {"missing", "error"}
            With ``header``: how to treat a value that it does not declare, as missing, with a `Note`, or as an error.
            An undeclared class is always an error.
        weights : (n_instances,) floats, optional
            Instance weights in [0, 1e100], dimensionless; 1 when left out.

        Returns
        -------
        Dataset
            Equal to what `from_polars` makes of the same content. Cost: linear.

        Raises
        ------
        OptionError
            A column cannot be read, a name is used twice, or an argument names no column.
        HeaderMismatchError
            The columns are not those of ``header``.
        """
        frames.check_frame(frame, "pandas")
        return cls._from_frame(frame, class_attribute, relation, nominal, numeric, header, unseen, weights)

    @classmethod
    def from_polars(
        cls,
        frame: pl.DataFrame,
        *,
        class_attribute: str | int | None = "last",
        relation: str = "data",
        nominal: Collection[str | int] = (),
        numeric: Collection[str | int] = (),
        header: Header | Read | None = None,
        unseen: Unseen = "missing",
        weights: ArrayLike | None = None,
    ) -> Self:
        """The data set that a polars DataFrame holds; see `from_pandas`.

        The categories of an Enum keep their order; those of a Categorical, which has none of its own, are sorted.
        """
        frames.check_frame(frame, "polars")
        return cls._from_frame(frame, class_attribute, relation, nominal, numeric, header, unseen, weights)

    @classmethod
    def from_arrow(
        cls,
        table: Any,
        *,
        class_attribute: str | int | None = "last",
        relation: str = "data",
        nominal: Collection[str | int] = (),
        numeric: Collection[str | int] = (),
        header: Header | Read | None = None,
        unseen: Unseen = "missing",
        weights: ArrayLike | None = None,
    ) -> Self:
        """The data set that an Arrow stream holds; see `from_pandas`.

        ``table`` is whatever has ``__arrow_c_stream__``: a table or a batch of pyarrow, a relation of DuckDB, and so
        on. Dictionaries are nominal attributes whose values keep their order; decimals are numbers. Times of day,
        durations, lists and structures are refused, by the name of their column.
        """
        if not frames.gives_arrow(table):
            got = f"{library(table)}.{type(table).__name__}"
            raise OptionError(f"expected a table with __arrow_c_stream__, got {got}", value_of="table")
        return cls._from_frame(table, class_attribute, relation, nominal, numeric, header, unseen, weights)

    @classmethod
    def _from_frame(
        cls, frame: Any, class_attribute: str | int | None, relation: str, nominal: Collection[str | int],
        numeric: Collection[str | int], header: Header | Read | None, unseen: Unseen, weights: ArrayLike | None,
    ) -> Self:  # fmt: skip
        if header is not None:
            _check_left_out(nominal=nominal, numeric=numeric)
            return cls._read_like(frame, None, header, unseen, weights)
        attributes, values = frames.columns_of(frame, nominal=nominal, numeric=numeric)
        header = Header(relation, attributes).with_class(class_attribute)
        return cls(header, frozen(values), weights, None, FOUND)

    @classmethod
    def from_arrays(
        cls,
        X: Any,
        y: Any = None,
        *,
        names: Sequence[str] | None = None,
        class_name: str = "class",
        relation: str = "data",
        nominal: Collection[str | int] = (),
        header: Header | Read | None = None,
        unseen: Unseen = "missing",
        weights: ArrayLike | None = None,
    ) -> Self:
        """The data set of a table and the classes of its rows.

        Parameters
        ----------
        X : (n_instances, n_columns) array, DataFrame, scipy sparse matrix, or list of rows
            See `from_pandas`. A sparse matrix is held dense, and its rows are not sparse to Weka.
        y : (n_instances,) array, Series or list, optional
            The classes: texts, whole numbers, booleans or categories; the class is nominal, its values sorted unless
            they are categories, and comes last. Left out: there is no class.
        names : sequence of str, optional
            The names of the columns; left out: those of ``X``, else x0, x1, ….
        class_name : str
            The name of the class.
        relation, nominal, weights
            See `from_pandas`.
        header : Header, Dataset or Model, optional
            Read the data as this header declares them: ``X`` its attributes but for the class, by name if ``X`` and the
            data of the header have names, else by position.
        unseen : {"missing", "error"}
            See `from_pandas`.

        Returns
        -------
        Dataset
            Cost: linear.

        Raises
        ------
        OptionError
            A column or ``y`` cannot be read, or their lengths differ.
        HeaderMismatchError
            The columns are not those of ``header``, or ``y`` holds a class that it does not declare.
        """
        if header is not None:
            _check_left_out(nominal=nominal, names=names or ())
            return cls._read_like(X, y, header, unseen, weights)
        attributes, values = frames.columns_of(X, names=names, nominal=nominal)
        is_named = names is not None or frames.is_frame(X) or frames.is_arrow(X)
        if y is None:
            return cls(Header(relation, attributes, is_named=is_named), values, weights, None, FOUND)
        classes = _classes(y, class_name, len(values))
        if class_name in [attribute.name for attribute in attributes]:
            raise OptionError(
                f"X has a column '{class_name}' already; give the class another name", parameter="class_name"
            )
        attributes = (*attributes, classes.attribute(class_name))
        values = np.column_stack((values, classes.cells))
        header = Header(relation, attributes, len(attributes) - 1, is_named)
        return cls(header, frozen(values), weights, None, FOUND)

    @classmethod
    def _read_like(cls, X: Any, y: Any, header: Header | Read, unseen: Unseen, weights: ArrayLike | None) -> Self:
        """A table, and the classes of its rows unless they are None, read as a header declares them."""
        known, reading = known_by(header)
        unseen_values = UnseenValues()
        values = frames.values_like(X, known, unseen=unseen, unseen_values=unseen_values, reading=reading)
        unseen_values.tell()
        if y is not None:
            target = known.class_attribute
            classes = _classes(y, target.name, len(values))
            values[:, known.class_index] = frames.cells_like(classes, target, unseen=unseen, what="y", is_class=True)
        return cls(known, frozen(values), weights, unseen=unseen_values.cells)

    @classmethod
    def from_weka(cls, instances: Any) -> Self:
        """The data set that Weka's Instances hold.

        Parameters
        ----------
        instances : weka.core.dataset.Instances of python-weka-wrapper3, or a Java object
            Without relational attributes, and without attribute weights.

        Raises
        ------
        OptionError
            That is no Instances.
        BridgeError
            There is no usable Java, or an attribute is relational or has a weight other than 1.
        """
        if not _readers:
            raise BridgeError("Instances of Weka cannot be read without wekaconf.bridge")
        data = _readers[-1](instances)
        return cls(data.header, data.values, data.weights, data.is_sparse)

    def to_pandas(self) -> pd.DataFrame:
        """The data set as a pandas DataFrame.

        Returns
        -------
        (n_instances, n_attributes) DataFrame
            Nominal attributes are categorical, with all declared values in their order; dates are datetime64[ms] in
            UTC, with that zone if they were local times in a file; strings and relational attributes are text. Missing
            values are NaN or NaT. Weights are left out.

        Raises
        ------
        OptionError
            pandas is not installed.
        """
        return frames.to_pandas(self.header.attributes, self.values)

    def to_arrow(self) -> pa.Table:
        """The data set as a table of pyarrow.

        Returns
        -------
        (n_instances, n_attributes) Table
            Nominal attributes are ordered dictionaries of all declared values; dates are timestamps in milliseconds,
            in UTC; strings and relational attributes are text. Missing values are null. Weights are left out.

        Raises
        ------
        OptionError
            pyarrow is not installed.
        """
        return frames.to_arrow(self.header.attributes, self.values)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The columns of `to_arrow` for whatever reads Arrow streams, such as polars, DuckDB and pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_polars(self) -> pl.DataFrame:
        """The data set as a polars DataFrame.

        Returns
        -------
        (n_instances, n_attributes) DataFrame
            Nominal attributes are Enum, with all declared values in their order; dates are Datetime in milliseconds, in
            UTC; strings and relational attributes are text. Missing values are null. Weights are left out.

        Raises
        ------
        OptionError
            polars is not installed.
        """
        return frames.to_polars(self.header.attributes, self.values)

    def to_arff(self, path: str | PathLike[str]) -> None:
        """Write an ARFF file; see `wekaconf.save_arff`."""
        _arff_writers[-1](path, self)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """The values, (n_instances, n_attributes) float64, for ``numpy.asarray``."""
        array = np.asarray(self.values, dtype=dtype)
        if copy is False and array is not self.values:
            raise ValueError("a data set holds float64; it cannot be given as another type without a copy")
        return array.copy() if copy else array

    def _repr_html_(self) -> str:
        """The first instances as a table, for notebooks."""
        return _html_table(self.header, self.values)


_readers: list[Callable[[Any], Convertible]] = []
_arff_writers: list[Callable[[str | PathLike[str], Any], None]] = []


def write_arff_with(writer: Callable[[str | PathLike[str], Any], None]) -> None:
    """Let `Dataset.to_arff` write files so; for `wekaconf.data.arff`, which knows data sets."""
    _arff_writers.append(writer)


def read_instances_with(reader: Callable[[Any], Convertible]) -> None:
    """Let `Dataset.from_weka` read Weka's Instances so; for the bridge, which knows the JVM."""
    _readers.append(reader)


def _check_left_out(**arguments: Collection[Any]) -> None:
    for name, value in arguments.items():
        if len(value):
            raise OptionError(Argument(name), " and header exclude each other; the header says how columns are read")


def _classes(y: Any, name: str, n_instances: int) -> Column:
    """``y`` as a nominal column."""
    if frames.is_frame(y):
        got, advice = f"a {type(y).__name__}", "give one of its columns"
        raise OptionError(parameter="y", expected="one class per row", got=got, advice=advice)
    if library(y) == "pandas" and not hasattr(y, "cat"):
        y = import_module("pandas").Series(y)
    elif library(y) not in ("pandas", "polars"):
        if isinstance(y, list | tuple):
            cells = np.empty(len(y), dtype=object)
            cells[:] = y
            y = cells
        y = np.asarray(y)
        if y.ndim != 1:
            got = f"an array of shape {y.shape}"
            raise OptionError(parameter="y", expected="one class per row", got=got, advice="y.ravel() may do")
    if len(y) != n_instances:
        raise HeaderMismatchError(f"y: expected {n_instances} classes, one per row of X, got {len(y)}")
    classes = read_column(y, name, "nominal")
    if not any(is_number(value) and float(value) % 1 for value in classes.values):
        return classes
    try:
        plain = read_column(y, name)
    except OptionError:  # a mixture, which is read as texts
        return classes
    known = plain.cells[~np.isnan(plain.cells)]
    if (known % 1 != 0).any():
        got = f"numbers with fractions such as {known[known % 1 != 0][0]:g}"
        advice = "a tree needs a nominal class, so turn them into a few names, such as low and high"
        raise OptionError(parameter="y", expected="classes", got=got, advice=advice)
    return classes


def _html_table(header: Header, values: NDArray[np.float64]) -> str:
    """The first instances and attributes as an HTML table, escaped."""
    shown = header.attributes[:MOST_COLUMNS]
    heads = "".join(
        f"<th>{escape(attribute.name)}<br><small>{'class' if column == header.class_index else attribute.kind}</small>"
        "</th>"
        for column, attribute in enumerate(shown)
    )
    rows = ""
    for number, row in enumerate(values[:MOST_ROWS].tolist()):
        cells = "".join(f"<td>{escape(_text(*cell))}</td>" for cell in zip(shown, row, strict=False))
        rows += f"<tr><th>{number}</th>{cells}</tr>"
    size = f"{len(values)} instances, {len(header.attributes)} attributes"
    return (
        f"<table><caption>{escape(header.relation)}: {size}</caption>"
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _text(attribute: Attribute, cell: float) -> str:
    if math.isnan(cell):
        return "?"
    if attribute.is_indexed:
        return attribute.values[int(cell)]
    if attribute.kind == "date" and abs(cell) < 8e15:
        return str(np.datetime64(int(cell), "ms"))
    return f"{cell:g}"
