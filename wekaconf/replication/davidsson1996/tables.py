"""The records of Davidsson 1996 as figures of its tables, and as tables that the paper does not have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from wekaconf.methods.characteristic import alpha_of
from wekaconf.replication._cells import Cell, Figure, Place, Repeated, compare_cells, published_cells
from wekaconf.replication._runner import Record, pick
from wekaconf.replication._study import Beside
from wekaconf.replication.davidsson1996.coins import ATTRIBUTES
from wekaconf.replication.davidsson1996.runs import (
    ALPHAS_OF_COINS,
    CLOSED,
    KINDS,
    LIMITS_PART,
    N_TRAIN_OF_COINS,
    PAPER,
    TREES,
    Reading,
)

PRINTED_KINDS = dict(zip(KINDS, ("correct", "miss", "reject"), strict=True))
WITHOUT_LIMITS = "ID3"
"""The line of a tree that rejects nothing."""
UNKNOWN = ("versicolor", "foreign")
"""The groups whose classes are not learned."""
PRINTED_GROUPS = {"known": "Hong Kong"}
MOST_REJECTED, MOST_MISSED = 5.0, 0.5
"""Section 3.2: the percentages of known coins that a coin sorting machine may reject and miss."""
SYNTHETIC = "on synthetic coins"


def lines(records: Sequence[Record], name: str = "method", **facts: object) -> dict[str, list[Record]]:
    """The records with these facts, grouped by their value of ``name``, in their order."""
    groups: dict[str, list[Record]] = {}
    for record in pick(records, **facts):
        groups.setdefault(record[name], []).append(record)
    return groups


def our_figures(records: Sequence[Record], reading: Reading) -> dict[Place, Figure | Repeated | None]:
    """Our figure for each that the paper prints, as far as it was measured, and those that follow from others."""
    figures: dict[Place, Figure | Repeated | None] = dict(figures_of_print())
    for record in [*pick(records, part="table 1", reading=reading), *pick(records, part="table 2", reading=reading)]:
        group = PRINTED_GROUPS.get(record["group"], record["group"])
        for kind, printed in PRINTED_KINDS.items():
            figures.setdefault((record["part"], record["method"], f"{group} {printed}"), _repeated(record, kind))
    if by_n := lines(records, "n_irrelevant", part="section 4", method="ID3-SD 0.05", group="known"):
        (first,), (last,) = by_n[min(by_n)], by_n[max(by_n)]
        figures["section 4", "irrelevant attributes", "handled by ID3-SD"] = (
            f"at α 0.05 correct {first['correct']:.1f} % without, {last['correct']:.1f} % with {max(by_n)}"
        )
    if pick(records, part="figure 2"):
        better = ", ".join(lines_above_id3_max(records)) or "ID3-Max at some size"
        figures["figure 2", "few training instances", "handled better by"] = f"{better}, {SYNTHETIC}"
    return figures


def _repeated(record: Record, kind: str) -> Repeated:
    mean, low, high = (record[f"{kind}{end}"] for end in ("", "_low", "_high"))
    return Repeated(mean, low, high, record["repetitions"])


def by_limits(records: Sequence[Record]) -> dict[tuple[str, str], list[Cell]]:
    """The results of ID3-Max in Table 1 against ours, by the learner and which of the limits are accepted."""
    of_max = [
        cell for cell in published_cells(PAPER) if (cell.part, cell.row, cell.kind) == ("table 1", "ID3-Max", "result")
    ]
    found = {}
    for learner, _ in TREES.values():
        for closed in CLOSED:
            groups = pick(records, part=LIMITS_PART, learner=learner, method=f"ID3-Max, {closed}")
            own = {
                ("table 1", "ID3-Max", f"{record['group']} {printed}"): _repeated(record, kind)
                for record in groups
                for kind, printed in PRINTED_KINDS.items()
                if f"{record['group']} {printed}" in {cell.column for cell in of_max}
            }
            if groups:
                found[learner, closed] = compare_cells(of_max, own)
    return found


def figures_of_print() -> Iterator[tuple[Place, Figure]]:
    """The figures that follow from others that the paper prints, or from a definition."""
    cells = published_cells(PAPER)
    printed = {cell.place: cell.value for cell in cells if isinstance(cell.value, float)}
    for part, row, column in printed:
        group, _, kind = column.rpartition(" ")
        if kind in PRINTED_KINDS.values():
            correct, miss = (printed[part, row, f"{group} {each}"] for each in ("correct", "miss"))
            is_unknown, has_limits = group in UNKNOWN, row != WITHOUT_LIMITS
            if kind == "correct" and is_unknown:
                yield (part, row, column), 0.0
            elif kind == "miss" and not has_limits:
                yield (part, row, column), 100 - correct
            elif kind == "reject":
                yield (part, row, column), 100 - correct - miss if has_limits else 0.0
    by_sd, by_max = (printed["table 1", name, "versicolor miss"] for name in ("ID3-SD 0.1", "ID3-Max"))
    fewer = at_least(100 * (1 - by_sd / by_max), 60)
    yield ("section 3.1", "Iris Versicolor that ID3-SD 0.1 misses", "fewer than ID3-Max"), fewer
    rejected = [printed["table 1", "ID3-SD 0.2", f"{group} reject"] for group in ("setosa", "virginica")]
    yield ("section 3.1", "known classes that ID3-SD 0.2 rejects", "each"), at_least(min(rejected), 50)
    met = [
        row
        for part, row, column in printed
        if (part, column) == ("table 2", "Hong Kong reject")
        and _meets_the_demands(printed[part, row, column], printed[part, row, "Hong Kong miss"])
    ]
    yield ("section 3.2", "less than 5 % rejected, at most 0.5 % missed", "met by"), ", ".join(met)
    yield ("section 4", "20 attributes", "all inside at alpha 0.01 (%)"), 100 * (1 - 0.01) ** 20
    yield ("section 4", "20 attributes", "alpha for all inside at 95 %"), alpha_of(None, 0.95, 20)


def at_least(share: float, bound: float) -> str:
    """The paper's words for a share above a bound; the share itself if it is below."""
    return f"over {bound:g} %" if share > bound else f"{share:.1f} %"


