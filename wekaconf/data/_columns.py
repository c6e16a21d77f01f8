"""One column of a table, whatever library holds it, as an attribute's kind, values and cells."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import tell
from wekaconf.base.naming import quoted, shown
from wekaconf.base.words import Setting
from wekaconf.data._cells import (
    BOOLEANS,
    MILLISECOND,
    TRUTHS,
    CellError,
    ColumnError,
    csv_text,
    family_of,
    is_number,
    to_instants,
    to_numbers,
    unsupported_kind,
    value_text,
)
from wekaconf.data._header import Attribute

Wanted = Literal["numeric", "nominal", "date"] | None
# Dates without a time zone are UTC, not local as in ARFF: a table has no Weka to agree with, and a model must answer
# alike in Berlin and New York. To the millisecond, since nanoseconds since 1970 exceed float64, where pandas (ns) and
# polars (µs) would differ in the last bits.
DATE_FORMAT = "yyyy-MM-dd'T'HH:mm:ss.SSSX"
"""The format of a date attribute made of a table's dates: an instant, to the millisecond."""
LARGEST_EXACT = 2**53
"""The largest magnitude up to which float64 holds every integer."""


class Column(NamedTuple):
    """The content of a column, as an attribute's kind, values and cells.

    Parameters
    ----------
    kind : {"numeric", "nominal", "date"}
    values : tuple of str
        Nominal: the values; else empty.
    cells : (n_instances,) float64
        The cells as in `Dataset`; they may be the table's memory, so they must not be written to.
    written : tuple of str
        Nominal: the values as CSV holds them, such as 1.0 for the value 1 of a column of floats; empty: as ``values``.
    is_local : bool
        Date: whether the dates have no time zone; the cells are then those of UTC.
    """

    kind: Literal["numeric", "nominal", "date"]
    values: tuple[str, ...]
    cells: NDArray[np.float64]
    written: tuple[str, ...] = ()
    is_local: bool = False

    def attribute(self, name: str) -> Attribute:
        """The attribute of that name with this column's kind and values."""
        return Attribute(name, self.kind, self.values, DATE_FORMAT if self.kind == "date" else "")

    def with_typed_values(self) -> Column:
        """The same cells with the values that a column of floats or booleans has, if these are texts of such a column.

        CSV does not tell them apart: the texts 0.0 and 1.0 get the values 0 and 1, and True the value true. Beside
        true and false 1 and 0 mean these, as in a sheet with cells of both kinds.
        """
        words = [value.lower() for value in self.values]
        values: tuple[str, ...] = BOOLEANS
        if not {*words}.isdisjoint(BOOLEANS) and TRUTHS.keys() >= {*words}:
            names = [TRUTHS[word] for word in words]
        elif all(is_number(value) and repr(float(value)) == value for value in self.values):
            names = [value_text(float(value) + 0.0) for value in self.values]  # -0.0 + 0.0 is 0.0
            values = tuple(dict.fromkeys(names))
        else:
            return self
        codes = np.array([*map(values.index, names), np.nan])
        return self._replace(values=values, cells=codes[np.where(np.isnan(self.cells), -1, self.cells).astype(np.intp)])


def library(thing: object) -> str:
    """The package that the type of ``thing`` is from, such as pandas."""
    return type(thing).__module__.partition(".")[0]


def without_categoricals(table: Any) -> Any:
    """A table of pyarrow with polars' Categoricals as texts: the order of their categories says nothing."""
    for place, field in enumerate(table.schema):
        if any(key.startswith(b"_PL_CATEGORICAL") for key in field.metadata or ()):
            table = table.set_column(place, field.name, as_texts(table.column(place)))
    return table


def as_texts(column: Any) -> Any:
    """A column of pyarrow that holds texts, perhaps as categories, as large strings."""
    import pyarrow as pa

    kind = pa.large_string()
    if not pa.types.is_dictionary(column.type):
        return column.cast(kind)
    return pa.chunked_array([each.dictionary.cast(kind).take(each.indices) for each in column.chunks], kind)


