"""Readings of Katz et al. 2012 that were tried on what does not replicate, as records and tables for its page.

``python scripts/katz2012_readings.py [FOLDER [SET ...]]`` in the project's environment. FOLDER holds the UCI sets; they
are measured by ten-fold cross-validation with seed 1 into ``docs/records/katz2012-readings/records.csv``, one line per
data set, options of J48 and method; lines that are there already are kept. Without FOLDER, ``beside.csv`` is made anew
from the lines there.
``scripts/docs_records.py`` takes the tables of the page from that.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from _records import add_lines, lines_of

import wekaconf as wc
from wekaconf.base.naming import counted
from wekaconf.methods.confdtree import intervals
from wekaconf.methods.confdtree.confdtree import ConfDTree
from wekaconf.replication.cells import text_of
from wekaconf.replication.katz2012.measurement import PAPER, as_in_the_paper
from wekaconf.replication.katz2012.record_table import GROUPS, groups, printed
from wekaconf.replication.study import Beside
from wekaconf.replication.writing import BESIDE, CELLS, RECORDS
from wekaconf.tree.mirror import TreeMirror

TARGET = Path(__file__).resolve().parents[1] / "docs" / "records" / "katz2012-readings"
COLUMNS = ("dataset", "options", "method", "fold_auc_no_ties", "auc", "percent_correct", "percent_affected")
AREAS = {"folds, 0": "fold_auc_no_ties", "pooled, ½": "auc"}
"""The areas by their headings, as in the tables of the study: the first decides what meets a gain."""
LEVELS = ("0.1", "0.05", "0.01", "0.001")
"""Of the test of normality; 0.01 is ours."""
TESTS = (
    "", *(f"normality_level={level}" for level in LEVELS if level != "0.01"), "normality=lilliefors", "normality=none"
)  # fmt: skip
OTHERS = ("min_instances_of=node", "routes=false", "fines=false")
READINGS = {
    "norm": (*TESTS, *OTHERS[:1], "normality=none,min_instances_of=node"),
    "tdist": ("", *OTHERS),
    "comb": (*TESTS, *OTHERS, "normality_level=0.001,min_instances_of=node"),
}
"""Parameters beside the variant."""
PLAIN = "leaf_frequency"
BY_CLASS = "confdtree:variant=comb, class by class"
"""The label of `CombinedByClass`."""
TREES = ("-A", "-U", "-U -A", "-doNotMakeSplitPointActualValue")
"""Other options of J48, on which the three variants are tried as they are."""
UNSOLVED = ("ionosphere", "spambase")


class CombinedByClass(ConfDTree, is_registered=False):
    """COMB in which each class of a node has the normal interval if its own values pass the test, else that of t."""

    def _fit(self, tree: TreeMirror, train: wc.Dataset) -> None:
        super()._fit(tree, train)
        ends = [ConfDTree(variant="norm", normality="none"), ConfDTree(variant="tdist")]
        normal, student = (each.fit(tree, train).intervals_ for each in ends)
        node, class_index, count, _, _, distance = intervals.class_statistics(tree, train)
        passes = np.zeros(student.present.shape, dtype=bool)
        passes[node, class_index] = intervals.passes_normality(distance, count, self.normality, self.normality_level)
        names = ("assigned_low", "assigned_high", "other_low", "other_high")
        self.intervals_ = replace(
            student, **{name: np.where(passes, getattr(normal, name), getattr(student, name)) for name in names}
        )


def measure(folder: str, names: list[str], done: set[tuple[str, ...]]) -> Iterator[list[Any]]:
    """The lines of the records that are not there."""
    for name in names or list(groups()):
        data = as_in_the_paper(name, wc.load_arff(Path(folder) / f"{name}.arff"))
        for options in ("", *TREES):
            methods: dict[str, Any] = {} if (name, options, PLAIN) in done else {PLAIN: PLAIN}
            methods |= {
                label: label
                for variant, readings in READINGS.items()
                for more in (readings if not options else ("",))
                if (name, options, label := f"confdtree:variant={variant}" + f",{more}" * bool(more)) not in done
            }
            methods |= {BY_CLASS: CombinedByClass()} if not options and (name, options, BY_CLASS) not in done else {}
            found = (
                wc.evaluate(data, list(methods.values()), learner="J48", options=options, name=name) if methods else []
            )
            for label, (record, _) in zip(methods, found, strict=True):
                pooled = record["pooled"]
                areas = record["fold_mean"]["auc_mean_no_ties"], pooled["auc_mean"]
                figures = [*areas, *(pooled[each] for each in COLUMNS[5:])]
                yield [name, options, label, *(f"{figure:.8g}" for figure in figures)]


def tables(lines: list[dict[str, str]]) -> Iterator[Beside]:
    """What was tried on each set that is not understood, and how near each reading comes to Table III."""
    for name in UNSOLVED:
        own = [line for line in lines if line["dataset"] == name]
        base = {line["options"]: line for line in own if line["method"] == PLAIN}
        rows = {}
        for line in own:
            if line["method"] != PLAIN:
                tree = base[line["options"]]
                rows[f"{line['method']} on J48 {line['options']}".strip()] = [
                    *(100 * (float(line[area]) / float(tree[area]) - 1) for area in AREAS.values()),
                    float(line["percent_correct"]) - float(tree["percent_correct"]),
                    float(line["percent_affected"]),
                ]
        columns = (*(f"gain in AUC, {area}" for area in AREAS), "accuracy", "affected, %")
        yield Beside("table 1", f"{name}, all readings tried", columns, rows, 1)
    yield _distances(lines)
    yield from _levels(lines)
    yield from _causes(lines)


def _distances(lines: list[dict[str, str]]) -> Beside:
    """Mean absolute difference to Table I, in two readings of AUC, and to Table III, on J48's default tree."""
    base = {line["dataset"]: line for line in lines if not line["options"] and line["method"] == PLAIN}
    gaps: dict[str, dict[str, list[float]]] = {}
    for line in lines:
        if not line["options"] and line["method"] != PLAIN:
            name, of_method = line["dataset"], gaps.setdefault(line["method"], {})
            place = name, line["method"].partition("variant=")[2].partition(",")[0].upper()
            for tie, area in AREAS.items():
                gain = 100 * (float(line[area]) / float(base[name][area]) - 1)
                of_method.setdefault(f"gain, {groups()[name]}, {tie}", []).append(abs(gain - printed("table 1")[place]))
            affected = abs(float(line["percent_affected"]) - printed("table 3")[place])
            of_method.setdefault("affected", []).append(affected)
    columns = [*(f"gain, {group}, {tie}" for group in GROUPS for tie in AREAS), "affected"]
    rows = {method: [fmean(found[column]) for column in columns] for method, found in gaps.items()}
    return Beside("table 3", f"Mean absolute difference to Tables 1 and 3, {len(base)} sets", columns, rows, 1)


