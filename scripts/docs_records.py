"""Write tables and sentences of ``docs/papers/`` from the records in ``docs/records/``; ``--check`` compares instead.

The command ``wekaconf replicate PAPER -o docs/records`` makes the records. Between the two lines

    <!-- records: PAPER KIND PART -->
    <!-- end of records -->

stands what they say of a part: ``cells``, the published figures beside ours, with the reasons for differences;
``beside``, the tables that the paper does not have, one of them by its title after ": "; ``findings``, the sentences;
or ``verdicts``, how many figures of each part agree.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from wekaconf.replication.cells import Cell, Place, compared, figure_of, published_cells, text_of
from wekaconf.replication.writing import MARKS, VERDICTS, decimals

ROOT = Path(__file__).resolve().parents[1]
RECORDS, PAGES = ROOT / "docs" / "records", ROOT / "docs" / "papers"
PLACE = re.compile(r"<!-- records: (\S+) (\w+) ?(.*?) -->\n.*?<!-- end of records -->", re.DOTALL)


def rows_of(paper: str, name: str) -> list[dict[str, str]]:
    """The rows of a CSV file of a paper."""
    with open(RECORDS / paper / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cells_of(paper: str) -> list[Cell]:
    """Every published figure, and ours as recorded."""
    ours: dict[Place, object] = {
        (row["part"], row["row"], row["column"]): figure_of(row["ours"]) if row["ours"] else None
        for row in rows_of(paper, "cells.csv")
    }
    return compared(published_cells(paper), ours)  # type: ignore[arg-type]


def table(first: str, columns: Sequence[str], rows: dict[str, Sequence[str]]) -> Iterator[str]:
    """A table in Markdown, with the fewer of rows and columns side by side if there are many columns."""
    if len(columns) > max(len(rows), 9):
        yield from table(first, list(rows), {c: [row[i] for row in rows.values()] for i, c in enumerate(columns)})
        return
    yield f"| {' | '.join([first, *columns])} |"
    yield "|---" * (1 + len(columns)) + "|"
    yield from (f"| {' | '.join([name, *row])} |" for name, row in rows.items())


def cells(paper: str, part: str) -> Iterator[str]:
    """Published and ours, and why they differ."""
    chosen = [cell for cell in cells_of(paper) if cell.published.part == part]
    by_place = {(cell.published.row, cell.published.column): cell for cell in chosen}
    names, columns = (list(dict.fromkeys(place[at] for place in by_place)) for at in (0, 1))
    digits = {c: max(decimals(cell.published) for (_, at), cell in by_place.items() if at == c) for c in columns}

    def shown(name: str, column: str) -> str:
        cell = by_place.get((name, column))
        if cell is None:
            return ""
        theirs, ours = (text_of(figure, digits[column]) for figure in (cell.published.value, cell.ours))
        return f"{theirs} · {ours} {MARKS[cell.verdict]}"

    yield from table(f"{part}: published · ours", columns, {name: [shown(name, c) for c in columns] for name in names})
    reasons = Counter((cell.verdict, cell.remark) for cell in chosen if cell.remark)
    if reasons:
        yield ""
    for (verdict, remark), n in reasons.items():
        yield f"* {MARKS[verdict]} ({n} {verdict}): {remark}."


def beside(paper: str, which: str) -> Iterator[str]:
    """Tables of ours that the paper does not have."""
    part, _, title = which.partition(": ")
    found: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows_of(paper, "beside.csv"):
        if row["part"] == part and title in ("", row["title"]):
            figure = figure_of(row["ours"]) if row["ours"] else None
            text = f"{figure:.3g}" if isinstance(figure, float) else text_of(figure, 0)
            found.setdefault(row["title"], {}).setdefault(row["row"], {})[row["column"]] = text
    if not found:
        raise SystemExit(f"docs/records/{paper}/beside.csv: nothing on '{which}'")
    for number, (name, rows) in enumerate(found.items()):
        yield from [""] if number else []
        columns = list(next(iter(rows.values())))
        yield from table(name, columns, {row: list(figures.values()) for row, figures in rows.items()})


def findings(paper: str, part: str) -> Iterator[str]:
    """The sentences on a part, or on all of the paper."""
    for line in (RECORDS / paper / "findings.txt").read_text(encoding="utf-8").splitlines():
        of, text = line.split(": ", 1)
        if of == (part or paper):
            yield f"* {text}"


def verdicts(paper: str, _: str) -> Iterator[str]:
    """How many figures of each part agree."""
    counts: dict[str, Counter[str]] = {}
    for cell in cells_of(paper):
        counts.setdefault(cell.published.part, Counter())[cell.verdict] += 1
    columns = [f"{MARKS[verdict]} {verdict}" for verdict in VERDICTS]
    yield from table("published figures", columns, {p: [str(n[v]) for v in VERDICTS] for p, n in counts.items()})


KINDS: dict[str, Callable[[str, str], Iterator[str]]] = {
    "cells": cells, "beside": beside, "findings": findings, "verdicts": verdicts,
}  # fmt: skip


def renewed(text: str) -> str:
    """A page with its tables and sentences as the records have them."""

    def block(found: re.Match[str]) -> str:
        paper, kind, which = found.groups()
        lines = "\n".join(KINDS[kind](paper, which))
        return f"{found[0].splitlines()[0]}\n{lines}\n<!-- end of records -->"

    return PLACE.sub(block, text)


def main(arguments: Sequence[str]) -> int:
    """Write or compare all pages."""
    stale = []
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (new := renewed(text)) != text:
            stale.append(page.name)
            if "--check" not in arguments:
                page.write_text(new, encoding="utf-8")
    did = "differ from the records" if "--check" in arguments else "written"
    print(f"{', '.join(stale)}: {did}" if stale else "every page is as its records say")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
