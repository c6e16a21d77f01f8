"""Published figures beside ours: the interval of our repetitions, the verdict, and a sentence that gives the reason.

Student's t in place of the lowest and the highest would need normal gains. Where nothing is drawn, or more than one
repetition would take hours, a figure is met only as printed. Properties and arithmetic are told apart from results, so
that nothing counts twice; and since a wide interval meets by chance, `by_chance` says how often.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from statistics import fmean
from typing import Literal, Self, cast, get_args

Kind = Literal["result", "property", "arithmetic"]
"""A result of the paper's experiments, a property of a data set, or what follows from other figures in print."""
Status = Literal["", "underspecified", "no data"]
Verdict = Literal["met", "close", "differs", "underspecified", "no data"]
Figure = float | tuple[int, ...] | str
"""A number, wins/ties/losses, or words."""
Place = tuple[str, str, str]
"""Part, row and column, such as ("table 1", "glass", "TDIST")."""
EVERY_ROW = "*"
"""The row of a line of cells.csv that holds no figure but the remark of its whole column."""
CLOSE = 2.0
"""A figure is close if it lies in an interval that is this many times as wide, with the same middle."""
ROUNDING = 1e-9


@dataclass(frozen=True)
class Published:
    """A figure as a paper prints it.

    Parameters
    ----------
    part : str
        The table, figure or section: "table 3", "figure 6", "section 3.2".
    row, column : str
        The paper's names for them; data sets have the names of their files.
    text : str
        The figure in print, with all its digits.
    page : str
        The page in the paper.
    kind : {"result", "property", "arithmetic"}
    status : {"", "underspecified", "no data"}
        The reason why the figure cannot be computed as the paper did; empty if it can.
    remark : str
        One sentence; shown unless the figure is met. Empty: the remark of the column.
    """

    part: str
    row: str
    column: str
    text: str
    page: str
    kind: Kind
    status: Status
    remark: str

    @property
    def place(self) -> Place:
        """The figure's place in the paper."""
        return self.part, self.row, self.column

    @property
    def value(self) -> Figure:
        """The figure."""
        return figure_of(self.text)

    @property
    def decimals(self) -> int:
        """Decimals in print; 0 where it is no number."""
        return len(self.text.partition(".")[2]) if isinstance(self.value, float) else 0

    @property
    def half_unit(self) -> float:
        """Half a unit of the last printed digit: the largest difference that rounding makes."""
        return 0.5 * 10.0**-self.decimals


@dataclass(frozen=True)
class Repeated:
    """A number that was measured several times, with other folds or seeds.

    Parameters
    ----------
    mean, low, high : float
        The mean, the lowest and the highest of the repetitions. One more lies between the lowest and the highest with a
        probability of (n − 1) / (n + 1), whatever the distribution: 95 % for 39.
    n : int
        Number of repetitions.
    """

    mean: float
    low: float
    high: float
    n: int

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Self:
        """The repetitions, at least one, of what the paper reports."""
        return cls(fmean(numbers), min(numbers), max(numbers), len(numbers))


