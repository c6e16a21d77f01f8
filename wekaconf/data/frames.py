"""Conversion of tables in memory (numpy, pandas, polars, sparse matrices) to attributes and cells, and back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError, needed
from wekaconf.base.naming import name_list, nearest, quoted
from wekaconf.data._cells import ColumnError
from wekaconf.data._columns import Column, Wanted, library, read_column, without_categoricals
from wekaconf.data._header import Attribute, Header
from wekaconf.data._matching import (
    Unseen,
    UnseenValues,
    check_unseen,
    columns_by_name,
    columns_by_place,
    match_padded_names,
    note_matched_by_place,
    recode,
)
from wekaconf.data.arrays import ROWS_AT_A_TIME
from wekaconf.data.dates import ZoneError, zone
from wekaconf.data.table_files._base import Reading, note_missing_values
from wekaconf.data.table_files._column_forms import as_remembered
from wekaconf.data.table_files._names import proper_names

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


Columns = Mapping[str, NDArray[Any] | list[str]]
"""Numbers, booleans or texts by the names of their columns."""


def columns_of(
    X: Any,
    *,
    names: Sequence[str] | None = None,
    nominal: Collection[str | int] = (),
    numeric: Collection[str | int] = (),
) -> tuple[tuple[Attribute, ...], NDArray[np.float64]]:
    """Attributes and cells of a table.

    Parameters
    ----------
    X : (n_instances, n_columns) array, DataFrame, Arrow stream, scipy sparse matrix, or list of rows
        Numbers make numeric attributes; texts nominal ones, their values sorted; booleans nominal ones of ``false`` and
        ``true``; categories nominal ones, the order kept; dates date attributes, to the millisecond, those without a
        time zone read as UTC. None, NaN, NA and NaT are missing. A column of objects must be all of one sort.
    names : sequence of str, optional
        The names of the columns; left out: those of ``X``, else x0, x1, ….
    nominal : collection of str or int
        Columns, by name or position, whose numbers or mixed objects are read as texts.
    numeric : collection of str or int
        Columns whose texts, categories or booleans are read as numbers.

    Returns
    -------
    attributes : (n_columns,) tuple of Attribute
    cells : (n_instances, n_columns) float64
        As in `Dataset`. Cost: linear.

    Raises
    ------
    OptionError
        ``X`` is no table, a name is used twice, or a column holds other objects; the message names it and says what to
        do.
    """
    table = Table(X, names)
    wanted: dict[int, Wanted] = {place: "nominal" for place in table.places(nominal, "nominal")}
    for place in table.places(numeric, "numeric"):
        if place in wanted:
            raise ColumnError(table.names[place], " is named in both nominal and numeric; choose one")
        wanted[place] = "numeric"
    columns = [table.column(place, wanted.get(place)) for place in range(len(table.names))]
    for place, kind in wanted.items():
        if kind == "nominal":
            columns[place] = columns[place].with_typed_values()
    attributes = tuple(column.attribute(name) for column, name in zip(columns, table.names, strict=True))
    return attributes, _joined_cells(table, range(len(columns)), columns)


def values_like(
    X: Any,
    header: Header,
    *,
    unseen: Unseen = "missing",
    what: str = "the data",
    unseen_values: UnseenValues | None = None,
    by_position: bool = False,
    reading: Reading | None = None,
) -> NDArray[np.float64]:
    """The cells of a table, read as a header declares them; a class that is absent is missing for all instances.

    Parameters
    ----------
    X : (n_instances, n_columns) array, DataFrame, Arrow stream, scipy sparse matrix, or list of rows
        Columns with names are matched by name, in any order, and others are ignored, with a `Note`; columns without
        names are matched by position. If the header's data were an array, columns of other names than its own are
        matched by position, with a `Note`. A column of a nominal attribute is read as text, whatever it looks like; one
        of a numeric attribute must hold numbers, or texts that write numbers.
    header : Header
    unseen, what
        See `wekaconf.data._matching.recode`.
    unseen_values : UnseenValues, optional
        Collects the values that the attributes do not declare, without a `Note`.
    by_position : bool
        Whether columns are matched by position, whatever their names.
    reading : Reading, optional
        That of the data of the header: what it left out may be there, its new names are given, and what meant missing,
        a number or a date does so here.

    Returns
    -------
    (n_instances, n_attributes) float64
        As in `Dataset`. Cost: linear.

    Raises
    ------
    HeaderMismatchError
        Columns are missing, there are more or fewer of them without names, or a class is not declared.
    OptionError
        ``X`` is no table, or a column is not of the attribute's kind.
    """
    check_unseen(unseen)
    reading = reading or Reading()
    table = Table(X, rename=reading.rename)
    if table.is_named:
        table.names = tuple(match_padded_names([attribute.name for attribute in header.attributes], table.names))
    wanted = list(range(len(header.attributes)))
    lacks_class = header.class_index >= 0 and (
        header.class_attribute.name not in table.names
        if table.is_named
        else len(table.names) == len(header.attributes) - 1
    )
    if lacks_class:
        wanted.remove(header.class_index)
    names = [header.attributes[column].name for column in wanted]
    unused = set(reading.left_out).difference(names)
    used = [place for place, name in enumerate(table.names) if name not in unused]
    table_names = [table.names[place] for place in used]
    if not by_position and table.is_named and (header.is_named or set(names) <= set(table_names)):
        places = columns_by_name(table_names, names, what, are_names=header.is_named)
    else:
        class_name = header.class_attribute.name if table.is_named and header.class_index in wanted else None
        places = columns_by_place(table_names, names, class_name, what)
        if not by_position and table.is_named:
            note_matched_by_place(table_names, class_name, what)
    place_of = {index: used[place] for index, place in zip(wanted, places, strict=True)}
    if unseen_values is None or not unseen_values.n_read:
        note_missing_values(what, [header.attributes[index] for index in wanted], reading)
    columns = [Column("date", (), np.full(table.n_rows, np.nan))] * len(header.attributes)
    for index, place in place_of.items():
        attribute, is_class = header.attributes[index], index == header.class_index
        kind, raw = kind_of(attribute), table.raw(place)
        remembered = as_remembered(raw, attribute, reading)
        if remembered is not raw:
            place_of[index] = -1
        column = read_column(remembered, attribute.name, kind)
        if column.is_local and attribute.zone:
            column = column._replace(cells=_local_moments(column.cells, attribute))
        cells = cells_like(column, attribute, unseen=unseen, what=what, is_class=is_class, unseen_values=unseen_values)
        columns[index] = column._replace(cells=cells)
    return _joined_cells(table, [place_of.get(index, -1) for index in range(len(columns))], columns)


def _local_moments(cells: NDArray[np.float64], attribute: Attribute) -> NDArray[np.float64]:
    """The moments at which clocks show these dates where the header's dates were read, as with texts in CSV."""
    try:
        moment = zone(attribute.zone).moment
    except ZoneError as error:
        raise ColumnError(attribute.name, f": {error}") from error
    known = ~np.isnan(cells)
    seconds, rest = np.divmod(cells[known], 1000)
    moments = np.full(len(cells), np.nan)
    moments[known] = [1000.0 * moment(int(second)) for second in seconds.tolist()] + rest
    return moments


