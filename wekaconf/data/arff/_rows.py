"""The rows of ARFF text as arrays: split by liac-arff where it agrees with Weka, else into Weka's tokens.

liac-arff was asked for, and costs `_LIAC_DIFFERS`. It gains no time: our splitter, which reads the other rows, takes
one second for the 20,000 of letter, too.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from types import EllipsisType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import ArffError
from wekaconf.base.naming import name_list, quoted
from wekaconf.data._file_bytes import TooLargeError, check_unpacked
from wekaconf.data._header import Attribute
from wekaconf.data.arrays import LARGEST_WEIGHT, FloatArray
from wekaconf.data.dates import DateFormat, ZoneError, zone_of

Cell = str | EllipsisType | None
"""One value as written in a row: its text, None if missing, ... if a sparse row leaves it out."""

CELLS_AT_A_TIME = 200_000
"""Number of cells converted at a time: a number takes a tenth of the memory of a text."""
LONGEST_FOR_LIAC = 500_000
"""Characters in the longest line for liac-arff, which takes 150 bytes per character if a quote is not closed."""
_LIAC_DIFFERS = re.compile(
    r"""[\\{}%\x00-\x08\x0e-\x1b]   # escapes; sparse rows and weights; comments; characters blank to Weka, not Python
      | (?![\x00-\x20])\s           # characters that are blank to Python only
      | ^[^\S\n]*, | ,[^\S\n]*(?=,|$)   # an empty value, which liac-arff reads as a missing one""",
    re.VERBOSE | re.MULTILINE,
)
BLANK = "".join(map(chr, range(33)))
"""The characters that Weka takes for blanks."""
NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|NaN|Infinity)")
_TOKEN = re.compile(
    r"""[\x00-\x20]*+ (?:
        '(?P<single>(?:[^'\\]++|\\.)*+)' (?=[\x00-\x20,{}%]|\Z)
      | "(?P<double>(?:[^"\\]++|\\.)*+)" (?=[\x00-\x20,{}%]|\Z)
      | (?P<mark>[{},])
      | (?P<word>[^\x00-\x20,{}%'"]++) (?!['"])
      | (?P<end>%.*+|\Z)
    )""",
    re.VERBOSE,
)
_CLOSED_QUOTE = re.compile(r"""'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+\"""")
_ESCAPE = re.compile(r"\\([0-3][0-7]{0,2}|[4-7][0-7]?|.)")
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class Rows(NamedTuple):
    """The rows of a file.

    Parameters
    ----------
    attributes : tuple of Attribute
        The attributes with the strings that the rows hold.
    values : (n_instances, n_attributes) float64
    weights : (n_instances,) float64
    is_sparse : (n_instances,) bool
    """

    attributes: tuple[Attribute, ...]
    values: FloatArray
    weights: FloatArray
    is_sparse: NDArray[np.bool_]


def read_rows(lines: Lines, attributes: tuple[Attribute, ...], *, checks_zones: bool = True) -> Rows:
    """All rows after the last line read; ArffError if one is malformed, or holds a date in a zone that only Java knows.

    Without ``checks_zones`` such a date is missing.
    """
    return _RowReader(lines, attributes, checks_zones).rows()


