"""Cells of a table as the numbers that a tree tests, in SQL; they are read as the texts that a CSV file holds.

They mean what `wekaconf.model.export._standalone` reads in such texts. SQLite alone keeps numbers beside texts in any
column, and its text of a number is not exact, so such a number stays one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, product
from typing import NamedTuple

from wekaconf.data import BOOLEANS, DATE_FORMAT, Attribute, csv_text, is_number, places_meant
from wekaconf.data.table_files import MISSING
from wekaconf.model.export._sql_dialects import Dialect, fill_template

SEVERAL = -1
"""The index for a text that may mean several of the declared values."""
N_COMPARED = 15
"""Texts of so many characters are compared with declared values by their numbers; they are equal if they are as
doubles."""


class CellReading(NamedTuple):
    """The expressions that read a column, in steps; each may use the names of those before it.

    Parameters
    ----------
    texts : mapping of str to str
        From a cell of the table: its trimmed text and, where they are needed, the text as it is, and whether it is one.
    zone, date : mapping of str to str
        Of a date in words: the length of its time zone, and its parts; else empty.
    meant : str
        The number, or the index of the declared value; NULL where there is none.
    is_unread : str
        Whether the model refuses such a cell.
    """

    texts: Mapping[str, str]
    zone: Mapping[str, str]
    date: Mapping[str, str]
    meant: str
    is_unread: str


def reading(column: Attribute, cell: str, i: int, dialect: Dialect) -> CellReading:
    """How to read a column.

    Parameters
    ----------
    column : Attribute
    cell : str
        The cell of the table.
    i : int
        The number of the column, with which the names of the steps end.
    dialect : Dialect
    """
    trimmed, meant = f"text{i}", f"meant{i}"
    text = fill_template(dialect.text, cell)
    texts = {trimmed: _real_or(dialect, cell, fill_template(dialect.trimmed, text))}
    if column.is_nominal:
        written = trimmed
        if any(value != value.strip() for value in column.values):
            written = f"written{i}"
            texts[written] = _real_or(dialect, cell, text)
        ways = [*_indices(column.values, written, trimmed, dialect)]
        of_both = f"coalesce({', '.join(ways)})" if len(ways) > 1 else ways[0]
        return CellReading(texts, {}, {}, of_both, f"{meant} = {SEVERAL}")
    number = _numbers(trimmed, dialect)
    is_unread = f"{meant} IS NULL AND {not_missing(trimmed, dialect)}"
    if column.kind != "date":
        return CellReading(texts, {}, {}, f"CASE {' '.join(number)} END", is_unread)
    # A text of digits such as 20241231 is no date; where a text may be in any time zone, none is.
    texts[f"is_text{i}"] = f"CASE WHEN {fill_template(dialect.is_text, cell)} THEN 1 ELSE 0 END"
    reads_texts = column.date_format == DATE_FORMAT
    is_date = f"({fill_template(dialect.is_instant, trimmed)})" + ("" if reads_texts else f" AND is_text{i} = 0")
    zone = {f"zone{i}": _zone_length(trimmed, is_date, dialect)}
    date = {f"{part}{i}": value for part, value in _parts(trimmed, f"zone{i}", dialect).items()}
    cases = [*(case.replace("WHEN ", f"WHEN is_text{i} = 0 AND ", 1) for case in number),
             f"WHEN {_exists(i)} THEN {_instant(i, dialect)}"]  # fmt: skip
    return CellReading(texts, zone, date, f"CASE {' '.join(cases)} END", is_unread)


def not_missing(text: str, dialect: Dialect) -> str:
    """Whether a trimmed text does not mean a missing value."""
    others = dialect.texts(word for word in MISSING if word.lower() != "nan")
    return f"{text} NOT IN {others} AND lower({text}) NOT IN ('nan', '+nan', '-nan')"


def _real_or(dialect: Dialect, cell: str, text: str) -> str:
    return f"CASE typeof({cell}) WHEN 'real' THEN {cell} ELSE {text} END" if dialect.keeps_reals else text


def _choice(what: str, results: Mapping[str, str]) -> str:
    return f"CASE {what} {' '.join(f'WHEN {case} THEN {result}' for case, result in results.items())} END"


def _numbers(text: str, dialect: Dialect) -> Iterator[str]:
    """The cases in which a trimmed text writes a number."""
    yield f"WHEN ({fill_template(dialect.is_number, text)}) THEN {fill_template(dialect.number, text)}"
    if dialect.has_infinity:
        yield f"WHEN lower({text}) IN ('inf', '+inf', 'infinity', '+infinity') THEN {dialect.infinity}"
        yield f"WHEN lower({text}) IN ('-inf', '-infinity') THEN -{dialect.infinity}"


# -- nominal values --------------------------------------------------------------------------------------------------


def _indices(values: tuple[str, ...], written: str, trimmed: str, dialect: Dialect) -> Iterator[str]:
    """The index of the declared value that a cell means: by its text, its number and its truth, where some are such.

    `places_meant` says of one spelling of each, which no value has, what it means.
    """
    stripped = {value.strip(): value for value in values}
    yield _choice(written, {dialect.text_of(value): str(place) for place, value in enumerate(values)})
    if written != trimmed:
        padded = {word: _unlike(values, (word + " " * n for n in count())) for word in stripped}
        yield _choice(trimmed, {dialect.text_of(word): _index(values, other) for word, other in padded.items()})
    by_number = {}
    for each in sorted(
        {0.0, 1.0, *(float(value) for value in values if is_number(value) and float(value) == float(value))}
    ):
        if math.isinf(each) and not dialect.has_infinity:
            continue
        of_text, of_number = _index(values, _unlike(values, _spellings(each))), _index(values, csv_text(each))
        if of_text != of_number and dialect.keeps_reals:
            by_number[each] = f"CASE typeof({trimmed}) WHEN 'real' THEN {of_number} ELSE {of_text} END"
        elif of_text != "NULL":
            by_number[each] = of_text
    if by_number:
        is_short = f"length({trimmed}) <= {N_COMPARED}".replace("length", dialect.length)
        is_short = f"(typeof({trimmed}) = 'real' OR {is_short})" if dialect.keeps_reals else is_short
        number = f"CASE WHEN {is_short} THEN CASE {' '.join(_numbers(trimmed, dialect))} END END"
        yield _choice(number, {dialect.number_of(each): place for each, place in by_number.items()})
    by_truth = {dialect.text_of(word): _index(values, _unlike(values, _cases(word))) for word in BOOLEANS}
    if set(by_truth.values()) != {"NULL"}:
        yield _choice(f"lower({trimmed})", by_truth)


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


# -- dates -----------------------------------------------------------------------------------------------------------


def _zone_length(text: str, is_date: str, dialect: Dialect) -> str:
    """How many characters at the end of a date name its time zone; NULL: it is no date."""
    whens = (f"WHEN substr({text}, {dialect.length}({text}) - {n - 1}, 1) IN ('+', '-') THEN {n}" for n in (6, 5, 3))
    return (
        f"CASE WHEN {is_date} THEN CASE WHEN {dialect.length}({text}) = 10 THEN 0"
        f" WHEN substr({text}, {dialect.length}({text}), 1) = 'Z' THEN 1 {' '.join(whens)} ELSE 0 END END"
    )


def _parts(text: str, zone: str, dialect: Dialect) -> dict[str, str]:
    """The parts of a date as whole numbers; NULL: it is none."""
    n, is_date = f"({dialect.length}({text}) - {zone})", f"{zone} >= 0"

    def whole(digits: str, when: str) -> str:
        other = "" if when == is_date else f" WHEN {is_date} THEN 0"
        return f"CASE WHEN {when} THEN CAST({digits} AS {dialect.integer}){other} END"

    def two(start: str | int, when: str) -> str:
        return whole(f"substr({text}, {start}, 2)", when)

    fraction = fill_template(dialect.concat, f"substr({text}, 21, {n} - 20)", "'00'")
    return {
        "year": whole(f"substr({text}, 1, 4)", is_date),
        "month": two(6, is_date),
        "day": two(9, is_date),
        "hour": two(12, f"{n} > 10"),
        "minute": two(15, f"{n} > 10"),
        "second": two(18, f"{n} > 16"),
        "millisecond": whole(f"substr({fraction}, 1, 3)", f"{n} > 20"),
        "east": f"CASE substr({text}, {n} + 1, 1) WHEN '-' THEN -1 ELSE 1 END",
        "zone_hour": two(f"{n} + 2", f"{zone} > 1"),
        "zone_minute": two(f"{n} + {zone} - 1", f"{zone} > 3"),
    }


def _exists(i: int) -> str:
    """Whether there is such a date."""
    by = {n: f"(year{i} % {n})" for n in (4, 100, 400)}
    is_leap = f"{by[4]} = 0 AND ({by[100]} <> 0 OR {by[400]} = 0)"
    return (
        f"year{i} > 0 AND month{i} BETWEEN 1 AND 12 AND hour{i} < 24 AND minute{i} < 60 AND second{i} < 60"
        f" AND zone_hour{i} < 24 AND day{i} BETWEEN 1 AND CASE WHEN month{i} IN (4, 6, 9, 11) THEN 30"
        f" WHEN month{i} <> 2 THEN 31 WHEN {is_leap} THEN 29 ELSE 28 END"
    )


def _instant(i: int, dialect: Dialect) -> str:
    """The milliseconds since 1970 in UTC, as years that begin with March count the days."""
    year = f"(year{i} - CASE WHEN month{i} <= 2 THEN 1 ELSE 0 END)"
    leap_days = " ".join(f"{sign} {_quotient(year, n)}" for sign, n in (("+", 4), ("-", 100), ("+", 400)))
    months = f"((month{i} + 9) % 12)"
    days = f"365 * {year} {leap_days} + {_quotient(f'(153 * {months} + 2)', 5)} + day{i} - 719469"
    minutes = f"{dialect.as_double(days)} * 1440 + hour{i} * 60 + minute{i}"
    return f"({minutes} - east{i} * (zone_hour{i} * 60 + zone_minute{i})) * 60000 + second{i} * 1000 + millisecond{i}"


def _quotient(number: str, divisor: int) -> str:
    """A whole quotient; / gives a fraction in some databases."""
    return f"({number} - ({number} % {divisor})) / {divisor}"
