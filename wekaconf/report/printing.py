"""Tables for people: names, and beside them blocks of columns, folded to the width of the screen."""

from __future__ import annotations

import json
import math
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from wekaconf.base.errors import printable, visible

if TYPE_CHECKING:
    from rich.table import Table

WIDTH = 80
"""Characters in a line if neither COLUMNS nor a terminal sets their number."""
GAP = 2
"""Characters between names and blocks, and the indent of the second and later lines of a folded name."""
NAME_WIDTH = 32
"""Characters to which longer names are folded if that makes more columns fit."""
UNDEFINED = "–"
"""Printed for a number that is not defined."""
IN_NAMES = ("[:,]", "[/ ]", "=", ".")
IN_TITLES = ("; ", " ", ".")
IN_SENTENCES = (" (?!%)", " ")
"""Marks after which a text may be broken, the best first; each is a regular expression of fixed length. A text that
none of them makes fit stays as long as it is."""


@dataclass(frozen=True)
class Column:
    """One column of a table, never cut.

    Parameters
    ----------
    heading : str
        The heading; newlines separate its lines.
    cells : sequence of str
        One cell per line of the table; newlines separate the lines of a cell.
    last : sequence of str
        One cell per line below the rule at the end.
    justify : {"right", "left"}
        Numbers are printed flush right.
    """

    heading: str
    cells: Sequence[str]
    last: Sequence[str] = ()
    justify: Literal["right", "left"] = "right"

    def visible(self) -> Self:
        """The column without control characters except line breaks."""
        cells, last = [*map(visible, self.cells)], [*map(visible, self.last)]
        return replace(self, heading=visible(self.heading), cells=cells, last=last)


@dataclass(frozen=True)
class Block:
    """Columns that belong together.

    Parameters
    ----------
    title : str
        Printed above the columns unless it is empty.
    columns : sequence of Column
    """

    title: str
    columns: Sequence[Column]

    def visible(self) -> Self:
        """The block without control characters except line breaks."""
        return replace(self, title=visible(self.title), columns=[column.visible() for column in self.columns])

    @classmethod
    def of_rows(
        cls, title: str, headings: Sequence[str], body: Sequence[Sequence[str]], last: Sequence[Sequence[str]] = ()
    ) -> Self:
        """A block given line by line; each line is a sequence of cells, one per heading."""
        cells = zip(*body, strict=True) if body else [()] * len(headings)
        below = zip(*last, strict=True) if last else [()] * len(headings)
        return cls(title, [Column(*parts) for parts in zip(headings, cells, below, strict=True)])


@dataclass(frozen=True)
class Names:
    """The names of a table's lines.

    Parameters
    ----------
    heading : str
        The heading; newlines separate its lines.
    lines : sequence of (group, name)
        Consecutive lines of the same group, such as a data set, are printed below the group's name; lines of the group
        "" stand alone.
    last : sequence of str
        The names of the lines below the rule at the end.
    """

    heading: str
    lines: Sequence[tuple[str, str]]
    last: Sequence[str] = ()

    def visible(self) -> Self:
        """The names without control characters."""
        lines = [(printable(group), printable(name)) for group, name in self.lines]
        return replace(self, lines=lines, last=[*map(printable, self.last)])

    @classmethod
    def of_no_group(cls, lines: Sequence[str], last: Sequence[str] = ()) -> Self:
        """Names that stand alone, without a heading."""
        return cls("", [("", line) for line in lines], last)


class _Row(NamedTuple):
    """A name at the left: its text, its height in lines, and its line of the table, None for the name of a group."""

    text: str
    height: int
    place: int | None


def screen_width() -> int:
    """Characters in a line: the value of COLUMNS, else the width of the terminal, else `WIDTH`."""
    return shutil.get_terminal_size((WIDTH, 0)).columns


