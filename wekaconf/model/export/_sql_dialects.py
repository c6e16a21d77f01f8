"""The databases as data: how each quotes, reads cells and writes numbers; the rest of a query is common to all."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001))))
"""What may stand around a cell."""
NUMBER = "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,5})?$"
SHORT_NUMBER = NUMBER.replace("1,5", "1,3")
INSTANT = "^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[-+][0-9]{2}(:?[0-5][0-9])?)?)?$"
"""Dates such as 2024-12-31, 2024-12-31 12:30 and 2024-12-31T12:30:00.5+01:00."""
LARGEST = "1.7976931348623157e308"
_PLACE = re.compile(r"\{([01])\}")
MOST_JOINED = 100
"""Expressions in one pair of brackets; databases refuse one that is a thousand deep, as a + b + … is."""


@dataclass(frozen=True)
class Dialect:
    """How a database writes what the databases write differently.

    Parameters
    ----------
    title : str
        The database, for people.
    text : str
        A cell ``{0}`` as a text.
    load : str
        How a user loads the file ``{0}``, whose cells ``{1}`` separates, into the table of texts.
    is_text : str
        Whether the cell ``{0}`` is a text in the table, too.
    is_number, number : str
        Whether a trimmed text ``{0}`` writes a number that a double holds, and that number.
    quote : str
        Before and after a name; doubled inside.
    trimmed : str
        A text ``{0}`` without the blanks around it; these stand in a table of one row.
    blanks : str
        The content of that row, from the blanks ``{0}``.
    is_instant : str
        Whether a trimmed text ``{0}`` is a date in the form of `INSTANT`, which may not exist.
    double, integer : str
        The names of types.
    literal : str
        A number in double precision, from its decimal digits.
    infinity : str
        ∞, or the largest number where the database has no ∞.
    concat, length, greatest : str
        Functions and operators.
    rows : str
        Between the rows of a table that a query holds: a comma, after VALUES; or the word that begins the next one.
    materialized : str
        Behind the name of a table that must be computed once.
    whole : str
        At the end of such a table, where the database would rather compute its expressions wherever they are used.
    row_number : str
        The number of a row in the order of the table; with ``{0}``, where a database may compute it twice, and in
        another order, by the cells that the model reads: rows with the same cells get the same answer.
    most_nested : int
        The levels of a CASE in one expression.
    exact_digits : int
        A decimal number of so many digits is read as the double next to it.
    longest_name : int
        In bytes, or in characters where the database counts these; a longer one is cut.
    """

    title: str
    text: str
    load: str
    is_text: str
    is_number: str
    number: str
    quote: str = '"'
    trimmed: str = "trim({0}, wekaconf_blanks.blanks)"
    blanks: str = "{0}"
    is_instant: str = f"{{0}} ~ '{INSTANT}'"
    double: str = "DOUBLE"
    integer: str = "INTEGER"
    literal: str = "{0}e0"
    infinity: str = LARGEST
    concat: str = "{0} || {1}"
    length: str = "length"
    greatest: str = "greatest"
    rows: str = ","
    materialized: str = " MATERIALIZED"
    whole: str = ""
    row_number: str = "row_number() OVER ()"
    most_nested: int = 40
    exact_digits: int = 17
    longest_name: int = 10_000
    tells_case: bool = False
    """Whether x and X are two columns."""
    tells_blanks: bool = True
    """Whether two texts differ by a blank at the end."""
    has_infinity: bool = True
    keeps_reals: bool = False
    """Whether a cell of any column may be a double, whose text is not exact."""
    introducer: str = ""
    """Before a text that is not in ASCII."""
    has_escapes: bool = False
    """Whether a backslash may mean the character behind it."""
    refuses: str = ""
    """Names in lower case that no column can have, with a blank between them."""
    has_plane: bool = True
    """Whether a name may have characters beyond U+FFFF."""

    def name(self, text: str) -> str:
        """A quoted name."""
        return self.quote + text.replace(self.quote, 2 * self.quote) + self.quote

    def texts(self, texts: Iterable[str]) -> str:
        """Literal texts in parentheses, as IN wants them."""
        return f"({', '.join(map(self.text_of, texts))})"

    def text_of(self, text: str) -> str:
        """A literal text."""
        if self.has_escapes and "\\" in text:  # what it means depends on a setting
            return f"{self.introducer} 0x{text.encode().hex()}"
        is_plain = not self.introducer or text.isascii()
        return f"{'' if is_plain else self.introducer}'{text.replace(chr(39), 2 * chr(39))}'"

    def number_of(self, value: float) -> str:
        """The very number: the shortest decimal that reads back, where the database reads it right.

        Where it may not, it is the sum of two that it does, or else a whole number over powers of two.
        """
        if math.isinf(value):
            return self.infinity if value > 0 else f"-{self.infinity}"
        if self.exact_digits >= 17 or _is_safe(value, self.exact_digits):
            return self._decimal(value)
        first = float(f"{value:.{self.exact_digits - 1}e}")
        for n_digits in range(self.exact_digits):
            rest = float(f"{value - first:.{n_digits}e}")
            if first + rest == value and _is_safe(first, self.exact_digits) and _is_safe(rest, self.exact_digits):
                return f"({self._decimal(first)} {'-' if rest < 0 else '+'} {self._decimal(abs(rest))})"
        mantissa, exponent = math.frexp(value)
        exponent -= 53
        steps = [53] * (abs(exponent) // 53) + [abs(exponent) % 53]
        powers = "".join(f" {'*' if exponent > 0 else '/'} {float(2**step)!r}" for step in steps)
        return f"({int(mantissa * 2**53)}{powers})"

    def near(self, value: float) -> str:
        """The number to about its last digit."""
        return self.number_of(value) if math.isinf(value) else self._decimal(value)

    def _decimal(self, value: float) -> str:
        text = repr(value)
        return text if "e" in text else fill_template(self.literal, text)

    def as_double(self, text: str) -> str:
        """An expression as a number in double precision."""
        return f"CAST({text} AS {self.double})"

    def largest(self, expressions: Sequence[str]) -> str:
        """The largest of some numbers."""
        if len(expressions) == 1:
            return expressions[0]
        if len(expressions) <= MOST_JOINED // 2:
            return f"{self.greatest}({', '.join(expressions)})"
        half = len(expressions) // 2
        return f"{self.greatest}({self.largest(expressions[:half])}, {self.largest(expressions[half:])})"

    def table(self, rows: Iterable[Sequence[str]]) -> str:
        """A table of literal rows."""
        if self.rows == ",":
            listed = [f"({', '.join(row)})" for row in rows]
            return "VALUES " + (", " if max(map(len, listed)) < 12 else ",\n  ").join(listed)
        return f"\n  {self.rows} ".join(f"SELECT {', '.join(row)}" for row in rows)


def fill_template(template: str, *parts: str) -> str:
    """A template with the parts in the places {0} and {1}; other braces are those of patterns."""
    return _PLACE.sub(lambda place: parts[int(place[1])], template)


def _is_safe(value: float, digits: int) -> bool:
    """Whether every reader gets a decimal number right: by one division or product, also in extended precision."""
    shortest, exponent = Fraction(repr(abs(value))), 0
    while shortest.denominator != 1:
        shortest, exponent = shortest * 10, exponent + 1
    if shortest.numerator >= 10**digits or exponent > 22:
        return False
    return float(_rounded(Fraction(shortest, 10**exponent), 64)) == abs(value)


def _rounded(value: Fraction, bits: int) -> Fraction:
    """The number rounded to so many binary digits, halves to even."""
    if not value:
        return value
    shift = bits - (value.numerator.bit_length() - value.denominator.bit_length())
    scaled = round(value * Fraction(2) ** shift)
    while scaled.bit_length() > bits:
        shift -= 1
        scaled = round(value * Fraction(2) ** shift)
    return scaled / Fraction(2) ** shift


def join_expressions(expressions: Sequence[str], operator: str) -> str:
    """Expressions with an operator between them that does not care about brackets, such as + or OR."""
    if len(expressions) <= MOST_JOINED:
        return operator.join(expressions)
    groups = (expressions[i : i + MOST_JOINED] for i in range(0, len(expressions), MOST_JOINED))
    return join_expressions([f"({join_expressions(group, operator)})" for group in groups], operator)


_TIME = "[0-9][0-9]:[0-9][0-9]"
_DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
_ZONE = (
    "CASE WHEN substr({0}, 17) GLOB ':[0-9][0-9].[0-9]*' THEN ltrim(substr({0}, 21), '0123456789')"
    " WHEN substr({0}, 17) GLOB ':[0-9][0-9]*' THEN substr({0}, 20) ELSE substr({0}, 17) END"
)
_SQLITE_INSTANT = (
    f"{{0}} GLOB '{_DAY}' OR ({{0}} GLOB '{_DAY}[T ]{_TIME}*' AND ({_ZONE} IN ('', 'Z')"
    f" OR {_ZONE} GLOB '[-+][0-9][0-9]' OR {_ZONE} GLOB '[-+][0-9][0-9][0-5][0-9]'"
    f" OR {_ZONE} GLOB '[-+][0-9][0-9]:[0-5][0-9]'))"
)

DIALECTS = {
    "sqlite": Dialect(
        "SQLite 3.35 or newer",
        "CAST({0} AS TEXT)",
        load='.mode csv\n.separator "{1}"\n.import --skip 1 {0} instances_text',
        is_text="typeof({0}) = 'text'",
        # CAST('2,26' AS REAL) is 2; a text that is a number equals what it is as one, any other is no number's equal.
        is_number="typeof({0}) = 'real' OR (CAST({0} AS NUMERIC) = {0} AND abs(CAST({0} AS REAL)) < 9e999)",
        number="CAST({0} AS REAL)",
        is_instant=_SQLITE_INSTANT,
        double="REAL",
        literal="{0}",
        infinity="9e999",
        greatest="max",
        most_nested=10,  # the stack of its parser has a hundred places
        # Before 3.43 it divides in extended precision and rounds twice; see `_is_safe`.
        exact_digits=15,
        keeps_reals=True,
        refuses="true false",
    ),
    "duckdb": Dialect(
        "DuckDB",
        'CAST({0} AS VARCHAR) COLLATE "binary"',
        load="COPY instances_text FROM {0} (HEADER, DELIMITER '{1}')",
        is_text="typeof({0}) = 'VARCHAR'",
        is_number=(f"regexp_full_match({{0}}, '{NUMBER}') AND abs(TRY_CAST({{0}} AS DOUBLE)) < CAST('inf' AS DOUBLE)"),
        number="TRY_CAST({0} AS DOUBLE)",
        is_instant=f"regexp_full_match({{0}}, '{INSTANT}')",
        infinity="CAST('inf' AS DOUBLE)",
    ),
    "postgresql": Dialect(
        "PostgreSQL 12 or newer",
        'CAST({0} AS text) COLLATE "C"',
        load="\\copy instances_text FROM {0} (FORMAT csv, HEADER, DELIMITER E'{1}')",
        is_text="CAST(pg_typeof({0}) AS text) IN ('text', 'character varying', 'character')",
        # A cast that overflows or underflows is an error, of the whole query.
        is_number=(f"length({{0}}) <= 400 AND {{0}} ~ '{SHORT_NUMBER}' AND abs(CAST({{0}} AS numeric)) < {LARGEST}"),
        number="CASE WHEN abs(CAST({0} AS numeric)) < 3e-324 THEN 0 ELSE CAST({0} AS double precision) END",
        double="double precision",
        literal="{0}",
        infinity="CAST('Infinity' AS double precision)",
        tells_case=True,
        longest_name=63,
    ),
    "mysql": Dialect(
        "MySQL 8.0.17 and MariaDB 10.6, or newer",
        "CAST({0} AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin",
        load=(
            "LOAD DATA LOCAL INFILE {0} INTO TABLE instances_text CHARACTER SET utf8mb4\n"
            "  FIELDS TERMINATED BY '{1}' OPTIONALLY ENCLOSED BY '\"' ESCAPED BY '' IGNORE 1 LINES"
        ),
        is_text="charset({0}) <> 'binary'",
        quote="`",
        trimmed="regexp_replace({0}, wekaconf_blanks.blanks, '')",
        blanks="^[{0}]+|[{0}]+$",
        is_number=(f"{{0}} REGEXP '{NUMBER}' AND abs(CAST({{0}} AS DOUBLE)) < {LARGEST}"),
        number="CAST({0} AS DOUBLE)",
        is_instant=f"{{0}} REGEXP '{INSTANT}'",
        integer="SIGNED",
        concat="concat({0}, {1})",
        length="char_length",
        rows="UNION ALL",
        materialized="",
        # MariaDB computes a table of a query anew wherever it is used, and numbers its rows in another order each time.
        # A LIMIT keeps it from putting expressions into one another, which took 40 times as long.
        whole="\n  LIMIT 9223372036854775807",
        row_number="row_number() OVER (ORDER BY {0}NULL)",
        longest_name=64,
        tells_blanks=False,
        has_infinity=False,
        introducer="_utf8mb4",
        has_escapes=True,
        has_plane=False,
    ),
}
"""The databases, by the names of their dialects."""
DEFAULT_DIALECT = "sqlite"
