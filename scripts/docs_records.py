"""Write the tables and sentences of the docs that come from docs/records/, and say whether they are those of today.

``python scripts/docs_records.py [--write]`` in the project's environment. Between a line such as

    <!-- records: wang2006 findings table 1 -->

and ``<!-- end of records -->``, which readers do not see, a page holds what docs/records/wang2006 says:

* ``PAPER findings PART``: the sentences on a part of the paper; ``PAPER findings``: how all of it was measured
* ``PAPER finding BEGINNING``: the one sentence that begins so, or a few of them
* ``PAPER verdicts``: how many published figures of each part are met, kind by kind
* ``PAPER cells PART``: published and our figures
* ``PAPER reasons PART``: why figures of a part are not met
* ``PAPER beside TITLE``: the table of ours whose title begins so
* ``papers claims``: what each paper claims and what could be repeated of it, from ``scripts/claims.py``
* ``wekaconf rooms``: the rooms of the house, each with the first line of its ``__init__``
* ``second-opinion PART``: how the method `second_opinion` was judged, from ``scripts/_opinions.py``
* ``which-method PART``: what helped on many data sets, from ``scripts/which_method.py``
* ``STUDY PART``: the text docs/records/summaries/STUDY/PART.txt, of a study that is finished; docs/records/README.md
  says how it was made

The records are the folder that ``wekaconf study replicate PAPER -o docs/records`` writes, but for its figures.

Pages are recomputed from records, not measured anew, which would take hours and not see a fault in the sentences.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

import _opinions
from _records import SUMMARIES, lines_of, unpack
from _tables import table
from claims import claims
from evidence import short

from wekaconf.base.naming import counted
from wekaconf.replication._cells import figure_of
from wekaconf.replication._verdicts import verdict_counts
from wekaconf.replication.writing import BESIDE, CELLS, FINDINGS, ours_text

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "docs" / "records"
PAGES = [
    ROOT / "README.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if page.name != "adding-a-paper.md"),
]
"""All but the one that has the template of a page."""
PLACE = re.compile(r"(<!-- records: (?P<what>.+?) -->\n).*?(<!-- end of records -->)", re.DOTALL)
Row = dict[str, str]


def rewritten(text: str) -> str:
    """A page with what the records say now."""
    return PLACE.sub(lambda found: f"{found[1]}\n{written(found['what'])}\n\n{found[3]}", text)


def written(what: str) -> str:
    """What stands at a place.

    Raises
    ------
    ValueError
        The records do not have it.
    """
    paper, kind, rest = re.fullmatch(r"(\S+) (\S+) ?(.*)", what).groups()  # type: ignore[union-attr]
    if kind == "findings":
        lines = (RECORDS / paper / FINDINGS).read_text(encoding="utf-8").splitlines()
        found = [line.removeprefix(f"{rest or paper}: ") for line in lines if line.startswith(f"{rest or paper}: ")]
        text = "\n".join(f"* {line}" for line in found)
    elif kind == "finding":
        lines = (RECORDS / paper / FINDINGS).read_text(encoding="utf-8").splitlines()
        told = [line.partition(": ")[2] for line in lines]
        text = "\n".join(f"* {line}" for line in told if line.startswith(rest))
    elif kind == "verdicts":
        text = verdicts(rows(paper, CELLS))
    elif kind == "cells":
        text = cells([row for row in rows(paper, CELLS) if row["part"] == rest])
    elif kind == "reasons":
        text = reasons([row for row in rows(paper, CELLS) if row["part"] == rest])
    elif kind == "beside":
        text = beside([row for row in rows(paper, BESIDE) if row["title"].startswith(rest)])
    elif kind == "claims":
        text = claims()
    elif kind == "rooms":
        text = rooms()
    elif paper == "second-opinion":
        text = _opinions.PARTS[kind](unpack(_opinions.RECORDS))
    elif paper == "which-method":
        text = short.PARTS[kind]()
    elif (summary := SUMMARIES / paper / f"{kind}.txt").is_file():
        text = summary.read_text(encoding="utf-8").strip()
    else:
        raise ValueError(
            f"records: {what}: expected findings, finding, verdicts, cells, reasons, beside, rooms or a summary"
        )
    if not text:
        raise ValueError(f"records: {what}: there is no such thing in {RECORDS / paper}")
    return text


def rows(paper: str, name: str) -> list[Row]:
    return lines_of(RECORDS / paper / name)


def verdicts(found: list[Row]) -> str:
    headings, lines = verdict_counts(found)
    return table(["", *headings], [[part, *counts] for part, counts in lines.items()])


def cells(found: list[Row]) -> str:
    """One line per row of the part: published, and ours in parentheses unless it is the same in print."""
    return crossed("published (ours)", [(row, in_print(row)) for row in found]) if found else ""


def in_print(row: Row) -> str:
    """A published figure as the paper prints it, and ours with as many decimals, if it differs.

    In brackets what follows from other figures in print, and what follows if that differs.
    """
    text = row["published"]
    ours = figure_of(row["ours"]) if row["ours"] else "–"
    own = f"{ours:.{len(text.partition('.')[2])}f}" if isinstance(ours, float) else row["ours"] or "–"
    if row["kind"] == "arithmetic":
        return ours_text(text if text == own else f"{text} → {own}", row["kind"])
    return text if text == own else f"{text} ({own})"


def reasons(found: list[Row]) -> str:
    """Each remark once, with its verdict and the number of figures that it is about."""
    counts = Counter((row["verdict"], row["remark"]) for row in found if row["remark"])
    return "\n".join(f"* {verdict} ({counted(n, 'figure')}): {remark}." for (verdict, remark), n in counts.items())


def beside(found: list[Row]) -> str:
    if not found:
        return ""
    title = found[0]["title"]
    return crossed(title, [(row, row["shown"]) for row in found if row["title"] == title])


def crossed(heading: str, found: list[tuple[Row, str]]) -> str:
    """A table with the text of each record where its row and its column meet."""
    columns = list(dict.fromkeys(row["column"] for row, _ in found))
    lines: dict[str, dict[str, str]] = {}
    for row, text in found:
        lines.setdefault(row["row"], {})[row["column"]] = text
    return table([heading, *columns], [[name, *(own.get(each, "") for each in columns)] for name, own in lines.items()])


def rooms() -> str:
    """Each room and what it holds."""
    return table(["room", "holds"], [[f"`{folder.name}/`", held_by(folder)] for folder in room_folders()])


def room_folders() -> list[Path]:
    """The layers of the import contract that are folders; none imports from a later one."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    folders = [ROOT / layer.replace(".", "/") for layer in reversed(layers)]
    return [folder for folder in folders if folder.is_dir()]


def held_by(folder: Path) -> str:
    """The first line of what a folder says of itself."""
    said = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    return said.partition("\n")[0]


def main(arguments: list[str]) -> int:
    stale = [page for page in PAGES if rewritten(page.read_text(encoding="utf-8")) != page.read_text(encoding="utf-8")]
    for page in stale:
        print(page.relative_to(ROOT))
        if "--write" in arguments:
            page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0 if "--write" in arguments else len(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
