"""The study of Costa, Verwer and Blockeel 2013, on other data sets, since the paper does not name its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from wekaconf.base.naming import counted
from wekaconf.replication._cells import Figure, Place, compare_cells, published_cells
from wekaconf.replication._data_files import find_sets
from wekaconf.replication._runner import Record, run_sets
from wekaconf.replication._study import Beside, Finding, Request, Results
from wekaconf.replication.costa2013 import findings
from wekaconf.replication.costa2013.drawing import draw_rivals
from wekaconf.replication.costa2013.findings import BATCH, MEASURE_OF
from wekaconf.replication.costa2013.measurement import PAPER, measure, measure_batch, versions
from wekaconf.replication.costa2013.selections import ALL_SETS, DATA_SETS, SELECTIONS

RUNS, SEED = 5, 1
QUICK_SETS = ("hayes-roth", "hepatitis", "iris", "lymph", "wine", "zoo")
FIGURE_OF = {"figure 4": "brier", "figure 5": "auc", "figure 6": "auc_reliability"}


class _Study:
    """See `wekaconf.replication._study.PaperStudy`."""

    paper = PAPER
    title = (
        "Costa, Verwer and Blockeel 2013, Estimating Prediction Certainty in Decision Trees: Tables 1 to 3, Figures 4 "
        "to 6, batches (Section 5)"
    )
    parts = (*MEASURE_OF, *FIGURE_OF, BATCH)
    readings = ()
    data_sets = ALL_SETS

    def run(self, request: Request) -> Results:
        """Measure the parts asked for; ``runs`` counts seeds of the bags, and of the batches.

        ``sets`` may name any file. Tables and figures need no Java; Section 5 does, for Weka's folds.
        """
        names = list(dict.fromkeys(request.sets)) or (QUICK_SETS if request.quick else ALL_SETS)
        paths, missing = find_sets(request.data, names)
        runs = request.runs or (1 if request.quick else RUNS)
        parameters: dict[str, Any] = {"seed": SEED if request.seed is None else request.seed, "runs": runs}
        parts = [part for part in self.parts if request.wants(part)]
        records: list[Record] = []
        batches: list[Record] = []
        failed: dict[str, str] = {}
        if any(part != BATCH for part in parts):
            records, failed = run_sets(
                PAPER, measure, paths, parameters=parameters, versions=versions(), **request.execution
            )
        if BATCH in parts:
            measurable = {name: path for name, path in paths.items() if name not in failed}
            batches, failed_batches = run_sets(
                f"{PAPER}-batch", measure_batch, measurable, parameters=parameters, **request.execution
            )
            failed = {**failed, **failed_batches}
        return _results(parts, records, batches, missing, failed, runs, is_trial=request.quick)


STUDY = _Study()


def _results(parts: Sequence[str], records: Sequence[Record], batches: Sequence[Record], missing: Sequence[str],
             failed: Mapping[str, str], runs: int, *, is_trial: bool) -> Results:  # fmt: skip
    """The results of the parts; a trial's tables stand beside the printed ones, as those of all sets do."""
    ours: dict[Place, Figure | None] = {}
    beside: list[Beside] = []
    sentences: list[Finding] = findings.protocol(records, runs) if records else []
    figures = {}
    selections, is_whole = _selected(records)
    is_whole = is_whole or is_trial
    for part in parts if records else ():
        if part in FIGURE_OF:
            measure_of = FIGURE_OF[part]
            figures[part] = partial(draw_rivals, records=records, number=int(part.split()[1]), measure=measure_of)
        elif part in MEASURE_OF:
            first = next(iter(selections.values()))
            ours |= findings.cells_of(part, first) if is_whole else {}
            same_cuts, on_cuts = findings.cuts(part, selections)
            beside += [findings.figures(part, records), same_cuts, findings.rivals(part, selections, runs)]
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
    return Results([*records, *batches], compare_cells(shown, ours), beside, sentences, figures, missing, failed)


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
