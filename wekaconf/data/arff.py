"""Reads ARFF text into a Dataset and writes it back, without Java."""

from __future__ import annotations

import csv
import math
import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from types import EllipsisType
from typing import NamedTuple

import numpy as np

from wekaconf.data.dataset import Dataset, FloatArray
from wekaconf.data.dates import ISO_8601, DateFormat
from wekaconf.data.encodings import encoding_of_bytes
from wekaconf.data.header import Attribute, Header
from wekaconf.data.unpacking import TooLargeError, check_unpacked, ungzipped
from wekaconf.errors import ArffError
from wekaconf.naming import name_list, quoted, shown

Cell = str | EllipsisType | None
"""One value as written in a row: its text, None if missing, ... if a sparse row leaves it out."""

CELLS_AT_A_TIME = 200_000
"""Cells converted at a time: as a number a cell takes a tenth of the memory that it takes as text."""

DEEPEST = 20
"""How many relational attributes may be within one another."""

TYPES = ("numeric", "real", "integer", "string", "date", "relational")
"""Words that say of which type an attribute is."""
_BLANK = "".join(map(chr, range(33)))
_TOKEN = re.compile(
    r"""[\x00-\x20]*+ (?:
        '(?P<single>(?:[^'\\]++|\\.)*+)' (?=[\x00-\x20,{}%]|\Z)
      | "(?P<double>(?:[^"\\]++|\\.)*+)" (?=[\x00-\x20,{}%]|\Z)
      | (?P<mark>[{},])
      | (?P<word>[^\x00-\x20,{}%'"]++) (?!['"])
      | (?P<end>%.*+|\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_CLOSED_QUOTE = re.compile(r"""'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+\"""", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-3][0-7]{0,2}|[4-7][0-7]?|.)", re.DOTALL)
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|NaN|Infinity)")
_LIAC_DIFFERS = re.compile(
    r"""[\\{}%\x00-\x08\x0e-\x1b]   # escapes; sparse rows and weights; comments; characters blank to Weka, not Python
      | (?![\x00-\x20])\s           # characters that are blank to Python only
      | ^[^\S\n]*, | ,[^\S\n]*(?=,|$)   # an empty value, which liac-arff reads as a missing one""",
    re.VERBOSE | re.MULTILINE,
)


class _Token(NamedTuple):
    text: str
    kind: str  # "word", "quoted", or the mark itself: { } ,
    column: int


def load_arff(path: str | os.PathLike[str], *, class_attribute: str | int | None = "last") -> Dataset:
    """Read an ARFF file, plain or gzipped.

    Parameters
    ----------
    path : str or PathLike
        UTF-8, or else Windows-1252 or Latin-1 (with a `Note`).
    class_attribute : str, int or None
        ``"last"``, ``"first"``, a number counted from 1, a name, or None for no class.

    Returns
    -------
    Dataset
        Its cells equal those of Weka's ``ArffLoader``. Dates without a time zone are local times. Cost: linear in the
        size of the file.

    Raises
    ------
    ArffError
        The file cannot be read or is not valid ARFF. Some files that Weka reads by dropping or guessing values are
        refused: those with extra or empty values, quotes that are not closed, weights that are negative or NaN,
        strings that a sparse row leaves out, attributes with weights, NUL bytes, or relational attributes more than
        20 deep within one another.
    OptionError
        There is no such class attribute.
    """
    name = os.fspath(path)
    reader = _Reader(name, read_text(name))
    header = reader.header()
    attributes, values, weights = reader.rows(header.attributes)
    header = Header(header.relation, attributes)
    if class_attribute is not None:
        header = Header(header.relation, attributes, header.find_class(class_attribute))
    return Dataset(header, values, weights)


