"""The study of Wang and Zhang 2006.

Three readings, by name: ``table`` reproduces the printed figures and compares the class of the test instances in the
columns W and C; ``text`` takes the text literally, raw scores and all; ``honest`` is the text, repaired.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from wekaconf.base import plot_style
from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import COLOURS
from wekaconf.replication._cells import Figure, Place, Published, Repeated, compare_cells, published_cells
from wekaconf.replication._data_files import choose_sets
from wekaconf.replication._runner import Record
from wekaconf.replication._study import Beside, PaperMeasurement, PaperStudy, Request, Results
from wekaconf.replication.wang2006 import findings
from wekaconf.replication.wang2006.measurement import PAPER, PRINTED_RUNS, measure, measure_iterations
from wekaconf.replication.wang2006.record_table import PARTS, Measured, printed_columns, repeated

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


RUNS = PRINTED_RUNS
QUICK_SETS = ("hepatitis", "iris", "labor", "zoo")
FIGURE, VEHICLE = "figure 3", "vehicle"
RECORDS_OF_FIGURE = f"{PAPER}-figure-3"
ITERATIONS = (1, 3, 10, 30, 100, 300, 1000, 3500)
ONE_ITERATION = ("table 3", VEHICLE, "C45-C")
"""The figure that Figure 3 begins with; the paper prints it twice."""
QUICK_ITERATIONS = (1, 3, 10)
"""Numbers of iterations of Algorithm DIW for Figure 3; the paper's curve ends at 3500."""


@cache
def data_sets() -> tuple[str, ...]:
    """The 35 data sets, in the paper's order."""
    return tuple(dict.fromkeys(cell.row for cell in published_cells(PAPER) if cell.part == "table 3"))


class _Study(PaperStudy):
    """See `wekaconf.replication._study.PaperStudy`."""

    paper = PAPER
    title = "Wang and Zhang 2006, Improving the Ranking Performance of Decision Trees: Tables 1 to 4, Figure 3"
    parts = (*PARTS, "table 3", "table 4", FIGURE)
    readings = findings.READINGS

    @property
    def data_sets(self) -> tuple[str, ...]:
        return data_sets()

    def _names(self, request: Request) -> list[str]:
        return choose_sets(PAPER, data_sets(), request.sets or (QUICK_SETS if request.quick else ()))

    def measurements(self, request: Request) -> list[PaperMeasurement]:
        """The tables, and Figure 3; ``runs`` counts ten-fold cross-validations, five of which are one repetition."""
        parameters: dict[str, Any] = {"runs": request.n_runs(RUNS), "seed": request.seed}
        names, found = self._names(request), list[PaperMeasurement]()
        if any(request.wants(part) for part in self.parts if part != FIGURE):
            found.append(PaperMeasurement(PAPER, measure, names, parameters))
        if request.wants(FIGURE) and (not request.sets or VEHICLE in names):
            iterations = list(QUICK_ITERATIONS if request.quick else ITERATIONS)
            of_figure = {**parameters, "iterations": iterations}
            found.append(PaperMeasurement(RECORDS_OF_FIGURE, measure_iterations, (VEHICLE,), of_figure))
        if not found:
            raise OptionError(f"{FIGURE} is of {VEHICLE}; leave --set out", value_of="request")
        return found

    def results(self, request: Request, records: Mapping[str, list[Record]], _paths: Mapping[str, str]) -> Results:
        """Figures, tables, sentences and the drawing."""
        reading, found = request.reading or self.readings[0], Results([], [])
        if PAPER in records:
            tables = [part for part in self.parts if request.wants(part) and part != FIGURE]
            found = tables_of(tables, self._names(request), Measured(records[PAPER]), reading)
        return joined(found, figure_of(records.get(RECORDS_OF_FIGURE, []), reading))


STUDY = _Study()


