"""Names in messages: lists of them, and the one that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def quantity(n: int, noun: str) -> str:
    """A number of things, such as ``1 row`` and ``2 rows``."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


def alternatives(names: Iterable[str]) -> str:
    """The names as a list that ends in "or"."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def nearest(name: str, valid: Iterable[str]) -> str:
    """A question that suggests the valid name closest to ``name``; empty when none is close."""
    by_lower = {candidate.lower(): candidate for candidate in valid}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return f"; did you mean '{by_lower[near[0]]}'?" if near else ""


def name_list(names: Iterable[str], near: str = "") -> str:
    """``names`` for a message: all if they are few, else those closest to ``near`` and their number."""
    names = list(names)
    if len(names) > 12:
        shown = difflib.get_close_matches(near, names, n=5, cutoff=0.5) or names[:5]
        return ", ".join(f"'{name}'" for name in shown) + f", … ({len(names)} in all)"
    return ", ".join(f"'{name}'" for name in names)
