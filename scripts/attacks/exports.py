"""Exported queries and modules on tables of any names, types and cells: each row is answered as the model answers it.

SQLite and DuckDB run the query, Python runs the code of the module. A row with a cell that the model refuses is not
answered by the query, and is an error of the module.
"""

from __future__ import annotations

import datetime
import json
import math
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from support.export_cases import BY_LEAF
from support.random_trees import made, random_dataset, random_tree

import wekaconf as wc
from attacks import Tried
from wekaconf.base.errors import HeaderMismatchError, OptionError
from wekaconf.data.columns import DATE_FORMAT
from wekaconf.data.frames import values_like
from wekaconf.data.header import Attribute, Header
from wekaconf.evaluation.aim import Aim
from wekaconf.evaluation.thresholds import choose
from wekaconf.methods.contract.answer import Answer
from wekaconf.model.export import standalone
from wekaconf.model.export.exported_tree import ExportedTree, exported_tree
from wekaconf.model.export.json_record import json_text
from wekaconf.model.export.sql_query import TABLE, sql_text
from wekaconf.model.fitted import Model
from wekaconf.tree.kinds import Routing

NAMES = (
    "instance", "class", "certainty", "p0", "p1", "predicted", "rejected", "distribution_a", "node", "share", "text0",
    "number0", "meant0", "c0", "input", "cells", "whole", "part", "leaf", "branch", "proba", "best", "answered", "a", "b",
    "p", "l", "w", "wekaconf_rows", "wekaconf_input", "wekaconf_instance", "wekaconf_predicted", "wekaconf2_instance",
    "instances", "select", "order", "rowid", "oid", "typeof", "most", "is_refused", "t", "x y", 'q"q', "it's", "[x]", "`x`",
    "é", "名", "1", "1.5", "?", "a.b", "*", "--", ";", "/*", "%", "\\", "'", "x\ny", "null", "true", "column1",
)  # fmt: skip
"""Names of columns: those of the query itself, words of SQL, and hostile ones."""
VALUES = (
    ("a", "b", "c"), ("a", "A"), ("true", "false"), ("FALSE", "TRUE"), ("False", "True", "unknown"), ("0", "1"),
    ("0.0", "1.0"), ("1", "01", "2"), ("1", "1.0", "2.5"), ("1", "true"), ("NA", "?", "nan"), ("", "x"), ("a", "a ", "b"),
    ("1e5", "-0", "0.3"), ("inf", "-Infinity", "7"), ("2024-01-01", "2024-02-01"), ("it's", '"', "\\"), ("é", "É"),
    ("12345678901234567", "12345678901234568"), ("0.30000000000000004", "0.3"), ("10", "9"), ("-1", "+1"),
)  # fmt: skip
"""Declared values of nominal columns."""
CELLS = (
    "a", "A", "b", " a", "c ", "true", "TRUE", "False", " false ", "0", "1", "1.0", "01", "+1", "1e0", "1.", "0.0", "-0.0",
    "2.5", "2.50", "NA", "?", "nan", "", " ", "x", "100000", "1e5", "+1E+05", "0.3", "0.30", "inf", "-inf", "1e400", "7.0",
    "2024-01-01", "é", "É", "12345678901234567", "12345678901234568", "0.30000000000000004", "1_0", "0x1", "1 0", "--1",
    "1-", "1e", "e1", ".", "1.2.3", "1e+-5", "2,26", "١", "never seen", "10", "9.0", "-1.0",
)  # fmt: skip
"""Texts in columns of any kind."""
NUMBERS = (0, 1, 2, 7, -1, 10, 0.0, -0.0, 1.0, 2.5, 0.3, 0.1 + 0.2, 1e5, 100_000, 9, math.inf, -math.inf, 12345678901234567)
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


