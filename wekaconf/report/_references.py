"""References to the papers, from references.bib."""

from __future__ import annotations

import re
from functools import cache


def cite(key: str) -> str:
    """Authors, title, journal or book, and year of an entry, as one line; KeyError for an unknown key."""
    _, entry = fields(key)
    where = entry.get("booktitle") or entry.get("journal") or entry.get("publisher")
    authors = entry["author"].replace(" and ", "; ")
    return f"{authors}: {entry['title']}. {f'{where}, ' if where else ''}{entry['year']}"


def fields(key: str) -> tuple[str, dict[str, str]]:
    """The kind of an entry, such as "article", and its fields without braces; KeyError for an unknown key."""
    entry = re.search(rf"@(\w+)\{{{re.escape(key)},(.*?)\n\}}", _references(), re.DOTALL)
    if entry is None:
        raise KeyError(key)
    pairs = re.findall(r"(\w+)\s*=\s*\{(.*?)\},?\s*$", entry[2], re.MULTILINE)
    return entry[1], {name: text.replace("{", "").replace("}", "") for name, text in pairs}


@cache
def _references() -> str:
    from importlib.resources import files  # here, since `predict` imports this module and cites nothing

    return files("wekaconf").joinpath("references.bib").read_text(encoding="utf-8")