def kind_of(attribute: Attribute) -> Wanted:
    """The kind that a column must be read as for an attribute."""
    if attribute.kind == "relational":
        raise OptionError(
            f"attribute '{attribute.name}' is relational; no column of a table holds such", value_of="header"
        )
    return "nominal" if attribute.kind == "string" else attribute.kind


def cells_like(
    column: Column,
    attribute: Attribute,
    *,
    unseen: Unseen,
    what: str,
    is_class: bool,
    unseen_values: UnseenValues | None = None,
) -> NDArray[np.float64]:
    """The cells of a column of the attribute's kind, recoded to the attribute's values; see `recode`."""
    if not attribute.is_indexed:
        return column.cells
    written = column.written or column.values
    return recode(
        column.cells, written, attribute, unseen=unseen, what=what, is_class=is_class, unseen_values=unseen_values
    )


def _joined_cells(table: Table, places: Sequence[int], columns: Sequence[Column]) -> NDArray[np.float64]:
    """(n_rows, n_columns) float64: the cells of columns that were read from these places of a table; −1: from none.

    Columns of float64 beside each other are copied in one go, and all columns of some rows before the next rows, which
    are then still in the processor's cache; that halves the time.
    """
    is_copyable = [
        column.kind == "numeric" and place >= 0 and table.is_float64(place)
        for place, column in zip(places, columns, strict=True)
    ]
    parts: list[tuple[int | slice, NDArray[np.float64]]] = []
    start = 0
    while start < len(columns):
        end = start + 1
        if is_copyable[start]:
            while end < len(columns) and is_copyable[end] and places[end] == places[start] + end - start:
                end += 1
            parts.append((slice(start, end), table.block(places[start], places[end - 1] + 1)))
        else:
            parts.append((start, columns[start].cells))
        start = end
    cells = np.empty((table.n_rows, len(columns)))
    for first in range(0, table.n_rows, ROWS_AT_A_TIME):
        rows = slice(first, first + ROWS_AT_A_TIME)
        for where, part in parts:
            cells[rows, where] = part[rows]
    return cells


