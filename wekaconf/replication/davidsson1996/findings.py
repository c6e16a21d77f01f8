"""Sentences about the results of Davidsson 1996, written from the records."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import NormalDist

from wekaconf.base.naming import counted
from wekaconf.replication._cells import Cell, Repeated, compare_cells, published_cells
from wekaconf.replication._runner import Record, pick
from wekaconf.replication._study import Finding
from wekaconf.replication.davidsson1996.coins import ATTRIBUTES
from wekaconf.replication.davidsson1996.runs import N_TRAIN_OF_COINS, PAPER, PRINTED_RUNS, Reading
from wekaconf.replication.davidsson1996.tables import (
    MOST_MISSED,
    MOST_REJECTED,
    SYNTHETIC,
    by_limits,
    expected_inside,
    lines,
    lines_above_id3_max,
    lines_meeting_demands,
    our_figures,
    share_missed,
)

ACCEPTED = {
    "both": "are met if values equal to a limit are accepted", "lower": "if they are accepted at the lower limit alone",
    "upper": "at the upper alone", "neither": "at neither",
}  # fmt: skip


def findings(records: Sequence[Record], reading: Reading) -> Iterator[Finding]:
    """Sentences on every part that was measured."""
    n_runs = {part: line[0]["runs"] for part, line in lines(records, "part").items()}
    if n_runs:
        listed = ", ".join(f"{part}: {n}" for part, n in n_runs.items())
        yield Finding("", f"Every figure is a mean over random splits from seed {records[0]['seed']} on ({listed}).")
    if "table 1" in n_runs:
        yield from _limits(records)
        yield from _table_1(records, reading)
    if "table 2" in n_runs:
        yield from _table_2(records, reading)
    if "section 4" in n_runs:
        yield from _irrelevant(records)
    if "figure 2" in n_runs:
        yield _figure_2(records)


def _table_1(records: Sequence[Record], reading: Reading) -> Iterator[Finding]:
    readings = dict.fromkeys(record["reading"] for record in pick(records, part="table 1"))
    n = max(record["repetitions"] for record in pick(records, part="table 1"))
    for one in (reading, *(name for name in readings if name != reading)):
        cells = [
            cell
            for cell in compare_cells(published_cells(PAPER), our_figures(pick(records, part="table 1"), one))
            if cell.published.part == "table 1" and cell.published.kind == "result"
        ]
        counts = ", ".join(f"{name} {_met(system_cells)}" for name, system_cells in _by_system(cells).items())
        yield Finding(
            "table 1",
            f"In the {one} reading these results lie between the lowest and the highest of {counted(n, 'mean')} over "
            f"{PRINTED_RUNS} runs, as the paper has them: {counts}.",
        )
    missed_by_max, missed_by_sd = (share_missed(records, reading, name) for name in ("ID3-Max", "ID3-SD 0.1"))
    yield Finding(
        "table 1",
        f"ID3-SD at α = 0.1 answers {missed_by_sd:.1f} % of Iris Versicolor, ID3-Max {missed_by_max:.1f} %: "
        f"{100 * (1 - missed_by_sd / missed_by_max):.0f} % fewer (published: 5.6 against 14.8, 62 % fewer).",
    )


def _limits(records: Sequence[Record]) -> Iterator[Finding]:
    """How much of ID3-Max is met, by the limits at which a value equal to the limit is accepted."""
    for learner, of_learner in groupby(by_limits(records).items(), lambda found: found[0][0]):
        by_closed = {closed: [cell.verdict == "met" for cell in cells] for (_, closed), cells in of_learner}
        met = [f"{sum(are_met)} {ACCEPTED[closed]}" for closed, are_met in by_closed.items()]
        n_cells = len(next(iter(by_closed.values())))
        yield Finding(
            "table 1",
            f"ID3-Max on trees of {learner}: of its {n_cells} results {', '.join(met[:-1])} and {met[-1]}.",
        )


def _by_system(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    systems: dict[str, list[Cell]] = {}
    for cell in cells:
        systems.setdefault(cell.published.row.partition(" ")[0], []).append(cell)
    return systems


def _met(cells: Sequence[Cell]) -> str:
    n_zeros = sum(cell.published.value == 0 and _is_always_0(cell) for cell in cells)
    zeros = f" ({n_zeros} of them 0 in print and in every run)" if n_zeros else ""
    return f"{sum(cell.verdict == 'met' for cell in cells)} of {len(cells)}{zeros}"


def _is_always_0(cell: Cell) -> bool:
    ours = cell.measured
    return isinstance(ours, Repeated) and ours.low == ours.high == 0


def _table_2(records: Sequence[Record], reading: Reading) -> Iterator[Finding]:
    names = ", ".join(lines_meeting_demands(records, reading)) or "nothing"
    yield Finding(
        "table 2",
        f"On synthetic coins {names} rejects less than {MOST_REJECTED:g} % of the known coins and misses at most "
        f"{MOST_MISSED:g} %; in the paper ID3-SD with α = 0.001 and 0.0001 does.",
    )
    answered = max(
        record["missed"] for record in pick(records, part="table 2", group="foreign") if record["method"] != "ID3"
    )
    yield Finding(
        "table 2",
        f"Of the foreign coins at most {answered:.2f} % are answered on any line with limits; in the paper none is."
        if answered
        else "No foreign coin is answered on any line with limits, as in the paper.",
    )
    expected = expected_inside(N_TRAIN_OF_COINS, len(ATTRIBUTES))["ID3-Max"]
    (printed,) = (c.value for c in published_cells(PAPER) if c.place == ("table 2", "ID3-Max", "Hong Kong correct"))
    assert isinstance(printed, float)
    yield Finding(
        "table 2",
        f"If the {len(ATTRIBUTES)} attributes were continuous and independent, ID3-Max would keep at most "
        f"{expected:.1f} % of the known coins on average, whatever their distributions; the paper's {printed:.1f} % "
        "mean that its attributes depended on one another, or took few values.",
    )


def _irrelevant(records: Sequence[Record]) -> Iterator[Finding]:
    known = lines(records, part="section 4", group="known")
    changes = [f"{name} from {line[0]['correct']:.1f} to {line[-1]['correct']:.1f}" for name, line in known.items()]
    n = max(record["n_irrelevant"] for record in pick(records, part="section 4"))
    yield Finding(
        "section 4",
        f"The percentage of known instances that is answered correctly, without irrelevant attributes and with {n}: "
        f"{'; '.join(changes)}.",
    )
    alpha = 2 * (1 - NormalDist().cdf(math.sqrt(3)))
    yield Finding(
        "section 4",
        f"A uniform attribute lies wholly inside limits at z deviations only if z > √3, that is, if α < {alpha:.3f}. "
        f"At α = 0.2 each such attribute rejects {100 * (1 - NormalDist().inv_cdf(0.9) / math.sqrt(3)):.0f} % of the "
        "instances, even if its deviation is known.",
    )


def _figure_2(records: Sequence[Record]) -> Finding:
    known = lines(records, part="figure 2", group="known")
    ends = "; ".join(
        f"{name} {line[-1]['correct']:.1f} % with {line[-1]['n_train']} coins of each kind, {line[0]['correct']:.1f} % "
        f"with {line[0]['n_train']}"
        for name, line in known.items()
        if name != "ID3"
    )
    above = ", ".join(lines_above_id3_max(records)) or "none"
    return Finding(
        "figure 2", f"Known coins answered correctly, {SYNTHETIC}: {ends}. Above ID3-Max at every size: {above}."
    )
