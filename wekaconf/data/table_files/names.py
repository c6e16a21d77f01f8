"""The names of a table's columns, out of its first row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wekaconf.base.errors import TableError
from wekaconf.base.naming import quoted
from wekaconf.data.cells import is_number

FEW_COLUMNS = 2
"""In so many columns, one may be without a name; in more, not all but one."""


def names_in(cells: Sequence[str], path: str, line: int | None = None) -> tuple[str, ...]:
    """The names in a row; a column whose cell is empty is called after its place, such as ``column 1``.

    Raises
    ------
    TableError
        This is no row of names, or a name is used twice.
    """
    given = [cell for cell in cells if cell]
    if not given:
        raise TableError("expected a row of column names, got none", path=path, line=line)
    if len(given) == 1 and len(cells) > FEW_COLUMNS:
        raise TableError(
            f"expected a row of column names, got the one name {quoted(given[0])} for {len(cells)} columns; delete "
            "what stands above the names",
            path=path, line=line,
        )  # fmt: skip
    if all(map(is_number, given)):
        raise TableError(
            f"expected a row of column names, got the numbers {', '.join(given[:3])}; put the names above the values",
            path=path, line=line,
        )  # fmt: skip
    return distinct([cell or place_name(place) for place, cell in enumerate(cells)], path, line)


def place_name(place: int) -> str:
    """What the column at a place, counted from 0, is called if it has no name."""
    return f"column {place + 1}"


def distinct(names: Sequence[str], path: str, line: int | None = None) -> tuple[str, ...]:
    """The names; TableError if one is used twice."""
    if len(set(names)) < len(names):
        twice, _ = Counter(names).most_common(1)[0]
        raise TableError(f"the column name {quoted(twice)} is used twice; rename one", path=path, line=line)
    return tuple(names)