def gives_arrow(X: object) -> bool:
    """Whether this gives its columns as an Arrow stream, as tables of pyarrow, DuckDB and polars do."""
    return hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__")


def is_arrow(X: object) -> bool:
    """Whether a table is read as an Arrow stream; those of pandas and polars are read as they are."""
    return library(X) not in ("pandas", "polars", "wekaconf") and gives_arrow(X)


def is_frame(X: Any) -> bool:
    """Whether this is a table of pandas, polars or pyarrow."""
    kinds = ("DataFrame", "LazyFrame", "Table", "RecordBatch")
    return library(X) in ("pandas", "polars", "pyarrow") and type(X).__name__ in kinds


def column_names(frame: Any) -> list[Any]:
    """The names of the columns of a table of pandas, polars or pyarrow."""
    return list(frame.column_names if library(frame) == "pyarrow" else frame.columns)


def read_arrow_stream(X: Any) -> Any:
    """The Arrow stream of a table as a table of pyarrow; all else as it is.

    Raises
    ------
    OptionError
        pyarrow is not installed, or the stream is none of columns.
    """
    if not is_arrow(X) or (library(X), type(X).__name__) == ("pyarrow", "Table"):
        return X
    with needed("reading an Arrow stream", "tables"):
        import pyarrow as pa
    try:
        return pa.table(X)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise OptionError(
            f"expected a table, got {type(X).__name__}, whose Arrow stream is no table: {error}", value_of="X"
        ) from error


class Table:
    """A table of any library, read by columns.

    Parameters
    ----------
    X : array, DataFrame, Arrow stream, sparse matrix, or list of rows
    names : sequence of str, optional
        The names of the columns; left out: those of ``X``, else x0, x1, …. As in files, blanks around a name are no
        part of it, and a column without one is called after its place.
    rename : sequence of (str, str)
        Old and new names of columns.

    Raises
    ------
    OptionError
        ``X`` is none of these, or a name is used twice.
    """

    def __init__(self, X: Any, names: Sequence[str] | None = None, *, rename: Sequence[tuple[str, str]] = ()) -> None:
        X = read_arrow_stream(X)
        self._library = library(X)
        column_names: Sequence[Any] | None = None
        if self._library == "pyarrow":
            self._source, column_names, self._kinds = without_categoricals(X), X.column_names, [""] * X.num_columns
        elif self._library in ("pandas", "polars") and type(X).__name__ == "DataFrame":
            self._source, column_names, self._kinds = X, list(X.columns), list(map(str, X.dtypes))
        else:
            self._source = _array(X)
            self._kinds = [str(self._source.dtype)] * self._source.shape[1]
        self.n_rows, n_columns = self._source.shape
        self.is_named = column_names is not None or names is not None
        self.names = names_of(column_names or () if names is None else names, rename)
        if not self.is_named:
            self.names = tuple(f"x{place}" for place in range(n_columns))
        if len(self.names) != n_columns:
            raise OptionError(parameter="names", expected=f"{n_columns}, one per column", got=str(len(self.names)))
        if len(set(self.names)) < n_columns:
            repeated = next(name for place, name in enumerate(self.names) if name in self.names[:place])
            raise OptionError(
                f"the column name {quoted(repeated)} is used twice; rename one of the columns", value_of="names"
            )

    def column(self, place: int, wanted: Wanted = None) -> Column:
        """One column; see `read_column`."""
        return read_column(self.raw(place), self.names[place], wanted)

    def raw(self, place: int) -> Any:
        """One column as the library of the table holds it."""
        if self._library == "pyarrow":
            return self._source.column(place)
        return self._source.iloc[:, place] if self._library == "pandas" else self._source[:, place]

    def is_float64(self, place: int) -> bool:
        """Whether a column is held just as it is in a data set, NaN for missing."""
        return self._kinds[place] == ("Float64" if self._library == "polars" else "float64")

    def block(self, start: int, end: int) -> NDArray[np.float64]:
        """(n_rows, end − start) float64: columns beside each other for which `is_float64` holds."""
        if self._library == "pandas":
            return self._source.iloc[:, start:end].to_numpy()
        part = self._source[:, start:end]
        return part.to_numpy() if self._library == "polars" else part

    def places(self, chosen: Collection[str | int], what: str) -> list[int]:
        """The positions of chosen columns; each is chosen by its name or its position."""
        if isinstance(chosen, str):
            raise OptionError(
                parameter=what, expected="a list of columns", got=f"the text '{chosen}'", advice=f"write ['{chosen}']"
            )
        places = []
        for which in chosen:
            if which in self.names:
                places.append(self.names.index(str(which)))
            elif isinstance(which, int | np.integer) and 0 <= which < len(self.names):
                places.append(int(which))
            else:
                hint = nearest(str(which), self.names) or f"; the columns are {name_list(self.names, str(which))}"
                raise OptionError(f"no column {quoted(str(which))}{hint}", parameter=what)
        return places


