"""Draw the rooms of the house and their imports: ``python scripts/house_picture.py`` writes docs/assets/house.svg.

On the left an arrow leads from a room to one that it imports; those that follow from other arrows are left out. The
triangle on the right has all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import docs_records
import grimp

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "assets" / "house.svg"
BOX_WIDTH, BOX_HEIGHT = 100, 28
COLUMN, LEVEL = 116, 48
"""Distances of boxes side by side, and of boxes below one another, in pixels."""
CELL = 25
MARGIN, CAPTION = 20, 44
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">
<title>The rooms of the house, and which room imports which</title>
<style>
text {{ font: 16px sans-serif; fill: #1f2937 }}
.caption {{ font-size: 15px; fill: #4b5563 }}
.box {{ fill: #d9f0ec; stroke: #00796b }}
.arrow {{ stroke: #00796b; stroke-width: 1.5; marker-end: url(#head) }}
.guide {{ stroke: #e5e7eb }}
.dot, #head path {{ fill: #00796b }}
</style>
<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 8 4 0 8z"/></marker>
<rect width="100%" height="100%" rx="6" fill="#ffffff"/>
"""

Imports = dict[str, set[str]]
"""The rooms that each room imports, itself not among them; no room stands before one that it imports."""


def imports_of_rooms() -> Imports:
    """The imports between rooms, those for type checking included."""
    graph = grimp.build_graph("wekaconf", cache_dir=None)
    rooms = [f"wekaconf.{folder.name}" for folder in docs_records.room_folders()]
    for room in rooms:
        graph.squash_module(room)
    imported = {room: graph.find_modules_directly_imported_by(room).intersection(rooms) - {room} for room in rooms}
    return {name_of(room): set(map(name_of, others)) for room, others in imported.items()}


def name_of(room: str) -> str:
    return room.removeprefix("wekaconf.")


def not_implied(imports: Imports) -> Imports:
    """The imports without those of rooms that are reached through another room as well."""
    reached: Imports = {}
    for room, imported in imports.items():
        reached[room] = imported.union(*(reached[other] for other in imported))
    return {
        room: {other for other in imported if not any(other in reached[between] for between in imported)}
        for room, imported in imports.items()
    }


def positions(imports: Imports) -> dict[str, tuple[float, int]]:
    """The centre of each room's box: columns from the middle, and levels from the top.

    A room stands one level below the lowest room that it imports, in the middle of those that it imports, beside others
    of which that is true.
    """
    level: dict[str, int] = {}
    for room, imported in imports.items():
        level[room] = 1 + max((level[other] for other in imported), default=-1)
    column: dict[str, float] = {}
    for depth in range(max(level.values()) + 1):
        rooms = [room for room in imports if level[room] == depth]
        middle = mean(column[other] for room in rooms for other in imports[room]) if depth else 0.0
        for place, room in enumerate(rooms):
            column[room] = middle + place - (len(rooms) - 1) / 2
    return {room: (column[room], level[room]) for room in imports}


def drawn(imports: Imports) -> str:
    """The picture as SVG."""
    arrows = not_implied(imports)
    place = positions(arrows)
    columns = [column for column, _ in place.values()]
    left = MARGIN + BOX_WIDTH / 2 - min(columns) * COLUMN
    centre = {room: (left + COLUMN * column, CAPTION + 20 + LEVEL * level) for room, (column, level) in place.items()}
    triangle = max(x for x, _ in centre.values()) + BOX_WIDTH / 2 + 2 * MARGIN
    width = triangle + len(imports) * CELL + BOX_WIDTH
    height = max(y for _, y in centre.values()) + BOX_HEIGHT / 2 + MARGIN
    lines = [
        HEAD.format(width=width, height=height)
        + text(MARGIN, 26, "Imports; arrows that others imply are left out", "caption"),
        text(triangle, 26, "A dot: the room at the end of its row imports the one above", "caption"),
        *boxes(arrows, centre),
        *dots(imports, triangle, (height + CAPTION - MARGIN - len(imports) * CELL) / 2),
        "</svg>\n",
    ]
    return "\n".join(lines)


def boxes(arrows: Imports, centre: dict[str, tuple[float, float]]) -> Iterator[str]:
    """The rooms as boxes, and the arrows between them."""
    for room, imported in arrows.items():
        x, y = centre[room]
        for other in sorted(imported):
            x2, y2 = centre[other]
            yield (
                f'<line class="arrow" x1="{x:g}" y1="{y - BOX_HEIGHT / 2:g}" '
                f'x2="{x2 + (x - x2) / 8:g}" y2="{y2 + BOX_HEIGHT / 2 + 1:g}"/>'
            )
        yield (
            f'<rect class="box" x="{x - BOX_WIDTH / 2:g}" y="{y - BOX_HEIGHT / 2:g}" '
            f'width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4"/>'
        )
        yield text(x, y + 5, room, anchor="middle")


def dots(imports: Imports, left: float, top: float) -> Iterator[str]:
    """One row per room, its name at the end; a dot below the name of each room that it imports."""
    names = list(imports)
    bottom = top + len(names) * CELL
    for row, room in enumerate(names):
        x, y = left + (row + 0.5) * CELL, top + (row + 0.5) * CELL
        end, below = x - CELL / 2, y + CELL / 2
        yield f'<path class="guide" fill="none" d="M{left:g} {y:g}H{end:g}M{x:g} {below:g}V{bottom:g}"/>'
        yield text(end + 4, y + 5, room)
        for column, other in enumerate(names[:row]):
            if other in imports[room]:
                yield f'<circle class="dot" cx="{left + (column + 0.5) * CELL:g}" cy="{y:g}" r="5"/>'


def text(x: float, y: float, words: str, style: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{style}" text-anchor="{anchor}">{words}</text>'


if __name__ == "__main__":
    PICTURE.write_text(drawn(imports_of_rooms()), encoding="utf-8")
