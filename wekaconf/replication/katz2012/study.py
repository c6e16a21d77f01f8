"""The study of Katz et al. 2012: Tables I to III and Figure 6."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from wekaconf.base.naming import counted
from wekaconf.base.plot_style import COLOURS, DASHES, GREY, panels, save
from wekaconf.replication._data_files import choose_sets, find_sets
from wekaconf.replication._runner import Record, run_sets
from wekaconf.replication._study import Request, Results
from wekaconf.replication.katz2012.beside import tables_beside
from wekaconf.replication.katz2012.findings import findings
from wekaconf.replication.katz2012.measurement import PAPER, READINGS, TIES, VARIANTS, by_training_size, cross_validated
from wekaconf.replication.katz2012.record_table import GROUPS, Measured, all_groups, groups
from wekaconf.replication.katz2012.tables import FIGURE, cells

if TYPE_CHECKING:
    from matplotlib.figure import Figure


RUNS, SEED = 39, 1
SIZES = tuple(range(10, 100, 10))
DIVISIONS = 10
QUICK_SETS = ("diabetes", "ecoli3", "glass", "vehicle")
QUICK_SIZES, QUICK_DIVISIONS = (10, 50, 90), 2
TITLES = {"ties-half": "a tie counts ½", "ties-zero": "a tie counts 0"}


class _Study:
    """See `wekaconf.replication._study.PaperStudy`."""

    paper = PAPER
    title = "Katz, Shabtai, Rokach and Ofek 2012, ConfDTree: Tables 1 to 3, Figure 6"
    parts = ("table 1", "table 2", "table 3", FIGURE)
    readings = tuple(READINGS)

    @property
    def data_sets(self) -> tuple[str, ...]:
        return tuple(groups())

    def run(self, request: Request) -> Results:
        """Measure the parts asked for.

        ``runs`` counts ten-fold cross-validations, of which the paper has one, so that each is a repetition; Figure 6
        always has the ten divisions per training size of the paper, unless ``quick``. MiniBooNE, which takes hours, is
        measured only if ``sets`` names it.
        """
        asked_for = request.sets or (QUICK_SETS if request.quick else self.data_sets)
        names = choose_sets(PAPER, list(all_groups()), asked_for)
        paths, missing = find_sets(request.data, names)
        parts = [part for part in self.parts if request.wants(part)]
        seed = SEED if request.seed is None else request.seed
        sizes, divisions = (QUICK_SIZES, QUICK_DIVISIONS) if request.quick else (SIZES, DIVISIONS)
        phases: dict[str, tuple[Callable[..., list[Record]], dict[str, Any]]] = {}
        if parts != [FIGURE]:
            phases["folds"] = cross_validated, {"runs": request.runs or (1 if request.quick else RUNS), "seed": seed}
        if FIGURE in parts:
            phases["sizes"] = by_training_size, {"sizes": list(sizes), "divisions": divisions, "seed": seed}
        records: list[Record] = []
        failed: dict[str, str] = {}
        for i, (phase, (measure, parameters)) in enumerate(phases.items()):
            in_phase = replace(request, on_progress=_phase(request.on_progress, i, len(phases)))
            phase_records, phase_failures = run_sets(
                f"{PAPER}-{phase}", measure, paths, parameters=parameters, **in_phase.execution
            )
            records += phase_records
            failed |= phase_failures
        return results(records, parts, names, request.reading or self.readings[0], missing=missing, failed=failed)


STUDY = _Study()


def results(records: list[Record], parts: list[str], names: list[str], reading: str, **left_out: Any) -> Results:
    """The results that follow from records, measured now or read from a file.

    Parameters
    ----------
    records : list of dict
        See `wekaconf.replication.katz2012.measurement`.
    parts, names : list of str
        The parts and data sets that were asked for.
    reading : str
        One of `READINGS`.
    **left_out
        ``missing`` and ``failed`` of `Results`.
    """
    measured = Measured(records)
    return Results(
        records,
        cells(measured, parts, names, reading),
        tables_beside(measured, parts),
        [finding for finding in findings(measured) if finding.part in ("", *parts)],
        {FIGURE: partial(draw, measured=measured)} if measured.sizes else {},
        **left_out,
    )


def _phase(on_progress: Callable[[str, float], None], i: int, n: int) -> Callable[[str, float], None]:
    """A function that reports the progress of the i-th of n phases, each of the same data sets, as that of all."""
    return lambda text, share: on_progress(text, (i + share) / n)


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