def read_text(path: str) -> str:
    """The text of a file."""
    try:
        with open(path, "rb") as stream:
            content = stream.read()
    except FileNotFoundError:
        raise ArffError("no such file; check the name and the folder", path=path) from None
    except IsADirectoryError:
        raise ArffError("this is a folder; name a file in it", path=path) from None
    except PermissionError:
        raise ArffError("no permission to read this file", path=path) from None
    except (OSError, ValueError) as error:
        raise ArffError(f"cannot be read: {error}", path=path) from None
    try:
        content = ungzipped(content)
    except TooLargeError as error:
        raise ArffError(str(error), path=path) from None
    except (EOFError, OSError, zlib.error) as error:
        raise ArffError(f"the gzip file is damaged or cut short ({error}); get it again", path=path) from None
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise ArffError("NUL byte: this is not text in UTF-8; convert it (from UTF-16?)", path=path, line=line)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode(encoding_of_bytes(os.path.basename(path), [content]))


def read_header(path: str, text: str) -> Header:
    """The header that ARFF text begins with; ``path`` is what messages call it. ArffError if it is malformed."""
    return _Reader(path, text).header()


class _Reader:
    """Reads ARFF text line by line: the header by Weka's tokens, the rows by liac-arff where it agrees with Weka."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.line = 0  # the line read last, counted from 1
        self.depth = 0  # how many relational attributes the line is in

    def error(self, message: str, column: int | None = None, *, line: int | None = None) -> ArffError:
        return ArffError(message, path=self.path, line=self.line if line is None else line, column=column)

    def tokens(self, line: int) -> list[_Token]:
        """The tokens of a line, by Weka's rules for quotes and escapes."""
        text, position = self.lines[line - 1], 0
        tokens: list[_Token] = []
        while True:
            match = _TOKEN.match(text, position)
            if match is None:
                raise self._bad_quote(line, len(text) - len(text[position:].lstrip(_BLANK)))
            kind = str(match.lastgroup)
            if kind == "end":
                return tokens
            part, position = match[kind], match.end()
            if kind in ("single", "double"):
                tokens.append(_Token(_unescape(part), "quoted", match.start(kind)))
            else:
                tokens.append(_Token(part, part if kind == "mark" else "word", match.start(kind) + 1))

    def _bad_quote(self, line: int, start: int) -> ArffError:
        text = self.lines[line - 1]
        if text[start] not in "'\"":
            return self.error("quote inside a value; quote the whole value", start + 1, line=line)
        closed = _CLOSED_QUOTE.match(text, start)
        if closed is None:
            return self.error(f"the quote {text[start]} is not closed on this line", start + 1, line=line)
        return self.error("text after a closing quote; put a comma between them", closed.end() + 1, line=line)

    # -- header --------------------------------------------------------------------------------------------------

    def declaration(self, expected: str) -> list[_Token]:
        """The tokens of the next line that has any; a comma is a blank there, as it is to Weka."""
        while self.line < len(self.lines):
            self.line += 1
            if tokens := [token for token in self.tokens(self.line) if token.kind != ","]:
                return tokens
        raise self.error(f"the file ends before {expected}")

    def header(self) -> Header:
        """Read up to and including the @data line."""
        if not any(map(str.strip, self.lines)):
            raise self.error("the file is empty; expected @relation", line=1)
        keyword, *rest = self.declaration("@relation")
        if _lower(keyword) != "@relation":
            raise self.error(f"expected @relation and a name, got {quoted(keyword.text)}", keyword.column)
        relation, rest = self._name(rest, "the relation")
        self._nothing_after(rest, "the name; quote a name with blanks")
        attributes: dict[str, Attribute] = {}
        while True:
            keyword, *rest = self.declaration("@data; add an @data line and the rows")
            if _lower(keyword) == "@data":
                break
            if _lower(keyword) != "@attribute":
                raise self.error(f"expected @attribute or @data, got {quoted(keyword.text)}", keyword.column)
            self._add(attributes, self._attribute(rest))
        self._nothing_after(rest, "@data; rows start on the next line")
        if not attributes:
            raise self.error("no attributes are declared; add @attribute lines")
        return Header(relation, tuple(attributes.values()))

    def _add(self, attributes: dict[str, Attribute], attribute: Attribute) -> None:
        if attribute.name in attributes:
            raise self.error(f"attribute {quoted(attribute.name)} is declared twice; rename one")
        attributes[attribute.name] = attribute

    def _name(self, tokens: list[_Token], what: str) -> tuple[str, list[_Token]]:
        if not tokens or tokens[0].kind not in ("word", "quoted"):
            raise self.error(f"expected the name of {what}, got {_shown_token(tokens)}")
        return tokens[0].text, tokens[1:]

    def _nothing_after(self, tokens: list[_Token], what: str) -> None:
        if tokens:
            raise self.error(f"{quoted(tokens[0].text)} after {what}", tokens[0].column)

    def _attribute(self, tokens: list[_Token]) -> Attribute:
        name, tokens = self._name(tokens, "the attribute")
        if not tokens:
            raise self.error(f"attribute {quoted(name)} has no type; add numeric, {{values}}, string or date")
        first, *rest = tokens
        kind = _lower(first)
        if first.kind == "{":
            attribute, rest = self._nominal(name, rest)
        elif kind in ("numeric", "real", "integer"):
            attribute, rest = Attribute(name), _after_range(rest)
        elif kind == "string":
            attribute = Attribute(name, "string")
        elif kind == "date":
            pattern = ISO_8601
            if rest and rest[0].kind in ("word", "quoted"):
                pattern, rest = rest[0].text, rest[1:]
            try:
                DateFormat(pattern)
            except ValueError as error:
                raise self.error(str(error)) from None
            attribute = Attribute(name, "date", date_format=pattern)
        elif kind == "relational":
            self._weight_and_end(rest)
            return self._relational(name)
        else:
            is_in_name = any(token.kind == "{" or _lower(token) in TYPES for token in rest)
            advice = (
                "a name with blanks stands in quotes"
                if is_in_name
                else "use numeric, real, integer, {values}, string, date or relational"
            )
            raise self.error(
                f"attribute {quoted(name)} has the unknown type {quoted(first.text)}; {advice}", first.column
            )
        self._weight_and_end(rest)
        return attribute

    def _nominal(self, name: str, tokens: list[_Token]) -> tuple[Attribute, list[_Token]]:
        kinds = [token.kind for token in tokens]
        if "}" not in kinds:
            raise self.error(f"the values of {quoted(name)} must end with }} on the same line")
        end = kinds.index("}")
        if "{" in kinds[:end]:
            raise self.error("brace among the values; quote a value that has one", tokens[kinds.index("{")].column)
        values = tuple(token.text for token in tokens[:end])
        if len(set(values)) < len(values):
            twice = Counter(values).most_common(1)[0][0]
            raise self.error(f"value {quoted(twice)} of {quoted(name)} is declared twice; remove one")
        return Attribute(name, "nominal", values), tokens[end + 1 :]

    def _relational(self, name: str) -> Attribute:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"relational attributes within one another, more than {DEEPEST} deep, are not supported")
        inner: dict[str, Attribute] = {}
        while True:
            keyword, *rest = self.declaration(f"@end {shown(name)}")
            if _lower(keyword) == "@end":
                break
            if _lower(keyword) != "@attribute":
                raise self.error(
                    f"expected @attribute or @end {shown(name)}, got {quoted(keyword.text)}", keyword.column
                )
            self._add(inner, self._attribute(rest))
        ended, rest = self._name(rest, "the relational attribute")
        if ended.lower() != name.lower():
            raise self.error(f"expected @end {shown(name)}, got @end {shown(ended)}")
        self._nothing_after(rest, "the name")
        if not inner:
            raise self.error(f"no attributes are declared in {quoted(name)}; add @attribute lines before @end")
        self.depth -= 1
        return Attribute(name, "relational", inner=tuple(inner.values()))

    def _weight_and_end(self, tokens: list[_Token]) -> None:
        """Accept an attribute weight of 1, and nothing else."""
        if [token.kind for token in tokens[:3]] == ["{", "word", "}"]:
            if not _NUMBER.fullmatch(tokens[1].text) or float(tokens[1].text) != 1:
                raise self.error("attribute weights are not supported; remove it", tokens[0].column)
            tokens = tokens[3:]
        self._nothing_after(tokens, "the type")

    # -- rows ----------------------------------------------------------------------------------------------------

    def rows(self, attributes: tuple[Attribute, ...]) -> tuple[tuple[Attribute, ...], FloatArray, FloatArray]:
        """The attributes with the strings found, and the values and weights of all rows after the last line read."""
        numbers = [
            number
            for number, line in enumerate(self.lines[self.line :], self.line + 1)
            if (stripped := line.strip(_BLANK)) and stripped[0] != "%"
        ]
        try:  # sparse rows may be many, and empty
            check_unpacked(8 * len(numbers) * len(attributes), sum(map(len, self.lines)))
        except TooLargeError as error:
            raise self.error(str(error)) from None
        values, weights = np.empty((len(numbers), len(attributes))), np.ones(len(numbers))
        strings = [list(attribute.values) for attribute in attributes]
        size = max(CELLS_AT_A_TIME // max(len(attributes), 1), 1)
        for begin in range(0, len(numbers), size):
            chunk = numbers[begin : begin + size]
            part, sparse = slice(begin, begin + len(chunk)), list[int]()
            cells: Sequence[Sequence[Cell]] | None = self._liac_rows(chunk, len(attributes))
            if cells is None:
                rows = [self._row(number, attributes) for number in chunk]
                cells = [row for row, _ in rows]
                weights[part] = [weight for _, weight in rows]
                sparse = [begin + i for i, number in enumerate(chunk) if self._is_sparse(number)]
            for i, column in enumerate(zip(*cells, strict=True)):
                values[part, i] = self._column(attributes[i], column, chunk, strings[i])
            values[sparse] += 0.0  # Weka keeps no -0.0 there
        with_strings = tuple(
            Attribute(attribute.name, attribute.kind, tuple(texts), inner=attribute.inner)
            if attribute.kind in ("string", "relational")
            else attribute
            for attribute, texts in zip(attributes, strings, strict=True)
        )
        return with_strings, values, weights

    def _liac_rows(self, numbers: list[int], n_attributes: int) -> list[list[str | None]] | None:
        """The rows as liac-arff splits them; None if it would differ from Weka, or refuses them."""
        lines = [self.lines[number - 1] for number in numbers]
        if _LIAC_DIFFERS.search("\n".join(lines)):
            return None
        liac = import_module("arff")  # a plain import statement would make mypy find the folder arff/
        declared = ["@RELATION r", *(f"@ATTRIBUTE a{i} STRING" for i in range(n_attributes)), "@DATA"]
        try:
            rows: list[list[str | None]] = liac.load(declared + lines)["data"]
        except (liac.ArffException, csv.Error):
            return None
        return rows

    def _is_sparse(self, line: int) -> bool:
        return self.lines[line - 1].lstrip(_BLANK).startswith("{")

    def _row(self, line: int, attributes: tuple[Attribute, ...]) -> tuple[list[Cell], float]:
        tokens, weight = self._split_weight(self.tokens(line), line)
        if tokens[0].kind == "{":
            return self._sparse(tokens, line, len(attributes)), weight
        cells = [_cell(token) for token in self._separated(tokens, line)]
        if len(cells) != len(attributes):
            raise self.error(
                f"expected {len(attributes)} values, got {len(cells)}; "
                "separate values by commas and quote those with blanks",
                line=line,
            )
        return cells, weight

    def _split_weight(self, tokens: list[_Token], line: int) -> tuple[list[_Token], float]:
        if len(tokens) < 4 or (tokens[-3].kind, tokens[-1].kind) != ("{", "}"):
            return tokens, 1.0
        text, tokens = tokens[-2].text, tokens[:-3]
        weight = float(text) if _NUMBER.fullmatch(text) else math.nan
        if not 0 <= weight < math.inf:
            raise self.error(f"the weight {quoted(text)} is not a finite number of at least 0; correct it", line=line)
        return tokens[:-1] if len(tokens) > 1 and tokens[-1].kind == "," else tokens, weight

    def _sparse(self, tokens: list[_Token], line: int, n_attributes: int) -> list[Cell]:
        if tokens[-1].kind != "}":
            raise self.error("a sparse row must end with } and at most a weight after it", line=line)
        inside = self._separated(tokens[1:-1], line) if len(tokens) > 2 else []
        if len(inside) % 2:
            raise self.error("a sparse row must hold pairs of index and value", inside[-1].column, line=line)
        cells: list[Cell] = [...] * n_attributes
        last = -1
        for token, value in zip(inside[::2], inside[1::2], strict=True):
            digits = token.text.isascii() and token.text.isdigit() and len(token.text) < 10
            index = int(token.text) if digits else n_attributes
            if index >= n_attributes:
                raise self.error(
                    f"{quoted(token.text)} is not an attribute index; expected 0 … {n_attributes - 1}",
                    token.column,
                    line=line,
                )
            if index <= last:
                raise self.error(f"index {index} after {last}; indices must rise", token.column, line=line)
            cells[index], last = _cell(value), index
        return cells

    def _separated(self, tokens: list[_Token], line: int) -> list[_Token]:
        """The values among the tokens; they are separated by a comma or a blank, never by two commas."""
        values, after_comma = [], True
        for token in tokens:
            if token.kind in "{}":
                raise self.error("brace among the values; quote a value that has one", token.column, line=line)
            if token.kind != ",":
                values.append(token)
            elif after_comma:
                raise self.error("empty value; write ? for a missing one", token.column, line=line)
            after_comma = token.kind == ","
        if after_comma:
            raise self.error("empty value at the end; write ? or remove the comma", tokens[-1].column, line=line)
        return values

    def _column(
        self, attribute: Attribute, cells: Sequence[Cell], numbers: list[int], values: list[str]
    ) -> list[float]:
        """The cells of a column as numbers; equal cells are converted once. New strings are added to ``values``."""
        convert = self._converter(attribute, values)
        table: dict[Cell, float] = {None: math.nan}
        if attribute.kind in ("string", "relational"):
            table |= {text: float(index) for index, text in enumerate(values)}
        for cell in dict.fromkeys(cells):
            if cell is None or cell in table:
                continue
            try:
                if cell is not ...:
                    table[cell] = convert(cell)
                elif attribute.kind in ("string", "relational") or (attribute.is_nominal and not values):
                    raise ValueError(
                        f"a sparse row must not leave out {quoted(attribute.name)}, which has no first value; write it "
                        "or ?"
                    )
                else:
                    table[cell] = 0.0
            except ValueError as error:
                raise self.error(str(error), line=numbers[cells.index(cell)]) from None
        return list(map(table.__getitem__, cells))

    def _converter(self, attribute: Attribute, values: list[str]) -> Callable[[str], float]:
        """A function that turns the text of a value into a number; it adds strings and bags to ``values``."""

        def number(text: str) -> float:
            stripped = text.strip(_BLANK)
            if not _NUMBER.fullmatch(stripped):
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
            _Reader(f"{self.path}, in a bag of {quoted(attribute.name)}", text).rows(attribute.inner)
            return new_string(text)

        if attribute.kind == "date":
            return DateFormat(attribute.date_format).parse
        return {"numeric": number, "nominal": index, "string": new_string, "relational": new_bag}[attribute.kind]


def _lower(token: _Token) -> str:
    return token.text.lower() if token.kind == "word" else ""


def _cell(token: _Token) -> Cell:
    return None if token.kind == "word" and token.text == "?" else token.text


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_unescape_one, text) if "\\" in text else text


def _unescape_one(match: re.Match[str]) -> str:
    escaped = match[1]
    return chr(int(escaped, 8)) if escaped[0] in "01234567" else _ESCAPED.get(escaped, escaped)


def _after_range(tokens: list[_Token]) -> list[_Token]:
    """The tokens after a range such as [1,10], which is ignored."""
    if not tokens or not tokens[0].text.startswith("["):
        return tokens
    ends = [i for i, token in enumerate(tokens) if token.text.endswith(("]", ")"))]
    return tokens[ends[0] + 1 :] if ends else tokens


def _shown_token(tokens: list[_Token]) -> str:
    return quoted(tokens[0].text) if tokens else "nothing"
