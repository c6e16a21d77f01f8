"""Names in messages: lists of them, the one that was probably meant, and names as HTML."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from html import escape

from wekaconf.base.errors import printable

LONGEST_SHOWN = 60
"""The largest number of characters of a name that a message shows."""
MOST_NAMES = 5
"""The largest number of names in a sentence that counts the others."""


def shown(name: str) -> str:
    """A name for a message; a long name keeps its beginning and its end."""
    return name if len(name) <= LONGEST_SHOWN else f"{name[: LONGEST_SHOWN - 15]}…{name[-14:]}"


def quoted(name: str) -> str:
    """A name in quotes for a message, shortened by `shown`."""
    return f"'{shown(name)}'"


def counted(n: int, noun: str) -> str:
    """A number with its noun: 1 cell, 2 cells."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def alternatives(names: Iterable[str]) -> str:
    """The names as a list that ends in "or"."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def enumeration(names: Sequence[str]) -> str:
    """The names as a list that ends in "and"."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def closest(name: str, valid: Iterable[str]) -> str:
    """The valid name closest to ``name``; empty when none is close."""
    by_lower = {candidate.lower(): candidate for candidate in valid}
    matches = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[matches[0]] if matches else ""


def guess(name: str, valid: Iterable[str]) -> str:
    """A question that suggests the valid name closest to ``name``; empty when none is close."""
    found = closest(name, valid)
    return found and f"did you mean {quoted(found)}?"


def nearest(name: str, valid: Iterable[str]) -> str:
    """The question of `guess` after a semicolon; empty when none is close."""
    question = guess(name, valid)
    return question and f"; {question}"


def name_list(names: Iterable[str], near: str = "") -> str:
    """``names`` for a message: all if they are few, else those closest to ``near`` and their number."""
    names = list(names)
    if len(names) > 12:
        examples = difflib.get_close_matches(near, names, n=5, cutoff=0.5) or names[:5]
        return ", ".join(map(quoted, examples)) + f", … ({len(names)} in all)"
    return ", ".join(map(quoted, names))


def some(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """The names without quotes, or the first of them and the number of the others."""
    if len(names) <= most + 1:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} others"


_LETTER = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_FROM_RIGHT = re.compile(f"[{_LETTER}](?:[^<>&()=,;:]*[{_LETTER}])?")
"""A run of words of a script that is written from right to left."""


def html_text(text: str) -> str:
    """A text as HTML, in which words from right to left leave what stands beside them in its place."""
    return _FROM_RIGHT.sub(r"<bdi>\g<0></bdi>", escape(printable(text)))


def html_name(name: str) -> str:
    """A name as HTML, kept together where a part of it is written from right to left."""
    text = escape(printable(name))
    return f"<bdi>{text}</bdi>" if _FROM_RIGHT.search(text) else text
