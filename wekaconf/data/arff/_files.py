"""ARFF files read and written, without Java; a file that was written reads as the same data set.

liac-arff refuses ordinary headers of Weka's (``integer [1,10]``, a comment or a tab in a declaration, dates, relational
attributes, weights), and its messages fail on ``%``.
"""

from __future__ import annotations

import gzip
import math
import os
import re
import zlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from wekaconf.base.errors import ArffError
from wekaconf.base.files import atomic_write, read_stream
from wekaconf.base.naming import quoted, shown
from wekaconf.data._dataset import Dataset
from wekaconf.data._file_bytes import binary_kind, encoding_of_bytes, gunzip, unreadable
from wekaconf.data._header import Attribute, Header
from wekaconf.data.arff._rows import NUMBER, Lines, Token, read_rows
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dates import ISO_8601, DateFormat, ZoneError

DEEPEST = 20
"""The largest depth of relational attributes within one another."""
TYPES = ("numeric", "real", "integer", "string", "date", "relational")
"""Keywords for the types of attributes."""
OTHER_NAMES_OF_NOMINAL = ("nominal", "categorical", "category", "enum", "enumerated", "factor", "discrete")
"""What other programs and formats write before, or instead of, the values of a nominal attribute."""
_PLAIN = re.compile(r"""[^\x00-\x20\s,{}%'"\\?]+""")


