"""Readings of Katz et al. 2012 that were tried on what does not replicate, as records and tables for its page.

``python scripts/katz2012_readings.py [FOLDER [SET ...]]`` in the project's environment. FOLDER holds the UCI sets; they
are measured by ten-fold cross-validation with seed 1 into ``docs/records/katz2012-readings/records.csv``, one line per
data set, options of J48 and method; without it, ``beside.csv`` is made anew from the lines there.
``scripts/docs_records.py`` takes the tables of the page from that.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import wekaconf as wc
from wekaconf.replication.cells import text_of
from wekaconf.replication.katz2012.measurement import as_in_the_paper
from wekaconf.replication.katz2012.record_table import GROUPS, groups, printed
from wekaconf.replication.study import Beside
from wekaconf.replication.writing import BESIDE, RECORDS

TARGET = Path(__file__).resolve().parents[1] / "docs" / "records" / "katz2012-readings"
COLUMNS = ("dataset", "options", "method", "auc", "auc_no_ties", "percent_correct", "percent_affected")
TESTS = ("", "normality_level=0.001", "normality=lilliefors", "normality=none")
OTHERS = ("min_instances_of=node", "routes=false", "fines=false")
READINGS = {
    "norm": (*TESTS, *OTHERS[:1], "normality=none,min_instances_of=node"),
    "tdist": ("", *OTHERS),
    "comb": (*TESTS, *OTHERS, "normality_level=0.001,min_instances_of=node"),
}
"""Parameters beside the variant."""
TREES = ("-A", "-U", "-U -A", "-doNotMakeSplitPointActualValue")
"""Other options of J48, on which the three variants are tried as they are."""
SLOW = ("letter", "waveform-5000")
UNSOLVED = ("ionosphere", "spambase")


def measure(folder: str, names: list[str]) -> Iterator[list[Any]]:
    """The lines of the records."""
    for name in names or [name for name in groups() if name not in SLOW]:
        data = as_in_the_paper(name, wc.load_arff(Path(folder) / f"{name}.arff"))
        for options in ("", *TREES):
            methods = [
                f"confdtree:variant={variant}" + f",{more}" * bool(more)
                for variant, readings in READINGS.items()
                for more in (readings if not options else ("",))
            ]
            for record, _ in wc.evaluate(data, ["leaf_frequency", *methods], learner="J48", options=options, name=name):
                pooled = record["pooled"]
                figures = [pooled["auc_mean"], pooled["auc_mean_no_ties"], *(pooled[each] for each in COLUMNS[5:])]
                yield [name, options, record["label"], *(f"{figure:.8g}" for figure in figures)]


def tables(lines: list[dict[str, str]]) -> Iterator[Beside]:
    """What was tried on each set that is not understood, and how near each reading comes to Table III."""
    for name in UNSOLVED:
        own = [line for line in lines if line["dataset"] == name]
        base = {line["options"]: line for line in own if line["method"] == "leaf_frequency"}
        rows = {}
        for line in own:
            if line["method"] != "leaf_frequency":
                tree = base[line["options"]]
                rows[f"{line['method']} on J48 {line['options']}".strip()] = [
                    *(100 * (float(line[area]) / float(tree[area]) - 1) for area in ("auc", "auc_no_ties")),
                    float(line["percent_correct"]) - float(tree["percent_correct"]),
                    float(line["percent_affected"]),
                ]
        columns = ("gain in AUC, ½", "gain in AUC, 0", "accuracy", "affected, %")
        yield Beside("table 1", f"{name}, all readings tried", columns, rows, 1)
    yield _distances(lines)


def _distances(lines: list[dict[str, str]]) -> Beside:
    """Mean absolute difference to Table I, either way to count ties, and to Table III, on J48's default tree."""
    base = {line["dataset"]: line for line in lines if not line["options"] and line["method"] == "leaf_frequency"}
    gaps: dict[str, dict[str, list[float]]] = {}
    for line in lines:
        if not line["options"] and line["method"] != "leaf_frequency":
            name, of_method = line["dataset"], gaps.setdefault(line["method"], {})
            place = name, line["method"].partition("variant=")[2].partition(",")[0].upper()
            for tie, area in (("½", "auc"), ("0", "auc_no_ties")):
                gain = 100 * (float(line[area]) / float(base[name][area]) - 1)
                of_method.setdefault(f"gain, {groups()[name]}, {tie}", []).append(abs(gain - printed("table 1")[place]))
            affected = abs(float(line["percent_affected"]) - printed("table 3")[place])
            of_method.setdefault("affected", []).append(affected)
    columns = [*(f"gain, {group}, {tie}" for group in GROUPS for tie in ("½", "0")), "affected"]
    rows = {method: [fmean(found[column]) for column in columns] for method, found in gaps.items()}
    return Beside("table 3", f"Mean absolute difference to Tables 1 and 3, {len(base)} sets", columns, rows, 1)


def beside_rows(found: Iterable[Beside]) -> Iterator[list[Any]]:
    """The lines of ``beside.csv``, as `wekaconf.replication.writing` writes them."""
    yield ["part", "title", "row", "column", "ours", "shown"]
    for table in found:
        for name, figures in table.rows.items():
            for column, figure in zip(table.columns, figures, strict=True):
                rounded = round(figure, table.digits) + 0.0 if isinstance(figure, float) else figure
                yield [table.part, table.title, name, column, rounded, text_of(rounded, table.digits)]


if __name__ == "__main__":
    TARGET.mkdir(parents=True, exist_ok=True)
    if len(sys.argv) > 1:
        with (TARGET / RECORDS).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *measure(sys.argv[1], sys.argv[2:])])
    with (TARGET / RECORDS).open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    with (TARGET / BESIDE).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(beside_rows(tables(lines)))
