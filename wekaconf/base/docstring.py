"""Docstring sections made from what a class declares."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable
from typing import Any

_HEADING = re.compile(r"^(\S.*)\n---+$", re.MULTILINE)
_WIDTH = 100


def docstring_of(described: type) -> str:
    """The docstring of a class; empty if it has none of its own: under ``python -OO`` it would inherit ABC's."""
    return inspect.cleandoc(described.__doc__ or "")


def type_in_words(annotation: Any, choices: Iterable[Any]) -> str:
    """A parameter's type in words: its choices in braces, or its annotation, which is not evaluated."""
    if choices:
        return f"{{{', '.join(map(repr, choices))}}}"
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"Literal\[(.*?)\]", r"{\1}", text)


def with_section(text: str, heading: str, entries: Iterable[tuple[str, str]]) -> str:
    """A docstring with one more section, put before the others; unchanged if it has a section of that heading.

    Parameters
    ----------
    text : str
    heading : str
    entries : iterable of (str, str)
        Name and type of each entry, and the paragraph below them.
    """
    text = inspect.cleandoc(text)
    headings = list(_HEADING.finditer(text))
    if any(match[1] == heading for match in headings):
        return text
    position = headings[0].start() if headings else len(text)
    lines = [line for head, below in entries for line in (head, textwrap.indent(textwrap.fill(below, _WIDTH), "    "))]
    section = "\n".join((heading, "-" * len(heading), *lines))
    return "\n\n".join(filter(None, (text[:position].rstrip(), section, text[position:])))