def read_column(raw: Any, name: str, wanted: Wanted = None) -> Column:
    """Read one column.

    Parameters
    ----------
    raw : (n_instances,) array, pandas Series, polars Series or pyarrow ChunkedArray
    name : str
        The column's name in messages.
    wanted : {"numeric", "nominal", "date"}, optional
        The kind that the column must have. Left out: numbers are numeric; texts and booleans nominal, the values
        sorted; categories nominal, their order kept; dates are dates, to the millisecond, those without a time zone
        read as UTC.

    Returns
    -------
    Column
        Cost: linear; objects take about a hundred times as long as numbers.

    Raises
    ------
    OptionError
        The column holds other objects, mixes kinds, or cannot be converted to the wanted kind.
    """
    readers = {"pandas": _of_pandas, "polars": _of_polars, "pyarrow": _of_arrow}
    read: Callable[[Any, str, Wanted], Column] = readers.get(library(raw), _of_array)
    column = read(raw, name, wanted)
    if wanted == "nominal" and column.kind == "date":
        column = _of_texts(*_written_dates(column), name, wanted)
    if wanted == "date" and np.isnan(column.cells).all():
        return Column("date", (), column.cells)
    if wanted is not None and wanted != column.kind:
        raise ColumnError(name, f": expected {_PLURAL[wanted]}, got {_PLURAL[column.kind]}; convert it first")
    return column


_PLURAL = {"numeric": "numbers", "nominal": "texts or categories", "date": "dates"}


# -- by library ------------------------------------------------------------------------------------------------------


def _of_pandas(series: Any, name: str, wanted: Wanted) -> Column:
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _of_codes(series.cat.categories.tolist(), series.cat.codes.to_numpy(), name, wanted)
    if isinstance(dtype, pd.SparseDtype):
        return _of_pandas(series.sparse.to_dense(), name, wanted)
    if isinstance(dtype, np.dtype):
        return _of_array(series.to_numpy(), name, wanted)
    if isinstance(dtype, pd.DatetimeTZDtype):
        return _of_dates(series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy(), is_local=False)
    if isinstance(dtype, pd.StringDtype) or dtype.kind == "U":
        codes, values = pd.factorize(series)
        return _of_texts(values.tolist(), codes, name, wanted)
    if dtype.kind == "M":
        import pyarrow as pa

        array = pa.array(series.array)
        return _of_dates(_arrow_instants(array), is_local=getattr(array.type, "tz", None) is None)
    array = series.array
    missing = np.asarray(array.isna())
    if dtype.kind in "iuf":
        filled = array.to_numpy(dtype=dtype.numpy_dtype, na_value=0)
        return _of_numbers(filled, missing, name, wanted)
    if dtype.kind == "b":
        return _of_booleans(array.to_numpy(dtype=bool, na_value=False), missing, wanted)
    return _of_array(series.to_numpy(dtype=object), name, wanted)


def _arrow_instants(dates: Any) -> NDArray[np.datetime64]:
    """The dates of an array of pyarrow."""
    import pyarrow as pa

    if pa.types.is_date(dates.type):
        dates = dates.cast(pa.timestamp("ms"))
    instants = dates.cast(pa.int64()).fill_null(0).to_numpy().astype(f"datetime64[{dates.type.unit}]")
    instants[dates.is_null().to_numpy(zero_copy_only=False)] = np.datetime64("NaT", dates.type.unit)
    return instants