def tables_of(parts: Sequence[str], names: Sequence[str], measured: Measured, reading: str) -> Results:
    """Tables 1 to 4, as far as they are asked for, of the data sets that were measured."""
    published = published_cells(PAPER)
    is_whole = len(measured.names) == len(data_sets())
    ours: dict[Place, Figure | Repeated | None] = {}
    beside: list[Beside] = []
    all_sentences = findings.protocol(measured) if measured.records else []
    for part in parts if measured.records else ():
        if part in PARTS:
            entries = findings.entries_of(measured, part, reading)
            if is_whole:
                ours |= {(part, *place): triple for place, triple in entries.items()}
            tables, sentences = findings.comparisons(
                measured, part, published, entries, reading=reading, is_whole=is_whole
            )
        else:
            for name, column in printed_columns(int(part.split()[1]), reading).items():
                ours |= {(part, dataset, name): value for dataset, value in measured.repeated(column).items()}
            tables, sentences = findings.figures(measured, part, published)
        beside += tables
        all_sentences += sentences
    shown = [
        cell for cell in published if cell.part in parts and (is_whole if cell.part in PARTS else cell.row in names)
    ]
    return Results(measured.records, compare_cells(shown, ours), beside, all_sentences)


def figure_of(records: Sequence[Record], reading: str) -> Results:
    """Figure 3; its published points are those that the paper gives in words."""
    if not records:
        return Results([], [])
    published = [cell for cell in published_cells(PAPER) if cell.part == FIGURE]
    beside, finding = findings.iterations(records)
    measured_reading = "table" if reading == "table" else "honest"
    by_column: dict[str, Figure | Repeated | None] = {
        f"{r['iterations']} iterations": repeated(r["fold_values"]) for r in records if r["reading"] == measured_reading
    }
    by_column["1 iteration"] = next(cell.value for cell in published_cells(PAPER) if cell.place == ONE_ITERATION)
    shown = [cell for cell in published if cell.column in by_column]
    cells = compare_cells(shown, {cell.place: by_column[cell.column] for cell in shown})
    return Results(
        records, cells, [beside], [finding], {FIGURE: partial(draw_iterations, records=records, cells=published)}
    )


def joined(first: Results, second: Results) -> Results:
    """Both results."""
    names = ("records", "cells", "beside", "findings")
    lists: dict[str, Any] = {name: [*getattr(first, name), *getattr(second, name)] for name in names}
    return Results(**lists, figures={**first.figures, **second.figures})


def draw_iterations(path: str | os.PathLike[str], records: Sequence[Record], cells: Sequence[Published]) -> None:
    """Draw AUC against the number of iterations of Algorithm DIW, and the two points that the paper gives in words.

    Parameters
    ----------
    path : path
        A .png, .pdf or .svg file.
    records : sequence of dict
        See `wekaconf.replication.wang2006.measurement.measure_iterations`.
    cells : sequence of Published
        The published points of Figure 3.
    """

    def draw() -> Drawing:
        from matplotlib.lines import Line2D

        readings = list(dict.fromkeys(record["reading"] for record in records))
        styles = plot_style.line_styles(readings)
        dots: dict[str, Any] = {"color": COLOURS[6], "marker": "x", "linestyle": ""}
        entries = {f"C45-C, {reading} reading": Line2D([], [], **style)
                   for reading, style in zip(readings, styles, strict=True)}  # fmt: skip
        entries["published"] = Line2D([], [], **dots)
        figure, (axes,) = plot_style.panels(1, entries, "Wang and Zhang 2006, Figure 3: vehicle")
        for reading, style in zip(readings, styles, strict=True):
            points = [(r["iterations"], r["measured"]) for r in records if r["reading"] == reading]
            axes.plot(*zip(*points, strict=True), **style)
        axes.plot(*zip(*[(int(cell.column.split()[0]), cell.value) for cell in cells], strict=True), **dots)
        axes.set(xscale="log", xlabel="Iterations of Algorithm DIW", ylabel="AUC (auc_wang2006), %")
        return figure

    plot_style.save(path, draw)
