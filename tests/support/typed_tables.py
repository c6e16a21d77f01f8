"""Tables of any types, with cells that SQLite and DuckDB keep in their own ways, and what the model reads in them."""

from __future__ import annotations

import datetime
import math
import sqlite3
from collections.abc import Callable
from contextlib import closing
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from wekaconf.data import DATE_FORMAT, Attribute, is_number
from wekaconf.model.export import _standalone as standalone
from wekaconf.model.export._exported_model import ExportedModel
from wekaconf.model.export._exported_parts import CellsTerm, SumSide

VALUES = (
    ("a", "b", "c"), ("a", "A"), ("true", "false"), ("FALSE", "TRUE"), ("False", "True", "unknown"), ("0", "1"),
    ("0.0", "1.0"), ("1", "01", "2"), ("1", "1.0", "2.5"), ("1", "true"), ("NA", "?", "nan"), ("", "x"),
    ("a", "a ", "b"), ("1e5", "-0", "0.3"), ("inf", "-Infinity", "7"), ("2024-01-01", "2024-02-01"), ("-1", "+1"),
    ("it's", '"', "\\"), ("é", "É"), ("12345678901234567", "12345678901234568"), ("0.30000000000000004", "0.3"),
    ("10", "9"),
)  # fmt: skip
"""Declared values of nominal columns."""
CELLS = (
    "a", "A", "b", " a", "c ", "true", "TRUE", "False", " false ", "0", "1", "1.0", "01", "+1", "1e0", "1.", "0.0",
    "-0.0", "2.5", "2.50", "NA", "?", "nan", "", " ", "x", "100000", "1e5", "+1E+05", "0.3", "0.30", "inf", "-inf",
    "1e400", "7.0", "2024-01-01", "é", "É", "12345678901234567", "12345678901234568", "0.30000000000000004", "1_0",
    "0x1", "1 0", "--1", "1-", "1e", "e1", ".", "1.2.3", "1e+-5", "2,26", "١", "never seen", "10", "9.0", "-1.0",
)  # fmt: skip
"""Texts in columns of any kind."""
NUMBERS = (
    0,
    1,
    2,
    7,
    -1,
    10,
    0.0,
    -0.0,
    1.0,
    2.5,
    0.3,
    0.1 + 0.2,
    1e5,
    100_000,
    9,
    math.inf,
    -math.inf,
    12345678901234567,
)
"""Numbers in columns of any kind."""
UNREAD = object()
"""Stands for what the model refuses."""


class Column(NamedTuple):
    """A column of a table.

    Parameters
    ----------
    name, type : str
        As the table declares them.
    cells : list
        As they are stored.
    read : list
        What the model reads in each: a number, NaN for a missing one, or UNREAD.
    """

    name: str
    type: str
    cells: list[Any]
    read: list[Any]


N_ROWS = 60
"""Cells of a column."""