def names_of(names: Sequence[Any], rename: Sequence[tuple[str, str]] = ()) -> tuple[str, ...]:
    """The names of columns as texts, see `proper_names`, the new ones in place of the old ones."""
    new_names = dict(rename)
    return tuple(new_names.get(name, name) for name in proper_names([*map(_name, names)]))


def _name(name: object) -> str:
    if isinstance(name, tuple):
        raise OptionError(
            f"the column names have several levels, such as {name!r}; join them into one text each", value_of="X"
        )
    return "" if name is None else str(name)


def _array(X: Any) -> NDArray[Any]:
    """``X`` as an array of two dimensions."""
    if isinstance(X, list | tuple):
        widths = {len(row) if isinstance(row, Sequence) and not isinstance(row, str) else -1 for row in X}
        if len(widths) > 1 or -1 in widths:
            raise OptionError("expected rows of equal length, each a list with one value per column", value_of="X")
        array = np.empty((len(X), *widths), dtype=object)
        for row, cells in enumerate(X):
            array[row] = [*cells]
    elif library(X) == "scipy" and hasattr(X, "toarray"):
        array = X.toarray()
    elif isinstance(X, np.ma.MaskedArray):
        array = np.array(X.astype(object).data)
        array[np.ma.getmaskarray(X)] = None
    elif isinstance(X, np.ndarray):
        array = np.asarray(X)
    else:
        remedy = _REMEDIES.get(type(X).__name__, "make an array or a DataFrame of it")
        got = f"got {type(X).__name__}; {remedy}"
        raise OptionError(
            f"expected a numpy array, a DataFrame, an Arrow stream or a sparse matrix, {got}", value_of="X"
        )
    check_no_fields(array)
    if array.ndim != 2:
        advice = "reshape(-1, 1) makes one column of it, reshape(1, -1) one row"
        got = f"an array of shape {array.shape}; {advice}"
        raise OptionError(f"expected a table of two dimensions, got {got}", value_of="X")
    return array


def check_no_fields(array: Any) -> None:
    """Raise OptionError for an array with named fields, whose rows have one dimension."""
    if getattr(getattr(array, "dtype", None), "names", None):
        raise OptionError(
            "expected a table, got an array with named fields; hand it over as pandas.DataFrame(array)", value_of="X"
        )


_REMEDIES = {
    "LazyFrame": "call .collect() first",
    "Series": "call .to_frame() to make a table of one column",
    "Dataset": "this is one already",
    "dict": "make a DataFrame of it, pandas.DataFrame(…)",
}
"""How to make a table of what is none, by the name of its type."""


