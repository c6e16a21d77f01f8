"""Published figures beside ours, with the difference, the verdict, and a sentence that gives the reason."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, cast, get_args

Status = Literal["", "underspecified", "unavailable"]
Verdict = Literal["match", "differs", "underspecified", "unavailable"]
Figure = float | tuple[int, ...] | str
"""A number, wins/ties/losses, or words."""
Place = tuple[str, str, str]
"""Part, row and column, such as ("table 1", "glass", "TDIST")."""
EVERY_ROW = "*"
"""The row of a line of cells.csv that holds no figure but the remark of its whole column."""


@dataclass(frozen=True)
class Published:
    """A figure as a paper prints it.

    Parameters
    ----------
    part : str
        The table, figure or section: "table 3", "figure 6", "section 3.2".
    row, column : str
        The paper's names for them; data sets have the names of their files.
    value : float, tuple of int or str
    tolerance : float
        The largest difference that is a match: what rounding to the printed digits allows, or more where ``remark``
        says why. Negative: no figure of ours is a match, since it is of other data.
    page : str
        The page in the paper.
    status : {"", "underspecified", "unavailable"}
        The reason why the figure cannot be computed as the paper did; empty if it can.
    remark : str
        One sentence; shown unless the figures match. Empty: the remark of the column.
    """

    part: str
    row: str
    column: str
    value: Figure
    tolerance: float
    page: str
    status: Status
    remark: str

    @property
    def place(self) -> Place:
        """The figure's place in the paper."""
        return self.part, self.row, self.column


@dataclass(frozen=True)
class Cell:
    """A published figure and ours.

    Parameters
    ----------
    published : Published
    ours : float, tuple of int, str or None
        None: not computed.
    """

    published: Published
    ours: Figure | None

    @property
    def difference(self) -> float | tuple[int, ...] | None:
        """Ours minus published; None for words, and where there is nothing to subtract."""
        theirs, ours = self.published.value, self.ours
        if isinstance(theirs, tuple) and isinstance(ours, tuple) and len(ours) == len(theirs):
            return tuple(a - b for a, b in zip(ours, theirs, strict=True))
        if isinstance(theirs, float) and isinstance(ours, float) and math.isfinite(ours):
            return ours - theirs
        return None

    @property
    def verdict(self) -> Verdict:
        """Whether the figures agree; "underspecified" and "unavailable" where they cannot be compared."""
        if self.is_equal:
            return "match"
        return self.published.status or ("unavailable" if self.ours is None else "differs")

    @property
    def remark(self) -> str:
        """The reason why the figures do not agree, as far as it is known; empty if they agree."""
        if self.is_equal:
            return ""
        return self.published.remark or ("its data set was not measured" if self.ours is None else "")

    @property
    def is_equal(self) -> bool:
        """Whether ours is within the tolerance."""
        difference = self.difference
        if difference is None:
            return self.ours is not None and self.ours == self.published.value
        largest = max(map(abs, difference)) if isinstance(difference, tuple) else abs(difference)
        return largest <= self.published.tolerance + 1e-9


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
    if (status := row["status"]) not in get_args(Status):
        raise ValueError(f"cells.csv: the status '{status}' is none of {get_args(Status)}")
    return Published(
        row["part"], row["row"], row["column"], figure_of(row["published"]), float(row["tolerance"] or 0), row["page"],
        cast(Status, status), row["remark"] or column_remarks.get((row["part"], row["column"]), ""),
    )  # fmt: skip


def figure_of(text: str) -> Figure:
    """The figure that a text writes: a number, wins/ties/losses with slashes, or else the words themselves."""
    try:
        return float(text)
    except ValueError:
        parts = text.split("/")
        return tuple(map(int, parts)) if len(parts) > 1 and all(map(str.isdecimal, parts)) else text


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


def compared(published: Iterable[Published], ours: Mapping[Place, Figure | None]) -> list[Cell]:
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