def _of_arrow(chunks: Any, name: str, wanted: Wanted) -> Column:
    import pyarrow as pa

    array = chunks.unify_dictionaries().combine_chunks()
    types, kind = pa.types, array.type
    if types.is_dictionary(kind):
        codes = array.indices.cast(pa.int64()).fill_null(-1).to_numpy()
        return _of_codes(array.dictionary.to_pylist(), codes, name, wanted)
    missing = array.is_null().to_numpy(zero_copy_only=False)
    if types.is_integer(kind) or types.is_floating(kind):
        filled = array if not array.null_count else array.fill_null(pa.scalar(0, pa.int8()).cast(kind))
        return _of_numbers(filled.to_numpy(), missing if array.null_count else None, name, wanted)
    if types.is_boolean(kind):
        return _of_booleans(array.fill_null(False).to_numpy(zero_copy_only=False), missing, wanted)
    if types.is_date(kind) or types.is_timestamp(kind):
        return _of_dates(_arrow_instants(array), is_local=getattr(kind, "tz", None) is None)
    if types.is_string(kind) or types.is_large_string(kind) or str(kind) == "string_view":
        texts = array.cast(pa.large_string()).dictionary_encode()
        codes = texts.indices.cast(pa.int64()).fill_null(-1).to_numpy()
        return _of_texts(texts.dictionary.to_pylist(), codes, name, wanted)
    if types.is_decimal(kind) or types.is_null(kind):
        objects = np.empty(len(array), dtype=object)
        objects[:] = array.to_pylist()
        return _of_objects(objects, name, wanted)
    raise unsupported_kind(name, str(kind))


def _of_polars(series: Any, name: str, wanted: Wanted) -> Column:
    import polars as pl

    dtype = series.dtype
    if dtype == pl.Decimal or dtype in (pl.Int128, pl.Null):
        return _of_objects(np.array(series.to_list(), dtype=object), name, wanted)
    if dtype.is_numeric():
        return _of_numbers(series.fill_null(0).to_numpy(), series.is_null().to_numpy(), name, wanted)
    if dtype == pl.Boolean:
        return _of_booleans(series.fill_null(False).to_numpy(), series.is_null().to_numpy(), wanted)
    if dtype == pl.Enum:
        return _of_codes(dtype.categories.to_list(), _physical(series, pl), name, wanted)
    # The codes of a Categorical depend on what else the process has read; an Enum declares an order.
    if dtype in (pl.String, pl.Categorical):
        texts = series.cast(pl.String)
        values = texts.drop_nulls().unique().sort()
        return _of_texts(values.to_list(), _physical(texts.cast(pl.Enum(values)), pl), name, wanted)
    if dtype in (pl.Date, pl.Datetime):
        unit = "D" if dtype == pl.Date else dtype.time_unit
        dates = series.to_physical().cast(pl.Int64).fill_null(0).to_numpy().astype(f"datetime64[{unit}]")
        dates[series.is_null().to_numpy()] = np.datetime64("NaT", "ns")
        return _of_dates(dates, is_local=getattr(dtype, "time_zone", None) is None)
    raise unsupported_kind(name, str(dtype))


def _physical(series: Any, pl: Any) -> NDArray[np.int64]:
    """The codes of an Enum column, −1 for null."""
    return series.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()


def _of_array(array: NDArray[Any], name: str, wanted: Wanted) -> Column:
    kind = array.dtype.kind
    if kind in "iuf":
        return _of_numbers(array, None, name, wanted)
    if kind == "b":
        return _of_booleans(array, None, wanted)
    if kind == "M":
        return _of_dates(array, is_local=True)
    if kind == "U":
        values, codes = np.unique(array, return_inverse=True)
        return _of_texts(values.tolist(), codes, name, wanted)
    if kind in "OT":
        return _of_objects(array.astype(object), name, wanted)
    raise unsupported_kind(name, str(array.dtype))


