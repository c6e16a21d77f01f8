"""The study of Costa, Verwer and Blockeel 2013, whose data sets the paper does not name: two selections by rules."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from wekaconf.base import plot_style
from wekaconf.base.naming import counted
from wekaconf.base.plot_style import COLOURS
from wekaconf.replication._cells import Figure, Place, compare_cells, published_cells
from wekaconf.replication._runner import Record
from wekaconf.replication._study import Beside, Finding, PaperMeasurement, PaperStudy, Request, Results
from wekaconf.replication.costa2013 import findings
from wekaconf.replication.costa2013.comparing import methods_of, of_first_seed
from wekaconf.replication.costa2013.findings import BATCH, MEASURE_OF, NAMES
from wekaconf.replication.costa2013.measurement import PAPER, measure, measure_batch, versions

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


RUNS = 5
DATA_SETS = (
    "acute-inflammations-nephritis", "anneal", "audiology", "autos", "balance-scale", "blood-transfusion",
    "breast-cancer", "breast-w", "bridges_version1", "colic", "credit-a", "credit-g", "cylinder-bands", "dermatology",
    "diabetes", "ecoli", "flags", "glass", "haberman", "hayes-roth", "heart-c", "heart-h", "hepatitis", "ionosphere",
    "iris", "kdd_synthetic_control", "liver-disorders", "lymph", "molecular-biology_promoters", "new-thyroid",
    "parkinsons", "primary-tumor", "seeds", "solar-flare_1", "sonar", "soybean", "tae", "tic-tac-toe", "vehicle",
    "vertebral-column-2C", "vote", "vowel", "wdbc", "wine", "zoo",
)  # fmt: skip
"""UCI sets, named as Weka's files, since the paper does not name its 48.

The rule: all available UCI sets with a nominal class, 100 to 1000 instances and at most 100 attributes, which takes
minutes; of several sets with the same instances the first by name (heart-statlog is a part of heart-c); no set with
separate files for training and testing.
"""
# A second rule of ours could be chosen to please; this one was made in 2006, for another purpose. The two selections
# overlap, so they are no independent samples, and a claim must hold on both, with every seed, after Holm's correction.
WEKA_SETS = (
    "anneal", "anneal.ORIG", "audiology", "autos", "balance-scale", "breast-cancer", "breast-w", "colic", "colic.ORIG",
    "credit-a", "credit-g", "diabetes", "glass", "heart-c", "heart-h", "heart-statlog", "hepatitis", "ionosphere",
    "iris", "labor", "lymph", "primary-tumor", "sonar", "soybean", "vehicle", "vote", "vowel", "zoo",
)  # fmt: skip
"""The sets of Wang and Zhang 2006 with at most 1000 instances: a selection that somebody else has made.

It has anneal, colic and the heart disease data of Cleveland twice.
"""
SELECTIONS = {f"{len(DATA_SETS)} sets": DATA_SETS, f"{len(WEKA_SETS)} Weka sets": WEKA_SETS}
"""The selections by their names in tables and sentences; the first stands for the paper's."""
ALL_SETS = tuple(dict.fromkeys((*DATA_SETS, *WEKA_SETS)))
QUICK_SETS = ("hayes-roth", "hepatitis", "iris", "lymph", "wine", "zoo")
RECORDS_OF_BATCHES = f"{PAPER}-batch"
FIGURE_OF = {"figure 4": "brier", "figure 5": "auc", "figure 6": "auc_reliability"}


