"""Cells of a table as the numbers that a tree tests, in the SQL that SQLite and DuckDB share.

They are read as `wekaconf.model.export.standalone` reads them. The databases differ in their types, and SQLite in
those of the cells of one column, so the type of each cell says how it is read.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, product
from typing import NamedTuple

from wekaconf.data.cells import BOOLEANS, csv_text, is_number
from wekaconf.data.columns import DATE_FORMAT
from wekaconf.data.declared_values import places_meant
from wekaconf.data.header import Attribute
from wekaconf.data.table_files.base import MISSING
from wekaconf.model.export.sql_literals import exact, text_of, texts_of

TEXT = "('text', 'VARCHAR')"
FRACTION = "('real', 'FLOAT', 'DOUBLE')"
"""The types of texts, and of numbers whose text is not the number; DECIMAL is another."""
WHOLE = (
    "('integer', 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', "
    "'UBIGINT', 'UHUGEINT', 'BOOLEAN')"
)
"""The types of whole numbers, and of truth values, which are 1 and 0 in SQLite."""
BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001))))
DIGITS = "0123456789"
N_COMPARED = 15
"""Two numbers of so many digits are equal if they are so as DOUBLE."""
LARGEST = "1.7976931348623157e308"
SEVERAL = -1
"""The index for a text that may mean several of the declared values."""


class CellReading(NamedTuple):
    """The expressions that read a column, in three steps.

    Parameters
    ----------
    text, number : str
        From a cell of the table: its text, or its number; NULL where it is missing, or the other is there.
    meant : str
        From these two: the number, or the index of the declared value; NULL where there is none.
    is_unread : str
        From all three: whether the model refuses such a cell.
    """

    text: str
    number: str
    meant: str
    is_unread: str


def reading(column: Attribute, cell: str, text: str, number: str, meant: str) -> CellReading:
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
    as_text = f'(CAST({cell} AS VARCHAR) COLLATE "binary")'  # the column may tell no case
    if column.is_nominal:
        ways = [*_indices(column.values, text, number)]
        of_both = f"coalesce({', '.join(ways)})" if len(ways) > 1 else ways[0]
        is_unread = f"{meant} = {SEVERAL}"
    else:
        is_number += f" OR typeof({cell}) IN {WHOLE}"
        as_text = _unless_missing(column, cell, as_text)
        of_text = _instant(text) if column.kind == "date" else _number(text)
        # A NaN of DuckDB is larger than ∞, and equal to itself with the other sign.
        of_both = f"CASE WHEN {number} <= {LARGEST} OR -{number} < {number} THEN {number} ELSE {of_text} END"
        is_unread = f"{text} IS NOT NULL AND {meant} IS NULL"
    return CellReading(
        f"CASE WHEN {is_number} THEN NULL ELSE {as_text} END",
        f"CASE WHEN {is_number} THEN CAST({cell} AS DOUBLE) END",
        of_both,
        is_unread,
    )


def _unless_missing(column: Attribute, cell: str, as_text: str) -> str:
    """The trimmed text of a number or a date; one that is no date where words may be in any time zone."""
    trimmed = _trimmed(as_text)
    is_missing = f"{trimmed} IN {texts_of(MISSING)} OR lower(ltrim({trimmed}, '+-')) = 'nan'"
    known = f"CASE WHEN NOT ({is_missing}) THEN {trimmed} END"
    if column.kind == "date" and column.date_format != DATE_FORMAT:
        return f"CASE WHEN typeof({cell}) IN {TEXT} THEN {known} || ' somewhere' ELSE {known} END"
    return known


def _choice(what: str, results: Mapping[str, str]) -> str:
    return f"CASE {what} {' '.join(f'WHEN {case} THEN {result}' for case, result in results.items())} END"


def _trimmed(text: str) -> str:
    return f"trim({text}, '{BLANKS}')"


# -- nominal values --------------------------------------------------------------------------------------------------


def _indices(values: tuple[str, ...], text: str, number: str) -> Iterator[str]:
    """The index of the declared value that a cell means: by its text, its number and its truth, where some are such.

    `places_meant` says of one spelling of each, which no value has, what it means.
    """
    stripped = {value.strip(): value for value in values}
    if [*stripped] == [*values]:
        yield _choice(_trimmed(text), {text_of(value): str(place) for place, value in enumerate(values)})
    else:
        yield _choice(text, {text_of(value): str(place) for place, value in enumerate(values)})
        padded = {word: _unlike(values, (word + " " * n for n in count())) for word in stripped}
        yield _choice(_trimmed(text), {text_of(word): _index(values, other) for word, other in padded.items()})
    by_number = {}
    for each in sorted(
        {0.0, 1.0, *(float(value) for value in values if is_number(value) and float(value) == float(value))}
    ):
        of_text, of_number = _index(values, _unlike(values, _spellings(each))), _index(values, csv_text(each))
        if of_text != of_number:
            by_number[exact(each)] = f"CASE WHEN {text} IS NULL THEN {of_number} ELSE {of_text} END"
        elif of_number != "NULL":
            by_number[exact(each)] = of_number
    if by_number:
        yield _choice(f"coalesce({number}, {_number(_trimmed(text), most_digits=N_COMPARED)})", by_number)
    by_truth = {text_of(word): _index(values, _unlike(values, _cases(word))) for word in BOOLEANS}
    if set(by_truth.values()) != {"NULL"}:
        yield _choice(f"lower({_trimmed(text)})", by_truth)


def _unlike(values: tuple[str, ...], spellings: Iterable[str]) -> str:
    """The first spelling that no value has."""
    return next(text for text in spellings if text not in values)


def _index(values: tuple[str, ...], text: str) -> str:
    """The index of the value that a text means."""
    places = next(iter(places_meant([text], values)))
    return str(SEVERAL if len(places) > 1 else places[0]) if places else "NULL"


def _spellings(number: float) -> Iterator[str]:
    """Texts that write a number."""
    if math.isinf(number):
        return (f"{'-' * (number < 0)}{text}" for text in _cases("infinity"))
    return (f"{'-' * (number < 0)}{'0' * zeros}{abs(number)!r}" for zeros in count())


def _cases(word: str) -> Iterator[str]:
    """A word with each letter in small and capital."""
    return map("".join, product(*((letter, letter.upper()) for letter in word)))


# -- numbers ---------------------------------------------------------------------------------------------------------


def _number(text: str, most_digits: int | None = None) -> str:
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
        *([] if most_digits is None else [f"length(trim({digits}, '0')) <= {most_digits}"]),
    )
    infinite, negative = exact(math.inf), exact(-math.inf)
    return (
        f"CASE WHEN {' AND '.join(conditions)} THEN nullif(nullif(CAST({text} AS DOUBLE), {infinite}), {negative})"
        f" WHEN lower({text}) IN ('inf', '+inf', 'infinity', '+infinity') THEN {infinite}"
        f" WHEN lower({text}) IN ('-inf', '-infinity') THEN {negative} END"
    )


# -- dates -----------------------------------------------------------------------------------------------------------


class DateParts(NamedTuple):
    """Parts of a text such as 2024-12-31, 2024-12-31 12:30 or 2024-12-31T12:30:00.5+01:00, each an expression."""

    year: str
    month: str
    day: str
    hour: str
    minute: str
    second: str
    fraction: str
    zone: str
    """Empty, Z, or the hours and minutes east of Greenwich."""


def _date_parts(text: str) -> DateParts:
    """The parts by their places in a trimmed text, whether digits or not."""
    time = f"substr({text}, 12)"
    has_seconds = f"substr({time}, 6, 1) = ':'"
    rest = f"substr({time}, CASE WHEN {has_seconds} THEN 9 ELSE 6 END)"
    has_fraction = f"{has_seconds} AND substr({rest}, 1, 1) = '.'"
    zone = f"CASE WHEN {has_fraction} THEN ltrim(substr({rest}, 2), '{DIGITS}') ELSE {rest} END"
    return DateParts(
        year=f"substr({text}, 1, 4)",
        month=f"substr({text}, 6, 2)",
        day=f"substr({text}, 9, 2)",
        hour=f"substr({time}, 1, 2)",
        minute=f"substr({time}, 4, 2)",
        second=f"CASE WHEN {has_seconds} THEN substr({time}, 7, 2) ELSE '00' END",
        fraction=f"CASE WHEN {has_fraction} THEN substr({rest}, 2, length({rest}) - length({zone}) - 1) ELSE '0' END",
        zone=zone,
    )


def _instant(text: str) -> str:
    """The milliseconds since 1970 of a date in words, in UTC unless it names another zone; NULL: it is none."""
    parts = _date_parts(text)
    year, month, day, hour, minute, second = map(_whole, parts[:6])
    offset = f"replace(substr({parts.zone}, 2), ':', '')"
    east_hour, east_minute = (_whole(f"substr({offset}, {place}, 2)") for place in (1, 3))
    is_leap = f"{year} % 4 = 0 AND ({year} % 100 <> 0 OR {year} % 400 = 0)"
    last = f"CASE WHEN {month} = 2 THEN 28 + CASE WHEN {is_leap} THEN 1 ELSE 0 END"
    last += f" WHEN {month} IN (4, 6, 9, 11) THEN 30 ELSE 31 END"
    exists = (
        f"{year} >= 1 AND {month} BETWEEN 1 AND 12 AND {day} BETWEEN 1 AND {last} AND {hour} < 24 AND {minute} < 60"
        f" AND {second} < 60 AND {east_hour} < 24 AND {east_minute} < 60"
    )
    sign = f"CASE substr({parts.zone}, 1, 1) WHEN '+' THEN 1 WHEN '-' THEN -1 ELSE 0 END"
    minutes = (
        f"({_days(year, month, day)} * 1440e0 + {hour} * 60 + {minute} - {sign} * ({east_hour} * 60 + {east_minute}))"
    )
    milliseconds = _whole(f"substr({parts.fraction} || '00', 1, 3)")
    value = f"{minutes} * 60000e0 + {second} * 1000 + {milliseconds}"
    return f"CASE WHEN {_is_date(text, parts, offset)} THEN CASE WHEN {exists} THEN {value} END END"


def _is_date(text: str, parts: DateParts, offset: str) -> str:
    """Whether digits and marks are where a date has them."""
    day, clock = " || ".join(parts[:3]), " || ".join(f"({part})" for part in parts[3:6])
    marks = f"substr({text}, 5, 1) || substr({text}, 8, 1) = '--'"
    is_zone = (
        f"({parts.zone} IN ('', 'Z') OR substr({parts.zone}, 1, 1) IN ('+', '-') AND ltrim({offset}, '{DIGITS}') = ''"
        f" AND (length({parts.zone}) IN (3, 5) AND length({offset}) = length({parts.zone}) - 1"
        f" OR length({parts.zone}) = 6 AND length({offset}) = 4 AND substr({parts.zone}, 4, 1) = ':'))"
    )
    is_time = (
        f"substr({text}, 11, 1) IN ('T', ' ') AND substr({text}, 14, 1) = ':' AND length({clock}) = 6"
        f" AND ltrim({clock}, '{DIGITS}') = '' AND {parts.fraction} <> '' AND {is_zone}"
    )
    return f"{marks} AND length({day}) = 8 AND ltrim({day}, '{DIGITS}') = '' AND (length({text}) = 10 OR {is_time})"


def _whole(digits: str) -> str:
    """The number of some digits; 0 for none."""
    return f"CAST('0' || ({digits}) AS INTEGER)"


def _days(year: str, month: str, day: str) -> str:
    """The days since 1970-01-01, as years that begin with March count them."""
    since_march = f"({year} - CASE WHEN {month} <= 2 THEN 1 ELSE 0 END)"
    leap_days = " ".join(f"{sign} {_quotient(since_march, n)}" for sign, n in (("+", 4), ("-", 100), ("+", 400)))
    return f"(365 * {since_march} {leap_days} + {_quotient(f'(153 * (({month} + 9) % 12) + 2)', 5)} + {day} - 719469)"


def _quotient(number: str, divisor: int) -> str:
    """A whole quotient; / gives a fraction in DuckDB."""
    return f"(({number} - {number} % {divisor}) / {divisor})"