def share_missed(records: Sequence[Record], reading: Reading, method: str) -> float:
    """Percentage of the instances of Iris Versicolor that a line of Table 1 answers."""
    (record,) = pick(records, part="table 1", reading=reading, method=method, group="versicolor")
    return float(record["missed"])


def lines_meeting_demands(records: Sequence[Record], reading: Reading) -> list[str]:
    """The lines of Table 2 that reject and miss as few of the known coins as section 3.2 demands."""
    return [
        record["method"]
        for record in pick(records, part="table 2", reading=reading, group="known")
        if _meets_the_demands(record["rejected"], record["missed"])
    ]


def _meets_the_demands(rejected: float, missed_share: float) -> bool:
    return rejected < MOST_REJECTED and missed_share <= MOST_MISSED


def lines_above_id3_max(records: Sequence[Record]) -> list[str]:
    """The lines of Figure 2 that are above the line of ID3-Max at every size."""
    curves = {
        name: [r["correct"] for r in line] for name, line in lines(records, part="figure 2", group="known").items()
    }
    max_curve = curves["ID3-Max"]
    return [
        name
        for name, curve in curves.items()
        if name.startswith("ID3-SD") and all(a > b for a, b in zip(curve, max_curve, strict=True))
    ]


def expected_inside(n: int, n_attributes: int) -> dict[str, float]:
    """Percentage of the members of a leaf inside all limits if the attributes are normal and independent.

    Parameters
    ----------
    n : int
        Training instances at the leaf, at least 2.
    n_attributes : int

    Returns
    -------
    dict of str to float
        Percentages by the line of Table 2. A new value lies outside the n others with the probability 2 / (n + 1), and
        further than z estimated deviations from their mean as t with n − 1 degrees of freedom exceeds z / √(1 + 1/n).
    """
    from scipy.stats import norm, t

    inside = {"ID3-Max": (n - 1) / (n + 1)}
    for alpha in ALPHAS_OF_COINS:
        reach = norm.ppf(1 - alpha / 2) / math.sqrt(1 + 1 / n)
        inside[f"ID3-SD {alpha:g}"] = 2 * t.cdf(reach, n - 1) - 1
    return {name: 100 * float(share) ** n_attributes for name, share in inside.items()}


# ---- tables that the paper does not have ----


def tables_beside(records: Sequence[Record], reading: Reading) -> Iterator[Beside]:
    """Tables of other readings, spreads, theory, and results that the paper only remarks on."""
    for part, what in (("table 1", "iris"), ("table 2", "synthetic coins")):
        for one in dict.fromkeys(record["reading"] for record in pick(records, part=part)):
            table = lines(records, part=part, reading=one)
            yield _table(part, f"{what}, {one} reading, %", table, "")
            if one == reading:
                yield _table(part, f"{what}, standard deviation over the runs, %", table, "_sd")
    if found := by_limits(records):
        columns = [cell.published.column for cell in next(iter(found.values()))]
        rows = {"published": [*(cell.published.value for cell in next(iter(found.values()))), None]}
        for (learner, closed), cells in found.items():
            means = [cell.ours for cell in cells]
            n_met = sum(cell.verdict == "met" for cell in cells)
            rows[f"{learner}, {closed}"] = [*means, f"{n_met} of {len(cells)}"]
        yield Beside("table 1", "iris, ID3-Max by learner and accepted limits, %", [*columns, "met"], rows, 1)
    if known := lines(records, part="table 2", reading=reading, group="known"):
        expected = expected_inside(N_TRAIN_OF_COINS, len(ATTRIBUTES))
        rows = {name: [expected[name], 100 - line[0]["rejected"]] for name, line in known.items() if name in expected}
        title = f"known coins inside all limits, %: {len(ATTRIBUTES)} independent normal attributes"
        yield Beside("table 2", title, ["in theory", SYNTHETIC], rows, 1)
    yield from _curves(records, "section 4", "n_irrelevant", "iris with irrelevant attributes")
    yield from _curves(records, "figure 2", "n_train", "synthetic coins, training coins of each kind")


def _table(part: str, title: str, table: Mapping[str, Sequence[Record]], suffix: str) -> Beside:
    """Groups and kinds side by side, as the paper's tables have them."""
    groups = [PRINTED_GROUPS.get(r["group"], r["group"]) for r in next(iter(table.values()))]
    columns = [f"{group} {printed}" for group in groups for printed in PRINTED_KINDS.values()]
    rows = {name: [r[kind + suffix] for r in line for kind in KINDS] for name, line in table.items()}
    return Beside(part, title, columns, rows, 1)


def _curves(records: Sequence[Record], part: str, varied: str, what: str) -> Iterator[Beside]:
    """Tables with one line per value of ``varied`` and one column per method."""
    for group, kind, words in (("known", "correct", "answered correctly"), ("foreign", "missed", "answered")):
        table = lines(records, varied, part=part, group=group)
        if table:
            columns = [record["method"] for record in next(iter(table.values()))]
            rows = {str(n): [record[kind] for record in line] for n, line in table.items()}
            yield Beside(part, f"{what}: {group} instances {words}, %", columns, rows, 1)