class _RowReader:
    def __init__(self, lines: Lines, attributes: tuple[Attribute, ...], checks_zones: bool) -> None:
        self.lines, self.attributes, self.checks_zones = lines, attributes, checks_zones

    def rows(self) -> Rows:
        """Read all rows after the last line read; see `read_rows`."""
        attributes = self.attributes
        numbers = [
            number
            for number, line in enumerate(self.lines.texts[self.lines.last :], self.lines.last + 1)
            if (stripped := line.strip(BLANK)) and stripped[0] != "%"
        ]
        try:  # sparse rows may be many, and empty
            check_unpacked(8 * len(numbers) * len(attributes), sum(map(len, self.lines.texts)))
        except TooLargeError as error:
            raise self.lines.error(str(error)) from None
        values, weights = np.empty((len(numbers), len(attributes))), np.ones(len(numbers))
        is_sparse = np.zeros(len(numbers), dtype=np.bool_)
        strings = [list(attribute.values) for attribute in attributes]
        size = max(CELLS_AT_A_TIME // len(attributes), 1)
        for begin in range(0, len(numbers), size):
            chunk = numbers[begin : begin + size]
            part = slice(begin, begin + len(chunk))
            cells: Sequence[Sequence[Cell]] | None = self._liac_rows(chunk)
            if cells is None:
                rows = [self._row(number) for number in chunk]
                cells = [row for row, _ in rows]
                weights[part] = [weight for _, weight in rows]
                is_sparse[part] = [self.lines.texts[number - 1].lstrip(BLANK).startswith("{") for number in chunk]
            for i, column in enumerate(zip(*cells, strict=True)):
                values[part, i] = self._column(attributes[i], column, chunk, strings[i])
        has_value: list[bool] = np.any(~np.isnan(values), axis=0).tolist()
        read = tuple(map(self._as_read, attributes, strings, has_value))
        return Rows(read, values, weights, is_sparse)

    def _as_read(self, attribute: Attribute, texts: list[str], has_value: bool) -> Attribute:
        """The attribute with the strings that the rows hold, or the zone in which dates were read."""
        if attribute.kind in ("string", "relational"):
            return replace(attribute, values=tuple(texts))
        if attribute.kind == "date" and has_value:
            return replace(attribute, zone=zone_of(attribute.date_format))
        return attribute

    def _liac_rows(self, numbers: list[int]) -> list[list[str | None]] | None:
        """The rows as liac-arff splits them; None if liac-arff would differ from Weka, or refuses them."""
        lines = [self.lines.texts[number - 1] for number in numbers]
        if max(map(len, lines)) > LONGEST_FOR_LIAC or _LIAC_DIFFERS.search("\n".join(lines)):
            return None
        liac = import_module("arff")  # a plain import statement would make mypy find the folder arff/
        declared = ["@RELATION r", *(f"@ATTRIBUTE a{i} STRING" for i in range(len(self.attributes))), "@DATA"]
        try:
            rows: list[list[str | None]] = liac.load(declared + lines)["data"]
        except (liac.ArffException, csv.Error):
            return None
        return rows

    def _row(self, line: int) -> tuple[list[Cell], float]:
        self.lines.last = line
        tokens, weight = self._split_weight(self.lines.tokens())
        if tokens[0].kind == "{":
            return self._sparse(tokens), weight
        cells = [_cell(token) for token in self._separated(tokens)]
        if len(cells) != len(self.attributes):
            expected = f"expected {len(self.attributes)} values, got {len(cells)}"
            raise self.lines.error(f"{expected}; separate values by commas and quote those with blanks")
        return cells, weight

    def _split_weight(self, tokens: list[Token]) -> tuple[list[Token], float]:
        if len(tokens) < 4 or (tokens[-3].kind, tokens[-1].kind) != ("{", "}"):
            return tokens, 1.0
        text, tokens = tokens[-2].text, tokens[:-3]
        weight = float(text) if NUMBER.fullmatch(text) else math.nan
        if not 0 <= weight <= LARGEST_WEIGHT:
            raise self.lines.error(
                f"the weight {quoted(text)} is not a number from 0 to {LARGEST_WEIGHT:g}; correct it"
            )
        return tokens[:-1] if len(tokens) > 1 and tokens[-1].kind == "," else tokens, weight

    def _sparse(self, tokens: list[Token]) -> list[Cell]:
        if tokens[-1].kind != "}":
            raise self.lines.error("a sparse row must end with } and at most a weight after it")
        pairs = self._separated(tokens[1:-1]) if len(tokens) > 2 else []
        if len(pairs) % 2:
            raise self.lines.error("a sparse row must hold pairs of index and value", pairs[-1].column)
        n_attributes = len(self.attributes)
        cells: list[Cell] = [...] * n_attributes
        last = -1
        for token, value in zip(pairs[::2], pairs[1::2], strict=True):
            is_number = token.text.isascii() and token.text.isdigit()
            digits = token.text.lstrip("0")
            index = int(digits or "0") if is_number and len(digits) < 10 else n_attributes
            if index >= n_attributes:
                expected = f"expected 0 … {n_attributes - 1}"
                raise self.lines.error(f"{quoted(token.text)} is not an attribute index; {expected}", token.column)
            if index <= last:
                raise self.lines.error(f"index {index} after {last}; indices must rise", token.column)
            cells[index], last = _cell(value), index
        return cells

    def _separated(self, tokens: list[Token]) -> list[Token]:
        """The values among the tokens, which are separated by one comma or by blanks."""
        values, after_comma = [], True
        for token in tokens:
            if token.kind in "{}":
                raise self.lines.error("brace among the values; quote a value that has one", token.column)
            if token.kind != ",":
                values.append(token)
            elif after_comma:
                raise self.lines.error("empty value; write ? for a missing one", token.column)
            after_comma = token.kind == ","
        if after_comma:
            raise self.lines.error("empty value at the end; write ? or remove the comma", tokens[-1].column)
        return values

    def _column(
        self, attribute: Attribute, cells: Sequence[Cell], line_numbers: list[int], values: list[str]
    ) -> list[float]:
        """The cells of a column as numbers; equal cells are converted once. New strings are added to ``values``."""
        convert = self._converter(attribute, values)
        numbers_of: dict[Cell, float] = {None: math.nan}
        if attribute.kind in ("string", "relational"):
            numbers_of |= {text: float(index) for index, text in enumerate(values)}
        for cell in dict.fromkeys(cells):
            if cell is None or cell in numbers_of:
                continue
            try:
                if cell is not ...:
                    numbers_of[cell] = convert(cell)
                elif attribute.kind in ("string", "relational") or (attribute.is_nominal and not values):
                    raise ValueError(
                        f"a sparse row must not leave out {quoted(attribute.name)}, which has no first value; write it "
                        "or ?"
                    )
                else:
                    numbers_of[cell] = 0.0
            except ValueError as error:
                cause = error if isinstance(error, ZoneError) else None
                self.lines.last = line_numbers[cells.index(cell)]
                raise self.lines.error(str(error)) from cause
        return list(map(numbers_of.__getitem__, cells))

    def _converter(self, attribute: Attribute, values: list[str]) -> Callable[[str], float]:
        """A function that turns the text of a value into a number; it adds strings and bags to ``values``."""

        def number(text: str) -> float:
            stripped = text.strip(BLANK)
            if not NUMBER.fullmatch(stripped):
                raise ValueError(
                    f"value {quoted(text)} of {quoted(attribute.name)} is not a number; correct it or write ? for "
                    "missing"
                )
            return float(stripped)

        def index(text: str) -> float:
            try:
                return attribute.value_index[text]
            except KeyError:
                raise ValueError(
                    f"value {quoted(text)} is not among the {len(values)} declared for {quoted(attribute.name)} "
                    f"({name_list(values, text)}); correct it or add it to the @attribute line"
                ) from None

        def new_string(text: str) -> float:
            values.append(text)
            return len(values) - 1

        def new_bag(text: str) -> float:
            read_rows(Lines(f"{self.lines.path}, in a bag of {quoted(attribute.name)}", text), attribute.inner)
            return new_string(text)

        def moment(text: str) -> float:
            try:
                return date.parse(text)
            except ZoneError:
                if self.checks_zones:
                    raise
                return math.nan

        if attribute.kind == "date":
            date = DateFormat(attribute.date_format)
            return moment
        return {"numeric": number, "nominal": index, "string": new_string, "relational": new_bag}[attribute.kind]


def _cell(token: Token) -> Cell:
    return None if token.kind == "word" and token.text == "?" else token.text


class Token(NamedTuple):
    """A part of a line.

    Parameters
    ----------
    text : str
        The token without quotes and escapes.
    kind : str
        ``"word"``, ``"quoted"``, or the mark itself: ``{``, ``}`` or a comma.
    column : int
        The character at which the token begins, counted from 1.
    """

    text: str
    kind: str
    column: int


class Lines:
    """The lines of ARFF text.

    Parameters
    ----------
    path : str
        The name of the text in messages.
    text : str

    Attributes
    ----------
    texts : list of str
        The lines; the first is line 1.
    last : int
        The line that is being read, counted from 1; 0 at the start.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.texts = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.last = 0

    def error(self, message: str, column: int | None = None) -> ArffError:
        """The error with this message, about the line that is being read."""
        return ArffError(message, path=self.path, line=self.last, column=column)

    def tokens(self) -> list[Token]:
        """The tokens of the line that is being read."""
        text, position = self.texts[self.last - 1], 0
        tokens: list[Token] = []
        while True:
            match = _TOKEN.match(text, position)
            if match is None:
                raise self._bad_quote(text, len(text) - len(text[position:].lstrip(BLANK)))
            kind = str(match.lastgroup)
            if kind == "end":
                return tokens
            part, position = match[kind], match.end()
            if kind in ("single", "double"):
                tokens.append(Token(_unescape(part), "quoted", match.start(kind)))
            else:
                tokens.append(Token(part, part if kind == "mark" else "word", match.start(kind) + 1))

    def _bad_quote(self, text: str, start: int) -> ArffError:
        if text[start] not in "'\"":
            return self.error("quote inside a value; quote the whole value", start + 1)
        closed = _CLOSED_QUOTE.match(text, start)
        if closed is None:
            return self.error(f"the quote {text[start]} is not closed on this line", start + 1)
        return self.error("text after a closing quote; put a comma between them", closed.end() + 1)


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_unescape_one, text) if "\\" in text else text


def _unescape_one(match: re.Match[str]) -> str:
    escaped = match[1]
    return chr(int(escaped, 8)) if escaped[0] in "01234567" else _ESCAPED.get(escaped, escaped)