def _of_objects(objects: NDArray[Any], name: str, wanted: Wanted) -> Column:
    """A column of Python objects, of which all that are not missing must be numbers, texts, booleans or dates."""
    cells = objects.tolist()
    families_by_type = {kind: family_of(kind) for kind in set(map(type, cells))}
    families = [families_by_type[type(cell)] for cell in cells]
    for row, family in enumerate(families):
        if family == "other":
            raise unsupported_kind(name, type(cells[row]).__name__, row)
        if family in ("numbers", "dates") and cells[row] != cells[row]:  # NaN, or numpy's NaT
            families[row] = "missing"
    known = [row for row, family in enumerate(families) if family != "missing"]
    is_missing = np.array([family == "missing" for family in families], dtype=bool)
    first_rows = {families[row]: row for row in reversed(known)}
    if len(first_rows) > 1 and (wanted is None or ("dates" in first_rows and wanted != "nominal")):
        (one, first), (other, second) = sorted(first_rows.items(), key=lambda item: item[1])[:2]
        are_numbers = all(is_number(value_text(cells[row])) for row in known)
        as_numbers = (", or as numbers, ", Setting("numeric", (shown(name),))) if are_numbers else ()
        raise CellError(
            name, second, f"expected {one}, such as {shown(value_text(cells[first]))}, as in the rows above, got the "
            f"{other.removesuffix('s')} {quoted(value_text(cells[second]))}; correct it, or read the column as text, ",
            Setting("nominal", (shown(name),)), *as_numbers,
        )  # fmt: skip
    if not first_rows:
        return Column(wanted or "numeric", (), np.full(len(cells), np.nan))
    if len(first_rows) > 1 or "texts" in first_rows:
        texts = [value_text(cells[row]) for row in known]
        return _of_texts(*_factorized(texts, known, len(cells)), name, wanted)
    if "dates" in first_rows:
        is_local = getattr(cells[first_rows["dates"]], "tzinfo", None) is None
        return _of_dates(np.array(to_instants(cells, known, name), dtype=MILLISECOND), is_local=is_local)
    if "booleans" in first_rows:
        filled = np.zeros(len(cells), dtype=bool)
        filled[known] = [bool(cells[row]) for row in known]
        return _of_booleans(filled, is_missing, wanted)
    if wanted == "nominal":
        exact = [int(each) if isinstance(each, numbers.Integral) else float(each) + 0 for each in objects[known]]
        return _of_codes(*_factorized(exact, known, len(cells)), name, wanted)
    numeric = np.zeros(len(cells))
    try:
        numeric[known] = [float(cells[row]) for row in known]
    except OverflowError:
        as_text = Setting("nominal", (shown(name),)), " reads it as text"
        raise ColumnError(name, " holds a number too large for float64; ", *as_text) from None
    whole = [cells[row] for row in known if isinstance(cells[row], numbers.Integral)]
    are_seen = any(abs(cell) > LARGEST_EXACT for cell in whole)
    _note_rounded(name, are_seen or may_be_rounded(numeric[known], LARGEST_EXACT + 2))  # a sheet holds them as floats
    return _of_numbers(numeric, is_missing, name, wanted)


def _factorized(known: Sequence[Any], rows: Sequence[int], n_rows: int) -> tuple[list[Any], NDArray[np.intp]]:
    """The distinct values of the known cells, sorted, and the place of each row's, −1 for a missing one."""
    values = sorted(set(known))
    place = {value: code for code, value in enumerate(values)}
    codes = np.full(n_rows, -1)
    codes[rows] = [place[value] for value in known]
    return values, codes


# -- by content ------------------------------------------------------------------------------------------------------


def _of_numbers(array: NDArray[Any], missing: NDArray[np.bool_] | None, name: str, wanted: Wanted) -> Column:
    if wanted == "nominal":
        known = ~np.isnan(array) if missing is None else ~(missing | np.isnan(array))
        distinct, inverse = np.unique(array[known] + 0, return_inverse=True)  # -0.0 + 0 is 0.0
        codes = np.full(len(array), -1)
        codes[known] = inverse
        is_float = array.dtype.kind == "f"
        values = [*map(float, map(str, distinct))] if is_float else distinct.tolist()  # the float32 0.1 is 0.1 in CSV
        return _of_codes(values, codes, name, wanted)
    if array.dtype.itemsize == 8 and array.dtype.kind in "iu" and array.size:
        _note_rounded(name, array.max() > LARGEST_EXACT or array.min() < -LARGEST_EXACT)
    cells = array.astype(np.float64, copy=missing is not None)
    if missing is not None:
        cells[missing] = np.nan
    return Column("numeric", (), cells)


