"""Sections of docstrings that are made from what a class declares."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable
from typing import Any

_HEADING = re.compile(r"^(\S.*)\n---+$", re.MULTILINE)
_WIDTH = 100


def type_in_words(annotation: Any, choices: Iterable[Any] = ()) -> str:
    """An annotation, which is not evaluated, or the choices, if there are some; values to choose from in braces."""
    if choices:
        return f"{{{', '.join(map(repr, choices))}}}"
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"Literal\[(.*?)\]", r"{\1}", text)


def with_section(text: str, heading: str, entries: Iterable[tuple[str, str]]) -> str:
    """A docstring with a section before its other sections, unless it has one of that heading.

    Parameters
    ----------
    text : str
    heading : str
    entries : iterable of (str, str)
        Name and type of each entry, and the paragraph below them.
    """
    text = inspect.cleandoc(text)
    headings = list(_HEADING.finditer(text))
    if any(found[1] == heading for found in headings):
        return text
    place = headings[0].start() if headings else len(text)
    lines = [line for head, below in entries for line in (head, textwrap.indent(textwrap.fill(below, _WIDTH), "    "))]
    section = "\n".join((heading, "-" * len(heading), *lines))
    return "\n\n".join(filter(None, (text[:place].rstrip(), section, text[place:])))