@dataclass(frozen=True)
class Cell:
    """A published figure and ours.

    Parameters
    ----------
    published : Published
    measured : float, tuple of int, str, Repeated or None
        None: not computed.
    """

    published: Published
    measured: Figure | Repeated | None

    @property
    def ours(self) -> Figure | None:
        """Our figure, the mean of the repetitions."""
        return self.measured.mean if isinstance(self.measured, Repeated) else self.measured

    @property
    def n_repetitions(self) -> int:
        """Number of repetitions; 0 if nothing was computed."""
        return self.measured.n if isinstance(self.measured, Repeated) else int(self.measured is not None)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Lowest to highest of our numbers, widened by half a unit of the last printed digit; else None."""
        ours, half_unit = self.measured, self.published.half_unit
        if isinstance(ours, float):
            ours = Repeated.of([ours])
        return (ours.low - half_unit, ours.high + half_unit) if isinstance(ours, Repeated) else None

    @property
    def difference(self) -> float | tuple[int, ...] | None:
        """Ours minus published; None for words, and where there is nothing to subtract."""
        theirs, ours = self.published.value, self.ours
        if isinstance(theirs, tuple) and isinstance(ours, tuple) and len(ours) == len(theirs):
            return tuple(a - b for a, b in zip(ours, theirs, strict=True))
        if isinstance(theirs, float) and isinstance(ours, float) and math.isfinite(ours):
            return ours - theirs
        return None

    def holds(self, figure: Figure, *, factor: float = 1.0) -> bool:
        """Whether our interval, made ``factor`` times as wide, holds a figure; counts are widened by half a unit."""
        if self.interval and isinstance(figure, float):
            low, high = self.interval
            return abs(figure - (low + high) / 2) <= factor * (high - low) / 2 + ROUNDING
        if isinstance(figure, tuple) and isinstance(self.ours, tuple) and len(figure) == len(self.ours):
            return max(abs(a - b) for a, b in zip(figure, self.ours, strict=True)) <= factor * 0.5
        return figure == self.ours

    @property
    def is_judged(self) -> bool:
        """Whether the figures can be compared."""
        return self.ours is not None and not self.published.status

    @property
    def verdict(self) -> Verdict:
        """Met inside our interval, a result close inside `CLOSE` times the interval, else differs.

        "underspecified" and "no data" where the figures cannot be compared, whether they agree or not.
        """
        if not self.is_judged:
            # Whatever stands beside: 0.0 against 0.0 would count as a replication.
            return self.published.status or "no data"
        if self.holds(self.published.value):
            return "met"
        is_close = self.published.kind == "result" and self.holds(self.published.value, factor=CLOSE)
        return "close" if is_close else "differs"

    @property
    def remark(self) -> str:
        """The reason why the figure is not met, as far as it is known; empty if it is."""
        if self.verdict == "met":
            return ""
        return self.published.remark or ("its data set was not measured" if self.ours is None else "")


def by_chance(cells: Iterable[Cell]) -> dict[Place, float]:
    """The probability that each figure is met if the figures of its column are dealt out among the rows at random.

    Only results that are judged are dealt out; the sum is the expected number of figures that are met by chance.
    """
    columns: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        if cell.is_judged and cell.published.kind == "result":
            columns.setdefault((cell.published.part, cell.published.column), []).append(cell)
    return {
        cell.published.place: fmean(cell.holds(other.published.value) for other in column)
        for column in columns.values()
        for cell in column
    }


def published_cells(paper: str) -> list[Published]:
    """Every figure that a paper prints, from ``cells.csv`` in its folder, in the order of that file.

    Raises
    ------
    ValueError
        A place occurs twice.
    """
    text = files("wekaconf.replication").joinpath(paper, "cells.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    column_remarks = {(row["part"], row["column"]): row["remark"] for row in rows if row["row"] == EVERY_ROW}
    cells = [_published(row, column_remarks) for row in rows if row["row"] != EVERY_ROW]
    if len({cell.place for cell in cells}) < len(cells):
        raise ValueError(f"{paper}/cells.csv: a place occurs twice")
    return cells


def _published(row: Mapping[str, str], column_remarks: Mapping[tuple[str, str], str]) -> Published:
    kind, status = row["kind"] or "result", row["status"]
    for name, text, known in (("kind", kind, get_args(Kind)), ("status", status, get_args(Status))):
        if text not in known:
            raise ValueError(f"cells.csv: the {name} '{text}' is none of {known}")
    return Published(
        row["part"], row["row"], row["column"], row["published"], row["page"], cast(Kind, kind), cast(Status, status),
        row["remark"] or column_remarks.get((row["part"], row["column"]), ""),
    )  # fmt: skip


def figure_of(text: str) -> Figure:
    """The figure that a text writes: a number, wins/ties/losses with slashes, or else the words themselves."""
    try:
        return float(text)
    except ValueError:
        parts = text.split("/")
        return tuple(map(int, parts)) if all(map(str.isdecimal, parts)) else text


def text_of(figure: Figure | None, digits: int) -> str:
    """The text of a figure in a table; a dash for None and NaN."""
    if figure is None or (isinstance(figure, float) and math.isnan(figure)):
        return "–"
    if isinstance(figure, tuple):
        return "/".join(map(str, figure))
    return f"{figure:.{digits}f}" if isinstance(figure, float) else figure


def p_cell(p_value: float) -> str:
    """A p-value in a table, to four decimals."""
    return "<0.0001" if p_value < 0.0001 else f"{p_value:.4f}"


def compare_cells(published: Iterable[Published], ours: Mapping[Place, Figure | Repeated | None]) -> list[Cell]:
    """Each published figure with ours.

    Raises
    ------
    KeyError
        Ours holds a place that the paper does not have.
    """
    cells = [Cell(figure, ours.get(figure.place)) for figure in published]
    if unknown := ours.keys() - {cell.published.place for cell in cells}:
        raise KeyError(f"the paper prints nothing at {sorted(unknown)}")
    return cells
