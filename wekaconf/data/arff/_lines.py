"""The lines of ARFF text as tokens, by Weka's rules for quotes and escapes."""

from __future__ import annotations

import re
from typing import NamedTuple

from wekaconf.base.errors import ArffError

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
