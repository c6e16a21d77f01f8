"""Published figures beside ours, from the files that `wekaconf study replicate` writes."""

from __future__ import annotations

import csv
import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from wekaconf.base.errors import OptionError, printable
from wekaconf.report._page.frame import Axis, Frame
from wekaconf.report._references import cite
from wekaconf.report.printing import UNDEFINED

TITLE = "Published against ours"
CELLS, FINDINGS, ENVIRONMENT = "cells.csv", "findings.txt", "environment.json"
INTERVAL = ("low", "high", "repetitions", "chance")
COLUMNS = (
    "part", "row", "column", "kind", "published", "ours", *INTERVAL, "difference", "verdict", "page", "remark",
)  # fmt: skip
LARGEST_DRAWN = 1e100
KIND, RESULT = "kind", "result"
"""The column that tells results from other figures, and its text for them."""
OTHER_KINDS = {"property": "properties", "arithmetic": "arithmetic"}
"""The kinds that are no results, and the headings of their counts."""
VERDICTS = {"met": "=", "close": "≈", "differs": "≠", "underspecified": "?", "no data": "/"}
"""Every verdict with its mark."""


@dataclass(frozen=True)
class Scatter:
    """A scatter plot of the numbers of one part: published (across) against ours (up).

    Parameters
    ----------
    title, description : str
    frame : Frame
    points : mapping of str to sequence of (x, y, text)
        The points by their verdict.
    """

    title: str
    description: str
    frame: Frame
    points: Mapping[str, Sequence[tuple[int, int, str]]]


@dataclass(frozen=True)
class Paper:
    """A paper's figures beside ours.

    Parameters
    ----------
    name, title : str
    cells : sequence of mapping
        The rows of ``cells.csv``, each text on one line of visible characters.
    findings : sequence of str
    environment : str
        The versions used and the command, as JSON.
    """

    name: str
    title: str
    cells: Sequence[Mapping[str, str]]
    findings: Sequence[str]
    environment: str

    @property
    def verdicts(self) -> tuple[list[str], dict[str, list[str]]]:
        """The table of verdicts, see `verdict_counts`."""
        return verdict_counts(self.cells)

    @property
    def scatters(self) -> list[Scatter]:
        """One picture for each part with two or more results that are numbers.

        Other kinds of figures, such as the number of instances, are in the table only, since they would squeeze the
        results together.
        """
        by_part: dict[str, list[tuple[float, float, Mapping[str, str]]]] = {}
        for cell in self.cells:
            theirs, ours = _number(cell["published"]), _number(cell["ours"])
            if math.isfinite(theirs) and math.isfinite(ours) and cell[KIND] == RESULT:
                by_part.setdefault(cell["part"], []).append((theirs, ours, cell))
        return [_scatter(part, numbers) for part, numbers in by_part.items() if len(numbers) > 1]

    @property
    def drawn_verdicts(self) -> list[str]:
        """The verdicts of the points in the pictures."""
        return [verdict for verdict in VERDICTS if any(verdict in scatter.points for scatter in self.scatters)]


def verdict_counts(cells: Sequence[Mapping[str, str]]) -> tuple[list[str], dict[str, list[str]]]:
    """The table of verdicts.

    Parameters
    ----------
    cells : sequence of mapping
        The rows of ``cells.csv`` as texts, by their columns.

    Returns
    -------
    headings : list of str
    lines : dict of str to list of str
        By part, "all" last: the number of results with each verdict; how many would be met by chance, if the figures of
        each column were dealt out among its rows; the median width of the intervals, in the unit of the figures; the
        number of repetitions; then how many figures of each other kind are met, such as "4 of 5".
    """
    parts = {part: [cell for cell in cells if cell["part"] == part] for part in dict.fromkeys(c["part"] for c in cells)}
    headings = [*VERDICTS, "by chance", "width", "repetitions", *OTHER_KINDS.values()]
    return headings, {part: _counts(own) for part, own in parts.items()} | {"all": _counts(cells, has_width=False)}