def _levels(lines: list[dict[str, str]]) -> Iterator[Beside]:
    """Table I at each level of the test of normality, and with an interval of its own for each class."""
    own = {(line["dataset"], line["options"], line["method"]): line for line in lines}
    names = list(dict.fromkeys(line["dataset"] for line in lines))
    ours, area, shares = f"{LEVELS[2]}, ours", AREAS["folds, 0"], "percent_affected"
    methods = {
        ours if level == LEVELS[2] else level: {
            variant: f"confdtree:variant={variant.lower()}" + f",normality_level={level}" * (level != LEVELS[2])
            for variant in ("NORM", "COMB")
        }
        for level in LEVELS
    } | {f"{LEVELS[2]}, class by class": {"COMB": BY_CLASS}}
    with (TARGET.parent / PAPER / CELLS).open(encoding="utf-8", newline="") as file:
        cells = {(row["row"], row["column"]): row for row in csv.DictReader(file) if row["part"] == "table 1"}
    rows: dict[str, list[Any]] = {}
    for level, by_variant in methods.items():
        gaps, met, n_judged = dict[str, float](), 0, 0
        for variant, method in by_variant.items():
            gains = {name: _figure(own, (name, "", method), area) for name in names}
            gaps[variant] = fmean(abs(gain - printed("table 1")[name, variant]) for name, gain in gains.items())
            for name in names:
                cell = cells[name, variant]
                if cell["verdict"] in ("met", "close", "differs"):
                    moved = gains[name] - _figure(own, (name, "", methods[ours][variant]), area)
                    met += float(cell["low"]) <= float(cell["published"]) - moved <= float(cell["high"])
                    n_judged += 1
        affected = {name: _figure(own, (name, "", by_variant["COMB"]), shares) for name in names}
        gap = fmean(abs(share - printed("table 3")[name, "COMB"]) for name, share in affected.items())
        rows[level] = [gaps.get("NORM"), gaps["COMB"], f"{met} of {n_judged}", gap, fmean(affected.values())]
    columns = ("gain, NORM", "gain, COMB", "gains met", "affected, COMB", "affected by COMB, %")
    yield Beside("table 1", "Level of the test of normality: mean absolute difference from print", columns, rows, 2)
    for part, figure, title in (("table 1", area, "Gain in AUC, %,"), ("table 3", shares, "Affected, %,")):
        heads = {"paper": None} | {f"COMB, {level}": by_variant["COMB"] for level, by_variant in methods.items()}
        of_sets = {
            name: [
                printed(part)[name, "COMB"] if method is None else _figure(own, (name, "", method), figure)
                for method in heads.values()
            ]
            for name in names
        }
        yield Beside(part, f"{title} at each level of the test of normality", list(heads), of_sets, 1)


