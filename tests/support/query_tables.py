"""Exported queries and modules on tables of any names, types and cells: each row is answered as the model answers it.

SQLite and DuckDB run the query, Python runs the code of the module. A row with a cell that the model refuses is not
answered by the query, and is an error of the module.
"""

from __future__ import annotations

import json
import math
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator

import wekaconf as wc
from support.export_cases import BY_LEAF, POOLS, pooled
from support.random_trees import made, random_dataset, random_tree
from support.typed_tables import ENGINES, N_ROWS, UNREAD, VALUES, Column, column_of
from wekaconf.base.errors import HeaderMismatchError, OptionError
from wekaconf.data import DATE_FORMAT, Attribute, Header
from wekaconf.data.frames import values_like
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.thresholds import choose
from wekaconf.methods.contract._answer import Answer
from wekaconf.model.export import _standalone as standalone
from wekaconf.model.export._exported_model import ExportedModel, exported_model
from wekaconf.model.export._record import json_text
from wekaconf.model.export._sql_query import TABLE, sql_text
from wekaconf.model.fitted import Model
from wekaconf.tree._kinds import Routing

NAMES = (
    "instance", "class", "certainty", "p0", "p1", "predicted", "rejected", "distribution_a", "node", "share", "text0",
    "number0", "meant0", "c0", "input", "cells", "whole", "part", "leaf", "branch", "proba", "best", "answered", "a",
    "b", "p", "l", "w", "wekaconf_rows", "wekaconf_input", "wekaconf_instance", "wekaconf_predicted", "x y", 'q"q',
    "wekaconf2_instance", "instances", "select", "order", "rowid", "oid", "typeof", "most", "is_refused", "t", "it's",
    "[x]", "`x`", "é", "名", "1", "1.5", "?", "a.b", "*", "--", ";", "/*", "%", "\\", "'", "x\ny", "null", "true",
    "column1",
)  # fmt: skip
"""Names of columns: those of the query itself, words of SQL, and hostile ones."""


def draw(seed: int) -> Iterator[str]:
    """Export one model, and ask about one table per engine."""
    rng = np.random.default_rng(seed)
    model = random_model(rng)
    try:
        tree = exported_model(model)
        queries = {engine: sql_text(tree, engine) for engine in ENGINES}
    except OptionError as error:
        if "by case only" not in str(error) and "of the name 'true'" not in str(error):
            yield f"refused: {error}"
        return
    record = json.loads(json_text(tree))
    for engine in ENGINES:
        columns = [column_of(rng, engine, each, tree) for each in model.header.attributes]
        columns = [column for i, column in enumerate(columns) if i != model.header.class_index or rng.random() < 0.5]
        columns = [*{each.name.lower(): each for each in columns}.values()]
        more = [Column(name, "VARCHAR", ["kept"] * N_ROWS, []) for name in extra_names(rng, columns, model.header)]
        table = [(columns + more)[place] for place in rng.permutation(len(columns + more))]
        is_read, answer, data = expected(model, tree, columns)
        for fault in unlike(answered_by(engine, queries[engine], tree, table), tree, is_read, answer, data):
            yield f"{engine}: {fault} of {[(each.name, each.type) for each in table]}"
        for fault in unlike(answered_by_module(record, columns), tree, is_read, answer, data):
            yield f"Python: {fault}"
        yield from unlike_the_door(model.header, columns)


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
    name = str(rng.choice((*BY_LEAF, "second_opinion")))
    method = made(name).fit(tree, train) if name in BY_LEAF else pooled(tree, train, answers=POOLS[rng.integers(2)])
    model = Model(method)
    if rng.random() < 0.3:
        return model
    certainty = float(rng.choice(model.certainty(train.take(slice(0, 40)))))
    below = (certainty, np.nextafter(certainty, 1), np.nextafter(certainty, 0), math.inf)[rng.integers(4)]
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
    taken = {
        name.lower() for name in (*(column.name for column in columns), *(each.name for each in header.attributes))
    }
    free = [name for name in NAMES if name.lower() not in taken]
    return [str(name) for name in rng.choice(free, size=rng.integers(4), replace=False)]


# ---- answers -------------------------------------------------------------------------------------------------------


def expected(model: Model, tree: ExportedModel, columns: Sequence[Column]) -> tuple[Any, Answer, wc.Dataset]:
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
    rows: list[dict[str, Any] | str], tree: ExportedModel, is_read: Any, answer: Answer, data: wc.Dataset
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
        elif rejected is not None and thresholds is not None:
            is_close = (has_missing[i] or tree.pool) and abs(certainty - thresholds[answer.predicted[i]]) <= 1e-12
            if row["rejected"] is not bool(rejected[i]) and not is_close:
                yield f"row {i + 1}: rejected {row['rejected']}, certainty {certainty!r}, thresholds {thresholds!r}"


def answered_by(engine: str, query: str, tree: ExportedModel, table: Sequence[Column]) -> list[dict[str, Any] | str]:
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
    for column in columns:
        attribute = next(each for each in header.attributes if each.name == column.name)
        if attribute.kind == "date" or attribute.name == header.class_attribute.name:
            continue
        pairs = zip(column.cells, column.read, strict=True)
        for cell, read in {repr(cell): (cell, read) for cell, read in pairs}.values():
            is_missing_text = not attribute.is_nominal and isinstance(cell, str) and cell.strip() in standalone.MISSING
            if cell is None or is_missing_text:  # which the readers of files know, that of frames does not
                continue
            found = read_by_the_door(attribute, cell)
            if repr(found) != repr(read):
                yield f"the table's reader: {cell!r} is {found} in {attribute}, not {read}"


def read_by_the_door(attribute: Attribute, cell: Any) -> Any:
    """What the reader of frames makes of a cell."""
    import pandas as pd

    beside = ["0"] if isinstance(cell, str) and attribute.kind == "numeric" else []  # alone TRUE is a truth value
    frame = pd.DataFrame({attribute.name: pd.Series([cell, *beside], dtype=object)})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wc.Note)
            return float(values_like(frame, Header("r", (attribute,), -1))[0, 0])
    except (HeaderMismatchError, OptionError):
        return UNREAD