def load_arff(
    path: str | os.PathLike[str],
    *,
    class_attribute: str | int | None = "last",
    content: bytes | None = None,
    checks_zones: bool = True,
) -> Dataset:
    """Read an ARFF file, plain or gzipped.

    Parameters
    ----------
    path : str or PathLike
        UTF-8, or else Windows-1252 or Latin-1 (with a `Note`).
    class_attribute : str, int or None
        ``"last"``, ``"first"``, a number counted from 1, a name, or None for no class.
    content : bytes, optional
        All of the file, where it can be read only once.
    checks_zones : bool
        Whether to refuse dates in a time zone that only Java knows, with a `ZoneError` as the cause; else they are
        missing.

    Returns
    -------
    Dataset
        Its cells equal those of Weka's ``ArffLoader``; rows written as ``{…}`` are sparse. Dates without a time zone
        are local times, in the zone of `Attribute.zone`. Cost: linear in the size of the file.

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
    lines = Lines(name, read_text(name, content))
    header = _HeaderReader(lines).header()
    rows = read_rows(lines, header.attributes, checks_zones=checks_zones)
    header = Header(header.relation, rows.attributes).with_class(class_attribute)
    return Dataset(header, rows.values, rows.weights, rows.is_sparse)


def read_text(path: str, content: bytes | None = None) -> str:
    """The text of a file, or of its ``content`` where that is known."""
    try:
        if content is None:
            content = read_stream(path)
        if content is None:
            with open(path, "rb") as stream:
                content = stream.read()
        content = gunzip(content)
    except (OSError, ValueError, EOFError, zlib.error) as error:
        raise unreadable(path, error, ArffError) from None
    if kind := binary_kind(content):
        raise ArffError(kind, path=path)
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise ArffError("NUL byte: this is not text in UTF-8; convert it (from UTF-16?)", path=path, line=line)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode(encoding_of_bytes(os.path.basename(path), [content]))


def read_header(path: str, text: str) -> Header:
    """The header at the beginning of ARFF text, which messages call ``path``; ArffError if it is malformed."""
    return _HeaderReader(Lines(path, text)).header()


class _HeaderReader:
    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.depth = 0  # number of relational attributes around the line

    def header(self) -> Header:
        """Read the header up to and including the @data line; it has no class, and ArffError says what is malformed."""
        if not any(map(str.strip, self.lines.texts)):
            self.lines.last = 1
            raise self.lines.error("the file is empty; expected @relation")
        keyword, *rest = self._declaration("@relation")
        if _lower(keyword) != "@relation":
            raise self.lines.error(f"expected @relation and a name, got {quoted(keyword.text)}", keyword.column)
        relation, rest = self._name(rest, "the relation")
        self._check_nothing_after(rest, "the name; quote a name with blanks")
        attributes, rest = self._attributes("@data", advice="; add an @data line and the rows")
        self._check_nothing_after(rest, "@data; rows start on the next line")
        if not attributes:
            raise self.lines.error("no attributes are declared; add @attribute lines")
        return Header(relation, attributes)

    def _attributes(self, end: str, advice: str = "") -> tuple[tuple[Attribute, ...], list[Token]]:
        """The attributes declared up to a line that begins with ``end``, and the tokens behind its keyword."""
        attributes: dict[str, Attribute] = {}
        while True:
            keyword, *rest = self._declaration(end + advice)
            if _lower(keyword) == end.partition(" ")[0]:
                return tuple(attributes.values()), rest
            if _lower(keyword) != "@attribute":
                raise self.lines.error(f"expected @attribute or {end}, got {quoted(keyword.text)}", keyword.column)
            attribute = self._attribute(rest)
            if attribute.name in attributes:
                raise self.lines.error(f"attribute {quoted(attribute.name)} is declared twice; rename one")
            attributes[attribute.name] = attribute

    def _declaration(self, expected: str) -> list[Token]:
        """The tokens of the next line that has any; commas count as blanks, as in Weka."""
        while self.lines.last < len(self.lines.texts):
            self.lines.last += 1
            if tokens := [token for token in self.lines.tokens() if token.kind != ","]:
                return tokens
        raise self.lines.error(f"the file ends before {expected}")

    def _name(self, tokens: list[Token], what: str) -> tuple[str, list[Token]]:
        if not tokens or tokens[0].kind not in ("word", "quoted"):
            raise self.lines.error(f"expected the name of {what}, got {_shown_token(tokens)}")
        return tokens[0].text, tokens[1:]

    def _check_nothing_after(self, tokens: list[Token], what: str) -> None:
        if tokens:
            raise self.lines.error(f"{quoted(tokens[0].text)} after {what}", tokens[0].column)

    def _attribute(self, tokens: list[Token]) -> Attribute:
        name, tokens = self._name(tokens, "the attribute")
        if not tokens:
            raise self.lines.error(f"attribute {quoted(name)} has no type; add numeric, {{values}}, string or date")
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
                raise self.lines.error(str(error)) from None
            attribute = Attribute(name, "date", date_format=pattern)
        elif kind == "relational":
            self._check_end(rest)
            return self._relational(name)
        else:
            raise self.lines.error(
                f"attribute {quoted(name)} has the unknown type {quoted(first.text)}; {_advice_on_type(kind, rest)}",
                first.column,
            )
        self._check_end(rest)
        return attribute

    def _nominal(self, name: str, tokens: list[Token]) -> tuple[Attribute, list[Token]]:
        kinds = [token.kind for token in tokens]
        if "}" not in kinds:
            raise self.lines.error(f"the values of {quoted(name)} must end with }} on the same line")
        end = kinds.index("}")
        if "{" in kinds[:end]:
            raise self.lines.error(
                "brace among the values; quote a value that has one", tokens[kinds.index("{")].column
            )
        values = tuple(token.text for token in tokens[:end])
        if len(set(values)) < len(values):
            twice = Counter(values).most_common(1)[0][0]
            raise self.lines.error(f"value {quoted(twice)} of {quoted(name)} is declared twice; remove one")
        return Attribute(name, "nominal", values), tokens[end + 1 :]

    def _relational(self, name: str) -> Attribute:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.lines.error(
                f"relational attributes within one another, more than {DEEPEST} deep, are not supported"
            )
        inner, rest = self._attributes(f"@end {shown(name)}")
        ended, rest = self._name(rest, "the relational attribute")
        if ended.lower() != name.lower():
            raise self.lines.error(f"expected @end {shown(name)}, got @end {shown(ended)}")
        self._check_nothing_after(rest, "the name")
        if not inner:
            raise self.lines.error(f"no attributes are declared in {quoted(name)}; add @attribute lines before @end")
        self.depth -= 1
        return Attribute(name, "relational", inner=inner)

    def _check_end(self, tokens: list[Token]) -> None:
        """Raise ArffError unless nothing but an attribute weight of 1 follows."""
        if [token.kind for token in tokens[:3]] == ["{", "word", "}"]:
            if not NUMBER.fullmatch(tokens[1].text) or float(tokens[1].text) != 1:
                raise self.lines.error("attribute weights are not supported; remove it", tokens[0].column)
            tokens = tokens[3:]
        self._check_nothing_after(tokens, "the type")


def _lower(token: Token) -> str:
    return token.text.lower() if token.kind == "word" else ""


def _advice_on_type(kind: str, rest: list[Token]) -> str:
    """Advice on what to write in place of an unknown type, which the ``rest`` of the declaration follows."""
    if kind in OTHER_NAMES_OF_NOMINAL and (not rest or rest[0].kind == "{"):
        return "a nominal attribute has only its values in that place, such as {a,b}"
    if any(token.kind == "{" or _lower(token) in TYPES for token in rest):
        return "a name with blanks stands in quotes"
    return "use numeric, real, integer, {values}, string, date or relational"


def _after_range(tokens: list[Token]) -> list[Token]:
    """The tokens after a range such as [1,10], which is ignored."""
    if not tokens or not tokens[0].text.startswith("["):
        return tokens
    ends = [i for i, token in enumerate(tokens) if token.text.endswith(("]", ")"))]
    return tokens[ends[0] + 1 :] if ends else tokens


def _shown_token(tokens: list[Token]) -> str:
    return quoted(tokens[0].text) if tokens else "nothing"


def save_arff(path: str | os.PathLike[str], data: Dataset) -> None:
    """Write an ARFF file, gzipped if the name ends with ``.gz``; reading it again gives the same data set.

    Parameters
    ----------
    path : str or PathLike
        An existing file is replaced only when everything is written.
    data : Dataset
        Sparse instances are written as ``{…}``. ARFF has no place for the class index. When the file is read, the
        values of string and relational attributes are in their order of appearance.

    Raises
    ------
    ArffError
        ARFF cannot hold the data: there are no attributes, two have the same name, or the format of a date would round
        it.
    OSError
        The file cannot be written.
    """
    name = os.fspath(path)
    content = (header_text(data.header, name) + rows_text(data, name)).encode()
    with atomic_write(name, "wb") as stream:
        stream.write(gzip.compress(content, mtime=0) if name.lower().endswith(".gz") else content)


def header_text(header: Header, path: str) -> str:
    """The declarations, up to and including @data; ArffError, which names ``path``, if ARFF cannot hold them."""
    text = f"@relation {_quote(header.relation)}\n\n" + _declarations(header.attributes) + "\n@data\n"
    read_header(path, text)
    return text


def rows_text(data: Dataset, path: str) -> str:
    """The instances, one per line; ArffError, which names ``path``, if ARFF cannot hold them.

    Sparse rows leave out zeros and first nominal values, but no strings, unlike Weka's, which lose their first one.
    """
    sparse = data.sparse_rows
    is_omissible = np.array(
        [attribute.kind not in ("string", "relational") for attribute in data.attributes], dtype=bool
    )
    is_left_out = (data.values[sparse] == 0) & is_omissible
    values = data.values
    if len(sparse):
        values = values.copy()
        values[sparse] = np.where(is_left_out, np.nan, values[sparse])
    try:
        columns = [_texts(attribute, values[:, i]) for i, attribute in enumerate(data.attributes)]
    except ZoneError as error:
        raise ArffError(f"dates cannot be written: {error}; give the attribute a format with Z", path=path) from error
    except ValueError as error:
        raise ArffError(f"{error}; give the attribute a finer format", path=path) from None
    rows = list(map(",".join, zip(*columns, strict=True))) if columns else [""] * len(data)
    for row, is_omitted in zip(sparse.tolist(), is_left_out, strict=True):
        rows[row] = "{" + ",".join(f"{i} {columns[i][row]}" for i in np.flatnonzero(~is_omitted)) + "}"
    weights = ("" if weight == 1 else f",{{{_number_text(weight)}}}" for weight in data.weights.tolist())
    return "".join(f"{row}{weight}\n" for row, weight in zip(rows, weights, strict=True))


def _quote(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
    return "'" + re.sub(r"[\x00-\x1f]", lambda match: f"\\{ord(match[0]):03o}", escaped) + "'"


def _declarations(attributes: Sequence[Attribute]) -> str:
    lines = []
    for attribute in attributes:
        name = _quote(attribute.name)
        if attribute.is_nominal:
            kind = "{" + ",".join(map(_quote, attribute.values)) + "}"
        elif attribute.kind == "relational":
            kind = f"relational\n{_declarations(attribute.inner)}@end {name}"
        else:
            kind = f"date {_quote(attribute.date_format)}" if attribute.kind == "date" else attribute.kind
        lines.append(f"@attribute {name} {kind}\n")
    return "".join(lines)


def _number_text(number: float) -> str:
    return repr(number).removesuffix(".0").replace("inf", "Infinity")


def _texts(attribute: Attribute, column: FloatArray) -> list[str]:
    """The cells of a column as written in the file."""
    cells = column.tolist()
    if attribute.is_indexed:
        values = list(map(_quote, attribute.values))
        return ["?" if math.isnan(cell) else values[int(cell)] for cell in cells]
    if attribute.kind == "numeric":
        return ["?" if math.isnan(cell) else _number_text(cell) for cell in cells]
    date = DateFormat(attribute.date_format)
    return ["?" if math.isnan(cell) else _quote(date.format(cell)) for cell in cells]