def draw(seed: int, tried: Tried) -> Iterator[str]:
    """Export one model, and ask about one table per engine."""
    rng = np.random.default_rng(seed)
    model = random_model(rng)
    try:
        tree = exported_tree(model)
        query = sql_text(tree)
    except OptionError as error:
        tried["refused", "models"] += 1
        if "by case only" not in str(error) and "of the name 'true'" not in str(error):
            yield f"refused: {error}"
        return
    record = json.loads(json_text(tree))
    for engine in ENGINES:
        columns = [column_of(rng, engine, each, tree, tried) for each in model.header.attributes]
        columns = [column for i, column in enumerate(columns) if i != model.header.class_index or rng.random() < 0.5]
        columns = [*{each.name.lower(): each for each in columns}.values()]
        more = [Column(name, "VARCHAR", ["kept"] * N_ROWS, []) for name in extra_names(rng, columns, model.header)]
        table = [(columns + more)[place] for place in rng.permutation(len(columns + more))]
        is_read, answer, data = expected(model, tree, columns)
        tried["rows", engine] += N_ROWS
        tried["rows that are not answered", engine] += int((~is_read).sum())
        for fault in unlike(answered_by(engine, query, tree, table), tree, is_read, answer, data):
            yield f"{engine}: {fault} of {[(each.name, each.type) for each in table]}"
        for fault in unlike(answered_by_module(record, columns), tree, is_read, answer, data):
            yield f"Python: {fault}"
        yield from unlike_the_door(model.header, columns)


N_ROWS = 60


def random_model(rng: Generator) -> Model:
    """A model of hostile names and values, some with a threshold that equals a certainty, or lies beside one."""
    names = [str(name) for name in rng.choice(NAMES, size=rng.integers(2, 6), replace=False)]
    if rng.random() < 0.1 and names[0] != names[0].upper():
        names[-1] = names[0].upper()
    attributes = [random_attribute(rng, name) for name in names]
    classes = ("a", "A", "b")[: rng.integers(2, 4)] if rng.random() < 0.3 else ("yes", "it's", "x\n")
    place = int(rng.integers(len(attributes) + 1))
    free = [name for name in NAMES if name.lower() not in {known.lower() for known in names}]
    attributes.insert(place, Attribute(str(rng.choice(free)), "nominal", classes))
    header = Header("r", tuple(attributes), place)
    train = random_dataset(rng, header, 120, 0.1, weights=bool(rng.random() < 0.5))
    routing = list(Routing)[rng.integers(len(Routing))]
    tree = random_tree(rng, train, max_depth=int(rng.integers(5)), routing=routing, subsets=bool(rng.random() < 0.5))
    model = Model(made(str(rng.choice(BY_LEAF))).fit(tree, train))
    if rng.random() < 0.3:
        return model
    certainty = float(rng.choice(model.certainty(train.take(slice(0, 40)))))
    below = (certainty, np.nextafter(certainty, 2), np.nextafter(certainty, 0), math.inf)[rng.integers(4)]
    return replace(model, choice=choose(Aim("below", float(below)), [], []))


def random_attribute(rng: Generator, name: str) -> Attribute:
    """An attribute of any kind that a tree tests."""
    kind = rng.choice(["numeric", "nominal", "nominal", "date"])
    if kind == "nominal":
        return Attribute(name, "nominal", VALUES[rng.integers(len(VALUES))])
    form = (DATE_FORMAT if rng.random() < 0.7 else "dd.MM.yyyy") if kind == "date" else ""
    return Attribute(name, str(kind), (), form)  # type: ignore[arg-type]


def extra_names(rng: Generator, columns: Sequence[Column], header: Header) -> list[str]:
    """Names of columns that the training data did not have."""
    taken = {name.lower() for name in (*(column.name for column in columns), *(each.name for each in header.attributes))}
    free = [name for name in NAMES if name.lower() not in taken]
    return [str(name) for name in rng.choice(free, size=rng.integers(4), replace=False)]


# ---- tables --------------------------------------------------------------------------------------------------------


