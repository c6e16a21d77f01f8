"""The critical difference diagram of a page: mean ranks, and bars that join methods not shown to differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wekaconf.report.comparison._compared import ComparisonFigures
from wekaconf.report.comparison._diagram import rank_groups

AXIS, ROW, BAR_GAP, ABOVE = 640, 26, 9, 62
"""Units: length of the axis, height of a row with a name, between bars, above the axis."""
LETTER = 8.2
"""Largest mean width of a letter of a name, in units."""


@dataclass(frozen=True)
class RankDiagram:
    """The coordinates of a diagram, in units from the upper left corner.

    Parameters
    ----------
    width, height, axis, left : float
        The size; the height of the axis, and its left end.
    ticks : sequence of (x, text)
    rows : sequence of (x, y, name, rank)
        One per scheme, the best first.
    bars : sequence of (x0, x1, y)
    distance : (x0, x1)
        The ends of the line for the critical difference.
    critical_difference : float
    description : str
        The diagram in words.
    """

    width: float
    height: float
    axis: float
    left: float
    ticks: Sequence[tuple[float, str]]
    rows: Sequence[tuple[float, float, str, str]]
    bars: Sequence[tuple[float, float, float]]
    distance: tuple[float, float]
    critical_difference: float
    description: str


def rank_diagram(compared: ComparisonFigures) -> RankDiagram | None:
    """The diagram; None where there is no critical difference: for one scheme, or fewer than two ranked data sets."""
    ranks = compared.ranks
    if math.isnan(ranks.critical_difference):
        return None
    order = np.argsort(ranks.mean_ranks, kind="stable")
    values = ranks.mean_ranks[order]
    names = [compared.schemes[i] for i in order]
    low, high = math.floor(values[0]), math.ceil(max(values[-1], values[0] + ranks.critical_difference))
    texts = [f"{value:.2f}" for value in values]
    left = LETTER * max(len(name) + len(text) + 2 for name, text in zip(names, texts, strict=True)) + 10

    def x(rank: float) -> float:
        return round(left + AXIS * (rank - low) / (high - low), 1)

    group_ends = rank_groups(ranks, compared.level)
    begin = ABOVE + BAR_GAP * (len(group_ends) + 1) + ROW / 2
    rows = [
        (x(v), begin + ROW * i, name, text) for i, (v, name, text) in enumerate(zip(values, names, texts, strict=True))
    ]
    alike = "; ".join(", ".join(names[first : last + 1]) for first, last in group_ends)
    return RankDiagram(
        width=left + AXIS + 16,
        height=begin + ROW * len(names),
        axis=ABOVE,
        left=left,
        ticks=[(x(rank), str(rank)) for rank in range(low, high + 1)],
        rows=rows,
        bars=[
            (x(values[first]), x(values[last]), ABOVE + BAR_GAP * i) for i, (first, last) in enumerate(group_ends, 1)
        ],
        distance=(x(values[0]), x(values[0] + ranks.critical_difference)),
        critical_difference=ranks.critical_difference,
        description="Mean ranks, 1 is best: "
        + ", ".join(f"{name} {text}" for name, text in zip(names, texts, strict=True))
        + f". The critical difference is {ranks.critical_difference:.2f} (Nemenyi, level {compared.level:g}, "
        + f"{ranks.n_sets} data sets). "
        + (f"No difference within: {alike}." if alike else "All methods differ."),
    )  # fmt: skip
