"""``.sql``: a query for SQLite (3.35 or newer) and DuckDB that answers for the rows of a table.

A row without missing values finds its leaf in one flat CASE, whatever the depth of the tree, since SQLite refuses
deeply nested expressions. A row with a missing value on its path walks down the tree in parts, by a recursive query.
A row with a cell that the model refuses is not answered.

The table may have columns of any name. So its cells stand beside one name of the query only, the number of the row, and
the names of that and of the answers begin as no column of the training data does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, pairwise

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.naming import quoted
from wekaconf.data.cells import BOOLEANS
from wekaconf.model.export.exported_model import LEFT_OUT, ExportedModel, Pool
from wekaconf.model.export.exported_sides import LeafSide
from wekaconf.model.export.sql_cells import CellReading, reading
from wekaconf.model.export.sql_literals import double, exact, joined, moment, name_of, text_of
from wekaconf.model.export.sql_sums import pooled, shares, sum_of_terms

TABLE = "instances"
"""The name of the table that is read."""
Bounds = dict[int, tuple[float, float] | frozenset[int]]
"""For each column on a path the numbers above the first and up to the second, or the indices of values."""


def sql_text(tree: ExportedModel) -> str:
    """The query.

    Raises
    ------
    OptionError
        The name of a column that the tree tests differs from another by case only, or holds a NUL, which SQL does not
        allow.
    """
    _check_names(tree)
    prefix = _prefix(tree)
    row = name_of(f"{prefix}instance")
    readings = [
        reading(column, f"wekaconf_input.{name_of(column.name)}", f"text{i}", f"number{i}", f"meant{i}")
        for i, column in enumerate(tree.columns)
    ]
    parts = {
        "input AS MATERIALIZED": f"SELECT row_number() OVER () AS {row}, wekaconf_rows.*\n"
        f"  FROM {name_of(TABLE)} AS wekaconf_rows",
        "texts AS": _texts(readings, row),
        "meanings AS MATERIALIZED": _meanings(readings),
        "cells AS MATERIALIZED": _cells(tree, readings),
        "whole AS MATERIALIZED": f"SELECT instance, {_leaf_of_row(tree)} AS node FROM wekaconf_cells",
    }
    if tree.columns:
        parts["classes(class) AS"] = _values((str(c),) for c in range(len(tree.class_names)))
    if _has_splits(tree):
        parts[f"branch({', '.join(BRANCH)}) AS MATERIALIZED"] = _values(_branch_rows(tree))
        parts["part(instance, node, share) AS"] = _walk(tree)
    parts |= _distributions_of_sides(tree)
    if tree.savings is not None:
        parts["distribution AS MATERIALIZED"] = _distributions(tree)
        parts["answer(class) AS"] = _values((str(c),) for c in range(len(tree.class_names)))
        parts["score AS MATERIALIZED"] = _savings(tree.savings)
    table, score = ("proba", "p") if tree.savings is None else ("score", "score")
    decider = table if tree.decider is None else "decider"
    parts["best AS MATERIALIZED"] = (
        f"SELECT instance, max({score}) AS certainty, max(round({score} * 1e12)) AS most\n"
        f"  FROM wekaconf_{decider} GROUP BY instance"
    )
    if tree.decider is None:
        parts["answered AS MATERIALIZED"] = _answers(tree, table, score)
    else:
        parts["decided AS MATERIALIZED"] = (
            "SELECT d.instance AS instance, min(CASE WHEN round(d.p * 1e12) = most THEN class END) AS class\n"
            "  FROM wekaconf_decider AS d JOIN wekaconf_best AS b ON b.instance = d.instance GROUP BY d.instance"
        )
        parts["answered AS MATERIALIZED"] = _answers_as_decided(tree)
    what = printable(f"{tree.method} on {tree.learner}, trained on {tree.header.relation}")
    heading = f"-- Answers for the table {name_of(TABLE)} as a model does that wekaconf has exported: {what}\n"
    if tree.pool is not None:
        heading += f"-- The answer is the pool of {printable(', '.join(_sides_in_words(tree.pool)))}.\n"
    ctes = ",\n".join(f" wekaconf_{name} (\n  {text}\n )" for name, text in parts.items())
    return (
        f"{heading}-- Left out: {', '.join(LEFT_OUT)}.\nWITH RECURSIVE\n{ctes}\n"
        f"SELECT wekaconf_input.*, {_output(tree, prefix)}\nFROM wekaconf_input\n"
        f"LEFT JOIN wekaconf_answered AS answered ON answered.instance = wekaconf_input.{row}\n"
        f"ORDER BY wekaconf_input.{row};\n"
    )


def _sides_in_words(pool: Pool) -> Iterator[str]:
    for i, name in enumerate(pool.sides):
        yield f"{name} (wekaconf_said{i})"


LEAF = ("node", "class", "answer", "part")
BRANCH = ("node", "col", "child", "share", "low", "high")
"""The child for cells above ``low`` and up to ``high``, NULL being unbounded; ``share`` is that of a missing cell."""
NOT_ANSWERED = -1
"""The node of a row that is not answered."""


def _prefix(tree: ExportedModel) -> str:
    """How the names begin that stand beside those of the table, in any case."""
    known = [attribute.name.lower() for attribute in tree.header.attributes]
    prefixes = ("wekaconf_" if i == 1 else f"wekaconf{i}_" for i in count(1))
    return next(prefix for prefix in prefixes if not any(name.startswith(prefix) for name in known))


def _check_names(tree: ExportedModel) -> None:
    names = Counter(attribute.name.lower() for attribute in tree.header.attributes)
    for column in tree.columns:
        if names[column.name.lower()] > 1:
            raise OptionError(
                f"SQL does not tell the names of two columns apart, one of them {quoted(column.name)}, which differ by "
                "case only; rename one, or export another format",
                value_of="model",
            )
        if column.name.lower() in BOOLEANS:
            raise OptionError(
                f"SQLite does not find a column of the name {quoted(column.name)} in a query; rename it, or export "
                "another format",
                value_of="model",
            )
    texts = [text for column in tree.columns for text in (column.name, *column.values)]
    if any("\0" in text for text in (*texts, *tree.class_names)):
        raise OptionError("SQL does not allow the NUL in a name of this model; export another format", value_of="model")


def _values(rows: Iterable[Sequence[str]]) -> str:
    return "VALUES " + ",\n  ".join(f"({', '.join(row)})" for row in rows)


def _texts(readings: Sequence[CellReading], row: str) -> str:
    """The cells that the tree tests, as texts and numbers."""
    cells = "".join(f",\n  {each.text} AS text{i}, {each.number} AS number{i}" for i, each in enumerate(readings))
    return f"SELECT wekaconf_input.{row} AS instance{cells}\n  FROM wekaconf_input"


def _meanings(readings: Sequence[CellReading]) -> str:
    """What the model reads there, and the texts that it may refuse."""
    cells = "".join(f",\n  {each.meant} AS meant{i}, text{i}" for i, each in enumerate(readings))
    return f"SELECT instance{cells}\n  FROM wekaconf_texts"


def _cells(tree: ExportedModel, readings: Sequence[CellReading]) -> str:
    """The cells that the tree tests, each a number; NULL where it is missing or not known from training."""
    cells = [f"meant{i}" for i in range(len(readings))]
    for i, (column, fill) in enumerate(zip(tree.columns, tree.fills, strict=True)):
        if not math.isnan(fill):
            cells[i] = f"coalesce({cells[i]}, {int(fill) if column.is_nominal else exact(fill)})"
    refusals = joined([f"({each.is_unread})" for each in readings], " OR ") or "1 = 0"
    named = "".join(f",\n  {cell} AS c{i}" for i, cell in enumerate(cells))
    return f"SELECT instance, CASE WHEN {refusals} THEN 1 ELSE 0 END AS is_refused{named}\n  FROM wekaconf_meanings"


def _has_splits(tree: ExportedModel) -> bool:
    return len(tree.nodes) > 1


def _distributions_of_sides(tree: ExportedModel) -> dict[str, str]:
    """The tables from which ``proba`` follows, a row per instance and class, and ``decider`` where there is one."""
    parts: dict[str, str] = {}
    for i, side in enumerate(tree.sides):
        said = "proba" if tree.pool is None else f"said{i}"
        if isinstance(side, LeafSide):
            parts |= _leaf_distributions(tree, side, "leaf" if tree.pool is None else f"leaf{i}", said)
        else:
            parts |= sum_of_terms(side, str(i)) | shares(f"sum{i}", said)
    if tree.pool is not None:
        parts["pool AS MATERIALIZED"] = pooled(tree.pool)
        parts |= shares("pool", "proba")
    if tree.decider is not None:
        parts |= _leaf_distributions(tree, tree.decider, "leaf_that_decides", "decider")
    return parts


def _leaf_distributions(tree: ExportedModel, side: LeafSide, leaves: str, said: str) -> dict[str, str]:
    return {
        f"{leaves}({', '.join(LEAF)}) AS MATERIALIZED": _values(_leaf_rows(tree, side)),
        f"{said} AS MATERIALIZED": _probabilities(tree, side, leaves),
    }


def _branch_rows(tree: ExportedModel) -> Iterator[tuple[str, ...]]:
    """The rows of ``branch``; an inner node where a missing value stops has a leaf of its own, below it."""
    for i, split in enumerate(tree.nodes):
        if split is None:
            continue
        column, shares = str(split.column), [double(share) if share > 0 else "NULL" for share in split.shares]
        if not any(split.shares):
            yield str(i), column, str(_stop(tree, i)), "1e0", "1e0", "0e0"
        if split.operator in ("in", "bins"):
            for child, share in zip(split.branches, shares, strict=True):
                yield str(i), column, str(child), share, "1e0", "0e0"
            ends = [f"{value}e0" for value in range(-1, len(split.branch_of_value))]
            if split.operator == "bins":
                ends = ["NULL", *map(exact, split.points), "NULL"]
            for branch, (low, high) in zip(split.branch_of_value, pairwise(ends), strict=True):
                yield str(i), column, str(split.branches[branch]), "NULL", low, high
            continue
        limit, bound = split.limit, "NULL"
        if not math.isnan(limit):
            bound = exact(limit)
            yield str(i), column, str(split.branches[0]), shares[0], "NULL", bound
        else:
            yield str(i), column, str(split.branches[0]), shares[0], "1e0", "0e0"
        yield str(i), column, str(split.branches[1]), shares[1], bound, "NULL"


def _stop(tree: ExportedModel, node: int) -> int:
    return len(tree.nodes) + node


def _leaf_rows(tree: ExportedModel, side: LeafSide) -> Iterator[tuple[str, ...]]:
    for i, (split, answers, parts) in enumerate(zip(tree.nodes, side.answers, side.parts, strict=True)):
        at = i if split is None else _stop(tree, i)
        for c, (answer, part) in enumerate(zip(answers, parts, strict=True)):
            yield str(at), str(c), exact(answer), double(part)


def _leaf_of_row(tree: ExportedModel) -> str:
    """One CASE with one WHEN per leaf; NULL where a missing value divides the row."""
    if not _has_splits(tree):
        return f"CASE WHEN is_refused = 1 THEN {NOT_ANSWERED} ELSE 0 END"
    whens = (
        f"   WHEN {' AND '.join(_condition(tree, *bounded) for bounded in sorted(bounds.items()))} THEN {leaf}"
        for leaf, bounds in _paths(tree)
    )
    return f"CASE\n   WHEN is_refused = 1 THEN {NOT_ANSWERED}\n" + "\n".join(whens) + "\n  END"


def _paths(tree: ExportedModel) -> Iterator[tuple[int, Bounds]]:
    """The leaves that some row without missing values reaches, each with the bounds of its path."""
    waiting: list[tuple[int, Bounds]] = [(0, {})]
    while waiting:
        at, bounds = waiting.pop()
        split = tree.nodes[at]
        if split is None:
            yield at, bounds
            continue
        if split.operator == "bins":
            above = bounds.get(split.column, (math.nan, math.inf))
            assert isinstance(above, tuple)
            for branch, (low, high) in zip(
                split.branch_of_value, pairwise((math.nan, *split.points, math.inf)), strict=True
            ):
                lowest = low if math.isnan(above[0]) else above[0] if math.isnan(low) else max(low, above[0])
                within, is_empty = _narrowed((lowest, above[1]), high, 0)
                if not is_empty:
                    waiting.append((split.branches[branch], bounds | {split.column: within}))
            continue
        for branch, child in enumerate(split.branches):
            bound: tuple[float, float] | frozenset[int]
            if split.operator == "in":
                values = frozenset(value for value, taken in enumerate(split.branch_of_value) if taken == branch)
                above = bounds.get(split.column, values)
                assert isinstance(above, frozenset)
                bound, is_empty = values & above, not values & above
            else:
                above = bounds.get(split.column, (math.nan, math.inf))
                assert isinstance(above, tuple)
                bound, is_empty = _narrowed(above, split.limit, branch)
            if not is_empty:
                waiting.append((child, bounds | {split.column: bound}))


def _narrowed(bounds: tuple[float, float], limit: float, branch: int) -> tuple[tuple[float, float], bool]:
    """The bounds of the numbers within ``bounds`` that take a branch, and whether there are none.

    A lower bound of NaN lets every number pass, −∞ too.
    """
    low, high = bounds
    if math.isnan(limit):
        return bounds, branch == 0
    if branch == 0:
        high = min(high, limit)
    else:
        low = limit if math.isnan(low) else max(low, limit)
    return (low, high), low >= high


def _condition(tree: ExportedModel, column: int, bound: tuple[float, float] | frozenset[int]) -> str:
    cell = f"c{column}"
    if isinstance(bound, frozenset):
        return f"{cell} IN ({', '.join(map(str, sorted(bound)))})"
    low, high = bound
    written = moment if tree.columns[column].kind == "date" else exact
    sides = [] if math.isnan(low) else [f"{cell} > {written(low)}"]
    sides += [f"{cell} <= {written(high)}"] if high < math.inf else []
    return " AND ".join(sides) or f"{cell} IS NOT NULL"


def _walk(tree: ExportedModel) -> str:
    """The parts of the rows that a missing value divides, at every node that they reach."""
    cell = f"CASE b.col {' '.join(f'WHEN {i} THEN c.c{i}' for i in range(len(tree.columns)))} END"
    within = f"(b.low IS NULL OR {cell} > b.low) AND (b.high IS NULL OR {cell} <= b.high)"
    return (
        "SELECT instance, 0, 1e0 FROM wekaconf_whole WHERE node IS NULL\n  UNION ALL\n"
        f"  SELECT p.instance, b.child, p.share * CASE WHEN {cell} IS NULL THEN b.share ELSE 1e0 END\n"
        "  FROM wekaconf_part AS p JOIN wekaconf_branch AS b ON b.node = p.node\n"
        "  JOIN wekaconf_cells AS c ON c.instance = p.instance\n"
        f"  WHERE CASE WHEN {cell} IS NULL THEN b.share IS NOT NULL ELSE {within} END"
    )


def _probabilities(tree: ExportedModel, side: LeafSide, leaves: str) -> str:
    """A row per instance and class."""
    at_leaves = (
        "SELECT w.instance, l.class, l.answer AS p\n"
        f"  FROM wekaconf_whole AS w JOIN wekaconf_{leaves} AS l ON l.node = w.node"
    )
    if not _has_splits(tree):
        return at_leaves
    total = "coalesce(sum(p.share * l.part), 0e0)"
    if side.division == "mean":
        total = "sum(p.share * l.answer) / sum(p.share)"
    if side.division == "counts":
        whole = f"sum({total} + {double(side.correction)}) OVER (PARTITION BY d.instance)"
        equal = double(1 / len(tree.class_names))
        total = f"coalesce(({total} + {double(side.correction)}) / nullif({whole}, 0e0), {equal})"
    return (
        f"{at_leaves}\n  UNION ALL\n  SELECT d.instance, k.class, {total}\n"
        "  FROM (SELECT instance FROM wekaconf_whole WHERE node IS NULL) AS d\n"
        "  CROSS JOIN wekaconf_classes AS k\n"
        f"  LEFT JOIN (wekaconf_part AS p JOIN wekaconf_{leaves} AS l ON l.node = p.node)\n"
        "  ON p.instance = d.instance AND l.class = k.class\n"
        "  GROUP BY d.instance, k.class"
    )


def _distributions(tree: ExportedModel) -> str:
    """A row per instance: the probabilities of all classes."""
    return f"SELECT instance{_by_class(tree)}\n  FROM wekaconf_proba GROUP BY instance"


def _by_class(tree: ExportedModel, of: str = "") -> str:
    """The columns of the distribution, from those of the table ``of``."""
    whens = (f"CASE WHEN {of}class = {c} THEN {of}p END" for c in range(len(tree.class_names)))
    return "".join(f",\n  sum({when}) AS p{c}" for c, when in enumerate(whens))


def _savings(savings: Sequence[Sequence[float]]) -> str:
    """A row per instance and class: what that answer is expected to save, added in the order of the classes."""
    columns = zip(*savings, strict=True)
    sums = (" + ".join(f"p{c} * {exact(saved)}" for c, saved in enumerate(column)) for column in columns)
    whens = "".join(f"\n   WHEN {c} THEN {total}" for c, total in enumerate(sums))
    proba = ", ".join(f"p{c} AS p{c}" for c in range(len(savings)))
    return (
        f"SELECT d.instance AS instance, k.class AS class, CASE k.class{whens}\n  END AS score, {proba}\n"
        "  FROM wekaconf_distribution AS d CROSS JOIN wekaconf_answer AS k"
    )


def _answers(tree: ExportedModel, table: str, score: str) -> str:
    """A row per instance: the number of its class, the certainty and the distribution."""
    columns = _by_class(tree)
    if tree.savings is not None:
        columns = "".join(f",\n  max(p{c}) AS p{c}" for c in range(len(tree.class_names)))
    return (
        f"SELECT a.instance, min(CASE WHEN round({score} * 1e12) = most THEN class END) AS class,\n"
        f"  max(certainty) AS certainty{columns}\n"
        f"  FROM wekaconf_{table} AS a JOIN wekaconf_best AS b ON b.instance = a.instance GROUP BY a.instance"
    )


def _answers_as_decided(tree: ExportedModel) -> str:
    """A row per instance: the class that is decided, its probability and the distribution."""
    return (
        f"SELECT d.instance AS instance, d.class AS class,\n"
        "  sum(CASE WHEN p.class = d.class THEN p.p END) AS certainty"
        f"{_by_class(tree, 'p.')}\n"
        "  FROM wekaconf_proba AS p JOIN wekaconf_decided AS d ON d.instance = p.instance\n"
        "  GROUP BY d.instance, d.class"
    )


def _output(tree: ExportedModel, prefix: str) -> str:
    """The columns of the answers; their names differ in more than case."""
    names = tree.class_names
    predicted = " ".join(f"WHEN {c} THEN {text_of(name)}" for c, name in enumerate(names))
    columns = {"predicted": f"CASE answered.class {predicted} END", "certainty": "answered.certainty"}
    if tree.thresholds is not None:
        rules = " ".join(f"WHEN {c} THEN {_rule(threshold)}" for c, threshold in enumerate(tree.thresholds))
        columns["rejected"] = f"CASE answered.class {rules} ELSE 1 = 1 END"
    for c, name in enumerate(names):
        columns[_distinct(f"distribution_{name}", columns)] = f"answered.p{c}"
    return ",\n  ".join(f"{value} AS {name_of(prefix + name)}" for name, value in columns.items())


def _distinct(name: str, taken: Iterable[str]) -> str:
    """The name, or the first with a number behind it that no other has in any case."""
    known = {each.lower() for each in taken}
    names = (name if i == 1 else f"{name}_{i}" for i in count(1))
    return next(each for each in names if each.lower() not in known)


def _rule(threshold: float) -> str:
    """Whether an answer is rejected."""
    if math.isinf(threshold):
        return "1 = 1" if threshold > 0 else "1 = 0"
    return f"answered.certainty < {exact(threshold)}"
