"""``.sql``: a query for SQLite (3.35 or newer) and DuckDB that answers for the rows of a table.

A row without missing values finds its leaf in one flat CASE, whatever the depth of the tree, since SQLite refuses
deeply nested expressions. A row with a missing value on its path walks down the tree in parts, by a recursive query.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.naming import quoted
from wekaconf.data.header import Attribute
from wekaconf.model.export.exported_tree import LEFT_OUT, ExportedTree

TABLE = "instances"
"""The name of the table that is read."""
LARGEST_WHOLE = 2**53
"""Whole numbers up to this one are exact in DOUBLE."""
EXACT_DIGITS, EXACT_POWER = 15, 22
"""A number of so many decimal digits, times ten to a power so small, is read exactly by every database."""
Bounds = dict[int, tuple[float, float] | frozenset[int]]
"""For each column on a path the numbers above the first and up to the second, or the indices of values."""


def sql_text(tree: ExportedTree) -> str:
    """The query.

    Raises
    ------
    OptionError
        Names that the tree needs differ by case only, or hold a NUL, which SQL does not allow.
    """
    _check_names(tree)
    parts = {
        "input AS MATERIALIZED": f"SELECT row_number() OVER () AS instance, t.* FROM {_name(TABLE)} AS t",
        "cells AS MATERIALIZED": _cells(tree),
        f"leaf({', '.join(LEAF)}) AS MATERIALIZED": _values(_leaf_rows(tree)),
        f"branch({', '.join(BRANCH)}) AS MATERIALIZED": _values(_branch_rows(tree)),
        "classes(class) AS": _values((str(c),) for c in range(len(tree.class_names))),
        "whole AS MATERIALIZED": f"SELECT instance, {_leaf_of_row(tree)} AS node FROM cells",
        "part(instance, node, share) AS": _walk(tree),
        "proba AS MATERIALIZED": _probabilities(tree),
        "best AS MATERIALIZED": "SELECT instance, max(p) AS certainty, max(round(p * 1e12)) AS most\n"
        "  FROM proba GROUP BY instance",
        "answered AS MATERIALIZED": _answers(tree),
    }
    what = printable(f"{tree.method} on {tree.learner}, trained on {tree.header.relation}")
    heading = f"-- Answers for the table {_name(TABLE)} as a decision tree does that wekaconf has exported: {what}\n"
    ctes = ",\n".join(f" {name} (\n  {text}\n )" for name, text in parts.items())
    return (
        f"{heading}-- Left out: {', '.join(LEFT_OUT)}.\nWITH RECURSIVE\n{ctes}\nSELECT input.*, {_output(tree)}\n"
        "FROM input JOIN answered ON answered.instance = input.instance\nORDER BY input.instance;\n"
    )


LEAF = ("node", "class", "answer", "part")
BRANCH = ("node", "col", "child", "share", "low", "high")
"""The child for cells above ``low`` and up to ``high``, NULL being unbounded; ``share`` is that of a missing cell."""


def _check_names(tree: ExportedTree) -> None:
    names = Counter(column.name.lower() for column in tree.columns)
    for column in tree.columns:
        if names[column.name.lower()] > 1:
            raise OptionError(
                f"SQL does not tell the names of two columns apart, one of them {quoted(column.name)}, which differ by "
                "case only; rename one, or export another format",
                value_of="model",
            )
    texts = [text for column in tree.columns for text in (column.name, *column.values)]
    if any("\0" in text for text in (*texts, *tree.class_names)):
        raise OptionError("SQL does not allow the NUL in a name of this model; export another format", value_of="model")


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _double(value: float) -> str:
    """The number as DOUBLE to about its last digit; a decimal number without exponent would be DECIMAL in DuckDB."""
    text = repr(value)
    return text if "e" in text else f"{text}e0"


def _exact(value: float) -> str:
    """The very number: in decimal digits where every database reads these exactly, else divided by powers of two."""
    digits, _, power = f"{value:.16e}".partition("e")
    if (
        len(digits.strip("-").replace(".", "").rstrip("0")) <= EXACT_DIGITS
        and abs(int(power)) <= EXACT_POWER - EXACT_DIGITS
    ):
        return _double(value)
    mantissa, exponent = math.frexp(value)
    text, exponent = str(int(mantissa * LARGEST_WHOLE)), exponent - 53
    sign = "*" if exponent > 0 else "/"
    steps = [53] * (abs(exponent) // 53) + [abs(exponent) % 53]
    return f"({text}{''.join(f' {sign} {_double(float(2**step))}' for step in steps)})"


def _values(rows: Iterable[Sequence[str]]) -> str:
    return "VALUES " + ",\n  ".join(f"({', '.join(row)})" for row in rows)


def _cells(tree: ExportedTree) -> str:
    """The cells that the tree tests, each a number; NULL where it is missing or not known from training."""
    columns = zip(tree.columns, tree.fills, strict=True)
    cells = "".join(f",\n  {_cell(column, fill)} AS c{i}" for i, (column, fill) in enumerate(columns))
    return f"SELECT instance{cells}\n  FROM input"


def _cell(column: Attribute, fill: float) -> str:
    name = f"input.{_name(column.name)}"
    if column.is_nominal:
        whens = " ".join(f"WHEN {_text(value)} THEN {i}" for i, value in enumerate(column.values))
        other = "" if math.isnan(fill) else f" ELSE {int(fill)}"
        return f"CASE CAST({name} AS VARCHAR) {whens}{other} END"
    cell = f"CAST({name} AS DOUBLE)"
    largest = "1.7976931348623157e308"  # a NaN of DuckDB is larger than ∞, and equal to itself with the other sign
    other = "" if math.isnan(fill) else f" ELSE {_bound(fill)}"
    return f"CASE WHEN {cell} <= {largest} OR -{cell} < {cell} THEN {cell}{other} END"


def _branch_rows(tree: ExportedTree) -> Iterator[tuple[str, ...]]:
    """The rows of ``branch``; an inner node where a missing value stops has a leaf of its own, below it."""
    for i, node in enumerate(tree.nodes):
        split = node.split
        if split is None:
            continue
        column, shares = str(split.column), [_double(share) if share > 0 else "NULL" for share in split.shares]
        if node.answer:
            yield str(i), column, str(_stop(tree, i)), "1e0", "1e0", "0e0"
            shares = ["NULL"] * len(shares)
        if split.operator in ("in", "bins"):
            for child, share in zip(split.branches, shares, strict=True):
                yield str(i), column, str(child), share, "1e0", "0e0"
            ends = [f"{value}e0" for value in range(-1, len(split.branch_of_value))]
            if split.operator == "bins":
                ends = ["NULL", *map(_bound, split.points), "NULL"]
            for branch, (low, high) in zip(split.branch_of_value, pairwise(ends), strict=True):
                yield str(i), column, str(split.branches[branch]), "NULL", low, high
            continue
        limit, bound = split.limit, "NULL"
        if not math.isnan(limit):
            bound = _bound(limit)
            yield str(i), column, str(split.branches[0]), shares[0], "NULL", bound
        else:
            yield str(i), column, str(split.branches[0]), shares[0], "1e0", "0e0"
        yield str(i), column, str(split.branches[1]), shares[1], bound, "NULL"


def _bound(limit: float) -> str:
    """A bound; ∞, which the databases write differently, as a number that overflows."""
    return _exact(limit) if math.isfinite(limit) else f"({'-' if limit < 0 else ''}1e308 * 10e0)"


def _stop(tree: ExportedTree, node: int) -> int:
    return len(tree.nodes) + node


def _leaf_rows(tree: ExportedTree) -> Iterator[tuple[str, ...]]:
    for i, node in enumerate(tree.nodes):
        at = i if node.split is None else _stop(tree, i)
        for c, (answer, part) in enumerate(zip(node.answer, node.part, strict=True)):
            yield str(at), str(c), _double(answer), _double(part)


def _leaf_of_row(tree: ExportedTree) -> str:
    """One CASE with one WHEN per leaf; NULL where a missing value divides the row."""
    if tree.nodes[0].split is None:
        return "0"
    whens = (
        f"   WHEN {' AND '.join(_condition(column, bound) for column, bound in sorted(bounds.items()))} THEN {leaf}"
        for leaf, bounds in _paths(tree)
    )
    return "CASE\n" + "\n".join(whens) + "\n  END"


def _paths(tree: ExportedTree) -> Iterator[tuple[int, Bounds]]:
    """The leaves that some row without missing values reaches, each with the bounds of its path."""
    waiting: list[tuple[int, Bounds]] = [(0, {})]
    while waiting:
        at, bounds = waiting.pop()
        split = tree.nodes[at].split
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


def _condition(column: int, bound: tuple[float, float] | frozenset[int]) -> str:
    cell = f"c{column}"
    if isinstance(bound, frozenset):
        return f"{cell} IN ({', '.join(map(str, sorted(bound)))})"
    low, high = bound
    sides = [] if math.isnan(low) else [f"{cell} > {_bound(low)}"]
    sides += [f"{cell} <= {_bound(high)}"] if high < math.inf else []
    return " AND ".join(sides) or f"{cell} IS NOT NULL"


def _walk(tree: ExportedTree) -> str:
    """The parts of the rows that a missing value divides, at every node that they reach."""
    cell = "NULL"
    if tree.columns:
        cell = f"CASE b.col {' '.join(f'WHEN {i} THEN c.c{i}' for i in range(len(tree.columns)))} END"
    within = f"(b.low IS NULL OR {cell} > b.low) AND (b.high IS NULL OR {cell} <= b.high)"
    return (
        "SELECT instance, 0, 1e0 FROM whole WHERE node IS NULL\n  UNION ALL\n"
        f"  SELECT p.instance, b.child, p.share * CASE WHEN {cell} IS NULL THEN b.share ELSE 1e0 END\n"
        "  FROM part AS p JOIN branch AS b ON b.node = p.node JOIN cells AS c ON c.instance = p.instance\n"
        f"  WHERE CASE WHEN {cell} IS NULL THEN b.share IS NOT NULL ELSE {within} END"
    )


def _probabilities(tree: ExportedTree) -> str:
    """A row per instance and class."""
    total = "coalesce(sum(p.share * l.part), 0e0)"
    if tree.division == "mean":
        total = "sum(p.share * l.answer) / sum(p.share)"
    if tree.division == "counts":
        whole = f"sum({total} + {_double(tree.correction)}) OVER (PARTITION BY d.instance)"
        total = f"({total} + {_double(tree.correction)}) / {whole}"
    return (
        "SELECT whole.instance, leaf.class, leaf.answer AS p FROM whole JOIN leaf ON leaf.node = whole.node\n"
        f"  UNION ALL\n  SELECT d.instance, k.class, {total}\n"
        "  FROM (SELECT instance FROM whole WHERE node IS NULL) AS d\n"
        "  CROSS JOIN classes AS k\n"
        "  LEFT JOIN (part AS p JOIN leaf AS l ON l.node = p.node) ON p.instance = d.instance AND l.class = k.class\n"
        "  GROUP BY d.instance, k.class"
    )


def _answers(tree: ExportedTree) -> str:
    """A row per instance: the number of its class, the certainty and the distribution."""
    columns = "".join(f",\n  sum(CASE WHEN class = {c} THEN p END) AS p{c}" for c in range(len(tree.class_names)))
    return (
        "SELECT proba.instance, min(CASE WHEN round(p * 1e12) = most THEN class END) AS class,\n"
        f"  max(certainty) AS certainty{columns}\n"
        "  FROM proba JOIN best ON best.instance = proba.instance GROUP BY proba.instance"
    )


def _output(tree: ExportedTree) -> str:
    names = tree.class_names
    predicted = " ".join(f"WHEN {c} THEN {_text(name)}" for c, name in enumerate(names))
    columns = [f"CASE class {predicted} END AS predicted", "certainty"]
    if tree.thresholds is not None:
        rules = " ".join(f"WHEN {c} THEN {_rule(threshold)}" for c, threshold in enumerate(tree.thresholds))
        columns.append(f"CASE class {rules} END AS rejected")
    columns += [f"p{c} AS {_name(f'distribution_{name}')}" for c, name in enumerate(names)]
    return ",\n  ".join(columns)


def _rule(threshold: float) -> str:
    """Whether an answer is rejected."""
    if math.isinf(threshold):
        return "1 = 1" if threshold > 0 else "1 = 0"
    return f"certainty < {_double(threshold)}"
