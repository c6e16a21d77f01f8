"""Cells of a table as the numbers that a tree tests, in the SQL that SQLite and DuckDB share.

They are read as `wekaconf.model.export.standalone` reads them. The databases differ in their types, and SQLite in
those of the cells of one column, so the type of each cell says how it is read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import count, product
from typing import NamedTuple

from wekaconf.data.columns import DATE_FORMAT
from wekaconf.data.header import Attribute
from wekaconf.model.export.sql_literals import exact, text_of, texts_of
from wekaconf.model.export.standalone import MISSING, place_of, plain_number

TEXT = "('text', 'VARCHAR')"
FRACTION = "('real', 'FLOAT', 'DOUBLE')"
"""The types of texts, and of numbers whose text is not the number; DECIMAL is another."""
WHOLE = (
    "('integer', 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', "
    "'UBIGINT', 'UHUGEINT', 'BOOLEAN')"
)
"""The types of whole numbers, and of truth values, which are 1 and 0 in SQLite."""
DIGITS = "0123456789"
LARGEST = "1.7976931348623157e308"
SEVERAL = -1
"""The index for a text that may mean several of the declared values."""


class Reading(NamedTuple):
    """The expressions that read a column, in three steps.

    Parameters
    ----------
    text, number : str
        From a cell of the table: its text, or its number; NULL where it is missing, or the other is there.
    meant : str
        From these two: the number, or the index of the declared value; NULL where there is none.
    is_unread : str
        From all three: whether the model refuses such a cell. Empty: it refuses none.
    """

    text: str
    number: str
    meant: str
    is_unread: str


def reading(column: Attribute, cell: str, text: str, number: str, meant: str) -> Reading:
    """How to read a column.

    Parameters
    ----------
    column : Attribute
    cell : str
        The cell of the table.
    text, number, meant : str
        What the earlier steps are called in the later ones.
    """
    is_number = f"typeof({cell}) IN {FRACTION} OR typeof({cell}) LIKE 'DECIMAL%'"
    as_text = f"CAST({cell} AS VARCHAR) || ''"  # which, unlike the cell, has no collation
    if column.is_nominal:
        by_text = _choice(text, {text_of(value): str(i) for i, value in enumerate(column.values)})
        ways = [by_text, *_index_by_number(column.values, text, number)]
        indices = f"coalesce({', '.join(ways)})" if len(ways) > 1 else by_text
        is_unread = f"{meant} = {SEVERAL}" if f" THEN {SEVERAL}" in indices else ""
    else:
        is_number += f" OR typeof({cell}) IN {WHOLE}"
        trimmed = _trimmed(as_text)
        is_missing = f"{trimmed} IN {texts_of(MISSING)} OR lower(ltrim({trimmed}, '+-')) = 'nan'"
        as_text = f"CASE WHEN NOT ({is_missing}) THEN {trimmed} END"
        if column.kind == "date" and column.date_format != DATE_FORMAT:
            as_text = f"CASE WHEN typeof({cell}) IN {TEXT} THEN {as_text} || ' somewhere' ELSE {as_text} END"
        of_text = _instant(text) if column.kind == "date" else _number(text)
        # A NaN of DuckDB is larger than ∞, and equal to itself with the other sign.
        indices = f"CASE WHEN {number} <= {LARGEST} OR -{number} < {number} THEN {number} ELSE {of_text} END"
        is_unread = f"{text} IS NOT NULL AND {meant} IS NULL"
    return Reading(
        f"CASE WHEN {is_number} THEN NULL ELSE {as_text} END",
        f"CASE WHEN {is_number} THEN CAST({cell} AS DOUBLE) END",
        indices,
        is_unread,
    )


def _choice(what: str, results: Mapping[str, str]) -> str:
    return f"CASE {what} {' '.join(f'WHEN {case} THEN {result}' for case, result in results.items())} END"


def _trimmed(text: str) -> str:
    return f"trim({text}, ' \t\n\r\v\f')"


# -- nominal values --------------------------------------------------------------------------------------------------


def _index_by_number(values: tuple[str, ...], text: str, number: str) -> Iterator[str]:
    """The indices of the values that a number means, and those that true and false mean, where there are such."""
    known = {number for value in values if (number := plain_number(value)) is not None and not math.isnan(number)}
    by_number = {}
    for each in sorted(known | {0.0, 1.0}):
        written, itself = _index(values, next(s for s in _spellings(each) if s not in values)), _index(values, each)
        if written != itself:
            by_number[exact(each)] = f"CASE WHEN {text} IS NULL THEN {itself} ELSE {written} END"
        elif itself != "NULL":
            by_number[exact(each)] = itself
    if by_number:
        yield _choice(f"coalesce({number}, {_number(_trimmed(text))})", by_number)
    truth = {
        text_of(word): _index(values, next(s for s in _cases(word) if s not in values)) for word in ("true", "false")
    }
    if set(truth.values()) != {"NULL"}:
        yield _choice(f"lower({text})", truth)


def _index(values: tuple[str, ...], cell: str | float) -> str:
    """The index of the value that a cell means."""
    try:
        place = place_of(values, cell)
    except ValueError:
        place = SEVERAL
    return "NULL" if place is None else str(place)


def _spellings(number: float) -> Iterator[str]:
    """Texts that write a number."""
    if math.isinf(number):
        return (f"{'-' * (number < 0)}{text}" for text in _cases("infinity"))
    return (f"{'-' * (number < 0)}{'0' * zeros}{abs(number)!r}" for zeros in count())


def _cases(word: str) -> Iterator[str]:
    """A word with each letter in small and capital."""
    return map("".join, product(*((letter, letter.upper()) for letter in word)))


# -- numbers ---------------------------------------------------------------------------------------------------------


def _number(text: str) -> str:
    """The number that a trimmed text writes, NULL if it writes none; a CAST alone would read '2,26' as 2 in SQLite."""
    unsigned = f"ltrim({text}, '+-')"
    after = f"ltrim({unsigned}, '{DIGITS}.')"
    n_before = f"length({unsigned}) - length({after})"
    digits = f"replace(substr({unsigned}, 1, {n_before}), '.', '')"
    power = f"ltrim(substr({after}, 2), '+-')"
    conditions = (
        f"length({text}) - length({unsigned}) <= 1",
        f"{digits} <> ''",
        f"{n_before} - length({digits}) <= 1",
        f"({after} = '' OR lower(substr({after}, 1, 1)) = 'e' AND {power} <> '' AND ltrim({power}, '{DIGITS}') = ''"
        f" AND length({after}) - length({power}) <= 2)",
    )
    infinite, negative = exact(math.inf), exact(-math.inf)
    return (
        f"CASE WHEN {' AND '.join(conditions)} THEN nullif(nullif(CAST({text} AS DOUBLE), {infinite}), {negative})"
        f" WHEN lower({text}) IN ('inf', '+inf', 'infinity', '+infinity') THEN {infinite}"
        f" WHEN lower({text}) IN ('-inf', '-infinity') THEN {negative} END"
    )


# -- dates -----------------------------------------------------------------------------------------------------------


def _instant(text: str) -> str:
    """The milliseconds since 1970 of a date such as 2024-12-31, 2024-12-31 12:30 or 2024-12-31T12:30:00.5+01:00."""
    time = f"substr({text}, 12)"
    has_seconds = f"substr({time}, 6, 1) = ':'"
    after = f"substr({time}, CASE WHEN {has_seconds} THEN 9 ELSE 6 END)"
    zone = f"CASE WHEN substr({after}, 1, 1) = '.' THEN ltrim(substr({after}, 2), '{DIGITS}') ELSE {after} END"
    offset = f"replace(substr({zone}, 2), ':', '')"
    fraction = f"substr({after}, 2, length({after}) - length({zone}) - 1)"
    seconds = f"CASE WHEN {has_seconds} THEN substr({time}, 7, 2) ELSE '00' END"
    digits = f"substr({text}, 1, 4) || substr({text}, 6, 2) || substr({text}, 9, 2)"
    clock = f"substr({time}, 1, 2) || substr({time}, 4, 2) || {seconds}"
    is_zone = (
        f"({zone} IN ('', 'Z') OR substr({zone}, 1, 1) IN ('+', '-') AND ltrim({offset}, '{DIGITS}') = ''"
        f" AND length({offset}) IN (2, 4) AND length({zone}) - length({offset}) <= 2"
        f" AND (length({zone}) < 6 OR substr({zone}, 4, 1) = ':') AND length({zone}) <> 4)"
    )
    is_time = (
        f"length({text}) = 10 OR substr({text}, 11, 1) IN ('T', ' ') AND substr({time}, 3, 1) = ':'"
        f" AND length({clock}) = 6 AND ltrim({clock}, '{DIGITS}') = '' AND {is_zone}"
        f" AND (substr({after}, 1, 1) <> '.' OR {has_seconds} AND {fraction} <> '')"
    )
    is_date = (
        f"substr({text}, 5, 1) || substr({text}, 8, 1) = '--' AND length({digits}) = 8"
        f" AND ltrim({digits}, '{DIGITS}') = '' AND ({is_time})"
    )
    year, month, day = (_whole(f"substr({text}, {place})") for place in ("1, 4", "6, 2", "9, 2"))
    hour, minute, second = _whole(f"substr({time}, 1, 2)"), _whole(f"substr({time}, 4, 2)"), _whole(seconds)
    is_leap = f"{year} % 4 = 0 AND ({year} % 100 <> 0 OR {year} % 400 = 0)"
    last = f"CASE {month} WHEN 2 THEN CASE WHEN {is_leap} THEN 29 ELSE 28 END"
    last += " WHEN 4 THEN 30 WHEN 6 THEN 30 WHEN 9 THEN 30 WHEN 11 THEN 30 ELSE 31 END"
    exists = (
        f"{year} >= 1 AND {month} BETWEEN 1 AND 12 AND {day} BETWEEN 1 AND {last} AND {hour} < 24 AND {minute} < 60"
        f" AND {second} < 60 AND {_whole(f'substr({offset}, 1, 2)')} < 24 AND {_whole(f'substr({offset}, 3, 2)')} < 60"
    )
    east = f"({_whole(f'substr({offset}, 1, 2)')} * 60 + {_whole(f'substr({offset}, 3, 2)')})"
    east = f"CASE substr({zone}, 1, 1) WHEN '+' THEN {east} WHEN '-' THEN -{east} ELSE 0 END"
    milliseconds = f"CASE WHEN substr({after}, 1, 1) = '.' THEN {_whole(f'substr({fraction} || {chr(39)}00{chr(39)}, 1, 3)')} ELSE 0 END"
    minutes = f"({_days(year, month, day)} * 1440 + {hour} * 60 + {minute} - {east})"
    value = f"CAST({minutes} * 60000 + {second} * 1000 + {milliseconds} AS DOUBLE)"
    return f"CASE WHEN {is_date} THEN CASE WHEN {exists} THEN {value} END END"


def _whole(digits: str) -> str:
    """The number of some digits; 0 for none."""
    return f"CAST('0' || {digits} AS INTEGER)"


def _days(year: str, month: str, day: str) -> str:
    """The days since 1970-01-01, as years that begin with March count them."""
    march_year = f"({year} - CASE WHEN {month} <= 2 THEN 1 ELSE 0 END)"
    leap_days = " ".join(f"{sign} {_quotient(march_year, n)}" for sign, n in (("+", 4), ("-", 100), ("+", 400)))
    return f"(365 * {march_year} {leap_days} + {_quotient(f'(153 * (({month} + 9) % 12) + 2)', 5)} + {day} - 719469)"


def _quotient(number: str, divisor: int) -> str:
    """A whole quotient; / gives a fraction in DuckDB."""
    return f"(({number} - {number} % {divisor}) / {divisor})"
