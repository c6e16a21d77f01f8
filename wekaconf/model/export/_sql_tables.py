"""Tables of a query that answer: sums of terms, the pool of distributions, and limits of a characteristic tree."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from wekaconf.model.export._exported_model import Pool
from wekaconf.model.export._exported_parts import (
    MOST_DEVIATIONS,
    CellsTerm,
    DeviationTest,
    LeafTests,
    LineTerm,
    RangeTest,
    SumSide,
    ValueTest,
)
from wekaconf.model.export._sql_dialects import Dialect, join_expressions

SMALLEST_POWER = -700
"""PostgreSQL refuses the exponential of a number so low that it is 0."""
MOST_TESTED = 100
"""Columns that are tested in one table; databases allow some hundred columns in a table, of which a test has four."""
LOG_TAIL = (
    -0.623523922614259,
    0.6301987137971276,
    0.03192442598209289,
    -0.0394366716236,
    -0.004919030203367703,
    0.006438726578228305,
    0.00037508158000218813,
    -0.0013757248684328482,
    0.00014139831808674086,
    0.0002894868844467436,
    -9.727488299335704e-05,
    -4.62007127585103e-05,
    3.5843821502399095e-05,
    1.204199686285443e-06,
    -9.05259781061234e-06,
    2.5224130404882565e-06,
    1.3310529894901584e-06,
    -1.0395457217743138e-06,
    4.123146778590081e-08,
    2.2210082059483177e-07,
    -7.066852919271457e-08,
    -2.243335905444363e-08,
    1.2191341501539168e-08,
)
"""Coefficients of a polynomial P: erfc(z) = t · exp(P(s) − z²) to 14 digits up to z = 26, t being 2 / (2 + z), and s
what t is on a scale from −1 at t = 1/14 to 1 at t = 1."""


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
    return cell if term.ends is None else interval(cell, term.ends, dialect)


def interval(cell: str, ends: Sequence[float], dialect: Dialect) -> str:
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


def certainties(
    limits: Sequence[LeafTests], stops: Sequence[tuple[int, int]], *, is_divided: bool, dialect: Dialect
) -> dict[str, str]:
    """The tables up to ``inside``, which has the certainty of each row.

    Parameters
    ----------
    limits : sequence of LeafTests
        For each node.
    stops : sequence of (int, int)
        The nodes where a row may stop, each with its number in the query.
    is_divided : bool
        Whether a missing value may divide a row.
    dialect : Dialect
    """
    columns = sorted({test.column for node, _ in stops for test in limits[node] or ()})
    groups = [columns[i : i + MOST_TESTED] for i in range(0, len(columns), MOST_TESTED)] or [[]]
    one = dialect.as_double("1")
    whole = f"SELECT instance, node, {one} AS share FROM wekaconf_whole WHERE node >= 0"
    parts = "\n  UNION ALL SELECT instance, node, share FROM wekaconf_part" if is_divided else ""
    tables = {"stops": whole + parts}
    for i, group in enumerate(groups):
        tests = [_Column(column, [_at(limits[node], column) for node, _ in stops], dialect) for column in group]
        rows = []
        for place, (node, number) in enumerate(stops):
            far = dialect.near(MOST_DEVIATIONS if limits[node] is None else 0.0)
            cells = [cell for test in tests for cell in test.cells(place)]
            rows.append([str(number), far if place else dialect.as_double(far), *cells])
        names = ["node", "far", *(name for test in tests for name in test.names())]
        tables[f"limits{i}({', '.join(names)})"] = dialect.table(rows)
        furthest = dialect.largest(["l.far", *(test.deviation() for test in tests)])
        tables[f"far{i}"] = (
            f"SELECT s.instance, s.node, s.share, {furthest} AS far\n  FROM wekaconf_stops s\n"
            f"  JOIN wekaconf_limits{i} l ON l.node = s.node\n  JOIN wekaconf_cells c ON c.instance = s.instance"
        )
    furthest = dialect.largest([f"f{i}.far" for i in range(len(groups))])
    others = "".join(
        f"\n  JOIN wekaconf_far{i} f{i} ON f{i}.instance = f0.instance AND f{i}.node = f0.node"
        for i in range(1, len(groups))
    )
    tables["furthest"] = f"SELECT f0.instance, f0.share, {furthest} AS far\n  FROM wekaconf_far0 f0{others}"
    has_deviations = any(isinstance(test, DeviationTest) for node, _ in stops for test in limits[node] or ())
    tables |= (
        _tails(dialect)
        if has_deviations
        else {"tail": "SELECT instance, share, CASE WHEN far > 0 THEN 0 ELSE 1 END AS tail\n  FROM wekaconf_furthest"}
    )
    total = "sum(share * tail)"
    tables["inside"] = (
        f"SELECT instance, CASE WHEN {total} > 1 THEN {one} ELSE {total} END AS certainty\n"
        "  FROM wekaconf_tail GROUP BY instance"
    )
    return tables


def _at(tests: LeafTests, column: int) -> DeviationTest | RangeTest | ValueTest | None:
    return next((test for test in tests or () if test.column == column), None)


class _Column:
    """The tests of a column at all nodes, as columns of a table."""

    def __init__(
        self, column: int, tests: Sequence[DeviationTest | RangeTest | ValueTest | None], dialect: Dialect
    ) -> None:
        self.column, self.tests, self.dialect = column, tests, dialect
        self.of_values = next((test for test in tests if isinstance(test, ValueTest)), None)
        self.has_deviations = any(isinstance(test, DeviationTest) for test in tests)

    def names(self) -> list[str]:
        """The names of the columns of the table."""
        if self.of_values is not None:
            return [f"accepts{self.column}"]
        deviation = [f"center{self.column}", f"scale{self.column}"] if self.has_deviations else []
        return [f"low{self.column}", f"high{self.column}", *deviation]

    def cells(self, place: int) -> Iterator[str]:
        """The cells of a node; those of the first say of which type each column is."""
        test = self.tests[place]
        if self.of_values is not None:
            accepts = test.accepts if isinstance(test, ValueTest) else (True,) * len(self.of_values.accepts)
            yield self.dialect.text_of("".join(str(int(each)) for each in accepts))
            return
        numbers = [math.nan] * len(self.names())
        if isinstance(test, RangeTest):
            numbers[:2] = test.lower, test.upper
        elif isinstance(test, DeviationTest):
            reach = 2 * MOST_DEVIATIONS * test.half_scale
            numbers = [test.center - reach, test.center + reach, test.center, test.half_scale]
        for number in numbers:
            text = "NULL" if math.isnan(number) else self.dialect.number_of(number)
            yield text if place else self.dialect.as_double(text)

    def deviation(self) -> str:
        """How far the cell of a row is from the center; 0 inside limits without one, `MOST_DEVIATIONS` outside."""
        cell, i, dialect = f"c.c{self.column}", self.column, self.dialect
        far, none = dialect.near(MOST_DEVIATIONS), dialect.near(0.0)
        if self.of_values is not None:
            ends = self.of_values.ends
            place = cell if ends is None else interval(cell, ends, dialect)
            flag = f"substr(l.accepts{i}, {place} + 1, 1)"
            return f"CASE WHEN {cell} IS NOT NULL AND {flag} = '0' THEN {far} ELSE {none} END"
        inside = none
        if self.has_deviations:
            half = dialect.near(0.5)
            distance = f"abs({half} * {cell} - {half} * l.center{i}) / l.scale{i}"
            inside = f"CASE WHEN {cell} IS NOT NULL AND l.scale{i} > 0 THEN {distance} ELSE {none} END"
        return f"CASE WHEN {cell} < l.low{i} OR {cell} > l.high{i} THEN {far} ELSE {inside} END"


def _tails(dialect: Dialect) -> dict[str, str]:
    """The tables up to ``tail``, the tail probabilities erfc(far / √2)."""
    near = dialect.near
    least = 1 / 14
    near_one = f"{near(2.0)} / ({near(2.0)} + z)"
    scaled = f"({near(2.0)} * t - {near(1 + least)}) / {near(1 - least)}"
    polynomial = "(" * (len(LOG_TAIL) - 1) + near(LOG_TAIL[-1])
    for coefficient in LOG_TAIL[-2::-1]:
        polynomial += f" * s {'-' if coefficient < 0 else '+'} {near(abs(coefficient))})"
    furthest = near(MOST_DEVIATIONS)
    return {
        "z": f"SELECT instance, share, far, far / {near(math.sqrt(2))} AS z\n  FROM wekaconf_furthest",
        "t": f"SELECT instance, share, far, z, {near_one} AS t\n  FROM wekaconf_z",
        "s": f"SELECT instance, share, far, z, t, {scaled} AS s\n  FROM wekaconf_t",
        "tail": f"SELECT instance, share, CASE WHEN far >= {furthest} THEN {near(0.0)} WHEN far = 0 THEN {near(1.0)}"
        f"\n    ELSE t * exp({polynomial} - z * z) END AS tail\n  FROM wekaconf_s",
    }
