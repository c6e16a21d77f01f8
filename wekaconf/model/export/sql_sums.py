"""Sums of terms and the pool of distributions as tables of a query; they need the functions exp and ln."""

from __future__ import annotations

import math

from wekaconf.model.export.exported_model import Pool
from wekaconf.model.export.exported_sides import CellsTerm, LineTerm, SumSide
from wekaconf.model.export.sql_literals import double, exact, joined


def sum_of_terms(side: SumSide, suffix: str) -> dict[str, str]:
    """The tables ``places``, a row per instance, and ``sum``, a row per instance and class with its ``x``.

    A place is the index of an interval or of a nominal value, NULL where it is missing, or a number in deviations.
    """
    places = "".join(f",\n  {_place(term)} AS place{i}" for i, term in enumerate(side.terms))
    sums = (
        joined(
            [
                exact(start) if math.isinf(start) else double(start),
                *(_adds(term, f"place{i}", c) for i, term in enumerate(side.terms)),
            ],
            "\n    + ",
        )
        for c, start in enumerate(side.start)
    )
    whens = "".join(f"\n   WHEN {c} THEN {total}" for c, total in enumerate(sums))
    return {
        f"places{suffix} AS MATERIALIZED": f"SELECT instance{places}\n  FROM wekaconf_cells WHERE is_refused = 0",
        f"sum{suffix} AS MATERIALIZED": f"SELECT instance, class, CASE class{whens}\n  END AS x\n"
        f"  FROM wekaconf_places{suffix} CROSS JOIN wekaconf_classes",
    }


def _place(term: CellsTerm | LineTerm) -> str:
    cell = f"c{term.column}"
    if isinstance(term, LineTerm):
        deviation, furthest = f"({cell} - {exact(term.center)}) / {double(term.spread)}", double(term.furthest)
        return (
            f"CASE WHEN {cell} IS NULL THEN 0e0 WHEN {deviation} > {furthest} THEN {furthest}"
            f" WHEN {deviation} < -{furthest} THEN -{furthest} ELSE {deviation} END"
        )
    if term.ends is None:
        return cell
    whens = "".join(f" WHEN {cell} <= {exact(end)} THEN {i}" for i, end in enumerate(term.ends))
    return f"CASE{whens} WHEN {cell} IS NOT NULL THEN {len(term.ends)} END"


def _adds(term: CellsTerm | LineTerm, place: str, c: int) -> str:
    if isinstance(term, LineTerm):
        return f"{place} * {double(term.slope[c])}"
    whens = " ".join(f"WHEN {i} THEN {double(row[c])}" for i, row in enumerate(term.adds))
    return f"CASE {place} {whens} ELSE {double(term.missing[c])} END"


def shares(table: str, said: str) -> dict[str, str]:
    """From the ``x`` of each class the table ``said``: probabilities in proportion to their exponentials."""
    return {
        f"highest_{table} AS MATERIALIZED": f"SELECT instance, max(x) AS x FROM wekaconf_{table} GROUP BY instance",
        f"power_{table} AS MATERIALIZED": "SELECT s.instance AS instance, s.class AS class, exp(s.x - h.x) AS power\n"
        f"  FROM wekaconf_{table} AS s JOIN wekaconf_highest_{table} AS h ON h.instance = s.instance",
        f"{said} AS MATERIALIZED": "SELECT instance, class, power / sum(power) OVER (PARTITION BY instance) AS p\n"
        f"  FROM wekaconf_power_{table}",
    }


def pooled(pool: Pool) -> str:
    """The weighted sums of the logarithms that the tables ``said0`` and so on give."""
    sides = range(len(pool.weights))
    held = [
        f"CASE WHEN s{i}.p > {double(pool.least)} THEN ln(s{i}.p) ELSE {double(math.log(pool.least))} END"
        for i in sides
    ]
    total = "\n   + ".join(f"{double(weight)} * {log}" for weight, log in zip(pool.weights, held, strict=True))
    others = "".join(
        f"\n  JOIN wekaconf_said{i} AS s{i} ON s{i}.instance = s0.instance AND s{i}.class = s0.class" for i in sides[1:]
    )
    return f"SELECT s0.instance AS instance, s0.class AS class,\n   {total} AS x\n  FROM wekaconf_said0 AS s0{others}"