def _note_rounded(name: str, is_rounded: object) -> None:
    if is_rounded:
        tell(
            f"column {quoted(name)} holds integers beyond 2**53, which float64 rounds; leave it out if it is an "
            "identifier, or read it as text: ",
            Setting("nominal", (shown(name),)),
        )


def may_be_rounded(array: NDArray[np.float64], smallest: int = LARGEST_EXACT) -> bool:
    """Whether floats may be rounded integers of 64 bits: all are whole, and one has at least the size ``smallest``."""
    known = array[np.isfinite(array)]
    sizes = np.abs(known)
    return bool(((sizes >= smallest) & (sizes <= 2.0**64)).any() and (known % 1 == 0).all())


def _of_booleans(array: NDArray[np.bool_], missing: NDArray[np.bool_] | None, wanted: Wanted) -> Column:
    cells = array.astype(np.float64)
    if missing is not None:
        cells[missing] = np.nan
    return Column("numeric", (), cells) if wanted == "numeric" else Column("nominal", BOOLEANS, cells)


def _of_dates(array: NDArray[np.datetime64], *, is_local: bool) -> Column:
    cells = array.astype(MILLISECOND).astype(np.int64).astype(np.float64)
    cells[np.isnat(array)] = np.nan
    return Column("date", (), cells, is_local=is_local)


def _written_dates(column: Column) -> tuple[list[str], NDArray[np.intp]]:
    """The dates of a column as pandas writes them into CSV, and the place of each cell's; −1: it is missing."""
    known = ~np.isnan(column.cells)
    distinct, codes = np.unique(column.cells[known].astype(np.int64).astype(MILLISECOND), return_inverse=True)
    units: tuple[Literal["D", "s", "ms"], ...] = ("D", "s", "ms") if column.is_local else ("s", "ms")
    unit = next(unit for unit in units if (distinct == distinct.astype(f"datetime64[{unit}]")).all())
    texts = np.datetime_as_string(distinct, unit)
    places = np.full(len(known), -1, dtype=np.intp)
    places[known] = codes
    zone = "" if column.is_local else "+00:00"
    return [text.replace("T", " ") + zone for text in texts.tolist()], places


def _of_texts(values: Sequence[str], codes: NDArray[Any], name: str, wanted: Wanted) -> Column:
    """A column of texts, whose distinct values are sorted; values that are all numbers are sorted as numbers."""
    order = sorted(range(len(values)), key=values.__getitem__)
    if wanted == "nominal" and all(map(is_number, values)):
        order.sort(key=lambda place: float(values[place]))
    rank = np.empty(len(values) + 1, dtype=np.int64)
    rank[order], rank[-1] = np.arange(len(values)), -1
    return _of_codes([values[place] for place in order], rank[codes], name, wanted)


def _of_codes(values: Sequence[Any], codes: NDArray[Any], name: str, wanted: Wanted) -> Column:
    """A column of categories in their order; code −1 is missing."""
    texts = tuple(map(value_text, values))
    if wanted == "numeric":
        return Column("numeric", (), to_numbers(texts, codes, name))
    if len(set(texts)) < len(texts):
        repeated = next(text for place, text in enumerate(texts) if text in texts[:place])
        raise ColumnError(name, f": two of its categories are written {quoted(repeated)}; rename one of them")
    cells = codes.astype(np.float64)
    cells[codes < 0] = np.nan
    return Column("nominal", texts, cells, tuple(map(csv_text, values)))