def column_of(rng: Generator, engine: str, attribute: Attribute, tree: ExportedTree, tried: Tried) -> Column:
    """A column of a type that the engine has, with cells that the type holds."""
    kinds = TYPES[engine]
    kind = [*kinds][rng.integers(len(kinds))]
    pool = [cell for cell in pool_of(rng, attribute, tree) if kinds[kind](cell)]
    pool = [*pool, *((None,) * (1 + len(pool) // 8))]
    cells = [as_stored(engine, kind, pool[place]) for place in rng.integers(len(pool), size=N_ROWS)]
    tried[f"columns of {engine}", f"{attribute.kind} as {kind or 'any'}"] += 1
    return Column(attribute.name, kind, cells, [read_as(attribute, cell) for cell in cells])


def pool_of(rng: Generator, attribute: Attribute, tree: ExportedTree) -> list[Any]:
    """Cells that a column of an attribute may hold."""
    if attribute.is_nominal:
        return [*attribute.values * 4, *CELLS, *NUMBERS, True, False, Decimal("1.0"), Decimal("2.50")]
    points = [0.0]
    for node in tree.nodes:
        if node.split is not None and tree.columns[node.split.column] == attribute:
            points += [node.split.point, *node.split.points]
    near = [beside for point in points if math.isfinite(point)
            for beside in (point, np.nextafter(point, -math.inf), np.nextafter(point, math.inf))]  # fmt: skip
    texts = [f" {each!r}" for each in near] + [f"{each:+.3e}" for each in near]
    numbers = [float(each) for each in (*near, *rng.normal(size=8).round(1), math.inf, -math.inf, 1e308)]
    bad = [str(text) for text in rng.choice(CELLS, size=int(rng.integers(2)))]
    pool: list[Any] = [*numbers * 2, *texts, *bad, 0, 1, -1, True, False, Decimal("0.5"), "NA", "nan", ""]
    if attribute.kind == "date":
        epoch = datetime.datetime(1970, 1, 1)
        dates = [epoch + datetime.timedelta(milliseconds=float(n)) for n in rng.integers(-(10**12), 2 * 10**12, size=6)]
        dates += [datetime.datetime(2024, 2, 29), datetime.datetime(1900, 3, 1), datetime.datetime(9999, 12, 31, 23, 59)]
        texts = [str(date) for date in dates] + [date.isoformat("T", "milliseconds") + "+05:30" for date in dates]
        texts += [f"{date:%Y-%m-%d}" for date in dates] + [f"{dates[0]:%Y-%m-%d %H:%M}Z", f"{dates[1]:%Y-%m-%dT%H:%M}-03"]
        pool += [*dates, *(date.date() for date in dates), *texts]
        pool += [str(rng.choice(["2023-02-29", "2024-13-01", "2024-01-01 24:00", "31.12.2024", "2024-1-1"]))]
    return pool


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
        "FLOAT": lambda cell: type(cell) in (int, float) and float(np.float32(cell)) == cell,
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
    return float(cell) if not isinstance(cell, str) or wc.data.cells.is_number(cell) else UNREAD


def instant(cell: Any) -> Any:
    """The milliseconds of a date, as pandas reads it."""
    import pandas as pd

    if isinstance(cell, str) and len(cell.strip()) < 10:
        return UNREAD
    read = pd.to_datetime(pd.Series([cell], dtype=object), utc=True, format="ISO8601", errors="coerce")[0]
    return UNREAD if read is pd.NaT else float(read.asm8.astype("datetime64[ms]").astype(np.int64))


# ---- answers -------------------------------------------------------------------------------------------------------


def expected(model: Model, tree: ExportedTree, columns: Sequence[Column]) -> tuple[Any, Answer, wc.Dataset]:
    """Which rows are answered, what the model answers, and the data."""
    header = model.header
    values, is_read = np.full((N_ROWS, len(header.attributes)), np.nan), np.ones(N_ROWS, dtype=np.bool_)
    places = {attribute.name: place for place, attribute in enumerate(header.attributes)}
    tested = {attribute.name for attribute in tree.columns}
    for column in columns:
        if places[column.name] == header.class_index:
            continue
        refused = np.array([cell is UNREAD for cell in column.read])
        is_read &= ~refused | (column.name not in tested)
        values[:, places[column.name]] = [math.nan if cell is UNREAD else cell for cell in column.read]
    data = wc.Dataset(header, values)
    return is_read, model.answer(data), data


def unlike(
    rows: list[dict[str, Any] | str], tree: ExportedTree, is_read: Any, answer: Answer, data: wc.Dataset
) -> Iterator[str]:
    """The rows whose answers differ."""
    thresholds = None if tree.thresholds is None else np.array(tree.thresholds)
    rejected = None if thresholds is None else answer.rejected(thresholds)
    has_missing = np.isnan(np.delete(data.values, data.class_index, axis=1)).any(axis=1)
    for i, row in enumerate(rows):
        if isinstance(row, str):
            yield row
            return
        if not is_read[i]:
            if row["predicted"] is not None or row["certainty"] is not None or row["rejected"] is False:
                yield f"row {i + 1} is answered, {row}"
            continue
        certainty, name = answer.certainty[i], tree.class_names[answer.predicted[i]]
        proba = [*row["distribution"].values()]
        same = row["predicted"] == name and math.isclose(row["certainty"], certainty, rel_tol=0, abs_tol=1e-12)
        if not same or not np.allclose(proba, answer.proba[i], rtol=0, atol=1e-12):
            yield f"row {i + 1}: {row}, the model {name} {answer.proba[i].tolist()} for {data.values[i].tolist()}"
        elif rejected is not None and thresholds is not None and row["rejected"] is not bool(rejected[i]):
            if not (has_missing[i] and abs(certainty - thresholds[answer.predicted[i]]) <= 1e-12):
                yield f"row {i + 1}: rejected {row['rejected']}, certainty {certainty!r}, thresholds {thresholds!r}"


def answered_by(engine: str, query: str, tree: ExportedTree, table: Sequence[Column]) -> list[dict[str, Any] | str]:
    """What an engine answers for a table; texts are faults."""
    if engine == "sqlite":
        connection: Any = sqlite3.connect(":memory:")
    else:
        import duckdb

        connection = duckdb.connect()
    with closing(connection):
        declared = ", ".join('"{}" {}'.format(each.name.replace('"', '""'), each.type) for each in table)
        connection.execute(f"CREATE TABLE {TABLE} ({declared})")
        rows = [list(row) for row in zip(*(each.cells for each in table), strict=True)]
        connection.executemany(f"INSERT INTO {TABLE} VALUES ({', '.join('?' * len(table))})", rows)
        given = connection.execute(f"SELECT * FROM {TABLE}").fetchall()
        found = connection.execute(query)
        names = [each[0].lower() for each in found.description]
        answers = found.fetchall()
    if len(set(names)) < len(names) and not any(each.name.lower().startswith("wekaconf") for each in table):
        return [f"columns {names}"]
    result: list[dict[str, Any] | str] = []
    for i, (number, *row) in enumerate(answers):
        before, (predicted, certainty, *rest) = row[: len(table)], row[len(table) :]
        if number != i + 1 or repr(tuple(before)) != repr(tuple(given[i])):
            return [f"row {i + 1}: the table's cells are {before}, not {given[i]}"]
        rejected = bool(rest.pop(0)) if tree.thresholds is not None else None
        distribution = dict(zip(tree.class_names, rest, strict=True))
        result.append(dict(predicted=predicted, certainty=certainty, rejected=rejected, distribution=distribution))
    return result if len(result) == len(rows) else [f"{len(result)} rows of {len(rows)}"]


def answered_by_module(record: dict[str, Any], columns: Sequence[Column]) -> list[dict[str, Any] | str]:
    """What the code of an exported module answers."""
    result: list[dict[str, Any] | str] = []
    for cells in zip(*(column.cells for column in columns), strict=True):
        try:
            result.append(standalone.answer_of(record, dict(zip([each.name for each in columns], cells, strict=True))))
        except ValueError:
            result.append({"predicted": None, "certainty": None, "rejected": None, "distribution": {}})
    return result


def unlike_the_door(header: Header, columns: Sequence[Column]) -> Iterator[str]:
    """Where the reader of tables reads other nominal values and numbers than were expected of it."""
    import pandas as pd

    for column in columns:
        attribute = next(each for each in header.attributes if each.name == column.name)
        if attribute.kind == "date" or attribute.name == header.class_attribute.name:
            continue
        for cell, read in {repr(cell): (cell, read) for cell, read in zip(column.cells, column.read, strict=True)}.values():
            if cell is None or (not attribute.is_nominal and isinstance(cell, str) and read != read):
                continue
            alone = Header("r", (attribute,), -1)
            try:
                found = values_like(pd.DataFrame({attribute.name: pd.Series([cell], dtype=object)}), alone)[0, 0]
            except (HeaderMismatchError, OptionError):
                found = UNREAD
            if found is not read and not (found == read or (found != found and read != read)):
                yield f"the table's reader: {cell!r} is {found} in {attribute}, not {read}"