def _causes(lines: list[dict[str, str]]) -> Iterator[Beside]:
    """Each figure of ConfDTree that is not met, and the readings under which it would be.

    A reading was measured with one seed. It meets a figure that our interval of 39 seeds would hold if it were moved by
    as much as the reading moves the figure of that seed.
    """
    with (TARGET.parent / PAPER / CELLS).open(encoding="utf-8", newline="") as file:
        cells = [row for row in csv.DictReader(file) if row["verdict"] in ("close", "differs")]
    own = {(line["dataset"], line["options"], line["method"]): line for line in lines}
    for part, area in (("table 1", AREAS["folds, 0"]), ("table 3", "percent_affected")):
        rows: dict[str, list[Any]] = {}
        for cell in cells:
            name, variant = cell["row"], cell["column"].lower()
            if cell["part"] != part or variant not in READINGS:
                continue
            tried = [key for key in own if key[0] == name and f"variant={variant}" in key[2]]
            figures = {key: _figure(own, key, area) for key in tried}
            usual = figures.get((name, "", f"confdtree:variant={variant}"))
            if usual is None:
                found = "not tried"
            else:
                low, high, published = (float(cell[each]) for each in ("low", "high", "published"))
                met = [key for key, figure in figures.items() if low <= published - (figure - usual) <= high]
                found = "; ".join(map(_words, met)) or f"not found after: {counted(len(tried) - 1, 'other reading')}"
            rows[f"{name}, {cell['column']}"] = [
                cell["published"],
                f"{float(cell['low']):.1f} to {float(cell['high']):.1f}",
                cell["verdict"],
                found,
            ]
        title = f"{part.capitalize()}: figures that are not met, and what meets them"
        yield Beside(part, title, ("published", "our interval", "verdict", "met with"), rows)


def _figure(own: dict[tuple[str, str, str], dict[str, str]], key: tuple[str, str, str], area: str) -> float:
    """A gain over the tree of the same options, in percent, or the share affected."""
    figure = float(own[key][area])
    return figure if area.startswith("percent") else 100 * (figure / float(own[*key[:2], PLAIN][area]) - 1)


def _words(key: tuple[str, str, str]) -> str:
    _, options, method = key
    return " ".join(filter(None, (method.partition("variant=")[2].partition(",")[2], f"J48 {options}" * bool(options))))


def beside_rows(found: Iterable[Beside]) -> Iterator[list[Any]]:
    """The lines of ``beside.csv``, as `wekaconf.replication.writing` writes them."""
    yield ["part", "title", "row", "column", "ours", "shown"]
    for table in found:
        for name, figures in table.rows.items():
            for column, figure in zip(table.columns, figures, strict=True):
                rounded = round(figure, table.digits) + 0.0 if isinstance(figure, float) else figure
                yield [table.part, table.title, name, column, rounded, text_of(rounded, table.digits)]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        done = {(line["dataset"], line["options"], line["method"]) for line in lines_of(TARGET / RECORDS)}
        add_lines(TARGET / RECORDS, measure(sys.argv[1], sys.argv[2:], done))
    lines = lines_of(TARGET / RECORDS)
    with (TARGET / BESIDE).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(beside_rows(tables(lines)))
