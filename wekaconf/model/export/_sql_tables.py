"""Tables of a query that answer: sums of terms, and the pool of distributions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wekaconf.model.export._exported_model import Pool
from wekaconf.model.export._exported_parts import CellsTerm, LineTerm, SumSide
from wekaconf.model.export._sql_dialects import Dialect, join_expressions

SMALLEST_POWER = -700
"""PostgreSQL refuses the exponential of a number so low that it is 0."""


def sum_of_terms(side: SumSide, suffix: str, dialect: Dialect) -> dict[str, str]:
    """The tables ``places`` and ``sum``, with the columns ``x0`` and so on.

    A place is the index of an interval or of a nominal value, NULL where it is missing, or a number in deviations.
    """
    places = "".join(f",\n  {_place(term, dialect)} AS place{i}" for i, term in enumerate(side.terms))
    sums = ""
    for c, start in enumerate(side.start):
        terms = [_adds(term, f"place{i}", c, dialect) for i, term in enumerate(side.terms)]
        start_text = f"-{dialect.infinity}" if math.isinf(start) else dialect.as_double(dialect.near(start))
        sums += f",\n  {join_expressions([start_text, *terms], f'{chr(10)}    + ')} AS x{c}"
    return {
        f"places{suffix}": f"SELECT instance{places}\n  FROM wekaconf_cells WHERE is_refused = 0",
        f"sum{suffix}": f"SELECT instance{sums}\n  FROM wekaconf_places{suffix}",
    }


def _place(term: CellsTerm | LineTerm, dialect: Dialect) -> str:
    cell = f"c{term.column}"
    if isinstance(term, LineTerm):  # bounds of the cell itself, since a deviation may be too large for a double
        low, high = (term.center + sign * term.furthest * term.spread for sign in (-1, 1))
        return (
            f"CASE WHEN {cell} IS NULL THEN 0 WHEN {cell} > {dialect.near(high)} THEN {dialect.near(term.furthest)}"
            f" WHEN {cell} < {dialect.near(low)} THEN {dialect.near(-term.furthest)}"
            f" ELSE ({cell} - {dialect.number_of(term.center)}) / {dialect.near(term.spread)} END"
        )
    return cell if term.ends is None else _interval(cell, term.ends, dialect)


def _interval(cell: str, ends: Sequence[float], dialect: Dialect) -> str:
    """The number of ascending ends that are smaller than a cell; NULL where that is missing."""
    whens = "".join(f" WHEN {cell} <= {dialect.number_of(end)} THEN {i}" for i, end in enumerate(ends))
    return f"CASE{whens} WHEN {cell} IS NOT NULL THEN {len(ends)} END"


def _adds(term: CellsTerm | LineTerm, place: str, c: int, dialect: Dialect) -> str:
    if isinstance(term, LineTerm):
        return f"{place} * {dialect.near(term.slope[c])}"
    whens = " ".join(f"WHEN {i} THEN {dialect.near(row[c])}" for i, row in enumerate(term.adds))
    return f"CASE {place} {whens} ELSE {dialect.near(term.missing[c])} END"


def shares(table: str, said: str, n_classes: int, dialect: Dialect) -> dict[str, str]:
    """From the ``x0`` and so on of a table: the table ``said`` of probabilities in proportion to their exponentials."""
    classes = range(n_classes)
    highest = dialect.largest([f"x{c}" for c in classes])
    least = dialect.near(float(SMALLEST_POWER))
    powers = ", ".join(f"exp({dialect.greatest}(x{c} - x, {least})) AS e{c}" for c in classes)
    total = join_expressions([f"e{c}" for c in classes], " + ")
    probabilities = ", ".join(f"e{c} / ({total}) AS p{c}" for c in classes)
    return {
        f"highest_{table}": f"SELECT wekaconf_{table}.*, {highest} AS x\n  FROM wekaconf_{table}",
        f"power_{table}": f"SELECT instance, {powers}\n  FROM wekaconf_highest_{table}",
        said: f"SELECT instance, {probabilities}\n  FROM wekaconf_power_{table}",
    }


def pooled(pool: Pool, n_classes: int, dialect: Dialect) -> str:
    """The weighted sums of the logarithms that the tables ``said0`` and so on give."""
    least = dialect.near(pool.least)
    sums = ""
    for c in range(n_classes):
        terms = (
            f"{dialect.near(weight)} * ln({dialect.greatest}(s{i}.p{c}, {least}))"
            for i, weight in enumerate(pool.weights)
        )
        sums += f",\n  {' + '.join(terms)} AS x{c}"
    others = "".join(
        f"\n  JOIN wekaconf_said{i} s{i} ON s{i}.instance = s0.instance" for i in range(1, len(pool.weights))
    )
    return f"SELECT s0.instance AS instance{sums}\n  FROM wekaconf_said0 s0{others}"
