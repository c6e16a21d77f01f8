"""Our tables beside those of Katz et al. 2012: readings of AUC, accuracy, intervals, all variants."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from statistics import fmean

import numpy as np

from wekaconf.base.naming import counted
from wekaconf.replication._cells import Figure, published_cells
from wekaconf.replication._study import Beside
from wekaconf.replication.katz2012.measurement import BASE, FOREST, PAPER, READINGS, TIES, VARIANTS, WEIGHTED
from wekaconf.replication.katz2012.record_table import GROUPS, MORE, Measured, printed
from wekaconf.replication.katz2012.significance import FEWEST_SIZES, trend
from wekaconf.replication.katz2012.tables import COUNTS, FIGURE, IN_WORDS, PREFERRED, TESTS, tests

SHOWN = {"folds, 0": "folds-ties-zero", "pooled, ½": "pooled-ties-half"}
"""The readings in the tables by their headings: the one that explains most, and Weka's."""
TIE = {"ties-zero": "0", "ties-half": "½"}
Row = list[Figure | None]


def tables_beside(measured: Measured, parts: Collection[str]) -> list[Beside]:
    """The tables beside these parts, as far as the parts were measured."""
    tables: list[Beside] = []
    if measured.sets() and "table 1" in parts:
        tables += _table_1(measured)
    if measured.sets() and "table 2" in parts:
        n_sets = counted(len(measured.sets()), "data set")
        tables += [
            Beside("table 2", f"Table 2, {IN_WORDS[reading]}, {n_sets}", TESTS, tests(measured, reading, None), 3)
            for reading in SHOWN.values()
        ]
    if measured.sizes and FIGURE in parts:
        tables += [_by_size(measured, reading) for reading in TIES]
        if len(measured.sizes) >= FEWEST_SIZES:
            tables.append(_trends(measured))
    return tables


def _table_1(measured: Measured) -> Iterator[Beside]:
    yield _headline(measured)
    names = measured.sets()
    lines = {name: [name] for name in names} | {
        f"mean, {group}": measured.sets(group) for group in GROUPS if measured.sets(group)
    }
    columns = [f"{variant} {kind}" for variant in VARIANTS for kind in ("paper", *SHOWN, "accuracy")]
    rows = {line: _compared(measured, sets, VARIANTS, "") for line, sets in lines.items()}
    yield Beside("table 1", "Gain in AUC over J48, %, and change in accuracy, points", columns, rows, 1)
    if several := measured.sets(MORE):
        columns = [column for column in columns if "accuracy" not in column]
        rows = {name: _compared(measured, [name], VARIANTS, WEIGHTED) for name in several}
        yield Beside("table 1", "Gain in AUC weighted by class size, %", columns, rows, 1)
    columns = ["paper", *SHOWN, "accuracy"]
    rows = {line: _compared(measured, sets, (FOREST,), "") for line, sets in lines.items()}
    yield Beside("table 1", "RandomForest: gain in AUC over J48, %, and change in accuracy, points", columns, rows, 1)
    areas = {title: READINGS[reading].format("") for title, reading in SHOWN.items()}
    rows = {
        name: [
            *(f"{measured.figures(name, BASE, area).mean():.4f}" for area in areas.values()),
            f"{measured.figures(name, BASE, 'percent_correct').mean():.2f}",
        ]
        for name in names
    }
    yield Beside("table 1", "J48 itself", [*(f"AUC, {title}" for title in areas), "% correct"], rows)
    if measured.n_runs > 1:
        columns = [f"{variant}: {title}" for variant in VARIANTS for title in areas]
        gains = {
            name: [measured.gains(name, each, area) for each in VARIANTS for area in areas.values()] for name in names
        }
        rows = {
            name: [f"{each.min():+z.1f} to {each.max():+z.1f}" for each in of_set] for name, of_set in gains.items()
        }
        title = f"Lowest and highest gain, %, of {measured.n_runs} cross-validations"
        yield Beside("table 1", title, columns, rows, 1)


def _headline(measured: Measured) -> Beside:
    """The mean gains of each variant, in print and ours, with what they cost and how many instances are affected."""
    rows: dict[str, Row] = {}
    for group in GROUPS:
        names = measured.sets(group)
        for variant in VARIANTS if names else ():
            shares = [
                fmean(printed("table 3")[name, variant] for name in names),
                fmean(measured.figures(name, variant, "percent_affected").mean() for name in names),
            ]
            rows[f"{variant}, {group} ({len(names)} sets)"] = [*_compared(measured, names, (variant,), ""), *shares]
    columns = ("gain, paper", *(f"gain, {title}" for title in SHOWN), "accuracy", "affected, paper", "affected, ours")
    return Beside("table 1", "Mean gain in AUC, %; accuracy, points; affected, %", columns, rows, 1)


def _compared(measured: Measured, names: Sequence[str], columns: Sequence[str], mean: str) -> Row:
    """The published gain and ours in the readings shown, and the change in accuracy; means over some data sets."""
    row: Row = []
    for column in columns:
        row.append(fmean(printed("table 1")[name, column + mean.replace("_", ", ")] for name in names))
        for reading in SHOWN.values():
            area = READINGS[reading].format(mean)
            row.append(fmean(measured.gains(name, column, area).mean() for name in names))
        if not mean:
            row.append(fmean(measured.added(name, column, "percent_correct").mean() for name in names))
    return row


def _by_size(measured: Measured, reading: str) -> Beside:
    rows: dict[str, Row] = {}
    for group in GROUPS:
        names = measured.sets_by_size(group)
        for variant in VARIANTS if names else ():
            gains = [measured.gains_by_size(name, variant, "auc" + TIES[reading]) for name in names]
            rows[f"{variant}, {group} ({len(names)})"] = np.mean(gains, axis=0).tolist()
    columns = [f"{size} %" for size in measured.sizes]
    return Beside(FIGURE, f"Figure 6, {COUNTS[reading]}: mean gain in AUC, %, by training size", columns, rows, 1)


def _trends(measured: Measured) -> Beside:
    cells = published_cells(PAPER)
    published = {cell.row: cell.value for cell in cells if cell.part == FIGURE and cell.column == "trend"}
    rows: dict[str, Row] = {}
    for name in measured.sets_by_size():
        gains = [measured.gains_by_size(name, PREFERRED, f"auc{ending}") for ending in TIES.values()]
        trends = [trend(measured.sizes, each) for each in gains]
        rows[name] = [published.get(name), *trends, *(float(each[-1] - each[0]) for each in gains)]
    ends = f"{measured.sizes[-1]} % less {measured.sizes[0]} %"
    columns = ["paper", *TIE.values(), *(f"{ends}, {tie}" for tie in TIE.values())]
    return Beside(FIGURE, f"Gain of {PREFERRED} as the training set grows", columns, rows, 1)
