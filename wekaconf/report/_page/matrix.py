"""What a study found, before any prose: methods × measures with marks, the tests over all data sets, and mean ranks.

Bars of the critical difference diagram join methods that are not shown to differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wekaconf.report.comparison._compared import ComparisonFigures
from wekaconf.report.comparison._diagram import rank_groups
from wekaconf.report.comparison._measures import value_text
from wekaconf.report.comparison._sentences import how_tested, notes_of, p_text
from wekaconf.report.printing import UNDEFINED

AXIS, ROW, BAR_GAP, ABOVE = 640, 26, 9, 62
"""Units: length of the axis, height of a row with a name, between bars, above the axis."""
LETTER = 8.2
"""Largest mean width of a letter of a name, in units."""


@dataclass(frozen=True)
class Cell:
    """A method in a measure.

    Parameters
    ----------
    text : str
        The mean rank; on a single data set the value.
    is_best : bool
    mark : str
        "v" better than the base, "*" worse, "" neither: over the data sets, or on the only one.
    wins : str
        Numbers of data sets on which it is significantly better, neither, worse; empty for the base, and on a single
        data set.
    description : str
        The cell in words; empty for the base, and on a single data set.
    """

    text: str
    is_best: bool
    mark: str
    wins: str
    description: str


@dataclass(frozen=True)
class Matrix:
    """Methods (rows) × measures.

    Parameters
    ----------
    caption : str
    comparisons : sequence of ComparisonFigures
        One per column.
    cells : sequence of sequences of Cell
        By scheme, the base first.
    legend : sequence of str
    """

    caption: str
    comparisons: Sequence[ComparisonFigures]
    cells: Sequence[Sequence[Cell]]
    legend: Sequence[str]


def matrix_of(comparisons: Sequence[ComparisonFigures]) -> Matrix | None:
    """The matrix; None where there is nothing to compare."""
    if not comparisons or len(comparisons[0].schemes) < 2:
        return None
    columns = [_column(compared) for compared in comparisons]
    is_over_sets = len(comparisons[0].data_sets) > 1
    base = comparisons[0].base
    caption = "Mean ranks over the data sets, 1 is best" if is_over_sets else "Means over the folds"
    return Matrix(
        caption=f"{caption}; the best of each measure in bold",
        comparisons=comparisons,
        cells=list(zip(*columns, strict=True)),
        legend=list(_legend(comparisons, base, is_over_sets)),
    )


def shared_notes(comparisons: Sequence[ComparisonFigures]) -> list[tuple[str, str]]:
    """Each note once, with the measures that it is about; no measures where it is about all."""
    about: dict[str, list[str]] = {}
    for compared in comparisons:
        for note in notes_of(compared):
            about.setdefault(note, []).append(compared.measure)
    return [("" if len(names) == len(comparisons) else ",".join(names), note) for note, names in about.items()]


def all_sets_tested(comparisons: Sequence[ComparisonFigures]) -> list[tuple[str, list[str]]]:
    """By measure: data sets, best mean rank, Friedman's statistic and p, critical difference, pairs that differ."""
    rows = []
    for compared in comparisons:
        ranks = compared.ranks
        p_value = p_text(ranks.p_value).removeprefix("p = ").removeprefix("p ")
        tested = [f"{ranks.statistic:.2f}", p_value, f"{ranks.critical_difference:.2f}"]
        cells = [
            str(ranks.n_sets),
            _best_rank(compared) if compared.has_ranks else UNDEFINED,
            *([UNDEFINED] * 3 if np.isnan(ranks.p_value) else tested),
            f"{len(compared.differences)} of {compared.n_pairs}",
        ]
        rows.append((compared.measure, cells))
    return rows


def _best_rank(compared: ComparisonFigures) -> str:
    """The schemes of the best mean rank, and that rank."""
    ranks = compared.ranks.mean_ranks
    best = [compared.schemes[place] for place in np.flatnonzero(ranks == ranks.min())]
    return f"{', '.join(best)} {ranks.min():.2f}"


def differing_pairs(comparisons: Sequence[ComparisonFigures]) -> list[tuple[str, str, list[str]]]:
    """The pairs of schemes that differ in some measure: the better, the worse, and the p-value in each measure."""
    found: dict[tuple[int, int], dict[int, str]] = {}
    for column, compared in enumerate(comparisons):
        for pair in compared.differences:
            text = f"{p_text(pair.p_value)}; {pair.effect:.2f}, {pair.low:.2f} to {pair.high:.2f}"
            found.setdefault((pair.better, pair.worse), {})[column] = text
    schemes = comparisons[0].schemes if comparisons else ()
    return [
        (schemes[better], schemes[worse], [by_measure.get(column, "") for column in range(len(comparisons))])
        for (better, worse), by_measure in sorted(found.items())
    ]


def _column(compared: ComparisonFigures) -> list[Cell]:
    is_over_sets = len(compared.data_sets) > 1
    numbers = compared.ranks.mean_ranks if is_over_sets else compared.mean[0]
    if is_over_sets and not compared.has_ranks:
        numbers = np.full(len(compared.schemes), np.nan)
    texts = [_text(compared, float(number), is_over_sets) for number in numbers]
    known = numbers[~np.isnan(numbers)]
    smaller_is_better = is_over_sets or not compared.larger_is_better
    best = _text(compared, float(known.min() if smaller_is_better else known.max()), is_over_sets) if len(known) else ""
    marks = _over_sets(compared) if is_over_sets else dict(enumerate(compared.marks[0]))
    return [
        Cell(
            text=text,
            is_best=text == best and len({*texts} - {UNDEFINED}) > 1,
            mark=marks.get(place, ""),
            wins="/".join(map(str, compared.wins(place))) if place and is_over_sets else "",
            description=_wins_in_words(compared, place) if place and is_over_sets else "",
        )
        for place, text in enumerate(texts)
    ]


def _text(compared: ComparisonFigures, number: float, is_rank: bool) -> str:
    if np.isnan(number):
        return UNDEFINED
    return f"{number:.2f}" if is_rank else value_text(compared.measure, number)


def _over_sets(compared: ComparisonFigures) -> dict[int, str]:
    """The marks of the schemes that differ from the base over the data sets."""
    better = {pair.better: "v" for pair in compared.differences if pair.worse == 0}
    return better | {pair.worse: "*" for pair in compared.differences if pair.better == 0}


def _wins_in_words(compared: ComparisonFigures, place: int) -> str:
    better, neither, worse = compared.wins(place)
    return (
        f"on {better} data sets significantly better than {compared.base}, on {neither} not significantly different, "
        f"on {worse} worse"
    )


def _legend(comparisons: Sequence[ComparisonFigures], base: str, is_over_sets: bool) -> Iterator[str]:
    first = comparisons[0]
    if not is_over_sets:
        yield f"v: significantly better than {base}; *: worse ({how_tested(first)})."
        return
    corrected = f", Holm-corrected for {first.n_pairs} pairs" if first.n_pairs > 1 else ""
    yield (
        f"v: over the data sets significantly better than {base}; *: worse (Wilcoxon's signed-rank test{corrected}, "
        f"level {first.level:g})."
    )
    yield (
        f"Three numbers: on how many data sets significantly better than {base}, not significantly different, and "
        f"worse ({how_tested(first)})."
    )


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