def check_frame(frame: object, expected: str) -> None:
    """Raise OptionError unless this is a DataFrame of the library that is expected."""
    source, kind = library(frame), type(frame).__name__
    if (source, kind) != (expected, "DataFrame"):
        other = f"use from_{source}" if source in ("pandas", "polars") else "arrays are read by from_arrays(X, y)"
        remedy = _REMEDIES[kind] if kind in ("LazyFrame", "Series") else other
        got = f"got {source}.{kind}; {remedy}"
        raise OptionError(f"expected a {expected} DataFrame, {got}", value_of="frame")


def to_pandas(attributes: Sequence[Attribute], values: NDArray[np.float64]) -> pd.DataFrame:
    """A data set as a pandas DataFrame; see `Dataset.to_pandas`."""
    with needed("to_pandas", "tables"):
        import pandas as pd
    columns = zip(attributes, values.T, strict=True)
    return pd.DataFrame(
        {attribute.name: _series(attribute, cells, pd) for attribute, cells in columns}, index=range(len(values))
    )


def _series(attribute: Attribute, cells: NDArray[np.float64], pd: Any) -> Any:
    if attribute.kind == "numeric":
        return cells
    missing = np.isnan(cells)
    if attribute.kind == "date":
        dates = np.where(missing, 0, cells).astype(np.int64).astype("datetime64[ms]")
        dates[missing] = np.datetime64("NaT", "ms")
        return pd.Series(dates).dt.tz_localize("UTC") if attribute.zone else dates
    codes = np.where(missing, -1, cells).astype(np.intp)
    category = pd.Categorical.from_codes(codes, categories=pd.Index(attribute.values, dtype=str))
    if attribute.is_nominal:
        return category
    has_missing_texts = isinstance(pd.Series(dtype=str).dtype, pd.StringDtype)  # since pandas 3
    return category.astype(str if has_missing_texts else object)


def to_arrow(attributes: Sequence[Attribute], values: NDArray[np.float64]) -> pa.Table:
    """A data set as a table of pyarrow; see `Dataset.to_arrow`."""
    with needed("to_arrow", "tables"):
        import pyarrow as pa
    columns = [_arrow_column(attribute, cells, pa) for attribute, cells in zip(attributes, values.T, strict=True)]
    return pa.table(columns, names=[attribute.name for attribute in attributes])


def _arrow_column(attribute: Attribute, cells: NDArray[np.float64], pa: Any) -> Any:
    missing = np.isnan(cells)
    if attribute.kind == "numeric":
        return pa.array(cells, mask=missing)
    whole = np.where(missing, 0, cells).astype(np.int64)
    if attribute.kind == "date":
        return pa.array(whole, mask=missing).cast(pa.timestamp("ms", "UTC"))
    texts = pa.array(attribute.values, pa.string())
    if attribute.is_nominal:
        return pa.DictionaryArray.from_arrays(pa.array(whole.astype(np.int32), mask=missing), texts, ordered=True)
    return texts.take(pa.array(whole, mask=missing))


def arrow_columns(columns: Columns) -> dict[str, Any]:
    """Arrays of pyarrow, also of the right type where there are no rows; lists are texts."""
    import pyarrow as pa

    return {name: pa.array(cells, pa.string() if isinstance(cells, list) else None) for name, cells in columns.items()}


def polars_columns(columns: Columns) -> list[Any]:
    """Series of polars, also of the right type where there are no rows; lists are texts."""
    import polars as pl

    return [pl.Series(name, cells, pl.String if isinstance(cells, list) else None) for name, cells in columns.items()]


def to_polars(attributes: Sequence[Attribute], values: NDArray[np.float64]) -> pl.DataFrame:
    """A data set as a polars DataFrame; see `Dataset.to_polars`."""
    with needed("to_polars", "polars"):
        import polars as pl
    return pl.DataFrame(
        [_polars_column(attribute, cells, pl) for attribute, cells in zip(attributes, values.T, strict=True)]
    )


def _polars_column(attribute: Attribute, cells: NDArray[np.float64], pl: Any) -> Any:
    numbers = pl.Series(attribute.name, cells, nan_to_null=True)
    if attribute.kind == "numeric":
        return numbers
    whole = numbers.cast(pl.Int64)
    if attribute.kind == "date":
        return whole.cast(pl.Datetime("ms", "UTC"))
    texts = pl.Series(attribute.name, attribute.values, pl.String).gather(whole)
    return texts.cast(pl.Enum(attribute.values)) if attribute.is_nominal else texts
