"""Texts from files as HTML: escaped, on one line, and without a say over what stands beside them."""

from __future__ import annotations

import re
from html import escape

from wekaconf.base.errors import printable

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