def column_of(rng: Generator, engine: str, attribute: Attribute, tree: ExportedModel) -> Column:
    """A column of a type that the engine has, with cells that the type holds."""
    # Cells mean what their texts do: true is no number, and 1.00 is 1 as well as 1.0.
    left_out = "DECIMAL(12, 2)" if {"1", "1.0"} <= {*attribute.values} else "" if attribute.is_nominal else "BOOLEAN"
    kinds = {name: holds for name, holds in TYPES[engine].items() if name != left_out}
    kind = [*kinds][rng.integers(len(kinds))]
    pool = [cell for cell in pool_of(rng, attribute, tree) if kinds[kind](cell)]
    pool = [*pool, *((None,) * (1 + len(pool) // 8))]
    cells = [as_stored(engine, kind, pool[place]) for place in rng.integers(len(pool), size=N_ROWS)]
    return Column(attribute.name, kind, cells, [read_as(attribute, cell) for cell in cells])


def pool_of(rng: Generator, attribute: Attribute, tree: ExportedModel) -> list[Any]:
    """Cells that a column of an attribute may hold."""
    if attribute.is_nominal:
        return [*attribute.values * 4, *CELLS, *NUMBERS, True, False, Decimal("1.0"), Decimal("2.50")]
    points = [0.0]
    for split in tree.nodes:
        if split is not None and tree.columns[split.column] == attribute:
            points += [split.point, *split.points]
    for term in (term for side in tree.sides if isinstance(side, SumSide) for term in side.terms):
        if isinstance(term, CellsTerm) and tree.columns[term.column] == attribute:
            points += term.ends or ()
    near = [beside for point in points if math.isfinite(point)
            for beside in (point, np.nextafter(point, -math.inf), np.nextafter(point, math.inf))]  # fmt: skip
    texts = [f" {each!r}" for each in near] + [f"{each:+.3e}" for each in near]
    numbers = [float(each) for each in (*near, *rng.normal(size=8).round(1), math.inf, -math.inf, 1e308)]
    bad = [str(text) for text in rng.choice(CELLS, size=int(rng.integers(2)))]
    pool: list[Any] = [*numbers * 2, *texts, *bad, 0, 1, -1, True, False, Decimal("0.5"), "NA", "nan", ""]
    if attribute.kind == "date":
        epoch = datetime.datetime(1970, 1, 1)
        dates = [epoch + datetime.timedelta(milliseconds=float(n)) for n in rng.integers(-(10**12), 2 * 10**12, size=6)]
        dates += [
            datetime.datetime(2024, 2, 29),
            datetime.datetime(1900, 3, 1),
            datetime.datetime(9999, 12, 31, 23, 59),
        ]
        texts = [str(date) for date in dates] + [date.isoformat("T", "milliseconds") + "+05:30" for date in dates]
        texts += [f"{date:%Y-%m-%d}" for date in dates] + [
            f"{dates[0]:%Y-%m-%d %H:%M}Z",
            f"{dates[1]:%Y-%m-%dT%H:%M}-03",
        ]
        pool += [*dates, *(date.date() for date in dates), *texts]
        pool += [str(rng.choice(["2023-02-29", "2024-13-01", "2024-01-01 24:00", "31.12.2024", "2024-1-1"]))]
    return pool


def _is_single(cell: float) -> bool:
    """Whether a number is one of single precision."""
    with np.errstate(over="ignore"):
        return float(np.float32(cell)) == cell


def _is_exact(cell: object) -> bool:
    return type(cell) in (int, float) and math.isfinite(float(cell)) and abs(cell) < 1e6 and round(cell, 2) == cell  # type: ignore[arg-type, operator, call-overload]


TYPES: dict[str, dict[str, Callable[[Any], bool]]] = {
    "sqlite": {
        "TEXT": lambda cell: isinstance(cell, str),
        "DOUBLE": lambda cell: type(cell) in (int, float, bool, str),
        "INTEGER": lambda cell: type(cell) in (int, bool),
        "": lambda cell: type(cell) in (int, float, bool, str),
        "TEXT COLLATE NOCASE": lambda cell: isinstance(cell, str),
    },
    "duckdb": {
        "VARCHAR": lambda cell: isinstance(cell, str),
        "DOUBLE": lambda cell: type(cell) in (int, float),
        "FLOAT": lambda cell: type(cell) in (int, float) and _is_single(cell),
        "BIGINT": lambda cell: type(cell) is int,
        "TINYINT": lambda cell: type(cell) is int and abs(cell) < 100,
        "DECIMAL(12, 2)": lambda cell: isinstance(cell, Decimal) or _is_exact(cell),
        "BOOLEAN": lambda cell: isinstance(cell, bool),
        "TIMESTAMP": lambda cell: isinstance(cell, datetime.datetime),
        "DATE": lambda cell: type(cell) is datetime.date,
        "VARCHAR COLLATE NOCASE": lambda cell: isinstance(cell, str),
    },
}
"""The types of columns of each engine, and whether they hold a cell."""
ENGINES = tuple(TYPES)


def as_stored(engine: str, kind: str, cell: Any) -> Any:
    """What a column of a type makes of a cell: the affinities of SQLite, and the widths of DuckDB."""
    if cell is None:
        return None
    if engine == "sqlite":
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute(f"CREATE TABLE t (x {kind})")
            connection.execute("INSERT INTO t VALUES (?)", (cell,))
            return connection.execute("SELECT x FROM t").fetchone()[0]
    if kind in ("DOUBLE", "FLOAT", "DECIMAL(12, 2)"):
        return float(cell)
    return int(cell) if kind in ("BIGINT", "TINYINT") else cell


def read_as(attribute: Attribute, cell: Any) -> Any:
    """What the model reads, by the rule of its own or, for numbers and dates, by that of the documents."""
    if attribute.is_nominal:
        try:
            place = standalone.place_of(attribute.values, cell) if cell is not None else None
        except ValueError:
            return UNREAD
        return math.nan if place is None else float(place)
    if cell is None or (isinstance(cell, str) and cell.strip() in standalone.MISSING):
        return math.nan
    if attribute.kind == "date" and isinstance(cell, str | datetime.date):
        return instant(cell) if not isinstance(cell, str) or attribute.date_format == DATE_FORMAT else UNREAD
    return float(cell) if not isinstance(cell, str) or is_number(cell) else UNREAD


def instant(cell: Any) -> Any:
    """The milliseconds of a date, as pandas reads it."""
    import pandas as pd

    if isinstance(cell, str) and len(cell.strip()) < 10:
        return UNREAD
    read = pd.to_datetime(pd.Series([cell], dtype=object), utc=True, format="ISO8601", errors="coerce")[0]
    return UNREAD if read is pd.NaT else float(read.asm8.astype("datetime64[ms]").astype(np.int64))