def print_blocks(names: Names, blocks: Sequence[Block], *, width: int | None = None) -> None:
    """Print a table to standard output: as many blocks side by side as fit into a line, then the others below.

    Parameters
    ----------
    names : Names
        Printed before each row of blocks; folded if a block fits only then.
    blocks : sequence of Block
        Their columns have one cell per name. A block that is wider than a line is divided.
    width : int, optional
        Characters in a line; `screen_width` when left out. Only a column that is wider makes a line longer.
    """
    from rich.console import Console

    width = screen_width() if width is None else width
    names, blocks = names.visible(), [block.visible() for block in blocks]
    widest, least = _widths(names, blocks, width)
    for page in _pages(blocks, width - least - GAP):
        names_width = width - sum(_block_width(block) + GAP for block in page)
        rendered = StringIO()  # written to standard output, rich would end the process if nobody reads it any longer
        console = Console(  # a notebook sets FORCE_COLOR, and rich would show the table there instead of writing it
            file=rendered, width=10 * width + sum(map(_block_width, page)), force_terminal=sys.stdout.isatty(),
            force_jupyter=False,
        )  # fmt: skip
        console.print(_page(names, page, min(widest, max(names_width, least))))
        sys.stdout.write("\n")
        sys.stdout.writelines(line.rstrip() + "\n" for line in rendered.getvalue().splitlines())


def print_text(text: str, *, width: int | None = None, hanging: int = 0, marks: Sequence[str] = IN_SENTENCES) -> None:
    """Print a paragraph to standard output, folded into lines, all but the first indented by ``hanging``."""
    text, width = printable(text), screen_width() if width is None else width
    first, *rest = [text] if _cells(text) <= width else fold(text, width - hanging, marks)
    sys.stdout.write("\n".join([first, *(" " * hanging + line for line in rest)]) + "\n")


def print_legend(meanings: Mapping[str, str]) -> None:
    """Print the meaning of each heading on a line of its own, after an empty line; nothing if there are none."""
    if meanings:
        sys.stdout.write("\n")
    for heading, meaning in meanings.items():
        print_text(f"{' '.join(heading.split())}: {meaning}", hanging=GAP)


def fold(text: str, width: int, marks: Sequence[str] = IN_SENTENCES, *, first_width: int | None = None) -> list[str]:
    """Lines of at most ``width`` characters, at least 1, each broken after the first of the marks that makes it fit.

    The first line may have a width of its own.
    """
    width = max(width, 1)
    return [line.rstrip() for line in _broken(text, width, marks, width if first_width is None else first_width)]


