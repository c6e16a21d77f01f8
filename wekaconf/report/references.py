"""The papers, from references.bib."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files


def cite(key: str) -> str:
    """Authors, title, journal or book, and year of an entry, as one line; KeyError for an unknown key."""
    entry = re.search(rf"@\w+\{{{re.escape(key)},(.*?)\n\}}", _references(), re.DOTALL)
    if entry is None:
        raise KeyError(key)
    parts = dict(re.findall(r"(\w+)\s*=\s*\{(.*?)\},?\s*$", entry.group(1), re.MULTILINE))
    where = parts.get("booktitle") or parts.get("journal") or parts.get("publisher")
    authors = parts["author"].replace(" and ", "; ")
    text = f"{authors}: {parts['title']}. {f'{where}, ' if where else ''}{parts['year']}"
    return text.replace("{", "").replace("}", "")


@cache
def _references() -> str:
    return files("wekaconf").joinpath("references.bib").read_text(encoding="utf-8")