class _Study(PaperStudy):
    """See `wekaconf.replication._study.PaperStudy`."""

    paper = PAPER
    title = (
        "Costa, Verwer and Blockeel 2013, Estimating Prediction Certainty in Decision Trees: Tables 1 to 3, Figures 4 "
        "to 6, batches (Section 5)"
    )
    parts = (*MEASURE_OF, *FIGURE_OF, BATCH)
    data_sets = ALL_SETS

    def measurements(self, request: Request) -> list[PaperMeasurement]:
        """Tables and figures, which need no Java, and the batches of Section 5, which do, for Weka's folds.

        ``runs`` counts seeds of the bags, and of the batches. ``sets`` may name any file.
        """
        names = list(dict.fromkeys(request.sets)) or (QUICK_SETS if request.quick else ALL_SETS)
        parameters = {"seed": request.seed, "runs": request.n_runs(RUNS)}
        found = []
        if any(request.wants(part) for part in self.parts if part != BATCH):
            found.append(PaperMeasurement(PAPER, measure, names, parameters, versions()))
        if request.wants(BATCH):
            found.append(PaperMeasurement(RECORDS_OF_BATCHES, measure_batch, names, parameters))
        return found

    def results(self, request: Request, records: Mapping[str, list[Record]], _paths: Mapping[str, str]) -> Results:
        """Figures, tables, sentences and drawings; a trial's tables stand beside the printed ones, as all sets' do."""
        own, batches = records.get(PAPER, []), records.get(RECORDS_OF_BATCHES, [])
        runs = request.n_runs(RUNS)
        ours: dict[Place, Figure | None] = {}
        beside: list[Beside] = []
        sentences: list[Finding] = findings.protocol(own, runs) if own else []
        figures = {}
        selections, is_whole = _selected(own)
        is_whole = is_whole or request.quick
        for part in filter(request.wants, self.parts if own else ()):
            if part in FIGURE_OF:
                number = int(part.split()[1])
                figures[part] = partial(draw_rivals, records=own, number=number, measure=FIGURE_OF[part])
            elif part in MEASURE_OF:
                first = next(iter(selections.values()))
                ours |= findings.cells_of(part, first) if is_whole else {}
                same_cuts, on_cuts = findings.cuts(part, selections)
                beside += [findings.figures(part, own), same_cuts, findings.rivals(part, selections, runs)]
                sentences += [
                    *on_cuts, *findings.claims(part, selections), *findings.disagreements(part, selections)
                ]  # fmt: skip
        if batches:
            selections, has_batches = _selected(batches)
            tables, batch_sentences, batch_figures = findings.batch(selections)
            beside += tables
            sentences += batch_sentences
            ours |= batch_figures if has_batches else {}
        shown = [cell for cell in published_cells(PAPER) if cell.place in ours or cell.part in figures]
        return Results([*own, *batches], compare_cells(shown, ours), beside, sentences, figures)


STUDY = _Study()


def _selected(records: Sequence[Record]) -> tuple[dict[str, Sequence[Record]], bool]:
    """The records of each selection that was measured whole, or else of all sets; and whether the first one was."""
    measured = {record["dataset"] for record in records}
    selections: dict[str, Sequence[Record]] = {
        name: [record for record in records if record["dataset"] in sets]
        for name, sets in SELECTIONS.items()
        if measured >= set(sets)
    }
    is_whole = measured >= set(DATA_SETS)
    return selections or {counted(len(measured), "set"): records}, is_whole


def draw_rivals(path: str | os.PathLike[str], records: Sequence[Record], *, number: int, measure: str) -> None:
    """Draw TPCE's figure against that of each rival; the line spans the seeds of the bags.

    Parameters
    ----------
    path : path
        A .png, .pdf or .svg file.
    records : sequence of mappings
        See `wekaconf.replication.costa2013.measurement.measure`.
    number : int
        Number of the paper's figure.
    measure : str
    """

    def draw() -> Drawing:
        from matplotlib.lines import Line2D

        rivals = methods_of(measure)[1:]
        dots: dict[str, Any] = {"color": COLOURS[0], "marker": "o", "markersize": 2.5, "linestyle": ""}
        span: dict[str, Any] = {"color": COLOURS[1], "linewidth": 1}
        entries = {
            "a data set, first seed": Line2D([], [], **dots),
            "other seeds of the bags": Line2D([], [], **span),
            "equal": Line2D([], [], color=plot_style.GREY, linewidth=0.6),
        }
        if len({record["seed"] for record in records}) == 1:
            entries = {"a data set": entries["a data set, first seed"], "equal": entries["equal"]}
        figure, axes = plot_style.panels(
            len(rivals), entries, f"Costa et al. 2013, Figure {number}, on other data sets: {NAMES[measure]}"
        )
        tpce = {r["dataset"]: r[measure] for r in of_first_seed(records) if r["method"] == "tpce"}
        measured = [r for r in records if r["method"] in methods_of(measure) and r[measure] is not None]
        low, high = (extreme(r[measure] for r in measured) for extreme in (min, max))
        margin = 0.05 * (high - low) or 0.05
        for panel, rival in zip(axes, rivals, strict=True):
            theirs: dict[str, list[float]] = {}
            for record in measured:
                if record["method"] == rival and tpce[record["dataset"]] is not None:
                    theirs.setdefault(record["dataset"], []).append(record[measure])
            for name, values in theirs.items():
                panel.plot([min(values), max(values)], [tpce[name]] * 2, **span)
            panel.plot([values[0] for values in theirs.values()], [tpce[name] for name in theirs], **dots)
            panel.axline((low, low), slope=1, color=plot_style.GREY, linewidth=0.6, zorder=0)
            limits = low - margin, high + margin
            panel.set(xlabel=NAMES[rival], xlim=limits, ylim=limits, aspect="equal")
        axes[0].set_ylabel("TPCE")
        return figure

    plot_style.save(path, draw)
