"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def table(headings: Sequence[str], body: Sequence[Sequence[object]]) -> str:
    """A table of Markdown."""
    lines = [headings, ["---"] * len(headings), *body]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
