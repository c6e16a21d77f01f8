"""The attacks of scripts/attack.py, which explains what an attack is; modules with an underscore are parts of them."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

WHOLE_GRID = "WEKACONF_ALL_CASES"
"""The environment variable that has tests run with all their cases, not those that the commit draws."""
FAULTS_AGAIN = "WEKACONF_FAULTS_AGAIN"
"""The environment variable with the record whose faults are planted again."""
Tried = Counter[tuple[str, str]]
"""How much was tried, by kind and owner."""


def raised(error: Exception) -> str:
    """An exception in one line, with the innermost places of its traceback."""
    places = traceback.extract_tb(error.__traceback__)[-4:]
    way = " > ".join(f"{Path(place.filename).name}:{place.lineno} {place.name}" for place in places)
    return f"{type(error).__name__}: {error} ({way})"


def told(faults: Iterator[str]) -> Iterator[str]:
    """The faults, with an exception as the last of them."""
    try:
        yield from faults
    except Exception as error:
        yield raised(error)
