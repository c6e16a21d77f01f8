"""The names of a table's columns, read from its first row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wekaconf.base.errors import TableError, tell
from wekaconf.base.naming import name_list, quoted
from wekaconf.base.words import Argument
from wekaconf.data._cells import is_number

NO_HEADER = Argument("no_header", python="no_header=True")
"""The remedy where the first row holds values."""
FEW_COLUMNS = 2
"""In a table of more columns, a single name is taken for a title."""


def names_in(cells: Sequence[str], path: str, line: int | None = None) -> tuple[str, ...]:
    """The names in a row; a column whose cell is empty is called after its place, such as ``column 1``.

    Raises
    ------
    TableError
        This is no row of names, or a name is used twice.
    """
    names = [cell for cell in cells if cell]
    if [*map(str, range(len(names)))] == names and len(names) > FEW_COLUMNS:
        tell(f"{path}: the numbers {name_list(names)} of the first row are read as the names of the columns")
    elif not names:
        raise TableError("expected a row of column names, got none", path=path, line=line)
    elif len(names) == 1 and len(cells) > FEW_COLUMNS:
        raise TableError(
            f"expected a row of column names, got the one name {quoted(names[0])} for {len(cells)} columns; delete "
            "what stands above the names",
            path=path, line=line,
        )  # fmt: skip
    elif all(map(is_number, names)):
        raise TableError(
            f"expected a row of column names, got the numbers {', '.join(names[:3])}; put the names above the values, "
            "or give ", NO_HEADER,
            path=path, line=line,
        )  # fmt: skip
    return distinct(proper_names(cells), path, line)


def proper_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names without the blanks around them; a column without one is called after its place."""
    return tuple(name.strip() or place_name(place) for place, name in enumerate(names))


def place_names(n_columns: int) -> tuple[str, ...]:
    """The names of columns of which none has one."""
    return tuple(map(place_name, range(n_columns)))


def renamed(names: Sequence[str], pairs: Sequence[tuple[str, str]], path: str) -> tuple[str, ...]:
    """The names with the new one of each pair in place of the old one; TableError if one is used twice."""
    new_names = dict(pairs)
    return distinct([new_names.get(name, name) for name in names], path)


def place_name(place: int) -> str:
    """The name of a column without one, after its place, which is counted from 0."""
    return f"column {place + 1}"


def distinct(names: Sequence[str], path: str, line: int | None = None) -> tuple[str, ...]:
    """The names; TableError if one is used twice."""
    if len(set(names)) < len(names):
        repeated, _ = Counter(names).most_common(1)[0]
        raise TableError(f"the column name {quoted(repeated)} is used twice; rename one", path=path, line=line)
    return tuple(names)
