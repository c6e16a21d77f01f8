"""The study of Katz et al. 2012: Tables I to III and Figure 6."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from wekaconf.base.naming import counted
from wekaconf.base.plot_style import COLOURS, DASHES, GREY, panels, save
from wekaconf.replication._data_files import choose_sets
from wekaconf.replication._runner import Record
from wekaconf.replication._study import PaperMeasurement, PaperStudy, Request, Results
from wekaconf.replication.katz2012.beside import tables_beside
from wekaconf.replication.katz2012.findings import findings
from wekaconf.replication.katz2012.measurement import PAPER, READINGS, TIES, VARIANTS, by_training_size, cross_validated
from wekaconf.replication.katz2012.record_table import GROUPS, Measured, all_groups, groups
from wekaconf.replication.katz2012.tables import FIGURE, cells

if TYPE_CHECKING:
    from matplotlib.figure import Figure


RUNS = 39
SIZES = tuple(range(10, 100, 10))
DIVISIONS = 10
QUICK_SETS = ("diabetes", "ecoli3", "glass", "vehicle")
QUICK_SIZES, QUICK_DIVISIONS = (10, 50, 90), 2
TITLES = {"ties-half": "a tie counts ½", "ties-zero": "a tie counts 0"}


class _Study(PaperStudy):
    """See `wekaconf.replication._study.PaperStudy`."""

    paper = PAPER
    title = "Katz, Shabtai, Rokach and Ofek 2012, ConfDTree: Tables 1 to 3, Figure 6"
    parts = ("table 1", "table 2", "table 3", FIGURE)
    readings = tuple(READINGS)

    @property
    def data_sets(self) -> tuple[str, ...]:
        return tuple(groups())

    def _names(self, request: Request) -> list[str]:
        """The data sets asked for; MiniBooNE, which takes hours, is measured only if ``sets`` names it."""
        asked_for = request.sets or (QUICK_SETS if request.quick else self.data_sets)
        return choose_sets(PAPER, list(all_groups()), asked_for)

    def measurements(self, request: Request) -> list[PaperMeasurement]:
        """Cross-validations for the tables, and growing training sets for Figure 6.

        ``runs`` counts ten-fold cross-validations, of which the paper has one, so that each is a repetition; Figure 6
        always has the ten divisions per training size of the paper, unless ``quick``.
        """
        names, found = self._names(request), list[PaperMeasurement]()
        if any(request.wants(part) for part in self.parts if part != FIGURE):
            parameters: dict[str, Any] = {"runs": request.n_runs(RUNS), "seed": request.seed}
            found.append(PaperMeasurement(f"{PAPER}-folds", cross_validated, names, parameters))
        if request.wants(FIGURE):
            sizes, divisions = (QUICK_SIZES, QUICK_DIVISIONS) if request.quick else (SIZES, DIVISIONS)
            parameters = {"sizes": list(sizes), "divisions": divisions, "seed": request.seed}
            found.append(PaperMeasurement(f"{PAPER}-sizes", by_training_size, names, parameters))
        return found

    def results(self, request: Request, records: Mapping[str, list[Record]], _paths: Mapping[str, str]) -> Results:
        """Figures, tables, sentences and the drawing."""
        all_records = [record for each in records.values() for record in each]
        measured = Measured(all_records)
        parts = [part for part in self.parts if request.wants(part)]
        return Results(
            all_records,
            cells(measured, parts, self._names(request), request.reading or self.readings[0]),
            tables_beside(measured, parts),
            [finding for finding in findings(measured) if finding.part in ("", *parts)],
            {FIGURE: partial(draw, measured=measured)} if measured.sizes else {},
        )


STUDY = _Study()


def draw(path: str | os.PathLike[str], measured: Measured) -> None:
    """Draw the mean gain in AUC over the data sets of each group, per variant, for both ways to count ties.

    Parameters
    ----------
    path : path
        A .png, .pdf or .svg file. The same records give the same bytes.
    measured : Measured
        Records by training size.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`.
    OSError
        The file cannot be written.
    """
    save(path, lambda: _figure(measured))


def _figure(measured: Measured) -> Figure:
    from matplotlib.lines import Line2D

    styles = {
        (variant, group): {"color": colour, "linestyle": dash, "marker": "o", "markersize": 2.5}
        for variant, colour in zip(VARIANTS, COLOURS, strict=False)
        for group, dash in zip(GROUPS, DASHES, strict=False)
        if measured.sets_by_size(group)
    }
    legend = {
        f"{variant}, {group} ({counted(len(measured.sets_by_size(group)), 'set')})": Line2D([], [], **style)
        for (variant, group), style in styles.items()
    }
    figure, axes = panels(2, legend, "Katz et al. 2012, Figure 6: mean gain in AUC of ConfDTree over J48, our records")
    axes[1].sharey(axes[0])  # before anything is drawn, so that the range holds both panels
    for axis, (reading, ties) in zip(axes, TIES.items(), strict=True):
        axis.axhline(0, color=GREY, linewidth=0.6, zorder=1)
        for (variant, group), style in styles.items():
            gains = [measured.gains_by_size(name, variant, f"auc{ties}") for name in measured.sets_by_size(group)]
            axis.plot(measured.sizes, sum(gains) / len(gains), **style)
        axis.set(xlabel="instances to train on, %", ylabel="gain in AUC, %", xticks=measured.sizes)
        axis.set_title(TITLES[reading], fontsize=8)
    return figure