def fold_words(words: Iterable[str], width: int) -> list[str]:
    """Lines of words with blanks between them, of ``width`` characters; a longer word has a line of its own."""
    lines: list[str] = []
    for word in words:
        if lines and _cells(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _broken(text: str, width: int, marks: Sequence[str], first_width: int) -> list[str]:
    if not marks or _cells(text.rstrip()) <= first_width:
        return [text]
    lines: list[str] = []
    for piece in re.split(f"(?<={marks[0]})", text):
        room = width if lines[1:] else first_width
        if lines and _cells((lines[-1] + piece).rstrip()) <= room:
            lines[-1] += piece
        else:
            lines += _broken(piece, width, marks[1:], width if lines else first_width)
    return lines


def _cells(text: str) -> int:
    """Width on the screen of the longest line."""
    lines = text.split("\n")
    if text.isascii():
        return max(map(len, lines))
    from rich.cells import cell_len

    return max(map(cell_len, lines))


def _widths(names: Names, blocks: Sequence[Block], width: int) -> tuple[int, int]:
    """The width of the unfolded names, and the smallest width to which they may be folded so that more columns fit."""
    fixed = max(map(_cells, (names.heading, *names.last)))
    indented = [(GAP if group else 0, name) for group, name in names.lines]
    widest = max(
        fixed,
        *(_cells(group) for group, _ in names.lines),
        *(indent + _cells(name) for indent, name in indented),
    )
    unbroken = max(
        indent + GAP + _cells(part) for indent, name in indented for part in re.split(f"(?<={IN_NAMES[0]})", name)
    )
    beside = max(_column_width(column) for block in blocks for column in block.columns) + GAP
    return widest, min(widest, max(fixed, min(NAME_WIDTH, unbroken, width - beside)))


def _block_width(block: Block) -> int:
    return max(_cells(block.title), sum(map(_column_width, block.columns)) + len(block.columns) - 1)


def _column_width(column: Column) -> int:
    return max(map(_cells, (column.heading, *column.cells, *column.last)))


def _pages(blocks: Sequence[Block], max_width: int) -> Iterator[list[Block]]:
    """The blocks in rows, each with as many blocks side by side as fit into ``max_width``."""
    page: list[Block] = []
    for block in blocks:
        for part in _parts(block, max_width):
            if page and sum(_block_width(beside) + GAP for beside in (*page, part)) - GAP > max_width:
                yield page
                page = []
            page.append(part)
    yield page


def _parts(block: Block, max_width: int) -> list[Block]:
    """The block, divided into parts with about equal numbers of columns if it is wider than ``max_width``."""
    n_parts = len(_divided(block.columns, max_width, len(block.columns)))
    parts = _divided(block.columns, max_width, -(-len(block.columns) // n_parts))
    return [Block("\n".join(fold(block.title, max_width, IN_TITLES)), part) for part in parts]


def _divided(columns: Sequence[Column], max_width: int, most: int) -> list[list[Column]]:
    parts: list[list[Column]] = [[]]
    for column in columns:
        if parts[-1] and (len(parts[-1]) == most or _block_width(Block("", [*parts[-1], column])) > max_width):
            parts.append([])
        parts[-1].append(column)
    return parts


def _page(names: Names, page: Sequence[Block], width: int) -> Table:
    from rich.table import Table
    from rich.text import Text

    rows = list(_rows(names, page, width))
    height = max(column.heading.count("\n") for block in page for column in block.columns)
    height = max(height, names.heading.count("\n"))
    left = [Column(names.heading, [row.text for row in rows], names.last, "left")]
    grid = Table.grid(padding=(0, GAP, 0, 0))
    for _ in (left, *page):
        grid.add_column(no_wrap=True, vertical="bottom")
    if any(block.title for block in page):
        grid.add_row("", *(Text(block.title) for block in page))
    tables = [_table(left, height)]
    for block in page:
        shown = [replace(column, cells=[_cell(column, row) for row in rows]) for column in block.columns]
        tables.append(_table(shown, height))
    grid.add_row(*tables)
    return grid


def _rows(names: Names, page: Sequence[Block], width: int) -> Iterator[_Row]:
    previous = None
    heights = [
        1 + max(column.cells[place].count("\n") for block in page for column in block.columns)
        for place in range(len(names.lines))
    ]
    for place, (group, name) in enumerate(names.lines):
        if group and group != previous:
            if previous is not None:
                yield _Row("", 1, None)
            yield _Row(*_folded(group, 0, width), None)
            previous = group
        text, height = _folded(name, GAP if group else 0, width)
        height = max(height, heights[place])
        yield _Row(_filled(text, height), height, place)


def _folded(name: str, indent: int, width: int) -> tuple[str, int]:
    """A name folded into lines, and their number."""
    lines = [name] if _cells(name) + indent <= width else fold(name, width - indent - GAP, IN_NAMES)
    first, *rest = lines
    return "\n".join([" " * indent + first, *(" " * (indent + GAP) + line for line in rest)]), len(lines)


def _cell(column: Column, row: _Row) -> str:
    """A column's cell beside a row, filled up with empty lines to the height of the row."""
    return _filled("" if row.place is None else column.cells[row.place], row.height)


def _filled(text: str, height: int) -> str:
    """The text with empty lines added up to the height."""
    return text + "\n" * (height - 1 - text.count("\n"))


def _table(columns: Sequence[Column], height: int) -> Table:
    """A table of columns whose headings end in the same line as those of the tables beside it."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    has_last = any(column.last for column in columns)
    table = Table(box=box.SIMPLE if has_last else box.SIMPLE_HEAD, padding=0, show_edge=False, show_footer=has_last)
    for column in columns:
        heading = "\n" * (height - column.heading.count("\n")) + column.heading
        table.add_column(Text(heading), Text("\n".join(column.last)), justify=column.justify, no_wrap=True)
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*map(Text, cells))
    return table


def strict(value: Any) -> Any:
    """The same nested value with None for NaN and the texts Infinity and -Infinity for infinite numbers."""
    if isinstance(value, Mapping):
        return {key: strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [strict(item) for item in value]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value)


def print_json_text(text: str) -> None:
    """Print JSON to standard output, in ASCII if standard output cannot encode Unicode."""
    is_unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    sys.stdout.write(text if is_unicode else re.sub(r"[^\x00-\x7f]", lambda match: json.dumps(match[0])[1:-1], text))