def _counts(cells: Sequence[Mapping[str, str]], *, has_width: bool = True) -> list[str]:
    by_kind: dict[str, Counter[str]] = {}
    for cell in cells:
        by_kind.setdefault(cell[KIND], Counter())[cell["verdict"]] += 1
    judged = [cell for cell in cells if cell["chance"]]
    numbers = {name: [_number(cell[name]) for cell in judged] for name in INTERVAL}
    widths = [
        high - low for low, high in zip(numbers["low"], numbers["high"], strict=True) if math.isfinite(high - low)
    ]
    repetitions = [number for number in numbers["repetitions"] if math.isfinite(number)]
    ends = dict.fromkeys(f"{end(repetitions, default=0):.0f}" for end in (min, max))
    results = by_kind.get(RESULT, Counter())
    return [
        *(str(results[verdict]) for verdict in VERDICTS),
        f"{sum(numbers['chance']):.1f}" if judged else UNDEFINED,
        f"{median(widths):.3g}" if widths and has_width else UNDEFINED,
        " to ".join(ends) if repetitions else UNDEFINED,
        *(f"{of['met']} of {of.total()}" if (of := by_kind.get(kind)) else UNDEFINED for kind in OTHER_KINDS),
    ]


def read_papers(folder: str | os.PathLike[str]) -> list[Paper]:
    """The papers in a folder that `wekaconf study replicate -o` has written: of all papers, or of one.

    Raises
    ------
    OptionError
        There are none, or a file is not what that command writes.
    """
    folder = os.fspath(folder)
    if not os.path.isdir(folder):
        raise OptionError(
            f"{folder}: is no folder; name the one that wekaconf study replicate -o has written", value_of="cells"
        )
    places = [folder, *(entry.path for entry in sorted(os.scandir(folder), key=lambda e: e.name) if entry.is_dir())]
    papers = [_read_paper(place) for place in places if os.path.isfile(os.path.join(place, CELLS))]
    if not papers:
        raise OptionError(
            f"{folder}: holds no {CELLS}, nor does a folder in it; wekaconf study replicate -o writes them",
            value_of="cells",
        )
    return papers


def _read_paper(folder: str) -> Paper:
    path = os.path.join(folder, CELLS)
    name = os.path.basename(os.path.abspath(folder))
    try:
        title = cite(name)
    except KeyError:
        title = name
    findings, environment = _read(folder, FINDINGS).splitlines(), _read(folder, ENVIRONMENT)
    return Paper(printable(name), printable(title), _read_cells(path), findings, environment)


def _read_cells(path: str) -> list[dict[str, str]]:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            names = reader.fieldnames or ()
            rows = [(reader.line_num, row) for row in reader]
    except (csv.Error, UnicodeDecodeError) as error:
        raise OptionError(
            f"{path}: is not what wekaconf study replicate writes ({error}); write it again", value_of="cells"
        ) from error
    if missing := [column for column in COLUMNS if column not in names]:
        raise OptionError(
            f"{path}: has no column '{missing[0]}'; wekaconf study replicate writes {', '.join(COLUMNS)}",
            value_of="cells",
        )
    for line, row in rows:
        if row["verdict"] not in VERDICTS:
            raise OptionError(
                f"{path}:{line}: expected a verdict ({', '.join(VERDICTS)}), got '{row['verdict']}'", value_of="cells"
            )
    return [{name: printable(row[name] or "") for name in COLUMNS} for _, row in rows]


def _read(folder: str, name: str) -> str:
    """The text of another file in the folder; empty if there is none."""
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return "\n".join(map(printable, file.read().splitlines()))
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise OptionError(
            f"{os.path.join(folder, name)}: is not in UTF-8 ({error}); write it again", value_of="cells"
        ) from error


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if abs(number) < LARGEST_DRAWN else math.nan


def _scatter(part: str, numbers: Sequence[tuple[float, float, Mapping[str, str]]]) -> Scatter:
    values = [number for theirs, ours, _ in numbers for number in (theirs, ours)]
    margin = 0.04 * (max(values) - min(values))
    ends = [min(values) - margin, max(values) + margin]
    frame = Frame(Axis.around("published", ends), Axis.around("ours", ends))
    points: dict[str, list[tuple[int, int, str]]] = {}
    for theirs, ours, cell in numbers:
        [(x, y)] = frame.places([theirs], [ours])
        text = f"{cell['row']}, {cell['column']}: published {cell['published']}, ours {cell['ours']}"
        points.setdefault(cell["verdict"], []).append((x, y, text))
    counted = ", ".join(f"{len(points[verdict])} {verdict}" for verdict in VERDICTS if verdict in points)
    return Scatter(part.capitalize(), f"{len(numbers)} figures: {counted}.", frame, points)
