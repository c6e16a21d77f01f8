"""Our tables beside those of Katz et al. 2012: both ways to count ties, accuracy, intervals, all variants."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from statistics import fmean

import numpy as np

from wekaconf.base.naming import counted
from wekaconf.replication.cells import Figure, published_cells
from wekaconf.replication.katz2012.measurement import BASE, FOREST, PAPER, TIES, VARIANTS
from wekaconf.replication.katz2012.record_table import GROUPS, MORE, Measured, printed
from wekaconf.replication.katz2012.significance import FEWEST_SIZES, half_width, trend
from wekaconf.replication.katz2012.tables import COUNTS, FIGURE, PREFERRED, TESTS, tests
from wekaconf.replication.study import Beside

TIE = {"ties-half": "½", "ties-zero": "0"}
Row = list[Figure | None]


def beside(measured: Measured, parts: Collection[str]) -> list[Beside]:
    """The tables beside these parts, as far as the parts were measured."""
    tables: list[Beside] = []
    if measured.sets() and "table 1" in parts:
        tables += _table_1(measured)
    if measured.sets() and "table 2" in parts:
        n_sets = counted(len(measured.sets()), "data set")
        tables += [
            Beside("table 2", f"Table 2, {COUNTS[reading]}, {n_sets}", TESTS, tests(measured, reading), 3)
            for reading in TIES
        ]
    if measured.sizes and FIGURE in parts:
        tables += [_by_size(measured, reading) for reading in TIES]
        if len(measured.sizes) >= FEWEST_SIZES:
            tables.append(_trends(measured))
    return tables


def _table_1(measured: Measured) -> Iterator[Beside]:
    names = measured.sets()
    lines = {name: [name] for name in names} | {
        f"mean, {group}": measured.sets(group) for group in GROUPS if measured.sets(group)
    }
    columns = [f"{variant} {kind}" for variant in VARIANTS for kind in ("paper", *TIE.values(), "accuracy")]
    rows = {line: _compared(measured, sets, VARIANTS, "") for line, sets in lines.items()}
    yield Beside("table 1", "Gain in AUC over J48, %, and change in accuracy, points", columns, rows, 1)
    if several := measured.sets(MORE):
        columns = [column for column in columns if "accuracy" not in column]
        rows = {name: _compared(measured, [name], VARIANTS, ", weighted") for name in several}
        yield Beside("table 1", "Gain in AUC weighted by class size, %", columns, rows, 1)
    columns = ["paper", *TIE.values(), "accuracy"]
    rows = {line: _compared(measured, sets, (FOREST,), "") for line, sets in lines.items()}
    yield Beside("table 1", "RandomForest: gain in AUC over J48, %, and change in accuracy, points", columns, rows, 1)
    measures = [*(f"auc{ties}" for ties in TIES.values()), "percent_correct"]
    rows = {
        name: [f"{measured.figures(name, BASE, each).mean():.{2 if 'percent' in each else 4}f}" for each in measures]
        for name in names
    }
    yield Beside("table 1", "J48 itself", [*(f"AUC, {tie}" for tie in TIE.values()), "% correct"], rows)
    if measured.n_runs > 1:
        columns = [f"{variant} {tie}" for variant in VARIANTS for tie in TIE.values()]
        rows = {
            name: [half_width(measured.gains(name, each, f"auc{ties}")) for each in VARIANTS for ties in TIES.values()]
            for name in names
        }
        title = f"Half-width of the 95 % interval of the gain, %, over {measured.n_runs} cross-validations"
        yield Beside("table 1", title, columns, rows, 1)


def _compared(measured: Measured, names: Sequence[str], columns: Sequence[str], kind: str) -> Row:
    """The published gain and ours, either way to count ties, and the change in accuracy; means over some data sets."""
    row: Row = []
    area = "auc_weighted" if kind else "auc"
    for column in columns:
        row.append(fmean(printed("table 1")[name, column + kind] for name in names))
        row += [fmean(measured.gains(name, column, area + ties).mean() for name in names) for ties in TIES.values()]
        if not kind:
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
    rows: dict[str, Row] = {
        name: [
            published.get(name),
            *(trend(measured.sizes, measured.gains_by_size(name, PREFERRED, "auc" + each)) for each in TIES.values()),
        ]
        for name in measured.sets_by_size()
    }
    title = f"Gain of {PREFERRED} as the training set grows"
    return Beside(FIGURE, title, ["paper", *TIE.values()], rows)
